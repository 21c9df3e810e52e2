"""Reports of turns: headline, lead, stories and tables, for each reader, style and format."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import chance_cache, estimate
from cardbattle.campaign.turn.advice import Advice, Share
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, VisibleCampaign, visible_to
from cardbattle.campaign.visibility.visible_turns import VisibleTurn, visible_turns
from cardbattle.cli.campaign.between_battles.report import FORMATS
from cardbattle.cli.run import plain_text
from cardbattle.core.grammar import Noun
from cardbattle.show.document import Paragraph, Section, Title
from cardbattle.show.pages.analysis import turning_point_line
from cardbattle.show.pages.campaign.reports.chronicle import chronicle_turns
from cardbattle.show.pages.campaign.reports.lead import (
    SLIGHT,
    LeadWriter,
    ReportSpan,
    gains_of,
    headline,
    headline_parts,
    lead,
    odds_words,
)
from cardbattle.show.pages.campaign.reports.turn_report import (
    BattleNews,
    heading,
    other_events,
    turn_report_page,
)
from cardbattle.show.report_styles import STYLES
from cardbattle.show.svg.deck import Deck
from cardbattle.show.translation import catalogue_of, translated
from cardbattle.show.writers.battle_html import BattleHtml
from cardbattle.show.writers.replay_html import chances_html
from cardbattle.simulation.turning_points import Curve, CurvePoint, TurningPoint
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell

MARCHES = ROOT / "campaigns" / "the-marches-1403"
LEAGUE = ROOT / "campaigns" / "back-room-league"
NOONS = ROOT / "campaigns" / "four-noons"
FACTIONS, PLACES = ("york", "lancaster", "wales"), ("chester", "stone")


@cache
def turns_of(folder: Path, reader: str | None = PUBLIC) -> tuple[VisibleCampaign, list[VisibleTurn]]:
    """Return a sample campaign and its turns, as a reader may know them."""
    books, ledger = store.load(str(folder)), store.load_ledger(str(folder))
    visible = visible_to(books.campaign, ledger, reader)
    return visible, visible_turns(visible, books.campaign)


def span_from(folder: Path, first: int, last: int, reader: str | None = PUBLIC) -> ReportSpan:
    """Return these turns of a sample campaign."""
    visible, turns = turns_of(folder, reader)
    chosen = [turn for turn in turns if first <= turn.number <= last]
    return ReportSpan(visible, chosen, [turn for turn in turns if turn.number > last])


def changes() -> st.SearchStrategy[list[Change]]:
    """Draw changes of points and owners in which each begins where the one before ended."""
    steps = st.lists(
        st.one_of(
            st.tuples(st.sampled_from(FACTIONS), st.integers(-5, 5)),
            st.tuples(st.sampled_from(PLACES), st.sampled_from((None, *FACTIONS))),
        )
    )
    return steps.map(chained)


def chained(steps: Sequence[tuple[str, int | str | None]]) -> list[Change]:
    """Return steps as changes of points by an amount, and of owners."""
    values: dict[str, int | str | None] = {}
    result = []
    for key, step in steps:
        before = values.get(key, 0 if key in FACTIONS else "york")
        after = int(before or 0) + int(step or 0) if key in FACTIONS else step
        name = ("factions", key, "points") if key in FACTIONS else ("locations", key, "owner")
        result.append(Change(name, before, after))
        values[key] = after
    return result


@given(changes())
def test_gains_are_the_difference_between_the_first_and_the_last_value(steps: list[Change]) -> None:
    gains = {gain.faction: gain for gain in gains_of([Entry(1, "adjust", [step]) for step in steps])}
    for faction in FACTIONS:
        first = next((step.before for step in steps if step.key[1] == faction), 0)
        last = next((step.after for step in reversed(steps) if step.key[1] == faction), 0)
        assert (gains[faction].points if faction in gains else 0) == int(str(last)) - int(str(first))
    for place in PLACES:
        owner = next((step.after for step in reversed(steps) if step.key[1] == place), "york")
        takers = [gain.faction for gain in gains.values() if place in gain.taken]
        losers = [gain.faction for gain in gains.values() if place in gain.lost]
        assert takers == ([owner] if owner not in (None, "york") else [])
        assert losers == (["york"] if owner is None else [])


@given(st.floats(0, 1), st.booleans())
def test_the_favourite_is_the_side_with_the_higher_chance(chance: float, swapped: bool) -> None:
    pairs = [(Noun("Henry"), chance), (Noun("the archers"), 1 - chance)]
    words = odds_words(pairs[::-1] if swapped else pairs)
    best = "Henry" if chance > 0.5 else "the archers"
    assert words.startswith(best) == (max(chance, 1 - chance) >= SLIGHT)
    assert words == "the odds are even" or words.startswith(best)
    assert (" is " in words) == words.startswith("Henry")


def test_odds_of_several_sides_name_the_best_only_if_it_leads() -> None:
    names = [Noun("York"), Noun("the Scots"), Noun("Wales")]
    assert odds_words(list(zip(names, (0.2, 0.5, 0.3), strict=True))) == "the Scots have the best chances"
    assert odds_words(list(zip(names, (0.36, 0.34, 0.3), strict=True))) == "the odds are open"


@given(
    st.dictionaries(st.sampled_from(["crown", "percy", "glyndwr", "douglas"]), st.integers(0, 30), min_size=1)
)
def test_the_state_of_the_war_is_seen_by_the_faction_that_speaks(scores: dict[str, int]) -> None:
    span = span_from(MARCHES, 4, 4)
    best = max(scores.values())
    for voice in scores:
        words = LeadWriter(span, {}, voice).leading(scores, "point")
        assert ("behind" in words) == (scores[voice] < best)
        assert words.startswith(("we ", "we, "))


@pytest.mark.slow
def test_every_event_is_in_the_report_of_one_turn() -> None:
    """The reports of single turns together have what the report of all turns has, in the same order."""
    for folder in (MARCHES, LEAGUE):
        for reader in (PUBLIC, UMPIRE):
            visible, turns = turns_of(folder, reader)
            whole = turn_report_page(ReportSpan(visible, turns, []), "plain", {}, {}).json
            single = [
                turn_report_page(ReportSpan(visible, [turn], turns[at + 1 :]), "plain", {}, {}).json
                for at, turn in enumerate(turns)
            ]
            for part in ("battles", "words", "events"):
                assert whole[part] == [value for page in single for value in page[part]]  # type: ignore[attr-defined]


def test_the_lead_has_three_sentences_and_the_headline_no_full_stop() -> None:
    for folder in (MARCHES, LEAGUE):
        _, turns = turns_of(folder)
        for turn in turns:
            span = span_from(folder, turn.number, turn.number)
            sentences = ["".join(parts) for parts in lead(span, {})]
            assert len(sentences) == 3
            assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in sentences)
            assert not headline(span).endswith(".")


@pytest.mark.parametrize("style", STYLES)
def test_a_report_of_several_turns_has_a_heading_for_each_turn(style: str) -> None:
    """Below it are the parts of the turn. A report of one turn has no such heading."""
    page = turn_report_page(span_from(MARCHES, 2, 3, "percy"), style, {}, {})
    headings = [block for block in page.blocks if isinstance(block, Section)]
    outer = [str(block.words) for block in headings if not block.is_part]
    assert outer[:2] == ["Turn 2", "Turn 3"] and outer[2].startswith("Standings")
    words = [str(block.words) for block in headings]
    for number in (2, 3):
        alone = turn_report_page(span_from(MARCHES, number, number, "percy"), style, {}, {}).blocks
        parts = [block for block in alone if isinstance(block, Section)]
        assert not any(part.is_part for part in parts)
        start = words.index(f"Turn {number}") + 1
        names = [str(part.words) for part in parts if not str(part.words).startswith(("Stand", "Our"))]
        headline = "".join(heading(span_from(MARCHES, number, number, "percy"), style)[0])
        expected = [headline if " battle for " in name else name for name in names[:3]]  # not said twice
        assert words[start : start + 3] == expected


@pytest.mark.parametrize(
    ("form", "headings"),
    [
        ("md", "\n## Turn 2\n\n### From the umpire\n"),
        ("discord", "\n## Turn 2\n### From the umpire\n"),
        ("bbcode", "[size=120][b]Turn 2[/b][/size]\n\n[b]From the umpire[/b]\n"),
        ("html", "<h2><span>Turn 2</span></h2>\n<h3>From the umpire</h3>\n"),
        ("text", "\n\nTurn 2\nFrom the umpire\n"),
        ("plain", "\n\nTurn 2\n\nFrom the umpire\n"),
    ],
)
def test_the_parts_of_a_turn_stand_below_it_in_every_format(sh: Shell, form: str, headings: str) -> None:
    report = ("report", "--from", "2", "--to", "3", "--no-chances", "--format", form)
    out = sh("campaign", "-C", str(MARCHES), *report).out
    assert headings in out


def test_the_headline_of_several_turns_says_who_took_places_and_kept_them() -> None:
    parts = headline_parts(span_from(MARCHES, 1, 4))
    assert parts == ["Glyndŵr takes Carmarthen", "; ", "the House of Percy takes Chester"]
    assert catalogue_of("de").text(parts[0]) == "Glyndŵr nimmt Carmarthen ein"


@pytest.mark.slow
def test_the_latest_of_equal_battles_makes_the_headline_of_several_turns(sh: Shell, tmp_path: Path) -> None:
    """The place that both took is back with its first owner, so that nobody took a place in these turns."""
    battles = "".join(
        f'[[pending]]\nid = "b{n}"\nsides = ["pikes", "vanguard"]\nstakes = "ford"\n' for n in range(2)
    )
    (tmp_path / "campaign.toml").write_text(OPEN.partition("[[pending]]")[0] + battles, encoding="utf-8")
    for n, winner in enumerate(("pikes", "vanguard")):
        result = ("--winner", winner, "--losses", "vanguard=0", "--reason", "x")
        assert sh("campaign", "override", f"b{n}", *result).code == 0
        assert sh("campaign", "turn").code == 0
    assert headline(span_from(tmp_path, 3, 3)) == "The Pikes take Ford from the King"
    assert headline(span_from(tmp_path, 3, 4)) == "The Vanguard takes Ford from the Towns"


@pytest.mark.slow
def test_a_destroyed_force_has_no_run_of_defeats(sh: Shell, tmp_path: Path) -> None:
    battles = "".join(f'[[pending]]\nid = "b{n}"\nsides = ["pikes", "vanguard"]\n' for n in range(2))
    (tmp_path / "campaign.toml").write_text(OPEN.partition("[[pending]]")[0] + battles, encoding="utf-8")
    for n in range(2):
        result = ("--winner", "vanguard", "--losses", "vanguard=0", "--reason", "x")
        assert sh("campaign", "override", f"b{n}", *result).code == 0
    streaks = []
    for is_destroyed in ("false", "true"):
        assert sh("campaign", "set", f"forces.pikes.destroyed={is_destroyed}", "-q").code == 0
        turns_of.cache_clear()
        streaks.append("".join(lead(span_from(tmp_path, 3, 3), {})[2]))
    both = ["The Pikes have lost two battles in a row.", "The Vanguard has won two battles in a row."]
    assert streaks == both


@pytest.mark.slow
def test_the_headline_of_a_whole_war_is_the_note_that_ends_it(sh: Shell, tmp_path: Path) -> None:
    text = VALE.format(location="all", order="hold").replace('location = "ford"', 'location = "hill"')
    (tmp_path / "campaign.toml").write_text(f"{text}[aftermath]\ncapture = true\n", encoding="utf-8")
    assert sh("campaign", "advance", "-q").code == 0
    captures = "Red takes Ford; Blue takes Hill"
    assert sh("campaign", "note", "It rains.", "-q").code == 0
    assert headline(span_from(tmp_path, 1, 2)) == captures
    assert sh("campaign", "unset", "movement", "-q").code == 0
    turns_of.cache_clear()
    long = "and so that nobody forgets how it went, all of it is written down below, turn by turn"
    words = "The war is over. Red has won it, by points."
    for note in (f"{words} Blue gave up on the evening of 6. June, {long}.", words):
        assert sh("campaign", "note", note, "-q").code == 0
        turns_of.cache_clear()
        assert headline(span_from(tmp_path, 1, 2)) == words.removesuffix(".")
    assert headline(span_from(tmp_path, 1, 1)) != words.removesuffix(".")
    assert sh("campaign", "adjust", "factions.red.points+=3", "--reason", "x", "-q").code == 0
    turns_of.cache_clear()
    ended = span_from(tmp_path, 1, 2)
    assert ended.title == "Turn 1" and "Red led with three points" in "".join(lead(ended, {})[1])
    assert sh("campaign", "set", "movement.allowance", "1", "-q").code == 0
    turns_of.cache_clear()
    assert headline(span_from(tmp_path, 1, 2)) == captures


def test_what_comes_next_is_pending_or_the_next_battle() -> None:
    shares = [Share("percy", "", "", 0.8, 0.7, 0.9), Share("hal", "", "", 0.2, 0.1, 0.3)]
    span = span_from(MARCHES, 4, 4)
    battle = max(
        span.campaign.pending, key=lambda one: span.campaign.locations[one.stakes].value if one.stakes else 0
    )
    sides = [share._replace(side=key) for share, key in zip(shares, battle.keys, strict=True)]
    known, unknown = ("".join(lead(span, advice)[2]) for advice in ({battle.id: Advice(9, sides)}, {}))
    assert "are the clear favourites and two more battles are pending." in known
    assert known.startswith("Next, Harry Hotspur and Archibald Douglas meet Prince Henry")
    assert " for Shrewsbury; two more battles are pending." in unknown
    past = lead(span_from(MARCHES, 2, 2), {})[2]
    assert past == ["Then the Cheshire archers met the garrison of Chester for Chester."]


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_a_report_is_translated_except_for_the_umpires_words(style: str) -> None:
    """Every heading and every part of the lead of the samples has a German text."""
    german = catalogue_of("de")
    for folder, faction in ((MARCHES, "percy"), (LEAGUE, "gate"), (NOONS, "town")):
        _, turns = turns_of(folder, faction)
        for turn in turns:
            span = span_from(folder, turn.number, turn.number, turn.visible.reader)
            page = turn_report_page(span, style, {}, {})
            document = translated(page, "de")
            for before, after in zip(page.blocks, document.blocks, strict=True):
                if isinstance(before, Paragraph) and before.is_verbatim:
                    assert before == after
                elif isinstance(before, Section) and not (
                    style == "plain" and re.search(" against |, ", str(before.words))
                ):
                    assert before != after
            voice = "percy" if style == "dispatch" and folder == MARCHES else ""
            for parts in lead(span, {}, voice):
                assert all(german.text(part) != part for part in parts if len(part) > 3)


def test_a_list_of_names_has_the_conjunction_of_the_language_but_a_name_keeps_its_own() -> None:
    names = ["Hook and Crook", "The Pikes", "Red Guard"]
    german = catalogue_of("de").knowing(names)
    for one, other, expected in (
        ("Hook and Crook", "the Pikes", "Hook and Crook schlägt the Pikes"),
        ("the Pikes and Red Guard", "Hook and Crook", "the Pikes und Red Guard schlagen Hook and Crook"),
        ("Red Guard", "Hook and Crook, and the Pikes", "Red Guard schlägt Hook and Crook und the Pikes"),
        ("Red Guard", "the Pikes and Hook and Crook", "Red Guard schlägt the Pikes und Hook and Crook"),
        ("The Pikes, Red Guard and Kent", "York", "The Pikes, Red Guard and Kent schlagen York"),
    ):
        verb = "beat" if "schlagen" in expected else "beats"
        assert german.text(f"{one} {verb} {other}") == expected
    assert german.text("Red Guard and Kent") == "Red Guard and Kent"  # not a list of known names


@pytest.mark.slow
def test_a_past_turn_has_the_name_and_the_dates_that_it_had_then(sh: Shell, tmp_path: Path) -> None:
    calendar = "[calendar]\nfirst_day = 1403-07-01\ndays = 7\n"
    (tmp_path / "campaign.toml").write_text(f"{OPEN}\n{calendar}", encoding="utf-8")
    turn = 3
    result = ("--winner", "pikes", "--losses", "vanguard=0", "--reason", "x")
    assert sh("campaign", "override", "last", *result, "-q").code == 0
    before = sh("campaign", "report", "--turn", str(turn), "--no-chances").out
    dates = "15 to 21 July 1403"
    assert dates in before
    assert sh("campaign", "turn", "-q").code == 0
    changes = ("name=Later", "calendar.first_day=1500-01-01", "calendar.days=30")
    assert sh("campaign", "set", *changes, "-q").code == 0
    for options in ((), ("--style", "plain")):
        past = sh("campaign", "report", "--turn", str(turn), "--no-chances", *options).out
        assert dates in past and "Later" not in past and "1500" not in past
        now = sh("campaign", "report", "--turn", str(turn + 1), "--no-chances", *options).out
        assert "Later" in now and "1500" in now and "1403" not in now
    chronicle = sh("campaign", "report", "--no-chances").out
    assert f"Turn {turn}: {dates}" in chronicle
    assert sh("campaign", "remove", "calendar", "-q").code == 0
    assert dates in sh("campaign", "report", "--turn", str(turn), "--no-chances").out
    assert sh("campaign", "site", "site", "--no-chances", "-q").code == 0
    assert dates in (tmp_path / "site" / "turns" / f"{turn}.html").read_text(encoding="utf-8")


VALE = """format = 1
name = "Vale"
turn = 1
revision = 0
seed = 1
rules = "field-of-honour"
visibility = {{ location = "{location}" }}
[movement]
[factions.red]
[factions.blue]
[forces.lion]
faction = "red"
strength = 9
location = "mill"
[forces.bear]
faction = "blue"
strength = 9
location = "ford"
[locations.mill]
[locations.ford]
[locations.hill]
[[road]]
between = ["mill", "ford"]
[[road]]
between = ["ford", "hill"]
[orders]
lion = "march to ford"
bear = "{order}"
"""


@pytest.mark.slow
def test_the_report_of_a_past_turn_names_the_substitute_of_its_reader(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(VALE.format(location="all", order="hold"), encoding="utf-8")
    assert sh("campaign", "set", "orders.lion=hold", "-q").code == 0
    assert sh("campaign", "substitute", "red", "seasoned", "-q").code == 0
    for _ in range(2):
        assert sh("campaign", "advance", "-q").code == 0
    assert sh("campaign", "substitute", "red", "veteran", "--turn", "9", "-q").code == 0
    told = {
        (reader, turn): "A substitute (seasoned) played for Red." in text
        for reader in ("red", "blue", "public", "umpire")
        for turn in ("1", "2", "3")
        for text in [sh("campaign", "report", "--turn", turn, "--for", reader).out]
    }
    assert [key for key, is_told in told.items() if is_told] == [("red", "1")]
    for turn, lines in (
        ("1", ["A substitute (seasoned) plays for Red.", "Red: the last turn of the substitute is turn 1."]),
        (
            "3",
            [
                "Red: the rank of the substitute is now veteran.",
                "Red: the last turn of the substitute is turn 9.",
            ],
        ),
    ):
        report = sh("campaign", "report", "--turn", turn, "--for", "umpire", "--format", "text").out
        assert [line[2:] for line in report.splitlines() if "ubstitute" in line and line[0] == " "] == lines


@pytest.mark.slow
@pytest.mark.parametrize("order", ["hold, avoid battle", "hold"])
@pytest.mark.parametrize("location", ["all", "rough", "own"])
def test_a_faction_reads_once_who_came_to_the_place_of_its_forces(
    sh: Shell, tmp_path: Path, location: str, order: str
) -> None:
    """It stood there when the turn began. If it does not avoid battle, the contact says so."""
    (tmp_path / "campaign.toml").write_text(VALE.format(location=location, order=order), encoding="utf-8")
    assert sh("campaign", "advance", "--leave", "-q").code == 0
    events = {faction: other_events(span_from(tmp_path, 1, 1, faction)) for faction in ("red", "blue")}
    avoided = [line for line in events["blue"] if line.startswith("Bear falls back")]
    enemy = "battle" if location == "own" else "Lion"
    is_avoided = order != "hold"
    assert avoided == [f"Bear falls back from Ford to Hill to avoid {enemy}, as ordered."] * is_avoided
    told = {
        faction: [line for line in lines if "Lion" in line and line not in avoided]
        for faction, lines in events.items()
    }
    meets = ["Lion meets Bear at Ford."] if order == "hold" else []
    comes = {"all": "Lion marches from Mill to Ford.", "rough": "" if meets else "Lion marches to Ford."}
    assert told["red"] == ["Lion marches from Mill to Ford.", *meets]
    assert told["blue"] == [*filter(None, [comes.get(location, "")]), *meets]


def test_a_faction_reads_who_came_before_it_reads_its_income(sh: Shell, tmp_path: Path) -> None:
    text = VALE.format(location="rough", order="hold, avoid battle")
    text = text.replace("[locations.ford]", '[locations.ford]\nowner = "blue"\nvalue = 2')
    text = text.replace("[orders]", '[income]\nper_value = 1\nto = "purse"\n[orders]')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    assert sh("campaign", "advance", "--leave", "-q").code == 0
    events = other_events(span_from(tmp_path, 1, 1, "blue"))
    [came] = [n for n, event in enumerate(events) if event == "Lion marches to Ford."]
    assert any("purse" in event for event in events[came:])


@pytest.mark.parametrize(
    ("location", "owner", "is_read"),
    [("rough", "blue", True), ("rough", "red", False), ("own", "blue", False)],
)
def test_a_faction_reads_who_came_to_a_place_of_its_own(
    sh: Shell, tmp_path: Path, location: str, owner: str, is_read: bool
) -> None:
    text = VALE.format(location=location, order="hold").replace('location = "ford"', 'location = "hill"')
    text = text.replace("[locations.ford]", f'[locations.ford]\nowner = "{owner}"')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    assert sh("campaign", "advance", "--leave", "-q").code == 0
    events = other_events(span_from(tmp_path, 1, 1, "blue"))
    assert ("Lion marches to Ford." in events) == is_read


def test_a_faction_reads_that_a_beaten_friend_retreats_to_its_forces(sh: Shell, tmp_path: Path) -> None:
    text = VALE.format(location="rough", order="hold").partition("[orders]")[0] + (
        '[aftermath]\nretreat = "nearest-own"\n[factions.green]\npeace = ["red"]\n'
        '[forces.fox]\nfaction = "green"\nstrength = 9\nlocation = "ford"\n'
        '[[pending]]\nid = "ford"\nsides = ["fox", "bear"]\nplace = "ford"\n'
    )
    for place, owner in (("mill", "red"), ("hill", "blue")):
        text = text.replace(f"[locations.{place}]", f'[locations.{place}]\nowner = "{owner}"')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    losses = ("--losses", "fox=0", "--losses", "bear=0")
    assert sh("campaign", "override", "ford", "--winner", "bear", *losses, "--reason", "x", "-q").code == 0
    assert sh("campaign", "advance", "-q").code == 0
    assert "Fox retreats to Mill." in other_events(span_from(tmp_path, 1, 1, "red"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("location", "winner", "line"),
    [
        ("all", "lion", "Bear retreats from Ford to Hill."),
        ("rough", "lion", "Bear retreats to Hill."),
        ("own", "lion", ""),
        ("rough", "bear", "Lion retreats to Mill."),  # where it came from
    ],
)
def test_a_winner_reads_where_the_enemy_retreated_if_it_sees_the_place(
    sh: Shell, tmp_path: Path, location: str, winner: str, line: str
) -> None:
    text = VALE.format(location=location, order="hold") + '[aftermath]\nretreat = "nearest-own"\n'
    for place, owner in (("mill", "red"), ("hill", "blue")):
        text = text.replace(f"[locations.{place}]", f'[locations.{place}]\nowner = "{owner}"')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    assert sh("campaign", "advance", "-q").code == 4  # the battle is pending
    losses = ("--losses", "lion=0", "--losses", "bear=0")
    assert sh("campaign", "override", "t1-ford", "--winner", winner, *losses, "--reason", "x", "-q").code == 0
    assert sh("campaign", "advance", "-q").code == 0
    told = {
        faction: [event for event in other_events(span_from(tmp_path, 1, 1, faction)) if "retreat" in event]
        for faction in ("red", "blue", PUBLIC)
    }
    assert told["red" if winner == "lion" else "blue"] == [*filter(None, [line])]
    assert bool(told[PUBLIC]) == (location == "all")


@pytest.mark.slow
def test_a_winner_reads_where_the_enemy_retreated_even_if_it_starved_there(sh: Shell, tmp_path: Path) -> None:
    text = VALE.format(location="rough", order="hold") + '[aftermath]\nretreat = "nearest-own"\n'
    text += '[supply]\nrange = 1\nout_of_supply = "1"\n'
    for place, owner in (("mill", "red"), ("hill", "blue")):
        supply = "\nsupply = true" * (owner == "red")
        text = text.replace(f"[locations.{place}]", f'[locations.{place}]\nowner = "{owner}"{supply}')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    sh("campaign", "advance", "-q")
    losses = ("--losses", "lion=0", "--losses", "bear=0")
    assert sh("campaign", "override", "t1-ford", "--winner", "lion", *losses, "--reason", "x", "-q").code == 0
    assert sh("campaign", "advance", "-q").code == 0
    told = [event for event in other_events(span_from(tmp_path, 1, 1, "red")) if event.startswith("Bear")]
    assert told == ["Bear retreats to Hill.", "Bear is destroyed."]


def test_a_past_report_does_not_change_when_a_force_changes_sides(sh: Shell, tmp_path: Path) -> None:
    """The battles of a dispatch are those of the forces that the faction had then."""
    text = VALE.format(location="all", order="hold").partition("[orders]")[0] + (
        '[factions.green]\n[forces.fox]\nfaction = "green"\nstrength = 9\n'
        '[forces.pride]\nname = "The Long Company of the Seven Hills"\nfaction = "red"\nstrength = 9\n'
        '[[pending]]\nid = "ford"\nsides = ["fox", "bear"]\n'
        '[[pending]]\nid = "hill"\nsides = [["lion", "pride"], "bear"]\nstakes = "hill"\n'
    )
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    for battle, winner in (("ford", "fox"), ("hill", "lion")):
        losses = ("--losses", f"{winner}=0", "--losses", "bear=0")
        assert (
            sh("campaign", "override", battle, "--winner", winner, *losses, "--reason", "x", "-q").code == 0
        )
    assert sh("campaign", "turn", "-q").code == 0
    pages = []
    for change in ("lion.strength=8", "lion.faction=green"):
        assert sh("campaign", "set", change, "-q").code == 0
        said = sh("campaign", "report", "--turn", "1", "--for", "red", "--no-chances", "--format", "text")
        pages.append(said.out)
    assert pages[1] == pages[0]
    assert "Red takes Hill" in pages[0] and "in sight" not in pages[0]


def test_a_report_names_forces_that_were_removed(sh: Shell, tmp_path: Path) -> None:
    text = VALE.format(location="all", order="hold").partition("[orders]")[0]
    text = text.replace("[forces.bear]", "[forces.bear]\nname = 'The Seven Bears'\nplural = true")
    battle = '[[pending]]\nid = "ford"\nsides = ["lion", "bear"]\n'
    (tmp_path / "campaign.toml").write_text(text + battle, encoding="utf-8")
    losses = ("--losses", "lion=0", "--losses", "bear=0")
    for command in (
        ("override", "ford", "--winner", "bear", *losses, "--reason", "x"),
        ("move", "bear", "hill"), ("turn",),
    ):  # fmt: skip
        assert sh("campaign", *command, "-q").code == 0
    assert "the force The Seven Bears is no longer there" in sh("campaign", "remove", "bear").out
    for style in ("newspaper", "plain"):
        said = sh("campaign", "report", "--turn", "1", "--no-chances", "--style", style, "--format", "text")
        assert "Seven Bears beat Lion" in said.out
        assert "The Seven Bears march from Ford to Hill." in said.out
    assert other_events(span_from(tmp_path, 2, 2)) == ["The Seven Bears leave the field."]
    history = sh("campaign", "history").out
    assert "The Seven Bears won" in history and "The Seven Bears: location Ford -> Hill" in history
    assert "the force The Seven Bears is no longer there" in history
    assert "The Seven Bears won" in sh("campaign", "show").out


@pytest.mark.parametrize("is_moved_first", [False, True])
def test_a_force_that_the_umpire_raises_again_does_not_march(
    sh: Shell, tmp_path: Path, is_moved_first: bool
) -> None:
    """A faction that sees it arrive does not know whether it marched after it was raised."""
    text = VALE.format(location="rough", order="hold").replace(
        "[forces.bear]", "destroyed = true\n[forces.bear]"
    )
    (tmp_path / "campaign.toml").write_text(text.partition("[orders]")[0], encoding="utf-8")
    assert sh("campaign", "note", "The war began.", "-q").code == 0
    move, raised = ("set", "lion.location=ford"), ("set", "lion.destroyed=false")
    steps = (move, raised) if is_moved_first else (raised, move)
    for step in (("set", "lion.strength=7"), *steps, ("turn",), ("move", "lion", "hill")):
        assert sh("campaign", *step, "-q").code == 0

    def events(faction: str) -> list[str]:
        return sorted(other_events(span_from(tmp_path, 1, 1, faction)))

    again = "Lion is in the field again, with strength 7."  # how much it had before is no news
    assert events("red") == [again, "Lion is placed at Ford."]
    assert events("blue") == ["Lion appears at Ford.", "Lion is in the field again."]
    assert other_events(span_from(tmp_path, 2, 2, "red")) == ["Lion marches from Ford to Hill."]


def test_a_battle_without_a_story_does_not_repeat_its_heading() -> None:
    blocks = turn_report_page(span_from(MARCHES, 2, 2), "newspaper", {}, {}).blocks
    headline = next("".join(map(str, block.words)) for block in blocks if isinstance(block, Title))
    headings = [str(block.words) for block in blocks if isinstance(block, Section)]
    texts = [str(block.words) for block in blocks if isinstance(block, Paragraph)]
    assert headline == "Rhys Gethin and Earl of Stafford fight to a draw over Oswestry"
    assert headline not in headings and "The battle for Oswestry" in headings
    assert "Rhys Gethin loses about a sixth for good, Earl of Stafford about a quarter." in texts


def test_the_umpires_words_come_first_and_unchanged() -> None:
    page = turn_report_page(span_from(MARCHES, 4, 4), "newspaper", {}, {})
    texts = [str(getattr(block, "words", "")) for block in page.blocks]
    note = "9 July: rain since Sunday; the ford at Montford is shut, and the bridge has a toll."
    assert texts.index(note) == texts.index("From the umpire") + 1 == 4


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("style", STYLES)
def test_a_report_has_every_format_in_every_style(sh: Shell, style: str, form: str) -> None:
    report = ("report", "--turn", "1", "--style", style, "--for", "percy", "--no-chances", "--format", form)
    said = sh("campaign", "-C", str(MARCHES), *report)
    assert (said.code, said.err) == (0, "")
    told = said.out.replace("**", "").replace("[[", "").replace("]]", "")
    assert "Prince Henry" in told
    if form == "json":
        page = json.loads(said.out)
        assert (page["style"], page["from"], page["to"], len(page["lead"])) == (style, 1, 1, 3)
        assert all(battle["story"] for battle in page["battles"][:1])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ("--turn", "1", "--from", "2"),
            "--turn names one turn; leave out --turn, or leave out --from and --to",
        ),
        (("--from", "3", "--to", "2"), "--from 3 is after --to 2"),
        (("--turn", "9"), "turn 9: the campaign has turns 1 to 4"),
        (("--from", "9"), "--from 9 is after --to 4"),
        (("--style", "dispatch"), "--style dispatch needs --for crown, percy, glyndwr or douglas"),
        (("--style", "newspapr"), 'did you mean "newspaper"'),
    ],
)
def test_turns_and_styles_that_do_not_fit_are_refused(
    sh: Shell, options: tuple[str, ...], words: str
) -> None:
    said = sh("campaign", "-C", str(MARCHES), "report", *options)
    assert said.code in (2, 3) and words in said.err and not said.out


def test_a_dispatch_is_refused_plainly_in_a_campaign_without_factions(sh: Shell, tmp_path: Path) -> None:
    folder = str(tmp_path / "new")
    assert sh("campaign", "new", folder, "--empty").code == 0
    said = sh("campaign", "-C", folder, "report", "--style", "dispatch")
    assert said.code == 2 and "this campaign has none; leave it out" in said.err


def test_chances_are_counted_once_and_turning_points_named(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []

    def count_record(job: chance_cache.CountJob, progress: object = None) -> chance_cache.CountedBattle:
        counted.append(job.record)
        points = [CurvePoint(step, 0, step, [500, 500]) for step in (1, 2)]
        return chance_cache.CountedBattle(
            Curve(points, [TurningPoint(2, 0, 2, 0, 300, 700, "space 1, the reveal")], 128), [0.5, 0.5]
        )

    monkeypatch.setattr(chance_cache, "count_record", count_record)
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    monkeypatch.setattr(estimate, "WORTH_ANNOUNCING", 0.0)
    shutil.copytree(MARCHES, tmp_path / "war")
    report = ("campaign", "-C", "war", "report", "--turn", "1", "--style", "plain", "-j", "1")
    done = [sh(*report) for _ in range(2)]
    texts = [each.out for each in done]
    assert texts[0] == texts[1]
    assert ["seconds left; --no-chances" in each.err for each in done] == [True, False]
    turning = texts[0].partition("## Turning points\n\n- ")[2].partition("\n")[0]
    assert turning.endswith(": space 1, the reveal")
    assert sorted(counted) == sorted(set(counted)) and counted


@pytest.mark.slow
def test_the_chances_for_all_reports_of_a_turn_are_counted_together(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time left is printed once. Readers without a force in the battle share a count."""
    counted: list[str] = []

    def count_record(job: chance_cache.CountJob, progress: object = None) -> None:
        counted.append(f"{job.record} {job.reader}")

    monkeypatch.setattr(chance_cache, "count_record", count_record)
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    monkeypatch.setattr(estimate, "WORTH_ANNOUNCING", 0.0)
    monkeypatch.setattr(chance_cache, "in_order", lambda executor, run, jobs, workers: map(run, jobs))
    shutil.copytree(MARCHES, tmp_path / "war")
    said = sh("campaign", "-C", "war", "advance", "--fight", "--reports", "reports")
    assert said.code == 0 and len(list(Path("reports").iterdir())) == 5
    assert said.err.count("left; --no-chances") == 1
    assert len(counted) == len(set(counted)) == 9  # three battles of two sides, and the public


@pytest.mark.parametrize(
    ("folder", "first", "last", "style", "reader"),
    [
        (MARCHES, 3, 3, "newspaper", PUBLIC),
        (MARCHES, 1, 1, "dispatch", "percy"),
        (LEAGUE, 3, 4, "plain", UMPIRE),
    ],
)
def test_reports_of_the_samples(
    snapshot: SnapshotAssertion, folder: Path, first: int, last: int, style: str, reader: str | None
) -> None:
    """Without the stories, which have snapshots of their own."""
    points = [TurningPoint(3, 0, 0, 0, 300, 700, "space 1, the reveal")]
    span = span_from(folder, first, last, reader)
    news = {span.battles[0].revision: BattleNews("The story.", points)}
    assert plain_text(turn_report_page(span, style, news, {})) == snapshot


def test_every_page_names_a_turning_point_alike() -> None:
    """The analysis, the chronicle, the report and the site's chart have the same words for it."""
    turn = TurningPoint(4, 2, 4, 0, 300, 700, "space 1, first special")
    points = [CurvePoint(step, 0, step, [500, 500]) for step in (1, 4)]
    span = span_from(MARCHES, 1, 1)
    entry = span.battles[0]
    (chronicle, *_) = chronicle_turns(span.today, {entry.revision: [turn]})
    report = turn_report_page(span, "plain", {entry.revision: BattleNews("A story.", [turn])}, {})
    writer = BattleHtml(["York", "Lancaster"], "field-of-honour", Deck())
    pages = [
        turning_point_line(turn, ["York", "Lancaster"]),
        " ".join(chronicle.sentences),
        plain_text(report).replace("\n", " "),
        chances_html(Curve(points, [turn], 128), 4, writer)[0],
    ]
    assert all("space 1, first special" in page for page in pages)
    assert ["step 4" in page for page in pages] == [True, False, False, True]  # only where steps are shown


OPEN = """format = 1
name = "The valley"
turn = 3
seed = 5
rules = "field-of-honour"
[factions.king]
name = "The King"
[factions.towns]
name = "The Towns"
[forces.vanguard]
name = "The Vanguard"
faction = "king"
leader = "Sir Aldric Vane"
prisoner_of = "towns"
strength = 20
[forces.pikes]
name = "The Pikes"
faction = "towns"
strength = 20
[locations.ford]
owner = "king"
[locations.mill]
owner = "towns"
[locations.hill]
owner = "towns"
[[pending]]
id = "last"
sides = ["pikes", "vanguard"]
stakes = "ford"
"""


def test_a_report_ends_with_what_is_open_for_its_reader(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(OPEN, encoding="utf-8")

    def opened(reader: str) -> str:
        out = sh("campaign", "report", "--turn", "3", "--for", reader, "--no-chances").out
        return out.partition("## What is open\n\n")[2].partition("\n\n")[0]

    result = ("--winner", "pikes", "--losses", "vanguard=1/4", "--reason", "x")
    assert sh("campaign", "override", "last", *result).code == 0
    places = (
        "- The King has no place left, but the Vanguard is still in the field.\n"
        "- The Towns hold all three places."
    )
    assert opened("umpire") == f"- Sir Aldric Vane is a prisoner of the Towns.\n{places}"
    assert opened("public") == places  # without the commanders of forces
    free = "- To release or exchange a prisoner, write to the umpire."
    own = places.replace("The Towns hold", "We hold")
    assert opened("towns") == f"- Sir Aldric Vane is our prisoner.\n{free}\n{own}"
    assert sh("campaign", "set", "aftermath.exchange=true", "visibility.commander=all").code == 0
    exchanged = (
        "- Prisoners are exchanged one for one after the battles of a turn; to release one without an "
        "exchange, write to the umpire."
    )
    assert opened("towns") == f"- Sir Aldric Vane is our prisoner.\n{exchanged}\n{own}"
    assert exchanged not in opened("king") and "is a prisoner of the Towns" in opened("king")
    german = catalogue_of("de")
    assert all(german.text(line[2:]) != line[2:] for line in (free, exchanged))


@pytest.mark.slow
def test_the_last_report_of_a_war_has_no_price_and_no_exchange_of_prisoners(
    sh: Shell, tmp_path: Path
) -> None:
    war = OPEN.partition("[[pending]]")[0] + "[recruit]\ncost = 3\n"
    (tmp_path / "campaign.toml").write_text(war, encoding="utf-8")

    def report() -> str:
        return sh("campaign", "report", "--turn", "3", "--for", "towns", "--no-chances").out

    assert "a soldier costs 3" in report() and "write to the umpire" in report()
    sh("campaign", "set", "last_turn=3")
    sh("campaign", "advance", "-q")
    last = report()
    assert "The war is over" in last and "Sir Aldric Vane is our prisoner" in last
    assert "soldier" not in last and "write to the umpire" not in last


@pytest.mark.parametrize(
    ("winners", "sentence"),
    [
        ("p", "The Pikes have beaten the Vanguard before"),
        ("pv", "The Pikes and the Vanguard have beaten each other once"),
        ("vv", "The Vanguard has beaten the Pikes twice without a defeat"),
        ("pvp", "The Pikes lead the Vanguard by two victories to one"),
        ("-", ""),
    ],
)
@pytest.mark.parametrize("meet_next", [True, False])
def test_a_report_ends_with_how_two_forces_stand(
    sh: Shell, tmp_path: Path, winners: str, sentence: str, meet_next: bool
) -> None:
    """A single victory counts only if the two meet next."""
    fights = [f'[[pending]]\nid = "b{n}"\nsides = ["pikes", "vanguard"]\n' for n in range(len(winners))]
    last = '[[pending]]\nid = "last"\nsides = ["vanguard", "pikes"]\nstakes = "ford"\n' if meet_next else ""
    end = ", and they meet again next." if meet_next else "."
    expected = sentence and (meet_next or "before" not in sentence)
    head = OPEN.partition("[[pending]]")[0]
    (tmp_path / "campaign.toml").write_text(head + "".join(fights) + last, encoding="utf-8")
    for n, winner in enumerate(winners):
        won = {"p": ("--winner", "pikes"), "v": ("--winner", "vanguard"), "-": ()}[winner]
        result = (*won, "--losses", "vanguard=0", "--losses", "pikes=0", "--reason", "x")
        assert sh("campaign", "override", f"b{n}", *result).code == 0
    out = sh("campaign", "report", "--turn", "3", "--no-chances").out
    opened = out.partition("## What is open\n\n")[2].partition("\n\n")[0].splitlines()
    german = catalogue_of("de")
    assert all(german.text(line[2:]) != line[2:] for line in opened)
    assert [line for line in opened if "beaten" in line or "lead" in line] == (
        [f"- {sentence}{end}"] if expected else []
    )


def test_a_report_of_the_last_turn_stays_open_when_the_next_battles_are_added(
    sh: Shell, tmp_path: Path
) -> None:
    (tmp_path / "campaign.toml").write_text(OPEN, encoding="utf-8")
    result = ("--winner", "pikes", "--losses", "vanguard=1/4", "--reason", "x")
    assert sh("campaign", "override", "last", *result).code == 0
    assert sh("campaign", "turn").code == 0
    assert sh("campaign", "add", "battle", "more", "--side", "pikes", "--side", "vanguard").code == 0
    report = ("campaign", "report", "--turn", "3", "--no-chances")
    out = sh(*report).out
    assert "## What is open\n\n- The King has no place left" in out and "The Towns lead with" in out
    assert sh("campaign", "adjust", "factions.king.points=9", "--reason", "x").code == 0
    out = sh(*report).out
    assert "What is open" not in out and "At the end of turn 3, the Towns led with" in out


def test_the_lead_names_both_of_two_pending_battles(sh: Shell, tmp_path: Path) -> None:
    other = '[[pending]]\nid = "other"\nsides = ["vanguard", "pikes"]\nplace = "hill"\n'
    (tmp_path / "campaign.toml").write_text(OPEN + other, encoding="utf-8")
    out = sh("campaign", "report", "--turn", "3", "--no-odds").out
    assert "Next, the Pikes meet the Vanguard for Ford; the Vanguard meets the Pikes at Hill." in out
    assert "| place | owner |\n" in out  # without values, which are all 0


@pytest.mark.parametrize(
    ("style", "reader"), [("newspaper", PUBLIC), ("plain", PUBLIC), ("dispatch", "percy")]
)
def test_only_the_heading_of_a_dispatch_gives_the_outcome_of_a_story_away(
    style: str, reader: str | None
) -> None:
    span = span_from(MARCHES, 3, 3, reader)
    news = {entry.revision: BattleNews("The story.") for entry in span.battles}
    blocks = turn_report_page(span, style, news, {}).blocks
    headings = [str(block.words) for block in blocks if isinstance(block, Section)]
    assert ("The Cheshire archers take Chester from the Crown" in headings) == (style == "dispatch")
    assert ("The second battle for Chester" in headings) == (style == "newspaper")
    assert ("The battle for Carmarthen" in headings) == (style == "newspaper")


def test_the_headings_count_the_battles_for_a_place_or_on_a_road(sh: Shell, tmp_path: Path) -> None:
    head = OPEN.partition("[[pending]]")[0] + '[[road]]\nbetween = ["ford", "hill"]\n'
    battle = '[[pending]]\nid = "b{}"\nsides = ["pikes", "vanguard"]\n{}\n'
    where = ['road = ["ford", "hill"]', 'stakes = "ford"'] * 2
    battles = "".join(battle.format(n, line) for n, line in enumerate(where))
    (tmp_path / "campaign.toml").write_text(head + battles, encoding="utf-8")
    for n in range(len(where)):
        result = ("--winner", "pikes", "--losses", "vanguard=0", "--reason", "x")
        assert sh("campaign", "override", f"b{n}", *result).code == 0
    span = span_from(tmp_path, 3, 3, None)
    news = {entry.revision: BattleNews("The story.") for entry in span.battles}
    blocks = turn_report_page(span, "newspaper", news, {}).blocks
    headings = [str(block.words) for block in blocks if isinstance(block, Section)]
    expected = [
        "The battle on the road from Ford to Hill", "The battle for Ford",
        "The second battle on the road from Ford to Hill", "The second battle for Ford",
    ]  # fmt: skip
    assert [heading for heading in headings if " battle " in heading] == expected
    german = catalogue_of("de")
    assert all(german.text(heading) != heading for heading in expected)


def test_a_report_says_what_own_forces_lost_and_where_all_are_after_a_battle_on_a_road(
    sh: Shell, tmp_path: Path
) -> None:
    """The losses by force are in the dispatch of their own faction, if the battle has no record."""
    head = OPEN.partition("[[pending]]")[0] + '[[road]]\nbetween = ["ford", "hill"]\n'
    head += '[attrition]\nrate = "1/2"\n'
    battle = '[[pending]]\nid = "b"\nsides = ["pikes", "vanguard"]\nroad = ["ford", "hill"]\n'
    (tmp_path / "campaign.toml").write_text(head + battle, encoding="utf-8")
    for place, force in (("ford", "pikes"), ("hill", "vanguard")):
        assert sh("campaign", "move", force, place).code in (0, 3)
    result = ("--winner", "pikes", "--losses", "vanguard=1/2", "--reason", "x")
    assert sh("campaign", "override", "b", *result).code == 0
    texts = {
        reader: sh("campaign", "report", "--turn", "3", "--no-chances", "--for", reader).out
        for reader in ("king", "towns", "public")
    }
    for reader, text in texts.items():
        line = " ".join(text.split())
        assert ("Vanguard loses" in line) == (reader == "king"), line
        assert "After the battle, the Pikes are at Ford." in line
        assert "After the battle, the Vanguard is at Hill." in line


def test_a_report_says_if_a_last_place_is_at_stake_next(sh: Shell, tmp_path: Path) -> None:
    lost = '[[pending]]\nid = "first"\nsides = ["pikes", "vanguard"]\nstakes = "mill"\n'
    owned = OPEN.replace('[locations.mill]\nowner = "towns"', '[locations.mill]\nowner = "king"')
    (tmp_path / "campaign.toml").write_text(owned + lost, encoding="utf-8")
    result = ("--winner", "pikes", "--losses", "vanguard=0", "--reason", "x")
    assert sh("campaign", "override", "first", *result).code == 0
    out = sh("campaign", "report", "--turn", "3", "--no-chances").out
    assert "- The King has only Ford left, which is at stake next.\n" in out


def test_a_report_says_if_all_places_of_a_faction_are_at_stake_next(sh: Shell, tmp_path: Path) -> None:
    both = '[[pending]]\nid = "more"\nsides = ["pikes", "vanguard"]\nstakes = "mill"\n'
    more = '[locations.moor]\nowner = "king"\n'
    first = '[[pending]]\nid = "first"\nsides = ["pikes", "vanguard"]\nstakes = "moor"\n'
    owned = OPEN.replace('[locations.mill]\nowner = "towns"', '[locations.mill]\nowner = "king"')
    (tmp_path / "campaign.toml").write_text(owned + both + more + first, encoding="utf-8")
    result = ("--winner", "pikes", "--losses", "vanguard=0", "--reason", "x")
    assert sh("campaign", "override", "first", *result).code == 0
    out = " ".join(sh("campaign", "report", "--turn", "3", "--no-chances").out.split())
    assert "- The King has two places, and both are at stake next." in out


CUT_OFF = """\
format = 1
name = "War"
turn = 1
seed = 5
[supply]
range = 3
out_of_supply = "1/10"
[map]
roads = [["camp", "ford"], ["ford", "hill"]]
[factions.red]
[factions.blue]
[locations.camp]
owner = "red"
supply = true
[locations.ford]
owner = "blue"
supply = true
[locations.hill]
[forces.horse]
name = "The Red Horse"
faction = "red"
strength = 20
location = "hill"
[forces.foot]
faction = "red"
strength = 20
location = "hill"
[forces.guard]
faction = "blue"
strength = 20
location = "ford"
"""


def test_a_report_says_what_cuts_off_supply_as_far_as_its_reader_knows(sh: Shell, tmp_path: Path) -> None:
    def news(reader: str) -> str:
        return sh("campaign", "report", "--turn", "1", "--for", reader, "--no-chances").out

    (tmp_path / "campaign.toml").write_text(CUT_OFF, encoding="utf-8")
    assert sh("campaign", "advance", "--quiet").code == 0
    sentence = "- Guard cuts off the supply of the Red Horse and Foot at Ford.\n"
    assert sentence in news("red") and sentence in news("umpire")
    assert "cuts off" not in news("blue") + news("public")
    assert sh("campaign", "set", "visibility.strength=all", "--quiet").code == 0
    enemy = news("blue")
    assert "without supplies" in enemy and "cuts off" not in enemy
    assert sh("campaign", "set", "visibility.location=own", "--quiet").code == 0
    assert "Foot loses 2 without supplies" in news("red") and "cuts off" not in news("red")


def test_a_turn_that_has_only_begun_does_not_count_in_the_title(sh: Shell, tmp_path: Path) -> None:
    def report(*words: str) -> str:
        return sh("campaign", "report", *words, "--for", "umpire", "--style", "plain", "--no-chances").out

    (tmp_path / "campaign.toml").write_text(CUT_OFF, encoding="utf-8")
    for _ in range(2):
        assert sh("campaign", "advance", "--quiet").code == 0
    assert sh("campaign", "note", "Red has won.", "--quiet").code == 0
    chronicle = report("--from", "1")
    assert chronicle.startswith("# War: Turns 1 to 2\n")
    assert "## After turn 2\n\n### Notes\n\nRed has won.\n" in chronicle
    assert report("--from", "2").startswith("# War: Turn 2\n")
    assert report("--turn", "3").startswith("# War: Turn 3\n")
    assert sh("campaign", "adjust", "forces.foot.strength=30", "--reason", "x", "--quiet").code == 0
    assert report("--from", "1").startswith("# War: Turns 1 to 3\n")


@pytest.mark.slow
def test_a_player_reads_how_much_a_battle_with_a_record_cost_for_good(sh: Shell) -> None:
    seed = "seven swans on the river below the old fort at daybreak"
    assert sh("campaign", "new", "war", "--seed", seed).code == 0
    for command in ("fight", "turn"):
        assert sh("campaign", "-C", "war", command).code == 0
    for reader, is_told in (("red", True), ("blue", False), ("public", False)):
        told = sh("campaign", "-C", "war", "report", "--turn", "1", "--for", reader, "--no-chances").out
        assert ("Red vanguard loses 1, and has 11 left." in told) == is_told

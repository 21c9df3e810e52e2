"""The chronicle of a campaign: readable prose, turn by turn, with events only."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.campaign.ledger import operations, umpire_changes, undo
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import chance_cache
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.show.pages.campaign.dashboard import campaign_page
from cardbattle.show.pages.campaign.history import meeting_words, name_today
from cardbattle.show.pages.campaign.reports.change_sentences import road_sentences
from cardbattle.show.pages.campaign.reports.chronicle import REASON_FOR_ALL, chronicle_turns, event_sentences
from cardbattle.show.writers.markdown import to_markdown
from cardbattle.simulation.turning_points import TurningPoint
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.frontier import edit, extents, frontier
from tests.support.marches import decided

PLAYED = sorted(path.parent.name for path in (ROOT / "campaigns").glob("*/history.toml"))


def told(folder: str, reader: str | None = UMPIRE) -> dict[str, list[str]]:
    """Return the chronicle of a campaign by the titles of its turns."""
    known = visible_to(store.load(folder).campaign, store.load_ledger(folder), reader)
    return {turn.title: turn.sentences for turn in chronicle_turns(known, {})}


def do(folder: str, *steps: Callable[[CampaignFile], Operation]) -> None:
    """Record what an umpire does, one thing after the other."""
    for step in steps:
        with store.open_for_writing(folder) as desk:
            desk.commit([step(desk.books)])


def decide(folder: str, battle: str, *winners: str, **losses: str) -> None:
    """Record a battle of which only the result is known."""
    with store.open_for_writing(folder) as desk:
        plan = operations.plan_import(desk.books, desk.ledger, [decided(battle, *winners, **losses)])
        desk.commit(plan.operations)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Return the folder of a campaign in which nothing has happened."""
    return frontier(tmp_path)


@pytest.mark.parametrize(
    ("winners", "losses", "words"),
    [
        (
            ["ash"],
            ("0", "2/5"),
            "Lord Ash holds Ford against Cedar, who loses a little more than a fifth for good.",
        ),
        (
            ["cedar"],
            ("1/2", "0"),
            "Cedar takes Ford from the North; Lord Ash loses about three tenths for good.",
        ),
        (
            ["cedar"],
            ("1", "1/99"),
            "Cedar takes Ford from the North; Lord Ash loses half for good, Cedar nothing.",
        ),
        (["ash"], ("0", "1/99"), "Lord Ash holds Ford against Cedar; nothing is lost for good."),
        (
            [],
            ("1/4", "1/4"),
            "Lord Ash and Cedar fight to a draw over Ford; Lord Ash loses a seventh for good, Cedar a ninth.",
        ),
        ([], ("0", "0"), "Lord Ash and Cedar fight to a draw over Ford."),
        (["ash", "cedar"], ("0", "0"), "Lord Ash and Cedar fight to a draw over Ford."),
    ],
)
def test_a_battle_is_a_sentence(folder: str, winners: list[str], losses: tuple[str, str], words: str) -> None:
    """Half of all losses in battle are lost for good, rounded to whole strengths."""
    decide(folder, "ford", *winners, ash=losses[0], cedar=losses[1])
    [[battle]] = told(folder).values()
    assert battle.removesuffix(" Lord Ash is destroyed.") == words


@pytest.mark.parametrize(("strength", "words"), [(10, "a tenth"), (4, "a quarter"), (30, "a tenth")])
def test_the_share_of_a_loss_is_that_of_the_recorded_strengths(
    folder: str, strength: int, words: str
) -> None:
    """Rounding to whole strengths turns a loss of an eighth or less into another share."""
    do(folder, lambda books: operations.adjust(books, "forces.ash.strength", str(strength)))
    decide(folder, "ford", "cedar", ash="1/4" if strength < 20 else "1/5", cedar="0")
    [[*_, battle]] = told(folder).values()
    assert battle.endswith(f"; Lord Ash loses {words} for good.")


@pytest.mark.parametrize(
    ("reader", "words"),
    [
        (UMPIRE, "Lord Ash loses nothing for good, Cedar a third"),
        ("north", "Lord Ash loses nothing for good, Cedar about three tenths"),
        ("south", "Lord Ash loses about a twentieth for good, Cedar a third"),
        ("east", "Lord Ash loses about a twentieth for good, Cedar about three tenths"),
    ],
)
def test_who_knows_that_a_strength_is_unchanged_reads_that_nothing_was_lost(
    tmp_path: Path, reader: str, words: str
) -> None:
    folder = frontier(tmp_path, extents("rough", "all", "all", "all"))
    decide(folder, "ford", "cedar", ash="1/16", cedar="3/5")
    do(folder, lambda books: operations.adjust(books, "forces.ash.strength", "3"))
    battle, *_ = next(iter(told(folder, reader).values()))
    assert battle == f"Cedar takes Ford from the North; {words}."


@pytest.mark.parametrize("losses", ["1/5", "2/5", "3/5", "4/5"])
def test_a_reader_who_estimates_a_loss_reads_that_it_is_about_so_much(tmp_path: Path, losses: str) -> None:
    """The reports of two readers can name different shares, but only one of them as exact."""
    folder = frontier(tmp_path, extents("rough", "all", "all", "all"))
    decide(folder, "ford", "cedar", ash=losses, cedar=losses)
    exact, *others = (shares_in(told(folder, reader)["Turn 2"][0]) for reader in (UMPIRE, "north", "south"))
    for shares in others:
        different = [share for share, known in zip(shares, exact, strict=True) if share != known]
        assert all(share.startswith("about ") for share in different)


def shares_in(sentence: str) -> list[str]:
    """Return the share that each of the two sides lost."""
    shares = re.findall(r"(?:loses|Cedar) ((?!takes)[^,.]+?)(?: for good)?(?=[,.])", sentence)
    return shares * 2 if "each loses" in sentence else shares


def test_a_force_without_losses_counts_in_the_losses_of_its_side(folder: str) -> None:
    """Lord Ash goes from 14 to 13, and Birch stays at 6."""
    edit(folder, ('sides = ["ash", "cedar"]', 'sides = [["ash", "birch"], "cedar"]'))
    decide(folder, "ford", "ash", ash="2/13", cedar="0")
    [[battle]] = told(folder).values()
    assert (
        battle == "Lord Ash and Birch hold Ford against Cedar; Lord Ash and Birch lose a twentieth for good."
    )


def test_who_takes_over_a_force_does_not_learn_that_it_lost_nothing_before(tmp_path: Path) -> None:
    folder = frontier(tmp_path, extents("own", "all", "all", "all"))
    decide(folder, "ford", "cedar", ash="1/16", cedar="0")
    do(folder, lambda books: operations.adjust(books, "forces.ash.faction", "east"))
    battles = {reader: told(folder, reader)["Turn 2"][0] for reader in ("north", "east", UMPIRE)}
    assert battles == {
        "north": "Cedar takes Ford from the North; Lord Ash loses about a twentieth for good.",
        "east": "Cedar takes Ford from the North; Lord Ash loses about a twentieth for good.",
        UMPIRE: "Cedar takes Ford from the North; nothing is lost for good.",
    }


def test_a_faction_is_a_thing_and_not_a_person(folder: str) -> None:
    file = Path(folder, store.NAME)
    named = '[forces.cedar]\nname = "The South"'
    file.write_text(file.read_text(encoding="utf-8").replace("[forces.cedar]", named), encoding="utf-8")
    decide(folder, "ford", "ash", ash="0", cedar="2/5")
    [[battle]] = told(folder).values()
    assert battle == "Lord Ash holds Ford against the South, which loses a little more than a fifth for good."


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (["ash", "cedar"], "Lord Ash meets Cedar at Ford"),
        ([["ash", "birch"], "cedar"], "Lord Ash and Birch meet Cedar at Ford"),
        ([["ash", "birch"], "cedar", "elder"],
         "Three sides meet at Ford: Lord Ash and Birch against Cedar against Elder"),
        (["ash", "cedar", "elder"], "Lord Ash meets Cedar and Elder at Ford"),
    ],
)  # fmt: skip
def test_a_contact_says_who_is_with_whom(folder: str, sides: list[object], words: str) -> None:
    campaign = store.load(folder).campaign
    sentence = meeting_words(campaign, {"sides": sides, "place": "ford"}, name_today)
    assert re.sub(r" \(.*\)", "", sentence) == words


def test_a_changed_road_is_a_sentence_without_keys(folder: str) -> None:
    campaign = store.load(folder).campaign
    roads = [{"between": ["ford", "mill"], "length": 2}, {"between": ["ford", "keep"]}]
    now = [{"between": ["ford", "mill"]}, {"between": ["mill", "keep"], "length": 3}]
    assert [*road_sentences(campaign, Change(("road",), roads, now))] == [
        "the road between Ford and Mill now takes 1 step instead of 2",
        "the road between Ford and Keep is gone",
        "a new road of 3 steps joins Mill and Keep",
    ]


def test_a_side_that_is_destroyed_does_not_lose_a_part(folder: str) -> None:
    """Half of its strength would be left by the rate, but less than a force needs."""
    do(folder, lambda books: operations.adjust(books, "forces.ash.strength", "1"))
    decide(folder, "ford", "cedar", ash="1", cedar="0")
    [[*_, battle]] = told(folder).values()
    assert battle == "Cedar takes Ford from the North. Lord Ash is destroyed."


def test_without_stakes_one_beats_or_routs_the_other(folder: str) -> None:
    text = Path(folder, store.NAME).read_text(encoding="utf-8").replace('stakes = "ford"\n', "")
    Path(folder, store.NAME).write_text(text, encoding="utf-8")
    decide(folder, "ford", "ash", ash="0", cedar="3/5")
    decide(folder, "tower", "elder", dogwood="3/5", elder="1/5")
    [[first, second]] = told(folder).values()
    assert first == "Lord Ash routs Cedar, who loses a third for good."
    losses = "Dogwood loses a little more than a quarter for good, Elder about a tenth"
    assert second == f"Elder takes Tower from the South; {losses}."


@pytest.mark.parametrize(
    ("decliner", "words"),
    [
        ("cedar", "Cedar declines battle; Lord Ash holds Ford."),
        ("ash", "Lord Ash declines battle; Cedar takes Ford from the North."),
    ],
)
def test_a_declined_battle_names_who_holds_or_takes_the_place(folder: str, decliner: str, words: str) -> None:
    do(folder, lambda books: operations.decline_battle(books.campaign, "ford", [decliner]))
    assert told(folder) == {"Turn 2": [words]}
    visible = visible_to(store.load(folder).campaign, store.load_ledger(folder), UMPIRE)
    assert f"declined by {words.partition(' declines')[0]}" in to_markdown(campaign_page(visible, {}, {}))


@pytest.mark.slow
def test_what_an_umpire_does_is_told_in_sentences(folder: str) -> None:
    do(
        folder,
        lambda books: umpire_changes.move_forces(books, ["ash", "birch"], "mill"),
        lambda books: operations.adjust(books, "forces.cedar.strength", "11", "levies"),
        lambda books: operations.adjust(books, "forces.cedar.strength", "10"),
        lambda books: operations.adjust(books, "factions.east.points", "1"),
        lambda books: operations.adjust(books, "locations.keep.owner", "east"),
        lambda books: operations.adjust(books, "forces.elder.faction", "north"),
        lambda books: operations.adjust(books, "forces.elder.destroyed", "true"),
        lambda books: operations.adjust(books, "forces.cedar.commander", "veteran"),
        lambda books: operations.adjust(books, "forces.cedar.name", "Old Cedar"),
        lambda books: umpire_changes.add_thing(
            books, "forces", "fir", {"name": "The Firs", "faction": "east", "strength": 4, "location": "keep"}
        ),
        lambda books: operations.adjust(books, "forces.fir.plural", "false"),
        lambda books: umpire_changes.add_thing(books, "factions", "west", {"name": "The West"}),
        lambda books: umpire_changes.rename_key(books, "fir", "firs"),
        lambda books: umpire_changes.write_note(books, "The bridge is down.", 1, "8 July"),
        lambda books: umpire_changes.next_turn(books, name="The long week"),
    )
    do(folder, lambda books: umpire_changes.write_note(books, "Snow."))
    assert told(folder) == {
        "Turn 1": ["8 July: The bridge is down."],
        "Turn 2": [
            "Lord Ash marches from Ford to Mill.",
            "Birch marches from Keep to Mill.",
            "Old Cedar is reinforced by 2, to 11 (levies).",
            "Old Cedar is reduced by 1, to 10.",
            "The East gains 1 point.",
            "Keep passes from the North to the East.",
            "Elder goes over to the North.",
            "Elder is destroyed.",
            "A veteran commander takes over Old Cedar.",
            "Cedar is now called Old Cedar.",
            "The Firs takes the field for the East, 4 strong, at Keep.",
            "The West enters the war.",
        ],
        "Turn 3: The long week": ["Snow."],
    }
    assert told(folder, None)["Turn 2"] == [
        "Lord Ash marches from Ford to Mill.",
        "Birch marches from Keep to Mill.",
        "The East gains 1 point.",
        "Keep passes from the North to the East.",
        "Elder goes over to the North.",
        "Elder is destroyed.",
        "Cedar is now called Old Cedar.",
        "The Firs takes the field for the East, at Keep.",
        "The West enters the war.",
    ]


def test_a_turn_has_the_name_it_was_given_last_and_a_reason_says_what_it_is_of(folder: str) -> None:
    do(
        folder,
        lambda books: umpire_changes.next_turn(books, name="Teh mud"),
        lambda books: operations.adjust(books, "turn_name", "The mud", "a slip"),
        lambda books: umpire_changes.write_note(books, "Rain."),
        lambda books: umpire_changes.next_turn(books, "The roads are dry.", "Dust"),
        lambda books: operations.adjust(books, "turn_name", "Dust and flies"),
        lambda books: operations.adjust(books, "turn", "5", "the harvest is in"),
    )
    assert told(folder) == {
        "Turn 3: The mud": ["The turn is called The mud (a slip).", "Rain."],
        "Turn 4: Dust and flies": ["The roads are dry."],
        "Turn 5: Dust and flies": ["It is now turn 5 (the harvest is in)."],
    }


def test_a_reason_that_is_a_sentence_stands_behind_the_event(folder: str) -> None:
    do(
        folder,
        lambda books: operations.adjust(books, "turn", "5", "The harvest is in."),
        lambda books: operations.adjust(books, "forces.cedar.destroyed", "true", "Unpaid, they go home!"),
    )
    assert told(folder)["Turn 5"] == [
        "It is now turn 5. The harvest is in.",
        "Cedar is destroyed. Unpaid, they go home!",
    ]


def test_what_was_taken_back_never_happened(folder: str) -> None:
    do(folder, lambda books: operations.adjust(books, "factions.east.points", "1"))
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.undo(desk.books, desk.ledger)])
    assert told(folder) == {}
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.redo(desk.books, desk.ledger)])
    assert told(folder) == {"Turn 2": ["The East gains 1 point."]}


def test_the_turning_points_of_a_battle_follow_its_result() -> None:
    folder = str(ROOT / "campaigns" / "the-marches-1403")
    known = visible_to(store.load(folder).campaign, store.load_ledger(folder), UMPIRE)
    revision = next(entry.revision for entry in known.entries if entry.id == "t1-malpas")
    turns = [TurningPoint(step, 0, 0, 1, 500, 700, words) for step, words in ((3, "space 1"), (9, ""))]
    (first, *_) = chronicle_turns(known, {revision: turns})
    (sentence,) = [sentence for sentence in first.sentences if "Turning" in sentence]
    assert sentence.endswith(" Turning points: space 1; step 9.")
    (first, *_) = chronicle_turns(known, {revision: turns[:1]})
    assert any(sentence.endswith(" Turning point: space 1.") for sentence in first.sentences)


@pytest.mark.parametrize("reader", ["public", "umpire"])
@pytest.mark.parametrize("name", PLAYED)
def test_the_samples_reports_are_a_good_read(
    sh: Shell, snapshot: SnapshotAssertion, name: str, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chance_cache, "NAME", "no-cache")  # cached chances change stories
    said = sh("campaign", "-C", str(ROOT / "campaigns" / name), "report", "--for", reader, "--format", "text")
    assert (said.code, said.err) == (0, "")
    assert "->" not in said.out[said.out.index("\nTurn 1") :]
    assert said.out == snapshot


def test_the_chronicle_does_not_count_the_reports_of_the_sides(folder: str) -> None:
    visible = visible_to(store.load(folder).campaign, store.load_ledger(folder), UMPIRE)
    assert event_sentences(visible, Entry(1, "report", [Change(("reported",), None, [{"id": "ford"}])])) == []


def test_the_reason_for_several_changes_is_about_all_of_them(folder: str) -> None:
    visible = visible_to(store.load(folder).campaign, store.load_ledger(folder), UMPIRE)
    changes = [Change(("factions", key, "points"), 0, 3) for key in ("east", "north")]
    entry = Entry(1, "adjust", changes, reason="The places are counted")
    gains = ["The East gains 3 points.", "The North gains 3 points."]
    assert event_sentences(visible, entry) == [*gains, f"{REASON_FOR_ALL} The places are counted."]
    assert event_sentences(visible, entry._replace(reason="Ouch!"))[-1] == f"{REASON_FOR_ALL} Ouch!"
    one = entry._replace(changes=changes[:1])
    assert event_sentences(visible, one) == ["The East gains 3 points (The places are counted)."]

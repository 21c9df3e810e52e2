"""A story in its campaign: place, date, holder, the umpire's words, the cost in its numbers."""

from __future__ import annotations

import itertools
import json
import random
import re
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from pathlib import Path
from types import FrameType

import pytest

from cardbattle.battles.records.replay import refight
from cardbattle.campaign.ledger import history
from cardbattle.campaign.ledger.ledger import (
    LEDGER_HEADING,
    Entry,
    Ledger,
    entry_text,
    scan_ledger,
    with_hash,
)
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import read_campaign
from cardbattle.campaign.storage import store
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, visible_to
from cardbattle.core.chance import stream
from cardbattle.core.grammar import Noun, together
from cardbattle.core.telling import Fact, FactValue, Name, conditions, winners_to_name
from cardbattle.rules import NotInstalled
from cardbattle.show.stories.battle_context import BattleInCampaign, name_inside
from cardbattle.show.stories.battle_in_war import BattleInWar
from cardbattle.show.stories.battle_story import CampaignStories
from cardbattle.show.stories.known_past import KnownPast
from cardbattle.simulation.turning_points import Curve, CurvePoint
from cardbattle.story.language import language, phrases_of
from cardbattle.story.losses import losses_fact, rough_losses
from cardbattle.story.naming import Joint, leader_names, side_names
from cardbattle.story.stakes import UPHILL, Stakes, held, introducing, opened, remembered
from cardbattle.story.story import names_in_context
from cardbattle.story.teller import Teller
from tests.benchmarks import site
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.frontier import extents, frontier
from tests.support.marches import decided, record

CAMPAIGN = """format = 1
name = "The hills"
turn = 3
turn_name = "The week of the fair"
seed = 11
rules = "field-of-honour"
[attrition]
rate = "1"
winner_rate = "1"
[visibility]
strength = "own"
[factions.north]
[factions.south]
[forces.percy]
name = "Harry Percy"
faction = "north"
strength = 40
[forces.garrison]
name = "The garrison of Chester"
faction = "south"
strength = 20
[locations.chester]
name = "Chester"
owner = "south"
[[pending]]
id = "gate"
sides = ["percy", "garrison"]
stakes = "chester"
note = "{note}"
"""


def story_for(folder: Path, reader: str | None) -> str:
    books, ledger = store.load(str(folder)), store.load_ledger(str(folder))
    visible = visible_to(books.campaign, ledger, reader)
    (revision, record), *_ = visible.logs(str(folder)).items()
    report = visible.view_of(revision, record).report(refight(record))
    return CampaignStories(visible).story(revision, report).text


@pytest.fixture
def folder(sh: Shell, tmp_path: Path) -> Path:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="They came at dawn."), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    return tmp_path


def test_a_story_begins_with_place_and_date_and_the_umpires_words(sh: Shell, folder: Path) -> None:
    sentences = story_for(folder, UMPIRE).split(". ")
    assert sentences[0] == "Chester, the week of the fair"
    assert "garrison of Chester" in sentences[1]  # which holds the place
    assert sentences[2] == "They came at dawn"


def test_forces_of_one_side_have_the_conjunction_of_the_language_between_them(
    sh: Shell, tmp_path: Path
) -> None:
    pikes = '[forces.pikes]\nname = "Town Pikes"\nfaction = "north"\nstrength = 9\n[locations.chester]'
    text = CAMPAIGN.replace("[locations.chester]", pikes).replace('["percy",', '[["percy", "pikes"],')
    (tmp_path / "campaign.toml").write_text(text.format(note=""), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    german = sh("campaign", "story", "gate", "--lang", "de").out
    assert "(Harry Percy und Town Pikes)" in " ".join(german.split())


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "The Hunters and the Guard, and the Duke met."),
        ("de", "The Hunters und the Guard sowie the Duke trafen sich."),
    ],
)
def test_a_side_of_several_forces_is_set_apart_from_the_other_side(code: str, text: str) -> None:
    words = language(code)
    parts = [Noun("the Hunters", plural=True), Noun("the Guard", plural=False)]
    sides = side_names([Joint(words.listed(parts), parts), "The Duke"], (), words)
    phrases = {"en": "{side.nom} and {rival} met.", "de": "{side.nom} und {rival} trafen sich."}
    teller = Teller(words, {"fact": [phrases[code]]}, sides, stream(0, "story"))
    assert teller.tell(Fact("fact", {"side": Name(0), "rival": Name(1)}))
    assert teller.sentences[0].text == text


def test_an_and_in_brackets_sets_no_name_apart() -> None:
    words = language("en")
    names = [Noun("The Salt League (the Hunters and the Guard)"), "The Duke", "York"]
    teller = Teller(words, {}, side_names(names, (), words), stream(0, "story"))
    fields: dict[str, FactValue] = {
        "side": Name(0), "rival": Name(1), "sides": [Name(1), Name(2), Name(0)],
    }  # fmt: skip
    phrases = ["{side.nom} and {rival} met.", "{sides} met."]
    assert [teller.fill(phrase, fields).text for phrase in phrases] == [
        "The Salt League (the Hunters and the Guard) and the Duke met.",
        "The Duke, York and the Salt League (the Hunters and the Guard) met.",
    ]
    assert together([names[1], names[0]]) == "The Duke and The Salt League (the Hunters and the Guard)"


def test_a_german_verb_agrees_with_the_plural_name_of_a_faction(sh: Shell, tmp_path: Path) -> None:
    text = CAMPAIGN.replace("[factions.south]", '[factions.south]\nname = "Die Städte"\nplural = true')
    (tmp_path / "campaign.toml").write_text(text.format(note=""), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    story = " ".join(sh("campaign", "story", "gate", "--lang", "de").out.split())
    assert "Die Städte behielten den letzten Ort" in story


def test_a_german_phrase_has_the_name_of_a_place_in_any_case() -> None:
    words = language("de")
    sides = side_names(["Der Graf", "Die Garde"], (), words)
    phrase = "{place} {place:war|waren} frei; {side} {side:kam|kamen} zu {place.dat} und {side:nahm|nahmen} "
    phrase += "{place.acc}."
    texts = []
    for place in (name_inside(Noun("Die Berge", plural=True)), name_inside(Noun("Der Turm", plural=False))):
        teller = Teller(words, {"fact": [phrase]}, sides, stream(0, "story"))
        assert teller.tell(Fact("fact", {"side": Name(0), "place": place}))
        texts.append(teller.sentences[0].text)
    assert texts == [
        "Die Berge waren frei; der Graf kam zu den Bergen und nahm die Berge.",
        "Der Turm war frei; der Graf kam zum Turm und nahm den Turm.",
    ]


def test_each_force_of_a_german_side_has_its_article_in_the_right_case() -> None:
    words = language("de")
    parts = [Noun("Die Hügeljäger", plural=True), Noun("Die Garnison", plural=False)]
    sides = side_names([Joint("die Hügeljäger und die Garnison", parts), "Der Herzog"], (), words)
    sides, _ = leader_names(sides, ["Ulrich", ""], words)
    forms = []
    for form in ("", ".acc", ".dat"):
        phrases = {"fact": [f"Hier {{side{form}}}, dort {{rival{form}}}."]}
        teller = Teller(words, phrases, sides, stream(0, "story"))
        assert teller.tell(Fact("fact", {"side": Name(0), "rival": Name(1)}))
        forms.append(teller.sentences[0].text)
    assert forms == [
        "Hier die Hügeljäger und die Garnison unter Ulrich, dort der Herzog.",
        "Hier die Hügeljäger und die Garnison unter Ulrich, dort den Herzog.",
        "Hier den Hügeljägern und der Garnison unter Ulrich, dort dem Herzog.",
    ]


def test_the_umpires_story_ends_with_the_cost_in_the_campaigns_numbers(sh: Shell, folder: Path) -> None:
    forces = store.load(str(folder)).campaign.forces
    number = language("en").number
    lost = {
        number(40 - forces["percy"].strength): "forty",
        number(20 - forces["garrison"].strength): "twenty",
    }
    ending = story_for(folder, UMPIRE).casefold()[-250:]
    assert any(word != "none" for word in lost)
    assert all(word in ending and of in ending for word, of in lost.items() if word != "none")


def test_a_player_reads_no_strength_that_is_hidden(sh: Shell, folder: Path) -> None:
    for reader in (PUBLIC, "north"):
        text = story_for(folder, reader).casefold()
        assert (
            "of twenty" not in text
            and "outnumbered" not in text
            and "greater strength" not in text
            and " forty" not in text
        )


ALIKE = """format = 1
seed = 1
name = "The ford"
turn = 1
rules = "field-of-honour"
[attrition]
rate = "1/2"
[visibility]
strength = "rough"
[factions.north]
[factions.south]
[forces.lamps]
faction = "north"
strength = 8
[forces.spears]
faction = "south"
strength = 9
[[pending]]
id = "ford"
sides = ["lamps", "spears"]
"""


@pytest.mark.parametrize(
    ("reader", "losses"),
    [("north", [Fraction(1, 4), None]), ("south", [None, Fraction(2, 9)]), (PUBLIC, [Fraction(1, 5)] * 2)],
)
def test_a_reader_who_knows_the_losses_of_one_side_reads_of_them_alone(
    sh: Shell, tmp_path: Path, reader: str, losses: list[Fraction | None]
) -> None:
    """Each strength is a whole number, so that equal shares of the battle can be unequal in the campaign."""
    (tmp_path / "campaign.toml").write_text(ALIKE, encoding="utf-8")
    (tmp_path / "results.toml").write_text(
        '[[result]]\nid = "ford"\nwinners = []\n'
        '[result.sides.lamps]\nlosses = "2/5"\n[result.sides.spears]\nlosses = "2/5"\n',
        encoding="utf-8",
    )
    assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    visible = visible_to(store.load(str(tmp_path)).campaign, store.load_ledger(str(tmp_path)), reader)
    (entry,) = [entry for entry in visible.entries if entry.result]
    stakes = CampaignStories(visible).stakes(entry.revision, ["lamps", "spears"], [0, 1])
    assert [*stakes.losses] == losses
    facts = losses_fact(language("en"), stakes.losses, [0, 1], stakes.casualties, is_brief=True)
    assert [fact.kind for fact in facts] == ["lost_alike" if reader == PUBLIC else "lost_alone"]


@pytest.mark.parametrize(
    ("reader", "chance", "kind"),
    [
        (PUBLIC, 100, "hopeless"), (PUBLIC, 700, "unfancied"), ("north", 100, "expected_little"),
        ("north", 300, "doubted"), ("north", 900, "confident"), ("south", 900, "expected_little"),
        ("south", 700, "doubted"), ("south", 300, "confident"),
    ],
)  # fmt: skip
def test_a_side_that_sees_its_cards_reads_of_its_own_expectation(
    folder: Path, reader: str, chance: int, kind: str
) -> None:
    """Both sides can have bad cards, so that only readers who see no cards read of the odds as such."""
    books, ledger = store.load(str(folder)), store.load_ledger(str(folder))
    visible = visible_to(books.campaign, ledger, reader)
    (revision, record), *_ = visible.logs(str(folder)).items()
    report = visible.view_of(revision, record).report(refight(record))
    curves = {revision: Curve([CurvePoint(1, 0, 0, [chance, 1000 - chance])], [], 1)}
    told = {*CampaignStories(visible, curves=curves).story(revision, report).phrases}
    phrases = phrases_of("en", "field-of-honour")
    assert [each for each in UPHILL if told & {*phrases[each]}] == [kind]


def test_a_private_note_stays_out_of_the_story(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="private: a trap"), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    assert "trap" not in story_for(tmp_path, UMPIRE)


def test_a_lower_case_note_is_quoted_unchanged(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="rain, and no bread"), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    assert ": rain, and no bread. " in story_for(tmp_path, PUBLIC)


@pytest.mark.slow
def test_fight_prints_the_story_of_the_campaign(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="They came at dawn."), encoding="utf-8")
    printed = sh("campaign", "fight", "--format", "md").out
    assert "They came at dawn. " in printed
    again = sh("campaign", "history", "gate", "--format", "md").out
    told = next(line for line in printed.splitlines() if "They came at dawn" in line)
    assert told in again


RESULTS = """[[result]]
id = "gate"
winners = ["percy"]
story = "The gate was never barred."
[result.sides.percy]
losses = "0"
[result.sides.garrison]
losses = "1/2"
"""


@pytest.mark.slow
def test_an_umpires_story_replaces_the_generated_one_until_it_is_undone(sh: Shell, folder: Path) -> None:
    generated = sh("campaign", "story", "gate", "--for", "public").out
    assert sh("campaign", "story", "gate", "--text", "They never came back.").code == 0
    for reader in ("public", "north", "umpire"):
        assert sh("campaign", "story", "gate", "--for", reader).out == "gate\nThey never came back.\n"
        assert "They never came back." in sh("campaign", "report", "--for", reader).out
    entry = store.load_ledger(str(folder)).entries[-1]
    assert (entry.kind, entry.id, entry.text) == ("story", "gate", "They never came back.")
    assert entry.generated.split() == generated.split()[1:]
    assert sh("campaign", "undo").code == 0
    assert sh("campaign", "story", "gate", "--for", "public").out == generated


@pytest.mark.slow
def test_a_story_is_edited_in_an_editor(sh: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    editor = folder / "editor.py"
    editor.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "file.write_text(file.read_text(encoding='utf-8').replace('Percy', 'Hotspur'), encoding='utf-8')\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {editor.name}")
    assert sh("campaign", "story", "gate", "--edit").code == 0
    assert "Hotspur" in sh("campaign", "story", "gate").out
    monkeypatch.setenv("EDITOR", f"{sys.executable} -c pass")
    assert "unchanged" in sh("campaign", "story", "gate", "--edit").err
    monkeypatch.setenv("EDITOR", "no-such-editor")
    assert sh("campaign", "story", "gate", "--edit").code == 2


def test_a_story_of_a_battle_that_is_fought_again_is_a_new_one(sh: Shell, folder: Path) -> None:
    assert sh("campaign", "story", "gate", "--text", "They never came back.").code == 0
    assert sh("campaign", "undo", "gate", "--force", "--reason", "x").code == 0
    assert sh("campaign", "fight", "--quiet").code == 0
    assert "never" not in sh("campaign", "story", "gate").out


def test_the_words_of_a_result_are_woven_in_unchanged(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note=""), encoding="utf-8")
    (tmp_path / "results.toml").write_text(RESULTS, encoding="utf-8")
    assert sh("campaign", "import", "results.toml").code == 0
    report = sh("campaign", "report").out
    assert "The gate was never barred." in report and "Harry Percy takes Chester" in report


def test_the_site_has_the_umpires_text_about_a_battle_without_a_record(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note=""), encoding="utf-8")
    (tmp_path / "results.toml").write_text(RESULTS, encoding="utf-8")
    assert sh("campaign", "import", "results.toml").code == 0
    page = tmp_path / "site" / "battles" / "gate.html"
    assert sh("campaign", "site", "site").code == 0
    assert page.read_text(encoding="utf-8").count("The gate was never barred.") == 1
    assert sh("campaign", "story", "gate", "--text", "They <never> came back.").code == 0
    assert sh("campaign", "site", "site").code == 0
    text = page.read_text(encoding="utf-8")
    assert "They &lt;never&gt; came back." in text and "never barred" not in text


def test_the_story_of_a_battle_without_a_record_is_what_the_umpire_wrote(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="mud to the knees"), encoding="utf-8")
    (tmp_path / "results.toml").write_text(RESULTS, encoding="utf-8")
    assert sh("campaign", "import", "results.toml").code == 0
    for reader in ("umpire", "public", "south"):
        story = sh("campaign", "story", "gate", "--for", reader)
        assert (story.code, story.out) == (0, "gate\nmud to the knees. The gate was never barred.\n")
        report = sh("campaign", "report", "--turn", "3", "--for", reader).out
        assert report.count("mud to the knees.") == report.count("The gate was never barred.") == 1
    refused = sh("campaign", "history", "gate")
    assert refused.code == 3
    assert "gate" in sh(*refused.err.partition("use: cardbattle ")[2].split()).out


@pytest.mark.slow
def test_the_note_of_a_battle_that_the_movement_made_is_in_no_story(sh: Shell, tmp_path: Path) -> None:
    text = CAMPAIGN.partition("[[pending]]")[0].replace('strength = "own"', 'location = "rough"')
    text = text.replace("strength = 40", 'strength = 40\nlocation = "wem"')
    text = text.replace("strength = 20", 'strength = 20\nlocation = "chester"')
    text += '[locations.wem]\n[[road]]\nbetween = ["wem", "chester"]\n[movement]\n'
    text += '[orders]\npercy = "march to chester"\n'
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    sh("campaign", "advance", "-q")
    assert sh("campaign", "set", "pending.t3-chester.note=The computer fights on Friday", "-q").code == 0
    assert "The computer fights on Friday" in sh("campaign", "orders", "ask", "--for", "south").out
    (tmp_path / "results.toml").write_text(RESULTS.replace("gate", "t3-chester", 1), encoding="utf-8")
    assert sh("campaign", "import", "results.toml").code == 0
    for reader in ("umpire", "public", "south"):
        story = sh("campaign", "story", "t3-chester", "--for", reader).out
        assert story == "t3-chester\nThe gate was never barred.\n"
        assert "Friday" not in sh("campaign", "report", "--turn", "3", "--for", reader).out
    assert sh("campaign", "site", "site", "-q").code == 0
    assert "Friday" not in (tmp_path / "site" / "battles" / "t3-chester.html").read_text(encoding="utf-8")


def test_a_private_note_of_a_battle_without_a_record_is_in_no_report(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="private: a trap"), encoding="utf-8")
    (tmp_path / "results.toml").write_text(RESULTS.replace("story", "reason"), encoding="utf-8")
    assert sh("campaign", "import", "results.toml").code == 0
    for reader in ("umpire", "public", "south"):
        for pages in (("--turn", "3"), ()):
            assert "trap" not in sh("campaign", "report", *pages, "--for", reader).out
    assert "write its story with --text" in sh("campaign", "story", "gate").err


@pytest.mark.slow
def test_the_umpire_reads_why_a_story_is_not_from_the_record(
    sh: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*arguments: object) -> None:
        raise NotInstalled("chess-game")

    monkeypatch.setattr(history, "read_record", unknown)
    said = sh("campaign", "story", "gate")
    assert said.out == "gate\nThey came at dawn.\n"
    assert 'the story is not from the battle\'s record: rule set "chess-game" is not installed' in said.err
    assert "chess-game" not in sh("campaign", "story", "gate", "--for", "public").err


@pytest.mark.slow
def test_a_story_for_a_battle_of_an_earlier_turn_is_no_news_of_the_present_turn(
    sh: Shell, folder: Path
) -> None:
    assert sh("campaign", "turn").code == 0
    assert sh("campaign", "story", "gate", "--text", "They never came back.").code == 0
    for style in ("newspaper", "plain"):
        report = sh("campaign", "report", "--turn", "4", "--style", style, "--for", "umpire").out
        assert "Turn 4" in report and "never came back" not in report
    assert "# A quiet turn\n" in sh("campaign", "report", "--turn", "4").out
    assert "They never came back." in sh("campaign", "report", "--turn", "3").out


def test_a_story_of_an_unknown_battle_is_refused(sh: Shell, folder: Path) -> None:
    for arguments in (("gat",), ("gat", "--text", "x")):
        result = sh("campaign", "story", *arguments)
        assert result.code == 3 or result.code == 2
        assert 'battle "gat" is not recorded; did you mean "gate"?' in result.err


def test_a_short_name_in_the_file_is_used_after_the_first_mention(sh: Shell, tmp_path: Path) -> None:
    text = CAMPAIGN.format(note="").replace('name = "Harry Percy"', 'name = "Harry Percy"\nshort = "Hotspur"')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    for reader in (UMPIRE, PUBLIC, "south"):
        story = story_for(tmp_path, reader)
        assert story.count("Harry Percy") == 1 and "Hotspur" in story


def test_two_forces_of_the_same_name_are_told_apart_by_their_factions(sh: Shell, tmp_path: Path) -> None:
    text = CAMPAIGN.format(note="")
    for name in ("Harry Percy", "The garrison of Chester"):
        text = text.replace(f'name = "{name}"', 'name = "The Militia"')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    assert 'percy is called "The Militia" too' in sh("campaign", "check").err
    assert sh("campaign", "fight", "--quiet").code == 0
    story = story_for(tmp_path, UMPIRE).casefold()
    assert story.count("the militia") == story.count("the militia of north") + story.count(
        "the militia of south"
    )


WAR = """format = 1
name = "The valley"
turn = 1
seed = 5
rules = "field-of-honour"
[aftermath]
retreat = "nearest-own"
leader_captured = "1"
[factions.king]
name = "The King"
[factions.towns]
name = "The League of Towns"
[forces.vanguard]
name = "The Vanguard"
faction = "king"
leader = "Sir Aldric Vane"
strength = 20
location = "ford"
[forces.pikes]
name = "The Town Pikes"
faction = "towns"
leader = "Joss the Weaver"
strength = 20
location = "ford"
commander = "veteran"
[forces.bows]
name = "The Town Bows"
faction = "towns"
strength = 20
location = "ford"
[locations.ford]
owner = "towns"
[locations.hill]
owner = "king"
[locations.mill]
owner = "towns"
[[road]]
between = ["ford", "hill"]
[[road]]
between = ["ford", "mill"]
[[pending]]
id = "first"
sides = [["pikes", "bows"], "vanguard"]
stakes = "ford"
"""
SECOND = """[[pending]]
id = "second"
sides = [["pikes", "bows"], "vanguard"]
stakes = "hill"
"""


@pytest.mark.slow
def test_a_story_names_leaders_earlier_battles_and_what_followed(sh: Shell, tmp_path: Path) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(WAR, encoding="utf-8")
    assert sh("campaign", "advance", "--fight", "--no-wait", "--quiet").code == 0
    first = " ".join(sh("campaign", "story", "first", "--for", "umpire").out.split())
    pikes, vanguard = (
        "the League of Towns (the Town Pikes and the Town Bows) under Joss the Weaver",
        "the Vanguard of the King under Sir Aldric Vane",  # its first battle
    )
    assert pikes.casefold() in first.casefold() and vanguard.casefold() in first.casefold()
    has_won = store.load(str(tmp_path)).campaign.forces["vanguard"].prisoner_of == "towns"
    captured, retreat = ("Sir Aldric Vane", "hill") if has_won else ("Joss the Weaver", "mill")
    *_, ford, retreated, taken = first.strip().split(". ")  # the greatest consequence comes last
    assert retreat in retreated.casefold() and "ford" in ford.casefold()
    assert captured in taken
    assert " Joss " in first and " Sir Aldric " in first and "the League" in first

    file.write_text(file.read_text(encoding="utf-8") + SECOND, encoding="utf-8")
    assert sh("campaign", "fight", "second", "--quiet").code == 0
    second = " ".join(sh("campaign", "story", "second", "--for", "umpire").out.split())
    assert f"under {captured}" not in second  # who is a prisoner now
    assert captured in second  # the side fights without its leader
    assert first == " ".join(sh("campaign", "story", "first", "--for", "umpire").out.split())
    assert not re.search("Vane|Joss", sh("campaign", "story", "first", "--for", "public").out)


@pytest.mark.slow
def test_a_report_ends_its_lead_with_a_series_of_victories(sh: Shell, tmp_path: Path) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(WAR, encoding="utf-8")
    for number in range(3):
        if number:
            battle = SECOND.replace("second", f"battle-{number}")
            file.write_text(file.read_text(encoding="utf-8") + battle, encoding="utf-8")
        assert sh("campaign", "advance", "--fight", "--no-wait", "--quiet").code == 0
    winners = [
        entry.result.winners[0]
        for entry in store.load_ledger(str(tmp_path)).entries
        if entry.kind == "battle" and entry.result
    ]
    lead = " ".join(
        sh(
            "campaign", "report", "--turn", "3", "--no-chances", "--for", "public", "--style", "plain"
        ).out.split()
    )
    length = len(list(takewhile(lambda winner: winner == winners[-1], reversed(winners))))
    assert len(winners) == 3
    assert ("two battles in a row" in lead, "three battles in a row" in lead) == (length == 2, length == 3)
    german = sh("campaign", "report", "--turn", "3", "--no-chances", "--for", "public", "--lang", "de").out
    assert "No battle" not in german and "in a row" not in german
    plain = ("--no-chances", "--for", "public", "--style", "plain")
    before = [sh("campaign", "report", "--turn", turn, *plain).out for turn in "23"]
    assert sh("campaign", "undo", "--turn", "--reason", "a late order").code == 0
    assert sh("campaign", "redo").code == 0
    assert [sh("campaign", "report", "--turn", turn, *plain).out for turn in "23"] == before


@pytest.mark.slow
def test_a_lead_says_who_lost_a_leader_and_the_last_place(sh: Shell, tmp_path: Path) -> None:
    guard = '[forces.guard]\nfaction = "king"\nstrength = 9\nlocation = "mill"\nleader = "Bo Holt"\n'
    (tmp_path / "campaign.toml").write_text(f"{WAR}{SECOND}{guard}", encoding="utf-8")
    result = ("--winner", "pikes", "--losses", "vanguard=1/4", "--reason", "x")
    assert sh("campaign", "override", "second", *result).code == 0
    assert sh("campaign", "advance", "--phase", "aftermath", "--no-wait", "--quiet").code in (0, 5)
    leads = {
        reader: " ".join(sh("campaign", "report", "--turn", "1", "--for", reader, "--no-chances").out.split())
        for reader in ("umpire", "public", "king", "towns")
    }
    king = "the King was left without a place"
    assert f"{king}; Sir Aldric Vane was taken prisoner by the League" in leads["umpire"]
    assert king in leads["public"] and "prisoner" not in leads["public"].partition(" The League")[0]
    assert "we were left without a place; Sir Aldric Vane was taken prisoner by the League" in leads["king"]
    assert f"{king}; Sir Aldric Vane was taken prisoner by us" in leads["towns"]
    assert sh("campaign", "set", "forces.guard.prisoner_of=towns").code == 0
    said = sh("campaign", "report", "--turn", "1", "--for", "umpire", "--no-chances").out
    assert "; Sir Aldric Vane and Bo Holt were taken prisoner by the League" in " ".join(said.split())


@pytest.mark.parametrize("is_free", [False, True])
@pytest.mark.parametrize("are_two", [False, True])
def test_a_story_remembers_who_took_a_leader(sh: Shell, tmp_path: Path, is_free: bool, are_two: bool) -> None:
    """The pikes take the vanguard's leader. When they meet again, after another battle, this is told.

    If they have set him free meanwhile, the story says so instead, but only of one of two leaders.
    """
    file = tmp_path / "campaign.toml"
    file.write_text(WAR.partition("[[pending]]")[0], encoding="utf-8")
    for number, other in enumerate(("pikes", "bows", "pikes")):
        if number == 2 and is_free:
            assert sh("campaign", "unset", "forces.vanguard.prisoner_of", "--quiet").code == 0
            if are_two:
                assert sh("campaign", "set", "forces.pikes.prisoner_of=king", "--quiet").code == 0
                assert sh("campaign", "unset", "forces.pikes.prisoner_of", "--quiet").code == 0
        table = BATTLE.format(id=f"b{number}", place="ford", sides=f'["{other}", "vanguard"]')
        file.write_text(file.read_text("utf-8") + table, encoding="utf-8")
        result = ("--winner", other, "--losses", "vanguard=1/10", "--reason", "x")
        assert sh("campaign", "override", f"b{number}", *result).code == 0
        assert sh("campaign", "advance", "--phase", "aftermath", "--no-wait", "--quiet").code in (0, 5)
    visible = visible_to(store.load(str(tmp_path)).campaign, store.load_ledger(str(tmp_path)), UMPIRE)
    fought = [entry for entry in visible.entries if entry.result is not None]
    sides = ["pikes", "vanguard"]
    memory = CampaignStories(visible).stakes(fought[-1].revision, sides, [0]).memory
    (fact,) = [fact for fact in memory if fact.kind.startswith(("met_", "leader_"))]
    leader, captor = "Sir Aldric Vane", "the League of Towns"
    if is_free and are_two:
        leader, captor = "Joss the Weaver", "the King"
    kind = "leader_is_back" if is_free else "met_taken"
    assert (fact.kind, fact.fields["leader"], fact.fields.get("captor", captor)) == (kind, leader, captor)


def test_losses_are_those_of_the_campaign_and_stay_when_attrition_changes(sh: Shell, tmp_path: Path) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(WAR.replace("[aftermath]", '[attrition]\nrate = "1/2"\n[aftermath]'), encoding="utf-8")
    results = tmp_path / "results.toml"
    results.write_text(
        '[[result]]\nid = "first"\nwinners = ["pikes"]\n'
        '[result.sides.pikes]\nlosses = "0"\n[result.sides.vanguard]\nlosses = "4/5"\n',
        encoding="utf-8",
    )
    assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    told = sh("campaign", "report", "--for", "public").out
    assert "two fifths" in told and "four fifths" not in told
    assert sh("campaign", "set", "attrition.rate=1", "attrition.destroyed_below=2", "--quiet").code == 0
    assert "two fifths" in sh("campaign", "report", "--for", "public").out


def test_a_capture_that_was_undone_and_redone_counts_once(sh: Shell, tmp_path: Path) -> None:
    file, results = tmp_path / "campaign.toml", tmp_path / "results.toml"
    file.write_text(WAR, encoding="utf-8")
    sides = 'sides = {{ pikes.losses = "0", vanguard.losses = "0" }}\n'
    outcome = '[[result]]\nid = "{id}"\nwinners = ["{won}"]\n' + sides
    results.write_text(outcome.format(id="first", won="vanguard"), encoding="utf-8")
    for command in (("import", "results.toml"), ("undo",), ("redo",)):
        assert sh("campaign", *command, "--quiet").code == 0
    assert "changed hands" not in sh("campaign", "report", "--turn", "1").out
    file.write_text(file.read_text("utf-8") + SECOND.replace('"hill"', '"ford"'), encoding="utf-8")
    results.write_text(outcome.format(id="second", won="pikes"), encoding="utf-8")
    assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    assert "Ford has changed hands twice" in " ".join(sh("campaign", "report", "--turn", "1").out.split())


SIDES = ("pikes", "vanguard")
BATTLE = """[[pending]]
id = "{id}"
sides = {sides}
stakes = "{place}"
"""


def war_of(
    sh: Shell, folder: Path, *battles: tuple[str, ...], places: Sequence[str] = (), bows: str = "green"
) -> list[Stakes]:
    """Record battles with these places, winners ("" for a draw), and sides if not `SIDES`, one each turn.

    By default, the Bows have a faction of their own. `places` are further places of the towns. "pikes bows"
    is a side of two forces. Return what the public knows of each battle.
    """
    file, results = folder / "campaign.toml", folder / "results.toml"
    text = WAR.partition("[[pending]]")[0].replace(
        "[aftermath]", '[visibility]\ncommander = "all"\n[aftermath]'
    )
    text = text.replace('leader_captured = "1"', "").replace(
        "[forces.vanguard]", "[factions.green]\n[forces.vanguard]"
    )
    text = text.replace('Bows"\nfaction = "towns"', f'Bows"\nfaction = "{bows}"')
    text += "".join(f'[locations.{place}]\nowner = "towns"\n' for place in places)
    file.write_text(text, encoding="utf-8")
    forces_of = {f"b{number}": sides or SIDES for number, (_, _, *sides) in enumerate(battles)}
    sides_of = {key: [side.split()[0] for side in sides] for key, sides in forces_of.items()}
    for number, (place, winner, *_) in enumerate(battles):
        first, second = sides_of[f"b{number}"]
        forces = [side.split() for side in forces_of[f"b{number}"]]
        table = BATTLE.format(id=f"b{number}", place=place, sides=json.dumps(forces))
        file.write_text(file.read_text("utf-8") + table, encoding="utf-8")
        winners = f'["{winner}"]' if winner else "[]"
        results.write_text(
            f'[[result]]\nid = "b{number}"\nwinners = {winners}\n'
            f'sides = {{ {first}.losses = "1/10", {second}.losses = "1/10" }}\n',
            encoding="utf-8",
        )
        assert sh("campaign", "import", "results.toml", "--quiet").code == 0
        assert sh("campaign", "set", f"turn={number + 2}", "--quiet").code == 0
    return stakes_in(folder, sides_of)


def stakes_in(folder: Path, sides_of: Mapping[str, Sequence[str]]) -> list[Stakes]:
    """Return what the public knows of each battle, given the sides by its id."""
    books, ledger = store.load(str(folder)), store.load_ledger(str(folder))
    visible = visible_to(books.campaign, ledger, PUBLIC)
    stories = CampaignStories(visible)
    return [
        stories.stakes(entry.revision, sides, [sides.index(key) for key in entry.result.winners])
        for entry in visible.entries
        if entry.result and (sides := sides_of.get(entry.id))
    ]


def calls_for_stakes(folder: Path, battles: int) -> int:
    """Count the function calls that collect the stakes of all battles of a campaign."""
    site.long_war(folder, battles)
    books, ledger = store.load(str(folder)), store.load_ledger(str(folder))
    stories = CampaignStories(visible_to(books.campaign, ledger, PUBLIC))
    calls = itertools.count()

    def count_call(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            next(calls)

    sys.setprofile(count_call)
    try:
        for revision, entry in stories.known.entries.items():
            if entry.result:
                stories.stakes(revision, list(entry.result.sides), [0])
    finally:
        sys.setprofile(None)
    return next(calls)


@pytest.mark.slow
def test_the_work_for_a_story_does_not_grow_with_the_earlier_battles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "KINDS", 2)  # the same forces meet again and again
    few, many = (calls_for_stakes(tmp_path / str(battles), battles) for battles in (100, 200))
    assert many <= 2.1 * few


def kinds(facts: Sequence[Fact]) -> list[str]:
    return [fact.kind for fact in facts]


@pytest.mark.slow
def test_a_story_knows_the_war_around_its_battle(sh: Shell, tmp_path: Path) -> None:
    """The towns own the ford and the mill, the king the hill: one place after another changes hands."""
    told = war_of(
        sh, tmp_path,
        ("ford", "pikes"), ("ford", "pikes"), ("ford", "vanguard"), ("ford", "pikes"), ("hill", "vanguard"),
        ("hill", "pikes"), ("ford", ""), ("ford", "vanguard"),
    )  # fmt: skip
    assert [kinds(each.memory) for each in told] == [
        [],
        ["attempt", "met_here"],
        ["attempt", "met_often"],
        ["comes_back", "met_often"],
        ["last_place", "met_often"],
        ["attempt", "met_often"],  # that it was the last place is said only once
        ["without_place", "met_often"],
        ["comes_back", "met_often"],
    ]
    assert [kinds(each.consequences) for each in told] == [
        ["place_held"],
        ["place_held", "score_again"],
        ["place_taken_from", "left_with_one"],
        ["place_regained", "left_with_one"],
        ["revenge", "place_saved"],
        ["score_ahead", "place_taken_last"],
        ["place_kept"],
        ["place_regained", "revenge"],
    ]
    left = [fact for each in told for fact in each.consequences if fact.kind == "left_with_one"]
    assert [fact.fields["place"] for fact in left] == ["Mill", "Hill"]
    third, fourth = told[1].memory[0], told[3].memory[0]
    assert (third.fields["count"], fourth.fields["owner"]) == (2, "the League of Towns")
    assert "same" in fourth.fields and "recent" in fourth.fields


@pytest.mark.slow
def test_a_story_gives_an_earlier_attempt_no_forces_that_were_not_there(sh: Shell, tmp_path: Path) -> None:
    """The Pikes failed to take the hill. Now they come with the Bows, by the name of their faction."""
    battles = [("hill", "vanguard"), ("hill", "pikes", "pikes bows", "vanguard")]
    second = war_of(sh, tmp_path, *battles, bows="towns")[1]
    attempt = second.memory[0]
    meeting = Fact("meet_then", {"side": Name(0), "rival": Name(1), "place": "Hill"})
    for fact in (opened(attempt, "On Monday"), remembered(meeting, second, ["attempt"])[0]):
        assert fact.kind.endswith("_attempt") and fact.fields["side"] == "the League of Towns"


@pytest.mark.parametrize("has_one_left", [True, False])
def test_a_story_counts_the_places_that_a_faction_took_later_in_the_turn(
    sh: Shell, tmp_path: Path, has_one_left: bool
) -> None:
    """In a later turn, the place is no longer part of the story."""
    battles = [("ford", "vanguard")] if has_one_left else [("ford", "vanguard"), ("mill", "vanguard")]
    sides_of = {f"b{number}": SIDES for number in range(len(battles))}
    [*_, before] = war_of(sh, tmp_path, *battles)
    said = "left_with_one" if has_one_left else "place_taken_last"
    assert said in kinds(before.consequences)
    assert sh("campaign", "set", "hill.owner=towns", "--quiet").code == 0
    assert said in kinds(stakes_in(tmp_path, sides_of)[-1].consequences)
    for command in ("undo", "undo"):  # of the place, and of the new turn
        assert sh("campaign", command, "--quiet").code == 0
    assert sh("campaign", "set", "hill.owner=towns", "--quiet").code == 0
    assert said not in kinds(stakes_in(tmp_path, sides_of)[-1].consequences)


def test_a_faction_that_loses_the_most_places_in_the_same_turn_does_not_hold_them(
    sh: Shell, tmp_path: Path
) -> None:
    [before] = war_of(sh, tmp_path, ("ford", "vanguard"))
    assert sh("campaign", "undo", "--quiet").code == 0  # the turn goes on
    assert sh("campaign", "set", "locations.hill.owner=towns", "--quiet").code == 0
    [after] = stakes_in(tmp_path, {"b0": SIDES})
    assert "most" in before.consequences[0].fields
    assert "most" not in after.consequences[0].fields


@pytest.mark.parametrize("sides", [SIDES, SIDES[::-1]])
def test_a_side_that_held_a_place_in_a_drawn_battle_has_not_tried_for_it(
    sh: Shell, tmp_path: Path, sides: Sequence[str]
) -> None:
    war_of(sh, tmp_path, ("ford", "", *sides))
    assert sh("campaign", "set", "ford.owner=king", "--quiet").code == 0
    _, at_once = again(tmp_path, sides)
    assert (at_once.holder, at_once.attacker) == (sides.index("vanguard"), sides.index("pikes"))
    assert not at_once.attempt()
    assert sh("campaign", "set", "ford.owner=towns", "--quiet").code == 0
    assert kinds(again(tmp_path, sides)[1].attempt()) == ["attempt"]  # the king's forces came in vain


@pytest.mark.parametrize("sides", [SIDES, SIDES[::-1]])
@pytest.mark.parametrize("defender", ["pikes", "vanguard", ""])
def test_in_a_campaign_with_movement_the_defender_of_a_battle_held_the_place(
    sh: Shell, tmp_path: Path, sides: Sequence[str], defender: str
) -> None:
    """A story names a side that came for a place only if the forces of its owner were there before."""
    war_of(sh, tmp_path, ("ford", "", *sides))
    assert sh("campaign", "set", "movement.allowance=1", "--quiet").code == 0
    battle, war = again(tmp_path, sides, defender)
    is_held = defender == "pikes"  # the towns own the ford
    assert kinds(battle.holder()) == ["holds_place"] * is_held
    assert battle.is_only_about_place() is not is_held
    assert war.attacker == (sides.index("vanguard") if is_held else None)
    assert ("attempt" in kinds(war.memory)) == is_held


def again(folder: Path, sides: Sequence[str], defender: str = "") -> tuple[BattleInCampaign, BattleInWar]:
    """Return the first battle of `war_of` as if it were fought again now, with this defender."""
    books, ledger = store.load(str(folder)), store.load_ledger(str(folder))
    known = KnownPast(visible_to(books.campaign, ledger, PUBLIC))
    entry = next(each for each in known.entries.values() if each.id == "b0")
    changes = [
        change._replace(before={**change.before, **({"defender": defender} if defender else {})})
        for change in entry.changes
        if isinstance(change.before, dict)
    ]
    later = entry._replace(revision=max(known.entries) + 1, changes=changes)
    battle = BattleInCampaign(known, later, sides, [])
    return battle, BattleInWar(battle)


def test_a_story_says_who_got_a_place_without_a_fight(sh: Shell, tmp_path: Path) -> None:
    """A story says so until the place is attacked or retaken."""
    war_of(sh, tmp_path, ("hill", "vanguard"))
    assert sh("campaign", "set", "hill.owner=towns", "--quiet").code == 0
    file, results = tmp_path / "campaign.toml", tmp_path / "results.toml"
    for number in (1, 2):
        table = BATTLE.format(id=f"c{number}", place="hill", sides='["pikes", "vanguard"]')
        file.write_text(file.read_text("utf-8") + table, encoding="utf-8")
        results.write_text(
            f'[[result]]\nid = "c{number}"\nwinners = ["pikes"]\n'
            'sides = { pikes.losses = "0", vanguard.losses = "0" }\n', encoding="utf-8",
        )  # fmt: skip
        assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    visible = visible_to(store.load(str(tmp_path)).campaign, store.load_ledger(str(tmp_path)), PUBLIC)
    stories = CampaignStories(visible)
    facts = [
        fact
        for entry in visible.entries if entry.id in ("c1", "c2")
        for fact in stories.stakes(entry.revision, SIDES, [0]).memory if fact.kind == "walked_in"
    ]  # fmt: skip
    assert [(fact.fields["side"], fact.fields["loser"]) for fact in facts] == [(Name(0), "the King")]


@pytest.mark.parametrize("reader", ["umpire", "king", "towns", "public"])
def test_a_story_names_a_force_that_its_side_lost(sh: Shell, tmp_path: Path, reader: str) -> None:
    """The report has no other line about a force that a battle destroyed."""
    text = WAR.replace("[aftermath]", '[attrition]\nrate = "1"\ndestroyed_below = 8\n[aftermath]')
    text = text.replace('Bows"\nfaction = "towns"\nstrength = 20', 'Bows"\nfaction = "towns"\nstrength = 9')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    losses = ("--losses", "pikes=1/2", "--losses", "vanguard=1/20")
    said = sh("campaign", "override", "first", "--winner", "vanguard", *losses, "--reason", "x", "--quiet")
    assert said.code == 0
    entry = store.load_ledger(str(tmp_path)).entries[-1]
    destroyed = [change.key[1] for change in entry.changes if change.key[2:] == ("destroyed",)]
    assert destroyed == ["bows"]
    visible = visible_to(
        store.load(str(tmp_path)).campaign,
        store.load_ledger(str(tmp_path)),
        {"umpire": UMPIRE, "public": PUBLIC}.get(reader, reader),
    )
    [revision] = [entry.revision for entry in visible.entries if entry.result]
    facts = CampaignStories(visible).stakes(revision, ["pikes", "vanguard"], [1]).consequences
    [lost] = [fact.fields["forces"] for fact in facts if fact.kind == "forces_destroyed"]
    assert lost == ["the Town Bows"]


@pytest.mark.parametrize("reader", ["umpire", "king", "towns", "public"])
def test_a_story_names_the_forces_that_a_faction_lost_in_a_battle(
    sh: Shell, tmp_path: Path, reader: str
) -> None:
    """A side with the name of its faction is destroyed, but the faction has a force elsewhere."""
    text = WAR.replace("[aftermath]", '[attrition]\nrate = "1"\ndestroyed_below = 12\n[aftermath]')
    text += '[forces.guard]\nfaction = "towns"\nstrength = 20\nlocation = "mill"\n'
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    losses = ("--losses", "pikes=1/2", "--losses", "vanguard=1/20")
    said = sh("campaign", "override", "first", "--winner", "vanguard", *losses, "--reason", "x", "--quiet")
    assert said.code == 0
    visible = visible_to(
        store.load(str(tmp_path)).campaign,
        store.load_ledger(str(tmp_path)),
        {"umpire": UMPIRE, "public": PUBLIC}.get(reader, reader),
    )
    [revision] = [entry.revision for entry in visible.entries if entry.result]
    facts = CampaignStories(visible).stakes(revision, ["pikes", "vanguard"], [1]).consequences
    ends = {fact.kind: fact.fields.get("forces") for fact in facts if "destroyed" in fact.kind}
    assert ends == {"forces_destroyed": ["the Town Pikes", "the Town Bows"]}


def test_a_change_of_owner_that_was_undone_is_not_told(sh: Shell, tmp_path: Path) -> None:
    """The owner won the place in a battle, and still has it after the undo."""
    war_of(sh, tmp_path, ("hill", "pikes"))
    assert sh("campaign", "set", "hill.owner=king", "--quiet").code == 0
    assert sh("campaign", "undo", "--quiet").code == 0
    file = tmp_path / "campaign.toml"
    table = BATTLE.format(id="again", place="hill", sides='["pikes", "vanguard"]')
    file.write_text(file.read_text("utf-8") + table, encoding="utf-8")
    assert sh("campaign", "override", "again", "--winner", "pikes", "--reason", "x", "--quiet").code == 0
    visible = visible_to(store.load(str(tmp_path)).campaign, store.load_ledger(str(tmp_path)), PUBLIC)
    [revision] = [entry.revision for entry in visible.entries if entry.id == "again" and entry.result]
    memory = CampaignStories(visible).stakes(revision, SIDES, [0]).memory
    assert "walked_in" not in [fact.kind for fact in memory]


def test_a_place_that_the_umpire_gave_an_owner_at_first_was_not_won_without_a_fight(
    sh: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(WAR.partition("[[pending]]")[0], encoding="utf-8")
    for steps in (["add", "place", "quay", "--owner", "towns"], ["set", "hill.owner=towns"]):
        assert sh("campaign", *steps, "--quiet").code == 0
    tables = [BATTLE.format(id=at, place=at, sides='["pikes", "vanguard"]') for at in ("quay", "hill")]
    file.write_text(file.read_text("utf-8") + "".join(tables), encoding="utf-8")
    (tmp_path / "results.toml").write_text(
        "".join(
            f'[[result]]\nid = "{at}"\nwinners = ["pikes"]\n'
            'sides = { pikes.losses = "0", vanguard.losses = "0" }\n' for at in ("quay", "hill")
        ), encoding="utf-8",
    )  # fmt: skip
    assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    visible = visible_to(store.load(str(tmp_path)).campaign, store.load_ledger(str(tmp_path)), PUBLIC)
    stories = CampaignStories(visible)
    fought = [entry for entry in visible.entries if entry.result]
    memories = [fact.kind for each in fought for fact in stories.stakes(each.revision, SIDES, [0]).memory]
    assert len(fought) == 2 and "walked_in" not in memories


@pytest.mark.parametrize("second", ['["pikes", "bows"]', '"pikes"'])
def test_a_series_of_victories_names_all_forces_that_won_it_together(
    sh: Shell, tmp_path: Path, second: str
) -> None:
    file, results = tmp_path / "campaign.toml", tmp_path / "results.toml"
    file.write_text(WAR, encoding="utf-8")
    for battle in ("first", "second"):
        if battle == "second":
            table = SECOND.replace('["pikes", "bows"]', second)
            file.write_text(file.read_text("utf-8") + table, encoding="utf-8")
        results.write_text(
            f'[[result]]\nid = "{battle}"\nwinners = ["pikes"]\n'
            'sides = { pikes.losses = "0", vanguard.losses = "1/10" }\n', encoding="utf-8",
        )  # fmt: skip
        assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    options = ("--turn", "1", "--no-chances", "--for", "public")
    lead = " ".join(sh("campaign", "report", *options).out.split())
    name = "The Town Pikes and the Town Bows have" if "bows" in second else "The Town Pikes have"
    assert f". {name} won two battles in a row." in lead
    german = " ".join(sh("campaign", "report", *options, "--lang", "de").out.split())
    assert "gewannen 2 Kämpfe in Folge" in german


def test_a_story_says_that_a_faction_seems_to_be_out_of_the_war(sh: Shell, tmp_path: Path) -> None:
    """The King has the hill and one force. The battle destroys the force and takes the hill."""
    told = war_of(sh, tmp_path, ("hill", "vanguard"))
    assert "faction_gone" not in kinds(told[0].consequences)
    file, results = tmp_path / "campaign.toml", tmp_path / "results.toml"
    assert sh("campaign", "set", "attrition.rate=1", "attrition.destroyed_below=2", "--quiet").code == 0
    table = BATTLE.format(id="last", place="hill", sides='["pikes", "vanguard"]')
    file.write_text(file.read_text("utf-8") + table, encoding="utf-8")
    results.write_text(
        '[[result]]\nid = "last"\nwinners = ["pikes"]\n'
        'sides = { pikes.losses = "0", vanguard.losses = "100%" }\n', encoding="utf-8",
    )  # fmt: skip
    assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    visible = visible_to(store.load(str(tmp_path)).campaign, store.load_ledger(str(tmp_path)), PUBLIC)
    entry = next(entry for entry in visible.entries if entry.id == "last")
    stakes = CampaignStories(visible).stakes(entry.revision, SIDES, [0])
    assert kinds(stakes.consequences)[-1] == "faction_gone" and stakes.is_great


def test_a_faction_is_not_out_of_the_war_because_its_last_force_changes_sides_later(
    sh: Shell, tmp_path: Path
) -> None:
    war_of(sh, tmp_path, ("hill", "pikes"))
    assert sh("campaign", "set", "forces.vanguard.faction=towns", "--quiet").code == 0
    [stakes] = stakes_in(tmp_path, {"b0": SIDES})
    assert "place_taken_last" in kinds(stakes.consequences)
    assert "faction_gone" not in kinds(stakes.consequences)


@pytest.mark.parametrize(("side", "is_alone"), [("pikes", True), ("pikes bows", False)])
def test_a_place_that_allies_defended_is_not_said_to_be_theirs(
    sh: Shell, tmp_path: Path, side: str, is_alone: bool
) -> None:
    """The Bows are not of the towns, which own the ford."""
    [stakes] = war_of(sh, tmp_path, ("ford", "pikes", side, "vanguard"))
    [fact] = [fact for fact in stakes.consequences if fact.kind == "place_held"]
    assert ("alone" in fact.fields) == is_alone


@pytest.mark.slow
def test_attacks_that_failed_are_counted_since_the_place_changed_hands(sh: Shell, tmp_path: Path) -> None:
    told = war_of(sh, tmp_path, ("ford", "vanguard"), *[("ford", "pikes")] * 4)
    fact = next(fact for fact in told[4].consequences if fact.kind == "place_held_again")
    assert (fact.fields["count"], "since" in fact.fields, "always" in fact.fields) == (3, True, False)


@pytest.mark.slow
def test_attacks_in_vain_are_counted_over_all_defenders(sh: Shell, tmp_path: Path) -> None:
    """The Vanguard fails against the towns, then against the Bows, who have taken the ford from the towns."""
    told = war_of(
        sh, tmp_path, ("ford", "pikes"), ("ford", "bows", "bows", "pikes"),
        ("ford", "bows", "bows", "vanguard"), ("ford", "vanguard", "bows", "vanguard"),
    )  # fmt: skip
    attempt = next(fact for fact in told[3].memory if fact.kind == "attempt")
    assert (attempt.fields["times"], attempt.fields["count"]) == (2, 3)


@pytest.mark.slow
def test_a_story_ends_with_the_victories_or_defeats_of_a_leader(sh: Shell, tmp_path: Path) -> None:
    """Sir Aldric beats both enemies, and then loses. Joss beats the Bows, who have no leader."""
    told = war_of(
        sh, tmp_path, ("hill", "vanguard"), ("mill", "pikes", "pikes", "bows"),
        ("hill", "vanguard", "bows", "vanguard"), ("mill", "pikes", "pikes", "bows"),
        ("hill", "vanguard"), ("hill", "bows", "bows", "vanguard"),
    )  # fmt: skip
    runs = [
        [(fact.kind, fact.fields["count"]) for fact in each.consequences if "count" in fact.fields]
        for each in told
    ]
    assert runs == [
        [], [], [], [("lost_so_far", 3)], [("won_so_far", 3), ("place_saved", 3)], [],
    ]  # fmt: skip
    assert "led" in next(fact.fields for fact in told[4].consequences if fact.kind == "won_so_far")
    assert all("led" not in fact.fields for fact in told[3].consequences)
    assert "first_victory" in kinds(told[5].consequences)


@pytest.mark.slow
def test_a_story_knows_who_fought_for_the_place_before(sh: Shell, tmp_path: Path) -> None:
    told = war_of(
        sh, tmp_path, ("mill", "bows", "bows", "pikes"), ("mill", "bows", "bows", "vanguard"),
        ("mill", "", "pikes", "vanguard"), ("mill", "bows", "vanguard", "bows"),
    )  # fmt: skip
    second, third = (battle.memory[-1] for battle in told[1:3])
    assert (second.kind, second.fields["beaten"]) == ("fought_over_won", "the Town Pikes")
    named = (third.fields["conqueror"], third.fields["beaten"])
    assert (third.kind, named) == ("fought_over", ("the Town Bows", "the Vanguard"))


def test_a_story_knows_that_nobody_won_the_place_before(sh: Shell, tmp_path: Path) -> None:
    _, second = war_of(sh, tmp_path, ("ford", ""), ("ford", "bows", "bows", "pikes"))
    assert (second.memory[-1].kind, "drawn" in second.memory[-1].fields) == ("fought_over", True)


@pytest.mark.slow
def test_the_battles_of_one_force_are_not_those_of_its_faction(sh: Shell, tmp_path: Path) -> None:
    """Two forces together have the name of their faction, for which others have fought as well."""
    war_of(sh, tmp_path, ("ford", "vanguard"), ("mill", "vanguard"))
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    stories = CampaignStories(visible_to(books.campaign, ledger, PUBLIC))
    entry = next(each for each in stories.visible.entries if each.id == "b1")
    alone = BattleInWar(BattleInCampaign(stories.known, entry, SIDES, [1]))
    assert kinds(alone.memory)[-1:] == ["met_at"]
    later = entry._replace(revision=entry.revision + 9)
    battle = BattleInCampaign(stories.known, later, SIDES, [1])
    assert kinds(BattleInWar(battle).memory)[-1:] == ["met_often"]
    assert kinds(BattleInWar(battle).score_facts()) == ["score_again"]
    battle.sides[0] = ["pikes", "bows"]
    assert kinds(BattleInWar(battle).memory)[-1:] != ["met_often"]
    assert battle.record_of(0) == BattleInWar(battle).run_of(0, has_won=False) == []
    assert kinds(BattleInWar(battle).score_facts()) == ["won_so_far"]


@pytest.mark.slow
def test_a_new_leader_has_not_met_the_enemies_of_the_old_one(sh: Shell, tmp_path: Path) -> None:
    told = war_of(sh, tmp_path, ("ford", "pikes"), ("ford", "pikes"))
    assert [fact.kind for fact in told[1].memory if "led" in fact.fields] == ["met_here"]
    assert [fact.kind for fact in told[1].consequences if "led" in fact.fields] == ["score_again"]
    assert sh("campaign", "set", "pikes.leader=Maud", "--quiet").code == 0
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    known = KnownPast(visible_to(books.campaign, ledger, PUBLIC))
    first, second = known.fights["pikes"]
    assert known.has_led("pikes", [first], second.revision)
    assert not known.has_led("pikes", [first, second], second.revision + 9)


def test_a_battle_that_was_undone_is_forgotten(sh: Shell, tmp_path: Path) -> None:
    war_of(sh, tmp_path, ("ford", "vanguard"), ("mill", "vanguard"))
    assert sh("campaign", "undo", "b0", "--force", "--reason", "x").code == 0
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    visible = visible_to(books.campaign, ledger, PUBLIC)
    entry = next(each for each in visible.entries if each.id == "b1")
    stakes = CampaignStories(visible).stakes(entry.revision, SIDES, [1])
    assert not {"met_at", "met_here", "comes_back"} & {*kinds(stakes.memory)}


@pytest.mark.parametrize(
    ("reader", "losses"), [("north", ["0", "1/80"]), ("south", ["1/40", "0"]), ("east", ["1/40", "1/80"])]
)
def test_the_owner_of_an_unchanged_strength_never_reads_of_losses(
    tmp_path: Path, reader: str, losses: list[str]
) -> None:
    """By the result alone, Ash lost more than Cedar."""
    folder = frontier(tmp_path, extents("own", "all", "all", "all"))
    record(folder, decided("ford", "cedar", ash="1/20", cedar="1/40"))
    visible = visible_to(store.load(folder).campaign, store.load_ledger(folder), reader)
    stakes = CampaignStories(visible).stakes(1, ["ash", "cedar"], [1])
    assert [str(share) for share in stakes.losses] == losses


def rough_campaign(strength: int) -> str:
    text = CAMPAIGN.replace('strength = "own"', 'strength = "rough"').replace("{note}", "")
    return text.replace("strength = 40", f"strength = {strength}")


@pytest.mark.slow
def test_a_story_says_how_strong_the_sides_were_roughly(sh: Shell, tmp_path: Path) -> None:
    stories = []
    for strength in (40, 42):  # the public sees no difference between these
        folder = tmp_path / str(strength)
        folder.mkdir()
        (folder / "campaign.toml").write_text(rough_campaign(strength), encoding="utf-8")
        assert sh("campaign", "-C", str(folder), "fight", "gate", "--quiet").code == 0
        stories.append(story_for(folder, PUBLIC))
        assert sh("campaign", "-C", str(folder), "set", "percy.strength", "90").code == 0
        assert story_for(folder, PUBLIC) == stories[-1]
    first = stories[0].casefold()
    assert re.search("(about|some) (40|forty)", first) and re.search("(about|some) (20|twenty)", first)
    known = visible_to(
        store.load(str(folder)).campaign, store.load_ledger(str(folder)), PUBLIC
    ).rough_strength_then("percy", 1)
    assert known is not None and known.number == 40


def test_a_story_says_when_few_beat_many(sh: Shell, tmp_path: Path) -> None:
    told = war_of(sh, tmp_path, ("ford", "pikes"), ("ford", "vanguard"))
    assert not {"upset"} & {*kinds([*told[0].consequences, *told[1].consequences])}
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    stories = CampaignStories(visible_to(books.campaign, ledger, PUBLIC))
    entry = next(each for each in stories.visible.entries if each.id == "b0")
    battle = BattleInCampaign(stories.known, entry, SIDES, [0])
    for few, many, is_upset in ((20, 50, True), (20, 45, False), (50, 20, False), (4, 40, False)):
        battle.rough_strengths = lambda few=few, many=many: [few, many]  # type: ignore[method-assign, misc]
        assert ([*map(str, kinds(BattleInWar(battle).upset()))] == ["upset"]) == is_upset


def test_a_story_says_what_the_leader_of_a_side_did_last(sh: Shell, tmp_path: Path) -> None:
    told = war_of(
        sh, tmp_path, ("ford", "vanguard"), ("mill", "bows", "vanguard", "bows"),
        ("hill", "vanguard"), ("mill", "bows", "pikes", "bows"),
    )  # fmt: skip
    deeds = [fact for each in told for fact in each.memory if fact.kind.startswith("deed_")]
    assert [fact.kind for fact in deeds] == ["deed_took", "deed_failed"]
    assert [(str(fact.fields["deed"]), fact.fields["side"]) for fact in deeds] == [
        ("Ford", Name(0)), ("Hill", Name(0)),
    ]  # fmt: skip
    assert all("led" in fact.fields for fact in deeds)


@pytest.mark.slow
def test_what_two_forces_did_together_is_not_told_of_one_of_them(sh: Shell, tmp_path: Path) -> None:
    """The Pikes and the Bows take the hill. Later the Pikes defend the ford and the hill alone."""
    together, alone = ("hill", "pikes", "pikes bows", "vanguard"), ("pikes", "pikes", "vanguard")
    told = war_of(sh, tmp_path, together, ("ford", *alone), ("hill", *alone), together)
    came = [fact for stakes in told for fact in stakes.memory if fact.kind == "comes_back"]
    assert ["same" in fact.fields for fact in came] == [False, True]
    meetings = [[kind for kind in kinds(stakes.memory) if kind.startswith("met_")] for stakes in told]
    assert meetings == [[], ["met_at"], ["met_at"], ["met_here"]]
    (met,) = [fact for fact in told[1].memory if fact.kind == "met_at"]
    assert met.fields["victor"] == ["the League of Towns", "Green"]
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    known = KnownPast(visible_to(books.campaign, ledger, PUBLIC))
    last = next(entry for entry in reversed(known.entries.values()) if entry.id == "b3")
    known.fights["at hill"] = known.fights["at hill"][:1]
    battle = BattleInCampaign(known, last, ["bows", "vanguard"], [0])
    (fact,) = battle.fought_over()
    assert fact.fields["conqueror"] == ["the Town Pikes", "the Town Bows"]
    assert fact.fields["beaten"] == "the Vanguard"
    lead = sh("campaign", "report", "--from", "1", "--no-chances", "--for", "public").out
    assert "The Town Pikes and the Town Bows have beaten the Vanguard twice without a defeat." in lead


def test_a_faction_that_retook_its_last_place_in_the_same_turn_is_not_left_with_it(
    sh: Shell, tmp_path: Path
) -> None:
    """The King loses the hill, and takes the mill later in the turn."""
    text = WAR.partition("[[pending]]")[0]
    for number, (place, winner) in enumerate((("hill", "pikes"), ("mill", "vanguard"))):
        text += BATTLE.format(id=f"b{number}", place=place, sides='["pikes", "vanguard"]')
        (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
        result = ("--winner", winner, "--losses", "vanguard=0", "--reason", "x")
        assert sh("campaign", "override", f"b{number}", *result).code == 0
        text = (tmp_path / "campaign.toml").read_text("utf-8")
    (first, _) = stakes_in(tmp_path, {"b0": SIDES, "b1": SIDES})
    assert "left_with_one" not in kinds(first.consequences)


@pytest.mark.parametrize("owner", ["towns", "king"])
def test_a_faction_that_lost_its_last_place_later_in_the_turn_is_not_left_with_it(
    sh: Shell, tmp_path: Path, owner: str
) -> None:
    """The King loses the hill in battle, and later in the turn the camp, without a battle."""
    text = WAR.partition("[[pending]]")[0] + '[locations.camp]\nowner = "king"\n'
    text += BATTLE.format(id="b0", place="hill", sides='["pikes", "vanguard"]')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    result = ("--winner", "pikes", "--losses", "vanguard=0", "--reason", "x")
    assert sh("campaign", "override", "b0", *result).code == 0
    assert sh("campaign", "set", f"locations.camp.owner={owner}", "locations.mill.owner=king").code == 0
    assert sh("campaign", "set", "locations.mill.owner=towns").code == 0
    (stakes,) = stakes_in(tmp_path, {"b0": SIDES})
    assert ("left_with_one" in kinds(stakes.consequences)) == (owner == "king")


def test_a_story_names_the_place_of_a_surrender(sh: Shell, tmp_path: Path) -> None:
    text = WAR.replace('retreat = "nearest-own"', 'retreat = "nearest-own"\nno_retreat = "surrenders"')
    text = text.replace(
        "[locations.ford]",
        '[forces.archers]\nfaction = "towns"\nstrength = 9\nlocation = "hill"\n[locations.ford]',
    )
    text = text.replace('["ford", "mill"]', '["hill", "mill"]')
    text = text.replace('[["pikes", "bows"], "vanguard"]', '["pikes", "vanguard"]\nplace = "ford"')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    result = ("--winner", "pikes", "--losses", "vanguard=1/10", "--reason", "x")
    assert sh("campaign", "override", "first", *result).code == 0
    assert sh("campaign", "advance", "--phase", "aftermath").code == 0
    (stakes,) = stakes_in(tmp_path, {"first": SIDES})
    facts = [fact for fact in stakes.consequences if fact.kind == "surrendered"]
    assert facts == [Fact("surrendered", {"side": Name(1), "place": "Ford"})]


def test_a_faction_does_not_take_a_place_for_itself(sh: Shell, tmp_path: Path) -> None:
    """A side of two forces is called by the name of their faction, which owns the place afterwards."""
    text = WAR.replace('name = "The League of Towns"', 'name = "The Lantern League"')
    (tmp_path / "campaign.toml").write_text(text + SECOND, encoding="utf-8")
    assert sh("campaign", "cancel", "first", "--quiet").code == 0
    losses = 'sides = { pikes.losses = "0", vanguard.losses = "0" }'
    result = f'[[result]]\nid = "second"\nwinners = ["pikes"]\n{losses}\n'
    (tmp_path / "results.toml").write_text(result, encoding="utf-8")
    assert sh("campaign", "import", "results.toml", "--quiet").code == 0
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    stories = CampaignStories(visible_to(books.campaign, ledger, PUBLIC))
    entry = next(each for each in stories.visible.entries if each.id == "second")
    facts = stories.stakes(entry.revision, SIDES, [0]).consequences
    taken = next(fact for fact in facts if fact.kind.startswith("place_taken"))
    assert "new_owner" not in taken.fields and "owner" in taken.fields


def test_a_story_remembers_what_a_lost_leader_had_won(sh: Shell, tmp_path: Path) -> None:
    war_of(sh, tmp_path, ("ford", "pikes"), ("mill", "pikes"), ("hill", "vanguard"), ("ford", "pikes"))
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    stories = CampaignStories(visible_to(books.campaign, ledger, PUBLIC))
    entries = {each.id: each for each in stories.visible.entries}

    def known(battle: str, winner: int) -> dict[str, FactValue]:
        fought = BattleInCampaign(stories.known, entries[battle], SIDES, [winner])
        fact = fought.with_victories(Fact("leader_fell", {"leader": leader}), 0, "pikes")
        assert (fact.kind == "leader_fell_after") == ("wins" in fact.fields)
        return {name: value for name, value in fact.fields.items() if name != "leader"}

    leader = "Joss the Weaver"
    assert known("b0", 0) == {}
    assert known("b2", 1) == {"wins": 2, "battles": 3, **conditions(unbeaten=True)}
    assert known("b3", 0) == {"wins": 2, "battles": 4}  # beaten once before
    leader = "Somebody Else"
    assert known("b3", 0) == {}
    leader, fights = "Joss the Weaver", stories.known.fights["pikes"]
    fights[0] = fights[0]._replace(sides=[["pikes", "bows"], ["vanguard"]])
    assert known("b3", 0) == {}  # the story cannot say how many battles the leader led and won


def test_a_reader_of_rough_strengths_reads_what_is_left_if_much_was_lost() -> None:
    """The fact is about the side that lost more, and only about a loss that this reader can see."""
    (fact,) = rough_losses([40, 20], [15, 20], [1])
    assert (fact.fields["side"], fact.fields["strength"], fact.fields["left"]) == (Name(0), 40, 15)
    assert "dear" not in fact.fields
    assert "dear" in rough_losses([40, 20], [15, 20], [0])[0].fields
    assert rough_losses([40, 20], [40, 20], [0]) == []
    assert rough_losses([40, 20], [20, 20], [0]) == []
    assert rough_losses([10, 20], [5, 20], [0]) == []  # can be 8 and 7
    assert rough_losses([40, 20], [40, 4], [0]) == []


def test_names_of_groups_without_an_article_have_short_forms() -> None:
    names = ["Grauwald Sappers", "Rook Garrison", "Red vanguard", "Thirteen Paces", "Castle Rook"]
    shorts = ["the Sappers", "the Garrison", "the vanguard", "Thirteen Paces", "Castle Rook"]
    assert [side.short for side in side_names(names)] == shorts
    assert side_names(["Kelp Riders", "Marsh Riders"])[0].short == "Kelp Riders"
    assert side_names([Noun("Hexen Riders", plural=False)])[0].short == "Hexen Riders"


def test_a_group_is_not_shortened_if_another_name_in_the_story_could_be_meant() -> None:
    met = Fact("fought_over", {"place": "Rook", "beaten": ["the Old Sappers", "York"]})
    assert names_in_context(Stakes(memory=[met], factions=["", "Kent"])) == [
        "Kent", "Rook", "the Old Sappers", "York",
    ]  # fmt: skip
    names = ["Grauwald Sappers", "Rook Garrison"]
    others = ["the Old Sappers", "rook garrison"]
    assert [side.short for side in side_names(names, others=others)] == ["Grauwald Sappers", "the Garrison"]


def test_a_leader_introduces_a_side_in_two_ways_by_turns() -> None:
    sides = side_names(["The Town Pikes", "The Clan Axes"])
    for number in (0, 1):
        named, _ = leader_names(sides, ["Joss the Weaver", "Hamish Gorm"], language("en"), (), number)
        forms = ["Joss the Weaver's Town Pikes", "the Clan Axes under Hamish Gorm"]
        other = ["the Town Pikes under Joss the Weaver", "Hamish Gorm's Clan Axes"]
        assert [side.introduced for side in named] == (forms if number else other)


def test_a_side_without_a_leader_is_introduced_by_its_faction() -> None:
    holder = Fact(
        "holds_place", {"place": "Ford", "side": Name(1), "owner": "the Crown", "attackers": "the Clans"}
    )
    stakes = Stakes(when="May", decides=[holder], leaders=["Gorm", ""], factions=["", "the Crown"])
    assert introducing(stakes) == ["", "the Crown"]
    fields = held(holder, stakes).fields
    assert "owner" not in fields and fields["attackers"] == "the Clans"
    last = Fact("last_place", {"side": Name(1), "owner": "the Crown", "place": "Ford"})
    assert introducing(stakes._replace(memory=[last])) == ["", ""]


def test_persons_are_not_introduced_by_their_faction(sh: Shell, tmp_path: Path) -> None:
    text = WAR.replace("The Vanguard", "Rhys Gethin").replace("The Town Pikes", "The Garrison of Ford")
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    books, ledger = store.load(str(tmp_path)), store.load_ledger(str(tmp_path))
    known = KnownPast(visible_to(books.campaign, ledger, PUBLIC))
    sides = ["bows", "vanguard", "pikes"]
    battle = BattleInCampaign(known, Entry(9, "resolve", []), sides, [0])
    assert battle.factions() == ["the League of Towns", "", ""]


def test_a_side_without_a_visible_strength_has_no_number(sh: Shell, tmp_path: Path) -> None:
    text = rough_campaign(40).replace('strength = "rough"', 'strength = "own"')
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    assert sh("campaign", "-C", str(tmp_path), "fight", "gate", "--quiet").code == 0
    for reader in (PUBLIC, "north", "south"):
        assert not re.search("about (40|forty|20|twenty)", story_for(tmp_path, reader).casefold())


def ledger_of(entries: Sequence[Entry]) -> Ledger:
    """Return a ledger with these entries."""
    texts, last = [LEDGER_HEADING], ""
    for entry in entries:
        sealed = with_hash(entry, last)
        texts.append(entry_text(sealed))
        last = sealed.check
    return scan_ledger("".join(texts).encode())


def past_of(chance: random.Random, battles: int) -> tuple[KnownPast, list[Entry]]:
    """Return a random past of three forces of three factions, of two or three sides, with every ending."""
    entries = []
    for n in range(battles):
        sides = chance.sample(["ann", "bob", "cid"], chance.choice((2, 2, 3)))
        winners = [side for side in sides if chance.random() < chance.choice((0.2, 0.5))]
        result = Result(winners, {side: SideResult(0, Fraction(0)) for side in sides})
        pending: dict[str, object] = {"id": f"b{n}", "sides": sides, "stakes": "mill"}
        change = Change(("pending", f"b{n}"), pending, None)
        entries.append(Entry(n + 1, "override", [change], f"b{n}", result=result))
    campaign = read_campaign({
        "format": 1, "name": "Three", "turn": 1, "seed": 1, "rules": "field-of-honour",
        "factions": {"a": {}, "b": {}, "c": {}}, "locations": {"mill": {}},
        "forces": {
            key: {"faction": key[0], "strength": 9, **({"leader": "Captain Bobson"} if key == "bob" else {})}
            for key in ("ann", "bob", "cid")
        },
    })  # fmt: skip
    return KnownPast(visible_to(campaign, ledger_of(entries), UMPIRE)), entries


@pytest.mark.parametrize(("side", "leader"), [(["ann", "bob"], ""), (["bob", "ann"], "Captain Bobson")])
def test_the_leader_of_the_first_force_leads_a_side(side: list[str], leader: str) -> None:
    known, entries = past_of(random.Random(1), 1)
    battle = BattleInCampaign(known, entries[-1], ["ann", "cid"], [0])
    battle.sides[0] = side
    assert battle.leaders() == [leader, ""]


@pytest.mark.parametrize("seed", range(12))
def test_the_score_of_two_forces_is_that_of_their_battles_against_each_other(seed: int) -> None:
    chance = random.Random(seed)
    known, entries = past_of(chance, chance.randint(1, 7))
    for entry in entries:
        assert entry.result is not None
        fought = [each.result for each in entries[: entry.revision - 1] if each.result]
        met = [
            winners_to_name(result.winners, len(result.sides))
            for result in fought
            if {"ann", "bob"} <= {*result.sides}
        ]
        beaten_by = {side: [side in winners for winners in met].count(True) for side in ("ann", "bob")}
        shared = sum({"ann", "bob"} <= {*winners} for winners in met)
        war = BattleInWar(BattleInCampaign(known, entry, ["ann", "bob"], [0]))
        counted = [fact for fact in war.meetings() if fact.kind in ("met_often", "met_level")]
        assert bool(counted) == (not shared and sum(beaten_by.values()) > 1)
        for fact in counted:
            victor = "ann" if fact.fields["victor"] == Name(0) else "bob"
            rival = "bob" if victor == "ann" else "ann"
            assert fact.fields["count"] == len(met)
            assert fact.fields["wins"] == beaten_by[victor]
            assert fact.fields.get("losses", 0) == beaten_by[rival]
            assert ("never" in fact.fields) == (beaten_by[rival] == 0)
            assert ("always" in fact.fields) == all(victor in winners for winners in met)
        for fact in war.score_facts():
            counts = [fact.fields.get(word) for word in ("wins", "losses", "count")]
            if fact.kind in ("score_ahead", "score_level", "revenge"):
                assert counts == [beaten_by["ann"] + 1, beaten_by["bob"], len(met) + 1]
            if fact.kind == "score_again":
                assert counts == [beaten_by["ann"] + 1, 0, beaten_by["ann"] + 1]
            if "last" in fact.fields:
                assert met[-1] == ["bob"]

"""What sides are called: their names and numbers in battle files, campaigns, records, and every format."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from cardbattle.battles.records.battle_file import default_name, read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.storage import store
from cardbattle.core.telling import AUDIT, Inflection, Line
from cardbattle.files.toml import read_toml
from cardbattle.rules import RULE_SETS
from cardbattle.show.battle_text import blocks_for
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

ATHENS_AND_TARDIS = """\
rules = "{rules}"
seed = {seed}
[sides.athens]
name = "Athens"
{athens}
[sides.tardis]
name = "The Tardis"
{tardis}
"""
FORMATS = ["text", "plain", "md", "html"]


def written(rules: str, seed: int, athens: str = "", tardis: str = "") -> str:
    """Return a battle file in which a number is written for one side or both, or guessed."""
    return ATHENS_AND_TARDIS.format(rules=rules, seed=seed, athens=athens, tardis=tardis)


def forms_in(table: str) -> tuple[str, str]:
    """Return patterns of the singular and of the plural verbs that follow a name in a battle's tale."""
    record, referee = fight_battle(read_battle(tomllib.loads(table)))
    verbs = {"wins|win"}
    for block in blocks_for(report_of(record, referee), AUDIT):
        parts = block.parts if isinstance(block, Line) else []
        verbs |= {part.forms for part in parts if isinstance(part, Inflection)}
    singular, plural = zip(*(forms.split("|") for forms in verbs), strict=True)
    return f"({'|'.join(singular)})", f"({'|'.join(plural)})"


def one_line(page: str) -> str:
    """Return a page without its tags and marks, in one line."""
    text = re.sub(r"<[^>]*>|\[[^\]]*\]|[*│]", "", page)
    return re.sub(r"\s+", " ", text.replace("\N{NO-BREAK SPACE}", " "))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_format_takes_the_number_from_the_battle_file(rules: str, form: str, sh: Shell) -> None:
    """Athens is guessed plural and The Tardis singular; written the other way round, every verb follows."""
    table = written(rules, 7, "plural = false", "plural = true")
    sh.write("b.toml", table)
    singular, plural = forms_in(table)
    for detail in ("brief", "tale", "audit"):
        told = one_line(sh("resolve", "b.toml", "--detail", detail, "--format", form).out)
        assert detail == "brief" or re.search(rf"Athens {singular}\b|The Tardis {plural}\b", told)
        assert not re.search(rf"Athens {plural}\b", told)
        assert not re.search(rf"The Tardis {singular}\b", told)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_number_reaches_a_record_only_if_it_is_written(rules: str, sh: Shell) -> None:
    sh.write("plain.toml", written(rules, 3))
    sh.write("both.toml", written(rules, 3, "plural = false", "plural = true"))
    for name in ("plain", "both"):
        assert sh("resolve", f"{name}.toml", "--record", f"{name}-record.toml").code == 0
        assert sh("verify", f"{name}-record.toml").code == 0
    plain, both = ((sh.folder / f"{name}-record.toml").read_text() for name in ("plain", "both"))
    assert "plural" not in plain
    sides = tomllib.loads(both)["sides"]
    assert {key: side.pop("plural") for key, side in sides.items()} == {"athens": False, "tardis": True}
    assert sides == tomllib.loads(plain)["sides"]
    again = sh("replay", "both-record.toml").out
    assert "The Tardis win" in again or "Athens wins" in again or "drawn" in again


def test_a_number_that_is_no_switch_is_refused(sh: Shell) -> None:
    sh.write("b.toml", written("wargame", 3, 'plural = "yes"'))
    assert 'b.toml:5: sides.athens.plural: expected true or false, got "yes"' in sh("resolve", "b.toml").err


def test_verbose_shows_what_is_guessed(sh: Shell) -> None:
    sh.write("b.toml", written("wargame", 3, "plural = false"))
    told = sh("resolve", "b.toml", "-v").err
    assert "name: Athens is singular (as written)\nname: The Tardis is singular (guessed)\n" in told
    assert "name:" not in sh("resolve", "b.toml").err


CAMPAIGN = """\
format = 1
name = "Greece"
seed = 5
rules = "wargame"
[attrition]
rate = "1/2"
[factions.league]
name = "The League"
[factions.spartans]
[forces.athens]
faction = "league"
name = "Athens"
plural = false
strength = 14
[forces.edward-of-march]
faction = "league"
strength = 6
[forces.tardis]
faction = "spartans"
name = "The Tardis"
plural = true
strength = 9
[[pending]]
id = "bay"
sides = [["athens", "edward-of-march"], "tardis"]
names = { athens = "Goblins" }
plural = { athens = false }
[[pending]]
id = "pass"
sides = ["athens", "tardis"]
"""


@pytest.fixture
def greece(sh: Shell) -> Shell:
    """Give a shell in a campaign whose names are guessed wrong."""
    sh.write("campaign.toml", CAMPAIGN)
    return sh


@pytest.mark.slow
def test_check_shows_the_number_of_every_name(greece: Shell) -> None:
    told = greece("campaign", "check", "-v").err
    lines = [line for line in told.splitlines() if line.startswith("name:")]
    assert lines == [
        "name: factions.league: The League is singular (guessed)",
        "name: factions.spartans: Spartans is plural (guessed)",
        "name: forces.athens: Athens is singular (as written)",
        "name: forces.edward-of-march: Edward of March is singular (guessed)",
        "name: forces.tardis: The Tardis is plural (as written)",
        "name: battle bay: Goblins is singular (as written)",
    ]
    assert "name:" not in greece("campaign", "check").err


@pytest.mark.slow
def test_a_side_of_several_forces_goes_by_the_name_its_battle_gives_it(greece: Shell) -> None:
    for command in (["show"], ["export", "bay"], ["results"], ["report"], ["export", "bay", "--sheet"]):
        told = greece("campaign", *command).out
        assert "Goblins" in told, command
        assert "Athens and Edward" not in told, command
    exported = tomllib.loads(greece("campaign", "export", "bay").out)["sides"]
    assert {key: (side["name"], side.get("plural")) for key, side in exported.items()} == {
        "athens": ("Goblins", False),
        "tardis": ("The Tardis", True),
    }
    assert "Goblins" in greece("campaign", "fight", "bay").out
    for command in (["history"], ["report"], ["show"], ["history", "bay"]):
        assert "Goblins" in greece("campaign", *command).out, command
    for form in (*FORMATS, "discord", "bbcode"):
        told = one_line(greece("campaign", "report", "--format", form).out)
        assert re.search(r"(Goblins|[Tt]he Tardis) [a-z]+\b", told)
        assert not re.search(r"Goblins (win|beat|rout|lose|hold|have|were)\b", told)
        assert not re.search(r"[Tt]he Tardis (wins|beats|routs|loses|holds|has|was)\b", told)


def test_a_renamed_key_keeps_the_name_of_its_side(greece: Shell) -> None:
    assert greece("campaign", "rename", "athens", "attica").code == 0
    battle = store.load(str(greece.folder)).campaign.battle("bay")
    assert battle is not None
    assert (battle.names, battle.plural) == ({"attica": "Goblins"}, {"attica": False})


def test_a_name_for_a_side_that_is_not_there_is_refused(greece: Shell) -> None:
    text = (greece.folder / "campaign.toml").read_text()
    for word in ("names", "plural"):
        greece.write("campaign.toml", re.sub(rf"{word} = {{ athens", f"{word} = {{ sparta", text))
        told = greece("campaign", "check").err
        assert f'pending.2.{word}.sparta: "sparta" is not a side of this battle' in told.replace(
            "pending.1", "pending.2"
        )


@pytest.mark.slow
def test_a_new_battle_can_name_its_sides(greece: Shell) -> None:
    side = "athens+edward-of-march=The Old Guard"
    assert greece("campaign", "add", "battle", "gate", "--side", side, "--side", "tardis").code == 0
    battle = store.load(str(greece.folder)).campaign.battle("gate")
    assert battle is not None
    assert (battle.sides[0], battle.names) == (["athens", "edward-of-march"], {"athens": "The Old Guard"})
    assert greece("campaign", "fight", "gate").code == 0
    told = greece("campaign", "add", "battle", "x", "--side", "athens=", "--side", "tardis")
    assert told.code != 0
    assert "expected a name" in told.err


def test_no_pending_name_is_shown_to_players_who_may_not_know_the_battle(greece: Shell) -> None:
    text = (greece.folder / "campaign.toml").read_text()
    greece.write("campaign.toml", text + '[visibility]\npending = "own"\n[factions.persia]\n')
    for command in ("show", "report", "history"):
        for form in ("text", "json"):
            assert "Goblins" not in greece("campaign", command, "--for", "persia", "--format", form).out


def test_what_is_added_says_its_key(greece: Shell) -> None:
    told = greece("campaign", "add", "force", "Sir Walter Blount", "--faction", "league", "--strength", "3")
    assert told.err == "the key of Sir Walter Blount is sir-walter-blount\n"
    typed = greece("campaign", "add", "faction", "Persia", "--key", "medes")
    assert typed.err == ""


def test_a_new_campaign_says_its_keys(sh: Shell) -> None:
    told = re.sub(r"\s+", " ", sh("campaign", "new", "marches").out)
    campaign = store.load("marches").campaign
    for kind, keys in (("factions", campaign.factions), ("forces", campaign.forces)):
        assert f"Keys of {kind}: {', '.join(keys)}" in told


@pytest.mark.slow
def test_a_strength_that_attrition_spares_says_why(greece: Shell) -> None:
    result = '[[result]]\nid = "pass"\nwinners = "tardis"\n'
    greece.write("r.toml", f'{result}sides.athens.losses = "all"\nsides.tardis.losses = "1/9"\n')
    told = greece("campaign", "import", "r.toml").out
    assert "Athens: strength 14 -> 7 (losses all, attrition rate 1/2)" in told
    assert "The Tardis: strength 9 -> 8 (losses 1/9, attrition rate 1/2)" in told
    fought = greece("campaign", "fight", "bay").out
    assert re.search(r"strength \d+ -> \d+ \(losses \S+, attrition rate 1/2\)", fought)


@pytest.mark.slow
def test_where_attrition_takes_every_loss_nothing_is_explained(greece: Shell) -> None:
    text = (greece.folder / "campaign.toml").read_text()
    greece.write("campaign.toml", text.replace('rate = "1/2"', 'rate = "1"'))
    assert "attrition" not in greece("campaign", "fight").out


LEFT, RIGHT = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
CURLY = [
    f"{LEFT}Athens{RIGHT}",
    f"{RIGHT}Athens{RIGHT}",
    f'"Athens{RIGHT}',
    "\N{LEFT SINGLE QUOTATION MARK}Athens\N{RIGHT SINGLE QUOTATION MARK}",
]


@pytest.mark.parametrize("wrong", CURLY)
def test_curly_quotes_are_explained(wrong: str, greece: Shell) -> None:
    text = (greece.folder / "campaign.toml").read_text()
    greece.write("campaign.toml", text.replace('"Athens"', wrong))
    told = greece("campaign", "check")
    assert told.code == 1
    assert 'campaign.toml:12: write text in straight quotes ("percy"), not in curly ones' in told.err


def test_curly_quotes_inside_straight_ones_are_text(greece: Shell) -> None:
    text = (greece.folder / "campaign.toml").read_text()
    greece.write("campaign.toml", text.replace('"Athens"', f'"The {LEFT}Owls{RIGHT}"'))
    assert greece("campaign", "check").code == 0


def test_a_key_of_the_umpire_is_told_how_to_be_written(greece: Shell) -> None:
    text = (greece.folder / "campaign.toml").read_text()
    greece.write("campaign.toml", text.replace("strength = 14", "strength = 14\noxen = 3"))
    told = greece("campaign", "check").err
    assert 'unknown key "oxen"' in told
    assert "; for a key of your own write x_oxen" in told
    greece.write("campaign.toml", text.replace("strength = 14", "strength = 14\nx_oxen = 3"))
    assert greece("campaign", "check").code == 0
    greece.write("campaign.toml", text.replace("strength = 14", "strenght = 14"))
    assert 'did you mean "strength"?' in greece("campaign", "check").err


@pytest.mark.parametrize("name", ["campaign.toml.txt", "campaign.txt", "campaign.toml.toml"])
def test_a_campaign_under_another_name_is_found(name: str, greece: Shell) -> None:
    (greece.folder / "campaign.toml").rename(greece.folder / name)
    for where in ([], ["-C", str(greece.folder)]):
        told = greece("campaign", *where, "check")
        assert told.code == 3
        assert f"but a {name}; rename it to campaign.toml" in told.err


def test_a_missing_history_is_explained(greece: Shell) -> None:
    assert greece("campaign", "note", "x").code == 0
    (greece.folder / "history.toml").unlink()
    told = greece("campaign", "check")
    assert told.code == 1
    assert (
        "history.toml is missing or empty, but campaign.toml is at revision 1; restore history.toml"
        in told.err
    )
    text = (greece.folder / "campaign.toml").read_text()
    greece.write("campaign.toml", text.replace("revision = 1", "revision = 0"))
    assert greece("campaign", "check").code == 0
    assert greece("campaign", "note", "again").code == 0


@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_message_mixes_numbers(rules: str, sh: Shell) -> None:
    """What players are asked by message, and what the prompt prints, agrees as the tale does."""
    human = 'commander = "human"'
    sh.write("b.toml", written(rules, 5, f"plural = false\n{human}", f"plural = true\n{human}"))
    singular, plural = forms_in(written(rules, 5))
    begun = sh("orders", "ask", "b.toml")
    assert begun.code == 0, begun.err
    told = one_line(begun.out)
    assert "Athens" in told
    assert not re.search(rf"Athens {plural}\b", told)
    assert not re.search(rf"The Tardis {singular}\b", told)


def test_a_record_of_before_is_read_as_it_is() -> None:
    records = sorted((Path(__file__).parents[2] / "golden").glob("*.toml"))
    assert len(records) > 10
    for path in records:
        record = read_record(read_toml(str(path)).data, str(path.parent))
        assert all(side.plural is None for side in record.sides)


@pytest.mark.parametrize("key", ["", "-", "of", "the-", "--a--b"])
def test_any_folder_or_key_makes_a_name(key: str) -> None:
    assert default_name(key).split() == [word.capitalize() for word in re.findall("[a-z]+", key)]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_battle_in_progress_keeps_the_number(rules: str, sh: Shell) -> None:
    human = 'commander = "human"'
    sh.write("b.toml", written(rules, 5, f"plural = false\n{human}", f"plural = true\n{human}"))
    assert sh("orders", "ask", "b.toml").code == 0
    (kept,) = sh.folder.glob("*.battle.toml")
    assert sh("orders", "status", kept.name).code == 0
    sides = tomllib.loads(kept.read_text())["sides"]
    assert {key: side["plural"] for key, side in sides.items()} == {"athens": False, "tardis": True}
    assert "Athens" in sh("orders", "ask", kept.name).out

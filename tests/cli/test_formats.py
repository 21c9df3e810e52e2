"""Every command in every format that its help names, and no other; -o, -q and --no-color everywhere."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer
from markdown_it import MarkdownIt

from cardbattle.cli.root import command_line
from cardbattle.engines.checks import CHECKS
from cardbattle.show.schemas import read_stored_schema, schema_index
from cardbattle.show.writers.formats import FORMATS
from tests.battles.messages.test_messages import FIELD
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.support.engines import SAMPLE
from tests.support.schemas import fits

SKIRMISH = '[[battle]]\nrules = "strategy-war"\nsides.a = {}\nsides.b = {}\n'
ORCHARD = ("lunsford", "massie", "clubmen", "stragglers")
RECORDED = "teme-ford"
MESSAGES = "mill.battle.toml"
LEAGUE = ("kind=swiss", "forces=lunsford,massie,clubmen,stragglers")
ARGUMENTS: dict[str, tuple[str, ...]] = {  # what each command needs, in the demo's folder
    "resolve": ("strategy-war", "--seed", "3"),
    "replay": ("fought.toml",),
    "verify": ("fought.toml",),
    "odds": ("strategy-war", "--seed", "3", "-n", "20"),
    "batch": ("skirmishes.toml", "--seed", "3"),
    "table": ("strategy-war", "-n", "2", "--seed", "3"),
    "handicap": ("field-of-honour", "--values", "9..10", "--precision", "20%", "--seed", "3"),
    "analyse": ("fought.toml", "-n", "10", "--positions", "2"),
    "solve": ("strategy-war",),
    "rules": ("wargame",),
    "commanders": (),
    "help": ("seeds",),
    "match": ("regular", "green", "--rules", "strategy-war", "-n", "4", "-j", "1", "--seed", "3"),
    "test-rules": ("wargame", "-n", "1", "--law", "random_play_ends"),
    "engine check": ("sample", "--engine", f"sample={sys.executable} -I -S {SAMPLE}"),
    "config list": (),
    "doctor": (),
    "cases list": ("--rules", "wargame"),
    "cases show": ("wg-resign",),
    "cases run": ("wg-resign",),
    "cases check": ("results.json",),
    "cases perft": ("sw-perft-two-sides",),
    "orders ask": (MESSAGES,),
    "orders take": (MESSAGES, "mail.txt"),
    "orders status": (MESSAGES,),
    "orders remind": (MESSAGES, "york"),
    "orders check": ("wargame", "--for", "brown", "standing.txt"),
    "orders seal": ("mill/york@1: 1",),
    "orders substitute": (MESSAGES, "york", "green"),
    "campaign show": ("--no-odds",),
    "campaign check": (),
    "campaign standings": (),
    "campaign history": (),
    "campaign fight": ("orchard", "--no-odds"),
    "campaign export": ("orchard", "--sheet"),
    "campaign results": (),
    "campaign import": ("result.toml",),
    "campaign override": ("mill", "--reason", "the mill burned"),
    "campaign decline": ("mill", "birch"),
    "campaign undo": (),
    "campaign redo": (),
    "campaign adjust": ("factions.king.points=9", "--reason", "a gift"),
    "campaign add faction": ("The Club",),
    "campaign add force": ("Sir John", "--faction", "king", "--strength", "4"),
    "campaign add place": ("The Wood",),
    "campaign add battle": ("wood", "--side", "lunsford", "--side", "massie"),
    "campaign add schedule": ("turn=5", "text=A muster"),
    "campaign add event": ("each=turn", "chance=1/6", "text=Fever in the camp"),
    "campaign add weather": ("name=rain", "p=2"),
    "campaign add terrain": ("woods", "field-of-honour.defender.hand=1"),
    "campaign add assert": ("force=lunsford", "strength=4"),
    "campaign add table": ("recovery", "rate=1/10"),
    "campaign set": ("factions.king.points=9",),
    "campaign unset": ("forces.lunsford.location",),
    "campaign remove": ("advantage.strategy-war",),
    "campaign cancel": ("mill",),
    "campaign edit": ("mill", "--set", "note=At dawn"),
    "campaign add fixtures": LEAGUE,
    "campaign waiting": (),
    "campaign confirm": ("mill/birch: birch won, birch lost 1/4, vaughan lost 1/2",),
    "campaign substitute": ("king", "green"),
    "campaign fixtures": (),
    "campaign league": (),
    "campaign move": ("lunsford", "orchard"),
    "campaign rename": ("lunsford", "thomas"),
    "campaign note": ("Rain.",),
    "campaign turn": (),
    "campaign advance": ("--leave",),
    "campaign add road": ("mill", "orchard"),
    "campaign orders ask": (),
    "campaign orders take": ("march.txt",),
    "campaign orders give": ("lunsford", "hold"),
    "campaign orders show": (),
    "campaign orders status": (),
    "campaign forecast": ("-n", "5"),
    "campaign luck": ("-n", "5"),
    "campaign report": (),
    "campaign story": ("teme-ford", "--text", "It rained."),
    "campaign seal": ("--slots", "2"),
    "campaign reveal": ("--all",),
}
MOVING: list[tuple[str, ...]] = [("campaign", "set", "movement.allowance=2")]
BEFORE: dict[str, list[tuple[str, ...]]] = {  # what must have happened
    **{f"campaign orders {word}": MOVING for word in ("ask", "take", "give", "show", "status")},
    "campaign redo": [("campaign", "undo")],
    "campaign confirm": [("campaign", "set", "results.confirm=both")],
    "campaign fixtures": [("campaign", "add", "fixtures", *LEAGUE)],
    "campaign league": [("campaign", "add", "fixtures", *LEAGUE), ("campaign", "fixtures")],
    "campaign reveal": [
        ("campaign", "seal"),
        ("campaign", "fight", "mill", "--no-odds", "--force", "--reason", "tried"),
    ],
}


def commands(group: typer.core.TyperGroup, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield each command that has formats, with those that its help names."""
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from commands(command, f"{path}{name} ")
        for option in command.params:
            if "--format" in option.opts:
                assert isinstance(option, typer.core.TyperOption) and option.help
                words = option.help.partition(".")[0].replace(" or ", ", ")
                yield f"{path}{name}", words.split(", ")


MAIN = command_line()
assert isinstance(MAIN, typer.core.TyperGroup)
COMMANDS = dict(commands(MAIN))
PAIRS = [(command, form) for command, known in COMMANDS.items() for form in known]
# Each command writes a file in one of its formats, and the commands take turns through the formats.
WRITTEN = {(command, known[at % len(known)]) for at, (command, known) in enumerate(COMMANDS.items())}
# The slow tests try each command in JSON, in the format of its file, and in a third of all formats.
SAMPLE_PAIRS = {*WRITTEN, *PAIRS[::3], *((command, "json") for command in COMMANDS)}


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder that keeps what the first test of this file has made to happen, for the others."""
    return tmp_path_factory.mktemp("staged")


@pytest.fixture
def stage(sh: Shell, war: Path, staged: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Give a shell in a copy of the demo in which something has happened."""
    monkeypatch.setattr("cardbattle.cli.commands.engine.CHECKS", CHECKS[:2])
    monkeypatch.setattr("secrets.token_hex", lambda size: "5" * 2 * size)
    monkeypatch.setattr("secrets.token_bytes", lambda size: b"5" * size)
    if not any(staged.iterdir()):
        make_happen(sh, war)
        shutil.copytree(war, staged, dirs_exist_ok=True)
    shutil.copytree(staged, war, dirs_exist_ok=True)
    return sh


def make_happen(sh: Shell, war: Path) -> None:
    """Fight a battle of the demo, resolve another, and write the files that the commands ask for."""
    assert sh("campaign", "fight", RECORDED, "--no-odds", "-q").code == 0
    two = ("strategy-war", "--side", "a", "--side", "b", "--seed", "4")
    assert sh("resolve", *two, "--record", "fought.toml", "-q").code == 0
    assert sh("cases", "run", "--rules", "wargame", "--results", "results.json", "-q").code == 0
    (war / "mill.toml").write_text(FIELD, encoding="utf-8")
    (war / "standing.txt").write_text("deploy: deploy\nswitch: hold\n", encoding="utf-8")
    (war / "mail.txt").write_text("york@1: 1\nlancaster@1: 2", encoding="utf-8")
    (war / "march.txt").write_text("lunsford: hold", encoding="utf-8")
    assert sh("orders", "ask", "mill.toml", "-q").code == 0
    (war / "skirmishes.toml").write_text(SKIRMISH, encoding="utf-8")
    sides = "".join(f"sides.{key}.losses = '1/4'\n" for key in ORCHARD)
    result = f"[[result]]\nid = 'orchard'\nwinners = []\n{sides}"
    (war / "result.toml").write_text(result, encoding="utf-8")


def call(stage: Shell, command: str, *more: str) -> Said:
    """Run a command with what it needs, after what it needs to have happened."""
    for earlier in BEFORE.get(command, []):
        assert stage(*earlier).code == 0
    return stage(*command.split(), *ARGUMENTS[command], *more)


def test_every_command_with_json_output_has_a_schema() -> None:
    assert {*schema_index().outputs} == {command for command, known in COMMANDS.items() if "json" in known}


def test_every_command_that_has_formats_is_tried_here() -> None:
    assert set(COMMANDS) == set(ARGUMENTS)
    assert all(set(known) <= set(FORMATS) for known in COMMANDS.values())


def without_diff(text: str) -> str:
    """Return what a command prints after the diff of campaign.toml, if it shows one first."""
    start = text.index("recorded as revision") if text.startswith("--- a/campaign.toml") else 0
    return text[start:]


class Words(HTMLParser):
    """Notes the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one."""
        self.tags.append(tag)


def is_sound(form: str, told: str, command: str) -> bool:
    """Say whether a text is what its format wants; JSON must have the schema of its command."""
    if form == "json":
        schema = read_stored_schema(schema_index().outputs[command])
        return fits(json.loads(told), schema, schema)
    if form == "html":
        page = Words()
        page.feed(told)
        return told.startswith("<!DOCTYPE html>") and page.tags.count("main") == 1
    if form == "csv":
        rows = list(csv.reader(io.StringIO(told)))
        return len(rows) > 1 and len({len(row) for row in rows}) == 1
    if form == "toml":
        return bool(tomllib.loads(told)["format"] == 1)
    if form == "discord":
        headings = r"^(?:------ message .*|To .* characters)$"
        return all(len(text) < 2000 for text in re.split(headings, told, flags=re.MULTILINE))
    if form == "bbcode":
        return told.count("[list]") == told.count("[/list]") and told.count("[b]") == told.count("[/b]")
    if form == "obsidian":
        return told.startswith("---\ntitle: ") and "\n---\n\n" in told
    if form == "md":
        return bool(MarkdownIt("commonmark").enable("table").parse(told))
    return "\x1b" not in told and "<p" not in told


@pytest.mark.parametrize(
    ("command", "form"),
    [
        pytest.param(*pair, marks=pytest.mark.slow if pair in SAMPLE_PAIRS else pytest.mark.heavy)
        for pair in PAIRS
    ],
)
def test_every_format_that_the_help_names_works(
    stage: Shell, war: Path, tmp_path: Path, command: str, form: str
) -> None:
    """Printed, and word for word the same in a file; --json is short for one of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(shutil.copytree(war, tmp_path / "one"))
        printed = call(stage, command, "--format", form)
        assert printed.code == 0, printed.err
        if command != "campaign check" or form == "json":
            assert is_sound(form, printed.out, command)
        if (command, form) in WRITTEN:
            patch.chdir(shutil.copytree(war, tmp_path / "two"))
            written = call(stage, command, "--format", form, "-o", "told", "-q", "--no-color")
            assert (written.code, written.out) == (0, "")
            page = Path("told").read_text(encoding="utf-8")
            assert without_diff(printed.out) == page
        if form == "json":
            patch.chdir(shutil.copytree(war, tmp_path / "three"))
            assert call(stage, command, "--json").out == printed.out


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_help_does_not_name_is_refused_and_nothing_is_done(
    stage: Shell, war: Path, command: str
) -> None:
    before = (war / "campaign.toml").read_bytes()
    for form in [*(set(FORMATS) - set(COMMANDS[command])), "pdf"]:
        said = stage(*command.split(), *ARGUMENTS[command], "--format", form)
        assert (said.code, said.out) == (2, "")
        assert "--format" in said.err
    assert (war / "campaign.toml").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("command", [one for one in COMMANDS if one != "campaign history"])
def test_more_is_said_on_standard_error_alone(stage: Shell, war: Path, tmp_path: Path, command: str) -> None:
    """The output is the same with -v and with -q. A history has the ledger's own lines with -v."""
    said = []
    with pytest.MonkeyPatch.context() as patch:
        for more in ("-v", "-q"):
            patch.chdir(shutil.copytree(war, tmp_path / more))
            said.append(call(stage, command, more))
    assert said[0].out == said[1].out
    assert "done in " in said[0].err
    assert "done in " not in said[1].err


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_files_name_asks_for_its_format(stage: Shell, war: Path, command: str) -> None:
    """Where nothing else does; what goes to a file is not printed."""
    form = "json" if command == "batch" else "html" if "html" in COMMANDS[command] else "json"
    said = call(stage, command, "-o", f"told.{form}")
    assert (said.code, said.out) == (0, "")
    assert is_sound(form, (war / f"told.{form}").read_text(encoding="utf-8"), command)
    assert f"wrote told.{form}" in said.err


def test_a_brief_report_in_markdown_has_the_seed_once(sh: Shell) -> None:
    for detail in ("brief", "log"):
        text = sh("resolve", "strategy-war", "--seed", "7421", "--detail", detail, "--format", "md").out
        assert text.count("7421") == (1 if detail == "brief" else 2)

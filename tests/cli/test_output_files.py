"""Where a command writes: what -o and --record put into a file, what no side learns, the books untouched."""

from __future__ import annotations

import errno
import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cardbattle.cli.root import command_line
from cardbattle.files import disk
from cardbattle.rules import RULE_SETS, find
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.cli.test_formats import ARGUMENTS

SEED = "a seed that tells everything"
FORMATS = ("text", "plain", "json", "md", "html")


def resolve(sh: Shell, rules: str, *more: str) -> Said:
    """Fight the battle that all these tests fight."""
    return sh("resolve", rules, "--seed", SEED, *more)


def text_of(sh: Shell, name: str) -> str:
    """Return the text of a file."""
    return (sh.folder / name).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_file_gets_what_would_have_been_printed(sh: Shell, rules: str, form: str) -> None:
    """It has the requested format and reader. Nothing more is printed."""
    for viewer in ([], ["--for", find(rules).default_sides[0]]):
        wished = ["--format", form, "--detail", "audit" if viewer else "brief", "--no-color", *viewer]
        printed = resolve(sh, rules, *wished)
        written = resolve(sh, rules, *wished, "-o", "told", "-q")
        assert (printed.code, written.code, written.out) == (0, 0, "")
        assert text_of(sh, "told") == printed.out
    assert resolve(sh, rules, *wished, "-o", "-", "-q").out == printed.out


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_a_side_is_given_tells_no_seed_and_no_record(sh: Shell, rules: str) -> None:
    """Neither in a file nor on the terminal, standard error included; in a series neither."""
    side = find(rules).default_sides[-1]
    names = ["north", "north.html", "north.json", "north.md", "-"]
    for number, name in enumerate(names):
        for more in (["--verbose"], ["--series", "2"] if number % 2 == 0 else ["--detail", "audit"]):
            before = set(os.listdir(sh.folder))
            said = resolve(sh, rules, "--for", side, "-o", name, *more)
            assert said.code == 0, said.err
            told = said.out + said.err + (text_of(sh, name) if name != "-" else "")
            assert SEED not in told
            assert "digest" not in told
            assert "moves =" not in told
            assert set(os.listdir(sh.folder)) - before <= {name}
        assert number < 1 or name == "-" or text_of(sh, name)


def test_a_sides_file_is_no_record_unless_the_record_is_named(sh: Shell) -> None:
    said = resolve(sh, "field-of-honour", "--for", "north", "-o", "north.toml")
    assert said.code == 2
    assert "use --record" in said.err
    assert os.listdir(sh.folder) == []
    said = resolve(sh, "field-of-honour", "--for", "north", "-o", "north.html", "--record", "all.toml")
    assert said.code == 0
    assert SEED not in said.out + said.err
    assert text_of(sh, "north.html").startswith("<!DOCTYPE html>")
    assert tomllib.loads(text_of(sh, "all.toml"))["seed"] == SEED


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_record_is_the_same_by_whatever_option_it_is_named(sh: Shell, rules: str) -> None:
    """A bare -o is the record, as it always was; --record is it beside any view."""
    side = find(rules).default_sides[0]
    resolve(sh, rules, "-q", "-o", "bare.toml")
    for number, more in enumerate(
        ([], ["--for", side], ["--json"], ["--for", side, "--format", "md", "-o", "view.md"])
    ):
        assert resolve(sh, rules, "-q", "--record", f"{number}.toml", *more).code == 0
        assert text_of(sh, f"{number}.toml") == text_of(sh, "bare.toml")
    assert resolve(sh, rules, "-o", "-").out == text_of(sh, "bare.toml")
    printed = resolve(sh, rules, "--json")
    assert resolve(sh, rules, "--json", "-o", "beside.toml", "-q").out == printed.out
    assert text_of(sh, "beside.toml") == text_of(sh, "bare.toml")
    assert sh("verify", "bare.toml").code == 0


def test_a_file_name_that_says_a_format_is_not_given_a_record(sh: Shell) -> None:
    for name, begins in (("a.html", "<!DOCTYPE html>"), ("a.md", "## "), ("a.json", '{\n  "schema": 1')):
        assert resolve(sh, "strategy-war", "-o", name).code == 0
        assert text_of(sh, name).startswith(begins)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "out.pdf",
            "write to .toml (the record), .html, .md, .json or .txt; "
            "to get a PDF, print the .html file from a browser",
        ),
        ("out.XLSX", "cannot write .xlsx; write to .toml (the record), .html, .md, .json or .txt"),
        ("out.csv", "cannot write .csv; write to .toml (the record), .html, .md, .json or .txt"),
        ("out.xml", "cannot write .xml; write to .toml (the record), .html, .md, .json or .txt"),
    ],
)
def test_a_file_that_is_no_text_by_its_name_is_not_written(sh: Shell, name: str, told: str) -> None:
    """It would look broken to a reader. The error names the formats that can be written."""
    said = resolve(sh, "wargame", "-o", name)
    assert said.code == 2
    assert told in " ".join(said.err.split())
    assert os.listdir(sh.folder) == []


def test_an_export_to_a_file_with_another_ending_is_told_where_it_can_go(sh: Shell) -> None:
    said = sh("campaign", "export", "mill", "-o", "a.csv").err
    assert "cannot write .csv; write to .toml, or with --sheet to .html, .md, .json or .txt\n" in said


def test_a_format_that_is_named_goes_to_a_file_of_any_text_name(sh: Shell) -> None:
    """Without --format, a name that says no format gets the record, and a hint."""
    assert resolve(sh, "wargame", "--json", "-o", "out.csv").code == 0
    assert text_of(sh, "out.csv").startswith('{\n  "schema": 1')
    said = resolve(sh, "wargame", "-o", "evening.log")
    assert said.code == 0
    assert "hint: evening.log is a record, in TOML; for a report" in " ".join(said.err.split())
    assert "hint" not in resolve(sh, "wargame", "-o", "evening.toml").err


@pytest.mark.parametrize("form", ["discord", "bbcode", "obsidian"])
def test_a_battle_is_posted_without_a_record(sh: Shell, form: str) -> None:
    resolve(sh, "wargame", "-o", "r.toml")
    for more in ([], ["--detail", "log"]):
        posted = resolve(sh, "wargame", "--format", form, *more)
        assert (posted.code, posted.out) == (0, sh("replay", "r.toml", "--format", form, *more).out)
    assert resolve(sh, "wargame", "--series", "2", "--format", form).code == 0


def test_a_series_keeps_its_records_from_a_side_unless_they_are_named(sh: Shell) -> None:
    said = resolve(sh, "strategy-war", "--series", "3", "--for", "p2", "--json", "-o", "north.json")
    assert (said.code, os.listdir(sh.folder)) == (0, ["north.json"])
    told: dict[str, Any] = json.loads(text_of(sh, "north.json"))
    assert len(told["series"]) == 3
    assert "seed" not in told
    more = ("--for", "p2", "-o", "north.txt", "--record", "all.toml")
    said = resolve(sh, "strategy-war", "--series", "3", *more)
    assert said.code == 0
    assert SEED not in said.out + said.err + text_of(sh, "north.txt")
    assert len(tomllib.loads(text_of(sh, "all.toml"))["result"]) == 3
    assert len(os.listdir(sh.folder / "all-records")) == 3


def test_a_drawn_seed_that_is_kept_from_a_side_is_not_lost_unawares(sh: Shell) -> None:
    said = sh("resolve", "strategy-war", "--for", "p1")
    assert said.err == (
        "the seed is not shown to the side; to keep the seed, write a record with --record FILE\n"
    )
    assert sh("resolve", "strategy-war", "--for", "p1", "--record", "all.toml", "-q").err == ""
    assert sh("resolve", "strategy-war", "--for", "p1", "--seed", "4").err == ""


@pytest.mark.parametrize(
    "more",
    [
        ("-o", "a.toml", "--record", "b.toml"),
        ("--record", "-"),
        ("--series", "2", "-o", "-"),
    ],
    ids=" ".join,
)
def test_files_that_contradict_each_other_are_refused(sh: Shell, more: tuple[str, ...]) -> None:
    assert resolve(sh, "strategy-war", *more).code == 2
    assert os.listdir(sh.folder) == []


NEEDED = ARGUMENTS | {
    "replay": ("records/teme-ford.toml",),
    "analyse": ("records/teme-ford.toml",),
    "campaign export": ("mill",),
    "campaign schema": (),
    "schema": ("record",),
}


def writers(group: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], str]]:
    """Return every command with each of its options that names a file to be written."""
    found = []
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found += writers(command, (*path, name))
        for option in command.params:
            found += [((*path, name), option.opts[0])] if option.name in ("output", "record_to") else []
            found += [((*path, name), "--record")] if "--record" in option.opts else []
    return found


WRITERS = writers(command_line())


def test_every_command_that_writes_a_file_is_tried_here() -> None:
    assert {" ".join(path) for path, _ in WRITERS} == set(NEEDED)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "option"), WRITERS, ids=str)
def test_no_command_writes_over_the_books(sh: Shell, war: Path, path: tuple[str, ...], option: str) -> None:
    """By no way that leads there: folders, links, other spellings, names still free."""
    sh("campaign", "fight", "teme-ford", "--no-odds", "-q")
    (war / "skirmishes.toml").write_text('[[battle]]\nrules = "strategy-war"\n', encoding="utf-8")
    outside = sh.folder / "outside"
    outside.mkdir()
    (outside / "link.toml").symlink_to(war / "campaign.toml")
    (outside / "there").symlink_to(war)
    (war / "inner.toml").symlink_to("history.toml")
    moved = outside / "kept"
    (war / "records").rename(moved)
    (war / "records").symlink_to(moved)
    before = bytes_in(sh.folder)
    for name in (
        "campaign.toml",
        "./campaign.toml",
        "history.toml",
        "inner.toml",
        "records/teme-ford.toml",
        "records/new.toml",
        "records/deeper/new.toml",
        "records",
        ".cardbattle.lock",
        ".cardbattle.tmp",
        "history.toml.torn-1",
        str(war / "campaign.toml"),
        "../war/history.toml",
        "../outside/link.toml",
        "../outside/there/campaign.toml",
        "../outside/there/records/x.toml",
        "../outside/kept/teme-ford.toml",
        "../outside/kept/new.toml",
    ):
        said = sh(*path, *NEEDED[" ".join(path)], option, name)
        assert said.code == 2, (name, said)
        assert "belongs to the campaign in" in said.err
        assert bytes_in(sh.folder) == before
    if path[-1] in ("resolve", "table", "export", "schema", "report", "odds"):
        assert sh(*path, *NEEDED[" ".join(path)], option, "mine.toml", "-q").code == 0


def test_a_file_called_like_the_books_is_no_book_where_there_is_no_campaign(sh: Shell) -> None:
    assert sh("campaign", "schema", "-o", "history.toml", "-q").code == 0
    assert sh("resolve", "strategy-war", "-q", "-o", "x.toml").code == 0


def test_no_output_replaces_a_file_that_the_command_reads_or_writes(sh: Shell) -> None:
    """A battle file, a batch, a record and seals survive a slip of -o; two outputs need two files."""
    battle = 'rules = "wargame"\nsides = { a = {}, b = {} }\n'
    for name, text in (("b.toml", battle), ("b.csv", "rules,sides.a.name,sides.b.name\nwargame,A,B\n")):
        (sh.folder / name).write_text(text, encoding="utf-8")
    assert sh("resolve", "b.toml", "-q", "-o", "r.toml").code == 0
    before = bytes_in(sh.folder)
    for line in (
        ["resolve", "b.toml", "-o", "b.toml"],
        ["resolve", "b.toml", "--record", "./b.toml"],
        ["batch", "b.csv", "-o", str(sh.folder / "b.csv")],
        ["odds", "b.toml", "-n", "1", "-o", "b.toml"],
        ["replay", "r.toml", "-o", "r.toml"],
        ["verify", "r.toml", "r.toml", "-o", "r.toml"],
        ["verify", "r.toml", "--seals", "b.csv", "-o", "b.csv"],
    ):
        said = sh(*line)
        assert (said.code, bytes_in(sh.folder)) == (2, before), (line, said)
        assert "the command reads this file; choose another file" in said.err
    for line in (
        ["resolve", "b.toml", "-o", "o.html", "--record", "./o.html"],
        ["cases", "run", "wg-higher-spy", "--results", "new.json", "-o", "new.json"],
        ["cases", "run", "wg-higher-spy", "--results", "b.csv", "-o", "b.csv"],
        ["match", "regular", "green", "--rules", "wargame", "-n", "2", "--resume", "new", "-o", "new"],
        ["orders", "ask", "b.toml", "--as", "a", "--save", "new.battle.toml", "-o", "new.battle.toml"],
    ):
        said = sh(*line)
        assert (said.code, bytes_in(sh.folder)) == (2, before), (line, said)
        assert "name the same file" in said.err


@pytest.mark.parametrize(
    "command", [["batch", "sk.toml"], ["odds", "strategy-war"], ["resolve", "strategy-war"]]
)
def test_a_missing_folder_is_named_before_any_battle_is_fought(sh: Shell, command: list[str]) -> None:
    (sh.folder / "inside").mkdir()
    said = sh(*command, "-o", "none/x.csv")
    assert (said.code, said.out) == (6, "")
    assert said.err == (
        "cardbattle: none/x.csv cannot be written: the folder none does not exist; create it\n"
    )
    said = sh(*command, "-o", "inside/")
    assert said.err == "cardbattle: inside/ cannot be written: it is a folder; name a file in it\n"


def test_a_batch_whose_folder_cannot_be_written_claims_no_saved_battles(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sh.folder / "a.csv").write_text(
        "id,rules,sides.p1.commander,sides.p2.commander\nb1,strategy-war,green,green\n", encoding="utf-8"
    )

    def deny(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(disk, "replace", deny)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    said = sh("batch", "a.csv", "-o", "x.csv")
    assert (said.code, said.err) == (
        6,
        "cardbattle: x.csv.part cannot be written: "
        "you have no permission to write in the current folder; choose another folder\n",
    )


def test_an_extension_that_names_no_format_gets_a_hint(sh: Shell) -> None:
    (sh.folder / "a.csv").write_text(
        "id,rules,sides.p1.commander,sides.p2.commander\nb1,strategy-war,green,green\n", encoding="utf-8"
    )
    said = sh("rules", "wargame", "-o", "rules.toml")
    assert said.code == 0
    assert "hint: rules.toml is plain text; for another format, add --format, or write to" in said.err
    assert "hint" not in sh("rules", "wargame", "-o", "rules.txt").err
    assert "hint" not in sh("rules", "wargame", "-o", "rules", "-q").err
    said = sh("batch", "a.csv", "-o", "x.abc")
    assert "hint: x.abc is a results file, in TOML; for a spreadsheet, write to a .csv file" in said.err
    assert "hint" not in sh("batch", "a.csv", "-o", "x.toml").err


@pytest.mark.parametrize("option", ["-o", "--record", "--engine-log"])
def test_an_empty_name_of_an_output_file_is_refused(sh: Shell, option: str) -> None:
    said = sh("resolve", "strategy-war", option, "")
    assert (said.code, said.out) == (2, "")
    assert f"{option} has an empty value; name a file, or leave out the option" in said.err


@pytest.mark.parametrize(
    "command",
    [
        "campaign advance --reports",
        "campaign orders ask --dir",
        "campaign new war --from",
        "new-rules Siege --folder",
        "campaign site",
        "demo",
    ],
)
def test_an_empty_name_of_a_folder_is_refused(sh: Shell, command: str) -> None:
    said = sh(*command.split(), "")
    name = command.split()[-1] if "--" in command else "FOLDER"
    assert (said.code, said.out) == (2, "")
    assert f"{name} has an empty value; name a folder, or leave out the" in said.err
    assert not any(sh.folder.iterdir())

"""Names that would like to be more than names: markup, scripts, formulas, codes, signs that act.

Each goes through every command in every format. What the name rule takes comes out as words; what it
refuses is refused as an argument, in a file and in the error itself.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
import tomli_w
from markdown_it import MarkdownIt
from rich.cells import cell_len

from cardbattle.campaign.turn import advice, factor_values
from cardbattle.cli.app import run
from cardbattle.core.names import UNFIT, name_error
from cardbattle.files.spreadsheet import FORMULA
from tests.support.tally import tried

TAKEN = (
    "[bold red]York[/]", "[link=http://x.y]York[/link]", ":skull: :crown:", "[/] [[York]] \\[x]",
    "<b>York</b>", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<!-- York", "-->]]>York",
    "&lt;York&gt; &amp;&#60;&#x3e;", "</style></title></td>York", "' onclick='York()", "{{ 7*7 }}{% raw %}",
    "York | Lancaster | x", "a|b\\|c\\\\|d", "|", "`York` ``x``", "*York* _x_ ~~y~~ **z** ==w==", "# York",
    "- York", "+ York", "1. York", "> York", "---", "[York](javascript:alert(1))", "<http://x.y>",
    "![York](http://x.y/z.png)", "http://evil.example/york", "www.evil.example", "[x]: http://y", "=1+1",
    "+1", "-1+1", "@SUM(A1)", '=HYPERLINK("http://x.y")', 'Yo"rk', 'York, "House" of; x', "'York'", "$$x^2$$",
    "\\York\\ \\x1b[31m \\u202e", "%s %n {0} {york} $HOME $(id)", "李世民" * 13 + "軍", "שלום עולם",
    "مرحبا بالعالم", "Z\u0337a\u0337l\u0337g\u0337o\u0337", "👑🏴💀" * 6, "York\u00a0\u00a0York",
    "\u3000York\u3000", "York  x   y", "\ufdfd" * 9, "1403", "true", "null", "inf",
)  # fmt: skip
REFUSED = (
    "\x1b[31mYork", "\x1b]8;;http://x.y\x07York\x1b]8;;\x07", "\x1b[2J", "\x9b31mYork", "\x9d0;York\x9c",
    "York\nYork", "York\r\nYork", "York\rX", "York\tYork", "York\x07", "York\x08\x08", "\x7f", "\u202eYork",
    "\u2066York\u2069", "\u200fYork", "Yo\u200brk", "Yo\u00adrk", "👨\u200d👩", "\ufeffYork", "\ue000York",
    "\ufdd0", "\u2028York", "\u0085York", "Yo\u0308rk", "x" * 41, "", "   ", "\U000e0041York",
    "\u115f", "\u3164", "\u034f", "\ufe0f", "\u2800 \u2800",
)  # fmt: skip
PLACES = 6  # how many names one campaign holds
FORMATS = ("text", "plain", "json", "csv", "md", "html")
COLOR = re.compile(r"\x1b\[[0-9;]*m")
PENDING = ("b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8")
WIDTH = 80


class Said(NamedTuple):
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


def spoken(*arguments: str) -> Said:
    """Run one command and return what it said."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(arguments))
    return Said(code, out.getvalue(), err.getvalue())


def campaign(names: list[str]) -> str:
    """Return a campaign in which everything that can have a name has one of these."""
    whole, york, lancaster, percy, stafford, place = names
    battles = [
        {"id": key, "sides": ["percy", "stafford"], "stakes": "bridge", "note": f"{whole} {place}"}
        for key in PENDING
    ]
    return tomli_w.dumps(
        {
            "format": 1,
            "name": whole,
            "seed": 1403,
            "rules": "strategy-war",
            "scoring": {"win": 1},
            "attrition": {"rate": "1/9"},
            "factions": {"york": {"name": york, "points": 2}, "lancaster": {"name": lancaster}},
            "forces": {
                "percy": {
                    "faction": "york",
                    "name": percy,
                    "strength": 90,
                    "location": "bridge",
                    "commander": "green",
                },
                "stafford": {"faction": "lancaster", "name": stafford, "strength": 90, "commander": "green"},
            },
            "locations": {"bridge": {"name": place, "owner": "york", "value": 1}},
            "pending": battles,
        }
    )


def battle(names: list[str]) -> str:
    """Return a battle file whose sides have two of these names."""
    sides = {
        "york": {"name": names[3], "commander": "green"},
        "lancaster": {"name": names[4], "commander": "green"},
    }
    table = {"rules": "field-of-honour", "id": "mill", "seed": 7, "sides": sides}
    return tomli_w.dumps(table)


def story(names: list[str]) -> Iterator[tuple[str, list[str], bool]]:
    """Yield every command that shows a name: what it is called, its words, whether it has formats."""
    for detail in ("brief", "tale", "audit"):
        yield f"resolve {detail}", ["resolve", "battle.toml", "--detail", detail], True
        yield f"replay {detail}", ["replay", "record.toml", "--detail", detail, "--for", "york"], True
    yield "verify", ["verify", "record.toml"], False
    yield "odds", ["odds", "battle.toml", "-n", "20", "-j", "1"], True
    yield "table", ["table", "strategy-war", "-n", "10", "-j", "1", "--ratios", "1:1", "--seed", "1"], True
    yield "handicap", ["handicap", "battle.toml", "--values", "10", "--precision", "30%", "-j", "1"], True
    yield "analyse", ["analyse", "record.toml", "-n", "2", "--positions", "3", "-j", "1"], True
    yield "series", ["resolve", "battle.toml", "--series", "2"], False
    yield "batch", ["batch", "batch.toml", "--seed", "1", "-j", "1"], True
    yield "schema", ["campaign", "schema"], False
    for word in ("show", "check", "standings"):
        yield word, ["campaign", word, *(["--no-odds"] if word == "show" else [])], True
    yield "show odds", ["campaign", "show", "--odds"], True
    yield "sheet", ["campaign", "export", "b1", "--sheet"], True
    yield "export", ["campaign", "export", "b1"], False
    yield "dry fight", ["campaign", "fight", "b1", "--dry-run"], False
    for key, form in zip(PENDING, FORMATS, strict=False):
        yield f"fight {form}", ["campaign", "fight", key, "--no-odds", "--explain", "--format", form], False
    why = ["--reason", names[0]]
    lost = ["--losses", "percy=1/3", "--losses", "stafford=0"]
    yield "override", ["campaign", "override", "b7", "--winner", "percy", *lost, *why], False
    yield "undo", ["campaign", "undo", *why], False
    yield "redo", ["campaign", "redo"], False
    yield "adjust", ["campaign", "adjust", "forces.percy.strength=80", *why], False
    yield "turn", ["campaign", "turn"], False
    yield "import", ["campaign", "import", "results.csv"], False
    yield "again", ["campaign", "import", "other.csv"], False
    yield "history", ["campaign", "history"], True
    yield "one battle", ["campaign", "history", "b1"], True
    yield "forecast", ["campaign", "forecast", "-n", "4", "-j", "1"], True
    yield "luck", ["campaign", "luck", "-n", "4", "-j", "1"], True
    yield "report", ["campaign", "report"], True
    yield "new", ["campaign", "new", "other", "--name", names[0], "--seed", "1"], False
    yield "new shown", ["campaign", "show", "-C", "other"], True


def prepared(folder: Path, names: list[str]) -> None:
    """Write the campaign and all that the commands need, with these names."""
    (folder / "campaign.toml").write_text(campaign(names), encoding="utf-8")
    (folder / "battle.toml").write_text(battle(names), encoding="utf-8")
    spoken("resolve", "battle.toml", "-o", "record.toml", "-q")
    batch = {"battle": [tomllib.loads(battle(names))]}
    (folder / "batch.toml").write_text(tomli_w.dumps(batch), encoding="utf-8")
    row = "id,winners,sides.percy.losses,sides.stafford.losses\n"
    (folder / "results.csv").write_text(f"{row}b8,percy,0,1/2\n", encoding="utf-8")
    (folder / "other.csv").write_text(f"{row}b8,stafford,1/2,0\n", encoding="utf-8")


def told(folder: Path, names: list[str]) -> dict[tuple[str, str], Said]:
    """Return what every command says in every format it has; odds and hints are counted over ten battles."""
    folder.mkdir()
    found = {}
    with (
        contextlib.chdir(folder),
        mock.patch.object(advice, "BATTLES", 10),
        mock.patch.object(factor_values, "BATTLES", 10),
    ):
        prepared(folder, names)
        for what, words, has_formats in story(names):
            for form in FORMATS if has_formats else ("",):
                found[what, form] = spoken(*words, *(["--format", form] if form else []))
    return found


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every command a terminal of 80 columns and no colours."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.delenv("FORCE_COLOR", raising=False)


@pytest.fixture(scope="module")
def plain_ones(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Said]:
    """Return the output of every command for harmless names."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(WIDTH)
    try:
        return told(tmp_path_factory.mktemp("plain") / "war", [f"Name {place}" for place in "ABCDEF"])
    finally:
        os.environ.pop("COLUMNS") if before is None else os.environ.update(COLUMNS=before)


def acting(text: str) -> set[str]:
    """Return the characters in a text that would act on a terminal."""
    return {char for char in text if unicodedata.category(char) in UNFIT} - {"\n"}


class Tags(HTMLParser):
    """Counts the tags of a page, each with the names of its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Counter[tuple[str, tuple[str, ...]]] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count one tag."""
        self.found[tag, tuple(sorted(name for name, _ in attrs))] += 1

    def handle_endtag(self, tag: str) -> None:
        """Count the end of one."""
        self.found[f"/{tag}", ()] += 1

    def handle_comment(self, data: str) -> None:
        """Count a comment."""
        self.found["comment", ()] += 1


def tags(page: str) -> Counter[tuple[str, tuple[str, ...]]]:
    """Return how many there are of each tag, but for those that only set apart what is read leftward."""
    parser = Tags()
    parser.feed(page)
    parser.close()
    return Counter({tag: n for tag, n in parser.found.items() if tag not in (("bdi", ()), ("/bdi", ()))})


def marks(text: str) -> Counter[str]:
    """Return how many there are of each mark that a reader of Markdown sees: headings, cells, links."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    found: Counter[str] = Counter()
    for token in reader.parse(text):
        found[token.type] += 1
        found.update(child.type for child in token.children or [] if child.type not in WORDS)
    return found


WORDS = ("text", "text_special", "softbreak")


def columns(text: str) -> list[int]:
    """Return how many cells each row of a sheet has; none of them runs as a formula."""
    rows = list(csv.reader(io.StringIO(text), strict=True))
    for cell in (cell for row in rows for cell in row):
        assert not cell.startswith(FORMULA) or re.fullmatch(r"[+-][0-9./]+", cell)
    return [len(row) for row in rows]


TO_BE_COPIED = "bound = "  # a line of a sheet that would be no TOML if it were broken


def hold(form: str, hostile: Said, plain: Said) -> None:
    """Hold what a command says of hostile names against what it says of plain ones."""
    assert hostile.code == plain.code
    assert "unexpected failure" not in hostile.err
    assert acting(hostile.out) == acting(hostile.err) == set()
    if form == "text":
        lines = [line for line in hostile.out.splitlines() if not line.startswith(TO_BE_COPIED)]
        assert all(cell_len(line) <= WIDTH for line in lines)
    elif form == "plain":
        assert hostile.out.count("\n") == plain.out.count("\n")
    elif form == "json" and plain.out:
        assert shape(json.loads(hostile.out)) == shape(json.loads(plain.out))
    elif form == "csv":
        assert columns(hostile.out) == columns(plain.out)
    elif form == "md":
        assert marks(hostile.out) == marks(plain.out)
    elif form == "html":
        assert tags(hostile.out) == tags(plain.out)


def shape(value: object) -> object:
    """Return JSON without its texts, so that names make no difference."""
    if isinstance(value, dict):
        return {key: shape(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [shape(inside) for inside in value]
    return "" if isinstance(value, str) else value


def turned(names: tuple[str, ...], by: int) -> list[str]:
    """Return six names in a row, from this one on."""
    return [names[(by + place) % len(names)] for place in range(PLACES)]


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=pytest.mark.heavy if first else pytest.mark.slow)
        for first in range(0, len(TAKEN), PLACES)
    ],
)
def test_a_hostile_name_stays_a_name(
    first: int, plain_ones: dict[tuple[str, str], Said], tmp_path: Path
) -> None:
    """Nothing acts, no table breaks, no page has a tag more than with plain names."""
    wrong = []
    for (what, form), said in told(tmp_path / "war", turned(TAKEN, first)).items():
        tried("commands about hostile names")
        try:
            hold(form or said_form(what), said, plain_ones[what, form])
        except (AssertionError, ValueError, csv.Error) as error:
            wrong.append(f"{what} {form}: {error}\n{said.out}\n{said.err}")
    assert not wrong, "\n\n".join(wrong)


def said_form(what: str) -> str:
    """Return the format that a command was told in by itself."""
    return what.split()[1] if what.startswith("fight ") else ""


def test_the_names_are_forty_and_each_is_what_it_is_said_to_be() -> None:
    assert len(set(TAKEN)) == len(TAKEN) >= 40
    assert [name for name in TAKEN if name_error(name)] == []
    assert [name for name in REFUSED if not name_error(name)] == []


@pytest.mark.parametrize(
    ("form", "hostile", "plain"),
    [
        ("text", "York\x1b[31m", "York"),
        ("text", "\u202eYork", "York"),
        ("plain", "York\u0085", "York"),
        ("text", "x" * (WIDTH + 1), "x"),
        ("plain", "York\n\n", "York\n"),
        ("json", '{"a": ["x", "y"]}', '{"a": ["x"]}'),
        ("csv", "a,b\nx,y,z\n", "a,b\nx,y\n"),
        ("csv", "a,b\n=1+1,y\n", "a,b\nx,y\n"),
        ("md", "| a | b |\n| - | - |\n| x | y |\n\n*z*", "| a | b |\n| - | - |\n| x | y |\n\nz"),
        ("md", "| a | b |\n| - |\n", "| a | b |\n| - | - |\n"),
        ("md", "<b>York</b>", "York"),
        ("html", "<p>a<b>b</b>", "<p>ab"),
        ("html", "<p onclick='x'>", "<p>"),
        ("html", "<p><!-- x -->", "<p>"),
    ],
)
def test_a_name_that_acts_would_be_found(form: str, hostile: str, plain: str) -> None:
    """The tests are tested: each of these is what a program that forgets to escape would say."""
    hold(form, Said(0, plain, ""), Said(0, plain, ""))
    with pytest.raises(AssertionError):
        hold(form, Said(0, hostile, ""), Said(0, plain, ""))


@pytest.mark.parametrize("first", range(0, len(TAKEN), PLACES))
def test_colours_are_the_only_codes_on_a_terminal(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    names = turned(TAKEN, first)
    (tmp_path / "campaign.toml").write_text(campaign(names), encoding="utf-8")
    (tmp_path / "battle.toml").write_text(battle(names), encoding="utf-8")
    for words in (["resolve", "battle.toml"], ["campaign", "show", "--no-odds"], ["campaign", "standings"]):
        said = spoken(*words)
        assert said.code == 0
        assert COLOR.search(said.out)
        assert acting(COLOR.sub("", said.out)) == set()


@pytest.mark.parametrize("first", range(0, len(TAKEN), PLACES))
def test_json_has_each_name_as_it_stands(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = turned(TAKEN, first)
    (tmp_path / "campaign.toml").write_text(campaign(names), encoding="utf-8")
    told = json.loads(spoken("campaign", "show", "--no-odds", "--json").out)
    assert set(names) <= set(texts(told))


def texts(value: object) -> Iterator[str]:
    """Yield every text in some JSON."""
    if isinstance(value, str):
        yield value
    for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts(inside)


ARGUMENTS = (
    ("campaign", "adjust", "forces.percy.name={}", "--reason", "why"),
    ("campaign", "adjust", "forces.percy.strength=5", "--reason", "{}"),
    ("campaign", "undo", "--reason", "{}"),
    ("campaign", "history", "--about", "{}"),
    ("campaign", "history", "{}"),
    ("campaign", "fight", "{}"),
    ("campaign", "show", "-C", "{}"),
    ("campaign", "show", "--format", "{}"),
    ("campaign", "import", "{}.csv"),
    ("campaign", "new", "other", "--name", "{}"),
    ("resolve", "strategy-war", "--side", "{}", "--side", "b"),
    ("resolve", "strategy-war", "--seed", "{}"),
    ("resolve", "strategy-war", "--set", "{}=1"),
    ("resolve", "battle.toml", "--for", "{}"),
    ("resolve", "{}.toml"),
    ("rules", "{}"),
    ("{}",),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_what_is_no_name_acts_nowhere(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file it is refused, with its line; as an argument it never comes out as it went in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "battle.toml").write_text(battle([name] * PLACES), encoding="utf-8")
    (tmp_path / "campaign.toml").write_text(campaign([name] * PLACES), encoding="utf-8")
    for command in (["resolve", "battle.toml"], ["campaign", "show"]):
        said = spoken(*command)
        assert (said.code, said.out, acting(said.err)) == (3, "", set())
        assert re.match(r"cardbattle: \w+\.toml:\d+: ", said.err)
    (tmp_path / "battle.toml").write_text(battle(["x"] * PLACES), encoding="utf-8")
    (tmp_path / "campaign.toml").write_text(campaign(["x"] * PLACES), encoding="utf-8")
    for words in ARGUMENTS:
        said = spoken(*(word.format(name) for word in words))
        assert said.code in (0, 2, 3, 4), said
        assert "unexpected failure" not in said.err
        assert acting(said.out) == acting(said.err) == set(), words
        tried("hostile arguments")
    for form in FORMATS:
        assert acting(spoken("campaign", "history", "--format", form).out) == set()

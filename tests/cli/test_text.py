"""Text in and out: sheets on standard input, JSON of the umpire's own values, control characters."""

from __future__ import annotations

import csv
import io
import json
import sys
import tomllib
import unicodedata
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.paths import record_path
from cardbattle.campaign.storage import store
from cardbattle.core.names import UNFIT
from cardbattle.files.spreadsheet import is_sheet
from cardbattle.files.toml import BOM
from cardbattle.show.writers.jsontext import to_json
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in, state
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.support import marches
from tests.support.characters import UNICODE

SHEETS = [
    "rules,sides.a,sides.b\nstrategy-war,green,regular\n",
    "rules;sides.a;sides.b\r\nstrategy-war;green;regular\r\n",
    "rules\tsides.a\tsides.b\nstrategy-war\tgreen\tregular\n",
    '"rules","sides.a","sides.b"\n"strategy-war","green","regular"\n',
]
FILES = [
    '[[battle]]\nrules = "strategy-war"\nsides = { a = {}, b = {} }\n',
    '# id,rules\n[[battle]]\nrules = "strategy-war"\nsides = { a = {}, b = {} }\n',
    'defaults = { rules = "strategy-war" }\nbattle = [{ sides = { a = {}, b = {} } }]\n',
    '"defaults" = { rules = "strategy-war" }\n[[battle]]\n[battle.sides.a]\n[battle.sides.b]\n',
    "defaults.rules='strategy-war'\n[[battle]]\n[battle.sides.a]\n[battle.sides.b]\n",
]


def piped(sh: Shell, monkeypatch: pytest.MonkeyPatch, text: bytes, *arguments: str) -> Said:
    """Run a command with a text on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    return sh(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("mark", [b"", BOM], ids=["", "mark"])
@pytest.mark.parametrize("before", ["", "\n\n", "\r\n \n"], ids=repr)
def test_a_batch_on_standard_input_is_told_from_what_it_says(
    sh: Shell, monkeypatch: pytest.MonkeyPatch, before: str, mark: bytes
) -> None:
    for kind, texts in (("toml", FILES), ("csv", SHEETS)):
        for text in texts:
            name = sh.write(f"batch.{kind}", text)
            arguments = ("--seed", "4", "-j", "1", "--json", "-q")
            named = sh("batch", name, *arguments)
            raw = mark + (before + text).encode()
            assert is_sheet("-", before + text) == (kind == "csv")
            assert piped(sh, monkeypatch, raw, "batch", "-", *arguments) == named
            assert named.code == 0


def test_results_on_standard_input_are_told_from_what_they_say(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = "id;winners;sides.birch.losses;sides.lunsford.losses\nteme-ford;birch;0;1/2\n"
    rows = '[[result]]\nid = "teme-ford"\nwinners = ["birch"]\n[result.sides]\n'
    rows += 'birch.losses = "0"\nlunsford.losses = "1/2"\n'
    for text in (sheet, rows):
        said = piped(sh, monkeypatch, text.encode(), "campaign", "import", "-", "--dry-run")
        assert said.code == 0, said.err
        assert said.out.count("\n+") > 2
    assert piped(sh, monkeypatch, sheet.encode(), "campaign", "import", "-").code == 0
    assert "already recorded" in piped(sh, monkeypatch, rows.encode(), "campaign", "import", "-").err


def test_what_is_neither_names_standard_input(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for raw in (b"", b"id,id\na,b\n", b"a = \n", "ä = 1".encode("latin-1"), b'"a\nb'):
        said = piped(sh, monkeypatch, raw, "batch", "-")
        assert said.code == 3
        assert said.err.startswith("cardbattle: standard input:")


DATES = {
    "x_day": date(1403, 7, 21),
    "x_hour": time(9, 30),
    "x_both": datetime(1403, 7, 21, 9, 30, tzinfo=UTC),
    "x_list": [date(1403, 7, 21), {"inside": time(12, 0, 0, 5)}],
    "x_floats": [float("inf"), float("-inf"), float("nan"), 0.5],
}
WRITTEN = """
x_day = 1403-07-21
x_hour = 09:30:00
x_both = 1403-07-21T09:30:00Z
x_list = [1403-07-21, { inside = 12:00:00.000005 }]
x_floats = [inf, -inf, nan, 0.5]
"""


@pytest.mark.slow
def test_dates_and_all_else_that_an_umpire_keeps_are_text_in_json(sh: Shell, war: Path) -> None:
    """At the top, in a force, in a pending battle that is fought, and below `[x]`; of today and of before."""
    path = war / "campaign.toml"
    text = path.read_text(encoding="utf-8")
    for place in ('name = "The Cider War, 1645"\n', "[forces.birch]\n", 'id = "teme-ford"\n'):
        assert text.count(place) == 1
        text = text.replace(place, place + WRITTEN)
    path.write_text(f"{text}\n[x]\n{WRITTEN}", encoding="utf-8")
    kept = {
        "x_day": "1403-07-21",
        "x_hour": "09:30:00",
        "x_both": "1403-07-21T09:30:00+00:00",
        "x_list": ["1403-07-21", {"inside": "12:00:00.000005"}],
        "x_floats": ["inf", "-inf", "nan", 0.5],
    }

    def holds(table: dict[str, Any]) -> bool:
        return {key: table[key] for key in kept} == kept

    said = sh("campaign", "show", "--no-odds", "--json")
    assert said.code == 0, said.err
    shown = json.loads(said.out, parse_constant=pytest.fail)
    assert holds(shown)
    assert holds(shown["forces"]["birch"])
    assert holds(shown["pending"][0])
    assert holds(shown["x"])
    assert sh("campaign", "fight", "--no-odds", "teme-ford").code == 0
    assert sh("campaign", "undo").code == 0
    for form in ("json", "plain", "text"):
        said = sh("campaign", "history", "--format", form)
        assert said.code == 0, said.err
    assert sh("campaign", "fight", "--no-odds", "teme-ford", "--json").code == 0
    assert sh("campaign", "check").code == 0


def test_json_takes_every_value_of_toml() -> None:
    told = json.loads(to_json(DATES), parse_constant=pytest.fail)
    assert told == json.loads(to_json(tomllib.loads(WRITTEN)))


@given(st.dictionaries(st.text(UNICODE), st.text(UNICODE)))
def test_json_says_the_same_and_has_no_character_that_acts(table: dict[str, str]) -> None:
    text = to_json(table)
    assert json.loads(text) == table
    assert not [char for char in text if char != "\n" and unicodedata.category(char) in UNFIT]


@pytest.mark.slow
def test_what_an_old_ledger_holds_is_escaped(sh: Shell, war: Path) -> None:
    """Each character that acts, in a reason and in a text of the umpire's."""
    for reason in ("a\u202eb", "a\u2028b", "a\x9bb", "a\x7fb", "\ue000", "\U000e0041"):
        marches.commit(str(war), "turn", [turned(war)], reason=reason)
        assert state(war)["revision"]
        said = sh("campaign", "history", "--json")
        assert reason not in said.out
        assert json.loads(said.out)["entries"][-1]["reason"] == reason
        for form in ("text", "plain"):
            assert reason not in sh("campaign", "history", "--format", form).out


def turned(folder: Path) -> Change:
    """Return the change that begins the next turn."""
    before = state(folder)["turn"]
    assert isinstance(before, int)
    return Change(("turn",), before, before + 1)


@pytest.mark.parametrize("text", ["a\u202eb", "\x1b[31m", "a\nb", "\u2066", "\ue000", "a\x00b"], ids=ascii)
@pytest.mark.parametrize(
    "arguments",
    [
        ("turn", "--reason", "{}"),
        ("undo", "--reason", "{}"),
        ("redo", "--reason", "{}"),
        ("adjust", "forces.birch.strength=4", "--reason", "{}"),
        ("adjust", "x.note={}", "--reason", "so"),
        ("adjust", "x.{}=1", "--reason", "so"),
        ("adjust", "forces.birch.name={}", "--reason", "so"),
        ("override", "mill", "--winner", "birch", "--reason", "{}"),
        ("import", "results.csv", "--force", "--reason", "{}"),
    ],
    ids=" ".join,
)
def test_text_that_acts_is_refused_wherever_it_would_be_kept(
    sh: Shell, war: Path, arguments: tuple[str, ...], text: str
) -> None:
    before = bytes_in(war)
    said = sh("campaign", *(one.replace("{}", text) for one in arguments))
    assert said.code == 2
    assert "without control or format characters" in said.err
    assert text not in said.err.removesuffix("\n")
    assert bytes_in(war) == before


@pytest.mark.slow
def test_numbers_of_luck_are_numbers(sh: Shell, war: Path) -> None:
    """Also those below zero, which look like the beginning of a formula."""
    assert sh("campaign", "fight", "--all", "--no-odds", "-q").code == 0
    said = sh("campaign", "luck", "-n", "20", "-j", "1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert any(row["luck so far"].startswith("-") for row in rows)
    told = json.loads(sh("campaign", "luck", "-n", "20", "-j", "1", "--json").out)["luck"]
    for row, table in zip(rows, told, strict=True):
        for word in ("expected", "got", "score", "mean score", "luck so far"):
            assert float(row[word]) == table[word]


OUTSIDE = [
    "../../../etc/passwd",
    "/etc/passwd",
    "../campaign.toml",
    "campaign.toml",
    "records/../campaign.toml",
    "records",
    "records/deeper/x.toml",
    "records/link.toml",
    "..",
    "",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_record_is_read_from_outside_of_the_records(war: Path, name: str) -> None:
    (war / "records").mkdir()
    (war / "records" / "link.toml").symlink_to("/etc/passwd")
    with pytest.raises(NeedsUmpire, match="is outside of records/"):
        record_path(str(war), name)
    assert record_path(str(war), "records/mill.toml") == str(war / "records" / "mill.toml")


@pytest.mark.parametrize("name", ["../../../../../../../../etc/passwd", "records/link.toml"])
def test_no_line_of_another_file_is_shown_by_history_or_luck(sh: Shell, war: Path, name: str) -> None:
    sh("campaign", "fight", "teme-ford", "--no-odds", "-q")
    entry = store.load_ledger(str(war)).entry(1)
    (war / "records" / "link.toml").symlink_to("/etc/passwd")
    forge(war, entry._replace(record=name))
    said = sh("campaign", "history", "teme-ford")
    assert said.code == 4
    assert "root:" not in said.out + said.err
    assert "records/" in said.err or "record" in said.err
    assert "root:" not in str(sh("campaign", "luck", "-n", "2", "-j", "1"))


def forge(folder: Path, entry: Any) -> None:
    """Write a forged ledger with one entry, whose checksum is valid."""
    from cardbattle.campaign.ledger import ledger

    text = ledger.LEDGER_HEADING + ledger.entry_text(ledger.with_hash(entry, entry.prev))
    (folder / ledger.LEDGER_NAME).write_text(text, encoding="utf-8")


def carets(said: str) -> list[tuple[str, str]]:
    """Return each error that is printed, and the rest of its source line from the caret on."""
    lines = said.splitlines()
    return [
        (lines[n - 2].partition(": ")[2], lines[n - 1][line.index("^") :])
        for n, line in enumerate(lines)
        if line.strip() == "^"
    ]


def test_the_place_of_a_cell_is_found_in_quotes_and_over_lines(sh: Shell, war: Path) -> None:
    sh.write(
        "war/a.csv",
        'id;winners;reason;sides.birch.losses;sides.birch.score\r\nmill;birch;"a;\r\nb ""c""";0;x\r\n',
    )
    told = carets(sh("campaign", "import", "a.csv").err)
    assert told[0] == (
        'a.csv:3: sides.birch.score: expected a whole number from 0 to 1000000, got "x"', "x"
    )  # fmt: skip
    sh.write("war/a.csv", "id,winners,sides.birch.score\nmill,birch,0,1\n")
    assert carets(sh("campaign", "import", "a.csv").err) == [
        ("a.csv:2: expected 3 cells, one for each column, got 4", "1")
    ]
    sh.write(
        "war/b.csv",
        f"id,rules,sides.{'a' * 30}.hand,sides.{'b' * 30}.hand,sides.b.hand\n,field-of-honour,1,2,x\n",
    )
    said = sh("batch", "b.csv").err
    assert all(rest for words, rest in carets(said))
    far = "x" * 150
    sh.write("war/a.csv", f"id,reason,winners,sides.birch.losses\nmill,{far},birch,x\n")
    assert carets(sh("campaign", "import", "a.csv").err)[0][1] == "x"


@pytest.mark.filterwarnings("ignore:.*Windows-1252")
def test_a_spreadsheet_as_it_is_saved_is_read(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as UTF-8, and with empty columns at the end."""
    sheet = "id;rules;seed;;\r\nfürth;field-of-honour;;;\r\n;;;;\r\n".encode("cp1252")
    (sh.folder / "a.csv").write_bytes(sheet)
    for said in (sh("batch", "a.csv"), piped(sh, monkeypatch, sheet, "batch", "-")):
        assert "is not UTF-8 text; reading it as Windows-1252\n" in said.err
        assert 'got "fürth"' in said.err
    assert "column 4 has no name" in piped(sh, monkeypatch, b"id,rules,seed,\na,b,c,d\n", "batch", "-").err
    assert "column 2 has no name" in piped(sh, monkeypatch, b"id,,seed\na,b,c\n", "batch", "-").err
    assert "is not UTF-8" in piped(sh, monkeypatch, b"id,rules\n\x81,b\n", "batch", "-").err

"""With any error in a file, however often: a short message, and no more work than the file is long."""

from __future__ import annotations

import itertools
import sys
from types import FrameType

import pytest

from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.core.errors import LONGEST, MOST, Diagnostic, InvalidInput, first, note
from cardbattle.core.names import MANY, nearest
from cardbattle.files import toml_stream
from cardbattle.files.toml import MOST_LEVELS, parse_toml
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.sizes import CASES
from tests.support.tally import tried

SMALL = 3000  # characters; enough for more errors than are printed
MORE = "cardbattle: more than 50 errors; the rest are not shown"
GROWTH = 2.5  # what half of a file adds to the calls, over what the quarter before added
FEW = 15  # the number of calls for each character is small at any size


def worked(sh: Shell, name: str, size: int) -> tuple[Said, int]:
    """Return what a command says of a file of this size, and how many functions it called."""
    case = CASES[name]
    case.write(sh.folder, size)
    calls = itertools.count()

    def called(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            next(calls)

    sys.setprofile(called)
    try:
        said = sh(*case.arguments)
    finally:
        sys.setprofile(None)
    return said, next(calls)


@pytest.mark.heavy
@pytest.mark.parametrize("name", CASES)
def test_work_grows_no_faster_than_the_file_and_few_mistakes_are_told(name: str, sh: Shell) -> None:
    worked(sh, name, SMALL // 10)  # what is read once and kept
    told, calls = zip(*(worked(sh, name, times * SMALL) for times in (1, 2, 4)), strict=True)
    assert calls[2] - calls[1] <= max(GROWTH * (calls[1] - calls[0]), FEW * 2 * SMALL)
    for said in told:
        lines = said.err.splitlines()
        assert said.code in (0, 1, 3, 4)
        assert "Traceback" not in said.err
        assert "unexpected failure" not in said.err
        assert sum(line.startswith("cardbattle: ") for line in lines) <= MOST + 1
        assert max(map(len, lines), default=0) < 3 * LONGEST
    tried("files full of mistakes")


def test_what_is_told_of_many_mistakes_is_the_first_of_them_and_that_there_are_more() -> None:
    found = [Diagnostic(f"mistake {number}") for number in range(MOST + 5)]
    for count in range(MOST - 1, MOST + 5):
        told = InvalidInput(found[:count]).errors
        assert told[:MOST] == found[: min(count, MOST)]
        assert len(told) == min(count, MOST + 1)
        assert (count > MOST) == (f"cardbattle: {told[-1]}" == MORE)
        assert InvalidInput(told).errors[-1].text == told[-1].text


def test_nobody_looks_for_a_mistake_that_is_not_told() -> None:
    endless = (Diagnostic(str(number)) for number in itertools.count())
    assert len(first(endless)) == MOST + 1
    assert next(endless).text == str(MOST + 1)
    kept: list[Diagnostic] = []
    for number in range(3 * MOST):
        note(kept, Diagnostic(str(number)))
    assert [error.text for error in kept] == [str(number) for number in range(MOST + 1)]


def test_what_an_umpire_must_decide_is_told_in_portions() -> None:
    for count in (1, MOST, MOST + 1, 5 * MOST):
        told = NeedsUmpire([Conflict(f"conflict {number}") for number in range(count)]).conflicts
        assert len(told) == min(count, MOST + 1)
        assert (count > MOST) == (told[-1].text == "there is more to decide; begin with these")


def test_a_mistake_is_told_in_so_many_characters() -> None:
    error = Diagnostic("x" * 9999, at=("y" * 9999,))
    assert len(error.text) == LONGEST
    assert len(str(error)) < 3 * LONGEST


@pytest.mark.parametrize("many", [False, True])
def test_a_slip_of_the_pen_is_told_among_few_words_and_many(many: bool) -> None:
    words = ["shrewsbury", *(f"{one}{two}-place-{one}" for one in "abcdefgh" for two in range(500 * many))]
    assert (len(words) > MANY) == many
    for slip in ("shrewsbry", "shrewsburry", "shrewbsury", "shrewsburi", "threwsbury"):
        for order in (words, words[::-1]):
            assert nearest(slip, order) == '; did you mean "shrewsbury"?'
    assert nearest("rome", words) == ""


@pytest.mark.parametrize("levels", [MOST_LEVELS, MOST_LEVELS + 1, 300, 30_000])
@pytest.mark.parametrize("shape", ["lists", "tables", "both"])
def test_no_value_is_read_that_is_nested_deeper_than_all_of_the_program_can_bear(
    levels: int, shape: str
) -> None:
    opened = {"lists": "[" * levels, "tables": "{ a = " * levels, "both": "[{ a = " * (levels // 2)}[shape]
    closed = {"lists": "]" * levels, "tables": " }" * levels, "both": "}]" * (levels // 2)}[shape]
    inside = "1" if shape != "both" or levels % 2 == 0 else "[]"
    text = f"x = {opened}{inside}{closed}\n".encode()
    if levels <= MOST_LEVELS:
        assert parse_toml("a.toml", text).data["x"]
    else:
        with pytest.raises(InvalidInput, match="nested too deep"):
            parse_toml("a.toml", text)


BATCH_TEXT = """\
# a batch
format = 1
[[battle]]
id = "one" # the first
rules = "strategy-war"
[battle.sides.a]
[battle.sides.b]
[defaults.house]
prizes = "random"

[[ battle ]]
id = "two"
rules = "wargame"
sides = { a = {}, b = {} }
[defaults.sides.a]
commander = "green"
[[battle]]
id = "three"
"""


def test_the_pieces_of_a_file_are_the_file_and_each_knows_its_lines() -> None:
    found = list(toml_stream.chunks_of(BATCH_TEXT, "battle"))
    assert "".join(piece.text for _, piece in found) == BATCH_TEXT
    lines = BATCH_TEXT.splitlines()
    assert [lines[piece.lines] for _, piece in found] == [
        "# a batch", "[[battle]]", "[defaults.house]", "[[ battle ]]", "[defaults.sides.a]", "[[battle]]",
    ]  # fmt: skip
    assert [is_item for is_item, _ in found] == [False, True, False, True, False, True]


def test_a_file_read_in_pieces_says_what_it_says_whole() -> None:
    whole = parse_toml("b.toml", BATCH_TEXT.encode())
    rest = toml_stream.outside("b.toml", BATCH_TEXT, "battle")
    parts = [
        toml_stream.parse("b.toml", piece) for piece in toml_stream.items("b.toml", BATCH_TEXT, "battle")
    ]
    battles = [battle for part in parts for battle in part.data["battle"]]  # type: ignore[attr-defined]
    assert {**rest.data, "battle": battles} == whole.data
    at = ("defaults", "sides", "a", "commander")
    assert rest.locate(at) == whole.locate(at)


@pytest.mark.parametrize("line", range(2, 12))
def test_what_is_no_toml_in_a_piece_is_told_with_its_line_in_the_file(line: int, sh: Shell) -> None:
    lines = BATCH_TEXT.splitlines()
    lines[line - 1 : line] = [lines[line - 1], "= nonsense"]
    sh.write("b.toml", "\n".join(lines))
    assert f"b.toml:{line + 1}: " in sh("batch", "b.toml").err.splitlines()[0]


@pytest.mark.parametrize("wrong", [MOST, MOST + 1, 3 * MOST])
def test_a_batch_of_nothing_but_mistakes_is_given_up_and_one_sound_battle_saves_it(
    wrong: int, sh: Shell
) -> None:
    sound = "strategy-war,green,green"
    for rows, is_fought in (([], False), ([sound], True)):
        rows = [*rows, *(f"chess{number},," for number in range(wrong))]
        sh.write("b.csv", "\n".join(["rules,sides.a,sides.b", *rows]))
        said = sh("batch", "b.csv", "-o", "r.toml", "--jobs", "1")
        assert said.code == 3
        assert (sh.folder / "r.toml").exists() == is_fought
        assert (MORE in said.err) == (wrong > MOST)
        (sh.folder / "r.toml").unlink(missing_ok=True)


def test_a_batch_of_too_many_battles_is_refused_at_the_first_too_many(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toml_stream, "MOST_ITEMS", 3)
    for battles in (3, 4, 9):
        sh.write("b.toml", '[[battle]]\nrules = "chess"\n' * battles)
        said = sh("batch", "b.toml")
        assert ("b.toml:7: there are more than 3 tables [[battle]]" in said.err) == (battles > 3)
        assert said.code == 3

"""Read one table of a file: the accepted values, the recorded errors, and their wording."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import key_error, name_error, quoted
from cardbattle.files import reader
from cardbattle.files.errors import PlacedDiagnostic, UnknownKey, with_place
from cardbattle.files.reader import TableReader

MOST = 2**63 - 1


def read(value: object, *at: str | int) -> TableReader:
    """Return a table to read, at a place in a file."""
    return TableReader(value, at, [])


def said(table: TableReader) -> list[tuple[tuple[str | int, ...], str]]:
    """Return what was noted: where, and in which words."""
    return [(error.at, error.text) for error in table.errors]


def test_what_is_no_table_is_noted_and_read_as_an_empty_one() -> None:
    table = read(7, "sides", "york")
    assert table.data == {}
    assert said(table) == [(("sides", "york"), "expected a table, got 7")]
    assert said(read({"a": 1}, "sides")) == []


def test_a_missing_key_gives_the_default_and_is_noted_only_if_it_is_needed() -> None:
    table = read({}, "sides")
    assert table.take("seed", reader.expect_whole, 5) == 5
    assert said(table) == []
    assert table.need("seed", reader.expect_whole, 6) == 6
    assert said(table) == [(("sides",), "seed is missing")]


def test_a_wrong_value_gives_the_default_and_is_noted_once_at_its_key() -> None:
    table = read({"seed": "x", "turn": -1}, "at", 3)
    assert table.take("seed", reader.expect_whole, 5) == 5
    assert table.need("turn", reader.expect_whole, 6) == 6
    assert said(table) == [
        (("at", 3, "seed"), 'expected a whole number from 0, got "x"'),
        (("at", 3, "turn"), "expected a whole number from 0, got -1"),
    ]


def test_a_sound_value_is_taken_and_nothing_is_noted() -> None:
    table = read({"seed": 9})
    assert (table.take("seed", reader.expect_whole, 5), table.need("seed", reader.expect_whole, 6)) == (9, 9)
    assert said(table) == []


def test_a_table_inside_keeps_its_place_and_shares_the_mistakes() -> None:
    table = read({"york": {"hand": 1}, "percy": 2}, "sides")
    inside = table.table("york")
    assert (inside.at, inside.data) == (("sides", "york"), {"hand": 1})
    inside.wrong("too few", "hand")
    assert table.table("nobody").data == {}
    assert table.table("percy").data == {}
    assert said(table) == [
        (("sides", "york", "hand"), "too few"),
        (("sides", "percy"), "expected a table, got 2"),
    ]


def test_a_list_of_tables_is_read_one_by_one_each_at_its_place() -> None:
    table = read({"battle": [{"id": "a"}, 7, {"id": "b"}], "other": {"id": "c"}})
    inside = list(table.tables("battle"))
    assert [one.at for one in inside] == [("battle", 0), ("battle", 1), ("battle", 2)]
    assert [one.data for one in inside] == [{"id": "a"}, {}, {"id": "b"}]
    assert list(table.tables("missing")) == []
    assert list(table.tables("other")) == []
    inside[2].wrong("late")
    assert said(table) == [
        (("battle", 1), "expected a table, got 7"),
        (("other",), "expected tables, each under [[other]], got a table"),
        (("battle", 2), "late"),
    ]


def test_a_key_that_nobody_reads_is_told_with_the_nearest_one() -> None:
    table = read({"hnad": 1, "hand": 2, "zzz": 3}, "sides", "york")
    table.only(["hand", "commander"], "option")
    assert all(isinstance(error, UnknownKey) for error in table.errors)
    assert said(table) == [
        (("sides", "york", "hnad"), 'unknown option "hnad"; did you mean "hand"?'),
        (("sides", "york", "zzz"), 'unknown option "zzz"; write one of hand, commander'),
    ]
    bare = read({"a": 1})
    bare.only([])
    assert said(bare) == [(("a",), 'unknown key "a"; no keys are allowed here')]


READERS: dict[str, tuple[list[object], list[object], str]] = {
    "expect_whole": ([0, 1, MOST], [-1, MOST + 1, 1.0, True, "1", None], "expected a whole number from 0"),
    "expect_text": (["", "a"], [1, None, ["a"], True], "expected text in quotes"),
    "expect_switch": ([True, False], [0, 1, "true", None], "expected true or false"),
    "expect_texts": (
        [[], ["a"], ["a", ""]],
        ["a", ["a", 1], [None], {}, None],
        "expected a list of text in quotes",
    ),
    "expect_key": (["york", "a-b"], ["York", "", 7, "fate"], ""),
    "expect_name": (["York", "x" * 40], ["", "x" * 41, 7, "\x1b"], ""),
    "expect_seed": (
        [0, MOST, "x", "x" * 200],
        [-1, MOST + 1, "", "x" * 201, "\x1b", 1.0, True, None],
        f"expected a seed: a whole number from 0 to {MOST}, or text;",
    ),
}


@pytest.mark.parametrize("word", READERS)
def test_a_reader_returns_what_is_sound_and_says_what_would_be(word: str) -> None:
    read, (sound, wrong, words) = getattr(reader, word), READERS[word]
    hold_reader(read, sound, wrong, words)


def test_a_number_between_two_bounds_may_be_either_of_them() -> None:
    wrong = [1, 5, 3.0, True, "3", None]
    hold_reader(reader.whole_between(2, 4), [2, 3, 4], wrong, "expected a whole number from 2 to 4")


def hold_reader(
    reader: Callable[[object], object], sound: list[object], wrong: list[object], words: str
) -> None:
    """Hold a reader to what it takes, as it is, and to its words for all else."""
    assert [reader(value) for value in sound] == sound
    for value in wrong:
        with pytest.raises(ValueError, match=r"expected|choose another key") as caught:
            reader(value)
        joint = "" if words.endswith(";") else ","
        said = f"{words}{joint} got {quoted(value)}"
        assert str(caught.value) in (
            said if words else "",
            key_error(value),
            f'{key_error(value)}; did you mean "york"?',
            name_error(value),
        )


def test_a_word_stands_for_something_and_a_typo_is_met_with_it() -> None:
    read = reader.expect_one_of({"red": 1, "green": 2})
    assert [read("red"), read("green")] == [1, 2]
    for value, words in {
        "gren": 'expected red or green, got "gren"; did you mean "green"?',
        "zzz": 'expected red or green, got "zzz"',
    }.items():
        with pytest.raises(ValueError, match="expected") as caught:
            read(value)
        assert str(caught.value) == words
    for other, words in ((7, "7"), (["red"], "a list"), (True, "true")):
        with pytest.raises(ValueError, match="expected") as caught:
            read(other)
        assert str(caught.value) == f"expected red or green, got {words}"


def test_what_needs_the_umpire_shows_each_conflict() -> None:
    """A sentence alone is a conflict, too. Columns side by side keep their layout."""
    beside = [["", "file", "record"], ["points", "3", "5"]]
    both = NeedsUmpire([Conflict("points differ", beside), Conflict("the owner differs")])
    assert str(both) == "points differ\nthe owner differs"
    assert [conflict.beside for conflict in both.conflicts] == [beside, []]
    alone = NeedsUmpire("the ledger is damaged")
    assert ([conflict.text for conflict in alone.conflicts], str(alone)) == (
        ["the ledger is damaged"],
        "the ledger is damaged",
    )


def test_a_mistake_knows_nothing_of_its_place_until_it_is_told() -> None:
    bare = Diagnostic("too many")
    assert (
        bare.at,
        with_place(bare).file,
        with_place(bare).line,
        with_place(bare).column,
        with_place(bare).source,
    ) == (
        (),
        "",
        0,
        0,
        "",
    )
    whole = PlacedDiagnostic("too many", at=("a", 1), file="f", line=2, column=3, source="x = 1")
    assert (whole.at, whole.file, whole.line, whole.column, whole.source) == (("a", 1), "f", 2, 3, "x = 1")

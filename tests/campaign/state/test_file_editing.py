"""The umpire's file is edited in place: what is not changed stays, byte for byte."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.state import file_editing
from cardbattle.campaign.state.changes import Change, apply_changes, merge_changes, pending, undone, value_at
from cardbattle.campaign.state.editing.layout import inline_value, is_same_data
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.file_editing import (
    battle_lines_of,
    battle_texts,
    edit_text,
    encode_text,
    with_lines,
)
from cardbattle.files.toml import BOM, Source, parse_toml
from tests.support import marches
from tests.support.characters import UNICODE


def source(text: str, bom: bool = False) -> Source:
    return parse_toml("campaign.toml", (BOM if bom else b"") + text.encode())


def taken_out(file: Source, battle: str) -> Change:
    key = ("pending", battle)
    changes, _ = with_lines(file.text, [Change(key, value_at(file.data, key), None)])
    return changes[0]


def test_only_the_values_change() -> None:
    file = source(marches.MARCHES)
    changes = [Change(("factions", "york", "points"), 12, 14), Change(("forces", "percy", "strength"), 14, 9)]
    expected = marches.MARCHES.replace("points = 12  # so far", "points = 14  # so far")
    expected = expected.replace("strength = 14   # men", "strength = 9   # men")
    assert edit_text(file, changes, 1) == expected.replace("revision = 0 ", "revision = 1 ")


def test_a_battle_goes_with_its_own_comments_and_comes_back_with_them() -> None:
    file = source(marches.MARCHES)
    change = taken_out(file, "bridge")
    assert change.text.startswith("# The bridge.\n[[pending]]")
    assert change.text.endswith("# Fog until noon.\n\n")
    without = edit_text(file, [change], 1)
    assert without == marches.MARCHES.replace(change.text, "").replace("revision = 0 ", "revision = 1 ")
    assert edit_text(source(without), undone([change]), 0) == marches.MARCHES


def test_all_battles_may_go_and_come_back() -> None:
    file = source(marches.MARCHES)
    keys = [("pending", "bridge"), ("pending", "wood")]
    changes, left = with_lines(file.text, [Change(key, value_at(file.data, key), None) for key in keys])
    without = edit_text(file, changes, 1)
    assert without == left.replace("revision = 0 ", "revision = 1 ")
    assert "pending" not in without
    assert "[[assert]]" in without
    assert edit_text(source(without), undone(changes), 0) == marches.MARCHES


def test_a_new_table_stays_out_of_a_comment_and_its_sample() -> None:
    """The samples of an empty campaign are above its first factions."""
    samples = (
        "# Who is at war.\n\n# [factions.red]\n# points = 0\n\n# Battles.\n\n# [[pending]]\n# id = 1\n\n"
    )
    end = '[factions.red]\nname = "Red"\n'
    text = f"revision = 0\n\n[scoring]\nwin = 2\n\n{samples}{end}"
    table = Change(("movement", ""), None, {})
    edited = edit_text(source(text), [table, Change(("movement", "allowance"), None, 2)], 1)
    assert edited == text.replace("revision = 0", "revision = 1").replace(
        samples, f"[movement]\nallowance = 2\n\n{samples}"
    )
    force = [Change(("forces", "guard"), None, {}), Change(("forces", "guard", "strength"), None, 2)]
    below = text.replace(end, "[locations.mill]\n")
    edited = edit_text(source(below), force, 1)
    assert "# points = 0\n\n[forces.guard]\nstrength = 2\n\n# Battles.\n\n# [[pending]]" in edited


HEAD = "revision = 0\n"
ONE, TWO = '[[pending]]\nid = "one"\n', '[[pending]]\nid = "two"\n'
ODD = {
    "an inline array": f'{HEAD}pending = [{{ id = "one", sides = ["a"] }}, {{ id = "two" }}]\n',
    "apart": f"{HEAD}{ONE}[other]\nx = 1\n{TWO}[pending.house]\nq = 1\n",
    "a part far away": f"{HEAD}{ONE}{TWO}[other]\nx = 1\n[pending.house]\nq = 1\n",
    "a header in a text": f'{HEAD}{ONE}note = """\n[[pending]]\n# none\n"""\n{TWO.strip()}',
    "a text that ends as a comment": f"{HEAD}{ONE}note = '''\n# it ends here'''\n\n{TWO}",
    "odd headers": (
        f'{HEAD}  [[ pending ]]  # one\n  id = "one"\n\n\t[["pending"]]\n\tid = "two"\n\t[pending.house]\n'
    ),
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("battle", ["one", "two"])
def test_odd_layouts_are_edited_or_left_alone(text: str, battle: str) -> None:
    file = source(text)
    change = taken_out(file, battle)
    assert change.place == ["one", "two"].index(battle)
    without = edit_text(file, [change], 1)
    expected = apply_changes(file.data, [change]) | {"revision": 1}
    assert is_same_data(tomllib.loads(without), expected)
    back = edit_text(source(without), undone([change]), 0)
    assert is_same_data(tomllib.loads(back), file.data)


def test_a_text_that_would_say_something_else_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_editing, "with_values", lambda text, changes: text)
    with pytest.raises(NeedsUmpire, match=r"campaign\.toml cannot be edited in place"):
        edit_text(source(marches.MARCHES), [Change(("turn",), 4, 5)], 1)


def test_a_value_that_is_neither_old_nor_new_needs_the_umpire() -> None:
    with pytest.raises(NeedsUmpire, match=r"^turn should be 3 before it becomes 5, but is 4; set it to 5 in"):
        edit_text(source(marches.MARCHES), [Change(("turn",), 3, 5)], 1)
    assert "turn = 4\n" in edit_text(source(marches.MARCHES), [Change(("turn",), 3, 4)], 1)
    with pytest.raises(NeedsUmpire, match=r"should be 1 before it becomes 5, but is true"):
        edit_text(source("turn = true\nrevision = 0"), [Change(("turn",), 1, 5)], 1)


def test_changes_of_one_value_are_merged() -> None:
    steps = [Change(("a",), 1, 2), Change(("b",), None, 1), Change(("a",), 2, 3), Change(("b",), 1, None)]
    assert merge_changes(steps) == [Change(("a",), 1, 3)]
    assert undone(steps[:2]) == [Change(("b",), 1, None), Change(("a",), 2, 1)]


def test_a_value_is_taken_away_again() -> None:
    change = Change(("forces", "percy", "destroyed"), None, True)
    with_it = edit_text(source(marches.MARCHES), [change], 0)
    assert "x_banner = 0.5\ndestroyed = true\n" in with_it
    assert edit_text(source(with_it), undone([change]), 0) == marches.MARCHES


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("# seen\ndestroyed = true\n", "# seen\n"),
        ("destroyed = true  # at Malpas, '#'\n", "# at Malpas, '#'\n"),
        ("\n# seen\n\n  destroyed = true\n# below\n", "\n# seen\n\n# below\n"),
        ("destroyed = '#' # a\r\n", "# a\r\n"),
        ("destroyed = true # the end", "# the end"),
        ("destroyed = [\n  1,\n]\n", ""),
    ],
)
def test_the_comments_of_a_value_that_is_taken_away_stay(lines: str, left: str) -> None:
    head = "revision = 1\n[forces.percy]\nstrength = 1\n"
    there = source(head + lines)
    change = Change(
        ("forces", "percy", "destroyed"), value_at(there.data, ("forces", "percy", "destroyed")), None
    )
    assert edit_text(there, [change], 1) == head + left


def test_the_comments_in_a_battle_stay_that_loses_a_value() -> None:
    text = 'revision = 1\n[[pending]]\nid = "mill"\n# of two\nseed = 5 # drawn\nsides = ["a", "b"]\n'
    there = source(text)
    before = value_at(there.data, ("pending", "mill"))
    assert isinstance(before, dict)
    after = {word: value for word, value in before.items() if word != "seed"}
    changed_file = edit_text(there, [Change(("pending", "mill"), before, after)], 1)
    assert changed_file == text.replace("seed = 5 # drawn", "# drawn")


def test_a_new_battle_is_written_as_an_umpire_would() -> None:
    table = {
        "id": "ford",
        "sides": [["a", "b"], ["c"]],
        "house": {"rounds": 3},
        "options": {"a": {"cards": ["2"]}},
    }
    assert battle_lines_of(table) == (
        '[[pending]]\nid = "ford"\nsides = [["a", "b"], ["c"]]\n[pending.house]\nrounds = 3\n'
        '[pending.options.a]\ncards = ["2"]\n'
    )
    text = edit_text(source("revision = 0\r\n"), [Change(("pending", "ford"), None, table)], 1)
    assert tomllib.loads(text) == {"revision": 1, "pending": [table]}
    assert text.count("\n") == text.count("\r\n")


VALUES = st.recursive(
    st.one_of(st.integers(-(2**63), 2**63 - 1), st.booleans(), st.text(UNICODE, max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(UNICODE, max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_any_value_fits_on_one_line(value: object) -> None:
    text = inline_value(value)
    assert "\n" not in text
    assert tomllib.loads(f"v = {text}")["v"] == value


@pytest.mark.slow
@given(st.dictionaries(st.text(UNICODE, max_size=4), VALUES, max_size=4))
def test_any_table_can_be_written_as_a_battle(table: dict[str, object]) -> None:
    assert tomllib.loads(battle_lines_of(table)) == {"pending": [table]}


SPACE = st.sampled_from(["", " ", "  ", "\t"])
COMMENT = st.sampled_from(["", "# said [[pending]] he", "#", '  # "quoted', "# = 1"])
NUMBERS = st.sampled_from(["14", "1_4", "0x0e", "0b1110", "0o16", "+14"])


@st.composite
def layouts(draw: st.DrawFn) -> str:
    """Return a campaign of three forces and three battles, laid out at random."""

    def gap() -> str:
        return "".join(f"{draw(SPACE)}{draw(COMMENT)}\n" for _ in range(draw(st.integers(0, 3))))

    def pair(key: str, value: str) -> str:
        return f"{draw(SPACE)}{key}{draw(SPACE)}={draw(SPACE)}{value}{draw(SPACE)}{draw(COMMENT)}\n"

    def force(key: str, style: str) -> str:
        strength = draw(NUMBERS)
        if style == "table":
            return (
                f"[forces.{key}]{draw(SPACE)}{draw(COMMENT)}\n" + gap() + pair("strength", strength) + gap()
            )
        if style == "inline":
            return pair(key, f"{{ strength ={draw(SPACE)}{strength}, name = 'x' }}")
        return pair(f"{key}.strength", strength) + gap() + pair(f"{key}.name", '"x"')

    def battle(key: str) -> str:
        sub = draw(st.sampled_from(["", "[pending.house]\nrounds = 3\n", "[pending.options.a]\nb = 1\n"]))
        sides = draw(st.sampled_from(['["a", "b"]', '[ # first\n  "a",\n  "b", # last\n]']))
        return f"[[pending]]{draw(COMMENT)}\n" + pair("id", f'"{key}"') + gap() + pair("sides", sides) + sub

    style = draw(st.sampled_from(["table", "inline", "dotted"]))
    forces = "".join(force(key, style) for key in ("a", "b", "c"))
    sections = [forces if style == "table" else f"[forces]\n{forces}"]
    battles = [gap() + battle(key) + gap() for key in ("one", "two", "three")]
    sections.insert(draw(st.integers(0, 1)), "".join(battles))
    sections.append(draw(st.sampled_from(["", '[[assert]]\nforce = "a"\n', "[x]\nodd = [ { a = nan } ]\n"])))
    text = gap() + pair("revision", "0") + gap() + "".join(sections)
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def comments(text: str) -> list[str]:
    """Return all the comments of a text, in order."""
    return [line[line.index("#") :].rstrip() for line in text.splitlines() if "#" in line]


@pytest.mark.slow
@given(layouts(), st.booleans(), st.data())
def test_in_any_layout_only_the_values_change(text: str, bom: bool, data: st.DataObject) -> None:
    """Comments, order, blank lines, line ends and byte order mark stay."""
    file = source(text, bom)
    forces = data.draw(st.sets(st.sampled_from("abc")))
    battles = data.draw(st.sets(st.sampled_from(["one", "two", "three"])))
    changes = [Change(("forces", key, "strength"), 14, 7) for key in sorted(forces)]
    for key in sorted(forces):
        if data.draw(st.booleans()):
            changes.append(Change(("forces", key, "destroyed"), None, True))
    removed = [taken_out(file, key) for key in ["one", "two", "three"] if key in battles]
    kept_lines = text
    for change in removed:
        assert change.text
        assert change.text in kept_lines
        kept_lines = kept_lines.replace(change.text, "", 1)
    new = edit_text(file, [*changes, *removed], 1)
    assert is_same_data(tomllib.loads(new), apply_changes(file.data, [*changes, *removed]) | {"revision": 1})
    assert comments(new) == comments(kept_lines)
    rest = iter(lines(new))  # the lines keep their order; a new line can come between them
    for line in lines(kept_lines):
        if "strength" not in line and "revision" not in line:
            assert line in rest
    assert len(lines(new)) <= len(lines(kept_lines)) + 2 * len(forces)
    assert ("\r\n" in new) == ("\r\n" in text)
    assert encode_text(file, new).startswith(BOM) == bom


@pytest.mark.slow
@given(layouts(), st.sampled_from(["one", "two", "three"]), st.booleans())
def test_in_any_layout_a_battle_that_is_there_is_written_anew_value_by_value(
    text: str, battle: str, new: bool
) -> None:
    """Every comment stays, the umpire's own keys too, and all lines of other values."""
    file = source(text.replace("[pending.house]", "[pending.house]\nx_page = 4"))
    before = value_at(file.data, ("pending", battle))
    assert isinstance(before, dict)
    after = before | ({"house": {"rounds": 4}} if "house" in before else {}) | ({"note": "b"} if new else {})
    after |= {"options": {"a": {"b": 1, "c": 2}}} if "options" in before else {}
    change = Change(("pending", battle), before, after)
    written = edit_text(file, [change], 1)
    assert is_same_data(tomllib.loads(written), apply_changes(file.data, [change]) | {"revision": 1})
    assert value_at(tomllib.loads(written), change.key) == after
    assert comments(written) == comments(file.text)
    rest = iter(lines(written))
    for line in lines(file.text):
        if "rounds" not in line and "revision" not in line:
            assert line in rest


def lines(text: str) -> list[str]:
    """Return the lines of a text."""
    return text.splitlines()


SAID = st.sampled_from(["", " # ] not here", "# [[pending]]", " # 'quoted", '# "', " #"])


@st.composite
def listings(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Return a campaign whose battles are a list, and the comments that do not belong to a battle."""
    kept: list[str] = []

    def said() -> str:
        words = draw(SAID)
        kept.extend([words.strip()] if words.strip() else [])
        return words

    def gap() -> str:
        return "".join(f"{draw(SPACE)}{said()}\n" for _ in range(draw(st.integers(0, 2))))

    count = draw(st.integers(1, 3))
    battles = [f"{{ id = '{key}', note = '] so' }}" for key in ("one", "two", "three")[:count]]
    key = draw(st.sampled_from(["pending", '"pending"', "  pending", "'pending'"]))
    text = gap() + "revision = 0" + said() + "\n" + gap() + key + draw(SPACE) + "=" + draw(SPACE) + "["
    if draw(st.booleans()):
        text += draw(SPACE) + ", ".join(battles) + draw(st.sampled_from(["", ",", " , "])) + "]"
    else:
        text += said() + "\n" + ",\n".join(battles) + draw(st.sampled_from(["", ","])) + "\n" + gap() + "]"
    text += said() + "\n" + gap()
    if draw(st.booleans()):
        text += "[x]\nodd = []" + said() + "\n"
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text, kept


@pytest.mark.slow
@given(listings(), st.booleans(), st.data())
def test_a_list_of_battles_that_empties_leaves_every_comment(
    listing: tuple[str, list[str]], bom: bool, data: st.DataObject
) -> None:
    """Whatever is said in it and beside it, and in whichever order its battles are fought."""
    text, kept = listing
    file = source(text, bom)
    assert comments(text) == kept
    battles = data.draw(st.permutations([str(one["id"]) for one in pending(file.data)]))
    done: list[Change] = []
    for number, battle in enumerate(battles, 1):
        change = taken_out(file, battle)
        new = edit_text(file, [change], number)
        expected = apply_changes(file.data, [change]) | {"revision": number}
        assert is_same_data(tomllib.loads(new), expected)
        assert comments(new) == kept
        assert ("\r\n" in new) == ("\r\n" in text)
        file = source(new, bom)
        done.append(change)
    assert "pending" not in file.data
    for number, change in enumerate(reversed(done)):
        file = source(edit_text(file, undone([change]), 10 + number), bom)
        assert comments(file.text) == kept
    assert is_same_data(file.data["pending"], pending(source(text).data))


def test_the_comment_on_the_line_of_the_last_battle_stays() -> None:
    text = 'revision = 0\npending = [{ id = "mill" }]  # the week of 8 July\nname = "x"\n'
    file = source(text)
    change = taken_out(file, "mill")
    new = edit_text(file, [change], 1)
    assert new == 'revision = 1\n# the week of 8 July\nname = "x"\n'


def test_a_battle_put_back_never_takes_the_comments_of_others_with_it() -> None:
    """Wherever its lines are put, as the file may have grown or shrunk since, they alone go again."""
    rest = "# Mine.\nformat = 1\nname = 'x'\nseed = 1\n\n# Of the assert.\n[[assert]]\nturn = 0\n# The end.\n"
    text = '# Its own.\n[[pending]]\nid = "mill"\nsides = ["a", "b"]\n'
    battle = {"id": "mill", "sides": ["a", "b"]}
    for line in range(12):
        for lines in (text, text + "\n", text + "# After.\n\n"):
            change = Change(("pending", "mill"), None, battle, lines, 0, line)
            there = file_editing.with_battle(rest, change)
            data = tomllib.loads(there)
            assert data["pending"] == [battle]
            gone = file_editing.with_battle(there, change._replace(before=battle, after=None))
            assert [one for one in gone.splitlines() if one] == [one for one in rest.splitlines() if one]


def battle_added(name: str, place: int) -> Change:
    return Change(("pending", name), None, {"id": name, "sides": ["percy", "stafford"]}, place=place)


@pytest.mark.slow
@given(layouts(), st.lists(st.tuples(st.sampled_from("vwxyz"), st.integers(2, 9)), min_size=2, max_size=5))
def test_battles_added_one_after_another_give_the_texts_of_single_edits(
    text: str, steps: list[tuple[str, int]]
) -> None:
    file, edits, expected = source(text), list[tuple[list[Change], int]](), list[str]()
    for revision, (name, place) in enumerate(steps, 5):
        is_there = value_at(file.data, ("pending", name)) is not None
        change = taken_out(file, name) if is_there else battle_added(name, place)
        expected.append(edit_text(file, [change], revision))
        edits.append(([change], revision))
        file = source(expected[-1])
    texts = battle_texts(source(text), edits)
    assert texts == expected[: len(texts)]


def test_only_battles_below_all_others_need_no_single_edits() -> None:
    edits = [([battle_added(name, place)], 7 + place) for name, place in [("a", 2), ("b", 3), ("c", 0)]]
    assert [text.count("[[pending]]") for text in battle_texts(source(marches.MARCHES), edits)] == [3, 4]

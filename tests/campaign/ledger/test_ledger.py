"""The ledger: it is appended, chained and read forward, and a torn end is not the same as damage."""

from __future__ import annotations

import tomllib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.ledger import ledger as ledgers
from cardbattle.campaign.ledger.ledger import (
    Entry,
    Ledger,
    entry_hash,
    entry_text,
    group_entries,
    is_first_value,
    is_torn,
    scan_ledger,
)
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.editing.layout import inline_value
from tests.support import marches
from tests.support.characters import UNICODE

FIGHT = Entry(
    0,
    "battle",
    [
        Change(("forces", "percy", "strength"), 14, 12),
        Change(("forces", "percy", "destroyed"), None, True),
        Change(
            ("pending", "bridge"), {"id": "bridge", "sides": ["a", "b"]}, None, "# why\n[[pending]]\n", 2, 40
        ),
    ],
    id="bridge",
    record="records/bridge.toml",
    digest="sha256:00",
    result=marches.result("percy", percy="2/5", stafford="1"),
    forced=["Percy had strength 14 then, and has 12 now"],
    reason="the 'river' rose; \"no\\way\" Glyndŵr\nsaid",
)
TURN = Entry(0, "turn", [Change(("turn",), 4, 5)])


def chained(*groups: list[Entry]) -> bytes:
    """Return a ledger of these groups of entries."""
    raw, last, count = ledgers.LEDGER_HEADING.encode(), "", 0
    for entries in groups:
        numbered = [entry._replace(revision=count + place) for place, entry in enumerate(entries, 1)]
        sealed = group_entries(numbered, last)
        raw += "".join(map(entry_text, sealed)).encode()
        last, count = sealed[-1].check, count + len(entries)
    return raw


SINGLE = chained([FIGHT], [TURN], [TURN])
GROUPED = chained([TURN], [FIGHT, TURN, TURN])


def test_an_entry_is_read_as_it_was_written() -> None:
    entry = scan_ledger(SINGLE).entries[0]
    assert entry == FIGHT._replace(revision=1, check=entry.check)
    assert entry.check == entry_hash(entry.table())
    assert tomllib.loads(SINGLE.decode())["entry"][0]["changes"][0] == {
        "key": "forces.percy.strength",
        "before": 14,
        "after": 12,
    }


def test_every_entry_is_linked_to_the_one_before() -> None:
    ledger = scan_ledger(SINGLE)
    assert [entry.revision for entry in ledger.entries] == [1, 2, 3]
    assert [entry.prev for entry in ledger.entries] == ["", ledger.entries[0].check, ledger.entries[1].check]
    assert (ledger.whole_entries, ledger.tail, ledger.damage, ledger.end) == (
        3,
        b"",
        None,
        len(SINGLE),
    )


@pytest.mark.parametrize(
    "raw", [b"", b"\n \t\n", b"# only words", ledgers.LEDGER_HEADING.encode(), b"\xef\xbb\xbf# BOM\n"]
)
def test_an_empty_ledger_has_no_entry_and_no_fault(raw: bytes) -> None:
    assert scan_ledger(raw) == Ledger(raw)


@pytest.mark.parametrize(
    "edit",
    [
        lambda raw: raw.replace(b"\n", b"\r\n"),
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.replace(b"\n\n", b"\n\n# the umpire's remark\n\n"),
        lambda raw: raw.replace(b" = ", b"=").replace(b"check=", b"check = "),
        lambda raw: raw.removesuffix(b"\n"),
        lambda raw: raw + b"\n\n   \n",
    ],
    ids=["CRLF", "BOM", "remarks", "spacing", "no last line end", "blank lines"],
)  # fmt: skip
def test_what_editors_and_git_do_to_a_text_is_no_damage(edit: object) -> None:
    assert callable(edit)
    ledger = scan_ledger(edit(SINGLE))
    assert (ledger.whole_entries, ledger.tail, ledger.damage) == (3, b"", None)


def test_reading_goes_on_where_it_stopped() -> None:
    first = scan_ledger(SINGLE[: scan_ledger(SINGLE).ends[0]])
    assert scan_ledger(SINGLE, first) == scan_ledger(SINGLE)


@pytest.mark.slow
def test_every_torn_end_is_put_aside_and_no_more() -> None:
    """Wherever the last entry is cut, the two before it stay; nothing is lost, nothing is kept of it."""
    ledger = scan_ledger(SINGLE)
    for cut in range(ledger.ends[1] + 1, len(SINGLE) - 1):
        torn = scan_ledger(SINGLE[:cut])
        assert (torn.whole_entries, is_torn(torn)) == (2, True)
        assert torn.raw[: torn.end] + torn.tail == SINGLE[:cut]
        assert torn.end in (ledger.ends[1], cut)


@pytest.mark.parametrize("size", [1, 10, 100])
def test_zeros_in_a_torn_end_are_put_aside(size: int) -> None:
    end = scan_ledger(SINGLE).ends[1]
    lost = SINGLE[:end] + bytes(size) + SINGLE[end + size :]
    torn = scan_ledger(lost)
    assert (torn.whole_entries, is_torn(torn), torn.tail) == (2, True, lost[end:])


@pytest.mark.slow
def test_a_group_without_its_last_part_is_a_torn_end() -> None:
    whole = scan_ledger(GROUPED)
    assert [entry.part for entry in whole.entries] == [(1, 1), (1, 3), (2, 3), (3, 3)]
    for cut in range(whole.ends[0] + 1, len(GROUPED) - 1):
        torn = scan_ledger(GROUPED[:cut])
        assert (torn.whole_entries, is_torn(torn)) == (1, True)
    zeros = scan_ledger(GROUPED[: whole.ends[0]] + bytes(300) + GROUPED[whole.ends[0] + 300 :])
    assert (zeros.whole_entries, is_torn(zeros)) == (1, True)


def test_two_entries_that_do_not_hold_good_are_no_torn_end() -> None:
    damaged = scan_ledger(SINGLE.replace(b"revision = 2", b"revision = 7"))
    assert (damaged.whole_entries, is_torn(damaged)) == (1, False)
    assert damaged.damage is not None
    assert damaged.damage.why == "this entry was changed after it was written"
    assert damaged.damage.line == SINGLE[: SINGLE.index(b"revision = 2")].count(b"\n")


@pytest.mark.slow
def test_changing_any_letter_of_any_entry_is_seen() -> None:
    whole = scan_ledger(SINGLE)
    start = SINGLE.index(b"[[entry]]")
    for place in range(start, len(SINGLE)):
        letter = SINGLE[place : place + 1]
        other = b"Z" if letter != b"Z" else b"Y"
        found = scan_ledger(SINGLE[:place] + other + SINGLE[place + 1 :])
        spacing = letter.isspace() or letter == b","  # a comma too many, a line end less
        assert found.whole_entries < 3 or (spacing and found.entries == whole.entries), place


def test_leaving_out_doubling_or_swapping_entries_is_seen() -> None:
    ends = [SINGLE.index(b"[[entry]]"), *scan_ledger(SINGLE).ends]
    parts = [SINGLE[a:b] for a, b in pairwise(ends)]
    head = SINGLE[: ends[0]]
    for order in ([1, 2], [0, 2], [0, 0, 1, 2], [1, 0, 2], [0, 2, 1]):
        assert scan_ledger(head + b"".join(parts[place] for place in order)).whole_entries < len(order)
    assert (
        scan_ledger(head + parts[0] + parts[1]).whole_entries == 2
    )  # a ledger cut at an entry is known by the revision


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"revision": 5}, "expected revision 1, got 5"),
        ({"revision": True}, "this entry is not valid: revision: expected a whole number"),
        ({"prev": "00"}, "an entry is missing before this one"),
        ({"part": [2, 3]}, "this entry is not the next part of its group"),
        ({"part": [0, 0]}, "this entry is not the next part of its group"),
        ({"part": [1]}, "this entry is not valid: part: expected a part such as [1, 3]"),
        ({"kind": 3}, "this entry is not valid: kind: expected text in quotes, got 3"),
        ({"id": "../x"}, "this entry is not valid: id: expected a key"),
        ({"changes": 3}, "this entry is not valid: changes: expected a list of changes"),
        ({"changes": [{}]}, "this entry is not valid: changes: key is missing"),
        ({"undoes": ["x"]}, "this entry is not valid: undoes: expected a whole number from 0"),
        ({"undoes": 3}, "this entry is not valid: undoes: expected a list of whole numbers"),
        ({"winners": [], "sides": {"a": {"losses": "7"}}}, "this entry is not valid: "),
        ({"winners": [], "sides": 3}, "this entry is not valid: sides: expected a table"),
        ({"extra": 1}, 'this entry is not valid: extra: unknown key "extra"'),
    ],
)  # fmt: skip
def test_a_forged_entry_with_a_right_hash_is_still_read_strictly(change: dict[str, object], why: str) -> None:
    import tomli_w

    table = {"revision": 1, "kind": "turn", "changes": [], "prev": "", **change}
    table["check"] = entry_hash(table)
    lines = tomli_w.dumps({key: value for key, value in table.items() if not isinstance(value, dict)})
    sides = [f"sides.{key} = {inline_value(side)}\n" for key, side in marches_sides(table)]
    body = lines.replace("check = ", "".join(sides) + "check = ")
    damage = scan_ledger(f"[[entry]]\n{body}".encode()).damage
    assert damage is not None
    assert damage.why.startswith(why)


def marches_sides(table: dict[str, object]) -> list[tuple[str, object]]:
    """Return the sides of an entry's table."""
    sides = table.get("sides", {})
    return list(sides.items()) if isinstance(sides, dict) else []


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"entry = 3\n", "expected [[entry]]"),
        (b"<<<<<<< ours\n", "expected [[entry]]"),
        (b"[[entry]]\nrevision = 1\n", "this entry has no end"),
        (b'[[entry]]\nrevision = \ncheck = "%b"\n' % (b"0" * 64), "this entry is not TOML"),
        (b'[[entry]]\na = %b1\ncheck = "%b"\n' % (b"[" * 9999, b"0" * 64), "this entry is not TOML"),
        (b'[[entry]]\na = "\xff"\ncheck = "%b"\n' % (b"0" * 64), "this entry is not TOML"),
        (b'[[entry]]\n[[entry]]\ncheck = "%b"\n' % (b"0" * 64), "this entry has no end before the next one"),
    ],
)  # fmt: skip
def test_what_is_no_entry_is_damage(raw: bytes, why: str) -> None:
    found = scan_ledger(raw)
    assert found.whole_entries == 0
    assert found.damage is not None
    assert (found.damage.line, found.damage.why) == (1, why)


def test_a_battle_taken_back_is_recorded_no_more_until_it_is_brought_back() -> None:
    undo, redo = (Entry(0, kind, [], id="bridge", undoes=[1]) for kind in ("undo", "redo"))
    assert found(chained([FIGHT])) == 1
    assert found(chained([FIGHT], [undo])) is None
    assert found(chained([FIGHT], [undo], [redo])) == 1
    assert found(chained([FIGHT], [undo], [redo], [undo])) is None
    assert found(chained([FIGHT], [undo], [FIGHT])) == 3


def found(raw: bytes) -> int | None:
    """Return the revision under which the bridge is recorded."""
    entry = scan_ledger(raw).find("bridge")
    return entry.revision if entry else None


VALUES = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.booleans(), st.text(UNICODE, max_size=9))
CHANGES = st.builds(
    Change,
    st.just(("forces", "percy", "strength")),
    VALUES,
    VALUES,
    st.text(UNICODE, max_size=9),
    st.just(0),
    st.integers(0, 9),
)
FIRST_VALUES = [Change(("format",), 1, 1), Change(("forces", "percy", "name"), "Hotspur", "Hotspur")]


@given(
    st.lists(CHANGES, max_size=3),
    st.booleans(),
    st.text(UNICODE, max_size=20),
    st.text(UNICODE, max_size=5),
)
def test_whatever_is_said_in_an_entry_is_read_again(
    changes: list[Change], is_first: bool, reason: str, word: str
) -> None:
    if is_first:  # then the first values are the changes with equal values
        changes = [change for change in changes if not is_first_value(change)]
    first_values = FIRST_VALUES if is_first else []
    entry = Entry(1, "adjust", changes, reason=reason, forced=[word], first_values=first_values)
    read: Ledger = scan_ledger(chained([entry]))
    assert read.damage is None
    assert read.entries[0]._replace(check="") == entry
    assert read.knows_values == is_first

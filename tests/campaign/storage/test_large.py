"""A large campaign: only the data that a battle changes is read again, with the same result."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from cardbattle.campaign.ledger import operations
from cardbattle.campaign.state import file_editing, model
from cardbattle.campaign.state.changes import Change, apply_changes, undone, value_at
from cardbattle.campaign.state.editing.layout import is_same_data
from cardbattle.campaign.state.file_editing import (
    cut_at_battles,
    edit_text,
    one_by_one,
    with_lines,
)
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.core.errors import InvalidInput
from cardbattle.files import toml_positions
from cardbattle.files.toml import parse_toml
from tests.benchmarks.campaign import large
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import marches

DATA = parse_toml("campaign.toml", marches.MARCHES.encode()).data
VALUES: list[object] = [
    0,
    7,
    -1,
    10**7,
    True,
    "york",
    "lancaster",
    "percy",
    "nobody",
    "regular",
    "\x07",
    "1/2",
]
KEYS = [
    ("forces", "percy", "strength"),
    ("forces", "percy", "faction"),
    ("forces", "percy", "commander"),
    ("forces", "percy", "location"),
    ("forces", "percy", "destroyed"),
    ("forces", "percy", "name"),
    ("forces", "percy", "strenght"),
    ("forces", "percy", "x_own"),
    ("forces", "nobody", "strength"),
    ("factions", "york", "points"),
    ("locations", "shrewsbury", "owner"),
    ("locations", "shrewsbury", "value"),
    ("turn",),
    ("seed",),
    ("scoring", "win"),
]  # fmt: skip


def told(campaign: Campaign) -> tuple[dict[str, object], dict[str, object]]:
    """Return all that a campaign says."""
    return {word: getattr(campaign, word) for word in type(campaign).model_fields}, campaign.data


def outcome(make: Callable[[], Campaign]) -> object:
    """Return what a campaign that is made says, or why it is refused."""
    try:
        return told(make())
    except InvalidInput as refused:
        return str(refused)


@pytest.mark.parametrize("key", KEYS, ids=".".join)
def test_a_campaign_after_a_change_is_the_campaign_read_anew(key: tuple[str, ...]) -> None:
    before = read_campaign(DATA)
    kept = copy.deepcopy(told(before))
    for value in [None, *VALUES]:
        changes = [Change(key, value_at(DATA, key), value)]
        whole = outcome(partial(read_campaign, apply_changes(DATA, changes)))
        assert outcome(partial(before.after, changes)) == whole
        assert told(before) == kept


def test_a_change_of_a_force_reads_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_campaign(DATA)
    monkeypatch.setattr(model, "read_campaign", None)  # reading all of it raises an error
    after = before.after([Change(("forces", "percy", "strength"), 14, 9)])
    assert after.forces["percy"].strength == 9
    assert after.forces["stafford"] is before.forces["stafford"]


def umpires_file(chance: Random, battles: int) -> str:
    """Return a campaign in an umpire's style: comments, blank lines, tables between the battles."""
    lines = [marches.MARCHES.partition("[[pending]]")[0].rstrip("\n")]
    for number in range(battles):
        lines += [""] * chance.randrange(3)
        lines += ["# about nothing", ""] * chance.randrange(2) + ["# at dawn"] * chance.randrange(2)
        lines += ["[[pending]]", f'id = "b{number}" # mist', 'sides = ["percy", "stafford"]']
        lines += ["[pending.options.percy]", "hand = 12"] * chance.randrange(2)
        lines += ["# fog"] * chance.randrange(2)
        lines += [f"[locations.l{number}]", "value = 1", "# a ford", ""] * chance.randrange(2)
    return chance.choice(["\n", "\r\n"]).join(lines) + "\n" * chance.randrange(2)


@pytest.mark.parametrize("seed", range(40))
def test_battles_taken_out_together_are_the_battles_taken_out_one_by_one(seed: int) -> None:
    chance = Random(seed)
    file = parse_toml("campaign.toml", umpires_file(chance, 6).encode())
    assert cut_at_battles(file.text) is not None
    wanted = chance.sample(range(6), chance.randrange(1, 7))
    data, changes = file.data, []
    for number in wanted:
        key = ("pending", f"b{number}")
        place = [table["id"] for table in data["pending"]].index(key[1])  # type: ignore[attr-defined]
        changes.append(Change(key, value_at(data, key), None, place=place))
        data = apply_changes(data, changes[-1:])
    together, text = with_lines(file.text, changes)
    apart, other = one_by_one(file.text, changes)
    assert [change.text.split() for change in together] == [change.text.split() for change in apart]
    assert is_same_data(parse_toml("a.toml", text.encode()).data, data)
    assert text.split() == other.split()
    left = parse_toml("campaign.toml", edit_text(file, together, 1).encode())
    back = edit_text(left, undone(together), 0)
    assert sorted(back.splitlines()) == sorted(file.text.splitlines())
    assert is_same_data(parse_toml("a.toml", back.encode()).data, file.data)


def test_a_layout_that_cannot_be_cut_is_edited_all_the_same() -> None:
    head = marches.MARCHES.partition("[[pending]]")[0]
    battles = [f'{{ id = "b{number}", sides = ["percy", "stafford"] }}' for number in range(3)]
    inline = f"revision = 0\npending = [\n{','.join(battles)}\n]\n"
    text = inline + head.replace("revision = 0", "x_r = 0")
    file = parse_toml("campaign.toml", text.encode())
    assert cut_at_battles(file.text) is None
    key = ("pending", "b1")
    change = Change(key, value_at(file.data, key), None, place=1)
    left = edit_text(file, [change], 1)
    assert [table["id"] for table in parse_toml("a", left.encode()).data["pending"]] == ["b0", "b2"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(20))
def test_battles_of_a_list_are_edited_together_as_they_are_one_by_one(seed: int) -> None:
    chance = Random(seed)
    battles = [f'{{ id = "b{number}", sides = ["percy", "stafford"] }}' for number in range(5)]
    text = f"pending = [ # soon\n    {', '.join(battles)}, # later\n] # all\nturn = 4\n"
    data, changes = parse_toml("campaign.toml", text.encode()).data, []
    for _ in range(chance.randrange(1, 16)):
        key = ("pending", f"b{chance.randrange(6)}")
        before, there = value_at(data, key), [table["id"] for table in data.get("pending", [])]  # type: ignore[attr-defined]
        place = there.index(key[1]) if before else chance.randrange(len(there) + 1)
        anew = {"id": key[1], "sides": ["percy", "owain"]}
        changes.append(Change(key, before, chance.choice([None, anew]) if before else anew, place=place))
        data = apply_changes(data, changes[-1:])
    together, after = with_lines(text, changes)
    apart, other = one_by_one(text, changes)
    assert (together, after) == (apart, other)
    assert is_same_data(parse_toml("a.toml", after.encode()).data, data)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["fight", "dry", "undo", "redo"])
def test_ten_battles_read_the_file_no_more_often_than_five(
    command: str, sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for battles in (5, 10):
        folder = sh.folder / f"war-{battles}"
        folder.mkdir()
        large(folder, 2 * battles, battles)
        ways = {
            "fight": [["fight", "--all"]],
            "dry": [["fight", "--all", "--dry-run"]],
            "undo": [["fight", "--all"], ["undo"]],
            "redo": [["fight", "--all"], ["undo"], ["redo"]],
        }[command]
        for way in ways:
            counted = Counted(monkeypatch)
            said = sh("campaign", "-C", str(folder), *way)
            assert said.code == 0, said.err
        counts.append(counted.reads)
        assert sh("campaign", "-C", str(folder), "check").code == 0
    assert counts[0] == counts[1]


class Counted:
    """Counts how often a whole campaign file is read, by any of its readers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reads = 0
        for room, name, function in (
            (operations, "read_campaign", read_campaign),
            (file_editing, "Places", toml_positions.Places),
            (model, "read_campaign", read_campaign),
        ):
            monkeypatch.setattr(room, name, self.counting(function))

    def counting(self, function: Callable[..., object]) -> Callable[..., object]:
        """Return a function that counts each call of another."""

        def call(*arguments: object) -> object:
            self.reads += 1
            return function(*arguments)

        return call

"""A small campaign whose dice are sealed, and what an umpire does with it, for the tests.

`python -m tests.support.sealed examples/sealed` rewrites the example of docs/sealed.md.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

import tomli_w

from cardbattle.battles.records.record import Record, record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.seals import master, seals
from cardbattle.campaign.seals.seal_rules import seals_in
from cardbattle.campaign.seals.seals import Seals
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.demo import copy_to
from cardbattle.cli.app import run
from cardbattle.files.toml import parse_toml
from tests.cli.test_cli import Said

MASTER = bytes(range(32))
WAR = """\
format = 1
name = "The Marches"
turn = 1
revision = 0
seed = "a long text that nobody would guess"
rules = "strategy-war"

[attrition]
rate = "1/2"

[factions.york]
[factions.lancaster]

[forces.percy]
faction = "york"
name = "Harry Percy"
strength = 14

[forces.mortimer]
faction = "york"
strength = 5

[forces.stafford]
faction = "lancaster"
strength = 9

[forces.hal]
faction = "lancaster"
strength = 6

[[pending]]
id = "mill"
sides = ["percy", "stafford"]
note = "at dawn"

[[pending]]
id = "wood"
sides = [["hal", "mortimer"], ["stafford"]]

[[pending]]
id = "ford"
sides = ["mortimer", "hal"]
rules = "field-of-honour"
"""
NONCES = {"percy": "Percy threw 3 4 1 6 2", "stafford": "Stafford's great secret"}


class Quiet:
    """Runs commands in this process, and keeps what they print."""

    def __call__(self, *arguments: str) -> Said:
        """Run one command."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(arguments))
        return Said(code, out.getvalue(), err.getvalue())


class PageApp:
    """An umpire at their desk: a folder with a campaign, and the commands of the program."""

    def __init__(self, shell: Callable[..., Said], folder: Path) -> None:
        self.shell = shell
        self.folder = folder
        self.file = folder / "campaign.toml"

    def __call__(self, *words: str) -> Said:
        """Run a command of the campaign."""
        return self.shell("campaign", "-C", str(self.folder), *words)

    def do(self, *words: str) -> str:
        """Run a command that must succeed; return what it printed."""
        said = self(*words)
        assert said.code == 0, said.err
        return said.out

    def fight(self, *battles: str) -> str:
        """Fight battles and return the seed of the last."""
        self.do("fight", *battles, "--no-odds", "-q")
        return self.seed_of(battles[-1])

    def seed_of(self, battle: str) -> str:
        """Return the seed with which a battle was recorded last."""
        entry = [one for one in self.ledger.entries if one.id == battle and one.record][-1]
        return str(self.read(entry.record)["seed"])

    def edit(self, old: str, new: str) -> None:
        """Change the campaign's file by hand."""
        text = self.file.read_text(encoding="utf-8")
        assert old in text
        self.file.write_text(text.replace(old, new, 1), encoding="utf-8")

    def read(self, name: str) -> dict[str, Any]:
        """Return what a file of the campaign says."""
        return tomllib.loads((self.folder / name).read_text(encoding="utf-8"))

    @property
    def ledger(self) -> Ledger:
        """The current ledger."""
        return store.load_ledger(str(self.folder), whole=True)

    @property
    def spent(self) -> dict[int, str]:
        """The battle of each slot that is spent."""
        found = seals_in(self.ledger)
        return {slot.number: slot.battle for slot in found.spent()} if found else {}


def founded(shell: Callable[..., Said], folder: Path, slots: int = 4) -> PageApp:
    """Return the desk with the campaign, its dice just sealed."""
    folder.mkdir()
    (folder / "campaign.toml").write_text(WAR, encoding="utf-8")
    desk = PageApp(shell, folder)
    desk.do("seal", "--slots", str(slots), "-q")
    return desk


def promise_of(nonce: str) -> str:
    """Return what a player sends before a battle."""
    return f"sha256:{sha256(nonce.encode()).hexdigest()}"


def add_nonces(desk: PageApp, nonces: Mapping[str, str] = NONCES) -> None:
    """Let both sides of the mill promise their nonces, give it its slot, and let them tell the nonces."""
    desk.do("seal", "mill", *(f"--nonce={side}={promise_of(nonce)}" for side, nonce in nonces.items()))
    desk.do("seal", "mill")
    desk.do("seal", "mill", *(f"--nonce={side}={nonce}" for side, nonce in nonces.items()))


def read_published(table: Mapping[str, Any]) -> Seals:
    """Return what a seals.toml with this table says."""
    return seals.read_seals(parse_toml("seals.toml", tomli_w.dumps(table).encode()))


def made_right(table: dict[str, Any]) -> Record:
    """Return a record that was altered, its digest made right again."""
    whole = copy.deepcopy(table) | {"digest": record_digest(table)}
    return read_record(whole)


def secrets_of(count: int) -> list[str]:
    """Return the secrets of the first slots, in hexadecimal digits."""
    return [master.slot_secret(MASTER, "The Marches", number + 1) for number in range(count)]


def recomputed(table: Mapping[str, Any]) -> str:
    """Return the seed of a published slot's battle by the page's own formula, without the program's."""
    battle = json.loads(table["exported"])
    sides = [forces[0] for forces in battle["bound"]["seal"]["sides"]]
    told = "|".join(table.get("nonces", {}).get(side, "") for side in sides)
    text = json.dumps(battle, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    message = f"cardbattle-seal-1|{table['battle']}|{sha256(text.encode()).hexdigest()}|{told}"
    key = bytes.fromhex(table["secret"])
    blocks = [bytes(one ^ pad for one in key.ljust(64, b"\0")) for pad in (0x36, 0x5C)]  # RFC 2104
    return sha256(blocks[1] + sha256(blocks[0] + message.encode()).digest()).hexdigest()


def write_example(folder: Path) -> None:
    """Write what the players of a campaign have of its sealed dice: before, after, and a record."""
    folder.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        mock.patch("secrets.token_bytes", lambda size: MASTER[:size]),
    ):
        desk = PageApp(Quiet(), Path(copy_to(f"{place}/war")))
        desk.do("seal", "--slots", "3")
        shutil.copy(desk.folder / "seals.toml", folder / "before.toml")
        add_nonces(desk, {"vaughan": "seven geese and a ladder", "birch": "3 5 1 1 6 2 on my own dice"})
        desk.fight("mill")
        desk.do("reveal", "mill")
        shutil.copy(desk.folder / "seals.toml", folder)
        shutil.copy(desk.folder / "records" / "mill.toml", folder)


if __name__ == "__main__":
    write_example(Path(sys.argv[1]))

"""Print what the same seeds come to here: `python -m tests.support.same_bytes`.

For every rule set the hash of the records of some battles, green and regular, and of their odds; and the
hash of a whole site, chances and all.
Wherever it runs, compiled or not, the output is the same, byte for byte.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from cardbattle.battles.records.battle_file import bare_battle, canonical, read_battle
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.chance import child_seed
from cardbattle.rules import RULE_SETS, find
from cardbattle.simulation.counting import count

BATTLES = 6


def battles_of(rules: str, ranks: list[str], most: int) -> str:
    """Return the hash of records, odds and all, of battles among these commanders."""
    sides = list(find(rules).default_sides)[:most]
    named = [f"{side}={ranks[seat % len(ranks)]}" for seat, side in enumerate(sides)]
    plan = read_battle(bare_battle(rules, named) | {"seed": 1403}, "")
    hashed = sha256()
    for number in range(BATTLES):
        record, referee = fight_battle(plan._replace(seed=child_seed(1403, f"bytes/{number}")))
        hashed.update(canonical(record.table).encode())
        events = [find(rules).as_json(event.all_seeing(), plan.setup.seats) for _, event in referee.events]
        hashed.update(json.dumps(events).encode())
    counted = count(plan, "odds", 0, BATTLES)
    hashed.update(
        repr((counted.won, counted.points, counted.scores, counted.losses, counted.firsts)).encode()
    )
    return hashed.hexdigest()


def site() -> str:
    """Return the hash of all pages of a campaign in which some battles were fought."""
    from cardbattle.cli.app import run  # which needs more than the battles do

    hashed = sha256()
    with TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        war = Path(name) / "war"
        assert run(["demo", str(war)]) == 0
        assert run(["campaign", "-C", str(war), "fight", "--all", "--no-odds", "-q", "-j", "1"]) == 0
        assert run(["campaign", "-C", str(war), "site", "--chances", "--records", "-q", "-j", "1"]) == 0
        for path in sorted((war / "site").rglob("*.*")):
            hashed.update(path.read_bytes())
    return hashed.hexdigest()


def tell_battles() -> None:
    """Print a line for every rule set and kind of battle."""
    for rules in RULE_SETS:
        for ranks in (["green"], ["regular"], ["regular", "green"]):
            print(f"{rules} {'-'.join(ranks)} {battles_of(rules, ranks, find(rules).most)}")


def main() -> None:
    """Print a line for every rule set and kind of battle, and one for a site."""
    tell_battles()
    print(f"site {site()}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

"""What happens to a campaign, all of it from one number: commands, hand edits, mishaps."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.stress.machine import FULL, POWER, Mishap
from tests.support.faults import DEATHS, ERRORS

CAMPAIGN = """\
# The umpire's own words.
format = 1
name = "War"
turn = 1   # spring
revision = 0   # the tool counts
seed = 1403
rules = "strategy-war"

[scoring]
win = 2
draw = 1
per_score = 1

[attrition]
rate = "1/2"
winner_rate = "1/4"
destroyed_below = 2

# Those of the rose.
[factions.york]
points = 12   # so far
[factions.lancaster]
points = 9

[forces.percy]
faction = "york"
name = "Harry Percy"
strength = 14   # men-at-arms
location = "bridge"
x_banner = "azure"

[forces.mortimer]
faction = "york"
strength = 5
location = "tower"   # or near it

# They came late.
[forces.stafford]
faction = "lancaster"
strength = 9
location = "tower"

[locations.bridge]
owner = "york"   # for now
[locations.tower]

# At dawn.
[[pending]]
id = "bridge"
sides = ["percy", "stafford"]
stakes = "bridge"
# Fog until noon.

[[pending]]
id = "wood"
sides = [["percy", "mortimer"], ["stafford"]]
stakes = "bridge"
x_map = "4b"

# Not to be forgotten.
[[assert]]
force = "percy"
faction = "york"
"""
BATTLES = {
    "bridge": ("percy", "stafford"),
    "wood": ("percy", "stafford"),
    "mill": ("mortimer", "stafford"),
    "hill": ("stafford", "mortimer"),
}
LOSSES = ("0", "1/7", "1/3", "1/2", "1/1")
VALUES = {
    "forces.percy.strength": ("3", "11", "16"), "forces.mortimer.strength": ("1", "6"),
    "forces.stafford.strength": ("2", "8"), "factions.york.points": ("0", "20"),
    "factions.lancaster.points": ("4", "9"), "locations.bridge.owner": ("york", "lancaster"),
    "turn": ("3", "7"), "forces.percy.name": ("Hotspur", "Harry Percy"),
    "forces.stafford.location": ("tower", "bridge"),
}  # fmt: skip
STEPS = ("+=2", "-=3", "=+1", "=-2")
FAULTS = (*DEATHS, "short write", *ERRORS, FULL, *POWER)
FARTHEST = 26  # the call at which the last mishap may happen
LOCKED = 6  # the call before which most commands have the lock, and others can still overtake them


class Step(NamedTuple):
    """One step: a command or another action, its arguments, and what happens meanwhile."""

    do: str
    words: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    mishaps: tuple[Mishap, ...] = ()

    def __str__(self) -> str:
        told = " ".join([self.do, *self.words, *map(str, self.numbers)])
        return "".join([told, *(f"\n    at call {one.call}: {mishap_told(one)}" for one in self.mishaps)])


def mishap_told(mishap: Mishap) -> str:
    """Describe a mishap."""
    number = f" ({mishap.number})" if mishap.what in POWER else ""
    return f"{mishap.what}{number}" if mishap.step is None else f"{mishap.what}: {mishap.step}"


class Story(NamedTuple):
    """The fate of a campaign: how its file is written, and what happens to it step by step."""

    seed: int
    line_end: str
    bom: bool
    every: int  # entries after which the checkpoint is written
    exchanges: bool  # whether the system lets two files change places
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        page = f"lines end in {self.line_end!r}{', after a mark' if self.bom else ''}"
        head = f"seed {self.seed}: {page}, a checkpoint after {self.every}, exchanges: {self.exchanges}"
        return "\n".join([head, *(f"{n}. {step}" for n, step in enumerate(self.steps, 1))])


def told_by(seed: int) -> Story:
    """Return the story of a seed."""
    chance = Random(seed)
    teller = Teller(chance)
    length = chance.choice((4, 8, 16, 30, 50))
    return Story(
        seed,
        chance.choice(("\n", "\n", "\n", "\r\n")),
        chance.random() < 0.1,
        chance.choice((2, 5, 12)),
        chance.random() < 0.7,
        teller.steps(length),
    )


class Teller:
    """Draws the steps of one story; each story has its own likings, so that all are tried."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        ways: dict[str, Callable[[], Step]] = {
            "fight": self.fight, "import": self.import_results, "override": self.override, "undo": self.undo,
            "redo": lambda: Step("redo"), "adjust": self.adjust, "turn": lambda: Step("turn"),
            "move": self.move, "add": lambda: Step("add", (self.battle(),)),
            "note": lambda: Step("note", (chance.choice(("rain", "geese")),)),
            "edit": self.edit, "export": self.export,
            "power cut": lambda: Step("power cut", (), (self.number(),)),
            "read": lambda: Step(chance.choice(("check", "history", "standings"))),
            "check": lambda: Step("check"),
        }  # fmt: skip
        self.ways = ways
        self.liking = {name: chance.choice((0, 1, 1, 2, 5)) for name in ways} | {"fight": 1, "redo": 2}
        self.liking["undo"] += 2
        self.liking["export"] = min(1, self.liking["export"])
        self.trouble = chance.choice((0, 0.1, 0.4))
        self.company = chance.choice((0, 0.1, 0.4))

    def number(self) -> int:
        return self.chance.randrange(1_000_000)

    def battle(self) -> str:
        return self.chance.choices(list(BATTLES), (4, 4, 2, 1))[0]

    def steps(self, length: int) -> tuple[Step, ...]:
        """Return so many steps; after an undo comes a redo more often, and something between them."""
        found: list[Step] = []
        while len(found) < length:
            found.append(self.step())
            if found[-1].do == "undo" and self.chance.random() < 0.4:
                found += [self.chance.choice((self.fight, self.adjust, self.override))(), Step("redo")]
        return tuple(found)

    def step(self) -> Step:
        """Return a step with what happens meanwhile."""
        step = self.ways[self.chance.choices(list(self.liking), list(self.liking.values()))[0]]()
        if step.do in ("edit", "power cut", "export"):
            return step
        call = self.chance.randint(1, FARTHEST)
        if self.chance.random() < self.trouble:
            first = Mishap(call, self.chance.choice(FAULTS), self.number())
            second = Mishap(call + self.chance.randint(1, 9), self.chance.choice(FAULTS), self.number())
            return step._replace(mishaps=(first, second)[: self.chance.choice((1, 1, 2))])
        if self.chance.random() < self.company:
            other = self.edit() if self.chance.random() < 0.5 else self.step()
            if other.do not in ("power cut", "export"):
                call = self.chance.choice((call, self.chance.randint(1, LOCKED)))
                return step._replace(mishaps=(Mishap(call, "meanwhile", 0, other),))
        return step

    def export(self) -> Step:
        return Step("export", (self.battle(),))

    def fight(self) -> Step:
        names = self.chance.choice(((), (), (self.battle(),), (self.battle(), self.battle()), ("--all",)))
        return Step("fight", names)

    def result(self, battle: str) -> tuple[str, ...]:
        """Return who won, and what the sides lost."""
        sides = BATTLES[battle]
        winner = self.chance.choice((*sides, ""))
        return (winner, *(self.chance.choice(LOSSES) for _ in sides))

    def import_results(self) -> Step:
        """Bring in one result or several, exported before or not, now and then by force."""
        names = [self.battle() for _ in range(self.chance.choice((1, 1, 1, 2, 3)))]
        words = [word for name in dict.fromkeys(names) for word in (name, *self.result(name))]
        return Step("import", (*words, *self.chance.choice(((), (), ("bound",), ("bound", "--force")))))

    def override(self) -> Step:
        battle = self.battle()
        return Step("override", (battle, *self.result(battle), *self.force()))

    def force(self) -> tuple[str, ...]:
        return ("--force",) if self.chance.random() < 0.25 else ()

    def undo(self) -> Step:
        what = self.chance.choice(("", "", "", "", self.battle(), str(self.chance.randint(1, 9))))
        return Step("undo", (what, *self.force()))

    def setting(self) -> str:
        key = self.chance.choice(list(VALUES))
        counts = key.endswith(("points", "strength", "turn"))
        if counts and self.chance.random() < 0.5:
            return key + self.chance.choice(STEPS)
        return f"{key}={self.chance.choice(VALUES[key])}"

    def adjust(self) -> Step:
        return Step("adjust", tuple(self.setting() for _ in range(self.chance.choice((1, 1, 2)))))

    def move(self) -> Step:
        """Move a force or two to one of the places."""
        forces = self.chance.sample(("percy", "mortimer", "stafford"), self.chance.choice((1, 1, 2)))
        return Step("move", (*forces, self.chance.choice(("bridge", "tower"))))

    def edit(self) -> Step:
        """Save campaign.toml from an editor; one opened long ago has an old text in it."""
        what = self.chance.choice(("set", "set", "comment", "blank", "uncomment", "move", "add", "add",
                                   "add", "take", "note", "own", "touch", "spoil", "end"))  # fmt: skip
        age = self.chance.choice((0, 0, 0, 0, 1, 2, 5))
        key = self.chance.choice(list(VALUES))
        words = (what, key, self.chance.choice(VALUES[key]), self.battle())
        return Step("edit", words, (age, self.number(), self.number()))

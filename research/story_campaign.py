"""Fight a war of random orders and print its stories, to be read in a row as a player reads them.

    python -m research.story_campaign --turns 6 --seed 1

Eight forces of three factions, most with a leader, march on seven places. Each faction has a target, which it
attacks until it holds it or has failed often enough. Each battle is fought by another rule set. Beaten forces
retreat, and leaders can be killed or captured. The reports are for the public. research.print_stories prints
single stories with their logs instead.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import cycle
from pathlib import Path

from cardbattle import rule_sets
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.storage import store

FACTIONS = {"crown": "The Crown of Ardmore", "league": "The League of the Quays", "hills": "The Hill Clans"}
FORCES = {  # the faction, the name, the leader and the first place of each
    "vanguard": ("crown", "The King's Vanguard", "Sir Aldric Vane", "stonebridge"),
    "guard": ("crown", "The Ardmore Guard", "Lady Maud Ferrers", "tollhouse"),
    "levy": ("crown", "The Mountain Levy", "", "stonebridge"),
    "pikes": ("league", "The Town Pikes", "Joss the Weaver", "midquay"),
    "roche": ("league", "Captain Roche's Company", "Captain Roche", "wharfton"),
    "bargemen": ("league", "The Bargemen", "Widow Tarn", "midquay"),
    "riders": ("hills", "The Marsh Riders", "Tam of the Reeds", "oldford"),
    "axes": ("hills", "The Clan Axes", "Old Hamish Gorm", "greyhill"),
}
PLACES = {
    "stonebridge": ("Stonebridge", "crown"),
    "tollhouse": ("The Tollhouse", "crown"),
    "midquay": ("Midquay", "league"),
    "wharfton": ("Wharfton", "league"),
    "oldford": ("The Old Ford", "hills"),
    "greyhill": ("Greyhill", "hills"),
    "saltings": ("The Saltings", ""),
}
ROADS = [
    ("stonebridge", "tollhouse"),
    ("stonebridge", "greyhill"),
    ("tollhouse", "midquay"),
    ("tollhouse", "oldford"),
    ("midquay", "wharfton"),
    ("wharfton", "saltings"),
    ("oldford", "saltings"),
    ("oldford", "greyhill"),
    ("oldford", "midquay"),
]
PATIENCE = 3  # maximum number of turns in which a faction attacks the same place
COMMANDERS = ("green", "regular", "seasoned")  # chances of higher ranks take long to count
HEAD = """format = 1
name = "The Aure valley"
turn = 1
rules = "field-of-honour"
seed = {seed}
[calendar]
first_day = 1472-04-06
days = 7
[visibility]
commander = "all"
location = "all"
strength = "rough"
[attrition]
rate = "1/2"
winner_rate = "1/4"
destroyed_below = 2
[movement]
allowance = 1
contact = "road-and-place"
[aftermath]
retreat = "nearest-own"
no_retreat = "surrenders"
capture = true
pursuit = "1/10"
leader_killed = "1/8"
leader_captured = "1/6"
exchange = true
[recovery]
rate = "1/5"
"""


class War:
    """A campaign in a folder, in which every faction marches on a place of an enemy."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)
        keys = [rules.key for rules in rule_sets()]
        self.rules = cycle(self.chance.sample(keys, len(keys)))
        self.targets: dict[str, tuple[str, int]] = {}  # the place that a faction attacks, and for how long
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "campaign.toml").write_text(self.text(seed), encoding="utf-8")

    def text(self, seed: int) -> str:
        """Return a campaign file with all forces, places and roads."""
        parts = [HEAD.format(seed=seed)]
        parts += [f'[factions.{key}]\nname = "{name}"\n' for key, name in FACTIONS.items()]
        for key, (faction, name, leader, place) in FORCES.items():
            strength = self.chance.randrange(20, 60)
            lines = [
                f'[forces.{key}]\nname = "{name}"\nfaction = "{faction}"\nlocation = "{place}"',
                f'strength = {strength}\nfull = {strength}\ncommander = "{self.chance.choice(COMMANDERS)}"',
                *([f'leader = "{leader}"'] if leader else []),
            ]
            parts.append("\n".join(lines) + "\n")
        for key, (name, owner) in PLACES.items():
            parts.append(f'[locations.{key}]\nname = "{name}"\n' + (f'owner = "{owner}"\n' if owner else ""))
        parts += [f'[[road]]\nbetween = ["{one}", "{other}"]\n' for one, other in ROADS]
        return "\n".join(parts)

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run a command of `cardbattle campaign` and return what it prints."""
        command = [sys.executable, "-m", "cardbattle", "campaign", "-C", str(self.folder), *arguments]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
        if done.returncode not in (0, code):
            raise SystemExit(f"{' '.join(arguments)}: exit code {done.returncode}")
        return done.stdout

    @property
    def campaign(self) -> Campaign:
        """The campaign as it is now."""
        return store.load(str(self.folder)).campaign

    def target(self, faction: str, campaign: Campaign) -> str:
        """Return the place that a faction attacks in this turn: the same one for some turns."""
        place, turns = self.targets.get(faction, ("", 0))
        if place and campaign.locations[place].owner != faction and turns < PATIENCE:
            self.targets[faction] = (place, turns + 1)
            return place
        own = [force.location for key, force in campaign.forces.items() if FORCES[key][0] == faction]
        near = [key for road in ROADS for key in road if {*road} & {*own}]
        enemies = {force.location for key, force in campaign.forces.items() if FORCES[key][0] != faction}
        others = [key for key in near if key in enemies and key != place]
        others = others or [key for key in near if campaign.locations[key].owner != faction]
        place = self.chance.choice(others) if others else ""
        self.targets[faction] = (place, 1)
        return place

    def orders(self, campaign: Campaign) -> str:
        """Return the orders of all factions.

        Each sends one or two forces to its target, and the others guard its places.
        """
        lines: list[str] = []
        for faction in FACTIONS:
            target = self.target(faction, campaign)
            lines.append(f"the-aure-valley/{faction}@{campaign.turn}:")
            forces = [
                key for key, force in campaign.forces.items()
                if FORCES[key][0] == faction and not force.destroyed and force.location is not None
            ]  # fmt: skip
            self.chance.shuffle(forces)
            forces.sort(key=lambda key: distance(str(campaign.forces[key].location), target))
            guarded = [target]
            for number, key in enumerate(forces):
                here = str(campaign.forces[key].location)
                is_sent = number < self.chance.choice((1, 2, 2))
                goal = target if is_sent else self.post(faction, here, guarded, campaign)
                guarded.append(goal)
                near = next_place(here, goal)
                lines.append(f"{key}: march to {near}" if near else f"{key}: hold")
        return "\n".join(lines) + "\n"

    def post(self, faction: str, here: str, guarded: Sequence[str], campaign: Campaign) -> str:
        """Return the place that a force guards: where it is, or a place of its faction without a force."""
        own = [key for key, place in campaign.locations.items() if place.owner == faction]
        free = [key for key in own if key not in guarded]
        return here if here in own or not free else self.chance.choice(free)

    def fight_turn(self) -> None:
        """Order and move the forces, give each battle another rule set, and fight the turn to its end."""
        mail = self.folder / "orders.txt"
        mail.write_text(self.orders(self.campaign), encoding="utf-8")
        self.run("orders", "take", str(mail))
        self.run("advance", "--no-wait", "--phase", "movement", "--quiet", code=4)
        for battle in self.campaign.pending:
            self.run("edit", battle.id, "--set", f"rules={next(self.rules)}", "--quiet")
        self.run("advance", "--fight", "--no-wait", "--quiet")


def next_place(place: str, target: str) -> str:
    """Return the next place on the shortest way from a place to the target, or "" if there is none."""
    ways = {target: ""}
    queue = [target] if target else []
    for here in queue:
        for road in ROADS:
            if here in road:
                there = road[1 - road.index(here)]
                if there not in ways:
                    ways[there] = here
                    queue.append(there)
    return ways.get(place, "")


def distance(place: str, target: str) -> int:
    """Return the number of roads from a place to the target, or 0 if there is no way."""
    near = next_place(place, target)
    return 1 + distance(near, target) if near else 0


def stories_in(report: str) -> list[str]:
    """Return the stories of a report in Markdown, with their headings."""
    sections = report.split("\n## ")[1:]
    return [f"## {section}" for section in sections if " battle for " in section.partition("\n")[0]]


def main() -> None:
    """Fight the campaign and print the report of each turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stories", action="store_true", help="print only the stories, one after the other")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the campaign in this folder")
    wanted = parser.parse_args()
    with nullcontext(wanted.keep) if wanted.keep else tempfile.TemporaryDirectory() as folder:
        war = War(Path(folder), wanted.seed)
        for turn in range(1, wanted.turns + 1):
            war.fight_turn()
            text = war.run("report", "--turn", str(turn), "--for", "public")
            print("\n".join(stories_in(text)) if wanted.stories else text, flush=True)


if __name__ == "__main__":
    main()

"""Fight a campaign of random battles and print its stories, to be read in a row as a player reads them.

    python -m research.story_campaign --turns 6 --seed 1

Eight forces of three factions, most with a leader, fight two battles in each turn, each by another rule set.
Beaten forces retreat, and leaders can be killed or captured. Each report is for the public, and is printed
when the next battles are known. research.print_stories prints single stories with their logs instead.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from cardbattle import rule_sets
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.storage import store

FACTIONS = {"crown": "The Crown of Ardmore", "league": "The League of the Quays", "hills": "The Hill Clans"}
FORCES = {
    "vanguard": ("crown", "The King's Vanguard", "Sir Aldric Vane"),
    "guard": ("crown", "The Ardmore Guard", "Lady Maud Ferrers"),
    "levy": ("crown", "The Mountain Levy", ""),
    "pikes": ("league", "The Town Pikes", "Joss the Weaver"),
    "roche": ("league", "Captain Roche's Company", "Captain Roche"),
    "bargemen": ("league", "The Bargemen", "Widow Tarn"),
    "riders": ("hills", "The Marsh Riders", "Tam of the Reeds"),
    "axes": ("hills", "The Clan Axes", "Old Hamish Gorm"),
}
PLACES = {
    "midquay": ("Midquay", "league"),
    "wharfton": ("Wharfton", "league"),
    "stonebridge": ("Stonebridge", "crown"),
    "tollhouse": ("The Tollhouse", "crown"),
    "oldford": ("The Old Ford", "hills"),
    "greyhill": ("Greyhill", "hills"),
}
COMMANDERS = ("green", "regular", "seasoned")  # chances of higher ranks take long to count
HEAD = """format = 1
name = "The Aure valley"
turn = 1
seed = {seed}
[calendar]
first_day = 1472-04-06
days = 7
[visibility]
commander = "all"
strength = "rough"
[attrition]
rate = "1/2"
winner_rate = "1/4"
[aftermath]
retreat = "nearest-own"
leader_killed = "1/8"
leader_captured = "1/6"
"""


def campaign_text(chance: random.Random, seed: int) -> str:
    """Return a campaign file with all forces, places and roads, and without battles."""
    parts = [HEAD.format(seed=seed)]
    parts += [f'[factions.{key}]\nname = "{name}"\n' for key, name in FACTIONS.items()]
    for key, (faction, name, leader) in FORCES.items():
        lines = [
            f'[forces.{key}]\nname = "{name}"\nfaction = "{faction}"\nstrength = {chance.randrange(20, 60)}'
        ]
        lines.append(f'commander = "{chance.choice(COMMANDERS)}"')
        lines += [f'leader = "{leader}"'] if leader else []
        parts.append("\n".join(lines) + "\n")
    parts += [
        f'[locations.{key}]\nname = "{name}"\nowner = "{owner}"\n' for key, (name, owner) in PLACES.items()
    ]
    return "\n".join(parts)


def battles_text(chance: random.Random, campaign: Campaign) -> str:
    """Return two pending battles between random forces of different factions."""
    forces = [key for key, force in campaign.forces.items() if not force.destroyed]
    owners = {key: place.owner for key, place in campaign.locations.items()}
    chance.shuffle(forces)
    parts: list[str] = []
    staked: list[str] = []
    for number in (1, 2):
        one = forces.pop()
        other = next(key for key in forces if FORCES[key][0] != FORCES[one][0])
        forces.remove(other)
        owned = [key for key, owner in owners.items() if owner in (FORCES[one][0], FORCES[other][0])]
        rules = chance.choice(list(rule_sets())).key
        stake = chance.choice([key for key in owned if key not in staked] or list(owners))
        staked.append(stake)
        parts.append(
            f'\n[[pending]]\nid = "t{campaign.turn}-{number}"\nsides = ["{one}", "{other}"]\n'
            f'rules = "{rules}"\nstakes = "{stake}"\n'
        )
    return "".join(parts)


def add_battles(file: Path, chance: random.Random) -> None:
    """Add two pending battles to a campaign file."""
    battles = battles_text(chance, store.load(str(file.parent)).campaign)
    file.write_text(file.read_text("utf-8") + battles, encoding="utf-8")


def stories_in(report: str) -> list[str]:
    """Return the stories of a report in Markdown, with their headings."""
    sections = report.split("\n## ")[1:]
    return [f"## {section}" for section in sections if section.startswith("The battle for ")]


def main() -> None:
    """Fight the campaign and print the report of each turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stories", action="store_true", help="print only the stories, one after the other")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the campaign in this folder")
    wanted = parser.parse_args()
    chance = random.Random(wanted.seed)
    with nullcontext(wanted.keep) if wanted.keep else tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "campaign.toml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(campaign_text(chance, wanted.seed), encoding="utf-8")
        command = [sys.executable, "-m", "cardbattle", "campaign", "-C", folder]
        add_battles(file, chance)
        for turn in range(1, wanted.turns + 1):
            advance = [*command, "advance", "--fight", "--no-wait", "--quiet"]
            subprocess.run(advance, check=True, stdout=subprocess.DEVNULL if wanted.stories else None)
            add_battles(file, chance)  # so that the report says what comes next
            report = [*command, "report", "--turn", str(turn), "--for", "public"]
            text = subprocess.run(report, check=True, stdout=subprocess.PIPE, text=True).stdout
            print("\n".join(stories_in(text)) if wanted.stories else text, flush=True)


if __name__ == "__main__":
    main()

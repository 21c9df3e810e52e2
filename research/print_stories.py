"""Print stories beside their logs, to be judged sentence by sentence.

    python -m research.print_stories field-of-honour --count 20 --log
    python -m research.print_stories field-of-honour --count 40 --frames

Battles have random seeds, two to five sides, unequal armies, and every third is told for a side or the
public, without strengths, as in a campaign that hides them. docs/stories.md says what a story is;
research/stories/ has stories written by hand. `--frames` counts what the stories have in common instead:
sequences of five words and fields, each counted once in a story.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from cardbattle import resolve, rule_sets
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import refight
from cardbattle.core.battle import NOBODY
from cardbattle.core.ruleset import RuleSet
from cardbattle.story.stakes import Stakes
from cardbattle.story.story import tell_story

NAMES = (
    "Prince Henry", "The Malpas archers", "Harry Percy", "Earl of Stafford", "York", "Lancaster", "The Gate",
    "The Mortars", "Queen Margaret", "Massie's Dragoons", "The Half-Past Watch", "The Brothers", "Glyndwr",
    "The Huntsmen", "Kelp Riders", "Captain Ann Reed", "Red Company", "The King's men", "Wessex", "Goblins",
    "Sir Thomas Percy", "The garrison of Chester",
)  # fmt: skip
PLACES = ("", "", "the Malpas road", "Half-Past Bridge", "Chirk", "the old mill")
FRAME = 5  # words in a frame
DATES = ("", "", "8 July 1403", "Tuesday", "The week of St Swithin")


def random_battle(rules: RuleSet, chance: random.Random) -> Record:
    """Fight a battle between sides with random names, numbers and options."""
    count = chance.choice([n for n in (2, 3, 4, 5) if rules.fewest <= n <= rules.most])
    names = chance.sample(NAMES, count)
    sides: dict[str, dict[str, object]] = {f"s{n}": {"name": name} for n, name in enumerate(names)}
    for side in sides.values():
        side["commander"] = chance.choice(["green", "regular", "regular", "regular", "veteran"])
    if chance.random() < 0.4:
        sides["s0"] |= unequal(rules, chance)
    battle: Mapping[str, object] = {
        "format": 1, "id": "story", "rules": rules.key, "seed": chance.randrange(10**6), "sides": sides,
        "house": {"mode": "dark"} if rules.key == "strategy-war" and chance.random() < 0.3 else {},
    }  # fmt: skip
    return resolve(battle)


def unequal(rules: RuleSet, chance: random.Random) -> dict[str, object]:
    """Return an option that makes a side stronger or weaker."""
    options: Mapping[str, list[dict[str, object]]] = {
        "field-of-honour": [{"hand": 8}, {"hand": 12}, {"hand": 13}],
        "wargame": [{"chips": 1}, {"chips": 5}],
        "warmonger": [{"warmongers": 3}, {"cards": 8}],
        "strategy-war": [{"cards": ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "A"]}],
        "warfare-tactics": [{}],
    }
    return chance.choice(options.get(rules.key, [{}]))


def random_stakes(record: Record, viewer: int | None, chance: random.Random) -> Stakes:
    """Return what a campaign might know of a battle; exact strengths are for the umpire alone."""
    strengths = [chance.randrange(8, 40) for _ in record.seats] if chance.random() < 0.4 else []
    lost = [
        (round(share * strength), strength) for share, strength in zip(record.losses, strengths, strict=False)
    ]
    stakes = Stakes(chance.choice(PLACES), chance.choice(DATES))
    return stakes if viewer is not None else stakes._replace(strengths=strengths, casualties=lost)


def frames_of(phrases: Iterable[str]) -> set[str]:
    """Return all sequences of five words in the phrases of a story. A field is the word `_`."""
    frames = set()
    for phrase in phrases:
        gaps = re.sub(r"\{[^}]*:([^}|]*)[^}]*\}", r"\1", re.sub(r"\{\w+\.(if|first)\}", "", phrase))
        words = re.findall(r"[\w'-]+", re.sub(r"\{[^}]*\}", "_", gaps).lower())
        frames |= {" ".join(words[at : at + FRAME]) for at in range(len(words) - FRAME + 1)}
    return {frame for frame in frames if frame.count("_") < FRAME - 2}


def print_frames(frames: Counter[str], rows: int = 30) -> None:
    """Print the most frequent frames."""
    for frame, count in frames.most_common(rows):
        print(f"{count:4} {frame}")


def main() -> None:
    """Print the stories."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", choices=[rules.key for rules in rule_sets()])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--log", action="store_true", help="print each battle's whole log, as the umpire reads it"
    )
    parser.add_argument("--frames", action="store_true", help="count what the stories have in common")
    parser.add_argument("--lang", default="en")
    wanted = parser.parse_args()
    rules = next(rules for rules in rule_sets() if rules.key == wanted.rules)
    chance = random.Random(wanted.seed)
    total = 0
    frames: Counter[str] = Counter()
    for n in range(1, wanted.count + 1):
        record = random_battle(rules, chance)
        viewer = None if n % 3 else chance.choice([NOBODY, *range(len(record.seats))])
        report = report_of(record, refight(record), viewer)
        story = tell_story(report, random_stakes(record, viewer, chance), lang=wanted.lang)
        frames.update(frames_of([*story.phrases, *story.tails]))
        if wanted.frames:
            continue
        who = "umpire" if viewer is None else "public" if viewer == NOBODY else record.names[viewer]
        print(f"{'=' * 30} {n}, seed {record.seed}, for {who}")
        for number, text in enumerate(story.sentences, 1):
            total += len(re.findall(r"[.?!](?= |$)", text))
            print(f"{n}.{number} {text}")
        if wanted.log:
            print("-" * 20)
            print(record.tale())
    if wanted.frames:
        print_frames(frames)
    else:
        print(f"{wanted.count} stories, {total} sentences")


if __name__ == "__main__":
    main()

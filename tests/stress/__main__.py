"""Run many stories: `python -m tests.stress --commands 100000 --seed 1`."""

from __future__ import annotations

import argparse
import gc
import sys
import time

from tests.stress.broken import BROKEN
from tests.stress.story import told_by
from tests.stress.survey import Survey

EVERY = 10_000  # number of commands between two progress reports


def main(words: list[str]) -> int:
    """Run the stories of consecutive seeds. If one fails, print its shortest form and return 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress", description=main.__doc__)
    parser.add_argument("--commands", type=int, default=10_000, help="how many commands at least")
    parser.add_argument("--seed", type=int, default=1, help="the first story's; the next has the next")
    parser.add_argument("--broken", choices=list(BROKEN), default="", help="a program broken on purpose")
    parser.add_argument("--tell", action="store_true", help="only print the story of this seed")
    asked = parser.parse_args(words)
    gc.set_threshold(50_000, 20, 50)  # takes more memory, and runs a fifth more commands
    if asked.tell:
        print(told_by(asked.seed))
        return 0
    survey, start = Survey(asked.broken), time.monotonic()

    def tell(survey: Survey) -> None:
        if survey.commands // EVERY > told[0]:
            told[0] = survey.commands // EVERY
            print(summary(survey, start), file=sys.stderr, flush=True)

    told = [0]
    found = survey.run(asked.seed, asked.commands, tell)
    print(summary(survey, start))
    for what, number in sorted(survey.happened.items()):
        print(f"{number:10} {what}")
    if found is not None:
        print(survey.shortest(found))
    return int(found is not None)


def summary(survey: Survey, start: float) -> str:
    """Return how much was tried."""
    seconds = time.monotonic() - start
    rate = survey.commands / seconds
    return f"{survey.commands} commands in {survey.stories} stories, {seconds:.0f} s, {rate:.0f} a second"


sys.exit(main(sys.argv[1:]))

"""Complete messages `new` and `ask` of each rule set, as examples for authors of engines.

`python -m tests.support.engine_messages` writes examples/engines/messages.jsonl.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.resolve import deal, streams_of
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.referee import Referee
from cardbattle.engines.description import Clock, Question, ask_line, new_message
from cardbattle.engines.protocol import encode
from cardbattle.rules import RULE_SETS
from tests.support.guides import ROOT

FILE = ROOT / "examples/engines/messages.jsonl"
SEED = 8
CLOCK = Clock()
LONGEST = 2200  # number of characters in a message


def lines_of(rules: str) -> Iterator[bytes]:
    """Yield the message `new` of a battle of random moves, and each message `ask` to its first side."""
    plan = read_battle({**bare_battle(rules, []), "seed": SEED})
    streams = streams_of(plan)
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle))
    seats = tuple(referee.setup.seats)
    chance = stream(SEED, "moves")
    sequence = reported = 0
    while referee.battle.side != NOBODY:
        if referee.battle.side == 0:
            seat = referee.seat
            if not sequence:
                yield encode(new_message(plan.rules, seat, f"{rules}-1", CLOCK, 3188580118959589))
            events = seat.events_since(reported)
            reported += len(events)
            sequence += 1
            place = Question(f"{rules}-1", seats, sequence, CLOCK.decision, seat.texts)
            yield ask_line(plan.rules, seat, place, events)
        referee.choose(chance.below(len(referee.battle.options)))


def text() -> str:
    """Return for each rule set the message `new` and the short question with the most forms of options.

    Of equal questions, the one with the longest message is chosen.
    """
    chosen = []
    for rules in RULE_SETS:
        new, *asks = [line.decode() for line in lines_of(rules)]
        short = [line for line in asks if len(line) <= LONGEST]
        chosen += [new, max(short, key=lambda line: (forms(line), len(line)))]
    return "".join(chosen)


def forms(line: str) -> int:
    """Return the number of different forms of the options in a message: verbs and names of fields."""
    return len({(option["verb"], *option) for option in json.loads(line)["options"]})


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")

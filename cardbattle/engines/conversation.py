"""Exchange messages with an engine in real battles. The checks of engines use this module."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.resolve import deal, streams_of
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Drawn, child_seed, stream
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import quoted
from cardbattle.core.referee import Referee
from cardbattle.engines.definitions import Engine
from cardbattle.engines.description import (
    Clock,
    Question,
    ask_line,
    event_message,
    new_message,
    result_message,
)
from cardbattle.engines.host import hello_message
from cardbattle.engines.position import position_of
from cardbattle.engines.process import EngineProcess, LogLine
from cardbattle.engines.protocol import Message
from cardbattle.rules import RULE_SETS, every, find

Table = Mapping[str, object]


class CheckFailed(CardbattleError):
    """The error that is raised if the engine does not do what a check requires."""


class Skipped(CardbattleError):
    """The error that is raised if a check does not apply to the engine."""


def require(is_met: bool, text: str) -> None:
    if not is_met:
        raise CheckFailed(text)


class Setting(NamedTuple):
    """The battle of a check: rule set, sides, house rules, seed, and the engine's seat."""

    rules: str
    sides: Sequence[str] = ()
    house: Table = {}
    seat: int = 0
    seed: int = 1


class CheckedBattle:
    """A battle in which the engine has one seat, and the other sides choose at random."""

    def __init__(self, talk: Conversation, setting: Setting, name: str, clock: Clock) -> None:
        table = bare_battle(setting.rules, list(setting.sides))
        plan = read_battle({**table, "house": setting.house, "seed": setting.seed})
        streams = streams_of(plan)
        self.talk = talk
        self.name = name
        self.clock = clock
        self.rules = plan.rules
        self.referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle))
        self.seat = setting.seat
        self.seed = child_seed(setting.seed, "engine") >> 10  # the battle's seed would reveal the deal
        self.chance = stream(setting.seed, "others")
        self.positions = stream(setting.seed, "position")
        self.sequence = 0
        self.reported = 0
        self.is_begun = False

    def advance(self) -> bool:
        """Play until the engine has a question (True) or the battle is over (False)."""
        battle = self.referee.battle
        while battle.side not in (self.seat, NOBODY):
            self.referee.choose(self.chance.below(len(battle.options)))
        return not battle.is_over()

    def question(self) -> dict[str, object]:
        """Return the next message `ask`. The battle is announced before the first question."""
        seat = self.referee.seat
        if not self.is_begun:
            self.is_begun = True
            self.talk.send(new_message(self.rules, seat, self.name, self.clock, self.seed))
        events = seat.events_since(self.reported)
        self.reported += len(events)
        self.sequence += 1
        position = None
        if self.talk.wants_positions:
            position = position_of(self.rules, seat, self.referee.setup, self.positions)
        seats = tuple(self.referee.setup.seats)
        place = Question(self.name, seats, self.sequence, self.clock.decision, seat.texts)
        message = json.loads(ask_line(self.rules, seat, place, events, position))
        assert isinstance(message, dict)
        return message

    def step(self) -> None:
        """Ask the engine the current question, and carry out its answer."""
        question = self.question()
        self.talk.send(question)
        self.carry_out(self.talk.answer(question))

    def carry_out(self, option: str) -> None:
        """Make the move that the engine chose."""
        self.referee.choose(self.referee.find(option))

    def play(self) -> None:
        """Play the battle to its end, and report the result to the engine."""
        while self.advance():
            self.step()
        self.finish()

    def finish(self) -> None:
        """Report the end of the battle to the engine."""
        events = self.referee.seen_events(self.seat)[self.reported :]
        self.talk.send(event_message(self.rules, self.referee.setup.seats, self.name, events))
        self.talk.send(result_message(self.referee, self.name))


class Conversation:
    """A running engine that is tested. It has already answered the message `hello` with `ready`."""

    def __init__(self, engine: Engine, seconds: float, log: LogLine, hello: Table | None = None) -> None:
        """Start the engine, send `hello`, and wait for `ready`.

        Raises CommanderFailed if the engine does not answer in time.

        `seconds` is the time limit for each message. `hello` has additional fields of the message `hello`.
        """
        self.seconds = seconds
        self.count = 0
        self.process = EngineProcess(engine, log)
        try:
            self.send({**hello_message(engine.options, every()), **(hello or {})})
            self.ready = self.receive()
            require(self.ready["type"] == "ready", f"expected ready, got {quoted(self.ready['type'])}")
        except CardbattleError:
            self.close()
            raise
        wants = self.ready.get("wants")
        self.wants_positions = isinstance(wants, list) and "position" in wants

    def knows(self, rules: str) -> bool:
        """Return True if the engine plays a rule set."""
        rule_keys = self.ready.get("rules")
        return not isinstance(rule_keys, list) or not rule_keys or rules in rule_keys

    def battle(self, setting: Setting, clock: Clock | None = None) -> CheckedBattle:
        """Return a new battle. Raises Skipped if the engine does not play the rule set of the battle."""
        if not setting.rules:
            raise Skipped("it plays no built-in rule set")
        if not self.knows(setting.rules):
            raise Skipped(f"it does not play {find(setting.rules).name}")
        self.count += 1
        return CheckedBattle(self, setting, f"check-{self.count}", clock or Clock(self.seconds))

    def send(self, message: Message) -> None:
        self.process.allow(self.seconds)
        self.process.send(message)

    def receive(self) -> dict[str, object]:
        """Return the next message from the engine. Raises CommanderFailed if no message arrives in time."""
        return self.process.receive()

    def answer(self, question: Message) -> str:
        """Wait for the engine's answer to a question, and return the option that the engine chooses.

        Raises CheckFailed if the next message is not a valid answer.
        """
        return option_of(self.receive(), question)

    def expect_error(self, *codes: str) -> dict[str, object]:
        """Check that the next message is an error with one of these codes, and return it."""
        message = self.receive()
        require(message["type"] == "error", f"expected error, got {quoted(message['type'])}")
        code = message.get("code")
        require(code in codes, f"expected the code {quoted(codes[0])}, got {quoted(code)}")
        require(isinstance(message.get("text"), str), "the error has no text")
        return message

    def expect_silence(self) -> None:
        """Check that the engine has not sent another message.

        For this, the method asks a new question. The next message from the engine must answer this
        question.
        """
        battle = self.battle(Setting(next((key for key in RULE_SETS if self.knows(key)), "")))
        battle.advance()
        battle.step()

    def send_raw(self, line: bytes) -> None:
        """Send a line of bytes, which may not be a valid message."""
        self.process.allow(self.seconds)
        self.process.send_line(line)

    def close(self) -> int | None:
        """End the engine, and return its exit code, or None if it had to be killed."""
        return self.process.close()


def option_of(message: Message, question: Message) -> str:
    """Return the option that an answer chooses.

    `message` is the message from the engine, and `question` is the message `ask` that it answers. Raises
    CheckFailed if the message is not an answer, or if the question does not have the chosen option.
    """
    if message["type"] == "error":
        raise CheckFailed(f"reports the error {quoted(message.get('text', ''))}")
    require(message["type"] == "answer", f"expected answer, got {quoted(message['type'])}")
    for name in ("battle", "sequence"):
        require(
            message.get(name) == question[name],
            f"answered with {name} {quoted(message.get(name))}, not {quoted(question[name])}",
        )
    options = question["options"]
    also = question.get("also", [])
    assert isinstance(options, list)
    assert isinstance(also, list)
    ids = [option["id"] for option in [*options, *also]]
    option = message.get("option")
    require(option in ids, f"answered {quoted(option)}, which is not the id of an option")
    return str(option)

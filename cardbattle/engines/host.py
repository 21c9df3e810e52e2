"""The host: it starts the engines that the user lets run, asks them, and reports the end of each battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from secrets import randbits
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.commanders import ranks
from cardbattle.commanders.ranks import CommanderFailed, Rank
from cardbattle.core.chance import stream
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import quoted
from cardbattle.core.referee import Commander, Seat, referee_of
from cardbattle.engines.description import (
    Clock,
    Question,
    abandoned_message,
    ask_line,
    event_message,
    new_message,
    result_message,
    rules_table,
)
from cardbattle.engines.position import position_of
from cardbattle.engines.process import EngineProcess, LogLine, no_log
from cardbattle.engines.protocol import ILLEGAL_ANSWER, STALE_ANSWER, VERSION, Message, error_message
from cardbattle.rules import every
from cardbattle.version import __version__

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.engines.definitions import Engine

START = 10.0  # seconds until `ready`
ILLEGAL = 3  # number of illegal answers to one question after which an engine has failed
SEED_BITS = 53  # so that every language can hold the seed as a number


class Ready(NamedTuple):
    """An engine's own description: its name, its rule sets (empty for all), and if it wants positions."""

    name: str
    rules: list[str]
    wants_positions: bool


def hello_message(options: Mapping[str, object], rule_sets: Sequence[RuleSet]) -> Message:
    """Return the message `hello`."""
    return {
        "type": "hello",
        "protocol": VERSION,
        "host": f"cardbattle {__version__}",
        "rules": rules_table(rule_sets),
        "options": options,
    }


def shake_hands(process: EngineProcess, seconds: float = START) -> Ready:
    """Send `hello` and return the engine's `ready`. Raises CommanderFailed."""
    process.allow(seconds)
    process.send(hello_message(process.engine.options, every()))
    message = process.receive()
    if message["type"] != "ready":
        raise CommanderFailed(process.engine.name, f"answered hello with {quoted(message['type'])}")
    if message.get("protocol") != VERSION:
        protocol = quoted(message.get("protocol"))
        raise CommanderFailed(process.engine.name, f"speaks protocol {protocol}, not {VERSION}")
    rules, wants = message.get("rules", []), message.get("wants", [])
    return Ready(
        str(message.get("name", process.engine.name)),
        [key for key in rules if isinstance(key, str)] if isinstance(rules, list) else [],
        isinstance(wants, list) and "position" in wants,
    )


class RunningEngine:
    """An engine's process, which is started when it is needed, and again after a failure."""

    def __init__(self, engine: Engine, log: LogLine = no_log) -> None:
        self.engine = engine
        self.log = log
        self.process: EngineProcess | None = None
        self.ready = Ready(engine.name, [], False)

    def open(self) -> EngineProcess:
        """Return the process, ready for battles. Raises CommanderFailed and UsageError."""
        if self.process is None or not self.process.is_running:
            self.close()
            self.process = EngineProcess(self.engine, self.log)
            self.ready = shake_hands(self.process)
        return self.process

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.close()
        self.process = None


class EngineCommander(Commander):
    """A commander whose answers come from an engine. One process serves many battles."""

    def __init__(self, running: RunningEngine, rules: RuleSet, battle: str, clock: Clock) -> None:
        self.running = running
        self.rules = rules
        self.battle = battle
        self.clock = clock
        self.seed = randbits(SEED_BITS)  # a seed that followed from the battle's could reveal the deal
        self.chance = stream(randbits(SEED_BITS), "position")  # with its own seed it could undo the shuffle
        self.process: EngineProcess | None = None  # the process that knows this battle
        self.seat: Seat | None = None
        self.viewer = 0
        self.seats: tuple[str, ...] = ()
        self.texts: list[str] = []  # the options of the current question
        self.sequence = 0
        self.reported = 0  # number of events that the engine has received
        self.used = 0.0  # seconds

    def answer(self, seat: Seat) -> int:
        """Return the engine's answer. Raises CommanderFailed."""
        process = self.running.open()
        self.seat = seat
        if self.process is not process:
            self.begin(process, seat)
        self.sequence += 1
        began = monotonic()
        process.allow(self.time_left(), self.about("stop"))
        try:
            process.send_line(self.question(seat))
            return self.listen(process, seat)
        finally:
            process.allow(float("inf"))
            self.used += monotonic() - began

    def begin(self, process: EngineProcess, seat: Seat) -> None:
        """Tell a process about this battle, from its beginning. Raises CommanderFailed."""
        known = self.running.ready.rules
        if known and self.rules.key not in known:
            raise CommanderFailed(self.running.engine.name, f"does not play {self.rules.name}")
        self.process, self.reported = process, 0
        self.viewer = referee_of(seat).battle.side
        self.seats = tuple(referee_of(seat).setup.seats)
        process.allow(START)
        process.send(new_message(self.rules, seat, self.battle, self.clock, self.seed))

    def question(self, seat: Seat) -> bytes:
        """Return the message `ask`, with the events since the last one."""
        events = seat.events_since(self.reported)
        self.reported += len(events)
        position = None
        if self.running.ready.wants_positions:
            position = position_of(self.rules, seat, referee_of(seat).setup, self.chance)
        self.texts = seat.texts
        place = Question(self.battle, self.seats, self.sequence, self.time_left(), self.texts)
        return ask_line(self.rules, seat, place, events, position)

    def listen(self, process: EngineProcess, seat: Seat) -> int:
        """Wait for a legal answer; after an illegal one, send an `error` and the same question again."""
        mistakes = 0
        while True:
            message = process.receive()
            if message["type"] == "error" and message.get("battle") != self.battle:
                continue  # for example, an engine that does not know a message of a later version
            if message["type"] == "error":
                raise CommanderFailed(process.engine.name, f"reports {quoted(message.get('text', ''))}")
            if message["type"] != "answer" or not self.is_current(message):
                process.send(error_message(STALE_ANSWER, "this is not the current question", message))
                continue
            try:
                return find_option(seat, self.texts, message.get("option"))
            except IllegalMove as error:
                mistakes += 1
                process.send(error_message(ILLEGAL_ANSWER, str(error), message))
                if mistakes == ILLEGAL:
                    raise CommanderFailed(
                        process.engine.name, f"gave {ILLEGAL} illegal answers to one question"
                    ) from None
                process.send_line(self.question(seat))

    def is_current(self, message: Message) -> bool:
        """Return True if an answer is for the current question."""
        return (message.get("battle"), message.get("sequence")) == (self.battle, self.sequence)

    def about(self, kind: str) -> Message:
        """Return a message about the current question."""
        return {"type": kind, "battle": self.battle, "sequence": self.sequence}

    def time_left(self) -> float:
        """Return the seconds for the current question."""
        left = self.clock.decision
        return left if self.clock.battle is None else min(left, max(0.0, self.clock.battle - self.used))

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self.seat is not None and referee_of(self.seat).battle.is_over()

    def end(self) -> None:
        """Report the end of the battle to the engine, if it knows the battle and still runs."""
        process = self.process
        if process is None or self.seat is None or not process.is_running:
            return
        referee = referee_of(self.seat)
        process.allow(START)
        try:
            if referee.battle.is_over():
                events = referee.seen_events(self.viewer)[self.reported :]
                process.send(event_message(self.rules, referee.setup.seats, self.battle, events))
                process.send(result_message(referee, self.battle))
            else:
                process.send(abandoned_message(self.battle))
        except CommanderFailed:
            self.process = None
        finally:
            process.allow(float("inf"))


def find_option(seat: Seat, texts: list[str], option: object) -> int:
    """Return the index of the option with this id; `texts` are the options. Raises IllegalMove."""
    if isinstance(option, str) and option in texts:
        return texts.index(option)
    also = seat.unlisted_texts
    if isinstance(option, str) and option in also:
        return len(texts) + also.index(option)
    raise IllegalMove(f"{quoted(option)} is not the id of an option; choose an id from the list `options`")


class EngineHost:
    """The engines of one command: their processes, and their battles that are not over yet."""

    def __init__(self, engines: Mapping[str, Engine], clock: Clock, log: LogLine = no_log) -> None:
        self.clock = clock
        self.running = {name: RunningEngine(engine, log) for name, engine in engines.items()}
        self.battles: list[EngineCommander] = []
        self.count = 0

    def commander(self, name: str, rules: RuleSet) -> EngineCommander:
        """Return a commander for a new battle; battles that have ended are reported to their engines."""
        self.settle()
        self.count += 1
        commander = EngineCommander(self.running[name], rules, f"battle-{self.count}", self.clock)
        self.battles.append(commander)
        return commander

    def settle(self) -> None:
        """Report the battles that are over."""
        for commander in self.battles:
            if commander.is_over:
                commander.end()
        self.battles = [commander for commander in self.battles if not commander.is_over]

    def end_battles(self) -> None:
        """Report the end of all battles; those that are not over are abandoned."""
        for commander in self.battles:
            commander.end()
        self.battles.clear()

    def close(self) -> None:
        """Report the end of all battles, and end all processes."""
        self.end_battles()
        for running in self.running.values():
            running.close()

    def as_rank(self, name: str) -> Rank:
        """Return an engine as a rank, so that `engine:NAME` commands a side."""
        return Rank(ranks.ENGINE_WORDS, lambda rules, chance, iterations: self.commander(name, rules))


@contextmanager
def engines_allowed(host: EngineHost) -> Iterator[EngineHost]:
    """Let the engines of a host command sides as `engine:NAME` within this block; then end them."""
    before = dict(ranks.engines)
    ranks.engines.update({name: host.as_rank(name) for name in host.running})
    try:
        yield host
    finally:
        ranks.engines.clear()
        ranks.engines.update(before)
        host.close()

"""Start the engines that the user allows, ask them questions, and report the results of battles to them."""

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
    abandonment_message,
    ask_line,
    event_message,
    new_message,
    result_message,
    rules_table,
)
from cardbattle.engines.position import position_of
from cardbattle.engines.process import EngineProcess, LogLine, no_log
from cardbattle.engines.protocol import (
    ILLEGAL_ANSWER,
    STALE_ANSWER,
    VERSION,
    Message,
    ProtocolError,
    error_message,
    text_field,
    texts_field,
)
from cardbattle.rules import every
from cardbattle.version import __version__

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.engines.definitions import Engine

START = 10.0  # seconds within which an engine must answer `hello` with `ready`
ILLEGAL = 3  # number of illegal answers to one question after which an engine fails
SEED_BITS = 53  # small enough for the numbers of every programming language


class Ready(NamedTuple):
    """The message `ready`, with which an engine answers the message `hello`.

    `name` is the name of the engine. `rules` has the rule sets that the engine plays, and is empty if the
    engine plays all of them. `wants_positions` is True if the engine wants to get positions.
    """

    name: str
    rules: list[str]
    wants_positions: bool


def hello_message(options: Mapping[str, object], rule_sets: Sequence[RuleSet]) -> Message:
    """Return the message `hello`, which begins a conversation with an engine."""
    return {
        "type": "hello",
        "protocol": VERSION,
        "host": f"cardbattle {__version__}",
        "rules": rules_table(rule_sets),
        "options": options,
    }


def shake_hands(process: EngineProcess) -> Ready:
    """Send the message `hello`, and return the engine's answer.

    Raises CommanderFailed if the engine does not answer with `ready` in time.
    """
    process.allow(START)
    process.send(hello_message(process.engine.options, every()))
    message = process.receive()
    if message["type"] != "ready":
        raise CommanderFailed(process.engine.name, f"answered hello with {quoted(message['type'])}")
    protocol = message.get("protocol")
    if protocol != VERSION or isinstance(protocol, bool):
        raise CommanderFailed(process.engine.name, f"speaks protocol {quoted(protocol)}, not {VERSION}")
    try:
        return read_ready(message)
    except ProtocolError as error:
        process.send(error_message(error.code, str(error)))
        raise CommanderFailed(process.engine.name, f"sent an invalid message; {error}") from None


def read_ready(message: Message) -> Ready:
    """Check the types of the fields in a message `ready`, and return the content of the message.

    Raises ProtocolError if a field has the wrong type.
    """
    for field in ("version", "author"):
        if field in message:
            text_field(message, field)
    name = text_field(message, "name")
    return Ready(name, texts_field(message, "rules"), "position" in texts_field(message, "wants"))


class RunningEngine:
    """An engine and its process, which is started when needed, and again after a failure."""

    def __init__(self, engine: Engine, log: LogLine = no_log) -> None:
        self.engine = engine
        self.log = log
        self.process: EngineProcess | None = None
        self.ready = Ready(engine.name, [], False)

    def open(self) -> EngineProcess:
        """Return the engine's process, which is ready for battles.

        Raises UsageError if the program cannot be started, and CommanderFailed if it does not get ready.
        """
        if self.process is None or not self.process.is_running:
            self.close()
            process = EngineProcess(self.engine, self.log)
            try:
                self.ready = shake_hands(process)
            except CommanderFailed:
                process.close()
                raise
            self.process = process
        return self.process

    def close(self) -> None:
        """End the engine's process."""
        if self.process is not None:
            self.process.close()
        self.process = None


class EngineCommander(Commander):
    """A commander whose answers come from an engine. The same process of the engine plays many battles."""

    def __init__(self, running: RunningEngine, rules: RuleSet, battle: str, clock: Clock) -> None:
        self.running = running
        self.rules = rules
        self.battle = battle
        self.clock = clock
        self.seed = randbits(SEED_BITS)  # the battle's seed could reveal the deal
        self.chance = stream(randbits(SEED_BITS), "position")  # the engine must not know its seed
        self.process: EngineProcess | None = None  # the process to which this battle was announced
        self.seat: Seat | None = None
        self.viewer = 0
        self.seats: tuple[str, ...] = ()
        self.texts: list[str] = []  # the options of the current question
        self.sequence = 0
        self.reported = 0  # number of events that the engine has received
        self.used = 0.0  # seconds that the engine has used in this battle
        self.asked = 0.0  # the time at which the current question was sent, by the monotonic clock

    def answer(self, seat: Seat) -> int:
        """Ask the engine the current question, and return the answer.

        Raises CommanderFailed if the engine does not give a legal answer in time.
        """
        process = self.running.open()
        self.seat = seat
        if self.process is not process:
            self.begin(process, seat)
        self.sequence += 1
        self.asked = monotonic()
        try:
            self.ask(process, seat)
            return self.listen(process, seat)
        finally:
            process.allow(float("inf"))
            self.count_time()

    def ask(self, process: EngineProcess, seat: Seat) -> None:
        """Send the question, and start the clock. Raises CommanderFailed if the engine has ended."""
        process.allow(self.time_left(), self.about("stop"))
        process.send_line(self.question(seat))

    def count_time(self) -> None:
        """Add the time since the current question was sent to the time that the engine has used."""
        current_time = monotonic()
        self.used += current_time - self.asked
        self.asked = current_time

    def begin(self, process: EngineProcess, seat: Seat) -> None:
        """Announce the battle to the engine's process. Raises CommanderFailed if the engine has ended."""
        rule_keys = self.running.ready.rules
        if rule_keys and self.rules.key not in rule_keys:
            raise CommanderFailed(self.running.engine.name, f"does not play {self.rules.name}")
        self.process, self.reported = process, 0
        self.viewer = referee_of(seat).battle.side
        self.seats = tuple(referee_of(seat).setup.seats)
        process.allow(START)
        process.send(new_message(self.rules, seat, self.battle, self.clock, self.seed))

    def question(self, seat: Seat) -> bytes:
        """Return the message `ask`, with the events since the last message."""
        events = seat.events_since(self.reported)
        self.reported += len(events)
        position = None
        if self.running.ready.wants_positions:
            position = position_of(self.rules, seat, referee_of(seat).setup, self.chance)
        self.texts = seat.texts
        place = Question(self.battle, self.seats, self.sequence, self.time_left(), self.texts)
        return ask_line(self.rules, seat, place, events, position)

    def listen(self, process: EngineProcess, seat: Seat) -> int:
        """Wait for a legal answer, and return the index of the chosen option.

        If an answer is not legal, the method sends a message `error` and asks the same question again. Raises
        CommanderFailed after three answers that are not legal.
        """
        mistakes = 0
        while True:
            message = process.receive()
            if message["type"] == "error" and message.get("battle") != self.battle:
                continue  # for example from an engine that does not know a message of a later version
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
                self.count_time()
                self.ask(process, seat)

    def is_current(self, message: Message) -> bool:
        """Return True if an answer refers to the current question."""
        return (message.get("battle"), message.get("sequence")) == (self.battle, self.sequence)

    def about(self, kind: str) -> Message:
        """Return a message of the type `kind` that refers to the current question."""
        return {"type": kind, "battle": self.battle, "sequence": self.sequence}

    def time_left(self) -> float:
        """Return the remaining time for the current question, in seconds."""
        left = self.clock.decision
        return left if self.clock.battle is None else min(left, max(0.0, self.clock.battle - self.used))

    @property
    def is_over(self) -> bool:
        return self.seat is not None and referee_of(self.seat).battle.is_over()

    def end(self) -> None:
        """Report the end of the battle to the engine, if the engine knows the battle and still runs."""
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
                process.send(abandonment_message(self.battle))
        except CommanderFailed:
            self.process = None
        finally:
            process.allow(float("inf"))


def find_option(seat: Seat, texts: list[str], option: object) -> int:
    """Return the index of the option with this id. Raises IllegalMove if none matches."""
    if isinstance(option, str) and option in texts:
        return texts.index(option)
    also = seat.unlisted_texts
    if isinstance(option, str) and option in also:
        return len(texts) + also.index(option)
    raise IllegalMove(f"{quoted(option)} is not the id of an option; choose an id from the list `options`")


class EngineHost:
    """All engines that a command uses, with their processes and their unfinished battles."""

    def __init__(self, engines: Mapping[str, Engine], clock: Clock, log: LogLine = no_log) -> None:
        self.clock = clock
        self.running = {name: RunningEngine(engine, log) for name, engine in engines.items()}
        self.battles: list[EngineCommander] = []
        self.count = 0

    def commander(self, name: str, rules: RuleSet) -> EngineCommander:
        """Return a commander for a new battle.

        Before this, the method reports the end of each finished battle to its engine.
        """
        self.settle()
        self.count += 1
        commander = EngineCommander(self.running[name], rules, f"battle-{self.count}", self.clock)
        self.battles.append(commander)
        return commander

    def settle(self) -> None:
        """Report the end of each finished battle to its engine."""
        for commander in self.battles:
            if commander.is_over:
                commander.end()
        self.battles = [commander for commander in self.battles if not commander.is_over]

    def end_battles(self) -> None:
        """Report the end of each battle to its engine. Battles that are not over are abandoned."""
        for commander in self.battles:
            commander.end()
        self.battles.clear()

    def close(self) -> None:
        """Report the end of all battles, and end the processes of all engines."""
        self.end_battles()
        for running in self.running.values():
            running.close()

    def as_rank(self, name: str) -> Rank:
        """Return a rank for an engine, so that the commander of a side can be `engine:NAME`."""
        return Rank(ranks.ENGINE_WORDS, lambda rules, chance, iterations: self.commander(name, rules))


@contextmanager
def engines_allowed(host: EngineHost) -> Iterator[EngineHost]:
    """Allow the commanders `engine:NAME` for all engines of a host in a `with` block.

    The processes of the engines are ended at the end of the block.
    """
    before = dict(ranks.engines)
    ranks.engines.update({name: host.as_rank(name) for name in host.running})
    try:
        yield host
    finally:
        ranks.engines.clear()
        ranks.engines.update(before)
        host.close()

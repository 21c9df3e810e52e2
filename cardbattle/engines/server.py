"""Run a commander of this program as an engine, for any host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, NamedTuple

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.commanders import make_commander
from cardbattle.core.battle import Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.errors import CardbattleError
from cardbattle.core.referee import Commander, Referee
from cardbattle.engines.description import battle_table
from cardbattle.engines.position import restore_position
from cardbattle.engines.protocol import (
    INVALID_MESSAGE,
    LONGEST_LINE,
    TO_ENGINE,
    UNKNOWN_BATTLE,
    UNSUPPORTED,
    VERSION,
    Message,
    ProtocolError,
    decode,
    encode,
    error_message,
    number_field,
    table_field,
    text_field,
)
from cardbattle.rules import every
from cardbattle.version import __version__


class OpenBattle(NamedTuple):
    """A battle that the host has announced.

    The object has a referee, the seat of the engine, and the commander.

    Each question contains a position, to which the battle of the referee is set. Therefore the referee has no
    information that the seat does not have.
    """

    referee: Referee
    seat: int
    commander: Commander
    chance: Chance


class Server:
    """An engine that uses commanders of the same rank in all battles."""

    def __init__(self, rank: str) -> None:
        """Create an engine of this rank, such as `veteran`. Raises UsageError if it is unknown."""
        self.rank = rank
        self.battles: dict[str, OpenBattle] = {}
        self.is_over = False
        make_commander(rank, every()[0], stream(0, "check"))

    def reply(self, line: bytes) -> list[Message]:
        """Return the messages that answer a line from the host.

        The list has one message, or is empty if the line needs no answer.
        """
        try:
            message = decode(line, TO_ENGINE)
            reply = self.respond(message)
        except ProtocolError as error:
            return [error_message(error.code, str(error), about(line))]
        return [] if reply is None else [reply]

    def respond(self, message: dict[str, object]) -> Message | None:
        """Return the answer to a message from the host, or None if the message needs no answer.

        Raises ProtocolError if the message is not valid.
        """
        kind = message["type"]
        if kind == "hello":
            return self.ready()
        if kind == "new":
            self.battles[text_field(message, "battle")] = self.begin(message)
        elif kind == "ask":
            return self.answer(message)
        elif kind == "result":
            self.battles.pop(text_field(message, "battle"), None)
        elif kind == "quit":
            self.is_over = True
        return None

    def ready(self) -> Message:
        """Return the message `ready`, which describes this engine."""
        return {
            "type": "ready",
            "protocol": VERSION,
            "name": f"cardbattle {self.rank}",
            "version": __version__,
            "rules": [rules.key for rules in every()],
            "wants": ["position"],
        }

    def begin(self, message: dict[str, object]) -> OpenBattle:
        """Prepare for the battle of a message `new`. Raises ProtocolError if it is not valid."""
        key, seed = text_field(message, "seat"), number_field(message, "seed")
        try:
            plan = read_battle(battle_table(message))
            seat = plan.setup.seats.index(key)
            setup = plan.setup.copy()
            plan.rules.choose_random_house_rules(setup, stream(seed, "lot"))
            plan.rules.deal(setup, stream(seed, "deal"))
            referee = Referee(plan.rules, setup, Drawn(stream(seed, "battle")), listen=False)
        except (CardbattleError, KeyError, TypeError, ValueError, AssertionError) as error:
            text = f"this battle cannot be set up: {error}"
            raise ProtocolError(UNSUPPORTED, text.partition("\n")[0]) from None
        chance = stream(seed, f"side/{key}")
        return OpenBattle(referee, seat, make_commander(self.rank, plan.rules, chance), chance)

    def answer(self, message: dict[str, object]) -> Message:
        """Return the message `answer` to a question. Raises ProtocolError if the question is not valid."""
        name = text_field(message, "battle")
        if name not in self.battles:
            raise ProtocolError(UNKNOWN_BATTLE, f"there is no battle {name!r}")
        battle = self.battles[name]
        options = option_ids(message)
        place = {"battle": name, "sequence": number_field(message, "sequence")}
        option, comment = choose(battle, options, table_field(message, "position"))
        return {"type": "answer", **place, "option": option, **({"comment": comment} if comment else {})}


def choose(open_battle: OpenBattle, options: list[str], position: Mapping[str, object]) -> tuple[str, str]:
    """Return the option that the commander chooses, and a comment.

    The choice is random if the host did not send a position that can be used, or does not offer the option
    that the commander chooses.
    """
    referee = open_battle.referee
    try:
        if not position:
            raise ValueError("the host sent no position with the question")
        take_position(referee.battle, position, open_battle)
        text = referee.text(open_battle.commander.answer(referee.seat))
    except (ValueError, IndexError, CardbattleError) as error:
        return options[open_battle.chance.below(len(options))], f"at random: {error}"
    if text in options:
        return text, ""
    return options[open_battle.chance.below(len(options))], f"at random: {text} is not an option"


def take_position(battle: Battle, position: Mapping[str, object], open_battle: OpenBattle) -> None:
    """Set a battle to a position in which the seat of the engine must choose.

    Raises ValueError if the position is not valid, or if another side must choose.
    """
    restore_position(battle, position, open_battle.chance)
    if battle.side != open_battle.seat or not battle.options:
        raise ValueError("the position asks another side")


def option_ids(message: dict[str, object]) -> list[str]:
    """Return the ids of the options in a message `ask`. Raises ProtocolError if it is invalid."""
    options = message.get("options")
    ids = (
        [option.get("id") for option in options if isinstance(option, dict)]
        if isinstance(options, list)
        else []
    )
    if not ids or not all(isinstance(option, str) for option in ids):
        raise ProtocolError(INVALID_MESSAGE, "ask: expected a list of options, each with an id")
    return [str(option) for option in ids]


def about(line: bytes) -> Message | None:
    """Return the message in a line, so that an error can refer to it.

    Returns None if the line does not contain a message.
    """
    try:
        return decode(line, ("new", "ask"))
    except ProtocolError:
        return None


def serve(rank: str, lines: IO[bytes], output: IO[bytes]) -> None:
    """Answer a host until `quit` or the end of input. Raises UsageError for an unknown rank."""
    server = Server(rank)
    for line in iter(lambda: lines.readline(LONGEST_LINE), b""):
        write(server.reply(line), output)
        if server.is_over:
            return


def write(messages: Iterable[Message], output: IO[bytes]) -> None:
    """Write messages to the host. Each message is on a line of its own."""
    for message in messages:
        output.write(encode(message))
    output.flush()

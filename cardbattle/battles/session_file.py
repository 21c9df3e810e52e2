"""Read and write the file of a battle in progress.

The file is an unfinished record with the questions that are still open.

The file contains all hidden information, so only the umpire may see it. It also contains the states of the
commanders' random streams. Therefore the battle continues as if it had not been interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.battles.records.battle_file import (
    STOP,
    BattlePlan,
    SidePlan,
    failure_word,
    read_deal,
    then_word,
    what_if_impossible,
)
from cardbattle.battles.records.receipts import expect_salt
from cardbattle.battles.records.record import Record, deal_table, dumps_table, record_digest, table_so_far
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import ReplayMismatch, check_states
from cardbattle.battles.resolve import streams_from
from cardbattle.battles.session import BattleStart, Session, acting_commander
from cardbattle.commanders import ORDERS, Orders, remaining_orders
from cardbattle.commanders.standing import with_standing
from cardbattle.core.chance import Chance
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.referee import Commander, Referee
from cardbattle.core.ruleset import RuleSet
from cardbattle.files import reader
from cardbattle.files.reader import TableReader

ENDING = ".battle.toml"
WAITING = "waiting"
WAITING_KEYS = (
    "asked",
    "sealed",
    "typed",
    "orders",
    "then",
    "streams",
    "told",
    "if_impossible",
    "if_engine_fails",
    "seals",
    "opening",
    "spent",
    "receipts",
    "since",
    "digest",
)
NO_OUTCOME = {"winners": [], "reason": "", "digest": ""}  # placeholders for values of a finished battle
NO_RESULT = {"score": 0, "losses": "0"}


def is_session(data: Mapping[str, object]) -> bool:
    """Return True if a file contains a battle in progress, which is not fought with real cards."""
    return WAITING in data and not is_of_table(data)


def is_of_table(data: Mapping[str, object]) -> bool:
    """Return True if a file contains an unfinished battle with real cards."""
    return WAITING in data and data.get("fought") == "table"


def session_text(session: Session) -> str:
    referee = session.referee
    table = table_so_far(session.plan, referee, session.beginning.fought, referee.setup.deal)
    waiting = waiting_table(session)
    digest = record_digest({**table, WAITING: waiting})
    return dumps_table({**table, WAITING: {**waiting, "digest": digest}})


def waiting_table(session: Session) -> dict[str, object]:
    """Return a table with the open questions, the secret answers, and the states of the commanders."""
    keys = session.keys
    orders = {
        key: remaining_orders(commander) for key, commander in zip(keys, session.commanders, strict=True)
    }
    streams: dict[str, list[int]] = {}
    for key, chance in zip(keys, session.beginning.streams.sides, strict=True):
        streams[key] = [chance.a, chance.b, chance.c, chance.counter]
    passing = {key: "then" for key, side in zip(keys, session.plan.sides, strict=True) if side.passes}
    failing = {
        key: side.if_engine_fails
        for key, side in zip(keys, session.plan.sides, strict=True)
        if side.if_engine_fails != STOP
    }
    return {
        "asked": [keys[seat] for seat in session.seats_to_answer],
        "sealed": {keys[seat]: answers for seat, answers in session.sealed.items()},
        "typed": deal_table(session.plan.setup.deal, session.rules),
        "orders": {key: answers for key, answers in orders.items() if answers},
        "then": {
            key: side.then
            for key, side in zip(keys, session.plan.sides, strict=True)
            if side.commander == ORDERS
        },
        "streams": streams,
        **({"if_impossible": passing} if passing else {}),
        **({"if_engine_fails": failing} if failing else {}),
        **({"seals": {keys[seat]: seal for seat, seal in session.seals.items()}} if session.seals else {}),
        **({"opening": True} if session.is_opening else {}),
        **({"spent": session.spent} if session.spent else {}),
        **(
            {"told": {keys[seat]: events for seat, events in session.reported_events.items()}}
            if session.reported_events
            else {}
        ),
        **({"receipts": receipts_so_far(session)} if session.salt else {}),
        **({"since": session.since} if session.since else {}),
    }


def receipts_so_far(session: Session) -> dict[str, object]:
    """Return a table with the salt of the receipts, and with the number of moves before each question."""
    asked = {
        session.keys[seat]: [f"{place}:{moves_made}" for place, moves_made in sorted(places.items())]
        for seat, places in session.asked_at.items()
    }
    return {"salt": session.salt, "asked": asked}


def read_receipts_so_far(table: TableReader, session: Session) -> None:
    """Restore the salt of the receipts, and the number of moves before each question.

    Raises InvalidInput if a value is not valid.
    """
    if not table.data:
        return
    table.only(("salt", "asked"))
    session.salt = table.need("salt", expect_salt, "")
    asked = table.table("asked")
    for key in asked.data:
        if key not in session.keys:
            asked.wrong("unknown side", key)
            break
        session.asked_at[session.keys.index(key)] = asked.need(key, expect_times, dict[int, int]())
    if table.errors:
        raise InvalidInput(table.errors)


def expect_times(value: object) -> dict[int, int]:
    """Parse a list of "QUESTION:MOVES", with the number of moves before each question.

    Raises ValueError for any other value.
    """
    pairs = [text.split(":") for text in reader.expect_texts(value)]
    if any(len(pair) != 2 or not all(map(is_number, pair)) for pair in pairs):
        raise ValueError('expected a list of "QUESTION:MOVES"')
    return {int(place): int(moves_made) for place, moves_made in pairs}


def is_number(text: str) -> bool:
    """Return True if a text is a whole number of at most nine digits."""
    return text.isascii() and text.isdigit() and len(text) < 10


def read_session(data: Mapping[str, object], base: str = "") -> Session:
    """Return the battle in progress in a file.

    Relative file names in the file start from the folder `base`.

    Raises InvalidInput, which lists all errors in the file, if the file is not valid.
    """
    begun = {key: value for key, value in data.items() if key != WAITING}
    record = read_record(begun | NO_OUTCOME | {"sides": with_results(data.get("sides"))}, base)
    errors: list[Diagnostic] = []
    table = TableReader(dict(data), (), errors).table(WAITING)
    table.only(WAITING_KEYS)
    streams = [read_stream(table.table("streams"), key) for key in record.seats]
    sides = [
        read_side_plan(table, side, key, record.rules)
        for key, side in zip(record.seats, record.sides, strict=True)
    ]
    commanders = [
        read_commander(table, record._replace(sides=sides), seat, streams[seat])
        for seat in range(len(record.seats))
    ]
    asked = record.setup.copy()
    asked.deal = read_deal(table.table("typed"), record.rules)
    if errors:
        raise InvalidInput(errors)
    plan = BattlePlan(record.id, record.rules, record.seed, asked, sides, campaign_binding(record))
    drawn = streams_from(record.seed if record.seed is not None else 0, record.seats)
    session = Session(
        BattleStart(plan, record.setup, drawn._replace(sides=streams), record.fought), commanders
    )
    session.referee = session.replay_moves(record.moves)
    refuse_other_states(record, session.referee)
    read_sealed(table.table("sealed"), session)
    read_reported_events(table.table("told"), session)
    read_receipts_so_far(table.table("receipts"), session)
    session.is_opening = table.take("opening", reader.expect_switch, False)
    session.since = table.take("since", reader.expect_text, "")
    session.spent = table.take("spent", reader.expect_texts, list[str]())
    seals = table.table("seals")
    for key in seals.data:
        if key in session.keys:
            session.seals[session.keys.index(key)] = seals.need(key, reader.expect_text, "")
    if errors:
        raise InvalidInput(errors)
    session.go_on()
    if table.data.get("asked") != [session.keys[seat] for seat in session.seats_to_answer]:
        raise InvalidInput([Diagnostic("these are not the sides that are asked now", at=(WAITING, "asked"))])
    refuse_other_content(data, table.data)
    return session


def refuse_other_content(data: Mapping[str, object], waiting: Mapping[str, object]) -> None:
    """Raise InvalidInput if the file was edited. Old files have no digest and are accepted."""
    bare = {key: value for key, value in waiting.items() if key != "digest"}
    if waiting.get("digest", "") not in ("", record_digest({**data, WAITING: bare})):
        text = "the file was changed since the program wrote it; restore it, or begin the battle again"
        raise InvalidInput([Diagnostic(text, at=(WAITING, "digest"))])


def refuse_other_states(record: Record, referee: Referee) -> None:
    """Raise InvalidInput if the state of the battle does not match the state in its file."""
    try:
        check_states(record, referee)
    except ReplayMismatch as differs:
        raise InvalidInput([Diagnostic(str(differs), at=("checks",))]) from None


def with_results(sides: object) -> dict[str, object]:
    """Return the sides of a battle in progress as in a record. Their results are placeholders."""
    tables = sides if isinstance(sides, dict) else {}
    return {key: side | NO_RESULT if isinstance(side, dict) else side for key, side in tables.items()}


def campaign_binding(record: Record) -> dict[str, object]:
    """Return the table that connects a battle to a campaign. It is empty if the battle is in no campaign."""
    bound = record.table.get("bound", {})
    assert isinstance(bound, dict)
    return bound


def read_stream(table: TableReader, key: str) -> Chance:
    """Restore the random stream of a commander. Errors are appended to `table.errors`."""
    return Chance(*table.need(key, lanes, (0, 0, 0, 1)))


def lanes(value: object) -> tuple[int, int, int, int]:
    """Return the value if it is a list of four numbers, which are the state of a random stream.

    Raises ValueError if it is not.
    """
    if isinstance(value, list) and len(value) == 4:
        a, b, c, counter = (reader.expect_whole(number) for number in value)
        if max(a, b, c, counter) < 2**32:
            return a, b, c, counter
    raise ValueError("expected the four numbers of a stream, from 0 to 4294967295")


def read_side_plan(table: TableReader, side: SidePlan, key: str, rules: RuleSet) -> SidePlan:
    """Complete a side's plan from a battle in progress. Errors are appended to `table.errors`."""
    failure = table.table("if_engine_fails").take(key, lambda value: failure_word(value, rules), STOP)
    then = table.table("then").take(key, then_word, side.then)
    passes = table.table("if_impossible").take(key, what_if_impossible, False)
    return side._replace(then=then, passes=passes, if_engine_fails=failure)


def read_commander(table: TableReader, record: Record, seat: int, chance: Chance) -> Commander:
    """Restore the commander of a seat. Errors are appended to `table.errors`.

    Raises UsageError if the commander is unknown, and InvalidInput if the standing orders are not valid.
    """
    key, side = record.seats[seat], record.sides[seat]
    commander = acting_commander(side, key, record.rules, chance)
    commander = with_standing(side.standing, record.rules, commander)
    orders = table.table("orders").take(key, reader.expect_texts, list[str]())
    return Orders(orders, commander, (WAITING, "orders", key), passes=side.passes) if orders else commander


def read_sealed(table: TableReader, session: Session) -> None:
    """Restore the secret answers of the players.

    Raises InvalidInput if a side has no question, and IllegalMove if an answer is not possible.
    """
    for key in table.data:
        for text in table.need(key, reader.expect_texts, list[str]()):
            if key not in session.keys:
                raise InvalidInput([Diagnostic("unknown side", at=(WAITING, "sealed", key))])
            session.keep_sealed(session.keys.index(key), text)


def read_reported_events(table: TableReader, session: Session) -> None:
    """Restore the number of events that were reported to each player in messages that the player answered.

    Raises InvalidInput if a side is unknown, if a value is not a whole number, or if `table.errors` already
    has errors.
    """
    for key in table.data:
        events = table.need(key, reader.expect_whole, 0)
        if key not in session.keys:
            table.wrong("unknown side", key)
            break
        session.reported_events[session.keys.index(key)] = events
    if table.errors:
        raise InvalidInput(table.errors)

"""Read and write the file of a battle in progress: a record without a result, and the open questions.

It contains everything hidden, so only the umpire may see it. It stores the state of the commanders' random
streams, so that the battle continues from its file exactly as it would have without the interruption.
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
NO_OUTCOME = {"winners": [], "reason": "", "digest": ""}  # stands for values that are known only at the end
NO_RESULT = {"score": 0, "losses": "0"}


def is_session(data: Mapping[str, object]) -> bool:
    """Return True if a file's table is a battle in progress."""
    return WAITING in data


def session_text(session: Session) -> str:
    """Return the text of the file of a battle in progress."""
    referee = session.referee
    table = table_so_far(session.plan, referee, session.beginning.fought, referee.setup.deal)
    waiting = waiting_table(session)
    digest = record_digest({**table, WAITING: waiting})
    return dumps_table({**table, WAITING: {**waiting, "digest": digest}})


def waiting_table(session: Session) -> dict[str, object]:
    """Return the open questions, the secret choices, and the states of the commanders."""
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
    """Return the salt of the receipts, and by side the number of moves before each question."""
    asked = {
        session.keys[seat]: [f"{place}:{moves_made}" for place, moves_made in sorted(places.items())]
        for seat, places in session.asked_at.items()
    }
    return {"salt": session.salt, "asked": asked}


def read_receipts_so_far(table: TableReader, session: Session) -> None:
    """Restore the salt and the moments of the questions. Raises InvalidInput for an impossible value."""
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
    """Return the number of moves by question. Raises ValueError unless each value is "QUESTION:MOVES"."""
    pairs = [text.split(":") for text in reader.expect_texts(value)]
    if any(len(pair) != 2 or not all(map(is_number, pair)) for pair in pairs):
        raise ValueError('expected a list of "QUESTION:MOVES"')
    return {int(place): int(moves_made) for place, moves_made in pairs}


def is_number(text: str) -> bool:
    """Return True if a text is a whole number of at most nine digits."""
    return text.isascii() and text.isdigit() and len(text) < 10


def read_session(data: Mapping[str, object], base: str = "") -> Session:
    """Return the battle in progress that a file describes. `base` is the folder of the files it names.

    Raises InvalidInput with all errors; nothing is repaired.
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
    """Raise InvalidInput if a file was edited; files of an older release have no digest."""
    bare = {key: value for key, value in waiting.items() if key != "digest"}
    if waiting.get("digest", "") not in ("", record_digest({**data, WAITING: bare})):
        text = "the file was changed since the program wrote it; restore it, or begin the battle again"
        raise InvalidInput([Diagnostic(text, at=(WAITING, "digest"))])


def refuse_other_states(record: Record, referee: Referee) -> None:
    """Raise InvalidInput if a battle's state does not match its file."""
    try:
        check_states(record, referee)
    except ReplayMismatch as differs:
        raise InvalidInput([Diagnostic(str(differs), at=("checks",))]) from None


def with_results(sides: object) -> dict[str, object]:
    """Return the sides of a battle in progress, each with an empty result, in the form of a record."""
    tables = sides if isinstance(sides, dict) else {}
    return {key: side | NO_RESULT if isinstance(side, dict) else side for key, side in tables.items()}


def campaign_binding(record: Record) -> dict[str, object]:
    """Return the binding to a campaign."""
    bound = record.table.get("bound", {})
    assert isinstance(bound, dict)
    return bound


def read_stream(table: TableReader, key: str) -> Chance:
    """Return a commander's random stream in its stored state; append errors to the table."""
    return Chance(*table.need(key, lanes, (0, 0, 0, 1)))


def lanes(value: object) -> tuple[int, int, int, int]:
    """Return the four numbers of a stream. Raises ValueError."""
    if isinstance(value, list) and len(value) == 4:
        a, b, c, counter = (reader.expect_whole(number) for number in value)
        if max(a, b, c, counter) < 2**32:
            return a, b, c, counter
    raise ValueError("expected the four numbers of a stream, from 0 to 4294967295")


def read_side_plan(table: TableReader, side: SidePlan, key: str, rules: RuleSet) -> SidePlan:
    """Complete a side's plan from the file of a battle in progress; errors are appended to the table."""
    failure = table.table("if_engine_fails").take(key, lambda value: failure_word(value, rules), STOP)
    then = table.table("then").take(key, then_word, side.then)
    passes = table.table("if_impossible").take(key, what_if_impossible, False)
    return side._replace(then=then, passes=passes, if_engine_fails=failure)


def read_commander(table: TableReader, record: Record, seat: int, chance: Chance) -> Commander:
    """Return the stored commander of a seat; append errors to the table.

    Raises UsageError for an unknown commander, and InvalidInput for unclear standing orders.
    """
    key, side = record.seats[seat], record.sides[seat]
    commander = acting_commander(side, key, record.rules, chance)
    commander = with_standing(side.standing, record.rules, commander)
    orders = table.table("orders").take(key, reader.expect_texts, list[str]())
    return Orders(orders, commander, (WAITING, "orders", key), passes=side.passes) if orders else commander


def read_sealed(table: TableReader, session: Session) -> None:
    """Restore the players' secret choices.

    Raises InvalidInput if a side has no question, and IllegalMove if the choice is not possible.
    """
    for key in table.data:
        for text in table.need(key, reader.expect_texts, list[str]()):
            if key not in session.keys:
                raise InvalidInput([Diagnostic("unknown side", at=(WAITING, "sealed", key))])
            session.keep_sealed(session.keys.index(key), text)


def read_reported_events(table: TableReader, session: Session) -> None:
    """Restore the number of events that each player knew from the messages they answered.

    Raises InvalidInput for an unknown side or a number that is not whole, and for any error already in
    `table.errors`.
    """
    for key in table.data:
        events = table.need(key, reader.expect_whole, 0)
        if key not in session.keys:
            table.wrong("unknown side", key)
            break
        session.reported_events[session.keys.index(key)] = events
    if table.errors:
        raise InvalidInput(table.errors)

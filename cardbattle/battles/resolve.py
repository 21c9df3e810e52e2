"""The path from a plan to a fought battle: deal, create the commanders, fight, record."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from cardbattle.battles.records.battle_file import BattlePlan
from cardbattle.battles.records.record import Record
from cardbattle.battles.session import BattleStart, Session, Streams, acting_commander
from cardbattle.commanders.ranks import ORDERS, Orders, Person, with_deadline
from cardbattle.commanders.standing import with_standing
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.referee import Commander, Referee, comparable
from cardbattle.core.ruleset import Setup
from cardbattle.core.telling import counted


def streams_of(plan: BattlePlan) -> Streams:
    """Return the streams of a plan's seed."""
    assert plan.seed is not None
    return streams_from(plan.seed, plan.setup.seats)


def streams_from(number: int | str, seats: list[str]) -> Streams:
    """Return the streams of a seed for these seats."""
    seed = str(number)  # converted to decimal text once, not for every stream
    sides = [stream(seed, f"side/{key}") for key in seats]
    return Streams(stream(seed, "lot"), stream(seed, "deal"), stream(seed, "battle"), sides)


def deal(plan: BattlePlan, streams: Streams) -> Setup:
    """Return the setup with random house rules chosen and all cards dealt."""
    setup = plan.setup.copy()
    plan.rules.choose_random_house_rules(setup, streams.lot)
    plan.rules.deal(setup, streams.deal)
    return setup


Own = Mapping[int, Commander]  # commander objects by seat, used instead of new ones
NONE_OWN: Own = {}


def make_commanders(
    plan: BattlePlan, streams: Streams, own: Own = NONE_OWN, deadline: float = inf
) -> list[Commander]:
    """Return a commander for each seat; `own` replaces some of them.

    All of them respect the deadline. A person raises Waits when a question comes. Raises InvalidInput if
    orders contradict typed-in cards, and UsageError for an unknown rank.
    """
    commanders: list[Commander] = []
    dealt = plan.rules.choices_from_cards(plan.setup) if plan.setup.deal else [[] for _ in plan.sides]
    for seat, (key, side) in enumerate(zip(plan.setup.seats, plan.sides, strict=True)):
        answerer = own[seat] if seat in own else acting_commander(side, key, plan.rules, streams.sides[seat])
        commander = with_standing(side.standing, plan.rules, with_deadline(answerer, deadline))
        if side.commander == ORDERS:
            orders = after_deal(side.orders, dealt[seat], key)
            skipped = len(side.orders) - len(orders)
            commander = Orders(orders, commander, ("sides", key, "orders"), skipped, side.passes)
        if dealt[seat]:
            commander = Orders(dealt[seat], commander, ("deal", key))
        commanders.append(commander)
    return commanders


def after_deal(orders: list[str], dealt: list[str], key: str) -> list[str]:
    """Return the orders that the fixed deal does not answer.

    Raises InvalidInput if they contradict the deal.
    """
    for place, answer in enumerate(dealt):
        if place == len(orders) or orders[place].split(" ")[0] != answer.split(" ")[0]:
            return orders[place:]
        if comparable(orders[place]) != comparable(answer):
            at = ("sides", key, "orders", place)
            raise InvalidInput(
                [Diagnostic(f"the deal of {key} says {answer}, this order {orders[place]}", at=at)]
            )
    return orders[len(dealt) :]


def begin_session(plan: BattlePlan, own: Own = NONE_OWN) -> Session:
    """Deal and begin the battle, and play up to the first question for a human player or to the end.

    Raises InvalidInput if an order or a fixed card is not possible, UsageError for an unknown rank.
    """
    streams = streams_of(plan)
    fought = "mixed" if plan.setup.deal else "engine"
    beginning = BattleStart(plan, deal(plan, streams), streams, fought)
    session = Session(beginning, make_commanders(plan, streams, own))
    session.go_on()
    return session


def fight_battle(plan: BattlePlan, own: Own = NONE_OWN) -> tuple[Record, Referee]:
    """Fight the battle; return its record and its referee.

    Raises InvalidInput if an order or a fixed card is not possible; Waits if a human player must answer.
    """
    session = begin_session(plan, own)
    if not session.is_over:
        key = plan.setup.seats[session.seats_to_answer[0]]
        Person(key).answer(session.referee.seat)
    return session.record(), session.referee


def unread_orders(plan: BattlePlan, record: Record) -> list[str]:
    """Return a sentence for each side with unused orders at the end of the battle."""
    orders = []
    dealt = plan.rules.choices_from_cards(plan.setup)
    for seat, side in enumerate(plan.sides):
        key = plan.setup.seats[seat]
        answers = len(dealt[seat]) + len(after_deal(side.orders, dealt[seat], key))
        total = sum(move.startswith(f"{key} ") for move in record.moves)
        if side.commander == ORDERS and answers > total:
            left = side.orders[total - answers :]
            orders.append(f"{key} was never asked for {counted(len(left), 'order')}: {', '.join(left[:3])}")
    return orders


def fought(
    plan: BattlePlan, streams: Streams, listen: bool, own: Own = NONE_OWN, deadline: float = inf
) -> Referee:
    """Fight the battle to its end; if `listen` is False, the referee stores neither moves nor events.

    Raises InvalidInput if an order is not possible, and TimeUp after the deadline (monotonic clock, seconds).
    """
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle), listen)
    referee.fight(make_commanders(plan, streams, own, deadline))
    return referee

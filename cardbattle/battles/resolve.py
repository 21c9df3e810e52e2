"""Fight the battle of a plan.

The functions deal the cards, create the commanders, fight the battle and record the result.
"""

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
    """Return the random streams that the seed of a plan determines."""
    assert plan.seed is not None
    return streams_from(plan.seed, plan.setup.seats)


def streams_from(number: int | str, seats: list[str]) -> Streams:
    """Return the random streams that a seed determines for a battle between these sides."""
    seed = str(number)  # convert the seed to text once, not for every stream
    sides = [stream(seed, f"side/{key}") for key in seats]
    return Streams(stream(seed, "lot"), stream(seed, "deal"), stream(seed, "battle"), sides)


def deal(plan: BattlePlan, streams: Streams) -> Setup:
    """Return the setup of the battle after all cards are dealt and all random house rules are decided."""
    setup = plan.setup.copy()
    plan.rules.choose_random_house_rules(setup, streams.lot)
    plan.rules.deal(setup, streams.deal)
    return setup


Own = Mapping[int, Commander]  # commanders by seat that replace those in the plan
NONE_OWN: Own = {}


def make_commanders(
    plan: BattlePlan, streams: Streams, own: Own = NONE_OWN, deadline: float = inf
) -> list[Commander]:
    """Create the commander of each seat.

    `own` maps seats to commanders that are used instead.

    `deadline` is a time of the monotonic clock in seconds. After this time, a commander raises TimeUp when it
    is asked. The commander of a human player raises Waits when it is asked.

    Raises InvalidInput if orders contradict the cards that the battle file lists, and UsageError if a rank is
    unknown.
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
    """Return the orders without the choices in `dealt`.

    These choices already follow from the cards that the battle file lists.

    Raises InvalidInput if an order contradicts these cards.
    """
    for place, answer in enumerate(dealt):
        if place == len(orders) or orders[place].split(" ")[0] != answer.split(" ")[0]:
            return orders[place:]
        if comparable(orders[place]) != comparable(answer):
            at = ("sides", key, "orders", place)
            raise InvalidInput(
                [Diagnostic(f"the deal of {key} says {answer}, but this order says {orders[place]}", at=at)]
            )
    return orders[len(dealt) :]


def begin_session(plan: BattlePlan, own: Own = NONE_OWN) -> Session:
    """Deal the cards and fight the battle until a human player must answer or the battle is over.

    Raises InvalidInput if an order or a listed card is not possible, and UsageError if a rank is unknown.
    """
    streams = streams_of(plan)
    fought = "mixed" if plan.setup.deal else "engine"
    beginning = BattleStart(plan, deal(plan, streams), streams, fought)
    session = Session(beginning, make_commanders(plan, streams, own))
    session.go_on()
    return session


def fight_battle(plan: BattlePlan, own: Own = NONE_OWN) -> tuple[Record, Referee]:
    """Fight the battle of a plan, and return its record and its referee.

    Raises InvalidInput if an order or a listed card is not possible, and Waits if a human player must answer.
    """
    session = begin_session(plan, own)
    if not session.is_over:
        key = plan.setup.seats[session.seats_to_answer[0]]
        Person(key).answer(session.referee.seat)
    return session.record(), session.referee


def unread_orders(plan: BattlePlan, record: Record) -> list[str]:
    """Return a sentence for each side that had orders left at the end of the battle."""
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
    """Fight the battle to its end, and return the referee.

    If `listen` is False, the referee does not record moves or events. `deadline` is a time of the monotonic
    clock in seconds. Raises InvalidInput if an order is not possible, and TimeUp if the battle is not over at
    the deadline.
    """
    referee = Referee(plan.rules, deal(plan, streams), Drawn(streams.battle), listen)
    referee.fight(make_commanders(plan, streams, own, deadline))
    return referee

"""One path from a plan to a fought battle: deal, muster the commanders, fight, record."""

from __future__ import annotations

import secrets

from cardbattle.commanders import ORDERS, Orders, muster
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.errors import Mistake, Refused
from cardbattle.core.referee import Commander, Referee, folded
from cardbattle.core.ruleset import Setup
from cardbattle.fighting.battlefile import Plan
from cardbattle.fighting.records import Record, record_of


def draw_seed() -> int:
    """Return a fresh seed of eight digits or fewer, short enough to be told by word of mouth."""
    return secrets.randbelow(10**8)


def deal(plan: Plan) -> Setup:
    """Return the setup with lots cast and all cards dealt; needs the seed."""
    assert plan.seed is not None
    setup = plan.setup.copy()
    plan.rules.cast_lots(setup, stream(plan.seed, "lot"))
    plan.rules.deal(setup, stream(plan.seed, "deal"))
    return setup


def commanders(plan: Plan) -> list[Commander]:
    """Return a commander for each seat, each with a stream of its own."""
    assert plan.seed is not None
    mustered = []
    dealt = plan.rules.answers_dealt(plan.setup)
    for seat, (key, side) in enumerate(zip(plan.setup.seats, plan.sides, strict=True)):
        rank = side.then if side.commander == ORDERS else side.commander
        commander = muster(rank, plan.rules, stream(plan.seed, f"side/{key}"))
        if side.commander == ORDERS:
            commander = Orders(after_deal(side.orders, dealt[seat], key), commander, ("sides", key, "orders"))
        if dealt[seat]:
            commander = Orders(dealt[seat], commander, ("deal", key))
        mustered.append(commander)
    return mustered


def after_deal(orders: list[str], dealt: list[str], key: str) -> list[str]:
    """Return the orders without those that the typed-in cards answer already; Refused if they differ."""
    for place, answer in enumerate(dealt):
        if place == len(orders) or orders[place].split(" ")[0] != answer.split(" ")[0]:
            return orders[place:]
        if folded(orders[place]) != folded(answer):
            at = ("sides", key, "orders", place)
            raise Refused([Mistake(f"the deal of {key} says {answer}, this order {orders[place]}", at=at)])
    return orders[len(dealt) :]


def fight(plan: Plan) -> tuple[Record, Referee]:
    """Fight the battle; return its record and the referee who saw it."""
    referee = Referee(plan.rules, deal(plan), Drawn(stream(plan.seed or 0, "battle")))
    referee.fight(commanders(plan))
    return record_of(plan, referee, "mixed" if plan.setup.deal else "engine"), referee

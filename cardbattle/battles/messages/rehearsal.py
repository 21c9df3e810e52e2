"""Try standing orders in simulated battles, with only the information that the side has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan
from cardbattle.battles.resolve import deal, streams_from
from cardbattle.battles.session import Session
from cardbattle.commanders.standing import NOTHING, StandingLine, matching_line
from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.referee import choice_words
from cardbattle.core.ruleset import RuleSet

BATTLES = 10


class Rehearsed(NamedTuple):
    """One simulated battle, with the result of the side (WON, DRAWN or LOST), its score and its answers.

    For each answer of the side, `questions` has the name of the question. `lines` has the index of the line
    of standing orders that gave the answer, or NOTHING if no line gave it.
    """

    end: str
    score: int
    answers: list[str]
    lines: list[int]
    questions: list[str]


WON, DRAWN, LOST = "won", "drawn", "lost"


class Rehearsal:
    """Battles to try standing orders in: new ones, or redeals of a battle in progress."""

    def __init__(self, plan: BattlePlan, session: Session | None = None) -> None:
        self.plan = plan
        self.session = session

    def run(self, seat: int, orders: Sequence[StandingLine]) -> list[Rehearsed]:
        """Fight ten battles with the standing orders of a seat, and return the results.

        Regular commanders answer for the other sides. They also answer for the seat if no line of the orders
        applies to a question.
        """
        battles = new_deals(self.plan, seat) if self.session is None else redeals(self.session, seat)
        return [rehearse_battle(self.plan.rules, battle, seat, orders, chance) for battle, chance in battles]


def new_deals(plan: BattlePlan, seat: int) -> Iterator[tuple[Battle, Chance]]:
    """Deal a battle ten times. Yield each deal with a random stream for the commanders.

    The deals do not depend on the seed of the battle, or on anything that is hidden from the seat.
    """
    plan = plan._replace(setup=plan.rules.without_secrets(plan.setup, seat))
    for number in range(1, BATTLES + 1):
        streams = streams_from(f"rehearsal/{number}", plan.setup.seats)
        battle = plan.rules.start(deal(plan, streams), Drawn(streams.battle))
        battle.run()
        yield battle, streams.sides[0]


def redeals(session: Session, seat: int) -> Iterator[tuple[Battle, Chance]]:
    """Deal the hidden cards of a battle in progress again, ten times.

    Yields each battle with a random stream for the commanders.

    The cards that are dealt are consistent with everything that the seat knows.
    """
    for number in range(1, BATTLES + 1):
        battle = session.referee.battle.copy()
        if seat in session.secretive():
            battle = session.position(seat)
            session.apply_secret_answers(battle, seat)
        chance = stream(session.rules.key, f"rehearsal/{number}")
        redealt = battle.redeal(seat, chance)
        redealt.random_source = Drawn(chance.copy())
        yield redealt, chance


def rehearse_battle(
    rules: RuleSet, battle: Battle, seat: int, orders: Sequence[StandingLine], chance: Chance
) -> Rehearsed:
    """Finish a battle with the standing orders of a seat and regular commanders, and return the result.

    The function changes `battle`.
    """
    answers, lines, questions = list[str](), list[int](), list[str]()
    while battle.side != NOBODY:
        view = battle.view(battle.side)
        if battle.side != seat:
            battle.choose(rules.regular(view, chance))
            continue
        texts = [choice_words(rules, battle, place) for place in range(len(battle.options))]
        line, place = matching_line(orders, rules, view, texts)
        if place == NOTHING:
            place = rules.regular(view, chance)
        lesson = rules.lessons.get(view.question)
        answers.append(texts[place])
        lines.append(line)
        questions.append(lesson.word if lesson is not None else "")
        battle.choose(place)
    winners = battle.outcome().winners
    end = DRAWN if len(winners) != 1 else WON if winners == [seat] else LOST
    return Rehearsed(end, battle.score(seat), answers, lines, questions)

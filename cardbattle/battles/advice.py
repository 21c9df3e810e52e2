"""Estimate the value of each option of a decision from the information that the side has.

To try an option, the program deals the hidden cards again, and regular commanders, the fast computer players
of the rule set, finish the battle. Good options are tried more often than bad ones (sequential halving). The
random numbers do not depend on the seed of the battle, so the estimate reveals nothing that the side does not
know.
"""

from __future__ import annotations

from typing import NamedTuple

from cardbattle.battles.session import Session
from cardbattle.commanders.rollout import WHOLE, play_out_by
from cardbattle.core.battle import Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.ruleset import RuleSet

MOST = 24  # maximum number of options to try; if there are more, `entrants` chooses some of them
FINALISTS = 6  # number of options in the final round
TRIES = 200  # total number of tries, unless the rule set specifies more for veterans


class OptionValue(NamedTuple):
    """The text of an option, the share of the points that it gives the side, and its number of tries.

    The share is a number from 0 to 1.
    """

    text: str
    share: float
    tries: int


def value_options(session: Session, seat: int) -> list[OptionValue]:
    """Return the best options of a side with their values, sorted from best to worst.

    Raises InvalidInput if the side has no question to answer now.
    """
    decision = session.decision(seat)
    battle = session.position_of(seat)
    chance = stream("why", f"{session.rules.key}/{len(decision.texts)}")
    table: dict[int, list[int]] = {index: [] for index in entrants(session.rules, battle, chance)}
    tries = max(TRIES, session.rules.iterations["veteran"])
    try_each(session.rules, battle, table, chance, tries // 2 // len(table))
    ranked = sorted(table, key=lambda index: -sum(table[index]))[:FINALISTS]
    best = {index: table[index] for index in ranked}
    try_each(session.rules, battle, best, chance, tries // 2 // len(best))
    option_values = [
        OptionValue(decision.texts[index], sum(payoffs) / len(payoffs) / WHOLE, len(payoffs))
        for index, payoffs in best.items()
    ]
    return sorted(option_values, key=lambda value: -value.share)


def entrants(rules: RuleSet, battle: Battle, chance: Chance) -> list[int]:
    """Return the indices of the options that are worth trying.

    If there are too many options, the result has only the options that the regular policy chooses, and a
    random sample of the others.
    """
    options = list(range(len(battle.options)))
    if len(options) <= MOST:
        return options
    regular_choices = {rules.regular(battle.view(battle.side), chance) for _ in range(MOST // 3)}
    unlikely = [index for index in options if index not in regular_choices]
    return sorted([*regular_choices, *chance.sample(MOST - len(regular_choices), unlikely)])


def try_each(rules: RuleSet, battle: Battle, table: dict[int, list[int]], chance: Chance, tries: int) -> None:
    """Try each option `tries` times, at least twice.

    All options are tried in the same deals and with the same random numbers. `table` maps the index of an
    option to its results, to which the new results are added.
    """
    side = battle.side
    for _ in range(max(2, tries)):
        dealt = battle.redeal(side, chance)
        luck = Chance(chance.bits(), chance.bits(), chance.bits(), 1)
        for index, payoffs in table.items():
            tried, random_source = dealt.copy(), luck.copy()
            tried.random_source = Drawn(random_source)
            tried.choose(index)
            payoffs.append(play_out_by(rules, rules.regular, tried, random_source)[side])

"""Find the value of an option with which a side has a target chance of winning (a race with elimination).

All values are first tried in a few battles, and then in more and more battles. A value is eliminated if its
chance is certainly farther from the target than the chance of the best value. The chance of a side is its
share of the points. After a draw, all sides get the same points.

Source: O. Maron, A. Moore, Hoeffding Races: Accelerating Model Selection Search, 1994. This module uses
Wilson intervals instead of Hoeffding's bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from itertools import product
from time import monotonic
from typing import NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.battles.strength import (
    Recipient,
    bonus_of,
    cards_by_name,
    cards_given,
    inside,
    usual,
)
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import listed
from cardbattle.core.options import CardList, OneOf, Option, Switch, Whole
from cardbattle.core.ruleset import RuleSet
from cardbattle.simulation.counting import WHOLE
from cardbattle.simulation.intervals import Z, wilson_bounds
from cardbattle.simulation.sample import Sample

FEWEST = 20  # battles for each value, however long they take
FIRST_LOOK = 100
LOOKS = 1.5
MOST_BATTLES = 200_000
MOST_SECONDS = 30.0
MOST_VALUES = 400
NEAR = 12  # default number of values to try below and above the current value
NEAR_OF_BOTH = 3
Z_SURE = 3.29  # two-sided 99.9 %, so that repeated tests do not eliminate the best value by chance
PATH = "handicap"


class ShareEstimate(NamedTuple):
    """A share of the points, from 0 to 1, with the two ends of its interval."""

    share: float
    low: float
    high: float

    def farthest(self, target: float) -> float:
        """Return the largest distance between the target and a share in the interval."""
        return max(abs(self.low - target), abs(self.high - target))

    def nearest(self, target: float) -> float:
        """Return the smallest distance between the target and a share in the interval."""
        return max(self.low - target, target - self.high, 0.0)


class TriedValue:
    """A value of the option, and the results of the battles that were fought with this value.

    If the option is varied for two sides, there is one value for each side.
    """

    def __init__(self, values: tuple[object, ...], sample: Sample, seat: int) -> None:
        self.values = values
        self.sample = sample
        self.seat = seat

    @property
    def battles(self) -> int:
        """The number of battles fought with this value."""
        return self.sample.counted.battles

    def is_precise(self, precision: float) -> bool:
        """Return True if half the width of the 95 % interval is below `precision`, a number from 0 to 1."""
        chance = self.chance()
        return chance.high - chance.low < 2 * precision

    def chance(self, z: float = Z) -> ShareEstimate:
        """Return the side's share of the points, with the Wilson interval of this share.

        `z` is half the width of the interval in standard deviations. If many battles are drawn, the interval
        is wider than necessary.
        """
        share = self.sample.counted.points[self.seat] / (WHOLE * self.battles)
        return ShareEstimate(share, *wilson_bounds(share, self.battles, z))


class HandicapStop(NamedTuple):
    """The conditions that stop the search for a handicap.

    The search stops when half the width of the best value's 95 % interval is below `precision`, a number from
    0 to 1. It also stops after `most` battles in total, or after this number of seconds, but not before each
    value has been tried in 20 battles.
    """

    precision: float = 0.01
    most: int = MOST_BATTLES
    seconds: float = MOST_SECONDS


class Handicap(NamedTuple):
    """The result of a search for a handicap.

    The values that were tried are sorted by the distance of their chances from the target.

    `stopped` is the reason why the search stopped: `precision`, `limit` or `interrupted`. `options` has the
    names of the varied options, such as `percy.hand`.
    """

    plan: BattlePlan
    seat: int
    target: float
    options: list[str]
    trials: list[TriedValue]
    stopped: str

    def __repr__(self) -> str:
        values = ", ".join(
            f"{option} {value}" for option, value in zip(self.options, self.best.values, strict=True)
        )
        return f"<Handicap: {values} comes to {self.best.chance().share:.1%}, wanted {self.target:.1%}>"

    @property
    def best(self) -> TriedValue:
        """The tried value whose chance is nearest to the target."""
        return self.trials[0]

    @property
    def is_reached(self) -> bool:
        """True if the target lies between the chances of the lowest and the highest value."""
        sure = [trial.chance(Z_SURE) for trial in self.trials]
        return any(interval.high >= self.target for interval in sure) and any(
            interval.low <= self.target for interval in sure
        )

    @property
    def battles(self) -> int:
        """The total number of battles fought."""
        return sum(trial.battles for trial in self.trials)


class HandicapRequest(NamedTuple):
    """A request for a handicap.

    It has the side, the option to vary, and the target chance of winning, from 0 to 1.

    If `both` is True, the search varies the option for both sides. If `values` is empty, the search tries
    values near the current value.
    """

    side: str
    option: str
    target: float
    values: Sequence[object] = ()
    both: bool = False


def find_handicap(
    battle: Mapping[str, object],
    base: str,
    wish: HandicapRequest,
    stop: HandicapStop,
    hands: tuple[Executor, int],
    report_progress: Callable[[int, int], None] = lambda finished, of: None,
) -> Handicap:
    """Find the value of an option that gives a side its target chance of winning. The battle needs a seed.

    If the user presses Ctrl-C after all values have been tried once, the function returns the results so far.

    Raises UsageError if no value can be tried, or if `both` is True and the battle has more than two
    sides. Raises InvalidInput if the battle or a value is not valid.
    """
    plan = read_battle(battle, base)
    keys = plan.setup.seats
    if wish.both and len(keys) != 2:
        raise UsageError(f"--both needs a battle of two sides, got {len(keys)}")
    changed = [wish.side, *(key for key in keys if key != wish.side)] if wish.both else [wish.side]
    seat = keys.index(wish.side)
    trials = [
        TriedValue(values, Sample(changed_battle, base, *hands, PATH), seat)
        for values, changed_battle in fitting_battles(battle, base, plan, wish, changed)
    ]
    if not trials:
        raise UsageError(
            f"no value of {wish.option} near the current one is valid; name values with --values"
        )
    try:
        stopped = narrow_down(trials, wish.target, stop, report_progress)
    except KeyboardInterrupt:
        if not all(trial.battles for trial in trials):
            raise
        stopped = "interrupted"
    ordered = sorted(trials, key=lambda trial: abs(trial.chance().share - wish.target))
    return Handicap(plan, seat, wish.target, [f"{key}.{wish.option}" for key in changed], ordered, stopped)


def narrow_down(
    trials: list[TriedValue], target: float, stop: HandicapStop, report_progress: Callable[[int, int], None]
) -> str:
    """Try all values in more and more battles, and eliminate values that are certainly not the nearest.

    Return the reason why the search stopped.
    """
    end = monotonic() + stop.seconds

    def is_late() -> bool:
        return monotonic() > end and all(trial.battles >= FEWEST for trial in trials)

    look = FIRST_LOOK
    left = trials
    while True:
        for trial, battles in [*product(left, [FEWEST]), *product(left, [look])]:
            trial.sample.up_to(battles, is_late)
            finished = sum(each.battles for each in trials)
            report_progress(finished, max(finished, likely_battles(len(left), look, stop)))
            if is_late():
                return "limit"
        least = min(trial.chance(Z_SURE).farthest(target) for trial in left)
        left = [trial for trial in left if trial.chance(Z_SURE).nearest(target) <= least]
        if all(trial.is_precise(stop.precision) for trial in left):
            return "precision"
        if sum(trial.battles for trial in trials) >= stop.most:
            return "limit"
        look = int(look * LOOKS) // 50 * 50


def likely_battles(left: int, look: int, stop: HandicapStop) -> int:
    """Estimate the total number of battles in the search, for a progress bar."""
    return min(stop.most, left * look + int(Z * Z / 4 / stop.precision**2))


def fitting_battles(
    battle: Mapping[str, object], base: str, plan: BattlePlan, wish: HandicapRequest, changed: list[str]
) -> list[tuple[tuple[object, ...], dict[str, object]]]:
    """Return the values to try, and the content of the battle file for each value.

    If two sides are varied, return pairs of values.

    Raises InvalidInput if a value that the user requested is not valid. If the user requested no values,
    values that are not valid are left out. Raises UsageError if there are more than 400 values.
    """
    option = plan.rules.options[wish.option]
    taken = cards_by_name(plan.rules, battle)
    ranges = []
    for key in changed:
        whose = Recipient(
            inside(inside(battle, "sides"), key), inside(battle, "house"), len(plan.setup.seats), taken
        )
        if wish.values and isinstance(option, CardList):
            ranges.append([with_suits(plan.rules, option, value, whose) for value in wish.values])
        else:
            ranges.append(list(wish.values) or near(plan, whose, wish))
    combinations = list(product(*ranges))
    if len(combinations) > MOST_VALUES:
        raise UsageError(
            f"{len(combinations)} values are too many (at most {MOST_VALUES}); give a shorter range"
        )
    battles = []
    for values in combinations:
        with_values = battle_with(battle, dict(zip(changed, values, strict=True)), wish.option)
        try:
            read_battle(with_values, base)
        except InvalidInput:
            if wish.values:
                raise
            continue
        battles.append((values, with_values))
    return battles


def battle_with(battle: Mapping[str, object], values: Mapping[str, object], word: str) -> dict[str, object]:
    """Return the content of a battle file with new values for the option `word`.

    `values` maps the key of a side to the new value.
    """
    sides = dict(inside(battle, "sides"))
    for key, value in values.items():
        sides[key] = {**inside(sides, key), word: value}
    return {**battle, "sides": sides}


def near(plan: BattlePlan, whose: Recipient, wish: HandicapRequest) -> list[object]:
    """Return the values of a side's option that are worth trying.

    If the values are numbers, these are up to 12 values below and up to 12 values above the current value. If
    the option is varied for both sides, these are up to 3 values below and up to 3 values above it. If the
    values are cards, these are the current cards, and the cards that greater strength adds to them.

    Raises UsageError if the function cannot propose values, so that the user must name them.
    """
    option, word = plan.rules.options[wish.option], wish.option
    if not proposes_values(plan.rules, word):
        raise UsageError(f"give the values of {word} to try: --values {example(option)}")
    if isinstance(option, Switch):
        return [False, True]
    if isinstance(option, OneOf):
        return list(option.choices)
    advantage = plan.rules.advantage
    if isinstance(option, CardList) and advantage:
        most = min(NEAR_OF_BOTH, advantage.most) if wish.both else advantage.most
        gift = advantage.give[word]
        lists = [
            bonus_of(plan.rules, word, (gift, steps), whose._replace(taken={*whose.taken})).after
            for steps in range(most)
        ]
        lists.append(bonus_of(plan.rules, word, (gift, most), whose).after)
        return [value for number, value in enumerate(lists) if value not in lists[:number]]
    assert isinstance(option, Whole)
    current = whose.own.get(word)
    present = current if isinstance(current, int) else usual(plan.rules, word, whose.house)
    reach = NEAR_OF_BOTH if wish.both else NEAR
    return list(range(max(option.least, present - reach), min(option.most, present + reach) + 1))


def proposes_values(rules: RuleSet, word: str) -> bool:
    """Return True if `near` can propose values for an option."""
    option, advantage = rules.options[word], rules.advantage
    is_given = advantage is not None and word in advantage.give
    return isinstance(option, Switch | OneOf | Whole) or (isinstance(option, CardList) and is_given)


def with_suits(rules: RuleSet, option: CardList, value: object, whose: Recipient) -> object:
    """Return a list of cards in which each rank without a suit is replaced with a free card of this rank.

    If a word is not a card, or if too few cards are free, the list is returned unchanged.
    """
    assert isinstance(value, list)
    try:
        cards = cards_given(rules, option, value, whose._replace(taken={*whose.taken}))
    except ValueError:
        return value
    return option.write(cards) if len(cards) == len(value) else value


def example(option: Option) -> str:
    """Return an example of values of an option, as the user writes them on the command line."""
    if not isinstance(option, CardList):
        return '"first; second"'
    if option.least:
        return f'"LIST; LIST", where each list is {option.expects().removeprefix("a list of ")}'
    return '"K; K K; K K K"' if has_kings(option) else '"9; 8 9; 7 8 9"'


def has_kings(option: CardList) -> bool:
    try:
        return bool(option.card_named("K"))
    except ValueError:
        return False


def untried(handicap: Handicap) -> str:
    """Return a range of values to try next if no tried value reaches the target, or "" if there is none.

    The range lies beyond the best value, if this value is the lowest or the highest of those that were tried.
    """
    option = handicap.plan.rules.options[handicap.options[0].partition(".")[2]]
    if len(handicap.options) > 1 or not isinstance(option, Whole):
        return ""
    numbers = [value for trial in handicap.trials if isinstance(value := trial.values[0], int)]
    best, lowest, highest = numbers[0], min(numbers), max(numbers)
    goes_up = handicap.best.chance().share < handicap.target if lowest == highest else best == highest
    if goes_up and best < option.most:
        return f"{best + 1}..{min(option.most, best + 2 * NEAR)}"
    if best == lowest and not goes_up and best > option.least:
        return f"{max(option.least, best - 2 * NEAR)}..{best - 1}"
    return ""


def option_of(rules: RuleSet, word: str) -> str:
    """Return the name of the option to vary, which is `word` unless `word` is empty.

    By default, this is the first option whose values are numbers. Options that greater strength increases
    come first. If no option has numbers, it is the first option that greater strength increases. Raises
    UsageError, which lists the valid options, if the option is unknown.
    """
    if not word:
        likely = [*(rules.advantage.give if rules.advantage else []), *rules.options]
        word = next((each for each in likely if isinstance(rules.options[each], Whole)), likely[0])
    if word not in rules.options:
        raise UsageError(f"--option {word or '(none)'}: {rules.name} has {listed(rules.options, 'and')}")
    return word


def read_values(option: Option, text: str) -> list[object]:
    """Parse the values to try.

    The text is a range such as 8..14, or a list with semicolons or commas between the values.

    Raises UsageError, which explains the notation, for any other text.

    >>> read_values(Whole(10, "cards"), "8..10"), read_values(Whole(10, "cards"), "5, 9")
    ([8, 9, 10], [5, 9])
    """
    first, dots, last = text.partition("..")
    if dots and isinstance(option, Whole):
        bounds = [option.words(first.strip()), option.words(last.strip())]
        begin, end = (bound if isinstance(bound, int) else -1 for bound in bounds)
        if 0 <= begin <= end < begin + MOST_VALUES:
            return list(range(begin, end + 1))
        raise UsageError(f"--values {text[:40]}: write the first and the last, such as 8..14")
    between = "," if isinstance(option, Whole) and ";" not in text else ";"
    return [option.words(word.strip()) for word in text.split(between) if word.strip()]

"""The law that cards that are dealt again are distributed like cards that are dealt for the first time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations
from math import sqrt

from cardbattle.core.battle import UNKNOWN, Battle
from cardbattle.core.chance import Chance
from cardbattle.testing.redealing import HIDDEN_FROM, beginning, dealt_otherwise, look_alike
from cardbattle.testing.trial import Trial

SAMPLE = 200  # number of deals, and of redeals, to compare
PAIRS = 80  # number of pairs of positions in the state to compare
FEW = SAMPLE // 8  # maximum number of different states for which whole states are compared
STRANGE = 6  # limit in standard deviations; a correct rule set fails once in a billion tests

State = list[list[int]]


def redeals_have_the_distribution_of_deals(trial: Trial) -> None:
    """Check that redeals before the first choice have the same joint distribution as deals.

    A redeal is a copy of a battle in which the cards that the viewer does not know are dealt again. The law
    deals a setup many times, always with the same cards for the viewer, and keeps the deals that look the
    same to the viewer. A chi-square test compares these deals with redeals of one of them. If there are few
    different states, the test compares whole states. If there are many, it compares pairs of positions in the
    state. Therefore it also detects a redeal that rotates the hidden cards instead of shuffling them,
    although such a redeal puts each card in each position equally often.
    """
    chance = trial.chance("distribution")
    viewer = chance.below(len(trial.seats))
    _, battle = beginning(trial, trial.setup)
    deals = deals_for(trial, viewer, chance)
    if not deals:
        return
    redeals = [battle.redeal(viewer, chance) for _ in deals]
    if any(redealt.todo != battle.todo for redealt in redeals):
        return  # the redeal has taken back answers, so the states cannot be compared
    compare([hidden(deal) for deal in deals], [hidden(redealt) for redealt in redeals], chance)


def deals_for(trial: Trial, viewer: int, chance: Chance) -> list[Battle]:
    """Return battles with different deals that look the same to the viewer.

    The list is empty if such deals are rare or do not exist.
    """
    start = beginning(trial, trial.setup)
    deals: list[Battle] = []
    for n in range(2 * SAMPLE):
        setup = dealt_otherwise(trial, viewer, 0, chance)
        if setup is trial.setup:
            return []
        twin = beginning(trial, setup)
        if twin[1].question in trial.rules.revealing:
            return []  # a redeal may ignore what this question reveals about hidden cards
        if look_alike(trial, start, twin, viewer):
            deals.append(twin[1])
        if len(deals) == SAMPLE:
            return deals
        if n == 10 and len(deals) < 5:
            return []
    return []


def hidden(battle: Battle) -> State:
    """Return the state of a battle without its question and its agenda."""
    return battle.state()[HIDDEN_FROM:]


def compare(deals: Sequence[State], redeals: Sequence[State], chance: Chance) -> None:
    """Check that two samples of states have the same distribution."""
    varying = positions(deals, redeals)
    states = len({values_at(state, varying) for state in [*deals, *redeals]})
    if states <= FEW:
        distance = strangeness(deals, redeals, lambda state: values_at(state, varying))
        assert distance < STRANGE, (
            f"redeals are not as likely as deals: some of the {states} states come up too often or never"
        )
        return
    pairs = list(combinations(range(len(varying)), 2))
    for at in chance.sample(PAIRS, list(range(len(pairs)))):
        pair = [varying[n] for n in pairs[at]]
        features = [feature_of(place, [*deals, *redeals], chance) for place in pair]
        distance = strangeness(deals, redeals, Cells(pair, features).of)
        assert distance < STRANGE, (
            f"redeals are not as likely as deals: {' and '.join(map(place_in_state, pair))} "
            f"together ({distance:.0f} standard deviations)"
        )


Place = tuple[int, int]


def place_in_state(place: Place) -> str:
    """Return a text for an error message that describes a position in the state."""
    return f"state()[{place[0] + HIDDEN_FROM}][{place[1]}]"


def value_at(state: State, place: Place) -> int:
    """Return the value at a position in a state, or -2 if the list at this position is too short."""
    values = state[place[0]] if place[0] < len(state) else []
    return values[place[1]] if place[1] < len(values) else -2


def values_at(state: State, places: Sequence[Place]) -> tuple[int, ...]:
    """Return the values at several positions in a state."""
    return tuple(value_at(state, place) for place in places)


def positions(deals: Sequence[State], redeals: Sequence[State]) -> list[Place]:
    """Return the positions in the state whose values differ between deals.

    Positions whose card is unknown in all redeals are left out. An example is the viewer's own deck, whose
    order is known in deals, but unknown in redeals.
    """
    places = {(part, at) for state in deals for part, values in enumerate(state) for at in range(len(values))}
    varying = {place for place in places if len({value_at(state, place) for state in deals}) > 1}
    unknown = {place for place in places if {value_at(state, place) for state in redeals} == {UNKNOWN}}
    return sorted(varying - unknown)


Feature = Callable[[int], bool]


class Cells:
    """A function that sorts states into four cells.

    The cell depends on the answers to two yes-or-no questions, which are about two values in the state.
    """

    def __init__(self, pair: Sequence[Place], features: Sequence[Feature]) -> None:
        self.parts = list(zip(pair, features, strict=True))

    def of(self, state: State) -> tuple[bool, ...]:
        """Return the cell to which a state belongs."""
        return tuple(feature(value_at(state, place)) for place, feature in self.parts)


def feature_of(place: Place, states: Sequence[State], chance: Chance) -> Feature:
    """Return a function that answers a random yes-or-no question about a value.

    The question is whether the value is above the median, whether it is odd, or whether its second bit is
    set. The last two bits of a card are its suit.
    """
    values = sorted(value_at(state, place) for state in states)
    median = values[len(values) // 2 - 1]
    features: list[Feature] = [lambda value: value > median, lambda value: value % 2 == 1, is_second_bit]
    return features[chance.below(3)]


def is_second_bit(value: int) -> bool:
    """Return True if the second bit of a number is set."""
    return value // 2 % 2 == 1


def strangeness(
    first: Sequence[State], second: Sequence[State], cell_of: Callable[[State], Hashable]
) -> float:
    """Return how much two samples of equal size differ, in standard deviations.

    The function converts the chi-square statistic of the samples to a normal distribution.

    Source: E. B. Wilson and M. M. Hilferty, The distribution of chi-square, 1931.
    """
    counts, others = Counter(map(cell_of, first)), Counter(map(cell_of, second))
    cells = counts.keys() | others.keys()
    freedom = len(cells) - 1
    if freedom == 0:
        return 0.0
    total = sum((counts[cell] - others[cell]) ** 2 / (counts[cell] + others[cell]) for cell in cells)
    spread = 2 / (9 * freedom)
    return float(((total / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))

"""The learned policy of Field of Honour, trained in many battles against seasoned commanders.

It finds its line by local search: it begins with the line of a seasoned commander, then exchanges two spaces,
or cards of a space for cards in hand, as long as the learned value rises. It plays the special with the
highest learned value. Its choices are not random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import is_among
from cardbattle.rules.field_of_honour.battle import HIGH, OPEN, PLACE, SPACES, FieldView, choice_of, pairs_of
from cardbattle.rules.field_of_honour.evaluation import of_lines, of_specials
from cardbattle.rules.field_of_honour.seasoned import content_worth
from cardbattle.rules.field_of_honour.tactics import plan_of

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.chance import Chance

NOT_LEARNED: Final = -1
BEGUN_WITH: Final = [10, 10]  # size of the starting hands in training


def choose(view: View, chance: Chance) -> int:
    """Return the index of the most valuable option, or NOT_LEARNED outside the training situations."""
    assert isinstance(view, FieldView)
    if view.begun_with != BEGUN_WITH or is_among(UNKNOWN, view.hand):
        return NOT_LEARNED
    if view.question == PLACE:
        return place(view)
    if view.question >= OPEN:
        worths = of_specials().worths_of_specials(view)
        return worths.index(max(worths))
    return NOT_LEARNED


def place(view: FieldView) -> int:
    """Return the index of the next choice of the best line."""
    laid = [choice_of(cards) for cards in view.line if cards]
    cards = sorted(view.hand + cards_of(laid))
    is_first = view.first == view.side
    line = best_line(cards, [], is_first)
    if line[: len(laid)] != laid:
        line = best_line(view.hand, laid, is_first)
    return view.options.index(line[len(laid)])


def best_line(hand: list[int], laid: list[int], is_first: bool) -> list[int]:
    """Return the best line that the local search reaches; spaces already filled stay."""
    network = of_lines()
    best = laid + usual_rest(hand, SPACES - len(laid))
    most = network.worth_of_line(best, remaining_hand(hand, best), is_first)
    is_better = True
    while is_better:
        is_better = False
        for line in lines_near(best, len(laid), hand):
            worth = network.worth_of_line(line, remaining_hand(hand, line), is_first)
            if worth > most:
                best, most, is_better = line, worth, True
    return best


def usual_rest(hand: list[int], empty: int) -> list[int]:
    """Return the choices of a seasoned commander for the last `empty` spaces."""
    options = hand + pairs_of(hand)
    worth = [content_worth(choice) for choice in options]
    return [options[index] for index in plan_of(options, empty, len(hand), worth)]


def lines_near(line: list[int], laid: int, hand: list[int]) -> list[list[int]]:
    """Return the neighbours of a line: two spaces exchanged or one refilled; the first `laid` stay."""
    lines = []
    in_hand = remaining_hand(hand, line)
    for space in range(laid, SPACES):
        for second in range(space + 1, SPACES):
            near = line.copy()
            near[space], near[second] = near[second], near[space]
            lines.append(near)
        cards = sorted(in_hand + cards_of([line[space]]))
        for choice in cards + pairs_of(cards):
            if choice != line[space]:
                near = line.copy()
                near[space] = choice
                lines.append(near)
    return lines


def cards_of(contents: list[int]) -> list[int]:
    """Return the cards of several choices."""
    cards: list[int] = []
    for choice in contents:
        cards += [choice] if choice < HIGH else [choice % HIGH, choice // HIGH]
    return cards


def remaining_hand(hand: list[int], line: list[int]) -> list[int]:
    """Return the cards of a hand that are not in a line."""
    laid = cards_of(line)
    return [card for card in hand if not is_among(card, laid)]

"""Solve the last part of a battle of Wargame exactly, if nothing is hidden.

An exact search over all switches and attacks finds the winner under perfect play. The search is an alpha-beta
search with a transposition table. Because a battle is only won or lost, the search stops at the first winning
choice.
"""

from __future__ import annotations

from typing import Final

from cardbattle.core.battle import NOBODY
from cardbattle.rules.wargame.battle import ADVANCE, SWITCH, Wargame, stronger

MOST_CARDS: Final = 6  # maximum number of cards left in a line, for a solution within seconds
MOST_CARDS_MULTI: Final = 5  # the same limit with the house rule `multi_switch`


class Solution:
    """The solution of a battle: the winner under perfect play, and the best options.

    `best` has the indices of the options after which the side that must choose can still force a win. If it
    cannot win, `best` has all indices.
    """

    def __init__(self, winner: int, best: list[int]) -> None:
        self.winner = winner
        self.best = best


def solve(battle: Wargame) -> Solution:
    """Return the solution of a battle. The battle must pass `can_solve`."""
    search = Search(battle)
    side = battle.side
    best = []
    for index in range(len(battle.options)):
        after = battle.copy()
        after.choose(index)
        if search.winner(after) == side:
            best.append(index)
    if best:
        return Solution(side, best)
    return Solution(1 - side, list(range(len(battle.options))))


def can_solve(battle: Wargame) -> bool:
    """Return True if a side must switch or advance, nothing is hidden, and few cards are left."""
    if battle.side == NOBODY or battle.question not in (SWITCH, ADVANCE):
        return False
    cards = sum([1 for card in battle.line[battle.side] if card])
    most = MOST_CARDS_MULTI if battle.multi_switch else MOST_CARDS
    return cards <= most and not is_veiled(battle, 0) and not is_veiled(battle, 1)


def is_veiled(battle: Wargame, side: int) -> bool:
    """Return True if a hidden Traitor card of this side can still have an effect.

    The function uses only public facts.
    """
    if not battle.traitor[side] or battle.spent[side]:
        return False
    enemy = 1 - side
    left = battle.line[enemy].copy()
    if battle.place != NOBODY:
        left.append(battle.card(enemy))
    return any(card in left for card in battle.traitors[side])


Position = tuple[int, int, int, int, int, int]
"""Lines, won spaces and chips: first the attacker's line, then the defender's line, and so on.

A line has four bits for each place, and won spaces have one bit each.
"""


class Search:
    """An alpha-beta search with a transposition table."""

    def __init__(self, battle: Wargame) -> None:
        self.places = battle.places
        self.majority = battle.majority
        self.multi_switch = battle.multi_switch
        self.known: dict[tuple[int, int, int, int], list[tuple[int, int, bool]]] = {}
        self.cut: dict[int, list[int]] = {}

    def winner(self, battle: Wargame) -> int:
        """Return the side that wins from the current state of a battle under perfect play."""
        if battle.side == NOBODY:
            return battle.outcome().winners[0]
        attacker = battle.attacker
        position = position_of(battle)
        if battle.side != attacker:
            wins = not self.defend(position, battle.place)
        elif battle.question == ADVANCE:
            wins = self.advance(position)
        else:
            wins = self.attack(position)
        return attacker if wins else 1 - attacker

    def attack(self, position: Position) -> bool:
        """Return True if the attacker wins from a position before its switch (WG-17)."""
        mine, theirs, my_spaces, their_spaces, my_chips, their_chips = position
        results = self.known.setdefault((mine, theirs, my_spaces, their_spaces), [])
        # an additional chip never harms a side, because the side need not spend it
        for mine_then, theirs_then, won in results:
            if won and my_chips >= mine_then and their_chips <= theirs_then:
                return True
            if not won and my_chips <= mine_then and their_chips >= theirs_then:
                return False
        is_winning = False
        for line, chips in self.rearrangements(mine, their_spaces, my_chips):
            if self.advance((line, theirs, my_spaces, their_spaces, chips, their_chips)):
                is_winning = True
                break
        results.append((my_chips, their_chips, is_winning))
        return is_winning

    def advance(self, position: Position) -> bool:
        """Return True if the attacker wins with one of its possible advances (WG-17)."""
        line = position[0]
        for place in range(self.places):
            if line >> 4 * place & 15 and not self.defend(position, place):
                return True
        return False

    def defend(self, position: Position, place: int) -> bool:
        """Return True if the defender wins from a position before its switch (WG-18, WG-19)."""
        mine, theirs, my_spaces, their_spaces, my_chips, their_chips = position
        card = mine >> 4 * place & 15
        left = mine ^ card << 4 * place
        lost = []
        for line, chips in self.rearrangements(theirs, my_spaces, their_chips):
            met = line >> 4 * place & 15
            behind = line ^ met << 4 * place
            if stronger(met, card) <= 0:
                lost.append((behind, chips))
                continue
            spaces = their_spaces | 1 << place
            if self.is_decided(spaces) or self.attack((behind, left, spaces, my_spaces, chips, my_chips)):
                return True
        spaces = my_spaces | 1 << place
        if self.is_decided(spaces):
            return False
        for behind, chips in lost:
            if not self.attack((left, behind, spaces, their_spaces, my_chips, chips)):
                return True
        return False

    def rearrangements(self, line: int, enemy_spaces: int, chips: int) -> list[tuple[int, int]]:
        """Return a pair (line, remaining chips) for each order that a line can reach by switches (WG-30).

        The first pair has the line in its present order.
        """
        options = [(line, chips)]
        if not chips:
            return options
        cut = self.cuts(enemy_spaces)
        standing = [place for place in range(self.places) if line >> 4 * place & 15]
        pairs = [(4 * p, 4 * q) for p in standing for q in standing if p < q and cut[p] == cut[q]]
        reached = {line}
        for before, left in options:  # the list grows with multi_switch; orders with few switches come first
            if not left or (left < chips and not self.multi_switch):
                break
            for p, q in pairs:
                change = (before >> p ^ before >> q) & 15
                after = before ^ change << p ^ change << q
                if after not in reached:
                    reached.add(after)
                    options.append((after, left - 1))
        return options

    def cuts(self, enemy_spaces: int) -> list[int]:
        """Return, for each place, the number of breaks in the line that begin below the place (WG-27)."""
        counts = self.cut.get(enemy_spaces)
        if counts is None:
            breaks = enemy_spaces & enemy_spaces >> 1 & enemy_spaces >> 2
            counts = [(breaks & (1 << place) - 1).bit_count() for place in range(self.places)]
            self.cut[enemy_spaces] = counts
        return counts

    def is_decided(self, spaces: int) -> bool:
        """Return True if a side that holds the spaces in `spaces` has won the game (WG-32)."""
        run = spaces & spaces >> 1 & spaces >> 2 & spaces >> 3
        return run > 0 or spaces.bit_count() >= self.majority


def position_of(battle: Wargame) -> Position:
    """Return the position of a battle. A card that has advanced counts as if it were still in its line."""
    attacker = battle.attacker
    defender = 1 - attacker
    mine = pack_line(battle.line[attacker])
    if battle.place != NOBODY:
        mine |= battle.card(attacker) << 4 * battle.place
    return (
        mine,
        pack_line(battle.line[defender]),
        spaces_won(battle.holder, attacker),
        spaces_won(battle.holder, defender),
        battle.chips[attacker],
        battle.chips[defender],
    )


def pack_line(line: list[int]) -> int:
    return sum([card << 4 * place for place, card in enumerate(line)])


def spaces_won(holder: list[int], side: int) -> int:
    """Return the spaces that a side has won, as a bit set."""
    return sum([1 << place for place, winner in enumerate(holder) if winner == side])

"""Solve the last rounds of a duel of Strategy WAR exactly, by backward induction.

Each round is a matrix game between the cards of the two sides (sources in core.numeric.matrix_game). The
payoffs of this game are the values of the positions that can follow. The value of a position is our chance to
win if both sides play an equilibrium.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.numeric import matrix_game

MOST_CARDS: Final = 8  # maximum number of cards in a hand for an exact solution
PAIRS: Final = 1 << 2 * MOST_CARDS  # number of pairs of subsets of two hands
MOST_ENDINGS: Final = 2  # maximum number of endings in the cache
MOST_ALIKE: Final = 3  # maximum number of rounds left for which leads with the same result are stored at once
LEADS: Final = 1 << 20  # the number of different leads in a cache key; half of them are negative

Hand = tuple[int, ...]  # cards in ascending order
Position = tuple[Hand, Hand, int, int, int]  # our hand, their hand, our lead, pot, rounds left


UNKNOWN: Final = -1.0  # marks the value of a position that is not computed yet


class Holding:
    """The cards of a side, and all subsets of them. A subset is a bit mask with one bit for each card.

    If one of several equal cards was played, the subset keeps the first of them. `spare` is the number of
    cards that stay unplayed, because no round is left for them.
    """

    def __init__(self, hand: Hand, spare: int) -> None:
        sets = range(1 << len(hand))
        self.hand = hand
        self.hands = [tuple([card for at, card in enumerate(hand) if left >> at & 1]) for left in sets]
        self.cards = [sorted(set(each)) for each in self.hands]
        self.rests = [[left ^ 1 << self.last(card, left) for card in self.cards[left]] for left in sets]
        self.rounds = [max(0, len(each) - spare) for each in self.hands]
        self.points = [sum(each[spare:]) for each in self.hands]

    def last(self, card: int, left: int) -> int:
        """Return the index of the last card of this rank in the subset `left`."""
        return max([at for at, each in enumerate(self.hand) if each == card and left >> at & 1])

    def set_of(self, hand: Hand) -> int:
        """Return the bit set of the cards of `hand` within the full hand, or -1 if `hand` has other cards."""
        left = at = 0
        for card in hand:
            while at < len(self.hand) and self.hand[at] < card:
                at += 1
            if at == len(self.hand) or self.hand[at] > card:
                return -1
            left |= 1 << at
            at += 1
        return left


@mypyc_attr(acyclic=True)
class Stand:
    """The known values of the positions with one pair of subsets, for each lead.

    Until the end, our lead can grow by at most `up` points, and shrink by at most `down` points. The possible
    leads are either all odd or all even.
    """

    def __init__(self, up: int, down: int) -> None:
        self.up = up
        self.down = down
        self.known = [UNKNOWN] * max(0, (up + down >> 1) + 1)  # by half the distance from the lowest lead
        self.swings: list[int] = []  # possible changes of our lead until the end; computed when needed

    def keep(self, lead: int, value: float) -> None:
        self.known[lead + self.up >> 1] = value

    def keep_alike(self, lead: int, value: float, swings: list[int]) -> None:
        """Store `value` for this lead, and for every lead with which all continuations have the same result.

        `swings` has the possible changes of the lead up to the end.
        """
        self.keep(lead, value)
        below, above = -self.up - 1, self.down + 1
        for swing in swings:
            if lead + swing == 0:
                return
            if lead + swing > 0:
                below = max(below, -swing)
            else:
                above = min(above, -swing)
        for each in [*range(lead, below, -2), *range(lead, above, 2)]:
            self.keep(each, value)


class Ending:
    """A solver for all positions to which two hands can lead, with a cache of values.

    A position consists of a subset of each `Holding`, our lead and the pot. In the methods, `ours` and
    `theirs` are the two subsets.
    """

    def __init__(self, position: Position) -> None:
        ours, theirs, _, _, rounds = position
        self.ours = Holding(ours, len(ours) - rounds)
        self.theirs = Holding(theirs, len(theirs) - rounds)
        self.is_even = len(ours) == len(theirs) == rounds
        self.kind = kind_of(position)
        self.stands: list[Stand | None] = [None] * PAIRS
        self.known_with_pot: dict[int, float] = {}

    def holds(self, position: Position) -> bool:
        """Return True if a position can arise from the hands of this ending."""
        if kind_of(position) != self.kind:
            return False
        return self.ours.set_of(position[0]) >= 0 and self.theirs.set_of(position[1]) >= 0

    def table(self, position: Position) -> list[list[float]]:
        """Return our payoffs in a position: a row for each of our cards, a column for each enemy card."""
        ours, theirs, lead, pot, _ = position
        return self.table_of(self.ours.set_of(ours), self.theirs.set_of(theirs), lead, pot)

    def worth(self, ours: i64, theirs: i64, lead: i64, pot: i64) -> float:
        """Return the value of a position, which is our chance to win.

        The value is computed at most once.

        If a side leads by more than the other side can still win, the battle is decided.
        """
        if not self.ours.rounds[ours]:
            return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        stand = self.stand(ours, theirs)
        if lead + stand.up + pot < 0:
            return 0.0
        if lead - stand.down - pot > 0:
            return 1.0
        if pot:
            return self.with_pot(ours, theirs, lead, pot)
        value = stand.known[lead + stand.up >> 1]
        if value == UNKNOWN:
            value = self.best(ours, theirs, lead, 0)
            if self.ours.rounds[ours] <= MOST_ALIKE:
                stand.keep_alike(lead, value, self.swings(ours, theirs, 0))
            else:
                stand.keep(lead, value)
        return value

    def with_pot(self, ours: i64, theirs: i64, lead: i64, pot: i64) -> float:
        """Return the value of a position with a pot that rolled over. The value is computed at most once."""
        key = (pot * LEADS + lead + LEADS // 2) * PAIRS + (ours << MOST_CARDS | theirs)
        value = self.known_with_pot.get(key, UNKNOWN)
        if value == UNKNOWN:
            value = self.best(ours, theirs, lead, pot)
            self.known_with_pot[key] = value
        return value

    def best(self, ours: int, theirs: int, lead: int, pot: int) -> float:
        """Return the equilibrium value of a position."""
        return matrix_game.equilibrium(self.table_of(ours, theirs, lead, pot)).worth

    def stand(self, ours: i64, theirs: i64) -> Stand:
        """Return the known values of the positions with these subsets."""
        pair = ours << MOST_CARDS | theirs
        stand = self.stands[pair]
        if stand is None:
            stand = self.look_at(ours, theirs)
            self.stands[pair] = stand
        return stand

    def look_at(self, ours: int, theirs: int) -> Stand:
        """Compute by how many points our lead can grow and shrink in positions with these subsets."""
        up = down = self.ours.points[ours] + self.theirs.points[theirs]
        if self.is_even:
            our_cards, their_cards = self.ours.hands[ours], self.theirs.hands[theirs]
            up -= 2 * must_win(their_cards, our_cards)
            down -= 2 * must_win(our_cards, their_cards)
        return Stand(up, down)

    def swings(self, ours: int, theirs: int, pot: int) -> list[int]:
        """Return the possible changes of our lead up to the end, in points."""
        if not self.ours.rounds[ours]:
            return [0]
        stand = self.stand(ours, theirs)
        if stand.swings and not pot:
            return stand.swings
        swings: set[int] = set()
        for card, left in zip(self.ours.cards[ours], self.ours.rests[ours], strict=True):
            for their_card, their_rest in zip(
                self.theirs.cards[theirs], self.theirs.rests[theirs], strict=True
            ):
                stake = pot + card + their_card
                if card == their_card:
                    swings.update(self.swings(left, their_rest, stake))
                else:
                    won = stake if card > their_card else -stake
                    swings.update([won + each for each in self.swings(left, their_rest, 0)])
        if not pot:
            stand.swings = list(swings)
        return list(swings)

    def table_of(self, ours: int, theirs: int, lead: int, pot: int) -> list[list[float]]:
        """Return our payoffs. There is a row for each of our cards, and a column for each enemy card.

        The higher card wins the pot. If the cards are equal, the pot rolls over.
        """
        our_cards, our_rests = self.ours.cards[ours], self.ours.rests[ours]
        their_cards, their_rests = self.theirs.cards[theirs], self.theirs.rests[theirs]
        ahead: i64 = lead
        table = []
        for at in range(len(their_cards)):
            their_card: i64 = their_cards[at]
            their_rest: i64 = their_rests[at]
            column = []
            for row in range(len(our_cards)):
                card: i64 = our_cards[row]
                stake: i64 = pot + card + their_card
                if card > their_card:
                    each = self.worth(our_rests[row], their_rest, ahead + stake, 0)
                elif card < their_card:
                    each = self.worth(our_rests[row], their_rest, ahead - stake, 0)
                else:
                    each = self.worth(our_rests[row], their_rest, ahead, stake)
                column.append(each)
            table.append(column)
        return table


ENDINGS: Final[list[Ending]] = []  # a cache with the most recently used ending first


def ending_of(position: Position) -> Ending:
    """Return a solver that covers this position, from the cache if possible."""
    met = [each for each in ENDINGS if each.holds(position)]
    ending = met[0] if met else Ending(position)
    ENDINGS[:] = [ending, *[each for each in ENDINGS if each is not ending]][:MOST_ENDINGS]
    return ending


def kind_of(position: Position) -> tuple[int, int, int]:
    """Return the properties that all positions of an ending share.

    These are the number of surplus cards of each side, and whether all leads are odd.
    """
    ours, theirs, lead, pot, rounds = position
    return len(ours) - rounds, len(theirs) - rounds, (lead + pot + sum(ours) + sum(theirs)) & 1


def must_win(winners: Hand, losers: Hand) -> int:
    """Return a lower bound for the points that one hand wins against another hand of the same length.

    For every rank, count the cards of this rank or higher in each hand. If `winners` has more of them than
    `losers`, the surplus cards must meet lower cards, in any order of play.
    """
    most = 0
    for at, card in enumerate(winners):
        high = len([loser for loser in losers if loser >= card])
        wins = len(winners) - at - high
        if wins > 0:
            most = max(most, sum(winners[at : at + wins]) + sum(losers[:wins]))
    return most

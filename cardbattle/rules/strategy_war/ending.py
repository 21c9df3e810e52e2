"""Solve the end of a Strategy WAR duel exactly, by backward induction.

Each round is a matrix game of both sides' cards (sources in core.numeric.matrix_game). Its payoffs are the
values of the positions it leads to: our chance to win if both sides play an equilibrium.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.numeric import matrix_game

MOST_CARDS: Final = 8  # cards in a hand, for an exact solution
PAIRS: Final = 1 << 2 * MOST_CARDS  # pairs of subsets of two hands
MOST_ENDINGS: Final = 2  # size of the cache
MOST_ALIKE: Final = 3  # rounds left, for storing all leads with the same result at once
LEADS: Final = 1 << 20  # range of leads in a key, half of it negative

Hand = tuple[int, ...]  # ascending
Position = tuple[Hand, Hand, int, int, int]  # ours, theirs, our lead, pot, rounds left


UNKNOWN: Final = -1.0  # value of a position not yet computed


class Holding:
    """A side's cards and all their subsets; a subset is a bit mask with a bit for each card.

    Of equal cards, the first ones remain. `spare` is the number of cards for which no round is left.
    """

    def __init__(self, hand: Hand, spare: int) -> None:
        sets = range(1 << len(hand))
        self.hand = hand
        self.hands = [tuple([card for at, card in enumerate(hand) if left >> at & 1]) for left in sets]
        self.cards = [sorted(set(each)) for each in self.hands]
        self.rests = [[left ^ 1 << self.last(card, left) for card in self.cards[left]] for left in sets]
        self.rounds = [max(0, len(each) - spare) for each in self.hands]
        self.points = [sum(each[spare:]) for each in self.hands]

    def __repr__(self) -> str:
        return f"<Holding: {self.hand}>"

    def last(self, card: int, left: int) -> int:
        """Return the index of the last remaining card of this rank."""
        return max([at for at, each in enumerate(self.hand) if each == card and left >> at & 1])

    def set_of(self, hand: Hand) -> int:
        """Return the subset with the cards of `hand`, or -1 if they are not a subset."""
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
    """The known values of a pair of subsets, for each lead.

    Our lead can grow by `up` points at most, and shrink by `down`. All leads are odd, or all are even.
    """

    def __init__(self, up: int, down: int) -> None:
        self.up = up
        self.down = down
        self.known = [UNKNOWN] * max(0, (up + down >> 1) + 1)  # index: half the distance from the lowest lead
        self.swings: list[int] = []  # possible changes of our lead until the end, computed on demand

    def __repr__(self) -> str:
        return f"<Stand: {-self.up} to {self.down}>"

    def keep(self, lead: int, value: float) -> None:
        """Store the value for a lead."""
        self.known[lead + self.up >> 1] = value

    def keep_alike(self, lead: int, value: float, swings: list[int]) -> None:
        """Store `value` for every lead with the same result as this one in all continuations.

        `swings` are the possible changes of the lead until the end.
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
    """A solver for all positions that two hands can lead to, with a cache of values.

    A position is a subset of each `Holding`, our lead and the pot.
    """

    def __init__(self, position: Position) -> None:
        ours, theirs, _, _, rounds = position
        self.ours = Holding(ours, len(ours) - rounds)
        self.theirs = Holding(theirs, len(theirs) - rounds)
        self.is_even = len(ours) == len(theirs) == rounds
        self.kind = kind_of(position)
        self.stands: list[Stand | None] = [None] * PAIRS
        self.known_with_pot: dict[int, float] = {}

    def __repr__(self) -> str:
        return f"<Ending: {self.ours}, {self.theirs}>"

    def holds(self, position: Position) -> bool:
        """Return True if the hands of this ending can lead to the position."""
        if kind_of(position) != self.kind:
            return False
        return self.ours.set_of(position[0]) >= 0 and self.theirs.set_of(position[1]) >= 0

    def table(self, position: Position) -> list[list[float]]:
        """Return the payoffs of our cards against theirs, one column for each of theirs."""
        ours, theirs, lead, pot, _ = position
        return self.table_of(self.ours.set_of(ours), self.theirs.set_of(theirs), lead, pot)

    def worth(self, ours: i64, theirs: i64, lead: i64, pot: i64) -> float:
        """Return the value of a position, computed at most once.

        The battle is decided when a side leads by more than the other can still win.
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
        """Return the value of a position with a pot, computed at most once."""
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
        """Return the known values of these subsets."""
        pair = ours << MOST_CARDS | theirs
        stand = self.stands[pair]
        if stand is None:
            stand = self.look_at(ours, theirs)
            self.stands[pair] = stand
        return stand

    def look_at(self, ours: int, theirs: int) -> Stand:
        """Compute by how many points our lead can grow and shrink with these subsets."""
        up = down = self.ours.points[ours] + self.theirs.points[theirs]
        if self.is_even:
            our_cards, their_cards = self.ours.hands[ours], self.theirs.hands[theirs]
            up -= 2 * must_win(their_cards, our_cards)
            down -= 2 * must_win(our_cards, their_cards)
        return Stand(up, down)

    def swings(self, ours: int, theirs: int, pot: int) -> list[int]:
        """Return the possible changes of our lead until the end."""
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
        """Return the payoffs of our cards against theirs, one column for each of theirs.

        The higher card wins the pot; equal cards roll it over.
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


ENDINGS: Final[list[Ending]] = []  # cache, most recent first


def ending_of(position: Position) -> Ending:
    """Return an ending that holds the position, from the cache if possible."""
    met = [each for each in ENDINGS if each.holds(position)]
    ending = met[0] if met else Ending(position)
    ENDINGS[:] = [ending, *[each for each in ENDINGS if each is not ending]][:MOST_ENDINGS]
    return ending


def kind_of(position: Position) -> tuple[int, int, int]:
    """Return what never changes: the surplus cards of each side, and whether all leads are odd."""
    ours, theirs, lead, pot, rounds = position
    return len(ours) - rounds, len(theirs) - rounds, (lead + pot + sum(ours) + sum(theirs)) & 1


def must_win(winners: Hand, losers: Hand) -> int:
    """Return a lower bound of the points that one hand wins against another of the same length.

    For each rank, if `winners` has more cards from that rank up than `losers`, the surplus must meet lower
    cards, however both are played.
    """
    most = 0
    for at, card in enumerate(winners):
        high = len([loser for loser in losers if loser >= card])
        wins = len(winners) - at - high
        if wins > 0:
            most = max(most, sum(winners[at : at + wins]) + sum(losers[:wins]))
    return most

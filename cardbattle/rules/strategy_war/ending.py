"""All that may follow in a duel of Strategy WAR with few cards left, looked at by backward induction.

Each round is a matrix game of both sides' cards (see core.matrix_game, which names the sources), whose
payoffs are what the positions are worth to which it leads: our chance to win if both play their best.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.numeric import matrix_game

MOST_CARDS: Final = 8  # in a hand, to look at all that may follow
PAIRS: Final = 1 << 2 * MOST_CARDS  # pairs of what may be left of two hands
MOST_ENDINGS: Final = 2  # remembered
MOST_ALIKE: Final = 3  # cards in a hand, for leads that end alike to be found at once
LEADS: Final = 1 << 20  # room for a lead, half of it for one that is behind

Hand = tuple[int, ...]  # ascending
Position = tuple[Hand, Hand, int, int, int]  # ours, theirs, how far we lead, what waits, rounds left


UNKNOWN: Final = -1.0  # what a position is worth that nobody has looked at


class Holding:
    """A side's cards, and each set of them that may be left: a number with a bit for each card.

    Of equal cards the first ones are left. `spare` says for how many no round is left.
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
        """Return where the last of some equal cards stands that are left."""
        return max([at for at, each in enumerate(self.hand) if each == card and left >> at & 1])

    def set_of(self, hand: Hand) -> int:
        """Return the number of a hand that is a part of this one, -1 if it is not."""
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
    """What is known of what may be left of two hands, for each lead.

    Our lead may grow by `up` points at most, and shrink by `down`. All leads are odd, or all are even.
    """

    def __init__(self, up: int, down: int) -> None:
        self.up = up
        self.down = down
        self.known = [UNKNOWN] * max(0, (up + down >> 1) + 1)  # by how far a lead lies above the least
        self.swings: list[int] = []  # by how many points our lead may change till the end, once it was asked

    def __repr__(self) -> str:
        return f"<Stand: {-self.up} to {self.down}>"

    def keep(self, lead: int, found: float) -> None:
        """Keep what was found for a lead."""
        self.known[lead + self.up >> 1] = found

    def keep_alike(self, lead: int, found: float, swings: list[int]) -> None:
        """Keep it for all leads with which every way to play on ends as with this one.

        `swings` says by how many points a lead may change till then.
        """
        self.keep(lead, found)
        below, above = -self.up - 1, self.down + 1
        for swing in swings:
            if lead + swing == 0:
                return
            if lead + swing > 0:
                below = max(below, -swing)
            else:
                above = min(above, -swing)
        for each in [*range(lead, below, -2), *range(lead, above, 2)]:
            self.keep(each, found)


class Ending:
    """All that may follow from two hands; it remembers what it has found.

    A position is a set of each `Holding`, by how many points we lead, and what waits in the pot.
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
        """Say whether this may be what is left of its own hands."""
        if kind_of(position) != self.kind:
            return False
        return self.ours.set_of(position[0]) >= 0 and self.theirs.set_of(position[1]) >= 0

    def table(self, position: Position) -> list[list[float]]:
        """Return what each of our cards is worth against each of theirs; a column for each of theirs."""
        ours, theirs, lead, pot, _ = position
        return self.table_of(self.ours.set_of(ours), self.theirs.set_of(theirs), lead, pot)

    def worth(self, ours: i64, theirs: i64, lead: i64, pot: i64) -> float:
        """Return what a position is worth, found at most once.

        It is decided once one leads by more than the other may still win.
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
        found = stand.known[lead + stand.up >> 1]
        if found == UNKNOWN:
            found = self.best(ours, theirs, lead, 0)
            if self.ours.rounds[ours] <= MOST_ALIKE:
                stand.keep_alike(lead, found, self.swings(ours, theirs, 0))
            else:
                stand.keep(lead, found)
        return found

    def with_pot(self, ours: i64, theirs: i64, lead: i64, pot: i64) -> float:
        """Return what a position is worth in which a pot waits, found at most once."""
        key = (pot * LEADS + lead + LEADS // 2) * PAIRS + (ours << MOST_CARDS | theirs)
        found = self.known_with_pot.get(key, UNKNOWN)
        if found == UNKNOWN:
            found = self.best(ours, theirs, lead, pot)
            self.known_with_pot[key] = found
        return found

    def best(self, ours: int, theirs: int, lead: int, pot: int) -> float:
        """Return what best play makes of a position."""
        return matrix_game.equilibrium(self.table_of(ours, theirs, lead, pot)).worth

    def stand(self, ours: i64, theirs: i64) -> Stand:
        """Return what is known of these sets."""
        pair = ours << MOST_CARDS | theirs
        found = self.stands[pair]
        if found is None:
            found = self.look_at(ours, theirs)
            self.stands[pair] = found
        return found

    def look_at(self, ours: int, theirs: int) -> Stand:
        """Note by how many points a lead may grow and shrink with these sets."""
        up = down = self.ours.points[ours] + self.theirs.points[theirs]
        if self.is_even:
            own, other = self.ours.hands[ours], self.theirs.hands[theirs]
            up -= 2 * must_win(other, own)
            down -= 2 * must_win(own, other)
        return Stand(up, down)

    def swings(self, ours: int, theirs: int, pot: int) -> list[int]:
        """Return by how many points our lead may change till the end."""
        if not self.ours.rounds[ours]:
            return [0]
        stand = self.stand(ours, theirs)
        if stand.swings and not pot:
            return stand.swings
        found: set[int] = set()
        for card, left in zip(self.ours.cards[ours], self.ours.rests[ours], strict=True):
            for other, rest in zip(self.theirs.cards[theirs], self.theirs.rests[theirs], strict=True):
                stake = pot + card + other
                if card == other:
                    found.update(self.swings(left, rest, stake))
                else:
                    won = stake if card > other else -stake
                    found.update([won + each for each in self.swings(left, rest, 0)])
        if not pot:
            stand.swings = list(found)
        return list(found)

    def table_of(self, ours: int, theirs: int, lead: int, pot: int) -> list[list[float]]:
        """Return what each of our cards is worth against each of theirs; a column for each of theirs.

        The higher card takes the pot, or it rolls over.
        """
        own, own_rests = self.ours.cards[ours], self.ours.rests[ours]
        others, rests = self.theirs.cards[theirs], self.theirs.rests[theirs]
        ahead: i64 = lead
        table = []
        for at in range(len(others)):
            other: i64 = others[at]
            rest: i64 = rests[at]
            column = []
            for row in range(len(own)):
                card: i64 = own[row]
                stake: i64 = pot + card + other
                if card > other:
                    each = self.worth(own_rests[row], rest, ahead + stake, 0)
                elif card < other:
                    each = self.worth(own_rests[row], rest, ahead - stake, 0)
                else:
                    each = self.worth(own_rests[row], rest, ahead, stake)
                column.append(each)
            table.append(column)
        return table


ENDINGS: Final[list[Ending]] = []  # the latest first


def ending_of(position: Position) -> Ending:
    """Return an ending that holds a position, one that was met lately if there is."""
    met = [each for each in ENDINGS if each.holds(position)]
    found = met[0] if met else Ending(position)
    ENDINGS[:] = [found, *[each for each in ENDINGS if each is not found]][:MOST_ENDINGS]
    return found


def kind_of(position: Position) -> tuple[int, int, int]:
    """Return what stays as it is: how many cards either has too many, and whether all leads are odd."""
    ours, theirs, lead, pot, rounds = position
    return len(ours) - rounds, len(theirs) - rounds, (lead + pot + sum(ours) + sum(theirs)) & 1


def must_win(winners: Hand, losers: Hand) -> int:
    """Return how many points at least one hand wins of another, as long, however both are played.

    So many of the winners as are from some rank up, beyond as many of the losers, meet lower cards.
    """
    most = 0
    for at, card in enumerate(winners):
        high = len([other for other in losers if other >= card])
        wins = len(winners) - at - high
        if wins > 0:
            most = max(most, sum(winners[at : at + wins]) + sum(losers[:wins]))
    return most

"""Strategy WAR: every round each side commits one card; the highest card that is alone wins.

The winner of a round gains the value of all cards played in it. If no card is alone the pot
rolls over. Most points after the last round win. Two to ten sides, simultaneous choices, no
chance after the deal.
Source: Strategy WAR (BrainWar) by Michael A. Coan, COAN.NET, 2006-2007; numbers SW-n in rules.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, Battle, Outcome, View

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, Fate

FULL_HAND = list(range(2, 15))  # SW-2: 2 to 10, J 11, Q 12, K 13, A 14

COMMIT = 1  # question SW-D1
TIMEOUT = 1  # the answer beside the cards in hand

ASK_COMMIT, SETTLE, NEXT_ROUND = 16, 32, 48  # steps

SHARED, MOST_ROUNDS, BEST_POT = 0, 1, 2  # tiebreaks SW-10


class StrategyView(View):
    """What a side of Strategy WAR may know (SW-18, SW-19).

    `hands` holds every side's remaining cards, `scores` every side's points; in a dark battle
    both are empty for all but the viewer's hand, and `pool` alone tells what the others hold.
    """

    def __init__(self, battle: StrategyWar, side: int) -> None:
        self.side = side
        self.question = battle.question
        self.options = battle.options.copy()
        self.hand = battle.hands[side].copy()
        self.round = battle.round
        self.rounds = battle.rounds
        self.carry = battle.carry
        self.sides = battle.sides
        self.tiebreak = battle.tiebreak
        others = [battle.hands[other] for other in range(battle.sides) if other != side]
        self.pool = sorted([card for hand in others for card in hand])
        self.sizes = [len(hand) for hand in battle.hands]
        self.hands: list[list[int]] = []
        self.scores: list[int] = []
        if not battle.dark:
            self.hands = [hand.copy() for hand in battle.hands]
            self.scores = battle.scores.copy()


class StrategyWar(Battle):
    """One battle of Strategy WAR."""

    hands: list[list[int]]  # each ascending; a committed card stays until the reveal
    start: list[int]  # value of each side's starting cards
    rounds: int
    dark: bool
    tiebreak: int
    auto_last: bool
    round: int
    carry: int
    sealed: list[int]  # this round's cards: rank, minus rank if timed out, 0 if none
    scores: list[int]
    rounds_won: list[int]
    best_pot: list[int]
    won_back: list[int]  # value of own cards that a side won itself
    carried: list[int]  # value of own cards in the carry
    lost_pot: int
    history: list[int]  # dark only: `sealed` of every round so far, one after the other

    def begin(
        self,
        hands: list[list[int]],
        fate: Fate,
        rounds: int = 13,
        dark: bool = False,
        tiebreak: int = SHARED,
        auto_last: bool = False,
    ) -> None:
        """Set the battle up (SW-1, SW-2, SW-21); `run` then begins the first round."""
        sides = len(hands)
        self.open_agenda(sides, fate)
        self.also = [TIMEOUT]
        self.hands = [sorted(hand) for hand in hands]
        self.start = [sum(hand) for hand in hands]
        self.rounds = rounds
        self.dark = dark
        self.tiebreak = tiebreak
        self.auto_last = auto_last
        self.round = 0
        self.carry = 0
        self.sealed = [0] * sides
        self.scores = [0] * sides
        self.rounds_won = [0] * sides
        self.best_pot = [0] * sides
        self.won_back = [0] * sides
        self.carried = [0] * sides
        self.lost_pot = 0
        self.history = []
        self.then(NEXT_ROUND)

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda."""
        if step == ASK_COMMIT:
            self.ask_commit(side)
        elif step == SETTLE:
            self.settle()
        else:
            self.next_round()

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice."""
        self.commit(side, choice)

    def next_round(self) -> None:
        """Begin a round, or end the battle after the last (SW-3, SW-12)."""
        if self.round == self.rounds or not any(self.hands):
            if self.log is not None:
                self.tell_end()
            return
        self.round += 1
        if self.log is not None:
            self.tell(
                "round_begun", NOBODY, {"round": self.round, "rounds": self.rounds, "carry": self.carry}
            )
        todo = self.todo
        todo.append(NEXT_ROUND)
        todo.append(SETTLE)
        for side in range(self.sides - 1, -1, -1):
            todo.append(ASK_COMMIT + side)

    def ask_commit(self, side: int) -> None:
        """Ask a side for one card of its hand (SW-3); an empty hand sits out (SW-21)."""
        hand = self.hands[side]
        if not hand:
            return
        if self.auto_last and len(hand) == 1:  # SW-16
            self.commit(side, hand[0])
            return
        self.put(side, COMMIT, distinct(hand))

    def commit(self, side: int, choice: int) -> None:
        """Seal a side's card (SW-4), or its highest as a sacrifice (SW-13, SW-14)."""
        card = choice if choice != TIMEOUT else -self.hands[side][-1]
        self.sealed[side] = card
        if self.log is not None:
            kind = "committed" if card > 0 else "timed_out"
            self.tell(kind, side, {}, {"card": abs(card)}, [side], whole=True)

    def settle(self) -> None:
        """Reveal the cards; the highest that is alone takes the pot (SW-5, SW-6, SW-15)."""
        sealed = self.sealed
        pot = self.carry
        best = 0
        for side, card in enumerate(sealed):
            if card == 0:
                continue
            if card > best and sealed.count(card) == 1:
                best = card
            value = card if card > 0 else -card
            pot += value
            self.hands[side].remove(value)  # SW-9
        if self.log is not None:
            self.tell_reveal()
        if self.dark:
            self.history.extend(sealed)
        if best:
            self.win(sealed.index(best), best, pot)
        else:
            self.roll_over(pot)
        self.sealed = [0] * self.sides

    def win(self, winner: int, card: int, pot: int) -> None:
        """Give the whole pot to the winner (SW-6)."""
        self.scores[winner] += pot
        self.rounds_won[winner] += 1
        if pot > self.best_pot[winner]:
            self.best_pot[winner] = pot
        self.won_back[winner] += card
        if self.carry:
            self.won_back[winner] += self.carried[winner]
            self.carried = [0] * self.sides
            self.carry = 0
        if self.log is not None:
            self.tell_win(winner, card, pot)

    def roll_over(self, pot: int) -> None:
        """Carry the pot into the next round (SW-7), or lose it in the last (SW-8)."""
        is_last = self.round == self.rounds or not any(self.hands)
        if is_last:
            self.lost_pot = pot
            self.carry = 0
        else:
            self.carry = pot
            for side, card in enumerate(self.sealed):
                self.carried[side] += card if card > 0 else -card
        if self.log is not None:
            self.tell("pot_lost" if is_last else "rolled_over", NOBODY, {"pot": pot})

    def tell_reveal(self) -> None:
        """Tell who played what (SW-18), in the dark only what was played (SW-19)."""
        sealed = self.sealed
        authors: dict[str, object] = {
            "cards": [abs(card) for card in sealed],
            "timed_out": [side for side, card in enumerate(sealed) if card < 0],
        }
        if not self.dark:
            self.tell("revealed", NOBODY, authors)
            return
        pooled: dict[str, object] = {
            "pooled": sorted([card for card in sealed if card > 0], reverse=True),
            "sacrificed": sorted([-card for card in sealed if card < 0], reverse=True),
        }
        self.tell("revealed", NOBODY, pooled, authors)

    def tell_win(self, winner: int, card: int, pot: int) -> None:
        """Tell who won the round; in the dark nobody learns it (SW-19)."""
        what: dict[str, object] = {"card": card, "pot": pot}
        who: dict[str, object] = {"winner": winner, "scores": self.scores.copy()}
        if self.dark:
            self.tell("won", NOBODY, what, who)
        else:
            self.tell("won", NOBODY, what | who)

    def tell_end(self) -> None:
        """Reveal the full history of a dark battle (SW-20) and tell the result."""
        if self.dark:
            n = self.sides
            rounds = [self.history[i : i + n] for i in range(0, len(self.history), n)]
            self.tell("history", NOBODY, {"rounds": rounds, "scores": self.scores.copy()})
        ended = self.outcome()
        self.tell(
            "ended",
            NOBODY,
            {
                "winners": ended.winners,
                "reason": ended.reason,
                "scores": self.scores.copy(),
                "lost_pot": self.lost_pot,
            },
        )

    def score(self, side: int) -> int:
        """Return the side's points (SW-22)."""
        return self.scores[side]

    def outcome(self) -> Outcome:
        """Return the sides with most points, ties broken as agreed (SW-10), and the losses."""
        level = best_of(self.scores, list(range(self.sides)))
        if len(level) == 1:
            return Outcome(level, "most-points", self.losses())
        if self.tiebreak == MOST_ROUNDS:
            level = best_of(self.rounds_won, level)
        elif self.tiebreak == BEST_POT:
            level = best_of(self.best_pot, level)
        return Outcome(level, "tiebreak" if len(level) == 1 else "shared", self.losses())

    def losses(self) -> list[tuple[int, int]]:
        """Return the share of each side's starting value that others took or nobody did (SW-22)."""
        return [
            (start - sum(hand) - back, start)
            for start, hand, back in zip(self.start, self.hands, self.won_back, strict=True)
        ]

    def view(self, side: int) -> StrategyView:
        """Return what this side may know (SW-18, SW-19)."""
        return StrategyView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> StrategyWar:
        """Return a copy in which the others' sealed cards are asked for again.

        In a dark battle who played which card is dealt again too, as far as every side could
        have played so; the viewer's own cards stay.
        """
        new = self.copy()
        if self.dark and self.history:
            new.redeal_history(viewer, chance)
        new.sealed = [card if side == viewer else 0 for side, card in enumerate(self.sealed)]
        if self.side != NOBODY:
            new.ask_again()
        return new

    def ask_again(self) -> None:
        """Ask everybody without a sealed card in this round, after the side that is asked now."""
        self.options = distinct(self.hands[self.side])
        self.todo = [NEXT_ROUND, SETTLE]
        for side in range(self.sides - 1, -1, -1):
            if side != self.side and not self.sealed[side] and self.hands[side]:
                self.todo.append(ASK_COMMIT + side)

    def redeal_history(self, viewer: int, chance: Chance) -> None:
        """Let pairs of the other sides swap authorship of past cards, then count again."""
        n = self.sides
        rounds = [self.history[i : i + n] for i in range(0, len(self.history), n)]
        whole = [sorted(hand + played) for hand, played in zip(self.hands, by_side(rounds), strict=True)]
        others = [side for side in range(n) if side != viewer]
        for _ in range(len(rounds) * len(others) if len(others) > 1 else 0):
            a, b = chance.sample(2, others)
            swap_authors(rounds, chance.below(len(rounds)), a, b, whole)
        self.hands = whole
        self.round = 0
        self.carry = 0
        self.history = []
        self.scores = [0] * n
        self.rounds_won = [0] * n
        self.best_pot = [0] * n
        self.won_back = [0] * n
        self.carried = [0] * n
        sealed = self.sealed
        for cards in rounds:
            self.round += 1
            self.sealed = cards
            self.settle()
        self.round += bool(self.todo)  # the round under way
        self.sealed = sealed

    def copy(self) -> StrategyWar:
        """Return an independent battle at the same point."""
        new = StrategyWar()
        self.copy_agenda(new)
        new.hands = [hand.copy() for hand in self.hands]
        new.start = self.start
        new.rounds = self.rounds
        new.dark = self.dark
        new.tiebreak = self.tiebreak
        new.auto_last = self.auto_last
        new.round = self.round
        new.carry = self.carry
        new.sealed = self.sealed.copy()
        new.scores = self.scores.copy()
        new.rounds_won = self.rounds_won.copy()
        new.best_pot = self.best_pot.copy()
        new.won_back = self.won_back.copy()
        new.carried = self.carried.copy()
        new.lost_pot = self.lost_pot
        new.history = self.history.copy()
        return new

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers."""
        return [
            *self.agenda(),
            *self.hands,
            [self.rounds, self.dark, self.tiebreak, self.auto_last, self.round, self.carry, self.lost_pot],
            self.start,
            self.sealed,
            self.scores,
            self.rounds_won,
            self.best_pot,
            self.won_back,
            self.carried,
            self.history,
        ]


def distinct(hand: list[int]) -> list[int]:
    """Return an ascending hand with equal cards once: they are one choice."""
    return list(dict.fromkeys(hand))


def best_of(values: list[int], sides: list[int]) -> list[int]:
    """Return those of the sides that have the highest value."""
    best = max([values[side] for side in sides])
    return [side for side in sides if values[side] == best]


def by_side(rounds: list[list[int]]) -> list[list[int]]:
    """Return the cards each side played in these rounds, sacrifices included."""
    return [[abs(card) for card in played if card] for played in zip(*rounds, strict=True)]


def swap_authors(rounds: list[list[int]], first: int, a: int, b: int, whole: list[list[int]]) -> None:
    """Swap what a and b played in one round and, where their hands demand it, in others.

    Nothing changes if the two could not have played so.
    """
    swapped = [first]
    tried = [cards.copy() for cards in rounds]
    tried[first][a], tried[first][b] = tried[first][b], tried[first][a]
    while len(swapped) <= len(rounds):
        twice = [at for side in (a, b) for at in lacking(tried, side, whole[side], swapped)]
        if not twice:
            break
        at = twice[0]
        tried[at][a], tried[at][b] = tried[at][b], tried[at][a]
        swapped.append(at)
    if could_be(tried, a, whole[a]) and could_be(tried, b, whole[b]):
        rounds[:] = tried


def lacking(rounds: list[list[int]], side: int, whole: list[int], swapped: list[int]) -> list[int]:
    """Return a round not yet swapped in which the side plays a card it no longer has."""
    left = whole.copy()
    for cards in (rounds[at] for at in swapped):
        if abs(cards[side]) in left:
            left.remove(abs(cards[side]))
    for at, cards in enumerate(rounds):
        if at in swapped or not cards[side]:
            continue
        if abs(cards[side]) not in left:
            return [at]
        left.remove(abs(cards[side]))
    return []


def could_be(rounds: list[list[int]], side: int, whole: list[int]) -> bool:
    """Say whether the side could have played so: cards it had, its highest as a sacrifice."""
    left = whole.copy()
    for cards in rounds:
        card = abs(cards[side])
        if (card == 0) != (not left) or (card and card not in left):
            return False
        if cards[side] < 0 and card != left[-1]:
            return False
        if card:
            left.remove(card)
    return True

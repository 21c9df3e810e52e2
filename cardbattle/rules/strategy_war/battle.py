"""Strategy WAR: in each round, the highest card wins that only one side plays.

All sides commit a card in secret. The winner of a round gets the value of all cards in the round. If no card
is unique, the pot rolls over to the next round. The side with the most points after the last round wins. Two
to ten sides play, with simultaneous choices and without random events.

Source: Strategy WAR (BrainWar) by Michael A. Coan, COAN.NET, 2006-2007. Numbers such as SW-5 are those of the
rules in rules.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.battle import NOBODY, Battle, Outcome, View
from cardbattle.core.cards import ACE

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, RandomSource

FULL_HAND: Final = list(range(2, 15))  # SW-2: 2 to 10, J 11, Q 12, K 13, A 14
MOST_SIDES: Final = 10  # SW-1

COMMIT: Final = 1  # question SW-D1
TIMEOUT: Final = 1  # the answer of a side that ran out of time; no rank is 1
LATE: Final = [TIMEOUT]

ASK_COMMIT: Final = 16  # the steps of the agenda, in playing order
SETTLE: Final = 32
NEXT_ROUND: Final = 48
ROUND_STEPS: Final = [  # by number of sides; the last step of a round comes first, as on the agenda
    [NEXT_ROUND, SETTLE, *[ASK_COMMIT + side for side in reversed(range(sides))]]
    for sides in range(MOST_SIDES + 1)
]

NOTHING: Final = [0]  # repeated to make a list with one 0 per side

PASSES: Final = 2  # swaps per pair of sides in a redeal, enough for about equal probabilities
MANY: Final = 8  # sides whose cards need more swaps, because most swaps do not fit their hands
MANY_PASSES: Final = 8

SHARED: Final = 0  # the tiebreaks of SW-10
MOST_ROUNDS: Final = 1
BEST_POT: Final = 2


@mypyc_attr(allow_interpreted_subclasses=True)
class StrategyView(View):
    """What one side can see in a battle of Strategy WAR (SW-18, SW-19).

    The view shares lists with the battle until `detach` is called. In a dark battle, `hands`, `scores` and
    `history` are empty until the battle is over (SW-20).

    Attributes:
        pool: all cards that the other sides have left, including the cards that they committed in this round.
        sizes: the number of cards that each side has left, including a card that it committed in this round.
        history: the cards of each past round, in the order of the sides. A card is negative if its side ran
            out of time.

    """

    def __init__(self, battle: StrategyWar, side: int) -> None:
        self.side = side
        self.question = battle.question
        self.options = battle.options if side == battle.side else []
        self.hand = battle.hands[side]
        self.round = battle.round
        self.rounds = battle.rounds
        self.carry = battle.carry
        self.tiebreak = battle.tiebreak
        self.sizes = [len(hand) for hand in battle.hands]
        self._all_hands = battle.hands
        self._pool: list[int] = []
        self.hands: list[list[int]] = []
        self.scores: list[int] = []
        self.history: list[list[int]] = []
        if not battle.dark or battle.side == NOBODY:
            self.hands = battle.hands
            self.scores = battle.scores
            self.history = battle.history

    @property
    def pool(self) -> list[int]:
        """The cards that the other sides have left, in ascending order, computed on first use."""
        if self._all_hands:
            for seat, hand in enumerate(self._all_hands):
                if seat != self.side:
                    self._pool.extend(hand)
            if len(self._all_hands) > 2:
                self._pool.sort()
            self._all_hands = []
        return self._pool

    def detach(self) -> StrategyView:
        """Copy the shared lists, so that later changes to the battle do not affect the view."""
        self._pool = self.pool
        self.options = self.options.copy()
        self.hand = self.hand.copy()
        self.hands = [hand.copy() for hand in self.hands]
        self.scores = self.scores.copy()
        self.history = [sealed.copy() for sealed in self.history]
        return self


class StrategyWar(Battle):
    """One battle of Strategy WAR."""

    start: list[list[int]]  # the starting hands, in ascending order
    rounds: int
    dark: bool
    tiebreak: int
    auto_last: bool
    repeats: bool  # True if a starting hand has equal cards

    hands: list[list[int]]  # hands in ascending order, including committed cards until the reveal
    round: int
    sealed: list[int]  # the card of each side in this round: its rank, -rank after a timeout, 0 if none
    carry: int
    carried: list[int]  # the value of each side's own cards in the pot that rolls over
    scores: list[int]
    rounds_won: list[int]
    best_pot: list[int]
    won_back: list[int]  # the value of each side's own cards that the side won itself
    lost_pot: int
    history: list[list[int]]  # the lists `sealed` of past rounds

    def begin(
        self,
        hands: list[list[int]],
        random_source: RandomSource,
        rounds: int = 13,
        dark: bool = False,
        tiebreak: int = SHARED,
        auto_last: bool = False,
    ) -> None:
        """Set up the battle (SW-1, SW-2, SW-21). The method `run` then starts the first round."""
        self.open_agenda(len(hands), random_source)
        self.unoffered = LATE
        self.start = []
        self.repeats = False
        for hand in hands:
            if not is_rising(hand):
                hand = sorted(hand)
                self.repeats = self.repeats or not is_rising(hand)
            self.start.append(hand)
        self.rounds = rounds
        self.dark = dark
        self.tiebreak = tiebreak
        self.auto_last = auto_last
        self.take_hands()
        self.then_step(NEXT_ROUND)

    def take_hands(self) -> None:
        """Reset the battle to the starting hands of the sides (SW-2)."""
        sides = self.sides
        self.hands = self.start.copy()
        self.round = 0
        self.sealed = NOTHING * sides
        self.carry = 0
        self.carried = NOTHING * sides
        self.scores = NOTHING * sides
        self.rounds_won = NOTHING * sides
        self.best_pot = NOTHING * sides
        self.won_back = NOTHING * sides
        self.lost_pot = 0
        self.history = []

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda. The branches of the code are in the order of play."""
        if step == ASK_COMMIT:
            self.ask_commit(side)
        elif step == SETTLE:
            self.settle()
        else:
            self.next_round()

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice of a card, the only question of the game."""
        self.commit(side, choice)

    def next_round(self) -> None:
        """Put the next round on the agenda, unless the last round is over (SW-3)."""
        if self.was_last():
            if self.log is not None:
                self.emit_end()
            return
        self.round += 1
        if self.log is not None:
            self.emit_round()
        self.todo = ROUND_STEPS[self.sides].copy()  # between rounds, the agenda is empty

    def was_last(self) -> bool:
        """Return True if all rounds are over, or if no side has a card left (SW-8, SW-12)."""
        if self.round == self.rounds:
            return True
        return not self.hands[0] and not any(hand for hand in self.hands)

    def ask_commit(self, side: int) -> None:
        """Ask a side for a card, even if it has only one card (SW-3, SW-16). Skip a side without cards."""
        hand = self.hands[side]
        if self.auto_last and len(hand) == 1:
            self.commit(side, hand[0])
        elif hand:
            self.ask_even_if_forced(side, COMMIT, distinct(hand) if self.repeats else hand)

    def commit(self, side: int, choice: int) -> None:
        """Commit a side's card (SW-4), or sacrifice its highest card after a timeout (SW-13, SW-14)."""
        card = choice if choice != TIMEOUT else -self.hands[side][-1]
        self.sealed[side] = card
        if self.log is not None:
            self.emit("committed", side, {}, {"card": abs(card), "in_time": card > 0}, [side])

    def settle(self) -> None:
        """Reveal the cards of a round, and give the pot to the highest unique card (SW-6, SW-7, SW-15)."""
        sealed = self.sealed
        hands = self.hands
        pot = self.carry
        for side, card in enumerate(sealed):
            value = card if card > 0 else -card
            if value:
                hands[side] = without(value, hands[side])  # SW-9
                pot += value
        if self.log is not None:
            self.emit_reveal()
        self.history.append(sealed)
        winner = winner_of(sealed)
        if winner != NOBODY:
            self.win(winner, sealed[winner], pot)
        elif self.was_last():
            self.lose(pot)
        else:
            self.roll_over(pot)
        self.sealed = NOTHING * self.sides

    def win(self, winner: int, card: int, pot: int) -> None:
        add(self.scores, winner, pot)
        add(self.rounds_won, winner, 1)
        add(self.won_back, winner, card)
        if pot > self.best_pot[winner]:
            self.best_pot[winner] = pot
        if self.carry:
            add(self.won_back, winner, self.carried[winner])
            self.carried = NOTHING * self.sides
            self.carry = 0
        if self.log is not None:
            self.emit_win(winner, card, pot)

    def roll_over(self, pot: int) -> None:
        self.carry = pot
        for side, card in enumerate(self.sealed):
            add(self.carried, side, abs(card))
        if self.log is not None:
            self.emit("rolled_over", NOBODY, {"pot": pot})

    def lose(self, pot: int) -> None:
        """Record that no side wins the last pot (SW-8)."""
        self.carry = 0
        self.lost_pot = pot
        if self.log is not None:
            self.emit("pot_lost", NOBODY, {"pot": pot})

    def emit_round(self) -> None:
        self.emit("round_begun", NOBODY, {"round": self.round, "rounds": self.rounds, "carry": self.carry})

    def emit_reveal(self) -> None:
        """Log the cards of a round, with their owners unless the battle is dark (SW-18, SW-19)."""
        sealed = self.sealed
        if not self.dark:
            self.emit("revealed", NOBODY, authors(sealed))
            return
        pooled: dict[str, object] = {
            "pooled": sorted([card for card in sealed if card > 0], reverse=True),
            "sacrificed": sorted([-card for card in sealed if card < 0], reverse=True),
        }
        self.emit("revealed", NOBODY, pooled, authors(sealed))

    def emit_win(self, winner: int, card: int, pot: int) -> None:
        """Log the winner of a round. In a dark battle, the winner is hidden (SW-19)."""
        facts: dict[str, object] = {"card": card, "pot": pot}
        who: dict[str, object] = {"winner": winner, "scores": self.scores.copy()}
        if self.dark:
            self.emit("won", NOBODY, facts, who)
        else:
            self.emit("won", NOBODY, facts | who)

    def emit_end(self) -> None:
        """Reveal the rounds of a dark battle (SW-20), then log the result (SW-10)."""
        if self.dark:
            for number, sealed in enumerate(self.history, start=1):
                winner = winner_of(sealed)
                self.emit("unveiled", NOBODY, {"round": number, **authors(sealed), "winner": winner})
        outcome = self.outcome()
        self.emit(
            "ended",
            NOBODY,
            {
                "winners": outcome.winners,
                "reason": outcome.reason,
                "scores": self.scores.copy(),
                "lost_pot": self.lost_pot,
            },
        )

    def score(self, side: int) -> int:
        return self.scores[side]

    def outcome(self) -> Outcome[int]:
        """Return the sides with the most points after tiebreaks (SW-10), and the losses of all sides."""
        level = best_of(self.scores, list(range(self.sides)))
        if len(level) == 1:
            return Outcome(level, "most-points", self.losses())
        if self.tiebreak == MOST_ROUNDS:
            level = best_of(self.rounds_won, level)
        elif self.tiebreak == BEST_POT:
            level = best_of(self.best_pot, level)
        return Outcome(level, "tiebreak" if len(level) == 1 else "shared", self.losses())

    def losses(self) -> list[tuple[int, int]]:
        """Return each side's lost value and starting value (SW-22)."""
        losses = []
        for side, start in enumerate(self.start):
            begun = sum(start)
            losses.append((begun - sum(self.hands[side]) - self.won_back[side], begun))
        return losses

    def view(self, side: int) -> StrategyView:
        return StrategyView(self, side).detach()

    def fast_view(self, side: int) -> StrategyView:
        return StrategyView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> StrategyWar:
        """Return a copy in which the other sides choose their sealed cards again.

        In a dark battle, the cards of past rounds are also dealt again among their possible owners.
        """
        new = self.copy()
        if self.dark and self.side != NOBODY:
            new.redeal_history(viewer, chance)
        again = [side for side in range(self.sides) if side != viewer and self.sealed[side]]
        for side in again:
            new.sealed[side] = 0
        if again:
            new.before(SETTLE, [ASK_COMMIT + side for side in again])
        return new

    def redeal_history(self, viewer: int, chance: Chance) -> None:
        """Swap past cards between all pairs of opponents, then compute the past rounds again (SW-19)."""
        rounds = [sealed.copy() for sealed in self.history]
        opponents = [side for side in range(self.sides) if side != viewer]
        for _ in range(PASSES if self.sides < MANY else MANY_PASSES):
            for place, a in enumerate(opponents):
                for b in opponents[:place]:
                    swap_some(rounds, a, b, self.start, chance)
        self.recount(rounds)
        self.options = distinct(self.hands[self.side])

    def recount(self, rounds: list[list[int]]) -> None:
        """Compute the rounds in `rounds` again, up to the current round."""
        present, sealed = self.round, self.sealed
        self.take_hands()
        for cards in rounds:
            self.round += 1
            self.sealed = cards
            self.settle()
        self.round, self.sealed = present, sealed

    def copy(self) -> StrategyWar:
        new = StrategyWar()
        self.copy_agenda(new)
        new.start = self.start
        new.rounds = self.rounds
        new.dark = self.dark
        new.tiebreak = self.tiebreak
        new.auto_last = self.auto_last
        new.repeats = self.repeats
        new.hands = self.hands.copy()
        new.round = self.round
        new.sealed = self.sealed.copy()
        new.carry = self.carry
        new.carried = self.carried.copy()
        new.scores = self.scores.copy()
        new.rounds_won = self.rounds_won.copy()
        new.best_pot = self.best_pot.copy()
        new.won_back = self.won_back.copy()
        new.lost_pot = self.lost_pot
        new.history = self.history.copy()
        return new

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers."""
        return [
            *self.agenda(),
            *self.hands,
            [self.round, self.carry, self.lost_pot],
            self.sealed,
            self.carried,
            self.scores,
            self.rounds_won,
            self.best_pot,
            self.won_back,
            *self.history,
        ]


def winner_of(sealed: list[int]) -> int:
    """Return the owner of the highest unique card that was played in time, or NOBODY (SW-5)."""
    below = ACE + 1
    while below:
        highest, winner = 0, NOBODY
        for side, card in enumerate(sealed):
            if highest <= card < below:
                winner = side if card > highest else NOBODY
                highest = card
        if winner != NOBODY:
            return winner
        below = highest  # equal cards win nothing, so look for a lower card
    return NOBODY


def without(card: int, hand: list[int]) -> list[int]:
    """Return a copy of a hand without one copy of `card` (SW-9)."""
    left: list[Any] = hand[1:]  # correct for the lowest card; for another card, put the cards below it back
    objects: list[Any] = hand  # untyped, so that compiled code converts each card to `i64` at once
    removed: i64 = card
    place: i64 = 0
    for lower in objects:
        rank: i64 = lower
        if rank == removed:
            break
        left[place] = lower
        place += 1  # noqa: SIM113  # `enumerate` would not count in `i64`
    return left


def is_rising(hand: list[int]) -> bool:
    """Return True if each card of a hand is higher than the card before it."""
    last = 0
    for card in hand:
        if card <= last:
            return False
        last = card
    return True


def distinct(hand: list[int]) -> list[int]:
    """Return the different ranks of a hand in ascending order."""
    ranks: list[int] = []
    last = 0
    for card in hand:
        if card != last:
            ranks.append(card)
        last = card
    return ranks


def add(values: list[int], side: int, more: int) -> None:
    values[side] = values[side] + more


def best_of(values: list[int], sides: list[int]) -> list[int]:
    """Return the sides with the highest value (SW-10)."""
    best = max([values[side] for side in sides])
    return [side for side in sides if values[side] == best]


def authors(sealed: list[int]) -> dict[str, object]:
    """Return fields for an event: the cards of a round by side, and the sides that ran out of time."""
    return {
        "cards": [abs(card) for card in sealed],
        "timed_out": [side for side, card in enumerate(sealed) if card < 0],
    }


def swap_some(rounds: list[list[int]], a: int, b: int, hands: list[list[int]], chance: Chance) -> None:
    """Swap the cards of sides `a` and `b` in random past rounds, if the hands of both sides allow it (SW-19).

    Rounds in which the two sides played the same rank are swapped together, so that no side plays a rank more
    often than its hand allows.
    """
    loose = list(range(len(rounds)))
    while loose:
        bundle = [loose.pop()]
        for at in bundle:  # the list grows during the loop
            for near in loose.copy():
                if share_a_rank(rounds[at], rounds[near], a, b):
                    loose.remove(near)
                    bundle.append(near)
        if chance.below(2):
            swap(rounds, bundle, a, b)
            if not (could_play(rounds, a, hands[a]) and could_play(rounds, b, hands[b])):
                swap(rounds, bundle, a, b)


def share_a_rank(first: list[int], second: list[int], a: int, b: int) -> bool:
    """Return True if side `a` or `b` played a rank in one round that `a` or `b` played in the other."""
    return abs(first[a]) in (abs(second[a]), abs(second[b])) or abs(first[b]) in (
        abs(second[a]),
        abs(second[b]),
    )


def swap(rounds: list[list[int]], bundle: list[int], a: int, b: int) -> None:
    """Swap the cards of sides `a` and `b` in the rounds with the indices in `bundle`."""
    for at in bundle:
        cards = rounds[at]
        cards[a], cards[b] = cards[b], cards[a]


def could_play(rounds: list[list[int]], side: int, hand: list[int]) -> bool:
    """Return True if a side with this hand could have played its cards in `rounds` (SW-13)."""
    left = hand.copy()
    for cards in rounds:
        card = cards[side]
        if not card and not left:
            continue
        if abs(card) not in left or (card < 0 and -card != left[-1]):
            return False
        left.remove(abs(card))
    return True

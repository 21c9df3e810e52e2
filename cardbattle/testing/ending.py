"""Laws about the end of a battle.

The outcome must be valid, and must not depend on which seat a side has.
"""

from __future__ import annotations

from fractions import Fraction

from cardbattle.core.chance import Chance, Drawn, RandomSource
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Setup
from cardbattle.testing.trial import MOST_CHOICES, Endless, Trial


def the_outcome_is_sound(trial: Trial) -> None:
    """Check that the outcome and the scores are valid, and that the last event reports the outcome.

    A side's losses by place must add up to its losses in the outcome.

    If a battle is decided before its end, the winners must not change after this.
    """
    rules, fought = trial.rules, trial.fight()
    outcome = fought.outcome()
    assert outcome.winners == sorted(set(outcome.winners)), f"winners {outcome.winners} are not in seat order"
    assert all(seat in trial.seats for seat in outcome.winners)
    is_drawn = len(outcome.winners) != 1
    assert rules.can_be_drawn or not is_drawn, f"winners {outcome.winners}, but `can_be_drawn` is False"
    for referee in trial.questions(listen=False):
        if referee.battle.is_decided():
            assert referee.outcome().winners == outcome.winners, (
                "the winners changed after the battle was decided"
            )
    assert outcome.reason in rules.reasons, f"{outcome.reason} is not a reason of {rules.key}"
    assert len(outcome.losses) == len(trial.seats)
    assert all(0 <= lost <= whole and whole > 0 for lost, whole in outcome.losses), outcome.losses
    lost_parts = [Fraction(*each) * rules.loss_parts for each in outcome.losses]
    assert all(part.denominator == 1 for part in lost_parts), f"{outcome.losses} are no {rules.loss_parts}ths"
    for seat in trial.seats:
        places = rules.losses_by_place(fought.setup, fought.battle, seat)
        lost, whole = sum(lost for lost, _ in places), sum(each for _, each in places)
        assert all(0 <= gone <= stood for gone, stood in places), places
        assert not whole or Fraction(lost, whole) == Fraction(*outcome.losses[seat]), (
            f"seat {seat} loses {lost} of {whole} in losses_by_place, {outcome.losses[seat]} in the outcome"
        )
    assert all(isinstance(fought.battle.score(seat), int) for seat in trial.seats)
    last = [event for _, event in fought.events if event.kind == "ended"]
    assert len(last) == 1 and fought.events[-1][1] is last[0], (
        "`ended` must be the last event, and occur once"
    )
    assert (last[0].fields["winners"], last[0].fields["reason"]) == (outcome.winners, outcome.reason)
    for key, value in rules.next_house(trial.setup, outcome.winners).items():
        assert key in rules.house
        option = rules.house[key]
        assert value is None or option.read(option.write(value), trial.setup.seats) == value


def seats_do_not_matter(trial: Trial) -> None:
    """Check that sides fight the same battle if they exchange their seats.

    Every side moves to the next seat, and keeps its options, its cards and its random choices.
    """
    setup = trial.setup
    turned = setup.copy()
    turned.seats = [*setup.seats[1:], setup.seats[0]]
    turned.sides = [*turned.sides[1:], turned.sides[0]]
    battle, turned_battle = by_side(trial, setup), by_side(trial, turned)
    for key in setup.seats:
        seat, turned_seat = setup.seat(key), turned.seat(key)
        moves, turned_moves = moves_of(battle, key), moves_of(turned_battle, key)
        assert turned_moves == moves, f"{key} moves differently in another seat"
        assert turned_battle.battle.score(turned_seat) == battle.battle.score(seat), (
            f"{key} scores differently in another seat"
        )
        assert (turned_seat in turned_battle.outcome().winners) == (seat in battle.outcome().winners)
        assert turned_battle.outcome().losses[turned_seat] == battle.outcome().losses[seat]
    assert turned_battle.outcome().reason == battle.outcome().reason


def by_side(trial: Trial, setup: Setup) -> Referee:
    """Fight a battle in which each side chooses at random with a random stream of its own."""
    referee = Referee(trial.rules, setup.copy(), Sorted(trial.chance("fate")))
    chances = {key: trial.chance(f"side/{key}") for key in setup.seats}
    for _ in range(MOST_CHOICES):
        if referee.battle.is_over():
            return referee
        texts = sorted(referee.texts())
        referee.choose(referee.find(texts[chances[referee.key].below(len(texts))]))
    raise Endless(f"no end after {MOST_CHOICES:,} choices")


def moves_of(referee: Referee, key: str) -> list[str]:
    """Return the moves that one side made."""
    return [move for move in referee.moves if move.startswith(f"{key} ")]


class Sorted(RandomSource):
    """A source of random events whose results do not depend on the order of the cards to choose from."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.drawn = Drawn(chance)

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return one of the cards, chosen at random."""
        return self.drawn.one_of(kind, side, sorted(cards))

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Choose k of the cards at random, and return them in ascending order."""
        return self.drawn.some_of(kind, side, k, sorted(cards))

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Shuffle a pile of cards and return the k cards on top.

        The first card in the list is the topmost.
        """
        return self.drawn.top_of(kind, side, k, sorted(cards))

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all cards in random order."""
        return self.drawn.order_of(kind, side, sorted(cards))

    def copy(self) -> Sorted:
        """Return an independent source that continues with the same random events."""
        return Sorted(self.chance.copy())

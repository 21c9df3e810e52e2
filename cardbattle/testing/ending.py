"""Laws for the end of a battle: its outcome is valid and does not depend on the seats."""

from __future__ import annotations

from cardbattle.core.chance import Chance, Drawn, RandomSource
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Setup
from cardbattle.testing.trial import MOST_CHOICES, Trial


def the_outcome_is_sound(trial: Trial) -> None:
    """Check winners, reason, losses and scores, and that the last event reports winners and reason.

    A battle that is decided before its end must keep its winners.
    """
    rules, fought = trial.rules, trial.fight()
    outcome = fought.outcome()
    assert outcome.winners == sorted(set(outcome.winners)), f"winners {outcome.winners} are not in seat order"
    assert all(seat in trial.seats for seat in outcome.winners)
    for referee in trial.questions(listen=False):
        if referee.battle.is_decided():
            assert referee.outcome().winners == outcome.winners, (
                "the winners changed after the battle was decided"
            )
    assert outcome.reason in rules.reasons, f"{outcome.reason} is not a reason of {rules.key}"
    assert len(outcome.losses) == len(trial.seats)
    assert all(0 <= lost <= whole and whole > 0 for lost, whole in outcome.losses), outcome.losses
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
    """Check that the sides fight the same battle if they change seats.

    Every side moves by one seat and keeps its options, cards and random choices.
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
    """Fight a battle in which each side draws its choices from its own stream."""
    referee = Referee(trial.rules, setup.copy(), Sorted(trial.chance("fate")))
    chances = {key: trial.chance(f"side/{key}") for key in setup.seats}
    for _ in range(MOST_CHOICES):
        if referee.battle.is_over():
            return referee
        texts = sorted(referee.texts())
        referee.choose(referee.find(texts[chances[referee.key].below(len(texts))]))
    raise AssertionError("the battle does not end")


def moves_of(referee: Referee, key: str) -> list[str]:
    """Return the moves of one side."""
    return [move for move in referee.moves if move.startswith(f"{key} ")]


class Sorted(RandomSource):
    """A source of random events whose results do not depend on the order of its input."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.drawn = Drawn(chance)

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Return one of the cards."""
        return self.drawn.one_of(kind, side, sorted(cards))

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards, ascending."""
        return self.drawn.some_of(kind, side, k, sorted(cards))

    def top_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the top k of the cards after shuffling, in that order."""
        return self.drawn.top_of(kind, side, k, sorted(cards))

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Return all the cards in a new order."""
        return self.drawn.order_of(kind, side, sorted(cards))

    def copy(self) -> Sorted:
        """Return an independent source that continues from the same point."""
        return Sorted(self.chance.copy())

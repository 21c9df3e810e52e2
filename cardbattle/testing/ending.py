"""Laws of the end: the outcome, and that it does not hang on the seats."""

from __future__ import annotations

from cardbattle.core.chance import Chance, Drawn, Fate
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import Setup
from cardbattle.testing.trial import MOST_CHOICES, Trial


def the_outcome_is_sound(trial: Trial) -> None:
    """Check winners, reason, losses and scores, and that the last event tells them.

    What is decided before the end stays so.
    """
    rules, fought = trial.rules, trial.fight()
    ended = fought.outcome()
    assert ended.winners == sorted(set(ended.winners)), f"winners {ended.winners} are not in seat order"
    assert all(seat in trial.seats for seat in ended.winners)
    for asked in trial.questions(listen=False):
        if asked.battle.is_decided():
            assert asked.outcome().winners == ended.winners, "it was decided, and then it was not"
    assert ended.reason in rules.reasons, f"{ended.reason} is no reason of {rules.key}"
    assert len(ended.losses) == len(trial.seats)
    assert all(0 <= lost <= whole and whole > 0 for lost, whole in ended.losses), ended.losses
    assert all(isinstance(fought.battle.score(seat), int) for seat in trial.seats)
    last = [event for _, event in fought.events if event.kind == "ended"]
    assert len(last) == 1 and fought.events[-1][1] is last[0], "the last event is `ended`, once"
    assert (last[0].fields["winners"], last[0].fields["reason"]) == (ended.winners, ended.reason)
    for key, value in rules.next_house(trial.setup, ended.winners).items():
        assert key in rules.house
        option = rules.house[key]
        assert value is None or option.read(option.write(value), trial.setup.seats) == value


def seats_do_not_matter(trial: Trial) -> None:
    """Check that the same sides in other seats fight the same battle.

    The seats move round by one; options, cards and lots stay with their sides, and each side
    chooses by itself.
    """
    setup = trial.setup
    turned = setup.copy()
    turned.seats = [*setup.seats[1:], setup.seats[0]]
    turned.sides = [*turned.sides[1:], turned.sides[0]]
    one, other = by_side(trial, setup), by_side(trial, turned)
    for key in setup.seats:
        here, there = setup.seat(key), turned.seat(key)
        moves, others = moves_of(one, key), moves_of(other, key)
        assert others == moves, f"{key} moves otherwise in another seat"
        assert other.battle.score(there) == one.battle.score(here), f"{key} scores otherwise"
        assert (there in other.outcome().winners) == (here in one.outcome().winners)
        assert other.outcome().losses[there] == one.outcome().losses[here]
    assert other.outcome().reason == one.outcome().reason


def by_side(trial: Trial, setup: Setup) -> Referee:
    """Return a battle in which every side chooses from a stream of its own."""
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


class Sorted(Fate):
    """Fate that does not depend on the order in which cards are given to it."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.drawn = Drawn(chance)

    def one_of(self, what: int, side: int, cards: list[int]) -> int:
        """Return one of the cards."""
        return self.drawn.one_of(what, side, sorted(cards))

    def some_of(self, what: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return k of the cards, ascending."""
        return self.drawn.some_of(what, side, k, sorted(cards))

    def top_of(self, what: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Return the top k of the cards once they are shuffled, in that order."""
        return self.drawn.top_of(what, side, k, sorted(cards))

    def order_of(self, what: int, side: int, cards: list[int]) -> list[int]:
        """Return all the cards in a new order."""
        return self.drawn.order_of(what, side, sorted(cards))

    def copy(self) -> Sorted:
        """Return an independent source that goes on from here."""
        return Sorted(self.chance.copy())

"""The law of how moves are spelled."""

from __future__ import annotations

from cardbattle.core.spelling import is_spelled, mover_mistake
from cardbattle.testing.trial import Trial


def moves_have_forms(trial: Trial) -> None:
    """Check that every move has one of the forms that the rule set names, if it names any."""
    seats = trial.setup.seats
    for move in trial.fight().moves:
        assert not mover_mistake(move, seats), move
        assert is_spelled(trial.rules, move, seats), f"{move!r} has none of the rule set's forms"

"""The law of move spelling."""

from __future__ import annotations

from cardbattle.core.spelling import is_spelled, mover_error
from cardbattle.testing.trial import Trial


def moves_have_forms(trial: Trial) -> None:
    """Check that every move matches one of the `forms` of the rule set, if it has any."""
    seats = trial.setup.seats
    for move in trial.fight().moves:
        assert not mover_error(move, seats), move
        assert is_spelled(trial.rules, move, seats), f"{move!r} matches none of the forms of the rule set"

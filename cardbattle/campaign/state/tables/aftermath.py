"""Settings for the consequences of a battle: retreat, pursuit, captured places, and experience."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from cardbattle.campaign.state.fields import (
    Count,
    Model,
    Name,
    Options,
    ParsedBy,
    Rank,
    Share,
    Switch,
    one_of,
)

NEAREST_OWN, PREVIOUS, CHOOSE, NO_RETREAT = "nearest-own", "previous", "choose", "none"
RETREATS = (NEAREST_OWN, PREVIOUS, CHOOSE, NO_RETREAT)
DESTROYED, STAYS, SURRENDERS = "destroyed", "stays", "surrenders"
CORNERED = (DESTROYED, STAYS, SURRENDERS)


Retreat = Annotated[str, ParsedBy(one_of(*RETREATS), type="string", enum=list(RETREATS))]
Cornered = Annotated[str, ParsedBy(one_of(*CORNERED), type="string", enum=list(CORNERED))]


class AftermathSettings(Model):
    """The consequences for the sides after a battle. A missing value turns a consequence off.

    `pursuit` is the share that a retreating force loses for each full 2:1 of the winners against its side.
    `no_retreat` decides what happens to a force that cannot retreat. With `capture`, a faction becomes the
    owner of a place if only its forces are there. `leader_killed` and `leader_captured` are the chances that
    a beaten force loses its leader. With `exchange`, factions exchange prisoners one for one.
    """

    retreat: Retreat = NO_RETREAT
    pursuit: Share = Field(default_factory=Fraction)
    no_retreat: Cornered = STAYS
    capture: Switch = False
    leader_killed: Share = Field(default_factory=Fraction)
    leader_captured: Share = Field(default_factory=Fraction)
    exchange: Switch = False


class ExperienceStep(Model):
    """The benefits of a force that has at least `at` points of experience.

    A step can only give the force a better commander, never a worse one. `give` adds options in battles with
    the campaign's default rule set.
    """

    at: Count
    title: Name | None = None
    commander: Rank | None = None
    give: Options = {}


class ExperienceSettings(Model):
    """The points of experience for a battle, and the additional points for a victory."""

    battle: Count = 0
    win: Count = 0
    steps: list[ExperienceStep] = []

    def step(self, experience: int) -> ExperienceStep | None:
        """Return the highest step that this experience has reached, or None below the first step."""
        reached = [step for step in self.steps if step.at <= experience]
        return max(reached, key=lambda step: step.at, default=None)

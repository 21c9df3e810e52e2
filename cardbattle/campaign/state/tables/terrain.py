"""The effects of terrain on the sides of a battle, by rule set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardbattle.campaign.state.fields import Model, Options

ATTACKER, DEFENDER, ALL = "attacker", "defender", "all"


class Modifiers(Model):
    """The options that a battle's circumstances add to its sides, in one rule set.

    The defender is the side that holds the place; all others attack. A battle over a place that no side holds
    has no defender, and only `all` counts. `house` sets house rules that the battle does not set.
    """

    attacker: Options = {}
    defender: Options = {}
    all: Options = {}
    house: Options = {}

    def gifts(self, side: str, defender: str) -> Iterator[tuple[str, object]]:
        """Yield the gifts to a side by option; `defender` is a side's key, or empty."""
        yield from self.all.items()
        if defender:
            yield from (self.defender if side == defender else self.attacker).items()


Terrain = Mapping[str, Modifiers]

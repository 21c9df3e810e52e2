"""The effects of terrain on the sides of a battle, by rule set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardbattle.campaign.state.fields import Model, Options

ATTACKER, DEFENDER, ALL = "attacker", "defender", "all"


class Modifiers(Model):
    """The options that terrain or weather add to the sides of a battle, in one rule set.

    The defender is the side that holds the place. All other sides attack. If no side holds the place, the
    battle has no defender, and only `all` counts. `house` contains house rules, which apply unless the battle
    sets them itself.
    """

    attacker: Options = {}
    defender: Options = {}
    all: Options = {}
    house: Options = {}

    def gifts(self, side: str, defender: str) -> Iterator[tuple[str, object]]:
        """Yield pairs (option, value) for the gifts to a side.

        `defender` is the key of the defending side, or empty if no side defends.
        """
        yield from self.all.items()
        if defender:
            yield from (self.defender if side == defender else self.attacker).items()


Terrain = Mapping[str, Modifiers]

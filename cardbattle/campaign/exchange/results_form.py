"""The results form for all pending battles. The umpire fills in its blanks."""

from __future__ import annotations

from cardbattle.campaign.state.battle_setup import binding_of
from cardbattle.campaign.state.editing.layout import inline_value
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.core.errors import InvalidInput


def pending_battles(campaign: Campaign) -> list[Pending]:
    if not campaign.pending:
        raise InvalidInput("no battle is pending, so there are no results to enter")
    return campaign.pending


def side_fields(campaign: Campaign) -> tuple[str, ...]:
    """Return the fields of each side. `score` and `units` are included only if the campaign uses them."""
    sides = (side for battle in campaign.pending for side in battle.sides)
    has_units = any(campaign.forces[force].units for side in sides for force in side)
    score = ("score",) if campaign.uses_scores else ()
    return ("side", "name", "losses", *score, *(("units",) if has_units else ()))


def can_decline(campaign: Campaign) -> bool:
    """Return True if the form asks which sides decline.

    The campaign must have a rule for declined battles.
    """
    return campaign.aftermath is not None or campaign.scoring.declined != 0


def form_columns(campaign: Campaign) -> list[str]:
    """Return the columns of the form for a spreadsheet, with enough sides for every battle."""
    widest = max(len(battle.sides) for battle in campaign.pending)
    numbered = [f"{word}{place}" for place in range(1, widest + 1) for word in side_fields(campaign)]
    declined = ["declined"] if can_decline(campaign) else []
    return ["id", "rules", "winners", *declined, *numbered, "bound"]


def form_row(campaign: Campaign, battle: Pending) -> dict[str, object]:
    row: dict[str, object] = {"id": battle.id, "rules": campaign.rules_key(battle)}
    for place, side in enumerate(battle.sides, 1):
        row |= {f"side{place}": side[0], f"name{place}": campaign.side_name(side, battle)}
    return row | {"bound": inline_value(binding_of(campaign, battle))}


def form_table(campaign: Campaign, battle: Pending) -> dict[str, object]:
    blanks = dict.fromkeys(side_fields(campaign)[2:], "")
    sides = {side[0]: {"name": campaign.side_name(side, battle), **blanks} for side in battle.sides}
    return {
        "id": battle.id,
        "rules": campaign.rules_key(battle),
        "winners": "",
        **({"declined": ""} if can_decline(campaign) else {}),
        "sides": sides,
        "bound": binding_of(campaign, battle),
    }


def form_lines(campaign: Campaign, battle: Pending) -> list[str]:
    lines = ["[[result]]", f"id = {inline_value(battle.id)}"]
    lines += [f"rules = {inline_value(campaign.rules_key(battle))}", 'winners = ""']
    lines += ['declined = ""'] if can_decline(campaign) else []
    for side in battle.sides:
        lines += [f"sides.{side[0]}.name = {inline_value(campaign.side_name(side, battle))}"]
        lines += [f'sides.{side[0]}.{word} = ""' for word in side_fields(campaign)[2:]]
    return [*lines, f"bound = {inline_value(binding_of(campaign, battle))}"]

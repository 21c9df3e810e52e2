"""Find answers to the questions of a battle among orders to move."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import chain

from cardbattle.battles.messages.answer_text import NUMBERS, is_order_line
from cardbattle.battles.session_file import ENDING as SESSION_ENDING
from cardbattle.campaign.exchange.orders.names import find_named
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.paths import path_as_typed


def answer_error(campaign: Campaign, battle: str) -> str:
    """Return the error for an answer to a question of a battle, among orders to move."""
    return f"this answers a battle; enter it with: {take_answers(campaign, battle)}"


def take_answers(campaign: Campaign, battle: str) -> str:
    """Return the command that takes answers to the questions of a battle by message."""
    return f"cardbattle orders take {saved_battle(campaign, battle)} FILE"


def saved_battle(campaign: Campaign, battle: str) -> str:
    """Return the path of the file of a battle in progress, as the umpire types it."""
    return path_as_typed(campaign.folder, f"{battle}{SESSION_ENDING}")


def fought_by(campaign: Campaign, faction: str) -> str:
    """Return the id of the pending battle in which a faction fights, "BATTLE" for several, or ""."""
    battles = [
        battle.id
        for battle in campaign.pending
        if any(campaign.forces[force].faction == faction for side in battle.sides for force in side)
    ]
    return "BATTLE" if len(battles) > 1 else "".join(battles)


def battle_of_force(campaign: Campaign, names: Mapping[str, str], word: str) -> str:
    """Return the id of the pending battle in which the force fights that `word` names, or ""."""
    with suppress(ValueError):
        force = find_named(names, word, "force")
        sides = ((battle.id, [*chain.from_iterable(battle.sides)]) for battle in campaign.pending)
        return next((battle for battle, forces in sides if force in forces), "")
    return ""


def is_battle_answer(text: str) -> bool:
    """Return True if a text answers a question of a battle: standing orders, or numbers of options.

    >>> is_battle_answer("else regular"), is_battle_answer("1; 4"), is_battle_answer("all: hold")
    (True, True, False)
    """
    return is_order_line(text) or NUMBERS.fullmatch(text) is not None

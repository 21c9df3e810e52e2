"""Draw each battle of a campaign with sealed dice only once.

The battle is drawn with the setup that it had when it got its slot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import canonical, read_battle
from cardbattle.battles.records.resolved_battle import resolve_table
from cardbattle.campaign.seals.master import secret_of
from cardbattle.campaign.seals.seal_rules import seals_in
from cardbattle.campaign.seals.seals import (
    Seals,
    Slot,
    export_table,
    seed_of_slot,
    sides_of_seal,
    terms_of_seal,
    with_terms,
)
from cardbattle.campaign.state.battle_setup import Difference, differences, with_seed
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed
from cardbattle.files.reader import table_or_empty

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile
    from cardbattle.campaign.state.model import Campaign, Pending


def with_draw(books: CampaignFile, ledger: Ledger) -> CampaignFile:
    """Return the campaign file with seeds that are drawn from the sealed dice in the ledger.

    Raises the errors of `seals_in`.
    """
    seals = seals_in(ledger)
    draw = SealedDraw(books.folder, seals) if seals else None
    return books if draw is books.campaign.draw else books._replace(campaign=books.campaign.with_draw(draw))


class SealedDraw:
    """Draws the battles of one campaign from their slots."""

    def __init__(self, folder: str, seals: Seals) -> None:
        self.folder = folder
        self.seals = seals

    def slot_number(self, battle: str) -> int:
        """Return the number of a battle's slot, from 1. The number is 0 if the battle has no slot yet."""
        slot = self.seals.slot_of(battle)
        return slot.number if slot else 0

    def table(self, campaign: Campaign, battle: Pending, current: dict[str, object]) -> dict[str, object]:
        """Return a battle's setup at the time it got its slot, with its seed. The sides can have new names.

        Raises NeedsUmpire if the battle has no slot, has changed since it got its slot, or lacks a nonce.
        Raises InvalidInput if a file that the battle names cannot be read. Also raises the errors of
        `secret_of`.
        """
        slot = self.seals.slot_of(battle.id)
        if slot is None:
            raise NeedsUmpire(
                f"battle {battle.id} has no slot of the sealed dice yet; "
                f"fight it, or give it one with: cardbattle campaign seal {battle.id}"
            )
        sealed_table = export_table(slot.exported)
        changes = [*term_differences(campaign, battle, slot, current)]
        if changes:
            start = f"battle {battle.id} has changed since it got slot {slot.number}:"
            why = "; ".join(change.words for change in changes)
            more = "its cards were drawn for the former setup; restore that, or decide it with override"
            rows = [change.beside for change in changes if change.beside]
            raise NeedsUmpire([Conflict(f"{start} {why}; {more}", [HEAD, *rows] if rows else [])])
        missing = self.seals.missing_nonces(slot)
        if missing:
            command = f"cardbattle campaign seal {battle.id} --nonce {missing[0]}=..."
            raise NeedsUmpire(
                f"battle {battle.id} has slot {slot.number}, but the nonce promised by {listed(missing)} "
                f"is missing: {command}"
            )
        return with_seed(sealed_table, seed_of_slot(slot, secret_of(self.folder, self.seals.campaign, slot)))


HEAD = ["", "now", "then"]


def table_for_slot(
    campaign: Campaign, battle: Pending, table: Mapping[str, object], number: int, blind: str = ""
) -> dict[str, object]:
    """Return the table of a battle as a slot seals it.

    It contains the values of all options. Raises InvalidInput if the battle cannot be fought.
    """
    plan = read_battle(table, campaign.folder)
    files = plan.rules.files(plan.setup)
    terms = {"slot": number, "sides": battle.sides, "blind": blind, "files": files}
    bound = {word: value for word, value in terms.items() if value}
    return with_terms(resolve_table(table, plan), bound)


def with_resolved_options(table: Mapping[str, object], folder: str) -> Mapping[str, object]:
    """Return a sealed battle with the values of all options. If it cannot be read, return it unchanged.

    Older releases sealed battles without the default values of options.
    """
    try:
        return resolve_table(table, read_battle(table, folder))
    except InvalidInput:
        return table


def term_differences(
    campaign: Campaign, battle: Pending, slot: Slot, table: dict[str, object]
) -> Iterator[Difference]:
    """Yield the differences between a battle today and the battle when it got its slot.

    Raises InvalidInput if the battle cannot be fought now.
    """
    sealed_table = with_resolved_options(export_table(slot.exported), campaign.folder)
    bound = table_or_empty(sealed_table["bound"])
    yield from differences(campaign, battle, bound)
    current = table_for_slot(campaign, battle, table, slot.number)
    sides = [" against ".join(map(listed, groups)) for groups in (battle.sides, sides_of_seal(slot.exported))]
    if sides[0] != sides[1]:
        yield Difference(f"its sides are {sides[0]}, not {sides[1]}", ["sides", *sides])
        return
    for path, values in sorted(values_by_path(current, sealed_table).items()):
        if canonical(values[0]) != canonical(values[1]) and path[0] != "bound":
            texts = [canonical(value) if value is not None else "nothing" for value in values]
            option = ".".join(path).removeprefix("sides.")
            yield Difference(f"{option} is {texts[0]}, not {texts[1]}", [option, *texts])
    if terms_of_seal(canonical(current)).get("files") != terms_of_seal(slot.exported).get("files"):
        yield Difference("the content of a file that it names")


def values_by_path(*tables: Mapping[str, object]) -> dict[tuple[str, ...], list[object]]:
    """Return a dict from paths to lists with the value of each table at this path.

    The names of sides are left out.
    """
    values: dict[tuple[str, ...], list[object]] = {}

    def walk(value: object, path: tuple[str, ...], place: int) -> None:
        if isinstance(value, dict):
            for key, inside in value.items():
                walk(inside, (*path, key), place)
        elif path[0] != "sides" or path[-1] not in ("name", "plural"):
            values.setdefault(path, [None] * len(tables))[place] = value

    for place, table in enumerate(tables):
        walk(table, (), place)
    return values

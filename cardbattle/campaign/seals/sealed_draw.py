"""How a campaign whose dice are sealed draws its battles: each as it was when it got its slot, and once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import canonical, read_battle
from cardbattle.battles.records.resolved_battle import resolved_table
from cardbattle.campaign.seals.master import secret_of
from cardbattle.campaign.seals.seal_laws import seals_in
from cardbattle.campaign.seals.seals import (
    Seals,
    Slot,
    exported_table,
    seed_of_slot,
    sides_of_seal,
    terms_of_seal,
    with_terms,
)
from cardbattle.campaign.state.battle_setup import Difference, differences, seeded
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed
from cardbattle.files.reader import table_or_empty

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile
    from cardbattle.campaign.state.model import Campaign, Pending


def with_draw(books: CampaignFile, ledger: Ledger) -> CampaignFile:
    """Return the books with their battles drawn as the ledger says; errors as `seals_in`."""
    seals = seals_in(ledger)
    draw = SealedDraw(books.folder, seals) if seals else None
    return books if draw is books.campaign.draw else books._replace(campaign=books.campaign.drawn_by(draw))


class SealedDraw:
    """Draws the battles of one campaign by their slots."""

    def __init__(self, folder: str, seals: Seals) -> None:
        self.folder = folder
        self.seals = seals

    def __repr__(self) -> str:
        return f"<SealedDraw by {self.seals!r}>"

    def slot_number(self, battle: str) -> int:
        """Return the slot that a battle has, from 1; 0 if it has none yet."""
        slot = self.seals.slot_of(battle)
        return slot.number if slot else 0

    def table(self, campaign: Campaign, battle: Pending, now: dict[str, object]) -> dict[str, object]:
        """Return a battle as its slot binds it, with its seed; what sides are called does not matter.

        NeedsUmpire if it has no slot, if anything else of it has changed since it got one, if a nonce is
        still awaited, or as `secret_of`; Refused if a file that it names cannot be read.
        """
        slot = self.seals.slot_of(battle.id)
        if slot is None:
            raise NeedsUmpire(
                f"battle {battle.id} has no slot of the sealed dice yet, and nothing is drawn without; "
                f"fight it, or give it one with: cardbattle campaign seal {battle.id}"
            )
        then = exported_table(slot.exported)
        changed = [*term_differences(campaign, battle, slot, now)]
        if changed:
            words = f"battle {battle.id} has slot {slot.number} as it was then, and since"
            why = "; ".join(one.words for one in changed)
            more = "one battle has one draw: put it back as it was, or decide it with override"
            rows = [one.beside for one in changed if one.beside]
            raise NeedsUmpire([Conflict(f"{words} {why}; {more}", [HEAD, *rows] if rows else [])])
        awaited = self.seals.awaited(slot)
        if awaited:
            tell = f"cardbattle campaign seal {battle.id} --nonce {awaited[0]}=..."
            raise NeedsUmpire(
                f"battle {battle.id} has slot {slot.number}; {listed(awaited)} must still tell the nonce "
                f"that was promised: {tell}"
            )
        return seeded(then, seed_of_slot(slot, secret_of(self.folder, self.seals.campaign, slot)))


HEAD = ["", "now", "then"]


def table_for_slot(
    campaign: Campaign, battle: Pending, table: Mapping[str, object], number: int, blind: str = ""
) -> dict[str, object]:
    """Return the table of a battle as a slot seals it: bound to the slot, every option resolved.

    Refused if it cannot be fought.
    """
    plan = read_battle(table, campaign.folder)
    files = plan.rules.files(plan.setup)
    terms = {"slot": number, "sides": battle.sides, "blind": blind, "files": files}
    bound = {word: value for word, value in terms.items() if value}
    return with_terms(resolved_table(table, plan), bound)


def with_resolved_options(table: Mapping[str, object], folder: str) -> Mapping[str, object]:
    """Return the table of a sealed battle with its options resolved, as it is if it cannot be read now.

    Battles sealed by an older release have no resolved options.
    """
    try:
        return resolved_table(table, read_battle(table, folder))
    except InvalidInput:
        return table


def term_differences(
    campaign: Campaign, battle: Pending, slot: Slot, now: dict[str, object]
) -> Iterator[Difference]:
    """Yield in what a battle is not the one that got a slot; Refused if it could not be fought now."""
    then = with_resolved_options(exported_table(slot.exported), campaign.folder)
    bound = table_or_empty(then["bound"])
    yield from differences(campaign, battle, bound)
    again = table_for_slot(campaign, battle, now, slot.number)
    sides = [sides_told(sealed) for sealed in (battle.sides, sides_of_seal(slot.exported))]
    if sides[0] != sides[1]:
        yield Difference(f"its sides are {sides[0]}, not {sides[1]}", ["sides", *sides])
        return
    for path, values in sorted(values_by_path(again, then).items()):
        if canonical(values[0]) != canonical(values[1]) and path[0] != "bound":
            told = [canonical(value) if value is not None else "nothing" for value in values]
            what = ".".join(path).removeprefix("sides.")
            yield Difference(f"{what} is {told[0]}, not {told[1]}", [what, *told])
    if terms_of_seal(canonical(again)).get("files") != terms_of_seal(slot.exported).get("files"):
        yield Difference("a file that it names holds something else")


def sides_told(sides: Sequence[Sequence[str]]) -> str:
    """Return the forces of each side in seat order, as `percy and douglas against hal`."""
    return " against ".join(map(listed, sides))


def values_by_path(*tables: Mapping[str, object]) -> dict[tuple[str, ...], list[object]]:
    """Return each value of battle files' tables by its path, from every one; not what sides are called."""
    found: dict[tuple[str, ...], list[object]] = {}

    def walk(value: object, path: tuple[str, ...], place: int) -> None:
        if isinstance(value, dict):
            for key, inside in value.items():
                walk(inside, (*path, key), place)
        elif path[0] != "sides" or path[-1] not in ("name", "plural"):
            found.setdefault(path, [None] * len(tables))[place] = value

    for place, table in enumerate(tables):
        walk(table, (), place)
    return found

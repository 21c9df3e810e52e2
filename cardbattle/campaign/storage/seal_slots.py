"""Seal slots for dice, give a battle its slot, store nonces, and reveal secrets.

A slot is one draw to which the umpire has committed in advance. Functions that return an operation write no
file. `with_slot` records its operation before a battle is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.history import force_today
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import Operation
from cardbattle.campaign.seals.master import secret_of, slot_secret
from cardbattle.campaign.seals.seal_rules import apply_entry, seals_in
from cardbattle.campaign.seals.sealed_draw import table_for_slot
from cardbattle.campaign.seals.seals import (
    Seals,
    Slot,
    blind_of,
    canonical_battle,
    commitment_of,
    sides_of_seal,
)
from cardbattle.campaign.state.battle_setup import table_without_seed
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed, nearest, quoted

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.operations import CampaignFile
    from cardbattle.campaign.state.model import Campaign, Pending

MOST_SLOTS = 1000  # of one campaign
REVEALS = "seals.toml now shows the strength and commander that each side began with"
NOT_SEALED = "the dice of this campaign are not sealed; seal them with: cardbattle campaign seal"


def seal_slots(campaign: str, seals: Seals, count: int, master: bytes) -> Operation:
    """Return the operation that seals `count` more slots, and add these slots to `seals`.

    The first slots fix the name of the campaign. Raises InvalidInput if `count` is below 1, or if there would
    be more than 1000 slots in all. After an error, `seals` must be discarded.
    """
    first, name = len(seals.slots) + 1, seals.campaign or campaign
    if first + count - 1 > MOST_SLOTS:
        raise InvalidInput(f"a campaign has at most {MOST_SLOTS} slots, and {first - 1} are sealed already")
    commitments = [
        commitment_of(name, number, slot_secret(master, name, number))
        for number in range(first, first + count)
    ]
    return lawful(seals, Entry(0, "seal", [], seal={"campaign": name, "commitments": commitments}))


def promise_nonce(seals: Seals, battle: str, side: str, promise: str) -> Operation:
    """Return the operation that stores the hash of a side's nonce before its battle has a slot.

    Raises InvalidInput if the battle has a slot, or if the nonce was already promised.
    """
    return lawful(seals, Entry(0, "promise", [], id=battle, seal={"side": side, "promise": promise}))


def submit_nonce(seals: Seals, battle: str, side: str, nonce: str) -> Operation:
    """Return the operation that adds a side's nonce after its battle has got a slot.

    Raises InvalidInput if the battle has no slot, or if the nonce is not the promised one.
    """
    return lawful(seals, Entry(0, "nonce", [], id=battle, seal={"side": side, "nonce": nonce}))


def reveal_slots(folder: str, campaign: Campaign, ledger: Ledger, battle: str = "") -> Operation | None:
    """Return the operation that reveals the secret of a battle's slot.

    Without `battle`, the operation reveals the slots of all decided battles. Returns None if everything is
    already revealed. Raises InvalidInput if the battle has no slot or is still to be fought. Also raises the
    errors of `secret_of`.
    """
    seals = need_seals(ledger)
    waiting = [slot.battle for slot in seals.spent() if is_waiting(campaign, ledger, slot)]
    slot = seals.slot_of(battle) if battle else None
    if battle and slot is None:
        battles = [spent.battle for spent in seals.spent()]
        raise InvalidInput(
            f"battle {quoted(battle)} has no slot{nearest(battle, battles) or '; nothing to reveal'}"
        )
    if battle in waiting:
        raise InvalidInput(f"battle {battle} is still to be fought; its slot is revealed after that")
    chosen = [slot] if slot else [spent for spent in seals.spent() if spent.battle not in waiting]
    slots = [
        {"slot": spent.number, "secret": secret_of(folder, seals.campaign, spent)}
        for spent in chosen
        if not spent.secret
    ]
    if not slots:
        return None
    operation = lawful(seals, Entry(0, "reveal", [], id=battle, seal={"secrets": slots}))
    may = campaign.visibility
    return operation if may.strength == may.commander == "all" else operation._replace(notes=[REVEALS])


def need_seals(ledger: Ledger) -> Seals:
    """Return the sealed dice in the ledger. Raises InvalidInput if the campaign has no sealed dice."""
    seals = seals_in(ledger)
    if seals is None:
        raise InvalidInput(NOT_SEALED)
    return seals


def lawful(seals: Seals, entry: Entry) -> Operation:
    """Apply an entry about sealed dice to the seals, and return the operation that records the entry.

    Raises InvalidInput if the entry breaks a rule of sealed dice.
    """
    try:
        apply_entry(seals, entry)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    return Operation(entry)


def is_waiting(campaign: Campaign, ledger: Ledger, slot: Slot) -> bool:
    """Return True if a slot's battle is still pending."""
    return campaign.battle(slot.battle) is not None and ledger.find(slot.battle) is None


def idle_slots(campaign: Campaign, ledger: Ledger, seals: Seals) -> list[Slot]:
    """Return used slots without a result: their battles were removed, or decided by hand."""
    slots = []
    for slot in seals.spent():
        entry = ledger.find(slot.battle)
        if not (entry.record if entry else campaign.battle(slot.battle)):
            slots.append(slot)
    return slots


def seals_summary(campaign: Campaign, ledger: Ledger) -> dict[str, object] | None:
    """Return a summary of sealed dice, or None if the campaign has none.

    The summary contains the numbers of all, used and revealed slots, and the battles that used a slot without
    a result.
    """
    seals = seals_in(ledger)
    if seals is None:
        return None
    return {
        "slots": len(seals.slots),
        "spent": len(seals.spent()),
        "revealed": sum(bool(slot.secret) for slot in seals.spent()),
        "for_nothing": {str(slot.number): slot.battle for slot in idle_slots(campaign, ledger, seals)},
    }


def open_battle(campaign: Campaign, books: CampaignFile, ledger: Ledger, battle: Pending) -> Operation:
    """Return the operation that gives a battle the next slot.

    `campaign` has the current setup of the battle. `books` is the recorded campaign file.

    Raises NeedsUmpire if no slot is left, or if two enemies of this battle also meet in an undecided battle
    that has a slot, because that would be a second draw. Raises InvalidInput if the battle cannot be fought.
    Also raises the errors of `secret_of`.
    """
    seals = need_seals(ledger)
    slot = seals.next_free()
    if slot is None:
        raise NeedsUmpire(
            f"no slot of the sealed dice is left, all {len(seals.slots)} are spent; "
            "seal more with: cardbattle campaign seal"
        )
    for other_slot in seals.spent():
        is_fought_before = (
            books.campaign.battle(other_slot.battle) is not None
            and campaign.battle(other_slot.battle) is None
        )
        if ledger.find(other_slot.battle) is None and not is_fought_before:
            refuse_second_draw(ledger, other_slot, battle)
    blind = blind_of(secret_of(books.folder, seals.campaign, slot), battle.id)
    table = table_for_slot(campaign, battle, table_without_seed(campaign, battle), slot.number, blind)
    seal = {"slot": slot.number, "exported": canonical_battle(table)}
    return lawful(seals, Entry(0, "open", [], id=battle.id, seal=seal))


def refuse_second_draw(ledger: Ledger, slot: Slot, battle: Pending) -> None:
    """Raise NeedsUmpire if two enemies of a slot's battle meet again in `battle`."""
    heads = enumerate(ledger.heads, 1)
    revision = next(number for number, head in heads if (head.kind, head.id) == ("open", slot.battle))
    then = [[force_today(ledger, force, revision) for force in side] for side in sides_of_seal(slot.exported)]
    again = enemies(then) & enemies(battle.sides)
    if again:
        names = listed(sorted(min(again, key=sorted)))
        raise NeedsUmpire(
            f"{names} have slot {slot.number} for battle {slot.battle}, which is not decided; battle "
            f"{battle.id} would be their second draw: fight {slot.battle} first, or decide it with override; "
            f"if {slot.battle} was removed, add it again"
        )


def enemies(sides: Sequence[Sequence[str]]) -> set[frozenset[str]]:
    """Return all pairs of forces that are on different sides."""
    return {
        frozenset((force, enemy))
        for side, against in combinations(sides, 2)
        for force in side
        for enemy in against
    }


def with_slot(
    folder: str, campaign: Campaign, battle: Pending, notify: Callable[[str], None] = lambda note: None
) -> Campaign:
    """Return the campaign after the battle's slot was recorded in the ledger, if the dice are sealed.

    `campaign` has the battle's current setup, after earlier battles of the same command. `notify` receives
    remarks for the umpire. Raises the errors of `open_battle`, `open_for_writing` and `Transaction.commit`.
    """
    if campaign.draw is None or campaign.draw.slot_number(battle.id):
        return campaign
    with store.open_for_writing(folder) as transaction:
        seals = need_seals(transaction.ledger)
        if seals.slot_of(battle.id) is None:
            operation = open_battle(campaign, transaction.books, transaction.ledger, battle)
            transaction.commit([operation])
            for note in transaction.take_notes():
                notify(note)
            notify(f"battle {battle.id} has slot {operation.entry.seal['slot']} of the sealed dice")
        return campaign.with_draw(transaction.campaign.draw)


def opener(folder: str, notify: Callable[[str], None]) -> Callable[[Campaign, Pending], Campaign]:
    """Return a function that calls `with_slot` for a campaign and a battle, with this folder."""
    return lambda current, battle: with_slot(folder, current, battle, notify)


def nonce_operations(seals: Seals, battle: Pending, nonces: Sequence[tuple[str, str]]) -> list[Operation]:
    """Return the operations for these nonces, which are given by side.

    A hash is a promise, and any other text is the nonce itself. Raises InvalidInput if a side is not in the
    battle, or if a nonce is not acceptable.
    """
    for side, _ in nonces:
        if side not in battle.keys:
            hint = nearest(side, battle.keys) or f"; its sides are {listed(battle.keys)}"
            raise InvalidInput(f"battle {battle.id} has no side {quoted(side)}{hint}")
    return [
        (promise_nonce if nonce.startswith("sha256:") else submit_nonce)(seals, battle.id, side, nonce)
        for side, nonce in nonces
    ]

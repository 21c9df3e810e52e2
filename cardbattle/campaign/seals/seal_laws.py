"""What the ledger knows of sealed dice, and the laws that keep anybody from choosing a draw.

A slot serves one battle and a battle has one slot, for ever: no undo reaches these entries. Slots are spent
in order; a nonce is promised before its battle has a slot, told after, and serves once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardbattle.campaign.ledger.ledger import LEDGER_NAME, SEALING, Entry, Ledger
from cardbattle.campaign.seals.seals import (
    Seals,
    Slot,
    commitment_of,
    expect_exported,
    expect_hash,
    expect_nonce,
    expect_secret,
    exported_table,
    sha256_of,
    sides_of_seal,
    terms_of_seal,
)
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.files import reader


def seals_in(ledger: Ledger) -> Seals | None:
    """Return what the ledger says of sealed dice, None if nothing; NeedsUmpire if it breaks a law."""
    seals: Seals | None = None
    for revision in ledger.heads.revisions(SEALING, ledger.settled):
        seals = seals or Seals()
        try:
            apply_entry(seals, ledger.entry(revision))
        except ValueError as error:
            words = f"revision {revision} of {LEDGER_NAME} cannot stand: {error}"
            raise NeedsUmpire(f"{words}; restore it from a copy") from None
    return seals


def apply_entry(seals: Seals, entry: Entry) -> None:
    """Note what an entry says of sealed dice; ValueError says which law it breaks."""
    LAWS[entry.kind](seals, entry.id, entry.seal)


def take_slots(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Note new slots of the campaign of this name; ValueError if those before are another's."""
    name = reader.expect_name(seal.get("campaign"))
    if name != (seals.campaign or name):
        raise ValueError(f"the slots before are those of the campaign {seals.campaign}")
    seals.campaign = name
    commitments = [expect_hash(one) for one in reader.expect_texts(seal.get("commitments"))]
    for number, commitment in enumerate(commitments, len(seals.slots) + 1):
        seals.slots[number] = Slot(number, commitment)
    different = {slot.commitment for slot in seals.slots.values()}
    if not commitments or len(different) < len(seals.slots):
        raise ValueError("a slot has the commitment of another, or there is none")


def take_promise(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Note that a side has promised a nonce; ValueError if it is too late, or the nonce served before."""
    side = reader.expect_key(seal.get("side"))
    promise = expect_hash(seal.get("promise"))
    if seals.slot_of(battle):
        raise ValueError(f"battle {battle} has its slot: what is promised now could be chosen for it")
    if side in seals.promises.get(battle, {}):
        raise ValueError(f"{side} has promised a nonce for battle {battle} already")
    for other, promises in seals.promises.items():
        if promise in promises.values():
            raise ValueError(f"this nonce was promised for battle {other}; a nonce serves once, one side")
    seals.promises.setdefault(battle, {})[side] = promise


def take_opening(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Note that a battle has got the next slot; ValueError if it has one, or this is not the next."""
    if seals.slot_of(battle):
        raise ValueError(f"battle {battle} has a slot already")
    slot = seals.next_free()
    if slot is None or slot.number != seal.get("slot"):
        raise ValueError(f"slot {seal.get('slot')} is not the next one")
    exported = expect_exported(seal.get("exported"))
    table, terms = exported_table(exported), terms_of_seal(exported)
    seats = [forces[0] for forces in sides_of_seal(exported)]
    if (table.get("id"), terms["slot"]) != (battle, slot.number):
        raise ValueError("it is bound to another battle or slot")
    strangers = [side for side in seals.promises.get(battle, {}) if side not in seats]
    if strangers:
        raise ValueError(
            f"{strangers[0]} has promised a nonce for battle {battle}, and is no side of it; "
            "give the force its key back"
        )
    seals.slots[slot.number] = slot._replace(battle=battle, digest=sha256_of(exported), exported=exported)


def take_nonce(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Note the nonce that a side has told; ValueError if it is not the one that it promised."""
    side, nonce = reader.expect_key(seal.get("side")), expect_nonce(seal.get("nonce"))
    slot = seals.slot_of(battle)
    if slot is None:
        raise ValueError(
            f"battle {battle} has no slot yet; a nonce is told after that, and before only its hash, "
            f"as {side}=sha256:..."
        )
    promise = seals.promises.get(battle, {}).get(side)
    if promise is None:
        raise ValueError(f"{side} has promised no nonce for battle {battle}")
    if side in slot.nonces:
        raise ValueError(f"{side} has told its nonce already")
    if sha256_of(nonce) != promise:
        raise ValueError(
            f"this is not the nonce that {side} promised: its hash is another; "
            "perhaps a line end was hashed with it then (use printf, not echo)"
        )
    seals.slots[slot.number] = slot._replace(nonces={**slot.nonces, side: nonce})


def take_secrets(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Note secrets that are revealed; ValueError if one is of no slot that was spent, or does not fit."""
    for one in reader.expect_tables(seal.get("secrets")):
        number = reader.expect_whole(one.get("slot"))
        secret = expect_secret(one.get("secret"))
        slot = seals.slots.get(number)
        if slot is None or not slot.battle or slot.secret:
            raise ValueError(f"slot {number} has nothing to reveal")
        if commitment_of(seals.campaign, number, secret) != slot.commitment:
            raise ValueError(f"the secret of slot {number} is not the one that it was sealed with")
        seals.slots[number] = slot._replace(secret=secret)


LAWS: Mapping[str, Callable[[Seals, str, Mapping[str, object]], None]] = {
    "seal": take_slots,
    "promise": take_promise,
    "open": take_opening,
    "nonce": take_nonce,
    "reveal": take_secrets,
}

"""Read the sealed dice from a ledger, and check the rules that prevent the umpire from choosing a draw.

Each battle uses one slot, and each slot serves one battle. Undo does not affect slots. Slots are used in
order. A nonce is promised before its battle has a slot. It is revealed afterwards, and used only once.
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
    export_table,
    sha256_of,
    sides_of_seal,
    terms_of_seal,
)
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.files import reader


def seals_in(ledger: Ledger) -> Seals | None:
    """Return the sealed dice in a ledger, or None if no dice were sealed.

    Raises NeedsUmpire if an entry breaks a rule.
    """
    seals: Seals | None = None
    for revision in ledger.heads.revisions(SEALING, ledger.whole_entries):
        seals = seals or Seals()
        try:
            apply_entry(seals, ledger.entry(revision))
        except ValueError as error:
            problem = f"revision {revision} of {LEDGER_NAME} breaks a rule of sealed dice: {error}"
            raise NeedsUmpire(f"{problem}; restore it from a copy") from None
    return seals


def apply_entry(seals: Seals, entry: Entry) -> None:
    """Apply an entry about sealed dice to `seals`.

    Raises ValueError, which names the broken rule or the malformed value. `seals` can then be changed in
    part, so it must be discarded. Raises KeyError if the entry is of another kind.
    """
    LAWS[entry.kind](seals, entry.id, entry.seal)


def take_slots(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Add new slots. Raises ValueError if the name of the campaign or a commitment is wrong."""
    name = reader.expect_name(seal.get("campaign"))
    if name != (seals.campaign or name):
        raise ValueError(f"the earlier slots belong to the campaign {seals.campaign}")
    seals.campaign = name
    commitments = [
        expect_hash(commitment_text) for commitment_text in reader.expect_texts(seal.get("commitments"))
    ]
    for number, commitment in enumerate(commitments, len(seals.slots) + 1):
        seals.slots[number] = Slot(number, commitment)
    different = {slot.commitment for slot in seals.slots.values()}
    if not commitments or len(different) < len(seals.slots):
        raise ValueError("commitments are missing, or two slots have the same one")


def take_promise(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Add a promise of a nonce. Raises ValueError if it is late or already used."""
    side = reader.expect_key(seal.get("side"))
    promise = expect_hash(seal.get("promise"))
    if seals.slot_of(battle):
        raise ValueError(
            f"battle {battle} already has its slot, so a nonce promised now could be chosen for it"
        )
    if side in seals.promises.get(battle, {}):
        raise ValueError(f"{side} has already promised a nonce for battle {battle}")
    for earlier_battle, promises in seals.promises.items():
        if promise in promises.values():
            raise ValueError(
                f"this nonce was promised for battle {earlier_battle}; every nonce is used once, by one side"
            )
    seals.promises.setdefault(battle, {})[side] = promise


def take_opening(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Give a battle the next slot.

    Raises ValueError if the battle already has a slot, or if `seal` names another slot.
    """
    if seals.slot_of(battle):
        raise ValueError(f"battle {battle} already has a slot")
    slot = seals.next_free()
    if slot is None or slot.number != seal.get("slot"):
        raise ValueError(f"slot {seal.get('slot')} is not the next one")
    exported = expect_exported(seal.get("exported"))
    table, terms = export_table(exported), terms_of_seal(exported)
    seats = [forces[0] for forces in sides_of_seal(exported)]
    if (table.get("id"), terms["slot"]) != (battle, slot.number):
        raise ValueError("it is bound to another battle or slot")
    strangers = [side for side in seals.promises.get(battle, {}) if side not in seats]
    if strangers:
        raise ValueError(
            f"{strangers[0]} has promised a nonce for battle {battle}, but is not one of its sides; "
            "restore the force's key"
        )
    seals.slots[slot.number] = slot._replace(battle=battle, digest=sha256_of(exported), exported=exported)


def take_nonce(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Add a revealed nonce. Raises ValueError if it is not the promised nonce."""
    side, nonce = reader.expect_key(seal.get("side")), expect_nonce(seal.get("nonce"))
    slot = seals.slot_of(battle)
    if slot is None:
        raise ValueError(
            f"battle {battle} has no slot yet; until then give only the nonce's hash: {side}=sha256:..."
        )
    promise = seals.promises.get(battle, {}).get(side)
    if promise is None:
        raise ValueError(f"{side} has not promised a nonce for battle {battle}")
    if side in slot.nonces:
        raise ValueError(f"{side} has already revealed its nonce")
    if sha256_of(nonce) != promise:
        raise ValueError(
            f"this is not the nonce that {side} promised: its hash differs; "
            "perhaps a line end was included in the hash (use printf, not echo)"
        )
    seals.slots[slot.number] = slot._replace(nonces={**slot.nonces, side: nonce})


def take_secrets(seals: Seals, battle: str, seal: Mapping[str, object]) -> None:
    """Add revealed secrets. Raises ValueError for a wrong secret or an unused slot."""
    for pair in reader.expect_tables(seal.get("secrets")):
        number = reader.expect_whole(pair.get("slot"))
        secret = expect_secret(pair.get("secret"))
        slot = seals.slots.get(number)
        if slot is None or not slot.battle or slot.secret:
            raise ValueError(f"slot {number} has nothing to reveal")
        if commitment_of(seals.campaign, number, secret) != slot.commitment:
            raise ValueError(f"the secret of slot {number} does not match its commitment")
        seals.slots[number] = slot._replace(secret=secret)


LAWS: Mapping[str, Callable[[Seals, str, Mapping[str, object]], None]] = {
    "seal": take_slots,
    "promise": take_promise,
    "open": take_opening,
    "nonce": take_nonce,
    "reveal": take_secrets,
}

"""A record held against published seals: whether it is the draw that was committed to beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cardbattle.campaign.battle_setup import seeded
from cardbattle.campaign.binding import difference, is_same, record_twins
from cardbattle.campaign.doubts import Doubts
from cardbattle.campaign.seals import (
    Seals,
    Slot,
    blind_of,
    commitment_of,
    exported_table,
    sealed_seed,
    sealed_terms,
    sha256_of,
)
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import Refused
from cardbattle.core.names import listed
from cardbattle.fighting.seeds import is_guessable
from cardbattle.files.reader import table_or_empty
from cardbattle.records.battle_file import read_battle
from cardbattle.records.record import Record


def proof_mistakes(seals: Seals, record: Record) -> list[str]:
    """Return in what a record is not the draw that its slot was sealed for; nothing if it is.

    That the record fights again as it says is not looked at.
    """
    slot = seals.slots.get(slot_named(record))
    if slot is None:
        return ["it names no slot of these seals; it was fought before they were sealed, or without them"]
    if not slot.secret:
        return [f"slot {slot.number} is not revealed yet, so nobody can check its draw"]
    if not slot.exported:
        return [f"slot {slot.number} does not say what battle got it"]
    found = [*slot_mistakes(seals, slot), *draw_mistakes(slot, record)]
    return found or [one.words for one in Doubts([], lambda made, of: None).of_record(record, {})]


def proven_words(record: Record) -> str:
    """Return what is proven of a record that is the draw of its slot, and what is not: how people played."""
    people = [
        key for key, side in zip(record.setup.seats, record.sides, strict=True) if side.commander == HUMAN
    ]
    played = f", {listed(people)} played by a person" if people else ""
    return f"drawn by slot {slot_named(record)}, as it was sealed{played}"


def slot_named(record: Record) -> int:
    """Return the slot by which a record says it was drawn, 0 if it names none."""
    number = table_or_empty(table_or_empty(record.table.get("bound")).get("seal")).get("slot")
    return number if isinstance(number, int) else 0


def slot_mistakes(seals: Seals, slot: Slot) -> Iterator[str]:
    """Yield what does not fit together in a slot that is revealed."""
    if commitment_of(seals.campaign, slot.number, slot.secret) != slot.commitment:
        yield f"the secret of slot {slot.number} is not the one that was committed to"
    terms = sealed_terms(slot.exported)
    if sha256_of(slot.exported) != slot.digest or terms["slot"] != slot.number:
        yield f"the battle of slot {slot.number} is not the one that got it"
    if terms.get("blind", "") not in ("", blind_of(slot.secret, slot.battle)):
        yield f"what hides the battle of slot {slot.number} does not follow from its secret"
    promises = seals.promises.get(slot.battle, {})
    if promises != {side: sha256_of(nonce) for side, nonce in slot.nonces.items()}:
        yield f"the nonces of slot {slot.number} are not those that were promised"
    served = Counter(one for told in seals.promises.values() for one in told.values())
    if any(served[promise] > 1 for promise in promises.values()):
        yield f"a nonce of slot {slot.number} was promised elsewhere too"


def draw_mistakes(slot: Slot, record: Record) -> Iterator[str]:
    """Yield in what a record is not the battle that got a slot, drawn by it."""
    table = exported_table(slot.exported)
    try:
        plan = read_battle(seeded(table, sealed_seed(slot, slot.secret)), record.setup.base)
    except Refused as refused:
        yield f"the battle of slot {slot.number} cannot be fought: {refused.mistakes[0]}"
        return
    if (slot.battle, plan.id) != (record.id, record.id):
        yield f"slot {slot.number} is battle {slot.battle}'s, not {record.id}'s"
    if record.fought != "engine":
        yield "cards were dealt or typed in by people, so its slot did not decide it"
    if record.seed is not None and is_guessable(record.seed):
        yield "its seed could be guessed, and was not drawn by any slot"
    if record.table.get("bound") != plan.bound or [side.name for side in plan.sides] != record.names:
        yield "it is bound to other forces, or their sides have other names"
    if sealed_terms(slot.exported).get("files", {}) != record.table.get("files", {}):
        yield "a file that it names held something else"
    yield from (difference(twin).words for twin in record_twins(plan, record, True) if not is_same(twin))

"""Verify a record against published seals, to prove that the battle used the sealed cards and dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.file_kinds import read_kind
from cardbattle.battles.records.receipts import receipts_in
from cardbattle.battles.records.record import Record
from cardbattle.battles.records.replay import ReplayMismatch, verify_record
from cardbattle.battles.seeds import is_guessable
from cardbattle.campaign.exchange.cross_check import CrossCheck
from cardbattle.campaign.ledger.battle_match import difference, is_same, record_twins
from cardbattle.campaign.seals.seals import (
    Seals,
    Slot,
    blind_of,
    commitment_of,
    export_table,
    find_alterations,
    read_seals,
    seed_of_slot,
    sha256_of,
    terms_of_seal,
)
from cardbattle.campaign.state.battle_setup import with_seed
from cardbattle.commanders import HUMAN, is_engine
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.files.reader import table_or_empty


def read_copies(paths: Sequence[str]) -> Seals:
    """Return the seals in the last of several published copies. The oldest copy comes first.

    Raises InvalidInput if a file has no seals, and ReplayMismatch if a copy contradicts the previous copy.
    """
    copies = [read_seals(read_kind(path, "seals")) for path in paths]
    for path, earlier, later in zip(paths[1:], copies, copies[1:], strict=False):
        if differences := find_alterations(earlier, later):
            raise ReplayMismatch(
                f"{clean(path)}: differs from the earlier copy: {'; '.join(differences[:5])}"
            )
    return copies[-1]


def verify_drawn(seals: Seals, record: Record) -> str:
    """Replay a record, compare it with its slot, and return a description of what this proves.

    Raises ReplayMismatch at the first wrong move, or with all contradictions between the record and the seal.
    """
    note = verify_record(record)
    if problems := proof_errors(seals, record):
        raise ReplayMismatch("; ".join(problems))
    return "; ".join([proven_words(record), *([note] if note else [])])


def unproven(seals: Seals, records: Sequence[Record]) -> list[str]:
    """Return a sentence for each used slot whose battle is not in `records`."""
    proven = {slot_named(record) for record in records}
    return [
        f"slot {slot.number} was spent on battle {slot.battle}, but its record is missing here"
        for slot in seals.spent()
        if slot.number not in proven
    ]


def proof_errors(seals: Seals, record: Record) -> list[str]:
    """Return the contradictions between a record and its slot. The record is not replayed."""
    slot = seals.slots.get(slot_named(record))
    if slot is None:
        return ["it names no slot of these seals: it was fought before they were sealed, or without them"]
    if not slot.secret:
        return [f"slot {slot.number} is not revealed yet, so its draw cannot be checked"]
    if not slot.exported:
        return [f"slot {slot.number} does not say which battle used it"]
    errors = [*seals_errors(seals), *slot_errors(seals, slot), *draw_errors(slot, record)]
    if errors:
        return errors
    commanders = commanders_of_slot(slot, record)
    return [
        mismatch.words for mismatch in CrossCheck([], lambda made, of: None).of_record(record, commanders)
    ]


def seals_errors(seals: Seals) -> Iterator[str]:
    """Yield an error for each battle with two slots, and for each slot that was used out of order."""
    slots = [*seals.slots.values()]
    battles = Counter(slot.battle for slot in slots if slot.battle)
    yield from (f"battle {battle} has {count} slots" for battle, count in battles.items() if count > 1)
    for before, slot in pairwise(slots):
        if slot.battle and not before.battle:
            yield f"slot {slot.number} was spent before slot {before.number}"
    if len({slot.commitment for slot in slots}) < len(slots):
        yield "two slots have the same commitment"


def commanders_of_slot(slot: Slot, record: Record) -> dict[str, str]:
    """Return a dict from the sides of a slot's battle to their commanders, whose decisions are reproduced."""
    plan = read_battle(export_table(slot.exported), record.setup.base)
    return {key: side.acting for key, side in zip(plan.setup.seats, plan.sides, strict=True)}


def proven_words(record: Record) -> str:
    """Describe what is proven about a record, and which sides' decisions are not proven."""
    persons = [
        key for key, side in zip(record.setup.seats, record.sides, strict=True) if side.commander == HUMAN
    ]
    played = f", {listed(persons)} played by a person" if persons else ""
    receipts = len(receipts_in(record.table))
    receipts_note = f"; {counted(receipts, 'receipt')} fit the moves" if receipts else ""
    return f"drawn by slot {slot_named(record)}, as it was sealed{played}{receipts_note}"


def slot_named(record: Record) -> int:
    """Return the number of the slot that a record names, or 0 if it names none."""
    number = table_or_empty(table_or_empty(record.table.get("bound")).get("seal")).get("slot")
    return number if isinstance(number, int) else 0


def slot_errors(seals: Seals, slot: Slot) -> Iterator[str]:
    if commitment_of(seals.campaign, slot.number, slot.secret) != slot.commitment:
        yield f"the secret of slot {slot.number} does not match its commitment"
    terms = terms_of_seal(slot.exported)
    if sha256_of(slot.exported) != slot.digest or terms["slot"] != slot.number:
        yield f"the battle of slot {slot.number} does not match its digest"
    if terms.get("blind", "") not in ("", blind_of(slot.secret, slot.battle)):
        yield f"the blinding of slot {slot.number} does not match its secret"
    promises = seals.promises.get(slot.battle, {})
    if promises != {side: sha256_of(nonce) for side, nonce in slot.nonces.items()}:
        yield f"the nonces of slot {slot.number} do not match their promises"
    uses = Counter(one for by_side in seals.promises.values() for one in by_side.values())
    if any(uses[promise] > 1 for promise in promises.values()):
        yield f"a nonce of slot {slot.number} was also promised elsewhere"


def draw_errors(slot: Slot, record: Record) -> Iterator[str]:
    """Yield the differences between a record and its slot's battle, drawn again with the slot's secret."""
    table = export_table(slot.exported)
    try:
        plan = read_battle(with_seed(table, seed_of_slot(slot, slot.secret)), record.setup.base)
    except InvalidInput as refused:
        yield f"the battle of slot {slot.number} cannot be fought: {refused.errors[0]}"
        return
    if (slot.battle, plan.id) != (record.id, record.id):
        yield f"slot {slot.number} belongs to battle {slot.battle}, not {record.id}"
    if record.fought != "engine":
        yield "people dealt the cards or entered them, so its slot did not decide the draw"
    if any(is_engine(side.commander) for side in record.sides):
        yield "an engine decided for a side, and its decisions cannot be checked"
    if record.seed is not None and is_guessable(record.seed):
        yield "its seed is guessable, and no slot drew it"
    if record.table.get("bound") != plan.bound or [side.name for side in plan.sides] != record.names:
        yield "it is bound to other forces, or its sides have other names"
    if terms_of_seal(slot.exported).get("files", {}) != record.table.get("files", {}):
        yield "a file that it names had other content"
    yield from (difference(twin).words for twin in record_twins(plan, record, True) if not is_same(twin))

"""A record held against published seals: whether it is the draw that was committed to beforehand."""

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
    altered,
    blind_of,
    commitment_of,
    exported_table,
    read_seals,
    seed_of_slot,
    sha256_of,
    terms_of_seal,
)
from cardbattle.campaign.state.battle_setup import seeded
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.files.reader import table_or_empty


def read_copies(paths: Sequence[str]) -> Seals:
    """Return the sealed dice in the last of these files, copies of what was published, older ones first.

    Refused if one is no such file; Differs if one says otherwise than the copy before it.
    """
    copies = [read_seals(read_kind(path, "seals")) for path in paths]
    for path, earlier, later in zip(paths[1:], copies, copies[1:], strict=False):
        if found := altered(earlier, later):
            raise ReplayMismatch(f"{clean(path)}: an older copy says otherwise: {'; '.join(found[:5])}")
    return copies[-1]


def verify_drawn(seals: Seals, record: Record) -> str:
    """Fight a record again, hold it against its slot, and return what is proven of it.

    Differs at the first move that does not fit, or with all that is not as it was sealed.
    """
    note = verify_record(record)
    if wrong := proof_errors(seals, record):
        raise ReplayMismatch("; ".join(wrong))
    return "; ".join([proven_words(record), *([note] if note else [])])


def unproven(seals: Seals, records: Sequence[Record]) -> list[str]:
    """Return which slots were spent without one of these records to show for it, a sentence each."""
    shown = {slot_named(record) for record in records}
    return [
        f"slot {slot.number} is spent for battle {slot.battle}, of which no record is given"
        for slot in seals.spent()
        if slot.number not in shown
    ]


def proof_errors(seals: Seals, record: Record) -> list[str]:
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
    found = [*seals_errors(seals), *slot_errors(seals, slot), *draw_errors(slot, record)]
    if found:
        return found
    asked = sealed_commanders(slot, record)
    return [one.words for one in CrossCheck([], lambda made, of: None).of_record(record, asked)]


def seals_errors(seals: Seals) -> Iterator[str]:
    """Yield what cannot be in seals: a battle has one slot, and slots are spent in order."""
    slots = [*seals.slots.values()]
    battles = Counter(slot.battle for slot in slots if slot.battle)
    yield from (f"battle {battle} has {count} slots" for battle, count in battles.items() if count > 1)
    for before, slot in pairwise(slots):
        if slot.battle and not before.battle:
            yield f"slot {slot.number} was spent before slot {before.number}"
    if len({slot.commitment for slot in slots}) < len(slots):
        yield "two slots have the same commitment"


def sealed_commanders(slot: Slot, record: Record) -> dict[str, str]:
    """Return by side who answers in the battle that got a slot, to be asked the same questions again."""
    plan = read_battle(exported_table(slot.exported), record.setup.base)
    return {key: side.acting for key, side in zip(plan.setup.seats, plan.sides, strict=True)}


def proven_words(record: Record) -> str:
    """Return what is proven of a record that is the draw of its slot, and what is not: how people played."""
    people = [
        key for key, side in zip(record.setup.seats, record.sides, strict=True) if side.commander == HUMAN
    ]
    played = f", {listed(people)} played by a person" if people else ""
    receipts = len(receipts_in(record.table))
    given = f"; {counted(receipts, 'receipt')} fit the moves" if receipts else ""
    return f"drawn by slot {slot_named(record)}, as it was sealed{played}{given}"


def slot_named(record: Record) -> int:
    """Return the slot by which a record says it was drawn, 0 if it names none."""
    number = table_or_empty(table_or_empty(record.table.get("bound")).get("seal")).get("slot")
    return number if isinstance(number, int) else 0


def slot_errors(seals: Seals, slot: Slot) -> Iterator[str]:
    """Yield what does not fit together in a slot that is revealed."""
    if commitment_of(seals.campaign, slot.number, slot.secret) != slot.commitment:
        yield f"the secret of slot {slot.number} is not the one that was committed to"
    terms = terms_of_seal(slot.exported)
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


def draw_errors(slot: Slot, record: Record) -> Iterator[str]:
    """Yield in what a record is not the battle that got a slot, drawn by it."""
    table = exported_table(slot.exported)
    try:
        plan = read_battle(seeded(table, seed_of_slot(slot, slot.secret)), record.setup.base)
    except InvalidInput as refused:
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
    if terms_of_seal(slot.exported).get("files", {}) != record.table.get("files", {}):
        yield "a file that it names held something else"
    yield from (difference(twin).words for twin in record_twins(plan, record, True) if not is_same(twin))

"""Sealed dice are random draws to which the umpire commits in advance, and which players can verify.

This is a commitment scheme. The umpire's master key gives each slot a secret, whose hash is published before
the first battle. Each battle gets the next free slot. The battle's seed is derived from the slot's secret,
the battle's complete setup, and nonces from the players. After the secret is revealed, everybody can
recompute the seed.

Source: M. Blum, Coin Flipping by Telephone, 1981 (commitment); RFC 2104 (HMAC).
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from cardbattle.battles.records.battle_file import FORMAT, canonical
from cardbattle.campaign.state.editing.layout import inline_value
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import quoted
from cardbattle.files import reader
from cardbattle.files.reader import TableReader, table_or_empty
from cardbattle.files.toml import Source

SEALS_NAME = "seals.toml"
PROTOCOL = "cardbattle-seal-1"
HASH = re.compile(r"sha256:[0-9a-f]{64}")
SECRET = re.compile(r"[0-9a-f]{64}")
LONGEST_NONCE = 200
SLOT_KEYS = ("number", "commitment", "battle", "digest", "nonces", "secret", "exported")
HEADING = f"""\
# The sealed dice of this campaign: {PROTOCOL}. Players keep the copy that they get
# before the first battle: python check_seals.py seals.toml RECORD.toml --before COPY.toml
"""


class Slot(NamedTuple):
    """One sealed draw. Fields that are not known yet are empty.

    Attributes:
        number: the number of the slot, from 1.
        digest: the hash of `exported`.
        secret: the secret as hexadecimal digits, after it was revealed.
        exported: the battle that used the slot, without its seed, in canonical JSON.

    """

    number: int
    commitment: str
    battle: str = ""
    digest: str = ""
    nonces: Mapping[str, str] = {}
    secret: str = ""
    exported: str = ""

    def __repr__(self) -> str:
        return f"<Slot {self.number}: {f'battle {self.battle}' if self.battle else 'not spent'}>"


@dataclass
class Seals:
    """The slots of a campaign by number, and the promised nonces by battle and side.

    `campaign` is the campaign's name when the slots were sealed.
    """

    campaign: str = ""
    slots: dict[int, Slot] = field(default_factory=dict)
    promises: dict[str, dict[str, str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Seals of {self.campaign}: {len(self.slots)} slots, {len(self.spent())} spent>"

    def spent(self) -> list[Slot]:
        """Return the slots that belong to a battle, in order."""
        return [slot for slot in self.slots.values() if slot.battle]

    def slot_of(self, battle: str) -> Slot | None:
        """Return the slot of a battle, or None if it has none."""
        return next((slot for slot in self.slots.values() if slot.battle == battle), None)

    def next_free(self) -> Slot | None:
        """Return the first slot without a battle, or None if all slots have one."""
        return next((slot for slot in self.slots.values() if not slot.battle), None)

    def missing_nonces(self, slot: Slot) -> list[str]:
        """Return the sides that promised a nonce for a slot's battle and have not revealed it yet."""
        return [side for side in self.promises.get(slot.battle, {}) if side not in slot.nonces]


def sha256_of(text: str) -> str:
    """Return the hash of a text as `sha256:` and 64 hexadecimal digits."""
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def commitment_of(campaign: str, number: int, secret: str) -> str:
    return sha256_of(f"{PROTOCOL}|{campaign}|{number}|{secret}")


def blind_of(secret: str, battle: str) -> str:
    """Return a secret string that is hashed together with a battle's terms.

    It prevents readers from guessing the terms from their digest.
    """
    return hmac.new(bytes.fromhex(secret), f"{PROTOCOL}|blind|{battle}".encode(), sha256).hexdigest()


def seed_of_slot(slot: Slot, secret: str) -> str:
    """Return the seed of a slot's battle. A missing nonce counts as an empty nonce."""
    nonces = "|".join(slot.nonces.get(side[0], "") for side in sides_of_seal(slot.exported))
    message = f"{PROTOCOL}|{slot.battle}|{slot.digest.removeprefix('sha256:')}|{nonces}"
    return hmac.new(bytes.fromhex(secret), message.encode(), sha256).hexdigest()


def with_terms(table: Mapping[str, object], terms: Mapping[str, object]) -> dict[str, object]:
    return {**table, "bound": {**table_or_empty(table["bound"]), "seal": terms}}


def canonical_battle(table: Mapping[str, object]) -> str:
    """Return a battle's table in the canonical form that is hashed."""
    return canonical({word: value for word, value in table.items() if word != "seed"})


def export_table(text: str) -> dict[str, object]:
    """Return the table of an exported battle with its sides in seat order.

    Raises ValueError if the text is not such a battle.
    """
    table = json.loads(text)
    sides = table_or_empty(table_or_empty(table).get("sides"))
    seats = [side[0] for side in sides_of_seal(text)]
    if sorted(seats) != sorted(sides):
        raise ValueError("its seats are not its sides")
    return {**table, "sides": {key: sides[key] for key in seats}}


def sides_of_seal(text: str) -> list[list[str]]:
    """Return the forces of each side of an exported battle, in seat order.

    Raises ValueError if the battle has no sides.
    """
    return reader.expect_groups(terms_of_seal(text)["sides"])


def terms_of_seal(text: str) -> dict[str, object]:
    """Return the terms of an exported battle's seal.

    The terms are `slot`, `sides`, `blind` and `files`. `sides` are the forces of each side in seat order,
    which canonical JSON does not keep. `blind` makes the digest impossible to guess. `files` are digests of
    the files that the battle names. Raises ValueError if the battle has no terms.
    """
    try:
        bound = table_or_empty(table_or_empty(json.loads(text)).get("bound"))
    except RecursionError:
        raise ValueError("it is not a battle") from None
    terms = table_or_empty(bound.get("seal"))
    if not {"slot", "sides"} <= terms.keys() <= {"slot", "sides", "blind", "files"}:
        raise ValueError("it is bound to no slot")
    return terms


def nonce_error(nonce: str) -> str:
    is_fit = nonce.isascii() and nonce.isprintable() and nonce == nonce.strip() and "|" not in nonce
    if is_fit and 0 < len(nonce) <= LONGEST_NONCE:
        return ""
    return f"a nonce is 1 to {LONGEST_NONCE} ASCII letters, digits or signs, without |"


def seals_text(seals: Seals) -> str:
    """Return the text of seals.toml, which contains everything about the slots that is public."""
    lines = [HEADING, f"format = {FORMAT}", f"campaign = {inline_value(seals.campaign)}"]
    for battle, promises in seals.promises.items():
        lines += ["", f"[promises.{battle}]"]
        lines += [f"{side} = {inline_value(promise)}" for side, promise in promises.items()]
    for slot in seals.slots.values():
        lines += ["", "[[slot]]", *(f"{key} = {inline_value(value)}" for key, value in public_fields(slot))]
    return "\n".join(lines) + "\n"


def public_fields(slot: Slot) -> Iterator[tuple[str, object]]:
    """Yield the public fields of a slot. Its battle is public only after its secret was revealed."""
    for key, value in slot._asdict().items():
        if value and (key != "exported" or slot.secret):
            yield key, value


def read_seals(source: Source) -> Seals:
    """Read published sealed dice. Raises InvalidInput, which lists all errors."""
    errors: list[Diagnostic] = []
    table = TableReader(source.data, (), errors)
    table.only(("format", "campaign", "promises", "slot"))
    if table.need("format", reader.expect_whole, FORMAT) != FORMAT:
        table.wrong("this program reads format 1", "format")
    name = table.need("campaign", reader.expect_text, "")
    promises = table.table("promises")
    promises_by_battle = {battle: read_pairs(promises.table(battle), expect_hash) for battle in promises.data}
    slots = [read_slot(slot_table) for slot_table in table.tables("slot")]
    for place, slot in enumerate(slots):
        if slot.number != place + 1:
            table.wrong(f"expected slot {place + 1}, got {slot.number}", "slot", place, "number")
    if errors:
        source.refuse(errors)
    return Seals(name, {slot.number: slot for slot in slots}, promises_by_battle)


def read_slot(table: TableReader) -> Slot:
    table.only(SLOT_KEYS)
    return Slot(
        table.need("number", reader.expect_whole, 0),
        table.need("commitment", expect_hash, ""),
        table.take("battle", reader.expect_key, ""),
        table.take("digest", expect_hash, ""),
        read_pairs(table.table("nonces"), expect_nonce),
        table.take("secret", expect_secret, ""),
        table.take("exported", expect_exported, ""),
    )


def read_pairs(table: TableReader, read: Callable[[object], str]) -> dict[str, str]:
    return {key: table.take(key, read, "") for key in table.data}


def expect_hash(value: object) -> str:
    if not isinstance(value, str) or not HASH.fullmatch(value):
        raise ValueError(f'expected "sha256:" and 64 hexadecimal digits, got {quoted(value)}')
    return value


def expect_secret(value: object) -> str:
    """Return the value if it is the secret of a slot.

    Raises ValueError for any other value. The error does not repeat the value.
    """
    if not isinstance(value, str) or not SECRET.fullmatch(value):
        raise ValueError("expected 64 hexadecimal digits in lower case")
    return value


def expect_nonce(value: object) -> str:
    text = reader.expect_text(value)
    if nonce_error(text):
        raise ValueError(nonce_error(text))
    return text


def expect_exported(value: object) -> str:
    text = reader.expect_text(value)
    if canonical(export_table(text)) != text:
        raise ValueError("expected a battle in canonical JSON")
    return text


def find_alterations(earlier: Seals, later: Seals) -> list[str]:
    """Return each statement in an earlier copy of the seals that a later copy contradicts or omits.

    Slots that were used and nonces and secrets that were revealed after the earlier copy are not
    contradictions.
    """
    alterations = [] if earlier.campaign == later.campaign else ["the name of the campaign"]
    for battle, promises in earlier.promises.items():
        later_promises = later.promises.get(battle, {})
        alterations += [
            f"the nonce that {side} promised for battle {battle}"
            for side, promise in promises.items()
            if later_promises.get(side) != promise
        ]
    for slot in earlier.slots.values():
        alterations += slot_alterations(slot, later.slots.get(slot.number, Slot(slot.number, "")))
    return alterations


def slot_alterations(earlier: Slot, later: Slot) -> list[str]:
    """Return each statement in an earlier copy of a slot that a later copy contradicts or omits."""
    alterations = [
        f"the {key} of slot {earlier.number}"
        for key, value in public_fields(earlier)
        if key != "nonces" and getattr(later, key) != value
    ]
    nonces = [side for side, nonce in earlier.nonces.items() if later.nonces.get(side) != nonce]
    late = [side for side in later.nonces if earlier.secret and side not in earlier.nonces]
    return alterations + [f"the nonce of {side} in slot {earlier.number}" for side in [*nonces, *late]]

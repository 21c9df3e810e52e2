"""Sealed orders: commit to an answer, and reveal it when all sides have answered.

The seal is the SHA-256 of `battle|place|side|salt|text`, so it is valid for one question of one side in one
battle. The random salt of 128 bits keeps others from trying all texts.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardbattle.battles.session import Session

SALT_BYTES = 16
STOPS = '*`_")<>[].!,; '  # characters that people and programs add at the end of a text


def draw_salt() -> str:
    """Return a random salt: 32 hexadecimal digits."""
    return secrets.token_hex(SALT_BYTES)


def seal_of(battle: str, place: int, side: str, salt: str, text: str) -> str:
    """Return the seal of an answer: 64 hexadecimal digits.

    >>> seal_of("mill", 3, "york", "0" * 32, "Place  10S")[:16]
    '3808e831adfde943'
    """
    whole = f"{battle}|{place}|{side}|{salt}|{as_sealed(text)}"
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def as_sealed(text: str) -> str:
    """Normalise a text for sealing: lower case, single spaces, no final full stop."""
    return " ".join(text.casefold().split()).rstrip(STOPS)


def seal_error(session: Session, seat: int, seal: str) -> str:
    """Return the error if a seat cannot give this seal now; otherwise the empty string."""
    key = session.keys[seat]
    if seat in session.seals:
        return f"{key} has already sealed its answer; a sealed answer cannot be taken back"
    for other_seat, stored in session.seals.items():
        if stored == seal:
            whose = session.keys[other_seat]
            return f"this is the seal of {whose} and does not open for {key}; seal your own answer"
    if session.is_opening:
        return "the sealed answers are being opened; give this answer once all are open"
    if seal in session.spent:
        return f"this seal was used before; seal the answer to {key}@{session.place(seat)} again"
    return ""


def opening_error(session: Session, seat: int, salt: str, text: str, is_time: bool) -> str:
    """Return the error if this salt and text do not open a seat's seal; otherwise the empty string.

    `is_time` means that all sides had sealed their answers before the first seal was opened.
    """
    key, place = session.keys[seat], session.place(seat)
    if seat not in session.seals:
        return f"{key} has sealed nothing for {key}@{place}; send the answer without a seal"
    if not is_time:
        return "not all have sealed theirs; keep this until you are asked to open yours"
    if salt in session.spent:
        return "this salt was used before; a seal that has it may be guessed, so seal with a fresh one"
    if seal_of(session.plan.id, place, key, salt, text) != session.seals[seat]:
        label = f"{key}@{place} of {session.plan.id}"
        return f"this is not what {key} has sealed for {label}; send the very line you kept"
    return ""


def spend(session: Session, seat: int, salt: str) -> None:
    """Record that a seat's seal is opened; neither it nor its salt is accepted again."""
    session.spent += [session.seals.pop(seat), salt]

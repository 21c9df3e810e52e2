"""Let players seal their answers, and open the seals when all sides have sealed an answer.

A seal is a hash. It commits the player to an answer without revealing the answer to anyone.

The seal is the SHA-256 hash of `battle|place|side|salt|text`, so it is valid only for one question of one
side in one battle. The salt is a random number of 128 bits. Without it, others could find the answer by
trying all texts.
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
    """Return a random salt, which has 32 hexadecimal digits."""
    return secrets.token_hex(SALT_BYTES)


def seal_of(battle: str, place: int, side: str, salt: str, text: str) -> str:
    """Return the seal of an answer, which has 64 hexadecimal digits.

    >>> seal_of("mill", 3, "york", "0" * 32, "Place  10S")[:16]
    '3808e831adfde943'
    """
    whole = f"{battle}|{place}|{side}|{salt}|{as_sealed(text)}"
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def as_sealed(text: str) -> str:
    """Normalise a text before it is sealed: lower case, single spaces, no final punctuation."""
    return " ".join(text.casefold().split()).rstrip(STOPS)


def seal_error(session: Session, seat: int, seal: str) -> str:
    """Return the reason why a seat cannot send this seal now, or "" if it can."""
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
    """Return the reason why a salt and a text do not open the seal of a seat, or "" if they do.

    `is_time` is True if all sides have sealed their answers. Only then can seals be opened.
    """
    key, place = session.keys[seat], session.place(seat)
    if seat not in session.seals:
        return f"{key} has sealed nothing for {key}@{place}; send the answer without a seal"
    if not is_time:
        return "not all sides have sealed their answers; keep this line until you are asked to open yours"
    if salt in session.spent:
        return "this salt was used before, so others could guess the answer; seal the answer with a new salt"
    if seal_of(session.plan.id, place, key, salt, text) != session.seals[seat]:
        label = f"{key}@{place} of {session.plan.id}"
        return f"this is not what {key} has sealed for {label}; send the printed line unchanged"
    return ""


def spend(session: Session, seat: int, salt: str) -> None:
    """Mark the seal of a seat as opened. The seal and the salt are not accepted a second time."""
    session.spent += [session.seals.pop(seat), salt]

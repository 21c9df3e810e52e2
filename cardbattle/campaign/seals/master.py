"""The master key of sealed dice, which consists of 256 bits.

Only the umpire has it, and no output shows it.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from hashlib import sha256

from cardbattle.campaign.seals.seals import PROTOCOL, Slot, commitment_of
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.core.names import clean
from cardbattle.files import disk
from cardbattle.files.errors import SystemFailure
from cardbattle.files.toml import read_bytes

MASTER_NAME = ".cardbattle.seal"
SIZE = 32  # bytes
HEAD = b"\xff\xfe" + PROTOCOL.encode() + b"\n"  # not valid text, so that no error message quotes it


def draw_master(folder: str) -> tuple[bytes, str]:
    """Draw a master key and write it to a file that only its owner can read. Return the key and a note.

    An existing file is moved aside, because it can be the only key to published seals. Raises SystemFailure
    if the file cannot be written.
    """
    path = os.path.join(folder, MASTER_NAME)
    master, note = secrets.token_bytes(SIZE), ""
    try:
        if os.path.lexists(path):
            aside = disk.free_name(path)
            disk.move(path, aside)
            note = (
                f"a {MASTER_NAME} that does not belong to this ledger was moved to {os.path.basename(aside)}"
            )
        disk.replace_private(path, HEAD + master)
    except OSError as error:
        raise SystemFailure(f"{MASTER_NAME} cannot be written: {disk.reason(error)}") from error
    return master, note


def read_master(folder: str) -> bytes:
    """Return a campaign's master key.

    Raises NeedsUmpire if the key is missing or damaged, and InvalidInput if its file cannot be read.
    """
    path = os.path.join(folder, MASTER_NAME)
    if not os.path.lexists(path):
        raise NeedsUmpire(
            f"{MASTER_NAME} is missing, and sealed dice cannot be drawn without it; restore it from a copy"
        )
    content = read_bytes(path, len(HEAD) + SIZE)
    if not content.startswith(HEAD) or len(content) != len(HEAD) + SIZE:
        raise NeedsUmpire(f"{MASTER_NAME} is damaged; restore it from a copy")
    return content[len(HEAD) :]


def slot_secret(master: bytes, campaign: str, number: int) -> str:
    return hmac.new(master, f"{PROTOCOL}|{campaign}|{number}".encode(), sha256).hexdigest()


def secret_of(folder: str, campaign: str, slot: Slot) -> str:
    """Return the secret of a slot, whether or not it is revealed.

    Raises NeedsUmpire if the master key is not the key that sealed the slot. Also raises the errors of
    `read_master`.
    """
    secret = slot.secret or slot_secret(read_master(folder), campaign, slot.number)
    if commitment_of(campaign, slot.number, secret) != slot.commitment:
        raise NeedsUmpire(
            f"{MASTER_NAME} is not the key that slot {slot.number} was sealed with; restore it from a copy"
        )
    return secret


def openness(folder: str) -> str:
    """Return a warning if other people can read the master key, otherwise ""."""
    try:
        mode = stat.S_IMODE(os.stat(os.path.join(folder, MASTER_NAME)).st_mode)
    except OSError:
        return ""
    if os.name == "nt" or not mode & ~disk.PRIVATE & 0o077:
        return ""
    return f"{clean(MASTER_NAME)} can be read by others (mode {mode:o}); chmod 600 keeps it to yourself"

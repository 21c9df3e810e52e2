"""The TOML format. Listings are written unchanged, and all other text becomes comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.show.document import Listing
from cardbattle.show.writers.plain import plain_lines

if TYPE_CHECKING:
    from cardbattle.show.document import Document


def to_toml(document: Document) -> str:
    lines: list[str] = []
    for block in document.blocks:
        said = plain_lines(block)
        lines += said if isinstance(block, Listing) else [f"# {line}".rstrip() for line in said]
    return "".join(f"{line}\n" for line in lines)

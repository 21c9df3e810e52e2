"""Names in the middle of sentences."""

from __future__ import annotations

from cardbattle.core.grammar import Noun, is_plural


def mid_sentence(name: str) -> Noun:
    """Return a name for use inside a sentence.

    >>> mid_sentence("The Crown"), mid_sentence("Theodoric")
    ('the Crown', 'Theodoric')
    """
    return Noun(f"the {name[4:]}" if name.startswith("The ") else name, is_plural(name))

"""Names in sentences: in the middle of one, and several of them with one verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.grammar import Noun, is_plural
from cardbattle.core.names import listed

if TYPE_CHECKING:
    from collections.abc import Iterable


def mid_sentence(name: str) -> Noun:
    """Return a name as it stands within a sentence.

    >>> mid_sentence("The Crown"), mid_sentence("Theodoric")
    ('the Crown', 'Theodoric')
    """
    return Noun(f"the {name[4:]}" if name.startswith("The ") else name, is_plural(name))


def together(names: Iterable[str]) -> Noun:
    """Return names as a sentence has them, those of allies kept together; several take a plural verb.

    >>> together(["York", "Percy and Douglas"])
    'York, and Percy and Douglas'
    """
    nouns = list(names)
    if len(nouns) == 1:
        return Noun(nouns[0], is_plural(nouns[0]))
    if not any(" and " in name for name in nouns):
        return Noun(listed(nouns), plural=True)
    return Noun(f"{', '.join(nouns[:-1])}, and {nouns[-1]}", plural=True)

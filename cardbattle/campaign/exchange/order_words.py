"""The words of players' orders to move, and the patterns that read them.

The table in `docs/movement.md` lists these words, and a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

HOLD_WORDS = ("hold", "stay", "halt", "wait", "stand", "rest", "defend")
HERE_WORDS = (
    "here", "position", "put", "still", "fast", "on", "tight", "firm", "your ground", "the line",
)  # behind a word to hold  # fmt: skip
AT_WORDS = ("at", "on", "in")  # between a word to hold and the place of the force
JOIN_WORDS = ("join", "follow", "go with", "march with")
MARCH_WORDS = (
    "march", "move", "go", "advance", "ride", "walk", "attack", "return", "retreat", "withdraw", "fall back",
    "back",
)  # fmt: skip
TO_WORDS = ("to", "toward", "towards", "for", "on", "against")
VIA_WORDS = ("via", "through", "by way of")
AVOID_WORDS = ("avoid", "avoiding", "evade", "evading")
BATTLE_WORDS = ("battle", "battles", "combat", "contact", "fight", "fighting", "enemy", "enemies")


def one_of(words: Iterable[str]) -> str:
    """Return a pattern for one of these words or phrases.

    >>> re.fullmatch(one_of(["go", "go with"]), "go  with") is not None
    True
    """
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(word.replace(" ", r"\s+") for word in longest_first) + ")"


BEGINS = re.compile(
    rf"(?:{one_of((*HOLD_WORDS, 'march', 'move', 'go', 'advance', 'ride', 'join', 'follow', 'to', 'attack'))}"
    r"|(?:return|retreat|withdraw|(?:fall\s+)?back)\s+to)\b|.*(->|=>|\u2192)",
    re.IGNORECASE,
)
AVOID = re.compile(
    rf"[\s,]*\b(?:and\s+|but\s+)?{one_of(AVOID_WORDS)}"
    rf"(?:\s+(?:a\s+|any\s+|all\s+|the\s+)?{one_of(BATTLE_WORDS)})?(?:\s+if\s+poss(?:ible)?\b)?\s*$",
    re.IGNORECASE,
)
HOLDING = re.compile(
    rf"{one_of(HOLD_WORDS)}\b(?:\s+{one_of(HERE_WORDS)}\b)?(?:\s+{one_of(AT_WORDS)}\s+(?P<place>.+))?",
    re.IGNORECASE,
)
HOLDING_PLACE = re.compile(rf"{one_of(HOLD_WORDS)}\s+(?P<place>.+)", re.IGNORECASE)
JOINING = re.compile(rf"{one_of(JOIN_WORDS)}(?:\s+with)?\s+(?P<force>.+)", re.IGNORECASE)
MARCHING = re.compile(
    rf"(?:{one_of(MARCH_WORDS)}\b\s*)?(?:back\b\s*)?(?:{one_of(TO_WORDS)}\b\s*)?(?P<place>.+)",
    re.IGNORECASE,
)
RETREATING = re.compile(r"(?:retreats?|withdraws?|falls? back|pulls? back|flees?)\b\s*", re.IGNORECASE)
VIA = re.compile(rf"\s+{one_of(VIA_WORDS)}\s+", re.IGNORECASE)
VERB = re.compile(rf"{one_of(MARCH_WORDS)}(?:\s+from)?\s+", re.IGNORECASE)

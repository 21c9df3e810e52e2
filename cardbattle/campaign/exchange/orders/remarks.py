"""Remarks that players write behind an order, such as `hold, they are tired`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from cardbattle.campaign.exchange.orders.words import CANCELLING, forms_of, one_of
from cardbattle.campaign.ledger.roster import WORD

SEPARATOR = re.compile(r"\s*[,.!?:]\s+|\s+[-\u2013\u2014]+\s+|\s*[(\[]|\s+(?=because\b)")
REASON = re.compile(
    r"\W*because\b(?:(?!\band\b)[^.!?;:,])*[.!]*", re.IGNORECASE
)  # one clause, in which a verb of an order is none
LONGEST = 1000  # characters of an order before a remark
# A text with one of these words can change the order before it, so it is not a remark.
CHANGES_ORDER = frozenset((
    "after", "avoid", "avoiding", "battle", "before", "but", "cancel", "contact", "either", "else", "enemies",
    "enemy", "evade", "evading", "except", "if", "instead", "maybe", "not", "only", "or", "otherwise",
    "perhaps", "rather", "then", "through", "towards", "unless", "until", "via", "wait", "when", "while",
))  # fmt: skip
NOTHING_ELSE = re.compile(r"\b(?:what|where|who|nothing|nowhere|no one|nobody)\s+else\b")
ACTIONS = ("attack", "fight", "engage", "charge", "assault", "pursue", "advance", "cross", "enter")
NEGATED = re.compile(
    rf"\b(?:(?:do|wo|ca)n['\u2019]?t|never|no|without)\s+"
    r"(?:(?:you|we|they|ever|even|start|give|offer|accept|join|risk|seek|get|in|into|any|a|the|more|to)\s+){0,3}"
    rf"(?:{one_of(forms_of(ACTIONS))}|go|leave)\b"
    rf"|\b{one_of(forms_of(ACTIONS))}\s+(?:nobody|no\s?one|none|nothing)\b"
)  # in "never attack"; "never mind the snow" says nothing about an order
REMINDING = re.compile(r"\b(?:do\s+not|don['\u2019]?t)\s+forget\b")
MISSPELT = ("avoid", "avoiding", "evade", "battle", "through", "unless", "otherwise")
SIMILAR = 0.75  # how similar a word must be to one of MISSPELT, for difflib


def split_remark(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to split a text into an order and a remark behind it. The shortest remark comes first.

    The order before a remark has at most LONGEST characters.

    >>> list(split_remark("hold, please (I think)"))
    [('hold, please', '(I think)'), ('hold', ', please (I think)')]
    """
    for separator in reversed([*SEPARATOR.finditer(text, 0, LONGEST)]):
        order, remark = text[: separator.start()], text[separator.start() :].strip()
        if order and WORD.search(remark):
            yield order, remark


def is_only_remark(text: str, names: Collection[str], *, is_opened: bool = False) -> bool:
    """Return True if a text behind an order cannot change the order.

    `names` are the words of the names of forces and places, which a remark must not contain. `is_opened` is
    True for an order that was sealed, perhaps with an earlier release, which read a text such as `never
    attack` as a remark. It is still read so, because an opened order can no longer be corrected.

    >>> is_only_remark("they are tired", {"ford"}), is_only_remark("unless they come", {"ford"})
    (True, False)
    >>> is_only_remark("aviod them", {"ford"}), is_only_remark("see you at the ford", {"ford"})
    (False, False)
    >>> is_only_remark("what else?", {"ford"}), is_only_remark("or else go home", {"ford"})
    (True, False)
    >>> is_only_remark("never mind", {"ford"}), is_only_remark("don't attack", {"ford"})
    (True, False)
    >>> is_only_remark("no kidding", {"ford"}), is_only_remark("just kidding", {"ford"})
    (True, False)
    """
    plain = NOTHING_ELSE.sub("", text.casefold())
    is_change = NEGATED.search(plain) or CANCELLING.search(REMINDING.sub("", plain))
    if is_change and not is_opened:
        return False
    words = {*WORD.findall(plain)}
    return words.isdisjoint(CHANGES_ORDER) and words.isdisjoint(names) and not any(map(is_misspelt, words))


@lru_cache(maxsize=10_000)
def is_misspelt(word: str) -> bool:
    """Return True if a word is similar to one of MISSPELT."""
    return bool(difflib.get_close_matches(word, MISSPELT, 1, SIMILAR))

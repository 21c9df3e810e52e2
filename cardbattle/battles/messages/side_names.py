"""Read the names of sides in the addresses of answers, such as `the Wharf Company@2: 3`.

`answer_text` finds addresses by their keys, which are one word. If the word is not the key of a side, it is
the last word of a name, which can begin on the line before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import Answer, RejectedAnswer
from cardbattle.core.names import quoted

FindSide = Callable[[str], str]  # returns the key of the side with a name; raises ValueError if it is unclear
MOST_WORDS = 8  # maximum number of words before the last word of a name
LONGEST_NAME = 160  # maximum number of characters before the last word of a name
BATTLE = re.compile(r"([a-z0-9][\w-]*)\s?/\s?$", re.IGNORECASE)
AMBIGUOUS = "is ambiguous"


class NamedAnswers(NamedTuple):
    """The answers with the keys of their sides, and the errors of answers with an ambiguous name."""

    answers: list[Answer]
    errors: list[RejectedAnswer]


def with_side_keys(answers: Sequence[Answer], keys: Sequence[str], find: FindSide) -> NamedAnswers:
    """Return the answers with the key of their side where the player wrote a name.

    The seal of a sealed answer contains the address that the player wrote, so its side is not replaced. An
    answer whose name is unknown is returned unchanged.
    """
    named: list[Answer] = []
    errors: list[RejectedAnswer] = []
    last: tuple[Answer, Answer | None] | None = None
    for answer in answers:
        if answer.side in keys or answer.is_sealed:
            named.append(answer)
            continue
        is_below = "@" not in answer.source[answer.column - 1 :][:LONGEST_NAME]  # a standing order
        if is_below and last is not None and last[0].side == answer.side:
            known = last[1]
            named += [answer._replace(side=known.side, battle=known.battle)] if known else []
            continue
        try:
            named_answer = with_key(answer, find)
        except ValueError as error:
            errors.append(answer.wrong(f"{answer.label}: {error}"))
            named_answer = None
        last = answer, named_answer
        named += [named_answer] if named_answer else []
    return NamedAnswers(named, errors)


def with_key(answer: Answer, find: FindSide) -> Answer:
    """Return an answer with the key of the side that its address names. An unknown name stays.

    The longest name before the question's number counts. Raises ValueError if it can mean several sides.
    """
    end, word = answer.column - 1, answer.side.replace("-", " ")
    before = answer.source[max(0, end - LONGEST_NAME) : end]
    start = max(before.rfind("/"), before.rfind(":"), before.rfind(">")) + 1
    name_words = before[start:].split()[-MOST_WORDS:]
    ambiguous: ValueError | None = None
    for count in range(len(name_words), -1, -1):
        name = " ".join([*name_words[len(name_words) - count :], word])
        try:
            key = find(name)
        except ValueError as error:
            ambiguous = ambiguous or (error if AMBIGUOUS in str(error) else None)
            continue
        refuse_other_name(find, name_words[: len(name_words) - count][-1:], name, key)
        battle = BATTLE.search(before[:start]) if count == len(name_words) and not answer.battle else None
        return answer._replace(side=key, battle=battle[1].lower() if battle else answer.battle)
    if ambiguous:
        raise ambiguous
    return answer


def refuse_other_name(find: FindSide, word_before: Sequence[str], name: str, key: str) -> None:
    """Raise ValueError if the word before a name belongs to the name of another side."""
    other_key = key
    for word in word_before:
        with suppress(ValueError):
            other_key = find(word)
    if other_key != key:
        raise ValueError(
            f"{quoted(' '.join([*word_before, name]))} {AMBIGUOUS}: {key} or {other_key}; write the key"
        )

"""Join answers that a mail program has wrapped over several lines.

If a list of answers ends with a semicolon, it continues on the next line. An answer also continues on the
next line if it names an option only when it is joined with this line. If a side answers several questions in
a row, each line can be an answer. If it is not clear whether the next line belongs to an answer, the answer
is rejected. Other text is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from cardbattle.battles.messages.answer_text import (
    CONDITION,
    INITIAL,
    UNFINISHED,
    Answer,
    IsAnswer,
    RejectedAnswer,
    is_order_line,
    parts_of,
)
from cardbattle.battles.session import Decision, find_option
from cardbattle.commanders import RANKS
from cardbattle.commanders.standing import ANY, question_words
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import nearest, quoted
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.spelling import (
    FATE,
    MORE,
    is_a,
    is_card,
    number_mark,
    with_short_ranks,
    without_courtesy,
)

NUMBER = re.compile(r"#?\d{1,3}")
SEPARATORS = re.compile(r"[^\w#'\u2660-\u2667]+")  # between the words and cards of an answer
JOINING = re.compile(r"^(?:and|or|then)\s+", re.IGNORECASE)  # at the beginning of a further answer
CLEARER = "write the whole answer on one line, or an empty line below it"


def join_continuations(
    rules: RuleSet, keys: Sequence[str], answer: Answer, errors: list[RejectedAnswer]
) -> list[Answer]:
    """Return an answer and, if it ends with a semicolon, the answers on the next lines.

    Errors are appended to `errors`.
    """
    continuations = [answer]
    while continuations[-1].is_unfinished and continuations[-1].below:
        last = continuations[-1]
        line, *remaining = last.below
        parts = parts_of(line)
        if not all(names_move(rules, keys, part) for part in parts):
            if (
                ";" in line
                or any(map(str.isdigit, line))
                or any(is_card(word, rules) for word in line.split())
            ):
                errors.append(
                    last.wrong(f"{last.label}: the line below it, {quoted(line)}, is unclear; {CLEARER}")
                )
            break
        continuations[-1] = last._replace(below=(), is_unfinished=False)
        continuations += [
            continuations[-1]._replace(words=part, place=last.place + n) for n, part in enumerate(parts, 1)
        ]
        continuations[-1] = continuations[-1]._replace(
            below=tuple(remaining), is_unfinished=bool(UNFINISHED.search(line))
        )
    return continuations


def with_lines_below(
    rules: RuleSet, decision: Decision, keys: Sequence[str], answer: Answer, *, is_list: bool
) -> tuple[str, list[Answer]]:
    """Return the text of an answer. If it names no option alone, join it with the next line.

    The function also returns further answers on the next line. With `is_list`, the side answers several
    questions in a row, so that each line can have an answer. Raises IllegalMove if it is not
    clear whether a line below belongs to the answer.
    """
    line, *lines = answer.below or ("",)
    parts = parts_of(line)
    joined = f"{answer.words} {parts[0]}" if parts else ""
    alone, both = find_option(decision, answer.words), joined and find_option(decision, joined)
    is_answer = is_further_answer(rules, keys, line)
    if both and alone in ("", both):
        more = next_answers(answer, parts[1:], lines)
        whole = answer._replace(words=joined, below=tuple(lines))
        return (joined, more) if more else with_lines_below(rules, decision, keys, whole, is_list=is_list)
    if (
        is_list
        and is_answer
        and alone
        and not both
        and not any(map(NUMBER.fullmatch, (answer.words, *parts)))
    ):
        return answer.words, next_answers(answer, parts, lines)
    unclear = (
        line if both else next((each for each in answer.below if is_further_answer(rules, keys, each)), "")
    )
    if unclear:
        raise IllegalMove(f"the line below it, {quoted(unclear)}, can be an answer, too; {CLEARER}")
    return answer.words, []


def untried_answers(rules: RuleSet, keys: Sequence[str], answer: Answer) -> list[Answer]:
    """Return an answer to a question that is not asked yet, and the answers on the lines below it.

    A line that begins with the verb of a move is a further answer. Another one continues the line above it.
    """
    verbs = {form.split()[0] for form in rules.forms}
    text = answer.words
    for line in takewhile(partial(is_further_answer, rules, keys), answer.below):
        text += f"{';' if line.casefold().split()[0] in verbs else ''} {line}"
    first, *parts = parts_of(text)
    return [answer._replace(words=first, below=()), *next_answers(answer, parts, ())]


def next_answers(answer: Answer, parts: Sequence[str], below: Sequence[str]) -> list[Answer]:
    """Return the answers to the questions after `answer`.

    They are accepted only together with it. The last one can continue on the lines in `below`.
    """
    more = [answer._replace(words=part, place=answer.place + n, below=()) for n, part in enumerate(parts, 1)]
    return [*more[:-1], *(last._replace(below=tuple(below)) for last in more[-1:])]


def is_meant(rules: RuleSet, keys: Sequence[str], answer: Answer) -> bool:
    """Return True if a line is meant as an answer, and not as a sentence about the question."""
    if answer.has_colon:
        return True
    begins_so = answer.words.casefold().startswith(("when ", "else ", "forget", "open ", "sealed "))
    return answer.side in keys and (
        begins_so or all(names_move(rules, keys, part) for part in parts_of(answer.words))
    )


def answer_test(rules: RuleSet, keys: Sequence[str]) -> IsAnswer:
    """Return the function by which `answers_in` finds answers on the line below an address."""
    return lambda line: is_answer_below(rules, keys, line)


def is_answer_below(rules: RuleSet, keys: Sequence[str], line: str) -> bool:
    """Return True if a line below an address is meant as answers or as a standing order.

    Other lines are prose. An answer that no question has, such as `place 7H please`, is meant as an answer.
    """
    if not is_order_line(line):
        return is_answer_line(rules, keys, line)
    if not CONDITION.match(line):
        return bool(nearest(line.split()[1].strip(".!,").casefold(), RANKS))
    when, _, wanted = line.partition(":")
    question_names = [ANY, *question_words(rules)]
    word = when.split()[1].strip(",").casefold()
    is_question = word in question_names or bool(nearest(word, question_names))
    return is_question or all(names_move(rules, keys, part) for part in wanted.split("|"))


def is_answer_line(rules: RuleSet, keys: Sequence[str], line: str) -> bool:
    """Return True if all parts of a line are clearly meant as answers, such as `the king, please`."""
    parts = [JOINING.sub("", part, count=1) for part in parts_of(line)]
    return bool(parts) and all(names_move(rules, keys, part) for part in parts)


def answers_between_commas(rules: RuleSet, keys: Sequence[str], text: str) -> list[str]:
    """Return the answers in a text if commas separate them, such as `10C, then 9C`, or an empty list."""
    parts = [JOINING.sub("", part.strip(), count=1) for part in text.split(",")]
    is_list = len(parts) > 1 and all(names_move(rules, keys, part) for part in parts)
    return parts if is_list else []


def is_further_answer(rules: RuleSet, keys: Sequence[str], line: str) -> bool:
    """Return True if a line below another answer is meant as answers. A single letter is a signature."""
    return INITIAL.fullmatch(line) is None and is_answer_line(rules, keys, line)


def names_move(rules: RuleSet, keys: Sequence[str], text: str) -> bool:
    """Return True if a text can be an answer: the beginning of a move, or its verb with a card or a number.

    A text of only cards and numbers is a move, too. If cards are ranks, it can have their names.
    """
    text = without_courtesy(text)
    text = with_short_ranks(text) if number_mark(rules) else text
    tokens = text.casefold().split()
    words = [word for word in SEPARATORS.split(text) if word]
    cards = [NUMBER.fullmatch(word) is not None or is_card(word, rules) for word in words]
    forms = [form.split() for form in rules.forms if not form.startswith(f"{FATE} ")]
    if not tokens or not words:
        return False
    if tokens[0] not in {form[0] for form in forms}:
        return all(cards)
    has_number = any(char.isdigit() for word in words[1:] for char in word)
    return has_number or any(cards[1:]) or any(begins_form(form, tokens, rules, keys) for form in forms)


def begins_form(form: Sequence[str], tokens: Sequence[str], rules: RuleSet, keys: Sequence[str]) -> bool:
    """Return True if a move of this form (see `core.spelling`) can begin with the words in `tokens`."""
    repeated = [form[-1]] * (len(tokens) - len(form)) if form[-1].endswith(MORE) else []
    kinds = [*form, *repeated]
    return 0 < len(tokens) <= len(kinds) and all(
        is_a(kind.removesuffix(MORE), word, rules, keys) for kind, word in zip(kinds, tokens, strict=False)
    )

"""Standing orders: a player's answers to kinds of questions, written in advance.

A line is `WHEN: A | B | C`. If a question matches WHEN, the side gives the first legal answer of A, B and C.
WHEN is the name of a question or `any`, and can have conditions, as in `special space 3 behind: pass`. The
first line that matches and has a legal answer applies. If no line applies, the commander in a last line
`else COMMANDER` answers. Without such a last line, the side's commander answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.commanders import rank_error
from cardbattle.core.errors import Diagnostic, InvalidInput, TextDiagnostic
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.core.referee import Commander, Seat, comparable
from cardbattle.core.spelling import FATE, is_card, number_mark, with_short_ranks, without_courtesy

if TYPE_CHECKING:
    from cardbattle.core.battle import View
    from cardbattle.core.ruleset import RuleSet

ANY = "any"
ELSE = "else"
NOTHING = -1
LONGEST = 60  # maximum number of lines in the standing orders of a side


class StandingLine(NamedTuple):
    """One line of standing orders: the question, the conditions, and the answers in order of preference.

    The first word of an answer is "" if the answer lacks its verb, as `Q` does for `commit Q`.
    """

    question: str
    conditions: list[str]
    choices: list[list[str]]


def read_standing(lines: Sequence[str], rules: RuleSet) -> list[StandingLine]:
    """Parse standing orders. The caller must have removed a last line `else COMMANDER`.

    Raises InvalidInput with the line and column of each error.
    """
    lines_read, errors = [], list[Diagnostic]()
    for place, line in enumerate(lines[:LONGEST]):
        try:
            if not is_else(line):
                lines_read.append(read_line(line, rules))
            else:
                check_else(line, is_last=place == len(lines) - 1)
        except InvalidInput as refused:
            errors += [TextDiagnostic(error.text, column_of(error), (place,)) for error in refused.errors]
    if len(lines) > LONGEST:
        errors.append(
            TextDiagnostic(
                f"there are {len(lines)} standing orders; at most {LONGEST} are allowed", 1, (LONGEST,)
            )
        )
    if errors:
        raise InvalidInput(errors)
    return lines_read


def column_of(error: Diagnostic) -> int:
    """Return the column of an error in its line, counted from 1."""
    return error.column if isinstance(error, TextDiagnostic) else 1


def is_else(line: str) -> bool:
    return line.split()[:1] == [ELSE] or line.casefold().startswith(f"{ELSE} ")


def else_of(lines: Sequence[str]) -> str:
    """Return the commander that a last line `else COMMANDER` names.

    Return "" if the last line has another form.

    >>> else_of(["counter: pass", "else veteran"]), else_of(["counter: pass"])
    ('veteran', '')
    """
    return lines[-1].split(None, 1)[1].strip().casefold() if lines and is_else(lines[-1]) else ""


def check_else(line: str, is_last: bool) -> None:
    """Check a line `else COMMANDER`.

    Raises InvalidInput if the commander is missing or another line follows.
    """
    word = line.partition(" ")[2].strip().casefold()
    error = rank_error(word, orders=False)
    if error:
        raise InvalidInput([TextDiagnostic(error, len(line) - len(line[len(ELSE) :].lstrip()) + 1)])
    if not is_last:
        raise InvalidInput(
            [TextDiagnostic(f"{ELSE} must be the last line; lines after it would never be used")]
        )


def read_line(line: str, rules: RuleSet) -> StandingLine:
    """Parse one line of standing orders. Raises InvalidInput if the line is not valid."""
    when, colon, wanted = line.partition(":")
    if not colon:
        raise InvalidInput(
            [TextDiagnostic(f"expected WHEN: A | B, such as {example_line(rules)}; or {ELSE} COMMANDER")]
        )
    question, conditions = read_when(when, rules)
    choices, column = [], len(when) + 2
    for part in wanted.split("|"):
        lead = column + len(part) - len(part.lstrip())
        choices.append(read_choice(part, lead, rules))
        column += len(part) + 1
    return StandingLine(question, conditions, choices)


def question_words(rules: RuleSet) -> list[str]:
    """Return the names by which standing orders refer to a rule set's questions."""
    return [lesson.word for lesson in rules.lessons.values() if lesson.word]


def example_line(rules: RuleSet) -> str:
    form = next((form for form in rules.forms if not form.startswith(FATE)), "pass")
    return f"{(question_words(rules) or [ANY])[-1]}: {form}"


def read_when(when: str, rules: RuleSet) -> tuple[str, list[str]]:
    """Parse the part of a line before the colon into a question and its conditions.

    Raises InvalidInput if this part is not valid.
    """
    tokens, columns = words_at(when)
    question_names = [ANY, *question_words(rules)]
    if not tokens or tokens[0] not in question_names:
        hint = nearest(tokens[0], question_names) if tokens else ""
        error = (
            f"{quoted(tokens[0])} is not a question of {rules.name}" if tokens else "a question is missing"
        )
        error += hint or f"; the questions are {listed(question_names)}"
        raise InvalidInput([TextDiagnostic(error, columns[0] if tokens else 1)])
    conditions, at = list[str](), 1
    while at < len(tokens):
        condition = tokens[at] if tokens[at] in rules.conditions else " ".join(tokens[at : at + 2])
        word, _, number = condition.partition(" ")
        if condition not in rules.conditions and not (f"{word} N" in rules.conditions and is_number(number)):
            known_facts = listed(rules.conditions) or "none"
            error = f"{quoted(word)} is not a condition of {rules.name}{nearest(word, rules.conditions)}"
            raise InvalidInput([TextDiagnostic(f"{error}; the conditions are {known_facts}", columns[at])])
        conditions.append(condition)
        at += len(condition.split())
    return tokens[0], conditions


def words_at(text: str) -> tuple[list[str], list[int]]:
    """Split a text into lower-case words. Return the words, and the column of each word.

    Commas and the word "and" are left out.

    >>> words_at(" special, space 3 and behind")
    (['special', 'space', '3', 'behind'], [2, 11, 17, 23])
    """
    tokens, columns, at = [], [], 0
    for part in text.replace(",", " ").split():
        at = text.index(part, at)
        if part.casefold() != "and":
            tokens.append(part.casefold())
            columns.append(at + 1)
        at += len(part)
    return tokens, columns


def is_number(text: str) -> bool:
    """Return True if a text is a number of at most five ASCII digits."""
    return text.isascii() and text.isdigit() and len(text) < 6


def read_choice(part: str, column: int, rules: RuleSet) -> list[str]:
    """Split one answer of standing orders into words.

    The words are normalised, so that answers can be compared. If the answer begins with a card, the first
    word in the result is "", which matches every verb.

    If no answer of the game begins with the first word, raises InvalidInput.
    """
    part = without_courtesy(part)
    tokens = comparable(with_short_ranks(part) if number_mark(rules) else part).split()
    verbs = list(dict.fromkeys(form.split()[0] for form in rules.forms if not form.startswith(f"{FATE} ")))
    if not tokens:
        raise InvalidInput([TextDiagnostic("an answer is missing here; remove the text before it", column)])
    if verbs and tokens[0] not in verbs and all(is_card(card, rules) for card in tokens[0].split("+")):
        return ["", *tokens]
    if verbs and tokens[0] not in verbs:
        hint = nearest(tokens[0], verbs) or f"; answers begin with {listed(verbs, 'or')}"
        raise InvalidInput([TextDiagnostic(f"no answer begins with {quoted(tokens[0])}{hint}", column)])
    return tokens


def standing_choice(orders: Sequence[StandingLine], rules: RuleSet, view: View, texts: Sequence[str]) -> int:
    """Return the index of the option that standing orders choose, or NOTHING if no line matches.

    `texts` has the text of each option.
    """
    return matching_line(orders, rules, view, texts)[1]


def matching_line(
    orders: Sequence[StandingLine], rules: RuleSet, view: View, texts: Sequence[str]
) -> tuple[int, int]:
    """Return the index of the first matching line, and the index of the option that the line chooses.

    If no line matches, both returned indices are NOTHING.
    """
    lesson = rules.lessons.get(view.question)
    word = lesson.word if lesson is not None else ""
    fitting = [number for number, line in enumerate(orders) if line.question in (word, ANY)]
    held = rules.true_conditions(view) if fitting else []
    offered = [comparable(text).split() for text in texts] if fitting else []
    for number in fitting:
        line = orders[number]
        if all(condition in held for condition in line.conditions):
            place = first_on_offer(line.choices, offered)
            if place != NOTHING:
                return number, place
    return NOTHING, NOTHING


def first_on_offer(choices: Sequence[list[str]], offered: Sequence[list[str]]) -> int:
    """Return the index of the option that matches the most preferred choice, or NOTHING if none matches."""
    for choice in choices:
        for place, tokens in enumerate(offered):
            start = 0 if choice[0] else 1
            if tokens[start : len(choice)] == choice[start:]:
                return place
    return NOTHING


class StandingOrders(Commander):
    """A commander that follows standing orders. If no line matches, another commander answers."""

    def __init__(self, lines: Sequence[str], rules: RuleSet, then: Commander) -> None:
        """Parse the lines of the standing orders.

        If no line matches a question, `then` answers it. Raises InvalidInput if a line is not valid.
        """
        self.orders = read_standing(lines, rules)
        self.rules = rules
        self.then = then

    def answer(self, seat: Seat) -> int:
        """Return the option that the standing orders choose.

        If no line matches, ask the other commander. If the other commander raises an error, the method
        raises the same error.
        """
        place = standing_choice(self.orders, self.rules, seat.view, seat.texts)
        return self.then.answer(seat) if place == NOTHING else place


def with_standing(lines: Sequence[str], rules: RuleSet, commander: Commander) -> Commander:
    """Return a commander that follows standing orders, and asks `commander` if no line matches.

    Raises InvalidInput if a line is not valid.
    """
    return StandingOrders(lines, rules, commander) if lines else commander

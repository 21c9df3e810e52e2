"""Read the answers in a mail, and find the lines that can be answers but are not read.

A reply that quotes exactly one address answers its question. An unquoted line counts if it is clearly meant
as an answer, as on the line below an address.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import (
    ADDRESS,
    BARE_ADDRESS,
    BULLETS,
    ENDING,
    INITIAL,
    LONGEST,
    LONGEST_SEALED,
    MARKUP,
    MOST_ANSWERS,
    WHEN,
    Answer,
    RejectedAnswer,
    answers_in_lines,
    is_order_line,
    parts_of,
    place_of,
    split_answers,
    trim,
    without_bullet,
)
from cardbattle.battles.messages.pasted_text import MOST_LINES, PlainLine, plain_lines, unquoted_lines
from cardbattle.battles.messages.side_names import FindSide, with_side_keys
from cardbattle.battles.messages.wrapped_answers import (
    NUMBER,
    answer_test,
    is_answer_below,
    is_answer_line,
    is_further_answer,
    is_meant,
    names_move,
)
from cardbattle.battles.session import Session
from cardbattle.commanders import RANKS
from cardbattle.commanders.standing import question_words
from cardbattle.core.errors import MOST
from cardbattle.core.names import quoted
from cardbattle.core.referee import comparable
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.spelling import RANK_NAMES, is_card
from cardbattle.files.errors import PlacedDiagnostic

LONG_WORD = 5  # letters: longer than the words before an answer, such as `and` and `the`
PROGRAM_LINE = "Answer after the colon"  # the beginning of a line above the address in a message
LOOSE_WHEN = re.compile(
    r"(?:p\.?\s?s\.?\s*[:,]?\s*)?(?:and\s+|also\s+)?(?:when|whenever|if)\s+(?:asked\s+(?:to|for)\s+)?([\w-]+)\b[\s:,-]*(.*)",
    re.IGNORECASE,
)
LOOSE_ELSE = re.compile(
    r"(?:or\s+)?(?:else|otherwise|anything\s+else)[\s:,-]+(?:a\s+|the\s+)?([a-z]+)(?:\s+commander)?\W*",
    re.IGNORECASE,
)
SEPARATED = re.compile(r"(?:[\s:,]+(?:-\s+)?(?:(?:and|then)\b[\s:,]*)*)")  # between the words of an order
CORRECTION = re.compile(
    r"^(?:(?:sorry|oops|no|wait|correction|rather|instead|actually|better|i\s+meant?|make\s+(?:that|it))\b[\s,:.!-]*){1,3}",
    re.IGNORECASE,
)
GREETING = re.compile(
    r"(?:dear|hello|hi|hey|hej|hallo|good\s+(?:morning|evening|day)|ok|okay|yes|well|sorry|thanks|thank\s+you)\b"
    r"[^,.!?:;]{0,40}(?:[,.!]\s*|$)",
    re.IGNORECASE,
)  # at the beginning of a line
HEADING = re.compile(r"[^.!?;]*:")  # such as "My orders are:", without a sentence before it
ASKING = re.compile(r"\w[\"')*_]*\?(?!\w)")  # not a hidden card in a table of the message
NOTABLE = re.compile(
    r"\?|@|^\W*[\w/-]+\s?[#:]|^\W*(?:[A-Za-z]+|[\w-]+\s\d+:)\s+#?[0-9A-Z]{1,3}\b|^\W*(?:\d\W+)?(?:when|else)\s",
    re.IGNORECASE,
)  # can ask, or be an answer that is misspelt or has a wrong address
NEAR_ADDRESS = re.compile(
    r"[^@]{0,160}@|(?:[a-z0-9][\w-]*/)?(?P<side>[a-z0-9][\w-]*)(?:\s?#|\s?(?=:)|\s(?=\d))", re.IGNORECASE
)
SEPARATOR = re.compile(r"[:;,.=]\s*")  # between the number of a question and the answer
MOST_SEPARATORS = 4
NO_COLON_ADDRESS = re.compile(rf"^\W*{BARE_ADDRESS.pattern}", re.IGNORECASE)
ASKING_REMARK = re.compile(r"[(\[][^()\[\]]*\?[^()\[\]]*[)\]]")  # a question in brackets behind an answer
NEAR_VERB = 0.75  # how similar a misspelt verb must be, for difflib
SIGNATURE = "--"  # the line that mail programs write above a signature
REMARK = re.compile(r"[(\[].*[)\]]")  # a whole line in brackets


class Mail(NamedTuple):
    """The answers in a mail, the errors in addresses and lines that are not clear, and other lines."""

    answers: list[Answer]
    unclear: list[RejectedAnswer]
    for_umpire: Sequence[LineForUmpire] = ()


class LineForUmpire(PlacedDiagnostic):
    """A line that only the umpire reads: a question, or a misspelt answer. It rejects no answer."""


class UnusedLine(RejectedAnswer):
    """The error of a line that can be an answer, but is not read as one."""

    def __init__(self, line: PlainLine, answer: Answer, step: str) -> None:
        place = f"behind {answer.label}:" if answer.side else "behind its address"
        place += f", {step}" if step else ""
        text = f"{quoted(line.bare)} is not clear as an answer; write it {place}"
        super().__init__(text, [answer], answer.column)
        self.unread, self.step = line, step

    def after(self, session: Session) -> RejectedAnswer:
        """Return the error with the question that is current after the valid answers of the same mail."""
        [answer] = self.answers
        if answer.side not in session.keys:
            return self
        place = session.place(session.keys.index(answer.side))
        return UnusedLine(self.unread, answer._replace(place=place), self.step)


def read_mail(session: Session, file: str, text: str, find: FindSide) -> Mail:
    """Return the answers in the text of a mail. `find` returns the side that a name in an address means.

    If the mail has no answers except standing orders, an answer outside its only quotation counts. Raises
    InvalidInput if the text is too long or has too many answers.
    """
    rules, keys = session.rules, session.keys
    lines = plain_lines(file, text)
    in_lines = answers_in_lines(file, lines, answer_test(rules, keys))
    found, unclear = with_side_keys(in_lines, keys, find)
    answers = [answer for answer in found if is_meant(rules, keys, answer)]
    if not unclear and all(answer.is_standing for answer in answers):
        reply = answers_in_reply(session, file, lines)
        answers = [*(answer for answer in reply if not answer.is_standing), *answers] if answers else reply
    unused = [*unused_lines(session, lines, answers)]
    unclear += unused or replaced_lines(session, lines, answers)
    read = {answer.line for answer in answers}
    wrong = {error.line for error in unclear}
    notable = {line.number for line in lines if NOTABLE.search(line.text)} - wrong
    outside = lines_outside_message(lines) if notable else []
    own_lines = islice((line for line in outside if line.number in notable), MOST_ANSWERS)
    texts = (
        (line, text_for_umpire(rules, keys, line.bare, is_read=line.number in read)) for line in own_lines
    )
    notes = (LineForUmpire(text, file=file, line=line.number) for line, text in texts if text)
    return Mail(answers, unclear, [*islice(notes, MOST)])


def lines_outside_message(lines: Sequence[PlainLine]) -> list[PlainLine]:
    """Return the sender's own lines above the signature, without those of a copied message."""
    own_lines = [*takewhile(lambda line: line.bare != SIGNATURE, unquoted_lines(lines))]
    begin = next((n for n, line in enumerate(own_lines) if "@" in line.bare), 0)
    end = max((n for n, line in enumerate(own_lines) if is_address(line)), default=0)
    is_message = any(line.bare.startswith(PROGRAM_LINE) for line in own_lines[begin:end])
    return own_lines[:begin] + own_lines[end if is_message else begin :]


def text_for_umpire(rules: RuleSet, keys: Sequence[str], text: str, *, is_read: bool) -> str:
    """Return what the umpire reads about a line that asks something or is a misspelt answer, or "".

    On a line that is read as an answer, only a question in brackets counts.
    """
    asked = (ASKING_REMARK if is_read else ASKING).search(text)
    answer_text = without_bullet(NO_COLON_ADDRESS.sub("", text[:LONGEST], count=1))
    if asked and (is_read or not is_answer_line(rules, keys, answer_text)):
        question = asked[0] if is_read else text
        return f"{quoted(question, LONGEST)} is a question, not an answer; answer it yourself"
    is_answer = is_misspelt_answer(rules, answer_text) or has_wrong_address(rules, keys, text[:LONGEST])
    if not is_read and (
        is_answer or (is_order_line(answer_text) and is_answer_below(rules, keys, answer_text))
    ):
        return f"{quoted(text, LONGEST)} is not read; if it is an answer, ask the player for it again"
    return ""


def is_misspelt_answer(rules: RuleSet, text: str) -> bool:
    """Return True if a line begins with a misspelt verb of answers, before a card or a number."""
    first, second, *_ = [*text.split(maxsplit=2), "", ""]
    verb, card = first.casefold(), second.strip(ENDING)
    verbs = {form.split()[0] for form in rules.forms}
    if verb in verbs or not (NUMBER.fullmatch(card) or is_card(card, rules)):
        return False
    return bool(get_close_matches(verb[:LONGEST], verbs, 1, NEAR_VERB))


def has_wrong_address(rules: RuleSet, keys: Sequence[str], text: str) -> bool:
    """Return True if an answer follows an address that the program cannot read, such as `north@2;3`.

    The address of a mailbox is none, and a word without `@` must be the key of a side.
    """
    address = NEAR_ADDRESS.match(text.lstrip(BULLETS))
    if address is None or (address["side"] and address["side"].casefold() not in (*keys, "question")):
        return False
    after_address = address.string[address.end() :]
    starts = islice((separator.end() for separator in SEPARATOR.finditer(after_address)), MOST_SEPARATORS)
    return any(is_further_answer(rules, keys, after_address[start:]) for start in starts)


def replaced_lines(
    session: Session, lines: Sequence[PlainLine], answers: Sequence[Answer]
) -> Iterator[RejectedAnswer]:
    """Yield an error for the first line that can be the answer, which standing orders would replace.

    The mail has only standing orders of one side, for its open question. If the address stands alone, any
    text above the last order can be the answer, except a greeting, a remark in brackets and a heading.
    Otherwise, and directly below the orders, the line must begin like an answer.
    """
    if not all(answer.is_standing for answer in answers) or len({answer.side for answer in answers}) != 1:
        return
    base = answers[0]
    seats = [seat for seat in session.seats_to_answer if session.keys[seat] == base.side]
    if not seats or session.place(seats[0]) != base.place:
        return
    is_reply = any(map(is_empty_address, lines))
    verbs = {form.split()[0] for form in session.rules.forms}
    last = max(answer.line for answer in answers)
    orders = {answer.line for answer in answers}
    end = next((line.number for line in lines if line.number > last and not line.bare), MOST_LINES)
    for line in unquoted_lines(lines):
        text = without_greetings(CORRECTION.sub("", without_bullet(line.bare)))
        is_passed = line.number in orders or line.number > end or REMARK.fullmatch(line.bare)
        if not text or "@" in text or is_passed or is_order_line(text):
            continue
        is_text = is_reply and line.number < last and HEADING.fullmatch(text) is None
        if is_text or begins_like_answer(session.rules, verbs, text):
            yield unused_line(line, base, "or write remarks in brackets")
            return


def without_greetings(text: str) -> str:
    """Remove the greetings at the beginning of a line.

    >>> without_greetings("Hi Ann, thanks for the map. 3"), without_greetings("Dear Umpire,")
    ('3', '')
    """
    while (greeting := GREETING.match(text)) is not None:
        text = text[greeting.end() :]
    return text


def begins_like_answer(rules: RuleSet, verbs: Container[str], text: str) -> bool:
    """Return True if the first word of a line is a number, a card or a verb of answers."""
    first = text.split(maxsplit=1)[0].strip(ENDING)
    is_answer = first.casefold() in verbs or NUMBER.fullmatch(first) or is_card(first, rules)
    return bool(is_answer) and INITIAL.fullmatch(text) is None


def unused_lines(
    session: Session, lines: Sequence[PlainLine], answers: Sequence[Answer]
) -> Iterator[RejectedAnswer]:
    """Yield an error for each line of the sender that can be an answer, but is not one of these answers.

    If only standing orders follow an empty address, any text below it can be the answer that they would
    replace. The lines directly below an answer are checked together with the answer.
    """
    if not answers:
        return
    used = {comparable(text) for answer in answers for text in used_words(answer)}
    own_depth = min(answer.depth for answer in answers)
    answered = {answer.side for answer in answers if not answer.is_standing}
    are_of_one = len({answer.side for answer in answers}) == 1
    is_message = any(line.text.lstrip(" >").startswith(PROGRAM_LINE) for line in lines)  # copied as a whole
    top = next((line.depth for line in lines if is_address(line)), 0) if is_message else MOST_LINES
    in_order = sorted(answers, key=lambda answer: answer.line)
    verbs = {form.split()[0] for form in session.rules.forms}
    base, below, order, left = answers[0], 0, "", MOST_ANSWERS
    for line in lines:
        if is_address(line):
            at = bisect_left(in_order, line.number, key=lambda answer: answer.line)
            base, top = (in_order[at] if at < len(in_order) else base), MOST_LINES
            below = line.number + 2 if is_empty_address(line) and base.side not in answered else 0
            order = line.text if WHEN.search(line.text) else ""
            continue
        depth = line.depth if ">" in line.text else 0
        text = without_bullet(line.bare)
        if not text or "@" in text or depth > own_depth or depth >= top:
            order = order if text else ""
            continue
        is_wrapped = bool(order) and ("|" in text or order.endswith(("|", ":")))
        order = text if is_wrapped or is_order_line(text) else ""
        is_below, below = line.number <= below, 0
        if not order and len(text) <= LONGEST and (loose := loose_order(session.rules, session.keys, text)):
            yield unclear_order(line, base, loose)
            continue
        text, is_correction = CORRECTION.sub("", text), CORRECTION.match(text) is not None
        if order or len(text) > LONGEST or not (is_below or can_begin_answer(verbs, text)):
            continue
        left -= 1
        is_answer = left >= 0 and is_further_answer(session.rules, session.keys, text)
        is_prose = GREETING.fullmatch(text) is not None or text.endswith(":")
        is_used = is_answer and used.issuperset(map(comparable, parts_of(text)))
        if not ((is_answer and not is_used and not is_table_row(text)) or (is_below and not is_prose)):
            continue
        if is_correction and (corrected := corrected_answers(line, in_order)):
            yield correction(line, corrected)
        else:
            yield unused_line(line, base if are_of_one or is_below else base._replace(side=""))


def corrected_answers(line: PlainLine, in_order: Sequence[Answer]) -> list[Answer]:
    """Return the answers that a line such as `sorry, make that 3` can correct: those of the nearest line.

    They are above the line if possible. `in_order` are the answers of the mail, sorted by line.
    """
    plain = [answer for answer in in_order if not (answer.is_standing or answer.is_sealed)]
    above = [answer.line for answer in plain if answer.line < line.number]
    nearest_line = (above[-1:] or [answer.line for answer in plain[:1]] or [0])[0]
    return [answer for answer in plain if answer.line == nearest_line]


def correction(line: PlainLine, corrected: Sequence[Answer]) -> RejectedAnswer:
    """Return the error for a line that can correct these answers, which rejects them too."""
    base, last = corrected[0], corrected[-1]
    answer = unread_answer(line, base)
    several = f" to {last.label}" if len(corrected) > 1 else ""
    text = f"{quoted(line.bare)} can correct {base.label}{several}, so neither counts"
    step = f"write only the answer that you mean, behind {base.label}:"
    return RejectedAnswer(f"{text}; {step}", [*corrected, answer], answer.column)


def loose_order(rules: RuleSet, keys: Sequence[str], line: str) -> str:
    """Return a line that is meant as a standing order, in the right form, or "" for any other line.

    Such a line has another word than `when` or `else`, no colon, or words before it.
    """
    last = LOOSE_ELSE.fullmatch(line)
    if last and last[1].casefold() in RANKS:
        return f"else {last[1].casefold()}"
    match = LOOSE_WHEN.match(line)
    if match is None or match[1].casefold() not in question_words(rules):
        return ""
    parts = SEPARATED.split(match[2])
    conditions = {word.split()[0] for word in rules.conditions}
    skipped = len([*takewhile(lambda part: part.casefold() in conditions or part.isdigit(), parts)])
    wanted = " ".join(parts[skipped:])
    is_move = bool(wanted) and names_move(rules, keys, wanted.partition("|")[0])
    return f"when {' '.join([match[1], *parts[:skipped]])}: {wanted}" if is_move else ""


def unclear_order(line: PlainLine, base: Answer, order: str) -> RejectedAnswer:
    """Return the error for a line that is meant as the standing order `order`."""
    column = line.text.find(line.bare) + 1
    answer = base._replace(words=order, line=line.number, column=column, source=line.text, whole=0)
    return answer.wrong(f"{quoted(line.bare)} is not clear as a standing order; write {order}")


def can_begin_answer(verbs: Container[str], text: str) -> bool:
    """Return True unless the first word is a long word that no answer has there. This test is fast.

    >>> can_begin_answer({"play"}, "play KH"), can_begin_answer({"play"}, "hello there")
    (True, False)
    """
    first = text.split(maxsplit=1)[0].casefold()
    return len(first) < LONG_WORD or not first.isalpha() or first in verbs or first in RANK_NAMES


def unused_line(line: PlainLine, base: Answer, step: str = "") -> UnusedLine:
    """Return the error for a line that is not read as the answer to the question of `base`.

    The side of `base` is "" if the sender is unknown. `step` is another thing to do.
    """
    return UnusedLine(line, unread_answer(line, base), step)


def unread_answer(line: PlainLine, base: Answer) -> Answer:
    """Return a line as an answer to the question of `base`."""
    column = line.text.find(line.bare) + 1
    return base._replace(words=trim(line.bare), line=line.number, column=column, source=line.text, whole=0)


def used_words(answer: Answer) -> Iterator[str]:
    """Yield the words of an answer, and those on the lines below it."""
    yield answer.words
    for line in answer.below:
        yield from parts_of(line)


def is_address(line: PlainLine) -> bool:
    """Return True if a line has the address of a question, and is not a sentence that mentions a question."""
    text = line.text[:LONGEST]
    return "@" in text and bool(ADDRESS.search(text) or BARE_ADDRESS.fullmatch(text.strip(MARKUP + ENDING)))


def is_empty_address(line: PlainLine) -> bool:
    """Return True if a line ends with the address of a question."""
    *_, last = [None, *ADDRESS.finditer(line.text[:LONGEST])]
    return last is not None and not line.text[last.end() :].strip(MARKUP + ENDING)


def is_table_row(text: str) -> bool:
    """Return True if a line has several cards or numbers without a verb, as a table of the message has.

    >>> is_table_row("3  K  10"), is_table_row("commit K 10"), is_table_row("9S; KH"), is_table_row("a ten")
    (True, False, False, False)
    """
    cards = [word for word in trim(text).split() if word.isupper() or word.isdigit()]
    return len(cards) > 1 and ";" not in text and re.match("[a-z]{3}", text, re.IGNORECASE) is None


def answers_in_reply(session: Session, file: str, lines: Sequence[PlainLine]) -> list[Answer]:
    """Return the answers and the standing orders in a reply that quotes exactly one address.

    The result is empty if the addressed question is not open, or if several lines can be the answer.
    """
    base = quoted_question(session, file, lines)
    if base is None:
        return []
    own_lines = [line for line in unquoted_lines(lines) if len(line.text) <= LONGEST_SEALED]
    answers: list[list[Answer]] = []
    standing: list[Answer] = []
    for line in own_lines:
        answer_text = without_bullet(GREETING.sub("", line.bare.lstrip(MARKUP), count=1))
        at = base._replace(
            depth=0, line=line.number, column=line.text.find(answer_text) + 1, source=line.text
        )
        if is_order_line(answer_text) and is_answer_below(session.rules, session.keys, answer_text):
            standing.append(at._replace(words=trim(answer_text)))
        elif is_answer_line(session.rules, session.keys, answer_text) and (
            len(own_lines) == 1 or not INITIAL.fullmatch(answer_text)
        ):
            answers.append([*split_answers(at, answer_text)])
    return [*(answers[0] if answers else ()), *standing] if len(answers) < 2 else []


def quoted_question(session: Session, file: str, lines: Sequence[PlainLine]) -> Answer | None:
    """Return an Answer without text for the only address in a reply, or None.

    The address must be quoted, with nothing after it, and belong to an open question.
    """
    addresses = [(line, address) for line in lines for address in ADDRESS.finditer(line.text[:LONGEST])]
    questions = {(address["side"].lower(), place_of(address)) for _, address in addresses}
    if len(questions) != 1:
        return None
    line, address = addresses[0]
    [(side, place)] = questions
    is_ours = (address["battle"] or "").lower() in ("", session.plan.id)
    seats = [seat for seat in session.seats_to_answer if session.keys[seat] == side]
    is_open = bool(seats) and session.place(seats[0]) == place
    below_message = {line.number for above, line in pairwise(lines) if above.depth}
    is_bare = all(
        (line.depth or line.number in below_message) and not line.text[address.end() :].strip(MARKUP + ENDING)
        for line, address in addresses
    )
    if not (is_ours and is_open and is_bare):
        return None
    return Answer(
        (address["battle"] or "").lower(), side, place, "", line.depth, file, line.number, 1, line.text
    )


def unread_text(session: Session, file: str, text: str) -> str:
    """Return the line of a reply that can be the answer, or "" if the text quotes no open question.

    This is the line with the most cards and numbers, or otherwise the first one that is no greeting.
    """
    lines = plain_lines(file, text)
    if quoted_question(session, file, lines) is None:
        return ""
    own_lines = [line.bare for line in unquoted_lines(lines) if without_greetings(line.bare)]
    return max(own_lines, key=lambda line: count_cards(session.rules, line), default="")


def count_cards(rules: RuleSet, text: str) -> int:
    """Return how many words of a line are cards or numbers. Cards joined with a plus sign are one word."""
    words = (word.strip(ENDING).partition("+")[0] for word in text[:LONGEST].split())
    return sum(bool(NUMBER.fullmatch(word)) or is_card(word.upper(), rules) for word in words)

"""Join the lines into which a mail program has wrapped an order, a question or a request."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from cardbattle.battles.messages.answer_text import MARKUP
from cardbattle.battles.messages.pasted_text import PlainLine
from cardbattle.campaign.exchange.orders.addresses import LONGEST
from cardbattle.campaign.exchange.orders.decision.findings import MOST_WRAPPED, WRAPPED
from cardbattle.campaign.exchange.orders.requests import is_deal
from cardbattle.campaign.exchange.orders.sentences import FormLine, SentenceReader, completed
from cardbattle.campaign.exchange.orders.words import (
    ASKING,
    OPEN_CONDITION,
    QUESTION_BEGINS,
    SENTENCE_END,
    SENTENCE_SIGN,
    VERB_FORMS,
)
from cardbattle.campaign.ledger.roster import WORD

LINKING_END = re.compile(r"\b(?:an?|the|our|my|to|of|with|for|from|by|and)$", re.IGNORECASE)  # of a line


class WrappedLines:
    """Joins the lines of a message. Those in `skipped` belong to no other line."""

    def __init__(
        self, sentences: SentenceReader, lines: Sequence[PlainLine], skipped: Collection[str]
    ) -> None:
        self.sentences = sentences
        self.parser = sentences.lines
        self.lines = lines
        self.skipped = skipped

    def with_lines_below(self, index: int, form: FormLine | None) -> tuple[PlainLine, int]:
        """Return a line with the lines below it on which its text continues, and the index of the last one.

        `form` is the line above, if it is one.
        """
        line, begin = self.joined_orders(index)
        if begin > index:
            return line, begin
        line, begin = self.joined_sentence(index)
        for last in range(begin, len(self.lines) - 1):
            below = self.lines[last + 1]
            is_next = below.number == self.lines[last].number + 1 and below.bare not in self.skipped
            if not (is_next and below.depth == line.depth and self.is_completed_by(line, below.bare, form)):
                return line, last
            line = PlainLine(line.number, f"{line.text.rstrip()} {below.bare}")
        return line, len(self.lines) - 1

    def is_completed_by(self, line: PlainLine, below: str, form: FormLine | None) -> bool:
        """Return True if the order on a line, perhaps of the form above it, is complete only with a text."""
        text = line.bare
        if form and self.sentences.continues(form, line, text):
            text = f"{form.words}: {completed(form.order, text)}"
        return self.parser.completed_by(text, below) or self.parser.is_name_with(text, below)

    def own_below(self, index: int) -> Iterator[tuple[int, str]]:
        """Yield the index and the text of each unquoted line that can belong to the sentence on a line."""
        for last, below in enumerate(self.lines[index + 1 : index + 1 + MOST_WRAPPED], index + 1):
            if below.depth or not below.bare or below.bare in self.skipped:
                return
            yield last, below.bare

    def joined_orders(self, index: int) -> tuple[PlainLine, int]:
        """Return a line with those below it into which its sentences are wrapped, and the last one's index.

        All sentences can be read, at least one is an order, and a sentence continues on each line below.
        """
        line, text = self.lines[index], self.lines[index].text.rstrip()
        is_short = len(text) < WRAPPED and self.sentences.is_whole(line, text)
        if line.depth or is_short or not self.parser.has_name_word(text):
            return line, index
        joined = line, index
        for last, below in self.own_below(index):
            is_open = not text.endswith((".", "!", "?", ";", ":")) and ":" not in below
            if not is_open or self.lines[last].number != self.lines[last - 1].number + 1:
                break
            text = f"{text} {below}"
            if self.sentences.is_whole(line, text):
                joined = PlainLine(line.number, text), last
        return joined

    def joined_sentence(self, index: int) -> tuple[PlainLine, int]:
        """Return a line with the lines below it up to the end of its sentence, and the index of the last one.

        The sentence is a question or a request. A line that is only a condition, such as `If York is free,`,
        is joined with the line below it.
        """
        line = self.lines[index]
        is_question = self.begins_question(line.bare)
        if not line.depth and not is_question and self.begins_request(line.bare):
            return self.joined_request(index)
        if line.depth or not (is_question or self.is_condition(line.bare)):
            return line, index
        text = line.text.rstrip()
        for last, below in self.own_below(index):
            sign = SENTENCE_SIGN.search(below)
            if sign and sign[0] in (":", ";"):
                break
            text = f"{text} {below}"
            is_end = sign is not None and sign[0] == "?" if is_question else not self.is_condition(text)
            if is_end:
                return PlainLine(line.number, text), last
            if sign:
                break
        return line, index

    def joined_request(self, index: int) -> tuple[PlainLine, int]:
        """Return a line with the lines on which its request continues, and the index of the last one.

        Such a line has no colon and no order, and begins with a small letter or a digit, unless the line
        above it is as long as a wrapped line or ends with a word such as `to`.
        """
        line, end = self.lines[index], index
        text = line.text.rstrip()
        for last, below in self.own_below(index):
            is_next = below[:1].islower() or below[:1].isdigit()
            is_next = is_next or len(self.lines[end].bare) >= WRAPPED or LINKING_END.search(text) is not None
            sentence = SENTENCE_END.split(below)[0]  # can be only the end of the request, such as `marines.`
            is_next = is_next and ":" not in below and self.begins_request(text)
            if not is_next or self.parser.named_line(sentence):
                break
            text, end = f"{text} {below}", last
        return PlainLine(line.number, text), end

    def begins_question(self, text: str) -> bool:
        """Return True if a question begins on a line and does not end there. A force can be named `Will`."""
        begins = QUESTION_BEGINS.search(text[-LONGEST:])
        return begins is not None and not (begins.start() == 0 and self.parser.named_line(text))

    def begins_request(self, text: str) -> bool:
        """Return True if a line without an order ends within a request to the umpire."""
        *_, last = SENTENCE_END.split(text[-LONGEST:])
        is_open = not last.rstrip(MARKUP).endswith((".", "!", "?", ":", ";"))
        is_open = is_open and (is_deal(last) or ASKING.search(last) is not None)
        return is_open and ":" not in text and not self.parser.named_line(text)

    def is_condition(self, text: str) -> bool:
        """Return True if a line ends within a condition, as in `If York is free,`."""
        begins = OPEN_CONDITION.search(text[-LONGEST:])
        if begins is None or self.parser.named_line(text):
            return False
        return text.rstrip().endswith(",") or VERB_FORMS.isdisjoint(WORD.findall(begins[0].casefold()))

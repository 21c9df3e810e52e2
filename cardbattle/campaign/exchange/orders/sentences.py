"""Decide what a sentence of a message is: an order, a request to the umpire, or a remark."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import ENDING, MARKUP
from cardbattle.battles.messages.pasted_text import PlainLine
from cardbattle.campaign.exchange.orders.addresses import LONGEST
from cardbattle.campaign.exchange.orders.decision.findings import LONGEST_LETTER, is_question, split_request
from cardbattle.campaign.exchange.orders.lines import GREETING_ENDS, SMILEY, LineParser
from cardbattle.campaign.exchange.orders.own_text import EXAMPLES, REQUEST
from cardbattle.campaign.exchange.orders.parser import ARROWS, PLEASE, VERBS
from cardbattle.campaign.exchange.orders.remarks import is_only_remark
from cardbattle.campaign.exchange.orders.requests import frees_prisoner, gives_place
from cardbattle.campaign.exchange.orders.words import (
    AGREED,
    ALSO,
    AMOUNT,
    ASKING,
    ASKING_FACTS,
    AVOID,
    BEGINS_IN_ANY_FORM,
    CAN_THEY,
    CANCELLING,
    CHOSEN_PLACE,
    CORRECTING,
    CORRECTIONS,
    FOLLOWING,
    GIVING,
    HEADING,
    HELPER,
    HIRING_SOLDIERS,
    HOLD_WORDS,
    KEEPING,
    LEAVING,
    MARCH_WORDS,
    MONEY,
    OFFERING,
    PURCHASE,
    RELEASING,
    RETREAT_SENTENCE,
    SAME,
    SENDER,
    SENTENCE_END,
    SPENDING,
    SUBJECT,
    UNDECIDED,
    VERB_FORMS,
    WE_ALL,
    WEIGHING,
    forms_of,
    is_release,
    one_of,
    request_begins,
)
from cardbattle.campaign.ledger.roster import WORD

SENDING = re.compile(  # more verbs of orders, which a remark behind an order can have
    r"\b(go(es)?\s+(back\s+)?(to|towards?)|advances?|rides?|attacks?|retreats?)\b", re.IGNORECASE
)
EACH = re.compile(
    rf"(?P<verb>{HELPER}?(?:{one_of(forms_of((*HOLD_WORDS, *MARCH_WORDS)))}\s+)?)"
    r"(?P<each>(?:both|all)(?:\s+of\s+them)?\s+)",
    re.IGNORECASE,
)  # at the beginning of an order for several forces
THEN_BEGINS = re.compile(r"(?:so\s+)?then\b[:,]?\s*", re.IGNORECASE)  # before the corrected order of a force
LEADING_AND = re.compile(r"^\s*(?:and|then)\s+", re.IGNORECASE)  # on the line below another order
BETWEEN_ORDERS = re.compile(
    r"(?:[.!]+|,|\s/)\s+(?:(?:and|then)\s+)*|\s+and\s+(?:then\s+)?", re.IGNORECASE
)  # in `Percy holds. The Pikes join Percy`


POLITE_ORDER = re.compile(
    r"(?P<order>[^.!?:;]*?\b(?:please|pls|plz)),\s[^.!?:;]+[.!]*", re.IGNORECASE
)  # in "to York please, nobody is there"


class FormLine(NamedTuple):
    """A line `FORCE:` or `FORCE: retreat to`, whose order can be on the next line."""

    words: str
    order: str
    depth: int
    is_above: bool = True  # False if an empty line follows it


class Sentences(NamedTuple):
    """The sentences of a text, each of which is an order, a request to the umpire, or a remark."""

    orders: Sequence[str]
    requests: Sequence[str]
    remarks: Sequence[str]


class Meaning(NamedTuple):
    """What a line without a readable order can be.

    `request` is the line if it asks the umpire for something, or "". `order` has the words that can be an
    order, or is empty. `is_for_umpire` is True if the line is a request with any order, and
    `is_only_name` if it only names a force, so that it counts only beside orders.
    """

    request: str = ""
    order: Sequence[str] = ()
    is_for_umpire: bool = False
    is_only_name: bool = False


class SentenceReader:
    """Decides what the text of a line is, and keeps nothing of it."""

    def __init__(self, lines: LineParser) -> None:
        self.lines = lines
        self.parser = lines.parser
        self.is_signature = False  # True below the line `--`

    def meaning_of(self, line: PlainLine, text: str, named: Collection[str] = ()) -> Meaning:
        """Return what a line without a readable order can be. `named` are the forces at its beginning."""
        if not named and self.asks_for_force(line, text) and self.is_only_question(text):
            return Meaning(text)
        spoken = WORD.findall(text.casefold())
        if self.lines.other_turn(text) and HIRING_SOLDIERS.search(text) and "?" not in text:
            return Meaning(order=spoken) if self.parser.campaign.recruit else Meaning(text)
        request = text if self.asks(line, text) or self.asks_for_force(line, text) else ""
        is_order = bool(named or ARROWS.search(text)) or not VERB_FORMS.isdisjoint(spoken)
        is_for_umpire = self.is_for_umpire(line, text)
        if is_for_umpire:
            remainder = split_request(text)[1]
            other = WORD.findall(remainder.casefold())
            is_named = bool(named) and not self.lines.is_peace(text)
            if not (is_named or self.names_force(remainder) or not VERB_FORMS.isdisjoint(other)):
                return Meaning(text)
            is_order = True
            if self.names_force(remainder):
                spoken = other
            elif not other:
                spoken = WORD.findall(PURCHASE.sub("", text).casefold())
        has_place = not self.parser.place_words.isdisjoint(spoken) or self.lines.may_order(spoken)
        is_change = any(each.search(text) for each in (CANCELLING, KEEPING, UNDECIDED))
        if is_order or has_place or is_change:
            return Meaning(request, spoken, is_for_umpire=is_for_umpire)
        if request or not self.names_force(text):
            return Meaning(request)
        return Meaning("", spoken, is_only_name=True)

    def is_own(self, line: PlainLine) -> bool:
        """Return True if the sender has written a line for this mail. A signature does not count."""
        return not (line.depth or self.is_signature or self.parser.is_opened)

    def asks(self, line: PlainLine, text: str) -> bool:
        """Return True if a line is the sender's own and asks the umpire for something."""
        return self.is_own(line) and ASKING.search(text) is not None

    def asks_for_force(self, line: PlainLine, text: str) -> bool:
        """Return True if an unquoted line asks the umpire for something and names a force."""
        return not line.depth and ASKING.search(text) is not None and self.names_force(text)

    def names_force(self, text: str) -> bool:
        """Return True if a text can name a force of the faction of the address above it."""
        return bool(self.lines.forces_in(WORD.findall(text.casefold()), self.lines.faction))

    def is_no_order(self, remark: str) -> bool:
        """Return True if a remark has no verb of an order, names no force and place, and changes no order."""
        spoken = WORD.findall(remark.casefold())
        names = self.parser.place_words
        is_plain = is_only_remark(remark, names) and not CORRECTING.search(remark)
        return is_plain and VERB_FORMS.isdisjoint(spoken) and not self.lines.has_name_word(remark)

    def may_correct(self, sentence: str) -> bool:
        """Return True if a sentence without a force, a place and a verb of an order may correct an order."""
        is_change = any(each.search(f"{sentence} ") for each in CORRECTIONS)
        return is_change or not LEAVING.isdisjoint(WORD.findall(sentence.casefold()))

    def is_only_question(self, text: str) -> bool:
        """Return True if a line asks a question, and nothing on it can be an order or a correction."""
        request, other = split_request(text)
        other_words = WORD.findall(other.casefold())
        is_order = self.lines.has_near_place(other_words) or bool(
            self.lines.forces_in(other_words, self.lines.faction)
        )
        spoken = WORD.findall(text.casefold())
        has_place = not self.parser.place_words.isdisjoint(spoken)
        is_march = has_place or CAN_THEY.search(request) is not None
        proposed = " ".join(ASKING_FACTS.sub("", sentence) for sentence in SENTENCE_END.split(request))
        verbs = other_words + WORD.findall(proposed.casefold())
        is_proposal = WEIGHING.search(request) is not None or not VERB_FORMS.isdisjoint(verbs)
        is_change = CORRECTING.search(text) or AGREED.search(text) or (is_march and is_proposal)
        return is_question(request) and not (is_order or is_change)

    def is_only_request(self, line: PlainLine, text: str) -> bool:
        """Return True if a line asks the umpire for something, and is not meant as an order to move."""
        is_asking = self.asks_for_force(line, text) and not self.may_move(text)
        return is_asking or self.is_only_question(text) or self.is_for_umpire(line, text)

    def is_request_alone(self, line: PlainLine, text: str) -> bool:
        """Return True if a text only asks something, or is about money, a prisoner or peace and no order."""
        if "?" in text and self.is_only_question(text):
            return True
        is_asking = AMOUNT.search(text) is not None and ASKING.search(text) is not None
        is_asking = is_asking or self.is_for_umpire(line, text)
        return is_asking and not (self.may_move(text) or CORRECTING.search(text))

    def may_move(self, text: str) -> bool:
        """Return True if a text has a verb of an order, or a place, which can be misspelt."""
        spoken = WORD.findall(text.casefold())
        return not VERB_FORMS.isdisjoint(spoken) or self.lines.has_near_place(spoken)

    def is_for_umpire(self, line: PlainLine, text: str) -> bool:
        """Return True if a line spends money, releases a prisoner, gives a place away, or is about peace."""
        sender = self.lines.faction or self.lines.sender
        is_treaty = self.is_own(line) and (self.lines.is_peace(text) or gives_place(self.lines, sender, text))
        return is_treaty or self.is_about_money(line, text) or self.releases(line, text)

    def releases(self, line: PlainLine, text: str) -> bool:
        """Return True if an own line releases a prisoner. `let the pikes go home` is about an own force."""
        sender = self.lines.faction or self.lines.sender
        is_meant = is_release(text) or frees_prisoner(self.lines, sender, text)
        if not (self.is_own(line) and is_meant):
            return False
        spoken = WORD.findall(text.casefold())
        is_clear = RELEASING.search(text) is not None
        return is_clear or not self.lines.forces_in(spoken, self.lines.faction, is_exact=True)

    def is_about_money(self, line: PlainLine, text: str) -> bool:
        """Return True if a line asks the umpire to spend money. A sum of money is enough without a force."""
        is_gift = GIVING.search(text) is not None and self.lines.names_faction(WORD.findall(text.casefold()))
        has_number = any(map(str.isdigit, text)) or AMOUNT.search(text) is not None
        is_sum = has_number and (is_gift or MONEY.search(text) is not None)
        is_sum = is_sum or OFFERING.search(text) is not None or self.buys_soldiers(text)
        return not line.depth and (is_sum or (SPENDING.search(text) is not None and self.names_force(text)))

    def is_purchase(self, line: PlainLine, text: str) -> bool:
        """Return True if the text behind a force's colon is only a sum or a number of soldiers."""
        is_number = any(each.match(text) for each in (AMOUNT, HIRING_SOLDIERS))
        return self.is_own(line) and is_number and not self.may_move(text)

    def buys_soldiers(self, text: str) -> bool:
        """Return True if a text has a number of soldiers for a force, as in `3 soldiers for the pikes`."""
        receivers = [WORD.findall(match["receiver"].casefold()) for match in PURCHASE.finditer(text)]
        return any(self.lines.forces_in(spoken, self.lines.faction) for spoken in receivers)

    def introduces(self, sentence: str) -> bool:
        """Return True if a sentence only introduces the orders below it, or its sender."""
        spoken = WORD.findall(sentence.casefold())
        if not self.parser.place_words.isdisjoint(spoken):
            return False
        if SENDER.fullmatch(sentence):
            return VERB_FORMS.isdisjoint(spoken) and not self.lines.has_name_word(sentence)
        is_heading = HEADING.fullmatch(sentence) is not None
        return is_heading and not self.lines.forces_in(spoken, self.lines.faction)

    def without_introduction(self, text: str) -> str:
        """Return a line without a sentence that only introduces the orders below it, or its sender.

        Such a sentence names no place and, before orders, no force.
        """
        return " ".join(sentence for sentence in SENTENCE_END.split(text) if not self.introduces(sentence))

    def without_questions(self, text: str) -> str:
        """Return a text without the sentences that only ask a question."""
        sentences = SENTENCE_END.split(text)
        return " ".join(each for each in sentences if "?" not in each or not self.is_only_question(each))

    def is_for_all(self, text: str) -> bool:
        """Return True if a text without a colon is an order for all forces, perhaps except some."""
        if self.lines.exception_in(text):
            return True
        named = self.lines.named_line(text)
        if named is None or not self.lines.is_every(named.words):
            return False
        is_near = self.lines.has_near_place(WORD.findall(named.order.casefold()))
        begins = BEGINS_IN_ANY_FORM.match(named.order) is not None
        return begins and (is_near or self.lines.is_clear(named.order))

    def begins_hiring(self, text: str) -> bool:
        """Return True if a text begins with an order to hire soldiers."""
        hiring = self.parser.hiring_in(text)
        return hiring is not None and not hiring.start()

    def lacks_force(self, text: str) -> bool:
        """Return True if a text is an order to hire that names no force, although the sender has several."""
        bare = text.strip(MARKUP + ENDING)
        hiring = self.parser.hiring_in(bare)
        return hiring is not None and hiring[0] == bare and len(self.parser.movable(self.lines.faction)) > 1

    def exact_orders(self, line: PlainLine, text: str) -> list[str]:
        """Split a text such as `Percy holds. The Pikes join Percy` into the orders of a known sender.

        The result is empty unless the whole text consists of exact orders.
        """
        if not (self.lines.faction or self.lines.sender) or len(text) > LONGEST:
            return []
        text = LEADING_AND.sub("", text, count=1)
        if self.is_exact(line, text):
            return [text]
        for end in BETWEEN_ORDERS.finditer(text):
            before, remainder = text[: end.start()], text[end.end() :]
            others = self.exact_orders(line, remainder) if self.is_exact(line, before) else []
            if others:
                return [before, *others]
        return []

    def is_exact(self, line: PlainLine, text: str) -> bool:
        """Return True if a text is the order of a known sender, with or without a colon, and nothing more.

        A sentence with a question mark is no such text.
        """
        if text.endswith("?"):
            return False
        text = text.strip(MARKUP + ENDING)
        words, colon, order = text.partition(":")
        if not colon:
            return bool(self.order_of_sender(line, text)[0])
        with self.lines.as_sender():
            return self.lines.is_named(words) and self.lines.is_whole_order(words, order.strip())

    def order_of_sender(self, line: PlainLine, text: str) -> tuple[str, str]:
        """Split a clear order without a colon of a known sender into the force and its order, or "".

        The order of a sender with only one force need not name it.
        """
        if line.depth or not (self.lines.faction or self.lines.sender):
            return "", ""
        with self.lines.as_sender():
            force, order = self.lines.without_colon(text, is_from_sender=True)
            only = self.parser.movable(self.lines.faction)
            is_order = BEGINS_IN_ANY_FORM.match(text) or self.begins_hiring(text)
            is_order = is_order and not EXAMPLES.fullmatch(line.bare)
            if not force and len(only) == 1 and is_order:
                force, order = only[0], text
            is_clear = bool(force) and self.is_clear(force, order)
        return (force, order) if is_clear else ("", "")

    def is_clear(self, force: str, order: str) -> bool:
        """Return True if a text without a colon is an order, perhaps with a remark behind `please`."""
        if any(each.fullmatch(AVOID.sub("", order)) for each in (SAME, FOLLOWING)):
            return True
        if self.lines.subjects_in(order):
            return self.lines.is_whole_order(force, order)
        polite = POLITE_ORDER.fullmatch(order)
        is_polite = polite is not None and self.lines.is_whole_order(force, polite["order"])
        is_polite = is_polite and self.lines.is_readable(force, order)
        return is_polite or self.lines.is_whole_order(force, order, is_remark_allowed=True)

    def with_every(self, line: PlainLine, text: str) -> str:
        """Return an own line such as `We all hold` or `Sorry! We stay` with the word `all` for its subject.

        The sender must be known, and the sentences before it must be read. After the movement, `We hold` can
        be a remark about a battle.
        """
        is_known = self.is_own(line) and (self.lines.faction or self.lines.sender)

        def subject(we: re.Match[str]) -> str:
            is_order = we["every"] or self.lines.address.has_turn or not self.parser.has_moved
            before = SENTENCE_END.split(text[: we.end("begin")].strip())
            is_order = is_order and all(self.is_sentence(line, each) for each in before)
            return f"{we['begin']}{we['every'] or 'all'} " if is_order else we[0]

        return WE_ALL.sub(subject, text[:LONGEST]) + text[LONGEST:] if is_known else text

    def is_sentence(self, line: PlainLine, text: str) -> bool:
        """Return True if a sentence is an order, a request to the umpire, or a remark."""
        return self.is_no_order(text) or self.is_request_alone(line, text) or self.is_whole(line, text)

    def exact_exception(self, text: str) -> list[str]:
        """Return a text such as `all hold except Percy, who marches to Wem` if its orders are exact."""
        exceptions = self.lines.exception_in(text)
        if exceptions is None:
            return []
        orders = [(exceptions.every, exceptions.order)]
        orders += [(words, order) for words, order in exceptions.excepted if order]
        return [text] if all(self.lines.is_whole_order(words, order) for words, order in orders) else []

    def sentences_of(self, line: PlainLine, text: str) -> Sentences | None:
        """Return the sentences of a text such as `Percy holds. He is tired. The Pikes join Percy`, or None.

        The sender is known, and no sentence can change the order of another. A text with a single order and
        a colon is read as one order with a remark.
        """
        sender = self.lines.faction or self.lines.sender
        if not (sender and self.is_own(line)) or len(text) > LONGEST_LETTER:
            return None
        orders: list[str] = []
        requests, remarks = [], []
        with self.lines.as_sender():
            for sentence in SENTENCE_END.split(text):
                order, request = self.split_request_behind(line, sentence)
                requests += [request] if request else []
                if each := self.exact_orders(line, order) or self.exact_exception(order):
                    orders += each
                elif order and self.is_no_order(order) and not (orders and self.may_correct(order)):
                    remarks.append(order)
                elif order:
                    return None
        is_read = len(orders) > 1 or (orders and ":" not in text)
        return Sentences(orders, requests, remarks) if is_read else None

    def split_request_behind(self, line: PlainLine, text: str) -> tuple[str, str]:
        """Split a text such as `Percy holds, and I'd like 3 men for him` before the requests at its end."""
        cut = len(text)
        for begin in reversed(request_begins(text)):
            if not self.is_request_alone(line, text[begin:cut]):
                break
            cut = begin
        return text[:cut].rstrip(), text[cut:]

    def is_whole(self, line: PlainLine, text: str) -> bool:
        """Return True if each sentence of a text is read, and at least one is an order."""
        return bool(self.exact_orders(line, text)) or self.sentences_of(line, text) is not None

    def reads_for_every(self, line: PlainLine, words: str, order: str) -> bool:
        """Return True if an own line such as `both hold, curse them` has an order for all forces."""
        is_own = self.is_own(line) and bool(self.lines.faction)
        return is_own and self.lines.is_every(words) and self.lines.is_readable(words, order)

    def place_alone(self, text: str) -> str:
        """Return the key of a place that is alone on a line, perhaps behind a remark, or ""."""
        for begin in beginnings(text):
            bare = SMILEY.sub("", text[begin:LONGEST]).strip(MARKUP + ENDING)
            name = ALSO.sub("", PLEASE.sub("", bare)).removeprefix("to ")
            chosen = CHOSEN_PLACE.fullmatch(PLEASE.sub("", bare))
            for place in (name, chosen["place"] if chosen else ""):
                if self.parser.is_place(place) or place.casefold() in self.parser.places:
                    is_remark = is_only_remark(text[:begin], self.parser.place_words)
                    return self.parser.place(place) if is_remark else ""
        return ""

    def order_alone(self, words: str, text: str) -> str:
        """Return the order of the force in a form that is alone on a line, perhaps behind a remark, or "".

        An order to hold, such as `Wait`, can be an exclamation.
        """
        is_read = len(text) <= LONGEST and "?" not in text and len(self.lines.forces_meant(words)) == 1
        for begin in beginnings(text) if is_read else ():
            order = THEN_BEGINS.sub("", text[begin:].strip(MARKUP + ENDING), count=1)
            is_order = BEGINS_IN_ANY_FORM.match(order) is not None and self.lines.names_anything(order)
            if is_order and self.lines.is_whole_order(words, order):
                return order if self.is_no_order(text[:begin]) else ""
        return ""

    def continues(self, form: FormLine, line: PlainLine, text: str) -> bool:
        """Return True if a line is meant as the order of the form on the line above it.

        Below an empty line, only a valid order is.
        """
        order = without_subject(text.removeprefix("- "))
        begins = BEGINS_IN_ANY_FORM.match(order) is not None
        if line.depth > form.depth or REQUEST.fullmatch(text) or (":" in text and not begins):
            return False
        if not form.is_above:
            return begins and self.lines.is_readable(form.words, order)
        begins = begins or SAME.fullmatch(order.strip(ENDING)) is not None or self.begins_hiring(order)
        has_place = bool(self.parser.place_words.intersection(WORD.findall(text.casefold())))
        if form.order:
            return has_place
        is_named = self.lines.is_every(form.words) or self.lines.is_force(
            self.parser.forces(self.lines.faction), form.words
        )
        is_example = EXAMPLES.fullmatch(text) is not None and not is_named
        if is_example or self.lines.with_dash(text)[0] or self.lines.without_colon(text)[0]:
            return False
        return has_place or begins or any(pattern.search(text) for pattern in (VERBS, SENDING))

    def without_each(self, text: str) -> str:
        """Return an order for several forces without `both` or `all`, as in `both march to york`."""
        each = EACH.match(text)
        is_word = each is not None and not self.lines.begins_with_place(text[each.start("each") :])
        return f"{text[: each.start('each')]}{text[each.end() :]}" if each and is_word else text


def beginnings(text: str) -> list[int]:
    """Return where a sentence can begin in a text: at its beginning, and behind each greeting or remark."""
    return [0, *(end.end() for end in GREETING_ENDS.finditer(text[:LONGEST]))]


def retreat_in(text: str) -> str:
    """Return where a sentence without a force retreats, such as `back to the ford`, or "".

    >>> retreat_in("Well then, we fall back to the quay"), retreat_in("We fell back")
    ('fall back to the quay', '')
    """
    if len(text) > LONGEST:
        return ""
    sentences = (RETREAT_SENTENCE.fullmatch(text, begin) for begin in beginnings(text))
    return next((sentence["order"] for sentence in sentences if sentence), "")


def parts_of_letter(text: str) -> Iterator[str]:
    """Yield the sentences of a long line. A sentence that is too long is broken between words.

    Only the beginning of a very long line is read.
    """
    for sentence in SENTENCE_END.split(text[:LONGEST_LETTER]):
        yield from wrap(sentence, LONGEST)


def without_subject(text: str) -> str:
    """Return an order such as `we hold` without its first word."""
    begin = SUBJECT.match(text)
    return text[begin.end() :] if begin else text


def completed(form: str, text: str) -> str:
    """Return the order of a form with the text on the line below it. The form is empty, or `retreat to`.

    >>> completed("retreat to", "the ford"), completed("retreat to", "We fall back to the ford")
    ('retreat to the ford', 'retreat fall back to the ford')
    """
    order = without_subject(text.removeprefix("- "))
    has_verb = BEGINS_IN_ANY_FORM.match(order) is not None
    return f"{form.split()[0]} {order}" if form and has_verb else f"{form} {order}".strip()

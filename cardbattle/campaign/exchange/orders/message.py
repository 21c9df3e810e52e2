"""Read players' messages with orders to move.

An order has the form `FORCE: ORDER`. Semicolons separate the orders of several forces on one line.
`FACTION@TURN:` before orders names their faction. A line that seems to be an order is reported if it cannot
be read. Other lines of a message, and the lines of the program's own request, are ignored. All errors are
reported at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import (
    ADDRESS,
    ENDING,
    MARKUP,
    is_order_line,
    place_of,
)
from cardbattle.battles.messages.pasted_text import (
    PlainLine,
    begins_with_header,
    has_quotation_marks,
    is_quotation_certain,
    plain_lines,
)
from cardbattle.campaign.exchange.battle_answers import (
    answer_error,
    fought_by,
    is_battle_answer,
    take_answers,
)
from cardbattle.campaign.exchange.orders.addresses import (
    LONGEST,
    address_error,
    bare_address,
    battle_answered,
    battle_of_address,
    can_answer_battle,
    is_past_turn,
    last_address,
    loose_address,
    retreat_note,
    undo_hint,
    with_faction_key,
)
from cardbattle.campaign.exchange.orders.decision.decision import Decision
from cardbattle.campaign.exchange.orders.decision.findings import (
    LONGEST_LETTER,
    Finding,
    Findings,
    Orders,
    RequestLine,
    quoted_line,
)
from cardbattle.campaign.exchange.orders.later_orders import LaterOrders, OrderForRest, SentenceLine
from cardbattle.campaign.exchange.orders.lines import (
    GREETING_ENDS,
    LINE,
    Address,
    Exceptions,
    LineParser,
)
from cardbattle.campaign.exchange.orders.names import LostForce, NotOnMap, UnknownForce, with_bracket
from cardbattle.campaign.exchange.orders.own_text import OwnText
from cardbattle.campaign.exchange.orders.parser import (
    STOPS,
    UNCONDITIONAL,
    OrderParser,
    TooManyHired,
    with_open_arrow,
)
from cardbattle.campaign.exchange.orders.recorder import OrderRecorder, OrderText
from cardbattle.campaign.exchange.orders.senders import SenderFinder
from cardbattle.campaign.exchange.orders.sentences import (
    FormLine,
    SentenceReader,
    completed,
    retreat_in,
)
from cardbattle.campaign.exchange.orders.words import (
    ANNOUNCED_QUESTION,
    AVOID,
    BEGINS_IN_ANY_FORM,
    CONDITION,
    CONDITION_BEGINS,
    EXCLAMATION,
    HIRING_BY,
    HIRING_FOR,
    MORE_HIRED,
    OTHER_TURN,
    RETREATING,
    SENTENCE_END,
    UNCHANGED,
    VIA,
    hired_number,
    is_release,
    request_begins,
)
from cardbattle.campaign.exchange.orders.wrapped_lines import WrappedLines
from cardbattle.campaign.ledger.roster import WORD
from cardbattle.campaign.state.tables.march_orders import HIRE, RETREAT
from cardbattle.campaign.visibility.reader import with_known_battles
from cardbattle.core.names import quoted

DASH_BEFORE = re.compile(r"^[-\u2013\u2014]+\s+")  # in `FORCE: - ORDER`
REMARK_ENDS = re.compile(rf"{GREETING_ENDS.pattern}|\s+[-\u2013\u2014]+\s+")  # before an order
GREETING = re.compile(
    r"\W*(?:hi|hello|hey|dear|sorry|ok|okay|well|right|thanks|thank\s+you)\b[\w ]{0,30}", re.IGNORECASE
)  # before a comma or a dash
SIGNATURE = "--"  # the line that mail programs write above a signature
WITHOUT_ORDER = "is on a line of its own, so it changes no order; write FORCE: ORDER on one line"
OTHERS = re.compile(r"(?P<others>(?:the\s+)?(?:others|rest))\s*:\s*", re.IGNORECASE)


class LateAddress(NamedTuple):
    """An address of a past turn, and its error, which counts only if an order follows."""

    line: PlainLine
    faction: str
    error: str
    turn: int


class MessageReader:
    """Reads a message line by line.

    Each line between an address and the next empty line is an order.
    """

    def __init__(self, parser: OrderParser, file: str, faction: str = "", *, sender: str = "") -> None:
        self.parser = parser
        self.file = file
        self.lines = LineParser(parser, faction)
        self.findings = Findings(self.lines, file)
        self.own_text = OwnText(self.lines)
        self.sentences = SentenceReader(self.lines)
        self.senders = SenderFinder(self.findings, parser.faction or sender)
        self.record = OrderRecorder(self.findings, self.sentences)
        self.later = LaterOrders(self.record, self.senders)
        self.is_passing = False  # True below a wrong address
        self.old_depth = 0  # of the quoted address of another turn, below which lines are skipped
        self.late: LateAddress | None = None  # the address above, until an order follows
        self.fought = ""  # the battle that the faction of a late address fights
        self.depth = 0  # of the line with the last address
        self.last_depth = 0  # of the line above
        self.form: FormLine | None = None  # if the last line was one
        self.order_line: PlainLine | None = None  # the last line with an order

    def orders(self) -> Orders:
        """Return the orders and errors, after all lines of the message are read."""
        self.later.read()
        if self.late and self.fought:
            late, how = self.late, take_answers(self.parser.campaign, self.fought)
            text = f"{late.error}; enter an answer to a battle with: {how}"
            error = self.findings.umpire_error(late.line, text, player_text=late.error)
            self.findings.found.append(Finding(late.faction, late.line.depth, error))
        self.senders.reject_replies_to_past_turns()
        read = Decision(self.findings).orders()
        is_known = self.findings.addresses or self.senders.turns or self.findings.skipped
        is_anonymous = not (is_known or read.given or read.errors or read.notes or read.quoted)
        silent = self.senders.silent_senders(read)
        return read._replace(silent=silent, asked=self.senders.asked, is_anonymous=is_anonymous)

    def read_lines(self, lines: Sequence[PlainLine], skipped: Mapping[str, str]) -> None:
        """Read the lines of a message, except those in `skipped`, which map to their faction or to ""."""
        wrapped = WrappedLines(self.sentences, lines, skipped)
        last = -1  # the index of the last line that is read
        for index, line in enumerate(lines):
            if index <= last:
                continue
            if line.bare not in skipped:
                self.lines.sender = self.senders.sender_of(line)
                whole, last = wrapped.with_lines_below(index, self.form)
                self.read_line(whole)
            elif line.bare:
                self.findings.addresses.append((line.depth, skipped[line.bare]))
                self.findings.skipped_depth = min(self.findings.skipped_depth, line.depth)
                self.findings.skipped.add(skipped[line.bare])

    def read_line(self, line: PlainLine) -> None:
        """Read one line: an address, orders, or other text."""
        self.findings.texts[line.number] = line.text
        if not line.depth:
            self.senders.add_own_line(line)
        try:
            text = with_faction_key(self.parser.campaign, line.bare.lstrip(MARKUP))
        except ValueError as error:
            self.record.reject(line, str(error))
            self.is_passing = True
            return
        loose = loose_address(self.parser.campaign, text)
        text = loose or text
        self.end_paragraph(line, text)
        if self.own_text.is_refusal(line, text):
            self.form = None
            return
        form = self.form
        self.form = form._replace(is_above=False) if form and not text else None
        if form and self.sentences.continues(form, line, text):
            self.read_order(line, form.words, completed(form.order, text))
            return
        if not text or self.own_text.is_in_message(text):
            return
        if form and form.is_above and not line.depth and ":" not in text:
            self.findings.ignored[line.number] = text
        if self.own_text.is_in_battle(text, is_asking=self.sentences.asks(line, text)):
            return
        campaign = self.parser.campaign
        address = ADDRESS.match(text) or bare_address(campaign, text) or last_address(campaign, text)
        if address:
            self.sentences.is_signature = False
            self.read_address(line, address, text[address.end() :].strip(MARKUP), is_loose=bool(loose))
        elif answered := battle_answered(self.parser, self.lines.faction, text):
            self.record.reject_answer(line, answered)
        elif self.is_passing:
            self.pass_over(line, text)
        else:
            self.read_text(line, text)

    def end_paragraph(self, line: PlainLine, text: str) -> None:
        """Forget the lines above a line, if the line ends a paragraph, or begins or ends a quotation."""
        if not text or line.depth != self.depth:
            self.lines.is_below_address = False
        if not text or line.depth != self.last_depth:
            self.findings.paragraph += 1
        self.last_depth = line.depth
        self.sentences.is_signature |= line.bare == SIGNATURE
        self.own_text.is_about_battle &= bool(text)
        if text and line.depth < self.old_depth and not self.fought:  # the quotation has ended
            self.is_passing, self.late, self.old_depth = False, None, 0
            self.lines.address = Address(self.senders.unquoted_sender(line.depth))
        if line.depth > self.depth and self.lines.faction and not self.findings.is_marked:
            self.lines.address = Address(self.parser.faction)  # the quotation can be another player's mail

    def read_text(self, line: PlainLine, text: str) -> None:
        """Read a line without an address, which can have orders."""
        fought = fought_by(self.parser.campaign, self.lines.faction)
        if self.lines.is_below_address and is_order_line(text) and fought:
            error = self.findings.umpire_error(line, answer_error(self.parser.campaign, fought))
            self.findings.battle_answers.append(error)
        elif self.is_lost(line, text):
            self.record.reject(line, f"{quoted_line(text)} {WITHOUT_ORDER}", text)
        elif self.sentences.is_own(line) and ANNOUNCED_QUESTION.match(text):
            self.record.keep_request(line, text)
        else:
            self.read_parts(line, text)

    def pass_over(self, line: PlainLine, text: str) -> None:
        """Pass over a line below a wrong address, but report what follows a late one, and keep requests."""
        if self.late and self.fought and is_battle_answer(text):
            self.late = None
            self.record.reject_answer(line, self.fought)
        elif self.late and self.can_be_order(line, text):
            text = self.late.error + retreat_note(self.parser, text)
            hint = undo_hint(self.parser, self.late.turn)
            error = self.findings.umpire_error(self.late.line, f"{text}{hint}", player_text=text)
            if self.late.line.depth <= self.findings.skipped_depth:
                self.findings.found.append(Finding(self.late.faction, self.late.line.depth, error))
            self.late = None
        elif self.sentences.asks(line, text) or (
            self.sentences.is_own(line) and (is_release(text) or self.lines.is_peace(text))
        ):
            self.findings.requests.append(RequestLine(line, text, "", WORD.findall(text.casefold())))

    def is_lost(self, line: PlainLine, text: str) -> bool:
        """Return True if a line right below an order can change it, but names no force.

        Such a line ends with `avoid battle`, or begins with `via` or `then` and has a place.
        """
        above = self.order_line
        if above is None or (above.number + 1, above.depth) != (line.number, line.depth) or ":" in text:
            return False
        words = WORD.findall(text.casefold())
        is_next = any(begin.match(f" {text}") for begin in (VIA, STOPS))
        is_next = is_next and not self.parser.place_words.isdisjoint(words)
        is_change = is_next or AVOID.search(text.strip(MARKUP + ENDING)) is not None
        names_force = self.lines.forces_in(words, self.lines.faction)
        return is_change and not (names_force or self.sentences.is_for_umpire(line, text))

    def read_address(
        self, line: PlainLine, address: re.Match[str], remainder: str, *, is_loose: bool = False
    ) -> None:
        """Read an address and the orders after it on the line.

        If the address is wrong, all orders below it are skipped. A loose address can be a part of a sentence,
        so its error is reported only if an order follows.
        """
        campaign, side = self.parser.campaign, address["side"].lower()
        self.record.above = None
        known = with_known_battles(campaign, side) if side in campaign.factions else campaign
        battle = known.battle((address["battle"] or "").lower())
        if battle is not None:
            if remainder:
                error = self.findings.umpire_error(line, answer_error(campaign, battle.id), address[0])
                self.findings.battle_answers.append(error)
            return
        if remainder.casefold().split(" ")[0] in ("sealed", "open"):
            if not address[0].endswith(":"):
                self.record.reject(line, f"write a colon after the address: {address[0]}:", address[0])
            return
        self.senders.add_address(line, address)
        answered = battle_of_address(self.parser, address)
        wrong = "" if answered else address_error(self.parser, address)
        self.is_passing, self.late, self.fought, self.old_depth = bool(answered or wrong), None, "", 0
        if answered:
            self.record.reject_answer(line, answered)
        elif wrong:
            self.read_wrong_address(line, address, wrong, remainder, is_loose=is_loose)
        else:
            is_past = self.parser.has_moved and place_of(address) == campaign.turn
            self.begin_address(line, Address(side, has_turn=True, is_past=is_past))
            self.senders.asked.add(side)
            self.findings.is_past |= is_past
            self.read_parts(line, remainder)

    def begin_address(self, line: PlainLine, address: Address) -> None:
        """Read the lines below a line as those below this address."""
        self.lines.address, self.depth, self.lines.is_below_address = address, line.depth, True

    def read_wrong_address(
        self, line: PlainLine, address: re.Match[str], error: str, remainder: str, *, is_loose: bool
    ) -> None:
        """Report a wrong address, or wait for the lines below it, which decide what it means.

        The address of an earlier turn can begin the answer to a battle. If no order or answer follows, its
        error names both possibilities.
        """
        campaign, side = self.parser.campaign, address["side"].lower()
        is_late = is_past_turn(self.parser, address)
        self.old_depth = line.depth if side in campaign.factions and not is_late else 0
        error += retreat_note(self.parser, remainder)
        fought = fought_by(campaign, side) if can_answer_battle(self.parser, address) else ""
        waits = bool(fought) or (not remainder and (is_loose or is_late))
        if waits:
            self.begin_address(line, Address(side))
        if fought and remainder and is_battle_answer(remainder):
            self.record.reject_answer(line, fought)
        elif fought and remainder and self.can_be_order(line, remainder):
            self.record.reject(line, error)
        elif waits:
            self.late, self.fought = LateAddress(line, side, error, place_of(address)), fought
        else:
            faction = side if self.old_depth else self.lines.faction
            force = campaign.forces.get(side)
            about = side if side in campaign.factions else force.faction if force else ""
            hint = undo_hint(self.parser, place_of(address)) if side in campaign.factions else ""
            late = self.findings.umpire_error(line, f"{error}{hint}", player_text=error)
            self.findings.found.append(Finding(faction, line.depth, late, about))

    def can_be_order(self, line: PlainLine, text: str) -> bool:
        """Return True if a line below a wrong address is an order, or may be meant as one."""
        reader = MessageReader(self.parser, self.file, self.lines.faction)
        reader.lines.is_below_address = self.lines.is_below_address
        reader.read_parts(line, text)
        return bool(
            reader.findings.found
            or reader.later.for_rest
            or reader.later.unread_for_rest
            or any(
                each.forces or self.lines.forces_in(each.words, self.lines.faction)
                for each in reader.findings.unread
                if each.paragraph is None
            )
        )

    def read_parts(self, line: PlainLine, text: str) -> None:
        """Read the orders on a line. Text without a force or an order, such as a signature, is ignored."""
        text = self.sentences.with_every(line, self.without_unchanged(line, text.strip("| ")))
        text = self.without_other_turn(line, text)
        parts = [self.without_hirings(line, part) for part in self.lines.parts_of(text)]
        parts = [self.without_request_behind(line, part) for part in parts]
        parts = [self.without_heading(line, part) for part in parts]
        for part in chain.from_iterable(self.orders_in(line, part) or [part] for part in parts):
            part = with_open_arrow(self.without_remark(line, part))
            exceptions = self.lines.exception_in(part)
            if exceptions:
                self.read_exceptions(line, exceptions)
                continue
            match = LINE.search(part)
            if match is None:
                self.read_without_colon(line, part.strip(MARKUP + ENDING + "-"))
                continue
            words = self.lines.without_greeting(match["force"].strip(MARKUP + ENDING + "-"))
            order = DASH_BEFORE.sub("", match["order"].strip(MARKUP + ENDING), count=1)
            is_question = (
                not order and SENTENCE_END.search(words) and "?" in words and self.sentences.is_own(line)
            )
            if self.sentences.is_purchase(line, order) and not self.parser.hiring_in(order):
                self.record.keep_request(line, part)
            elif self.lines.is_order(words, order) and not is_question:
                self.record.keep_unread(line, part[: match.start() + match["force"].rfind(words)])
                self.read_order(line, words, order)
            else:
                self.record.keep_unread(line, part)
                if self.lines.is_below_address:
                    self.findings.ignored[line.number] = part.strip()

    def without_unchanged(self, line: PlainLine, text: str) -> str:
        """Return an own line without the words which say that other forces keep their earlier orders."""
        unchanged = UNCHANGED.search(text[:LONGEST]) if self.sentences.is_own(line) else None
        if unchanged is None:
            return text
        self.findings.ignored.setdefault(line.number, unchanged[0].strip())
        return f"{text[: unchanged.start()]}{text[unchanged.end() :]}".rstrip(" ,;")

    def without_other_turn(self, line: PlainLine, text: str) -> str:
        """Return an own line without a sentence about another turn at its end, which is kept."""
        begins = OTHER_TURN.finditer(text[:LONGEST]) if self.sentences.is_own(line) else ()
        begin = next((each for each in begins if self.lines.other_turn(text[each.end() :])), None)
        if begin is None:
            return text
        self.record.keep_unread(line._replace(text=text[begin.end() :]), text[begin.end() :])
        self.findings.ignored.setdefault(line.number, text[begin.end() :])
        return text[: begin.start()]

    def without_heading(self, line: PlainLine, text: str) -> str:
        """Return a line such as `The others: Percy holds, the Pikes join Percy` without its first words.

        Exact orders that name their forces must follow.
        """
        others = OTHERS.match(text)
        orders = text[others.end() :] if others and self.lines.is_every(others["others"]) else ""
        is_heading = self.lines.named_line(orders) is not None and bool(
            self.sentences.exact_orders(line, orders)
        )
        return orders if is_heading else text

    def without_hirings(self, line: PlainLine, text: str) -> str:
        """Read the sentences that hire soldiers for a force, such as `3 men for the Pikes, please`.

        Return the other sentences. The sender must be known, and force and number clear. Such words can also
        stand behind orders in a sentence, as in `Percy holds, and hire 3 for the Pikes`.
        """
        sender = self.lines.faction or self.lines.sender
        is_read = self.parser.campaign.recruit and sender and not (line.depth or self.sentences.is_signature)
        if not is_read or len(text) > LONGEST_LETTER:
            return text
        sentences = SENTENCE_END.split(text)
        with self.lines.as_sender():
            left = [self.without_hiring(line, each) for each in sentences]
            left = [*filter(None, left)]
            if left == sentences[:1] and self.sentences.lacks_force(left[0]):
                bare = left.pop().strip(MARKUP + ENDING)
                self.record.reject(line, f"{quoted(bare)} names no force; write FORCE: {bare}")
        return " ".join(left)

    def without_hiring(self, line: PlainLine, sentence: str) -> str:
        """Read an order to hire that is a sentence, or behind exact orders, and return the other words."""
        if self.read_hiring(line, sentence):
            return ""
        for begin in request_begins(sentence)[1:]:
            before = sentence[:begin].rstrip(" ,;")
            if self.sentences.exact_orders(line, before) and self.read_hiring(line, sentence[begin:]):
                return before
        return sentence

    def read_hiring(self, line: PlainLine, sentence: str) -> bool:
        """Read a sentence that hires soldiers for forces, and return True if it is one."""
        first, *more = MORE_HIRED.split(sentence.strip(MARKUP)[:LONGEST])
        orders = [self.order_to_hire(each) for each in (first, *(f"{HIRE} {each}" for each in more))]
        is_clear = all(force for force, _ in orders)
        for force, order in orders if is_clear else ():
            self.read_order(line, force, order)
        return is_clear

    def order_to_hire(self, text: str) -> tuple[str, str]:
        """Split a text such as `hire 3 for the Pikes` into the force and its order, or return "" for both."""
        hiring, named = HIRING_FOR.fullmatch(text), HIRING_BY.fullmatch(text)
        force, order = "", ""
        with suppress(ValueError):
            if hiring:
                force, order = hiring["force"], self.hiring_order(hiring)
            elif named and self.sentences.begins_hiring(named["order"]):
                force, order = named["force"], named["order"]
            if not force or self.lines.is_every(force) or len({*self.lines.forces_named(force)}) != 1:
                return "", ""
        is_clear = bool(force) and (self.is_over_limit(order) or self.lines.is_whole_order(force, order))
        return (force, order) if is_clear else ("", "")

    def hiring_order(self, hiring: re.Match[str]) -> str:
        """Return the order to hire of a sentence, also if it hires too many soldiers and will be refused."""
        with suppress(TooManyHired):
            self.parser.number_hired(hiring)
        return f"{HIRE} {hired_number(hiring['number'])}"

    def is_over_limit(self, order: str) -> bool:
        """Return True if an order only hires more soldiers than a force can hire in a turn."""
        move, hiring = self.parser.split_hiring(order)
        try:
            if hiring and not move:
                self.parser.number_hired(hiring)
        except TooManyHired:
            return True
        return False

    def orders_in(self, line: PlainLine, text: str) -> Sequence[str]:
        """Return the exact orders of a text, and keep its requests and remarks, or return nothing."""
        if orders := self.sentences.exact_orders(line, text):
            return orders
        sentences = self.sentences.sentences_of(line, text)
        if sentences is None:
            return ()
        if sentences.requests:
            self.record.keep_request(line, text)
        self.record.keep_unread(line, " ".join(sentences.remarks))
        return sentences.orders

    def without_request_behind(self, line: PlainLine, text: str) -> str:
        """Return a line with an order without the questions and requests behind it, which are kept."""
        is_read = self.sentences.is_own(line) and len(text) <= LONGEST_LETTER
        order, request = self.sentences.split_request_behind(line, text) if is_read else (text, "")
        if not (order and request) or self.sentences.is_only_request(line, order):
            return text
        self.record.keep_request(line, text)
        return order

    def without_remark(self, line: PlainLine, text: str) -> str:
        """Return a line such as `Sorry for the delay. All hold` without the remark before its order.

        A question in the remark is kept. Text that can change the order is no remark, and neither is an
        apology in the sentence of an order for a single force, which can correct another order.
        """
        for end in REMARK_ENDS.finditer(text[:LONGEST]):
            remark, order = text[: end.end()], text[end.end() :]
            is_sentence = end[0].strip()[-1:] in (".", "!", "?")
            if is_sentence or GREETING.fullmatch(text[: end.start()]):
                is_plain = self.sentences.is_no_order(remark)
                is_order = is_sentence and is_plain and bool(self.sentences.order_of_sender(line, order)[0])
                if is_order or (
                    self.sentences.is_for_all(order) and (is_plain or self.sentences.is_only_question(remark))
                ):
                    self.record.keep_unread(line, remark.strip())
                    return order
        return text

    def read_exceptions(self, line: PlainLine, exceptions: Exceptions) -> None:
        """Read an order for all forces except some, which can have an order on the same line."""
        every, order, excepted = exceptions
        for words, own_order in excepted:
            if own_order:
                self.read_order(line, words, own_order)
        self.read_order(line, every, order)
        if self.later.for_rest and self.later.for_rest[-1].line == line:
            forces = [force for words, _ in excepted for force in self.lines.forces_meant(words)]
            forces += [force for _, text in excepted for force in self.lines.subjects_in(text)]
            self.later.for_rest[-1] = self.later.for_rest[-1]._replace(excepted=forces)

    def read_without_colon(self, line: PlainLine, text: str) -> None:
        """Read an order that lacks its colon. Other text is ignored."""
        sender = self.lines.faction or self.senders.sender
        if sender and len(self.parser.movable(sender)) == 1 and EXCLAMATION.fullmatch(line.bare):
            self.findings.ignored[line.number] = line.bare
            return
        force, order = self.lines.with_dash(text)
        if force:
            self.read_order(line, force, order)
            return
        named = self.lines.named_line(text)
        is_near = named is not None and self.lines.is_near_order(named.order)
        is_near = is_near or (named is not None and named.has_sign and self.lines.is_joining(named.order))
        if named and named.has_sign and (is_near or self.lines.is_below_address):
            self.read_order(line, named.words, named.order)
            return
        begins = named is not None and BEGINS_IN_ANY_FORM.match(named.order) is not None
        force, order = self.lines.without_colon(text)
        retreat = "" if CONDITION_BEGINS.search(text) else retreat_in(text)
        place = self.sentences.place_alone(text) if self.lines.is_below_address else ""
        beaten = self.lines.beaten_now() if retreat or place else ()
        own_order = self.sentences.order_of_sender(line, text)
        if force and self.lines.is_below_address:
            self.read_order(line, force, order)
        elif own_order[0]:
            with self.lines.as_sender():
                self.read_order(line, *own_order)
        elif retreat and beaten:
            self.record.read_retreat(line, beaten, retreat)
        elif place and not force and len(beaten) == 1:
            self.record.read_retreat(line, beaten, f"to {place}")
        elif retreat and not force and not self.lines.faction:
            self.later.retreat_lines.append(SentenceLine(line, retreat))
        elif force and self.sentences.reads_for_every(line, force, order):
            self.read_order(line, force, order)
        elif force:
            self.reject_without_colon(line, force, order)
        elif self.lines.is_below_address and self.lines.is_meant(text):
            if named and self.lines.is_every(named.words):
                self.later.keep_for_rest(line, named.words, named.order)
            else:
                self.reject_unclear(line, text)
        elif self.lines.is_below_address and (parts := self.lines.unknown_force(text)):
            self.read_order(line, *parts)
        elif named and not self.lines.faction and self.lines.is_every(named.words) and begins:
            self.read_order(line, named.words, named.order)
        elif named and self.lines.may_order_every(named):
            self.reject_without_colon(line, named.words, named.order)
        elif named and (is_near or named.has_sign):
            self.record.keep_unread(line, text, self.lines.forces_meant(named.words))
        else:
            self.record.keep_unread(line, text)

    def reject_unclear(self, line: PlainLine, text: str) -> None:
        """Reject a line below an address that is meant as an order, except for requests and corrections."""
        corrected = self.lines.corrected_line(text)
        is_other = self.sentences.is_only_request(line, text) or self.changes_order(line, text)
        if is_other and not corrected:
            self.record.keep_unread(line, text)
            return
        owing, spoken = self.lines.beaten_now(), WORD.findall(text.casefold())
        form = "write FORCE: ORDER"
        if corrected:
            form = f"did you mean {quoted(corrected)}?"
        elif len(owing) == 1:
            form = self.parser.retreat_hint(owing[0], spoken)
        elif CONDITION.search(text):
            form = UNCONDITIONAL
        elif self.lines.is_whole_order("all", text):
            form = f"for all forces, write all: {text}"
        error = f"cannot read {quoted(with_bracket(text), LONGEST)}; {form}"
        command = self.findings.decision(error, self.lines.forces_meant(text))
        command = command or self.findings.retreat_command(owing, spoken)
        self.record.reject(line, error, text, hint=command)

    def reject_without_colon(self, line: PlainLine, words: str, order: str) -> None:
        """Reject an order that lacks its colon. The error says too what is wrong with the order.

        A line for all forces is rejected at the end, if it can mean a force.
        """
        if self.lines.is_every(words):
            self.later.keep_for_rest(line, words, order)
            return
        self.record.reject(line, self.lines.colon_error(words, order), words, self.lines.faction_meant(words))

    def command(self, error: str, words: str, text: str) -> str:
        """Return the umpire's command for the refused order of the forces that the words name, or ""."""
        forces = [*self.lines.forces_meant(words)]
        spoken = WORD.findall(text.casefold())
        return self.findings.decision(error, forces) or self.findings.retreat_command(forces, spoken)

    def changes_order(self, line: PlainLine, text: str) -> bool:
        """Return True if a line may change an order above it."""
        spoken = WORD.findall(text.casefold())
        late = self.findings.late_orders(line, self.lines.forces_in(spoken, self.lines.faction))
        return bool(late) and self.findings.may_change(line, spoken, late)

    def read_order(self, line: PlainLine, words: str, text: str) -> None:
        """Read one order, for one force or for all forces of a faction. An order without text is ignored."""
        if not text or text.casefold() == RETREAT:
            self.form = FormLine(words, text, line.depth)
            self.later.forms += [self.form] if line.depth else []
            return
        self.order_line = line
        self.findings.paragraphs.add(self.findings.paragraph)
        if (
            self.lines.address.is_past
            and line.depth
            and BEGINS_IN_ANY_FORM.match(text)
            and not RETREATING.match(text)
        ):
            return  # a quoted order of the movement, which is not the answer where a force retreats
        try:
            text = self.record.same_text(line, words, text)
            text = self.sentences.without_each(text) if self.lines.names_in(words) else text
            self.record.above = OrderText(line.depth, text)
            is_unknown = not self.lines.faction and self.lines.is_every(words)
            if is_unknown or self.lines.faction_of_rest(words):
                self.later.for_rest.append(OrderForRest(line, words, text, self.lines.address))
                return
            self.record.give(line, self.lines.forces_named(words), text)
        except ValueError as error:
            is_lost = isinstance(error, LostForce)
            about = self.lines.sender if is_lost else self.lines.faction_meant(words)
            is_off_map = isinstance(error, NotOnMap)
            if is_off_map and self.lines.faction and not self.lines.can_be_order(text):
                self.findings.ignored[line.number] = line.bare  # such as `kin: (poor Marra ...)`
                return
            hint = error.hint if isinstance(error, UnknownForce) else self.command(str(error), words, text)
            told = f"{words}: {self.lines.with_advice(str(error), text)}"
            self.record.reject(line, told, words, about, is_off_map=is_off_map, hint=hint)
            last = self.findings.found[-1]  # its text can have orders of other forces
            others = self.lines.subjects_in(text)
            forces = [*dict.fromkeys((*last.forces, *others))]
            is_possible = self.lines.can_be_order(text)
            self.findings.found[-1] = last._replace(forces=forces, is_label=True, can_be_order=is_possible)


def opened_orders(parser: OrderParser, faction: str, text: str) -> Orders:
    opened = OrderParser(
        parser.campaign,
        parser.faction,
        has_moved=parser.has_moved,
        retreats=parser.retreats,
        is_opened=True,
        past=parser.past,
    )
    reader = MessageReader(opened, "", faction)
    reader.lines.is_below_address = True
    reader.read_parts(PlainLine(0, text), text)
    return reader.orders()


def read_orders(
    parser: OrderParser, file: str, text: str, skipped: Mapping[str, str] | None = None
) -> Orders:
    """Return the orders in a pasted text, and the errors with their lines.

    Mail programs put `>` before quoted lines. Of each faction, only the orders with the fewest `>` marks
    count, and quoted orders of other factions than the sender do not count. Lines that seal or open orders
    are skipped, and so are the lines in `skipped`, which map to the faction that sent them, or to "". Raises
    InvalidInput if the text is too long.
    """
    return reader_of(parser, file, text, skipped).orders()


def senders_of(parser: OrderParser, file: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the depth and the faction of each address and order in a text, as `Findings.signs` does."""
    reader = reader_of(parser, file, text)
    reader.later.read_orders_for_rest()
    yield from reader.findings.signs()


def reader_of(
    parser: OrderParser, file: str, text: str, skipped: Mapping[str, str] | None = None
) -> MessageReader:
    """Return a reader that has read a pasted text. The arguments are those of `read_orders`."""
    lines = plain_lines(file, text)

    def reader_for(sender: str, author: str) -> MessageReader:
        reader = MessageReader(parser, file, sender=sender)
        findings = reader.findings
        findings.is_mail, findings.sender = begins_with_header(text), author
        findings.is_marked, findings.is_certain = has_quotation_marks(text), is_quotation_certain(text)
        reader.read_lines(lines, skipped or {})
        return reader

    reader = reader_for("", "")
    quoted_sender = reader.senders.quoted_sender(0)
    if not parser.faction and (author := reader.senders.sender_of_mail()):
        of_author = reader_for(author, author)
        if (
            len(of_author.findings.forces_with_lines(author)) > 1
        ):  # one order can be a joke about another player's force
            return of_author
    if parser.faction:
        return reader
    if quoted_sender:
        sender = reader.senders.other_sender(quoted_sender) or quoted_sender  # another one forwards the mail
        return reader_for(sender, sender)
    sender = reader.senders.only_sender()
    return reader_for(sender, "") if sender else reader

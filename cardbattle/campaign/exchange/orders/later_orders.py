"""Read the orders of a message that depend on its other lines, such as `all others hold`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import ENDING, MARKUP
from cardbattle.battles.messages.pasted_text import PlainLine
from cardbattle.campaign.exchange.orders.decision.findings import Finding, is_hiring
from cardbattle.campaign.exchange.orders.lines import Address
from cardbattle.campaign.exchange.orders.recorder import OrderRecorder, OrderText
from cardbattle.campaign.exchange.orders.remarks import is_only_remark
from cardbattle.campaign.exchange.orders.senders import SenderFinder
from cardbattle.campaign.exchange.orders.sentences import FormLine
from cardbattle.campaign.exchange.orders.words import CORRECTING
from cardbattle.files.errors import PlacedDiagnostic


class OrderForRest(NamedTuple):
    """An order for all forces of a faction that have no other order, and the address above it."""

    line: PlainLine
    words: str
    text: str
    address: Address
    excepted: Collection[str] = ()  # forces that must have an order of their own


class SentenceLine(NamedTuple):
    """A line with a sentence such as `we fall back to the ford`, of a sender who is not known yet."""

    line: PlainLine
    text: str


class LaterOrders:
    """Keeps the lines that are read after all others, and reads them."""

    def __init__(self, record: OrderRecorder, senders: SenderFinder) -> None:
        self.record = record
        self.senders = senders
        self.findings = record.findings
        self.lines = record.lines
        self.parser = record.parser
        self.sentences = record.sentences
        self.for_rest: list[OrderForRest] = []  # read after the orders of single forces
        self.unread_for_rest: list[OrderForRest] = []  # without a colon; they count only if a force is left
        self.retreat_lines: list[SentenceLine] = []  # read if a quoted address names the sender
        self.forms: list[FormLine] = []  # all quoted forms

    def read(self) -> None:
        """Read the lines, after all others are read."""
        self.read_orders_for_rest()
        self.reject_unread_for_rest()
        with self.lines.below(Address(self.senders.only_asked())):
            self.read_retreat_lines()
            self.read_place()
            self.read_order_of_form()

    def read_orders_for_rest(self) -> None:
        """Read the orders for all forces without a line of their own, after the lines of single forces.

        A line that was rejected counts. A line that is quoted more often than the order for all is older, and
        does not count. If no address is above the order, the only quoted address names the faction.
        """
        single = [*self.findings.found]
        for order in self.for_rest:
            faction = order.address.faction or self.senders.sender_of_all(order.line, order.words)
            with self.lines.below(order.address._replace(faction=faction)):
                self.read_order_for_rest(order, single)

    def read_order_for_rest(self, order: OrderForRest, single: Sequence[Finding]) -> None:
        """Give an order to all forces that no line in `single` names, which must name the excepted ones."""
        line, words = order.line, order.words
        lines = [each for each in single if each.depth <= line.depth]
        named = {*chain.from_iterable(each.named for each in lines if not is_hiring(each))}
        hiring = {*chain.from_iterable(each.named for each in lines if is_hiring(each))}
        without = [force for force in order.excepted if force not in named]
        try:
            if without:
                raise ValueError(f"the order of {without[0]} is missing; write {without[0]}: ORDER too")
            forces = [force for force in self.lines.forces_named(words) if force not in named]
            self.findings.rest_lines.add(line.number)
            self.record.give(line, forces, order.text, hiring)
        except ValueError as error:
            hint = self.findings.decision(str(error), ())
            self.record.reject(line, f"{words}: {error}", words, self.lines.faction_meant(words), hint=hint)

    def reject_unread_for_rest(self) -> None:
        """Reject the lines for all forces that lack a colon, such as `all of us go to the ford`.

        If each force of a known sender has a line of its own, or an order below, such a line is a remark.
        """
        for order in self.unread_for_rest:
            line, words = order.line, order.words
            faction = order.address.faction or self.senders.sender_of_all(line, words)
            lines = [each for each in self.findings.found if each.depth <= line.depth]
            named = {*chain.from_iterable(each.named for each in lines)}
            forces = self.parser.movable(faction) if faction else []
            is_above = self.findings.is_above_all_orders(line, faction or self.senders.only_asked())
            if is_above or (forces and named.issuperset(forces)):
                self.findings.ignored[line.number] = line.bare
                continue
            with self.lines.below(order.address._replace(faction=faction)):
                error = self.lines.colon_error(words, order.text)
                self.record.reject(line, error, words, self.lines.faction_meant(words))

    def keep_for_rest(self, line: PlainLine, words: str, text: str) -> None:
        """Keep a line for all forces that lacks its colon, until the orders of single forces are read."""
        self.record.above = OrderText(line.depth, "")
        self.unread_for_rest.append(OrderForRest(line, words, text, self.lines.address))

    def read_retreat_lines(self) -> None:
        """Read retreats above a quotation whose address names the only faction of the message.

        If this faction has no beaten force, such a line is only kept.
        """
        beaten = self.beaten_meant()
        found = [*self.findings.found]
        for line, text in self.retreat_lines:
            named = chain.from_iterable(each.named for each in found if each.depth <= line.depth)
            if not beaten:
                self.record.keep_unread(line, line.bare.strip(MARKUP + ENDING))
            elif {*named}.isdisjoint(beaten):
                self.record.read_retreat(line, beaten, text)

    def read_place(self) -> None:
        """Read a place alone above a quotation with marks that asks only where one force retreats.

        All other lines of the sender must be remarks that cannot change an order.
        """
        lines = [(line, self.sentences.place_alone(line.bare)) for line in self.senders.unquoted]
        places = [(line, place) for line, place in lines if place]
        form = self.only_form()
        if len(places) != 1 or form is None or not form.order:
            return
        [(line, place)] = places
        beaten = self.beaten_meant()
        is_above = self.findings.is_marked and line.number <= self.senders.last_unquoted
        others = (other.bare for other in self.senders.unquoted if other != line)
        names = self.parser.name_words(beaten[0]) if beaten else ()
        if (
            is_above
            and [*beaten] == [*self.lines.forces_meant(form.words)]
            and not any(finding.named for finding in self.findings.found if not finding.depth)
            and all(is_only_remark(other, names) and not CORRECTING.search(other) for other in others)
        ):
            self.forget(line)
            self.record.read_retreat(line, beaten, f"to {place}")

    def forget(self, line: PlainLine) -> None:
        """Remove a line, which can be read after all, from those that are not read."""
        self.findings.unread = [each for each in self.findings.unread if each.line != line]
        self.findings.ignored.pop(line.number, None)

    def read_order_of_form(self) -> None:
        """Read an order without a force above a quotation with marks that asks for the order of one force.

        All other forces of the faction must have orders, as the program's own form implies. All other lines
        of the sender must be remarks that cannot change an order, and no other line may have an order.
        """
        form = self.only_form()
        if form is None or form.order or not self.findings.is_marked or self.parser.has_moved:
            return
        orders = [
            (line, order)
            for line in self.senders.unquoted
            if (order := self.sentences.order_alone(form.words, line.bare))
        ]
        left = {*self.parser.movable(self.lines.faction)} - {*self.parser.campaign.orders}
        if len(orders) != 1 or not left.issubset(self.lines.forces_meant(form.words)):
            return
        [(line, order)] = orders
        others = [each for each in self.senders.unquoted if each != line]
        own_findings = [each for each in self.findings.found if each.content.line == line.number]
        is_only = len(own_findings) == len(self.findings.found) and all(
            isinstance(each.content, PlacedDiagnostic) for each in own_findings
        )
        if (
            is_only
            and line.number <= self.senders.last_unquoted
            and all(self.sentences.is_no_order(each.bare) for each in others)
        ):
            self.findings.found = []
            self.findings.requests = [each for each in self.findings.requests if each.line != line]
            self.forget(line)
            self.record.give(line, self.lines.forces_named(form.words), order)

    def only_form(self) -> FormLine | None:
        """Return the only quoted form of a message to one faction."""
        return self.forms[0] if len(self.forms) == 1 and self.senders.only_asked() else None

    def beaten_meant(self) -> Sequence[str]:
        """Return the sender's beaten forces that a retreat without a name can mean.

        It is the force of the only quoted form, if the retreats of the others are chosen.
        """
        beaten = self.lines.beaten_now()
        asked = [*self.lines.forces_meant(self.forms[0].words)] if len(self.forms) == 1 else []
        is_only = {*asked}.issuperset(self.parser.without_retreat(self.lines.faction))
        return asked if len(asked) == 1 and asked[0] in beaten and is_only else beaten

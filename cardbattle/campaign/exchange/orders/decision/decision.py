"""Decide which orders and errors in a message count."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from cardbattle.battles.messages.pasted_text import MOST_CHARACTERS
from cardbattle.campaign.exchange.orders.decision.findings import (
    Finding,
    Findings,
    Orders,
    is_hiring,
    senders_among,
    with_requests,
)
from cardbattle.campaign.exchange.orders.decision.unread_lines import PlacedError, UnreadLines
from cardbattle.campaign.exchange.orders.lines import Address
from cardbattle.campaign.exchange.orders.parser import KINDS_OF_ORDER, GivenOrder
from cardbattle.core.names import quoted
from cardbattle.files.errors import PlacedDiagnostic

Slot = tuple[str, str]  # a force, and the kind of an order


def nearest_depths(own: Sequence[Finding]) -> dict[str, int]:
    """Return the smallest depth of each faction's findings. Orders to hire count only without others.

    An error of an unknown faction counts for every faction, so that an old quoted order does not replace a
    new but rejected order.
    """
    unknown = min((each.depth for each in own if not each.faction), default=MOST_CHARACTERS)
    moving = [each for each in own if not is_hiring(each)]
    factions = {each.faction for each in moving}
    depths: dict[str, int] = {}
    for each in (*moving, *(each for each in own if each.faction not in factions)):
        depths[each.faction] = min(each.depth, depths.get(each.faction, unknown))
    return depths


class Decision:
    """Decides which findings of a message count. Several different orders for one force are an error."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        if findings.sender and findings.lines.faction not in ("", findings.sender):  # of a quoted address
            findings.lines.address, findings.lines.sender = Address(), findings.sender
        self.senders = senders_among(findings.signs())
        self.own = [each for each in findings.found if not self.senders.is_foreign(each.depth, each.faction)]
        self.foreign = [each for each in findings.found if each not in self.own]
        self.nearest_depth = nearest_depths(self.own)
        self.found = [*filter(self.counts, self.own)]
        self.known = senders_among(findings.signs_of_readers(self.found))

    def counts(self, finding: Finding) -> bool:
        """Return True if a finding is not older than others of its faction. Orders to hire can be newer."""
        nearest = self.nearest_depth[finding.faction]
        return finding.depth == nearest or (is_hiring(finding) and finding.depth < nearest)

    def orders(self) -> Orders:
        """Return the orders that count, with the errors and the notes about ignored text."""
        findings, found = self.findings, self.found
        given, contradictions = self.orders_of_forces()
        errors = [*self.errors_found(), *(error for _, error in contradictions)]
        errors += findings.remark_errors(found, {force for force, _ in given}, self.known)
        errors += findings.quoted_errors([each for each in self.own if each not in found], found, self.known)
        errors += UnreadLines(findings, self.nearest_depth, self.senders, self.known).errors()
        refused = {(force, kind) for force in findings.doubtful for kind in KINDS_OF_ORDER}
        refused.update(slot for slot, _ in contradictions)
        left = (order for order in given.values() if order.slot not in refused)
        accepted = [*map(findings.with_whole_remark, left)]
        wrong = {error.line for error, _ in errors}
        errors = with_requests(errors, findings.request_errors(self.known, accepted, wrong))
        of_others = [*findings.orders_of_others(accepted)]
        errors += [(findings.one_sender_error(order), "") for order in of_others]
        accepted = [order for order in accepted if order not in of_others]
        errors = errors if given or errors else [(error, "") for error in findings.battle_answers]
        errors = list({(str(error), error.line): (error, sender) for error, sender in errors}.values())
        errors.sort(key=lambda pair: pair[0].line)
        only_sender = next(iter(self.senders.factions)) if len(self.senders.factions) == 1 else ""
        return Orders(
            accepted,
            [error for error, _ in errors],
            [*self.notes(accepted, {error.line for error, _ in errors})],
            senders=[sender for _, sender in errors],
            author=findings.parser.faction or only_sender,
            is_past=findings.is_past,
            quoted=[*findings.foreign_errors(self.foreign)],
        )

    def sender_of(self, finding: Finding) -> str:
        """Return the faction that sent a finding, or ""."""
        return self.findings.sender_of(finding.faction, finding.about, self.known, finding.depth)

    def errors_found(self) -> Iterator[PlacedError]:
        """Yield the errors that were found while reading the lines."""
        for each in self.found:
            if isinstance(each.content, PlacedDiagnostic):
                yield each.content, self.sender_of(each._replace(faction="") if each.is_guessed else each)

    def orders_of_forces(
        self,
    ) -> tuple[Mapping[Slot, GivenOrder], Sequence[tuple[Slot, PlacedError]]]:
        """Return the first order of each kind for each force, and an error for each different one."""
        given: dict[Slot, GivenOrder] = {}
        contradictions: list[tuple[Slot, PlacedError]] = []
        for each in self.found:
            order = each.content
            if isinstance(order, GivenOrder):
                earlier = given.setdefault(order.slot, order)
                if earlier.order != order.order:
                    error = self.findings.contradiction(earlier, order)
                    contradictions.append((order.slot, (error, self.sender_of(each))))
        return given, contradictions

    def notes(self, accepted: Sequence[GivenOrder], wrong: Collection[int]) -> Iterator[str]:
        """Yield notes about remarks and lines that are ignored. The lines in `wrong` have errors."""
        findings, foreign = self.findings, [each.content for each in self.foreign]
        for order in accepted:
            if order.remark:
                yield f"{order.force}: {order.order}; ignored: {quoted(order.remark)}"
        for line, text in findings.ignored.items():
            if line not in wrong:
                yield f"line {line}: ignored: {quoted(text)}"
        because = "ignored, because another player quotes it"
        for content in foreign:
            if isinstance(content, GivenOrder):
                yield f"line {content.line}: {because}: {content.force}: {content.order}"
        for content in foreign if not findings.is_marked else ():
            if isinstance(content, PlacedDiagnostic):
                yield f"line {content.line}: {because}: {content.source.lstrip('> ')}"

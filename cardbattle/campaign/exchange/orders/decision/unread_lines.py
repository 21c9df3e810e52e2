"""Errors about the lines of a message that are not read, but can be meant as orders."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.battles.messages.pasted_text import PlainLine
from cardbattle.campaign.exchange.orders.addresses import LONGEST
from cardbattle.campaign.exchange.orders.decision.findings import (
    Findings,
    Senders,
    UnreadLine,
    is_conditional,
    quoted_line,
)
from cardbattle.campaign.exchange.orders.lines import ONE_EACH
from cardbattle.campaign.exchange.orders.parser import HIRING_ORDER, UNCONDITIONAL, GivenOrder
from cardbattle.campaign.exchange.orders.words import CANCELLING, CORRECTING, RETREATING
from cardbattle.campaign.state.tables.march_orders import RETREAT
from cardbattle.core.names import quoted
from cardbattle.files.errors import PlacedDiagnostic

PlacedError = tuple[PlacedDiagnostic, str]  # an error, and the faction that sent its line, or ""


class MeantLine(NamedTuple):
    """What a line that is not read can mean.

    Attributes:
        unread: the line.
        own_line: its text in quotation marks.
        written_by: the faction of the address above it, or "" if two factions can have written it.
        forces: the forces that it can mean.
        left: those of them that have no order.
        ordered: the forces with an order on another line.
        retreats: the beaten forces whose retreats it can mean.
        late: the orders above it that it may change.

    """

    unread: UnreadLine
    own_line: str
    written_by: str
    forces: Sequence[str]
    left: Sequence[str]
    ordered: Collection[str]
    retreats: Sequence[str]
    late: Sequence[GivenOrder]

    @property
    def line(self) -> PlainLine:
        return self.unread.line

    @property
    def words(self) -> Sequence[str]:
        return self.unread.words


class UnreadLines:
    """Yields an error and its sender for each line that is not read, but can be meant as an order.

    `nearest_depth` has the smallest depth of each faction's orders. Lines that were quoted more often do not
    count. An order in a quotation is older than a line above it, so this line can correct it. A long line
    that corrects nothing is often a story, which changes no order.
    """

    def __init__(
        self, findings: Findings, nearest_depth: Mapping[str, int], senders: Senders, known: Senders
    ) -> None:
        self.findings = findings
        self.parser = findings.parser
        self.nearest_depth = nearest_depth
        self.senders = senders
        self.known = known
        self.deepest = max(nearest_depth.values(), default=findings.skipped_depth)

    def errors(self) -> Iterator[PlacedError]:
        for unread in self.findings.unread:
            meant = self.meaning_of(unread)
            if meant is not None:
                yield from self.errors_about(meant)

    def meaning_of(self, unread: UnreadLine) -> MeantLine | None:
        """Return what a line can mean, or None for a remark."""
        findings, (line, words) = self.findings, unread[:2]
        if not (unread.corrected or unread.request) and findings.is_about_result(line, words):
            findings.ignored[line.number] = line.bare
            return None
        is_story = len(line.bare) > LONGEST and not CORRECTING.search(" ".join(words))
        orders = findings.orders_to(self.deepest if is_story else line.depth)
        ordered = {order.force for order in orders if order.kind != HIRING_ORDER}
        retreats = findings.retreats_meant(words, unread.faction, self.senders, ordered)
        spoken = [word for word in words if not (retreats and word in self.parser.place_words)]
        forces = unread.forces or findings.lines.forces_in(spoken, unread.faction or findings.lines.faction)
        late = [] if is_story else findings.late_orders(line, forces)
        if self.is_remark(unread, late):
            return None
        left = [force for force in forces if force not in ordered]
        left = [
            force for force in left if not self.senders.is_foreign(line.depth, self.parser.faction_of(force))
        ]
        return MeantLine(
            unread,
            quoted_line(line.bare),
            "" if findings.is_between(line) else unread.faction,
            forces,
            left,
            ordered,
            retreats,
            late,
        )

    def is_remark(self, unread: UnreadLine, late: Sequence[GivenOrder]) -> bool:
        """Return True if a line counts only beside orders in its paragraph, and changes none."""
        findings, line = self.findings, unread.line
        is_remark = unread.paragraph is not None and not findings.may_change(line, unread.words, late)
        if is_remark and late:
            findings.ignored[line.number] = line.bare
        is_apart = unread.paragraph not in (None, *findings.paragraphs)
        return is_apart and (is_remark or not late)

    def errors_about(self, meant: MeantLine) -> Sequence[PlacedError]:
        """Return the error about a line that can be meant as an order. A request or a remark has none."""
        findings, unread, line, words = self.findings, meant.unread, meant.line, meant.words
        if meant.left and line.depth <= self.deepest:
            return [self.force_without_order(meant)]
        if unread.other_turn and (given := findings.orders_now(line, meant.forces)):
            return [self.order_for_other_turn(meant, given[0].force)]
        if doubt := findings.late_doubt(line, words, meant.late):
            return [self.late_correction(meant, doubt)]
        if unread.request and meant.forces:
            findings.keep_request(unread)
        elif self.is_retreat(meant):
            return [self.retreat(meant)]
        elif unread.unknown and findings.is_above_all_orders(
            line, findings.sender_meant(unread.faction, self.senders)
        ):
            findings.ignored[line.number] = line.bare
        elif not meant.forces:
            return self.errors_without_force(meant)
        return []

    def sender(self, meant: MeantLine, about: str) -> str:
        """Return the sender of a line about forces of a faction, or ""."""
        return self.findings.sender_of(meant.written_by, about, self.known, meant.line.depth)

    def force_without_order(self, meant: MeantLine) -> PlacedError:
        """Return the error about a line that names a force without an order."""
        findings, line, words, force = self.findings, meant.line, meant.words, meant.left[0]
        is_beaten = force in self.parser.retreats
        form = self.form_of(meant, force)
        doubt = findings.doubt(meant.left, self.nearest_depth) or findings.late_doubt(line, words, meant.late)
        text = f"names {force}, but is not an order{doubt}; {form}"
        forces = meant.left[:1] if is_beaten else meant.retreats
        hint = findings.decision(text, meant.left) or findings.retreat_command(forces, words)
        error = findings.umpire_error(line, f"this line {text}{hint}", player_text=f"{meant.own_line} {text}")
        return error, self.sender(meant, self.parser.faction_of(force))

    def form_of(self, meant: MeantLine, force: str) -> str:
        """Return what to write instead of a line that names this force without an order."""
        findings, line = self.findings, meant.line
        if is_conditional(line.bare):
            return f"{UNCONDITIONAL}, such as {force}: ORDER"
        if force in self.parser.retreats:
            return self.parser.retreat_hint(force, meant.words)
        form = f"write {force}: ORDER"
        if meant.unread.corrected:
            form = f"did you mean {quoted(meant.unread.corrected)}?"
        elif len(line.bare) <= LONGEST and findings.lines.has_more_orders(line.bare):
            form = f"{ONE_EACH}, such as {force}: ORDER"
        return findings.form_or_retreat(form, force, meant.ordered)

    def order_for_other_turn(self, meant: MeantLine, force: str) -> PlacedError:
        text = f"{meant.own_line} {self.findings.about_turn(meant.unread.other_turn)}"
        return self.findings.error(meant.line, text), self.sender(meant, self.parser.faction_of(force))

    def late_correction(self, meant: MeantLine, doubt: str) -> PlacedError:
        """Return the error about a line that may change an order above it."""
        force = meant.late[0].force
        is_retreat = meant.late[0].order.verb == RETREAT and force in self.parser.retreats
        form = self.parser.retreat_forms(force) if is_retreat else f"write {force}: ORDER"
        error = self.findings.error(meant.line, f"{meant.own_line} can be a correction{doubt}; {form}")
        return error, self.sender(meant, self.parser.faction_of(force))

    def is_retreat(self, meant: MeantLine) -> bool:
        """Return True if a line can be the retreat of a beaten force that it does not name."""
        is_meant = not meant.ordered or RETREATING.search(" ".join(meant.words)) is not None
        return bool(meant.retreats) and not meant.forces and is_meant

    def retreat(self, meant: MeantLine) -> PlacedError:
        """Return the error about a line that can be the retreat of a beaten force."""
        findings, words = self.findings, meant.words
        doubt = findings.doubt(meant.retreats, self.nearest_depth)
        form = "; ".join(self.parser.retreat_hint(force, words) for force in meant.retreats)
        text = f"{meant.own_line} names no force, but can be a retreat{doubt}; {form}"
        hint = findings.retreat_command(meant.retreats, words)
        error = findings.umpire_error(meant.line, text + hint, player_text=text)
        return error, self.sender(meant, self.parser.faction_of(meant.retreats[0]))

    def errors_without_force(self, meant: MeantLine) -> Sequence[PlacedError]:
        """Return the error about a line that names no force, if it may be an order or correct one."""
        findings, unread, line = self.findings, meant.unread, meant.line
        own = [order.force for order in findings.orders_to(self.deepest) if order.force not in meant.ordered]
        may_correct = unread.unknown or findings.may_correct(line, meant.words)
        doubt = findings.doubt(own, self.nearest_depth) if may_correct else ""
        sender = self.sender(meant, "")
        is_foreign = self.senders.is_foreign(line.depth, unread.faction)
        has_condition = is_conditional(line.bare)
        if doubt or (unread.unknown and line.depth <= self.deepest and not is_foreign):
            may_be = f", but can be a correction{doubt}" if doubt else ""
            form = f"; {UNCONDITIONAL}" if has_condition else "; write FORCE: ORDER"
            form = findings.nearest_force(unread.unknown, sender) or form
            return [(self.undecided(meant, f"names no force{may_be}{form}"), sender)]
        if not line.depth and has_condition:
            text = f"names no force, so it changes no order; {UNCONDITIONAL} for each force"
            return [(self.undecided(meant, text), sender)]
        if findings.is_correction_below(line):
            text = "can be a correction, but names no force, so it changes no order"
            form = "to change one, write FORCE: ORDER"
            return [(findings.error(line, f"{meant.own_line} {text}; {form}"), sender)]
        if unread.request and not CANCELLING.search(unread.request):
            findings.keep_request(unread)
        return []

    def undecided(self, meant: MeantLine, text: str) -> PlacedDiagnostic:
        """Return an error about a line with the command by which the umpire decides what it means."""
        said = f"{meant.own_line} {text}"
        return self.findings.umpire_error(
            meant.line, said + self.findings.decision(said, ()), player_text=said
        )

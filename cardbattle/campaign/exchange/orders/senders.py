"""Decide which factions have written a message with orders, and which of them answer a past turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from cardbattle.battles.messages.answer_text import MARKUP, place_of
from cardbattle.battles.messages.pasted_text import PlainLine
from cardbattle.campaign.exchange.message_error import MessageError, is_settled, player_text
from cardbattle.campaign.exchange.orders.addresses import address_word, is_over, reply_error, undo_hint
from cardbattle.campaign.exchange.orders.decision.findings import Finding, Findings, Orders, senders_among
from cardbattle.campaign.exchange.orders.lines import LINE, Address
from cardbattle.campaign.exchange.orders.parser import GivenOrder
from cardbattle.campaign.state.tables.march_orders import RETREAT
from cardbattle.core.names import listed
from cardbattle.files.errors import PlacedDiagnostic


class SenderFinder:
    """Decides who has written a message, from its addresses and its own lines.

    `sender` is the faction that has written the lines without `>`, or "" if the message must show it.
    """

    def __init__(self, findings: Findings, sender: str) -> None:
        self.findings = findings
        self.lines = findings.lines
        self.parser = findings.parser
        self.sender = sender
        self.asked: set[str] = set()  # factions of addresses of this turn
        self.turns: dict[str, int] = {}  # the latest turn in an address of each faction
        self.unquoted: list[PlainLine] = []  # the sender's own lines
        self.last_unquoted = 0  # the number of the last line above all quoted lines
        self.above_address = 0  # how many unquoted lines end with the first address of a faction

    def add_own_line(self, line: PlainLine) -> None:
        """Add a line without `>`, which can be empty."""
        if self.last_unquoted == line.number - 1:
            self.last_unquoted = line.number
        if text := line.bare.lstrip(MARKUP):
            self.unquoted.append(line)
            self.findings.own_lines[line.number] = text

    def add_address(self, line: PlainLine, address: re.Match[str]) -> None:
        """Add an address, which can be wrong."""
        campaign, side = self.parser.campaign, address["side"].lower()
        if side in campaign.factions:
            self.findings.addresses.append((line.depth, side))
            self.findings.own_addresses += [] if line.depth else [(line.number, side)]
            self.above_address = self.above_address or len(self.unquoted)
        if (address["battle"] or "").lower() in ("", address_word(campaign)):
            self.turns[side] = max(place_of(address), self.turns.get(side, 0))

    def silent_senders(self, read: Orders) -> list[str]:
        """Return the senders with an address of this turn of whose lines none is read, skipped or wrong.

        A question to the umpire is not enough.
        """
        senders = senders_among(self.findings.signs()).factions
        errors = zip(read.errors, read.senders, strict=True)
        wrong = {sender for error, sender in errors if not is_settled(error)}
        heard = wrong.union(self.findings.skipped, (each.faction for each in self.findings.found))
        return [] if "" in heard else [each for each in senders if each in self.asked - heard]

    def reject_replies_to_past_turns(self) -> None:
        """Replace the orders of each faction whose addresses are all of turns that are over with one error.

        Such a message answers a message of that turn. Only orders without an address above them are meant:
        those above a quoted address, or below the quotation. The error of the quoted address is enough, if
        it counts: beside another line of the sender, it does not. A line that only names a force is late too.
        """
        found = self.findings.found
        for faction, turn in self.turns.items():
            late = [each for each in found if each.faction == faction and is_march_without_turn(each)]
            unread = self.unread_of(faction)
            if not (late or unread) or not is_over(self.parser, turn):
                continue
            named = chain.from_iterable((*(each.named for each in late), *unread.values()))
            forces = [*dict.fromkeys(named)]
            lines = [(each.depth, each.content.line) for each in late] + [(0, number) for number in unread]
            depth, line = min(lines)
            self.findings.unread = [each for each in self.findings.unread if each.line.number not in unread]
            text = reply_error(self.parser, faction, turn)
            found[:] = [each for each in found if each not in late]
            counted = min((each.depth for each in found if each.faction in ("", faction)), default=0)
            if not any(is_error(each, text) and each.depth <= counted for each in found):
                said = f"{listed(forces)}: {text}"
                hint = undo_hint(self.parser, turn)
                error = MessageError(f"{said}{hint}", said, file=self.findings.file, line=line)
                found.append(Finding(faction, depth, error, faction, forces))

    def unread_of(self, faction: str) -> dict[int, list[str]]:
        """Return the forces that each own unread line names, by line number, unless a force must retreat."""
        own = [each for each in self.findings.unread if not each.line.depth and not self.parser.retreats]
        named = {each.line.number: self.lines.forces_in(each.words, faction) for each in own}
        return {number: forces for number, forces in named.items() if forces}

    def unquoted_sender(self, depth: int) -> str:
        """Return the faction of `--for`, or of the last address quoted at most `depth` times, or ""."""
        above = [faction for quoted_by, faction in self.findings.addresses if quoted_by <= depth]
        return self.parser.faction or (above[-1] if above else "")

    def only_asked(self) -> str:
        """Return the only faction with an address of this turn, or ""."""
        return next(iter(self.asked)) if len(self.asked) == 1 else ""

    def sender_of_all(self, line: PlainLine, words: str) -> str:
        """Return the faction that has written a line for all its forces, or "" if it is unknown."""
        with self.lines.below(Address()):
            sender = self.sender_of(line) if self.lines.is_every(words) else ""
        return self.quoted_sender(line.depth) or sender

    def sender_of(self, line: PlainLine) -> str:
        """Return the known faction that has written a line, or ""."""
        return "" if line.depth else self.sender

    def only_sender(self) -> str:
        """Return the only faction with an order in a message without addresses, or ""."""
        return "" if self.findings.addresses else self.only_ordering(self.findings.found)

    def sender_of_mail(self) -> str:
        """Return the only faction with an order in a mail with a header and without addresses, or "".

        One other line can begin with a force of another faction, if no force can carry it out: whether an
        order is rejected must not show what is hidden.
        """
        found, ordered = self.findings.found, self.findings.factions_with_orders()
        others = [each for each in found if each.is_guessed and each.about not in ("", *ordered)]
        is_clear = self.findings.is_mail and not self.findings.addresses and len(ordered) == 1
        is_clear = is_clear and len(others) <= 1 and not any(each.can_be_order for each in others)
        return next(iter(ordered)) if is_clear else ""

    def other_sender(self, quoted_faction: str) -> str:
        """Return the only faction with an order outside quotations, or "" if the mail is not a forwarded one.

        All addresses are quoted, and are of `quoted_faction`. The answer must not depend on its hidden forces
        and leaders: this reader knows no sender, a rejected order counts, and so does every line that can be
        an order of this faction.
        """
        own = [each for each in self.findings.found if not each.depth]
        factions = {each.about if each.is_guessed else each.faction for each in own} - {""}
        is_quoted = all(depth for depth, _ in self.findings.addresses)
        with self.lines.below(Address()):
            is_other = is_quoted and len(factions) == 1 and not self.can_order(quoted_faction)
        return factions.pop() if is_other else ""

    def can_order(self, faction: str) -> bool:
        """Return True if an own line can be an order for a force that a faction has or had.

        No faction is known. The line can also name a hidden leader.
        """
        for part in chain.from_iterable(self.lines.parts_of(line.bare) for line in self.unquoted):
            named, label = self.lines.named_line(part), LINE.search(part)
            order = named.order if named else label["order"] if label else ""
            forces = self.lines.forces_meant(named.words) if named else ()
            is_own = any(
                self.parser.faction_of(each) == faction or self.parser.new_faction(each, faction)
                for each in forces
            )
            if (is_own or not named) and order and self.lines.can_be_order(order):
                return True
        return False

    def only_ordering(self, found: Sequence[Finding]) -> str:
        """Return the only faction with an order in these findings, if none is quoted, or ""."""
        orders = [each for each in found if isinstance(each.content, GivenOrder)]
        factions = {each.faction for each in orders}
        factions.update(each.about for each in found if each.is_guessed and each.about)
        is_clear = orders and len(factions) == 1
        return orders[0].faction if is_clear and not any(each.depth for each in orders) else ""

    def quoted_sender(self, depth: int) -> str:
        """Return the only faction with an address in the message, if it stands below a line, or "".

        The address is quoted, or nothing but an empty form stands below it.
        """
        depths, factions = [*zip(*self.findings.addresses, strict=True)] or [(), ()]
        asked = self.asked.union(side for side, turn in self.turns.items() if is_over(self.parser, turn))
        is_clear = {*factions} == asked and len(asked) == 1
        return factions[0] if is_clear and (min(depths) > depth or self.is_form_last()) else ""

    def is_form_last(self) -> bool:
        """Return True if the sender wrote nothing but lines such as `FORCE:` below the first address."""
        below = self.unquoted[self.above_address :] if self.above_address else ()
        return self.above_address > 0 and all(line.bare.rstrip(MARKUP).endswith(":") for line in below)


def is_march_without_turn(finding: Finding) -> bool:
    """Return True if a finding is an order other than a retreat, and no address above it names the turn."""
    order = finding.content
    return isinstance(order, GivenOrder) and not order.has_turn and order.order.verb != RETREAT


def is_error(finding: Finding, text: str) -> bool:
    return isinstance(finding.content, PlacedDiagnostic) and player_text(finding.content) == text

"""Collect the orders to move, and compute the state of each faction's orders.

A faction can seal its orders, which means that it sends only their hash (`battles/sealed_orders.py`). Sealed
orders are opened after all factions have sent orders. After that, no order can be changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, product
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.messages.answer_text import OPENED, SEALED
from cardbattle.battles.messages.pasted_text import plain_lines
from cardbattle.battles.sealed_orders import seal_of
from cardbattle.campaign.exchange.message_error import MessageError, is_settled, player_text
from cardbattle.campaign.exchange.orders.addresses import (
    NAMED_ADDRESS,
    address_of,
    address_word,
    sender_error,
    turn_error,
)
from cardbattle.campaign.exchange.orders.lines import LineParser
from cardbattle.campaign.exchange.orders.message import opened_orders
from cardbattle.campaign.exchange.orders.own_text import EXAMPLES
from cardbattle.campaign.exchange.orders.parser import CLOSED_RETREAT, OrderParser, RetreatChoice
from cardbattle.campaign.exchange.orders.words import EVERY, RETREATING
from cardbattle.campaign.ledger.ledger import ORDERS, Entry
from cardbattle.campaign.ledger.operations import Operation
from cardbattle.campaign.ledger.roster import WORD
from cardbattle.campaign.ledger.umpire_changes import refuse_after_last_turn
from cardbattle.campaign.state.changes import Change, apply_changes, missing_tables, same, value_at
from cardbattle.campaign.state.tables.march_orders import (
    AVOID,
    HOLD,
    RETREAT,
    closed_note,
    has_part,
    parse_order,
    with_part,
)
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.grammar import mid_sentence, with_verb
from cardbattle.core.names import listed, quoted, write_one_of
from cardbattle.files.errors import PlacedDiagnostic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cardbattle.battles.messages.answer_text import Answer
    from cardbattle.campaign.exchange.orders.decision.findings import Orders
    from cardbattle.campaign.exchange.orders.parser import GivenOrder
    from cardbattle.campaign.state.changes import Key
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.state.tables.movement import SealedOrders

TAKE, ADVANCE = "cardbattle campaign orders take FILE", "cardbattle campaign advance"
ASK_PLAYERS = "cardbattle campaign orders ask"
REMIND = f"{ASK_PLAYERS} --remind"
ASK = f"print the messages that ask for orders with: {ASK_PLAYERS}"
APPLY_MISSED = f"apply the missed deadline with: {ADVANCE}"
APPLY = f"{APPLY_MISSED}; or first take late answers with: {TAKE}"
ALREADY = "already accepted"
NO_ORDER = "the text contains no new order"
MOST_BREAKS = 8  # with more line breaks, a wrapped text is only joined with spaces
Text = tuple[str, str]  # a file's printable name, and its content
RetreatsAfter = Callable[[Sequence[Change], str], Mapping[str, RetreatChoice]]


class FactionStatus(NamedTuple):
    """The state of one faction's orders.

    Attributes:
        faction: the key of the faction.
        forces: the forces that can have an order.
        ordered: the forces that have an order for this turn.
        is_sealed: True if the faction has sealed its orders.
        is_open: True if the faction has opened its sealed orders.
        is_replaced: True if a substitute replaces the faction's player in this turn.

    """

    faction: str
    forces: Sequence[str]
    ordered: Sequence[str]
    is_sealed: bool
    is_open: bool
    is_replaced: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether the faction has no forces to order, and no sealed orders."""
        return not self.forces and not self.is_sealed

    @property
    def has_sent(self) -> bool:
        """Whether the faction has sealed orders, has sent an order for a force, or has no forces.

        A force without an order holds or continues its march. The status must not reveal which forces have
        orders.
        """
        return self.is_sealed or bool(self.ordered) or self.is_idle

    @property
    def is_in(self) -> bool:
        """Whether the faction has sent its orders or has a substitute."""
        return self.has_sent or self.is_replaced

    @property
    def is_closed(self) -> bool:
        """Whether the faction has sealed orders that it has not yet opened."""
        return self.is_sealed and not self.is_open

    @property
    def must_open(self) -> bool:
        """Whether the movement waits for the faction to open its orders.

        A substitute need not open orders.
        """
        return self.is_closed and not self.is_replaced


def statuses(campaign: Campaign) -> list[FactionStatus]:
    """Return the state of the orders of each faction with forces on the map."""
    parser = OrderParser(campaign)
    table = []
    for faction in campaign.factions:
        forces = parser.movable(faction)
        ordered = [key for key in forces if key in campaign.orders]
        sealed = sealed_now(campaign, faction)
        is_open = sealed is not None and sealed.salt is not None
        status = FactionStatus(faction, forces, ordered, sealed is not None, is_open)
        table.append(status._replace(is_replaced=has_substitute(campaign, faction)))
    return table


def is_opening(table: Iterable[FactionStatus]) -> bool:
    """Return True if a faction has opened its orders. No order of the turn can then be changed."""
    return any(status.is_open for status in table)


def has_substitute(campaign: Campaign, faction: str) -> bool:
    """Return True if a substitute replaces the player of a faction in this turn."""
    substitute = campaign.substitutes.get(faction)
    return substitute is not None and substitute.acts_in(campaign.turn)


def sealed_now(campaign: Campaign, faction: str) -> SealedOrders | None:
    """Return the sealed orders of a faction for this turn. Sealed orders of an earlier turn do not count."""
    sealed = campaign.sealed_orders.get(faction)
    return sealed if sealed is not None and sealed.is_for(campaign.turn) else None


class Taken(NamedTuple):
    """The content of accepted messages: the values to set, notes, and errors.

    `final` are those of the errors that no one can correct, because they are in opened orders. `refused` has
    the errors that each faction can read, without errors from an unknown sender. `accepted` are the factions
    with a line that counts. `is_unread` is True if nothing in the messages can be read as an order. `late`
    has the new orders of each faction that came after the movement without a turn, by force. `closed` has the
    places that seemed possible to a player as a retreat, and that the player now reads to be closed, by
    force. `remarks` has the new orders of each faction behind which the sender wrote text that was not read.
    `earlier` has, for each faction in `refused`, the recorded orders that no accepted line repeats or
    replaces, such as `boyd: hold`, and for "" those of the forces that lines of unknown senders name.
    `warnings` has, for each faction, its new orders that may not do what its player wants, as far as the
    player can know, with the reason.
    """

    values: dict[Key, object]
    notes: list[str]
    errors: list[Diagnostic]
    final: Sequence[Diagnostic] = ()
    refused: Mapping[str, Sequence[Diagnostic]] = {}
    accepted: Collection[str] = ()
    is_unread: bool = False
    late: Mapping[str, Mapping[str, str]] = {}
    closed: Mapping[str, Sequence[str]] = {}
    remarks: Mapping[str, Sequence[GivenOrder]] = {}
    earlier: Mapping[str, Sequence[str]] = {}
    warnings: Mapping[str, Sequence[str]] = {}


def take_given_orders(parser: OrderParser, given: Sequence[GivenOrder]) -> Taken:
    """Accept orders that the umpire has typed. Raises UsageError if the campaign has no movement."""
    refuse_without_movement(parser.campaign)
    book = OrderBook(parser)
    book.given += given
    return book.taken()


def refuse_without_movement(campaign: Campaign) -> None:
    """Raise UsageError if the last turn is over, or if the campaign file does not turn movement on."""
    refuse_after_last_turn(campaign)
    if campaign.movement is None:
        raise UsageError(
            "movement is off; turn it on with: cardbattle campaign set movement.allowance=2 "
            "(steps of a force in a turn)"
        )


class OrderBook:
    """The orders of a turn, including new orders that are not yet recorded."""

    def __init__(
        self,
        parser: OrderParser,
        earlier: Mapping[str, Collection[str]] | None = None,
        retreats_after: RetreatsAfter | None = None,
    ) -> None:
        self.parser = parser
        self.retreats_after = retreats_after
        self.earlier = earlier or {}
        self.campaign = parser.campaign
        self.given: list[GivenOrder] = []
        self.values: dict[Key, object] = {}
        self.notes: list[str] = []
        self.errors: list[Diagnostic] = []
        self.final: list[Diagnostic] = []
        self.refused: dict[str, list[Diagnostic]] = {}
        self.unsigned: list[Diagnostic] = []  # errors in lines of unknown senders
        self.accepted: set[str] = set()
        self.dated: set[str] = set()  # forces with an order in a message that has an address of this turn
        self.repeated: set[Key] = set()  # forces with an accepted line that repeats their order or retreat
        self.late: dict[str, dict[str, str]] = {}
        self.remarks: dict[str, list[GivenOrder]] = {}
        self.authors: set[str] = set()  # factions that sent the messages, and "" for an unknown sender
        self.silent: list[str] = []  # the sender of each mail without a line that can be read
        self.is_past = False  # True if a message has the address for retreats of a moved turn
        self.wrapped: set[str] = set()  # lines on which a line that opens sealed orders continues
        # The number of the last mail with an order, by `GivenOrder.slot`, and with an error, by faction
        self.last_order: dict[tuple[str, str], int] = {}
        self.last_refusal: dict[str, int] = {}
        self.before = {status.faction: status for status in statuses(self.campaign)}

    def add_mail(self, number: int, orders: Orders, replaced: Collection[GivenOrder]) -> None:
        """Add the orders and errors of a mail, given its place among the mails, without replaced orders."""
        for error, sender in zip(orders.errors, orders.senders, strict=True):
            self.add_error(error, sender)
            if not is_settled(error):
                self.last_refusal[sender] = number
        for error, faction in orders.quoted:
            self.refused.setdefault(faction, []).append(error)
        self.last_order |= {order.slot: number for order in orders.given}
        self.given += [order for order in orders.given if order not in replaced]
        self.dated |= {
            each.force for each in orders.given if self.parser.faction_of(each.force) in orders.asked
        }
        self.authors.add(orders.author)
        self.silent += [
            each for each in orders.silent if each not in orders.senders or not self.is_done(each)
        ]
        self.is_past |= orders.is_past

    def taken(self) -> Taken:
        """Return the values, notes and errors of all messages."""
        refused: set[str] = set()
        for force, clash in conflicting(self.given):
            self.add_error(clash, "" if force in refused else self.parser.faction_of(force))
            refused.add(force)
        orders = [order for order in self.given if order.force not in refused]
        occupied = self.occupied_errors([order for order in orders if order.order.verb == RETREAT])
        for order in orders:
            if order.order.verb == RETREAT and order.force in occupied:
                self.reject(f"{order.force}: {occupied[order.force]}", order)
            else:
                self.take_given(order)
        self.notes += [*self.repetition_notes(), *self.parting_notes()]
        taken = Taken(self.values, self.notes, self.errors, self.final, self.refused, self.accepted)
        earlier = {faction: self.earlier_orders(faction, errors) for faction, errors in self.refused.items()}
        if unsigned := self.earlier_orders_named():
            earlier[""] = unsigned
        return taken._replace(late=self.late, remarks=self.remarks, earlier=earlier)

    def parting_notes(self) -> Iterator[str]:
        """Yield a warning for each new order to join a force that avoids battle and can stop alone."""
        orders = {key: parse_order(text) for key, text in self.campaign.orders.items()}
        orders |= {
            key[1]: parse_order(str(text)) for key, text in self.values.items() if key[0] == "orders" and text
        }
        for key, order in orders.items():
            is_new = ("orders", key) in self.values
            if is_new and not order.avoids and order.joined in orders and orders[order.joined].avoids:
                yield (
                    f"{key}: joins {order.joined}, which avoids battle: if that stops, {key} goes on alone; "
                    f'to let it stop too, write "{order}{AVOID}"'
                )

    def earlier_orders_named(self) -> list[str]:
        """Return the orders that still count of the forces that lines of unknown senders name."""
        named = forces_named(self.campaign, "", self.unsigned)
        factions = dict.fromkeys(self.parser.faction_of(force) for force in sorted(named))
        orders = (self.earlier_orders(each, self.unsigned) for each in factions if each not in self.refused)
        return [order for order in chain.from_iterable(orders) if order.partition(":")[0] in named]

    def earlier_orders(self, faction: str, errors: Sequence[Diagnostic]) -> list[str]:
        """Return the orders of a faction above its last mail with a rejected line, which still count.

        `errors` are those of the rejected lines. The result has the recorded orders that no accepted line
        repeats or replaces, and those in earlier mails.
        """
        status, forces = self.before.get(faction), self.campaign.forces
        ordered = status.ordered if status and not status.is_closed else ()
        turn = f" in turn {self.campaign.turn + 1}" if self.parser.has_moved else ""
        given = {("orders", key): f"{key}: {self.campaign.orders[key]}{turn}" for key in ordered}
        if status and not (self.parser.has_moved or status.is_closed):
            given |= {
                ("orders", key): f"{key}: goes on: {forces[key].march}"
                for key in self.marching(status, errors)
            }
        for key, choice in self.parser.retreats.items():
            if forces[key].faction == faction and forces[key].retreat in choice.places:
                given["forces", key] = f"{key}: {RETREAT} {forces[key].retreat}"
        renewed = self.repeated.union(key[:2] for key in self.values)
        above = [each for each in self.given if self.is_in_earlier_mail(faction, each)]
        renewed_above = {
            each.force: f"{each.force}: {each.order}{'' if each.order.verb == RETREAT else turn}"
            for each in above
            if ("forces" if each.order.verb == RETREAT else "orders", each.force) in renewed
        }
        return [*(text for key, text in given.items() if key not in renewed), *renewed_above.values()]

    def marching(self, status: FactionStatus, errors: Sequence[Diagnostic]) -> list[str]:
        """Return the forces on the march that rejected lines name, and that have no order."""
        named = forces_named(self.campaign, status.faction, errors)
        without = (key for key in status.forces if key in named and key not in status.ordered)
        return [key for key in without if self.campaign.forces[key].march]

    def is_in_earlier_mail(self, faction: str, order: GivenOrder) -> bool:
        """Return True if an order of a faction is not in its last mail with a rejected line, but above it."""
        is_own = self.parser.faction_of(order.force) == faction
        return is_own and self.last_order.get(order.slot, 0) < self.last_refusal.get(faction, 0)

    def without_orders(self, texts: Sequence[Text]) -> Taken:
        """Return the error of messages without an order that can be read. A known sender can read it."""
        if len(self.silent) > 1:
            self.reject_silent()
            return self.taken()._replace(is_unread=True)
        author = next(iter(self.authors)) if len(self.authors) == 1 else ""
        form = self.parser.example(author, is_retreat=self.is_past)
        bare = next(bare_examples(texts), "")
        named = f"; {quoted(bare)} names no force" if bare else ""
        form += f", or all: {HOLD}" if bare == HOLD else ""
        self.add_error(Diagnostic(f"{NO_ORDER}{named}; {form}"), author)
        return self.taken()._replace(is_unread=True)

    def is_done(self, faction: str) -> bool:
        """Return True if a faction has sent what this turn asks of it: its orders, and where it retreats."""
        status = self.before.get(faction)
        is_chosen = any(self.parser.faction_of(force) == faction for force in self.parser.retreats)
        has_sent = is_chosen or (status is not None and status.is_in)
        return has_sent and not self.parser.without_retreat(faction)

    def reject_silent(self) -> None:
        """Add an error for each known sender without a line that can be read, beside other mails.

        An error of the sender's other lines is enough.
        """
        for faction in dict.fromkeys(self.silent):
            if not all(map(is_settled, self.refused.get(faction, ()))):
                continue
            mail = f"the mail of {mid_sentence(self.campaign.faction_name(faction))}"
            form = self.parser.example(faction, is_retreat=self.is_past)
            self.add_error(Diagnostic(f"{mail} contains no new order; {form}"), faction)

    def reject(self, text: str, order: GivenOrder) -> None:
        error = Diagnostic(text)
        if order.file:
            error = PlacedDiagnostic(text, file=order.file, line=order.line, column=1, source=order.source)
        self.add_error(error, self.campaign.forces[order.force].faction)

    def add_error(self, error: Diagnostic, faction: str) -> None:
        """Add an error in a line that a faction has sent, or "" if the sender is unknown."""
        self.errors.append(error)
        if faction:
            self.refused.setdefault(faction, []).append(error)
        else:
            self.unsigned.append(error)

    def take_given(self, order: GivenOrder) -> None:
        """Accept an order that is not sealed.

        The order is rejected if its faction has sealed its orders, or if orders are being opened.
        """
        faction = self.campaign.forces[order.force].faction
        if order.order.verb == RETREAT:
            self.take_retreat(order)
            return
        name = self.campaign.faction_name(faction)
        status = self.before.get(faction)
        if has_part(self.campaign.orders.get(order.force), order.order):
            self.notes.append(f"{order.force}: {order.order}: {ALREADY}")
            self.accepted.add(faction)
            self.repeated.add(("orders", order.force))
        elif self.parser.has_moved and self.is_repeated(order):
            turn = self.campaign.turn
            self.reject(
                f'{order.force}: "{order.order}" was already taken for turn {turn}; if it is for turn '
                f"{turn + 1}, write {faction}@{turn + 1}: above it",
                order,
            )
        elif status and status.is_closed:
            self.reject(f"{order.force}: {self.not_open_error(status)}", order)
        elif self.is_opening:
            self.reject(
                f"{order.force}: sealed orders are being opened, so no order can be changed; leave it out",
                order,
            )
        elif (status and status.is_sealed) or ("sealed_orders", faction, "seal") in self.values:
            have = with_verb(name, "has|have")
            self.reject(
                f"{order.force}: {have} sealed orders, which cannot be changed; leave this order out", order
            )
        else:
            key: Key = ("orders", order.force)
            whole = with_part(self.order_now(order.force), order.order)
            self.values[key] = whole
            self.accepted.add(faction)
            self.keep_remark(order)
            if self.parser.has_moved and not order.has_turn:
                self.late.setdefault(faction, {})[order.force] = whole

    def order_now(self, force: str) -> str | None:
        """Return the new order of a force, or the recorded one, or None."""
        order = self.values.get(("orders", force), self.campaign.orders.get(force))
        return None if order is None else str(order)

    def not_open_error(self, status: FactionStatus) -> str:
        """Return the error for an order of a faction whose orders are sealed and not yet open."""
        have = with_verb(self.campaign.faction_name(status.faction), "has|have")
        is_time = not missing_factions(self.campaign, self.before.values())
        when = "now" if is_time else "when all orders are in"
        return f'{have} sealed orders, which cannot be changed; send the kept line with "open" {when}'

    def take_retreat(self, order: GivenOrder) -> None:
        """Accept the choice where a beaten force retreats."""
        [place] = order.order.keys
        force = self.campaign.forces[order.force]
        if force.retreat == place:
            self.notes.append(f"{order.force}: {order.order}: {ALREADY}")
            self.repeated.add(("forces", order.force))
        else:
            self.values["forces", order.force, "retreat"] = place
            self.keep_remark(order)
        self.accepted.add(force.faction)

    def keep_remark(self, order: GivenOrder) -> None:
        """Keep an accepted order behind which its sender wrote text that was not read."""
        if order.remark:
            faction = self.campaign.forces[order.force].faction
            self.remarks.setdefault(faction, []).append(order)

    def occupied_errors(self, retreats: Sequence[GivenOrder]) -> dict[str, str]:
        """Return the error of each retreat into a place that other retreats close, by force.

        The new retreats of all messages replace the recorded ones first. A force whose new retreat is
        refused keeps the recorded one. Of the new retreats, earlier ones come first.
        """
        forces, errors = self.campaign.forces, dict[str, str]()
        new = [each for each in retreats if (forces[each.force].retreat,) != each.order.keys]
        is_changed = bool(new) and self.retreats_after is not None
        while is_changed:
            left = [each for each in new if each.force not in errors]
            values: dict[Key, object] = {("forces", each.force, "retreat"): None for each in left}
            before = len(errors)
            for force, place in ((each.force, *each.order.keys) for each in left):
                if error := self.occupied_error(force, place, values):
                    errors[force] = error
                else:
                    values["forces", force, "retreat"] = place
            is_changed = len(errors) > before
        return errors

    def occupied_error(self, force: str, place: str, values: Mapping[Key, object]) -> str:
        """Return the error if retreats that these values set close a place for a force, or ""."""
        assert self.retreats_after is not None
        choices = self.retreats_after(changes_to(self.campaign, values), force)
        if force not in choices or place in choices[force].places:
            return ""
        return OrderParser(self.campaign, retreats=choices).retreat_error(force, place)

    def is_repeated(self, order: GivenOrder) -> bool:
        """Return True if the last movement had the same order, and no address names the turn.

        An order to march is the same as an earlier retreat only if its line has the words of a retreat.
        """
        earlier = self.earlier.get(order.force, ())
        if order.has_turn:
            return False
        if RETREATING.search(order.source) and str(order.order._replace(verb=RETREAT)) in earlier:
            return True
        return any(has_part(text, order.order) for text in earlier if not text.startswith(RETREAT))

    def repetition_notes(self) -> Iterator[str]:
        """Yield a note for each faction whose new orders are the same as its orders for the last movement.

        Forces often hold in several turns, so orders only to hold are not noted.
        """
        by_faction: dict[str, list[GivenOrder]] = {}
        for order in self.given if not self.parser.has_moved else []:
            if order.order.verb == RETREAT:
                continue
            by_faction.setdefault(self.campaign.forces[order.force].faction, []).append(order)
        for faction, orders in by_faction.items():
            moves = any(order.order.verb not in (HOLD, "") for order in orders)
            is_dated = any(order.force in self.dated for order in orders)
            if moves and not is_dated and all(map(self.is_repeated, orders)):
                yield (
                    f"{self.campaign.faction_name(faction)} had the same orders in an earlier turn; if you "
                    "have taken an old message again, write: cardbattle campaign undo"
                )

    @property
    def is_opening(self) -> bool:
        """Whether a faction has opened its orders."""
        return is_opening(self.before.values())

    def take_sealed(self, answer: Answer, sender: str = "", mail: str = "") -> None:
        """Accept a message that seals a faction's orders or opens them.

        `sender` is the faction that sent it, or "", and `mail` the mail address of the sender, or "".
        """
        if self.campaign.battle(answer.battle) is not None:
            return
        error = self.seal_address_error(answer, sender) or sender_error(self.campaign, answer.side, mail)
        if error:
            self.errors.append(answer.wrong(error))
            return
        sealed, opened = SEALED.fullmatch(answer.words), self.read_opening(answer)
        if sealed:
            self.seal(answer, sealed[1].lower())
        elif opened:
            self.open(answer, opened[1].lower(), opened[2])
        else:
            text = f"{answer.label}: expected sealed and 64 digits, or open, 32 digits and the orders"
            self.errors.append(answer.wrong(text))

    def read_opening(self, answer: Answer) -> re.Match[str] | None:
        """Return the salt and the orders of a line that opens a seal, or None for another line.

        If a mail program has wrapped the line, also within words, the lines below it that match the seal are
        joined to it.
        """
        sealed = sealed_now(self.campaign, answer.side)
        for count in range(len(answer.below) + 1):
            for text in ways_to_join([answer.words, *answer.below[:count]]):
                opened = OPENED.fullmatch(text)
                if (
                    opened
                    and sealed
                    and is_sealed_text(sealed.address, sealed.seal, opened[1].lower(), opened[2])
                ):
                    self.wrapped.update(answer.below[:count])
                    return opened
        opened = OPENED.fullmatch(" ".join([answer.words, *answer.below[:1]]))
        self.wrapped.update(answer.below if opened else ())
        return OPENED.fullmatch(answer.words) or opened

    def seal_address_error(self, answer: Answer, sender: str) -> str:
        """Return the error in the address of sealed orders, or "" if the address is right."""
        word = address_word(self.campaign)
        if answer.battle not in ("", word):
            return f"the address is for {quoted(answer.battle)}; addresses of this campaign begin with {word}"
        if answer.side not in self.before or sender not in ("", answer.side):
            wanted = [sender] if sender else list(self.before)
            return f"{quoted(answer.side)} is not a faction whose orders are taken here{write_one_of(wanted)}"
        if self.parser.has_moved:
            turn = self.campaign.turn
            return f"the forces of turn {turn} have moved; take sealed orders when turn {turn + 1} has begun"
        return turn_error(self.parser, answer.side, answer.place)

    def seal(self, answer: Answer, seal: str) -> None:
        """Accept a faction's seal. Orders that it has sent openly for this turn become void."""
        faction = answer.side
        current = sealed_now(self.campaign, faction)
        if current is not None and current.seal == seal:
            self.notes.append(f"{answer.label}: this seal was already accepted")
        elif current is not None:
            self.errors.append(
                answer.wrong(
                    f"{answer.label}: the faction has already sealed orders, and its first seal counts; "
                    "leave this line out"
                )
            )
        elif self.is_opening:
            self.errors.append(
                answer.wrong(
                    f"{answer.label}: sealed orders are being opened, so it is too late to seal; "
                    "leave this line out"
                )
            )
        elif any(orders.seal == seal for orders in self.campaign.sealed_orders.values()):
            self.errors.append(
                answer.wrong(
                    f"{answer.label}: this is the seal of another faction; ask the player for their own line"
                )
            )
        else:
            self.values["sealed_orders", faction, "address"] = address_of(self.campaign, faction)
            self.values["sealed_orders", faction, "seal"] = seal
            self.values |= {("sealed_orders", faction, word): None for word in ("salt", "text")}
            void = [key for key in self.parser.movable(faction) if key in self.campaign.orders]
            self.values |= {("orders", key): None for key in void}

    def open(self, answer: Answer, salt: str, text: str) -> None:
        """Open a faction's sealed orders. All factions must have sent orders before.

        The faction's player reads why the line does not count.
        """
        faction = answer.side
        sealed = sealed_now(self.campaign, faction)
        missing = missing_factions(self.campaign, self.before.values())
        too_early = f"the orders of {missing} are missing; keep this line until all are in"
        if ("sealed_orders", faction, "seal") in self.values:
            error = "the orders were sealed just now; keep this line until all orders are in"
        elif sealed is None:
            error = "the faction has sealed nothing; send the orders without a seal"
        elif sealed.salt is not None:
            self.notes.append(f"{answer.label}: opened before")
            return
        elif missing:
            error = too_early
        elif not is_sealed_text(sealed.address, sealed.seal, salt, text):
            error = "this is not the sealed text; send the line that was kept, unchanged and on one line"
        else:
            self.values["sealed_orders", faction, "salt"] = salt
            self.values["sealed_orders", faction, "text"] = text
            self.take_opened(answer, opened_orders(self.parser, faction, text))
            return
        self.add_error(answer.wrong(f"{answer.label}: {error}"), faction)

    def take_opened(self, answer: Answer, orders: Orders) -> None:
        """Accept the opened orders. A force whose order is not valid holds. Notes quote ignored remarks."""
        self.notes += [f"{answer.label}: {note.removeprefix('line 0: ')}" for note in orders.notes]
        for order in orders.given:
            opened = self.values.get(("orders", order.force)) or ""
            self.values["orders", order.force] = with_part(str(opened), order.order)
            self.accepted.add(answer.side)
        for error in orders.errors:
            held = f"{answer.label}: {error.text}; the force holds or goes on with its march"
            self.final.append(answer.wrong(held))
            self.add_error(self.final[-1], answer.side)


def forces_named(campaign: Campaign, faction: str, errors: Sequence[Diagnostic]) -> set[str]:
    """Return the forces of a faction that the rejected lines name, or that `all` on such a line means.

    Without a faction, the result is the forces of all factions that the lines name.
    """
    lines = LineParser(OrderParser(campaign, faction))
    forces: set[str] = set()
    for error in errors:
        source = error.source.strip() if isinstance(error, PlacedDiagnostic) and not is_settled(error) else ""
        source = NAMED_ADDRESS.sub("", source, count=1)  # the faction can have a word of a force's name
        named = lines.forces_in(WORD.findall(source.casefold()), faction)
        is_for_all = bool(faction and not named and EVERY.match(source))
        forces.update(lines.parser.movable(faction) if is_for_all else named)
    return forces


def bare_examples(texts: Sequence[Text]) -> Iterator[str]:
    """Yield each line that is an example of the program's message without its dash, perhaps changed."""
    lines = chain.from_iterable(plain_lines(name, text) for name, text in texts)
    return (line.bare for line in lines if EXAMPLES.fullmatch(f"- {line.bare}"))


def ways_to_join(lines: Sequence[str]) -> Iterator[str]:
    """Yield each way to join the lines of a wrapped text, which was broken at a space or within a word."""
    breaks = len(lines) - 1
    ways = product((" ", ""), repeat=breaks) if breaks <= MOST_BREAKS else [(" ",) * breaks]
    for way in ways:
        yield lines[0] + "".join(map(add, way, lines[1:]))


def is_sealed_text(address: str, seal: str, salt: str, text: str) -> bool:
    """Return True if the hash of the salt and the text is the seal that was sent for the address."""
    word, _, rest = address.partition("/")
    faction, _, turn = rest.partition("@")
    return turn.isdecimal() and seal_of(word, int(turn), faction, salt, text) == seal


def conflicting(orders: Sequence[GivenOrder]) -> Iterator[tuple[str, MessageError]]:
    """Yield each force that has different orders in several messages, and the error."""
    first: dict[tuple[str, str], GivenOrder] = {}
    for order in orders:
        earlier = first.setdefault(order.slot, order)
        if earlier.order != order.order:
            where = f"{earlier.file}, line {earlier.line}"
            text = f"{order.force} has another {order.kind} in {where}; take one of them"
            player_text = f"{order.force} has different {order.kind}s in your mails; send the one that counts"
            yield order.force, MessageError(text, player_text, file=order.file, line=order.line)


def orders_operation(campaign: Campaign, taken: Taken, reason: str = "") -> Operation:
    """Return the operation that records the accepted orders, and which retreats were refused.

    Raises InvalidInput without new orders.
    """
    changes = with_closed_retreats(campaign, changes_to(campaign, taken.values), taken.closed)
    if not changes:
        is_known = any(note.endswith(ALREADY) for note in taken.notes)
        remedy = "its orders are recorded already" if is_known else OrderParser(campaign).example("")
        raise InvalidInput(taken.errors or f"{NO_ORDER}; {remedy}")
    return Operation(Entry(0, ORDERS, changes, reason=reason), notes=taken.notes, keeps_lines=True)


def with_closed_retreats(
    campaign: Campaign, changes: Sequence[Change], closed: Mapping[str, Sequence[str]]
) -> list[Change]:
    """Return the changes, which also note the places that are closed to a force and not offered again."""
    notes: dict[Key, str] = {
        ("forces", force, "retreat"): closed_note(places) for force, places in closed.items()
    }
    noted = [change._replace(text=notes.pop(change.key, change.text)) for change in changes]
    for key, text in notes.items():
        retreat = campaign.forces[key[1]].retreat
        noted.append(Change(key, retreat, retreat, text))
    return noted


def closed_retreats(
    refused: Mapping[str, Sequence[Diagnostic]], retreats: Mapping[str, RetreatChoice]
) -> dict[str, list[str]]:
    """Return the places that players read to be closed although they seemed possible to them, by force.

    `refused` has the errors that each faction reads. `retreats` are the choices as the players know them.
    """
    closed: dict[str, list[str]] = {}
    for error in chain.from_iterable(refused.values()):
        for place, force in CLOSED_RETREAT.findall(player_text(error)):
            if force in retreats and place in retreats[force].named and place not in closed.get(force, ()):
                closed.setdefault(force, []).append(place)
    return closed


def changes_to(campaign: Campaign, values: Mapping[Key, object]) -> list[Change]:
    """Return the changes that set these values in the campaign file, including new tables for the values."""
    changes: list[Change] = []
    data = campaign.data
    for key, after in values.items():
        before = value_at(data, key)
        if not same(before, after):
            tables = missing_tables(data, key, after)
            data = apply_changes(data, tables)
            changes += [*tables, Change(key, before, after)]
    return changes


def forces_without_orders(campaign: Campaign, table: Iterable[FactionStatus]) -> list[str]:
    """Return the forces that have no order and no march, although other forces of their faction have orders.

    The player may have forgotten such a force, or its order was rejected. Only the umpire may read this.
    """
    return [
        force
        for status in table
        for force in status.forces
        if status.ordered and force not in status.ordered and not campaign.forces[force].march
    ]


def missing_factions(campaign: Campaign, table: Iterable[FactionStatus]) -> str:
    """Return the names of the factions that still have to send orders, or "" if all orders are in."""
    return mid_sentence(listed(campaign.faction_name(status.faction) for status in table if not status.is_in))


def next_step(
    campaign: Campaign,
    table: Sequence[FactionStatus],
    *,
    has_moved: bool = False,
    is_late: bool = False,
    is_to_correct: bool = False,
) -> str:
    """Return the umpire's next step with the orders of a turn, including its command.

    With `is_to_correct`, a player still has to correct lines.

    `is_late` is True if a deadline for orders has passed. `campaign advance` then applies the consequences.
    """
    missing = [status.faction for status in table if not status.is_in]
    closed = [status.faction for status in table if status.must_open]
    if has_moved:
        return f"next: finish turn {campaign.turn} with: cardbattle campaign advance"
    if is_late:
        return f"next: {APPLY}"
    if missing and not any(status.ordered or status.is_sealed for status in table):
        return f"next: {ASK}; then take the answers with: {TAKE}"
    if missing:
        take = f"next: take the orders of {missing_factions(campaign, table)} with: {TAKE}"
        if closed:
            return f"{take}; or let forces hold with: cardbattle campaign orders give {missing[0]} hold"
        has_deadline = campaign.deadlines is not None and campaign.deadlines.orders is not None
        return f"{take}; or go on without them: {ADVANCE}{' --no-wait' if has_deadline else ''}"
    left = [] if is_opening(table) else forces_without_orders(campaign, table)
    take = f"; or first take an order of {listed(map(campaign.display_name, left))} with: {TAKE}"
    if not closed and is_to_correct:
        return f"next: take the corrected lines with: {TAKE}; or go on without them: {ADVANCE}"
    if not closed:
        return f"next: run the turn with: {ADVANCE}{take if left else ''}"
    names = listed(map(campaign.faction_name, closed))
    fixed = " (the first opened line fixes all orders)"
    return f"next: ask {names} to open sealed orders with: {ASK_PLAYERS}{take + fixed if left else ''}"

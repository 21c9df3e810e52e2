"""Collect the orders to move: the state of each faction's orders, and what to record.

Sealed orders are committed by their hash (`battles/sealed_orders.py`). They are opened once all factions have
sent orders; from then on no order changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import OPENED, SEALED, Answer, answers_in
from cardbattle.battles.sealed_orders import seal_of
from cardbattle.campaign.exchange.movement_orders import (
    GivenOrder,
    OrderParser,
    Orders,
    address_of,
    address_word,
    conflicting,
    opened_orders,
    read_orders,
)
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.operations import Operation
from cardbattle.campaign.state.changes import Change, Key, apply_changes, missing_tables, same, value_at
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.movement import SealedOrders
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.names import listed, quoted
from cardbattle.files.errors import PlacedDiagnostic

ORDERS = "orders"  # kind of the ledger entries
Text = tuple[str, str]  # a file's printable name, and its content


class FactionStatus(NamedTuple):
    """The state of one faction's orders.

    Attributes:
        faction: its key.
        forces: the forces that can have an order.
        ordered: those of them that have one for this turn.
        is_sealed: whether it has sealed its orders.
        is_open: whether it has opened them.

    """

    faction: str
    forces: Sequence[str]
    ordered: Sequence[str]
    is_sealed: bool
    is_open: bool

    @property
    def is_in(self) -> bool:
        """Whether it has sent orders, for at least one force; a faction without forces has none to send.

        A force without an order holds or marches on; the status must not reveal which.
        """
        return self.is_sealed or bool(self.ordered) or not self.forces


def statuses(campaign: Campaign) -> list[FactionStatus]:
    """Return the state of the orders of each faction with forces on the map."""
    parser = OrderParser(campaign)
    table = []
    for faction in campaign.factions:
        forces = parser.movable(faction)
        ordered = [key for key in forces if key in campaign.orders]
        sealed = sealed_now(campaign, faction)
        is_open = sealed is not None and sealed.salt is not None
        table.append(FactionStatus(faction, forces, ordered, sealed is not None, is_open))
    return table


def sealed_now(campaign: Campaign, faction: str) -> SealedOrders | None:
    """Return the sealed orders of a faction for this turn; those of an earlier turn do not count."""
    sealed = campaign.sealed_orders.get(faction)
    return sealed if sealed is not None and sealed.is_for(campaign.turn) else None


class Taken(NamedTuple):
    """The result of messages: the values to set, notes, and errors."""

    values: dict[Key, object]
    notes: list[str]
    errors: list[Diagnostic]


def take_messages(campaign: Campaign, texts: Sequence[Text], faction: str = "") -> Taken:
    """Read pasted messages; only the orders of one faction if it is named.

    Raises UsageError in a campaign without movement, and InvalidInput if a text is too long.
    """
    refuse_without_movement(campaign)
    parser = OrderParser(campaign, faction)
    book = OrderBook(parser)
    for name, text in texts:
        for answer in (answer for answer in answers_in(name, text) if answer.is_sealed):
            book.take_sealed(answer)
        read = read_orders(parser, name, text)
        book.errors += read.errors
        book.given += read.given
    return book.taken()


def take_order(campaign: Campaign, order: GivenOrder) -> Taken:
    """Accept an order typed by the umpire. Raises UsageError without movement."""
    refuse_without_movement(campaign)
    book = OrderBook(OrderParser(campaign))
    book.given.append(order)
    return book.taken()


def refuse_without_movement(campaign: Campaign) -> None:
    """Raise UsageError in a campaign whose file does not turn movement on."""
    if campaign.movement is None:
        raise UsageError(
            "movement is off; turn it on with: cardbattle campaign set movement.allowance=2 "
            "(steps of a force in a turn)"
        )


class OrderBook:
    """The orders of a turn, including new ones."""

    def __init__(self, parser: OrderParser) -> None:
        self.parser = parser
        self.campaign = parser.campaign
        self.given: list[GivenOrder] = []
        self.values: dict[Key, object] = {}
        self.notes: list[str] = []
        self.errors: list[Diagnostic] = []
        self.before = {status.faction: status for status in statuses(self.campaign)}

    def taken(self) -> Taken:
        """Return the result of all messages."""
        clashes = list(conflicting(self.given))
        self.errors += clashes
        refused = {clash.text.partition(" ")[0] for clash in clashes}
        for order in self.given:
            if order.force not in refused:
                self.take_given(order)
        return Taken(self.values, self.notes, self.errors)

    def reject(self, text: str, order: GivenOrder) -> None:
        """Add the error of a rejected order."""
        placed = PlacedDiagnostic(text, file=order.file, line=order.line) if order.file else Diagnostic(text)
        self.errors.append(placed)

    def take_given(self, order: GivenOrder) -> None:
        """Accept an open order, unless its faction has sealed its orders or orders are being opened."""
        faction = self.campaign.forces[order.force].faction
        name = self.campaign.faction_name(faction)
        status = self.before.get(faction)
        before = self.campaign.orders.get(order.force)
        if before == str(order.order):
            self.notes.append(f"{order.force}: {before}: already accepted")
        elif self.is_opening:
            self.reject(f"{order.force}: sealed orders are being opened; no order can be changed now", order)
        elif (status and status.is_sealed) or ("sealed_orders", faction, "seal") in self.values:
            self.reject(f"{order.force}: {name} has sealed its orders; they cannot be changed", order)
        else:
            self.values["orders", order.force] = str(order.order)

    @property
    def is_opening(self) -> bool:
        """Whether a faction has opened its orders."""
        return any(status.is_open for status in self.before.values())

    def take_sealed(self, answer: Answer) -> None:
        """Accept a seal, or open one."""
        if self.campaign.battle(answer.battle) is not None:
            return
        error = self.sealed_error(answer)
        if error:
            self.errors.append(answer.wrong(error))
            return
        sealed, opened = SEALED.fullmatch(answer.words), OPENED.fullmatch(answer.words)
        if sealed:
            self.seal(answer, sealed[1].lower())
        elif opened:
            self.open(answer, opened[1].lower(), opened[2])
        else:
            text = f"{answer.label}: expected sealed and 64 digits, or open, 32 digits and the orders"
            self.errors.append(answer.wrong(text))

    def sealed_error(self, answer: Answer) -> str:
        """Return the error in the address of sealed orders, or the empty string."""
        word = address_word(self.campaign)
        if answer.battle not in ("", word):
            return f"this is for {quoted(answer.battle)}; orders of this campaign are for {word}"
        if answer.side not in self.before or self.parser.faction not in ("", answer.side):
            return f"{quoted(answer.side)} is not a faction whose orders are taken here"
        if answer.place != self.campaign.turn:
            return f"these are orders for turn {answer.place}, and it is turn {self.campaign.turn}"
        return ""

    def seal(self, answer: Answer, seal: str) -> None:
        """Accept a faction's seal; its open orders of this turn become void."""
        faction = answer.side
        current = sealed_now(self.campaign, faction)
        if current is not None and current.seal == seal:
            self.notes.append(f"{answer.label}: this seal was already accepted")
        elif current is not None:
            self.errors.append(
                answer.wrong(f"{answer.label}: it has sealed its orders already, with another seal")
            )
        elif self.is_opening:
            self.errors.append(
                answer.wrong(f"{answer.label}: sealed orders are being opened; it is too late to seal")
            )
        elif any(orders.seal == seal for orders in self.campaign.sealed_orders.values()):
            self.errors.append(answer.wrong(f"{answer.label}: this is the seal of another faction"))
        else:
            self.values["sealed_orders", faction, "address"] = address_of(self.campaign, faction)
            self.values["sealed_orders", faction, "seal"] = seal
            self.values |= {("sealed_orders", faction, word): None for word in ("salt", "text")}
            void = [key for key in self.parser.movable(faction) if key in self.campaign.orders]
            self.values |= {("orders", key): None for key in void}

    def open(self, answer: Answer, salt: str, text: str) -> None:
        """Open a faction's sealed orders, once all factions have sent orders."""
        faction = answer.side
        sealed = sealed_now(self.campaign, faction)
        too_early = "not all orders are in; keep this line until you are asked for it"
        if ("sealed_orders", faction, "seal") in self.values:
            error = too_early
        elif sealed is None:
            error = "it has sealed nothing; send the orders without a seal"
        elif sealed.salt is not None:
            self.notes.append(f"{answer.label}: opened before")
            return
        elif not all(status.is_in for status in self.before.values()):
            error = too_early
        elif not is_sealed_text(sealed.address, sealed.seal, salt, text):
            error = "this is not the sealed text; send the line that the player kept, unchanged"
        else:
            self.values["sealed_orders", faction, "salt"] = salt
            self.values["sealed_orders", faction, "text"] = text
            self.take_opened(answer, opened_orders(self.parser, faction, text))
            return
        self.errors.append(answer.wrong(f"{answer.label}: {error}"))

    def take_opened(self, answer: Answer, orders: Orders) -> None:
        """Accept the opened orders; a force whose order is not valid holds."""
        for order in orders.given:
            self.values["orders", order.force] = str(order.order)
        for error in orders.errors:
            self.errors.append(answer.wrong(f"{answer.label}: {error.text}; this order is not carried out"))


def is_sealed_text(address: str, seal: str, salt: str, text: str) -> bool:
    """Return True if a salt and a text open a seal that was given under an address."""
    word, _, rest = address.partition("/")
    faction, _, turn = rest.partition("@")
    return turn.isdecimal() and seal_of(word, int(turn), faction, salt, text) == seal


def orders_operation(campaign: Campaign, taken: Taken, reason: str = "") -> Operation:
    """Return the operation that records accepted orders. Raises InvalidInput if nothing is new."""
    changes: list[Change] = []
    data = campaign.data
    for key, after in taken.values.items():
        before = value_at(data, key)
        if not same(before, after):
            tables = missing_tables(data, key, after)
            data = apply_changes(data, tables)
            changes += [*tables, Change(key, before, after)]
    if not changes:
        raise InvalidInput(
            taken.errors or "it contains no new order; write FORCE: ORDER, such as percy: hold"
        )
    return Operation(Entry(0, ORDERS, changes, reason=reason), notes=taken.notes, keeps_lines=True)


def missing_words(table: Iterable[FactionStatus]) -> str:
    """List the factions that still have to send orders; empty if none is missing."""
    return listed(status.faction for status in table if not status.is_in)

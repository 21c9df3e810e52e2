"""Read mails with orders, each as the mail of its sender, into an order book."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.messages.answer_text import answers_in
from cardbattle.battles.messages.pasted_text import (
    begins_with_header,
    plain_lines,
    sender_address,
    sender_line,
    time_sent,
    unquoted_lines,
)
from cardbattle.campaign.exchange.order_book import OrderBook, changes_to, refuse_without_movement
from cardbattle.campaign.exchange.orders.addresses import faction_of_sender, sender_error
from cardbattle.campaign.exchange.orders.message import read_orders
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.state.tables.march_orders import RETREAT
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import clean
from cardbattle.files.errors import PlacedDiagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from cardbattle.battles.messages.answer_text import Answer
    from cardbattle.campaign.exchange.order_book import RetreatsAfter, Taken, Text
    from cardbattle.campaign.exchange.orders.decision.findings import Orders
    from cardbattle.campaign.exchange.orders.parser import GivenOrder, PastChanges, RetreatChoice
    from cardbattle.campaign.state.model import Campaign

ANONYMOUS = (
    "this mail has no address, and nothing in it is read; if it has orders, take it with --for FACTION"
)
UNKNOWN_SENDER = (
    "this mail does not show who sent it; take it alone with --for FACTION: more lines can then be read, and "
    "its player gets a message"
)
MOST_LINES, MOST_CHARACTERS = 5000, 200_000  # in a text with messages, which can have several mails
LONGEST_LINE = 20_000  # characters


def take_messages(
    campaign: Campaign,
    texts: Sequence[Text],
    faction: str = "",
    *,
    has_moved: bool = False,
    earlier: Mapping[str, Collection[str]] | None = None,
    retreats_after: RetreatsAfter | None = None,
    forced: Collection[str] = (),
    skipped: Mapping[str, str] | None = None,
    past: PastChanges | None = None,
    battle_commands: Mapping[str, str] | None = None,
) -> Taken:
    """Read pasted messages. If `faction` is given, only orders of this faction are accepted.

    `has_moved` is True if the forces have moved in this turn. The orders then count for the next turn.
    `earlier` has the orders that were given for the last movement, by force: the same orders without a turn
    are probably in a message that was taken before. `retreats_after` returns the beaten forces whose players
    choose where they retreat, after the given changes of the campaign. Its second argument is the only force
    of interest, or "" for all. `skipped` has the lines that contain no orders, with the faction that sent
    each line, or "". `forced`, `past` and `battle_commands` are those of `OrderParser`, for errors.

    Raises UsageError if an order is given in a campaign without movement, and InvalidInput if a text is too
    long.
    """
    retreats = retreats_with_taken(campaign, retreats_after) if retreats_after else None
    parser_for = partial(
        OrderParser,
        campaign,
        has_moved=has_moved,
        retreats=retreats,
        forced=forced,
        past=past,
        battle_commands=battle_commands,
    )
    book = OrderBook(parser_for(faction), earlier, retreats_after)
    MailReader(book, parser_for, skipped or {}).take(texts)
    is_march = any(order.order.verb != RETREAT for order in book.given)
    if is_march or not (book.given or skipped or retreats):
        refuse_without_movement(campaign)
    if not (book.given or book.errors or book.values or skipped):
        return book.without_orders(texts)
    book.reject_silent()
    return book.taken()


def retreats_with_taken(campaign: Campaign, retreats_after: RetreatsAfter) -> dict[str, RetreatChoice]:
    """Return the beaten forces whose players choose, with the places that recorded retreats close to them."""
    choices = retreats_after([], "")
    unset = changes_to(campaign, {("forces", force, "retreat"): None for force in choices})
    free = retreats_after(unset, "") if unset else choices
    taken = {force: [*free[force].places] if force in free else [] for force in choices}
    return {force: choice._replace(taken=taken[force]) for force, choice in choices.items()}


def authors_by_header(mails: Iterable[Mail]) -> dict[str, str]:
    """Return the faction of each sender with an order or an address in a mail, by the line of the header.

    A sender whose mails are of several factions is left out.
    """
    authors: dict[str, set[str]] = {}
    for mail in mails:
        if mail.orders.author and (mail.orders.given or mail.orders.asked):
            authors.setdefault(sender_line(mail.text), set()).add(mail.orders.author)
    return {line: next(iter(keys)) for line, keys in authors.items() if line and len(keys) == 1}


def orders_replaced(mails: Iterable[Mail]) -> list[GivenOrder]:
    """Return the orders that a later mail of the same sender replaces, by the dates in the headers."""
    dated = [(time_sent(mail.text), sender_line(mail.text), mail.orders) for mail in mails]
    by_date = sorted((each for each in dated if each[0] is not None), key=lambda each: each[0] or 0)
    last: dict[tuple[str, tuple[str, str]], tuple[float | None, GivenOrder]] = {}
    replaced = []
    for date, sender, read in by_date:
        for order in read.given:
            before, earlier = last.get((sender, order.slot), (date, order))
            replaced += [earlier] if before != date else []
            last[sender, order.slot] = date, order
    return replaced


def refuse_long_texts(texts: Iterable[Text]) -> None:
    """Raise InvalidInput if a text has more than can be read in a few seconds.

    A semicolon can separate orders, so that it counts as the end of a line.
    """
    for name, text in texts:
        lines = [line for line in plain_lines(name, text) if line.bare]
        count = sum(1 + line.bare.count(";") for line in lines)
        if count > MOST_LINES or sum(len(line.bare) for line in lines) > MOST_CHARACTERS:
            limit = f"{MOST_LINES:,} lines or {MOST_CHARACTERS:,} characters of text"
            raise InvalidInput(f"{clean(name)}: it has more than {limit}; take its mails in smaller files")
        for line in (line for line in lines if len(line.text) > LONGEST_LINE):
            error = f"the line has more than {LONGEST_LINE:,} characters; break it, or leave it out"
            raise InvalidInput([PlacedDiagnostic(error, file=name, line=line.number)])


class Mail(NamedTuple):
    """A mail with its orders and sealed orders. `name` is the printable name of its file."""

    name: str
    text: str
    orders: Orders
    sealed: Sequence[Answer]


class MailReader:
    """Reads mails, each as the mail of its sender, and adds them to an order book.

    `parser_for` returns the parser for the orders of a faction, or of all with "". `skipped` has the lines
    that contain no orders, with the faction that sent each line, or "".
    """

    def __init__(
        self, book: OrderBook, parser_for: Callable[..., OrderParser], skipped: Mapping[str, str]
    ) -> None:
        self.book = book
        self.campaign = book.campaign
        self.faction = book.parser.faction
        self.parser_for = parser_for
        self.skipped = skipped
        self.files: Counter[str] = Counter()  # the number of mails in each

    def take(self, texts: Sequence[Text]) -> None:
        """Read mails, and add their orders, errors and notes to the book."""
        self.files = Counter(name for name, _ in texts)
        mails = [self.read(name, text) for name, text in texts]
        authors = authors_by_header(mails)
        replaced = orders_replaced(mails)
        for order in replaced:
            note = f"line {order.line}: replaced by a later mail of the sender: {order.force}: {order.order}"
            self.add_note(note, order.file)
        for number, mail in enumerate(mails):
            author = authors.get(sender_line(mail.text))
            if author and not (mail.orders.given or mail.orders.asked):
                mail = mail._replace(orders=self.orders_in(self.parser_for(author), mail.name, mail.text))
            self.book.add_mail(number, mail.orders, replaced)
            for note in mail.orders.notes:
                self.add_note(note, mail.name)
            self.note_sender(mail)

    def add_note(self, note: str, file: str) -> None:
        self.book.notes.append(in_file(note, file if len(self.files) > 1 else ""))

    def read(self, name: str, text: str) -> Mail:
        """Read the orders of a mail, and take its sealed orders."""
        sealed = [answer for answer in answers_in(name, text) if answer.is_sealed]
        sender = "" if self.faction else faction_of_sender(self.campaign, text)
        for answer in sealed:
            self.book.wrapped |= lines_joined_to(answer, name, text)
            self.book.take_sealed(
                answer, self.faction or sender, "" if self.faction else sender_address(text)
            )
        parser = self.parser_for(sender, is_known_by_mail=True) if sender else self.book.parser
        orders = self.orders_in(parser, name, text)
        if not self.faction:
            orders = without_other_senders(self.campaign, name, text, orders)
        return Mail(name, text, orders, sealed)

    def orders_in(self, parser: OrderParser, name: str, text: str) -> Orders:
        return read_orders(parser, name, text, dict.fromkeys(self.book.wrapped, "") | dict(self.skipped))

    def note_sender(self, mail: Mail) -> None:
        """Note one of several mails whose orders cannot be read because nobody knows who sent it."""
        is_whole_mail = self.files[mail.name] == 1 or begins_with_header(mail.text)
        if not is_whole_mail or mail.sealed or self.files.total() == 1:
            return
        sender = "" if self.faction else faction_of_sender(self.campaign, mail.text)
        if mail.orders.is_anonymous and sender:
            self.book.silent.append(sender)
        elif mail.orders.is_anonymous:
            self.book.notes += note_on_mail(mail.name, mail.text, ANONYMOUS)
        elif not self.faction and is_from_unknown_sender(mail.orders):
            self.book.notes += note_on_mail(mail.name, mail.text, UNKNOWN_SENDER)


def is_from_unknown_sender(read: Orders) -> bool:
    """Return True if a mail has only errors, and does not show who sent it."""
    return bool(read.errors) and not (read.given or read.asked or any(read.senders))


def in_file(note: str, file: str) -> str:
    """Return a note about a line with the file of the line, unless this is "".

    >>> in_file("line 5: ignored", "ann.eml"), in_file("percy: hold", "ann.eml")
    ('ann.eml, line 5: ignored', 'percy: hold')
    """
    return f"{file}, {note}" if file and note.startswith("line ") else note


def without_other_senders(campaign: Campaign, file: str, text: str, read: Orders) -> Orders:
    """Return the content of a mail without the orders of factions that do not have the sender's address."""
    address = sender_address(text)
    errors: dict[str, PlacedDiagnostic] = {}
    for order in read.given:
        faction = campaign.forces[order.force].faction
        if faction not in errors and (error := sender_error(campaign, faction, address)):
            errors[faction] = PlacedDiagnostic(error, file=file, line=order.line, source=order.source)
    if not errors:
        return read
    given = [order for order in read.given if campaign.forces[order.force].faction not in errors]
    all_errors, senders = [*read.errors, *errors.values()], [*read.senders, *("" for _ in errors)]
    return read._replace(given=given, errors=all_errors, senders=senders, asked=())


def note_on_mail(file: str, text: str, why: str) -> list[str]:
    """Return a note about a mail beside others, with its first line, if it has text."""
    return [f"{file}:{line.number}: {why}" for line in unquoted_lines(plain_lines(file, text))[:1]]


def lines_joined_to(answer: Answer, file: str, text: str) -> set[str]:
    """Return the lines of a text that were joined to the line with an answer, because they continue it."""
    below = (line.bare for line in plain_lines(file, text) if line.number > answer.line)
    return {*takewhile(lambda line: line and line in answer.source, below)}

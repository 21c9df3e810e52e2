"""The orders and errors found in a message, and the decision which of them count."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from cardbattle.battles.messages.pasted_text import MOST_CHARACTERS, PlainLine
from cardbattle.campaign.exchange.message_error import MessageError, player_text
from cardbattle.campaign.exchange.orders.addresses import LONGEST
from cardbattle.campaign.exchange.orders.lines import LineParser
from cardbattle.campaign.exchange.orders.names import distinct_words
from cardbattle.campaign.exchange.orders.parser import (
    ASK_FOR_BATTLE,
    HIRING_ORDER,
    UNCONDITIONAL,
    GivenOrder,
)
from cardbattle.campaign.exchange.orders.requests import command_for, is_deal, is_refusal
from cardbattle.campaign.exchange.orders.words import (
    AGREEING,
    ALL_HOLD,
    ANNOUNCED_QUESTION,
    ASKING,
    ASKING_FOR_SUBSTITUTE,
    ASKING_TO_MOVE,
    CANCELLING,
    CONDITION_BEGINS,
    CORRECTING,
    CORRECTIONS,
    KEEPING,
    LEAVING,
    MONEY,
    PEACE_ENDS,
    QUESTION,
    REFUSING,
    SENTENCE_END,
    SPENDING,
    UNDECIDED,
    VERB_FORMS,
    WE_MAY,
    is_answered_no,
    is_peace,
    is_release,
    request_begins,
)
from cardbattle.campaign.ledger.roster import WORD
from cardbattle.campaign.state.tables.march_orders import RETREAT, has_part
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.files.errors import PlacedDiagnostic

WRAPPED = 55  # the fewest characters of a line that continues on the next line
MOST_WRAPPED = 5  # lines above and below a line that belong to it
QUOTATION = re.compile(r'^"?([^"]*)"([.,!?]?)$')  # a line in quotation marks, perhaps without the first one
LONGEST_LETTER = 5000  # characters of a line that are searched for the names of forces and for requests


def quoted_line(text: str) -> str:
    """Quote a line of a message, without the quotation marks of its sender.

    >>> quoted_line('"We hold".'), quoted_line('We "hold"')
    ('"We hold."', '"We "hold""')
    """
    return quoted(QUOTATION.sub(r"\1\2", text), LONGEST)


class Orders(NamedTuple):
    """The content of a message, with an order for each force that it names, and the errors.

    `notes` quote the remarks behind orders, which are ignored. `senders` has the faction that sent the line
    of each error, in the order of `errors`, or "" if the sender is unknown or may not read the error.
    `author` is the only faction that sent the message, or "" if it is unknown. `is_past` is True if the
    message has the address of a turn whose forces have moved, which is for retreats. `quoted` has an error
    for each order in a mail of another player, with the faction that can read it, which is not in `errors`.
    `silent` are the senders that answer the message of this turn without a line that can be read. `asked`
    are the factions with an address of this turn anywhere in the message. `is_anonymous` is True if the
    message has no address, and nothing in it is read, reported or skipped.
    """

    given: list[GivenOrder]
    errors: list[Diagnostic]
    notes: Sequence[str] = ()
    senders: Sequence[str] = ()
    author: str = ""
    is_past: bool = False
    quoted: Sequence[tuple[PlacedDiagnostic, str]] = ()
    silent: Collection[str] = ()
    asked: Collection[str] = ()
    is_anonymous: bool = False


class Senders(NamedTuple):
    """The factions of the least quoted addresses and orders in a message, which sent it, and their depth.

    If the message has no addresses and no orders, `factions` is empty.
    """

    depth: int
    factions: Collection[str]

    def is_foreign(self, depth: int, faction: str) -> bool:
        """Return True if a line of a faction only quotes another player."""
        return bool(faction and self.factions) and depth > self.depth and faction not in self.factions


def senders_among(factions: Iterable[tuple[int, str]]) -> Senders:
    """Return the senders of a message, given the depth and the faction of its addresses and orders."""
    pairs = [(depth, faction) for depth, faction in factions if faction]
    top = min((depth for depth, _ in pairs), default=0)
    return Senders(top, {faction for depth, faction in pairs if depth == top})


def is_heading(text: str) -> bool:
    """Return True if a line only introduces the orders below it, and asks for nothing of its own.

    >>> is_heading("Please take this instead:"), is_heading("Please spend 4 on these:")
    (True, False)
    """
    is_about_money = SPENDING.search(text) or MONEY.search(text)
    is_deal = is_about_money or is_release(text) or is_peace(text)
    return text.rstrip("*_ ").endswith(":") and not is_deal


def split_request(text: str) -> tuple[str, str]:
    """Split a line into the sentences that ask the umpire for something, and its other sentences.

    >>> split_request("What a turn! Please spend 4 on the bows. Yours, Ann")
    ('Please spend 4 on the bows.', 'What a turn! Yours, Ann')
    >>> split_request("Hello! Can the bows see York?")
    ('Can the bows see York?', 'Hello!')
    >>> split_request("Hello! Peace with Blue? Not today.")
    ('Peace with Blue? Not today.', 'Hello!')
    >>> split_request("bows: hold, 3 soldiers for the bows, 9 crowns")
    ('3 soldiers for the bows, 9 crowns', 'bows: hold,')
    """
    begins = request_begins(text)
    sentences = [text[begin:end].rstrip() for begin, end in pairwise([*begins, len(text)])]
    asking = [each for each in sentences if is_deal(each) or ASKING.search(each)]
    answers = [
        answer for deal, answer in pairwise(sentences) if is_deal(deal) and is_answered_no(deal, answer)
    ]
    asking += answers
    asking += [end for peace, end in pairwise(sentences) if is_peace(peace) and PEACE_ENDS.search(end)]
    asking += [each for no, each in pairwise(sentences) if no in answers and AGREEING.match(each)]
    asking = [each for each in sentences if each in asking]
    other = [sentence for sentence in sentences if sentence not in asking]
    return (" ".join(asking), " ".join(other)) if asking else (text, "")


def is_question(request: str) -> bool:
    """Return True if a request only asks for an answer.

    >>> is_question("Can the bows see York?"), is_question("Is my purse 13? Please spend 4.")
    (True, False)
    >>> is_question("May I move the bows twice?"), is_question("May I spend 4 on the bows?")
    (True, False)
    """
    return all(
        QUESTION.fullmatch(sentence)
        or ANNOUNCED_QUESTION.match(sentence)
        or (WE_MAY.fullmatch(sentence) and not is_deal(sentence))
        for sentence in SENTENCE_END.split(request)
    )


def questions_in(text: str) -> list[str]:
    """Return the sentences of a text that only ask, and not whether a force may do something else.

    >>> questions_in("Hello. Does York help who stands in it? May we march to York?")
    ['Does York help who stands in it?']
    """
    return [
        sentence
        for sentence in SENTENCE_END.split(text)
        if QUESTION.fullmatch(sentence)
        and not ASKING_TO_MOVE.search(sentence)
        and not CORRECTING.search(sentence)
    ]


def only_asks(request: str) -> bool:
    """Return True if each sentence of a request that names no force ends with a question mark.

    >>> only_asks("Could you tell me the date?"), only_asks("Could you give me 4 coins?")
    (True, False)
    """
    sentences = SENTENCE_END.split(request)
    return not is_deal(request) and all(each.rstrip("*_) ").endswith("?") for each in sentences)


def is_conditional(text: str) -> bool:
    """Return True if a sentence has a condition and a verb of an order.

    >>> is_conditional("Hello! If they come, fall back to York"), is_conditional("Go! If they come, fight")
    (True, False)
    """
    sentences = (each for each in SENTENCE_END.split(text) if CONDITION_BEGINS.match(each))
    return any(not VERB_FORMS.isdisjoint(WORD.findall(each.casefold())) for each in sentences)


def with_requests(
    errors: Sequence[tuple[PlacedDiagnostic, str]], requests: Iterable[tuple[PlacedDiagnostic, str]]
) -> list[tuple[PlacedDiagnostic, str]]:
    """Return errors and requests with their senders. A line with both has one error, which contains both."""
    both = [*errors]
    for request, sender in requests:
        same = [each for each in errors if (each[0].line, each[1]) == (request.line, sender)]
        if same:
            both.remove(same[0])
            both.append((joined(same[0][0], request), sender))
        else:
            both.append((request, sender))
    return both


def joined(error: PlacedDiagnostic, request: PlacedDiagnostic) -> MessageError:
    """Return an error about a line together with that of a request on the same line."""
    return MessageError(
        f"{error.text}; {request.text}",
        "; ".join(filter(None, map(player_text, (error, request)))),
        file=error.file,
        line=error.line,
        column=error.column,
        source=error.source,
    )


class Finding(NamedTuple):
    """An order or an error in a message, with its faction and the number of `>` marks before its line.

    `about` is the faction of the forces that an error is about, or "". `forces` are those that the words of
    the error name. `is_guessed` is True if only the forces of an error decide its faction, not an address.
    `is_label` is True for an error if its line names forces before a colon or a dash, and `can_be_order` if
    the text behind them can be an order of some force.
    """

    faction: str
    depth: int
    content: GivenOrder | PlacedDiagnostic
    about: str = ""
    forces: Collection[str] = ()
    is_guessed: bool = False
    is_label: bool = False
    can_be_order: bool = False

    @property
    def named(self) -> Collection[str]:
        """The force of an order, or the forces of an error."""
        return (self.content.force,) if isinstance(self.content, GivenOrder) else self.forces


def is_unaddressed_order(finding: Finding) -> bool:
    """Return True if a finding is an order, and no address above it names the turn."""
    return isinstance(finding.content, GivenOrder) and not finding.content.has_turn


def is_hiring(finding: Finding) -> bool:
    """Return True if a finding is an order to hire soldiers."""
    return isinstance(finding.content, GivenOrder) and finding.content.kind == HIRING_ORDER


class UnreadLine(NamedTuple):
    """A line that may be meant as an order, its words, and the faction of the address above it, or "".

    `forces` are those that it names at its beginning. Without them, its words decide which forces it means.
    `corrected` is the line with the right verb, if its verb is misspelt, or "". `request` is the line if it
    asks the umpire for something, or "". `paragraph` is not None if the line counts only beside orders in
    this paragraph. `unknown` is the name on a line that sends an unknown force to a place, or "".
    `other_turn` is the turn that words such as `next turn` name at its beginning, or 0.
    """

    line: PlainLine
    words: Sequence[str]
    faction: str
    forces: Sequence[str] = ()
    corrected: str = ""
    request: str = ""
    paragraph: int | None = None
    unknown: str = ""
    other_turn: int = 0


class RequestLine(NamedTuple):
    """A line that asks the umpire for something, and the faction of the address above it."""

    line: PlainLine
    text: str
    faction: str
    words: Sequence[str]


class Findings:
    """The orders and errors in a message, and the addresses and remarks that decide which of them count."""

    def __init__(self, lines: LineParser, file: str) -> None:
        self.lines = lines
        self.parser = lines.parser
        self.file = file
        self.sender = ""  # the faction that certainly has written the unquoted lines, or ""
        self.is_mail = False  # True if the text begins with a header, so that it has one sender
        self.is_marked = False  # True if a mail program has marked quoted lines
        self.is_certain = False  # True if the quoted lines cannot be a mail of their own
        self.skipped_depth = MOST_CHARACTERS  # the smallest depth of the skipped lines
        self.skipped: set[str] = set()  # the factions that sent the skipped lines
        self.addresses: list[tuple[int, str]] = []  # depths and factions of all addresses
        self.own_addresses: list[tuple[int, str]] = []  # the lines and factions of those without marks
        self.found: list[Finding] = []
        self.unread: list[UnreadLine] = []
        self.requests: list[RequestLine] = []
        self.paragraph = 0  # the number of the paragraph that is read
        self.paragraphs: set[int] = set()  # those with an order, which can be rejected
        self.is_past = False  # True if an address is for the retreats of a turn whose forces have moved
        self.ignored: dict[int, str] = {}  # ignored text below an address, by the number of its line
        self.battle_answers: list[PlacedDiagnostic] = []  # reported without other errors and orders
        self.rest_lines: set[int] = set()  # with an order for all forces that have no other
        self.texts: dict[int, str] = {}  # all lines, by number
        self.own_lines: dict[int, str] = {}  # the sender's own lines, by number
        self.doubtful: set[str] = set()  # forces whose quoted order a line above the quotation may correct

    def factions_with_orders(self) -> set[str]:
        """Return the factions of the orders without an address, or nothing if one of them is quoted."""
        orders = [each for each in self.found if is_unaddressed_order(each)]
        return set() if any(each.depth for each in orders) else {each.faction for each in orders}

    def forces_with_lines(self, faction: str) -> set[str]:
        """Return the forces of a faction that have an order, or begin an own line that can mean one."""
        forces = {each.content.force for each in self.found if isinstance(each.content, GivenOrder)}
        for each in self.unread:
            named = self.lines.named_line(each.line.bare) if not each.line.depth else None
            if named and self.lines.is_near_order(named.order):
                forces.update(self.lines.forces_meant(named.words))
        return {force for force in forces if self.parser.faction_of(force) == faction}

    def factions_labelled(self) -> list[str]:
        """Return the factions whose forces own lines without an address order, also if they are rejected."""
        own = [each for each in self.found if not each.depth]
        factions = [
            each.faction for each in own if is_unaddressed_order(each) or (each.is_label and each.is_guessed)
        ]
        return [*dict.fromkeys(filter(None, factions))]

    def orders_of_others(self, accepted: Iterable[GivenOrder]) -> Iterator[GivenOrder]:
        """Yield the orders without an address in a mail with a header that are not certainly its sender's.

        A mail has one sender, who could otherwise order the forces of another player. A rejected order counts
        too: whether it can be carried out may be hidden from the sender.
        """
        if self.is_mail and (self.sender or len(self.factions_labelled()) > 1):
            sender = self.parser.faction or self.sender
            yield from (
                order
                for order in accepted
                if not (order.has_turn or self.parser.faction_of(order.force) == sender)
            )

    def one_sender_error(self, order: GivenOrder) -> PlacedDiagnostic:
        """Return the error of an order in a mail with orders for the forces of several factions."""
        factions = dict.fromkeys([*self.factions_labelled(), *filter(None, [self.sender])])
        names = listed(map(self.parser.campaign.faction_name, factions))
        remedy = "name its sender with --for, or write an address above the orders"
        text = f"{order.force}: this mail orders forces of {names}; {remedy}"
        return self.error(PlainLine(order.line, order.source), text)

    def with_whole_remark(self, order: GivenOrder) -> GivenOrder:
        """Return an order with the end of its remark, which a mail program has wrapped onto other lines."""
        read = [each.content.line for each in self.found if each.content.line != order.line]
        read += [each.line.number for each in self.unread] + [each.line.number for each in self.requests]
        lines = self.wrapped_lines(PlainLine(order.line, ""), read) if order.remark else ()
        lines_below = [self.own_lines[number] for number in lines if number > order.line]
        return order._replace(remark=" ".join([order.remark, *lines_below]))

    def remark_errors(
        self, found: Iterable[Finding], ordered: Collection[str], known: Senders
    ) -> Iterator[tuple[PlacedDiagnostic, str]]:
        """Yield an error for each remark that names a force without an order, as in `hold (the guard too)`.

        The forces in `ordered` have an order.
        """
        for each in found:
            order = each.content
            spoken = WORD.findall(order.remark.casefold()) if isinstance(order, GivenOrder) else []
            forces = self.lines.forces_in(spoken, each.faction, is_exact=True) if spoken else []
            named = self.lines.named_line(order.remark) if isinstance(order, GivenOrder) else None
            if named and self.lines.is_joining(named.order):  # as in `Crossbows with them`
                forces += self.lines.forces_in(WORD.findall(named.words.casefold()), each.faction)
            missing = [force for force in forces if force not in ordered]
            if missing and isinstance(order, GivenOrder):
                self.doubtful.add(order.force)
                line = PlainLine(order.line, self.texts.get(order.line, ""))
                form = f"leave it out, or write {missing[0]}: ORDER too"
                text = f"{order.force}: {quoted(order.remark)} names {missing[0]}, which has no order; {form}"
                yield self.error(line, text), self.sender_of(each.faction, each.about, known, each.depth)

    def contradiction(self, earlier: GivenOrder, order: GivenOrder) -> MessageError:
        """Return the error for two orders of one force. The player cannot see the numbers of the lines."""
        line, other = (PlainLine(each.line, self.texts.get(each.line, "")) for each in (order, earlier))
        two = f"{order.force} has two {order.kind}s"
        if line == other:
            text, player_text = f"{two} on this line", f"{two} in your line {quoted_line(line.bare)}"
        else:
            text = f"{order.force} has another {order.kind} in line {other.number}"
            lines = listed(quoted_line(each.bare) for each in (other, line))
            player_text = f"{two}, in your lines {lines}"
        advice = "; leave one of them"
        return self.umpire_error(line, text + advice, player_text=player_text + advice)

    def sender_of(self, faction: str, about: str, known: Senders, depth: int) -> str:
        """Return the faction that sent a line with an error, or "" if no faction may read the error.

        `faction` is the faction of the address above the line, or "". An unquoted line without an address is
        from the faction whose form the mail answers, or from the sender of a mail with a header; other lines
        are from the only faction in `known`. A line that names a force does not show who sent it: players
        write about their enemies too. An error about forces of another faction can say where they are, so
        only the umpire reads it.
        """
        only = next(iter(known.factions)) if len(known.factions) == 1 else ""
        sender = self.parser.faction or faction or ("" if depth else self.sender) or only
        return sender if {faction, about} <= {"", sender} else ""

    def signs_of_readers(self, found: Iterable[Finding]) -> Iterator[tuple[int, str]]:
        """Yield the depth and the faction of each address and of each order in `found`.

        Only they show who may read the text of a message. An order that is passed over does not. A rejected
        order for a force of another faction makes the sender unclear, as an accepted one does: the message to
        a player must not depend on where this force is.
        """
        found = [*found]
        orders = [each for each in found if isinstance(each.content, GivenOrder)]
        yield from self.signs_of_addresses()
        yield from ((each.depth, each.faction) for each in orders)
        yield from ((each.depth, each.about) for each in found if each.is_guessed and orders)

    def signs(self) -> Iterator[tuple[int, str]]:
        """Yield the depth and the faction of each address and order, which show who sent the message.

        Unless the quoted lines are certainly a quotation, each address can begin a mail of its own.
        """
        yield from self.signs_of_addresses()
        yield from ((each.depth, each.faction) for each in self.found)

    def signs_of_addresses(self) -> Iterator[tuple[int, str]]:
        """Yield the depth and the faction of each address."""
        yield from ((depth if self.is_certain else 0, faction) for depth, faction in self.addresses)

    def quoted_errors(
        self, passed: Iterable[Finding], found: Iterable[Finding], known: Senders
    ) -> Iterator[tuple[PlacedDiagnostic, str]]:
        """Yield an error and its sender for each order in a quotation that was passed over.

        A force with another line in `found`, or with the same order already, has no error. After the
        movement, a quoted order without a turn was probably carried out.
        """
        named = {*chain.from_iterable(each.named for each in found)}
        for each in passed:
            order = each.content
            if not isinstance(order, GivenOrder) or order.force in named or self.is_old(order):
                continue
            why = "is quoted, which does not count beside new orders; send it again"
            text = f"{order.force}: {quoted(str(order.order))} {why}"
            error = PlacedDiagnostic(text, file=self.file, line=order.line)
            faction = each.faction if order.has_turn else ""
            yield error, self.sender_of(faction, each.faction, known, each.depth)

    def foreign_errors(self, foreign: Iterable[Finding]) -> Iterator[tuple[PlacedDiagnostic, str]]:
        """Yield an error for each order that another player quotes, and the faction that can read it.

        Two mails can be in one file. If the force already has an order, the quoted one is probably older.
        Without an address above it, the other player can have written the order, so no faction reads it.
        """
        why = "was only quoted in the mail of another player, which does not count; send it again"
        for each in foreign:
            order = each.content
            if not isinstance(order, GivenOrder) or not order.has_turn or self.is_old(order):
                continue
            if order.order.verb == RETREAT or order.force not in self.parser.campaign.orders:
                text = f"{order.force}: {quoted(str(order.order))} {why}"
                yield PlacedDiagnostic(text, file=self.file, line=order.line), each.faction

    def is_old(self, order: GivenOrder) -> bool:
        """Return True if a force already has an order, or probably had it in the last movement."""
        campaign = self.parser.campaign
        if order.order.verb == RETREAT:
            return (campaign.forces[order.force].retreat,) == order.order.keys
        is_moved = self.parser.has_moved and not order.has_turn
        return is_moved or has_part(campaign.orders.get(order.force), order.order)

    def keep_request(self, unread: UnreadLine) -> None:
        """Keep a line that is not read as a request to the umpire."""
        self.requests.append(RequestLine(unread.line, unread.request, unread.faction, unread.words))

    def about_turn(self, turn: int) -> str:
        """Return why a line about an earlier or a later turn changes no order."""
        now = self.parser.campaign.turn
        if turn <= now:
            return f"is about turn {turn} and changes nothing now"
        if turn > now + 1:
            return f"is for turn {turn} and changes nothing now; send it then"
        return f"is for the next turn and changes nothing now; send it for turn {turn}"

    def is_above_all_orders(self, line: PlainLine, sender: str) -> bool:
        """Return True if the sender's lines below a line have all orders and retreats that are asked for.

        A line such as `Home to the pass, both of them.` then changes nothing. A condition and an unknown name
        before a colon or a dash are reported.
        """
        is_label = ":" in line.bare or self.lines.unknown_force(line.bare)
        if not sender or line.depth or is_label or is_conditional(line.bare):
            return False
        asked = self.parser.slots_asked(sender)
        return bool(asked) and asked <= {
            order.slot for order in self.orders_to(0) if order.line > line.number
        }

    def is_about_result(self, line: PlainLine, words: Sequence[str]) -> bool:
        """Return True if an own line such as `Our guard held!`, beside a battle's result, is only a remark.

        The forces have moved, none must retreat, the mail has no order, and the line names no place.
        """
        is_possible = self.parser.has_moved and self.skipped and not (line.depth or self.parser.retreats)
        is_order = self.found or CORRECTING.search(line.bare) or not self.parser.place_words.isdisjoint(words)
        return bool(is_possible) and not is_order

    def nearest_force(self, name: str, faction: str) -> str:
        """Return a question whether an unknown name means a force that the sender knows, or ""."""
        if not name or not (faction or self.parser.campaign.visibility.shows_forces):
            return ""
        names = self.parser.forces(faction)
        movable = self.parser.movable(faction)
        return nearest(name, [*movable, *(names[key] for key in movable)])

    def form_or_retreat(self, form: str, force: str, ordered: Collection[str]) -> str:
        """Return what to write for a force, or where another force retreats, if its player is asked this.

        The forces in `ordered` have an order. After the movement, only retreats are answers.
        """
        asked = self.parser.asked_retreat(self.parser.faction_of(force), ordered)
        can_move = not self.parser.has_moved and self.parser.campaign.movement is not None
        return f"{form}; {asked}" if asked and can_move else asked or form

    def orders_to(self, depth: int) -> Iterator[GivenOrder]:
        """Yield the orders that were quoted at most `depth` times."""
        for each in self.found:
            if isinstance(each.content, GivenOrder) and each.depth <= depth:
                yield each.content

    def doubt(self, forces: Collection[str], nearest_depth: Mapping[str, int]) -> str:
        """Refuse the quoted orders of these forces, which a newer line may correct, and return what to say.

        The result is "" if no order of these forces would count.
        """
        quoted_orders = [
            order
            for force in forces
            for order in self.orders_to(nearest_depth.get(self.parser.faction_of(force), 0))
            if order.force == force
        ]
        self.doubtful.update(order.force for order in quoted_orders)
        orders = listed(quoted(f"{order.force}: {order.order}") for order in quoted_orders)
        return (
            f", so the quoted {orders} {'do' if len(quoted_orders) > 1 else 'does'} not count"
            if orders
            else ""
        )

    def late_orders(self, line: PlainLine, forces: Collection[str]) -> Sequence[GivenOrder]:
        """Return the orders of these forces above an unquoted line, or for all forces that are left."""
        orders = [] if line.depth else [order for order in self.orders_to(0) if order.force in forces]
        return [order for order in orders if order.line < line.number or order.line in self.rest_lines]

    def orders_now(self, line: PlainLine, forces: Collection[str]) -> Sequence[GivenOrder]:
        """Return the orders of these forces, or of any for none, beside an unquoted line."""
        orders = self.orders_to(0) if not line.depth else ()
        return [order for order in orders if not forces or order.force in forces]

    def late_doubt(self, line: PlainLine, words: Sequence[str], orders: Sequence[GivenOrder]) -> str:
        """Refuse the orders above a line that may change them, and return what to say, or "" for a remark."""
        if not orders or not self.may_change(line, words, orders):
            return ""
        self.doubtful.update(order.force for order in orders)
        given = listed(quoted(f"{order.force}: {order.order}") for order in orders)
        return f", so {given} {'do' if len(orders) > 1 else 'does'} not count"

    def may_change(self, line: PlainLine, words: Sequence[str], orders: Sequence[GivenOrder]) -> bool:
        """Return True if a line may change orders: it has a verb, a place or a word such as `instead`.

        The words of the names of the forces do not count.
        """
        of_forces = set().union(*(self.parser.force_words(order.force) for order in orders))
        meaning = VERB_FORMS | LEAVING | self.parser.place_words
        is_correction = any(each.search(line.bare) for each in (CORRECTING, KEEPING, UNDECIDED))
        return is_correction or not meaning.isdisjoint({*words} - of_forces)

    def may_correct(self, line: PlainLine, words: Sequence[str]) -> bool:
        """Return True if a line without a force, above a quotation, may correct the orders in it.

        Such a line has a verb of an order, and a place or a word such as `instead`. It can also cancel
        orders, or let all forces hold.
        """
        if CANCELLING.search(line.bare) or ALL_HOLD.search(line.bare):
            return True
        if not line.depth and (asked := questions_in(line.bare)):
            left = line._replace(
                text=" ".join(each for each in SENTENCE_END.split(line.bare) if each not in asked)
            )
            return bool(left.text) and self.may_correct(left, WORD.findall(left.text.casefold()))
        is_change = CORRECTING.search(line.bare) is not None or not self.parser.place_words.isdisjoint(words)
        return is_change and not VERB_FORMS.isdisjoint(words)

    def is_correction_below(self, line: PlainLine) -> bool:
        """Return True if a line without a force, below orders, has a word such as `instead`.

        A place is not enough.
        """
        is_below = not line.depth and any(order.line < line.number for order in self.orders_to(0))
        return is_below and any(each.search(line.bare) for each in CORRECTIONS)

    def request_errors(
        self, known: Senders, accepted: Sequence[GivenOrder], wrong: Collection[int]
    ) -> Iterator[tuple[PlacedDiagnostic, str]]:
        """Yield an error and its sender for each line that asks for something.

        The line can also have an accepted order, which the player reads. The lines in `wrong` have an error,
        so the request is quoted. The forces of the line keep their orders on other lines. The player reads
        that the umpire decides, and the umpire reads how to spend from a purse. A question only asks for an
        answer.
        """
        begun = {content.line for _, _, content, *_ in self.found}
        by_line = {each.line: each for each in reversed(self.requests)}  # a long line has many parts
        read: set[int] = set()
        for line, text, faction, words in sorted(by_line.values(), key=lambda each: each.line.number):
            if line.number in read:
                continue
            lines = self.wrapped_lines(line, begun)
            read.update(lines)
            whole = " ".join(self.own_lines.get(number, line.bare) for number in lines)
            request, other = split_request(whole[:LONGEST_LETTER])
            if is_heading(request) and {line.number + 1, line.number + 2} & begun:
                continue
            for number in lines:
                if self.ignored.get(number, request) in request:
                    self.ignored.pop(number, None)  # the request quotes the whole line
            spoken = WORD.findall(request.casefold())
            written_by = "" if self.is_between(line) else faction or self.only_below(line)
            written_by = written_by or ("" if line.depth else self.sender)
            forces = self.lines.forces_in(spoken, written_by) or self.lines.forces_in(words, written_by)
            about = self.parser.faction_of(forces[0]) if forces and not written_by else ""
            sender = self.sender_of(written_by, about, known, line.depth)
            ordered = {each.force for each in accepted if each.line in lines}
            command = command_for(self.lines, sender, request)
            if len(ordered) == 1:  # the force of the order on the line
                command = command.replace("give FORCE hire", f"give {next(iter(ordered))} hire")
            is_asking = is_question(request) or (not forces and only_asks(request))
            is_asking = is_asking and not ASKING_FOR_SUBSTITUTE.search(request)
            has_friends = sender != "" and self.parser.campaign.friends_of(sender)
            kind, hint, reaction = "request", command or "decide on it yourself", " and will decide"
            if is_asking:
                kind, hint, reaction = "question", "answer it yourself", " and will answer"
            elif is_refusal(request) and not (command or has_friends):
                kind, hint, reaction = "refusal", "forward it if a player waits for it", ""
            on_lines = [each for each in accepted if each.line in lines and not other]
            orders = listed(quoted(f"{each.force}: {each.order}") for each in on_lines)
            read_as = f"read as {orders}; the rest is " if orders else ""
            answer = f"{quoted_line(request)} is {read_as}a {kind}; the umpire has read it{reaction}"
            is_whole = len(lines) == 1 and line.number not in begun and line.number not in wrong
            subject = "this line" if is_whole else quoted_line(request)
            umpire_text = f"{subject} is a {kind}, not an order; {hint}"
            yield self.umpire_error(line, umpire_text, text, player_text=answer, is_settled=True), sender

    def is_between(self, line: PlainLine) -> bool:
        """Return True if a line can belong to the mails of two factions, whose addresses are around it.

        A line right below an address and its orders belongs to them. Neither faction may read another line.
        """
        above = [address for address in self.own_addresses if address[0] < line.number]
        below = [side for number, side in self.own_addresses if number > line.number]
        if line.depth or not above or not below or self.parser.faction or below[0] == above[-1][1]:
            return False
        return not all(number in self.own_lines for number in range(above[-1][0], line.number))

    def only_below(self, line: PlainLine) -> str:
        """Return the faction of the first address of the message if it stands below an own line, or ""."""
        number, faction = next(iter(self.own_addresses), (0, ""))
        return faction if number > line.number and not line.depth else ""

    def wrapped_lines(self, line: PlainLine, begun: Collection[int]) -> range:
        """Return the numbers of the lines into which a mail program has wrapped the text of an own line.

        The lines in `begun` have orders. A line that ends a sentence or is short does not continue.
        """
        own = self.own_lines if not line.depth else {}

        def is_continued(number: int) -> bool:
            text = own.get(number, "")
            is_open = len(text) >= WRAPPED and not text.endswith((".", "!", "?", ":", ";"))
            return is_open and number + 1 in own and {number, number + 1}.isdisjoint(begun)

        first = last = line.number
        while line.number - first < MOST_WRAPPED and is_continued(first - 1):
            first -= 1
        while last - line.number < MOST_WRAPPED and is_continued(last):
            last += 1
        return range(first, last + 1)

    def sender_meant(self, faction: str, senders: Senders) -> str:
        """Return the faction that probably sent a line, or "". `faction` is that of the address above it."""
        only = next(iter(senders.factions)) if len(senders.factions) == 1 else ""
        return self.parser.faction or faction or only

    def retreats_meant(
        self, words: Sequence[str], faction: str, senders: Senders, ordered: Collection[str]
    ) -> list[str]:
        """Return the beaten forces whose retreats a line without a force can mean.

        The line has a place to which the force can retreat, and the force has no retreat yet. The forces in
        `ordered` have an order on another line.
        """
        sender = self.sender_meant(faction, senders)
        meant = []
        for force, choice in self.parser.retreats.items():
            places = [*choice.places, *choice.named, *choice.refused]
            names = chain.from_iterable(distinct_words(key, self.parser.places[key]) for key in places)
            is_open = self.parser.campaign.forces[force].retreat not in choice.places and force not in ordered
            if self.parser.faction_of(force) == sender and is_open and not {*words}.isdisjoint(names):
                meant.append(force)
        return meant

    def decision(self, text: str, forces: Collection[str]) -> str:
        """Return the umpire's command for an error about an order of these forces, or "".

        It records what the umpire decides about a condition, or adds a battle where a force is already.
        """
        if ASK_FOR_BATTLE in text:
            return next(filter(None, map(self.parser.battle_hint, forces)), "")
        force = next(iter(forces)) if len(forces) == 1 else "FORCE"
        command = f"cardbattle campaign orders give {force} ORDER"
        is_open = UNCONDITIONAL in text and not self.parser.is_opened
        return f"; to record what you decide, write: {command}" if is_open else ""

    def retreat_command(self, forces: Sequence[str], words: Collection[str]) -> str:
        """Return the umpire's command for a line that names the only place of one beaten force, or ""."""
        spoken = {*words}
        named = [
            key
            for key, name in self.parser.places.items()
            if not distinct_words(key, name).isdisjoint(spoken)
        ]
        choices = [self.parser.retreats[force].places for force in forces if force in self.parser.retreats]
        if len(forces) != 1 or len(named) != 1 or not choices or named[0] not in choices[0]:
            return ""
        command = f"cardbattle campaign advance --retreat {forces[0]}={named[0]}"
        return f"; to enter this choice, write: {command}" if REFUSING.isdisjoint(spoken) else ""

    def error(self, line: PlainLine, text: str, words: str = "") -> PlacedDiagnostic:
        """Return an error about a line. Its position is where `words` begin on the line."""
        column = max(line.text.find(words), 0) + 1
        return PlacedDiagnostic(text, file=self.file, line=line.number, column=column, source=line.text)

    def umpire_error(
        self,
        line: PlainLine,
        text: str,
        words: str = "",
        *,
        player_text: str = "",
        is_settled: bool = False,
    ) -> MessageError:
        """Return an error about a line whose remedy is a command. The player reads only `player_text`."""
        column = max(line.text.find(words), 0) + 1
        return MessageError(
            text,
            player_text,
            file=self.file,
            line=line.number,
            column=column,
            source=line.text,
            is_settled=is_settled,
        )

"""Split a line of a message into forces and their orders."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import chain, pairwise, starmap
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import ENDING, MARKUP
from cardbattle.campaign.exchange.orders.addresses import LONGEST, address_of
from cardbattle.campaign.exchange.orders.names import (
    LostForce,
    NotOnMap,
    UnknownForce,
    distinct_words,
    find_force,
    find_named,
    is_ambiguous,
    is_similar,
    positions_in,
    with_bracket,
)
from cardbattle.campaign.exchange.orders.parser import (
    ARROWS,
    FORMS,
    LISTING,
    NEAR_PLACE,
    PLEASE,
    UNCONDITIONAL,
    VERBS,
    OrderParser,
    UnreadOrder,
    UnreadRoute,
)
from cardbattle.campaign.exchange.orders.remarks import split_remark
from cardbattle.campaign.exchange.orders.words import (
    ACTING,
    ALL_HOLD,
    ALL_THREE,
    ALSO,
    AMOUNT,
    AVOID,
    BEFORE,
    BEGINS,
    BEGINS_IN_ANY_FORM,
    BOTH,
    COMMON_WORDS,
    CONDITION_CONTINUES,
    DIRECTION_TO,
    EVERY,
    EVERYDAY_VERBS,
    EXCEPTION,
    FOLLOWING,
    HELPING,
    HOLDING,
    JOINING,
    MARCHING,
    MONEY,
    NO_FORCE,
    OTHER_TURN,
    PREPOSITIONS,
    RETREAT_SENTENCE,
    RETREATING,
    SAME,
    THEN,
    THEY_CAN,
    VERB_FORMS,
    VIA,
    WHO,
    is_misspelt_verb,
    is_peace,
    misspelt_verb,
    number_in,
    one_of,
)
from cardbattle.campaign.ledger.roster import (
    ARTICLES,
    SHORTEST,
    WORD,
    fold_text,
    is_alike,
    is_alike_without_article,
    is_beginning,
    is_part,
    without_article,
)
from cardbattle.campaign.state.tables.march_orders import HOLD, MARCH, PATH, RETREAT, MarchOrder
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import nearest, quoted
from cardbattle.core.telling import counted
from cardbattle.story.naming import titles

LINE = re.compile(r"(?P<force>[^:;]{1,120}):(?P<order>[^;]*)")
SMILEY = re.compile(r"(?<=\s)[:;]-?[()DPp]+(?=\s|$)")
DASH = re.compile(r"\s+[-\u2013\u2014]+(?![->])\s*|\s*[\u2013\u2014]+\s*|-+\s+")  # in `FORCE - ORDER`
NAME_END = re.compile(
    r"\s*(?:(?P<sign>[-\u2013\u2014]+(?!>)|=+(?!>)|:)|[;,.!?]+|(?P<arrow>[-=]+>|\u2192))\s*|\s+"
)  # behind the name of a force at the beginning of a line
PLACE_END = re.compile(rf"\s*[,.!?(;]|{LISTING.pattern}|{VIA.pattern}|{ARROWS.pattern}", re.IGNORECASE)
MOST_WORDS = 6  # of a name that the campaign does not have
LONGEST_LIST = 120  # characters of the names at the beginning of a line
GREETING_ENDS = re.compile(r"[.!?,]+\s+")
BEGINS_WITH_ALL = re.compile(r"(?:all|everyone|everybody|(?:the\s+)?(?:rest|others))\b", re.IGNORECASE)
NAMES_END = re.compile(r"\s*(?:,\s*and\b|,|&|\+|\band\b)\s*", re.IGNORECASE)  # between the names of forces
AND_BOTH = re.compile(r"both\s+", re.IGNORECASE)
ARTICLE_END = re.compile(rf"(?:^|\W){one_of(ARTICLES)}$", re.IGNORECASE)
OPEN_BRACKET, BRACKET_END = re.compile(r"\([^()]*$"), re.compile(r"[^()]*\)")  # of a remark on two lines
BRACKETS = re.compile(r"\s*[()]\s*")
CLAUSE_END = re.compile(r"\s*[,;]\s*(?:(?:and|but)\s+)?|\s+(?:and|but)\s+", re.IGNORECASE)
NUMBER = re.compile(r"^\W*\d+[.)]\s*")  # of a line in a list
ORDER_END = re.compile(r"\s*[.,!?/]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
UNFINISHED = re.compile(
    r"(?:,|(?P<open>[-=]+>|\u2192|\b(?:with|(?P<to>to|towards?)|(?P<article>the|our|my)))|\b(?:and|then|via))$",
    re.IGNORECASE,
)  # ends a line that continues on the next line
ONE_EACH = "write the order of each force on a line of its own"
PAIR = 2  # forces that `both` means
NO_CHOICE = "it has at most one way out, so its retreat needs no order"


class NamedLine(NamedTuple):
    """A line that begins with the names of forces, and the text behind them, which may be an order.

    `has_sign` is True if a colon, a dash or an equals sign separates the two.
    """

    words: str
    order: str
    has_sign: bool


class Exceptions(NamedTuple):
    """A line with an order for all forces except some.

    `excepted` has the names of those forces, and their order or "".
    """

    every: str
    order: str
    excepted: Sequence[tuple[str, str]]


class Address(NamedTuple):
    """What the address above a line says: its faction, or "", and whether it names the turn.

    `is_past` is True if the forces of this turn have moved, so that only retreats are open.
    """

    faction: str = ""
    has_turn: bool = False
    is_past: bool = False


class LineParser:
    """Splits the lines of a message into forces and orders.

    The `address` above a line decides what its words mean. `is_below_address` is True until the next empty
    line. `sender` is the faction that the other lines of the message show, or "".
    """

    def __init__(self, parser: OrderParser, faction: str = "") -> None:
        self.parser = parser
        self.address = Address(faction or parser.faction)
        self.sender = ""
        self.is_below_address = False

    @property
    def faction(self) -> str:
        """The faction of the address above, or ""."""
        return self.address.faction

    @contextmanager
    def below(self, address: Address) -> Iterator[None]:
        """Read lines as those below an address."""
        above, self.address = self.address, address
        try:
            yield
        finally:
            self.address = above

    def as_sender(self) -> AbstractContextManager[None]:
        """Read names as those of the known sender if no address above names a faction."""
        return self.below(self.address._replace(faction=self.faction or self.sender))

    def parts_of(self, text: str) -> Sequence[str]:
        """Split a line at its semicolons. A piece that names no force belongs to the order before it."""
        parts: list[list[str]] = []
        has_force = False
        for piece in filter(str.strip, SMILEY.sub("", text).split(";")):
            begins = self.names_forces(piece)
            if begins or not has_force:
                has_force = begins
                parts.append([])
            parts[-1].append(piece)
        return [", ".join(map(str.strip, pieces)) for pieces in parts]

    def names_forces(self, text: str) -> bool:
        """Return True if a text between semicolons begins an order: it has a colon, or names forces."""
        is_order = ":" in text or self.without_colon(text)[0] or self.unknown_force(text)
        if is_order or BEGINS_WITH_ALL.match(text.strip()) or self.has_name_word(text):
            return True
        named = self.named_line(text)
        return self.is_name(text) or bool(named and (named.has_sign or self.is_near_order(named.order)))

    def without_greeting(self, words: str) -> str:
        """Return the words before a colon without a sentence such as `Sorry!!` before the name of a force."""
        *_, last = GREETING_ENDS.split(words)
        names = self.parser.forces(self.faction)
        is_list = any(self.is_named(part) for part in NAMES_END.split(words)[:-1])
        is_greeting = last != words and not is_list and not self.is_force(names, words)
        is_name = self.is_whole(last) or (self.is_named(last) and not self.has_name_word(words[: -len(last)]))
        return last if is_greeting and is_name else words

    def is_named(self, words: str) -> bool:
        """Return True if the words name one force of the sender."""
        with suppress(ValueError):
            return bool(self.find_force(self.parser.forces(self.faction), words))
        return False

    def names_in(self, words: str) -> Sequence[str]:
        """Split words such as `both Goat Boys and Pikes` into the names of several forces.

        The result is empty if the words name a single force, or no force.
        """
        if len(words) > LONGEST or self.is_every(words) or self.is_named(words):
            return ()
        names = NAMES_END.split(AND_BOTH.sub("", words, count=1))
        is_list = len(names) > 1 and any(map(self.is_named, names))
        return [*filter(None, names)] if is_list else ()  # the first is empty in `and the Pikes`

    def is_whole(self, words: str) -> bool:
        """Return True if the words are the key or the whole name of a force, or mean all forces."""
        names = self.parser.forces(self.faction)
        is_name = any(is_alike_without_article(name, words) for name in names.values())
        return words.casefold() in names or is_name or self.is_every(words)

    def with_dash(self, text: str) -> tuple[str, str]:
        """Split a line such as `Goat Boys - hold` into the force and its order.

        The beginning of a name is enough if the text behind the dash begins like an order. Both parts are
        empty strings if the line is not clear.
        """
        names = self.parser.forces(self.faction)
        for dash in DASH.finditer(text) if len(text) <= LONGEST else ():
            force, order = text[: dash.start()], text[dash.end() :]
            is_named = (
                self.is_every(force)
                or self.is_force(names, force)
                or self.is_begun(names, force, order)
                or self.names_in(force)
            )
            if is_named and (SAME.fullmatch(order) or self.is_readable(force, order)):
                return force, order
        return "", ""

    def is_begun(self, names: Mapping[str, str], words: str, order: str) -> bool:
        """Return True if words begin the name of only one force, and a text begins like an order."""
        begun = [key for key, name in names.items() if is_beginning(words, key, name)]
        return len(begun) == 1 and BEGINS_IN_ANY_FORM.match(order) is not None

    def unknown_force(self, text: str) -> Sequence[str]:
        """Split a line such as `spears - hold` into the unknown name of a force and an order.

        The result is empty if the text behind the dash does not begin like an order.
        """
        for dash in DASH.finditer(text) if len(text) <= LONGEST else ():
            if text[: dash.start()].strip() and BEGINS_IN_ANY_FORM.match(text[dash.end() :]):
                return text[: dash.start()], text[dash.end() :]
        return ()

    def unknown_marcher(self, text: str) -> str:
        """Return the unknown name in a line such as `spears: york` or `the spears go to york`, or "".

        Behind the name must be a place, perhaps with a verb before it, and text or other places behind it.
        """
        words = text.replace(":", " : ", 1).split()
        for count in range(1, min(len(words), MOST_WORDS + 1)):
            name, order = words[:count], " ".join(words[count:])
            if (order.startswith(": ") or BEGINS_IN_ANY_FORM.match(order)) and self.is_march(order):
                first, *_ = [*WORD.findall(without_article(" ".join(name)).casefold()), ""]
                is_short = len(first) < SHORTEST or first in NO_FORCE
                return "" if is_short or self.is_every(" ".join(name)) else " ".join(name)
        return ""

    def is_march(self, order: str) -> bool:
        """Return True if a text is a march to a known place, perhaps with text or other places behind it."""
        bare = HELPING.sub("", order.removeprefix(": "), count=1)
        bare = self.parser.with_plain_verb(bare.strip(MARKUP + ENDING), self.faction or self.sender)
        bare = ARROWS.sub("to ", bare, count=1) if ARROWS.match(bare) else bare
        marching = MARCHING.fullmatch(PLACE_END.split(AVOID.sub("", f"{bare} "))[0].strip(MARKUP + ENDING))
        with suppress(ValueError):
            return marching is not None and bool(self.parser.place(PLEASE.sub("", marching["place"])))
        return False

    def is_readable(self, words: str, text: str) -> bool:
        """Return True if the words name forces that can carry out this order."""
        try:
            return any(self.order_or_retreat(force, text) for force in self.forces_named(words))
        except ValueError:
            return False

    def is_whole_order(self, words: str, text: str, *, is_remark_allowed: bool = False) -> bool:
        """Return True if each force that the words name can carry out this order, without a remark.

        With `is_remark_allowed`, a remark can stand behind a retreat.
        """
        try:
            read = [self.order_or_retreat(force, text) for force in self.forces_named(words)]
        except ValueError:
            return False
        return bool(read) and not any(
            remark and not (is_remark_allowed and order.verb == RETREAT) for order, remark in read
        )

    def completed_by(self, text: str, below: str) -> bool:
        """Return True if a line with an order is complete only with the line below it.

        The line ends with an arrow, a comma, a word such as `and` or `to`, or within brackets, or the line
        below begins with an arrow or a condition. Behind a comma, `and`, `then` or `via`, both lines together
        must be a whole order, or a list of places, whose error says what to write.
        """
        end = UNFINISHED.search(text[-LONGEST:])
        has_place = not self.parser.place_words.isdisjoint(WORD.findall(below.casefold()))
        is_bracket = OPEN_BRACKET.search(SMILEY.sub("", text[-LONGEST:])) is not None
        is_next = bool(ARROWS.match(below) and has_place) or CONDITION_CONTINUES.match(below) is not None
        is_next = is_next or is_bracket
        *_, last = "", *(self.parts_of(text) if (end or is_next) and below else ())
        named = self.named_line(last)
        is_name = is_bracket and BRACKET_END.match(below) is not None
        is_name = is_name or (end is not None and end["article"] is not None)
        is_place = end is not None and end["to"] is not None and self.begins_with_place(below)
        is_other = not (is_name or is_place) and self.named_line(below) is not None
        if named is None or ":" in below or is_other or len(text) + len(below) > LONGEST:
            return False
        order = f"{named.order} {below.strip(MARKUP + ENDING)}"
        is_whole = self.is_whole_order(named.words, order) or self.is_list_of_places(named.words, order)
        return is_whole or is_next or (end is not None and end["open"] is not None)

    def is_name_with(self, text: str, below: str) -> bool:
        """Return True if a line ends within the name of a force, behind a semicolon, with its order below."""
        name = text.rpartition(";")[2].strip()
        is_short = 0 < len(name.split()) <= MOST_WORDS and ";" in text
        named = self.named_line(f"{name} {below}") if is_short and ":" not in below else None
        is_longer = named is not None and len(named.words.split()) > len(name.split())
        return named is not None and is_longer and self.is_readable(named.words, named.order)

    def begins_with_place(self, text: str) -> bool:
        """Return True if a text begins with the name of a place, which can also begin that of a force."""
        return self.parser.is_place(text) or bool(self.parser.advice_on_rest(text.split()))

    def is_list_of_places(self, words: str, text: str) -> bool:
        """Return True if a text is refused as the order of these forces because it lists several places."""
        try:
            return not any(self.order_or_retreat(force, text) for force in self.forces_named(words))
        except ValueError as error:
            return isinstance(error, UnreadRoute)

    def named_line(self, text: str) -> NamedLine | None:
        """Split a line that begins with any form of the names of forces, or return None for other text.

        The longest name counts. Unlike `without_colon`, the text behind it need not be an order. The first
        word of a place such as `Priory Ford` does not mean `The Priory Levy`, and neither does a number of
        soldiers such as `3 men` mean `The Quarry Men`. A leader's name such as `Anselm Holt` has no text
        behind it.
        """
        bare = text[:LONGEST].strip(f"{MARKUP}-")
        amount = AMOUNT.match(bare)
        is_amount = amount is not None and not self.is_whole(amount[0])
        can_begin = self.can_begin_name(bare) and not (is_amount or self.led_by(bare))
        for end in reversed([*NAME_END.finditer(bare, 0, LONGEST_LIST)] if can_begin else ()):
            order = bare[end.start() if end["arrow"] else end.end() :].strip()
            is_name = WORD.search(order) and self.is_name(bare[: end.start()])
            is_cut = self.has_sign_in_name(bare[: end.start()]) or self.is_in_place(bare, end.start())
            if is_name and not is_cut:
                return NamedLine(bare[: end.start()].strip(MARKUP + ENDING), order, bool(end["sign"]))
        return None

    def has_sign_in_name(self, text: str) -> bool:
        """Return True if a text such as `percy - the` also has the beginning of an order.

        The whole name of a force can have a dash.
        """
        is_longer = ARTICLE_END.search(text) or DASH.search(text)
        return is_longer is not None and not self.is_whole(text.strip(MARKUP + ENDING))

    def is_in_place(self, text: str, end: int) -> bool:
        """Return True if a text begins with the name of a place that does not end before this position.

        The whole name of a force comes first.
        """
        if self.is_whole(text[:end].strip(MARKUP + ENDING)):
            return False
        words = WORD.findall(without_article(text[:LONGEST_LIST]).casefold())
        count = len(WORD.findall(without_article(text[:end])))
        names = (WORD.findall(without_article(name).casefold()) for name in self.parser.places.values())
        return any(len(name) > count and words[: len(name)] == name for name in names)

    def exception_in(self, text: str) -> Exceptions | None:
        """Split a line such as `all hold except the pikes, who march to york`, or return None."""
        bare = BRACKETS.sub(", ", text[:LONGEST]).strip(MARKUP + ENDING + "-")
        match = EXCEPTION.fullmatch(bare)
        if match is None or len(text) > LONGEST or not self.is_every(match["every"]):
            return None
        order = match["order"] or ""
        excepted = [self.named_order(clause) for clause in self.clauses_of(match["rest"])]
        if not order:  # it is behind the last of the excepted names
            at = next((n for n, (_, each) in enumerate(excepted) if each and not WHO.match(each)), -1)
            words, last = excepted[at]
            own_order, _, order = last.rpartition(", ") if WHO.match(last) else ("", "", last)
            excepted[at] = (words, own_order)
        excepted = [(words, WHO.sub("", own_order, count=1)) for words, own_order in excepted]
        names = [words for words, _ in excepted]
        is_clear = all(map(self.is_name, names)) and not any(map(self.is_every, names))
        is_clear = is_clear and BEGINS_IN_ANY_FORM.match(order) is not None
        return Exceptions(match["every"], order, excepted) if is_clear else None

    def clauses_of(self, text: str) -> Iterator[str]:
        """Split a text such as `the pikes, who hold, and the bows, who march to york` into its clauses.

        A clause ends where another name with an order of its own follows.
        """
        begin = 0
        for end in CLAUSE_END.finditer(text):
            clause = text[begin : end.start()]
            orders = [self.named_order(each)[1] for each in (clause, text[end.end() :])]
            if all(WHO.match(order) or BEGINS_IN_ANY_FORM.match(order) for order in orders):
                yield clause
                begin = end.end()
        yield text[begin:]

    def named_order(self, text: str) -> tuple[str, str]:
        """Split a text such as `the bows, who hold` into the names of forces and an order, or ""."""
        named = self.named_line(text)
        return (named.words, named.order) if named else (text, "")

    def subjects_in(self, text: str) -> list[str]:
        """Return the forces that stand between commas or behind `and` in a text, perhaps with an order."""
        names = [self.named_order(clause)[0] for clause in CLAUSE_END.split(text[:LONGEST])]
        return [*chain.from_iterable(self.forces_meant(name) for name in names if self.is_name(name))]

    def has_more_orders(self, text: str) -> bool:
        """Return True if the order of another force follows in a text such as `hold, guard: to york`."""
        bare = NUMBER.sub("", text[:LONGEST], count=1)
        others = (self.named_line(bare[end.end() :]) for end in ORDER_END.finditer(bare))
        return any(
            each and (each.has_sign or self.is_near_order(each.order) or self.is_joining(each.order))
            for each in others
        )

    def with_advice(self, error: str, order: str) -> str:
        """Return an error in a text behind the name of a force with advice if another order follows there."""
        if not self.has_more_orders(order):
            return error
        is_misleading = any(each in error for each in ("leave", UNCONDITIONAL, FORMS))
        is_misleading = is_misleading or error.startswith("unknown ")
        reason = f"cannot read {quoted(order)}" if is_misleading else error
        return f"{reason}; {ONE_EACH}"

    def can_begin_name(self, text: str) -> bool:
        """Return True if the first word of a text can begin the name of a force, or means all forces."""
        first, *_ = [*WORD.findall(without_article(text[:LONGEST_LIST].lstrip()).casefold()), ""]
        if EVERY.match(text) or AND_BOTH.match(text):
            return True
        stem = first.removesuffix("s") if len(first) > SHORTEST else first
        names = self.parser.forces(self.faction).items()
        parts = chain.from_iterable((*self.words_of(key), fold_text(name)) for key, name in names)
        return bool(first) and any(part.startswith(stem) for part in parts)

    def is_name(self, words: str) -> bool:
        """Return True if each name in a list can mean a force, or if the words mean all forces."""
        bare = words.strip(f"{MARKUP}{ENDING}-")
        names = [*filter(None, NAMES_END.split(AND_BOTH.sub("", bare, count=1)))]
        return self.is_every(bare) or (bool(names) and all(map(self.is_part_of_name, names)))

    def is_part_of_name(self, words: str) -> bool:
        """Return True if the words are the name of a force, a part of one, or the beginning of its words."""
        names = self.parser.forces(self.faction).items()
        return any(
            words.casefold() == key
            or is_alike_without_article(name, words)
            or is_part(words, key, name)
            or (words.casefold() not in COMMON_WORDS and is_beginning(words, key, name))
            for key, name in names
        ) or bool(self.led_by(words))

    def is_near_order(self, text: str, verbs: Collection[str] = VERB_FORMS) -> bool:
        """Return True if a text behind a name may be an order: it has a place, or begins with a verb.

        Both can be misspelt. `verbs` are the verbs that count if they are spelt right.
        """
        spoken = WORD.findall(text.casefold())
        is_verb = bool(spoken) and (spoken[0] in verbs or is_misspelt_verb(spoken[0]))
        return is_verb or bool(ARROWS.search(text)) or self.has_near_place(spoken)

    def is_joining(self, text: str) -> bool:
        """Return True if a text such as `with the pikes`, `too` or `avoid battle` orders without a verb."""
        return any(each.fullmatch(text.strip(MARKUP + ENDING)) for each in (JOINING, AVOID, SAME))

    def can_be_order(self, text: str) -> bool:
        """Return True if a text can be an order of some force, wherever the forces are."""
        bare = text.strip(MARKUP + ENDING)
        spoken = WORD.findall(text.casefold())
        is_march = self.has_near_place(spoken) or self.is_march(bare) or ARROWS.search(text) is not None
        is_same = SAME.fullmatch(ALSO.sub("", bare)) is not None
        return is_march or is_same or self.is_joining(text) or not VERB_FORMS.isdisjoint(spoken)

    def may_order(self, spoken: Sequence[str]) -> bool:
        """Return True if a force's name and a place, which can be misspelt, are among the words of a line.

        A word of a force's name is not a misspelt place.
        """
        other = [word for word in spoken if not self.has_name_word(word)]
        return len(other) < len(spoken) and self.has_near_place(other)

    def may_order_every(self, named: NamedLine) -> bool:
        """Return True if a line that begins with `all` may be an order, unlike `All goes well`."""
        is_near = self.is_near_order(named.order, ()) or ALL_HOLD.match(f"{named.words} {named.order}")
        if not self.is_every(named.words) or is_near:
            return self.is_every(named.words)
        sender = self.faction or self.sender
        for force in self.parser.movable(sender) if sender else ():
            with suppress(ValueError):
                return bool(self.order_or_retreat(force, named.order))
        return not sender and self.is_clear(named.order)

    def has_near_place(self, spoken: Sequence[str]) -> bool:
        """Return True if a word of the name of a place, which can be misspelt, is among these words."""
        places = self.parser.place_words
        unclear = (word for word in spoken if word not in COMMON_WORDS)
        return not places.isdisjoint(spoken) or any(
            difflib.get_close_matches(word, places, 1, NEAR_PLACE) for word in unclear
        )

    def order_error(self, words: str, order: str) -> str:
        """Return why a text is not an order for the named forces, or "" if it is one."""
        try:
            for force in self.forces_named(words):
                self.order_or_retreat(force, order)
        except ValueError as error:
            return str(error)
        return ""

    def colon_error(self, words: str, order: str) -> str:
        """Return the error for an order that lacks its colon. It says too what is wrong with the order.

        A known sender needs no colon before an order that can be read.
        """
        error = self.order_error(words, order)
        if error:
            colon = "" if self.faction or self.sender else "write a colon after the force; "
            return f"{words}: {colon}{self.with_advice(error, order)}"
        if self.has_more_orders(order):
            return f"{words}: cannot read {quoted(order)}; {ONE_EACH}"
        return f"write a colon after the force: {words}: {order}"

    def corrected_line(self, text: str) -> str:
        """Return a line such as `Pikes mrach to york` with a colon and the right verb, or "" for other text.

        The forces that the line names must be able to carry out the order. For a line without a force, such
        as `mrach to york`, the result begins with `FORCE`, and a force of the sender must be able to.
        """
        named = self.named_line(text)
        order = misspelt_verb(named.order if named else text)
        if named:
            return f"{named.words}: {order}" if order and self.is_readable(named.words, order) else ""
        words = text.casefold().split()
        is_order = bool(order) and len(words) > 1 and is_misspelt_verb(words[0]) and self.is_clear(order)
        return f"FORCE: {order}" if is_order else ""

    def without_colon(self, text: str, *, is_from_sender: bool = False) -> tuple[str, str]:
        """Split a line without a colon into the force and its order.

        Both are empty strings if the line is not clear. With `is_from_sender`, the faction has written the
        line, which then is read as one below an address.
        """
        if len(text) > LONGEST:
            return "", ""
        is_own = self.is_below_address or is_from_sender
        names, words = self.parser.forces(self.faction), text.split()
        for count in range(len(words) - 1, 0, -1):
            force, order = " ".join(words[:count]).rstrip(" -"), " ".join(words[count:])
            begins = BEGINS_IN_ANY_FORM if is_own else BEGINS
            is_other = is_own and (
                RETREAT_SENTENCE.fullmatch(order)
                or any(each.fullmatch(AVOID.sub("", order)) for each in (SAME, BEFORE, FOLLOWING))
                or DIRECTION_TO.match(order)
            )
            is_order = begins.match(order) or is_other or (is_own and self.has_everyday_verb(order))
            if is_order and self.is_force(names, force, is_part_enough=is_own):
                return force, order
            is_for_all = self.is_every(force) and SAME.fullmatch(order) is None
            if is_for_all and ((is_own and is_order) or self.is_readable(force, order)):
                return force, order
        return "", ""

    def has_everyday_verb(self, order: str) -> bool:
        """Return True if a text is an order such as `take York` or `sit tight`, perhaps with a remark."""
        bare = order.strip(MARKUP + ENDING)
        orders = [PLEASE.sub("", each) for each in (bare, *(order for order, _ in split_remark(bare)))]
        sender = self.faction or self.sender
        return any(self.parser.with_plain_verb(each, sender) != each for each in orders)

    def is_force(self, names: Mapping[str, str], words: str, *, is_part_enough: bool = False) -> bool:
        """Return True if the words name a force in `names`.

        Below an address, part of a name is enough, also with or without a final `s`: `Pike hold` for `Pikes`.
        """
        if words.lower() in names or any(is_alike_without_article(name, words) for name in names.values()):
            return True
        is_part_enough = is_part_enough or self.is_below_address
        forms = (words, f"{words}s", words.removesuffix("s"))
        found = ([key for key, name in names.items() if is_part(form, key, name)] for form in forms)
        parts: list[str] = next(filter(None, found), [])
        if is_part_enough and (len(parts) == 1 or self.led_by(words) in names):
            return True
        several = [*filter(None, NAMES_END.split(AND_BOTH.sub("", words, count=1)))]
        return len(several) > 1 and all(
            self.is_force(names, name, is_part_enough=is_part_enough) for name in several
        )

    def is_meant(self, words: str) -> bool:
        """Return True if a line without a colon is an order.

        Such a line begins like an order, perhaps with a misspelt verb, or names a force.
        """
        names = self.parser.forces(self.faction)
        known = set().union(*map(self.words_of, names))
        spoken = WORD.findall(words.casefold())
        is_for_all = BEGINS_WITH_ALL.match(words) is not None and VERBS.search(words) is not None
        if BEGINS.match(words) or is_for_all or {*spoken} & known:
            return True
        return bool(self.corrected_line(words))

    def is_order(self, words: str, order: str) -> bool:
        """Return True if a line is meant as the order of a force."""
        begins = BEGINS_IN_ANY_FORM.match(order) is not None
        if self.is_every(words) and (begins or self.is_near_order(order)):
            return True
        if len(words) < SHORTEST and not self.is_force(self.parser.forces(""), words):
            return False  # `No: hold` and `PS: hold` have no force
        if self.is_below_address:
            return not self.is_remark(words, order)
        names = self.parser.forces(self.faction)
        try:
            find_named(names, words, "force")
        except ValueError as error:
            begun = [key for key, name in names.items() if is_beginning(words, key, name)]
            if all(map(self.is_named, self.names_in(words) or [words])) or self.led_by(words):
                return True
            if len(begun) == 1 and (self.faction or self.has_name_word(words) or self.is_near_order(order)):
                return True
            factions = self.parser.factions()
            is_force = bool(begun or nearest(words, [*names, *names.values()])) or is_ambiguous(error)
            if is_force and self.is_near_order(order):
                return True
            is_meant = is_force or bool(nearest(words, [*factions, *factions.values()]))
            return begins and (is_meant or bool(self.faction_named(words)) or self.is_clear(order))
        return True

    def find_force(self, names: Mapping[str, str], words: str) -> str:
        """Return the key of the force in `names` that the words name, or of the sender's with this leader.

        Raises ValueError if no force or several forces match.
        """
        return self.parser.force_or_leader(names, words, self.faction or self.sender)

    def led_by(self, words: str) -> str:
        """Return the force of the known sender that has this leader, or ""."""
        return self.parser.led_by(words, self.faction or self.sender)

    def names_faction(self, spoken: Collection[str]) -> bool:
        """Return True if one of these words is in the key or name of a faction, or of its player."""
        return any(not words.isdisjoint(spoken) for words in self.parser.faction_words().values())

    def names_anything(self, text: str) -> bool:
        """Return True if a text has a number, or a word of the name of a force, leader, faction or place.

        Such a text can mean an order or a request in words that are not read. A leader can be a prisoner.
        """
        spoken = {*WORD.findall(text.casefold())}
        parser = self.parser
        names = chain(parser.factions().items(), parser.places.items(), parser.forces("").items())
        leaders = (distinct_words(force.leader or "") for force in parser.campaign.forces.values())
        words = chain(starmap(distinct_words, names), (each - titles() for each in leaders))
        return any(map(str.isdigit, text)) or any(not each.isdisjoint(spoken) for each in words)

    def has_name_word(self, words: str) -> bool:
        """Return True if a whole word of a force's name is among these words, as in `Bell Co.`."""
        spoken = WORD.findall(words.casefold())
        return any(not self.words_of(key).isdisjoint(spoken) for key in self.parser.forces(self.faction))

    def words_of(self, force: str) -> set[str]:
        """Return the words by which the sender names a force. A leader that can be hidden names no force."""
        sender = self.faction or self.sender or self.parser.faction
        is_open = not sender and self.parser.campaign.visibility.commander == "all"
        if is_open or sender == self.parser.faction_of(force):
            return self.parser.force_words(force)
        return distinct_words(force, str(self.parser.campaign.name_of("forces", force)))

    def is_clear(self, order: str) -> bool:
        """Return True if a text is an order that a force of the sender can carry out.

        If the sender is not known, only `hold` and a march to a known place are clear: what forces can do
        depends on hidden places and leaders.
        """
        sender = self.faction or self.sender
        if not sender:
            holding = HOLDING.fullmatch(order.strip(MARKUP + ENDING))
            return self.is_march(order) or (holding is not None and not holding["place"])
        for force in self.parser.movable(sender):
            with suppress(ValueError):
                self.parser.order(force, order)
                return True
        return False

    def is_remark(self, words: str, order: str) -> bool:
        """Return True if a line below an address, such as `PS: what about supplies?`, is not an order.

        Such a line names no force, does not begin like an order behind its colon, and names no place there,
        unless it is about money or peace.
        """
        names = {**self.parser.forces(self.faction), **self.parser.factions()}
        is_named = any(is_beginning(words, key, name) for key, name in names.items())
        if (
            is_named
            or self.names_in(words)
            or self.is_every(words)
            or self.led_by(words)
            or nearest(words, [*names, *names.values()])
        ):
            return False
        line = f"{words}: {order}"
        places = set() if MONEY.search(line) or self.is_peace(line) else self.parser.place_words
        return not (BEGINS_IN_ANY_FORM.match(order) or places.intersection(WORD.findall(order.casefold())))

    def is_peace(self, text: str) -> bool:
        """Return True if a text is about peace. A place or a force can be named `Peace`."""
        names = chain(self.parser.places.items(), self.parser.forces(self.faction or self.sender).items())
        return is_peace(text) and not any(is_peace(f"it is {key} {name}") for key, name in names)

    def is_every(self, words: str) -> bool:
        """Return True if words such as `all` or `the others` mean all forces, and are not a force's name."""
        if EVERY.fullmatch(words.strip()) is None:
            return False
        names = self.parser.forces(self.faction)
        return words.casefold() not in names and not any(is_alike(name, words) for name in names.values())

    def faction_of_rest(self, words: str) -> str:
        """Return the faction whose forces without another order the words mean, or ""."""
        return self.faction if self.is_every(words) else self.faction_named(words)

    def order_or_retreat(self, force: str, text: str) -> tuple[MarchOrder, str]:
        """Parse an order, or the choice of a beaten force's player, and return it with the remark behind it.

        Raises ValueError if the text is not valid.
        """
        if force in self.parser.retreats:
            text = THEN.sub("", text, count=1) if THEN.match(text) else text
            text = HELPING.sub("", text, count=1) if HELPING.match(text) else text
        subject = THEY_CAN.match(text)
        text = text[subject.end() :] if subject else text
        is_retreat = RETREATING.match(text) is not None
        is_back = text.casefold().startswith("back ") and not self.parser.has_moved
        has_no_orders = self.parser.campaign.movement is None
        is_retreat_now = is_retreat or is_back or self.address.is_past or has_no_orders or self.is_place(text)
        is_retreat_now = is_retreat_now or self.is_way_back(force, text)
        if force in self.parser.retreats and is_retreat_now:
            return self.parser.retreat_and_remark(force, text)
        turn, faction = self.parser.campaign.turn, self.parser.faction_of(force)
        if has_no_orders and faction in map(self.parser.faction_of, self.parser.retreats):
            raise ValueError(NO_CHOICE if force in self.parser.forced else "it has no retreat to choose")
        if self.address.is_past or (is_retreat and self.parser.has_moved):
            why = f"it has no retreat to choose in turn {turn}, and the forces have moved"
            raise ValueError(
                f"{NO_CHOICE if force in self.parser.forced else why}; for an order of turn {turn + 1}, "
                f"write {faction}@{turn + 1}: above it"
            )
        try:
            order, remark = self.parser.order_and_remark(force, text)
        except UnreadOrder:
            is_for_next_turn = self.address.has_turn and self.parser.has_moved
            if force not in self.parser.retreats or is_for_next_turn:
                raise
            forms = self.parser.retreat_forms(force)
            raise UnreadOrder(f"cannot read {quoted(with_bracket(text))}; it must retreat: {forms}") from None
        if force in self.parser.retreats and not self.parser.has_moved and order.verb != HOLD:
            raise ValueError(
                f"it has lost a battle in this turn and must retreat; {self.parser.retreat_forms(force)}"
            )
        return order, remark

    def other_turn(self, text: str) -> int:
        """Return the turn of a sentence such as `Next turn: Percy holds`, or 0 for the turn of the orders."""
        sentence = OTHER_TURN.match(text)
        if sentence is None:
            return 0
        turn = self.parser.campaign.turn
        is_retreat = self.address.is_past or self.beaten_now()
        turn_of_orders = turn + (self.parser.has_moved and not is_retreat)
        number = int(sentence["number"] or turn + 1)
        return number if number != turn_of_orders or not sentence["number"] else 0

    def beaten_now(self) -> Sequence[str]:
        """Return the sender's beaten forces whose retreat a line here can choose without naming a force."""
        if not self.faction or (self.address.has_turn and not self.address.is_past and self.parser.has_moved):
            return ()
        return [force for force in self.parser.movable(self.faction) if force in self.parser.retreats]

    def is_way_back(self, force: str, text: str) -> bool:
        """Return True if a march after the movement, without an address, means where a beaten force retreats.

        Such a force marches again only in the next turn, which the player then names in an address.
        """
        if force not in self.parser.retreats or self.address.has_turn or not self.parser.has_moved:
            return False
        with suppress(ValueError):
            order, _ = self.parser.order_and_remark(force, text)
            return order.verb in (MARCH, PATH)
        return bool(BEGINS_IN_ANY_FORM.match(text)) and not (HOLDING.match(text) or JOINING.match(text))

    def is_place(self, text: str) -> bool:
        """Return True if a text without an address for a turn is only the name of a place."""
        with suppress(ValueError):
            return not self.address.has_turn and bool(self.parser.place(text.strip(MARKUP + ENDING)))
        return False

    def forces_named(self, words: str) -> Iterable[str]:
        """Return the named forces, or all forces of the faction.

        Raises ValueError if the words do not name a force or the faction, if a force cannot have orders, or
        if the forces are of several factions. A player must not read whether an enemy can have orders.
        """
        faction = self.faction_of_rest(words)
        if faction or self.is_every(words):
            if not faction:
                raise ValueError(
                    f"write the faction's address above its orders, for example {self.example()}"
                )
            forces = self.parser.movable(faction)
            beaten = [key for key in forces if key in self.parser.retreats]
            is_both, is_counted = BOTH.fullmatch(words), ALL_THREE.fullmatch(words)
            count = PAIR if is_both else number_in(words) if is_counted else len(forces)
            if count != len(forces):
                if len(beaten) != count:
                    raise ValueError(self.count_error(forces))
                forces = beaten
            if self.faction not in ("", faction):
                raise ValueError(f"these are orders of {self.faction}; leave out the orders for {faction}")
            return beaten if self.address.is_past else forces
        named = dict.fromkeys(map(self.force_named, self.names_in(words) or [words]))
        if len(set(map(self.parser.faction_of, named))) > 1:
            raise ValueError("these forces are of several factions; write an order only for your own forces")
        for force in named:
            if force not in self.parser.movable(self.faction):
                raise NotOnMap(f"{self.parser.fate_of(force)}; leave it out")
        return named

    def count_error(self, forces: Sequence[str]) -> str:
        """Return the error for `both` or `all three` if the faction has more or fewer forces on the map."""
        names = " and ".join(forces[:PAIR])
        count = counted(len(forces), "force")
        return f"this faction has {count} on the map; name them, such as {names}: ORDER"

    def faction_meant(self, words: str) -> str:
        """Return the faction of the forces that the words name, or "" if they name no forces."""
        with suppress(ValueError):
            names = self.parser.forces(self.faction)
            first = next(iter(self.names_in(words)), words)
            return self.faction_of_rest(words) or self.parser.faction_of(self.find_force(names, first))
        return ""

    def forces_meant(self, words: str) -> Collection[str]:
        """Return the forces that the words of a line name, although its order was rejected."""
        names = self.parser.forces(self.faction)
        with suppress(ValueError):
            return [self.find_force(names, name) for name in self.names_in(words) or [words]]
        return self.forces_in(WORD.findall(words.casefold()), self.faction)

    def forces_in(self, spoken: Sequence[str], faction: str, *, is_exact: bool = False) -> list[str]:
        """Return the forces of a faction that a line may name, given the line's words in lower case.

        A word counts if only one force has it in its name, and if no place has it or it is an acting word. It
        also counts if it is the whole name written together, such as `goatboys` for `The Goat Boys`. If no
        word counts, similar words do, such as `goats`, unless `is_exact` is True. Verbs must be exact. The
        force with the most words comes first, and among equals the force that is named first. For "", forces
        of other factions than the sender count whether or not they are on the map, which may be hidden.
        """
        names = self.parser.forces(faction)
        movable = self.parser.movable(faction)
        is_other = {key for key in names if not faction and self.parser.faction_of(key) != self.sender}
        own = [key for key in names if key in movable or key in is_other]
        acting = acting_words(spoken)
        words = {key: self.words_of(key) - (self.parser.place_words - acting) for key in own}
        common = Counter(chain.from_iterable(words.values()))
        for key in own:
            words[key] = {word for word in words[key] if common[word] == 1}
            words[key].add(fold_text(without_article(names[key])))
        matches = {key: positions_in(spoken, words[key]) for key in own}
        if not is_exact and not any(matches.values()):
            factions = chain.from_iterable(starmap(distinct_words, self.parser.factions().items()))
            known = VERB_FORMS | COMMON_WORDS | EVERYDAY_VERBS | self.parser.place_words.union(factions)
            unclear = {*spoken} - known
            for key in own:
                near = (word for word in unclear if is_similar(word, words[key]))
                matches[key] = positions_in(spoken, {*near})
        named = [key for key in own if matches[key]]
        return sorted(named, key=lambda key: (-len(matches[key]), matches[key]))

    def force_named(self, words: str) -> str:
        """Return the force of the sender with this name.

        Raises ValueError for an unknown force. The error names only forces that the sender may know.
        """
        self.refuse_lost_force(words)
        if self.faction or self.parser.campaign.visibility.shows_forces:
            return self.own_force(self.parser.forces(self.faction), words)
        with suppress(ValueError):
            return find_force(self.parser.forces(""), words)
        if self.sender:
            return self.own_force(self.parser.forces(self.sender), words)
        names = self.parser.forces("")
        raise UnknownForce(
            f"unknown force; write the address of its faction above it, such as {self.example()}",
            nearest(words, [*names, *names.values()]),
        )

    def refuse_lost_force(self, words: str) -> None:
        """Raise LostForce if the words name a force of the sender that has gone to another faction.

        The faction of each force is public.
        """
        faction = self.faction or self.sender
        own, names = self.parser.forces(faction), self.parser.forces("")
        others = {key: name for key, name in names.items() if key not in own}
        try:
            key = find_named(others, words, "force")
        except ValueError:
            return
        now = self.parser.new_faction(key, faction)
        if now and not any(is_part(words, key, name) for key, name in own.items()):
            name = mid_sentence(self.parser.campaign.faction_name(now))
            raise LostForce(f"it is a force of {name} now; leave it out")

    def own_force(self, names: dict[str, str], words: str) -> str:
        """Return the force that the words name. Forces on the map come first, and only they are suggested."""
        try:
            return self.find_force(names, words)
        except ValueError:
            faction = self.faction or self.sender
            on_map = {key: names[key] for key in self.parser.movable(faction) if key in names}
            of_faction = f" of {mid_sentence(self.parser.factions()[faction])}:" if faction else ""
            return find_force(on_map or names, words, f"force{of_faction}")

    def faction_named(self, words: str) -> str:
        """Return the faction with this key or name, or "" for other words, such as an own force's name."""
        names = self.parser.factions()
        matches = [key for key, name in names.items() if words.casefold() == key or is_alike(name, words)]
        matches = matches or [key for key, name in names.items() if is_alike_without_article(name, words)]
        matches = [self.faction] if self.faction in matches else matches
        own_force = any(
            words.casefold() == key or is_alike(name, words)
            for key, name in self.parser.forces(self.faction).items()
        )
        return matches[0] if len(matches) == 1 and not own_force else ""

    def example(self) -> str:
        """Return an example of an address, for error messages."""
        return f"{address_of(self.parser.campaign, 'FACTION')}:"


def acting_words(spoken: Sequence[str]) -> set[str]:
    """Return the words of a text in lower case that have a verb behind them: forces act, and places do not.

    >>> acting_words("rook stops in rook".split()), acting_words("march to rook hold there".split())
    ({'rook'}, set())
    """
    return {
        word
        for at, (word, after) in enumerate(pairwise(spoken))
        if after in ACTING and PREPOSITIONS.isdisjoint(spoken[max(0, at - 2) : at])
    }

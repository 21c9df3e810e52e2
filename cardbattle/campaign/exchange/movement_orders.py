"""Read players' orders to move, which are in plain language and use names or keys.

An order has the form `FORCE: ORDER`. Semicolons separate the orders of several forces on one line.
`FACTION@TURN:` before orders names their faction. A line that seems to be an order is reported if it cannot
be read. Other lines of a message, and the lines of the program's own request, are ignored. All errors are
reported at once.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import (
    ADDRESS,
    BARE_ADDRESS,
    ENDING,
    MARKUP,
    NUMBERS,
    is_order_line,
    place_of,
)
from cardbattle.battles.messages.pasted_text import (
    MOST_CHARACTERS,
    PlainLine,
    has_quotation_marks,
    plain_lines,
)
from cardbattle.battles.session_file import ENDING as SESSION_ENDING
from cardbattle.campaign.exchange.order_remarks import is_only_remark, split_remark
from cardbattle.campaign.exchange.order_words import (
    AVOID,
    BEGINS,
    BEGINS_IN_ANY_FORM,
    EVERY,
    GOAL,
    HELPING,
    HOLDING,
    HOLDING_PLACE,
    JOINING,
    MARCHING,
    RETREATING,
    VERB,
    VERB_FORMS,
    VIA,
    misspelt_verb,
)
from cardbattle.campaign.ledger.roster import (
    ARTICLES,
    WORD,
    fold_text,
    is_alike,
    is_alike_without_article,
    is_part,
    without_article,
)
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.paths import typed_path
from cardbattle.campaign.state.tables.march_orders import HOLD, JOIN, MARCH, PATH, RETREAT, MarchOrder
from cardbattle.campaign.state.tables.roads import RoadLength, Roads
from cardbattle.campaign.visibility.reader import with_known_battles
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.names import key_error, key_from, listed, nearest, quoted, write_one_of
from cardbattle.files.errors import PlacedDiagnostic

LINE = re.compile(r"(?P<force>[^:;]{1,60}):(?P<order>[^;]*)")
VERBS = re.compile(
    r"\b(hold|holds|stay|stays|halt|defends?|march|marches|move|moves|join|joins|follow|follows)\b|->|=>|\u2192",
    re.IGNORECASE,
)
SENDING = re.compile(  # more verbs of orders, which a remark behind an order can have
    r"\b(go(es)?\s+(back\s+)?(to|towards?)|advances?|rides?|attacks?|retreats?)\b", re.IGNORECASE
)
SMILEY = re.compile(r"(?<=\s)[:;]-?[()DPp]+(?=\s|$)")
DASH = re.compile(r"\s+[-\u2013\u2014]+(?![->])\s*|\s*[\u2013\u2014]+\s*|-+\s+")  # in `FORCE - ORDER`
STOPS = re.compile(r"\s*,\s*(?:and\s+|then\s+)?|\s+(?:and|then)\s+", re.IGNORECASE)
ARROWS = re.compile(r"\s*(?:-+>|=+>|[\u2192\u2794\u279c])\s*")
PLEASE = re.compile(r"^please[\s,]+|[\s,]+please$", re.IGNORECASE)
# lines of the program's own request for orders, which mails quote
REQUEST = re.compile(
    r"- [^:()]{1,80}( \([^()]*\))?: strength .*|- [^:()]{1,80} \([^()]*\): (at|not on) .*"
    r"|- [\w-]+: .+ against .+|To [\w-]+, turn \d+.*|.*cardbattle orders seal .*|- retreat to .*"
    r"|- not taken: .*"
    r"|[\w-]+/[\w-]+:|Your forces and others are at .*"
    r"|- (yours|free|held by [^:]{1,80}): .*|Places(,| near) .*|At most \d.*|Supply reaches .*|Your purse: .*"
)
BATTLE_LINE = re.compile(
    r"(Battle [\w-]+)(?: at [^:]{1,80})?: .*"
)  # of the request too, unless a force has such a name
WRAPPED_SEAL = re.compile(r"((sealed|open)\s+)?[0-9a-f]{32,64}\b.*", re.IGNORECASE)
NAMED_ADDRESS = re.compile(
    r"(?:[a-z0-9][\w-]*\s?/\s?)?(?P<name>\w[\w' -]{0,60}?)\s?@\s?\d+\s?(?::|[^\w@]*$)", re.IGNORECASE
)  # an address in which a faction can have its name
LOOSE_ADDRESS = re.compile(
    r"\W*(?P<name>\w[\w' -]{0,60}?)\W{1,3}(?:@\s?)?(?:turn\s*)?#?(?P<place>\d{1,9})\W*", re.IGNORECASE
)  # a whole line such as `The Abbey, 2:`
LAST_ADDRESS = re.compile(r"(?P<words>[\w'/ -]{1,80}?)\s?@\s?(?P<place>\d{1,9})[^\w@]*$")
EXAMPLES = re.compile(r"- (hold|(march|retreat) to [\w-]+|[\w-]+ -> [\w-]+|join [\w-]+)")
SIMILAR = 0.85  # how similar a word must be to a word of a force's name, for difflib
GREETING_ENDS = re.compile(r"[.!?,]+\s+")
NEAR_PLACE = 0.75  # how similar a misspelt place must be, for difflib
SHORTEST = 3  # letters of the beginning of a force's name that can stand for the name
LONGEST = 300  # characters of an order without a colon
SMALL = (*ARTICLES, "and", "at", "in", "of", "on", "to")  # words that do not name a force or a place
BEGINS_WITH_ALL = re.compile(r"(?:all|everyone|everybody|(?:the\s+)?(?:rest|others))\b", re.IGNORECASE)
SENTENCE_ENDS = (".", "!", "?", ")", ",", ":", "-", "\u2013", "\u2014")
LONGEST_NAME = 8  # words of the name of a faction in an address behind a sentence
BOTH = ("both", "both forces")  # all forces of a faction that has two
FORMS = '"hold", "march to PLACE", "PLACE -> PLACE" or "join FORCE"'


class GivenOrder(NamedTuple):
    """The order of one force in a message, and its position in the message.

    `has_turn` is True if an address above the order names the turn.
    """

    force: str
    order: MarchOrder
    file: str = ""
    line: int = 0
    has_turn: bool = False

    @property
    def slot(self) -> tuple[str, bool]:
        """The force, and whether it retreats. A force can have a retreat, and an order for the next turn."""
        return self.force, self.order.verb == RETREAT


class Orders(NamedTuple):
    """The content of a message, with an order for each force that it names, and the errors.

    `notes` quote the remarks behind orders, which are ignored. `senders` has the faction that sent the line
    of each error, in the order of `errors`, or "" if the sender is unknown or may not read the error.
    `author` is the only faction that sent the message, or "" if it is unknown.
    """

    given: list[GivenOrder]
    errors: list[Diagnostic]
    notes: Sequence[str] = ()
    senders: Sequence[str] = ()
    author: str = ""


class UnreadOrder(ValueError):
    """An order in none of the known forms."""


class RetreatChoice(NamedTuple):
    """The places to which a beaten force can retreat, and the reasons against other places, by place.

    `named` are the places that errors for the player of the force name: those that seem possible to the
    player. Errors for the umpire name `places`.
    """

    places: Sequence[str]
    refused: Mapping[str, str] = {}
    named: Sequence[str] = ()


def address_word(campaign: Campaign) -> str:
    """Return the word that stands for the campaign in messages. It comes before the slash of an address."""
    key = key_from(campaign.name)
    return "campaign" if key_error(key) else key


def address_of(campaign: Campaign, faction: str) -> str:
    """Return the address of a faction's orders for this turn, such as `the-marches/york@4`."""
    return f"{address_word(campaign)}/{faction}@{campaign.turn}"


def find_named(names: Mapping[str, str], word: str, kind: str) -> str:
    """Return the key of the thing that `word` names, given a dict from keys to names.

    The word can be the key, the name or some words of the name. Capitals, accents, punctuation and a leading
    `The` do not matter. Raises ValueError, with the nearest name as a suggestion, if there is no such name or
    more than one. `kind` is the kind of thing for the error, such as `force`.
    """
    key = word.lower()
    if key in names:
        return key
    matches = (
        [key for key, name in names.items() if is_alike(name, word)]
        or [key for key, name in names.items() if is_alike_without_article(name, word)]
        or [key for key, name in names.items() if is_part(word, f"{key} {name}")]
    )
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise ValueError(ambiguity(word, matches))
    hint = nearest(word, [*names, *names.values()]) or write_one_of(list(names))
    raise ValueError(f"unknown {kind} {quoted(word)}{hint}")


def find_force(names: Mapping[str, str], word: str, kind: str = "force") -> str:
    """Return the key of the force that `word` names, as `find_named` does, or that its words begin.

    `punts` and `Punt Fl.` mean `The Punt Fleet`. Raises ValueError if there are no or several such forces.
    """
    begun = [key for key, name in names.items() if is_beginning(word, f"{key} {name}")]
    try:
        return find_named(names, word, kind)
    except ValueError as error:
        if len(begun) == 1 and not is_ambiguous(error):
            return begun[0]
        if begun and not is_ambiguous(error):
            raise ValueError(ambiguity(word, begun)) from None
        raise


def ambiguity(word: str, keys: Sequence[str]) -> str:
    """Return the error for a word that can mean several things, which are given by their keys."""
    return f"{quoted(word)} is ambiguous; write a key: {', '.join(keys)}"


def is_ambiguous(error: ValueError) -> bool:
    """Return True if an error says that a word can mean several things."""
    return "is ambiguous" in str(error)


def is_beginning(words: str, name: str) -> bool:
    """Return True if each word is the beginning of a word in a name, and one has at least three letters.

    A final `s` and articles do not count.

    >>> is_beginning("the punts", "Punt Fleet"), is_beginning("Bell Co.", "Bell Company")
    (True, True)
    >>> is_beginning("Pu", "Punt Fleet"), is_beginning("fleet punters", "Punt Fleet")
    (False, False)
    """
    typed = [word for word in WORD.findall(words.casefold()) if word not in ARTICLES]
    stems = [word.removesuffix("s") if len(word) > SHORTEST else word for word in typed]
    parts = WORD.findall(name.casefold())
    is_long = any(len(stem) >= SHORTEST for stem in stems)
    return is_long and all(any(part.startswith(stem) for part in parts) for stem in stems)


def distinct_words(key: str, name: str) -> set[str]:
    """Return the words of a key and a name, in lower case and without articles and prepositions."""
    return {*WORD.findall(f"{key} {name}".casefold())} - {*SMALL}


def positions_in(spoken: Sequence[str], words: Container[str]) -> list[int]:
    """Return the positions of spoken words that are in `words`, alone or joined with the next word.

    >>> positions_in(["the", "goat", "boys", "go"], {"goatboys"})
    [1, 2]
    """
    alone = {at for at, word in enumerate(spoken) if word in words}
    joined = (at for at, pair in enumerate(pairwise(spoken)) if "".join(pair) in words)
    return sorted(alone.union(*({at, at + 1} for at in joined)))


class OrderParser:
    """Parses the orders of a campaign's forces, or of one faction's forces.

    `has_moved` is True if the forces have moved in this turn. Orders then count for the next turn.
    `retreats` has the beaten forces whose players choose where they retreat.
    """

    def __init__(
        self,
        campaign: Campaign,
        faction: str = "",
        *,
        has_moved: bool = False,
        retreats: Mapping[str, RetreatChoice] | None = None,
    ) -> None:
        self.campaign = campaign
        self.faction = faction
        self.has_moved = has_moved
        self.retreats = retreats or {}
        self.places = {key: str(campaign.location_name(key)) for key in campaign.locations}

    def forces(self, faction: str) -> dict[str, str]:
        """Return a dict from keys to names for the forces of a faction.

        An empty string means all factions.
        """
        return {
            key: str(self.campaign.name_of("forces", key))
            for key, force in self.campaign.forces.items()
            if faction in ("", force.faction)
        }

    def factions(self) -> dict[str, str]:
        """Return a dict from keys to names for the factions."""
        return {key: str(self.campaign.faction_name(key)) for key in self.campaign.factions}

    def movable(self, faction: str) -> list[str]:
        """Return the forces of a faction that can have orders."""
        forces = self.campaign.forces
        return [key for key in self.forces(faction) if forces[key].location and not forces[key].destroyed]

    def place(self, word: str) -> str:
        """Return the key of a place.

        Raises ValueError if no place has this name.
        """
        return find_named(self.places, word.strip(), "place")

    def order(self, force: str, text: str) -> MarchOrder:
        """Parse a player's order for a force, which is given by its key.

        Raises ValueError if the order is not valid.
        """
        given = " ".join(text.split()).strip(MARKUP + ENDING)
        words = PLEASE.sub("", given)
        words = words if self.is_place(words) else HELPING.sub("", words, count=1)
        bare = AVOID.sub("", words).strip(MARKUP + ENDING)
        try:
            order = self.bare_order(force, bare) if bare else MarchOrder(HOLD)
        except ValueError as error:
            march = self.march_and_attack(force, bare)
            if march is None:
                is_unread = isinstance(error, UnreadOrder)
                error = ValueError(f"expected {FORMS}, got {quoted(given)}") if is_unread else error
                raise self.with_verb(force, words, error) from None
            order = march
        return order._replace(avoids=bare != words)

    def march_and_attack(self, force: str, text: str) -> MarchOrder | None:
        """Return the order of a text such as `march to York and attack`, or None for another text."""
        goal = GOAL.search(text)
        if goal is None or HOLDING.match(text):
            return None
        with suppress(ValueError):
            return self.bare_order(force, text[: goal.start()])
        return None

    def with_verb(self, force: str, text: str, error: ValueError) -> ValueError:
        """Return an error that suggests the right verb if an order begins with a misspelt verb."""
        corrected = misspelt_verb(text)
        is_near_place = difflib.get_close_matches(text.casefold(), self.place_words, 1, NEAR_PLACE)
        if corrected and not is_near_place:
            with suppress(ValueError):
                self.order(force, corrected)
                return ValueError(f"cannot read {quoted(text)}; did you mean {quoted(corrected)}?")
        return error

    def order_and_remark(self, force: str, text: str) -> tuple[MarchOrder, str]:
        """Parse a player's order for a force, and return it with the remark behind it, or "" without one.

        Raises ValueError if the order is not valid, or if the text behind it can change the order.
        """
        return self.with_remark(self.order, force, text)

    def with_remark(
        self, read: Callable[[str, str], MarchOrder], force: str, text: str
    ) -> tuple[MarchOrder, str]:
        """Parse a text with the function `read`, and return the order with the remark behind it."""
        try:
            return read(force, text), ""
        except ValueError as error:
            for order, remark in split_remark(" ".join(text.split())):
                if VERBS.search(remark) or not is_only_remark(remark, self.name_words):
                    break
                with suppress(ValueError):
                    return read(force, order), remark.strip(MARKUP + ENDING + "-")
            raise error

    def retreat(self, force: str, text: str) -> MarchOrder:
        """Parse a player's choice where a beaten force retreats, such as `retreat to Fen Bridge`.

        Raises ValueError if the text names no place to which the force can retreat.
        """
        words = PLEASE.sub("", " ".join(text.split()).strip(MARKUP + ENDING))
        marching = MARCHING.fullmatch(RETREATING.sub("", words, count=1))
        choice = self.retreats[force]
        if marching is None:
            raise ValueError(f"the place is missing; {self.retreat_forms(force)}")
        try:
            place = self.place(ARROWS.split(marching["place"])[-1])
        except ValueError as error:
            raise ValueError(f"{error}; {self.retreat_forms(force)}") from None
        if place not in choice.places:
            raise ValueError(self.retreat_error(force, place))
        return MarchOrder(RETREAT, (place,))

    def retreat_error(self, force: str, place: str) -> str:
        """Return the error for a place to which a beaten force cannot retreat."""
        here = self.campaign.forces[force].location
        why = "is where it is" if place == here else "is not one road away"
        why = self.retreats[force].refused.get(place, why)
        return f"it cannot retreat to {place}, which {why}; {self.retreat_forms(force, place)}"

    def retreat_forms(self, force: str, refused: str = "") -> str:
        """Return the answers that the player of a beaten force can write, without the `refused` place."""
        choice = self.retreats[force]
        places = [place for place in choice.named or choice.places if place != refused]
        return f"write {listed((f'{force}: {RETREAT} {place}' for place in places), 'or')}"

    def example(self, faction: str) -> str:
        """Return what a player can write: the retreat of a beaten force, or an order for a force.

        If `faction` is "", the example is for any faction.
        """
        forces = self.campaign.forces
        beaten = [key for key in self.retreats if faction in ("", forces[key].faction)]
        left = [key for key in beaten if forces[key].retreat not in self.retreats[key].places]
        if left:
            return self.retreat_forms(left[0])
        movable = self.movable(faction)
        return f"write FORCE: ORDER{f', such as {movable[0]}: {HOLD}' if movable else ''}"

    @cached_property
    def place_words(self) -> set[str]:
        """The words of the names and keys of all places."""
        return set().union(*(distinct_words(key, name) for key, name in self.places.items()))

    @cached_property
    def name_words(self) -> set[str]:
        """The words of the names and keys of all forces and places."""
        return self.place_words.union(*(distinct_words(key, name) for key, name in self.forces("").items()))

    def bare_order(self, force: str, text: str) -> MarchOrder:
        """Parse an order without the words `avoid battle`.

        Raises ValueError if the order is not valid.
        """
        holding = HOLDING.fullmatch(text)
        if holding:
            return self.hold(force, holding["place"] or "", text)
        guarding = HOLDING_PLACE.fullmatch(text) if not self.is_place(text) else None
        if guarding:
            return self.hold(force, guarding["place"], text)
        joining = JOINING.fullmatch(text)
        if joining:
            return self.join(force, joining["force"])
        if ARROWS.search(text):
            return self.path(
                force, [self.place(word) for word in ARROWS.split(VERB.sub("", text, count=1)) if word]
            )
        marching = MARCHING.fullmatch(text) if not self.is_place(text) else None
        if marching is None:
            return self.march(force, self.place(text))
        goal, *stops = VIA.split(marching["place"])
        if stops:
            return self.march_via(
                force, self.place(goal), [self.place(word) for word in STOPS.split(stops[0])]
            )
        return self.march(force, self.goal(goal, text))

    def is_place(self, text: str) -> bool:
        """Return True if a text without a verb is the whole name of a place, such as `Fall River`."""
        return any(is_alike_without_article(name, text) for name in self.places.values())

    def hold(self, force: str, place: str, text: str) -> MarchOrder:
        """Return the order to hold. If the order names a place, the force must be there.

        Raises ValueError if the force is somewhere else.
        """
        there = self.campaign.forces[force]
        if place and (self.goal(place, text) != there.location or there.towards):
            raise ValueError(
                f'the force is not at {self.places[self.goal(place, text)]}; write "hold" to stay where it '
                f'is, or "march to {self.goal(place, text)}", where it then holds'
            )
        return MarchOrder(HOLD)

    def goal(self, word: str, text: str) -> str:
        """Return the key of the destination.

        Raises ValueError if there is no such place: UnreadOrder if no place has a similar name.
        """
        try:
            return self.place(word)
        except ValueError as error:
            is_march = BEGINS_IN_ANY_FORM.match(text) and not HOLDING.match(text)
            if is_march or "did you mean" in str(error):
                raise
            raise UnreadOrder from None

    def join(self, force: str, word: str) -> MarchOrder:
        """Return the order to join another force of the same faction.

        Raises ValueError if the other force cannot be joined.
        """
        own = self.forces(self.campaign.forces[force].faction)
        key = find_force({other: name for other, name in own.items() if other != force}, word)
        if key not in self.movable(""):
            raise ValueError(f"{own[key]} is not on the map; name another force, or a place")
        return MarchOrder(JOIN, (key,))

    def march(self, force: str, goal: str) -> MarchOrder:
        """Return the order to march to a place, which is given by its key. The force must be on the map.

        A force that is already there holds. Raises ValueError if no way leads to the place.
        """
        start = self.campaign.forces[force].location or ""
        if self.campaign.roads.distance(start, goal) is None:
            raise ValueError(
                f"no way leads from {self.places[start]} to {self.places[goal]}; name another place"
            )
        return MarchOrder(MARCH, (goal,))

    def march_via(self, force: str, goal: str, stops: Sequence[str]) -> MarchOrder:
        """Return the order to march on the shortest path that passes the `stops` in order.

        Raises ValueError if there is no such path.
        """
        start = self.campaign.forces[force].location or ""
        path = [start]
        around = self.roads_without(goal)
        for one, other in pairwise((start, *stops, goal)):
            way = around.way(one, other) if goal not in (one, other) else self.campaign.roads.way(one, other)
            if way is None and goal not in stops and self.campaign.roads.way(one, other):
                forms = f'write "march to {goal}", or the whole path with arrows'
                raise ValueError(
                    f"the way to {self.places[other]} leads through {self.places[goal]}; {forms}"
                )
            if way is None:
                raise ValueError(
                    f"no way leads from {self.places[one]} to {self.places[other]}; name other places"
                )
            path += way
        return MarchOrder(PATH, tuple(path)) if len(path) > 1 else MarchOrder(HOLD)

    def roads_without(self, place: str) -> Roads:
        """Return the roads of the map without those that end at a place."""
        roads = self.campaign.roads
        return Roads(
            RoadLength(one, other, roads.length(one, other) or 1)
            for one, other in self.campaign.road_ends
            if place not in (one, other)
        )

    def path(self, force: str, places: Sequence[str]) -> MarchOrder:
        """Return the order to march along these places.

        Raises ValueError if the path does not begin where the force is, or if no road joins two of the
        places.
        """
        there = self.campaign.forces[force]
        at = [end for end in (there.location, there.towards) if end]
        if [*places] == at:  # an arrow to the place where the force is
            return MarchOrder(HOLD)
        if len(places) == 1 or (places and places[0] not in at and self.follows(at[0], places[0])):
            places = [at[0], *places]
        if places[0] not in at:
            here = " or ".join(self.places[end] for end in at)
            raise ValueError(
                f"the path begins at {self.places[places[0]]}; begin it at {here}, where the force is"
            )
        for one, other in pairwise(places):
            if not self.follows(one, other):
                way = f"no road leads from {self.places[one]} to {self.places[other]}"
                raise ValueError(f'{way}; write "march to {other}" for the shortest way')
        return MarchOrder(PATH, tuple(places))

    def follows(self, one: str, other: str) -> bool:
        """Return True if a road joins two places."""
        return bool(self.campaign.roads.length(one, other))


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


def reader_of(
    parser: OrderParser, file: str, text: str, skipped: Mapping[str, str] | None = None
) -> MessageReader:
    """Return a reader that has read a pasted text. The arguments are those of `read_orders`."""
    reader = MessageReader(parser, file)
    reader.is_marked = has_quotation_marks(text)
    for line in plain_lines(file, text):
        if not skipped or line.bare not in skipped:
            reader.read_line(line)
        elif line.bare:
            reader.addresses.append((line.depth, skipped[line.bare]))
            reader.skipped_depth = min(reader.skipped_depth, line.depth)
    reader.read_orders_for_rest()
    return reader


class Senders(NamedTuple):
    """The factions of the least quoted addresses and orders in a message, which sent it, and their depth.

    If the message has neither addresses nor orders, there are no factions.
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


class Finding(NamedTuple):
    """An order or an error in a message, with its faction and the number of `>` marks before its line.

    `about` is the faction of the forces that an error is about, or "". `forces` are those that the words of
    the error name.
    """

    faction: str
    depth: int
    content: GivenOrder | PlacedDiagnostic
    about: str = ""
    forces: Collection[str] = ()

    @property
    def named(self) -> Collection[str]:
        """The force of an order, or the forces of an error."""
        return (self.content.force,) if isinstance(self.content, GivenOrder) else self.forces


class UnreadLine(NamedTuple):
    """A line that may be meant as an order, its words, and the faction of the address above it, or ""."""

    line: PlainLine
    words: Sequence[str]
    faction: str


class OrderForRest(NamedTuple):
    """An order for all forces of a faction that have no other order, and what the address above it says."""

    line: PlainLine
    words: str
    text: str
    faction: str
    has_turn: bool
    is_past: bool


class OldAddress(NamedTuple):
    """The line of an address of an earlier turn, its error, and the battle that its faction fights."""

    line: PlainLine
    error: str
    battle: str


class FormLine(NamedTuple):
    """A line `FORCE:` or `FORCE: retreat to`, whose order can be on the next line."""

    words: str
    order: str
    depth: int
    is_above: bool = True  # False if an empty line follows it


class MessageReader:
    """Reads a message line by line.

    Each line between an address and the next empty line is an order.
    """

    def __init__(self, parser: OrderParser, file: str) -> None:
        self.parser = parser
        self.file = file
        self.faction = parser.faction
        self.is_below_address = False
        self.is_passing = False  # True below a wrong address
        self.old_depth = 0  # of the quoted address of another turn, below which lines are skipped
        self.late: Finding | None = None  # the error of an address of a past turn, until an order follows
        self.old: OldAddress | None = None  # the late address, if its faction fights a battle
        self.skipped_depth = MOST_CHARACTERS  # the smallest depth of the skipped lines
        self.has_turn = False  # True below an address, which names the turn
        self.is_past = False  # True below an address of this turn after its movement: only retreats are open
        self.depth = 0  # of the line with the last address
        self.is_marked = False  # True if a mail program has marked quoted lines
        self.addresses: list[tuple[int, str]] = []  # depths and factions of all addresses
        self.found: list[Finding] = []
        self.unread: list[UnreadLine] = []
        self.for_rest: list[OrderForRest] = []  # read after the orders of single forces
        self.form: FormLine | None = None  # if the last line was one
        self.notes: list[str] = []  # about ignored remarks
        self.ignored: dict[int, str] = {}  # ignored text below an address, by the number of its line
        self.battle_answers: list[PlacedDiagnostic] = []  # reported if there is nothing else in the message

    def orders(self) -> Orders:
        """Return the orders. Several different orders for one force are an error.

        An error of an unknown faction counts for every faction, so that an old quoted order does not replace
        a new one that was rejected.
        """
        if self.late and self.old:
            hint = f"enter an answer to a battle with: {take_answers(self.parser.campaign, self.old.battle)}"
            error = self.error(self.old.line, f"{self.old.error}; {hint}")
            self.found.append(self.late._replace(content=error))
        senders = senders_among(self.signs())
        own = [each for each in self.found if not senders.is_foreign(each.depth, each.faction)]
        foreign = [each.content for each in self.found if each not in own]
        unknown = min((each.depth for each in own if not each.faction), default=MOST_CHARACTERS)
        nearest_depth: dict[str, int] = {}
        for each in own:
            depth = nearest_depth.get(each.faction, unknown)
            nearest_depth[each.faction] = min(each.depth, depth)
        found = [each for each in own if each.depth == nearest_depth[each.faction]]
        errors = [
            (each.content, self.sender_of(each.faction, each.about, senders))
            for each in found
            if isinstance(each.content, PlacedDiagnostic)
        ]
        given: dict[tuple[str, bool], GivenOrder] = {}
        contradicted: set[tuple[str, bool]] = set()
        for each in found:
            order = each.content
            if isinstance(order, GivenOrder):
                earlier = given.setdefault(order.slot, order)
                if earlier.order != order.order:
                    contradicted.add(order.slot)
                    text = f"{order.force} has another order in line {earlier.line}; leave one of them"
                    error = PlacedDiagnostic(text, file=self.file, line=order.line)
                    errors.append((error, self.sender_of(each.faction, each.about, senders)))
        errors += self.quoted_errors([each for each in own if each not in found], found, senders)
        errors += self.unread_errors(nearest_depth, senders)
        accepted = [order for order in given.values() if order.slot not in contradicted]
        errors = errors if given or errors else [(error, "") for error in self.battle_answers]
        errors = list({(str(error), error.line): (error, sender) for error, sender in errors}.values())
        wrong = {error.line for error, _ in errors}
        left = {line: text for line, text in self.ignored.items() if line not in wrong}
        notes = [*self.notes, *(f"line {line}: ignored: {quoted(text)}" for line, text in left.items())]
        notes += [
            f"line {order.line}: ignored, because another player quotes it: {order.force}: {order.order}"
            for order in foreign
            if isinstance(order, GivenOrder)
        ]
        return Orders(
            accepted,
            [error for error, _ in errors],
            notes,
            senders=[sender for _, sender in errors],
            author=self.parser.faction
            or (next(iter(senders.factions)) if len(senders.factions) == 1 else ""),
        )

    def sender_of(self, faction: str, about: str, senders: Senders) -> str:
        """Return the faction that sent a line with an error, or "" if no faction may read the error.

        `faction` is that of the address above the line, or "". A line without an address is from the only
        faction that sent the message, or from the faction of its force if nothing else in the message shows
        a sender. An error about forces of another faction can say where they are, so only the umpire reads
        it.
        """
        only = next(iter(senders.factions)) if len(senders.factions) == 1 else ""
        sender = self.parser.faction or faction or only or ("" if senders.factions else about)
        return sender if {faction, about} <= {"", sender} else ""

    def signs(self) -> Iterator[tuple[int, str]]:
        """Yield the depth and the faction of each address and order, which show who sent the message.

        Without marks of a mail program, each address can begin a mail of its own.
        """
        yield from ((depth if self.is_marked else 0, faction) for depth, faction in self.addresses)
        yield from ((each.depth, each.faction) for each in self.found)

    def quoted_errors(
        self, passed: Iterable[Finding], found: Iterable[Finding], senders: Senders
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
            yield error, self.sender_of(each.faction, each.about, senders)

    def is_old(self, order: GivenOrder) -> bool:
        """Return True if a force already has an order, or probably had it in the last movement."""
        campaign = self.parser.campaign
        if order.order.verb == RETREAT:
            return (campaign.forces[order.force].retreat,) == order.order.keys
        is_moved = self.parser.has_moved and not order.has_turn
        return is_moved or campaign.orders.get(order.force) == str(order.order)

    def unread_errors(
        self, nearest_depth: Mapping[str, int], senders: Senders
    ) -> Iterator[tuple[PlacedDiagnostic, str]]:
        """Yield an error and its sender for each unread line that names a force without an order.

        `nearest_depth` has the smallest depth of each faction's orders. Lines that were quoted more often
        do not count.
        """
        deepest = max(nearest_depth.values(), default=self.skipped_depth)
        ordered = {each.content.force for each in self.found if isinstance(each.content, GivenOrder)}
        for line, words, faction in self.unread:
            forces = self.forces_in(words, faction or self.faction)
            left = [force for force in forces if force not in ordered]
            left = [force for force in left if not senders.is_foreign(line.depth, self.faction_of(force))]
            if left and line.depth <= deepest:
                is_beaten = left[0] in self.parser.retreats
                form = self.parser.retreat_forms(left[0]) if is_beaten else f"write {left[0]}: ORDER"
                error = self.error(line, f"this line names {left[0]}, but is not an order; {form}")
                yield error, self.sender_of(faction, self.faction_of(left[0]), senders)

    def faction_of(self, force: str) -> str:
        """Return the faction of a force."""
        return self.parser.campaign.forces[force].faction

    def read_line(self, line: PlainLine) -> None:
        """Read one line: an address, orders, or other text."""
        bare = line.bare.lstrip(MARKUP)
        try:
            bare = with_faction_key(self.parser.campaign, bare)
        except ValueError as error:
            self.reject(line, str(error))
            self.is_passing = True
            return
        loose = loose_address(self.parser.campaign, bare)
        bare = loose or bare
        if not bare or line.depth != self.depth:
            self.is_below_address = False
        if bare and line.depth < self.old_depth and not self.old:  # the quotation has ended
            self.is_passing, self.late, self.old_depth = False, None, 0
            self.faction = self.unquoted_sender(line.depth)
            self.has_turn = self.is_past = False
        form = self.form
        self.form = form._replace(is_above=False) if form and not bare else None
        if form and self.continues(form, line, bare):
            self.read_order(line, form.words, f"{form.order} {bare.removeprefix('- ')}")
            return
        if not bare or REQUEST.fullmatch(bare) or WRAPPED_SEAL.fullmatch(bare):
            return
        if form and form.is_above and not line.depth and ":" not in bare:
            self.ignored[line.number] = bare
        battle = BATTLE_LINE.fullmatch(bare)
        if battle and not self.is_force(self.parser.forces(""), battle[1]):
            return
        address = ADDRESS.match(bare) or self.bare_address(bare) or last_address(self.parser.campaign, bare)
        answered = self.battle_answered(bare) if address is None else ""
        if answered:
            self.reject(line, answer_error(self.parser.campaign, answered))
        elif address is None and self.is_below_address and is_order_line(bare) and self.fought_now():
            self.battle_answers.append(
                self.error(line, answer_error(self.parser.campaign, self.fought_now()))
            )
        elif address is None and not self.is_passing:
            self.read_parts(line, bare)
        elif address is None and self.late and self.old and is_battle_answer(bare):
            self.late = None
            self.reject(line, answer_error(self.parser.campaign, self.old.battle))
        elif address is None and self.late and self.can_be_order(line, bare):
            self.found += [self.late] if self.late.depth <= self.skipped_depth else []
            self.late = None
        elif address is not None:
            rest = bare[address.end() :].strip(MARKUP)
            self.read_address(line, address, rest, is_loose=bool(loose))

    def continues(self, form: FormLine, line: PlainLine, text: str) -> bool:
        """Return True if a line is meant as the order of the form on the line above it.

        Below an empty line, only a valid order is.
        """
        order = text.removeprefix("- ")
        begins = BEGINS_IN_ANY_FORM.match(order) is not None
        if line.depth > form.depth or REQUEST.fullmatch(text) or (":" in text and not begins):
            return False
        if not form.is_above:
            return begins and self.is_readable(form.words, order)
        has_place = bool(self.parser.place_words.intersection(WORD.findall(text.casefold())))
        if form.order:
            return has_place
        is_named = self.is_every(form.words) or self.is_force(self.parser.forces(self.faction), form.words)
        is_example = EXAMPLES.fullmatch(text) is not None and not is_named
        if is_example or self.with_dash(text)[0] or self.without_colon(text)[0]:
            return False
        return has_place or begins or any(pattern.search(text) for pattern in (VERBS, SENDING))

    def bare_address(self, text: str) -> re.Match[str] | None:
        """Return the address at the beginning of a line that lacks its colon, or None for other text."""
        address = BARE_ADDRESS.match(text)
        is_whole = address is not None and not text[address.end() :].strip(MARKUP + ENDING)
        is_ours = address is not None and address["side"].lower() in self.parser.campaign.factions
        return address if is_whole or is_ours else None

    def read_address(
        self, line: PlainLine, address: re.Match[str], rest: str, *, is_loose: bool = False
    ) -> None:
        """Read an address and the orders after it on the line.

        If the address is wrong, all orders below it are skipped. A loose address can be a part of a sentence,
        so its error is reported only if an order follows.
        """
        campaign, side = self.parser.campaign, address["side"].lower()
        known = with_known_battles(campaign, side) if side in campaign.factions else campaign
        battle = known.battle((address["battle"] or "").lower())
        if battle is not None:
            if rest:
                self.battle_answers.append(
                    self.error(line, answer_error(self.parser.campaign, battle.id), address[0])
                )
            return
        if rest.casefold().split(" ")[0] in ("sealed", "open"):
            if not address[0].endswith(":"):
                self.reject(line, f"write a colon after the address: {address[0]}:", address[0])
            return
        if side in campaign.factions:
            self.addresses.append((line.depth, side))
        error = address_error(self.parser, address)
        self.is_passing, self.late, self.old, self.old_depth = bool(error), None, None, 0
        if error and side in campaign.factions and not self.is_past_turn(address):
            self.old_depth = line.depth
        if error and self.can_answer_battle(address):
            self.read_old_address(line, address, error, rest)
            return
        if error and not rest and (is_loose or self.is_past_turn(address)):
            self.faction = side
            self.late = Finding(self.faction, line.depth, self.error(line, error))
            self.is_below_address, self.depth = True, line.depth
            return
        if error:
            faction = side if self.old_depth else self.faction
            force = campaign.forces.get(side)
            about = side if side in campaign.factions else force.faction if force else ""
            self.found.append(Finding(faction, line.depth, self.error(line, error), about))
            return
        self.faction, self.depth = side, line.depth
        self.is_below_address = self.has_turn = True
        self.is_past = self.parser.has_moved and place_of(address) == campaign.turn
        self.read_parts(line, rest)

    def unquoted_sender(self, depth: int) -> str:
        """Return the faction of the last address that is quoted at most `depth` times, or that of `--for`."""
        above = [faction for quoted_by, faction in self.addresses if quoted_by <= depth]
        return self.parser.faction or (above[-1] if above else "")

    def fought_now(self) -> str:
        """Return the battle that the faction of the address above fights, as `fought_by` does."""
        return fought_by(self.parser.campaign, self.faction) if not self.is_passing else ""

    def battle_answered(self, text: str) -> str:
        """Return the battle of a line such as `Pan Guard@1: KH`, which has a force's name, or ""."""
        address = NAMED_ADDRESS.match(text)
        names = self.parser.forces(self.faction)
        return battle_of_force(self.parser.campaign, names, address["name"]) if address else ""

    def can_answer_battle(self, address: re.Match[str]) -> bool:
        """Return True if the number of an address is that of an earlier turn, or of a battle's question."""
        campaign, faction = self.parser.campaign, address["side"].lower()
        is_sender = self.parser.faction in ("", faction)
        return is_sender and place_of(address) < campaign.turn and bool(fought_by(campaign, faction))

    def read_old_address(self, line: PlainLine, address: re.Match[str], error: str, rest: str) -> None:
        """Read the address of an earlier turn. What follows decides whether it answers a battle.

        If neither an order nor an answer follows, the error names both possibilities.
        """
        self.faction, self.depth, self.is_below_address = address["side"].lower(), line.depth, True
        fought = fought_by(self.parser.campaign, self.faction)
        if rest and is_battle_answer(rest):
            self.reject(line, answer_error(self.parser.campaign, fought))
        elif rest and self.can_be_order(line, rest):
            self.reject(line, error)
        else:
            self.old = OldAddress(line, error, fought)
            self.late = Finding(self.faction, line.depth, self.error(line, error))

    def is_past_turn(self, address: re.Match[str]) -> bool:
        """Return True if an address of this turn comes after its movement, for a faction of the campaign.

        Reports of results have such an address, and their lines are skipped.
        """
        campaign, faction = self.parser.campaign, address["side"].lower()
        is_now = self.parser.has_moved and place_of(address) == campaign.turn
        return is_now and faction in campaign.factions and self.parser.faction in ("", faction)

    def can_be_order(self, line: PlainLine, text: str) -> bool:
        """Return True if a line below a wrong address is an order, or may be meant as one."""
        reader = MessageReader(self.parser, self.file)
        reader.faction = self.faction
        reader.is_below_address = self.is_below_address
        reader.read_parts(line, text)
        return bool(
            reader.found
            or reader.for_rest
            or any(self.forces_in(each.words, self.faction) for each in reader.unread)
        )

    def read_parts(self, line: PlainLine, text: str) -> None:
        """Read the orders on a line. Text without a force or an order, such as a signature, is ignored."""
        for part in self.parts_of(text):
            match = LINE.search(part)
            if match is None:
                self.read_without_colon(line, part.strip(MARKUP + ENDING + "-"))
                continue
            words = self.without_greeting(match["force"].strip(MARKUP + ENDING + "-"))
            order = match["order"].strip(MARKUP + ENDING)
            if self.is_order(words, order):
                self.keep_unread(line, part[: match.start() + match["force"].rfind(words)])
                self.read_order(line, words, order)
            else:
                self.keep_unread(line, part)
                if self.is_below_address:
                    self.ignored[line.number] = part.strip()

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
        return bool(is_order or BEGINS_WITH_ALL.match(text.strip()) or self.has_name_word(text))

    def without_greeting(self, words: str) -> str:
        """Return the words before a colon without a sentence such as `Sorry!!` before the name of a force."""
        *_, last = GREETING_ENDS.split(words)
        names = self.parser.forces(self.faction)
        return last if last != words and not self.is_force(names, words) and self.is_whole(last) else words

    def is_whole(self, words: str) -> bool:
        """Return True if the words are the key or the whole name of a force, or mean all forces."""
        names = self.parser.forces(self.faction)
        is_name = any(is_alike_without_article(name, words) for name in names.values())
        return words.casefold() in names or is_name or self.is_every(words)

    def read_without_colon(self, line: PlainLine, text: str) -> None:
        """Read an order that lacks its colon. Other text is ignored."""
        force, order = self.with_dash(text)
        if force:
            self.read_order(line, force, order)
            return
        force, order = self.without_colon(text)
        if force and self.is_below_address:
            self.read_order(line, force, order)
        elif force:
            self.reject(line, f"write a colon after the force: {force}: {order}", text)
        elif self.is_below_address and self.is_meant(text):
            self.reject(line, f"expected FORCE: ORDER, got {quoted(text)}", text)
        elif self.is_below_address and (parts := self.unknown_force(text)):
            self.read_order(line, *parts)
        else:
            self.keep_unread(line, text)

    def keep_unread(self, line: PlainLine, text: str) -> None:
        """Keep a line that may name a force and also has a verb of an order, an arrow or a place."""
        spoken = WORD.findall(text.casefold())
        if not spoken or len(text) > LONGEST or EXAMPLES.fullmatch(line.bare):
            return
        order_words = VERB_FORMS | self.parser.place_words
        if ARROWS.search(text) or not order_words.isdisjoint(spoken):
            self.unread.append(UnreadLine(line, spoken, self.faction))

    def forces_in(self, spoken: Sequence[str], faction: str) -> list[str]:
        """Return the forces of a faction that a line may name, given the line's words in lower case.

        A word counts if only one force has it in its name, or if it is the whole name written together, such
        as `goatboys` for `The Goat Boys`. If there is no such word, similar words count, such as `goats`. The
        force with the most words comes first, and then the one that is named first.
        """
        names = self.parser.forces(faction)
        own = self.parser.movable(faction)
        words = {key: distinct_words(key, names[key]) - self.parser.place_words for key in own}
        common = Counter(chain.from_iterable(words.values()))
        for key in own:
            words[key] = {word for word in words[key] if common[word] == 1}
            words[key].add(fold_text(without_article(names[key])))
        matches = {key: positions_in(spoken, words[key]) for key in own}
        if not any(matches.values()):
            unclear = [(at, word) for at, word in enumerate(spoken) if not VERBS.match(word)]
            matches = {
                key: [at for at, word in unclear if difflib.get_close_matches(word, words[key], 1, SIMILAR)]
                for key in own
            }
        named = [key for key in own if matches[key]]
        return sorted(named, key=lambda key: (-len(matches[key]), matches[key]))

    def with_dash(self, text: str) -> tuple[str, str]:
        """Split a line such as `Goat Boys - hold` into the force and its order.

        The beginning of a name is enough if the text behind the dash begins like an order. Both parts are
        empty strings if the line is not clear.
        """
        names = self.parser.forces(self.faction)
        for dash in DASH.finditer(text) if len(text) <= LONGEST else ():
            force, order = text[: dash.start()], text[dash.end() :]
            is_named = (
                self.is_every(force) or self.is_force(names, force) or self.is_begun(names, force, order)
            )
            if is_named and self.is_readable(force, order):
                return force, order
        return "", ""

    def is_begun(self, names: Mapping[str, str], words: str, order: str) -> bool:
        """Return True if words begin the name of only one force, and a text begins like an order."""
        begun = [key for key, name in names.items() if is_beginning(words, f"{key} {name}")]
        return len(begun) == 1 and BEGINS_IN_ANY_FORM.match(order) is not None

    def unknown_force(self, text: str) -> Sequence[str]:
        """Split a line such as `spears - hold` into the unknown name of a force and an order.

        The result is empty if the text behind the dash does not begin like an order.
        """
        for dash in DASH.finditer(text) if len(text) <= LONGEST else ():
            if text[: dash.start()].strip() and BEGINS_IN_ANY_FORM.match(text[dash.end() :]):
                return text[: dash.start()], text[dash.end() :]
        return ()

    def is_readable(self, words: str, text: str) -> bool:
        """Return True if the words name forces that can carry out this order."""
        try:
            return any(self.order_or_retreat(force, text) for force in self.forces_named(words))
        except ValueError:
            return False

    def without_colon(self, text: str) -> tuple[str, str]:
        """Split a line without a colon into the force and its order.

        Both are empty strings if the line is not clear.
        """
        if len(text) > LONGEST:
            return "", ""
        names, words = self.parser.forces(self.faction), text.split()
        for count in range(len(words) - 1, 0, -1):
            force, order = " ".join(words[:count]).rstrip(" -"), " ".join(words[count:])
            begins = BEGINS_IN_ANY_FORM if self.is_below_address else BEGINS
            if begins.match(order) and self.is_force(names, force):
                return force, order
            is_every = BEGINS_IN_ANY_FORM.match(order) and self.is_every(force)
            if is_every and (self.is_below_address or self.is_readable(force, order)):
                return force, order
        return "", ""

    def is_force(self, names: Mapping[str, str], words: str) -> bool:
        """Return True if the words name a force in `names`. Below an address, part of a name is enough."""
        if words.lower() in names or any(is_alike_without_article(name, words) for name in names.values()):
            return True
        parts = [key for key, name in names.items() if is_part(words, f"{key} {name}")]
        return self.is_below_address and len(parts) == 1

    def is_meant(self, words: str) -> bool:
        """Return True if a line without a colon is an order.

        Such a line begins like an order, or names a force.
        """
        names = self.parser.forces(self.faction)
        known = {word for key, name in names.items() for word in WORD.findall(f"{key} {name}".casefold())}
        spoken = WORD.findall(words.casefold())
        is_for_all = BEGINS_WITH_ALL.match(words) is not None and VERBS.search(words) is not None
        return bool(BEGINS.match(words) or is_for_all or {*spoken} & known - {*ARTICLES})

    def is_order(self, words: str, order: str) -> bool:
        """Return True if a line is meant as the order of a force."""
        if self.is_every(words) and BEGINS_IN_ANY_FORM.match(order):
            return True
        if len(words) < SHORTEST and not self.is_force(self.parser.forces(""), words):
            return False  # `No: hold` and `PS: hold` have no force
        if self.is_below_address:
            return not self.is_remark(words, order)
        names = self.parser.forces(self.faction)
        try:
            find_named(names, words, "force")
        except ValueError as error:
            begun = [key for key, name in names.items() if is_beginning(words, f"{key} {name}")]
            if len(begun) == 1 and (self.faction or self.has_name_word(words) or self.parser.is_place(order)):
                return True
            factions = self.parser.factions()
            is_near = bool(nearest(words, [*names, *names.values(), *factions, *factions.values()]))
            is_meant = bool(begun) or is_near or is_ambiguous(error) or bool(self.faction_named(words))
            return bool(BEGINS_IN_ANY_FORM.match(order)) and (is_meant or self.is_clear(order))
        return True

    def has_name_word(self, words: str) -> bool:
        """Return True if a whole word of a force's name is among these words, as in `Bell Co.`."""
        spoken = WORD.findall(words.casefold())
        names = self.parser.forces(self.faction).items()
        return any(not distinct_words(key, name).isdisjoint(spoken) for key, name in names)

    def is_clear(self, order: str) -> bool:
        """Return True if a text is an order that a force of the sender can carry out.

        If the sender is not known, forces of all factions count.
        """
        for force in self.parser.movable(self.faction):
            with suppress(ValueError):
                self.parser.order(force, order)
                return True
        return False

    def is_remark(self, words: str, order: str) -> bool:
        """Return True if a line below an address, such as `PS: what about supplies?`, is not an order.

        Such a line names no force and no place, and does not begin like an order behind its colon.
        """
        names = {**self.parser.forces(self.faction), **self.parser.factions()}
        is_named = any(is_beginning(words, f"{key} {name}") for key, name in names.items())
        if is_named or self.is_every(words) or nearest(words, [*names, *names.values()]):
            return False
        spoken = WORD.findall(order.casefold())
        return not (BEGINS_IN_ANY_FORM.match(order) or self.parser.place_words.intersection(spoken))

    def read_order(self, line: PlainLine, words: str, text: str) -> None:
        """Read one order, for one force or for all forces of a faction. An order without text is ignored."""
        if not text or text.casefold() == RETREAT:
            self.form = FormLine(words, text, line.depth)
            return
        if self.is_past and line.depth and BEGINS_IN_ANY_FORM.match(text) and not RETREATING.match(text):
            return  # a quoted order of the movement, which is not the answer where a force retreats
        if self.faction_of_rest(words):
            self.for_rest.append(OrderForRest(line, words, text, self.faction, self.has_turn, self.is_past))
            return
        try:
            self.give(line, self.forces_named(words), text)
        except ValueError as error:
            self.reject(line, f"{words}: {error}", words, self.faction_meant(words))

    def read_orders_for_rest(self) -> None:
        """Read the orders for all forces without a line of their own, after the lines of single forces.

        A line that was rejected counts. A line that is quoted more often than the order for all is older, and
        does not count.
        """
        single = [*self.found]
        for line, words, text, faction, has_turn, is_past in self.for_rest:
            self.faction, self.has_turn, self.is_past = faction, has_turn, is_past
            try:
                lines = [each for each in single if each.depth <= line.depth]
                named = {*chain.from_iterable(each.named for each in lines)}
                forces = [force for force in self.forces_named(words) if force not in named]
                self.give(line, forces, text)
            except ValueError as error:
                self.reject(line, f"{words}: {error}", words, self.faction_meant(words))

    def give(self, line: PlainLine, forces: Iterable[str], text: str) -> None:
        """Keep the order in a text for these forces. Raises ValueError if the text is not valid."""
        for force in forces:
            order, remark = self.order_or_retreat(force, text)
            self.notes += [f"{force}: {order}; ignored: {quoted(remark)}"] if remark else []
            given = GivenOrder(force, order, self.file, line.number, self.has_turn)
            self.found.append(Finding(self.faction_of(force), line.depth, given))

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
        is_retreat = RETREATING.match(text) is not None
        is_retreat_now = is_retreat or self.is_past or self.is_place(text) or self.is_way_back(force, text)
        if force in self.parser.retreats and is_retreat_now:
            return self.parser.with_remark(self.parser.retreat, force, text)
        turn = self.parser.campaign.turn
        if self.is_past or (is_retreat and self.parser.has_moved):
            raise ValueError(
                f"it has no retreat to choose in turn {turn}, and the forces have moved; for an order of "
                f"turn {turn + 1}, write {self.parser.campaign.forces[force].faction}@{turn + 1}: above it"
            )
        order, remark = self.parser.order_and_remark(force, text)
        if force in self.parser.retreats and not self.parser.has_moved and order.verb != HOLD:
            raise ValueError(
                f"it has lost a battle in this turn and must retreat; {self.parser.retreat_forms(force)}"
            )
        return order, remark

    def is_way_back(self, force: str, text: str) -> bool:
        """Return True if a march after the movement, without an address, means where a beaten force retreats.

        Such a force marches again only in the next turn, which the player then names in an address.
        """
        if force not in self.parser.retreats or self.has_turn or not self.parser.has_moved:
            return False
        with suppress(ValueError):
            order, _ = self.parser.order_and_remark(force, text)
            return order.verb in (MARCH, PATH)
        return bool(BEGINS_IN_ANY_FORM.match(text)) and not (HOLDING.match(text) or JOINING.match(text))

    def is_place(self, text: str) -> bool:
        """Return True if a text without an address for a turn is only the name of a place."""
        with suppress(ValueError):
            return not self.has_turn and bool(self.parser.place(text.strip(MARKUP + ENDING)))
        return False

    def forces_named(self, words: str) -> Iterable[str]:
        """Return the named force, or all forces of the faction.

        Raises ValueError if the words name neither a force nor the faction.
        """
        faction = self.faction_of_rest(words)
        if faction or self.is_every(words):
            if not faction:
                raise ValueError(
                    f"write the faction's address above its orders, for example {self.example()}"
                )
            forces = self.parser.movable(faction)
            beaten = [key for key in forces if key in self.parser.retreats]
            if words.casefold() in BOTH and len(forces) != len(BOTH):
                if len(beaten) != len(BOTH):
                    raise ValueError("this faction does not have two forces on the map; write all")
                forces = beaten
            if self.faction not in ("", faction):
                raise ValueError(f"these are orders of {self.faction}; leave out the orders for {faction}")
            return beaten if self.is_past else forces
        force = self.force_named(words)
        if force not in self.parser.movable(self.faction):
            raise ValueError("it is not on the map; leave it out")
        return [force]

    def faction_meant(self, words: str) -> str:
        """Return the faction of the forces that the words name, or "" if they name no forces."""
        with suppress(ValueError):
            names = self.parser.forces(self.faction)
            return self.faction_of_rest(words) or self.faction_of(find_force(names, words))
        return ""

    def forces_meant(self, words: str) -> Collection[str]:
        """Return the forces that the words of a line name, although its order was rejected."""
        with suppress(ValueError):
            return [find_force(self.parser.forces(self.faction), words)]
        return self.forces_in(WORD.findall(words.casefold()), self.faction)

    def force_named(self, words: str) -> str:
        """Return the force of the sender with this name.

        Raises ValueError if there is no such force. The error names only forces that the sender may know.
        """
        if self.faction or self.parser.campaign.visibility.shows_forces:
            return self.own_force(self.parser.forces(self.faction), words)
        with suppress(ValueError):
            return find_force(self.parser.forces(""), words)
        raise ValueError(
            f"unknown force; write the address of its faction above it, such as {self.example()}"
        )

    def own_force(self, names: dict[str, str], words: str) -> str:
        """Return the force that the words name. Forces on the map come first, and only they are suggested."""
        try:
            return find_force(names, words)
        except ValueError:
            on_map = {key: names[key] for key in self.parser.movable(self.faction)}
            return find_force(on_map or names, words, f"{self.faction} force".strip())

    def faction_named(self, words: str) -> str:
        """Return the faction with this key or name, or "" if the words name a force or something else."""
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

    def reject(self, line: PlainLine, text: str, words: str = "", about: str = "") -> None:
        """Add an error about a line. Its position is that of `words` on the line.

        `about` is the faction of the forces that the error is about, or "".
        """
        forces = self.forces_meant(words[:LONGEST])
        self.found.append(Finding(self.faction, line.depth, self.error(line, text, words), about, forces))

    def error(self, line: PlainLine, text: str, words: str = "") -> PlacedDiagnostic:
        """Return an error about a line. Its position is that of `words` on the line."""
        column = max(line.text.find(words), 0) + 1
        return PlacedDiagnostic(text, file=self.file, line=line.number, column=column, source=line.text)


def address_error(parser: OrderParser, address: re.Match[str]) -> str:
    """Return the error in the address above orders, or "" if the address is right."""
    campaign, faction = parser.campaign, address["side"].lower()
    battle = (address["battle"] or "").lower()
    word = address_word(campaign)
    if battle not in ("", word):
        return f"the address is for {quoted(battle)}; addresses of this campaign begin with {word}"
    fought = next((each.id for each in campaign.pending if faction in each.keys), "")
    fought = fought or battle_of_force(campaign, parser.forces(parser.faction), faction)
    if faction not in campaign.factions and (fought or faction in campaign.forces):
        return answer_error(campaign, fought or "ID")
    if faction not in campaign.factions:
        hint = nearest(faction, campaign.factions) or f"; write one of {', '.join(campaign.factions)}"
        return f"faction {quoted(faction)} is not in this campaign{hint}"
    if parser.faction not in ("", faction):
        return f"these are orders of {faction}, not of {parser.faction}; leave out --for, or this text"
    return turn_error(parser, faction, place_of(address))


def answer_error(campaign: Campaign, battle: str) -> str:
    """Return the error for an answer to a question of a battle, among orders to move."""
    return f"this answers a battle; enter it with: {take_answers(campaign, battle)}"


def take_answers(campaign: Campaign, battle: str) -> str:
    """Return the command that takes answers to the questions of a battle by message."""
    return f"cardbattle orders take {saved_battle(campaign, battle)} FILE"


def saved_battle(campaign: Campaign, battle: str) -> str:
    """Return the path of the file of a battle in progress, as the umpire types it."""
    return typed_path(campaign.folder, f"{battle}{SESSION_ENDING}")


def fought_by(campaign: Campaign, faction: str) -> str:
    """Return the id of the pending battle in which a faction fights, "BATTLE" for several, or ""."""
    battles = [
        battle.id
        for battle in campaign.pending
        if any(campaign.forces[force].faction == faction for side in battle.sides for force in side)
    ]
    return "BATTLE" if len(battles) > 1 else "".join(battles)


def battle_of_force(campaign: Campaign, names: Mapping[str, str], word: str) -> str:
    """Return the id of the pending battle in which the force fights that `word` names, or ""."""
    with suppress(ValueError):
        force = find_named(names, word, "force")
        sides = ((battle.id, [*chain.from_iterable(battle.sides)]) for battle in campaign.pending)
        return next((battle for battle, forces in sides if force in forces), "")
    return ""


def is_battle_answer(text: str) -> bool:
    """Return True if a text answers a question of a battle: standing orders, or numbers of options.

    >>> is_battle_answer("else regular"), is_battle_answer("1; 4"), is_battle_answer("all: hold")
    (True, True, False)
    """
    return is_order_line(text) or NUMBERS.fullmatch(text) is not None


def with_faction_key(campaign: Campaign, text: str) -> str:
    """Return a line with the key of the faction where its address has the faction's name.

    Raises ValueError if the name can mean several factions. A line without such an address is returned
    unchanged.

    """
    address = NAMED_ADDRESS.match(text)
    if address is None or address["name"].lower() in campaign.factions:
        return text
    names = {key: str(campaign.faction_name(key)) for key in campaign.factions}
    try:
        key = find_named(names, address["name"], "faction")
    except ValueError as error:
        if is_ambiguous(error):
            raise
        return text
    return f"{text[: address.start('name')]}{key}{text[address.end('name') :]}"


def last_address(campaign: Campaign, text: str) -> re.Match[str] | None:
    """Return the address of a faction behind a sentence, such as `Sorry! york@3:`, or None."""
    *_, last = [None, *ADDRESS.finditer(text[:LONGEST])]
    if last is None or last["side"].lower() not in campaign.factions:
        return None
    is_at_end = not text[last.end() :].strip(MARKUP + ENDING)
    return last if is_at_end or text[: last.start()].rstrip().endswith(SENTENCE_ENDS) else None


def loose_address(campaign: Campaign, text: str) -> str:
    """Return the address that a player has written in another form, or "" for other text.

    Forms are a whole line such as `The Abbey, 2:`, and the end of a sentence such as `Orders for york@3`. The
    name of a force or of the campaign does not begin an address.
    """
    if len(text) > LONGEST or ADDRESS.match(text):
        return ""
    whole = LOOSE_ADDRESS.fullmatch(text)
    faction = whole_faction_name(campaign, whole["name"]) if whole else ""
    if whole and not faction and re.search(r"\bturn\b", text, re.IGNORECASE):
        faction = part_of_faction_name(campaign, whole["name"])
    if whole and faction:
        return f"{faction}@{whole['place']}:"
    last = LAST_ADDRESS.search(text)
    words = last["words"].split() if last else []
    for count in range(min(len(words), LONGEST_NAME), 0, -1):
        word, slash, name = " ".join(words[-count:]).rpartition("/")
        faction = whole_faction_name(campaign, name)
        if last and faction and (not slash or word.strip().lower() == address_word(campaign)):
            return f"{faction}@{last['place']}:"
    return ""


def whole_faction_name(campaign: Campaign, name: str) -> str:
    """Return the faction with this key or whole name, or "" if a force or the campaign has the name too."""
    names = {key: str(campaign.faction_name(key)) for key in campaign.factions}
    others = [campaign.name, *campaign.forces, *(str(campaign.display_name(key)) for key in campaign.forces)]
    if any(is_alike_without_article(other, name) for other in others):
        return ""
    matches = [key for key in names if name.lower() == key or is_alike_without_article(names[key], name)]
    return matches[0] if len(matches) == 1 else ""


def part_of_faction_name(campaign: Campaign, words: str) -> str:
    """Return the only faction with these words in its name, or "" if a force or a place can be meant too."""
    names = {key: str(campaign.faction_name(key)) for key in campaign.factions}
    others = [*campaign.forces, *(str(campaign.display_name(key)) for key in campaign.forces)]
    if any(is_alike_without_article(other, words) for other in others):
        return ""
    matches = [key for key, name in names.items() if is_part(words, f"{key} {name}")]
    return matches[0] if len(matches) == 1 else ""


def turn_error(parser: OrderParser, faction: str, turn: int) -> str:
    """Return an error if the orders are for another turn, or "" if they are not.

    After the movement of a turn, only orders for the next turn are accepted. The orders of this turn were
    carried out, so a message that is read a second time must not become an order of the next turn.
    """
    now = parser.campaign.turn
    if parser.has_moved and turn == now:
        if any(parser.campaign.forces[force].faction == faction for force in parser.retreats):
            return ""
        address = f"{faction}@{now + 1}"
        return f"the forces of turn {now} have moved; for orders of turn {now + 1}, write {address}"
    if turn == now + parser.has_moved:
        return ""
    return f"these are orders for turn {turn}; the address for this turn is {faction}@{now}"


def opened_orders(parser: OrderParser, faction: str, text: str) -> Orders:
    """Return the orders in the text that a faction has opened."""
    reader = MessageReader(parser, "")
    reader.faction, reader.is_below_address = faction, True
    reader.read_parts(PlainLine(0, text), text)
    reader.read_orders_for_rest()
    return reader.orders()


def given_by_hand(parser: OrderParser, name: str, text: str) -> list[GivenOrder]:
    """Return the orders that the umpire has typed for a force or a faction.

    The order for a faction goes to all of its forces that have no order. A beaten force can get its retreat.
    Raises InvalidInput if the name or the order is not valid.
    """
    campaign = parser.campaign
    try:
        faction = faction_given(parser, name)
        if faction:
            forces = [force for force in parser.movable(faction) if force not in campaign.orders]
            return [GivenOrder(force, parser.order(force, text)) for force in forces]
        key = find_force(parser.forces(""), name)
        if key not in parser.movable(""):
            how = f"cardbattle campaign move {key} PLACE"
            raise ValueError(f"{parser.forces('')[key]} is not on the map; place it with: {how}")
        is_retreat = key in parser.retreats and RETREATING.match(text)
        return [GivenOrder(key, parser.retreat(key, text) if is_retreat else parser.order(key, text))]
    except ValueError as error:
        raise InvalidInput(str(error)) from None


def faction_given(parser: OrderParser, name: str) -> str:
    """Return the faction that the umpire has typed, by key or name, or "" if the words name a force.

    The key of a faction comes before the name of a force, and a force before the name of a faction.
    """
    factions, forces = parser.factions(), parser.forces("")
    if name.lower() in forces or name.lower() in factions:
        return "" if name.lower() in forces else name.lower()
    with suppress(ValueError):
        find_named(forces, name, "force")
        return ""
    with suppress(ValueError):
        return find_named(factions, name, "faction")
    return ""


def conflicting(orders: Sequence[GivenOrder]) -> Iterator[Diagnostic]:
    """Yield an error for each force that has different orders in several messages."""
    first: dict[tuple[str, bool], GivenOrder] = {}
    for order in orders:
        earlier = first.setdefault(order.slot, order)
        if earlier.order != order.order:
            text = f"{order.force} has another order in {earlier.file}, line {earlier.line}; take one of them"
            yield PlacedDiagnostic(text, file=order.file, line=order.line)

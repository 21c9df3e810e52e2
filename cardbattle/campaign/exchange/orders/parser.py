"""Parse the order of one force, such as `march to York, avoid battle`.

The order is in plain language and uses names or keys.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise, starmap
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import ENDING, MARKUP
from cardbattle.campaign.exchange.orders.names import (
    SMALL,
    distinct_words,
    find_force,
    find_named,
    is_ambiguous,
    with_bracket,
)
from cardbattle.campaign.exchange.orders.remarks import REASON, is_only_remark, split_remark
from cardbattle.campaign.exchange.orders.words import (
    ALSO,
    AT_PLACE,
    ATTACKING,
    AVOID,
    BEGINS_IN_ANY_FORM,
    BEHIND_HOLDING,
    COMMON_WORDS,
    CONDITION,
    FIGHTING,
    FLEEING,
    GAP,
    GOAL,
    HELPING,
    HIRING,
    HOLD_BEGINS,
    HOLDING,
    HOLDING_AND,
    HOLDING_GOAL,
    HOLDING_IT,
    HOLDING_PLACE,
    HOLDING_TWICE,
    HOME,
    JOINING,
    MARCHING,
    REFUSING,
    RETREATING,
    STAYING,
    TAKING,
    TO_THE_LAST,
    UNTIL,
    VERB,
    VERB_FORMS,
    VIA,
    hired_number,
    is_misspelt_verb,
    misspelt_verb,
)
from cardbattle.campaign.ledger.roster import WORD, is_alike, is_alike_without_article, is_part
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.aftermath import SURRENDERS
from cardbattle.campaign.state.tables.march_orders import HIRE, HOLD, JOIN, MARCH, PATH, RETREAT, MarchOrder
from cardbattle.campaign.state.tables.roads import RoadLength, Roads
from cardbattle.campaign.visibility.reader import allies_in_sight
from cardbattle.core.grammar import mid_sentence, with_verb
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.core.telling import counted
from cardbattle.story.naming import titles

OWNER = re.compile(r"\w+(?:['\u2019]s|s['\u2019])\s+(?=\w)")  # in "Hanna's Rifles"
ARROWS = re.compile(r"\s*(?:-+>|=+>|[\u2192\u2794\u279c])\s*")
LAST_ARROW = re.compile(rf"{ARROWS.pattern}$")
STOPS = re.compile(r"\s*,\s*(?:and\s+|then\s+)?|\s+(?:and|then)\s+", re.IGNORECASE)
ONWARD = r"(?:(?:on|further|from\s+there)\s+)*"
LISTING = re.compile(
    rf"\s*,\s*(?:and\s+)?(?:then\s+)?{ONWARD}|\s+(?:and\s+then|and|then)\s+{ONWARD}|\s*[/&]\s*",
    re.IGNORECASE,
)  # between the places of a list
AND = re.compile(r"(?<!\s),?\s+and\s+", re.IGNORECASE)
LEADING_SIGNS = re.compile(r"^[\s,;.&+]*(?:(?:and|then)\s+)*", re.IGNORECASE)
LONGEST_REMARKED = 300  # characters of an order to hold before a remark without a comma
LONGEST_ROUTE = 120  # characters of a route in an error
VERBS = re.compile(
    r"\b(hold|holds|stay|stays|halt|defends?|march|marches|move|moves|join|joins|follow|follows)\b|->|=>|\u2192",
    re.IGNORECASE,
)
PLEASE = re.compile(rf"^(?:please|pls|plz)[\s,]+|{GAP}+(?:please|pls|plz)$", re.IGNORECASE)
CLOSED_RETREAT = re.compile(rf"it cannot retreat to ([\w-]+), which is closed; write ([\w-]+): {RETREAT}")
LONGEST_PLACE = 8  # words of the name of a place before other text
NEAR_PLACE = 0.75  # how similar a misspelt place must be, for difflib
WITHDRAWING = '; ", avoid battle" behind it lets the force withdraw from enemies'
UNCONDITIONAL = "an order cannot have a condition; write one order"
ASK_FOR_BATTLE = "only the umpire can add a battle there"
MARCH_TO = '"march to PLACE"'
FORMS = f'"hold", {MARCH_TO}, "PLACE -> PLACE" or "join FORCE"'
DIVIDING = re.compile(r"[^\w\s'\u2019.-]|\b(?:then|via|by|through)\b", re.IGNORECASE)  # between places
MOST_NAMED = 3  # own forces that an error suggests


MOVING_ORDER, RETREAT_ORDER, HIRING_ORDER = KINDS_OF_ORDER = ("order", "retreat", "hiring order")

PastChanges = Callable[[str], Iterable[Change]]


class GivenOrder(NamedTuple):
    """The order of one force in a message, and its position in the message.

    `has_turn` is True if an address above the order names the turn. `remark` is the text behind it that was
    not read, or "". `source` is the text of the line.
    """

    force: str
    order: MarchOrder
    file: str = ""
    line: int = 0
    has_turn: bool = False
    remark: str = ""
    source: str = ""

    @property
    def slot(self) -> tuple[str, str]:
        """The force and the kind of its order. A force can have one of each kind."""
        return self.force, self.kind

    @property
    def kind(self) -> str:
        """One of `KINDS_OF_ORDER`, for errors."""
        if not self.order.verb:
            return HIRING_ORDER
        return RETREAT_ORDER if self.order.verb == RETREAT else MOVING_ORDER


class UnreadOrder(ValueError):
    """An order in none of the known forms."""


class WrongHiring(ValueError):
    """An order to hire soldiers that is refused. The error says what to write."""


class TooManyHired(WrongHiring):
    """An order to hire more soldiers than a force can hire in a turn."""


class UnreadRoute(ValueError):
    """An order with several places that are separated by commas. The error says what to write."""


def is_specific(error: ValueError) -> bool:
    """Return True if an error explains what is wrong with a well-formed order."""
    text = str(error)
    return not text.startswith(("unknown ", "cannot ")) or "did you mean" in text


class RetreatChoice(NamedTuple):
    """The places to which a beaten force can retreat, and the reasons against other places, by place.

    `named` are the places that errors for the player of the force name: those that seem possible to the
    player. Errors for the umpire name `places`. `taken` are places that only the recorded retreats of other
    forces close, which the same messages can change.
    """

    places: Sequence[str]
    refused: Mapping[str, str] = {}
    named: Sequence[str] = ()
    taken: Collection[str] = ()


class OrderParser:
    """Parses the orders of a campaign's forces, or of one faction's forces.

    `has_moved` is True if the forces have moved in this turn. Orders then count for the next turn.
    `retreats` has the beaten forces whose players choose where they retreat, and `forced` those whose players
    have no choice. `is_opened` is True for orders that were sealed, as in `is_only_remark`. `past` returns
    the changes of a force, the last one first. `battle_commands` has the command that adds a battle, by place
    in which enemies stand without one. `is_known_by_mail` is True if the mail address of the sender shows the
    faction.
    """

    def __init__(
        self,
        campaign: Campaign,
        faction: str = "",
        *,
        has_moved: bool = False,
        retreats: Mapping[str, RetreatChoice] | None = None,
        forced: Collection[str] = (),
        is_opened: bool = False,
        past: PastChanges | None = None,
        battle_commands: Mapping[str, str] | None = None,
        is_known_by_mail: bool = False,
    ) -> None:
        self.campaign = campaign
        self.is_known_by_mail = is_known_by_mail
        self.faction = faction
        self.has_moved = has_moved
        self.retreats = retreats or {}
        self.forced = forced
        self.is_opened = is_opened
        self.past = past or (lambda force: ())
        self.battle_commands = battle_commands or {}
        self.places = {key: str(campaign.location_name(key)) for key in campaign.locations}
        self.force_names: dict[str, dict[str, str]] = {}  # by faction, for `forces`

    def forces(self, faction: str) -> dict[str, str]:
        """Return a dict from keys to names for the forces of a faction.

        An empty string means all factions.
        """
        if faction not in self.force_names:
            self.force_names[faction] = {
                key: str(self.campaign.name_of("forces", key))
                for key, force in self.campaign.forces.items()
                if faction in ("", force.faction)
            }
        return self.force_names[faction]

    def factions(self) -> dict[str, str]:
        return {key: str(self.campaign.faction_name(key)) for key in self.campaign.factions}

    def faction_words(self) -> dict[str, set[str]]:
        """Return the words, in lower case, by which players name each faction or its player.

        A player's name can be an everyday word, such as `Will`, which then names nobody.
        """
        everyday = COMMON_WORDS | VERB_FORMS
        return {
            key: distinct_words(key, name)
            | (distinct_words(self.campaign.factions[key].player or "") - everyday)
            for key, name in self.factions().items()
        }

    def is_plain_force(self, force: str) -> bool:
        """Return True if the name of a force, without its key, is enough in a message to its player.

        Orders can then have the name instead of the key, and the name shows which force the key means.
        """
        names = self.forces(self.faction_of(force))
        alike = [key for key, name in names.items() if is_alike(force, name) or is_part(force, name)]
        return alike == [force] and [*names.values()].count(names[force]) == 1

    def is_plain_place(self, place: str) -> bool:
        """Return True if orders can have the name of a place instead of its key."""
        name = self.places[place]
        if DIVIDING.search(name) or AVOID.search(name):
            return False
        with suppress(ValueError):
            return self.place(name) == place
        return False

    def movable(self, faction: str) -> list[str]:
        """Return the forces of a faction that can have orders."""
        forces = self.campaign.forces
        return [key for key in self.forces(faction) if forces[key].location and not forces[key].destroyed]

    def fate_of(self, force: str) -> str:
        """Return why a force can have no order, for its own player."""
        if not self.campaign.forces[force].destroyed:
            return "it is not on the map"
        ends = (change for change in self.past(force) if change.key[2:] == ("destroyed",))
        end = next(ends, None)
        return "the force has surrendered" if end and end.text == SURRENDERS else "the force is destroyed"

    def new_faction(self, force: str, faction: str) -> str:
        """Return the faction to which a force of this faction has gone, or "" if it was never one of them."""
        now = self.faction_of(force)
        changes = (change for change in self.past(force) if change.key[2:] == ("faction",))
        return now if now != faction and any(change.before == faction for change in changes) else ""

    def faction_of(self, force: str) -> str:
        return self.campaign.forces[force].faction

    def force_or_leader(self, names: Mapping[str, str], words: str, faction: str, kind: str = "force") -> str:
        """Return the key of the force in `names` that the words name, or of the faction's with this leader.

        Raises ValueError, as `find_force` does, if no force or several forces match.
        """
        try:
            return find_force(names, words, kind)
        except ValueError as error:
            led = "" if is_ambiguous(error) else self.led_by(words, faction)
            if led in names:
                return led
            raise

    def led_by(self, words: str, faction: str) -> str:
        """Return the only force of a faction that has this leader with it, or "".

        Words of the leader's name are enough, and so is another title before the last one. A verb of an order
        alone is no name.
        """
        spoken = [word for word in WORD.findall(words.casefold()) if word not in SMALL]
        is_name = bool(faction) and not VERB_FORMS.issuperset(spoken)
        led = []
        for key in self.forces(faction) if is_name else ():
            leader = WORD.findall(self.leader_of(key).casefold())
            others = {*spoken}.difference(leader, titles())
            is_titled = leader[-1:] == spoken[-1:] and VERB_FORMS.isdisjoint(leader[-1:])
            is_titled = is_titled and len(others) <= 1 and self.can_be_title(others)
            if leader and (is_titled or {*spoken} <= {*leader}):
                led.append(key)
        return led[0] if len(led) == 1 else ""

    def can_be_title(self, words: Collection[str]) -> bool:
        """Return True if none of these words has another meaning in an order."""
        names = self.forces("").items()
        return (COMMON_WORDS | VERB_FORMS).union(*starmap(distinct_words, names)).isdisjoint(words)

    def leader_of(self, force: str) -> str:
        """Return the name of the leader that a force has with it, or ""."""
        there = self.campaign.forces[force]
        return "" if there.fallen or there.prisoner_of or there.destroyed else there.leader or ""

    def force_words(self, force: str) -> set[str]:
        """Return the words of a force's key, name and leader, without titles such as `Captain`."""
        name = str(self.campaign.name_of("forces", force))
        return distinct_words(force, name) | (distinct_words(self.leader_of(force)) - titles())

    def place(self, word: str) -> str:
        """Return the key of a place.

        Raises ValueError if no place has this name. If the text only begins with one, the error says what to
        leave out.
        """
        try:
            return find_named(self.places, word.strip(), "place")
        except ValueError as error:
            is_unknown = not is_ambiguous(error) and "did you mean" not in str(error)
            advice = self.advice_on_rest(word.split()) if is_unknown else ""
            if not advice:
                raise
            raise ValueError(f"unknown place {quoted(with_bracket(word.strip()))}{advice}") from None

    def advice_on_rest(self, words: Sequence[str]) -> str:
        """Return what to leave out of a text that begins with the name of a place, or ""."""
        for count in range(min(len(words) - 1, LONGEST_PLACE), 0, -1):
            name, remainder = " ".join(words[:count]), " ".join(words[count:])
            is_place = self.is_place(name) or name.casefold() in self.places
            if is_place and WORD.search(words[count - 1]):  # not a sign such as `&`
                return f"; write {quoted(name)} and leave out {quoted(with_bracket(remainder))}"
        return ""

    def order(self, force: str, text: str) -> MarchOrder:
        """Parse a player's order for a force, which is given by its key: to move, to hire soldiers, or both.

        Raises ValueError if the order is not valid.
        """
        move, hiring = self.split_hiring(text)
        if hiring is None:
            return self.order_to_move(force, text)
        if self.hiring_in(move):
            raise WrongHiring("it hires twice; write one number of soldiers")
        order = self.order_to_move(force, move) if move else MarchOrder("")
        return order._replace(hires=self.number_hired(hiring))

    def hiring_in(self, text: str) -> re.Match[str] | None:
        """Return the part of an order that hires soldiers, or None without one or without a price."""
        return HIRING.search(text[:LONGEST_REMARKED]) if self.campaign.recruit else None

    def split_hiring(self, text: str) -> tuple[str, re.Match[str] | None]:
        """Split an order into the part that moves the force and the part that hires soldiers, if any."""
        hiring = self.hiring_in(text)
        if hiring is None:
            return text, None
        move = LEADING_SIGNS.sub("", f"{text[: hiring.start()]}{text[hiring.end() :]}")
        return move.strip(MARKUP + ENDING), hiring

    def number_hired(self, hiring: re.Match[str]) -> int:
        """Return how many soldiers an order hires. Raises WrongHiring for a wrong sum, or too many."""
        assert self.campaign.recruit is not None
        count, cost = hired_number(hiring["number"] or "none"), self.campaign.recruit.cost
        most = self.campaign.recruit.most
        for name, value in hiring.groupdict().items():
            if name.startswith(("sum", "price")) and value and hired_number(value) != count * cost:
                raise WrongHiring(f"{counted(count, 'soldier')} cost {count * cost}; write {HIRE} {count}")
        if most is not None and count > most:
            raise TooManyHired(f"a force can hire at most {most} in a turn; write {HIRE} {most}")
        return count

    def order_to_move(self, force: str, text: str) -> MarchOrder:
        """Parse an order to move. Raises ValueError if it is not valid."""
        given = with_open_arrow(" ".join(text.split())).strip(MARKUP + ENDING)
        words = PLEASE.sub("", given)
        words = words if self.is_place(words) else ALSO.sub("", HELPING.sub("", words, count=1))
        without = AVOID.sub("", words).strip(MARKUP + ENDING)
        bare = without if self.is_place(without) else ALSO.sub("", without)
        bare = TO_THE_LAST.sub("", bare) if without == words else bare
        try:
            order = self.bare_order(force, bare) if bare else MarchOrder(HOLD)
        except ValueError as error:
            march = self.march_and_attack(force, bare) or self.march_and_hold(force, bare)
            if march is None and (route := self.route(force, bare)):
                raise UnreadRoute(f"cannot read {quoted(with_bracket(given))}; write {route}") from None
            if march is None:
                if isinstance(error, UnreadOrder):
                    advice = behind_hold(bare) or f"; write {FORMS}"
                    error = UnreadOrder(f"cannot read {quoted(with_bracket(given))}{advice}")
                raise self.with_verb(force, words, error) from None
            order = march
        return order._replace(avoids=without != words)

    def route(self, force: str, text: str) -> str:
        """Return a text such as `york, then wem` as an order with `via`, or "" if it is no list of places."""
        if HOLDING.match(text) or ARROWS.search(text):
            return ""
        whose = self.faction_of(force)
        pieces = [MARCHING.fullmatch(self.with_plain_verb(piece, whose)) for piece in LISTING.split(text)]
        try:
            places = [self.place(piece["place"]) for piece in pieces if piece]
        except ValueError:
            return ""
        here = self.campaign.forces[force].location
        *stops, goal = places[1:] if places[:1] == [here] and len(places) > 1 else places or [""]
        via = f" via {', '.join(stops)}" if stops else ""
        return quoted(f"march to {goal}{via}", LONGEST_ROUTE) if len(places) > 1 and all(pieces) else ""

    def march_and_attack(self, force: str, text: str) -> MarchOrder | None:
        """Return the order of a text such as `march to York and attack`, or None for another text."""
        goal = GOAL.search(text)
        march = self.with_plain_verb(text[: goal.start()], self.faction_of(force)) if goal else ""
        if not march or HOLDING.match(march):
            return None
        with suppress(ValueError):
            return self.bare_order(force, march)
        return None

    def march_and_hold(self, force: str, text: str) -> MarchOrder | None:
        """Return the order of a text such as `march to Bell Bridge and hold the bridge`, or None.

        The place behind `hold` must be the goal, by its name or by words of its name.
        """
        end = HOLDING_GOAL.search(text)
        if end is None or HOLDING.match(text):
            return None
        with suppress(ValueError):
            order = self.bare_order(force, text[: end.start()])
            is_goal = order.verb in (MARCH, PATH) and self.is_named_by(order.places[-1], end["place"])
            return order if is_goal else None
        return None

    def is_named_by(self, place: str, words: str) -> bool:
        """Return True if words name a place, or no other place and consist of words of its name."""
        with suppress(ValueError):
            return self.place(words) == place
        others = (word for key, name in self.places.items() if key != place for word in [key, name])
        is_other = any(is_alike_without_article(other, words) for other in others)
        return not is_other and is_part(words, place, self.places[place])

    def with_verb(self, force: str, text: str, error: ValueError) -> ValueError:
        """Return an error that suggests the right verb if an order begins with a misspelt verb."""
        corrected = misspelt_verb(text)
        is_near_place = text.casefold().split()[0] in self.place_words or difflib.get_close_matches(
            text.casefold(), self.place_words, 1, NEAR_PLACE
        )
        if not corrected or is_near_place:
            return error
        try:
            self.order(force, corrected)
        except ValueError as other:
            word, verb = text.split()[0], corrected.split()[0]
            is_probable = is_misspelt_verb(word.casefold()) and not isinstance(other, UnreadOrder)
            return ValueError(f"write {quoted(verb)} for {quoted(word)}; {other}") if is_probable else error
        return ValueError(f"cannot read {quoted(with_bracket(text))}; did you mean {quoted(corrected)}?")

    def order_and_remark(self, force: str, text: str) -> tuple[MarchOrder, str]:
        """Parse a player's order for a force, and return it with the remark behind it, or "" without one.

        Raises ValueError if the order is not valid, or if the text behind it can change the order.
        """
        try:
            return self.with_remark(self.order, force, text)
        except ValueError as error:
            if CONDITION.search(str(error)) and UNCONDITIONAL not in str(error):
                raise ValueError(
                    f"cannot read {quoted(with_bracket(text))}; {condition_advice(text)}"
                ) from None
            raise

    def with_remark(
        self, read: Callable[[str, str], MarchOrder], force: str, text: str
    ) -> tuple[MarchOrder, str]:
        """Parse a text with the function `read`, and return the order with the remark behind it.

        Raises ValueError if the text is not valid. The error is about the text without the remark, if that is
        an order that the force cannot carry out, and about the text behind an order if that can change it.
        """
        try:
            return read(force, text), ""
        except ValueError as error:
            refused = error
            if isinstance(error, UnreadRoute | WrongHiring):
                raise
            bare = " ".join(text.split())
            ends = [*split_holding(bare)]
            for order, remark in (*ends, *split_remark(bare)):
                names = self.place_words if is_in_brackets(remark) else self.name_words(force)
                plain = UNTIL.sub("", remark, count=1) if (order, remark) in ends else remark
                is_order = VERBS.search(plain) and not REASON.fullmatch(plain)
                if is_order or not is_only_remark(plain, names, is_opened=self.is_opened):
                    if (order, remark) in ends:
                        continue
                    refused = self.remark_error(read, force, order, remark) or refused
                    break
                try:
                    return read(force, order), remark.strip(MARKUP + ENDING + "-")
                except ValueError as other:
                    refused = other if is_specific(other) else refused
            raise refused from None

    def remark_error(
        self, read: Callable[[str, str], MarchOrder], force: str, order: str, remark: str
    ) -> ValueError | None:
        """Return the error for a text behind an order that can change it, or None if the order is not valid.

        If the order itself has an error of its own, that is the error.
        """
        bare = remark.strip(MARKUP + ENDING + "-\u2013\u2014:?")
        try:
            given = read(force, order)
        except ValueError as error:
            return error if is_specific(error) else None
        is_whole = given.verb == RETREAT or given.avoids
        hint = f"leave it out{WITHDRAWING if FLEEING.search(bare) and not is_whole else ''}"
        hint = condition_advice(bare) if CONDITION.search(bare) else hint
        return ValueError(f"cannot read {quoted(bare)} behind {quoted(order)}; {hint}")

    def retreat(self, force: str, text: str) -> MarchOrder:
        """Parse a player's choice where a beaten force retreats, such as `retreat to Fen Bridge`.

        Raises ValueError if the text names no place to which the force can retreat.
        """
        words = PLEASE.sub("", " ".join(text.split()).strip(MARKUP + ENDING))
        words = words if self.is_place(words) else ALSO.sub("", words)
        plain = self.with_plain_verb(words, self.faction_of(force))
        words = plain if plain.startswith("march to ") else words
        marching = MARCHING.fullmatch(RETREATING.sub("", words, count=1))
        choice = self.retreats[force]
        if marching is None:
            raise ValueError(f"the place is missing; {self.retreat_forms(force)}")
        word = ARROWS.split(marching["place"])[-1].strip()
        try:
            place = self.place(word)
        except ValueError as error:
            text = str(error) if is_ambiguous(error) else self.unknown_retreat(force, word)
            raise ValueError(f"{text}; {self.retreat_forms(force)}") from None
        if place not in (*choice.places, *choice.taken):
            raise ValueError(self.retreat_error(force, place))
        return MarchOrder(RETREAT, (place,))

    def retreat_and_remark(self, force: str, text: str) -> tuple[MarchOrder, str]:
        """Parse where a beaten force retreats, and return it with the remark behind it, or "" without one.

        The remark can also stand behind `and`, as in `fall back to York and wait there for Hamish`: a force
        holds where it has retreated. Raises ValueError as `retreat` does.
        """
        try:
            return self.with_remark(self.retreat, force, text)
        except ValueError:
            for end in AND.finditer(text):
                remark = text[end.end() :]
                if self.is_behind_retreat(force, remark):
                    with suppress(ValueError):
                        return self.retreat(force, text[: end.start()]), remark.strip(MARKUP + ENDING)
            raise

    def is_behind_retreat(self, force: str, text: str) -> bool:
        """Return True if a text behind a retreat lets the force hold there, or cannot change the order."""
        holding = HOLD_BEGINS.match(text)
        remainder = text[holding.end() :] if holding else text
        names = self.place_words if holding else self.name_words(force)
        return not VERBS.search(remainder) and is_only_remark(remainder, names, is_opened=self.is_opened)

    def unknown_retreat(self, force: str, word: str) -> str:
        """Return the error for an unknown place. It suggests only places to which the force can retreat."""
        if not REFUSING.isdisjoint(WORD.findall(word.casefold())):
            return f"cannot read {quoted(with_bracket(word))}; {self.must_leave(force)}"
        choice = self.retreats[force]
        keys = choice.named or choice.places
        hint = nearest(word, [*keys, *(self.places[key] for key in keys)])
        return f"unknown place {quoted(with_bracket(word))}{hint}"

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

    def must_leave(self, force: str) -> str:
        """Return a sentence for a player who refuses to retreat."""
        return f"{force} has lost a battle and must leave {self.campaign.forces[force].location}"

    def retreat_hint(self, force: str, words: Collection[str]) -> str:
        """Return what the player of a beaten force can write instead of a line with these words.

        If the line names only a place to which the force cannot retreat, or refuses to retreat, the text says
        why not.
        """
        choice = self.retreats[force]
        places = dict.fromkeys((*choice.places, *choice.named, *choice.refused))
        named = [place for place in places if not distinct_words(place, self.places[place]).isdisjoint(words)]
        is_closed = len(named) == 1 and named[0] in choice.refused
        forms = self.retreat_error(force, named[0]) if is_closed else self.retreat_forms(force)
        return forms if REFUSING.isdisjoint(words) else f"{self.must_leave(force)}; {forms}"

    def example(self, faction: str, *, is_retreat: bool = False) -> str:
        """Return what a player can write: the retreat of a beaten force, or an order for a force.

        A force without an order is preferred.
        If `faction` is "", the example is for any faction. With `is_retreat`, the player means a retreat,
        which can also replace the chosen one.
        """
        beaten = [key for key in self.retreats if faction in ("", self.faction_of(key))]
        left = beaten if is_retreat else self.without_retreat(faction)
        if left:
            return f"{self.must_leave(left[0])}; {self.retreat_forms(left[0])}"
        movable = self.movable(faction)
        without = [force for force in movable if force not in self.campaign.orders]
        if movable and not without:
            return "each force has an order; to change one, write FORCE: ORDER"
        return f"write FORCE: ORDER{f', such as {without[0]}: {HOLD}' if without else ''}"

    def without_retreat(self, faction: str) -> list[str]:
        """Return the beaten forces of a faction, or of all for "", whose retreat is not chosen yet."""
        forces = self.campaign.forces
        beaten = [key for key in self.retreats if faction in ("", forces[key].faction)]
        return [key for key in beaten if forces[key].retreat not in self.retreats[key].places]

    def slots_asked(self, faction: str) -> set[tuple[str, str]]:
        """Return the `GivenOrder.slot` of each order and retreat that a faction is asked for now.

        After the movement, it is asked for orders only if none of its forces must retreat.
        """
        forces = self.movable(faction)
        beaten = {(force, RETREAT_ORDER) for force in forces if force in self.retreats}
        if beaten and (self.has_moved or self.campaign.movement is None):
            return beaten
        return beaten | {(force, MOVING_ORDER) for force in forces if force not in self.retreats}

    def asked_retreat(self, faction: str, answered: Collection[str] = ()) -> str:
        """Return the answers that a player can write where a beaten force retreats, or "" without a question.

        The forces in `answered` have an answer. Players often name another force instead.
        """
        left = [force for force in self.without_retreat(faction) if force not in answered]
        return f"to answer where {left[0]} must retreat, {self.retreat_forms(left[0])}" if left else ""

    @cached_property
    def place_words(self) -> set[str]:
        return set().union(*(distinct_words(key, name) for key, name in self.places.items()))

    def name_words(self, force: str) -> set[str]:
        """Return the words of the names and keys of all places, and of the forces of a force's faction.

        An order names no enemies, so that a remark can. Leaders count except in orders that were sealed.
        """
        own = self.forces(self.faction_of(force))
        words = map(distinct_words, own, own.values()) if self.is_opened else map(self.force_words, own)
        return self.place_words.union(*words)

    def bare_order(self, force: str, text: str) -> MarchOrder:
        """Parse an order without the words `avoid battle`. Raises ValueError if it is not valid."""
        text = text if self.is_place(text) else HOLDING_TWICE.sub("", text, count=1)
        text = self.with_plain_verb(text, self.faction_of(force))
        holding = HOLDING.fullmatch(text if self.is_place(text) else HOLDING_IT.sub("", text, count=1))
        if holding:
            return self.hold(force, holding["place"] or "", text)
        guarding = HOLDING_PLACE.fullmatch(text) if not self.is_place(text) else None
        if guarding:
            return self.hold(force, guarding["place"], text)
        joining = JOINING.fullmatch(text)
        if joining:
            return self.join(force, joining["force"])
        *_, last = stops = ARROWS.split(VERB.sub("", text, count=1))
        if not last and not self.is_opened:
            raise ValueError("the path ends with an arrow; write the place behind it")
        stops = [word for word in stops if word]
        if ARROWS.search(text) and not (len(stops) == 1 and VIA.search(text)):
            return self.path(force, [self.place(word) for word in stops])
        text = ARROWS.sub("to ", text)  # in `-> york via wem`
        marching = MARCHING.fullmatch(text) if not self.is_place(text) else None
        if marching is None:
            return self.march(force, self.place(text))
        goal, *stops = VIA.split(marching["place"])
        if stops:
            return self.march_via(
                force, self.place(goal), [self.place(word) for word in STOPS.split(stops[0])]
            )
        return self.march(force, self.goal(force, goal, text))

    def with_plain_verb(self, text: str, faction: str) -> str:
        """Return an order such as `sit tight` or `take York` as `hold` or `march to York`, or the same text.

        These verbs have other meanings too, as in `take care`. So what follows must name a place.
        """
        staying, taking = STAYING.fullmatch(text), TAKING.fullmatch(text)
        if not (staying or taking) or self.names_place(text, faction):
            return text
        at = (staying["at"] or staying["place"] or "") if staying else ""
        if staying and (not at or self.names_place(at, faction)):
            return f"hold {at}".strip()
        goal = VIA.split(taking["place"])[0] if taking else ""
        is_march = self.names_place(goal, faction) or (goal and self.is_misspelt_place(goal))
        return f"march to {taking['place']}" if taking and is_march else text

    def names_place(self, text: str, faction: str) -> bool:
        """Return True if a text names a place rather than a force of this faction."""
        if self.is_place(text) or text.lower() in self.places:
            return True
        with suppress(ValueError):
            return not find_force(self.forces(faction), text)
        with suppress(ValueError):
            return bool(self.place(text))
        return False

    def is_misspelt_place(self, text: str) -> bool:
        try:
            return not self.place(text)
        except ValueError as error:
            return "did you mean" in str(error)

    def home_error(self, force: str) -> str:
        """Return the error for `go home`. It suggests a supply place of the faction, or another own place."""
        places = self.campaign.locations
        own = [key for key, place in places.items() if place.owner == self.faction_of(force)]
        home = next((key for key in own if places[key].supply), next(iter(own), "PLACE"))
        return f'"home" names no place of the map; write the place, such as "march to {home}"'

    def is_place(self, text: str) -> bool:
        """Return True if a text without a verb is the whole name of a place, such as `Fall River`."""
        return any(is_alike_without_article(name, text) for name in self.places.values())

    def hold(self, force: str, place: str, text: str) -> MarchOrder:
        """Return the order to hold. Raises ValueError if the force is not in the named place."""
        there = self.campaign.forces[force]
        goal = self.goal(force, place, text) if place else there.location
        if place and goal and (goal != there.location or there.towards):
            raise ValueError(
                f'the force is not at {self.places[goal]}; write "hold" to stay where it '
                f'is, or "march to {goal}", where it then holds'
            )
        return MarchOrder(HOLD)

    def goal(self, force: str, word: str, text: str) -> str:
        """Return the key of the destination.

        Raises ValueError for an unknown place: UnreadOrder if no place has a similar name.
        """
        try:
            return self.place(word)
        except ValueError as error:
            if HOME.fullmatch(word):
                raise ValueError(self.home_error(force)) from None
            if at := self.place_of_enemy(force, word, is_attack=FIGHTING.search(text) is not None):
                raise ValueError(at) from None
            is_other = (
                is_ambiguous(error) or "did you mean" in str(error) or self.advice_on_rest(word.split())
            )
            if ATTACKING.match(text) and not is_other:
                raise ValueError(self.attack_error(force, word)) from None
            is_march = BEGINS_IN_ANY_FORM.match(text) and not HOLDING.match(text)
            if is_march or "did you mean" in str(error):
                raise
            raise UnreadOrder from None

    def place_of_enemy(self, force: str, text: str, *, is_attack: bool) -> str:
        """Return the error for a text that ends with a place, such as `the Pikes at York`, or ""."""
        *before, name = AT_PLACE.split(text)
        with suppress(ValueError):
            place = self.place(name) if before else ""
            if place == self.campaign.forces[force].location and (already := self.already_at(force)):
                return already if is_attack else ""
            return f'cannot read {quoted(with_bracket(text))}; write "march to {place}"' if place else ""
        return ""

    def attack_error(self, force: str, word: str) -> str:
        """Return the error for an attack on something that is no place, such as `attack the Pikes`.

        The text is the same wherever enemies are, because the player may not see them.
        """
        here = f"; {already}" if (already := self.already_at(force)) else ""
        return f"{quoted(with_bracket(word))} is no place; to attack in another place, write {MARCH_TO}{here}"

    def already_at(self, force: str) -> str:
        """Return the error for an attack in the place of the force, or "" for a force between two places."""
        there = self.campaign.forces[force]
        if there.towards or not there.location:
            return ""
        return f"the force is at {self.places[there.location]} already; {ASK_FOR_BATTLE}"

    def battle_hint(self, force: str) -> str:
        """Return the command by which the umpire lets a force fight the enemies in its place, or ""."""
        there = self.campaign.forces.get(force)
        command = self.battle_commands.get(there.location or "", "") if there else ""
        return f"; to add it, write: {command}" if command else ""

    def join(self, force: str, word: str) -> MarchOrder:
        """Return the order to join another force of the same faction, or an ally's force that it sees.

        Raises ValueError if the other force cannot be joined. The error must not show where allies are.
        """
        faction = self.faction_of(force)
        others = {key: name for key, name in self.forces(faction).items() if key != force}
        on_map = {key: others[key] for key in self.movable(faction) if key in others}
        forms = listed([*(quoted(f"{JOIN} {other}") for other in [*on_map][:MOST_NAMED]), MARCH_TO], "or")
        try:
            return MarchOrder(JOIN, (self.force_or_leader(on_map, word, faction),))
        except ValueError as error:
            if lost := self.only_named(others, word):
                raise ValueError(
                    f"{with_verb(others[lost], 'is|are')} not on the map; write {forms}"
                ) from None
            if ally := self.ally_named(word, faction):
                return MarchOrder(JOIN, (ally,))
            if is_ambiguous(error) or "did you mean" in str(error):
                raise
            whose = str(mid_sentence(self.campaign.faction_name(faction)))
            whose += ", nor of an ally in sight" if self.campaign.friends_of(faction) else ""
            raise ValueError(
                f"{quoted(with_bracket(word))} is no other force of {whose}; write {forms}"
            ) from None

    def only_named(self, names: Mapping[str, str], words: str) -> str:
        """Return the key of the only force in `names` that the words name, or ""."""
        with suppress(ValueError):
            return find_force(names, words)
        return ""

    def ally_named(self, words: str, faction: str) -> str:
        """Return the only force of an ally in sight of a faction that these words name, or ""."""
        allies = allies_in_sight(self.campaign, faction)
        names = {key: name for key, name in self.forces("").items() if key in allies}
        return self.only_named(names, words) or self.only_named(names, OWNER.sub("", words, count=1))

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

        Raises ValueError if no such path exists.
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


def behind_hold(text: str) -> str:
    """Return what to leave out of a text such as `hold and defend the walls`, or "" for another text."""
    begin = HOLDING_AND.match(text)
    return f"; write {quoted(begin[0])} and leave out {quoted(text[begin.end() :].strip())}" if begin else ""


def condition_advice(text: str) -> str:
    """Return the advice for an order with a condition. A force that runs away can avoid battle instead."""
    return f"{UNCONDITIONAL}{WITHDRAWING if FLEEING.search(text) else ''}"


def with_open_arrow(text: str) -> str:
    """Return a text whose last arrow has no place behind it with another arrow, which markup does not have.

    >>> with_open_arrow("mill -> bridge ->"), with_open_arrow("mill -> bridge")
    ('mill -> bridge \u2192', 'mill -> bridge')
    """
    return LAST_ARROW.sub(" \u2192", text, count=1)


def split_holding(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to split a text into an order to hold and a text behind it that can be a remark.

    The shortest remark comes first. The order counts for one turn, so that `until` does not change it. A text
    with a verb of an order can change it, and so can a second clause behind `until`.

    >>> [*split_holding("hold here till the fleet is in")], [*split_holding("hold until noon, slip away")]
    ([('hold here', 'till the fleet is in')], [])
    >>> [*split_holding("defend York to the last man")], [*split_holding("hold and then march to York")]
    ([('defend York', 'to the last man')], [])
    """
    bare = HELPING.sub("", PLEASE.sub("", text), count=1)
    is_holding = HOLDING.match(bare) or STAYING.match(bare)
    for end in reversed([*BEHIND_HOLDING.finditer(text[:LONGEST_REMARKED])] if is_holding else ()):
        order, remark = text[: end.start()].rstrip(" ,"), text[end.end() :]
        is_one_clause = not UNTIL.search(remark) or STOPS.search(PLEASE.sub("", remark)) is None
        is_order = not VERB_FORMS.isdisjoint(WORD.findall(remark.casefold())) or "(" in order
        if is_one_clause and not is_order:
            yield order, remark


def is_in_brackets(remark: str) -> bool:
    """Return True if a text behind an order is in brackets and has no verb of an order.

    Such a remark can name own forces, which `Findings` checks.

    >>> is_in_brackets("(behind the guard)"), is_in_brackets("(guard attacks)"), is_in_brackets("guard")
    (True, False, False)
    """
    is_bracket = remark.startswith("(") and ")" not in remark[:-1]
    return is_bracket and VERB_FORMS.isdisjoint(WORD.findall(remark.casefold()))

"""One force's order to move in the form of the campaign file, which uses keys instead of names.

The forms are `hold`, `march to lichfield`, `chester -> wem -> lichfield` and `join percy`. If the force must
not fight, `, avoid battle` follows, and `, hire 3` if it is to hire soldiers after the movement. `hire 3`
alone changes no order to move. `campaign/exchange/orders/` reads the orders that players write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cardbattle.campaign.state.fields import KEY_PATTERN
from cardbattle.core.names import quoted

HOLD, MARCH, PATH, JOIN = "hold", "march to", "->", "join"
RETREAT = (
    "retreat to"  # the choice of a beaten force's player, which the file stores as the force's `retreat`
)
AVOID = ", avoid battle"
HIRE = "hire"
ARROW = " -> "
AVOIDED, CORNERED, CROWDED = "avoided", "cornered", "crowded"  # avoided: in older ledgers only
STOPPED, WITHDREW = "stopped", "withdrew"  # to avoid battle
WEATHER, SLOWED = "weather", "slowed"  # no step in this weather; fewer steps, so that it did not arrive
APART = "apart"  # it went on without the force to join, which stopped to avoid battle
IMPOSSIBLE, STANDS_BY, ENGAGED = "impossible", "stands-by", "engaged"  # engaged: the enemies that it met
IN_BATTLE, NO_ROAD, OFF_PATH, IN_CIRCLE, NOT_THERE = (
    "in-battle",
    "no-road",
    "off-path",
    "in-circle",
    "not-there",
)
UNSEEN = "unseen"  # the force to join is of another faction, and not an ally in sight
UNFIT = (
    IMPOSSIBLE,
    IN_BATTLE,
    NO_ROAD,
    OFF_PATH,
    IN_CIRCLE,
    NOT_THERE,
    UNSEEN,
)  # older ledgers have only the first
FAILURES = (
    AVOIDED, STOPPED, WITHDREW, CORNERED, CROWDED, WEATHER, SLOWED, APART, STANDS_BY, ENGAGED, *UNFIT
)  # of an order  # fmt: skip
CLOSED = "closed "  # before the places that were refused as a retreat, in the text of a change
BY = "by "  # before the place where the road began by which a force came to a battle
KEY = re.compile(KEY_PATTERN)
HIRED = re.compile(rf"(?:^|, ){HIRE} ([0-9]{{1,4}})$")
K = "[a-z0-9_-]+"  # the key of a place or force
AVOIDANCE = re.compile(
    f"(?P<failure>{STOPPED}|{WITHDREW})(?: from (?P<origin>{K}))?(?: to (?P<end>{K}))?"
    f"(?: before (?P<enemies>{K}(?: {K})*))?"
)
FORMS = 'hold, "march to PLACE", "PLACE -> PLACE", "join FORCE" or "hire 3", and behind it ", avoid battle"'


class MarchOrder(NamedTuple):
    """The order of a force for a turn.

    Attributes:
        verb: HOLD, MARCH, PATH or JOIN, or "" for an order only to hire.
        keys: the destination, or all places of the path, or the force to join.
        avoids: True if the force withdraws from battles whenever possible.
        hires: how many soldiers the force is to hire, or None if the order does not say so.

    """

    verb: str
    keys: tuple[str, ...] = ()
    avoids: bool = False
    hires: int | None = None

    def __str__(self) -> str:
        return self.named(str, str)

    def named(self, place_name: Callable[[str], str], force_name: Callable[[str], str]) -> str:
        """Return the order for people, with names instead of keys.

        >>> MarchOrder(MARCH, ("wem",)).named(str.capitalize, str)
        'march to Wem'
        """
        names = map(force_name if self.verb == JOIN else place_name, self.keys)
        text = ARROW.join(names) if self.verb == PATH else " ".join([self.verb, *names])
        hiring = [] if self.hires is None else [f"{HIRE} {self.hires}"]
        return ", ".join([*filter(None, [text + AVOID * self.avoids]), *hiring])

    def parts(self) -> list[MarchOrder]:
        """Return the order to move and the order to hire, or the only one of them.

        >>> [str(part) for part in parse_order("hold, hire 3").parts()]
        ['hold', 'hire 3']
        """
        hiring = [] if self.hires is None else [MarchOrder("", hires=self.hires)]
        return [*([self._replace(hires=None)] if self.verb else []), *hiring]

    @property
    def places(self) -> tuple[str, ...]:
        return self.keys if self.verb in (MARCH, PATH) else ()

    @property
    def joined(self) -> str:
        """The force to join, or "" if the order is not to join a force."""
        return self.keys[0] if self.verb == JOIN else ""

    def renamed(self, table: str, old: str, new: str) -> MarchOrder:
        """Return the order after the key of a place or force has changed."""
        is_about = self.places if table == "locations" else self.joined if table == "forces" else ()
        return (
            self._replace(keys=tuple(new if key == old else key for key in self.keys)) if is_about else self
        )


def parse_order(text: str) -> MarchOrder:
    """Parse an order in the form of the campaign file.

    Raises ValueError, which lists the possible forms, if the text is not an order.

    >>> parse_order("march to lichfield, avoid battle")
    MarchOrder(verb='march to', keys=('lichfield',), avoids=True, hires=None)
    >>> str(parse_order("chester  ->  wem")), str(parse_order("hold,  hire 3")), parse_order("hire 3").verb
    ('chester -> wem', 'hold, hire 3', '')
    """
    order_text = " ".join(text.split())
    if hired := HIRED.search(order_text):
        bare = order_text[: hired.start()]
        return (parse_order(bare) if bare else MarchOrder(""))._replace(hires=int(hired[1]))
    bare = order_text.removesuffix(AVOID)
    avoids = bare != order_text
    if bare == HOLD:
        return MarchOrder(HOLD, (), avoids)
    for verb in (MARCH, JOIN):
        if bare.startswith(f"{verb} ") and is_keys([bare.removeprefix(f"{verb} ")]):
            return MarchOrder(verb, (bare.removeprefix(f"{verb} "),), avoids)
    path = tuple(bare.split(ARROW))
    if len(path) > 1 and is_keys(path):
        return MarchOrder(PATH, path, avoids)
    raise ValueError(f"expected {FORMS}, got {quoted(text)}")


def has_part(text: str | None, part: MarchOrder) -> bool:
    """Return True if the text of an order has this order to move or to hire.

    >>> [has_part("hold, hire 3", parse_order(text)) for text in ("hire 3", "hold", "hire 2")]
    [True, True, False]
    """
    return text is not None and part in parse_order(text).parts()


def with_part(text: str | None, part: MarchOrder) -> str:
    """Return the text of an order with this order to move or to hire, which replaces an earlier one.

    >>> with_part("hold, hire 3", parse_order("march to wem")), with_part("hire 3", parse_order("hire 2"))
    ('march to wem, hire 3', 'hire 2')
    """
    order = parse_order(text) if text else MarchOrder("")
    return str(part._replace(hires=order.hires) if part.verb else order._replace(hires=part.hires))


def is_keys(words: Iterable[str]) -> bool:
    return all(KEY.fullmatch(word) for word in words)


class Avoidance(NamedTuple):
    """How a force avoided battle, in the text of the change of its order.

    Attributes:
        failure: STOPPED or WITHDREW.
        origin: the place from which the force withdrew, or "" if it was on a road.
        end: the place where it stopped or to which it withdrew, or "" if it stopped on a road.
        enemies: the forces that it avoided.

    """

    failure: str
    origin: str = ""
    end: str = ""
    enemies: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = (("from", self.origin), ("to", self.end), ("before", " ".join(self.enemies)))
        return " ".join([self.failure, *(f"{word} {keys}" for word, keys in parts if keys)])


def note_of(failure: str, place: str) -> str:
    """Return the text of a change of a force's position or order, from which the functions below read.

    >>> note_of(CROWDED, "wem"), note_of("", "wem"), note_of(CROWDED, "")
    ('crowded, by wem', 'by wem', 'crowded')
    """
    return ", ".join(part for part in (failure, place and f"{BY}{place}") if part)


def can_have_failure(key: Sequence[str]) -> bool:
    """Return True if the change of this key can say why a force did not carry out its order.

    It is the key of a force's order, or of its march of an earlier turn.
    """
    return key[0] == "orders" or (key[0] == "forces" and (*key[2:],) == ("march",))


def failure_in(text: str) -> str:
    """Return why a force did not carry out its order, one of `FAILURES`, or ""."""
    if avoidance := avoidance_in(text):
        return avoidance.failure
    failure = text.partition(",")[0]
    return failure if failure in FAILURES else ""


def avoidance_in(text: str) -> Avoidance | None:
    """Return how a force avoided battle, or None for another text.

    >>> avoidance_in("withdrew from wem to york before percy, by wem")
    Avoidance(failure='withdrew', origin='wem', end='york', enemies=('percy',))
    """
    match = AVOIDANCE.fullmatch(text.partition(",")[0])
    if match is None:
        return None
    failure, origin, end, enemies = (
        part or "" for part in match.group("failure", "origin", "end", "enemies")
    )
    return Avoidance(failure, origin, end, tuple(enemies.split()))


def without_enemies(text: str) -> str:
    """Return the text of the change of an order without the enemies that a force avoided.

    >>> without_enemies("stopped to wem before percy, by wem"), without_enemies("crowded")
    ('stopped to wem, by wem', 'crowded')
    """
    avoidance = avoidance_in(text)
    return note_of(str(avoidance._replace(enemies=())), last_place_in(text)) if avoidance else text


def last_place_in(text: str) -> str:
    """Return the place where the road began by which a force came to a battle, or "" if it is not noted."""
    failure, place = text.partition(",")[0], text.rpartition(BY)[2]
    head = failure if failure_in(failure) else ""
    return place if is_keys([place]) and text == note_of(head, place) else ""


def closed_note(places: Iterable[str]) -> str:
    """Return the text of a change that notes places to which a beaten force could not retreat.

    >>> closed_note(["wem", "york"]), closed_places_in("closed wem york"), closed_places_in("by wem")
    ('closed wem york', ['wem', 'york'], [])
    """
    return CLOSED + " ".join(places)


def closed_places_in(text: str) -> list[str]:
    """Return the places that a text of `closed_note` names, or nothing for another text."""
    return text.removeprefix(CLOSED).split() if text.startswith(CLOSED) else []


def rename_in_note(text: str, table: str, old: str, new: str) -> str:
    """Return a text of `note_of` or `closed_note` after the key of a place or force has changed."""
    if table == "locations" and (closed := closed_places_in(text)):
        return closed_note(new if place == old else place for place in closed)
    places = [old, new] if table == "locations" else []
    forces = [old, new] if table == "forces" else []
    head, last = text.partition(",")[0], last_place_in(text)
    avoidance = avoidance_in(text)
    if avoidance is not None:
        failure, origin, end, enemies = avoidance
        named = Avoidance(
            failure,
            renamed(origin, places),
            renamed(end, places),
            tuple(renamed(key, forces) for key in enemies),
        )
        return note_of(str(named), renamed(last, places))
    return note_of(failure_in(head), renamed(last, places)) if last else text


def renamed(key: str, names: Sequence[str]) -> str:
    """Return the new key if `names` are this key and a new one."""
    return names[1] if key in names[:1] else key


def read_order(value: object) -> str:
    """Return a valid order. Raises ValueError for any other value."""
    if not isinstance(value, str):
        raise ValueError(f"expected {FORMS}, in quotes, got {quoted(value)}")
    return str(parse_order(value))


def rename_in_order(text: str, table: str, old: str, new: str) -> str:
    """Return the text of an order after the key of a place or force has changed.

    >>> rename_in_order("march to  hold, avoid battle", "locations", "hold", "keep")
    'march to keep, avoid battle'
    """
    try:
        order = parse_order(text)
    except ValueError:
        return text
    renamed = order.renamed(table, old, new)
    return text if renamed == order else str(renamed)

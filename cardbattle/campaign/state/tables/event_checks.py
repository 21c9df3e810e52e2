"""Check the times, the references and the additions of the events and schedules of a campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pydantic import ValidationError

from cardbattle.campaign.state.fields import Model, errors_in, own_keys
from cardbattle.campaign.state.tables.conditions import (
    CAMPAIGN_WORDS,
    REFERENCES,
    WORDS,
    Place,
    parse_condition,
)
from cardbattle.campaign.state.tables.events import Happening, RandomEvent, Scheduled
from cardbattle.core.errors import Diagnostic
from cardbattle.core.names import key_error, listed, nearest, quoted
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import unknown_key

At = tuple[str | int, ...]
NUMBERS = (
    "strength",
    "points",
    "value",
    "purse",
    "experience",
)  # keys whose values an event can change by an amount
KINDS = {"faction": "factions", "force": "forces", "place": "locations", "battle": "pending"}
PUBLIC = "public"
PEACE = "peace"
EVERY = "*"


class EventChecks:
    """The checks of the events of one campaign.

    `keys` are the keys of the tables of factions, forces and locations. `parts` are the models of the items
    of these tables, and the model of a battle as `pending`.
    """

    def __init__(
        self, keys: Mapping[str, Collection[str]], parts: Mapping[str, type[Model]], *, has_calendar: bool
    ) -> None:
        self.keys = {table: {*names} for table, names in keys.items()} | {"pending": set[str]()}
        self.parts = parts
        self.has_calendar = has_calendar

    def check(self, schedule: list[Scheduled], events: list[RandomEvent]) -> Iterator[Diagnostic]:
        """Yield all errors with their key paths. An event can refer to things that another event adds."""
        happenings: list[tuple[At, Happening]] = [
            *((("schedule", place), item) for place, item in enumerate(schedule)),
            *((("event", place), item) for place, item in enumerate(events)),
        ]
        for _, item in happenings:
            for _, table, values in additions(item):
                self.keys[table].add(str(values.get(key_word(table), "")))
        for at, item in happenings:
            yield from self.wrong_time(item, at)
            yield from self.wrong_effect(item, at)

    def wrong_time(self, item: Happening, at: At) -> Iterator[Diagnostic]:
        time_keys = ("each", "turn", "date") if isinstance(item, RandomEvent) else ("turn", "date")
        named = [word for word in time_keys if getattr(item, word) is not None]
        if len(named) != 1:
            example = 'each = "turn", turn = 5' if "each" in time_keys else "turn = 5"
            got = f"; it has {listed(named)}" if named else ""
            yield Diagnostic(f"expected one time; write one of {example} or date = 1403-07-08{got}", at=at)
        if named == ["date"] and not self.has_calendar:
            text = "a date needs a [calendar], which says when each turn is; write one, or a turn"
            yield Diagnostic(text, at=(*at, "date"))
        if isinstance(item, RandomEvent) and item.once and not item.text:
            text = "an event that happens once needs a text, by which the ledger knows it"
            yield Diagnostic(text, at=(*at, "once"))
        if isinstance(item, RandomEvent):
            yield from self.wrong_paths(item.when, (*at, "when"))
        for place, key in enumerate(item.known if isinstance(item, Scheduled) else []):
            if key != PUBLIC and key not in self.keys["factions"]:
                hint = nearest(key, [*self.keys["factions"], PUBLIC])
                yield Diagnostic(
                    f"faction {quoted(key)} is not in this campaign{hint}", (*at, "known", place)
                )

    def wrong_effect(self, item: Happening, at: At) -> Iterator[Diagnostic]:
        if not (item.text or item.change or item.set or item.add):
            yield Diagnostic("nothing happens; write text, change, set or add", at=at)
        for word in ("change", "set"):
            for path, value in getattr(item, word).items():
                yield from self.wrong_value(word, path, value, (*at, word, path))
        if item.where is not None:
            if not any(f".{EVERY}." in path for path in (*item.change, *item.set)):
                text = "where selects among several forces; write a path with *, such as forces.*.strength"
                yield Diagnostic(text, at=(*at, "where"))
            yield from self.wrong_paths(item.where, (*at, "where"), bare=True)
        for word in item.add:
            if word not in KINDS:
                yield unknown_key((*at, "add", word), KINDS)
        for path, table, values in additions(item):
            yield from self.wrong_addition(table, values, (*at, "add", *path))

    def wrong_value(self, how: str, path: str, value: object, at: At) -> Iterator[Diagnostic]:
        place = Place.named(path)
        if place is None:
            yield Diagnostic(f"unknown value {quoted(path)}; write one such as forces.percy.strength", at=at)
            return
        yield from self.unknown_place(place, at)
        fields = self.parts[place.table].model_fields
        valid_keys = [word for word in fields if how == "set" or word in NUMBERS]
        if place.word not in valid_keys:
            if place.word in fields:
                text = f"{place.word} is not a number; write it under set"
                yield Diagnostic(text, at=at)
            else:
                yield unknown_key((*at[:-1], place.word), valid_keys)
        elif how == "set":
            yield from self.wrong_field(place, value, at)

    def wrong_field(self, place: Place, value: object, at: At) -> Iterator[Diagnostic]:
        """Yield an error if a value to set is invalid, or if it is an unknown key."""
        model = self.parts[place.table]
        try:
            model.model_validate({**FIRST[place.table], place.word: value})
        except ValidationError as error:
            for mistake in errors_in(error, model):
                yield Diagnostic(mistake.text, at=at)
            return
        refers = REFERENCES.get(place.word, "")
        for key in flat(value) if refers else ():
            yield from self.unknown_place(Place(refers, key, ""), at)
        if place.word == PEACE:
            yield from self.wrong_peace(place.key, [*flat(value)], at)

    def wrong_peace(self, faction: str, peace: Sequence[str], at: At) -> Iterator[Diagnostic]:
        """Yield the errors in a faction's list of peace. `*` means each faction."""
        factions = peace if faction == EVERY else [faction]
        texts = (text for key in factions for _, text in peace_errors(key, peace))
        yield from (Diagnostic(text, at=at) for text in dict.fromkeys(texts))

    def unknown_place(self, place: Place, at: At) -> Iterator[Diagnostic]:
        """Yield an error, which suggests the nearest key, if the key of a value is unknown."""
        valid_keys = self.keys[place.table]
        if place.key not in valid_keys and place.key != EVERY:
            kind = next(word for word, table in KINDS.items() if table == place.table)
            hint = nearest(place.key, valid_keys)
            yield Diagnostic(f"{kind} {quoted(place.key)} is not in this campaign{hint}", at=at)

    def wrong_paths(self, text: str | None, at: At, *, bare: bool = False) -> Iterator[Diagnostic]:
        """Yield an error for each unknown path in a condition.

        With `bare`, a single word can name a value of the current table.
        """
        for term in parse_condition(text).paths() if text is not None else ():
            path = str(term.value)
            place = Place.named(path)
            if path in CAMPAIGN_WORDS or (bare and any(path in words for words in WORDS.values())):
                continue
            if place is None or place.word not in (*WORDS[place.table], "name"):
                choices = [*CAMPAIGN_WORDS, *(f"KEY.{word}" for words in WORDS.values() for word in words)]
                yield Diagnostic(f"unknown value {quoted(path)}; write one of {', '.join(choices)}", at=at)
            else:
                yield from self.unknown_place(place, at)

    def wrong_addition(self, table: str, values: Mapping[str, object], at: At) -> Iterator[Diagnostic]:
        """Yield the errors in a thing that an event adds."""
        word, model = key_word(table), self.parts[table]
        if word not in values:
            yield Diagnostic(f'key "{word}" is missing; write it as {word} = "gray"', at=at)
        elif key_error(values[word]):
            yield Diagnostic(key_error(values[word]), at=(*at, word))
        try:
            model.model_validate(own_keys({key: value for key, value in values.items() if key != "key"}))
        except ValidationError as error:
            for mistake in errors_in(error, model):
                if mistake.at != () or word in values:
                    yield Diagnostic(mistake.text, at=(*at, *mistake.at))
        for word, refers in REFERENCES.items():
            for key in flat(values.get(word)):
                yield from self.unknown_place(Place(refers, key, ""), (*at, word))
        yield from self.wrong_peace(str(values.get("key")), [*flat(values.get(PEACE))], (*at, PEACE))


def peace_errors(faction: str, peace: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the position and the error of each wrong item in a faction's list of peace.

    >>> [*peace_errors("red", ["green", "red"])]
    [(1, 'a faction is always at peace with itself; leave it out')]
    """
    for place, key in enumerate(peace):
        if key == faction:
            yield place, "a faction is always at peace with itself; leave it out"
        if key in peace[:place]:
            yield place, f"{key} is already in this list; leave it out"


def key_word(table: str) -> str:
    """Return the word that an addition uses for its key, which is `id` for battles and otherwise `key`."""
    return "id" if table == "pending" else "key"


def flat(value: object) -> Iterator[str]:
    """Yield the keys in a value, which is a key or a list of keys or of other lists."""
    if isinstance(value, list):
        for item in value:
            yield from flat(item)
    elif isinstance(value, str):
        yield value


FIRST: Mapping[str, Mapping[str, object]] = {
    "factions": {}, "forces": {"faction": "x", "strength": 1}, "locations": {}
}  # fmt: skip


def additions(item: Happening) -> Iterator[tuple[At, str, dict[str, object]]]:
    """Yield tuples (path, table, values) for the things that an event adds.

    The path is the path below `add`, and the table is the campaign's table for such things.
    """
    for kind, table in KINDS.items():
        value = item.add.get(kind)
        if isinstance(value, list):
            yield from (((kind, place), table, table_or_empty(inside)) for place, inside in enumerate(value))
        elif kind in item.add:
            yield (kind,), table, table_or_empty(value)

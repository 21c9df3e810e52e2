"""The typed model of campaign.toml. Validation reports all errors at once."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, NamedTuple, Protocol

from pydantic import BeforeValidator, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from cardbattle import rules
from cardbattle.battles.records.battle_file import default_name
from cardbattle.campaign.state.changes import Change, apply_changes, is_battle, is_unit
from cardbattle.campaign.state.clock import days_text
from cardbattle.campaign.state.fields import (
    Count,
    Day,
    Days,
    Extent,
    Format,
    Key,
    Lines,
    MailAddress,
    Model,
    Motto,
    Name,
    Note,
    Options,
    Picture,
    Point,
    Points,
    Rank,
    Road,
    Rules,
    Seed,
    Share,
    Sides,
    Step,
    Switch,
    Times,
    errors_in,
    own_keys,
)
from cardbattle.campaign.state.tables.aftermath import AftermathSettings, ExperienceSettings
from cardbattle.campaign.state.tables.deadlines import (
    Deadlines,
    ReportedResult,
    ResultSettings,
    Substitute,
)
from cardbattle.campaign.state.tables.event_checks import EventChecks, peace_errors
from cardbattle.campaign.state.tables.events import RandomEvent, Scheduled, Weather, has_date
from cardbattle.campaign.state.tables.fixture_checks import FixtureChecks
from cardbattle.campaign.state.tables.fixtures import Fixtures, Round
from cardbattle.campaign.state.tables.movement import (
    MovementSettings,
    OrderText,
    RoadSettings,
    SealedOrders,
)
from cardbattle.campaign.state.tables.movement_checks import MovementChecks, OnRoad
from cardbattle.campaign.state.tables.roads import RoadLength, Roads
from cardbattle.campaign.state.tables.terrain import Modifiers
from cardbattle.campaign.state.tables.units import STRENGTH, with_strength
from cardbattle.campaign.state.tables.upkeep import (
    IncomeSettings,
    RecoverySettings,
    RecruitSettings,
    SupplySettings,
)
from cardbattle.commanders import DEFAULT
from cardbattle.commanders.standing import column_of, read_standing
from cardbattle.core.errors import MOST, Diagnostic, InvalidInput, TextDiagnostic, first
from cardbattle.core.grammar import Noun, is_plural_place, together
from cardbattle.core.names import listed, nearest, quoted, write_one_of
from cardbattle.core.options import CardList, Option, Whole
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import counted
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import find_invalid_values, unknown_key

At = tuple[str | int, ...]


class Scoring(Model):
    """The campaign points for the outcome of a battle, and for places. A missing value is 0.

    At the end of the last turn, a faction gets `per_value` for each point of value of its places.
    """

    win: Points = 0
    draw: Points = 0
    loss: Points = 0
    declined: Points = 0
    per_score: Points = 0
    per_value: Times = 0


class Attrition(Model):
    """The share of battle losses that a force loses for good. A missing value is 0."""

    rate: Share = Field(default_factory=Fraction)
    winner_rate: Share | None = None
    destroyed_below: Count = 0


class AdvantageSettings(Model):
    """The advantage of the stronger side in battle.

    The side gets `give` for every full `per`, at most `most` times.
    """

    per: Step
    give: Options
    most: Times = 100


class Calendar(Model):
    """The dates of the turns.

    Turn 1 begins on the first day, and each turn has the same number of days.
    """

    first_day: Day
    days: Days = 7

    def dates(self, turn: int) -> str:
        """Return the dates of a turn as text. It is empty before turn 1 and after the year 9999.

        >>> Calendar(first_day="1403-07-01", days=7).dates(2)
        '8 to 14 July 1403'
        """
        try:
            first = self.first_day + timedelta(days=(turn - 1) * self.days)
            last = first + timedelta(days=self.days - 1)
        except OverflowError:
            return ""
        return days_text(first, last) if turn > 0 else ""


class Faction(Model):
    """One party to the campaign.

    `peace` lists factions with which it is at peace. Each of these factions is then at peace with it, too.
    `player` is the name of its player, and `mail` lists mail addresses. Only the umpire may read both.
    """

    name: Name | None = None
    plural: Switch | None = None
    points: Points = 0
    purse: Points = 0
    motto: Motto | None = None
    badge: Picture | None = None
    peace: list[Key] = []
    player: Name | None = None
    mail: list[MailAddress] = []


def expect_units(value: object) -> object:
    """Return the value if it is a table of units.

    Raises ValueError, which shows an example, for any other value.
    """
    if not isinstance(value, dict):
        raise ValueError('expected units with their strengths, such as { "Cheshire archers" = 4 }')
    return value


Units = Annotated[dict[Name, Count], BeforeValidator(expect_units)]


def with_optional_strength(schema: dict[str, Any]) -> None:
    """Change the schema of a force so that the strength can be left out if there are units."""
    schema["patternProperties"] = {"^x_": {}}
    schema["required"].remove(STRENGTH)
    schema["anyOf"] = [{"required": [STRENGTH]}, {"required": ["units"]}]


class Force(Model):
    """An army or a band that moves and fights as a unit.

    `pace` is the number of steps per turn, or None for the campaign's allowance. On a road, the force is
    `walked` steps away from `location`, on the way to `towards`. `march` is its unfinished order.
    `retreat` is the place to which its player lets it retreat after a lost battle of this turn. `hires` is
    the number of soldiers that it is to hire at the end of this turn. `full` is the strength up to which the
    force recovers, or None for its greatest strength so far.

    While the leader is `fallen` or the prisoner of `prisoner_of`, a commander of rank `deputy` leads the
    force, or a regular one if `deputy` is None. `leader_rank` keeps the rank of a captured leader until he
    returns. If the force has `units`, their strengths add up to its strength, which the file can then leave
    out.
    """

    model_config = ConfigDict(json_schema_extra=with_optional_strength)

    faction: Key
    name: Name | None = None
    plural: Switch | None = None
    short: Name | None = None
    strength: Count
    units: Units = {}
    commander: Rank = DEFAULT
    location: Key | None = None
    destroyed: Switch = False
    standing: Lines = []
    pace: Times | None = None
    towards: Key | None = None
    walked: Count = 0
    march: OrderText | None = None
    retreat: Key | None = None
    hires: Count | None = None
    full: Count | None = None
    experience: Count = 0
    title: Name | None = None
    leader: Name | None = None
    leader_rank: Rank | None = None
    deputy: Rank | None = None
    prisoner_of: Key | None = None
    fallen: Switch = False
    motto: Motto | None = None
    badge: Picture | None = None

    @model_validator(mode="before")
    @classmethod
    def add_up_units(cls, values: object) -> object:
        """Return the values with the strength. If the file leaves it out, it is the sum of the units."""
        return with_strength(values)


class Location(Model):
    """A place that can be owned and fought for."""

    name: Name | None = None
    plural: Switch | None = None
    owner: Key | None = None
    value: Points = 0
    at: Point | None = None
    terrain: Key | None = None
    supply: Switch = False


class MapSettings(Model):
    """The campaign's map, made from the roads between places or from the umpire's own drawing."""

    roads: list[Road] = []
    file: Picture | None = None


class Pending(Model):
    """A battle that is still to be fought.

    The battle is fought at `place`, which is by default the place at stake. The terrain comes from the place,
    and the weather from the turn, unless they are set. The default defender is the side whose faction owns
    the place.
    """

    id: Key
    rules: Rules | None = None
    sides: Sides
    stakes: Key | None = None
    place: Key | None = None
    terrain: Key | None = None
    weather: Name | None = None
    defender: Key | None = None
    road: Road | None = None
    note: Note = ""
    house: Options = {}
    options: dict[str, Options] = {}
    names: dict[Key, Name] = {}
    plural: dict[Key, Switch] = {}

    @property
    def keys(self) -> list[str]:
        """The keys of the battle's sides. The key of a side is the key of its first force."""
        return [side[0] for side in self.sides]


class Visibility(Model):
    """How much players may know of other factions: everything (`all`), roughly (`rough`), or nothing (`own`).

    `pending` is about battles in which none of a player's own forces fights.
    """

    strength: Extent = "rough"
    location: Extent = "all"
    commander: Extent = "own"
    pending: Extent = "all"

    @property
    def shows_forces(self) -> bool:
        """Whether everyone knows where each force is, and whether it is destroyed."""
        return self.location == "all" and self.strength != "own"


class Assert(Model):
    """A check by the umpire of values of a force, a faction, a location or the campaign."""

    force: Key | None = None
    faction: Key | None = None
    location: Key | None = None
    name: Name | None = None
    strength: Count | None = None
    commander: Rank | None = None
    destroyed: Switch | None = None
    points: Points | None = None
    owner: Key | None = None
    value: Points | None = None
    turn: Count | None = None
    revision: Count | None = None


class Draw(Protocol):
    """The source of seeds in a campaign with sealed dice."""

    def slot_number(self, battle: str) -> int:
        """Return the number of a battle's slot, from 1. The number is 0 if the battle has no slot yet."""

    def table(self, campaign: Campaign, battle: Pending, current: dict[str, object]) -> dict[str, object]:
        """Return a pending battle's setup at the time it got its slot, with its seed.

        `current` is its setup now.

        Raises NeedsUmpire if the battle has no slot, or has changed since it got its slot.
        """


class Campaign(Model):
    """The state of a campaign."""

    format: Format
    name: Name
    turn: Count = 0
    turn_name: Name | None = None
    last_turn: Count | None = None
    notice: Note = ""
    revision: Count = 0
    seed: Seed
    rules: Rules | None = None
    scoring: Scoring = Field(default_factory=Scoring)
    attrition: Attrition = Field(default_factory=Attrition)
    advantage: dict[Rules, AdvantageSettings] = {}
    house: dict[Rules, Options] = {}
    factions: dict[Key, Faction] = {}
    forces: dict[Key, Force] = {}
    locations: dict[Key, Location] = {}
    calendar: Calendar | None = None
    visibility: Visibility = Field(default_factory=Visibility)
    map: MapSettings = Field(default_factory=MapSettings)
    terrain: dict[Key, dict[Rules, Modifiers]] = {}
    movement_settings: MovementSettings | None = Field(default=None, alias="movement")
    road: list[RoadSettings] = []
    orders: dict[Key, OrderText] = {}
    sealed_orders: dict[Key, SealedOrders] = {}
    weather: Weather | None = None
    aftermath: AftermathSettings | None = None
    experience: ExperienceSettings | None = None
    supply: SupplySettings | None = None
    recovery: RecoverySettings | None = None
    recruit: RecruitSettings | None = None
    income: IncomeSettings | None = None
    schedule: list[Scheduled] = []
    event: list[RandomEvent] = []
    fixtures: Fixtures | None = None
    round: list[Round] = []
    deadlines: Deadlines | None = None
    results: ResultSettings = Field(default_factory=ResultSettings)
    substitutes: dict[Key, Substitute] = {}
    reported: list[ReportedResult] = []
    pending: list[Pending] = []
    asserts: list[Assert] = Field(default=[], alias="assert")
    _data: dict[str, object] = PrivateAttr(default_factory=dict)
    _folder: str = PrivateAttr("")
    _draw: Draw | None = PrivateAttr(None)

    def __repr__(self) -> str:
        has = f"{counted(len(self.factions), 'faction')}, {counted(len(self.forces), 'force')}"
        pending = f"{counted(len(self.pending), 'battle')} pending"
        return f"<Campaign {self.name}: turn {self.turn}, revision {self.revision}; {has}, {pending}>"

    @property
    def data(self) -> dict[str, object]:
        """The unchanged data of the file, including the umpire's own keys."""
        return self._data

    @property
    def notice_lines(self) -> list[str]:
        """The lines of the umpire's notice, which is in all order messages and reports."""
        return [line.strip() for line in self.notice.splitlines() if line.strip()]

    @property
    def is_over(self) -> bool:
        """Whether the last turn of the campaign is over."""
        return self.last_turn is not None and self.turn > self.last_turn

    def is_last(self, turn: int) -> bool:
        """Return True if the campaign ends with this turn."""
        return self.last_turn is not None and turn >= self.last_turn

    @property
    def movement(self) -> MovementSettings | None:
        """The settings of the movement, or None without movement. After the last turn, no force moves."""
        return None if self.is_over else self.movement_settings

    def when(self, turn: int, name: str | None = None) -> str:
        """Return the name and the dates of a turn, such as `Dust and flies, 8 to 14 July 1403`.

        The result is empty if the turn has neither. By default, the `name` is the name in the file, which
        only the present turn has.
        """
        if name is None and turn == self.turn:
            name = self.turn_name
        dates = self.calendar.dates(turn) if self.calendar else ""
        return ", ".join(part for part in (name, dates) if part)

    @property
    def folder(self) -> str:
        """The campaign's folder, which contains the files that battles name."""
        return self._folder

    @property
    def uses_scores(self) -> bool:
        """Whether the scores of battles matter: they bring points, or the campaign is a league."""
        return bool(self.scoring.per_score) or self.fixtures is not None

    @property
    def draw(self) -> Draw | None:
        """The source of seeds for sealed battles, or None if the campaign's seed determines all battles."""
        return self._draw

    def with_draw(self, draw: Draw | None) -> Campaign:
        """Return the campaign with this source of seeds for sealed battles."""
        copy = self.model_copy()
        copy._draw = draw
        return copy

    def after(self, changes: Iterable[Change]) -> Campaign:
        """Return the campaign after these changes.

        Raises InvalidInput if the campaign would be invalid. Raises NeedsUmpire at the first change whose
        `before` is not the current value.
        """
        steps = list(changes)
        data = apply_changes(self.data, steps)
        return revalidate_changes(self, data, steps) or read_campaign(data, self.folder).with_draw(self.draw)

    def are_enemies(self, faction: str, other: str) -> bool:
        """Return True if two factions are different and not at peace with each other."""
        return faction != other and not (
            other in self.factions[faction].peace or faction in self.factions[other].peace
        )

    def hostile_among(self, factions: Iterable[str]) -> set[str]:
        present = {*factions}
        return {first for first in present if any(self.are_enemies(first, second) for second in present)}

    def can_capture(self, faction: str, place: str) -> bool:
        """Return True if a place belongs to nobody, or to an enemy of a faction."""
        owner = self.locations[place].owner
        return owner is None or self.are_enemies(faction, owner)

    def bystanders(self, battle: Pending) -> list[str]:
        """Return the forces that are at the place at stake in a battle, and do not fight in it.

        Without movement, there are none: the places of forces then only say where they belong.
        """
        if self.movement is None or battle.stakes is None:
            return []
        return [
            key
            for key, force in self.forces.items()
            if force.location == battle.stakes and force.towards is None and not force.destroyed
            if not any(key in side for side in battle.sides)
        ]

    def can_win_place(self, faction: str, battle: Pending) -> bool:
        """Return True if a faction that wins a battle alone gets a place.

        It does not while an enemy that does not fight in the battle is in the place.
        """
        return (
            battle.stakes is not None
            and self.can_capture(faction, battle.stakes)
            and not any(
                self.are_enemies(faction, self.forces[key].faction) for key in self.bystanders(battle)
            )
        )

    def friends_of(self, faction: str) -> list[str]:
        """Return the factions with which a faction is at peace, in the order of the file."""
        return [key for key in self.factions if key != faction and not self.are_enemies(faction, key)]

    @cached_property
    def roads(self) -> Roads:
        """All roads.

        A road of [map] has the length 1 unless a [[road]] between its places has another length.
        """
        of_map = [RoadLength(*ends) for ends in self.map.roads]
        return Roads([*of_map, *(RoadLength(*road.between, road.length) for road in self.road)])

    @property
    def road_ends(self) -> list[tuple[str, str]]:
        """The two ends of each road. Every road occurs once, in the order of the file."""
        roads_by_ends = {
            frozenset(ends): ends for ends in [*self.map.roads, *(road.between for road in self.road)]
        }
        return list(roads_by_ends.values())

    def battle(self, battle_id: str) -> Pending | None:
        """Return the pending battle with this id, or None if it does not exist."""
        return next((battle for battle in self.pending if battle.id == battle_id), None)

    def rules_of(self, battle: Pending) -> RuleSet:
        """Return the rule set of a pending battle.

        Raises NotInstalled if the rule set's plug-in is missing.
        """
        return rules.require_installed(self.rules_key(battle))

    def rules_key(self, battle: Pending) -> str:
        key = battle.rules or self.rules
        assert key is not None
        return key

    def rules_name(self, battle: Pending) -> str:
        key = self.rules_key(battle)
        return f"{key}, not installed" if rules.is_not_installed(key) else rules.find(key).name

    def display_name(self, key: str) -> Noun:
        """Return the name of a force, faction or location."""
        for table in ("forces", "factions", "locations"):
            if key in getattr(self, table):
                return self.name_of(table, key)
        return Noun(default_name(key))

    def name_of(self, table: str, key: str) -> Noun:
        """Return the name of a faction, force or location of this table, with its grammatical number."""
        part: Faction | Force | Location = getattr(self, table)[key]
        name = part.name or default_name(key)
        if part.plural is None and table == "locations":
            return Noun(name, is_plural_place(name))
        return Noun(name, part.plural)

    def faction_name(self, key: str) -> Noun:
        """Return the name of a faction. A force can have the same key."""
        return self.name_of("factions", key)

    def location_name(self, key: str) -> Noun:
        """Return the name of a location. A force can have the same key."""
        return self.name_of("locations", key)

    def side_name(self, side: Sequence[str], battle: Pending | Mapping[str, object] | None = None) -> Noun:
        """Return the name under which these forces fight as one side.

        `battle` is a pending battle or a battle from the ledger. It can name the side. Otherwise the name is
        made from the names of the forces.
        """
        return name_from_battle(side[0], battle) or self.joint_name(side, enemies_in(battle, side[0]))

    def joint_name(self, side: Sequence[str], enemies: Collection[str] = ()) -> Noun:
        """Return the common name of several forces, for battles that do not name the side.

        If their names are too long, the forces have the names of their factions, unless `enemies` belong to
        one of these.
        """
        first = self.display_name(side[0])
        if len(side) == 1:
            return first
        every = listed(self.display_name(force) for force in side)
        if len(every) <= LONGEST_SIDE:
            return Noun(every, plural=True)
        factions = dict.fromkeys(self.forces[force].faction for force in side if force in self.forces)
        names = together(self.faction_name(faction) for faction in factions if faction in self.factions)
        is_clear = all(self.forces[key].faction not in factions for key in enemies if key in self.forces)
        if names and is_clear and (len(factions) == 1 or len(names) <= LONGEST_SIDE):
            return names
        some = f"{first} and {'others' if len(factions) == 1 else 'allies'}"
        return Noun(some, plural=True) if len(some) <= LONGEST_SIDE else first

    def side_with_forces(
        self, side: Sequence[str], battle: Pending | Mapping[str, object] | None = None
    ) -> str:
        """Return the name of a side, followed by its forces in brackets unless the name lists them."""
        name = self.side_name(side, battle)
        forces = [self.display_name(force) for force in side]
        is_listed = len(side) == 1 or all(force in name for force in forces)
        return name if is_listed else f"{name} ({listed(forces)})"


LONGEST_SIDE = 40  # characters of the name of a side


def enemies_in(battle: Pending | Mapping[str, object] | None, key: str) -> list[str]:
    """Return the forces on the other sides of a battle than the side with this key."""
    sides = battle.sides if isinstance(battle, Pending) else (battle or {}).get("sides", ())
    if not isinstance(sides, Sequence):
        return []
    lists = [[side] if isinstance(side, str) else side for side in sides]
    return [force for side in lists if key not in side for force in side]


def name_from_battle(key: str, battle: Pending | Mapping[str, object] | None) -> Noun | None:
    """Return the name that a battle gives a side, or None if it gives none."""
    if isinstance(battle, Pending):
        names, plural = dict[str, object](battle.names), dict[str, object](battle.plural)
    elif battle and "names" in battle:
        names, plural = table_or_empty(battle["names"]), table_or_empty(battle.get("plural"))
    else:
        return None
    number = plural.get(key)
    return Noun(str(names[key]), number if isinstance(number, bool) else None) if key in names else None


PARTS: Mapping[str, type[Model]] = {"factions": Faction, "forces": Force, "locations": Location}


def revalidate_changes(
    campaign: Campaign, data: Mapping[str, object], changes: Iterable[Change]
) -> Campaign | None:
    """Revalidate only the values that have changed.

    This works for changed values of factions, forces and locations, and for removed battles. Returns None if
    the whole campaign must be validated.
    """
    tables: dict[str, dict[str, Model]] = {word: dict(getattr(campaign, word)) for word in PARTS}
    keys = Known(*(table_keys(data, word) for word in Known._fields))
    gone: set[str] = set()
    for key, after in {change.key: change.after for change in changes}.items():
        if is_battle(key) and after is None:
            gone.add(key[1])
        elif (len(key) == 3 or is_unit(key)) and key[1] in tables.get(key[0], {}):
            part = read_model(keys, key[:2], table_of(data, key[:2]))
            if part is None:
                return None
            tables[key[0]][key[1]] = part
        else:
            return None
    left = [battle for battle in campaign.pending if battle.id not in gone]
    updated = campaign.model_copy(update={**tables, "pending": left})
    updated._data = dict(data)
    return updated


def table_of(data: Mapping[str, object], key: tuple[str, ...]) -> object:
    """Return the table of a faction, force or location in the file, or None if it does not exist."""
    tables = data.get(key[0])
    return tables.get(key[1]) if isinstance(tables, dict) else None


def read_model(keys: Known, at: At, value: object) -> Model | None:
    """Return a faction, force or location, or None if it is not valid."""
    values = own_keys(value, at)
    try:
        part = PARTS[str(at[0])].model_validate(values)
    except ValidationError:
        return None
    assert isinstance(values, dict)
    if isinstance(part, Force) and (part.towards or part.walked or part.march):
        return None  # only a full read can find out whether the road exists
    return None if any(True for _ in chain(find_invalid_values(values), wrong_part(keys, at, part))) else part


def read_campaign(data: Mapping[str, object], folder: str = "") -> Campaign:
    """Validate the data of a campaign file and return the campaign.

    Raises InvalidInput, which lists all errors in the data with their key paths.
    """
    values = own_keys(dict(data))
    assert isinstance(values, dict)
    try:
        campaign = Campaign.model_validate(values)
    except ValidationError as error:
        raise InvalidInput(all_errors(values, first(errors_in(error, Campaign)))) from None
    errors = first(unfit(values)) or first(wrong_references(campaign, values))
    if errors:
        raise InvalidInput(errors)
    campaign._data = dict(data)
    campaign._folder = folder
    return campaign


def unfit(data: dict[str, object]) -> Iterator[Diagnostic]:
    """Yield an error for each value whose type a campaign cannot have, such as a float."""
    return (
        value
        for value in find_invalid_values(data)
        if value.at != ("calendar", "first_day") and not has_date(value.at)
    )


def all_errors(data: dict[str, object], errors: list[Diagnostic]) -> list[Diagnostic]:
    """Return `errors` and all errors that pydantic reports only after the invalid parts are removed."""
    reported = {error.at for error in errors}
    errors = first(chain(errors, (more for more in unfit(data) if more.at not in reported)))
    if len(errors) > MOST:
        return errors
    try:
        remaining = Campaign.model_validate(without_errors(data, reported))
    except ValidationError:
        return errors
    return first(chain(errors, wrong_references(remaining, data, {at[:2] for at in reported})))


def without_errors(data: dict[str, object], ats: Collection[At]) -> dict[str, object]:
    """Return the data without the forces, battles and settings that have an error.

    Lists keep their length, so that positions do not change. An unknown rule set becomes one that is not
    installed, so that no battle seems to lack a rule set.
    """
    left: dict[str, object] = {"format": 1, "name": "?", "seed": 0}
    wrong = {at[:2] for at in ats} | {at[:1] for at in ats if len(at) == 1}
    if ("rules",) in wrong:
        left["rules"] = "not-installed"
    for key, value in data.items():
        if (key,) in wrong or (key in SETTINGS and any(at[0] == key for at in wrong if at)):
            continue
        if isinstance(value, dict):
            left[key] = {word: inside for word, inside in value.items() if (key, word) not in wrong}
        elif key in BLANKS and isinstance(value, list):
            left[key] = [BLANKS[key] if (key, i) in wrong else item for i, item in enumerate(value)]
        else:
            left[key] = value
    return left


SETTINGS = (
    "scoring", "attrition", "map", "movement", "weather", "aftermath", "experience", "supply", "recovery",
    "recruit", "income", "fixtures", "deadlines", "results",
)  # fmt: skip
BLANKS: Mapping[str, object] = {
    "pending": {"id": "x", "sides": []},
    "assert": {"turn": 0},
    "road": {"between": ["x", "y"]},
    "schedule": {"turn": 0, "text": "x"},
    "event": {"turn": 0, "text": "x"},
    "round": {},
    "reported": {"battle": "x", "side": "x", "losses": {}},
}


def wrong_references(
    campaign: Campaign, data: Mapping[str, object], wrong: Collection[At] = ()
) -> Iterator[Diagnostic]:
    """Yield an error for each invalid reference: an unknown key, or an option that no rule set has.

    Paths in `wrong` already have an error and are skipped.
    """
    keys = Known(*(table_keys(data, word) for word in Known._fields))
    for key, faction in campaign.factions.items():
        yield from wrong_part(keys, ("factions", key), faction)
    for key, force in campaign.forces.items():
        yield from wrong_part(keys, ("forces", key), force)
        yield from wrong_standing(campaign, force, ("forces", key, "standing"))
    for key, location in campaign.locations.items():
        yield from wrong_part(keys, ("locations", key), location)
    for place, road in enumerate(campaign.map.roads):
        for end, key in enumerate(road):
            yield from missing("location", key, keys.locations, ("map", "roads", place, end))
    yield from wrong_movement(campaign, keys, wrong)
    for key, advantage in campaign.advantage.items():
        if rules.is_not_installed(key):
            continue
        yield from wrong_gift(
            rules.find(key), advantage.give, ("advantage", key_in_file(data["advantage"], key), "give")
        )
    for key, house in campaign.house.items():
        if not rules.is_not_installed(key):
            at = ("house", key_in_file(data["house"], key))
            yield from wrong_options(house, rules.find(key).house, [], at)
    yield from wrong_circumstances(campaign, data)
    yield from wrong_experience(campaign)
    seen: set[str] = set()
    for place, battle in enumerate(campaign.pending):
        if ("pending", place) in wrong:
            continue
        if battle.id in seen:
            text = f"another pending battle has the id {quoted(battle.id)}; give each its own"
            yield Diagnostic(text, at=("pending", place, "id"))
        seen.add(battle.id)
        yield from wrong_battle(campaign, keys, battle, ("pending", place))
    for place, check in enumerate(campaign.asserts):
        if ("assert", place) not in wrong:
            yield from wrong_assert(keys, check, ("assert", place))
    events = EventChecks(
        keys._asdict(), {**PARTS, "pending": Pending}, has_calendar=campaign.calendar is not None
    )
    yield from events.check(campaign.schedule, campaign.event)
    league = FixtureChecks(keys.forces, keys.locations, campaign.rules, missing, wrong_options)
    rounds = {place: drawn for place, drawn in enumerate(campaign.round) if ("round", place) not in wrong}
    yield from league.check(campaign.fixtures, rounds)
    for key in campaign.substitutes:
        yield from missing("faction", key, keys.factions, ("substitutes", key))
    for place, report in enumerate(campaign.reported):
        if ("reported", place) not in wrong:
            yield from wrong_report(keys, report, ("reported", place))


def wrong_report(keys: Known, report: ReportedResult, at: At) -> Iterator[Diagnostic]:
    """Yield an error for each unknown force that a reported result names."""
    yield from missing("force", report.side, keys.forces, (*at, "side"))
    for place, key in enumerate(report.winners):
        yield from missing("force", key, keys.forces, (*at, "winners", place))
    for place, key in enumerate(report.declined):
        yield from missing("force", key, keys.forces, (*at, "declined", place))
    for word, sides in (("losses", report.losses), ("units", report.units)):
        for key in sides:
            yield from missing("force", key, keys.forces, (*at, word, key))


class UnequalStrength(Diagnostic):
    """The error that a force's strength differs from the sum of its units."""


def wrong_part(keys: Known, at: At, part: Model) -> Iterator[Diagnostic]:
    """Yield an error for each unknown faction or location that a force or location refers to."""
    if isinstance(part, Force):
        yield from missing("faction", part.faction, keys.factions, (*at, "faction"))
        yield from missing("location", part.location, keys.locations, (*at, "location"))
        yield from missing("location", part.retreat, keys.locations, (*at, "retreat"))
        yield from missing("faction", part.prisoner_of, keys.factions, (*at, "prisoner_of"))
        total = sum(part.units.values())
        if part.units and total != part.strength:
            text = f"strength is {part.strength}, but the units have {total}; write strength = {total}"
            yield UnequalStrength(f"{text}, or leave it out", at=(*at, STRENGTH))
    if isinstance(part, Faction):
        for place, key in enumerate(part.peace):
            yield from missing("faction", key, keys.factions, (*at, "peace", place))
        for place, text in peace_errors(str(at[1]), part.peace):
            yield Diagnostic(text, at=(*at, "peace", place))
    if isinstance(part, Location):
        yield from missing("faction", part.owner, keys.factions, (*at, "owner"))
        yield from missing("terrain", part.terrain, keys.terrain, (*at, "terrain"))


def wrong_movement(campaign: Campaign, keys: Known, wrong: Collection[At]) -> Iterator[Diagnostic]:
    """Yield the errors in roads, positions on roads, and orders to move."""
    checks = MovementChecks(keys.forces, keys.locations, keys.factions, campaign.roads, missing)
    yield from checks.check_roads(
        {place: road for place, road in enumerate(campaign.road) if ("road", place) not in wrong}
    )
    forces = campaign.forces.items()
    yield from checks.check_forces(
        {key: OnRoad(force.location, force.towards, force.walked, force.march) for key, force in forces}
    )
    yield from checks.check_orders(campaign.orders)
    yield from checks.check_sealed(campaign.sealed_orders)
    if campaign.movement is not None and campaign.rules is None:
        text = "forces that meet need a default rule set; write rules = ... at the top of the file"
        yield Diagnostic(text, at=("movement",))
    elif campaign.movement is not None and not rules.is_not_installed(campaign.rules or ""):
        fought = rules.find(campaign.rules or "")
        if fought.fewest > 2:
            text = f"{fought.name} needs {fought.fewest} sides; movement needs rules for battles of two"
            yield Diagnostic(text, at=("movement",))


def wrong_standing(campaign: Campaign, force: Force, at: At) -> Iterator[Diagnostic]:
    """Yield the errors in a force's standing orders, which apply to the campaign's default rule set."""
    if force.standing and campaign.rules is None:
        yield Diagnostic(
            "standing orders need a default rule set; write rules = ... at the top of the file", at
        )
    elif force.standing and campaign.rules is not None and not rules.is_not_installed(campaign.rules):
        try:
            read_standing(force.standing, rules.find(campaign.rules))
        except InvalidInput as refused:
            for error in refused.errors:
                yield TextDiagnostic(error.text, column_of(error), (*at, *error.at))


class Known(NamedTuple):
    """The keys of all factions, forces and locations in a campaign file, including invalid ones."""

    factions: Collection[str]
    forces: Collection[str]
    locations: Collection[str]
    terrain: Collection[str]


def table_keys(data: Mapping[str, object], word: str) -> Collection[str]:
    """Return the keys of one table of the file. They can be looked up, and listed in order in messages."""
    table = data.get(word)
    return table.keys() if isinstance(table, dict) else ()


def key_in_file(table: object, key: str) -> str:
    """Return the key that a table of the file has for a rule set. It can be an alias."""
    keys = table_or_empty(table)
    return next((word for word in keys if word == key or rules.ALIASES.get(word) == key), key)


def missing(label: str, key: str | None, names: Collection[str], at: At) -> Iterator[Diagnostic]:
    if key is None or key in names:
        return
    hint = nearest(key, names) or write_one_of(list(names))
    yield Diagnostic(f"{label} {quoted(key)} is not in this campaign{hint}", at=at)


def wrong_battle(campaign: Campaign, keys: Known, battle: Pending, at: At) -> Iterator[Diagnostic]:
    yield from missing("location", battle.stakes, keys.locations, (*at, "stakes"))
    yield from missing("location", battle.place, keys.locations, (*at, "place"))
    yield from missing("terrain", battle.terrain, keys.terrain, (*at, "terrain"))
    yield from missing("side", battle.defender, battle.keys, (*at, "defender"))
    kinds = [kind.name for kind in campaign.weather.table] if campaign.weather else []
    yield from missing("weather", battle.weather, kinds, (*at, "weather"))
    for end, key in enumerate(battle.road or ()):
        yield from missing("location", key, keys.locations, (*at, "road", end))
    yield from wrong_sides(keys, battle, at)
    if battle.rules is None and campaign.rules is None:
        text = "rules is missing; name a rule set here, or for all battles at the top of the file"
        yield Diagnostic(text, at=at)
        return
    if rules.is_not_installed(campaign.rules_key(battle)):
        return
    chosen, seats = campaign.rules_of(battle), battle.keys
    if not chosen.fewest <= len(seats) <= chosen.most:
        text = f"{chosen.name} is fought by {chosen.number_of_sides} sides, got {len(seats)}"
        yield Diagnostic(text, at=(*at, "sides"))
    if len(seats) > chosen.most:
        return
    yield from wrong_options(battle.house, chosen.house, seats, (*at, "house"))
    for word in ("options", "names", "plural"):
        for key in getattr(battle, word):
            if key not in seats:
                text = f"{quoted(key)} is not a side of this battle; its sides are {', '.join(seats)}"
                yield Diagnostic(text, at=(*at, word, key))
    for key, options in battle.options.items():
        path = (*at, "options", key)
        yield from wrong_options(options, chosen.options, seats, path)


def missing_rule_sets(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield an error for each rule set that the campaign names and that is not installed."""
    named: list[tuple[At, str | None]] = [
        (("rules",), campaign.rules),
        (("fixtures", "rules"), campaign.fixtures.rules if campaign.fixtures else None),
        *(((table, key), key) for table in ("advantage", "house") for key in getattr(campaign, table)),
        *((("pending", place, "rules"), battle.rules) for place, battle in enumerate(campaign.pending)),
    ]
    for at, key in named:
        if key is not None and rules.is_not_installed(key):
            yield Diagnostic(str(rules.NotInstalled(key)), at=at)


def wrong_sides(keys: Known, battle: Pending, at: At) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for place, side in enumerate(battle.sides):
        for force in side:
            yield from missing("force", force, keys.forces, (*at, "sides", place))
            if force in seen:
                twice = "twice on this side" if side.count(force) > 1 else "on two sides"
                text = f"force {quoted(force)} fights {twice}; name each force once in a battle"
                yield Diagnostic(text, at=(*at, "sides", place))
            seen.add(force)


def wrong_options(
    values: Mapping[str, object], known_values: Mapping[str, Option], seats: list[str], at: At
) -> Iterator[Diagnostic]:
    """Yield an error for each house rule or side option that a rule set does not accept."""
    for word, value in values.items():
        if word not in known_values:
            yield unknown_key((*at, word), known_values)
            continue
        try:
            known_values[word].read(value, seats)
        except ValueError as error:
            yield Diagnostic(str(error), at=(*at, word))


def wrong_circumstances(campaign: Campaign, data: Mapping[str, object]) -> Iterator[Diagnostic]:
    """Yield an error for each effect of terrain or weather that no battle can have."""
    terrain = table_or_empty(data.get("terrain"))
    places: list[tuple[At, object, Mapping[str, Modifiers]]] = [
        (("terrain", key), terrain[key], kind) for key, kind in campaign.terrain.items() if key in terrain
    ]
    for place, kind in enumerate(campaign.weather.table if campaign.weather else []):
        table = table_or_empty(data["weather"])["table"]
        assert isinstance(table, list)
        places.append((("weather", "table", place, "battle"), table[place].get("battle"), kind.battle))
    for at, table, by_rules in places:
        for key, modifiers in by_rules.items():
            if not rules.is_not_installed(key):
                yield from wrong_modifiers(rules.find(key), modifiers, (*at, key_in_file(table, key)))
    if campaign.weather and campaign.weather.now:
        names = [kind.name for kind in campaign.weather.table]
        yield from missing("weather", campaign.weather.now, names, ("weather", "now"))


def wrong_experience(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield an error for each option that a step of experience cannot change."""
    for place, step in enumerate(campaign.experience.steps if campaign.experience else []):
        at = ("experience", "steps", place)
        if step.title is None and step.commander is None and not step.give:
            yield Diagnostic("the step gives nothing; write a title, a commander, or give", at=at)
        if not step.give:
            continue
        if campaign.rules is None:
            text = "this needs a default rule set; write rules = ... at the top of the file"
            yield Diagnostic(text, at=(*at, "give"))
        elif not rules.is_not_installed(campaign.rules):
            yield from wrong_gift(rules.find(campaign.rules), step.give, (*at, "give"))


def wrong_modifiers(chosen: RuleSet, modifiers: Modifiers, at: At) -> Iterator[Diagnostic]:
    """Yield an error for each option that terrain or weather cannot change in a rule set.

    Only options with a number or a list of cards can be increased.
    """
    by_role = {role: getattr(modifiers, role) for role in ("attacker", "defender", "all")}
    if not modifiers.house and not any(by_role.values()):
        example = "{ defender = { hand = 1 } }"
        yield Diagnostic(f"nothing is given; write who gets what, for example {at[-1]} = {example}", at=at)
    for role, give in by_role.items():
        if give:
            yield from wrong_gift(chosen, give, (*at, role))
    yield from wrong_options(modifiers.house, chosen.house, [], (*at, "house"))


def wrong_gift(chosen: RuleSet, give: Mapping[str, object], at: At) -> Iterator[Diagnostic]:
    """Yield an error for each option that cannot be increased in steps.

    Only options with a number or a list of cards can be increased.
    """
    if not give:
        yield Diagnostic("nothing is given; name a side option, such as { hand = 1 }", at=at)
    for word, value in give.items():
        option = chosen.options.get(word)
        path = (*at, word)
        if option is None:
            yield unknown_key(path, chosen.options)
        elif isinstance(option, Whole):
            if type(value) is not int or not -1000 <= value <= 1000 or value == 0:
                text = f"expected a whole number to add to {word}, got {quoted(value)}"
                yield Diagnostic(text, at=path)
        elif isinstance(option, CardList):
            yield from wrong_cards(option, value, path)
        else:
            yield Diagnostic(f"{word} cannot be given in steps; only numbers and cards can", at=path)


def wrong_cards(option: CardList, value: object, at: At) -> Iterator[Diagnostic]:
    """Yield the errors in the cards that each step adds."""
    if not isinstance(value, list) or not value:
        hint = card_hint(option, value, str(at[-1]))
        yield Diagnostic(f"expected a list of cards to add, got {quoted(value)}{hint}", at=at)
        return
    for place, card in enumerate(value):
        try:
            option.card_named(card)
        except ValueError as error:
            yield Diagnostic(str(error), at=(*at, place))


def card_hint(option: CardList, value: object, word: str) -> str:
    """Return what to write instead of a single card, such as `; write cards = ["9"]` for 9, or ""."""
    for card in (value, str(value)):
        with suppress(ValueError):
            option.card_named(card)
            return f"; write {word} = {json.dumps([card])}"
    return ""


FIELDS: Mapping[str, Collection[str]] = {
    "": ("name", "turn", "revision"),
    "force": ("faction", "name", "strength", "commander", "location", "destroyed"),
    "faction": ("name", "points"),
    "location": ("name", "owner", "value"),
}
PLACES = {"force": "forces", "faction": "factions", "location": "locations"}


def wrong_assert(keys: Known, check: Assert, at: At) -> Iterator[Diagnostic]:
    """Yield the errors in a check by the umpire. It does not matter whether the check holds."""
    subject, key, expected = read_assert(check)
    if not expected:
        yield Diagnostic("nothing is asserted; write what must hold, such as strength = 14", at=at)
        return
    if subject:
        yield from missing(subject, key, getattr(keys, PLACES[subject]), (*at, subject))
    for word in expected:
        if word not in FIELDS[subject]:
            whose = f"a {subject}" if subject else "the campaign"
            text = f"{whose} has no {word}; it has {', '.join(FIELDS[subject])}"
            yield Diagnostic(text, at=(*at, word))


def read_assert(check: Assert) -> tuple[str, str, dict[str, object]]:
    """Return the kind and the key of the thing that a check is about, and the expected values.

    In a check of a `force`, the keys `faction` and `location` are expected values.
    """
    expected = check.model_dump(exclude_none=True)
    subject = next((word for word in ("force", "faction", "location") if word in expected), "")
    key = str(expected.pop(subject)) if subject else ""
    return subject, key, expected


def assert_errors(campaign: Campaign) -> Iterator[Diagnostic]:
    """Yield an error for each of the umpire's checks that does not hold."""
    for place, check in enumerate(campaign.asserts):
        subject, key, expected = read_assert(check)
        actual = getattr(campaign, PLACES[subject])[key] if subject else campaign
        for word, wanted in expected.items():
            is_now = getattr(actual, word)
            if is_now != wanted:
                whose = actual.name or default_name(key) if subject else "the campaign"
                text = f"{word} of {whose} should be {quoted(wanted)}, but is {quoted(is_now)}"
                yield Diagnostic(text, at=("assert", place, word))

"""Tell the story of a recorded battle, with what the reader may know of the campaign around the battle."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.records.replay import refight
from cardbattle.campaign.ledger.history import force_today
from cardbattle.campaign.ledger.ledger import STORY
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.visibility.reader import fighting_sides
from cardbattle.campaign.visibility.redaction import is_private
from cardbattle.core.errors import CardbattleError
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import clean
from cardbattle.core.telling import ENGLISH, Fact, FactValue, Name
from cardbattle.show.pages.campaign.forces import unit_losses
from cardbattle.story.stakes import Stakes, UnitLoss
from cardbattle.story.story import Story, tell_story

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Key
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.simulation.turning_points import Curve


class PastValue(NamedTuple):
    """A value that a key had before the change that `revision` recorded."""

    revision: int
    value: object


class CampaignStories:
    """Writes the stories of a campaign's battles for one reader. Each differs from the previous story.

    `lang` is the code of a language. `curves` maps the revision that recorded a battle to the chances of its
    sides over the battle, as this reader sees them. Battles whose chances were not counted are missing.
    """

    def __init__(
        self, visible: VisibleCampaign, lang: str = ENGLISH, curves: Mapping[int, Curve] | None = None
    ) -> None:
        self.visible = visible
        self.curves = curves or {}
        self.lang = lang
        self.entries = {entry.revision: entry for entry in visible.entries}
        self.past: dict[Key, list[PastValue]] = {}
        self.latest: Sequence[str] = ()  # the phrases of the previous stories, the latest first
        self.written = stories_by_umpire(visible)
        for entry in self.entries.values():
            for change in entry.changes:
                values = self.past.setdefault(change.key, [])
                values.append(PastValue(entry.revision, change.before))

    def __repr__(self) -> str:
        return f"<CampaignStories of {self.visible.campaign.name}>"

    def story(self, revision: int, report: Report) -> Story:
        """Return the story of the battle that was recorded at `revision`, as the reader may know it.

        If the umpire has written a story for the battle, this story is returned. Otherwise a story is
        generated that differs from the previous one. Raises KeyError if the reader may not know of the entry.
        """
        if revision in self.written:
            return Story([self.written[revision]], ())
        return self.generated(revision, report)

    def generated(self, revision: int, report: Report) -> Story:
        """Return the generated story of a battle, even if the umpire has written another story for it.

        Raises the same errors as `story`.
        """
        seats = [force_today(self.visible.ledger, key, revision) for key in report.setup.seats]
        stakes = self.stakes(revision, seats, report.winners)
        swings = swings_of(self.curves.get(revision))
        story = tell_story(report, stakes, swings=swings, lang=self.lang, avoid=self.latest)
        self.latest = story.to_avoid
        return story

    def stakes(self, revision: int, seats: Sequence[str], winners: Sequence[int]) -> Stakes:
        """Return what the campaign knows about a battle.

        `seats` has the present keys of the battle's sides, and `winners` the numbers of the winning sides.
        """
        battle = BattleInCampaign(self, self.entries[revision], seats, winners)
        curve = self.curves.get(revision)
        return Stakes(
            place=battle.place,
            when=battle.when(),
            words=battle.words(),
            decides=battle.holder(),
            strengths=battle.strengths(),
            written=self.written.get(revision, ""),
            chances=curve.points[0].chances if curve and curve.points else [],
            casualties=battle.casualties(),
            units=[
                UnitLoss(clean(name), lost, of) for _, name, lost, of in unit_losses(battle.entry.changes)
            ],
            aftermath=battle.aftermath(),
            shorts=battle.shorts(),
        )

    def value_before(self, key: Key, revision: int, today: object) -> object:
        """Return the value that a key had just before `revision`; `today` is the present value of the key."""
        values = self.past.get(key, [])
        at = bisect_left(values, (revision,), key=lambda past: (past.revision,))
        return values[at].value if at < len(values) else today


def stories_of(
    visible: VisibleCampaign,
    logs: Mapping[int, Record],
    curves: Mapping[int, Curve] | None = None,
    lang: str = ENGLISH,
) -> dict[int, str]:
    """Return the stories of recorded battles for one reader, by the revision that recorded each battle.

    Battles whose record cannot be replayed are left out, unless the umpire has written their story. `logs`
    has the records by revision (see `VisibleCampaign.logs`). `curves` is as in `CampaignStories`.
    """
    writer = CampaignStories(visible, lang, curves)
    stories = dict(writer.written)
    for revision, record in sorted(logs.items()):
        with suppress(CardbattleError):
            report = visible.view_of(revision, record).report(refight(record))
            stories[revision] = writer.story(revision, report).text
    return stories


def stories_by_umpire(visible: VisibleCampaign) -> dict[int, str]:
    """Return the stories that the umpire wrote, by the revision that recorded the battle."""
    ledger = visible.ledger
    stories = {}
    for entry in visible.entries:
        battle = ledger.revision_by_battle.get(entry.id, 0)
        is_standing = 0 < battle < entry.revision and entry.revision not in ledger.undone_revisions
        if entry.kind == STORY and is_standing and entry.text:
            stories[battle] = clean(entry.text)
    return stories


def swings_of(curve: Curve | None) -> dict[int, int]:
    """Return the change of the winner's chance at each turning point, in permille.

    The keys are the indices of the events at which the turning points occurred.
    """
    turning_points = curve.turning_points if curve else []
    return {turn.events - 1: abs(turn.after - turn.before) for turn in turning_points}


class BattleInCampaign:
    """A recorded battle as one reader knows it, with the state of the campaign at that time."""

    def __init__(
        self, stories: CampaignStories, entry: Entry, seats: Sequence[str], winners: Sequence[int]
    ) -> None:
        self.stories = stories
        self.visible, self.campaign = stories.visible, stories.visible.campaign
        self.entry = entry
        self.winners = winners
        tables = [change.before for change in entry.changes if is_battle(change.key)]
        self.table: Mapping[str, object] = next((table for table in tables if isinstance(table, dict)), {})
        sides = fighting_sides(entry)
        self.sides: list[Sequence[str]] = [sides.get(key, [key]) for key in seats]
        self.stake = str(self.table.get("stakes", ""))
        self.place = self.place_name(self.stake or str(self.table.get("place", "")))

    def place_name(self, key: str) -> str:
        is_known = key in self.campaign.locations
        return str(mid_sentence(clean(self.campaign.location_name(key)))) if is_known else ""

    def before(self, key: Key, today: object) -> object:
        return self.stories.value_before(key, self.entry.revision, today)

    def when(self) -> str:
        """Return the name and the dates of the turn in which the battle was fought."""
        turn = self.before(("turn",), self.campaign.turn)
        name = self.before(("turn_name",), self.campaign.turn_name)
        return clean(self.campaign.when(int(str(turn or 0)), str(name or "")))

    def words(self) -> list[str]:
        """Return the sentences that the umpire wrote about the battle."""
        texts = [str(self.table.get("note", "")), self.entry.text]
        return [as_sentence(clean(text)) for text in texts if text.strip() and not is_private(text)]

    def shorts(self) -> list[str]:
        """Return the short name of each side.

        If a side has no short name of its own, or consists of several forces, its name is "". The story then
        finds a short name.
        """
        names = self.table.get("names", {})
        shorts = []
        for forces in self.sides:
            force = self.campaign.forces.get(forces[0])
            is_named = isinstance(names, dict) and forces[0] in names
            own = force.short if force and len(forces) == 1 and not is_named else None
            shorts.append(clean(own or ""))
        return shorts

    def seat_of(self, faction: object) -> int | None:
        """Return the number of the first side that fought for a faction, or None if no side did."""
        for seat, forces in enumerate(self.sides):
            if any(faction == self.faction_of(force) for force in forces):
                return seat
        return None

    def faction_of(self, force: str) -> object:
        is_known = self.campaign.forces.get(force)
        return self.before(("forces", force, "faction"), is_known.faction if is_known else "")

    def holder(self) -> list[Fact]:
        """Return a fact about who held the place at stake before the battle."""
        if not self.stake or not self.place:
            return []
        owner = self.before(("locations", self.stake, "owner"), self.campaign.locations[self.stake].owner)
        if not owner:
            return [Fact("open_place", {"place": self.place})]
        seat = self.seat_of(owner)
        return [] if seat is None else [Fact("holds_place", {"place": self.place, "side": Name(seat)})]

    def aftermath(self) -> list[Fact]:
        """Return facts about who held the place at stake after the battle, and about destroyed sides."""
        facts = []
        winner = self.winners[0] if len(self.winners) == 1 else None
        if self.stake and self.place and winner is not None:
            facts += self.holder_now(winner)
        for seat, forces in enumerate(self.sides):
            ended = [key for key in forces if self.is_destroyed_now(key)]
            if len(ended) == len(forces):
                facts.append(Fact("destroyed", {"side": Name(seat)}))
        return facts

    def holder_now(self, winner: int) -> list[Fact]:
        """Return a fact about who holds the place at stake after a battle that only one side won."""
        key = ("locations", self.stake, "owner")
        fields: dict[str, FactValue] = {"place": self.place, "side": Name(winner)}
        changed = next((change for change in self.entry.changes if change.key == key), None)
        if changed is None:
            owner = self.before(key, self.campaign.locations[self.stake].owner)
            return [Fact("place_held", fields)] if owner and self.seat_of(owner) == winner else []
        if changed.after is None or self.seat_of(changed.after) != winner:
            return []
        loser = self.seat_of(changed.before) if changed.before else None
        if loser is None or loser == winner:
            return [Fact("place_taken", fields)]
        return [Fact("place_taken_from", {**fields, "rival": Name(loser)})]

    def is_destroyed_now(self, force: str) -> bool:
        return any(
            change.key == ("forces", force, "destroyed") and change.after for change in self.entry.changes
        )

    def strengths(self) -> list[int]:
        """Return the strength of each side before the battle, or 0 if the reader does not know it."""
        return [self.strength_of(forces) for forces in self.sides]

    def strength_of(self, forces: Sequence[str]) -> int:
        """Return the total strength of `forces` before the battle.

        The total is 0 if the strength of any force is unknown.
        """
        numbers = [self.strength_before(force) for force in forces]
        return sum(number for number in numbers if number) if None not in numbers else 0

    def strength_before(self, force: str) -> int | None:
        """Return the strength of a force before the battle, or None if the reader may not know it exactly.

        A reader with a partial view does not know every change of a force that changed sides in this battle
        or later.
        """
        has_changed_sides = any(
            past.revision >= self.entry.revision
            for past in self.stories.past.get(("forces", force, "faction"), [])
        )
        estimate = self.visible.strengths.get(force)
        if estimate is None or estimate.is_rough or (has_changed_sides and not self.visible.is_whole):
            return None
        value = self.before(("forces", force, "strength"), estimate.number)
        return value if isinstance(value, int) else None

    def casualties(self) -> list[tuple[int, int]]:
        """Return a pair (losses, strength before the battle) for each side.

        The list is empty if the reader does not know all these numbers.
        """
        strengths = self.strengths()
        lost = [sum(map(self.lost_by, forces)) for forces in self.sides]
        if not all(strengths) or any(number < 0 for number in lost):
            return []
        return list(zip(lost, strengths, strict=True))

    def units(self) -> list[UnitLoss]:
        """Return the losses of those units that the reader may know about."""
        return [UnitLoss(clean(name), lost, of) for _, name, lost, of in unit_losses(self.entry.changes)]

    def lost_by(self, force: str) -> int:
        """Return the strength that a force lost in the battle."""
        key = ("forces", force, "strength")
        numbers = [(change.before, change.after) for change in self.entry.changes if change.key == key]
        return sum(int(str(before or 0)) - int(str(after or 0)) for before, after in numbers)


def as_sentence(text: str) -> str:
    """Return a text with a full stop at its end, unless it already ends with punctuation.

    >>> as_sentence("fought in the dark"), as_sentence("Who was it?")
    ('fought in the dark.', 'Who was it?')
    """
    stripped = text.strip()
    return stripped if stripped.endswith((".", "!", "?", "…", '"', "”", "'", "’", ")")) else f"{stripped}."

"""What a reader knows of the earlier battles of a campaign: meetings, captures, scores."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate, groupby, permutations, product
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.ledger import AFTERMATH, BATTLES, TURNS
from cardbattle.campaign.ledger.timeline import list_or_empty
from cardbattle.campaign.state.apply import DECLINED
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.visibility.past_values import PastValue, value_before
from cardbattle.campaign.visibility.reader import fighting_sides
from cardbattle.campaign.visibility.redaction import is_peace
from cardbattle.core.names import clean
from cardbattle.core.telling import winners_to_name
from cardbattle.story.rotation import Ordinals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change, Key
    from cardbattle.campaign.visibility.reader import VisibleCampaign

ABSENT = ("fallen", "prisoner_of")  # what keeps a leader from leading
REVISION = attrgetter("revision")
AND = " and "  # joins the forces of a side in its key


class Fight(NamedTuple):
    """An earlier battle. `sides` and `winners` have the keys of the forces of each side.

    `defender` has the forces of the side that held the place when the others came, or is empty if no side
    did, or if this is not known.
    """

    revision: int
    place: str
    sides: Sequence[Sequence[str]]
    winners: Sequence[Sequence[str]]
    defender: Sequence[str]

    @property
    def forces(self) -> list[str]:
        return [force for side in self.sides for force in side]

    def has_won(self, force: str) -> bool | None:
        """Return True if a force won, False if it lost, and None if the battle was drawn or shared."""
        if len(self.winners) != 1:
            return None
        return force in self.winners[0]

    def is_alone(self, force: str) -> bool:
        """Return True if a force was the only one of its side."""
        return any([*side] == [force] for side in self.sides)

    def pairs(self) -> list[str]:
        """Return "SIDE against SIDE" for each two sides, in both orders."""
        return [pair_of(side_key(side), side_key(rivals)) for side, rivals in permutations(self.sides, 2)]


class Capture(NamedTuple):
    """A place that passed from one faction to another in a battle. `forces` has the keys of the winners."""

    revision: int
    place: str
    loser: str
    taker: str
    forces: Sequence[str]


class Score(NamedTuple):
    """How often a side beat another one, and was beaten by it, in their battles against each other.

    Draws, and victories of a third side, count only as battles. In a `shared` victory, both have won.
    """

    wins: int
    losses: int
    shared: int
    battles: int


class KnownPast:
    """The ledger of a campaign as one reader knows it, indexed by values, forces, places and battles.

    Attributes:
        entries: the entries by revision.
        undone: the revisions of the entries that were undone.
        values: the values that each key had before.
        fights: the battles in order, by the key of each force that fought, and by "at PLACE", "SIDE against
            SIDE", "FACTION with FACTION" (on one side), "FACTION won at PLACE", "FACTION held at PLACE"
            (without a victory), and "FACTION failed at PLACE" (which came for it). A side has the key of
            `side_key`, or of `side_of`. "SIDE met SIDE" also has the battles that other forces fought beside
            them.
        won_first, lost_first: the number of battles that each force won, or lost, before the first battle
            that ended otherwise.
        aftermaths: the entries about the consequences of each battle, by its id.
        ordinals: the number of each battle by its revision. Battles that were undone have numbers, too.
        began: the revision of the first battle or turn. Earlier edits set up the campaign.
        captures: the places that battles transferred from one faction to another, in order, by place, and by
            "FACTION lost", "FACTION lost PLACE" and "FACTION at PLACE" (which lost or took the place).
        treaties: the revisions with which two factions made or ended a peace.

    """

    def __init__(self, visible: VisibleCampaign) -> None:
        self.visible = visible
        self.entries = {entry.revision: entry for entry in visible.entries}
        self.values: dict[Key, list[PastValue]] = {}
        self.fights: dict[str, list[Fight]] = {}
        self.won_first: Counter[str] = Counter()
        self.lost_first: Counter[str] = Counter()
        self.aftermaths: dict[str, list[Entry]] = {}
        self.captures: dict[str, list[Capture]] = {}
        self.treaties: dict[frozenset[str], list[int]] = {}
        self.scores: dict[str, list[Score]] = {}  # of `scores_of`, by pair
        self.streaks: dict[str, list[int]] = {}  # of `streaks_of`, by force
        self.ordinals = dict(ordinals_of([entry for entry in visible.entries if entry.kind in BATTLES]))
        self.began = next((n for n, entry in self.entries.items() if entry.kind in (*BATTLES, "turn")), inf)
        self.undone = visible.ledger.undone_revisions
        for entry in self.entries.values():
            for change in entry.changes:
                self.values.setdefault(change.key, []).append(PastValue(entry.revision, change.before))
            self.add_treaties(entry)
        for entry in self.entries.values():
            if entry.revision in self.undone:
                continue
            if entry.kind == AFTERMATH:
                self.aftermaths.setdefault(entry.id, []).append(entry)
            elif entry.kind in BATTLES and entry.kind != DECLINED and entry.result is not None:
                self.add_fight(entry)
        fights = {fight.revision: fight for fights in self.fights.values() for fight in fights}
        for _, fight in sorted(fights.items()):
            self.add_faction_pairs(fight)
            self.add_meetings(fight)
            self.add_alliances(fight)
        for place in [subject for subject in self.fights if subject.startswith("at ")]:
            for fight in self.fights[place]:
                self.add_attempts(place, fight)

    def add_fight(self, entry: Entry) -> None:
        assert entry.result is not None
        sides = fighting_sides(entry) or {key: [key] for key in entry.result.sides}
        winners = [sides.get(key, [key]) for key in winners_to_name(entry.result.winners, len(sides))]
        table = battle_table(entry)
        place = str(table.get("stakes") or table.get("place") or "")
        defender = self.defender_in(entry, place, sides)
        fight = Fight(entry.revision, place, list(sides.values()), winners, defender)
        for capture in captures_in(entry, [force for side in winners for force in side]):
            self.add_capture(capture)
        for force in fight.forces:
            self.add_outcome(force, fight)
        for subject in [*fight.forces, f"at {place}", *fight.pairs()]:
            self.fights.setdefault(subject, []).append(fight)

    def add_capture(self, capture: Capture) -> None:
        place, loser, taker = capture.place, capture.loser, capture.taker
        at_place = dict.fromkeys(f"{faction} at {place}" for faction in (loser, taker))
        for subject in [place, f"{loser} lost", f"{loser} lost {place}", *at_place]:
            self.captures.setdefault(subject, []).append(capture)

    def add_attempts(self, place: str, fight: Fight) -> None:
        """Add a battle for a place to the index by the factions that won it, or that came for it in vain.

        The owner of the place has not come for it, nor has a faction with forces in the side that held it.
        """
        won = fight.winners[0] if len(fight.winners) == 1 else ()
        victors = {self.faction_then(force, fight.revision) for force in won}
        held = {self.faction_then(force, fight.revision) for force in fight.defender}
        held.add(self.owner_then(fight.place, fight.revision))
        for faction in dict.fromkeys(self.faction_then(force, fight.revision) for force in fight.forces):
            outcome = "won" if faction in victors else "held" if faction in held else "failed"
            self.fights.setdefault(f"{faction} {outcome} {place}", []).append(fight)

    def add_faction_pairs(self, fight: Fight) -> None:
        """Add a battle to the index by the factions of the sides that fought against each other."""
        names = [{side_key(side), self.side_of(fight, side)} for side in fight.sides]
        for one, other in permutations(names, 2):
            pairs = {pair_of(*pair) for pair in product(one, other)}
            for pair in pairs.difference(fight.pairs()):
                self.fights.setdefault(pair, []).append(fight)

    def add_meetings(self, fight: Fight) -> None:
        """Add a battle to the index by all forces and factions that fought against each other."""
        for one, other in permutations([self.subjects_in(fight, side) for side in fight.sides], 2):
            for pair in product(one, other):
                self.fights.setdefault(meeting_of(*pair), []).append(fight)

    def add_alliances(self, fight: Fight) -> None:
        """Add a battle to the index by the factions that fought on one side."""
        for side in fight.sides:
            factions = dict.fromkeys(self.faction_then(force, fight.revision) for force in side)
            for one, other in permutations(factions, 2):
                self.fights.setdefault(f"{one} with {other}", []).append(fight)

    def add_treaties(self, entry: Entry) -> None:
        """Add the factions that made or ended a peace, as far as the reader knows."""
        for change in entry.changes if self.is_valid(entry.revision) else ():
            if is_peace(change.key):
                for friend in {*list_or_empty(change.before)} ^ {*list_or_empty(change.after)}:
                    pair = frozenset((change.key[1], str(friend)))
                    self.treaties.setdefault(pair, []).append(entry.revision)

    def side_of(self, fight: Fight, forces: Sequence[str]) -> str:
        """Return "faction FACTION" for a side of a battle, or its `side_key` if it had several factions."""
        factions = {self.faction_then(force, fight.revision) for force in forces}
        return f"faction {factions.pop()}" if len(factions) == 1 else side_key(forces)

    def subjects_in(self, fight: Fight, side: Sequence[str]) -> set[str]:
        """Return the keys of a side of a battle, and of each of its forces and factions."""
        factions = {f"faction {self.faction_then(force, fight.revision)}" for force in side}
        return {side_key(side), *side, *factions}

    def faction_then(self, force: str, revision: int) -> str:
        """Return the key of the faction of a force just before `revision`, or ""."""
        today = self.visible.campaign.forces.get(force)
        return str(self.value_before(("forces", force, "faction"), revision, today.faction if today else ""))

    def owner_then(self, place: str, revision: int) -> str:
        """Return the key of the faction that owned a place just before `revision`, or ""."""
        today = self.visible.campaign.locations.get(place)
        return str(self.value_before(("locations", place, "owner"), revision, today and today.owner) or "")

    def has_movement(self, revision: int) -> bool:
        """Return True if forces moved by their orders when an entry was recorded."""
        movement = self.visible.campaign.movement
        today = None if movement is None else movement.allowance
        return self.visible.setting_then(("movement", "allowance"), revision, today) is not None

    def defender_in(self, entry: Entry, place: str, sides: Mapping[str, Sequence[str]]) -> Sequence[str]:
        """Return the forces of the side that held the place of a battle when the others came.

        The battle names this side as its defender. If it names none, its forces came at the same time, or
        stood there together before, and no side counts. In a campaign without movement, nobody knows who
        came, so it is the side that fights for the owner of the place.
        """
        named = battle_table(entry).get("defender")
        if named or self.has_movement(entry.revision):
            return sides.get(str(named or ""), ())
        owner = self.owner_then(place, entry.revision)
        defenders = (
            forces
            for forces in sides.values()
            if owner and any(self.faction_then(force, entry.revision) == owner for force in forces)
        )
        return next(defenders, ())

    def leader_then(self, force: str, revision: int) -> str:
        """Return the leader of a force just before `revision`, or "" without a free and living leader."""
        today = self.visible.campaign.forces.get(force)
        if today is None or any(
            self.value_before(("forces", force, word), revision, getattr(today, word)) for word in ABSENT
        ):
            return ""
        return clean(str(self.value_before(("forces", force, "leader"), revision, today.leader) or ""))

    def has_led(self, force: str, fights: Sequence[Fight], revision: int) -> bool:
        """Return True if the leader of a force at `revision` also led it, alone, in these battles."""
        leader = self.leader_then(force, revision)
        return bool(leader) and all(
            fight.is_alone(force) and self.leader_then(force, fight.revision) == leader for fight in fights
        )

    def add_outcome(self, force: str, fight: Fight) -> None:
        """Count a battle if the force won all its battles so far, or lost all of them."""
        earlier = len(self.fights.get(force, ()))
        if any(force in side for side in fight.winners):
            self.won_first[force] += self.won_first[force] == earlier
        elif fight.winners:
            self.lost_first[force] += self.lost_first[force] == earlier

    def of(self, entry: Entry) -> list[Fight]:
        """Return the fight that an entry recorded, as a list, which is empty for a declined battle."""
        subjects = fighting_sides(entry) or dict.fromkeys(entry.result.sides if entry.result else ())
        fights = (fight for subject in subjects for fight in self.fights.get(subject, ()))
        return [fight for fight in fights if fight.revision == entry.revision][:1]

    def aftermath_of(self, fight: Fight) -> Sequence[Change]:
        """Return the changes that followed an earlier battle."""
        entries = self.aftermaths.get(self.entries[fight.revision].id, ())
        return [change for entry in entries if entry.revision > fight.revision for change in entry.changes]

    def capture_at(self, fight: Fight) -> Capture | None:
        """Return the capture of the place for which an earlier battle was fought, or None."""
        captures = self.captures.get(fight.place, [])
        at = bisect_left(captures, fight.revision, key=REVISION)
        return captures[at] if at < len(captures) and captures[at].revision == fight.revision else None

    def start_of(self, entry: Entry) -> int:
        """Return the revision of the first battle that was recorded after the movement made a battle."""
        first = bisect_right(self.battles, self.visible.ledger.contact_by_battle[entry.id])
        return min([*self.battles[first : first + 1], entry.revision])

    @cached_property
    def battles(self) -> list[int]:
        """The revisions of all recorded battles that were not undone, in order."""
        return sorted(self.visible.ledger.revision_by_battle.values())

    def is_valid(self, revision: int) -> bool:
        """Return False for an entry that was undone, and for an undo or a redo."""
        return self.entries[revision].kind not in TURNS and revision not in self.undone

    def changes_of_owner(self, place: str) -> int:
        """Return how often a place has passed from one faction to another, without what was undone."""
        key = ("locations", place, "owner")
        changes = (
            change
            for entry in self.entries.values()
            if self.is_valid(entry.revision)
            for change in entry.changes
        )
        return sum(change.key == key and bool(change.before and change.after) for change in changes)

    def is_winner(self, subject: str, fight: Fight) -> bool:
        """Return True if a side or "faction FACTION" won a battle, alone or with other sides."""
        return any(subject in (side_key(side), self.side_of(fight, side)) for side in fight.winners)

    def has_won(self, subject: str, fight: Fight) -> bool | None:
        """Return True if a side or "faction FACTION" won a battle, and None without a single winner."""
        return self.is_winner(subject, fight) if len(fight.winners) == 1 else None

    def scores_of(self, subject: str, rival: str) -> Sequence[Score]:
        """Return the score of a side against another one before their first battle, and after each battle.

        Each side is the key of its forces, or "faction FACTION". The scores are counted once, because the
        story of each battle of the two sides needs one of them.
        """
        pair = pair_of(subject, rival)
        if pair not in self.scores:
            won = [
                (self.is_winner(subject, fight), self.is_winner(rival, fight))
                for fight in self.fights.get(pair, ())
            ]
            wins = accumulate((outcome == (True, False) for outcome in won), initial=0)
            losses = accumulate((outcome == (False, True) for outcome in won), initial=0)
            shared = accumulate((all(outcome) for outcome in won), initial=0)
            self.scores[pair] = list(map(Score, wins, losses, shared, range(len(won) + 1)))
        return self.scores[pair]

    def streaks_of(self, force: str) -> Sequence[int]:
        """Return for each battle of a force how many in a row, up to this one, ended in the same way."""
        if force not in self.streaks:
            outcomes = [fight.has_won(force) for fight in self.fights.get(force, ())]
            self.streaks[force] = [n for _, equal in groupby(outcomes) for n, _ in enumerate(equal, 1)]
        return self.streaks[force]

    def value_before(self, key: Key, revision: int, today: object) -> object:
        """Return the value that a key had just before `revision`; `today` is the present value of the key."""
        return value_before(self.values, key, revision, today)


def side_key(forces: Sequence[str]) -> str:
    """Return the key of a side: what one of its forces did with others, or alone, is not what the side did.

    >>> side_key(["rangers", "foresters"]), side_key(["rangers"])
    ('foresters and rangers', 'rangers')
    """
    return AND.join(sorted(forces))


def pair_of(first: str, second: str) -> str:
    """Return the index of the battles of two sides against each other."""
    return f"{first} against {second}"


def meeting_of(first: str, second: str) -> str:
    """Return the index of the battles of two sides against each other, also together with others."""
    return f"{first} met {second}"


def captures_in(entry: Entry, winners: Sequence[str]) -> list[Capture]:
    """Return the places that a battle transferred from one faction to another."""
    return [
        Capture(entry.revision, change.key[1], str(change.before), str(change.after), winners)
        for change in entry.changes
        if change.key[0] == "locations" and change.key[2:] == ("owner",) and change.before and change.after
    ]


def ordinals_of(battles: Sequence[Entry]) -> Iterator[tuple[int, Ordinals]]:
    """Yield the revision and the numbers of each battle.

    Battles whose tables name no rule set use the rules of their campaign, and are counted together.
    """
    counts: Counter[str] = Counter()
    for number, entry in enumerate(battles):
        rules = str(battle_table(entry).get("rules", ""))
        yield entry.revision, Ordinals(number, counts[rules])
        counts[rules] += 1


def battle_table(entry: Entry) -> Mapping[str, object]:
    """Return the table of the battle that an entry took from the campaign file, or an empty table."""
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    return next((table for table in tables if isinstance(table, dict)), {})

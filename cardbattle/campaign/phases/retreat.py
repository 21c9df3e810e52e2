"""Choose the retreat of a beaten force, away from the enemy and towards the nearest friendly place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from cardbattle.campaign.exchange.order_book import changes_to, has_substitute
from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import MISSED, Entry, Ledger
from cardbattle.campaign.phases.enemy_ways import companions_of, places_they_came_from
from cardbattle.campaign.phases.phase import Situation
from cardbattle.campaign.state.changes import Key
from cardbattle.campaign.state.model import Campaign, Force
from cardbattle.campaign.state.tables.aftermath import CHOOSE, DESTROYED, PREVIOUS, STAYS, SURRENDERS
from cardbattle.campaign.state.tables.march_orders import closed_places_in, last_place_in
from cardbattle.campaign.state.tables.movement import ROAD_AND_PLACE
from cardbattle.campaign.visibility.reader import ALL, visible_to
from cardbattle.core.grammar import mid_sentence, with_verb
from cardbattle.core.names import listed, nearest, quoted
from cardbattle.core.telling import counted

FAR = 10**9
FULL, CLOSED, CAME_FROM = "is full", "is closed", "is where the enemy came from"  # reasons against a place
BARRED = "lies behind an enemy on the road"


class Candidate(NamedTuple):
    """A place that a force can retreat to. Sorting a list of candidates puts the best place first."""

    is_hostile: bool
    to_own_place: int
    length: int
    place: str

    def words(self, campaign: Campaign) -> str:
        """Describe the place and its distance from a place of the force's faction."""
        name = mid_sentence(campaign.location_name(self.place))
        if not self.to_own_place:
            return f"{name} (its own)"
        if self.to_own_place >= FAR:
            return f"{name} (cut off from places of its own)"
        return f"{name} ({counted(self.to_own_place, 'step')} from a place of its own)"


class ChosenRetreats(NamedTuple):
    """The retreats after the battles of this turn that are chosen and not yet recorded, by force.

    Attributes:
        done: retreats that are already computed. The forces are at their new places.
        later: retreats that are computed later. Until then, the forces are at their old places.
        reserved: retreats of forces with only one way out. They are computed later, and come before all
            choices.
        beaten: the forces that will leave their places. They do not close a place, even before they choose.
        cornered: the forces that must leave their places, but stay because they have no way out.

    """

    done: Mapping[str, str] = {}
    later: Mapping[str, str] = {}
    reserved: Mapping[str, str] = {}
    beaten: Set[str] = frozenset()
    cornered: Set[str] = frozenset()

    @property
    def forces(self) -> Set[str]:
        return {*self.done, *self.later}

    @property
    def leaving(self) -> Set[str]:
        """The forces that must leave their places, and whose new places are not known yet."""
        return self.beaten - self.forces - self.reserved.keys()

    def without(self, force: str) -> ChosenRetreats:
        """Return the retreats without the one of this force, unless it is done."""
        later, reserved = (
            {key: place for key, place in retreats.items() if key != force}
            for retreats in (self.later, self.reserved)
        )
        return self._replace(later=later, reserved=reserved, beaten=self.beaten - {force})

    def arrived(self, campaign: Campaign) -> Campaign:
        """Return the campaign with all of these forces at their new places."""
        values: dict[Key, object] = {}
        for force, place in {**self.later, **self.reserved}.items():
            values |= {("forces", force, "location"): place}
            values |= {("forces", force, word): None for word in ("towards", "walked")}
        return campaign.after(changes_to(campaign, values)) if values else campaign


NO_RETREATS = ChosenRetreats()


class Ways(NamedTuple):
    """The places next to a beaten force.

    Attributes:
        candidates: the places that it can retreat to. The best place comes first.
        refused: the reasons against other places, by place.
        taken: the refused places that only the chosen retreats of other forces close.
        reserved: the refused places that are the only way out of other forces.

    """

    candidates: Sequence[Candidate]
    refused: Mapping[str, str]
    taken: Set[str]
    reserved: Set[str] = frozenset()

    @property
    def closed(self) -> Set[str]:
        """The refused places that only the retreats of other forces close."""
        return self.taken | self.reserved

    @property
    def is_choice(self) -> bool:
        """Whether there are several places, including those that others have chosen first."""
        return len(self.candidates) + len(self.taken) > 1


class RetreatQuestion(NamedTuple):
    """A beaten force whose player chooses where it retreats, or has no choice.

    Attributes:
        battle: the id of the lost battle.
        force: the key of the force.
        enemies: the forces of the other sides.
        places: the places that it can retreat to, if there is a choice. The best place comes first.
        refused: the reasons against its other neighbouring places, by place.
        choice: the chosen place, or "" without a valid choice yet.
        wrong: a chosen place that is not possible, or "".
        campaign: the campaign before this retreat. Retreats from earlier battles of the turn are over.
        chosen: the retreats of other forces that are chosen or reserved, and not yet recorded.
        suggested: the place for the umpire's next command, or "" for the best place.

    """

    battle: str
    force: str
    enemies: Sequence[str]
    places: Sequence[str]
    refused: Mapping[str, str]
    choice: str
    wrong: str
    campaign: Campaign
    chosen: ChosenRetreats
    suggested: str = ""

    @property
    def option(self) -> str:
        """The option of `campaign advance` that chooses the suggested place."""
        return f"--retreat {self.force}={self.suggested or self.places[0]}"

    def words(self, campaign: Campaign) -> str:
        """Say to the umpire where the force can retreat, with the commands to ask or to choose.

        Players choose when no battle is pending. The umpire chooses for a substitute.
        """
        why = self.refused.get(self.wrong)
        hint = f": it {why}" if why else nearest(self.wrong, self.places)
        wrong = f"; {quoted(self.wrong)} is not one of them{hint}" if self.wrong else ""
        places = listed((mid_sentence(campaign.location_name(place)) for place in self.places), "or")
        name = mid_sentence(campaign.display_name(self.force))
        place = self.suggested if self.suggested in self.places else self.places[0]
        how = f"choose with: cardbattle campaign advance --retreat {self.force}={place}"
        is_asked = not campaign.pending and not has_substitute(campaign, campaign.forces[self.force].faction)
        ask = f"{ASK}, or " if is_asked else ""
        return f"battle {self.battle}: {name} must retreat to {places}{wrong}; {ask}{how}"


ASK = "ask its player with: cardbattle campaign orders ask"
ENDS = {DESTROYED: "is destroyed|are destroyed", SURRENDERS: "surrenders|surrender", STAYS: "stays|stay"}


def no_retreat_notes(campaign: Campaign, forced: Iterable[RetreatQuestion]) -> list[str]:
    """Return a note for the umpire about each beaten force that has no way out. `forced` have no choice."""
    settings = campaign.aftermath
    end, ends = ENDS[settings.no_retreat if settings else STAYS].split("|")
    forms = f"has no way out and {end}|have no way out and {ends}"
    return [
        f"battle {each.battle}: {with_verb(mid_sentence(campaign.display_name(each.force)), forms)}"
        for each in forced
        if not each.choice
    ]


class Retreat(NamedTuple):
    """The retreat of a force, and the reason for it.

    If `place` is empty, the force cannot retreat, unless `places` are the places from which its player must
    choose. If the player has chosen, `places` are given too. `refused` are the reasons against other places,
    and `others` are the chosen retreats of other forces that were considered.
    """

    place: str
    why: str
    places: Sequence[str] = ()
    refused: Mapping[str, str] = {}
    wrong: str = ""
    others: ChosenRetreats = NO_RETREATS


def choose_retreat(
    situation: Situation, force: str, enemies: Collection[str], other_retreats: ChosenRetreats = NO_RETREATS
) -> Retreat:
    """Return the retreat of a force from its place. On a road, the force can return to its last place.

    The force does not retreat by a road on which one of the `enemies` came in this turn. `other_retreats` are
    the chosen retreats of other forces. A player who has chosen a place first keeps it, unless no place would
    be left for the force. The only way out of another force is never a choice.
    """
    campaign = situation.campaign
    assert campaign.aftermath is not None
    ways = candidates_of(situation, force, enemies, other_retreats)
    if not ways.candidates and other_retreats.later:
        other_retreats = other_retreats._replace(later={})
        ways = candidates_of(situation, force, enemies, other_retreats)
    candidates, refused = ways.candidates, ways.refused
    if not candidates:
        against = "; ".join(
            f"{mid_sentence(campaign.location_name(place))} {why}" for place, why in refused.items()
        )
        why = f"no way out: {against}" if against else "no road leads away"
        return Retreat("", why, refused=refused)
    best = candidates[0]
    choices = listed((candidate.words(campaign) for candidate in candidates), "or")
    if campaign.aftermath.retreat == CHOOSE and (
        ways.is_choice
        or campaign.forces[force].retreat is not None
        or is_choice_to_player(situation, force, enemies, other_retreats)
    ):
        return chosen(situation, force, candidates)._replace(refused=refused, others=other_retreats)
    if campaign.aftermath.retreat == PREVIOUS:
        came_from = previous_place(situation, force)
        if came_from in [candidate.place for candidate in candidates]:
            return Retreat(came_from, "it goes back where it came from")
    if len(candidates) == 1:
        against = "".join(
            f"; {mid_sentence(campaign.location_name(place))} {refused[place]}" for place in ways.reserved
        )
        return Retreat(best.place, f"the only way out: {best.words(campaign)}{against}", refused=refused)
    return Retreat(best.place, f"the best of {choices}")


def is_choice_to_player(
    situation: Situation, force: str, enemies: Collection[str], other_retreats: ChosenRetreats
) -> bool:
    """Return True if the player of a force knows several places to which it can retreat.

    An unseen enemy, or the road by which one came, can close some of them. The player is asked all the same,
    because a missing question would reveal this.
    """
    campaign = situation.campaign
    if campaign.visibility.location == ALL or has_substitute(campaign, campaign.forces[force].faction):
        return False
    return ways_seen(campaign, situation.ledger, situation.entries, force, enemies, other_retreats).is_choice


def ways_seen(
    campaign: Campaign,
    ledger: Ledger,
    entries: Sequence[Entry],
    force: str,
    enemies: Collection[str],
    other_retreats: ChosenRetreats,
) -> Ways:
    """Return the places to which a force can retreat as far as its player knows.

    `entries` are the valid entries of this turn. Forces and marches that are hidden from the player do not
    count, and each beaten force counts as leaving its place, because the player does not know whether it is
    cornered. Which enemy has chosen a place is hidden until the retreats are carried out, so the place is
    only closed. A place that was refused before, to this force or to another one of the player that lost the
    same battle, is closed as long as it is not possible. A place from which an enemy must have come is left
    out. The last place is left out only if no other road can have led the enemy here.
    """
    known_retreats = other_retreats._replace(beaten=other_retreats.beaten | other_retreats.cornered)
    visible = visible_to(campaign, ledger, campaign.forces[force].faction)
    revisions = {entry.revision for entry in entries}
    known = [entry for entry in visible.entries if entry.revision in revisions]
    arrived = visible
    if other_retreats.later or other_retreats.reserved:
        arrived = visible_to(other_retreats.arrived(campaign), ledger, campaign.forces[force].faction)
    situation = Situation(visible.campaign, visible.ledger, known)
    ways = candidates_of(situation, force, enemies, known_retreats, arrived.campaign)
    inferred = places_they_came_from(campaign, entries, force, enemies, other_retreats.done)
    left = [candidate for candidate in ways.candidates if candidate.place not in inferred]
    only = ways.candidates[0].place if len(ways.candidates) == 1 else ""
    is_certain = only in inferred and only in places_they_came_from(
        campaign, entries, force, enemies, other_retreats.done, at_any_pace=True
    )
    if (left or is_certain) and len(left) < len(ways.candidates):
        refused = {place: CAME_FROM for place in inferred if place not in ways.refused}
        ways = ways._replace(candidates=left, refused={**ways.refused, **refused})
    closed = {place: CLOSED for place in ways.closed if ways.refused[place] != FULL}
    ways = ways._replace(refused={**ways.refused, **closed})
    refused_before = places_refused_before(entries, beaten_together(campaign, entries, force))
    if not refused_before:
        return ways
    truth = candidates_of(Situation(campaign, ledger, entries), force, enemies, other_retreats)
    learned = [place for place in truth.refused if place in refused_before and place not in ways.refused]
    left = [candidate for candidate in ways.candidates if candidate.place not in learned]
    refused = {**ways.refused, **dict.fromkeys(learned, CLOSED)}
    return Ways(left, refused, ways.taken | {*learned}, ways.reserved)


def beaten_together(campaign: Campaign, entries: Sequence[Entry], force: str) -> list[str]:
    """Return the forces of the same faction that lost the same battle of this turn."""
    side = [key for key in companions_of(entries, force) if key in campaign.forces]
    return [key for key in side if campaign.forces[key].faction == campaign.forces[force].faction]


def places_refused_before(entries: Sequence[Entry], forces: Collection[str]) -> set[str]:
    """Return the places that were refused to the player of beaten forces since the last battle."""
    places: set[str] = set()
    for entry in reversed(entries):
        if entry.result is not None:
            break
        for change in entry.changes:
            if change.key in [("forces", force, "retreat") for force in forces]:
                places.update(closed_places_in(change.text))
    return places


def chosen(situation: Situation, force: str, candidates: Sequence[Candidate]) -> Retreat:
    """Return the retreat that the umpire or the player has chosen, or the places to choose from."""
    places = [candidate.place for candidate in candidates]
    choice = choice_of(situation, force)
    if choice in places:
        return Retreat(choice, reason_of_choice(situation, force, candidates), places)
    return Retreat("", "", places, wrong=choice)


def reason_of_choice(situation: Situation, force: str, candidates: Sequence[Candidate]) -> str:
    """Say to the umpire who has chosen the retreat of a force, and among which places.

    After a missed deadline, nobody has chosen, and the best place counts.
    """
    campaign = situation.campaign
    words = [candidate.words(campaign) for candidate in candidates]
    if force not in situation.choices and is_after_deadline(situation.entries, force):
        best = f"the best of {listed(words, 'or')}" if len(words) > 1 else f"the only way out: {words[0]}"
        return f"no answer came in time; {best}"
    if len(words) == 1:
        return f"chosen, and now the only way out: {words[0]}"
    places = mid_sentence(listed(campaign.location_name(candidate.place) for candidate in candidates))
    return f"chosen among {places}"


def is_after_deadline(entries: Sequence[Entry], force: str) -> bool:
    """Return True if the last chosen retreat of a force was recorded because a deadline was missed."""
    kinds = (
        entry.kind
        for entry in reversed(entries)
        if any(change.key == ("forces", force, "retreat") for change in entry.changes)
    )
    return next(kinds, "") == MISSED


def choice_of(situation: Situation, force: str) -> str:
    """Return the place that the umpire or the player has chosen for the retreat of a force, or ""."""
    return situation.choices.get(force) or situation.campaign.forces[force].retreat or ""


def candidates_of(
    situation: Situation,
    force: str,
    enemies: Collection[str],
    other_retreats: ChosenRetreats = NO_RETREATS,
    arrived: Campaign | None = None,
) -> Ways:
    """Return the places that a force can retreat to, and the reasons against other places.

    `other_retreats` are the chosen retreats of other forces, and `arrived` is the campaign with them carried
    out, if the caller knows it.
    """
    campaign = arrived or other_retreats.arrived(situation.campaign)
    part = campaign.forces[force]
    start = part.location or ""
    came_from = {
        place_left_this_turn(situation, enemy) for enemy in enemies if not campaign.forces[enemy].towards
    }
    candidates: list[Candidate] = []
    refused: dict[str, str] = {}
    taken_places: set[str] = set()
    reserved: set[str] = set()
    ways = dict(campaign.roads.neighbours.get(start, {}))
    if part.towards is not None:
        ways, came_from = {end_to_retreat_to(campaign, force, enemies): 0}, set()
    came_from |= {place for place in ways if stands_between(campaign, force, enemies, place)}
    leaving = other_retreats.leaving
    others = [each for each in enemies_on_roads(campaign, part.faction) if each not in leaving]
    barred = {place for place in ways if stands_between(campaign, force, others, place)}
    roads = dict.fromkeys(barred, BARRED) | dict.fromkeys(came_from, CAME_FROM)
    for place, length in ways.items():
        if why := refusal(campaign, force, place, roads, leaving):
            refused[place] = why
            choices = other_retreats.forces | leaving
            if not refusal(campaign, force, place, roads, choices | other_retreats.reserved.keys()):
                is_choice = not refusal(campaign, force, place, roads, choices)
                (taken_places if is_choice else reserved).add(place)
                refused[place] = enemy_retreat_words(campaign, force, place, other_retreats) or why
            continue
        owner = campaign.locations[place].owner
        is_hostile = owner is not None and campaign.are_enemies(part.faction, owner)
        candidates.append(
            Candidate(is_hostile, distance_to_own(campaign, part.faction, place), length, place)
        )
    return Ways(sorted(candidates), refused, taken_places, reserved)


def enemy_retreat_words(campaign: Campaign, force: str, place: str, other_retreats: ChosenRetreats) -> str:
    """Say which enemies of a force retreat to a place, or return ""."""
    faction = campaign.forces[force].faction
    enemies = [
        mid_sentence(campaign.display_name(key))
        for key in standing_at(campaign, place)
        if key in other_retreats.forces | other_retreats.reserved.keys()
        and campaign.are_enemies(faction, campaign.forces[key].faction)
    ]
    return f"is taken by {listed(enemies)}" if enemies else ""


def refusal(
    campaign: Campaign,
    force: str,
    place: str,
    closed_roads: Mapping[str, str],
    without: Collection[str] = (),
) -> str:
    """Return why a force cannot retreat to a place, or "", not counting those in `without`.

    `closed_roads` are the reasons against the roads to places.
    """
    faction = campaign.forces[force].faction
    others = [key for key in standing_at(campaign, place) if key != force and key not in without]
    if any(campaign.are_enemies(faction, campaign.forces[key].faction) for key in others):
        return "is held by an enemy"
    if place in closed_roads:
        return closed_roads[place]
    limit = campaign.movement.stacking if campaign.movement else None
    if limit is not None and sum(campaign.forces[key].faction == faction for key in others) >= limit:
        return FULL
    return ""


def standing_at(campaign: Campaign, place: str) -> Iterator[str]:
    """Yield the forces in a place. Forces on a road from the place are left out."""
    return (
        key
        for key, force in campaign.forces.items()
        if force.location == place and not force.destroyed and force.towards is None
    )


def distance_to_own(campaign: Campaign, faction: str, start: str) -> int:
    """Return the number of steps from a place to the nearest place of a faction.

    The result is `FAR` if the faction has no place within reach.
    """
    own_places = [key for key, location in campaign.locations.items() if location.owner == faction]
    distances = campaign.roads.distances(start)
    return min((distances[key][0] for key in own_places if key in distances), default=FAR)


def end_to_retreat_to(campaign: Campaign, force: str, enemies: Collection[str]) -> str:
    """Return the end of the road to which a force on a road can retreat.

    It is the last place of the force, or the next one if all enemies on the road came from behind.
    """
    part = campaign.forces[force]
    last, ahead = part.location or "", part.towards or ""
    if stands_between(campaign, force, enemies, last) and not stands_between(campaign, force, enemies, ahead):
        return ahead
    return last


def stands_between(campaign: Campaign, force: str, enemies: Collection[str], place: str) -> bool:
    """Return True if one of the `enemies` is on the road between a force and a place next to it.

    For a force on a road, an enemy in the place itself counts too.
    """
    part = campaign.forces[force]
    ends = {part.location, part.towards or place}
    for enemy in (campaign.forces[key] for key in enemies if not campaign.forces[key].destroyed):
        if enemy.towards is None:
            if part.towards is not None and enemy.location == place:
                return True
        elif {enemy.location, enemy.towards} == ends and (
            part.towards is None or steps_to(campaign, enemy, place) < steps_to(campaign, part, place)
        ):
            return True
    return False


def enemies_on_roads(campaign: Campaign, faction: str) -> list[str]:
    """Return the enemies of a faction on roads, unless forces pass each other there."""
    if campaign.movement is not None and campaign.movement.contact != ROAD_AND_PLACE:
        return []
    return [
        key
        for key, force in campaign.forces.items()
        if force.towards is not None and campaign.are_enemies(faction, force.faction)
    ]


def steps_to(campaign: Campaign, force: Force, place: str) -> int:
    """Return the number of steps from a force on a road to one of its ends."""
    length = campaign.roads.length(force.location or "", force.towards or "")
    return force.walked if place == force.location else length - force.walked


def place_left_this_turn(situation: Situation, force: str) -> str:
    """Return the last place that a force left in this turn on its way, or "" if the force did not move.

    If the ledger does not name this place, it is the place where the march of this turn began.
    """
    key, location = ("forces", force, "location"), situation.campaign.forces[force].location
    for entry in reversed(situation.entries):
        for change in entry.changes:
            if change.key == key and change.after == location:
                return last_place_in(change.text) or str(change.before or "")
            noted = last_place_in(change.text) if change.key[1:2] == (force,) and change.key != key else ""
            if noted and change.key[0] in ("forces", "orders"):
                return noted
    return ""


def previous_place(situation: Situation, force: str) -> str:
    """Return the place where a force was before, or "" if the ledger does not record it."""
    if left := place_left_this_turn(situation, force):
        return left
    key, location = ("forces", force, "location"), situation.campaign.forces[force].location
    ledger, gone = situation.ledger, situation.ledger.undone_revisions
    for revision in range(ledger.whole_entries, 0, -1):
        if revision not in gone and ledger.heads.kinds[revision - 1] in MOVES:
            for change in entry_today(ledger, revision).changes:
                if change.key == key:
                    return str(change.before or "") if change.after == location else ""
    return ""


MOVES = ("movement", "move", "aftermath", "adjust", "edit")  # entries that change the position of a force

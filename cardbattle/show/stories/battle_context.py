"""What a campaign knows about a recorded battle: the place, the leaders, earlier battles and what followed.

Everything is limited to the facts that one reader may know.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

from cardbattle.campaign.league.pairing import is_round_note
from cardbattle.campaign.state.apply import DECLINED, attrition_rate, lasting_losses
from cardbattle.campaign.state.tables.aftermath import SURRENDERS
from cardbattle.campaign.visibility.past_values import with_removed_parts
from cardbattle.campaign.visibility.reader import fighting_sides
from cardbattle.campaign.visibility.redaction import is_private
from cardbattle.core.grammar import Noun, is_plural, mid_sentence
from cardbattle.core.names import clean, one_line
from cardbattle.core.telling import Estimate, Fact, Name, conditions
from cardbattle.show.pages.campaign.forces import unit_losses
from cardbattle.show.stories.known_past import ABSENT, REVISION, battle_table, meeting_of, pair_of, side_key
from cardbattle.story.naming import Joint, shorten
from cardbattle.story.stakes import THEN, UnitLoss

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.state.changes import Change, Key
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.core.telling import FactValue
    from cardbattle.show.stories.known_past import Capture, Fight, KnownPast, Score
    from cardbattle.story.language import Language

MOST_LISTED = 3  # maximum number of forces that a story lists as one side
MOST_ALLIES = 4  # maximum number of forces of several factions that a story lists completely
FEW_BATTLES = 3  # smallest number of battles that makes a record
CLEARLY = Fraction(1, 20)  # smallest difference of shares that readers see in the phrases


def road_of(campaign: Campaign, entry: Entry) -> str:
    """Return the road on which a battle was fought, for use inside a sentence, or ""."""
    ends = battle_table(entry).get("road")
    if not isinstance(ends, list | tuple) or not {*ends} <= {*campaign.locations}:
        return ""
    names = [str(mid_sentence(clean(campaign.location_name(end)))) for end in ends]
    return f"the road from {names[0]} to {names[-1]}"


def name_inside(name: Noun) -> Noun:
    """Return a printable name for use inside a sentence, with its number."""
    return Noun(clean(mid_sentence(name)), name.is_plural)


def listed_nouns(nouns: Sequence[Noun], vocabulary: Language) -> Joint:
    """Return a list of names, as the subject of a sentence in a language."""
    return Joint(vocabulary.listed_in_case(nouns, "nom"), nouns)


class BattleInCampaign:
    """A recorded battle as one reader knows it, with the state of the campaign at that time.

    Attributes:
        is_from_movement: True if the movement made the battle. Such battles of a turn are simultaneous.
        began: the revision with which the battles began that are fought at the same time as this one.

    """

    def __init__(self, past: KnownPast, entry: Entry, seats: Sequence[str], winners: Sequence[int]) -> None:
        self.known = past
        self.visible = past.visible
        self.campaign = with_removed_parts(self.visible.campaign, self.visible.removed_parts, entry.revision)
        self.entry = entry
        self.is_from_movement = entry.id in past.visible.ledger.contact_by_battle
        self.began = past.start_of(entry) if self.is_from_movement else entry.revision
        self.winners = winners
        self.table = battle_table(entry)
        sides = fighting_sides(entry)
        self.sides: list[Sequence[str]] = [sides.get(key, [key]) for key in seats]
        self.stake = str(self.table.get("stakes", ""))
        self.place_key = self.stake or str(self.table.get("place", ""))
        self.place = self.place_name(self.place_key)
        self.road = road_of(self.campaign, entry)
        self.is_at_place = all(map(self.can_be_at_place, self.sides))
        self.defender = past.defender_in(entry, self.place_key, dict(zip(seats, self.sides, strict=True)))

    def place_name(self, key: str) -> str:
        is_known = key in self.campaign.locations
        return name_inside(self.campaign.location_name(key)) if is_known else ""

    def can_be_at_place(self, forces: Sequence[str]) -> bool:
        """Return False if a story must not say that the forces of a side were at the place of the battle.

        Contacts that share a force are one battle, so forces can fight it from other places. If the reader
        does not know where the forces of a side were, only a single force counts as there. In a campaign
        without movement, the place of a force does not say where it fights.
        """
        if not self.known.has_movement(self.entry.revision):
            return True
        places = {self.visible.place_then(force, self.entry.revision) for force in forces}
        return places <= {self.place_key, *([None] if len(forces) == 1 else [])}

    def before(self, key: Key, today: object) -> object:
        return self.known.value_before(key, self.entry.revision, today)

    def when(self) -> str:
        """Return the name and the dates of the turn in which the battle was fought."""
        turn = self.before(("turn",), self.campaign.turn)
        name = self.before(("turn_name",), self.campaign.turn_name)
        when = self.visible.when(self.entry.revision, int(str(turn or 0)), str(name or ""))
        return str(mid_sentence(clean(when)))

    def words(self) -> list[str]:
        """Return the sentences that the umpire wrote about the battle."""
        return umpires_sentences(self.entry, self.visible.ledger)

    def shorts(self, vocabulary: Language) -> list[str]:
        """Return the short name of each side, in the words of a language.

        Several forces of one faction have the name of their faction, and the only side of several factions
        is "the allies". If a side has no short name, its name is "", and the story finds a short name.
        """
        allied = [seat for seat in range(len(self.sides)) if self.is_allied(seat)]
        shorts = [clean(self.short_of(seat)) for seat in range(len(self.sides))]
        if len(allied) == 1 and not self.is_named(allied[0]):
            shorts[allied[0]] = str(vocabulary.words["allies"])
        return shorts

    def short_of(self, seat: int) -> str:
        forces = self.sides[seat]
        force = self.campaign.forces.get(forces[0])
        if force is None or self.is_named(seat):
            return ""
        if len(forces) == 1:
            return force.short or ""
        factions = {self.faction_of(key) for key in forces}
        others = {self.faction_of(key) for side in self.sides if side is not forces for key in side}
        faction = str(next(iter(factions)))
        if len(factions) > 1 or factions & others or faction not in self.campaign.factions:
            return ""
        name = self.campaign.faction_name(faction)
        return shorten(name) if " of " in name else str(mid_sentence(name))

    def has_faction_name(self, seat: int) -> bool:
        """Return True if the story calls a side of several forces by the name of its faction."""
        return len(self.sides[seat]) > 1 and bool(self.short_of(seat))

    def is_named(self, seat: int) -> bool:
        """Return True if the battle itself gives the side a name."""
        names = self.table.get("names", {})
        return isinstance(names, dict) and self.sides[seat][0] in names

    def names(self, vocabulary: Language) -> list[str]:
        """Return the full name of each side of several forces, or "" for a side that keeps its recorded name.

        If the short name is the faction's name, the full name contains it. The full name lists up to three
        forces, in the words of a language, unless they have just fought together.
        """
        return [self.joint_name(seat, vocabulary) for seat in range(len(self.sides))]

    def joint_name(self, seat: int, vocabulary: Language) -> str:
        forces = self.sides[seat]
        if len(forces) < 2 or self.is_named(seat) or not {*forces} <= {*self.campaign.forces}:
            return ""
        if self.is_allied(seat):
            return self.allied_name(seat, vocabulary)
        nouns = [self.campaign.display_name(key) for key in forces]
        names = listed_nouns([name_inside(noun) for noun in nouns], vocabulary)
        if not self.short_of(seat):
            return names if len(forces) == 2 else ""
        name = self.campaign.faction_name(str(self.faction_of(forces[0])))
        faction = clean(mid_sentence(name))
        last = self.earlier(forces[0])[-1:]
        is_known = any({*side} == {*forces} for fight in last for side in fight.sides)
        is_brief = is_known or len(forces) > MOST_LISTED
        return Noun(faction if is_brief else f"{faction} ({names})", plural=is_plural(name))

    def allied_name(self, seat: int, vocabulary: Language) -> Joint:
        """Return the name of a side of several factions: two forces, or the factions with their forces.

        Of many forces, only some are listed, and the reader's own come first.
        """
        forces = self.sides[seat]
        own = [force for force in forces if self.faction_of(force) == self.visible.reader]
        shown = forces if len(forces) <= MOST_ALLIES else [*dict.fromkeys([*own, *forces])][:MOST_LISTED]
        nouns = [name_inside(self.campaign.display_name(force)) for force in shown]
        if len(forces) == 2:
            return listed_nouns(nouns, vocabulary)
        others = [Noun(str(vocabulary.words["others"]), plural=True)] if len(shown) < len(forces) else []
        parts = [name_inside(self.campaign.faction_name(key)) for key in self.factions_of(seat)]
        return Joint(
            f"{listed_nouns(parts, vocabulary)} ({listed_nouns([*nouns, *others], vocabulary)})", parts
        )

    def leaders(self) -> list[str]:
        """Return the person who led each side, or "" if the reader knows none.

        The commander of the first force commands the side, so the leaders of the others do not lead it.
        """
        return [self.leader_of(forces[0]) for forces in self.sides]

    def factions(self) -> list[str]:
        """Return the faction by which a story can introduce each side, or "".

        It goes with the name of a single force, such as `The Mountain Levy`, but not with a person's name,
        or with `The Garrison of Chester`. A force with a leader is introduced by it in its first battle.
        """
        return [
            "" if leader and self.earlier(forces[0]) else self.faction_for_name(seat)
            for seat, (forces, leader) in enumerate(zip(self.sides, self.leaders(), strict=True))
        ]

    def faction_for_name(self, seat: int) -> str:
        force = self.sides[seat][0]
        name = clean(self.campaign.display_name(force)) if force in self.campaign.forces else ""
        is_group = name.startswith("The ") or "'s " in name
        if len(self.sides[seat]) > 1 or not is_group or " of " in name or self.is_named(seat):
            return ""
        return str(self.owner_field("owner", self.faction_of(force), seat).get("owner", ""))

    def leader_of(self, force: str) -> str:
        """Return the leader of a force before the battle, or "" if it had none, or a dead or captured one."""
        return self.known.leader_then(force, self.entry.revision)

    def last_meetings(self) -> list[Fact]:
        """Return a fact about the last time when the two sides fought each other."""
        meetings = self.meetings()
        return self.last_meeting(meetings[-1] if meetings else None)

    def meetings(self) -> Sequence[Fight]:
        """Return the earlier battles of the two sides against each other, also with others beside them."""
        return self.earlier(meeting_of(self.subject(0), self.subject(1)))

    def have_met_alone(self) -> bool:
        """Return True if no others fought beside the two sides in their earlier battles."""
        return len(self.meetings()) == self.score(0).battles

    def pair(self, seat: int) -> str:
        """Return the index of the battles of two sides against each other."""
        return pair_of(self.subject(seat), self.subject(1 - seat))

    def subject(self, seat: int) -> str:
        """Return the key of a side's forces, or "faction KEY" if the side is named by its faction."""
        is_faction = self.has_faction_name(seat)
        return f"faction {self.faction_of(self.sides[seat][0])}" if is_faction else side_key(self.sides[seat])

    def score(self, seat: int) -> Score:
        """Return how often a side beat the other one before this battle, and how often it was beaten."""
        scores = self.known.scores_of(self.subject(seat), self.subject(1 - seat))
        return scores[len(self.earlier(self.pair(seat)))]

    def earlier(self, subject: str) -> Sequence[Fight]:
        """Return the battles of a force, or for a place, that were fought before this one.

        `subject` is a key of `KnownPast.fights`.
        """
        fights = self.known.fights.get(subject, [])
        return fights[: bisect_left(fights, self.began, key=REVISION)]

    def last_capture(self, subject: str) -> Capture | None:
        """Return the last capture before this battle, or None. `subject` is a key of `KnownPast.captures`."""
        captures = self.known.captures.get(subject, [])
        at = bisect_left(captures, self.began, key=REVISION)
        return captures[at - 1] if at else None

    def last_meeting(self, last: Fight | None) -> list[Fact]:
        """Return a fact about the last time when these sides fought each other."""
        if last is None or len(last.winners) != 1:
            return []
        won = self.known.subjects_in(last, last.winners[0])
        victor = next((seat for seat in (0, 1) if self.subject(seat) in won), None)
        if victor is None:
            return []
        seats = {"victor": victor, "rival": 1 - victor}
        fields: dict[str, FactValue] = {word: Name(seat) for word, seat in seats.items()}
        for word, seat in seats.items():
            if self.has_faction_name(seat) and not any({*side} == {*self.sides[seat]} for side in last.sides):
                fields[f"{word}{THEN}"] = self.faction_named(self.faction_of(self.sides[seat][0]))
        allies = self.factions_in(last, last.winners[0])
        if allies and not self.known.is_winner(self.subject(victor), last):
            fields |= {"victor": allies, f"victor{THEN}": allies}
        place = self.place_name(last.place)
        if last.place == self.place_key and place:
            return [Fact("met_here", {**fields, "place": place})]
        return [Fact("met_at", {**fields, "place": place}) if place else Fact("met_before", fields)]

    def factions_of(self, seat: int) -> list[str]:
        """Return the keys of the factions that fought on a side."""
        return [*dict.fromkeys(str(self.faction_of(force)) for force in self.sides[seat])]

    def factions_in(self, fight: Fight, side: Sequence[str]) -> list[str]:
        """Return the names of the factions on a side of an earlier battle, or [] if one is unknown."""
        factions = dict.fromkeys(self.known.faction_then(force, fight.revision) for force in side)
        is_known = {*factions} <= {*self.campaign.factions}
        return [self.faction_named(faction) for faction in factions] if is_known else []

    def victors_of(self, fight: Fight) -> list[int]:
        """Return the sides of this battle that won an earlier battle, themselves or their faction."""
        return [seat for seat in range(len(self.sides)) if self.known.has_won(self.subject(seat), fight)]

    def record_of(self, seat: int) -> list[Fact]:
        """Return a fact about a side that won all its battles so far, or lost all of them.

        Sides of several forces are left out, because they can have the name of their faction, which fought
        more battles.
        """
        force = self.sides[seat][0]
        fights = self.earlier(force)
        if len(fights) < FEW_BATTLES or len(self.sides[seat]) > 1:
            return []
        fields: dict[str, FactValue] = {"side": Name(seat), "count": len(fights)}
        if len(fights) <= self.known.won_first[force]:
            return [Fact("had_won_all", fields)]
        if len(fights) <= self.known.lost_first[force]:
            return [Fact("had_lost_all", fields)]
        return []

    def fought_over(self) -> list[Fact]:
        """Return a fact about a place for which there were battles before."""
        fights = self.earlier(f"at {self.place_key}") if self.place else []
        if not fights:
            return []
        fields: dict[str, FactValue] = {"place": self.place, "count": len(fights) + 1}
        last = fights[-1]
        victors = self.victors_of(last)
        losers = [side for side in last.sides if side not in last.winners]
        is_decided = len(losers) == 1 and len(last.winners) == 1
        beaten = self.name_of(losers[0], last.revision) if is_decided else ""
        fields |= {"beaten": beaten} if beaten else conditions(drawn=not last.winners)
        if victors:
            fields |= {"victor": Name(victors[0]), "rival": Name(1 - victors[0])}
            return [Fact("fought_over_won", fields)]
        conqueror = self.name_of(last.winners[0], last.revision) if beaten else ""
        return [Fact("fought_over", fields | ({"conqueror": conqueror} if conqueror else {}))]

    def force_name(self, force: str) -> str:
        """Return the name of a force for use inside a sentence, or "" if the reader does not know it."""
        is_known = force in self.campaign.forces
        return name_inside(self.campaign.display_name(force)) if is_known else ""

    def name_of(self, forces: Sequence[str], revision: int) -> str | list[str]:
        """Return the name of a side of an earlier battle, or "" if the reader does not know it.

        Several forces of one faction have its name, and up to three forces of several factions are listed.
        """
        factions = {self.known.faction_then(force, revision) for force in forces}
        if len(forces) > 1 and len(factions) == 1:
            faction = factions.pop()
            return self.faction_named(faction) if faction in self.campaign.factions else ""
        names = [self.force_name(force) for force in forces]
        if not all(names) or len(names) > MOST_LISTED:
            return ""
        return names if len(names) > 1 else names[0]

    def fates(self) -> list[Fact]:
        """Return at most two facts about what followed: a retreat or an end, and the fate of a leader."""
        changes = {
            change.key: change
            for entry in self.known.aftermaths.get(self.entry.id, ())
            for change in entry.changes
        }
        forces: list[Fact] = []
        persons: list[Fact] = []
        for seat, keys in enumerate(self.sides):
            for key in keys:
                persons += self.fate_of_leader(seat, key, changes)
            forces += self.fate_of_forces(seat, keys, changes)
        return [*forces[:1], *persons[:1]]

    def fate_of_leader(self, seat: int, force: str, changes: Mapping[Key, Change]) -> list[Fact]:
        """Return a fact about a leader who was killed or captured."""
        leader = self.leader_of(force)
        fallen, taken = (changes.get(("forces", force, word)) for word in ABSENT)
        lost = changes.get(("forces", force, "destroyed")) or self.destruction_of(force)
        fields: dict[str, FactValue] = {"leader": leader, "side": Name(seat)}
        fields |= conditions(home=not (lost and lost.after))
        if leader and fallen and fallen.after:
            return [self.with_victories(Fact("leader_fell", fields), seat, force)]
        if leader and lost and lost.after and not (taken and taken.after):
            return [Fact("leader_escaped", fields)] if self.is_aftermath_known() else []
        if leader and taken and taken.after in self.campaign.factions:
            fields["captor"] = self.faction_named(taken.after)
            captive = self.captive_of(self.faction_of(force), 1 - seat) if len(self.sides) == 2 else ""
            if captive:
                holder = self.faction_named(self.faction_of(force))
                return [Fact("leader_taken_in_turn", {**fields, "captive": captive, "holder": holder})]
            return [self.with_victories(Fact("leader_taken", fields), seat, force)]
        return []

    def with_victories(self, fact: Fact, seat: int, force: str) -> Fact:
        """Return a fact about the fate of a leader, with the earlier battles that the leader won, if any.

        If the force was not alone in one of these battles, the victories are left out. A leader who lost none
        of them, but this one, has the field `unbeaten`.
        """
        leader = fact.fields["leader"]
        led = [
            fight for fight in self.earlier(force)
            if self.known.leader_then(force, fight.revision) == leader
        ]  # fmt: skip
        wins = sum(fight.has_won(force) is True for fight in led)
        if not wins or not all(fight.is_alone(force) for fight in led):
            return fact
        is_beaten = bool(self.winners) and seat not in self.winners
        fields: dict[str, FactValue] = {"wins": wins, "battles": len(led) + 1}
        fields |= conditions(unbeaten=wins == len(led) and is_beaten)
        return Fact(f"{fact.kind}_after", {**fact.fields, **fields})

    def faction_named(self, faction: object) -> str:
        return name_inside(self.campaign.faction_name(str(faction)))

    def captive_of(self, faction: object, seat: int) -> str:
        """Return the leader of a side whom a faction held prisoner before the battle, or ""."""
        for force in self.sides[seat]:
            today = self.campaign.forces.get(force)
            if today and self.before(("forces", force, "prisoner_of"), today.prisoner_of) == faction:
                return clean(str(self.before(("forces", force, "leader"), today.leader) or ""))
        return ""

    def fate_of_forces(self, seat: int, forces: Sequence[str], changes: Mapping[Key, Change]) -> list[Fact]:
        """Return a fact about a side that surrendered, was destroyed afterwards, or retreated."""
        fields: dict[str, FactValue] = {"side": Name(seat)}
        ended = [
            change for key in forces if (change := changes.get(("forces", key, "destroyed"))) and change.after
        ]
        if ended and len(ended) == len(forces):
            surrenders = ended[0].text == SURRENDERS
            if not surrenders:
                return [self.destruction_fact(seat, forces)]
            is_there = self.place and self.can_be_at_place(forces)
            return [Fact("surrendered", fields | ({"place": self.place} if is_there else {}))]
        moved = [changes.get(("forces", force, "location")) for force in forces]
        moves = {change.after if change is not None else "" for change in moved}
        place = self.place_name(str(next(iter(moves)))) if len(moves) == 1 else ""
        return [Fact("fell_back", {**fields, "place": place})] if place and not ended else []

    def seat_of(self, faction: object) -> int | None:
        """Return the number of the first side that fought for a faction, or None if no side did."""
        for seat, forces in enumerate(self.sides):
            if any(faction == self.faction_of(force) for force in forces):
                return seat
        return None

    def faction_of(self, force: str) -> object:
        is_known = self.campaign.forces.get(force)
        return self.before(("forces", force, "faction"), is_known.faction if is_known else "")

    def is_allied(self, seat: int) -> bool:
        """Return True if forces of several known factions fight as one side."""
        factions = self.factions_of(seat)
        return len(factions) > 1 and {*factions} <= {*self.campaign.factions}

    def holder(self) -> list[Fact]:
        """Return a fact about who held the place at stake before the battle, or about a place without owner.

        The list is empty if the forces of the owner did not stand there when the others came.
        """
        if not self.stake or not self.place or not self.is_at_place:
            return []
        owner = self.before(("locations", self.stake, "owner"), self.campaign.locations[self.stake].owner)
        if not owner:
            return [Fact("open_place", {"place": self.place})]
        seat = self.seat_of(owner)
        if seat is None or not self.has_stood(seat):
            return []
        fields: dict[str, FactValue] = {"place": self.place, "side": Name(seat)}
        fields |= conditions(alone=not self.is_allied(seat))
        fields |= self.owner_field("owner", owner, seat)
        if len(self.sides) == 2:
            fields |= self.owner_field("attackers", self.faction_of(self.sides[1 - seat][0]), 1 - seat)
        return [Fact("holds_place", fields)]

    def has_stood(self, seat: int) -> bool:
        """Return True if the forces of a side held the place when the others came."""
        return bool({*self.defender} & {*self.sides[seat]})

    def is_only_about_place(self) -> bool:
        """Return True if a story must not say who held the place at stake, and who came for it."""
        if not self.stake or not self.place or not self.is_at_place:
            return bool(self.stake)
        seat = self.seat_of(self.known.owner_then(self.stake, self.entry.revision) or None)
        return seat is not None and not self.has_stood(seat)

    def owner_field(self, field: str, owner: object, seat: int) -> dict[str, FactValue]:
        """Return a field with the name of a faction, unless the story calls the side by the same name."""
        if owner not in self.campaign.factions:
            return {}
        name = self.faction_named(owner)
        names = [str(mid_sentence(clean(self.campaign.display_name(key)))) for key in self.sides[seat]]
        names += [self.short_of(seat)]  # the faction's name, for a side of several forces
        return {} if {name, shorten(name)} & {*names} else {field: name}

    def destroyed(self) -> list[Fact]:
        """Return a fact about each side of which the battle destroyed forces."""
        destroyed = [[force for force in forces if self.is_destroyed_now(force)] for forces in self.sides]
        return [self.destruction_fact(seat, forces) for seat, forces in enumerate(destroyed) if forces]

    def destruction_fact(self, seat: int, destroyed: Sequence[str]) -> Fact:
        """Return a fact about the end of a side, or of the named forces if its name means more than them.

        The name of a faction means its forces elsewhere too.
        """
        if len(destroyed) == len(self.sides[seat]) and not self.has_faction_name(seat):
            return Fact("destroyed", {"side": Name(seat)})
        names = [str(mid_sentence(clean(self.campaign.display_name(force)))) for force in destroyed]
        return Fact("forces_destroyed", {"side": Name(seat), "forces": names})

    def holder_now(self, winner: int) -> list[Fact]:
        """Return a fact about who holds the place at stake after a battle that only one side won."""
        key = ("locations", self.stake, "owner")
        fields: dict[str, FactValue] = {"place": self.place, "side": Name(winner)}
        fields |= conditions(alone=not self.is_allied(winner))
        changed = next((change for change in self.entry.changes if change.key == key), None)
        if changed is None:
            owner = self.before(key, self.campaign.locations[self.stake].owner)
            if not owner or self.seat_of(owner) != winner:
                return []
            rivals_stood = any(self.has_stood(seat) for seat in range(len(self.sides)) if seat != winner)
            fields |= conditions(stood=self.has_stood(winner))
            return [Fact("place_freed" if rivals_stood else "place_held", fields)]
        if changed.after is None or self.seat_of(changed.after) != winner:
            return []
        loser = self.seat_of(changed.before) if changed.before else None
        fields |= self.faction_in("new_owner", changed.after, winner)
        if loser is None or loser == winner:
            return [Fact("place_taken", fields)]
        fields |= {"rival": Name(loser), **conditions(sole=not self.is_allied(loser))}
        return [Fact("place_taken_from", fields | self.faction_in("owner", changed.before, loser))]

    def faction_in(self, field: str, owner: object, seat: int) -> dict[str, FactValue]:
        """Return the `owner_field` of a side. Of allies, only one faction owns a place, so it is named."""
        is_allied = self.is_allied(seat)
        return {field: self.faction_named(owner)} if is_allied else self.owner_field(field, owner, seat)

    def is_destroyed_now(self, force: str) -> bool:
        return self.destruction_of(force) is not None

    def destruction_of(self, force: str) -> Change | None:
        """Return the change by which the battle itself destroyed a force, or None."""
        changes = (change for change in self.entry.changes if change.after)
        return next((change for change in changes if change.key == ("forces", force, "destroyed")), None)

    def is_aftermath_known(self) -> bool:
        """Return True if the turn went on to its aftermath, in which leaders can be killed or captured."""
        return self.campaign.aftermath is not None and self.entry.id in self.known.aftermaths

    def strengths(self) -> list[int]:
        """Return the strength of each side before the battle, or 0 if the reader does not know it."""
        return [self.strength_of(forces) for forces in self.sides]

    def rough_strengths(self) -> list[int]:
        """Return the rough strength of each side before the battle.

        The list is empty if the reader knows the strength of a side exactly, or not at all.
        """
        return self.rough_strengths_at(self.entry.revision)

    def rough_strengths_left(self) -> list[int]:
        """Return the rough strength of each side after the battle, like `rough_strengths`."""
        return self.rough_strengths_at(self.entry.revision + 1)

    def rough_strengths_at(self, revision: int) -> list[int]:
        sides = [
            [self.visible.rough_strength_then(force, revision) for force in forces] for forces in self.sides
        ]
        if any(estimate is None for estimates in sides for estimate in estimates):
            return []
        return [sum(estimate.number for estimate in estimates if estimate) for estimates in sides]

    def best_known_strengths(self) -> list[int]:
        """Return the strength of each side before the battle, exact if the reader knows it, otherwise rough.

        The list is empty if the reader knows nothing of the strength of a force.
        """
        sides = [[self.best_known_strength(force) for force in forces] for forces in self.sides]
        return [] if any(None in side for side in sides) else [sum(filter(None, side)) for side in sides]

    def best_known_strength(self, force: str) -> int | None:
        exact = self.strength_before(force)
        if exact is not None:
            return exact
        rough = self.visible.rough_strength_then(force, self.entry.revision)
        return rough.number if rough else None

    def strength_of(self, forces: Sequence[str]) -> int:
        """Return the total strength of `forces` before the battle.

        The total is 0 if the strength of any force is unknown.
        """
        numbers = [self.strength_before(force) for force in forces]
        return sum(number for number in numbers if number) if None not in numbers else 0

    def strength_before(self, force: str) -> int | None:
        """Return the strength of a force before the battle, or None if the reader may not know it exactly."""
        return self.visible.strength_then(force, self.entry.revision)

    def casualties(self) -> list[tuple[int, int]]:
        """Return a pair (losses, strength before the battle) for each side.

        The list is empty if the reader does not know all these numbers.
        """
        strengths = self.strengths()
        lost = [sum(map(self.lost_by, forces)) for forces in self.sides]
        if not all(strengths) or any(number < 0 for number in lost):
            return []
        return list(zip(lost, strengths, strict=True))

    def losses(self, seats: Sequence[str]) -> list[Fraction | None]:
        """Return the share of its strength that each side lost for good.

        If the reader knows the strength of a side, its share follows from the recorded strengths. Otherwise
        it is an estimate, because strengths are whole numbers. If the estimates change which of two sides
        lost more, the sides whose strengths the reader does not know have None. The list is empty if the
        result does not name the sides as the record does.
        """
        result = self.entry.result
        if result is None or not {*seats} <= {*result.sides}:
            return []
        lost = [sum(map(self.lost_by, forces)) for forces in self.sides]
        recorded = {
            key: Fraction(number, strength)
            for key, number, strength in zip(seats, lost, self.strengths(), strict=True)
            if strength and number >= 0
        }
        campaign = self.visible.campaign_after(self.entry)
        computed, exact = lasting_losses(campaign, result), lasting_losses(campaign, result, recorded)
        if len(recorded) != len(seats) and any(recorded.values()) and not keeps_order(computed, exact):
            return [recorded.get(key) for key in seats]
        is_rough = {key: key not in recorded and bool(attrition_rate(campaign, result, key)) for key in seats}
        return [Estimate(exact[key]) if is_rough[key] else exact[key] for key in seats]

    def units(self) -> list[UnitLoss]:
        """Return the losses of those units that the reader may know about."""
        return [UnitLoss(clean(name), lost, of) for _, name, lost, of in unit_losses(self.entry.changes)]

    def lost_by(self, force: str) -> int:
        key = ("forces", force, "strength")
        numbers = [(change.before, change.after) for change in self.entry.changes if change.key == key]
        return sum(int(str(before or 0)) - int(str(after or 0)) for before, after in numbers)


def keeps_order(computed: Mapping[str, Fraction], exact: Mapping[str, Fraction]) -> bool:
    """Return True if of each two sides the same one lost more by both kinds of shares, and clearly so."""
    return all(
        exact[one] - exact[two] >= CLEARLY
        if computed[one] > computed[two]
        else computed[one] < computed[two] or exact[one] == exact[two]
        for one, two in permutations(computed, 2)
    )


def umpires_sentences(entry: Entry, ledger: Ledger) -> list[str]:
    """Return what the umpire wrote about a recorded battle: its note, and the text of its result."""
    return [text for text in (umpires_note(entry, ledger), umpires_sentence(entry.text)) if text]


def umpires_note(entry: Entry, ledger: Ledger) -> str:
    """Return the note of a fought battle as a sentence, or "" if there is no note that a story can quote.

    The note of a battle that the movement made only says how the battle is to be fought.
    """
    if entry.result is None or entry.kind == DECLINED or entry.id in ledger.contact_by_battle:
        return ""
    return umpires_sentence(str(battle_table(entry).get("note", "")))


def umpires_sentence(text: str) -> str:
    """Return a text by the umpire as a sentence, or "" if it is private or only names a league round."""
    is_open = text.strip() and not is_round_note(text.strip()) and not is_private(text)
    return as_sentence(clean(one_line(text.strip()))) if is_open else ""


def as_sentence(text: str) -> str:
    """Return a text with a full stop at its end, unless it already ends with punctuation.

    >>> as_sentence("fought in the dark"), as_sentence("Who was it?")
    ('fought in the dark.', 'Who was it?')
    """
    stripped = text.strip()
    return stripped if stripped.endswith((".", "!", "?", "…", '"', "”", "'", "’", ")")) else f"{stripped}."

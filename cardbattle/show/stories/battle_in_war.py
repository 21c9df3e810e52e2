"""What a battle meant in the war: what its sides had at stake before it, and what it changed.

Everything is limited to the facts that one reader may know.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.core.telling import Fact, FactValue, Name, conditions
from cardbattle.show.stories.known_past import REVISION, side_key
from cardbattle.story.stakes import COUNTED, THEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.show.stories.battle_context import BattleInCampaign
    from cardbattle.show.stories.known_past import Fight, Score

UPSET = Fraction(5, 2)  # smallest ratio of strengths at which the victory of the weaker side is an upset
OFTEN = 2  # smallest number of meetings that a story counts
SERIES = 3  # smallest number of attacks, or of victories or defeats in a row, that a story counts
RECENT = 3  # a battle that many turns ago or fewer is fresh in memory
MOST_AFTER = 3  # maximum number of consequences that a story names
GREAT = 55  # smallest weight of a consequence that makes a battle a great event
WEIGHTS = {  # how much a consequence means in the war; a story names the greatest last
    "fell_back": 36, "place_kept": 30, "place_held": 30, "place_held_again": 35, "place_freed": 40,
    "place_taken": 40, "place_taken_from": 40, "place_regained": 45, "won_in_row": 38, "won_so_far": 38,
    "lost_in_row": 38, "lost_so_far": 38,
    "upset": 53, "first_victory": 55, "first_defeat": 55, "revenge": 55, "score_level": 38, "score_again": 38,
    "score_ahead": 38, "left_with_one": 58, "place_saved": 60, "surrendered": 75,
    "forces_destroyed": 79, "destroyed": 80, "leader_escaped": 81, "leader_fell": 82, "leader_fell_after": 82,
    "leader_taken": 82, "leader_taken_after": 82, "leader_taken_in_turn": 82, "place_taken_last": 85,
    "faction_gone": 90,
}  # fmt: skip
SET_UP = ("add", "set", "edit")  # kinds of entries that set up a campaign before its first battle or turn
ABSENT = ("fallen", "prisoner_of")  # what keeps a leader from leading


class BattleInWar:
    """A recorded battle in the course of the war, as one reader knows it.

    Attributes:
        holder: the number of the side that fought for the owner of the place at stake, or None if the battle
            has no such place, or if neither side did.
        attacker: the number of the other side, or None if the story must not say that it came for the place.
        owner: the key of the faction that owned the place before the battle, or "".

    """

    def __init__(self, battle: BattleInCampaign) -> None:
        self.battle = battle
        self.known = battle.known
        self.revision = battle.entry.revision
        self.winner = battle.winners[0] if len(battle.winners) == 1 else None
        is_told = bool(battle.stake and battle.place) and len(battle.sides) == 2
        self.owner = self.owner_at(battle.stake, self.revision) if is_told else ""
        self.holder = battle.seat_of(self.owner) if self.owner else None
        is_held = self.holder is not None and battle.has_stood(self.holder)
        self.attacker = 1 - self.holder if self.holder is not None and is_held else None

    def owner_at(self, place: str, revision: int) -> str:
        """Return the key of the faction that owned a place just before `revision`, or ""."""
        return self.known.owner_then(place, revision)

    def places_of(self, faction: str, revision: int) -> list[str]:
        """Return the places that a faction owned just before `revision`."""
        return [key for key in self.battle.campaign.locations if self.owner_at(key, revision) == faction]

    @cached_property
    def turn_end(self) -> int:
        """The revision that ended the turn of the battle, or the one after the last entry."""
        turns = self.known.values.get(("turn",), [])
        first = bisect_right(turns, self.revision, key=REVISION)
        later = (turns[n].revision for n in range(first, len(turns)))
        ends = (revision for revision in later if self.known.is_valid(revision))
        return next(ends, next(reversed(self.known.entries), self.revision) + 1)

    def places_left(self, faction: str) -> list[str]:
        """Return the places that a faction owned after the battle, or at the end of the turn if that is more.

        The faction can take other places in the same turn, and the report of the turn says so.
        """
        after, at_end = (self.places_of(faction, end) for end in (self.revision + 1, self.turn_end))
        return at_end if len(at_end) > len(after) else after

    def faction_name(self, faction: str) -> str:
        """Return the name of a faction for use inside a sentence, or "" if it is unknown."""
        return self.battle.faction_named(faction) if faction in self.battle.campaign.factions else ""

    def faction_of(self, seat: int) -> str:
        """Return the key of the faction that a side fought for."""
        return str(self.battle.faction_of(self.battle.sides[seat][0]) or "")

    def turn_at(self, revision: int) -> int:
        turn = self.known.value_before(("turn",), revision, self.battle.campaign.turn)
        return int(str(turn or 0))

    # Before the battle

    @cached_property
    def memory(self) -> list[Fact]:
        """At most two facts: what the place meant to a faction, and the past of the two sides.

        A second leader who is lost or free again is left out, because the sentence would be the same.
        """
        if len(self.battle.sides) != 2:
            return []
        at_stake = [*self.walked_in(), *self.last_place(), *self.without_place(), *self.comes_back()]
        at_stake += self.attempt()
        leaders = [*self.lost_leaders(), *[fact for seat in (0, 1) for fact in self.freed_leader(seat)]]
        kinds = [fact.kind for fact in leaders]
        between = [fact for n, fact in enumerate(leaders) if fact.kind not in kinds[:n]]
        between += self.meetings()
        records = [self.with_leader(fact, seat) for seat in (0, 1) for fact in self.battle.record_of(seat)]
        over = [] if at_stake or between else self.battle.fought_over()
        past = [*between, *self.deeds(), *records, *over]
        return [*at_stake[:1], *past[: 1 if at_stake else 2]]

    def last_place(self) -> list[Fact]:
        """Return a fact if the place at stake was the last one of its owner, which has not fought since.

        If the owner took another place in a battle at the same time, its defeat here was not the end.
        """
        stake = self.battle.stake
        if self.holder is None or self.places_of(self.owner, self.battle.began) != [stake]:
            return []
        if self.battle.is_from_movement and {*self.places_of(self.owner, self.turn_end)} - {stake}:
            return []
        if self.has_fought_since_loss(self.owner):
            return []
        has_lost = self.battle.last_capture(f"{self.owner} lost") is not None
        campaign = self.battle.campaign
        if not has_lost and len(campaign.locations) <= len(campaign.factions):
            return []  # a faction seldom has more than one place there
        fields: dict[str, FactValue] = {
            "place": self.battle.place, "side": Name(self.holder), **conditions(fallen=has_lost),
        }  # fmt: skip
        owner = self.battle.owner_field("owner", self.owner, self.holder)
        return [Fact("last_place", {**fields, **owner, **conditions(own=not owner)})]

    def has_fought_since_loss(self, faction: str) -> bool:
        """Return True if a faction has fought a battle since it last lost a place."""
        last = self.battle.last_capture(f"{faction} lost")
        known = self.battle.campaign.forces
        forces = [key for key in known if self.known.faction_then(key, self.revision) == faction]
        return last is not None and any(
            fight.revision > last.revision for key in forces for fight in self.battle.earlier(key)[-1:]
        )

    def without_place(self) -> list[Fact]:
        """Return a fact if the attacker's faction had lost all its places, and has not fought since."""
        if self.attacker is None:
            return []
        faction = self.faction_of(self.attacker)
        had_places = self.battle.last_capture(f"{faction} lost") is not None
        if not had_places or not self.faction_name(faction) or self.places_of(faction, self.battle.began):
            return []
        if self.has_fought_since_loss(faction):
            return []
        fields: dict[str, FactValue] = {"side": Name(self.attacker), "place": self.battle.place}
        is_own = self.battle.has_faction_name(self.attacker)
        fields |= conditions(own=True) if is_own else {"owner": self.faction_name(faction)}
        return [Fact("without_place", fields)]

    def comes_back(self) -> list[Fact]:
        """Return a fact if the attacker's faction was the last to lose the place, and the holder took it."""
        last = self.battle.last_capture(self.battle.stake)
        if self.attacker is None or self.holder is None or last is None:
            return []
        if (last.loser, last.taker) != (self.faction_of(self.attacker), self.owner):
            return []
        ago = self.turn_at(self.revision) - self.turn_at(last.revision)
        fields: dict[str, FactValue] = {
            "side": Name(self.attacker), "rival": Name(self.holder), "place": self.battle.place,
            **({"ago": ago} if ago > 1 else conditions(recent=ago == 1)),
            **conditions(same=side_key(last.forces) == side_key(self.battle.sides[self.holder])),
        }  # fmt: skip
        if self.battle.has_faction_name(self.attacker):
            return [Fact("comes_back", {**fields, **conditions(own=True)})]
        name = self.faction_name(last.loser)
        return [Fact("comes_back", {**fields, "owner": name})] if name else []

    def walked_in(self) -> list[Fact]:
        """Return a fact if the holder's faction took the place without a battle, and none followed there."""
        if self.holder is None:
            return []
        owners = self.known.values.get(("locations", self.battle.stake, "owner"), [])
        before = [
            past for past in owners if past.revision < self.revision and self.known.is_valid(past.revision)
        ]
        last = self.battle.last_capture(self.battle.stake)
        fights = self.battle.earlier(f"at {self.battle.stake}")
        since = max([last.revision if last else -1, *(fight.revision for fight in fights[-1:])])
        if not before or before[-1].revision <= since or before[-1].value == self.owner:
            return []
        if before[-1].revision < self.known.began and self.known.entries[before[-1].revision].kind in SET_UP:
            return []
        name = "" if self.battle.has_faction_name(self.holder) else self.faction_name(self.owner)
        loser = self.faction_name(str(before[-1].value or ""))
        fields: dict[str, FactValue] = {"side": Name(self.holder), "place": self.battle.place}
        fields |= {"owner": name} if name else conditions(own=True)
        return [Fact("walked_in", {**fields, **({"loser": loser} if loser else {})})]

    def attempt(self) -> list[Fact]:
        """Return a fact if the attacker's faction has attacked the place before, in vain."""
        if self.attacker is None:
            return []
        faction = self.faction_of(self.attacker)
        failed = self.failed_attacks(faction)
        if not failed:
            return []
        attackers = side_key(self.battle.sides[self.attacker])
        is_faction = self.battle.has_faction_name(self.attacker)
        fields: dict[str, FactValue] = {
            "side": Name(self.attacker), "place": self.battle.place, "count": len(failed) + 1,
            "times": len(failed),
        }  # fmt: skip
        are_same = all(attackers in map(side_key, fight.sides) for fight in failed)
        name = self.faction_name(faction)
        if is_faction or are_same:
            then = {} if are_same else {f"side{THEN}": name}
            return [Fact("attempt", {**fields, **then, **conditions(own=True)})]
        return [Fact("attempt", {**fields, "owner": name})] if name else []

    def failed_attacks(self, faction: str) -> Sequence[Fight]:
        """Return the battles for the place that a faction did not win since it last held the place."""
        place = self.battle.stake
        return self.fights_since(f"{faction} failed at {place}", f"{faction} at {place}")

    def defences(self) -> Sequence[Fight]:
        """Return the battles for the place that the owner won since it last changed hands."""
        place = self.battle.stake
        return self.fights_since(f"{self.owner} won at {place}", place)

    def fights_since(self, fights: str, captures: str) -> Sequence[Fight]:
        """Return the earlier battles since the last capture, for a key of each index of `KnownPast`."""
        last = self.battle.last_capture(captures)
        earlier = self.battle.earlier(fights)
        return earlier[bisect_right(earlier, last.revision, key=REVISION) :] if last else earlier

    def lost_leaders(self) -> list[Fact]:
        """Return a fact about a side that fights for the first time without the leader whom it lost."""
        return [fact for seat in (0, 1) for fact in self.lost_leader(seat)]

    def lost_leader(self, seat: int) -> list[Fact]:
        force = self.battle.sides[seat][0]
        today = self.battle.campaign.forces.get(force)
        if today is None or len(self.battle.sides[seat]) > 1:
            return []
        leader = self.leader_before(force)
        fights = self.battle.earlier(force)
        since = self.known.aftermath_of(fights[-1]) if fights else []
        for word, kind in zip(ABSENT, ("leader_was_lost", "leader_was_taken"), strict=True):
            value = self.battle.before(("forces", force, word), getattr(today, word))
            is_new = any(change.key == ("forces", force, word) and change.after for change in since)
            if not value or not leader or not is_new:
                continue
            fields: dict[str, FactValue] = {"side": Name(seat), "leader": leader}
            place = self.battle.place_name(fights[-1].place)
            if kind == "leader_was_taken":
                captor = self.faction_name(str(value))
                return [Fact(kind, {**fields, "captor": captor})] if captor else []
            return [Fact(kind, {**fields, **({"place": place} if place else {})})]
        return []

    def freed_leader(self, seat: int) -> list[Fact]:
        facts = []
        for force in self.battle.sides[seat]:
            leader, fights = self.battle.leader_of(force), self.battle.earlier(force)
            captors = [
                past.value
                for past in self.known.values.get(("forces", force, "prisoner_of"), [])
                if fights
                and fights[-1].revision < past.revision < self.revision
                and past.value
                and self.known.is_valid(past.revision)
            ]
            captor = self.faction_name(str(captors[-1])) if captors else ""
            fields: dict[str, FactValue] = {"side": Name(seat), "leader": leader, "captor": captor}
            facts += [Fact("leader_is_back", fields)] if leader and captor else []
        return facts[:1]

    def deeds(self) -> list[Fact]:
        """Return facts about the last battles of two single forces, if these are fresh in their memory."""
        return [fact for seat in (1, 0) for fact in self.deed(seat)] if self.is_duel() else []

    def deed(self, seat: int) -> list[Fact]:
        """Return a fact about a force that took, held or failed to take a place in its last battle.

        The same leader led it then. The place is not the one at stake, and the battle was a short time ago.
        """
        force = self.battle.sides[seat][0]
        last = next(iter(reversed(self.battle.earlier(force))), None)
        if last is None or last.place == self.battle.place_key or not self.has_led(seat, [last]):
            return []
        place, ago = (
            self.battle.place_name(last.place),
            self.turn_at(self.revision) - self.turn_at(last.revision),
        )
        rivals = [side for side in last.sides if force not in side]
        if not place or len(rivals) != 1 or ago > RECENT or {*rivals[0]} & {*self.battle.sides[1 - seat]}:
            return []
        capture = self.known.capture_at(last)
        is_owner = self.owner_at(last.place, last.revision) == self.faction_of(seat)
        won, has_stood = last.has_won(force), force in last.defender
        kind = (
            "deed_took" if won and capture is not None
            else "deed_held" if won and is_owner and has_stood
            else "deed_lost" if won is False and capture is not None and is_owner and has_stood
            else "deed_failed" if won is False and not is_owner and not has_stood
            else ""
        )  # fmt: skip
        if not kind:
            return []
        fields: dict[str, FactValue] = {
            "side": Name(seat), "deed": place, "other": self.battle.name_of(rivals[0], last.revision),
            **conditions(led=True),
        }  # fmt: skip
        return [Fact(kind, fields)]

    def meetings(self) -> list[Fact]:
        """Return a fact about the earlier battles of the two sides against each other.

        Sides that were allies after these battles bear no grudge for them.
        """
        if self.are_reconciled:
            return self.once_allies()
        best = 0 if self.battle.score(0).wins >= self.battle.score(1).wins else 1
        score = self.battle.score(best)
        if score.wins + score.losses < OFTEN or not self.is_counted(score):
            return [self.with_leaders(self.with_lost_leader(fact)) for fact in self.battle.last_meetings()]
        fields: dict[str, FactValue] = {
            "victor": Name(best), "rival": Name(1 - best), "count": score.battles,
            "wins": score.wins, **({"losses": score.losses} if score.losses else conditions(never=True)),
            **conditions(always=score.wins == score.battles, mixed=score.wins < score.battles),
        }  # fmt: skip
        return [self.with_leaders(Fact("met_level" if score.wins == score.losses else "met_often", fields))]

    def is_counted(self, score: Score) -> bool:
        """Return True if a story can count the battles of the two sides: they fought all of them alone."""
        return not score.shared and self.is_duel() and self.battle.have_met_alone()

    @cached_property
    def faction_pairs(self) -> list[tuple[str, str]]:
        """Each faction of the first side with each of the second."""
        return [*product(self.battle.factions_of(0), self.battle.factions_of(1))]

    @cached_property
    def last_alliance(self) -> tuple[int, str, str, str]:
        """The last battle in which a faction of each side fought on the same side.

        The fields are its revision (0 without such a battle), its place, and the key of a faction of each
        side.
        """
        fights = [
            (fight.revision, fight.place, one, other)
            for one, other in self.faction_pairs
            for fight in self.battle.earlier(f"{one} with {other}")[-1:]
        ]
        return max(fights, default=(0, "", "", ""))

    @cached_property
    def are_reconciled(self) -> bool:
        """True if factions of the two sides were allies, or at peace, after the sides last fought each other.

        A reader who does not know of the peace knows only of battles on one side.
        """
        meetings = self.battle.meetings()
        since = meetings[-1].revision if meetings else 0
        treaties = (
            revision
            for pair in self.faction_pairs
            for revision in self.known.treaties.get(frozenset(pair), ())
        )
        return self.last_alliance[0] > since or any(since < each < self.revision for each in treaties)

    def once_allies(self) -> list[Fact]:
        """Return a fact about the last battle in which factions of both sides fought on one side."""
        revision, key, *factions = self.last_alliance
        if not revision:
            return []
        place = self.battle.place_name(key)
        fields: dict[str, FactValue] = {"factions": [self.faction_name(faction) for faction in factions]}
        return [Fact("once_allies_at", {**fields, "place": place}) if place else Fact("once_allies", fields)]

    def is_duel(self) -> bool:
        """Return True if two single forces fight: a side of more can have the name of its faction."""
        return all(len(forces) == 1 for forces in self.battle.sides)

    def with_leaders(self, fact: Fact) -> Fact:
        """Return a fact about the meetings of the two sides, by the names of leaders who met each time."""
        are_same = all(self.has_led(seat, self.battle.meetings()) for seat in (0, 1))
        return fact._replace(fields={**fact.fields, **conditions(led=are_same)})

    def has_led(self, seat: int, fights: Sequence[Fight]) -> bool:
        """Return True if the present leader of a side led the same force in each of these battles."""
        forces = self.battle.sides[seat]
        return len(forces) == 1 and self.known.has_led(forces[0], fights, self.revision)

    def with_lost_leader(self, fact: Fact) -> Fact:
        """Return a fact about the last meeting, with the leader whom the side that lost it lost there."""
        loser = fact.fields["rival"]
        assert isinstance(loser, Name)
        last = self.battle.meetings()[-1]
        place = self.battle.place_name(last.place)
        changes = {change.key: change.after for change in self.known.aftermath_of(last)}
        for force, (word, kind) in product(
            self.battle.sides[loser.seat], zip(ABSENT, ("met_fallen", "met_taken"), strict=True)
        ):
            leader = self.leader_before(force)
            if place and leader and changes.get(("forces", force, word)):
                return Fact(kind, {**fact.fields, "place": place, "leader": leader})
        return fact

    def leader_before(self, force: str) -> str:
        """Return the name of the leader whom a force had just before the battle, or ""."""
        today = self.battle.campaign.forces.get(force)
        leader = self.battle.before(("forces", force, "leader"), today.leader if today else None)
        return clean(str(leader or ""))

    # After the battle

    def consequences(self) -> list[Fact]:
        """Return at most three facts about what the battle changed in the war, the greatest last."""
        place = self.place_facts()
        fates = self.battle.fates()
        ordinals = self.known.ordinals.get(self.revision)
        if ordinals is not None and ordinals.battle % 2:  # every other story says where the beaten went
            fates = [fact for fact in fates if fact.kind != "fell_back"]
        destroyed = self.battle.destroyed()
        facts = [*place, *self.upset(), *self.lost_places(), *destroyed, *fates, *self.gone()]
        facts += self.score_facts() if len(facts) < MOST_AFTER - 1 else []
        facts.sort(key=lambda fact: WEIGHTS[fact.kind])
        return facts[-MOST_AFTER:]

    def gone(self) -> list[Fact]:
        """Return a fact if the beaten faction has no place or force left, as far as the reader knows."""
        if self.winner is None or len(self.battle.sides) != 2:
            return []
        faction = self.faction_of(1 - self.winner)
        name = self.faction_name(faction)
        entries = self.known.aftermaths.get(self.battle.entry.id, ())
        until = max([self.revision, *(entry.revision for entry in entries)]) + 1
        has_force = any(
            not self.known.value_before(("forces", key, "destroyed"), until, force.destroyed)
            for key, force in self.battle.campaign.forces.items()
            if self.known.faction_then(key, until) == faction
        )
        if not name or has_force or self.places_of(faction, until):
            return []
        return [Fact("faction_gone", {"owner": name, "side": Name(self.winner)})]

    def upset(self) -> list[Fact]:
        """Return a fact about a side that beat one at least twice as strong, as far as the reader knows."""
        strengths = self.battle.rough_strengths()
        if self.winner is None or len(strengths) != 2:
            return []
        few, many = strengths[self.winner], strengths[1 - self.winner]
        if few < COUNTED or many < UPSET * few:
            return []
        fields: dict[str, FactValue] = {"side": Name(self.winner), "rival": Name(1 - self.winner)}
        return [Fact("upset", {**fields, "strength": few, "rivals_strength": many})]

    def place_facts(self) -> list[Fact]:
        """Return a fact about who held the place at stake after the battle."""
        battle = self.battle
        if not battle.stake or not battle.place:
            return []
        if self.winner is None:
            is_kept = self.owner_at(battle.stake, self.revision + 1) == self.owner
            if self.holder is None or self.attacker is None or not is_kept:
                return []
            return [Fact("place_kept", {"place": battle.place, "side": Name(self.holder)})]
        fact = next(iter(battle.holder_now(self.winner)), None)
        if fact is None or len(battle.sides) != 2:
            return [fact] if fact else []
        fields = {**fact.fields, "rival": Name(1 - self.winner)}
        if fact.kind == "place_freed":
            return [Fact(fact.kind, fields | battle.owner_field("owner", self.owner, self.winner))]
        return [self.defended(fields) if fact.kind == "place_held" else self.captured(fact.kind, fields)]

    def defended(self, fields: dict[str, FactValue]) -> Fact:
        """Return a fact about a place that its owner defended."""
        assert self.holder is not None
        fields |= self.battle.owner_field("owner", self.owner, self.holder)
        count, attacks = len(self.defences()) + 1, len(self.battle.earlier(f"at {self.battle.stake}")) + 1
        if self.places_of(self.owner, self.revision) == [self.battle.stake]:
            return Fact("place_saved", {**fields, **({"count": count} if count >= SERIES else {})})
        if count < SERIES or self.attacker is None:
            return Fact("place_held", fields)
        has_changed = self.battle.last_capture(self.battle.stake) is not None
        return Fact("place_held_again", {
            **fields, "count": count, **conditions(always=count == attacks, since=has_changed),
        })  # fmt: skip

    def captured(self, kind: str, fields: dict[str, FactValue]) -> Fact:
        """Return a fact about a place that was taken, which says whether its new owner now holds the most.

        A later capture of the same turn can end that, and the report of the turn says so.
        """
        assert self.winner is not None
        battle, faction = self.battle, self.faction_of(self.winner)
        has_most = all(self.holds_most(faction, end) for end in (self.revision + 1, self.turn_end))
        fields |= conditions(most=has_most and not self.holds_most(faction, self.revision))
        if kind == "place_taken_from" and "owner" in fields:
            if not self.places_left(self.owner):
                return Fact("place_taken_last", fields)
            if battle.last_capture(f"{faction} lost {battle.stake}") and "new_owner" in fields:
                return Fact("place_regained", fields)
        return Fact(kind, fields)

    def holds_most(self, faction: str, revision: int) -> bool:
        """Return True if a faction alone owned the most places just before `revision`."""
        others = [other for other in self.battle.campaign.factions if other != faction]
        most = max((len(self.places_of(other, revision)) for other in others), default=0)
        return len(self.places_of(faction, revision)) > most

    def lost_places(self) -> list[Fact]:
        """Return a fact if the battle left the owner of the place with the single place of the turn's end."""
        left = self.places_of(self.owner, self.revision + 1)
        left = left if left == self.places_of(self.owner, self.turn_end) else []
        captures = self.known.captures.get(f"{self.owner} lost", [])
        at = bisect_right(captures, self.revision, key=REVISION)
        has_lost = captures[at - 1 : at] and captures[at - 1].revision == self.revision
        name = self.faction_name(self.owner)
        if not name or not has_lost or len(left) != 1 or not (place := self.battle.place_name(left[0])):
            return []
        return [Fact("left_with_one", {"owner": name, "place": place})]

    def score_facts(self) -> list[Fact]:
        """Return a fact about the first victory or the first defeat of a side after several battles.

        Otherwise, the fact is about the battles of the two sides against each other, or about the latest
        battles of one of them.
        """
        if self.winner is None or len(self.battle.sides) != 2:
            return []
        score = self.battle.score(self.winner)
        fields: dict[str, FactValue] = {"side": Name(self.winner), "rival": Name(1 - self.winner)}
        records = self.records_ended(fields)
        if records:
            return records
        wins = score.wins + 1
        runs = self.fortunes()
        has_met = score.wins + score.losses > 0 and self.is_counted(score)
        if not has_met or any(int(str(fact.fields["count"])) > wins for fact in runs):
            return runs
        fields |= {"wins": wins, "losses": score.losses, "count": score.battles + 1}
        if not score.losses:
            kind = "score_again"
            fields["count"] = wins
        elif wins == score.losses:
            kind = "score_level" if wins > 1 else "revenge"
        else:
            kind = "score_ahead" if wins > score.losses else "revenge"
        if kind == "revenge" and self.are_reconciled:
            return runs
        if kind == "revenge":
            last = self.battle.earlier(self.battle.pair(0))[-1]
            has_lost = self.battle.victors_of(last) == [1 - self.winner]
            fields |= conditions(last=has_lost)
        return [self.with_leaders(Fact(kind, fields))]

    def fortunes(self) -> list[Fact]:
        """Return a fact about the winner's victories in a row, or the loser's defeats if these are more."""
        assert self.winner is not None
        return max(
            (self.run_of(seat, has_won=seat == self.winner) for seat in (self.winner, 1 - self.winner)),
            key=lambda facts: int(str(facts[0].fields["count"])) if facts else 0,
        )

    def run_of(self, seat: int, *, has_won: bool) -> list[Fact]:
        """Return a fact if a side won its latest battles, with this one, or lost them."""
        force = self.battle.sides[seat][0]
        fights = self.battle.earlier(force)
        streak = self.known.streaks_of(force)[len(fights) - 1] if fights else 0
        run = fights[-streak:] if streak and fights[-1].has_won(force) is has_won else []
        records = {fact.fields.get("side") for fact in self.memory if fact.kind.startswith("had_")}
        is_told = Name(seat) in records  # the story begins with the record of this side
        if len(run) + 1 < SERIES or is_told or len(self.battle.sides[seat]) > 1:
            return []
        fields: dict[str, FactValue] = {"side": Name(seat), "count": len(run) + 1}
        fields |= conditions(led=self.has_led(seat, run))
        outcome, span = "won" if has_won else "lost", "so_far" if len(run) == len(fights) else "in_row"
        return [Fact(f"{outcome}_{span}", fields)]

    def records_ended(self, fields: dict[str, FactValue]) -> list[Fact]:
        """Return a fact if the winner had lost all its battles before, or the loser had won all."""
        assert self.winner is not None
        kinds = {fact.kind for fact in self.battle.record_of(self.winner)}
        if "had_lost_all" in kinds:
            return [self.with_leader(Fact("first_victory", fields), self.winner)]
        kinds = {fact.kind for fact in self.battle.record_of(1 - self.winner)}
        if "had_won_all" not in kinds:
            return []
        return [self.with_leader(Fact("first_defeat", fields), 1 - self.winner)]

    def with_leader(self, fact: Fact, seat: int) -> Fact:
        """Return a fact about all battles of a side, by the name of its leader if it had no other one."""
        fights = self.battle.earlier(self.battle.sides[seat][0])
        return fact._replace(fields={**fact.fields, **conditions(led=self.has_led(seat, fights))})

"""The phase after the battles, which computes retreats, pursuits, experience and captured places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from cardbattle.campaign.exchange.order_book import has_substitute
from cardbattle.campaign.ledger.ledger import AFTERMATH, BATTLES, Entry, Ledger
from cardbattle.campaign.phases.phase import Cause, Outcome, Situation
from cardbattle.campaign.phases.reserved_retreats import BeatenForce, places_of, with_reserved
from cardbattle.campaign.phases.retreat import (
    ENDS,
    ChosenRetreats,
    RetreatQuestion,
    choice_of,
    choose_retreat,
    no_retreat_notes,
)
from cardbattle.campaign.phases.upkeep import UPKEEP_KINDS
from cardbattle.campaign.state.apply import half_up
from cardbattle.campaign.state.changes import Change, Key, is_battle
from cardbattle.campaign.state.model import Campaign, Force
from cardbattle.campaign.state.tables.aftermath import (
    CHOOSE,
    DESTROYED,
    NO_RETREAT,
    STAYS,
    SURRENDERS,
    AftermathSettings,
    ExperienceSettings,
)
from cardbattle.commanders import DEFAULT, RANKS
from cardbattle.core.chance import Chance
from cardbattle.core.grammar import mid_sentence, with_verb
from cardbattle.core.names import listed
from cardbattle.core.telling import counted

CAPTURE = "capture"
NOT_ON_MAP = "not on the map"


def run_aftermath(situation: Situation) -> Outcome:
    """Return one entry for the consequences of each battle of this turn, and one for the captured places.

    All recorded results count, including imported ones. If a retreat must still be chosen, the phase waits.
    If the phase runs after the upkeep, forces that starved in it still hold their places: these can be
    captured in the next turn, as if the phase had run before.
    """
    before = situation
    causes, questions, forced, situation = battle_causes(before)
    waiting = with_suggestions(before, [question for question in questions if not question.choice])
    if waiting:
        waits = [question.words(situation.campaign) for question in waiting]
        return Outcome(waits=waits, notes=no_retreat_notes(situation.campaign, forced))
    exchanged = situation.changed(exchanges(situation.campaign))
    if exchanged:
        freed_forces = [change.key[1] for change in exchanged if change.key[2] == "prisoner_of"]
        names = listed(map(situation.campaign.display_name, freed_forces))
        causes.append(Cause(AFTERMATH, exchanged, reasons=[f"exchanged one for one: the leaders of {names}"]))
        situation = situation.after(exchanged)
    retreats = [*situation.entries, *(cause.entry() for cause in causes)]
    before_upkeep = with_starved(situation.campaign, before.entries)
    captures = situation.changed(captured(before_upkeep, retreated(retreats)))
    if captures:
        why = "only the new owner has forces there"
        causes.append(Cause(CAPTURE, captures, reasons=[why]))
    shared = shared_places(situation.campaign).items()
    return Outcome(causes, notes=[text_of_shared_place(situation.campaign, *each) for each in shared])


def with_starved(campaign: Campaign, entries: Sequence[Entry]) -> Campaign:
    """Return the campaign with the forces that were destroyed in the upkeep of this turn in their places."""
    upkeep = (change for entry in entries if entry.kind in UPKEEP_KINDS for change in entry.changes)
    starved = {change.key[1] for change in upkeep if change.key[2:] == ("destroyed",) and change.after}
    forces = {
        key: force.model_copy(update={"destroyed": False}) if key in starved else force
        for key, force in campaign.forces.items()
    }
    return campaign.model_copy(update={"forces": forces}) if starved else campaign


class Consequences(NamedTuple):
    """The consequences of the battles of this turn.

    Attributes:
        causes: the entries to record.
        questions: the retreats that players choose, including those that are chosen.
        forced: the beaten forces whose players have no choice.
        situation: the situation after all of this. A force whose retreat must be chosen stays where it is.

    """

    causes: list[Cause]
    questions: list[RetreatQuestion]
    forced: list[RetreatQuestion]
    situation: Situation


def battle_causes(situation: Situation) -> Consequences:
    """Return the consequences of the battles of this turn that are not recorded yet."""
    causes: list[Cause] = []
    questions: list[RetreatQuestion] = []
    forced: list[RetreatQuestion] = []
    finished_ids = {entry.id for entry in situation.entries if entry.kind == AFTERMATH}
    finished_ids |= battles_with_aftermath(situation.ledger)
    battles = [
        fought_battle(situation.campaign, entry)
        for entry in situation.entries
        if entry.kind in BATTLES and entry.id not in finished_ids and entry.result is not None
    ]
    chosen = ChosenRetreats()
    for number, battle in enumerate(battles):
        waiting = [BeatenForce(each.force, each.enemies) for each in questions if not each.choice]
        beaten = [*waiting, *forces_to_retreat(situation.campaign, battles[number:])]
        chosen = retreats_ahead(situation, beaten, chosen.done)
        after = BattleAftermath(situation, battle, chosen)
        after.compute()
        questions += after.questions
        forced += after.forced
        chosen = after.chosen
        changes = after.with_rules(situation.changed(after.values))
        if changes or after.reasons or after.remarks:
            causes.append(Cause(AFTERMATH, changes, battle.id, reasons=after.reasons, remarks=after.remarks))
            situation = situation.after(changes)
    return Consequences(causes, questions, forced, situation)


def battles_with_aftermath(ledger: Ledger) -> set[str]:
    """Return the battles whose aftermath is valid. It can be older than a corrected result."""
    heads = ledger.heads
    revisions = heads.revisions((AFTERMATH,), ledger.whole_entries)
    return {heads.ids[revision - 1] for revision in revisions if revision not in ledger.undone_revisions}


def with_suggestions(situation: Situation, questions: Sequence[RetreatQuestion]) -> Sequence[RetreatQuestion]:
    """Return retreats without a choice, with suggested places that are possible together.

    The umpire chooses for substitutes, so their places come first.
    """
    if len(questions) < 2:
        return questions
    campaign, choices = situation.campaign, dict(situation.choices)
    substituted = {
        each.force for each in questions if has_substitute(campaign, campaign.forces[each.force].faction)
    }
    suggested: dict[str, str] = {}
    while left := [
        question
        for question in battle_causes(situation._replace(choices=choices)).questions
        if not question.choice and question.force not in suggested
    ]:
        first = min(left, key=lambda question: question.force not in substituted)
        suggested[first.force] = choices[first.force] = first.places[0]
    return [question._replace(suggested=suggested.get(question.force, "")) for question in questions]


def forces_to_retreat(campaign: Campaign, battles: Iterable[FoughtBattle]) -> list[BeatenForce]:
    """Return the forces that must retreat after these battles."""
    return [
        BeatenForce(force, battle.enemies_of(force))
        for battle in battles
        for force in battle.losers
        if not campaign.forces[force].destroyed and not reason_to_stay(campaign, battle, force)
    ]


def retreats_ahead(
    situation: Situation, beaten: Sequence[BeatenForce], fates: Mapping[str, str]
) -> ChosenRetreats:
    """Return the retreats of beaten forces that are chosen or reserved, and the chosen ones in `fates`."""
    campaign = situation.campaign
    if campaign.aftermath is None or campaign.aftermath.retreat != CHOOSE:
        return ChosenRetreats(fates)
    choices = {each.force: choice_of(situation, each.force) for each in beaten}
    later = {force: place for force, place in choices.items() if place}
    leaving = {each.force for each in beaten}
    cornered: set[str] = set()
    while True:
        chosen = ChosenRetreats(fates, later, beaten=leaving - cornered, cornered=cornered)
        chosen = with_reserved(situation, beaten, chosen)
        stuck = {
            each.force
            for each in beaten
            if each.force in chosen.beaten and not places_of(situation, each, chosen.without(each.force))
        }
        if campaign.aftermath.no_retreat != STAYS or not stuck:
            return chosen
        cornered |= stuck


class FoughtBattle(NamedTuple):
    """A battle of this turn, with its place and the forces that won or lost.

    `place` is empty if the battle has no place or was fought on a road. `is_declined` means that a side
    declined the battle, so that it was not fought.
    """

    id: str
    place: str
    is_on_road: bool
    winners: Sequence[str]
    losers: Sequence[str]
    sides: Mapping[str, Sequence[str]]
    won_alone: bool
    is_declined: bool = False

    def enemies_of(self, force: str) -> list[str]:
        return [other for side in self.sides.values() if force not in side for other in side]


def fought_battle(campaign: Campaign, entry: Entry) -> FoughtBattle:
    assert entry.result is not None
    tables = [change.before for change in entry.changes if is_battle(change.key)]
    table = next((table for table in tables if isinstance(table, dict)), {})
    rows = table.get("sides", list(entry.result.sides))
    sides = {
        row[0] if isinstance(row, list) else row: row if isinstance(row, list) else [row] for row in rows
    }
    present = {key: [force for force in side if force in campaign.forces] for key, side in sides.items()}
    winners = [force for key in entry.result.winners for force in present.get(key, [])]
    beaten = [key for key in present if key not in entry.result.winners] if entry.result.winners else []
    return FoughtBattle(
        entry.id,
        str(table.get("place") or table.get("stakes") or ""),
        "road" in table,
        winners,
        [force for key in beaten for force in present[key]],
        present,
        len(entry.result.winners) == 1,
        entry.kind == "declined",
    )


class BattleAftermath:
    """The consequences of one battle.

    The consequences are changed values, the reasons for the changes, remarks for the umpire, and retreats
    that a player chooses or, with `choose`, does not need to choose.
    """

    def __init__(self, situation: Situation, battle: FoughtBattle, chosen: ChosenRetreats) -> None:
        self.situation = situation
        self.chosen = chosen
        self.campaign = situation.campaign
        self.battle = battle
        self.values: dict[Key, object] = {}
        self.reasons: list[str] = []
        self.remarks: list[str] = []
        self.questions: list[RetreatQuestion] = []
        self.forced: list[RetreatQuestion] = []
        self.staying: list[str] = []  # the forces that stay because they could not retreat
        self.rules: dict[str, str] = {}  # the rule for each destroyed force that could not retreat

    def compute(self) -> None:
        """Compute all consequences: retreats with pursuits, experience, then lost leaders."""
        if self.campaign.aftermath is not None and self.campaign.aftermath.retreat != NO_RETREAT:
            for force in self.battle.losers:
                self.retreat(self.campaign.aftermath, force)
        if self.campaign.experience is not None and not self.battle.is_declined:
            for side in self.battle.sides.values():
                for force in side:
                    self.gain_experience(self.campaign.experience, force)
        if self.campaign.aftermath is not None and not self.battle.is_declined:
            for force in self.battle.losers:
                self.lose_leader(self.campaign.aftermath, force)

    def retreat(self, settings: AftermathSettings, force: str) -> None:
        """Let a beaten force retreat, or apply the rule for a force that cannot retreat."""
        part = self.campaign.forces[force]
        if part.destroyed:
            return
        is_reserved, before = force in self.chosen.reserved, self.chosen
        self.chosen = self.chosen.without(force)
        stays = reason_to_stay(self.campaign, self.battle, force)
        if stays:
            expected = stays == NOT_ON_MAP  # such as in a battle of a league
            notes = self.reasons if expected else self.remarks
            notes.append(f"{self.verb(force, 'does|do')} not retreat: {stays}")
            return
        enemies = self.battle.enemies_of(force)
        way = choose_retreat(self.situation, force, enemies, self.chosen)
        question = RetreatQuestion(
            self.battle.id,
            force,
            enemies,
            way.places,
            way.refused,
            way.place,
            way.wrong,
            self.campaign,
            way.others,
        )
        if not way.places:
            self.forced.append(question._replace(chosen=self.chosen))
        else:
            self.questions.append(question)
            if not way.place:  # it must still leave its place
                self.chosen = self.chosen._replace(beaten=before.beaten)
            if way.place and not is_reserved:
                self.chosen = self.chosen._replace(done={**self.chosen.done, force: way.place})
        if way.place:
            self.move(force, way.place)
            verb = self.verb(force, "retreats|retreat")
            place = mid_sentence(self.campaign.location_name(way.place))
            self.reasons.append(f"{verb} to {place}: {way.why}")
            if not self.battle.is_declined:
                self.pursue(settings, force)
        elif not way.places:
            self.cornered(settings, force, way.why)

    def move(self, force: str, place: str) -> None:
        """Move a force to a place, so that later computations find the force there."""
        values: dict[Key, object] = {("forces", force, "location"): place}
        for word in ("towards", "walked", "march", "retreat"):
            if getattr(self.campaign.forces[force], word):
                values["forces", force, word] = None
        self.values |= values
        self.situation = self.situation.after(self.situation.changed(values))
        self.campaign = self.situation.campaign

    def pursue(self, settings: AftermathSettings, force: str) -> None:
        """Let a retreating force lose strength in the pursuit."""
        ratio = self.pursuit_ratio(force)
        strength = self.campaign.forces[force].strength
        lost = min(strength, half_up(strength * settings.pursuit * ratio))
        if lost:
            self.set_strength(force, strength - lost)
            loses = self.verb(force, "loses|lose")
            why = f"{settings.pursuit} for each full 2:1 against its side, {counted(ratio, 'time')}"
            self.reasons.append(f"{loses} {lost} in the pursuit: {why}")

    def pursuit_ratio(self, force: str) -> int:
        """Return half the ratio of the winners' strength to that of a beaten force's side, rounded down."""
        own_side = next(side for side in self.battle.sides.values() if force in side)
        won, lost = (
            sum(
                self.campaign.forces[key].strength
                for key in forces
                if not self.campaign.forces[key].destroyed
            )
            for forces in (self.battle.winners, own_side)
        )
        return int(Fraction(won, max(lost, 1)) // 2)

    def set_strength(self, force: str, strength: int) -> None:
        """Set the strength of a force. A strength below the campaign's limit destroys the force."""
        self.values["forces", force, "strength"] = strength
        if strength < max(1, self.campaign.attrition.destroyed_below):
            self.values["forces", force, "destroyed"] = True

    def cornered(self, settings: AftermathSettings, force: str, why: str) -> None:
        """Apply the rule for a force that cannot retreat: the force is destroyed, surrenders or stays."""
        if settings.no_retreat in (DESTROYED, SURRENDERS):
            self.values["forces", force, "destroyed"] = True
            self.rules[force] = settings.no_retreat
        else:
            self.staying.append(force)
        self.remarks.append(f"{self.verb(force, ENDS[settings.no_retreat])}: {why}")

    def verb(self, force: str, forms: str) -> str:
        """Return the name of a force, followed by the right one of the verb's forms `singular|plural`."""
        return with_verb(self.campaign.display_name(force), forms)

    def with_rules(self, changes: Sequence[Change]) -> list[Change]:
        """Return the changes with the rule for each force that could not retreat.

        Reports of this turn then stay the same if the umpire changes the rule later. A force that stays has
        no other change that could say so, so the rule is the text of its `retreat`.
        """
        rules: dict[Key, str] = {("forces", key, "destroyed"): rule for key, rule in self.rules.items()}
        stays = [
            Change(("forces", key, "retreat"), self.campaign.forces[key].retreat, None, STAYS)
            for key in self.staying
        ]
        return [*(change._replace(text=rules.get(change.key, change.text)) for change in changes), *stays]

    def has_surrendered(self, force: str) -> bool:
        return self.rules.get(force) == SURRENDERS

    def lose_leader(self, settings: AftermathSettings, force: str) -> None:
        """Decide whether the leader of a beaten force is killed or captured. If so, the deputy takes command.

        The leader of a force that surrenders is always captured. The prisoner goes to the faction of the
        winning side's first force. If several sides won, nobody takes prisoners.
        """
        part = self.campaign.forces[force]
        leading = [side[0] for side in self.battle.sides.values() if side and side[0] in self.battle.winners]
        captors = {self.campaign.forces[winner].faction for winner in leading}
        if part.leader is None or part.fallen or part.prisoner_of is not None or not captors:
            return
        chance = self.situation.chance(f"leader/{self.battle.id}/{force}")
        is_killed = not self.has_surrendered(force) and happens(chance, settings.leader_killed)
        is_captured = self.has_surrendered(force) or happens(chance, settings.leader_captured)
        rank = self.values.get(("forces", force, "commander"), part.commander)
        leader = f"the leader of {mid_sentence(self.campaign.display_name(force))}"
        if is_killed:
            self.values["forces", force, "fallen"] = True
            self.reasons.append(f"{leader} falls: the chance is {settings.leader_killed}")
        elif is_captured and len(captors) == 1:
            captor = next(iter(captors))
            self.values["forces", force, "prisoner_of"] = captor
            self.values["forces", force, "leader_rank"] = rank
            drawn = f"the chance is {settings.leader_captured}"
            why = "it surrenders" if self.has_surrendered(force) else drawn
            self.reasons.append(
                f"{leader} is captured by {mid_sentence(self.campaign.faction_name(captor))}: {why}"
            )
        else:
            return
        self.values["forces", force, "commander"] = part.deputy or DEFAULT

    def gain_experience(self, settings: ExperienceSettings, force: str) -> None:
        """Let a surviving force gain experience.

        A force that reaches its next step also gets its benefits, and so does its captured leader.
        """
        part = self.campaign.forces[force]
        if part.destroyed or self.values.get(("forces", force, "destroyed")):
            return
        won = force in self.battle.winners and self.battle.won_alone
        gain = settings.battle + (settings.win if won else 0)
        if not gain:
            return
        experience = part.experience + gain
        self.values["forces", force, "experience"] = experience
        self.reasons.append(
            f"{self.campaign.display_name(force)}: experience {part.experience} + {gain} = {experience}"
        )
        before, step = settings.step(part.experience), settings.step(experience)
        if step is None or step == before:
            return
        if step.title is not None:
            self.values["forces", force, "title"] = step.title
        if step.commander is not None and is_better(step.commander, part.commander):
            self.values["forces", force, "commander"] = step.commander
        rank = self.values.get(("forces", force, "leader_rank"), part.leader_rank)
        if step.commander is not None and rank is not None and is_better(step.commander, str(rank)):
            self.values["forces", force, "leader_rank"] = step.commander
        self.reasons.append(
            f"{self.verb(force, 'has|have')} reached experience {step.at}: {step.title or 'the next step'}"
        )


def reason_to_stay(campaign: Campaign, battle: FoughtBattle, force: str) -> str:
    """Return the reason why a force that a battle has beaten need not retreat, or "" if it must retreat."""
    part = campaign.forces[force]
    if battle.is_on_road and part.towards is not None:
        return ""
    if part.location is None:
        return NOT_ON_MAP
    if battle.is_on_road:
        return (
            f"at {mid_sentence(campaign.location_name(part.location))}, not on the road where the battle was"
        )
    if part.location != battle.place:
        return f"at {mid_sentence(campaign.location_name(part.location))}, not where the battle was"
    pending = [each.id for each in campaign.pending if any(force in side for side in each.sides)]
    return f"held by battle {pending[0]}" if pending else ""


def happens(chance: Chance, share: Fraction) -> bool:
    """Return True with the probability `share`, decided by a random draw."""
    return chance.below(share.denominator) < share.numerator


def exchanges(campaign: Campaign) -> dict[Key, object]:
    """Return the values that exchange the prisoners of every two factions one for one."""
    if campaign.aftermath is None or not campaign.aftermath.exchange:
        return {}
    held: dict[tuple[str, str], list[str]] = {}
    for key, force in campaign.forces.items():
        if force.prisoner_of is not None:
            held.setdefault((force.faction, force.prisoner_of), []).append(key)
    values: dict[Key, object] = {}
    for first, second in combinations(campaign.factions, 2):
        for pair in zip(held.get((first, second), ()), held.get((second, first), ()), strict=False):
            for key in pair:
                values |= freed(campaign, key)
    return values


def freed(campaign: Campaign, force: str) -> dict[Key, object]:
    """Return the new values of a force whose captured leader is freed and commands the force again."""
    part = campaign.forces[force]
    values: dict[Key, object] = {
        ("forces", force, "prisoner_of"): None,
        ("forces", force, "leader_rank"): None,
    }
    if part.leader_rank is not None:
        values["forces", force, "commander"] = part.leader_rank
    return values


def is_better(rank: str, other: str) -> bool:
    """Return True if `rank` is higher than `other`.

    The result is False if either is the rank of a plug-in.
    """
    names = list(RANKS)
    first, second = (word.partition(":")[0] for word in (rank, other))
    return first in names and second in names and names.index(first) > names.index(second)


def retreated(entries: Iterable[Entry]) -> set[str]:
    return {
        change.key[1]
        for entry in entries
        if entry.kind == AFTERMATH
        for change in entry.changes
        if change.key[0] == "forces" and change.key[2:] == ("location",)
    }


def captured(campaign: Campaign, beaten: Collection[str]) -> dict[Key, object]:
    """Return the new owners of the places that contain forces of only one faction.

    The `beaten` forces have just retreated to their places, and capture nothing. No faction captures a place
    of a faction with which it is at peace.
    """
    if campaign.aftermath is None or not campaign.aftermath.capture:
        return {}
    contested = {battle.place or battle.stakes for battle in campaign.pending}
    taken_places = {force.location for key, force in standing_forces(campaign).items() if key not in beaten}
    single = {
        place: present[0] for place, present in factions_by_place(campaign).items() if len(present) == 1
    }
    return {
        ("locations", place, "owner"): faction
        for place, faction in single.items()
        if place in taken_places and place not in contested and campaign.can_capture(faction, place)
    }


def standing_forces(campaign: Campaign) -> dict[str, Force]:
    """Return the forces that stand in a place. Destroyed forces and forces on a road are left out."""
    return {
        key: force
        for key, force in campaign.forces.items()
        if force.location is not None and not force.destroyed and force.towards is None
    }


def factions_by_place(campaign: Campaign) -> dict[str, list[str]]:
    """Return the factions that have forces standing in each place."""
    factions: dict[str, dict[str, None]] = {}
    for force in standing_forces(campaign).values():
        factions.setdefault(force.location or "", {})[force.faction] = None
    return {place: [*present] for place, present in factions.items()}


def shared_places(campaign: Campaign) -> dict[str, list[str]]:
    """Return the factions at peace that together occupy a place which one of them alone would capture."""
    if campaign.aftermath is None or not campaign.aftermath.capture:
        return {}
    contested = {battle.place or battle.stakes for battle in campaign.pending}
    return {
        place: present
        for place, present in factions_by_place(campaign).items()
        if len(present) > 1 and place not in contested and not campaign.hostile_among(present)
        if any(campaign.can_capture(faction, place) for faction in present)
    }


def text_of_shared_place(campaign: Campaign, place: str, factions: Sequence[str]) -> str:
    """Say which factions share a place that therefore keeps its owner."""
    names = mid_sentence(listed(map(campaign.faction_name, factions)))
    stays = owner_clause(campaign, place)
    return f"{campaign.location_name(place)} {stays}: forces of {names} are there together"


def owner_clause(campaign: Campaign, place: str) -> str:
    """Return the end of a sentence which says that a place keeps its owner."""
    owner = campaign.locations[place].owner
    return f"stays with {mid_sentence(campaign.faction_name(owner))}" if owner else "still belongs to nobody"

"""Sentences for the umpire about a declined battle: who wins it, and where the beaten forces go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from cardbattle.campaign.exchange.confirmation import edit_without
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import decline_battle
from cardbattle.campaign.phases.aftermath import FoughtBattle, battle_causes, fought_battle, reason_to_stay
from cardbattle.campaign.phases.finished_phases import entries_of_turn
from cardbattle.campaign.phases.phase import Situation
from cardbattle.campaign.phases.retreat import ChosenRetreats, RetreatQuestion, Ways, candidates_of
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.aftermath import CHOOSE, NO_RETREAT, STAYS
from cardbattle.core.grammar import mid_sentence, together, with_verb
from cardbattle.core.names import listed, quoted


def result_of_declining(campaign: Campaign, ledger: Ledger, entry: Entry) -> list[str]:
    """Return sentences for the umpire: who wins a battle that is declined, and who retreats.

    `entry` records that sides decline a battle, and is not recorded yet.
    """
    battle = campaign.battle(entry.id)
    assert battle is not None and entry.result is not None
    winners = [side for side in battle.sides if side[0] in entry.result.winners]
    refusing = [side for side in battle.sides if side not in winners]
    first, second = (
        together([campaign.side_name(side, battle) for side in sides]) for sides in (refusing, winners)
    )
    declined = f"{with_verb(first, 'declines|decline')} battle {entry.id}"
    winner = with_verb(mid_sentence(second), "wins|win")
    won = f"{winner} it without losses{stakes_words(campaign, battle, entry)}"
    retreats = campaign.aftermath is not None and campaign.aftermath.retreat != NO_RETREAT
    staying = winners if retreats else [*winners, *refusing]
    sentences = [f"{declined}; {won}", *retreats_after(campaign, ledger, entry)]
    sentences += [
        where_it_stays(campaign, force) for side in staying for force in side if battle.road is not None
    ]
    if campaign.hostile_among(campaign.forces[side[0]].faction for side in winners):
        start = f"{second} do not fight each other; to let them fight instead"
        sentences.append(f"{start}: {edit_without(battle, [side[0] for side in refusing])}")
    return sentences


def where_it_stays(campaign: Campaign, force: str) -> str:
    """Say to the umpire where a force is that does not retreat from a battle on a road."""
    part = campaign.forces[force]
    name = with_verb(campaign.display_name(force), "stays|stay")
    if part.towards is None:
        return f"{name} at {mid_sentence(campaign.location_name(part.location or ''))}"
    towards = mid_sentence(campaign.location_name(part.towards))
    order = "goes on in the next turn" if part.march else "needs a new order to go on"
    return f"{name} on the road to {towards}, and {order}"


def stakes_words(campaign: Campaign, battle: Pending, entry: Entry) -> str:
    """Say which faction gets the place at stake in a battle that `entry` decides, or return ""."""
    if battle.stakes is None:
        return ""
    place = mid_sentence(campaign.location_name(battle.stakes))
    before = campaign.locations[battle.stakes].owner
    owner = campaign.after(entry.changes).locations[battle.stakes].owner
    if owner is None:
        return f", and no faction gets {place}"
    verb = "keeps|keep" if owner == before else "gets|get"
    return f", and {with_verb(mid_sentence(campaign.faction_name(owner)), verb)} {place}"


def retreats_after(campaign: Campaign, ledger: Ledger, entry: Entry) -> list[str]:
    """Return sentences for the umpire about the retreats after a battle whose result is not recorded yet."""
    if campaign.aftermath is None or campaign.aftermath.retreat == NO_RETREAT:
        return []
    after = campaign.after(entry.changes)
    situation = Situation(after, ledger, [*entries_of_turn(ledger), entry])
    consequences = battle_causes(situation)
    sentences = [
        sentence
        for cause in consequences.causes
        if cause.id == entry.id
        for sentence in (*cause.reasons, *cause.remarks)
    ]
    for question in consequences.questions:
        if question.battle == entry.id and not question.choice:
            sentences.append(must_retreat(after, question))
    losers = fought_battle(after, entry).losers
    battles = battles_that_matter(
        situation, after.pending, losers, lambda later: fates_of(later, entry.id, losers)
    )
    unless = f"unless {battles_words(battles)}: " if battles else ""
    return [f"{unless}{sentence}" for sentence in sentences]


def battles_words(battles: Sequence[str]) -> str:
    """Say that these pending battles can change where a force can retreat."""
    names = together([f"battle {battle}" for battle in battles])
    return f"{with_verb(names, 'opens or closes|open or close')} a way"


def battles_that_matter(
    situation: Situation,
    battles: Iterable[Pending],
    beaten: Sequence[str],
    fates: Callable[[Situation], object],
) -> list[str]:
    """Return which of these pending battles can change the retreats of beaten forces, by id.

    `fates` returns the retreats in a situation.

    Each possible winner of each pending battle is tried alone. If none of them changes a retreat, the defeat
    of all enemies in all pending battles is tried, because several battles together can open a way.
    """
    campaign, before = situation.campaign, fates(situation)
    enemies = {force for force in campaign.forces if is_enemy_of(campaign, force, beaten)}
    matter = []
    all_lost: list[Entry] = []
    for battle in battles:
        outcomes = {side[0]: outcome_of(campaign, battle, side[0]) for side in battle.sides}
        if any(fates(after_battles(situation, [entry])) != before for entry in outcomes.values()):
            matter.append(battle.id)
        all_lost += [outcomes[side[0]] for side in battle.sides if not enemies.intersection(side)][:1]
    if matter or fates(after_battles(situation, all_lost)) == before:
        return matter
    return [entry.id for entry in all_lost]


def is_enemy_of(campaign: Campaign, force: str, others: Iterable[str]) -> bool:
    faction = campaign.forces[force].faction
    return any(campaign.are_enemies(faction, campaign.forces[other].faction) for other in others)


def outcome_of(campaign: Campaign, battle: Pending, winner: str) -> Entry:
    """Return an entry that lets a side win a pending battle without losses."""
    return decline_battle(campaign, battle.id, [side[0] for side in battle.sides if side[0] != winner]).entry


def after_battles(situation: Situation, results: Sequence[Entry]) -> Situation:
    """Return the situation after these results of different battles."""
    for entry in results:
        situation = situation.after(entry.changes)
    return situation._replace(entries=[*situation.entries, *results])


def fates_of(situation: Situation, battle: str, beaten: Sequence[str]) -> dict[str, tuple[object, ...]]:
    """Return where each beaten force of a battle retreats, or among which places its player chooses."""
    consequences = battle_causes(situation)
    forces = consequences.situation.campaign.forces
    open_choices = {
        each.force: each.places
        for each in consequences.questions
        if each.battle == battle and not each.choice
    }
    return {
        force: (forces[force].location, forces[force].destroyed, open_choices.get(force)) for force in beaten
    }


def ways_out(situation: Situation, force: str, enemies: Collection[str]) -> Ways:
    """Return the places to which a force can retreat after the battles of this turn."""
    _, questions, _, after = battle_causes(situation)
    leaving = frozenset(question.force for question in questions if not question.choice)
    return candidates_of(after, force, enemies, ChosenRetreats(beaten=leaving))


def must_retreat(campaign: Campaign, question: RetreatQuestion) -> str:
    """Say where a force must retreat whose player can choose among the open places."""
    places = listed((mid_sentence(campaign.location_name(place)) for place in question.places), "or")
    how = "; the player chooses" if len(question.places) > 1 else ", the only possible place,"
    name = campaign.display_name(question.force)
    return f"{name} must retreat to {places}{how} after the battles of this turn"


def forces_left_out(
    campaign: Campaign, ledger: Ledger, battle: Pending, changes: Sequence[Change]
) -> list[str]:
    """Return sentences for the umpire about forces that an edit of a battle takes out of it.

    A force that is where the battle is must retreat, like a force that declines. The program cannot move it,
    because the ledger records no result for it.
    """
    after = campaign.after(changes)
    edited = after.battle(battle.id)
    if after.aftermath is None or after.aftermath.retreat == NO_RETREAT or edited is None:
        return []
    place = battle.place or battle.stakes or ""
    entries = entries_of_turn(ledger)
    fighting = {force for side in edited.sides for force in side}
    sentences = []
    for side in battle.sides:
        for force in (key for key in side if key not in fighting):
            fought = FoughtBattle(battle.id, place, battle.road is not None, [], [force], {}, False)
            own_faction = after.forces[force].faction
            enemies = [key for key in fighting if after.are_enemies(own_faction, after.forces[key].faction)]
            if enemies and not reason_to_stay(after, fought, force):
                sentences.append(left_out_words(Situation(after, ledger, entries), battle.id, force, enemies))
    return sentences


def left_out_words(situation: Situation, battle: str, force: str, enemies: Sequence[str]) -> str:
    """Say where a force that no longer fights must retreat, and which other battles can change this."""
    ways = candidates_of(situation, force, enemies)
    others = [each for each in situation.campaign.pending if each.id != battle]
    battles = battles_that_matter(
        situation,
        others,
        [force],
        lambda later: [each.place for each in ways_out(later, force, enemies).candidates],
    )
    words = way_out_words(situation.campaign, battle, force, ways)
    return f"{words}; wait first, in case {battles_words(battles)}" if battles else words


def way_out_words(campaign: Campaign, battle: str, force: str, ways: Ways) -> str:
    """Say where a force that no longer fights in a battle must retreat, with the command for the umpire."""
    assert campaign.aftermath is not None
    left = f"{with_verb(campaign.display_name(force), 'no longer fights|no longer fight')} in battle {battle}"
    if ways.candidates:
        places = [candidate.place for candidate in ways.candidates]
        names = listed((mid_sentence(campaign.location_name(place)) for place in places), "or")
        how = f"cardbattle campaign move {force} {places[0]}"
        choice = ", as the player chooses" if len(places) > 1 and campaign.aftermath.retreat == CHOOSE else ""
        return f"{left} and must retreat, like a force that declines, to {names}{choice}, with: {how}"
    rule = campaign.aftermath.no_retreat
    if rule == STAYS:
        return f"{left} and has no way out; by no_retreat = {quoted(rule)}, it stays"
    destroy = f"cardbattle campaign set forces.{force}.destroyed=true"
    return (
        f"{left} and has no way out; by no_retreat = {quoted(rule)}, it is lost; record this with: {destroy}"
    )

"""Messages about pending battles: how to report a result, declining, and notices to allies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.confirmation import commanding_ally
from cardbattle.campaign.exchange.order_book import has_substitute
from cardbattle.campaign.exchange.report_examples import examples_of
from cardbattle.campaign.ledger.roster import factions_of_side, keys_for
from cardbattle.campaign.phases.more_sides import enemies_beside, place_stays
from cardbattle.campaign.state.tables.aftermath import NO_RETREAT, STAYS
from cardbattle.campaign.state.tables.battle_effects import (
    battle_effect_clauses,
    battle_place_words,
    place_of_battle,
    terrain_of,
)
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.campaign.visibility.redaction import is_private
from cardbattle.core.grammar import capital, mid_sentence, sentence_start, together, with_verb
from cardbattle.show.pages.campaign.messages.fought_battles import end_of, lasting_part
from cardbattle.show.pages.campaign.messages.news import NOTE_LINE
from cardbattle.show.pages.campaign.messages.request import DETAILS, NO_ANSWER, READ, RESULT, due, requests_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.state.model import Campaign, Force, Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.pages.campaign.messages.request import OrderRequest

REPORTED = "Another side has reported the result of this battle."
ALLY_DECLINES = "An ally on your side declines this battle. If you do not, the umpire decides what happens."
DECLINE_RECORDED = "Your answer is recorded: you decline battle {}. The umpire asks your allies on this side."
ALLY_REPORTED = (
    "An ally has reported the result of this battle, also for you. You need not answer. If you know another "
    "result, report it too."
)
AT_TABLE = "The battle is fought at the table, and the umpire enters its moves."
TO_FIGHT = (
    "This battle is pending. You can fight it at a table, with the sheet that the umpire prints, or by "
    "message: then the umpire sends you questions."
)
COMMANDS = (
    "The battle is fought by message. {} your side, and answers all questions. The report of the turn says "
    "how the battle ended."
)
FOUGHT = "When it is fought at a table, each side reports the result. A side that declines reports only this."
DIFFER = "In this battle, the reports of the sides differ. Your report:"
REPORT_COUNTS = "Your earlier report still counts:"
RIGHT = "If it is right, you do not need to answer; the umpire decides. Otherwise, correct it."
RESULT_HOW = (
    "Write the result behind the address in the last line, and send the whole line back. For example:"
)
RESULT_NAMES = "You can also write {}. Losses are shares such as 1/4, 40% or 2 of 8."
RESULT_SCORES = 'If you counted points, add them, such as "{0} scored 5, {1} scored 3".'
DECLINING = "Declining gives {} to the other side{}."
DECLINING_AMONG = "If you decline, the umpire decides whether the others fight."
DECLINING_TOGETHER = "Your side declines only if {} too."
DECLINING_RETREATS = "After declining, {}."


def result_request(
    visible: VisibleCampaign,
    faction: str,
    side: str,
    battle: Pending,
    state: Sequence[str],
    until: str = "",
    *,
    can_decline: bool = True,
) -> list[OrderRequest]:
    """Return the parts of the message that asks a faction to report the result of a battle at the table.

    `side` is the faction's side of the battle. `state` are sentences about the battle, which contain no
    report of another side. `until` is the deadline in the ledger's format, or "". With `can_decline`, the
    message says how to decline, and what this costs.
    """
    campaign = visible.campaign
    known = campaign.battle(battle.id) or battle
    address = f"{battle.id}/{side}:"
    first, second, *others = keys_for(known, side)
    lines = [
        battle_line(campaign, known),
        *bystander_lines(campaign, known),
        *note_of_battle(known),
        *state,
        RESULT_HOW,
        *(f"- {example}" for example in examples_of(campaign, known, side, can_decline=can_decline)),
        *(cost_of_declining(visible, known, faction) if can_decline else []),
        RESULT_NAMES.format('"we"' if others else '"we" and "they"'),
        *lasting_part(campaign),
        *([RESULT_SCORES.format(first, second)] if campaign.uses_scores else []),
        *due(until),
        "",
        address,
    ]
    return requests_of(visible, faction, lines, f"{RESULT} of {battle.id}")


def result_reminder(
    visible: VisibleCampaign,
    faction: str,
    side: str,
    battle: Pending,
    state: Sequence[str],
    due_line: Sequence[str],
    *,
    can_decline: bool,
) -> list[OrderRequest]:
    """Return the message that reminds a faction to report, confirm or check the result of a battle.

    The arguments are those of `result_request` and `order_reminder`.
    """
    campaign, topic = visible.campaign, f"{RESULT} of {battle.id}"
    known = campaign.battle(battle.id) or battle
    lines = [
        battle_line(campaign, known),
        *state,
        *due_line,
        DETAILS.format(topic),
        RESULT_HOW,
        *(f"- {example}" for example in examples_of(campaign, known, side, can_decline=can_decline)),
        "",
        f"{battle.id}/{side}:",
    ]
    return requests_of(visible, faction, lines, topic, is_reminder=True)


def cost_of_declining(visible: VisibleCampaign, battle: Pending, faction: str) -> list[str]:
    """Return a line about what happens if a faction declines a battle, or nothing if it gives up nothing."""
    campaign = visible.campaign
    forces = [force for side in battle.sides for key in side if (force := campaign.forces.get(key))]
    retreats = campaign.aftermath is not None and campaign.aftermath.retreat != NO_RETREAT
    retreats = retreats and any(is_at(force, battle) for force in forces if force.faction == faction)
    must_retreat = f"your forces must retreat{end_after_declining(visible)}"
    after = [DECLINING_RETREATS.format(must_retreat)] if retreats else []
    if len(battle.sides) > 2:
        return [DECLINING_AMONG, *after]
    jointly = declining_together(campaign, battle, faction)
    others = [side[0] for side in battle.sides if faction not in factions_of_side(campaign, side)]
    takers = [campaign.forces[key].faction for key in others]
    if not battle.stakes or not any(campaign.can_win_place(taker, battle) for taker in takers):
        return [*jointly, *after]
    place = mid_sentence(campaign.location_name(battle.stakes))
    return [*jointly, DECLINING.format(place, f", and {must_retreat}" if retreats else "")]


def end_after_declining(visible: VisibleCampaign) -> str:
    """Return a warning about forces that cannot retreat, or "" if they stay."""
    end = end_of(visible)
    return "" if end == STAYS else f"; a force without a way out {end}"


def declining_together(campaign: Campaign, battle: Pending, faction: str) -> list[str]:
    """Return a line about the allies without whom a faction cannot decline a battle, or nothing."""
    factions = next(
        (own for side in battle.sides if faction in (own := factions_of_side(campaign, side))), []
    )
    allies = [mid_sentence(campaign.faction_name(key)) for key in factions if key != faction]
    return [DECLINING_TOGETHER.format(with_verb(together(allies), "declines|decline"))] if allies else []


def decline_notice(visible: VisibleCampaign, faction: str, battle: Pending) -> list[OrderRequest]:
    """Return the message to a faction that declines a battle while its allies on this side do not yet."""
    known = visible.campaign.battle(battle.id) or battle
    jointly = declining_together(visible.campaign, known, faction)
    return requests_of(visible, faction, [DECLINE_RECORDED.format(battle.id), *jointly, NO_ANSWER], READ)


def is_at(force: Force, battle: Pending) -> bool:
    """Return True if a force is where its battle is, so that it retreats after a defeat.

    Forces that meet on a road from two places stay in these places.
    """
    is_on_road = force.towards is not None
    is_there = force.location == (battle.place or battle.stakes)
    return is_on_road if battle.road else is_there and not is_on_road


def battle_notice(
    visible: VisibleCampaign, faction: str, battle: Pending, state: str = TO_FIGHT
) -> list[OrderRequest]:
    """Return the message to a faction about a pending battle that asks for nothing. `state` is a sentence."""
    campaign = visible.campaign
    known = campaign.battle(battle.id) or battle
    lines = [battle_line(campaign, known), *bystander_lines(campaign, known), *note_of_battle(known)]
    return requests_of(
        visible, faction, [*lines, *([state] if state else []), NO_ANSWER], f"battle {battle.id}"
    )


def bystander_notice(visible: VisibleCampaign, faction: str, battle: Pending) -> list[OrderRequest]:
    """Return the message to a faction whose forces stand by in a battle, or nothing if there are none.

    If the faction cannot know the battle, there is no message.
    """
    campaign = visible.campaign
    known = campaign.battle(battle.id)
    idle = enemies_beside(campaign, known) if known else ()
    is_there = any(campaign.forces[force].faction == faction for force in idle)
    return battle_notice(visible, faction, battle, "") if is_there else []


def bystander_lines(campaign: Campaign, battle: Pending) -> list[str]:
    """Return a line about the forces that stand by in a battle, and keep its winner from taking the place."""
    forces = enemies_beside(campaign, battle)
    if not forces:
        return []
    names = sentence_start(together(map(campaign.display_name, forces)))
    stand = capital(with_verb(names, "stands by|stand by"))
    return [f"{stand}, and {place_stays(campaign, forces, battle.stakes or '')}."]


def ally_notices(campaign: Campaign, ledger: Ledger, battle: Pending) -> list[OrderRequest]:
    """Return the messages about a battle by message to the allies of those who command its sides."""
    players = (faction for faction in campaign.factions if not has_substitute(campaign, faction))
    return [
        part
        for faction in players
        if (ally := commanding_ally(campaign, battle, faction))
        for part in ally_notice(visible_to(campaign, ledger, faction), faction, battle, ally)
    ]


def ally_notice(visible: VisibleCampaign, faction: str, battle: Pending, ally: str) -> list[OrderRequest]:
    """Return the message to a faction about a battle by message in which an ally commands its forces."""
    state = COMMANDS.format(with_verb(visible.campaign.faction_name(ally), "commands|command"))
    return battle_notice(visible, faction, battle, state)


def differing(own: str) -> list[str]:
    """Return the sentences for a side whose report, `own`, differs from the report of another side."""
    return [DIFFER, f"- {own}", RIGHT]


def battle_line(campaign: Campaign, battle: Pending) -> str:
    """Return a line with the id, place, sides, rule set, terrain and weather of a battle, and their effects.

    `campaign` is what the reader of the line knows.
    """
    at = battle_place_words(campaign, battle.road or (), place_of_battle(campaign, battle))
    title = f"Battle {battle.id} {at}".rstrip()
    kind = campaign.weather.kind(battle.weather) if campaign.weather else None
    weather = f"weather: {kind.name}" if kind else ""
    terms = [term for term in (campaign.rules_name(battle), terrain_of(campaign, battle), weather) if term]
    effects = "; ".join(battle_effect_clauses(campaign, battle))
    told = f" {capital(effects)}." if effects else ""
    return f"{title}: {opponents(campaign, battle)}; {', '.join(terms)}.{told}"


def opponents(campaign: Campaign, battle: Pending) -> str:
    """Return the sides of a battle, with their forces: `The Guard against the Riders`."""
    first, *enemies = (campaign.side_with_forces(forces, battle) for forces in battle.sides)
    return " against ".join([sentence_start(first), *map(mid_sentence, enemies)])


def note_of_battle(battle: Pending) -> list[str]:
    """Return the umpire's note about a battle, unless it is for the umpire alone."""
    return [] if is_private(battle.note) else [NOTE_LINE.format(line) for line in battle.note.splitlines()]

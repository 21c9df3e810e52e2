"""The message that asks a player where beaten forces retreat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.phases.retreat import CLOSED
from cardbattle.campaign.state.apply import DECLINED
from cardbattle.campaign.state.tables.march_orders import RETREAT as RETREAT_TO
from cardbattle.campaign.turn.retreat_choices import crowded_places, known_ways, places_to_name
from cardbattle.campaign.visibility.reader import ALL
from cardbattle.core.grammar import capital, mid_sentence
from cardbattle.core.names import listed
from cardbattle.show.pages.campaign.forces import position_text
from cardbattle.show.pages.campaign.messages.fought_battles import (
    end_of,
    fought_battle,
    fought_line,
    lasting_part,
)
from cardbattle.show.pages.campaign.messages.request import (
    COUNTS,
    DETAILS,
    EARLIER_COUNT,
    HEADINGS,
    NO_ANSWER,
    RETREAT,
    due,
    requests_of,
)
from cardbattle.show.pages.campaign.messages.roads import place_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.phases.retreat import RetreatQuestion
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.pages.campaign.messages.request import OrderRequest

FOUGHT_BATTLES = ("You have fought a battle:", "You have fought several battles:")
DECLINED_BATTLES = ("A battle was declined:", "Several battles were declined:")
RETREAT_CLOSED = (
    "A place is closed if the enemy came from there, or stands there unseen. The umpire then asks again."
)
CROWDED = "There is room in {} for only {} of {}."  # the names of a place and of forces
RETREAT_HOW = "Write the place behind each force in the last lines, and send them back."


def retreat_request(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    questions: Sequence[RetreatQuestion],
    forced: Sequence[RetreatQuestion],
    until: str = "",
    others: Sequence[str] = (),
) -> list[OrderRequest]:
    """Return the parts of the message that asks a faction where its beaten forces retreat.

    The message has only places that seem possible to the faction. `forced` are its forces without a choice.
    Without `questions`, it asks for nothing. `until` is the deadline in the ledger's format, or "". `others`
    are further battles whose results the message has.
    """
    campaign = visible.campaign
    lines: list[str] = []
    battles = dict.fromkeys([*(question.battle for question in (*questions, *forced)), *others])
    declined = [battle for battle in battles if fought_battle(visible, battle).kind == DECLINED]
    fought = [battle for battle in battles if battle not in declined]
    kinds = ((fought, FOUGHT_BATTLES), (declined, DECLINED_BATTLES))
    headings = {each[0]: words[len(each) > 1] for each, words in kinds if each}
    for battle in (*fought, *declined):
        lines += [*([headings[battle]] if battle in headings else []), fought_line(visible, battle)]
        lines += [forced_line(visible, question) for question in forced if question.battle == battle]
        for question in (question for question in questions if question.battle == battle):
            lines += choice_lines(visible, question)
            ways = known_ways(visible.ledger, question)
            closed_places = dict.fromkeys([question.wrong] if question.wrong else [])
            closed_places |= {place: ways.refused[place] for place in ways.refused if place in ways.closed}
            lines += [
                f"You cannot choose {mid_sentence(campaign.location_name(place))}, which {why or CLOSED}."
                for place, why in closed_places.items()
            ]
        lines.append("")
    lines += crowded_lines(visible, questions)
    lines += lasting_part(campaign) if fought else []
    chosen = [
        f"- {COUNTS}: {key}: {RETREAT_TO} {force.retreat}"
        for key, force in campaign.forces.items()
        if force.faction == faction and force.retreat and key not in [each.force for each in questions]
    ]
    lines += [EARLIER_COUNT, *chosen, ""] if chosen and questions else []
    if not questions:
        return requests_of(visible, faction, [*lines, NO_ANSWER], RETREAT)
    closed = [] if campaign.visibility.location == ALL else [RETREAT_CLOSED]
    lines += [*due(until), *closed, RETREAT_HOW, "", f"{address}:"]
    lines += [f"{question.force}: {RETREAT_TO}" for question in questions]
    return requests_of(visible, faction, lines, RETREAT)


def retreat_reminder(
    visible: VisibleCampaign,
    faction: str,
    address: str,
    questions: Sequence[RetreatQuestion],
    due_line: Sequence[str],
) -> list[OrderRequest]:
    """Return the message that reminds a faction of the retreats of its beaten forces.

    The arguments are those of `order_reminder`.
    """
    choices = [line for question in questions for line in choice_lines(visible, question)]
    form = [RETREAT_HOW, "", f"{address}:", *(f"{question.force}: {RETREAT_TO}" for question in questions)]
    lines = [*choices, *due_line, DETAILS.format(HEADINGS[RETREAT]), *form]
    return requests_of(visible, faction, lines, RETREAT, is_reminder=True)


def crowded_lines(visible: VisibleCampaign, questions: Sequence[RetreatQuestion]) -> Iterator[str]:
    """Yield a line about each place that is open to several forces but does not have room for all."""
    campaign = visible.campaign
    for place, forces in crowded_places(visible.ledger, questions):
        name = mid_sentence(campaign.location_name(place))
        count = "one" if len(forces) == 2 else "some"
        yield CROWDED.format(name, count, mid_sentence(listed(map(campaign.display_name, forces))))


def choice_lines(visible: VisibleCampaign, question: RetreatQuestion) -> list[str]:
    """Return the lines with the places to which a beaten force can retreat, as its player may know them."""
    campaign = visible.campaign
    faction = campaign.forces[question.force].faction
    return [
        f"{retreat_sentence(visible, question)} You can choose:",
        *(
            f"- {RETREAT_TO} {place} ({place_words(campaign, faction, place)})"
            for place in places_to_name(known_ways(visible.ledger, question))
            if place != question.wrong
        ),
    ]


def retreat_sentence(visible: VisibleCampaign, question: RetreatQuestion) -> str:
    """Return a sentence that a beaten force must retreat from its place."""
    campaign = visible.campaign
    force = campaign.forces[question.force]
    at = position_text(campaign, force)
    at = at if force.towards else str(mid_sentence(campaign.location_name(force.location or "")))
    name = capital(str(campaign.display_name(question.force)))
    return f"{name} (strength {visible.strengths[question.force]}) must retreat from {at}."


def forced_line(visible: VisibleCampaign, question: RetreatQuestion) -> str:
    """Return a line about a beaten force whose player has no choice.

    An unseen enemy can close the only way out, so the line has only what the player knows. A player who
    knows several ways is asked unless all of them are closed.
    """
    ways = places_to_name(known_ways(visible.ledger, question))
    names = [mid_sentence(visible.campaign.location_name(place)) for place in ways]
    end = end_of(visible)
    if not names:
        way = f"there is no way out, and the force {end}"
    elif len(names) > 1:
        way = f"the ways out to {listed(names)} are closed, and the force {end}"
    elif visible.campaign.visibility.location == ALL:
        way = f"the only way out is to {names[0]}"
    else:
        way = f"the only way out that you know is to {names[0]}; if it is closed, the force {end}"
    return f"{retreat_sentence(visible, question)} You need not choose: {way}."


def is_lost(ledger: Ledger, question: RetreatQuestion) -> bool:
    """Return True if the player of a beaten force without a choice knows that it has no way out.

    If the player knows one way, only the report says whether it was closed.
    """
    return len(known_ways(ledger, question).candidates) != 1

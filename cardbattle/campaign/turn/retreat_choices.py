"""List the retreats that players choose after the battles of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from cardbattle.campaign.exchange.order_book import changes_to, has_substitute
from cardbattle.campaign.ledger.ledger import ORDERS, Entry, Ledger
from cardbattle.campaign.ledger.operations import Operation
from cardbattle.campaign.phases.aftermath import battle_causes, with_suggestions
from cardbattle.campaign.phases.finished_phases import entries_of_turn
from cardbattle.campaign.phases.phase import Situation
from cardbattle.campaign.phases.retreat import FULL, RetreatQuestion, Ways, ways_seen
from cardbattle.campaign.state.changes import Key, is_battle
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.aftermath import CHOOSE
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import listed


def retreat_questions(campaign: Campaign, ledger: Ledger) -> list[RetreatQuestion]:
    """Return the retreats that players choose after the battles of this turn, including chosen ones.

    The list is empty while battles are pending, because their results can change the possible places.
    """
    return retreats_of_turn(campaign, ledger)[0]


def forced_retreats(campaign: Campaign, ledger: Ledger) -> list[RetreatQuestion]:
    """Return the beaten forces whose players choose nothing.

    They know at most one way out, or all ways that they know are closed.
    """
    return retreats_of_turn(campaign, ledger)[1]


def retreats_of_turn(
    campaign: Campaign, ledger: Ledger, choices: Mapping[str, str] = {}
) -> tuple[list[RetreatQuestion], list[RetreatQuestion]]:
    """Return the retreats with and without a choice.

    The lists are empty while battles are pending, and after the last turn of the campaign.
    """
    is_on = campaign.aftermath is not None and campaign.aftermath.retreat == CHOOSE
    if campaign.pending or campaign.is_over or not is_on:
        return [], []
    after = battle_causes(Situation(campaign, ledger, entries_of_turn(ledger), choices))
    return after.questions, after.forced


def open_retreats(
    campaign: Campaign, ledger: Ledger, choices: Mapping[str, str] = {}
) -> Sequence[RetreatQuestion]:
    """Return the retreats without a choice. `choices` are those of the umpire, from forces to places."""
    questions = [
        question for question in retreats_of_turn(campaign, ledger, choices)[0] if not question.choice
    ]
    return with_suggestions(Situation(campaign, ledger, entries_of_turn(ledger), choices), questions)


def record_choices(campaign: Campaign, ledger: Ledger, choices: Mapping[str, str]) -> Operation | None:
    """Return the operation that records the possible ones of the umpire's `choices`, if any are new."""
    values: dict[Key, object] = {
        ("forces", question.force, "retreat"): question.choice
        for question in retreats_of_turn(campaign, ledger, choices)[0]
        if question.choice and question.force in choices
    }
    changes = changes_to(campaign, values)
    return Operation(Entry(0, ORDERS, changes), keeps_lines=True) if changes else None


def retreats_step(campaign: Campaign, retreats: Sequence[RetreatQuestion], command: str) -> str:
    """Return the umpire's next step with retreats for which the turn waits.

    Players are asked by message. The umpire chooses for a substitute. `command` is `cardbattle campaign`,
    with its options.
    """
    asked = [each for each in retreats if not has_substitute(campaign, campaign.forces[each.force].faction)]
    own_questions = [question for question in retreats if question not in asked]
    names, own_names = (
        mid_sentence(listed(campaign.display_name(question.force) for question in questions))
        for questions in (asked, own_questions)
    )
    ask = f"ask where {names} must retreat with: {command} orders ask; then take the answers with: "
    choices = " ".join(question.option for question in own_questions)
    choose = f"choose where {own_names} must retreat with: {command} advance {choices}"
    steps = [*([f"{ask}{command} orders take FILE"] if asked else []), *([choose] if own_questions else [])]
    return f"next: {'; then '.join(steps)}"


def open_since(campaign: Campaign, ledger: Ledger, force: str) -> str:
    """Return the time since which the turn waits for the retreat of a force, or "" if it is unknown.

    It is the time of the last battle of this turn. If the retreat of another force has closed the chosen
    place since then, it is the time of that choice.
    """
    for entry in reversed(entries_of_turn(ledger)):
        if entry.result is not None or any(
            is_battle(change.key) and change.after is None for change in entry.changes
        ):
            return entry.time
        earlier = {
            change.key: change.before
            for change in entry.changes
            if change.key[2:] == ("retreat",) and change.key[1] in campaign.forces
        }
        if earlier:
            campaign = campaign.after(changes_to(campaign, earlier))
            if all(question.force != force for question in open_retreats(campaign, ledger)):
                return entry.time
    return ""


def known_ways(ledger: Ledger, question: RetreatQuestion) -> Ways:
    """Return the places to which a force can retreat as far as its player knows.

    Forces that are hidden from the player do not count, so that the result does not reveal them.
    """
    return ways_seen(
        question.campaign,
        ledger,
        entries_of_turn(ledger),
        question.force,
        question.enemies,
        question.chosen,
    )


def places_to_name(ways: Ways) -> Sequence[str]:
    """Return the places to which a force can retreat, without details."""
    return [candidate.place for candidate in ways.candidates]


def crowded_places(ledger: Ledger, questions: Sequence[RetreatQuestion]) -> Iterator[tuple[str, list[str]]]:
    """Yield each place that is open to several of these forces but has no room for all, with the forces.

    The questions are for one player. The room is what the player knows.
    """
    open_places = [places_to_name(known_ways(ledger, question)) for question in questions]
    for place in dict.fromkeys(chain.from_iterable(open_places)):
        able = [question for question, places in zip(questions, open_places, strict=True) if place in places]
        *others, last = able
        chosen = last.chosen._replace(later={**last.chosen.later, **{each.force: place for each in others}})
        if known_ways(ledger, last._replace(chosen=chosen)).refused.get(place) == FULL:
            yield place, [question.force for question in able]

"""Twin campaigns that differ only in hidden enemies show a beaten faction the same questions and results."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

import pytest

from cardbattle.campaign.exchange.order_book import Taken, orders_operation
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER, Ledger
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.campaign.turn.retreat_choices import forced_retreats, known_ways, open_retreats
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.cli.campaign.between_battles.questions import question_messages
from tests.campaign.phases.test_retreat_laws import after_battles, longer
from tests.campaign.turn.test_retreat_choices import CHOOSE, do, lose
from tests.campaign.visibility.test_hidden_turns import READINGS
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.movement import random_data

READER, HIDDEN = "york", "ghost"
TURNS = 150
MANY_TURNS = 4_000  # of the heavy test


class World(NamedTuple):
    """A campaign after the battles of a turn."""

    campaign: Campaign
    ledger: Ledger

    def seen(self) -> tuple[object, ...]:
        """Return the positions, the strengths and the changes that the reader sees."""
        visible = visible_to(*self, READER)
        forces = {key: force for key, force in visible.campaign.forces.items() if force.location}
        places = {key: (force.location, force.towards, force.walked) for key, force in forces.items()}
        changes = [change[:4] for entry in visible.entries for change in entry.changes]
        return places, {key: str(visible.strengths[key]) for key in places}, changes

    def messages(self) -> list[str]:
        return [str(message) for message in question_messages(*self) if message.faction == READER]

    def choices(self) -> dict[str, list[str]]:
        """Return the places to which the reader's forces can retreat."""
        return {
            each.force: [*each.places]
            for each in open_retreats(*self)
            if self.campaign.forces[each.force].faction == READER
        }

    def has_lost_all_ways(self) -> bool:
        """Return True if enemies close several ways that the reader knows. Only then the reader reads so."""
        return any(
            len(known_ways(self.ledger, question).candidates) > 1
            for question in forced_retreats(*self)
            if self.campaign.forces[question.force].faction == READER
        )

    def fights(self) -> bool:
        """Return True if the hidden force has fought, so that the reader knows of it."""
        changes = [change for entry in self.ledger.entries for change in entry.changes]
        return any(HIDDEN in f"{change.before} {change.after}" for change in changes)

    def after(self, force: str, place: str) -> World:
        """Return the world after the player has chosen the retreat of a force."""
        taken = Taken({("forces", force, "retreat"): place}, [], [])
        entry = orders_operation(self.campaign, taken).entry
        return World(self.campaign.after(entry.changes), longer(self.ledger, entry))


def world_of(data: Mapping[str, Any], seed: int) -> World:
    situation, _ = after_battles(read_campaign(data), Random(seed))
    ledger = EMPTY_LEDGER
    for entry in situation.entries:
        ledger = longer(ledger, entry)
    return World(situation.campaign, ledger)


def twins(random: Random) -> tuple[World, World]:
    """Return two worlds with another place or strength of an enemy, or without this enemy."""
    data: dict[str, Any] = random_data(random)
    data["movement"].pop("stacking", None)
    data["aftermath"] = {
        "retreat": "choose",
        "no_retreat": random.choice(("stays", "surrenders", "destroyed")),
        "pursuit": "1/10",
    }
    data["visibility"] = {
        "location": random.choice(("own", "rough")),
        "pending": "own",
        "strength": random.choice(("own", "rough", "all")),
    }
    places, seed = [*data["locations"]], random.randrange(10**6)
    force = {"faction": "wales", "strength": random.randint(1, 20), "location": random.choice(places)}
    other = random.choice(({"location": random.choice(places)}, {"strength": random.randint(1, 20)}, {}))
    worlds = []
    for table in (force, {**force, **other} if other else {**force, "location": None}):
        twin = deepcopy(data)
        twin["forces"][HIDDEN] = {key: value for key, value in table.items() if value is not None}
        twin["orders"][HIDDEN] = "hold"
        worlds.append(world_of(twin, seed))
    return worlds[0], worlds[1]


def check_questions(random: Random) -> int:
    """Compare the messages to the reader about retreats, and return the number of different ones.

    The player chooses places that are possible in both twins.
    """
    one, other = twins(random)
    if not one.messages() or one.fights() or other.fights() or one.seen() != other.seen():
        return 0
    count = 0
    while one.has_lost_all_ways() == other.has_lost_all_ways():
        assert one.messages() == other.messages()
        count += 1
        places = other.choices()
        possible = [
            (force, place)
            for force, ways in one.choices().items()
            for place in ways
            if place in places.get(force, ())
        ]
        if not possible:
            break
        choice = random.choice(possible)
        one, other = one.after(*choice), other.after(*choice)
    return count


@pytest.mark.slow
def test_a_hidden_enemy_changes_no_question_about_a_retreat() -> None:
    assert sum(check_questions(Random(seed)) for seed in range(TURNS)) > 0


@pytest.mark.heavy
def test_a_hidden_enemy_changes_no_question_about_a_retreat_in_thousands_of_turns() -> None:
    assert sum(check_questions(Random(seed)) for seed in range(TURNS, MANY_TURNS)) > MANY_TURNS // 100


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["stays", "surrenders", "destroyed"])
def test_a_hidden_enemy_changes_nothing_that_a_beaten_faction_reads_in_a_turn(
    sh: Shell, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    """Boyd can go to the hill or the moor as far as Blue knows, and goes to the moor."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795543200")
    asked = ("orders", "ask", "--for", "blue")
    text = CHOOSE.replace('location = "own"', 'location = "own"\nstrength = "own"')
    text = text.replace('"destroyed"', f'"{rule}"').replace("capture = true", "capture = false")
    received: list[list[Said]] = []
    for place, strength in (("keep", 3), ("hill", 3), ("hill", 90), ("fen", 3)):
        guns = f'[forces.guns]\nfaction = "green"\nstrength = {strength}\nlocation = "{place}"\n'
        lose(sh, text + guns)
        texts = [do(sh, *asked)]
        texts += [do(sh, "orders", "take", sh.write("mail.txt", "blue@3: boyd: retreat to moor"))]
        do(sh, "advance", "--no-wait")
        texts += [sh("campaign", *line, "--for", "blue") for line in READINGS]
        texts += [do(sh, "report", "--turn", "3", "--for", "blue", "--no-chances"), do(sh, *asked)]
        received.append(texts)
    for texts in received[1:]:
        assert texts == received[0]

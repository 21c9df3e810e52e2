"""Fixtures in campaign.toml: each mistake has its place and what to write instead."""

from __future__ import annotations

import pytest

from cardbattle.campaign.ledger import umpire_changes
from cardbattle.campaign.ledger.operations import after
from cardbattle.core.errors import InvalidInput
from tests.support.league import league_file
from tests.support.marches import books

ROBIN = 'kind = "round-robin"'
MATCH = 'matches = [{ battle = "r1", home = "e0", away = "e1" }'
MISTAKES = [
    ('kind = "round-robn"', "", "fixtures.kind", 'mean "round-robin"'),
    ('kind = "league"', "", "fixtures.kind", 'expected "round-robin", "knock-out", "swiss" or "random"'),
    ('kind = "swiss"\ntwice = true', "", "fixtures.twice", "for a round robin; remove it"),
    (f"{ROBIN}\nrounds = 3", "", "fixtures.rounds", "remove rounds"),
    ('kind = "knock-out"\nplay_offs = 2', "", "fixtures.play_offs", "has no play-offs"),
    ('kind = "random"\nplay_offs = 2', "", "fixtures.play_offs", "as rounds = 5"),
    (f"{ROBIN}\nplay_offs = 9", "", "fixtures.play_offs", "from 2 to 4, got 9"),
    (f'{ROBIN}\ntie_breaks = ["win"]', "", "fixtures.tie_breaks.1", 'mean "wins"'),
    (f'{ROBIN}\nhouse = {{ first = "hom" }}', "", "fixtures.house.first", "hom"),
    (f"{ROBIN}\nhouse = {{ frist = 1 }}", "", "fixtures.house.frist", 'mean "first"'),
    (f'{ROBIN}\nstakes = "jug"', "", "fixtures.stakes", '"jug" is not in this campaign'),
    (f'{ROBIN}\norder = ["e0", "e9"]', "", "fixtures.order.2", '"e9" is not in this campaign'),
    (f'{ROBIN}\norder = ["e0", "e1"]', "[[round]]", "fixtures.forces", "cannot join a round-robin"),
    (f"{ROBIN}\npoints = {{ win = 0.5 }}", "", "fixtures.points.win", "whole number"),
    (
        ROBIN,
        f'[[round]]\n{MATCH}, {{ battle = "r1", home = "e2", away = "e3" }}]',
        "round.1",
        "in two matches",
    ),
    (ROBIN, f'[[round]]\n{MATCH}]\nbyes = ["e9"]', "round.1.byes.1", '"e9" is not in'),
    (ROBIN, '[[round]]\nmatches = [{ battle = "r1", home = "e0", away = "e0" }]', "round.1", "meets itself"),
]


@pytest.mark.parametrize(("fixtures", "more", "where", "why"), MISTAKES)
def test_a_mistake_is_refused_where_it_is(fixtures: str, more: str, where: str, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        books(league_file(4, fixtures, more))
    assert [str(mistake) for mistake in refused.value.errors if where in str(mistake) and why in str(mistake)]


def test_a_league_needs_two_forces_and_rules_for_two_sides() -> None:
    with pytest.raises(InvalidInput, match="at least two forces"):
        books(league_file(1, ROBIN))
    with pytest.raises(InvalidInput, match="rules is missing"):
        books(league_file(2, ROBIN).replace('rules = "wargame"\n', ""))
    twice = league_file(2, ROBIN).replace('"e0", "e1"]', '"e0", "e1", "e0"]')
    with pytest.raises(InvalidInput, match='force "e0" appears twice'):
        books(twice)


def test_a_rename_reaches_all_of_a_league() -> None:
    more = f'[[round]]   # the first\n{MATCH}]\nbyes = ["e2"]\nseeds = ["e0"]\n[locations.jug]\n'
    text = league_file(3, f'{ROBIN}\nstakes = "jug"\norder = ["e2", "e0", "e1"]', more)
    campaign = books(text)
    for old, new in (("forces.e0", "odd"), ("forces.e2", "gate"), ("jug", "cup")):
        campaign = after(campaign, [umpire_changes.rename_key(campaign, old, new)])
    league, [drawn] = campaign.campaign.fixtures, campaign.campaign.round
    assert league is not None
    assert (league.forces, league.order, league.stakes) == (
        ["odd", "e1", "gate"],
        ["gate", "odd", "e1"],
        "cup",
    )
    assert (drawn.matches[0].home, drawn.byes, drawn.seeds) == ("odd", ["gate"], ["odd"])
    assert drawn.matches[0].battle == "r1" and "# the first" in campaign.source.text

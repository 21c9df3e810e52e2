"""A drawn round agrees with the results from which it was drawn, or the program says how to draw it again."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardbattle.campaign.league.agreement import disagreements, stage_of, stage_seeds
from cardbattle.campaign.league.knock_out import knock_out_round
from cardbattle.campaign.league.rounds import outcome_words
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.turn.hints.league_hints import league_hints
from cardbattle.core.errors import InvalidInput
from tests.campaign.league.test_round_draws import command_in, do, undo
from tests.support.league import Season, league_file

STEPS = ("draw", "draw", "play", "play", "undo", "undo last", "override", "override", "redo")
KINDS = [
    'kind = "knock-out"',
    'kind = "knock-out"\ndrawn = "higher-seed"',
    PLAY_OFFS := 'kind = "swiss"\nplay_offs = 4',
]


def rounds_agree(season: Season) -> bool:
    """Return True if every round after the first of a knock-out is what its results would draw today."""
    league = season.league
    stage = stage_of(league)
    seeds = stage_seeds(league, stage)
    for number, drawn in enumerate(stage[1:], 1):
        try:
            again = knock_out_round(league, seeds, stage[:number])
        except InvalidInput:
            return False
        pairs = {match.pair for match in drawn.matches}
        if (
            again.is_replay
            or pairs != set(map(frozenset, again.pairings.pairs))
            or drawn.byes != again.pairings.byes
        ):
            return False
    return True


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
@given(
    fixtures=st.sampled_from(KINDS),
    count=st.integers(3, 6),
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 99)), min_size=6, max_size=24),
)
def test_any_order_of_corrections_agrees_or_is_named(
    fixtures: str, count: int, steps: list[tuple[str, int]]
) -> None:
    count = max(count, 4) if fixtures == PLAY_OFFS else count
    season = Season(league_file(count, fixtures), 1, draws=0.2)
    for step, number in steps:
        try:
            do(season, step, number)
        except (InvalidInput, NeedsUmpire):
            continue
        wrong = disagreements(season.league)
        assert bool(wrong) or rounds_agree(season)
        assert len([*league_hints(season.books.campaign, season.ledger)]) >= len(wrong)
        if wrong:
            assert outcome_words(season.league) == ""
            repair_all(season)


def repair_all(season: Season) -> None:
    """Undo what `fixtures` names, until the rounds agree, on a copy of the season."""
    copy = Season(season.books.source.text, 1)
    copy.books, copy.ledger = season.books, season.ledger
    for _ in range(20):
        if not disagreements(copy.league):
            assert rounds_agree(copy)
            return
        with pytest.raises(InvalidInput, match="to draw again") as refused:
            copy.draw()
        undo(copy, command_in(refused.value))
    raise AssertionError(disagreements(copy.league))


def test_a_replay_of_a_match_that_has_a_winner_is_named() -> None:
    season = Season(league_file(2, 'kind = "knock-out"\nseeding = "order"'), 1, draws=1)
    season.draw()
    season.play()
    season.draw()
    assert disagreements(season.league) == []
    season.override("r1-e0-e1", "e1")
    [found] = disagreements(season.league)
    assert found.text == "r1-e1-e0 is a replay, but E1 won r1-e0-e1"


def test_a_round_robin_whose_round_was_removed_by_hand_draws_that_round() -> None:
    season = Season(league_file(4, 'kind = "round-robin"\nseeding = "order"'), 1)
    for _ in range(3):
        season.draw(early=True)
    text = season.books.source.text
    start, end = text.index('[[round]]\nname = "Round 2"'), text.index('[[round]]\nname = "Round 3"')
    removed = [match.pair for match in season.books.campaign.round[1].matches]
    again = Season(text[:start] + text[end:], 1)
    again.draw(early=True)
    drawn = again.books.campaign.round[-1]
    assert (drawn.name, [match.pair for match in drawn.matches]) == ("Round 2", removed)


def test_a_round_that_an_older_version_drew_twice_is_named() -> None:
    season = Season(league_file(4, 'kind = "round-robin"\nseeding = "order"'), 1)
    season.draw()
    season.draw(early=True)
    text = season.books.source.text
    start = text.index('[[round]]\nname = "Round 2"')
    second = text[start : text.index("]\n", start + 10) + 2]
    twice = second.replace('battle = "', 'battle = "again-')
    again = Season(text.replace(second, f"{second}\n{twice}"), 1)
    [found] = disagreements(again.league)
    assert found.text == "Round 2 is drawn twice"
    with pytest.raises(InvalidInput, match=r"remove Round 2 from \[\[round\]\]"):
        again.draw(early=True)

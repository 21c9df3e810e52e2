"""Undo of league draws: a draw is only undone together with what rests on it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardbattle.campaign.ledger.undo import redo
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.cli.campaign.record import redo_each, undo_each
from cardbattle.core.errors import InvalidInput
from tests.support.league import Season, league_file, met

COMMAND = re.compile(r"cardbattle campaign undo ([\d ]+)")


def undo(season: Season, targets: str, *, force: bool = False) -> None:
    season.record(undo_each(season.books, season.ledger, targets.split(), "a slip", force=force))


def command_in(error: BaseException) -> str:
    """Return the revisions of the command that an error names."""
    match = COMMAND.search(str(error))
    assert match is not None, error
    return match[1]


def test_an_earlier_draw_is_only_undone_with_the_later_ones() -> None:
    season = Season(league_file(6, 'kind = "round-robin"'), 1)
    for _ in range(3):
        season.draw(early=True)
    for force in (False, True):
        with pytest.raises(NeedsUmpire, match=r"drew Round 2; Round 3 was drawn later; .* undo 3 2$"):
            undo(season, "2", force=force)
    undo(season, "3 2")
    assert [drawn.name for drawn in season.books.campaign.round] == ["Round 1"]
    season.draw(early=True)
    assert season.books.campaign.round[-1].name == "Round 2"


def test_a_draw_with_results_names_them_and_the_command() -> None:
    season = Season(league_file(4, 'kind = "round-robin"'), 1)
    season.draw()
    season.play()
    with pytest.raises(NeedsUmpire) as refused:
        undo(season, "1")
    text = str(refused.value)
    assert "has a result (revision 2)" in text and "has a result (revision 3)" in text
    assert "pending again" not in text
    before = season.books.source.data
    undo(season, command_in(refused.value))
    assert season.books.campaign.round == [] and season.books.campaign.pending == []
    season.record(redo_each(season.books, season.ledger, ""))
    assert {**season.books.source.data, "revision": 0} == {**before, "revision": 0}
    with pytest.raises(InvalidInput, match="nothing to redo"):
        redo(season.books, season.ledger)


STEPS = ("draw", "draw", "play", "undo", "undo last", "cancel", "override", "redo")


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
@given(
    kind=st.sampled_from(["round-robin", "knock-out", "swiss"]),
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 99)), min_size=4, max_size=14),
)
def test_the_named_command_always_undoes_the_draw(kind: str, steps: list[tuple[str, int]]) -> None:
    season = Season(league_file(5, f'kind = "{kind}"'), 1, draws=0)
    for step, number in steps:
        try:
            do(season, step, number)
        except NeedsUmpire as error:
            if "to undo this too" not in str(error):
                continue
            rounds = len(season.books.campaign.round)
            undo(season, command_in(error))
            assert len(season.books.campaign.round) < rounds
        except InvalidInput:
            continue
    if kind == "round-robin":
        names = [drawn.name for drawn in season.books.campaign.round]
        assert names == [f"Round {number}" for number in range(1, len(names) + 1)]
        pairs = met([match for drawn in season.books.campaign.round for match in drawn.matches])
        assert all(count == 1 for count in pairs.values())
        season.play()
        for _ in season.rounds():
            pass
        pairs = met([match for drawn in season.books.campaign.round for match in drawn.matches])
        assert pairs == Counter(map(frozenset, combinations(season.books.campaign.forces, 2)))


def do(season: Season, step: str, number: int) -> None:
    """Do one step of an umpire. `number` selects the entry or battle that it concerns."""
    battles = [match.battle for drawn in season.books.campaign.round for match in drawn.matches]
    if step == "draw":
        season.draw(early=season.league.fixtures.kind == "round-robin")
    elif step == "play":
        season.play(number % 3)
    elif step == "undo":
        undo(season, str(number % (len(season.ledger.heads) + 1)))
    elif step == "undo last":
        undo(season, "")
    elif step == "redo":
        season.record(redo_each(season.books, season.ledger, ""))
    elif battles:
        battle = battles[number % len(battles)]
        season.override(battle) if step == "override" else season.cancel(battle)

"""Leagues, played through: who meets whom, byes, knock-outs with replays, play-offs, and the table."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardbattle.campaign.league.league_table import opponent, outcome, present
from cardbattle.campaign.league.pairing import fewest_repeats
from cardbattle.campaign.league.rounds import battle_id, outcome_words, past_of, plan_rounds
from cardbattle.campaign.ledger import operations, umpire_changes, value_edits
from cardbattle.campaign.state.battle_result import result_digest
from cardbattle.campaign.state.tables.fixtures import Match
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import listed
from cardbattle.show.pages.campaign.league import league_blocks
from tests.campaign.ledger.test_umpire_changes import umpire_of
from tests.support.league import Season, league_file, met

COUNTS = st.integers(2, 7)
SEEDS = st.integers(0, 999)
FEW = settings(max_examples=6, deadline=None)


@pytest.mark.slow
@FEW
@given(COUNTS, st.booleans(), SEEDS)
def test_a_round_robin_is_over_when_all_have_met(count: int, twice: bool, seed: int) -> None:
    season = Season(league_file(count, f'kind = "round-robin"\ntwice = {str(twice).lower()}'), seed)
    matches = [match for new in season.rounds() for match in new]
    pairs = map(frozenset, combinations(season.books.campaign.forces, 2))
    assert met(matches) == dict.fromkeys(pairs, 2 if twice else 1)
    first = [row.key for row in season.league.rows() if row.place == 1]
    assert outcome_words(season.league).endswith(f"; first: {listed(key.capitalize() for key in first)}")
    assert len({match.battle for match in matches}) == len(matches)
    check_table(season)


def check_table(season: Season) -> None:
    """Assert what must hold of every league table."""
    league, rows = season.league, season.league.rows()
    assert sorted(row.key for row in rows) == sorted(league.entrants)
    assert sum(row.played for row in rows) == 2 * len(league.matches)
    assert sum(row.won for row in rows) == sum(row.lost for row in rows)
    assert sum(row.score - row.score_against for row in rows) == 0
    points = [row.points for row in rows]
    assert points == sorted(points, reverse=True)
    byes = sum(len(drawn.byes) for drawn in league.league_rounds)
    decided = sum(row.won for row in rows)
    drawn = sum(row.drawn for row in rows)
    assert sum(points) == 3 * decided + drawn + byes * league.bye_points
    for one, other in pairwise(rows):
        assert one.place < other.place or (one.place == other.place and one.points == other.points)


@pytest.mark.slow
@FEW
@given(COUNTS, SEEDS, st.sampled_from(["swiss", "random"]))
def test_swiss_and_random_rounds_repeat_no_meeting_that_can_be_avoided(
    count: int, seed: int, kind: str
) -> None:
    season = Season(league_file(count, f'kind = "{kind}"\nrounds = {count + 1}'), seed)
    for _ in range(count + 1):
        league = season.league
        past, byes_before = past_of(league), Counter(past_of(league).byes)
        season.draw()
        drawn = season.books.campaign.round[-1]
        fighting = sorted(key for match in drawn.matches for key in (match.home, match.away))
        assert sorted([*fighting, *drawn.byes]) == sorted(season.books.campaign.forces)
        repeats = sum(past.have_met(match.home, match.away) for match in drawn.matches)
        assert repeats == fewest_repeats(fighting, past)
        assert len(drawn.byes) == count % 2
        assert all(
            byes_before[key] == min(byes_before[k] for k in fighting + drawn.byes) for key in drawn.byes
        )
        season.play()
    with pytest.raises(InvalidInput, match=f"the league is over after {count + 1} rounds"):
        season.draw()
    check_table(season)


@pytest.mark.slow
@FEW
@given(COUNTS, SEEDS, st.sampled_from(["replay", "higher-seed"]))
def test_a_knock_out_ends_with_one_who_lost_to_nobody(count: int, seed: int, drawn: str) -> None:
    season = Season(league_file(count, f'kind = "knock-out"\ndrawn = "{drawn}"'), seed, draws=0.4)
    rounds = list(season.rounds())
    league = season.league
    ties = {match.pair for new in rounds for match in new}
    assert len(ties) == count - 1  # each of them throws one out
    last: dict[frozenset[str], Match] = {match.pair: match for new in rounds for match in new}
    out = [loser_of(season, match) for match in last.values()]
    assert len({*out}) == count - 1
    [champion] = {*season.books.campaign.forces} - {*out}
    with pytest.raises(InvalidInput, match=f"is over: {champion.capitalize()} has won it"):
        season.draw()
    assert outcome_words(league) == f"the league is over: {champion.capitalize()} has won it"
    assert league.rows() == []
    if drawn == "higher-seed":
        assert len(season.books.campaign.round) == (count - 1).bit_length()


def loser_of(season: Season, match: Match) -> str:
    """Return who goes no further."""
    result = season.league.results[match.battle]
    if len(result.winners) == 1:
        return opponent(match, result.winners[0])
    order = season.league.fixtures.order
    return max(match.pair, key=order.index)


@pytest.mark.slow
@FEW
@given(st.integers(4, 7), SEEDS)
def test_the_best_of_the_table_meet_in_play_offs_the_first_two_last(count: int, seed: int) -> None:
    season = Season(league_file(count, 'kind = "round-robin"\nplay_offs = 4'), seed, draws=0)
    table: list[str] = []
    stages = []
    for new in season.rounds():
        if season.books.campaign.round[-1].stage:
            table = table or season.league.order[:4]
            stages.append(new)
    assert [{*match.pair} for match in stages[0]] == [{table[0], table[3]}, {table[1], table[2]}]
    assert [match.home for match in stages[0]] == table[:2]
    assert [drawn.name for drawn in season.books.campaign.round][-2:] == ["Semi-final", "Final"]
    assert [len(new) for new in stages] == [2, 1]
    assert season.league.order[:4] == table  # play-offs count for no table
    check_table(season)


def test_a_force_that_is_destroyed_or_taken_out_leaves_a_bye() -> None:
    season = Season(league_file(4, 'kind = "round-robin"\nseeding = "order"'), 1)
    season.draw()
    season.play()
    season.record(
        [value_edits.set_values(season.books, [value_edits.Assignment("forces.e3.destroyed", "true")])]
    )
    assert present(season.league) == {"e0", "e1", "e2"}
    (operation,) = plan_rounds(season.books, season.ledger)
    assert operation.notes == ["drawn: Round 2: 1 match", "e3 is destroyed and has no match"]
    season.draw()
    drawn = season.books.campaign.round[-1]
    assert len(drawn.matches) == 1 and len(drawn.byes) == 1 and "e3" not in drawn.byes


def test_a_drawn_match_is_replayed_the_other_way_round() -> None:
    season = Season(league_file(2, 'kind = "knock-out"\nseeding = "order"'), 1, draws=1)
    for _ in range(3):
        season.draw()
        season.play()
    [final] = season.books.campaign.round
    assert [(match.battle, match.home) for match in final.matches] == [
        ("r1-e0-e1", "e0"), ("r1-e1-e0", "e1"), ("r1-e0-e1-2", "e0"),
    ]  # fmt: skip


def test_one_pending_match_is_not_called_them() -> None:
    season = Season(league_file(2, 'kind = "round-robin"\ntwice = true'), 1)
    season.draw()
    with pytest.raises(InvalidInput, match="r1-e0-e1 is pending; fight or cancel it first"):
        season.draw()


def test_a_cancelled_match_of_a_knock_out_says_what_to_do() -> None:
    season = Season(league_file(3, 'kind = "knock-out"\nseeding = "order"'), 1)
    season.draw()
    season.record([value_edits.cancel_battles(season.books, ["*"])])
    with pytest.raises(InvalidInput, match="cardbattle campaign add battle r1-e1-e2 --side e1 --side e2"):
        season.draw()


def test_a_round_waits_for_the_last_one_unless_it_is_drawn_early() -> None:
    season = Season(league_file(4, 'kind = "round-robin"'), 1)
    season.draw()
    with pytest.raises(InvalidInput, match=r"round 1 is not over: .* are pending; .* --early"):
        season.draw()
    season.draw(early=True)
    season.draw(every=True)
    assert len(season.books.campaign.pending) == 6
    with pytest.raises(InvalidInput, match="the league is over after 3 rounds"):
        season.draw(every=True)
    swiss = Season(league_file(4, 'kind = "swiss"'), 1)
    for wrong in ("early", "every"):
        with pytest.raises(UsageError):
            swiss.draw(**{wrong: True})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tie_breaks", "words"), [("", ["points"]), ('tie_breaks = ["wins", "points"]', ["wins", "points"])]
)
def test_points_come_first_unless_they_are_named_later(tie_breaks: str, words: list[str]) -> None:
    season = Season(
        league_file(5, f'kind = "round-robin"\n{tie_breaks}\npoints = {{ win = 0, draw = 1 }}'), 3
    )
    for _ in season.rounds():
        pass
    rows = {row.key: row for row in season.league.rows()}
    values = [tuple(getattr(rows[key], {"wins": "won"}.get(word, word)) for word in words) for key in rows]
    assert values == sorted(values, reverse=True)


@pytest.mark.slow
@FEW
@given(st.integers(3, 7), SEEDS, st.permutations(range(12)))
def test_the_table_does_not_depend_on_the_order_of_the_results(
    count: int, seed: int, order: list[int]
) -> None:
    season = Season(league_file(count, 'kind = "random"\nrounds = 2'), seed)
    season.draw()
    other = Season(league_file(count, 'kind = "random"\nrounds = 2'), seed)
    other.draw()
    assert other.books.source.text == season.books.source.text  # the same seed draws the same round
    season.play()
    results = season.league.results
    names = sorted(results, key=lambda name: order[[*results].index(name)])
    for name in names:
        battle = other.books.campaign.battle(name)
        assert battle is not None
        found = season.outcome_of(name, battle.keys)._replace(result=results[name])
        found = found._replace(digest=result_digest(name, results[name]))
        other.record(operations.plan_import(other.books, other.ledger, [found]).operations)
    assert other.league.rows() == season.league.rows()


def test_each_match_counts_once_for_both_sides() -> None:
    season = Season(league_file(4, 'kind = "round-robin"'), 5)
    season.draw(every=True)
    season.play()
    for match, result in season.league.matches:
        words = {outcome(result, match.home), outcome(result, match.away)}
        assert words in ({"won", "lost"}, {"drawn"})


KINDS = ["round-robin", "knock-out", "swiss", "random"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(steps=st.lists(st.sampled_from(["draw", "early", "rename", "cancel", "undo"]), min_size=1, max_size=6))
def test_any_rounds_undone_restore_every_byte(
    kind: str, steps: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    umpire = umpire_of(tmp_path_factory.mktemp("league"), league_file(5, f'kind = "{kind}"'))
    before = umpire.file.read_bytes()
    for step in steps:
        try:
            if step == "undo":
                umpire.undo()
            elif step == "rename":
                old = next(iter(umpire.books.campaign.forces))
                umpire.do(umpire_changes.rename_key(umpire.books, f"forces.{old}", f"{old}x"))
            elif step == "cancel":
                umpire.do(value_edits.cancel_battles(umpire.books, ["*"]))
            else:
                umpire.do(*plan_rounds(umpire.books, umpire.seen, early=step == "early"))
        except (InvalidInput, UsageError):
            continue
    try:
        while True:
            umpire.undo()
    except (InvalidInput, UsageError):
        pass
    assert umpire.file.read_bytes().replace(b"revision = ", b"").split(b"\n")[3:] == before.split(b"\n")[3:]


@pytest.mark.parametrize("extent", ["all", "rough", "own"])
def test_a_faction_sees_no_hidden_match(extent: str) -> None:
    text = league_file(5, 'kind = "round-robin"', f'[visibility]\npending = "{extent}"\n')
    season = Season(text, 2)
    season.draw()
    season.play()
    season.draw()
    for reader in ("e0", None):
        visible = visible_to(season.books.campaign, season.ledger, reader)
        shown = {match.battle for drawn in visible.campaign.round for match in drawn.matches}
        for drawn in season.books.campaign.round:
            for match in drawn.matches:
                is_known = extent == "all" or match.battle in season.league.results or reader in match.pair
                assert (match.battle in shown) == is_known
        words = repr([visible.table(), [entry.table() for entry in visible.entries], league_blocks(visible)])
        hidden = {match.battle for drawn in season.books.campaign.round for match in drawn.matches} - shown
        assert not any(battle in words for battle in hidden)
        if extent != "all":
            assert "2 matches" not in words and "'order'" not in words


@given(st.text("abc-", min_size=1, max_size=40), st.text("abc-", min_size=1, max_size=40))
def test_an_id_is_short_and_its_own(home: str, away: str) -> None:
    taken: set[str] = set()
    for _ in range(3):
        name = battle_id("r12", home, away, taken)
        assert name not in taken and len(name) <= 40
        taken.add(name)


def test_a_place_at_stake_and_house_rules_reach_every_match(tmp_path: Path) -> None:
    fixtures = 'kind = "round-robin"\nhouse = { first = "home" }\nstakes = "jug"'
    season = Season(league_file(4, fixtures, "[locations.jug]\n"), 1)
    season.draw()
    for battle in season.books.campaign.pending:
        assert (
            battle.house == {"first": battle.keys[0]} and battle.stakes == "jug" and battle.note == "Round 1"
        )

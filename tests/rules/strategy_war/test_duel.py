"""The solved duel of Strategy WAR: `cardbattle solve`, and the stored solution of all thirteen ranks."""

from __future__ import annotations

import csv
import json
from hashlib import sha256

import pytest

from cardbattle.core.numeric.matrix_game import against
from cardbattle.rules.strategy_war.duel import Deck, Layer, last_layer, solve, solve_pair
from cardbattle.rules.strategy_war.opening import Opening, load_opening, solve_opening, work
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh
from tests.support.equilibrium import Equilibrium, after, duel, points

OPENINGS = {"stored": load_opening(), "5": solve_opening(5, lambda done, total: None)}


@pytest.mark.slow
@pytest.mark.parametrize("cards", [2, 3, 4])
def test_the_payoffs_are_those_of_a_solution_by_linear_programming(cards: int) -> None:
    start = duel([*range(2, 2 + cards)])
    exact = Equilibrium(points)
    for mine, row in enumerate(solve(cards)):
        for theirs, payoff in enumerate(row):
            assert payoff == pytest.approx(exact.value(after(start, mine, theirs)), abs=1e-6)


def test_all_counted_positions_are_solved_and_reported() -> None:
    """A layer stores the pairs of different hands once."""
    deck = Deck(4)
    layer = last_layer(deck)
    for left in range(1, 4):
        then, layer = layer, Layer(deck, left)
        twice = 0
        for own, mine in enumerate(layer.hands):
            for theirs in layer.hands[: own + 1]:
                before = len(layer.values)
                solve_pair(layer, then, mine, theirs)
                twice += (len(layer.values) - before) * (1 + (mine != theirs))
        assert twice == deck.count(left)
    reports: list[tuple[int, int]] = []
    solve(4, lambda done, total: reports.append((done, total)))
    assert reports == sorted(reports)
    assert reports[-1] == (sum(deck.count(left) for left in range(1, 5)),) * 2


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
def test_no_card_is_worth_more_than_the_guarantee_of_the_shares(opening: Opening) -> None:
    """The shares are an equilibrium of the payoffs; what one side wins, the other loses."""
    for mine, row in enumerate(opening.payoffs):
        assert row == [-opening.payoffs[theirs][mine] for theirs in range(len(row))]
    shares = opening.shares()
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
    assert max(opening.values(shares)) == pytest.approx(0, abs=1e-5)
    worst = min(against(shares, opening.payoffs))  # for every card of the enemy
    assert opening.guarantee(shares) == pytest.approx(worst, abs=1e-5)


@pytest.mark.slow
def test_the_stored_solution_is_of_all_ranks_and_as_published() -> None:
    opening = load_opening()
    assert [*opening.ranks] == [*range(2, 15)]
    assert opening.positions == 143_729_992
    played = [rank for rank, share in zip(opening.ranks, opening.shares(), strict=True) if share > 0.1]
    assert played == [2, 4, 6, 8, 10, 12]


@pytest.mark.slow
def test_solve_prints_what_others_can_check(sh: Shell) -> None:
    printed = json.loads(sh("solve", "strategy-war", "--json").out)
    lines = [",".join(f"{payoff:.4f}" for payoff in row.values()) for row in printed["payoffs"].values()]
    assert sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest() == printed["checksum"]
    assert printed["guarantee"] == 0
    rows = [*csv.DictReader(sh("solve", "strategy-war", "--format", "csv").out.splitlines())]
    assert [float(row["value"]) for row in rows] == [each["value"] for each in printed["opening"]]
    assert [float(row["against_A"]) for row in rows] == [row["A"] for row in printed["payoffs"].values()]


@pytest.mark.slow
def test_solve_solves_fewer_cards_again(sh: Shell) -> None:
    printed = json.loads(sh("solve", "strategy-war", "--cards", "5", "--json").out)
    assert printed["checksum"] == OPENINGS["5"].checksum()
    assert printed["cards"] == ["2", "3", "4", "5", "6"]
    assert 100 * work(6) < work(9) < work(13)


def test_solve_refuses_other_rule_sets(sh: Shell) -> None:
    said = sh("solve", "wargame")
    assert said.code == 2
    assert "the program cannot solve Wargame; write cardbattle solve strategy-war" in said.err

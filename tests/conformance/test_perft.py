"""The counts of continuations: known numbers, every random result once, and the published positions."""

from __future__ import annotations

from math import factorial

import pytest

from cardbattle.conformance.case_file import Position, built_in_suite, find_position
from cardbattle.conformance.perft import ScriptedSource, battle_at, continuations, count_position, perft
from cardbattle.core.chance import RandomSource
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

POSITIONS = built_in_suite().positions
CHEAP = 1_000  # lines to count in the usual tests


def results(draw: str, k: int, cards: list[int]) -> list[list[int]]:
    """Return all results of one random choice."""
    found, script = [], list[int]()
    while True:
        source = ScriptedSource(script)
        found.append(drawn(source, draw, k, cards))
        following = source.next_script()
        if following is None:
            return found
        script = following


def drawn(source: RandomSource, draw: str, k: int, cards: list[int]) -> list[int]:
    """Return the result of one random choice."""
    if draw == "one":
        return [source.one_of(1, 0, cards)]
    if draw == "some":
        return source.some_of(1, 0, k, cards)
    return source.order_of(1, 0, cards) if draw == "order" else source.top_of(1, 0, k, cards)


@pytest.mark.parametrize(
    ("draw", "k", "cards", "number"),
    [
        ("one", 1, [5, 6, 7], 3),
        ("one", 1, [5, 5, 7], 2),
        ("some", 2, [5, 6, 7, 8], 6),
        ("some", 2, [5, 5, 7], 2),
        ("order", 0, [5, 6, 7], 6),
        ("order", 0, [5, 5, 7], 3),
        ("top", 2, [5, 6, 7], 6),
        ("top", 9, [5, 6], 2),
    ],
)
def test_every_random_result_comes_once(draw: str, k: int, cards: list[int], number: int) -> None:
    found = results(draw, k, cards)
    assert len(found) == len({tuple(result) for result in found}) == number


def test_strategy_war_has_as_many_lines_as_orders_of_its_cards() -> None:
    counts = perft(battle_at(find_position(built_in_suite(), "sw-perft-two-sides")), 8)
    assert counts[-1].lines == counts[-1].ended == factorial(4) ** 2
    assert [depth.lines for depth in counts[:4]] == [4, 4 * 4, 4 * 4 * 3, 4 * 4 * 3 * 3]


def test_without_chips_a_game_of_wargame_is_an_order_of_attacks() -> None:
    """The attacker chooses among the places left, until four adjacent spaces are won."""
    counts = perft(battle_at(find_position(built_in_suite(), "wg-perft-no-chips")), 3)
    assert [depth.lines for depth in counts] == [13, 13 * 12, 13 * 12 * 11]


def test_a_war_is_decided_by_two_casualties_of_six_cards_and_the_order_of_the_rest() -> None:
    """Both sides turn their last card or stand: four lines, each with 15 pairs of casualties, 24 orders."""
    counts = perft(battle_at(find_position(built_in_suite(), "wm-perft-war")), 2)
    assert [depth.lines for depth in counts] == [2, 4 * 15 * 24]


def test_a_continuation_leaves_the_battle_as_it_was() -> None:
    battle = battle_at(find_position(built_in_suite(), "wm-perft-cards"))
    before = battle.state()
    assert len(list(continuations(battle))) == 2
    assert battle.state() == before


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.case.id)
def test_small_counts_are_the_published_ones(position: Position) -> None:
    depth = sum(lines <= CHEAP for lines in position.lines)
    assert depth >= 1
    assert count_position(position, depth).agrees


@pytest.mark.heavy
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.case.id)
def test_all_counts_are_the_published_ones(position: Position) -> None:
    assert count_position(position).agrees


def test_the_command_finds_a_wrong_number(sh: Shell) -> None:
    sh.write(
        "wrong.toml",
        'format = 1\nrules = "strategy-war"\n[[perft]]\nid = "x"\ntitle = "x"\nseats = ["a", "b"]\n'
        'sides.a = { cards = ["2", "3"] }\nsides.b = { cards = ["4"] }\nlines = [2, 3]\nended = [0, 0]\n',
    )
    said = sh("cases", "perft", "--file", "wrong.toml")
    assert said.code == 1
    assert said.out.endswith("The published numbers of lines are different: 2, 3.\n")
    assert sh("cases", "perft", "sw-perft-three-sides").code == 0
    assert sh("cases", "perft", "--file", "wrong.toml", "--depth", "1").code == 0

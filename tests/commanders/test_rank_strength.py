"""The measured strength of commanders, and the warning where ranks outweigh strength."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import combinations
from math import hypot
from pathlib import Path

import pytest

from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.new import create_campaign
from cardbattle.campaign.turn.hints.rank_warnings import LOSES, outweighs, rank_warnings
from cardbattle.commanders import RANKS
from cardbattle.commanders.strength import Pairing, load_pairings
from cardbattle.rules import RULE_SETS
from cardbattle.simulation.intervals import wilson_bounds
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh
from tests.support.matches import share

KEYS = list(RULE_SETS)


def test_every_two_ranks_were_measured_in_every_rule_set() -> None:
    expected = {(key, *pair) for key in KEYS for two in combinations(RANKS, 2) for pair in (two, two[::-1])}
    pairings = load_pairings()
    assert pairings.keys() == expected
    for (key, rank, against), pairing in pairings.items():
        assert pairing.battles >= 40
        assert pairing.battles % 2 == 0
        assert 0 <= pairing.points <= pairing.battles
        assert pairing.points + pairings[key, against, rank].points == pytest.approx(pairing.battles)


def test_seeds_and_methods_stand_beside_the_counts() -> None:
    path = Path(__file__).parents[2] / "cardbattle" / "data" / "commander_strength.csv"
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert len(rows) == len(KEYS) * 10
    assert {row[6] for row in rows} <= {"match", "measure_ranks", "tournament", "ceiling"}
    assert all(int(row[5]) >= 1_000_000 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_other_battles_of_regulars_and_greens_agree_with_the_table(key: str) -> None:
    """60 battles on other deals lie within what chance allows."""
    taken = float(share(key, "regular", "green", 60, first_seed=31_000_000))
    low, high = wilson_bounds(load_pairings()[key, "regular", "green"].share, 60, z=4)
    assert low <= taken <= high + 1e-3


def test_commanders_prints_the_whole_square_with_intervals(sh: Shell) -> None:
    lines = sh("commanders").out.splitlines()
    for key in KEYS:
        at = next(n for n, line in enumerate(lines) if line.startswith(f"{key} "))
        assert lines[at].split() == [key, *RANKS]
        for place, rank in enumerate(RANKS):
            words = re.sub(r" \(", "(", lines[at + 1 + place]).split()
            assert words[0] == rank
            assert words[1 + place] == "-"
            assert all(re.fullmatch(r"\d+\(\d+-\d+\)", word) for word in words[1:] if word != "-")
    assert max(map(len, lines)) <= 80


def test_commanders_has_counts_for_programs(sh: Shell) -> None:
    told = json.loads(sh("commanders", "--json").out)
    assert told["strength"]["strategy-war"]["veteran from regular"] == 60
    assert len(told["pairings"]) == len(load_pairings())
    rows = sh("commanders", "--format", "csv").out.splitlines()
    assert rows[0] == "rules,rank,against,battles,points,share,low,high"
    assert len(rows) == 1 + len(load_pairings())


def campaign_of(tmp_path: Path, by: str, ranks: tuple[str, str], strengths: tuple[int, int]) -> str:
    """Return the folder of a campaign whose pending battle has these commanders and strengths."""
    folder = create_campaign(str(tmp_path / f"{by}-{ranks[0]}-{ranks[1]}-{strengths[0]}"), by=by)
    path = Path(folder, "campaign.toml")
    text = path.read_text(encoding="utf-8")
    for key, rank, strength in zip(("red-vanguard", "blue-guard"), ranks, strengths, strict=True):
        head, table, rest = text.partition(f"[forces.{key}]\n")
        rest = re.sub(r"strength = \d+", f"strength = {strength}", rest, count=1)
        text = head + table + re.sub(r'commander = "\w+"', f'commander = "{rank}"', rest, count=1)
    path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.heavy
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("ranks", [*combinations(RANKS, 2), ("green", "green")])
def test_check_warns_of_the_lower_rank_that_loses_most_battles(
    tmp_path: Path, key: str, ranks: tuple[str, str]
) -> None:
    """In either order of the sides, by the measured table."""
    pairing = load_pairings().get((key, *ranks))
    is_much = pairing is not None and 1 - pairing.share >= LOSES
    for order, loser in ((ranks, "Red vanguard"), (ranks[::-1], "Blue guard")):
        folder = campaign_of(tmp_path / loser, key, order, (8, 8))
        found = list(rank_warnings(store.load(folder).campaign))
        assert len(found) == is_much
        if is_much:
            battle, words = found[0]
            assert battle == "the-bridge"
            assert words.startswith(f"the {ranks[0]} commander of {loser} loses ")
            assert words.endswith(" of such battles at equal strength")


def test_strength_can_outweigh_a_rank(tmp_path: Path) -> None:
    """Nine in ten at 3:1 is more than the 87 of a hundred that a green loses in Field of Honour."""
    for strength, count in ((8, 1), (16, 1), (24, 0)):
        folder = campaign_of(tmp_path, "field-of-honour", ("green", "regular"), (strength, 8))
        assert len(list(rank_warnings(store.load(folder).campaign))) == count
    assert outweighs(0.99, Fraction(1)) and not outweighs(0.99, None)


@pytest.mark.slow
def test_check_says_it_as_a_hint_and_a_new_campaign_has_none(sh: Shell, tmp_path: Path) -> None:
    folder = campaign_of(tmp_path, "wargame", ("green", "regular"), (8, 8))
    said = sh("campaign", "-C", folder, "check")
    words = "the green commander of Red vanguard loses more than 99% of such battles at equal strength"
    assert (said.code, said.out) == (0, "")
    assert f"hint: battle the-bridge: {words}" in said.err.splitlines()
    for key in KEYS:
        new = store.load(create_campaign(str(tmp_path / key), by=key)).campaign
        assert not [*rank_warnings(new)]


def test_a_pairing_seen_from_the_other_side_adds_up() -> None:
    pairing = Pairing("wargame", "elite", "veteran", 200, 134.5)
    assert pairing.swap() == Pairing("wargame", "veteran", "elite", 200, 65.5)
    assert pairing.swap().swap() == pairing


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_higher_rank_never_takes_less_than_a_lower_one(rules: str) -> None:
    """Against every rank, outside the 95 % interval of the difference."""
    for low, high in combinations(RANKS, 2):
        for against in RANKS:
            (less, less_width), (more, more_width) = (
                share_and_width(rules, rank, against) for rank in (low, high)
            )
            assert more - less >= -hypot(less_width, more_width), f"{low}, {high} against {against}"


def share_and_width(rules: str, rank: str, against: str) -> tuple[float, float]:
    """Return the share of the points, and half of its 95 % interval; equal ranks take one half."""
    if rank == against:
        return 0.5, 0.0
    pairing = load_pairings()[rules, rank, against]
    low, high = wilson_bounds(pairing.share, pairing.battles)
    return pairing.share, (high - low) / 2

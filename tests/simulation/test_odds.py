"""Odds: counted by the one path, the same for any number of workers, true to exact chances."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from itertools import product
from math import isclose, sqrt

import pytest

from cardbattle.battles.records.battle_file import bare_battle, read_battle, with_commanders
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import check_digest, verify_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.chance import child_seed
from cardbattle.rules import find
from cardbattle.show.console import console
from cardbattle.show.pages.odds import odds_json, odds_page
from cardbattle.show.pages.ranks import ranks_page
from cardbattle.show.writers.formats import render
from cardbattle.show.writers.plain import to_plain
from cardbattle.show.writers.terminal import to_terminal
from cardbattle.simulation import odds as counting
from cardbattle.simulation import sample
from cardbattle.simulation.counting import MOST_EXAMPLES, WHOLE, Count, count
from cardbattle.simulation.intervals import wilson
from cardbattle.simulation.odds import Odds, OddsStop, count_odds, looks, spread
from cardbattle.simulation.ranks import count_by_rank, greatest_gap
from cardbattle.simulation.sample import Sample
from cardbattle.simulation.workers import Serial


def duel(hand: list[str], rounds: int, **house: object) -> dict[str, object]:
    """Return a small battle of Strategy WAR between two greens, seeded."""
    sides = {key: {"commander": "green", "cards": hand} for key in ("york", "lancaster")}
    return {"rules": "strategy-war", "seed": 5, "house": {"rounds": rounds, **house}, "sides": sides}


def counted(table: dict[str, object], battles: int) -> Odds:
    """Return the odds from this number of battles."""
    return count_odds(table, "", OddsStop(battles), Serial())


def test_spread_is_exact() -> None:
    found = spread([(Fraction(1, 3), 1), (Fraction(2, 3), 1)])
    assert found == (0.5, sqrt(1 / 36))


@pytest.mark.slow
def test_the_odds_of_a_small_battle_are_those_of_counting_all_its_courses() -> None:
    """One round with two cards each: who plays the 3 against the 2 wins, equal cards are shared."""
    found = counted(duel(["2", "3"], 1), 20_000)
    draws = [(a > b, a == b) for a, b in product((2, 3), repeat=2)]
    assert sum(won for won, _ in draws) == 1
    for seat in (0, 1):
        assert found.won(seat).low < 1 / 4 < found.won(seat).high
        assert found.times_shared(seat).low < 1 / 2 < found.times_shared(seat).high
        assert abs(found.points(seat) - 1 / 2) < 0.01
        assert abs(found.score(seat).mean - 5 / 4) < 0.05  # a won pot is 5
    assert found.times_drawn().hits == 0


def test_every_battle_is_counted_once() -> None:
    found = counted(duel(["2", "3", "4"], 2), 500)
    assert found.counted.battles == 500
    assert sum(found.counted.won) + found.counted.shared[0] + found.counted.drawn == 500
    assert sum(found.counted.points) == 500 * WHOLE
    for seat in (0, 1):
        assert sum(found.counted.scores[seat].values()) == 500
        assert sum(found.counted.losses[seat].values()) == 500


@pytest.mark.slow
def test_five_sides_have_odds_too() -> None:
    table = bare_battle("strategy-war", ["a", "b", "c", "d", "e=green"]) | {"seed": 1}
    found = counted(table, 300)
    assert len(found.counted.won) == 5
    assert isclose(sum(found.points(seat) for seat in range(5)), 1)
    sides = json_of(found)["sides"]
    assert isinstance(sides, dict)
    assert list(sides) == ["a", "b", "c", "d", "e"]


def test_a_battle_of_the_odds_is_the_battle_with_its_seed() -> None:
    """Battle i has the seed of the path odds/i, and is otherwise the same as a single battle."""
    table = duel(["2", "3", "4"], 2)
    plan = read_battle(table, "")
    for number in range(5):
        alone = fight_battle(plan._replace(seed=child_seed(5, f"odds/{number}")))[0]
        seen = count(plan, "odds", number, number + 1)
        assert list(seen.firsts) == [tuple(alone.scores)]


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_parts_add_up_whatever_their_size(size: int) -> None:
    plan = read_battle(duel(["2", "3", "4", "5"], 3), "")
    whole = count(plan, "odds", 0, 1000)
    parts = Count(2)
    for first in range(0, 1000, size):
        parts.merge(count(plan, "odds", first, min(first + size, 1000)))
    assert vars(parts) == vars(whole)
    assert list(parts.firsts.items()) == list(whole.firsts.items())


@pytest.mark.slow
def test_only_so_many_scores_are_remembered() -> None:
    """Of a battle with endless different scores the first 50 000 are kept, parts or no parts."""
    whole, parts = Count(1), Count(1)
    for number in range(0, MOST_EXAMPLES + 2000, 1000):
        part = Count(1)
        for score in range(number, number + 1000):
            part.add(score, [0], [score], [(0, 1)])
            whole.add(score, [0], [score], [(0, 1)])
        parts.merge(part)
    assert len(whole.firsts) == MOST_EXAMPLES
    assert whole.firsts == parts.firsts


def json_of(found: Odds) -> dict[str, object]:
    """Return what --json prints, read again."""
    read: dict[str, object] = json.loads(json.dumps(odds_json(found)))
    return read


@pytest.mark.heavy
def test_workers_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, and however the work is cut."""
    table = duel(["2", "3", "4", "5"], 3)
    alone = json_of(count_odds(table, "", OddsStop(), Serial()))
    assert alone["stopped"] == "precision"
    for workers, size in ((2, 1), (3, 37), (5, 400)):
        monkeypatch.setattr(sample, "fitting", lambda more, size=size: size)
        with ThreadPoolExecutor(workers) as pool:
            assert json_of(count_odds(table, "", OddsStop(), pool, workers)) == alone


@pytest.mark.slow
def test_the_same_seed_gives_the_same_odds_another_seed_others() -> None:
    table = duel(["2", "3", "4"], 2)
    assert json_of(counted(table, 300)) == json_of(counted(table, 300))
    assert json_of(counted(table, 300)) != json_of(counted(table | {"seed": 6}, 300))


@pytest.mark.slow
def test_counting_stops_when_every_interval_is_narrow() -> None:
    found = count_odds(duel(["2", "3"], 1), "", OddsStop(precision=0.02), Serial())
    assert found.stopped == "precision"
    assert max(found.won(0).width, found.won(1).width, found.times_shared(0).width) < 0.04
    before = max(look for look in looks(OddsStop()) if look < found.counted.battles)
    assert wilson(before // 2, before).width >= 0.04


def test_counting_looks_at_fixed_counts() -> None:
    assert list(looks(OddsStop(77))) == [77]
    seen = list(looks(OddsStop()))
    assert seen[:4] == [200, 300, 400, 600]
    assert seen[-1] == 200_000
    assert seen == sorted(set(seen))


def test_counting_stops_at_the_limit_of_battles() -> None:
    found = count_odds(duel(["2", "3"], 1), "", OddsStop(most=500), Serial())
    assert (found.stopped, found.counted.battles) == ("limit", 500)


def test_counting_stops_at_the_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that jumps a second whenever it is read."""
    seconds = iter(range(10**6))
    monkeypatch.setattr(counting, "monotonic", lambda: float(next(seconds)))
    found = count_odds(duel(["2", "3"], 1), "", OddsStop(seconds=4), Serial())
    assert found.stopped == "limit"
    assert 0 < found.counted.battles < 1000


def test_the_time_limit_does_not_touch_a_number_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 10**9, 60))
    monkeypatch.setattr(counting, "monotonic", lambda: float(next(seconds)))
    assert counted(duel(["2", "3"], 1), 400).counted.battles == 400


def test_the_last_jobs_are_shorter_so_that_all_workers_end_together() -> None:
    """Every battle is in one job; none is shorter than a fifth of what a job should be."""
    counting = Sample(duel(["2", "3"], 1), "", Serial(), 2)
    counting.chunk = 100
    jobs = [job.beyond - job.first for job in counting.jobs(1010)]
    assert jobs == [*[100] * 7, 77, 58, 43, 33, 24, 20, 20, 20, 15]
    assert sum(jobs) == 1010


class Interrupting(Serial):
    """An executor that is interrupted by the third job."""

    def __init__(self) -> None:
        self.jobs = 0

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[object]:  # type: ignore[override]
        """Do the work, or be interrupted."""
        self.jobs += 1
        if self.jobs == 3:
            raise KeyboardInterrupt
        return super().submit(fn, *args, **kwargs)


def test_an_interruption_keeps_what_was_counted() -> None:
    """The result is the same as that number of battles without an interruption."""
    table = duel(["2", "3"], 1)
    found = count_odds(table, "", OddsStop(), Interrupting())
    assert found.stopped == "interrupted"
    battles = found.counted.battles
    assert battles > 0
    assert vars(found.counted) == vars(counted(table, battles).counted)


def test_an_interruption_need_not_wait_for_best_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked for first, as it may take seconds: a second Ctrl-C could lose what was counted."""
    executor, jobs = Interrupting(), list[int]()

    def slow(plan: object) -> list[float]:
        jobs.append(executor.jobs)
        return []

    monkeypatch.setattr(counting, "best_play", slow)
    assert count_odds(duel(["2", "3"], 1), "", OddsStop(), executor).stopped == "interrupted"
    assert jobs == [0]


def test_an_interruption_before_the_first_count_is_one() -> None:
    executor = Interrupting()
    executor.jobs = 2
    with pytest.raises(KeyboardInterrupt):
        count_odds(duel(["2", "3"], 1), "", OddsStop(), executor)


def test_a_battle_without_chance_is_exact() -> None:
    """Both sides follow orders, and nothing is dealt: one battle is all there is."""
    orders = {"commander": "orders", "orders": ["commit 3", "commit 2"]}
    others = {"commander": "orders", "orders": ["commit 2", "commit 3"]}
    sides = {"york": {**orders, "cards": ["2", "3"]}, "lancaster": {**others, "cards": ["2", "3"]}}
    table: dict[str, object] = {
        "rules": "strategy-war", "seed": 1, "house": {"rounds": 1}, "sides": sides
    }  # fmt: skip
    found = count_odds(table, "", OddsStop(), Serial())
    assert found.stopped == "exact"
    assert found.won(0) == (1, 1.0, 1.0, 1.0)
    assert found.won(1) == (0, 0.0, 0.0, 0.0)
    assert json_of(found)["battles"] == 1
    assert "exact" in to_plain(odds_page(found)).splitlines()[0]


def test_what_can_be_solved_is_printed_as_best_play() -> None:
    """Equal hands are worth a half; a better hand is worth more, and the rest is the other's."""
    equal = counted(duel(["J", "Q", "K", "A"], 4), 10)
    assert equal.best_play == [0.5, 0.5]
    assert "york best play 0.5" in to_plain(odds_page(equal))
    assert json_of(equal)["best_play"] == {"york": equal.best_play[0], "lancaster": equal.best_play[1]}
    sides = {"york": {"cards": ["J", "Q", "A", "A"]}, "lancaster": {"cards": ["J", "Q", "K", "A"]}}
    table = {"rules": "strategy-war", "seed": 5, "house": {"rounds": 4}, "sides": sides}
    stronger = counted(table, 10)
    assert stronger.best_play[0] > 0.6
    assert sum(stronger.best_play) == pytest.approx(1)


def test_what_cannot_be_solved_says_nothing_of_best_play() -> None:
    """Too many cards, or cards that are dealt."""
    cards = [str(rank) for rank in range(2, 11)]
    found = counted(duel(cards, len(cards)), 5)
    assert found.best_play == []
    assert "best play" not in to_plain(odds_page(found))
    assert "best_play" not in json_of(found)
    assert counted(bare_battle("field-of-honour", ["york", "lancaster"]) | {"seed": 1}, 5).best_play == []


@pytest.mark.slow
def test_the_example_is_a_real_battle_nearest_the_mean() -> None:
    table = duel(["2", "3", "4", "5"], 4)
    found = counted(table, 400)
    plan = read_battle(table, "")
    means = [found.score(seat).mean for seat in (0, 1)]
    fought = [fight_battle(plan._replace(seed=child_seed(5, f"odds/{number}")))[0] for number in range(400)]

    def distance(scores: list[int]) -> float:
        return sum((score - mean) ** 2 for score, mean in zip(scores, means, strict=True))

    nearest = min(fought, key=lambda record: distance(record.scores))
    assert found.example.scores == nearest.scores
    assert found.example.seed == nearest.seed
    assert verify_record(found.example) == ""


def test_json_has_the_keys_of_the_contract() -> None:
    told = json_of(counted(duel(["2", "3"], 1), 300))
    keys = ["schema", "rules", "seed", "battles", "stopped", "drawn", "sides", "example", "best_play"]
    assert list(told) == keys
    assert (told["schema"], told["rules"], told["seed"], told["battles"]) == (1, "strategy-war", 5, 300)
    sides, drawn = told["sides"], told["drawn"]
    assert isinstance(sides, dict)
    assert isinstance(drawn, dict)
    assert list(sides["york"]) == ["won", "shared", "points", "score", "losses"]
    assert list(drawn) == list(sides["york"]["won"]) == ["count", "share", "low", "high"]
    assert list(sides["york"]["score"]) == ["mean", "sd"]
    example = told["example"]
    assert isinstance(example, dict)
    check_digest(read_record(example))


@pytest.fixture
def few() -> Odds:
    """Give the odds of a few battles."""
    return counted(duel(["2", "3"], 1), 400)


@pytest.mark.parametrize(("encoding", "mark"), [("utf-8", "█"), ("ascii", "#")])
def test_the_chart_has_a_bar_as_long_as_the_share(few: Odds, encoding: str, mark: str) -> None:
    """Thirty marks are all battles. If blocks cannot be encoded, the chart uses number signs."""
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding)
    to_terminal(odds_page(few), console(stream, color=False, width=70))
    stream.flush()
    told = raw.getvalue().decode(encoding).splitlines()
    assert max(map(len, told)) <= 70
    line = next(line for line in told if line.startswith("York won"))
    assert line.count(mark) == round(30 * few.won(0).share)
    assert f"{100 * few.won(0).share:.1f}%" in line


def test_plain_has_a_fact_a_line(few: Odds) -> None:
    lines = to_plain(odds_page(few)).splitlines()
    assert lines[0] == "Strategy WAR, seed 5: 400 battles, target reached"
    assert any(line.startswith("york won ") for line in lines)
    assert lines[-4] == f"example seed {few.example.seed}"
    assert lines[-3:-1] == ["york best play 0.5000", "lancaster best play 0.5000"]
    assert lines[-1].endswith("COAN.NET")


def test_csv_has_a_row_for_each_outcome(few: Odds) -> None:
    lines = render(odds_page(few), "csv").splitlines()
    assert lines[0] == "side,outcome,count,share,low,high"
    assert [line.split(",")[:2] for line in lines[1:]] == [
        ["york", "won"], ["york", "shared"], ["lancaster", "won"], ["lancaster", "shared"], ["", "drawn"]
    ]  # fmt: skip


def test_the_progress_bar_hears_how_far_it_is() -> None:
    heard: list[tuple[int, int]] = []
    count_odds(
        duel(["2", "3"], 1),
        "",
        OddsStop(300),
        Serial(),
        report_progress=lambda seen, of: heard.append((seen.battles, of)),
    )
    assert heard[-1] == (300, 300)
    assert [battles for battles, _ in heard] == sorted(battles for battles, _ in heard)


def test_the_likely_end_is_what_the_widest_share_needs() -> None:
    seen = Count(2)
    for number in range(400):
        seen.add(number, [number % 2], [0, 0], [(0, 1), (0, 1)])
    end = counting.likely_end(seen, OddsStop(precision=0.01), 0.1)
    assert end == int(counting.LOOKS * 1.959963984540054**2 * 0.25 / 0.0001)
    assert counting.likely_end(seen, OddsStop(precision=0.01), 10.0) == 1200  # 30 seconds at 40 a second


@pytest.mark.slow
def test_the_ranks_are_counted_side_by_side() -> None:
    """Each as if it were named for every side; the page says where they differ most."""
    table = bare_battle("field-of-honour", ["york", "lancaster"]) | {"seed": 7}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(find("field-of-honour")), "iterations", {"veteran": 2})
        by_rank = count_by_rank(table, "", OddsStop(60), Serial())
    assert list(by_rank) == ["regular", "seasoned", "veteran"]
    for rank, odds in by_rank.items():
        assert [side.commander for side in odds.plan.sides] == [rank, rank]
    alone = count_odds(
        with_commanders(table, ["york=seasoned", "lancaster=seasoned"]), "", OddsStop(60), Serial()
    )
    assert odds_json(alone) == odds_json(by_rank["seasoned"])
    gap = greatest_gap(by_rank)
    for seat in range(2):
        shares = [odds.won(seat).share for odds in by_rank.values()]
        assert gap.share >= max(shares) - min(shares)
    lines = to_plain(ranks_page(by_rank)).splitlines()
    assert f"regular: york won {by_rank['regular'].won(0).share:.1%}" in lines[1]
    assert any(line.startswith("The rank matters most for ") for line in lines)


def test_ranks_that_play_alike_change_nothing() -> None:
    table = bare_battle("field-of-honour", ["york", "lancaster"]) | {"seed": 7}
    one = count_odds(table, "", OddsStop(20), Serial())
    assert "The rank of the commanders makes no difference." in to_plain(
        ranks_page({"regular": one, "seasoned": one})
    )


def test_odds_say_who_commanded(few: Odds) -> None:
    assert any(line.startswith("Commanders: ") for line in to_plain(odds_page(few)).splitlines())

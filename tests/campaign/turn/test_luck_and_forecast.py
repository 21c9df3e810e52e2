"""Luck and forecasts: nothing is counted twice, a long count says how long it will be, and can be stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import estimate, forecast, luck
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.cli import output
from cardbattle.cli.output import duration_words
from cardbattle.files.count_cache import CountCache
from cardbattle.simulation import counting
from cardbattle.simulation.workers import Serial
from tests.benchmarks import elites
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import marches

FORD = '[[pending]]\nid = "ford"\nsides = ["percy", "stafford"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Make a campaign in which two battles were fought."""
    folder = marches.folder_with(tmp_path / "war", marches.MARCHES + FORD)
    marches.record(folder, *(marches.fought(store.load(folder), name) for name in ("bridge", "wood")))
    return folder


@pytest.fixture
def fights(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the battles that are fought again, and the futures."""
    counted: list[int] = []
    count, future = counting.count, forecast.future_of

    def again(plan: object, path: str, first: int, beyond: int) -> object:
        counted.extend(range(first, beyond))
        return count(plan, path, first, beyond)  # type: ignore[arg-type]

    def numbered(campaign: object, number: int) -> object:
        counted.append(number)
        return future(campaign, number)  # type: ignore[arg-type]

    monkeypatch.setattr(luck, "count", again)
    monkeypatch.setattr(forecast, "future_of", numbered)
    return counted


def luck_of(folder: str, battles: int, **more: object) -> list[luck.Luck]:
    """Return the luck of all sides, as the umpire knows it."""
    known = visible_to(store.load(folder).campaign, store.load_ledger(folder), UMPIRE)
    return luck.count_luck(folder, known, battles, Serial(), **more)  # type: ignore[arg-type]


def futures_of(folder: str, count: int, **more: object) -> forecast.Forecast:
    """Return futures of a campaign that are kept."""
    kept = CountCache(folder, forecast.NAME)
    campaign = store.load(folder).campaign
    return forecast.forecast_futures(campaign, count, Serial(), cache=kept, **more)  # type: ignore[arg-type]


def test_luck_that_was_counted_before_is_not_counted_again(folder: str, fights: list[int]) -> None:
    first = luck_of(folder, 6)
    assert sorted(fights) == sorted([*range(6), *range(6)])
    fights.clear()
    assert luck_of(folder, 6) == first
    assert fights == []
    more = luck_of(folder, 9)
    assert sorted(fights) == [6, 6, 7, 7, 8, 8]  # only what is missing
    (Path(folder) / luck.NAME).unlink()
    assert luck_of(folder, 9) == more
    assert luck_of(folder, 4) == luck_of(folder, 4)
    assert luck_of(folder, 6) == first


def test_luck_names_and_adds_up_a_side_of_several_forces(folder: str) -> None:
    bridge, stafford, together, alone = luck_of(folder, 1)
    assert (bridge.side, together.side) == ("percy", "percy")
    assert (bridge.name, together.name) == ("Harry Percy", "Harry Percy and Mortimer")
    assert together.total == together.got - together.expected
    assert stafford.name == alone.name
    assert alone.total == stafford.total + alone.got - alone.expected


def test_futures_that_were_fought_before_are_not_fought_again(folder: str, fights: list[int]) -> None:
    first = futures_of(folder, 4)
    assert fights == [0, 1, 2, 3]
    fights.clear()
    assert futures_of(folder, 4) == first
    assert futures_of(folder, 2).futures == first.futures[:2]
    assert fights == []
    assert futures_of(folder, 6).futures[:4] == first.futures
    assert fights == [4, 5]
    path = Path(folder) / store.NAME
    path.write_text(path.read_text().replace("win = 2", "win = 3"))
    fights.clear()
    futures_of(folder, 2)
    assert fights == [0, 1]  # of another campaign


class Stopped(Serial):
    """An executor that is interrupted by a job."""

    left = 3

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object):  # type: ignore[no-untyped-def]
        """Do the work, or be interrupted."""
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().submit(fn, *args, **kwargs)


def test_a_count_that_is_stopped_keeps_what_is_done(folder: str, fights: list[int]) -> None:
    known = visible_to(store.load(folder).campaign, store.load_ledger(folder), UMPIRE)
    with pytest.raises(KeyboardInterrupt):
        luck.count_luck(folder, known, 5, Stopped())
    done = len(fights)
    assert luck_of(folder, 5)
    assert sorted(fights) == sorted([*range(5), *range(5)])  # none twice
    assert 0 < done < 10
    fights.clear()
    with pytest.raises(KeyboardInterrupt):
        forecast.forecast_futures(
            store.load(folder).campaign, 5, Stopped(), cache=CountCache(folder, forecast.NAME)
        )
    futures_of(folder, 5)
    assert fights == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"counts": 3}', "KEPT"])
def test_count_cache_that_are_none_count_for_nothing(content: str, folder: str) -> None:
    names = (luck.NAME, forecast.NAME)
    right = luck_of(folder, 3), futures_of(folder, 3)
    for name in names:
        path = Path(folder) / name
        table = json.loads(path.read_text())
        table["counts"] = {key: {"3": [3, ["x"], None]} for key in table["counts"]}
        path.write_text(json.dumps(table) if content == "KEPT" else content)
    assert (luck_of(folder, 3), futures_of(folder, 3)) == right


def test_a_folder_that_cannot_be_written_keeps_nothing(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardbattle.files import disk

    def refuse(path: str, content: bytes, temporary: str = "") -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(disk, "replace", refuse)
    assert luck_of(folder, 2) and futures_of(folder, 2).futures
    assert not (Path(folder) / luck.NAME).exists()


def test_a_long_count_is_announced_once(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[float] = []
    luck_of(folder, 5, announce=heard.append)
    assert heard == []  # short ones are not
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    monkeypatch.setattr(estimate, "WORTH_ANNOUNCING", 0.0)
    luck_of(folder, 9, announce=heard.append)
    futures_of(folder, 3, announce=heard.append)
    assert len(heard) == 2
    assert all(seconds >= 0 for seconds in heard)


ELITE = marches.MARCHES.replace("[forces.percy]\n", '[forces.percy]\ncommander = "veteran:iterations=1"\n', 1)


@pytest.mark.slow
def test_quick_fights_fewer_battles_only_where_commanders_think(tmp_path: Path, fights: list[int]) -> None:
    folder = marches.folder_with(tmp_path / "war", ELITE)
    books = store.load(folder)
    ids = [battle.id for battle in books.campaign.pending]
    marches.record(folder, *(marches.fought(books, name) for name in ids[:2]))
    thinking = sum("veteran" in (Path(folder) / "records" / f"{name}.toml").read_text() for name in ids[:2])
    luck_of(folder, 30, is_quick=True)
    assert len(fights) == 30 * 2 - (30 - luck.QUICK) * thinking
    before = luck_of(folder, 25)
    fights.clear()
    assert luck_of(folder, 3, is_quick=True)[0].expected == before[0].expected  # more is known already
    assert fights == []


def test_fighting_many_battles_says_how_long_it_takes(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    monkeypatch.setattr(estimate, "WORTH_ANNOUNCING", 0.0)
    monkeypatch.setattr(elites, "BATTLES", 2)
    text = elites.campaign("strategy-war").replace('"elite"', '"green"')
    tmp_path.joinpath("campaign.toml").write_text(text, encoding="utf-8")
    fought = sh(
        "campaign", "-C", str(tmp_path), "fight", "--all", "--no-odds", "--detail", "brief", "-j", "1"
    )
    assert "about 10 seconds left" in fought.err.splitlines()


def test_progress_and_estimate_go_to_standard_error(
    sh: Shell, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    monkeypatch.setattr(estimate, "WORTH_ANNOUNCING", 0.0)
    monkeypatch.setattr(output, "LINE_SECONDS", 0.0)
    plain = sh("campaign", "-C", folder, "luck", "-n", "4")
    assert (
        "about 10 seconds left; Ctrl-C stops and saves the results so far; --quick runs fewer simulations"
        in plain.err
    )
    assert "8 of 8 battles" in plain.err
    again = sh("campaign", "-C", folder, "luck", "-n", "4", "-q")
    assert (again.out, again.err) == (plain.out, "")
    told = sh("campaign", "-C", folder, "forecast", "-n", "3", "--quick")
    assert "about 10 seconds left; Ctrl-C stops and saves the results so far\n" in told.err
    assert "3 of 3 simulations" in told.err


def test_a_duration_is_said_in_a_unit_that_fits() -> None:
    assert duration_words(0.1) == "about 10 seconds"
    assert duration_words(56) == "about 1 minute"
    assert duration_words(89 * 60) == "about 89 minutes"


def test_the_time_left_is_announced_after_the_first_of_a_few_long_battles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = iter([0.0, 60.0, 60.0, 130.0, 130.0])
    monkeypatch.setattr(estimate, "monotonic", lambda: next(times))
    announced: list[float] = []
    tick = estimate.estimating(lambda finished, of: None, announced.append)
    tick(1, 3)
    assert announced == [120.0]
    tick(2, 3)
    assert announced == [120.0]


def test_the_time_left_is_announced_during_the_first_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.0, 0.0, 2.0, 2.0])
    monkeypatch.setattr(estimate, "monotonic", lambda: next(times))
    announced: list[float] = []
    shown: list[int] = []
    tick = estimate.estimating(lambda finished, of: shown.append(finished), announced.append)
    tick(0, 2)
    tick(0.1, 2)
    assert (announced, shown) == ([38.0], [0, 0])

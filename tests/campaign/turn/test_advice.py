"""Advice before a battle: the odds of the pending ones, with the commanders they have."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from cardbattle.battles.records.battle_file import BattlePlan, read_battle
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import advice as advising
from cardbattle.campaign.turn.advice import Advice, Share, advise
from cardbattle.simulation.counting import Count
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh


@pytest.fixture
def folder(sh: Shell, tmp_path: Path) -> str:
    """Return the folder of a campaign with two pending battles."""
    assert sh("demo", str(tmp_path / "demo")).code == 0
    return str(tmp_path / "demo")


def odds(folder: str, is_asked: bool = False) -> dict[str, Advice]:
    """Return the odds of all pending battles."""
    campaign = store.load(folder).campaign
    told: list[tuple[float, int]] = []
    found = advise(campaign, campaign.pending, is_asked, lambda done, of: told.append((done, of)))
    assert told[0] == (0, 2) and (1, 2) in told and told == sorted(told)
    return found


def write_force(folder: str, key: str, line: str) -> None:
    """Add a line to a force of the campaign file."""
    path = Path(folder, "campaign.toml")
    text = path.read_text(encoding="utf-8")
    assert f"[forces.{key}]\n" in text
    path.write_text(text.replace(f"[forces.{key}]\n", f"[forces.{key}]\n{line}\n"), encoding="utf-8")


@pytest.mark.slow
def test_the_odds_of_a_pending_battle_are_those_of_its_commanders(folder: str) -> None:
    """A share for each side, inside its interval, the same every time; all shares are a whole."""
    found = odds(folder)
    assert found == odds(folder) == odds(folder, is_asked=True)
    campaign = store.load(folder).campaign
    assert [len(one.sides) for one in found.values()] == [len(battle.sides) for battle in campaign.pending]
    for one in found.values():
        assert (one.battles, one.why) == (200, "")
        assert sum([side.share for side in one.sides]) == pytest.approx(1)
        assert all(side.low < side.share < side.high for side in one.sides)
        assert one.words().startswith("odds by 200 battles: ")


def test_readers_who_know_the_same_facts_share_the_odds(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    simulated: list[str] = []

    def simulate(campaign: Campaign, battle: Pending, *of: object) -> Advice:
        simulated.append(battle.id)
        return Advice(len(simulated), [])

    monkeypatch.setattr(advising, "simulated_odds", simulate)
    known: dict[str, Advice] = {}
    campaign = store.load(folder).campaign
    first, again = (
        advise(campaign, campaign.pending, False, lambda done, of: None, known=known) for _ in range(2)
    )
    assert first == again and simulated == [battle.id for battle in campaign.pending]
    write_force(folder, "vaughan", 'commander = "green"')
    other = store.load(folder).campaign
    assert advise(other, other.pending, False, lambda done, of: None, known=known) != first
    assert len(simulated) == 3


@pytest.mark.slow
def test_all_readers_who_know_the_forces_read_the_same_odds(folder: str, sh: Shell) -> None:
    at = ("-C", folder)
    assert sh("campaign", "set", "visibility.strength=all", "visibility.commander=all", *at).code == 0
    lines = []
    for reader in ("umpire", "public", "king"):
        shown = " ".join(sh("campaign", "show", "--for", reader, *at).out.split())
        lines.append(re.findall(r"odds by [0-9]+ battles: Vaughan[^)]*\) [0-9]+%", shown))
    assert len(lines[0]) == 1 and lines[0] == lines[1] == lines[2]


@pytest.mark.slow
def test_the_better_commander_has_the_better_odds(folder: str) -> None:
    """Green against regular is not an even battle."""
    before = odds(folder)["mill"].sides[0].share
    write_force(folder, "birch", 'commander = "green"')
    after = odds(folder)["mill"]
    assert after.sides[1].commander == "green"
    assert after.sides[0].share > before + 0.2


@pytest.mark.slow
def test_commanders_who_think_are_given_little_time_unless_the_odds_are_asked_for(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unasked no battle may end in time; asked for, one at least is fought."""
    write_force(folder, "birch", 'commander = "veteran:iterations=1"')
    assert odds(folder)["mill"].battles >= 5
    monkeypatch.setattr(advising, "SECONDS", 0.0)
    monkeypatch.setattr(advising, "SECONDS_EACH", 0.0)
    unasked = odds(folder)["mill"]
    assert unasked.words() == "no odds: these commanders think too long; add --odds to simulate them anyway"
    assert unasked.table() == {"why": unasked.why}
    asked = odds(folder, is_asked=True)["mill"]
    assert asked.battles == 1
    assert asked.words().startswith("odds by 1 battle: ")


@pytest.mark.slow
def test_nobody_thinks_on_when_the_time_is_up(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single answer of this commander would take hours."""
    write_force(folder, "birch", 'commander = "elite:iterations=1000000"')
    monkeypatch.setattr(advising, "SECONDS", 0.1)
    assert odds(folder)["mill"].why == "these commanders think too long; add --odds to simulate them anyway"


@pytest.mark.slow
def test_many_battles_are_fought_less_often_each_and_too_many_only_if_asked_for(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a campaign with many battles is shown as fast as one with few."""
    monkeypatch.setattr(advising, "MOST", 50)
    assert [one.battles for one in odds(folder).values()] == [25, 25]
    monkeypatch.setattr(advising, "MOST", 9)
    assert {one.words() for one in odds(folder).values()} == {
        "no odds: too many battles are pending; add --odds to simulate this one anyway"
    }
    assert [one.battles for one in odds(folder, is_asked=True).values()] == [200, 200]


@pytest.mark.slow
def test_a_battle_without_odds_says_why(folder: str) -> None:
    """A force that is destroyed fights no battle."""
    write_force(folder, "vaughan", "destroyed = true")
    assert "Vaughan's Horse is destroyed" in odds(folder)["mill"].words()


@pytest.mark.slow
def test_show_and_fight_tell_the_odds(sh: Shell, folder: str) -> None:
    """Beneath the battle with `show`, among the messages with `fight`; nowhere if unwanted."""
    words = odds(folder)["mill"].words()
    for form in (["--format", "plain"], []):
        told = " ".join(sh("campaign", "-C", folder, "show", *form).out.split())
        assert words in told
        assert "odds" not in sh("campaign", "-C", folder, "show", "--no-odds", *form).out
    table = json.loads(sh("campaign", "-C", folder, "show", "--json").out)
    assert set(table["odds"]) == {"mill", "orchard"}
    assert table["odds"]["mill"] == odds(folder)["mill"].table()
    assert f"mill: {words}" in sh("campaign", "-C", folder, "fight", "--dry-run").err
    for unwanted in ("--no-odds", "--quiet"):
        assert "odds" not in sh("campaign", "-C", folder, "fight", "--dry-run", unwanted).err


def strengthen(folder: str, key: str, strength: int) -> None:
    """Change the strength of a force in the campaign file."""
    path = Path(folder, "campaign.toml")
    head, force, rest = path.read_text(encoding="utf-8").partition(f"[forces.{key}]\n")
    assert force
    path.write_text(
        head + force + re.sub(r"strength = \d+", f"strength = {strength}", rest, count=1), "utf-8"
    )


@pytest.mark.slow
def test_a_battle_that_is_decided_before_it_is_fought_is_called_one_sided(sh: Shell, folder: str) -> None:
    """The odds in `show` and `fight` say so, and `check` gives a hint."""
    formality = "one-sided, hardly worth playing"
    assert odds(folder)["mill"].one_sided is None
    strengthen(folder, "vaughan", 40)
    write_force(folder, "birch", 'commander = "green"')
    found = odds(folder)["mill"]
    assert found.sides[0].share > 0.95
    assert found.one_sided == found.table()["one_sided"] == "vaughan"
    assert found.words().endswith(formality)
    said = sh("campaign", "-C", folder, "check")
    assert (said.code, said.out) == (0, "")
    assert f"hint: battle mill: {formality}: 96% of 60 simulated battles go to Vaughan's Horse" in said.err
    assert "mill" in str(json.loads(sh("campaign", "-C", folder, "check", "--json").out)["hints"])


def test_an_even_battle_is_soon_done_with(folder: str) -> None:
    """Nothing is called one-sided by a few battles, and no more are fought than it takes."""
    campaign = store.load(folder).campaign
    plan = read_battle(battle_table(campaign, campaign.pending[0]), "")
    assert advising.count_one_sided(plan).battles <= 15
    assert list(advising.formalities(campaign)) == []
    few = Advice(10, [Share("a", "A", "regular", 1.0, 0.72, 1.0)])
    assert few.one_sided is None


def test_a_battle_that_nearly_reached_95_per_cent_is_not_one_sided(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The count ends in steps, so the last one can bring a share below the limit."""
    campaign = store.load(folder).campaign
    for won, expected in ((52, []), (56, []), (57, ["mill", "orchard"])):
        tally = Tally(won)
        monkeypatch.setattr(advising, "count_one_sided", tally.of)
        assert sorted(name for name, _ in advising.formalities(campaign)) == expected


class Tally(NamedTuple):
    """Counts 60 battles of which the first side won this many."""

    won: int

    def of(self, plan: BattlePlan) -> Count:
        tally = Count(len(plan.sides))
        for number in range(advising.TRIALS):
            winner = int(number >= self.won)
            tally.add(number, [winner], [0] * len(plan.sides), [(0, 1)] * len(plan.sides))
        return tally


def test_the_umpire_of_many_battles_does_not_wait_for_hints(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    strengthen(folder, "vaughan", 40)
    write_force(folder, "birch", 'commander = "green"')
    campaign = store.load(folder).campaign
    assert [name for name, _ in advising.formalities(campaign)] == ["mill"]
    monkeypatch.setattr(advising, "MOST_TRIALS", 59)
    assert list(advising.formalities(campaign)) == []
    monkeypatch.undo()
    write_force(folder, "vaughan", 'commander = "elite"')
    assert list(advising.formalities(store.load(folder).campaign)) == []


@pytest.mark.slow
def test_all_readers_read_the_same_odds_which_do_not_depend_on_the_secret_seed(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers see different numbers of battles, and the number of simulations must not show how many."""
    monkeypatch.setattr(advising, "BATTLES", 6)
    monkeypatch.setattr(advising, "MOST", 12)
    forces = "".join(
        f'[factions.f{n}]\n[forces.a{n}]\nfaction = "f{n}"\nstrength = {8 + n}\n' for n in range(4)
    )
    battles = "".join(
        f'[[pending]]\nid = "b{n}{m}"\nsides = ["a{n}", "a{m}"]\n' for n in range(4) for m in range(n)
    )
    text = (
        'format = 1\nname = "X"\nturn = 1\nrevision = 0\nrules = "strategy-war"\n'
        '[visibility]\nstrength = "all"\ncommander = "all"\npending = "{}"\n'
        '[advantage.strategy-war]\nper = "1/8"\ngive = {{ cards = ["J"] }}\n'
    )
    for extent in ("own", "all"):
        read: dict[str, set[str]] = {}
        forecasts = set()
        for seed in ("one", "two"):
            sh.write("campaign.toml", f'seed = "{seed}"\n{text.format(extent)}{forces}{battles}')
            for reader in ("umpire", "f0", "f3", "public"):
                shown = json.loads(sh("campaign", "show", "--json", "--for", reader).out)["odds"]
                assert len(shown) == (
                    6 if reader == "umpire" or extent == "all" else 3 if "f" in reader else 0
                )
                for battle, told in shown.items():
                    read.setdefault(battle, set()).add(json.dumps(told))
            forecasts.add(sh("campaign", "forecast", "-n", "3", "--jobs", "1", "--json").out)
        assert len(read) == 6 and all(len(told) == 1 for told in read.values())
        assert len(forecasts) == 1

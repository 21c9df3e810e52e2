"""Rule sets that other packages bring, found through the entry point `cardbattle.rules`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from cardbattle import rules
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.storage import store
from cardbattle.cli.app import run
from cardbattle.core.errors import UsageError
from cardbattle.core.ruleset import Advantage
from cardbattle.simulation.strength_shares import measure_strength
from cardbattle.simulation.workers import Serial
from cardbattle.testing import LAWS, RULE_LAWS, Law, RuleLaw, hold, some_trials

SAMPLE = Path(__file__).parents[2] / "examples" / "plug-in"


def install(folder: Path, name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an entry point visible as an installed package does."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[cardbattle.rules]\n{name} = {value}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Forget which plug-ins there are, before and after."""
    rules.plug_ins.cache_clear()
    yield
    rules.plug_ins.cache_clear()
    for module in [name for name in sys.modules if name.startswith("push_of_pike")]:
        del sys.modules[module]


@pytest.fixture
def pike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the sample plug-in."""
    monkeypatch.syspath_prepend(str(SAMPLE))
    install(tmp_path, "push-of-pike", "push_of_pike:RULES", monkeypatch)


@pytest.mark.usefixtures("pike")
def test_a_plug_in_is_found_listed_and_fought(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules.find("push-of-pike").name == "Push of Pike"
    assert run(["rules"]) == 0
    assert "push-of-pike" in capsys.readouterr().out
    assert run(["resolve", "push-of-pike", "--seed", "1", "--set", "red.hand=7"]) == 0
    assert "Pushes won" in capsys.readouterr().out


@pytest.mark.usefixtures("pike")
def test_a_plug_in_that_shows_no_scene_can_be_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("?\nhand\nwhy\n" + "1\n" * 50))
    assert run(["play", "push-of-pike", "--seed", "5", "--teach"]) == 0
    told = capsys.readouterr().out
    assert "Choose:" in told and "The rules: cardbattle rules push-of-pike" in told
    assert len([*tmp_path.glob("*.record.toml")]) == 1


@pytest.mark.usefixtures("pike")
def test_a_plug_ins_record_fights_again() -> None:
    record, _ = fight_battle(read_battle(bare_battle("push-of-pike", []) | {"seed": 5}))
    assert verify_record(read_record(record.table)) == ""


@pytest.mark.slow
@pytest.mark.usefixtures("pike")
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_sample_keeps_the_law(law: Law) -> None:
    for trial in some_trials(rules.find("push-of-pike"), law, 8):
        hold(law, trial)


@pytest.mark.slow
@pytest.mark.usefixtures("pike")
@pytest.mark.parametrize("law", RULE_LAWS, ids=lambda law: law.__name__)
def test_the_samples_words_keep_the_law(law: RuleLaw) -> None:
    law(rules.find("push-of-pike"))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no_such_module:RULES", "ModuleNotFoundError"),
        ("json:dumps", "json:dumps is not a RuleSet"),
        ("cardbattle.rules.wargame:RULES", "is taken, or differs from the plug-in's key"),
    ],
)
def test_a_broken_plug_in_is_warned_of_by_name(
    value: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "broken-game", value, monkeypatch)
    with pytest.warns(rules.PlugInWarning, match=f"plug-in broken-game cannot be used: .*{words}"):
        assert "broken-game" not in rules.plug_ins()


def test_the_warning_is_one_line_and_the_rest_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, "broken-game", "no_such_module:RULES", monkeypatch)
    with pytest.warns(rules.PlugInWarning):
        rules.plug_ins()
    assert run(["rules", "--format", "plain"]) == 0
    assert capsys.readouterr().out.count("\n") == 5


def test_an_unknown_rule_set_is_refused_with_plug_ins_among_the_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SAMPLE))
    install(tmp_path, "push-of-pike", "push_of_pike:RULES", monkeypatch)
    with pytest.raises(UsageError, match='did you mean "push-of-pike"'):
        rules.find("push-of-pikes")


# A new campaign says what strength is worth only where that was measured

CLAIM = "two battles in three at 3:2"


def comment_in(campaign: Path) -> str:
    """Return what a new campaign.toml says on top of [advantage], as one line."""
    text = (campaign / "campaign.toml").read_text(encoding="utf-8")
    before = text.partition("[advantage]")[0].partition("# The value of strength")[2]
    return " ".join(before.replace("\n# ", " ").split())


@pytest.mark.usefixtures("pike")
def test_a_new_campaign_claims_nothing_of_a_plug_in_that_gives_nothing_for_strength(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["campaign", "new", str(tmp_path / "war"), "--rules", "push-of-pike"]) == 0
    told = comment_in(tmp_path / "war")
    assert "In Push of Pike, strength has no effect on a battle." in told
    assert f"With the default lines of the rule sets that come with cardbattle, the {STRONGER}" in told
    assert "In Push of Pike, strength has no effect" in " ".join(capsys.readouterr().out.split())
    assert run(["campaign", "new", str(tmp_path / "other"), "--rules", "push-of-pike", "--calibrate"]) == 2
    assert "nothing to measure" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


STRONGER = f"stronger of two sides wins about {CLAIM}"


@pytest.mark.usefixtures("pike")
def test_a_new_campaign_claims_nothing_of_a_plug_in_that_was_not_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules.find("push-of-pike"), "advantage", A_CARD_MORE, raising=False)
    assert run(["campaign", "new", str(tmp_path / "war"), "--rules", "push-of-pike"]) == 0
    told = comment_in(tmp_path / "war")
    assert "How often the stronger side wins in Push of Pike was not measured; " in told
    assert told.index("was not measured") < told.index("come with cardbattle") < told.index(CLAIM)
    assert (
        "`cardbattle table push-of-pike --ratios 3:2,2:1,3:1` measures it"
        in capsys.readouterr().out.replace("\n", " ")
    )
    assert run(["table", "push-of-pike", "--ratios", "3:2,2:1,3:1", "-n", "20"]) == 0


A_CARD_MORE = Advantage(Fraction(1, 2), {"hand": 1}, 4)


@pytest.mark.slow
@pytest.mark.usefixtures("pike")
def test_calibrate_states_what_it_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The figures are those of the battles, and the progress is on standard error."""
    monkeypatch.setattr(rules.find("push-of-pike"), "advantage", A_CARD_MORE, raising=False)
    assert run(["campaign", "new", str(tmp_path / "war"), "--rules", "push-of-pike", "--calibrate"]) == 0
    shares = measure_strength(rules.find("push-of-pike"), (Serial(), 1))
    assert [one.ratio for one in shares] == ["3:2", "2:1", "3:1"]
    assert all(0 < one.low < one.share < one.high < 1 and one.battles == 1000 for one in shares)
    percents = [f"{100 * one.share:.0f} % at {one.ratio}" for one in shares]
    told = (
        f"the stronger side won {percents[0]}, {percents[1]} and {percents[2]}. Measured over 1,000 battles"
    )
    printed = capsys.readouterr()
    for text in (comment_in(tmp_path / "war"), " ".join(printed.out.split())):
        assert told in text
        assert "was not measured" not in text
    assert printed.err == "fighting 3,000 battles of Push of Pike to measure the effect of strength\n"
    assert store.load(str(tmp_path / "war")).campaign.rules == "push-of-pike"


def test_progress_counts_every_battle_once() -> None:
    told: list[tuple[int, int]] = []
    measure_strength(rules.find("strategy-war"), (Serial(), 1), 20, lambda *more: told.append(more))
    assert told == sorted(told)
    assert told[-1] == (60, 60)


def test_built_in_rules_keep_the_measured_claim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["campaign", "new", str(tmp_path / "war"), "--rules", "wargame"]) == 0
    assert f"With this line, the {STRONGER}" in comment_in(tmp_path / "war")
    printed = capsys.readouterr().out
    assert "measured" not in printed and "stronger side" not in printed


def test_calibrate_and_from_contradict_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["campaign", "new", str(tmp_path / "war"), "--from", str(tmp_path), "--calibrate"]) == 2
    assert "--from and --calibrate contradict each other" in capsys.readouterr().err


# A campaign whose plug-in is not installed

MISSING = 'rule set "push-of-pike" is not installed; it came from a plug-in: install that package again'


@pytest.fixture
def later_refusals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """Return a campaign with a fought, a pending and a Wargame battle, whose plug-in is gone."""
    war, packages = tmp_path / "war", tmp_path / "packages"
    packages.mkdir()
    with monkeypatch.context() as there:
        there.syspath_prepend(str(SAMPLE))
        install(packages, "push-of-pike", "push_of_pike:RULES", there)
        rules.plug_ins.cache_clear()
        in_war = ["campaign", "-C", str(war)]
        sides = ["--side", "red-vanguard", "--side", "blue-garrison"]
        assert run(["campaign", "new", str(war), "--rules", "push-of-pike", "--seed", "1"]) == 0
        assert run([*in_war, "fight", "--no-odds", "-q"]) == 0
        assert run([*in_war, "add", "battle", "mill", *sides]) == 0
        others = ["--side", "red-militia", "--side", "blue-guard"]
        assert run([*in_war, "add", "battle", "ford", "--rules", "wargame", *others]) == 0
        text = (war / "campaign.toml").read_text(encoding="utf-8")
        terms = '[advantage]\npush-of-pike = { per = "1/2", give = { hand = 1 }, most = 4 }\n'
        text = text.replace("[advantage]\n", terms)
        (war / "campaign.toml").write_text(text, encoding="utf-8")
    rules.plug_ins.cache_clear()
    capsys.readouterr()
    return war


NEEDS_NO_RULES = [
    ["show"],
    ["show", "--for", "red"],
    ["show", "--json"],
    ["standings"],
    ["history"],
    ["history", "--for", "blue"],
    ["report"],
    ["results"],
    ["note", "hello"],
    ["turn"],
    ["undo"],
    ["move", "red-militia", "the-ford"],
    ["adjust", "factions.red.points=9", "--reason", "x"],
    ["rename", "forces.red-militia", "red-band"],
    ["override", "mill", "--winner", "red-vanguard", "--reason", "x"],
    ["fight", "ford"],
    ["site", "pages"],
]


@pytest.mark.slow
@pytest.mark.parametrize("words", NEEDS_NO_RULES, ids=" ".join)
def test_what_needs_no_rules_works_without_the_plug_in(
    words: list[str],
    later_refusals: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(later_refusals)
    before = store.load(str(later_refusals)).campaign.advantage["push-of-pike"]
    assert run(["campaign", *words]) == 0, capsys.readouterr().err
    assert store.load(str(later_refusals)).campaign.advantage["push-of-pike"] == before


@pytest.mark.parametrize(
    "words",
    [["fight", "mill"], ["fight", "mill", "--explain"], ["export", "mill"], ["forecast"]],
    ids=" ".join,
)
def test_what_needs_the_rules_says_which_plug_in_is_missing(
    words: list[str],
    later_refusals: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(later_refusals)
    before = {file.name: file.read_bytes() for file in later_refusals.glob("*.toml")}
    assert run(["campaign", *words]) == 3
    printed = capsys.readouterr()
    assert printed.err.splitlines()[-1] == f"cardbattle: {MISSING}"
    assert "equally strong" not in printed.out + printed.err
    assert {file.name: file.read_bytes() for file in later_refusals.glob("*.toml")} == before


@pytest.mark.slow
def test_check_and_show_name_the_missing_rule_set(
    later_refusals: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(later_refusals)
    assert run(["campaign", "check"]) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if "cardbattle: " in line]
    assert [line.split(": ")[2] for line in lines] == ["rules", "advantage.push-of-pike"]
    assert all(line.endswith(MISSING) for line in lines)
    assert run(["campaign", "show", "--odds", "--format", "plain"]) == 0
    shown = capsys.readouterr().out
    assert "pending mill: Red vanguard (12) against Blue garrison (7); push-of-pike, not installed" in shown
    assert f"pending mill: no odds: {MISSING}" in shown
    assert "Wargame" in shown


def test_a_record_of_a_missing_plug_in_says_what_to_do(
    later_refusals: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(later_refusals)
    assert run(["campaign", "history", "the-bridge"]) == 3
    assert "warfare-tactics, or install the plug-in that brings it" in capsys.readouterr().err


def test_a_slip_of_the_pen_is_still_refused(later_refusals: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is like a known key was meant to be that."""
    file = later_refusals / "campaign.toml"
    text = file.read_text(encoding="utf-8").replace('rules = "push-of-pike"', 'rules = "wargmae"')
    file.write_text(text, encoding="utf-8")
    assert run(["campaign", "-C", str(later_refusals), "show"]) == 3
    assert 'unknown rule set "wargmae"; did you mean "wargame"?' in capsys.readouterr().err

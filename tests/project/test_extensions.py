"""Commanders and output formats of other packages, found through entry points."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardbattle
from cardbattle import commanders
from cardbattle.cli.app import run
from cardbattle.core.ruleset import RuleSet
from cardbattle.rules.plug_in_loader import API_VERSION, PlugInWarning, load_all
from cardbattle.show.writers import formats
from tests.support.guides import ROOT

SAMPLE = ROOT / "examples" / "extensions"
ENTRY_POINTS = tomllib.loads((SAMPLE / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]


@pytest.fixture(autouse=True)
def fresh_caches() -> Iterator[None]:
    """Forget the loaded plug-ins, before and after a test."""
    for cached in (commanders.plug_ins, formats.plug_ins):
        cached.cache_clear()
    yield
    for cached in (commanders.plug_ins, formats.plug_ins):
        cached.cache_clear()
    sys.modules.pop("sample_extensions", None)


def install(folder: Path, groups: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make entry points visible as an installed package does."""
    info = folder / "sample-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sample\nVersion: 1.0\n", "utf-8")
    sections = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in groups.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(sections), "utf-8")
    monkeypatch.syspath_prepend(str(folder))


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the sample extensions."""
    monkeypatch.syspath_prepend(str(SAMPLE))
    install(tmp_path, ENTRY_POINTS, monkeypatch)


def test_the_guide_shows_the_sample_as_it_is() -> None:
    guide = (ROOT / "docs" / "extending.md").read_text("utf-8")
    source = (SAMPLE / "sample_extensions.py").read_text("utf-8")
    blocks = [block.partition("```")[0] for block in guide.split("```python\n")[1:]]
    assert len(blocks) == 3
    assert [block for block in blocks if block not in source] == []


@pytest.mark.usefixtures("sample")
def test_a_commander_of_a_plug_in_fights_and_its_record_is_verified_without_it(tmp_path: Path) -> None:
    record = cardbattle.resolve("strategy-war", seed=3, york="bold", lancaster="bold")
    assert record.table["sides"]["york"]["commander"] == "bold"  # type: ignore[index]
    assert len(record.winners) == 2  # both always commit their highest card
    record.save(str(tmp_path / "bold.toml"))
    commanders.plug_ins.cache_clear()
    sys.path.remove(str(tmp_path))
    assert "moves agree" in str(cardbattle.verify(str(tmp_path / "bold.toml")))


@pytest.mark.usefixtures("sample")
def test_a_commander_of_a_plug_in_is_named_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["odds", "strategy-war", "--side", "york=bold", "--side", "lancaster", "-n", "20"]) == 0
    assert run(["commanders"]) == 0
    assert "always takes the last option" in capsys.readouterr().out
    assert run(["resolve", "strategy-war", "--side", "york=bold:iterations=4"]) != 0
    assert "commander bold takes no options" in capsys.readouterr().err


def test_a_commander_that_is_not_installed_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["resolve", "strategy-war", "--side", "york=bold"]) == 2
    assert 'unknown commander "bold"; write one of' in capsys.readouterr().err


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("arguments", [["--format", "wiki"], ["-o", "battle.wiki"]])
def test_a_format_of_a_plug_in_is_written(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["resolve", "wargame", "--seed", "1", *arguments]) == 0
    out = capsys.readouterr().out
    text = out if "--format" in arguments else (tmp_path / "battle.wiki").read_text("utf-8")
    assert "= Brown against Green =" in text and "\n# " not in text


BROKEN = [
    ("cardbattle.commanders", "elite", "sample_extensions:BOLD", "is taken"),
    ("cardbattle.commanders", "worse", "json:dumps", "is not a Rank"),
    ("cardbattle.writers", "worse", "no_such_module:WRITER", "ModuleNotFoundError"),
    ("cardbattle.writers", "md", "sample_extensions:WIKI", "is taken"),
]


@pytest.mark.parametrize(("group", "name", "value", "reason"), BROKEN)
def test_a_broken_plug_in_causes_one_warning(
    group: str, name: str, value: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SAMPLE))
    install(tmp_path, {group: {name: value}}, monkeypatch)
    load = commanders.plug_ins if group.endswith("commanders") else formats.plug_ins
    with pytest.warns(PlugInWarning, match=f"plug-in {name} cannot be used: .*{reason}") as caught:
        assert load() == {}
    assert len(caught) == 1


def test_a_plug_in_for_another_api_version_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "newer.py").write_text(
        "from cardbattle.plugin import API_VERSION, Rank\n"
        "RANK = Rank('from the future', lambda *given: None, False, API_VERSION + 1)\n",
        "utf-8",
    )
    install(tmp_path, {"cardbattle.commanders": {"newer": "newer:RANK"}}, monkeypatch)
    with pytest.warns(PlugInWarning, match=f"needs plug-in API {API_VERSION + 1}, this cardbattle has"):
        assert commanders.find_rank("newer") is None


def test_a_rule_set_that_names_no_api_version_is_refused_by_a_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "plug-in"))
    install(tmp_path, {"cardbattle.rules": {"push-of-pike": "push_of_pike:RULES"}}, monkeypatch)
    monkeypatch.setattr(sys.modules[PlugInWarning.__module__], "API_VERSION", 2)
    with pytest.warns(PlugInWarning, match="needs plug-in API 1, this cardbattle has 2"):
        assert load_all("cardbattle.rules", RuleSet, []) == {}


def test_a_plug_in_that_exits_when_imported_causes_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quitter.py").write_text("raise SystemExit('bye')\n", "utf-8")
    install(tmp_path, {"cardbattle.commanders": {"quitter": "quitter:RANK"}}, monkeypatch)
    with pytest.warns(PlugInWarning, match="plug-in quitter cannot be used: SystemExit: bye"):
        assert commanders.plug_ins() == {}


FAULTY = """
import random

from cardbattle.plugin import Commander, Rank, Writer


class Faulty(Commander):
    def __init__(self, rules, chance, iterations):
        pass

    def answer(self, seat):
        return {answer}


RANK = Rank("is faulty", Faulty)
WRITER = Writer(lambda document, signs: {answer})
"""


def install_faulty(answer: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "faulty.py").write_text(FAULTY.format(answer=answer), "utf-8")
    groups = {
        "cardbattle.commanders": {"faulty": "faulty:RANK"},
        "cardbattle.writers": {"faulty": "faulty:WRITER"},
    }
    install(folder, groups, monkeypatch)
    monkeypatch.delitem(sys.modules, "faulty", raising=False)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("10_000", "commander faulty answered 10000 for york; expected the index of an option, 0 to "),
        ("-1", "commander faulty answered -1 for york; expected the index of an option, 0 to "),
        ("True", "commander faulty answered true for york; expected the index of an option, 0 to "),
        ("{}['x']", "commander faulty of a plug-in failed: KeyError: 'x'"),
    ],
)
def test_a_faulty_answer_of_a_plug_in_is_refused_in_one_line(
    answer: str,
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install_faulty(answer, tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    sides = ["--side", "york=faulty", "--side", "lancaster"]
    assert run(["resolve", "strategy-war", *sides, "-o", "record.toml"]) == 2  # as for any bad --side
    printed = capsys.readouterr().err
    assert error in printed and len(printed.splitlines()) == 1
    assert not (tmp_path / "record.toml").exists()


@pytest.mark.parametrize(
    ("answer", "error"),
    [("1 / 0", "failed: ZeroDivisionError: division by zero"), ("5", "returned int instead of text")],
)
def test_a_faulty_format_of_a_plug_in_is_refused_in_one_line(
    answer: str,
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install_faulty(answer, tmp_path, monkeypatch)
    assert run(["resolve", "strategy-war", "--seed", "1", "--format", "faulty"]) == 3
    assert capsys.readouterr().err == f"cardbattle: format faulty of a plug-in {error}\n"


def test_odds_with_a_commander_of_a_plug_in_are_never_called_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such a commander can be random without drawing from the battle's streams."""
    install_faulty("random.randrange(seat.count)", tmp_path, monkeypatch)
    sides = ["--side", "york=faulty", "--side", "lancaster=faulty"]
    assert run(["odds", "strategy-war", *sides, "-n", "20"]) == 0
    out = capsys.readouterr().out
    assert "20 battles" in out and "exact" not in out

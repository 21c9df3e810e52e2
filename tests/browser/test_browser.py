"""The page tried in Chromium, as somebody would use it: by keys, by the mouse, with files.

Left out unless `-n0 -m browser` asks for it, and skipped where Chromium, node or npm are missing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import cardbattle
from browser.page import MOST, build
from browser.parts import BuildError, node_modules, pyodide, wheels
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.replay import refight
from cardbattle.battles.records.what_if import decisions_of
from cardbattle.rules import RULE_SETS
from cardbattle.show.replay import replay_of

ROOT = Path(__file__).parents[2]
BATTLE = ROOT / "examples" / "shrewsbury.toml"
CAMPAIGN = ROOT / "campaigns" / "the-marches-1403"
SEALED = ROOT / "examples" / "sealed"
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
WHOLE_RUN = 1000  # seeds of a rule set that are compared when there is time
FEW = 3
MEMORY = 420  # MB that the tab may take, once all was tried

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and shutil.which("node") and shutil.which("npm")), reason="no Chromium"),
]
Drive = Callable[[Mapping[str, object]], Any]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page, newly built; skip where the registries are out of reach."""
    try:
        _ = pyodide(), wheels(), node_modules("trial")
    except BuildError as error:
        pytest.skip(str(error))
    return build(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def drive(page: Path, tmp_path_factory: pytest.TempPathFactory) -> Drive:
    """Return what carries out a plan in the page, in a browser of its own, and says what was seen."""
    modules, script = node_modules("trial"), ROOT / "tests" / "browser" / "drive.mjs"

    def driven(plan: Mapping[str, object]) -> Any:
        work = tmp_path_factory.mktemp("work")
        (work / "plan.json").write_text(json.dumps(plan), "utf-8")
        named = [str(part) for part in (modules, CHROMIUM, page, work, work / "plan.json")]
        done = subprocess.run(["node", str(script), *named], capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr[-2000:]
        seen = json.loads(done.stdout)
        assert "failure" not in seen, seen["failure"]
        return seen

    return driven


@pytest.fixture(scope="module")
def seen(drive: Drive, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return what was seen of a visit that tries all there is to do."""
    text = BATTLE.read_text("utf-8")
    return drive(
        {
            "steps": ["resolve", "play", "odds", "campaign", "sealed", "goOn", "tap", "whatIf", "seeds"],
            "battle": text,
            "broken": text.replace("hand = 12", "hand = 99"),
            "campaign": str(CAMPAIGN),
            "records": len(list((CAMPAIGN / "records").iterdir())),
            "sealed": [str(path) for path in sorted(SEALED.glob("*.toml"))],
            "axe": True,
            "record": str(recorded(tmp_path_factory.mktemp("record"))),
            "wargame": played("wargame", "brown", "green"),
            "field": played("field-of-honour", "north", "south"),
            "seeds": battles(),
            "count": FEW,
        }
    )


def played(rules: str, person: str, other: str) -> str:
    """Return a battle file in which a person commands the first side."""
    sides = f'[sides.{person}]\ncommander = "human"\n[sides.{other}]\n'
    return f'format = 1\nrules = "{rules}"\nseed = 1403\n{sides}'


def recorded(folder: Path) -> Path:
    """Write the record of a battle to a folder."""
    path = folder / "record.toml"
    cardbattle.resolve("field-of-honour", seed=1403).save(path)
    return path


def moves_of(session: str, side: str) -> list[str]:
    """Return the choices of a side in a saved battle."""
    moves = tomllib.loads(session)["moves"]
    return [move.removeprefix(f"{side} ") for move in moves if move.startswith(f"{side} ")]


def battles() -> dict[str, str]:
    """Return a battle of each rule set, regular against green, with a placeholder for the seed."""
    found = {}
    for key in RULE_SETS:
        ranks = zip(cardbattle.find(key).default_sides, ["regular", "green"] * 5, strict=False)
        sides = "".join(f'[sides.{side}]\ncommander = "{rank}"\n' for side, rank in ranks)
        found[key] = f'format = 1\nrules = "{key}"\nseed = SEED\n{sides}'
    return found


def hashes(count: int, folder: Path) -> dict[str, str]:
    """Return the hashes of the records of `count` seeds of each rule set, computed here."""
    found = {}
    for key, battle in battles().items():
        hashed = sha256()
        for seed in range(count):
            (folder / "battle.toml").write_text(battle.replace("SEED", str(seed)), "utf-8")
            hashed.update(dumps_record(cardbattle.resolve(folder / "battle.toml")).encode())
        found[key] = hashed.hexdigest()
    return found


def test_a_battle_is_fought_and_its_record_downloaded(seen: Any) -> None:
    assert seen["record"] == dumps_record(cardbattle.resolve(BATTLE))
    assert seen["title"] == "Harry Percy against Earl of Stafford"
    assert seen["verdict"] == "shrewsbury.toml: 19 moves agree"
    record = cardbattle.resolve(BATTLE)
    steps = replay_of(record, report_of(record, refight(record))).steps
    assert seen["step"][0] == f"#step={len(steps) - 1}"
    assert "holds space" in seen["step"][1]
    assert "Harry Percy begins with" in seen["forPercy"]
    assert "Earl of Stafford begins with" not in seen["forPercy"]


def test_a_mistake_is_told_with_line_and_caret(seen: Any) -> None:
    lines = seen["broken"].splitlines()
    assert lines[0] == "battle.toml:13: sides.percy.hand: expected a whole number from 5 to 49, got 99"
    assert lines[2].index("^") == lines[1].index("99")


def test_a_battle_is_played_by_keys_alone(seen: Any) -> None:
    session = cardbattle.play(BATTLE)
    while not session.is_over:
        session.answer(0, session.decision(0).texts[0])
    assert seen["reached"]
    assert seen["played"] == dumps_record(session.record())
    assert seen["asked"] == "Fill space 1 of the 5 in your line (FH-6)"


def test_what_happens_is_heard_in_order_and_reading_goes_on_at_the_question(seen: Any) -> None:
    told = [
        seen["heard"].index(words) for words in ("The deal", "The lines, face down", "Space 1", "Space 2")
    ]
    assert told == sorted(told)
    assert (seen["focusAsked"], seen["focus"]) == ("question", "outcome-title")


def test_a_battle_that_was_kept_goes_on(seen: Any) -> None:
    assert seen["again"] == seen["asked"].replace("space 1", "space 3") != seen["asked"]
    assert "[waiting]" in seen["kept"]


def test_wargame_is_played_by_pressing_and_dragging_what_is_drawn(seen: Any) -> None:
    cards, places = ([f"{kind}:{n}" for n in range(1, 14)] for kind in ("card", "place"))
    assert sorted(seen["lit"]) == sorted([*cards, *places])
    assert seen["listed"] == ["List all 169 options", 0]
    assert seen["places"] == places
    answers = ["deploy 13 7", "deploy 12 1", "deploy 11 2", "deploy 10 3", "deploy 9 4"]
    assert moves_of(seen["tapped"], "brown") == answers  # by mouse, finger, keys; dragged by mouse and finger
    assert seen["reachedByTab"] == [True, True]
    assert (seen["taken"], seen["takenAfterEscape"]) == (["card:8"], 0)
    assert seen["freeCards"] == [f"card:{n}" for n in range(1, 9)]


def test_a_card_dropped_on_the_table_and_one_pressed_twice_are_played(seen: Any) -> None:
    assert tomllib.loads(seen["dragged"])["waiting"]["sealed"]["north"] == [
        "place 8S",
        "place 4S+6H",
        "place 7H",
    ]


def test_a_dropped_record_has_its_chances_and_one_decision_is_changed(seen: Any) -> None:
    record = cardbattle.resolve("field-of-honour", seed=1403)
    assert seen["lines"] == 2  # a curve for each side
    assert seen["lastStep"] == ["#step=19", "19 / 19"]  # a click at the end of the chart
    assert len(seen["decisions"]) == len(decisions_of(record)) == 17
    assert seen["others"] == ["pass", "play KD redeploy", "play KC redeploy"]
    assert "North's chance after that step: " in seen["other"]
    assert "Instead: pass" in seen["other"]


def test_odds_are_stopped_and_what_was_counted_stays(seen: Any) -> None:
    assert 0 < seen["counted"] < 1
    assert "battles, interrupted" in seen["odds"]


def test_a_campaign_is_dropped_and_its_records_verified(seen: Any) -> None:
    revision = cardbattle.load_campaign(CAMPAIGN).campaign.revision
    assert seen["campaign"].startswith(f"The Marches, 1403: turn 4, revision {revision}")
    assert seen["checked"].count("moves agree") == len(list((CAMPAIGN / "records").iterdir()))
    assert seen["pending"] == "Harry Hotspur and Archibald Douglas against Prince Henry and Sir Walter Blount"


def test_seals_that_are_chosen_with_a_record_are_held_against_it(seen: Any) -> None:
    assert seen["sealed"] == "mill.toml: 22 moves agree; drawn by slot 1, as it was sealed"
    assert 0 <= seen["sealedTop"] < 100  # its tale below does not push it out of sight


def test_nothing_is_asked_of_anybody(seen: Any, page: Path) -> None:
    assert seen["requests"][0] == page.as_uri()
    assert set(seen["requests"][1:]) <= {"blob:"}
    assert seen["errors"] == []


def test_nobody_is_kept_out(seen: Any) -> None:
    """What axe finds, and what is wider than the window."""
    assert seen["violations"] == []


def test_page_and_tab_are_no_larger_than_they_may_be(drive: Drive, page: Path, tmp_path: Path) -> None:
    assert page.stat().st_size <= MOST
    text = BATTLE.read_text("utf-8")
    plan = {
        "steps": ["resolve", "tap", "whatIf"],  # without axe, which takes memory in the tab itself
        "battle": text,
        "broken": text.replace("hand = 12", "hand = 99"),
        "record": str(recorded(tmp_path)),
        "wargame": played("wargame", "brown", "green"),
        "field": played("field-of-honour", "north", "south"),
    }
    assert drive(plan).get("memory", 0) <= MEMORY


def test_records_are_the_same_bytes(seen: Any, tmp_path: Path) -> None:
    assert seen["hashes"] == hashes(FEW, tmp_path)


@pytest.mark.heavy
def test_a_thousand_records_of_each_rule_set_are_the_same_bytes(drive: Drive, tmp_path: Path) -> None:
    found = drive({"steps": ["seeds"], "seeds": battles(), "count": WHOLE_RUN})
    assert found["hashes"] == hashes(WHOLE_RUN, tmp_path)


@pytest.mark.heavy
def test_nobody_is_kept_out_at_any_width_in_light_and_dark(drive: Drive) -> None:
    found = drive({"steps": ["widths"], "axe": True})
    assert found["violations"] == []


@pytest.mark.heavy
def test_the_same_sources_make_the_same_page(page: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == page.read_bytes()

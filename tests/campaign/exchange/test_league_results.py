"""Results of a league's matches from the table: their scores, corrections, and walk-overs."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from cardbattle.campaign.state.apply import Result
from cardbattle.campaign.storage import store
from tests.campaign.exchange.test_results_form import filled
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

MATCH = "r1-birch-lunsford"
HOME, AWAY = "birch", "lunsford"


@pytest.fixture
def league(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a league of two forces with its first round drawn, and go there."""
    sh("campaign", "new", "league", "--empty", "--seed", "two taverns")
    folder = sh.folder / "league"
    monkeypatch.chdir(folder)
    for key, name in ((HOME, "Birch"), (AWAY, "Lunsford")):
        sh("campaign", "add", "faction", f"The men of {name}", "--key", f"{key}-men")
        sh("campaign", "add", "force", name, "--faction", f"{key}-men", "--strength", "8")
    sh("campaign", "add", "fixtures", "kind=round-robin", f"forces={HOME},{AWAY}", "seeding=order")
    sh("campaign", "set", "attrition.rate=1/2", "scoring.win=2")
    assert sh("campaign", "fixtures").code == 0
    assert store.load(str(folder)).campaign.pending[0].keys == [HOME, AWAY]
    return folder


def recorded(folder: Path) -> Result:
    """Return the recorded result of the match."""
    entry = store.read_ledger(str(folder)).find(MATCH)
    assert entry is not None and entry.result is not None
    return entry.result


def scores(folder: Path) -> list[int]:
    """Return the scores of both sides in the recorded result."""
    sides = recorded(folder).sides
    return [sides[HOME].score, sides[AWAY].score]


CELLS = {"winners": "birch", "losses1": "1/4", "losses2": "1/2"}


def test_the_form_of_a_league_asks_for_scores(sh: Shell, league: Path) -> None:
    form = sh("campaign", "results").out
    assert "losses1,score1,side2,name2,losses2,score2" in form
    sh.write("league/turn.csv", filled(form, MATCH, **CELLS, score1="7", score2="4"))
    assert sh("campaign", "import", "turn.csv").code == 0
    assert scores(league) == [7, 4]


def test_scores_that_nobody_counted_can_be_left_empty(sh: Shell, league: Path) -> None:
    form = sh("campaign", "results").out
    sh.write("league/turn.csv", filled(form, MATCH, **CELLS, score1="7"))
    half = sh("campaign", "import", "turn.csv")
    assert "score2: the score is missing; write one for each side, 0 for none, or leave all" in half.err
    sh.write("league/turn.csv", filled(form, MATCH, **CELLS))
    assert sh("campaign", "import", "turn.csv").code == 0
    assert scores(league) == [0, 0]


def test_a_score_that_brings_points_is_required(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "scoring.per_score=1")
    sh.write("league/turn.csv", filled(sh("campaign", "results").out, MATCH, **CELLS))
    assert (
        "score1: scoring.per_score needs a score for each side; write 0 for none"
        in sh("campaign", "import", "turn.csv").err
    )


def test_a_score_that_is_too_large_is_refused_with_its_cell(sh: Shell, league: Path) -> None:
    cells = {**CELLS, "score1": "99999999999", "score2": "1"}
    sh.write("league/turn.csv", filled(sh("campaign", "results").out, MATCH, **cells))
    said = sh("campaign", "import", "turn.csv").err
    assert "turn.csv:2: score1: expected a whole number from 0 to 1000000, got 99999999999" in said


def test_a_score_in_the_editors_form_can_stand_between_the_quotes(sh: Shell, league: Path) -> None:
    form = sh("campaign", "results", "--format", "toml").out
    assert tomllib.loads(form)["result"][0]["sides"][HOME] == {"name": "Birch", "losses": "", "score": ""}
    assert "score: the points of a side in the battle" in form
    form = form.replace('winners = ""', 'winners = "birch"').replace('losses = ""', 'losses = "1/4"')
    form = form.replace('birch.score = ""', 'birch.score = "7"')
    form = form.replace('lunsford.score = ""', "lunsford.score = 4")
    sh.write("league/turn.toml", form)
    assert sh("campaign", "import", "turn.toml").code == 0
    assert scores(league) == [7, 4]


def test_an_override_sets_scores(sh: Shell, league: Path) -> None:
    wrong = sh("campaign", "override", MATCH, "--score", "birch=many", "--reason", "seen")
    assert wrong.code == 2 and "--score birch=many: expected a whole number from 0 to 1000000" in wrong.err
    wrong = sh("campaign", "override", MATCH, "--losses", "birch:1/5", "--reason", "seen")
    assert "--losses birch:1/5: write SIDE=VALUE, such as birch=2/5" in wrong.err
    values = ("--winner", "birch", "--score", "birch=7", "--score", "Lunsford=4")
    assert sh("campaign", "override", MATCH, *values, "--reason", "seen").code == 0
    assert scores(league) == [7, 4]


def test_an_override_names_the_options_that_keep_losses_and_scores(sh: Shell, league: Path) -> None:
    form = sh("campaign", "results").out
    sh.write("league/turn.csv", filled(form, MATCH, **CELLS, score1="7", score2="4"))
    sh("campaign", "import", "turn.csv")
    before = recorded(league)
    correct = ("campaign", "override", MATCH, "--winner", "lunsford", "--reason", "wrong winner")
    [said] = [line for line in sh(*correct, "--dry-run").err.splitlines() if "to keep it: " in line]
    assert said.startswith(
        "not kept from the recorded result: Birch lost 1/4, Lunsford lost 1/2, Birch scored 7"
    )
    assert "to keep it" not in sh(*correct, *said.partition("to keep it: ")[2].split()).err
    assert recorded(league) == before._replace(winners=[AWAY])
    said = sh("campaign", "override", MATCH, "--reason", "x").err
    assert "the battle is now a draw; before, Lunsford won; to keep this, use --winner lunsford" in said
    assert recorded(league).winners == [] and scores(league) == [0, 0]
    assert recorded(league).sides[HOME].losses == 0


@pytest.mark.parametrize(
    ("given", "dropped"),
    [
        (("--losses", "birch=1/8"), "Lunsford lost 1/2, Birch scored 7, Lunsford scored 4"),
        (("--losses", "birch=none"), "Lunsford lost 1/2, Birch scored 7, Lunsford scored 4"),
        (("--score", "Lunsford=2"), "Birch lost 1/4, Lunsford lost 1/2, Birch scored 7"),
        (("--losses", "birch=1/8", "--score", "birch=0"), "Lunsford lost 1/2, Lunsford scored 4"),
    ],
)
def test_an_override_names_the_dropped_values_of_the_sides_that_it_leaves_out(
    sh: Shell, league: Path, given: tuple[str, ...], dropped: str
) -> None:
    form = sh("campaign", "results").out
    sh.write("league/turn.csv", filled(form, MATCH, **CELLS, score1="7", score2="4"))
    sh("campaign", "import", "turn.csv")
    said = sh("campaign", "override", MATCH, "--winner", "birch", *given, "--reason", "seen").err
    assert f"not kept from the recorded result: {dropped}; to keep it: " in said


def test_messages_and_the_sheet_ask_for_scores(sh: Shell, league: Path) -> None:
    sheet = sh("campaign", "export", MATCH, "--sheet").out
    assert "the score of each side if you counted it" in " ".join(sheet.split())
    sh("campaign", "set", "results.confirm=both")
    for text in (sh("campaign", "export", MATCH, "--sheet").out, sh("campaign", "orders", "ask").out):
        assert '"birch scored 5, lunsford scored 3"' in " ".join(text.split())


def test_a_quoted_message_is_not_read_as_a_report(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "results.confirm=both")
    sh("campaign", "orders", "ask", "--dir", "mail")
    [message] = (league / "mail").glob("*-birch-men-*")
    quoted = "".join(f"> {line}\n" for line in message.read_text(encoding="utf-8").splitlines())
    line = f"{MATCH}/birch: we won, we lost 1/4, they lost 1/2, we scored 7, they scored 4"
    sh.write("league/mail.txt", f"{line}\n\n{quoted}")
    said = sh("campaign", "orders", "take", "mail.txt")
    assert said.code == 0
    assert (
        "read as: Birch won; Birch lost 1/4, Lunsford lost 1/2; Birch scored 7, Lunsford scored 4" in said.err
    )


REPORT = "birch won, birch lost 1/4, lunsford lost 1/2"


def test_reports_that_differ_in_the_score_show_it(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "results.confirm=both")
    sh("campaign", "confirm", f"{MATCH}/birch: {REPORT}, birch scored 7, lunsford scored 4")
    said = sh("campaign", "confirm", f"{MATCH}/lunsford: {REPORT}, birch scored 4, lunsford scored 7")
    assert "Birch reports: Birch won; Birch lost 1/4, Lunsford lost 1/2; Birch scored 7, Lunsford" in said.err
    assert f"override {MATCH} --winner SIDE --losses SIDE=1/4 --score SIDE=5 --reason TEXT" in said.err
    assert "lost 1/2; Birch scored 4, Lunsford scored 7" in sh("campaign", "orders", "ask").out


def test_a_score_that_one_side_reports_counts(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "results.confirm=both")
    sh("campaign", "confirm", f"{MATCH}/birch: {REPORT}, birch scored 7")
    sh("campaign", "confirm", f"{MATCH}/birch: {REPORT}, birch scored 8")
    assert sh("campaign", "confirm", f"{MATCH}/lunsford: {REPORT}, lunsford scored 4").code == 0
    assert scores(league) == [8, 4]


def test_a_report_that_adds_a_score_replaces_the_earlier_one(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "results.confirm=both")
    sh("campaign", "confirm", f"{MATCH}/birch: {REPORT}")
    sh("campaign", "confirm", f"{MATCH}/birch: {REPORT}, birch scored 7, lunsford scored 4")
    sh("campaign", "confirm", f"{MATCH}/lunsford: {REPORT}")
    assert scores(league) == [7, 4]


def test_two_scores_of_a_side_are_refused(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "results.confirm=both")
    said = sh("campaign", "confirm", f"{MATCH}/birch: {REPORT}, birch scored 7, birch scored 4")
    assert said.code == 3 and "the score of birch is given twice" in said.err


def test_the_ledger_says_who_confirmed_a_result(sh: Shell, league: Path) -> None:
    sh("campaign", "set", "results.confirm=both")
    sh("campaign", "substitute", "lunsford-men", "veteran")
    sh("campaign", "confirm", f"{MATCH}/birch: {REPORT}")
    assert "(reported by Birch; Lunsford has a substitute)" in " ".join(sh("campaign", "history").out.split())


def test_an_import_names_the_waiting_report_that_it_contradicts(sh: Shell, league: Path) -> None:
    form = sh("campaign", "results").out
    sh("campaign", "set", "results.confirm=both")
    sh("campaign", "confirm", f"{MATCH}/lunsford: lunsford won, birch lost 1/4, lunsford lost none")
    sh.write("league/turn.csv", filled(form, MATCH, **CELLS, score1="7", score2="4"))
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 0
    assert (
        f"battle {MATCH}: Lunsford has reported another result: Lunsford won; Birch lost 1/4, "
        "Lunsford lost nothing; to restore this report, use: cardbattle campaign undo\n" in said.err
    )


def test_an_import_that_agrees_with_a_waiting_report_says_nothing(sh: Shell, league: Path) -> None:
    form = sh("campaign", "results").out
    sh("campaign", "set", "results.confirm=both")
    sh("campaign", "confirm", f"{MATCH}/lunsford: {REPORT}, birch scored 7")
    sh.write("league/turn.csv", filled(form, MATCH, **CELLS))
    assert "another result" not in sh("campaign", "import", "turn.csv").err


def test_a_walk_over_has_no_score(sh: Shell, league: Path) -> None:
    sh("campaign", "decline", MATCH, "lunsford")
    assert "  Birch against Lunsford: walk-over for Birch\n" in sh("campaign", "league").out
    [match] = json.loads(sh("campaign", "league", "--json").out)["rounds"][0]["matches"]
    assert match["walk_over"] is True and match["state"] == "played"
    assert "Lunsford declines battle against Birch." in " ".join(sh("campaign", "report").out.split())


def test_a_result_without_scores_is_shown_without_them(sh: Shell, league: Path) -> None:
    sh("campaign", "override", MATCH, "--winner", "birch", "--reason", "seen")
    assert "  Birch against Lunsford: Birch won\n" in sh("campaign", "league").out
    sh("campaign", "override", MATCH, "--reason", "seen again")
    assert "  Birch against Lunsford, drawn\n" in sh("campaign", "league").out

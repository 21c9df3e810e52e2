"""Battles of a campaign by message, and standing orders of its forces."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import verify_record
from cardbattle.campaign.turn.advance import AdvanceOptions, begin_next_turn
from cardbattle.cli.commands import orders
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in, state
from tests.cli.test_cli_campaign import war as war  # the same campaign

KEPT = "mill.battle.toml"
BOTH = ("fight", "mill", "--by-message", "--as", "vaughan", "--as", "birch")
TWO_LETTERS = "mill/vaughan@1: when place: place; else green\nBirch@1: else regular\n"


def campaign(sh: Shell, *words: str) -> str:
    """Run a command of the campaign, which must do; return what it said on standard error."""
    said = sh("campaign", *words)
    assert said.code == 0, said.err
    return said.err


def with_lines(war: Path, force: str, lines: str) -> None:
    """Give a force standing orders."""
    path = war / "campaign.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace(f"[forces.{force}]\n", f"[forces.{force}]\nstanding = {lines}\n"), encoding="utf-8"
    )


@pytest.mark.slow
def test_a_pending_battle_goes_from_message_to_ledger(sh: Shell, war: Path) -> None:
    before = bytes_in(war)
    begins = sh("campaign", *BOTH)
    take = (
        "next: enter answers with: cardbattle orders take mill.battle.toml; teme-ford and orchard are still"
    )
    assert begins.code == 0 and take in begins.err.splitlines()[-1]
    again = sh("campaign", "fight", "mill", "--by-message")
    assert again.out == begins.out and again.err == f"{begins.err.splitlines()[-1]}\n"
    reminded = sh("orders", "remind", KEPT, "vaughan")
    assert reminded.err == "next: enter answers with: cardbattle orders take mill.battle.toml\n"
    assert {path: hashed for path, hashed in bytes_in(war).items() if KEPT not in path} == before
    (war / "mail.txt").write_text(TWO_LETTERS, encoding="utf-8")
    said = sh("orders", "take", KEPT, "mail.txt")
    assert said.code == 0 and "mill is recorded in the campaign" in said.err
    assert "The report of the turn says how much strength they cost" in " ".join(said.out.split())
    assert said.out.count("the end") >= 2 and not (war / KEPT).exists()
    assert "mill" not in str(state(war)["pending"])
    record = read_record(tomllib.loads((war / "records" / "mill.toml").read_text(encoding="utf-8")))
    assert [side.standing for side in record.sides] == [["place: place", "else green"], ["else regular"]]
    assert verify_record(record) == ""
    undone = campaign(sh, "undo")
    assert "mill" in str(state(war)["pending"])
    assert "people commanded in battle mill: a new fight begins at its first question" in undone
    assert "to restore the result and the answers: cardbattle campaign redo" in undone
    assert "people commanded" not in campaign(sh, "redo")
    assert "mill" not in str(state(war)["pending"])


@pytest.mark.slow
def test_interrupted_last_messages_are_printed_by_ask_or_the_next_advance(
    sh: Shell, war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign(sh, *BOTH)
    (war / "mail.txt").write_text(TWO_LETTERS, encoding="utf-8")
    with monkeypatch.context() as patch:  # interrupted between the entry and the messages
        patch.setattr(orders, "endings", lambda saved, to: 1 / 0)
        assert sh("orders", "take", KEPT, "mail.txt").code not in (0, 4)
    assert "mill" not in str(state(war)["pending"]) and (war / KEPT).exists()
    before, kept = (war / "campaign.toml").read_bytes(), (war / KEPT).read_bytes()
    ledger = (war / "history.toml").read_bytes()
    asked = sh("orders", "ask", KEPT)
    assert asked.code == 0 and asked.out.count("the end") >= 2 and not (war / KEPT).exists()
    assert (war / "history.toml").read_bytes() == ledger
    (war / KEPT).write_bytes(kept)
    begin_next_turn(str(war), AdvanceOptions())
    (war / "campaign.toml").write_bytes(before)  # and again, at the end of the turn
    said = sh("campaign", "advance")
    assert said.out.count("the end") >= 2 and not (war / KEPT).exists()


@pytest.mark.slow
def test_a_campaign_that_changed_meanwhile_records_nothing_and_loses_nothing(sh: Shell, war: Path) -> None:
    campaign(sh, *BOTH)
    campaign(sh, "adjust", "forces.vaughan.strength=9", "--reason", "a draft")
    kept, ledger = (war / KEPT).read_bytes(), (war / "history.toml").read_bytes()
    (war / "mail.txt").write_text(TWO_LETTERS, encoding="utf-8")
    said = sh("orders", "take", KEPT, "mail.txt")
    assert said.code in (3, 4) and "Vaughan's Horse had strength 5 then, and has 9 now" in said.err
    assert (war / "history.toml").read_bytes() == ledger
    assert (war / KEPT).read_bytes() != kept  # the answers are taken, and wait
    assert (
        "record it and print the last messages with: cardbattle orders ask mill.battle.toml"
        in sh("orders", "take", KEPT, "mail.txt").err
    )
    campaign(sh, "undo")
    assert "is recorded in the campaign" in campaign(sh, "fight", "mill", "--by-message")
    assert not (war / KEPT).exists()


@pytest.mark.slow
def test_a_battle_is_not_fought_past_its_players(sh: Shell, war: Path) -> None:
    campaign(sh, *BOTH)
    before = bytes_in(war)
    for words in (("mill",), ("--all",), ("mill", "orchard")):
        said = sh("campaign", "fight", *words, "--no-odds")
        assert said.code == 4 and bytes_in(war) == before
        assert (
            "battle mill waits in mill.battle.toml, after 0 moves, for vaughan and birch; continue it"
            in said.err
        )
    assert sh("campaign", "fight", "mill", "--for", "public").err.count("mill.battle.toml") == 0
    assert sh("campaign", "fight", "mill", "--force").code == 2
    assert sh("campaign", "fight", "mill", "--reason", "late").code == 2
    assert sh("campaign", "fight", "mill", "--play", "--force", "--reason", "late").code == 2
    kept = (war / KEPT).read_bytes()
    told = campaign(sh, "fight", "mill", "--no-odds", "--force", "--reason", "nobody answers")
    assert (
        "for vaughan and birch; computer commanders fight the battle now, and the players' file is kept"
        in told
    )
    told = sh("campaign", "history", "-v").out
    assert "nobody answers" in told and "waits in mill.battle.toml" in " ".join(told.split())
    public = sh("campaign", "history", "-v", "--for", "public", "--json").out
    assert '"mill"' in public and "nobody answers" not in public and "waits in" not in public
    assert (war / KEPT).read_bytes() == kept and sh("campaign", "check").code == 0
    campaign(sh, "undo")
    (war / "mail.txt").write_text(TWO_LETTERS, encoding="utf-8")
    taken = sh("orders", "take", KEPT, "mail.txt").err
    step = "next: teme-ford and orchard are still pending; see what to do with: cardbattle campaign"
    assert f"mill is recorded in the campaign\n{step}" in taken


def test_a_file_of_another_kind_hinders_no_fight(sh: Shell, war: Path) -> None:
    (war / KEPT).write_text("rules = 'wargame'\n", encoding="utf-8")
    campaign(sh, "fight", "mill", "--no-odds")


@pytest.mark.slow
def test_a_force_with_standing_orders_follows_them(sh: Shell, war: Path) -> None:
    with_lines(war, "birch", '["special ahead: play | pass", "special: pass", "counter: pass"]')
    assert "special ahead: play | pass" in sh("campaign", "export", "mill").out
    campaign(sh, "fight", "mill", "--no-odds")
    record = read_record(tomllib.loads((war / "records" / "mill.toml").read_text(encoding="utf-8")))
    asked = [move for move in record.moves if move.startswith("birch ") and " place " not in move]
    assert asked and set(asked) == {"birch pass"}
    assert record.sides[record.seats.index("birch")].commander == "regular"
    campaign(sh, "check")


def test_an_import_holds_standing_orders_against_the_forces(sh: Shell, war: Path) -> None:
    with_lines(war, "birch", '["special: pass"]')
    campaign(sh, "export", "mill", "-o", "mill.toml")
    assert sh("resolve", "mill.toml", "--record", "same.toml", "-q").code == 0
    campaign(sh, "import", "same.toml", "--dry-run")
    text = (war / "mill.toml").read_text(encoding="utf-8")
    for name, lines in (
        ("other.toml", '"special: pass | play"'),
        ("more.toml", '"special: pass",\n"else green"'),
    ):
        (war / "mill.toml").write_text(text.replace('"special: pass"', lines), encoding="utf-8")
        assert sh("resolve", "mill.toml", "--record", name, "-q").code == 0
        said = sh("campaign", "import", name)
        assert said.code == 4 and "birch.standing is " in said.err and "special: pass" in said.err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            '["specail: pass"]',
            'birch.standing.1: "specail" is not a question of Field of Honour; did you mean',
        ),
        ('"pass"', "forces.birch.standing: expected a list of text in quotes"),
    ],
)
def test_unclear_standing_orders_of_a_force_are_refused(sh: Shell, war: Path, lines: str, told: str) -> None:
    with_lines(war, "birch", lines)
    said = sh("campaign", "check")
    assert said.code == 1 and told in said.err and "campaign.toml:" in said.err


def test_standing_orders_are_for_the_campaigns_own_rules(sh: Shell, war: Path) -> None:
    with_lines(war, "hale", '["special: pass"]')
    with_lines(war, "lunsford", '["special: pass"]')
    assert "standing" not in sh("campaign", "export", "orchard").out
    assert "standing" in sh("campaign", "export", "teme-ford").out
    path = war / "campaign.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("rules = ", "x_rules = ", 1), encoding="utf-8")
    assert "standing orders need a default rule set" in sh("campaign", "check").err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--as", "vaughan"), "--as needs --play or --by-message; add one of them"),
        (("--play", "--by-message"), "--play and --by-message contradict each other"),
        (("--by-message", "--all"), "leave out --all or the battle names"),
        (("--by-message", "--dry-run"), "--by-message fights and records only one battle"),
        (("--by-message", "--screen"), "--screen, --teach and --table need --play; add --play"),
    ],
)
def test_what_makes_no_sense_with_messages_is_refused(
    sh: Shell, war: Path, words: tuple[str, ...], told: str
) -> None:
    said = sh("campaign", "fight", "mill", *words)
    assert said.code == 2 and told in said.err

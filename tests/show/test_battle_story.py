"""A story in its campaign: place, date, holder, the umpire's words, the cost in its numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardbattle.battles.records.replay import refight
from cardbattle.campaign.storage import store
from cardbattle.campaign.visibility.reader import PUBLIC, UMPIRE, visible_to
from cardbattle.show.battle_story import CampaignStories
from cardbattle.story.language import language
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

CAMPAIGN = """format = 1
name = "The hills"
turn = 3
turn_name = "The week of the fair"
seed = 11
rules = "field-of-honour"
[attrition]
rate = "1"
winner_rate = "1"
[visibility]
strength = "own"
[factions.north]
[factions.south]
[forces.percy]
name = "Harry Percy"
faction = "north"
strength = 40
[forces.garrison]
name = "The garrison of Chester"
faction = "south"
strength = 20
[locations.chester]
name = "Chester"
owner = "south"
[[pending]]
id = "gate"
sides = ["percy", "garrison"]
stakes = "chester"
note = "{note}"
"""


def story_for(folder: Path, reader: str | None) -> str:
    books, ledger = store.load(str(folder)), store.load_ledger(str(folder))
    visible = visible_to(books.campaign, ledger, reader)
    (revision, record), *_ = visible.logs(str(folder)).items()
    report = visible.view_of(revision, record).report(refight(record))
    return CampaignStories(visible).story(revision, report).text


@pytest.fixture
def folder(sh: Shell, tmp_path: Path) -> Path:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="They came at dawn."), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    return tmp_path


def test_a_story_begins_with_place_and_date_and_the_umpires_words(sh: Shell, folder: Path) -> None:
    sentences = story_for(folder, UMPIRE).split(". ")
    assert "Chester" in sentences[0]
    assert "The week of the fair" in sentences[0]
    assert sentences[1] == "They came at dawn"


def test_the_umpires_story_ends_with_the_cost_in_the_campaigns_numbers(sh: Shell, folder: Path) -> None:
    forces = store.load(str(folder)).campaign.forces
    number = language("en").number
    lost = {
        number(40 - forces["percy"].strength): "forty",
        number(20 - forces["garrison"].strength): "twenty",
    }
    ending = story_for(folder, UMPIRE).casefold()[-250:]
    assert any(word != "none" for word in lost)
    assert all(word in ending and of in ending for word, of in lost.items() if word != "none")


def test_a_player_reads_no_strength_that_is_hidden(sh: Shell, folder: Path) -> None:
    for reader in (PUBLIC, "north"):
        text = story_for(folder, reader).casefold()
        assert "of twenty" not in text and "outnumbered" not in text and " forty" not in text


def test_a_private_note_stays_out_of_the_story(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="private: a trap"), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    assert "trap" not in story_for(tmp_path, UMPIRE)


def test_a_lower_case_note_is_quoted_unchanged(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="rain, and no bread"), encoding="utf-8")
    assert sh("campaign", "fight", "--quiet").code == 0
    assert ": rain, and no bread. " in story_for(tmp_path, PUBLIC)


def test_fight_prints_the_story_of_the_campaign(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.format(note="They came at dawn."), encoding="utf-8")
    printed = sh("campaign", "fight", "--format", "md").out
    assert "They came at dawn. " in printed
    again = sh("campaign", "history", "gate", "--format", "md").out
    told = next(line for line in printed.splitlines() if "They came at dawn" in line)
    assert told in again

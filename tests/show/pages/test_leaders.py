"""What pages say of the leader of a force, to readers who may know the leader."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.phases.aftermath import BattleAftermath
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.model import read_campaign
from cardbattle.campaign.storage import store
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.show.pages.campaign.forces import leader_text, position_text
from cardbattle.show.pages.campaign.reports.change_sentences import event_change_sentences, no_retreat_verb
from cardbattle.show.pages.campaign.reports.chronicle import chronicle_turns
from tests.campaign.phases.test_aftermath import LED
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

SURRENDER = "Boyd has no way to retreat, and surrenders."
DESTRUCTION = "Boyd has no way to retreat, and is destroyed."
SECRET = "[visibility]\nstrength = 'all'\n[scoring]"


def started(
    sh: Shell, rule: str, *changes: tuple[str, str], losses: str = "1/4", winners: Sequence[str] = ("rufus",)
) -> str:
    """Return the folder of a campaign after a battle that Boyd lost, and its aftermath."""
    text = LED.replace("capture = true", f"capture = true\n{rule}").replace("[scoring]", SECRET)
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    folder = sh.folder / "war"
    folder.mkdir()
    (folder / store.NAME).write_text(
        text.replace("strength = 12\n", 'strength = 12\nleader = "Captain Rhys"\n'), encoding="utf-8"
    )
    at = ("-C", str(folder))
    for winner in winners:
        assert sh(
            "campaign", "override", "ford", "--winner", winner, "--losses", f"boyd={losses}", "--reason", "x",
            *at
        ).code == 0  # fmt: skip
    assert sh("campaign", "advance", "--phase", "aftermath", *at).code in (0, 5)
    return str(folder)


def told(folder: str, reader: str | None = UMPIRE) -> str:
    known = visible_to(store.load(folder).campaign, store.load_ledger(folder), reader)
    return "\n".join(sentence for turn in chronicle_turns(known, {}) for sentence in turn.sentences)


def test_a_captured_leader_is_named_in_a_sentence_to_those_who_may_know(sh: Shell) -> None:
    folder = started(sh, 'leader_captured = "1"')
    for reader in (UMPIRE, "blue"):
        assert "Sir Boyd is taken prisoner by Red.\nBoyd's lieutenant (green) takes over Boyd." in told(
            folder, reader
        )
    assert "Sir Boyd is taken prisoner by Red." in told(folder, "red")
    assert "prisoner" not in told(folder, None) and "Sir Boyd" not in told(folder, None)
    assert (
        sh("campaign", "unset", "forces.boyd.prisoner_of", "forces.boyd.leader_rank", "-C", folder).code == 0
    )
    assert "Sir Boyd is taken prisoner by Red." in told(folder, "red")
    assert sh("campaign", "set", "forces.boyd.commander=veteran", "-C", folder).code == 0
    for reader in (UMPIRE, "blue", "red"):
        assert "Sir Boyd returns from captivity." in told(folder, reader)
        assert "veteran" not in told(folder, reader)
    assert "captivity" not in told(folder, None)
    assert sh("campaign", "set", "forces.boyd.commander=elite", "-C", folder).code == 0
    assert "Sir Boyd is now an elite commander." in told(folder, "blue")


@pytest.mark.slow
def test_an_ally_on_the_winning_side_reads_of_the_capture_without_a_name(sh: Shell) -> None:
    fitz = (
        '[factions.grey]\n[factions.green]\npeace = ["red"]\n'
        '[forces.fitz]\nfaction = "green"\nstrength = 20\nlocation = "ford"\n'
    )
    joint = ('["rufus", "boyd"]', '[["rufus", "fitz"], "boyd"]')
    folder = started(sh, 'leader_captured = "1"', joint, ("[locations.ford]", f"{fitz}[locations.ford]"))
    assert "Sir Boyd is taken prisoner by Red." in told(folder, "red")
    assert "The leader of Boyd is taken prisoner by Red." in told(folder, "green")
    for reader in ("green", "grey", None):
        assert "Sir Boyd" not in told(folder, reader) and "lieutenant" not in told(folder, reader)
        assert ("prisoner" in told(folder, reader)) == (reader == "green")


@pytest.mark.slow
@pytest.mark.parametrize("is_corrected", [False, True])
def test_allies_on_both_sides_read_of_a_capture(sh: Shell, is_corrected: bool) -> None:
    """The ally of the captive was there too, and so were all allies if the result was corrected."""
    allies = "".join(
        f'[factions.{key}]\npeace = ["{friend}"]\n'
        f'[forces.{key}s]\nfaction = "{key}"\nstrength = 20\nlocation = "ford"\n'
        for key, friend in (("green", "red"), ("grey", "blue"))
    )
    joint = ('["rufus", "boyd"]', '[["rufus", "greens"], ["boyd", "greys"]]')
    others = ("[locations.ford]", f"[factions.white]\n{allies}[locations.ford]")
    winners = ("boyd", "rufus") if is_corrected else ("rufus",)
    folder = started(sh, 'leader_captured = "1"', joint, others, winners=winners)
    assert "Sir Boyd is taken prisoner by Red." in told(folder, "blue")
    for reader in ("green", "grey"):
        assert "The leader of Boyd is taken prisoner by Red." in told(folder, reader)
        assert "Sir Boyd" not in told(folder, reader) and "lieutenant" not in told(folder, reader)
    assert "prisoner" not in told(folder, "white") and "prisoner" not in told(folder, None)


@pytest.mark.slow
def test_a_beaten_side_reads_of_no_captive_of_another_side(sh: Shell) -> None:
    """Grey has lost a leader too, but was not there when Red took Blue's."""
    grey = (
        '[factions.grey]\n[forces.greys]\nfaction = "grey"\nstrength = 20\nlocation = "ford"\n'
        'leader = "Old Grey"\n[locations.ford]'
    )
    sides = ('["rufus", "boyd"]', '["rufus", "boyd", "greys"]\nrules = "warmonger"')
    folder = started(sh, 'leader_captured = "1"', sides, ("[locations.ford]", grey))
    for reader, own, other in (("grey", "Old Grey", "Boyd"), ("blue", "Sir Boyd", "Greys")):
        assert f"{own} is taken prisoner by Red." in told(folder, reader)
        assert f"leader of {other}" not in told(folder, reader)


def test_a_former_captor_does_not_know_who_leads_the_force_now(sh: Shell) -> None:
    folder = started(sh, 'leader_captured = "1"')
    file = Path(folder, "campaign.toml")
    text = file.read_text("utf-8").replace('leader = "Sir Boyd"', 'leader = "Dame Usk"')
    file.write_text(re.sub(r"(?m)^(prisoner_of|leader_rank) = .*$", "", text), "utf-8")
    assert sh("campaign", "note", "All is well.", "-C", folder).code == 0  # records both changes as one
    assert "Dame Usk" in told(folder) and "Usk" not in told(folder, "red")
    assert "Sir Boyd returns from captivity." in told(folder, "red")


def test_a_former_captor_does_not_know_who_led_the_force_during_the_captivity(sh: Shell) -> None:
    """If another leader took over before the release, the captor read the name of the new leader."""
    folder = started(sh, 'leader_captured = "1"')
    assert sh("campaign", "set", "forces.boyd.leader=Dame Usk", "-C", folder).code == 0
    for line in (("show", "--json"), ("report", "--no-chances")):
        text = sh("campaign", *line, "--for", "red", "-C", folder).out
        assert "Sir Boyd" in text and "Usk" not in text
    assert sh("campaign", "unset", "forces.boyd.prisoner_of", "-C", folder).code == 0
    assert "Usk" not in told(folder, "red")
    assert "Sir Boyd returns from captivity." in told(folder, "red")


def test_no_deputy_takes_over_a_force_that_the_battle_destroyed(sh: Shell) -> None:
    rate = ('rate = "1"', 'rate = "1"\ndestroyed_below = 1')
    folder = started(sh, 'leader_captured = "1"', rate, losses="all")
    for reader in (UMPIRE, "blue"):
        text = told(folder, reader)
        assert "Boyd is destroyed." in text and "Sir Boyd is taken prisoner by Red." in text
        assert "takes over" not in text


@pytest.mark.parametrize(
    ("no_retreat", "location", "said", "said_to_enemies"),
    [
        ("surrenders", "all", SURRENDER, SURRENDER),
        ("surrenders", "own", SURRENDER, SURRENDER),  # to the enemy in front of it
        ("destroyed", "rough", DESTRUCTION, "Boyd is destroyed."),  # or in a pursuit, for all they know
    ],
)
def test_a_force_that_cannot_retreat_surrenders_and_has_no_deputy(
    no_retreat: str, location: str, said: str, said_to_enemies: str, sh: Shell
) -> None:
    roads = '["camp", "ford"], ["ford", "hill"], ["hill", "keep"], ["ford", "moor"]'
    folder = started(
        sh, "", (roads, '["hill", "keep"]'), ('"destroyed"', f'"{no_retreat}"'),
        ("strength = 'all'", f"strength = 'all'\nlocation = '{location}'"),
    )  # fmt: skip
    for reader in (UMPIRE, "blue", "red"):
        assert (said_to_enemies if reader == "red" else said) in told(folder, reader).splitlines()
        assert "takes over" not in told(folder, reader)
    assert (location == "all") == (said in told(folder, None).splitlines())
    is_captured = "Sir Boyd is taken prisoner by Red." in told(folder, "blue")
    assert is_captured == (no_retreat == "surrenders")


def test_a_leader_who_gains_a_rank_keeps_the_command(sh: Shell) -> None:
    folder = started(sh, "")
    assert "Captain Rhys is now a seasoned commander." in told(folder, "red")
    assert "takes over" not in told(folder)


def test_experience_and_an_equal_deputy_change_no_commander(sh: Shell) -> None:
    no_leader = ("strength = 12\n", "strength = 12 \n")
    no_ranks = ('commander = "veteran"\n', ""), ('deputy = "green"\n', "")
    folder = started(sh, 'leader_killed = "1"', no_leader, *no_ranks)
    assert "The commander of Rufus is now seasoned." in told(folder)
    assert "Sir Boyd falls.\nBoyd's lieutenant (regular) takes over Boyd." in told(folder)
    history = " ".join(sh("campaign", "history", "-C", folder).out.split())
    assert "the leader has fallen" in history and "regular -> regular" not in history


def test_a_leader_falls_and_a_report_of_the_past_names_the_leader_of_that_time(sh: Shell) -> None:
    folder = started(sh, 'leader_killed = "1"')
    at = ("-C", folder)
    for place, value in (("fallen", "false"), ("leader", '"Lady Ann"'), ("commander", '"elite"')):
        assert sh("campaign", "set", f"forces.boyd.{place}", value, *at).code == 0
    assert told(folder, "blue").splitlines()[-5:] == [
        "Sir Boyd falls.",
        "Boyd's lieutenant (green) takes over Boyd.",
        "Sir Boyd lives.",
        "Lady Ann replaces Sir Boyd as the leader of Boyd.",
        "Lady Ann is now an elite commander.",
    ]
    assert "Sir Boyd falls." in told(folder)
    assert "Ann" not in told(folder, "red")


@pytest.mark.parametrize(("loss", "word"), [("killed", "fallen"), ("captured", "prisoner_of")])
def test_a_lost_leader_does_not_live_or_return_because_another_took_over(
    loss: str, word: str, sh: Shell
) -> None:
    folder = started(sh, f'leader_{loss} = "1"')
    at = ("-C", folder)
    assert sh("campaign", "set", "forces.boyd.leader", "Lady Ann", *at).code == 0
    assert sh("campaign", "unset", f"forces.boyd.{word}", *at).code == 0
    for reader in (UMPIRE, "blue"):
        assert "Lady Ann replaces Sir Boyd as the leader of Boyd." in told(folder, reader)
        assert "lives" not in told(folder, reader) and "returns" not in told(folder, reader)
    assert sh("campaign", "set", f"forces.boyd.{word}", "true" if word == "fallen" else "red", *at).code == 0
    assert sh("campaign", "unset", f"forces.boyd.{word}", *at).code == 0
    assert ("Lady Ann lives." if word == "fallen" else "Lady Ann returns from captivity.") in told(folder)


def test_a_leader_returns_from_captivity_to_command(sh: Shell) -> None:
    folder = started(sh, 'leader_captured = "1"\nexchange = true')
    at = ("-C", folder)
    assert sh("campaign", "set", "forces.rufus.prisoner_of", "blue", *at).code == 0
    sh("campaign", "advance", "--phase", "aftermath", *at)
    report = told(folder)
    assert "Sir Boyd returns from captivity." in report
    assert report.count("takes over Boyd") == 1


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("Captain Rhys", "Lady Ann", "Lady Ann replaces Captain Rhys as the leader of Rufus."),
        ("Captain Rhys", None, "Captain Rhys no longer leads Rufus."),
        (None, "Lady Ann", "Lady Ann now leads Rufus."),
    ],
)
def test_a_new_leader_is_a_sentence(before: str | None, after: str | None, sentence: str, sh: Shell) -> None:
    folder = started(sh, "")
    at = ("-C", folder)
    if before is None:
        assert sh("campaign", "unset", "forces.rufus.leader", *at).code == 0
    change = ("set", "forces.rufus.leader", f'"{after}"') if after else ("unset", "forces.rufus.leader")
    assert sh("campaign", *change, *at).code == 0
    assert sentence in told(folder, "red").splitlines()


@pytest.mark.slow
def test_show_reports_and_the_site_name_the_leader_only_to_readers_who_may_know(sh: Shell) -> None:
    folder = started(sh, 'leader_captured = "1"')
    at = ("-C", folder)
    for command in (["show", "--no-odds"], ["report"], ["report", "--turn", "3"]):
        own = sh("campaign", *command, "--for", "blue", *at).out
        assert "Sir Boyd (prisoner of Red)" in own
        assert "Captain Rhys" not in own
        assert "Captain Rhys" in sh("campaign", *command, "--for", "red", *at).out
        public = sh("campaign", *command, "--for", "public", *at).out
        assert "Boyd" in public and "Sir Boyd" not in public and "leader" not in public
    table = json.loads(sh("campaign", "show", "--no-odds", "--json", "--for", "blue", *at).out)
    assert table["forces"]["boyd"]["leader"] == "Sir Boyd"
    site = sh.folder / "site"
    assert sh("campaign", "site", str(site), "--for", "blue", *at).code == 0
    page = Path(site, "forces", "boyd.html").read_text(encoding="utf-8")
    assert "Leader: Sir Boyd (prisoner of Red). Commander: a deputy, rank green." in page
    assert "Captain Rhys" not in Path(site, "forces", "rufus.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("moved", ["strength", "location", "towards", "walked"])
def test_a_force_that_is_destroyed_in_a_pursuit_has_not_surrendered(sh: Shell, moved: str) -> None:
    """A reader who may not know the strength sees only how the force moved."""
    campaign = store.load(started(sh, "", ('"destroyed"', '"surrenders"'))).campaign
    destroyed = Change(("forces", "boyd", "destroyed"), None, True)
    pursued = Change(("forces", "boyd", moved), 1, 0)
    assert no_retreat_verb(campaign, Entry(2, "aftermath", [destroyed]), destroyed)
    assert not no_retreat_verb(campaign, Entry(2, "aftermath", [destroyed, pursued]), destroyed)


@pytest.mark.parametrize("is_old", [False, True], ids=["recorded", "older ledger"])
def test_an_old_report_does_not_change_with_the_setting(
    sh: Shell, is_old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_old:  # ledgers of older releases do not name the rule
        monkeypatch.setattr(BattleAftermath, "with_rules", lambda self, changes: changes)
    roads = '["camp", "ford"], ["ford", "hill"], ["hill", "keep"], ["ford", "moor"]'
    folder = started(sh, "", (roads, '["hill", "keep"]'), ('"destroyed"', '"surrenders"'))
    assert SURRENDER in told(folder)
    [aftermath] = [entry for entry in store.load_ledger(folder).entries if entry.kind == "aftermath"]
    assert ("surrenders" in [change.text for change in aftermath.changes]) != is_old
    for command in (("set", "aftermath.no_retreat", "destroyed"), ("unset", "aftermath.no_retreat")):
        assert sh("campaign", *command, "-C", folder).code == 0
        assert SURRENDER in told(folder)
    if not is_old:
        file = Path(folder, store.NAME)
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("[visibility]", '[visibility]\nlocation = "own"'), encoding="utf-8")
        public = visible_to(store.load(folder).campaign, store.load_ledger(folder), None)
        assert "surrenders" not in str([public.entry_table(entry) for entry in public.entries])


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize(("kind", "how"), [("supply", "without supplies"), ("aftermath", "in the pursuit")])
def test_the_last_losses_of_a_force_say_that_it_is_destroyed(kind: str, how: str, left: int) -> None:
    """A force can be destroyed although it has some strength left, with `attrition.destroyed_below`."""
    campaign = read_campaign(tomllib.loads(LED))
    destroyed = Change(("forces", "boyd", "destroyed"), None, True)
    entry = Entry(2, kind, [Change(("forces", "boyd", "strength"), 3, left), destroyed])
    assert [*event_change_sentences(campaign, entry)] == [f"Boyd loses {3 - left} {how}, and is destroyed"]
    assert [*event_change_sentences(campaign, entry._replace(changes=[destroyed]))] == ["Boyd is destroyed"]


def test_a_destroyed_force_is_nowhere_and_its_leader_without_a_force() -> None:
    boyd = read_campaign(tomllib.loads(LED.replace("strength = 8", "strength = 8\ndestroyed = true")))
    force = boyd.forces["boyd"]
    assert (position_text(boyd, force), leader_text(boyd, force)) == ("", "Sir Boyd (without a force)")

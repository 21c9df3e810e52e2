"""Sealed dice: every attempt to choose a draw is refused with its own message, and secrets stay secret."""

from __future__ import annotations

import contextlib
import errno
import hmac
import io
import itertools
import json
import os
import random
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from cardbattle.battles.records.battle_file import canonical
from cardbattle.battles.records.replay import ReplayMismatch, verify_record
from cardbattle.campaign import check
from cardbattle.campaign.folder import CampaignFolder
from cardbattle.campaign.ledger.edits import hand_edits
from cardbattle.campaign.ledger.ledger import SEALING, Entry, entry_text, with_hash
from cardbattle.campaign.ledger.operations import Operation
from cardbattle.campaign.seals.proof import proof_errors, slot_errors
from cardbattle.campaign.seals.seal_rules import seals_in
from cardbattle.campaign.seals.seals import find_alterations
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import seal_slots, store
from cardbattle.cli.campaign.seal import read_nonce_option
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.files import disk
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import sealed
from tests.support.faults import DEATHS, Died, FaultySystem
from tests.support.sealed import (
    MASTER,
    NONCES,
    PageApp,
    Quiet,
    add_nonces,
    founded,
    made_right,
    promise_of,
    read_published,
)
from tests.support.tally import tried

ROOT = Path(__file__).parents[3]
COPY = "given to players before"


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a campaign just sealed, and with the same later.

    Then there was a battle with nonces of both sides, and one without, and both are revealed.
    """
    folder = tmp_path_factory.mktemp("stages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", lambda size: MASTER[:size])
        founded(Quiet(), folder / "war")
    shutil.copytree(folder / "war", folder / "told")
    desk = PageApp(Quiet(), folder / "told")
    add_nonces(desk)
    desk.fight("mill")
    desk.fight("ford")
    desk.do("reveal", "--all")
    return folder


@pytest.fixture
def desk(stages: Path, sh: Shell, tmp_path: Path) -> PageApp:
    """Give the desk of an umpire whose dice are just sealed."""
    return PageApp(sh, Path(shutil.copytree(stages / "war", tmp_path / "war")))


@pytest.fixture
def told(stages: Path, sh: Shell, tmp_path: Path) -> PageApp:
    """Give the same after two battles, and what the players got before beside it."""
    shutil.copy(stages / "war" / "seals.toml", tmp_path / COPY)
    return PageApp(sh, Path(shutil.copytree(stages / "told", tmp_path / "war")))


@pytest.mark.slow
def test_what_is_published_is_what_the_page_says(told: PageApp) -> None:
    table = told.read("seals.toml")
    assert (table["format"], table["campaign"]) == (1, "The Marches")
    secrets = sealed.secrets_of(4)
    for slot, secret in zip(table["slot"], secrets, strict=True):
        text = f"cardbattle-seal-1|The Marches|{slot['number']}|{secret}"
        assert slot["commitment"] == promise_of(text)
    mill, ford, *free = table["slot"]
    assert (mill["battle"], mill["nonces"], mill["secret"]) == ("mill", NONCES, secrets[0])
    assert (ford["battle"], ford.get("nonces"), ford["secret"]) == ("ford", None, secrets[1])
    assert [list(slot) for slot in free] == [["number", "commitment"]] * 2
    for slot in (mill, ford):
        assert told.seed_of(slot["battle"]) == sealed.recomputed(slot)
        assert slot["digest"] == promise_of(slot["exported"])
    blind = hmac.new(bytes.fromhex(secrets[0]), b"cardbattle-seal-1|blind|mill", "sha256").hexdigest()
    terms = {"slot": 1, "sides": [["percy"], ["stafford"]], "blind": blind}
    assert json.loads(mill["exported"])["bound"]["seal"] == terms
    assert told.read("records/mill.toml")["bound"]["seal"] == terms


def test_the_master_is_for_its_owner_alone_and_the_seals_for_everybody(desk: PageApp) -> None:
    path = desk.folder / ".cardbattle.seal"
    assert path.read_bytes().endswith(MASTER)
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o640)
        assert "can be read by others (mode 640)" in desk("check").err


@pytest.mark.slow
def test_a_battle_fought_twice_has_one_slot(desk: PageApp) -> None:
    seed = desk.fight("mill")
    desk.do("undo")
    assert desk.fight("mill") == seed
    assert desk.spent == {1: "mill"}


@pytest.mark.slow
def test_attack_redraw_by_undo_and_fight_again(desk: PageApp) -> None:
    seed = desk.fight("mill")
    for what in ("", "mill"):
        desk.do("undo", what) if what else desk.do("undo")
        assert desk.spent == {1: "mill"}
        assert desk.fight("mill") == seed
    for revision in (1, 2):
        said = desk("undo", str(revision))
        assert said.code == 3
        assert "is about sealed dice, which cannot be undone" in said.err
    assert check.check(str(desk.folder)) == []


@pytest.mark.slow
def test_attack_redraw_by_changing_a_note(desk: PageApp) -> None:
    seed = desk.fight("mill")
    desk.do("undo")
    desk.edit("at dawn", "at dusk")
    assert desk.fight("mill") == seed
    assert desk.spent == {1: "mill"}


@pytest.mark.slow
def test_attack_redraw_by_changing_a_name(desk: PageApp) -> None:
    seed = desk.fight("mill")
    desk.do("undo")
    desk.edit('"Harry Percy"', '"Hotspur"')
    assert desk.fight("mill") == seed
    record = desk.read("records/mill.2.toml")
    assert record["sides"]["percy"]["name"] == "Harry Percy"
    desk.do("undo")
    desk.edit('"The Marches"', '"The Marshes"')
    said = desk("fight", "mill", "--no-odds")
    assert said.code == 4
    assert "it belongs to the campaign The Marches, this is The Marshes" in said.err


@pytest.mark.parametrize(
    "new",
    [
        'id = "mill2"\nsides = ["percy", "stafford"]',
        'id = "mill2"\nsides = ["stafford", ["percy", "mortimer"]]',
    ],
)
def test_attack_redraw_by_changing_an_id(desk: PageApp, new: str) -> None:
    desk.fight("mill")
    desk.do("undo")
    desk.edit('id = "mill"\nsides = ["percy", "stafford"]', new)
    for command in (("fight", "mill2", "--no-odds"), ("export", "mill2"), ("seal", "mill2")):
        said = desk(*command)
        assert said.code == 4
        assert "would be their second draw: fight mill first, or decide it with override" in said.err
    assert desk.spent == {1: "mill"}


def test_attack_redraw_by_a_second_battle_beside_the_first(desk: PageApp) -> None:
    desk.do("export", "mill", "-o", "mill.toml")
    desk.do("add", "battle", "mill2", "--side", "hal+percy", "--side", "stafford")
    assert desk("fight", "mill2", "--no-odds").code == 4
    desk.do("rename", "percy", "hotspur")
    assert desk("fight", "mill2", "--no-odds").code == 4
    assert desk.spent == {1: "mill"}


TERMS = (
    ("strength = 14", "strength = 15", "Harry Percy had strength 14 then, and has 15 now"),
    (
        '"percy", "stafford"]',
        '"stafford", "percy"]',
        "its sides are stafford against percy, not percy against",
    ),
    ('"percy", "stafford"]', '["percy", "hal"], "stafford"]', "Hal fights now, and did not then"),
    ('note = "at dawn"', 'house = { tiebreak = "best-pot" }', 'house.tiebreak is "best-pot", not "shared"'),
    ('note = "at dawn"', 'rules = "field-of-honour"', 'rules is "field-of-honour", not "strategy-war"'),
    ('note = "at dawn"', 'options.percy.cards = ["A", "K"]', "percy.cards is"),
    ("strength = 9", 'strength = 9\ncommander = "green"', "Stafford has another faction or commander now"),
)


@pytest.mark.slow
def test_attack_redraw_by_changing_a_strength_or_a_term(desk: PageApp) -> None:
    seed = desk.fight("mill")
    desk.do("undo")
    for old, new, words in TERMS:
        desk.edit(old, new)
        said = desk("fight", "mill", "--no-odds")
        assert said.code == 4
        assert "its cards were drawn for the former setup" in said.err
        assert words in said.err
        assert any(words in str(error) for error in check.check(str(desk.folder)))
        desk.edit(new, old)
    assert desk.fight("mill") == seed


def test_attack_a_force_changes_sides(desk: PageApp) -> None:
    desk.do("export", "wood", "-o", "wood.toml")
    desk.edit('[["hal", "mortimer"], ["stafford"]]', '[["hal"], ["stafford", "mortimer"]]')
    said = desk("fight", "wood", "--no-odds")
    assert said.code == 4
    assert (
        "its sides are hal against stafford and mortimer, not hal and mortimer against stafford" in said.err
    )


@pytest.mark.slow
def test_attack_spending_slots_until_one_pleases(desk: PageApp) -> None:
    desk.do("seal", "mill")
    for number in (2, 3):
        desk.do("add", "battle", f"mill{number}", "--side", "percy", "--side", "stafford")
        assert desk("fight", f"mill{number}", "--no-odds").code == 4
    assert desk.spent == {1: "mill"}
    desk.do("override", "mill", "--reason", "called off")
    desk.fight("mill2")
    told = "Dice: 4 slots sealed, 2 spent, 0 revealed; wasted: slot 1 for battle mill."
    assert told in " ".join(desk.do("show", "--no-odds").split())
    desk.do("reveal", "--all", "-q")
    said = desk.shell(
        "verify", "--seals", str(desk.folder / "seals.toml"), str(desk.folder / "records/mill2.toml")
    )
    assert (said.code, said.err) == (0, "slot 1 was spent on battle mill, but its record is missing here\n")


@pytest.mark.slow
def test_attack_a_battle_that_vanishes_has_spent_its_slot(desk: PageApp) -> None:
    desk.do("seal", "mill")
    desk.edit('[[pending]]\nid = "mill"\nsides = ["percy", "stafford"]\nnote = "at dawn"\n', "")
    assert "wasted: slot 1 for battle mill" in " ".join(desk.do("show", "--no-odds").split())
    desk.fight("wood")
    assert desk.spent == {1: "mill", 2: "wood"}
    desk.do("add", "battle", "mill2", "--side", "percy", "--side", "stafford")
    assert "if mill was removed, add it again" in desk("fight", "mill2", "--no-odds").err
    desk.do("add", "battle", "mill", "--side", "percy", "--side", "stafford")
    desk.do("override", "mill", "--reason", "peace")
    desk.fight("mill2")
    assert desk.spent[3] == "mill2"


@pytest.mark.slow
def test_slots_are_spent_in_order_and_when_none_is_left_nothing_is_fought(sh: Shell, tmp_path: Path) -> None:
    desk = founded(sh, tmp_path / "few", slots=2)
    said = desk("fight", "--all", "--no-odds")
    assert said.code == 4
    assert "no slot of the sealed dice is left, all 2 are spent; seal more with: " in said.err
    assert desk.spent == {1: "mill", 2: "wood"}
    assert desk.ledger.revision_by_battle == {}
    desk.do("seal", "--slots", "1")
    desk.do("fight", "--all", "--no-odds")
    assert desk.spent == {1: "mill", 2: "wood", 3: "ford"}
    assert [desk.read("seals.toml")["slot"][number]["number"] for number in range(3)] == [1, 2, 3]
    assert check.check(str(desk.folder)) == []


@pytest.mark.slow
def test_attack_seed_from_another_slot(desk: PageApp) -> None:
    desk.do("export", "mill", "-o", "mill.toml")
    desk.do("export", "ford", "-o", "ford.toml")
    mill, ford = (Path(name).read_text() for name in ("mill.toml", "ford.toml"))
    mine, other = [
        next(line for line in text.splitlines() if line.startswith("seed")) for text in (mill, ford)
    ]
    Path("other.toml").write_text(mill.replace(mine, other))
    assert desk.shell("resolve", "other.toml", "-o", "record.toml", "-q").code == 0
    said = desk("import", "record.toml")
    assert said.code == 4
    assert "seed is" in said.err
    assert all(seed.split('"')[1] in said.err for seed in (mine, other))
    Path("other.toml").write_text(mill.replace(mine, other).replace("slot = 1", "slot = 2"))
    assert desk.shell("resolve", "other.toml", "-o", "record.toml", "-q").code == 0
    said = desk("import", "record.toml")
    assert "it was drawn by slot 2, not by slot 1" in said.err
    assert desk.shell("resolve", "mill.toml", "-o", "record.toml", "-q").code == 0
    desk.do("import", "record.toml")


def test_attack_record_of_a_sealed_battle_with_another_seed(desk: PageApp) -> None:
    desk.do("export", "mill", "-o", "mill.toml")
    for seed in ("5", "f" * 64):
        assert desk.shell("resolve", "mill.toml", "--seed", seed, "-o", "record.toml", "-q").code == 0
        said = desk("import", "record.toml")
        assert said.code == 4
        assert f"seed is {seed}, not " in said.err
    desk.do("import", "record.toml", "--force", "--reason", "to see it found out")
    desk.do("reveal", "mill")
    said = desk.shell("verify", "--seals", str(desk.folder / "seals.toml"), "record.toml")
    assert said.code == 1
    assert "seed is" in said.err


def test_a_result_that_no_slot_has_drawn_needs_the_umpire(desk: PageApp) -> None:
    desk.do("results", "-o", "form.toml")
    form = Path("form.toml").read_text().replace('losses = ""', 'losses = "0"', 2)
    Path("form.toml").write_text(form.replace('winners = ""', 'winners = "percy"', 1))
    desk.do("seal", "mill")
    said = desk("import", "form.toml")
    assert said.code == 4
    assert "it was drawn by no slot, not by slot 1" in said.err
    Path("hand.toml").write_text(WAR_BATTLE)
    assert desk.shell("resolve", "hand.toml", "-o", "hand-record.toml", "-q").code == 0
    said = desk("import", "hand-record.toml")
    assert said.code == 4
    assert "battle ford has no slot of the sealed dice yet" in said.err


WAR_BATTLE = """\
id = "ford"
rules = "field-of-honour"
seed = 1
[sides.mortimer]
[sides.hal]
"""


def test_attack_nonce_changed_after_reveal(told: PageApp) -> None:
    said = told("seal", "mill", "--nonce", "percy=another nonce")
    assert said.code == 3
    table = told.read("seals.toml")
    table["slot"][0]["nonces"]["percy"] = "another nonce"
    assert refused(told, table)
    table["promises"]["mill"]["percy"] = promise_of("another nonce")
    assert refused(told, table)


@pytest.mark.slow
def test_the_hash_of_a_nonce_is_taken_in_capitals_too() -> None:
    """PowerShell's Get-FileHash prints capitals. A nonce itself keeps them."""
    promise = promise_of("mine")
    assert read_nonce_option(f"percy={promise.upper()}") == ("percy", promise)
    assert read_nonce_option("percy=MINE") == ("percy", "MINE")


def test_attack_nonce_left_out(desk: PageApp) -> None:
    desk.do("seal", "mill", f"--nonce=percy={promise_of('mine')}", f"--nonce=stafford={promise_of('his')}")
    for command in (("fight", "mill", "--no-odds"), ("export", "mill"), ("fight", "mill", "--play")):
        said = desk(*command)
        assert said.code == 4
        assert "the nonce promised by percy and stafford is missing" in said.err
    desk.do("seal", "mill", "--nonce=percy=mine")
    assert "the nonce promised by stafford is missing" in desk("fight", "mill", "--no-odds").err
    assert desk.spent == {1: "mill"}
    desk.do("seal", "mill", "--nonce=stafford=his")
    desk.fight("mill")


def test_attack_nonce_left_out_of_the_seals(told: PageApp) -> None:
    for place in (("slot", 0, "nonces"), ("promises", "mill")):
        table: Any = told.read("seals.toml")
        inside = table
        for word in place:
            inside = inside[word]
        del inside["percy"]
        assert refused(told, table)
    table = told.read("seals.toml")
    del table["promises"], table["slot"][0]["nonces"]
    assert refused(told, table)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["ford", f"--nonce=hal={promise_of(NONCES['percy'])}"], "every nonce is used once"),
        (["ford", *(f"--nonce={side}={promise_of('x')}" for side in ("hal", "mortimer"))], "is used once"),
        (["mill", f"--nonce=percy={promise_of('later')}"], "a nonce promised now could be chosen for it"),
        (["mill", "--nonce=percy=another"], "this is not the nonce that percy promised"),
        (["mill", f"--nonce=percy={NONCES['stafford']}"], "this is not the nonce that percy promised"),
        (["ford", "--nonce=hal=at once"], "battle ford has no slot yet"),
        (["ford", f"--nonce=percy={promise_of('x')}"], 'battle ford has no side "percy"'),
        (["mill", "--nonce=stafford=with|bar"], "without |"),
        (["bridge"], 'no battle "bridge" is pending'),
    ],
)  # fmt: skip
def test_attack_nonce_replayed_or_late_or_false(desk: PageApp, words: list[str], why: str) -> None:
    desk.do("seal", "mill", *(f"--nonce={side}={promise_of(nonce)}" for side, nonce in NONCES.items()))
    desk.do("seal", "mill")
    before = (desk.folder / "history.toml").read_bytes()
    said = desk("seal", *words)
    assert said.code == 3
    assert why in said.err
    assert (desk.folder / "history.toml").read_bytes() == before


def test_attack_commitment_swapped(told: PageApp) -> None:
    table = told.read("seals.toml")
    slots = table["slot"]
    slots[0]["commitment"], slots[1]["commitment"] = slots[1]["commitment"], slots[0]["commitment"]
    assert refused(told, table)
    (told.folder / "seals.toml").write_text(tomli_w.dumps(table))
    said = told("turn")
    assert said.code == 4
    assert "seals.toml contradicts history.toml" in said.err
    assert any("seals.toml contradicts" in str(error) for error in check.check(str(told.folder)))


def test_attack_a_battle_found_out_from_its_digest_by_trying(desk: PageApp) -> None:
    """Without a secret in the digest, a player who knows all but one strength could try every strength."""
    desk.do("seal", "mill")
    published = (desk.folder / "seals.toml").read_text()
    seals = seals_in(desk.ledger)
    assert seals is not None
    slot = seals.slots[1]
    battle = json.loads(slot.exported)
    assert slot.digest in published
    assert battle["bound"]["seal"].pop("blind") not in published
    assert promise_of(canonical(battle)) != slot.digest
    desk.fight("mill")
    assert "seals.toml now shows the strength" in desk("reveal", "mill").err


def test_attack_a_digest_hidden_by_a_word_of_the_umpires(told: PageApp) -> None:
    """With a word of their own choice in it the umpire could try words until the digest pleases."""
    table = told.read("seals.toml")
    battle = json.loads(table["slot"][0]["exported"])
    battle["bound"]["seal"]["blind"] = "0" * 64
    table["slot"][0]["exported"] = canonical(battle)
    table["slot"][0]["digest"] = promise_of(canonical(battle))
    seals = read_published(table)
    assert "the blinding of slot 1 does not match its secret" in slot_errors(seals, seals.slots[1])


def test_attack_a_whole_new_seal_that_fits_in_itself(
    desk: PageApp, sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_bytes", lambda size: MASTER[:size][::-1])
    other = founded(sh, desk.folder.parent / "again")
    other.fight("mill")
    other.do("reveal", "--all")
    record, seals = str(other.folder / "records/mill.toml"), str(other.folder / "seals.toml")
    assert sh("verify", "--seals", seals, record).code == 0
    said = sh("verify", "--seals", str(desk.folder / "seals.toml"), "--seals", seals, record)
    assert said.code == 1
    assert "differs from the earlier copy: the commitment of slot 1" in said.err


def test_attack_ledger_entry_of_the_slot_removed(desk: PageApp) -> None:
    desk.fight("mill")
    (desk.folder / "history.toml").write_text(without_openings(desk.ledger.entries), encoding="utf-8")
    desk.edit("revision = 3", "revision = 2")
    said = desk("turn")
    assert said.code == 4
    assert "seals.toml contradicts history.toml: the battle of slot 1" in said.err
    (desk.folder / "seals.toml").unlink()
    errors = [str(error) for error in check.check(str(desk.folder))]
    assert "the record of battle mill names slot 1, but history.toml has no such slot for it" in "".join(
        errors
    )


def without_openings(entries: list[Entry]) -> str:
    """Return a forged ledger without the openings of spent slots, with all hashes recomputed."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.kind != "open":
            numbered = entry._replace(revision=len(kept) + 1)
            kept.append(with_hash(numbered, kept[-1].check if kept else ""))
    return "".join(map(entry_text, kept))


@pytest.mark.parametrize(
    ("kind", "battle", "seal"),
    [
        ("open", "mill", {"slot": 2, "exported": "{}"}),
        ("open", "mill", {"slot": 1, "exported": "{}"}),
        ("seal", "", {"campaign": "Another", "commitments": [promise_of("x")]}),
        ("seal", "", {"campaign": "The Marches", "commitments": []}),
        ("reveal", "", {"secrets": [{"slot": 1, "secret": "0" * 64}]}),
        ("nonce", "mill", {"side": "percy", "nonce": "x"}),
        ("promise", "mill", {"side": "percy", "promise": "x"}),
    ],
)
def test_a_ledger_whose_slots_cannot_be_is_refused(
    desk: PageApp, kind: str, battle: str, seal: dict[str, object]
) -> None:
    forged = Entry(2, kind, [], id=battle, seal=seal)
    with (
        store.open_for_writing(str(desk.folder)) as transaction,
        pytest.raises(NeedsUmpire, match="breaks a rule of sealed dice"),
    ):
        transaction.commit([Operation(forged)])
    with (desk.folder / "history.toml").open("a") as file:
        file.write(entry_text(with_hash(forged, desk.ledger.last_check)))
    assert desk("fight", "mill", "--no-odds").code == 4
    assert "revision 2 of history.toml breaks a rule of sealed dice" in "".join(
        map(str, check.check(str(desk.folder)))
    )


@pytest.mark.slow
def test_attack_master_in_any_output(told: PageApp, sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    told.do("undo", "mill")
    told.do("seal", "wood")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert told("fight", "wood", "--play", "--no-odds").code == 0  # the end of input: kept for later
    said = [
        told(*words)
        for words in (
            ["show", "--odds"], ["show", "--json"], ["history", "-v"], ["history", "--json"], ["report"],
            ["report", "--format", "html"], ["export", "wood"], ["export", "wood", "--sheet"],
            ["check", "--json"], ["results"], ["forecast", "-n", "2"], ["luck", "-n", "2"], ["standings"],
            ["schema"], ["seal", "wood"], ["seal", "--slots", "1"], ["reveal", "--all"],
            ["fight", "mill", "--explain"], ["fight", "mill", "--dry-run"],
            ["import", str(told.folder / ".cardbattle.seal")],
        )
    ]  # fmt: skip
    said += [
        sh(command, str(told.folder / ".cardbattle.seal"))
        for command in ("resolve", "replay", "batch", "verify")
    ]
    said.append(sh("verify", "--seals", str(told.folder / ".cardbattle.seal"), "records/mill.toml"))
    files = [path for path in told.folder.rglob("*") if path.is_file() and path.name != ".cardbattle.seal"]
    texts = [one.out + one.err for one in said] + [path.read_bytes().decode("latin-1") for path in files]
    assert len(files) > 8
    hidden = [MASTER.hex(), MASTER.decode("latin-1"), repr(MASTER)[2:-1], *sealed.secrets_of(5)[2:]]
    assert not [text for text in texts for secret in hidden if secret in text]


def test_undo_says_what_of_the_sealed_dice_it_passes_over(told: PageApp) -> None:
    kinds = {entry.revision: entry.kind for entry in told.ledger.entries}
    battle = max(revision for revision, kind in kinds.items() if kind == "battle")
    later = [revision for revision in kinds if revision > battle]
    assert kinds[later[-1]] == "reveal"
    for how in (["--dry-run"], []):
        said = told("undo", *how)
        assert said.code == 0
        assert "not undone: " in said.err
        assert f"reveal (revision {later[-1]}); sealed and revealed draws cannot be undone" in said.err
    assert f"\n{battle}. Battle " in said.out


def test_what_is_not_decided_is_not_revealed(desk: PageApp) -> None:
    desk.do("seal", "mill")
    said = desk("reveal", "mill")
    assert (said.code, "is still to be fought" in said.err) == (3, True)
    assert "every draw that can be revealed is already revealed" in desk("reveal", "--all").err
    assert desk("reveal", "ford").code == 3
    assert "secret" not in (desk.folder / "seals.toml").read_text()
    assert "exported" not in (desk.folder / "seals.toml").read_text()
    desk.do("override", "mill", "--reason", "rain")
    desk.do("reveal", "mill")
    assert desk.read("seals.toml")["slot"][0]["secret"] == sealed.secrets_of(1)[0]


def test_a_dry_run_draws_nothing_that_has_no_slot(desk: PageApp) -> None:
    said = desk("fight", "mill", "--no-odds", "--dry-run")
    assert said.code == 4
    assert "has no slot of the sealed dice yet" in said.err
    assert desk.spent == {}
    desk.do("seal", "mill")
    looked = desk.do("fight", "mill", "--no-odds", "--dry-run")
    assert "-strength = 14" in looked or "-strength = 9" in looked
    desk.fight("mill")


def test_a_battle_played_by_a_person_has_its_slot_and_says_who_played(
    desk: PageApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("#1\n" * 200))
    desk.do("fight", "mill", "--play", "--no-odds", "-q")
    assert desk.spent == {1: "mill"}
    desk.do("reveal", "mill")
    said = desk.shell(
        "verify", "--seals", str(desk.folder / "seals.toml"), str(desk.folder / "records/mill.toml")
    )
    assert said.code == 0
    assert "drawn by slot 1, as it was sealed, percy played by a person" in " ".join(said.out.split())


def test_the_library_fights_by_the_slots_too(desk: PageApp) -> None:
    folder = CampaignFolder(str(desk.folder))
    assert folder.pending[0].odds(battles=5).battles == 5
    with pytest.warns(match="battle mill has slot 1 of the sealed dice"):
        record = folder.fight("mill")[0]
    assert record.seed == desk.seed_of("mill")
    assert desk.spent == {1: "mill"}


def test_a_new_season_begins_without_slots_and_without_the_master(desk: PageApp, sh: Shell) -> None:
    desk.fight("mill")
    assert sh("campaign", "new", "next", "--from", str(desk.folder), "--name", "The Marches").code == 0
    assert sorted(path.name for path in Path("next").iterdir()) == ["campaign.schema.json", "campaign.toml"]
    said = sh("campaign", "-C", "next", "show", "--no-odds")
    assert "Dice: not sealed; anyone who can read campaign.toml knows the seed." in said.out


def test_a_master_of_somebody_else_draws_nothing(desk: PageApp) -> None:
    path = desk.folder / ".cardbattle.seal"
    whole = path.read_bytes()
    desk.do("seal", "mill")
    for content, why in (
        (whole[:-1], "is damaged"), (whole[:-1] + b"x", "is not the key that slot 1 was sealed with"),
    ):  # fmt: skip
        path.write_bytes(content)
        said = desk("fight", "mill", "--no-odds")
        assert said.code == 4
        assert why in said.err
        assert desk("seal").code == 4
    path.unlink()
    assert "is missing" in desk("fight", "mill", "--no-odds").err
    path.write_bytes(whole)
    desk.fight("mill")


def test_a_master_that_the_ledger_does_not_know_is_moved_aside(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "war").mkdir()
    (tmp_path / "war" / ".cardbattle.seal").write_bytes(b"of other seals")
    (tmp_path / "war" / "campaign.toml").write_text(sealed.WAR)
    said = sh("campaign", "-C", "war", "seal")
    assert "was moved to .cardbattle.seal-2" in said.err
    assert (tmp_path / "war" / ".cardbattle.seal-2").read_bytes() == b"of other seals"
    assert said.out.endswith("Dice sealed: 64 slots\n")


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["seal", "mill", "--slots", "3"], 2, "leave out the battle"),
        (["seal", "--nonce", "percy=x"], 2, "name the battle"),
        (["seal", "mill", "--nonce", "percy"], 2, "write SIDE=sha256:... or SIDE=NONCE"),
        (["seal", "--slots", "998"], 3, "at most 1000 slots, and 4 are sealed already"),
        (["reveal"], 2, "name a battle or use --all, but not both"),
        (["reveal", "mill", "--all"], 2, "name a battle or use --all, but not both"),
        (["reveal", "mil"], 3, 'battle "mil" has no slot; nothing to reveal'),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would(
    desk: PageApp, words: list[str], code: int, why: str
) -> None:
    said = desk(*words)
    assert (said.code, why in said.err) == (code, True)


def test_where_nothing_is_sealed_there_is_nothing_to_reveal_or_to_give(sh: Shell, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(sealed.WAR)
    for words in (["reveal", "--all"], ["seal", "mill"]):
        said = sh("campaign", *words)
        assert said.code == 3
        assert (
            "the dice of this campaign are not sealed; seal them with: cardbattle campaign seal" in said.err
        )


@pytest.mark.slow
def test_killed_between_the_slot_and_the_draw_a_battle_has_the_same_slot_next_time(
    desk: PageApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*more: object, **others: object) -> None:
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr("cardbattle.campaign.turn.fighting.fight_each", killed)
        with pytest.raises(Died):
            desk("fight", "mill", "--no-odds")
    assert desk.spent == {1: "mill"}
    desk.fight("ford")
    seed = desk.fight("mill")
    assert desk.spent == {1: "mill", 2: "ford"}
    assert seed == sealed.recomputed(
        {
            **desk.read("seals.toml")["slot"][0],
            "secret": sealed.secrets_of(1)[0],
            "exported": exported(desk, 1),
        }
    )


def exported(desk: PageApp, number: int) -> str:
    """Return the battle that a slot was spent for."""
    seals = seal_slots.need_seals(desk.ledger)
    return seals.slots[number].exported


@pytest.mark.slow
def test_killed_at_any_call_a_battle_gets_one_slot_and_one_draw(
    desk: PageApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "fsync", lambda file: None)
    copies = iter(range(1000))
    calm = str(shutil.copytree(desk.folder, tmp_path / "calm"))
    campaign = open_mill(calm)
    seed = battle_table(campaign, campaign.pending[0])["seed"]

    def attempt(fault: str, call: int) -> int:
        folder = str(tmp_path / f"copy{next(copies)}")
        shutil.copytree(desk.folder, folder)
        system = FaultySystem({call: fault})
        with monkeypatch.context() as patch:
            for name in ("disk.os", "disk.exchange"):
                patch.setattr(f"cardbattle.files.{name}", system if name == "disk.os" else system.exchange)
            with contextlib.suppress(Died, CardbattleError):
                open_mill(folder)
        system.bury()
        campaign = open_mill(folder)
        assert campaign.draw is not None
        assert campaign.draw.slot_number("mill") == 1
        assert battle_table(campaign, campaign.pending[0])["seed"] == seed
        assert check.check(folder) == []
        shutil.rmtree(folder)
        tried("faults while a battle gets its slot of sealed dice")
        return system.count

    calls = attempt("", 0)
    for fault in (*DEATHS[1:], "ENOSPC"):
        for call in range(1, calls + 1):
            attempt(fault, call)


BATTLES = ("mill", "wood", "ford")


def drawn_command(chance: random.Random) -> list[str]:
    """Return the words of a command that an umpire might give with sealed dice."""
    battle = chance.choice(BATTLES)
    force, number = chance.choice(("percy", "mortimer", "stafford", "hal")), str(chance.randint(1, 99))
    side = "percy" if battle == "mill" else force
    return chance.choice(
        [
            ["fight", battle, "--no-odds"], ["fight", "--all", "--no-odds"], ["export", battle],
            ["undo"], ["undo", battle], ["undo", number], ["redo"],
            ["seal", battle], ["seal", "--slots", "1"],
            ["seal", battle, f"--nonce={side}={promise_of(f'{battle} {side}')}"],
            ["seal", battle, f"--nonce={side}={battle} {side}"], ["reveal", battle], ["reveal", "--all"],
            ["override", battle, "--reason", "so be it"], ["turn"], ["rename", force, f"{force}2"],
            ["adjust", f"forces.{force}.strength+=1", "--reason", "geese"],
            ["adjust", f"forces.{force}.strength-=1", "--reason", "geese"],
        ]
    )  # fmt: skip


@pytest.mark.slow
def test_whatever_an_umpire_does_a_slot_has_one_battle_and_a_battle_one_seed(desk: PageApp) -> None:
    chance, spent, seeds = random.Random(7), dict[int, str](), dict[str, str]()
    happened = set()
    for _ in range(80):
        words = drawn_command(chance)
        said = desk(*words)
        assert said.code in (0, 3, 4), said.err
        happened.add((words[0], said.code))
        assert desk.spent.items() >= spent.items()
        spent = desk.spent
        assert sorted(spent) == list(range(1, len(spent) + 1))
        assert len({*spent.values()}) == len(spent)
        for entry in desk.ledger.entries:
            if entry.record:
                record = desk.read(entry.record)
                assert seeds.setdefault(entry.id, record["seed"]) == record["seed"]
                assert spent[record["bound"]["seal"]["slot"]] == entry.id
        books, ledger = store.load(str(desk.folder)), desk.ledger
        assert (ledger.breaches, hand_edits(books.source.data, ledger)) == ([], [])
        assert books.campaign.revision == ledger.whole_entries
        published = seals_in(ledger)
        assert published and not find_alterations(published, read_published(desk.read("seals.toml")))
        assert not find_alterations(read_published(desk.read("seals.toml")), published)
    assert {("fight", 0), ("fight", 4), ("undo", 0), ("redo", 0), ("seal", 0), ("reveal", 0)} <= happened
    tried("commands with sealed dice, after each of which the laws held", 80)


def test_what_cannot_be_published_is_recorded_and_published_by_the_next_command(
    desk: PageApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = disk.replace

    def full(path: str, content: bytes, temporary: str = "") -> None:
        if path.endswith("seals.toml"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(path, content, temporary)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", full)
        said = desk("seal", "mill")
    assert said.code == 6
    told = (
        "open mill is recorded; seals.toml cannot be written: the disk is full; the next command finishes it"
    )
    assert told in said.err
    assert "it is behind history.toml" in desk("check").err
    desk.do("turn")
    assert desk.read("seals.toml")["slot"][0]["battle"] == "mill"


def open_mill(folder: str) -> Any:
    """Give the mill its slot; return the campaign that can draw it."""
    with store.open_for_writing(folder) as transaction:
        campaign = transaction.campaign
    return seal_slots.with_slot(folder, campaign, campaign.pending[0])


def refused(told: PageApp, table: dict[str, Any], record: dict[str, Any] | None = None) -> str:
    """Return why a player with an older copy of the seals refuses these seals, or a record by them."""
    try:
        seals = read_published(table)
        found = find_alterations(read_published(told.read("seals.toml")), seals)
        one = made_right(record or told.read("records/mill.toml"))
        verify_record(one)
        return "; ".join(found) or "; ".join(proof_errors(seals, one))
    except (ReplayMismatch, InvalidInput) as error:
        return str(error)


def test_honest_seals_are_not_refused(told: PageApp) -> None:
    assert not refused(told, told.read("seals.toml"))
    assert not refused(told, told.read("seals.toml"), told.read("records/ford.toml"))
    assert SEALING[0] == told.ledger.entries[0].kind


ALTERED = 120


@pytest.mark.slow
@pytest.mark.parametrize("number", [ALTERED, pytest.param(10_000, marks=pytest.mark.heavy)])
def test_altered_seals_records_and_reveals_are_refused(told: PageApp, number: int) -> None:
    honest = told.read("seals.toml"), told.read("records/mill.toml")
    done, seeds = 0, itertools.count()
    while done < number:
        seed = next(seeds)
        table, record = json.loads(json.dumps(honest))
        what = alteration(random.Random(seed), table, record)
        if (table, record) != honest:
            assert refused(told, table, record), f"seed {seed}: {what}"
            done += 1
    tried("altered seals, records and reveals", done)


def alteration(chance: random.Random, table: dict[str, Any], record: dict[str, Any]) -> str:
    """Change one value somewhere in the seals or the record; return which."""
    whole = (
        table
        if chance.random() < 0.5
        else {word: record[word] for word in BOUND_BY_THE_SEAL if word in record}
    )
    leaves = [*leaves_of(whole, ())]
    path, value = chance.choice(leaves)
    inside: Any = whole
    for word in path[:-1]:
        inside = inside[word]
    if chance.random() < 0.1 and isinstance(path[-1], str):
        del inside[path[-1]]
    elif chance.random() < 0.3:
        inside[path[-1]] = chance.choice(leaves)[1]
    else:
        inside[path[-1]] = changed(chance, value)
    return f"{path}: {value} -> {inside.get(path[-1]) if isinstance(inside, dict) else inside}"


BOUND_BY_THE_SEAL = ("id", "rules", "seed", "seats", "moves", "house", "sides", "deal", "bound", "winners")


def leaves_of(value: Any, path: tuple[Any, ...]) -> Any:
    """Yield every text and number in a table with its path."""
    pairs = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if pairs is None:
        yield path, value
    else:
        for word, one in pairs:
            yield from leaves_of(one, (*path, word))


def changed(chance: random.Random, value: Any) -> Any:
    """Return another value much like this one."""
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 2))
    if not value:
        return "x"
    place = chance.randrange(len(value))
    letter = chance.choice("0123456789abcdef")
    return value[:place] + letter + value[place + 1 :]


@pytest.mark.slow
def test_the_players_script_needs_nothing_but_python(told: PageApp) -> None:
    script = told.folder / "check_seals.py"
    records = [str(told.folder / f"records/{name}.toml") for name in ("mill", "ford")]
    seals = [str(told.folder / "seals.toml"), *records, "--before", str(told.folder.parent / COPY)]
    done = run_script(script, *seals)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(f"{record}: as it was sealed\n" for record in records)
    words = run_script(script, "--help")
    assert "It does NOT check that the moves are legal" in words.stdout


def test_reveal_replaces_a_script_of_an_older_release(desk: PageApp) -> None:
    script = desk.folder / "check_seals.py"
    now = script.read_bytes()
    desk.fight("mill")
    script.write_text("print('of an older release')\n", encoding="utf-8")
    assert "check_seals.py has changed: give it to the players with seals.toml" in desk("reveal", "mill").err
    assert script.read_bytes() == now
    assert "is new" not in desk("reveal", "--all").err


def run_script(script: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script in a Python that sees only its standard library."""
    command = [sys.executable, "-I", str(script), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_the_guide_reckons_by_hand_is_so(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "sealed"))
    guide = (ROOT / "docs" / "sealed.md").read_text(encoding="utf-8")
    script = guide.partition("```sh\n")[2].partition("```")[0]
    assert script
    if not all(map(shutil.which, ("bash", "openssl", "sha256sum"))):
        pytest.skip("no openssl or sha256sum here; the next test reckons the same by hashlib")
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    values = [line.split()[-1] for line in done.stdout.splitlines()]
    assert len(values) == 8
    assert values[::2] == values[1::2]
    assert values[6] == tomllib.loads((folder / "mill.toml").read_text())["seed"]


def test_the_example_of_the_guide_is_as_its_formulas_say() -> None:
    files = [
        tomllib.loads((EXAMPLE / name).read_text()) for name in ("before.toml", "seals.toml", "mill.toml")
    ]
    before, after, record = files
    slot = after["slot"][0]
    text = f"cardbattle-seal-1|The Cider War, 1645|1|{slot['secret']}"
    assert before["slot"][0]["commitment"] == promise_of(text)
    assert after["promises"]["mill"] == {side: promise_of(nonce) for side, nonce in slot["nonces"].items()}
    assert slot["digest"] == promise_of(slot["exported"])
    assert record["seed"] == sealed.recomputed(slot)
    assert not find_alterations(read_published(before), read_published(after))


EXAMPLE = ROOT / "examples" / "sealed"

"""Turns of twins: what happens where a faction sees nothing changes nothing that it receives.

The map of each world has two parts without a road between them. The reader, Red, has forces only in the near
part. The twins differ in the far part: in the places, marches, orders, pace, strengths and leaders of Blue's
forces, in the soldiers that they hire, in the purses of Blue and Green and their peace, and in the private
plans of the umpire. The same commands play their turns. Between them, the umpire records payments, treaties,
prisoners and destroyed forces of Blue and Green, and notes for Blue, in one twin and not in the other.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support import tally
from tests.support.marches import folder_with

NEAR, FAR = ("bridge", "castle", "dale", "edge"), ("fen", "gate", "hill", "isle")
RED, GUARD, FAR_FORCES = ("ann", "bob"), "carl", ("dora", "emil", "fritz")
LEADERS = ("Captain Rowe", "Odo Brandt", "Lady Quill", "Hale")
MAILS = (
    "red@1:\nann: march to {goal}\nbob: retreat to {goal}\nand is {far} at {goal}?\n",
    "{leader} -> {goal}\nred@1:\nann: hold\nPlease release {leader}.\n",
    "Smith: join {leader}\nhold {goal}\n> red@1:\n> bob:\n",
    "ann and {far}: march to {goal}\nthe lads: hold {goal}\n",
    "we attack Bob at {goal}\n{far}: march to {goal}\n> red@1:\n> ann: hold\n",
    "red@1:\nann: march to {goal}\nbob: join ann\n",
)
READINGS: tuple[tuple[str, ...], ...] = (
    ("show", "--no-odds", "--json"),
    ("waiting", "--now", "2026-11-26"),
    ("history", "--json"),
    ("report", "--turn", "1", "--no-chances", "--format", "json"),
    ("report", "--from", "1", "--style", "plain", "--no-chances", "--format", "text"),
    ("orders", "show"),
    ("standings",),
)
STEPS: tuple[tuple[str, ...], ...] = (  # with --no-wait, because deadlines can be set
    ("note", "Rain."),  # the first turn begins with the umpire's last entry before the orders
    ("advance", "--no-wait", "--phase", "schedule"),
    ("advance", "--no-wait", "--phase", "events"),
    ("advance", "--no-wait", "--phase", "movement"),
    ("undo",),
    ("redo",),
    ("override", "t1-castle", "--winner", GUARD, "--losses", "ann=1/10", "--reason", "dice"),
    ("advance", "--no-wait"),
    ("advance", "--no-wait", "--retreat", "ann=bridge"),
    ("advance", "--no-wait", "--phase", "schedule"),
    ("advance", "--no-wait", "--phase", "events"),
    ("advance", "--no-wait", "--phase", "movement"),
)
WITHOUT_SECRETS = ((), STEPS[0], ("undo",), ("redo",))  # an undo takes back the last entry


def near_text(chance: random.Random) -> str:
    """Return what both twins have, and where the orders of Red and of Blue's guard lead."""
    strength, start = chance.choice(("rough", "own")), chance.choice(("castle", "edge"))
    lines = [
        'format = 1\nname = "War"\nturn = 1\nrevision = 0\nrules = "strategy-war"',
        f'seed = "kept secret {chance.randrange(9)}"',
        f'[visibility]\nlocation = "{chance.choice(("rough", "own"))}"\nstrength = "{strength}"',
        f'pending = "{chance.choice(("rough", "own"))}"\n[movement]\nallowance = 2\n[aftermath]',
        f'retreat = "{chance.choice(("choose", "nearest-own"))}"\n[experience]\nbattle = 1',
        f'[income]\nper_value = 1\nto = "{chance.choice(("points", "purse"))}"',
        *(['[supply]\nrange = 1\nout_of_supply = "1/4"'] if strength == "own" else []),
        *(['[recruit]\ncost = 2\nplaces = "own"'] if strength == "own" else []),
        *(['[deadlines]\norders = "2 days"\nmissed = "hold"'] if chance.random() < 0.5 else []),
        '[weather]\ntable = [{ p = 1, name = "mud", movement = -1 }, { p = 1, name = "fair" }]',
        '[factions.red]\n[locations.moor]\nowner = "green"',
        *(f'[locations.{place}]\nowner = "{"red" if place == "bridge" else "blue"}"' for place in NEAR),
        *(f'[locations.{place}]\nowner = "blue"\nvalue = 1' for place in FAR),
        *(f'[[road]]\nbetween = ["castle", "{place}"]' for place in NEAR if place != "castle"),
        '[[road]]\nbetween = ["fen", "gate"]\n[[road]]\nbetween = ["gate", "hill"]\nlength = 2',
        '[[road]]\nbetween = ["hill", "isle"]\nlength = 3',
        *(f'[forces.{key}]\nfaction = "red"\nstrength = 12\nlocation = "bridge"' for key in RED),
        f'[forces.{GUARD}]\nfaction = "blue"\nstrength = 12\nlocation = "{start}"',
    ]
    return "\n".join(lines)


def far_text(chance: random.Random, has_orders: bool) -> str:
    """Return what Red may not know. Everyone may know whether Blue has sent an order."""
    mail = f'mail = ["{chance.randrange(999)}@x.org"]'
    lines = ["[factions.blue]", f"purse = {chance.randrange(20, 99)}", mail]
    lines += ['peace = ["green"]'] if chance.random() < 0.5 else []
    lines += [f"[factions.green]\npurse = {chance.randrange(20, 99)}"]
    lines += [f'[forces.gwen]\nfaction = "green"\nlocation = "moor"\nstrength = {chance.randrange(8, 13)}']
    lines += [f'leader = "{chance.choice(LEADERS)}"']
    orders = [f'{GUARD} = "hold"'] if has_orders else []
    for key in FAR_FORCES:
        place, goal = chance.choice(FAR), chance.choice(FAR)
        lines += [f'[forces.{key}]\nfaction = "blue"\nstrength = {chance.randrange(8, 13)}']
        lines += [f'location = "{place}"', f"pace = {chance.randrange(4)}"]
        lines += [f'leader = "{chance.choice(LEADERS)}"', 'deputy = "elite"']
        lines += [f'march = "march to {goal}"'] if chance.random() < 0.4 and goal != place else []
        hired = random.Random("".join(lines)).randrange(1, 5)  # without a price, it has no effect
        order = f'{key} = "march to {goal}, hire {hired}"'
        orders += [order] if has_orders and chance.random() < 0.7 else []
    if chance.random() < 0.5:
        lines.append(f'[[schedule]]\nturn = {chance.choice((1, 2))}\ntext = "private: secret"')
        lines.append(f'change = {{ "forces.dora.experience" = {chance.randrange(1, 4)} }}')
    return "\n".join([*lines, "[orders]", *orders])


def far_twins(folder: Path, seed: str) -> tuple[str, ...]:
    """Make the folders of a world and its twin, and return their paths."""
    chance = random.Random(seed)
    near, has_orders = near_text(chance), chance.random() < 0.5
    own = '\nann = "march to castle"' if chance.random() < 0.5 else ""
    texts = (far_text(random.Random(f"{seed} {twin}"), has_orders) for twin in ("one", "two"))
    return tuple(folder_with(folder / f"twin{n}", f"{near}\n{text}{own}\n") for n, text in enumerate(texts))


def messages(sh: Shell, at: str) -> dict[str, str]:
    """Return the files of the messages to Red, by name."""
    folder = Path(at) / "messages"
    sh("campaign", "-C", at, "orders", "ask", "--dir", str(folder), "-q")
    files = folder.glob("*-red*") if folder.exists() else ()
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def to_red(text: str) -> list[str]:
    """Return the messages to Red among those that a command prints."""
    return [part.strip() for part in f"\n{text}".split("\nTo ") if part.startswith("red,")]


def secret_steps(chance: random.Random, is_strength_hidden: bool) -> Iterator[tuple[str, ...]]:
    """Yield what the umpire records of Blue and Green, in any number."""
    steps = [
        ("adjust", "factions.blue.purse-=1", "factions.green.purse+=1", "--reason", "secret bribe"),
        ("set", "factions.blue.peace+=green", "--reason", "secret treaty"),
        ("set", "factions.blue.peace-=green", "--reason", "secret end"),
        ("set", "forces.dora.prisoner_of=green", "forces.dora.leader_rank=regular"),
        ("unset", "forces.dora.prisoner_of", "forces.dora.leader_rank"),
        (
            "set",
            "forces.emil.leader=Secret Sam",
            f"forces.emil.commander={chance.choice(('green', 'elite'))}",
        ),
        ("set", "forces.emil.fallen=true"),
        ("move", "fritz", chance.choice(FAR)),
        ("note", "A secret for Blue.", "--for", "blue"),
    ]
    if is_strength_hidden:
        steps += [("set", "forces.emil.destroyed=true"), ("unset", "forces.emil.destroyed")]
        steps += [("adjust", "factions.blue.purse-=2", "forces.dora.strength+=2", "--reason", "secret hire")]
    yield from chance.sample(steps, chance.randrange(3))


def received(sh: Shell, at: str, chance: random.Random) -> Iterator[object]:
    """Yield what everyone and Red receive."""
    for line in chance.sample(READINGS, 2):
        yield sh("campaign", "-C", at, *line, "--for", "red")
    yield sh("campaign", "-C", at, "orders", "status").out
    yield messages(sh, at)
    goal = chance.choice((*NEAR, *FAR, "nowhere"))
    mail = chance.choice(MAILS).format(goal=goal, far=FAR_FORCES[1], leader=chance.choice(LEADERS))
    copy = f"{at}-copy"
    shutil.copytree(at, copy)
    (Path(copy) / "mail.txt").write_text(mail, encoding="utf-8")
    yield to_red(sh("campaign", "-C", copy, "orders", "take", os.path.join(copy, "mail.txt")).out)
    yield sh("campaign", "-C", copy, "orders", "show", "--for", "red").out
    shutil.rmtree(copy)


def play_twins(sh: Shell, folder: Path, seed: str) -> int:
    """Play the turns of twins, and compare what Red receives. Return the number of texts."""
    twins = far_twins(folder, seed)
    is_hidden = 'strength = "own"' in near_text(random.Random(seed))
    secrets = [random.Random(f"{seed} secrets {at}") for at in ("one", "two")]
    count = 0
    for step in ((), *STEPS):
        for at, chance in zip(twins, secrets, strict=True):
            for secret in secret_steps(chance, is_hidden) if step not in WITHOUT_SECRETS else ():
                assert sh("campaign", "-C", at, *secret, "-q").code in (0, 3), secret
        if step:
            codes = {sh("campaign", "-C", at, *step, "-q").code for at in twins}
            assert len(codes) == 1, (seed, step)
        one, two = ([*received(sh, at, random.Random(f"{seed} {step}"))] for at in twins)
        assert one == two, (seed, step)
        assert "secret" not in str(one).lower(), (seed, step)
        count += len(one)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 2])  # without and with a battle
def test_what_happens_out_of_sight_changes_nothing_that_a_faction_receives(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795543200")
    tally.tried("texts of turns with hidden marches", play_twins(sh, tmp_path, f"turns {number}"))


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(100, 160))
def test_what_happens_out_of_sight_changes_nothing_in_many_turns(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795543200")
    tally.tried("texts of turns with hidden marches", play_twins(sh, tmp_path, f"turns {number}"))


def way_to_isle(sh: Shell, folder: Path, enemy: str) -> list[str]:
    """Return the messages to Red about marches past a visible guard and past an enemy at a place."""
    text = near_text(random.Random(1)).replace('location = "own"', 'location = "rough"')
    text = text.replace('location = "edge"', 'location = "castle"')
    forces = '[forces.cora]\nfaction = "red"\nstrength = 9\nlocation = "fen"\n'
    forces += f'[forces.dora]\nfaction = "blue"\nstrength = 9\nlocation = "{enemy}"\n'
    at = folder_with(folder / enemy, f"{text}\n[factions.blue]\n[factions.green]\n{forces}")
    mail = folder / enemy / "mail.txt"
    mail.write_text("red@1:\nann: march to dale\nbob: join ann\ncora: march to isle\n", encoding="utf-8")
    return to_red(sh("campaign", "-C", at, "orders", "take", str(mail)).out)


@pytest.mark.slow
def test_a_player_reads_which_enemies_that_it_sees_are_on_the_way_and_no_others(
    sh: Shell, tmp_path: Path
) -> None:
    hidden, far, seen = (way_to_isle(sh, tmp_path, place) for place in ("hill", "isle", "gate"))
    assert hidden == far and "isle" not in str(far)
    [message] = far
    assert "- read as: ann: march to dale; by way of Castle, where you see an enemy" in message
    assert "- read as: bob: join ann; by way of Castle, where you see an enemy" in message
    assert "- read as: cora: march to isle; by way of Gate, where you see an enemy" in seen[0]


@pytest.mark.slow
def test_a_force_that_comes_over_does_not_show_who_came_to_its_place(sh: Shell, tmp_path: Path) -> None:
    """Its new faction could not see that place when the turn began, so it does not know who was there."""
    reports = []
    for start in ("fen", "gate"):
        text = near_text(random.Random(1)).replace('location = "own"', 'location = "rough"')
        forces = "".join(
            f'[forces.{key}]\nfaction = "blue"\nstrength = 9\nlocation = "{place}"\n'
            for key, place in (("dora", start), ("emil", "gate"))
        )
        at = folder_with(
            tmp_path / start,
            f'{text}\n[factions.blue]\n[factions.green]\n{forces}[orders]\ndora = "march to gate"\n',
        )
        for line in (
            ("advance", "--no-wait", "--phase", "events"),
            ("advance", "--no-wait", "--phase", "movement"),
            ("adjust", "forces.emil.faction=red", "--reason", "bought"),
            ("turn",),
        ):
            assert sh("campaign", "-C", at, *line, "-q").code == 0
        reports.append(sh("campaign", "-C", at, "report", "--turn", "1", "--for", "red", "--no-chances"))
    assert reports[0] == reports[1]
    assert "Emil goes over to Red" in reports[0].out

"""Hidden means hidden: whatever is altered that a reader may not know, they read the same, byte for byte.

A world is a campaign with a history, made out of what everybody knows, what a faction knows, and secrets.
Its twin has other secrets: strengths within what is known of them, places, commanders, battles of others,
seeds, reasons, private notes, the umpire's own keys, and any number of entries about nothing else. All
commands that print a campaign are run for the reader in both, in all formats.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import Record, dumps_record, record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.exchange.order_book import Taken, orders_operation
from cardbattle.campaign.ledger import operations, umpire_changes, undo, value_edits
from cardbattle.campaign.ledger.operations import CampaignFile, Operation
from cardbattle.campaign.ledger.value_edits import Assignment
from cardbattle.campaign.state.apply import half_up
from cardbattle.campaign.state.battle_result import BattleResult, fought_battle
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import advice
from cardbattle.campaign.visibility.reader import rough_rank, rough_strength
from cardbattle.commanders import RANKS
from cardbattle.simulation import turning_points
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_formats import COMMANDS
from tests.support import tally
from tests.support.marches import folder_with

PLACES = ("abbey", "bridge", "castle", "dale", "edge", "ford")
FACTIONS = ("north", "south", "east")
FORCES = tuple(f"{faction}-{number}" for faction in FACTIONS for number in (1, 2))
EXTENTS = ("all", "rough", "own")
RANK_NAMES = tuple(RANKS)


class Terms(NamedTuple):
    """What everybody knows of a world: what is visible, the roads, who holds what, and what was fought."""

    reader: str
    visibility: Mapping[str, str]
    roads: Sequence[tuple[str, str]]
    owners: Mapping[str, str]
    ranks: Mapping[str, str]
    strengths: Mapping[str, int]
    places: Mapping[str, str]
    steps: Sequence[str]
    captors: Mapping[str, str]

    def is_own(self, force: str) -> bool:
        """Say whether a force is the reader's."""
        return force.startswith(f"{self.reader}-")

    def in_sight(self, won: Collection[str] = ()) -> set[str]:
        """Return the places that the reader looks at, if places that it has `won` count too."""
        here = {*won, *(place for place, owner in self.owners.items() if owner == self.reader)}
        here |= {place for force, place in self.places.items() if self.is_own(force)}
        return here | {end for road in self.roads if here & {*road} for end in road}


def terms_of(chance: random.Random) -> Terms:
    """Draw what everybody knows of a world."""
    words = ("strength", "location", "commander", "pending")
    return Terms(
        chance.choice([*FACTIONS, "public"]),
        {word: chance.choice(EXTENTS) for word in words},
        [(one, other) for one, other in pairwise(PLACES) if chance.random() < 0.3],
        {place: chance.choice([*FACTIONS, "", ""]) for place in PLACES},
        {force: chance.choice(RANK_NAMES[:2]) for force in FORCES},
        {force: chance.randrange(4, 80) for force in FORCES},
        {force: chance.choice(PLACES) for force in FORCES},
        [chance.choice(["note", "turn", "battle", "table", "move", "public"]) for _ in range(6)],
        {force: draw_captor(chance, force) for force in FORCES},
    )


def draw_captor(chance: random.Random, force: str) -> str:
    """Draw the faction that holds the leader of a force prisoner, or "" for none."""
    return chance.choice([faction for faction in FACTIONS if not force.startswith(f"{faction}-")] + [""] * 4)


class Secrets(NamedTuple):
    """What a reader may not know of a world, drawn from a stream of its own."""

    terms: Terms
    chance: random.Random

    def hides(self, force: str, what: str) -> str:
        """Return how much of a force's strength, location or commander the reader may know."""
        return "all" if self.terms.is_own(force) else self.terms.visibility[what]

    def strength(self, force: str) -> int:
        """Draw a strength about which the reader knows as much as about the original strength."""
        known, extent = self.terms.strengths[force], self.hides(force, "strength")
        like = [
            one for one in range(1, 200) if extent == "own" or rough_strength(one) == rough_strength(known)
        ]
        return known if extent == "all" else self.chance.choice(like)

    def commander(self, force: str) -> str:
        """Draw a commander of whom the reader knows as much as of the one in the terms."""
        known, extent = self.terms.ranks[force], self.hides(force, "commander")
        like = [one for one in RANK_NAMES if extent == "own" or rough_rank(one) == rough_rank(known)]
        return known if extent == "all" else self.chance.choice(like)

    def leader(self, force: str) -> str:
        """Return the name of a force's leader, which is secret where its commander is hidden.

        A reader who holds the leader prisoner knows the name.
        """
        is_known = self.hides(force, "commander") == "all" or self.captor(force) == self.terms.reader
        return f"Leader of {force}" if is_known else self.word()

    def captor(self, force: str) -> str:
        """Return the faction that holds the leader of a force prisoner, or "" for none."""
        known = self.terms.captors[force]
        if self.hides(force, "commander") == "all" or known == self.terms.reader:
            return known
        others = [key for key in FACTIONS if key != self.terms.reader and not force.startswith(f"{key}-")]
        return self.chance.choice([*others, ""])

    def place(self, force: str) -> str:
        """Draw a place about which the reader knows as much as about the original place."""
        known, extent = self.terms.places[force], self.hides(force, "location")
        unseen = [place for place in PLACES if extent == "own" or place not in self.terms.in_sight()]
        return self.chance.choice(unseen) if extent != "all" and known in unseen else known

    def order(self, force: str) -> str:
        """Draw an order to move, which only the force's own faction may read."""
        if self.terms.is_own(force):
            return "hold"
        avoid = self.chance.choice(["", ", avoid battle"])
        return f"march to {self.chance.choice(PLACES)}{avoid}"

    def friends(self, faction: str) -> list[str]:
        """Draw the factions that a faction lists as friends.

        The reader knows of a peace with the first of the others, who can have another one. If one of them
        holds a place that is at stake, everybody sees whether a friend takes it, so they have none.
        """
        first, *more = [key for key in FACTIONS if key != self.terms.reader]
        if faction != first:
            return []
        known = [self.terms.reader] if self.terms.reader in FACTIONS else []
        held = {self.terms.owners[place] for place in STAKES.values()}
        return known + [key for key in more if held <= {"", self.terms.reader} and self.chance.random() < 0.5]

    def word(self) -> str:
        """Draw a word that only the umpire may read."""
        return f"secret{self.chance.randrange(10**6)}"

    def sees(self, battle: Sequence[str], stakes: str) -> bool:
        """Say whether the reader knows of a battle between these forces."""
        extent = self.terms.visibility["pending"]
        if extent == "all" or any(map(self.terms.is_own, battle)):
            return True
        return extent == "rough" and stakes in self.terms.in_sight()


def pending_text(secrets: Secrets, pairs: Sequence[tuple[str, str, str]]) -> str:
    """Return the pending battles: those that the reader knows of, and others in any number."""
    found = []
    for number, (one, other, stakes) in enumerate(pairs):
        if stakes in secrets.terms.in_sight(STAKES.values()) - secrets.terms.in_sight():
            continue  # whether the reader knows this battle depends on who wins the others
        if secrets.sees((one, other), stakes):
            is_near = secrets.terms.visibility["pending"] == "rough" and not (
                secrets.terms.is_own(one) or secrets.terms.is_own(other)
            )
            note = secrets.word() if is_near else f"private {secrets.word()}"
            found.append((f"known-{number}", one, other, stakes, note))
        elif secrets.chance.random() < 0.7:
            found.append((secrets.word(), one, other, stakes, secrets.word()))
    if secrets.terms.visibility["pending"] == "own":
        others = [force for force in FORCES if not secrets.terms.is_own(force)]
        one, other = secrets.chance.sample(others, 2)
        found.insert(0, (secrets.word(), one, other, "ford", secrets.word()))
    return "".join(
        f'[[pending]]\nid = "{name}"\nsides = ["{one}", "{other}"]\nstakes = "{stakes}"\nnote = "{note}"\n'
        f'x_map = "{secrets.word()}"\n'
        for name, one, other, stakes, note in found
    ) + league_text(secrets, [(name, one, other) for name, one, other, _, _ in found])


def league_text(secrets: Secrets, battles: Sequence[tuple[str, str, str]]) -> str:
    """Return a league whose last round has these battles; what is drawn is known where battles are."""
    order = [*FORCES]
    if secrets.terms.visibility["pending"] != "all":
        secrets.chance.shuffle(order)
    first = [(name, *seats) for name, (_, seats) in FOUGHT.items()]
    rounds = "".join(
        f"[[round]]\nmatches = {matches_text(matches)}\n" for matches in (first, battles) if matches
    )
    return f'[fixtures]\nkind = "random"\nforces = {[*FORCES]!r}\norder = {order!r}\n{rounds}'


def matches_text(matches: Sequence[tuple[str, str, str]]) -> str:
    """Return matches as a round has them."""
    tables = (f'{{ battle = "{name}", home = "{one}", away = "{other}" }}' for name, one, other in matches)
    return f"[{', '.join(tables)}]"


def campaign_text(secrets: Secrets, pending: str) -> str:
    """Return campaign.toml at the beginning of a world, which later changes."""
    terms = secrets.terms
    lines = [
        'format = 1', f"# {secrets.word()}", 'name = "A war"', "turn = 1", "revision = 0",
        f'seed = "{secrets.word()} and more, so that nobody guesses it"', 'rules = "strategy-war"',
        f'x_plan = "{secrets.word()}"', "[scoring]", "win = 2", "[attrition]", 'rate = "1/2"', "[visibility]",
    ]  # fmt: skip
    lines += [f'{word} = "{extent}"' for word, extent in terms.visibility.items()]
    lines += ["[map]", f"roads = {[[*road] for road in terms.roads]!r}"]
    lines += ["[movement]", "allowance = 2"]
    lines += [f"[[road]]\nbetween = {[*road]!r}\nlength = 3" for road in terms.roads]
    lines += [
        f"[factions.{key}]\npoints = 3\nx_player = '{secrets.word()}'\npeace = {secrets.friends(key)!r}"
        for key in FACTIONS
    ]
    for force in FORCES:
        lines += [
            f"[forces.{force}]",
            f'faction = "{force.partition("-")[0]}"',
            f'x_spy = "{secrets.word()}"',
        ]
        total = secrets.strength(force)
        lines += [f"strength = {total}", f'commander = "{secrets.commander(force)}"']
        lines += [f'leader = "{secrets.leader(force)}"']
        captor = secrets.captor(force)
        lines += [f'prisoner_of = "{captor}"'] if captor else []
        if secrets.hides(force, "strength") != "all" and secrets.chance.random() < 0.5:
            first = secrets.chance.randrange(total + 1)
            lines += [f'units = {{ "{secrets.word()}" = {first}, supply = {total - first} }}']
        lines += [f'location = "{secrets.place(force)}"', f'march = "{secrets.order(force)}"']
        lines += [f"pace = {2 if terms.is_own(force) else secrets.chance.randrange(5)}"]
    lines += ["[orders]", *(f'{force} = "{secrets.order(force)}"' for force in FORCES)]
    for faction in FACTIONS[:2]:
        text = "east-1: hold" if faction == terms.reader else secrets.word()
        salt = "5" * 32 if faction == terms.reader else f"{secrets.chance.randrange(16**32):032x}"
        lines += [f"[sealed_orders.{faction}]", f'address = "a-war/{faction}@1"', f'seal = "{"7" * 64}"']
        lines += [f'salt = "{salt}"', f'text = "{text}"']
    for place, owner in terms.owners.items():
        lines += [f"[locations.{place}]", *([f'owner = "{owner}"'] if owner else [])]
    return "\n".join(lines) + f"\n{pending}"


FOUGHT = {  # who fought which recorded battle, by which rules
    "raid": ("strategy-war", ("north-1", "south-1")),
    "skirmish": ("field-of-honour", ("south-2", "east-1")),
}
STAKES = {"raid": "abbey", "skirmish": "bridge"}


@cache
def fought_once(name: str) -> Record:
    """Return the record of a battle that every world has."""
    rules, seats = FOUGHT[name]
    sides = {key: {"commander": "regular"} for key in seats}
    return fight_battle(read_battle({"id": name, "rules": rules, "seed": f"seed of {name}", "sides": sides}))[
        0
    ]


def battle_log(secrets: Secrets, name: str) -> BattleResult:
    """Return a battle as it is recorded: with other commanders, and another seed where nothing is drawn."""
    record = fought_once(name)
    sides = record.table["sides"]
    assert isinstance(sides, dict)
    table = dict(record.table)
    table["sides"] = {
        key: {**side, "commander": secrets._replace(terms=regulars(secrets.terms)).commander(key)}
        for key, side in sides.items()
    }
    if name == "raid":
        table["seed"] = secrets.chance.randrange(10**12)
    table["digest"] = record_digest(table)
    altered = read_record(table)
    return fought_battle(altered, dumps_record(altered))


def regulars(terms: Terms) -> Terms:
    """Return the terms with a regular in command of every force, as in the battles fought."""
    return terms._replace(ranks=dict.fromkeys(terms.ranks, "regular"))


Step = Callable[[CampaignFile], list[Operation]]


def known_steps(secrets: Secrets, kind: str, number: int) -> Iterator[Step]:
    """Yield what happens in both twins, with reasons that are the umpire's."""
    terms, reason = secrets.terms, secrets.word()
    if kind == "note":
        yield lambda books: [umpire_changes.write_note(books, f"Rain, {number}.")]
    if kind == "turn":
        yield lambda books: [umpire_changes.next_turn(books, reason)]
    if kind == "move":
        owned = FORCES[number % len(FORCES)]
        if secrets.hides(owned, "location") == "all":
            yield moving(owned, PLACES[number], reason)
            yield moving(owned, terms.places[owned], reason)
    if kind == "public":
        yield lambda books: [
            published(operations.adjust(books, "factions.east.points", str(10 + number), "tolls"))
        ]


def moving(force: str, place: str, reason: str) -> Step:
    """Yield the step that moves a force to a place, unless it is already there."""

    def step(books: CampaignFile) -> list[Operation]:
        if books.campaign.forces[force].location == place:
            return []
        return [operations.adjust(books, f"forces.{force}.location", place, reason)]

    return step


def published(operation: Operation) -> Operation:
    """Return an operation whose reason players may read."""
    return operation._replace(entry=operation.entry._replace(public=True))


def secret_steps(secrets: Secrets) -> Iterator[Step]:
    """Yield things that the reader may not know of, in any number."""
    chance = secrets.chance
    for _ in range(chance.randrange(4)):
        force, reason = chance.choice(FORCES), secrets.word()
        if chance.random() < 0.3:
            yield lambda books, word=reason: [umpire_changes.write_note(books, f"private: {word}")]  # type: ignore[misc]
        if not secrets.terms.is_own(force):
            yield ordering(force, secrets.order(force), reason)
        if secrets.hides(force, "strength") != "all":
            yield setting(f"forces.{force}.strength", chance.randrange(1, 99), reason)
        if secrets.hides(force, "commander") != "all":
            yield setting(f"forces.{force}.commander", chance.choice(RANK_NAMES), reason)
            yield setting(f"forces.{force}.fallen", chance.random() < 0.5, reason)
        if secrets.hides(force, "location") != "all":
            yield moving(force, chance.choice(PLACES), reason)
        for faction in FACTIONS:
            yield making_peace(faction, secrets.friends(faction), reason)


def making_peace(faction: str, friends: Sequence[str], reason: str) -> Step:
    """Return the step of setting the friends of a faction, if it has others."""

    def step(books: CampaignFile) -> list[Operation]:
        if books.campaign.factions[faction].peace == [*friends]:
            return []
        change = Assignment(f"factions.{faction}.peace", ",".join(friends) or "[]")
        return [value_edits.set_values(books, [change], reason=reason)]

    return step


def ordering(force: str, order: str, reason: str) -> Step:
    """Return the step of giving a force another order to move."""

    def step(books: CampaignFile) -> list[Operation]:
        if books.campaign.orders.get(force) == order:
            return []
        return [orders_operation(books.campaign, Taken({("orders", force): order}, [], []), reason)]

    return step


def setting(key: str, value: object, reason: str) -> Step:
    """Return the step of setting a value, if it is not so already."""

    def step(books: CampaignFile) -> list[Operation]:
        _, force, word = key.split(".")
        if getattr(books.campaign.forces[force], word) == value:
            return []
        return [operations.adjust(books, key, str(value).lower(), reason)]

    return step


def settling_steps(secrets: Secrets) -> Iterator[Step]:
    """Yield the steps that give every hidden value one that looks the same to its reader.

    They come at the end of each turn, because a report of that turn shows rough values of the time.
    """
    for force in FORCES:
        if secrets.hides(force, "strength") != "all":
            yield setting(f"forces.{force}.strength", secrets.strength(force), secrets.word())
        if secrets.hides(force, "commander") != "all":
            yield setting(f"forces.{force}.commander", secrets.commander(force), secrets.word())
        if secrets.hides(force, "location") != "all":
            yield moving(force, secrets.place(force), secrets.word())


def strengths_before(secrets: Secrets, name: str) -> Iterator[Step]:
    """Yield the steps that give two forces strengths that look the same to a reader in their battle.

    A story shows rough strengths as they were before and after the battle, when the reader could see them.
    """
    sides = fought_battle(fought_once(name), "").result.sides
    for force in FOUGHT[name][1]:
        if secrets.hides(force, "strength") == "all":
            continue
        share = sides[force].losses / 2  # the rate of attrition

        def seen(one: int, share: Fraction = share) -> list[object]:
            return [rough_strength(one), rough_strength(one - half_up(one * share))]

        is_rough = secrets.hides(force, "strength") == "rough"
        known = secrets.terms.strengths[force]
        alike = [one for one in range(1, 200) if not is_rough or seen(one) == seen(known)]
        yield setting(f"forces.{force}.strength", secrets.chance.choice(alike), secrets.word())


def bystanders_away(secrets: Secrets, name: str) -> Iterator[Step]:
    """Yield the steps by which no unseen force stands by in a battle, because all see if the place falls."""
    for force in FORCES:
        if force not in FOUGHT[name][1] and secrets.hides(force, "location") != "all":
            places = {secrets.place(force) for _ in range(20)}
            yield moving(force, min(places - {STAKES[name]} or places), secrets.word())


def destructions(secrets: Secrets) -> Iterator[Step]:
    """Yield the destruction of some forces whose strength is hidden altogether."""
    for force in FORCES:
        if secrets.hides(force, "strength") == "own" and secrets.chance.random() < 0.3:
            yield setting(f"forces.{force}.destroyed", "true", secrets.word())


def make_world(folder: Path, secrets: Secrets, pairs: Sequence[tuple[str, str, str]]) -> None:
    """Make a campaign's folder with its history."""
    recorded = "".join(
        f'[[pending]]\nid = "{name}"\nrules = "{rules}"\nsides = {[*seats]!r}\nstakes = "{STAKES[name]}"\n'
        for name, (rules, seats) in FOUGHT.items()
    )
    at = folder_with(folder, campaign_text(secrets, recorded + pending_text(secrets, pairs)))
    names = iter(FOUGHT)
    for number, kind in enumerate(secrets.terms.steps):
        carry_out(at, secret_steps(secrets))
        if kind == "turn":
            carry_out(at, settling_steps(secrets))
        carry_out(at, known_steps(secrets, kind, number))
        name = next(names, "") if kind in ("battle", "table") else ""
        if name:
            carry_out(at, strengths_before(secrets, name))
            carry_out(at, bystanders_away(secrets, name))
            record_battle(at, battle_log(secrets, name), secrets.word(), undone=kind == "table")
    carry_out(at, settling_steps(secrets))
    carry_out(at, destructions(secrets))


def carry_out(folder: str, steps: Iterator[Step]) -> None:
    """Record what these steps come to, all in one group."""
    with store.open_for_writing(folder) as desk:
        found: list[Operation] = []
        for step in steps:
            found += step(operations.after(desk.books, found))
        desk.commit(found)


def record_battle(folder: str, battle: BattleResult, reason: str, undone: bool) -> None:
    """Record a battle, whatever it was set up with; take it back if so."""
    with store.open_for_writing(folder) as desk:
        plan = operations.plan_import(desk.books, desk.ledger, [battle], force=True, reason=reason)
        desk.commit(plan.operations)
        if undone:
            desk.commit([undo.undo(desk.books, desk.ledger, battle.id, reason)])


def readings(reader: str) -> Iterator[tuple[str, ...]]:
    """Yield every command line by which a reader may look at a campaign."""
    asked: dict[str, list[tuple[str, ...]]] = {
        "show": [("--no-odds",), ("--odds",)],
        "standings": [()],
        "league": [()],
        "waiting": [("--now", "2099-01-01")],
        "orders show": [()],
        "orders ask": [()],
        "history": [(), ("--since", "2"), ("--turn", "1"), ("--about", "south-1"), ("--kind", "adjust")],
        "report": [
            (),
            ("--turn", "1", "--no-chances"),
            ("--from", "1", "--style", "plain", "-j", "1"),
            ("--style", "newspaper", "--odds", "-j", "1"),
        ],
        "story": [],
        "forecast": [("-n", "2", "-j", "1")],
        "luck": [("-n", "2", "-j", "1")],
        "fight": [("no-such-battle",)],
    }
    for name in FOUGHT:
        asked["history"] += [(name,), (name, "--detail", "story")]
        asked["story"].append((name,))
    for command, arguments in asked.items():
        for more in arguments:
            for form in COMMANDS[f"campaign {command}"]:
                yield "campaign", *command.split(), *more, "--for", reader, "--format", form


def pair_of(chance: random.Random) -> tuple[str, str]:
    """Draw two forces."""
    one, other = chance.sample(FORCES, 2)
    return one, other


def alter(sh: Shell, folder: Path, seed: str, most: int) -> int:
    """Make a world and its twin, and hold all that a reader reads in both against each other.

    Of the command lines `most` are tried. Return how many were.
    """
    chance = random.Random(seed)
    terms = terms_of(chance)
    pairs = [(*pair_of(chance), chance.choice(PLACES)) for _ in range(5)]
    for twin in ("one", "two"):
        make_world(folder / twin, Secrets(terms, random.Random(f"{seed} {twin}")), pairs)
    lines = [*readings(terms.reader)]
    chosen = lines if most >= len(lines) else chance.sample(lines, most)
    for line in chosen:
        said = []
        for twin in ("one", "two"):
            os.chdir(folder / twin)
            said.append(sh(*line))
        assert said[0] == said[1], (seed, line, terms)
        assert "secret" not in said[0].out + said[0].err, (seed, line, terms)
        assert said[0].code in (0, 2, 3), (seed, line, said[0].err)
    whole = []
    for twin in ("one", "two"):
        os.chdir(folder / twin)
        whole.append(sh("campaign", "history", "--json").out)
    assert whole[0] != whole[1]
    return len(chosen)


def count_few_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimate all chances from a few battles."""
    monkeypatch.setattr(advice, "BATTLES", 3)
    monkeypatch.setattr(advice, "SECONDS_EACH", 0.1)
    for name, value in (("FIRST", 4), ("CLOSER", 4), ("WIDEST", 0.9)):
        monkeypatch.setattr(turning_points, name, value)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
def test_whatever_is_altered_that_a_reader_may_not_know_they_read_the_same(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    count_few_battles(monkeypatch)
    tally.tried("texts of altered campaigns, read by a player", alter(sh, tmp_path, f"world {number}", 16))


@pytest.mark.heavy
@pytest.mark.parametrize("number", range(100, 130))
def test_hidden_things_stay_hidden_in_many_worlds(
    sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    count_few_battles(monkeypatch)
    tally.tried("texts of altered campaigns, read by a player", alter(sh, tmp_path, f"world {number}", 1000))

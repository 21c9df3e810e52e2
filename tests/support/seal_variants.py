"""Sealed campaigns for the matrix of honest battles and cheats: random settings of every rule set.

Every option and house rule is set now and then, cards in all their spellings, with standing orders, owner's
files, nonces, players by message, substitutes and robots.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from cardbattle.campaign.storage.seal_slots import with_slot
from cardbattle.campaign.turn.played_battles import PlayedBattle
from cardbattle.cli.campaign.fight_results import commit_fights
from cardbattle.cli.campaign.shared import read_repaired
from tests.support.sealed import PageApp, Quiet, promise_of

ROOT = Path(__file__).parents[2]
BOX = ROOT / "examples" / "warmonger-own-cards" / "cards.toml"
RULES = ("field-of-honour", "strategy-war", "warfare-tactics", "wargame", "warmonger")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SIGNS = {"S": "S♠♤", "H": "H♥♡", "D": "D♦♢", "C": "C♣♧"}
PACK = [rank + suit for rank in RANKS for suit in "SHDC"]
STANDING = {
    "field-of-honour": ["counter: pass", "special behind: play JS | play JD | pass", "drawn: pass"],
    "strategy-war": ["commit last: commit A | commit K", "commit behind: commit K | commit Q"],
    "warfare-tactics": ["special: none", "answer: none"],
    "wargame": ["denounce: silent", "switch: hold"],
    "warmonger": ["response: pass", "peace: pass"],
}
ADVANTAGE: Mapping[str, Mapping[str, object]] = {
    "field-of-honour": {"hand": 1},
    "strategy-war": {"cards": ["J"]},
    "warfare-tactics": {"hand": 1},
    "wargame": {"chips": 1},
    "warmonger": {"warmongers": 1},
}
Setting = dict[str, Any]
Options = dict[str, dict[str, Any]]


class Case(NamedTuple):
    """A sealed battle that was fought honestly: where, by which rules, and its record."""

    folder: Path
    rules: str
    battle: str
    record: dict[str, Any]

    @property
    def name(self) -> str:
        """The case as a failing test shows it."""
        return f"{self.rules} {self.battle}"


def spelled(chance: random.Random, card: str) -> str:
    """Return a card or a rank in any of its documented spellings."""
    rank, suit, prime = card[:-1], card[-1], ""
    if card in RANKS:
        rank, suit = card, ""
    if card.startswith(("RJ", "BJ")) or (card[0] == "J" and card[1:].isdigit()):
        return chance.choice((card, card.lower()))
    if rank == "10" and chance.random() < 0.5:
        rank = "T"
    sign = chance.choice(SIGNS[suit]) if suit else ""
    return chance.choice((str.upper, str.lower))(f"{rank}{sign}{prime}")


def some(chance: random.Random, cards: list[Any], most: int) -> list[Any]:
    """Return some of the cards in random order."""
    return chance.sample(cards, chance.randint(1, most))


def field(chance: random.Random, sides: list[str]) -> tuple[Setting, Options]:
    """Return settings of Field of Honour."""
    house: Setting = {"dealer": chance.choice(sides)} if chance.random() < 0.3 else {}
    if chance.random() < 0.25:
        house["pack"] = [spelled(chance, card) for card in chance.sample([*PACK, "RJ", "BJ"], 54)]
    cards = chance.sample([*PACK, "RJ", "BJ"], 6)
    options: Options = {side: {} for side in sides}
    for side, own in zip(sides, (cards[:3], cards[3:]), strict=True):
        if chance.random() < 0.5:
            options[side]["extra"] = [spelled(chance, card) for card in own[: chance.randint(0, 3)]]
        if chance.random() < 0.4:
            options[side]["hand"] = chance.randint(6, 16)
        if chance.random() < 0.25:
            options[side]["pick"] = chance.randint(0, 3)
    return house, options


def strategy(chance: random.Random, sides: list[str]) -> tuple[Setting, Options]:
    """Return settings of Strategy WAR."""
    house = chosen(
        chance,
        {
            "rounds": chance.randint(5, 13),
            "mode": chance.choice(("open", "dark")),
            "tiebreak": chance.choice(("shared", "most-rounds", "best-pot")),
            "auto_last": chance.random() < 0.5,
        },
    )
    options: Options = {
        side: {"cards": [spelled(chance, chance.choice(RANKS)) for _ in range(chance.randint(8, 14))]}
        for side in sides
        if chance.random() < 0.5
    }
    return house, options


def warfare(chance: random.Random, sides: list[str]) -> tuple[Setting, Options]:
    """Return settings of Warfare Tactics; now and then each side has a deck of its own."""
    house = chosen(
        chance,
        {
            "decks": chance.choice((1, 2)),
            "dealer": chance.choice(sides),
            "turn_limit": chance.randint(6, 16),
            "play_and_attack": chance.random() < 0.5,
            "hold_when_ahead": chance.random() < 0.5,
            "target_retreats": chance.random() < 0.5,
            "seven_is_free": chance.random() < 0.5,
            "quiet_turns": chance.randint(0, 6),
            "discard_score": chance.choice(("values", "count")),
            "last_card": chance.choice(("answered", "final")),
            "preset": chance.choice(("literal", "balanced", "sample")),
        },
    )
    house["turn_limit"] = house.get("turn_limit", 12)
    cards = chance.sample(PACK, 10)
    options: Options = {side: {} for side in sides}
    if chance.random() < 0.25:
        house["decks"] = "constructed"
        for side in sides:
            options[side]["deck"] = [spelled(chance, card) for card in chance.sample(PACK * 2, 60)]
        return house, options
    for side, own in zip(sides, (cards[:5], cards[5:]), strict=True):
        if chance.random() < 0.4:
            options[side]["hand"] = chance.randint(4, 9)
        if chance.random() < 0.4:
            options[side]["extra"] = [spelled(chance, card) for card in own[:2]]
        if chance.random() < 0.4:
            options[side]["battlefield"] = [spelled(chance, card) for card in own[2:4]]
    return house, options


def wargame(chance: random.Random, sides: list[str]) -> tuple[Setting, Options]:
    """Return settings of Wargame."""
    house = chosen(
        chance,
        {
            "first": chance.choice(sides),
            "chips": chance.choice((4, 5)),
            "traitors": chance.random() < 0.5,
            "multi_switch": chance.random() < 0.5,
        },
    )
    options: Options = {side: {} for side in sides}
    for side in sides:
        if chance.random() < 0.4:
            army = [*range(1, 14)]
            army[chance.randrange(12)] = 13
            chance.shuffle(army)
            options[side]["army"] = army
        if chance.random() < 0.4:
            options[side]["chips"] = chance.randint(0, 6)
        if chance.random() < 0.3:
            options[side]["traitors"] = chance.sample([7, 8, 9], chance.randint(0, 3))
    return house, options


def warmonger(chance: random.Random, sides: list[str]) -> tuple[Setting, Options]:
    """Return settings of Warmonger; now and then with an owner's own cards, and with a robot."""
    house = chosen(
        chance,
        {
            "copies": chance.choice((1, 2)),
            "superpower": chance.choice(sides),
            "armistice": chance.randint(5, 15),
            "cards": chance.choice(("ours", "none", "box.toml")),
        },
    )
    house["armistice"] = house.get("armistice", 12)
    cards = chance.sample([*PACK, *(f"J{n}" for n in range(1, 9))], 9)
    options: Options = {side: {} for side in sides}
    for at, side in enumerate(sides):
        if chance.random() < 0.4:
            options[side]["extra"] = [spelled(chance, card) for card in cards[3 * at : 3 * at + 2]]
        if chance.random() < 0.3:
            options[side]["cards"] = chance.randint(6, 15)
        if at == 1 and chance.random() < 0.2:
            options[side]["robot"] = chance.choice(("bulwark", "echo"))
        elif chance.random() < 0.4 and house.get("cards") != "none":
            options[side]["warmongers"] = chance.randint(0, 3)
    if any("cards" in each for each in options.values()):
        options = {side: {"cards": 9, **each} for side, each in options.items()}
    return house, options


def chosen(chance: random.Random, values: Setting) -> Setting:
    """Return each of these values with a chance of one in three."""
    return {word: value for word, value in values.items() if chance.random() < 0.34}


SETTINGS: Mapping[str, Callable[[random.Random, list[str]], tuple[Setting, Options]]] = {
    "field-of-honour": field,
    "strategy-war": strategy,
    "warfare-tactics": warfare,
    "wargame": wargame,
    "warmonger": warmonger,
}


def sealed_campaign(folder: Path, rules: str, battles: int, messages: int) -> list[Case]:
    """Fight a campaign of random battles with sealed dice, the last ones by message; reveal all its slots."""
    chance = random.Random(rules)
    folder.mkdir(parents=True)
    shutil.copy(BOX, folder / "box.toml")
    (folder / "campaign.toml").write_text(tomli_w.dumps(campaign_table(chance, rules, battles)), "utf-8")
    desk = PageApp(Quiet(), folder)
    desk.do("seal", "--slots", str(battles), "-q")
    shutil.copy(folder / "seals.toml", folder / "before.toml")
    give_nonces(desk, ("b1", "b2"))
    fought = [f"b{n}" for n in range(battles - messages)]
    desk.do("fight", *fought, "--no-odds", "-q", "--jobs", "1")
    for n in range(battles - messages, battles):
        play_by_message(folder, f"b{n}", chance)
    desk.do("reveal", "--all", "-q")
    return [Case(folder, rules, f"b{n}", desk.read(f"records/b{n}.toml")) for n in range(battles)]


def campaign_table(chance: random.Random, rules: str, battles: int) -> dict[str, Any]:
    """Return a campaign with this number of battles, each between its own forces."""
    forces: dict[str, Any] = {}
    pending = []
    for n in range(battles):
        count = chance.randint(2, 3) if rules in ("strategy-war", "warmonger") else 2
        sides = [f"{letter}{n}" for letter in "abc"[:count]]
        for side in sides:
            forces[side] = {"faction": side[0], "strength": chance.randint(4, 12)}
            if chance.random() < 0.3:
                forces[side]["commander"] = "green"
            if chance.random() < 0.3:
                forces[side]["standing"] = chance.sample(STANDING[rules], chance.randint(1, 2))
        house, options = SETTINGS[rules](chance, sides)
        pending.append(
            {
                "id": f"b{n}",
                "sides": sides,
                **({"house": house} if house else {}),
                **({"options": {key: value for key, value in options.items() if value}} if options else {}),
            }
        )
    return {
        "format": 1,
        "name": f"War of {rules}",
        "turn": 1,
        "revision": 0,
        "seed": "a long text that nobody would guess",
        "rules": rules,
        "advantage": {rules: {"per": "1/2", "give": ADVANTAGE[rules], "most": 3}},
        "factions": {letter: {} for letter in "abc"},
        "forces": forces,
        "pending": pending,
    }


def give_nonces(desk: PageApp, battles: tuple[str, ...]) -> None:
    """Let the first side of these battles add a nonce."""
    for battle in battles:
        side, nonce = f"a{battle[1:]}", f"nonce of {battle}, thrown 3 5 1"
        desk.do("seal", battle, f"--nonce={side}={promise_of(nonce)}", "-q")
        desk.do("seal", battle, "-q")
        desk.do("seal", battle, f"--nonce={side}={nonce}", "-q")


def play_by_message(folder: Path, battle: str, chance: random.Random) -> None:
    """Fight a battle by message: random answers, standing orders on the way, and a substitute."""
    books, _ = read_repaired(str(folder))
    pending = books.campaign.battle(battle)
    assert pending is not None
    campaign = with_slot(str(folder), books.campaign, pending)
    played = PlayedBattle(campaign, pending, pending.keys[: chance.randint(1, 2)], by_message=True)
    session = played.session
    standing, leaves = chance.random() < 0.5, chance.random() < 0.5
    answers = 0
    while not session.is_over:
        seat = chance.choice(session.seats_to_answer)
        answers += 1
        if answers == 4 and standing:
            lines = STANDING[campaign.rules_of(pending).key][:1]
            session.command(seat, session.plan.sides[seat]._replace(standing=lines))
            session.go_on()
        elif (answers > 8 and leaves) or answers > 60:
            leaves = False
            session.substitute(seat, "regular")
        else:
            session.answer(seat, chance.choice(session.decision(seat).texts))
    commit_fights(str(folder), [played.fought()])

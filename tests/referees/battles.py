"""Random battles for the referees: random sides, options, house rules and commanders."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import cardbattle
from tests.referees.table import RANKS, card_number, pack

NAMES = ["york", "lancaster", "percy", "stafford", "mortimer", "nevill", "beaufort", "howard", "grey", "vere"]

ROBOTS = ["bulwark", "onslaught", "ledger", "jackpot", "echo"]
PRESETS = ["literal", "balanced", "sample"]
LAZY = ("pass", "nothing", "none", "done", "hold", "stand")


class Whim(cardbattle.Commander):
    """Answers at random; some are lazy, and some choose options that are not listed, such as `timeout`."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.rashness = dice.choice([0, 0, 0.02, 0.2])
        self.laziness = dice.choice([0, 0, 0.5, 0.97])

    def answer(self, seat: cardbattle.Seat) -> int:
        unlisted = len(seat.unlisted_texts)
        if unlisted and self.dice.random() < self.rashness:
            return seat.count + self.dice.randrange(unlisted)
        if self.dice.random() < self.laziness:
            return next((i for i, text in enumerate(seat.texts) if text in LAZY), 0)
        return self.dice.randrange(seat.count)


def some(dice: random.Random, **choices: Any) -> dict[str, Any]:
    """Return some of these options, each with one of its values."""
    return {key: dice.choice(values) for key, values in choices.items() if dice.random() < 0.5}


def readings(dice: random.Random, **choices: Any) -> dict[str, Any]:
    """Return no other reading of the rules, or some."""
    return some(dice, **choices) if dice.random() < 0.5 else {}


def strategy_war(dice: random.Random, keys: list[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    house = some(
        dice,
        rounds=[1, 2, 5, 12, 14, 26],
        mode=["open", "dark"],
        tiebreak=["shared", "most-rounds", "best-pot"],
        auto_last=[True, False],
        preset=PRESETS,
    )
    ranks, most = dice.choice([(list(RANKS), 15), (["2", "3", "4"], 4)])  # small hands make ties
    return house, [some(dice, cards=[hand_of(dice, ranks, most)]) for _ in keys]


def hand_of(dice: random.Random, ranks: list[str], most: int) -> list[str]:
    return sorted(dice.choices(ranks, k=dice.randint(1, most)), key=lambda rank: RANKS[rank])


def field_of_honour(dice: random.Random, keys: list[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    cards = dice.sample(pack("RJ", "BJ"), 54)
    specials = [card for card in cards if card[0] in "AKQJRB"][: dice.choice([0, 4, 10, 18])]
    extras = [sorted(specials[seat::2], key=card_number) for seat in (0, 1)]
    hand = dice.choice([[5, 6], [8, 10, 12], [14, 15]])
    house = some(dice, dealer=keys, pack=[dice.sample(cards, 54)])
    house |= readings(
        dice,
        order=["chosen"],
        answers=["one"],
        drawn_specials=["both"],
        redeploy=["either"],
        preset=PRESETS,
    )
    return house, [some(dice, hand=hand, pick=[1, 3], extra=[extra]) for extra in extras]


def wargame(dice: random.Random, keys: list[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    house = some(dice, first=keys, chips=[5, 4], traitors=[True, False], multi_switch=[True, False])
    house |= some(dice, preset=PRESETS)
    cards = dice.choice([range(1, 14), [7, 8, 9], [1, 2, 9, 12, 13]])
    armies = [sorted(dice.choices(cards, k=13)) for _ in range(3)]
    traitors = [[], [8], [7, 9], [8, 9]]
    return house, [some(dice, army=armies, chips=[0, 1, 4, 13], traitors=traitors) for _ in keys]


def warfare_tactics(dice: random.Random, keys: list[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    house = some(
        dice,
        dealer=keys,
        turn_limit=[1, 5, 10, 30],
        play_and_attack=[True, False],
        hold_when_ahead=[True, False],
        target_retreats=[True, False],
        seven_is_free=[True, False],
        quiet_turns=[1, 2, 5],
        discard_score=["values", "count"],
    ) | readings(
        dice,
        passing=["turn"],
        returning=["two"],
        last_card=["final"],
        target_surrenders=[False],
        spent_side=["ends"],
        windows=[4],
        special_moves=["any"],
        ending=["at-once"],
        preset=PRESETS,
    )
    house.setdefault("turn_limit", dice.choice([10, 10, 240]))  # most battles are short
    house["decks"] = dice.choice([1, 1, 2, "constructed"])
    sides = [some(dice, hand=dice.choice([[1, 3, 9], [15, 20]])) for _ in keys]
    if house["decks"] == "constructed":
        for seat, side in enumerate(sides):
            side["deck"] = sorted(dice.sample(pack() * 2, dice.choice([45, 46, 60])), key=card_number)
            cards = [card + "''" * seat for card in side["deck"]]
            give_some(dice, [side], dice.sample(sorted(set(cards)), 6))
    else:
        cards = [card + "'" * copy for card in pack() for copy in range(house["decks"])]
        give_some(dice, sides, dice.sample(cards, 12))
    return house, sides


def warmonger(dice: random.Random, keys: list[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    house = some(dice, copies=[1, 2], superpower=keys, armistice=[1, 5, 30], cards=["ours", "ours", "none"])
    house.setdefault("armistice", dice.choice([20, 20, 600]))  # most battles are short
    house |= readings(dice, spoils=["seats"], robot_ties=["stop"], preset=PRESETS)
    names = pack(*(f"J{number}" for number in range(1, 9)))
    cards = dice.sample(names, len(names))
    robots = [*dice.sample(ROBOTS, 5), ""]
    most = dice.choice([4, 10, 40])
    sides = [some(dice, cards=range(most // len(keys) + 1), warmongers=[0, 3, 5]) for _ in keys]
    for side in sides:
        extra = [cards.pop() for _ in range(dice.choice([0, 1, 3]))]
        if "cards" in side and not side["cards"] + len(extra):
            del side["cards"]
        if extra:
            side["extra"] = sorted(extra, key=card_number)
        if dice.random() < 0.3 and (robot := robots.pop()):
            side["robot"] = robot
            side.pop("warmongers", None)
    return house, sides


def give_some(dice: random.Random, sides: list[dict[str, Any]], cards: list[str]) -> None:
    """Give the sides some of these cards in their hands and on their battlefields."""
    for side in sides:
        for key in ("extra", "battlefield"):
            number = dice.choice([0, 0, 1, 3])
            if number:
                side[key] = sorted((cards.pop() for _ in range(number)), key=card_number)


SETTINGS: dict[str, tuple[int, int, Callable[..., tuple[dict[str, Any], list[dict[str, Any]]]]]] = {
    "strategy-war": (2, 10, strategy_war),
    "field-of-honour": (2, 2, field_of_honour),
    "wargame": (2, 2, wargame),
    "warfare-tactics": (2, 2, warfare_tactics),
    "warmonger": (2, 6, warmonger),
}


def random_settings(rules: str, dice: random.Random) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return random house rules, and the options of random sides by their keys."""
    fewest, most, settings = SETTINGS[rules]
    keys = dice.sample(NAMES, dice.randint(fewest, most))
    house, options = settings(dice, keys)
    return house, dict(zip(keys, options, strict=True))


def random_battle(rules: str, number: int) -> cardbattle.Record:
    """Fight the random battle with this number, and return its record."""
    dice = random.Random(f"{rules} {number}")
    house, options = random_settings(rules, dice)
    seed = dice.choice([dice.getrandbits(63), f"the {number}th oak"])
    sides = {}
    for key, side in options.items():
        sides[key] = side if dice.random() < 0.2 else side | {"commander": "green"}
    table = {"rules": rules, "seed": seed, "house": house, "sides": sides}
    whims = {key: Whim(dice) for key, side in sides.items() if "commander" not in side}
    return cardbattle.resolve(table, sides=whims)

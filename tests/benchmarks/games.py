"""How fast each rule set is, side by side: `python -m tests.benchmarks.games`.

Prints random games and decisions a second, and microseconds for a copy and a redeal at a point in
the middle of a game, in processor time, the rule sets taking turns.
"""

from __future__ import annotations

from time import process_time

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.resolve import deal, streams_of
from cardbattle.core.battle import Battle
from cardbattle.core.chance import Drawn, stream
from cardbattle.rules import RULE_SETS

GAMES = 60
ROUNDS = 3
COPIES = 400


def begun(rules: str, number: int) -> Battle:
    """Return a battle of two sides that has just begun."""
    plan = read_battle(bare_battle(rules, ["a", "b"]) | {"seed": number})
    battle = plan.rules.start(deal(plan, streams_of(plan)), Drawn(stream(number, "battle")))
    battle.run()
    return battle


def play(battle: Battle, number: int, most: int) -> int:
    """Play at random, with at most `most` decisions. Return the number of decisions."""
    chance = stream(number, "games")
    made = 0
    while not battle.is_over() and made < most:
        battle.choose(chance.below(len(battle.options)))
        made += 1
    return made


def row(rules: str) -> list[float]:
    """Return one rule set's figures from one round."""
    battles = [begun(rules, number) for number in range(GAMES)]
    began = process_time()
    decisions = [play(battle, number, 10**9) for number, battle in enumerate(battles)]
    spent = process_time() - began
    middle = begun(rules, 0)
    play(middle, 0, decisions[0] // 2)
    began = process_time()
    for _ in range(COPIES):
        middle.copy()
    copied = process_time() - began
    chance = stream(0, "redeal")
    began = process_time()
    for _ in range(COPIES):
        middle.redeal(0, chance)
    redealt = process_time() - began
    return [spent / GAMES, spent / sum(decisions), copied / COPIES, redealt / COPIES]


def main() -> None:
    """Print the table: the least time of some rounds."""
    best: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for rules in RULE_SETS:
            found = row(rules)
            best[rules] = [min(pair) for pair in zip(found, best.get(rules, found), strict=True)]
    print(f"{'rules':16} {'games/s':>9} {'decisions/s':>12} {'copy us':>8} {'redeal us':>10}")
    for rules, (game, decision, copied, redealt) in best.items():
        print(f"{rules:16} {1 / game:9.0f} {1 / decision:12.0f} {copied * 1e6:8.2f} {redealt * 1e6:10.2f}")


if __name__ == "__main__":
    main()

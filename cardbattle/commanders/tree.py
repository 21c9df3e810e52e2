"""The tree of what was tried: choices that led on from one question, and what came of them.

It is the tree of an information set Monte Carlo tree search: it holds choices, not states, so that
what is hidden is averaged over; a place in it that was often reached becomes a node, and each node
weighs what its choices brought against how seldom they were tried. It ends where the sides choose
in secret.

Source: P. Cowling, E. Powley, D. Whitehouse, Information Set Monte Carlo Tree Search, 2012.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import NOBODY

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import Policy, RuleSet

WHOLE: Final = 1000  # a battle won; all worths are out of it
EXPANSION_VISITS: Final = 30  # times a place was reached before it becomes a node
EXPLORATION: Final = 350  # how far doubt counts against worth


class Node:
    """What has been found out about the answers to one question of one side.

    `slots` numbers the choices considered; for each, `tried` counts how often it was taken, `met`
    how often it was on offer, and `worth` sums what came of it.
    """

    def __init__(self, side: int) -> None:
        self.side = side
        self.slots: dict[int, int] = {}
        self.tried: list[int] = []
        self.met: list[int] = []
        self.worth: list[int] = []
        self.visits = 0

    def add(self, choice: int) -> int:
        """Begin to consider a choice; return its slot."""
        slot = len(self.tried)
        self.slots[choice] = slot
        self.tried.append(0)
        self.met.append(0)
        self.worth.append(0)
        return slot

    def best(self, options: list[int]) -> int:
        """Return the index of the considered option that promises most, doubt included; -1 if none."""
        found, most = -1, -1
        for index, choice in enumerate(options):
            slot = self.slots.get(choice, -1)
            if slot >= 0:
                self.met[slot] += 1
                tries = self.tried[slot]
                promise = EXPLORATION * isqrt(100 * self.met[slot]) // (10 * (tries + 1))
                promise += self.worth[slot] // tries if tries else WHOLE
                if promise > most:
                    found, most = index, promise
        return found

    def note(self, slot: int, worth: int) -> None:
        """Note what came of a choice."""
        self.visits += 1
        self.tried[slot] += 1
        self.worth[slot] += worth


class Tree:
    """The tree of one decision, and how it grows."""

    def __init__(self, rules: RuleSet, policy: Policy) -> None:
        self.rules = rules
        self.policy = policy
        self.nodes: dict[tuple[int, ...], Node] = {}
        self.reached: dict[tuple[int, ...], int] = {}

    def follow(self, battle: Battle, given: list[int], chance: Chance) -> list[int]:
        """Fight a dealt battle down the tree and to its end; return its worth for each side, 0 to WHOLE.

        The first choices may be given, last first. A node is known by the choices that led to it.
        """
        path: tuple[int, ...] = ()
        trail: list[Node] = []
        slots: list[int] = []
        while battle.side != NOBODY and battle.question not in self.rules.sealed:
            if given:
                index = battle.options.index(given.pop())
            else:
                node = self.node_at(path, battle.side)
                if node is None:
                    break
                index = self.chosen(node, battle, chance)
                trail.append(node)
                slots.append(node.slots[battle.options[index]])
            path = (*path, battle.options[index])
            battle.choose(index)
        worth = play_out_by(self.rules, self.policy, battle, chance)
        for node, slot in zip(trail, slots, strict=True):
            node.note(slot, worth[node.side])
        return worth

    def node_at(self, path: tuple[int, ...], side: int) -> Node | None:
        """Return the node of the side that is asked, a new one if this place was reached often enough."""
        node = self.nodes.get(path)
        if node is None:
            reached = self.reached.get(path, 0) + 1
            self.reached[path] = reached
            if reached <= EXPANSION_VISITS:
                return None
            node = Node(side)
            self.nodes[path] = node
        return node

    def chosen(self, node: Node, battle: Battle, chance: Chance) -> int:
        """Return the index of the option to try next at a node."""
        options = battle.options
        known = [choice for choice in options if choice in node.slots]
        if len(known) < len(options) and len(known) * len(known) <= node.visits:
            index = self.policy(battle.shared_view(battle.side), chance)
            if options[index] in node.slots:
                index = chance.below(len(options))
            if options[index] not in node.slots:
                node.add(options[index])
                return index
        return node.best(options)


def play_out_by(rules: RuleSet, policy: Policy, battle: Battle, chance: Chance) -> list[int]:
    """Let all sides be played by a policy to the end, or to the rule set's horizon.

    Return the battle's worth for each side, 0 to WHOLE: of a shared or drawn one a fair part.
    """
    left = rules.horizon
    while battle.side != NOBODY and left:
        battle.choose(policy(battle.shared_view(battle.side), chance))
        left -= 1
    sides = battle.sides
    if battle.side != NOBODY:
        return [rules.estimate(battle, side) for side in range(sides)]
    winners = battle.outcome().winners or list(range(sides))
    return [WHOLE // len(winners) if side in winners else 0 for side in range(sides)]


def drawn(weights: list[int], chance: Chance) -> int:
    """Return an index drawn in proportion to the weights: whole numbers from 0, not all of them 0."""
    left = chance.below(sum(weights))
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the weights sum to more than was drawn")

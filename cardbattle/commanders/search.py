"""Commanders who think ahead: information-set Monte Carlo tree search.

To try a choice is to deal all that the side cannot know again, to choose, to go down the tree of
what was chosen in the tries before, to let the rule set's own rules of thumb fight the rest, and
to note along the way how it ended. The tree holds choices, not states, so that what is hidden is
averaged over; a place in it that was often reached becomes a node.

Choices that the others see are raced: all that are still in it are tried in the same dealt
battles with the same luck, and the worse half drops out each time. The regular commander's own
choice stays to the end, and gives way only to one that did clearly better.

Where all sides choose in secret, none sees the others' answers in the tree either, each goes by
what it regrets not having chosen, and the answer is drawn by the average of that, so that nobody
can reckon with it. So much doubt is left where there are many such answers that the regular's own
is taken.

Sources: P. Cowling, E. Powley, D. Whitehouse, Information Set Monte Carlo Tree Search, 2012;
Z. Karnin, T. Koren, O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013;
M. Lanctot, V. Lisy, M. Winands, Monte Carlo Tree Search in Simultaneous Move Games with
Applications to Goofspiel, 2013.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Final

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Chance, Drawn
from cardbattle.core.referee import Commander, Seat

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.ruleset import RuleSet

WHOLE: Final = 1000  # a battle won; all worths are out of it
GROWN: Final = 30  # times a place was reached before it becomes a node; once where all choose in secret
EXPLORE: Final = 350  # how far doubt counts against worth
MIXED: Final = 6  # secret answers to choose from, at most, that are mixed; of more the regular takes his own
TRIES: Final = 12  # of each choice that enters a race, on average
CAUTION: Final = 1  # standard errors by which a choice must have done better than the regular's own
FINE: Final = 1_000_000  # what the weights of a secret choice sum up to
STRAY: Final = 10  # one in so many tries of a secret choice goes to any


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
                promise = EXPLORE * isqrt(100 * self.met[slot]) // (10 * (tries + 1))
                promise += self.worth[slot] // tries if tries else WHOLE
                if promise > most:
                    found, most = index, promise
        return found

    def note(self, slot: int, worth: int) -> None:
        """Note what came of a choice."""
        self.visits += 1
        self.tried[slot] += 1
        self.worth[slot] += worth


class SecretNode(Node):
    """The same where all choose in secret: choices are drawn by what each is regretted.

    `mix` sums how likely each choice was whenever the node was visited, later visits counting more.
    """

    def __init__(self, side: int) -> None:
        super().__init__(side)
        self.regret: list[int] = []
        self.mix: list[int] = []
        self.likely: list[int] = []
        self.total = 0

    def add(self, choice: int) -> int:
        """Begin to consider a choice; return its slot."""
        self.regret.append(0)
        self.mix.append(0)
        return super().add(choice)

    def draw(self, options: list[int], chance: Chance) -> int:
        """Return the index of an option drawn by regret, one time in a few of any option."""
        slots = [self.slots[choice] if choice in self.slots else self.add(choice) for choice in options]
        weights = [max(self.regret[slot], 0) for slot in slots]
        whole = sum(weights)
        if not whole:
            weights = [1] * len(slots)
            whole = len(slots)
        self.likely = [0] * len(self.tried)
        for slot, weight in zip(slots, weights, strict=True):
            share = WHOLE * weight // whole
            self.mix[slot] += share * (self.visits + 1)
            self.likely[slot] = (share * (STRAY - 1) + WHOLE // len(slots)) // STRAY + 1
        if chance.below(STRAY) == 0:
            return chance.below(len(options))
        return drawn(weights, chance)

    def note(self, slot: int, worth: int) -> None:
        """Regret not to have chosen otherwise, as far as this choice did worse than usual."""
        usual = self.total // self.visits if self.visits else worth
        gain = worth - usual
        for other, likely in enumerate(self.likely):
            if likely:
                self.regret[other] -= gain
        self.regret[slot] += gain * WHOLE // self.likely[slot]
        self.total += worth
        super().note(slot, worth)


class Search:
    """The tree of one decision, and how it grows."""

    def __init__(self, rules: RuleSet, chance: Chance) -> None:
        self.rules = rules
        self.chance = chance
        self.nodes: dict[tuple[int, ...], Node] = {}
        self.reached: dict[tuple[int, ...], int] = {}

    def decide(self, seat: Seat, iterations: int) -> int:
        """Return the index of the option to choose, after so many tries."""
        self.nodes = {}
        self.reached = {}
        view = seat.view
        if view.question not in self.rules.sealed:
            return self.raced(seat, iterations)
        if len(view.options) > MIXED:
            return self.rules.regular(view, self.chance)
        return drawn(self.mixed(seat, iterations), self.chance)

    def mixed(self, seat: Seat, iterations: int) -> list[int]:
        """Return a weight for each option of a secret choice."""
        for _ in range(iterations):
            self.follow(self.dealt(seat), [])
        root = self.nodes[(NOBODY - seat.view.side,)]
        assert isinstance(root, SecretNode)
        mix = [root.mix[root.slots[choice]] for choice in seat.view.options]
        return [FINE * each // sum(mix) for each in mix]

    def raced(self, seat: Seat, iterations: int) -> int:
        """Return the option that wins a race, the regular commander's own unless one is clearly better."""
        own = self.rules.regular(seat.view, self.chance)
        racing = self.entrants(seat, own, max(2, iterations // TRIES))
        rounds = max(1, (len(racing) - 1).bit_length())
        worths: list[list[int]] = [[] for _ in range(seat.count)]
        while True:
            for _ in range(max(1, iterations // (rounds * len(racing)))):
                self.compare(self.dealt(seat), racing, worths)
            if len(racing) <= 2:
                break
            racing.sort(key=lambda index: -sum(worths[index]))
            racing = racing[: (len(racing) + 1) // 2]
            if own not in racing:
                racing[-1] = own
        rival = racing[1] if racing[0] == own else racing[0]
        return rival if is_better(worths[rival], worths[own]) else own

    def dealt(self, seat: Seat) -> Battle:
        """Return a battle dealt again: one of several, if the rule set can say which are likely."""
        rules, chance = self.rules, self.chance
        if rules.guesses == 1:
            return seat.redeal(chance)
        viewer = seat.view.side
        guesses = [seat.redeal(chance) for _ in range(rules.guesses)]
        weights = [1 + rules.likelihood(guess, viewer) for guess in guesses]
        return guesses[drawn(weights, chance)]

    def entrants(self, seat: Seat, own: int, most: int) -> list[int]:
        """Return options to race: all, or the regular's own, others he might choose, and any."""
        found = [own]
        rest = [index for index in range(seat.count) if index != own]
        for _ in range(most // 3 if seat.count > most else 0):
            index = self.rules.regular(seat.view, self.chance)
            if index in rest:
                rest.remove(index)
                found.append(index)
        self.chance.shuffle(rest)
        return (found + rest)[:most]

    def compare(self, dealt: Battle, racing: list[int], worths: list[list[int]]) -> None:
        """Try all options in the race in one dealt battle, each with the same luck."""
        chance = self.chance
        luck = Chance(chance.bits(), chance.bits(), chance.bits(), 1)
        side = dealt.side
        for index in racing:
            battle = dealt.copy()
            self.chance = luck.copy()
            battle.fate = Drawn(self.chance)
            worths[index].append(self.follow(battle, [index])[side])
        self.chance = chance

    def follow(self, battle: Battle, given: list[int]) -> list[int]:
        """Fight a dealt battle down the tree and to its end; return its worth for each side.

        The first answers may be given. A node is known by the choices that led to it, as far as
        its side has seen them.
        """
        path: tuple[int, ...] = ()
        secret: list[int] = []  # in the simultaneous choice under way: who chose what
        trail: list[Node] = []
        slots: list[int] = []
        last = NOBODY
        while battle.side != NOBODY:
            side = battle.side
            is_secret = battle.question in self.rules.sealed
            if secret and (not is_secret or (side != last and side in secret[::2])):
                path = (*path, *secret)
                secret = []
            last = side
            if given:
                index = given.pop()
            else:
                key = (*path, NOBODY - side, *own_of(side, secret)) if is_secret else path
                node = self.node_at(key, path, battle, is_secret)
                if node is None:
                    self.reached[path] = self.reached.get(path, 0) + 1
                    break
                index = self.chosen(node, battle)
                trail.append(node)
                slots.append(node.slots[battle.options[index]])
            if is_secret:
                secret += [side, battle.options[index]]
            else:
                path = (*path, battle.options[index])
            battle.choose(index)
        worth = self.fight_on(battle)
        for node, slot in zip(trail, slots, strict=True):
            node.note(slot, worth[node.side])
        return worth

    def node_at(
        self, key: tuple[int, ...], path: tuple[int, ...], battle: Battle, is_secret: bool
    ) -> Node | None:
        """Return the node of the side that is asked, a new one if this place was reached often enough."""
        if is_secret and len(battle.options) > MIXED:
            return None
        node = self.nodes.get(key)
        if node is None:
            if path and self.reached.get(path, 0) < (1 if is_secret else GROWN):
                return None
            node = SecretNode(battle.side) if is_secret else Node(battle.side)
            self.nodes[key] = node
        return node

    def chosen(self, node: Node, battle: Battle) -> int:
        """Return the index of the option to try next at a node."""
        options = battle.options
        if isinstance(node, SecretNode):
            return node.draw(options, self.chance)
        known = [choice for choice in options if choice in node.slots]
        if len(known) < len(options) and len(known) * len(known) <= node.visits:
            index = self.rules.regular(battle.view(battle.side), self.chance)
            if options[index] in node.slots:
                index = self.chance.below(len(options))
            if options[index] not in node.slots:
                node.add(options[index])
                return index
        return node.best(options)

    def fight_on(self, battle: Battle) -> list[int]:
        """Let the regular commander fight for all sides, to the end or the rule set's horizon."""
        rules, chance = self.rules, self.chance
        left = rules.horizon
        while battle.side != NOBODY and left:
            battle.choose(rules.regular(battle.view(battle.side), chance))
            left -= 1
        sides = battle.sides
        if battle.side != NOBODY:
            return [rules.estimate(battle, side) for side in range(sides)]
        winners = battle.outcome().winners or list(range(sides))
        return [WHOLE // len(winners) if side in winners else 0 for side in range(sides)]


class Thinker(Commander):
    """Searches before every answer, so many iterations long.

    One who solves does without where the rule set can look at all that may follow.
    """

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int, solves: bool = False) -> None:
        self.search = Search(rules, chance)
        self.iterations = iterations
        self.solves = solves

    def answer(self, seat: Seat) -> int:
        """Return the option that the search finds best."""
        if self.solves:
            rules, chance = self.search.rules, self.search.chance
            best = rules.solution(seat.redeal(chance))
            if best:
                own = rules.regular(seat.view, chance)
                return own if own in best else best[0]
        return self.search.decide(seat, self.iterations)


def own_of(side: int, secret: list[int]) -> list[int]:
    """Return what this side has chosen itself in the simultaneous choice under way."""
    return [secret[at + 1] for at in range(0, len(secret), 2) if secret[at] == side]


def drawn(weights: list[int], chance: Chance) -> int:
    """Return an index drawn in proportion to the weights."""
    left = chance.below(sum(weights))
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the weights sum to more than was drawn")


def is_better(one: list[int], other: list[int]) -> bool:
    """Say whether one did better than the other beyond the doubt that their differences leave."""
    differences = [a - b for a, b in zip(one, other, strict=True)]
    gain = sum(differences)
    return gain > 0 and gain * gain > CAUTION * CAUTION * sum([each * each for each in differences])

"""Train the tables by which elite commanders of Field of Honour place lines and play specials.

`python -m research.learned_field_of_honour lines FOLDER FIRST HANDS` collects data about lines. For each
of the HANDS deals from seed FIRST on, it fights battles with about thirty lines, in the same dealt battles
and with the same random numbers: the lines that the package now finds best, lines near them, and some of a
seasoned commander.

`... specials FOLDER FIRST HANDS` collects data about specials, from many battles with one line of each
hand. At each decision about a special, every option is tried once in the actual battle, so that no wrong
guess about the enemy's cards matters. In the battle itself, one decision in four is random (exploration).
The data are the facts that the side knew, and the result.

The opponent is a seasoned commander. The side continues with the tables of the package, or by rules of
thumb if the last argument is `first`.

`... learn FOLDER` trains on these data and writes the files that the package reads. A small network
estimates the value of each choice relative to the others of its decision. It is fitted with Adam to the
squared error of these differences, because luck that all choices share teaches nothing. The learning rate
falls along half a cosine. The script prints the gain over the rules of thumb at decisions that were held
out, in hundredths of a battle.

Source: D. Kingma, J. Ba, Adam: A Method for Stochastic Optimization, 2015.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.commanders.search import Search
from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.numeric.lanes import shrunk
from cardbattle.core.ruleset import Policy
from cardbattle.rules import field_of_honour
from cardbattle.rules.field_of_honour import RULES, evaluation, learned
from cardbattle.rules.field_of_honour.battle import OPEN, FieldOfHonour, FieldView
from research.lines import seat_at_first

Floats = NDArray[np.float32]

BEST_LINES, NEAR_LINES, USUAL_LINES = 12, 11, 6  # lines tried for each hand
FURTHER = 400  # lines two exchanges away that are considered
LINE_BATTLES = 24  # battles with each line
ITERATIONS = 300  # of the search for a line before anything was learned
BATTLES = 200  # with one line
STRAYS = 4  # one decision in this number is random
HIDDEN = 20  # one decision in this number is held out
ONE = 1 << evaluation.SHIFT  # the number 1 in the files
MOST = 30  # largest absolute weight


class Lesson(NamedTuple):
    """A network to train: its file name and training settings."""

    name: str
    rounds: int  # passes over all decisions
    batch: int  # decisions in a step
    rate: float  # initial learning rate

    @property
    def widths(self) -> list[int]:
        """The widths of the layers, from the facts to the value."""
        return [*evaluation.WIDTHS[self.name], 1]

    @property
    def file(self) -> Path:
        """The file that the package reads; a compiled module's `__file__` is not in its package's folder."""
        return Path(field_of_honour.__file__).parent / f"{self.name}.bin"


LESSONS: Final = {
    "lines": Lesson("lines", 40, 50, 0.002),
    "specials": Lesson("specials", 5, 1500, 0.002),
}


class Decisions:
    """The facts of all choices, their results from 0 to 1, and the default choices, by decision."""

    def __init__(
        self, facts: NDArray[np.int8], worths: Floats, usual: NDArray[np.bool_], firsts: NDArray[np.int64]
    ) -> None:
        self.facts, self.worths, self.usual = facts, worths, usual
        self.firsts = firsts  # where each decision begins
        self.counts = np.diff(np.append(firsts, len(facts)))

    def some(self, first: int, beyond: int) -> Decisions:
        """Return a range of decisions."""
        begin = self.firsts[first]
        end = self.firsts[beyond] if beyond < len(self.firsts) else len(self.facts)
        firsts = self.firsts[first:beyond] - begin
        return Decisions(self.facts[begin:end], self.worths[begin:end], self.usual[begin:end], firsts)

    def beside(self, numbers: Floats) -> Floats:
        """Return each number minus the mean of its decision."""
        means = np.add.reduceat(numbers, self.firsts) / self.counts
        beside: Floats = (numbers - np.repeat(means, self.counts)).astype(np.float32)
        return beside

    def gain(self, worths: Floats) -> tuple[float, float]:
        """Return the gain of the best choices over the defaults, in hundredths, and its standard error."""
        best = worths >= np.repeat(np.maximum.reduceat(worths, self.firsts), self.counts)
        taken = np.add.reduceat(self.worths * best, self.firsts) / np.add.reduceat(best * 1.0, self.firsts)
        gains = 100 * (taken - np.add.reduceat(self.worths * self.usual, self.firsts))
        return float(gains.mean()), float(gains.std() / np.sqrt(len(gains)))


class Kept:
    """Collected decisions, which can be saved to a file."""

    def __init__(self) -> None:
        self.facts: list[NDArray[np.int8]] = []
        self.worths: list[float] = []
        self.usual: list[bool] = []
        self.firsts: list[int] = []

    def add(self, facts: list[list[int]], worths: list[float], usual: int) -> None:
        """Add a decision between choices."""
        self.firsts.append(len(self.facts))
        self.facts += [np.array(each, np.int8) for each in facts]
        self.worths += worths
        self.usual += [at == usual for at in range(len(facts))]

    def save(self, path: Path) -> None:
        """Write all decisions to a file."""
        np.savez(
            path,
            facts=np.array(self.facts),
            worths=np.array(self.worths, np.float32),
            usual=np.array(self.usual),
            firsts=np.array(self.firsts),
        )
        print(f"{path.name}: {len(self.firsts)} decisions, {len(self.facts)} choices", flush=True)


def decisions_in(paths: list[Path]) -> Decisions:
    """Return all decisions in these files."""
    kept = [np.load(path) for path in paths]
    facts, worths, usual = (
        np.concatenate([each[name] for each in kept]) for name in ("facts", "worths", "usual")
    )
    before = np.cumsum([0, *(len(each["worths"]) for each in kept)])
    firsts = np.concatenate([each["firsts"] + at for each, at in zip(kept, before[:-1], strict=True)])
    return Decisions(facts, worths, usual, firsts)


class Network:
    """The weights and biases of a network, with the moments of Adam."""

    def __init__(self, widths: list[int], scales: Floats) -> None:
        lots = np.random.default_rng(1)
        self.scales = scales  # divisor of each fact
        self.numbers = [
            lots.normal(0, np.sqrt(2 / one), (one, two)).astype(np.float32) for one, two in pairwise(widths)
        ]
        self.numbers[2] *= 0.1
        self.numbers += [np.zeros(width, np.float32) for width in widths[1:-1]]
        self.means = [np.zeros_like(each) for each in self.numbers]
        self.squares = [np.zeros_like(each) for each in self.numbers]

    def layers(self, facts: NDArray[np.int8]) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the scaled facts and the output of each layer."""
        weights, biases = self.numbers[:3], self.numbers[3:]
        shown: Floats = facts.astype(np.float32) / self.scales
        first = np.maximum(shown @ weights[0] + biases[0], 0)
        second = np.maximum(first @ weights[1] + biases[1], 0)
        return shown, first, second, (second @ weights[2])[:, 0]

    def worths(self, facts: NDArray[np.int8]) -> Floats:
        """Return the value of each choice."""
        return self.layers(facts)[-1]

    def learn(self, some: Decisions, step: int, rate: float) -> None:
        """Take one step of Adam towards the results of the choices, relative to their decision."""
        shown, first, second, last = self.layers(some.facts)
        back = (2 * some.beside(last - some.worths) / len(some.firsts))[:, None]
        to_second = back @ self.numbers[2].T * (second > 0)
        to_first = to_second @ self.numbers[1].T * (first > 0)
        slopes = [shown.T @ to_first, first.T @ to_second, second.T @ back]
        for at, slope in enumerate([*slopes, to_first.sum(axis=0), to_second.sum(axis=0)]):
            self.means[at] += 0.1 * (slope - self.means[at])
            self.squares[at] += 0.001 * (slope * slope - self.squares[at])
            mean = self.means[at] / (1 - 0.9 ** (step + 1))
            square = self.squares[at] / (1 - 0.999 ** (step + 1))
            self.numbers[at] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def rounded(self) -> bytes:
        """Return the weights as stored in the file, for unscaled facts."""
        weights, biases = self.numbers[:3], self.numbers[3:]
        parts = [weights[0] / self.scales[:, None], biases[0], weights[1], biases[1], weights[2]]
        whole = [np.clip(np.rint(part * ONE), -MOST * ONE, MOST * ONE).astype("<i2") for part in parts]
        return b"".join(part.tobytes() for part in whole)


def learn(lesson: Lesson, folder: Path) -> None:
    """Train on all data in a folder and write the file."""
    decisions = decisions_in(sorted(folder.glob(f"{lesson.name}-*.npz")))
    spread = decisions.facts[:1_000_000].astype(np.float32).std(axis=0)
    network = Network(lesson.widths, np.maximum(1, spread).astype(np.float32))
    lots = np.random.default_rng(2)
    shown = len(decisions.firsts) * (HIDDEN - 1) // HIDDEN
    kept = decisions.some(shown, len(decisions.firsts))
    batches, step = shown // lesson.batch, 0
    for _ in range(lesson.rounds):
        for at in lots.permutation(batches):
            rate = lesson.rate * (1 + np.cos(np.pi * step / lesson.rounds / batches)) / 2
            network.learn(decisions.some(at * lesson.batch, (at + 1) * lesson.batch), step, rate)
            step += 1
        gain, error = kept.gain(network.worths(kept.facts))
        print(f"{lesson.name}, step {step}: {gain:.3f} +- {error:.3f} hundredths a decision", flush=True)
    lesson.file.write_bytes(shrunk(network.rounded()))
    print(f"{lesson.file.name}: {lesson.file.stat().st_size} bytes")


class Trial:
    """A hand, and the lines tried with it."""

    def __init__(self, seed: int, policy: Policy | None) -> None:
        plan = read_battle(bare_battle(RULES.key, ["s0", "s1"]))
        self.seat = seat_at_first(plan._replace(seed=seed))
        view = self.seat.view
        assert isinstance(view, FieldView)
        self.view = view
        self.chance = stream(seed, "tried")
        self.lots = np.random.default_rng(seed)
        self.policy = policy  # with which the side continues; None: rules of thumb
        self.search = Search(RULES, RULES.seasoned, self.chance)

    def best_line(self) -> list[int]:
        """Return the best line according to the package."""
        if self.policy is None:
            return self.search.secret_choices(self.seat, ITERATIONS)
        return learned.best_line(self.view.hand, [], self.view.first == self.view.side)

    def facts_of_line(self, line: list[int]) -> list[int]:
        """Return the count of each fact."""
        facts = [0] * evaluation.LINE_FACTS
        kept = learned.remaining_hand(self.view.hand, line)
        for fact in evaluation.facts_of_line(line, kept, self.view.first == self.view.side):
            facts[fact] += 1
        return facts

    def lines(self) -> list[list[int]]:
        """Return the best line, the best and random ones of those near it, and seasoned commander's lines."""
        best = self.best_line()
        near = learned.lines_near(best, 0, self.view.hand)
        further = [line for each in near for line in learned.lines_near(each, 0, self.view.hand)]
        near = self.any_of(near + self.any_of(further, FURTHER), len(near) + FURTHER)
        if self.policy is not None:
            near.sort(key=self.worth, reverse=True)
        any_near = self.any_of(near[BEST_LINES : BEST_LINES + FURTHER // 4], NEAR_LINES)
        usual = [candidate.choices for candidate in self.search.lines(self.seat, USUAL_LINES)]
        found: list[list[int]] = []
        for line in [best, *near[:BEST_LINES], *any_near, *usual]:
            if line not in found:
                found.append(line)
        return found

    def any_of(self, lines: list[list[int]], count: int) -> list[list[int]]:
        """Return a random sample of the lines."""
        return [lines[at] for at in self.lots.permutation(len(lines))[:count]]

    def worth(self, line: list[int]) -> int:
        """Return the value of a line according to the package."""
        kept = learned.remaining_hand(self.view.hand, line)
        return evaluation.of_lines().worth_of_line(line, kept, self.view.first == self.view.side)

    def worths_of_lines(self, lines: list[list[int]]) -> list[float]:
        """Return the mean result of each line in the same battles, from 0 to 1."""
        sums = [0.0] * len(lines)
        for _ in range(LINE_BATTLES):
            dealt = self.seat.redeal(self.chance)
            theirs = self.search.secret_answers(dealt, lines[0])
            luck = new_luck(self.chance)
            for at, line in enumerate(lines):
                battle = dealt.copy()
                for choices in (line, *theirs):
                    battle.choose_all(choices)
                sums[at] += worth_of(battle, luck.copy(), self.policy, self.view.side)
        return [each / LINE_BATTLES for each in sums]

    def begun(self, line: list[int]) -> FieldOfHonour:
        """Return a battle with this line against a seasoned commander's."""
        battle = self.seat.redeal(self.chance)
        assert isinstance(battle, FieldOfHonour)
        for choices in (line, *self.search.secret_answers(battle, line)):
            battle.choose_all(choices)
        return battle

    def fight(self, line: list[int], kept: Kept) -> None:
        """Fight a battle with a line, and store the results of all options about specials."""
        battle, side, chance = self.begun(line), self.view.side, self.chance
        while battle.side != NOBODY and not battle.is_decided():
            view = battle.fast_view(battle.side)
            assert isinstance(view, FieldView)
            choice = RULES.seasoned(view, chance)
            if battle.side == side and view.question >= OPEN:
                luck = new_luck(chance)
                options = range(len(view.options))
                worths = [worth_of_choice(battle, option, luck.copy(), self.policy) for option in options]
                kept.add(facts_of_specials(view), worths, choice)
                if chance.below(STRAYS) == 0:
                    choice = chance.below(len(options))
                elif self.policy is not None:
                    choice = self.policy(view, chance)
            battle.choose(choice)


def facts_of_specials(view: FieldView) -> list[list[int]]:
    """Return the facts of each option of a side that decides about a special."""
    shared = evaluation.common_facts(view)
    return [shared + evaluation.facts_after(view, choice) for choice in view.options]


def new_luck(chance: Chance) -> Chance:
    """Return a stream for battles with the same random numbers."""
    return Chance(chance.bits(), chance.bits(), chance.bits(), 1)


def worth_of_choice(battle: FieldOfHonour, option: int, luck: Chance, policy: Policy | None) -> float:
    """Return the result of an option, from 0 to 1."""
    side = battle.side
    tried = battle.copy()
    tried.random_source = Drawn(luck.copy())
    tried.choose(option)
    return worth_of(tried, luck, policy, side)


def worth_of(battle: Battle, luck: Chance, policy: Policy | None, side: int) -> float:
    """Return the result, from 0 to 1, if a side continues by a policy against a seasoned commander."""
    battle.random_source = Drawn(luck)
    while not battle.is_decided():
        goes_by = policy if policy is not None and battle.side == side else RULES.seasoned
        battle.choose(goes_by(battle.fast_view(battle.side), luck))
    winners = battle.outcome().winners
    return 1 / len(winners) if side in winners else 0 if winners else 1 / 2


def try_lines(path: Path, first: int, hands: int, policy: Policy | None) -> None:
    """Store the results of lines of these hands; the default choice is the best known line."""
    kept = Kept()
    for seed in range(first, first + hands):
        trial = Trial(seed, policy)
        lines = trial.lines()
        kept.add([trial.facts_of_line(line) for line in lines], trial.worths_of_lines(lines), 0)
    kept.save(path)


def try_specials(path: Path, first: int, hands: int, policy: Policy | None) -> None:
    """Store the results of specials in many battles with these hands."""
    kept = Kept()
    for seed in range(first, first + hands):
        trial = Trial(seed, policy)
        line = trial.best_line()
        for _ in range(BATTLES):
            trial.fight(line, kept)
    kept.save(path)


def main(doing: str, folder: Path, numbers: list[str], policy: Policy | None) -> None:
    """Collect data, or train on them."""
    if doing == "learn":
        for lesson in LESSONS.values():
            learn(lesson, folder)
        return
    trying = {"lines": try_lines, "specials": try_specials}[doing]
    trying(folder / f"{doing}-{numbers[0]}.npz", int(numbers[0]), int(numbers[1]), policy)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:], None if sys.argv[-1] == "first" else RULES.learned)

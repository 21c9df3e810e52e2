"""How an unfinished duel of Strategy WAR came to be appraised: numbers learned from the whole solution.

`python -m research.learned_worths FOLDER CARDS...` solves the duel with all 13 cards for the chance to win,
keeps the layers in the folder (two cores need ten minutes, 14 gigabytes of memory and 21 of the disk), plays
many duels, and learns what the positions with so many cards left are worth in which they found themselves.
Mostly one side of a duel plays as best play does, for that is what an elite commander comes near to, and the
other takes half of its cards by lot, for that may be anybody. `python -m research.learned_worths FOLDER`
writes
the file that the package reads. A layer takes a core about ten minutes.

It is a small network: of which ranks each hand holds, and which each holds of one against which of the
other, it makes 192 numbers, of those above nothing 96, and of those again the worth at 49 leads, four points
apart. It is fitted by Adam to the squared error, that near the lead which came up counting most; the step
goes down by half a cosine. At last it learns for a while as it will stand in the file: rounded numbers are
reckoned with, and those moved from which they are rounded. The pair with the higher hand first stands for
both. One position in eight is a strange one, such as comes of any cards, and in which much waits in the pot:
whoever looks for what is wrong with a network finds it there. What stands in the folder already learns on.

For the file that is there, steps were 90,000 and 40,000 with 7 and 8 cards, 60,000 and 30,000 with 9, 50,000
and 14,000 with 11; 30,000 and 10,000 with 12. One position in ten was any pair of hands without a pot then,
of 12 cards one in four. Those of 7, 8 and 9 have learned on with half the RATE, as it is told above: 30,000
and 15,000 with 7 cards, 24,000 and 12,000 with 8 and 9.

Sources: D. Kingma, J. Ba, Adam: A Method for Stochastic Optimization, 2015; Y. Bengio, N. Leonard, A.
Courville, Estimating or Propagating Gradients Through Stochastic Neurons, 2013 (what is rounded).
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardbattle.core.numeric.lanes import shrunk, unshrunk
from research.whole_duels import KNOTS, VICTORY, Duels, Whole

Floats = NDArray[np.float32]

RANKS = 13
STEP = 4  # points between the leads at which a worth is learned
WIDTHS = (2 + 2 * RANKS + RANKS * RANKS, 192, 96, KNOTS)
LOWEST = 2
WALKS, STRANGE = 1_000_000, 8  # duels played, and one in how many positions that is a strange one
STRANGERS = 300_000  # of these
STEPS, RATE = 60_000, 0.003  # of learning
LAST_STEPS, LAST_RATE = 14_000, 0.0007  # as in the file
BATCH = 1024  # positions in a step
NEAR, SPREAD = 12, 35  # points of lead: what counts most, of strange positions
LITTLE = 0.03  # what others count
MIDST = np.repeat(np.array([0.5, 0.4], np.float32), [WIDTHS[0] - RANKS * RANKS, RANKS * RANKS])
ONE = 1 << 10  # what a one is in the file
MOST = 20  # that a number comes to
FILE = Path(__file__).parent.parent / "cardbattle" / "rules" / "strategy_war" / "worths.bin"


class Lessons:
    """Positions with so many cards left: what a network is shown of some, and what they are worth."""

    def __init__(self, duels: Duels, left: int) -> None:
        self.layer = duels.layers[left]
        self.lots = np.random.default_rng(left)
        found = [each[:, RANKS - left - 1] for each in duels.walk(left, WALKS, left)]
        turned = found[0] < found[1]
        self.mine, self.theirs = np.where(turned, found[1], found[0]), np.where(turned, found[0], found[1])
        self.pots, self.leads = found[2], np.where(turned, -found[3], found[3])
        self.strange = strange_positions(STRANGERS, left, self.lots)

    def some(self, count: int) -> tuple[Floats, Floats, Floats]:
        """Return what is shown of so many, what they are worth at the knots, and how much that counts."""
        at = self.lots.integers(WALKS, size=count)
        mine, theirs, pots, leads = (each[at] for each in (self.mine, self.theirs, self.pots, self.leads))
        strange = count // STRANGE
        at = self.lots.integers(STRANGERS, size=strange)
        mine[:strange], theirs[:strange], pots[:strange] = (each[at] for each in self.strange)
        leads[:strange] = self.lots.normal(0, SPREAD, strange)
        far = (np.arange(KNOTS) - KNOTS // 2) * STEP - leads[:, None]
        counts = (np.exp(-((far / NEAR) ** 2)) + LITTLE).astype(np.float32)
        return shown(mine, theirs, pots), self.layer.curves(mine, theirs, pots), counts


def strange_positions(count: int, left: int, lots: np.random.Generator) -> list[Whole]:
    """Return both hands, the higher first, and half of what waits, where any cards were played.

    In one duel of three nobody seeks a tie, in the others some or most cards do, so that much may wait.
    """
    hands = np.full((2, count), (1 << RANKS) - 1, np.int32)
    pots = np.zeros(count, np.int32)
    seeks = lots.choice(np.array([0, 0.3, 0.7]), count)
    for _ in range(RANKS - left):
        first, second = (any_card(hand, lots) for hand in hands)
        both = hands[0] & hands[1]
        is_sought = (both > 0) & (lots.random(count) < seeks)
        tie = any_card(both, lots)
        first, second = (np.where(is_sought, tie, card) for card in (first, second))
        pots = np.where(first == second, pots + first + LOWEST, 0).astype(np.int32)
        hands ^= np.stack([1 << first, 1 << second]).astype(np.int32)
    return [hands.max(axis=0), hands.min(axis=0), pots]


def any_card(hands: Whole, lots: np.random.Generator) -> Whole:
    """Return the place of a card of each hand."""
    is_held = hands[:, None] >> np.arange(RANKS) & 1
    found: Whole = (lots.random(is_held.shape) * is_held).argmax(axis=1)
    return found


def shown(mine: Whole, theirs: Whole, pots: Whole) -> Floats:
    """Return what a network is shown of positions."""
    own, other = [((hands[:, None] >> np.arange(RANKS)) & 1).astype(np.float32) for hands in (mine, theirs)]
    pairs = (own[:, :, None] * other[:, None, :]).reshape(len(own), -1)
    waits = np.stack([pots / 8, pots > 0], axis=1).astype(np.float32)
    return np.concatenate([own, other, waits, pairs], axis=1) - MIDST


class Network:
    """Weights and biases, one of each between two widths, and how they have moved."""

    def __init__(self, seed: int) -> None:
        lots = np.random.default_rng(seed)
        self.numbers = [
            lots.normal(0, np.sqrt(2 / one), (one, two)).astype(np.float32) for one, two in pairwise(WIDTHS)
        ]
        self.numbers += [np.zeros(width, np.float32) for width in WIDTHS[1:]]
        self.numbers[2] *= 0.3
        self.numbers[5][:] = (np.arange(KNOTS) - KNOTS // 2) * STEP / 30
        self.means = [np.zeros_like(each) for each in self.numbers]
        self.squares = [np.zeros_like(each) for each in self.numbers]
        self.is_rounded = False

    def remember(self, content: bytes) -> None:
        """Take the numbers from what `rounded` gave."""
        ranks, pairs, pot, first, *others = [(part / ONE).astype(np.float32) for part in parts_of(content)]
        pot[0] *= 8
        rows = np.concatenate([ranks, pot, pairs])
        second, below, third, last = others
        self.numbers = [rows, second, third.T.copy(), first + MIDST @ rows, below, last]

    def layers(self, shown: Floats) -> tuple[Floats, Floats, Floats]:
        """Return what each width makes of what is shown."""
        numbers = self.used()
        weights, biases = numbers[:3], numbers[3:]
        first = np.maximum(shown @ weights[0] + biases[0], 0)
        second = np.maximum(first @ weights[1] + biases[1], 0)
        if self.is_rounded:
            second = np.floor(second * ONE) / np.float32(ONE)
        return first, second, second @ weights[2] + biases[2]

    def used(self) -> list[Floats]:
        """Return the numbers as they are reckoned with."""
        if not self.is_rounded:
            return self.numbers
        found = [(np.rint(each * ONE) / ONE).astype(np.float32) for each in self.as_shown_whole()]
        found[0][2 * RANKS] *= 8
        found[3] += MIDST @ found[0]
        return found

    def as_shown_whole(self) -> list[Floats]:
        """Return the numbers for somebody who is shown a one for each rank, and all that waits in the pot."""
        found = [each.copy() for each in self.numbers]
        found[3] -= MIDST @ found[0]
        found[0][2 * RANKS] /= 8
        return found

    def learn(self, given: tuple[Floats, Floats, Floats], step: int, rate: float) -> None:
        """Move all numbers a little towards what the positions are worth."""
        seen, worths, counts = given
        first, second, last = self.layers(seen)
        root = np.sqrt(1 + last * last)
        back = np.nan_to_num(0.5 + 0.5 * last / root - worths) / root**3 * counts / len(seen)
        used = self.used()
        to_second = back @ used[2].T * (second > 0)
        to_first = to_second @ used[1].T * (first > 0)
        self.move([seen.T @ to_first, first.T @ to_second, second.T @ back], 0, step, rate)
        self.move([to_first.sum(axis=0), to_second.sum(axis=0), back.sum(axis=0)], 3, step, rate)

    def move(self, slopes: list[Floats], begin: int, step: int, rate: float) -> None:
        """Move some of the numbers against their slopes, by Adam."""
        for at, slope in enumerate(slopes, begin):
            self.means[at] += 0.1 * (slope - self.means[at])
            self.squares[at] += 0.001 * (slope * slope - self.squares[at])
            mean = self.means[at] / (1 - 0.9 ** (step + 1))
            square = self.squares[at] / (1 - 0.999 ** (step + 1))
            self.numbers[at] -= (rate * mean / (np.sqrt(square) + 1e-9)).astype(np.float32)
            np.clip(self.numbers[at], -MOST, MOST, out=self.numbers[at])

    def error(self, given: tuple[Floats, Floats, Floats]) -> float:
        """Return the root of the mean square error, by how much each counts, in points of a hundred."""
        seen, worths, counts = given
        last = self.layers(seen)[2]
        missed = (0.5 + 0.5 * last / np.sqrt(1 + last * last) - worths) ** 2 * counts
        known = np.isfinite(missed)
        return float(100 * np.sqrt(missed[known].sum() / counts[known].sum()))

    def rounded(self) -> bytes:
        """Return the numbers as they stand in the file: whole ones, sixteen bits each."""
        whole = [np.rint(each * ONE).astype("<i2") for each in self.as_shown_whole()]
        first, second, third, *biases = whole
        own, other = first[:RANKS], first[RANKS : 2 * RANKS]
        pot, waits = first[2 * RANKS : 2 * RANKS + 2]
        parts = [
            own,
            other,
            first[2 * RANKS + 2 :],
            pot,
            waits,
            biases[0],
            second,
            biases[1],
            third.T,
            biases[2],
        ]
        return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


def learned(duels: Duels, left: int, before: bytes = b"") -> Network:
    """Return a network that has learned what positions with so many cards left are worth.

    It goes on from what it had learned `before`, if there is that.
    """
    network, lessons = Network(left), Lessons(duels, left)
    if before:
        network.remember(before)
    kept = lessons.some(8000)
    for steps, highest_rate in [(STEPS, RATE), (LAST_STEPS, LAST_RATE)]:
        for step in range(steps):
            rate = highest_rate * min(1, (step + 1) / 200) * (1 + np.cos(np.pi * step / steps)) / 2
            network.learn(lessons.some(BATCH), step, rate)
            if step % 1000 == 999:
                missed = network.error(kept)
                print(f"{left} cards, step {step + 1}: {missed:.3f} points of a hundred", flush=True)
        network.is_rounded = True
    return network


def worths_of(left: int) -> bytes:
    """Return what the package knows of duels with so many cards left."""
    content = unshrunk(FILE.read_bytes())
    size = 1 + len(Network(0).rounded())
    at = next(at for at in range(0, len(content), size) if content[at] == left)
    return content[at + 1 : at + size]


def parts_of(content: bytes) -> list[NDArray[np.int64]]:
    """Return the whole numbers of a network.

    Those of the ranks, of their pairs, of the pot, the first biases; the second weights, biases, the third.
    """
    left, found = np.frombuffer(content, "<i2").astype(np.int64), []
    first, second = WIDTHS[1:3]
    hands = (2 * RANKS, first), (RANKS * RANKS, first), (2, first), (first,)
    for shape in (*hands, (first, second), (second,), (KNOTS, second), (KNOTS,)):
        found.append(left[: np.prod(shape)].reshape(shape))
        left = left[np.prod(shape) :]
    return found


def highest(left: int, content: bytes) -> int:
    """Return what no sum of a network's first or second numbers can exceed, up or down, nor a part of one."""
    ranks, pairs, (pot, waits), first, second, below, *_ = parts_of(content)
    most_halves = sum(range(LOWEST + left, LOWEST + RANKS))
    rows = [(ranks[:RANKS], left), (ranks[RANKS:], left), (pairs, left * left), (np.stack([first, waits]), 2)]
    up, down = (
        np.maximum(most_halves * sign * pot, 0)
        + sum(np.sort(np.maximum(sign * each, 0), axis=0)[-held:].sum(axis=0) for each, held in rows)
        for sign in (1, -1)
    )
    later = [up @ np.maximum(sign * second, 0) + abs(below) * ONE for sign in (1, -1)]
    return int(max(each.max() for each in (up, down, *later)))


def main(folder: Path, cards: list[int]) -> None:
    """Learn of so many cards, or write what was learned."""
    for left in cards:
        duels = Duels(list(range(2, 2 + RANKS)), VICTORY)
        for each in range(RANKS - 1, left - 1, -1):
            duels.keep(folder, each)
        path = folder / f"worths-{left}"
        before = path.read_bytes() if path.exists() else b""
        path.write_bytes(learned(duels, left, before).rounded())
    if not cards:
        found = sorted(folder.glob("worths-*"), key=lambda path: int(path.name.removeprefix("worths-")))
        whole = b"".join(
            bytes([int(path.name.removeprefix("worths-"))]) + path.read_bytes() for path in found
        )
        FILE.write_bytes(shrunk(whole))
        print(f"{FILE.name}: {[path.name for path in found]}, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(each) for each in sys.argv[2:]])

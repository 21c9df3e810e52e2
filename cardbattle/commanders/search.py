"""Commanders that think ahead (determinization, rollouts, sequential halving).

To try a choice, the hidden cards are dealt again (determinization), and seasoned policies finish the battle
(a rollout). Open choices compete by sequential halving: all are tried in the same deals with the same random
numbers, and after each round the worse half drops out. The choice that the policy prefers never drops out;
only a clearly better choice replaces it.

Secret choices compete too, against opponents who follow the policy. Several secret choices in a row, such as
the spaces of a line, form one candidate. Candidates are choices that the policy is likely to make, or
variations of them; variations of the best candidates enter the next race.

Sources: Z. Karnin, T. Koren, O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013 (sequential
halving); M. Ginsberg, GIB: Imperfect Information in a Computationally Challenging Game, 2001
(determinization).
"""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from cardbattle.commanders.rollout import draw_index, play_out_by
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Chance, Drawn
from cardbattle.core.referee import Commander, Seat

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle
    from cardbattle.core.ruleset import Policy, RuleSet

TRIES: Final = 5  # average number of tries for each candidate that enters a race
LINES: Final = 32  # maximum number of candidates in a race
RACES: Final = 4  # number of successive races of lines (a line is a sequence of secret answers)
BEST_LINES: Final = 4  # number of best lines whose variations enter the next race
ADRIFT: Final = 5  # on average, one in this many answers of a new line is random
CAUTION: Final = 1  # minimum margin over the policy's own choice, in standard errors


class TimeUp(Exception):
    """The deadline passed while a commander was searching."""


class Candidate:
    """An answer to one question, or to several in a row, with the results of its tries."""

    def __init__(self, choices: list[int]) -> None:
        self.choices = choices
        self.payoffs: list[int] = []


@mypyc_attr(allow_interpreted_subclasses=True)
class Search:
    """The search for one decision.

    A try that would begin after the `deadline` (monotonic clock, seconds) raises TimeUp.
    """

    def __init__(self, rules: RuleSet, policy: Policy, chance: Chance) -> None:
        self.rules = rules
        self.policy = policy
        self.chance = chance
        self.deadline = inf

    def open_choice(self, seat: Seat, iterations: int) -> int:
        """Return the choice that wins a race; the policy's own choice unless another does clearly better."""
        racing = self.entrants(seat, max(2, iterations // TRIES))
        usual = racing[0]
        rounds = max(1, halvings(len(racing), 1))
        self.run_round(seat, racing, iterations // rounds)
        while len(racing) > 2:
            racing = better_half(racing)
            if usual not in racing:
                racing[-1] = usual
            self.run_round(seat, racing, iterations // rounds)
        rival = racing[-1] if racing[0] is usual else racing[0]
        return (rival if is_better(rival.payoffs, usual.payoffs) else usual).choices[0]

    def entrants(self, seat: Seat, most: int) -> list[Candidate]:
        """Return the policy's own choice first, then all others, or a sample of likely and random ones."""
        options = seat.view.options
        entrants = [options[seat.answer_by(self.policy, self.chance)]]
        others_left = [choice for choice in options if choice != entrants[0]]
        for _ in range(most // 3 if len(options) > most else 0):
            choice = options[seat.answer_by(self.policy, self.chance)]
            if choice in others_left:
                others_left.remove(choice)
                entrants.append(choice)
        self.chance.shuffle(others_left)
        return [Candidate([choice]) for choice in (entrants + others_left)[:most]]

    def secret_choices(self, seat: Seat, iterations: int) -> list[int]:
        """Return the winning answers to all secret questions in a row.

        `iterations` is the number of tries for each question. Several questions are raced repeatedly:
        variations of the best lines of one race enter the next.
        """
        racing = self.lines(seat, max(2, iterations // TRIES))
        length = len(racing[0].choices)
        if length == 1:
            return self.race_in_secret(seat, racing, iterations, 1)[0].choices
        share = iterations * length // RACES
        for _ in range(RACES - 1):
            best = self.race_in_secret(seat, racing, share, BEST_LINES)
            racing = self.lines_near(seat, best)
        return self.race_in_secret(seat, racing, share, 1)[0].choices

    def race_in_secret(
        self, seat: Seat, racing: list[Candidate], iterations: int, left: int
    ) -> list[Candidate]:
        """Return the best `left` candidates of a race of secret choices, best first."""
        rounds = halvings(len(racing), left)
        while len(racing) > left:
            self.run_round(seat, racing, iterations // rounds)
            racing = better_half(racing)
        return racing

    def lines_near(self, seat: Seat, best: list[Candidate]) -> list[Candidate]:
        """Return the best lines and variations of them: some answers swapped, or replaced by random ones."""
        lines = [candidate.choices for candidate in best]
        for number in range(3 * LINES):
            wished = best[self.chance.below(len(best))].choices.copy()
            for _ in range(1 + self.chance.below(2)):
                swap_any_two(wished, self.chance)
            line = self.follow_plan(seat.redeal(self.chance), wished, number % 2 == 1)
            if line not in lines and len(lines) < LINES:
                lines.append(line)
        return [Candidate(line) for line in lines]

    def follow_plan(self, battle: Battle, wished: list[int], is_adrift: bool) -> list[int]:
        """Return answers to all secret questions in a row, following the plan where possible."""
        side = battle.side
        line: list[int] = []
        while battle.side == side and battle.question in self.rules.sealed:
            offered = [choice for choice in wished if choice in battle.options]
            if not offered or (is_adrift and self.chance.below(ADRIFT) == 0):
                choice = self.chance.choice(battle.options)
            else:
                choice = offered[0]
            if choice in wished:
                wished.remove(choice)
            line.append(choice)
            battle.choose(battle.options.index(choice))
        return line

    def lines(self, seat: Seat, most: int) -> list[Candidate]:
        """Return all choices of a single secret question, or likely lines and variations of them."""
        options = seat.view.options
        if len(options) <= most and not self.is_in_a_row(seat):
            return [Candidate([choice]) for choice in options]
        most = min(most, LINES)
        lines: list[list[int]] = []
        for number in range(3 * most):
            line = self.line(seat.redeal(self.chance), number > most // 3)
            if line not in lines and len(lines) < most:
                lines.append(line)
        return [Candidate(line) for line in lines]

    def is_in_a_row(self, seat: Seat) -> bool:
        """Return True if this side gets more secret questions after this one."""
        battle = seat.redeal(self.chance)
        side = battle.side
        battle.choose(0)
        return battle.side == side and battle.question in self.rules.sealed

    def line(self, battle: Battle, is_adrift: bool) -> list[int]:
        """Return answers the policy might give to all secret questions in a row, some replaced at random."""
        rules, chance = self.rules, self.chance
        side = battle.side
        line: list[int] = []
        while battle.side == side and battle.question in rules.sealed:
            if is_adrift and chance.below(ADRIFT) == 0:
                index = chance.below(len(battle.options))
            else:
                index = self.policy(battle.fast_view(side), chance)
            line.append(battle.options[index])
            battle.choose(index)
        return line

    def run_round(self, seat: Seat, racing: list[Candidate], iterations: int) -> None:
        """Try all candidates in the race in the same deals, with the same random numbers."""
        for _ in range(max(1, iterations // len(racing))):
            dealt = seat.redeal(self.chance)
            side = dealt.side
            luck = self.luck()
            theirs = self.secret_answers(dealt, racing[0].choices) if len(racing[0].choices) > 1 else []
            for candidate in racing:
                choices = [candidate.choices, *theirs]
                candidate.payoffs.append(self.payoffs(dealt, choices, luck.copy())[side])

    def secret_answers(self, dealt: Battle, line: list[int]) -> list[list[int]]:
        """Return the policy's answers for each other side, which cannot see this side's answers."""
        battle = dealt.copy()
        side = battle.side
        battle.choose_all(line)
        answers: list[list[int]] = []
        last = side
        while battle.side not in (side, NOBODY) and battle.question in self.rules.sealed:
            if battle.side != last:
                last = battle.side
                answers.append([])
            index = self.policy(battle.fast_view(last), self.chance)
            answers[-1].append(battle.options[index])
            battle.choose(index)
        return answers

    def payoffs(self, dealt: Battle, given: list[list[int]], luck: Chance) -> list[int]:
        """Return the value of a dealt battle for each side after these choices, 0 to rollout.WHOLE.

        `given` has the choices of each side, in the order of the questions. Raises TimeUp after the deadline.
        """
        if self.deadline != inf and monotonic() > self.deadline:
            raise TimeUp
        battle = dealt.copy()
        battle.random_source = Drawn(luck)
        for choices in given:
            battle.choose_all(choices)
        return play_out_by(self.rules, self.policy, battle, luck)

    def luck(self) -> Chance:
        """Return the random stream for one try."""
        chance = self.chance
        return Chance(chance.bits(), chance.bits(), chance.bits(), 1)


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchCommander(Commander):
    """Searches before every answer, with a given number of tries.

    For an elite commander, exact solutions and learned policies of the rule set replace the search.
    """

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int, is_elite: bool = False) -> None:
        self.search = Search(rules, rules.seasoned, chance)
        self.iterations = iterations
        self.is_elite = is_elite
        self.learned = rules.learned if is_elite else None
        self.line: list[int] = []  # the remaining answers of the chosen line

    def answer(self, seat: Seat) -> int:
        """Return the option that the search finds best."""
        search, options = self.search, seat.view.options
        is_secret = seat.view.question in search.rules.sealed
        if self.is_elite:
            weights = search.rules.solution(seat.redeal(search.chance))
            if weights:
                return draw_index(weights, search.chance) if is_secret else self.of_the_best(seat, weights)
        learned = -1 if self.learned is None else seat.answer_by(self.learned, search.chance)
        if learned >= 0:
            return learned
        if not is_secret:
            return options.index(search.open_choice(seat, self.iterations))
        if not self.line or self.line[0] not in options:
            self.line = search.secret_choices(seat, self.iterations)
        return options.index(self.line.pop(0))

    def of_the_best(self, seat: Seat, weights: list[int]) -> int:
        """Return one of the best options; the policy's own choice if it is among them."""
        usual = seat.answer_by(self.search.policy, self.search.chance)
        return usual if weights[usual] else weights.index(max(weights))


def swap_any_two(line: list[int], chance: Chance) -> None:
    """Swap two random answers of a line."""
    a, b = chance.below(len(line)), chance.below(len(line))
    line[a], line[b] = line[b], line[a]


def halvings(entered: int, left: int) -> int:
    """Return the number of halvings until `left` candidates remain."""
    rounds = 0
    while entered > left:
        entered = (entered + 1) // 2
        rounds += 1
    return rounds


def better_half(racing: list[Candidate]) -> list[Candidate]:
    """Return the candidates with the better results."""
    ranked = sorted(racing, key=lambda candidate: -sum(candidate.payoffs))
    return ranked[: (len(ranked) + 1) // 2]


def is_better(challenger: list[int], champion: list[int]) -> bool:
    """Return True if one candidate did better than the other by a statistically clear margin."""
    differences = [a - b for a, b in zip(challenger, champion, strict=True)]
    gain = sum(differences)
    return gain > 0 and gain * gain > CAUTION * CAUTION * sum([each * each for each in differences])

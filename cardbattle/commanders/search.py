"""Commanders that think ahead by determinization, rollouts and sequential halving.

To evaluate a choice, the commander deals the hidden cards again (determinization) and lets seasoned policies
finish the battle (a rollout). Open choices compete by sequential halving. All choices are evaluated in the
same deals with the same random numbers, and after each round the worse half is dropped. The choice that the
policy prefers is never dropped, and only a clearly better choice can replace it.

Secret choices compete in the same way, against opponents who follow the policy. Several secret choices in a
row, such as the cards for a line of spaces, form one candidate: a sequence of answers, called a line. The
first candidates are choices that the policy is likely to make, and variations of these choices. Variations of
the best candidates are evaluated in the next race. At the end, the best line replaces the policy's own line
only if it is clearly better in new deals.

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

TRIES: Final = 5  # average number of rollouts for each candidate that enters a race
LINES: Final = 32  # maximum number of candidates in a race
RACES: Final = 4  # number of successive races between lines (a line is a sequence of secret answers)
BEST_LINES: Final = 4  # number of best lines whose variations enter the next race
ADRIFT: Final = 5  # on average, one answer in this many is random in a new line of answers
CAUTION: Final = 1  # standard errors by which a choice must beat the policy's own choice


class TimeUp(Exception):
    """The deadline passed while a commander was searching for an answer."""


class Candidate:
    """A candidate for a decision: one answer or several secret answers, and the results of its rollouts."""

    def __init__(self, choices: list[int]) -> None:
        self.choices = choices
        self.payoffs: list[int] = []


@mypyc_attr(allow_interpreted_subclasses=True)
class Search:
    """The search for one decision.

    After `deadline`, a time of the monotonic clock in seconds, the next rollout raises TimeUp.
    """

    def __init__(self, rules: RuleSet, policy: Policy, chance: Chance) -> None:
        self.rules = rules
        self.policy = policy
        self.chance = chance
        self.deadline = inf

    def open_choice(self, seat: Seat, iterations: int) -> int:
        """Return the choice that wins a race between choices, which is decided by rollouts.

        The choice of the policy wins unless another choice is clearly better.
        """
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
        """Return the candidates of a race. The policy's own choice is first.

        If there are more than `most` options, the candidates are the options that the policy is likely to
        choose, and a random sample of other options.
        """
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
        """Return the best answers to all secret questions that the side must answer in a row.

        `iterations` is the number of rollouts for each question. If there are several questions, there are
        several races, and variations of the best lines of one race enter the next race. The winner of the
        last race is then compared with the policy's own line.
        """
        racing = self.lines(seat, max(2, iterations // TRIES))
        usual = racing[0].choices
        if len(usual) == 1:
            return self.race_in_secret(seat, racing, iterations, 1)[0].choices
        share = iterations * len(usual) // (RACES + 1)
        for _ in range(RACES - 1):
            best = self.race_in_secret(seat, racing, share, BEST_LINES)
            racing = self.lines_near(seat, best)
        winner = self.race_in_secret(seat, racing, share, 1)[0].choices
        return self.better_line(seat, winner, usual, share)

    def better_line(self, seat: Seat, winner: list[int], usual: list[int], iterations: int) -> list[int]:
        """Return the winner of a race between lines if it is clearly better than the policy's own line.

        Otherwise, return the policy's line, `usual`. The winner was the best of many lines, partly by luck,
        so both lines are evaluated in new deals.
        """
        if winner == usual:
            return usual
        finalists = [Candidate(winner), Candidate(usual)]
        self.run_round(seat, finalists, iterations)
        return winner if is_better(finalists[0].payoffs, finalists[1].payoffs) else usual

    def race_in_secret(
        self, seat: Seat, racing: list[Candidate], iterations: int, left: int
    ) -> list[Candidate]:
        """Return the `left` best candidates of a race between secret choices. The best one comes first."""
        rounds = halvings(len(racing), left)
        while len(racing) > left:
            self.run_round(seat, racing, iterations // rounds)
            racing = better_half(racing)
        return racing

    def lines_near(self, seat: Seat, best: list[Candidate]) -> list[Candidate]:
        """Return the best lines of answers, and variations of these lines.

        In a variation, some answers are swapped, or replaced with random answers.
        """
        lines = [candidate.choices for candidate in best]
        for number in range(3 * LINES):
            if len(lines) == LINES:
                break
            wanted = best[self.chance.below(len(best))].choices.copy()
            for _ in range(1 + self.chance.below(2)):
                swap_any_two(wanted, self.chance)
            line = self.follow_plan(seat.redeal(self.chance), wanted, number % 2 == 1)
            if line not in lines:
                lines.append(line)
        return [Candidate(line) for line in lines]

    def follow_plan(self, battle: Battle, wanted: list[int], is_adrift: bool) -> list[int]:
        """Return answers to all secret questions that follow each other.

        The answers come from the list `wanted`. An answer is random if none of them is legal, and sometimes
        if `is_adrift` is True. The method plays on in `battle` itself.
        """
        side = battle.side
        line: list[int] = []
        while battle.side == side and battle.question in self.rules.sealed:
            offered = [choice for choice in wanted if choice in battle.options]
            if not offered or (is_adrift and self.chance.below(ADRIFT) == 0):
                choice = self.chance.choice(battle.options)
            else:
                choice = offered[0]
            if choice in wanted:
                wanted.remove(choice)
            line.append(choice)
            battle.choose(battle.options.index(choice))
        return line

    def lines(self, seat: Seat, most: int) -> list[Candidate]:
        """Return at most `most` candidates for a secret question.

        The candidates are all options. If there are too many options, or several secret questions in a row,
        the candidates are likely lines of answers. The policy's own line is first.
        """
        options = seat.view.options
        if len(options) <= most and not self.is_in_a_row(seat):
            return [Candidate([choice]) for choice in options]
        most = min(most, LINES)
        lines: list[list[int]] = []
        for number in range(3 * most):
            if len(lines) == most:
                break
            line = self.line(seat.redeal(self.chance), number > most // 3)
            if line not in lines:
                lines.append(line)
        return [Candidate(line) for line in lines]

    def is_in_a_row(self, seat: Seat) -> bool:
        """Return True if this side must answer another secret question directly after the current one."""
        battle = seat.redeal(self.chance)
        side = battle.side
        battle.choose(0)
        return battle.side == side and battle.question in self.rules.sealed

    def line(self, battle: Battle, is_adrift: bool) -> list[int]:
        """Return the policy's answers to all secret questions that follow each other.

        If `is_adrift` is True, some answers are random. The method plays on in `battle` itself.
        """
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
        """Evaluate all candidates of a race by rollouts in the same deals, with the same random numbers."""
        for _ in range(max(1, iterations // len(racing))):
            dealt = seat.redeal(self.chance)
            side = dealt.side
            luck = self.luck()
            theirs = self.answers_of_others(dealt, racing[0].choices)
            for candidate in racing:
                choices = [candidate.choices, *theirs]
                candidate.payoffs.append(self.payoffs(dealt, choices, luck.copy())[side])

    def answers_of_others(self, dealt: Battle, choices: list[int]) -> list[list[int]]:
        """Return the secret answers of the other sides for one rollout.

        The answers are chosen before the rollout in two cases: if a side has several secret questions in a
        row, or if other sides sometimes answer at random (see `RuleSet.random_rivals`). In all other cases,
        the list is empty, and the policy answers during the rollout.
        """
        if len(choices) > 1:
            return self.secret_answers(dealt, choices)
        rivals = self.rules.random_rivals
        if rivals and dealt.question in self.rules.sealed and self.chance.below(100) < rivals:
            return self.answers_by(None, dealt, choices)
        return []

    def secret_answers(self, dealt: Battle, line: list[int]) -> list[list[int]]:
        """Return the policy's answers for the other sides, regardless of this side's answers."""
        return self.answers_by(self.policy, dealt, line)

    def answers_by(self, policy: Policy | None, dealt: Battle, line: list[int]) -> list[list[int]]:
        """Return the secret answers of each of the other sides, given this side's answers in `line`.

        If `policy` is None, the answers are random.
        """
        battle = dealt.copy()
        side = battle.side
        battle.choose_all(line)
        answers: list[list[int]] = []
        last = side
        while battle.side not in (side, NOBODY) and battle.question in self.rules.sealed:
            if battle.side != last:
                last = battle.side
                answers.append([])
            if policy is None:
                index = self.chance.below(len(battle.options))
            else:
                index = policy(battle.fast_view(last), self.chance)
            answers[-1].append(battle.options[index])
            battle.choose(index)
        return answers

    def payoffs(self, dealt: Battle, given: list[list[int]], luck: Chance) -> list[int]:
        """Return the value of a battle for each side after some choices, from 0 to rollout.WHOLE.

        `given` has the choices of each side, in the order of the questions. Raises TimeUp if the deadline has
        passed.
        """
        if self.deadline != inf and monotonic() > self.deadline:
            raise TimeUp
        battle = dealt.copy()
        battle.random_source = Drawn(luck)
        for choices in given:
            battle.choose_all(choices)
        return play_out_by(self.rules, self.policy, battle, luck)

    def luck(self) -> Chance:
        """Return a new random stream for one rollout."""
        chance = self.chance
        return Chance(chance.bits(), chance.bits(), chance.bits(), 1)


@mypyc_attr(allow_interpreted_subclasses=True)
class SearchCommander(Commander):
    """A commander that searches before every answer, with a fixed number of rollouts.

    If the rule set has an exact solution or a learned policy for a question, an elite commander uses it in
    place of the search.
    """

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int, is_elite: bool = False) -> None:
        self.search = Search(rules, rules.seasoned, chance)
        self.iterations = iterations
        self.is_elite = is_elite
        self.learned = rules.learned if is_elite else None
        self.line: list[int] = []  # the answers of the chosen line that are not given yet

    def answer(self, seat: Seat) -> int:
        """Return the index of the option that the search rates best."""
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
        """Return one of the options with the greatest weight.

        If the weight of the policy's own choice is positive, return this choice.
        """
        usual = seat.answer_by(self.search.policy, self.search.chance)
        return usual if weights[usual] else weights.index(max(weights))


def swap_any_two(line: list[int], chance: Chance) -> None:
    """Swap two random elements of a line of answers."""
    a, b = chance.below(len(line)), chance.below(len(line))
    line[a], line[b] = line[b], line[a]


def halvings(entered: int, left: int) -> int:
    """Return the number of halvings after which at most `left` of `entered` candidates remain."""
    rounds = 0
    while entered > left:
        entered = (entered + 1) // 2
        rounds += 1
    return rounds


def better_half(racing: list[Candidate]) -> list[Candidate]:
    """Return the better half of the candidates by their results. An odd number is rounded up."""
    ranked = sorted(racing, key=lambda candidate: -sum(candidate.payoffs))
    return ranked[: (len(ranked) + 1) // 2]


def is_better(challenger: list[int], champion: list[int]) -> bool:
    """Return True if one candidate's results are better than another's by a statistically clear margin."""
    differences = [a - b for a, b in zip(challenger, champion, strict=True)]
    gain = sum(differences)
    return gain > 0 and gain * gain > CAUTION * CAUTION * sum([each * each for each in differences])

"""Run all laws on a rule set, and collect every failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from traceback import extract_tb, format_exception
from typing import NamedTuple

from cardbattle.core.chance import stream
from cardbattle.core.names import clean
from cardbattle.core.ruleset import RuleSet
from cardbattle.testing.kit.limits import OverLimit, limited
from cardbattle.testing.kit.option_effects import options_without_effect
from cardbattle.testing.laws import ENDING_LAWS, LAWS, RULE_LAWS, RuleLaw
from cardbattle.testing.setting_up import plain_setup, trials
from cardbattle.testing.trial import Endless, Law, NotTried, Trial

BATTLES = 12  # default number of battles for each law
SECONDS = 10.0  # default limit of processor time in seconds, for a law on one battle
MOST_ENDLESS = 3  # after this many endless battles, a law tries no more battles
MOST_STOPPED = 3  # after this many laws that exceed a limit, the other laws are skipped
MOST_WORDS = 400  # maximum number of characters in a reason
SETTING_UP = "battles_are_set_up"

ReportProgress = Callable[[int, int], None]


class Failure(NamedTuple):
    """One way in which a rule set breaks a law.

    Attributes:
        reason: the problem, in one line.
        place: the last line in the code of the rule set that ran, such as `battle.py:72 in clash`, or "" if
            no such line ran.
        battle: the number and the options of the battle, or "" if the law runs on the rule set itself.
        trace: the Python traceback.
        is_endless: True if the battle does not end or a limit was exceeded.

    """

    reason: str
    place: str
    battle: str
    trace: str
    is_endless: bool


class LawResult(NamedTuple):
    """The result of one law.

    Attributes:
        name: the name of the law.
        words: a description of the law.
        state: "passed", "failed" or "skipped".
        tried: the number of battles on which the law ran.
        failed: the number of battles in which the law failed.
        failures: the first failure of each kind.
        reason: the reason why the law was skipped, or "" if it was not skipped.

    """

    name: str
    words: str
    state: str
    tried: int = 0
    failed: int = 0
    failures: Sequence[Failure] = ()
    reason: str = ""


class KitReport(NamedTuple):
    """The results of all laws on one rule set.

    Attributes:
        rules: the key of the rule set.
        battles: the maximum number of battles for each law.
        results: the result of each law, in the order in which they ran.
        without_effect: the names of the options that had no effect, or None if the options were not tried.

    """

    rules: str
    battles: int
    results: Sequence[LawResult]
    without_effect: Sequence[str] | None = None

    @property
    def failed(self) -> list[LawResult]:
        """The results of the laws that the rule set breaks."""
        return [result for result in self.results if result.state == "failed"]


def run_laws(
    rules: RuleSet,
    battles: int = BATTLES,
    seconds: float = SECONDS,
    names: Sequence[str] = (),
    report_progress: ReportProgress = lambda done, total: None,
) -> KitReport:
    """Run laws on a rule set, and return a report. Each law runs on at most `battles` battles.

    `names` has the names of the laws to run. If it is empty, all laws run. If a law needs more than `seconds`
    of processor time for one battle, it is stopped and has failed. If all laws run and pass, the function
    also searches for options without effect.
    """
    return Run(rules, battles, seconds, names, report_progress).report()


class Run:
    """A run of the laws on one rule set, with the results so far."""

    def __init__(
        self,
        rules: RuleSet,
        battles: int,
        seconds: float,
        names: Sequence[str],
        report_progress: ReportProgress,
    ) -> None:
        self.rules = rules
        self.battles = battles
        self.seconds = seconds
        self.names = names
        self.report_progress = report_progress
        self.results: list[LawResult] = []
        self.stopped = 0  # number of laws that exceeded a limit

    def report(self) -> KitReport:
        """Run the laws and return their results."""
        for rule_law in RULE_LAWS:
            self.run_rule_law(rule_law)
        wanted = [law for law in LAWS if self.is_wanted(law.__name__)]
        if wanted:
            self.run_on_battles(wanted)
        passed = all(result.state != "failed" for result in self.results)
        without_effect = self.dead_options() if passed and not self.names else None
        return KitReport(self.rules.key, self.battles, self.results, without_effect)

    def run_on_battles(self, wanted: Sequence[Law]) -> None:
        """Run the selected laws that check a battle. The laws that detect infinite battles run first."""
        all_trials = self.set_up()
        samples = {law: sample(len(all_trials), law.__name__, self.battles) for law in wanted}
        fit = sorted({number for numbers in samples.values() for number in numbers})
        for law in ENDING_LAWS:
            fit = self.run_law(law, all_trials, fit)
        for law in wanted:
            if law not in ENDING_LAWS:
                self.run_law(law, all_trials, [number for number in samples[law] if number in fit])

    def run_rule_law(self, law: RuleLaw) -> None:
        """Run a law that checks the rule set itself."""
        if self.is_wanted(law.__name__):
            try:
                failure = self.failure_of(partial(law, self.rules), "")
            except NotTried as error:
                self.results.append(LawResult(law.__name__, words_of(law), "skipped", reason=str(error)))
            else:
                self.add(law, 1, [failure] if failure else [])

    def set_up(self) -> list[Trial]:
        """Return the trials on which the laws run.

        If the rule set cannot set up a battle, the method adds a failure, and the list is empty.
        """
        made: list[Trial] = []
        failure = self.failure_of(lambda: made.extend(trials(self.rules)), "")
        if not failure and not made:
            failure = self.failure_of(lambda: raise_rejection(self.rules), "")
        if failure:
            words = "every setup can be checked, dealt and begun"
            self.results.append(LawResult(SETTING_UP, words, "failed", 1, 1, [failure]))
        return made

    def run_law(self, law: Law, all_trials: Sequence[Trial], numbers: Sequence[int]) -> list[int]:
        """Run a law on the trials whose indices are in `numbers`.

        Returns the indices of the trials whose battles end.

        The method stops if a limit is exceeded, or after a few battles that do not end.
        """
        reason = self.why_not(all_trials, numbers)
        if reason:
            self.results.append(LawResult(law.__name__, words_of(law), "skipped", reason=reason))
            return []
        failures: list[Failure] = []
        ended: list[int] = []
        stopped = self.stopped
        tried = 0
        for number in numbers:
            trial = all_trials[number]
            failure = self.failure_of(partial(law, trial), f"battle {number}: {describe_trial(trial)}")
            tried += 1
            if failure:
                failures.append(failure)
            if not failure or not failure.is_endless:
                ended.append(number)
            if self.stopped > stopped or tried - len(ended) == MOST_ENDLESS:
                break
        if self.is_wanted(law.__name__) or failures:
            self.add(law, tried, failures)
        return ended

    def why_not(self, all_trials: Sequence[Trial], numbers: Sequence[int]) -> str:
        """Return the reason why a law cannot be tested on any battle, or "" if it can be tested."""
        if not all_trials:
            return "no battle could be set up"
        if not numbers:
            return "its battles do not end"
        return f"{MOST_STOPPED} laws ran into a limit" if self.stopped >= MOST_STOPPED else ""

    def failure_of(self, action: Callable[[], None], battle: str) -> Failure | None:
        """Run a function. If it raises an error, return a Failure. If it does not, return None."""
        try:
            with limited(self.seconds):
                action()
        except OverLimit as error:
            self.stopped += 1
            return self.failure(error, battle)
        except NotTried:
            raise
        except Exception as error:  # an author's code can raise any exception
            return self.failure(error, battle)
        return None

    def failure(self, error: BaseException, battle: str) -> Failure:
        """Convert an exception to a Failure."""
        trace = "".join(format_exception(error))
        is_endless = isinstance(error, (OverLimit, Endless))
        return Failure(reason_of(error), place_of(error, self.rules), battle, trace, is_endless)

    def add(self, law: Callable[..., None], tried: int, failures: Sequence[Failure]) -> None:
        """Add the result of a law, with the first failure of each kind."""
        kinds: dict[tuple[str, str], Failure] = {}
        for failure in failures:
            kinds.setdefault((failure.place, "" if failure.place else failure.reason), failure)
        first = list(kinds.values())[:3]
        state = "failed" if failures else "passed"
        self.results.append(LawResult(law.__name__, words_of(law), state, tried, len(failures), first))
        total = len(self.names) or len(RULE_LAWS) + len(LAWS)
        self.report_progress(min(len(self.results), total), total)

    def is_wanted(self, name: str) -> bool:
        """Return True if the user selected the law with this name."""
        return not self.names or name in self.names

    def dead_options(self) -> list[str]:
        """Return the names of the options without effect."""
        found: list[str] = []
        failure = self.failure_of(lambda: found.extend(options_without_effect(self.rules)), "")
        return [f"not tried: {failure.reason}"] if failure else found


def raise_rejection(rules: RuleSet) -> None:
    """Raise an AssertionError that says why the rule set rejects the default setup."""
    errors = rules.check(plain_setup(rules, len(rules.default_sides)))
    raise AssertionError(f"the default setup is rejected: {errors[0] if errors else 'no reason is given'}")


def sample(count: int, name: str, most: int) -> list[int]:
    """Return 0 and a random sample of other numbers below `count`, at most `most` numbers in total.

    The sample depends on `name`, the name of a law.

    >>> sample(100, "random_play_ends", 3)
    [0, 60, 61]
    """
    if count == 0:
        return []
    return [0, *sorted(stream(name, "trials").sample(most - 1, list(range(1, count))))]


def words_of(law: Callable[..., None]) -> str:
    """Return a description of a law, which is the first line of the law's docstring."""
    sentence = (law.__doc__ or law.__name__).partition("\n")[0].rstrip(".")
    return sentence.removeprefix("Check ").removeprefix("that ")


def describe_trial(trial: Trial) -> str:
    """Return a text that says how a trial differs from the default battle.

    >>> from cardbattle.rules import find
    >>> describe_trial(trials(find("wargame"))[1])
    'regular choices, first = brown'
    """
    rules, setup = trial.rules, trial.setup
    way = "regular choices" if trial.regular else "random choices"
    parts = [f"{way}, some of them unlisted" if trial.unasked else way]
    if len(setup.seats) != len(rules.default_sides):
        parts.append(f"{len(setup.seats)} sides")
    parts += [
        f"{key} = {value}" for key, value in setup.house.items() if not rules.house[key].is_default(value)
    ]
    for side, options in zip(setup.seats, setup.sides, strict=True):
        parts += [
            f"{side}.{key} = {value}"
            for key, value in options.items()
            if not rules.options[key].is_default(value)
        ]
    return ", ".join(parts)


def reason_of(error: BaseException) -> str:
    """Return the reason for an error on one line.

    If an assertion has no message, the reason is the source code of the assertion.
    """
    words = clean(" ".join(str(error).split()))
    if isinstance(error, AssertionError) and not words:
        frames = extract_tb(error.__traceback__)
        return f"this is not true: {(frames[-1].line or '?').removeprefix('assert ')}"
    kind = "" if isinstance(error, (AssertionError, OverLimit)) else f"{type(error).__name__}: "
    return f"{kind}{words}"[:MOST_WORDS]


def place_of(error: BaseException, rules: RuleSet) -> str:
    """Return the position of the last line of a traceback that belongs to the rule set.

    The result is "" if no line belongs to the rule set.
    """
    folders = [str(folder) for folder in folders_of(rules)]
    for frame in reversed(extract_tb(error.__traceback__)):
        if any(Path(frame.filename).is_relative_to(folder) for folder in folders):
            return f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
    return ""


def folders_of(rules: RuleSet) -> Iterator[Path]:
    """Yield the folder of a rule set's package if the package is on disk."""
    folder = resources.files(rules.package)
    if isinstance(folder, Path):
        yield folder

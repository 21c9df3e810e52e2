"""Test whether a rule set has all properties that the program relies on. Authors of rule sets use this.

A law is a property that every rule set must have. It is a function that raises AssertionError if a rule set
does not have the property. The argument of the laws in `RULE_LAWS` is a rule set. The argument of the laws in
`LAWS` is a `Trial`, which is a battle with random choices. Most laws in `LAWS` check only some questions of
the battle.

The function `check` runs all laws. A test suite can also run a law on its own. It can generate the choices of
a trial with Hypothesis, which finds the shortest list of choices that fails.

>>> from cardbattle.rules import find
>>> rules = find("strategy-war")
>>> for law in LAWS[:2]:
...     law(trials(rules)[0])
"""

from __future__ import annotations

from cardbattle.core.names import listed
from cardbattle.core.ruleset import RuleSet
from cardbattle.testing.kit.run import BATTLES, KitReport, run_laws, sample
from cardbattle.testing.laws import LAWS, RULE_LAWS, RuleLaw
from cardbattle.testing.setting_up import complete, setups, trial_of, trials
from cardbattle.testing.trial import Law, Trial, refought

__all__ = [
    "LAWS",
    "RULE_LAWS",
    "KitReport",
    "Law",
    "RuleLaw",
    "Trial",
    "check",
    "complete",
    "hold",
    "refought",
    "run_laws",
    "setups",
    "some_trials",
    "trial_of",
    "trials",
]


def check(rules: RuleSet, most: int = BATTLES) -> None:
    """Run all laws on a rule set. Each law runs on at most `most` battles.

    Raises AssertionError, which lists all failures, if a law fails. The command `cardbattle test-rules` runs
    the same laws and prints a report.
    """
    report = run_laws(rules, most)
    failures = [
        f"{result.name}: {failure.reason}\n  {failure.battle}\n{failure.trace}"
        for result in report.failed
        for failure in result.failures
    ]
    names = listed([result.name for result in report.failed])
    assert not failures, f"{rules.key} breaks {names}\n\n" + "\n".join(failures)


def hold(law: Law, trial: Trial) -> None:
    """Run a law on one battle.

    If the law raises an error, a note with the law and the battle is added to the error.
    """
    try:
        law(trial)
    except Exception as error:
        error.add_note(f"{law.__name__}: {trial}")
        raise


def some_trials(rules: RuleSet, law: Law, most: int) -> list[Trial]:
    """Return at most `most` trials of a rule set.

    These are the first trial and a random sample of the others. The sample is different for each law.
    """
    all_trials = trials(rules)
    return [all_trials[number] for number in sample(len(all_trials), law.__name__, most)]

"""Every law, on every rule set that is registered."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle import build_form
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.core.ruleset import RuleSet
from cardbattle.rules import RULE_SETS, find
from cardbattle.testing import (
    LAWS,
    RULE_LAWS,
    Law,
    RuleLaw,
    Trial,
    complete,
    hold,
    setups,
    some_trials,
    trial_of,
    trials,
)
from cardbattle.testing.kit.other_process import every_process_fights_the_same_battles

SPECIAL = sorted((Path(__file__).parents[1] / "battles").glob("*.toml"))
QUICK_RULE_LAWS = [law for law in RULE_LAWS if law is not every_process_fights_the_same_battles]
CHOICES = st.lists(st.integers(0, 255), max_size=120).map(tuple)


@pytest.fixture(params=RULE_SETS)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return find(str(request.param))


@pytest.mark.parametrize("law", QUICK_RULE_LAWS, ids=lambda law: law.__name__)
def test_a_rule_set_keeps_the_law(rules: RuleSet, law: RuleLaw) -> None:
    """The words, options and numbered rules of a rule set are sound."""
    law(rules)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_its_battles_keep_the_law(rules: RuleSet, law: Law) -> None:
    """A law holds in the default battle.

    The compiled form, which fights the same battles several times as fast, also tries three battles with
    other sides, options and seeds.
    """
    for trial in some_trials(rules, law, 1 if build_form() == "interpreted" else 4):
        hold(law, trial)


@pytest.mark.heavy
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_all_its_battles_keep_the_law(rules: RuleSet, law: Law) -> None:
    """A law holds in a battle of every setup, with several seeds."""
    for trial in trials(rules):
        for n in range(6):
            hold(law, trial_of(rules, trial.setup, f"{trial.seed}/{n}", n))


def special_trial(path: Path, n: int) -> Trial:
    """Return the battle of a file, fought in the n-th way."""
    plan = read_battle(tomllib.loads(path.read_text(encoding="utf-8")))
    seed = f"{path.stem}/{n}"
    return trial_of(plan.rules, complete(plan.rules, plan.setup, seed), seed, n)


@pytest.mark.slow
@pytest.mark.parametrize("path", SPECIAL, ids=lambda path: path.stem)
def test_a_special_battle_keeps_the_laws(path: Path) -> None:
    """Battles with rare situations (see the first line of each file): every other law is tried in each."""
    for n in range(SPECIAL.index(path) % 2, len(LAWS), 2):
        hold(LAWS[n], special_trial(path, n))


@pytest.mark.heavy
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("path", SPECIAL, ids=lambda path: path.stem)
def test_a_special_battle_keeps_a_law_for_long(path: Path, law: Law) -> None:
    """The same with several seeds."""
    for n in range(20):
        hold(law, special_trial(path, n))


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_some_law_holds_after_some_choices(key: str) -> None:
    """The laws hold after any few choices. A failure shrinks to fewer choices."""
    try_laws_on_drawn_choices(key, 40)


@pytest.mark.heavy
@pytest.mark.parametrize("key", RULE_SETS)
def test_every_law_holds_after_any_choices(key: str) -> None:
    """The same, longer."""
    try_laws_on_drawn_choices(key, 4000)


def try_laws_on_drawn_choices(key: str, examples: int) -> None:
    """Let Hypothesis draw a setup, choices and a law."""
    rules = find(key)

    @settings(max_examples=examples)
    @given(st.sampled_from(setups(rules)), st.integers(0, 99), CHOICES, st.sampled_from(LAWS))
    def drawn(setup: object, seed: int, choices: tuple[int, ...], law: Law) -> None:
        hold(law, Trial(rules, setup, seed, choices))  # type: ignore[arg-type]

    drawn()


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_rule_set_lists_its_cards(key: str) -> None:
    """Cards are counted only where `cards_in` names them."""
    trial = trials(find(key))[0]
    assert trial.rules.cards_in(trial.rules.start(trial.setup, trial.random_source()))


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_battle_is_the_same_in_every_process(key: str) -> None:
    """The hash seed and the order of sets do not affect a battle."""
    every_process_fights_the_same_battles(find(key))

"""The conformance kit for authors of rule sets: laws that every rule set must keep.

A law is a function that raises AssertionError if the rule set breaks it. The laws in `RULE_LAWS` take the
rule set itself. The laws in `LAWS` take a `Trial`: one battle with random choices, of which most laws check a
sample of questions. `check(rules)` runs all laws. A test suite can also run them one by one, and generate the
choices of a trial with Hypothesis so that failures shrink.

>>> from cardbattle.rules import find
>>> random_play_ends(trials(find("strategy-war"))[0])
"""

from __future__ import annotations

from collections.abc import Callable

from cardbattle.core.chance import stream
from cardbattle.core.ruleset import RuleSet
from cardbattle.testing.answering import (
    a_policy_answers_in_imagined_battles,
    a_policy_sees_its_view_only,
    best_play_answers_in_imagined_battles,
)
from cardbattle.testing.asking import (
    every_card_is_in_one_place,
    every_option_is_accepted,
    every_other_text_is_refused,
    options_are_distinct,
    random_play_ends,
)
from cardbattle.testing.copying import (
    a_copy_is_independent,
    a_replay_is_the_same,
    listening_changes_nothing,
    the_seed_agrees,
    the_state_shows_every_field,
)
from cardbattle.testing.dealing import (
    a_complete_setup_stays,
    a_setup_survives_a_file,
    typed_cards_stay,
    unknown_cards_are_never_played,
)
from cardbattle.testing.ending import seats_do_not_matter, the_outcome_is_sound
from cardbattle.testing.hiding import (
    a_question_not_asked_does_not_show,
    a_view_is_a_copy,
    a_view_tells_no_more_than_the_events,
    an_error_tells_nothing_hidden,
    best_play_knows_what_its_side_knows,
    events_tell_no_more_than_a_view,
    options_are_for_the_side_that_is_asked,
    who_is_asked_is_no_secret,
    who_looks_on_sees_what_all_know,
)
from cardbattle.testing.redealing import (
    redeal_deals_anew,
    redeal_does_not_know_the_truth,
    redeal_forgets_the_truth,
    redeal_keeps_what_the_viewer_knows,
)
from cardbattle.testing.rulebook import options_read_what_they_write, rules_are_numbered, the_words_are_there
from cardbattle.testing.setting_up import complete, setups, trial_of, trials
from cardbattle.testing.spelling import moves_have_forms
from cardbattle.testing.telling import events_are_json, the_tale_is_told
from cardbattle.testing.trial import Law, Trial, refought

__all__ = [
    "LAWS",
    "RULE_LAWS",
    "Law",
    "RuleLaw",
    "Trial",
    "check",
    "complete",
    "hold",
    "refought",
    "setups",
    "some_trials",
    "trial_of",
    "trials",
]

TRIALS = 12  # battles per law in `check`

RuleLaw = Callable[[RuleSet], None]

RULE_LAWS: list[RuleLaw] = [the_words_are_there, options_read_what_they_write, rules_are_numbered]
LAWS: list[Law] = [
    a_complete_setup_stays,
    a_setup_survives_a_file,
    typed_cards_stay,
    unknown_cards_are_never_played,
    random_play_ends,
    options_are_distinct,
    every_option_is_accepted,
    every_other_text_is_refused,
    every_card_is_in_one_place,
    a_copy_is_independent,
    the_state_shows_every_field,
    a_replay_is_the_same,
    the_seed_agrees,
    listening_changes_nothing,
    a_view_is_a_copy,
    options_are_for_the_side_that_is_asked,
    redeal_keeps_what_the_viewer_knows,
    redeal_deals_anew,
    redeal_does_not_know_the_truth,
    redeal_forgets_the_truth,
    a_policy_sees_its_view_only,
    a_policy_answers_in_imagined_battles,
    an_error_tells_nothing_hidden,
    a_view_tells_no_more_than_the_events,
    events_tell_no_more_than_a_view,
    a_question_not_asked_does_not_show,
    who_is_asked_is_no_secret,
    who_looks_on_sees_what_all_know,
    the_outcome_is_sound,
    seats_do_not_matter,
    the_tale_is_told,
    events_are_json,
    moves_have_forms,
    best_play_knows_what_its_side_knows,
    best_play_answers_in_imagined_battles,
]


def check(rules: RuleSet, most: int = TRIALS) -> None:
    """Run every law on a rule set, on `most` battles each. Raises AssertionError at the first failure."""
    for rule_law in RULE_LAWS:
        rule_law(rules)
    for law in LAWS:
        for trial in some_trials(rules, law, most):
            hold(law, trial)


def hold(law: Law, trial: Trial) -> None:
    """Run a law on one battle; add the law and the battle as a note to any error it raises."""
    try:
        law(trial)
    except Exception as error:
        error.add_note(f"{law.__name__}: {trial}")
        raise


def some_trials(rules: RuleSet, law: Law, most: int) -> list[Trial]:
    """Return up to `most` trials: the first one, and a random sample that differs from law to law."""
    all_trials = trials(rules)
    sample = stream(law.__name__, "trials").sample(most - 1, list(range(1, len(all_trials))))
    return [all_trials[at] for at in [0, *sorted(sample)]]

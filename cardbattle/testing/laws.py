"""List all laws in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

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
    steps_lead_to_a_question,
)
from cardbattle.testing.copying import (
    a_copy_is_independent,
    a_replay_is_the_same,
    listening_changes_nothing,
    the_seed_agrees,
    the_state_shows_every_field,
)
from cardbattle.testing.dealing import (
    a_battle_leaves_its_setup_unchanged,
    a_card_is_not_dealt_twice,
    a_complete_setup_stays,
    a_setup_survives_a_file,
    a_side_gets_no_secrets,
    typed_cards_stay,
    unknown_cards_are_never_played,
)
from cardbattle.testing.distribution import redeals_have_the_distribution_of_deals
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
from cardbattle.testing.kit.other_process import every_process_fights_the_same_battles
from cardbattle.testing.redealing import (
    options_follow_from_the_view,
    redeal_deals_anew,
    redeal_does_not_know_the_truth,
    redeal_forgets_the_truth,
    redeal_keeps_what_the_viewer_knows,
)
from cardbattle.testing.rulebook import options_read_what_they_write, rules_are_numbered, the_words_are_there
from cardbattle.testing.telling import (
    events_are_json,
    events_do_not_change,
    moves_have_forms,
    the_tale_is_told,
    what_a_player_sees_is_sound,
)
from cardbattle.testing.trial import Law

RuleLaw = Callable[[RuleSet], None]

RULE_LAWS: list[RuleLaw] = [
    the_words_are_there,
    options_read_what_they_write,
    rules_are_numbered,
    every_process_fights_the_same_battles,
]
ENDING_LAWS: list[Law] = [steps_lead_to_a_question, random_play_ends]  # these run first
LAWS: list[Law] = [
    *ENDING_LAWS,
    a_battle_leaves_its_setup_unchanged,
    a_card_is_not_dealt_twice,
    a_complete_setup_stays,
    a_setup_survives_a_file,
    a_side_gets_no_secrets,
    typed_cards_stay,
    unknown_cards_are_never_played,
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
    options_follow_from_the_view,
    redeal_keeps_what_the_viewer_knows,
    redeal_deals_anew,
    redeal_does_not_know_the_truth,
    redeal_forgets_the_truth,
    redeals_have_the_distribution_of_deals,
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
    events_do_not_change,
    what_a_player_sees_is_sound,
    moves_have_forms,
    best_play_knows_what_its_side_knows,
    best_play_answers_in_imagined_battles,
]

"""Laws about policies, which are the functions that choose for computer players.

A policy must answer after hidden cards were dealt again, which is called a redeal, and must use only
information that its side has.
"""

from __future__ import annotations

from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn
from cardbattle.core.ruleset import MILLION, Policy
from cardbattle.testing.contents import contents
from cardbattle.testing.trial import Trial

WHOLE = 1000  # the estimate of a certain win
STRAYS = 6  # number of random choices made in a redealt battle


def a_policy_sees_its_view_only(trial: Trial) -> None:
    """Check that the policies answer legally and use only information that their side has.

    The policies are the regular and the seasoned policy. A policy must give the same answer for `view` and
    `fast_view`, and the same answer after the cards that are hidden from its side are dealt again.
    """
    for referee in trial.points():
        for n in range(3):
            check_policies(trial, referee.battle, trial.chance(f"redeal/{n}"))


def a_policy_answers_in_imagined_battles(trial: Trial) -> None:
    """Check that policies answer in redeals for another side.

    Such a redeal replaces the cards of the side that must choose. The question can then have only one option,
    or options that are not possible in a real battle. The law also checks policies after further choices.
    """
    chance = trial.chance("imagined")
    for way in (trial, among_regulars(trial)):
        for referee in way.questions(listen=False):
            battle = referee.battle
            check_policies(
                trial, battle.redeal(other_than(battle.side, battle.sides, chance), chance), chance
            )
    for referee in trial.points(4):
        for viewer in trial.seats:
            stray(trial, referee.battle.redeal(viewer, chance), chance)


def among_regulars(trial: Trial) -> Trial:
    """Return the same trial with choices of the regular policy.

    With these choices, battles reach questions that they rarely reach with random choices.
    """
    return Trial(trial.rules, trial.setup, trial.seed, trial.choices, trial.unasked, True)


def best_play_answers_in_imagined_battles(trial: Trial) -> None:
    """Check that best play, option values and estimates are valid in redeals for another side."""
    chance = trial.chance("imagined")
    for referee in trial.points(4):
        battle = referee.battle
        redealt = battle.redeal(other_than(battle.side, battle.sides, chance), chance)
        weights = trial.rules.solution(redealt)
        assert len(weights) in (0, len(redealt.options)), (
            f"solution() gives {len(weights)} weights for the options {texts(trial, redealt)}"
        )
        values = trial.rules.option_values(redealt)
        assert len(values) in (0, len(redealt.options)), (
            f"option_values() gives {len(values)} values for the options {texts(trial, redealt)}"
        )
        assert all(0 <= value <= MILLION for value in values), (
            f"the option values {values} are not between 0 and {MILLION}"
        )
        for side in trial.seats:
            share = trial.rules.estimate(redealt, side)
            assert 0 <= share <= WHOLE, f"the estimate of side {side} is {share}, not 0 to {WHOLE}"


def other_than(side: int, sides: int, chance: Chance) -> int:
    """Return a random side that is not `side`."""
    return (side + 1 + chance.below(sides - 1)) % sides


def stray(trial: Trial, battle: Battle, chance: Chance) -> None:
    """Make several random choices.

    After each choice, the function checks the policies in a redeal for a random side.
    """
    battle.random_source = Drawn(chance)
    for _ in range(STRAYS):
        if battle.side == NOBODY:
            return
        check_policies(trial, battle, chance)
        battle.choose(chance.below(len(battle.options)))
        battle = battle.redeal(chance.below(battle.sides), chance)
        battle.random_source = Drawn(chance)


def check_policies(trial: Trial, battle: Battle, chance: Chance) -> None:
    """Check both policies in a battle, and in a redeal that looks the same to the side that must choose."""
    if battle.side != NOBODY:
        redealt = battle.redeal(battle.side, chance)
        for policy in (trial.rules.regular, trial.rules.seasoned):
            check_policy(trial, battle, redealt, policy)


def check_policy(trial: Trial, battle: Battle, redealt: Battle, policy: Policy) -> None:
    """Check that a policy answers legally and changes no battle.

    The policy must also give the same answer in `redealt`.
    """
    before = contents(battle)
    answer = policy(battle.view(battle.side), trial.chance("policy"))
    assert 0 <= answer < len(battle.options), (
        f"the answer {answer} is not an index into the options {texts(trial, battle)}"
    )
    fast_answer = policy(battle.fast_view(battle.side), trial.chance("policy"))
    assert fast_answer == answer, "a policy answers differently with fast_view"
    assert contents(battle) == before, "a policy changed the battle"
    for view in (redealt.view(battle.side), redealt.fast_view(battle.side)):
        assert policy(view, trial.chance("policy")) == answer, "a policy uses hidden information"


def texts(trial: Trial, battle: Battle) -> list[str]:
    """Return the texts of the options of a battle."""
    return [trial.rules.choice_text(battle, choice) for choice in battle.options]

"""Laws of policies: they answer in every redealt battle, and use only what their side knows."""

from __future__ import annotations

from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn
from cardbattle.core.ruleset import MILLION, Policy
from cardbattle.testing.contents import contents
from cardbattle.testing.trial import Trial

WHOLE = 1000  # an estimate of 1000 means a certain win
STRAYS = 6  # random choices made in a redealt battle


def a_policy_sees_its_view_only(trial: Trial) -> None:
    """Check that the regular and seasoned policies answer legally and use only what their side knows.

    They must give the same answer with `view` and `fast_view`, and after the cards hidden from their side
    are dealt again.
    """
    for referee in trial.points():
        for n in range(3):
            check_policies(trial, referee.battle, trial.chance(f"redeal/{n}"))


def a_policy_answers_in_imagined_battles(trial: Trial) -> None:
    """Check the policies in battles redealt for another side, and after further choices there.

    Such a redeal replaces the cards of the side that must choose. Its question can then have a single option,
    or options that no real battle would offer.
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
    """Return the trial with regular commanders, who reach questions that random choices rarely reach."""
    return Trial(trial.rules, trial.setup, trial.seed, trial.choices, trial.unasked, True)


def best_play_answers_in_imagined_battles(trial: Trial) -> None:
    """Check best play, option values and estimates in battles redealt for another side."""
    chance = trial.chance("imagined")
    for referee in trial.points(4):
        battle = referee.battle
        redealt = battle.redeal(other_than(battle.side, battle.sides, chance), chance)
        weights = trial.rules.solution(redealt)
        assert len(weights) in (0, len(redealt.options)), (
            f"the weights {weights} do not match {texts(trial, redealt)}"
        )
        values = trial.rules.option_values(redealt)
        assert len(values) in (0, len(redealt.options)), (
            f"the values {values} do not match {texts(trial, redealt)}"
        )
        assert all(0 <= value <= MILLION for value in values), f"{values} are not between 0 and {MILLION}"
        for side in trial.seats:
            share = trial.rules.estimate(redealt, side)
            assert 0 <= share <= WHOLE, f"side {side} has an estimate of {share}, not 0 to {WHOLE}"


def other_than(side: int, sides: int, chance: Chance) -> int:
    """Return a random other side."""
    return (side + 1 + chance.below(sides - 1)) % sides


def stray(trial: Trial, battle: Battle, chance: Chance) -> None:
    """Check the policies before each of several random choices, and redeal for a random side after each."""
    battle.random_source = Drawn(chance)
    for _ in range(STRAYS):
        if battle.side == NOBODY:
            return
        check_policies(trial, battle, chance)
        battle.choose(chance.below(len(battle.options)))
        battle = battle.redeal(chance.below(battle.sides), chance)
        battle.random_source = Drawn(chance)


def check_policies(trial: Trial, battle: Battle, chance: Chance) -> None:
    """Check both policies in a battle, and in a redeal that looks the same to the policy's side."""
    if battle.side != NOBODY:
        redealt = battle.redeal(battle.side, chance)
        for policy in (trial.rules.regular, trial.rules.seasoned):
            check_policy(trial, battle, redealt, policy)


def check_policy(trial: Trial, battle: Battle, redealt: Battle, policy: Policy) -> None:
    """Check that a policy answers legally, changes nothing, and answers the same in an equivalent battle."""
    before = contents(battle)
    answer = policy(battle.view(battle.side), trial.chance("policy"))
    assert 0 <= answer < len(battle.options), f"{answer} is not an index into {texts(trial, battle)}"
    fast_answer = policy(battle.fast_view(battle.side), trial.chance("policy"))
    assert fast_answer == answer, "a policy answers differently with fast_view"
    assert contents(battle) == before, "a policy changed the battle"
    for view in (redealt.view(battle.side), redealt.fast_view(battle.side)):
        assert policy(view, trial.chance("policy")) == answer, "a policy uses hidden information"


def texts(trial: Trial, battle: Battle) -> list[str]:
    """Return the texts of the options."""
    return [trial.rules.choice_text(battle, choice) for choice in battle.options]

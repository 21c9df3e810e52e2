"""Laws of policies: they answer in any battle that somebody may imagine, by what their side knows."""

from __future__ import annotations

from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn
from cardbattle.core.ruleset import MILLION, Policy
from cardbattle.testing.contents import contents
from cardbattle.testing.trial import Trial

WHOLE = 1000  # what `estimate` divides between the sides
STRAYS = 6  # choices by which a battle strays from the one that was fought


def a_policy_sees_its_view_only(trial: Trial) -> None:
    """Check that a regular and a seasoned player answer legally and by what they know, seen or shared at.

    In a redealt battle, where only what they cannot know differs, they answer the same.
    """
    for referee in trial.points():
        for n in range(3):
            check_policies(trial, referee.battle, trial.chance(f"redeal/{n}"))


def a_policy_answers_in_imagined_battles(trial: Trial) -> None:
    """Check the same in battles as others imagine them, and in those that choices lead on to from there.

    Another side deals anew what it cannot know, and with it what the side that is asked has. So a
    question may come with one option, or with such as no battle would have offered.
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
    """Return the same trial fought by regulars, who come to questions that drawn choices seldom do."""
    return Trial(trial.rules, trial.setup, trial.seed, trial.choices, trial.unasked, True)


def best_play_answers_in_imagined_battles(trial: Trial) -> None:
    """Check that best play, the worths of options and the estimate of a battle hold there too."""
    chance = trial.chance("imagined")
    for referee in trial.points(4):
        battle = referee.battle
        imagined = battle.redeal(other_than(battle.side, battle.sides, chance), chance)
        weights = trial.rules.solution(imagined)
        assert len(weights) in (0, len(imagined.options)), f"{weights} are not for {texts(trial, imagined)}"
        worths = trial.rules.option_values(imagined)
        assert len(worths) in (0, len(imagined.options)), f"{worths} are not for {texts(trial, imagined)}"
        assert all(0 <= worth <= MILLION for worth in worths), f"{worths} are not out of a million"
        for side in trial.seats:
            share = trial.rules.estimate(imagined, side)
            assert 0 <= share <= WHOLE, f"side {side} is to win {share} out of {WHOLE}"


def other_than(side: int, sides: int, chance: Chance) -> int:
    """Return another side, each equally likely."""
    return (side + 1 + chance.below(sides - 1)) % sides


def stray(trial: Trial, battle: Battle, chance: Chance) -> None:
    """Go on in an imagined battle by any choices, dealt anew for anybody after each, and ask the policies."""
    battle.fate = Drawn(chance)
    for _ in range(STRAYS):
        if battle.side == NOBODY:
            return
        check_policies(trial, battle, chance)
        battle.choose(chance.below(len(battle.options)))
        battle = battle.redeal(chance.below(battle.sides), chance)
        battle.fate = Drawn(chance)


def check_policies(trial: Trial, battle: Battle, chance: Chance) -> None:
    """Check what the policies answer in a battle, and in one their side cannot tell from it."""
    if battle.side != NOBODY:
        other = battle.redeal(battle.side, chance)
        for policy in (trial.rules.regular, trial.rules.seasoned):
            check_policy(trial, battle, other, policy)


def check_policy(trial: Trial, battle: Battle, other: Battle, policy: Policy) -> None:
    """Check what one policy answers, and that it answers the same in another battle that looks alike."""
    before = contents(battle)
    answer = policy(battle.view(battle.side), trial.chance("policy"))
    assert 0 <= answer < len(battle.options), f"{answer} is the place of none of {texts(trial, battle)}"
    shared = policy(battle.fast_view(battle.side), trial.chance("policy"))
    assert shared == answer, "the shared view does not show what a view does"
    assert contents(battle) == before, "a policy changed the battle"
    for shown in (other.view(battle.side), other.fast_view(battle.side)):
        assert policy(shown, trial.chance("policy")) == answer, "a policy knows what it cannot know"


def texts(trial: Trial, battle: Battle) -> list[str]:
    """Return the options of a battle in words."""
    return [trial.rules.choice_text(battle, choice) for choice in battle.options]

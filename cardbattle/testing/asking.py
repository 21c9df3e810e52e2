"""Laws about questions.

All options must be accepted, any other text must be rejected, and no card may get lost.
"""

from __future__ import annotations

from cardbattle.core.battle import NOBODY, STEP, Battle
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import clean
from cardbattle.core.referee import OFFERED, Referee, comparable
from cardbattle.testing.contents import contents, count_cards, differ
from cardbattle.testing.trial import MOST_CHOICES, Endless, Trial

MOST_STEPS = 10_000  # maximum number of steps between two questions


def steps_lead_to_a_question(trial: Trial) -> None:
    """Check that the steps of the agenda lead to a question or to the end of the battle.

    A step is a multiple of 16, to which the seat of a side is added.
    """
    battle = trial.rules.start(trial.setup.copy(), trial.random_source())
    assert isinstance(battle, Battle), "start() returns no Battle"
    chance = trial.chance("choices")
    for choice_count in range(MOST_CHOICES):
        run_steps(battle)
        if battle.side == NOBODY:
            return
        battle.begin_choice(trial.pick(battle, choice_count, chance))


def run_steps(battle: Battle) -> None:
    """Run the agenda until the next question, as `Battle.run` does.

    Raises Endless after 10,000 steps.
    """
    steps: list[int] = []
    while battle.side == NOBODY and battle.todo:
        step = battle.todo.pop()
        steps.append(step)
        assert 0 <= step % STEP < battle.sides, f"step {step} is for side {step % STEP}, which does not exist"
        if len(steps) == MOST_STEPS:
            raise Endless(f"no question after {MOST_STEPS:,} steps; the last are {steps[-6:]}")
        battle.step(step - step % STEP, step % STEP)


def random_play_ends(trial: Trial) -> None:
    """Check that the battle ends, and that every question before the end has an option."""
    for referee in trial.questions(listen=False):
        battle = referee.battle
        assert battle.sides == len(trial.seats), (
            f"the battle has {battle.sides} sides, not {len(trial.seats)}"
        )
        assert battle.side in trial.seats, f"side {battle.side} does not exist"
        assert battle.options, f"side {battle.side} has no option at question {battle.question}"


def options_are_distinct(trial: Trial) -> None:
    """Check that no two choices have the same number or text, and that the texts are printable ASCII."""
    for referee in trial.questions():
        battle = referee.battle
        choices = [*battle.options, *battle.unoffered]
        assert len(set(choices)) == len(choices), f"a choice is offered twice: {choices}"
        texts = [referee.text(index) for index in range(len(choices))]
        assert len({comparable(text) for text in texts}) == len(texts), (
            f"two choices have the same text: {texts}"
        )
        for text in texts:
            assert text.isascii() and text.isprintable() and text == " ".join(text.split()) != "", text


def every_option_is_accepted(trial: Trial) -> None:
    """Check that each choice can be found by its text and is accepted.

    After the choice, the battle must ask a question or have an outcome.
    """
    for referee in trial.points(4):
        for index in range(len(referee.battle.options) + len(referee.battle.unoffered)):
            assert referee.find(referee.text(index)) == index
            copy = referee.battle.copy()
            copy.choose(index)
            if copy.is_over():
                copy.outcome()
            else:
                assert copy.side in trial.seats and copy.options


def every_other_text_is_refused(trial: Trial) -> None:
    """Check that a text that is not a legal choice is rejected with a helpful error, and changes nothing."""
    texts = [*NASTY, *all_texts(trial)]
    for referee in trial.points(4):
        legal = {
            comparable(referee.text(i)) for i in range(len(referee.battle.options + referee.battle.unoffered))
        }
        before = contents(referee.battle)
        written = (referee.moves.copy(), referee.checks.copy(), len(referee.events))
        for text in texts:
            if comparable(text) not in legal:
                helps(referee, text)
        assert contents(referee.battle) == before, "a rejected text changed the battle"
        assert (referee.moves, referee.checks, len(referee.events)) == written


NASTY = [
    "",
    " ",
    "\x1b[2J",
    "pass pass",
    "0",
    "-1",
    "KS+",
    "+",
    "'",
    "play",
    "play ",
    "play KS KS KS",
    "commit",
    "commit 1",
    "deploy 99 99",
    "\u202eKS",
    "\ud800",
    "٣",
    "nonsense " * 200,
    "__class__",
    "{0}",
    "fate",
]


def all_texts(trial: Trial) -> list[str]:
    """Return a random sample of the texts of all options in this battle."""
    texts = list(dict.fromkeys(text for referee in trial.questions() for text in referee.texts()))
    return [texts[at] for at in trial.chance("texts").sample(20, list(range(len(texts))))]


def helps(referee: Referee, text: str) -> None:
    """Check that the referee rejects a text with an error of one line that lists the options."""
    try:
        index = referee.find(text)
    except IllegalMove as error:
        line = str(error)
    else:
        raise AssertionError(f"{text!r} was accepted as {referee.text(index)!r}")
    assert clean(line) == line, f"the error is not clean: {line!r}"
    assert all(option in line for option in referee.texts()[:OFFERED]), line


def every_card_is_in_one_place(trial: Trial) -> None:
    """Check that `cards_in` returns the same cards at every question and at the end."""
    first = trial.rules.start(trial.setup.copy(), trial.random_source())
    cards = count_cards(trial.rules, first)
    for referee in trial.questions():
        current = count_cards(trial.rules, referee.battle)
        assert current == cards, f"{differ(cards, current)} after {referee.moves[-3:]}"
    ended = trial.fight().battle
    assert count_cards(trial.rules, ended) == cards, differ(cards, count_cards(trial.rules, ended))

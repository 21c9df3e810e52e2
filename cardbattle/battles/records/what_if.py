"""Change one decision of a recorded battle, and let computer players finish the battle.

The computer players are regular commanders. A side can change only its own decisions. The cards that the side
did not know at the time of the decision are dealt again. Therefore the changed battle reveals nothing that
the record hides from the side. The umpire can change every decision, and no cards are dealt again.

The random numbers depend only on the decision and the new option. If they depended on the seed of the battle,
a side could use them to test guesses about the seed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, takewhile
from typing import NamedTuple

from cardbattle.battles.records.reader_view import Report
from cardbattle.battles.records.record import Record, fraction_text
from cardbattle.battles.records.replay import Boundary, is_guessed
from cardbattle.battles.records.visible_steps import FATE, StepCounter, VisibleStep, boundaries
from cardbattle.core.battle import NOBODY, Battle, Event
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.names import clean, listed
from cardbattle.core.referee import OFFERED, choice_words, comparable, find_choice

PATH = "what if"  # path of the random streams
MOVE = "move "  # prefix of a decision that is named by its move, such as "move 3"
STEP = "step"


class RecordedDecision(NamedTuple):
    """A decision in a recorded battle, with the information that one reader of the record is allowed to see.

    Attributes:
        step: the number of the step that contains the results of the decision, counted from 1.
        move: the number of the move, counted from 1. If the reader is a side, only the side's own moves are
            counted.
        side: the seat that chose.
        key: the key of the side that chose.
        choice: the chosen option as recorded, or "" if the record does not contain it because the side had
            no choice.
        options: the texts of the options.
        words: the name of the step, such as "space 1, second special".
        before: the state of the battle when the side chose.
        place: the index of the choice among the results of `visible_steps.boundaries`.

    """

    step: int
    move: int
    side: int
    key: str
    choice: str
    options: list[str]
    words: str
    before: Battle
    place: int

    @property
    def others(self) -> list[str]:
        """The texts of the options that the side did not choose."""
        return [text for text in self.options if comparable(text) != comparable(self.choice)]


def decisions_of(record: Record, viewer: int | None = None) -> list[RecordedDecision]:
    """Return the decisions in a recorded battle that a reader can change.

    `viewer` is the seat of the reader, who can change only the decisions of this seat. If `viewer` is None,
    the reader is the umpire, who can change the decisions of all sides.

    Decisions with only one option are left out, and decisions that the program guessed in a battle with real
    cards. Raises ReplayMismatch if the replay differs from the record.
    """
    return [
        decision
        for decision in every_decision(record, viewer)
        if decision.others
        and viewer in (None, decision.side)
        and not is_guessed(record, decision.before, decision.choice)
    ]


def every_decision(record: Record, viewer: int | None) -> Iterator[RecordedDecision]:
    """Yield the decisions of all sides in order, with the information that the reader `viewer` sees."""
    counter = StepCounter(record.rules, record.setup, viewer)
    waiting: list[RecordedDecision] = []  # decisions whose step is not complete
    before = None
    for place, boundary in enumerate(boundaries(record)):
        moves_made = counter.moves
        step = counter.note(boundary)
        if before is not None:
            texts = [choice_words(record.rules, before, n) for n in range(len(before.options))]
            key = record.seats[before.side]
            choice = next((move for move in boundary.moves if not move.startswith(FATE)), "")
            text = choice.partition(" ")[2]
            waiting.append(
                RecordedDecision(0, moves_made + 1, before.side, key, text, texts, "", before, place)
            )
        if step is not None:
            yield from (decision._replace(step=step.number, words=step.words) for decision in waiting)
            waiting.clear()
        before = boundary.battle if boundary.battle.side != NOBODY else None
    step_words = counter.places.words()
    yield from (decision._replace(step=counter.number, words=step_words) for decision in waiting)


def find_decision(decisions: Sequence[RecordedDecision], at: str, option: str) -> RecordedDecision:
    """Return the decision at a step or at a move.

    `at` is the number of a step, such as "7" or "step 7", or the number of a move, such as "move 3".

    If a step has several decisions, the function returns the one with the option `option`. Raises
    InvalidInput, which lists the possibilities, if no decision or several decisions match.
    """
    candidates = decisions_at(decisions, at)
    name = clean(f"step {at.strip()}" if at.strip().isdigit() else at)
    if not candidates:
        steps = list(dict.fromkeys(str(decision.step) for decision in decisions))
        raise InvalidInput(f"{name} has no decision to change; choose {some_of(steps)}")
    fitting = [decision for decision in candidates if has_option(decision, option)]
    if len(fitting) == 1 or len(candidates) == 1:
        return (fitting or candidates)[0]
    names = [f"move {decision.move} ({decision.key} {decision.choice})" for decision in fitting or candidates]
    raise InvalidInput(f"{name} has several decisions; choose {some_of(names)}")


def decisions_at(decisions: Sequence[RecordedDecision], at: str) -> list[RecordedDecision]:
    """Return the decisions at a step, such as "7" or "step 7", or at a move, such as "move 3"."""
    name = at.strip().casefold()
    if name.startswith(MOVE):
        return [decision for decision in decisions if str(decision.move) == name.removeprefix(MOVE).strip()]
    return [decision for decision in decisions if str(decision.step) == name.removeprefix(STEP).strip()]


def has_option(decision: RecordedDecision, text: str) -> bool:
    """Return True if the side could have chosen `text` but did not. `text` can begin with its key."""
    wanted = comparable(without_key(decision, text))
    return any(comparable(option) == wanted for option in decision.others)


def without_key(decision: RecordedDecision, text: str) -> str:
    """Return the text of an option without the key of the side, such as "play KH" for "york play KH"."""
    return text.strip().removeprefix(f"{decision.key} ").strip()


def some_of(texts: Sequence[str]) -> str:
    """Join texts for a sentence, such as "a, b or c". If there are more than a dozen, leave out the rest."""
    if len(texts) <= OFFERED:
        return listed(texts, "or")
    return f"one of {', '.join(texts[:OFFERED])}, ... ({len(texts)} in all)"


class OtherBattle(NamedTuple):
    """A recorded battle with one decision changed, as one reader sees it.

    Attributes:
        decision: the changed decision.
        option: the option that the side chose instead of the recorded option.
        report: the changed battle from beginning to end, as the reader sees it.
        shared: the number of events before the decision. These events are the same as in the record.
        steps: all steps after the decision. The first element is the last step before the decision, if there
            is such a step.
        record: the original record with the result of the changed battle. It still has the original moves.

    """

    decision: RecordedDecision
    option: str
    report: Report
    shared: int
    steps: list[VisibleStep]
    record: Record


def fight_on(record: Record, report: Report, decision: RecordedDecision, option: str) -> OtherBattle:
    """Change one decision of a record, and let regular commanders finish the battle.

    If the decision is part of a secret choice, the recorded answers of the other sides are kept if they are
    legal, because these sides did not know the changed answer. If the reader of the report is a side, only
    its own answers are kept. Regular commanders make all other choices.

    Raises IllegalMove if the side did not have the option `option`. Raises InvalidInput if the side chose
    this option in the record.
    """
    rules, viewer = record.rules, report.viewer
    text = without_key(decision, option)
    index = find_choice(rules, decision.before, decision.key, text)
    text = choice_words(rules, decision.before, index)
    if comparable(text) == comparable(decision.choice):
        raise InvalidInput(f"{decision.key} chose {text} in the record; choose {some_of(decision.others)}")
    chance = stream(PATH, f"{rules.key}/{decision.move}/{comparable(text)}")
    counter = StepCounter(rules, record.setup, viewer)
    steps = [step for step in map(counter.note, islice(boundaries(record), decision.place)) if step]
    shared = counter.events
    before = decision.before
    battle = before.complete_copy(chance) if viewer is None else before.redeal(viewer, chance)
    battle.random_source = Drawn(chance)
    secret_moves = secret_answers(record, viewer, decision)
    events = report.events[:shared]
    steps = steps[-1:]
    for boundary in boundaries_from(battle, record, index, secret_moves, chance):
        step = counter.note(boundary)
        events += [(counter.moves, event) for event in visible_to(viewer, boundary.events)]
        steps += [step] if step else []
    outcome = battle.outcome()
    scores = [battle.score(seat) for seat in range(battle.sides)]
    changed = report._replace(
        events=events,
        winners=outcome.winners,
        reason=outcome.reason,
        scores=scores,
        losses=[fraction_text(Fraction(*lost)) for lost in outcome.losses],
    )
    ended = record._replace(winning_seats=outcome.winners, reason=outcome.reason, scores=scores)
    return OtherBattle(decision, text, changed, shared, steps, ended)


def visible_to(viewer: int | None, events: list[Event]) -> list[Event]:
    """Return the events as a reader sees them. The umpire sees all events with all their fields."""
    if viewer is None:
        return [event.all_seeing() for event in events]
    return [seen for event in events if (seen := event.seen_by(viewer)) is not None]


def secret_answers(
    record: Record, viewer: int | None, decision: RecordedDecision
) -> defaultdict[int, list[str]]:
    """Return a dictionary from seats to their answers in the same secret choice, after a decision.

    If the reader is a side, the result has only the answers of this side.
    """
    sealed = record.rules.sealed
    answers: defaultdict[int, list[str]] = defaultdict(list)
    if decision.before.question not in sealed:
        return answers
    later = (each for each in every_decision(record, viewer) if each.place > decision.place)
    for each in takewhile(lambda each: each.before.question in sealed, later):
        if viewer in (None, each.side):
            answers[each.side].append(each.choice)
    return answers


def boundaries_from(
    battle: Battle, record: Record, index: int, secret_moves: defaultdict[int, list[str]], chance: Chance
) -> Iterator[Boundary]:
    """Fight a battle from a decision to the end, and yield its state after each step of the agenda.

    `index` is the index of the option that is chosen first. `secret_moves` has recorded answers by seat.
    They are used until the secret choice ends.
    """
    rules, next_index = record.rules, index
    is_first = True
    while True:
        battle.log, moves = [], []
        if battle.side != NOBODY:
            if not is_first:
                next_index = next_choice(battle, record, secret_moves, chance)
            is_first = False
            moves = [f"{record.seats[battle.side]} {choice_words(rules, battle, next_index)}"]
            battle.begin_choice(next_index)
        elif battle.todo:
            step = battle.todo.pop()
            battle.step(step & ~15, step & 15)
        else:
            return
        yield Boundary(battle.copy(), battle.log, moves)


def next_choice(
    battle: Battle, record: Record, secret_moves: defaultdict[int, list[str]], chance: Chance
) -> int:
    """Return the index of the option to choose next.

    This is a recorded secret answer in `secret_moves`, or the choice of a regular commander.
    """
    rules, answers = record.rules, secret_moves[battle.side]
    if battle.question not in rules.sealed:
        secret_moves.clear()
    while answers and battle.question in rules.sealed:
        try:
            return find_choice(rules, battle, record.seats[battle.side], answers.pop(0))
        except IllegalMove:
            break
    return rules.regular(battle.fast_view(battle.side), chance)

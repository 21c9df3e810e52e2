"""Fight the battles on which laws are checked, and replay battles from their moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, RandomSource, stream
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import clean
from cardbattle.core.referee import Recorded, Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import Block

MOST_CHOICES = 20_000  # a battle with more choices counts as endless
POINTS = 8  # default number of questions in a battle at which a law is checked

Law = Callable[["Trial"], None]


class Endless(AssertionError):
    """The error that is raised if a battle or a series of steps does not end."""


class NotTried(Exception):
    """The error that is raised if a law cannot run on a rule set. The message has the reason."""


class Trial:
    """A battle on which a law is checked.

    A trial has a complete setup, a seed, and settings for how sides choose.

    Attributes:
        choices: numbers that determine the first choices. Each number modulo the number of options is the
            index of an option. The seed determines all later choices.
        unasked: if this is n, on average one in n choices is a legal choice that is not listed as an option.
            If it is 0, all choices are options.
        regular: True if the regular policy makes three of four choices.

    """

    def __init__(
        self,
        rules: RuleSet,
        setup: Setup,
        seed: int | str = 1,
        choices: tuple[int, ...] = (),
        unasked: int = 0,
        regular: bool = False,
    ) -> None:
        self.rules = rules
        self.setup = setup
        self.seed = seed
        self.choices = choices
        self.unasked = unasked
        self.regular = regular

    def __str__(self) -> str:
        sides = dict(zip(self.setup.seats, self.setup.sides, strict=True))
        return (
            f"{self.rules.key} with seed {self.seed!r}, choices {list(self.choices)}, one in "
            f"{self.unasked} unasked, regular {self.regular}, house {self.setup.house}, sides {sides}, "
            f"deal {self.setup.deal}"
        )

    @property
    def seats(self) -> range:
        """The seats of the battle."""
        return range(len(self.setup.seats))

    def random_source(self) -> RandomSource:
        """Return the random source of this battle in its initial state."""
        return Drawn(stream(self.seed, "battle"))

    def chance(self, use: str) -> Chance:
        """Return a random stream for a law. It is independent of the random events of the battle."""
        return stream(self.seed, f"trial/{use}")

    def questions(self, listen: bool = True) -> Iterator[Referee]:
        """Fight the battle, and yield the referee at every question.

        All results are the same object, which changes. The next choice is made when the iteration continues.
        """
        referee = Referee(self.rules, self.setup.copy(), self.random_source(), listen)
        chance = self.chance("choices")
        choice_count = 0
        while not referee.battle.is_over():
            yield referee
            if choice_count == MOST_CHOICES:
                raise Endless(f"no end after {choice_count:,} choices, at {describe_question(referee)}")
            referee.choose(self.pick(referee.battle, choice_count, chance))
            choice_count += 1

    def pick(self, battle: Battle, choice_count: int, chance: Chance) -> int:
        """Return the index of the next choice. `choice_count` is the number of choices so far."""
        offered = len(battle.options)
        if choice_count < len(self.choices):
            return self.choices[choice_count] % offered
        if self.unasked and battle.unoffered and chance.below(self.unasked) == 0:
            return offered + chance.below(len(battle.unoffered))
        if self.regular and chance.below(4):
            return self.rules.regular(battle.view(battle.side), chance)
        return chance.below(offered)

    def fight(self, listen: bool = True) -> Referee:
        """Fight the battle to its end, and return its referee."""
        asked = list(self.questions(listen))
        return asked[-1] if asked else Referee(self.rules, self.setup.copy(), self.random_source(), listen)

    def points(self, most: int = POINTS) -> Iterator[Referee]:
        """Fight the battle, and yield the referee at some of the questions, at most `most`.

        If the trial has `choices`, there is only one result, at the question after the last of these choices.
        """
        asked = sum(1 for _ in self.questions(listen=False))
        if self.choices:
            chosen = [min(len(self.choices), asked - 1)]
        else:
            chosen = [0, asked - 1, *self.chance("points").sample(most - 2, list(range(asked)))]
        for choice_count, referee in enumerate(self.questions()):
            if choice_count in chosen:
                yield referee


def describe_question(referee: Referee) -> str:
    """Return a text for an error message that describes the current question of a battle."""
    return f"question {referee.battle.question} for {referee.key}: {', '.join(referee.texts()[:6])}"


class Tape:
    """An object from which a replay takes the moves of a battle, one after the other."""

    def __init__(self, moves: list[str]) -> None:
        self.moves = moves
        self.read = 0

    def take(self, beginning: str) -> str:
        """Return the next move without the words `beginning`.

        Raises IllegalMove if the move does not begin with these words.
        """
        if self.read == len(self.moves):
            raise IllegalMove("the record ends before the battle")
        move = self.moves[self.read]
        if not move.startswith(f"{beginning} "):
            raise IllegalMove(f"move {self.read + 1} must begin with {beginning}, got {clean(move[:60])}")
        self.read += 1
        return move.removeprefix(f"{beginning} ")


def refought(
    rules: RuleSet,
    setup: Setup,
    moves: list[str],
    witness: RandomSource | None = None,
    watch: Callable[[Referee], None] | None = None,
) -> Referee:
    """Replay a battle from its moves, and return the referee.

    `witness` is a source of random events, which must be the same as those in the moves. The function `watch`
    is called at every question, before the answer. Raises IllegalMove if a move is not legal.
    """
    tape = Tape(moves)
    random_source = Recorded(rules, setup.seats, lambda beginning: tape.take(f"fate {beginning}"), witness)
    referee = Referee(rules, setup.copy(), random_source)
    while not referee.battle.is_over():
        if watch is not None:
            watch(referee)
        referee.choose(referee.find(tape.take(referee.key)))
    assert tape.read == len(moves), f"the record has moves after the end of the battle: {moves[tape.read :]}"
    return referee


def full_tale(referee: Referee, viewer: int | None) -> list[Block]:
    """Return the complete log of a battle, as the seat `viewer` sees it.

    If `viewer` is None, return the log that the umpire sees.
    """
    tale = referee.rules.tale(referee.setup)
    return [block for _, event in referee.events_for(viewer) for block in tale.describe(event)]


def play_on(battle: Battle, chance: Chance) -> None:
    """Fight a battle to its end with random choices.

    Raises Endless after 20,000 choices.
    """
    battle.random_source = Drawn(chance)
    for _ in range(MOST_CHOICES):
        if battle.side == NOBODY:
            return
        battle.choose(chance.below(len(battle.options)))
    raise Endless(f"no end after {MOST_CHOICES:,} choices")

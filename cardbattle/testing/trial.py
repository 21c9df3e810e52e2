"""One battle for checking laws, and the replay of a battle from its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, RandomSource, stream
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import clean
from cardbattle.core.referee import Recorded, Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import Block

MOST_CHOICES = 20_000  # a battle with more questions counts as endless
POINTS = 8  # questions per battle that a law checks

Law = Callable[["Trial"], None]


class Trial:
    """One battle to check a law on: a complete setup, a seed, and a way to choose.

    Attributes:
        choices: the first choices, each taken modulo the number of options; the seed determines the rest.
        unasked: one choice in this many is an accepted choice that is not offered; 0 for none.
        regular: True to take three choices of four from the regular policy.

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
        """Return the random source of this battle, at its beginning."""
        return Drawn(stream(self.seed, "battle"))

    def chance(self, use: str) -> Chance:
        """Return a random stream for a law, independent of the battle."""
        return stream(self.seed, f"trial/{use}")

    def questions(self, listen: bool = True) -> Iterator[Referee]:
        """Fight the battle and yield its referee at every question.

        The same referee is yielded each time; it makes the next choice when the iteration continues.
        """
        referee = Referee(self.rules, self.setup.copy(), self.random_source(), listen)
        chance = self.chance("choices")
        choice_count = 0
        while not referee.battle.is_over():
            yield referee
            assert choice_count < MOST_CHOICES, f"the battle does not end within {choice_count} choices"
            referee.choose(self.pick(referee.battle, choice_count, chance))
            choice_count += 1

    def pick(self, battle: Battle, choice_count: int, chance: Chance) -> int:
        """Return the index of the next choice, after `made` choices."""
        offered = len(battle.options)
        if choice_count < len(self.choices):
            return self.choices[choice_count] % offered
        if self.unasked and battle.unoffered and chance.below(self.unasked) == 0:
            return offered + chance.below(len(battle.unoffered))
        if self.regular and chance.below(4):
            return self.rules.regular(battle.view(battle.side), chance)
        return chance.below(offered)

    def fight(self, listen: bool = True) -> Referee:
        """Fight the battle to its end and return its referee."""
        asked = list(self.questions(listen))
        return asked[-1] if asked else Referee(self.rules, self.setup.copy(), self.random_source(), listen)

    def points(self, most: int = POINTS) -> Iterator[Referee]:
        """Fight the battle and yield its referee at up to `most` questions.

        If `choices` were given, yield it only at the question after them.
        """
        asked = sum(1 for _ in self.questions(listen=False))
        if self.choices:
            chosen = [min(len(self.choices), asked - 1)]
        else:
            chosen = [0, asked - 1, *self.chance("points").sample(most - 2, list(range(asked)))]
        for choice_count, referee in enumerate(self.questions()):
            if choice_count in chosen:
                yield referee


class Tape:
    """Reads the moves of a battle in order."""

    def __init__(self, moves: list[str]) -> None:
        self.moves = moves
        self.read = 0

    def take(self, beginning: str) -> str:
        """Return the rest of the next move after these words. Raises IllegalMove if it begins differently."""
        if self.read == len(self.moves):
            raise IllegalMove("the record ends before the battle")
        move = self.moves[self.read]
        if not move.startswith(f"{beginning} "):
            raise IllegalMove(f"move {self.read + 1} begins with {beginning}, not {clean(move[:60])}")
        self.read += 1
        return move.removeprefix(f"{beginning} ")


def refought(
    rules: RuleSet,
    setup: Setup,
    moves: list[str],
    witness: RandomSource | None = None,
    watch: Callable[[Referee], None] | None = None,
) -> Referee:
    """Replay a battle from its moves and return its referee. Raises IllegalMove if they are not legal.

    `witness` is a second random source that must agree with the recorded chance. `watch` is called at every
    question, before the answer.
    """
    tape = Tape(moves)
    random_source = Recorded(rules, setup.seats, lambda beginning: tape.take(f"fate {beginning}"), witness)
    referee = Referee(rules, setup.copy(), random_source)
    while not referee.battle.is_over():
        if watch is not None:
            watch(referee)
        referee.choose(referee.find(tape.take(referee.key)))
    assert tape.read == len(moves), f"moves beyond the end: {moves[tape.read :]}"
    return referee


def full_tale(referee: Referee, viewer: int | None) -> list[Block]:
    """Return the whole tale of a battle for one reader."""
    tale = referee.rules.tale(referee.setup)
    return [block for _, event in referee.events_for(viewer) for block in tale.describe(event)]


def play_on(battle: Battle, chance: Chance) -> None:
    """Fight a battle to its end with random choices. Raises AssertionError after 20,000 choices."""
    battle.random_source = Drawn(chance)
    for _ in range(MOST_CHOICES):
        if battle.side == NOBODY:
            return
        battle.choose(chance.below(len(battle.options)))
    raise AssertionError("the battle does not end")

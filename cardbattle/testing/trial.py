"""A battle to try laws on, and how one is fought again from its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cardbattle.core.battle import NOBODY, Battle
from cardbattle.core.chance import Chance, Drawn, Fate, stream
from cardbattle.core.errors import IllegalMove
from cardbattle.core.names import clean
from cardbattle.core.referee import Recorded, Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import Block

MOST_CHOICES = 20_000  # a battle that asks more often never ends
POINTS = 8  # questions of a battle at which a law looks

Law = Callable[["Trial"], None]


class Trial:
    """One battle to try a law on: a complete setup, its seed, and how choices are drawn.

    The first choices are `choices`, each taken modulo the number of options, so any list of
    numbers is a battle; the seed draws the rest. One choice in `unasked` is one of those that
    are accepted but not offered (0: none). With `regular` three of four are the regular
    commander's, so that the battle is fought as battles are.
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

    def fate(self) -> Fate:
        """Return the chance of this battle from its beginning."""
        return Drawn(stream(self.seed, "battle"))

    def chance(self, use: str) -> Chance:
        """Return a stream of this trial that the battle does not draw from."""
        return stream(self.seed, f"trial/{use}")

    def questions(self, listen: bool = True) -> Iterator[Referee]:
        """Fight the battle to its end and stop at every question.

        It is one referee all the time, who goes on when the caller does.
        """
        referee = Referee(self.rules, self.setup.copy(), self.fate(), listen)
        chance = self.chance("choices")
        made = 0
        while not referee.battle.is_over():
            yield referee
            assert made < MOST_CHOICES, f"the battle still goes on after {made} choices"
            referee.choose(self.pick(referee.battle, made, chance))
            made += 1

    def pick(self, battle: Battle, made: int, chance: Chance) -> int:
        """Return the index of the choice to make after `made` others."""
        offered = len(battle.options)
        if made < len(self.choices):
            return self.choices[made] % offered
        if self.unasked and battle.unoffered and chance.below(self.unasked) == 0:
            return offered + chance.below(len(battle.unoffered))
        if self.regular and chance.below(4):
            return self.rules.regular(battle.view(battle.side), chance)
        return chance.below(offered)

    def fight(self, listen: bool = True) -> Referee:
        """Return the referee of the battle when it is over."""
        asked = list(self.questions(listen))
        return asked[-1] if asked else Referee(self.rules, self.setup.copy(), self.fate(), listen)

    def points(self, most: int = POINTS) -> Iterator[Referee]:
        """Fight the battle and stop at some questions; with drawn choices at the one after them."""
        asked = sum(1 for _ in self.questions(listen=False))
        if self.choices:
            chosen = [min(len(self.choices), asked - 1)]
        else:
            chosen = [0, asked - 1, *self.chance("points").sample(most - 2, list(range(asked)))]
        for made, referee in enumerate(self.questions()):
            if made in chosen:
                yield referee


class Tape:
    """The moves of a battle, read one after the other."""

    def __init__(self, moves: list[str]) -> None:
        self.moves = moves
        self.read = 0

    def take(self, words: str) -> str:
        """Return what follows these words in the next move; IllegalMove if it does not begin with them."""
        if self.read == len(self.moves):
            raise IllegalMove("the record ends before the battle")
        move = self.moves[self.read]
        if not move.startswith(f"{words} "):
            raise IllegalMove(f"move {self.read + 1} begins with {words}, not {clean(move[:60])}")
        self.read += 1
        return move.removeprefix(f"{words} ")


def refought(
    rules: RuleSet,
    setup: Setup,
    moves: list[str],
    witness: Fate | None = None,
    watch: Callable[[Referee], None] | None = None,
) -> Referee:
    """Return the referee of a battle fought again from its moves; IllegalMove if they do not fit.

    `watch` looks at every question before it is answered.
    """
    tape = Tape(moves)
    fate = Recorded(rules, setup.seats, lambda words: tape.take(f"fate {words}"), witness)
    referee = Referee(rules, setup.copy(), fate)
    while not referee.battle.is_over():
        if watch is not None:
            watch(referee)
        referee.choose(referee.find(tape.take(referee.key)))
    assert tape.read == len(moves), f"moves beyond the end: {moves[tape.read :]}"
    return referee


def full_tale(referee: Referee, viewer: int | None) -> list[Block]:
    """Return the whole tale of a battle for one reader."""
    tale = referee.rules.tale(referee.setup)
    return [block for _, event in referee.events_for(viewer) for block in tale.tell(event)]


def play_on(battle: Battle, chance: Chance) -> None:
    """Fight a battle to its end by random choices; AssertionError if it does not end after 20 000."""
    battle.fate = Drawn(chance)
    for _ in range(MOST_CHOICES):
        if battle.side == NOBODY:
            return
        battle.choose(chance.below(len(battle.options)))
    raise AssertionError("the battle does not end")

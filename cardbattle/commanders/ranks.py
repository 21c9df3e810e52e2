"""The ranks of commanders, and how to create one by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mypy_extensions import mypyc_attr

from cardbattle.commanders.search import SearchCommander, TimeUp
from cardbattle.core.errors import CardbattleError, Diagnostic, IllegalMove, InvalidInput, UsageError
from cardbattle.core.names import key_error, nearest, quoted, write_one_of
from cardbattle.core.referee import Commander, Seat
from cardbattle.rules.plug_in_loader import FIRST_API_VERSION, load_all

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance
    from cardbattle.core.ruleset import RuleSet

DEFAULT = "regular"
MOST_ITERATIONS = 1_000_000


class Rank(NamedTuple):
    """One kind of commander: its description, and how to create it.

    Attributes:
        words: a description in a few words.
        make: creates a commander from rule set, random stream and number of tries (0 for the default).
        thinks: True if it thinks ahead, so that `NAME:iterations=N` is allowed and answers take time.
        api_version: the plug-in API it was written for (`cardbattle.plugin.API_VERSION`).

    """

    words: str
    make: Callable[[RuleSet, Chance, int], Commander]
    thinks: bool = False
    api_version: int = FIRST_API_VERSION


@mypyc_attr(allow_interpreted_subclasses=True)
class Green(Commander):
    """Chooses uniformly at random."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int = 0) -> None:
        self.chance = chance

    def answer(self, seat: Seat) -> int:
        """Return a random option."""
        return self.chance.below(seat.count)


@mypyc_attr(allow_interpreted_subclasses=True)
class Regular(Commander):
    """Plays by the rule set's simple tactics."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int = 0) -> None:
        self.policy = rules.regular
        self.chance = chance

    def answer(self, seat: Seat) -> int:
        """Return the choice of the rule set's regular tactics."""
        return seat.answer_by(self.policy, self.chance)


@mypyc_attr(allow_interpreted_subclasses=True)
class Seasoned(Regular):
    """Plays by the rule set's best rules of thumb."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int = 0) -> None:
        super().__init__(rules, chance)
        self.policy = rules.seasoned


@mypyc_attr(allow_interpreted_subclasses=True)
class Orders(Commander):
    """Answers from a list in order; when the list ends, another commander takes over.

    An order that is not an option raises InvalidInput with its position, counted from `at`; the first
    `skipped` orders were carried out before. With `passes`, the other commander answers instead of the error.
    """

    def __init__(
        self,
        orders: Sequence[str],
        then: Commander,
        at: tuple[str | int, ...],
        skipped: int = 0,
        passes: bool = False,
    ) -> None:
        self.passes = passes
        self.orders = list(orders)
        self.then = then
        self.at = at
        self.skipped = skipped
        self.next = 0

    def answer(self, seat: Seat) -> int:
        """Return the index of the next order. Raises InvalidInput with its place if it is not an option."""
        if self.next == len(self.orders):
            return self.then.answer(seat)
        order = self.orders[self.next]
        self.next += 1
        try:
            return seat.find(order)
        except IllegalMove as error:
            if self.passes:
                return self.then.answer(seat)
            at = (*self.at, self.skipped + self.next - 1)
            raise InvalidInput([Diagnostic(str(error), at=at)]) from None


def remaining_orders(commander: Commander) -> list[str]:
    """Return the answers that a commander's lists still hold, in order; none for other commanders."""
    if not isinstance(commander, Orders):
        return []
    return commander.orders[commander.next :] + remaining_orders(commander.then)


class Waits(InvalidInput):
    """A human player must answer a question first."""


class CommanderFailed(InvalidInput):
    """An engine has ended, was too late, or gave no legal answer; `name` is its name."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"engine {name} {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the error as its arguments."""
        return CommanderFailed, (self.name, self.reason)


@mypyc_attr(allow_interpreted_subclasses=True)
class Person(Commander):
    """A human player; the answers come from outside the program."""

    def __init__(self, key: str) -> None:
        self.key = key

    def answer(self, seat: Seat) -> int:
        """Raise Waits, always."""
        text = f"a person commands {self.key}; fight it with `cardbattle play`, or name another commander"
        raise Waits([Diagnostic(text, at=("sides", self.key, "commander"))])


def veteran(rules: RuleSet, chance: Chance, iterations: int) -> Commander:
    """Return a commander with the search time that the rule set specifies for a veteran."""
    return SearchCommander(rules, chance, iterations or rules.iterations["veteran"])


def elite(rules: RuleSet, chance: Chance, iterations: int) -> Commander:
    """Return a commander with the search time that the rule set specifies for an elite commander.

    If the rule set specifies none, the commander plays as a veteran.
    """
    if "elite" not in rules.iterations:
        return veteran(rules, chance, iterations)
    return SearchCommander(rules, chance, iterations or rules.iterations["elite"], is_elite=True)


RANKS = {
    "green": Rank("picks any legal choice at random", Green),
    "regular": Rank("plays by rules of thumb of its own for each rule set; the default", Regular),
    "seasoned": Rank("plays by the best rules of thumb of each rule set, and never thinks ahead", Seasoned),
    "veteran": Rank("thinks ahead: tries each choice in simulated battles", veteran, True),
    "elite": Rank("thinks ahead several times as long, or plays an exact solution", elite, True),
}
ORDERS = "orders"
ORDERS_WORDS = "follows the orders of a battle file, then hands over to another commander"
HUMAN = "human"
HUMAN_WORDS = "a person, who plays the side with `cardbattle play`"


GROUP = "cardbattle.commanders"
ENGINE = "engine"  # the commander `engine:NAME`
ENGINE_WORDS = "a program of your own, which speaks the engine protocol"
engines: dict[str, Rank] = {}  # by name: the engines that the user lets run; see `cardbattle.engines.host`


def is_engine(name: str) -> bool:
    """Return True if a commander is an engine, such as `engine:bold`."""
    return name.partition(":")[0] == ENGINE


def engine_error(name: str) -> str:
    """Return why an engine cannot command a side, or ""."""
    engine = name.partition(":")[2]
    if engine in engines:
        return ""
    if key_error(engine):
        return f"{quoted(name)} names no engine; write engine:NAME"
    return f"engine {quoted(engine)} may not run here; resolve, play and match run it with --engine {engine}"


@cache
def plug_ins() -> dict[str, Rank]:
    """Return the commanders of plug-ins by name; a broken plug-in causes a warning."""
    return load_all(GROUP, Rank, [*RANKS, ORDERS, HUMAN, ENGINE])


def find_rank(name: str) -> Rank | None:
    """Return the rank with this name, such as `elite` or `elite:iterations=4000`, or None."""
    word = name.partition(":")[0]
    return RANKS[word] if word in RANKS else plug_ins().get(word)


def thinks_ahead(name: str) -> bool:
    """Return True if a commander with this name thinks ahead; False if the name is unknown."""
    rank = find_rank(name)
    return rank is not None and rank.thinks


def rank_error(text: object, orders: bool = True) -> str:
    """Return why `text` is not the name of a commander, or "".

    >>> rank_error("vetran")
    'unknown commander "vetran"; did you mean "veteran"?'
    >>> rank_error("elite:iterations=4000")
    ''
    """
    if not isinstance(text, str):
        return f"expected a commander in quotes, got {quoted(text)}"
    if is_engine(text):
        return engine_error(text)
    name, colon, options = text.partition(":")
    special = [ORDERS, HUMAN] if orders else []
    if name not in special and find_rank(name) is None:
        names = [*RANKS, *plug_ins(), *special]
        hint = nearest(name, names) or f"{write_one_of(names)}, or install its plug-in"
        return f"unknown commander {quoted(name)}{hint}"
    if not colon:
        return ""
    if not thinks_ahead(name):
        return f"commander {name} takes no options"
    word, _, number = options.partition("=")
    if word != "iterations":
        return f"commander {name} has no option {quoted(word)}; write {name}:iterations=4000"
    if not is_count(number):
        return (
            f"iterations of {name}: expected a whole number from 1 to {MOST_ITERATIONS}, got {quoted(number)}"
        )
    return ""


def is_count(text: str) -> bool:
    """Return True if a text is a number of iterations, in plain digits."""
    return text.isascii() and text.isdigit() and len(text) < 9 and 0 < int(text) <= MOST_ITERATIONS


def make_commander(name: str, rules: RuleSet, chance: Chance) -> Commander:
    """Return a new commander of this rank, such as `elite:iterations=4000`, with this random stream.

    Raises UsageError for an unknown rank or invalid iterations (1 to 1,000,000).
    """
    problem = rank_error(name, orders=False)
    if problem:
        raise UsageError(problem)
    word, _, options = name.partition(":")
    if word == ENGINE:
        return engines[options].make(rules, chance, 0)
    rank = find_rank(name)
    assert rank is not None  # checked by rank_error
    iterations = int(options.partition("=")[2] or 0)
    if word in RANKS:
        return rank.make(rules, chance, iterations)
    try:
        return CheckedCommander(word, rank.make(rules, chance, iterations))
    except Exception as error:
        raise plug_in_error(word, error) from error


@mypyc_attr(allow_interpreted_subclasses=True)
class CheckedCommander(Commander):
    """A commander from a plug-in, whose answers are checked before they reach the battle."""

    def __init__(self, name: str, inner: Commander) -> None:
        self.name = name
        self.inner = inner

    def answer(self, seat: Seat) -> int:
        """Return the answer. Raises InvalidInput if the plug-in fails or its answer is not an index."""
        try:
            answer: object = self.inner.answer(seat)
        except (CardbattleError, TimeUp):
            raise
        except Exception as error:
            raise plug_in_error(self.name, error) from error
        last = seat.count + len(seat.unlisted_texts) - 1
        if type(answer) is not int or not 0 <= answer <= last:
            expected = f"expected the index of an option, 0 to {last}"
            raise InvalidInput(f"commander {self.name} answered {quoted(answer)} for {seat.key}; {expected}")
        return answer


def plug_in_error(name: str, error: Exception) -> InvalidInput:
    return InvalidInput(f"commander {name} of a plug-in failed: {type(error).__name__}: {error}")


def with_deadline(commander: Commander, deadline: float) -> Commander:
    """Return the commander with a deadline, after which its search raises TimeUp.

    `deadline` is a time of the monotonic clock, in seconds. Commanders that do not search ignore it.
    """
    if isinstance(commander, CheckedCommander):
        with_deadline(commander.inner, deadline)
    elif isinstance(commander, SearchCommander):
        commander.search.deadline = deadline
    return commander

"""The ranks of commanders, and the function that creates a commander of a rank."""

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
    from cardbattle.core.ruleset import Policy, RuleSet

DEFAULT = "regular"
MOST_ITERATIONS = 1_000_000


class Rank(NamedTuple):
    """One kind of commander: its description, and the function that creates it.

    Attributes:
        words: a description of the commander in a few words.
        make: a function that creates a commander from a rule set, a random stream and the number of simulated
            battles per answer (0 for the default).
        thinks: True if the commander thinks ahead. The answers of such a commander take time, and users can
            write `NAME:iterations=N`.
        api_version: the plug-in API that the commander was written for (`cardbattle.plugin.API_VERSION`).

    """

    words: str
    make: Callable[[RuleSet, Chance, int], Commander]
    thinks: bool = False
    api_version: int = FIRST_API_VERSION


@mypyc_attr(allow_interpreted_subclasses=True)
class Green(Commander):
    """A commander that chooses uniformly at random."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int = 0) -> None:
        self.chance = chance

    def answer(self, seat: Seat) -> int:
        """Return the index of a random option."""
        return self.chance.below(seat.count)


@mypyc_attr(allow_interpreted_subclasses=True)
class Regular(Commander):
    """A commander that follows the rule set's simple tactics."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int = 0) -> None:
        self.policy: Policy = rules.regular
        self.chance = chance

    def answer(self, seat: Seat) -> int:
        """Return the index of the option that the rule set's regular tactics choose."""
        return seat.answer_by(self.policy, self.chance)


@mypyc_attr(allow_interpreted_subclasses=True)
class Seasoned(Regular):
    """A commander that follows the rule set's best rules of thumb."""

    def __init__(self, rules: RuleSet, chance: Chance, iterations: int = 0) -> None:
        super().__init__(rules, chance)
        self.policy = rules.seasoned


@mypyc_attr(allow_interpreted_subclasses=True)
class Orders(Commander):
    """A commander that answers from a list of orders. After the last order, another commander takes over.

    If an order is not an option, the commander raises InvalidInput with the order's place in the input. `at`
    is the key path of the complete list of orders in the input. `skipped` is the number of orders at the
    start of that list that were carried out earlier and are not in `orders`. If `passes` is True, no error is
    raised, and the other commander answers in place of an impossible order.
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
        """Return the index of the option that the next order names.

        If the order is not an option, raises InvalidInput with the position of the order.
        """
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
    """Return the orders that a commander has not used yet. For a commander without orders, return []."""
    if not isinstance(commander, Orders):
        return []
    return commander.orders[commander.next :] + remaining_orders(commander.then)


class Waits(InvalidInput):
    """A battle cannot continue, because a human player must answer a question first."""


class CommanderFailed(InvalidInput):
    """The engine `name` has ended, has answered too late, or has given no legal answer."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.reason = reason
        super().__init__(f"engine {name} {reason}")

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor arguments, from which `pickle` rebuilds the error."""
        return CommanderFailed, (self.name, self.reason)


@mypyc_attr(allow_interpreted_subclasses=True)
class Person(Commander):
    """A human player, whose answers come from outside the program."""

    def __init__(self, key: str) -> None:
        self.key = key

    def answer(self, seat: Seat) -> int:
        """Raise Waits, because the program cannot answer for a human player."""
        text = f"a person commands {self.key}; use `cardbattle play`, or name another commander"
        raise Waits([Diagnostic(text, at=("sides", self.key, "commander"))])


def veteran(rules: RuleSet, chance: Chance, iterations: int) -> Commander:
    """Return a commander that searches with the number of rollouts that the rule set sets for veterans."""
    return SearchCommander(rules, chance, iterations or rules.iterations["veteran"])


def elite(rules: RuleSet, chance: Chance, iterations: int) -> Commander:
    """Return a commander that searches with the number of rollouts that the rule set sets for this rank.

    If the rule set does not set a number for elite commanders, the commander plays like a veteran.
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
ENGINE = "engine"  # prefix of the names of engines: the commander `engine:NAME`
ENGINE_WORDS = "a program of your own, which speaks the engine protocol"
engines: dict[str, Rank] = {}  # the engines that the user allows to run (see `cardbattle.engines.host`)


def is_engine(name: str) -> bool:
    """Return True if a commander's name refers to an engine, as `engine:bold` does."""
    return name.partition(":")[0] == ENGINE


def engine_error(name: str) -> str:
    """Return the reason why an engine cannot command a side, or "" if it can."""
    engine = name.partition(":")[2]
    if engine in engines:
        return ""
    if key_error(engine):
        return f"{quoted(name)} lacks the name of an engine; write engine:NAME"
    return (
        f"engine {quoted(engine)} may not run here; resolve, play, odds and match run it "
        f"with --engine {engine}, and campaign fight with --side SIDE={name} --engine {engine}"
    )


@cache
def plug_ins() -> dict[str, Rank]:
    """Return the commanders that plug-ins add, by name. A broken plug-in only causes a warning."""
    return load_all(GROUP, Rank, [*RANKS, ORDERS, HUMAN, ENGINE])


def find_rank(name: str) -> Rank | None:
    """Return the rank that a name such as `elite` or `elite:iterations=4000` refers to, or None."""
    word = name.partition(":")[0]
    return RANKS[word] if word in RANKS else plug_ins().get(word)


def thinks_ahead(name: str) -> bool:
    """Return True if a commander with this name thinks ahead. The result is False for an unknown name."""
    rank = find_rank(name)
    return rank is not None and rank.thinks


def rank_error(text: object, orders: bool = True) -> str:
    """Return the reason why `text` is not the name of a commander, or "" if it is one.

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
        engine = f"; write engine:{name}" if name in engines else ""
        hint = engine or nearest(name, names) or f"{write_one_of(names)}, or install its plug-in"
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
    """Return True if a text is a number of iterations, written in ASCII digits."""
    return text.isascii() and text.isdigit() and len(text) < 9 and 0 < int(text) <= MOST_ITERATIONS


def make_commander(name: str, rules: RuleSet, chance: Chance) -> Commander:
    """Return a new commander of the rank `name`, such as `elite:iterations=4000`.

    The commander draws its random numbers from `chance`. Raises UsageError if the rank is unknown, or if the
    number of iterations is not from 1 to 1,000,000.
    """
    problem = rank_error(name, orders=False)
    if problem:
        raise UsageError(problem)
    word, _, options = name.partition(":")
    if word == ENGINE:
        return engines[options].make(rules, chance, 0)
    rank = find_rank(name)
    assert rank is not None  # rank_error has checked the name
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
        """Return the plug-in's answer, if it is the index of an option.

        For any other answer, or if the plug-in fails, raises InvalidInput.
        """
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
    """Set the time after which the commander's search raises TimeUp, and return the commander.

    `deadline` is a time of the monotonic clock, in seconds. Commanders that do not search ignore the
    deadline.
    """
    if isinstance(commander, CheckedCommander):
        with_deadline(commander.inner, deadline)
    elif isinstance(commander, SearchCommander):
        commander.search.deadline = deadline
    return commander

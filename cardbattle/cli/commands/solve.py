"""The command `solve`, which prints the game-theoretic solution of the duel in Strategy WAR."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

from cardbattle.cli import options
from cardbattle.cli.output import duration_words
from cardbattle.cli.parameters import option
from cardbattle.cli.run import WITH_NUMBERS, CommandGroup, Printer
from cardbattle.core.errors import UsageError
from cardbattle.rules import find
from cardbattle.rules.strategy_war.duel import MOST_CARDS
from cardbattle.rules.strategy_war.opening import Opening, load_opening, solve_opening, work
from cardbattle.show.pages.reference import solution_page

SOLVED = "strategy-war"
TRIAL = 6  # cards of a duel that is solved first, to estimate the time; a twentieth of a second
WORTH_A_MESSAGE = 5  # seconds

COMMANDS = CommandGroup()


@COMMANDS.command(
    "cardbattle solve strategy-war\ncardbattle solve strategy-war --cards 8 --format csv", WITH_NUMBERS
)
def solve_command(
    rules: options.Rules,
    to: Printer,
    cards: Annotated[
        int | None,
        option(
            "--cards N",
            "Solve a smaller duel, with only the N lowest cards.  "
            "[default: print the stored solution for all 13]",
            min=2,
            max=MOST_CARDS,
        ),
    ] = None,
) -> None:
    """Print the exact solution of the duel in Strategy WAR.

    In the duel, two sides hold the same cards, know them, and play for the difference of their points. The
    solution says how often best play begins with each card, and how many points best play wins on average.
    The duels of other rule sets are not solved.
    """
    chosen = find(rules)
    if chosen.key != SOLVED:
        raise UsageError(f"the program cannot solve {chosen.name}; write cardbattle solve {SOLVED}")
    to.show(solution_page(chosen, load_opening() if cards is None else solve_again(cards, to)))


def solve_again(cards: int, to: Printer) -> Opening:
    """Solve the duel with `cards` cards, and print an estimate of the time and a progress bar meanwhile."""
    began = perf_counter()
    solve_opening(TRIAL, lambda done, total: None)
    seconds = (perf_counter() - began) * work(cards) / work(TRIAL)
    if seconds > WORTH_A_MESSAGE:
        to.message(f"solving the duel takes {duration_words(seconds)}")
    with to.bar("positions") as report:
        return solve_opening(cards, report)

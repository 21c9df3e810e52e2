"""The commands `campaign fixtures` and `campaign league`.

`campaign fixtures` adds the battles of the next round, and `campaign league` prints the league table.
"""

from __future__ import annotations

from typing import Annotated

from cardbattle.campaign.league.rounds import league_of, plan_rounds
from cardbattle.cli import options
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import ForReader, Where, read_known
from cardbattle.cli.parameters import option
from cardbattle.cli.run import ALL, POSTS, WITH_NUMBERS, CommandGroup, Printer
from cardbattle.core.telling import ENGLISH
from cardbattle.show.pages.campaign.league import league_bracket, league_page
from cardbattle.show.translation import translated

COMMANDS = CommandGroup()


@COMMANDS.command("cardbattle campaign fixtures\ncardbattle campaign fixtures --all --dry-run", ALL)
def fixtures_command(
    home: Where,
    how: RecordingOptions,
    to: Printer,
    every: Annotated[bool, option("--all", "Draw all remaining rounds of a round robin at once.")] = False,
    early: Annotated[
        bool, option("--early", "Draw the next round even if the last round is not over.")
    ] = False,
) -> None:
    """Draw the next round of the league, and add its battles.

    [fixtures] in campaign.toml lists the forces and sets how the rounds are drawn. If the league has
    play-offs, they follow the last round. In a knock-out, if battles of the last round had no winner, the
    command adds replays of these battles instead.
    """
    record_operations(
        home.path,
        how,
        to,
        lambda books, ledger: plan_rounds(books, ledger, every=every, early=early, reason=how.reason),
    )


@COMMANDS.command(
    "cardbattle campaign league\n"
    "cardbattle campaign league --format md\n"
    "cardbattle campaign league --matches -o matches.csv",
    (*WITH_NUMBERS, *POSTS),
)
def league_command(
    home: Where,
    to: Printer,
    reader: ForReader = "",
    matches: Annotated[bool, option("--matches", "Print only the matches.")] = False,
    lang: options.Lang = ENGLISH,
) -> None:
    """Print the league table, and the rounds with their results.

    CSV has the table or, with --matches and for a knock-out, the matches.
    """
    visible = read_known(home.path, reader, checked=False)
    league = league_of(visible.campaign, visible.ledger)
    drawing = None if matches else league_bracket(visible, league)
    page = league_page(visible, league, drawing, matches_only=matches)
    to.show(translated(page, lang))

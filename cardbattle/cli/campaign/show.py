"""campaign show: standings, forces, places and pending battles with their odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.battles.seeds import is_guessable, is_visible
from cardbattle.campaign.state.battle_setup import explain, no_effect
from cardbattle.campaign.storage.seal_slots import seals_told
from cardbattle.campaign.turn.advice import advise
from cardbattle.campaign.turn.in_progress import battles_in_progress, progress_sentences
from cardbattle.cli.campaign.shared import ForReader, Where, read_known
from cardbattle.cli.output import bar
from cardbattle.cli.run import ALL, POSTS, CommandGroup, Printer
from cardbattle.show.pages.campaign.dashboard import campaign_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import VisibleCampaign


COMMANDS = CommandGroup()


Odds = Annotated[
    bool | None,
    typer.Option(
        "--odds/--no-odds",
        help="Count the odds of each pending battle, with the commanders it has, for longer; or not at all.",
    ),
]


@COMMANDS.command("cardbattle campaign show --format plain", (*ALL, *POSTS))
def show_command(where: Where, to: Printer, odds: Odds = None, reader: ForReader = "") -> None:
    """Print how the campaign stands, and the odds to come.

    Standings, forces, places, pending battles.
    """
    known = read_known(where.path, reader, checked=False)
    begun = battles_in_progress(known.campaign)
    found = odds_of_pending(known.countable, known.countable.pending, odds, to.quiet)
    told = {
        "schema": 1,
        **campaign_table(known),
        "odds": {name: one.table() for name, one in found.items()},
        "in_progress": {battle: one.table() for battle, one in begun.items()},
        **dice_told(known),
    }
    words = {name: one.words() for name, one in found.items()}
    to.show(campaign_page(known, words, told, progress_sentences(known.campaign, begun)))
    if to.form == "json" or told.get("seals"):
        return
    if told.get("seed_is_guessable"):
        to.message(f"cardbattle: warning: {GUESSABLE}")
    elif told.get("seed_is_visible"):
        to.message(f"cardbattle: warning: {VISIBLE}")


def dice_told(known: VisibleCampaign) -> dict[str, object]:
    """Return whether the seed can be guessed or seen, and what of sealed dice is told to the umpire."""
    if not known.is_whole:
        return {}
    seed = known.campaign.seed
    others = {key: value for key, value in known.campaign.data.items() if key != "seed"}
    return {
        "seed_is_guessable": is_guessable(seed),
        "seed_is_visible": is_visible(seed, others),
        "seals": seals_told(known.campaign, known.ledger),
    }


VISIBLE = (
    "the seed stands in a name or note too, where players read it; take another, as drawn by: campaign new"
)
GUESSABLE = "the seed is short enough to be guessed, and every deal with it; 30 letters or more are not"


def odds_of_pending(
    campaign: Campaign, pending: Sequence[Pending], odds: bool | None, quiet: bool = False
) -> dict[str, Advice]:
    """Return the odds of pending battles by their ids; none if they are not wanted."""
    if odds is False:
        return {}
    with bar(quiet) as tick:
        return advise(campaign, pending, bool(odds), tick)


def campaign_table(known: VisibleCampaign) -> dict[str, object]:
    """Return a campaign as JSON has it: the file's own keys, each pending battle with its advantage."""
    table, campaign = known.table(), known.countable
    table["advantages"] = {battle.id: explain(campaign, battle) for battle in campaign.pending}
    table["without_effect"] = {
        battle.id: words for battle in campaign.pending if (words := no_effect(campaign, battle))
    }
    return table

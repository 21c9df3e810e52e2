"""The command `campaign show`.

The command prints standings, forces, places, and pending battles with their odds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cardbattle.battles.seeds import is_guessable, is_visible
from cardbattle.campaign.state.battle_setup import explain, no_effect
from cardbattle.campaign.state.clock import timestamp
from cardbattle.campaign.storage.seal_slots import seals_summary
from cardbattle.campaign.turn.advice import advise, sharing
from cardbattle.campaign.turn.factor_values import worth_by_battle
from cardbattle.campaign.turn.in_progress import battles_in_progress, progress_sentences
from cardbattle.campaign.turn.waiting import duties
from cardbattle.cli.campaign.shared import ForReader, Where, read_known
from cardbattle.cli.output import announcer, progress
from cardbattle.cli.parameters import option
from cardbattle.cli.run import ALL, POSTS, CommandGroup, Printer
from cardbattle.show.pages.campaign.dashboard import campaign_page
from cardbattle.show.pages.campaign.waiting import waiting_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.state.model import Pending
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import VisibleCampaign


COMMANDS = CommandGroup()


Odds = Annotated[
    bool | None,
    option(
        "--odds/--no-odds",
        "Print the odds of each pending battle: by default from a short simulation, with --odds from a "
        "longer one, with --no-odds not at all.",
    ),
]


@COMMANDS.command(
    "cardbattle campaign show\ncardbattle campaign show --for public --format md", (*ALL, *POSTS)
)
def show_command(home: Where, to: Printer, odds: Odds = None, reader: ForReader = "") -> None:
    """Print the state of the campaign.

    The page lists standings, forces, places, and pending battles with their odds.
    """
    visible = read_known(home.path, reader, checked=False)
    begun = battles_in_progress(visible.campaign)
    odds_by_battle = odds_of_pending(visible, visible.countable.pending, odds, to.quiet)
    data = {
        "schema": 1,
        **campaign_table(visible),
        "odds": {name: entry.table() for name, entry in odds_by_battle.items()},
        "in_progress": {battle: entry.table() for battle, entry in begun.items()},
        **dice_facts(visible),
    }
    sentences = {name: entry.words() for name, entry in odds_by_battle.items()}
    if odds:
        for name, worth in worth_by_battle(visible.countable, is_for_umpire=visible.is_whole):
            sentences[name] = "; ".join(part for part in (sentences.get(name, ""), worth) if part)
    waits: list[str] = []
    if visible.is_whole and visible.campaign.deadlines is not None:
        waits = waiting_sentences(
            visible.campaign, duties(visible.campaign, visible.ledger, begun), timestamp()
        )
    progress = progress_sentences(visible.campaign, begun)
    to.show(campaign_page(visible, sentences, data, progress, waits))
    if to.form == "json" or data.get("seals"):
        return
    if data.get("seed_is_guessable"):
        to.message(f"cardbattle: warning: {GUESSABLE}")
    elif data.get("seed_is_visible"):
        to.message(f"cardbattle: warning: {VISIBLE}")


def dice_facts(visible_campaign: VisibleCampaign) -> dict[str, object]:
    """Return for the umpire whether players can guess the seed, and the numbers of sealed and used slots.

    For other readers, the dict is empty.
    """
    if not visible_campaign.is_whole:
        return {}
    seed = visible_campaign.campaign.seed
    public_values = {key: value for key, value in visible_campaign.campaign.data.items() if key != "seed"}
    return {
        "seed_is_guessable": is_guessable(seed),
        "seed_is_visible": is_visible(seed, public_values),
        "seals": seals_summary(visible_campaign.campaign, visible_campaign.ledger),
    }


VISIBLE = "the seed also appears in a name or note that players can read; replace the seed with a random one"
GUESSABLE = "the seed is so short that players can guess it and calculate every deal; use 30 letters or more"


def odds_of_pending(
    visible: VisibleCampaign,
    pending: Sequence[Pending],
    odds: bool | None,
    quiet: bool = False,
    known: dict[str, Advice] | None = None,
) -> dict[str, Advice]:
    """Simulate pending battles, and return a dict from their ids to their odds.

    The reader must know the strengths and commanders of these battles.
    If `odds` is True, the simulations are longer than for None. If it is False, the dict is empty. `known` is
    as in `advise`.
    """
    if odds is False:
        return {}
    with progress(quiet, "battles", announcer(quiet, "; --no-odds leaves the odds out")) as tick:
        return advise(visible.countable, pending, bool(odds), tick, sharing(visible.campaign), known)


def campaign_table(visible_campaign: VisibleCampaign) -> dict[str, object]:
    """Return a dict for JSON: the data of campaign.toml, and each side's advantages in pending battles."""
    table, campaign = visible_campaign.table(), visible_campaign.countable
    table["advantages"] = {battle.id: explain(campaign, battle) for battle in campaign.pending}
    table["without_effect"] = {
        battle.id: reason for battle in campaign.pending if (reason := no_effect(campaign, battle))
    }
    return table

"""Record the results of fought battles, and find the names of the sides of a battle by message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.exchange.confirmation import is_substituted, leading_force
from cardbattle.campaign.ledger.roster import key_of, names_of_sides
from cardbattle.campaign.phases.aftermath import fought_battle
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.fighting import plan_recording
from cardbattle.campaign.turn.played_battles import battle_of_session, plan_endings, recorded_files
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.cli.campaign.between_battles.next_step import step_after_battle
from cardbattle.cli.campaign.commit import commit
from cardbattle.cli.campaign.shared import (
    discreet,
    print_notes,
    read_only,
    read_repaired,
    visible_campaign,
)
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from cardbattle.battles.session import Session
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.ledger.operations import Operation
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.fighting import FoughtBattle
    from cardbattle.campaign.turn.played_battles import EndedBattles
    from cardbattle.campaign.visibility.reader import VisibleCampaign


def commit_fights(
    at: str, fought: Sequence[FoughtBattle], reader: str = "", quiet: bool = False
) -> tuple[Sequence[Operation], Sequence[Entry], VisibleCampaign]:
    """Record fought battles. Return the operations, the ledger entries, and the new campaign for a reader.

    Raises NeedsUmpire if the pending battles have changed, and the errors of `open_for_writing` and
    `Transaction.commit`.
    """
    with discreet(reader), store.open_for_writing(at) as transaction:
        print_notes(transaction.take_notes(), reader)
        operations = plan_recording(transaction.books, transaction.ledger, fought)
        entries = commit(transaction, operations, reader, quiet)
        return operations, entries, visible_campaign(transaction.books, transaction.ledger, reader)


def record_session(session: Session, folder: str) -> str:
    """Record a finished battle by message, unless it is recorded already. Return the umpire's next step.

    An interrupted command leaves the file of a recorded battle, for the last messages.
    Raises InvalidInput if the battle is not pending in the campaign, and NeedsUmpire if the pending battle
    has changed since it was begun.
    """
    books, ledger = read_repaired(folder)
    if any(saved.session.plan.id == session.plan.id for saved in recorded_files(books.campaign, ledger)):
        visible = visible_campaign(books, ledger, "")
    else:
        visible = commit_fights(folder, [battle_of_session(books.campaign, ledger, session)])[2]
    return step_after_battle(visible.campaign, visible.ledger, folder)


def record_endings(at: str) -> tuple[EndedBattles, Sequence[Entry]]:
    """Record the battles by message that are over. Return them with their ledger entries.

    The files of the battles are kept, so that an interrupted command can print the last messages again.
    Raises the errors of `open_for_writing` and `Transaction.commit`.
    """
    with store.open_for_writing(at) as transaction:
        print_notes(transaction.take_notes())
        ended = plan_endings(transaction.books, transaction.ledger)
        return ended, commit(transaction, ended.operations)


def find_side(session: Session, folder: str) -> Callable[[str], str]:
    """Return a function that returns the key of the side with a name, and raises ValueError otherwise.

    `folder` is the folder of the battle's campaign, or "" if the battle belongs to no campaign.
    """
    sides = zip(session.keys, session.plan.sides, strict=True)
    names: dict[str, Sequence[str]] = {key: [side.name] for key, side in sides}
    campaign = read_only(folder)[0].campaign if folder else None
    battle = campaign.battle(session.plan.id) if campaign else None
    if campaign is not None and battle is not None:
        names |= names_of_sides(campaign, battle.sides, battle)
    return lambda word: key_of(word, names)


def names_of_forces(session: Session, folder: str) -> dict[str, str]:
    """Return a dict from the keys of the sides to the force and faction whose player is asked.

    A side that is not a force is left out. If the campaign cannot be read, the dict is empty.
    """
    try:
        books, ledger = read_only(folder)
    except CardbattleError:
        return {}
    campaign = books.campaign
    entry = None if campaign.battle(session.plan.id) else ledger.find(session.plan.id)
    sides = fought_battle(campaign, entry).sides if entry else {}
    names = {}
    for key in session.keys:
        if force := force_asked(campaign, session, key, sides.get(key, ())):
            faction = campaign.faction_name(campaign.forces[force].faction)
            names[key] = clean(f"{campaign.display_name(force)}, {faction}")
    return names


def force_asked(campaign: Campaign, session: Session, key: str, fought: Sequence[str] = ()) -> str:
    """Return the force whose player is asked for a side of a battle by message, or "" without a force.

    `fought` are the forces of the side if the battle is recorded, so that the campaign no longer has them.
    """
    battle = campaign.battle(session.plan.id)
    if battle is None:
        leader = next((force for force in fought if not is_substituted(campaign, force)), key)
    else:
        leader = leading_force(campaign, battle, key)
    return leader if leader in campaign.forces else ""


def battle_lines(session: Session, folder: str, seats: Collection[int]) -> dict[str, str]:
    """Return a dict from the keys of these seats to a line about the battle, for their first message.

    The line has the place, sides, terrain and weather, as far as the faction of the seat knows them. If the
    campaign cannot be read, the dict is empty.
    """
    # imports pages; only needed for the first messages of a battle
    from cardbattle.show.pages.campaign.messages.battles import battle_line

    try:
        books, ledger = read_only(folder)
    except CardbattleError:
        return {}
    lines = {}
    for key in (session.keys[seat] for seat in seats):
        if force := force_asked(books.campaign, session, key):
            faction = books.campaign.forces[force].faction
            campaign = visible_to(books.campaign, ledger, faction).campaign
            if battle := campaign.battle(session.plan.id):
                lines[key] = battle_line(campaign, battle)
    return lines

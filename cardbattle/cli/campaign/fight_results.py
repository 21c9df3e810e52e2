"""Record the results of fought battles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.fighting import plan_recording
from cardbattle.cli.campaign.shared import commit, discreet, print_notes, visible_campaign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.ledger.operations import Operation
    from cardbattle.campaign.turn.fighting import FoughtBattle
    from cardbattle.campaign.visibility.reader import VisibleCampaign


def commit_fights(
    at: str, fought: Sequence[FoughtBattle], reader: str = ""
) -> tuple[Sequence[Operation], Sequence[Entry], VisibleCampaign]:
    """Record fought battles. Return the operations, the ledger entries, and the new campaign for a reader.

    Raises NeedsUmpire if the pending battles have changed, and the errors of `open_for_writing` and
    `Transaction.commit`.
    """
    with discreet(reader), store.open_for_writing(at) as transaction:
        print_notes(transaction.take_notes(), reader)
        operations = plan_recording(transaction.books, transaction.ledger, fought)
        entries = commit(transaction, operations, reader)
        return operations, entries, visible_campaign(transaction.books, transaction.ledger, reader)

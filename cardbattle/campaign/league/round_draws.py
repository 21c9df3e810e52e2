"""The draws of a league's rounds in the ledger, and what an undo of a draw must take back with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.edits import KIND as BY_HAND
from cardbattle.campaign.ledger.history import entry_today
from cardbattle.campaign.ledger.ledger import SEALING, TURNS, Entry, Ledger
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.errors import Conflict, NeedsUmpire
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.fixtures import Match, Round
from cardbattle.core.names import listed

DRAW = "fixtures"  # kind of the ledger entries
UNDO = "cardbattle campaign undo"


class Draw(NamedTuple):
    """An entry that drew a round or replays, with the round's name and the ids of the new battles."""

    revision: int
    name: str
    battles: frozenset[str]

    def drew(self, drawn: Round, replay: Match | None = None) -> bool:
        """Return True if the entry drew this round, or this replay in it."""
        if replay is not None or drawn.matches:
            return (replay or drawn.matches[0]).battle in self.battles
        return not self.battles and self.name == drawn.name


def draws_left(campaign: Campaign, ledger: Ledger) -> list[Draw]:
    """Return the draws that are neither undone nor removed from the file by hand, in order."""
    names = {drawn.name for drawn in campaign.round}
    battles = {match.battle for drawn in campaign.round for match in drawn.matches}
    draws = [
        draw_of(entry_today(ledger, revision))
        for revision in ledger.heads.revisions((DRAW,), ledger.whole_entries)
        if revision not in ledger.undone_revisions
    ]
    return [draw for draw in draws if draw.battles & battles or (not draw.battles and draw.name in names)]


def draw_of(entry: Entry) -> Draw:
    after = next((change.after for change in entry.changes if change.key == ("round",)), None)
    after = after if isinstance(after, list) else []
    battles = frozenset(change.key[1] for change in entry.changes if is_battle(change.key))
    last: Mapping[str, object] = after[-1] if after else {}
    return Draw(entry.revision, str(last.get("name") or f"Round {len(after)}"), battles)


def undo_command(campaign: Campaign, ledger: Ledger, draw: Draw) -> str:
    """Return the command that undoes a draw and everything that rests on it."""
    return f"{UNDO} {' '.join(map(str, revisions_to_undo(campaign, ledger, draw)))}"


def revisions_to_undo(campaign: Campaign, ledger: Ledger, draw: Draw) -> list[int]:
    """Return the revisions that take back a draw, the last first.

    They are the draw, the later draws, and the results and other changes of all their battles. Entries that
    one command recorded are undone together, so only one of them is included.
    """
    draws = [later for later in draws_left(campaign, ledger) if later.revision >= draw.revision]
    battles = {battle for each in draws for battle in each.battles}
    concerned = {each.revision for each in draws}
    for revision in range(draw.revision + 1, ledger.whole_entries + 1):
        kind = ledger.heads.kinds[revision - 1]
        if kind not in (*TURNS, *SEALING, DRAW, BY_HAND) and touches_any(ledger, revision, battles):
            concerned.add(revision)
    left, order = concerned - ledger.undone_revisions, []
    while left:
        order.append(max(left))
        for member in members(ledger, order[-1]):
            left.discard(member)
            # The undo of an override restores the earlier result, which must then be undone too.
            left.update(concerned.intersection(ledger.heads.undoes.get(member - 1, ())))
    return order


def touches_any(ledger: Ledger, revision: int, battles: Collection[str]) -> bool:
    """Return True if an entry changed or decided one of these pending battles."""
    return any(
        is_battle(change.key) and change.key[1] in battles for change in ledger.entry(revision).changes
    )


def members(ledger: Ledger, revision: int) -> list[int]:
    """Return the revisions that one command recorded, the last first."""
    number, count = ledger.heads.part(revision - 1)
    return [*range(revision - number + count, revision - number, -1)]


def refuse_part_of_draws(
    campaign: Campaign, ledger: Ledger, entries: Sequence[Entry], *, force: bool = False
) -> None:
    """Raise NeedsUmpire if an undo of these entries would take back a draw, but not what rests on it.

    Later draws always count. With `force`, the results and other changes of the battles stay.
    """
    undone_now = {entry.revision for entry in entries}
    draws = draws_left(campaign, ledger)
    first = next((draw for draw in draws if draw.revision in undone_now), None)
    if first is None:
        return
    revisions = [
        revision
        for revision in revisions_to_undo(campaign, ledger, first)
        if undone_now.isdisjoint(members(ledger, revision))
    ]
    later = [f"{draw.name} was drawn later" for draw in draws if draw.revision in revisions]
    changed = [] if force and not later else list(events_of_battles(ledger, revisions, draws))
    if later or changed:
        reason = listed([*later, *changed])
        remedy = f"to undo this too: {undo_command(campaign, ledger, first)}"
        more = "" if later else "; to undo only the draw, use --force --reason TEXT"
        raise NeedsUmpire(
            [Conflict(f"revision {first.revision} drew {first.name}; {reason}; {remedy}{more}")]
        )


def events_of_battles(ledger: Ledger, revisions: Sequence[int], draws: Sequence[Draw]) -> Iterator[str]:
    """Yield what happened to battles of these draws in the entries of these revisions."""
    battles = {battle for draw in draws for battle in draw.battles}
    for revision in sorted({each for first in revisions for each in members(ledger, first)}):
        head = ledger.heads[revision - 1]
        if head.id in battles and head.kind not in TURNS:
            verb = "has a result" if head.has_result else "was changed"
            yield f"{head.id} {verb} (revision {revision})"

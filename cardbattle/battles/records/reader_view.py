"""Select the parts of a finished battle that one reader is allowed to see."""

from __future__ import annotations

import re
from typing import NamedTuple

from cardbattle.battles.records.battle_file import id_stem
from cardbattle.battles.records.record import Record, fraction_text
from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import AFTERWARDS, winners_to_name


class Report(NamedTuple):
    """A battle as one reader sees it.

    Attributes:
        events: the events that the reader saw. Each event comes with the number of moves before the event.
        viewer: the seat of the reader, `NOBODY` for the public, or None for the umpire.
        commanders: the name of each side's commander, or "" if the reader must not know it.
        seed: the seed, or None if the battle has no seed or the reader must not know it.
        losses: the share of its force that each side lost, as a string such as "2/5".
        pace: when the reader sees the log. The values AFTERWARDS, DURING and AT_TABLE have the same meaning
            as in `core.telling.Tale`.

    """

    id: str
    rules: RuleSet
    setup: Setup
    names: list[str]
    commanders: list[str]
    seed: int | str | None
    events: list[tuple[int, Event]]
    viewer: int | None
    winners: list[int]
    reason: str
    scores: list[int]
    losses: list[str]
    pace: int = AFTERWARDS

    @property
    def winners_to_name(self) -> list[int]:
        """The winners as texts name them: no side if all sides share the victory, which is a draw."""
        return [*winners_to_name(self.winners, len(self.names))]

    def __repr__(self) -> str:
        who = "everybody" if self.viewer == NOBODY else self.setup.seats[self.viewer or 0]
        seen = f"as {who} saw it" if self.viewer is not None else "whole"
        return f"<Report of {self.rules.name}: {', '.join(self.setup.seats)}; {seen}>"


def report_of(record: Record, referee: Referee, viewer: int | None = None) -> Report:
    """Return a finished battle as one reader sees it.

    `viewer` is a seat, `NOBODY` for the public, or None for the umpire.
    """
    return Report(
        id=record.id if viewer is None or not is_derived(record) else "",
        rules=record.rules,
        setup=record.setup,
        names=record.names,
        commanders=[side.commander for side in record.sides],
        seed=record.seed if viewer is None else None,
        events=visible_events(record, referee, viewer),
        viewer=viewer,
        winners=record.winning_seats,
        reason=record.reason,
        scores=record.scores,
        losses=[fraction_text(share) for share in record.losses],
    )


def visible_events(record: Record, referee: Referee, viewer: int | None) -> list[tuple[int, Event]]:
    """Return pairs of a number of moves and an event, for each event that a reader saw.

    The number counts the moves before the event. `viewer` is the reader, as in `Report`.

    If the reader is a side, only the moves of this side are counted, because a count of all moves would
    reveal when other sides were asked. For the public, the number is always 0.
    """
    events = referee.events_for(viewer)
    if viewer is None:
        return events
    viewer_moves = set(moves_of(record, viewer))
    move_count = [0]
    for move in record.moves:
        move_count.append(move_count[-1] + (move in viewer_moves))
    return [(move_count[min(number, len(record.moves))], event) for number, event in events]


def moves_of(record: Record, viewer: int) -> list[str]:
    """Return the moves of a seat. If `viewer` is `NOBODY`, the list is empty."""
    if viewer == NOBODY:
        return []
    key = record.setup.seats[viewer]
    return [move for move in record.moves if move.startswith(f"{key} ")]


def is_derived(record: Record) -> bool:
    """Return True if the id of a record was derived from the content of the battle.

    Such an id is hidden from players, because they could use it to find out the seed.
    """
    return re.fullmatch(re.escape(id_stem(record.rules)) + "-[0-9a-f]{8}(-[0-9]+)?", record.id) is not None


SECRET = ("seed", "checks", "digest", "deal", "bound", "receipts")  # these reveal hidden cards


def table_for(record: Record, viewer: int | None) -> dict[str, object]:
    """Return the content of a record as one reader sees it.

    `viewer` is a seat, `NOBODY` for the public, or None for the umpire.

    If the reader is a side, the result has only the moves of this side. It has the house rules and the
    options of other sides, but without lists of cards.
    """
    if viewer is None:
        return record.table
    key = "" if viewer == NOBODY else record.setup.seats[viewer]
    shown = {word: value for word, value in record.table.items() if word not in SECRET}
    if is_derived(record):
        del shown["id"]
    shown["moves"] = moves_of(record, viewer)
    shown["house"] = without_lists(record.table["house"])
    sides = record.table["sides"]
    assert isinstance(sides, dict)
    shown["sides"] = {side: table if side == key else without_lists(table) for side, table in sides.items()}
    return {**({"viewer": key} if key else {}), **shown}


def without_lists(table: object) -> dict[str, object]:
    """Return a table without its lists, which can name hidden cards."""
    assert isinstance(table, dict)
    return {word: value for word, value in table.items() if not isinstance(value, list)}

"""Battles: one told whole or in part, several with what they changed, a series, results of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cardbattle.core.names import clean, listed
from cardbattle.core.telling import counted
from cardbattle.show.battle_text import credits_of, fought_by, names_of, said
from cardbattle.show.document import (
    FAINT,
    BattleReport,
    Computed,
    Document,
    Numbers,
    Paragraph,
    Repeatable,
    Table,
)

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.replay import Verified
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.document import Content


def battle_json(report: Report, table: Mapping[str, object]) -> dict[str, object]:
    """Return a battle as JSON has it: the keys of its record, with `schema` and `events`."""
    seats = report.setup.seats
    events = [report.rules.as_json(event, seats) for _, event in report.events]
    return {"schema": 1, **table, "events": events}


def battle_title(report: Report) -> str:
    """Return who fought, as `York against Lancaster`."""
    return said(fought_by(report), names_of(report))


def battle_page(
    report: Report, detail: int, table: Mapping[str, object], span: tuple[int, int] | None = None
) -> Document:
    """Return a battle as one reader may see it; `table` is its record as far as that may know it.

    `span` keeps the events between two numbers of moves.
    """
    return Document(battle_title(report), [BattleReport(report, detail, span)], battle_json(report, table))


def part_page(report: Report, detail: int, table: Mapping[str, object], part: tuple[int, int]) -> Document:
    """Return what happened between two numbers of moves, both included; JSON leaves out how it ended."""
    first, last = part
    events = [(moves_made, event) for moves_made, event in report.events if first <= moves_made <= last]
    moves = table["moves"]
    assert isinstance(moves, list)
    begun = {word: value for word, value in table.items() if word not in ENDINGS}
    begun |= {"moves": moves[max(first - 1, 0) : last], "sides": without_scores(table)}
    told = battle_json(report._replace(events=events), begun)
    return Document(battle_title(report), [BattleReport(report, detail, part)], told)


ENDINGS = ("winners", "reason", "checks", "digest", "score", "losses")  # what only the end decides


def without_scores(table: Mapping[str, object]) -> dict[str, object]:
    """Return the sides of a record without what only the end decides."""
    sides = table.get("sides", {})
    assert isinstance(sides, dict)
    return {
        key: {word: value for word, value in side.items() if word not in ENDINGS}
        for key, side in sides.items()
    }


def series_page(
    battles: Sequence[tuple[Report, Mapping[str, object]]],
    detail: int,
    points: Sequence[int],
    best: Sequence[int],
    seed: int | str | None,
) -> Document:
    """Return the battles of a series with its points.

    `best` are the seats that won it; `seed` is None where the reader may not know it.
    """
    first = battles[0][0]
    names, keys = first.names, first.setup.seats
    score = ", ".join(f"{clean(name)} {total}" for name, total in zip(names, points, strict=True))
    won = f"{listed(names[seat] for seat in best)} won" if best else "drawn"
    told: dict[str, object] = {
        "schema": 1,
        **({} if seed is None else {"seed": seed}),
        "series": [battle_json(report, table) for report, table in battles],
        "points": dict(zip(keys, points, strict=True)),
        "winners": [keys[seat] for seat in best],
    }
    tales = [BattleReport(report, detail) for report, _ in battles]
    seed_told = "" if seed is None else f" Seed {seed}."
    summary = Paragraph(f"Series of {len(battles)}: {score}; {won}.{seed_told}")
    return Document(battle_title(first), [*tales, summary], told)


def results_page(
    tables: Sequence[Mapping[str, object]], seed: int | str, rules: Iterable[RuleSet]
) -> Document:
    """Return the results of a batch, a row for each battle, and the credit that authors ask for.

    The tables are read when the page is written, and more than once.
    """
    from cardbattle.battles.records import results_file

    rows = Computed(tables, result_cells)
    facts = Repeatable(lambda: map(" | ".join, rows))
    columns = Repeatable(lambda: results_file.columns_of(tables))
    blocks: list[Content] = [
        Table(["battle", "won by", "score", "losses"], rows, facts=facts),
        *(Paragraph(line, FAINT) for line in credits_of(rules)),
    ]
    data = {"schema": 1, "format": results_file.FORMAT, "seed": seed, "result": Repeatable(lambda: tables)}
    return Document("Results", blocks, data, Numbers(columns, Computed(tables, results_file.dotted_keys)))


def result_cells(table: Mapping[str, object]) -> list[str]:
    """Return a result as the cells of a line: battle, winners, scores, losses."""
    sides, winners = table["sides"], table["winners"]
    assert isinstance(sides, dict) and isinstance(winners, list)
    scores = ", ".join(f"{key} {side['score']}" for key, side in sides.items())
    losses = ", ".join(f"{key} {side['losses']}" for key, side in sides.items())
    return [str(table["id"]), " ".join(winners) or "nobody", scores, losses]


def verify_page(verdicts: Sequence[Verified]) -> Document:
    """Return what became of records fought again.

    Plain text leaves out those that differ, as they are told on standard error.
    """
    told = [
        f"{counted(one.moves, 'move')} agree{f'; {one.words}' if one.words else ''}"
        if one.is_sound
        else f"differs: {one.words}"
        for one in verdicts
    ]
    lines = [
        Paragraph(f"{one.file}: {words}", facts=None if one.is_sound else [])
        for one, words in zip(verdicts, told, strict=True)
    ]
    records = [
        {"file": one.file, "moves": one.moves, "sound": one.is_sound, "words": one.words} for one in verdicts
    ]
    return Document("Records", lines, {"schema": 1, "records": records})

"""Pages of battles: a whole battle, a part of one, a series, the results of a batch, and replayed records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from cardbattle.battles.records import results_file
from cardbattle.core.names import clean, listed
from cardbattle.core.telling import STORY, counted, winners_to_name
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
    Title,
)
from cardbattle.show.replay import replay_of
from cardbattle.show.translation import translated
from cardbattle.story.brief import brief_text
from cardbattle.story.story import tell_story

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.record import Record
    from cardbattle.battles.records.replay import Verified
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.document import Content
    from cardbattle.story.story import Story


def battle_json(report: Report, table: Mapping[str, object]) -> dict[str, object]:
    """Return a battle for JSON: the keys of its record, and the keys `schema` and `events`."""
    seats = report.setup.seats
    events = [report.rules.as_json(event, seats) for _, event in report.events]
    return {"schema": 1, **table, "events": events}


def battle_title(report: Report) -> str:
    """Return the title of a battle, such as `York against Lancaster`."""
    return said(fought_by(report), names_of(report))


def battle_page(
    report: Report,
    detail: int,
    table: Mapping[str, object],
    *,
    record: Record | None = None,
    story: Story | None = None,
) -> Document:
    """Show a battle to one reader. `table` is the record of the battle, redacted for this reader.

    If the whole `record` is given, an HTML page has a replay. `story` is the battle's story in its campaign.
    If no story is given, one is generated from the report alone.
    """
    json = battle_json(report, table)
    if detail == STORY:
        story = story or tell_story(report)
        json = {**json, "story": story.sentences}
    else:
        story = None
    replay = None if record is None else partial(replay_of, record, report, detail, story)
    blocks = [BattleReport(report, detail, None, [story.text] if story else None, replay)]
    return Document(battle_title(report), blocks, json)


def translate_page(report: Report, detail: int, table: Mapping[str, object], lang: str) -> Document:
    """Show the story and the brief summary of a battle in another language, or only the summary."""
    brief = brief_text(report, lang)
    json = {**battle_json(report, table), "lang": lang, "brief": brief}
    if detail != STORY:
        return Document(battle_title(report), [Paragraph(brief)], json)
    story = tell_story(report, lang=lang)
    blocks: list[Content] = [Title(battle_title(report)), Paragraph(story.text), Paragraph(brief)]
    return translated(Document(battle_title(report), blocks, {**json, "story": story.sentences}), lang)


def part_page(report: Report, detail: int, table: Mapping[str, object], part: tuple[int, int]) -> Document:
    """Show the moves from `part[0]` to `part[1]`. The JSON output leaves out the result."""
    first, last = part
    events = [(moves_made, event) for moves_made, event in report.events if first <= moves_made <= last]
    moves = table["moves"]
    assert isinstance(moves, list)
    begun = {key: value for key, value in table.items() if key not in ENDINGS}
    begun |= {"moves": moves[max(first - 1, 0) : last], "sides": without_scores(table)}
    json = battle_json(report._replace(events=events), begun)
    return Document(battle_title(report), [BattleReport(report, detail, part)], json)


ENDINGS = ("winners", "reason", "checks", "digest", "score", "losses")  # keys that the end decides


def without_scores(table: Mapping[str, object]) -> dict[str, object]:
    sides = table.get("sides", {})
    assert isinstance(sides, dict)
    return {
        key: {field: value for field, value in side.items() if field not in ENDINGS}
        for key, side in sides.items()
    }


def series_page(
    battles: Sequence[tuple[Report, Mapping[str, object]]],
    detail: int,
    points: Sequence[int],
    best: Sequence[int],
    seed: int | str | None,
) -> Document:
    """Show the battles of a series, and the points of each side.

    `best` has the numbers of the sides that won the series. `seed` is None if the reader must not see the
    seed.
    """
    first = battles[0][0]
    names, keys = first.names, first.setup.seats
    score = ", ".join(f"{clean(name)} {total}" for name, total in zip(names, points, strict=True))
    won = f"{listed(names[seat] for seat in best)} won" if best else "drawn"
    json: dict[str, object] = {
        "schema": 1,
        **({} if seed is None else {"seed": seed}),
        "series": [battle_json(report, table) for report, table in battles],
        "points": dict(zip(keys, points, strict=True)),
        "winners": [keys[seat] for seat in best],
    }
    tales = [BattleReport(report, detail) for report, _ in battles]
    seed_note = "" if seed is None else f" Seed {seed}."
    summary = Paragraph(f"Series of {len(battles)}: {score}; {won}.{seed_note}")
    return Document(battle_title(first), [*tales, summary], json)


def results_page(
    tables: Sequence[Mapping[str, object]], seed: int | str, rules: Iterable[RuleSet]
) -> Document:
    """Show the results of a batch of battles, with credit to the authors of the rules.

    Each battle has a row. The page iterates over `tables` several times while it is written.
    """
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
    """Return the cells of a battle's row: its id, the winners, the scores and the losses."""
    sides, winners = table["sides"], table["winners"]
    assert isinstance(sides, dict) and isinstance(winners, list)
    scores = ", ".join(f"{key} {side['score']}" for key, side in sides.items())
    losses = ", ".join(f"{key} {side['losses']}" for key, side in sides.items())
    return [str(table["id"]), " ".join(winners_to_name(winners, len(sides))) or "nobody", scores, losses]


def verify_page(verdicts: Sequence[Verified]) -> Document:
    """Show which records can be replayed with the same result.

    Plain text omits records that differ, because these are reported on standard error.
    """
    lines: list[Content] = []
    records = []
    for record in verdicts:
        note = f"; {record.words}" if record.words else ""
        text = (
            f"{counted(record.moves, 'move')} agree{note}" if record.is_sound else f"differs: {record.words}"
        )
        lines.append(Paragraph(f"{record.file}: {text}", facts=None if record.is_sound else []))
        records.append(
            {"file": record.file, "moves": record.moves, "sound": record.is_sound, "words": record.words}
        )
    return Document("Records", lines, {"schema": 1, "records": records})

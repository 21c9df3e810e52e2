"""Show an analysed battle: a chart of the chances, the turning points, the blunders, and luck and skill."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.names import clean
from cardbattle.core.telling import Heading, counted
from cardbattle.show.battle_text import said
from cardbattle.show.cards import in_cards
from cardbattle.show.document import (
    FAINT,
    Chart,
    Curve,
    Document,
    Item,
    Items,
    Paragraph,
    Section,
    Side,
    Title,
)
from cardbattle.show.pages.battle import battle_title
from cardbattle.show.pages.odds import interval_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.show.document import Content, Word, Words
    from cardbattle.simulation.analysis import Analysis, Position
    from cardbattle.simulation.intervals import Interval
    from cardbattle.simulation.turning_points import TurningPoint

MOST_MISSED = 5  # missed chances shown; JSON lists them all


def whole_per_cent(share: float) -> str:
    return f"{100 * share:.0f}%"


def analysis_heading(analysis: Analysis) -> str:
    """Return a sentence about the examined positions, the number of battles, and the precision."""
    seen = "with all cards visible" if analysis.all_seeing else "from what each side knew"
    examined = len(analysis.positions) - 1
    part = f"{examined} of {analysis.decisions}" if examined < analysis.decisions else f"all {examined}"
    return (
        f"Chance of winning before {part} decisions, {seen}: {counted(analysis.battles, 'battle')} each "
        f"between regular commanders, +- {100 * analysis.doubt:.1f} points or less (95%)"
    )


def meaning(analysis: Analysis) -> str:
    """Explain which side's knowledge the chances in the chart are based on."""
    if analysis.all_seeing:
        return "Each chance uses the actual cards, so the chances of all sides add up to 100%."
    text = (
        "Each chance uses only what that side knew at the time: cards hidden from it are dealt again in "
        "every battle. The chances of all sides need not add up to 100%; with --all-seeing they do."
    )
    return f"{text} {hopeful_words(analysis)}".rstrip()


HOPEFUL = 0.75  # a side with a higher chance expects to win


def hopeful_words(analysis: Analysis) -> str:
    """Explain why several sides expected to win at the same time, or return "" if that did not happen."""
    hopeful = [
        position.made
        for position in analysis.positions
        if sum(chance.share > HOPEFUL for chance in position.chances) > 1
    ]
    if not hopeful:
        return ""
    when = f"after move {hopeful[0]}" + (
        f" and {counted(len(hopeful) - 1, 'time')} more" * (len(hopeful) > 1)
    )
    return (
        f"More than one side had a chance above {whole_per_cent(HOPEFUL)} {when}: each saw its own good "
        "cards and expected an average hand on the other side, but both hands were better than average."
    )


def headings_by_move(report: Report) -> list[tuple[int, str]]:
    """Return a pair (number of moves before the heading, heading) for each heading of the battle's log."""
    tale = report.rules.tale(report.setup)
    names = [clean(name) for name in report.names]
    headings = []
    for moves_made, event in report.events:
        for block in tale.describe(event):
            if isinstance(block, Heading):
                headings.append((moves_made, said(block.parts, names)))
    return headings


def place_of_move(move: int, headings: Sequence[tuple[int, str]]) -> str:
    """Return the number of a move, and the heading under which the log reports the move."""
    above = [title for before, title in headings if before < move]
    return f"{above[-1]}, move {move}" if above else f"move {move}"


def turning_point_line(turn: TurningPoint, names: Sequence[str]) -> str:
    """Return a sentence that says where a turning point is and how it changed the chances."""
    change = "rose" if turn.after > turn.before else "fell"
    return (
        f"{turn.place}: the chance of {names[turn.side]} {change} from "
        f"{whole_per_cent(turn.before / 1000)} to {whole_per_cent(turn.after / 1000)}"
    )


def of_move(move: str, names: Sequence[str], keys: list[str]) -> str:
    """Return a move, preceded by the name of its side, such as `Harry Percy's play KH redeploy`."""
    key, _, action = move.partition(" ")
    return f"{names[keys.index(key)]}'s {action}" if key in keys else f"chance's {action}"


def blunder_line(
    position: Position, headings: Sequence[tuple[int, str]], names: Sequence[str], keys: list[str]
) -> str:
    verdict, side = position.verdict, position.side
    assert verdict is not None
    better = f"; {best_words(position)}" if verdict.missed else ""
    return (
        f"{place_of_move(position.made + 1, headings)}: {of_move(position.move, names, keys)} gave away "
        f"{whole_per_cent(position.gave_away)} (+- {whole_per_cent(2 * verdict.doubts[side])}): "
        f"{whole_per_cent(verdict.before[side])} became {whole_per_cent(verdict.after[side])}{better}"
    )


def missed_chance_line(
    position: Position, headings: Sequence[tuple[int, str]], names: Sequence[str], keys: list[str]
) -> str:
    verdict = position.verdict
    assert verdict is not None
    return (
        f"{place_of_move(position.made + 1, headings)}: {of_move(position.move, names, keys)} left "
        f"{whole_per_cent(verdict.after[position.side])}; {best_words(position)}, "
        f"{whole_per_cent(verdict.missed)} more (+- {whole_per_cent(2 * verdict.missed_doubt)})"
    )


def exact_lines(
    analysis: Analysis,
    headings: Sequence[tuple[int, str]],
    names: Sequence[str],
    keys: list[str],
    margin: float,
) -> list[str]:
    """Describe the choices that cost a side most in comparison with best play."""
    lines = []
    for position in analysis.lost_exactly(margin):
        exact = position.exact
        assert exact is not None
        lines.append(
            f"{place_of_move(position.made + 1, headings)}: {of_move(position.move, names, keys)} was worth "
            f"{whole_per_cent(exact.worth)}; {exact.best} was worth {whole_per_cent(exact.best_worth)}, "
            f"{whole_per_cent(exact.lost)} more"
        )
    return lines or ["none"]


def best_words(position: Position) -> str:

    verdict = position.verdict
    assert verdict is not None
    return (
        f"{verdict.best} would have brought {whole_per_cent(verdict.after[position.side] + verdict.missed)}"
    )


def missed_chance_lines(
    analysis: Analysis,
    headings: Sequence[tuple[int, str]],
    names: Sequence[str],
    keys: list[str],
    margin: float,
) -> list[str]:
    """Describe the greatest missed chances, and say how many others there were."""
    missed = analysis.missed_chances(margin)
    if not missed:
        return ["none is certain"]
    lines = [missed_chance_line(position, headings, names, keys) for position in missed[:MOST_MISSED]]
    more = len(missed) - MOST_MISSED
    note = "missed chances do not add up and are not part of luck and skill"
    return [*lines, f"and {more} more; {note}" if more > 0 else note]


def balance_lines(analysis: Analysis, names: Sequence[str], margin: float) -> list[str]:
    """Describe for each side how much its choices and its luck changed its chance."""
    sampled = len(analysis.positions) - 1 < analysis.decisions
    text = "luck and decisions not examined" if sampled else "luck"
    return [
        f"{name}: {balance_line(analysis, seat, len(names), text, margin)}" for seat, name in enumerate(names)
    ]


def balance_line(analysis: Analysis, seat: int, sides: int, tail: str, margin: float) -> str:
    """Describe how much choices and luck changed one side's chance.

    The changes are rounded so that they add up to the total. `tail` is the text before the effect of luck.
    """
    opponents = [side for side in range(sides) if side != seat]
    first, last = (analysis.positions[at].chances[seat].share for at in (0, -1))
    parts = [analysis.choices(seat, [seat]), analysis.choices(seat, opponents), analysis.luck(seat)]
    doubts = [
        analysis.choices_doubt(seat, [seat]),
        analysis.choices_doubt(seat, opponents),
        analysis.luck_doubt(seat),
    ]
    rounded = adding_up(parts, round(100 * last) - round(100 * first))
    choices, theirs, luck = (
        f"{part:+} +- {200 * doubt:.0f}" for part, doubt in zip(rounded, doubts, strict=True)
    )
    return (
        f"from {whole_per_cent(first)} to {whole_per_cent(last)}; its choices "
        f"{choices}{blunders_words(analysis, seat, rounded[0], margin)}, the others' {theirs}, {tail} {luck}"
    )


def blunders_words(analysis: Analysis, seat: int, choices: int, margin: float) -> str:
    """Return the effects of a side's blunders and other choices in brackets, or "" if it made no blunder."""
    blunders = [position for position in analysis.blunders(margin) if position.side == seat]
    if not blunders:
        return ""
    lost = round(100 * sum(position.gave_away for position in blunders))
    return f" ({counted(len(blunders), 'blunder')} {-lost:+}, other choices {choices + lost:+})"


def adding_up(shares: Sequence[float], whole: int) -> list[int]:
    """Round shares to whole percentages that add up to `whole` (largest remainder method).

    >>> adding_up([0.333, 0.333, 0.334], 100)
    [33, 33, 34]
    >>> adding_up([-0.206, -0.096, -0.138], -44)
    [-20, -10, -14]
    """
    rounded = [round(100 * share) for share in shares]
    while sum(rounded) != whole:
        step = 1 if sum(rounded) < whole else -1
        furthest = max(range(len(shares)), key=lambda i: step * (100 * shares[i] - rounded[i]))
        rounded[furthest] += step
    return rounded


def sections(
    analysis: Analysis, report: Report, names: Sequence[str], margin: float
) -> list[tuple[str, list[str]]]:
    """Return the sections below the chart. Each section is a pair (title, lines)."""
    keys = report.setup.seats
    headings = headings_by_move(report)
    turns = [turning_point_line(turn, names) for turn in analysis.turning_points or ()]
    blunders = [blunder_line(blunder, headings, names, keys) for blunder in analysis.blunders(margin)]
    exact = []
    if analysis.is_exact_anywhere:
        title = f"Against best play, known exactly (choices that lost {whole_per_cent(margin)} or more)"
        exact.append((title, exact_lines(analysis, headings, names, keys, margin)))
    turning_points = (
        "Turning points, from what everyone could see",
        turns or ["none: no step changed the winner's chance by 10%"],
    )
    return [
        *([] if analysis.turning_points is None else [turning_points]),
        (
            f"Blunders (choices that gave away {whole_per_cent(margin)} or more)",
            blunders or ["none is certain"],
        ),
        (
            f"Missed chances (another choice was better by {whole_per_cent(margin)} or more)",
            missed_chance_lines(analysis, headings, names, keys, margin),
        ),
        *exact,
        ("Luck and skill, in percentage points", balance_lines(analysis, names, margin)),
    ]


def analysis_page(analysis: Analysis, report: Report, margin: float) -> Document:

    keys = report.setup.seats
    name = f"{report.rules.name}: {battle_title(report)}"
    caption = f"{meaning(analysis)} Where two sides are level, only the first is drawn."
    blocks: list[Content] = [
        Title(name),
        Paragraph(analysis_heading(analysis)),
        chances_chart(analysis, report)._replace(marks=turning_marks(analysis, report)),
        Paragraph(caption, FAINT, [meaning(analysis)]),
    ]
    named = sections(analysis, report, [chr(FIRST + seat) for seat in range(len(keys))], margin)
    keyed = sections(analysis, report, keys, margin)
    for (title, lines), (_, facts) in zip(named, keyed, strict=True):
        items = [Item("", with_sides(line, report)) for line in lines]
        blocks += [Section(title, []), Items(items, facts=[f"{title}: {fact}" for fact in facts])]
    return Document(name, blocks, analysis_json(analysis, margin), drawn=report.rules.key)


def turning_marks(analysis: Analysis, report: Report) -> list[tuple[int, str]]:
    """Return the turning points as marks of the chart. Each mark is a pair (move, sentence)."""
    names = [clean(name) for name in report.names]
    return [(turn.move, turning_point_line(turn, names)) for turn in analysis.turning_points or ()]


def bounds_in_words(chance: Interval) -> str:
    return f"{whole_per_cent(chance.low)} to {whole_per_cent(chance.high)}"


FIRST = 0xE100  # placeholders for the sides in a sentence: private-use characters, which no input contains


def with_sides(line: str, report: Report) -> Words:
    """Replace the placeholders of a sentence with sides, and the card codes with cards."""
    keys = report.setup.seats
    pieces: list[Word] = []
    for part in re.split(f"([{chr(FIRST)}-{chr(FIRST + len(keys))}])", line):
        seat = ord(part) - FIRST if len(part) == 1 else -1
        is_side = 0 <= seat < len(keys)
        pieces += [Side(report.names[seat], keys[seat], seat)] if is_side else in_cards(part)
    return pieces


def chances_chart(analysis: Analysis, report: Report) -> Chart:
    curves = []
    for seat, (name, key) in enumerate(zip(report.names, report.setup.seats, strict=True)):
        points = [(position.made, position.chances[seat].share) for position in analysis.positions]
        curves.append(Curve(Side(name, key), points))
    facts = []
    for position in analysis.positions:
        chances = ", ".join(
            f"{key} {whole_per_cent(chance.share)} ({bounds_in_words(chance)})"
            for key, chance in zip(report.setup.seats, position.chances, strict=True)
        )
        facts.append(f"after move {position.made}: {chances}")
    return Chart(curves, "Chance of winning, move by move", facts)


def turning_points_json(analysis: Analysis) -> list[dict[str, object]] | None:
    if analysis.turning_points is None:
        return None
    keys = analysis.record.setup.seats
    return [
        {
            "step": turn.step,
            "words": turn.words,
            "first": turn.move,
            "last": turn.move,
            "side": keys[turn.side],
            "move": analysis.record.moves[turn.move - 1] if turn.move else "",
            "before": turn.before / 1000,
            "after": turn.after / 1000,
            "secret": turn.move in secret_moves(analysis),
        }
        for turn in analysis.turning_points
    ]


def analysis_json(analysis: Analysis, margin: float) -> dict[str, object]:

    keys = analysis.record.setup.seats
    return {
        "schema": 1,
        "id": analysis.record.id,
        "rules": analysis.record.rules.key,
        "battles": analysis.battles,
        "all_seeing": analysis.all_seeing,
        "decisions": analysis.decisions,
        "positions": [position_table(analysis, at) for at in range(len(analysis.positions))],
        "turning_points": turning_points_json(analysis),
        "margin": margin,
        "blunders": [position.made + 1 for position in analysis.blunders(margin)],
        "missed": [position.made + 1 for position in analysis.missed_chances(margin)],
        "lost_exactly": [position.made + 1 for position in analysis.lost_exactly(margin)],
        "sides": {key: side_table(analysis, seat, margin) for seat, key in enumerate(keys)},
    }


def secret_moves(analysis: Analysis) -> set[int]:
    """Return the numbers of the analysed moves that were made face down."""
    return {position.made + 1 for position in analysis.positions if position.is_secret}


def side_table(analysis: Analysis, seat: int, margin: float) -> dict[str, object]:
    """Return for JSON how the chance of a side changed.

    The sum of `first`, all choices and the luck is `last`.
    """
    keys = analysis.record.setup.seats
    blunders = [position for position in analysis.blunders(margin) if position.side == seat]
    return {
        "first": analysis.positions[0].chances[seat].share,
        "last": analysis.positions[-1].chances[seat].share,
        "choices": {key: analysis.choices(seat, [by]) for by, key in enumerate(keys)},
        "choices_doubt": {key: analysis.choices_doubt(seat, [by]) for by, key in enumerate(keys)},
        "blunders": -sum(position.gave_away for position in blunders),
        "luck": analysis.luck(seat),
        "luck_doubt": analysis.luck_doubt(seat),
    }


def position_table(analysis: Analysis, at: int) -> dict[str, object]:
    """Return the position with the index `at` for JSON.

    A side's chance in the next position is its chance here, plus the effects of the choice and of luck.
    """
    position, keys = analysis.positions[at], analysis.record.setup.seats
    table: dict[str, object] = {
        "moves": position.made,
        "side": keys[position.side] if position.side != NOBODY else None,
        "move": position.move,
        "chances": {key: interval_table(chance) for key, chance in zip(keys, position.chances, strict=True)},
    }
    verdict = position.verdict
    if verdict is not None:
        table |= {
            "choice": {key: analysis.choice(at, seat) for seat, key in enumerate(keys)},
            "choice_doubt": dict(zip(keys, verdict.doubts, strict=True)),
            "luck": {key: analysis.luck_after(at, seat) for seat, key in enumerate(keys)},
            "best": verdict.best,
            "missed": verdict.missed,
            "missed_doubt": verdict.missed_doubt,
        }
    if position.exact is not None:
        table["exact"] = {**position.exact._asdict(), "lost": position.exact.lost}
    return table

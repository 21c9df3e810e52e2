"""An analysed battle: a chart of the chances, the turning points, blunders, luck and skill."""

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
    from cardbattle.simulation.analysis import Analysis, Position, Turn
    from cardbattle.simulation.intervals import Interval

MOST_MISSED = 5  # missed chances that are told; JSON has them all


def whole_per_cent(share: float) -> str:
    """Return a chance in whole per cent."""
    return f"{100 * share:.0f}%"


def analysis_heading(analysis: Analysis) -> str:
    """Return what was looked at, and how."""
    seen = "with all cards seen" if analysis.all_seeing else "as each side could know"
    looked = len(analysis.positions) - 1
    part = f"{looked} of {analysis.decisions}" if looked < analysis.decisions else f"all {analysis.decisions}"
    return (
        f"Chances to win before {part} decisions, {seen}: each from {counted(analysis.battles, 'battle')} "
        f"fought on by regular commanders, known to {100 * analysis.doubt:.1f} points at worst (95%)"
    )


def meaning(analysis: Analysis) -> str:
    """Return what is drawn: whose knowledge the chances rest on."""
    if analysis.all_seeing:
        return "Each chance is with all cards as they truly lay; those of all sides make 100%."
    text = (
        "Each chance is as that side could know it then: what lay hidden from it is dealt anew in every "
        "battle. So those of all sides need not make 100%; with --all-seeing they do."
    )
    return f"{text} {hopeful_words(analysis)}".rstrip()


HOPEFUL = 0.75  # a chance with which a side thinks itself well on the way


def hopeful_words(analysis: Analysis) -> str:
    """Return when several sides at once thought themselves well on the way, and how that can be."""
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
        f"More than one side stood above {whole_per_cent(HOPEFUL)} {when}: each saw its own good cards and "
        "reckoned with usual ones in the other's hand, and both hands were better than that."
    )


def headings_by_move(report: Report) -> list[tuple[int, str]]:
    """Return the headings of the tale, each with the number of moves made before it."""
    tale = report.rules.tale(report.setup)
    names = [clean(name) for name in report.names]
    headings = []
    for moves_made, event in report.events:
        for block in tale.tell(event):
            if isinstance(block, Heading):
                headings.append((moves_made, said(block.parts, names)))
    return headings


def where(moves_made: int, parts: Sequence[tuple[int, str]]) -> str:
    """Return the heading under which a move stands, or the number of the move."""
    under = [title for before, title in parts if before < moves_made]
    return f"{under[-1]}, move {moves_made}" if under else f"move {moves_made}"


def turn_line(turn: Turn, parts: Sequence[tuple[int, str]], names: Sequence[str], report: Report) -> str:
    """Return a turning point in words."""
    what = of_move(turn.move, names, report.setup.seats)
    if turn.last > turn.first:
        what += f" and what followed to move {turn.last}"
    elif turn.is_secret and is_laid_open(turn.first, report):
        what = "what all had chosen face down"
    return (
        f"{where(turn.first, parts)}: {what} turned {whole_per_cent(turn.before)} into "
        f"{whole_per_cent(turn.after)} for {names[turn.seat]}"
    )


def is_laid_open(move: int, report: Report) -> bool:
    """Say whether more happened at a secret move than that it was made: it was the last of several."""
    return len([event for moves_made, event in report.events if moves_made == move]) > 1


def of_move(move: str, names: Sequence[str], keys: list[str]) -> str:
    """Return a move with the side's name, as `Harry Percy's play KH redeploy`."""
    key, _, words = move.partition(" ")
    return f"{names[keys.index(key)]}'s {words}" if key in keys else f"chance's {words}"


def blunder_line(
    position: Position, parts: Sequence[tuple[int, str]], names: Sequence[str], keys: list[str]
) -> str:
    """Return a blunder in words."""
    verdict, side = position.verdict, position.side
    assert verdict is not None
    rather = f"; {best_words(position)}" if verdict.missed else ""
    return (
        f"{where(position.made + 1, parts)}: {of_move(position.move, names, keys)} gave away "
        f"{whole_per_cent(position.gave_away)} (+- {whole_per_cent(2 * verdict.doubts[side])}): "
        f"{whole_per_cent(verdict.before[side])} became {whole_per_cent(verdict.after[side])}{rather}"
    )


def missed_chance_line(
    position: Position, parts: Sequence[tuple[int, str]], names: Sequence[str], keys: list[str]
) -> str:
    """Return a missed chance in words."""
    verdict = position.verdict
    assert verdict is not None
    return (
        f"{where(position.made + 1, parts)}: {of_move(position.move, names, keys)} left "
        f"{whole_per_cent(verdict.after[position.side])}; {best_words(position)}, "
        f"{whole_per_cent(verdict.missed)} more (+- {whole_per_cent(2 * verdict.missed_doubt)})"
    )


def exact_lines(
    analysis: Analysis, parts: Sequence[tuple[int, str]], names: Sequence[str], keys: list[str], margin: float
) -> list[str]:
    """Return the choices that lost most against best play in words."""
    lines = []
    for position in analysis.lost_exactly(margin):
        exact = position.exact
        assert exact is not None
        lines.append(
            f"{where(position.made + 1, parts)}: {of_move(position.move, names, keys)} was worth "
            f"{whole_per_cent(exact.worth)}, {exact.best} {whole_per_cent(exact.best_worth)}: "
            f"{whole_per_cent(exact.lost)} lost"
        )
    return lines or ["none"]


def best_words(position: Position) -> str:
    """Return what the best other choice would have brought."""
    verdict = position.verdict
    assert verdict is not None
    return (
        f"{verdict.best} would have brought {whole_per_cent(verdict.after[position.side] + verdict.missed)}"
    )


def missed_chance_lines(
    analysis: Analysis, parts: Sequence[tuple[int, str]], names: Sequence[str], keys: list[str], margin: float
) -> list[str]:
    """Return the greatest missed chances in words, how many more there were, and how to take them."""
    missed = analysis.missed_chances(margin)
    if not missed:
        return ["none beyond doubt"]
    lines = [missed_chance_line(one, parts, names, keys) for one in missed[:MOST_MISSED]]
    more = len(missed) - MOST_MISSED
    each = "each stands by itself; none is a part of what follows"
    return [*lines, f"and {more} more; {each}" if more > 0 else each]


def balance_lines(analysis: Analysis, names: Sequence[str], margin: float) -> list[str]:
    """Return for each side how its way to the result is made up of choices and luck."""
    sampled = len(analysis.positions) - 1 < analysis.decisions
    text = "luck and what was not looked at" if sampled else "luck"
    return [
        f"{name}: {balance_line(analysis, seat, len(names), text, margin)}" for seat, name in enumerate(names)
    ]


def balance_line(analysis: Analysis, seat: int, sides: int, tail: str, margin: float) -> str:
    """Return how one side's way is made up, each part with its doubt, rounded so that they add up."""
    others = [side for side in range(sides) if side != seat]
    first, last = (analysis.positions[at].chances[seat].share for at in (0, -1))
    parts = [analysis.choices(seat, [seat]), analysis.choices(seat, others), analysis.luck(seat)]
    doubts = [
        analysis.choices_doubt(seat, [seat]),
        analysis.choices_doubt(seat, others),
        analysis.luck_doubt(seat),
    ]
    rounded = adding_up(parts, round(100 * last) - round(100 * first))
    own, theirs, luck = (
        f"{points_text(part)} +- {200 * doubt:.0f}" for part, doubt in zip(rounded, doubts, strict=True)
    )
    return (
        f"{whole_per_cent(first)} at first, {whole_per_cent(last)} at last; own choices "
        f"{own}{blunders_words(analysis, seat, rounded[0], margin)}, the others' {theirs}, {tail} {luck}"
    )


def blunders_words(analysis: Analysis, seat: int, choices: int, margin: float) -> str:
    """Return how much of what a side's choices made was blunders, in brackets; nothing if there were none."""
    blunders = [position for position in analysis.blunders(margin) if position.side == seat]
    if not blunders:
        return ""
    lost = round(100 * sum(position.gave_away for position in blunders))
    told, rest = points_text(-lost), points_text(choices + lost)
    return f" ({counted(len(blunders), 'blunder')} {told}, all else {rest})"


def adding_up(shares: Sequence[float], whole: int) -> list[int]:
    """Return shares as points of a hundred, rounded so that they make up the whole.

    The field calls it the largest remainder method.

    >>> adding_up([0.333, 0.333, 0.334], 100)
    [33, 33, 34]
    >>> adding_up([-0.206, -0.096, -0.138], -44)
    [-20, -10, -14]
    """
    rounded = [round(100 * share) for share in shares]
    while sum(rounded) != whole:
        step = 1 if sum(rounded) < whole else -1
        furthest = max(range(len(shares)), key=lambda at: step * (100 * shares[at] - rounded[at]))
        rounded[furthest] += step
    return rounded


def points_text(change: int) -> str:
    """Return a change in points of a hundred, with its sign."""
    return f"{change:+}"


def sections(
    analysis: Analysis, report: Report, names: Sequence[str], margin: float
) -> list[tuple[str, list[str]]]:
    """Return what there is to say, under titles."""
    keys = report.setup.seats
    parts = headings_by_move(report)
    turns = [turn_line(turn, parts, names, report) for turn in analysis.turns()]
    blunders = [blunder_line(blunder, parts, names, keys) for blunder in analysis.blunders(margin)]
    exact = []
    if analysis.is_exact_anywhere:
        title = f"Against best play, known exactly (choices that lost {whole_per_cent(margin)} or more)"
        exact.append((title, exact_lines(analysis, parts, names, keys, margin)))
    return [
        ("Turning points", turns or ["none: no change was beyond doubt"]),
        (
            f"Blunders (choices that gave away {whole_per_cent(margin)} or more)",
            blunders or ["none beyond doubt"],
        ),
        (
            f"Missed chances (another choice was better by {whole_per_cent(margin)} or more)",
            missed_chance_lines(analysis, parts, names, keys, margin),
        ),
        *exact,
        ("Luck and skill, in points of a hundred", balance_lines(analysis, names, margin)),
    ]


def analysis_page(analysis: Analysis, report: Report, margin: float) -> Document:
    """Return how the chances went, with the turning points, blunders, luck and skill."""
    keys = report.setup.seats
    name = f"{report.rules.name}: {battle_title(report)}"
    caption = f"{meaning(analysis)} Where two are level the first is drawn."
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
    """Return the turning points as moments of the chart, each with its sentence."""
    parts, names = headings_by_move(report), [clean(name) for name in report.names]
    return [(turn.last, turn_line(turn, parts, names, report)) for turn in analysis.turns()]


def bounds_in_words(chance: Interval) -> str:
    """Return the bounds of a chance in whole per cent."""
    return f"{whole_per_cent(chance.low)} to {whole_per_cent(chance.high)}"


FIRST = 0xE100  # private characters that stand for the sides in a sentence, so that nobody's text has them


def with_sides(line: str, report: Report) -> Words:
    """Return a sentence with its sides and cards put in."""
    keys = report.setup.seats
    words: list[Word] = []
    for part in re.split(f"([{chr(FIRST)}-{chr(FIRST + len(keys))}])", line):
        seat = ord(part) - FIRST if len(part) == 1 else -1
        is_side = 0 <= seat < len(keys)
        words += [Side(report.names[seat], keys[seat])] if is_side else in_cards(part)
    return words


def chances_chart(analysis: Analysis, report: Report) -> Chart:
    """Return the chance of each side after each position looked at."""
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
    return Chart(curves, "Chances to win, move by move", facts)


def analysis_json(analysis: Analysis, margin: float) -> dict[str, object]:
    """Return an analysis as JSON has it."""
    keys = analysis.record.setup.seats
    return {
        "schema": 1,
        "id": analysis.record.id,
        "rules": analysis.record.rules.key,
        "battles": analysis.battles,
        "all_seeing": analysis.all_seeing,
        "decisions": analysis.decisions,
        "positions": [position_table(analysis, at) for at in range(len(analysis.positions))],
        "turning_points": [
            {
                "first": turn.first,
                "last": turn.last,
                "side": keys[turn.seat],
                "move": turn.move,
                "before": turn.before,
                "after": turn.after,
                "secret": turn.is_secret,
            }
            for turn in analysis.turns()
        ],
        "margin": margin,
        "blunders": [position.made + 1 for position in analysis.blunders(margin)],
        "missed": [position.made + 1 for position in analysis.missed_chances(margin)],
        "lost_exactly": [position.made + 1 for position in analysis.lost_exactly(margin)],
        "sides": {key: side_table(analysis, seat, margin) for seat, key in enumerate(keys)},
    }


def side_table(analysis: Analysis, seat: int, margin: float) -> dict[str, object]:
    """Return how a side's way is made up as JSON has it: first, all choices and luck make last."""
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
    """Return one position as JSON has it.

    The chance of a side, what the choice changed and the luck after it make its chance in the next.
    """
    position, keys = analysis.positions[at], analysis.record.setup.seats
    table: dict[str, object] = {
        "moves": position.made,
        "side": keys[position.side] if position.side != NOBODY else None,
        "move": position.move,
        "chances": {key: interval_table(one) for key, one in zip(keys, position.chances, strict=True)},
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

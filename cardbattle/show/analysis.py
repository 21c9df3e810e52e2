"""An analysed battle: a chart of the chances, the turning points, blunders, luck and skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from cardbattle.core.battle import NOBODY
from cardbattle.core.names import clean
from cardbattle.core.telling import Heading, counted
from cardbattle.show import page
from cardbattle.show.cards import can_hold
from cardbattle.show.console import fitted, name_fitted
from cardbattle.show.layout import wrapped, write
from cardbattle.show.odds import interval_table
from cardbattle.show.words import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from cardbattle.chances.analyse import Analysis, Position, Turn
    from cardbattle.fighting.report import Report

STEPS = 10  # lines of the chart in the terminal: one for each tenth
MARKS, PLAIN_MARKS = "●○◆◇▲△■□★☆", "oxabcdefgh"
WIDTH, HEIGHT, EDGE = 640, 240, 34  # of the picture on a page
COLORS = ["#147878", "#7a4fc0", "#a8660a", "#4d7a14", "#2a70b8", "#b03c78"]


def per_cent(share: float) -> str:
    """Return a chance in whole per cent."""
    return f"{100 * share:.0f} %"


def heading(found: Analysis) -> str:
    """Return what was looked at, and how."""
    seen = "with all cards seen" if found.all_seeing else "as each side could know"
    looked = len(found.positions) - 1
    part = f"{looked} of {found.decisions}" if looked < found.decisions else f"all {found.decisions}"
    return (
        f"Chances to win before {part} decisions, {seen}: each from {counted(found.battles, 'battle')} "
        f"fought on by regular commanders, known to {100 * found.doubt:.1f} points at worst (95 %)"
    )


def stretches(report: Report) -> list[tuple[int, str]]:
    """Return the headings of the tale, each with the number of moves made before it."""
    tale = report.rules.tale(report.setup)
    names = [clean(name) for name in report.names]
    found = []
    for made, event in report.events:
        for block in tale.tell(event):
            if isinstance(block, Heading):
                found.append((made, said(block.parts, names)))
    return found


def where(made: int, parts: Sequence[tuple[int, str]]) -> str:
    """Return the heading under which a move stands, or the number of the move."""
    under = [title for before, title in parts if before < made]
    return f"{under[-1]}, move {made}" if under else f"move {made}"


def turn_line(turn: Turn, parts: Sequence[tuple[int, str]], names: Sequence[str], report: Report) -> str:
    """Return a turning point in words."""
    what = of_move(turn.move, names, report.setup.seats)
    if turn.last > turn.first:
        what += f" and what followed to move {turn.last}"
    elif turn.is_secret and is_laid_open(turn.first, report):
        what = "what all had chosen face down"
    return (
        f"{where(turn.first, parts)}: {what} turned {per_cent(turn.before)} into "
        f"{per_cent(turn.after)} for {names[turn.seat]}"
    )


def is_laid_open(move: int, report: Report) -> bool:
    """Say whether more happened at a secret move than that it was made: it was the last of several."""
    return len([event for made, event in report.events if made == move]) > 1


def of_move(move: str, names: Sequence[str], keys: list[str]) -> str:
    """Return a move with the side's name, as `Harry Percy's play KH redeploy`."""
    key, _, words = move.partition(" ")
    return f"{names[keys.index(key)]}'s {words}" if key in keys else f"chance's {words}"


def blunder_line(
    position: Position, parts: Sequence[tuple[int, str]], names: Sequence[str], keys: list[str]
) -> str:
    """Return a blunder in words."""
    verdict = position.verdict
    assert verdict is not None
    number = position.made + 1
    return (
        f"{where(number, parts)}: {of_move(position.move, names, keys)} gave away "
        f"{per_cent(verdict.given_up)} (+- {per_cent(2 * verdict.doubt)}); {verdict.best} was better"
    )


def balance_lines(found: Analysis, names: Sequence[str]) -> list[str]:
    """Return for each side how its way to the result is made up of choices and luck."""
    lines = []
    sampled = len(found.positions) - 1 < found.decisions
    rest = "luck and what was not looked at" if sampled else "luck"
    for seat, name in enumerate(names):
        first, last = found.positions[0].chances[seat].share, found.positions[-1].chances[seat].share
        own = found.choices(seat, seat)
        others = sum(found.choices(seat, by) for by in range(len(names)) if by != seat)
        lines.append(
            f"{name}: {per_cent(first)} at first, {per_cent(last)} at last; own choices {points(own)}, "
            f"the others' {points(others)}, {rest} {points(found.luck(seat))}"
        )
    return lines


def points(change: float) -> str:
    """Return a change in points of a hundred, with its sign."""
    return f"{100 * change:+.0f}"


def sections(
    found: Analysis, report: Report, names: Sequence[str], margin: float
) -> list[tuple[str, list[str]]]:
    """Return what there is to say, under titles."""
    keys = report.setup.seats
    parts = stretches(report)
    turns = [turn_line(turn, parts, names, report) for turn in found.turns()]
    blunders = [blunder_line(one, parts, names, keys) for one in found.blunders(margin)]
    return [
        ("Turning points", turns or ["none: no change was beyond doubt"]),
        (f"Blunders (choices that gave away {per_cent(margin)} or more)", blunders or ["none beyond doubt"]),
        ("Luck and skill, in points of a hundred", balance_lines(found, names)),
    ]


def plain(found: Analysis, report: Report, margin: float) -> str:
    """Return an analysis with one fact per line."""
    names = report.setup.seats
    lines = [heading(found)]
    for position in found.positions:
        chances = ", ".join(
            f"{key} {per_cent(chance.share)} ({per_cent(chance.low)} to {per_cent(chance.high)})"
            for key, chance in zip(names, position.chances, strict=True)
        )
        lines.append(f"after move {position.made}: {chances}")
    for title, facts in sections(found, report, names, margin):
        lines += [f"{title}: {fact}" for fact in facts]
    return "".join(f"{line}\n" for line in lines)


def text(found: Analysis, report: Report, margin: float, console: Console) -> None:
    """Print an analysis with its chart."""
    pairs = zip(report.names, report.setup.seats, strict=True)
    names = [name_fitted(name, key, console.encoding) for name, key in pairs]
    marks = MARKS if can_hold(MARKS, console.encoding) else PLAIN_MARKS
    write(wrapped(Text(fitted(heading(found), console.encoding), "bold"), console.width, console), console)
    legend = "   ".join(f"{marks[seat]} {name}" for seat, name in enumerate(names))
    write([Text(), *chart(found, marks, console.width), Text(f"      {legend}")], console)
    for title, facts in sections(found, report, names, margin):
        write([Text(), Text(fitted(title, console.encoding), "bold")], console)
        for fact in facts:
            write(wrapped(Text(fitted(fact, console.encoding)), console.width, console), console)


def chart(found: Analysis, marks: str, width: int) -> list[Text]:
    """Return the chances as lines of a chart, a column or more for each position."""
    room = max(width - 8, 10)
    count = len(found.positions)
    step = max(1, min(3, room // count))
    shown = [
        found.positions[place * (count - 1) // max(1, min(count, room) - 1)]
        for place in range(min(count, room))
    ]
    rows = []
    for level in range(STEPS, -1, -1):
        cells = []
        for position in shown:
            there = [
                seat for seat, chance in enumerate(position.chances) if round(STEPS * chance.share) == level
            ]
            cells.append((marks[there[0]] if there else " ") + " " * (step - 1))
        label = f"{100 * level // STEPS:4}% " if level % 5 == 0 else "      "
        rows.append(Text(f"{label}{''.join(cells).rstrip()}"))
    last = str(shown[-1].made)
    rows.append(Text(f"move  {shown[0].made}{last.rjust(max(len(last) + 1, step * (len(shown) - 1)))}"))
    return rows


def as_page(found: Analysis, report: Report, margin: float) -> str:
    """Return an analysis as a page that needs nothing else, its chart an inline picture."""
    names = [clean(name) for name in report.names]
    whole = max(1, found.positions[-1].made)
    lines = []
    for seat, name in enumerate(names):
        dots = [
            (
                EDGE + (WIDTH - EDGE) * position.made // whole,
                round(HEIGHT * (1 - position.chances[seat].share)),
            )
            for position in found.positions
        ]
        color = COLORS[seat % len(COLORS)]
        lines.append({"name": name, "color": color, "points": " ".join(f"{x},{y + 8}" for x, y in dots)})
    return page.render(
        "analysis.html",
        title=f"{said([report.rules.name], names)}: {' against '.join(names)}",
        how=heading(found),
        width=WIDTH + 8,
        height=HEIGHT + 32,
        edge=EDGE,
        marks=[{"y": 8 + HEIGHT * part // 4, "label": f"{100 - 25 * part}%"} for part in range(5)],
        moves=whole,
        lines=lines,
        sections=[
            {"title": title, "facts": facts} for title, facts in sections(found, report, names, margin)
        ],
    )


def as_json(found: Analysis, margin: float) -> dict[str, object]:
    """Return an analysis as JSON has it."""
    keys = found.record.setup.seats
    return {
        "schema": 1,
        "id": found.record.id,
        "rules": found.record.rules.key,
        "battles": found.battles,
        "all_seeing": found.all_seeing,
        "decisions": found.decisions,
        "positions": [position_table(position, keys) for position in found.positions],
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
            for turn in found.turns()
        ],
        "margin": margin,
        "blunders": [position.made + 1 for position in found.blunders(margin)],
        "sides": {
            key: {
                "choices": {other: found.choices(seat, by) for by, other in enumerate(keys)},
                "luck": found.luck(seat),
            }
            for seat, key in enumerate(keys)
        },
    }


def position_table(position: Position, keys: list[str]) -> dict[str, object]:
    """Return one position as JSON has it."""
    table: dict[str, object] = {
        "moves": position.made,
        "side": keys[position.side] if position.side != NOBODY else None,
        "move": position.move,
        "chances": {key: interval_table(one) for key, one in zip(keys, position.chances, strict=True)},
    }
    verdict = position.verdict
    if verdict is not None:
        table |= {"best": verdict.best, "given_up": verdict.given_up, "doubt": verdict.doubt}
    return table

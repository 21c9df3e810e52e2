"""Show a recorded battle beside another battle, in which one decision is different."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardbattle.show.battle_text import names_of, said, tally, winner_words
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
from cardbattle.show.svg.charts import TINTS
from cardbattle.simulation.intervals import wilson_bounds
from cardbattle.simulation.turning_points import NO_CURVE
from cardbattle.story.story import tell_story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.what_if import OtherBattle
    from cardbattle.show.document import Content, Words
    from cardbattle.simulation import turning_points

PERMILLE = 1000


class Branch(NamedTuple):
    """One of the two battles, with its report, its chances, and the choice made at the changed decision."""

    report: Report
    curve: turning_points.Curve
    choice: str


def what_if_page(
    report: Report, other_battle: OtherBattle, curves: Sequence[turning_points.Curve]
) -> Document:
    """Show the recorded battle and the other battle: the chances of the side that chose, and the endings.

    `curves` has the chances over the recorded battle and over the other battle. If the chances of a battle
    are unknown, its curve has no points. If no chances were counted, `curves` is empty.
    """
    decision = other_battle.decision
    first, second = curves or (NO_CURVE, NO_CURVE)
    recorded = Branch(report, first, decision.choice)
    instead = Branch(other_battle.report, second, other_battle.option)
    name = names_of(report)[decision.side]
    blocks: list[Content] = [
        Title(f"{report.rules.name}: {battle_title(report)}"),
        Paragraph(question(other_battle, name)),
        *(chances(recorded, instead, other_battle, name) if curves else []),
    ]
    for title, branch in (
        (f"As recorded: {decision.choice}", recorded),
        (f"Instead: {other_battle.option}", instead),
    ):
        blocks += [Section([*in_cards(title)]), *ending(branch, other_battle.shared)]
    return Document(battle_title(report), blocks, what_if_json(recorded, instead, other_battle))


def question(other_battle: OtherBattle, name: str) -> Words:
    """Describe the decision that was changed in a sentence."""
    decision = other_battle.decision
    place = f"step {decision.step} ({decision.words})" if decision.words else f"step {decision.step}"
    text = f"What if {name} had chosen {other_battle.option} instead of {decision.choice} at {place}?"
    return [*in_cards(text)]


def chances(recorded: Branch, instead: Branch, other_battle: OtherBattle, name: str) -> list[Content]:
    """Return a chart of the chances in both battles, with a sentence about the chances after the decision."""
    decision = other_battle.decision
    if not (recorded.curve.points and instead.curve.points):
        return [
            Paragraph("The chances are not known: this rule set cannot deal the hidden cards again.", FAINT)
        ]
    lines = [
        Curve(
            Side(title, title, decision.side + n * TINTS),
            [(point.step, point.chances[decision.side] / PERMILLE) for point in branch.curve.points],
        )
        for n, (title, branch) in enumerate((("as recorded", recorded), ("instead", instead)))
    ]
    before, after = [
        next((share for step, share in line.points if step >= decision.step), 0.0) for line in lines
    ]
    battles = recorded.curve.battles
    widths = [
        high - low
        for low, high in (wilson_bounds(share, battles) for line in lines for _, share in line.points)
    ]
    sentence = (
        f"{name}'s chance after that step: {before:.0%} as recorded, {after:.0%} instead; {battles} battles "
        f"each between regular commanders, +- {50 * max(widths):.1f} points or less (95%)."
    )
    facts = [
        f"{line.side.name}, after step {step}: {share:.0%}" for line in lines for step, share in line.points
    ]
    chart = Chart(lines, f"Chance of {name} to win, step by step", facts, axis="step")
    return [chart, Paragraph(sentence)]


def ending(branch: Branch, shared: int) -> list[Content]:
    """Return the story and the result of a battle from the decision on."""
    names = names_of(branch.report)
    won, why = winner_words(branch.report)
    tallies = [
        Item("", [Side(name, key, seat), f": {tally(branch.report, seat)}"])
        for seat, (name, key) in enumerate(zip(names, branch.report.setup.seats, strict=True))
    ]
    return [
        Paragraph(" ".join(story_after(branch.report, shared))),
        Paragraph(f"{said(won, names)}: {why}."),
        Items(tallies),
    ]


def story_after(report: Report, shared: int) -> Sequence[str]:
    """Return the sentences of a story after the first `shared` events, which both battles share."""
    story = tell_story(report)
    return [text for text, event in zip(story.sentences, story.events, strict=True) if event >= shared]


def what_if_json(recorded: Branch, instead: Branch, other_battle: OtherBattle) -> dict[str, object]:
    """Return both battles for JSON. Their events and stories begin at the decision."""
    decision, report = other_battle.decision, recorded.report
    keys = report.setup.seats
    viewer = {} if report.viewer is None else {"viewer": keys[report.viewer]}
    return {
        "schema": 1,
        **({"id": report.id} if report.id else {}),
        "rules": report.rules.key,
        **viewer,
        "step": decision.step,
        "words": decision.words,
        "move": decision.move,
        "side": decision.key,
        "recorded": branch_table(recorded, other_battle.shared),
        "instead": branch_table(instead, other_battle.shared),
    }


def branch_table(branch: Branch, shared: int) -> dict[str, object]:
    """Return one of the two battles for JSON."""
    report, keys = branch.report, branch.report.setup.seats
    return {
        "choice": branch.choice,
        "battles": branch.curve.battles,
        "chances": [
            {"step": point.step, "chances": dict(zip(keys, shares_of(point.chances), strict=True))}
            for point in branch.curve.points
        ],
        "winners": [keys[seat] for seat in report.winners],
        "reason": report.reason,
        "sides": {
            key: {"score": report.scores[seat], "losses": report.losses[seat]}
            for seat, key in enumerate(keys)
        },
        "story": [*story_after(report, shared)],
        "events": [report.rules.as_json(event, keys) for _, event in report.events[shared:]],
    }


def shares_of(permille: Sequence[int]) -> list[float]:
    return [chance / PERMILLE for chance in permille]

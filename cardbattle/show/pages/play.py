"""What a person who plays asks for: help, a rule, what the options are worth, how it ended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.show.document import BARE, CODED, Document, Item, Items, Paragraph, Table
from cardbattle.show.pages.reference import NUMBERED
from cardbattle.simulation.intervals import wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.battles.advice import Worth
    from cardbattle.core.ruleset import Lesson, RuleSet


ANSWERING = (
    "Answer by the number of an option, or by its words; the beginning of each word is enough where only "
    "one option begins so, and the first word can be left out. Cards are KS or 10H, small letters will do. "
    "In games whose cards are numbers themselves options are #1, #2, and a bare number is a card."
)


def help_page(texts: Mapping[str, str], about: str = ANSWERING) -> Document:
    """Return what may be written at the prompt: each word, and what it does."""
    items = [Item(word, [f": {told}"]) for word, told in texts.items()]
    return Document("Help", [Paragraph(about), Items(items, BARE)], {})


def lesson_page(rules: RuleSet, lesson: Lesson) -> Document:
    """Return the rules that apply to a question, each with its number."""
    known = {number: " ".join(text.split()) for number, text in NUMBERED.findall(rules.rules_text())}
    items = [Item(number, [f" {strip_markdown(known[number])}"]) for number in lesson.rules]
    quoted = " ".join(known[number] for number in lesson.rules)
    meant = [f"{one}: {told}" for one, told in rules.letters.items() if re.search(rf"\b{one}\b", quoted)]
    note = [Paragraph(f"{'; '.join(meant)}.")] if meant else []
    return Document(rules.name, [Paragraph(lesson.words), *note, Items(items, CODED)], {})


def strip_markdown(text: str) -> str:
    """Return a rule without the marks of Markdown."""
    return text.replace("**", "").replace("`", "").replace("*Settled here", "Settled here").replace("*", "")


def worth_page(worths: Sequence[Worth], options: int) -> Document:
    """Return what the best options are worth, as a regular commander would reckon."""
    rows = []
    for worth in worths:
        low, high = wilson_bounds(worth.share, worth.tries)
        between = f"{100 * low:.0f} to {100 * high:.0f}"
        rows.append([worth.text, f"{100 * worth.share:.0f}", between, str(worth.tries)])
    about = (
        "Of 100 battles as they may stand for all you know, fought on by regular commanders, you would win "
        "so many after each; as only some were tried, it may be any number between those beside it."
    )
    about += f" These are the best of {options} options." if options > len(worths) else ""
    table = Table(["option", "won of 100", "between", "tried"], rows, (1, 2, 3))
    return Document("Worth", [table, Paragraph(about)], {})

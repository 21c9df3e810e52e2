"""Pages for a person who plays a battle: help, the rules for a question, and the value of each option."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardbattle.rules.provenance import numbered_rules
from cardbattle.show.document import BARE, CODED, Document, Item, Items, Paragraph, Table
from cardbattle.simulation.intervals import wilson_bounds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.battles.advice import OptionValue
    from cardbattle.core.ruleset import Lesson, RuleSet


ANSWERING = (
    "Answer with the number of an option or with its words. Words can be shortened as long as only one "
    "option matches, and the first word can be left out. Write cards as KS or 10H; lower case works too. "
    "In games whose cards are numbers, options are #1, #2, and a bare number is a card."
)


def help_page(texts: Mapping[str, str], about: str = ANSWERING) -> Document:
    """List the commands that can be typed at the prompt, and say what they do."""
    items = [Item(command, [f": {text}"]) for command, text in texts.items()]
    return Document("Help", [Paragraph(about), Items(items, BARE)], {})


def lesson_page(rules: RuleSet, lesson: Lesson) -> Document:
    """Show the rules that apply to a question, with their numbers."""
    texts = {rule.number: rule.text for rule in numbered_rules(rules)}
    items = [Item(number, [f" {strip_markdown(texts[number])}"]) for number in lesson.rules]
    quoted = " ".join(texts[number] for number in lesson.rules)
    meanings = [
        f"{letter}: {meaning}"
        for letter, meaning in rules.letters.items()
        if re.search(rf"\b{letter}\b", quoted)
    ]
    note = [Paragraph(f"{'; '.join(meanings)}.")] if meanings else []
    return Document(rules.name, [Paragraph(lesson.words), *note, Items(items, CODED)], {})


def strip_markdown(text: str) -> str:

    return text.replace("**", "").replace("`", "").replace("*Settled here", "Settled here").replace("*", "")


def option_values_page(option_values: Sequence[OptionValue], options: int) -> Document:
    """Show the best options with their values, which battles between regular commanders estimate."""
    rows = []
    for value in option_values:
        low, high = wilson_bounds(value.share, value.tries)
        between = f"{100 * low:.0f} to {100 * high:.0f}"
        rows.append([value.text, f"{100 * value.share:.0f}", between, str(value.tries)])
    about = (
        "How many of 100 battles you win after each option, if regular commanders play the rest. Hidden "
        "cards are dealt again in every battle. The true number is probably within the range."
    )
    about += f" These are the best of {options} options." if options > len(option_values) else ""
    table = Table(["option", "won of 100", "range", "tried"], rows, (1, 2, 3))
    return Document("Value", [table, Paragraph(about)], {})

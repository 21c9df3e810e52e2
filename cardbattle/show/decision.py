"""Show a decision on the screen: recent events, the table, the player's hand, and the numbered options.

The decision fits a terminal of 24 lines. If there is too much text, older events are dropped first, and then
similar options are combined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.text import Text

from cardbattle.battles.records.reader_view import Report
from cardbattle.core.cards import read_card
from cardbattle.core.grammar import Noun, is_plural
from cardbattle.core.spelling import number_mark
from cardbattle.core.telling import TALE, Line, Name
from cardbattle.show.battle_text import blocks_for
from cardbattle.show.console import fit_encoding
from cardbattle.show.layout import hung, rule_heading
from cardbattle.show.terminal_battle import Pen, tale_screen

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.core.battle import View
    from cardbattle.core.ruleset import Lesson

HEIGHT = 24  # lines of a screen, including the prompt
AT_MOST = 9  # maximum number of lines with numbered options; if there are more, options are combined
HELD = 4  # lines of a hand
SHORT = 14  # columns of a name
JOINT = re.compile(r", | and ")  # between the names of the forces of one side
EARLIER = "  ... earlier events: type log"
MORE_HELD = "    ... more cards: type hand"


class ShownDecision(NamedTuple):
    """What the screen shows a side that must decide.

    Attributes:
        report: the battle as the side saw it.
        since: the number of events that the side has been shown already.
        view: the situation of the battle as the side sees it.
        texts: the options as text.
        lesson: an explanation of the question.
        is_new: True if a learner is asked this kind of question for the first time.
        is_first: True if the side has not been shown a decision yet.

    """

    report: Report
    since: int
    view: View
    texts: Sequence[str]
    lesson: Lesson | None
    is_new: bool
    is_first: bool = False


def decision_lines(shown: ShownDecision, console: Console) -> list[Text]:
    pen = Pen(shown.report, console)
    heading = heading_lines(shown, pen)
    legend = names_lines(pen, shown.report.setup.seats) if shown.is_first else []
    pen.names = short_names(pen.names, shown.report.setup.seats)
    below = [*scene_lines(shown, pen), *question_lines(shown, pen)]
    options = option_list(shown.texts, pen, number_mark(shown.report.rules))
    room = HEIGHT - 1 - len(heading) - len(below)
    if len(options) > min(AT_MOST, max(room, 0)):
        options = min(options, options_together(shown.texts, pen, room), key=len)
    news = news_lines(shown.report, shown.since, pen)
    room -= len(options)
    if len(legend) <= room:
        heading += legend
        room -= len(legend)
    if len(news) > room:
        news = [pen.plain(EARLIER, "dim"), *news[len(news) - room + 1 :]] if room > 1 else []
    return [*heading, *news, *below, *options]


def news_lines(report: Report, since: int, pen: Pen) -> list[Text]:
    """Return the lines about what happened after the first `since` events, as the reader saw it."""
    news = tale_screen(blocks_for(report, TALE, (since, 10**9)), pen, TALE)
    while news and not news[0].plain:
        news = news[1:]
    return news


def heading_lines(shown: ShownDecision, pen: Pen) -> list[Text]:
    name = pen.text([Name(shown.view.side)], "bold")
    return rule_heading(name, pen.plain(shown.report.rules.name), pen.width, pen.console)


def short_names(names: Sequence[str], keys: Sequence[str]) -> list[Noun]:
    """Shorten names to fit a column.

    A short name is the name, its first force, either of them without "The", the key, the main noun, or the
    number of the side.

    >>> short_names(["York", "Sir Humphrey of Longstaff"], ["york", "humphrey"])
    ['York', 'humphrey']
    >>> short_names(["Salt Boys and Harbour Watch", "Salt Boys"], ["salt-boys", "boys"])
    ['salt-boys', 'Salt Boys']
    >>> short_names(["Salt Boys and Harbour Watch", "York"], ["salt-boys", "york"])
    ['Salt Boys', 'York']
    >>> short_names(["The Royal Archers", "York"], ["the-royal-archers", "york"])
    ['Royal Archers', 'York']
    >>> short_names(["The Longbowmen of Ely", "York"], ["the-longbowmen-of-ely", "york"])
    ['Longbowmen', 'York']
    >>> short_names(["Longbowmen of Ely", "Longbowmen of Rye"], ["longbowmen-of-ely", "longbowmen-of-rye"])
    ['side 1', 'side 2']
    """
    first = [JOINT.split(name)[0] for name in names]
    bare = [name.removeprefix("The ") for name in first]
    heads = ["".join(name.partition(" of ")[0].split()[-1:]) for name in bare]
    nouns = []
    for number, (name, key) in enumerate(zip(names, keys, strict=True), 1):
        own = first[number - 1]
        leaders = [own] if first.count(own) == 1 else []
        leaders += [bare[number - 1]] if bare.count(bare[number - 1]) == 1 else []
        head = heads[number - 1]
        nouns_left = [head] if head and heads.count(head) == 1 else []
        fitting = [label for label in (name, *leaders, key, *nouns_left) if cell_len(label) <= SHORT]
        nouns.append(Noun(fitting[0], is_plural(name)) if fitting else Noun(f"side {number}", False))
    return nouns


def names_lines(pen: Pen, keys: Sequence[str]) -> list[Text]:
    """Return a line that explains the shortened names, or no line if no name lost more than "The"."""
    pairs = zip(short_names(pen.names, keys), pen.names, strict=True)
    texts = [f"{short} stands for {name}" for short, name in pairs if name not in (short, f"The {short}")]
    return hung(pen.plain(f"{'; '.join(texts)}."), pen.width, pen.console, Text("  "), 2) if texts else []


def scene_lines(shown: ShownDecision, pen: Pen) -> list[Text]:
    """Return the lines that show the table and the player's hand."""
    rules, view = shown.report.rules, shown.view
    hand = rules.hand(view)
    lines = tale_screen(rules.scene(view), pen, TALE)
    if hand:
        cards = tale_screen([Line(["Your hand: ", *hand, "."], "")], pen, TALE)
        lines += cards if len(cards) <= HELD else [*cards[: HELD - 1], pen.plain(MORE_HELD, "dim")]
    return lines


def question_lines(shown: ShownDecision, pen: Pen) -> list[Text]:
    """Return the question with its rule number and, for a beginner, an explanation."""
    lesson = shown.lesson
    if lesson is None:
        return [pen.plain("Choose:", "bold")]
    question = pen.plain(f"{lesson.ask} ({lesson.rules[0]}):", "bold")
    lines = hung(question, pen.width, pen.console, Text(), 0)
    if shown.is_new:
        lines = [*hung(pen.plain(lesson.words), pen.width, pen.console, Text("  "), 2), *lines]
    return lines


def option_list(texts: Sequence[str], pen: Pen, mark: str) -> list[Text]:
    """Return lines with the numbered options, in as many columns as fit.

    The numbers start at 1, and `mark` is written before each number.
    """
    digits = len(f"{mark}{len(texts)}")
    cells = [
        f" {f'{mark}{n}':>{digits}} {fit_encoding(text, pen.encoding)}" for n, text in enumerate(texts, 1)
    ]
    wide = max(map(len, cells)) + 2
    columns = max(1, min(pen.width // wide, -(-len(cells) // 3)))
    rows = -(-len(cells) // columns)
    lines = ["".join(cell.ljust(wide) for cell in cells[row::rows]).rstrip() for row in range(rows)]
    return [line for text in lines for line in within_width(Text(text), pen)]


def within_width(line: Text, pen: Pen) -> list[Text]:
    """Wrap a line with a hanging indent if it is wider than the screen."""
    return [line] if line.cell_len <= pen.width else hung(line, pen.width, pen.console, Text(), 4)


NUMBERS_TOO = "{} options: type one in words, or type options to see their numbers"


def options_together(texts: Sequence[str], pen: Pen, room: int, last: str = NUMBERS_TOO) -> list[Text]:
    """Combine options that begin with the same words into few lines, and add the line `last`.

    The line `last` is a template with the number of options. While there are more than `room` lines, the
    longest group of lines with the same verb is replaced with a line that counts the options of the group.
    """
    lines: dict[str, list[Text]] = {}
    for ways in together(texts):
        text = pen.plain(ways_text(ways))
        verb = ways[0][0].split(" ")[0]
        lines.setdefault(verb, []).extend(hung(text, pen.width, pen.console, Text("  "), 6))
    while sum(map(len, lines.values())) >= room and max(map(len, lines.values())) > 1:
        verb = max(lines, key=lambda word: len(lines[word]))
        number = sum(text.split(" ")[0] == verb for text in texts)
        lines[verb] = [pen.plain(f"  {verb} ... ({number} ways)")]
    count = hung(pen.plain(last.format(len(texts)), "dim"), pen.width, pen.console, Text("  "), 2)
    return [*(line for group in lines.values() for line in group), *count]


Ways = list[list[str]]  # the alternatives for each position: first word, second word, and so on
PAIRS = "two of"


def together(texts: Sequence[str]) -> list[Ways]:
    """Group options that share words at the same positions.

    Each group has a list of words for each position. Options with different verbs are never in the same
    group.

    >>> together(["hold", "put 1 2", "put 1 3", "put 4 2", "put 4 3"])
    [[['hold']], [['put'], ['1', '4'], ['2', '3']]]
    """
    endings: dict[str, list[str]] = {}
    for text in texts:
        before, _, last = text.rpartition(" ")
        endings.setdefault(before, []).append(last)
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for before, last_words in endings.items():
        first, _, middle = before.rpartition(" ")
        alike.setdefault((first or middle, tuple(last_words)), []).append(middle if first else "")
    ways: list[Ways] = []
    for (first, shared), middles in alike.items():
        steps = [middles, [*shared]] if any(middles) else [[*shared]]
        ways += [[[first], *steps]] if first else [[[word]] for word in shared]
    return combine_pairs(ways)


def combine_pairs(ways: list[Ways]) -> list[Ways]:
    """Merge groups that together offer every pair of words from a list into one "two of" group.

    >>> combine_pairs([[["hold"]], [["swap"], ["1"], ["2", "3"]], [["swap"], ["2"], ["3"]]])
    [[['hold']], [['swap two of'], ['1', '2', '3']]]
    """
    combined: list[Ways] = []
    for way in ways:
        before = combined[-1] if combined else []
        if len(way) == 3 and len(before) == 2 and before[0] == [f"{way[0][0]} {PAIRS}"]:
            place = before[1].index(way[1][0]) if way[1][0] in before[1] else -1
            if len(way[1]) == 1 and place > 0 and before[1][place + 1 :] == way[2]:
                continue
        if len(way) == 3 and len(way[1]) == 1 and len(way[2]) > 1 and is_first_of_pairs(way, ways):
            combined.append([[f"{way[0][0]} {PAIRS}"], [*way[1], *way[2]]])
        else:
            combined.append(way)
    return combined


def is_first_of_pairs(way: Ways, ways: list[Ways]) -> bool:
    """Return True if `way` is the first of groups that together offer every pair of words from a list."""
    first, texts = way[0], [*way[1], *way[2]]
    return all([first, [word], texts[n + 1 :]] in ways for n, word in enumerate(texts[:-1]))


def ways_text(ways: Ways) -> str:
    """Format a group of options as text. If the words of the last position are cards, they are sorted.

    >>> ways_text([["put"], ["1", "4"], ["2", "3"]]), ways_text([["go"], ["on"], ["a", "b"]])
    ('put, then 1 4, then 2 3', 'go on, then a b')
    >>> ways_text([["swap two of"], ["1", "2", "3"]]), ways_text([["attack"], ["2S"], ["KC", "9S"]])
    ('swap two of 1 2 3', 'attack 2S, then 9S KC')
    """
    *steps, last = ways
    ways = [*steps, in_card_order(last)]
    text = " ".join(ways[0])
    for n, step in enumerate(ways[1:], 1):
        is_one = len(step) == 1 and all(len(before) == 1 for before in ways[:n])
        text += (" " if is_one or text.endswith(PAIRS) else ", then ") + " ".join(step)
    return text


def in_card_order(tokens: list[str]) -> list[str]:
    """Sort cards from the lowest to the highest. If a token is not a card, the order does not change.

    >>> in_card_order(["10C", "9S", "AD"]), in_card_order(["b", "a"])
    (['9S', '10C', 'AD'], ['b', 'a'])
    """
    try:
        return sorted(tokens, key=read_card)
    except ValueError:
        return tokens

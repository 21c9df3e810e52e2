"""Text that is the same in all output formats of a battle: title, outcome, and blocks of the story or log."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.battles.records.battle_file import BattlePlan, SidePlan
from cardbattle.commanders import HUMAN
from cardbattle.core.battle import NOBODY
from cardbattle.core.grammar import (
    choose_form,
    is_plural,
    mid_sentence,
    outside_brackets,
    sentence_start,
    singular,
    with_keys,
)
from cardbattle.core.names import clean, listed
from cardbattle.core.options import SideKey
from cardbattle.core.ruleset import and_sides
from cardbattle.core.telling import (
    AUDIT,
    BRIEF,
    ENGLISH,
    STORY,
    TALE,
    Block,
    Card,
    Estimate,
    Heading,
    Inflection,
    Line,
    Name,
    Part,
    Parts,
    agreeing_with,
    begins_sentence,
    is_shown,
    skip_empty_sections,
)
from cardbattle.rules.provenance import KINDS, by_kind
from cardbattle.show.cards import draw, is_red, suit_of
from cardbattle.story.language import language
from cardbattle.story.story import tell_story

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.show.document import BattleReport


class Passage(NamedTuple):
    """A paragraph of a story."""

    parts: Parts


ShownBlock = Block | Passage
MoveSpan = tuple[int, int]
EVERYTHING: MoveSpan = (0, 10**9)


class Piece(NamedTuple):
    """A run of text with one style: words, a card, or the name of a side."""

    text: str
    seat: int = NOBODY
    card: bool = False
    red: bool = False

    @property
    def suit(self) -> str:
        """The suit that gives a card its colour. The red Joker has "H". Other pieces have ""."""
        return (suit_of(self.text) or ("H" if self.red else "")) if self.card else ""


LONGEST_POST = 1900  # Discord allows 2,000 characters; the rest is room for a line of the sender

FRAME = 24  # characters reserved for the marks that a format puts around a part


def post_length(lines: Sequence[str]) -> int:
    """Count the characters of a post in UTF-16 code units, as chat programs do.

    >>> post_length(["York", "\U0001f0a1"])
    7
    """
    return len("\n".join(lines).encode("utf-16-le", "surrogatepass")) // 2


def fill_parts(lines: Sequence[str], room: int) -> list[list[str]]:
    """Divide lines into parts of at most `room` characters.

    No part begins or ends with an empty line. A line that is longer than `room` is a part of its own.

    >>> fill_parts(["abc", "", "defg", "hi"], 8)
    [['abc'], ['defg', 'hi']]
    """
    parts: list[list[str]] = [[]]
    for line in lines:
        if parts[-1] and post_length([*parts[-1], line]) > room:
            parts.append([])
        if line or parts[-1]:
            parts[-1].append(line)
    return [without_last_gap(part) for part in parts]


def without_last_gap(part: list[str]) -> list[str]:
    """Return the lines without the empty lines at the end."""
    while part and not part[-1]:
        part = part[:-1]
    return part


def pieces_of(parts: Sequence[Part], names: Sequence[str], signs: bool = True) -> list[Piece]:
    """Turn the parts of a sentence into styled text.

    An inflected word agrees with the name of its side. If the name is a `Noun`, it says whether it is
    singular or plural. For other names, the function guesses the number. Inside a sentence, the article of a
    name is in lower case.
    """
    pieces: list[Piece] = []
    joins = False  # True if the next text continues the run that an inflected word began
    for at, part in enumerate(parts):
        if isinstance(part, Card):
            pieces.append(card_piece(part.text, signs))
        elif isinstance(part, Name):
            name = names[part.seat]
            is_first = begins_sentence(parts, at)
            pieces.append(Piece(name if is_first else mid_sentence(name), seat=part.seat))
        elif isinstance(part, Inflection):
            form = choose_form(part.forms, is_plural(names[part.seat]))
            if pieces and is_plain_text(pieces[-1]):
                form = pieces.pop().text + form
            pieces.append(Piece(form))
        elif joins and pieces:
            pieces[-1] = Piece(pieces[-1].text + clean(part))
        else:
            pieces.append(text_piece(part))
        joins = isinstance(part, Inflection)
    return pieces


@lru_cache(maxsize=4000)
def card_piece(text: str, signs: bool = True) -> Piece:
    return Piece(draw(clean(text), signs), card=True, red=is_red(text))


@lru_cache(maxsize=4000)
def text_piece(text: str) -> Piece:
    return Piece(clean(text))


def is_plain_text(piece: Piece) -> bool:
    return not piece.card and piece.seat == NOBODY


def said(parts: Sequence[Part], names: Sequence[str], signs: bool = False) -> str:
    """Return a sentence as plain text.

    >>> said([Name(0), " plays ", Card("KS"), "."], ["York"], signs=True)
    'York plays K♠.'
    """
    return "".join(piece.text for piece in pieces_of(parts, names, signs))


def names_of(report: Report) -> list[str]:
    """Return the displayed names of the sides. Equal names are followed by the sides' keys."""
    return with_keys([sentence_start(clean(name)) for name in report.names], report.setup.seats)


def blocks_of(battle_report: BattleReport) -> Sequence[ShownBlock]:
    """Return the blocks between the title and the outcome of a battle: its story or its log.

    The log has the report's level of detail. If the report covers only a part of a battle, the blocks are
    always a log.
    """
    report, detail, span, story, _ = battle_report
    if detail == STORY and span is None:
        return [Passage([paragraph]) for paragraph in story or [tell_story(report).text]]
    blocks = blocks_for(report, max(detail, TALE), span or EVERYTHING)
    return [*blocks, *sources_of(report.rules, blocks)] if detail == AUDIT and span is None else blocks


def sources_of(rules: RuleSet, blocks: Sequence[Block]) -> list[ShownBlock]:
    """Return a section that says for each cited rule whether it is published, a ruling or an addition."""
    cited = [block.rule for block in blocks if isinstance(block, Line)]
    passages = [
        Passage([f"{KINDS[kind]}: {listed(numbers)}."]) for kind, numbers in by_kind(rules, cited).items()
    ]
    return [Heading(["Where these rules come from"]), *passages] if passages else []


def blocks_for(report: Report, detail: int, span: MoveSpan = EVERYTHING) -> list[Block]:
    """Return the blocks of the log at a level of detail. Sections without content are left out.

    `span` is a pair of move numbers. The log is limited to the events from the first of these moves to the
    second.
    """
    tale = report.rules.tale(report.setup)
    tale.pace, tale.viewer = report.pace, NOBODY if report.viewer is None else report.viewer
    shown: list[tuple[int, Block]] = []
    for moves_made, event in report.events:
        for block in tale.describe(event):  # all events, because the tale depends on earlier ones
            if is_shown(block, detail):
                shown.append((moves_made, block))
    first, last = span
    return [block for moves_made, block in skip_empty_sections(shown) if first <= moves_made <= last]


def fought_by(report: Report) -> Parts:
    """Return a phrase that names the sides: `A against B` for two sides, or a list of several names."""
    sides = list(range(len(report.names)))
    return [Name(0), " against ", Name(1)] if len(sides) == 2 else sides_listed(report, sides)


def sides_listed(report: Report, sides: list[int]) -> Parts:
    """Return a list of sides, with a comma before the last "and" if the name of one side has an "and"."""
    is_clear = len(sides) == 1 or not any(" and " in outside_brackets(report.names[side]) for side in sides)
    return and_sides(sides, " and " if is_clear else ", and ")


def circumstances(report: Report) -> Parts:
    """Return the rule set, the battle's id, its seed, and the side whose point of view the report shows."""
    facts: Parts = [report.rules.name]
    if report.id:
        facts.append(f", battle {report.id}")
    if report.seed is not None:
        facts.append(f", seed {seed_text(report.seed)}")
    if report.viewer is not None and report.viewer != NOBODY:
        facts += [", as ", Name(report.viewer), " saw it"]
    return facts


def house_rule_lines(plan: BattlePlan, house: Mapping[str, object]) -> list[str]:
    """Return a line about each house rule in `house`, which has the form of a battle file."""
    names = dict(zip(plan.setup.seats, (side.name for side in plan.sides), strict=True))
    lines = []
    for word, value in house.items():
        option = plan.rules.house[word]
        shown = names[str(value)] if isinstance(option, SideKey) else value
        lines.append(f"{option_words(word, shown)}: {option.help}.")
    return lines


def option_words(word: str, value: object) -> str:
    """Return an option and its value, such as `hand 12` or `cards 2 3 4`.

    >>> option_words("quiet_turns", 5), option_words("cards", [2, 3]), option_words("dark", True)
    ('quiet turns 5', 'cards 2 3', 'dark true')
    """
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{word.replace('_', ' ')} {text.lower() if isinstance(value, bool) else text}"


def seed_text(seed: int | str) -> str:
    """Format a seed as on the command line. Text is quoted, because "7" is not the number 7."""
    return str(seed) if isinstance(seed, int) else f'"{clean(seed)}"'


def commanders_text(report: Report) -> Parts:
    """List the commanders that the reader may know.

    If more than three sides have the same commander, one phrase names them all.
    """
    if not any(report.commanders):
        return []
    if len(report.commanders) > 3 and len(set(report.commanders)) == 1:
        return [f"{report.commanders[0]} on every side"]
    parts: Parts = []
    for seat, commander in enumerate(report.commanders):
        parts += [", " if parts else "", Name(seat), f" ({commander})"] if commander else []
    return parts


def winner_words(report: Report) -> tuple[Parts, str]:
    """Return a sentence that names the winners, and the reason for the result."""
    why = clean(report.rules.reasons.get(report.reason, report.reason))
    if not report.winners_to_name:
        return ["The battle is drawn"], why
    names = sides_listed(report, report.winners_to_name)
    return [*names, " ", agreeing_with(names, "wins|win")], why


def substitute_sentences(side: SidePlan, name: str) -> list[str]:
    """Return a sentence for each time that a commander answered for the player of a side.

    Only this player and the umpire may read them.

    >>> side = SidePlan("York", "human", [], "", substitutes=["2: regular", "4: human", "6: elite"])
    >>> for sentence in substitute_sentences(side, "you"):
    ...     print(sentence)
    A regular commander answered questions 2 to 3 for you.
    An elite commander answered for you from question 6 on.
    """
    if side.commander != HUMAN:
        return []
    notes = [note.split(": ") for note in side.substitutes]
    sentences = []
    for (first, rank, *_), after in zip_longest(notes, (int(number) for number, *_ in notes[1:])):
        article = "An" if rank[0] in "aeiou" else "A"
        count = after - int(first) if after else 0
        which = f"question {first}" if count == 1 else f"questions {first} to {int(first) + count - 1}"
        if rank != HUMAN and not after:
            sentences.append(f"{article} {rank} commander answered for {name} from question {first} on.")
        elif rank != HUMAN and count:
            sentences.append(f"{article} {rank} commander answered {which} for {name}.")
    return sentences


def players_sentence(sides: Sequence[SidePlan]) -> str:
    """Return a sentence that says who answered in a battle by message, for the umpire.

    >>> york = SidePlan("York", "human", [], "", substitutes=["2: regular"])
    >>> kent = SidePlan("Kent", "human", [], "")
    >>> players_sentence([york, kent])
    'fought by message; a regular commander answered for York from question 2 on'
    >>> players_sentence([kent])
    'fought by message; the player of Kent gave all answers'
    """
    absences = [words for side in sides for words in substitute_sentences(side, side.name)]
    players = [side.name for side in sides if side.commander == HUMAN]
    owners = f"the {'player' if len(players) == 1 else 'players'} of {listed(players)}"
    facts = [f"{words[0].lower()}{words[1:-1]}" for words in absences] or [f"{owners} gave all answers"]
    return clean("; ".join(["fought by message", *facts]))


def tally(report: Report, seat: int) -> str:
    """Return a phrase with the score and the losses of the side at `seat`."""
    word = report.rules.score_word
    score = report.scores[seat]
    unit = singular(word) if score == 1 else word
    return f"{score} {unit}, losses {losses_text(report.losses[seat])}"


def losses_text(fraction: str) -> str:
    """Format losses as an exact fraction with its percentage.

    >>> losses_text("2/5"), losses_text("0"), losses_text("1")
    ('2/5 (40%)', 'none', 'all')
    """
    whole = {"0": "none", "1": "all"}
    return whole.get(fraction) or f"{fraction} ({hundredths(fraction)}%)"


def share_words(share: Fraction, *, is_rough: bool = False) -> str:
    """Return a share as a phrase, in the words of the stories.

    If `is_rough` is true, the share itself is an estimate.

    >>> [share_words(Fraction(*parts)) for parts in ((0, 1), (1, 8), (1, 2), (49, 50), (1, 1))]
    ['nothing', 'an eighth', 'half', 'nearly everything', 'everything']
    """
    if share in WHOLE:
        return WHOLE[share]
    return language(ENGLISH).share(Estimate(share) if is_rough else share)


WHOLE = {Fraction(0): "nothing", Fraction(1): "everything"}


def hundredths(fraction: str) -> int:
    """Return a fraction as a whole percentage, with halves rounded up.

    The result is 0 only for the fraction 0, and 100 only for the fraction 1.

    >>> hundredths("1/8"), hundredths("1/999"), hundredths("1")
    (13, 1, 100)
    """
    upper, _, lower = fraction.partition("/")
    n, d = int(upper), int(lower or 1)
    rounded = (200 * n + d) // (2 * d)
    return min(max(rounded, 1), 99) if 0 < n < d else rounded


def credit(report: Report) -> str:
    """Return the credit that the author of the rules requires in every report, or "" if none is required."""
    return "".join(credits_of([report.rules]))


def credits_of(fought: Iterable[RuleSet]) -> list[str]:
    """Return the credits that the authors of the rule sets in `fought` require, without duplicates."""
    return list(dict.fromkeys(rules.credit for rules in fought if rules.credit_reports))


def is_brief(detail: int) -> bool:
    return detail <= BRIEF


def is_bare(cell: Parts) -> bool:
    """Return True if a cell has only cards, numbers and symbols."""
    return not any(
        isinstance(part, Name) or (isinstance(part, str) and part != part.upper()) for part in cell
    )


def is_face_down(cell: Parts) -> bool:
    """Return True if a cell has only face-down cards, which are shown as "?"."""
    return len(cell) == 1 and isinstance(cell[0], str) and set(cell[0]) == {"?"}

"""Describe a battle as a list of blocks. A block is a heading, a sentence or a table, without layout.

In a sentence, cards and names are objects, so that each output format can mark them.

A rule set turns events into blocks, and the package `show` prints the blocks in a terminal, on a page or as
plain text. The log of a battle describes the battle to one reader. It is made only from the events that the
reader can see, so it cannot reveal other events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from string import Formatter
from typing import NamedTuple, Protocol, TypeVar

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.grammar import choose_form

BRIEF, STORY, TALE, AUDIT = 0, 1, 2, 3
AFTERWARDS, DURING, AT_TABLE = 0, 1, 2  # the moment at which a reader reads the log
ENGLISH = "en"  # the language of all text without a translation
T = TypeVar("T")
DETAILS = {"brief": BRIEF, "story": STORY, "log": TALE, "tale": TALE, "audit": AUDIT}


class Card(NamedTuple):
    """A card that a sentence names. `text` is its name in records, such as "KS"; writers can print "K♠".

    `is_second` is True if its side has already played a card of the same rank: "a second ace".
    """

    text: str
    is_second: bool = False


class Name(NamedTuple):
    """The name of a side in a sentence. The side is given by its seat."""

    seat: int


class Inflection(NamedTuple):
    """The singular and the plural form of a word in a sentence, such as `wins|win`.

    When the sentence is printed, the form that agrees with the name of the side at `seat` is used.
    """

    seat: int
    forms: str  # the singular and the plural form, with a bar between them


class Points(int):
    """A number of points in a story.

    Small numbers are printed as words. If one number of points in a sentence has three digits or more, all
    numbers of points in the sentence are printed in digits.
    """


class Score(int):
    """The score of a side in a story. A score of 0 is printed as "nought"."""


class Estimate(Fraction):
    """A share that the reader knows only approximately. A story says "about a fifth" instead of "a fifth"."""


Part = str | Card | Name | Inflection
Parts = list[Part]


class Heading(NamedTuple):
    """The title of a section of the battle, with a short remark such as the current score."""

    parts: Parts
    remark: Parts = []


class Line(NamedTuple):
    """One sentence, with the number of the rule that was applied.

    The sentence is printed if the level of detail is from `detail` to `most`. A sentence that only summarises
    several steps has a low `most`, because higher levels print every step.
    """

    parts: Parts
    rule: str
    detail: int = TALE
    most: int = AUDIT


class Grid(NamedTuple):
    """A table. `head` has the labels of the columns, and the first cell of each row is the label of the row.

    A grid only repeats information that is also in the sentences. Output formats without tables therefore
    leave it out.
    """

    head: list[Parts]
    rows: list[list[Parts]]
    detail: int = TALE


Block = Heading | Line | Grid


def skip_empty_sections(shown: Sequence[tuple[int, Block]]) -> list[tuple[int, Block]]:
    """Return the blocks, as pairs (number, block), without headings of empty sections."""
    following = [*[block for _, block in shown[1:]], None][: len(shown)]
    return [pair for pair, after in zip(shown, following, strict=True) if fills_section(pair[1], after)]


def is_shown(block: Block, detail: int) -> bool:
    """Return True if a block is printed at the level of detail `detail`."""
    if isinstance(block, Line):
        return block.detail <= detail <= block.most
    return isinstance(block, Heading) or block.detail <= detail


def fills_section(block: Block, after: Block | None) -> bool:
    """Return False if the block is the heading of an empty section, and True for any other block.

    `after` is the next block, or None for the last block.
    """
    return not isinstance(block, Heading) or (after is not None and not isinstance(after, Heading))


FactValue = (
    Name | Card | int | str | Fraction | Sequence[Name] | Sequence[Card] | Sequence[int] | Sequence[str]
)


class Fact(NamedTuple):
    """One statement in a story.

    Attributes:
        kind: the name of a group of phrases, such as "swap_leads". Each phrase in the group can express the
            fact.
        fields: the values that are inserted into the phrase, such as sides, cards, numbers and words.

    """

    kind: str
    fields: Mapping[str, FactValue]


def conditions(**holds: bool) -> dict[str, FactValue]:
    """Return a fact field with the value True for each condition that is true.

    Conditions that are false have no field. Some phrases need such a field, so they are used only if the
    condition is true.

    >>> conditions(again=True, late=False)
    {'again': True}
    """
    return {name: True for name, is_true in holds.items() if is_true}


def standing(scores: Sequence[int], side: int) -> dict[str, FactValue]:
    """Return the scores of two sides as fields of a `Fact`.

    The names of the fields depend on whether `side` leads, trails or is level.

    >>> standing([3, 2], 0), standing([3, 2], 1), standing([2, 2], 0)
    ({'lead': 3, 'behind': 2}, {'trail': 2, 'ahead': 3}, {'even': 2})
    """
    mine, theirs = Points(scores[side]), Points(scores[1 - side])
    if mine == theirs:
        return {"even": mine}
    return {"lead": mine, "behind": theirs} if mine > theirs else {"trail": mine, "ahead": theirs}


def first_of_few(candidates: Sequence[Sequence[Fact]], most: int) -> list[Fact | None]:
    """Choose one fact from each list, so that each kind of fact is chosen at most `most` times.

    The function chooses the first fact in a list whose kind can still be chosen. If no fact
    can be chosen, the result for this list is None.

    >>> a, b = Fact("a", {}), Fact("b", {})
    >>> [fact.kind if fact else "" for fact in first_of_few([[a, b], [a, b], [a]], 1)]
    ['a', 'b', '']
    """
    counts: dict[str, int] = {}
    chosen: list[Fact | None] = []
    for facts in candidates:
        fact = next((fact for fact in facts if counts.get(fact.kind, 0) < most), None)
        if fact is not None:
            counts[fact.kind] = counts.get(fact.kind, 0) + 1
        chosen.append(fact)
    return chosen


class Episode(NamedTuple):
    """Consecutive events of a battle that a story describes together, either in detail or in one sentence.

    Attributes:
        facts: the episode in detail. Each fact becomes a sentence.
        short: the whole episode as one fact, which becomes one sentence.
        winners: the seats that gained something. The list is empty if no side gained anything.
        scores: the score of each seat after the episode.
        first, last: the indices of the first and the last event of the episode in the list of events.
        weight: how remarkable the episode is, from 0 to 100. The rule set estimates this without simulation.
        is_plain: True for an ordinary episode. One sentence describes several ordinary episodes of the same
            side.
        before: the score of each seat just before the episode. The list is empty if these scores are the same
            as after the previous episode.
        course: the scores of all seats at several moments between this episode and the next. The list is
            empty if the scores do not change in this time.
        gone: facts about eliminations that the sentence `short` does not mention. Each names its turn.
        moments: the index of the event at which the part that each fact describes began. The list is empty if
            each fact is about the whole episode.
        left: the number of rounds or spaces that were left when the episode began, with those of the episode,
            or 0 if this number is unknown.

    """

    facts: Sequence[Fact]
    short: Fact
    winners: Sequence[int]
    scores: Sequence[int]
    first: int
    last: int
    weight: int
    is_plain: bool = False
    before: Sequence[int] = ()
    course: Sequence[Sequence[int]] = ()
    gone: Sequence[Fact] = ()
    moments: Sequence[int] = ()
    left: int = 0

    @property
    def standings(self) -> Sequence[Sequence[int]]:
        """The scores of all seats at each moment for which they are known, from this episode to the next."""
        return self.course or [self.scores]


PASSED, SHORT, FULL = "passed", "short", "full"  # how a scene describes its episodes


class Scene(NamedTuple):
    """A part of a thread, which is the outline of a story.

    Attributes:
        facts: the facts of the scene. Each fact becomes a sentence.
        episodes: the indices of the first and the last episode that the scene describes before its facts. The
            sequence is empty if the scene describes no episodes.
        depth: FULL if the scene describes these episodes in detail, SHORT if one sentence can describe
            several episodes, or PASSED if the scene reports only what the reader must know.
        last: the index of the scene's last event in the list of events, or -1 for a scene before the first
            event.
        turn: the number of the turn that the scene describes, or 0 if it describes several turns or no turn.
        rank: a high rank means that the scene matters little. If the story would be too long, scenes with the
            highest rank are left out first. Scenes with rank 0 are never left out.
        is_filler: True if the scene is used only if the story would be short, or if a random choice selects
            it.
        moment: the index of an event of the round, fight or turn that the facts of the scene describe, or -1
            if they do not describe a single one.

    """

    facts: Sequence[Fact]
    last: int = -1
    turn: int = 0
    rank: int = 0
    is_filler: bool = False
    episodes: Sequence[int] = ()
    depth: str = SHORT
    moment: int = -1


class Thread(NamedTuple):
    """An outline that a rule set proposes for the story of one battle.

    An outline has a cause, a turning point and the consequences.

    Attributes:
        name: the name of the outline. If possible, the next story in a report uses an outline with another
            name.
        hero: the seat from whose point of view the story is written.
        scenes: the parts of the outline in the order of the story.
        weight: how well the outline explains the result of the battle, from 0 to 100.
        others: the seats of the other sides in the story.
        is_for_hero: True if the story interests only the hero. It contains nothing secret.
        told: the kinds of facts of the ending that the scenes already describe.

    """

    name: str
    hero: int
    scenes: Sequence[Scene]
    weight: int = 0
    others: Sequence[int] = ()
    is_for_hero: bool = False
    told: Sequence[str] = ()


class Plot(NamedTuple):
    """The material for a story of one battle.

    Attributes:
        opening: facts that were known before the first move.
        episodes: the episodes of the battle, in the order in which they happened.
        ending: facts about the result.
        summary: a function that returns one fact about several consecutive episodes. Its arguments are the
            indices of the first and the last of these episodes. Without this function, the fact says how many
            of the episodes each side won.
        is_selective: True if a story can omit episodes.
        hooks: facts about the whole battle. A story can begin with one of these facts.
        is_total: True if the ending says that the losers have nothing left.
        threads: outlines of the whole battle. If the list is not empty, a story follows one of these
            outlines.
        is_cost_told: True if the score in the ending states the share of its strength that each side lost.

    """

    opening: Sequence[Fact]
    episodes: Sequence[Episode]
    ending: Sequence[Fact]
    summary: Callable[[int, int], Fact] | None = None
    is_selective: bool = False
    hooks: Sequence[Fact] = ()
    is_total: bool = False
    threads: Sequence[Thread] = ()
    is_cost_told: bool = False


def fill_template(template: str, fields: Mapping[str, Part | Sequence[Part]]) -> Parts:
    """Replace the named fields of a template with their values.

    If a value is a list, the result has spaces between the elements.

    `{side:plays|play}` is replaced with the form of the word that agrees with the name in the field `side`.

    >>> fill_template("{side} {side:plays|play} {cards}.", {"side": Name(0), "cards": [Card("KS")]})
    [Name(seat=0), ' ', Inflection(seat=0, forms='plays|play'), ' ', Card(text='KS', is_second=False), '.']
    """
    parts: Parts = []
    for text, field, forms in pieces_of_template(template):
        if text:
            parts.append(text)
        if field is None:
            continue
        value = fields[field]
        if forms:
            parts.append(agreeing_with(value, forms))
        elif isinstance(value, list):
            parts.extend(set_apart(value))
        else:
            parts.append(value)  # type: ignore[arg-type]
    return parts


@cache
def pieces_of_template(template: str) -> list[tuple[str, str | None, str]]:
    """Split a template into tuples (text, field, forms).

    `field` is the name of the field that follows the text, or None at the end of the template. `forms` has
    the forms of a word that agrees with this field, or is empty.
    """
    return [(text, field, forms or "") for text, field, forms, _ in Formatter().parse(template)]


@cache
def fields_of_template(template: str) -> frozenset[str]:
    return frozenset(field for _, field, _ in pieces_of_template(template) if field)


def agreeing_with(value: Part | Sequence[Part], forms: str) -> Part:
    """Return the form of a word that agrees with `value`, the value of a field.

    If the value names several sides, the form is plural. If it names one side, the form is chosen when the
    sentence is printed. For any other value, the form is singular.

    >>> agreeing_with([Name(0)], "is|are"), agreeing_with([Name(0), " and ", Name(1)], "is|are")
    (Inflection(seat=0, forms='is|are'), 'are')
    """
    parts = value if isinstance(value, list) else [value]
    seats = [part.seat for part in parts if isinstance(part, Name)]
    if len(seats) == 1:
        return Inflection(seats[0], forms)
    return choose_form(forms, plural=len(seats) > 1)


def clause(seat: int, forms: str, *parts: Part) -> Parts:
    """Return a sentence that consists of a side's name, a verb that agrees with the name, and `parts`.

    >>> clause(1, "holds|hold", " space 3.")
    [Name(seat=1), ' ', Inflection(seat=1, forms='holds|hold'), ' space 3.']
    """
    return [Name(seat), " ", Inflection(seat, forms), *parts]


def begins_sentence(parts: Sequence[Part], at: int) -> bool:
    """Return True if the part with the index `at` is the first part of a sentence.

    >>> parts = [Name(0), " shows 2. ", Name(1), " and ", Name(2), " pass."]
    >>> [at for at in range(len(parts)) if begins_sentence(parts, at)]
    [0, 2]
    """
    while at and not parts[at - 1]:  # an empty text
        at -= 1
    before = parts[at - 1] if at else "."
    return isinstance(before, str) and before.rstrip().endswith((".", "!", "?"))


def set_apart(items: Sequence[Part]) -> Parts:
    """Return the items with spaces between them.

    No space is added before punctuation or after an item that ends in a space.

    >>> set_apart(["the", Card("KS"), ", ", Name(0), " and ", Name(1)])
    ['the', ' ', Card(text='KS', is_second=False), ', ', Name(seat=0), ' and ', Name(seat=1)]
    """
    parts: Parts = []
    for item in items:
        before = parts[-1] if parts else " "
        is_apart = isinstance(before, str) and before.endswith(" ")
        if not is_apart and not (isinstance(item, str) and item.startswith((" ", ",", ".", ";", ":", ")"))):
            parts.append(" ")
        parts.append(item)
    return parts


def spaced(items: Sequence[Part], between: str = " ") -> Parts:
    """Return the items with the separator `between` between neighbouring items."""
    parts: Parts = []
    for item in items:
        if parts:
            parts.append(between)
        parts.append(item)
    return parts


def winners_to_name(winners: Sequence[T], sides: int) -> Sequence[T]:
    """Return the winners of a battle as texts name them. If all sides won, a text calls the battle a draw.

    >>> winners_to_name(["york"], 2), winners_to_name(["york", "kent"], 2)
    (['york'], [])
    """
    return winners if len(winners) < sides else []


def counted(n: int, word: str, plural: str = "") -> str:
    """Return a number with a noun, such as "2 cards". The default `plural` adds an "s"."""
    return f"{n} {word if n == 1 else plural or word + 's'}"


class Facts(Protocol):
    """The interface that turns event fields into parts of sentences. Every rule set implements it."""

    def part(self, name: str, value: object) -> Part | Parts:
        """Convert the value of an event field to a part of a sentence."""


def number(event: Event, name: str) -> int:
    """Return the value of an event field whose values are whole numbers."""
    value = event.fields[name]
    assert isinstance(value, int)
    return value


def numbers(event: Event, name: str) -> list[int]:
    """Return the value of an event field whose values are lists of whole numbers."""
    value = event.fields[name]
    assert isinstance(value, list)
    return value


class Words(NamedTuple):
    """The templates for one kind of event.

    `rule` is the number of the rule, and `detail` is the level of detail from which the sentence is printed.
    `text` is the template of the sentence. Readers who do not see the event's hidden fields get the sentence
    `veiled` instead.
    """

    rule: str
    detail: int
    text: str
    veiled: str = ""


class Tale:
    """An object that turns the events of one battle, one after the other, into the blocks of its log.

    A rule set defines a subclass and sets `words`, which has the templates for each kind of event. If a kind
    of event needs more than a template, the subclass has a method `on_<kind>`, which can use what it has
    stored about earlier events. `viewer` is the seat of the reader, or NOBODY for the public.

    `pace` says when the log is read. AFTERWARDS means after the battle, and DURING means between the answers
    of a player. AT_TABLE means in a battle with real cards, where players see one card after another. Such a
    log leaves out totals and the position of the battle, because the screen shows them beside the log.
    """

    words: Mapping[str, Words] = {}
    pace = AFTERWARDS
    viewer = NOBODY

    def __init__(self, rules: Facts, sides: int) -> None:
        self.rules = rules
        self.sides = sides

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.sides} sides>"

    def describe(self, event: Event) -> list[Block]:
        """Return the blocks that describe an event. Call this method with every event, in order."""
        special = getattr(self, f"on_{event.kind}", None)
        if special is not None:
            blocks: list[Block] = special(event)
            return blocks
        return [self.line(event)]

    def line(self, event: Event, **more: Part | Parts) -> Line:
        """Return the sentence that the templates in `words` give for an event.

        `more` has values for fields of the template that the event does not have.
        """
        template = self.words[event.kind]
        fields = self.parts_of(event) | more
        text = (
            template.text
            if fields_of_template(template.text) <= fields.keys() or not template.veiled
            else template.veiled
        )
        return Line(fill_template(text, fields), template.rule, template.detail)

    def parts_of(self, event: Event) -> dict[str, Part | Parts]:
        """Convert the side and the fields of an event to parts of sentences."""
        fields: dict[str, Part | Parts] = {}
        if event.side != NOBODY:
            fields["side"] = Name(event.side)
        for name, value in event.fields.items():
            fields[name] = self.rules.part(name, value)
        return fields

"""The interface of a rule set: its options, deal, battle, texts and computer players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, SupportsIndex

from cardbattle.core import cards
from cardbattle.core.battle import NOBODY, Battle, Event, Outcome, View
from cardbattle.core.chance import stream
from cardbattle.core.names import listed
from cardbattle.core.options import BOUNDLESS
from cardbattle.core.pickling import global_name
from cardbattle.core.setup import Setup as Setup
from cardbattle.core.telling import Block, Card, Name, Part, Parts, Tale

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, RandomSource
    from cardbattle.core.errors import Diagnostic
    from cardbattle.core.options import Option
    from cardbattle.core.telling import Plot

Policy = Callable[["View", "Chance"], int]  # returns an index into view.options


class Stepped(Protocol):
    """A battle played step by step, implemented by `core.stepping.SteppedBattle`."""

    @property
    def side(self) -> str | None:
        """Key of the side that must choose; None when the battle is over."""

    @property
    def options(self) -> list[str]:
        """Texts of the options of that side."""

    def choose(self, choice: str | int) -> None:
        """Choose an option by its text or its index. Raises IllegalMove."""

    def copy(self) -> Stepped:
        """Return an independent copy."""

    def outcome(self) -> Outcome[str]:
        """Return the result, with winners by key. Raises InvalidInput before the end."""


class Advantage(NamedTuple):
    """The terms of an advantage: `give` for every full `per` of superiority, at most `most` times."""

    per: Fraction
    give: Mapping[str, object]
    most: int


class Lesson(NamedTuple):
    """The explanation of a question for the player who must answer it.

    Attributes:
        ask: the question in a few words.
        rules: numbers of the rules that apply, the most important first.
        words: an explanation in two or three sentences.
        word: name of the question in standing orders; without one, only `any` matches it.

    """

    ask: str
    rules: Sequence[str]
    words: str
    word: str = ""


COMPARED: Mapping[str, str] = {
    "ahead": "your side has more of what counts than any other",
    "level": "your side has as much as the best of the others",
    "behind": "another side has more",
}  # the conditions that `standing_of` returns


def standing_of(count: int, rival_counts: Sequence[int]) -> str:
    """Return whether a side is ahead of, level with or behind its best rival.

    >>> standing_of(3, [2, 1]), standing_of(2, [2, 1]), standing_of(0, [0, 1])
    ('ahead', 'level', 'behind')
    """
    best = max(rival_counts)
    return "ahead" if count > best else "level" if count == best else "behind"


MILLION = 1_000_000  # value of a certain win in exact calculations


class Show(NamedTuple):
    """The hidden cards that an event reveals, for battles with real cards.

    Attributes:
        field: the field of the event that holds the cards.
        does: verb in singular and plural, such as "turns up|turn up".
        about: the purpose of the cards, with fields of the event, such as "in space {space}".
        rule: number of the rule.
        always: True to ask for cards that everyone knows already, because chance selects them.

    """

    field: str
    does: str
    about: str = ""
    rule: str = ""
    always: bool = False


class FirstMoveEdge(NamedTuple):
    """The measured value of the first move, between equal sides with regular commanders.

    Attributes:
        share: the first side's share of the points, 0 to 1.
        level_rule, level_value: the house rule that reduces the effect, and its value.
        level_share: the first side's share with that house rule.

    """

    share: float
    level_rule: str
    level_value: int
    level_share: float


class RuleSet:
    """One card game. Subclass it, and export an instance as `RULES`.

    A rule set is a package: `battle.py` has the rules in the order of play, `options.py` house rules and side
    options, `notation.py` the texts, `tactics.py` the regular commander, `rules.md` the numbered rules and
    `table.md` a page of them for a real table. Members come in three groups.

    **An author must write** the attributes `key`, `name`, `code`, `credit`, `default_sides`, `house`,
    `options`, `reasons`, `facts` and `package`, and the methods `start`, `choice_text`, `tale` and, if chance
    plays a part during the battle, `fate_text`.

    **An author can write** everything with a default: how cards are dealt (`piles`, `deal`), computer players
    (`regular`, `seasoned`, `estimate`, `solution`), what players see (`scene`, `hand`), and so on. The
    defaults describe a game without that feature.

    **Users of a rule set get** `battle`, `usual_setup`, `field`, `lesson`, `as_json`, `rules_text`,
    `table_text` and `number_of_sides`, which need no override.

    Attributes:
        key: name in files and on the command line, such as "field-of-honour".
        name: name in reports.
        alias: another accepted key, or "".
        code: letters before the rule numbers, such as "FH".
        version: raise it if a change makes old battles end differently; old records stay valid.
        credit: one line about the author, shown with the rules.
        credit_reports: True to show the credit in every report.
        default_sides: keys of the usual sides.
        fewest, most: possible numbers of sides.
        house, options: house rules and side options by name.
        reasons: text for each outcome reason, such as "more spaces held".
        forms: notation of all moves, such as "place CARD" (see `core.spelling`), including earlier versions.
        score_word: what the score counts, such as "points".
        advantage: the default advantage for strength; None if it was not calibrated.
        facts: kind of each event field: "card", "cards", "piles", "side" or "sides".
        view_fields: kind of each field of a view that programs in other languages get, in order: a kind of
            `facts`, "place" for an index from 0, or "" for numbers.
        package: import name of the package with `rules.md`.
        lessons: explanation of each question.
        letters: placeholder letters for sides in the rules, with their meaning.
        lots: for each house rule that chance decides, the question to players at a real table.
        conditions: conditions of standing orders, such as "space N", and their meaning.
        sealed: questions that sides answer in secret at the same time.
        revealing: questions that a side gets only if its hidden cards allow an answer.
        blind: questions whose answers only the side itself sees at a real table.
        shows: for each event, the hidden cards that it reveals.
        rounds: events that end a round.
        place_words: names of the parts of a battle by the event that begins them, with fields of the event,
            such as "space {space}". The steps before the first name with a field are the deployment.
        step_words: names of turning points by event: a noun such as "special", numbered within the part, or
            a phrase with "the", such as "the reveal".
        alike: prefix of the piles with interchangeable cards.
        iterations: number of tries for each answer, by rank; without `elite`, its commanders are veterans.
        horizon: number of decisions after which `estimate` values an unfinished try; -1 for never.

    """

    key: str
    name: str
    alias = ""
    code: str
    version = 1
    credit: str
    credit_reports = False
    default_sides: Sequence[str]
    fewest = 2
    most = 2
    house: Mapping[str, Option]
    options: Mapping[str, Option]
    reasons: Mapping[str, str]
    forms: Sequence[str] = ()
    score_word = "points"
    advantage: Advantage | None = None
    facts: Mapping[str, str]
    view_fields: Mapping[str, str] = {}
    package: str
    lessons: Mapping[int, Lesson] = {}
    letters: Mapping[str, str] = {}
    lots: Mapping[str, Lesson] = {}
    conditions: Mapping[str, str] = {}
    sealed: Sequence[int] = ()
    revealing: Sequence[int] = ()
    blind: Sequence[int] = ()
    shows: Mapping[str, Sequence[Show]] = {}
    rounds: Sequence[str] = ()
    place_words: Mapping[str, str] = {}
    step_words: Mapping[str, str] = {}
    alike = ""
    iterations: Mapping[str, int] = {"veteran": 100, "elite": 400}
    horizon = -1

    def __repr__(self) -> str:
        return f"<RuleSet {self.key}: {self.name}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle and copy a rule set by reference to the global variable that holds it, such as `RULES`."""
        return global_name(self) or super().__reduce_ex__(protocol)

    # What an author must write

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        """Return the battle with its first steps on the agenda, not yet run."""
        raise NotImplementedError

    def choice_text(self, battle: Battle, choice: int) -> str:
        """Return the text of a choice for the current question."""
        raise NotImplementedError

    def fate_text(self, kind: int, side: int, seats: list[str]) -> str:
        """Return the words that begin a `fate` move of this kind, such as `discard`."""
        raise NotImplementedError

    def tale(self, setup: Setup) -> Tale:
        """Return a new object that turns the events of one battle into text."""
        raise NotImplementedError

    # What an author can write: stories

    def plot(self, setup: Setup, events: Sequence[Event]) -> Plot | None:
        """Return the facts for a story of a battle, from the events its reader saw; None for a plain summary.

        The phrases for the facts are in `cardbattle/data/stories`.
        """
        return None

    # What an author can write: setup and deal

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Return the contradictions between options, sides and typed-in cards."""
        return []

    def files(self, setup: Setup) -> dict[str, str]:
        """Return a digest of each file of the umpire, by the house rule that names the file."""
        return {}

    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        """Set the house rules in `setup.house` that chance decides."""

    def piles(self, setup: Setup) -> list[str]:
        """Return the piles of a complete `deal`, in dealing order; empty if nothing is dealt."""
        return []

    def deal(self, setup: Setup, chance: Chance) -> None:
        """Complete `setup.deal` from the stream; typed-in cards keep their places."""

    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        """Return a setup, before the deal, without the information that this side must not have.

        By default, the only typed-in cards are those of the side's own hand, the pile of its key.
        """
        visible, key = setup.copy(), setup.seats[seat]
        visible.deal = {pile: cards for pile, cards in visible.deal.items() if pile == key}
        return visible

    def deal_unknown(self, setup: Setup) -> None:
        """Complete `setup.deal` with UNKNOWN cards, for a real table."""

    def guess_deal(self, setup: Setup) -> None:
        """Complete `setup.deal` with guessed cards, until the real cards are shown."""
        self.deal(setup, stream("table", "deal"))

    def choices_from_cards(self, setup: Setup) -> list[list[str]]:
        """Return for each seat, in order, the choices that its typed-in cards already determine."""
        return [[] for _ in setup.seats]

    def dealt(self, battle: Battle, setup: Setup) -> dict[str, list[int]]:
        """Return the complete deal for the record, when the battle is over."""
        return setup.deal

    def redeals_by_view(self, setup: Setup) -> bool:
        """Return True if `Battle.redeal` depends only on the viewer's knowledge and the stream.

        This must hold between any two steps, for every seat and for the public (-1). Otherwise chances are
        shown only to readers who know the whole battle.
        """
        return False

    def next_house(self, setup: Setup, winners: list[int]) -> dict[str, object]:
        """Return the house rules that change for the next battle of a series."""
        return {}

    # What an author can write: unequal sides

    def is_usual(self, setup: Setup, seat: int, word: str) -> bool:
        """Return True if a side's option has its default value; records omit such options.

        An option without its own default can use a house rule of the same name (WG-37).
        """
        option, value = self.options[word], setup.sides[seat][word]
        if option.default is None and value is not None and word in setup.house:
            return type(value) is type(setup.house[word]) and value == setup.house[word]
        return option.is_default(value)

    def option_value(self, setup: Setup, seat: int, word: str) -> object:
        """Return the effective value of a side's option, or None.

        An option without its own default can use a house rule of the same name (WG-37).
        """
        option, value = self.options[word], setup.sides[seat][word]
        if value is not None or option.default is not None or word not in setup.house:
            return value
        try:
            return option.read(setup.house[word], setup.seats)
        except ValueError:  # the house rule of this name has another meaning
            return None

    def can_have(self, options: Mapping[str, object], word: str) -> bool:
        """Return True if a side with these options (as in a battle file) can also get option `word`."""
        return True

    def can_hold(self, options: Mapping[str, object], card: int) -> bool:
        """Return True if a side with these options (as in a battle file) can get this card."""
        return True

    def most_each(self, word: str, sides: int, house: Mapping[str, object]) -> int:
        """Return the largest value of an option that every side but one can have, if they share a supply."""
        return BOUNDLESS

    def first_move_edge(self, house: Mapping[str, object]) -> FirstMoveEdge | None:
        """Return the measured value of the first move under these house rules, or None."""
        return None

    # What an author can write: computer players and search

    def regular(self, view: View, chance: Chance) -> int:
        """Return the regular commander's answer, an index into view.options. Default: any option."""
        return chance.below(len(view.options))

    def seasoned(self, view: View, chance: Chance) -> int:
        """Return the choice of the best rules of thumb; veterans use it in their simulated battles."""
        return self.regular(view, chance)

    @property
    def learned(self) -> Policy | None:
        """Return the choice of a learned policy, which elite commanders use instead of search.

        None without such a policy.

        The choice is negative where the policy has no answer. It must not use randomness.
        """
        return None

    def plausible_battle(self, battle: Battle, viewer: int, chance: Chance) -> Battle:
        """Return a copy whose hidden cards are dealt again, consistent with what the viewer knows.

        It can prefer deals that are likely after the choices that seasoned players made (determinization).
        """
        return battle.redeal(viewer, chance)

    def estimate(self, battle: Battle, side: int) -> int:
        """Estimate a side's expected share of the points of an unfinished battle, in permille."""
        scores = [max(0, battle.score(seat)) for seat in range(battle.sides)]
        total = sum(scores)
        return 1000 * scores[side] // total if total else 1000 // battle.sides

    def solution(self, battle: Battle) -> list[int]:
        """Return the weight of each option in an exact solution; empty if the position is not solved.

        An elite commander uses it instead of search. Weights are non-negative integers of any scale.
        """
        return []

    def best_play(self, battle: Battle) -> list[int]:
        """Return the exact value of a battle for each side, in millionths of a win; empty if unknown."""
        return []

    def option_values(self, battle: Battle) -> list[int]:
        """Return the exact value of each option against best play, in millionths of a win; empty if unknown.

        All sides, including those that choose secretly at the same time, are assumed to play their best.
        """
        return []

    # What an author can write: texts and what players see

    def why_not(self, battle: Battle, text: str) -> str:
        """Explain why a choice is not possible, or return ""."""
        return ""

    def scene(self, view: View) -> list[Block]:
        """Return the battlefield as seen by the side that must choose, using only that side's view."""
        return []

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        """Return the field as a bystander sees it, from the views of all seats in order.

        It contains only what every side knows. It is empty if the rule set has no such picture.
        """
        return []

    def hand(self, view: View) -> Parts:
        """Return the cards that only this side sees; empty by default."""
        return []

    def true_conditions(self, view: View) -> list[str]:
        """Return the `conditions` of standing orders that hold, such as ["space 3", "behind"]."""
        return []

    def tally(self, setup: Setup) -> tuple[str, int]:
        """Return what players count at a real table, and its maximum, such as ("space", 5)."""
        return "", 0

    # What an author can write: real cards and notation

    def default_answer(self, battle: Battle) -> str:
        """Return the answer used when players at a real table report nothing, such as a pass; or ""."""
        return ""

    def cards_in(self, battle: Battle) -> list[int]:
        """Return all cards of the battle, wherever they are; the conformance kit counts them."""
        return []

    def read_card(self, text: object, pile: str) -> int:
        """Return the card that a value names. Raises ValueError."""
        if not isinstance(text, str):
            raise ValueError('write a card as text, such as "KS" or "10H"')
        return cards.read_card(text)

    def card_text(self, card: int, pile: str = "") -> str:
        """Return a card in the notation of records."""
        return cards.card_text(card)

    def card_name_length(self, words: Sequence[str]) -> int:
        """Return the number of words at the beginning that name a card; 0 if none do."""
        return 0

    def fact(self, name: str, value: object, seats: list[str]) -> object:
        """Return an event's field as JSON: cards as text, sides as keys."""
        kind = self.facts.get(name, "")
        if kind == "card" and isinstance(value, int):
            return self.card_text(value)
        if kind == "cards" and isinstance(value, list):
            return [self.card_text(card) for card in value]
        if kind == "piles" and isinstance(value, list):
            return [[self.card_text(card) for card in pile] for pile in value]
        if kind == "side" and isinstance(value, int):
            return seats[value] if value != NOBODY else None
        if kind == "sides" and isinstance(value, list):
            return [seats[side] if side != NOBODY else None for side in value]
        return value

    def part(self, name: str, value: object) -> Part | Parts:
        """Return an event's field as part of a sentence."""
        kind = self.facts.get(name, "")
        if kind == "card" and isinstance(value, int):
            return Card(self.card_text(value))
        if kind == "cards" and isinstance(value, list):
            return [Card(self.card_text(card)) for card in value] or ["nothing"]
        if kind == "side" and isinstance(value, int):
            return Name(value) if value != NOBODY else "nobody"
        if kind == "sides" and isinstance(value, list):
            return and_sides(value)
        return listed(map(str, value)) if isinstance(value, list) else str(value)

    # What users of a rule set get

    stepped: ClassVar[Callable[[RuleSet, Setup, int | str], Stepped]]  # set by core.stepping

    def battle(self, seed: int | str) -> Stepped:
        """Return a battle of the usual sides with default options, dealt from a seed, to play step by step.

        `cardbattle.battle` accepts other sides, options and battle files.
        """
        return self.stepped(self.usual_setup(), seed)

    def usual_setup(self) -> Setup:
        """Return the default setup: the usual sides with default options."""
        seats = list(self.default_sides)
        house = {word: option.default for word, option in self.house.items()}
        sides = [{word: option.default for word, option in self.options.items()} for _ in seats]
        return Setup(seats, house, sides, {})

    @property
    def number_of_sides(self) -> str:
        """The possible number of sides as text: `2`, or `2 to 6`."""
        return f"{self.fewest} to {self.most}" if self.fewest < self.most else f"{self.most}"

    def lesson(self, view: View) -> Lesson | None:
        """Return the explanation of the current question, or None."""
        return self.lessons.get(view.question)

    def field(self, battle: Battle) -> list[Block]:
        """Return the current field as a bystander sees it."""
        return self.public_scene([battle.fast_view(seat) for seat in range(battle.sides)])

    def as_json(self, event: Event, seats: list[str]) -> dict[str, object]:
        """Return an event as JSON."""
        table: dict[str, object] = {"event": event.kind}
        if event.side != NOBODY:
            table["side"] = seats[event.side]
        return table | {name: self.fact(name, value, seats) for name, value in event.fields.items()}

    def rules_text(self) -> str:
        """Return the numbered rules in Markdown."""
        return resources.files(self.package).joinpath("rules.md").read_text(encoding="utf-8")

    def table_text(self) -> str:
        """Return the rules for a real table, one page of Markdown; "" if the rule set has no such page."""
        page = resources.files(self.package).joinpath("table.md")
        return page.read_text(encoding="utf-8") if page.is_file() else ""


def and_sides(sides: list[int]) -> Parts:
    """Return the names of sides as part of a sentence: a, b and c."""
    parts: Parts = []
    for place, side in enumerate(sides):
        if place:
            parts.append(" and " if place == len(sides) - 1 else ", ")
        parts.append(Name(side))
    return parts

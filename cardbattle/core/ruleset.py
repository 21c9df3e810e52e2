"""What a rule set is: its words, its options, how it deals and how its battle begins."""

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
    from cardbattle.core.chance import Chance, Fate
    from cardbattle.core.errors import Diagnostic
    from cardbattle.core.options import Option

Policy = Callable[["View", "Chance"], int]  # a way to play: the index of the option it takes


class Stepped(Protocol):
    """A battle stepped by hand, by five verbs: `core.stepping.SteppedBattle`."""

    @property
    def side(self) -> str | None:
        """The key of the side that must choose now; None once the battle is over."""

    @property
    def options(self) -> list[str]:
        """What that side may choose, in words."""

    def choose(self, choice: str | int) -> None:
        """Take an option, named by its words or its place from 0; IllegalMove if there is none such."""

    def copy(self) -> Stepped:
        """Return an independent battle at the same point."""

    def outcome(self) -> Outcome[str]:
        """Return how the battle ended, its winners by key; Refused before it is over."""


class Advantage(NamedTuple):
    """What the stronger side gets: `give`, for every full `per` by which it is the stronger.

    At most `most` times.
    """

    per: Fraction
    give: Mapping[str, object]
    most: int


class Lesson(NamedTuple):
    """What a question is about, for whoever is asked it: in few words, by which rules, and in two sentences.

    `rules` are numbers of the rule set's page, the one that says most first. `word` names the question in
    standing orders; a question without one is met by `any` alone.
    """

    ask: str
    rules: Sequence[str]
    words: str
    word: str = ""


COMPARED: Mapping[str, str] = {
    "ahead": "your side has more of what counts than any other",
    "level": "your side has as much as the best of the others",
    "behind": "another side has more",
}  # facts that `compared` tells


def standing_of(own: int, others: Sequence[int]) -> str:
    """Return whether a side is ahead, level or behind.

    >>> standing_of(3, [2, 1]), standing_of(2, [2, 1]), standing_of(0, [0, 1])
    ('ahead', 'level', 'behind')
    """
    best = max(others)
    return "ahead" if own > best else "level" if own == best else "behind"


MILLION = 1_000_000  # what a battle that is surely won is worth, where best play counts it


class Show(NamedTuple):
    """What an event shows of cards that lay face down: the field that has them, and what is done there.

    `does` says it of the side in singular and plural, as "turns up|turn up", and `about` what the cards are
    for, with fields of the event, as "in space {space}". `rule` has the number of the rule. Cards that
    everybody knows already are told again if `always`, as it is chance which they are.
    """

    field: str
    does: str
    about: str = ""
    rule: str = ""
    always: bool = False


class FirstMoveEdge(NamedTuple):
    """What the first move is worth between equal sides with regular commanders, as measured.

    `share` is the first side's share of the points, from 0 to 1. With the value `level_value` of the house
    rule `level_rule` it is `level_share`.
    """

    share: float
    level_rule: str
    level_value: int
    level_share: float


class RuleSet:
    """One published card game, as the rest of the program knows it.

    A rule set is a folder: `battle.py` has the rules in playing order (of a large one `state.py` what
    lies where and who knows it, `choices.py` what an answer means), `options.py` the house rules and
    side options, `notation.py` the text of choices and the tale, `tactics.py` the regular commander,
    some `seasoned.py` a better player, `rules.md` the numbered rules, `table.md` a page of them
    for a real table.
    """

    key: str
    name: str
    alias = ""
    code: str  # the letters before its rule numbers
    version = 1
    credit: str  # one line, shown with the rules and where the author asks for it
    credit_reports = False  # the author asks for credit in every report
    default_sides: Sequence[str]
    fewest = 2
    most = 2
    house: Mapping[str, Option]
    options: Mapping[str, Option]
    reasons: Mapping[str, str]  # outcome reason -> words, as "more spaces held"
    forms: Sequence[str] = ()  # of its moves, as "place CARD" (see core/spelling.py); none: not told
    score_word = "points"
    advantage: Advantage | None = None  # for tables of odds; a campaign has its own
    facts: Mapping[str, str]  # event field -> "card", "cards", "piles", "side" or "sides"
    package: str
    lessons: Mapping[int, Lesson] = {}  # by question; a question without one is asked by its options alone
    letters: Mapping[str, str] = {}  # letters that stand for sides in the numbered rules, and whom they mean
    lots: Mapping[str, Lesson] = {}  # by house rule that names a side by lot: what a table is asked of it
    conditions: Mapping[str, str] = {}  # facts that standing orders may name, as "space N", and what they say
    sealed: Sequence[int] = ()  # questions whose answer no other side sees before its own is in
    revealing: Sequence[int] = ()  # asked of a side only if what it hides lets it do something
    blind: Sequence[int] = ()  # those of which at a real table nobody but the side itself sees the answer
    shows: Mapping[str, Sequence[Show]] = {}  # by event: the cards that everybody sees from then on
    rounds: Sequence[str] = ()  # events that end a round: what lies where may be compared with a table
    alike = ""  # what the names of piles begin with that hold cards of which there are several
    iterations: Mapping[str, int] = {"veteran": 100, "elite": 400}  # tries a decision, by rank
    horizon = -1  # decisions after which a try is broken off and estimated; -1: never

    def __repr__(self) -> str:
        return f"<RuleSet {self.key}: {self.name}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle and copy a rule set as the global variable that holds it, as `RULES`: there is only one."""
        return global_name(self) or super().__reduce_ex__(protocol)

    @property
    def number_of_sides(self) -> str:
        """How many sides there may be, as `2`, or `2 to 6`."""
        return f"{self.fewest} to {self.most}" if self.fewest < self.most else f"{self.most}"

    stepped: ClassVar[Callable[[RuleSet, Setup, int | str], Stepped]]  # core.stepping says how

    def battle(self, seed: int | str) -> Stepped:
        """Return a battle of the usual sides with the usual options, dealt from a seed, to be stepped.

        `cardbattle.battle` takes other sides and options, and battle files.
        """
        return self.stepped(self.usual_setup(), seed)

    def usual_setup(self) -> Setup:
        """Return the setup in which nothing is said: the usual sides, every option as it is by default."""
        seats = list(self.default_sides)
        house = {word: option.default for word, option in self.house.items()}
        sides = [{word: option.default for word, option in self.options.items()} for _ in seats]
        return Setup(seats, house, sides, {})

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Return what does not add up between the options, sides and dealt cards."""
        return []

    def is_usual(self, setup: Setup, seat: int, word: str) -> bool:
        """Say whether a side's option is what it would be if nobody gave it; records leave it out.

        An option without a default of its own may have a house rule of its name (WG-37).
        """
        option, value = self.options[word], setup.sides[seat][word]
        if option.default is None and value is not None and word in setup.house:
            return type(value) is type(setup.house[word]) and value == setup.house[word]
        return option.is_default(value)

    def resolved(self, setup: Setup, seat: int, word: str) -> object:
        """Return the value that an option of a side counts as, None if it has none.

        An option without a default of its own may have a house rule of its name (WG-37).
        """
        option, value = self.options[word], setup.sides[seat][word]
        if value is not None or option.default is not None or word not in setup.house:
            return value
        try:
            return option.read(setup.house[word], setup.seats)
        except ValueError:  # a house rule of the same name that means something different
            return None

    def can_have(self, options: Mapping[str, object], word: str) -> bool:
        """Say whether a side with these options, as a battle file has them, may be given another."""
        return True

    def most_each(self, word: str, sides: int, house: Mapping[str, object]) -> int:
        """Return how many of a number all of so many sides but one may be given, the last as usual.

        That is where a supply is shared; boundless elsewhere.
        """
        return BOUNDLESS

    def first_move_edge(self, house: Mapping[str, object]) -> FirstMoveEdge | None:
        """Return what the first move is worth under these house rules; None if it was not measured."""
        return None

    def can_hold(self, options: Mapping[str, object], card: int) -> bool:
        """Say whether a side with these options, as a battle file has them, may be given this card."""
        return True

    def files(self, setup: Setup) -> dict[str, str]:
        """Return a digest of what each owner's file says, by the house rule that names it."""
        return {}

    def cast_lots(self, setup: Setup, chance: Chance) -> None:
        """Settle in `setup.house` what is left to lot."""

    def piles(self, setup: Setup) -> list[str]:
        """Return the piles of a complete `deal`, in dealing order; none if nothing is dealt."""
        return []

    def deal(self, setup: Setup, chance: Chance) -> None:
        """Complete `setup.deal` from the stream; cards typed in stay where they are."""

    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        """Return a setup that is not dealt yet with nothing in it that this side is not to know.

        Of the cards typed in that is all but its own hand, the pile of its key. What is taken out is dealt
        by chance, as many cards to everybody as before.
        """
        known, key = setup.copy(), setup.seats[seat]
        known.deal = {pile: cards for pile, cards in known.deal.items() if pile == key}
        return known

    def deal_unknown(self, setup: Setup) -> None:
        """Complete `setup.deal` with UNKNOWN cards, as nobody wrote them down."""

    def suppose(self, setup: Setup) -> None:
        """Complete `setup.deal` with any cards, until a table shows which they are."""
        self.deal(setup, stream("table", "deal"))

    def default_answer(self, battle: Battle) -> str:
        """Return the answer that at a real table nobody need tell, as a pass; empty if there is none."""
        return ""

    def start(self, setup: Setup, fate: Fate) -> Battle:
        """Return the battle with its first steps on the agenda, not yet run."""
        raise NotImplementedError

    def dealt(self, battle: Battle, setup: Setup) -> dict[str, list[int]]:
        """Return the complete deal as a record has it, once the battle is over."""
        return setup.deal

    def next_house(self, setup: Setup, winners: list[int]) -> dict[str, object]:
        """Return the house rules that change for the next battle of a series."""
        return {}

    def regular(self, view: View, chance: Chance) -> int:
        """Return the regular commander's answer, an index into view.options: any, if there are no tactics."""
        return chance.below(len(view.options))

    def seasoned(self, view: View, chance: Chance) -> int:
        """Return what a seasoned player would answer by rules of thumb; so tries are fought on."""
        return self.regular(view, chance)

    @property
    def learned(self) -> Policy | None:
        """How one answers who learned it in many battles against seasoned players; None if nobody did.

        It returns a negative number where nothing was learned, and draws no lots. An elite commander goes by
        it instead of thinking ahead.
        """
        return None

    def supposed(self, battle: Battle, viewer: int, chance: Chance) -> Battle:
        """Return the battle as it may stand for all that this side knows: a redealt one.

        It may be one that is the likelier by what seasoned players would have done.
        """
        return battle.redeal(viewer, chance)

    def estimate(self, battle: Battle, side: int) -> int:
        """Return about how much of an unfinished battle a side will win, out of 1000; by its score."""
        scores = [max(0, battle.score(each)) for each in range(battle.sides)]
        whole = sum(scores)
        return 1000 * scores[side] // whole if whole else 1000 // battle.sides

    def solution(self, battle: Battle) -> list[int]:
        """Return how often, in no unit, to take each option by what can be solved; none if nothing can.

        An elite commander goes by it instead of thinking ahead.
        """
        return []

    def best_play(self, battle: Battle) -> list[int]:
        """Return what a battle is worth to each side if all play their best, out of a million.

        None if that cannot be looked at.
        """
        return []

    def option_values(self, battle: Battle) -> list[int]:
        """Return what each option is worth to the side that is asked, out of a million, against best play.

        All play their best after it, and in secret at the same time. None if that cannot be looked at.
        """
        return []

    def cards_in(self, battle: Battle) -> list[int]:
        """Return all cards of the battle wherever they lie; `cardbattle.testing` counts them."""
        return []

    def answers_dealt(self, setup: Setup) -> list[list[str]]:
        """Return for each seat the choices that its typed-in cards already answer, in order."""
        return [[] for _ in setup.seats]

    def choice_text(self, battle: Battle, choice: int) -> str:
        """Return the text of a choice at the question the battle asks now."""
        raise NotImplementedError

    def fate_text(self, what: int, side: int, seats: list[str]) -> str:
        """Return the words that begin a `fate` move of this kind, as `discard`."""
        raise NotImplementedError

    def why_not(self, battle: Battle, text: str) -> str:
        """Say why this choice is not on offer, if the rules can tell; else the empty string."""
        return ""

    def tale(self, setup: Setup) -> Tale:
        """Return a fresh teller for one battle."""
        raise NotImplementedError

    def lesson(self, view: View) -> Lesson | None:
        """Return what the question is about that the side is asked now; None if nobody wrote that."""
        return self.lessons.get(view.question)

    def scene(self, view: View) -> list[Block]:
        """Return what lies where, as the side sees it that is asked: nothing but what its view holds."""
        return []

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        """Return what lies where as anybody sees it who looks on, from the views of all seats in order.

        It holds nothing but what all of them know; none if the rule set does not tell it.
        """
        return []

    def field(self, battle: Battle) -> list[Block]:
        """Return what lies where now, as anybody sees it."""
        return self.public_scene([battle.fast_view(seat) for seat in range(battle.sides)])

    def hand(self, view: View) -> Parts:
        """Return the cards that the side holds and nobody else sees; nothing if it has none such."""
        return []

    def read_card(self, text: object, pile: str) -> int:
        """Return the card a value names; ValueError if it names none of this rule set's."""
        if not isinstance(text, str):
            raise ValueError("cards are written as text, as KS or 10H")
        return cards.read_card(text)

    def card_text(self, card: int, pile: str = "") -> str:
        """Return a card as records have it."""
        return cards.card_text(card)

    def fact(self, name: str, value: object, seats: list[str]) -> object:
        """Return an event's field as JSON has it: cards as text, sides as keys."""
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

    def as_json(self, event: Event, seats: list[str]) -> dict[str, object]:
        """Return an event as the JSON output has it."""
        found: dict[str, object] = {"event": event.kind}
        if event.side != NOBODY:
            found["side"] = seats[event.side]
        return found | {name: self.fact(name, value, seats) for name, value in event.fields.items()}

    def holding(self, view: View) -> list[str]:
        """Return which of the `conditions` hold for the side that is asked, as ["space 3", "behind"]."""
        return []

    def rules_text(self) -> str:
        """Return the numbered rules, as Markdown."""
        return resources.files(self.package).joinpath("rules.md").read_text(encoding="utf-8")

    def table_text(self) -> str:
        """Return what players need of the rules at a real table, as a page of Markdown; empty if untold."""
        page = resources.files(self.package).joinpath("table.md")
        return page.read_text(encoding="utf-8") if page.is_file() else ""

    def tally(self, setup: Setup) -> tuple[str, int]:
        """Return what players count at a real table and how many there are at most, as ("space", 5).

        None, if they need not write down one after the other.
        """
        return "", 0


def and_sides(sides: list[int]) -> Parts:
    """Return the names of these sides as a sentence has them: a, b and c."""
    parts: Parts = []
    for place, side in enumerate(sides):
        if place:
            parts.append(" and " if place == len(sides) - 1 else ", ")
        parts.append(Name(side))
    return parts

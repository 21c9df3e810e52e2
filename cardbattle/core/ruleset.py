"""Define the interface of rule sets.

A rule set has options, deals the cards, carries out the battle, describes it in text, and provides computer
players. Its rules have numbers such as WG-37.
"""

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

Policy = Callable[["View", "Chance"], int]  # a function that returns an index into view.options


class Stepped(Protocol):
    """The interface of a battle that a program plays step by step.

    The class `core.stepping.SteppedBattle` implements this interface.
    """

    @property
    def side(self) -> str | None:
        """The key of the side that must choose, or None if the battle is over."""

    @property
    def options(self) -> list[str]:
        """The texts of the options of the side that must choose."""

    def choose(self, choice: str | int) -> None:
        """Choose an option by its text or its index. Raises IllegalMove if the text is not a legal choice."""

    def copy(self) -> Stepped:
        """Return an independent copy of the battle."""

    def outcome(self) -> Outcome[str]:
        """Return the result.

        Winners are given by their keys. Raises InvalidInput if the battle is not over.
        """


class Advantage(NamedTuple):
    """The advantage that a side gets if it is stronger than its enemy.

    A side's lead is the difference to the strength of the weakest side, as a share of the weakest side's
    strength. The side gets the options `give` once for each full step of size `per` in its lead, but no more
    than `most` times. For example, if `per` is 1/2, a lead of 7/4 gives them three times.
    """

    per: Fraction
    give: Mapping[str, object]
    most: int


class Lesson(NamedTuple):
    """An explanation of one kind of question for the player who must answer it.

    Attributes:
        ask: the question in a few words.
        rules: the numbers of the rules that apply. The most important rule comes first.
        words: an explanation in two or three sentences.
        word: the name of the question in standing orders. If the name is empty, an order for this question
            can only use the word `any`.
        form: the form of a written answer, such as `deploy CARD PLACE`, if it is not obvious. It is shown
            if there are many options.

    """

    ask: str
    rules: Sequence[str]
    words: str
    word: str = ""
    form: str = ""


def compared(what: str) -> Mapping[str, str]:
    """Return the meaning of each condition that `standing_of` can return, where it compares `what`.

    >>> compared("points")["ahead"]
    'your side has the most points'
    """
    return {
        "ahead": f"your side has the most {what}",
        "level": f"your side and another have the most {what}",
        "behind": f"another side has more {what}",
    }


def standing_of(count: int, rival_counts: Sequence[int]) -> str:
    """Compare a side's count with the highest count of its rivals, and return "ahead", "level" or "behind".

    >>> standing_of(3, [2, 1]), standing_of(2, [2, 1]), standing_of(0, [0, 1])
    ('ahead', 'level', 'behind')
    """
    best = max(rival_counts)
    return "ahead" if count > best else "level" if count == best else "behind"


MILLION = 1_000_000  # the value of a certain win in exact calculations


class Show(NamedTuple):
    """How the program asks players with real cards which cards an event reveals.

    Attributes:
        field: the field of the event that holds the cards.
        does: the verb of the question in singular and plural, such as "turns up|turn up".
        about: the purpose of the cards, such as "in space {space}". The name of an event field is in braces.
        rule: the number of the rule that says that the cards are revealed.
        always: True if the cards are selected at random. Then the program asks even if all sides know the
            cards.
        open_after: the field of earlier events whose cards lie open since then. The program enters such cards
            itself. It can be empty.

    """

    field: str
    does: str
    about: str = ""
    rule: str = ""
    always: bool = False
    open_after: str = ""


class FirstMoveEdge(NamedTuple):
    """The advantage of moving first, measured between equal sides with regular commanders.

    Attributes:
        share: the share of the points, from 0 to 1, that the side that moved first took.
        level_rule, level_value: a house rule that reduces the advantage, and the value of this house rule.
        level_share: the share of the points with this house rule.
        level_advantage: the advantage of strength that works with this house rule, or None if the usual
            advantage of the rule set works.

    """

    share: float
    level_rule: str
    level_value: int
    level_share: float
    level_advantage: Advantage | None = None


class RuleSet:
    """The base class of rule sets. A rule set is one card game.

    A package that adds a rule set defines a subclass, and exports an instance of the subclass as `RULES`.

    The package usually has these files. `battle.py` carries out the rules in the order of play. `options.py`
    defines the house rules and side options, `notation.py` the texts, and `tactics.py` the regular commander.
    `rules.md` has the numbered rules, and `table.md` has short rules for players with real cards.

    The members of this class are in three groups.

    **An author must write** the attributes `key`, `name`, `code`, `credit`, `default_sides`, `house`,
    `options`, `reasons`, `facts` and `package`, and the methods `start`, `choice_text` and `tale`. If there
    are random events after the deal, an author must also write `fate_text`.

    **An author can write** the other methods and attributes, which have defaults. Among them are methods that
    deal cards (`piles`, `deal`), choose for computer players (`regular`, `seasoned`, `estimate`, `solution`)
    and show the battle to players (`scene`, `hand`). The default of a method suits games without the feature
    that the method is for.

    **Users of a rule set get** `battle`, `usual_setup`, `field`, `lesson`, `as_json`, `rules_text`,
    `table_text` and `number_of_sides`, which work without changes.

    Attributes:
        key: the name in files and on the command line, such as "field-of-honour".
        name: the name in reports.
        alias: another key that is accepted, or "" if the rule set has only one key.
        code: the letters before the numbers of rules, such as "FH".
        version: the version of the rules. Increase it if a change makes old battles end differently. Old
            records stay valid.
        credit: one line about the author, which is shown with the rules.
        aim: how a battle is won and what the cards are worth, in two to four sentences for a player who does
            not know the game, or "".
        credit_reports: True if every report shows `credit`.
        default_sides: the keys of the sides that fight if the user does not name any sides.
        fewest, most: the smallest and the largest number of sides.
        house, options: the house rules and the side options by name.
        reasons: the text for each value of `Outcome.reason`, such as "more spaces held".
        forms: patterns for all moves of this version and of all earlier versions of the rule set, such as
            "place CARD". The module `core.spelling` explains the patterns.
        can_be_drawn: False if every battle has exactly one winner. Forms for results then offer no draw.
        loss_parts: the number of equal parts of which a side loses some, or 0 if any share can be lost.
            Examples of reports have such shares.
        score_word: the unit of the score, such as "points".
        advantage: the default advantage for greater strength, or None if the rule set has no such default.
        facts: the kind of each event field that is neither a number nor a word. The kind is "card", "cards",
            "piles", "side" or "sides".
        view_fields: the fields of a view that engines get, with the kind of each field. Engines are programs
            in any language that play a side. The kind is one of the kinds in `facts`, or "place" for an index
            from 0, or "" for numbers.
        package: the import name of the package that contains `rules.md`.
        lessons: the explanation of each question.
        letters: the meaning of each letter that means a side in the rules.
        lots: for each house rule that can be decided at random, the question that players with real cards are
            asked.
        conditions: the meaning of each condition that standing orders can use, such as "space N".
        standing_examples: up to three lines of standing orders for a player who does not know them.
        unordered: the verbs of choices whose numbers a table can report in any order, such as `switch 12 8`.
        sealed: the questions that sides answer in secret at the same time.
        repeated: the questions that a side can get several times in a row. Hidden cards and random results do
            not affect whether it does.
        revealing: the questions that are asked only if a side has certain cards. Such a question therefore
            reveals something about hidden cards.
        blind: the questions whose answers the other sides do not see when they play with real cards.
        unreported: those of the `blind` questions about which the players report nothing at all.
        shows: the hidden cards that an event reveals, by the kind of the event.
        rounds: the kinds of events that end a round.
        place_words: the names of the parts of a battle, such as "space {space}", by the kind of the event
            that begins the part. The name of an event field is in braces. The battle begins with the
            deployment, which ends where the first part with braces in its name begins.
        step_words: the names of turning points, by the kind of the event. A noun such as "special" gets a
            number that counts such events in the same part of the battle. A phrase with "the", such as "the
            reveal", gets no number.
        alike: the prefix of the names of piles that contain interchangeable cards.
        iterations: the number of battles that a commander simulates for each answer, by the commander's rank.
            If `elite` is missing, elite commanders play like veterans.
        random_rivals: the percentage of simulated battles in which the other sides answer secret questions at
            random. With a higher percentage, a commander relies less on a certain policy of its enemies.
        horizon: the number of decisions after which a simulated battle stops and `estimate` values its
            position. If the number is -1, simulated battles do not stop before their end.

    """

    key: str
    name: str
    alias = ""
    code: str
    version = 1
    credit: str
    credit_reports = False
    aim = ""
    default_sides: Sequence[str]
    fewest = 2
    most = 2
    house: Mapping[str, Option]
    options: Mapping[str, Option]
    reasons: Mapping[str, str]
    forms: Sequence[str] = ()
    can_be_drawn = True
    loss_parts = 0
    score_word = "points"
    advantage: Advantage | None = None
    facts: Mapping[str, str]
    view_fields: Mapping[str, str] = {}
    package: str
    lessons: Mapping[int, Lesson] = {}
    letters: Mapping[str, str] = {}
    lots: Mapping[str, Lesson] = {}
    conditions: Mapping[str, str] = {}
    standing_examples: Sequence[str] = ()
    unordered: Sequence[str] = ()
    sealed: Sequence[int] = ()
    repeated: Sequence[int] = ()
    revealing: Sequence[int] = ()
    blind: Sequence[int] = ()
    unreported: Sequence[int] = ()
    shows: Mapping[str, Sequence[Show]] = {}
    rounds: Sequence[str] = ()
    place_words: Mapping[str, str] = {}
    step_words: Mapping[str, str] = {}
    alike = ""
    iterations: Mapping[str, int] = {"veteran": 100, "elite": 400}
    random_rivals = 0
    horizon = -1

    def __repr__(self) -> str:
        return f"<RuleSet {self.key}: {self.name}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle and copy a rule set as a reference to the global variable that holds it, such as `RULES`."""
        return global_name(self) or super().__reduce_ex__(protocol)

    # Methods that an author must write

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        """Return a new battle with its first steps on the agenda. The method does not run these steps."""
        raise NotImplementedError

    def choice_text(self, battle: Battle, choice: int) -> str:
        """Return the text of a choice for the current question.

        `choice` is an element of `battle.options`.
        """
        raise NotImplementedError

    def fate_text(self, kind: int, side: int, seats: list[str]) -> str:
        """Return the words that follow `fate` in the move of such a random event, for example `discard`."""
        raise NotImplementedError

    def tale(self, setup: Setup) -> Tale:
        """Return a new `Tale`, an object that turns the events of one battle into the blocks of its log."""
        raise NotImplementedError

    # Methods that an author can write: stories

    def plot(self, setup: Setup, events: Sequence[Event]) -> Plot | None:
        """Return the facts for a story of a battle, or None if the rule set has no stories.

        `events` has only the events that the reader of the story saw. The phrases that express the facts are
        in `cardbattle/data/stories`.
        """
        return None

    # Methods that an author can write: setup and deal

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Return an error for each contradiction between house rules, side options and listed cards."""
        return []

    def files(self, setup: Setup) -> dict[str, str]:
        """Return the hash of each file that a house rule refers to.

        The keys of the result are the names of the house rules.
        """
        return {}

    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        """Replace each random house rule in `setup.house` with a value that is drawn from `chance`."""

    def piles(self, setup: Setup) -> list[str]:
        """Return the names of all piles in a complete deal, in dealing order."""
        return []

    def deal(self, setup: Setup, chance: Chance) -> None:
        """Add cards to the piles in `setup.deal` until the deal is complete.

        The cards are drawn from `chance`.

        Cards that the battle file lists stay where they are.
        """

    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        """Return a copy of a setup without the information that this side must not have.

        The cards in `setup.deal` are those that the battle file lists. By default, the copy keeps only the
        side's own hand of them, which is the pile named after the side's key.
        """
        visible, key = setup.copy(), setup.seats[seat]
        visible.deal = {pile: cards for pile, cards in visible.deal.items() if pile == key}
        return visible

    def deal_unknown(self, setup: Setup) -> None:
        """Add UNKNOWN cards to `setup.deal` until the deal is complete.

        Battles with real cards begin with such a deal.
        """

    def guess_deal(self, setup: Setup) -> None:
        """Add guessed cards to `setup.deal` until the deal is complete.

        When players report a real card, it replaces a guessed card.
        """
        self.deal(setup, stream("table", "deal"))

    def choices_from_cards(self, setup: Setup) -> list[list[str]]:
        """Return the choices that follow from the cards that a battle file lists.

        The result has a list for each seat, with its choices in the order of play.
        """
        return [[] for _ in setup.seats]

    def dealt(self, battle: Battle, setup: Setup) -> dict[str, list[int]]:
        """Return the complete deal for the record. The method is called only after the end of the battle."""
        return setup.deal

    def redeals_by_view(self, setup: Setup) -> bool:
        """Return True if `Battle.redeal` depends only on the viewer's knowledge and on its argument `chance`.

        Return True only if this is the case after every step, for every seat and for the public (-1). If the
        method returns False, the chances of winning are shown only to readers who see the whole battle.
        """
        return False

    def losses_by_place(self, setup: Setup, battle: Battle, side: int) -> list[tuple[int, int]]:
        """Return a pair (lost, total) for each place of a battle, with the losses of a side at this place.

        A place is a space, a round or a card, depending on the rule set. `total` is the part of the side's
        force at the place. The sum of all losses divided by the sum of all totals is the side's share in
        `Outcome.losses`.

        A campaign assigns the units of the side to the places, and each unit loses the share that was lost at
        its place. By default, the list is empty, and all units of the side lose the same share.
        """
        return []

    def next_house(self, setup: Setup, winners: list[int]) -> dict[str, object]:
        """Return the house rules that have a new value in the next battle of a series.

        `winners` has the seats of the sides that won this battle.
        """
        return {}

    # Methods that an author can write: unequal sides

    def is_usual(self, setup: Setup, seat: int, word: str) -> bool:
        """Return True if an option of a side has its default value. Records leave out such options.

        If an option has no default, a house rule with the same name supplies the default (WG-37).
        """
        option, value = self.options[word], setup.sides[seat][word]
        if option.default is None and value is not None and word in setup.house:
            return type(value) is type(setup.house[word]) and value == setup.house[word]
        return option.is_default(value)

    def option_value(self, setup: Setup, seat: int, word: str) -> object:
        """Return the value of an option of a side, or None if the option has no value and no default.

        If an option has no default, a house rule with the same name supplies the default (WG-37).
        """
        option, value = self.options[word], setup.sides[seat][word]
        if value is not None or option.default is not None or word not in setup.house:
            return value
        try:
            return option.read(setup.house[word], setup.seats)
        except ValueError:  # the house rule with this name has a different meaning
            return None

    def can_have(self, options: Mapping[str, object], word: str) -> bool:
        """Return True if a side with these options can also have the option `word`.

        The options have the form of a battle file.
        """
        return True

    def can_hold(self, options: Mapping[str, object], card: int) -> bool:
        """Return True if a side with these options can have this card.

        The options have the form of a battle file.
        """
        return True

    def most_each(self, word: str, sides: int, house: Mapping[str, object]) -> int:
        """Return the largest value of an option that all sides except one can have at the same time.

        `word` is the name of the option.

        There is a limit only if all sides get their cards from the same pack.
        """
        return BOUNDLESS

    def first_move_edge(self, house: Mapping[str, object]) -> FirstMoveEdge | None:
        """Return the measured advantage of moving first with these house rules, or None if it is unknown."""
        return None

    # Methods that an author can write: computer players and search

    def regular(self, view: View, chance: Chance) -> int:
        """Return the answer of a regular commander, which is an index into `view.options`.

        The default implementation chooses at random.
        """
        return chance.below(len(view.options))

    @property
    def seasoned(self) -> Policy:
        """The best policy that does not search. By default, it is the policy of regular commanders.

        Veterans use this policy in their simulated battles. A rule set can override it with a method
        `seasoned(view, chance)`, which returns an index into `view.options`.
        """
        return self.regular

    @property
    def learned(self) -> Policy | None:
        """A learned policy that elite commanders use instead of a search, or None if they search.

        The policy returns a negative number for a question that it cannot answer. It must not use random
        numbers.
        """
        return None

    def plausible_battle(self, battle: Battle, viewer: int, chance: Chance) -> Battle:
        """Return a copy in which the cards that the viewer does not know are dealt again (determinization).

        The new deal is consistent with everything that the viewer knows. The method can prefer deals with
        which good players would have made the choices that the viewer has seen.
        """
        return battle.redeal(viewer, chance)

    def estimate(self, battle: Battle, side: int) -> int:
        """Estimate which share of the points, in permille, a side will have at the end of the battle."""
        scores = [max(0, battle.score(seat)) for seat in range(battle.sides)]
        total = sum(scores)
        return 1000 * scores[side] // total if total else 1000 // battle.sides

    def solution(self, battle: Battle) -> list[int]:
        """Return the weight of each option in an exact solution of the current position.

        An elite commander uses the weights instead of a search. The weights are integers of at least 0. For a
        secret question, they are relative probabilities, whose sum can be any number. For any other question,
        the option with the greatest weight is the best. If the position is not solved, the list is empty.
        """
        return []

    def best_play(self, battle: Battle) -> list[int]:
        """Return the value of the battle for each side under perfect play, in millionths of a win.

        The list is empty if the exact values are unknown.
        """
        return []

    def option_values(self, battle: Battle) -> list[int]:
        """Return the exact value of each option under perfect play, in millionths of a win.

        The values assume that all sides play perfectly, including sides that choose in secret at the same
        time. The list is empty if the values are unknown.
        """
        return []

    # Methods that an author can write: texts and the display for players

    def why_not(self, battle: Battle, text: str) -> str:
        """Return the reason why a choice is not legal now, or "" if the rule set gives no reason.

        `text` is the text of the choice.
        """
        return ""

    def scene(self, view: View) -> list[Block]:
        """Return the battlefield as the side with this view sees it."""
        return []

    def public_scene(self, views: Sequence[View]) -> list[Block]:
        """Return the battlefield as a bystander sees it. `views` has the view of each seat.

        The result contains only information that all sides have. The list is empty if the rule set does not
        draw a battlefield.
        """
        return []

    def hand(self, view: View) -> Parts:
        """Return parts of a sentence that name the cards that only this side sees.

        By default, the list is empty.
        """
        return []

    def true_conditions(self, view: View) -> list[str]:
        """Return the conditions of standing orders that are true now, such as ["space 3", "behind"].

        The attribute `conditions` describes all conditions.
        """
        return []

    def possible_conditions(self, house: Mapping[str, object]) -> Mapping[str, str]:
        """Return the `conditions` that can be true with these house rules. By default, these are all."""
        return self.conditions

    def tally(self, setup: Setup) -> tuple[str, int]:
        """Return the name of the things that players with real cards count, and the largest possible number.

        An example is ("space", 5).
        """
        return "", 0

    # Methods that an author can write: real cards and notation

    def default_answer(self, battle: Battle) -> str:
        """Return the answer that is assumed if players with real cards do not report an answer.

        The result is "" if the players must report their answer.
        """
        return ""

    def implied_answer(self, battle: Battle) -> str:
        """Return the answer that is assumed if players with real cards next report a later choice.

        The result is "" if the players must report their answer first.
        """
        return ""

    def cards_in(self, battle: Battle) -> list[int]:
        """Return all cards of the battle, from all piles.

        The tests for rule sets check that a battle always has the same cards. Their order can change.
        """
        return []

    def read_card(self, text: object, pile: str) -> int:
        """Return the card that a value in a file names. Raises ValueError for an unknown card."""
        if not isinstance(text, str):
            raise ValueError('write a card as text, such as "KS" or "10H"')
        return cards.read_card(text)

    def card_text(self, card: int, pile: str = "") -> str:
        """Return the name of a card as records write it."""
        return cards.card_text(card)

    def card_name_length(self, words: Sequence[str]) -> int:
        """Return the number of words that name a card at the beginning of a list.

        The result is 0 if the list does not begin with the name of a card.
        """
        return 0

    def fact(self, name: str, value: object, seats: list[str]) -> object:
        """Convert the value of an event field to JSON. Cards become strings, and sides become keys."""
        kind = self.facts.get(name)
        if kind is None:
            return value
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
        """Convert the value of an event field to a part of a sentence."""
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

    # Methods for users of a rule set

    stepped: ClassVar[Callable[[RuleSet, Setup, int | str], Stepped]]  # set by the module core.stepping

    def battle(self, seed: int | str) -> Stepped:
        """Deal the cards for the default sides with default options, and return the battle.

        The function `cardbattle.battle` also accepts other sides, options and battle files.
        """
        return self.stepped(self.usual_setup(), seed)

    def usual_setup(self) -> Setup:
        """Return a setup with the default sides and default options."""
        seats = list(self.default_sides)
        house = {word: option.default for word, option in self.house.items()}
        sides = [{word: option.default for word, option in self.options.items()} for _ in seats]
        return Setup(seats, house, sides, {})

    @property
    def number_of_sides(self) -> str:
        """The possible numbers of sides as text, such as "2" or "2 to 6"."""
        return f"{self.fewest} to {self.most}" if self.fewest < self.most else f"{self.most}"

    def lesson(self, view: View) -> Lesson | None:
        """Return the explanation of the question that the side must answer now.

        Returns None if the rule set does not explain this question.
        """
        return self.lessons.get(view.question)

    def field(self, battle: Battle) -> list[Block]:
        """Return the battlefield as a bystander sees it now."""
        return self.public_scene([battle.fast_view(seat) for seat in range(battle.sides)])

    def as_json(self, event: Event, seats: list[str]) -> dict[str, object]:
        """Convert an event to a dictionary that can be written as JSON."""
        table: dict[str, object] = {"event": event.kind}
        if event.side != NOBODY:
            table["side"] = seats[event.side]
        for name, value in event.fields.items():
            table[name] = self.fact(name, value, seats)
        return table

    def rules_text(self) -> str:
        """Return the numbered rules, in Markdown."""
        return resources.files(self.package).joinpath("rules.md").read_text(encoding="utf-8")

    def table_text(self) -> str:
        """Return the short rules for players with real cards, as a page of Markdown.

        The text is empty if the rule set has no such page.
        """
        page = resources.files(self.package).joinpath("table.md")
        return page.read_text(encoding="utf-8") if page.is_file() else ""


def and_sides(sides: list[int], last: str = " and ") -> Parts:
    """Return the parts of a sentence that name several sides, such as "A, B and C"."""
    parts: Parts = []
    for place, side in enumerate(sides):
        if place:
            parts.append(last if place == len(sides) - 1 else ", ")
        parts.append(Name(side))
    return parts

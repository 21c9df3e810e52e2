"""The battle machine, cards, names, options, errors and the tale's small parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.state import errors as campaign_errors
from cardbattle.core import errors
from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, Event, View, play_out_randomly
from cardbattle.core.cards import JOKERS, PACK, PACKS, card_text, rank_of, read_card, standard_pack, take_out
from cardbattle.core.chance import Drawn, RandomSource, stream
from cardbattle.core.errors import CardbattleError, Diagnostic, InvalidInput
from cardbattle.core.names import (
    DEVICES,
    RESERVED,
    UNFIT,
    clean,
    key_error,
    listed,
    name_error,
    nearest,
    quoted,
)
from cardbattle.core.options import BOUNDLESS, CardList, OneOf, Option, SideKey, Switch, Whole
from cardbattle.core.ruleset import RuleSet, Setup, and_sides
from cardbattle.core.telling import (
    AUDIT,
    BRIEF,
    Card,
    Line,
    Name,
    Tale,
    Words,
    counted,
    fill_template,
    number,
    numbers,
    set_apart,
    spaced,
)
from cardbattle.files import errors as file_errors
from cardbattle.files.errors import PlacedDiagnostic
from tests.support.characters import UNICODE
from tests.toy import OUTBID

ANY_TEXT = st.text(st.characters(exclude_categories=[]), max_size=60)

# Cards

FACES = [*range(8), *standard_pack(), *JOKERS]
EVERY_CARD = [PACK * pack + face for pack in range(PACKS) for face in FACES]
SIGNS = [("S", "♠♤"), ("H", "♥♡"), ("D", "♦♢"), ("C", "♣♧")]


def test_every_card_can_be_written_and_read() -> None:
    """No two cards have one text, and each text names its card."""
    texts = [card_text(card) for card in EVERY_CARD]
    assert len(set(texts)) == len(EVERY_CARD) == 4 * (52 + 2 + 8)
    assert [read_card(text) for text in texts] == EVERY_CARD
    assert all(text.isascii() for text in texts)


def test_cards_are_read_as_people_write_them() -> None:
    """Lower case, T for 10, suit signs, blanks around and typographic primes are fine."""
    for card in EVERY_CARD:
        text = card_text(card)
        variants = [text.lower(), f" {text}\n", text.replace("10", "T"), text.replace("10", "t")]
        variants += [text.replace("'", "′"), text.replace("'", "’")]
        if 2 <= rank_of(card) <= 14:
            for letter, signs in SIGNS:
                variants += [text.replace(letter, sign) for sign in signs if letter in text]
                variants += [text.replace(letter, sign + "\ufe0f") for sign in signs if letter in text]
        assert {read_card(variant) for variant in variants} == {card}


NO_CARD = ["", " ", "K", "S", "SK", "1S", "0S", "11S", "14S", "KSS", "K S", "'KS", "KX", "J0", "J9", "RJS"]
NO_CARD += [
    "KSX",
    "KS'X",
    "XKS",
    "RJ''''",
    "KS''''",
    "J1''''",
    "\x1b[2J",
    "ΚS",
    "１0S",
    "10",
    "-",
    "?",
    "K♠♠",
    "KS" * 50,
]


@pytest.mark.parametrize("text", NO_CARD)
def test_what_is_no_card_is_refused(text: str) -> None:
    """The error says how a card is written, and is fit for a terminal."""
    with pytest.raises(
        ValueError, match="is not a card; write a rank and a suit, such as KS or 10H"
    ) as caught:
        read_card(text)
    assert clean(str(caught.value)) == str(caught.value)
    assert len(str(caught.value)) < 140


def test_an_unknown_card_is_no_card_to_read() -> None:
    """An unknown card is shown as `?`, and `?` cannot be read as a card."""
    assert card_text(UNKNOWN) == "?"


def test_numeric_order_is_rank_then_suit() -> None:
    """Sorting cards of one pack sorts by rank, then S H D C; the Jokers come last."""
    texts = [card_text(card) for card in sorted([*standard_pack(), *JOKERS])]
    assert texts[:5] == ["2S", "2H", "2D", "2C", "3S"]
    assert texts[-6:] == ["AS", "AH", "AD", "AC", "RJ", "BJ"]
    assert [rank_of(read_card(text)) for text in ("2C", "10D", "KS'", "AH", "RJ", "J8")] == [
        2,
        10,
        13,
        14,
        15,
        1,
    ]


def test_a_card_is_taken_out_once_or_was_not_there() -> None:
    """The first of equal cards is removed; a list without the card is unchanged."""
    cards = [8, 9, 8]
    assert take_out(8, cards) is True
    assert cards == [9, 8]
    assert take_out(7, cards) is False
    assert cards == [9, 8]


# Keys and names


@pytest.mark.parametrize("key", ["a", "0", "york", "t4-shrewsbury", "a_b", "x" * 40, "1403", "constable"])
def test_a_key_is_accepted(key: str) -> None:
    """Keys are plain."""
    assert key_error(key) == ""


NO_KEYS = ["", "-a", "a-", "_a", "York", "a b", "a.b", "../x", "/etc/x", "x.", "-rf", "york\n", "ÿ", "x" * 41]
NO_KEYS += ["٣", "a\x00", "\ud800", "\u202ea", "CON", "a" * 300]


@pytest.mark.parametrize("key", [*NO_KEYS, *sorted(RESERVED), *sorted(DEVICES)])
def test_what_is_no_key_is_refused(key: str) -> None:
    """Nothing that leaves a folder, acts in a terminal or means something to a system is a key."""
    assert key_error(key)
    assert clean(key_error(key)) == key_error(key)


def test_words_of_the_format_and_devices_are_told_apart() -> None:
    """The error says why a reserved word cannot be a key."""
    assert key_error("fate") == '"fate" is a word of the record format; choose another key'
    assert key_error("com1") == '"com1" is a device name on Windows; choose another key'
    assert key_error(7).endswith("got 7")
    assert key_error(True).endswith("got true")


@pytest.mark.parametrize("name", ["Harry Percy", "x", "Åsa", "李世民", "x" * 40, "O'Neill & Sons", "[red]"])
def test_a_name_is_accepted(name: str) -> None:
    """Names are for people, in any script."""
    assert name_error(name) == ""


NO_NAMES = ["", " ", "\u3000", "x" * 41, "a\nb", "a\tb", "\x1b[31m", "\u202eabc", "a\u200bb", "\ud800"]
NO_NAMES += ["\ue000", "a\u2028b", "\x85", "A\u030asa", "\u0378", "\ufeffx"]
INVISIBLE = [
    "\u115f",
    "\u1160",
    "\u3164",
    "\uffa0",
    "\u034f",
    "\ufe0f",
    "\u2800",
    "\u17b4",
    "\u180b",
    "\U000e0100",
]


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name_is_refused(name: str) -> None:
    """A name cannot have control, bidirectional, surrogate, private or decomposed characters."""
    assert name_error(name)
    assert clean(name_error(name)) == name_error(name)


@pytest.mark.parametrize("char", INVISIBLE)
def test_a_name_that_looks_empty_is_refused(char: str) -> None:
    """A name of invisible characters is refused, with or without spaces; beside a letter they are kept."""
    for name in (char, char * 3, f" {char} "):
        assert "expected a name that can be seen" in name_error(name)
    assert name_error(f"x{char}") == name_error("\u2764\ufe0f") == ""


def test_a_name_is_text() -> None:
    """A number is refused as a name."""
    assert name_error(5) == "expected a name in quotes, got 5"


@given(ANY_TEXT)
def test_clean_text_does_nothing_to_a_terminal(text: str) -> None:
    """Cleaning removes every control character, keeps plain text, and is idempotent."""
    cleaned = clean(text)
    assert not any(unicodedata.category(char) in UNFIT for char in cleaned)
    assert clean(cleaned) == cleaned
    cleaned.encode()


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_stays(text: str) -> None:
    """ASCII that can be printed is never touched."""
    assert clean(text) == text


VALUES = st.one_of(
    ANY_TEXT,
    st.integers(),
    st.booleans(),
    st.floats(),
    st.dates(),
    st.lists(st.integers()),
    st.dictionaries(st.text(UNICODE, max_size=3), st.integers(), max_size=2),
)


@given(VALUES)
def test_any_value_can_be_quoted(value: object) -> None:
    """Any value from a file is quoted as one short, clean line."""
    shown = quoted(value)
    assert clean(shown) == shown
    assert len(shown) <= 62 * 8


def test_quoted_values_read_as_a_file_has_them() -> None:
    """Booleans are TOML's, long texts are cut, tables and lists only named."""
    assert [quoted(value) for value in (True, False, 7, "a", [1], {"a": 1}, 10**30)] == [
        "true",
        "false",
        "7",
        '"a"',
        "a list",
        "a table",
        "a number too large",
    ]
    assert quoted("x" * 100) == f'"{"x" * 57}..."'
    assert quoted("x" * 60) == f'"{"x" * 60}"'
    assert [quoted(number) for number in (10**18 - 1, 1 - 10**18, 10**18, -(10**18))] == [
        "9" * 18,
        "-" + "9" * 18,
        "a number too large",
        "a number too large",
    ]


@pytest.mark.parametrize("most", [10, 60])
def test_what_is_neither_text_nor_number_is_cut_as_well(most: int) -> None:
    """As many characters as fit, the last three of them dots."""

    class Long:
        def __init__(self, length: int) -> None:
            self.length = length

        def __str__(self) -> str:
            return "x" * self.length

    assert quoted(Long(most), most) == "x" * most
    assert quoted(Long(most + 1), most) == "x" * (most - 3) + "..."


def test_the_nearest_word_is_suggested() -> None:
    """A typo is met with the word that was meant; nonsense with nothing."""
    assert nearest("regulr", ["green", "regular"]) == '; did you mean "regular"?'
    assert nearest("zzz", ["green", "regular"]) == ""
    assert nearest("x" * 10**6, ["green"]) == ""


def test_words_are_listed_as_in_a_sentence() -> None:
    """None, one, two, three."""
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


# Options


def faces(value: object) -> int:
    """Return the card a text names."""
    if not isinstance(value, str):
        raise ValueError("cards are written as text")
    return read_card(value)


SEATS = ["york", "lancaster"]
WHOLE = Whole(5, "chips", 0, 13)
SWITCH = Switch(False, "more")
ONE_OF = OneOf("ours", "cards", ["ours", "none"])
COPIES = OneOf(1, "copies", [1, 2])
SIDE = SideKey(None, "who deals")
CARDS = CardList(None, "extra cards", faces, card_text, least=1, most=3)
ORDERED = CardList(None, "the pack", faces, card_text, ordered=True)
ARMY = CardList([1], "numbers", lambda value: Whole(1, "", 1, 13).read(value, []), int, numbers=True)


@pytest.mark.parametrize(
    ("option", "value", "read"),
    [
        (WHOLE, 0, 0),
        (WHOLE, 13, 13),
        (SWITCH, True, True),
        (ONE_OF, "none", "none"),
        (COPIES, 2, 2),
        (SIDE, "york", "york"),
        (CARDS, ["kd", "2S"], [8, 54]),
        (ORDERED, ["KD", "2S"], [54, 8]),
        (ORDERED, [], []),
        (ARMY, [13, 1, 1], [1, 1, 13]),
    ],
)
def test_an_option_reads_its_values(option: Option, value: object, read: object) -> None:
    """Reading returns the internal value, and writing it returns the value of the file."""
    assert option.read(value, SEATS) == read
    assert option.read(option.write(read), SEATS) == read


REFUSED: list[tuple[Option, list[object]]] = [
    (WHOLE, [True, False, 5.0, float("nan"), "5", "٣", -1, 14, 2**80, None, [5], {}]),
    (SWITCH, [0, 1, "true", None, []]),
    (ONE_OF, ["Ours", "", 1, True, [], ["ours"], {}]),
    (COPIES, [True, 1.0, 2.0, "1", 3, 0, [1]]),
    (SIDE, ["", "York", 0, True, ["york"], "clarence"]),
    (CARDS, ["KS", [], ["KS"] * 4, [5], ["KX"], [None], [["KS"]], {"KS": 1}, ["KS", "\x1b"], True]),
    (ARMY, [[True], [0], ["1"], [1.0], [14], 5]),
]


@pytest.mark.parametrize(("option", "value"), [(option, value) for option, no in REFUSED for value in no])
def test_an_option_refuses_other_values(option: Option, value: object) -> None:
    """Booleans, floats and quoted numbers are refused as numbers; the error is one clean line."""
    with pytest.raises(ValueError, match=r"expected|cards are written|is not a card") as caught:
        option.read(value, SEATS)
    assert clean(str(caught.value)) == str(caught.value)


@given(VALUES)
def test_an_option_reads_or_refuses_whatever_comes(value: object) -> None:
    """No value a file can hold raises anything but ValueError."""
    for option in (WHOLE, SWITCH, ONE_OF, COPIES, SIDE, CARDS, ORDERED, ARMY):
        try:
            read = option.read(value, SEATS)
        except ValueError:
            continue
        assert option.read(option.write(read), SEATS) == read


def test_an_option_says_what_it_expects() -> None:
    """The words of an error, and what was found instead."""
    assert WHOLE.expects() == "a whole number from 0 to 13"
    assert Whole(1, "").expects() == "a whole number from 0"
    assert str(WHOLE.wrong("many")) == 'expected a whole number from 0 to 13, got "many"'
    assert ONE_OF.expects() == '"ours" or "none"'
    with pytest.raises(ValueError, match='got "non"; did you mean "none"\\?'):
        ONE_OF.read("non", SEATS)
    with pytest.raises(ValueError, match="a side of this battle \\(york, lancaster\\)"):
        SIDE.read("clarence", SEATS)
    assert CARDS.expects() == "a list of 1 to 3 cards"


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (WHOLE, "12", 12),
        (WHOLE, "-3", -3),
        (WHOLE, "١٢", "١٢"),
        (WHOLE, "1e3", "1e3"),
        (WHOLE, "--3", "--3"),
        (WHOLE, "9" * 5000, "9" * 5000),
        (SWITCH, "True", True),
        (SWITCH, "yes", "yes"),
        (COPIES, "2", 2),
        (COPIES, "two", "two"),
        (SIDE, "york", "york"),
        (CARDS, "KS,10H 2D", ["KS", "10H", "2D"]),
        (ARMY, "1,13, x", [1, 13, "x"]),
    ],
)
def test_a_command_line_writes_options_as_text(option: Option, text: str, value: object) -> None:
    """The text becomes what a battle file would hold; what does not fit stays text and is refused."""
    assert option.words(text) == value


def test_an_option_keeps_what_it_was_made_of() -> None:
    """Default, help and bounds are there for the guide and for commands that try values."""
    assert [vars(option) for option in (Option(7, "help"), Switch(True, "more"), SideKey("york", "who"))] == [
        {"default": 7, "help": "help"},
        {"default": True, "help": "more"},
        {"default": "york", "help": "who"},
    ]
    assert vars(Whole(5, "chips", 1, 13)) == {"default": 5, "help": "chips", "least": 1, "most": 13}
    assert vars(OneOf(1, "x", (1, 2))) == {"default": 1, "help": "x", "choices": [1, 2]}
    plain = {
        "reader": faces,
        "writer": card_text,
        "least": 0,
        "most": 208,
        "ordered": False,
        "numbers": False,
    }
    assert vars(CardList([8], "x", faces, card_text)) == {"default": [8], "help": "x", **plain}
    odd = CardList(None, "x", faces, card_text, 1, 3, ordered=True, numbers=True)
    assert (odd.least, odd.most, odd.ordered, odd.numbers) == (1, 3, True, True)
    assert (Whole(None, "x").least, Whole(None, "x").most) == (0, BOUNDLESS)
    kinds = [option.kind for option in (Option(1, ""), WHOLE, SWITCH, ONE_OF, SIDE, CARDS)]
    assert kinds == ["value", "integer", "boolean", "choice", "side", "cards"]


@pytest.mark.parametrize(
    ("option", "usual", "other"),
    [
        (WHOLE, [5], [0, 4, None]),
        (SWITCH, [False], [True, None]),
        (SIDE, [None], ["york"]),
        (ARMY, [[1]], [[], [1, 1], [2], None]),
        (CardList([2, 1], "", faces, card_text), [[1, 2], [2, 1]], [[1], [1, 2, 2], None]),
        (CardList([2, 1], "", faces, card_text, ordered=True), [[2, 1]], [[1, 2], [2], None]),
        (CardList([], "", faces, card_text), [[]], [[1], None]),
        (CARDS, [None, []], [[1]]),
    ],
)
def test_the_usual_is_told_from_the_unusual(option: Option, usual: list[object], other: list[object]) -> None:
    """Lists count as sets where their order means nothing; no list and no cards are the same."""
    assert [option.is_default(value) for value in usual] == [True] * len(usual)
    assert [option.is_default(value) for value in other] == [False] * len(other)


@pytest.mark.parametrize("option", [WHOLE, SWITCH, ONE_OF, COPIES, SIDE, CARDS, ORDERED, ARMY])
def test_a_refusal_says_what_would_be_right_and_what_was_found(option: Option) -> None:
    """Every kind of option says what it expected and what it got."""
    with pytest.raises(ValueError, match="expected") as caught:
        option.read({"a": 1}, SEATS)
    wanted = option.expects() if option is not SIDE else "a side of this battle (york, lancaster)"
    assert str(caught.value) == f"expected {wanted}, got a table"


def test_the_words_for_what_an_option_expects() -> None:
    """Each kind in its own words."""
    lists = [CardList(None, "", faces, card_text, least=least, most=most) for least, most in ((2, 2), (1, 2))]
    assert [one.expects() for one in lists] == ["a list of 2 cards", "a list of 1 to 2 cards"]
    assert [SWITCH.expects(), SIDE.expects(), COPIES.expects(), OneOf(1, "", [1, 2, 3]).expects()] == [
        "true or false",
        "a side's key",
        "1 or 2",
        "1, 2 or 3",
    ]
    assert Whole(None, "", 2, 3).expects() == "a whole number from 2 to 3"


def test_cards_in_one_text_are_answered_with_the_list_to_write() -> None:
    """Only a text of valid cards, within the allowed number, gets the suggestion."""
    for text, told in (
        ("KS, 10H", '"KS, 10H"; write ["KS", "10H"]'),
        ("KS and 10H", '"KS and 10H"'),
        ("KS KH KD KC", '"KS KH KD KC"'),
        ("", '""'),
    ):
        with pytest.raises(ValueError, match=rf"^expected a list of 1 to 3 cards, got {re.escape(told)}$"):
            CARDS.read(text, SEATS)


@pytest.mark.parametrize(("count", "told"), [(0, "got 0 cards"), (4, "got 4 cards")])
def test_too_few_or_too_many_cards_are_counted(count: int, told: str) -> None:
    """One card is one card."""
    with pytest.raises(ValueError, match=f"^expected a list of 1 to 3 cards, {told}$"):
        CARDS.read(["KS"] * count, SEATS)
    with pytest.raises(ValueError, match=r"got 1 card$"):
        CardList(None, "", faces, card_text, least=2).read(["KS"], SEATS)


def test_a_number_too_long_for_any_option_stays_text() -> None:
    """Eighteen digits are a number, nineteen are not; a minus sign does not count."""
    assert [WHOLE.words(text) for text in ("9" * 18, "9" * 19, f"-{'9' * 18}")] == [
        10**18 - 1,
        "9" * 19,
        1 - 10**18,
    ]
    assert [SWITCH.words(text) for text in ("true", "FALSE", "no")] == [True, False, "no"]


def test_a_bare_option_has_no_kind_of_value() -> None:
    """The methods that a kind must define raise an error; texts and values are unchanged."""
    bare = Option(7, "help")
    assert (bare.words("x"), bare.write([1]), bare.is_default(7), bare.is_default(8)) == (
        "x",
        [1],
        True,
        False,
    )
    with pytest.raises(NotImplementedError):
        bare.read(1, [])
    with pytest.raises(NotImplementedError):
        bare.expects()


# Errors


def test_every_error_has_its_exit_code() -> None:
    """One root, one code each, as the command line promises."""
    rooms = (errors, file_errors, campaign_errors)
    named = [kind for room in rooms for kind in vars(room).values() if isinstance(kind, type)]
    codes = {
        kind.__name__: kind.exit_code
        for kind in named
        if issubclass(kind, CardbattleError) and kind is not CardbattleError
    }
    assert codes == {
        "UsageError": 2,
        "NoSuchOption": 2,
        "InvalidInput": 3,
        "IllegalMove": 3,
        "NeedsUmpire": 4,
        "InUse": 5,
        "SystemFailure": 6,
    }
    assert CardbattleError.exit_code == 1
    assert issubclass(errors.IllegalMove, Exception)


def test_a_refusal_lists_all_mistakes() -> None:
    """Each mistake stands on a line of its own, with its place as far as known."""
    here = PlacedDiagnostic("too many", at=("sides", "york", "hand"), file="battle.toml", line=14)
    assert str(here) == "battle.toml:14: sides.york.hand: too many"
    assert str(Diagnostic("too many", at=("orders", 2))) == "orders.3: too many"
    assert str(InvalidInput([here, Diagnostic("no seed")])).splitlines() == [str(here), "no seed"]
    assert InvalidInput("no seed").errors[0].text == "no seed"


# The machine


class March(Battle):
    """A battle that writes down its steps; step 16 pushes more, step 32 asks, 48 puts a question."""

    walked: list[int]

    def begin(self) -> None:
        """Set the battle up."""
        self.open_agenda(2, RandomSource())
        self.unoffered = [99]
        self.walked = []

    def step(self, step: int, side: int) -> None:
        """Carry out one step."""
        self.walked.append(step + side)
        if step == 16:
            self.then(64, 80 + side)
        elif step == 32:
            self.ask(side, 7, [3])
        elif step == 48:
            self.ask_even_if_forced(side, 8, [3])

    def answer(self, question: int, side: int, choice: int) -> None:
        """Write the answer down."""
        self.walked.append(-choice)


def march(*steps: int) -> March:
    """Return a battle that has run these steps."""
    battle = March()
    battle.begin()
    battle.then(*steps)
    battle.run()
    return battle


def test_the_agenda_is_carried_out_in_reading_order() -> None:
    """What a step pushes comes before what was there, in the order it was written."""
    assert march(16 + 1, 96, 112).walked == [17, 64, 81, 96, 112]


def test_a_list_and_a_step_alone_go_on_the_agenda_alike() -> None:
    """Both go before the present steps, in the order of the list; the list itself is unchanged."""
    battle = March()
    battle.begin()
    steps = [96, 112]
    battle.then_all(steps)
    battle.then_step(80)
    battle.run()
    assert battle.walked == [80, 96, 112]
    assert steps == [96, 112]


def test_steps_come_before_one_that_is_on_the_agenda_already() -> None:
    """They keep their order, right before that step; a missing step raises an error."""
    battle = March()
    battle.begin()
    battle.then_all([64, 96, 112])
    battle.before(96, [80, 81])
    with pytest.raises(ValueError, match="not in list"):
        battle.before(128, [80])
    battle.run()
    assert battle.walked == [64, 80, 81, 96, 112]


def test_a_question_with_one_answer_is_answered_by_the_machine() -> None:
    """`ask` goes on by itself; what is accepted unasked does not count as an answer."""
    battle = march(32, 96)
    assert battle.walked == [32, -3, 96]
    assert battle.is_over()


def test_a_question_that_is_put_waits() -> None:
    """`ask_even_if_forced` asks even for one option, and the battle goes on when it is answered."""
    battle = march(48 + 1, 96)
    assert (battle.side, battle.question, battle.options) == (1, 8, [3])
    assert not battle.is_over()
    battle.choose(0)
    assert battle.walked == [49, -3, 96]
    assert battle.is_over()


def test_an_answer_may_ask_again_at_once() -> None:
    """What waits on the agenda waits on until that question is answered too."""

    class Twice(March):
        def answer(self, question: int, side: int, choice: int) -> None:
            super().answer(question, side, choice)
            if question == 8:
                self.ask_even_if_forced(1 - side, 9, [4, 5])

    battle = Twice()
    battle.begin()
    battle.then(48, 96)
    battle.run()
    battle.choose(0)
    assert (battle.side, battle.question, battle.options, battle.walked) == (1, 9, [4, 5], [48, -3])
    battle.choose(1)
    assert battle.walked == [48, -3, -5, 96]
    assert battle.is_over()


def test_an_index_beyond_the_options_takes_what_is_accepted_unasked() -> None:
    """Index len(options) + i is unoffered[i]."""
    battle = march(48)
    battle.choose(1)
    assert battle.walked == [48, -99]


def test_a_copied_agenda_is_independent() -> None:
    """The common fields of a battle are copied; the copy has no listeners."""
    battle = march(48, 96)
    battle.log = []
    new = March()
    battle.copy_agenda(new)
    assert new.agenda() == battle.agenda() == [[2, 0, 8], [3], [99], [96]]
    new.todo.clear()
    new.options.append(5)
    assert (battle.todo, battle.options) == ([96], [3])
    assert new.log is None


def test_the_bare_machine_has_no_rules() -> None:
    """What a rule set must bring is missing loudly."""
    battle = Battle()
    calls: list[Callable[[], object]] = [
        battle.copy,
        battle.state,
        battle.outcome,
        lambda: battle.step(16, 0),
    ]
    calls += [lambda: battle.answer(0, 0, 0), lambda: battle.view(0), lambda: battle.score(0)]
    calls += [lambda: battle.redeal(0, stream(1, "x"))]
    for call in calls:
        with pytest.raises(NotImplementedError):
            call()


def test_nobody_listens_by_default() -> None:
    """Without a log `emit` does nothing; with one it adds an event."""
    battle = march()
    battle.emit("won", 0, {})
    assert battle.log is None
    battle.log = []
    battle.emit("won", 0, {"by": 2})
    battle.emit("sealed", 1, {}, {"card": 8}, [1], True)
    told = [(one.kind, one.side, one.fields, one.hidden, one.eyes, one.whole) for one in battle.log]
    assert told == [("won", 0, {"by": 2}, {}, [], False), ("sealed", 1, {}, {"card": 8}, [1], True)]


def test_a_battle_begins_with_nothing_asked() -> None:
    """No question, no options, nothing accepted, nothing to do."""
    battle = March()
    battle.open_agenda(3, RandomSource())
    assert battle.agenda() == [[3, NOBODY, 0], [], [], []]
    assert battle.is_over()
    assert battle.log is None


def test_a_copy_has_a_fate_of_its_own() -> None:
    """It goes on from where the battle's stands, and leaves that where it is."""
    battle, new = march(48), March()
    battle.random_source = Drawn(stream(1, "x"))
    battle.copy_agenda(new)
    drawn = new.random_source.order_of(1, 0, [1, 2, 3, 4, 5, 6])
    assert battle.random_source.order_of(1, 0, [1, 2, 3, 4, 5, 6]) == drawn


# Events


DRAWN = Event("drawn", 0, {"count": 2}, {"cards": [8, 9]}, [0], False)
SEALED = Event("sealed", 0, {}, {"card": 8}, [0], True)
OPEN = Event("won", 1, {"space": 3}, {}, [], False)


def test_an_event_shows_its_hidden_part_to_its_eyes_alone() -> None:
    """Its own side sees the cards, the enemy the number."""
    mine, theirs = DRAWN.seen_by(0), DRAWN.seen_by(1)
    assert mine is not None and mine.fields == {"count": 2, "cards": [8, 9]}
    assert theirs is not None and theirs.fields == {"count": 2}
    assert not theirs.hidden and not theirs.eyes


def test_a_whole_event_does_not_exist_for_others() -> None:
    """Who has no eyes for it hears nothing."""
    assert SEALED.seen_by(1) is None
    mine = SEALED.seen_by(0)
    assert mine is not None and mine.fields == {"card": 8}


def test_an_open_event_is_the_same_for_all() -> None:
    """Without hidden fields everybody sees everything."""
    for viewer in (0, 1, 5):
        seen = OPEN.seen_by(viewer)
        assert seen is not None and seen.fields == {"space": 3}
        assert (seen.kind, seen.side, seen.hidden, seen.eyes, seen.whole) == ("won", 1, {}, [], False)
    assert DRAWN.all_seeing().fields == {"count": 2, "cards": [8, 9]}
    assert DRAWN.fields == {"count": 2}, "the event itself stays"


def test_what_was_seen_hides_nothing_more() -> None:
    """With eyes for it or without, from the umpire's side or a seat's: the rest is gone for good."""
    whole = Event("sealed", 0, {"count": 1}, {"card": 8}, [0], True)
    assert (whole.hidden, whole.eyes, whole.whole) == ({"card": 8}, [0], True)
    for seen in (DRAWN.seen_by(0), DRAWN.seen_by(1), DRAWN.all_seeing(), whole.seen_by(0)):
        assert seen is not None
        assert (seen.hidden, seen.eyes, seen.whole) == ({}, [], False)


# Rule sets and setups


def test_a_rule_set_shows_fields_by_their_kind() -> None:
    """Cards become text and sides become keys; NOBODY is allowed as a side."""

    class Shown(RuleSet):
        facts = {"card": "card", "cards": "cards", "piles": "piles", "winner": "side", "winners": "sides"}

    fields: dict[str, object] = {
        "card": 52,
        "cards": [52, 8],
        "piles": [[52], []],
        "winner": NOBODY,
        "winners": [1, 0],
        "pot": 26,
    }
    event = Event("won", 1, fields, {}, [], False)
    assert Shown().as_json(event, SEATS) == {
        "event": "won",
        "side": "lancaster",
        "card": "KS",
        "cards": ["KS", "2S"],
        "piles": [["KS"], []],
        "winner": None,
        "winners": ["lancaster", "york"],
        "pot": 26,
    }
    parts = {name: Shown().part(name, value) for name, value in fields.items() if name != "piles"}
    assert parts == {
        "card": Card("KS"),
        "cards": [Card("KS"), Card("2S")],
        "winner": "nobody",
        "winners": [Name(1), " and ", Name(0)],
        "pot": "26",
    }
    assert Shown().part("cards", []) == ["nothing"]


def test_a_field_without_a_kind_is_what_it_is() -> None:
    """Values without a kind are not converted to cards or sides; a kind without a value is an error."""

    class Shown(RuleSet):
        facts = {"card": "card", "cards": "cards", "winner": "side", "winners": "sides"}

    rules = Shown()
    assert [rules.fact(name, [1, 0], SEATS) for name in ("spaces", "winner", "card")] == [[1, 0]] * 3
    assert [rules.fact("winner", side, SEATS) for side in (0, 1, NOBODY)] == ["york", "lancaster", None]
    assert rules.fact("winners", [0, NOBODY, 1], SEATS) == ["york", None, "lancaster"]
    assert [rules.part(name, [1, 0, 3]) for name in ("spaces", "winner", "card")] == ["1, 0 and 3"] * 3
    assert [rules.part("winner", side) for side in (0, 1, NOBODY)] == [Name(0), Name(1), "nobody"]
    assert [rules.part("winners", 1), rules.part("cards", 8), rules.part("x", "y")] == ["1", "8", "y"]


def test_a_rule_set_has_its_rules_beside_it() -> None:
    """In the file rules.md of its package."""
    text = OUTBID.rules_text()
    assert text == (Path(__file__).parents[1] / "toy" / "rules.md").read_text(encoding="utf-8")
    assert text


def test_a_bare_rule_set_deals_and_decides_nothing() -> None:
    """What a rule set may leave out has a harmless default."""
    rules, setup = RuleSet(), Setup(SEATS, {}, [{}, {}], {})
    assert rules.check(setup) == []
    rules.choose_random_house_rules(setup, stream(1, "lot"))
    rules.deal(setup, stream(1, "deal"))
    rules.deal_unknown(setup)
    assert (setup.house, setup.deal, rules.piles(setup)) == ({}, {}, [])
    assert rules.next_house(setup, [0]) == {}
    assert rules.choices_from_cards(setup) == [[], []]
    assert rules.why_not(March(), "x") == ""
    assert rules.cards_in(March()) == []
    view = View()
    view.options = [5, 7, 9]
    answers = [(rules.regular(view, stream(n, "x")), rules.seasoned(view, stream(n, "x"))) for n in range(30)]
    assert set(answers) == {(0, 0), (1, 1), (2, 2)}
    calls: list[Callable[[], object]] = [
        lambda: rules.start(setup, RandomSource()),
        lambda: rules.choice_text(March(), 0),
        lambda: rules.fate_text(0, 0, SEATS),
        lambda: rules.tale(setup),
    ]
    for call in calls:
        with pytest.raises(NotImplementedError):
            call()


def test_a_bare_rule_set_can_have_files_and_looks_at_nothing_else() -> None:
    """Every side can have every option, no file is read, and no move is recommended."""
    rules, setup = RuleSet(), Setup(SEATS, {}, [{}, {}], {"york": [8]})
    assert rules.can_have({}, "hand") is True
    assert rules.files(setup) == {}
    assert rules.dealt(March(), setup) == {"york": [8]}
    assert (rules.solution(March()), rules.best_play(March()), rules.option_values(March())) == ([], [], [])


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ([0, 0], [500, 500]),
        ([3, 1], [750, 250]),
        ([-5, 2], [0, 1000]),
        ([1, 1, 1], [333] * 3),
        ([0] * 3, [333] * 3),
        ([0] * 7, [142] * 7),
    ],
)
def test_a_battle_broken_off_is_estimated_by_its_score(scores: list[int], shares: list[int]) -> None:
    """A score below nothing counts as nothing; without any score all are alike."""

    class Scored(March):
        def score(self, side: int) -> int:
            return scores[side]

    battle = Scored()
    battle.open_agenda(len(scores), RandomSource())
    assert [RuleSet().estimate(battle, side) for side in range(len(scores))] == shares


@pytest.mark.parametrize(
    ("default", "house", "value", "usual"),
    [
        (3, {}, 3, True),
        (3, {}, 4, False),
        (3, {"hand": 4}, 3, True),  # an option with a default of its own asks no house rule
        (3, {"hand": 4}, 4, False),
        (None, {"hand": 4}, 4, True),
        (None, {"hand": 4}, 5, False),
        (None, {"hand": 1}, True, False),  # true is not a number, although it equals 1 in Python
        (None, {"hand": 4}, None, True),
        (None, {}, 4, False),
        (None, {}, None, True),
    ],
)
def test_what_is_usual_for_a_side_comes_of_its_default_or_the_house(
    default: int | None, house: dict[str, object], value: object, usual: bool
) -> None:
    """An option without a default has the house rule's value, of the same kind."""

    class Dealt(RuleSet):
        options = {"hand": Whole(default, "cards")}

    assert Dealt().is_usual(Setup(SEATS, house, [{"hand": 9}, {"hand": value}], {}), 1, "hand") is usual


def test_a_game_is_played_out_by_chance_alone() -> None:
    """Every option is taken somewhere, none beyond them, and it ends."""

    class Asking(March):
        def step(self, step: int, side: int) -> None:
            self.ask_even_if_forced(side, 7, [11, 12, 13])

    walked = set()
    for seed in range(40):
        battle = Asking()
        battle.begin()
        battle.then(16, 17)
        battle.run()
        play_out_randomly(battle, stream(seed, "x"))
        assert battle.is_over()
        assert len(battle.walked) == 2
        walked |= set(battle.walked)
    assert walked == {-11, -12, -13}


def test_cards_are_read_as_text_only() -> None:
    """A number names no playing card."""
    assert RuleSet().read_card("ks", "york") == 52
    with pytest.raises(ValueError, match=r'^write a card as text, such as "KS" or "10H"$'):
        RuleSet().read_card(52, "york")


def test_a_copied_setup_is_independent() -> None:
    """Completing the copy leaves the original open."""
    setup = Setup(["york", "lancaster"], {"dealer": None}, [{"extra": [8]}, {}], {"york": [9]})
    copy = setup.copy()
    copy.seats.append("clarence")
    copy.house["dealer"] = "york"
    copy.sides[0]["hand"] = 3
    copy.deal["york"].append(10)
    assert (setup.seats, setup.house, setup.sides, setup.deal) == (
        SEATS,
        {"dealer": None},
        [{"extra": [8]}, {}],
        {"york": [9]},
    )
    assert (setup.base, Setup([], {}, [], {}, "war").copy().base) == ("", "war")
    assert Setup([], {}, [{"extra": None}], {}).cards(0, "extra") == []
    assert setup.seat("lancaster") == 1
    assert (setup.cards(0, "extra"), setup.cards(1, "extra") if "extra" in setup.sides[1] else []) == (
        [8],
        [],
    )


# The tale


def test_a_sentence_without_its_secret_is_veiled() -> None:
    """If a hidden field is missing, the teller uses the sentence without it."""

    class Told(Tale):
        words = {"drawn": Words("OB-1", AUDIT, "{side} draws {cards}.", "{side} draws {count} cards.")}

    def parts(viewer: int) -> list[object]:
        seen = DRAWN.seen_by(viewer)
        assert seen is not None
        line = Told(OUTBID, 2).describe(seen)[0]
        assert isinstance(line, Line) and (line.rule, line.detail) == ("OB-1", AUDIT)
        return list(line.parts)

    assert parts(0) == [Name(0), " draws ", Card("2S"), " ", Card("2H"), "."]
    assert parts(1) == [Name(0), " draws ", "2", " cards."]


@pytest.mark.parametrize("sign", [" ", ",", ".", ";", ":", ")"])
def test_no_space_stands_before_a_sign_that_closes(sign: str) -> None:
    """Words that begin with it bring their own; others get a space."""
    assert set_apart([Card("KS"), f"{sign} x"]) == [Card("KS"), f"{sign} x"]
    assert set_apart([Card("KS"), f"x{sign}"]) == [Card("KS"), " ", f"x{sign}"]
    assert set_apart(["(", Card("KS")]) == ["(", " ", Card("KS")]
    assert set_apart(["the ", Card("KS")]) == ["the ", Card("KS")]


def test_a_sentence_may_use_all_its_fields_and_no_more() -> None:
    """A teller knows how many sides there are; a field too many does not veil the sentence."""

    class Told(Tale):
        words = {
            "won": Words("OB-2", BRIEF, "{side} wins {space}.", "Somebody wins."),
            "end": Words("", BRIEF, "End."),
        }

    teller = Told(OUTBID, 3)
    assert teller.sides == 3
    assert teller.line(OPEN).parts == [Name(1), " wins ", "3", "."]
    assert teller.line(Event("end", NOBODY, {}, {}, [], False)).parts == ["End."]
    assert teller.line(Event("won", NOBODY, {}, {}, [], False)).parts == ["Somebody wins."]


def test_numbers_are_read_from_an_event() -> None:
    """By their name."""
    event = Event("shown", 0, {"count": 2, "spaces": [1, 3]}, {}, [], False)
    assert (number(event, "count"), numbers(event, "spaces")) == (2, [1, 3])


def test_a_teller_may_speak_for_itself() -> None:
    """A method `on_<kind>` describes an event that needs more than a template."""
    ended = Event("ended", NOBODY, {"winners": [0], "reason": "shared"}, {}, [], False)
    assert len(OUTBID.tale(Setup(SEATS, {}, [{}, {}], {})).describe(ended)) == 2


def test_sentences_are_filled_with_parts() -> None:
    """Names and cards stay parts, so that a screen can show them its own way."""
    assert fill_template("{a} meets {b}", {"a": Name(0), "b": [Name(1), Name(2)]}) == [
        Name(0),
        " meets ",
        Name(1),
        " ",
        Name(2),
    ]
    assert spaced([Card("KS"), Card("2D")]) == [Card("KS"), " ", Card("2D")]
    assert spaced(["a", "b", "c"], ", ") == ["a", ", ", "b", ", ", "c"]
    assert (spaced([]), spaced(["a"])) == ([], ["a"])
    assert and_sides([]) == []
    assert and_sides([2, 0, 1]) == [Name(2), ", ", Name(0), " and ", Name(1)]
    assert [counted(1, "loss", "losses"), counted(2, "loss", "losses")] == ["1 loss", "2 losses"]
    assert [counted(n, "card") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert BRIEF < AUDIT


def test_all_wrong_cards_of_a_list_are_named() -> None:
    text = '"1S" is not a card; write a rank and a suit, such as KS or 10H; also wrong: "11H" and 5'
    with pytest.raises(ValueError, match=f"^{text}$"):
        CARDS.read(["1S", "11H", 5], [])

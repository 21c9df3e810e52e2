"""The referee: legality, moves, events, hashes, what a seat is shown, and chance from a record."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import pytest

from cardbattle.core.battle import UNKNOWN, Battle, View
from cardbattle.core.cards import read_card
from cardbattle.core.chance import Chance, Drawn, RandomSource, stream
from cardbattle.core.errors import IllegalMove
from cardbattle.core.referee import (
    CHECK_EVERY,
    OFFERED,
    Commander,
    Noted,
    Recorded,
    Referee,
    Seat,
    comparable,
)
from cardbattle.core.ruleset import Setup
from cardbattle.rules import RULE_SETS, find
from cardbattle.testing import refought, trials
from tests.toy import OUTBID, Outbid


def cards(text: str) -> list[int]:
    """Return the cards a text names."""
    return [read_card(word) for word in text.split()]


def duel(rounds: int = 2, stack: str = "5S 6S", seed: int = 1, listen: bool = True) -> Referee:
    """Return the referee of a battle of Outbid between ann and bob, just begun."""
    deal = {"ann": cards("2S KS 9D"), "bob": cards("3S QS 10D"), "stack": cards(stack)}
    house: dict[str, object] = {"rounds": rounds, "dealer": "ann", "short": False}
    setup = Setup(["ann", "bob"], house, [{"hand": 3, "extra": None} for _ in range(2)], deal)
    return Referee(OUTBID, setup, Drawn(stream(seed, "battle")), listen)


def told(referee: Referee, viewer: int | None) -> list[dict[str, object]]:
    """Return the events that this seat saw, as JSON."""
    return [OUTBID.as_json(event, referee.setup.seats) for _, event in referee.events_for(viewer)]


# Legality


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("place 10S", "PLACE ts"),
        ("place 3S+10H", "place T♥+3♠"),
        ("play KH redeploy", "  play   kh Redeploy "),
        ("counter 7H'", "counter 7h′"),
        ("commit 10", "commit T"),
        ("play RJ swap", "play rj swap"),
    ],
)
def test_choices_read_alike_however_they_are_typed(one: str, other: str) -> None:
    """Case, T for 10, suit signs, primes, blanks and the order of a pair do not matter."""
    assert comparable(one) == comparable(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("place 10S", "place 1S"),
        ("commit 10", "commit 1"),
        ("switch 1 2", "switch 2 1"),
        ("seal 7H", "seal 7H'"),
    ],
)
def test_choices_that_differ_stay_apart(one: str, other: str) -> None:
    """Only two notations of the same choice are equal."""
    assert comparable(one) != comparable(other)


def test_a_folded_choice_is_one_plain_line() -> None:
    """Words with one space between, a pair joined by a plus."""
    assert comparable("  Place   T♥+3♠ X") == "place 10h+3s x"


def test_a_choice_is_found_by_its_text() -> None:
    """Text becomes a choice by looking it up among the options, and those accepted unasked."""
    referee = duel()
    assert referee.texts() == ["seal 2S", "seal 9D", "seal KS"]
    assert [referee.find(text) for text in (*referee.texts(), "Seal k♠", "resign")] == [0, 1, 2, 2, 3]


def test_an_illegal_move_is_refused_with_the_options() -> None:
    """The error names the side, the text, why not where the rules know, and what would be right."""
    referee = duel()
    with pytest.raises(IllegalMove) as caught:
        referee.find("seal 2C")
    assert str(caught.value) == (
        "ann cannot seal 2C: that card is not in the hand; choose one of seal 2S, seal 9D, seal KS"
    )
    with pytest.raises(IllegalMove, match='ann cannot choose "retreat" now; choose one of seal 2S'):
        referee.find("retreat")
    with pytest.raises(
        IllegalMove, match=r'ann cannot choose "seal 2C, or should I wait [(]2[)][?]": that card is'
    ):
        referee.find("seal 2C, or should I wait (2)?")
    with pytest.raises(IllegalMove, match="ann cannot say nothing now;"):
        referee.find("")


def test_an_error_lists_a_dozen_options_at_most() -> None:
    """Beyond that it says how many there are."""
    referee = duel()
    referee.battle.options = list(range(8, 8 + OFFERED + 8))
    with pytest.raises(IllegalMove, match=r"seal 4C, \.\.\. \(20 in all\)$"):
        referee.find("x")
    referee.battle.options = list(range(8, 8 + OFFERED))
    with pytest.raises(IllegalMove, match=r"seal 4C$"):
        referee.find("x")


def test_an_error_repeats_a_hostile_text_short_and_clean() -> None:
    """Control characters are shown as codes, and a long text is cut."""
    with pytest.raises(IllegalMove, match=r'ann cannot choose "<1b>x{56}\.\.\." now') as caught:
        duel().find("\x1b" + "x" * 10_000)
    assert "\x1b" not in str(caught.value)


# Moves, events, hashes


def test_moves_are_written_as_side_and_choice() -> None:
    """A chance result is a move of `fate`; a question with one answer is not written down."""
    referee = duel(rounds=3, stack="5S")
    for text in ("seal KS", "seal QS", "seal 9D", "seal 3S"):
        referee.choose(referee.find(text))
    assert referee.moves == ["ann seal KS", "bob seal QS", "fate prize ann 5S", "ann seal 9D", "bob seal 3S"]
    assert referee.battle.is_over()
    assert referee.outcome().winners == [0]


def test_events_know_after_how_many_moves_they_came() -> None:
    """So a replay can show them move by move."""
    referee = duel(rounds=1)
    for text in ("seal KS", "seal QS"):
        referee.choose(referee.find(text))
    assert [(made, event.kind) for made, event in referee.events] == [
        (0, "kept_silent"),
        (0, "kept_silent"),
        (1, "sealed"),
        (3, "sealed"),
        (3, "won"),
        (3, "prize"),
        (3, "ended"),
    ]


def test_each_seat_is_told_what_it_saw() -> None:
    """Only its own side and the umpire see a sealed card."""
    referee = duel()
    referee.choose(referee.find("seal KS"))
    silent = [{"event": "kept_silent", "side": "ann"}, {"event": "kept_silent", "side": "bob"}]
    sealed = {"event": "sealed", "side": "ann", "card": "KS"}
    assert told(referee, None) == told(referee, 0) == [*silent, sealed]
    assert told(referee, 1) == [*silent, {"event": "sealed", "side": "ann"}]


@pytest.mark.slow
def test_the_state_is_hashed_at_the_start_now_and_then_and_at_the_end() -> None:
    """Hashes are at 0, at regular intervals, and after the last move."""
    for key in RULE_SETS:
        trial = trials(find(key))[0]
        fought = trial.fight()
        made = [int(check.partition(":")[0]) for check in fought.checks]
        assert made[0] < CHECK_EVERY
        assert all(later - earlier >= CHECK_EVERY for earlier, later in pairwise(made[:-1]))
        assert made[-1] == len(fought.moves)
        assert all(later > earlier for earlier, later in pairwise(made))


def test_a_hash_is_of_the_moves_and_the_state() -> None:
    """Sixteen hexadecimal digits of the SHA-256 of both."""
    referee = duel()
    assert referee.checks == [f"0:{referee.check()}"]
    assert referee.check() == sha256(repr(referee.battle.state()).encode()).hexdigest()[:16]
    referee.choose(2)
    whole = f"ann seal KS\n{referee.battle.state()!r}"
    assert referee.check() == sha256(whole.encode()).hexdigest()[:16]


def test_a_referee_who_does_not_listen_keeps_nothing() -> None:
    """Simulations pay for no text."""
    referee = duel(listen=False)
    referee.choose(2)
    referee.choose(2)
    assert (referee.moves, referee.events, referee.battle.log) == ([], [], None)


# Seats


class Highest(Commander):
    """Keeps what it is shown and takes the last option."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, int, list[str], list[int]]] = []

    def answer(self, seat: Seat) -> int:
        """Return the last option."""
        self.shown.append((seat.key, seat.count, seat.texts, seat.view.options))
        return seat.count - 1


def test_commanders_fight_a_battle_to_its_end() -> None:
    """Each is asked for its own side only, with its own view."""
    referee, ann, bob = duel(rounds=2), Highest(), Highest()
    referee.fight([ann, bob])
    assert referee.battle.is_over()
    assert {shown[0] for shown in ann.shown} == {"ann"}
    assert {shown[0] for shown in bob.shown} == {"bob"}
    assert ann.shown[0] == ("ann", 3, ["seal 2S", "seal 9D", "seal KS"], cards("2S 9D KS"))


def test_a_bare_commander_has_no_answer() -> None:
    """Each commander must have its own answer."""
    with pytest.raises(NotImplementedError):
        Commander().answer(duel().seat)


def test_a_seat_shows_no_battle() -> None:
    """A commander can reach only its view, its options and redealt battles."""
    public = [name for name in dir(Seat) if not name.startswith("_")]
    assert public == [
        *("answer_by", "count", "events_since", "find", "key", "redeal", "setup", "texts"),
        *("unlisted_texts", "view"),
    ]


def test_a_seat_finds_choices_by_text() -> None:
    """As the referee does."""
    referee = duel()
    assert referee.seat.find("seal ks") == 2
    with pytest.raises(IllegalMove, match="ann cannot"):
        referee.seat.find("seal QS")


def test_a_redealt_battle_meets_another_chance() -> None:
    """What fate holds in the battle cannot be seen from a redealt one."""

    def prize(seed: int) -> list[int]:
        other = duel(rounds=1, stack="5S 6S 7S 8S", seed=seed).seat.redeal(stream(9, "search"))
        assert isinstance(other, Outbid)
        other.choose(0)
        other.choose(0)
        return [*other.played[0], *other.played[1]]

    assert len({tuple(prize(seed)) for seed in range(8)}) == 1
    referee = duel(stack="5S 6S 7S 8S")
    before = referee.battle.random_source
    referee.seat.redeal(stream(9, "search"))
    assert referee.battle.random_source is before


# Fate


def test_noted_fate_notes_each_result() -> None:
    """Each decision is returned and recorded."""
    notes: list[tuple[int, int, list[int]]] = []
    random_source = Noted(
        Drawn(stream(1, "battle")), lambda what, side, result: notes.append((what, side, result))
    )
    four = cards("2S 3S 4S 5S")
    results = [
        [random_source.one_of(1, 0, four)],
        random_source.some_of(2, 1, 2, four),
        random_source.top_of(3, 0, 2, four),
        random_source.order_of(4, 1, four),
    ]
    assert notes == [(what + 1, what % 2, result) for what, result in enumerate(results)]
    assert results[1] == sorted(results[1])
    assert sorted(results[3]) == four


@pytest.mark.parametrize(
    ("call", "question"),
    [
        ("one_of", (3, 1, [8, 9])),
        ("some_of", (3, 1, 2, [8, 9])),
        ("top_of", (3, 1, 2, [8, 9])),
        ("order_of", (3, 1, [8, 9])),
    ],
)
def test_noted_fate_asks_its_source_the_same_question(call: str, question: tuple[object, ...]) -> None:
    """The kind, the side, the number, and the cards to choose from."""
    source, notes = Asked([9, 8]), []
    random_source = Noted(source, lambda what, side, result: notes.append((what, side, result)))
    result = getattr(random_source, call)(*question)
    assert source.asked == [question]
    assert notes == [(3, 1, [9] if call == "one_of" else [9, 8])]
    assert result == (9 if call == "one_of" else [9, 8])


def test_a_copy_of_noted_fate_notes_nothing() -> None:
    """It draws on from the same place in silence."""
    notes: list[int] = []
    random_source = Noted(Drawn(stream(1, "battle")), lambda what, side, result: notes.append(what))
    copy = random_source.copy()
    assert copy.order_of(1, 0, cards("2S 3S 4S")) == Drawn(stream(1, "battle")).order_of(
        1, 0, cards("2S 3S 4S")
    )
    assert notes == []


def recorded(text: str, witness: RandomSource | None = None) -> Recorded:
    """Return fate read from a record whose next move ends so."""

    def take(words: str) -> str:
        assert words == "1 ann"
        return text

    return Recorded(Numbered(), ["ann", "bob"], take, witness)


class Numbered(type(OUTBID)):  # type: ignore[misc]
    """Outbid that says by number what fate settles."""

    def fate_text(self, kind: int, side: int, seats: list[str]) -> str:
        """Return the number and the side."""
        return f"{kind} {seats[side]}"


FOUR = cards("2S 3S 4S 5S")


def test_recorded_fate_reads_what_was_written() -> None:
    """One card, some ascending, the top in order, or all in order; written as people write."""
    assert recorded("4s").one_of(1, 0, FOUR) == read_card("4S")
    assert recorded("5S 3♠").some_of(1, 0, 2, FOUR) == cards("3S 5S")
    assert recorded("5S 3S").top_of(1, 0, 2, FOUR) == cards("5S 3S")
    assert recorded("5S 2S 4S 3S").order_of(1, 0, FOUR) == cards("5S 2S 4S 3S")


@pytest.mark.parametrize("text", ["6S", "", "2S 3S", "RJ", "x", "\x1b", "?"])
def test_recorded_fate_refuses_a_card_that_is_not_there(text: str) -> None:
    """The error lists the cards that are."""
    with pytest.raises(IllegalMove, match=r"fate cannot choose .*; it can choose 2S, 3S, 4S, 5S"):
        recorded(text).one_of(1, 0, FOUR)


@pytest.mark.parametrize("text", ["2S", "2S 3S 4S", "2S 2S", "2S 6S", ""])
def test_recorded_fate_refuses_another_number_of_cards(text: str) -> None:
    """Some of the cards are a part of those that are there, each once."""
    with pytest.raises(IllegalMove, match="fate"):
        recorded(text).some_of(1, 0, 2, FOUR)
    with pytest.raises(IllegalMove, match="fate"):
        recorded(text).order_of(1, 0, FOUR)


def test_recorded_fate_takes_no_unknown_card() -> None:
    """A record cannot name an unknown card, but it can name a known card beside it."""
    assert recorded("2S").one_of(1, 0, [UNKNOWN, *FOUR]) == read_card("2S")
    with pytest.raises(IllegalMove, match="no known cards"):
        recorded("2S").one_of(1, 0, [UNKNOWN, UNKNOWN])


def test_a_witness_must_agree() -> None:
    """If the seed is known, the random results of a record are compared with it."""
    seed = stream(1, "battle")
    right = Drawn(seed.copy()).one_of(1, 0, FOUR)
    wrong = next(card for card in FOUR if card != right)
    assert recorded(OUTBID.card_text(right), Drawn(seed.copy())).one_of(1, 0, FOUR) == right
    with pytest.raises(
        IllegalMove, match=f"the seed does not give this result; it gives {OUTBID.card_text(right)}"
    ):
        recorded(OUTBID.card_text(wrong), Drawn(seed.copy())).one_of(1, 0, FOUR)
    for call in ("some_of", "top_of"):
        random_source = recorded("2S 3S", Drawn(stream(call, "x")))
        drawn = getattr(Drawn(stream(call, "x")), call)(1, 0, 2, FOUR)
        if drawn == cards("2S 3S"):
            assert getattr(random_source, call)(1, 0, 2, FOUR) == drawn
        else:
            with pytest.raises(IllegalMove, match="the seed does not give this result"):
                getattr(random_source, call)(1, 0, 2, FOUR)
    with pytest.raises(IllegalMove, match="the seed does not give this result"):
        recorded("2S 3S 4S 5S", Drawn(stream(3, "x"))).order_of(1, 0, FOUR)


class Asked(RandomSource):
    """A witness with predetermined answers, which remembers the questions."""

    def __init__(self, result: list[int]) -> None:
        self.result = result
        self.asked: list[tuple[object, ...]] = []

    def one_of(self, kind: int, side: int, cards: list[int]) -> int:
        """Remember and decide."""
        self.asked.append((kind, side, cards))
        return self.result[0]

    def some_of(self, kind: int, side: int, k: int, cards: list[int]) -> list[int]:
        """Remember and decide."""
        self.asked.append((kind, side, k, cards))
        return self.result

    top_of = some_of

    def order_of(self, kind: int, side: int, cards: list[int]) -> list[int]:
        """Remember and decide."""
        self.asked.append((kind, side, cards))
        return self.result


@pytest.mark.parametrize(
    ("call", "text", "count"),
    [("one_of", "3S", 0), ("some_of", "3S 5S", 2), ("top_of", "5S 3S", 2), ("order_of", "5S 3S 2S 4S", 0)],
)
def test_a_witness_is_asked_the_same_question(call: str, text: str, count: int) -> None:
    """The kind, the side, the number, and the cards. If the witness agrees, its answer is the record's."""
    told = cards(text)
    for witness, agrees in ((Asked(told), True), (Asked(cards("2S 4S 3S 5S")[: len(told)]), False)):
        question = (1, 0, count, FOUR) if count else (1, 0, FOUR)
        random_source = recorded(text, witness)
        if agrees:
            assert getattr(random_source, call)(*question) == (told[0] if call == "one_of" else told)
        else:
            with pytest.raises(IllegalMove) as caught:
                getattr(random_source, call)(*question)
            drawn = " ".join(OUTBID.card_text(card) for card in witness.result)
            assert str(caught.value) == f"the seed does not give this result; it gives {drawn}"
        assert witness.asked == [question]


def test_the_cards_that_fate_could_choose_are_named() -> None:
    """All that are known, and how many are needed."""
    with pytest.raises(IllegalMove) as caught:
        recorded(f"\x1b{'x' * 99}").one_of(1, 0, [8, UNKNOWN, 9])
    assert str(caught.value) == f"fate cannot choose <1b>{'x' * 39}; it can choose 2S, 2H"
    with pytest.raises(IllegalMove) as caught:
        recorded("2S").one_of(1, 0, [UNKNOWN])
    assert str(caught.value) == "fate cannot choose 2S; it can choose no known cards"
    with pytest.raises(IllegalMove) as caught:
        recorded("2S").some_of(1, 0, 2, FOUR)
    assert str(caught.value) == "fate 1 ann needs 2 cards, got 1"


def test_an_option_passed_over_is_taken_and_not_written_down() -> None:
    """The events that follow from it are reported all the same."""
    referee = duel(rounds=1)
    referee.choose(referee.find("seal KS"))
    before = len(referee.events)
    first = referee.texts()[0]
    referee.pass_over()
    assert [event["card"] for event in told(referee, None) if event["event"] == "sealed"] == ["KS", first[5:]]
    assert referee.moves[0] == "ann seal KS"
    assert not [move for move in referee.moves if move.startswith("bob")]
    assert referee.battle.is_over()
    assert len(referee.events) > before
    assert referee.outcome().reason != "resigned"
    assert referee.checks[0].startswith("0:")
    assert len({check.partition(":")[0] for check in referee.checks}) == len(referee.checks)


def test_a_hash_is_not_taken_twice_after_the_same_moves() -> None:
    """Also where the last answers are not written down."""
    referee = duel(rounds=1, stack="")
    before = referee.checks.copy()
    referee.pass_over()
    referee.pass_over()
    assert referee.battle.is_over()
    assert (referee.moves, referee.checks) == ([], before)


def test_a_referee_listens_unless_told_otherwise() -> None:
    """Moves, events and hashes are kept."""
    quiet = duel(listen=False)
    heard = Referee(OUTBID, quiet.setup, Drawn(stream(1, "battle")))
    assert (heard.listen, len(heard.checks)) == (True, 1)
    assert heard.events


def test_chance_is_noted_under_what_it_settles() -> None:
    """The rule set says in which words."""
    referee = duel(rounds=2, stack="5S 6S")
    referee.rules = Numbered()
    referee.note(3, 1, cards("5S 6S"))
    assert referee.moves == ["fate 3 bob 5S 6S"]


def test_the_rules_say_why_not_of_the_battle_as_it_stands() -> None:
    """They are shown the battle and the text as it came."""

    class Asking(type(OUTBID)):  # type: ignore[misc]
        def why_not(self, battle: Battle, text: str) -> str:
            return f"{battle.side} says {text}"

    referee = duel()
    referee.rules = Asking()
    with pytest.raises(IllegalMove, match="ann cannot x: 0 says x; choose"):
        referee.find("x")


def test_a_redealt_battle_is_dealt_for_the_side_that_is_asked() -> None:
    """It is not dealt for any other side."""
    referee = duel()
    referee.choose(0)
    dealt: list[int] = []
    real = referee.battle.redeal

    def redeal(viewer: int, chance: Chance) -> Battle:
        dealt.append(viewer)
        return real(viewer, chance)

    referee.battle.redeal = redeal  # type: ignore[method-assign]
    referee.seat.redeal(stream(9, "search"))
    assert dealt == [1] == [referee.battle.side]


def test_a_policy_is_asked_with_the_view_and_chance_of_the_seat() -> None:
    """Its answer is the seat's; the battle is not touched."""
    referee, chance = duel(), stream(4, "x")
    seen: list[object] = []

    def policy(view: View, given: Chance) -> int:
        seen.extend([view.side, view.options, given])
        return 1

    assert referee.seat.answer_by(policy, chance) == 1
    assert seen == [0, referee.battle.options, chance]
    assert referee.moves == []


def test_a_redealt_battle_goes_on_by_the_chance_it_was_given() -> None:
    """Its random results come only from this stream."""
    chance = stream(9, "search")
    random_source = duel(stack="5S 6S 7S 8S").seat.redeal(chance).random_source
    assert isinstance(random_source, Drawn)
    assert random_source.chance is chance


def test_a_copy_of_recorded_fate_has_nothing_to_give() -> None:
    """A record has one reader."""
    with pytest.raises(NotImplementedError):
        recorded("2S").copy().one_of(1, 0, FOUR)


@pytest.mark.slow
@pytest.mark.parametrize("key", [*RULE_SETS, "outbid"])
def test_a_tampered_move_is_refused_or_leads_elsewhere(key: str) -> None:
    """Drop, double or swap moves: the battle cannot come to the same hashes."""
    rules = OUTBID if key == "outbid" else find(key)
    trial = trials(rules)[0]
    fought = trial.fight()
    chance = trial.chance("tamper")
    for _ in range(10):
        at = chance.below(len(fought.moves) - 1)
        two = fought.moves[at : at + 2]
        for other in ([], two[:1], two[1:], two[:1] * 2 + two[1:], two[::-1]):
            moves = [*fought.moves[:at], *other, *fought.moves[at + 2 :]]
            if moves != fought.moves:
                assert refought_checks(trial.setup, moves, key) != fought.checks


def refought_checks(setup: Setup, moves: list[str], key: str) -> list[str]:
    """Return the hashes of a battle fought again, none if its moves are refused."""
    try:
        return refought(OUTBID if key == "outbid" else find(key), setup, moves).checks
    except (IllegalMove, AssertionError):
        return []

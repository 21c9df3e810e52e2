"""Records: written, read, fought again; what changes their meaning is found."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import suppress

import pytest

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.reader_view import SECRET, table_for
from cardbattle.battles.records.record import Record, dumps_record, record_digest
from cardbattle.battles.records.record_reader import KEYS, read_record
from cardbattle.battles.records.replay import ReplayMismatch, check_spelling, refight, verify_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.errors import InvalidInput
from cardbattle.rules import RULE_SETS
from tests.support.tally import tried

DEALT = ("field-of-honour", "warmonger", "warfare-tactics")  # the others deal nothing from a pack
FREE = ("id", "name", "commander")  # what no rule can check: words that people chose
SHORT = {
    "strategy-war": {"house": {"rounds": 3}},
}


def battle(rules: str, seed: int) -> Record:
    """Return the record of a short battle."""
    data = bare_battle(rules, []) | SHORT.get(rules, {}) | {"seed": seed}
    return fight_battle(read_battle(data))[0]


def read(text: str) -> Record:
    """Return the record in a text."""
    return read_record(tomllib.loads(text))


def with_digest(table: dict[str, object]) -> dict[str, object]:
    """Return a record's table with its digest made right."""
    return table | {"digest": record_digest(table)}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_record_reads_back_as_it_was_written(rules: str) -> None:
    record = battle(rules, 7)
    again = read(dumps_record(record))
    assert again.table == record.table
    assert again == record._replace(sides=again.sides, setup=again.setup, table=again.table)
    assert again.setup.deal == record.setup.deal
    assert again.setup.house == record.setup.house


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_record_fights_again_as_it_says(rules: str) -> None:
    for seed in range(5):
        assert verify_record(read(dumps_record(battle(rules, seed)))) == ""


@pytest.mark.parametrize("named", ["", " ", "brainwar", "Wargame", "nothing", 7, True, [], {}, None])
def test_what_names_no_rule_set_by_its_key_is_refused_in_words(named: object) -> None:
    table = battle("strategy-war", 7).table
    changed = {key: value for key, value in table.items() if key != "rules"}
    with pytest.raises(InvalidInput) as caught:
        read_record(changed if named is None else changed | {"rules": named})
    (error,) = caught.value.errors
    assert error.text.startswith(("unknown rule set ", "a record has ", "expected text", "rules is missing"))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_same_seed_gives_the_same_bytes(rules: str) -> None:
    assert dumps_record(battle(rules, 3)) == dumps_record(battle(rules, 3))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_digest_covers_all_but_itself(rules: str) -> None:
    table = battle(rules, 7).table
    assert record_digest(table | {"schema": 1, "events": [], "digest": ""}) == table["digest"]
    assert record_digest(table | {"seed": 8}) != table["digest"]


def tampered_moves(moves: list[str]) -> Iterator[list[str]]:
    """Yield the moves with each dropped, doubled, and swapped with the next."""
    for place in range(len(moves)):
        yield moves[:place] + moves[place + 1 :]
        yield moves[: place + 1] + moves[place:]
        if place + 1 < len(moves) and moves[place] != moves[place + 1]:
            yield [*moves[:place], moves[place + 1], moves[place], *moves[place + 2 :]]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_move_dropped_doubled_or_swapped_is_found(rules: str) -> None:
    table = battle(rules, 11).table
    moves = table["moves"]
    assert isinstance(moves, list)
    variants = list(tampered_moves(moves))
    for changed in variants[:: max(1, len(variants) // 150)]:
        forged = with_digest(table | {"moves": changed})
        with pytest.raises(ReplayMismatch) as caught:
            verify_record(read_record(forged))
        assert caught.value.move > 0 or "digest" not in str(caught.value)
        with pytest.raises(ReplayMismatch):
            verify_record(read_record(table | {"moves": changed}))
        tried("records with a move dropped, doubled or swapped")


NONSENSE = {
    "wargame": ["deploy K 1", "deploy 9", "advance", "march 3", "switch 1 2 3"],
    "field-of-honour": ["place nonsense", "place 3S+4D+5C", "play KH", "play KH conquer", "pass on"],
    "warmonger": ["pray", "play", "order", "order Raid", "turn 7H"],
    "strategy-war": ["commit 99", "commit", "timeout K"],
    "warfare-tactics": ["post", "attack 7H", "attack 7H 8H 9H", "retreat town", "seven KS"],
}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_move_that_is_none_of_the_rule_set_is_found_whatever_its_version(rules: str) -> None:
    """A later version of the rules changes the options, but not their notation."""
    record = battle(rules, 3)
    check_spelling(record)
    keys = record.setup.seats
    fate = ["fate", "fate decides 7H"] if rules != "warmonger" else ["fate under nobody 7H", "fate draw"]
    wrong = [f"{keys[-1]} {words}" for words in NONSENSE[rules]] + [f"{fate[-1]}", fate[0]]
    for place, move in enumerate(wrong):
        forged = record._replace(moves=[*record.moves[:place], move, *record.moves[place:]])
        words = f"move {place + 1}: .* is not a move of {record.rules.name}"
        with pytest.raises(ReplayMismatch, match=words) as caught:
            check_spelling(forged)
        assert caught.value.move == place + 1


def meaning(value: object, seedless: bool) -> object:
    """Return a record's table without what no rule can check."""
    if not isinstance(value, dict):
        return value
    free = (*FREE, "digest", *(["seed"] if seedless else []))
    return {key: meaning(item, seedless) for key, item in value.items() if key not in free}


def accepts(text: bytes) -> dict[str, object] | None:
    """Return the table of a text that `verify` accepts after its digest is corrected, or None."""
    try:
        table = with_digest(tomllib.loads(text.decode()))
        verify_record(read_record(table))
    except (InvalidInput, ReplayMismatch, ValueError):
        return None
    return table


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_flipped_byte_that_changes_the_meaning_is_found(rules: str) -> None:
    """Bytes of a whole record, one bit flipped in each, the digest made right again."""
    record = battle(rules, 13)
    text = dumps_record(record).encode()
    seedless = not record.setup.deal and not any(move.startswith("fate ") for move in record.moves)
    for place in range(0, len(text), max(1, len(text) // 300)):
        changed = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
        table = accepts(changed)
        assert table is None or meaning(table, seedless) == meaning(record.table, seedless), changed
        tried("records with a bit flipped")


def test_a_record_changed_after_writing_names_the_wrong_move() -> None:
    record = battle("strategy-war", 5)
    moves = record.moves.copy()
    moves[2] = "p3 commit 99"
    with pytest.raises(
        ReplayMismatch, match='move 3: p3 cannot commit 99: "99" is not a rank; choose one of'
    ) as caught:
        verify_record(read_record(record.table | {"moves": moves}))
    assert caught.value.move == 3


def test_a_changed_outcome_is_found() -> None:
    table = battle("strategy-war", 5).table
    sides = table["sides"]
    assert isinstance(sides, dict)
    forged = table | {"sides": sides | {"p1": sides["p1"] | {"score": 1000}}}
    with pytest.raises(ReplayMismatch, match="p1's score: the record says 1000"):
        verify_record(read_record(with_digest(forged)))


def test_a_table_battle_needs_no_seed_digest_or_checks() -> None:
    table = {
        k: v for k, v in battle("strategy-war", 5).table.items() if k not in ("seed", "digest", "checks")
    }
    assert verify_record(read_record(table | {"fought": "table"})) == ""
    with pytest.raises(InvalidInput, match="seed is missing"):
        read_record(table)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("format", 2, "this program reads format 1"),
        ("rules", "brainwar", "not its alias"),
        ("rules_version", 2, "version 1 is the only one"),
        ("rules_version", 0, "version 1 is the only one"),
        ("seats", ["p1", "p1"], "different seats"),
        ("winners", ["p9"], "expected different seats"),
        ("reason", "luck", 'reason "luck" is not one of'),
        ("fought", "dreamt", 'expected engine, table or mixed, got "dreamt"'),
        ("checks", ["0:xyz"], "16 hexadecimal digits"),
        ("moves", "p1 commit K", "expected a list of text"),
        (
            "moves",
            ["p1 commit K", "p9 commit K"],
            'expected a move of p1, p2, .* or fate, .*, got "p9 commit',
        ),
        ("moves", ["p1"], 'got "p1"'),
        ("moves", ["fate "], 'got "fate "'),
        ("surprise", 1, 'unknown key "surprise"'),
        ("deal", {"p1": ["K"]}, "deals no cards"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(key: str, value: object, words: str) -> None:
    table = battle("strategy-war", 5).table
    with pytest.raises(InvalidInput, match=words):
        read_record(table | {key: value})


@pytest.mark.parametrize("losses", ["2/4", "0.5", "-1/2", "3/2", "1/0", "", "1/2/3", "١/2", "01/2", 1])
def test_losses_are_exact_fractions_in_lowest_terms(losses: object) -> None:
    table = battle("strategy-war", 5).table
    sides = table["sides"]
    assert isinstance(sides, dict)
    with pytest.raises(InvalidInput, match=r"expected a fraction|expected text"):
        read_record(table | {"sides": sides | {"p1": sides["p1"] | {"losses": losses}}})


def test_every_key_of_a_record_is_weighed_for_what_it_tells_a_side() -> None:
    """A new one is shown to all unless it is made secret, so it has to be thought about here first."""
    for_all = set(KEYS) - set(SECRET)
    assert for_all == {
        *("format", "id", "rules", "rules_version", "seats", "winners", "reason", "fought"),
        *("moves", "house", "sides"),  # cut down to what a side may know
        "files",  # digests of what an owner's box holds, whatever is dealt from it
    }


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_side_is_not_told_what_gives_the_hidden_cards_away(rules: str) -> None:
    record = battle(rules, 5)
    for seat, key in enumerate(record.setup.seats):
        shown = table_for(record, seat)
        assert not {"seed", "deal", "checks", "digest", "id"} & shown.keys()
        moves = shown["moves"]
        assert isinstance(moves, list)
        assert all(move.startswith(f"{key} ") for move in moves)


def at_the_table(record: Record) -> dict[str, object]:
    """Return a record as an umpire types it after a battle at a table: nothing the program made."""
    made_by_program = ("seed", "digest", "checks")
    table = {key: value for key, value in record.table.items() if key not in made_by_program}
    return table | {"fought": "table"}


def played(record: Record) -> set[str]:
    """Return the words of all moves. They include the cards that a player saw."""
    return {word for move in record.moves for part in move.split() for word in part.split("+")}


@pytest.mark.parametrize("seed", range(30))
def test_a_table_battle_knows_only_the_cards_that_were_seen(seed: int) -> None:
    """Hands without the cards that were never shown, and the drawn part of the stack (FH-21)."""
    record = battle("field-of-honour", seed)
    seen = played(record)
    deal = record.table["deal"]
    assert isinstance(deal, dict)
    drawn = sum(2 for move in record.moves if move.endswith(" draw"))
    known = {key: [card for card in deal[key] if card in seen] for key in record.setup.seats}
    typed = at_the_table(record) | {"deal": known | {"stack": deal["stack"][:drawn]}}
    assert verify_record(read_record(typed)) == ""


def test_a_table_battle_whose_move_needs_an_unknown_card_is_refused_by_name() -> None:
    record = battle("field-of-honour", 3)
    deal = record.table["deal"]
    assert isinstance(deal, dict)
    first = record.moves[0].split()[2].split("+")[0]
    side = record.moves[0].split()[0]
    short = deal | {side: [card for card in deal[side] if card != first]}
    with pytest.raises(ReplayMismatch, match=f"move 1: {side} cannot place .*{first}") as caught:
        verify_record(read_record(at_the_table(record) | {"deal": short}))
    assert caught.value.move == 1


@pytest.mark.parametrize("rules", DEALT)
def test_however_few_cards_are_known_a_table_battle_fights_again_or_differs(rules: str) -> None:
    """Even a battle without any known card is fought again, or raises ReplayMismatch."""
    plain = at_the_table(battle(rules, 26))
    deal = plain["deal"]
    assert isinstance(deal, dict)
    for known in range(12):
        fewer = {pile: cards[:known] if isinstance(cards, list) else cards for pile, cards in deal.items()}
        with suppress(ReplayMismatch):  # any other error is the program's own
            refight(read_record(plain | {"deal": fewer}))


def test_a_pass_left_out_before_an_unknown_card_is_turned_up_is_no_way_past_it() -> None:
    """What would have to be known is named, also where the answer before it was not written down."""
    plain = at_the_table(battle("warmonger", 26))
    deal, moves = plain["deal"], plain["moves"]
    assert isinstance(deal, dict) and isinstance(moves, list)
    unknown = {pile: cards[:2] for pile, cards in deal.items() if isinstance(cards, list)}
    written = [move for move in moves if not move.endswith(" pass")]
    with pytest.raises(ReplayMismatch, match="the next card of a deck is not known"):
        refight(read_record(plain | {"deal": unknown, "moves": written}))


@pytest.mark.parametrize("rules", DEALT)
def test_an_engines_record_needs_its_whole_deal(rules: str) -> None:
    record = battle(rules, 3)
    pile = max(record.setup.deal, key=lambda pile: len(record.setup.deal[pile]))
    deal = record.table["deal"]
    assert isinstance(deal, dict)
    with pytest.raises(InvalidInput, match="only a battle fought at a table may leave cards out"):
        read_record(record.table | {"deal": deal | {pile: deal[pile][:-1]}})


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_whole_deal_at_the_table_is_fought_to_the_same_end(rules: str) -> None:
    record = battle(rules, 4)
    assert verify_record(read_record(at_the_table(record))) == ""


@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_the_lot_decided_is_in_every_record(rules: str) -> None:
    """A person who types in a record can leave out defaults, but not the dealer or the first side."""
    record = battle(rules, 4)
    house = record.table["house"]
    assert isinstance(house, dict)
    for word in house:
        short = {key: value for key, value in house.items() if key != word}
        with pytest.raises(InvalidInput, match=f"house.{word} is missing"):
            read_record(with_digest(record.table | {"house": short}))
        option = record.rules.house[word]
        typed = at_the_table(record) | {"house": short}
        if option.default is None:
            with pytest.raises(InvalidInput, match=f"house.{word} is missing"):
                read_record(typed)
        elif option.write(option.default) == house[word]:
            assert verify_record(read_record(typed)) == ""


def test_an_option_that_is_the_houses_own_is_left_out() -> None:
    """Chips that all sides have do not belong to one side (WG-37)."""
    plan = read_battle(
        {
            "rules": "wargame",
            "seed": 1,
            "house": {"chips": 4},
            "sides": {"a": {"chips": 4}, "b": {"chips": 5}},
        }
    )
    sides = fight_battle(plan)[0].table["sides"]
    assert isinstance(sides, dict)
    assert "chips" not in sides["a"]
    assert sides["b"]["chips"] == 5


def test_a_record_that_leaves_out_a_pile_without_cards_is_told_so() -> None:
    record = battle("warmonger", 3)
    deal = record.table["deal"]
    assert isinstance(deal, dict) and deal["aside"] == []
    with pytest.raises(InvalidInput, match=r"the pile is missing; it has no cards, so write \[\]"):
        read_record(record.table | {"deal": {pile: deal[pile] for pile in deal if pile != "aside"}})

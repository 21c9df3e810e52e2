"""The session behind every face: the same answers make the same record, and nothing leaks or gets lost."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from cardbattle.battles import session as session_module
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.record import Record
from cardbattle.battles.resolve import begin_session, fight_battle
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import is_session, read_session, session_text
from cardbattle.core.chance import stream
from cardbattle.core.errors import CardbattleError, IllegalMove, InvalidInput, UsageError
from cardbattle.rules import RULE_SETS

SHORT = {"warfare-tactics": {"turn_limit": 10}, "warmonger": {"armistice": 30}}  # battles that end soon


def table_for(key: str, seed: int, persons: int = 1, **more: object) -> dict[str, object]:
    """Return a battle of a rule set in which persons have the first seats."""
    table = bare_battle(key, []) | {"seed": seed, "house": SHORT.get(key, {})} | more
    sides = table["sides"]
    assert isinstance(sides, dict)
    for seat, side in enumerate(sides):
        sides[side] = {"commander": "human" if seat < persons else "regular"}
    return table


def begun(key: str, seed: int, persons: int = 1) -> Session:
    """Return a battle begun."""
    return begin_session(read_battle(table_for(key, seed, persons)))


def play_out(session: Session, chance: random.Random, most: int = 10**6) -> list[tuple[int, str]]:
    """Answer at random until the battle is over, or so often; return who answered what."""
    given: list[tuple[int, str]] = []
    while not session.is_over and len(given) < most:
        seat = chance.choice(session.seats_to_answer)
        text = chance.choice(session.decision(seat).texts)
        session.answer(seat, text)
        given.append((seat, text))
    return given


def without_commanders(record: Record) -> dict[str, object]:
    """Return a record's table without who commanded, and the digest over it."""
    table = {word: value for word, value in record.table.items() if word != "digest"}
    sides = record.table["sides"]
    assert isinstance(sides, dict)
    table["sides"] = {key: {**side, "commander": ""} for key, side in sides.items()}
    return table


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_battle_that_stops_at_every_answer_goes_on_as_if_it_never_had(key: str) -> None:
    whole, broken = begun(key, 4, 2), begun(key, 4, 2)
    given = play_out(whole, random.Random(key), 40)
    for seat, text in given:
        written = session_text(broken)
        assert is_session(tomllib.loads(written))
        broken = read_session(tomllib.loads(written))
        assert session_text(broken) == written
        broken.answer(seat, text)
    assert session_text(broken) == session_text(whole)
    assert len(given) >= 11


def test_a_battle_of_orders_and_thinkers_goes_on_from_its_file() -> None:
    table = table_for("strategy-war", 5)
    sides = table["sides"]
    assert isinstance(sides, dict)
    sides["p2"] = {"commander": "orders", "orders": ["commit A", "commit 2", "commit K"], "then": "green"}
    sides["p3"] = {"commander": "veteran:iterations=5"}
    whole, broken = begin_session(read_battle(table)), begin_session(read_battle(table))
    for seat, text in play_out(whole, random.Random(5)):
        broken = read_session(tomllib.loads(session_text(broken)))
        broken.answer(seat, text)
    assert broken.record().table == whole.record().table


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"brown deploy', '"green deploy', "moves"),
        ('"0:', '"0:0', "expected a number of moves and 16"),
        ('"20:', '"19:', "checks: the checks come after"),
        ("streams", "strems", "strems"),
        ("asked = [", 'asked = [ "green",', "not the sides that are asked now"),
        ("brown = [", "brown = [-7,", "waiting.streams.brown: expected the four numbers"),
        ("seed = 1\n", "seed = 2\n", "changed since the program wrote it"),
        ("[waiting.sealed]", "[waiting.sealed]\nred = ['traitor 7']", "unknown side"),
    ],
)
def test_a_changed_file_of_a_battle_in_progress_is_refused(old: str, new: str, told: str) -> None:
    session = begun("wargame", 1)
    play_out(session, random.Random(1), 18)
    written = session_text(session)
    assert old in written
    with pytest.raises(InvalidInput, match=told):
        read_session(tomllib.loads(written.replace(old, new, 1)))


@pytest.mark.parametrize("key", RULE_SETS)
def test_an_answer_changed_in_the_file_is_noticed(key: str) -> None:
    """Each that was given, whatever else was offered then, as far as it could be another's at all."""
    session, chance = begun(key, 3), random.Random(key)
    play_out(session, chance, 4)
    data = tomllib.loads(session_text(session))
    read_session(data)
    moves, changed = data["moves"], 0
    for place, move in enumerate(moves):
        referee = session.beginning.referee()
        for one in moves[:place]:
            if len(referee.moves) < place and one == moves[len(referee.moves)]:
                referee.choose(referee.find(one.partition(" ")[2]))
        texts = referee.texts() if len(referee.moves) == place else []
        for text in chance.sample(texts, min(len(texts), 3)):
            if f"{referee.key} {text}" != move:
                changed += 1
                other = [*moves[:place], f"{referee.key} {text}", *moves[place + 1 :]]
                with pytest.raises((InvalidInput, IllegalMove)):
                    read_session({**data, "moves": other})
    assert changed or not moves


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_undo_never_crosses_a_reveal(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be taken back goes on alike in any battle that the side may think it is in."""
    monkeypatch.setattr(session_module, "WORLDS", 40)
    undone = 0
    for seed in range(3):
        session, chance = begun(key, seed, 2), random.Random(seed)
        for _ in range(25):
            if session.is_over:
                break
            seat, text = play_out(session, chance, 1)[0]
            if session.is_over or not session.can_undo(seat) or session.sealed.get(seat):
                continue
            undone += 1
            events = session.events(seat)
            after = session_text(session)
            assert session.undo(seat) == text
            worlds = random.Random(seed)
            for _ in range(5):
                battle = session.position(seat).redeal(seat, stream(worlds.getrandbits(32), "redeal"))
                assert session.events_after(battle, seat, text) == session.events_after(
                    session.position(seat), seat, text
                )
            assert len(session.events(seat)) <= len(events)
            session.answer(seat, text)
            assert session_text(session) == after
    assert undone or key in ("strategy-war", "field-of-honour", "warmonger")


@pytest.mark.parametrize("key", RULE_SETS)
def test_a_reveal_cannot_be_taken_back(key: str) -> None:
    """Once another side has answered or chance was drawn, nothing is taken back and nothing changes."""
    session, chance = begun(key, 7), random.Random(7)
    crossed = 0
    while not session.is_over:
        seat, _ = play_out(session, chance, 1)[0]
        if (
            session.seats_to_answer
            and not session.sealed
            and not session.referee.moves[-1].startswith(session.keys[seat])
        ):
            before = session_text(session)
            with pytest.raises(InvalidInput, match="take back"):
                session.undo(seat)
            assert session_text(session) == before
            crossed += 1
    assert crossed > 1


def test_a_card_turned_up_or_drawn_stays_so() -> None:
    """The same side is asked on, and yet it has learned something."""
    for key, words in (("warmonger", "turn"), ("warfare-tactics", "bonus")):
        for seed in range(40):
            session, chance = begun(key, seed, 2), random.Random(seed)
            while not session.is_over:
                seat = session.seats_to_answer[0]
                texts = session.decision(seat).texts
                if words in texts:
                    session.answer(seat, words)
                    break
                session.answer(seat, chance.choice(texts))
            if session.seats_to_answer == [seat]:
                assert not session.can_undo(seat)
                break
        else:
            pytest.fail(f"nobody did {words}")


@pytest.mark.parametrize("key", ["field-of-honour", "strategy-war", "wargame"])
def test_a_sealed_answer_shows_nobody_anything(key: str) -> None:
    """Views, events and moves do not change until all sides have chosen."""
    session, chance = begun(key, 2, 2), random.Random(2)
    while not session.is_sealed(session.referee.battle):
        play_out(session, chance, 1)
    assert session.seats_to_answer == [0, 1]
    for first, other in ((0, 1), (1, 0)):
        session = read_session(tomllib.loads(session_text(session)))
        seen = shown(session, other)
        while first in session.seats_to_answer:
            session.answer(first, session.decision(first).texts[-1])
            assert shown(session, other) == seen
        while session.can_undo(first):
            session.undo(first)
            assert shown(session, other) == seen
        assert session.seats_to_answer == [0, 1]


def shown(session: Session, seat: int) -> object:
    """Return all that a face could show a seat."""
    decision = session.decision(seat)
    events = [repr(session.rules.as_json(event, session.keys)) for event in session.events(seat)]
    return decision.texts, decision.unoffered, events, list(session.referee.moves)


@pytest.mark.parametrize("key", RULE_SETS)
def test_an_answer_that_cannot_be_taken_changes_nothing(key: str) -> None:
    session = begun(key, 1, 2)
    before = session_text(session)
    with pytest.raises(IllegalMove, match="choose one of"):
        session.answer(session.seats_to_answer[0], "surrender everything")
    other = next((seat for seat in range(len(session.keys)) if seat not in session.seats_to_answer), None)
    if other is not None:
        with pytest.raises(InvalidInput, match="has no question to answer now"):
            session.answer(other, "pass")
    assert session_text(session) == before


def test_a_card_typed_in_elsewhere_cannot_be_picked() -> None:
    table = table_for("field-of-honour", 1, 1, deal={"south": ["KS"]})
    sides = table["sides"]
    assert isinstance(sides, dict)
    sides["north"]["pick"] = 2
    session = begin_session(read_battle(table))
    for _ in range(2):
        with pytest.raises(IllegalMove, match="KS is dealt to south"):
            session.answer(0, "pick KS")
        session = read_session(tomllib.loads(session_text(session)))
    session.answer(0, "pick KH")
    play_out(session, random.Random(1))
    assert session.record().fought == "mixed"


def test_a_battle_that_a_person_commands_is_not_fought_without_them() -> None:
    with pytest.raises(
        InvalidInput, match=r"sides\.brown\.commander: a person commands brown; .*cardbattle play"
    ):
        fight_battle(read_battle(table_for("wargame", 1)))


@pytest.mark.parametrize("key", RULE_SETS)
def test_only_a_finished_battle_has_a_record(key: str, tmp_path: Path) -> None:
    """Whatever was answered before; and no file is written."""
    session = begun(key, 5, 2)
    for _ in range(10):
        with pytest.raises(InvalidInput, match="the battle is not over; only a finished battle has a record"):
            session.record().save(tmp_path / "record.toml")
        play_out(session, random.Random(5), 1)
        if session.is_over:
            break
    play_out(session, random.Random(5))
    session.record().save(tmp_path / "record.toml")
    assert [file.name for file in tmp_path.iterdir()] == ["record.toml"]


Call = Callable[[Session, int | str], object]
CALLS: dict[str, Call] = {
    "decision": lambda session, side: session.decision(side).texts,
    "events": lambda session, side: [repr(event) for event in session.events(side)],
    "report": lambda session, side: session.report(side).viewer,
    "place": lambda session, side: session.place(side),
    "open_place": lambda session, side: session.open_place(side),
    "moves_of": lambda session, side: session.moves_of(side),
    "position": lambda session, side: session.position(side).state(),
    "position_of": lambda session, side: session.position_of(side).state(),
    "is_open": lambda session, side: session.is_open(side),
    "can_undo": lambda session, side: session.can_undo(side),
    "answer": lambda session, side: session.answer(side, session.decision(side).texts[0]),
    "undo": lambda session, side: session.undo(side),
    "substitute": lambda session, side: session.substitute(side, "green"),
    "command": lambda session, side: session.command(side, session.plan.sides[0]),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_session_takes_a_side_by_its_key_as_by_its_seat(call: Call) -> None:
    by_seat, by_key = begun("strategy-war", 3, 2), begun("strategy-war", 3, 2)
    for session in (by_seat, by_key):
        session.answer(0, "commit 4")
    for seat in (1, 0):
        given = outcome_of(call, by_seat, seat)
        assert outcome_of(call, by_key, by_key.keys[seat]) == given
        assert session_text(by_seat) == session_text(by_key)


def outcome_of(call: Call, session: Session, side: int | str) -> object:
    """Return what a call returns, or how it is refused."""
    try:
        return call(session, side)
    except CardbattleError as error:
        return repr(error)


@pytest.mark.parametrize("side", ["lancaste", "", "0", -1, 9, 10**30, True, 0.0, b"p1", (), [0]], ids=repr)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_side_that_there_is_not_is_a_usage_error(call: Call, side: int | str) -> None:
    session = begun("strategy-war", 3, 2)
    before = session_text(session)
    with pytest.raises(
        UsageError, match=r'^(side: expected p1, p2, .* got|unknown side ".*"; write one of p1, p2)'
    ):
        call(session, side)
    assert session_text(session) == before


@pytest.mark.parametrize("count", [None, "2", 1.5, 1e9, [2]], ids=repr)
def test_a_count_of_events_that_is_no_whole_number_is_a_usage_error(count: int) -> None:
    session = begun("strategy-war", 3, 2)
    with pytest.raises(UsageError, match="count: expected a whole number of events, got "):
        session.events_since(count, "p1")


@pytest.mark.parametrize(
    "words", [None, 0, 1.5, b"commit 4", ["commit 4"], "", "commit 99", "none"], ids=repr
)
def test_an_answer_that_is_no_option_is_refused_whatever_its_type(words: str) -> None:
    session = begun("strategy-war", 3, 2)
    before = session_text(session)
    with pytest.raises(CardbattleError, match=r"expected the words of an option|p1 cannot"):
        session.answer("p1", words)
    with pytest.raises(CardbattleError):
        session.substitute("p1", words)
    assert session_text(session) == before

"""Conditions: what they say, what they refuse, and how a rename finds its way into them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.state.tables.conditions import parse_condition, rename_in_condition
from tests.support.characters import UNICODE

VALUES: dict[str, str | int] = {
    "turn": 4,
    "weather": "rain",
    "percy.strength": 14,
    "shrewsbury.owner": "york",
    "percy.destroyed": False,
}


def holds(text: str) -> bool:
    return parse_condition(text).holds(lambda path: VALUES[path])


@pytest.mark.parametrize(
    "text",
    [
        "turn == 4",
        "turn >= 4 and percy.strength > 13",
        "weather != 'fair' or turn < 0",
        'shrewsbury.owner == "york"',
        "not percy.destroyed",
        "not (turn == 3 or weather == 'fair')",
        "turn == 1 and turn == 2 or turn == 4",  # and binds more than or
        "percy.strength",
        "-1 < turn",
    ],
)
def test_a_condition_holds(text: str) -> None:
    assert holds(text)
    assert not holds(f"not ({text})")


@pytest.mark.parametrize("text", ["weather < 5", "5 > weather", "turn == 'rain'", "percy.destroyed"])
def test_values_of_other_kinds_are_never_equal_and_have_no_order(text: str) -> None:
    assert not holds(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "ends too soon"),
        ("turn = 4", "write =="),
        ("turn == ", "ends too soon"),
        ("(turn == 4", "not closed"),
        ("turn == 4 5", "5 is not expected"),
        ("and turn", '"and" is not expected'),
        ("turn + 1 == 4", "not allowed in a condition"),
        ("not " * 40 + "turn", "too many levels"),
        ("turn" * 200, "at most 500"),
    ],
)
def test_what_is_no_condition_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_condition(text)


@given(st.text(UNICODE, max_size=60))
def test_any_text_is_a_condition_or_refused_with_a_reason(text: str) -> None:
    try:
        condition = parse_condition(text)
    except ValueError as error:
        message = str(error)
    else:
        message = str(condition.holds(lambda path: 0))
    assert message in ("True", "False") or "; " in message


@pytest.mark.parametrize(
    ("table", "before", "after"),
    [
        ("forces", "forces.a.strength < 3 and a.destroyed", "forces.b.strength < 3 and b.destroyed"),
        ("locations", "a.owner == 'a'", "b.owner == 'a'"),
        ("factions", "a.owner == 'a'", "a.owner == 'b'"),
        (
            "locations",
            "x.location == 'a' and factions.a.points > 1",
            "x.location == 'b' and factions.a.points > 1",
        ),
        ("forces", "weather == 'a'", "weather == 'a'"),
    ],
)
def test_a_rename_reaches_what_is_meant_and_nothing_else(table: str, before: str, after: str) -> None:
    assert rename_in_condition(before, table, "a", "b") == after

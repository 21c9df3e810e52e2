"""What a battle costs and brings: points, strength, places; and what strength is worth in battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from cardbattle.battles import strength
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.campaign.state.apply import Result, SideResult, apply, half_up, result_of_table
from cardbattle.campaign.state.battle_setup import (
    battle_table,
    binding_of,
    differences,
    explain,
    no_effect,
    side_advantages,
)
from cardbattle.campaign.state.changes import UNLIMITED, Change, Key, apply_changes
from cardbattle.campaign.state.fields import plain
from cardbattle.campaign.state.model import Campaign, read_campaign
from cardbattle.core.chance import child_seed
from cardbattle.core.errors import InvalidInput
from cardbattle.rules import find
from tests.support import marches
from tests.support.marches import result


def campaign(*swaps: tuple[str, str], add: str = "") -> Campaign:
    """Return the small campaign with some of its text replaced."""
    text = marches.MARCHES
    for old, new in swaps:
        assert old in text
        text = text.replace(old, new)
    return marches.books(text + add).campaign


def outcome(where: Campaign, battle: str, of: Result) -> dict[str, object]:
    """Return what a result changes, by key; the battle itself left out."""
    changes = apply(where, battle, of)
    assert changes[-1].key == ("pending", battle)
    assert changes[-1].after is None
    return {".".join(change.key): (change.before, change.after) for change in changes[:-1]}


def test_the_winner_earns_and_both_bleed() -> None:
    assert outcome(campaign(), "bridge", result("percy", percy="2/5", stafford="1")) == {
        "factions.york.points": (12, 14),
        "forces.percy.strength": (14, 13),  # 14 x 2/5 x 1/4 = 1.4
        "forces.stafford.strength": (8, 4),  # 8 x 1 x 1/2
    }


def test_what_was_at_stake_changes_hands() -> None:
    told = outcome(campaign(), "bridge", result("stafford", percy="1", stafford="0"))
    assert told == {
        "factions.lancaster.points": (9, 11),
        "forces.percy.strength": (14, 7),
        "locations.shrewsbury.owner": ("york", "lancaster"),
    }


def test_a_draw_earns_its_points_and_takes_nothing() -> None:
    assert outcome(campaign(), "bridge", result(percy="1/7", stafford="0")) == {
        "factions.york.points": (12, 13),
        "factions.lancaster.points": (9, 10),
        "forces.percy.strength": (14, 13),
    }


def test_a_shared_victory_counts_as_a_draw() -> None:
    told = outcome(campaign(), "bridge", result("percy", "stafford", percy="1/8", stafford="0"))
    assert (told["factions.york.points"], told["factions.lancaster.points"]) == ((12, 13), (9, 10))
    assert "forces.percy.strength" not in told  # 14 x 1/8 x 1/4 is not half a man
    assert "locations.shrewsbury.owner" not in told


def test_loss_and_score_count_where_the_umpire_says_so() -> None:
    where = campaign(("draw = 1\nper_score = 0", "draw = 1\nloss = -1\nper_score = 2"))
    told = outcome(where, "bridge", result("percy", percy="0", stafford="0"))
    assert told == {"factions.york.points": (12, 12 + 2 + 6), "factions.lancaster.points": (9, 9 - 1 + 6)}


def test_forces_of_one_side_share_its_fate() -> None:
    told = outcome(campaign(), "wood", result("stafford", percy="1/2", stafford="0"))
    assert told == {
        "factions.lancaster.points": (9, 11),
        "forces.percy.strength": (14, 10),  # 3.5, a half goes up
        "forces.mortimer.strength": (3, 2),  # 0.75
    }


def test_a_side_of_two_factions_earns_for_both_and_takes_for_the_first() -> None:
    where = campaign(
        ('[forces.mortimer]\nfaction = "york"', '[forces.mortimer]\nfaction = "lancaster"'),
        ('note = "a hollow way"', 'stakes = "shrewsbury"'),
        ('owner = "york"', ""),
    )
    told = outcome(where, "wood", result("percy", percy="0", stafford="0"))
    assert told == {
        "factions.york.points": (12, 14),
        "factions.lancaster.points": (9, 11),
        "locations.shrewsbury.owner": (None, "york"),
    }


def test_who_is_left_with_too_little_is_destroyed() -> None:
    told = outcome(campaign(), "wood", result("stafford", percy="1", stafford="0"))
    assert told["forces.mortimer.strength"] == (3, 1)  # 1.5 goes up to 2
    assert told["forces.mortimer.destroyed"] == (None, True)
    assert "forces.percy.destroyed" not in told


def test_without_attrition_and_scoring_only_the_battle_goes() -> None:
    text = marches.MARCHES
    begin, end = text.index("[scoring]"), text.index("[advantage")
    bare = marches.books(text[:begin] + text[end:]).campaign
    assert outcome(bare, "bridge", result("percy", percy="1", stafford="1")) == {}


def test_winners_lose_at_the_common_rate_if_no_other_is_given() -> None:
    where = campaign(('winner_rate = "1/4"\n', ""))
    told = outcome(where, "bridge", result("percy", percy="1", stafford="0"))
    assert told["forces.percy.strength"] == (14, 7)


NONE = {"percy": "0", "stafford": "0"}


@pytest.mark.parametrize(
    ("battle", "of", "words"),
    [
        ("brigde", result("percy", **NONE), 'no battle "brigde" is pending; did you mean "bridge"'),
        ("x", result("percy", **NONE), 'no battle "x" is pending; pending: bridge, wood'),
        (
            "bridge",
            result("percy", percy="0", york="0"),
            "by percy and stafford, the result has percy and york",
        ),
        ("bridge", result("percy", percy="0"), "is fought by percy and stafford, the result has percy"),
        ("bridge", result("york", **NONE), 'winner "york" is not a side of battle bridge'),
        ("bridge", result("percy", "percy", **NONE), "or is named twice"),
    ],
)
def test_a_result_of_another_battle_is_refused(battle: str, of: Result, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        apply(campaign(), battle, of)


@pytest.mark.parametrize(
    ("exact", "rounded"),
    [("0", 0), ("1/2", 1), ("49/100", 0), ("3/2", 2), ("5/2", 3), ("7/3", 2), ("8/3", 3), ("1/1000000", 0)],
)
def test_halves_go_up(exact: str, rounded: int) -> None:
    assert half_up(Fraction(exact)) == rounded


SHARES = st.fractions(0, 1, max_denominator=60)


@pytest.mark.slow
@given(SHARES, SHARES, st.sampled_from([["percy"], ["stafford"], [], ["percy", "stafford"]]))
def test_a_campaign_stays_sound_whatever_the_result(
    percy: Fraction, stafford: Fraction, winners: list[str]
) -> None:
    where = campaign()
    of = Result(winners, {"percy": SideResult(5, percy), "stafford": SideResult(0, stafford)})
    after = read_campaign(apply_changes(where.data, apply(where, "bridge", of)))
    assert after.battle("bridge") is None
    for key in ("percy", "stafford"):
        assert 0 <= after.forces[key].strength <= where.forces[key].strength
    total = sum(faction.points for faction in after.factions.values())
    assert total - 21 == 2


def test_a_result_is_read_from_a_records_table() -> None:
    books = marches.books()
    fought = marches.fought(books, "bridge")
    assert result_of_table({**fought.result.table(), "reason": "x"}) == fought.result
    assert fought.bound == binding_of(books.campaign, books.campaign.pending[0])


def given_to(where: Campaign, battle: int) -> dict[str, object]:
    """Return what each side gets for its strength."""
    return {
        edge.side: [(gift.before, gift.after) for gift in edge.gifts]
        for edge in side_advantages(where, where.pending[battle])
        if edge.gifts
    }


FIELD = (
    ('rules = "strategy-war"', 'rules = "field-of-honour"'),
    ("[advantage.strategy-war]", "[advantage.field-of-honour]"),
    ('give = { cards = ["K"] }', "give = { hand = 1 }"),
    ('[pending.options.stafford]\ncards = ["A", "A"]', ""),
)


@pytest.mark.parametrize(
    ("strength", "hand"),
    [(8, None), (9, None), (10, 11), (11, 11), (12, 12), (13, 12), (14, 13), (16, 13), (100, 13)],
)
def test_every_full_quarter_gives_a_card_up_to_three(strength: int, hand: int | None) -> None:
    where = campaign(*FIELD, ("strength = 14 ", f"strength = {strength} "))
    assert given_to(where, 0) == ({"percy": [(10, hand)]} if hand else {})


def test_the_weaker_side_gets_nothing_though_it_stands_first() -> None:
    where = campaign(*FIELD, ("strength = 14 ", "strength = 4 "))
    assert given_to(where, 0) == {"stafford": [(10, 13)]}


def test_an_advantage_comes_on_top_of_what_the_umpire_gave() -> None:
    where = campaign(*FIELD, ('stakes = "shrewsbury"\n', 'stakes = "shrewsbury"\noptions.percy.hand = 6\n'))
    assert given_to(where, 0) == {"percy": [(6, 9)]}
    assert battle_table(where, where.pending[0])["sides"] == {
        "percy": {"name": "Harry Percy", "commander": "regular", "hand": 9},
        "stafford": {"name": "Stafford", "commander": "green"},
    }


def test_cards_are_appended_to_the_default_or_to_what_the_umpire_gave() -> None:
    assert given_to(campaign(), 0)["percy"] == [
        (
            ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"],
            ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "K", "K", "K"],
        )
    ]
    strong = campaign(("strength = 8\n", "strength = 34\n"))
    assert given_to(strong, 1) == {"stafford": [(["A", "A"], ["A", "A", "K", "K", "K"])]}


def test_an_option_that_a_house_rule_settles_is_raised_from_there() -> None:
    where = campaign(
        ('rules = "strategy-war"', 'rules = "wargame"'),
        ("[advantage.strategy-war]", "[advantage.wargame]"),
        ('give = { cards = ["K"] }', "give = { chips = 1 }"),
        ('[pending.options.stafford]\ncards = ["A", "A"]', "[pending.house]\nchips = 4"),
    )
    assert given_to(where, 1) == {"percy": [(4, 7)]}


def test_several_sides_compare_with_the_weakest() -> None:
    where = campaign(
        ('sides = [["percy", "mortimer"], ["stafford"]]', 'sides = ["percy", "mortimer", "stafford"]'),
        ("most = 3", "most = 100"),
    )
    counts = {
        edge.side: (edge.strength, edge.weakest, len(edge.gifts))
        for edge in side_advantages(where, where.pending[1])
    }
    assert counts == {
        "percy": (14, 3, 1), "mortimer": (3, 3, 0), "stafford": (8, 3, 1)
    }  # fmt: skip
    edges = side_advantages(where, where.pending[1])
    cards = {edge.side: len(edge.gifts[0].after) for edge in edges if edge.gifts}  # type: ignore[arg-type]
    assert cards == {"percy": 26, "stafford": 8}  # 13 + 14 is more than a hand holds; 2 + 6


def test_against_nobody_at_all_the_advantage_is_the_most() -> None:
    where = campaign(*FIELD, ("strength = 8\n", "strength = 0\n"))
    assert given_to(where, 0) == {"percy": [(10, 13)]}
    both = campaign(*FIELD, ("strength = 8\n", "strength = 0\n"), ("strength = 14 ", "strength = 0 "))
    assert given_to(both, 0) == {}


def test_the_advantage_is_told_in_a_sentence() -> None:
    where = campaign(*FIELD)
    assert explain(where, where.pending[0]) == ["Harry Percy: strength 14 against 8, so hand 10 -> 13"]
    assert explain(campaign(), campaign().pending[0]) == [
        "Harry Percy: strength 14 against 8, so cards + K K K"
    ]


def test_a_battle_file_is_bound_and_seeded() -> None:
    where = campaign()
    table = battle_table(where, where.pending[1])
    assert list(table) == ["format", "id", "rules", "seed", "sides", "bound"]
    assert table["seed"] == child_seed(1403, "battle/wood")
    assert table["bound"] == {
        "campaign": "The Marches",
        "battle": "wood",
        "forces": {
            "percy": {"strength": 14, "digest": "f19ea976d3a5804c"},
            "mortimer": {"strength": 3, "digest": "61f397d5c1587533"},
            "stafford": {"strength": 8, "digest": "7a0f05a84c465c5a"},
        },
    }
    plan = read_battle(table)
    assert plan.setup.seats == ["percy", "stafford"]
    assert plan.sides[0].name == "Harry Percy and Mortimer"


def test_house_rules_reach_the_battle_file() -> None:
    where = campaign(('x_map = "4b"\n', 'x_map = "4b"\nhouse = { rounds = 5, mode = "dark" }\n'))
    assert read_battle(battle_table(where, where.pending[1])).setup.house["rounds"] == 5


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("strength = 14 ", "strength = 12 ", ["Harry Percy had strength 14 then, and has 12 now"]),
        ('commander = "green"', "", ["Stafford has another faction or commander now, or is destroyed"]),
        ('name = "The Marches"', 'name = "Wales"', ["it belongs to the campaign The Marches, this is Wales"]),
        ('name = "Harry Percy"', 'name = "Hotspur"', []),
        ('location = "shrewsbury"\n', "", []),
        ('["percy", "stafford"]', '["percy", "mortimer"]', [
            "Mortimer fights now, and did not then", "Stafford fought then, and does not now",
        ]),
    ],
)  # fmt: skip
def test_what_has_changed_since_is_named(old: str, new: str, words: list[str]) -> None:
    then = binding_of(campaign(), campaign().pending[0])
    now = campaign((old, new))
    assert [one.words for one in differences(now, now.pending[0], then)] == words


NOTHING_SET = (("[advantage.strategy-war]", "[advantage.wargame]"), ('{ cards = ["K"] }', "{ chips = 1 }"))
NO_MORE = ('stakes = "shrewsbury"\n', 'stakes = "shrewsbury"\noptions.percy.hand = 49\n')


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ((), ""),
        (NOTHING_SET, "strength has no effect, because [advantage.strategy-war] is missing"),
        (
            (('per = "1/4"', 'per = "4/5"'),),
            "strength has no effect: 14 against 8 is less than one step of "
            "[advantage.strategy-war], per = 4/5",
        ),
        (
            (*FIELD, NO_MORE),
            "strength has no effect: the options in [advantage.field-of-honour] are at their limits",
        ),
        ((*NOTHING_SET, ("strength = 14 ", "strength = 8 ")), ""),
    ],
)
def test_it_is_said_why_strength_has_no_effect(edits: Sequence[tuple[str, str]], words: str) -> None:
    """With the reason that holds good: nothing set, less than a step, or nothing more to be had."""
    where = campaign(*edits)
    assert no_effect(where, where.pending[0]) == words
    assert bool(explain(where, where.pending[0])) == (edits == ())


def test_a_change_is_told_in_a_line() -> None:
    assert str(Change(("forces", "percy", "strength"), 14, 12)) == "forces.percy.strength: 14 -> 12"
    assert str(Change(("factions", "york", "points"), None, 3)) == "factions.york.points: 0 -> 3"
    assert str(Change(("calendar", "days"), None, 9)) == "calendar.days: 9 (not set before)"
    assert str(Change(("x", "hour"), 3, None)) == "x.hour: no longer set (was 3)"
    assert str(Change(("pending", "wood"), {}, None)) == "wood is no longer pending"


def numbers_in(kind: object, at: Key = ()) -> Iterator[tuple[Key, object]]:
    """Yield the key and the default of each whole number in the tables of a campaign file, without lists."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, field in kind.model_fields.items():
            inside, word = plain(field.annotation), field.alias or name
            if inside is int:
                yield (*at, word), field.default
            elif get_origin(inside) is not list:
                yield from numbers_in(inside, (*at, word))
    elif get_args(kind) and isinstance(get_args(kind)[-1], type):
        yield from numbers_in(get_args(kind)[-1], (*at, "a"))


def test_a_missing_number_counts_as_0_only_if_that_is_its_default() -> None:
    """The strength of a new force was 0, although it has no default."""
    numbers = dict(numbers_in(Campaign)) | {("forces", "a", "strength"): 0}
    assert len(numbers) > 25
    for key, default in numbers.items():
        if default != 0 and key not in UNLIMITED:
            assert str(Change(key, None, 5)).endswith(": 5 (not set before)")


def test_a_robot_gets_no_warmonger_cards_for_its_strength() -> None:
    """A gift that a side cannot have is passed over, so that the battle can be fought (WM-50)."""
    rules = find("warmonger")
    sides = {"a": {"robot": "bulwark"}, "b": {}, "c": {}}
    found = strength.advantages_of(rules, rules.advantage, {"a": 40, "b": 20, "c": 10}, {"sides": sides})
    assert [bool(edge.gifts) for edge in found] == [False, True, False]

"""Combat results tables: true chances, dice as near to them as dice can be, strength as in a campaign."""

from __future__ import annotations

import csv
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.strength import advantages_of, count_steps, with_gifts
from cardbattle.cli.app import run
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import UsageError
from cardbattle.core.ruleset import Advantage
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.pages.balance import codes_in_use, table_json, table_page
from cardbattle.show.writers.formats import render
from cardbattle.simulation import results_table as tables
from cardbattle.simulation.counting import Ending
from cardbattle.simulation.results_table import (
    CODES,
    DICE,
    Code,
    ResultsTable,
    advantage_for,
    code_of,
    dice_for,
    read_ratios,
    results,
)
from cardbattle.simulation.strength_shares import measure_ratio
from cardbattle.simulation.workers import Serial

FIELD = find("field-of-honour")
WEIGHTS = st.lists(st.integers(0, 50), min_size=1, max_size=8).filter(any)


def made(ratios: str = "1:2,1:1,2:1", dice: str = "2d6", battles: int = 300) -> ResultsTable:
    """Return a small table of Field of Honour."""
    battle = bare_battle("field-of-honour", []) | {"seed": 3}
    terms = advantage_for(FIELD, "")
    return tables.count_table(
        FIELD, battle, tables.TableRequest(terms, read_ratios(ratios), dice, battles), (Serial(), 1)
    )


@pytest.fixture(scope="module")
def small() -> ResultsTable:
    """Give a small table."""
    return made()


# Strength


def test_every_rule_set_ships_an_advantage_that_its_battles_can_use() -> None:
    """At three times the strength, a side gets an advantage, and the battle is still valid."""
    for key in RULE_SETS:
        rules = find(key)
        sides = [*rules.default_sides, "b"][:2]
        battle = bare_battle(key, sides) | {"seed": 1}
        found = advantages_of(rules, rules.advantage, dict(zip(sides, (3, 1), strict=True)), battle)
        assert [len(edge.gifts) for edge in found] == [1, 0]
        (gift,) = found[0].gifts
        assert gift.before != gift.after
        plan = read_battle(with_gifts(battle, found), "")
        assert plan.setup.sides[0] != plan.setup.sides[1]


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param("wargame", marks=pytest.mark.slow),
        pytest.param("field-of-honour", marks=pytest.mark.slow),
        pytest.param("strategy-war", marks=pytest.mark.slow),
        pytest.param("warmonger", marks=pytest.mark.heavy),
        pytest.param("warfare-tactics", marks=pytest.mark.heavy),
    ],
)
def test_strength_is_worth_about_as_much_in_every_rule_set(rules: str) -> None:
    """Few battles, so the bands are wide: research.strength fights ten thousand for each."""
    shares = [
        measure_ratio(find(rules), (strong, weak), 160, 11, (Serial(), 1)).seats[0]
        for strong, weak in ((1, 1), (3, 2), (2, 1), (3, 1))
    ]
    assert shares == sorted(shares)
    assert 0.38 < shares[0] < 0.62
    assert 0.55 < shares[1] < 0.82
    assert 0.7 < shares[2] < 0.94
    assert shares[3] > 0.82


@pytest.mark.parametrize(
    ("strength", "weakest", "steps"),
    [(4, 4, 0), (4, 5, 0), (5, 4, 1), (9, 8, 0), (10, 8, 1), (12, 8, 2), (99, 8, 5), (1, 0, 5), (0, 0, 0)],
)
def test_steps_are_full_quarters_up_to_the_most(strength: int, weakest: int, steps: int) -> None:
    terms = Advantage(Fraction(1, 4), {"hand": 1}, 5)
    assert max(0, count_steps(terms, strength, weakest)) == steps


@pytest.mark.slow
def test_the_table_gives_what_a_campaign_gives(small: ResultsTable) -> None:
    """14 against 7 is 2:1: two full halves, two tens."""
    attacker, defender = small.columns[2].edges
    assert [str(gift) for gift in attacker.gifts] == ["extra + 10S 10H"]
    assert defender.gifts == []


def gifts_of(rules: str, give: dict[str, object], steps: int, sides: dict[str, object]) -> list[str]:
    """Describe the advantage of the first of two sides that is stronger by this number of steps."""
    terms = Advantage(Fraction(1), give, 100)
    table = {"sides": sides}
    found = advantages_of(find(rules), terms, {"a": 1 + steps, "b": 1}, table)
    assert found[1].gifts == []
    return [str(gift) for gift in found[0].gifts]


def test_a_rank_without_suit_gives_the_next_card_that_nobody_has_by_name() -> None:
    sides: dict[str, object] = {"a": {"extra": ["10s"]}, "b": {"extra": ["10D", "XX"]}}
    give: dict[str, object] = {"extra": ["10"]}
    assert gifts_of("field-of-honour", give, 1, sides) == ["extra + 10H"]
    assert gifts_of("field-of-honour", give, 4, sides) == ["extra + 10H 10C"]
    assert gifts_of("field-of-honour", give, 5, {}) == ["extra + 10S 10H 10D 10C"]
    assert gifts_of("field-of-honour", {"extra": ["10", "Q"]}, 2, {}) == ["extra + 10S QS 10H QH"]


def test_several_stronger_sides_get_cards_of_a_rank_in_turn() -> None:
    terms = Advantage(Fraction(1), {"extra": ["A"]}, 2)
    found = advantages_of(find("warmonger"), terms, {"a": 3, "b": 1, "c": 4}, {})
    assert [[str(gift) for gift in edge.gifts] for edge in found] == [
        ["extra + AS AH"], [], ["extra + AD AC"]
    ]  # fmt: skip


def test_of_an_own_deck_a_side_gets_what_is_in_it() -> None:
    give: dict[str, object] = {"battlefield": ["K"]}
    own: dict[str, object] = {"a": {"deck": ["KH", "KC"]}, "b": {"deck": ["KS"]}}
    assert gifts_of("warfare-tactics", give, 3, own) == ["battlefield + KH KC"]


def test_a_card_for_an_army_takes_the_place_of_the_weakest_but_no_spy() -> None:
    give: dict[str, object] = {"army": [13]}
    assert gifts_of("wargame", give, 2, {}) == ["army + 13 13 in place of 3 4"]
    spies: dict[str, object] = {"a": {"army": [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 12]}}
    assert gifts_of("wargame", give, 3, spies) == ["army + 13 in place of 12"]
    assert gifts_of("wargame", {"army": [2]}, 3, {}) == []


@pytest.mark.parametrize(("house", "each"), [({}, 7), ({"copies": 2}, 11), ({"cards": "none"}, 0)])
def test_a_pile_that_all_sides_share_is_enough_for_all(house: dict[str, object], each: int) -> None:
    """However strong five sides are beside a sixth, their battle can be fought (WM-50)."""
    rules = find("warmonger")
    battle = bare_battle("warmonger", ["a", "b", "c", "d", "e", "f"]) | {"seed": 1, "house": house}
    found = advantages_of(rules, rules.advantage, dict.fromkeys("abcde", 9) | {"f": 1}, battle)
    plan = read_battle(with_gifts(battle, found), "")
    assert [side["warmongers"] for side in plan.setup.sides] == [each or 1] * 5 + [1]
    assert bool(found[0].gifts) == bool(each)


def test_what_cannot_be_given_any_more_is_no_gift() -> None:
    assert gifts_of("wargame", {"chips": 1, "army": [13]}, 1, {"a": {"chips": 13}}) == [
        "army + 13 in place of 3"
    ]
    assert gifts_of("warmonger", {"warmongers": 1}, 3, {"a": {"robot": "bulwark"}}) == []


def test_an_option_may_be_named_with_its_step() -> None:
    assert advantage_for(FIELD, "extra") == FIELD.advantage
    assert advantage_for(FIELD, "hand") == Advantage(Fraction(1, 2), {"hand": 1}, 4)
    assert advantage_for(FIELD, "extra=Q").give == {"extra": ["Q"]}
    assert advantage_for(FIELD, "hand=2").give == {"hand": 2}
    assert advantage_for(FIELD, "extra=KS,QH").give == {"extra": ["KS", "QH"]}
    assert advantage_for(find("wargame"), "chips=2").give == {"chips": 2}


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("hnad", "--option hnad: numbers and cards can be given in steps: hand, extra or pick"),
        ("hand=x", "--option hand=x: expected a whole number for each step, such as hand=1"),
        ("hand=0", "--option hand=0: expected a whole number for each step, such as hand=1"),
        ("extra=", "--option extra=: name the cards that a step adds: extra=CARD"),
        ("extra=XX", '--option extra=XX: "XX" is not a card; write a rank and a suit, such as KS or 10H'),
    ],
)
def test_an_option_that_cannot_be_given_is_refused(option: str, expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        advantage_for(FIELD, option)
    assert str(caught.value) == expected


@pytest.mark.parametrize("text", ["", "1", "1:0", "a:b", "1:2:3", "1:-2", "1:2,", "99999999:1", "١:2"])
def test_a_ratio_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="write attacker:defender"):
        read_ratios(text)


# Results


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ((0, (0, 1), (1, 1)), "A3"),
        ((0, (0, 1), (2, 3)), "A3"),
        ((0, (1, 1), (1, 3)), "A2"),
        ((0, (1, 1), (33, 100)), "A1"),
        ((1, (4, 5), (1, 5)), "D3"),
        ((1, (2, 5), (1, 1)), "D2"),
        ((1, (0, 1), (0, 1)), "D1"),
        ((NOBODY, (1, 1), (1, 1)), "="),
    ],
)
def test_a_result_is_who_won_and_what_the_loser_lost(ending: Ending, code: str) -> None:
    assert str(code_of(ending)) == code


def test_results_go_from_the_worst_for_the_attacker_to_the_best() -> None:
    assert [str(code) for code in CODES] == ["D3", "D2", "D1", "=", "A1", "A2", "A3"]


@pytest.mark.parametrize("dice", DICE)
def test_the_dice_are_dice(dice: str) -> None:
    weights = dict(DICE[dice])
    if dice == "2d6":
        thrown = [a + b for a in range(1, 7) for b in range(1, 7)]
        assert weights == {total: thrown.count(total) for total in range(2, 13)}
    else:
        assert weights == dict.fromkeys(range(1, int(dice[1:]) + 1), 1)


@given(WEIGHTS, st.sampled_from(list(DICE)))
def test_bands_cover_the_dice_once_and_in_order(weights: list[int], dice: str) -> None:
    bands = dice_for([Fraction(weight, sum(weights)) for weight in weights], DICE[dice])
    totals = [total for low, high, _ in bands if high for total in range(low, high + 1)]
    assert totals == [total for total, _ in DICE[dice]]
    assert sum(chance for _, _, chance in bands) == 1


@given(WEIGHTS, st.sampled_from(list(DICE)))
def test_no_cut_can_be_nearer_to_the_truth(weights: list[int], dice: str) -> None:
    """The chance to throw less than a result is off by at most half a total's own chance."""
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    bands = dice_for(chances, DICE[dice])
    whole = sum(weight for _, weight in DICE[dice])
    worst = Fraction(max(weight for _, weight in DICE[dice]), 2 * whole)
    thrown, true = Fraction(0), Fraction(0)
    for (_, _, chance), wanted in zip(bands, chances, strict=True):
        thrown += chance
        true += wanted
        assert abs(thrown - true) <= worst


def test_a_hundred_faces_show_chances_of_whole_per_cents_exactly() -> None:
    bands = dice_for([Fraction(n, 100) for n in (7, 0, 50, 43)], DICE["d100"])
    assert [(low, high) for low, high, _ in bands] == [(1, 7), (0, 0), (8, 57), (58, 100)]


@pytest.mark.slow
def test_true_chances_are_counted(small: ResultsTable) -> None:
    for column in small.columns:
        assert sum(column.endings.values()) == small.battles == 300
        assert sum(result.true.hits for result in column.results) == 300
        for result in column.results:
            came = sum(often for ending, often in column.endings.items() if code_of(ending) == result.code)
            assert result.true.hits == came


def test_strength_helps(small: ResultsTable) -> None:
    """The attacker of 2:1 wins oftener than at 1:1, and that oftener than at 1:2."""
    wins = [
        sum(result.true.hits for result in column.results if result.code.winner == 0)
        for column in small.columns
    ]
    assert wins[0] + 30 < wins[1] < wins[2] - 30


def test_mean_losses_of_a_result_are_those_of_its_battles(small: ResultsTable) -> None:
    lost = [Fraction(0), Fraction(0)]
    often = 0
    for column in small.columns:
        for ending, times in column.endings.items():
            if str(code_of(ending)) == "A2":
                often += times
                for seat in (0, 1):
                    lost[seat] += Fraction(*((ending[1], ending[2])[seat])) * times
    assert small.losses(Code(0, 2)) == (lost[0] / often, lost[1] / often)
    never = small._replace(columns=[column._replace(endings={}) for column in small.columns])
    assert never.losses(Code(0, 2)) is None


@pytest.mark.slow
def test_workers_change_nothing(small: ResultsTable) -> None:
    battle = bare_battle("field-of-honour", []) | {"seed": 3}
    with ThreadPoolExecutor(3) as pool:
        again = tables.count_table(
            FIELD,
            battle,
            tables.TableRequest(advantage_for(FIELD, ""), read_ratios("1:2,1:1,2:1"), "2d6", 300),
            (pool, 3),
        )
    assert table_json(again) == table_json(small)


def test_what_does_not_add_up_is_refused_before_anything_is_fought() -> None:
    battle = bare_battle("field-of-honour", []) | {"seed": 1, "house": {}}
    sides = battle["sides"]
    assert isinstance(sides, dict)
    sides["north"] = {"hand": 60}
    with pytest.raises(Exception, match="hand"):
        tables.count_table(
            FIELD,
            battle,
            tables.TableRequest(advantage_for(FIELD, ""), [(1, 1)], "2d6", 10**9),
            (Serial(), 1),
        )


# On paper


@pytest.mark.slow
def test_a_terminal_shows_bands_and_true_chances(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert (
        run(["table", "field-of-honour", "--ratios", "1:2,1:1,2:1,3:1,4:1", "-n", "60", "--seed", "1"]) == 0
    )
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 60
    assert re.search(r"^2d6 +1:2 +1:1 +2:1$", told, re.MULTILINE)
    assert re.search(r"^2d6 +3:1 +4:1$", told, re.MULTILINE)
    assert re.search(r"^A2  North wins clearly: South loses 1/3 to 2/3", told, re.MULTILINE)
    terms = "The stronger side gets extra + 10 for every full 1/2 of the weaker side's strength"
    assert terms in " ".join(told.split())


def test_plain_has_a_fact_a_line(small: ResultsTable) -> None:
    lines = render(table_page(small), "plain").splitlines()
    result = small.columns[1].results[5]
    low_high = f"{result.low}-{result.high}" if result.low < result.high else str(result.low)
    assert f"1:1 A2 2d6 {low_high} {100 * result.true.share:.1f}%" in lines


def test_markdown_is_a_table(small: ResultsTable) -> None:
    lines = [line for line in render(table_page(small), "md").splitlines() if line.startswith("|")]
    assert lines[0] == "| 2d6 | 1:2 | 1:1 | 2:1 |"
    assert lines[1] == "| --- | --: | --: | --: |"
    assert all(line.count("|") == 5 for line in lines)
    assert lines[2].startswith("| **D3** |")


def test_csv_has_a_row_for_every_result(small: ResultsTable) -> None:
    rows = list(csv.DictReader(io.StringIO(render(table_page(small), "csv"))))
    assert len(rows) == 3 * len(CODES)
    assert list(rows[0]) == ["ratio", "code", "from", "to", "dice_chance", "count", "chance", "low", "high"]
    assert sum(int(row["count"]) for row in rows if row["ratio"] == "1:1") == 300
    assert isinstance(float(rows[0]["chance"]), float)


def test_json_says_what_each_side_gets(small: ResultsTable) -> None:
    told = json.loads(json.dumps(table_json(small)))
    assert (told["schema"], told["rules"], told["attacker"]) == (1, "field-of-honour", "north")
    assert told["columns"][2]["ratio"] == "2:1"
    assert told["columns"][2]["gives"] == {"north": {"extra": ["10S", "10H"]}, "south": {}}
    assert [result["code"] for result in told["columns"][0]["results"]] == [str(code) for code in CODES]


class Tags(HTMLParser):
    """Notes the tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one."""
        self.seen += [(tag, "", "")] + [(tag, name, value) for name, value in attrs]


def test_the_page_needs_no_script_and_no_network(small: ResultsTable) -> None:
    page = render(table_page(small), "html")
    tags = Tags()
    tags.feed(page)
    names = {tag for tag, _, _ in tags.seen}
    assert not names & {"script", "link", "img", "iframe", "object", "form"}
    assert not any(name in ("src", "href", "onclick", "style") for _, name, _ in tags.seen)
    assert "default-src 'none'" in page
    assert page.count("<tr>") == 1 + len(codes_in_use(small))
    for column in small.columns:
        assert f'<th class="right">{column.name}</th>' in page


def test_the_file_s_name_says_what_it_becomes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begins = {
        "t.html": "<!DOCTYPE html>",
        "t.md": "# ",
        "t.csv": "ratio,",
        "t.json": "{",
        "t.txt": "Field of",
    }
    for name, begin in begins.items():
        path = tmp_path / name
        assert (
            run(["table", "field-of-honour", "-n", "20", "--ratios", "1:1", "--seed", "1", "-o", str(path)])
            == 0
        )
        assert path.read_text(encoding="utf-8").startswith(begin)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--dice", "d20"], '--dice: unknown value "d20"; did you mean "d10"?'),
        (["--ratios", "1-2"], '--ratios "1-2": write attacker:defender'),
        (["--side", "a"], "Field of Honour is fought by 2 sides, got 1"),
    ],
)
def test_a_wrong_command_line_says_what_would_be_right(
    capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert run(["table", "field-of-honour", *arguments]) == 2
    assert expected in capsys.readouterr().err


def test_three_sides_have_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    sides = ["--side", "a", "--side", "b", "--side", "c"]
    assert run(["table", "strategy-war", *sides]) == 2
    assert "a combat results table has an attacker and a defender, got 3 sides" in capsys.readouterr().err


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_has_a_table(capsys: pytest.CaptureFixture[str], rules: str) -> None:
    assert run(["table", rules, "-n", "4", "--seed", "1", "--jobs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [column["ratio"] for column in told["columns"]] == ["1:2", "2:3", "1:1", "3:2", "2:1"]


def test_results_of_no_battle_need_no_dice() -> None:
    """A result that never came has no band where another has all the chance."""
    found = results({(0, (0, 1), (1, 1)): 5}, "d10")
    assert [(one.low, one.high) for one in found] == [(0, 0)] * 6 + [(1, 10)]


@pytest.mark.slow
def test_an_author_who_asks_for_it_is_credited(capsys: pytest.CaptureFixture[str]) -> None:
    """In every form of a table, and with a handicap."""
    credit = find("strategy-war").credit
    sides = ["--side", "a", "--side", "b", "--seed", "1"]
    for form in ("text", "plain", "md", "html"):
        assert run(["table", "strategy-war", *sides, "--ratios", "1:1", "-n", "5", "--format", form]) == 0
        assert credit in " ".join(capsys.readouterr().out.replace("\\", "").split())
    hands = "2 3 4; 3 4 5"
    for form in ("text", "plain"):
        words = ["handicap", "strategy-war", *sides, "--values", hands, "--precision", "20%"]
        assert run([*words, "--format", form]) == 0
        assert credit in " ".join(capsys.readouterr().out.split())

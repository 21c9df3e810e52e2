"""The sheet for the real table: all that players need, on pages that can be printed, without the program."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from importlib import resources

import pytest

import cardbattle
from cardbattle.core.ruleset import RuleSet
from cardbattle.rules import RULE_SETS, find
from cardbattle.show.pages.campaign.battle_sheet import counting, table_rules
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.toy import OUTBID

MOST_WORDS = 1020  # what a page of A4 or Letter holds in small print, a table of twelve cards included


def told(rules: RuleSet) -> str:
    """Return the page of a rule set as one line."""
    return " ".join(rules.table_text().split())


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_sheet_has_what_players_need_and_nothing_that_needs_the_program(sh: Shell, rules: str) -> None:
    sh("campaign", "new", "ours", "--rules", rules, "--seed", "1")
    out = sh("campaign", "-C", "ours", "export", "the-bridge", "--sheet").out
    assert f"{find(rules).name} on one page\n" in out
    assert find(rules).credit in out
    assert f"Red vanguard against Blue guard, by the rules of {find(rules).name}." in out
    assert "**Score and losses.**" in out
    assert "| side | won? | score | share lost |" in out
    draw = " (or a draw)" if rules in ("field-of-honour", "strategy-war", "warfare-tactics") else ""
    assert f"battle the-bridge, the winner{draw}, and" in out
    assert find(rules).can_be_drawn == bool(draw)
    form = sh("campaign", "-C", "ours", "results", "--format", "toml").out
    assert ("several separated by commas, or draw\n" in form) == bool(draw)
    for word in ("cardbattle", ".toml", "import", "digest", "[[", f"{find(rules).code}-"):
        assert word not in out, word
    assert "the-bridge/" not in out
    sh("campaign", "-C", "ours", "set", "results.confirm=both")
    shares = {"field-of-honour": ("1/5", "3/5"), "wargame": ("3/13", "7/13")}
    won, lost = shares.get(rules, ("1/4", "1/2"))
    line = f"- the-bridge/{{}}: red-vanguard won, red-vanguard lost {won}, blue-guard lost {lost}\n"
    out = sh("campaign", "-C", "ours", "export", "the-bridge", "--sheet").out
    assert line.format("red-vanguard") in out and line.format("blue-guard") in out


@pytest.mark.slow
def test_a_sheet_does_not_depend_on_strengths_that_its_reader_must_not_know(sh: Shell) -> None:
    """A strength that stays in its rough range changes only the sheet of its own side and of the umpire."""
    sh("campaign", "new", "ours", "--rules", "field-of-honour", "--seed", "1")

    def sheets(red: int, blue: int) -> dict[str, str]:
        strengths = (f"forces.red-vanguard.strength={red}", f"forces.blue-guard.strength={blue}")
        sh("campaign", "-C", "ours", "set", *strengths)
        export = ("campaign", "-C", "ours", "export", "the-bridge", "--sheet")
        named = {reader: sh(*export, "--for", reader).out for reader in ("red", "blue", "umpire")}
        return {**named, "": sh(*export).out, "json": sh(*export, "--format", "json").out}

    first, second = sheets(17, 10), sheets(17, 9)
    assert [reader for reader in first if first[reader] != second[reader]] == ["blue", "umpire"]
    third = sheets(16, 9)
    assert [reader for reader in first if second[reader] != third[reader]] == ["red", "umpire"]
    assert "The umpire's sheet" in first["umpire"] and "The umpire's sheet" not in first[""]
    assert sh("campaign", "-C", "ours", "export", "the-bridge", "--for", "red").code == 2


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_rules_for_the_table_fit_on_a_page(rules: str) -> None:
    assert 400 < len(told(find(rules)).split()) <= MOST_WORDS


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_rules_for_the_table_name_house_rules_that_there_are(rules: str) -> None:
    for words in re.findall(r"`(.+?)`", told(find(rules))):
        name, _, value = words.rpartition(" ")
        if words == "auto last":
            name, value = words, "true"
        option = find(rules).house[name.replace(" ", "_")]
        option.read(option.words(value), [])


def test_a_rule_set_without_a_page_says_how_it_is_counted() -> None:
    assert OUTBID.table_text() == ""
    assert OUTBID.tally(OUTBID.usual_setup()) == ("", 0)
    page = table_rules(OUTBID)
    assert len(page) == (2 if counting(OUTBID) else 0)


def test_the_page_of_warmonger_has_its_cards_jokers_and_robots() -> None:
    page = told(find("warmonger"))
    box = tomllib.loads(resources.files("cardbattle.data").joinpath("warmonger.toml").read_text("utf-8"))
    for number, card in enumerate(box["card"], 1):
        when = [word for word in card["windows"] if word not in ("last-stand", "response")]
        when += ["Lifeline"] if "last-stand" in card["windows"] else []
        assert f"| C{number} | {card['name']} | {', '.join(when) or 'at any card'} |" in page
        assert card["copies"] == 3
    for joker in box["joker"]:
        numbers = "-".join(map(str, joker["numbers"]))
        assert (numbers if len(joker["numbers"]) < 10 else "any from 1 to 10") in page
    assert [joker["numbers"][-1] for joker in box["joker"] if joker.get("war")] == [10, 10]
    for robot in box["robot"]:
        assert f"*{robot['name']}*" in page
        if robot["opening"] == "until":
            assert re.search(rf"{robot['name']} (turns )?until {robot['score']}", page)


def test_the_example_of_strategy_war_is_true() -> None:
    hands = {"a": "A 8 K", "b": "A 8 7", "c": "Q 8 5", "d": "9 J 2", "e": "4 J 2"}
    battle = cardbattle.battle(
        "strategy-war",
        seed=1,
        house={"rounds": 3},
        sides={key: {"cards": hand.split()} for key, hand in hands.items()},
    )
    for place in range(3):
        for hand in hands.values():
            battle.choose(f"commit {hand.split()[place]}")
    words = told(find("strategy-war"))
    assert "14 + 14 + 12 + 9 + 4 = 53" in words
    assert "the king takes 29 and the 46 that rolled over" in words
    outcome = battle.outcome()
    assert outcome.winners == ["a"]
    assert Fraction(*outcome.losses[0]) == Fraction(14, 14 + 8 + 13)  # the ace; the eight was won back
    assert Fraction(*outcome.losses[2]) == Fraction(8 + 5, 12 + 8 + 5)  # the queen stayed


@pytest.mark.parametrize(
    ("rules", "house", "word", "most"),
    [
        ("field-of-honour", {}, "space", 5),
        ("wargame", {}, "battle", 13),
        ("strategy-war", {}, "round", 13),
        ("strategy-war", {"rounds": 4}, "round", 4),
        ("strategy-war", {"rounds": 20}, "round", 13),
        ("warmonger", {}, "", 0),
    ],
)
def test_a_sheet_has_a_row_for_each_that_is_to_be_written_down(
    rules: str, house: dict[str, object], word: str, most: int
) -> None:
    setup = find(rules).usual_setup()
    setup.house |= house
    assert find(rules).tally(setup) == (word, most)


def test_a_sheet_says_what_is_not_as_usual(sh: Shell) -> None:
    sh("campaign", "new", "ours", "--rules", "field-of-honour", "--seed", "1")
    campaign = sh.folder / "ours" / "campaign.toml"
    text = campaign.read_text(encoding="utf-8")
    table = tomllib.loads(text)["pending"][0]
    first, second = table["sides"]
    own = f'\n[[pending]]\nid = "hill"\nsides = ["{first}", "{second}"]\nhouse.dealer = "{second}"\n'
    campaign.write_text(f'{text}{own}options.{first} = {{ extra = ["KS"] }}\n', encoding="utf-8")
    out = sh("campaign", "-C", "ours", "export", "hill", "--sheet").out
    name = tomllib.loads(text)["forces"][second].get("name", second.capitalize())
    assert f"- dealer {name}: the side that deals; the other is asked first." in out
    assert "- extra: cards that the side gets before the deal, in addition to its hand." in out
    assert "extra 10S KS" in out  # one of them for its strength
    assert "- pick:" not in out


def test_cards_that_a_side_brings_are_cards_on_a_printed_sheet(sh: Shell) -> None:
    """They are drawn there, and are letters in other places. This includes ranks of Strategy WAR."""
    sh("demo", "ours")
    file = sh.folder / "ours" / "campaign.toml"
    text = file.read_text(encoding="utf-8")
    place = text.index("[[pending]]", text.index('id = "mill"'))
    extra = '[pending.options.vaughan]\nextra = ["KH", "2D"]\n\n'
    file.write_text(f"{text[:place]}{extra}{text[place:]}", encoding="utf-8")
    page = sh("campaign", "-C", "ours", "export", "mill", "--sheet", "--format", "html").out
    two, king = (page.index(f'aria-label="{card}"><use') for card in ("2 of diamonds", "king of hearts"))
    assert two < king < page.index("What to write down")
    war = sh("campaign", "-C", "ours", "export", "orchard", "--sheet", "--format", "html").out
    assert war.count('aria-label="queen"') == 12  # three a side more for strength, two, and three
    assert "extra 2D KH" in sh("campaign", "-C", "ours", "export", "mill", "--sheet", "--format", "plain").out


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_plain_sheet_has_the_words_of_the_rules_without_marks(sh: Shell, rules: str) -> None:
    sh("campaign", "new", "ours", "--rules", rules, "--seed", "1")
    lines = sh(
        "campaign", "-C", "ours", "export", "the-bridge", "--sheet", "--format", "plain"
    ).out.splitlines()
    assert f"{find(rules).name} on one page" in lines
    assert any(line.startswith("Score and losses. ") for line in lines)
    assert "**" not in "".join(lines) and not any(line.startswith("|") for line in lines)
    assert any(line.startswith("Side 1, Red vanguard: strength about 10; ") for line in lines)


def test_a_sheet_names_the_factions_of_the_sides(sh: Shell) -> None:
    sh("demo", "ours")
    for form in ("plain", "text"):
        sheet = sh("campaign", "-C", "ours", "export", "mill", "--sheet", "--format", form).out
        assert "Vaughan's Horse (The King's men)" in " ".join(sheet.split())

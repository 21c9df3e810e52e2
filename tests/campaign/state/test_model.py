"""A campaign's file is read whole, or refused with all its mistakes and their lines."""

from __future__ import annotations

import copy
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle import rules
from cardbattle.campaign import check
from cardbattle.campaign.ledger.operations import parse_campaign
from cardbattle.campaign.state.fields import fraction, own_keys
from cardbattle.campaign.state.model import assert_errors, read_campaign
from cardbattle.core.errors import InvalidInput
from cardbattle.files.errors import with_place
from tests.support import marches
from tests.support.characters import UNICODE

ROOT = Path(__file__).parents[3]
BAD = sorted((ROOT / "tests" / "bad" / "campaigns").glob("*.toml"))
SHIPPED = [ROOT / "cardbattle" / "data" / "demo", *sorted((ROOT / "campaigns").iterdir())]


def refused(text: str) -> list[str]:
    """Return what is said of a campaign's file."""
    with pytest.raises(InvalidInput) as caught:
        parse_campaign("", "campaign.toml", text.encode())
    return [str(error) for error in caught.value.errors]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_file_is_refused_in_these_words(path: Path) -> None:
    """The last lines of each file say what must be said of it: line, key, what is right."""
    text = path.read_text(encoding="utf-8")
    expected = [
        line.removeprefix("# refused: ") for line in text.splitlines() if line.startswith("# refused")
    ]
    assert expected
    assert refused(text) == [f"campaign.toml:{line}" for line in expected]


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_the_shipped_campaigns_hold_good(folder: Path) -> None:
    assert check.check(str(folder)) == []


def test_a_bad_battle_is_set_aside_whatever_rule_sets_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any one of them alone the other mistakes of the file are told beside its own."""
    for key, module in list(rules.RULE_SETS.items()):
        monkeypatch.setattr(rules, "RULE_SETS", {key: module})
        text = f'''format = 1
name = "One rule set"
seed = 1
rules = "{key}"
factions = {{ york = {{}} }}
forces = {{ percy = {{ faction = "yrok", strength = 1 }} }}
[[pending]]
id = "no key"
sides = ["percy", "percy"]
'''
        force, battle = refused(text)
        assert battle.startswith("campaign.toml:8: pending.1.id: expected a key")
        assert force.startswith("campaign.toml:6: forces.percy.faction: ")


def test_values_are_read_in_the_programs_own_form() -> None:
    campaign = marches.books().campaign
    assert campaign.attrition.rate == Fraction(1, 2)
    assert campaign.attrition.winner_rate == Fraction(1, 4)
    assert campaign.advantage["strategy-war"].per == Fraction(1, 4)
    assert campaign.forces["percy"].strength == 14
    assert campaign.pending[1].sides == [["percy", "mortimer"], ["stafford"]]
    assert campaign.pending[1].keys == ["percy", "stafford"]
    assert campaign.pending[0].rules is None
    assert campaign.rules_of(campaign.pending[0]).key == "strategy-war"


def test_what_is_not_written_counts_nothing() -> None:
    campaign = read_campaign({"format": 1, "name": "Empty", "seed": "any text"})
    assert (campaign.turn, campaign.revision, campaign.pending) == (0, 0, [])
    assert (campaign.scoring.win, campaign.scoring.draw, campaign.scoring.loss) == (0, 0, 0)
    assert (campaign.attrition.rate, campaign.attrition.winner_rate) == (Fraction(0), None)


def test_an_alias_of_a_rule_set_is_read_as_its_key() -> None:
    text = marches.MARCHES.replace("strategy-war", "brainwar")
    campaign = marches.books(text).campaign
    assert campaign.rules == "strategy-war"
    assert list(campaign.advantage) == ["strategy-war"]
    bad = text.replace('give = { cards = ["K"] }', 'give = { cards = ["X"] }')
    assert refused(bad)[0].startswith("campaign.toml:21: advantage.brainwar.give.cards.1: expected a rank")


@pytest.mark.parametrize(
    ("key", "name"),
    [("percy", "Harry Percy"), ("mortimer", "Mortimer"), ("lancaster", "Lancaster"), ("york", "House York")],
)
def test_what_has_no_name_is_called_after_its_key(key: str, name: str) -> None:
    assert marches.books().campaign.display_name(key) == name


@pytest.mark.parametrize(
    ("more", "is_plural"),
    [
        ("", False),
        ('name = "The Downs"\n', True),
        ('name = "The Stone Bridge"\n', False),
        ("plural = true\n", True),
        ('name = "The Downs"\nplural = false\n', False),
    ],
)
def test_a_place_is_plural_only_with_an_article_or_if_the_file_says_so(more: str, is_plural: bool) -> None:
    campaign = marches.books(f"{marches.MARCHES}[locations.three-stones]\n{more}").campaign
    assert campaign.location_name("three-stones").is_plural == is_plural


def test_forces_that_fight_as_one_side_share_a_name_that_fits_or_have_that_of_their_faction() -> None:
    campaign = marches.books().campaign
    assert campaign.side_name(["percy", "mortimer"]) == "Harry Percy and Mortimer"
    long = marches.MARCHES.replace('"Harry Percy"', '"Sir Henry Percy, called Hotspur"')
    campaign = marches.books(long).campaign
    assert campaign.side_name(["percy", "mortimer"]) == "House York"
    assert campaign.joint_name(["percy", "mortimer"], enemies=["mortimer"]) == (
        "Sir Henry Percy, called Hotspur"  # "... and others" would be 42 characters
    )
    long = marches.MARCHES.replace('"Harry Percy"', '"Henry Percy, known as Hotspur"')
    campaign = marches.books(long).campaign
    assert campaign.side_name(["percy", "stafford"]) == "House York and Lancaster"
    feud = {"sides": [["percy", "stafford"], ["mortimer"]]}
    assert campaign.side_name(["percy", "stafford"], feud) == "Henry Percy, known as Hotspur and allies"
    civil_war = {"sides": [["percy", "mortimer"], ["mortimer", "stafford"]]}
    assert campaign.side_name(["percy", "mortimer"], civil_war) == "Henry Percy, known as Hotspur and others"
    shorter = marches.MARCHES.replace('"Harry Percy"', '"Henry Percy, called Hotspur"')
    assert marches.books(shorter).campaign.side_name(["percy", "mortimer"]) == (
        "Henry Percy, called Hotspur and Mortimer"
    )


def test_a_side_is_named_with_its_forces_unless_its_name_lists_them() -> None:
    campaign = marches.books(
        marches.MARCHES.replace('"Harry Percy"', '"Henry Percy, known as Hotspur"')
    ).campaign
    assert campaign.side_with_forces(["percy", "stafford"]) == (
        "House York and Lancaster (Henry Percy, known as Hotspur and Stafford)"
    )
    assert marches.books().campaign.side_with_forces(["percy", "mortimer"]) == "Harry Percy and Mortimer"
    named = {"sides": [["percy"], ["stafford"]], "names": {"percy": "The rebels"}}
    assert campaign.side_with_forces(["percy"], named) == "The rebels"


def test_the_umpires_own_keys_are_free() -> None:
    text = marches.MARCHES.replace("turn = 4", "turn = 4\nx_date = 1403-07-08\nx_odds = nan")
    text += "\n[x]\nmap = [1.5, { any = 1979-05-27 }]\n"
    assert marches.books(text).campaign.turn == 4
    assert own_keys({"x": 1, "x_a": 2, "xa": 3, "list": [{"x_b": 1, "b": 2}]}) == {
        "xa": 3,
        "list": [{"b": 2}],
    }


def test_an_error_shows_line_and_column() -> None:
    with pytest.raises(InvalidInput) as caught:
        marches.books(marches.MARCHES.replace('commander = "green"', 'comander = "gren"'))
    error = caught.value.errors[0]
    assert (with_place(error).line, with_place(error).column, with_place(error).source) == (
        45,
        1,
        'comander = "gren"',
    )
    with pytest.raises(InvalidInput) as caught:
        marches.books(marches.MARCHES.replace('commander = "green"', 'commander = "gren"'))
    error = caught.value.errors[0]
    assert (with_place(error).line, with_place(error).column) == (45, 13)


def test_asserts_are_the_umpires_own_checks() -> None:
    text = marches.MARCHES + (
        '\n[[assert]]\nforce = "percy"\nstrength = 15\nlocation = "shrewsbury"\n'
        '[[assert]]\nlocation = "shrewsbury"\nowner = "lancaster"\n'
        '[[assert]]\nfaction = "york"\npoints = 12\n'
        "[[assert]]\nturn = 5\n"
    )
    books = marches.books(text)
    assert [books.source.placed(error).line for error in assert_errors(books.campaign)] == [73, 77, 82]
    assert [error.text for error in assert_errors(books.campaign)] == [
        "strength of Harry Percy should be 15, but is 14",
        'owner of Shrewsbury should be "lancaster", but is "york"',
        "turn of the campaign should be 5, but is 4",
    ]


@pytest.mark.parametrize("text", ["1/2", "2/4", "0", "7", "10/1", "000000001/2"])
def test_a_fraction_is_exact(text: str) -> None:
    assert fraction(text) == Fraction(text)


@pytest.mark.parametrize(
    "value", ["", "1/0", "-1/2", "0.5", "50%", " 1/2", "1/ 2", "1/2/3", "١/٢", "1" * 10, 0.5, 1, True, None]
)
def test_nothing_else_is_a_fraction(value: object) -> None:
    with pytest.raises(ValueError, match='expected a fraction in quotes, such as "1/2"'):
        fraction(value)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(UNICODE, max_size=5),
    st.sampled_from(["percy", "york", "bridge", "shrewsbury", "1/2", "strategy-war", "\x1b[31m"]),
    st.lists(st.one_of(st.integers(), st.text(UNICODE, max_size=3), st.just("percy")), max_size=3),
    st.dictionaries(st.text(UNICODE, max_size=5), st.integers(), max_size=2),
)


def places(value: object, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return every path in some data."""
    inside: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    found = [at] if at else []
    for key, item in inside:
        found += places(item, (*at, key))
    return found


DATA = marches.books().source.data


@given(st.data())
def test_a_sound_campaign_with_one_thing_changed_is_read_or_refused(data: st.DataObject) -> None:
    """Replacing any value or key raises no exception except Refused."""
    assert all(text for text in complaints(one_thing_changed(data)))


def one_thing_changed(data: st.DataObject) -> dict[str, object]:
    """Return the Marches with one value or one key replaced."""
    changed = copy.deepcopy(DATA)
    *path, last = data.draw(st.sampled_from(places(DATA)))
    table: object = changed
    for key in path:
        table = table[key]  # type: ignore[index]
    assert isinstance(table, dict | list)
    if isinstance(table, dict) and data.draw(st.booleans()):
        table[data.draw(st.text(UNICODE, max_size=5))] = table.pop(last)
    else:
        table[last] = data.draw(VALUES)  # type: ignore[index]
    return changed


def complaints(data: dict[str, object]) -> list[str]:
    """Return the errors in a campaign's data."""
    try:
        read_campaign(data)
    except InvalidInput as error:
        return [error.text for error in error.errors]
    return []

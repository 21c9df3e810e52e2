"""Seeds that are drawn cannot be guessed, and can be said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.battles.seeds import CONSONANTS, VOWELS, bits_of, draw_seed, is_guessable, proquint
from cardbattle.files import reader
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.support.characters import UNICODE

WORD = f"[{CONSONANTS}][{VOWELS}][{CONSONANTS}][{VOWELS}][{CONSONANTS}]"


def test_a_drawn_seed_holds_128_bits_in_eight_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bit of every word comes from the system's own source."""
    asked: list[int] = []

    def bits(count: int) -> int:
        asked.append(count)
        return 0

    monkeypatch.setattr("secrets.randbits", bits)
    assert draw_seed() == "-".join(["babab"] * 8)
    assert sum(asked) == 128


def test_drawn_seeds_differ_and_are_seeds() -> None:
    drawn = {draw_seed() for _ in range(1000)}
    assert len(drawn) == 1000
    for seed in drawn:
        assert re.fullmatch(rf"{WORD}(-{WORD}){{7}}", seed)
        assert reader.expect_seed(seed) == seed
        assert not is_guessable(seed)


def test_every_word_stands_for_one_number() -> None:
    assert len({proquint(number) for number in range(2**16)}) == 2**16


@given(st.integers(0, 10**17))
def test_a_number_of_some_digits_can_be_guessed(number: int) -> None:
    assert is_guessable(number)
    assert is_guessable(str(number))
    assert bits_of(number) == bits_of(str(number))


@pytest.mark.slow
@settings(max_examples=30)
@given(st.text(UNICODE, min_size=1, max_size=29), st.text(UNICODE, min_size=1, max_size=30))
def test_a_short_text_can_be_guessed_and_more_of_it_never_counts_for_less(seed: str, more: str) -> None:
    assert is_guessable(seed)
    if not (seed + more).isdigit() and not seed.isdigit():
        assert bits_of(seed + more) >= bits_of(seed)


@pytest.mark.parametrize("command", ["odds strategy-war -n 2 -j 1 --json", "resolve strategy-war --json"])
def test_commands_draw_seeds_that_nobody_guesses(sh: Shell, command: str) -> None:
    drawn = [json.loads(sh(*command.split()).out)["seed"] for _ in range(2)]
    assert drawn[0] != drawn[1]
    assert not any(map(is_guessable, drawn))


def test_a_drawn_seed_fights_the_same_battle_when_it_is_told(sh: Shell) -> None:
    first = sh("resolve", "field-of-honour", "--json").out
    again = sh("resolve", "field-of-honour", "--json", "--seed", json.loads(first)["seed"])
    assert again.out == first


def test_show_warns_of_a_campaign_seed_that_can_be_guessed(sh: Shell, war: Path) -> None:
    told = "cardbattle: warning: the seed is so short that players can guess it"
    for form in ("text", "plain"):
        said = sh("campaign", "show", "--no-odds", "--format", form)
        assert said.code == 0
        assert said.err.startswith(told)
        assert said.err.count("\n") == 1
        assert told not in said.out
    said = sh("campaign", "show", "--no-odds", "--json")
    assert said.err == ""
    assert json.loads(said.out)["seed_is_guessable"] is True
    for quiet in (("check",), ("standings",), ("history",), ("turn",)):
        assert "seed" not in sh("campaign", *quiet).err


def test_show_is_content_with_the_seed_of_a_new_campaign(sh: Shell) -> None:
    assert sh("campaign", "new", "marches").code == 0
    for form in ("text", "plain"):
        assert sh("campaign", "-C", "marches", "show", "--no-odds", "--format", form).err == ""
    told = json.loads(sh("campaign", "-C", "marches", "show", "--no-odds", "--json").out)
    assert told["seed_is_guessable"] is False
    assert not is_guessable(told["seed"])


def test_show_warns_of_a_seed_that_stands_where_players_read(sh: Shell, war: Path) -> None:
    file = war / "campaign.toml"
    long = "the widow hale keeps her mill wheel dry"
    text = file.read_text().replace("seed = 1645 ", f'seed = "{long}" ')
    file.write_text(text)
    assert sh("campaign", "show", "--no-odds").err == ""
    file.write_text(text.replace("dawn, mist on the water", f"dawn; they say: {long.title()}"))
    assert "the seed also appears in a name or note" in sh("campaign", "show", "--no-odds").err
    assert json.loads(sh("campaign", "show", "--no-odds", "--json").out)["seed_is_visible"] is True

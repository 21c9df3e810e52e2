"""The deck on pages: each card once, described for readers who cannot see it, safe with any name."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from cardbattle.core.cards import JOKERS, card_text, standard_pack
from cardbattle.show.svg.deck import EMBLEMS, EMPTY, FACE_DOWN, PIPS, Deck, spoken_card
from tests.show.test_show import HOSTILE

PACK = [card_text(card) for card in [*standard_pack(), *JOKERS]]


def test_the_54_cards_are_all_different_and_each_is_well_formed() -> None:
    deck = Deck()
    for card in PACK:
        deck.card(card)
    drawings = [inside for _, inside in deck.drawn.values()]
    assert len(set(drawings)) == 54
    root = ET.fromstring(str(deck.symbols()))
    assert len(root.findall(".//symbol")) == 54


@pytest.mark.parametrize("rank", range(2, 11))
def test_a_card_of_a_number_has_so_many_pips_between_its_corners(rank: int) -> None:
    deck = Deck()
    deck.card(f"{rank}H")
    drawn = deck.drawn["", f"{rank}H"][1]
    assert drawn.count('href="#pH"') == rank + 2
    assert drawn.count(f">{rank}</text>") == 2


def test_a_card_is_drawn_once_however_often_it_lies_there() -> None:
    deck = Deck()
    assert deck.card("KS") == deck.card("KS")
    assert deck.card("QD") != deck.card("KS")
    assert str(deck.symbols()).count("<symbol ") == 2


def test_a_page_without_cards_has_no_deck() -> None:
    assert not Deck().symbols()


@pytest.mark.parametrize(
    ("card", "kind", "spoken"),
    [
        ("KS", "", "king of spades"),
        ("10H'", "", "10 of hearts, second pack"),
        ("BJ", "field-of-honour", "black Joker"),
        ("J3", "warmonger", "Joker 3"),
        ("13", "wargame", "13, Bazooka"),
        ("5", "wargame", "5"),
        ("Q", "strategy-war", "queen"),
        ("Air Strike", "warmonger", "Air Strike"),
        (FACE_DOWN, "", "a card face down"),
        (EMPTY, "", "no card"),
    ],
)
def test_whoever_cannot_see_a_card_is_told_it(card: str, kind: str, spoken: str) -> None:
    assert spoken_card(card, kind) == spoken
    assert f'role="img" aria-label="{spoken}"'.replace("'", "&#39;") in str(Deck().card(card, kind))


def test_wargame_and_strategy_war_have_looks_of_their_own() -> None:
    deck = Deck()
    for kind in ("wargame", "strategy-war", "field-of-honour"):
        deck.card("10", kind)
    assert len({inside for _, inside in deck.drawn.values()}) == 3


@pytest.mark.parametrize("name", [*HOSTILE, "7\x1b[31m", "<b", "&"])
@pytest.mark.parametrize("kind", ["warmonger", "wargame", "strategy-war"])
def test_a_card_of_any_name_is_a_drawing_and_nothing_else(name: str, kind: str) -> None:
    deck = Deck()
    shown = ET.fromstring(str(deck.card(name, kind)))
    assert set(shown.attrib) == {"class", "role", "aria-label"}
    whole = ET.fromstring(str(deck.symbols()))
    known = {"svg", "defs", "symbol", "path", "rect", "g", "text", "use", "circle", "ellipse"}
    assert {element.tag for element in whole.iter()} <= known
    assert "\x1b" not in str(deck.symbols())


def test_every_shape_is_a_path() -> None:
    for path in (*PIPS.values(), *EMBLEMS.values()):
        assert re.fullmatch(r"M[-0-9 .MLHVCQTSAZhvlcqz]+", path)

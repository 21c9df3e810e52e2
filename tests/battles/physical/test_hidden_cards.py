"""Shuffles of hidden cards: other orders are found exactly where there are any."""

from __future__ import annotations

from itertools import permutations

import pytest

from cardbattle.battles.physical.hidden_cards import rearrange

DEALT = ["a", "b", "c", "d"]


def test_a_card_never_seen_may_lie_where_another_was_supposed() -> None:
    """The first card is turned up, and it is c."""
    assert rearrange([DEALT], [(1, "a")], {"a": "c"}) == [["c", "b", "a", "d"]]


def test_a_card_that_lies_open_cannot_be_turned_up_again() -> None:
    assert rearrange([DEALT], [(1, "a"), (1, "b")], {"b": "a"}) is None


def test_a_card_comes_out_of_the_packet_it_went_into_openly() -> None:
    """Two seen cards are shuffled. The lower one can be either of them, but no other card."""
    orders = [DEALT, ["a", "b"]]
    seen = [(1, "a"), (1, "b"), (2, "a")]
    assert rearrange(orders, seen, {"a": "b"}) == [DEALT, ["b", "a"]]
    assert rearrange(orders, seen, {"a": "c"}) is None


def test_a_card_comes_face_down_out_of_an_earlier_packet() -> None:
    """One open card and one face-down card are shuffled. The other can be any unseen card."""
    orders = [DEALT, ["a", "b"]]
    seen = [(1, "a"), (2, "a")]
    found = rearrange(orders, seen, {"a": "d"})
    assert found is not None
    assert found[1][0] == "d" and sorted(found[1]) == ["a", "d"] and found[0][1] == "d"


@pytest.mark.parametrize("truth", list(permutations(DEALT)))
def test_whatever_was_dealt_is_found_card_by_card(truth: tuple[str, ...]) -> None:
    """Two cards are laid, one open; both are shuffled and turned up; then the rest is."""
    orders, seen = [DEALT], list[tuple[int, str]]()
    true_packet = [truth[1], truth[0]]
    for number, packet, place in [(1, 0, 0), (2, 1, 0), (2, 1, 1), (2, 0, 2), (2, 0, 3)]:
        if packet == len(orders):
            orders = [*orders, [orders[0][0], orders[0][1]]]
        there = orders[packet][place]
        true = truth[place] if packet == 0 else true_packet[place]
        found = rearrange(orders, [*seen, (number, there)], {there: true} if there != true else {})
        assert found is not None, (orders, seen, true)
        orders, seen = found, [*seen, (number, true)]
    assert orders == [list(truth), true_packet]

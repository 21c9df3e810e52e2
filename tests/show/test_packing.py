"""Packed HTML unpacks to itself, and repeated HTML gets small."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.show.writers.packing import DIGITS, pack

PIECES = [
    "<p>",
    "</p>",
    "<b>one",
    "</b> and ",
    "<c-s>7♠",
    "</c-s>",
    "<td>\n",
    "<bdi>York &amp; &lt;b&gt;",
]


def unpack(packed: str) -> str:
    """Unpack as `replay.js` does."""
    pieces: list[str] = []
    for number, part in enumerate(packed.split("`")):
        if number:
            high, low, length = map(DIGITS.index, part[:3])
            at = len(pieces) - len(DIGITS) * high - low
            for place in range(at, at + length):
                pieces.append(pieces[place])
        new = part[3:] if number else part
        pieces += new.split("<") if new else []
    return "<" + "<".join(pieces)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=60))
def test_packed_html_unpacks_to_itself(pieces: list[str]) -> None:
    html = "".join(pieces)
    assert unpack(pack(html)) == html


def test_a_backtick_and_distant_repeats_survive() -> None:
    html = "<p>`York`" + "".join(f"<b>{n % 8999}" for n in range(30_000))
    assert unpack(pack(html)) == html.replace("`", "&#96;")


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(st.sampled_from(PIECES), min_size=20, max_size=60))
def test_what_is_repeated_is_packed_to_little(pieces: list[str]) -> None:
    html = "".join(pieces)
    assert len(pack(9 * html)) < len(pack(html)) + 40

"""Packed HTML unpacks to itself, and repeated HTML gets small."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.show.writers.packing import pack

PIECES = [
    "<p>",
    "</p>",
    "<b>one",
    "</b> and ",
    '<u class="S">7♠',
    "</u>",
    "<td>\n",
    "<bdi>York &amp; &lt;b&gt;",
]


def unpack(packed: str) -> str:
    """Unpack as `replay.js` does."""
    pieces: list[str] = []
    items = iter(json.loads(packed))
    for item in items:
        if isinstance(item, str):
            pieces += item.split("<")
            continue
        at, end = len(pieces) - item, len(pieces) + next(items)
        while len(pieces) < end:
            pieces.append(pieces[at])
            at += 1
    return "<" + "<".join(pieces)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=60))
def test_packed_html_unpacks_to_itself(pieces: list[str]) -> None:
    html = "".join(pieces)
    assert unpack(pack(html)) == html


@settings(max_examples=40)
@given(st.lists(st.sampled_from(PIECES), min_size=20, max_size=60))
def test_what_is_repeated_is_packed_to_little(pieces: list[str]) -> None:
    html = "".join(pieces)
    assert len(pack(9 * html)) < len(pack(html)) + 20

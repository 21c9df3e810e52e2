"""The characters of random texts in tests."""

from __future__ import annotations

from hypothesis import strategies as st

# The same characters as the default of `st.text`, which takes seconds to compute in a fresh clone.
UNICODE = st.characters(exclude_categories=["Cs"])

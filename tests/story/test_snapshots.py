"""Five stories of each rule set, to be read: for the umpire, a side and the public, of two to five sides."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from cardbattle.core.battle import NOBODY
from cardbattle.rules import RULE_SETS
from cardbattle.story.story import tell_story
from tests.story.test_story import report, sides_of

READERS = (None, None, 0, NOBODY, None)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_five_stories_read_well(rules: str, snapshot: SnapshotAssertion) -> None:
    counts = sides_of(rules)
    stories = []
    for number, reader in enumerate(READERS):
        story = tell_story(report(rules, 40 + number, counts[number % len(counts)], reader))
        stories.append(story.sentences)
    assert stories == snapshot

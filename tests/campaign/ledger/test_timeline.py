"""The past of a campaign from today's point of view, turn by turn: the events explain the values."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from cardbattle.campaign.ledger import operations, umpire_changes
from cardbattle.campaign.ledger.timeline import PastTurn, timeline
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.campaign.visibility.visible_turns import REASON_UNRECORDED, VisibleTurn
from cardbattle.show.pages.campaign.reports.chronicle import OMITTED_KINDS
from cardbattle.site.blocks import past_strength
from cardbattle.site.book import SiteBook
from cardbattle.site.pages import story
from cardbattle.site.parts import Links
from tests.campaign.ledger.test_umpire_changes import random_bookkeeping
from tests.campaign.ledger.test_undo import OWNER, STRENGTH, Umpire, random_command
from tests.support import marches

BY = f"({REASON_UNRECORDED})"
YORK = ("factions", "york", "points")


class Keeper(Umpire):
    """An umpire whose ledger is not looked at after every command; that is another test's."""

    def law(self) -> None:
        """Look at nothing."""


@pytest.fixture
def umpire(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path)


def past(umpire: Umpire) -> list[PastTurn]:
    """Return the campaign turn by turn."""
    return timeline(umpire.books.campaign, umpire.ledger)


def site_of(umpire: Umpire, reader: str = UMPIRE) -> SiteBook:
    """Return the content of a reader's site."""
    campaign = umpire.books.campaign
    return SiteBook(visible_to(campaign, umpire.ledger, reader), campaign)


def numbers(turn: VisibleTurn) -> dict[tuple[str, ...], int]:
    """Return all points and strengths at the end of a turn."""
    campaign = turn.visible.campaign
    found: dict[tuple[str, ...], int] = {}
    found |= {("factions", key, "points"): one.points for key, one in campaign.factions.items()}
    return found | {("forces", key, "strength"): one.strength for key, one in campaign.forces.items()}


def owners(turn: VisibleTurn) -> dict[tuple[str, ...], str | None]:
    """Return who held which place at the end of a turn."""
    return {("locations", key, "owner"): one.owner for key, one in turn.visible.campaign.locations.items()}


def add_up(turns: list[VisibleTurn]) -> int:
    """Hold each turn's end against that of the one before; return how many values were another's.

    What is new or gone in a turn has nothing to be held against.
    """
    changed = 0
    for start, end in pairwise(turns):
        explained = [one for entry in end.entries if entry.kind not in OMITTED_KINDS for one in entry.changes]
        before, after = numbers(start), numbers(end)
        for key in before.keys() & after.keys():
            gained = sum(
                (int(str(one.after or 0)) - int(str(one.before or 0))) for one in explained if one.key == key
            )
            assert after[key] - before[key] == gained, (end.number, key)
            changed += gained != 0
        held, holds = owners(start), owners(end)
        for key in held.keys() & holds.keys():
            last = [one.after for one in explained if one.key == key] or [held[key]]
            assert holds[key] == last[-1], (end.number, key)
            changed += holds[key] != held[key]
    return changed


def do_anything(umpire: Umpire, chance: random.Random) -> None:
    """Do one thing to the books, sensible or not, by force or by hand."""
    what = chance.randrange(12)
    if what < 2:
        umpire.turn()
    elif what < 4:
        umpire.adjust("factions.york.points", f"+={chance.randrange(-3, 9)}")
    else:
        random_command(umpire, chance)


def keep_things(umpire: Umpire, chance: random.Random) -> None:
    """Add, move or rename something, fight what is pending, or take back."""
    pending = [battle.id for battle in umpire.books.campaign.pending]
    what = chance.randrange(9)
    if what < 2:
        umpire.turn()
    elif what < 4 and pending:
        battle = umpire.books.campaign.battle(chance.choice(pending))
        assert battle is not None
        decree = marches.decided(battle.id, battle.keys[0], **dict.fromkeys(battle.keys, "1/3"))
        umpire.record(*operations.plan_import(umpire.books, umpire.seen, [decree]).operations)
    else:
        umpire.record(random_bookkeeping(umpire, chance))


@pytest.mark.slow
@pytest.mark.parametrize("do", [do_anything, keep_things])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_told_of_a_turn_makes_what_is_shown_at_its_end(
    do: Callable[[Umpire, random.Random], None], seed: int, umpire: Keeper
) -> None:
    chance, changed = random.Random(f"turns {seed}"), 0
    for n in range(40):
        try:
            do(umpire, chance)
        except Exception as error:
            if not hasattr(error, "exit_code"):
                raise
        if n % 10 == 9:
            found = site_of(umpire)
            changed += add_up(found.turns)
            assert found.turns[-1].visible.campaign is found.campaign
    assert changed > 3


def test_what_was_taken_back_since_never_was(umpire: Keeper) -> None:
    """All that was recorded together goes, of a later turn nothing; brought back, it is there again."""
    begun = site_of(umpire).turns[0]
    umpire.fight("bridge", "wood")
    umpire.turn()
    umpire.adjust("factions.york.points", "+=2")
    as_fought = site_of(umpire).turns[0]
    umpire.undo("bridge")
    first, last = site_of(umpire).turns
    assert numbers(first) == numbers(begun)
    assert owners(first) == owners(begun)
    assert numbers(first) != numbers(as_fought)
    assert [entry.kind for entry in first.entries] == []
    assert numbers(last) == {**numbers(begun), YORK: numbers(begun)[YORK] + 2}
    umpire.redo()
    assert numbers(site_of(umpire).turns[0]) == numbers(as_fought)
    assert [turn.unexplained for turn in past(umpire)] == [[], []]


def test_an_undo_and_its_redo_leave_each_past_turn_as_it_was(umpire: Keeper) -> None:
    """Also if one undo lies within another, and between them something else is recorded."""
    umpire.type("[factions.york]", '[visibility]\nlocation = "rough"\n\n[factions.york]')
    umpire.record(umpire_changes.add_thing(umpire.books, "locations", "isle", {}))
    umpire.turn()
    umpire.adjust("forces.stafford.location", "isle")
    umpire.adjust("forces.percy.location", "isle")
    umpire.turn()
    umpire.adjust("forces.percy.location", "shrewsbury")
    umpire.turn()
    as_played, sites = past(umpire), [site_of(umpire, reader).turns for reader in (UMPIRE, "york")]
    turns = [entry.revision for entry in umpire.ledger.entries if entry.kind == "turn"]
    umpire.undo(str(turns[2]))
    umpire.undo(str(turns[1]))
    umpire.undo()
    umpire.adjust("factions.york.points", "+=2")
    for _ in range(3):
        umpire.redo()
    for then, now in zip(as_played[:-1], past(umpire)[:-1], strict=True):
        assert now.campaign.forces == then.campaign.forces
        assert now.seen.forces == then.seen.forces
    for reader, site in zip((UMPIRE, "york"), sites, strict=True):
        for shown, again in zip(site[:-1], site_of(umpire, reader).turns[:-1], strict=True):
            assert again.visible.campaign.forces == shown.visible.campaign.forces
            assert again.visible.sight == shown.visible.sight


def test_what_no_entry_tells_is_told_for_itself(umpire: Keeper) -> None:
    """Strength stops at 0; by force an owner is set back whom later entries decided; a hand writes."""
    umpire.adjust(STRENGTH, "+=9")
    umpire.adjust(OWNER, "lancaster")
    umpire.turn()
    umpire.adjust(STRENGTH, "3")
    umpire.adjust(OWNER, "york")
    umpire.adjust(OWNER, "lancaster")
    umpire.turn()
    umpire.undo("1")
    umpire.undo("2", force=True)
    umpire.type("strength = 0", "strength = 4", after="[forces.stafford]")
    turns, explained = past(umpire), site_of(umpire)
    assert [turn.campaign.forces["stafford"].strength for turn in turns] == [8, 0, 4]
    assert add_up(explained.turns) > 0
    texts = [" ".join(story(explained, turn, Links(explained, "../"))) for turn in explained.turns]
    assert texts == [
        "",
        "Stafford is reduced by 14, to -6. Shrewsbury passes from Lancaster to House York. "
        f"Shrewsbury passes from House York to Lancaster. Stafford is reinforced by 6, to 0 {BY}.",
        f"Stafford is reinforced by 4, to 4 {BY}. Shrewsbury passes from Lancaster to House York {BY}.",
    ]


def test_strengths_are_told_as_they_follow_from_the_turn_before(umpire: Keeper) -> None:
    umpire.adjust(STRENGTH, "+=5")
    umpire.turn()
    umpire.adjust(STRENGTH, "+=2")
    umpire.turn()
    umpire.undo("1")
    explained = site_of(umpire)
    assert story(explained, explained.turns[1], Links(explained, "../")) == [
        "Stafford is reinforced by 2, to 10."
    ]


def test_nobody_knows_of_the_past_what_was_anothers_then(umpire: Keeper) -> None:
    """Percy's men were Lancaster's for a turn, which was taken back."""
    umpire.type("[factions.york]", '[visibility]\nstrength = "own"\n\n[factions.york]')
    umpire.adjust("forces.percy.faction", "lancaster")
    umpire.turn()
    umpire.adjust("forces.percy.strength", "+=3")
    umpire.turn()
    assert known_strengths(umpire, "york") == [None, None, None]
    umpire.undo("1")
    assert known_strengths(umpire, "york") == [None, None, 17]
    assert known_strengths(umpire, UMPIRE) == [14, 17, 17]
    assert known_strengths(umpire, "lancaster") == [None, None, None]


def test_nobody_sees_of_the_past_where_nobody_saw_it_then(umpire: Keeper) -> None:
    """Stafford's march away from Percy was taken back, and another stands: York never saw it there."""
    umpire.type("[factions.york]", '[visibility]\nlocation = "rough"\n\n[factions.york]')
    umpire.adjust("forces.stafford.location", "shrewsbury")
    umpire.record(umpire_changes.add_thing(umpire.books, "locations", "isle", {}))
    umpire.adjust("forces.stafford.location", "isle")
    umpire.turn()
    umpire.undo("3")
    found = [turn.visible.campaign.forces["stafford"].location for turn in site_of(umpire, "york").turns]
    assert found == [None, "shrewsbury"]
    found = [turn.visible.campaign.forces["stafford"].location for turn in site_of(umpire, UMPIRE).turns]
    assert found == ["shrewsbury", "shrewsbury"]


def test_what_is_taken_back_of_a_force_that_went_over_is_not_for_its_former_faction(umpire: Keeper) -> None:
    """Percy was reinforced for York, and went over to Lancaster; York goes by what York saw."""
    umpire.type("[factions.york]", '[visibility]\nstrength = "own"\n\n[factions.york]')
    umpire.adjust("forces.percy.strength", "+=3")
    umpire.turn()
    umpire.adjust("forces.percy.strength", "+=2")
    umpire.turn()
    umpire.adjust("forces.percy.faction", "lancaster")
    before = site_told(umpire, "york")
    assert known_strengths(umpire, "york") == [17, 19, None]
    umpire.undo("1")
    assert known_strengths(umpire, "york") == [17, 19, None]
    assert site_told(umpire, "york")[1:] == before[1:]
    assert known_strengths(umpire, UMPIRE) == [14, 16, 16]


def site_told(umpire: Umpire, reader: str) -> list[str]:
    """Return what happened in each turn for a reader."""
    found = site_of(umpire, reader)
    return [" ".join(story(found, turn, Links(found, "../"))) for turn in found.turns]


def known_strengths(umpire: Umpire, reader: str) -> list[int | None]:
    """Return what a reader's site says of Percy's strength, turn by turn."""
    return [past_strength(turn, "percy") for turn in site_of(umpire, reader).turns]


def test_what_led_to_a_place_that_is_no_more_leads_nowhere(umpire: Keeper) -> None:
    """The march there and back stands, the place was taken back."""
    umpire.record(umpire_changes.add_thing(umpire.books, "locations", "isle", {"owner": "york"}))
    umpire.record(umpire_changes.move_forces(umpire.books, ["percy"], "isle"))
    umpire.turn()
    umpire.record(umpire_changes.move_forces(umpire.books, ["percy"], "shrewsbury"))
    umpire.undo("1")
    turns = past(umpire)
    assert [turn.campaign.forces["percy"].location for turn in turns] == [None, "shrewsbury"]
    assert ["isle" in turn.campaign.locations for turn in turns] == [False, False]

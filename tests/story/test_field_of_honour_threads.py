"""Threads of Field of Honour: each claim of a scene is checked against the events of random battles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import Record
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import card_text
from cardbattle.core.chance import stream
from cardbattle.core.referee import Referee
from cardbattle.core.telling import Card, Fact, Plot, Scene, Thread, numbers
from cardbattle.rules.field_of_honour.battle import DRAWN
from cardbattle.story.language import language, phrases_of
from cardbattle.story.naming import side_names
from cardbattle.story.story import fitting, threads_for, weighted
from cardbattle.story.teller import Teller
from tests.story.test_story import NAMES
from tests.story.test_strategy_war import amount, fills, seat

SEEDS = (*range(100), 103, 134, 161, 275, 312, 444, 460, 530, 533)  # the last ones have rare threads
NAMES_OF_THREADS = {
    "collapse", "comeback", "contest", "in vain", "last space", "narrow", "rout", "stack", "stalemate",
    "stolen", "thin place", "ties", "totals",
}  # fmt: skip


def battle(seed: int) -> tuple[Record, Referee]:
    """Return a battle between two commanders, in every third battle with unequal hands."""
    sides: dict[str, dict[str, object]] = {
        f"s{n}": {"name": NAMES[n], "commander": ("regular", "green", "regular")[(seed + n) % 3]}
        for n in (0, 1)
    }
    sides["s0"] |= {"hand": 12} if seed % 3 == 2 else {}
    return fight_battle(read_battle({"rules": "field-of-honour", "seed": seed, "sides": sides}))


class Fought:
    """A battle between two commanders, counted in the plainest way.

    Attributes:
        holders, laid, final: of each space its holder, and both values when it was turned up and at the end.
        plays: of each space the events that say which special was played.
        events: of each space its events.
        hands: the sizes of both hands after each space.

    """

    def __init__(self, seed: int) -> None:
        seen = report_of(*battle(seed), None)
        self.setup = seen.setup
        log = [event for _, event in seen.events]
        plot = seen.rules.plot(seen.setup, log)
        assert plot is not None
        self.plot: Plot = plot
        self.holders: list[int] = []
        self.laid: list[list[int]] = []
        self.final: list[list[int]] = []
        self.plays: list[list[Event]] = []
        self.events: list[list[Event]] = []
        self.hands: list[list[int]] = []
        hands = [0, 0]
        for event in log:
            if event.kind == "lined_up":
                hands = [*numbers(event, "hands")]
            elif event.kind == "revealed":
                self.laid.append(numbers(event, "values"))
                self.plays.append([])
                self.events.append([])
            elif event.kind == "played":
                self.plays[-1].append(event)
                hands[event.side] -= 1
            elif event.kind == "drew":
                hands[event.side] += int(str(event.fields["number"]))
            elif event.kind == "discarded":
                assert event.fields["hand"] == hands[event.side] - 1
                hands[event.side] -= 1
            elif event.kind == "settled":
                self.holders.append(int(str(event.fields["holder"])))
                self.final.append(numbers(event, "values"))
                self.hands.append([*hands])
            if self.events:
                self.events[-1].append(event)
        winners = numbers(log[-1], "winners")
        self.winner = winners[0] if len(winners) == 1 else NOBODY

    def lead(self, side: int, count: int = 5) -> int:
        """Return by how many spaces a side leads after `count` spaces."""
        told = self.holders[:count]
        return told.count(side) - told.count(1 - side)

    def specials(self, side: int) -> int:
        return sum(play.side == side for plays in self.plays for play in plays)

    def by_one(self, side: int) -> int:
        """Return how many spaces a side won by one."""
        return sum(
            holder == side and abs(values[0] - values[1]) == 1
            for holder, values in zip(self.holders, self.final, strict=True)
        )

    def sides_after(self, at: int) -> Iterator[tuple[Event, list[int]]]:
        """Yield each event of a space that changes the values, with both values after it."""
        for event in self.events[at]:
            if event.kind in ("rallied", "doubled", "swapped", "redeployed", "redeployed_back"):
                yield event, numbers(event, "values")


@cache
def battles() -> list[Fought]:
    return [Fought(seed) for seed in SEEDS]


def scenes() -> Iterator[tuple[Fought, Thread, Fact]]:
    for fought in battles():
        for thread in fought.plot.threads:
            yield from ((fought, thread, fact) for scene in thread.scenes for fact in scene.facts)


def check_result(fought: Fought, fact: Fact) -> None:
    """Check the numbers of spaces that the winner and the loser hold."""
    held = [fought.holders.count(side) for side in (fought.winner, 1 - fought.winner)]
    assert [amount(fact, "won"), amount(fact, "lost")] == held


def check_contest(fought: Fought, fact: Fact) -> None:
    """Check what would have happened if the other side had held the space."""
    at, side = amount(fact, "space") - 1, seat(fact, "side")
    counts = [len(plays) for plays in fought.plays]
    assert counts[at] == max(counts) > 2 and counts.count(counts[at]) == 1 and side == fought.holders[at]
    other = [*fought.holders]
    other[at] = 1 - side
    lead = other.count(side) - other.count(1 - side)
    is_won = side == fought.winner
    assert ("fatal" in fact.fields, "drawn" in fact.fields) == (is_won and lead < 0, is_won and lead == 0)
    assert ("vain" in fact.fields) == (fought.winner == 1 - side) != is_won


def check_hands(fought: Fought, fact: Fact) -> None:
    side, count, fewer = seat(fact, "side"), amount(fact, "count"), amount(fact, "fewer")
    assert count >= fewer + 2 and (fact.kind == "hands_gone") == (fewer == 0)
    assert any(
        (hands[side], hands[1 - side]) == (count, fewer)
        and any(play.side == side for plays in fought.plays[at + 1 :] for play in plays)
        for at, hands in enumerate(fought.hands)
    )


def is_stolen(fought: Fought, at: int) -> bool:
    """Return True if the holder's last swap took the lead from the enemy, and no swap gave it back."""
    changes = [*fought.sides_after(at)]
    swaps = [n for n, (event, _) in enumerate(changes) if event.kind == "swapped"]
    if len(swaps) % 2 == 0 or any(event.kind.startswith("redeployed") for event, _ in changes):
        return False
    values = [fought.laid[at], *(values for _, values in changes)]
    side = fought.holders[at]
    before = values[swaps[-1]]
    players = [play.side for play in fought.plays[at] if is_swap(fought, at, play)]
    return side != NOBODY and players[-1] == side and before[side] < before[1 - side]


def is_swap(fought: Fought, at: int, play: Event) -> bool:
    """Return True if the next event after a special says that the cards of both sides changed places."""
    events = fought.events[at]
    return events[events.index(play) + 1].kind == "swapped"


def check_stolen(fought: Fought, fact: Fact) -> None:
    side, count = seat(fact, "side"), amount(fact, "count")
    stolen = [at for at, holder in enumerate(fought.holders) if holder == side and is_stolen(fought, at)]
    assert side == fought.winner and count == len(stolen) and fought.lead(side) <= 2 * count
    assert ("all" in fact.fields) == (count == fought.holders.count(side))
    assert ("several" in fact.fields) == (count > 1) != ("single" in fact.fields)


def check_stack(fought: Fought, fact: Fact) -> None:
    """Check that the winner would not have won without these cards."""
    side, count = seat(fact, "side"), amount(fact, "count")
    cards, gained = [], 0
    for at, holder in enumerate(fought.holders):
        changes = [*fought.sides_after(at)]
        if holder != side or not changes:
            continue
        last = changes[-1][0]
        play = fought.events[at][fought.events[at].index(last) - 1]
        before = [fought.laid[at], *(values for _, values in changes)][-2]
        if play.side == side and play.fields["question"] == DRAWN and before[side] <= before[1 - side]:
            cards.append(Card(card_text(int(str(play.fields["card"])))))
            gained += 1 if before[side] == before[1 - side] else 2
    assert side == fought.winner and len(cards) == count and fought.lead(side) <= gained
    assert "drawn" not in fact.fields or fact.fields["drawn"] == cards[0]
    assert ("several" in fact.fields) == (count > 1) != ("single" in fact.fields)


def check_lost_lead(fought: Fought, fact: Fact) -> None:
    """Check that the leader needed one more space, and that the winner took all that were left."""
    count, left, winner = amount(fact, "count"), amount(fact, "left"), fought.winner
    side = seat(fact, "side")
    assert (side == winner) == fact.kind.startswith("comeback") and count + left == 5
    assert -fought.lead(winner, count) == amount(fact, "deficit") >= (1 if count > 2 else 2)
    told = fought.holders[:count]
    assert (amount(fact, "lead"), amount(fact, "behind")) == (told.count(1 - winner), told.count(winner))
    assert {*fought.holders[count:]} == {winner} and amount(fact, "deficit") + 1 > left - 1
    assert ("nothing" in fact.fields) == (winner not in told) and ("far" in fact.fields) == (
        amount(fact, "deficit") > 1
    )
    assert ("pair" in fact.fields, "several" in fact.fields) == (left == 2, left > 2)


def check_last(fought: Fought, fact: Fact) -> None:
    side, told = seat(fact, "side"), fought.holders[:4]
    if "tied" in fact.fields:
        assert told.count(0) == told.count(1) == amount(fact, "even") and fought.winner != NOBODY
        return
    assert "close" in fact.fields
    assert (amount(fact, "trail"), amount(fact, "ahead")) == (told.count(side), told.count(1 - side))
    assert amount(fact, "trail") + 1 == amount(fact, "ahead") and fought.winner != side


def check_in_vain(fought: Fought, fact: Fact) -> None:
    side, count = seat(fact, "side"), amount(fact, "count")
    assert side == 1 - fought.winner and count == fought.specials(side)
    for holder, plays in zip(fought.holders, fought.plays, strict=True):
        assert holder == fought.winner or all(play.side != side for play in plays)
    flags = {"none"} if not count else {"single"} if count == 1 else {"several"}
    assert {"none", "single", "several"} & fact.fields.keys() == flags


def check_thin(fought: Fought, fact: Fact) -> None:
    at, side = amount(fact, "space") - 1, seat(fact, "side")
    mine, other = ([values[each] for values in fought.laid] for each in (side, 1 - side))
    assert side == fought.winner and fought.holders[at] == 1 - side and not fought.plays[at]
    assert mine[at] <= 5 and other[at] - mine[at] > 3
    assert ("weakest" in fact.fields) == all(mine[at] < value for n, value in enumerate(mine) if n != at)
    assert ("strongest" in fact.fields) == (other[at] == max(other))
    assert ("both" in fact.fields) == ({"weakest", "strongest"} <= fact.fields.keys())


def check_totals(fought: Fought, fact: Fact) -> None:
    side = seat(fact, "side")
    sums = [sum(values[each] for values in fought.laid) for each in (0, 1)]
    assert side == 1 - fought.winner and sums[side] > sums[1 - side]
    assert (amount(fact, "mine"), amount(fact, "other")) == (sums[side], sums[1 - side])
    assert amount(fact, "more") == sums[side] - sums[1 - side]
    assert amount(fact, "count") == fought.by_one(1 - side)
    assert ("several" in fact.fields) == (fought.by_one(1 - side) > 1)
    assert not any(event.kind.startswith("redeployed") for events in fought.events for event in events)


def check_narrow(fought: Fought, fact: Fact) -> None:
    side, count, held = seat(fact, "side"), amount(fact, "count"), amount(fact, "held")
    assert side == fought.winner and held == fought.holders.count(side)
    assert count == fought.by_one(side) > 1 and count >= held - 1
    assert ("all" in fact.fields) == (count == held) != ("some" in fact.fields)


def check_ties(fought: Fought, fact: Fact) -> None:
    side, count, level = seat(fact, "side"), amount(fact, "count"), amount(fact, "level")
    tied = [
        holder for holder, values in zip(fought.holders, fought.laid, strict=True) if values[0] == values[1]
    ]
    assert len(tied) == level and tied.count(side) == count > 1 and fought.winner in (side, NOBODY)
    assert ("every" in fact.fields) == (count == level) != ("some" in fact.fields)
    assert ("pair" in fact.fields, "all" in fact.fields) == (count == level == 2, count == level > 2)


def check_stalemate(fought: Fought, fact: Fact) -> None:
    count, rest = amount(fact, "count"), amount(fact, "rest")
    assert fought.holders.count(NOBODY) == count > 2 and count + rest == 5
    assert ("single" in fact.fields, "pair" in fact.fields) == (rest == 1, rest > 1)


CHECKS: Mapping[str, Callable[[Fought, Fact], None]] = {
    "contest_end": check_contest,
    "hands_left": check_hands,
    "hands_gone": check_hands,
    "stolen_end": check_stolen,
    "stack_end": check_stack,
    **dict.fromkeys([f"comeback_{each}" for each in ("low", "end")], check_lost_lead),
    **dict.fromkeys([f"collapse_{each}" for each in ("low", "end")], check_lost_lead),
    "last_stake": check_last,
    "vain_end": check_in_vain,
    "thin_end": check_thin,
    "totals_end": check_totals,
    "short_by_one": check_totals,
    "narrow_end": check_narrow,
    "ties_end": check_ties,
    "stalemate_end": check_stalemate,
}


@pytest.mark.slow
def test_what_the_scenes_claim_is_true() -> None:
    checked = set()
    for fought, _, fact in scenes():
        if fact.kind in CHECKS:
            CHECKS[fact.kind](fought, fact)
            if fact.kind.endswith("_end"):
                check_result(fought, fact)
            checked.add(fact.kind)
        else:
            assert fact.kind.startswith("hands_")
    assert checked == {*CHECKS}
    assert {thread.name for _, thread, _ in scenes()} == NAMES_OF_THREADS


@pytest.mark.slow
def test_a_thread_describes_each_space_once_and_in_order() -> None:
    for fought in battles():
        for thread in fought.plot.threads:
            told = [scene.episodes for scene in thread.scenes if scene.episodes]
            assert [at for first, last in told for at in range(first, last + 1)] == [*range(5)]
            assert thread.others == [1 - thread.hero]
            assert sum(scene.depth == "full" for scene in thread.scenes) <= 2


@pytest.mark.slow
def test_a_thread_describes_the_best_fight_in_full_and_tells_the_result_only_at_the_end() -> None:
    for fought in battles():
        plays = [len(each) for each in fought.plays]
        for thread in fought.plot.threads:
            ends = [fact.kind.endswith("_end") for scene in thread.scenes for fact in scene.facts]
            assert not any(ends[:-1]) and bool(thread.told) == (ends[-1:] == [True])
            assert not thread.told or fought.winner != NOBODY
            full = {scene.episodes[0] for scene in thread.scenes if scene.depth == "full"}
            longest = plays.index(max(plays))
            assert longest in full or plays.count(max(plays)) > 1 or thread.name in ("stack", "stolen") or (
                max(plays) < 4
            )  # fmt: skip


@pytest.mark.slow
def test_every_phrase_of_the_threads_is_used_by_some_battle() -> None:
    """Each condition can hold; the phrase has its fields filled in."""
    names = side_names(NAMES[:2], (), language("en"))
    for code in ("en", "de"):
        phrases = phrases_of(code, "field-of-honour")
        teller = Teller(language(code), phrases, names, stream(0, "story"))
        used = {line for _, _, fact in scenes() for line in phrases[fact.kind] if fills(teller, line, fact)}
        unused = {line for kind in CHECKS for line in phrases[kind]} - used
        assert all(re.search(r"their|them|\{all.if\}", line) for line in unused), unused


def test_hidden_cards_do_not_change_the_threads_that_a_reader_sees() -> None:
    """The threads use the sizes of the hands, which both sides know, and no card of a hand (FH-9)."""
    for seed in range(6):
        record, referee = battle(seed)
        facts = []
        for viewer in (None, NOBODY, 0, 1):
            seen = report_of(record, referee, viewer)
            plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
            assert plot is not None
            facts.append([[scene.facts for scene in thread.scenes] for thread in plot.threads])
        assert facts[1:] == facts[:1] * 3


@pytest.mark.slow
def test_a_story_with_little_room_describes_fewer_spaces_in_full() -> None:
    for fought in battles():
        episodes = fought.plot.episodes
        for thread in fought.plot.threads:
            short = fitting(thread.scenes, 1, episodes)
            assert [scene.episodes for scene in short if scene.episodes] == [
                scene.episodes for scene in thread.scenes if scene.episodes
            ]
            assert [fact.kind for scene in short for fact in scene.facts] == [
                fact.kind for scene in thread.scenes[-1:] if thread.told for fact in scene.facts
            ]
            assert sum(scene.depth == "full" for scene in short) == 1
            depths = {tuple(scene.episodes): scene.depth for scene in thread.scenes if scene.episodes}
            passed = [depths[tuple(scene.episodes)] for scene in short if scene.depth == "passed"]
            assert {*passed} <= {"short"}  # a space described in full keeps a sentence


def test_a_thread_about_the_largest_swing_is_preferred() -> None:
    scene = Scene([], episodes=(2, 2), depth="full")
    calm, sudden = Thread("calm", 0, [], 60), Thread("sudden", 0, [scene], 50)
    assert threads_for([calm, sudden], None) == [calm, sudden]
    assert threads_for(weighted([calm, sudden], {2: 600}), None) == [sudden._replace(weight=80)]
    assert weighted([sudden._replace(weight=0)], {2: 600})[0].weight == 0

"""A phrase that claims more than one event shows is used only where the events make it true."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

import pytest

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import JOKERS, rank_of
from cardbattle.core.setup import Setup
from cardbattle.core.telling import Episode, Fact, Name, Scene, conditions
from cardbattle.rules import RULE_SETS
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DISCARD,
    DOUBLE,
    DRAW,
    RALLY,
    REDEPLOY,
    SPACES,
    SWAP,
    VALUES,
)
from cardbattle.rules.field_of_honour.space import Space
from cardbattle.rules.field_of_honour.story import end
from cardbattle.rules.strategy_war.story import end_fact as close_end
from cardbattle.rules.wargame.battle import SEVEN_BATTLES, stronger
from cardbattle.rules.wargame.story import end_fact
from cardbattle.rules.warmonger.story import armies_facts
from cardbattle.rules.warmonger.wars import score_fields
from cardbattle.story.beats import LEAST, SHAPES, Beat, choose_beats, choose_highlights, leaders
from cardbattle.story.language import languages, phrases_of
from cardbattle.story.losses import counted_losses, rough_losses
from cardbattle.story.runs import bridge_fact, lead_facts, run_fact
from cardbattle.story.stakes import Stakes, held_with_strengths, odds_facts
from cardbattle.story.story import since_turn, standing_fact
from tests.story.test_field_of_honour_threads import battles as field_of_honour_battles
from tests.story.test_field_of_honour_threads import scenes as field_of_honour_scenes
from tests.story.test_story import report
from tests.story.test_strategy_war import battles
from tests.story.test_strategy_war_threads import steps
from tests.story.test_warfare_tactics_story import BATTLES
from tests.story.test_warfare_tactics_story import battle as tactics
from tests.story.test_wargame_threads import scenes as wargame_scenes

CONDITION = re.compile(r"\{(\w+)\.if\}")


def facts_of(rules: str, seed: int) -> tuple[list[Event], list[Fact], Sequence[Episode]]:
    """Return the events of a battle, all facts of its plot, and its episodes."""
    seen = report(rules, seed)
    events = [event for _, event in seen.events]
    plot = seen.rules.plot(seen.setup, events)
    assert plot is not None
    facts = [*plot.opening, *plot.ending]
    facts += [fact for episode in plot.episodes for fact in (*episode.facts, episode.short)]
    return events, facts, plot.episodes


def seat_of(fact: Fact, field: str = "side") -> int:
    name = fact.fields[field]
    assert isinstance(name, Name)
    return name.seat


def episodes_of(winners: Sequence[int]) -> list[Episode]:
    """Return episodes that these sides won, one point each."""
    nothing = Fact("", {})
    return [
        Episode(
            [nothing], nothing, [] if winner == NOBODY else [winner],
            [winners[: at + 1].count(0), winners[: at + 1].count(1)], at, at, 0,
        )
        for at, winner in enumerate(winners)
    ]  # fmt: skip


@pytest.mark.slow
def test_conditions_are_fields_that_some_fact_has() -> None:
    """A misspelt condition would silence its phrase for good."""
    known = {field for facts in sampled_facts() for field in facts.fields}
    for code in languages():
        for rules in RULE_SETS:
            for kind, lines in phrases_of(code, rules).items():
                for line in lines:
                    assert set(CONDITION.findall(line)) <= known, (code, rules, kind, line)


def sampled_facts() -> Iterator[Fact]:
    for seed in range(8):
        yield from facts_of("wargame", seed)[1]
    chance = random.Random(5)
    for _ in range(300):
        space = random_space(chance)[0]
        yield from (*facts_of_space(space), *space.episode(is_over=False).facts)
        yield end(random_course(chance))
    for course in ([[1, 0], [2, 0], [2, 0], [2, 0], [2, 1]], [[0, 1], [0, 2], [1, 2], [2, 2], [3, 2]]):
        yield end(course)
    for seed in range(4):
        yield from facts_of("warmonger", seed)[1]
    for seed in range(8):
        yield from (fact for scene in warmonger_scenes(2 + seed % 4, seed) for fact in scene.facts)
    for seed in range(5):
        yield from facts_of("warfare-tactics", seed)[1]
    for sizes in ([26, 26, 8], [26, 20, 8]):
        yield from armies_facts(
            Event("dealt", NOBODY, {"sizes": sizes, "robots": [False] * 3}, {}, [], False)
        )
    for number in BATTLES:
        plot = tactics(number)[1]
        yield from (fact for thread in plot.threads for scene in thread.scenes for fact in scene.facts)
        yield from (fact for episode in plot.episodes for fact in (*episode.facts, episode.short))
    yield from (fact for gap in (1, 2) for fact in since_turn([Fact("attack", {"turn": 3})], gap))
    yield Fact("card_strike", score_fields(0))
    yield Fact("card_exchange", {"still_bust": "bust"})
    yield Fact("comes_back", conditions(recent=True))  # of a war, as the next; its stories have tests
    yield Fact("score", conditions(never=True))
    yield Fact("place_taken_from", conditions(sole=True))
    yield Fact("place_held_again", {**conditions(always=True, since=True)})
    yield Fact("met_often", {"losses": 1})
    yield Fact("leader_taken", conditions(home=True))
    yield Fact("leader_fell_after", {"wins": 2, "battles": 3, **conditions(unbeaten=True)})
    yield from rough_losses([50, 20], [20, 20], [0])
    yield from (
        fact for begun in (0, 1) for fact in odds_facts(Stakes(chances=[1, 9], has_begun=bool(begun)))
    )
    for strengths in ((20, 50), (50, 20)):
        stakes = Stakes(when="May", rough_strengths=strengths)
        yield held_with_strengths(Fact("holds_place", {"side": Name(0)}), stakes)
    yield from (fact for played in battles()[:20] for fact in played.facts())
    yield from (fact for _, fact in steps())
    yield from (fact for _, _, fact in wargame_scenes())
    yield from (fact for _, _, fact in field_of_honour_scenes())
    for fought in field_of_honour_battles():
        yield from (fact for episode in fought.plot.episodes for fact in (*episode.facts, episode.short))
    close: dict[str, object] = {"winners": [0], "scores": [53, 51], "reason": "most-points"}
    yield close_end(Setup(["a", "b"], {}, [], {}), Event("ended", NOBODY, close, {}, [], False))
    yield from lead_facts(episodes_of([0, 1, 0, 1]), 0, 3)
    for winners in winners_of(8):
        yield from (fact for first in (1, 2) for fact in lead_facts(episodes_of(winners), first, 4))
        yield standing_fact(episodes_of(winners), 3)
        yield from (*lead_facts(episodes_of(winners), 4, 4), run_of(winners, 2, 3))
    yield end_fact({"winners": [0], "scores": [7, 0], "reason": SEVEN_BATTLES}, 13)
    yield end_fact({"winners": [0], "scores": [7, 6], "reason": SEVEN_BATTLES}, 13)
    yield counted_losses([0], [(0, 4), (2, 4)], [Fraction(0), Fraction(1, 2)])
    yield counted_losses([0], [(0, 4), (2, 4)], [Fraction(1, 9), Fraction(1, 2)])


def warmonger_scenes(count: int, seed: int) -> Iterator[Scene]:
    """Yield the scenes of all threads of a battle of Warmonger."""
    seen = report("warmonger", seed, count)
    plot = seen.rules.plot(seen.setup, [event for _, event in seen.events])
    assert plot is not None
    yield from (scene for thread in plot.threads for scene in thread.scenes)


def winners_of(length: int) -> Iterator[list[int]]:
    """Yield every course of a battle of this length between two sides, and some with drawn episodes."""
    yield from (list(winners) for winners in product((0, 1), repeat=length))
    chance = random.Random(length)
    yield from ([chance.choice([0, 1, NOBODY]) for _ in range(length)] for _ in range(20))


def leads_of(winners: Sequence[int], side: int) -> list[int]:
    """Return the lead of a side before the first episode and after each."""
    return [winners[:at].count(side) - winners[:at].count(1 - side) for at in range(len(winners) + 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("length", "first"), [(6, 0), (7, 2), (9, 5)])
def test_what_is_said_of_a_lead_is_true(length: int, first: int) -> None:
    for winners in winners_of(length):
        for count in (2, length - first - 1, length - first):
            for fact in lead_facts(episodes_of(winners), first, count):
                leads = leads_of(winners, seat_of(fact))[first : first + count + 1]
                check_lead(fact, leads, winners[first : first + count])
                assert ("first_count" if first == 0 else "next_count") in fact.fields
                assert ("final" in fact.fields) == (first + count == length)
                assert standing_is_true(fact, leads[-1])
                assert not standing_fields(fact) or first + count < length


def check_lead(fact: Fact, leads: Sequence[int], winners: Sequence[int]) -> None:
    """Check a fact about a run against the lead of its side before and after each episode."""
    side, fields, worst = seat_of(fact), fact.fields, min(leads)
    assert (fields["wins"], fields["losses"]) == (winners.count(side), winners.count(1 - side))
    if fact.kind in ("run_comeback", "run_closing_in"):
        assert worst == -int(str(fields["deficit"])) <= -2
        assert ("stood" in fields, "fell" in fields) == (leads[0] == worst, leads[0] > worst)
        assert (leads[-1] >= 0) == (fact.kind == "run_comeback")
        assert leads[-1] == -int(str(fields.get("left", -leads[-1])))
        if "mostly" in fields:
            assert leads[-1] - worst >= -leads[-1] > 0
        at = leads.index(worst)
        streak = int(str(fields.get("streak", 0)))
        assert winners[len(winners) - streak :] == [side] * streak and streak <= len(winners) - at
        if fact.kind == "run_comeback":
            assert fields.get("peak", leads[-1]) == (max(leads[at:]) if "peak" in fields else leads[-1])
            assert ("steady" in fields) == (max(leads[at:]) == leads[-1])
    elif fact.kind == "run_scare":
        peak, least = int(str(fields["peak"])), int(str(fields["least"]))
        assert peak in leads and least in leads[leads.index(peak) :] and peak - least >= 2
        assert 0 < least < leads[-1]
    elif fact.kind == "run_trading":
        assert [(winner == side) for winner in winners] == [at % 2 == 0 for at in range(len(winners))]
        assert NOBODY not in winners
    elif fact.kind == "run_caught":
        assert leads[0] == leads[-1] == 0 >= max(leads)
        assert fields["times"] == [(a < 0 == b) for a, b in pairwise(leads)].count(True) >= 3
    elif fact.kind == "run_pulling_away":
        assert leads[0] >= 0 and leads[-1] - leads[0] == fields["gain"]
    elif fact.kind == "run_overtaking":
        assert (leads[0], leads[-1]) == (-int(str(fields["was"])), fields["now"])
    elif fact.kind == "run_staying":
        assert leads[0] == leads[-1] >= 0
        flags = {"steady"} if worst > 0 else {"caught"} if worst == 0 else {"passed"}
        assert {"steady", "caught", "passed"} & fields.keys() == (flags if leads[0] else set())
    else:
        assert (fact.kind, 0) in (("run_drawing_level", leads[-1]), ("run_edging_ahead", leads[0]))
        assert leads[0] < leads[-1]
        assert fact.kind == "run_edging_ahead" or leads[-2] < leads[-1]  # the side drew level itself


def standing_fields(fact: Fact) -> set[str]:
    return {"even", "lead", "behind", "trail", "ahead"} & fact.fields.keys()


def standing_is_true(fact: Fact, lead: int) -> bool:
    expected = {"even"} if lead == 0 else {"lead", "behind"} if lead > 0 else {"trail", "ahead"}
    return standing_fields(fact) in (expected, set())


def run_of(winners: Sequence[int], first: int, count: int) -> Fact:
    """Return the fact that counts what each side won in several episodes."""
    episodes = episodes_of(winners)
    return run_fact(episodes, Beat(episodes[first : first + count], False, first), 2)


def test_what_is_said_of_several_spaces_is_true() -> None:
    for winners in winners_of(5):
        for first, count in ((0, 2), (1, 2), (1, 3), (2, 3), (3, 2)):
            fact, told = run_of(winners, first, count), winners[first : first + count]
            fields, side = fact.fields, seat_of(fact)
            for name, winner in (("taken", side), ("given", 1 - side), ("drawn", NOBODY)):
                assert fields[name] == [first + at for at, who in enumerate(told, 1) if who == winner]
            assert told.count(side) >= told.count(1 - side)
            if fact.kind.startswith("run_even"):
                assert next(who for who in told if who != NOBODY) == side
            assert ("again" in fields) == (first > 0 and winners[first - 1] == side)
            assert flags_of(fact, "taken_first", "drawn_first") == {
                "drawn_first" if told[0] == NOBODY else "taken_first"
            }
            assert ("final" in fields) == (first + count == 5)
            assert standing_is_true(fact, leads_of(winners, side)[first + count])
            assert not standing_fields(fact) or first + count < 5


def test_a_side_leads_again_only_if_it_led_before() -> None:
    for winners in winners_of(7):
        for at in range(1, 7):
            fact = standing_fact(episodes_of(winners), at)
            signs = [(lead > 0) - (lead < 0) for lead in leads_of(winners, 0)[1 : at + 2]]
            is_final = all(winner == NOBODY for winner in winners[at + 1 :])
            assert (fact.kind == "") == (signs[-1] == signs[-2] or is_final)
            if fact.kind:
                assert ("again" in fact.fields) == (signs[-1] in signs[:-1])
            if fact.kind == "now_ahead":
                alone = [sign for sign in signs[:-1] if sign]
                assert ("overtook" in fact.fields) == (alone[-1:] == [-signs[-1]])
                is_regained = alone[-1:] == [signs[-1]]  # after a mere tie
                assert ("earned" in fact.fields) == (seat_of(fact) == winners[at] and not is_regained)


def test_a_side_lost_nobody_only_if_it_lost_nothing() -> None:
    for shares in product((Fraction(0), Fraction(1, 13), Fraction(2, 5), Fraction(1)), repeat=2):
        for sizes in product((1, 6, 40), repeat=2):
            casualties = [(int(share * size), size) for share, size in zip(shares, sizes, strict=True)]
            fields = counted_losses([0], casualties, shares).fields
            is_hardly = any(share and not lost for (lost, _), share in zip(casualties, shares, strict=True))
            assert ("hardly" in fields, "whole" in fields) == (is_hardly, not is_hardly)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_of_chips_lines_and_spies_is_true(seed: int) -> None:
    events, facts, episodes = facts_of("wargame", 100 + seed)
    spent = [event for event in events if event.kind == "switched" and event.fields["chips"] == 0]
    last = [fact for fact in facts if fact.kind.startswith("last_chip")]
    assert len(last) <= len(spent)
    assert not [fact for fact in episodes[-1].facts if fact.kind.startswith("last_chip")]
    for episode in episodes:
        told = events[episode.first : episode.last + 1]
        won = next(event for event in told if event.kind == "won")
        attacker = next(event for event in told if event.kind == "advanced")
        payers = {
            event.side for event in told
            if event.kind == "switched" and won.fields["place"] in event.fields["places"]  # type: ignore[operator]
        }  # fmt: skip
        kind, victor = episode.short.kind, seat_of(episode.short)
        assert victor == won.side
        cards = won.fields["cards"]
        assert isinstance(cards, list)
        assert flags_of(episode.short, "alike", "unlike") == {"alike" if cards[0] == cards[1] else "unlike"}
        if "traitors" not in kind:
            assert ("attack" in kind) == (attacker.side == victor)
        if "traitor" not in kind:
            assert kind.endswith("_spy") == (won.fields["how"] == "spy")
            assert kind.endswith("_tie") == (won.fields["how"] == "attack")
            assert payers == {
                "switched": {victor}, "in_vain": {1 - victor}, "both_switched": {0, 1}, "plain": set(),
            }[kind[: kind.index("_attack" if "_attack" in kind else "_defence")]]  # fmt: skip
        elif kind.startswith("traitor_met"):
            assert 1 - victor in payers
        for fact in episode.facts:
            if fact.kind.startswith("last_chip"):
                side = seat_of(fact)
                assert any(event.kind == "switched" and event.side == side for event in told)
                assert (fact.kind == "last_chip_elsewhere") == (side not in payers)
                assert "several" in fact.fields and "single" not in fact.fields  # each began with five
            if fact.kind == "line_broken":
                follows = not any(fact.kind.startswith("last_chip") for fact in episode.facts)
                assert ("direct" in fact.fields) == follows
        card, against = int(str(attacker.fields["card"])), int(str(attacker.fields["against"]))
        assert ("twin" in episode.short.fields) == (card == against)
        assert ("against" in episode.short.fields) == (card != against)
        is_doomed = stronger(against, card) < 0
        assert ("doomed" in episode.short.fields) == is_doomed
        is_better = stronger(cards[1 - attacker.side], against) > 0
        assert ("better" in episode.short.fields) == (is_doomed and is_better)


def test_a_broken_line_is_as_wide_as_the_spaces_won_side_by_side() -> None:
    widths = set()
    for seed in range(30, 40):
        events, facts, _ = facts_of("wargame", seed)
        end = facts[len([fact for fact in facts if fact.kind.startswith(("chips", "lines"))])]
        if end.kind in ("end_four", "end_four_anyway"):
            won = {
                event.fields["place"]
                for event in events
                if event.kind == "won" and event.side == seat_of(end)
            }
            width = int(str(end.fields["width"]))
            widths.add(width)
            mine, other = (int(str(end.fields[name])) for name in ("mine", "other"))
            assert (end.kind == "end_four") == (mine > other)
            assert any(won >= {*range(first, first + width)} for first in range(1, 14))
            assert not any(won >= {*range(first, first + width + 1)} for first in range(1, 14))
    assert widths > {4}


class Play(NamedTuple):
    """A special that was played in a random space, with the values before and after it."""

    side: int
    card: int
    power: int
    before: list[int]
    after: list[int]

    def lead(self, values: Sequence[int]) -> int:
        return values[self.side] - values[1 - self.side]


def random_space(chance: random.Random) -> tuple[Space, list[Play]]:
    """Return a space with random cards and up to four random specials, and these specials."""
    pack = chance.sample(range(4 * 2, 4 * 15), 20)
    if chance.random() < 0.3:
        pack[0] = JOKERS[0]
    contents = [[pack.pop(0) for _ in range(chance.choice([1, 1, 2]))] for _ in range(2)]
    values = [sum(VALUES[card] for card in cards) for cards in contents]
    attached = [[pack.pop()] if chance.random() < 0.1 else [], []]
    place = {"space": chance.randint(1, SPACES)}
    shown = {"contents": contents, "values": values.copy(), "attached": attached, **place}
    space = Space(event_of("revealed", NOBODY, shown), 0)
    plays: list[Play] = []
    for _ in range(chance.choice([0, 1, 1, 2, 3, 4])):
        side, power = chance.randint(0, 1), chance.choice([1, 2, 3, 4, 5, 6])
        if power == RALLY and values[0] != values[1]:
            power = DOUBLE
        card, before = pack.pop(), values.copy()
        space.take(event_of("played", side, {"card": card, "power": power, "question": COUNTER}))
        if power == DRAW:
            space.take(event_of("drew", side, {"number": 2, "stack": 9}))
        elif power == DISCARD:
            space.take(event_of("discarded", 1 - side, {"card": pack.pop(), "hand": 1}))
        else:
            came = [pack.pop()]
            values[side] = {
                RALLY: values[side] + 1, DOUBLE: 2 * values[side], SWAP: values[1 - side],
                REDEPLOY: VALUES[came[0]],
            }[power]  # fmt: skip
            values[1 - side] = before[side] if power == SWAP else values[1 - side]
            kind = {RALLY: "rallied", DOUBLE: "doubled", SWAP: "swapped", REDEPLOY: "redeployed"}[power]
            space.take(event_of(kind, side, {"values": values.copy(), "came": came, "sent": contents[side]}))
        plays.append(Play(side, card, power, before, values.copy()))
    space.final = values
    space.holder = NOBODY if values[0] == values[1] else int(values[1] > values[0])
    space.held = [chance.randint(0, 3), chance.randint(0, 3)]
    return space, plays


def event_of(kind: str, side: int, fields: dict[str, object]) -> Event:
    return Event(kind, side, fields, {}, [], False)


def facts_of_space(space: Space) -> list[Fact]:
    return [*space.facts(), space.short()]


def flags_of(fact: Fact, *names: str) -> set[str]:
    return {*names} & fact.fields.keys()


def is_tried_in_vain(play: Play) -> bool:
    """Return True if a special was meant to save the space, and did not."""
    is_short = play.lead(play.after) < 0 > play.lead(play.before)
    return is_short and play.power not in (DRAW, DISCARD)


def test_what_is_said_of_a_space_as_a_whole_is_true() -> None:
    chance = random.Random(1)
    for _ in range(400):
        space, plays = random_space(chance)
        facts, last = facts_of_space(space), plays[-1] if plays else None
        for fact in facts:
            fields, kind = fact.fields, fact.kind
            assert not space.attached[0] or "cards" not in fields
            if kind == "shown_level":
                assert ("decided" in fields) == (space.holder != NOBODY)
            elif kind.startswith("plain") and space.holder != NOBODY:
                assert ("little" in fields) == (min(space.final) <= 3)
                assert ("joker" in fields) == (JOKERS[0] in space.contents[space.holder])
            elif kind.startswith("settled"):
                assert last is not None
                assert "mine" not in fields  # an earlier sentence said it
                assert ("final" in fields) == (space.number == SPACES and space.holder != NOBODY)
                assert ("more" in fields) == (space.holder != NOBODY and space.held[space.holder] > 1)
                assert flags_of(fact, "unanswered", "answered", "enough") == (
                    set() if space.holder == NOBODY
                    else ({"answered"} if is_tried_in_vain(last) else set()) if last.side != space.holder
                    else {"unanswered"} if last.power in (DRAW, DISCARD) else {"unanswered", "enough"}
                )  # fmt: skip
                assert space.number < SPACES or not standing_fields(fact)
            elif kind == "fought_answered":
                changes = [play for play in plays if play.power not in (DRAW, DISCARD)]
                assert [play.side for play in changes] == [1 - space.holder, space.holder]
            elif kind == "fought_held":
                assert sum(play.power not in (DRAW, DISCARD) for play in plays) != 1
                sides = {play.side for play in plays}
                assert ("exchange" in fields) == (sides == {0, 1})
                turned = space.values[space.holder] < space.values[1 - space.holder]
                assert last is not None
                assert ("turned" in fields, "last_word" in fields) == (turned, last.side == space.holder)
            if "idle" in fields:
                assert space.values[0] == space.values[1]
                assert all(play.power not in (DRAW, DISCARD) for play in plays)


def test_what_is_said_of_one_special_is_true() -> None:
    chance = random.Random(2)
    checked: set[str] = set()
    for _ in range(600):
        space, plays = random_space(chance)
        facts = [fact for fact in facts_of_space(space) if "card" in fact.fields]
        for fact in facts if len(plays) == 1 else ():
            (play,) = plays
            was, now = play.lead(play.before), play.lead(play.after)
            effect = fact.kind.rpartition("_")[2]
            claim = {
                "leads": was <= 0 < now, "more": now > 0 < was, "levels": was < 0 == now,
                "short": now < 0 > was, "holds": was == now == 0, "loses": was >= 0 >= now and was != now,
                "off": was < 0 and now < 0, "away": was >= 0 >= now, "surely": was > 0 < now,
                "lead": was > 0 == now, "level": was == now == 0, "draw": was == now, "discard": was == now,
            }  # fmt: skip
            assert claim.get(effect, was <= 0 < now), fact
            checked.add(effect)
            assert flags_of(fact, "passed", "tied", "better", "worse", "same") == {
                *(["passed"] if was < 0 < now else ["tied"] if was == 0 else []),
                ("better", "worse", "same")[[1, -1, 0].index(sign_of(play))],
            }
    assert len(checked) >= 12


def sign_of(play: Play) -> int:
    change = play.after[play.side] - play.before[play.side]
    return (change > 0) - (change < 0)


def test_an_answer_is_of_the_same_kind_and_takes_back_what_was_taken() -> None:
    chance = random.Random(3)
    answers = 0
    for _ in range(1500):
        space, plays = random_space(chance)
        if len(plays) == 2 and plays[0].side != plays[1].side:
            for fact in (fact for fact in space.facts() if "_answered" in fact.kind):
                answers += 1
                first, second = plays
                assert first.power == second.power and seat_of(fact) == second.side
                assert ("alike" in fact.fields) == (rank_of(first.card) == rank_of(second.card))
                assert ("won" in fact.fields) == (first.lead(first.before) <= 0 < first.lead(first.after))
    assert answers > 5


def random_course(chance: random.Random) -> list[list[int]]:
    """Return how many spaces each side holds after each of the five."""
    held, course = [0, 0], []
    for _ in range(SPACES):
        holder = chance.choice([0, 1, NOBODY])
        held = [held[side] + (holder == side) for side in (0, 1)]
        course.append(held)
    return course


def test_what_is_said_of_the_end_is_true() -> None:
    chance = random.Random(4)
    for _ in range(400):
        course = random_course(chance)
        fact = end(course)
        if fact.kind in ("end_level", "end_empty"):
            assert course[-1][0] == course[-1][1]
            leads = [held[seat_of(fact)] - held[1 - seat_of(fact)] for held in course]
            worst = min(leads)
            assert fact.fields.get("deficit") == (-worst if worst <= -2 else None)
            assert worst <= -2 or max(leads) < 2
            continue
        winner = seat_of(fact)
        leads = [held[winner] - held[1 - winner] for held in course]
        assert leads[-1] > 0
        assert ("all" in fact.fields) == (course[-1][winner] == SPACES)
        assert ("open" in fact.fields) == (leads[-2] <= 1)
        assert ("behind" in fact.fields) == (min(leads) < 0)
        assert ("last" in fact.fields) == (leads[-2] == 0)
        assert "late" not in fact.fields or (leads[-2] >= 2 and leads[-1] == leads[-2] - 1)
        assert -int(str(fact.fields.get("deficit", -min(0, *leads)))) == min(0, *leads)


CLAIMS = {  # words of a phrase, and the conditions that justify them
    r"\b(?:level|ahead|led) again\b": {"again", "caught", "final"},
    r"\bas well[.,]": {"again"},
    r"\bNow it was\b": {"overtook"},
    r"\bswept the field|All five": {"all"},
    r"hardly have been closer": {"open"},
    r"\bas before\b|\bas level as\b": {"again", "idle", "won"},
    r"\bfor nothing\b|\bNeither gained by\b": {"idle"},
    r"\bNobody had\b(?! the)|\bno card for\b|\bnothing to (?:play|put|be done)": {"-"},
    r"\bnext to nothing\b|\baway:": {"little", "hardly"},
    r"\bwould decide it\b": {"decided"},
    r"\blet it stand\b|\bplayed nothing more\b": {"unanswered"},
    r"\blast word\b": {"last_word"},
    r"\bfought over .*; ": {"exchange"},
    r"\bcome from behind\b": {"behind"},
    r"\bin spite of\b$": {"-"},
    r"\ball \{places\} battles|nothing left to fight": {"last"},
    r"\bthe last \{next_count\}|\bat the last\b": {"final"},
    r"\bhad not won one\b": {"none"},
    r"\bEven \{beaten|still too strong": {"better"},
    r"\b(?:beat it|decided it) all the same\b": {"doomed"},
    r"from then on": {"later"},
    r"That tore": {"direct"},
    r"lost nobody|not paid for it|\bnothing\b": {"whole", "hardly"},
}


def test_a_sentence_about_a_space_of_field_of_honour_names_its_holder_and_states_nothing_twice() -> None:
    holder = ("plain_close", "plain_held", "plain_wide", "won_by", "fought_held", "fought_answered", "held_")
    for kind, lines in phrases_of("en", "field-of-honour").items():
        for line in lines:
            if kind.startswith((*holder, "fought_off", "thrown_away")):
                assert re.search(r"\{side[.}]", line), line
            if kind.startswith(("swap_", "double_", "rally_", "redeploy", "drawn_")):
                assert len(re.findall(r"\{side(?:\.s)?\}", line)) < 2, line
                assert "other cards" not in line, line  # it can be a single card
            if kind.startswith("lost_both"):
                assert "had won" not in line, line  # the sentence before says so
            if kind.endswith("_end"):
                assert re.search(
                    r"\{(?:won|lost)\}|day|enough for|both were|had won\.|was \{side.s\}", line
                ), line
            assert not re.search(r"\bdrew \{(?:side|player)\}", line), line


def test_no_side_waits_for_the_other_where_neither_was_before() -> None:
    for kind in ("meet_place", "meet_when", "meet_place_when"):
        for line in phrases_of("en", "wargame")[kind]:
            assert "waiting" not in line and "held" not in line, line


@pytest.mark.parametrize("rules", ["wargame", "field-of-honour"])
def test_a_word_that_claims_more_than_its_event_has_a_condition(rules: str) -> None:
    for kind, lines in phrases_of("en", rules).items():
        is_counted = kind.endswith("_counted")
        for line in lines if is_counted or not kind.startswith(("lost_", "many_", "meet", "place_")) else ():
            for claim, needed in CLAIMS.items():
                if ("whole" in needed) == is_counted and re.search(claim, line):
                    assert {*CONDITION.findall(line)} & needed, (kind, line)


def test_the_score_before_a_turning_point_counts_no_cards_in_hands_that_can_differ() -> None:
    # In Strategy WAR, `left` is a number of rounds, and each side can begin with another number of cards.
    counted = [phrase for phrase in phrases_of("en", "strategy-war")["turn_before"] if "{left" in phrase]
    assert counted
    assert not [phrase for phrase in counted if "card" in phrase or "hand" in phrase]


def test_plain_episodes_of_one_side_share_a_sentence_and_none_is_lost() -> None:
    chance = random.Random(6)
    for winners in winners_of(6):
        episodes = [
            episode._replace(is_plain=chance.random() < 0.7, weight=chance.randint(0, 60))
            for episode in episodes_of(winners)
        ]
        beats = choose_beats(episodes, [], {}, 9)
        assert [episode for beat in beats for episode in beat.episodes] == episodes
        assert len(beats) >= LEAST
        for beat in beats:
            assert len(beat.episodes) == 1 or (
                not beat.is_full
                and all(episode.is_plain for episode in beat.episodes)
                and len({tuple(episode.winners) for episode in beat.episodes}) == 1
            )


def test_a_story_of_any_shape_passes_over_nothing_but_whole_episodes_and_ends_with_the_last() -> None:
    chance = random.Random(7)
    for shape, winners in product(SHAPES, [*winners_of(7)][::5]):
        episodes = [
            episode._replace(weight=chance.randint(0, 60), facts=[episode.short] * chance.randint(1, 4))
            for episode in episodes_of(winners)
        ]
        beats = choose_highlights(episodes, [episode.weight for episode in episodes], shape, 9)
        assert [episode for beat in beats for episode in beat.episodes] == episodes
        assert [beat.first for beat in beats] == [episodes.index(beat.episodes[0]) for beat in beats]
        assert not beats[-1].is_passed and len(beats[-1].episodes) == 1
        told = [beat for beat in beats if not beat.is_passed]
        assert sum(len(beat.episodes[0].facts) if beat.is_full else 1 for beat in told) <= 9
        assert sum(beat.is_full for beat in told) <= shape.full
        assert not shape.is_late or told[0].first >= len(episodes) // 2


def test_what_is_said_of_the_lead_between_two_highlights_is_true() -> None:
    chance = random.Random(8)
    for _ in range(3000):
        before, after = ([chance.randint(0, 6) for _ in range(chance.choice([2, 3]))] for _ in (0, 1))
        after = (after + after)[: len(before)]
        fact = bridge_fact(before, after)
        if not fact.kind:
            continue
        side, rival = seat_of(fact), seat_of(fact, "rival")
        if fact.kind == "bridge_level":
            assert before[rival] > before[side] and after[side] == after[rival] == fact.fields["even"]
            continue
        assert leaders(after) == (side,) and fact.fields["lead"] == after[side]
        assert after[rival] == max(after[:side] + after[side + 1 :])
        assert fact.fields.get("behind", 0) == after[rival]
        if "passed" in fact.fields:
            assert leaders(before) == (seat_of(fact, "passed"),) == (rival,)
        if fact.kind == "bridge_ahead":
            assert len(set(before)) == 1
        elif fact.kind == "bridge_away":
            assert leaders(before) == (side,) and len(before) == 2
            assert after[side] - after[rival] > before[side] - before[rival]
        else:
            assert fact.kind == "bridge_passed" and leaders(before) != (side,)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_phrase_about_losses_says_that_a_side_goes_home(rules: str) -> None:
    """The winners often stay in the place of the battle."""
    lines = [
        line for kind, lines in phrases_of("en", rules).items() if kind.startswith("lost_") for line in lines
    ]
    assert lines and not [line for line in lines if "went home" in line]

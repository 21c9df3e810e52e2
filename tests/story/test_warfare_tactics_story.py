"""A story of Warfare Tactics claims only what the events of its battle show."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import Event
from cardbattle.core.chance import stream
from cardbattle.core.telling import Fact, Name, Plot, Scene
from cardbattle.rules.warfare_tactics import RULES
from cardbattle.rules.warfare_tactics.state import VALUES, total
from cardbattle.rules.warfare_tactics.story import LULL, Piles
from cardbattle.rules.warfare_tactics.turns import SCORING, card_of, rank_of
from cardbattle.story.beats import SHAPES, choose_highlights, weights_of
from cardbattle.story.language import language, phrases_of
from cardbattle.story.naming import side_names
from cardbattle.story.story import fitting, since_turn, threads_for, without_known_lead
from cardbattle.story.teller import Teller

HOUSES: list[dict[str, object]] = [
    {}, {}, {}, {"quiet_turns": 5, "target_retreats": False},
    {"play_and_attack": True, "seven_is_free": True}, {}, {}, {}, {}, {}, {},
]  # fmt: skip
BATTLES = [
    *range(len(HOUSES)),
    15,
    24,
    33,
    36,
    51,
    100,
    106,
    117,
    118,
]  # the last ones have captives, lost leads and a late SWITCH
EVEN = 100  # from this battle on, both commanders are equal again
EVENTS_OF = {
    "seven": "called_seven", "seven_free": "called_seven", "switch": "switched", "switch_poor": "switched",
    "attack": "attacked", "attack_captured": "attacked", "took_card": "took", "drew_back": "compensated",
}  # fmt: skip
NAMING = (
    "attack",
    "attack_captured",
    "seven",
    "seven_free",
    "switch",
    "switch_poor",
    "switch_plain",
)  # name their turn
PREFIXES = {"won_": "won", "long_": "won", "rout_": "won", "surrender_": "surrendered"}


@cache
def battle(number: int) -> tuple[list[Event], Plot]:
    """Return the events and the plot of a battle."""
    weak = "green" if 4 < number < EVEN else "regular"  # loses cards to the enemy
    table: dict[str, dict[str, object]] = {"s0": {"commander": "regular"}, "s1": {"commander": weak}}
    plan = read_battle(
        {"rules": "warfare-tactics", "seed": number, "sides": table, "house": HOUSES[number % len(HOUSES)]}
    )
    _, referee = fight_battle(plan)
    events = [event for _, event in referee.events]
    plot = RULES.plot(plan.setup, events)
    assert plot is not None
    return events, plot


def seat_of(fact: Fact, field: str = "side") -> int:
    name = fact.fields[field]
    assert isinstance(name, Name)
    return name.seat


@pytest.mark.parametrize("number", BATTLES)
def test_the_values_of_the_discard_piles_are_those_of_the_battle(number: int) -> None:
    piles = Piles()
    for event in battle(number)[0]:
        piles.take(event)
        if event.kind == "turn_begun":
            assert piles.values == event.fields["discard_totals"]


@pytest.mark.parametrize("number", BATTLES)
def test_facts_of_a_turn_stand_in_the_order_of_their_events_and_name_it_once(number: int) -> None:
    events, plot = battle(number)
    for episode in plot.episodes:
        at = episode.first
        for fact in episode.facts:
            prefix = next((kind for start, kind in PREFIXES.items() if fact.kind.startswith(start)), "")
            kind = EVENTS_OF.get(fact.kind, prefix)
            if kind:
                at = next((n for n in range(at, episode.last + 1) if events[n].kind == kind), len(events))
                assert at < len(events), episode.facts
        naming = [fact.fields for fact in episode.facts if fact.kind in NAMING]
        assert ["turn" in fields for fields in naming] == [True] + [False] * (len(naming) - 1)
        assert ["then" in fields for fields in naming] == [False] + [True] * (len(naming) - 1)


@pytest.mark.parametrize("number", BATTLES)
def test_nothing_happened_in_the_turns_of_a_lull(number: int) -> None:
    events, plot = battle(number)
    busy, turn = set(), 0
    scores: dict[int, list[int]] = {}
    for event in events:
        if event.kind == "turn_begun":
            turn = int(str(event.fields["turn"]))
            fields, piles = event.fields["totals"], event.fields["discard_totals"]
            scores[turn - 1] = [fields[side] + piles[1 - side] for side in (0, 1)]  # type: ignore[index]
        elif event.kind in ("attacked", "called_seven", "switched"):
            busy.add(turn)
    scores[turn] = events[-1].fields["scores"]  # type: ignore[assignment]
    begun = {event.fields["turn"]: event for event in events if event.kind == "turn_begun"}
    attacks = [
        max(int(str(n)) for n, begin in begun.items() if events.index(begin) < place)
        for place, event in enumerate(events)
        if event.kind == "attacked"
    ]
    facts = [fact for episode in plot.episodes for fact in episode.facts] + [*plot.ending]
    for fact in facts:
        if fact.kind in ("lull", "lull_seven", "lull_at_end"):
            since, until = int(str(fact.fields["since"])), int(str(fact.fields["until"]))
            assert fact.fields["turns"] == until - since + 1 >= LULL
            assert not busy & {*range(since, until + 1)}
            assert ("later" in fact.fields) == (since > 1) == (since - 1 in busy)
            assert (until + 1 in busy) == (fact.kind != "lull_at_end")
            if fact.kind == "lull_seven":
                assert fact.fields["seven"] == since - 1 and since - 1 not in attacks
                if "side" in fact.fields:
                    is_own = seat_of(fact) == seat_of(fact, "caller")
                    assert ("own" in fact.fields, "theirs" in fact.fields) == (is_own, not is_own)
                assert ("only" in fact.fields) == (min(busy) == since - 1)
            if fact.kind != "lull_at_end":
                assert ("first" in fact.fields) == (min(attacks) > until)
                decks = [begun[n].fields["deck_sizes"] not in ([0], [0, 0]) for n in (since, until + 1)]
                assert ("dry" in fact.fields) == ("first" in fact.fields and decks == [True, False])
            if "side" in fact.fields:
                side = seat_of(fact)
                standing = scores[until][side], scores[until][1 - side]
                if until + 1 in begun:
                    monsters = [len(cards) for cards in begun[until + 1].fields["battlefields"]]  # type: ignore[attr-defined]
                    counts = fact.fields["monsters"], fact.fields["rivals_monsters"]
                    assert counts == (monsters[side], monsters[1 - side])
                assert standing == (fact.fields["mine"], fact.fields["other"]) and standing[0] > standing[1]
            else:
                assert scores[until] == [fact.fields["level"]] * 2


@pytest.mark.parametrize("number", BATTLES)
def test_what_is_said_of_an_attack_is_true(number: int) -> None:
    events, plot = battle(number)
    for episode in plot.episodes:
        told = events[episode.first : episode.last + 1]
        declared = next((event for event in told if event.kind == "attacked"), None)
        if declared is None:
            assert not episode.winners
            continue
        added = [event for event in told if event.kind in ("countered", "recalled")]
        counts = [1 + sum(event.side == side for event in added) for side in (0, 1)]
        for fact in episode.facts:
            if fact.kind.startswith(("won_", "long_")):
                won = next(event for event in told if event.kind == "won")
                loser = 1 - won.side
                assert fact.fields["mine"] == won.fields["totals"][won.side]  # type: ignore[index]
                assert fact.fields["count"] == len(won.fields["cards"]) == counts[loser]  # type: ignore[arg-type]
                assert fact.fields["thrown"] == sum(counts) == int(str(fact.fields["added"])) + 2
                assert ("quick" in fact.fields) == (sum(counts) <= 4)
                assert ("unanswered" in fact.fields) == (counts[loser] == 1)
            elif fact.kind == "had_trailed":
                side = seat_of(fact)
                gaps = [event.fields["totals"][1 - side] - event.fields["totals"][side] for event in added]  # type: ignore[index]
                assert fact.fields["deficit"] == max(gaps)
            elif "retreat_" in fact.kind:
                (cards,) = (event.fields["cards"] for event in told if event.kind == "retreated")
                price = sum(event.kind in ("took", "buried") for event in told)
                assert fact.fields.get("discarded", 0) == len(cards)  # type: ignore[arg-type]
                assert fact.fields["count"] == len(cards) + price  # type: ignore[arg-type]
                assert (fact.kind == "retreat_free") == (fact.fields["count"] == 0)
                assert fact.kind == "retreat_free" or ("unpriced" in fact.fields) == (not price)
                if "switch" not in episode.short.kind:
                    assert episode.short.fields["count"] == fact.fields["count"]


@pytest.mark.parametrize("number", BATTLES)
def test_a_special_move_costs_and_brings_what_its_events_show(number: int) -> None:
    events, plot = battle(number)
    facts = [fact for episode in plot.episodes for fact in episode.facts]
    drawn = [event.fields["count"] for event in events if event.kind == "seven_drawn"]
    assert [fact.fields["count"] for fact in facts if fact.kind.startswith(("seven", "lull_seven"))] == drawn
    piles = Piles()
    switches = iter([fact for fact in facts if fact.kind.startswith("switch")])
    for event in events:
        before = [*piles.values]
        piles.take(event)
        if event.kind == "switched":
            fact, paid = next(switches), total(event.fields["paid"])  # type: ignore[arg-type]
            assert fact.fields["given"] == before[event.side] + paid
            assert fact.fields["got"] == before[1 - event.side]
            gain = before[event.side] + paid - before[1 - event.side]
            assert fact.kind == ("switch" if gain > 0 else "switch_poor" if gain else "switch_plain")
    assert next(switches, None) is None


@pytest.mark.parametrize("number", BATTLES)
def test_what_is_said_of_a_turn_at_a_glance_is_true(number: int) -> None:
    events, plot = battle(number)
    captured: dict[int, tuple[int, int]] = {}  # by the reference: who took a card, and in which turn
    attacks: dict[int, tuple[int, Event, dict[int, tuple[int, int]]]] = {}
    turn = 0
    for place, event in enumerate(events):
        if event.kind == "turn_begun":
            turn = int(str(event.fields["turn"]))
        elif event.kind == "attacked":
            attacks[turn] = place, event, dict(captured)
        for card, side in changes_of_sides(event):
            captured[card] = side, turn
    facts = [(episode, fact) for episode in plot.episodes for fact in (*episode.facts, episode.short)]
    for episode, fact in facts:
        told = events[episode.first : episode.last + 1]
        if "since" in fact.fields and "card" in fact.fields:
            _, declared, before = attacks[turn_of(told)]
            card = int(str(declared.fields["card"]))
            assert before[card] == (declared.side, fact.fields["since"])
        if fact.kind in ("seesaw", "replies"):
            _, declared, _ = attacks[turn_of(told)]
            added = [event for event in told if event.kind in ("countered", "recalled")]
            if fact.kind == "replies":
                (reply, second) = added[:2]
                assert (reply.side, second.side) == (1 - declared.side, declared.side)
                assert seat_of(fact) == declared.side
                cards = [
                    each.fields["drawn" if each.kind == "recalled" else "card"] for each in (reply, second)
                ]
                assert [fact.fields["reply"], fact.fields["second"]] == [card_of(int(str(c))) for c in cards]
                assert ("only" in fact.fields) == (len(added) == 2)
            else:
                side = declared.side
                start = [VALUES[int(str(declared.fields[name]))] for name in ("card", "target")]
                gaps = [start[0] - start[1]]
                gaps += [each.fields["totals"][side] - each.fields["totals"][1 - side] for each in added]  # type: ignore[index]
                ahead = [gap > 0 for gap in gaps if gap]
                assert fact.fields["changes"] == sum(a != b for a, b in pairwise(ahead))
        if fact.kind in ("seven", "lull_seven") and "back" in fact.fields:
            caller = seat_of(fact, "caller" if "caller" in fact.fields else "side")
            called = next(at for at, event in enumerate(events) if event.kind == "called_seven")
            starts = [
                event for event in events[called:] if event.kind == "turn_begun" and event.side == caller
            ]
            turns = [int(str(event.fields["turn"])) for event in starts[:2]]
            assert turns[0] == fact.fields["back"]
            ends = [events.index(event) for event in starts[:2]] + [len(events)]
            returned = [
                event.fields["card"] for event in events[ends[0] : ends[1]] if event.kind == "returned"
            ]
            assert {*events[called].fields["paid"]} <= {*returned}  # type: ignore[misc]
        if fact.kind in ("clinched", "glimpse_clinched"):
            added = [event for event in told if event.kind in ("countered", "recalled")]
            side = seat_of(fact)
            totals: list[list[int]] = [event.fields["totals"] for event in added]  # type: ignore[misc]
            assert added[-1].side == side and totals[-2][side] < totals[-2][1 - side]
            assert fact.fields["was"] == totals[-2][side]
            assert (fact.fields["mine"], fact.fields["other"]) == (totals[-1][side], totals[-1][1 - side])
            last = added[-1].fields["drawn" if added[-1].kind == "recalled" else "card"]
            assert fact.fields["last"] == card_of(int(str(last)))
        if fact.kind == "glimpse_failed":
            won = next(event for event in told if event.kind == "won")
            mine, other = (won.fields["totals"][side] for side in (won.side, 1 - won.side))  # type: ignore[index]
            assert fact.fields["short"] == mine - other > 0
            assert won.side != next(event.side for event in told if event.kind == "attacked")
        if fact.kind in ("captured", "glimpse_captured"):
            moved = [card_of(card) for event in told for card, _ in changes_of_sides(event, took=False)]
            prizes = fact.fields["prizes"]
            assert isinstance(prizes, list) and all(prize in moved for prize in prizes)
            assert ("among" in fact.fields) == (len(moved) > len(prizes)) == ("whole" not in fact.fields)
        if "small" in fact.fields:
            declared = next(event for event in told if event.kind == "attacked")
            values = [VALUES[int(str(declared.fields[name]))] for name in ("card", "target")]
            assert values[0] <= 4 and values[1] >= 11
        if fact.kind == "glimpse_giant":
            lost = next(event for event in told if event.kind in ("won", "surrendered", "retreated"))
            assert declared.side == seat_of(fact)
            assert declared.fields["target"] in lost.fields["cards"]  # type: ignore[operator]
            added = [event for event in told if event.kind in ("countered", "recalled")]
            assert ("lone" in fact.fields) == all(event.side != declared.side for event in added)
        if fact.kind == "glimpse_emptied":
            after = next(
                event for event in events[episode.last + 1 :] if event.kind in ("turn_begun", "ended")
            )
            begun = [event for event in told if event.kind == "turn_begun"][-1]
            fields = [begun.fields["battlefields"], after.fields["battlefields"]]
            loser = 1 - seat_of(fact)
            assert [bool(field[loser]) for field in fields] == [True, False]  # type: ignore[index]
            assert len(fields[0][loser]) > 1  # type: ignore[index]


def changes_of_sides(event: Event, *, took: bool = True) -> list[tuple[int, int]]:
    """Return the cards that an event gives to the other side, and that side."""
    cards, side = event.fields.get("cards"), event.side
    if event.kind == "took" and took:
        return [(int(str(event.fields["card"])), side)]
    if event.kind == "surrendered" or (event.kind == "won" and event.fields["rout"]):
        return [(card, side if event.kind == "won" else 1 - side) for card in cards]  # type: ignore[attr-defined]
    return []


def turn_of(told: list[Event]) -> int:
    return int(str([event.fields["turn"] for event in told if event.kind == "turn_begun"][-1]))


@pytest.mark.parametrize("number", BATTLES)
def test_what_is_said_of_a_battle_as_a_whole_is_true(number: int) -> None:
    events, plot = battle(number)
    results = [event for event in events if event.kind in ("won", "surrendered", "retreated")]
    best = [event.side if event.kind == "won" else 1 - event.side for event in results]
    for fact in plot.hooks:
        if fact.kind == "one_sided":
            assert best == [seat_of(fact)] * int(str(fact.fields["count"]))
        elif fact.kind == "captives":
            moved = [side for event in events for _, side in changes_of_sides(event, took=False)]
            assert moved.count(seat_of(fact)) == fact.fields["count"]
    for episode in plot.episodes:
        place = episode.last + 1
        after = [event for event in events[place:] if event.kind in ("turn_begun", "ended")]
        assert [*episode.standings[0]] == [*episode.scores] == score_at(after[0])
        assert all([*scores] in map(score_at, after) for scores in episode.standings)


def score_at(event: Event) -> list[int]:
    if event.kind == "ended":
        return [*event.fields["scores"]]  # type: ignore[misc]
    fields, piles = event.fields["totals"], event.fields["discard_totals"]
    return [fields[side] + piles[1 - side] for side in (0, 1)]  # type: ignore[index]


@pytest.mark.parametrize("number", BATTLES)
def test_what_a_thread_says_of_the_score_is_true(number: int) -> None:
    events, plot = battle(number)
    begun = [event for event in events if event.kind in ("turn_begun", "ended")]
    begun_at = [place for place, event in enumerate(events) if event in begun]
    after = {turn: score_at(event) for turn, event in enumerate(begun)}  # the score after each turn
    fields = {turn: event.fields["battlefields"] for turn, event in enumerate(begun)}
    for scene, fact in facts_of_threads(plot):
        side, values = seat_of(fact), fact.fields
        leads = {turn: scores[side] - scores[1 - side] for turn, scores in after.items()}
        if fact.kind.startswith("swing_"):
            told = events[begun_at[scene.turn - 1] + 1 : begun_at[scene.turn]]
            scoring = [event.kind for event in told if event.kind in (*SCORING, "called_seven", "switched")]
            assert ("fight" in values) == (scoring == ["attacked"])
            if "back" in values:
                declared = next(place for place, event in enumerate(told) if event.kind == "attacked")
                returned = [event for event in told[:declared] if event.kind == "returned"]
                assert {event.side for event in returned} == {side}
                assert values["back"] == [card_of(int(str(event.fields["card"]))) for event in returned]
            assert fact.kind.endswith("_back") == ("back" in values)
            was, now = after[scene.turn - 1], after[scene.turn]
            assert (values["was"], values["theirs_was"]) == (was[side], was[1 - side])
            assert (values["now"], values["theirs_now"]) == (now[side], now[1 - side])
            assert values["gain"] == leads[scene.turn] - leads[scene.turn - 1]
            assert leads[scene.turn] > 0
            assert fact.kind.startswith("swing_flip") == (leads[scene.turn - 1] < 0)
            assert ("level" in values) == (leads[scene.turn - 1] == 0)
            assert ("ahead" in values) == (leads[scene.turn - 1] > 0)
            assert ("scored" in values) == (min(was) > 0)
            bare = [bool(fields[turn][1 - side]) for turn in (scene.turn - 1, scene.turn)]  # type: ignore[index]
            assert ("bare" in values) == (bare == [True, False])
        elif fact.kind == "had_led":
            assert (values["mine"], values["other"]) == (after[scene.turn][side], after[scene.turn][1 - side])
            assert leads[scene.turn] >= 20
            assert ("best" in values) == (leads[scene.turn] == max(leads.values()))
            assert ("here" in values) != ("turn" in values)
            fought = {fight.turn for fight in fights_of(events)}
            assert scene.turn in fought or (
                fields[scene.turn][side]  # type: ignore[index]
                and (scene.turn, 1 - side) not in turns_of(events, "called_seven")
            )
        elif fact.kind == "switch_vain":
            assert values["behind"] == -leads[scene.turn] > 0
            (switch,) = turns_of(events, "switched")[scene.turn, side]
            paid: list[int] = events[switch].fields["paid"]  # type: ignore[assignment]
            origins: list[str] = events[switch].fields["origins"]  # type: ignore[assignment]
            own = [card for card, origin in zip(paid, origins, strict=True) if origin == "battlefield"]
            given, got = int(str(values["given"])), int(str(values["got"]))
            shift = (given - got - total(own)) + (given - total(paid) - got)  # of its own score, the enemy's
            assert int(str(values["was"])) - int(str(values["behind"])) == shift > 0
            later = {event.kind for event in events[switch + 1 : events.index(begun[scene.turn])]}
            assert not later & {"posted", "returned", "attacked", "discarded", "exchanged", "dismissed"}
        elif fact.kind == "nearest":
            turn = int(str(values["turn"]))
            assert values["left"] == -leads[turn] > 0 and leads[max(leads)] < leads[turn]
            assert turn == scene.turn
    end = plot.ending[-1]
    if "due" in end.fields:
        side, due = seat_of(end), int(str(end.fields["due"]))
        gains = {turn: after[turn][side] - after[turn][1 - side] for turn in (due - 1, due)}
        if end.kind == "end_turned":
            assert not plot.threads and gains[due - 1] <= -20
            standing = [after[due - 1][seat] for seat in (side, 1 - side)]
            assert [end.fields["was"], end.fields["theirs_was"]] == standing
        assert end.fields["gain"] == gains[due] - gains[due - 1] > int(str(end.fields["lead"]))


def turns_of(events: list[Event], kind: str) -> dict[tuple[int, int], list[int]]:
    """Return the places of all events of a kind, by their turn and their side."""
    places: dict[tuple[int, int], list[int]] = {}
    turn = 0
    for place, event in enumerate(events):
        if event.kind == "turn_begun":
            turn = int(str(event.fields["turn"]))
        elif event.kind == kind:
            places.setdefault((turn, event.side), []).append(place)
    return places


def facts_of_threads(plot: Plot) -> list[tuple[Scene, Fact]]:
    return [(scene, fact) for thread in plot.threads for scene in thread.scenes for fact in scene.facts]


class Fight(NamedTuple):
    """A result of an attack: the turn, who had the worst of it and how, and the number of cards lost."""

    turn: int
    place: int
    loser: int
    sort: str
    cards: int
    is_unforced: bool


def fights_of(events: list[Event]) -> list[Fight]:
    fights: list[Fight] = []
    turn, totals = 0, [0, 0]
    for place, event in enumerate(events):
        cards = event.fields.get("cards")
        count = len(cards) if isinstance(cards, list) else 0
        if event.kind == "turn_begun":
            turn = int(str(event.fields["turn"]))
        elif event.kind == "attacked":
            totals[event.side] = VALUES[int(str(event.fields["card"]))]
            totals[1 - event.side] = VALUES[int(str(event.fields["target"]))]
        elif event.kind in ("countered", "recalled"):
            totals = [*event.fields["totals"]]  # type: ignore[misc]
        elif event.kind == "won":
            fights.append(Fight(turn, place, 1 - event.side, "beaten", count, False))
        elif event.kind in ("retreated", "surrendered"):
            is_ahead = totals[event.side] > totals[1 - event.side]
            sort = "retreats" if event.kind == "retreated" else "surrenders"
            fights.append(Fight(turn, place, event.side, sort, count, is_ahead))
        elif event.kind in ("took", "buried"):
            fights[-1] = fights[-1]._replace(cards=fights[-1].cards + 1)
    return fights


@pytest.mark.parametrize("number", BATTLES)
def test_what_a_thread_says_of_several_fights_is_true(number: int) -> None:
    events, plot = battle(number)
    fights = fights_of(events)
    for scene, fact in facts_of_threads(plot):
        side, values = seat_of(fact), fact.fields
        if fact.kind.startswith("before_"):
            told = [fight for fight in fights if fight.turn <= int(str(values["until"]))]
            wins = sum(fight.loser != side for fight in told)
            assert (values["count"], values["wins"]) == (len(told), wins)
            assert values["losses"] == len(told) - wins <= wins
            kind = "all" if wins == len(told) else "even" if 2 * wins == len(told) else "most"
            assert fact.kind == f"before_{kind}"
            assert ("start" in values) == (2 * len(told) <= len(fights))
            if kind == "all":
                assert ("broken" in values) == any(fight.loser == side for fight in fights)
            assert ("two" in values, "many" in values) == (len(told) == 2, len(told) > 2)
        elif fact.kind.startswith("tally_"):
            until, count = int(str(values["until"])), int(str(values["count"]))
            lost = [fight for fight in fights if fight.loser != side and fight.turn <= until]
            told, earlier = lost[-count:], lost[:-count]
            assert len(told) == count and sum(fight.cards for fight in told) == values.get("cards", 0)
            sorts = [fight.sort for fight in told]
            for sort in ("retreats", "surrenders", "beaten"):
                assert values.get(sort, 0) == sorts.count(sort)
            assert fact.kind in (f"tally_{sorts[0]}", f"tally_{sorts[0]}_target", "tally_mixed")
            if fact.kind == "tally_retreats_target":
                turns = [fight.turn for fight in told]
                attacks = [event for event in events if event.kind == "attacked"]
                aims = [event for event, fight in zip(attacks, fights, strict=True) if fight.turn in turns]
                assert {event.side for event in aims} == {side}
                ranks = {rank_of(card_of(int(str(event.fields["target"])))) for event in aims}
                assert ranks == {rank_of(values["target"])}
            assert (fact.kind == "tally_mixed") == (len({*sorts}) > 1)
            assert ("both" in values) == ({*sorts} == {"retreats", "surrenders"})
            if "later" in values and "early" not in values:
                assert not [fight for fight in fights if fight.loser != side and fight.turn > until]
            assert ("more" not in values) or earlier
            assert ("every" in values) != ("some" in values)
            if "every" in values:
                span = [fight for fight in fights if told[0].turn <= fight.turn <= until]
                assert {fight.loser for fight in span} == {1 - side}
            if "early" in values and "later" not in values:
                assert not earlier
        elif fact.kind in ("unforced", "bluffed"):
            fight = next(fight for fight in fights if fight.turn == scene.turn)
            assert fight.is_unforced and fight.loser != side
            assert int(str(values["other"])) > int(str(values["mine"]))
        elif fact.kind == "all_unforced":
            gifts = [fight.is_unforced for fight in fights if fight.loser != side]
            assert values["count"] == sum(gifts)
            assert scene.last == fights[-1].place or scene.last > fights[-1].place
        elif fact.kind == "answered":
            turn = int(str(values["turn"]))
            names = {"SEVEN": "called_seven", "SWITCH": "switched"}
            calls = [turns_of(events, names[str(values[name])]) for name in ("first", "second")]
            called = [call[turn, seat] for call, seat in zip(calls, (1 - side, side), strict=True)]
            assert called[0][0] < called[1][0] and turn < min(fight.turn for fight in fights)
            for name, (first, *_) in zip(("theirs", "paid"), called, strict=True):
                paid = [card_of(card) for card in events[first].fields["paid"]]  # type: ignore[attr-defined]
                assert values.get(name, []) == paid
        elif fact.kind == "hoard":
            piles = Piles()
            for event in events[: scene.last + 1]:
                piles.take(event)
            switched = [event for event in events if event.kind == "switched" and event.side == side]
            between = events[scene.last + 1 : events.index(switched[0])]
            for event in between:
                piles.take(event)
            assert values["points"] == piles.values[side]
        elif fact.kind == "capture":
            turn = int(str(values["turn"]))
            places = [place for place, event in enumerate(events) if event.kind == "turn_begun"]
            told_events = events[places[turn - 1] : [*places, len(events)][turn]]
            moved = [(card_of(card), to) for event in told_events for card, to in changes_of_sides(event)]
            assert (values["card"], side) in moved


@pytest.mark.parametrize("number", BATTLES)
def test_a_thread_is_in_order_and_describes_no_turn_twice(number: int) -> None:
    plot = battle(number)[1]
    switches = [fact for episode in plot.episodes for fact in episode.facts if fact.kind == "switch"]
    final = plot.episodes[-1].standings[-1]
    gains = {
        fact.fields["given"]
        for fact in switches
        if 5 * (int(str(fact.fields["given"])) - int(str(fact.fields["got"]))) >= abs(final[0] - final[1])
    }
    for thread in plot.threads:
        scenes = [scene for scene in thread.scenes if scene.turn and "turn" in scene.facts[0].fields]
        described = [scene.turn for scene in scenes if scene.facts[0].kind not in ("had_led", "nearest")]
        assert len(described) == len({*described})
        facts = [fact for scene in thread.scenes for fact in scene.facts]
        assert gains <= {fact.fields.get("given") for fact in facts}  # otherwise, the score has no cause
        for before, after in pairwise(thread.scenes):
            assert not (before.turn and after.turn) or before.turn <= after.turn, thread


@pytest.mark.parametrize("number", BATTLES)
def test_fights_that_came_after_a_turn_were_all_after_it(number: int) -> None:
    events, plot = battle(number)
    fights = fights_of(events)
    for thread in plot.threads:
        for before, after in pairwise(thread.scenes):
            for fact in after.facts:
                if fact.kind.startswith("tally_") and "later" in fact.fields:
                    until, count = int(str(fact.fields["until"])), int(str(fact.fields["count"]))
                    lost = [
                        each.turn for each in fights if each.loser != seat_of(fact) and each.turn <= until
                    ]
                    assert lost[-count] > before.turn, thread


@pytest.mark.parametrize("number", BATTLES)
def test_no_turn_is_told_after_a_tally_of_later_fights(number: int) -> None:
    """A SWITCH is the exception, because the fights on both sides of it can be in one tally."""
    for thread in battle(number)[1].threads:
        until = 0
        for scene in thread.scenes:
            is_switch = any("given" in fact.fields for fact in scene.facts)
            assert not scene.turn or is_switch or scene.turn > until, thread
            for fact in scene.facts:
                if fact.kind.startswith("tally_"):
                    until = int(str(fact.fields["until"]))


def test_the_battles_have_what_the_laws_are_about() -> None:
    """Otherwise, the laws above would hold for lack of cases."""
    plots = [battle(number)[1] for number in BATTLES]
    facts = [fact for plot in plots for _, fact in facts_of_threads(plot)]
    facts += [fact for plot in plots for each in plot.episodes for fact in (*each.facts, each.short)]
    facts += [plot.ending[-1] for plot in plots]
    kinds = {fact.kind for fact in facts}
    assert {"answered", "switch_vain", "nearest", "all_unforced", "had_led", "end_turned"} <= kinds
    conditions = {(fact.kind, name) for fact in facts for name in fact.fields}
    assert {
        ("lull_seven", "own"), ("lull_seven", "theirs"), ("swing_away", "ahead"),
        ("tally_retreats", "some"), ("tally_mixed", "more"), ("captured", "whole"), ("glimpse_giant", "lone"),
        ("swing_away", "fight"), ("swing_away_back", "back"), ("swing_flip_back", "back"),
        ("seven_back", "back"), ("lull_seven", "back"), ("answered", "swapped"), ("seesaw", "changes"),
        ("replies", "reply"), ("tally_retreats_target", "target"), ("attack_captured", "since"),
    } <= conditions  # fmt: skip


def test_a_phrase_presupposes_nothing_that_no_condition_ensures() -> None:
    phrases = phrases_of("en", "warfare-tactics")
    claims = {
        r"more fights": "more.if", r"of the fights after that": "some.if",
        r"[Tt]he first (two|{count})": "broken.if",
        r"took on|fell to a mere": "lone.if", r"side\.s} now": "whole.if",
        r"another fight|[Mm]issed it|both sides|one of them had nothing": "nothing",
    }  # fmt: skip
    for kind, lines in phrases.items():
        if kind.startswith(("tally_", "before_all", "hook_", "glimpse_giant", "capture", "end_", "rout_")):
            for line in lines:
                for claim, condition in claims.items():
                    assert not re.search(claim, line) or f"{{{condition}}}" in line, line


def test_a_phrase_credits_a_change_of_the_score_to_a_fight_only_if_nothing_else_changed_it() -> None:
    phrases = phrases_of("en", "warfare-tactics")
    claims = r"\bSo\b|lead was gone too|It put"
    for kind in ("swing_flip", "swing_away", "swing_flip_back", "swing_away_back"):
        assert not [line for line in phrases[kind] if re.search(claims, line) and "{fight.if}" not in line]


def test_a_phrase_does_not_say_that_a_side_without_monsters_has_nothing_left() -> None:
    """A side that lost all its monsters can still hold cards, and turns without its attack are not a wait."""
    phrases = phrases_of("en", "warfare-tactics")
    lines = [line for kind in ("lost_all", "lost_winner_all", "attack") for line in phrases[kind]]
    assert not [line for line in lines if re.search("nothing left|everything|waited", line)]


def test_a_phrase_tells_a_change_of_the_difference_as_such() -> None:
    for kind, lines in phrases_of("en", "warfare-tactics").items():
        for line in lines:
            if "{gain}" in line:
                assert re.search("difference|lead grew", line), (kind, line)


def test_a_tally_of_surrenders_does_not_say_whose_attacks_they_were() -> None:
    phrases = phrases_of("en", "warfare-tactics")
    assert not [line for line in phrases["tally_surrenders"] if "attack" in line]


def test_a_phrase_says_that_the_price_of_a_switch_is_in_the_pile() -> None:
    for line in phrases_of("en", "warfare-tactics")["switch"]:
        assert re.search("with them|with these|the price among them", line), line


def test_a_phrase_calls_a_card_captive_or_small_only_if_it_is() -> None:
    claims = {r"captive|captured|old (?:comrades|masters)|until turn": "since", r"\bmere\b|feared": "small"}
    for line in phrases_of("en", "warfare-tactics")["attack"]:
        for claim, condition in claims.items():
            if re.search(claim, line):
                assert f"{{{condition}" in line, line


def test_phrases_count_the_pile_of_a_retreat_only_if_that_was_its_whole_cost() -> None:
    phrases = phrases_of("en", "warfare-tactics")
    for kind in ("retreat_attacker", "retreat_defender"):
        for line in phrases[kind]:
            assert "{discarded}" not in line or "{unpriced.if}" in line, line


def test_several_turns_are_counted_in_fights_because_a_defender_wins_some() -> None:
    for kind, lines in phrases_of("en", "warfare-tactics").items():
        if kind.startswith("run_"):
            assert not [line for line in lines if "attack" in line], kind


@pytest.mark.parametrize("number", BATTLES)
def test_a_switch_that_brought_points_is_told_in_every_shape(number: int) -> None:
    """Without it, the score comes from nowhere."""
    episodes = battle(number)[1].episodes
    switched = {at for at, each in enumerate(episodes) if any(fact.kind == "switch" for fact in each.facts)}
    assert all(episodes[at].short.kind in ("switch", "switch_vain", "glimpse_switch") for at in switched)
    for shape in SHAPES:
        beats = choose_highlights(episodes, weights_of(episodes, [0], {}), shape, 9)
        told = {beat.first for beat in beats if not beat.is_passed}
        first = len(episodes) // 2 if shape.is_late else 0
        assert {at for at in switched if at >= first} <= told


def test_a_story_counts_the_turns_since_the_turn_that_it_described_before() -> None:
    scenes = [Scene([Fact("attack", {"turn": turn})], turn=turn) for turn in (3, 4, 9, 30)]
    facts = [since_turn(after.facts, after.turn - before.turn)[0] for before, after in pairwise(scenes)]
    assert [fact.fields.keys() - {"turn"} for fact in facts] == [{"next"}, {"gap"}, set()]
    assert facts[1].fields["gap"] == 5
    assert since_turn([Fact("swing_away", {})], 2) == [Fact("swing_away", {})]


@pytest.mark.parametrize("number", [pytest.param(410, marks=pytest.mark.slow), 33])
def test_a_captured_card_is_named_again_unless_its_capture_was_the_last_sentence(number: int) -> None:
    _, plot = battle(number)
    kinds = [[fact.kind for scene in thread.scenes for fact in scene.facts] for thread in plot.threads]
    for before, after in (pair for each in kinds if "capture" in each for pair in pairwise(each)):
        assert after != "attack_captive" or before == "capture"
        assert after != "attack_captured" or before != "capture"
    assert number != 410 or any(each[1:4] == ["capture", "switch", "attack_captured"] for each in kinds)


def test_a_long_story_leaves_out_the_scenes_of_the_highest_rank() -> None:
    facts = [Fact("", {})] * 2
    scenes = [Scene(facts, rank=rank) for rank in (0, 2, 1, 2)]
    assert [scene.rank for scene in fitting(scenes, 6)] == [0, 2, 1]
    assert [scene.rank for scene in fitting(scenes, 5)] == [0, 1]
    assert [scene.rank for scene in fitting(scenes, 0)] == [0]


def test_a_story_for_a_side_is_told_from_its_side() -> None:
    for number in BATTLES:
        threads = battle(number)[1].threads
        for viewer in (0, 1):
            assert {thread.hero for thread in threads_for(threads, viewer)} <= {viewer}


def test_what_is_lost_is_not_said_to_be_on_the_field() -> None:
    """In this game, the monsters on the field are what a side still has."""
    for kind, lines in phrases_of("en", "warfare-tactics").items():
        assert not [line for line in lines if "strength on the field" in line], kind


@pytest.mark.parametrize(
    ("hand", "extra"), [(6, ["KS", "KH", "KD"]), (6, ["KS", "KH"]), (8, ["KS"]), (8, [])]
)
def test_the_larger_hand_is_the_one_that_was_dealt_more_cards(hand: int, extra: list[str]) -> None:
    """Extra cards are in the hand from the start."""
    table: dict[str, dict[str, object]] = {"s0": {"hand": 8}, "s1": {"hand": hand, "extra": extra}}
    ranks = {key: {**side, "commander": "green"} for key, side in table.items()}
    house: dict[str, object] = {"turn_limit": 2}
    plan = read_battle({"rules": "warfare-tactics", "seed": 1, "sides": ranks, "house": house})
    events = [event for _, event in fight_battle(plan)[1].events]
    dealt = [int(str(event.fields["count"])) for event in events if event.kind == "dealt"]
    plot = RULES.plot(plan.setup, events)
    facts = [fact.fields for fact in plot.opening if fact.kind == "hands_unequal"] if plot else []
    counts = {str(fact[word]): fact[count] for fact in facts for word, count in HANDS.items()}
    assert counts == ({} if dealt[0] == dealt[1] else {str(Name(seat)): dealt[seat] for seat in (0, 1)})
    assert all(int(str(fact["count"])) > int(str(fact["fewer"])) for fact in facts)


HANDS = {"side": "count", "rival": "fewer"}  # the fields of a fact about hands: whose, and how many cards


@pytest.mark.parametrize("seed", range(12))
def test_an_ending_does_not_repeat_the_lead_of_the_sentence_before(seed: int) -> None:
    words, sides = language("en", "warfare-tactics"), side_names(["York", "Kent"])
    phrases = {"before": ["{side} led by {lead}."], **phrases_of("en", "warfare-tactics")}
    end = Fact("end_close", {"side": Name(0), "rival": Name(1), "mine": 185, "other": 177, "lead": 8})
    teller = Teller(words, phrases, sides, stream(seed, "story"))
    assert teller.tell(Fact("before", {"side": Name(0), "lead": 8}))
    assert teller.tell(without_known_lead(teller, end))
    assert "eight" not in teller.sentences[-1].text and "177" in teller.sentences[-1].text
    assert without_known_lead(teller, end) == end

"""A story of Warfare Tactics claims only what the events of its battle show."""

from __future__ import annotations

from functools import cache

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import Event
from cardbattle.core.telling import Fact, Name, Plot
from cardbattle.rules.warfare_tactics import RULES
from cardbattle.rules.warfare_tactics.state import total
from cardbattle.rules.warfare_tactics.story import LULL, Piles

HOUSES: list[dict[str, object]] = [
    {}, {}, {}, {"quiet_turns": 5, "target_retreats": False},
    {"play_and_attack": True, "seven_is_free": True},
]  # fmt: skip
BATTLES = range(len(HOUSES))
EVENTS_OF = {
    "seven": "called_seven", "seven_free": "called_seven", "switch": "switched", "switch_poor": "switched",
    "attack": "attacked", "took_card": "took", "drew_back": "compensated",
}  # fmt: skip
NAMING = ("attack", "seven", "seven_free", "switch", "switch_poor", "switch_plain")  # name their turn
PREFIXES = {"won_": "won", "long_": "won", "rout_": "won", "surrender_": "surrendered"}


@cache
def battle(number: int) -> tuple[list[Event], Plot]:
    """Return the events and the plot of a battle."""
    table: dict[str, dict[str, object]] = {f"s{n}": {"commander": "regular"} for n in range(2)}
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
    facts = [fact for episode in plot.episodes for fact in episode.facts] + [*plot.ending]
    for fact in facts:
        if fact.kind in ("lull", "lull_at_end"):
            since, until = int(str(fact.fields["since"])), int(str(fact.fields["until"]))
            assert fact.fields["turns"] == until - since + 1 >= LULL
            assert not busy & {*range(since, until + 1)}
            assert ("later" in fact.fields) == (since > 1) == (since - 1 in busy)
            assert (until + 1 in busy) == (fact.kind == "lull")
            if "side" in fact.fields:
                side = seat_of(fact)
                standing = scores[until][side], scores[until][1 - side]
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
                assert fact.fields["thrown"] == sum(counts)
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
                assert episode.short.fields["count"] == fact.fields["count"]


@pytest.mark.parametrize("number", BATTLES)
def test_a_special_move_costs_and_brings_what_its_events_show(number: int) -> None:
    events, plot = battle(number)
    facts = [fact for episode in plot.episodes for fact in episode.facts]
    drawn = [event.fields["count"] for event in events if event.kind == "seven_drawn"]
    assert [fact.fields["count"] for fact in facts if fact.kind.startswith("seven")] == drawn
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

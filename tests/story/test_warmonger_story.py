"""A story of Warmonger claims only what the events of its battle show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import Event
from cardbattle.core.telling import Episode, Fact, Name, Plot
from cardbattle.rules.warmonger import RULES
from cardbattle.story.beats import Beat
from cardbattle.story.runs import run_fact
from cardbattle.story.story import standing_fact

BATTLES = [(sides, seed) for sides in (2, 3, 5) for seed in range(3)]
SCORES = ("marked", "supplied", "recounted", "turned_up")  # events that change a score
EVENTS_OF = {
    "card_strike": "marked", "card_strike_bust": "marked", "card_promote": "marked", "card_save": "marked",
    "card_promote_alone": "marked",
    "card_supply": "supplied",
    "card_exchange": "recounted", "card_march": "turned_up", "card_scout": "scouted",
    "card_retreat": "retreated", "card_vetoed": "vetoed", "tied_once": "battle_tied",
    "tied_many": "battle_tied", "tied_last": "battle_tied", "ceased": "ceased", "out": "eliminated",
    "out_raid": "eliminated", "out_skirmish": "eliminated",
}  # fmt: skip
PREFIXES = {"cause_": "war_declared", "won_": "war_won", "nobody_": "war_lost"}


@cache
def events_of(sides: int, seed: int) -> list[Event]:
    table: dict[str, dict[str, object]] = {f"s{n}": {"commander": "regular"} for n in range(sides)}
    if seed == 2:
        table["s0"] = {"robot": "echo"}
    _, referee = fight_battle(read_battle({"rules": "warmonger", "seed": seed, "sides": table}))
    return [event for _, event in referee.events]


@cache
def plot_of(sides: int, seed: int) -> Plot:
    return RULES.plot(None, events_of(sides, seed))  # type: ignore[arg-type]


def facts_about(kinds: Sequence[str]) -> list[tuple[Fact, Episode, list[Event]]]:
    """Return the facts of these kinds in all battles, with their episodes and the events of these."""
    return [
        (fact, episode, events_of(*battle)[episode.first : episode.last + 1])
        for battle in BATTLES
        for episode in plot_of(*battle).episodes
        for fact in episode.facts
        if fact.kind in kinds
    ]


def seats_in(value: object) -> list[int]:
    names = value if isinstance(value, list) else [value]
    return [name.seat for name in names if isinstance(name, Name)]


@pytest.mark.parametrize("battle", BATTLES)
def test_every_episode_is_a_war_and_every_war_is_an_episode(battle: tuple[int, int]) -> None:
    """Tallies count episodes, so an ordinary skirmish or a Provocation that widens a War is none."""
    wars, skirmish = set(), 0
    for event in events_of(*battle):
        skirmish += event.kind == "revealed"
        if event.kind == "war_declared":
            wars.add(skirmish)
    plot = plot_of(*battle)
    assert len(plot.episodes) == len(wars)
    assert plot.ending[-1].fields.get("wars") == len(wars)


@pytest.mark.parametrize("battle", BATTLES)
def test_facts_of_a_war_stand_in_the_order_of_their_events(battle: tuple[int, int]) -> None:
    events = events_of(*battle)
    for episode in plot_of(*battle).episodes:
        at = episode.first - 1
        for fact in episode.facts:
            prefix = next((kind for start, kind in PREFIXES.items() if fact.kind.startswith(start)), "")
            kind = EVENTS_OF.get(fact.kind, prefix)
            if kind:
                at = next((n for n in range(at + 1, episode.last + 1) if events[n].kind == kind), len(events))
                assert at < len(events), episode.facts


def test_another_battle_is_mentioned_only_if_cards_were_laid_for_it() -> None:
    for fact, _, events in facts_about(["tied_once", "tied_many", "tied_last"]):
        places = [n for n, event in enumerate(events) if event.kind == "battle_tied"]
        is_refought = any(event.kind == "laid" for event in events[places[-1] :])
        assert is_refought == (fact.kind != "tied_last")
        assert seats_in(fact.fields["sides"]) == events[places[-1]].fields["sides"]


def test_claims_about_a_bust_and_about_overtaking_follow_the_order_of_scoring() -> None:
    kinds = ["won_bust", "won_some_bust", "won_by_one", "won_score"]
    for fact, _, events in facts_about(kinds):
        start = max(n for n, event in enumerate(events) if event.kind in ("battle_tied", "war_declared"))
        scored = [
            (n, event) for n, event in enumerate(events) if event.kind in ("stood", "busted") and n > start
        ]
        places = {event.side: n for n, event in scored}
        end = max(n for n, event in enumerate(events) if event.kind == "war_won")
        final = [event.side for event in events[max(places.values()) : end] if event.kind in SCORES]
        (winner,) = seats_in(fact.fields["side"])
        for seat in seats_in(fact.fields.get("reckless")):
            assert events[places[seat]].kind == "busted" and seat not in final
        for seat in seats_in(fact.fields["busted"]) if "watched" in fact.fields else []:
            assert places[winner] < places[seat] and winner not in final
        if "overtook" in fact.fields:
            (rival,) = seats_in(fact.fields["rival"])
            assert places[rival] < places[winner] and not {rival, winner} & set(final)


def test_a_cease_fire_robs_nobody_of_a_victory_but_another_side() -> None:
    for fact, _, _ in facts_about(["ceased"]):
        assert fact.fields.get("leader") != fact.fields["side"]


@pytest.mark.parametrize("battle", BATTLES)
def test_the_smallest_army_of_the_winner_is_that_of_the_log(battle: tuple[int, int]) -> None:
    for fact in plot_of(*battle).ending:
        if fact.kind == "lowest":
            (seat,) = seats_in(fact.fields["side"])
            sizes = [event.fields["sizes"][seat] for event in events_of(*battle) if event.kind == "revealed"]  # type: ignore[index]
            assert sizes.index(min(sizes)) + 1 == fact.fields["skirmish"]
            assert min(sizes) == fact.fields["least"]


@pytest.mark.parametrize("battle", BATTLES)
def test_the_last_elimination_is_described_once(battle: tuple[int, int]) -> None:
    plot = plot_of(*battle)
    out = [fact for episode in plot.episodes for fact in episode.facts if fact.kind.startswith("out")]
    gone = [seat for fact in out for seat in seats_in(fact.fields.get("gone", fact.fields.get("side")))]
    gone += seats_in(plot.ending[-1].fields.get("gone"))
    assert sorted(gone) == sorted(event.side for event in events_of(*battle) if event.kind == "eliminated")


@pytest.mark.parametrize("battle", BATTLES)
def test_only_a_side_ahead_of_all_others_leads_after_a_run(battle: tuple[int, int]) -> None:
    episodes = plot_of(*battle).episodes
    for last in range(2, len(episodes) + 1):
        fact = run_fact(episodes, Beat(episodes[:last], False, 0), battle[0])
        scores = episodes[last - 1].scores
        ahead = [Name(seat) for seat, score in enumerate(scores) if score == max(scores)]
        leader = fact.fields.get(
            "leader", fact.fields["rival"] if "ahead" in fact.fields else fact.fields["side"]
        )
        if {"lead", "ahead"} & fact.fields.keys():
            assert last < len(episodes) and [leader] == ahead
            assert fact.fields.get("lead", fact.fields.get("ahead")) == max(scores)


@pytest.mark.parametrize("battle", BATTLES)
def test_a_war_gives_the_lead_only_to_a_side_that_was_not_ahead_before_it(battle: tuple[int, int]) -> None:
    """Ordinary skirmishes also move cards, so the armies are those with which the skirmish began."""
    events = events_of(*battle)
    sizes = {n: event.fields["sizes"] for n, event in enumerate(events) if event.kind == "revealed"}
    episodes = plot_of(*battle).episodes
    for at, episode in enumerate(episodes):
        fact = standing_fact(episodes, at)
        if fact.kind == "now_ahead" and {"earned", "again"} & fact.fields.keys():
            (side,) = seats_in(fact.fields["side"])
            war = next(n for n in range(episode.first, len(events)) if events[n].kind == "war_declared")
            ahead = [list(armies) for n, armies in sizes.items() if n <= war]  # type: ignore[call-overload]
            led = [armies[side] == max(armies) and armies.count(max(armies)) == 1 for armies in ahead]
            assert "earned" not in fact.fields or not led[-1]
            assert "again" not in fact.fields or any(led)


def test_a_raid_that_eliminates_a_side_takes_as_many_cards_as_the_log_says() -> None:
    for fact, _, events in facts_about(["out_raid"]):
        (side,) = seats_in(fact.fields["side"])
        raids = [event for event in events if event.kind == "raided" and event.fields["target"] == side]
        assert raids[-1].fields["count"] == fact.fields["loot"]

"""A story of Warmonger claims only what the events of its battle show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import Event
from cardbattle.core.telling import FULL, PASSED, Episode, Fact, Name, Plot, Scene, Score
from cardbattle.rules.warmonger import RULES
from cardbattle.rules.warmonger.box import name_of
from cardbattle.story.beats import Beat
from cardbattle.story.language import phrases_of
from cardbattle.story.runs import lead_facts, run_fact
from cardbattle.story.story import shape_facts, standing_fact

BATTLES = [*((sides, seed) for sides in (2, 3, 5) for seed in range(3)), (5, 28)]
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
ENDS = ("war_won", "war_lost", "ceased")  # events that end a War
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


def armies_after(events: Sequence[Event], episode: Episode) -> list[int]:
    """Return the armies right after the War of an episode, before the next skirmish of any kind."""
    declared = next(n for n in range(episode.first, len(events)) if events[n].kind == "war_declared")
    end = next(n for n in range(declared, len(events)) if events[n].kind in ENDS)
    after = next(event for event in events[end:] if event.kind in ("revealed", "ended"))
    return [*after.fields["sizes" if after.kind == "revealed" else "scores"]]  # type: ignore[misc]


def seats_in(value: object) -> list[int]:
    names = value if isinstance(value, list) else [value]
    return [name.seat for name in names if isinstance(name, Name)]


@pytest.mark.parametrize("battle", BATTLES)
def test_every_episode_is_a_war_and_every_war_is_an_episode(battle: tuple[int, int]) -> None:
    """Tallies count episodes, so an ordinary skirmish, or a Provocation that widens a War, does not count."""
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
        for seat in seats_in(fact.fields["rival"]) if "stopped" in fact.fields else []:
            assert face_down(events, start, places[seat], seat) > 0
        if "watched" in fact.fields:
            assert face_down(events, start, places[winner], winner) > 0
        if "overtook" in fact.fields:
            (rival,) = seats_in(fact.fields["rival"])
            assert places[rival] < places[winner] and not {rival, winner} & set(final)


def face_down(events: Sequence[Event], start: int, end: int, seat: int) -> int:
    """Return how many face-down cards a side has left at an event of a Battle."""
    own = [event for event in events[start:end] if event.side == seat]
    laid = sum(int(str(event.fields["down"])) for event in own if event.kind == "laid")
    return laid - sum(event.kind == "turned_up" for event in own)


def test_a_phrase_says_that_a_side_stopped_or_led_again_only_if_it_did() -> None:
    claims = {
        r"\bstopped\b": {"stopped", "watched"},
        r"\bagain\b(?!,)": {"again"},
        r"\bcould not stop\b": {"reckless"},
    }
    for kind, lines in phrases_of("en", "warmonger").items():
        for line in lines if kind.startswith(("won_", "now_")) else ():
            for claim, conditions in claims.items():
                if re.search(claim, line):
                    assert {*re.findall(r"\{(\w+)\.if\}", line)} & conditions, (kind, line)


def lost_in(fact: Fact) -> list[int]:
    """Return the sides that a fact about eliminations names."""
    return seats_in(fact.fields.get("gone") or fact.fields["side"])


@pytest.mark.parametrize("battle", BATTLES)
def test_an_elimination_is_dated_with_its_skirmish(battle: tuple[int, int]) -> None:
    """A sentence without a date would seem to belong to the War before it."""
    events = events_of(*battle)
    for fact in (fact for episode in plot_of(*battle).episodes for fact in episode.gone):
        for seat in lost_in(fact):
            out = next(n for n, e in enumerate(events) if e.kind == "eliminated" and e.side == seat)
            assert fact.fields["skirmish"] == sum(event.kind == "revealed" for event in events[:out])
    for kind, lines in phrases_of("en", "warmonger").items():
        if kind.startswith(("gone", "short_out", "out_skirmish")):
            assert all("skirmish" in line for line in lines), kind


@pytest.mark.parametrize("battle", BATTLES)
def test_a_story_mentions_every_elimination_and_every_raid_that_changes_the_next_total(
    battle: tuple[int, int],
) -> None:
    events, plot = events_of(*battle), plot_of(*battle)
    wars = [episode for episode in plot.episodes if "skirmish" in episode.short.fields]
    gone = [seat for episode in plot.episodes for fact in episode.gone for seat in lost_in(fact)]
    gone += seats_in(plot.ending[-1].fields.get("gone"))
    if len(wars) > 1:
        assert sorted(gone) == sorted(event.side for event in events if event.kind == "eliminated")
    for episode in plot.episodes:
        out = [fact for fact in episode.facts if fact.kind.startswith("out") or fact.kind.endswith("_out")]
        named = {
            seat
            for fact in out
            for field in ("gone", "side", "sides")
            for seat in seats_in(fact.fields.get(field))
        }
        assert {seat for fact in episode.gone for seat in lost_in(fact)} <= named
        told = [fact for fact in episode.facts if fact.kind in ("raid", "raid_saved")]
        end = next(
            (
                n
                for n in range(episode.first, len(events))
                if events[n].kind in ("war_won", "war_lost", "ceased")
            ),
            None,
        )
        if end is None:
            continue
        until = next(
            (n for n in range(end, len(events)) if events[n].kind in ("revealed", "ended")), len(events)
        )
        raids = [event for event in events[end:until] if event.kind == "raided"]
        lost = {event.side for event in events[end:until] if event.kind == "eliminated"}
        assert len(told) == (bool(raids) and raids[-1].fields["target"] not in lost)
        for fact in told:
            assert seats_in(fact.fields["side"]) == [raids[-1].side]
            assert fact.fields["loot"] == raids[-1].fields["count"]


def test_a_raid_that_was_the_lifeline_is_told_once_with_the_last_stand() -> None:
    raids = facts_about(["raid", "raid_saved"])
    assert {fact.kind for fact, _, _ in raids} == {"raid", "raid_saved"}
    for fact, episode, events in raids:
        (side,) = seats_in(fact.fields["side"])
        raid = max(n for n, event in enumerate(events) if event.kind == "raided" and event.side == side)
        own = [event.kind for event in events[:raid] if event.side == side]
        assert (own[-2:] == ["last_stand", "announced"]) == (fact.kind == "raid_saved")
        kinds = [other.kind for other in episode.facts]
        assert fact.kind == "raid" or "saved" not in kinds
        if "saved" not in kinds or episode.facts[kinds.index("saved")].fields["lost"] != fact.fields["rival"]:
            continue
        stand = max(n for n, event in enumerate(events) if event.kind == "last_stand")
        assert (kinds.index("raid") < kinds.index("saved")) == (raid < stand)


def test_a_side_without_a_card_to_lay_had_one_if_the_war_was_tied_before() -> None:
    """In one sentence, as in full, it lacks a card for another Battle, not for the War."""
    kinds = set()
    for battle in BATTLES:
        events = events_of(*battle)
        for episode in plot_of(*battle).episodes:
            if episode.short.kind.startswith("short_won_no_cards"):
                ties = [
                    each for each in events[episode.first : episode.last + 1] if each.kind == "battle_tied"
                ]
                assert episode.short.kind.endswith("_tied") == bool(ties)
                assert episode.short.fields.get("level") == (ties[-1].fields["score"] if ties else None)
                kinds.add(episode.short.kind)
    assert "short_won_no_cards_tied" in kinds


def test_a_last_stand_does_not_tell_what_comes_later() -> None:
    """The story goes on from there, and the side can be saved again."""
    for kind in ("saved", "stand_then"):
        assert not [line for line in phrases_of("en", "warmonger")[kind] if "{more}" in line]


@pytest.mark.parametrize("battle", BATTLES)
def test_a_deficit_is_the_largest_of_all_skirmishes(battle: tuple[int, int]) -> None:
    """Ordinary skirmishes between two Wars also change the armies."""
    events, episodes = events_of(*battle), plot_of(*battle).episodes
    sizes = [event.fields["sizes"] for event in events[episodes[0].last :] if event.kind == "revealed"]
    (winner,) = seats_in(plot_of(*battle).ending[-1].fields["side"])
    leads = [army[winner] - max(army[:winner] + army[winner + 1 :]) for army in sizes]  # type: ignore[index]
    for fact in shape_facts(episodes, [winner], has_comeback=False):
        if fact.kind == "comeback":
            assert fact.fields["deficit"] == -min(leads)
    for last in range(2, len(episodes) + 1) if battle[0] == 2 else ():
        places = [
            n for n in range(episodes[0].last, episodes[last - 1].last + 2) if events[n].kind == "revealed"
        ]
        for fact in lead_facts(episodes, 1, last - 1) if last > 2 else ():
            if fact.kind in ("run_comeback", "run_closing_in"):
                (side,) = seats_in(fact.fields["side"])
                within = [events[n].fields["sizes"] for n in places]
                lows = [army[side] - army[1 - side] for army in within]  # type: ignore[index]
                assert fact.fields["deficit"] == -min(lows)


def test_a_result_repeats_no_scores_that_an_exchange_has_given() -> None:
    won = [kind for kind in phrases_of("en", "warmonger") if kind.startswith("won_")]
    for fact, episode, _ in facts_about(won):
        before = episode.facts[episode.facts.index(fact) - 1]
        if fact.kind == "won_over":
            assert before.fields["side"] == fact.fields["side"]
            assert before.fields["score"] == fact.fields["score"]
        if fact.kind == "won_told" and before.kind != "card_exchange":
            assert before.kind == "card_retreat"
            continue
        scores = {name: before.fields.get(field) for name, field in (("side", "score"), ("target", "theirs"))}
        told = {seat: score for name, score in scores.items() for seat in seats_in(before.fields.get(name))}
        (winner,), rivals = seats_in(fact.fields["side"]), seats_in(fact.fields.get("rival"))
        if before.kind == "card_exchange" and rivals:
            assert (fact.kind == "won_told") == (
                told == {winner: fact.fields.get("score"), rivals[0]: fact.fields.get("other")}
                and not fact.fields.get("busted")
            )
        elif fact.kind == "won_told":
            assert told[winner] == fact.fields["score"] and "theirs_bust" in before.fields


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
        scores = armies_after(events_of(*battle), episodes[last - 1])
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
            assert "again" not in fact.fields or (any(led) and not led[-1])


def test_a_raid_that_eliminates_a_side_takes_as_many_cards_as_the_log_says() -> None:
    for fact, _, events in facts_about(["out_raid"]):
        (side,) = seats_in(fact.fields["side"])
        raids = [event for event in events if event.kind == "raided" and event.fields["target"] == side]
        assert raids[-1].fields["count"] == fact.fields["loot"]


@pytest.mark.parametrize("battle", [battle for battle in BATTLES if battle[0] == 2])
def test_armies_after_several_wars_are_those_right_after_the_last(battle: tuple[int, int]) -> None:
    """Later skirmishes without a War, and eliminations in them, do not count."""
    events, episodes = events_of(*battle), plot_of(*battle).episodes
    for first in range(len(episodes)):
        for count in range(2, len(episodes) - first):
            after = armies_after(events, episodes[first + count - 1])
            for fact in lead_facts(episodes, first, count):
                (side,) = seats_in(fact.fields["side"])
                for field, seat in (
                    ("lead", side),
                    ("trail", side),
                    ("behind", 1 - side),
                    ("ahead", 1 - side),
                ):
                    assert fact.fields.get(field, after[seat]) == after[seat]


def scores_before(events: Sequence[Event], place: int) -> dict[int, int]:
    """Return the scores of a Battle before an event; -1 for a side that is Bust."""
    scores: dict[int, int] = {}
    for event in events[:place]:
        if event.kind in ("battle_tied", "war_declared"):
            scores = {}
        elif event.kind in ("stood", "busted", *SCORES) and (event.side in scores or event.kind in STANDS):
            scores[event.side] = int(str(event.fields.get("score", -1)))
    return scores


STANDS = ("stood", "busted")
STROKES = {
    "glimpse_march": "turned_up", "glimpse_strike": "marked", "glimpse_exchange": "recounted",
    "glimpse_save": "marked",
}  # fmt: skip


@pytest.mark.parametrize("battle", BATTLES)
def test_what_is_said_of_a_war_at_a_glance_is_true(battle: tuple[int, int]) -> None:
    events = events_of(*battle)
    for episode in plot_of(*battle).episodes:
        fact = episode.short
        if not fact.kind.startswith("glimpse_"):
            continue
        start = next(n for n in range(episode.first, len(events)) if events[n].kind == "war_declared")
        end = next(n for n in range(start, len(events)) if events[n].kind in ENDS)
        skirmish = sum(event.kind == "revealed" for event in events[:start])
        assert fact.fields["skirmish"] == skirmish
        final = scores_before(events, end)
        check_glance(fact, events, start, end, final)


def check_glance(fact: Fact, events: Sequence[Event], start: int, end: int, final: dict[int, int]) -> None:
    """Check a fact about a War, which was declared and ended at these places."""
    (side,) = seats_in(fact.fields["side"])
    if fact.kind == "glimpse_ceased":
        (leader,) = seats_in(fact.fields["leader"])
        best = max(final.values())
        assert leader != side and final[leader] == best == fact.fields["score"]
        assert [*final.values()].count(best) == 1
        return
    assert events[end].kind == "war_won" and events[end].side == side
    if fact.kind == "glimpse_saved":
        after = next(event for event in events[end:] if event.kind == "revealed")
        (lost,) = seats_in(fact.fields["lost"])
        stands = [event.side for event in events[end : events.index(after)] if event.kind == "last_stand"]
        assert lost in stands and after.fields["sizes"][lost] == int(str(fact.fields["count"])) > 0  # type: ignore[index]
        return
    if "score" in fact.fields:
        assert fact.fields["score"] == final[side]
    others = [score for seat, score in final.items() if seat != side]
    changes = [n for n in range(start, end) if events[n].kind in SCORES and events[n].side in final]
    if fact.kind in STROKES or fact.kind == "glimpse_turned":
        last = changes[-2] if fact.kind == "glimpse_exchange" else changes[-1]
        before = scores_before(events, last)
        assert before.keys() == final.keys()  # all had scored
        assert events[last].kind == STROKES.get(fact.kind, events[last].kind)
        if fact.kind == "glimpse_save":
            assert before[side] == -1 < final[side]
        elif fact.kind == "glimpse_turned":
            assert fact.fields["before"] == before[side] <= max(others) < final[side]
        else:
            (rival,) = seats_in(fact.fields["rival"])
            assert fact.fields["theirs_before"] == before[rival]
            left = fact.fields.get("left", -1 if "fallen" in fact.fields else 0)
            assert left == final[rival] < final[side]
            if fact.kind == "glimpse_exchange":
                assert 0 < int(str(fact.fields["mine_before"])) == before[side] < before[rival]
            else:
                assert before[rival] > final[side]
    ties = [event.fields["score"] for event in events[start:end] if event.kind == "battle_tied"]
    if fact.kind == "glimpse_vetoed":
        check_last_veto(fact, events[start:end], side)
    if fact.kind == "glimpse_tied":
        same = [fact.fields["same"]] * len(ties) if "same" in fact.fields else fact.fields["ties"]
        assert same == ties and fact.fields["count"] == len(ties) + 1 > 2
        assert ("same" in fact.fields) == (len({*map(str, ties)}) == 1)
    elif fact.kind == "glimpse_backfire":
        assert seats_in(fact.fields["caller"]) == [events[start].side] != [side]
        assert ("joker" in fact.fields) == (events[start].fields["cause"] == "joker")
    elif fact.kind == "glimpse_low":
        assert final[side] <= 10 and all(final[seat] == -1 for seat in seats_in(fact.fields["busted"]))
    elif fact.kind == "glimpse_haul":
        placed = next(event for event in events[end:] if event.kind == "placed" and event.side == side)
        assert placed.fields["count"] == fact.fields["haul"]


def check_last_veto(fact: Fact, events: Sequence[Event], side: int) -> None:
    """Check that the winner's Veto stopped the last card of a side that had already scored."""
    (rival,) = seats_in(fact.fields["rival"])
    last = max(
        n for n, event in enumerate(events)
        if event.kind == "vetoed" and name_of(int(str(event.fields["card"]))) != "Veto"
    )  # fmt: skip
    assert events[last].side == rival != side
    assert name_of(int(str(events[last].fields["card"]))) == fact.fields["design"]
    assert next(event.side for event in reversed(events[:last]) if event.kind == "announced") == side
    assert not [event for event in events[last:] if event.kind in SCORES]
    assert {rival, side} <= scores_before(events, last).keys()


@pytest.mark.slow
def test_a_veto_that_decided_a_war_or_ended_a_side_is_told() -> None:
    kinds = set()
    for battle in MANY_BATTLES:
        for episode in plot_of(*battle).episodes:
            kinds |= {fact.kind for fact in (*episode.facts, episode.short)}
            if episode.short.kind == "glimpse_vetoed":
                events = events_of(*battle)
                start = next(n for n in range(episode.first, len(events)) if events[n].kind == "war_declared")
                end = next(n for n in range(start, len(events)) if events[n].kind in ENDS)
                check_glance(episode.short, events, start, end, scores_before(events, end))
            for fact in (*episode.facts, episode.short):
                if fact.kind.endswith("_refused"):
                    check_refusal(fact, events_of(*battle))
    assert kinds >= {"glimpse_vetoed", "out_refused", "short_out_refused", "out_skirmish_refused"}


def check_refusal(fact: Fact, events: Sequence[Event]) -> None:
    """Check that the last Lifeline of an eliminated side was vetoed."""
    (side,) = seats_in(fact.fields["side"])
    out = next(n for n, event in enumerate(events) if event.kind == "eliminated" and event.side == side)
    start = max(
        n for n, event in enumerate(events[:out]) if event.kind == "last_stand" and event.side == side
    )
    refused = [event for event in events[start:out] if event.kind == "vetoed" and event.side == side]
    assert name_of(int(str(refused[-1].fields["card"]))) == fact.fields["design"] != "Veto"


@pytest.mark.parametrize("battle", BATTLES)
def test_a_last_stand_brought_as_many_cards_and_lasted_as_long_as_it_is_said(battle: tuple[int, int]) -> None:
    events, skirmish = events_of(*battle), 0
    armies: dict[int, list[int]] = {}
    stands: list[tuple[int, int]] = []
    for event in events:
        if event.kind == "revealed":
            skirmish += 1
            armies[skirmish] = event.fields["sizes"]  # type: ignore[assignment]
        elif event.kind == "last_stand":
            stands.append((event.side, skirmish))
    for fact in plot_of(*battle).ending:
        if fact.kind == "last_stand":
            (side,), at = seats_in(fact.fields["side"]), int(str(fact.fields["skirmish"]))
            assert (side, at) in stands and armies[at + 1][side] == fact.fields["count"]
            is_out = any(event.kind == "eliminated" and event.side == side for event in events)
            is_only = [seat for seat, _ in stands].count(side) == 1
            assert ("once" in fact.fields) == (is_only and is_out)
            assert ("victor" in fact.fields) == (side in seats_in(plot_of(*battle).ending[-1].fields["side"]))
            assert fact.fields["more"] == cards_until(events, side, at) - at
    for fact in scene_facts(battle):
        if fact.kind in ("saved", "stand_then"):
            (side,), at = seats_in(fact.fields["lost"]), int(str(fact.fields["skirmish"]))
            assert fact.fields["more"] == cards_until(events, side, at) - at


def cards_until(events: Sequence[Event], side: int, at: int) -> int:
    """Return the first skirmish after `at` in which a side lost its last card, or the last skirmish."""
    skirmish = 0
    for event in events:
        skirmish += event.kind == "revealed"
        is_without = event.kind in ("last_stand", "eliminated") and event.side == side
        if is_without and skirmish > at:
            return skirmish
    return skirmish


def scene_facts(battle: tuple[int, int]) -> list[Fact]:
    """Return the facts of all scenes of all threads, and of the episodes that the scenes describe in full."""
    plot = plot_of(*battle)
    scenes = [scene for thread in plot.threads for scene in thread.scenes]
    full = [scene for scene in scenes if scene.depth == FULL and scene.episodes]
    told = [fact for scene in full for fact in plot.episodes[scene.episodes[0]].facts]
    return [*told, *(fact for scene in scenes for fact in scene.facts)]


MANY_BATTLES = [*BATTLES, *((sides, seed) for sides in (2, 3, 5) for seed in range(3, 30))]


@pytest.mark.slow
def test_a_last_lifeline_that_was_vetoed_is_told_if_it_ended_the_battle() -> None:
    kinds = set()
    for battle in MANY_BATTLES:
        events, ending = events_of(*battle), plot_of(*battle).ending[-1]
        out = [n for n, event in enumerate(events) if event.kind == "eliminated"]
        rival = events[out[-1]].side
        stands = [n for n, event in enumerate(events) if event.kind == "last_stand" and event.side == rival]
        start = stands[-1] if stands else len(events)
        refused = [e for e in events[start : out[-1]] if e.kind == "vetoed" and e.side == rival]
        is_last = not any(event.kind == "revealed" for event in events[start : out[-1]])
        if ending.kind.startswith("end_refused"):
            assert refused and is_last and seats_in(ending.fields["rival"]) == [rival]
            assert name_of(int(str(refused[-1].fields["card"]))) == ending.fields["design"] != "Veto"
            answers = [e.side for e in events[start : out[-1]] if e.kind == "announced" and e.side != rival]
            assert {*answers} == {*seats_in(ending.fields["side"])}
            kinds.add(ending.kind)
        elif ending.kind in ("end_war", "end_skirmish", "end_last_of_many"):
            assert not (refused and is_last) or len(seats_in(ending.fields["gone"])) > 1
    assert kinds == {"end_refused", "end_refused_skirmish"}


@pytest.mark.slow
def test_what_a_war_did_to_an_army_leaves_out_the_cards_played_after_it() -> None:
    """A Raid after the War also changes the army, and the War then has no sentence about the change."""
    for battle in MANY_BATTLES:
        events, plot = events_of(*battle), plot_of(*battle)
        scenes = [scene for thread in plot.threads for scene in thread.scenes]
        for scene in scenes:
            for fact in scene.facts if scene.episodes else ():
                if fact.kind not in ("army_grew", "army_shrank"):
                    continue
                (side,) = seats_in(fact.fields["side"])
                episode = plot.episodes[scene.episodes[0]]
                start = next(n for n in range(episode.first, len(events)) if events[n].kind == "war_declared")
                end = next(n for n in range(start, len(events)) if events[n].kind in ENDS)
                until = next(n for n in range(end, len(events)) if events[n].kind in ("revealed", "ended"))
                for event in events[end:until]:
                    if event.kind in ("raided", "conscripted", "salvaged"):
                        assert side not in (event.side, event.fields.get("target"))
                assert episode.last < until  # the story of the War does not go on to a later skirmish


@pytest.mark.slow
def test_only_an_exchange_that_changed_a_score_leaves_a_side_with_it() -> None:
    seen = set()
    for battle in MANY_BATTLES:
        for fact in [fact for episode in plot_of(*battle).episodes for fact in episode.facts]:
            if fact.kind == "card_exchange":
                seen.add(flag := "changed" in fact.fields)
                assert flag == (fact.fields.get("theirs") != fact.fields["theirs_before"])
                assert ("rescued" in fact.fields) == (
                    fact.fields["mine_before"] == -1 and "bust" not in fact.fields
                )
    assert seen == {True, False}
    for line in phrases_of("en", "warmonger")["card_exchange"]:
        assert "left with" not in line or "{changed.if}" in line
        assert "{side:was|were} bust" not in line or "{rescued.if}" in line


@pytest.mark.slow
def test_a_raid_that_saves_its_player_and_eliminates_another_side_is_told_once() -> None:
    seen = 0
    for battle in [*MANY_BATTLES, (4, 71), (4, 111)]:
        for episode in plot_of(*battle).episodes:
            for fact in episode.facts:
                if fact.kind == "out_raid_saved":
                    seen += 1
                    raider = fact.fields["rival"]
                    told = [
                        other for other in episode.facts
                        if raider in (other.fields.get("lost"), other.fields.get("side"))
                    ]  # fmt: skip
                    assert not {"saved", "raid_saved"} & {other.kind for other in told}
    assert seen


def test_the_end_in_a_war_does_not_repeat_its_skirmish() -> None:
    """The sentence before is about this War, and names the skirmish."""
    phrases = phrases_of("en", "warmonger")
    for kind in ("end_war", "end_refused", "end_last_of_many"):
        assert not [line for line in phrases[kind] if "skirmish" in line]


def test_cards_that_saved_a_side_are_not_called_new_and_a_peak_only_compares_wars() -> None:
    """New cards are Warmonger cards, and between two Wars an army can be larger."""
    for kind, lines in phrases_of("en", "warmonger").items():
        if kind in ("saved", "stand_then", "glimpse_saved", "last_stand", "hook_last_stand"):
            words = r"\bnew\b|scraped|\braised\b"  # the Lifeline can be a Raid
            assert not [line for line in lines if re.search(words, line)], kind
        if kind in ("saved", "glimpse_saved"):
            assert all("Lifeline" in line for line in lines)
        if kind == "height":
            assert all("War" in line and "no " not in line for line in lines)


def test_the_scores_of_a_war_are_scores_so_that_0_is_nought() -> None:
    facts = [
        fact for battle in BATTLES for each in plot_of(*battle).episodes for fact in (*each.facts, each.short)
    ]
    scores = [fact.fields.get(field) for fact in facts for field in ("score", "other", "level", "same")]
    assert all(isinstance(score, Score) for score in scores if score == 0)
    assert any(score == 0 for score in scores)


def armies_of(events: Sequence[Event]) -> list[list[int]]:
    """Return the armies at each skirmish, from index 1, and at the end."""
    sizes = [event.fields["sizes"] for event in events if event.kind == "revealed"]
    return [[], *([*each] for each in sizes), [*events[-1].fields["scores"]]]  # type: ignore[misc]


def wars_of(events: Sequence[Event]) -> list[tuple[int, int, int]]:
    """Return the skirmish of each War, the side that called it, and its winner. No side is -1."""
    wars: list[tuple[int, int, int]] = []
    skirmish, caller, is_war = 0, -1, False
    for event in events:
        if event.kind == "revealed":
            skirmish, is_war = skirmish + 1, False
        elif event.kind == "war_declared":
            caller, is_war = event.side, True
        elif event.kind in ENDS and is_war:
            wars.append((skirmish, caller, event.side if event.kind == "war_won" else -1))
    return wars


@pytest.mark.parametrize("battle", [*BATTLES, *((sides, seed) for sides in (2, 4) for seed in range(6, 10))])
def test_what_a_thread_says_of_the_armies_is_true(battle: tuple[int, int]) -> None:
    events = events_of(*battle)
    armies, wars, plot = armies_of(events), wars_of(events), plot_of(*battle)
    assert len(wars) == len(plot.episodes)
    for thread in plot.threads:
        latest = armies[1]  # after the last War that the story described
        for scene in thread.scenes:
            for fact in scene.facts if scene.episodes or scene.turn or scene.last >= 0 else ():
                check_armies(fact, scene, armies, wars)
                if fact.kind in ("bridge_passed", "bridge_led"):
                    had_led = [seat for seat, size in enumerate(latest) if size == max(latest)]
                    assert (had_led == seats_in(fact.fields["side"])) == (fact.kind == "bridge_led")
                    following = next(
                        each for each in thread.scenes if each.episodes and each.last > scene.last
                    )
                    assert fact.fields["skirmish"] == wars[following.episodes[0]][0]
            if scene.episodes and scene.depth != PASSED:
                latest = armies[wars[scene.episodes[1]][0] + 1]


def check_armies(
    fact: Fact, scene: Scene, armies: Sequence[Sequence[int]], wars: Sequence[tuple[int, int, int]]
) -> None:
    """Check a fact of a thread against the armies at each skirmish, and the Wars."""
    fields = fact.fields
    (side,) = seats_in(fields["side"] if "side" in fields else fields["lost"])
    if fact.kind in ("army_grew", "army_shrank"):
        skirmish = wars[scene.episodes[0]][0]
        was, now = armies[skirmish][side], armies[skirmish + 1][side]
        assert (fields["was"], fields["now"], fields["count"]) == (was, now, abs(now - was))
        assert (fact.kind == "army_grew") == (now > was) and was and now and was != now
    elif fact.kind in ("lead", "lead_then"):
        skirmish, _, winner = wars[scene.episodes[0]]
        before, after = armies[skirmish], armies[skirmish + 1]
        ranked = sorted(after, reverse=True)
        assert (fields["lead"], fields["behind"]) == (after[side], ranked[1])
        assert ranked[0] == after[side] > ranked[1]
        assert all(after[seat] == ranked[1] for seat in seats_in(fields.get("rival")))
        assert all(before[seat] > before[side] for seat in seats_in(fields.get("passed")))
        assert all(after[seat] == fields["left"] for seat in seats_in(fields.get("former")))
        live = sum(size > 0 for size in after)
        assert ("two" in fields, "many" in fields) == (live == 2, live > 2)
        if fact.kind == "lead":
            assert winner == side and before[side] <= max(before[:side] + before[side + 1 :])  # type: ignore[operator]
    elif fact.kind == "height":
        after = armies[wars[int(str(fields["number"])) - 1][0] + 1]
        assert fields["count"] == after[side] == max(armies[war[0] + 1][side] for war in wars)
        assert ("largest" in fields) == ([*after].count(max(after)) == 1 and after[side] == max(after))
    elif fact.kind == "low_then":
        skirmish = int(str(fields["skirmish"]))
        assert fields["least"] == armies[skirmish][side] == min(each[side] for each in armies[1:-1])


@pytest.mark.parametrize("battle", BATTLES)
def test_a_thread_accounts_for_every_war_once_and_in_order(battle: tuple[int, int]) -> None:
    plot = plot_of(*battle)
    for thread in plot.threads:
        spans = [scene.episodes for scene in thread.scenes if scene.episodes]
        assert [n for first, last in spans for n in range(first, last + 1)] == [*range(len(plot.episodes))]
        skirmishes = [scene.turn for scene in thread.scenes if scene.turn]
        assert skirmishes == sorted(skirmishes)


@pytest.mark.parametrize(
    "battle", [*BATTLES, *((sides, seed) for sides in (3, 4, 5) for seed in range(3, 9))]
)
def test_a_last_stand_comes_before_all_that_happened_later(battle: tuple[int, int]) -> None:
    plot = plot_of(*battle)
    for thread in plot.threads:
        latest = 0
        for scene in thread.scenes:
            if any(fact.kind in ("stand_then", "low_then") for fact in scene.facts):
                assert scene.turn >= latest
            elif scene.episodes and scene.depth == FULL:
                facts = plot.episodes[scene.episodes[0]].facts
                told = [int(str(fact.fields["skirmish"])) for fact in facts if "skirmish" in fact.fields]
                latest = max([latest, *told])

"""Threads of Strategy WAR: every claim of a step is checked against the cards of random battles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

import pytest

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import stream
from cardbattle.core.telling import Card, Fact, Name, Thread
from cardbattle.rules.strategy_war import RULES
from cardbattle.rules.strategy_war.options import read_rank
from cardbattle.rules.strategy_war.threads import ROUND_KINDS
from cardbattle.story.language import language, phrases_of
from cardbattle.story.naming import side_names
from cardbattle.story.teller import Teller
from tests.story.test_strategy_war import (
    NAMES,
    OFTEN,
    Played,
    amount,
    check_win,
    fills,
    rank,
    seat,
    seats,
)

pytestmark = pytest.mark.slow

LOW, HIGH = 9, 12
Check = Callable[[Played, Fact], None]


@cache
def battles() -> list[Played]:
    return [Played(seed) for seed in (*range(200, 420), 649, 3896, 6816)]


def threads(played: Played) -> Sequence[Thread]:
    return played.plot.threads


def steps() -> Iterator[tuple[Played, Fact]]:
    for played in battles():
        for thread in threads(played):
            yield from ((played, fact) for scene in thread.scenes for fact in scene.facts)


def winner_of(played: Played) -> int:
    (winner,) = played.battle.outcome().winners
    return winner


def margin(played: Played, side: int, number: int) -> int:
    scores = [*played.scores[number]]
    return scores.pop(side) - max(scores)


def wins(played: Played, side: int, first: int = 1, last: int = 0) -> list[int]:
    """Return the numbers of the rounds that a side won."""
    return [at for at in range(first, (last or played.last) + 1) if played.winners[at] == side]


def ranks(fact: Fact, field: str) -> list[int]:
    cards = fact.fields[field]
    assert isinstance(cards, list)
    return [read_rank(card.text) for card in cards if isinstance(card, Card)]


def card(played: Played, number: int, side: int) -> int:
    """Return the card that a side played in a round, in time or not."""
    return abs(played.battle.history[number - 1][side])


def check_rise(played: Played, fact: Fact) -> None:
    side, count = seat(fact, "side"), amount(fact, "count")
    won = wins(played, side, 1, count)
    score = played.scores[count][side]
    assert amount(fact, "wins") == len(won) and count < played.last
    assert fact.fields.get("gain") == (score if score != played.scores[-1][side] else None)
    if "pot" in fact.fields:
        assert amount(fact, "pot") == max(played.pots[at] for at in won)
    if "card" in fact.fields:
        assert any(
            played.pots[at] == amount(fact, "pot") and played.cards[at][side] == rank(fact, "card")
            for at in won
            if is_plain(played, at)
        )
    assert ("several" in fact.fields) == (len(won) > 1)
    if "cards" in fact.fields:
        assert sorted(ranks(fact, "cards")) == sorted(played.cards[at][side] for at in won)


def check_stood(played: Played, fact: Fact) -> None:
    side, scores = seat(fact, "side"), played.scores[amount(fact, "count")]
    others = sorted(score for at, score in enumerate(scores) if at != side)
    assert scores[side] == amount(fact, "lead") > others[-1] == scores[seat(fact, "rival")]
    assert ("only" in fact.fields) == (not others[-1]) != ("behind" in fact.fields)
    assert fact.fields.get("behind", 0) == others[-1]
    assert ("many" in fact.fields) == (len(scores) > 2) != ("duel" in fact.fields)
    earlier = [played.leader(at) for at in range(1, amount(fact, "count")) if any(played.scores[at])]
    assert ("start" in fact.fields) == ({*earlier} <= {side, NOBODY})
    if "without" in fact.fields:
        assert [at for at, score in enumerate(scores) if not score] == [seat(fact, "without")]


def check_margin(played: Played, fact: Fact) -> None:
    """Check a lead after a round, over the next best side."""
    side, count = seat(fact, "side"), amount(fact, "count")
    assert amount(fact, "margin") == margin(played, side, count) > 0
    assert amount(fact, "margin") == played.scores[count][side] - played.scores[count][seat(fact, "rival")]
    if fact.kind == "ahead":
        assert amount(fact, "lead") == played.scores[count][side]
        assert fact.fields.get("behind", 0) == played.scores[count][seat(fact, "rival")]
        assert amount(fact, "margin") >= max(
            margin(played, side, at) for at in range(1, played.last)
        ) and side != winner_of(played)


def check_taken(played: Played, fact: Fact) -> None:
    side, number = seat(fact, "side"), amount(fact, "round")
    check_plain_win(played, fact)
    assert played.leader(number) == side
    lead = margin(played, side, number)
    assert fact.fields.get("margin", 0) == (
        lead if lead != played.pots[number] and number < played.last else 0  # otherwise stated elsewhere
    )
    before = played.leader(number - 1) if any(played.scores[number - 1]) else NOBODY
    assert before != side
    assert ("passed" in fact.fields) == (before != NOBODY)
    if "passed" in fact.fields:
        assert seat(fact, "passed") == before
    if "forgood" in fact.fields:
        assert all(played.leader(at) == side for at in range(number, played.last + 1))
        assert played.last // 2 < number < played.last  # earlier, it would reveal the result too soon
    assert ("final" in fact.fields) == (number == played.last)
    assert ("rich" in fact.fields) == (played.pots[number] >= played.usual) != ("poor" in fact.fields)
    check_explained(played, fact, number)


def check_explained(played: Played, fact: Fact, number: int) -> None:
    """Check the points that had rolled over into a round, and the cards that cancelled each other."""
    above = sorted({other for other in played.cards[number] if other > rank(fact, "card")})
    assert ("_pot" in fact.kind) == (played.carries[number] > 0)
    assert fact.kind.endswith("_over") == bool(above)
    assert fact.fields.get("waiting", 0) == played.carries[number]
    if above:
        met = [at for at, other in enumerate(played.cards[number]) if other == above[-1]]
        assert len(met) > 1 and rank(fact, "high") == above[-1]
        assert ("often" in fact.fields) == (len(above) > 1) != ("sides" in fact.fields)
        assert (
            len(above) > 1 or seats(fact, "sides") == seats(fact, "pair" if len(met) == 2 else "crowd") == met
        )


def is_plain(played: Played, number: int) -> bool:
    """Return True if the highest card of a round won it, and no points had rolled over into it."""
    card = played.cards[number][played.winners[number]]
    return card == max(played.cards[number]) and not played.carries[number]


def check_plain_win(played: Played, fact: Fact) -> None:
    """Check the winner, the card, the pot and the next best card of a round."""
    number, side = amount(fact, "round"), seat(fact, "side")
    assert played.winners[number] == side and played.pots[number] == amount(fact, "pot")
    assert played.cards[number][side] == rank(fact, "card")
    if "rival" in fact.fields:
        below = [other for other in played.cards[number] if 0 < other < rank(fact, "card")]
        assert played.cards[number][seat(fact, "rival")] == rank(fact, "other") == max(below)


def check_last(played: Played, fact: Fact) -> None:
    side, last = seat(fact, "side"), played.last
    assert played.winners[last] == side == winner_of(played) != played.leader(last - 1)
    assert played.cards[last][side] == rank(fact, "card")
    higher = [other for other in played.cards[last] if other > rank(fact, "card")]
    if fact.kind.startswith("last_blow"):
        check_explained(played, fact, last)
    assert ("over" in fact.kind) == bool(higher)
    if higher:
        assert rank(fact, "high") == max(higher)
    if "rival" in fact.fields:
        assert played.cards[last][seat(fact, "rival")] == rank(fact, "other")
        assert seat(fact, "rival") == played.leader(last - 1)
    if "sides" in fact.fields:
        assert seats(fact, "sides") == [at for at, c in enumerate(played.cards[last]) if c == max(higher)]
        met = played.leader(last - 1) in seats(fact, "sides")
        assert ("party" in fact.fields) == (met and fact.kind == "last_cards_over")
    if "pot" in fact.fields:
        assert amount(fact, "pot") == played.pots[last]


def check_led_long(played: Played, fact: Fact) -> None:
    leaders = [played.leader(at) for at in range(1, played.last)]
    assert leaders.count(seat(fact, "side")) == amount(fact, "count") > amount(fact, "rounds") / 2
    assert amount(fact, "rounds") == played.last and played.leader(played.last) != seat(fact, "side")


def check_nearest(played: Played, fact: Fact) -> None:
    side, at, rival = seat(fact, "side"), amount(fact, "round"), seat(fact, "rival")
    assert amount(fact, "margin") == margin(played, side, at) > 0
    assert amount(fact, "margin") == played.scores[at][side] - played.scores[at][rival]
    assert min(margin(played, side, each) for each in range(at, played.last + 1)) == amount(fact, "margin")
    assert all(played.leader(each) == side for each in range(at, played.last + 1))
    if "card" in fact.fields:
        (answer, *_) = wins(played, side, at + 1)
        assert played.pots[answer] == amount(fact, "pot") and answer <= at + 2
        assert played.cards[answer][side] == rank(fact, "card")
        assert ("atonce" in fact.fields) == (answer == at + 1) and is_plain(played, answer)


def check_streak(played: Played, fact: Fact) -> None:
    side = seat(fact, "side")
    ends = [at for at in range(1, played.last + 1) if played.scores[at][side] == amount(fact, "score")]
    first = ends[0] - amount(fact, "wins") + 1
    assert wins(played, side, first, ends[0]) == [*range(first, ends[0] + 1)]
    assert played.winners[first - 1] == side and played.leader(first - 1) == side
    assert amount(fact, "gain") == played.scores[ends[0]][side] - played.scores[first - 1][side]
    assert (amount(fact, "next"), amount(fact, "until")) == (first, ends[0])
    assert ("pair" in fact.fields) == (amount(fact, "wins") == 2) != ("long" in fact.fields)


def check_cheap(played: Played, fact: Fact) -> None:
    side = seat(fact, "side")
    won = wins(played, side)
    low = [at for at in won if played.cards[at][side] <= LOW]
    assert (amount(fact, "wins"), amount(fact, "low")) == (len(won), len(low))
    assert rank(fact, "card") == max(played.cards[at][side] for at in low)
    assert amount(fact, "gain") == sum(played.pots[at] for at in low)
    assert ("every" in fact.fields) == (low == won) != ("partly" in fact.fields)
    assert 2 * len(low) > len(won)


def check_too_late(played: Played, fact: Fact) -> None:
    side, last = seat(fact, "side"), played.last
    assert played.winners[last] == side and amount(fact, "pot") == played.pots[last]
    assert rank(fact, "card") == played.cards[last][side]
    lead = max(played.scores[-1]) - played.scores[-1][side]
    assert lead > 0 and fact.fields.get("lead", 0) == (lead if "close" not in fact.fields else 0)
    assert ("close" in fact.fields) == (lead < 10)  # the end names a close lead
    assert seat(fact, "rival") == winner_of(played)
    check_explained(played, fact, last)


def check_behind(played: Played, fact: Fact) -> None:
    side, rival, scores = seat(fact, "side"), seat(fact, "rival"), played.scores[amount(fact, "count")]
    assert scores[rival] == max(scores) == amount(fact, "lead")
    assert amount(fact, "deficit") == scores[rival] - scores[side] > 0
    assert ("nothing" in fact.fields) == (not scores[side]) and fact.fields.get("score", 0) == scores[side]


def check_spent(played: Played, fact: Fact) -> None:
    side, count = seat(fact, "side"), amount(fact, "count")
    cards = [card(played, at, side) for at in range(1, played.last + 1)]
    assert set(ranks(fact, "cards")) <= {*cards[:count]} and not set(ranks(fact, "cards")) & {*cards[count:]}
    assert rank(fact, "card") == max(cards[count:])
    assert ("low" in fact.fields) == (max(cards[count:]) < HIGH)


def check_climb(played: Played, fact: Fact) -> None:
    side, count, first = seat(fact, "side"), amount(fact, "count"), amount(fact, "since") + 1
    won = wins(played, side, first, first + count - 1)
    pots = [played.pots[at] for at in won]
    assert (len(won), sum(pots)) == (amount(fact, "wins"), amount(fact, "gain"))
    best = won[pots.index(max(pots))]
    plain = is_plain(played, best) and pots.count(max(pots)) == 1
    assert fact.fields.get("pot") == (max(pots) if plain else None)
    assert ("single" in fact.fields) == (len(won) == 1)
    assert ("several" in fact.fields) == (1 < len(won) < count)
    assert ("streak" in fact.fields) == (len(won) == count > 1)
    if "streak" in fact.fields:
        end = first
        while end < played.last and played.winners[end + 1] == side:
            end += 1
        assert amount(fact, "streak") == end - first + 1
        assert amount(fact, "streak_gain") == sum(played.pots[first : end + 1])


def check_dry(played: Played, fact: Fact) -> None:
    side, count = seat(fact, "side"), amount(fact, "count")
    won = wins(played, side, played.last - count + 1)
    assert len(won) == (fact.kind == "dry_but_one") and count > 2
    assert amount(fact, "round") == played.last - count
    assert fact.fields.get("gain", 0) == sum(played.pots[at] for at in won)


def check_feud(played: Played, fact: Fact) -> None:
    first, second = seats(fact, "pair")
    met = [
        at
        for at in range(1, played.last + 1)
        if played.cards[at][first] == played.cards[at][second] == max(played.cards[at])
        and played.cards[at].count(max(played.cards[at])) == 2
        and played.winners[at] != NOBODY
    ]
    assert amount(fact, "count") == len(met) > 2
    if fact.kind != "feud_sum":
        check_plain_win(played, fact)
        assert met.index(amount(fact, "round")) == ["feud_first", "feud_second", "feud_third"].index(
            fact.kind
        )
        assert rank(fact, "high") == played.cards[amount(fact, "round")][first]
        if "again" in fact.fields:
            before = met[met.index(amount(fact, "round")) - 1]
            assert played.winners[before] == seat(fact, "again") == seat(fact, "side")
        return
    assert amount(fact, "pot") == sum(played.pots[at] for at in met)
    for field in {"side", "victor"} & fact.fields.keys():
        won = [at for at in met if played.winners[at] == seat(fact, field)]
        assert amount(fact, "gain") == sum(played.pots[at] for at in won)
        assert ("every" in fact.fields) == (won == met) or field == "victor"
    if "victor" in fact.fields:
        assert amount(fact, "lead") == margin(played, winner_of(played), played.last) < amount(fact, "gain")
        assert seat(fact, "victor") == winner_of(played)


def check_both_last(played: Played, fact: Fact) -> None:
    order = sorted(played.scores[-1])
    assert played.scores[-1][seat(fact, "side")] == order[0] < order[1] < order[2]
    assert played.scores[-1][seat(fact, "rival")] == order[1] and amount(fact, "sides") == len(order)


def check_pot_weight(played: Played, fact: Fact) -> None:
    side = seat(fact, "side")
    assert side == winner_of(played) and amount(fact, "lead") == margin(played, side, played.last)
    assert amount(fact, "pot") in {played.pots[at] for at in wins(played, side)}
    assert amount(fact, "pot") > amount(fact, "lead")


def check_jump(played: Played, fact: Fact) -> None:
    side = seat(fact, "side")
    jumps = [
        at
        for at in wins(played, side)
        if played.leader(at) == side
        and margin(played, side, at) == amount(fact, "margin")
        and (not any(played.scores[at - 1]) or played.leader(at - 1) != side)
    ]
    assert jumps
    if "worst" in fact.fields:
        before = [played.scores[at - 1] for at in jumps]
        assert any(scores[side] < min(s for at, s in enumerate(scores) if at != side) for scores in before)


def check_most_wins(played: Played, fact: Fact) -> None:
    side, rival = seat(fact, "side"), seat(fact, "rival")
    counts = [len(wins(played, at)) for at in range(played.count)]
    assert amount(fact, "wins") == counts[side] == max(counts) and counts.count(counts[side]) == 1
    assert amount(fact, "fewer") == counts[rival] and rival == winner_of(played)
    small = [at for at in wins(played, side) if played.pots[at] < played.usual]
    assert amount(fact, "small") == len(small)
    assert fact.kind == "most_wins" or 2 * len(small) > counts[side]


def check_fate(played: Played, fact: Fact) -> None:
    at, side, high = amount(fact, "round"), seat(fact, "side"), rank(fact, "card")
    assert played.cards[at][side] == high and played.winners[at] not in (side, NOBODY)
    assert amount(fact, "pot") == played.pots[at]
    others = [other for other, c in enumerate(played.cards[at]) if c == high and other != side]
    is_beaten = played.cards[at][played.winners[at]] > high
    assert (fact.kind == "fate_met") == (bool(others) and not is_beaten)
    if fact.kind == "fate_met":
        assert seats(fact, "others") == others
    else:
        assert seat(fact, "rival") == played.winners[at]
        assert rank(fact, "other") == played.cards[at][played.winners[at]] > high
    if "thief" in fact.fields:
        assert seat(fact, "thief") == played.winners[at] not in others


def check_row(played: Played, fact: Fact) -> None:
    side, first, last = seat(fact, "side"), amount(fact, "first"), amount(fact, "last")
    assert wins(played, side, first, last) == [*range(first, last + 1)]
    assert amount(fact, "wins") == last - first + 1
    assert played.winners[last + 1] != side and played.winners[first - 1] != side
    assert amount(fact, "gain") == sum(played.pots[first : last + 1])
    if "rival" in fact.fields:
        before = played.scores[first - 1]
        assert played.leader(first - 1) == seat(fact, "rival") and played.leader(last) == side
        assert amount(fact, "deficit") == max(before) - before[side]


def check_swings(played: Played, fact: Fact) -> None:
    leaders = [played.leader(at) if any(played.scores[at]) else NOBODY for at in range(played.last + 1)]
    sole = [at for at in range(played.last + 1) if leaders[at] != NOBODY]
    changes = [at for before, at in pairwise(sole) if leaders[before] != leaders[at]]
    told = changes[: amount(fact, "changes")]
    assert len(told) == amount(fact, "changes") and told[-1] == amount(fact, "round")
    if "row" in fact.fields:
        assert told[-amount(fact, "row") :] == [*range(told[-1] + 1 - amount(fact, "row"), told[-1] + 1)]


def check_ties(played: Played, fact: Fact) -> None:
    winners = [played.winners[at] for at in range(1, played.last + 1)]
    assert amount(fact, "count") == winners.count(NOBODY) and amount(fact, "rounds") == len(winners)


def check_led_since(played: Played, fact: Fact) -> None:
    leaders = [played.leader(at) for at in range(amount(fact, "round"), played.last + 1)]
    assert {*leaders} == {seat(fact, "side")}
    assert ("always" in fact.fields) == (amount(fact, "round") == 1)


def check_extra(played: Played, fact: Fact) -> None:
    side, high = seat(fact, "side"), rank(fact, "card")
    at = [each for each in range(1, played.last + 1) if played.cards[each][side] == high]
    won = [each for each in at if played.winners[each] == side]
    cards = [
        [card(played, each, other) for each in range(1, played.last + 1)] for other in range(played.count)
    ]
    assert len(at) == 2 and all(
        cards[other].count(high) < 2 for other in range(played.count) if other != side
    )
    assert ("both" in fact.fields, "neither" in fact.fields) == (won == at, not won)
    assert fact.fields.get("gain", 0) == sum(played.pots[each] for each in won)
    if len(won) == 1:
        assert [amount(fact, "round")] == won
        assert {amount(fact, "round"), amount(fact, "other_round")} == {*at}


def check_best(played: Played, fact: Fact) -> None:
    check_plain_win(played, fact)
    assert is_plain(played, amount(fact, "round"))
    pots = [played.pots[at] for at in wins(played, seat(fact, "side"))]
    assert ("single" in fact.fields) == (len(pots) == 1)
    if "several" in fact.fields:
        assert sorted(pots)[-1] == amount(fact, "pot") > sorted(pots)[-2]


def check_last_led(played: Played, fact: Fact) -> None:
    led = [at for at in range(1, played.last + 1) if played.leader(at) == seat(fact, "side")]
    assert led[-1] == amount(fact, "round") < played.last
    assert amount(fact, "margin") == margin(played, seat(fact, "side"), led[-1])


def check_placed(played: Played, fact: Fact) -> None:
    side, scores = seat(fact, "side"), played.scores[-1]
    assert sorted(scores, reverse=True).index(scores[side]) + 1 == amount(fact, "place") > 2
    assert scores.count(scores[side]) == 1 and amount(fact, "sides") == len(scores)
    assert amount(fact, "lead") == max(scores) - scores[side]
    assert ("worst" in fact.fields) == (scores[side] == min(scores))
    is_told = len(wins(played, side)) > 1  # otherwise another step names the pot of the side's only round
    assert fact.fields.get("score", 0) == (scores[side] if is_told else 0)


def check_tally(played: Played, fact: Fact) -> None:
    sides = [seat(fact, "side"), seat(fact, "rival")]
    assert [amount(fact, "wins"), amount(fact, "losses")] == [len(wins(played, side)) for side in sides]
    assert played.scores[-1][sides[0]] > played.scores[-1][sides[1]]
    others = {*range(played.count)} - {*sides}
    assert all(len(wins(played, side)) < amount(fact, "losses") for side in others)


def check_final_count(played: Played, fact: Fact) -> None:
    side, scores = seat(fact, "side"), played.scores[-1]
    second = sorted(scores)[-2]
    assert side == winner_of(played) and fact.fields["other"] == second
    assert (amount(fact, "mine"), amount(fact, "lead")) == (scores[side], scores[side] - second)
    if "rival" in fact.fields:
        assert [seat(fact, "rival")] == [at for at, score in enumerate(scores) if score == second]


def check_never_won(played: Played, fact: Fact) -> None:
    assert not wins(played, seat(fact, "side")) and amount(fact, "rounds") == played.last


def check_before_last(played: Played, fact: Fact) -> None:
    side = seat(fact, "side")
    assert amount(fact, "margin") == margin(played, side, played.last - 1) <= played.pots[-1]
    assert played.leader(played.last - 1) == side


CHECKS: dict[str, Check] = {
    "rise": check_rise, "stood": check_stood, "ahead": check_margin, "peak": check_margin,
    "last_cards": check_last, "last_cards_over": check_last,
    "last_blow": check_last, "last_blow_over": check_last, "last_blow_pot": check_last,
    "last_blow_pot_over": check_last, "led_long": check_led_long, "final_count": check_final_count,
    "nearest": check_nearest, "streak": check_streak, "cheap": check_cheap, "too_late": check_too_late,
    "too_late_over": check_too_late, "too_late_pot": check_too_late, "too_late_pot_over": check_too_late,
    "far_behind": check_behind, "spent": check_spent, "climb": check_climb,
    "dry": check_dry, "dry_but_one": check_dry, "feud_first": check_feud, "feud_second": check_feud,
    "feud_third": check_feud, "feud_sum": check_feud, "both_last": check_both_last,
    "pot_weight": check_pot_weight, "jump": check_jump, "most_wins": check_most_wins,
    "small_change": check_most_wins, "best_round": check_best,
    "last_led": check_last_led, "placed": check_placed, "tally": check_tally, "never_won": check_never_won,
    "before_last": check_before_last, "taken": check_taken, "taken_over": check_taken,
    "taken_pot": check_taken, "taken_pot_over": check_taken, "extra_card": check_extra, "row": check_row,
    "swings": check_swings, "ties": check_ties, "led_since": check_led_since,
}  # fmt: skip


def test_what_a_thread_claims_is_true() -> None:
    checked: Counter[str] = Counter()
    for played, fact in steps():
        checked[fact.kind] += 1
        if fact.kind.startswith("fate"):
            check_fate(played, fact)
        elif fact.kind in CHECKS:
            CHECKS[fact.kind](played, fact)
        elif fact.kind.startswith("won"):
            check_win(played, fact, amount(fact, "round"))
        else:
            assert fact.kind.startswith(("rolled", "pot_lost", "hand", "dark"))
    assert {kind for kind in CHECKS if not checked[kind]} == set()


def test_threads_name_the_winner_and_tell_no_round_twice() -> None:
    for played in battles():
        for thread in threads(played):
            assert winner_of(played) in (thread.hero, *thread.others) or thread.name in ("wasted", "own")
            told = [
                scene.last for scene in thread.scenes for fact in scene.facts
                if fact.kind in ROUND_KINDS or fact.kind.startswith("taken")
            ]  # fmt: skip
            assert len(told) == len(set(told)), (thread.name, thread.scenes)


def test_every_step_has_a_phrase_and_every_phrase_a_step() -> None:
    phrases = phrases_of("en", RULES.key)
    own = language("en", RULES.key)
    used: set[str] = set()
    seen: Counter[str] = Counter()
    for played, fact in steps():
        teller = Teller(own, phrases, side_names(NAMES[: played.count]), stream(0, "story"))
        lines = phrases[fact.kind]
        fillable = [line for line in lines if line in used or fills(teller, line, fact)]
        assert any(fills(teller, line, fact) for line in fillable), fact
        used.update(fillable)
        seen[fact.kind] += 1
    common = [kind for kind, count in seen.items() if count >= OFTEN and kind in CHECKS]
    assert not {line for kind in common for line in phrases[kind]} - used


def test_a_battle_without_a_single_winner_has_no_thread() -> None:
    shared = [played for played in battles() if len(played.battle.outcome().winners) > 1]
    assert shared and not any(threads(played) for played in shared)


def fields_of(line: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", line))


def test_a_surprising_pot_or_winner_is_explained() -> None:
    """A phrase that names a winning card or pot names the waiting points and the cancelled cards, too."""
    phrases = phrases_of("en", RULES.key)
    for kind, lines in phrases.items():
        pot = "_waiting" in kind or "_pot" in kind.removeprefix("end_best")
        is_round = kind.startswith(("won_", "taken", "last_blow", "too_late")) or kind == "chain"
        for line in lines if is_round else []:
            if kind != "chain" and (pot or "waiting" in fields_of(line)):
                assert "waiting" in fields_of(line), (kind, line)
            if kind.endswith("_over"):
                explains = "high" in fields_of(line) or re.search("cancel|equal cards", line, re.IGNORECASE)
                assert explains, (kind, line)


def test_a_story_gives_the_final_score_once() -> None:
    for played in battles():
        for thread in threads(played):
            for scene in thread.scenes:
                for fact in scene.facts:
                    side = fact.fields.get("side")
                    if fact.kind in ("rise", "climb") and isinstance(side, Name):
                        assert fact.fields.get("gain") != played.scores[-1][side.seat] or fact.kind == "climb"
            kinds = [fact.kind for scene in thread.scenes for fact in scene.facts]
            ends = kinds.count("final_count") + len(
                [f for f in played.plot.ending if f.kind not in thread.told]
            )
            assert ends == 1


def test_a_lead_is_not_stated_twice() -> None:
    for played in battles():
        for thread in threads(played):
            facts = [fact for scene in thread.scenes for fact in scene.facts]
            leads = [fact for fact in facts if fact.kind in ("nearest", "before_last")]
            assert len({fact.fields["margin"] for fact in leads}) == len(leads)
            stood = [fact for fact in facts if fact.kind == "stood"]
            if thread.name == "race" and leads[:1] and leads[0].kind == "nearest" and stood:
                lead = margin(played, winner_of(played), amount(stood[0], "count"))
                assert amount(leads[0], "margin") != lead
            for fact in facts:
                if fact.kind == "last_led" and stood:
                    told = played.scores[amount(stood[0], "count")]
                    assert told != played.scores[amount(fact, "round")]


def test_a_rich_pot_is_told_in_the_order_of_its_rounds() -> None:
    rich = [thread for played in battles() for thread in threads(played) if thread.name == "rich pot"]
    for thread in rich:
        places = [scene.last for scene in thread.scenes]
        assert places == sorted(places)
    assert rich


def test_what_ran_to_the_end_is_told_after_the_turn() -> None:
    for played in battles():
        for thread in threads(played):
            kinds = [fact.kind for scene in thread.scenes for fact in scene.facts]
            dry = [at for at, kind in enumerate(kinds) if kind.startswith("dry")]
            assert all("climb" not in kinds[at:] and "taken" not in kinds[at:] for at in dry)


def test_a_thread_follows_the_order_of_the_rounds() -> None:
    for played in battles():
        for thread in threads(played):
            places = [scene.last for scene in thread.scenes]
            assert places == sorted(places)


def test_points_that_wait_are_won_or_lost_later_in_the_thread() -> None:
    for played in battles():
        for thread in threads(played):
            facts = [fact for scene in thread.scenes if not scene.is_filler for fact in scene.facts]
            for at, fact in enumerate(facts):
                if fact.kind.startswith("rolled"):
                    rest = facts[at + 1 :]
                    assert any("waiting" in each.fields or each.kind.startswith("pot_lost") for each in rest)


def test_every_thread_tells_the_largest_pot() -> None:
    """If points rolled over into an unusually large pot, every thread says which side won it."""
    for played in battles():
        best = max(range(1, played.last + 1), key=lambda at: (played.winners[at] != NOBODY, played.pots[at]))
        is_largest = (
            played.pots.count(played.pots[best])
            == 1
            == len([at for at in range(1, played.last + 1) if played.pots[at] >= played.pots[best]])
        )
        if not is_largest or played.pots[best] < 2 * played.usual:
            continue
        for thread in threads(played):
            facts = [fact for scene in thread.scenes for fact in scene.facts]
            is_last = best == played.last and any(
                fact.kind.startswith(("last_blow", "too_late")) for fact in facts
            )
            assert is_last or any(fact.fields.get("round") == best for fact in facts)


def test_no_phrase_is_unclear_about_a_card_or_a_lead() -> None:
    """A bare "the two" can mean two sides, and "in hand" can mean all points."""
    for lines in phrases_of("en", RULES.key).values():
        for line in lines:
            assert not re.search(r"points in hand|had in hand|the \{second_card", line), line
            assert not re.match(r"(\{\w+\.if\})*\{card\}", line) or "{card} was a high price" in line, line
            assert not re.search(r"[,;:] (and |so )?\{card\} (took|won|gave|put|made)", line), line


def test_no_phrase_says_how_many_points_were_needed() -> None:
    """With the points that separate two sides, the second side would only have shared the victory."""
    lines = [line for lines in phrases_of("en", RULES.key).values() for line in lines]
    assert not [line for line in lines if re.search(r"needed|short\b", line) and "{lead}" in line]

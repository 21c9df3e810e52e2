"""Collect the facts for a story of a battle of Strategy WAR, from the events that the reader saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.setup import Setup
from cardbattle.core.telling import Fact, FactValue, Name, Plot, Points, conditions, numbers
from cardbattle.rules.strategy_war.battle import FULL_HAND
from cardbattle.rules.strategy_war.rounds import Contest, Round, card_of
from cardbattle.rules.strategy_war.runs import Run
from cardbattle.rules.strategy_war.score_history import ScoreHistory
from cardbattle.rules.strategy_war.threads import threads_of

OFTEN, LONG_WAIT = 3, 6  # smallest number of collisions, and of rounds without points, to mention
CLOSE, HAIR = 10, 3  # in points: a final lead below CLOSE is narrow, and one up to HAIR is very narrow


def plot(setup: Setup, events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the hands, each round, and the end."""
    rounds = rounds_of(events)
    settle(rounds)
    contests = contests_of(rounds)
    history = ScoreHistory(rounds, winners_of(events))
    is_easy = history.winner != NOBODY and history.lead(history.last - 1) > history.rounds[-1].pot
    ending = [end_fact(setup, event, is_easy=is_easy) for event in events if event.kind == "ended"]
    opening = opening_facts(setup, len(rounds))
    return Plot(
        opening,
        [contest.episode(len(rounds)) for contest in contests],
        ending,
        lambda first, last: Run(contests, first, last).fact(),
        is_selective=True,
        hooks=hook_facts(rounds),
        threads=threads_of(history, opening),
    )


def winners_of(events: Sequence[Event]) -> list[int]:
    """Return the winners of a battle. The list is empty if the battle is not over."""
    return [seat for event in events if event.kind == "ended" for seat in numbers(event, "winners")]


def settle(rounds: Sequence[Round]) -> None:
    """Compute the pots, winners and scores of all rounds, from the first round to the last."""
    scores = [0] * len(rounds[0].cards) if rounds else []
    usual = max(1, sum(sum(each.cards) for each in rounds) // max(1, len(rounds)))
    carry = 0
    for each in rounds:
        each.settle(carry, scores)
        each.usual = usual
        each.is_last = each is rounds[-1]
        order = sorted(scores, reverse=True)
        if len(order) > 1 and order[0] > order[1]:
            each.leader, each.lead = scores.index(order[0]), order[0] - order[1]
        carry, scores = (each.pot if each.winner == NOBODY else 0), each.scores
    pots = [each.pot for each in rounds if each.winner != NOBODY or each.is_last]
    for at, each in enumerate(rounds):
        each.is_largest = each.pot == max(pots) and pots.count(each.pot) == 1
        earlier = [[other.cards[seat] for other in rounds[:at]] for seat in range(len(each.cards))]
        each.second = [
            seat for seat, card in enumerate(each.cards) if card and earlier[seat].count(card) == 1
        ]
        each.is_first_of_rank = each.card not in earlier[each.winner]


def hook_facts(rounds: Sequence[Round]) -> list[Fact]:
    """Return facts about two sides that often played the same card, and about a side that scored late."""
    facts: list[Fact] = []
    if not rounds:
        return facts
    pairs = Counter(
        (first, second)
        for each in rounds
        for second in range(len(each.cards))
        for first in range(second)
        if each.cards[first] == each.cards[second] > each.card and not {first, second} & {*each.late}
    )
    (pair, count), *others = [*pairs.most_common(2), ((0, 0), 0)]
    if count >= OFTEN and others[0][1] < count:
        facts.append(Fact("collisions", {"pair": [Name(seat) for seat in pair], "count": count}))
    for seat in range(len(rounds[0].cards)):
        count = next((at for at, each in enumerate(rounds) if each.scores[seat]), 0)
        if count >= LONG_WAIT:
            facts.append(Fact("starved", {"side": Name(seat), "count": count, "round": count + 1}))
    return facts


def contests_of(rounds: Sequence[Round]) -> list[Contest]:
    """Group rounds into contests: a won round with the rounds directly before it that no side won."""
    contests: list[Contest] = []
    waiting: list[Round] = []
    for each in rounds:
        waiting.append(each)
        if each.winner != NOBODY or each.is_last:
            contests.append(Contest(waiting))
            waiting = []
    return contests


def rounds_of(events: Sequence[Event]) -> list[Round]:
    """Return the rounds of a battle. In a dark battle, the end of the battle reveals them (SW-20)."""
    begun = [place for place, event in enumerate(events) if event.kind == "round_begun"]
    shown = [event for event in events if event.kind == "revealed" and "cards" in event.fields]
    shown = shown if len(shown) == len(begun) else [event for event in events if event.kind == "unveiled"]
    return [
        Round(at + 1, numbers(event, "cards"), numbers(event, "timed_out"), place)
        for at, (event, place) in enumerate(zip(shown, begun, strict=False))
    ]


def opening_facts(setup: Setup, rounds: int) -> list[Fact]:
    """Return a fact that compares the hands, or a fact that says that the battle is dark (SW-19)."""
    sides = [Name(seat) for seat in range(len(setup.seats))]
    fields: dict[str, FactValue] = {"rounds": rounds, "sides": sides, **conditions(many=len(sides) > 2)}
    if setup.house.get("mode") == "dark":
        return [Fact("dark", fields)]
    hands = hands_in(setup)
    if not hands:
        return []
    totals = [sum(hand) for hand in hands]
    best, least = max(totals), min(totals)
    fields |= {"best": Points(best), "least": Points(least)}
    if all(sorted(hand) == sorted(hands[0]) for hand in hands):
        return [Fact("hands_even", fields | conditions(full=sorted(hands[0]) == FULL_HAND))]
    if best == least:
        return [Fact("hands_worth_the_same", fields)]
    if totals.count(best) > 1:
        return [Fact("hands_unequal", fields)]
    strongest = totals.index(best)
    if len(sides) == 2:
        fields["rival"] = sides[1 - strongest]
    more = extra_cards(hands, strongest)
    if more:
        fields["extra"] = [card_of(card) for card in more]
    else:
        fields |= conditions(mixed=True)
    return [Fact("hand_strongest", {**fields, "side": Name(strongest)})]


def extra_cards(hands: Sequence[Sequence[int]], seat: int) -> list[int]:
    """Return the one or two cards that a side has in addition to the cards of every other side.

    The list is empty if the other sides do not all have equal hands, or if more than two cards differ.
    """
    others = [Counter(hand) for at, hand in enumerate(hands) if at != seat]
    more = Counter(hands[seat]) - others[0]
    is_extended = all(other == others[0] for other in others) and not others[0] - Counter(hands[seat])
    return sorted(more.elements(), reverse=True) if is_extended and more.total() <= 2 else []


def hands_in(setup: Setup) -> list[list[int]]:
    """Return the cards of each side, if the options of the sides name the cards. Otherwise, return []."""
    hands = [side["cards"] for side in setup.sides]
    return (
        [hand for hand in hands if isinstance(hand, list)] if all(isinstance(h, list) for h in hands) else []
    )


def end_fact(setup: Setup, event: Event, *, is_easy: bool = False) -> Fact:
    """Return the fact about the end of the battle.

    If there are two sides, the field `loser` is the losing side. If there are more sides, the field `second`
    is the side with the second highest score, unless several sides have this score. If the winner had more
    than twice as many points as every other side, the field `ratio` is a whole number below the exact ratio.
    If `is_easy` is true, the last round could no longer change the winner.
    """
    winners, scores = numbers(event, "winners"), numbers(event, "scores")
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    best = scores[order[0]]
    fields: dict[str, FactValue] = {
        "sides": [Name(seat) for seat in winners], "side": Name(order[0]), "mine": Points(best),
        **conditions(many=len(scores) > 2),
    }  # fmt: skip
    reason = event.fields["reason"]
    if reason == "tiebreak":
        level = [Name(seat) for seat in order if scores[seat] == best]
        kind = "end_best_pot" if setup.house.get("tiebreak") == "best-pot" else "end_most_rounds"
        return Fact(kind, {**fields, "side": Name(winners[0]), "level": level})
    if reason != "most-points":
        kind = "end_shared" if len(winners) < len(scores) else "end_level"
        return Fact(kind if best else "end_nothing", fields)
    lead = best - scores[order[1]]
    fields |= conditions(easy=is_easy)
    fields |= {"rival": Name(order[1]), "other": Points(scores[order[1]]), "lead": lead}
    if len(scores) == 2:
        fields["loser"] = Name(order[1])
    elif scores.count(scores[order[1]]) == 1:
        fields["second"] = Name(order[1])
    if lead < CLOSE:
        third = order[2] if len(order) > 2 else order[1]
        if third != order[1] and best - scores[third] < CLOSE:
            fields |= {"third": Name(third), "last": Points(scores[third]), "spread": best - scores[third]}
            return Fact("end_close_three", fields)
        return Fact("end_close", fields | conditions(hair=lead <= HAIR))
    level = [Name(seat) for seat in order if scores[seat] == scores[order[1]]]
    if len(level) > 1:
        return Fact("end_won_level", {**fields, "others": level})
    if scores[order[1]]:
        fields["ratio"] = (best - 1) // scores[order[1]]
    return Fact("end_rout" if best > 2 * scores[order[1]] else "end_won", fields)

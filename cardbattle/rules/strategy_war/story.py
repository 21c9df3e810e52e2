"""The facts for a story of a battle of Strategy WAR, from the events that its reader saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.setup import Setup
from cardbattle.core.telling import Fact, FactValue, Name, Plot, Points, conditions, numbers
from cardbattle.rules.strategy_war.battle import FULL_HAND
from cardbattle.rules.strategy_war.rounds import Contest, Round, card_of
from cardbattle.rules.strategy_war.runs import Run

CLOSE, HAIR = 10, 3  # points: a smaller lead at the end is narrow; one up to this is very narrow


def plot(setup: Setup, events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the hands, each round, and the end."""
    rounds = rounds_of(events)
    settle(rounds)
    contests = contests_of(rounds)
    ending = [end_fact(setup, event) for event in events if event.kind == "ended"]
    return Plot(
        opening_facts(setup, len(rounds)),
        [contest.episode() for contest in contests],
        ending,
        lambda first, last: Run(contests, first, last).fact(),
    )


def settle(rounds: Sequence[Round]) -> None:
    """Compute pots, winners and scores in order."""
    scores = [0] * len(rounds[0].cards) if rounds else []
    usual = max(1, sum(sum(each.cards) for each in rounds) // max(1, len(rounds)))
    carry = 0
    for each in rounds:
        each.settle(carry, scores)
        each.usual = usual
        each.is_last = each is rounds[-1]
        carry, scores = (each.pot if each.winner == NOBODY else 0), each.scores
    pots = [each.pot for each in rounds if each.winner != NOBODY or each.is_last]
    for at, each in enumerate(rounds):
        each.is_largest = each.pot == max(pots) and pots.count(each.pot) == 1
        earlier = [other.cards[each.winner] for other in rounds[:at]]
        each.is_repeat = earlier.count(each.card) == 1


def contests_of(rounds: Sequence[Round]) -> list[Contest]:
    """Return the rounds, each together with those before it whose points it took over."""
    contests: list[Contest] = []
    waiting: list[Round] = []
    for each in rounds:
        waiting.append(each)
        if each.winner != NOBODY or each.is_last:
            contests.append(Contest(waiting))
            waiting = []
    return contests


def rounds_of(events: Sequence[Event]) -> list[Round]:
    """Return the rounds; in a dark battle they are revealed at its end (SW-20)."""
    begun = [place for place, event in enumerate(events) if event.kind == "round_begun"]
    shown = [event for event in events if event.kind == "revealed" and "cards" in event.fields]
    shown = shown if len(shown) == len(begun) else [event for event in events if event.kind == "unveiled"]
    return [
        Round(at + 1, numbers(event, "cards"), numbers(event, "timed_out"), place)
        for at, (event, place) in enumerate(zip(shown, begun, strict=False))
    ]


def opening_facts(setup: Setup, rounds: int) -> list[Fact]:
    """Return a fact that compares the hands, or says that the battle was dark, which hides them (SW-19)."""
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
    return [Fact("hand_strongest", {**fields, "side": Name(strongest)})]


def extra_cards(hands: Sequence[Sequence[int]], seat: int) -> list[int]:
    """Return the one or two cards that a side has in addition to the equal hands of the others, or none."""
    others = [Counter(hand) for at, hand in enumerate(hands) if at != seat]
    more = Counter(hands[seat]) - others[0]
    is_extended = all(other == others[0] for other in others) and not others[0] - Counter(hands[seat])
    return sorted(more.elements(), reverse=True) if is_extended and more.total() <= 2 else []


def hands_in(setup: Setup) -> list[list[int]]:
    """Return the cards of each side, if its options list them."""
    hands = [side["cards"] for side in setup.sides]
    return (
        [hand for hand in hands if isinstance(hand, list)] if all(isinstance(h, list) for h in hands) else []
    )


def end_fact(setup: Setup, event: Event) -> Fact:
    """Return the fact about the end of the battle.

    `loser` is the other of two sides; `second` is the next of many, if no other side has its score.
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
        return Fact("end_shared", fields)
    lead = best - scores[order[1]]
    fields |= {"rival": Name(order[1]), "other": Points(scores[order[1]]), "lead": lead}
    if len(scores) == 2:
        fields["loser"] = Name(order[1])
    elif scores.count(scores[order[1]]) == 1:
        fields["second"] = Name(order[1])
    if lead < CLOSE:
        return Fact("end_close", fields | conditions(hair=lead <= HAIR))
    return Fact("end_rout" if best > 2 * scores[order[1]] else "end_won", fields)

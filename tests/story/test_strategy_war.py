"""Stories of Strategy WAR: every claim of a fact is checked against the cards of random battles."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import pytest

from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import RandomSource, stream
from cardbattle.core.setup import Setup
from cardbattle.core.telling import Card, Fact, Name, Plot
from cardbattle.rules.strategy_war import RULES
from cardbattle.rules.strategy_war.battle import FULL_HAND, StrategyWar
from cardbattle.rules.strategy_war.options import read_rank
from cardbattle.rules.strategy_war.story import plot
from cardbattle.story.language import language, phrases_of
from cardbattle.story.naming import side_names
from cardbattle.story.story import shape_facts, standing_fact
from cardbattle.story.teller import NotSayable, Teller

BATTLES = 70
OFTEN = 20  # number of facts of a kind among these battles, from which all its phrases must fit some
NAMES = (
    "Prince Henry",
    "The Malpas archers",
    "York",
    "Queen Margaret",
    "Red Company",
    "Wessex",
    "Kent",
    "Percy",
)


class Played:
    """A random battle, and what its cards say about every round, counted in the plainest way.

    Attributes:
        cards: the card of each seat in time, by round from 1; 0 for none.
        winners, pots, carries: by round; the pot includes the carry.
        scores: by round; those of round 0 are all 0.

    """

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        count = chance.choice([2, 2, 2, 3, 3, 4, 5, 5, 8])
        hands = [[*FULL_HAND] for _ in range(count)]
        if chance.random() < 0.4:
            hands[chance.randrange(count)] += chance.choice([[14], [13, 14], [5]])
        if chance.random() < 0.3:
            ranks = chance.choice([FULL_HAND, [2, 6, 7, 14]])  # four ranks are often cancelled
            hands = [sorted(chance.choices(ranks, k=chance.randint(3, 6))) for _ in range(count)]
        tiebreak = chance.choice(["shared", "most-rounds", "best-pot"])
        house: dict[str, object] = {"mode": chance.choice(["open", "open", "dark"]), "tiebreak": tiebreak}
        late = chance.choice([0, 0, 6, 2])
        battle = StrategyWar()
        rounds = chance.choice([3, 13, 13, 13])
        breaks = ["shared", "most-rounds", "best-pot"].index(tiebreak)
        battle.begin(hands, RandomSource(), rounds, house["mode"] == "dark", breaks)
        battle.log = []
        battle.run()
        while not battle.is_over():
            is_late = late and chance.randrange(late) == 0
            at = len(battle.options) if is_late else chance.randrange(len(battle.options))
            if seed % 4 == 1 and battle.side == 0:
                at = 0  # this side plays its lowest card, and keeps its ace
            battle.choose(at)
        self.battle, self.count, self.hands = battle, count, hands
        self.setup = Setup([f"s{n}" for n in range(count)], house, [{"cards": hand} for hand in hands], {})
        self.plot: Plot = plot(self.setup, battle.log)
        self.count_up(battle.history)

    def count_up(self, history: Sequence[Sequence[int]]) -> None:
        self.cards = [[0] * self.count, *([max(card, 0) for card in sealed] for sealed in history)]
        self.late = [False, *(min(sealed) < 0 for sealed in history)]
        self.winners, self.pots, self.carries = [NOBODY], [0], [0]
        self.scores = [[0] * self.count]
        for number, sealed in enumerate(history, 1):
            carry = self.pots[-1] if self.winners[-1] == NOBODY else 0
            pot = carry + sum(map(abs, sealed))
            alone = [card for card in self.cards[number] if card and self.cards[number].count(card) == 1]
            winner = self.cards[number].index(max(alone)) if alone else NOBODY
            scores = [*self.scores[-1]]
            if winner != NOBODY:
                scores[winner] += pot
            self.winners.append(winner)
            self.pots.append(pot)
            self.carries.append(carry)
            self.scores.append(scores)
        self.last = len(history)
        self.usual = max(1, sum(abs(card) for sealed in history for card in sealed) // max(1, self.last))
        self.contests: list[list[int]] = []  # the numbers of the rounds of each episode
        waiting: list[int] = []
        for number in range(1, self.last + 1):
            waiting.append(number)
            if self.winners[number] != NOBODY or number == self.last:
                self.contests.append(waiting)
                waiting = []

    def leader(self, number: int) -> int:
        """Return the only leader after a round, or NOBODY."""
        best = max(self.scores[number])
        return self.scores[number].index(best) if self.scores[number].count(best) == 1 else NOBODY

    def round_facts(self) -> Iterator[Fact]:
        for episode in self.plot.episodes:
            yield from (fact for fact in episode.facts if fact.kind != "before_last")
            yield episode.short

    def last_facts(self) -> Iterator[Fact]:
        """Yield what is said before the last round."""
        for episode in self.plot.episodes:
            yield from (fact for fact in episode.facts if fact.kind == "before_last")

    def hooks(self) -> Iterator[Fact]:
        yield from (fact._replace(kind=f"hook_{fact.kind}") for fact in self.plot.hooks)

    def facts(self) -> Iterator[Fact]:
        yield from (*self.plot.opening, *self.round_facts(), *self.plot.ending)
        yield from (*self.last_facts(), *self.hooks())
        yield from (fact for _, _, fact in self.runs())

    def runs(self) -> Iterator[tuple[int, int, Fact]]:
        """Yield every run of two or more episodes: its first and last round, and its fact."""
        assert self.plot.summary is not None
        for first in range(len(self.contests) - 1):
            for last in range(first + 1, len(self.contests)):
                yield self.contests[first][0], self.contests[last][-1], self.plot.summary(first, last)


@cache
def battles() -> list[Played]:
    return [Played(seed) for seed in range(BATTLES)]


def seat(fact: Fact, field: str) -> int:
    name = fact.fields[field]
    assert isinstance(name, Name)
    return name.seat


def seats(fact: Fact, field: str) -> list[int]:
    names = fact.fields[field]
    assert isinstance(names, list)
    return [name.seat for name in names if isinstance(name, Name)]


def rank(fact: Fact, field: str) -> int:
    card = fact.fields[field]
    assert isinstance(card, Card)
    return read_rank(card.text)


def amount(fact: Fact, field: str) -> int:
    value = fact.fields[field]
    assert isinstance(value, int)
    return value


@pytest.mark.slow
def test_the_episodes_are_the_rounds_with_those_they_settled() -> None:
    for played in battles():
        assert len(played.plot.episodes) == len(played.contests)
        for episode, numbers in zip(played.plot.episodes, played.contests, strict=True):
            winner = played.winners[numbers[-1]]
            assert [*episode.winners] == ([] if winner == NOBODY else [winner])
            assert [*episode.scores] == played.scores[numbers[-1]]
            facts = [fact for fact in episode.facts if fact.kind != "before_last"]
            assert len(facts) == len(numbers) + sum(played.late[number] for number in numbers)


def test_what_is_said_before_the_last_round_and_of_the_whole_is_true() -> None:
    for played in battles():
        for fact in played.last_facts():
            order = sorted(played.scores[-2], reverse=True)
            assert amount(fact, "margin") == order[0] - order[1] > 0
            assert seat(fact, "side") == played.leader(played.last - 1)
            assert order[0] - order[1] <= played.pots[-1] and len(played.contests[-1]) == 1
        for fact in played.hooks():
            if fact.kind == "hook_collisions":
                first, second = seats(fact, "pair")
                met = [
                    number
                    for number in range(1, played.last + 1)
                    if played.cards[number][first] == played.cards[number][second] > 0
                ]
                assert amount(fact, "count") <= len(met)
                winners = [played.winners[number] for number in met]
                beaten = [
                    number
                    for number, winner in zip(met, winners, strict=True)
                    if winner != NOBODY and played.cards[number][winner] > played.cards[number][first]
                ]
                assert amount(fact, "count") == len(met) - len(beaten) >= 3
            else:
                points = [scores[seat(fact, "side")] for scores in played.scores[1:]]
                assert points[: amount(fact, "count")] == [0] * amount(fact, "count")
                assert points[amount(fact, "count")] > 0
                assert amount(fact, "round") == amount(fact, "count") + 1


def test_what_is_said_of_a_round_is_true() -> None:
    for played in battles():
        for fact in played.round_facts():
            if fact.kind == "pot_lost_after":
                assert amount(fact, "count") == len(played.contests[-1]) > 1
                assert amount(fact, "pot") == played.pots[-1] and played.winners[-1] == NOBODY
                continue
            number = amount(fact, "round")
            if fact.kind == "late":
                sealed = played.battle.history[number - 1]
                assert sealed[seat(fact, "side")] == -rank(fact, "card")
                continue
            assert amount(fact, "pot") == played.pots[number]
            assert ("many" in fact.fields, "prompt" in fact.fields) == (
                played.count > 2, not played.late[number]
            )  # fmt: skip
            if played.winners[number] == NOBODY:
                check_nobody(played, fact, number)
            else:
                check_win(played, fact, number)


def check_nobody(played: Played, fact: Fact, number: int) -> None:
    """Check a round without a winner."""
    cards = [card for card in played.cards[number] if card]
    assert fact.kind.startswith("pot_lost") == (number == played.last)
    assert fact.kind.endswith("_late") == (not cards)
    if fact.kind.startswith("rolled"):
        assert fact.kind.endswith("again") == (bool(cards) and played.carries[number] > 0)
    if "card" in fact.fields:
        field = "pair" if "pair" in fact.fields else "crowd"
        assert set(cards) == {rank(fact, "card")}
        assert seats(fact, field) == [at for at, card in enumerate(played.cards[number]) if card]
        assert (len(cards) == 2) == (field == "pair")


def check_win(played: Played, fact: Fact, number: int) -> None:
    """Check a round with a winner."""
    fields, cards = fact.fields, played.cards[number]
    winner, card = seat(fact, "side"), rank(fact, "card")
    assert winner == played.winners[number] and cards[winner] == card
    assert (
        ("waiting" in fields)
        == (played.carries[number] > 0)
        == ("waiting" in fact.kind or fact.kind == "chain")
    )
    assert fields.get("waiting", 0) == played.carries[number]
    below = sorted(other for other in cards if 0 < other < card)
    if "rival" in fields:
        assert below[-1] == rank(fact, "other") == cards[seat(fact, "rival")] and below.count(below[-1]) == 1
    assert ("far" in fields) == ("rival" in fields and card - below[-1] >= 4)
    if "kept" in fields:
        aces = [at for at in range(1, played.last + 1) if abs(played.battle.history[at - 1][winner]) == 14]
        assert aces == [played.last] == [number] and seat(fact, "kept") == winner
    contested = [played.pots[numbers[-1]] for numbers in played.contests]
    assert ("largest" in fields) == (
        sorted(contested)[-1] == played.pots[number] > sorted([0, *contested])[-2]
    )
    higher = sorted({other for other in cards if other > card}, reverse=True)
    if fact.kind == "chain":
        numbers = next(numbers for numbers in played.contests if numbers[-1] == number)
        assert all(played.winners[each] == NOBODY for each in numbers[:-1]) and len(numbers) > 1
        assert fields.get("rolled", numbers[0]) == numbers[0]
        assert amount(fact, "earlier") > 1 if "earlier" in fields else len(numbers) == 2
        return
    assert bool(higher) == ("cancelled" in fact.kind)
    if higher:
        groups = [[at for at, other in enumerate(cards) if other == high] for high in higher]
        assert rank(fact, "high") == higher[0] and seats(fact, "sides") == groups[0]
        assert fact.kind.endswith("twice") == (len(groups) == 2)
        assert fact.kind.endswith("often") == (len(groups) > 2)
        if len(groups) == 2:
            assert rank(fact, "middle") == higher[1] and seats(fact, "more") == groups[1]
        if len(groups) == 1:
            assert ("pair" in fields, "crowd" in fields) == (len(groups[0]) == 2, len(groups[0]) > 2)
        return
    if fact.kind == "won_cheaply":
        assert max(cards) <= 6
    if fact.kind == "won_by_one":
        assert below[-1] == card - 1 and "rival" in fields
    if fact.kind == "won_for_little":
        assert card >= 12 and 100 * played.pots[number] <= 70 * played.usual
    if fact.kind == "won_much":
        assert "largest" in fields or 100 * played.pots[number] >= 130 * played.usual
    earlier = [abs(sealed[winner]) for sealed in played.battle.history[: number - 1]]
    shown = fields["card"]
    assert isinstance(shown, Card) and shown.is_second == (earlier.count(card) == 1)


@pytest.mark.slow
def test_what_is_said_of_several_rounds_is_true() -> None:
    for played in battles():
        for first, last, fact in played.runs():
            count = "first_count" if first == 1 else "last_count" if last == played.last else "next_count"
            assert amount(fact, count) == last - first + 1
            assert len({"first_count", "last_count", "next_count"} & fact.fields.keys()) == 1
            check_run(played, fact, first, last)


def check_run(played: Played, fact: Fact, first: int, last: int) -> None:
    """Check what is said of the rounds from `first` to `last`."""
    fields, before, after = fact.fields, played.scores[first - 1], played.scores[last]
    winners = played.winners[first : last + 1]
    leaders = [seat for seat in map(played.leader, range(first - 1, last + 1)) if seat != NOBODY]
    leader = played.leader(last)
    if fact.kind == "run_all":
        side = seat(fact, "side")
        assert set(winners) == {side}
        assert (amount(fact, "gain"), amount(fact, "score")) == (after[side] - before[side], after[side])
        assert ("again" in fields) == (first > 1 and played.winners[first - 1] == side)
        if "passed" in fields:
            assert played.leader(first - 1) == seat(fact, "passed") != side == leader
        return
    if fact.kind == "run_two":
        assert winners == [seat(fact, "side"), seat(fact, "rival")] and len(set(winners)) == 2
        assert [amount(fact, "pot"), amount(fact, "last_pot")] == played.pots[first : last + 1]
        assert [amount(fact, "round"), amount(fact, "last_round")] == [first, last]
        cards = [played.cards[first][winners[0]], played.cards[last][winners[1]]]
        assert cards == [rank(fact, "card"), rank(fact, "both" if "both" in fields else "other")]
        assert first == 1 or {*leaders} <= {leader}
        return
    if fact.kind == "run_level":
        level = [seat for seat, score in enumerate(after) if score == max(after)]
        assert seats(fact, "sides") == level and len(level) > 1 and amount(fact, "score") == max(after)
        return
    side, rival = seat(fact, "side"), seat(fact, "rival")
    others = sorted((score for at, score in enumerate(after) if at != side), reverse=True)
    assert side == leader and after[rival] == others[0]
    assert amount(fact, "wins") == winners.count(side)
    assert ("final" in fields) == (after == played.scores[-1] and last < played.last)
    if "final" not in fields:
        assert (amount(fact, "lead"), amount(fact, "behind")) == (after[side], others[0])
        assert amount(fact, "margin") == after[side] - others[0] > 0
    pots = [
        pot for pot, winner in zip(played.pots[first : last + 1], winners, strict=True) if winner != NOBODY
    ]
    (prize,) = {"haul", "only_haul", "prize"} & fields.keys() or {""}
    assert bool(prize) == (pots.count(max(pots)) == 1)
    if "card" in fields:
        at = first + played.pots[first : last + 1].index(max(pots))
        taker = seat(fact, "taker") if prize == "prize" else side
        assert played.winners[at] == taker and played.cards[at][taker] == rank(fact, "card")
        assert fields[prize] == max(pots) and ("taker" in fields) == (taker != side)
        assert (prize == "only_haul") == (winners.count(side) == 1 and taker == side)
    changes = sum(a != b for a, b in pairwise(leaders))
    assert (fact.kind == "run_changes") == (changes > 1)
    if fact.kind == "run_changes":
        assert amount(fact, "changes") == changes
    elif fact.kind == "run_first":
        assert not any(before)
        assert ("passed" in fields) == (changes == 1)
        if "passed" in fields:
            assert leaders == sorted(leaders, key=[seat(fact, "passed"), side].index)
        if "without" in fields:
            assert [at for at, score in enumerate(after) if not score] == [seat(fact, "without")]
    elif fact.kind == "run_passed":
        assert any(before) and played.leader(first - 1) != side and winners.count(side)
        if "passed" in fields:
            assert seat(fact, "passed") == next(who for who in leaders if who != side)
    else:
        assert played.leader(first - 1) == side
        assert fact.kind == ("run_kept" if winners.count(side) else "run_idle")
        check_pursuit(played, fact, first, last)


def check_pursuit(played: Played, fact: Fact, first: int, last: int) -> None:
    """Check what is said of the others while a side kept the lead."""
    fields, before, after = fact.fields, played.scores[first - 1], played.scores[last]
    side, rival = seat(fact, "side"), seat(fact, "rival")
    leads = [
        scores[side] - max(score for at, score in enumerate(scores) if at != side)
        for scores in played.scores[first - 1 : last + 1]
    ]
    assert ("safe" in fields) == (min(leads) > 0)
    assert fact.kind != "run_idle" or "safe" in fields
    assert ("away" in fields) == (leads[-1] > leads[0])
    if "gaining" in fields:
        assert seat(fact, "gaining") == rival and after[rival] > before[rival] and leads[-1] < leads[0]
    if "rest" in fields:
        winners = played.winners[first : last + 1]
        assert winners.count(seat(fact, "rest")) == amount(fact, "rest_wins") > 1
        assert winners.count(side) + amount(fact, "rest_wins") == len(winners)


def test_what_is_said_of_hands_and_of_the_end_is_true() -> None:
    for played in battles():
        for fact in played.plot.opening:
            check_hands(played, fact)
        (end,) = played.plot.ending
        fields, scores = end.fields, played.scores[-1]
        order = sorted(scores, reverse=True)
        winners = played.battle.outcome().winners
        assert amount(end, "mine") == order[0]
        if end.kind in ("end_most_rounds", "end_best_pot"):
            assert [seat(end, "side")] == [*winners] and order[0] == order[1]
            assert seats(end, "level") == [at for at, score in enumerate(scores) if score == order[0]]
        elif end.kind == "end_shared":
            assert seats(end, "sides") == [*winners] and len(winners) > 1
        else:
            assert [seat(end, "side")] == [*winners] and scores[seat(end, "rival")] == order[1]
            assert amount(end, "lead") == order[0] - order[1] > 0
            assert ("loser" in fields) == (played.count == 2)
            assert ("second" in fields) == (played.count > 2 and order.count(order[1]) == 1)
            assert "hair" not in fields or order[0] - order[1] <= 3
            level = [at for at, score in enumerate(scores) if score == order[1]]
            if end.kind == "end_won_level":
                assert sorted(seats(end, "others")) == level
            assert (end.kind == "end_won_level") == (len(level) > 1 and order[0] - order[1] >= 10)
            assert end.kind != "end_rout" or order[0] > 2 * order[1]
            assert end.kind.startswith("end_close") == (order[0] - order[1] < 10)
            near = len(order) > 2 and order[0] - order[2] < 10
            assert (end.kind == "end_close_three") == near
            if near:
                assert scores[seat(end, "third")] == order[2] == amount(end, "last")
                assert amount(end, "spread") == order[0] - order[2]
                assert len({seat(end, name) for name in ("side", "rival", "third")}) == 3
            if "ratio" in fields:
                assert order[0] > amount(end, "ratio") * order[1] >= order[0] - order[1]


def check_hands(played: Played, fact: Fact) -> None:
    """Check what is said of the hands."""
    hands = [sorted(hand) for hand in played.hands]
    totals = [*map(sum, hands)]
    assert (fact.kind == "dark") == (played.setup.house["mode"] == "dark")
    if fact.kind == "hands_even":
        assert hands.count(hands[0]) == len(hands) and ("full" in fact.fields) == (hands[0] == FULL_HAND)
    elif fact.kind != "dark":
        assert (amount(fact, "best"), amount(fact, "least")) == (max(totals), min(totals))
        assert (fact.kind == "hands_worth_the_same") == (max(totals) == min(totals))
    if fact.kind == "hand_strongest":
        side = seat(fact, "side")
        assert totals[side] == max(totals) and totals.count(max(totals)) == 1
        extra = fact.fields.get("extra", [])
        assert isinstance(extra, list)
        cards = [read_rank(card.text) for card in extra if isinstance(card, Card)]
        if cards:
            others = [hand for at, hand in enumerate(hands) if at != side]
            assert all(hands[side] == sorted([*hand, *cards]) for hand in others)


def test_what_is_said_of_the_lead_and_of_the_whole_is_true() -> None:
    for played in battles():
        ends = [numbers[-1] for numbers in played.contests]
        for at, number in enumerate(ends):
            fact = standing_fact(played.plot.episodes, at)
            if fact.kind == "now_ahead":
                side, earlier = seat(fact, "side"), [played.leader(each) for each in ends[:at]]
                assert side == played.leader(number) and (not at or earlier[-1] != side)
                assert ("again" in fact.fields) == (side in earlier)
                sole = [each for each in earlier if each != NOBODY]
                assert ("overtook" in fact.fields) == (bool(sole) and sole[-1] != side)
        winners = played.battle.outcome().winners
        for fact in shape_facts(played.plot.episodes, winners, has_comeback=False):
            leaders = [*map(played.leader, range(1, played.last + 1))]
            side = seat(fact, "side")
            if fact.kind == "led_at_the_end":
                assert leaders.index(side) == played.last - 1
                assert all(
                    scores[side] < max(scores) for scores in played.scores[played.contests[0][-1] : -1]
                )
            if fact.kind == "decided_at_the_end":
                assert leaders[-1] == side != leaders[-2]
            if fact.kind == "always_led":
                assert set(leaders[played.contests[0][-1] - 1 :]) == {side}
            if fact.kind == "lead_changes":
                sole = [each for each in leaders if each != NOBODY]
                assert amount(fact, "changes") == sum(a != b for a, b in pairwise(sole)) >= 4
            if fact.kind == "comeback":
                gaps = [max(scores) - scores[side] for scores in played.scores]
                assert amount(fact, "deficit") == max(gaps)


@pytest.mark.slow
def test_every_fact_has_a_phrase_and_every_phrase_a_fact() -> None:
    """A phrase that no fact can fill is a mistake; kinds of facts that seldom occur are not judged."""
    phrases = phrases_of("en", RULES.key)
    own = language("en", RULES.key)
    used: set[str] = set()
    seen: Counter[str] = Counter()
    for played in battles():
        teller = Teller(own, phrases, side_names(NAMES[: played.count]), stream(0, "story"))
        for fact in played.facts():
            lines = phrases[fact.kind]
            fillable = [line for line in lines if line in used or fills(teller, line, fact)]
            assert any(fills(teller, line, fact) for line in fillable), fact
            used.update(fillable)
            seen[fact.kind] += 1
    common = [kind for kind, count in seen.items() if count >= OFTEN]
    assert not {line for kind in common for line in phrases[kind]} - used


def fills(teller: Teller, line: str, fact: Fact) -> bool:
    try:
        teller.fill(line, fact.fields)
    except NotSayable:
        return False
    return True

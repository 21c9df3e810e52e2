"""Threads of Wargame: every claim of a scene is checked against the events of random battles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import Report, report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import Event
from cardbattle.core.chance import stream
from cardbattle.core.telling import Card, Episode, Fact, Plot, Scene, numbers
from cardbattle.rules import find
from cardbattle.rules.wargame.battle import RESIGNED, SEVEN_BATTLES, stronger
from cardbattle.rules.wargame.fight import Fight
from cardbattle.story.language import language, phrases_of
from cardbattle.story.naming import side_names
from cardbattle.story.story import tell_story
from cardbattle.story.teller import Teller
from tests.story.test_story import NAMES
from tests.story.test_strategy_war import amount, fills, seat

pytestmark = pytest.mark.slow

SEEDS = (*range(60), 135)
NEW = (
    "attack_kept", "attack_lost", "chips_vain", "chips_gone", "chips_left", "one_short", "six_all", "down",
    "up", "tight_hook", "three_in_row", "match_point", "no_chip", "cut_off", "row_of_wins", "beaten_off",
    "now_still",
)  # fmt: skip


def battle_report(seed: int) -> Report:
    """Return a battle between two commanders, in two of three battles of unequal skill or chips."""
    sides: dict[str, dict[str, object]] = {f"s{n}": {"name": NAMES[n]} for n in (0, 1)}
    sides["s0"] |= ({}, {"commander": "green"}, {"chips": 1})[seed % 3]
    sides["s1"] |= ({}, {"commander": "veteran"}, {"chips": 9})[seed % 3]
    return report_of(*fight_battle(read_battle({"rules": "wargame", "seed": seed, "sides": sides})))


class Fought:
    """A battle between two commanders, counted in the plainest way.

    Attributes:
        victors, attackers, cards, hows: of each fight.
        scores: before the first fight and after each.
        chips: for each fight the chips of the sides that paid, after the last payment.
        places: the space of each fight.

    """

    def __init__(self, seed: int) -> None:
        seen = battle_report(seed)
        self.events: list[Event] = [event for _, event in seen.events]
        plot = seen.rules.plot(seen.setup, self.events)
        assert plot is not None
        self.plot: Plot = plot
        self.victors: list[int] = []
        self.attackers: list[int] = []
        self.cards: list[list[int]] = []
        self.hows: list[object] = []
        self.scores = [[0, 0]]
        self.chips: list[dict[int, int]] = []
        self.places: list[int] = []
        for event in self.events:
            if event.kind == "battle_begun":
                self.attackers.append(event.side)
                self.chips.append({})
            elif event.kind == "switched":
                left = event.fields["chips"]
                assert isinstance(left, int)
                self.chips[-1][event.side] = left
            elif event.kind == "won":
                self.victors.append(event.side)
                self.cards.append(numbers(event, "cards"))
                self.hows.append(event.fields["how"])
                self.scores.append(numbers(event, "scores"))
                self.places.append(int(str(event.fields["place"])))
        self.start = (5, 5) if seed % 3 < 2 else (1, 9)
        self.winner = numbers(self.events[-1], "winners")[0]

    def lead(self, side: int, at: int) -> int:
        return self.scores[at][side] - self.scores[at][1 - side]

    def purse(self, side: int) -> int:
        """Return the chips that a side has at the end."""
        return next((chips[side] for chips in reversed(self.chips) if side in chips), self.start[side])


@cache
def battles() -> list[Fought]:
    return [Fought(seed) for seed in SEEDS]


def scenes() -> Iterator[tuple[Fought, Scene, Fact]]:
    for fought in battles():
        for thread in fought.plot.threads:
            yield from ((fought, scene, fact) for scene in thread.scenes for fact in scene.facts)


def check_attack(fought: Fought, fact: Fact) -> None:
    side = seat(fact, "side")
    passed = [a == side != b for a, b in pairwise(fought.attackers)].count(True)
    assert fought.attackers[0] == side == fought.winner and amount(fact, "taken") == passed
    assert amount(fact, "count") == len(fought.attackers)
    assert (fact.kind == "attack_kept") == ({*fought.attackers} == {side})
    assert ("several" in fact.fields) == (passed > 1)


def check_vain(fought: Fought, fact: Fact) -> None:
    side = seat(fact, "side")
    paid = [victor for victor, chips in zip(fought.victors, fought.chips, strict=False) if side in chips]
    assert amount(fact, "paid") == len(paid) and amount(fact, "lost") == len(paid) - paid.count(side)
    assert ("all" in fact.fields) == (side not in paid) != ("some" in fact.fields)


def check_gone(fought: Fought, fact: Fact) -> None:
    side, number = seat(fact, "side"), amount(fact, "fight")
    assert fought.chips[number - 1][side] == 0
    later = fought.victors[number:]
    assert amount(fact, "count") == len(later) and amount(fact, "wins") == later.count(side)
    assert ("none" in fact.fields) == (side not in later) != ("some" in fact.fields)


def check_left(fought: Fought, fact: Fact) -> None:
    """Chips that are merely left over do not matter."""
    side = seat(fact, "side")
    assert amount(fact, "left") == fought.purse(side) == fought.start[side] > 1
    assert all(side not in chips for chips in fought.chips)


def check_six(fought: Fought, fact: Fact) -> None:
    side = seat(fact, "side")
    at = next(at for at, scores in enumerate(fought.scores) if scores[side] == 6)
    assert amount(fact, "count") == len(fought.victors) - at and side != fought.winner
    assert (fact.kind == "six_all") == (fought.scores[at] == [6, 6])
    assert set(fought.victors[at:]) == {fought.winner}
    assert ("several" in fact.fields) == (amount(fact, "count") > 1)


def check_far(fought: Fought, fact: Fact) -> None:
    """Check how far the winner was behind."""
    at = amount(fact, "count")
    scores = fought.scores[at]
    assert (seat(fact, "side") == fought.winner) == (fact.kind == "down")
    assert amount(fact, "score") == scores[fought.winner]
    assert amount(fact, "lead") == scores[1 - fought.winner]
    assert amount(fact, "deficit") == -fought.lead(fought.winner, at) > 2
    assert -amount(fact, "deficit") == min(fought.lead(fought.winner, at) for at in range(len(fought.scores)))


def check_tight(fought: Fought, fact: Fact) -> None:
    assert all(abs(fought.lead(0, at)) < 2 for at in range(len(fought.scores)))


def check_row(fought: Fought, fact: Fact) -> None:
    """Check that the winner had three spaces in a row, and won with four."""
    end, row = fought.plot.ending[0], range(amount(fact, "first"), amount(fact, "last") + 1)
    assert (
        end.kind in ("end_four", "end_four_anyway") and seat(fact, "side") == fought.winner and len(row) == 3
    )
    places = [
        place for place, victor in zip(fought.places, fought.victors, strict=True) if victor == fought.winner
    ]
    assert {*row} <= {*places[:-1]} and {row[0] - 1, row[-1] + 1} & {*places}


def check_point(fought: Fought, fact: Fact) -> None:
    before = fought.scores[-2]
    assert before[fought.winner] == 6 and seat(fact, "side") == fought.winner
    needed = amount(fact, "needed")
    assert needed == 7 - before[1 - fought.winner] > 1
    victors = dict(zip(fought.places[:-1], fought.victors[:-1], strict=True))
    for first in range(1, 11):  # four adjacent spaces would win, too
        row = [victors.get(place, 1 - fought.winner) for place in range(first, first + 4)]
        missing = sum(place not in victors for place in range(first, first + 4))
        assert {*row} != {1 - fought.winner} or missing >= needed


def check_missed(fought: Fought, fact: Fact) -> None:
    """Check that the loser of the last fight had a card that would have won, and could not move it."""
    victor, loser = seat(fact, "side"), seat(fact, "rival")
    lines = next(event.fields["lines"] for event in fought.events if event.kind == "checked")
    line = dict(enumerate(lines[loser], 1))  # type: ignore[index]
    for event in fought.events:
        if event.kind == "switched" and event.side == loser:
            line |= zip(numbers(event, "places"), numbers(event, "cards"), strict=True)
    left = {place: card for place, card in line.items() if place not in fought.places}
    struck, better = fought.cards[-1][victor], fact.fields["better"]
    assert isinstance(better, Card) and int(better.text) in left.values()
    assert fought.victors[-1] == victor == fought.attackers[-1] and stronger(int(better.text), struck) > 0
    held = {at for at, who in zip(fought.places[:-1], fought.victors, strict=False) if who == victor}
    cut = {
        place: any({n, n + 1, n + 2} <= {*range(min(place, last) + 1, max(place, last))} & held for n in held)
        for last in fought.places[-1:] for place in left
    }  # fmt: skip
    assert (fact.kind == "no_chip") == (fought.purse(loser) == 0)
    saving = [cut[place] for place, card in left.items() if card == int(better.text)]
    assert all(saving) if fact.kind == "cut_off" else not all(saving)
    assert ("spent" in fact.fields) == (
        fact.kind == "no_chip" and fought.start[loser] > 0
    ) or fact.kind == "cut_off"


def check_wins(fought: Fought, fact: Fact) -> None:
    side, cards = seat(fact, "side"), fact.fields["cards"]
    count = amount(fact, "first_count" if "first_count" in fact.fields else "next_count")
    assert isinstance(cards, list)
    ends = [
        at for at in range(count, len(fought.victors) + 1)
        if [str(each[side]) for each in fought.cards[at - count : at]] == [card.text for card in cards]
        and fought.victors[at - count : at] == [side] * count
    ]  # fmt: skip
    assert ends and 1 < count == len(cards) and ("many" in fact.fields) == (count > 2)
    if "next_count" in fact.fields:
        assert any(stands(fought, fact, at) for at in ends)
        assert any(("again" in fact.fields) == (fought.victors[at - count - 1] == side) for at in ends)
    else:
        assert count in ends


def stands(fought: Fought, fact: Fact, at: int) -> bool:
    """Return True if a fact states the score after a number of fights."""
    scores, lead = fought.scores[at], fought.lead(seat(fact, "side"), at)
    names = ("lead", "behind") if lead > 0 else ("trail", "ahead") if lead < 0 else ("even",)
    told = sorted(amount(fact, name) for name in names if name in fact.fields)
    return told == sorted({*scores} if len(names) == 1 else scores)


def check_failed(fought: Fought, fact: Fact) -> None:
    count = amount(fact, "count")
    lost = [a != v for a, v in zip(fought.attackers, fought.victors, strict=False)]
    ends = [
        at for at in range(count, len(lost) + 1) if all(lost[at - count : at]) and stands(fought, fact, at)
    ]
    assert ends and count > 2 and ("start" not in fact.fields or count in ends)
    if "dear" in fact.fields:
        paid = [victor in chips for victor, chips in zip(fought.victors, fought.chips, strict=False)]
        assert any(all(paid[at - count : at]) for at in ends)


def check_still(fought: Fought, fact: Fact) -> None:
    ends = [at for at in range(1, len(fought.victors)) if stands(fought, fact, at)]
    assert any("still" not in fact.fields or fought.lead(seat(fact, "side"), at - 1) > 0 for at in ends)


CHECKS: dict[str, Callable[[Fought, Fact], None]] = {
    "attack_kept": check_attack, "attack_lost": check_attack, "chips_vain": check_vain,
    "chips_gone": check_gone, "chips_left": check_left, "one_short": check_six, "six_all": check_six,
    "down": check_far, "up": check_far, "tight_hook": check_tight, "three_in_row": check_row,
    "match_point": check_point, "no_chip": check_missed, "cut_off": check_missed,
    "row_of_wins": check_wins, "beaten_off": check_failed, "now_still": check_still,
}  # fmt: skip


def test_what_a_thread_claims_is_true() -> None:
    checked: Counter[str] = Counter()
    for fought, _, fact in scenes():
        if fact.kind in CHECKS:
            CHECKS[fact.kind](fought, fact)
            checked[fact.kind] += 1
    assert {*NEW} == {*checked}


def test_what_is_said_of_the_score_is_true() -> None:
    seen: Counter[str] = Counter()
    before = Fact("", {})
    for fought, scene, fact in scenes():
        latest, before = before, fact
        if fact.kind not in ("now_ahead", "now_level"):
            continue
        episodes = fought.plot.episodes
        at = next(number for number, episode in enumerate(episodes, 1) if episode.last == scene.last)
        assert ("direct" in fact.fields) == (latest == episodes[at - 1].short)
        seen[fact.kind] += 1
        scores = fought.scores[at]
        if fact.kind == "now_level":
            assert scores == [amount(fact, "score")] * 2 and fought.scores[at - 1] != scores
            assert ("again" in fact.fields) == any(a != b for a, b in fought.scores[:at])
            continue
        side = seat(fact, "side")
        assert scores[side] == amount(fact, "lead") > scores[1 - side] == amount(fact, "behind")
        led = [fought.lead(side, each) for each in range(at)]
        assert ("again" in fact.fields) == (max(led) > 0) and led[-1] <= 0
        assert ("overtook" in fact.fields) == ([lead < 0 for lead in led if lead][-1:] == [True])
    assert len(seen) == 2
    phrases = phrases_of("en", "wargame")
    for line in (line for kind in seen for line in (*phrases[kind], *phrases[f"tail_{kind}"])):
        assert "{direct.if}" in line or line not in phrases.get("tail_now_ahead", ()), line
        assert "That" not in line or "{direct.if}" in line, line


def test_a_thread_goes_through_the_fights_in_order_and_counts_none_of_them_twice() -> None:
    """Each fight in which a Spy beat a great card has its own scene."""
    for fought in battles():
        ends = {episode.last: at for at, episode in enumerate(fought.plot.episodes)}
        for thread in fought.plot.threads:
            assert [scene.last for scene in thread.scenes] == sorted(scene.last for scene in thread.scenes)
            told = [-1]
            for scene in thread.scenes:
                kinds = {fact.kind.removeprefix("last_") for fact in scene.facts}
                if scene.episodes:
                    assert [*scene.episodes] == [told[-1] + 1, ends[scene.last]]
                    told += range(scene.episodes[0], scene.episodes[1] + 1)
                elif fought.plot.episodes[ends.get(scene.last, 0)].short.kind in kinds:
                    told.append(ends[scene.last])
                elif kinds & {"down", "up"} and told[-1] != ends[scene.last]:
                    told += range(told[-1] + 1, ends[scene.last] + 1)
            assert told == [*range(-1, len(told) - 1)]
            assert len(told) - 1 == len(ends) or thread.name == "purse"
            full = [fact for scene in thread.scenes for fact in scene.facts]
            for episode in fought.plot.episodes:
                assert not episode.short.kind.endswith("_spy") or episode.short in full


def test_nothing_is_said_of_the_whole_battle_before_its_last_fight() -> None:
    for fought, scene, fact in scenes():
        if fact.kind in ("attack_kept", "attack_lost", "chips_vain", "chips_left", "tight_hook"):
            assert scene.last == fought.plot.episodes[-1].last
    for line in phrases_of("en", "wargame")["one_short"]:
        assert not re.search(r"did not|no further|\btook\b", line), line
    for line in phrases_of("en", "wargame")["attack_lost"]:  # the loser can have kept the attack for a time
        assert not re.search(r"\bke(?:ep|pt)\b", line), line


def test_the_score_of_the_ending_states_the_losses() -> None:
    for seed in SEEDS[:20]:
        seen = battle_report(seed)
        told = tell_story(seen)
        scores = numbers([event for _, event in seen.events][-1], "scores")
        assert [*map(Fraction, seen.losses)] == [Fraction(score, 13) for score in reversed(scores)]
        assert len(told.sentences) == 6 or "strength" not in told.sentences[-1]


def test_the_last_card_of_a_side_is_not_chosen() -> None:
    """In the thirteenth fight each side has one card left, so it chose and kept nothing."""
    seen = 0
    for fought in battles():
        for at, episode in enumerate(fought.plot.episodes, 1):
            assert ("chosen" in episode.short.fields) == (at < 13)
            assert at < 12 or not [fact for fact in episode.facts if fact.kind.startswith("last_chip")]
            seen += at == 13
    assert seen
    for kind, lines in phrases_of("en", "wargame").items():
        for line in lines:
            assert not re.search(r"\bchose\b|of all cards", line) or "{chosen.if}" in line, (kind, line)


def fights_of(fought: Fought) -> Iterator[tuple[Episode, list[Event], list[int], set[int]]]:
    """Yield each fight with its events, and with the chips and the switched places before it."""
    purse, moved = [*fought.start], set[int]()
    for episode in fought.plot.episodes:
        told = fought.events[episode.first : episode.last + 1]
        yield episode, told, [*purse], {*moved}
        for event in told:
            if event.kind == "switched":
                purse[event.side] = int(str(event.fields["chips"]))
                moved |= {*numbers(event, "places")}


def event_of(kind: str, side: int, fields: dict[str, object]) -> Event:
    return Event(kind, side, fields, {}, [], False)


def test_a_card_was_kept_where_it_was_only_if_no_card_was_switched_there() -> None:
    seen = Counter[tuple[bool, bool]]()
    for fought in battles():
        for episode, told, purse, moved in fights_of(fought):
            won = next(event for event in told if event.kind == "won")
            now = {place for event in told if event.kind == "switched" for place in numbers(event, "places")}
            fields = episode.short.fields
            assert ("kept" in fields) == (
                won.fields["place"] not in moved | now and amount(episode.short, "fight") < 13
            )
            assert ("bare" in fields) == (purse[1 - won.side] == 0)
            seen["kept" in fields, "bare" in fields] += 1
    assert len(seen) == 4
    for kind, lines in phrases_of("en", "wargame").items():
        for line in lines:
            claims = {r"\bhad kept\b|stood where it was": "kept", "nothing but": "bare"}
            for claim, condition in claims.items():
                assert not re.search(claim, line) or f"{{{condition}.if}}" in line, (kind, line)


def test_a_broken_line_is_told_only_if_its_side_could_still_switch_cards() -> None:
    """Only a gap with cards on both sides of it parts a line."""
    seen = Counter[bool]()
    for fought in battles():
        for episode, told, purse, _ in fights_of(fought):
            for fact in episode.facts:
                if fact.kind == "line_broken":
                    side = seat(fact, "side")
                    paid = [event for event in told if event.kind == "switched" and event.side == side]
                    assert (paid[-1].fields["chips"] if paid else purse[side]) != 0
                    parted = amount(fact, "first") > 1 and amount(fact, "last") < 13
                    assert ("parted" in fact.fields) == parted
                    seen[parted] += 1
    assert seen
    for first in range(1, 12):
        fight = Fight(event_of("battle_begun", 0, {"number": 3, "scores": [2, 0]}), 0)
        won = {"how": "strength", "cards": [9, 4], "scores": [3, 0], "place": first}
        fight.take(event_of("won", 0, won))
        fight.take(event_of("line_broken", 1, {"places": [first, first + 1, first + 2]}))
        (fact,) = [each for each in fight.facts() if each.kind == "line_broken"]
        assert ("parted" in fact.fields) == (first not in (1, 11))
    lines = phrases_of("en", "wargame")["line_broken"]
    assert not [line for line in lines if "parted " in line and "{parted.if}" not in line]
    assert not [line for line in lines if "middle" in line]


def test_a_last_chip_is_the_only_one_if_the_side_began_with_one() -> None:
    seen = Counter[bool]()
    for fought in battles():
        for episode in fought.plot.episodes:
            for fact in episode.facts:
                if fact.kind.startswith("last_chip"):
                    single = fought.start[seat(fact, "side")] == 1
                    assert ("single" in fact.fields) == single != ("several" in fact.fields)
                    seen[single] += 1
    assert len(seen) == 2
    for kind in ("last_chip", "last_chip_spent", "last_chip_elsewhere"):
        for line in phrases_of("en", "wargame")[kind]:
            assert not re.search(r"\blast\b", line) or "{several.if}" in line, line


def test_a_switch_that_wins_a_fight_is_told_with_its_winner() -> None:
    won = re.compile(r"\bwon\b|\blost?\b|threw back|\bbeat\b|slipped past|\bgone\b")
    for kind in ("switched_defence", "switched_defence_spy", "both_traitors"):
        for line in phrases_of("en", "wargame")[kind]:
            assert won.search(line) or "attack decided" in line or "beaten" in line, line
            assert kind != "both_traitors" or "{side" in line, line


def test_a_fight_is_told_with_both_sides() -> None:
    """Each side has all thirteen cards, so a card alone does not show whose it is."""
    for kind, lines in phrases_of("en", "wargame").items():
        is_fight = kind.startswith(("plain_a", "plain_def", "switched", "traitor_a", "traitor_d"))
        if is_fight and not kind.endswith("_tie"):
            assert not [line for line in lines if "{side" not in line or "{rival" not in line], kind


def test_a_thread_about_an_empty_purse_ends_with_it() -> None:
    seen = 0
    for fought in battles():
        for thread in fought.plot.threads:
            facts = [
                fact.kind for scene in thread.scenes for fact in scene.facts if fact.kind != "chips_left"
            ]
            assert thread.name != "purse" or facts[-1] == "chips_gone"
            seen += thread.name == "purse"
    assert seen
    for line in phrases_of("en", "wargame")["chips_gone"]:
        assert "That" not in line or "{paid.if}" in line


def test_a_resigned_battle_has_no_thread() -> None:
    fought = battles()[0]
    last = fought.events[-1]
    assert last.fields["reason"] in (SEVEN_BATTLES, "four-adjacent")
    fields = {**last.fields, "reason": RESIGNED}
    resigned = Event(last.kind, last.side, fields, last.hidden, last.eyes, last.whole)
    seen = battle_report(SEEDS[0])
    plot = find("wargame").plot(seen.setup, [*fought.events[:-1], resigned])
    assert fought.plot.threads and plot is not None and not plot.threads


def test_every_new_fact_has_a_phrase_and_every_phrase_a_fact() -> None:
    phrases = phrases_of("en", "wargame")
    teller = Teller(language("en", "wargame"), phrases, side_names(NAMES[:2]), stream(0, "story"))
    used: set[str] = set()
    for _, _, fact in scenes():
        lines = [*phrases.get(fact.kind, ()), *phrases.get(f"tail_{fact.kind}", ())]
        assert any(line in used or fills(teller, line, fact) for line in lines), fact
        used.update(line for line in lines if line not in used and fills(teller, line, fact))
    unused = {line for kind in NEW for line in phrases.get(kind, ())} - used
    assert not unused

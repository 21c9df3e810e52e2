"""Propose outlines (threads) for a story of a battle of Warfare Tactics.

Each outline is about a turn that mattered, with its cause and its consequences. A fight is a turn with an
attack that has a result. A lull is a series of turns without an attack and without a special move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Fact, FactValue, Name, Points, Scene, Thread, conditions
from cardbattle.rules.warfare_tactics.turns import (
    ATTACKS,
    BEHIND,
    HAIR,
    QUICK,
    Turn,
    card_of,
    rank_of,
    seat_of,
)

FEWEST_FACTS = 3  # minimum number of sentences of a thread
AGAIN = 2  # minimum number of fights that share a sentence
NEAR = 30  # largest deficit, in points, at which the loser nearly drew level
WORTH = 3  # a narrow fight matters if the final lead is at most WORTH times its gain
FELT = 5  # a SWITCH must be mentioned if the final lead is at most FELT times its gain
OPEN, STILL_OPEN = 60, 100  # a lead of up to OPEN points can be made good; bonus for a turn that begins so
ROUTED = 2  # minimum ratio of the scores in a one-sided battle
REMARKABLE = 15  # minimum drama of a later fight that the story describes in full
BRIEF, LENGTHY = 1, 2  # ranks of scenes that a story can leave out; LENGTHY scenes are left out first
WEIGHTS = {
    "the exchange": 80, "a near thing": 75, "the lost lead": 70, "the captive": 65, "the turn": 60,
    "the downfall": 55,
}  # fmt: skip
Fields = Mapping[str, FactValue]


class BattleHistory:
    """A battle with one winner: its fights, and the winner's lead after each turn.

    Attributes:
        turns: all turns.
        winner, loser: the numbers of the two sides.
        fights: the turns with an attack that has a result.
        main: the turn that helped the winner most, or None.

    """

    def __init__(self, turns: Sequence[Turn], winner: int) -> None:
        self.turns = [turn for turn in turns if turn.scores and turn.before]
        self.winner, self.loser = winner, 1 - winner
        self.fights = [turn for turn in self.turns if turn.result is not None and turn.winner != NOBODY]
        self.switches = [turn for turn in self.turns if turn.switch is not None]
        candidates = [turn for turn in self.fights if turn.winner == winner]
        candidates += [turn for turn in self.switches if seat_of(switch_of(turn)) == winner]
        self.main = max(candidates, key=lambda turn: (self.worth(turn), -turn.number), default=None)

    def lead(self, scores: Sequence[int]) -> int:
        """Return the winner's lead in these scores. It is negative if the winner is behind."""
        return scores[self.winner] - scores[self.loser]

    def gain(self, turn: Turn) -> int:
        """Return the number of points by which a turn improved the winner's lead."""
        return self.lead(turn.scores) - self.lead(turn.before)

    def worth(self, turn: Turn) -> int:
        """Return how much a turn helped the winner.

        A turn in which the winner takes the lead has a bonus, and a turn before which little was decided.
        """
        before = self.lead(turn.before)
        is_turn = before <= 0 < self.lead(turn.scores)
        return self.gain(turn) + BEHIND * is_turn + STILL_OPEN * (before <= OPEN)

    @property
    def is_one_sided(self) -> bool:
        """True if the winner scored twice as much as the loser, or won every fight."""
        scores = self.turns[-1].scores
        is_rout = scores[self.winner] >= ROUTED * scores[self.loser]
        return is_rout or all(turn.winner == self.winner for turn in self.fights)

    def names(self, side: int) -> dict[str, FactValue]:
        return {"side": Name(side), "rival": Name(1 - side)}

    def before(self, turn: Turn) -> list[Turn]:
        return [fight for fight in self.fights if fight.number < turn.number]

    def after(self, turn: Turn) -> list[Turn]:
        return [fight for fight in self.fights if fight.number > turn.number]

    def last_fight(self, turn: Turn) -> int:
        """Return the number of the last turn with a fight before a turn, or 0 if none was fought."""
        return max((fight.number for fight in self.before(turn)), default=0)

    # Scenes

    def full(self, turn: Turn, rank: int = 0) -> Scene:
        """Return a scene that describes a turn in detail.

        If the battle began with a lull, it mentions the lull first.
        """
        is_calm = turn.lull is not None and "first" in turn.lull.fields
        return Scene(turn.facts(has_lull=is_calm), turn.last, turn.number, rank, moment=turn.last)

    def short(self, turn: Turn, rank: int = 0) -> Scene:
        """Return a scene that describes a turn in one sentence."""
        return Scene([turn.short()], turn.last, turn.number, rank, moment=turn.last)

    def swing(self, turn: Turn, rank: int = 0) -> Scene:
        """Return a scene about how a turn changed the score.

        If no later fight follows, the scene is empty, because the end of the story has the score.
        """
        before, after = self.lead(turn.before), self.lead(turn.scores)
        kind = "swing_flip" if before < 0 < after else "swing_away" if after > 0 else "swing_closer"
        is_known = not self.after(turn) or turn.short().kind == "glimpse_switch"
        if kind == "swing_closer" or is_known:
            return Scene([], turn.last, turn.number, rank)
        fields: dict[str, FactValue] = {
            **self.names(self.winner),
            "was": Points(turn.before[self.winner]), "theirs_was": Points(turn.before[self.loser]),
            "now": Points(turn.scores[self.winner]), "theirs_now": Points(turn.scores[self.loser]),
            "gain": Points(after - before),
            **conditions(
                level=before == 0, ahead=before > 0, scored=min(turn.before) > 0,
                bare=not turn.monsters[self.loser] and turn.had[self.loser] > 0,
                fight=turn.is_all_fight,
            ),
        }  # fmt: skip
        if turn.returned and turn.active == self.winner and turn.result is not None:
            fields["back"] = [card_of(card) for card in turn.returned]
            kind = f"{kind}_back"
        return Scene([Fact(kind, fields)], turn.last, turn.number, rank)

    def opening_fights(self, turn: Turn, rank: int = 0) -> Iterator[Scene]:
        """Yield a scene about the results of the fights before a turn."""
        fights = self.before(turn)
        if len(fights) == 1:
            yield self.short(fights[0], rank)
        if len(fights) < AGAIN:
            return
        wins = sum(fight.winner == self.winner for fight in fights)
        best = self.winner if 2 * wins >= len(fights) else self.loser
        most = max(wins, len(fights) - wins)
        kind = (
            "before_all"
            if most == len(fights)
            else "before_even"
            if 2 * most == len(fights)
            else "before_most"
        )
        counts: dict[str, FactValue] = {
            "count": len(fights), "wins": most, "losses": len(fights) - most, "until": fights[-1].number,
            **conditions(
                two=len(fights) == 2, many=len(fights) > 2, start=2 * len(fights) <= len(self.fights),
                broken=any(fight.winner != best for fight in self.fights),
            ),
        }  # fmt: skip
        yield Scene([Fact(kind, {**self.names(best), **counts})], fights[-1].last, 0, rank)

    def tally(self, fights: Sequence[Turn], rank: int = 0) -> Iterator[Scene]:
        """Yield a scene that counts how many of these fights the battle's loser lost.

        `fights` are the first or the last fights of the battle.
        """
        lost = [fight for fight in fights if fight.winner == self.winner]
        if len(lost) == 1:
            yield self.short(lost[0], rank)
        if len(lost) < AGAIN:
            return
        kinds = [sort_of(fight) for fight in lost]
        counts = {kind: kinds.count(kind) for kind in ("retreats", "surrenders", "beaten")}
        sorts = [kind for kind, count in counts.items() if count]
        fields: dict[str, FactValue] = {
            **self.names(self.winner), "count": len(lost), "until": lost[-1].number,
            **{kind: counts[kind] for kind in sorts},
            **conditions(
                every=len(lost) == len(fights), some=len(lost) < len(fights),
                both=sorts == ["retreats", "surrenders"],
                early=fights[-1] is not self.fights[-1], later=fights[0] is not self.fights[0],
                more=any(each.winner == self.winner for each in self.before(fights[0])),
            ),
        }  # fmt: skip
        targets = [fight.attack["target"] for fight in lost if fight.active == self.winner]
        if len(targets) == len(lost) and len({rank_of(target) for target in targets}) == 1:
            fields["target"] = targets[0]
        if cards := sum(cost_of(fight) for fight in lost):
            fields["cards"] = cards
        kind = f"tally_{sorts[0]}" if len(sorts) == 1 else "tally_mixed"
        kind = f"{kind}_target" if sorts == ["retreats"] and "target" in fields else kind
        yield Scene([Fact(kind, fields)], lost[-1].last, 0, rank)

    def peak(self, until: int, since: int = 0) -> Turn | None:
        """Return the turn from `since` to before `until` after which the loser's lead was largest.

        Return None if this lead was small.
        """
        earlier = [each for each in self.turns if since <= each.number < until and self.is_earned(each)]
        peak = min(earlier, key=lambda each: (self.lead(each.scores), each.number), default=None)
        return peak if peak is not None and self.lead(peak.scores) <= -BEHIND else None

    def is_earned(self, turn: Turn) -> bool:
        """Return True if the score after a turn is more than the price of the winner's SEVEN.

        The winner can take this price back from its discard pile in its next turns.
        """
        has_paid = any(fact.kind == "seven" and seat_of(fact) == self.winner for fact in turn.specials)
        return turn.result is not None or (not has_paid and turn.monsters[self.loser] > 0)

    def had_led(self, turn: Turn, *, is_here: bool = False, since: int = 0) -> Iterator[Scene]:
        """If the loser had a large lead before a turn, yield a scene about the largest lead.

        Turns before `since` do not count, because the story has already reached the turn `since`.
        `is_here` is True if the sentence before the scene describes the turn that led to this lead.
        """
        peak = self.peak(turn.number, since)
        is_calm = turn.lull is not None and "first" in turn.lull.fields
        if peak is None or is_calm:
            return
        fields: dict[str, FactValue] = {
            **self.names(self.loser), **(conditions(here=True) if is_here else {"turn": peak.number}),
            "mine": Points(peak.scores[self.loser]), "other": Points(peak.scores[self.winner]),
            **conditions(best=self.lead(peak.scores) == min(self.lead(each.scores) for each in self.turns)),
        }  # fmt: skip
        yield Scene([Fact("had_led", fields)], peak.last, peak.number)

    def nearest(self, turn: Turn, rank: int = 0) -> Iterator[Scene]:
        """If the loser nearly drew level after a turn, but never took the lead, yield a scene about this."""
        later = [each for each in self.turns if each.number > turn.number]
        if len(later) < AGAIN:
            return
        near = min(later, key=lambda each: (self.lead(each.scores), -each.number))
        left = self.lead(near.scores)
        is_near = 0 < left <= NEAR and 2 * left <= self.lead(turn.scores)
        if is_near and near is not later[-1]:
            fields: dict[str, FactValue] = {
                **self.names(self.loser),
                "turn": near.number,
                "left": Points(left),
            }
            yield Scene([Fact("nearest", fields)], near.last, near.number, rank)

    def aftermath(self, turn: Turn, rank: int = 0) -> Iterator[Scene]:
        """Yield scenes about how near the loser came after a turn, and about the fights that it lost later.

        The fights are those after the nearest approach, so that the scenes are in order.
        """
        near = [*self.nearest(turn, rank)]
        yield from near
        yield from self.later(near[0].turn if near else turn.number, rank)

    def later(self, number: int, rank: int = 0) -> Iterator[Scene]:
        """Yield scenes about the winner's most remarkable fight after a turn, and about the later fights."""
        fights = [fight for fight in self.fights if fight.number > number]
        remarkable = [
            fight
            for fight in fights
            if fight.winner == self.winner and fight.drama >= REMARKABLE and sum(fight.columns) >= QUICK
        ]
        best = max(remarkable, key=lambda fight: (fight.drama, fight.moved), default=None)
        if best is not None and len(fights) > AGAIN:
            yield self.full(best, rank)
            fights = self.after(best)
        yield from self.tally(fights, rank)

    def last_success(self, turn: Turn) -> Iterator[Scene]:
        """If the loser gained many points by a fight after a turn, yield a scene about the best such fight.

        A tally comes before this scene, so it is left out if the tally has later fights.
        """
        won = [fight for fight in self.after(turn) if fight.winner == self.loser]
        best = max(won, key=lambda fight: (-self.gain(fight), -fight.number), default=None)
        lost = [fight for fight in self.after(turn) if fight.winner == self.winner]
        is_late = len(lost) < AGAIN or (best is not None and best.number > lost[-1].number)
        if best is not None and is_late and -self.gain(best) >= BEHIND:
            yield self.short(best, LENGTHY)

    def is_felt(self, turn: Turn) -> bool:
        """Return True if the SWITCH in a turn is responsible for a large part of the final lead."""
        given, got = (switch_of(turn).fields[name] for name in ("given", "got"))
        assert isinstance(given, int) and isinstance(got, int)
        return FELT * (given - got) >= self.lead(self.turns[-1].scores)

    def with_switches(self, scenes: Sequence[Scene]) -> list[Scene]:
        """Return the scenes, with a scene added for each SWITCH that had a large effect on the final lead."""
        told = {
            fact.fields.get("given") for scene in scenes for fact in scene.facts if "given" in fact.fields
        }
        whole = [*scenes]
        for turn in self.switches:
            if switch_of(turn).fields["given"] not in told and self.is_felt(turn):
                after = (
                    at for at, scene in enumerate(whole) if scene.last >= turn.last and not is_tally(scene)
                )  # fmt: skip
                whole.insert(
                    next(after, len(whole)), Scene([turn.short()], turn.last, turn.number, moment=turn.last)
                )
        return whole

    def with_answer(self, scenes: Sequence[Scene]) -> list[Scene]:
        """Return the scenes, with a scene added about the special moves before the first fight."""
        first = self.fights[0].number
        turn = next((each for each in self.turns if each.number < first and each.answered()), None)
        fact = turn.answered() if turn is not None else None
        if turn is None and not any(fact.kind == "lull_seven" for scene in scenes for fact in scene.facts):
            turn = next((each for each in self.turns if each.number < first and each.lone_seven), None)
            fact = turn.lone_seven if turn is not None else None
        if turn is None or fact is None or any(scene.turn and scene.turn <= turn.number for scene in scenes):
            return [*scenes]
        described = {scene.turn for scene in scenes}
        if "back" in fact.fields and fact.fields["back"] not in described:
            return [
                Scene([fact._replace(kind="seven_back")], turn.last, 0, BRIEF, moment=turn.last),
                *scenes,
            ]
        return [Scene([fact], turn.last, turn.number, BRIEF, moment=turn.last), *scenes]

    # Threads

    def turncoats(self) -> Iterator[tuple[Turn, Turn]]:
        """Yield a pair of turns for each captured card that attacked and won.

        The card attacked in the first turn, and was captured in the second turn.
        """
        numbered = {turn.number: turn for turn in self.turns}
        for turn in self.fights:
            captured = turn.attack.get("since")
            if isinstance(captured, int) and captured in numbered and turn.winner == turn.active:
                yield turn, numbered[captured]

    def narrow_fights(self) -> list[Turn]:
        """Return the fights that the loser lost by very few points, or only because of the last card."""
        narrow = []
        for fight in self.fights:
            assert fight.result is not None
            totals = fight.totals
            is_hair = "mine" in fight.result.fields and abs(totals[0] - totals[1]) <= HAIR
            if fight.winner == self.winner and (is_hair or fight.clinched()):
                narrow.append(fight)
        return narrow

    def decision(self, main: Turn, hero: int) -> Iterator[Scene]:
        """Yield scenes about the turn that helped the winner most, its causes, and its consequences."""
        yield from self.opening_fights(main, BRIEF)
        yield from self.had_led(main, since=self.last_fight(main)) if not self.is_one_sided else ()
        yield self.full(main)
        yield self.swing(main)
        yield from self.aftermath(main, BRIEF if hero == self.winner else 0)
        if not self.is_one_sided:
            yield from self.last_success(main)

    def downfall(self, main: Turn) -> Iterator[Scene]:
        """Yield scenes about the fights that the loser gave up without need, the worst in detail."""
        unforced = [fight for fight in self.fights if fight.winner == self.winner and fight.is_unforced]
        unforced_scene: list[Scene] = []
        if len(unforced) >= AGAIN:
            fields: dict[str, FactValue] = {**self.names(self.winner), "count": len(unforced)}
            unforced_scene = [Scene([Fact("all_unforced", fields)], self.fights[-1].last, rank=BRIEF)]
        yield from self.tally(self.before(main), BRIEF)
        yield self.full(main)
        yield self.swing(main, BRIEF)
        yield from self.later(main.number)
        yield from unforced_scene
        yield from self.last_success(main)

    def captive(self, turn: Turn, capture: Turn) -> Iterator[Scene]:
        """Yield scenes about how a card was captured, and how it was then used against its former owner."""
        assert turn.result is not None
        fields: dict[str, FactValue] = {
            **self.names(turn.winner), "card": turn.result.fields["card"], "turn": capture.number,
        }  # fmt: skip
        yield from self.opening_fights(capture, LENGTHY)
        yield Scene([Fact("capture", fields)], capture.last, capture.number)
        facts = [as_captive(fact) for fact in turn.facts(has_lull=False)]
        yield Scene(facts, turn.last, turn.number, moment=turn.last)
        yield from (self.swing(turn, BRIEF),) if turn.winner == self.winner else ()
        yield from self.tally(self.after(turn), BRIEF)
        yield from self.last_success(turn)

    def lost_lead(self, main: Turn) -> Iterator[Scene]:
        """Yield scenes about how the loser took the lead, lost it, and then nearly drew level."""
        peak = self.peak(main.number)
        assert peak is not None
        won = [fight for fight in self.before(main) if fight.winner == self.loser]
        earlier = [fight for fight in won if fight.number <= peak.number]
        best = max(earlier, key=lambda fight: (-self.gain(fight), -fight.number), default=None)
        if best is not None:
            yield self.full(best)
        yield from self.had_led(main, is_here=best is peak)
        yield self.full(main)
        yield self.swing(main)
        yield from self.aftermath(main, BRIEF)

    def narrowly(self, fight: Turn) -> Iterator[Scene]:
        """Yield scenes about a fight that the loser lost by very few points, and about its cost."""
        yield from self.opening_fights(fight, BRIEF)
        yield self.full(fight)
        if self.gain(fight) > 0:
            yield self.swing(fight)
        yield from self.aftermath(fight, BRIEF)
        yield from self.last_success(fight)

    def exchange(self, turn: Turn) -> Iterator[Scene]:
        """Yield scenes about a SWITCH that gained the winner more points than its final lead."""
        assert turn.switch is not None
        yield from self.opening_fights(turn, BRIEF)
        yield from self.had_led(turn, since=self.last_fight(turn))
        hoard = turn.switch.fields.get("hoard", 0)
        if turn.result is None and isinstance(hoard, int) and hoard >= BEHIND:
            yield Scene([Fact("hoard", {**self.names(self.winner), "points": Points(hoard)})], turn.first - 1)
        yield self.full(turn)
        yield self.swing(turn)
        yield from self.aftermath(turn, BRIEF)


def threads_of(turns: Sequence[Turn], winner: int) -> list[Thread]:
    """Return the threads of a battle with one winner. The scenes of each are in the order of the battle."""
    history = BattleHistory(turns, winner)
    main, loser = history.main, history.loser
    if main is None:
        return []
    threads = [Thread("the turn", hero, [*history.decision(main, hero)]) for hero in (winner, loser)]
    if main.result is not None:
        threads.append(Thread("the downfall", loser, [*history.downfall(main)]))
    turncoat = max(history.turncoats(), key=lambda pair: history.gain(pair[0]), default=None)
    if turncoat is not None:
        scenes = [*history.captive(*turncoat)]
        threads += [Thread("the captive", hero, scenes) for hero in (winner, loser)]
    if [*history.had_led(main)]:
        threads.append(Thread("the lost lead", loser, [*history.lost_lead(main)]))
    lead = history.lead(history.turns[-1].scores)
    narrow = max(history.narrow_fights(), key=history.gain, default=None)
    if narrow is not None and WORTH * history.gain(narrow) >= lead:
        scenes = [*history.narrowly(narrow)]
        threads += [Thread("a near thing", hero, scenes) for hero in (winner, loser)]
    for turn in history.switches:
        if seat_of(switch_of(turn)) == winner and history.gain(turn) >= lead:
            scenes = [*history.exchange(turn)]
            threads += [Thread("the exchange", hero, scenes) for hero in (winner, loser)]
    whole = [
        thread._replace(scenes=naming_captives(with_answers))
        for thread in threads
        for with_answers in [history.with_answer(history.with_switches([*distinct(thread.scenes)]))]
    ]
    return [
        thread._replace(weight=WEIGHTS[thread.name])
        for thread in whole
        if sum(len(scene.facts) for scene in thread.scenes) >= FEWEST_FACTS
    ]


def distinct(scenes: Iterable[Scene]) -> Iterator[Scene]:
    """Yield the scenes that are not empty, and only the first of those about the same turn."""
    told: set[int] = set()
    for scene in in_order([scene for scene in scenes if scene.facts]):
        is_turn = bool(scene.turn) and any("turn" in fact.fields for fact in scene.facts)
        if not (is_turn and scene.turn in told and scene.facts[0].kind != "had_led"):
            yield scene
        if is_turn:
            told.add(scene.turn)


def in_order(scenes: Sequence[Scene]) -> Iterator[Scene]:
    """Yield the scenes. Consecutive scenes about single turns are sorted by turn."""
    for _, group in groupby(scenes, key=lambda scene: bool(scene.turn)):
        yield from sorted(group, key=lambda scene: scene.turn)


def is_tally(scene: Scene) -> bool:
    """Return True if a scene counts several fights. Some of these fights can be before another scene."""
    return any(fact.kind.startswith("tally_") for fact in scene.facts)


def switch_of(turn: Turn) -> Fact:
    """Return the fact about the SWITCH of a turn that brought points."""
    assert turn.switch is not None
    return turn.switch


def as_captive(fact: Fact) -> Fact:
    """Return the fact about an attack with a card that the previous sentence has mentioned."""
    return Fact("attack_captive", fact.fields) if fact.kind in ATTACKS else fact


def naming_captives(scenes: Iterable[Scene]) -> list[Scene]:
    """Return the scenes with the name of a captured card that attacks, unless its capture came last."""
    result, last = [], ""
    for scene in scenes:
        facts = []
        for fact in scene.facts:
            is_apart = fact.kind == "attack_captive" and last != "capture"
            facts.append(Fact("attack_captured", fact.fields) if is_apart else fact)
            last = fact.kind
        result.append(scene._replace(facts=facts))
    return result


def sort_of(fight: Turn) -> str:
    """Return how the loser of an attack lost: "retreats", "surrenders" or "beaten"."""
    assert fight.result is not None
    kind = fight.result.kind
    return "retreats" if "retreat" in kind else "surrenders" if "surrender" in kind else "beaten"


def cost_of(fight: Turn) -> int:
    """Return the number of cards that the loser of an attack lost, including the price of a retreat."""
    return len(fight.lost) + fight.price

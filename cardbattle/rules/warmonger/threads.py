"""Propose outlines (threads) for a story of a battle of Warmonger.

Each outline is about one War or one army, with its cause and its consequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import FULL, PASSED, Fact, FactValue, Name, Scene, Thread, conditions
from cardbattle.rules.warmonger.wars import RESCUES

if TYPE_CHECKING:
    from cardbattle.rules.warmonger.wars import LastStand, War

FEW = 4  # up to this number of Wars, a story leaves out no War
CALLS = 2  # minimum number of Wars that a side caused and lost, for a story about this
LONG = 3  # minimum number of Skirmishes in a loser's last stand, for a story about this
RISE = 3  # minimum number of cards that a rival won and then lost, for a story about this
LOW_POINTS = {"last_stand": "stand_then", "lowest": "low_then"}  # facts of the ending as facts in a scene
BRIEF, LENGTHY = 1, 2  # ranks of scenes that a story can leave out; LENGTHY scenes are left out first


class BattleHistory:
    """A battle with one winner: its Wars, and the sizes of the armies before and after each War."""

    def __init__(self, wars: Sequence[War], winner: int, dealt: int) -> None:
        self.wars = wars
        self.winner = winner
        self.weights = [war.weight(dealt) for war in wars]
        self.last = len(wars) - 1

    def after(self, at: int) -> Sequence[int]:
        """Return the sizes of the armies at the first Skirmish after the War `at`, or at the end."""
        war = self.wars[at]
        return war.course[0] if war.course else war.armies

    def gain(self, at: int, side: int) -> int:
        """Return the number of cards that the War `at` brought a side.

        It is negative if the side lost cards.
        """
        return self.after(at)[side] - self.wars[at].sizes[side]

    # Scenes

    def full(self, at: int, facts: Sequence[Fact] = (), rank: int = 0) -> Scene:
        """Return a scene that describes the War `at` in detail, and then states the facts in `facts`."""
        return self.scene(at, at, FULL, facts, rank)

    def scene(self, first: int, last: int, depth: str, facts: Sequence[Fact] = (), rank: int = 0) -> Scene:
        skirmish = self.wars[first].skirmish if first == last and depth != PASSED else 0
        return Scene(facts, self.wars[last].last, skirmish, rank, episodes=(first, last), depth=depth)

    def short(self, at: int, facts: Sequence[Fact] = (), rank: int = 0) -> Scene:
        """Return a scene that describes the War `at` in one sentence, and then states the facts `facts`.

        A War without a result has no sentence.
        """
        depth = "short" if self.wars[at].result is not None else PASSED
        return self.scene(at, at, depth, facts, rank)

    def between(self, first: int, last: int, rank: int = LENGTHY) -> Iterator[Scene]:
        """Yield scenes that describe only the most remarkable of the Wars `first` to `last`."""
        if first > last:
            return
        best = max(range(first, last + 1), key=lambda at: (self.weights[at], -at))
        if first < best:
            yield self.scene(first, best - 1, PASSED)
        yield self.short(best, rank=rank)
        if best < last:
            yield self.scene(best + 1, last, PASSED)

    def rest(self, at: int) -> Iterator[Scene]:
        """Yield scenes about the Wars after the War `at`. The last War has a sentence of its own."""
        yield from self.between(at + 1, self.last - 1)
        if at < self.last:
            yield self.short(self.last, rank=BRIEF)

    def stood(self, at: int, rank: int = BRIEF) -> Iterator[Scene]:
        """If one army was the largest after the War `at`, yield a scene about it."""
        sizes = self.after(at)
        order = sorted(range(len(sizes)), key=lambda side: -sizes[side])
        if sizes[order[0]] == sizes[order[1]] or at == self.last:
            return
        fields: dict[str, FactValue] = {
            "side": Name(order[0]), "rival": Name(order[1]), "number": at + 1,
            "lead": sizes[order[0]], "behind": sizes[order[1]],
            **conditions(two=len(sizes) == 2, sole=[*sizes].count(sizes[order[1]]) == 1),
        }  # fmt: skip
        yield Scene([Fact("stood", fields)], self.wars[at].last, 0, rank)

    def change(self, at: int, side: int) -> list[Fact]:
        """If the War `at` enlarged or reduced an army without eliminating it, return a fact about this.

        There is no fact if a card changed the army after the War, or if the story of the War goes on to
        later Skirmishes.
        """
        if side in self.wars[at].helped or self.wars[at].later:
            return []
        was, now = self.wars[at].sizes[side], self.after(at)[side]
        is_known = now > was and any(fact.kind == "haul" for fact in self.wars[at].facts())
        if was == now or not now or not was or at == self.last or is_known:
            return []
        fields: dict[str, FactValue] = {"side": Name(side), "was": was, "now": now, "count": abs(now - was)}
        return [Fact("army_grew" if now > was else "army_shrank", fields)]

    # Threads

    def great_war(self, main: int) -> Iterator[Scene]:
        """Yield scenes about the War that brought the winner most, and about the Wars before and after it."""
        yield from self.between(0, main - 1)
        if main > 1:
            yield from self.stood(main - 1)
        yield self.full(main, self.change(main, self.winner))
        yield from self.rest(main)

    def rise_and_fall(self, side: int, peak: int, fall: int) -> Iterator[Scene]:
        """Yield scenes about the War that made a loser's army largest, and the War that then reduced it."""
        yield from self.between(0, peak - 1)
        yield self.short(peak, [*self.height(side, peak)])
        yield from self.between(peak + 1, fall - 1)
        yield self.full(fall, self.change(fall, side))
        yield from self.rest(fall)

    def height(self, side: int, at: int) -> Iterator[Fact]:
        """Yield a fact about the size of an army after the War `at`, when the army was largest."""
        sizes = self.after(at)
        is_largest = [*sizes].count(max(sizes)) == 1 and sizes[side] == max(sizes)
        fields: dict[str, FactValue] = {
            "side": Name(side), "number": at + 1, "count": sizes[side], **conditions(largest=is_largest),
        }  # fmt: skip
        yield Fact("height", fields)

    def rivals(self) -> Iterator[tuple[int, int, int]]:
        """Yield a tuple (side, growth, fall) for each loser whose army first grew and then shrank.

        `growth` and `fall` are the indices of the Wars in which this happened.
        """
        for side in range(len(self.wars[0].sizes)):
            sizes = [self.after(at)[side] for at in range(len(self.wars))]
            peak = max(range(len(sizes)), key=lambda at: (sizes[at], -at))
            later = range(peak + 1, len(sizes))
            fall = min(later, key=lambda at: self.gain(at, side), default=peak)
            has_grown = sizes[peak] > self.wars[0].sizes[side]
            is_won = has_grown and self.wars[peak].winner == side and self.gain(peak, side) >= RISE
            if side != self.winner and is_won and self.gain(fall, side) <= -RISE:
                yield side, peak, fall

    def survival(self, at: int, stand: LastStand) -> Iterator[Scene]:
        """Yield scenes about how a side lost its last card and was saved, and about its best later War."""
        yield from self.between(0, at - 1)
        is_told = any(fact.kind in RESCUES for fact in self.wars[at].facts())
        yield self.full(at, [] if is_told else [Fact("saved", stand.fields())])
        own = [n for n in range(at + 1, self.last) if self.wars[n].winner == stand.side]
        if not own:
            yield from self.rest(at)
            return
        best = max(own, key=lambda n: (self.gain(n, stand.side), -n))
        yield from self.between(at + 1, best - 1)
        yield self.short(best, self.change(best, stand.side))
        yield from self.rest(best)

    def calls(self, side: int) -> list[int]:
        """Return the indices of the Wars that a Joker or a card of `side` caused, and another side won."""
        return [
            at for at, war in enumerate(self.wars)
            if war.cause is not None and war.cause.kind.startswith(("cause_joker", "cause_provocation"))
            and war.cause.fields.get("side") == Name(side) and war.winner not in (NOBODY, side)
            and side in war.sides
        ]  # fmt: skip

    def own_goals(self, side: int, calls: Sequence[int]) -> Iterator[Scene]:
        """Yield scenes about the Wars that a side caused and lost.

        The most expensive one is described in detail.
        """
        called = [
            war for war in self.wars if war.cause is not None and war.cause.fields.get("side") == Name(side)
        ]
        fields: dict[str, FactValue] = {
            "side": Name(side), "rival": Name(self.wars[calls[0]].winner), "count": len(calls),
            **conditions(
                every=len(called) == len(calls), some=len(called) > len(calls),
                two=len(self.wars[0].sizes) == 2, many=len(self.wars[0].sizes) > 2,
            ),
        }  # fmt: skip
        yield Scene([Fact("hook_calls", fields)])
        worst = min(calls, key=lambda at: (self.gain(at, side), at))
        yield from self.between(0, worst - 1)
        yield self.full(worst, self.change(worst, side))
        yield from self.rest(worst)

    def is_saved(self, scenes: Sequence[Scene], skirmish: int) -> bool:
        """Return True if the scenes describe in detail how a side without cards was saved in a Skirmish."""
        for scene in scenes:
            if scene.depth == FULL and self.wars[scene.episodes[0]].skirmish == skirmish:
                facts = [*self.wars[scene.episodes[0]].facts(), *scene.facts]
                return any(fact.kind in RESCUES for fact in facts)
        return False

    def with_low_points(self, scenes: Sequence[Scene], ending: Sequence[Fact]) -> list[Scene]:
        """Return the scenes, with an additional scene for each last stand or smallest army in `ending`."""
        whole = [*scenes]
        for fact in ending:
            skirmish = fact.fields.get("skirmish")
            if (
                fact.kind not in LOW_POINTS
                or not isinstance(skirmish, int)
                or self.is_saved(scenes, skirmish)
            ):
                continue
            earlier = sum(war.skirmish <= skirmish for war in self.wars)
            if any(number_in(out) > skirmish for war in self.wars[:earlier] for out in war.later):
                continue  # the War before it has told more than that
            low = Scene([Fact(LOW_POINTS[fact.kind], fact.fields)], turn=skirmish)
            at = next(
                (n for n, scene in enumerate(whole) if scene.episodes and scene.episodes[1] >= earlier), None
            )
            if at is None:
                whole.append(low)
                continue
            first, last = whole[at].episodes
            if first < earlier:
                parts = [(first, earlier - 1), (earlier, last)]
                split = [whole[at]._replace(episodes=part, last=self.wars[part[1]].last) for part in parts]
                whole[at : at + 1] = [split[0], low, split[1]]
            else:
                whole.insert(at, low)
        return whole


def number_in(out: Fact) -> int:
    """Return the number of the Skirmish in which an elimination happened."""
    skirmish = out.fields["skirmish"]
    assert isinstance(skirmish, int)
    return skirmish


def threads_of(
    wars: Sequence[War], winner: int, dealt: int, stands: Sequence[LastStand], ending: Sequence[Fact]
) -> list[Thread]:
    """Return the threads of a battle with one winner. The scenes of each are in the order of the battle."""
    if len(wars) <= FEW or not all(war.sides for war in wars):
        return []
    history = BattleHistory(wars, winner, dealt)
    main = max(range(len(wars)), key=lambda at: (history.gain(at, winner), -at))
    threads = [Thread("the great War", winner, [*history.great_war(main)])]
    rivals = sorted(history.rivals(), key=lambda rival: -history.after(rival[1])[rival[0]])
    for side, peak, fall in rivals[:1]:
        threads.append(Thread("rise and fall", side, [*history.rise_and_fall(side, peak, fall)]))
    lasting = [
        stand
        for stand in stands
        if stand.count and (stand.side == winner or stand.until - stand.skirmish >= LONG)
    ]
    for stand in sorted(lasting, key=lambda stand: (stand.side != winner, stand.skirmish - stand.until))[:1]:
        at = next((at for at, war in enumerate(wars) if war.skirmish == stand.skirmish), None)
        if at is not None and (wars[at].stand is stand or not wars[at].later):
            scenes = [*history.survival(at, stand)]
            threads.append(Thread("a last stand", stand.side, scenes))
    for side in range(len(wars[0].sizes)):
        calls = history.calls(side)
        if len(calls) >= CALLS:
            threads.append(Thread("own goals", side, [*history.own_goals(side, calls)]))
    return [
        thread._replace(scenes=history.with_low_points(thread.scenes, ending), told=[*LOW_POINTS])
        for thread in threads
    ]

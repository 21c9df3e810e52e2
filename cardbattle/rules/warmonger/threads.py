"""Propose outlines (threads) for a story of a battle of Warmonger.

Each outline is about one War or one army, with its cause and its consequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardbattle.core.telling import FULL, PASSED, SHORT, Fact, FactValue, Name, Scene, Thread, conditions
from cardbattle.rules.warmonger.wars import RESCUES, leaders_of

if TYPE_CHECKING:
    from cardbattle.rules.warmonger.wars import LastStand, War

FEW = 4  # up to this number of Wars, a story leaves out no War
CHANGES = 2  # minimum number of Wars that brought another side into the lead, for a story about this
SHOWN = 3  # maximum number of earlier Wars of this kind that such a story describes
MANY = 6  # from more Wars than this in succession, a story describes two
LEAD = 30  # a War that brought its winner into the lead weighs more by this
FAR = 6  # a lead is large from this part of all cards on: a sixth
LONG = 3  # minimum number of Skirmishes in a loser's last stand, for a story about this
RISE = 3  # minimum number of cards that a rival won and then lost, for a story about this
SUPERSEDED = ("army_grew", "army_shrank", "height")  # facts that a fact about the lead replaces
LOW_POINTS = {"last_stand": "stand_then", "lowest": "low_then"}  # facts of the ending as facts in a scene
BRIEF, LENGTHY, SPARE = 1, 2, 3  # ranks of scenes that a story can leave out, the highest first


class BattleHistory:
    """A battle with one winner: its Wars, and the sizes of the armies before and after each War."""

    def __init__(self, wars: Sequence[War], winner: int, dealt: Sequence[int]) -> None:
        self.wars = wars
        self.winner = winner
        self.dealt = dealt
        self.last = len(wars) - 1
        self.weights = [war.weight(sum(dealt)) + LEAD * self.has_won_lead(at) for at, war in enumerate(wars)]

    def after(self, at: int) -> Sequence[int]:
        """Return the sizes of the armies at the first Skirmish after the War `at`, or at the end."""
        war = self.wars[at]
        return war.course[0] if war.course else war.armies

    def gain(self, at: int, side: int) -> int:
        """Return the number of cards that a War brought a side. It is negative if the side lost cards."""
        return self.after(at)[side] - self.wars[at].sizes[side]

    def has_won_lead(self, at: int) -> bool:
        """Return True if the winner of the War `at` had the largest army after it, but not before it."""
        side = [self.wars[at].winner]
        return sole_leader(self.wars[at].sizes) != side == sole_leader(self.after(at))

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
        depth = SHORT if self.wars[at].result is not None else PASSED
        return self.scene(at, at, depth, facts, rank)

    def between(self, first: int, last: int, rank: int = LENGTHY) -> Iterator[Scene]:
        """Yield scenes that describe only the most remarkable of the Wars `first` to `last`.

        Of many Wars, two are described.
        """
        order = sorted(range(first, last + 1), key=lambda at: (-self.weights[at], at))
        best = order[: 2 if len(order) > MANY else 1]
        for at in sorted(best):
            yield from self.passed(first, at - 1)
            yield self.short(at, rank=rank if at == best[0] else SPARE)
            first = at + 1
        yield from self.passed(first, last)

    def passed(self, first: int, last: int) -> Iterator[Scene]:
        """If there are Wars from `first` to `last`, yield a scene that leaves them out."""
        if first <= last:
            yield self.scene(first, last, PASSED)

    def rest(self, at: int) -> Iterator[Scene]:
        """Yield scenes about the Wars after the War `at`. The last War has a sentence of its own."""
        yield from self.between(at + 1, self.last - 1)
        if at < self.last:
            yield self.short(self.last, rank=BRIEF)

    def change(self, at: int, side: int) -> list[Fact]:
        """If the War `at` enlarged or reduced an army without eliminating it, return a fact about this.

        The list is empty if a card changed the army after the War, or if the story of the War goes on to
        later Skirmishes.
        """
        if side in self.wars[at].helped or self.wars[at].later:
            return []
        before, after = self.wars[at].sizes[side], self.after(at)[side]
        if before == after or not after or not before or at == self.last:
            return []
        change = abs(after - before)
        fields: dict[str, FactValue] = {"side": Name(side), "was": before, "now": after, "count": change}
        return [Fact("army_grew" if after > before else "army_shrank", fields)]

    # Threads

    def great_war(self, main: int) -> Iterator[Scene]:
        """Yield scenes about the War that brought the winner most, and about the Wars before and after it."""
        yield from self.between(0, main - 1)
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
        """Yield a fact about the size of an army after the War `at`, when the army was largest.

        The fact is left out if the sentence about the War goes on to later Skirmishes.
        """
        if self.wars[at].later:
            return
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

    def contest(self, changes: Sequence[int]) -> Iterator[Scene]:
        """Yield scenes about the Wars that brought another side into the lead, the last one in detail."""
        *earlier, main = changes[-SHOWN - 1 :]
        first = 0
        for at in earlier:
            yield from self.passed(first, at - 1)
            yield self.short(at, rank=BRIEF)
            first = at + 1
        yield from self.passed(first, main - 1)
        yield self.full(main)
        yield from self.rest(main)

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

    def is_saved(self, scenes: Sequence[Scene], skirmish: int) -> bool:
        """Return True if the scenes describe in detail how a side without cards was saved in a Skirmish."""
        for scene in scenes:
            if scene.depth == FULL and self.wars[scene.episodes[0]].skirmish == skirmish:
                facts = [*self.wars[scene.episodes[0]].facts(), *scene.facts]
                return any(fact.kind in RESCUES for fact in facts)
        return False

    def with_low_points(
        self, scenes: Sequence[Scene], ending: Sequence[Fact], others: Sequence[Fact]
    ) -> list[Scene]:
        """Return the scenes, with an additional scene for each last stand or smallest army.

        These are in `ending`. A story that would be too long leaves out those in `others`.
        """
        whole = [*scenes]
        for fact in [*ending, *others]:
            skirmish = fact.fields.get("skirmish")
            if (
                fact.kind not in LOW_POINTS
                or not isinstance(skirmish, int)
                or self.is_saved(scenes, skirmish)
            ):
                continue
            is_stand = fact.kind == "last_stand"  # at the end of the Skirmish, and not at its beginning
            earlier = sum(war.skirmish < skirmish + is_stand for war in self.wars)
            if any(number_in(out) > skirmish for war in self.wars[:earlier] for out in war.gone()):
                continue  # the scene of the War before it says more than that
            kind = LOW_POINTS[fact.kind]
            if is_stand and earlier and self.wars[earlier - 1].skirmish == skirmish:
                scene = next(each for each in whole if each.episodes and each.episodes[1] >= earlier - 1)
                if scene.depth == SHORT and self.wars[earlier - 1].short().kind == "glimpse_saved":
                    continue
                kind = kind if scene.depth == PASSED else "saved"
            low = Scene([Fact(kind, fact.fields)], turn=skirmish, rank=BRIEF if fact in ending else LENGTHY)
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

    def with_leads(self, scenes: Sequence[Scene]) -> list[Scene]:
        """Return the scenes with additional facts that say when another side came to lead.

        If the lead changed in Wars that the story leaves out, a scene of its own says so. If it changed in a
        War that the story describes without naming the leader, a scene names the leader. The last War, after
        which the battle ends, has no such fact.
        """
        whole: list[Scene] = []
        known = sole_leader(self.dealt)
        leads = [known]
        latest = self.dealt  # the armies after the last War in the story
        for scene in scenes:
            at = scene.episodes[0] if scene.episodes and scene.depth != PASSED else self.last
            if at == self.last:
                whole.append(scene)
                continue
            before, after = sole_leader(self.wars[at].sizes), sole_leader(self.after(at))
            if before not in ([], known) and (known or self.is_far(self.wars[at].sizes, before[0])):
                kind = "bridge_passed" if sole_leader(latest) != before else "bridge_led"
                bridge = self.lead_fact(kind, self.wars[at].sizes, before[0], known)
                bridge = bridge._replace(fields={**bridge.fields, "skirmish": self.wars[at].skirmish})
                rank = max(scene.rank, BRIEF)
                whole.append(Scene([bridge], self.wars[max(0, at - 1)].last, rank=rank))
                known = before
                leads.append(known)
            facts = [*scene.facts]
            if after not in ([], known) and not self.wars[at].later:
                facts = [self.lead_after(at, known, leads), *self.without_leader(facts, after[0])]
                known = after
                leads.append(known)
            whole.append(scene._replace(facts=facts))
            latest = self.after(at)
        return whole

    def lead_after(self, at: int, known: Sequence[int], leads: Sequence[Sequence[int]]) -> Fact:
        """Return a fact about the leader after the War `at`.

        `known` is the leader that the story mentioned last, and `leads` has all earlier leaders.
        """
        war, sizes = self.wars[at], self.after(at)
        leader = sole_leader(sizes)
        is_won = not war.helped and self.has_won_lead(at)
        fact = self.lead_fact("lead" if is_won else "lead_then", sizes, leader[0], known)
        fields = {**fact.fields, **conditions(again=leader in leads)}
        if known and war.sizes[known[0]] <= war.sizes[leader[0]]:
            fields.pop("passed", None)
        elif known and "passed" not in fields and sizes[known[0]]:
            fields |= {"former": Name(known[0]), "left": sizes[known[0]]}
        return fact._replace(fields=fields)

    def without_leader(self, facts: Sequence[Fact], leader: int) -> list[Fact]:
        """Return the facts that do not repeat the sizes in a fact about the leader."""
        return [
            fact for fact in facts
            if fact.kind not in SUPERSEDED or (len(self.dealt) > 2 and fact.fields["side"] != Name(leader))
        ]  # fmt: skip

    def is_far(self, sizes: Sequence[int], side: int) -> bool:
        """Return True if the army of a side is much larger than every other army."""
        return FAR * (sizes[side] - sorted(sizes)[-2]) >= sum(sizes)

    def lead_fact(self, kind: str, sizes: Sequence[int], side: int, known: Sequence[int]) -> Fact:
        """Return a fact that compares the army of the leader with the next one."""
        behind, live = sorted(sizes)[-2], sum(size > 0 for size in sizes)
        fields: dict[str, FactValue] = {
            "side": Name(side), "lead": sizes[side], "behind": behind,
            **conditions(two=live == 2, many=live > 2),
        }  # fmt: skip
        if [*sizes].count(behind) == 1:
            fields["rival"] = Name([*sizes].index(behind))
        if known and fields.get("rival") == Name(known[0]):
            fields["passed"] = Name(known[0])
        return Fact(kind, fields)


def sole_leader(sizes: Sequence[int]) -> list[int]:
    """Return the side with the largest army as a list, or an empty list if several sides have it."""
    leaders = leaders_of(sizes)
    return leaders if len(leaders) == 1 else []


def number_in(fact: Fact) -> int:
    """Return the number of the Skirmish that a fact is about."""
    skirmish = fact.fields["skirmish"]
    assert isinstance(skirmish, int)
    return skirmish


def threads_of(
    wars: Sequence[War],
    winner: int,
    dealt: Sequence[int],
    stands: Sequence[LastStand],
    ending: Sequence[Fact],
) -> list[Thread]:
    """Return the threads of a battle with one winner. The scenes of each are in the order of the battle."""
    if len(wars) <= FEW or not all(war.sides for war in wars):
        return []
    history = BattleHistory(wars, winner, dealt)
    lows = [number_in(fact) for fact in ending if fact.kind == "lowest"]
    rising = [at for at in range(len(wars)) if wars[at].skirmish >= max(lows, default=0)]
    main = max(rising or range(len(wars)), key=lambda at: (history.gain(at, winner), -at))
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
    changes = [at for at in range(len(wars) - 1) if history.has_won_lead(at)]
    while changes and wars[changes[-1]].winner != winner:
        changes.pop()
    if len(changes) >= CHANGES:
        threads.append(Thread("the lead", winner, [*history.contest(changes)]))
    skirmishes = [fact.fields["skirmish"] for fact in ending if fact.kind == "last_stand"]
    others = [
        Fact("last_stand", {"side": Name(stand.side), **stand.fields()})
        for stand in stands
        if stand.count and stand.skirmish not in skirmishes
    ]
    whole = [history.with_low_points(thread.scenes, ending, others) for thread in threads]
    return [
        thread._replace(scenes=history.with_leads(scenes), told=[*LOW_POINTS])
        for thread, scenes in zip(threads, whole, strict=True)
    ]

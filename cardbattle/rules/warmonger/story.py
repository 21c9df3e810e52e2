"""Collect the facts for a story of a battle of Warmonger, from the events that the reader saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardbattle.core.battle import Event
from cardbattle.core.telling import (
    Fact,
    FactValue,
    Name,
    Plot,
    Scene,
    conditions,
    first_of_few,
    number,
    numbers,
)
from cardbattle.rules.warmonger.battle import LAST_STANDING
from cardbattle.rules.warmonger.threads import BRIEF, FEW, threads_of
from cardbattle.rules.warmonger.wars import LastStand, War, close

LONG_STAND = 3  # minimum length of a last stand to mention, in skirmishes
LAST_BLOWS = {
    "out": "end_last_of_many", "out_skirmish": "end_skirmish", "out_raid": "end_raid",
    "out_raid_saved": "end_raid",
}  # fmt: skip
ALIKE = 2  # maximum number of Wars that are remarkable for the same reason
DESPERATE = 5  # the winner's smallest army is mentioned if it had at most this many cards


def plot(events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the armies, each War, and the end."""
    opening: list[Fact] = []
    ending: list[Fact] = []
    parts: list[War] = []
    current: War | None = None
    lowest: dict[int, tuple[int, int]] = {}  # by side: smallest army, and its first Skirmish
    dealt: list[int] = []
    stands: list[LastStand] = []
    for place, event in enumerate(events):
        if event.kind == "mustered":
            dealt = numbers(event, "sizes")
            opening = armies_facts(event)
        elif event.kind == "revealed":
            sizes = numbers(event, "sizes")
            close(parts, sizes)
            for war in [part for part in parts if part.sides][-1:]:
                war.course.append(sizes)
            for stand in stands:
                stand.see(number(event, "skirmish"), sizes)
            turned = dict(zip(numbers(event, "sides"), numbers(event, "cards"), strict=True))
            current = War(number(event, "skirmish"), place, turned, sizes)
            for side, size in enumerate(sizes):
                lowest[side] = min(lowest.get(side, (size, current.skirmish)), (size, current.skirmish))
        elif event.kind == "ended":
            close(parts, numbers(event, "scores"))
            for war in [part for part in parts if part.sides][-1:]:
                war.course.append(numbers(event, "scores"))
            ending = ending_facts(event, parts, dealt, lowest, stands)
        elif current is not None:
            if event.kind == "last_stand":
                for stand in stands:
                    stand.is_over |= stand.side == event.side
                stands.append(LastStand(event.side, current.skirmish))
            current.take(event)
            current.last = place
            if (current.cause is not None or current.out) and current not in parts[-1:]:
                parts.append(current)
    wars = with_eliminations(parts)
    skirmishes = [fact.fields["skirmish"] for fact in ending if fact.kind == "last_stand"]
    for war in wars:
        own = [stand for stand in stands if stand.skirmish == war.skirmish and stand.count]
        war.stand = own[0] if own and war.skirmish not in skirmishes else None
    hauls = [war.haul for war in wars]
    for war in wars:
        war.has_largest_haul = hauls.count(war.haul) == 1 and war.haul == max(hauls)
    for war, glimpse in zip(wars, first_of_few([[*war.glimpses()] for war in wars], ALIKE), strict=True):
        war.glimpse = glimpse
    is_total = events[-1].kind == "ended" and events[-1].fields["reason"] == LAST_STANDING
    for war in wars:
        war.tells_haul = len(wars) <= FEW
    episodes = [war.episode(sum(dealt)) for war in wars]
    winners = numbers(events[-1], "winners") if events[-1].kind == "ended" else []
    threads = threads_of(wars, winners[0], dealt, stands, ending) if len(winners) == 1 else []
    threads = [thread._replace(scenes=[Scene(opening, rank=BRIEF), *thread.scenes]) for thread in threads]
    return Plot(opening, episodes, ending, is_selective=True, is_total=is_total, threads=threads)


def with_eliminations(parts: Sequence[War]) -> list[War]:
    """Add each elimination in an ordinary Skirmish to a War before or after it, and return the Wars.

    If there was no War, return the Skirmishes with eliminations.
    """
    wars = [part for part in parts if part.sides]
    if not wars:
        return [*parts]
    latest: War | None = None
    for part in parts:
        if part.sides:
            latest = part
        elif latest is None:
            wars[0].before += part.out
            wars[0].first = min(wars[0].first, part.first)
        else:
            latest.later += part.out
            latest.last, latest.armies = part.last, part.armies
    return wars


def armies_facts(event: Event) -> list[Fact]:
    """Return facts that compare the armies, and facts that name the Robots."""
    sizes = numbers(event, "sizes")
    best, least = sizes.index(max(sizes)), sizes.index(min(sizes))
    is_alone = sizes.count(max(sizes)) == len(sizes) - 1  # all armies but one are equal
    fields: dict[str, FactValue] = {
        "count": max(sizes), "fewer": min(sizes),
        **conditions(many=len(sizes) > 2, two=len(sizes) == 2, shared=sizes.count(min(sizes)) > 1),
        **conditions(alone=is_alone, mixed=not is_alone),
    }  # fmt: skip
    if sizes.count(max(sizes)) == 1:
        fields["side"] = Name(best)
    if sizes.count(min(sizes)) == 1:
        fields["rival"] = Name(least)
    kind = "uneven_many" if len(sizes) > 2 else "uneven"
    facts = [Fact("armies_even" if len(set(sizes)) == 1 else f"armies_{kind}", fields)]
    robots = event.fields["robots"]
    assert isinstance(robots, list)
    mechanical = [Name(side) for side, robot in enumerate(robots) if robot]
    return facts + ([Fact("robots", {"sides": mechanical})] if mechanical else [])


def ending_facts(
    event: Event,
    parts: Sequence[War],
    dealt: Sequence[int],
    lowest: Mapping[int, tuple[int, int]],
    stands: Sequence[LastStand],
) -> list[Fact]:
    """Return facts about the end: a last stand or the winner's smallest army, and how it won."""
    winners, scores = numbers(event, "winners"), numbers(event, "scores")
    wars = [part for part in parts if part.sides]
    fields: dict[str, FactValue] = {"skirmishes": number(event, "skirmishes"), "count": max(scores)}
    if wars:
        fields["wars"] = len(wars)
    if not winners:
        return [Fact("end_drawn", fields)]
    winner = winners[0]
    fields["side"] = Name(winner)
    stand = remarkable_stand(stands, winner)
    facts = []
    if stand:
        is_only = [each.side for each in stands].count(stand.side) == 1
        facts = [stand.fact(winner, is_only=is_only and event.fields["reason"] == LAST_STANDING)]
    if not facts and is_desperate(lowest[winner][0], dealt[winner]):
        facts = [lowest_fact(winner, *lowest[winner])]
    if event.fields["reason"] != LAST_STANDING:
        return [*facts, Fact(f"end_{str(event.fields['reason']).replace('-', '_')}", fields)]
    if len(wars) < 2:
        return [*facts, Fact("end_last_standing", fields)]
    wars[-1].is_last = True
    kind, gone = parts[-1].fallen_last()
    blow = "end_war" if kind == "out" and len(gone) == len(scores) - 1 else LAST_BLOWS[kind]
    if kind in ("out", "out_skirmish") and len(gone) == 1 and gone[0].seat in parts[-1].refused:
        fields |= {"rival": gone[0], "design": parts[-1].refused[gone[0].seat]}
        blow = "end_refused" if kind == "out" else "end_refused_skirmish"
    return [*facts, Fact(blow, {**fields, "gone": gone})]


def remarkable_stand(stands: Sequence[LastStand], winner: int) -> LastStand | None:
    """Return a last stand of the winner.

    If the winner had none, return the longest last stand of another side, or None if it was short.
    """
    successful = [stand for stand in stands if stand.count]
    own = [stand for stand in successful if stand.side == winner]
    sides = [stand.side for stand in stands]
    long = [
        stand
        for stand in successful
        if stand.until - stand.skirmish >= LONG_STAND and sides.count(stand.side) == 1
    ]
    return own[0] if own else max(long, key=lambda stand: stand.until - stand.skirmish, default=None)


def is_desperate(least: int, dealt: int) -> bool:
    """Return True if an army is small, and much smaller than at the start of the battle."""
    return least <= DESPERATE and 3 * least <= dealt


def lowest_fact(side: int, least: int, skirmish: int) -> Fact:
    return Fact("lowest", {"side": Name(side), "least": least, "skirmish": skirmish})

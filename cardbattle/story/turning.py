"""Describe the turning point of a battle as a scene: the score before it, what happened, and what came of it.

`analyse`, reports and sites name the same turning point. A story describes it in detail, and calls no other
part of the battle decisive.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.telling import (
    FULL,
    PASSED,
    Episode,
    Fact,
    FactValue,
    Name,
    Points,
    Scene,
    Thread,
    conditions,
)
from cardbattle.core.telling import SHORT as IN_SHORT

if TYPE_CHECKING:
    from cardbattle.simulation.turning_points import Curve, TurningPoint

LEAST_CHANGE = 100  # smallest lasting change of a chance that a story states, in permille
EVEN_FROM, EVEN_TO = 450, 550  # chances that count as even, in permille
NEARLY_LOST, NEARLY_WON = 300, 800  # chances of a side that had nearly lost, or nearly won
STILL_SAFE = 650  # a side that had nearly won had at least this chance ever after
LATE = 3  # the last third of the episodes is late enough to say that a battle was as good as won
COVERED = 45  # bonus for a thread that describes the turning point in detail
LONGEST = 4  # an episode with more facts is described in one sentence
BEFORE = "turn_before"  # the kind of the fact about the score before a turning point
LEAST_BEFORE = 2  # smallest number of earlier episodes after which the score is worth mentioning
LESS = 2  # rank of the scenes about the rest of its episode
MENTIONED = 1  # rank of the scenes about the other turning points
CLAIMS = (  # kinds of facts that call something decisive, which may not be the turning point
    "contest_end", "narrow_end", "pot_weight", "short_by_one", "stack_end", "stolen_end", "thin_end",
    "ties_end", "totals_end",
)  # fmt: skip
COUNTS = (  # kinds of facts with counts that a story with a turning point does without
    "cheap", "extra_card", "led_long", "led_since", "peak", "pot_weight", "row", "small_change", "spent",
    "tally", "ties",
)  # fmt: skip


FROM_BEHIND = ("turn_turned", "turn_regained", "turn_open", "turn_ahead")  # not about a side in the lead
SUMS = (
    "ahead",
    "before_last",
    "far_behind",
    "last_led",
    "rise",
    "stood",
)  # kinds of facts about the score so far
SPANS = ("climb", "dry", "dry_but_one", "streak")  # kinds of facts that count several rounds in a row


class Turn(NamedTuple):
    """The turning point that a story describes.

    Attributes:
        at: the index of its episode.
        first, end: the range of the indices of the events that are described together with it.
        facts: the facts about these events.
        before_facts, after_facts: facts about the same episode, before and after these events.
        left: the number of rounds or spaces that were left before it, or 0 if unknown.
        side: the number of the side whose chance changed.
        start: the chance of this side before the first move, in permille.
        before, after: the chance of this side before and after the events, in permille.
        least: the smallest chance of this side later on, in permille.
        winners: the sides that gained something by these events.
        is_level: True if these events did not change the score.
        is_ahead: True if this side was alone in the lead before them.
        is_passed: True if another side had the higher score at some later moment.
        is_quiet: True if the story describes the events, but does not call them the turning point.

    """

    at: int
    first: int
    end: int
    facts: Sequence[Fact]
    before_facts: Sequence[Fact]
    after_facts: Sequence[Fact]
    left: int
    side: int
    start: int
    before: int
    after: int
    least: int
    winners: Sequence[int]
    is_level: bool
    is_ahead: bool
    is_passed: bool
    is_quiet: bool = False


def turns_of(
    curve: Curve | None, episodes: Sequence[Episode], winners: Sequence[int], number: int = 0
) -> list[Turn]:
    """Return the turning points that the episodes of a battle contain, the greatest first.

    Turning points in favour of the winner come first, because they explain the result. Among them, those
    whose episode its rival won come last: a story cannot show why such a success was a mistake. Before them
    come those at which the winner had nearly won. In a battle with an odd `number` among those of its rule
    set, those that changed no score come last, so that two stories in a row seldom have the same plot.
    """
    if curve is None or not episodes:
        return []
    located = [point for point in curve.turning_points if episode_at(episodes, point.events - 1) is not None]
    turns = [(point, turn_at(curve, episodes, point)) for point in located]
    turns.sort(
        key=lambda pair: (
            is_for_winner(pair[0], winners), not is_bargain(pair[1]), pair[0].before <= NEARLY_WON,
            not (number % 2 and pair[1].is_level), abs(pair[0].after - pair[0].before),
        ),
        reverse=True,
    )  # fmt: skip
    return [turn for _, turn in turns]


def is_bargain(turn: Turn) -> bool:
    """Return True if a side's chance rose although only its rivals gained something, or the other way."""
    return bool(turn.winners) and (turn.side in turn.winners) != (turn.after > turn.before)


def is_for_winner(point: TurningPoint, winners: Sequence[int]) -> bool:
    """Return True if a turning point improved the chances of the only winner."""
    return [point.side] == [*winners] and point.after > point.before


def episode_at(episodes: Sequence[Episode], event: int) -> int | None:
    """Return the index of the episode that contains an event, or None if the event is between episodes."""
    at = bisect_right(episodes, event, key=lambda episode: episode.first) - 1
    if at < 0:
        return None
    last, moments = episodes[at].last, episodes[at].moments
    is_open = bool(moments) and moments[-1] == last  # the events of the last moment follow it
    return at if is_open or event <= last else None


def turn_at(curve: Curve, episodes: Sequence[Episode], point: TurningPoint) -> Turn:
    """Return a turning point with the facts about its round, fight or turn, and its lasting effect."""
    event = point.events - 1
    at = episode_at(episodes, event)
    assert at is not None
    episode = episodes[at]
    first, end = episode.first, end_of_episode(episodes, at)
    scores = episodes[at - 1].standings[-1] if at else [0] * len(episode.scores)
    before: Sequence[Fact] = ()
    after: Sequence[Fact] = ()
    facts: Sequence[Fact] = episode.facts
    winners, now = episode.winners, episode.scores
    left = episode.left
    starts = sorted({*episode.moments})
    if starts:
        number = max(0, bisect_right(starts, event) - 1)
        first = starts[number]
        end = starts[number + 1] if number + 1 < len(starts) else end
        timed = list(zip(episode.facts, episode.moments, strict=True))
        before = [fact for fact, moment in timed if moment < first]
        facts = [fact for fact, moment in timed if moment == first]
        after = [fact for fact, moment in timed if moment > first]
        left = max(0, left - number)
        winners = winners if not after else ()
        now = (episode.before or scores) if after else now
    chances = [each.chances[point.side] for each in curve.points if first < each.events <= end]
    is_over = at == len(episodes) - 1 and not after
    last = chances[-1] if chances and not is_over else point.after
    earlier = [each.chances[point.side] for each in curve.points if each.events <= first]
    begin = earlier[-1] if earlier else point.before
    if at < LEAST_BEFORE and abs(last - begin) < LEAST_CHANGE:
        begin = point.before
    start = curve.points[0].chances[point.side] if curve.points else begin
    least = min([last, *(each.chances[point.side] for each in curve.points if each.events > end)])
    is_level = [*scores] == [*now]
    later = [standing for each in episodes[at + 1 :] for standing in each.standings]
    is_ahead = lead_of(point.side, scores) > 0
    is_passed = any(lead_of(point.side, standing) < 0 for standing in later)
    return Turn(
        at, first, end, facts, before, after, left, point.side, start, begin, last, least, winners, is_level,
        is_ahead, is_passed,
    )  # fmt: skip


def lead_of(side: int, scores: Sequence[int]) -> int:
    """Return by how much the score of a side is above the best other one, or below it if negative."""
    return scores[side] - max(score for seat, score in enumerate(scores) if seat != side)


def end_of_episode(episodes: Sequence[Episode], at: int) -> int:
    """Return the index of the first event after an episode."""
    is_last = at == len(episodes) - 1
    return max(each.last for each in episodes) + 10**6 if is_last else episodes[at + 1].first


def swings_in(curve: Curve | None) -> dict[int, int]:
    """Return the change of the winner's chance at each turning point, in permille.

    The keys are the indices of the events at which the turning points occurred.
    """
    turning_points = curve.turning_points if curve else []
    return {turn.events - 1: abs(turn.after - turn.before) for turn in turning_points}


# Facts -----------------------------------------------------------------------------------------


def before_fact(turn: Turn, episodes: Sequence[Episode]) -> list[Fact]:
    """Return a fact about the score before the turning point of a battle of two sides.

    The first two episodes of a battle have no such fact.
    """
    earlier = episodes[turn.at - 1].standings[-1] if turn.at else ()
    scores = earlier if turn.after_facts else episodes[turn.at].before or earlier
    if len(scores) != 2 or not any(scores) or turn.at < LEAST_BEFORE:
        return []
    fields: dict[str, FactValue] = {"left": turn.left} if turn.left else {}
    if scores[0] == scores[1]:
        return [Fact(BEFORE, {**fields, "even": Points(scores[0])})]
    side = int(scores[1] > scores[0])
    fields |= {
        "side": Name(side), "rival": Name(1 - side), "lead": Points(scores[side]),
        "margin": Points(abs(scores[0] - scores[1])),
        **({"behind": Points(min(scores))} if min(scores) else conditions(nothing=True)),
    }  # fmt: skip
    return [Fact(BEFORE, fields)]


def after_fact(turn: Turn, episodes: Sequence[Episode], sides: int) -> list[Fact]:
    """Return a fact about what a turning point did to the chances, if this lasted and the battle went on.

    Readers know only the score. So the list is empty if a side's chance fell by its own success, or if the
    fact would call the side with the higher score the likelier one to lose.
    """
    before, after = turn.before, turn.after
    is_over = turn.at == len(episodes) - 1 and not turn.after_facts
    is_clinched = any(fact.kind == "clinched" for fact in turn.facts)  # the battle is already decided
    if turn.is_quiet or is_over or is_clinched or is_bargain(turn) or abs(after - before) < LEAST_CHANGE:
        return []
    if turn.is_level and after > before:
        kind = "turn_tied"
    elif after < before:
        kind = "turn_slipped" if before > EVEN_TO and after < EVEN_FROM else "turn_shaken"
    elif after > EVEN_TO and turn.least < EVEN_FROM:
        kind = "turn_briefly"
    elif before < EVEN_FROM and after > EVEN_TO:
        kind = "turn_regained" if turn.start > EVEN_TO else "turn_turned"
    elif after > NEARLY_WON and turn.least > STILL_SAFE and not turn.is_passed:
        if LATE * turn.at < (LATE - 1) * len(episodes):
            return []  # it would give the end away
        kind = "turn_sealed"
    else:
        kind = "turn_open" if after <= EVEN_TO else "turn_ahead" if before <= EVEN_TO else "turn_further"
    if turn.is_ahead and kind in FROM_BEHIND:
        return []
    fields: dict[str, FactValue] = {"side": Name(turn.side)}
    fields |= {"rival": Name(1 - turn.side)} if sides == 2 else {}
    fields |= conditions(
        lost=before < NEARLY_LOST and not turn.is_ahead, duel=sides == 2, ahead=turn.is_ahead
    )
    return [Fact(kind, fields)]


# Threads ---------------------------------------------------------------------------------------


def covers(thread: Thread, turn: Turn) -> bool:
    """Return True if a thread describes a turning point in detail."""
    return place_of(thread.scenes, turn) is not None


def place_of(scenes: Sequence[Scene], turn: Turn) -> int | None:
    """Return the index of the first scene that describes a turning point in detail, or None."""
    return next((at for at, scene in enumerate(scenes) if is_about(scene, turn)), None)


def is_about(scene: Scene, turn: Turn) -> bool:
    if scene.episodes:
        return scene.depth == FULL and scene.episodes[0] <= turn.at <= scene.episodes[1]
    return turn.first <= scene.moment < turn.end


def is_note(scene: Scene, turn: Turn) -> bool:
    """Return True if a scene only adds something to the events of a turning point."""
    is_sum = any(fact.kind in SUMS for fact in scene.facts)
    return 0 <= scene.last < turn.end and not scene.episodes and not is_sum


def with_turn(thread: Thread, turn: Turn, episodes: Sequence[Episode], sides: int) -> Thread:
    """Return a thread that describes a turning point in its own scene, and calls no other event decisive.

    The score comes before the scene, and its effect after it. Counts are left out. If there is little room,
    the other scenes that describe an episode in detail are shortened.
    """
    is_told = covers(thread, turn)
    kinds = COUNTS if is_told else (*COUNTS, *CLAIMS)
    begins = [-1, *(scene.last for scene in thread.scenes)]
    scenes = [
        each
        for scene, begin in zip(thread.scenes, begins, strict=False)
        for each in without(scene, (*kinds, *SPANS) if begin < turn.first <= scene.last else kinds)
    ]
    is_ending_gone = not is_told and any(fact.kind in CLAIMS for each in thread.scenes for fact in each.facts)
    if not is_told:
        scenes = with_scene(scenes, turn, scene_of(turn, episodes), episodes)
    at = place_of(scenes, turn)
    assert at is not None
    last = at
    while last + 1 < len(scenes) and is_note(scenes[last + 1], turn):
        last += 1
    kept = [
        each._replace(rank=0, is_filler=False) if is_about(each, turn)
        else each._replace(rank=max(each.rank, MENTIONED)) if each.depth == FULL
        else each
        for each in scenes
    ]  # fmt: skip
    event = max(0, scenes[at].last)
    before = [Scene([fact], event) for fact in before_fact(turn, episodes)]
    after = [Scene([fact], event) for fact in after_fact(turn, episodes, sides)]
    return thread._replace(
        scenes=[*kept[:at], *before, *kept[at : last + 1], *after, *kept[last + 1 :]],
        told=() if is_ending_gone else thread.told,
    )


def with_mention(thread: Thread, turn: Turn, episodes: Sequence[Episode]) -> Thread:
    """Return a thread that also names a turning point which is not the greatest one, if there is room."""
    if any(is_about(each, turn) or [*each.episodes] == [turn.at] * 2 for each in thread.scenes):
        return thread
    begins = [-1, *(scene.last for scene in thread.scenes)]
    scenes = [
        each
        for scene, begin in zip(thread.scenes, begins, strict=False)
        for each in without(scene, SPANS if begin < turn.first <= scene.last else ())
    ]
    return thread._replace(scenes=with_scene(scenes, turn, mention_of(turn, episodes), episodes))


def mention_of(turn: Turn, episodes: Sequence[Episode]) -> list[Scene]:
    """Return the scene that describes a turning point shortly."""
    episode = episodes[turn.at]
    if not episode.moments:
        return [Scene([], episode.last, rank=MENTIONED, episodes=(turn.at, turn.at), depth=IN_SHORT)]
    return [Scene(turn.facts[:1], turn.first, rank=MENTIONED, moment=turn.first)]


def without(scene: Scene, kinds: Sequence[str]) -> list[Scene]:
    """Return a scene without facts of these kinds, or [] if nothing is left of it."""
    facts = [fact for fact in scene.facts if fact.kind not in kinds]
    return [scene._replace(facts=facts)] if facts or scene.episodes or not scene.facts else []


def with_scene(
    scenes: Sequence[Scene], turn: Turn, own: list[Scene], episodes: Sequence[Episode]
) -> list[Scene]:
    """Return the scenes of a thread with the scenes `own` about a turning point, which none describes."""
    at = next(
        (
            n
            for n, each in enumerate(scenes)
            if each.episodes and each.episodes[0] <= turn.at <= each.episodes[1]
        ),
        None,
    )
    if at is not None:
        first, last = scenes[at].episodes
        if last == turn.at and scenes[at].depth != PASSED:
            own[-1] = own[-1]._replace(facts=[*own[-1].facts, *scenes[at].facts])
        return [
            *scenes[:at],
            *part_of(scenes[at], first, turn.at - 1, episodes), *own,
            *part_of(scenes[at], turn.at + 1, last, episodes),
            *scenes[at + 1 :],
        ]  # fmt: skip
    place = next((n for n, each in enumerate(scenes) if each.last >= turn.first), len(scenes))
    return [*scenes[:place], *own, *scenes[place:]]


def scene_of(turn: Turn, episodes: Sequence[Episode]) -> list[Scene]:
    """Return the scene about a turning point, and less important ones about the rest of its episode."""
    episode = episodes[turn.at]
    if not episode.moments:
        depth = FULL if len(episode.facts) <= LONGEST else IN_SHORT
        facts: Mapping[str, FactValue] = (episode.facts[0] if depth == FULL else episode.short).fields
        number = next((facts[name] for name in ("turn", "skirmish") if name in facts), 0)
        turn_number = number if isinstance(number, int) else 0
        if depth == FULL:
            return [Scene([], episode.last, turn_number, episodes=(turn.at, turn.at), depth=FULL)]
        return [Scene([episode.short], episode.last, turn_number, moment=turn.first)]
    earlier = [Scene([fact], episode.first, rank=LESS) for fact in turn.before_facts]
    later = [Scene([fact], turn.end - 1, rank=LESS) for fact in turn.after_facts]
    return [*earlier, Scene(turn.facts, turn.first, moment=turn.first), *later]


def part_of(scene: Scene, first: int, last: int, episodes: Sequence[Episode]) -> list[Scene]:
    """Return a scene about episodes `first` to `last` of another scene, or [] if `first` is after `last`."""
    if first > last:
        return []
    is_passed = scene.depth == PASSED and not scene.facts
    facts = scene.facts if last == scene.episodes[1] and scene.depth != PASSED else []
    depth = PASSED if is_passed else IN_SHORT
    return [
        scene._replace(facts=facts, episodes=(first, last), depth=depth, turn=0, last=episodes[last].last)
    ]

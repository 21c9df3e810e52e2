"""Describe several episodes in a row as one fact: how the lead changed, or how many episodes each side won.

A run is a number of consecutive episodes between two sides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Episode, Fact, FactValue, Name, Points, conditions, standing
from cardbattle.story.beats import Beat, leaders

FAR = 2  # smallest change of the lead that is worth mentioning, in points
FAR_SHARE = 8  # the change must also be at least all points divided by this number
STREAK = 3  # smallest number of wins in a row that is worth mentioning


def run_fact(episodes: Sequence[Episode], beat: Beat, sides: int) -> Fact:
    """Return several episodes in a row as one fact, which says how many of them each side won."""
    gains = [sum(seat in episode.winners for episode in beat.episodes) for seat in range(sides)]
    level = sum(not episode.winners for episode in beat.episodes)
    count = len(beat.episodes)
    won_by = [episode.winners[0] for episode in beat.episodes if episode.winners]
    opener = won_by[0] if won_by and sides == 2 else 0  # of two sides with equal gains, the first to gain
    order = sorted(range(sides), key=lambda seat: (-gains[seat], seat != opener, seat))
    best, second = order[0], order[1]
    before = episodes[beat.first - 1].winners if beat.first else []
    fields: dict[str, FactValue] = {
        "side": Name(best), "rival": Name(second), "count": count, "wins": gains[best],
        "losses": gains[second], "level": level,
        "numbers": list(range(beat.first + 1, beat.first + count + 1)),
        "first": beat.first + 1, "last": beat.first + count,
        "taken": numbers_won(beat, [best]), "given": numbers_won(beat, [second]),
        "drawn": numbers_won(beat, []),
        **conditions(
            again=[*before] == [best],
            taken_first=bool(beat.episodes[0].winners), drawn_first=not beat.episodes[0].winners,
            final=beat.first + count == len(episodes), pair=count == 2, several=count > 2,
        ),
        **standing_after(episodes, beat.first + count, best),
    }  # fmt: skip
    fields["next_count" if beat.first else "first_count"] = count
    if level == count:
        return Fact("run_level", fields)
    if gains[best] == count:
        return Fact("run_all", fields)
    if sum(gains) - gains[best] == 0:
        return Fact("run_some", fields)
    if len([gain for gain in gains if gain]) > 2:
        if gains[best] > gains[second]:
            fields["most"] = gains[best]
        winners = [Name(seat) for seat in order if gains[seat]]
        return Fact("run_many", {**fields, "sides": winners})
    kind = "run_even" if gains[best] == gains[second] else "run_most"
    return Fact(f"{kind}{'_level' if level else ''}", fields)


def numbers_won(beat: Beat, winners: Sequence[int]) -> list[int]:
    """Return the numbers, from 1, of the episodes that exactly these sides won."""
    return [
        beat.first + at for at, episode in enumerate(beat.episodes, 1) if [*episode.winners] == [*winners]
    ]


def standing_after(episodes: Sequence[Episode], count: int, side: int) -> dict[str, FactValue]:
    """Return the scores after the first `count` episodes from the point of view of `side`.

    Return nothing after the last episode. If there are three or more sides, return only the score of a single
    leader, and the leader's name if it is not `side`.
    """
    if count == len(episodes):
        return {}
    scores = episodes[count - 1].standings[0]
    if len(scores) == 2:
        return standing(scores, side)
    first = leaders(scores)
    if len(first) > 1:
        return {}
    lead = scores[first[0]]
    return {"lead": lead} if first[0] == side else {"leader": Name(first[0]), "ahead": lead}


class Run(NamedTuple):
    """Consecutive episodes between two sides, from the point of view of one side.

    Attributes:
        side: the number of the side.
        leads: the side's lead in points before the first episode and after each episode. It is negative if
            the side is behind.
        winners: the winner of each episode, or -1 if no side won the episode alone.
        lows: the lead before the first episode, and then for each episode the smallest lead during it and
            just before it.
        far: the smallest change of the lead that is worth mentioning.

    """

    side: int
    leads: Sequence[int]
    winners: Sequence[int]
    lows: Sequence[int]
    far: int = FAR

    @property
    def change(self) -> tuple[int, int]:
        """The side's lead before the first episode and after the last one."""
        return self.leads[0], self.leads[-1]


def lead_facts(episodes: Sequence[Episode], first: int, count: int) -> list[Fact]:
    """Return facts about the lead in the `count` episodes from the index `first` on.

    The battle must have two sides. The most remarkable fact is first. A story uses only the facts for which
    the rule set has phrases.
    """
    lead_episodes = episodes[first : first + count]
    if len(lead_episodes[0].scores) != 2:
        return []
    winners = [episode.winners[0] if len(episode.winners) == 1 else NOBODY for episode in lead_episodes]
    before = episodes[first - 1].scores if first else [0, 0]
    after = lead_episodes[-1].standings[0]  # ordinary episodes after the last one can change its scores
    far = max(FAR, sum(after) // FAR_SHARE)
    facts = []
    for kind, describe in DESCRIPTIONS.items():
        for side in (0, 1):
            armies = (before, *(each.scores for each in lead_episodes[:-1]), after)
            leads = [scores[side] - scores[1 - side] for scores in armies]
            lows = [leads[0], *(low_of(episodes, at, side) for at in range(first, first + count - 1))]
            lows.append(min(leads[-1], low_before(episodes, first + count - 1, side)))
            fields = describe(Run(side, leads, winners, lows, far)) if len(set(winners)) > 1 else None
            if fields is not None:
                common: dict[str, FactValue] = {
                    "side": Name(side), "rival": Name(1 - side), "wins": winners.count(side),
                    "losses": winners.count(1 - side), "count": count,
                    "next_count" if first else "first_count": count,
                    **standing_after(episodes, first + count, side),
                    **conditions(final=first + count == len(episodes)),
                }  # fmt: skip
                facts.append(Fact(kind, common | fields))
    return facts


def low_of(episodes: Sequence[Episode], at: int, side: int) -> int:
    """Return the smallest lead of a side from the end of the episode before `at` until the end of `at`."""
    scores = episodes[at].scores
    return min(scores[side] - scores[1 - side], low_before(episodes, at, side))


def low_before(episodes: Sequence[Episode], at: int, side: int) -> int:
    """Return the smallest lead of a side between the episode before `at` and episode `at`."""
    between = episodes[at - 1].standings if at else [episodes[at].scores]
    return min(scores[side] - scores[1 - side] for scores in between)


def bridge_fact(before: Sequence[int], after: Sequence[int]) -> Fact:
    """Return a fact about how the lead changed in episodes that a story leaves out.

    The fact is empty if there is nothing to say.
    """
    first, last = leaders(before), leaders(after)
    if len(last) > 1:
        is_told = len(after) == 2 and len(first) == 1
        fields: dict[str, FactValue] = {"side": Name(1 - first[0]), "rival": Name(first[0])}
        return Fact("bridge_level" if is_told else "", {**fields, "even": Points(max(after))})
    side = last[0]
    rival = max((seat for seat in range(len(after)) if seat != side), key=lambda seat: (after[seat], -seat))
    fields = {"side": Name(side), "rival": Name(rival), "lead": Points(after[side])}
    fields |= {"behind": Points(after[rival])} if after[rival] else {}
    if first not in (last, tuple(range(len(before)))):
        passed = {"passed": Name(first[0])} if first == (rival,) else {}
        return Fact("bridge_passed", fields | passed)
    best = max(before[seat] for seat in range(len(before)) if seat != side)
    change = (after[side] - after[rival]) - (before[side] - best)
    far = max(FAR, sum(after) // FAR_SHARE)
    if change < far or (len(after) > 2 and first == last):
        return Fact("", {})
    return Fact("bridge_away" if first == last else "bridge_ahead", fields)


Fields = dict[str, FactValue] | None  # None if the description does not fit the run


def comeback(run: Run) -> Fields:
    """Describe a run in which the side was far behind, and then drew level or took the lead."""
    worst = min(run.lows)
    if worst > -run.far or run.leads[-1] < 0:
        return None
    at = run.lows.index(worst)
    streak, peak = last_streak(run.winners[at:], run.side), max(run.leads[at:])
    return {
        "deficit": -worst, **({"streak": streak} if streak >= STREAK else {}),
        **({"peak": peak} if peak - run.leads[-1] >= run.far else {}),
        **conditions(fell=at > 0, stood=at == 0, steady=peak == run.leads[-1]),
    }  # fmt: skip


def closing_in(run: Run) -> Fields:
    """Describe a run in which the side was far behind, and made up much of the difference."""
    worst = min(run.lows)
    if run.leads[-1] >= 0 or run.leads[-1] - worst < run.far:
        return None
    at = run.lows.index(worst)
    return {
        "deficit": -worst, "left": -run.leads[-1],
        **conditions(fell=at > 0, stood=at == 0, mostly=2 * run.leads[-1] >= worst),
    }  # fmt: skip


def scare(run: Run) -> Fields:
    """Describe a run in which the side lost much of its lead, but not all, and then won a part of it back."""
    trough = min(range(len(run.leads)), key=lambda at: (run.leads[at] - max(run.leads[: at + 1]), at))
    peak, least = max(run.leads[: trough + 1]), run.leads[trough]
    is_scare = peak - least >= run.far and 0 < least < run.leads[-1]
    return {"peak": peak, "least": least} if is_scare else None


def trading(run: Run) -> Fields:
    """Describe a run in which the two sides won episodes in turn. This side won the first episode."""
    is_traded = NOBODY not in run.winners and all(a != b for a, b in pairwise(run.winners))
    return {} if is_traded and len(run.winners) >= STREAK and run.winners[0] == run.side else None


def pulling_away(run: Run) -> Fields:
    """Describe a run in which the side was level or ahead at first, and then went far ahead."""
    before, after = run.change
    return {"gain": after - before} if before >= 0 and after - before >= run.far else None


def overtaking(run: Run) -> Fields:
    """Describe a run in which the side was behind, and then took the lead."""
    before, after = run.change
    return {"was": -before, "now": after} if before < 0 < after else None


def drawing_level(run: Run) -> Fields:
    """Describe a run in which the side was behind, and drew level in the last episode."""
    before, after = run.change
    return {} if before < 0 == after and run.leads[-2] < 0 else None


def edging_ahead(run: Run) -> Fields:
    """Describe a run in which the scores were level, and then the side took the lead."""
    before, after = run.change
    return {} if before == 0 < after else None


def staying(run: Run) -> Fields:
    """Describe a run after which the side's lead is unchanged, or after which the scores are level again."""
    before, after = run.change
    if before != after or after < 0 or (after == 0 and run.side == 1):
        return None
    least = min(run.leads)
    return {**conditions(steady=least > 0, caught=least == 0 < after, passed=least < 0 < after)}


def caught(run: Run) -> Fields:
    """Describe a run in which the rival took the lead several times, and the side drew level each time."""
    if run.leads[0] or run.leads[-1] or max(run.leads) > 0:
        return None
    times = sum(before < 0 == after for before, after in pairwise(run.leads))
    return {"times": times} if times >= STREAK else None


DESCRIPTIONS: Mapping[str, Callable[[Run], Fields]] = {
    "run_comeback": comeback,
    "run_closing_in": closing_in,
    "run_scare": scare,
    "run_caught": caught,
    "run_trading": trading,
    "run_pulling_away": pulling_away,
    "run_overtaking": overtaking,
    "run_drawing_level": drawing_level,
    "run_edging_ahead": edging_ahead,
    "run_staying": staying,
}


def last_streak(winners: Sequence[int], side: int) -> int:
    """Return how many episodes in a row a side has won at the end of a run.

    >>> last_streak([0, 1, 0, 1, 1], 1)
    2
    """
    return len([*takewhile(lambda winner: winner == side, reversed(winners))])

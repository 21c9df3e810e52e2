"""Write the story of a battle in 6 to 14 sentences: stakes, beats, end and cost."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.chance import Chance, stream
from cardbattle.core.names import clean
from cardbattle.core.telling import ENGLISH, Episode, Fact, FactValue, Name, Plot, Points, conditions
from cardbattle.story.beats import Beat, choose_beats, decider, leaders
from cardbattle.story.language import Language, has_stories, language, phrases_of
from cardbattle.story.losses import losses_fact
from cardbattle.story.naming import side_names
from cardbattle.story.runs import lead_facts, run_fact
from cardbattle.story.stakes import Stakes, opening_facts
from cardbattle.story.teller import Teller

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report

MOST, FEWEST = 14, 6  # minimum and maximum number of sentences in a story
NO_STAKES = Stakes()
BODY, LEAST_BODY = 9, 2  # number of sentences between stakes and end
LONG, FAR_BEHIND = 6, 2  # a long battle, in episodes; a large lead, in points
MANY_CHANGES = 4  # smallest number of changes of the lead worth a sentence
NOTHING = Fact("", {})  # a fact that no phrase describes


class Story(NamedTuple):
    """A battle as a story.

    Attributes:
        sentences: the sentences in order.
        phrases: the phrase of each sentence; a report passes them on, so that its next story differs.
        events: number of the last event that each sentence tells, from 0 in the report's list; -1 before the
            first.

    """

    sentences: list[str]
    phrases: tuple[str, ...]
    events: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The story in one paragraph."""
        return " ".join(self.sentences)


def tell_story(
    report: Report,
    stakes: Stakes = NO_STAKES,
    *,
    swings: Mapping[int, int] | None = None,
    lang: str = ENGLISH,
    avoid: Collection[str] = (),
) -> Story:
    """Return the story of a battle for the reader of the report.

    `swings` are the changes of the chances at events, by their index in the report, in permille. `avoid` are
    the phrases of the story before it. A rule set that the language lacks is in English. Raises UsageError
    for an unknown language.
    """
    plot = report.rules.plot(report.setup, [event for _, event in report.events])
    code = lang if has_stories(lang, report.rules.key) else ENGLISH
    words = language(code, report.rules.key)
    teller = Teller(
        words,
        phrases_of(code, report.rules.key),
        side_names(report.names, stakes.shorts, words),
        chance_of(report),
        avoid,
    )
    if plot is None:
        tell_plainly(teller, report, stakes)
    else:
        tell_plot(teller, report, plot, stakes, swings or {})
    return Story(
        [sentence.text for sentence in teller.sentences],
        tuple(sentence.phrase for sentence in teller.sentences),
        tuple(sentence.event for sentence in teller.sentences),
    )


def chance_of(report: Report) -> Chance:
    """Return the random stream that picks the phrases.

    It depends only on what the reader sees: the seed for the umpire, for others the visible events. The
    phrases therefore reveal nothing about the seed.
    """
    if report.seed is not None:
        return stream(report.seed, "story")
    seen = repr([report.rules.key, report.setup.seats, report.names, report.viewer, report.events])
    return stream(sha256(seen.encode("utf-8", "surrogatepass")).hexdigest(), "story")


def tell_plot(teller: Teller, report: Report, plot: Plot, stakes: Stakes, swings: Mapping[int, int]) -> None:
    """Write stakes, beats, end and cost."""
    tell_opening(teller, report, stakes)
    for fact in plot.opening:
        teller.tell(fact)
    closing = [*plot.ending, *cost_facts(teller.words, report, stakes)]
    room = MOST - sum(sentences_in(sentence.text) for sentence in teller.sentences) - len(closing)
    by_episode = swings_of(plot.episodes, swings)
    beats = choose_beats(plot.episodes, report.winners, by_episode, max(LEAST_BODY, min(room, BODY)))
    spare = room - sum(len(beat.episodes[0].facts) if beat.is_full else 1 for beat in beats)
    deciding = decider(plot.episodes, report.winners[0]) if len(report.winners) == 1 else 0
    for beat in beats:
        teller.event = beat.episodes[-1].last
        tell_beat(teller, beat, plot)
        is_last = beat.first + len(beat.episodes) == len(plot.episodes)
        needed = 1 if beat.first >= deciding else 2  # keep a sentence for the lead that decided
        if beat.is_full and beat.first and not is_last and spare >= needed:
            spare -= teller.tell(standing_fact(plot.episodes, beat.first))
    teller.event = len(report.events) - 1
    if spare > 0:
        has_comeback = bool(teller.kinds & {"run_comeback", "run_closing_in"})
        shapes = shape_facts(plot.episodes, report.winners, has_comeback=has_comeback)
        any(teller.tell(fact) for fact in shapes)
    for fact in closing:
        teller.tell(fact)


def tell_opening(teller: Teller, report: Report, stakes: Stakes) -> None:
    """Write the sides and the umpire's own words, then the stakes."""
    meeting, *others = opening_facts(report, stakes)
    teller.tell(meeting)
    for text in stakes.words:
        if text[:1].islower():
            teller.tell(Fact("umpires_words", {"words": text}))
        else:
            teller.tell_unchanged(text)
    for fact in others:
        teller.tell(fact)


def sentences_in(text: str) -> int:
    """Return the number of sentences in a text.

    >>> sentences_in("Fought in rain. Who won? Nobody knows")
    3
    """
    return len(re.findall(r"[.!?]+(?=\s)", text.strip())) + 1


def standing_fact(episodes: Sequence[Episode], at: int) -> Fact:
    """Return the score after an episode; an empty fact if the same sides lead, or at the final score."""
    scores = episodes[at].scores
    before = episodes[at - 1].scores if at else [0] * len(scores)
    if leaders(scores) == leaders(before):
        return NOTHING
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    best, second = order[0], order[1]
    if all(scores[seat] == episodes[-1].scores[seat] for seat in (best, second)):
        return NOTHING
    earlier = earlier_leaders(episodes, at)
    alone = [seats[0] for seats in earlier if len(seats) == 1]
    is_regained = alone[-1:] == [best]  # the side led, and lost the lead to a tie at most
    fields: dict[str, FactValue] = {
        "side": Name(best), "rival": Name(second), "count": at + 1,
        "sides": [Name(seat) for seat in leaders(scores)],
        **conditions(again=leaders(scores) in earlier, overtook=bool(alone) and alone[-1] != best),
        **conditions(earned=not is_regained and [*episodes[at].winners] == [best]),
    }  # fmt: skip
    if len(leaders(scores)) == 1:
        return Fact("now_ahead", {**fields, "lead": Points(scores[best]), "behind": Points(scores[second])})
    return Fact(
        "now_level" if len(leaders(scores)) == len(scores) else "now_joint",
        {**fields, "score": Points(scores[best])},
    )


def earlier_leaders(episodes: Sequence[Episode], at: int) -> list[tuple[int, ...]]:
    """Return the leaders before and after each episode before this one, and just before this one."""
    standings = [scores for episode in episodes[:at] for scores in (episode.before, episode.scores)]
    return [leaders(scores) for scores in [*standings, episodes[at].before] if scores]


def shape_facts(episodes: Sequence[Episode], winners: Sequence[int], *, has_comeback: bool) -> Iterator[Fact]:
    """Yield facts about the battle as a whole, the most remarkable one first.

    They are a close race, a winner once far behind (unless the story has had that), one who took the lead at
    the end or had it all the time, and the number of changes of the lead.
    """
    if len(winners) != 1 or len(episodes) < LONG:
        return
    winner = winners[0]
    leads = [
        episode.scores[winner] - max(score for seat, score in enumerate(episode.scores) if seat != winner)
        for episode in episodes
    ]
    fields: dict[str, FactValue] = {"side": Name(winner)}
    if len(episodes[0].scores) == 2 and max(map(abs, leads)) <= 1:
        yield Fact("tight", fields)
    if min(leads) <= -max(FAR_BEHIND, sum(episodes[-1].scores) // 6) and not has_comeback:
        yield Fact("comeback", {**fields, "deficit": -min(leads)})
    if max(leads[:-1]) < 0 < leads[-1]:
        yield Fact("led_at_the_end", fields)
    if leads[-2] <= 0 < leads[-1]:
        yield Fact("decided_at_the_end", fields)
    if min(leads) > 0:
        yield Fact("always_led", fields)
    sole = [seats[0] for seats in (leaders(episode.scores) for episode in episodes) if len(seats) == 1]
    changes = sum(before != after for before, after in pairwise(sole))
    if changes >= MANY_CHANGES:
        yield Fact("lead_changes", {**fields, "changes": changes})


def swings_of(episodes: Sequence[Episode], swings: Mapping[int, int]) -> dict[int, int]:
    """Return the largest swing within each episode, by its place."""
    by_episode: dict[int, int] = {}
    for at, episode in enumerate(episodes):
        places = range(episode.first, episode.last + 1)
        by_episode[at] = max((swings.get(place, 0) for place in places), default=0)
    return by_episode


def tell_beat(teller: Teller, beat: Beat, plot: Plot) -> None:
    """Write an episode in full, in one sentence, or several together."""
    count = len(beat.episodes)
    if beat.is_full:
        for fact in beat.episodes[0].facts:
            teller.tell(fact)
    elif count == 1:
        teller.tell(beat.episodes[0].short)
    elif plot.summary is not None:
        teller.tell(plot.summary(beat.first, beat.first + count - 1))
    else:
        run = [
            *lead_facts(plot.episodes, beat.first, count),
            run_fact(plot.episodes, beat, len(teller.sides)),
        ]
        next(fact for fact in run if teller.tell(fact) or fact is run[-1])


def cost_facts(words: Language, report: Report, stakes: Stakes) -> list[Fact]:
    """Return the losses of each side, in the campaign's numbers if known, and the holder of the place."""
    return [*stakes.aftermath, *losses_fact(words, report.losses, report.winners, stakes.casualties)]


def tell_plainly(teller: Teller, report: Report, stakes: Stakes) -> None:
    """Write a battle of a rule set without facts: stakes, result and cost."""
    tell_opening(teller, report, stakes)
    reason = clean(report.rules.reasons.get(report.reason, report.reason))
    everyone = [Name(seat) for seat in range(len(report.names))]
    fields: dict[str, FactValue] = {
        "sides": [Name(seat) for seat in report.winners] or everyone,
        "reason": reason,
    }
    teller.tell(Fact("plain_won" if report.winners else "plain_drawn", fields))
    for fact in cost_facts(teller.words, report, stakes):
        teller.tell(fact)

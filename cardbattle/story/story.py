"""Write the story of a battle in 6 to 14 sentences: stakes, chosen episodes, end and losses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cardbattle.core.chance import Chance, stream
from cardbattle.core.telling import (
    ENGLISH,
    FULL,
    PASSED,
    Episode,
    Fact,
    FactValue,
    Name,
    Plot,
    Points,
    Scene,
    Thread,
    conditions,
)
from cardbattle.core.telling import SHORT as IN_SHORT
from cardbattle.story.beats import (
    FEW,
    SHAPES,
    Beat,
    Shape,
    choose_beats,
    choose_highlights,
    decider,
    leaders,
    weights_of,
)
from cardbattle.story.brief import reason_in
from cardbattle.story.language import Language, has_stories, language, phrases_of
from cardbattle.story.losses import losses_fact, rough_losses, unit_facts
from cardbattle.story.naming import SideName, distinct_names, leader_names, side_names
from cardbattle.story.rotation import Ordinals, in_turn
from cardbattle.story.runs import bridge_fact, lead_facts, run_fact
from cardbattle.story.stakes import REMEMBERING, UPHILL, Stakes, introducing, opening_facts
from cardbattle.story.teller import EXPLAINING, Teller
from cardbattle.story.turning import (
    BEFORE,
    COVERED,
    Turn,
    after_fact,
    before_fact,
    covers,
    swings_in,
    turns_of,
    with_mention,
    with_turn,
)

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.simulation.turning_points import Curve

MOST, FEWEST = 14, 6  # maximum and minimum number of sentences in a story
MOST_IN_CAMPAIGN = 7  # maximum in a campaign, where players read several stories in a row
GREAT_BODY = 5  # minimum number of sentences between the stakes and the end of a great event
EXPLANATION = 1  # more sentences in a story that explains the terms of the game
NO_STAKES = Stakes()
BODY, LEAST_BODY = 9, 3  # maximum and minimum number of sentences between the stakes and the end
SCORES = 2  # maximum number of sentences about the score in a story that leaves out episodes
SHORT = {"turn": 6, "skirmish": 30}  # by field: the largest gap between two turns that a story mentions
SOON = 3  # maximum number of episodes that lie before what is still soon
LONG, FAR_BEHIND = 6, 2  # a long battle, in episodes; a large lead, in points
MANY_CHANGES = 4  # smallest number of changes of the lead worth a sentence
SURPRISES = ("lowest", "last_stand")  # kinds of facts in an ending with which a story can also begin
ALL_OR_NOTHING = ("lost_all", "many_lost_all_spared")  # facts about losses that an ending can already state
SHORT_BODY = 6  # optional scenes are added to a thread with fewer sentences
OWN = 25  # bonus for a thread about the reader's side
MOST_LED = 3  # in battles of more sides, readers would not remember the leaders
SWING = 20  # a swing of this size, in permille, adds 1 to the weight of a thread
TOLERANCE = 15  # threads whose weights differ by at most this number are equally good
WIDE = 25  # the same in a campaign, where the threads take turns
Outline = TypeVar("Outline", Shape, Thread)
BETTER = ("lines_ahead", "lines_far_ahead", "hand_strongest")  # facts about the better cards of a side
ODDS = ("favoured", *UPHILL)  # facts about the odds, which name the weaker side
SCORE = ("rival", "lead", "behind")  # the fields of a fact about a score
LED_BY = ("mine", "other")  # the fields of a fact about a lead in the past
NOTHING = Fact("", {})  # a fact that no phrase describes


class Story(NamedTuple):
    """A battle as a story.

    Attributes:
        sentences: the sentences in their order.
        phrases: the phrase from which each sentence was made.
        events: the index of the last event that each sentence describes, or -1 before the first event.
        tails: the phrases of clauses that were added to sentences.

    """

    sentences: list[str]
    phrases: tuple[str, ...]
    events: tuple[int, ...] = ()
    tails: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The story as one paragraph."""
        return " ".join(self.sentences)


def tell_story(
    report: Report,
    stakes: Stakes = NO_STAKES,
    *,
    curve: Curve | None = None,
    lang: str = ENGLISH,
) -> Story:
    """Return the story of a battle for the reader of the report.

    `curve` has the chances of the sides over the battle, as the reader of the report sees them. If it has
    turning points, the story describes the greatest one as its decisive scene. If the language has no phrases
    for the rule set, the story leaves out the course of the battle. Raises UsageError if the language is
    unknown.
    """
    is_translated = lang == ENGLISH or has_stories(lang, report.rules.key)
    plot = report.rules.plot(report.setup, [event for _, event in report.events]) if is_translated else None
    teller = teller_for(report, stakes, lang)
    shape: Shape | Thread | None = None
    number = stakes.ordinals.of_rules if stakes.ordinals else 0
    turns = turns_of(curve, plot.episodes, report.winners, number) if plot is not None else []
    turn = turns[0] if turns else None
    if turn is not None and stakes.ordinals is not None:
        turn = turn._replace(is_quiet=True)  # players who read many stories see it for themselves
    if plot is None:
        tell_plainly(teller, report, stakes)
    elif plot.threads:
        threads = weighted(plot.threads, swings_of(plot.episodes, swings_in(curve)), turn)
        shape = choose_thread(threads, report.viewer, stakes.ordinals, teller.chance)
        if turn is not None:
            shape = with_turn(shape, turn, plot.episodes, len(teller.sides))
        for other in turns[1:]:
            shape = with_mention(shape, other, plot.episodes)
        tell_thread(teller, report, plot, stakes, shape)
    else:
        shape = shape_for(plot, stakes.ordinals, teller.chance)
        tell_plot(teller, report, plot, stakes, curve, shape, turn)
    return Story(
        [sentence.text for sentence in teller.sentences],
        tuple(sentence.phrase for sentence in teller.sentences),
        tuple(sentence.event for sentence in teller.sentences),
        tuple(sentence.tail for sentence in teller.sentences if sentence.tail),
    )


def teller_for(report: Report, stakes: Stakes, code: str) -> Teller:
    """Return a teller that knows the language, the phrases, and the names of the sides and their leaders."""
    vocabulary = language(code, report.rules.key)
    given = stakes.names or [""] * len(report.names)
    names = [name or recorded for name, recorded in zip(given, report.names, strict=True)]
    factions = introducing(stakes)
    distinct = distinct_names(names, report.setup.seats, stakes.factions, vocabulary)
    pairs = zip(factions, names, distinct, strict=False)  # `factions` can be empty
    factions = [faction if old == new else "" for faction, old, new in pairs]
    sides = side_names(distinct, stakes.shorts, vocabulary, names_in_context(stakes))
    leaders: Sequence[SideName] = ()
    if stakes.leaders and len(sides) <= MOST_LED:
        number = stakes.ordinals.battle if stakes.ordinals else 0
        sides, leaders = leader_names(sides, stakes.leaders, vocabulary, factions, number, stakes.names)
    phrases = phrases_of(code, report.rules.key)
    return Teller(vocabulary, phrases, sides, chance_of(report), leaders, stakes.ordinals)


def names_in_context(stakes: Stakes) -> list[str]:
    """Return the names in the facts about the war: of forces, factions, places and people."""
    values = [value for fact in (*stakes.memory, *stakes.consequences) for value in fact.fields.values()]
    lists = [value if isinstance(value, list) else [value] for value in values]
    names = [name for names in lists for name in names if isinstance(name, str)]
    return [*filter(None, stakes.factions), *names]


def shape_for(plot: Plot, ordinals: Ordinals | None, chance: Chance) -> Shape | None:
    """Return an outline, or None if the story leaves out no episode."""
    if not plot.is_selective or len(plot.episodes) <= FEW:
        return None
    return in_turn(SHAPES, ordinals) if ordinals else choose_outline(SHAPES, chance)


def choose_thread(
    threads: Sequence[Thread], viewer: int | None, ordinals: Ordinals | None, chance: Chance
) -> Thread:
    """Return one of the best threads for a reader. In a campaign, they take turns."""
    if ordinals is None:
        return choose_outline(threads_for(threads, viewer), chance)
    best = sorted(threads_for(threads, viewer, tolerance=WIDE), key=lambda thread: (thread.name, thread.hero))
    names = [*dict.fromkeys(thread.name for thread in best)]
    name = in_turn(names, ordinals)
    return max((thread for thread in best if thread.name == name), key=lambda thread: thread.weight)


def choose_outline(outlines: Sequence[Outline], chance: Chance) -> Outline:
    return outlines[chance.below(len(outlines))]


def weighted(threads: Sequence[Thread], swings: Mapping[int, int], turn: Turn | None = None) -> list[Thread]:
    """Return the threads with larger weights if they describe in full how the chances changed most.

    `swings` maps the index of an episode to the largest change, in permille, of a side's chance of winning.
    Threads that describe the turning point `turn` are preferred.
    """
    if turn is not None:
        return [each._replace(weight=each.weight + COVERED * covers(each, turn)) for each in threads]
    return [
        thread._replace(weight=thread.weight + largest_swing(thread, swings) // SWING if thread.weight else 0)
        for thread in threads
    ]


def largest_swing(thread: Thread, swings: Mapping[int, int]) -> int:
    """Return the largest swing in the episodes that a thread describes in full, in permille."""
    full = [scene.episodes for scene in thread.scenes if scene.depth == FULL and scene.episodes]
    return max((swings.get(at, 0) for first, last in full for at in range(first, last + 1)), default=0)


def threads_for(
    threads: Sequence[Thread], viewer: int | None, tolerance: int = TOLERANCE
) -> Sequence[Thread]:
    """Return the threads (outlines proposed by the rule set) that are best for a reader.

    If possible, they are about the reader's own side. They explain the result well. Their
    weights differ by at most `tolerance`.
    """
    own = [thread for thread in threads if viewer in (thread.hero, *thread.others)]
    chosen = own or [thread for thread in threads if not thread.is_for_hero] or threads
    weights = [thread.weight + (OWN if thread.hero == viewer else 0) for thread in chosen]
    return [
        thread for thread, weight in zip(chosen, weights, strict=True) if weight >= max(weights) - tolerance
    ]


def tell_thread(teller: Teller, report: Report, plot: Plot, stakes: Stakes, thread: Thread) -> None:
    """Write what is at stake, the scenes of a thread, the end, and the losses."""
    is_own = report.viewer is not None and report.viewer in thread.others
    teller.hero = report.viewer if is_own and report.viewer is not None else thread.hero
    tell_opening(teller, report, stakes, plot.opening)
    ending = [fact for fact in plot.ending if fact.kind not in thread.told]
    closing = [*ending, *cost_facts(teller.words, report, stakes)]
    room = most_sentences(stakes) - length_so_far(teller) - len(closing)
    turn = 0
    fillable = with_fillers(thread.scenes, room, teller.chance, plot.episodes)
    scenes = fitting(fillable, max(least_body(stakes), room), plot.episodes)
    own = [fact for each in scenes for fact in each.facts if fact.kind in teller.phrases]
    summaries = sum(length_of(each, plot.episodes) - len(each.facts) for each in scenes)
    teller.spare = len(teller.sentences) + len(own) + summaries + len(ending) - FEWEST
    for scene in scenes:
        beat = beat_of(scene, plot.episodes)
        gap = scene.turn - turn if turn and scene.turn else 0
        if beat is not None:
            teller.event = beat.episodes[-1].last
            episode = beat.episodes[0]
            timed = episode._replace(
                facts=since_turn(episode.facts, gap), short=since_turn([episode.short], gap)[0]
            )  # fmt: skip
            tell_beat(teller, beat._replace(episodes=[timed, *beat.episodes[1:]]), plot)
            gap = 0
        teller.event = max(teller.event, scene.last)
        for fact in since_turn(scene.facts, gap):
            tell_unless_known(teller, fact)
        turn = latest_turn(scene, beat)
    teller.event = len(report.events) - 1
    tell_closing(teller, ending, stakes, report, plot)


def most_sentences(stakes: Stakes) -> int:
    """Return the maximum number of sentences in a story."""
    if stakes.ordinals is None:
        return MOST
    return MOST_IN_CAMPAIGN + (EXPLANATION if stakes.ordinals.of_rules < EXPLAINING else 0)


def least_body(stakes: Stakes) -> int:
    """Return the minimum number of sentences between the stakes and the end, if enough happened."""
    return GREAT_BODY if stakes.is_great else LEAST_BODY


def length_so_far(teller: Teller) -> int:
    return sum(sentences_in(sentence.text) for sentence in teller.sentences)


def tell_unless_known(teller: Teller, fact: Fact) -> None:
    """Write a fact, but leave out a score that one of the two sentences before has stated.

    The score before a turning point is compared with the last score in the story.
    """
    scores = {fact.fields[name] for name in ("even", "lead", "behind") if name in fact.fields}
    known = [
        {value for value in each.fields.values() if isinstance(value, int)} for each in teller.facts[-2:]
    ]
    lead = {fact.fields[name] for name in ("even", "lead") if name in fact.fields}
    if fact.kind != BEFORE:
        teller.tell(fact)
    elif not any(scores <= values for values in known) and not (known and lead <= known[-1]):
        teller.tell(compared(fact, teller.facts))


def compared(fact: Fact, told: Sequence[Fact]) -> Fact:
    """Return a fact about the score which says who has caught up or gone past since the last one.

    If a sentence since then has said who took the lead, or who gained points, the fact is unchanged.
    """
    last = next((each for each in reversed(told) if score_in(each) or has_gain(each)), None)
    if last is None or has_gain(last) or not score_in(fact):
        return fact
    before, now = (lead - behind for lead, behind in (score_in(last), score_in(fact)))
    if last.fields["side"] != fact.fields["side"]:
        return fact._replace(kind=f"{BEFORE}_passed")
    return fact._replace(kind=f"{BEFORE}_closer") if 2 * now <= before else fact


def score_in(fact: Fact) -> Sequence[int]:
    """Return the scores of the side in front and of its rival if a fact states both, or an empty list.

    The value of the cards before the first move does not count as a score.
    """
    for fields in () if fact.kind in BETTER else (SCORE[1:], LED_BY):
        if {"side", "rival", *fields} <= fact.fields.keys():
            return [int(str(fact.fields[name])) for name in fields]
    return []


def has_gain(fact: Fact) -> bool:
    """Return True if a fact says that a side took the lead, or gained points, without the whole score."""
    has_points = any(isinstance(value, Points) for value in fact.fields.values())
    if has_points and not score_in(fact):
        return True
    return not {"fresh", "back", "forgood"}.isdisjoint(fact.fields)


def tell_closing(teller: Teller, ending: Sequence[Fact], stakes: Stakes, report: Report, plot: Plot) -> None:
    """Write how the battle ended, and then what it cost and changed.

    Places and losses belong to the sides, not to their leaders.
    """
    for fact in ending:
        if not teller.tell(without_known_lead(teller, fact)):
            teller.tell(fact)
    teller.has_leaders = False
    if (teller.sentences and teller.sentences[-1].is_led) or teller.chance.below(2):
        teller.spare = 0  # each of these facts has a sentence of its own, as in half of the stories
    costs = cost_facts(teller.words, report, stakes)
    room = max(1, MOST - length_so_far(teller))
    for fact in costs[-room:]:  # the greatest consequences come last
        if not is_repetition(fact, plot, report, stakes) or len(teller.sentences) < FEWEST:
            teller.tell(fact)


def without_known_lead(teller: Teller, fact: Fact) -> Fact:
    """Return a fact without its lead if the sentence before has stated the same number.

    The sentence then gives the scores, and not the number again.
    """
    before = teller.facts[-1].fields if teller.facts else {}
    stated = [
        before[name] for name in SCORE[1:] if name in before and f"{{{name}" in teller.sentences[-1].phrase
    ]
    if fact.fields.get("lead") not in stated:
        return fact
    return fact._replace(fields={name: value for name, value in fact.fields.items() if name != "lead"})


def is_repetition(fact: Fact, plot: Plot, report: Report, stakes: Stakes) -> bool:
    """Return True if a fact about losses repeats what the ending says."""
    is_share = fact.kind.startswith("lost_") and not fact.kind.endswith("_counted")
    if plot.is_total and fact.kind in ALL_OR_NOTHING and {*map(Fraction, report.losses)} == {0, 1}:
        return True
    return plot.is_cost_told and is_share and not stakes.losses


def latest_turn(scene: Scene, beat: Beat | None) -> int:
    """Return the number of the latest turn that a scene mentions, or 0 if the scene has no turn."""
    facts = [*scene.facts]
    if beat is not None:
        facts += beat.episodes[0].facts if beat.is_full else beat.episodes[0].gone
    turns = [turn for fact in facts for name in SHORT if isinstance(turn := fact.fields.get(name), int)]
    is_told = beat is None or not beat.is_passed
    return max([scene.turn, *turns]) if scene.turn and is_told else 0


def with_fillers(
    scenes: Sequence[Scene], room: int, chance: Chance, episodes: Sequence[Episode] = ()
) -> list[Scene]:
    """Return the scenes without some of the optional scenes (fillers).

    In a short story, fillers are kept as far as `room` allows. In a longer story, a random choice decides
    about each filler.
    """
    size = sum(length_of(scene, episodes) for scene in scenes if not scene.is_filler)
    chosen = []
    for scene in scenes:
        more = len(scene.facts)
        if scene.is_filler and (size + more > room or (size >= SHORT_BODY and chance.below(2))):
            continue
        size += more if scene.is_filler else 0
        chosen.append(scene)
    return chosen


def beat_of(scene: Scene, episodes: Sequence[Episode]) -> Beat | None:
    """Return the episodes that a scene describes as a beat, or None if it describes none."""
    if not scene.episodes:
        return None
    first, last = scene.episodes
    return Beat(episodes[first : last + 1], scene.depth == FULL, first, scene.depth == PASSED)


def length_of(scene: Scene, episodes: Sequence[Episode]) -> int:
    """Return the number of sentences that a scene needs."""
    beat = beat_of(scene, episodes)
    return len(scene.facts) + (sentences_of(beat) if beat is not None else 0)


def fitting(scenes: Sequence[Scene], room: int, episodes: Sequence[Episode] = ()) -> list[Scene]:
    """Return scenes that together have at most `room` sentences, if possible.

    If there are too many sentences, scenes with the highest ranks are left out, and a scene that describes an
    episode in full becomes a short one. If another scene describes episodes, only what the reader must know
    about these episodes is reported.
    """
    chosen = [*scenes]
    while sum(length_of(scene, episodes) for scene in chosen) > room and any(each.rank for each in chosen):
        at = max(range(len(chosen)), key=lambda at: (chosen[at].rank, at))
        scene = chosen[at]
        passed = scene._replace(facts=[], rank=0, depth=PASSED)
        shorter = scene._replace(rank=0, depth=IN_SHORT) if scene.depth == FULL else passed
        chosen[at : at + 1] = [shorter] if scene.episodes else []
    return chosen


def since_turn(facts: Sequence[Fact], gap: int) -> list[Fact]:
    """Say in the first fact that names its turn how many turns have passed since the turn mentioned before.

    If one turn has passed, the field `next` is added. If a small number of turns has passed, the field `gap`
    has the number.
    """
    at = next((at for at, fact in enumerate(facts) if {*SHORT} & fact.fields.keys()), -1)
    most = max((SHORT[name] for name in facts[at].fields if name in SHORT), default=0) if facts else 0
    if at < 0 or not 0 < gap <= most:
        return [*facts]
    fields: dict[str, FactValue] = conditions(next=True) if gap == 1 else {"gap": gap}
    timed = facts[at]._replace(fields={**facts[at].fields, **fields})
    return [*facts[:at], timed, *facts[at + 1 :]]


def chance_of(report: Report) -> Chance:
    """Return the random stream that chooses the phrases.

    For the umpire, the stream depends on the seed. For other readers, it depends only on the visible events,
    so that the phrases reveal nothing about the seed.
    """
    if report.seed is not None:
        return stream(report.seed, "story")
    seen = repr([report.rules.key, report.setup.seats, report.names, report.viewer, report.events])
    return stream(sha256(seen.encode("utf-8", "surrogatepass")).hexdigest(), "story")


def tell_plot(
    teller: Teller,
    report: Report,
    plot: Plot,
    stakes: Stakes,
    curve: Curve | None,
    shape: Shape | None,
    turn: Turn | None,
) -> None:
    """Write the stakes, the chosen episodes, the end and the losses."""
    tell_opening(teller, report, stakes, plot.opening)
    has_hook = shape is not None and shape.has_hook and tell_hook(teller, plot, report.winners)
    if shape is None or shape.has_opening or not has_hook:
        for fact in plot.opening:
            teller.tell(fact)
    hook = teller.last_kind.removeprefix("hook_") if has_hook else ""
    ending = [fact for fact in plot.ending if fact.kind != hook]
    closing = [*ending, *cost_facts(teller.words, report, stakes)]
    room = most_sentences(stakes) - length_so_far(teller) - len(closing)
    body = max(least_body(stakes), min(room, BODY))
    by_episode = swings_of(plot.episodes, swings_in(curve))
    must = [turn.at] if turn is not None else []
    if shape is None:
        beats = choose_beats(plot.episodes, report.winners, by_episode, body, must)
    else:
        weights = weights_of(plot.episodes, report.winners, by_episode)
        beats = choose_highlights(plot.episodes, weights, shape, body, must)
    sentences = sum(map(sentences_of, beats))
    spare = room - sentences
    teller.spare = len(teller.sentences) + sentences + len(ending) - FEWEST
    deciding = decider(plot.episodes, report.winners[0]) if len(report.winners) == 1 else 0
    scores = SCORES if shape else len(beats)  # number of sentences about the score that can still be written
    for beat, following in zip(beats, [*beats[1:], None], strict=False):
        teller.event = beat.episodes[-1].last
        if beat.is_passed and following is not None and spare > 0:
            if shape is not None and shape.is_late and not beat.first and len(beat.episodes) > 1:
                tell_shortly(teller, beat, plot)
                spare -= 1
            elif scores > 0:
                is_told = tell_bridge(teller, plot.episodes, beat, following)
                spare, scores = spare - is_told, scores - is_told
        is_turn = turn is not None and beat.is_full and beat.first == turn.at
        for fact in before_fact(turn, plot.episodes) if is_turn and turn and spare > 1 else ():
            tell_unless_known(teller, fact)
            spare -= 1
        tell_beat(teller, beat, plot)
        is_whole = turn is not None and not turn.after_facts  # the effect follows the whole episode
        for fact in (
            after_fact(turn, plot.episodes, len(teller.sides)) if is_turn and turn and is_whole else ()
        ):
            spare -= teller.tell(fact)
        needed = 1 if beat.first >= deciding else 2  # keep one sentence for the decisive change of the lead
        if beat.is_passed or not beat.first or following is None or spare < needed:
            continue
        if beat.is_full or (shape is not None and (scores > 0 or beat.first == deciding)):
            is_told = teller.tell(standing_fact(plot.episodes, beat.first))
            spare, scores = spare - is_told, scores - is_told
    teller.event = len(report.events) - 1
    if spare > 0 and not has_hook:
        kinds = teller.kinds | {fact.kind for fact in plot.ending}
        has_comeback = bool(kinds & {"run_comeback", "run_closing_in", *SURPRISES})
        shapes = shape_facts(plot.episodes, report.winners, has_comeback=has_comeback)
        any(teller.tell(fact) for fact in shapes)
    tell_closing(teller, ending, stakes, report, plot)


def tell_hook(teller: Teller, plot: Plot, winners: Sequence[int]) -> bool:
    """Write what was most remarkable about the whole battle, and return True.

    Return False if nothing was remarkable.
    """
    surprises = [fact for fact in plot.ending if fact.kind in SURPRISES]
    facts = [*surprises, *plot.hooks, *shape_facts(plot.episodes, winners, has_comeback=False)]
    order = list(range(len(facts)))
    teller.chance.shuffle(order)
    return any(teller.tell(facts[at]._replace(kind=f"hook_{facts[at].kind}")) for at in order)


def tell_bridge(teller: Teller, episodes: Sequence[Episode], beat: Beat, following: Beat) -> bool:
    """Write how the lead changed in episodes that are left out, and return True.

    Return False if there is nothing to say.
    """
    is_told = bool(teller.sentences) and teller.last_kind.startswith("now_")
    end = following.episodes[0].before or beat.episodes[-1].scores
    if is_told or [*end] == [*episodes[-1].scores]:
        return False
    if not beat.first and len(beat.episodes) > SOON:
        return False
    if not beat.first:
        return teller.tell(bridge_fact([0] * len(end), end))
    fact = bridge_fact(episodes[beat.first - 1].standings[0], end)
    return teller.tell(fact._replace(kind=fact.kind.replace("ahead", "passed")))  # it is no longer soon


def tell_opening(teller: Teller, report: Report, stakes: Stakes, first: Sequence[Fact] = ()) -> None:
    """Write which sides fought, then the umpire's own sentences, and then what is at stake.

    The odds are left out if `first`, the facts before the first move, favour the side that they do not.
    """
    better = {fact.fields["side"] for fact in first if fact.kind in BETTER}
    facts = opening_facts(report, stakes)
    until = 2 if facts[0].kind.startswith(REMEMBERING) else 1  # the second fact is the meeting there
    others = [fact for fact in facts[until:] if fact.kind not in ODDS or fact.fields["side"] not in better]
    for fact in facts[:until]:
        teller.tell(fact)
    for text in stakes.words:
        if text[:1].islower():
            teller.tell(Fact("umpires_words", {"words": text}))
        else:
            teller.tell_unchanged(text)
    for fact in others:
        teller.tell(fact)
    teller.has_leaders = bool(stakes.leaders)


def sentences_in(text: str) -> int:
    """Return the number of sentences in a text.

    >>> sentences_in("Fought in rain. Who won? Nobody knows")
    3
    """
    return len(re.findall(r"[.!?]+(?=\s)", text.strip())) + 1


def standing_fact(episodes: Sequence[Episode], at: int) -> Fact:
    """Return a fact about the score after episode `at`.

    The fact is empty if the lead did not change, or if the episode is the last one. A side leads "again" if
    it led in an earlier episode and then lost the lead.
    """
    scores = episodes[at].scores
    before = episodes[at - 1].scores if at else [0] * len(scores)
    just_before = episodes[at].before or before
    if leaders(scores) in (leaders(before), leaders(just_before)):
        return NOTHING
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    best, second = order[0], order[1]
    if all(scores[seat] == episodes[-1].scores[seat] for seat in (best, second)):
        return NOTHING
    earlier = earlier_leaders(episodes, at)
    alone = [seats[0] for seats in earlier if len(seats) == 1]
    is_regained = alone[-1:] == [best]  # the side was in the lead before, and since then no other side was
    is_at_once = [*episodes[at].standings[0]] == [*scores]
    has_led = leaders(scores) in earlier and earlier[-1] != leaders(scores)
    fields: dict[str, FactValue] = {
        "side": Name(best), "rival": Name(second), "count": at + 1,
        "sides": [Name(seat) for seat in leaders(scores)],
        **conditions(again=has_led, overtook=bool(alone) and alone[-1] != best),
        **conditions(earned=not is_regained and is_at_once and [*episodes[at].winners] == [best]),
    }  # fmt: skip
    if len(leaders(scores)) == 1:
        return Fact("now_ahead", {**fields, "lead": Points(scores[best]), "behind": Points(scores[second])})
    return Fact(
        "now_level" if len(leaders(scores)) == len(scores) else "now_joint",
        {**fields, "score": Points(scores[best])},
    )


def earlier_leaders(episodes: Sequence[Episode], at: int) -> list[tuple[int, ...]]:
    """Return which sides led before and after each earlier episode, and just before episode `at`."""
    standings = [scores for episode in episodes[:at] for scores in (episode.before, *episode.standings)]
    return [leaders(scores) for scores in [*standings, episodes[at].before] if scores]


def shape_facts(episodes: Sequence[Episode], winners: Sequence[int], *, has_comeback: bool) -> Iterator[Fact]:
    """Yield facts about the battle as a whole. The most remarkable fact is first.

    A fact can say that the scores stayed close, that the winner was once far behind (unless `has_comeback` is
    true), that the winner took the lead only at the end, that the winner always had the lead, or that the
    lead changed often.
    """
    if len(winners) != 1 or len(episodes) < LONG:
        return
    winner = winners[0]
    leads = [
        scores[winner] - max(score for seat, score in enumerate(scores) if seat != winner)
        for episode in episodes
        for scores in episode.standings
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
    """Return the largest swing within each episode, by the index of the episode.

    A swing is a change of a side's chance of winning.
    """
    by_episode: dict[int, int] = {}
    for at, episode in enumerate(episodes):
        places = range(episode.first, episode.last + 1)
        by_episode[at] = max((swings.get(place, 0) for place in places), default=0)
    return by_episode


def tell_beat(teller: Teller, beat: Beat, plot: Plot) -> None:
    """Write a beat, either in full or in one sentence, and then name the sides that were eliminated in it."""
    if beat.is_full:
        for fact in beat.episodes[0].facts:
            teller.tell(fact)
        return
    if not beat.is_passed:
        tell_shortly(teller, beat, plot)
    for fact in untold_gone(beat):
        teller.tell(fact)


def sentences_of(beat: Beat) -> int:
    if beat.is_full:
        return len(beat.episodes[0].facts)
    return (not beat.is_passed) + len(untold_gone(beat))


def untold_gone(beat: Beat) -> list[Fact]:
    """Return facts about the eliminations in a beat that the sentence of the beat does not mention."""
    told = beat.episodes[0].short if len(beat.episodes) == 1 and not beat.is_passed else NOTHING
    return [fact for episode in beat.episodes for fact in episode.gone if fact.kind != told.kind]


def tell_shortly(teller: Teller, beat: Beat, plot: Plot) -> None:
    """Write one sentence about the episodes of a beat."""
    count = len(beat.episodes)
    if count == 1:
        teller.tell(beat.episodes[0].short)
    elif plot.summary is not None:
        teller.tell(plot.summary(beat.first, beat.first + count - 1))
    else:
        run = [
            *lead_facts(plot.episodes, beat.first, count),
            run_fact(plot.episodes, beat, len(teller.sides)),
        ]
        next(fact for fact in run if teller.tell(fact) or fact is run[-1])


def cost_facts(vocabulary: Language, report: Report, stakes: Stakes) -> list[Fact]:
    """Return facts about the losses, and then about what the battle changed in the war.

    The losses are in the numbers of the campaign if these are known, exactly or roughly.
    """
    is_restored = bool(stakes.losses) and not any(stakes.losses) and any(map(Fraction, report.losses))
    return [
        *([] if is_restored else facts_about_losses(vocabulary, report, stakes)),
        *unit_facts(vocabulary, stakes.units),
        *stakes.consequences,
    ]


def facts_about_losses(vocabulary: Language, report: Report, stakes: Stakes) -> list[Fact]:
    """Return the fact about the losses of all sides, or [] if they are too small for a sentence."""
    before, after = stakes.rough_strengths, stakes.rough_strengths_left
    if len(before) == len(after) == 2 and all(before):
        return rough_losses(before, after, report.winners)
    return losses_fact(
        vocabulary,
        stakes.losses or report.losses,
        report.winners,
        stakes.casualties,
        is_brief=bool(stakes.losses),
    )


def tell_plainly(teller: Teller, report: Report, stakes: Stakes) -> None:
    """Write a story without episodes, because the rule set has no facts, or the language no phrases for them.

    The story has what is at stake, the result and the losses.
    """
    tell_opening(teller, report, stakes)
    reason = reason_in(teller.words.code, report)
    everyone = [Name(seat) for seat in range(len(report.names))]
    fields: dict[str, FactValue] = {
        "sides": [Name(seat) for seat in report.winners] or everyone,
        "reason": reason,
    }
    teller.tell(Fact("plain_won" if report.winners else "plain_drawn", fields))
    for fact in cost_facts(teller.words, report, stakes):
        teller.tell(fact)

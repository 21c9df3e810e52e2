"""The headline and the lead (the first paragraph) of a report.

The lead has three sentences: gains and losses, the present state, and the next battle or what is open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.ledger import MOVEMENT, NOTE, TURNS
from cardbattle.campaign.phases.standoffs import standoffs
from cardbattle.campaign.state.changes import is_table
from cardbattle.campaign.state.standings import standings
from cardbattle.campaign.visibility.edited_battles import with_later_sides
from cardbattle.core.grammar import Noun, capital, choose_form, is_plural, mid_sentence, together, with_verb
from cardbattle.core.names import clean, listed, one_line
from cardbattle.show.pages.campaign.forces import number_word
from cardbattle.show.pages.campaign.league import league_before, league_of_reader
from cardbattle.show.pages.campaign.reports.battle_results import ResultSentence
from cardbattle.show.pages.campaign.reports.chronicle import OMITTED_KINDS, event_sentences, title_of_turn
from cardbattle.show.pages.campaign.reports.league_news import league_gains, league_state
from cardbattle.show.pages.campaign.reports.value_sentences import increase, leader_of, short_name
from cardbattle.show.stories.battle_context import MOST_LISTED
from cardbattle.show.stories.known_past import KnownPast

if TYPE_CHECKING:
    from cardbattle.campaign.league.league_table import League
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn

CERTAIN, CLEAR, SLIGHT = 0.9, 0.75, 0.58  # minimum chances for the words about a favourite of two sides
FAVOURED = 0.08  # minimum lead in chances of a favourite of three or more sides
NOTHING_PENDING = "No further battle is in sight"
WAR_IS_OVER = "The war is over"
UNDECIDED = "No further battle is pending"  # although hostile forces are in one place
STREAK = 2  # smallest number of battles in a row that a report mentions
LONGEST_HEADLINE = 90  # characters
SENTENCE_END = re.compile(r"(?<=\w\w\w[.!?]) ")  # not after "St." or "6."
AFTER = "After turn {}"  # the heading of notes in a turn that has only begun
NO_NEWS = ("turn", "note", "weather", *OMITTED_KINDS)  # kinds of entries that make no headline


class ReportSpan(NamedTuple):
    """The turns of a report, the later turns, and the present campaign.

    Attributes:
        today: the present campaign, as the reader may know it.
        turns: the turns of the report, at least one, from the earliest to the latest.
        later: the turns after those of the report.

    """

    today: VisibleCampaign
    turns: Sequence[VisibleTurn]
    later: Sequence[VisibleTurn]

    @property
    def campaign(self) -> Campaign:
        """The present campaign, from which a report takes the names."""
        return self.today.campaign

    @property
    def end(self) -> VisibleCampaign:
        """The campaign at the end of the last turn of the report."""
        return self.turns[-1].visible

    @property
    def entries(self) -> list[Entry]:
        """The ledger entries of these turns, the earliest first, without the set-up of the campaign.

        Undos and redos are left out: the entries that they make valid are here themselves.
        """
        setup = self.today.setup_revisions
        return [
            entry
            for turn in self.turns
            for entry in turn.entries
            if entry.revision not in setup and entry.kind not in TURNS
        ]

    @property
    def is_current(self) -> bool:
        """True if later turns have only changed which battles are pending."""
        later = (entry for turn in self.later for entry in turn.entries)
        return all(entry.kind in ("turn", *TURNS) or is_about_pending(entry) for entry in later)

    @property
    def league(self) -> League | None:
        """The league at the end of these turns, or None if the campaign has none."""
        league = league_of_reader(self.today)
        later = [entry.revision for turn in self.later for entry in turn.entries if entry.revision]
        if league is None or self.is_current or not later:
            return league
        return league_before(self.today, league, min(later))

    @property
    def is_league_alone(self) -> bool:
        """True if no force moves on the map, and all battles with a result are matches of the league."""
        matches = {match.battle for drawn in self.campaign.round for match in drawn.matches}
        if self.league is None or self.campaign.movement is not None:
            return False
        return {*self.today.ledger.revision_by_battle} <= matches

    @property
    def by_turn(self) -> list[ReportSpan]:
        """One span for each turn of the report, from the earliest to the latest."""
        return [
            self._replace(turns=[turn], later=[*self.turns[n:], *self.later])
            for n, turn in enumerate(self.turns, 1)
        ]

    @property
    def is_idle(self) -> bool:
        """True if the last turn of the report has only begun: nothing but notes and settings followed.

        After the end of the war, the umpire can also have given points.
        """
        kinds = {entry.kind for entry in self.turns[-1].entries}
        quiet = {*NO_NEWS, *TURNS, "set", *(["adjust"] if self.has_ended else [])}
        return not self.later and kinds <= quiet

    @property
    def has_ended(self) -> bool:
        """True if the war is over at the end of the report."""
        return self.is_current and (self.campaign.is_over or bool(end_of_war(self)))

    @property
    def title(self) -> str:
        """The title of the turns, such as `Turn 3: 15 to 21 July 1403` or `Turns 2 to 4`.

        After earlier turns, a turn that has only begun does not count.
        """
        first, last = self.turns[0], self.turns[-2 if self.is_idle and len(self.turns) > 1 else -1]
        if first.number == last.number:
            return title_of_turn(first)
        return f"Turns {first.number} to {last.number}"

    @property
    def moment(self) -> str:
        """The name of the last turn of the report, such as `turn 3`."""
        return f"turn {self.turns[-1].number}"

    def is_battle(self, entry: Entry) -> bool:
        """Return True if an entry is the result of a battle that is still valid."""
        return (
            entry.result is not None and self.today.ledger.revision_by_battle.get(entry.id) == entry.revision
        )

    @property
    def battles(self) -> list[Entry]:
        """The entries with the results of battles in these turns that are still valid."""
        return [entry for entry in self.entries if self.is_battle(entry)]

    @property
    def next_battle(self) -> Entry | None:
        """The first entry after these turns with the result of a battle that is still valid."""
        later = (entry for turn in self.later for entry in turn.entries)
        return next(filter(self.is_battle, later), None)


def is_about_pending(entry: Entry) -> bool:
    """Return True if an entry only adds, changes or removes pending battles."""
    return entry.result is None and all(change.key[0] == "pending" for change in entry.changes)


class Gain(NamedTuple):
    """The gains and losses of a faction in some turns: points, and the keys of places."""

    faction: str
    points: int
    taken: list[str]
    lost: list[str]


def headline(span: ReportSpan) -> str:
    """Return a clause about the most important event of the turns, for use as a headline."""
    return "".join(headline_parts(span))


def headline_parts(span: ReportSpan) -> list[str]:
    """Return the parts of the headline, so that each part can be translated.

    The headline of several turns is the note with which the umpire ended the war. Without such a note, and in
    a turn without a battle, it says who took the most valuable places and still has them, if anyone does.
    """
    if len(span.turns) > 1 and (ending := end_of_war(span)):
        return [ending]
    best = top_battle(span)
    captures = list(capture_clauses(span)) if len(span.turns) > 1 or best is None else []
    if captures:
        both = separated([capital(captures[0]), *captures[1:2]], "; ")
        return both if len("".join(both)) <= LONGEST_HEADLINE else both[:1]
    if best is not None:
        return [clean(capital(outcome_of(span.today.campaign_after(best), best)))]
    for entry in (with_later_sides(span.today, recorded) for recorded in span.entries):
        if entry.kind not in NO_NEWS:
            for sentence in event_sentences(span.today, entry)[:1]:
                if len(sentence) <= LONGEST_HEADLINE and ". " not in sentence:
                    return [clean(sentence).removesuffix(".")]
    return ["A quiet turn" if len(span.turns) == 1 else "Quiet turns"]


def end_of_war(span: ReportSpan) -> str:
    """Return the first sentences of the umpire's last note if the war is over, or "".

    A war is over if forces have moved, but the umpire has turned the movement off, no battle is pending, and
    the note follows the last battle.
    """
    has_stopped = span.campaign.movement is None and MOVEMENT in span.today.ledger.heads.kinds
    if not has_stopped or span.campaign.pending or not span.is_current:
        return ""
    last_battle = max((entry.revision for entry in span.battles), default=0)
    notes = [entry.text for entry in span.entries if is_for_all(entry) and entry.revision > last_battle]
    sentences = SENTENCE_END.split(clean(one_line(notes[-1]))) if notes else []
    beginnings = [" ".join(sentences[:count]).removesuffix(".") for count in range(len(sentences), 0, -1)]
    return next((text for text in beginnings if len(text) <= LONGEST_HEADLINE), "")


def is_for_all(entry: Entry) -> bool:
    """Return True for a note that all players may read."""
    return entry.kind == NOTE and not entry.id


def capture_clauses(span: ReportSpan) -> Iterator[str]:
    """Yield a clause about the places that each faction took and still has, the most valuable first."""
    campaign = span.campaign

    def value(gain: Gain) -> int:
        return sum(campaign.locations[key].value + 1 for key in gain.taken if key in campaign.locations)

    for gain in sorted(gains_of(span.entries), key=value, reverse=True):
        if gain.taken:
            places = [short_name(campaign, "locations", key) for key in gain.taken]
            taken = listed(places) if len(places) <= MOST_LISTED else number_of(len(places), "place")
            yield f"{with_verb(short_name(campaign, 'factions', gain.faction), 'takes|take')} {taken}"


def top_battle(span: ReportSpan) -> Entry | None:
    """Return the most important battle of the turns, or None if there was no battle.

    Of equally important battles of several turns, the latest counts.
    """
    battles = span.battles if len(span.turns) == 1 else span.battles[::-1]
    return max(battles, key=lambda entry: importance(span.campaign, entry), default=None)


def outcome_of(campaign: Campaign, entry: Entry) -> str:
    """Return a clause that says who won or declined a battle."""
    battle = ResultSentence(campaign, entry)
    return battle.declined() if entry.kind == "declined" else battle.outcome()


def importance(campaign: Campaign, entry: Entry) -> tuple[int, int, int]:
    """Return the importance of a battle as a sort key.

    The key consists of the value of the captured place, the number of destroyed forces, and the losses.
    """
    captured = [
        campaign.locations[change.key[1]].value + 1
        for change in entry.changes
        if change.key[0] == "locations" and change.key[-1] == "owner" and change.key[1] in campaign.locations
    ]
    destroyed = [change for change in entry.changes if change.key[-1] == "destroyed" and change.after]
    losses = [side.losses for side in entry.result.sides.values()] if entry.result else []
    return sum(captured), len(destroyed), int(100 * max(losses, default=0))


def lead(span: ReportSpan, advice: Mapping[str, Advice], voice: str = "") -> list[list[str]]:
    """Return three sentences about the gains and losses, the present state, and the next battle.

    `advice` maps the ids of pending battles to their odds. `voice` is the faction that says "we", or "". Each
    sentence is a list of parts to be joined, so that each part can be translated.
    """
    writer = LeadWriter(span, advice, voice)
    return [parts for parts in (writer.gains(), writer.states(), writer.outlook()) if parts]


class Streak(NamedTuple):
    """How many battles in a row a force won or lost, and the forces that fought all of them on its side."""

    forces: Sequence[str]
    length: int
    has_won: bool


class LeadWriter:
    """Writes the sentences of a lead. `voice` is the faction that says "we", or ""."""

    def __init__(self, span: ReportSpan, advice: Mapping[str, Advice], voice: str) -> None:
        self.span = span
        self.campaign = span.campaign
        self.advice = advice
        self.voice = voice

    def name(self, faction: str) -> Noun:
        """Return a faction's name for use inside a sentence. The speaking faction is "we"."""
        if faction == self.voice:
            return Noun("we", plural=True)
        return short_name(self.campaign, "factions", faction)

    def place(self, key: str) -> str:
        """Return the name of a place for use inside a sentence."""
        return short_name(self.campaign, "locations", key)

    def gains(self) -> list[str]:
        """Return the parts of the sentence about all gains and losses. The leaders are the last part."""
        gains = sorted(
            gains_of(self.span.entries),
            key=lambda gain: (gain.faction != self.voice, -gain.points, -len(gain.taken)),
        )
        clauses = []
        if self.span.is_league_alone:
            clauses = self.league_gains()
            gains = [gain._replace(points=0) for gain in gains]
        clauses += [clause for gain in gains if (clause := self.gain_clause(gain))]
        if not clauses and self.span.battles:
            has_points = any(row.points for row in standings(self.span.end.campaign))
            clauses = ["no faction gained a point or a place" if has_points else "no place changed hands"]
        if not clauses:
            return ["No battle was fought, and no place changed hands."]
        clauses += [*self.without_places(), *self.lost_leaders()]
        return [*separated([capital(clauses[0]), *clauses[1:]], "; "), "."]

    def gain_clause(self, gain: Gain) -> str:
        """Describe the gains and losses of one faction, or return "" if it has none."""
        parts = []
        if gain.points:
            parts.append(f"{'gained' if gain.points > 0 else 'lost'} {number_of(abs(gain.points), 'point')}")
        if gain.taken:
            parts.append(f"took {listed(map(self.place, gain.taken))}")
        if gain.lost:
            parts.append(f"lost {listed(map(self.place, gain.lost))}")
        return f"{self.name(gain.faction)} {listed(parts)}" if parts else ""

    def league_gains(self) -> list[str]:
        """Return clauses about the points and victories of these turns in the league."""
        league = self.span.league
        revisions = [entry.revision for entry in self.span.entries]
        if league is None or not revisions:
            return []
        return list(league_gains(league_before(self.span.today, league, min(revisions)), league))

    def states(self) -> list[str]:
        """Return the parts of the text about the present state: of the league, and of the campaign.

        The campaign's points are left out if all its battles are matches of the league.
        """
        league = self.span.league
        text = league_state(league, is_past=not self.span.is_current) if league else ""
        if not text:
            return [clean(self.state())]
        when = "" if self.span.is_current else f"at the end of {self.span.moment}, "
        parts = [clean(capital(f"{when}{text}."))]
        if not self.span.is_league_alone and (scores := self.scores())[1]:
            parts += [" ", clean(f"In the campaign, {self.leading(*scores)}.")]
        return parts

    def scores(self) -> tuple[dict[str, int], str]:
        """Return the points of the factions, or their places if no faction has points, and the unit.

        The unit is "" if no faction has either.
        """
        rows = standings(self.span.end.campaign)
        if any(row.points for row in rows):
            return {row.key: row.points for row in rows}, "point"
        return {row.key: row.locations for row in rows}, "place" if any(row.locations for row in rows) else ""

    def state(self) -> str:
        """Say which faction leads by points. If no faction has points, say which leads by places."""
        scores, unit = self.scores()
        if not unit:
            return "No faction has a point yet." if self.span.is_current else "No faction had a point yet."
        sentence = self.leading(scores, unit)
        when = "" if self.span.is_current else f"at the end of {self.span.moment}, "
        return capital(f"{when}{sentence}.")

    def leading(self, scores: Mapping[str, int], unit: str) -> str:
        """Say which faction is ahead, and by how many units. The faction that speaks is "we"."""
        best = max(scores.values())
        first = [key for key, score in scores.items() if score == best]
        others = [score for score in scores.values() if score < best]
        amount = number_of(best, unit)
        if self.voice in scores and scores[self.voice] < best:
            mine = scores[self.voice]
            behind = f"{number_of(best - mine)} behind {together(map(self.name, first))}"
            return f"we {self.verb('have', 'had')} {number_of(mine, unit)}, {behind}"
        if len(first) > 1:
            level = together(map(self.name, sorted(first, key=lambda key: key != self.voice)))
            return f"{level} {self.verb('are', 'were')} level on {amount}"
        leader = self.name(first[0])
        verb = self.verb(choose_form("leads|lead", is_plural(leader)), "led")
        if not others:
            return f"{leader} {verb} with {amount}"
        second = [key for key, score in scores.items() if score == max(others)]
        ahead = f"{number_of(best - max(others))} ahead of {together(map(self.name, second))}"
        return f"{leader} {verb} with {amount}, {ahead}"

    def verb(self, present: str, past: str) -> str:
        return present if self.span.is_current and not self.span.has_ended else past

    def outlook(self) -> list[str]:
        """Return the parts of the sentence about the next battle and its odds.

        A report of a past turn has no such sentence if no battle was fought since, and none is pending.
        """
        if self.span.next_battle is not None:
            return [clean(self.past_battle(self.span.next_battle))]
        pending = self.campaign.pending
        if not pending and not self.span.is_current:
            return []
        if not pending and self.campaign.is_over:
            return [WAR_IS_OVER, "."]
        if not pending:
            is_quiet = not any(standoffs(self.campaign))
            first, *more = self.unsettled() or [NOTHING_PENDING if is_quiet else UNDECIDED]
            return [*separated([capital(first), *more], "; "), "."]
        battle = max(pending, key=self.interest)
        others = [other for other in pending if other is not battle]
        parts = [words for words in [self.odds(battle), self.others_pending(others)] if words]
        meeting = f"Next, {clean(self.meeting(battle))}"
        return [meeting, *(["; "] if parts else []), *separated(parts, " and "), "."]

    def unsettled(self) -> list[str]:
        """Return at most two clauses about what the battles of these turns leave open, for the next turn.

        They are about forces that won or lost several battles in a row, and places that changed hands several
        times.
        """
        past = KnownPast(self.span.end)
        streaks = sorted(self.streaks(past), key=lambda streak: -streak.length)
        clauses = [self.streak_clause(streak) for streak in streaks[:1]]
        return [*clauses, *self.contested(past)][:2]

    def without_places(self) -> Iterator[str]:
        """Yield a clause about each faction that lost its last place in these turns."""
        held = {place.owner for place in self.span.end.campaign.locations.values()}
        losers = {str(change.before) for change in self.captures()}
        for faction in sorted((losers - held) & {*self.campaign.factions}):
            yield f"{with_verb(self.name(faction), 'was|were')} left without a place"

    def lost_leaders(self) -> Iterator[str]:
        """Yield a clause about the leaders who fell or were captured in these turns and have not come back.

        The prisoners of a faction share a clause.
        """
        lost: dict[str, list[str]] = {}
        changes = {change.key: change for entry in self.span.entries for change in entry.changes}
        for key, change in changes.items():
            if not change.after or key[0] != "forces" or key[-1] not in ("fallen", "prisoner_of"):
                continue
            end = "fell|fell"
            if key[-1] != "fallen":
                captor = "us" if change.after == self.voice else self.name(str(change.after))
                end = f"was taken prisoner by {captor}|were taken prisoner by {captor}"
            lost.setdefault(end, []).append(leader_of(self.span.end.campaign, key[1]))
        for end, leaders in lost.items():
            yield f"{together(leaders)} {choose_form(end, len(leaders) > 1)}"

    def captures(self) -> list[Change]:
        """Return the changes by which battles of these turns took a place from a faction."""
        changes = (change for entry in self.span.battles for change in entry.changes)
        owners = [change for change in changes if (change.key[0], change.key[-1]) == ("locations", "owner")]
        return [change for change in owners if change.before]

    def streaks(self, past: KnownPast) -> Iterator[Streak]:
        """Yield how many battles in a row each force that fought in these turns has won or lost."""
        fought = {force for entry in self.span.battles for fight in past.of(entry) for force in fight.forces}
        forces = self.campaign.forces
        for force in sorted(key for key in fought & {*forces} if not forces[key].destroyed):
            fights = past.fights[force]
            results = [fight.has_won(force) for fight in fights]
            has_won, same = next(groupby(reversed(results)))
            length = len(list(same))
            if length >= STREAK and has_won is not None:
                sides = [side for fight in fights[-length:] for side in fight.sides if force in side]
                allies = [ally for ally in sides[-1] if all(ally in side for side in sides)]
                yield Streak(allies if len(allies) <= MOST_LISTED else [force], length, has_won)

    def streak_clause(self, streak: Streak) -> str:
        name = together(short_name(self.campaign, "forces", force) for force in streak.forces)
        end = "won" if streak.has_won else "lost"
        return f"{with_verb(name, f'has {end}|have {end}')} {number_of(streak.length, 'battle')} in a row"

    def contested(self, past: KnownPast) -> Iterator[str]:
        """Yield clauses about the places that changed hands in these turns, and not for the first time.

        Places that changed hands equally often share a clause. The largest number is first.
        """
        places = dict.fromkeys(change.key[1] for change in self.captures())
        counts = {place: past.changes_of_owner(place) for place in places}
        for count in sorted({*counts.values()} - {0, 1}, reverse=True):
            names = together([self.place(place) for place in places if counts[place] == count])
            yield f"{with_verb(names, 'has changed|have changed')} hands {times(count)}"

    def interest(self, battle: Pending) -> tuple[bool, int]:
        """Return the importance of a pending battle as a sort key.

        The key says whether the speaking faction fights in the battle, and how much is at stake.
        """
        forces = [self.campaign.forces.get(key) for side in battle.sides for key in side]
        is_own = any(force is not None and force.faction == self.voice for force in forces)
        place = self.campaign.locations.get(battle.stakes or "")
        return is_own, place.value if place else 0

    def past_battle(self, entry: Entry) -> str:
        """Describe the sides of the next battle in the past tense, because it was fought in a later turn."""
        battle = ResultSentence(self.span.today.campaign_after(entry), entry)
        names = list(battle.names.values())
        place = f" for {battle.place}" if battle.place else ""
        if len(names) == 2:
            return f"Then {names[0]} met {names[1]}{place}."
        return f"Then {together(names)} fought{place}."

    def meeting(self, battle: Pending) -> str:
        """Describe the sides and the stakes of a pending battle."""
        names = self.side_names(battle)
        place = f" for {self.place(battle.stakes)}" if battle.stakes else ""
        if not place and battle.place:
            place = f" at {self.place(battle.place)}"
        if len(names) == 2:
            return f"{with_verb(names[0], 'meets|meet')} {names[1]}{place}"
        return f"{with_verb(together(names), 'fights|fight')}{place}"

    def side_names(self, battle: Pending) -> list[Noun]:
        return [mid_sentence(self.campaign.side_name(side, battle)) for side in battle.sides]

    def others_pending(self, others: Sequence[Pending]) -> str:
        """Describe the only other pending battle, or say how many more are pending. Return "" for none."""
        if len(others) == 1:
            return self.meeting(others[0])
        return f"{number_of(len(others), 'more battle')} are pending" if others else ""

    def odds(self, battle: Pending) -> str:
        """Describe the odds of a battle, or return "" if the reader does not know them."""
        advice = self.advice.get(battle.id)
        if advice is None or advice.why:
            return ""
        shares = {share.side: share.share for share in advice.sides}
        names = zip(battle.keys, self.side_names(battle), strict=True)
        return odds_words([(name, shares.get(key, 0.0)) for key, name in names])


def separated(parts: Sequence[str], separator: str) -> list[str]:
    """Return the parts with a separator between any two of them.

    >>> separated(["a", "b"], "; ")
    ['a', '; ', 'b']
    """
    return [text for part in parts for text in (separator, clean(part))][1:]


def odds_words(chances: Sequence[tuple[Noun, float]]) -> str:
    """Describe how likely the sides of a battle are to win.

    >>> odds_words([(Noun("Henry"), 0.2), (Noun("the archers"), 0.8)])
    'the archers are the clear favourites'
    """
    order = sorted(chances, key=lambda pair: -pair[1])
    best, chance = order[0]
    if len(order) > 2:
        if chance - order[1][1] < FAVOURED:
            return "the odds are open"
        return f"{with_verb(best, 'has|have')} the best chances"
    if chance >= CERTAIN:
        return f"{with_verb(best, 'is|are')} almost certain to win"
    if chance >= CLEAR:
        return with_verb(best, "is the clear favourite|are the clear favourites")
    if chance >= SLIGHT:
        return with_verb(best, "is the slight favourite|are the slight favourites")
    return "the odds are even"


def gains_of(entries: Sequence[Entry]) -> Iterator[Gain]:
    """Yield the gains and losses of each faction in these entries.

    The faction that changed first is first.
    """
    points: dict[str, int] = {}
    owners: dict[str, tuple[str, str]] = {}
    for entry in entries:
        new = {change.key for change in entry.changes if is_table(change.key)}
        for change in entry.changes:
            if change.key[:2] in new or len(change.key) != 3:
                continue
            table, key, word = change.key
            if (table, word) == ("factions", "points"):
                points[key] = points.get(key, 0) + increase(change)
            elif (table, word) == ("locations", "owner"):
                first = owners.get(key, (str(change.before or ""), ""))[0]
                owners[key] = (first, str(change.after or ""))
    moved = {key: pair for key, pair in owners.items() if pair[0] != pair[1]}
    takers, losers = ([pair[end] for pair in moved.values()] for end in (1, 0))
    factions = dict.fromkeys([*points, *takers, *losers])
    for faction in filter(None, factions):
        yield Gain(
            faction,
            points.get(faction, 0),
            [key for key, (_, after) in moved.items() if after == faction],
            [key for key, (before, after) in moved.items() if before == faction and not after],
        )


def times(count: int) -> str:
    """Say how many times something happened.

    >>> times(1), times(2), times(3)
    ('once', 'twice', 'three times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{number_of(count)} times")


def number_of(count: int, noun: str = "") -> str:
    """Format a number with a noun that agrees with it. Numbers from 0 to 12 are written as words.

    >>> number_of(1, "point"), number_of(12, "point"), number_of(13), number_of(-1, "point")
    ('one point', 'twelve points', '13', '-1 points')
    """
    number = number_word(count)
    return f"{number} {noun}{'' if count == 1 else 's'}" if noun else number

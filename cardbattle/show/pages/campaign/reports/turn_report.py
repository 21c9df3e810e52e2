"""The report of one or more turns.

It has a headline, a lead, the umpire's text, the stories of battles, other events, and tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.history import is_played_again, late_corrections
from cardbattle.campaign.state.changes import is_battle, is_strength
from cardbattle.campaign.visibility.edited_battles import with_later_sides
from cardbattle.campaign.visibility.reader import fighting_sides
from cardbattle.core.grammar import capital, choose_form, mid_sentence, together, with_verb
from cardbattle.core.names import clean
from cardbattle.show.document import FAINT, Document, Item, Items, Paragraph, Section, Table, Title
from cardbattle.show.pages.campaign.between import between_blocks, cut_off_sentences, substitute_of_past_turn
from cardbattle.show.pages.campaign.dashboard import pending_items
from cardbattle.show.pages.campaign.forces import unit_items
from cardbattle.show.pages.campaign.league import league_json, league_parts
from cardbattle.show.pages.campaign.report import (
    forces_table,
    owners_table,
    pending_words,
    without_unknown_columns,
)
from cardbattle.show.pages.campaign.reports.battle_results import ResultSentence, battle_sentences
from cardbattle.show.pages.campaign.reports.chronicle import (
    END_UNDONE,
    OMITTED_KINDS,
    correction_sentences,
    event_sentences,
    with_reason,
)
from cardbattle.show.pages.campaign.reports.lead import AFTER, ReportSpan, headline_parts, lead, outcome_of
from cardbattle.show.pages.campaign.reports.open_questions import open_questions
from cardbattle.show.pages.campaign.reports.value_sentences import increase, short_name
from cardbattle.show.pages.campaign.standings import notice_blocks, standings_rows, standings_table, subjects
from cardbattle.show.report_styles import DISPATCH, NEWSPAPER, PLAIN
from cardbattle.show.stories.battle_context import road_of, umpires_note
from cardbattle.show.stories.known_past import KnownPast

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.grammar import Noun
    from cardbattle.show.document import Content
    from cardbattle.simulation.turning_points import TurningPoint


OPEN, TURNING = "What is open", "Turning points"  # the stories of the other styles have the turning points
NO_FIGHT = "It came to no fight, and neither side lost anything."


class BattleNews(NamedTuple):
    """What a report adds to the result of a battle: its story and its turning points.

    `absences` are sentences about commanders that answered for the reader's own player.
    """

    story: str = ""
    turning_points: Sequence[TurningPoint] = ()
    absences: Sequence[str] = ()


class ReportSections(NamedTuple):
    """The section headings of a report style."""

    words: str
    events: str
    forces: str
    pending: str


NUMBERED = (
    "The", "The second", "The third", "The fourth", "The fifth", "The sixth", "The seventh", "The eighth",
)  # battles for a place  # fmt: skip
SECTIONS: Mapping[str, ReportSections] = {
    NEWSPAPER: ReportSections("From the umpire", "In brief", "Forces", "Battles to come"),
    DISPATCH: ReportSections("Word from the umpire", "Other news", "Our forces", "Battles to come"),
    PLAIN: ReportSections("Notes", "Other events", "Forces", "Pending battles"),
}


def turn_report_page(
    span: ReportSpan, style: str, news: Mapping[int, BattleNews], advice: Mapping[str, Advice]
) -> Document:
    """Show the report of the turns in `span`, for the reader of `span`.

    `style` is one of `STYLES`. The reader of a dispatch must be a faction. `news` maps the revision that
    recorded a battle to its story and turning points. `advice` maps the ids of pending battles to their odds.
    """
    voice = voice_of(span, style)
    sentences = lead(span, advice, voice)
    parts, dateline = heading(span, style)
    title = "".join(parts)
    blocks: list[Content] = [Title(parts)]
    blocks += [Paragraph(dateline, FAINT)] if dateline else []
    blocks += notice_blocks(span.end.campaign)
    over = [each.turns[0].number for each in span.by_turn if not each.is_idle]
    again = [number for number in over[-1:] if is_played_again(span.today.ledger, number)]
    blocks += [Paragraph(END_UNDONE.format(number)) for number in again]
    blocks += corrections(span)
    blocks.append(Paragraph([text for parts in sentences for text in (*parts, " ")][:-1]))
    opened = open_questions(span, voice) if span.is_current else []
    open_blocks: list[Content] = [Section(OPEN), Items([Item("", text) for text in opened])] if opened else []
    earlier = earlier_battles(span.today)
    if len(span.turns) == 1:
        battles = battle_parts(span, style, news, earlier, title)
        blocks += [*battles, *open_blocks, *event_parts(span, style, news)]
    else:
        for turn in span.by_turn:
            title = AFTER.format(turn.turns[0].number - 1) if turn.is_idle else turn.title
            blocks += turn_parts(turn, title, style, news, earlier)
        blocks += open_blocks
    blocks += between_blocks(span.today) if span.is_current else []
    blocks += [
        block for name, part in tables(span, SECTIONS[style], voice) for block in (Section(name), part)
    ]
    table = {
        **report_table(span, news),
        "style": style,
        "headline": title,
        **({"notice": lines} if (lines := span.end.campaign.notice_lines) else {}),
        "lead": ["".join(parts) for parts in sentences],
        "words": umpires_words(span),
        "open": opened,
        "events": other_events(span),
    }
    return Document(title, blocks, table, subjects=subjects(span.campaign))


def corrections(span: ReportSpan) -> Iterator[Paragraph]:
    """Yield a paragraph for each battle that was fought in one turn and corrected in another one.

    It has the new result if the turn of the battle is not in the report.
    """
    numbers = {turn.number for turn in span.turns}
    today = span.today
    for correction in late_corrections(today.ledger, today.entries, today.campaign.turn):
        if numbers & {correction.fought, correction.corrected}:
            yield Paragraph(
                clean(correction_sentences(today, correction, with_result=correction.fought not in numbers))
            )


def turn_parts(
    span: ReportSpan, title: str, style: str, news: Mapping[int, BattleNews], earlier: Mapping[int, int]
) -> Iterator[Content]:
    """Yield what happened in one of several turns, below its title. A quiet turn is left out."""
    parts = [*battle_parts(span, style, news, earlier), *event_parts(span, style, news)]
    if parts:
        yield Section(title)
    for part in parts:
        yield part._replace(is_part=True) if isinstance(part, Section) else part


def battle_parts(
    span: ReportSpan,
    style: str,
    news: Mapping[int, BattleNews],
    earlier: Mapping[int, int],
    headline: str = "",
) -> Iterator[Content]:
    """Yield the umpire's words about the turns, and their battles.

    `earlier` maps the revisions of battles to the numbers of battles that came before for the same place. The
    battle of the `headline` does not repeat it.
    """
    words = umpires_words(span)
    if words:
        yield Section(SECTIONS[style].words)
        yield from (Paragraph(text, is_verbatim=True) for text in words)
    for entry in battles_in_order(span, voice_of(span, style)):
        told = news.get(entry.revision, BattleNews())
        yield from battle_blocks(span, entry, style, told, earlier.get(entry.revision, 0), headline)


def event_parts(span: ReportSpan, style: str, news: Mapping[int, BattleNews]) -> Iterator[Content]:
    """Yield the turning points of the battles, if the style lists them, and the other events of the turns."""
    turning = turning_items(span.today, battles_in_order(span, voice_of(span, style)), news)
    if style == PLAIN and turning.items:
        yield from (Section(TURNING), turning)
    events = other_events(span)
    if events:
        yield from (Section(SECTIONS[style].events), Items([Item("", text) for text in events]))


def voice_of(span: ReportSpan, style: str) -> str:
    """Return the faction that says "we" in a report, or ""."""
    return span.today.reader or "" if style == DISPATCH else ""


def heading(span: ReportSpan, style: str) -> tuple[list[str], str]:
    """Return the parts of the title, and the subtitle of a report. The subtitle can be empty."""
    name = clean(span.end.campaign.name)
    if style == NEWSPAPER:
        return headline_parts(span), f"{name}. {span.title}"
    if style == DISPATCH:
        faction = mid_sentence(span.campaign.faction_name(span.today.reader or ""))
        return [f"Dispatch to the commander of {clean(faction)}"], f"{name}. {span.title}"
    return [f"{name}: {span.title}"], ""


def battles_in_order(span: ReportSpan, voice: str) -> list[Entry]:
    """Return the battles in the order of the ledger. The battles of the speaking faction are first."""
    return sorted(span.battles, key=lambda entry: not fights(span.today.campaign_after(entry), entry, voice))


def fights(campaign: Campaign, entry: Entry, faction: str) -> bool:
    """Return True if a force that fought in the battle belongs to the faction."""
    keys = entry.result.sides if entry.result else ()
    forces = (campaign.forces.get(key) for key in keys)
    return bool(faction) and any(force is not None and force.faction == faction for force in forces)


def earlier_battles(visible: VisibleCampaign) -> dict[int, int]:
    """Return how many battles for the same place or road came before each battle, by its revision."""
    known = KnownPast(visible)
    counts: Counter[str] = Counter()
    earlier = {}
    fights = {fight.revision: fight for fights in known.fights.values() for fight in fights}
    for revision, fight in sorted(fights.items()):
        where = fight.place or road_of(visible.campaign, known.entries[revision])
        earlier[revision] = counts[where]
        counts[where] += 1
    return earlier


def battle_blocks(
    span: ReportSpan, entry: Entry, style: str, news: BattleNews, earlier: int, headline: str
) -> Iterator[Content]:
    """Yield the blocks about a battle: a heading, and the story or the result.

    The heading does not repeat the headline of the report. Without anything else to say, the battle is left
    out.
    """
    campaign = span.today.campaign_after(entry)
    heading = battle_heading(campaign, entry, style, earlier if news.story else None)
    parts = [*battle_paragraphs(span, entry, news, heading)]
    if heading != headline:
        yield Section(heading)
    elif parts:
        yield Section(battle_heading(campaign, entry, style, earlier))
    yield from parts


def battle_paragraphs(span: ReportSpan, entry: Entry, news: BattleNews, heading: str) -> Iterator[Paragraph]:
    """Yield the story of a battle, or what its heading does not say about its result."""
    if news.story:
        yield Paragraph(clean(with_reason(news.story, entry)), is_verbatim=True)
    else:
        texts = [clean(text) for text in event_sentences(span.today, entry)]
        further = [text for text in map(partial(without, heading), texts) if text]
        further += [NO_FIGHT] if entry.kind == "declined" and not further else []
        yield from map(Paragraph, further)
        note = umpires_note(entry, span.today.ledger)
        if note:
            yield Paragraph(note, is_verbatim=True)
    yield from map(Paragraph, own_losses(span, entry))
    yield from map(Paragraph, after_road_battle(span, entry))
    if news.absences:
        yield Paragraph(clean(" ".join(news.absences)), is_verbatim=True)


def own_losses(span: ReportSpan, entry: Entry) -> Iterator[str]:
    """Yield how much strength the reader's own forces lost in a battle, and how much they have left."""
    campaign = span.today.campaign_after(entry)
    for change in filter(lambda each: is_strength(each.key), entry.changes):
        part = campaign.forces.get(change.key[1])
        lost = -increase(change)
        if part is not None and part.faction == span.today.reader and lost > 0 and change.after:
            name = short_name(campaign, "forces", change.key[1])
            left = choose_form("has|have", name.is_plural)
            yield clean(f"{capital(with_verb(name, 'loses|lose'))} {lost}, and {left} {change.after} left.")


def after_road_battle(span: ReportSpan, entry: Entry) -> Iterator[str]:
    """Yield where the forces of a battle on a road are at the end of its turn, as far as the reader sees.

    Forces that came from two places stay there or retreat, and the winners gain no place.
    """
    if not road_of(span.today.campaign_after(entry), entry):
        return
    turn = next(turn for turn in span.turns if entry.revision in {each.revision for each in turn.entries})
    campaign = turn.visible.campaign
    at: dict[str, list[Noun]] = {}
    for key in chain.from_iterable(fighting_sides(entry).values()):
        force = campaign.forces.get(key)
        if force is not None and force.location and not (force.destroyed or force.towards):
            at.setdefault(force.location, []).append(short_name(campaign, "forces", key))
    for place, names in at.items():
        where = short_name(campaign, "locations", place)
        yield clean(f"After the battle, {with_verb(together(names), 'is|are')} at {where}.")


def turning_items(
    visible: VisibleCampaign, battles: Sequence[Entry], news: Mapping[int, BattleNews]
) -> Items:
    """Return a list of the battles with their turning points."""
    told = [(entry, news.get(entry.revision, BattleNews()).turning_points) for entry in battles]
    return Items([
        Item(
            "",
            f"{battle_heading(visible.campaign_after(entry), entry, PLAIN)}: "
            f"{'; '.join(point.moment for point in points)}",
        )
        for entry, points in told if points
    ])  # fmt: skip


def without(heading: str, text: str) -> str:
    """Return a text without a heading that it repeats at its beginning.

    >>> without("York beats Kent", "York beats Kent; York loses half, Kent a third.")
    'York loses half, Kent a third.'
    >>> without("York beats Kent", "York beats Kent, who lose half.")
    'York beats Kent, who lose half.'
    """
    rest = text.removeprefix(heading)
    if rest == ".":
        return ""
    return capital(rest[2:]) if rest != text and rest.startswith(("; ", ". ")) else text


def battle_heading(campaign: Campaign, entry: Entry, style: str, earlier: int | None = None) -> str:
    """Return the heading of a battle: its outcome, or its sides if the style is plain.

    `earlier` is the number of earlier battles for the place of a battle with a story, or None. The heading of
    a story in a newspaper does not give the outcome away.
    """
    battle = ResultSentence(campaign, entry)
    road = road_of(campaign, entry)
    where = f"for {battle.place}" if battle.place else f"on {road}" if road else ""
    if style == NEWSPAPER and earlier is not None and where:
        number = NUMBERED[earlier] if earlier < len(NUMBERED) else "Another"
        return clean(f"{number} battle {where}")
    if style != PLAIN and not (style == NEWSPAPER and earlier is not None):
        return clean(capital(outcome_of(campaign, entry)))
    names = list(battle.names.values())
    place = f", {battle.place}" if battle.place else ""
    who = " against ".join(names) if len(names) == 2 else ", ".join(names)
    return clean(capital(f"{who}{place}"))


def umpires_words(span: ReportSpan) -> list[str]:
    """Return the umpire's notes and texts about events, unchanged, from the earliest to the latest."""
    return [
        clean(sentence)
        for entry in span.entries
        if entry.result is None and is_of_umpire(entry)
        for sentence in event_sentences(span.today, entry)
    ]


def is_of_umpire(entry: Entry) -> bool:
    """Return True if an entry has a text about its own turn that the umpire wrote.

    The text of a weather entry is only a name, and a story belongs to its battle, which can be of another
    turn.
    """
    return entry.kind == "note" or (bool(entry.text) and entry.kind not in ("weather", *OMITTED_KINDS))


def other_events(span: ReportSpan) -> list[str]:
    """Return sentences about the events for which the umpire wrote no text, and about replaced results."""
    ends = {entry.revision: turn.visible for turn in span.turns for entry in turn.entries}
    sentences = [
        clean(sentence)
        for entry in (with_later_sides(span.today, recorded) for recorded in span.entries)
        if not span.is_battle(entry)
        and entry.kind not in OMITTED_KINDS
        and (entry.result is not None or not is_of_umpire(entry))
        for sentence in (*event_sentences(span.today, entry), *cut_off_sentences(ends[entry.revision], entry))
    ]
    for turn in span.turns:
        sentences += map(clean, substitute_of_past_turn(turn.visible, span.today))
    return [sentence for sentence, _ in groupby(sentences)]  # one reason for several values is one event


def tables(span: ReportSpan, sections: ReportSections, voice: str) -> Iterator[tuple[str, Table | Items]]:
    """Yield the tables at the end of a report, each with its heading. Tables without rows are left out."""
    end = span.end
    after = "" if span.is_current else f" at the end of {span.moment}"
    parts: list[tuple[str, Table | Items]] = [
        *league_of_turns(span, after),
        (f"Standings{after}", without_unknown_columns(standings_table(end, {}))),
        *force_tables(end, sections, voice, after),
        (f"Units{after}", unit_items(end.campaign)),
        (f"Places{after}", owners_table(end.campaign)),
    ]
    if span.next_battle is None:
        parts.append((sections.pending, pending_items(span.today, {}, has_ids=span.today.is_whole)))
    for name, part in parts:
        if part.rows if isinstance(part, Table) else part.items:
            yield name, part


def league_of_turns(span: ReportSpan, after: str) -> Iterator[tuple[str, Table | Items]]:
    """Yield the league table at the end of the turns, and the rounds with a battle that they changed.

    The heading of the table ends with the text `after`.
    """
    league = span.league
    if league is None:
        return
    changed = {
        str(change.key[1]) for entry in span.entries for change in entry.changes if is_battle(change.key)
    }
    for name, part in league_parts(span.today, league, changed):
        yield f"{name}{after if isinstance(part, Table) else ''}", part


def force_tables(
    end: VisibleCampaign, sections: ReportSections, voice: str, after: str
) -> list[tuple[str, Table | Items]]:
    """Return one table of all forces, or two tables: the speaking faction's forces, and other forces.

    Each table has a heading, which ends with the text `after`.
    """
    table = forces_table(end)
    if not voice:
        return [(f"{sections.forces}{after}", without_unknown_columns(table))]
    own = [force.faction == voice for force in end.campaign.forces.values()]
    groups = [(sections.forces, True), ("Other forces, as far as we know", False)]
    return [
        (
            f"{name}{after}",
            without_unknown_columns(
                table._replace(
                    rows=[row for row, is_own in zip(table.rows, own, strict=True) if is_own == wanted]
                )
            ),
        )
        for name, wanted in groups
    ]


def report_table(span: ReportSpan, news: Mapping[int, BattleNews]) -> dict[str, object]:
    """Return the JSON output of a report without its text."""
    return {
        "schema": 1,
        "campaign": span.campaign.name,
        "turn": span.campaign.turn,
        "from": span.turns[0].number,
        "to": span.turns[-1].number,
        "battles": [
            battle_table(span.today, entry, news.get(entry.revision, BattleNews())) for entry in span.battles
        ],
        "standings": standings_rows(span.end),
        **(league_json(span.today, league) if (league := span.league) else {}),
        "pending": pending_words(span.today) if span.next_battle is None else [],
    }


def battle_table(visible: VisibleCampaign, entry: Entry, news: BattleNews) -> dict[str, object]:
    """Return a battle of a report for JSON. Its chances are in permille."""
    return {
        "id": entry.id,
        "result": clean(battle_sentences(visible, entry)),
        "story": news.story,
        "turning_points": [
            {
                "step": point.step,
                "words": point.words,
                "side": list(entry.result.sides)[point.side] if entry.result else "",
                "before": point.before,
                "after": point.after,
            }
            for point in news.turning_points
        ],
    }

"""The command `campaign report`, which writes a report for the players, on some turns or all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from cardbattle.campaign.exchange.confirmation import leader_of
from cardbattle.campaign.ledger.history import force_today, record_in, span_today
from cardbattle.campaign.ledger.roster import factions_of_side
from cardbattle.campaign.ledger.timeline import timeline
from cardbattle.campaign.turn.chance_cache import (
    count_for_readers,
    jobs_of_logs,
    known_curves,
    live_digests,
)
from cardbattle.campaign.visibility.reader import PUBLIC, fighting_sides, visible_to
from cardbattle.campaign.visibility.visible_turns import visible_turns
from cardbattle.cli import options
from cardbattle.cli.campaign.shared import ForReader, Where, discreet, read_only, reader_named
from cardbattle.cli.campaign.show import Odds, odds_of_pending
from cardbattle.cli.parameters import option
from cardbattle.cli.run import POSTS, CommandGroup, Printer, option_group
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import capital, mid_sentence, together
from cardbattle.core.names import listed
from cardbattle.core.telling import ENGLISH, counted
from cardbattle.show.battle_text import substitute_sentences
from cardbattle.show.pages.campaign.report import report_page
from cardbattle.show.pages.campaign.reports.lead import ReportSpan
from cardbattle.show.pages.campaign.reports.turn_report import BattleNews, turn_report_page
from cardbattle.show.report_styles import DISPATCH, NEWSPAPER, STYLES
from cardbattle.show.stories.battle_story import stories_of
from cardbattle.show.translation import translated
from cardbattle.simulation.workers import workforce

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.ledger.ledger import Entry, Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.turn.advice import Advice
    from cardbattle.campaign.visibility.reader import RecordView, VisibleCampaign
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.show.document import Document
    from cardbattle.simulation.turning_points import Curve

COMMANDS = CommandGroup()
FORMATS = ("md", "html", "text", "plain", "json", *POSTS)
LAST_COUNTED = 20  # battles whose chances are counted by default


@option_group
class ReportOptions(NamedTuple):
    """The turns that a report covers, and the form of the report."""

    turn: Annotated[int | None, option("--turn N", "Report on this turn.", min=0)] = None
    first: Annotated[
        int | None, option("--from N", "First turn of the report.  [default: the first turn]", min=0)
    ] = None
    last: Annotated[
        int | None, option("--to N", "Last turn of the report.  [default: the last turn]", min=0)
    ] = None
    style: Annotated[
        str,
        option(
            "--style STYLE",
            "newspaper, plain, or dispatch (with --for).  [default: newspaper; for a faction: dispatch]",
        ),
    ] = ""
    chances: Annotated[
        bool | None,
        option(
            "--chances/--no-chances",
            "Simulate all battles in full to find turning points, or none.  [default: the last 20 battles, "
            "and long battles in part]",
        ),
    ] = None
    odds: Odds = None
    lang: options.Lang = ENGLISH
    reader: ForReader = ""
    jobs: options.Jobs = None

    @property
    def is_by_turn(self) -> bool:
        """Whether a report on turns is requested instead of the chronicle."""
        return bool(self.style) or any(number is not None for number in (self.turn, self.first, self.last))


@COMMANDS.command(
    "cardbattle campaign report --turn 3\n"
    "cardbattle campaign report --from 1 --to 3 --style plain -o report.md\n"
    "cardbattle campaign report --turn 3 --for percy\n"
    "cardbattle campaign report -o chronicle.html",
    FORMATS,
)
def report_command(home: Where, to: Printer, wanted: ReportOptions) -> None:
    """Write a report for the players.

    With --turn, --from, --to or --style, the report has a headline, a summary, the story of each battle with
    its turning points, and tables. Without these options, the report has the present state and a chronicle of
    the whole campaign. Without --for, the report contains only what everyone may read.
    """
    with discreet(wanted.reader):
        books, ledger = read_only(home.path)
    plan = plan_report(home.path, books, ledger, wanted)
    [curves] = curves_of(home.path, [plan], to)
    to.show(report_document(plan, curves, odds_of_report(plan, to.quiet)))


class ReportPlan(NamedTuple):
    """A requested report, before the chances in its battles are known.

    `span` has the turns of the report. It is None for the chronicle. `records` has the records of the battles
    by revision, and `commands` has the sentences about who commanded a joint army of the reader.
    """

    wanted: ReportOptions
    visible: VisibleCampaign
    style: str
    span: ReportSpan | None
    records: Mapping[int, Record]
    commands: Mapping[int, str]


def plan_report(at: str, books: CampaignFile, ledger: Ledger, wanted: ReportOptions) -> ReportPlan:
    """Return the plan of the report that the options request. Raises UsageError and InvalidInput."""
    visible = visible_to(books.campaign, ledger, reader_named(books.campaign, wanted.reader, PUBLIC))
    style = style_of(wanted, visible)
    if not wanted.is_by_turn:
        return ReportPlan(wanted, visible, style, None, visible.logs(at), {})
    with discreet(wanted.reader):
        span = span_of(visible, visible_turns(visible, books.campaign), wanted)
    records = dict(records_of(at, span))
    commands = {
        entry.revision: sentence
        for entry in span.battles
        if entry.revision in records
        and (sentence := command_sentence(books.campaign, visible, entry, records[entry.revision]))
    }
    return ReportPlan(wanted, visible, style, span, records, commands)


def command_sentence(campaign: Campaign, visible: VisibleCampaign, entry: Entry, record: Record) -> str:
    """Return a sentence that says whose player commanded the joint army of the reader in a battle, or "".

    `campaign` is the whole present campaign. Only the players of the joint army know who commanded it. If a
    substitute came or left after the battle in the same turn, the end of the turn does not show who it was.
    """
    seats = [force_today(visible.ledger, key, entry.revision) for key in record.setup.seats]
    led = {key for key, side in zip(seats, record.sides, strict=True) if side.commander == HUMAN}
    joint = [side for key, side in fighting_sides(entry).items() if key in led and len(side) > 1]
    if not joint or visible.reader is None:
        return ""
    turn = next(turn for turn in timeline(campaign, visible.ledger) if entry.revision in turn.revisions)
    later = span_today(visible.ledger, entry.revision + 1, max(turn.revisions))
    if any(change.key[0] == "substitutes" for each in later for change in each.changes):
        return ""
    then = turn.campaign
    for side in joint:
        factions = factions_of_side(then, side)
        if len(factions) > 1 and visible.reader in factions:
            names = [mid_sentence(then.faction_name(faction)) for faction in factions]
            leader = then.faction_name(then.forces[leader_of(then, side)].faction)
            return f"{capital(leader)} commanded the joint army of {together(names)}."
    return ""


def report_document(plan: ReportPlan, curves: Mapping[int, Curve], odds: Mapping[str, Advice]) -> Document:
    """Return a report.

    `curves` has the chances in its battles by revision, and `odds` the odds of pending battles by id.
    """
    wanted, visible, span, records = plan.wanted, plan.visible, plan.span, plan.records
    stories = stories_of(visible, records, curves, wanted.lang)
    turning_points = {revision: curve.turning_points for revision, curve in curves.items()}
    if span is None:
        return translated(report_page(visible, turning_points, stories), wanted.lang)
    news = {
        entry.revision: BattleNews(
            stories.get(entry.revision, ""),
            turning_points.get(entry.revision, []),
            [
                *filter(None, [plan.commands.get(entry.revision)]),
                *absences_in(visible.view_of(entry.revision, records[entry.revision])),
            ]
            if entry.revision in records
            else (),
        )
        for entry in span.battles
    }
    return translated(turn_report_page(span, plan.style, news, odds), wanted.lang)


def odds_of_report(
    plan: ReportPlan, quiet: bool = False, known: dict[str, Advice] | None = None
) -> dict[str, Advice]:
    """Return the odds of the pending battles in a report. `known` is as in `advise`."""
    if plan.span is None or plan.span.next_battle is not None:
        return {}
    return odds_of_pending(plan.visible, plan.visible.countable.pending, plan.wanted.odds, quiet, known)


def absences_in(view: RecordView) -> list[str]:
    """Return sentences about commanders that answered for players whose forces the reader commands."""
    return [
        sentence
        for key, side in zip(view.record.setup.seats, view.record.sides, strict=True)
        if key in view.led
        for sentence in substitute_sentences(side, side.name)
    ]


def style_of(wanted: ReportOptions, visible: VisibleCampaign) -> str:
    """Return the style of a report. Raises UsageError if the style is unknown."""
    is_faction = visible.reader in visible.campaign.factions
    style = options.one_of(wanted.style, list(STYLES), "--style") if wanted.style else ""
    if style == DISPATCH and not visible.campaign.factions:
        raise UsageError("--style dispatch is for one faction, and this campaign has none; leave it out")
    if style == DISPATCH and not is_faction:
        raise UsageError(f"--style dispatch needs --for {listed(visible.campaign.factions, 'or')}")
    return style or (DISPATCH if is_faction else NEWSPAPER)


def span_of(visible: VisibleCampaign, turns: list[VisibleTurn], wanted: ReportOptions) -> ReportSpan:
    """Return the turns that the options select.

    Raises UsageError if the options are not valid, and InvalidInput if the campaign does not have these
    turns.
    """
    if wanted.turn is not None and (wanted.first is not None or wanted.last is not None):
        raise UsageError("--turn names one turn; leave out --turn, or leave out --from and --to")
    numbers = [turn.number for turn in turns]
    first, last = (
        (wanted.turn, wanted.turn)
        if wanted.turn is not None
        else (
            numbers[0] if wanted.first is None else wanted.first,
            numbers[-1] if wanted.last is None else wanted.last,
        )
    )
    if first > last:
        raise UsageError(f"--from {first} is after --to {last}")
    chosen = [turn for turn in turns if first <= turn.number <= last]
    if not chosen or first > numbers[-1] or last > numbers[-1]:
        raise InvalidInput(
            f"turn {last if last > numbers[-1] else first}: the campaign has turns "
            f"{numbers[0]} to {numbers[-1]}"
        )
    return ReportSpan(visible, chosen, [turn for turn in turns if turn.number > last])


def records_of(folder: str, span: ReportSpan) -> Iterator[tuple[int, Record]]:
    """Yield a pair (revision, record) for each battle in these turns that has a readable record."""
    for entry in span.battles:
        name = span.today.ledger.heads[entry.revision - 1].record
        record = record_in(folder, name) if name else None
        if record is not None:
            yield entry.revision, record


def curves_of(at: str, plans: Sequence[ReportPlan], to: Printer) -> list[dict[int, Curve]]:
    """Return a dict for each report, from the revisions of its battles to Curves, which have the chances.

    All reports have the same options, except their reader. With --no-chances, the dicts are empty. The
    chronicle without --chances has only saved Curves. Otherwise missing Curves are simulated: all of them
    with --chances, or those of the last 20 battles of each report.
    """
    wanted = plans[0].wanted
    if wanted.chances is False:
        return [{} for _ in plans]
    jobs_of_reports = [jobs_of_logs(plan.visible, at, plan.records, bool(wanted.chances)) for plan in plans]
    if wanted.chances is None and not wanted.is_by_turn:
        return [known_curves(at, jobs) for jobs in jobs_of_reports]
    most = None if wanted.chances else LAST_COUNTED
    announce = to.announcer("; --no-chances leaves the chances out")
    live = live_digests(plans[0].visible.ledger)
    with workforce(wanted.jobs) as (hands, workers), to.progress("simulations", announce) as tick:
        counts = count_for_readers(at, jobs_of_reports, hands, workers, tick, most, live)
    for jobs, results in zip(jobs_of_reports, counts, strict=True):
        if len(results) < len(jobs):
            to.message(
                f"{counted(len(jobs) - len(results), 'battle')} without chances; "
                "to calculate these, add --chances"
            )
    return [
        {revision: result.curve for revision, result in results.items() if result is not None}
        for results in counts
    ]

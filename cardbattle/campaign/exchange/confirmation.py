"""Results that both sides of a battle confirm: read their reports, compare them, record the agreed result.

The functions are pure, like those of `operations`. A report stays in campaign.toml until the battle has a
result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, after, plan_import
from cardbattle.campaign.ledger.roster import Roster, SideNames, key_of
from cardbattle.campaign.state.apply import Result, SideResult, not_pending
from cardbattle.campaign.state.battle_result import BattleResult, result_digest, result_text
from cardbattle.campaign.state.changes import Change, value_at
from cardbattle.campaign.state.losses import read_losses
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.deadlines import BOTH, ReportedResult
from cardbattle.core.errors import InvalidInput
from cardbattle.core.names import listed, quoted

KIND = "report"  # kind of the ledger entries
ADDRESS = re.compile(r"[^\w]*([a-z0-9][a-z0-9_-]*)/([a-z0-9][a-z0-9_-]*)\s*:\s*(.*)", re.IGNORECASE)
DRAW = ("draw", "drawn", "a draw", "no winner")
EXAMPLE = "mill/birch: birch won, birch lost 1/4, lunsford lost 1/2"


class ReportLine(NamedTuple):
    """A player's report: the battle, the side that sent it, and its text."""

    battle: str
    side: str
    words: str


def report_lines(text: str) -> Iterator[ReportLine]:
    """Yield the lines of a text that report results; greetings and other lines are ignored.

    >>> list(report_lines("> mill/birch: a draw, birch lost 1/4"))
    [ReportLine(battle='mill', side='birch', words='a draw, birch lost 1/4')]
    """
    for line in text.splitlines():
        match = ADDRESS.fullmatch(line.strip())
        if match:
            yield ReportLine(match[1].lower(), match[2].lower(), match[3].strip())


def read_report(campaign: Campaign, ledger: Ledger, line: ReportLine) -> ReportedResult:
    """Return the result that a side reports. Raises InvalidInput, which shows the form of a report."""
    battle = campaign.battle(line.battle)
    if battle is None:
        raise InvalidInput(not_pending(campaign, line.battle))
    sides = Roster(campaign, ledger).side_names(battle.sides, battle)
    try:
        return read_words(battle.id, key_of(line.side, sides), line.words, sides)
    except ValueError as error:
        raise InvalidInput(f"{line.battle}/{line.side}: {error}; write {EXAMPLE}") from None


def read_words(battle: str, side: str, words: str, sides: SideNames) -> ReportedResult:
    """Return the result in a text such as `birch won, birch lost 1/4`. Raises ValueError."""
    winners: list[str] = []
    losses: dict[str, str] = {}
    score: dict[str, int] = {}
    is_decided = False
    for part in re.split(r";\s*|,\s+", words.strip().rstrip(".")):
        name, verb, rest = split_verb(part)
        if part.casefold() in DRAW:
            is_decided = True
        elif verb == "won":
            winners.append(key_of(name, sides))
            is_decided = True
        elif verb == "lost":
            losses[key_of(name, sides)] = str(read_losses(rest))
        elif verb == "scored" and rest.isdecimal() and len(rest) < 7:
            score[key_of(name, sides)] = int(rest)
        else:
            raise ValueError(f"{quoted(part)} is not clear")
    if not is_decided:
        raise ValueError("the winner is missing")
    left = [key for key in sides if key not in losses]
    if left:
        raise ValueError(f"the losses of {listed(left)} are missing")
    table = {"battle": battle, "side": side, "winners": winners, "losses": losses, "score": score}
    return ReportedResult.model_validate(table)


def split_verb(part: str) -> tuple[str, str, str]:
    """Return the name, the verb and the rest of a part such as `birch lost 1/4`."""
    match = re.fullmatch(r"(.+?)\s+(won|lost|scored)\b\s*(.*)", part.strip(), re.IGNORECASE)
    return (match[1], match[2].lower(), match[3]) if match else (part, "", "")


def reports_of(campaign: Campaign, battle: str) -> dict[str, ReportedResult]:
    """Return the reports of a battle by the side that sent them."""
    return {report.side: report for report in campaign.reported if report.battle == battle}


def sides_to_report(campaign: Campaign, battle: Pending) -> list[str]:
    """Return the sides whose players must report a result: those without substitutes for all forces."""
    return [side[0] for side in battle.sides if not all(is_substituted(campaign, force) for force in side)]


def is_substituted(campaign: Campaign, force: str) -> bool:
    """Return True if a substitute replaces the player of a force in this turn."""
    substitute = campaign.substitutes.get(campaign.forces[force].faction)
    return substitute is not None and substitute.acts_in(campaign.turn)


def do_agree(reports: Sequence[ReportedResult]) -> bool:
    """Return True if all reports agree."""
    return all(report.matches(reports[0]) for report in reports)


def result_of(report: ReportedResult) -> Result:
    """Return the result that a side has reported."""
    sides = {key: SideResult(report.score.get(key, 0), lost) for key, lost in report.losses.items()}
    return Result(list(report.winners), sides)


def plan_report(
    books: CampaignFile, ledger: Ledger, report: ReportedResult, reason: str = ""
) -> list[Operation]:
    """Return the operations that record a side's report; also the result, if all reports are in and agree.

    If they differ, the notes show all versions, and the umpire decides. Raises InvalidInput if the campaign
    has no confirmation by both sides, or if the report is the same as before.
    """
    campaign = books.campaign
    if campaign.results.confirm != BOTH:
        remedy = 'campaign import, or to have them confirmed: campaign set results.confirm "both"'
        raise InvalidInput(f"the umpire enters the results of this campaign; write {remedy}")
    battle = campaign.battle(report.battle)
    if battle is None:
        raise InvalidInput(not_pending(campaign, report.battle))
    before = reports_of(campaign, battle.id)
    if report.side in before and before[report.side].matches(report):
        raise InvalidInput(f"{report.battle}/{report.side} has already reported this")
    reports = before | {report.side: report}
    missing = [side for side in sides_to_report(campaign, battle) if side not in reports]
    if not missing and do_agree([*reports.values()]):
        return confirmed(books, ledger, battle.id, report, reason)
    entry = Entry(0, KIND, [reported_change(campaign, battle.id, reports)], id=battle.id, reason=reason)
    return [Operation(entry, notes=report_notes(campaign, battle, reports, missing), keeps_lines=True)]


def report_notes(
    campaign: Campaign, battle: Pending, reports: Mapping[str, ReportedResult], missing: Sequence[str]
) -> list[str]:
    """Return the reports that are still missing, or the differences between the reports."""
    if missing:
        return [f"battle {battle.id} waits for the report of {listed(missing)}"]
    return [
        f"battle {battle.id}: the reports differ",
        *versions(campaign, reports),
        f"nothing is recorded until you decide: campaign override {battle.id} --winner SIDE --reason TEXT",
    ]


def versions(campaign: Campaign, reports: Mapping[str, ReportedResult]) -> list[str]:
    """Return each side's report, a sentence each."""
    return [
        f"{campaign.display_name(side)} reports: {result_text(result_of(report), campaign.display_name)}"
        for side, report in reports.items()
    ]


def confirmed(
    books: CampaignFile, ledger: Ledger, battle: str, report: ReportedResult, reason: str
) -> list[Operation]:
    """Return the operations that record a confirmed result and remove the reports from the file."""
    result = result_of(report)
    found = BattleResult(battle, result, result_digest(battle, result), kind="import")
    operations = []
    if reports_of(books.campaign, battle):
        change = reported_change(books.campaign, battle, {})
        operations.append(Operation(Entry(0, KIND, [change], id=battle), keeps_lines=True))
        books = after(books, operations)
    recorded = plan_import(books, ledger, [found], reason=reason or "confirmed by both sides")
    return [*operations, *recorded.operations]


def reported_change(campaign: Campaign, battle: str, reports: Mapping[str, ReportedResult]) -> Change:
    """Return the change that replaces the reports of one battle and keeps those of the others."""
    before = value_at(campaign.data, ("reported",))
    tables = before if isinstance(before, list) else []
    others = [table for table in tables if not isinstance(table, dict) or table.get("battle") != battle]
    left = [*others, *(report.table() for report in reports.values())]
    return Change(("reported",), before, left or None)

"""Find lines of a reply that report a result of a battle, but have no address of their own.

Players write above the address that their mail program quotes, also without marks. If a reply has exactly
one such address, its lines count as if they stood below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, takewhile
from typing import NamedTuple

from cardbattle.battles.messages.pasted_text import (
    PlainLine,
    has_quotation_marks,
    plain_lines,
    unquoted_lines,
)
from cardbattle.campaign.exchange.confirmation import do_claims_fit
from cardbattle.campaign.exchange.orders.addresses import faction_of_sender
from cardbattle.campaign.exchange.orders.words import BEGINS, one_of
from cardbattle.campaign.exchange.report_examples import examples_of, known_examples
from cardbattle.campaign.exchange.report_text import (
    ADDRESS,
    MESSAGE_HEADING,
    RESULT,
    SHORT_ADDRESS,
    TAKING_BACK,
    ReportLine,
    campaign_known_to,
    find_battle,
    is_battle_named,
    is_like_report,
    is_program_line,
    is_wrapped,
    lines_with_addresses,
    place_of_report,
    without_greeting,
)
from cardbattle.campaign.ledger.roster import THEM, US, reporter_named
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.names import quoted

EXAMPLES = (
    "For example:"  # the end of a message's line above examples of reports, each of which begins with "- "
)
SUBJECT = re.compile(rf"(?:^|\s){one_of((*US, *THEM))}$", re.IGNORECASE)


class OwnLine(NamedTuple):
    """A line that the sender has written, with the faction of the address above it, or "".

    `words` is the line without its address, with the lines `below` on which a mail program has wrapped it.
    """

    line: PlainLine
    faction: str
    words: str
    below: Sequence[PlainLine] = ()

    @property
    def sources(self) -> list[str]:
        """The text of its lines, without the marks of a quotation."""
        return [line.bare for line in (self.line, *self.below)]


def changed_examples(
    campaign: Campaign, file: str, lines: Sequence[PlainLine], *, is_quotation: bool
) -> Iterator[ReportLine]:
    """Yield each example of a message that a player has changed instead of the line with the address.

    It has no address, so that it is refused. A mail program can have wrapped an unchanged example. If the
    player has deleted some of the examples, the others can be meant as the report, unless the player has
    written outside the message: `is_quotation`.
    """
    known_to = campaign_known_to(campaign)
    starts = [at for at, line in enumerate(lines) if line.bare.endswith(EXAMPLES)]
    for start in starts:
        below = [*lines[start + 1 :]]
        forms = quoted_forms(campaign, [line for line in below if is_form(campaign, line)][:1], "")
        for battle_id, side in forms:
            faction = campaign.forces[side].faction
            battle = known_to(faction).battle(battle_id)
            known = known_to(faction)
            count = len(examples_of(known, battle, side)) if battle else 0
            written = known_examples(known, battle, side) if battle else []
            examples = takewhile(lambda line: line.bare and not is_form(campaign, line), below)
            left = [line for line in examples if line.bare.startswith("- ") and written]
            count -= not any(line.bare.endswith(" declined") for line in left)
            for line in left:
                text = " ".join(line.bare.removeprefix("- ").split())
                is_complete = is_quotation or len(left) >= count
                is_written = is_complete and any(example.startswith(text) for example in written)
                if has_result(text) and not is_written:
                    yield ReportLine("", "", text, file, line.number, [line.bare], faction=faction)


def unaddressed_reports(
    campaign: Campaign, file: str, text: str, reports: Sequence[ReportLine], sender: str = ""
) -> Iterator[ReportLine]:
    """Yield each line that is meant as a report, but has no valid address.

    `reports` are the reports in the text. `sender` is the faction that sent the text, or "". The battle and
    the side of a line are those of the only quoted address, or empty. Above an address without a report, any
    line with the word for a result counts, and all of them are one report. Above a quoted report, one
    corrects it.
    """
    lines, known_to = plain_lines(file, text), campaign_known_to(campaign)
    read = {line for report in reports for line in report.lines}
    factions = quoted_factions(campaign, lines) or factions_of_forms(campaign, lines)
    unread = [each for each in own_lines(campaign, lines, sender) if each.line.bare not in read]
    if not reports:
        is_quotation = bool(unread) and has_quotation_marks(text)
        yield from changed_examples(campaign, file, lines, is_quotation=is_quotation)
    own = []
    for each in without_wraps(unread):
        faction = each.faction or (factions[0] if len(factions) == 1 else "")
        words = without_greeting(known_to(faction), each.words)
        own.append(each._replace(faction=faction, words=words))
    like = [each for each in own if is_like_report(known_to(each.faction), each.words)]
    forms = quoted_forms(campaign, lines, (like or own)[0].faction) if own and not reports else []
    if like and reports and are_quoted(reports):
        forms = [*dict.fromkeys(place_of_report(campaign, report) for report in reports)]
    if not like and len(forms) == 1:
        with_result = [each for each in own if has_result(each.words)]
        if with_result:
            words = ", ".join(each.words.strip(" ,;") for each in with_result)
            yield report_at(forms[0], file, with_result, words)
        return
    for each in like:
        if len(forms) == 1 and len(like) == 1:
            yield report_at(forms[0], file, [each], each.words)
        else:
            yield report_of_faction(known_to(each.faction), file, each)


def claims_beside(
    campaign: Campaign, file: str, text: str, reports: Sequence[ReportLine], sender: str = ""
) -> dict[int, str]:
    """Return the own lines beside the reports in a text that say the same or something else, by number.

    These are lines that take a report back, and lines with a result beside the only report.
    The value is "" if the line says the same as the report, or why the report does not count. Lines that are
    not clear are left out. The arguments are those of `unaddressed_reports`.
    """
    if reports and are_quoted(reports):
        return {}
    in_reports = {line for report in reports for line in report.lines}
    lines = own_lines(campaign, plain_lines(file, text), sender)
    unread = without_wraps(each for each in lines if each.line.bare not in in_reports)
    fit: dict[OwnLine, bool | None] = {each: False for each in unread if TAKING_BACK.search(each.words)}
    if len(reports) == 1:
        claims = (each for each in unread if has_result(each.words) and each not in fit)
        fit |= {each: do_claims_fit(campaign, reports[0], each.words) for each in claims}
    return {
        each.line.number: "" if is_same else f"{quoted(each.words)} says something else; send one result"
        for each, is_same in fit.items()
        if is_same is not None
    }


def are_quoted(reports: Sequence[ReportLine]) -> bool:
    """Return True if all of these reports are quoted, so that a result outside the quotation is newer."""
    return all(report.depth for report in reports)


def own_lines(campaign: Campaign, lines: Sequence[PlainLine], sender: str) -> list[OwnLine]:
    """Return the lines that are not quoted and not empty. `sender` is the faction that sent them, or ""."""
    addressed = zip(lines, lines_with_addresses(campaign, lines, sender), strict=True)
    written = {*unquoted_lines(lines)}
    found = [OwnLine(line, *each) for line, each in addressed if line.bare]
    examples = written_examples(campaign, lines)
    own = (each for each in without_examples(found, examples) if each.line in written)
    return [each for each in own if not is_form(campaign, each.line)]


def without_wraps(own: Iterable[OwnLine]) -> list[OwnLine]:
    """Join the lines of each report that a mail program has wrapped."""
    joined: list[OwnLine] = []
    for each in own:
        above = joined[-1] if joined else None
        if above and is_continued(above, each):
            text = f"{above.words} {each.words}"
            joined[-1] = above._replace(words=text, below=[*above.below, each.line])
        else:
            joined.append(each)
    return joined


def is_continued(above: OwnLine, each: OwnLine) -> bool:
    """Return True if a report continues on the own line right below it.

    The line above can end with the subject of the report's first sentence, such as `they`.
    """
    *_, last = (above.line, *above.below)
    is_next = each.line.number - last.number < 2
    is_begun = has_result(above.words) or SUBJECT.search(above.words) is not None
    return is_next and is_begun and is_wrapped(above.words, each.words)


def without_examples(found: Sequence[OwnLine], examples: Sequence[str]) -> Iterator[OwnLine]:
    """Yield the lines that are not the examples of a message which the sender copied without marks.

    A mail program can have wrapped one of these `examples`, also without a mark before its second line.
    """
    is_example, remainder, depth = False, "", 0
    for each in found:
        line_text = " ".join(each.line.bare.removeprefix("- ").split())
        is_rest = is_example and remainder.startswith(line_text)
        is_same = each.line.depth == depth and each.line.bare.startswith("- ")
        is_example = is_example and (is_rest or is_same)
        if is_rest:
            remainder = remainder.removeprefix(line_text).strip()
        elif is_example:
            matches = (example for example in examples if example.startswith(line_text))
            remainder = next(matches, "").removeprefix(line_text).strip()
        else:
            yield each
        if each.line.bare.endswith(EXAMPLES):
            is_example, depth = True, each.line.depth


def written_examples(campaign: Campaign, lines: Sequence[PlainLine]) -> list[str]:
    """Return the examples in the messages about battles whose forms are in a mail."""
    known_to = campaign_known_to(campaign)
    forms = quoted_forms(campaign, lines, "")
    battles = ((known_to(campaign.forces[side].faction).battle(battle), side) for battle, side in forms)
    return [
        *chain.from_iterable(known_examples(campaign, battle, side) for battle, side in battles if battle)
    ]


def is_form(campaign: Campaign, line: PlainLine) -> bool:
    """Return True if a line is the address of a battle without a report."""
    address = ADDRESS.fullmatch(line.bare)
    return address is not None and not address[3] and is_battle_named(campaign, address[1])


def has_result(text: str) -> bool:
    """Return True if a line has the word for a result, and is not an order or the program's own line."""
    label = SHORT_ADDRESS.fullmatch(text)
    is_order = label is not None and BEGINS.match(label[2]) is not None
    return RESULT.search(text) is not None and not is_order and not is_program_line(text)


def report_at(form: tuple[str, str], file: str, lines: Sequence[OwnLine], text: str) -> ReportLine:
    """Return the report on these lines of the battle and the side that a quoted address names."""
    first = lines[0]
    sources = [*chain.from_iterable(each.sources for each in lines)]
    return ReportLine(*form, text, file, first.line.number, sources, faction=first.faction)


def report_of_faction(known: Campaign, file: str, own_line: OwnLine) -> ReportLine:
    """Return the report on a line without an address of its battle.

    Its faction and the name of a battle before its colon are enough. `known` is the campaign with the battles
    that the faction may know.
    """
    label = SHORT_ADDRESS.fullmatch(own_line.words)
    report = ReportLine(
        "", "", own_line.words, file, own_line.line.number, own_line.sources, faction=own_line.faction
    )
    if own_line.faction and label and is_battle_named(known, label[1]):
        return report._replace(battle=label[1], side=own_line.faction, words=label[2].strip())
    return report


def quoted_forms(campaign: Campaign, lines: Sequence[PlainLine], sender: str) -> list[tuple[str, str]]:
    """Return the battles and sides of addresses without a report, which a mail program has quoted.

    `sender` is the faction that sent the text, or "". Addresses of other factions do not count.
    """
    forms: dict[tuple[str, str], None] = {}
    for line in lines:
        address = ADDRESS.fullmatch(line.bare)
        if address and not address[3] and is_battle_named(campaign, address[1]):
            battle = find_battle(campaign, address[1])
            with suppress(ValueError):
                side = reporter_named(campaign, battle, address[2].lower())
                if sender in ("", campaign.forces[side].faction):
                    forms[battle.id, side] = None
    return [*forms]


def quoted_factions(campaign: Campaign, lines: Sequence[PlainLine]) -> list[str]:
    """Return the factions of quoted addresses such as `the-marches/york@4:`, if no other line has one."""
    addressed = [*zip(lines, lines_with_addresses(campaign, lines), strict=True)]
    if any(faction and not line.depth for line, (faction, _) in addressed):
        return []
    return [*dict.fromkeys(faction for _, (faction, _) in addressed if faction)]


def factions_of_forms(campaign: Campaign, lines: Sequence[PlainLine]) -> list[str]:
    """Return the factions of the quoted addresses of battles, if no line has the address of a faction."""
    if any(faction for faction, _ in lines_with_addresses(campaign, lines)):
        return []
    forms = quoted_forms(campaign, [line for line in lines if line.depth], "")
    return [*dict.fromkeys(campaign.forces[side].faction for _, side in forms)]


def unread_replies(
    campaign: Campaign, texts: Sequence[tuple[str, str]], sender: str = ""
) -> Iterator[ReportLine]:
    """Yield the text above the only quoted address of a battle as a report, for each of these texts.

    Nothing in the texts can be read, so each of these reports is an error. Without a text, it is empty. A
    player who answers a message about a battle must learn that the answer does not count.
    """
    for file, text in texts:
        lines = plain_lines(file, text)
        copied = copied_message(campaign, lines)
        faction = sender or faction_of_sender(campaign, text)
        own = [each for each in own_lines(campaign, lines, faction) if each.line.number not in copied]
        forms = quoted_forms(campaign, lines, faction)
        if own and len(forms) == 1:
            yield report_at(forms[0], file, own, " ".join(each.words for each in own))
        elif len(forms) == 1:
            yield ReportLine(*forms[0], "", faction=campaign.forces[forms[0][1]].faction)


def copied_message(campaign: Campaign, lines: Sequence[PlainLine]) -> set[int]:
    """Return the numbers of the lines of a message about a battle, from its heading to its form."""
    numbers: set[int] = set()
    start = 0
    for line in lines:
        start = start or (line.number if MESSAGE_HEADING.fullmatch(line.bare) else 0)
        if start and is_form(campaign, line):
            numbers.update(range(start, line.number + 1))
            start = 0
    return numbers

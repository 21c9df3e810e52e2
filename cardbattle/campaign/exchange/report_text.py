"""Find the lines of pasted messages in which players report the result of a battle.

A report has the form `BATTLE/SIDE: RESULT`. Below the address of a faction, such as `york@3:`, the form
`BATTLE: RESULT` is enough. The battle can be named by its id, a part of it, or its place. Greetings,
signatures and quoted copies of reports are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from cardbattle.battles.messages.answer_text import ADDRESS as FACTION_ADDRESS
from cardbattle.battles.messages.answer_text import BARE_ADDRESS
from cardbattle.battles.messages.pasted_text import PlainLine, is_quotation_certain, plain_lines
from cardbattle.campaign.exchange.message_error import MessageError
from cardbattle.campaign.exchange.orders.addresses import (
    LONGEST,
    last_address,
    loose_address,
    with_faction_key,
)
from cardbattle.campaign.exchange.orders.decision.findings import senders_among
from cardbattle.campaign.exchange.orders.lines import GREETING_ENDS, SMILEY
from cardbattle.campaign.exchange.orders.message import senders_of
from cardbattle.campaign.exchange.orders.names import SMALL
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.orders.remarks import is_only_remark
from cardbattle.campaign.exchange.orders.requests import is_deal
from cardbattle.campaign.exchange.orders.words import BEGINS, CORRECTING, SENTENCE_END, one_of
from cardbattle.campaign.ledger.roster import (
    THEM,
    US,
    WORD,
    is_alike,
    is_alike_without_article,
    is_part,
    key_of,
    name_words,
    names_of_sides,
    reporter_named,
)
from cardbattle.campaign.state.apply import not_pending
from cardbattle.campaign.state.losses import NUMBERS, PARTS_IN_WORDS, plainly, share_in
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.visibility.reader import with_known_battles
from cardbattle.core.names import listed, quoted

ADDRESS = re.compile(r"\W*(\w[\w' -]{0,80}?)\s?/\s?(\w[^/:;@]{0,80}?)\s*:\s*(.*)")
SHORT_ADDRESS = re.compile(
    r"\W*(\w[\w' -]{0,80}?)(?:\s*:|\s+[-\u2013\u2014]+\s)\s*(.*)"
)  # below the address of a faction
VERBS = "won|lost|scored|decline[ds]?|refuse[ds]?"
HAVE = "(?:have|has|had)"
VERB = re.compile(rf"\b({VERBS})\b", re.IGNORECASE)
RESULT = re.compile(rf"\b({VERBS}|draw|drawn|no winner)\b", re.IGNORECASE)
HAS_SIGN = re.compile(r"[\d:/]")  # in a text that is no greeting
WINNER = re.compile(r"\b(won|draw|drawn|no winner)\b", re.IGNORECASE)
ESTIMATE = re.compile(r"(?:about|almost|around|maybe|nearly|roughly|some)\s+", re.IGNORECASE)
LOSS = re.compile(
    rf"\blost\s+(?:{ESTIMATE.pattern})?(\d|0[.,]\d|all\b|none\b|nothing\b|everything\b|((an?|one)\s+)?{one_of(PARTS_IN_WORDS)}\b"
    rf"|{one_of(NUMBERS)}(?:[\s-]+{one_of(PARTS_IN_WORDS)}s|\s+(?:out\s+)?of)\b)",
    re.IGNORECASE,
)
SHORT_SHARE = r"(?:\d+\s*/\s*\d+|\d+\s?%|\d+\s+(?:out\s+)?of\s+\d+)"
SIDE_LOSS = re.compile(
    rf"\b{one_of((*US, *THEM))}\s*[:=]?\s+{SHORT_SHARE}", re.IGNORECASE
)  # in "lost. them 1/5 me 3/5"
REQUEST = re.compile(r"- |Battle (?!(?:at|for|in|of|on) )[\w-]+(?: at [^:]{1,80})?: ")  # program's own lines
# The program's own lines in a message: how to report or decline, a report that was not taken, how an order
# was read, and the example of a declined battle.
PROGRAM_LINE = re.compile(
    r"When it is fought at a table, |If you decline, the umpire decides|After declining, your forces"
    r"|From the umpire: |An ally on your side declines|Your side declines only if "
    r"|- (?:(?:not taken|read as|read by the umpire): |[^:]+ declined$)|If you counted points, add them"
)
# The same lines, as a mail program can wrap them. A quotation mark is in each part with a score.
DECLINES_ONLY = "each side reports the result. a side that declines reports only this."
SCORES = re.compile(
    r'(?:[^"]*")?(?:[\w-]+ )?scored 5(?:, ?(?:[\w-]+(?: scored 3"\.)?)?)?|(?:[\w-]+ )?scored 3"\.'
)
BATTLE_OF = re.compile(r"(?:the\s+)?(?:battle|fight)\s+(?:of|at|on|for|in)\s+", re.IGNORECASE)
MORE = re.compile(rf"({VERBS}|\d+(/\d+|%)?|none|all|half)\b", re.IGNORECASE)
DRAW = re.compile(
    r"(?:(?:it|this|that|the\s+(?:battle|fight))\s+(?:was|is|ended\s+(?:in|as))\s+)?(?:a\s+)?(?:draw|drawn)"
    r"|(?:there\s+(?:was|is)\s+)?no\s+winner",
    re.IGNORECASE,
)
BATTLE = re.compile(r"(?:to\s+)?(?:the\s+|a\s+|give\s+)?(?:battle|fight|day)", re.IGNORECASE)  # behind a verb
BOTH_SIDES = re.compile(r"(?:we\s+|they\s+)?both(?:\s+(?:sides|of\s+us))?", re.IGNORECASE)  # before "lost"
PARTS = one_of((*PARTS_IN_WORDS, *(f"{word}s" for word in PARTS_IN_WORDS)))
SHARE = re.compile(
    rf"\d|\b(?:{one_of(NUMBERS)}|{PARTS}|all|none|no|nothing|nobody|every\w+)\b", re.IGNORECASE
)  # behind "lost", unlike in "lost again"
SCORE = re.compile(
    rf"(?:\d+|{one_of(NUMBERS)})(?:\s+to\s+|\s*[-:\u2013]\s*)(?:\d+|{one_of(NUMBERS)})", re.IGNORECASE
)  # of a battle at the table, which is not recorded
CORRECTION = re.compile(
    r"^\W*(?:(?:sorry|oops)\W+)?(?:(?:my|our|the|a)\s+)?(?:correct(?:ion|ed)|new|revised|updated)"
    r"(?:\s+(?:report|result))?(?:\s*[:,]|\s+-+(?=\s))\s*",
    re.IGNORECASE,
)  # before a report that corrects another one
APOLOGY = re.compile(
    r"\b(?:sorry|oops|apolog\w+|mistakes?|mistaken|mistyped|typo|forgot(?:ten)?|misread|miscounted|recount\w*|"
    r"counted|wrong|right)\b",
    re.IGNORECASE,
)  # before the colon of a report that corrects another one, as in "I forgot one: we lost 1/4"
OWN_REPORT = r"(?:my|our)\s+(?:own\s+)?(?:(?:new|corrected|final)\s+)?(?:report|result|count|numbers)"
INTRODUCTION = re.compile(
    r"\W*(?:(?:oops|sorry|ok|okay|ah|oh|well|so|and)\W+)*(?:"
    r"(?:(?:i|we)(?:\s+have|['\u2019]ve)?\s+)?(?:just\s+)?(?:(?:re|mis)?counted|misread|mistyped|forgot(?:ten)?|missed)"
    r"(?:\s+(?:again|wrong|badly|one|it|them|something|twice|a\s+(?:card|force|space|unit)))*"
    r"|(?:i|we)\s+(?:was|were)\s+(?:wrong|mistaken)|(?:i|we)\s+made\s+an?\s+(?:mistake|error|typo)"
    r"|(?:my|our|a)\s+(?:bad|mistake|error|typo)"
    rf"|(?:here(?:\s+(?:is|are|comes)|['\u2019]s)\s+)?{OWN_REPORT}(?:\s+(?:again|is|now))?"
    r"|here(?:\s+(?:it\s+is|you\s+are|goes))?"
    r")(?:\s*[,;.!:]+\s*|\s+and\s+|$)",
    re.IGNORECASE,
)  # a clause above the address of a report that says only that the report follows
TAKING_BACK = re.compile(
    r"\b(?:kidding|jok(?:e|es|ing)|in\s+jest|untrue|nonsense|not\s+(?:really|true|so)|pretend\w*|lie[ds]|lying)\b"
    r"|\b(?:no|oh|hm+|oops|sorry)\W+wait\b"
    r"|\b(?:forget|ignore|disregard|scrap|scratch|strike)"
    r"\s+(?:it|that|this|what|(?:my|our|the|this|that)\s+(?:report|result|count|above))\b",
    re.IGNORECASE,
)  # in a remark that takes back the report beside it
DOUBTING = re.compile(
    rf"{TAKING_BACK.pattern}|\bor\s+(?:was|were|is|are|did|do|have|has)\b"
    r"|\b(?:really|right|correct|true|sure|agreed)\s*\?",
    re.IGNORECASE,
)  # the same, in the report itself
DENYING = re.compile(
    rf"{DOUBTING.pattern}|\b(?:he|she|they|you|who)\s+(?:\w+\s+)?"
    r"(?:sent|sends|wrote|writes|says?|said|claims?|claimed|reports?|reported)\b"
    r"|\b(?:his|her|their|your)\s+(?:\w+\s+)?(?:reports?|results?|counts?|numbers|version)\b"
    r"|\b(?:never|believe|trust)\b|n['\u2019]t\b",
    re.IGNORECASE,
)  # in a remark before a report that is someone else's, or that the sender denies
REMARK_LABEL = re.compile(
    r"(?:^|(?<=[.!?,]\s))(?P<label>so|then|thus|now|well|ok|okay|right|again|anyway|here|(?:the\s+)?result):\s+",
    re.IGNORECASE,
)  # before a result
CLAUSE_END = re.compile(r"(\s*[,.!]+\s+|\s*;\s*|\s+(?:and|but|while)\s+)", re.IGNORECASE)
LOSSES = re.compile(
    r"[^:]{1,60}\blost\s+(\d+\s*(/|of)\s*\d+|\d+\s*%|0[.,]\d+|none|nothing|all|everything)\W*", re.IGNORECASE
)
REMARK = re.compile(r"\s*\([^()\d]*\)")
MESSAGE_HEADING = re.compile(
    r"To [\w-]+, turn \d+.*|[^:]{1,80}: result of [\w-]+(?:, reminder)?(?:, part \d+ of \d+)?"
    r"|Battle [\w-]+(?: .*)?: .*"
)  # one of the first lines of a message about a battle


class ReportLine(NamedTuple):
    """A player's report. It consists of the battle, the side that sent the report, and the text.

    Attributes:
        battle: the battle as the player has written it.
        side: the side as the player has written it, or the key of the faction in the address above.
        words: the text of the report.
        file, line: the position in the file. The file is empty for a text from the command line.
        lines: the lines of the report, without the marks of a quotation.
        depth: how often the report was quoted in replies.
        faction: the faction whose address is above the report, or "". It can only report for its own side.
        mail: the mail address of the sender, which must be one of its faction's, or "" for any sender.
        doubt: why the report does not count, although it can be read, or "".

    """

    battle: str
    side: str
    words: str
    file: str = ""
    line: int = 0
    lines: Sequence[str] = ()
    depth: int = 0
    faction: str = ""
    mail: str = ""
    doubt: str = ""

    def error(self, text: str, example: str = "") -> MessageError:
        """Return an error about this report, with its position in the file.

        The umpire also reads what to write: `example`. The message to the player has a form instead.
        """
        umpire_text = f"{text}; write {example}" if example else text
        if not self.file:
            return MessageError(umpire_text, text)
        return MessageError(umpire_text, text, file=self.file, line=self.line, column=1, source=self.lines[0])


def report_lines(campaign: Campaign, text: str, file: str = "", faction: str = "") -> list[ReportLine]:
    """Return the reports in a text. A report that a mail program has wrapped is joined.

    `faction` is the sender of the text, or "". It counts as the address above the lines that have none. Of
    each side's reports about a battle, only those that were quoted least often count. Quoted reports of other
    factions than the sender do not count (`quoted_reports`). Raises InvalidInput if the text is too long.
    """
    reports = [*all_reports(campaign, file, plain_lines(file, text), faction)]
    foreign = quoted_reports(campaign, text, file, reports)
    reports = [report for report in reports if report not in foreign]
    keys = [place_of_report(campaign, report) for report in reports]
    nearest: dict[tuple[str, str], int] = {}
    for report, key in zip(reports, keys, strict=True):
        nearest[key] = min(report.depth, nearest.get(key, report.depth))
    return [report for report, key in zip(reports, keys, strict=True) if report.depth == nearest[key]]


def quoted_reports(
    campaign: Campaign, text: str, file: str = "", reports: Sequence[ReportLine] | None = None
) -> list[ReportLine]:
    """Return the reports that a text only quotes, because another faction sent the text.

    `reports` are all reports in the text. By default, the function looks for them.
    """
    if reports is None:
        reports = [*all_reports(campaign, file, plain_lines(file, text))]
    if not any(report.depth for report in reports):
        return []
    pairs = [(report, faction_of_report(campaign, report)) for report in reports]
    signs = [*senders_of(OrderParser(campaign), file, text)]
    is_certain = is_quotation_certain(text)
    signs += [(report.depth if is_certain else 0, faction) for report, faction in pairs]
    senders = senders_among(signs)
    return [report for report, faction in pairs if senders.is_foreign(report.depth, faction)]


def faction_of_report(campaign: Campaign, report: ReportLine) -> str:
    """Return the faction that reports, or "" if the side is not clear."""
    force = campaign.forces.get(place_of_report(campaign, report)[1])
    return force.faction if force else ""


def place_of_report(campaign: Campaign, report: ReportLine) -> tuple[str, str]:
    """Return the keys of the battle and of the force in whose name a side reports it.

    An unclear name is returned unchanged.
    """
    with suppress(ValueError):
        battle = find_battle(campaign, report.battle)
        return battle.id, reporter_named(campaign, battle, report.side, report.faction)
    return report.battle, report.side


def campaign_known_to(campaign: Campaign) -> Callable[[str], Campaign]:
    """Return a function from a faction, or "", to the campaign with the battles that the faction may know.

    A battle that is hidden from the sender must not change how a line is read: the player reads the error.
    """

    @cache
    def known_to(faction: str) -> Campaign:
        return with_known_battles(campaign, faction) if faction else campaign

    return known_to


def lines_with_addresses(
    campaign: Campaign, lines: Sequence[PlainLine], sender: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the faction of the address above each line, or `sender`, and the line without its address."""
    faction = ""
    for number, line in enumerate(lines):
        bare = line.bare
        with suppress(ValueError):
            bare = with_faction_key(campaign, bare)
        bare = loose_address(campaign, bare) or bare
        address = FACTION_ADDRESS.match(bare) or bare_address(campaign, bare) or last_address(campaign, bare)
        is_same_block = bool(bare) and number > 0 and line.depth == lines[number - 1].depth
        faction = address["side"].lower() if address else faction if is_same_block else ""
        remainder = bare[address.end() :].strip() if address else bare
        yield faction if faction in campaign.factions else sender, remainder


def all_reports(
    campaign: Campaign, file: str, lines: Sequence[PlainLine], sender: str = ""
) -> Iterator[ReportLine]:
    """Yield every report in these lines, including quoted copies. `sender` is the faction that sent them."""
    known_to = campaign_known_to(campaign)
    for number, (reporter, remainder) in enumerate(lines_with_addresses(campaign, lines, sender)):
        line, known = lines[number], known_to(reporter)
        remainder = remainder if line.depth else without_greeting(known, remainder)
        match = ADDRESS.fullmatch(remainder)
        short = SHORT_ADDRESS.fullmatch(remainder) if reporter else None
        if match and is_report(known, match[1], match[3]):
            battle, side, report = match[1], match[2].lower(), match[3].strip()
        elif short and RESULT.search(short[2]) and is_battle_named(known, short[1]):
            battle, side, report = short[1], reporter, short[2].strip()
        else:
            continue
        own, depth = [line.bare], line.depth
        for below in lines[number + 1 :]:
            depth = depth if report else min(depth, below.depth)  # a report below the quoted form
            is_addressed = ADDRESS.fullmatch(below.bare) or FACTION_ADDRESS.match(below.bare)
            is_end = below.depth != depth or is_addressed or MESSAGE_HEADING.fullmatch(below.bare)
            joined = "" if is_end else with_next_line(report, below.bare)
            if not joined:
                break
            report = joined
            own.append(below.bare)
        if report:
            yield ReportLine(battle, side, report, file, line.number, own, depth, reporter)


def without_greeting(campaign: Campaign, text: str) -> str:
    """Return a report without a sentence such as `No way!` before its address, or another text as it is.

    The address must be complete: the id of a pending battle, and one of its sides. The name of a battle
    before a colon and a result is enough too. The sentence can end with a colon if it introduces a report.
    """
    corrected = CORRECTION.sub("", text, count=1)
    if is_addressed(campaign, corrected):
        return corrected
    for end in GREETING_ENDS.finditer(text[:LONGEST]):
        greeting, report = text[: end.start()], text[end.end() :]
        if is_addressed(campaign, report) and is_greeting(greeting):
            return report
    introduction, colon, report = corrected[:LONGEST].partition(":")
    is_whole = bool(colon) and introduces_report(campaign, introduction) and is_addressed(campaign, report)
    return corrected[len(introduction) + 1 :].strip() if is_whole else text


def introduces_report(campaign: Campaign, text: str) -> bool:
    """Return True if a text before a colon, such as `I counted again`, only introduces a report."""
    is_other = any(names_side(campaign, battle, text) for battle in campaign.pending)
    return is_introduction(text) and not is_other


def is_introduction(text: str) -> bool:
    """Return True if each clause of a text only says that a report follows.

    >>> is_introduction("Oops, I counted again, sorry. Here is my report"), is_introduction("I never counted")
    (True, False)
    """
    at = 0
    while at < len(text) and (clause := INTRODUCTION.match(text, at)):
        at = clause.end()
    return at >= len(text) > 0


def is_greeting(text: str) -> bool:
    """Return True if a text before a report, such as `No way!`, changes nothing in the report."""
    changing = (RESULT, CORRECTING, HAS_SIGN, DENYING)
    is_plain = not any(each.search(text) for each in changing)
    return (is_plain and is_only_remark(text, ())) or is_introduction(text)


def label_in(report: str) -> re.Match[str] | None:
    """Return the name before the colon or dash of a report, perhaps behind a greeting, or None."""
    begins = [0, *(end.end() for end in GREETING_ENDS.finditer(report[:LONGEST]))]
    labels = ((SHORT_ADDRESS.fullmatch(report, begin), report[:begin]) for begin in begins)
    plain = (label for label, greeting in labels if label and (not greeting or is_greeting(greeting)))
    return next((label for label in plain if not RESULT.search(label[1])), None)


def is_addressed(campaign: Campaign, report: str) -> bool:
    """Return True if a text begins with the id of a battle and its side, or a battle's name and a result."""
    address, label = ADDRESS.fullmatch(report), SHORT_ADDRESS.fullmatch(report)
    battle, side = (address[1].casefold(), address[2].casefold()) if address else ("", "")
    is_complete = any(battle == each.id and side in each.keys for each in campaign.pending)
    return is_complete or bool(label and RESULT.search(label[2]) and is_battle_named(campaign, label[1]))


def bare_address(campaign: Campaign, text: str) -> re.Match[str] | None:
    """Return the address of a faction at the beginning of a line that lacks its colon, or None."""
    address = BARE_ADDRESS.match(text)
    return address if address and address["side"].lower() in campaign.factions else None


def is_report(campaign: Campaign, battle: str, report: str) -> bool:
    """Return True if a line with an address is meant as a report, and not as something like `and/or: no`."""
    return RESULT.search(report) is not None or is_battle_named(campaign, battle)


def is_like_report(campaign: Campaign, text: str) -> bool:
    """Return True if a line is meant as a report, although its address can be missing or wrong.

    The line has the word for a result, and it names a pending battle before its colon or by its id, or it
    gives the losses of two sides, or of one and a winner, or says that a side declines. While a battle is
    pending, losses such as `me 3/5, them 1/5` are enough. Without pending battles, a result needs a name
    before its colon. An order, and an example of the program's own message, are not reports.
    """
    if is_program_line(text):
        return False
    if campaign.pending and len(SIDE_LOSS.findall(text)) > 1:
        return True
    if RESULT.search(text) is None:
        return False
    label = SHORT_ADDRESS.fullmatch(text)
    if label and BEGINS.match(label[2]):
        return False
    if battle_in(campaign, text) is not None or is_declined(campaign, text):
        return True
    losses = len(LOSS.findall(text))
    is_result = losses + bool(WINNER.search(text)) > 1 and losses > 0 and REQUEST.match(text) is None
    return is_result and bool(campaign.pending or label)


def is_program_line(text: str) -> bool:
    """Return True if a line is one of the program's own, or a part of one that a mail program has wrapped.

    A single word such as `decline` is an answer.

    >>> is_program_line("declines reports only this."), is_program_line("we scored 5, they scored 3")
    (True, False)
    >>> is_program_line('york scored 3".'), is_program_line('such as "kent scored 5, york')
    (True, True)
    """
    is_score = '"' in text and SCORES.fullmatch(text) is not None
    is_part = " " in text and text.casefold() in DECLINES_ONLY
    return is_score or is_part or PROGRAM_LINE.match(text) is not None


def is_declined(campaign: Campaign, text: str) -> bool:
    """Return True if a line says that a side of a pending battle, or `we` or `they`, decline it.

    The name of the side can stand in a sentence, as in `the Pikes stay home and decline`. In `Bob asked for
    peace. We decline`, they decline something else.
    """
    names = [
        SHORT_ADDRESS.sub(r"\2", name)
        for name, verb, remainder in map(split_verb, clauses(text))
        if verb == "declined" and not remainder and not is_deal(name)
    ]
    if any(SENTENCE_END.split(name)[-1].casefold() in (*US, *THEM) for name in names):
        return bool(campaign.pending)
    return any(names_side(campaign, battle, name) for battle in campaign.pending for name in names)


def names_side(campaign: Campaign, battle: Pending, text: str) -> bool:
    """Return True if a text has a word of the name of a side of a battle, or is a part of such a name."""
    sides = names_of_sides(campaign, battle.sides, battle)
    words = set().union(*(name_words(key, *each) for key, each in sides.items())).difference(SMALL)
    with suppress(ValueError):
        return bool(text and key_of(text, sides))
    return not words.isdisjoint(WORD.findall(text.casefold()))


def is_loss(text: str) -> bool:
    """Return True if a text gives the losses of a side.

    >>> is_loss("they won, we both lost a third"), is_loss("we lost the field")
    (True, False)
    """
    return LOSS.search(text) is not None


def battle_in(campaign: Campaign, text: str) -> Pending | None:
    """Return the pending battle that a line names by its id, or before a slash, colon or dash."""
    for battle in campaign.pending:
        if re.search(rf"(?<![\w-]){re.escape(battle.id)}(?![\w-])", text, re.IGNORECASE):
            return battle
    for address in (ADDRESS.fullmatch(text), SHORT_ADDRESS.fullmatch(text)):
        if address:
            with suppress(ValueError):
                return find_battle(campaign, address[1])
    return None


def place_in(campaign: Campaign, text: str) -> str:
    """Return the name of a place before the colon of a line, or ""."""
    label = SHORT_ADDRESS.fullmatch(text)
    word = BATTLE_OF.sub("", label[1]) if label else ""
    names = [*campaign.locations, *(str(campaign.location_name(key)) for key in campaign.locations)]
    return word if any(is_alike_without_article(word, name) for name in names) else ""


def is_battle_named(campaign: Campaign, word: str) -> bool:
    with suppress(ValueError):
        find_battle(campaign, word)
        return True
    return False


def find_battle(campaign: Campaign, word: str) -> Pending:
    """Return the pending battle with this id, a part of it, or its place.

    Raises ValueError if no battle or several battles match.
    """
    names = {battle.id: battle_names(campaign, battle) for battle in campaign.pending}
    word = BATTLE_OF.sub("", word) or word
    key = word.lower().replace(" ", "-").removeprefix("battle-")
    matches = [battle.id for battle in campaign.pending if battle.id in (word.lower(), key)]
    for is_same in (is_alike, is_alike_without_article, is_part):
        matches = matches or [
            battle for battle, each in names.items() if any(is_same(word, name) for name in each)
        ]
    if len(matches) > 1:
        raise ValueError(f"{quoted(word)} can mean the battle {listed(matches, 'or')}; write the whole id")
    battle = campaign.battle(matches[0]) if matches else None
    if battle is None:
        raise ValueError(not_pending(campaign, key if campaign.pending else word))
    return battle


def battle_names(campaign: Campaign, battle: Pending) -> list[str]:
    """Return the names by which a player can mean a battle: its id, and the names of its place."""
    places = [*(battle.road or ()), battle.place or battle.stakes]
    return [battle.id, *(str(campaign.location_name(place)) for place in places if place)]


def is_complete(report: str) -> bool:
    """Return True if the last part of a report has a verb, and losses after `lost`."""
    name, verb, remainder = split_verb(re.split(r"[;,]", report)[-1])
    return (
        bool(remainder)
        if verb in ("lost", "scored")
        else bool(verb) or DRAW.fullmatch(name.strip()) is not None
    )


def with_next_line(report: str, below: str) -> str:
    """Return a report with the line below it, or "" if the report does not continue there.

    >>> with_next_line("we won, they lost a", "quarter of their men"), with_next_line("we won", "Yours, Ann")
    ('we won, they lost a quarter of their men', '')
    """
    if is_wrapped(report, below) or not is_complete(report):
        is_more = is_wrapped(report, below) or MORE.search(below)
        return f"{report} {below}".strip() if is_more else ""
    return f"{report}, {below}" if LOSSES.fullmatch(below) and lacks_losses(report) else ""


def lacks_losses(report: str) -> bool:
    """Return True if a report gives the losses of at most one side."""
    return len(re.findall(r"\blost\b", report, re.IGNORECASE)) < 2


def is_wrapped(report: str, below: str) -> bool:
    """Return True if a report continues on the line below it, within a clause or with the next one.

    >>> is_wrapped("they lost a quarter", "of their men"), is_wrapped("we lost 1/4 and", "they lost half")
    (True, True)
    >>> is_wrapped("they won", "Cheers, Ann"), is_wrapped("we lost 1/4, they lost 1/2.", "We lost the map")
    (False, False)
    """
    if ":" in below:
        return False
    before, joined = clauses(report), clauses(f"{report} {below}")
    last, middle, *after = [before[-1], *joined[len(before) - 1 :]]
    if middle == last:
        return bool(after) and is_result(after[0]) and lacks_losses(report)
    is_open = not is_result(last) or split_verb(last)[1] == "lost"
    return is_result(middle) and is_open and not report.rstrip().endswith((".", "!", "?"))


def is_result(clause: str) -> bool:
    """Return True if a clause is a whole result, such as `they lost about a quarter of their men`."""
    _, verb, remainder = split_verb(clause)
    if verb == "lost":
        return remainder.isdecimal() or share_in(plainly(ESTIMATE.sub("", remainder, count=1))) is not None
    if verb == "scored":
        return remainder.isdecimal()
    return not RESULT.search(remainder) if verb else DRAW.fullmatch(clause.strip()) is not None


def clauses(report: str) -> list[str]:
    """Split a report into its clauses. Remarks in brackets are left out.

    A name can contain `and` or a full stop, so a clause ends there only if it has a verb.

    >>> clauses("We won. Clubs and Hale lost 1/2 (ouch) and we lost 1/4.")
    ['We won', 'Clubs and Hale lost 1/2', 'we lost 1/4']
    >>> clauses("He won, 7 to 4. We lost 1/4")
    ['He won', '7 to 4', 'We lost 1/4']
    """
    pieces = CLAUSE_END.split(REMARK.sub("", SMILEY.sub(",", report)).strip().rstrip(".!, "))
    found, has_result = [pieces[0]], bool(RESULT.search(pieces[0]))
    for mark, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        is_whole = has_result or SCORE.fullmatch(found[-1])
        is_clause = is_whole and (mark.strip()[-1:] in (".", "!") or VERB.search(piece))
        is_end = mark.strip()[-1:] in (",", ";") or is_clause
        found[-1:] = [found[-1], piece] if is_end else [found[-1] + mark + piece]
        has_result = (has_result and not is_end) or bool(RESULT.search(piece))
    return found


def unused_words(report: str) -> Iterator[str]:
    """Yield the text behind `won` in a report, and scores, which are not a part of the result.

    >>> [*unused_words("we won 61 to 40, they lost 1/2"), *unused_words("we won the day, 7 to 5")]
    ['61 to 40', '7 to 5']
    """
    for part in clauses(report):
        _, verb, remainder = split_verb(part)
        if verb == "won" and remainder:
            yield remainder
        elif SCORE.fullmatch(part.strip()):
            yield part.strip()


def without_remark_labels(campaign: Campaign, battle: Pending, report: str) -> str:
    """Return a report without words such as `So:`, unless a side of the battle has such a name."""

    def kept(label: re.Match[str]) -> str:
        return label[0] if names_side(campaign, battle, label["label"]) else ""

    return REMARK_LABEL.sub(kept, report)


def split_verb(part: str) -> tuple[str, str, str]:
    """Split a part such as `birch lost 1/4` into its name, its verb and the rest.

    The name is empty if the part begins with the verb. The rest is empty if it only means the battle.

    >>> split_verb("birch lost 1/4"), split_verb("we decline to fight"), split_verb("a draw")
    (('birch', 'lost', '1/4'), ('we', 'declined', ''), ('a draw', '', ''))
    >>> split_verb("I've lost 2 of 8"), split_verb("have won")
    (('I', 'lost', '2 of 8'), ('', 'won', ''))
    """
    name = rf"(?:{HAVE}|(.+?)(?:\s+{HAVE}|['\u2019](?:ve|d))?)\s+"
    match = re.fullmatch(rf"(?:{name})?({VERBS})\b\s*(.*)", part.strip(), re.IGNORECASE)
    if match is None:
        return part, "", ""
    verb = match[2].lower()
    is_declined = verb.startswith(("decline", "refuse"))
    remainder = "" if BATTLE.fullmatch(match[3]) else match[3]
    return match[1] or "", "declined" if is_declined else verb, remainder

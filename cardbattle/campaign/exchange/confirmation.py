"""Results that both sides of a battle confirm.

Each side reports the result. If all reports agree, the result is recorded. The functions are pure, like those
of `operations`. A report stays in campaign.toml until the battle has a result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

from cardbattle.campaign.exchange.message_error import MessageError
from cardbattle.campaign.exchange.order_book import has_substitute
from cardbattle.campaign.exchange.orders.names import SMALL
from cardbattle.campaign.exchange.orders.remarks import is_only_remark
from cardbattle.campaign.exchange.orders.words import SENTENCE_END
from cardbattle.campaign.exchange.report_examples import example_of
from cardbattle.campaign.exchange.report_text import (
    APOLOGY,
    BOTH_SIDES,
    CORRECTION,
    DOUBTING,
    DRAW,
    RESULT,
    SCORE,
    SHARE,
    SHORT_ADDRESS,
    ReportLine,
    battle_in,
    clauses,
    find_battle,
    is_battle_named,
    is_loss,
    label_in,
    names_side,
    place_in,
    report_lines,
    split_verb,
    without_remark_labels,
)
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import (
    CampaignFile,
    Operation,
    decline_battle,
    plan_import,
)
from cardbattle.campaign.ledger.roster import (
    HIM,
    ME,
    THEM,
    US,
    WORD,
    Alias,
    Roster,
    SideNames,
    factions_of_side,
    is_alike,
    key_of,
    name_words,
    names_of_sides,
    reporter_named,
    reporters,
)
from cardbattle.campaign.state.apply import DECLINED, Result, SideResult, not_pending
from cardbattle.campaign.state.battle_result import (
    BattleResult,
    BattleUnit,
    result_digest,
    result_text,
    rosters_of,
    units_lost,
)
from cardbattle.campaign.state.changes import Change, value_at
from cardbattle.campaign.state.losses import read_losses
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.state.tables.deadlines import BOTH, ReportedResult
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import Noun, mid_sentence, together, with_verb
from cardbattle.core.names import listed, quoted

Rosters = Mapping[str, Sequence[BattleUnit]]  # the units of each side, by its key
AFTER_ALL = re.compile(r"\bafter\s+all\b", re.IGNORECASE)  # changes nothing in a remark
REGRET = re.compile(
    r"\bnot\s+(?:worth|today|this\s+time|enough|fair|a\s+chance)\b|\bno\s+(?:chance|hope)\b"
    r"|^\W*not\s+with\s+(?:my|our)(?:\s+[\w'-]+){1,3}(?=\s*[.!]|$)",
    re.IGNORECASE,
)  # in "We decline. Not worth it."
QUESTION = re.compile(r"[^.!?]+\?\s*")  # before a result, as in "Against them? We decline"
INTERJECTION = re.compile(r"^(?:yes|yeah|yep|aye|ok|okay|well|so|alas|sadly)\s+", re.IGNORECASE)
KIND = "report"  # kind of the ledger entries


def battle_meant(campaign: Campaign, line: ReportLine) -> Pending | None:
    """Return the battle that a report means, or None.

    Without an address, it is the only battle of its faction, or the only one whose sides the report names.
    """
    if line.battle:
        with suppress(ValueError):
            return find_battle(campaign, line.battle)
        return None
    fought = [battle for battle in campaign.pending if own_sides(campaign, battle, line.faction)]
    if len(fought) > 1:
        fought = [battle for battle in fought if names_side(campaign, battle, line.words)]
    return battle_in(campaign, line.words) or (fought[0] if len(fought) == 1 else None)


def address_error(campaign: Campaign, line: ReportLine) -> MessageError:
    """Return the error for a report without a valid address, of a faction or an unknown sender.

    The error shows the possible addresses. It names no battle that the sender may not know.
    """
    report, faction = line.words, line.faction
    battle = battle_in(campaign, report)
    if battle is None and (place := place_in(campaign, report)):
        return line.error(f"no battle is pending at {quoted(place)}; leave this report out")
    if not campaign.pending:
        return line.error("no battle is pending; leave this report out")
    if battle and not own_sides(campaign, battle, faction):
        return line.error(f"{faction} has no force in battle {battle.id}; leave this report out")
    label = SHORT_ADDRESS.fullmatch(report)
    is_label = label is not None and is_battle_named(campaign, label[1])
    if battle and battle.id in report.casefold() and not is_label:
        side = own_side(campaign, battle, faction)
        return line.error("the address is not clear", example_of(campaign, battle, side, report))
    battle = battle_meant(campaign, line)
    sides = own_sides(campaign, battle, faction) if battle else []
    addresses = listed((f"{battle.id}/{side}:" for side in sides), "or") if battle else "BATTLE/SIDE:"
    return line.error("the address of this report is missing", f"{addresses} before it")


def declining_side(campaign: Campaign, battle: Pending, line: ReportLine) -> str:
    """Return the only side that declines a battle by a rejected report, or "" if that is not clear."""
    sides = names_of_sides(campaign, battle.sides, battle)
    own = own_side(campaign, battle, line.faction) if line.faction else ""
    with suppress(ValueError):
        own = key_of(line.side, sides)
    declining: set[str] = set()
    for name, verb, remainder in map(split_verb, clauses(line.words)):
        if verb == "declined" and not remainder:
            subject = SENTENCE_END.split(name)[-1] or "we"
            with suppress(ValueError):
                declining.add(key_of(subject, named_by(campaign, battle, own, sides)))
    return declining.pop() if own and len(declining) == 1 else ""


def own_sides(campaign: Campaign, battle: Pending, faction: str) -> list[str]:
    """Return the forces in whose names a faction reports a battle, one for each side, or all sides for ""."""
    if not faction:
        return battle.keys
    return [key for key in reporters(campaign, battle) if factions_of_side(campaign, [key]) == [faction]]


def own_side(campaign: Campaign, battle: Pending, faction: str) -> str:
    """Return the first side of a battle that a faction reports for, or ""."""
    sides = reporters(campaign, battle)
    return next((sides[key] for key in own_sides(campaign, battle, faction)), "")


def with_only_address(campaign: Campaign, ledger: Ledger, line: ReportLine) -> str:
    """Return a report that lacks only its address together with the address, or "".

    The faction that sent it must report for one side of one battle.
    """
    sides = [(each.id, side) for each in campaign.pending for side in own_sides(campaign, each, line.faction)]
    if line.battle or line.doubt or not line.faction or len(sides) != 1:
        return ""
    text = f"{'/'.join(sides[0])}: {line.words}"
    with suppress(ValueError, InvalidInput):
        [report] = report_lines(campaign, text, faction=line.faction)
        read_report(campaign, ledger, report)
        return text
    return ""


def read_report(campaign: Campaign, ledger: Ledger, line: ReportLine) -> ReportedResult:
    """Return the result that a side reports.

    Raises InvalidInput if the line is not a valid report. The error has the position of the line, and shows a
    report in the valid form, with the sides of the battle.
    """
    if not line.battle:
        raise InvalidInput([address_error(campaign, line)])
    if line.doubt:
        raise InvalidInput([line.error(line.doubt)])
    sender = ""
    battle = None
    try:
        battle = find_battle(campaign, line.battle)
        sides = Roster(campaign, ledger).side_names(battle.sides, battle)
        rosters = rosters_of(campaign, battle)
        sender = key_of(line.side, sides)
        refuse_other_side(campaign, battle, sender, line)
        if not line.words:
            raise ValueError("the report is missing")
        if doubt := DOUBTING.search(line.words):
            raise ValueError(f"{quoted(doubt[0])} takes the report back; write only the result")
        words = without_label(campaign, battle, sender, line.words)
        if len(factions_of_side(campaign, next(side for side in battle.sides if side[0] == sender))) > 1:
            refuse_own_losses(words)
        report = read_labelled(battle.id, sender, words, named_by(campaign, battle, sender, sides), rosters)
        for key, lost in report.units.items():
            units_lost(battle.id, key, lost, rosters[key])
        reporter = reporter_named(campaign, battle, line.side, line.faction)
    except ValueError as error:
        if battle is None:
            raise InvalidInput([line.error(str(error))]) from None
        side = sender or own_side(campaign, battle, line.faction)
        example = example_of(campaign, battle, side, line.words)
        text = f"{line.battle}/{line.side}: {error}"
        raise InvalidInput([line.error(text, f"something like {example}")]) from None
    except InvalidInput as refused:
        raise InvalidInput([line.error(error.text) for error in refused.errors]) from None
    return report.model_copy(update={"side": reporter})


def do_claims_fit(campaign: Campaign, line: ReportLine, text: str) -> bool | None:
    """Return True if a text says nothing else about a battle than a report, or None if that is not clear.

    A text that corrects the report or gives losses that cannot be read says something else. If the faction
    of the report fights in several battles, the text can mean another one.
    """
    with suppress(ValueError, InvalidInput):
        battle = find_battle(campaign, line.battle)
        sides = names_of_sides(campaign, battle.sides, battle)
        side = key_of(line.side, sides)
        faction = line.faction or campaign.forces[side].faction
        fought = (each for each in campaign.pending if own_sides(campaign, each, faction))
        others = [each for each in fought if each != battle]
        names, rosters = named_by(campaign, battle, side, sides), rosters_of(campaign, battle)
        report = read_labelled(
            battle.id, side, without_label(campaign, battle, side, line.words), names, rosters
        )
        if not others:
            label = SHORT_ADDRESS.fullmatch(text)
            words = label[2] if label and not RESULT.search(label[1]) else text
            with suppress(ValueError, InvalidInput):
                return read_claims(side, CORRECTION.sub("", words, count=1), names, rosters).fit(report)
        is_other = any(names_side(campaign, each, text) for each in others)
        if names_side(campaign, battle, text) or not is_other:
            return False if is_loss(text) else None
    return None


def without_label(campaign: Campaign, battle: Pending, side: str, report: str) -> str:
    """Return a report without the name of its battle or of its own side before a colon.

    Words such as `So:` and an apology before a colon are left out, too.
    """
    report = without_remark_labels(campaign, battle, report)
    label = label_in(report)
    if label is None:
        return report
    if APOLOGY.search(label[1]) and not names_side(campaign, battle, label[1]):
        return label[2]
    with suppress(ValueError):
        if find_battle(campaign, label[1]).id == battle.id:
            return label[2]
    with suppress(ValueError):
        if key_of(label[1], names_of_sides(campaign, battle.sides, battle)) == side:
            return label[2]
    return report


def how_to_undo(ledger: Ledger, battle: str) -> str:
    """Return a hint with the command that makes a declined battle pending again, or "" for other battles.

    Only the umpire reads it: a player may not know that the battle was declined.
    """
    entry = ledger.find(battle)
    if entry is None or entry.kind != DECLINED:
        return ""
    return f"battle {battle} was declined; if it was fought, write: cardbattle campaign undo {battle}"


def refuse_other_side(campaign: Campaign, battle: Pending, side: str, line: ReportLine) -> None:
    """Raise InvalidInput if a faction reports for a side without forces of its own."""
    forces = next(forces for forces in battle.sides if forces[0] == side)
    if line.faction not in ("", *(campaign.forces[force].faction for force in forces)):
        raise InvalidInput(
            f"{battle.id}/{side}: {line.faction} has no force on this side; leave this report out"
        )


def refuse_own_losses(report: str) -> None:
    """Raise ValueError if a report gives losses or points of `I` or `we both`, who can have allies."""
    name = ""
    for subject, verb, remainder in map(split_verb, clauses(report)):
        name = SENTENCE_END.split(subject)[-1] or name
        is_both = BOTH_SIDES.fullmatch(name) is not None and "sides" not in name
        if (is_both or name.casefold() in ME) and verb in ("lost", "scored") and remainder:
            raise ValueError(f'{quoted(name)} can mean only your own forces; "we" is your whole side')


def named_by(campaign: Campaign, battle: Pending, sender: str, sides: SideNames) -> dict[str, Sequence[str]]:
    """Return the names of the sides with the words that their player uses, such as `we`.

    `he` is the only player of the only other side.
    """
    others = [side for side in battle.sides if side[0] != sender]
    is_single = len(others) == 1 and len(factions_of_side(campaign, others[0])) == 1
    them = (*THEM, *(HIM if is_single else ())) if len(others) == 1 else ()
    return {key: [*names, *map(Alias, US if key == sender else them)] for key, names in sides.items()}


def read_labelled(battle: str, side: str, report: str, sides: SideNames, rosters: Rosters) -> ReportedResult:
    """Parse a result as `read_words` does. If another name precedes a colon, the error says so.

    Raises ValueError if the text is not a valid result. The error also covers the text after the colon.
    """
    report = CORRECTION.sub("", report, count=1)
    try:
        return read_words(battle, side, report, sides, rosters)
    except ValueError:
        label = label_in(report)
        if label is None:
            raise
        text = f"{quoted(label[1])} is neither this battle nor the side that reports; leave it out"
        try:
            read_words(battle, side, label[2], sides, rosters)
        except ValueError as error:
            text += f"; {error}"
        raise ValueError(text) from None


class Claims(NamedTuple):
    """What a text says about a battle.

    `winners` is None if the text names neither a winner nor a draw. `beaten` has the sides that lost
    the battle, with the text behind it.
    """

    winners: Sequence[str] | None
    beaten: Mapping[str, str]
    losses: dict[str, str]
    score: dict[str, int]
    units: dict[str, dict[str, int]]
    declined: Sequence[str]

    def fit(self, report: ReportedResult) -> bool:
        """Return True if a report says all this, too."""
        is_winner = self.winners is None or {*self.winners} == {*report.winners}
        losses = {key: str(lost) for key, lost in report.losses.items()}
        return (
            is_winner
            and {*self.beaten}.isdisjoint(report.winners)
            and self.losses.items() <= losses.items()
            and self.score.items() <= report.score.items()
            and all(lost.items() <= report.units.get(key, {}).items() for key, lost in self.units.items())
            and {*self.declined} == {*report.declined}
        )


def read_words(battle: str, side: str, report: str, sides: SideNames, rosters: Rosters) -> ReportedResult:
    """Parse a result such as `birch won, birch lost 1/4`.

    `rosters` contains the units of each side, so that a part of the text such as `Flint spears lost 2` can
    name a unit. Raises ValueError if the text is not a valid result.
    """
    claims = read_claims(side, report, sides, rosters)
    losses, winners = claims.losses, claims.winners
    for remainder in (text for key, text in claims.beaten.items() if text and key not in losses):
        read_losses(remainder)  # which raises the error
    if winners is None:
        raise ValueError("the winner is missing")
    if both := {*claims.beaten} & {*winners}:
        raise ValueError(f"{listed(both)} cannot both win and lose")
    if {*winners}.issuperset(sides):
        raise ValueError("a battle cannot be won by all its sides; name one winner, or write: a draw")
    if claims.declined:
        if winners or losses or claims.score or claims.units or len({*claims.declined}) == len(sides):
            raise ValueError("a declined battle has no losses; name only the side that declined")
        winners = [key for key in sides if key not in claims.declined]
        losses = dict.fromkeys(sides, "0")
    left = [key for key in sides if key not in losses]
    if left:
        raise ValueError(f"the losses of {listed(left)} are missing")
    table = {"battle": battle, "side": side, "winners": winners, "losses": losses, "score": claims.score}
    table |= {"units": claims.units, "declined": claims.declined}
    return ReportedResult.model_validate(table)


def read_claims(side: str, report: str, sides: SideNames, rosters: Rosters) -> Claims:
    """Parse what a text says about a battle. Raises ValueError if a part of it is not clear."""
    winners: list[str] = []
    losses: dict[str, str] = {}
    score: dict[str, int] = {}
    units: dict[str, dict[str, int]] = {}
    declined: list[str] = []
    unhurt: list[str] = []
    beaten: dict[str, str] = {}  # sides that lost the battle, with the text behind it
    is_decided = False
    last = side  # the side of a clause without a name
    for part in without_remarks(clauses(report), sides):
        name, verb, remainder = split_verb(part)
        if verb == "declined" and not can_stand_before_decline(name, sides):
            refuse_remark_before_decline(name, side, sides)
        else:
            name = without_interjection(without_sentence(name, sides, rosters), sides, rosters)
        name = last = name or last
        if DRAW.fullmatch(part.strip()):
            is_decided = True
        elif verb == "won" and not RESULT.search(remainder):
            winners.append(key_of(name, sides))
            is_decided = True
        elif verb == "declined" and not remainder:
            declined.append(key_of(name, sides))
            is_decided = True
        elif verb == "lost" and remainder.isdecimal() and (unit := unit_named(name, rosters)):
            units.setdefault(unit[0], {})[unit[1].label] = int(remainder[:9])
            unhurt += [name] if not int(remainder[:9]) else []
        elif verb == "lost" and not SHARE.search(remainder) and is_only_remark(remainder, ()):
            beaten[key_of(name, sides)] = remainder  # as in "we lost again", if the share follows
        elif verb == "lost":
            keys = [*sides] if BOTH_SIDES.fullmatch(name) else [key_of(name, sides)]
            share = str(read_losses(remainder))
            for key in keys:
                if losses.setdefault(key, share) != share:
                    raise ValueError(f"the losses of {key} are given twice")
        elif verb == "scored" and remainder.isdecimal() and len(remainder) < 7:
            key = key_of(name, sides)
            if score.setdefault(key, int(remainder)) != int(remainder):
                raise ValueError(f"the score of {key} is given twice")
        else:
            raise ValueError(f"{quoted(part)} is not clear")
    if len(beaten) == 1 and not is_decided and len(sides) == 2:
        winners = [key for key in sides if key not in beaten]
        is_decided = True
    for name in unhurt:  # a unit can have the name of a side, which then had no losses
        with suppress(ValueError):
            losses.setdefault(key_of(name, sides), "0")
    return Claims(winners if is_decided else None, beaten, losses, score, units, declined)


def without_remarks(parts: Sequence[str], sides: SideNames) -> list[str]:
    """Return the parts of a report without greetings before it and remarks behind it.

    Such a part, for example `too many of them`, does not name a side, except with words such as `they`.
    """
    words = set().union(*(name_words(key, *each) for key, each in sides.items()))
    names = words.difference(*(each.split() for each in (*US, *THEM, *HIM)), SMALL)
    left = [part for part in parts if not SCORE.fullmatch(part.strip())]
    while len(left) > 1 and is_remark_beside(left[-1], names):
        left.pop()
    while len(left) > 1 and is_remark_beside(left[0], names):
        del left[0]
    return left


def without_sentence(name: str, sides: SideNames, rosters: Rosters) -> str:
    """Return the name in a part of a report without a remark before it, as in `Well fought. We won`.

    The name of a side or a unit can contain a full stop. A sentence with a number can belong to the result.
    """
    *remarks, sentence = SENTENCE_END.split(name)
    has_number = any(map(str.isdigit, "".join(remarks)))
    if not remarks or has_number or unit_named(name, rosters):
        return name
    with suppress(ValueError):
        return key_of(name, sides)
    return sentence


def without_interjection(name: str, sides: SideNames, rosters: Rosters) -> str:
    """Return the name in a part of a report without a word such as `yes` before it, as in `Yes we won`."""
    plain = INTERJECTION.sub("", name, count=1)
    if plain == name or unit_named(name, rosters):
        return name
    with suppress(ValueError):
        return key_of(name, sides)
    return plain


def can_stand_before_decline(name: str, sides: SideNames) -> bool:
    """Return True if a remark before the name of a side that declines changes nothing, and names no side."""
    words = set().union(*(name_words(key, *each) for key, each in sides.items())).difference(SMALL)
    remark = AFTER_ALL.sub("", " ".join(SENTENCE_END.split(QUESTION.sub("", name))[:-1]))
    return is_only_remark(REGRET.sub("", remark), words)


def refuse_remark_before_decline(name: str, side: str, sides: SideNames) -> None:
    """Raise ValueError if the name of a side that declines stands behind a remark that can change this."""
    *remarks, subject = SENTENCE_END.split(name)
    key = key_of(subject, sides)
    form = "we decline" if key == side else f"{key} declined"
    raise ValueError(f"{quoted(' '.join(remarks))} can change what follows; write only: {form}")


def is_remark_beside(part: str, names: Collection[str]) -> bool:
    """Return True if a part of a report gives no result, and names none of the sides with these words."""
    if DRAW.fullmatch(part.strip()) or re.search(r"\d", part) or split_verb(part)[1]:
        return False
    return WORD.search(part) is not None and is_only_remark(REGRET.sub("", QUESTION.sub("", part)), names)


def unit_named(word: str, rosters: Rosters) -> tuple[str, BattleUnit] | None:
    """Return a pair (side, unit), or None if no unit has this name.

    If several forces have a unit with this name, the force must come first, as in `birch.Gunners`. A side
    counts as its first force, unless this force has no such unit. Raises ValueError if the force is missing.
    """
    units = [(key, unit) for key, roster in rosters.items() for unit in roster]
    matches = [pair for pair in units if is_alike(pair[1].name, word)]
    if not matches:
        owner, _, name = word.partition(".")
        owned = [pair for pair in units if is_alike(pair[1].name, name)]
        of_force = [pair for pair in owned if pair[1].force == owner.casefold()]
        matches = of_force or [pair for pair in owned if pair[0] == owner.casefold()]
    exact = [pair for pair in matches if word in (pair[1].name, pair[1].full_label)]
    matches = exact if len(exact) == 1 else matches
    if len(matches) > 1:
        labels = listed((unit.full_label for _, unit in matches), "or")
        raise ValueError(f"several forces have {quoted(word)}; write {labels}")
    return matches[0] if matches else None


def reports_of(campaign: Campaign, battle: str) -> dict[str, ReportedResult]:
    """Return the reports that the sides of a pending battle have sent, by their forces as in `reporters`.

    A side that no longer fights in the battle does not count.
    """
    pending = campaign.battle(battle)
    known = reporters(campaign, pending) if pending else ()
    reports = (report for report in campaign.reported if report.battle == battle)
    return {report.side: report for report in reports if report.side in known}


def is_repeated(campaign: Campaign, report: ReportedResult) -> bool:
    """Return True if the side has already sent this report. Mail often quotes earlier reports."""
    earlier = reports_of(campaign, report.battle).get(report.side)
    if earlier is None or not earlier.matches(report):
        return False
    return (earlier.units, earlier.score) == (report.units, report.score)


def missing_reports(campaign: Campaign, battle: Pending, reports: Mapping[str, ReportedResult]) -> list[str]:
    """Return the reporters of a battle whose reports are missing. A substitute need not report.

    One report of each side is enough, and none is needed from the other side of one that declines. But all
    factions of a side must agree to decline. No report is missing if those of one side differ already.
    """
    sides = reporters(campaign, battle)
    if any(not do_agree([reports[key] for key in reports if sides[key] == side]) for side in battle.keys):
        return []
    missing = [key for key in sides if key not in reports and not is_substituted(campaign, key)]
    declining = own_declines(campaign, battle, reports)
    if declining and len(declining) == len(reports):
        return [key for key in missing if sides[key] in declining.values()]
    reported = {sides[key] for key in reports}
    is_open = do_agree([*reports.values()])  # otherwise the umpire decides
    return [
        key for key in missing if sides[key] not in reported or (is_open and sides[key] in declining.values())
    ]


def own_declines(
    campaign: Campaign, battle: Pending, reports: Mapping[str, ReportedResult]
) -> dict[str, str]:
    """Return a dict from the reporters who say that their own side declines to their sides."""
    sides = reporters(campaign, battle)
    return {key: sides[key] for key, report in reports.items() if report.declined == [sides[key]]}


def is_reported_by_ally(campaign: Campaign, battle: Pending, key: str) -> bool:
    """Return True if an ally of a reporter has reported for their side, so that the reporter need not."""
    reports, sides = reports_of(campaign, battle.id), reporters(campaign, battle)
    has_reported = any(sides[other] == sides[key] for other in reports if other != key)
    return (
        has_reported
        and key not in reports
        and key not in missing_reports(campaign, battle, reports)
        and not refusers(battle, reports.values())
    )


def players_to_report(campaign: Campaign, battle: Pending) -> list[str]:
    """Return the reporters of a battle without those who have a substitute."""
    return [key for key in reporters(campaign, battle) if not is_substituted(campaign, key)]


def leading_force(campaign: Campaign, battle: Pending, key: str) -> str:
    """Return the force whose player commands a side of a battle by message, given the key of the side.

    It is the first one whose player has no substitute, or the first of all.
    """
    return leader_of(campaign, next((side for side in battle.sides if side[0] == key), [key]))


def leader_of(campaign: Campaign, forces: Sequence[str]) -> str:
    """Return the `leading_force` of these forces, which fight as one side."""
    return next((force for force in forces if not is_substituted(campaign, force)), forces[0])


def commanding_ally(campaign: Campaign, battle: Pending, faction: str) -> str:
    """Return the ally whose player commands the forces of a faction in a battle by message, or ""."""
    for side in battle.sides:
        if faction in factions_of_side(campaign, side):
            leader = campaign.forces[leading_force(campaign, battle, side[0])].faction
            return leader if leader != faction else ""
    return ""


def is_substituted(campaign: Campaign, force: str) -> bool:
    """Return True if a substitute replaces the player of a force in this turn."""
    return has_substitute(campaign, campaign.forces[force].faction)


def refusers(battle: Pending, reports: Iterable[ReportedResult]) -> list[str]:
    """Return the sides that decline a battle between more than two sides, by these reports.

    The other sides may still want to fight, so that the umpire decides. If a side declines a battle between
    two, the other side wins, and the list is empty.
    """
    names = {side for report in reports for side in report.declined}
    return [key for key in battle.keys if key in names] if len(battle.keys) > 2 else []


def refuser_names(campaign: Campaign, battle: Pending, reports: Mapping[str, ReportedResult]) -> list[Noun]:
    """Return the names of the sides in `refusers`, or of the factions of a joint side that report this."""
    names: list[Noun] = []
    declines = own_declines(campaign, battle, reports)
    for side in refusers(battle, reports.values()):
        own_keys = [key for key, of_side in declines.items() if of_side == side]
        names += [name_of_reporter(campaign, battle, key) for key in own_keys] or [
            name_in(campaign, battle)(side)
        ]
    return names


def do_agree(reports: Sequence[ReportedResult]) -> bool:
    return all(first.matches(second) for first, second in combinations(reports, 2))


def result_of(report: ReportedResult) -> Result:
    sides = {key: SideResult(report.score.get(key, 0), lost) for key, lost in report.losses.items()}
    return Result(list(report.winners), sides)


def plan_report(
    books: CampaignFile, ledger: Ledger, report: ReportedResult, reason: str = ""
) -> list[Operation]:
    """Return the operations that record a side's report.

    If all reports have arrived and agree, the operations record the result too. If the reports differ, the
    notes show all versions, and the umpire decides. A side that reports before the other side that it
    declines the battle needs no confirmation, because only this side can say so, but all its factions must
    report this. If there are more than two
    sides, the umpire decides whether the others fight. Raises InvalidInput if the campaign does not let both
    sides confirm results.
    """
    campaign = books.campaign
    if campaign.results.confirm != BOTH:
        remedy = 'campaign import, or let the sides confirm them: campaign set results.confirm "both"'
        raise InvalidInput(f"the umpire enters the results of this campaign; write {remedy}")
    battle = campaign.battle(report.battle)
    if battle is None:
        raise InvalidInput(not_pending(campaign, report.battle))
    reports = reports_of(campaign, battle.id) | {report.side: report}
    is_decided = not refusers(battle, reports.values())
    missing = missing_reports(campaign, battle, reports)
    is_declined = len(own_declines(campaign, battle, reports)) == len(reports)
    if is_decided and is_declined and not missing:
        name = with_verb(name_in(campaign, battle)(report.declined[0]), "declines|decline")
        note = f"{name} battle {battle.id}; no other side needs to confirm this"
        operation = decline_battle(campaign, battle.id, report.declined, reason or "reported by this side")
        return [operation._replace(notes=[note])]
    if is_decided and not missing and do_agree([*reports.values()]):
        return confirmed(books, ledger, battle.id, report, reason)
    entry = Entry(0, KIND, [replace_reports(campaign, battle.id, reports)], id=battle.id, reason=reason)
    is_read = is_decided and missing and not own_declines(campaign, battle, {report.side: report})
    read = [f"read as: {version(campaign, report)}"] if is_read else []
    notes = [*read, *report_notes(campaign, battle, reports, missing)]
    return [Operation(entry, notes=notes, keeps_lines=True)]


def report_notes(
    campaign: Campaign, battle: Pending, reports: Mapping[str, ReportedResult], missing: Sequence[str]
) -> list[str]:
    """Return notes about the sides whose reports are missing, or about differences between the reports.

    If a side declines a battle between more than two sides, the note says what the umpire can do.
    """
    if refusers(battle, reports.values()):
        names = with_verb(together(refuser_names(campaign, battle, reports)), "declines|decline")
        return [
            f"{names} battle {battle.id}, and you decide whether the other sides fight: "
            f"{decision(battle, reports.values())}",
        ]
    names = listed(name_of_reporter(campaign, battle, key) for key in missing)
    if missing and (declining := own_declines(campaign, battle, reports)):
        side = next(iter(declining.values()))
        decide = f"cardbattle campaign fight {battle.id}, or cardbattle campaign decline {battle.id} {side}"
        return [f"battle {battle.id} is declined only if {names} declines it too; or decide it: {decide}"]
    if missing:
        return [f"battle {battle.id} waits for the report of {names}"]
    return [
        f"battle {battle.id}: the reports differ",
        *versions(campaign, reports),
        "the battle stays pending until a side sends another report; or "
        f"{decision(battle, reports.values())}",
    ]


def decision(battle: Pending, reports: Collection[ReportedResult]) -> str:
    """Say how the umpire decides a battle with these reports, with the commands."""
    if refusing := refusers(battle, reports):
        left = len(battle.sides) - len(refusing)
        end = f"decline {battle.id} {' '.join(refusing)}" if left else f"cancel {battle.id}"
        command = f"cardbattle campaign {end}"
        if left > 1:
            go_on = f"let the other sides of battle {battle.id} fight with: {edit_without(battle, refusing)}"
            return f"{go_on}; or end it for all with: {command}"
        return f"end battle {battle.id} with: {command}"
    score = " --score SIDE=5" if any(report.score for report in reports) else ""
    values = f"--winner SIDE --losses SIDE=1/4{score}"
    override = f"cardbattle campaign override {battle.id} {values} --reason TEXT"
    is_declined = any(report.declined for report in reports)
    decline = f"; or: cardbattle campaign decline {battle.id} SIDE" if is_declined else ""
    return f"decide battle {battle.id} with: {override}{decline}"


def edit_without(battle: Pending, refusing: Collection[str]) -> str:
    """Return the command that takes sides out of a pending battle, so that the others fight."""
    sides = ["+".join(side) for side in battle.sides if side[0] not in refusing]
    side_options = " ".join(f"--side {side}" for side in sides)
    words = "".join(f" --unset {word}" for word in settings_of(battle, refusing))
    return f"cardbattle campaign edit {battle.id} {side_options}{words}"


def settings_of(battle: Pending, sides: Collection[str]) -> Iterator[str]:
    """Yield the settings of a battle that concern these sides, as `campaign edit --unset` names them."""
    for word in ("options", "names", "plural"):
        yield from (f"{word}.{key}" for key in getattr(battle, word) if key in sides)
    if battle.defender in sides:
        yield "defender"


def report_contradictions(campaign: Campaign, battle: BattleResult) -> Iterator[str]:
    """Yield a sentence for each waiting report of a side that differs from the result of its battle.

    `campaign` is the campaign before the result. The score of a side counts only if both give it.
    """
    result = battle.result
    for side, report in reports_of(campaign, battle.id).items():
        declined = [key for key in result.sides if key not in result.winners]
        table: dict[str, object] = {"battle": battle.id, "side": side, "winners": result.winners}
        table["losses"] = {key: str(each.losses) for key, each in result.sides.items()}
        table["score"] = {key: each.score for key, each in result.sides.items() if each.score}
        table["declined"] = declined if battle.kind == DECLINED else []
        if not report.matches(ReportedResult.model_validate(table)):
            name = with_verb(sender_name(campaign, report), "has|have")
            text = f"{name} reported another result: {version(campaign, report)}"
            yield f"battle {battle.id}: {text}; to restore this report, use: cardbattle campaign undo"


def winner_contradiction(campaign: Campaign, battle: str, winners: Collection[str]) -> list[str]:
    """Return a note if all waiting reports name the same winners of a battle, and the umpire names others.

    `campaign` is the campaign before the result.
    """
    reports = reports_of(campaign, battle).values()
    named = {frozenset(report.winners) for report in reports}
    if len(named) != 1 or named == {frozenset(winners)} or any(report.declined for report in reports):
        return []
    sides = listed(sender_name(campaign, report) for report in reports)
    [reported] = named
    winner = mid_sentence(listed(map(name_in(campaign, campaign.battle(battle)), reported)))
    won = f"that {winner} won" if reported else "a draw"
    return [f"battle {battle}: {sides} reported {won}; if this is right, use: cardbattle campaign undo"]


def report_sentence(campaign: Campaign, battle: Pending) -> str:
    """Name the sides that have reported the result of a battle. The sentence is empty without a report."""
    reports = reports_of(campaign, battle.id)
    if refusers(battle, reports.values()):
        names = together(refuser_names(campaign, battle, reports))
        return f"{with_verb(names, 'declines|decline')} battle {battle.id}"
    sides = [name_of_reporter(campaign, battle, key) for key in reporters(campaign, battle) if key in reports]
    if own_declines(campaign, battle, reports):
        return f"{with_verb(together(sides), 'declines|decline')} battle {battle.id}"
    return f"battle {battle.id} was played at the table, as {listed(sides)} reported" if sides else ""


def versions(campaign: Campaign, reports: Mapping[str, ReportedResult]) -> list[str]:
    """Return a sentence about the report of each side."""
    return [
        f"{with_verb(sender_name(campaign, report), 'reports|report')}: {version(campaign, report)}"
        for report in reports.values()
    ]


def name_in(campaign: Campaign, battle: Pending | None) -> Callable[[str], Noun]:
    """Return a function that returns the name of a side of a battle, with all its forces, given its key."""
    sides = {side[0]: side for side in battle.sides} if battle else {}
    return lambda key: campaign.side_name(sides.get(key, [key]), battle)


def sender_name(campaign: Campaign, report: ReportedResult) -> Noun:
    battle = campaign.battle(report.battle)
    return name_of_reporter(campaign, battle, report.side) if battle else campaign.display_name(report.side)


def name_of_reporter(campaign: Campaign, battle: Pending, key: str) -> Noun:
    """Return the name of the side in whose name a force reports, or of its faction on a joint side."""
    sides = reporters(campaign, battle)
    if [*sides.values()].count(sides[key]) > 1:
        return campaign.faction_name(campaign.forces[key].faction)
    return name_in(campaign, battle)(key)


def version(campaign: Campaign, report: ReportedResult) -> str:
    """Describe the result that a side reported, with the losses of units and the scores."""
    name_of = name_in(campaign, campaign.battle(report.battle))
    if report.declined:
        return f"{listed(map(name_of, report.declined))} declined"
    units = [
        f"{name_of(side)}: {', '.join(f'{name} {number}' for name, number in lost.items())}"
        for side, lost in report.units.items()
        if lost
    ]
    text = result_text(result_of(report), name_of)
    text = f"{text} ({'; '.join(units)})" if units else text
    scores = [f"{name_of(key)} scored {points}" for key, points in report.score.items()]
    return f"{text}; {', '.join(scores)}" if scores else text


def confirmed(
    books: CampaignFile, ledger: Ledger, battle: str, report: ReportedResult, reason: str
) -> list[Operation]:
    """Return the operations that record a confirmed result.

    Raises InvalidInput or NeedsUmpire if the result does not fit the battle.
    """
    reports = reports_of(books.campaign, battle) | {report.side: report}
    units: dict[str, dict[str, int]] = {}
    score: dict[str, int] = {}
    for each in reports.values():
        score |= each.score
        for side, lost in each.units.items():
            units[side] = units.get(side, {}) | lost
    result = result_of(report.model_copy(update={"score": score}))
    found = BattleResult(battle, result, result_digest(battle, result), kind="import", units=units)
    why = reason or confirmation_words(books.campaign, battle, [*reports])
    if report.declined:
        return [decline_battle(books.campaign, battle, report.declined, why)]
    return plan_import(books, ledger, [found], reason=why).operations


def confirmation_words(campaign: Campaign, battle: str, sides: Collection[str]) -> str:
    """Say which sides reported a battle's result. All other sides have a substitute."""
    pending = campaign.battle(battle)
    of_side = reporters(campaign, pending) if pending else {}
    sides = dict.fromkeys(of_side.get(key, key) for key in sides)
    absent = [key for key in pending.keys if key not in sides] if pending else []
    if not absent:
        return f"confirmed by {'both' if len(sides) == 2 else 'all'} sides"
    names = listed(map(campaign.display_name, sides))
    has = with_verb(together(map(campaign.display_name, absent)), "has|have")
    return f"reported by {names}; {has} a substitute"


def replace_reports(campaign: Campaign, battle: str, reports: Mapping[str, ReportedResult]) -> Change:
    """Return the change that replaces the reports of one battle. Reports of other battles are kept."""
    before = value_at(campaign.data, ("reported",))
    tables = before if isinstance(before, list) else []
    others = [table for table in tables if not isinstance(table, dict) or table.get("battle") != battle]
    left = [*others, *(report.table() for report in reports.values())]
    return Change(("reported",), before, left or None)

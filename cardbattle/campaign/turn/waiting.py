"""List the duties of players and umpire, with the times when they began and their deadlines.

Duties are orders, answers, results and confirmations. The list is computed from the campaign, its ledger, the
files of battles in progress, and the given time. The order of commands does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardbattle.campaign.exchange.confirmation import (
    KIND,
    do_agree,
    is_substituted,
    leading_force,
    missing_reports,
    own_declines,
    players_to_report,
    refusers,
    reports_of,
)
from cardbattle.campaign.exchange.order_book import has_substitute, statuses
from cardbattle.campaign.league.agreement import disagreements, repair
from cardbattle.campaign.league.league_table import PENDING, League
from cardbattle.campaign.league.rounds import outcome_words
from cardbattle.campaign.ledger.history import first_of_turn
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.phases.battles import SHEET
from cardbattle.campaign.phases.finished_phases import has_moved
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.turn.deadline import deadline, moment, turn_began
from cardbattle.campaign.turn.in_progress import (
    AT_TABLE,
    GO_ON_AT_TABLE,
    OVER,
    RECORD_IT,
    UNREADABLE,
    WAITING,
    BattleInProgress,
)
from cardbattle.campaign.turn.retreat_choices import open_retreats, open_since
from cardbattle.core.grammar import mid_sentence, with_verb
from cardbattle.core.names import listed

ORDERS, OPEN, ANSWER, CONFIRM, CHECK, DECIDE, RECORD, FIGHT, RETREAT, DRAW = (
    "orders", "open", "answer", "confirm", "check", "decide", "record", "fight", "retreat", "draw",
)  # fmt: skip
ALLY_DECLINES = "say if you decline battle"
DRAW_ROUND = "cardbattle campaign fixtures"


class Duty(NamedTuple):
    """A duty of a player or of the umpire.

    Attributes:
        kind: `orders`, `open`, `answer`, `confirm`, `check`, `decide`, `record`, `fight`,
            `retreat` or `draw`.
        factions: the keys of the factions with this duty. The umpire's duties have no factions.
        battle: the id of the battle that the duty concerns, or an empty string.
        words: a description of the duty without names.
        since: the time when the duty began, in the ledger's format, or an empty string if it is unknown.
        until: the deadline in the ledger's format, or an empty string without a deadline.
        is_one_of: True if only one of the factions has the duty, and naming it would reveal cards.
        sides: the keys of the sides of the battle that actually have the duty, the forces in whose names a
            battle must be reported, or the force that must retreat. They must never be shown.
        is_secret: True if the faction may have answered in secret already, which the list must not show.

    """

    kind: str
    factions: Sequence[str]
    battle: str
    words: str
    since: str = ""
    until: str = ""
    is_one_of: bool = False
    sides: Sequence[str] = ()
    is_secret: bool = False

    def is_overdue(self, current_time: str) -> bool:
        """Return True if the deadline has passed at the time `current_time`."""
        return bool(self.until) and moment(self.until) < moment(current_time)

    def is_half_over(self, current_time: str) -> bool:
        """Return True if at `current_time` at least half of the time until the deadline has passed."""
        if not (self.since and self.until):
            return False
        since, until, now = map(moment, (self.since, self.until, current_time))
        return now - since >= until - now


def duties(campaign: Campaign, ledger: Ledger, progress: Mapping[str, BattleInProgress]) -> list[Duty]:
    """Return all duties. Duties of players come before duties of the umpire.

    `progress` is a dict from battle ids to battles in progress. Factions with a substitute have no duties.
    """
    added = times_added(campaign, ledger)
    open_duties = [
        *order_duties(campaign, ledger),
        *retreat_duties(campaign, ledger),
        *league_duties(campaign, ledger),
    ]
    for battle in campaign.pending:
        open_duties += battle_duties(
            campaign, ledger, battle, progress.get(battle.id), added.get(battle.id, "")
        )
    return sorted(open_duties, key=lambda duty: not duty.factions)


def order_duties(campaign: Campaign, ledger: Ledger) -> Iterator[Duty]:
    """Yield the duties of factions that must send orders to move or open sealed orders."""
    if campaign.movement is None or has_moved(ledger):
        return
    table = statuses(campaign)
    since, until = turn_began(campaign, ledger), orders_until(campaign, ledger)
    length = campaign.deadlines.orders if campaign.deadlines else None
    for status in table:
        if not status.is_in:
            duty_text = f"orders for turn {campaign.turn}"
            yield Duty(ORDERS, [status.faction], "", duty_text, since, until)
    closed = [status.faction for status in table if status.must_open]
    if closed and all(status.is_in for status in table):
        complete = orders_complete(campaign, ledger) or since
        duty_text = f"open the sealed orders for turn {campaign.turn}"
        for faction in closed:
            yield Duty(OPEN, [faction], "", duty_text, complete, deadline(complete, length))


def orders_until(campaign: Campaign, ledger: Ledger) -> str:
    """Return the deadline for the orders of this turn, or ""."""
    return deadline(turn_began(campaign, ledger), campaign.deadlines.orders if campaign.deadlines else None)


def idle_factions(campaign: Campaign, ledger: Ledger) -> list[str]:
    """Return the factions that have no forces to order before the movement of this turn.

    Unless `Visibility.shows_forces` is True, only the umpire may know them.
    """
    if campaign.movement is None or has_moved(ledger):
        return []
    return [status.faction for status in statuses(campaign) if status.is_idle and not status.is_replaced]


def battle_duties(
    campaign: Campaign, ledger: Ledger, battle: Pending, begun: BattleInProgress | None, added: str
) -> Iterator[Duty]:
    """Yield the duties of a pending battle.

    `begun` is the progress of the battle, or None if no player has begun it. `added` is the time when the
    battle became pending.
    """
    reports = reports_of(campaign, battle.id)
    lengths = campaign.deadlines
    if reports:
        missing = missing_reports(campaign, battle, reports)
        since = first_time(ledger, lambda entry: entry.kind == KIND and entry.id == battle.id, (KIND,))
        if refusers(battle, reports.values()):
            duty_text = f"decide battle {battle.id}, which a side declines"
            yield Duty(DECIDE, [], battle.id, duty_text, since)
        elif missing:
            until = deadline(since, lengths.confirm if lengths else None)
            duty_text = f"confirm the result of battle {battle.id}"
            if own_declines(campaign, battle, reports):
                duty_text, until = f"{ALLY_DECLINES} {battle.id} too, as an ally does", ""
            for side in missing:
                yield Duty(
                    CONFIRM, factions_of(campaign, [side]), battle.id, duty_text, since, until, sides=[side]
                )
        else:
            differ = "" if do_agree([*reports.values()]) else ": the reports differ"
            duty_text = f"check the report of battle {battle.id}{differ}"
            asked = [side for side in players_to_report(campaign, battle) if side in reports]
            for side in asked if differ else ():
                yield Duty(CHECK, factions_of(campaign, [side]), battle.id, duty_text, since, sides=[side])
            yield Duty(DECIDE, [], battle.id, f"decide battle {battle.id}{differ}", since)
    elif begun is None:
        duty_text = f"fight battle {battle.id}, or have it played at the table: {SHEET.format(battle.id)}"
        yield Duty(FIGHT, [], battle.id, duty_text, added)
    elif begun.state == WAITING:
        leaders = {
            side: leading_force(campaign, battle, side) for side in begun.waiting if side in battle.keys
        }
        playing = [side for side, leader in leaders.items() if not is_substituted(campaign, leader)]
        until = deadline(begun.since, lengths.answer if lengths else None)
        duty_text = f"answer in battle {battle.id}"
        groups = [playing] if begun.is_one_of and playing else [[side] for side in playing]
        for group in groups:
            owing = [side for side in group if side in begun.owing]
            whose = factions_of(campaign, [leaders[side] for side in group])
            duty = Duty(ANSWER, whose, battle.id, duty_text, begun.since, until, begun.is_one_of, owing)
            yield duty._replace(is_secret=len(groups) > 1)
    elif begun.state == AT_TABLE:
        until = deadline(begun.since, lengths.result if lengths else None)
        duty_text = f"enter the moves of battle {battle.id}: {GO_ON_AT_TABLE.format(battle.id)}"
        yield Duty(RECORD, [], battle.id, duty_text, begun.since, until)
    elif begun.state in (OVER, UNREADABLE):
        verb = "record" if begun.state == OVER else "repair the file of"
        how = f": {RECORD_IT.format(battle.id)}, or campaign advance" if begun.state == OVER else ""
        yield Duty(RECORD, [], battle.id, f"{verb} battle {battle.id}{how}", begun.since)


def retreat_duties(campaign: Campaign, ledger: Ledger) -> Iterator[Duty]:
    """Yield the duty to choose each retreat for which the turn waits after its battles.

    The duty begins when its player can be asked. The umpire chooses for a faction with a substitute.
    """
    for question in open_retreats(campaign, ledger):
        faction = campaign.forces[question.force].faction
        since = open_since(campaign, ledger, question.force)
        if has_substitute(campaign, faction):
            yield Duty(RETREAT, [], question.battle, question.words(campaign), since)
        else:
            name = with_verb(mid_sentence(campaign.display_name(question.force)), "retreats|retreat")
            until = deadline(since, campaign.deadlines.answer if campaign.deadlines else None)
            duty_text, force = f"choose where {name}", [question.force]
            yield Duty(RETREAT, [faction], question.battle, duty_text, since, until, sides=force)


def league_duties(campaign: Campaign, ledger: Ledger) -> Iterator[Duty]:
    """Yield the duty to draw the next round of the league, unless the league is over.

    If a drawn round does not agree with the results, the duty is to draw it again.
    """
    if campaign.fixtures is None:
        return
    league = League(campaign, ledger, campaign.fixtures)
    for disagreement in disagreements(league)[:1]:
        yield Duty(DRAW, [], "", repair(league, disagreement))
        return
    is_open = any(league.state(match) == PENDING for drawn in campaign.round for match in drawn.matches)
    if not is_open and not outcome_words(league):
        which = "next" if campaign.round else "first"
        yield Duty(DRAW, [], "", f"draw the {which} round of the league: {DRAW_ROUND}")


def factions_of(campaign: Campaign, sides: Sequence[str]) -> list[str]:
    """Return the factions of the sides' leading forces, without duplicates."""
    return list(dict.fromkeys(campaign.forces[side].faction for side in sides))


# Times


def orders_complete(campaign: Campaign, ledger: Ledger) -> str:
    """Return the time when the last orders of this turn came in, or "" without orders.

    Sealed orders count, and opening a seal does not.
    """
    first, gone = first_of_turn(ledger, campaign.turn), ledger.undone_revisions
    for revision in range(ledger.whole_entries, first - 1, -1):
        keys = [change.key for change in ledger.entry(revision).changes if change.after is not None]
        is_order = any(key[0] == "orders" or (key[0], key[-1]) == ("sealed_orders", "seal") for key in keys)
        is_opening = any((key[0], key[-1]) == ("sealed_orders", "salt") for key in keys)
        if revision not in gone and is_order and not is_opening:
            return ledger.entry(revision).time
    return ""


def first_time(ledger: Ledger, is_meant: Callable[[Entry], bool], kinds: Sequence[str]) -> str:
    """Return the time of the first valid entry for which `is_meant` returns True.

    Only entries of these `kinds` are searched. Returns an empty string if no entry matches.
    """
    gone = ledger.undone_revisions
    for revision in ledger.heads.revisions(tuple(kinds), ledger.whole_entries):
        if revision not in gone and is_meant(ledger.entry(revision)):
            return ledger.entry(revision).time
    return ""


ADDING = ("add", "edit", "contact", "fixtures", "schedule", "event", "undo", "redo")


def times_added(campaign: Campaign, ledger: Ledger) -> dict[str, str]:
    """Return a dict from the ids of pending battles to the times when they were added.

    Battles that were pending at the start of the campaign are not in the dict.
    """
    times: dict[str, str] = {}
    left = {battle.id for battle in campaign.pending}
    gone = ledger.undone_revisions
    for revision in reversed(ledger.heads.revisions(ADDING, ledger.whole_entries)):
        if not left:
            break
        entry = ledger.entry(revision) if revision not in gone else None
        for change in entry.changes if entry else ():
            if is_battle(change.key) and change.key[1] in left and change.before is None:
                times[change.key[1]] = entry.time if entry else ""
                left.discard(change.key[1])
    return times


# Deadlines


def overdue(open_duties: Sequence[Duty], current_time: str) -> list[Duty]:
    """Return the duties whose deadline has passed, in the order of `open_duties`."""
    return [duty for duty in open_duties if duty.is_overdue(current_time)]


def player_name(campaign: Campaign, faction: str) -> str:
    """Return the name of a faction, with its player's name if the reader may know it: `York (Ann)`."""
    player = campaign.factions[faction].player
    return f"{campaign.faction_name(faction)} ({player})" if player else str(campaign.faction_name(faction))


def duty_names(campaign: Campaign, duty: Duty) -> str:
    if not duty.factions:
        return "the umpire"
    names = [player_name(campaign, faction) for faction in duty.factions]
    return listed(names, "or" if duty.is_one_of else "and")

"""The chronicle of a campaign: each turn's battles and their cost, marches, and notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from cardbattle.battles.records.battle_file import default_name
from cardbattle.campaign.ledger.ledger import AFTERMATH, NOTE
from cardbattle.campaign.ledger.roster import factions_of_side
from cardbattle.campaign.phases.upkeep import SUPPLY
from cardbattle.campaign.state.apply import attrition_rate, lasting_losses, recorded_losses
from cardbattle.campaign.state.changes import is_battle, is_rename, is_stay, is_strength, is_table
from cardbattle.campaign.state.tables.aftermath import DESTROYED, STAYS, SURRENDERS
from cardbattle.campaign.state.tables.march_orders import (
    APART,
    AVOIDED,
    CORNERED,
    CROWDED,
    ENGAGED,
    IMPOSSIBLE,
    IN_BATTLE,
    IN_CIRCLE,
    NO_ROAD,
    NOT_THERE,
    OFF_PATH,
    SLOWED,
    STANDS_BY,
    UNSEEN,
    WEATHER,
    WITHDREW,
    avoidance_in,
    can_have_failure,
    failure_in,
    parse_order,
)
from cardbattle.campaign.visibility.edited_battles import with_later_sides
from cardbattle.campaign.visibility.reader import ALL
from cardbattle.campaign.visibility.redaction import is_peace, is_setting, sides_in
from cardbattle.campaign.visibility.visible_turns import RAISED
from cardbattle.commanders import DEFAULT
from cardbattle.core.grammar import (
    Noun,
    capital,
    choose_form,
    mid_sentence,
    together,
    with_article,
    with_verb,
)
from cardbattle.core.names import clean, listed, one_line
from cardbattle.core.telling import ENGLISH, Estimate, counted, winners_to_name
from cardbattle.show.pages.campaign.forces import unit_gains, unit_loss_sentence
from cardbattle.show.pages.campaign.history import (
    describe_change,
    describe_changes,
    hired_words,
    is_detail_of_substitute,
    meeting_words,
    name_today,
    without_detail,
)
from cardbattle.show.pages.campaign.reports.setting_words import rule_clause
from cardbattle.story.language import language
from cardbattle.story.naming import shorten_person

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.simulation.turning_points import TurningPoint

UNTOLD = ("undo", "redo", "rename", "story", "orders")  # entry kinds that the chronicle omits
ROUT = Fraction(1, 2)
END_UNDONE = "The end of turn {} was undone. Earlier reports of it and of later turns no longer count."
SENTENCE_ENDS = (".", "!", "?")
REASON_FOR_ALL = "The reason for these changes:"
RETREATED = {"strength", "location", "towards", "walked"}  # values that a retreat and a pursuit change


class ChronicleTurn(NamedTuple):
    """A turn of the chronicle, with its number, its heading, and sentences about its events."""

    number: int
    title: str
    sentences: list[str]


def chronicle_turns(
    visible: VisibleCampaign,
    turning_points: Mapping[int, Sequence[TurningPoint]],
    stories: Mapping[int, str] | None = None,
) -> list[ChronicleTurn]:
    """Return the turns that have events which the reader may know and which were not undone.

    `turning_points` maps the revision that recorded a battle to the battle's turning points. If a battle has
    a story, the story is used in place of the summary.
    """
    sentences: dict[int, list[str]] = {}
    number = int(initial_value(visible, "turn") or 0)
    name = initial_value(visible, "turn_name")
    names: dict[int, object] = {}
    ends: dict[int, int] = {}  # the last revision of each turn
    for recorded in visible.entries:
        if recorded.revision in visible.ledger.undone_revisions or recorded.kind in UNTOLD:
            continue
        entry = with_later_sides(visible, recorded)
        values = {change.key[0]: change.after for change in entry.changes if len(change.key) == 1}
        number = int(str(values.get("turn", number)))
        name = names[number] = values.get("turn_name", name)
        ends[number] = entry.revision
        turn = number if entry.turn is None else entry.turn
        is_setup = entry.revision in visible.setup_revisions
        points = turning_points.get(entry.revision, ())
        events = [] if is_setup else event_sentences(visible, entry, points)
        if stories and entry.revision in stories:
            events = [with_reason(stories[entry.revision], entry)]
        sentences.setdefault(turn, []).extend(map(clean, events))
    names[visible.campaign.turn] = visible.campaign.turn_name
    ends[visible.campaign.turn] = visible.ledger.whole_entries
    whens = {turn: visible.when(end, turn, clean(str(names.get(turn) or ""))) for turn, end in ends.items()}
    return [
        ChronicleTurn(
            turn, titled(visible.campaign, turn, whens.get(turn) or visible.campaign.when(turn, "")), events
        )
        for turn, events in sorted(sentences.items())
        if events
    ]


def with_reason(story: str, entry: Entry) -> str:
    return f"{story}{reason_words(one_line(entry.reason))}"


def reason_words(reason: str) -> str:
    """Return the reason of an entry for the end of its sentences: in brackets, or as a sentence if it is one.

    >>> reason_words("rain"), reason_words("The dyke broke."), reason_words("")
    (' (rain)', ' The dyke broke.', '')
    """
    if reason.endswith(SENTENCE_ENDS):
        return f" {capital(reason)}"
    return f" ({reason})" if reason else ""


def initial_value(visible: VisibleCampaign, word: str) -> Any:
    """Return the value that a key of the campaign, such as `turn`, had at the beginning of the ledger."""
    for entry in visible.entries:
        for change in entry.changes:
            if change.key == (word,):
                return change.before
    return getattr(visible.campaign, word)


def turn_title(campaign: Campaign, turn: int, name: str) -> str:
    """Return a turn's heading, such as `Turn 3: 15 to 21 July 1403`."""
    return titled(campaign, turn, campaign.when(turn, clean(name)))


def titled(campaign: Campaign, turn: int, when: str) -> str:
    """Return a turn's heading, given its name and dates. If the war has a last turn, it is named."""
    last = campaign.last_turn
    if last is not None and turn > last:
        return f"After turn {last}"
    return f"Turn {turn}{'' if last is None else f' of {last}'}{f': {when}' if when else ''}"


def title_of_turn(turn: VisibleTurn) -> str:
    """Return the heading of a turn as the reader sees it.

    It includes the turn's name, and its dates by the calendar of that time, if it has any.
    """
    campaign = turn.visible.campaign
    return turn_title(campaign, turn.number, str(campaign.turn_name or turn.last_name))


def note_sentence(campaign: Campaign, entry: Entry) -> str:
    """Return a note with its date, and with the faction that alone may read it."""
    reader = f"for {campaign.faction_name(entry.id)} alone" if entry.id else ""
    head = capital(", ".join(filter(None, (entry.date, reader))))
    return f"{head}: {entry.text}" if head else entry.text


def event_sentences(
    visible: VisibleCampaign, entry: Entry, turning_points: Sequence[TurningPoint] = ()
) -> list[str]:
    campaign = visible.campaign_after(entry)
    is_no_news = visible.ends_for_former_leaders | visible.rank_restorations
    changes = [
        change
        for change in entry.changes
        if (entry.revision, change.key) not in is_no_news
        and not leads_no_force(visible, entry, change)
        and not is_of_destroyed(visible, entry, change)
    ]
    entry = entry._replace(text=one_line(entry.text), reason=one_line(entry.reason), changes=changes)
    reason = reason_words(entry.reason)
    if entry.result is not None:
        note = f" {entry.text}" if entry.text else ""
        return [f"{battle_sentences(visible, entry)}{note}{turning_sentence(turning_points)}{reason}"]
    if entry.kind == NOTE:
        return [note_sentence(campaign, entry)]
    if entry.kind == "weather":
        return [f"The weather: {entry.text}."]
    if entry.kind == "contact":
        return [*contact_sentences(campaign, entry)]
    placed = {force for revision, force in visible.placements if revision == entry.revision}
    raised = {
        change.key[1]: visible.strength_then(change.key[1], entry.revision + 1)
        for change in changes
        if is_return(change)
    }
    sentences = [
        *march_sentences(campaign, entry, placed),
        *filter(None, event_change_sentences(campaign, entry, raised)),
        *placement_sentences(campaign, entry, placed),
    ]
    if entry.text:
        text = entry.text if entry.text.endswith(SENTENCE_ENDS) else f"{entry.text}."
        return [" ".join([text, *(f"{capital(sentence)}." for sentence in sentences)])]
    if says_peace(campaign, entry):
        sentences = []
    elif not sentences and entry.reason and entry.kind != "turn":
        sentences = [*new_turn_sentences(entry)]
    if not sentences:
        is_whole = entry.reason.endswith(SENTENCE_ENDS)
        return [capital(entry.reason) + "." * (not is_whole)] if entry.reason else []
    *others, last = (capital(sentence) for sentence in sentences)
    if others and reason:
        end = "." * (not reason.endswith(SENTENCE_ENDS))
        return [*(f"{sentence}." for sentence in (*others, last)), f"{REASON_FOR_ALL} {entry.reason}{end}"]
    last = f"{last}.{reason}" if reason.endswith(SENTENCE_ENDS) else f"{last}{reason}."
    return [*(f"{sentence}." for sentence in others), last]


def says_peace(campaign: Campaign, entry: Entry) -> bool:
    """Return True if the reason for changing a peace says everything that a sentence about it would say."""
    reason = entry.reason.casefold()
    changes = entry.changes
    factions = {key for change in changes if is_peace(change.key) for key in factions_at_peace(change)}
    return (
        bool(changes)
        and all(is_peace(change.key) for change in changes)
        and "peace" in reason
        and all(str(name_today(campaign, "factions", key)).casefold() in reason for key in factions)
    )


def factions_at_peace(change: Change) -> list[str]:
    """Return the faction whose peace changed, and those with which it has made or ended a peace."""
    before, after = (value if isinstance(value, list) else [] for value in (change.before, change.after))
    return [change.key[1], *{*before} ^ {*after}]


def leads_no_force(visible: VisibleCampaign, entry: Entry, change: Change) -> bool:
    """Return True if a deputy would take command of a force that a battle of this turn has destroyed."""
    is_command = change.key[0] == "forces" and change.key[2:] == ("commander",)
    return is_command and entry.kind == AFTERMATH and visible.was_destroyed(change.key[1], entry.revision)


def is_of_destroyed(visible: VisibleCampaign, entry: Entry, change: Change) -> bool:
    """Return True if a change only prepares the strength with which a destroyed force can return."""
    is_loss = entry.result is not None or entry.kind in LOSSES
    return is_strength(change.key) and not is_loss and visible.was_destroyed(change.key[1], entry.revision)


def is_return(change: Change) -> bool:
    """Return True if a destroyed force takes part again."""
    return change.key[0] == "forces" and change.key[2:] == ("destroyed",) and not change.after


def turning_sentence(turning_points: Sequence[TurningPoint]) -> str:
    """Return a sentence that names the turning points, or "" for an empty list."""
    if not turning_points:
        return ""
    places = "; ".join(turn.moment for turn in turning_points)
    return f" {'Turning points' if len(turning_points) > 1 else 'Turning point'}: {places}."


def battle_sentences(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe the result and the losses of a battle in one or two sentences."""
    campaign = visible.campaign_after(entry)
    battle = ResultSentence(campaign, entry)
    if entry.kind == "declined":
        return f"{capital(battle.declined())}."
    ruling = "By the umpire's ruling, " if entry.kind == "override" else ""
    destroyed = [
        f" {capital(destruction_sentence(campaign, change))}."
        for change in entry.changes
        if change.key[0] == "forces" and change.key[-1] == "destroyed" and change.after
    ]
    units = unit_loss_sentence(entry.changes)
    lost = f" For good, {units}." if units else ""
    return f"{capital(f'{ruling}{battle.outcome()}{battle.cost(visible)}')}.{lost}{''.join(destroyed)}"


class ResultSentence:
    """Writes a recorded battle's sentence: the sides, winners, losers and the place at stake."""

    def __init__(self, campaign: Campaign, entry: Entry) -> None:
        assert entry.result is not None
        self.campaign = campaign
        self.result = entry.result
        tables = [change.before for change in entry.changes if is_battle(change.key)]
        table = next((table for table in tables if isinstance(table, dict)), {})
        joined = {side[0]: side for side in sides_in(table)}
        self.entry = entry
        self.sides = {key: joined.get(key, [key]) for key in entry.result.sides}
        self.names = {
            key: mid_sentence(campaign.side_name(forces, table)) for key, forces in self.sides.items()
        }
        gone = {
            change.key[1] for change in entry.changes if change.key[2:] == ("destroyed",) and change.after
        }
        self.destroyed = [key for key, forces in self.sides.items() if {*forces} <= gone]
        self.losers = [key for key in entry.result.sides if key not in entry.result.winners]
        self.place = short_name(campaign, "locations", table["stakes"]) if "stakes" in table else ""
        stakes = campaign.locations.get(str(table.get("stakes")))
        self.owner = stakes.owner if stakes else None
        self.defender = table.get("defender")
        owners = [
            change for change in entry.changes if change.key[0] == "locations" and change.key[-1] == "owner"
        ]
        self.capture = owners[0] if owners else None

    def declined(self) -> str:
        """Return a clause that names the side that declined the battle, and who takes or holds the place."""
        decline = with_verb(together(self.names[key] for key in self.losers), "declines|decline")
        victors = together(self.names[key] for key in self.result.winners)
        end = f" against {victors}"
        if self.capture is not None:
            end = f"; {self.capture_clause(victors, self.capture)}"
        elif self.place and self.is_kept():
            end = f"; {with_verb(victors, 'holds|hold')} {self.place}"
        return f"{decline} battle{end}"

    def outcome(self) -> str:
        """Return a clause that names the winners, the losers and the place that was won."""
        winners = winners_to_name(self.result.winners, len(self.sides))
        if not winners:
            over = f" over {self.place}" if self.place else ""
            return f"{together(self.names.values())} fight to a draw{over}"
        names = together(self.names[key] for key in winners)
        losers = together(self.names[key] for key in self.losers)
        if self.capture is not None:
            clause = self.capture_clause(names, self.capture)
            return clause if self.capture.before else f"{clause}, beating {losers}"
        if self.place and len(winners) == 1 and self.is_kept():
            return f"{with_verb(names, 'holds|hold')} {self.place} against {losers}"
        at = f" at {self.place}" if self.place and len(winners) == 1 else ""
        return f"{with_verb(names, 'routs|rout' if self.is_rout() else 'beats|beat')} {losers}{at}"

    def is_kept(self) -> bool:
        """Return False if a story must not say that the winners held the place at stake.

        A loser stood there first, or it belongs to a faction that is not among the winners, but can be at
        peace with them.
        """
        if self.defender in self.losers:
            return False
        forces = [force for key in self.result.winners for force in self.sides[key]]
        factions = factions_of_side(self.campaign, forces)
        return not (self.owner and factions) or self.owner in factions

    def capture_clause(self, victors: Noun, change: Change) -> str:
        place = short_name(self.campaign, "locations", change.key[1])
        takes = with_verb(victors, "takes|take")
        if not change.before:
            return f"{takes} {place}"
        return f"{takes} {place} from {short_name(self.campaign, 'factions', change.before)}"

    def is_rout(self) -> bool:
        """Return True if every loser lost half or more of its strength, and the winners lost nothing."""
        sides = self.result.sides
        return all(sides[key].losses >= ROUT for key in self.losers) and not any(
            sides[key].losses for key in self.result.winners
        )

    def cost(self, visible: VisibleCampaign) -> str:
        """Return the lasting losses of the sides that lost anything in the battle, or "" if no side did.

        A side lost nothing for good if the reader knows that the strengths of its forces are unchanged. A
        side that was destroyed is left out. For unknown strengths, a loss is only an estimate, because the
        real one is rounded to a whole number.
        """
        recorded = self.recorded_losses(visible)
        lasting = lasting_losses(self.campaign, self.result, recorded)
        losses = {key: share for key, share in lasting.items() if key not in self.destroyed}
        computed = lasting_losses(self.campaign, self.result)
        shares = [
            (self.names[key], share_words(share, is_rough=key not in recorded and self.has_attrition(key)))
            for key, share in losses.items() if share or computed[key]
        ]  # fmt: skip
        if not shares:
            return ""
        if not any(losses.values()):
            return "; nothing is lost for good"
        (name, share), *more = shares
        if more and len(shares) == len(losses) and len({phrase for _, phrase in shares}) == 1:
            return f"; each loses {share} for good"
        if not more and self.losers == [key for key in losses if losses[key]] and self.capture is None:
            factions = map(mid_sentence, map(self.campaign.faction_name, self.campaign.factions))
            pronoun = "which" if name in factions and not name.is_plural else "who"
            return f", {pronoun} {choose_form('loses|lose', name.is_plural)} {share} for good"
        first = f"{with_verb(name, 'loses|lose')} {share} for good"
        return "; " + ", ".join([first, *(f"{side} {phrase}" for side, phrase in more)])

    def has_attrition(self, key: str) -> bool:
        """Return True if the program computes the lasting loss of a side."""
        return bool(attrition_rate(self.campaign, self.result, key))

    def recorded_losses(self, visible: VisibleCampaign) -> dict[str, Fraction]:
        """Return the share of its strength that each side lost, if the reader knows its strengths."""
        forces = [force for side in self.sides.values() for force in side]
        strengths = {force: visible.strength_then(force, self.entry.revision) for force in forces}
        known = {force: strength for force, strength in strengths.items() if strength is not None}
        return recorded_losses(self.entry.changes, self.sides, known)


def share_words(share: Fraction, *, is_rough: bool = False) -> str:
    """Return a share as a phrase, in the words of the stories.

    If `is_rough` is true, the share itself is an estimate.

    >>> [share_words(Fraction(*parts)) for parts in ((0, 1), (1, 8), (1, 2), (49, 50), (1, 1))]
    ['nothing', 'an eighth', 'half', 'nearly everything', 'everything']
    """
    if share in WHOLE:
        return WHOLE[share]
    return language(ENGLISH).share(Estimate(share) if is_rough else share)


WHOLE = {Fraction(0): "nothing", Fraction(1): "everything"}


def short_name(campaign: Campaign, table: str, key: object) -> Noun:
    return mid_sentence(name_today(campaign, table, key))


def march_sentences(campaign: Campaign, entry: Entry, placed: Collection[str]) -> Iterator[str]:
    """Yield sentences about the marches of an entry. Forces that marched together share a sentence.

    The forces in `placed` did not march. A withdrawal before a battle has a sentence of its own.
    """
    marches: dict[tuple[object, object], list[Noun]] = {}
    new = {change.key for change in entry.changes if is_table(change.key)}
    withdrawals = {
        change.key[1]: avoidance.origin
        for change in entry.changes
        if can_have_failure(change.key)
        and (avoidance := avoidance_in(change.text))
        and avoidance.failure == WITHDREW
    }
    for change in entry.changes:
        if change.key[0] == "forces" and change.key[-1] == "location" and change.key[:2] not in new:
            if change.key[1] in placed or change.text == RAISED:
                continue
            after = withdrawals.get(change.key[1], change.after)
            if change.key[1] in withdrawals and after in ("", change.before):
                continue  # the sentence about the withdrawal says so
            forces = marches.setdefault((change.before, after), [])
            forces.append(short_name(campaign, "forces", change.key[1]))
    for (before, after), forces in marches.items():
        origin = f" from {short_name(campaign, 'locations', before)}" if before else ""
        target = f" to {short_name(campaign, 'locations', after)}" if after else ""
        verb = "retreats|retreat" if entry.kind == "aftermath" else "marches|march"
        yield f"{with_verb(together(forces), verb)}{origin}{target}"


def placement_sentences(campaign: Campaign, entry: Entry, placed: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each destroyed force that the umpire raised again and placed somewhere.

    `placed` has the forces of which the reader knows that the umpire placed them.
    """
    for change in entry.changes:
        if change.key[0] == "forces" and change.key[2:] == ("location",) and change.after:
            force, place = (
                short_name(campaign, table, key)
                for table, key in (("forces", change.key[1]), ("locations", change.after))
            )
            if change.key[1] in placed:
                yield f"{with_verb(force, 'is|are')} placed at {place}"
            elif change.text == RAISED:
                yield f"{with_verb(force, 'appears|appear')} at {place}"


def contact_sentences(campaign: Campaign, entry: Entry) -> Iterator[str]:
    """Yield a sentence for each contact. It names the forces that meet, and the place."""
    for change in entry.changes:
        if is_battle(change.key) and isinstance(change.after, dict):
            yield f"{capital(meeting_words(campaign, change.after, short_name))}."


def event_change_sentences(
    campaign: Campaign, entry: Entry, raised: Mapping[str, int | None] = {}
) -> Iterator[str]:
    """Yield a sentence for each change of an entry, except for marches.

    `raised` has the strength of each force that takes part again, or None if the reader does not know it.
    Settings, and values without a sentence of their own, are described only beside the umpire's reason.
    """
    new = {change.key: change for change in entry.changes if is_table(change.key) and not is_rename(change)}
    returning = {
        change.key[1]
        for change in entry.changes
        if change.key[0] == "forces" and change.key[2:] == ("prisoner_of",) and not change.after
    }
    destroyed = {
        change.key[1]
        for change in entry.changes
        if change.key[0] == "forces" and change.key[2:] == ("destroyed",) and change.after
    }
    cornered = {change.key[1] for change in entry.changes if change.text in CORNERED_VERBS}
    lost = {
        change.key[1]
        for change in entry.changes
        if change.key[0] == "forces" and change.key[2:] in (("fallen",), ("prisoner_of",)) and change.after
    }
    spent = {
        change.key[1] for change in entry.changes
        if is_strength(change.key) and entry.kind in LOSSES and change.key[1] in destroyed - cornered
    }  # fmt: skip
    has_reason = bool(entry.reason) and entry.kind in REASONED
    settings = [change for change in entry.changes if has_reason and is_setting(change.key)]
    roads = [change for change in settings if change.key == ("road",)]
    for change in (change for change in entry.changes if change not in settings):
        if is_detail_of_substitute(change):
            continue
        if change.key in new:
            yield arrival_sentence(campaign, entry, change)
        elif can_have_failure(change.key) and (failure := failure_in(change.text)):
            yield failed_order_sentence(campaign, entry, change, failure)
        elif change.key[:2] not in new and not is_battle(change.key) and len(change.key) == 3:
            word = (change.key[0], change.key[2])
            if word == ("forces", "commander") and change.key[1] in returning | destroyed:
                continue  # the leader who returns commands, and a destroyed force needs no commander
            if word == ("forces", "commander") and entry.kind == AFTERMATH and change.key[1] not in lost:
                yield promotion_sentence(campaign, change)
                continue
            if word == ("forces", "destroyed") and (verb := no_retreat_verb(campaign, entry, change)):
                yield with_verb(short_name(campaign, "forces", change.key[1]), verb)
                continue
            if is_return(change) and (strength := raised.get(change.key[1])) is not None:
                yield f"{destruction_sentence(campaign, change)}, with strength {strength}"
                continue
            if word == ("forces", "destroyed") and change.key[1] in spent:
                continue  # the sentence about its last losses says so
            if is_stay(change):
                yield with_verb(short_name(campaign, "forces", change.key[1]), CORNERED_VERBS[STAYS])
                continue
            if is_strength(change.key) and entry.kind in LOSSES:
                clause = loss_sentence(campaign, change, entry.kind, is_last=change.key[1] in spent)
                yield f"{clause}{unit_gains(entry.changes, change.key[1])}"
                continue
            describe = IN_PHASES.get((entry.kind, word[1])) or VALUES.get(word)
            if describe is not None:
                units = unit_gains(entry.changes, change.key[1]) if is_strength(change.key) else ""
                yield f"{describe(campaign, change)}{units}"
            elif change.key[0] != "sealed_orders" and word not in (
                UNTOLD_WITH_REASON if has_reason else UNTOLD_VALUES
            ):
                yield describe_change(campaign, change)
        elif len(change.key) == 1 and change.key[0] not in ("turn", "turn_name", "notice", "reported"):
            yield describe_change(campaign, change)
    for change in roads:
        yield from road_sentences(campaign, change)
    yield from setting_sentences(campaign, [change for change in settings if change not in roads])


def setting_sentences(campaign: Campaign, changes: Sequence[Change]) -> Iterator[str]:
    """Yield a sentence for each new rule, and one for all settings that have no words of their own."""
    clauses = [(change, rule_clause(change)) for change in without_detail(changes)]
    yield from (f"new rule: {clause}" for _, clause in clauses if clause)
    if other := [change for change, clause in clauses if not clause]:
        yield f"settings: {'; '.join(describe_changes(campaign, other))}"


def road_sentences(campaign: Campaign, change: Change) -> Iterator[str]:
    """Yield a sentence for each road that is new, has a new length, or no longer exists."""
    before, after = map(road_lengths, (change.before, change.after))
    for road in {**before, **after}:
        ends = together([short_name(campaign, "locations", end) for end in road])
        if road not in before:
            yield f"a new road of {counted(after[road], 'step')} joins {ends}"
        elif road not in after:
            yield f"the road between {ends} is gone"
        elif before[road] != after[road]:
            length = f"{counted(after[road], 'step')} instead of {before[road]}"
            yield f"the road between {ends} now takes {length}"


def road_lengths(roads: object) -> dict[tuple[str, ...], int]:
    """Return the length of each road, by the places at its ends."""
    assert roads is None or isinstance(roads, list)
    return {tuple(road["between"]): int(road.get("length", 1)) for road in roads or ()}


MOST_SIDES = "a battle has a limited number of sides, and the strongest fight"
ELSEWHERE = "the enemies there have another battle to fight"
FULL = "the place ahead holds as many friendly forces as it can"
AS_ORDERED = "as ordered"
NO_WAY_OUT = "although ordered to avoid battle: no free place is in reach"
EACH_OTHER = "forces that join each other cannot march"
NO_ALLY = "the force to join is not an ally in sight"
FAILED_ORDERS = {
    AVOIDED: f"stops or falls back to avoid battle, {AS_ORDERED}"
    f"|stop or fall back to avoid battle, {AS_ORDERED}",
    CORNERED: f"has to fight, {NO_WAY_OUT}|have to fight, {NO_WAY_OUT}",
    CROWDED: f"has to wait: {FULL}|have to wait: {FULL}",
    WEATHER: "cannot march in this weather",
    APART: "goes on alone|go on alone",
    SLOWED: "is slowed by the weather|are slowed by the weather",
    IMPOSSIBLE: "holds: its order cannot be carried out|hold: their order cannot be carried out",
    IN_BATTLE: "holds: it has a battle to fight|hold: they have a battle to fight",
    NO_ROAD: "holds: no road leads where it is to go|hold: no road leads where they are to go",
    OFF_PATH: "holds: its order begins in another place|hold: their order begins in another place",
    IN_CIRCLE: f"holds: {EACH_OTHER}|hold: {EACH_OTHER}",
    NOT_THERE: "holds: the force to join is not on the map|hold: the force to join is not on the map",
    UNSEEN: f"holds: {NO_ALLY}|hold: {NO_ALLY}",
    STANDS_BY: f"stands by: {MOST_SIDES}|stand by: {MOST_SIDES}",
    ENGAGED: f"stands by: {ELSEWHERE}|stand by: {ELSEWHERE}",
}


def failed_order_sentence(campaign: Campaign, entry: Entry, change: Change, failure: str) -> str:
    """Say why a force did not carry out its order, or how it avoided battle."""
    name = short_name(campaign, "forces", change.key[1])
    avoidance = avoidance_in(change.text)
    if failure == APART and isinstance(change.before, str):
        joined = short_name(campaign, "forces", parse_order(change.before).joined)
        stopped = choose_form("which stops|which stop", joined.is_plural)
        return f"{with_verb(name, 'goes|go')} on without {joined}, {stopped} to avoid battle"
    if avoidance is None:
        return with_verb(name, FAILED_ORDERS[failure])
    origin, end = (short_name(campaign, "locations", key) for key in (avoidance.origin, avoidance.end))
    enemies = together(short_name(campaign, "forces", key) for key in avoidance.enemies) or "battle"
    has_moved = any(each.key == ("forces", change.key[1], "location") for each in entry.changes)
    if failure == WITHDREW:
        start = f" from {origin}" if avoidance.origin else ""
        clause = f"{with_verb(name, 'falls|fall')} back{start} to {end}"
    elif avoidance.end:
        clause = f"{with_verb(name, 'stops|stop' if has_moved else 'stays|stay')} at {end}"
    else:
        clause = f"{with_verb(name, 'stops|stop')} on the road"
    return f"{clause} to avoid {enemies}, {AS_ORDERED}"


def no_retreat_verb(campaign: Campaign, entry: Entry, change: Change) -> str:
    """Return the verb for a force that could not retreat after a battle, with its singular and plural.

    The verb is empty for any other change, and if the reader may not know that the force could not retreat.
    `change` is the change that destroyed the force. Older ledgers do not have the rule for forces that cannot
    retreat. The rule is then the one of the campaign, and a force that has moved was destroyed in the
    pursuit. If movements can be hidden from the reader, that rule is not used.
    """
    if entry.kind != AFTERMATH or not change.after:
        return ""
    if change.text:
        return CORNERED_VERBS.get(change.text, "")
    words = {each.key[2] for each in entry.changes if each.key[:2] == change.key[:2]}
    rule = campaign.aftermath.no_retreat if campaign.aftermath else ""
    is_known = campaign.visibility.location == ALL and rule == SURRENDERS and not words & RETREATED
    return CORNERED_VERBS[SURRENDERS] if is_known else ""


CORNERED_VERBS = {
    SURRENDERS: "has no way to retreat, and surrenders|have no way to retreat, and surrender",
    DESTROYED: "has no way to retreat, and is destroyed|have no way to retreat, and are destroyed",
    STAYS: "has no way to retreat, and stays|have no way to retreat, and stay",
}


def new_turn_sentences(entry: Entry) -> Iterator[str]:
    for change in entry.changes:
        if change.key == ("turn",):
            yield f"it is now turn {change.after}"
        elif change.key == ("turn_name",):
            yield f"the turn is called {change.after}" if change.after else "the turn no longer has a name"


def arrival_sentence(campaign: Campaign, entry: Entry, change: Change) -> str:
    table, key = change.key
    values = {
        value.key[2]: value.after
        for value in entry.changes
        if value.key[:2] == change.key and len(value.key) == 3
    }
    name = name_today(campaign, table, key)
    if values.get("name") and values["name"] != name:
        plural = values.get("plural")
        name = Noun(str(values["name"]), plural if isinstance(plural, bool) else None)
    name = mid_sentence(name)
    if change.after is None:
        return f"{with_verb(name, DEPARTURES[table][0])} {DEPARTURES[table][1]}"
    if table == "factions":
        return f"{with_verb(name, 'enters|enter')} the war"
    if table == "locations":
        return f"{with_verb(name, 'is|are')} now on the map"
    owner = f" for {short_name(campaign, 'factions', values['faction'])}" if "faction" in values else ""
    strength = f", {values['strength']} strong" if "strength" in values else ""
    place = f", at {short_name(campaign, 'locations', values['location'])}" if "location" in values else ""
    return f"{with_verb(name, 'takes|take')} the field{owner}{strength}{place}"


DEPARTURES = {
    "factions": ("leaves|leave", "the war"),
    "forces": ("leaves|leave", "the field"),
    "locations": ("is|are", "no longer on the map"),
}


def points_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    verb = "gains|gain" if gain >= 0 else "loses|lose"
    name = short_name(campaign, "factions", change.key[1])
    return f"{with_verb(name, verb)} {counted(abs(gain), 'point')}"


def strength_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    how = "reinforced" if gain >= 0 else "reduced"
    name = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(name, 'is|are')} {how} by {abs(gain)}, to {change.after or 0}"


def increase(change: Change) -> int:
    return int(str(change.after or 0)) - int(str(change.before or 0))


def owner_sentence(campaign: Campaign, change: Change) -> str:
    place = short_name(campaign, "locations", change.key[1])
    if not change.after:
        return f"{with_verb(place, 'has|have')} no owner now"
    new = short_name(campaign, "factions", change.after)
    if not change.before:
        return f"{with_verb(place, 'falls|fall')} to {new}"
    return (
        f"{with_verb(place, 'passes|pass')} from {short_name(campaign, 'factions', change.before)} to {new}"
    )


def defection_sentence(campaign: Campaign, change: Change) -> str:
    force = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(force, 'goes|go')} over to {short_name(campaign, 'factions', change.after)}"


def destruction_sentence(campaign: Campaign, change: Change) -> str:
    name = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(name, 'is|are')} {'destroyed' if change.after else 'in the field again'}"


def command_sentence(campaign: Campaign, change: Change) -> str:
    """Say who commands a force now: another commander, its leader, or the deputy of a lost leader."""
    rank = str(change.after or DEFAULT).partition(":")[0]
    ranked = with_article(rank)
    force, part = short_name(campaign, "forces", change.key[1]), campaign.forces.get(change.key[1])
    if part is None or not part.leader:
        return f"{ranked} commander takes over {force}"
    if part.fallen or part.prisoner_of is not None:
        return f"{shorten_person(part.leader)}'s lieutenant ({rank}) takes over {force}"
    return f"{part.leader} is now {ranked} commander"


def promotion_sentence(campaign: Campaign, change: Change) -> str:
    """Say that a force has a better commander by its experience. The commander is the same person."""
    rank = str(change.after or DEFAULT).partition(":")[0]
    part = campaign.forces.get(change.key[1])
    if part is not None and part.leader and not part.fallen and part.prisoner_of is None:
        return command_sentence(campaign, change)
    name = short_name(campaign, "forces", change.key[1])
    return f"the commander of {name} is now {rank}"


def leader_of(campaign: Campaign, force: str) -> str:
    """Return the name of a force's leader for use inside a sentence."""
    part = campaign.forces.get(force)
    name = short_name(campaign, "forces", force)
    return part.leader if part is not None and part.leader else f"the leader of {name}"


def prisoner_sentence(campaign: Campaign, change: Change) -> str:
    leader = leader_of(campaign, change.key[1])
    if change.after:
        return f"{leader} is taken prisoner by {short_name(campaign, 'factions', change.after)}"
    return f"{leader} returns from captivity"


def fallen_sentence(campaign: Campaign, change: Change) -> str:
    leader = leader_of(campaign, change.key[1])
    return f"{leader} falls" if change.after else f"{leader} lives"


def leader_sentence(campaign: Campaign, change: Change) -> str:
    force = short_name(campaign, "forces", change.key[1])
    if not change.after:
        return f"{change.before} no longer leads {force}"
    if not change.before:
        return f"{change.after} now leads {force}"
    return f"{change.after} replaces {change.before} as the leader of {force}"


def renaming_sentence(campaign: Campaign, change: Change) -> str:
    before, after = (str(name or default_name(change.key[1])) for name in (change.before, change.after))
    return f"{with_verb(mid_sentence(before), 'is|are')} now called {after}"


def title_sentence(campaign: Campaign, change: Change) -> str:
    name = short_name(campaign, "forces", change.key[1])
    if not change.after:
        return f"{with_verb(name, 'has|have')} no title any more"
    return f"{with_verb(name, 'earns|earn')} the title {change.after}"


def purse_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    name = short_name(campaign, "factions", change.key[1])
    how = "grows" if gain >= 0 else "shrinks"
    partner = short_name(campaign, "factions", change.text) if change.text else ""
    paid = f", paid {'by' if gain >= 0 else 'to'} {partner}" if partner else ""
    return f"the purse of {name} {how} by {abs(gain)}, to {change.after or 0}{paid}"


def hiring_sentence(campaign: Campaign, change: Change) -> str:
    """Say why a force did not hire all soldiers that it was to hire, or return ""."""
    name = short_name(campaign, "forces", change.key[1])
    is_short = change.after is None and " " in change.text
    return f"{with_verb(name, 'hires|hire')} {hired_words(change, name)}" if is_short else ""


def peace_sentence(campaign: Campaign, change: Change) -> str:
    """Describe a new and a broken peace, or return "" without either.

    A peace that the other faction still lists is not broken.
    """
    before, after = (value if isinstance(value, list) else [] for value in (change.before, change.after))
    own = short_name(campaign, "factions", change.key[1])
    kept = campaign.friends_of(change.key[1]) if change.key[1] in campaign.factions else []
    made, broken = (
        [short_name(campaign, "factions", key) for key in keys]
        for keys in (
            [key for key in after if key not in before],
            [key for key in before if key not in (*after, *kept)],
        )
    )
    clauses = [f"{with_verb(own, 'makes|make')} peace with {listed(made)}"] if made else []
    clauses += [f"the peace between {listed([own, other])} has ended" for other in broken]
    return "; ".join(clauses)


def worth_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    place = short_name(campaign, "locations", change.key[1])
    how = "rises" if gain >= 0 else "falls"
    return f"the value of {place} {how} by {abs(gain)}, to {change.after or 0}"


VALUES: Mapping[tuple[str, str], Callable[[Campaign, Change], str]] = {
    ("factions", "purse"): purse_sentence,
    ("factions", "peace"): peace_sentence,
    ("forces", "title"): title_sentence,
    ("forces", "hires"): hiring_sentence,
    ("factions", "points"): points_sentence,
    ("forces", "strength"): strength_sentence,
    ("forces", "faction"): defection_sentence,
    ("forces", "destroyed"): destruction_sentence,
    ("forces", "commander"): command_sentence,
    ("forces", "prisoner_of"): prisoner_sentence,
    ("forces", "fallen"): fallen_sentence,
    ("forces", "leader"): leader_sentence,
    ("locations", "owner"): owner_sentence,
    ("locations", "value"): worth_sentence,
    **{(table, "name"): renaming_sentence for table in ("factions", "forces", "locations")},
}


UNTOLD_VALUES = (
    ("forces", "location"), ("forces", "experience"), ("forces", "full"), ("forces", "towards"),
    ("forces", "leader_rank"), ("forces", "deputy"), ("forces", "retreat"),
    ("forces", "walked"), ("forces", "march"), ("forces", "motto"), ("forces", "badge"),
    ("factions", "motto"), ("factions", "badge"),
    ("forces", "plural"), ("factions", "plural"), ("locations", "plural"),
)  # fmt: skip

REASONED = ("set", "adjust", "edit", "add", "remove", "move")  # the umpire's own changes, with a reason
UNTOLD_WITH_REASON = (
    ("forces", "location"), ("forces", "towards"), ("forces", "walked"), ("forces", "leader_rank"),
    ("forces", "plural"), ("factions", "plural"), ("locations", "plural"),
)  # also left out beside the umpire's reason; the first three are described as a march  # fmt: skip


def loss_sentence(campaign: Campaign, change: Change, kind: str, *, is_last: bool) -> str:
    """Describe the losses of a force in a pursuit or without supplies. The last losses destroy it."""
    name = short_name(campaign, "forces", change.key[1])
    rest = f"{choose_form('has|have', name.is_plural)} {change.after or 0} left"
    if is_last or not change.after:
        rest = f"{choose_form('is|are', name.is_plural)} destroyed"
    return f"{with_verb(name, 'loses|lose')} {abs(increase(change))} {LOSSES[kind]}, and {rest}"


def recovery_sentence(campaign: Campaign, change: Change) -> str:
    name = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(name, 'recovers|recover')} {increase(change)}, to {change.after}"


def turning_back_sentence(campaign: Campaign, change: Change) -> str:
    """Say that a beaten force retreats along its road to the place from which it came."""
    name = short_name(campaign, "forces", change.key[1])
    towards = short_name(campaign, "locations", change.before)
    return f"{with_verb(name, 'turns|turn')} back on the road to {towards}"


LOSSES = {AFTERMATH: "in the pursuit", SUPPLY: "without supplies"}  # by kinds of entries
IN_PHASES: Mapping[tuple[str, str], Callable[[Campaign, Change], str]] = {
    ("aftermath", "towards"): turning_back_sentence,
    ("recovery", "strength"): recovery_sentence,
}

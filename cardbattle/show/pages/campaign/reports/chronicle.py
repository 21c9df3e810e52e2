"""The chronicle of a campaign: each turn's battles and their cost, marches, and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardbattle.campaign.ledger.ledger import AFTERMATH, NOTE
from cardbattle.campaign.state.changes import is_strength
from cardbattle.campaign.visibility.edited_battles import with_later_sides
from cardbattle.campaign.visibility.reader import recorded_result_text
from cardbattle.campaign.visibility.redaction import is_peace
from cardbattle.core.grammar import capital, mid_sentence
from cardbattle.core.names import clean, one_line
from cardbattle.show.battle_text import share_words
from cardbattle.show.pages.campaign.history import name_today
from cardbattle.show.pages.campaign.reports.battle_results import battle_sentences, turning_sentence
from cardbattle.show.pages.campaign.reports.change_sentences import event_change_sentences, is_return
from cardbattle.show.pages.campaign.reports.marches import (
    contact_sentences,
    march_sentences,
    placement_sentences,
)
from cardbattle.show.pages.campaign.reports.value_sentences import LOSSES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from cardbattle.campaign.ledger.history import LateCorrection
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.campaign.visibility.visible_turns import VisibleTurn
    from cardbattle.simulation.turning_points import TurningPoint

OMITTED_KINDS = ("undo", "redo", "rename", "story", "orders")  # entry kinds that the chronicle omits
END_UNDONE = "The end of turn {} was undone. Earlier reports of it and of later turns no longer count."
CORRECTED = "The result of battle {0.battle}, fought in turn {0.fought}, was corrected in turn {0.corrected}."
SENTENCE_ENDS = (".", "!", "?")
REASON_FOR_ALL = "The reason for these changes:"


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
        if recorded.revision in visible.ledger.undone_revisions or recorded.kind in OMITTED_KINDS:
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


def correction_sentences(visible: VisibleCampaign, correction: LateCorrection, *, with_result: bool) -> str:
    """Say that the result of a battle of an earlier turn was corrected, and the new result on request."""
    sentence, entry = CORRECTED.format(correction), correction.entry
    if not with_result:
        return sentence
    campaign = visible.campaign_after(entry)
    result = capital(recorded_result_text(campaign, entry, share_words, mid_sentence))
    return with_reason(f"{sentence} {result}.", entry)


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


def new_turn_sentences(entry: Entry) -> Iterator[str]:
    for change in entry.changes:
        if change.key == ("turn",):
            yield f"it is now turn {change.after}"
        elif change.key == ("turn_name",):
            yield f"the turn is called {change.after}" if change.after else "the turn no longer has a name"

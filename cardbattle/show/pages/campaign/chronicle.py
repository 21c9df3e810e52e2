"""A campaign told turn by turn: who beat whom and what it cost, who marched where, what was noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from cardbattle.battles.records.battle_file import default_name
from cardbattle.campaign.state.changes import is_battle, is_rename, is_table
from cardbattle.campaign.visibility.redaction import sides_in
from cardbattle.commanders import DEFAULT
from cardbattle.core.grammar import Noun, choose_form, together, with_verb
from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.show.grammar import mid_sentence
from cardbattle.show.pages.campaign.history import describe_change, name_today
from cardbattle.show.turning_point import turning_of

if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign

UNTOLD = ("undo", "redo", "rename")  # kinds of entries that are no events
NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"
)  # fmt: skip
ROUT = Fraction(1, 2)


class ChronicleTurn(NamedTuple):
    """A turn of the chronicle: its number, what it is called, and its events in sentences."""

    number: int
    title: str
    told: list[str]


def chronicle_turns(known: VisibleCampaign, logs: Mapping[int, Record]) -> list[ChronicleTurn]:
    """Return the turns in which something happened that the reader may know and that still stands.

    `logs` are the records of battles by the revision that recorded them.
    """
    found: dict[int, ChronicleTurn] = {}
    number = int(at_first(known, "turn") or 0)
    name = at_first(known, "turn_name")
    names: dict[int, object] = {}
    for entry in known.entries:
        if entry.revision in known.ledger.taken_back or entry.kind in UNTOLD:
            continue
        values = {change.key[0]: change.after for change in entry.changes if len(change.key) == 1}
        number = int(str(values.get("turn", number)))
        name = names[number] = values.get("turn_name", name)
        told = event_sentences(known.campaign, entry, logs.get(entry.revision))
        turn = number if entry.turn is None else entry.turn
        found.setdefault(turn, ChronicleTurn(turn, "", [])).told.extend(map(clean, told))
    names[known.campaign.turn] = known.campaign.turn_name
    return [
        turn._replace(title=turn_title(known.campaign, turn.number, str(names.get(turn.number) or "")))
        for _, turn in sorted(found.items())
        if turn.told
    ]


def at_first(known: VisibleCampaign, word: str) -> Any:
    """Return what a value of the campaign, as `turn`, was when the ledger began."""
    for entry in known.entries:
        for change in entry.changes:
            if change.key == (word,):
                return change.before
    return getattr(known.campaign, word)


def turn_title(campaign: Campaign, turn: int, name: str) -> str:
    """Return a turn's heading, as `Turn 3: 15 to 21 July 1403`."""
    when = campaign.when(turn, clean(name))
    return f"Turn {turn}{f': {when}' if when else ''}"


def event_sentences(campaign: Campaign, entry: Entry, log: Record | None) -> list[str]:
    """Return what an entry tells, each event with its sentences; nothing if it is none."""
    reason = f" ({entry.reason})" if entry.reason else ""
    if entry.result is not None:
        turned = turning_of(log) if log is not None else ""
        turning = f" The turning: {turned}" if turned else ""
        return [f"{battle_sentences(campaign, entry)}{turning}{reason}"]
    if entry.kind == "note":
        date = f"{entry.date}: " if entry.date else ""
        return [f"{date}{entry.text}"]
    told = [*moves_told(campaign, entry), *event_change_sentences(campaign, entry)]
    if not told and entry.reason and entry.kind != "turn":
        told = [*turn_told(entry)]
    if not told:
        return [f"{upper(entry.reason).removesuffix('.')}."] if entry.reason else []
    return [*(f"{upper(one)}." for one in told[:-1]), f"{upper(told[-1])}{reason}."]


def battle_sentences(campaign: Campaign, entry: Entry) -> str:
    """Return how a battle ended and what it cost, in a sentence or two."""
    fought = ResultSentence(campaign, entry)
    word = "By the umpire's word " if entry.kind == "override" else ""
    gone = [
        f" {upper(fate_told(campaign, change))}."
        for change in entry.changes
        if change.key[0] == "forces" and change.key[-1] == "destroyed" and change.after
    ]
    return f"{upper(f'{word}{fought.outcome()}{fought.cost()}')}.{''.join(gone)}"


class ResultSentence:
    """A recorded battle about to be told: its sides by name, who won, who lost, what it was for."""

    def __init__(self, campaign: Campaign, entry: Entry) -> None:
        assert entry.result is not None
        self.campaign = campaign
        self.result = entry.result
        tables = [change.before for change in entry.changes if is_battle(change.key)]
        table = next((one for one in tables if isinstance(one, dict)), {})
        known = {side[0]: side for side in sides_in(table)}
        self.names = {
            key: mid_sentence(campaign.side_name(known.get(key, [key]), table)) for key in entry.result.sides
        }
        self.losers = [key for key in entry.result.sides if key not in entry.result.winners]
        self.place = (
            mid_sentence(name_today(campaign, "locations", table["stakes"])) if "stakes" in table else ""
        )
        owners = [one for one in entry.changes if one.key[0] == "locations" and one.key[-1] == "owner"]
        self.taken = owners[0] if owners else None

    def outcome(self) -> str:
        """Return who won what from whom, without a full stop."""
        winners = self.result.winners
        if not winners:
            over = f" over {self.place}" if self.place else ""
            return f"{together(self.names.values())} fight to a draw{over}"
        victors = together(self.names[key] for key in winners)
        beaten = together(self.names[key] for key in self.losers)
        if self.taken is not None:
            return self.taking(victors, self.taken, beaten)
        if self.place and len(winners) == 1:
            return f"{with_verb(victors, 'holds|hold')} {self.place} against {beaten}"
        return f"{with_verb(victors, 'routs|rout' if self.is_rout() else 'beats|beat')} {beaten}"

    def taking(self, victors: Noun, change: Change, beaten: str) -> str:
        """Return who took what place from whom."""
        place = mid_sentence(name_today(self.campaign, "locations", change.key[1]))
        takes = with_verb(victors, "takes|take")
        if not change.before:
            return f"{takes} {place}, beating {beaten}"
        return f"{takes} {place} from {mid_sentence(name_today(self.campaign, 'factions', change.before))}"

    def is_rout(self) -> bool:
        """Say whether those who lost lost half or more each, and the winners nothing."""
        sides = self.result.sides
        return all(sides[key].losses >= ROUT for key in self.losers) and not any(
            sides[key].losses for key in self.result.winners
        )

    def cost(self) -> str:
        """Return what each side lost, those that lost nothing left out; empty if nobody did."""
        losses = {key: side.losses for key, side in self.result.sides.items()}
        lost = [(self.names[key], share_words(share)) for key, share in losses.items() if share]
        if not lost:
            return ""
        (name, share), *others = lost
        if others and len(lost) == len(losses) and len({words for _, words in lost}) == 1:
            return f"; each loses {share}"
        if not others and self.losers == [key for key in losses if losses[key]] and self.taken is None:
            return f", who {choose_form('loses|lose', name.is_plural)} {share}"
        first = f"{with_verb(name, 'loses|lose')} {share}"
        return "; " + ", ".join([first, *(f"{other} {words}" for other, words in others)])


def share_words(share: Fraction) -> str:
    """Return a share as people say it; one of many parts about.

    >>> [share_words(Fraction(*parts)) for parts in ((2, 3), (1, 2), (1, 1), (60, 118), (19, 20), (1, 99))]
    ['two in three', 'half', 'everything', 'about half', 'nearly all', 'hardly any']
    """
    if share in WHOLE:
        return WHOLE[share]
    if share.denominator < len(NUMBERS):
        return f"{NUMBERS[share.numerator]} in {NUMBERS[share.denominator]}"
    near = share.limit_denominator(5)
    return {Fraction(0): "hardly any", Fraction(1): "nearly all"}.get(near) or f"about {share_words(near)}"


WHOLE = {Fraction(0): "nothing", Fraction(1): "everything", Fraction(1, 2): "half"}


def moves_told(campaign: Campaign, entry: Entry) -> Iterator[str]:
    """Yield who marched where, those who marched together in one sentence."""
    marches: dict[tuple[str, str], list[str]] = {}
    new = {change.key for change in entry.changes if is_table(change.key)}
    for change in entry.changes:
        if change.key[0] == "forces" and change.key[-1] == "location" and change.key[:2] not in new:
            there = [
                name_today(campaign, "locations", one) if one else "" for one in (change.before, change.after)
            ]
            marches.setdefault((there[0], there[1]), []).append(name_today(campaign, "forces", change.key[1]))
    for (before, after), names in marches.items():
        whence = f" from {mid_sentence(before)}" if before else ""
        whither = f" to {mid_sentence(after)}" if after else ""
        yield f"{with_verb(together(map(mid_sentence, names)), 'marches|march')}{whence}{whither}"


def event_change_sentences(campaign: Campaign, entry: Entry) -> Iterator[str]:
    """Yield what else an entry changed, a sentence for each value."""
    new = {change.key: change for change in entry.changes if is_table(change.key) and not is_rename(change)}
    for change in entry.changes:
        if change.key in new:
            yield arrival_told(campaign, entry, change)
        elif change.key[:2] not in new and not is_battle(change.key) and len(change.key) == 3:
            told = TOLD.get((change.key[0], change.key[2]))
            if told is not None:
                yield told(campaign, change)
            elif change.key[2] != "location":
                yield describe_change(campaign, change)
        elif len(change.key) == 1 and change.key[0] not in ("turn", "turn_name"):
            yield describe_change(campaign, change)


def turn_told(entry: Entry) -> Iterator[str]:
    """Yield what an entry made of the turn and its name; headings say that, too."""
    for change in entry.changes:
        if change.key == ("turn",):
            yield f"it is turn {change.after} now"
        elif change.key == ("turn_name",):
            yield f"the turn is called {change.after}" if change.after else "the turn has no name any more"


def arrival_told(campaign: Campaign, entry: Entry, change: Change) -> str:
    """Return that a faction, force or place is new, or there no more."""
    table, key = change.key
    name = name_today(campaign, table, key)
    values = {
        one.key[2]: one.after for one in entry.changes if one.key[:2] == change.key and len(one.key) == 3
    }
    if values.get("name"):
        plural = values.get("plural")
        name = Noun(str(values["name"]), plural if isinstance(plural, bool) else None)
    if change.after is None:
        return f"{with_verb(mid_sentence(name), 'is|are')} heard of no more"
    if table == "factions":
        return f"{with_verb(mid_sentence(name), 'enters|enter')} the war"
    if table == "locations":
        return f"{with_verb(mid_sentence(name), 'is|are')} on the map from now on"
    for_whom = (
        f" for {mid_sentence(name_today(campaign, 'factions', values['faction']))}"
        if "faction" in values
        else ""
    )
    strong = f", {values['strength']} strong" if "strength" in values else ""
    at = (
        f", at {mid_sentence(name_today(campaign, 'locations', values['location']))}"
        if "location" in values
        else ""
    )
    return f"{with_verb(mid_sentence(name), 'takes|take')} the field{for_whom}{strong}{at}"


def points_told(campaign: Campaign, change: Change) -> str:
    """Return how many points a faction gained or lost."""
    gain = gained(change)
    name = mid_sentence(name_today(campaign, "factions", change.key[1]))
    verb = "gains|gain" if gain >= 0 else "loses|lose"
    return f"{with_verb(name, verb)} {counted(abs(gain), 'point')}"


def strength_told(campaign: Campaign, change: Change) -> str:
    """Return by how much a force is stronger or weaker."""
    gain = gained(change)
    name = mid_sentence(name_today(campaign, "forces", change.key[1]))
    how = "reinforced" if gain >= 0 else "reduced"
    return f"{with_verb(name, 'is|are')} {how} by {abs(gain)}, to {change.after or 0}"


def gained(change: Change) -> int:
    """Return by how much a number has grown."""
    return int(str(change.after or 0)) - int(str(change.before or 0))


def owner_told(campaign: Campaign, change: Change) -> str:
    """Return whose a place is now."""
    place = mid_sentence(name_today(campaign, "locations", change.key[1]))
    before, after = (
        name_today(campaign, "factions", one) if one else "" for one in (change.before, change.after)
    )
    if not after:
        return f"{with_verb(place, 'is|are')} nobody's now"
    loser = f", from {mid_sentence(before)}" if before else ""
    return f"{with_verb(place, 'falls|fall')} to {mid_sentence(after)}{loser}"


def side_changed(campaign: Campaign, change: Change) -> str:
    """Return that a force goes over to another faction."""
    name = mid_sentence(name_today(campaign, "forces", change.key[1]))
    return (
        f"{with_verb(name, 'goes|go')} over to {mid_sentence(name_today(campaign, 'factions', change.after))}"
    )


def fate_told(campaign: Campaign, change: Change) -> str:
    """Return that a force is destroyed, or is not any more."""
    name = mid_sentence(name_today(campaign, "forces", change.key[1]))
    return f"{with_verb(name, 'is|are')} {'destroyed' if change.after else 'in the field again'}"


def command_told(campaign: Campaign, change: Change) -> str:
    """Return who commands a force now."""
    rank = str(change.after or DEFAULT).partition(":")[0]
    article = "an" if rank[0] in "aeiou" else "a"
    return (
        f"{article} {rank} commander takes over {mid_sentence(name_today(campaign, 'forces', change.key[1]))}"
    )


def renaming_told(table: str) -> Callable[[Campaign, Change], str]:
    """Return how another name is told."""
    return lambda campaign, change: (
        f"{with_verb(mid_sentence(str(change.before or default_name(change.key[1]))), 'is|are')} called "
        f"{change.after or default_name(change.key[1])} from now on"
    )


TOLD: Mapping[tuple[str, str], Callable[[Campaign, Change], str]] = {
    ("factions", "points"): points_told,
    ("forces", "strength"): strength_told,
    ("forces", "faction"): side_changed,
    ("forces", "destroyed"): fate_told,
    ("forces", "commander"): command_told,
    ("locations", "owner"): owner_told,
    **{(table, "name"): renaming_told(table) for table in ("factions", "forces", "locations")},
}


def upper(sentence: str) -> str:
    """Return a sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]

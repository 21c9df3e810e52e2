"""Create a new season, which is a campaign with the structure of another campaign but without its history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import dropwhile
from typing import NamedTuple

from cardbattle.battles.seeds import draw_seed
from cardbattle.campaign.ledger.ledger import SETUP_KINDS, TURNS, Entry
from cardbattle.campaign.ledger.operations import CampaignFile, parse_campaign
from cardbattle.campaign.state import paths
from cardbattle.campaign.state.changes import PENDING, Change, Key, balanced, is_unit, pending, same, value_at
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.file_editing import edit_text, encode_text
from cardbattle.campaign.state.model import assert_errors
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.new import name_of, refuse_taken, write_campaign
from cardbattle.core.telling import counted
from cardbattle.files.reader import table_or_empty
from cardbattle.rules import find

FIRST = {
    "factions": ("peace", "purse"),
    "forces": (
        "strength", "full", "destroyed", "location", "towards", "walked", "march", "retreat", "hires",
        "experience", "title", "commander", "leader", "leader_rank", "deputy", "prisoner_of", "fallen",
    ),
    "locations": ("owner",),
}  # fmt: skip  # what a war changes


class Season(NamedTuple):
    """A campaign that was created from another one, with its folder and with notes about it."""

    folder: str
    done: list[str]


def create_season(
    folder: str, model: str, name: str = "", seed: int | str | None = None, by: str = ""
) -> Season:
    """Create a campaign with the structure of another campaign, and return it with notes.

    Names, rules, house rules, advantage, scoring, attrition, comments and the umpire's own keys come from the
    `model`. If the model has a ledger, what a war changes is as it was at the start of the war.

    Raises InvalidInput if the folder already has a campaign, or if the model is not a campaign. Raises
    UsageError if the rule set is unknown, and SystemFailure if the campaign cannot be written.
    """
    refuse_taken(folder, name)
    at = paths.open_folder(model)
    books = store.load(at)
    entries, is_known = entries_of(at, books)
    data = books.source.data
    changes = [
        *change_if_different(data, ("name",), name or name_of(folder)),
        *change_if_different(data, ("turn",), 1),
        *change_if_different(data, ("seed",), draw_seed() if seed is None else seed),
        *(change_if_different(data, ("rules",), find(by).key) if by else ()),
        *without_points(data),
        *as_it_began(data, entries),
        *without_past_plans(data),
        *(
            Change((PENDING, str(battle["id"])), value_at(data, (PENDING, str(battle["id"]))), None)
            for battle in pending(data)
        ),
    ]
    content = encode_text(books.source, edit_text(books.source, changes, 0))
    path = write_campaign(folder, content)
    failed = sum(1 for _ in assert_errors(parse_campaign(folder, store.NAME, content).campaign))
    return Season(path, [shape(books), is_known, BEGUN, *notes_of_failed_checks(failed)])


BEGUN = "The season begins at turn 1 with 0 points, a new seed, and no pending or recorded battle."


def notes_of_failed_checks(failed: int) -> Iterator[str]:
    """Yield a note if some of the umpire's own checks do not hold in the new season."""
    if failed:
        verb = "holds" if failed == 1 else "hold"
        yield f"{failed} of your own checks no longer {verb}: see cardbattle campaign check."


def shape(books: CampaignFile) -> str:
    """Describe the parts of a campaign that a new season takes over."""
    campaign = books.campaign
    parts = [
        counted(len(campaign.factions), "faction"),
        counted(len(campaign.forces), "force"),
        counted(len(campaign.locations), "place"),
    ]
    return f"From {campaign.name}: {', '.join(parts)}, its rules, scoring, attrition and comments."


def entries_of(folder: str, books: CampaignFile) -> tuple[list[Entry], str]:
    """Return a pair: the entries of a campaign's ledger, and a note.

    If the ledger is damaged, the list is empty, and the note says so.
    """
    if not store.ledger_bytes(folder):
        return [], "Strengths, places and owners are the current ones: the campaign has no ledger."
    try:
        ledger = store.load_ledger(folder, whole=True)
        store.check_ledger(ledger, books.campaign.revision)
    except NeedsUmpire:
        return [], "Strengths, places and owners are the current ones: the ledger is damaged."
    entries = ledger.span(1, ledger.whole_entries)
    gone = ledger.undone_revisions
    return (
        [entry for entry in entries if entry.kind not in TURNS and entry.revision not in gone],
        "Strengths, places, owners, purses and experience are those at the start of the war.",
    )


def change_if_different(data: Mapping[str, object], key: Key, after: object) -> Iterator[Change]:
    """Yield the change of a value to `after`, unless the value is the same already."""
    before = value_at(data, key)
    if not same(before, after):
        yield Change(key, before, after)


def without_points(data: Mapping[str, object]) -> Iterator[Change]:
    """Yield a change to 0 points for each faction that has points."""
    for faction in table_or_empty(data.get("factions")):
        if value_at(data, ("factions", faction, "points")) is not None:
            yield from change_if_different(data, ("factions", faction, "points"), 0)


def without_past_plans(data: Mapping[str, object]) -> Iterator[Change]:
    """Yield the changes that remove orders, their seals, substitutes, reports, and the weather of a turn."""
    for table in ("orders", "sealed_orders", "substitutes"):
        for key, value in table_or_empty(data.get(table)).items():
            yield Change((table, key), value, None)
    for path in (("reported",), ("weather", "now")):
        yield from change_if_different(data, path, None)


def as_it_began(data: Mapping[str, object], entries: list[Entry]) -> Iterator[Change]:
    """Yield the changes that return forces, places and the peace of factions to their first state.

    The changes with which the umpire has set up the campaign stay. A force that was added later gets the
    values with which it was added. A force that was removed is not restored, and neither is a peace with a
    faction that was removed.
    """
    first: dict[Key, object] = {}
    for entry in dropwhile(lambda entry: entry.kind in SETUP_KINDS, entries):
        added = {change.key for change in entry.changes if len(change.key) == 2 and change.before is None}
        first = {key: value for key, value in first.items() if key[:2] not in added}
        for change in entry.changes:
            if is_unit(change.key) or (
                len(change.key) == 3 and change.key[2] in FIRST.get(change.key[0], ())
            ):
                is_new = is_unit(change.key) or change.key[2] == "strength" or change.key[:2] in added
                value = change.after if is_new and change.before is None else change.before
                first.setdefault(change.key, value)
    changes = [
        change
        for key, value in first.items()
        if key[1] in table_or_empty(data.get(key[0]))
        for change in change_if_different(data, key, without_removed(data, value))
    ]
    yield from balanced(data, changes)


def without_removed(data: Mapping[str, object], value: object) -> object:
    """Return a value without the factions of a peace that no longer exist. Other values are unchanged."""
    if not isinstance(value, list):
        return value
    return [key for key in value if key in table_or_empty(data.get("factions"))] or None

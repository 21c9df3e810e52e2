"""A campaign as its guide tells it: docs/campaigns.md and docs/reliability.md, and nothing of the program.

Whatever the program does to a campaign, this does to a text and a list, without a disk, a lock or
a fault. The two must agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from tests.stress import page

Values = dict[str, Any]
BATTLES = ("battle", "import", "override")


class Result(NamedTuple):
    """How a battle ended; `losses` and `scores` by the keys of the sides."""

    winners: tuple[str, ...]
    losses: dict[str, Fraction]
    scores: dict[str, int]


class Entry(NamedTuple):
    """One entry of the ledger; `group` has the first and the last revision of its command."""

    kind: str
    changes: dict[str, tuple[Any, Any]]  # of each key what was and what is; None is nothing
    id: str = ""
    undoes: tuple[int, ...] = ()
    result: Result | None = None
    lines: tuple[tuple[str, str, int], ...] = ()  # of battles it took out: the umpire's, and their places
    group: tuple[int, int] = (0, 0)


class Refusal(Exception):
    """The command is refused, with this exit code."""

    def __init__(self, code: int) -> None:
        self.code = code


def is_battle(key: str) -> bool:
    return key.startswith("pending.")


def is_count(key: str) -> bool:
    """Say whether a value is taken back by differences."""
    return key.endswith((".points", ".strength"))


def same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


class Model(NamedTuple):
    """A campaign: its file, its ledger, and the values and pending battles before the first entry."""

    text: str
    entries: tuple[Entry, ...] = ()
    first: Values | None = None

    @property
    def now(self) -> Values:
        return page.read(self.text)[0]

    def left(self) -> Values:
        """Return what the entries left at every key the ledger knows; None where nothing is."""
        found = dict(self.first or {})
        for entry in self.entries:
            found |= {key: after for key, (_, after) in entry.changes.items()}
        return found

    def gone(self) -> set[int]:
        """Return the revisions that are taken back."""
        found: set[int] = set()

        def take(revisions: Iterable[int], back: bool) -> None:
            for number in revisions:
                (found.add if back else found.discard)(number)
                if self.entries[number - 1].kind == "undo":
                    take(self.entries[number - 1].undoes, not back)

        for entry in self.entries:
            if entry.kind in ("undo", "redo"):
                take(entry.undoes, entry.kind == "undo")
        return found

    def standing(self, after: int = 0) -> list[tuple[int, Entry]]:
        """Return the entries after a revision that stand, but for those that only take back."""
        gone = self.gone()
        every = list(enumerate(self.entries, 1))[after:]
        return [(n, one) for n, one in every if n not in gone and one.kind not in ("undo", "redo")]

    def recorded(self, battle: str) -> int:
        """Return the revision in which a battle stands, 0 if it does not."""
        found = [n for n, one in self.standing() if one.kind in BATTLES and one.id == battle]
        return found[-1] if found else 0

    def rolled_forward(self) -> Model:
        """Return the campaign with its file brought up to the ledger, each value from any of its steps."""
        text, steps = self.text, dict[str, list[Any]]()
        missing = self.entries[page.read(text)[1] :]
        for key, (before, after) in (change for entry in missing for change in entry.changes.items()):
            steps.setdefault(key, [before]).append(after)
        if is_one_override(missing):
            changed = {key: known for key, known in steps.items() if not same(known[0], known[-1])}
            if all(same(self.now.get(key), known[0]) for key, known in changed.items()):
                steps = changed  # what comes back to its value can have been edited by hand meanwhile
        for key, known in steps.items():
            now = self.now.get(key)
            if not any(same(now, value) for value in known):
                raise Refusal(4)
            if not same(now, known[-1]):
                last = [entry for entry in missing if key in entry.changes][-1]
                text = with_change(text, key, known[-1], last)
        if page.read(self.text)[1] > len(self.entries):
            raise Refusal(4)
        return self._replace(text=page.with_value(text, "revision", len(self.entries)))

    def noted(self) -> Model:
        """Return the campaign with an entry for what was changed by hand, if anything was."""
        now, left = self.now, self.left()
        keys = [key for key in {**left, **now} if self.entries]
        changes = {
            key: (left.get(key), now.get(key)) for key in keys if not same(left.get(key), now.get(key))
        }
        return self.plus([Entry("edit", changes)], write=False) if changes else self

    def plus(self, new: list[Entry], *, write: bool = True) -> Model:
        """Return the campaign with the entries of one command, and its file if that is written."""
        text, count, found = self.text, len(self.entries), list[Entry]()
        first = self.first if self.entries else dict(self.now)
        for entry in new:
            for key, (_, after) in entry.changes.items() if write else ():
                if is_battle(key) and after is None:
                    place = page.pending(text).index(key.removeprefix("pending."))
                    lines = page.lines_of(text, key.removeprefix("pending."))
                    entry = entry._replace(lines=(*entry.lines, (key, lines, place)))
                text = with_change(text, key, after, entry)
            found.append(entry._replace(group=(count + 1, count + len(new))))
        if write:
            text = page.with_value(text, "revision", count + len(new))
        return Model(text, (*self.entries, *found), first)


def is_one_override(entries: tuple[Entry, ...]) -> bool:
    """Return True if these are all entries of one override, which undid a battle and recorded it again."""
    kinds = [entry.kind for entry in entries]
    return (
        len(set(kinds)) > 1
        and "undo" in kinds
        and entries[0].group[1] - entries[0].group[0] + 1 == len(kinds)
    )


def with_change(text: str, key: str, value: Any, entry: Entry) -> str:
    """Return the text with one value of an entry changed; a battle comes back in the umpire's own lines."""
    if not is_battle(key):
        return page.with_value(text, key, value)
    name = key.removeprefix("pending.")
    if value is None:
        return page.without(text, name)
    if name in page.pending(text):
        return page.with_battle(text, name, value)
    kept = [found for found in entry.lines if found[0] == key] or [(key, page.written(value), 0)]
    return page.with_lines(text, *kept[-1][1:])

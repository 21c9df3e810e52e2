"""Edit the umpire's file in place, so that only the changed values change.

Comments, order, blank lines, line endings and the byte order mark do not change. The new text is always
parsed again. If its data is not exactly as expected, nothing is written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardbattle.campaign.state.changes import (
    PENDING,
    Change,
    Key,
    apply_changes,
    dotted_key,
    is_battle,
    is_left_out,
    is_presence,
    is_rename,
    is_table,
    pending,
    place_of,
    rename_of,
    rewritten,
    same,
    segments,
    value_at,
)
from cardbattle.campaign.state.editing import settings
from cardbattle.campaign.state.editing.hunks import (
    Hunk,
    apply_hunks,
    hunks_between,
    same_revision_line,
    with_revision,
)
from cardbattle.campaign.state.editing.layout import (
    above,
    above_sample,
    bare,
    block_of,
    content_end,
    edit_document,
    inline_value,
    is_comment,
    is_same_data,
    parse_text,
    parsed,
    printed,
    set_values,
    without_lines,
    without_tables,
)
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.fields import own_keys
from cardbattle.campaign.state.renaming import TABLES, rename_in_text
from cardbattle.files.toml import BOM, Source
from cardbattle.files.toml_positions import Places

REVISION = "revision"


def edit_text(source: Source, changes: Sequence[Change], revision: int, hunks: Sequence[Hunk] = ()) -> str:
    """Return the text of the file after all changes, with its new revision.

    `hunks` are the lines of an earlier text that the changes restore. They are used if they still match the
    file.

    Raises NeedsUmpire if the layout is too unusual, or at the first change whose `before` is not the current
    value.
    """
    expected = apply_changes(source.data, changes)
    expected[REVISION] = revision
    counted = Change((REVISION,), value_at(source.data, (REVISION,)), revision)
    if hunks:
        restored = apply_hunks(with_part(source.text, [counted], with_lines), hunks)
        if restored is not None and says(restored, expected):
            return restored
    for way in (with_lines, one_by_one):
        text = source.text
        for part in segments([counted, *changes]):
            text = with_part(text, part, way)
        if says(text, expected):
            return text
    raise NeedsUmpire(
        f"{source.name} cannot be edited in place: its layout is too unusual; "
        "write each force, faction and battle as a table of its own"
    )


def battle_texts(source: Source, edits: Sequence[tuple[Sequence[Change], int]]) -> list[str]:
    """Return the texts of the file after each of several edits, which add pending battles below the others.

    An edit consists of its changes and its revision. The texts are the same as those of `edit_text`, but the
    file is parsed only once. The list ends before the first edit that needs `edit_text`. It is empty if there
    is only one edit.
    """
    layout = cut_at_battles(source.text) if len(edits) > 1 else None
    if layout is None:
        return []
    texts: list[str] = []
    data: Mapping[str, object] = source.data
    for changes, revision in edits:
        if not all(map(layout.append_battle, changes)):
            break
        text = with_revision(layout.text, revision)
        if text is None:
            break
        texts.append(text)
        data = {**apply_changes(data, changes), REVISION: revision}
    return texts if texts and says(texts[-1], data) else []


def says(text: str, expected: Mapping[str, object]) -> bool:
    """Return True if a text has exactly this data. An empty table of forces is equal to a missing one."""
    return is_same_data(without_empty(parse_text(text)), without_empty(expected))


def hunks_of_edit(old: str, new: str, revision: int) -> list[Hunk]:
    """Return the lines in which an edited text differs from the old one. The revision's line is left out."""
    numbered = same_revision_line(old, new) or with_part(
        old, [Change((REVISION,), None, revision)], with_lines
    )
    return hunks_between(numbered, new)


Way = Callable[[str, Sequence[Change]], tuple[list[Change], str]]


def with_part(text: str, changes: Sequence[Change], way: Way) -> str:
    """Return the text after some of the changes, which are one rename, or changes without renames."""
    if is_rename(changes[0]):
        return rename_in_text(text, rename_of(changes[0]))
    values = [change for change in changes if not is_battle(change.key)]
    return way(with_values(text, values), changes)[1]


def encode_text(source: Source, text: str) -> bytes:
    """Encode a new text of the same file. It has a byte order mark if the file had one."""
    return (BOM if source.bom else b"") + text.encode("utf-8")


def without_empty(data: Mapping[str, object] | None) -> Mapping[str, object] | None:
    """Return the data without empty tables of factions, forces or locations."""
    return data and {key: value for key, value in data.items() if key not in TABLES or value}


def with_values(text: str, changes: Iterable[Change]) -> str:
    """Return the text after setting or removing values, and tables of factions, forces and locations."""
    changes = list(changes)
    tables = [change for change in changes if is_table(change.key)]
    settings_tables = [change for change in changes if is_presence(change.key)]
    values = [change for change in changes if not is_table(change.key) and not is_presence(change.key)]
    lists = [change for change in values if settings.is_list(change)]
    values = [change for change in values if not settings.is_list(change)]
    for change in tables:
        if change.after is not None:
            text = with_table(text, change.key, [value for value in values if value.key[:2] == change.key])
    text = settings.with_new_tables(text, settings_tables, [*values, *lists])
    text = without_lines(text, [change.key for change in values if change.after is None])
    text = edit_document(text, lambda document: put_values(document, [*tables, *values]))
    for change in lists:
        text = settings.with_list(text, change.key, change.after)
    text = settings.without_old_tables(text, settings_tables)
    return without_tables(text, [change.key for change in tables if change.after is None])


def put_values(document: Any, changes: Iterable[Change]) -> None:
    for change in changes:
        set_value(document, change)


def set_value(document: Any, change: Change) -> None:
    """Set or remove a value of a document. The lines of a removed table are removed later."""
    if is_left_out(document, change.key):
        return
    table = document
    for word in change.key[:-1]:
        if word not in table:
            table[word] = {}
        table = table[word]
    if change.after is None and not is_table(change.key):
        table.pop(change.key[-1], None)
    elif change.after == {}:
        table.setdefault(change.key[-1], {})
    elif change.after is not None and not same(table.get(change.key[-1]), change.after):
        table[change.key[-1]] = change.after


def with_table(text: str, key: Key, values: Sequence[Change]) -> str:
    """Return the text with a new table below the other tables of its kind.

    If all other tables of its kind are inline tables, the new table becomes an inline table too.
    """
    kind = key[0]
    headers = Places(text).headers
    alike = [path for _, path in headers if len(path) == 2 and path[0] == kind]
    if value_at(parse_text(text) or {}, (kind,)) and not alike:
        return text
    where = len(text)
    if alike:
        block = block_of(text, alike[-1])
        where = block.end if block else where
    else:
        below = [offset for offset, path in headers if path[0] in (*TABLES, PENDING, "assert")]
        below = [at for at in below if comes_after(text, at, kind)]
        where = above_sample(text, above(text, below[0])) if below else where
    newline = "\r\n" if "\r\n" in text else "\n"
    content = settings.new_content(key, values, [])
    lines = [
        f"[{dotted_key(key)}]",
        *(f"{bare(word)} = {inline_value(value)}" for word, value in content.items()),
    ]
    head, tail = text[:where].rstrip(), text[where:]
    blank = text[len(head) : where] or newline
    if tail and not blank.endswith(newline * 2):
        blank += newline
    return f"{head}{newline * 2}{newline.join(lines)}{blank}{tail}"


def comes_after(text: str, header: int, kind: str) -> bool:
    """Return True if a new table of this kind must be placed below the table at this offset."""
    order = [*TABLES, PENDING, "assert"]
    word = re.match(r"\[\[?[ \t]*[\"']?([a-z]+)", text[header:])
    return word is not None and order.index(word[1]) > order.index(kind)


def with_battle(text: str, change: Change) -> str:
    """Return the text after removing, inserting or replacing one pending battle."""
    data = tomllib.loads(text)
    place = place_of(data, change.key[1])
    if change.after is None:
        return text if place < 0 else without(text, data, place)
    if place < 0:
        return with_inserted(text, data, change)
    if same(value_at(data, change.key), change.after):
        return text
    return with_rewritten(text, place, rewritten(pending(data)[place], change))


def with_rewritten(text: str, place: int, table: Mapping[str, object]) -> str:
    """Return the text after changing values of a pending battle. Its lines keep their places."""
    item = pending(tomllib.loads(text))[place]
    text = without_lines(text, [(PENDING, place, word) for word in item if word not in table])
    return edit_document(text, lambda document: set_values(document[PENDING][place], table))


def without(text: str, data: Mapping[str, object], place: int) -> str:
    block = block_of(text, (PENDING, place))
    if block is not None:
        remaining = text[: block.start] + text[block.end :]
        wanted = [*pending(data)[:place], *pending(data)[place + 1 :]]
        left = parse_text(remaining)
        if left is not None and is_same_data(pending(left), wanted):
            return remaining
    document = parsed(text)
    del document[PENDING][place]
    left_over = printed(document)
    return left_over if document[PENDING] else without_list(left_over)


EMPTY_LIST = re.compile(r"\[(?:[\s,]|#[^\n]*+)*\][ \t]*(?:#[^\r\n]*)?")
COMMENT = re.compile(r"#[^\r\n]*")


def without_list(text: str) -> str:
    """Return the text without its empty list of pending battles. Comments in and behind it are kept."""
    places = Places(text)
    begin = text.rfind("\n", 0, places.keys[(PENDING,)]) + 1
    match = EMPTY_LIST.match(text, places.values[(PENDING,)])
    assert match is not None
    newline = "\r\n" if "\r\n" in text else "\n"
    comments = newline.join(COMMENT.findall(match[0]))
    remainder = text[match.end() :]
    return text[:begin] + (comments + remainder if comments else remainder.removeprefix(newline))


def with_inserted(text: str, data: Mapping[str, object], change: Change) -> str:
    """Return the text after inserting a pending battle, at its former position if possible."""
    if (PENDING,) in Places(text).values:
        return edit_document(text, lambda document: document[PENDING].insert(change.place, change.after))
    offset = insertion_point(text, len(pending(data)), change)
    head, tail = text[:offset], text[offset:]
    lines = joining(change, head, tail)
    return head + (lines if pending(data) else apart(lines, head, tail)) + tail


def joining(change: Change, head: str, tail: str) -> str:
    """Return the lines of a pending battle.

    The line ends and blank lines are those that the neighbours of the battle require.
    """
    newline = "\r\n" if "\r\n" in head or "\r\n" in tail else "\n"
    assert isinstance(change.after, dict)
    lines = change.text or battle_lines_of(change.after).replace("\n", newline)
    ended = "" if not head or head.endswith("\n") else newline
    if not change.text and head.strip() and not (head + ended).endswith(newline * 2):
        lines = newline + lines
    if tail and not lines.endswith("\n"):
        lines += newline
    if not change.text and tail.strip() and not tail.startswith(("\n", "\r\n")):
        lines += newline
    return ended + lines


def apart(lines: str, head: str, tail: str) -> str:
    """Return the lines of a battle, with blank lines between them and comments about other things.

    A comment right above or below the battle would count as the battle's own comment, and would be removed
    with it.
    """
    newline = "\r\n" if "\r\n" in lines else "\n"
    if head and is_comment(head.splitlines()[-1]) and lines.strip():
        lines = newline * (2 - head.endswith("\n")) + lines.lstrip("\r\n")
    below = next((line for line in tail.splitlines() if not is_comment(line)), "")
    if is_comment(tail) and not below.startswith("[") and not lines.endswith(newline * 2):
        lines += newline
    return lines


def insertion_point(text: str, count: int, change: Change) -> int:
    """Return the offset at which the lines of a pending battle are inserted.

    This is next to the other battles, or at the battle's former position.
    """
    if count == 0:
        return former_place(text, change)
    block = block_of(text, (PENDING, min(change.place, count - 1)))
    if block is None:
        return len(text)
    return block.start if change.place < count else block.end


def former_place(text: str, change: Change) -> int:
    """Return the former offset of a battle's lines.

    If they do not fit there, return the next gap where they fit, or the end of the text.
    """
    lines = text.splitlines(keepends=True)
    first = change.line - 1 if 0 < change.line <= len(lines) else len(lines)
    # Comments right above belong to the part below: the battle's own comments are in its lines.
    while first > 0 and is_comment(lines[first - 1]):
        first -= 1
    gaps = [first] if not splits_gap(lines, first) else []
    gaps += [place for place in range(first + 1, len(lines)) if begins_block(lines, place)]
    for place in gaps[:GAPS]:
        total = sum(map(len, lines[:place]))
        if is_placed_well(text, total, change):
            return total
    return len(text)


GAPS = 20  # number of gaps to try


def splits_gap(lines: Sequence[str], place: int) -> bool:
    """Return True if there is text right above an offset and a blank line below."""
    return 0 < place < len(lines) and bool(lines[place - 1].strip()) and not lines[place].strip()


def begins_block(lines: Sequence[str], place: int) -> bool:
    """Return True if there is a blank line above an offset and text right below."""
    return not lines[place - 1].strip() and bool(lines[place].strip())


def is_placed_well(text: str, offset: int, change: Change) -> bool:
    """Return True if inserting a battle's lines at this offset changes no other value."""
    data = parse_text(text)
    parsed = parse_text(text[:offset] + change.text + text[offset:])
    return (
        data is not None
        and parsed is not None
        and is_same_data({**parsed, PENDING: []}, {**data, PENDING: []})
    )


def with_lines(text: str, changes: Iterable[Change]) -> tuple[list[Change], str]:
    """Return a pair: the changes and the text after them.

    Changes that remove a battle are completed with the umpire's lines of this battle. Only battles are
    changed in the text, not values.
    """
    changes = list(changes)
    if not any(is_battle(change.key) for change in changes):
        return changes, text
    if (PENDING,) in Places(text).values:
        return in_list(text, changes)
    lines, layout = [], cut_at_battles(text)
    for change in changes:
        if is_battle(change.key):
            moved = layout.move_battle(change) if layout else None
            if moved is None:
                [moved], text = one_by_one(layout.text if layout else text, [change])
                layout = cut_at_battles(text)
            change = moved
        lines.append(change)
    return lines, layout.text if layout else text


def in_list(text: str, changes: Sequence[Change]) -> tuple[list[Change], str]:
    """Do the same as `with_lines` for battles that are written as one list, `pending = [...]`."""
    document = parsed(text)
    battles = document[PENDING]
    ids = [battle.get("id") for battle in battles]
    changes_found = list[Change]()
    for number, change in enumerate(changes):
        if not ids:
            later_changes, text = with_lines(without_list(printed(document)), changes[number:])
            return [*changes_found, *later_changes], text
        changes_found.append(change_in_list(battles, ids, change) if is_battle(change.key) else change)
    text = printed(document)
    return changes_found, text if ids else without_list(text)


def change_in_list(battles: Any, ids: list[str], change: Change) -> Change:
    """Remove a battle from a list, insert it or replace it. Return the change, which has no lines."""
    place = ids.index(change.key[1]) if change.key[1] in ids else -1
    if change.after is None:
        if place >= 0:
            del battles[place], ids[place]
        return change._replace(text="", place=max(place, 0), line=0)
    if place >= 0:
        table = battles[place].to_dict()
        if not same(own_keys(table, (PENDING, 0)), change.after):
            set_values(battles[place], rewritten(table, change))
    else:
        battles.insert(change.place, change.after)
        ids.insert(change.place, change.key[1])
    return change


@dataclass
class Layout:
    """A text that is split at its pending battles. `gaps` are the parts before, between and after them."""

    ids: list[str]
    blocks: list[str]
    gaps: list[str]

    @property
    def text(self) -> str:
        return self.before(len(self.blocks)) + self.gaps[-1]

    def before(self, place: int) -> str:
        """Return the text above the lines of a battle."""
        above = [part for pair in zip(self.gaps[:place], self.blocks[:place], strict=True) for part in pair]
        return (
            "".join([*above, *self.gaps[place : place + 1]]) if place < len(self.blocks) else "".join(above)
        )

    def move_battle(self, change: Change) -> Change | None:
        """Remove or insert a battle.

        Return the change with the battle's lines, or None if the layout is too complex.
        """
        place = self.ids.index(change.key[1]) if change.key[1] in self.ids else -1
        if change.after is None and place >= 0 and gives_alone(self.blocks[place], change.before):
            return self.take_out(place, change)
        if change.after is not None and place < 0 and self.ids:
            return self.put_in(change)
        return None

    def append_battle(self, change: Change) -> bool:
        """Insert a battle below the others and return True. For any other change, return False."""
        is_new = change.before is None and change.key[1] not in self.ids
        return is_new and change.place >= len(self.ids) and self.move_battle(change) is not None

    def take_out(self, place: int, change: Change) -> Change:
        """Remove the lines of a battle. Return the change with these lines."""
        line = self.before(place).count("\n") + 1
        lines = self.blocks.pop(place)
        del self.ids[place]
        self.gaps[place] += self.gaps.pop(place + 1)
        return change._replace(text=lines, place=place, line=line)

    def put_in(self, change: Change) -> Change:
        """Insert the lines of a battle at their former position among the others."""
        place = min(change.place, len(self.ids))
        tail = self.blocks[place] if place < len(self.ids) else self.gaps[-1]
        lines = joining(change, self.before(place), tail)
        self.gaps.insert(min(place + 1, len(self.ids)), "")
        self.blocks.insert(place, lines)
        self.ids.insert(place, change.key[1])
        return change


def cut_at_battles(text: str) -> Layout | None:
    """Split a text at its pending battles. Return None if a battle has no lines of its own."""
    data, places = parse_text(text), Places(text)
    if data is None or (PENDING,) in places.values:
        return None
    layout, end = Layout([str(table.get("id")) for table in pending(data)], [], []), 0
    starts = [(offset, path) for offset, path in places.headers if path[:1] != (PENDING,) or len(path) == 2]
    for number, (offset, path) in enumerate(starts):
        if path[:1] == (PENDING,):
            later = starts[number + 1][0] if number + 1 < len(starts) else None
            start = above(text, offset)
            stop = content_end(text, offset, above(text, later) if later is not None else len(text))
            layout.gaps.append(text[end:start])
            layout.blocks.append(text[start:stop])
            end = stop
    layout.gaps.append(text[end:])
    return layout if len(layout.blocks) == len(layout.ids) else None


def one_by_one(text: str, changes: Iterable[Change]) -> tuple[list[Change], str]:
    """Do the same as `with_lines` for any layout. The whole text is parsed again for each battle."""
    results = []
    for change in changes:
        if is_battle(change.key):
            if change.after is None:
                change = keeping_lines(text, change)
            text = with_battle(text, change)
        results.append(change)
    return results, text


def keeping_lines(text: str, change: Change) -> Change:
    """Return the change that removes a battle, completed with the battle's lines."""
    place = place_of(tomllib.loads(text), change.key[1])
    block = block_of(text, (PENDING, place)) if place >= 0 else None
    if block is None or not gives_alone(text[block.start : block.end], change.before):
        return change._replace(text="", place=max(place, 0), line=0)
    line = text.count("\n", 0, block.start) + 1
    return change._replace(text=text[block.start : block.end], place=place, line=line)


def gives_alone(text: str, table: object) -> bool:
    """Return True if parsing only these lines gives this pending battle."""
    data = parse_text(text)
    return data is not None and list(data) == [PENDING] and own_keys(data) == {PENDING: [table]}


def battle_lines_of(table: Mapping[str, object]) -> str:
    """Return the lines of a pending battle in the style of the documentation."""
    lines = ["[[pending]]"]
    lines += [
        f"{bare(word)} = {inline_value(value)}"
        for word, value in table.items()
        if not isinstance(value, dict)
    ]
    for word, value in table.items():
        if isinstance(value, dict):
            lines += sub_table(f"{PENDING}.{bare(word)}", value)
    return "\n".join(lines) + "\n"


def sub_table(name: str, table: Mapping[str, object]) -> list[str]:
    """Return the lines of a table inside a pending battle."""
    tables = {word: value for word, value in table.items() if isinstance(value, dict)}
    lines = [f"{bare(word)} = {inline_value(value)}" for word, value in table.items() if word not in tables]
    if lines or not tables:
        lines.insert(0, f"[{name}]")
    for word, value in tables.items():
        lines += sub_table(f"{name}.{bare(word)}", value)
    return lines

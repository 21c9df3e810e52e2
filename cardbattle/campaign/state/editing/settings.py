"""Add, change and remove settings tables and lists in the text of campaign.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from cardbattle.campaign.state.changes import Change, Key, dotted_key, is_presence, table_at
from cardbattle.campaign.state.editing.layout import (
    above,
    above_samples,
    bare,
    block_of,
    edit_document,
    inline_value,
    is_same_data,
    parse_text,
    set_values,
    without_lines,
    without_tables,
)
from cardbattle.files.toml_positions import Places

BELOW_SETTINGS = ("factions", "forces", "locations", "pending", "assert")  # tables below all settings
BELOW_LISTS = ("pending", "assert")  # tables below roads, events and other lists
WIDEST_LIST = 60  # maximum length of a list of tables on one line


def is_list(change: Change) -> bool:
    """Return True if a change concerns a whole list."""
    return isinstance(change.before, list) or isinstance(change.after, list)


def is_table_list(value: object) -> bool:
    """Return True if a value is a list of tables, which can be written with `[[road]]` headers."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


# Settings tables


def with_new_tables(text: str, tables: Iterable[Change], values: Sequence[Change]) -> str:
    """Return the text with the new settings tables and their values. They are placed above the factions."""
    created = dict.fromkeys(change.key[:-1] for change in tables if change.after is not None)
    if not created:
        return text
    data = parse_text(text) or {}
    for path in sorted(created, key=len):
        if path[:-1] in created or table_at(data, path) is not None:
            continue
        content = new_content(path, values, created)
        for header, table in tables_with_headers(path, content):
            text = insert_block(text, table_lines(header, table), table_offset(text, header))
        data = parse_text(text) or {}
    return text


def new_content(path: Key, values: Iterable[Change], created: Iterable[Key]) -> dict[str, Any]:
    """Return the content of a new table, which consists of its values and the tables inside it."""
    content: dict[str, Any] = {}
    inside: list[tuple[Key, object]] = [
        (key, {}) for key in created if key[: len(path)] == path and key != path
    ]
    inside.sort(key=lambda pair: len(pair[0]))
    pairs = [(change.key, change.after) for change in values if change.key[: len(path)] == path]
    for key, value in [*inside, *((key, value) for key, value in pairs if value is not None)]:
        table = content
        for word in key[len(path) : -1]:
            table = table.setdefault(word, {})
        table[key[-1]] = dict(value) if isinstance(value, dict) else value
    return content


def tables_with_headers(path: Key, content: Mapping[str, Any]) -> list[tuple[Key, Mapping[str, Any]]]:
    """Return the tables that get their own headers, such as `[terrain.woods]` instead of `[terrain]`."""
    if len(path) == 1 and content and all(isinstance(value, dict) for value in content.values()):
        return [((*path, word), value) for word, value in content.items()]
    return [(path, content)] if len(path) <= 2 else []


def table_offset(text: str, path: Key) -> int:
    """Return the offset at which a new settings table is placed."""
    headers = Places(text).headers
    alike = [header for _, header in headers if header[:1] == path[:1] and len(header) == len(path)]
    block = block_of(text, alike[-1]) if alike else None
    return block.end if block else offset_above(text, BELOW_SETTINGS)


def offset_above(text: str, tables: Sequence[str]) -> int:
    """Return the offset above the first header of these tables, or the text's end."""
    headers = [offset for offset, path in Places(text).headers if path[0] in tables]
    return above_samples(text, above(text, headers[0]) if headers else len(text))


def table_lines(path: Key, table: Mapping[str, Any], opening: str = "[", closing: str = "]") -> list[str]:
    name = dotted_key(tuple(map(bare, path)))
    return [
        f"{opening}{name}{closing}",
        *(f"{bare(word)} = {format_setting(v)}" for word, v in table.items()),
    ]


def format_setting(value: object) -> str:
    """Format a value as an umpire would write it. A long list of tables has one line for each table."""
    text = inline_value(value)
    if isinstance(value, list) and is_table_list(value) and len(text) > WIDEST_LIST:
        return "\n".join(["[", *(f"    {inline_value(item)}," for item in value), "]"])
    return text


def insert_block(text: str, lines: Sequence[str], offset: int) -> str:
    """Insert a block of lines at an offset, with blank lines around it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    head, tail = text[:offset], text[offset:]
    block = newline.join("\n".join(lines).split("\n")) + newline
    if head.strip():
        ended = head if head.endswith("\n") else head + newline
        head = ended if ended.endswith((newline * 2, "\n\n")) else ended + newline
    if tail.strip() and not tail.startswith(("\n", "\r\n")):
        block += newline
    return head + block + tail


def without_old_tables(text: str, tables: Iterable[Change]) -> str:
    """Return the text without the removed settings tables. Their comments are kept."""
    gone = [change.key[:-1] for change in tables if is_presence(change.key) and change.after is None]
    for path in sorted(gone, key=len, reverse=True):
        text = without_tables(text, [path])
        if table_at(parse_text(text) or {}, path) == {}:
            text = without_key(text, path)
    return text


def without_key(text: str, path: Key) -> str:
    """Return the text without the value or table at a path, in any notation.

    Raises KeyError if the value is missing.
    """
    return edit_document(text, lambda document: table_of(document, path[:-1]).pop(path[-1]))


def table_of(document: Any, path: Sequence[str]) -> Any:
    """Return the table at a path of a document. Missing tables are created."""
    for word in path:
        if word not in document:
            document[word] = {}
        document = document[word]
    return document


# Lists


def with_list(text: str, path: Key, items: object) -> str:
    """Return the text after changing a list item by item. If `items` is None, the list is removed."""
    current = table_at(tomllib.loads(text), path)
    if is_same_data(current, items):
        return text
    if items is None:
        return without_list_at(text, path)
    assert isinstance(items, list)
    if current is None and len(path) == 1 and is_table_list(items):
        for item in items:
            text = with_new_item(text, path, item)
        return text
    if isinstance(current, list):
        return with_items(text, path, current, items)
    return edit_document(text, lambda document: put_item(table_of(document, path[:-1]), path[-1], items))


def with_items(text: str, path: Key, current: list[Any], items: list[Any]) -> str:
    """Return the text after changing a list from the `current` items to the new `items`."""
    before, after = list(map(inline_value, current)), list(map(inline_value, items))
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for _, start, stop, low, high in reversed([step for step in steps if step[0] != "equal"]):
        same = min(stop - start, high - low)
        for place in range(stop - 1, start + same - 1, -1):
            text = without_item(text, path, place)
        for place in range(same):
            text = with_changed_item(text, path, start + place, items[low + place])
        for place in range(same, high - low):
            text = with_inserted_item(text, path, start + place, items[low + place])
    return text


def has_headers(text: str, path: Key) -> bool:
    """Return True if a list is written with `[[road]]` headers."""
    return any(header == (*path, 0) for _, header in Places(text).headers)


def put_item(container: Any, key: str | int, value: object) -> None:
    """Set a value of a table, or an item of a list."""
    container[key] = value


def array_at(document: Any, path: Key) -> Any:
    for word in path:
        document = document[word]
    return document


def without_item(text: str, path: Key, place: int) -> str:
    """Return the text without an item of a list and without the comments of this item."""
    block = block_of(text, (*path, place)) if has_headers(text, path) else None
    if block is not None:
        return text[: block.start] + text[block.end :]
    return edit_document(text, lambda document: array_at(document, path).pop(place))


def with_changed_item(text: str, path: Key, place: int, item: object) -> str:
    old = table_at(tomllib.loads(text), path)
    if isinstance(item, dict) and isinstance(old, list) and isinstance(old[place], dict):
        gone = [(*path, place, word) for word in old[place] if word not in item]
        text = without_lines(text, gone)
        return edit_document(text, lambda document: set_values(array_at(document, path)[place], item))
    return edit_document(text, lambda document: put_item(array_at(document, path), place, item))


def with_inserted_item(text: str, path: Key, place: int, item: object) -> str:
    if has_headers(text, path) and isinstance(item, dict):
        return with_new_item(text, path, item, place)
    return edit_document(text, lambda document: array_at(document, path).insert(place, item))


def with_new_item(text: str, path: Key, item: Mapping[str, Any], place: int | None = None) -> str:
    """Return the text with a new `[[road]]` block.

    The block is placed before the item with the index `place`, or after the last item.
    """
    count = len([header for _, header in Places(text).headers if header[:-1] == path])
    if not count:
        offset = offset_above(text, BELOW_LISTS)
    else:
        block = block_of(text, (*path, min(count - 1, count if place is None else place)))
        assert block is not None
        offset = block.start if place is not None and place < count else block.end
    return insert_block(text, table_lines(path, item, "[[", "]]"), offset)


def without_list_at(text: str, path: Key) -> str:
    """Return the text without a list. Comments on their own lines are kept."""
    while has_headers(text, path):
        text = without_item(text, path, len(table_at(tomllib.loads(text), path) or []) - 1)  # type: ignore[arg-type]
    text = without_lines(text, [path])
    if table_at(tomllib.loads(text), path) is None:
        return text
    return without_key(text, path)

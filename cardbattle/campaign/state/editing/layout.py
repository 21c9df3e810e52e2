"""Find the lines of each table in the text of a TOML file, and format values."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import tomli_w

from cardbattle.campaign.state.changes import Key
from cardbattle.files.toml_positions import Places


def parse_text(text: str) -> dict[str, object] | None:
    """Return the data in a text, or None if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def is_same_data(first: object, second: object) -> bool:
    """Return True if two TOML values are equal. The values 1, 1.0 and true differ, and nan equals itself."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_same_data(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_same_data, first, second))
    return type(first) is type(second) and (first == second or repr(first) == repr(second))


def without_tables(text: str, keys: Iterable[Key]) -> str:
    """Return the text without the headers of these empty tables. All comments are kept."""
    for key in keys:
        places = Places(text)
        begins = [offset for offset, path in places.headers if path == key]
        if not begins:
            text = without_lines(text, [key])
            continue
        start = text.rfind("\n", 0, begins[0]) + 1
        newline = text.find("\n", begins[0])
        end = newline + 1 if newline >= 0 else len(text)
        head, tail = text[:start], text[end:]
        comment = text[start:end].partition("#")
        if comment[1]:
            text = f"{head}#{comment[2]}{tail}"
        elif head.endswith(("\n\n", "\r\n\r\n")) and (not tail or tail[0] in "\r\n"):
            text = head[: -2 if head.endswith("\r\n") else -1] + tail
        else:
            text = head + tail
    return text


def without_lines(text: str, keys: Iterable[tuple[str | int, ...]]) -> str:
    """Return the text without these values.

    Each of them must have its own line. Comments above a value are kept. A comment behind a value gets its
    own line.
    """
    keys = list(keys)
    places = Places(text).keys if keys else {}
    for begin in sorted((places[key] for key in keys if key in places), reverse=True):
        start, newline = text.rfind("\n", 0, begin) + 1, text.find("\n", begin)
        end = newline + 1 if newline >= 0 else len(text)
        if not INSIDE.search(text, start, begin) and (comment := comment_behind(text[start:end])) is not None:
            text = text[:start] + comment + text[end:]
    return text


INSIDE = re.compile(r"[={\[,#]")  # text before a key on its line shows that it is inside a value


def comment_behind(line: str) -> str | None:
    """Return the comment behind a value with its line end.

    Returns None if the value continues on the next line.
    """
    for mark in [*(match.start() for match in re.finditer("#", line)), len(line)]:
        if parse_text(line[:mark]):
            return line[mark:]
    return None


def parsed(text: str) -> Any:
    """Parse a text to a TOML document that keeps its comments and layout."""
    import tomlrt  # takes 30 ms to import; only needed for editing

    return tomlrt.loads(text)


def printed(document: Any) -> str:
    import tomlrt  # see `parsed`

    return tomlrt.dumps(document)


def edit_document(text: str, edit: Callable[[Any], object]) -> str:
    """Return the text after `edit` has changed its document."""
    document = parsed(text)
    edit(document)
    return printed(document)


def set_values(table: Any, wanted: Mapping[str, object]) -> None:
    """Set the wanted values of a table in a document, and remove all other values."""
    for key in [key for key in table if key not in wanted]:
        del table[key]
    for key, value in wanted.items():
        if isinstance(value, Mapping) and isinstance(table.get(key), Mapping):
            set_values(table[key], value)
        elif not is_same_data(table.get(key), value):
            table[key] = value


class Block(NamedTuple):
    """The start and end of the lines of a pending battle, including its comments."""

    start: int
    end: int


def block_of(text: str, item: tuple[str | int, ...]) -> Block | None:
    """Return the block of lines of a pending battle or another table.

    The block includes the comment lines right above the header and right below the last line, and the blank
    lines that follow. Returns None if the table has no header of its own.
    """
    headers = Places(text).headers
    begins = [offset for offset, path in headers if path == item]
    if not begins:
        return None
    later = [offset for offset, path in headers if offset > begins[0] and path[: len(item)] != item]
    start = above(text, begins[0])
    next_start = above(text, later[0]) if later else len(text)
    return Block(start, content_end(text, begins[0], next_start))


def above(text: str, header: int) -> int:
    """Return the start of the comment lines right above a header."""
    start = text.rfind("\n", 0, header) + 1
    while start > 0:
        line = text.rfind("\n", 0, start - 1) + 1
        if not text[line:start].lstrip().startswith("#"):
            break
        start = line
    return start


def above_section(text: str, offset: int) -> int:
    """Return the start of the section comment that ends right above an offset.

    If the offset has no comment above it, return the offset itself. A section comment has a blank line above
    it. The comment at the start of the file is not a section comment.
    """
    lines = text[:offset].splitlines(keepends=True)
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    first = last
    while first and is_comment(lines[first - 1]):
        first -= 1
    is_section = 0 < first < last and not lines[first - 1].strip()
    return sum(map(len, lines[:first])) if is_section else offset


SAMPLE = re.compile(r"[ \t]*#[ \t]*\[\[?[\w.-]+\]\]?[ \t]*\r?\n")  # the header of a table in comments


def above_sample(text: str, offset: int) -> int:
    """Return the start of the section comment right above an offset, like `above_section`.

    A table in comments, which is a sample, belongs to the comment above it.
    """
    start = above_section(text, offset)
    return above_section(text, start) if start != offset and SAMPLE.match(text, start) else start


def above_samples(text: str, offset: int) -> int:
    """Return the start of the section comments and samples right above an offset."""
    start = above_sample(text, offset)
    while (sample := above_section(text, start)) != start and SAMPLE.match(text, sample):
        start = above_sample(text, start)
    return start


def content_end(text: str, start: int, end: int) -> int:
    """Return the end of a block after its last value, the comments right below it, and blank lines."""
    lines = text[start:end].splitlines(keepends=True)
    last = len(lines)
    while last and (not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#")):
        last -= 1
    while last < len(lines) and lines[last].strip():
        last += 1
    while last < len(lines) and not lines[last].strip():
        last += 1
    return start + sum(map(len, lines[:last]))


def is_comment(line: str) -> bool:
    return line.lstrip(" \t").startswith("#")


def count_lost_comments(old: str, new: str) -> int:
    r"""Count the comment lines of an old text whose comments are nowhere in the new text.

    >>> count_lost_comments("# A\n# B\na = 1\n", "a = 1 # B\n")
    1
    """
    lines = [line.strip() for line in old.splitlines() if is_comment(line)]
    comments = [line[line.index("#") :].rstrip() for line in new.splitlines() if "#" in line]
    return (Counter(lines) - Counter(comments)).total()


def bare(word: str) -> str:
    """Format a key for TOML, with quotes if necessary."""
    return tomli_w.dumps({word: 0}).removesuffix(" = 0\n")


def inline_value(value: object) -> str:
    r"""Format a value on one line of a TOML file.

    >>> inline_value({"a": [1, True], "b": 'say "no"'})
    '{ a = [1, true], b = "say \\"no\\"" }'
    """
    if isinstance(value, dict):
        pairs = [f"{bare(word)} = {inline_value(inside)}" for word, inside in value.items()]
        return "{ " + ", ".join(pairs) + " }" if pairs else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline_value, value)) + "]"
    return tomli_w.dumps({"k": value})[4:-1]

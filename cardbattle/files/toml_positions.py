"""Find the positions of all keys and values in a valid TOML text.

The program needs positions only for errors, so it does not use this module for files without errors.
"""

from __future__ import annotations

import re
import tomllib

Path = tuple[str | int, ...]

LONG_BASIC = r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})'
LONG_LITERAL = r"'''.*?'''(?:'{0,2})"
BASIC = r'"(?:[^"\\\n]|\\.)*"'
LITERAL = r"'[^'\n]*'"

TRIVIA = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
KEY = re.compile(rf"[A-Za-z0-9_-]+|{BASIC}|{LITERAL}", re.DOTALL)
SCALAR = re.compile(rf"{LONG_BASIC}|{LONG_LITERAL}|{BASIC}|{LITERAL}|[^,\]}}#\r\n]+", re.DOTALL)
DOT = re.compile(r"[ \t]*\.[ \t]*")


class Places:
    """The offsets of all keys, values and table headers in a valid TOML text.

    `parts` has a pair (offset, path) for each part of each dotted key, in the order of the text. `path` is
    the path of keys that ends with this part.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.keys: dict[Path, int] = {}
        self.values: dict[Path, int] = {}
        self.headers: list[tuple[int, Path]] = []
        self.parts: list[tuple[int, Path]] = []
        self.counts: dict[Path, int] = {}
        self.read()

    def read(self) -> None:
        """Parse the text, which is a sequence of table headers and pairs `key = value`."""
        table: Path = ()
        self.skip()
        while self.position < len(self.text):
            if self.text.startswith("[[", self.position):
                table = self.item_header()
            elif self.text[self.position] == "[":
                table = self.table_header()
            else:
                self.pair(table)
            self.skip()

    def skip(self) -> None:
        match = TRIVIA.match(self.text, self.position)
        assert match is not None
        self.position = match.end()

    def pass_over(self, mark: str) -> None:
        """Skip the text `mark` and the blanks after it."""
        assert self.text.startswith(mark, self.position)
        self.position += len(mark)
        self.skip()

    def part(self) -> tuple[str, int]:
        """Read one part of a dotted key, and return it with its offset."""
        match = KEY.match(self.text, self.position)
        assert match is not None
        self.position = match.end()
        word = match[0]
        if word[0] in "\"'":
            word = tomllib.loads(f"key = {word}")["key"]
        return word, match.start()

    def dotted(self) -> list[tuple[str, int]]:
        parts = [self.part()]
        while (dot := DOT.match(self.text, self.position)) is not None:
            self.position = dot.end()
            parts.append(self.part())
        self.skip()
        return parts

    def current(self, path: Path) -> Path:
        """If the path leads to an array of tables, add the index of the last table in the array.

        Any other path is returned unchanged.
        """
        return (*path, self.counts[path] - 1) if path in self.counts else path

    def table_header(self) -> Path:
        """Read a table header, such as `[a.b]`, and return its path of keys."""
        begin = self.position
        self.pass_over("[")
        path: Path = ()
        for word, start in self.dotted():
            path = (*self.current(path), word)
            self.keys.setdefault(path, start)
            self.parts.append((start, path))
        self.keys[path] = start
        self.headers.append((begin, path))
        self.pass_over("]")
        return path

    def item_header(self) -> Path:
        """Read the header of a table in an array, such as `[[a.b]]`, and return its path of keys."""
        begin = self.position
        self.pass_over("[[")
        path: Path = ()
        for word, start in self.dotted():
            path = (*self.current(path), word)
            self.keys.setdefault(path, start)
            self.parts.append((start, path))
        self.counts[path] = self.counts.get(path, 0) + 1
        self.keys[self.current(path)] = start
        self.headers.append((begin, self.current(path)))
        self.pass_over("]]")
        return self.current(path)

    def pair(self, table: Path) -> None:
        """Read `a.b = value`, a key and its value in a table."""
        path = table
        for word, start in self.dotted():
            path = (*path, word)
            self.keys.setdefault(path, start)
            self.parts.append((start, path))
        self.pass_over("=")
        self.value(path)

    def value(self, path: Path) -> None:
        """Read a value, including the values inside arrays and inline tables."""
        self.values[path] = self.position
        if self.text[self.position] == "[":
            self.array(path)
        elif self.text[self.position] == "{":
            self.inline(path)
        else:
            match = SCALAR.match(self.text, self.position)
            assert match is not None
            self.position = match.end()

    def array(self, path: Path) -> None:
        """Read an array, such as `[1, 2]`."""
        self.pass_over("[")
        index = 0
        while self.text[self.position] != "]":
            self.value((*path, index))
            self.skip()
            if self.text[self.position] == ",":
                self.pass_over(",")
            index += 1
        self.position += 1

    def inline(self, path: Path) -> None:
        """Read an inline table, such as `{ a = 1, b.c = 2 }`."""
        self.pass_over("{")
        while self.text[self.position] != "}":
            self.pair(path)
            self.skip()
            if self.text[self.position] == ",":
                self.pass_over(",")
        self.position += 1

    def find(self, at: Path, *, key: bool = False) -> int:
        """Return the offset of the value at a path of keys. If `key` is True, return the offset of the key.

        If the path does not exist, return the offset of the nearest table above it.
        """
        for length in range(len(at), 0, -1):
            path = at[:length]
            whole = length == len(at)
            offset = self.values.get(path) if whole and not key else None
            if offset is None:
                offset = self.keys.get(path, self.values.get(path))
            if offset is not None:
                return offset
        return 0


MOST_DOTS = 20
LEAST_WORK = 500_000
TOKEN = re.compile(
    rf"#[^\n]*|{LONG_BASIC}|{LONG_LITERAL}"
    rf"|(?P<dotted>(?:[A-Za-z0-9_-]+|{BASIC}|{LITERAL})"
    rf"(?:[ \t]*\.[ \t]*(?:[A-Za-z0-9_-]+|{BASIC}|{LITERAL}))*)|.",
    re.DOTALL,
)


def find_overlong_key(text: str) -> int:
    """Return the offset of the first dotted key with too many dots, or -1 if no key has too many.

    The time that `tomllib` needs for a key grows with the square of the number of dots. Therefore the limit
    is lower if the file has many keys with several dots.
    """
    if text.count(".") < 1000 and all(line.count(".") <= MOST_DOTS for line in text.split("\n")):
        return -1
    work = 0
    for token in TOKEN.finditer(text):
        dotted = token["dotted"]
        if dotted is None or "." not in dotted:
            continue
        dots = len(KEY.findall(dotted)) - 1
        work += dots * dots
        if dots > MOST_DOTS or work > max(LEAST_WORK, len(text) // 2):
            return token.start()
    return -1

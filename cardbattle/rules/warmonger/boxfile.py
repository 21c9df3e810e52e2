"""Read data files of Warmonger cards, Robots and Jokers (WM-51).

All errors in a file are reported together, each with its line number and its key path.
"""

from __future__ import annotations

import json
import os
import stat
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib import resources

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.core.names import clean, listed, nearest, quoted
from cardbattle.files.reader import TableReader, expect_one_of, expect_switch, expect_whole, whole_between
from cardbattle.rules.warmonger.box import (
    BEAT,
    CHASES,
    EFFECT_WINDOWS,
    EFFECTS,
    EQUAL,
    GREEDY,
    JOKERS,
    LONGEST_NAME,
    MOST_JOKER,
    NO_POWER,
    OPENINGS,
    POWERS,
    SAFE,
    STAND_PAT,
    TURN_SOME,
    UNTIL,
    WINDOWS,
    Box,
    Design,
    Joker,
    Robot,
    code_of,
    is_name,
)

OURS, NONE = "ours", "none"
OUR_PILE = 36  # number of built-in Warmonger cards per copy of the game (WM-3)
HOLDS = {"cards": "card", "robots": "robot", "jokers": "joker"}  # house rule: the tables of its data file
COUNTS = {"conscript": (3, 20), "raid": (2, 20), "supply": (1, 3), "march": (1, 3), "scout": (4, 5)}
FORMAT = 1
LONGEST_FILE = 64_000
MOST_DESIGNS = 60
MOST_COPIES = 60
MOST_DOTS = 20  # limit, because the time of tomllib grows with the square of the dots
NAMELESS = "Nameless"

Path = tuple[str | int, ...]


def without_own(data: object) -> object:
    """Return the data without the user's own keys, which are `x` and every key that begins with `x_`."""
    if isinstance(data, list):
        return [without_own(item) for item in data]
    if not isinstance(data, dict):
        return data
    return {key: without_own(value) for key, value in data.items() if key != "x" and not key.startswith("x_")}


def name_value(value: object) -> str:
    if not isinstance(value, str) or not is_name(value):
        raise ValueError(
            f"expected a name of at most {LONGEST_NAME} letters (A-Z) and digits, with single spaces, "
            f"hyphens or apostrophes between them, such as Air Strike, got {quoted(value)}"
        )
    return value


def plain_text(value: object) -> str:
    if not isinstance(value, str) or clean(value) != value:
        raise ValueError("expected one line of text without control characters")
    return value


def read_design(table: TableReader) -> Design:
    effect = table.need("effect", expect_one_of(EFFECTS), UNKNOWN)
    keys = ["name", "copies", "windows", "effect", "text"]
    cards = 0
    word = table.data.get("effect")
    if isinstance(word, str) and word in COUNTS:
        default, most = COUNTS[word]
        cards = table.take("cards", whole_between(2 if word == "scout" else 1, most), default)
        keys.append("cards")
    table.only(keys)
    copies = table.take("copies", whole_between(1, MOST_COPIES), 1)
    name = table.need("name", name_value, NAMELESS)
    return Design(
        name, copies, read_windows(table, effect), effect, cards, table.take("text", plain_text, "")
    )


def read_windows(table: TableReader, effect: int) -> int:
    """Parse the windows of a card. The default is all windows that the card's effect allows."""
    allowed = EFFECT_WINDOWS[effect] if effect != UNKNOWN else sum(WINDOWS.values())
    if "windows" not in table.data:
        return allowed
    choices = {word: window for word, window in WINDOWS.items() if window & allowed}
    value = table.data["windows"]
    if not isinstance(value, list) or not value:
        table.wrong(f"expected a list of windows ({listed(choices)}), got {quoted(value)}", "windows")
        return allowed
    windows = 0
    for place, word in enumerate(value):
        try:
            windows |= expect_one_of(choices)(word)
        except ValueError as error:
            table.wrong(str(error), "windows", place)
    return windows


def read_robot(table: TableReader) -> Robot:
    opening = table.need("opening", expect_one_of(OPENINGS), STAND_PAT)
    chase = table.take("chase", expect_one_of(CHASES), BEAT)
    keys = ["name", "opening", "chase", "power", "text"]
    limit = below = 0
    if opening in (UNTIL, SAFE):
        keys.append("score")
        limit = table.take("score", whole_between(1, 21), 11 if opening == SAFE else 15)
    elif opening == TURN_SOME:
        keys.append("cards")
        limit = table.take("cards", whole_between(1, 3), 1)
    if chase == GREEDY:
        keys.append("below")
        below = table.take("below", whole_between(1, 21), 16)
    table.only(keys)
    power = table.take("power", expect_one_of(POWERS), NO_POWER)
    name, text = table.need("name", name_value, NAMELESS), table.take("text", plain_text, "")
    return Robot(name, opening, limit, chase == EQUAL, below, power, text)


def read_joker(table: TableReader) -> Joker:
    table.only(("numbers", "war"))
    return Joker(table.need("numbers", read_numbers, [1]), table.take("war", expect_switch, False))


def read_numbers(value: object) -> list[int]:
    """Parse the numbers that are printed on a Joker (WM-8).

    Raises:
        ValueError: the value is not an ascending list of numbers from 1 to 10.

    """
    numbers = [n for n in value if type(n) is int and 1 <= n <= MOST_JOKER] if isinstance(value, list) else []
    if not numbers or numbers != value or sorted(set(numbers)) != numbers:
        raise ValueError(f"expected ascending numbers from 1 to {MOST_JOKER}, such as [1, 5, 10]")
    return numbers


class BoxFile:
    """The parsed content of a data file, with its errors."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.errors: list[Diagnostic] = []
        top = TableReader(without_own(self.parse()), (), self.errors)
        self.data = top.data
        cards = [*top.tables("card")]
        if len(cards) > MOST_DESIGNS:
            top.wrong(f"expected at most {MOST_DESIGNS} Warmonger cards, got {len(cards)}", "card")
        self.designs = [read_design(table) for table in cards]
        self.robots = [read_robot(table) for table in top.tables("robot")]
        self.jokers = [read_joker(table) for table in top.tables("joker")]
        if self.errors and not top.data:
            return
        top.only(("format", *HOLDS.values()))
        if top.need("format", expect_whole, FORMAT) != FORMAT:
            top.wrong(f"this program reads format {FORMAT}", "format")
        self.check_names([design.name for design in self.designs], "card")
        self.check_names([robot.name for robot in self.robots], "robot")
        if self.jokers and len(self.jokers) != JOKERS:
            top.wrong(f"expected {JOKERS} Jokers, got {len(self.jokers)}", "joker")

    def parse(self) -> dict[str, object]:
        """Parse the text as TOML. If the text is not valid, add an error and return an empty table."""
        if any(line.count(".") > MOST_DOTS for line in self.text.split("\n")):
            self.errors.append(
                Diagnostic(f"a line has more than {MOST_DOTS} dots; split it into shorter lines")
            )
            return {}
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            self.errors.append(Diagnostic("arrays or tables are nested too deeply; a few levels are enough"))
        except ValueError as error:
            self.errors.append(Diagnostic(f"this is not valid TOML: {clean(str(error))}"))
        return {}

    def check_names(self, names: list[str], key: str) -> None:
        """Add errors for duplicate names, and for names that begin with another name.

        With such names, a move would be ambiguous.
        """
        codes = [code_of(name) for name in names]
        for place, name in enumerate(names):
            at = (key, place, "name")
            if name == NAMELESS:
                continue
            if codes[place] in codes[:place]:
                self.errors.append(
                    Diagnostic(f"{quoted(name)} is used twice; choose a different name", at=at)
                )
            for prefix in names:
                if name.casefold().startswith(f"{prefix.casefold()} "):
                    text = f"{quoted(name)} begins with the name {quoted(prefix)}; choose a different name"
                    self.errors.append(Diagnostic(text, at=at))

    def holds(self, word: str) -> bool:
        """Return True if the file contains the tables that the house rule `word` needs."""
        return bool({"cards": self.designs, "robots": self.robots, "jokers": self.jokers}[word])

    def digest(self, word: str) -> str:
        """Return the digest of a house rule's tables. It does not depend on layout and comments."""
        tables = self.data.get(HOLDS[word])
        text = json.dumps(tables, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
        return f"sha256:{sha256(text.encode()).hexdigest()}"

    def message(self, error: Diagnostic) -> str:
        """Return an error as one line of text, with its line number and its key path."""
        path = ".".join(str(part) for part in error.at)
        line = self.line(error.at)
        return ": ".join(([str(line)] if line else []) + ([path] if path else []) + [error.text])

    def line(self, at: Path) -> int:
        """Return the line number of the key at a path.

        If the key is not found, return the line number of the table that should contain it. If the table is
        not found either, return 0.
        """
        lines = [line.split("#")[0].strip() for line in self.text.split("\n")]
        if len(at) < 2 or not isinstance(at[1], int):
            return 0
        heads = [number for number, line in enumerate(lines, 1) if line == f"[[{at[0]}]]"]
        if at[1] >= len(heads):
            return 0
        first = heads[at[1]]
        for number in range(first + 1, len(lines) + 1):
            if lines[number - 1].startswith("["):
                break
            if len(at) > 2 and lines[number - 1].partition("=")[0].strip() == at[2]:
                return number
        return first


@lru_cache(maxsize=32)
def parse(text: str) -> BoxFile:
    return BoxFile(text)


@lru_cache(maxsize=1)
def our_text() -> str:
    return resources.files("cardbattle").joinpath("data/warmonger.toml").read_text(encoding="utf-8")


def read_file(path: str) -> str:
    """Return the text of a data file.

    Raises:
        ValueError: the file is not a readable UTF-8 file of at most `LONGEST_FILE` bytes.

    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ValueError("not a regular file")
        with open(path, "rb") as file:
            raw = file.read(LONGEST_FILE + 1)
    except FileNotFoundError as error:
        raise ValueError("no such file, neither beside the file that names it nor one folder up") from error
    except OSError as error:
        raise ValueError("not readable; check its permissions") from error
    if len(raw) > LONGEST_FILE:
        raise ValueError(f"the file is larger than the limit of {LONGEST_FILE} bytes")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError("not UTF-8 text; save the file as UTF-8") from error


def text_for(value: object, base: str) -> str:
    """Return the text of the data file that a house rule names, or "" if it names `none`.

    Raises:
        ValueError: the file cannot be read.

    """
    if value == NONE:
        return ""
    return our_text() if value == OURS else read_file(path_of(str(value), base))


def path_of(name: str, base: str) -> str:
    """Return the path of a data file.

    A data file is in the folder of the file that names it, or (for a record in `records/`) one folder up.
    """
    beside, above = os.path.join(base, name), os.path.join(base, os.pardir, name)
    return beside if os.path.exists(beside) or not os.path.exists(above) else above


def file_errors(house: Mapping[str, object], base: str) -> list[Diagnostic]:
    """Return all errors in the data files that the house rules name."""
    errors: list[Diagnostic] = []
    for word, key in HOLDS.items():
        value = house[word]
        if value in (OURS, NONE):
            continue
        errors += [
            Diagnostic(text, at=("house", word)) for text in errors_in_file(str(value), base, word, key)
        ]
    return errors


def errors_in_file(name: str, base: str, word: str, key: str) -> list[str]:
    """Return all errors in one data file, as lines of text.

    The file must have the tables `key`, because the house rule `word` needs them.
    """
    try:
        file = parse(text_for(name, base))
    except ValueError as error:
        hint = nearest(name, [OURS, NONE] if word == "cards" else [OURS])
        return [f"cannot read {quoted(name)}: {error}{hint}"]
    if not file.errors and not file.holds(word):
        return [f"{clean(name)}: no [[{key}]] in this file; add one"]
    return [f"{clean(name)}:{file.message(error)}" for error in file.errors]


def digests(house: Mapping[str, object], base: str) -> dict[str, str]:
    """Return the digest of each custom data file. The keys are the names of the house rules."""
    files = {word: house[word] for word in HOLDS if house[word] not in (OURS, NONE)}
    return {word: parse(text_for(name, base)).digest(word) for word, name in files.items()}


def box_of(house: Mapping[str, object], base: str) -> Box:
    """Return the components of a battle with these house rules.

    Raises:
        InvalidInput: a data file has errors.

    """
    errors = file_errors(house, base)
    if errors:
        raise InvalidInput(errors)
    return pack(
        text_for(house["cards"], base), text_for(house["robots"], base), text_for(house["jokers"], base)
    )


@lru_cache(maxsize=32)
def pack(cards: str, robots: str, jokers: str) -> Box:
    """Build a box from the contents of three data files. Without `cards`, it has no Warmonger cards."""
    return Box(parse(cards).designs if cards else [], parse(robots).robots, parse(jokers).jokers)

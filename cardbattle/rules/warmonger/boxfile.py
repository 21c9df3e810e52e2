"""Reading the data file of Warmonger cards, Robots and Jokers (WM-51).

All mistakes of a file are found at once, each with its line and its path of keys.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import resources

from cardbattle.core.errors import Mistake, Refused
from cardbattle.core.names import clean, listed, nearest, quoted
from cardbattle.rules.warmonger.box import (
    CHASES,
    EFFECT_WINDOWS,
    EFFECTS,
    EQUAL,
    GREEDY,
    JOKERS,
    MOST_JOKER,
    OPENINGS,
    POWERS,
    SAFE,
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
HOLDS = {"cards": "card", "robots": "robot", "jokers": "joker"}  # house rule -> tables of its file
COUNTS = {"conscript": (3, 20), "raid": (2, 20), "supply": (1, 3), "march": (1, 3), "scout": (4, 5)}
FORMAT = 1
LONGEST_FILE = 64_000
MOST_DESIGNS = 60
MOST_COPIES = 60
MOST_DOTS = 20  # tomllib takes a time that grows with the square of the dots in a key
NAMELESS = "Nameless"

Path = tuple[str | int, ...]


class Sheet:
    """One table of a data file, read key by key; what is wrong with it goes into `mistakes`."""

    def __init__(self, data: object, at: Path, mistakes: list[Mistake]) -> None:
        self.at = at
        self.mistakes = mistakes
        self.data: Mapping[str, object] = {}
        if isinstance(data, dict):
            self.data = data
        else:
            self.wrong(f"expected a table, got {quoted(data)}")

    def wrong(self, text: str, *keys: str | int) -> None:
        """Note a mistake at a key of this table."""
        self.mistakes.append(Mistake(text, at=(*self.at, *keys)))

    def only(self, *known: str) -> None:
        """Note every key that is not known here."""
        for key in self.data:
            if key not in known and key != "x" and not key.startswith("x_"):
                hint = nearest(key, known) or f"; known here: {', '.join(known)}"
                self.wrong(f"key {quoted(key)} is not known{hint}", key)

    def need(self, key: str, otherwise: object) -> object:
        """Return the value of a key that must be there."""
        if key not in self.data:
            self.wrong(f"{key} is missing")
        return self.data.get(key, otherwise)

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """Return a whole number, the default if there is none."""
        value = self.data.get(key, default)
        if type(value) is not int or not least <= value <= most:
            self.wrong(f"expected a whole number from {least} to {most}, got {quoted(value)}", key)
            return default
        return value

    def switch(self, key: str) -> bool:
        """Return true or false, false if the key is missing."""
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            self.wrong(f"expected true or false, got {quoted(value)}", key)
        return value is True

    def word(self, value: object, known: Mapping[str, int], *keys: str | int) -> int:
        """Return what a value that must be one of a few words stands for, the first's if it is none."""
        if isinstance(value, str) and value in known:
            return known[value]
        hint = nearest(value, known) if isinstance(value, str) else ""
        self.wrong(f"expected {listed(known, 'or')}, got {quoted(value)}{hint}", *keys)
        return next(iter(known.values()))

    def name(self) -> str:
        """Return the name, which must be there."""
        value = self.need("name", NAMELESS)
        if not isinstance(value, str) or not is_name(value):
            self.wrong(f"expected a name of letters and digits, as Air Strike, got {quoted(value)}", "name")
            return NAMELESS
        return value

    def text(self) -> str:
        """Return the words that explain a card."""
        value = self.data.get("text", "")
        if not isinstance(value, str) or clean(value) != value:
            self.wrong("expected a text of one line without control characters", "text")
            return ""
        return value

    def sheets(self, key: str) -> Iterator[Sheet]:
        """Yield the tables of a list of tables."""
        value = self.data.get(key, [])
        if not isinstance(value, list):
            self.wrong(f"expected tables, each under [[{key}]], got {quoted(value)}", key)
            return
        for place, item in enumerate(value):
            yield Sheet(item, (*self.at, key, place), self.mistakes)


def read_design(sheet: Sheet) -> Design:
    """Return the Warmonger card that a table describes."""
    word = sheet.need("effect", "veto")
    effect = sheet.word(word, EFFECTS, "effect")
    keys = ["name", "copies", "windows", "effect", "text"]
    cards = 0
    if isinstance(word, str) and word in COUNTS:
        default, most = COUNTS[word]
        least = 2 if word == "scout" else 1
        cards = sheet.whole("cards", default, least, most)
        keys.append("cards")
    sheet.only(*keys)
    copies = sheet.whole("copies", 1, 1, MOST_COPIES)
    return Design(sheet.name(), copies, read_windows(sheet, effect), effect, cards, sheet.text())


def read_windows(sheet: Sheet, effect: int) -> int:
    """Return the windows of a card: all that its effect allows if it names none."""
    known = {word: window for word, window in WINDOWS.items() if window & EFFECT_WINDOWS[effect]}
    value = sheet.data.get("windows", list(known))
    if not isinstance(value, list) or not value:
        sheet.wrong(f"expected a list of windows ({listed(known)}), got {quoted(value)}", "windows")
        return EFFECT_WINDOWS[effect]
    windows = 0
    for place, word in enumerate(value):
        windows |= sheet.word(word, known, "windows", place)
    return windows


def read_robot(sheet: Sheet) -> Robot:
    """Return the Robot that a table describes."""
    opening = sheet.word(sheet.need("opening", "stand"), OPENINGS, "opening")
    chase = sheet.word(sheet.data.get("chase", "beat"), CHASES, "chase")
    keys = ["name", "opening", "chase", "power", "text"]
    limit = below = 0
    if opening in (UNTIL, SAFE):
        keys.append("score")
        limit = sheet.whole("score", 11 if opening == SAFE else 15, 1, 21)
    elif opening == TURN_SOME:
        keys.append("cards")
        limit = sheet.whole("cards", 1, 1, 3)
    if chase == GREEDY:
        keys.append("below")
        below = sheet.whole("below", 16, 1, 21)
    sheet.only(*keys)
    power = sheet.word(sheet.data.get("power", "none"), POWERS, "power")
    return Robot(sheet.name(), opening, limit, chase == EQUAL, below, power, sheet.text())


def read_joker(sheet: Sheet) -> Joker:
    """Return the Joker that a table describes (WM-8)."""
    sheet.only("numbers", "war")
    value = sheet.need("numbers", [1])
    numbers = [n for n in value if type(n) is int and 1 <= n <= MOST_JOKER] if isinstance(value, list) else []
    if not numbers or numbers != value or sorted(set(numbers)) != numbers:
        sheet.wrong(f"expected ascending numbers from 1 to {MOST_JOKER}, as [1, 5, 10]", "numbers")
        numbers = [1]
    return Joker(numbers, sheet.switch("war"))


class BoxFile:
    """What a data file holds, and all that is wrong with it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mistakes: list[Mistake] = []
        sheet = Sheet(self.parsed(), (), self.mistakes)
        self.designs = [read_design(each) for each in sheet.sheets("card")]
        self.robots = [read_robot(each) for each in sheet.sheets("robot")]
        self.jokers = [read_joker(each) for each in sheet.sheets("joker")]
        if self.mistakes and not sheet.data:
            return
        sheet.only("format", *HOLDS.values())
        if sheet.need("format", FORMAT) != FORMAT:
            sheet.wrong(f"this program reads format {FORMAT}", "format")
        self.tell_apart([design.name for design in self.designs], "card")
        self.tell_apart([robot.name for robot in self.robots], "robot")
        if len(self.designs) > MOST_DESIGNS:
            sheet.wrong(f"expected at most {MOST_DESIGNS} Warmonger cards, got {len(self.designs)}", "card")
        if self.jokers and len(self.jokers) != JOKERS:
            sheet.wrong(f"expected {JOKERS} Jokers, got {len(self.jokers)}", "joker")

    def parsed(self) -> dict[str, object]:
        """Return the file's data; nothing, and a mistake, if the text is no TOML that can be read."""
        if any(line.count(".") > MOST_DOTS for line in self.text.split("\n")):
            self.mistakes.append(Mistake(f"a line has more than {MOST_DOTS} dots; break it up"))
            return {}
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            self.mistakes.append(Mistake("arrays or tables are nested too deep"))
        except ValueError as error:
            self.mistakes.append(Mistake(f"this is no TOML: {clean(str(error))}"))
        return {}

    def tell_apart(self, names: list[str], key: str) -> None:
        """Note each name that stands twice, or that begins with another, so that moves are clear."""
        codes = [code_of(name) for name in names]
        for place, name in enumerate(names):
            at = (key, place, "name")
            if name == NAMELESS:
                continue
            if codes[place] in codes[:place]:
                self.mistakes.append(Mistake(f"{quoted(name)} stands twice; choose another name", at=at))
            for other in names:
                if name.casefold().startswith(f"{other.casefold()} "):
                    words = f"{quoted(name)} begins like {quoted(other)}; choose another name"
                    self.mistakes.append(Mistake(words, at=at))

    def holds(self, word: str) -> bool:
        """Say whether the file has what a house rule names it for."""
        return bool({"cards": self.designs, "robots": self.robots, "jokers": self.jokers}[word])

    def words(self, mistake: Mistake) -> str:
        """Return a mistake in one line, with its line number and its path of keys."""
        path = ".".join(str(part) for part in mistake.at)
        line = self.line(mistake.at)
        return ": ".join(([str(line)] if line else []) + ([path] if path else []) + [mistake.text])

    def line(self, at: Path) -> int:
        """Return the line of the table that a path leads into, or of the key in it; 0 if unknown."""
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
    """Return what a data file's text holds."""
    return BoxFile(text)


@lru_cache(maxsize=1)
def our_text() -> str:
    """Return the data file in the package."""
    return resources.files("cardbattle").joinpath("data/warmonger.toml").read_text(encoding="utf-8")


def read_file(path: str) -> str:
    """Return the text of a data file; ValueError says why there is none."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ValueError("this is no file")
        with open(path, "rb") as file:
            raw = file.read(LONGEST_FILE + 1)
    except FileNotFoundError as error:
        raise ValueError("there is no such file") from error
    except OSError as error:
        raise ValueError("it cannot be read; check its permissions") from error
    if len(raw) > LONGEST_FILE:
        raise ValueError(f"it is larger than the {LONGEST_FILE} bytes that are read")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text; save it as UTF-8") from error


def text_for(value: object, base: str) -> str:
    """Return the data that a house rule names, nothing for `none`; ValueError says why it cannot be had."""
    if value == NONE:
        return ""
    return our_text() if value == OURS else read_file(os.path.join(base, str(value)))


def mistakes_in(house: Mapping[str, object], base: str) -> list[Mistake]:
    """Return all that is wrong with the data files that the house rules name."""
    found: list[Mistake] = []
    for word, key in HOLDS.items():
        value = house[word]
        if value in (OURS, NONE):
            continue
        found += [Mistake(text, at=("house", word)) for text in wrong_in(str(value), base, word, key)]
    return found


def wrong_in(name: str, base: str, word: str, key: str) -> list[str]:
    """Return all that is wrong with one data file, a line each."""
    try:
        file = parse(text_for(name, base))
    except ValueError as error:
        hint = nearest(name, [OURS, NONE] if word == "cards" else [OURS])
        return [f"cannot read {quoted(name)}: {error}{hint}"]
    if not file.mistakes and not file.holds(word):
        return [f"{clean(name)}: it holds no [[{key}]]"]
    return [f"{clean(name)}:{file.words(mistake)}" for mistake in file.mistakes]


def box_of(house: Mapping[str, object], base: str) -> Box:
    """Return the box that the house rules name; Refused if a file has mistakes."""
    mistakes = mistakes_in(house, base)
    if mistakes:
        raise Refused(mistakes)
    return pack(
        text_for(house["cards"], base), text_for(house["robots"], base), text_for(house["jokers"], base)
    )


@lru_cache(maxsize=32)
def pack(cards: str, robots: str, jokers: str) -> Box:
    """Return the box with the cards, Robots and Jokers of these data files' texts."""
    return Box(parse(cards).designs if cards else [], parse(robots).robots, parse(jokers).jokers)


def our_box() -> Box:
    """Return the box of this program's own cards."""
    return pack(our_text(), our_text(), our_text())

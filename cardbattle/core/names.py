"""Validate keys and names, make text safe to print, and suggest corrections of misspelt words."""

from __future__ import annotations

import difflib
import re
import shlex
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice

KEY = re.compile(r"[a-z0-9]([a-z0-9_-]{0,38}[a-z0-9])?")
RESERVED = frozenset(["fate", "stack", "aside", "warmongers", "decks"])
DEVICES = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
NAME_LENGTH = 40


def key_error(text: object) -> str:
    """Return the reason why `text` is not a valid key, or "" if `text` is valid.

    >>> key_error("york")
    ''
    >>> key_error("York")
    'expected a key of a to z, 0 to 9, - and _ (at most 40), got "York"'
    """
    if not isinstance(text, str) or KEY.fullmatch(text) is None:
        return f"expected a key of a to z, 0 to 9, - and _ (at most 40), got {quoted(text)}"
    if text in RESERVED:
        return f'"{text}" is a word of the record format; choose another key'
    if text in DEVICES:
        return f'"{text}" is a device name on Windows; choose another key'
    return ""


PLAIN = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})


def key_from(name: str) -> str:
    """Make a key from the letters and digits of a name.

    The function does not check the key, which can be empty or a reserved word.

    >>> key_from("The Crown's men"), key_from("Zürich"), key_from("Große Æpfel"), key_from("織田")
    ('the-crowns-men', 'zurich', 'grosse-aepfel', '')
    """
    letters = name.replace("'", "").casefold().translate(PLAIN)
    plain = unicodedata.normalize("NFKD", letters).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "-", plain)[:40].strip("-")


def keys_for(names: Sequence[str]) -> list[str]:
    """Return a unique key for each name.

    A key consists of the letters and digits of the name. If the name has none, the key is a number.

    >>> keys_for(["House York", "Zürich", "織田", "House York"])
    ['house-york', 'zurich', 'no-3', 'no-4']
    """
    texts: list[str] = []
    for number, name in enumerate(names, 1):
        key = key_from(name)
        texts.append(f"no-{number}" if key_error(key) or key in texts else key)
    return texts


def name_error(text: object) -> str:
    """Return the reason why `text` is not a valid name, or "" if `text` is valid."""
    if not isinstance(text, str):
        return f"expected a name in quotes, got {quoted(text)}"
    if not 1 <= len(text) <= NAME_LENGTH:
        return f"expected a name of 1 to {NAME_LENGTH} characters, got {len(text)}"
    if has_unfit(text):
        return f"expected a name without control or format characters, got {quoted(text)}"
    if unicodedata.normalize("NFC", text) != text:
        return f"expected a name in composed form (NFC), got {quoted(text)}"
    if looks_empty(text):
        codes = " ".join(f"U+{ord(char):04X}" for char in text[:4])
        return f"expected a name that can be seen, got only spaces or invisible characters ({codes})"
    return ""


# Characters that are invisible although Unicode does not class them as "format": the default-ignorable code
# points of Unicode 15, and the blanks of Braille, music and Khitan. Some of these are needed within a name,
# for example in emoji.
INVISIBLE = re.compile(
    "[\\s\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)


def looks_empty(text: str) -> bool:
    """Return True if a text has no visible character.

    >>> looks_empty(" ㅤ"), looks_empty("❤️")
    (True, False)
    """
    return not INVISIBLE.sub("", text)


def has_unfit(text: str) -> bool:
    """Return True if a text contains control, format, surrogate or private-use characters."""
    return not is_plain(text) and any(unicodedata.category(char) in UNFIT for char in text)


def is_plain(text: str) -> bool:
    """Return True if a text has only printable ASCII characters. Such a text needs no further check."""
    return text.isascii() and text.isprintable()


UNFIT = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])


def clean(text: str) -> str:
    """Replace each control character in a text with a visible code, so that the text is safe in a terminal.

    >>> clean("a" + chr(27) + "[31m")
    'a<1b>[31m'
    """
    if not has_unfit(text):
        return text
    return "".join(f"<{ord(char):02x}>" if unicodedata.category(char) in UNFIT else char for char in text)


LINE_BREAKS = re.compile(r"[ \t]*[\r\n][ \t\r\n]*")


def one_line(text: str) -> str:
    r"""Replace each line break of a text, and the white space around it, by a space.

    >>> one_line("They met\nat dawn.")
    'They met at dawn.'
    """
    return LINE_BREAKS.sub(" ", text)


def as_typed(path: str) -> str:
    """Return a file name as you type it in a shell, with quotes around it if they are necessary.

    >>> as_typed("wars/marches.toml"), as_typed("My War")
    ('wars/marches.toml', "'My War'")
    """
    return shlex.quote(clean(path))


def quoted(value: object, most: int = 60) -> str:
    """Format a value for an error message.

    The result has at most `most` characters. A string is put in quotes.

    Control characters are replaced by visible codes.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = value if len(value) <= most else value[: most - 3] + "..."
        return f'"{clean(text)}"'
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "a number too large"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    text = clean(str(value))
    return text if len(text) <= most else text[: most - 3] + "..."


MANY = 100  # maximum number of candidates that are compared in full


def rule_set_key_of(name: str) -> str:
    """Return the key for the name of a rule set. A key is returned unchanged.

    >>> rule_set_key_of("Field of Honour"), rule_set_key_of("strategy-war")
    ('field-of-honour', 'strategy-war')
    """
    return "-".join(name.lower().replace("_", " ").split())


def nearest(word: str, candidates: Iterable[str]) -> str:
    """Return the hint `; did you mean "..."?` with the candidate that is most similar to `word`.

    If no candidate is similar, the hint is empty.

    If there are more than 100 candidates, the function compares only those that have about the same length as
    the word, and the same first or last two letters.

    >>> nearest("vetran", ["green", "veteran"])
    '; did you mean "veteran"?'
    """
    similar = list(candidates)
    if len(similar) > MANY:
        similar = list(islice((candidate for candidate in similar if is_like(word, candidate)), MANY))
    close = difflib.get_close_matches("".join(islice(word, 80)), similar, n=1, cutoff=0.6)
    return f'; did you mean "{close[0]}"?' if close else ""


MOST_LISTED = 40


def unknown_word(kind: str, word: object, candidates: Iterable[str]) -> str:
    """Return the error message for an unknown word.

    The message suggests a similar candidate. If no candidate is similar, the message lists all candidates.

    >>> unknown_word("commander", "vetran", ["green", "veteran"])
    'unknown commander "vetran"; did you mean "veteran"?'
    >>> unknown_word("commander", "bold", ["green", "veteran"])
    'unknown commander "bold"; write one of green, veteran'
    """
    choices = list(candidates)
    hint = nearest(word, choices) if isinstance(word, str) else ""
    return f"unknown {kind} {quoted(word)}{hint or write_one_of(choices)}"


def write_one_of(choices: Sequence[str]) -> str:
    """Return a hint that lists the valid words, or "" for an empty list or more than 40 words."""
    if not choices or len(choices) > MOST_LISTED:
        return ""
    return f"; write {'one of ' if len(choices) > 1 else ''}{', '.join(choices)}"


def is_like(word: str, candidate: str) -> bool:
    """Return True if two words have similar length and the same first or last two letters."""
    return abs(len(word) - len(candidate)) <= 2 and (word[:2] == candidate[:2] or word[-2:] == candidate[-2:])


def opposed(sides: Sequence[str]) -> str:
    """Join the names of opposing sides. If a name contains "and", each side stands behind "against".

    >>> opposed(["York", "Percy"]), opposed(["York", "Percy", "Boyd"])
    ('York against Percy', 'York, Percy and Boyd')
    >>> opposed(["York", "Percy and Blount", "Boyd"])
    'York against Percy and Blount against Boyd'
    """
    is_clear = len(sides) > 2 and not any(" and " in side for side in sides)
    return listed(sides) if is_clear else " against ".join(sides)


def listed(items: Iterable[str], last: str = "and") -> str:
    """Join words with commas. `last` is the conjunction before the last word.

    >>> listed(["a", "b", "c"], "or")
    'a, b or c'
    """
    parts = list(items)
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"

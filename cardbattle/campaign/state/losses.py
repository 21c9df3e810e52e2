"""Parse the losses of a side as people write them, such as `2/5`, `40%`, `0.4` or `lost 4 of 10`."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, time
from fractions import Fraction

from cardbattle.core.names import quoted
from cardbattle.files.dates import fraction_before

NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
PARTS_IN_WORDS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
}  # fmt: skip
WORDS = {
    **dict.fromkeys(("none", "nothing", "no losses", "nobody"), Fraction(0)),
    **dict.fromkeys(("all", "everything", "everybody"), Fraction(1)),
    **{
        f"{article}{word}": Fraction(1, parts)
        for word, parts in PARTS_IN_WORDS.items()
        for article in ("", "a ", "an ", "one ")
    },
    **{
        f"{number} {word}s": Fraction(n, parts)
        for word, parts in PARTS_IN_WORDS.items()
        for n, number in enumerate(NUMBERS[1 : parts - 1], start=2)
    },
}
NUMBER = re.compile(rf"\b(?:{'|'.join(NUMBERS)})\b")
LOST = re.compile(r"lost\s+")
OF_THE_MEN = re.compile(
    r"\s+(?:of\s+)?(?:(?:the|my|our|your|their|his|her|its)\s+)?(?:men|troops|soldiers|strength|forces?|army)\s*$"
    r"|\s+of\s+(?:mine|ours|yours|theirs|his|hers|them|us)\s*$"
)  # in "3/4 of their men" and "3/4 of theirs"
# Records and the ledger have at most 18 digits in a numerator or denominator.
PARTS = re.compile(
    r"([0-9]{1,18})\s*(?:/|\b(?:out )?of\b(?: (?:the|my|our|your|their|his|her|its)\b)?)\s*([0-9]{1,18})"
    r"(?: (?:spaces|cards|points))?"
)  # in "4 of 5", and in "4 of my 5 spaces"
PER_CENT = re.compile(r"([0-9]{1,3}(?:[.,][0-9]{1,15})?)\s*(?:%|per ?cent)")
DECIMAL = re.compile(r"[0-9]{0,9}[.,][0-9]{1,17}|[0-9]{1,9}")
LONG_DECIMAL = re.compile(r"[0-9]*[.,][0-9]{18,}|[0-9]+[.,][0-9]{16,}\s*%")
EXPECTED = 'expected a share, such as 2/5, 40%, 0.4 or "4 of 10"'


def read_losses(value: object) -> Fraction:
    """Parse the losses of a side to an exact fraction from 0 to 1.

    A bare number of 1 or more is rejected, because it could be a count or a percentage, and 1 could mean
    everything. Raises ValueError, which says what to write instead.

    >>> [str(read_losses(text)) for text in ("2/5", "40 %", "0,4", "lost 4 of 10", "none", "half of our men")]
    ['2/5', '2/5', '2/5', '2/5', '0', '1/2']
    >>> [str(read_losses(text)) for text in ("2 of 5 spaces", "2 out of our 5 cards", "two of my five men")]
    ['2/5', '2/5', '2/5']
    """
    if isinstance(value, date | time):
        raise ValueError(
            f'{EXPECTED}, got the date {quoted(value)}; write fractions in quotes, such as "2/5"'
        )
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{EXPECTED}, got {quoted(value)}")
    text = value if isinstance(value, str) else repr(value) if isinstance(value, float) else quoted(value)
    if text.strip() in ("", "?"):
        raise ValueError("missing losses; write 2/5, 40% or none")
    lost = share_in(plainly(text))
    if lost is None:
        raise ValueError(date_hint(text, value))
    if lost > 1 or (lost == 1 and DECIMAL.fullmatch(plainly(text)) is not None):
        raise ValueError(too_much(plainly(text), value))
    return lost


def read_recorded_losses(value: object) -> Fraction:
    """Parse the losses in a result that the program recorded, where `"1"` means everything.

    Raises ValueError for the same texts as `read_losses`.
    """
    return Fraction(1) if value == "1" else read_losses(value)


def read_units(value: object) -> dict[str, int]:
    """Return a dict from the names of units to their losses, given a table or a string.

    An empty string names no units. Raises ValueError, which says what to write instead.

    >>> read_units("Cheshire archers 3, Flint spears 1")
    {'Cheshire archers': 3, 'Flint spears': 1}
    """
    if isinstance(value, str):
        parts = [part.strip() for part in re.split("[,;]", value) if part.strip() not in ("", "?")]
        value = {name.rstrip(" :="): number for name, number in map(split_number, parts)}
    if not isinstance(value, dict):
        raise ValueError(f"{UNITS_EXPECTED}, got {quoted(value)}")
    for name, number in value.items():
        if type(number) is not int or number < 0:
            raise ValueError(f"{UNITS_EXPECTED}, got {quoted(number)} for {quoted(name)}")
    return value


def split_number(text: str) -> tuple[str, int]:
    """Split a text into a name and the number after it. Raises ValueError without one."""
    match = re.fullmatch(r"(.+?)\s*[:=]?\s*([0-9]{1,7})", text)
    if not match:
        raise ValueError(f"{UNITS_EXPECTED}, got {quoted(text)}")
    return match[1], int(match[2])


UNITS_EXPECTED = 'expected the losses of units, such as "Cheshire archers 3, Flint spears 1"'


def plainly(text: str) -> str:
    """Normalise a text to lower case, with `1/2` for ½ and plain spaces.

    `lost` at the beginning and `of our men` at the end are left out.
    """
    normalised = unicodedata.normalize("NFKC", text[:200]).replace("\u2044", "/").casefold()
    return OF_THE_MEN.sub("", LOST.sub("", " ".join(normalised.split()), count=1))


def share_in(text: str) -> Fraction | None:
    """Return the share in a text, or None if the text has no share. The share can be above 1."""
    if (words := text.replace("-", " ")) in WORDS:
        return WORDS[words]
    if parts := PARTS.fullmatch(NUMBER.sub(lambda found: str(NUMBERS.index(found[0]) + 1), text)):
        return Fraction(int(parts[1]), int(parts[2])) if int(parts[2]) else None
    if hundredths := PER_CENT.fullmatch(text):
        return Fraction(hundredths[1].replace(",", ".")) / 100
    return Fraction(text.replace(",", ".")) if DECIMAL.fullmatch(text) else None


def date_hint(text: str, value: object) -> str:
    """Return the error for a text without a share. A spreadsheet may have turned a share into a date."""
    before = fraction_before(text)
    if LONG_DECIMAL.fullmatch(plainly(text)):
        return f"{quoted(value)} has too many digits; 15 after the point are enough"
    if not before:
        return f"{EXPECTED}, got {quoted(value)}"
    return (
        f"{quoted(text)} is a date, which a spreadsheet seems to have made of {before}; "
        f'write "{before.replace("/", " of ")}" or a percentage'
    )


def too_much(text: str, value: object) -> str:
    """Return the error for a share above 1, or for a bare 1."""
    if fraction_before(text):
        return date_hint(text, value)
    number = Fraction(text.replace(",", ".")) if DECIMAL.fullmatch(text) else Fraction(0)
    if number == 1:
        return f'{quoted(value)} may be everything, a count or a percentage; write all, "1 of ..." or 1%'
    if number.denominator == 1 and 1 < number <= 100:
        return f'{quoted(value)} may be a count or a percentage; write {number}%, or "{number} of ..."'
    return f"a side cannot lose more than all it had, got {quoted(value)}"

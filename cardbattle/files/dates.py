"""Recover fractions that a spreadsheet has turned into dates, such as `2/5` into `2-May`."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

MONTHS = (  # the first letters of month names, without accents, in the languages of most spreadsheets
    ("jan", "gen", "ene", "sty"),
    ("feb", "fev", "lut"),
    ("mar", "mrz", "mrt", "maa"),
    ("apr", "avr", "abr", "kwi"),
    ("mai", "may", "mei", "maj", "mag"),
    ("jun", "juin", "giu", "cze"),
    ("jul", "juil", "lug", "lip"),
    ("aug", "aou", "ago", "sie"),
    ("sep", "set", "wrz"),
    ("oct", "okt", "ott", "out", "paz"),
    ("nov", "lis"),
    ("dec", "dez", "dic", "des", "gru"),
)
CLOCK = r"(?:[ t]\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?)?"
YEAR = r"(?:[ ./-]+(?:de )?\d{2,4})?"
NUMBERED = [  # each pattern has two groups for the day and the month, in either order
    re.compile(rf"\d{{4}}[-/.](\d{{1,2}})[-/.](\d{{1,2}}){CLOCK}"),
    re.compile(rf"(\d{{1,2}})[-/.] ?(\d{{1,2}})[-/.] ?(?:\d{{4}}|\d\d){CLOCK}"),
    re.compile(r"(\d{1,2})\. ?(\d{1,2})\."),
]
DAY_FIRST = re.compile(rf"(?P<number>\d{{1,2}})[ ./-]+(?:de )?(?P<month>[a-z]{{3,12}})\.?{YEAR}{CLOCK}")
MONTH_FIRST = re.compile(r"(?P<month>[a-z]{3,12})\.?[ ./-]+(?P<number>\d{1,4})")
SERIAL = re.compile(r"[2-6]\d{4}")
DAY_ZERO = date(1899, 12, 30)  # the date that spreadsheets store as the number 0


def fraction_before(cell: str) -> str:
    """Return the fraction that a spreadsheet has turned into a date, or "" if the cell is not a date.

    >>> [fraction_before(cell) for cell in ("2-May", "02. Mai", "05.02.", "2026-05-02", "45414")]
    ['2/5', '2/5', '2/5', '2/5', '2/5']
    >>> fraction_before("2/5"), fraction_before("may be")
    ('', '')
    """
    text = without_accents(cell.strip()).casefold()
    numbers = sorted(day_and_month(text))
    return f"{numbers[0]}/{numbers[1]}" if numbers and numbers[0] else ""


def day_and_month(text: str) -> list[int]:
    """Return the day and the month of a date in the order of the text, or [] for another text."""
    for pattern in NUMBERED:
        if match := pattern.fullmatch(text):
            return [int(match[1]), int(match[2])] if min(int(match[1]), int(match[2])) <= 12 else []
    if SERIAL.fullmatch(text):
        day = DAY_ZERO + timedelta(days=int(text))
        return [day.day, day.month]
    date_match = DAY_FIRST.fullmatch(text) or MONTH_FIRST.fullmatch(text)
    month = month_number(date_match["month"]) if date_match else 0
    return [int(date_match["number"]), month] if date_match and month else []


def month_number(word: str) -> int:
    return next((number for number, stems in enumerate(MONTHS, 1) if word.startswith(stems)), 0)


def without_accents(text: str) -> str:
    """Remove accents from letters.

    >>> without_accents("Glyndŵr")
    'Glyndwr'
    """
    parts = unicodedata.normalize("NFKD", text)
    return "".join(char for char in parts if not unicodedata.combining(char))

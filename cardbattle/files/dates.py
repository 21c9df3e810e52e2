"""Dates that a spreadsheet has made of fractions: `2/5` typed into a cell comes back as `2-May`."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

MONTHS = (  # how their names begin, without accents, in the languages of most spreadsheets
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
NUMBERED = [  # two groups: day and month, in either order
    re.compile(rf"\d{{4}}[-/.](\d{{1,2}})[-/.](\d{{1,2}}){CLOCK}"),
    re.compile(rf"(\d{{1,2}})[-/.] ?(\d{{1,2}})[-/.] ?(?:\d{{4}}|\d\d){CLOCK}"),
    re.compile(r"(\d{1,2})\. ?(\d{1,2})\."),
]
DAY_FIRST = re.compile(rf"(?P<number>\d{{1,2}})[ ./-]+(?:de )?(?P<month>[a-z]{{3,12}})\.?{YEAR}{CLOCK}")
MONTH_FIRST = re.compile(r"(?P<month>[a-z]{3,12})\.?[ ./-]+(?P<number>\d{1,4})")
SERIAL = re.compile(r"[2-6]\d{4}")
DAY_ZERO = date(1899, 12, 30)  # from which spreadsheets count


def fraction_before(cell: str) -> str:
    """Return the fraction of which a spreadsheet has made this date; nothing if this is no date.

    >>> [fraction_before(cell) for cell in ("2-May", "02. Mai", "05.02.", "2026-05-02", "45414")]
    ['2/5', '2/5', '2/5', '2/5', '2/5']
    >>> fraction_before("2/5"), fraction_before("may be")
    ('', '')
    """
    text = without_accents(cell.strip()).casefold()
    numbers = sorted(day_and_month(text))
    return f"{numbers[0]}/{numbers[1]}" if numbers and numbers[0] else ""


def day_and_month(text: str) -> list[int]:
    """Return the day and the month of a date, in either order, or nothing if this is none."""
    for pattern in NUMBERED:
        if found := pattern.fullmatch(text):
            return [int(found[1]), int(found[2])] if min(int(found[1]), int(found[2])) <= 12 else []
    if SERIAL.fullmatch(text):
        told = DAY_ZERO + timedelta(days=int(text))
        return [told.day, told.month]
    named = DAY_FIRST.fullmatch(text) or MONTH_FIRST.fullmatch(text)
    month = month_number(named["month"]) if named else 0
    return [int(named["number"]), month] if named and month else []


def month_number(word: str) -> int:
    """Return which month a word names, from 1; 0 if it names none."""
    return next((number for number, stems in enumerate(MONTHS, 1) if word.startswith(stems)), 0)


def without_accents(text: str) -> str:
    """Return letters without their accents.

    >>> without_accents("Glyndŵr")
    'Glyndwr'
    """
    parts = unicodedata.normalize("NFKD", text)
    return "".join(char for char in parts if not unicodedata.combining(char))

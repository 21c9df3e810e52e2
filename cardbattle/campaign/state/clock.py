"""The time at which an entry is recorded. No result depends on this time."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta

FORMAT = "%Y-%m-%dT%H:%M:%SZ"
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def timestamp() -> str:
    """Return the present time in UTC, such as `2026-11-24T06:01:07Z`.

    The environment variable `SOURCE_DATE_EPOCH` replaces the clock, so that a ledger can be reproduced byte
    for byte. It contains seconds since 1970.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    is_number = epoch.isascii() and epoch.isdigit() and len(epoch) <= 11
    return (datetime.fromtimestamp(int(epoch), UTC) if is_number else datetime.now(UTC)).strftime(FORMAT)


def local_time(text: str) -> str:
    """Format a timestamp in local time, such as `24 November 2026, 07:01`.

    The result is empty if the text is not a timestamp.
    """
    try:
        moment = datetime.strptime(text, FORMAT).replace(tzinfo=UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{days_text(moment.date(), moment.date())}, {moment:%H:%M}"


def zoned_time(text: str) -> str:
    """Format a timestamp in local time with its difference from UTC: `24 November 2026, 07:01 (UTC+1)`.

    Players in all time zones can read it. The result is empty if the text is not a timestamp.

    >>> zoned_time("2026-11-24")
    ''
    """
    local = local_time(text)
    if not local:
        return ""
    offset = datetime.strptime(text, FORMAT).replace(tzinfo=UTC).astimezone().utcoffset() or timedelta()
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    difference = f"{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}" if minutes else ""
    return f"{local} (UTC{difference})"


def days_text(first: date, last: date) -> str:
    """Format a range of days. A common month or year is written only once."""
    end = f"{last.day} {MONTHS[last.month - 1]} {last.year}"
    if first == last:
        return end
    begin = str(first.day)
    if (first.year, first.month) != (last.year, last.month):
        begin += f" {MONTHS[first.month - 1]}"
    return f"{begin}{f' {first.year}' if first.year != last.year else ''} to {end}"

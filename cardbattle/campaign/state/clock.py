"""The time at which an entry is recorded; no result depends on it."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from cardbattle.campaign.state.model import days_text

FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def timestamp() -> str:
    """Return the present time in UTC, such as `2026-11-24T06:01:07Z`.

    `SOURCE_DATE_EPOCH`, in seconds since 1970, takes the place of the clock, so that a ledger can be
    reproduced byte for byte.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    is_number = epoch.isascii() and epoch.isdigit() and len(epoch) <= 11
    return (datetime.fromtimestamp(int(epoch), UTC) if is_number else datetime.now(UTC)).strftime(FORMAT)


def local_time(text: str) -> str:
    """Return a timestamp in local time, such as `24 November 2026, 07:01`, or ""."""
    try:
        moment = datetime.strptime(text, FORMAT).replace(tzinfo=UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{days_text(moment.date(), moment.date())}, {moment:%H:%M}"

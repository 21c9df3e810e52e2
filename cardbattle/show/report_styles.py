"""The styles of a report of turns.

Shell completion imports this module, so the module imports nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

NEWSPAPER, DISPATCH, PLAIN = "newspaper", "dispatch", "plain"
STYLES: Mapping[str, str] = {
    NEWSPAPER: "the main event as the headline; the default",
    DISPATCH: "to the commander of a faction; the default with --for FACTION",
    PLAIN: "neutral headings",
}

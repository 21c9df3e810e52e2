"""Draw badges of factions and forces: a shield in the colour of the faction, generated from a name.

The same name always gives the same division and the same charge of the shield. The heraldic terms follow A.
C. Fox-Davies, A Complete Guide to Heraldry, 1909.
"""

from __future__ import annotations

from hashlib import sha256

from markupsafe import Markup

from cardbattle.show.svg.charts import TINTS

SHIELD = "M4 3H44V27Q44 46 24 54Q4 46 4 27z"
DIVISIONS = (  # the part of the shield that has the second colour
    "M24 3H44V27Q44 46 24 54z",  # per pale
    "M4 26H44V27Q44 46 24 54Q4 46 4 27z",  # per fess
    "M4 3H44L4 42z",  # per bend sinister
    "M4 3L44 42V3z",  # per bend
    "M4 3H24V54Q4 46 4 27zM24 26H44V3H24z",  # quarterly, roughly
    "M4 3H44V14H4z",  # a chief
    "M18 3H30V52.2L24 54L18 52.2z",  # a pale
    "M4 19H44V32H4z",  # a fess
    "M4 44L24 22L44 44Q38 50 24 54Q10 50 4 44z",  # per chevron
    "M19 3H29V20H44V30H29V52.6L24 54L19 52.6V30H4V20H19z",  # a cross
)
CHARGES = (
    "M24 15l2.9 6 6.6.9-4.8 4.6 1.2 6.5-5.9-3.1-5.9 3.1 1.2-6.5-4.8-4.6 6.6-.9z",  # a mullet
    "M24 16a9 9 0 1 1 0 18a9 9 0 1 1 0-18",  # a roundel
    "M24 14l8 11-8 11-8-11z",  # a lozenge
    "M27 15a10 10 0 1 0 0 20a8 8 0 1 1 0-20",  # a crescent
    "M22 14h4v8h7v4h-7v11h-4V26h-7v-4h7z",  # a cross
    "M15 34v-9h-1v-8h4v3h4v-3h4v3h4v-3h4v8h-1v9h-6v-4a3 3 0 0 0-6 0v4z",  # a castle
    "M24 13c2 3 6 4 9 4c0 8-2 15-9 19c-7-4-9-11-9-19c3 0 7-1 9-4z",  # an escutcheon
    "M24 13l2 8h6l-5 4 3 9-6-5-6 5 3-9-5-4h6z",  # a star of five short rays
    "M14 20l5 4 5-9 5 9 5-4-2 13H16z",  # a crown
    "M24 14c5 5 7 9 7 13a7 7 0 0 1-14 0c0-4 2-8 7-13z",  # a drop
    "M23 13h2v16h4v2h-4v5h-2v-5h-4v-2h4z",  # a sword, point upwards
    "M15 27a9 9 0 0 1 18 0l-4-2-5 10-5-10z",  # a wing
)


def badge_svg(name: str, tint: int, kind: str) -> Markup:
    """Draw the badge of a name in the colour with the number `tint`. `kind` is the CSS class of the badge."""
    number = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
    division, charge = DIVISIONS[number % len(DIVISIONS)], CHARGES[number // 97 % len(CHARGES)]
    return Markup(
        '<svg class="{} side{}" viewBox="0 0 48 57" aria-hidden="true"><path class="b-field" d="{}"/>'
        '<path class="b-part" d="{}"/><path class="b-rim" d="{}"/><path class="b-charge" d="{}"/></svg>'
    ).format(kind, tint % TINTS, SHIELD, division, SHIELD, charge)

"""The README's picture of a battle: `python -m tests.support.picture` writes docs/battle.svg."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.telling import TALE
from cardbattle.show.document import BattleReport, Document
from cardbattle.show.writers.terminal import to_terminal

FILE = Path(__file__).parents[2] / "docs" / "battle.svg"
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # they would be fetched from the network


def main() -> None:
    """Fight the README's battle and draw it."""
    table = bare_battle("field-of-honour", ["york", "lancaster"]) | {"seed": 1455}
    record, referee = fight_battle(read_battle(table))
    screen = Console(
        file=io.StringIO(),
        record=True,
        width=80,
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
    )
    to_terminal(Document("a battle", [BattleReport(report_of(record, referee), TALE)], {}), screen)
    drawn = screen.export_svg(title="cardbattle resolve field-of-honour", theme=MONOKAI, unique_id="battle")
    FILE.write_text(FONT.sub("", drawn).replace("Fira Code", "DejaVu Sans Mono"), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Read and write the file of an unfinished battle with real cards.

The file contains an incomplete record and the reports of the players. For cards that no player has seen, it
contains guesses, which change when the players turn up other cards.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.battles.physical.guesses import TableState
from cardbattle.battles.physical.reconstruction import ScriptedMove
from cardbattle.battles.physical.table_battle import TableBattle
from cardbattle.battles.records.battle_file import BattlePlan, read_deal
from cardbattle.battles.records.record import deal_table, dumps_table, table_so_far
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.session_file import NO_OUTCOME, WAITING, campaign_binding, with_results
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.files import reader
from cardbattle.files.reader import TableReader

TOLD = "told"
SUPPOSED = "supposed"
WAITING_KEYS = ("lines", "moves", "shown", "fixed", "typed")
NO_RESULTS = ("winners", "reason", "digest", "checks")


def table_file_text(table: TableBattle) -> str:
    """Return the text of the file of an unfinished battle with real cards."""
    referee = table.replay.referee
    record = table_so_far(table.plan, referee, "table", table.state.setup.deal)
    begun = {key: value for key, value in record.items() if key not in NO_RESULTS}
    results = ("score", "losses")
    begun["sides"] = {
        key: {word: value for word, value in side.items() if word not in results}
        for key, side in sides_of_record(begun).items()
    }
    moves = [
        f"{TOLD if move.is_reported else SUPPOSED} {move.after_events} {move.text}"
        for move in table.state.script
    ]
    waiting: dict[str, object] = {
        "lines": table.lines,
        "moves": moves,
        "shown": table.state.shown,
        "fixed": table.state.fixed,
        "typed": deal_table(table.plan.setup.deal, table.rules),
    }
    return dumps_table({**begun, "moves": [move.text for move in table.state.script], WAITING: waiting})


def sides_of_record(table: Mapping[str, object]) -> dict[str, dict[str, object]]:
    sides = table["sides"]
    assert isinstance(sides, dict)
    return sides


def read_table(data: Mapping[str, object], base: str = "") -> TableBattle:
    """Return the battle with real cards in a file.

    Relative file names in the file start from the folder `base`. Raises InvalidInput, which lists all
    errors in the file, if the file is not valid.
    """
    begun = {key: value for key, value in data.items() if key != WAITING}
    record = read_record(begun | NO_OUTCOME | {"sides": with_results(data.get("sides"))}, base)
    errors: list[Diagnostic] = []
    waiting = TableReader(dict(data), (), errors).table(WAITING)
    waiting.only(WAITING_KEYS)
    lines = waiting.need("lines", reader.expect_texts, list[str]())
    moves = waiting.need("moves", reader.expect_texts, list[str]())
    shown, fixed = (waiting.need(word, reader.expect_whole, 0) for word in ("shown", "fixed"))
    asked = record.setup.copy()
    asked.deal = read_deal(waiting.table("typed"), record.rules)
    script = [read_scripted_move(waiting, move, place) for place, move in enumerate(moves)]
    if errors:
        raise InvalidInput(errors)
    plan = BattlePlan(record.id, record.rules, None, asked, record.sides, campaign_binding(record))
    table = TableBattle(plan, record.setup)
    table.go_back(TableState(record.setup, script, shown, fixed), lines)
    if not table.replay.fits:
        raise InvalidInput([Diagnostic("the moves do not fit the battle", at=(WAITING, "moves"))])
    return table


def read_scripted_move(waiting: TableReader, move: str, place: int) -> ScriptedMove:
    """Parse a stored move. If the move cannot be parsed, an error is appended to `waiting.errors`."""
    word, _, remainder = move.partition(" ")
    at, _, text = remainder.partition(" ")
    if word not in (TOLD, SUPPOSED) or not at.isdecimal() or not text:
        waiting.wrong('expected a move, such as "told 4 york pass"', "moves", place)
        return ScriptedMove("", 0, is_reported=False)
    return ScriptedMove(text, int(at), word == TOLD)

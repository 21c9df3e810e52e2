"""Find columns of a batch spreadsheet that no battle uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cardbattle import rules
from cardbattle.battles.records.battle_file import KEYS, SIDE_KEYS
from cardbattle.core.errors import Diagnostic, InvalidInput, UsageError
from cardbattle.core.names import key_error, quoted
from cardbattle.core.ruleset import RuleSet
from cardbattle.files.spreadsheet import Sheet

FOR_EACH_SIDE = ", and for each side sides.KEY.commander or another of its options"


def refuse_no_headings(sheet: Sheet) -> None:
    """Raise InvalidInput if the first line names no column of a battle, so that it is probably a battle."""
    if not any(column.split(".")[0].lower() in KEYS for column in sheet.columns):
        text = "the first line must name the columns, such as id,rules,sides.york.commander"
        raise InvalidInput([sheet.wrong_column(text)])


def columns_not_read(sheet: Sheet) -> Iterator[Diagnostic]:
    """Yield an error for each column that no battle uses, and an error if the column `rules` is missing.

    If no column has the name of one, the first line is probably a battle, and there is only one error.
    """
    if not any(column.split(".")[0].lower() in KEYS for column in sheet.columns):
        yield sheet.wrong_column(
            "the first line must name the columns, such as id,rules,sides.york.commander"
        )
        return
    readable = read_below(sheet)
    are_read = True
    for column in sheet.columns:
        for error in column_not_read(sheet, column, readable):
            are_read = False
            yield error
    if are_read and "rules" not in sheet.columns:
        yield sheet.wrong_column('the column "rules" is missing')


def column_not_read(
    sheet: Sheet, column: str, known_values: Mapping[str, Sequence[str]]
) -> Iterator[Diagnostic]:
    """Yield an error for a column if no battle uses this column.

    `known_values` has the keys that can follow `house.` and the keys that can follow `sides.KEY.`.
    """
    above, *below = column.split(".")
    key = below.pop(0) if above == "sides" and below else ""
    if above not in KEYS:
        yield sheet.unknown_column(column, above, KEYS, FOR_EACH_SIDE)
    elif key and key_error(key):
        yield sheet.wrong_column(f"the column {quoted(column)}: {key_error(key)}", column)
    elif below and below[0] not in known_values.get(above, below):
        yield sheet.unknown_column(column, below[0], known_values[above])


def read_below(sheet: Sheet) -> dict[str, list[str]]:
    """Return the keys that can follow `house.` and `sides.KEY.` in the names of columns.

    The result is empty if a row has an unknown rule set. In this case, the program reports the row instead of
    the columns.
    """
    played = [rules_by_key(word) for word in dict.fromkeys(row.cells.get("rules", "") for row in sheet.rows)]
    rule_sets = [rule_set for rule_set in played if rule_set is not None]
    if len(rule_sets) < len(played):
        return {}
    house = dict.fromkeys(word for rule_set in rule_sets for word in rule_set.house)
    options = dict.fromkeys(word for rule_set in rule_sets for word in rule_set.options)
    return {"house": [*house], "sides": [*SIDE_KEYS, *options]}


def rules_by_key(word: str) -> RuleSet | None:
    """Return the rule set with this key, or None if the key is unknown."""
    try:
        return rules.find(word)
    except UsageError:
        return None

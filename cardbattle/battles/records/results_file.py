"""Write results files. A results file has the results of many battles, and a campaign can import it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import makedirs, path

import tomli_w

from cardbattle.battles.records.record import Record, fraction_text
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean
from cardbattle.files import disk

FORMAT = 1
PLAIN_COLUMNS = ("id", "rules", "seed", "winners", "reason", "digest", "record")


def result(record: Record) -> dict[str, object]:
    """Return the result in a record as a table for a results file."""
    keys = record.setup.seats
    table: dict[str, object] = {
        "id": record.id,
        "rules": record.rules.key,
        "seed": record.seed,
        "winners": record.winners,
        "reason": record.reason,
        "digest": record.table["digest"],
        "sides": {
            key: {"score": record.scores[seat], "losses": fraction_text(record.losses[seat])}
            for seat, key in enumerate(keys)
        },
    }
    if "bound" in record.table:
        table["bound"] = record.table["bound"]
    return table


def with_record(table: Mapping[str, object], folder: str) -> dict[str, object]:
    """Return a result to which the path of its record in the folder `folder` has been added."""
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    deep = {key: value for key, value in table.items() if isinstance(value, dict)}
    return {**plain, "record": f"{folder}/{table['id']}.toml", **deep}


def dumps(results: Sequence[Mapping[str, object]]) -> str:
    return "".join(file_parts(results))


def file_parts(results: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield the text of a results file in parts, one for each result.

    The TOML library would write a short list of tables on one line. To prevent this, the function adds a long
    table to the list, and removes the text of this table from the output.
    """
    if not results:
        yield tomli_w.dumps({"format": FORMAT, "result": []})
        return
    end = tomli_w.dumps({RESULT: [LONG_TABLE]})
    yield tomli_w.dumps({"format": FORMAT})
    for table in results:
        yield "\n" + tomli_w.dumps({RESULT: [table, LONG_TABLE]}).removesuffix("\n" + end)


RESULT = "result"
LONG_TABLE = {"id": "-" * 200}


def columns_of(results: Iterable[Mapping[str, object]]) -> list[str]:
    all_columns = list(dict.fromkeys(column for table in results for column in dotted_keys(table)))
    plain = [column for column in PLAIN_COLUMNS if column in all_columns]
    return plain + [column for column in all_columns if column not in plain]


def dotted_keys(table: Mapping[str, object], within: str = "") -> dict[str, object]:
    """Convert nested tables to one table with dotted keys. The items of a list are joined with spaces."""
    values: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            values |= dotted_keys(value, f"{within}{key}.")
        else:
            values[within + key] = " ".join(map(str, value)) if isinstance(value, list) else value
    return values


def folder_of(file: str) -> str:
    """Return the path of the folder for the records of a results file.

    For example, the records of `results.toml` are in the folder `results-records`. Raises UsageError if the
    name cannot be printed.
    """
    folder = f"{path.splitext(file)[0]}-records"
    if not path.basename(folder).isprintable():
        raise UsageError(
            f"{clean(file)}: the folder of the records is named after this file, "
            "so the name must be printable; choose a different name"
        )
    return folder


def make_folder(file: str) -> str:
    """Create the folder for the records of a results file, and return the path of the folder.

    Raises SystemFailure if the folder cannot be created, and UsageError if the name of the folder cannot be
    printed.
    """
    folder = folder_of(file)
    try:
        makedirs(folder, exist_ok=True)
    except OSError as error:
        disk.refuse(folder, error)
    return folder

"""The command `schema`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from cardbattle.battles.records.battle_schema import battle_schema
from cardbattle.campaign.state.schema import campaign_schema
from cardbattle.cli import options
from cardbattle.cli.output import write_file
from cardbattle.cli.parameters import argument
from cardbattle.cli.run import CommandGroup
from cardbattle.cli.shell.usage_errors import PROGRAM
from cardbattle.core.errors import UsageError
from cardbattle.core.names import nearest, quoted
from cardbattle.engines import protocol
from cardbattle.show.schemas import SchemaIndex, read_stored_schema, schema_index, schema_text

COMMANDS = CommandGroup()


@COMMANDS.command("cardbattle schema record -o record.schema.json\ncardbattle schema campaign show")
def schema_command(
    name: Annotated[
        list[str] | None,
        argument(
            "SCHEMA",
            "A kind of file, a command with --json, or protocol TYPE for an engine message.  "
            "[default: list all]",
            callback=options.as_keys,
        ),
    ] = None,
    output: options.Output = "-",
    quiet: options.Quiet = False,
) -> None:
    """Print the JSON Schema of a file, message or command output.

    Programs use a schema to check their input. Editors use a schema to complete and check what you type.
    """
    index = schema_index()
    schema_name = " ".join(name or []).removeprefix(f"{PROGRAM} ")
    kind = schema_name.replace(" ", "-")
    if not schema_name:
        text = list_of_names(index)
    elif kind in MADE_SCHEMAS:
        text = schema_text(MADE_SCHEMAS[kind]())
    elif kind in index.files or schema_name in index.outputs:
        text = schema_text(read_stored_schema(index.outputs.get(schema_name, kind)))
    elif schema_name in index.messages:
        text = schema_text(protocol.schema(index.messages[schema_name]))
    else:
        file = f"{kind}-file"
        hint = f"; did you mean {quoted(file)}?" if file in index.files else ""
        hint = hint or nearest(schema_name, [*index.files, *index.outputs, *index.messages])
        hint = hint or "; cardbattle schema lists all"
        raise UsageError(f"there is no schema of {quoted(schema_name)}{hint}")
    write_file(output, text, quiet)


MADE_SCHEMAS: Mapping[str, Callable[[], dict[str, object]]] = {
    "battle-file": battle_schema,
    "campaign-file": campaign_schema,
}


def list_of_names(index: SchemaIndex) -> str:
    """Return the names that the command accepts, with one name on each line."""
    files = "".join(f"  {file:15}{text}\n" for file, text in index.files.items())
    commands = "".join(f"  {command}\n" for command in sorted(index.outputs))
    messages = "".join(f"  {message}\n" for message in index.messages)
    return f"Files:\n{files}\nCommands with --json:\n{commands}\nMessages of the engine protocol:\n{messages}"

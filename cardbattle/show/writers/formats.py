"""The output formats: write any document in one of them, including the formats of plug-ins."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.errors import InvalidInput
from cardbattle.files.spreadsheet import as_csv, csv_lines
from cardbattle.rules.plug_in_loader import FIRST_API_VERSION, load_all
from cardbattle.show.writers.jsontext import json_parts, to_json
from cardbattle.show.writers.markdown import to_markdown
from cardbattle.show.writers.obsidian import to_obsidian
from cardbattle.show.writers.plain import plain_parts, to_plain
from cardbattle.show.writers.posts import to_post
from cardbattle.show.writers.tomltext import to_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardbattle.show.document import Document

FORMATS = ("text", "plain", "json", "csv", "toml", "md", "html", "discord", "bbcode", "obsidian")


GROUP = "cardbattle.writers"


class Writer(NamedTuple):
    """A format that a plug-in adds, for every command that can write Markdown.

    Attributes:
        write: a function that turns a document into text. Its second argument is False if suits must be
            letters.
        ending: the file ending that selects the format, such as ".rst", or "" if no ending does.
        api_version: the version of the plug-in API for which the format was written
            (`cardbattle.plugin.API_VERSION`).

    """

    write: Callable[[Document, bool], str]
    ending: str = ""
    api_version: int = FIRST_API_VERSION


@cache
def plug_ins() -> dict[str, Writer]:
    """Return the formats that plug-ins add, by name. If a plug-in is broken, a warning is printed."""
    return load_all(GROUP, Writer, FORMATS)


def parts(document: Document, form: str, signs: bool = True) -> Iterator[str]:
    """Yield the text that `render` returns, in parts.

    JSON, CSV and plain text take little memory even if they are long.
    """
    if form == "json":
        yield from json_parts(document.json)
    elif form == "plain":
        yield from plain_parts(document)
    elif form == "csv" and document.numbers is not None:
        yield from csv_lines(document.numbers.columns, document.numbers.rows)
    else:
        yield render(document, form, signs)


def render(document: Document, form: str, signs: bool = True) -> str:
    """Return a document in one of FORMATS (except "text") or in the format of a plug-in.

    If `signs` is false, cards in Markdown have letters for suits. Raises ValueError if the format is csv and
    the document has no numbers for a spreadsheet.
    """
    if form == "json":
        return to_json(document.json)
    if form == "csv":
        if document.numbers is None:
            raise ValueError(f"{document.name} has no numbers for a spreadsheet")
        return as_csv(document.numbers.columns, document.numbers.rows)
    if form == "md":
        return to_markdown(document, signs)
    if form == "html":
        from cardbattle.show.writers.html import to_html  # jinja2: only for HTML

        return to_html(document)
    if form in ("discord", "bbcode"):
        return to_post(document, form)
    if form == "obsidian":
        return to_obsidian(document, signs)
    if form == "toml":
        return to_toml(document)
    if form == "plain":
        return to_plain(document)
    return write_by_plug_in(form, document, signs)


def write_by_plug_in(form: str, document: Document, signs: bool) -> str:
    """Return a document in the format of a plug-in. Raises InvalidInput if the plug-in fails."""
    try:
        text: object = plug_ins()[form].write(document, signs)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise InvalidInput(f"format {form} of a plug-in failed: {reason}") from error
    if not isinstance(text, str):
        raise InvalidInput(f"format {form} of a plug-in returned {type(text).__name__} instead of text")
    return text

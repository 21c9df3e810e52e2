"""One writer for each format: each turns any document into its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardbattle.show.document import Document

FORMATS = ("text", "plain", "json", "csv", "toml", "md", "html", "discord", "bbcode", "obsidian")


def parts(document: Document, form: str, signs: bool = True) -> Iterator[str]:
    """Yield a document as `rendered`; JSON, CSV and plain text of any length take little memory."""
    if form == "json":
        from cardbattle.show.writers.jsontext import json_parts

        yield from json_parts(document.json)
    elif form == "plain":
        from cardbattle.show.writers.plain import plain_parts

        yield from plain_parts(document)
    elif form == "csv" and document.numbers is not None:
        from cardbattle.files.spreadsheet import csv_lines

        yield from csv_lines(document.numbers.columns, document.numbers.rows)
    else:
        yield render(document, form, signs)


def render(document: Document, form: str, signs: bool = True) -> str:
    """Return a document in a format that needs no terminal: any of FORMATS but text.

    Without `signs` the cards of Markdown have letters for suits. ValueError for csv if the document
    has no numbers for a spreadsheet.
    """
    if form == "json":
        from cardbattle.show.writers.jsontext import to_json

        return to_json(document.json)
    if form == "csv":
        from cardbattle.files.spreadsheet import as_csv

        if document.numbers is None:
            raise ValueError(f"{document.name} has no numbers for a spreadsheet")
        return as_csv(document.numbers.columns, document.numbers.rows)
    if form == "md":
        from cardbattle.show.writers.markdown import to_markdown

        return to_markdown(document, signs)
    if form == "html":
        from cardbattle.show.writers.html import to_html

        return to_html(document)
    if document.is_sent and form in ("discord", "bbcode"):
        from cardbattle.show.writers import framed

        in_frames = framed.frame_for_chat if form == "discord" else framed.frame_for_forum
        return in_frames(document)
    if form == "discord":
        from cardbattle.show.writers.discord import to_discord

        return to_discord(document)
    if form == "bbcode":
        from cardbattle.show.writers.bbcode import to_bbcode

        return to_bbcode(document)
    if form == "obsidian":
        from cardbattle.show.writers.obsidian import to_obsidian

        return to_obsidian(document, signs)
    if form == "toml":
        from cardbattle.show.writers.tomltext import to_toml

        return to_toml(document)
    from cardbattle.show.writers.plain import to_plain

    return to_plain(document)

"""Help by topic: short articles that are installed with the program, and the usage of commands."""

from __future__ import annotations

from functools import cache
from importlib import resources

from cardbattle.show.document import STRONG, Book, Document, Listing, Paragraph, Span, Table

OTHERS = (
    "Commands and rule sets are topics too, such as: cardbattle help campaign fight, cardbattle help wargame."
)


@cache
def topic_texts() -> dict[str, str]:
    """Return the text of each topic in Markdown. The keys of the topics are in alphabetical order."""
    files = resources.files("cardbattle").joinpath("data", "help").iterdir()
    texts = {file.name.removesuffix(".md"): file.read_text(encoding="utf-8") for file in files}
    return dict(sorted(texts.items()))


def title_of(text: str) -> str:
    r"""Return the part of a text's title that follows the colon.

    >>> title_of("# Seeds: where luck comes from\n\nAll chance")
    'where luck comes from'
    """
    return text.partition("\n")[0].rpartition(": ")[2]


def topics_page() -> Document:
    titles = {key: title_of(text) for key, text in topic_texts().items()}
    table = Table(
        ["topic", ""],
        [[Span(key, STRONG), title] for key, title in titles.items()],
        facts=[f"{key}: {title}" for key, title in titles.items()],
    )
    return Document("Help", [table, Paragraph(OTHERS)], {"schema": 1, "topics": titles})


def topic_page(key: str) -> Document:
    text = topic_texts()[key]
    return Document(key, [Book(text)], {"schema": 1, "topic": key, "text": text})


def usage_page(path: str, usage: str) -> Document:
    """Show the usage of a command, as the command prints it for `--help`."""
    return Document(path, [Listing(usage.splitlines(), "text")], {"schema": 1, "topic": path, "text": usage})

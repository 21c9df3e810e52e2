"""The Obsidian format: a note with properties, in which the names of other notes become links."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.show.writers.markdown import inside_line, to_markdown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardbattle.show.document import Document

UNLINKED = re.compile(
    r"[\[\]#^|\\/:*\"<>?`$=~_%]|^[^\w(]|^\d+[.)]"
)  # characters that the name of a note cannot contain
MARKS = re.compile(r"(?<!\\)#(?=[^\s#])|%(?=%)|\^(?=[\w-]+$)")  # marks of tags, comments and blocks
FENCE = "```"


def to_obsidian(document: Document, signs: bool = True) -> str:
    """Return a document as a note. If `signs` is false, cards have letters for suits."""
    names = [name for several in document.subjects.values() for name in several]
    linked = links_in(names)
    lines, is_code = [], False
    for line in to_markdown(document, signs).splitlines():
        is_code ^= line.startswith(FENCE)
        is_text = not is_code and not line.startswith(FENCE)
        lines.append(linked(MARKS.sub(lambda match: "\\" + match[0], line)) if is_text else line)
    return "\n".join([*properties(document.name, document.subjects), "", *lines]) + "\n"


def properties(name: str, subjects: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the YAML lines above a note. They have its title and links to the subjects of the note."""
    lines = ["---", f"title: {quote_yaml(name)}"]
    for kind, names in subjects.items():
        lines += [f"{kind}:", *(f"  - {quote_yaml(link_name(one))}" for one in names)] if names else []
    return [*lines, "---"]


def quote_yaml(text: str) -> str:
    r"""Return a text in quotes, for YAML.

    >>> print(quote_yaml('[[Owain "the" Welshman]]'))
    "[[Owain \"the\" Welshman]]"
    """
    return json.dumps(clean(text), ensure_ascii=False)


def link_name(name: str) -> str:
    """Return a name as a link. If a note cannot have this name, return the name unchanged."""
    return name if UNLINKED.search(name) else f"[[{name}]]"


def links_in(names: Sequence[str]) -> Linker:
    """Return a function that turns occurrences of these names in a line into links."""
    return Linker({clean(name): name for name in names if not UNLINKED.search(clean(name))})


class Linker:
    """Turns names in lines of Markdown into links, except in headings."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = {inside_line(name): name for name in names}
        for name in list(self.names):
            if name.startswith("The "):
                self.names[f"the {name[4:]}"] = self.names[name]
        longest = sorted(self.names, key=len, reverse=True)
        self.found = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?!\w)") if longest else None

    def __call__(self, line: str) -> str:
        """Return a line with its names turned into links."""
        if self.found is None or line.startswith("#"):
            return line
        stroke = "\\|" if line.startswith("|") else "|"
        return self.found.sub(lambda match: self.link(match[0], stroke), line)

    def link(self, written: str, stroke: str) -> str:
        """Return the link for a name in the spelling of the text."""
        name = self.names[written]
        is_plain = name == written or inside_line(name) == written
        return f"[[{name}]]" if is_plain else f"[[{name}{stroke}{written}]]"

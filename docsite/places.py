"""Where the files of the repository are on the documentation site.

The guides link to each other and to other files of the repository, so that they can be read there. On the
site, Markdown files outside docs/ become pages, and other files can be opened below `files/`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "SECURITY.md": "security.md",
    "cardbattle/data/help/configuration.md": "configuration.md",
    **{
        f"cardbattle/rules/{key.replace('-', '_')}/rules.md": f"rules/{key}.md"
        for key in ("wargame", "field-of-honour", "warmonger", "strategy-war", "warfare-tactics")
    },
}
LINK = re.compile(r"(?P<before>\]\()(?P<target>(?![a-z]+:|#)[^)#\s]+)(?P<anchor>#[^)]*)?(?P<after>\))")
FENCE = re.compile(r"^( *)(```+)(?P<info>.*?)\n.*?^\1\2 *$", re.MULTILINE | re.DOTALL)
TITLED = re.compile(r"^( *```+)(\w+) ([^\s{]+)$", re.MULTILINE)


def page_of(path: str) -> str:
    """Return the place on the site of a file or folder of the repository.

    >>> page_of("docs/odds.md"), page_of("CHANGELOG.md"), page_of("examples/raids.toml")
    ('odds.md', 'changelog.md', 'files/examples/raids.toml')
    """
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.endswith(".md"):
        return path
    return f"files/{path}.md" if (ROOT / path).is_dir() else f"files/{path}"


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Change a Markdown text, but not its code blocks."""
    parts = []
    end = 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


def linked(text: str, source: str) -> list[str]:
    """Return the files of the repository that a Markdown text links to; `source` is its own path."""
    targets: list[str] = []

    def note(part: str) -> str:
        targets.extend(resolve(link["target"], source) for link in LINK.finditer(part))
        return part

    outside_fences(text, note)
    return targets


def resolve(target: str, source: str) -> str:
    """Return the path in the repository of a link's target.

    >>> resolve("../examples/raids.toml", "docs/odds.md")
    'examples/raids.toml'
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))


def for_site(text: str, source: str) -> str:
    """Return a Markdown text of the repository as mkdocs reads it: with links and file titles of the site."""
    folder = posixpath.dirname(page_of(source)) or "."

    def relink(link: re.Match[str]) -> str:
        place = posixpath.relpath(page_of(resolve(link["target"], source)), folder)
        return f"{link['before']}{place}{link['anchor'] or ''}{link['after']}"

    text = outside_fences(text, lambda part: LINK.sub(relink, part))
    return TITLED.sub(r'\1\2 title="\3"', text)

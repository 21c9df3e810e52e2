"""Hooks of mkdocs: add the pages that are not in docs/, and rewrite links between files of the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from cardbattle.version import __version__
from docsite import gallery, reference
from docsite.places import PAGES, ROOT, for_site, linked, page_of

OFFLINE_PAGE = ROOT / "dist" / f"cardbattle-{__version__}.html"
sources: dict[str, str] = {}  # the path in the repository of each page


def on_files(files: Files, config: Any) -> Files:
    """Add the pages and files that the guides link to, and those that are made."""
    sources.clear()
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    waiting += [*PAGES, *gallery.SOURCES]
    while waiting:
        path = waiting.pop()
        place = page_of(path)
        if path in sources.values() or (files.get_file_from_path(place) and not path.startswith("docs/")):
            continue
        if path.endswith(".md"):
            text = (ROOT / path).read_text(encoding="utf-8")
            sources[place] = path
            waiting += linked(text, path)
            if not path.startswith("docs/"):
                files.append(File.generated(config, place, content=text))
        elif (ROOT / path).is_dir():
            files.append(File.generated(config, place, content=list_of_files(path)))
            waiting += sorted(member.relative_to(ROOT).as_posix() for member in members(path))
        elif not path.startswith("docs/"):
            files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))
    for place, content in {**gallery.pages(), **reference.pages(), **try_page()}.items():
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Rewrite the links of a page that is a file of the repository."""
    source = sources.get(page.file.src_uri)
    return for_site(markdown, source) if source else markdown


def members(path: str) -> list[Path]:
    """Return the files in a folder of the repository."""
    return [file for file in (ROOT / path).rglob("*") if file.is_file() and "__pycache__" not in file.parts]


def list_of_files(path: str) -> str:
    """Return a page that links to the files in a folder."""
    names = sorted(file.relative_to(ROOT / path).as_posix() for file in members(path))
    folder = Path(path).name
    return f"# {path}\n\n" + "".join(f"- [{name}]({folder}/{name})\n" for name in names)


def try_page() -> dict[str, str | bytes]:
    """Return the page that embeds the offline page, and that page itself, if `make page` has built it."""
    begin = "# Try it in your browser\n\nThis page plays the five games without an installation. "
    if not OFFLINE_PAGE.exists():
        note = "It is not part of this copy of the site: run `make page` before `make docs`."
        return {"try.md": f"{begin}{note} [Without Python](without-python.md) describes it.\n"}
    name = OFFLINE_PAGE.name
    frame = f'<iframe src="{name}" title="cardbattle in the browser" loading="lazy" class="whole"></iframe>'
    links = f"[Open it alone]({name}){{target=_blank}}, or save it to use it without a network"
    text = f"{begin}{links}: [Without Python](without-python.md) describes it.\n\n{frame}\n"
    return {"try.md": text, name: OFFLINE_PAGE.read_bytes()}

"""The gallery: a battle of each rule set, with its story and the HTML report of the program."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import NamedTuple

from cardbattle.cli.app import run
from docsite.places import ROOT


class Exhibit(NamedTuple):
    """A battle of the gallery: the name of its page, what it shows, and the arguments of `resolve`."""

    name: str
    about: str
    arguments: tuple[str, ...]


EXHIBITS = (
    Exhibit(
        "shrewsbury", "Field of Honour, from a battle file.", (str(ROOT / "examples" / "shrewsbury.toml"),)
    ),
    Exhibit("wargame", "Wargame: deployment, traitors and a rout.", ("wargame", "--seed", "1403")),
    Exhibit("warmonger", "Warmonger: special cards and robots.", ("warmonger", "--seed", "1403")),
    Exhibit(
        "five-lords",
        "Strategy WAR with five sides, in the dark.",
        (str(ROOT / "examples" / "five-lords.toml"),),
    ),
    Exhibit(
        "warfare-tactics",
        "Warfare Tactics: two commanders without mercy.",
        ("warfare-tactics", "--seed", "1403"),
    ),
)
SOURCES = ("examples/shrewsbury.toml", "examples/five-lords.toml")


def pages() -> dict[str, str]:
    """Return the pages of the gallery, and the reports that they embed, by their place on the site."""
    result = {"gallery/index.md": contents()}
    for exhibit in EXHIBITS:
        result[f"gallery/{exhibit.name}.md"] = exhibit_page(exhibit)
        result[f"gallery/{exhibit.name}.report.html"] = report(exhibit, "html", "log")
    return result


def contents() -> str:
    """Return the page that lists the battles."""
    rows = "".join(f"- [{title(exhibit)}]({exhibit.name}.md): {exhibit.about}\n" for exhibit in EXHIBITS)
    return (
        "# Gallery\n\nA battle of each rule set, as the program reports it. Your own battles look like this "
        "with `cardbattle resolve BATTLE -o battle.html`.\n\n" + rows
    )


def title(exhibit: Exhibit) -> str:
    """Return the title of a battle: its sides."""
    return report(exhibit, "md", "story").partition("\n")[0].lstrip("# ")


def exhibit_page(exhibit: Exhibit) -> str:
    """Return the page of a battle: its story, and its report in a frame."""
    heading, _, story = report(exhibit, "md", "story").partition("\n")
    words = " ".join(word.rpartition("/")[2] for word in exhibit.arguments)
    name = f"{exhibit.name}.report.html"
    return (
        f"# {heading.lstrip('# ')}\n{story}\n## Card by card\n\n"
        f"`cardbattle resolve {words} -o battle.html` writes this page. "
        f"[Open it alone]({name}){{target=_blank}}\n\n"
        f'<iframe src="{name}" title="Report of the battle" loading="lazy" class="whole"></iframe>\n'
    )


def report(exhibit: Exhibit, form: str, detail: str) -> str:
    """Return the report of a battle in a format. Raises RuntimeError if the battle cannot be fought."""
    page, errors = StringIO(), StringIO()
    with redirect_stdout(page), redirect_stderr(errors):
        code = run(["resolve", *exhibit.arguments, "--format", form, "--detail", detail])
    if code:
        raise RuntimeError(errors.getvalue())
    return page.getvalue()

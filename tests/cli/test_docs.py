"""The guides are correct: their console examples are run, and the command reference is current."""

from __future__ import annotations

import re
from doctest import ELLIPSIS, DocTestParser, DocTestRunner, OutputChecker
from html import unescape
from pathlib import Path

import pytest

from cardbattle.commanders.strength import load_pairings
from cardbattle.rules import RULE_SETS, find
from tests.support.guides import GUIDES, ROOT, Reader, workplace
from tests.support.picture import STORY_PICTURE, story_picture
from tests.support.reference import reference

SHARE = re.compile(r"^\| ([\w ]*) ?\| (\w+) \| (\w+) \| ([0-9.]+) % \|", re.MULTILINE)
TEXT = re.compile(r"<text [^>]*>([^<]*)</text>")
COMMAND = re.compile(r"`(cardbattle [^`]+)`")
LINK = re.compile(r"\]\((?!https?://)([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
PAGES = sorted(
    {
        *GUIDES,
        *ROOT.glob("*.md"),
        *ROOT.glob(".github/*.md"),
        *(
            path
            for folder in ("cardbattle", "campaigns", "examples", "research")
            for path in (ROOT / folder).rglob("*.md")
        ),
    }
)


@pytest.mark.slow
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_the_examples_of_a_guide_print_what_it_says(guide: Path, tmp_path: Path) -> None:
    """The commands run one after the other in a folder with the examples and campaigns."""
    for command, expected, got in Reader(tmp_path).work_through(guide):
        assert OutputChecker().check_output(expected, got, ELLIPSIS), f"$ {command}\n{got}"


@pytest.mark.slow
def test_the_examples_in_python_print_what_the_guide_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They follow each other, in a folder with the examples and campaigns."""
    workplace(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8").replace("```", "")
    guide = DocTestParser().get_doctest(text, {"__name__": "__main__"}, "library.md", "library.md", 0)
    told: list[str] = []
    failed, tried = DocTestRunner(optionflags=ELLIPSIS).run(guide, out=told.append)
    assert tried > 30
    assert not failed, "".join(told)


def test_the_picture_of_a_story_shows_what_the_program_prints() -> None:
    """`python -m tests.support.picture` draws it again."""
    words = [unescape(text) for text in TEXT.findall(STORY_PICTURE.read_text(encoding="utf-8"))]
    assert words == [unescape(text) for text in TEXT.findall(story_picture())]
    assert len(words) > 20


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    headings = HEADING.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_to_a_heading_in_it(page: Path) -> None:
    for file, anchor in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        target = page.parent / file if file else page
        assert target.exists(), file
        assert not anchor or anchor in anchors(target), f"{file}#{anchor}"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_a_command_in_the_text_of_a_guide_is_in_the_reference(guide: Path) -> None:
    """Beside the examples, which are run: its words and its long options."""
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    common, *rest = text.split("\n## ")
    sections = dict(section.partition("\n")[::2] for section in rest)
    for span in COMMAND.findall(guide.read_text(encoding="utf-8")):
        words = span.split()
        named = [known for n in range(1, len(words) + 1) if (known := " ".join(words[:n])) in sections]
        assert len(named) > 1 or words[1].startswith("-"), span
        for option in (word for word in words if word.startswith("--")):
            assert option in sections[named[-1]] + common, span


@pytest.mark.slow
def test_the_command_reference_is_in_date() -> None:
    """`make docs` rewrites it."""
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == reference()


def test_the_program_prints_the_shares_of_ranks_that_the_research_page_has() -> None:
    text = (ROOT / "research" / "commanders.md").read_text(encoding="utf-8")
    measured: dict[tuple[str, str], float] = {}
    rules = ""
    for name, rank, other, share in SHARE.findall(text.partition("## How strong they are")[2]):
        rules = name.strip().lower().replace(" ", "-") or rules
        measured.setdefault((rules, f"{rank} from {other}"), float(share))
    assert len(measured) >= 25
    told = {
        (key, f"{rank} from {other}"): round(100 * pairing.share, 1)
        for (key, rank, other), pairing in load_pairings().items()
    }
    assert measured == {pairing: told[pairing] for pairing in measured}


@pytest.mark.parametrize("key", RULE_SETS)
def test_the_rules_mark_what_is_settled_here(key: str) -> None:
    """The page says what the mark means before the first rule, and rules carry it."""
    before, _, rules = find(key).rules_text().partition("\n- **")
    assert "settled here*" in before.casefold()
    assert len(re.findall(r"\*[Ss]ettled\s+here", rules)) > 10
    assert "Not chosen" not in rules

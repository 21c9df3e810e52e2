"""The documentation site: every guide is on it, and links lead to files of the repository.

`make site` builds it and checks every link and anchor, and takes longer.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardbattle.rules import RULE_SETS
from docsite.places import PAGES, ROOT, for_site, linked, page_of

SITE = ROOT / "mkdocs.yml"
GUIDES = sorted((ROOT / "docs").glob("*.md"))


def test_every_guide_is_in_the_navigation_of_the_site_and_every_entry_is_a_page() -> None:
    navigation = SITE.read_text(encoding="utf-8").partition("\nnav:\n")[2]
    entries = re.findall(r"([\w/-]+\.md)$", navigation, re.MULTILINE)
    made = [entry for entry in entries if entry.startswith(("gallery/", "reference/")) or entry == "try.md"]
    assert len(entries) == len(set(entries))
    assert {*entries} - {*made} == {guide.name for guide in GUIDES} | {*PAGES.values()}
    assert {f"rules/{key}.md" for key in RULE_SETS} <= {*PAGES.values()}


@pytest.mark.parametrize("source", [*PAGES, *(f"docs/{guide.name}" for guide in GUIDES)])
def test_every_link_of_a_page_of_the_site_leads_to_a_file(source: str) -> None:
    text = (ROOT / source).read_text(encoding="utf-8")
    assert all((ROOT / target).exists() for target in linked(text, source))
    folder = Path(page_of(source)).parent
    moved = for_site(text, source)
    places = re.findall(r"\]\((?![a-z]+:|#)([^)#\s]+)", re.sub(r"```.*?```", "", moved, flags=re.DOTALL))
    expected = {page_of(target) for target in linked(text, source)}
    assert {(ROOT / folder / place).resolve() for place in places} == {ROOT / place for place in expected}


def test_the_site_asks_no_other_host_for_anything() -> None:
    settings = SITE.read_text(encoding="utf-8")
    assert "\n  font: false" in settings
    assert "http" not in settings
    for source in [*PAGES, *(f"docs/{guide.name}" for guide in GUIDES)]:  # diagrams load a script from afar
        assert "```mermaid" not in (ROOT / source).read_text(encoding="utf-8")


def test_a_file_title_is_written_as_mkdocs_reads_it_and_code_stays() -> None:
    text = "```toml war/campaign.toml\n[a](b.md)\n```\n[a](../CHANGELOG.md#x)\n"
    assert for_site(text, "docs/odds.md") == (
        '```toml title="war/campaign.toml"\n[a](b.md)\n```\n[a](changelog.md#x)\n'
    )

"""Search, cards over links, and the description of a page for search engines and chats."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from cardbattle.show.svg.preview import PreviewSide, preview_svg
from cardbattle.site import parts, search_page
from cardbattle.site.book import SiteBook
from cardbattle.site.summaries import summaries_of
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.site.test_newspaper import book_of
from tests.site.test_newspaper import marches as marches  # the same book
from tests.site.test_site import MARCHES, Page, made, pages
from tests.support.frontier import extents, frontier

MOST_SCRIPT = 30_000  # bytes on any page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the site of a sample campaign, with the address where it will be published."""
    return made(MARCHES, tmp_path_factory.mktemp("found") / "site", "--address", "https://example.org/war")


@pytest.mark.slow
def test_scripts_are_small_and_run_by_their_hashes_alone(site: Path) -> None:
    for path in pages(site):
        text = path.read_text("utf-8")
        scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
        assert sum(len(script.encode()) for _, script in scripts) < MOST_SCRIPT
        active = [script for kind, script in scripts if not kind]
        data = [kind for kind, _ in scripts if kind]
        assert data in ([], [' type="application/json" id="cards"'])
        hashes = [f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in active]
        [policy] = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        source = f"; script-src {hashes[0]}" if hashes else ""
        assert policy == f"default-src 'none'; style-src 'unsafe-inline'{source}"
        assert len(active) < 2


def test_a_battle_has_right_articles_and_a_way_to_its_replay(site: Path) -> None:
    page = (site / "battles" / "t3-chester.html").read_text(encoding="utf-8")
    [heading] = re.findall("<h1>(.*)</h1>", page)
    [*_, sides] = re.findall("<p>(<a .*</a> against <a .*</a>)</p>", page)
    title = "The Cheshire archers against the garrison of Chester"
    assert [re.sub("<[^>]*>", "", text) for text in (heading, sides)] == [title, title]
    assert f"<title>{title}, The Marches, 1403</title>" in page
    # on a phone, where the field is below the story, a link leads there
    assert page.index('<a href="#step=1">Play the battle step by step</a>') < page.index("The story</span>")
    assert "held by the Crown" in (site / "map.html").read_text(encoding="utf-8")


def test_every_page_describes_itself(site: Path) -> None:
    described = {}
    for path in pages(site):
        tags = re.findall(
            r'<meta (?:name|property)="(description|og:[a-z_:]*)" content="([^"]*)">', path.read_text("utf-8")
        )
        described[path.relative_to(site).as_posix()] = dict(tags)
    assert all(0 < len(tags["description"]) <= 201 for tags in described.values())
    assert all(tags["og:url"] == f"https://example.org/war/{name}" for name, tags in described.items())
    assert {tags["og:type"] for name, tags in described.items() if name != "index.html"} == {"article"}
    battle = described["battles/t3-chester.html"]
    assert battle == {
        "description": "The Cheshire archers take Chester from the Crown. The "
        "garrison of Chester is destroyed.",
        "og:title": "The Cheshire archers against the garrison of Chester",
        "og:description": battle["description"],
        "og:site_name": "The Marches, 1403",
        "og:type": "article",
        "og:url": "https://example.org/war/battles/t3-chester.html",
        "og:image": "https://example.org/war/battles/t3-chester.svg",
        "og:image:alt": battle["description"],
    }
    assert described["forces/hal.html"]["description"] == (
        "The Crown, strength about 10, at Shrewsbury. Won 1 battle, lost 0, drew 0."
    )
    assert described["places/chester.html"]["description"].startswith("Owner: The House of Percy. Value: 2.")


def test_each_battle_has_a_picture_and_a_second_time_nothing_is_written(site: Path) -> None:
    pictures = sorted(site.glob("battles/*.svg"))
    assert [path.stem for path in pictures] == sorted(path.stem for path in site.glob("battles/*.html"))
    assert all(ET.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg" for path in pictures)
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    made(MARCHES, site, "--address", "https://example.org/war/")
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before


def test_a_picture_has_the_sides_the_winner_and_the_chances() -> None:
    sides = [
        PreviewSide("York", 0, True, [(1, 0.5), (3, 1)]),
        PreviewSide("<b>", 1, False, [(1, 0.5), (3, 0)]),
    ]
    drawn = ET.fromstring(preview_svg("The War, turn 2", "York wins.", sides))
    texts = [node.text for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["The War, turn 2", "York ★", "<b>", "York wins."]
    lines = [node.attrib["points"] for node in drawn.iter("{http://www.w3.org/2000/svg}polyline")]
    assert lines == ["660,305 1140,190", "660,305 1140,420"]
    assert "polyline" not in preview_svg("War", "", [PreviewSide("York", 0, False)])


@pytest.mark.parametrize("address", ["example.org", "https://a b", 'https://a"b', "javascript:alert(1)"])
def test_an_address_is_one_of_the_web(sh: Shell, address: str) -> None:
    said = sh("campaign", "-C", str(MARCHES), "site", "x", "--address", address)
    assert said.code == 2
    assert said.err.startswith(f"cardbattle: --address {address}: expected a web address, such as https://")


def test_the_search_page_leads_to_everything(site: Path) -> None:
    found = {link.removeprefix("./") for link in Page(site / "search.html").links} - {"feed.xml"}
    others = {path.relative_to(site).as_posix() for path in pages(site)} - {"map.html", "search.html"}
    assert found == others | {"search.html"}


def test_the_search_page_lists_the_last_battles_of_many(
    marches: SiteBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_page, "MOST_BATTLES", 2)
    text = search_page.search_page(marches).text
    assert re.findall('href="battles/([^"]*).html"', text) == ["t3-carmarthen", "t3-chester"]
    assert "4 earlier battles not listed" in text


def test_cards_tell_of_what_a_page_links_to(marches: SiteBook, monkeypatch: pytest.MonkeyPatch) -> None:
    body = 'x href="../forces/hal.html" href="places/mill.html" href="../battles/hal.html"'
    hal = ("Prince Henry", "The Crown, strength about 10, at Shrewsbury. Won 1 battle, lost 0, drew 0.")
    assert parts.cards_of(marches, body) == {"forces/hal.html": hal}
    monkeypatch.setattr(parts, "MOST_CARDS", 60)
    assert parts.cards_of(marches, body) == {}


def test_cards_of_a_faction_tell_what_it_may_know(tmp_path: Path) -> None:
    folder = frontier(tmp_path / "war", extents("own", "own", "own", "own"))
    summaries = summaries_of(book_of(folder, "north"))
    assert summaries["forces/ash.html"][1] == "The North, strength 14, at Ford. No battle yet."
    assert summaries["forces/elder.html"][1] == "The East, strength unknown. No battle yet."
    assert summaries["places/mill.html"][1] == "Owner: The South. Value: 2."


def test_a_name_cannot_end_the_data_of_the_cards(tmp_path: Path) -> None:
    folder = Path(frontier(tmp_path / "war"))
    file = folder / "campaign.toml"
    file.write_text(file.read_text("utf-8").replace('"Lord Ash"', '"</script><b>Ash"'), "utf-8")
    text = (made(folder, tmp_path / "site") / "index.html").read_text("utf-8")
    [data] = re.findall(r'<script type="application/json" id="cards">(.*?)</script>', text, re.DOTALL)
    assert json.loads(data)["forces/ash.html"][0] == "</script><b>Ash"

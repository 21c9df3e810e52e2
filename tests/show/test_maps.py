"""A campaign's map: laid out, by coordinates, or the umpire's own, cleared of all that acts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html import unescape
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from cardbattle.campaign.storage.store import load
from cardbattle.campaign.visibility.reader import PUBLIC, visible_to
from cardbattle.cli.campaign.shared import read_only, reader_named
from cardbattle.core.errors import InvalidInput
from cardbattle.show.svg.drawn_map import LOOKS, PREFIX, SHAPES, WORDS, Frame, read_drawing
from cardbattle.show.svg.map_marks import WIDTH, Arrow, Clash, Memory, Pennant, Position, Site, breadth
from cardbattle.show.svg.map_marks import legend_html as legend
from cardbattle.show.svg.maps import fit_spots, lay_out, map_svg, with_rest
from cardbattle.show.svg.terrain import lands, relief
from cardbattle.site.book import SiteBook
from cardbattle.site.campaign_map import campaign_map
from cardbattle.site.parts import Links
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.show.test_hostile_names_in_output import TAKEN
from tests.support.frontier import extents, frontier

KEYS = ["chester", "whitchurch", "shrewsbury", "oswestry", "lichfield", "carmarthen"]
ROADS = [("chester", "whitchurch"), ("chester", "oswestry"), ("whitchurch", "shrewsbury"),
         ("oswestry", "shrewsbury"), ("shrewsbury", "lichfield"), ("oswestry", "carmarthen")]  # fmt: skip


def site(name: str, tint: int = 0) -> Site:
    """Return a place with two forces and a battle to come."""
    return Site(
        name, "held by York", tint, [Pennant("Percy", "14", 1), Pennant(name, "~5", 2)], [name], "x.html"
    )


def test_places_that_a_road_joins_lie_nearer_than_others() -> None:
    spots = lay_out(KEYS, ROADS)

    def far(one: str, other: str) -> float:
        (x1, y1), (x2, y2) = spots[one], spots[other]
        return float(((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5)

    joined = [far(*road) for road in ROADS]
    apart = [far(*pair) for pair in combinations(KEYS, 2) if pair not in ROADS and pair[::-1] not in ROADS]
    assert sum(joined) / len(joined) < 0.7 * sum(apart) / len(apart)


def test_a_layout_is_the_same_everywhere() -> None:
    """Its numbers come of sums, products and roots alone, which all machines have alike."""
    spots, height = fit_spots(lay_out(KEYS, ROADS))
    assert [f"{x:.1f} {y:.1f}" for x, y in spots.values()] == FOUND
    assert height < WIDTH


FOUND = ["56.0 197.5", "173.3 64.0", "306.4 195.3", "203.3 312.6", "350.2 412.1", "424.0 328.1"]


def test_every_place_lies_within_the_drawing_and_none_upon_another() -> None:
    for spots in (
        {key: (n * 7 % 5, n) for n, key in enumerate(KEYS)},
        lay_out(KEYS, []),
        lay_out(KEYS, ROADS),
    ):
        fitted, height = fit_spots(spots)
        assert all(0 < x < WIDTH and 0 < y < height for x, y in fitted.values())
        assert len(set(fitted.values())) == len(KEYS)


@pytest.mark.parametrize("count", [1, 2, 3, 151])
def test_any_number_of_places_is_laid_out(count: int) -> None:
    keys = [f"p{n}" for n in range(count)]
    roads = list(pairwise(keys))
    root = ET.fromstring(str(map_svg("Map", {key: site(key) for key in keys}, {}, roads)))
    assert len(root.findall(".//a")) == count
    assert len(root.findall("./path[@class='road']")) == count - 1


def test_a_place_that_does_not_say_where_it_lies_stands_below_the_others() -> None:
    spots = with_rest({"a": (0, 0), "b": (100, 50)}, ["a", "b", "c"])
    assert spots["c"][1] > 50
    assert (spots["a"], spots["b"]) == ((0, 0), (100, 50))


@pytest.mark.parametrize("name", [*TAKEN[:12], "x" * 40])
def test_a_map_with_any_name_is_a_drawing_and_nothing_else(name: str) -> None:
    drawn = map_svg(name, {"a": site(name), "b": site("B", -1)}, {"a": (0, 0)}, [("a", "b")])
    root = ET.fromstring(str(drawn))
    assert {element.tag for element in root.iter()} <= {"svg", "g", "a", "path", "circle", "text", "title"}
    assert root.find(".//a").attrib["aria-label"].startswith(root.find(".//a/text").text)  # type: ignore[union-attr,arg-type]


def test_pennants_of_one_place_stand_apart_and_hold_their_numbers() -> None:
    """The widest pennant is 29 wide, and `~15` would be wider than what is left of a swallow-tail."""
    pennants = [Pennant("Percy", "~15", 0), Pennant("Vaughan", "~5", 1), Pennant("Hal", "1200", 2)]
    drawn = map_svg("Map", {"a": Site("Mill", "", 0, pennants, [], "x.html")}, {"a": (0, 0)}, [])
    flags = ET.fromstring(str(drawn)).findall(".//g[@aria-hidden='true'][title]")
    starts = [float(flag.attrib["transform"][10:].split()[0]) for flag in flags]
    assert all(after - before > 29 + 2 for before, after in pairwise(starts))
    widths = [flag.find("text").attrib.get("textLength") for flag in flags]  # type: ignore[union-attr]
    assert widths == ["18", None, "18"]


SVG = "http://www.w3.org/2000/svg"
VALLEY = ROOT / "campaigns" / "four-noons" / "valley.svg"
HARM = f"""<svg xmlns="{SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" width="100mm" height="50"
  onload="alert(1)" viewBox="0 0 10 10"><script>alert(1)</script>
<style>@import url(http://x.example/a.css);</style><image href="http://x.example/a.png"/>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">x</body></foreignObject>
<a href="javascript:alert(1)"><text>link</text></a><use href="http://x.example/a.svg#b"/>
<use xlink:href="#mill"/><rect id="mill" x="1" onclick="alert(1)" fill="url(http://x.example/#a)"
  stroke="url(#sea)" style="fill:red;background:url(x)"/><path id="a b" d="M0 0" fill="&lt;script&gt;"/>
<set attributeName="href" to="x"/><animate attributeName="x"/>
<text style="font-family:x;behavior:url(x)" x="1">&lt;script&gt;&#x202e;</text><metadata>m</metadata></svg>"""


def test_what_acts_in_a_drawing_is_left_out() -> None:
    drawn = re.sub(
        '<g class="marks">.*</g>',
        "",
        str(read_drawing(HARM).to_svg("Map", {"mill": site("M", 2)}, {})),
        flags=re.S,
    )
    assert not re.search(
        r"script(?!&gt;)|alert|http://x|onclick|onload|javascript|image|style|@import", drawn
    )
    root = ET.fromstring(drawn)
    words = {word for element in root.iter() for word in element.attrib}
    assert words <= WORDS | LOOKS | {"id", "href", "class", "role", "aria-label"}
    assert {element.tag.partition("}")[2] for element in root.iter()} <= SHAPES
    mill = root.find(f".//*[@id='{PREFIX}mill']")
    assert mill is not None
    assert (mill.attrib["class"], mill.attrib["fill"]) == ("land side2", "red")
    assert mill.attrib["stroke"] == f"url(#{PREFIX}sea)"
    assert [one.attrib for one in root.iter() if one.tag.endswith("use")] == [{}, {"href": f"#{PREFIX}mill"}]
    assert "\u202e" not in drawn


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'>&a;</svg>",
            "a DOCTYPE is not read",
        ),
        ("<html/>", "expected a drawing that begins with <svg"),
        ("<svg", "not an SVG drawing"),
        ("", "not an SVG drawing"),
    ],
)
def test_what_is_no_drawing_is_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_drawing(text)
    assert words in str(caught.value)


def test_a_drawing_has_its_places_in_their_owners_colours_turn_by_turn() -> None:
    drawing = read_drawing(VALLEY.read_text(encoding="utf-8"))
    assert set(drawing.middles) == {"belfry", "market", "bridge", "gnomon", "observatory"}
    before = classes(drawing.to_svg("Map", {"belfry": site("B", 0), "bridge": site("H", -1)}, {}))
    assert before == {"map-belfry": "land side0", "map-bridge": "land free"}
    assert classes(drawing.to_svg("Map", {"belfry": site("B", 1)}, {})) == {"map-belfry": "land side1"}


def classes(drawn: str) -> dict[str, str]:
    """Return the classes of the shapes that have an id."""
    shapes = [one.attrib for one in ET.fromstring(drawn).iter()]
    return {one["id"]: one["class"] for one in shapes if "id" in one and "class" in one}


@pytest.mark.slow
def test_a_drawing_that_is_not_there_is_told(sh: Shell, tmp_path: Path) -> None:
    assert sh("demo", "war").code == 0
    file = tmp_path / "war" / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8") + '\n[map]\nfile = "valley.svg"\n', encoding="utf-8")
    said = sh("campaign", "-C", "war", "site")
    assert (said.code, "valley.svg" in said.err) == (3, True)
    said = sh("campaign", "-C", "war", "check")
    hints = [line for line in said.err.splitlines() if "valley.svg" in line and "changed by hand" not in line]
    assert (said.code, len(hints)) == (0, 1)
    (tmp_path / "war" / "valley.svg").write_text("<svg")
    said = sh("campaign", "-C", "war", "site")
    assert said.code == 3
    assert said.err.startswith("cardbattle: valley.svg: not an SVG drawing")
    assert not (tmp_path / "war" / "site").exists()


def test_copies_of_a_drawing_on_one_page_share_no_id_and_each_shows_its_own() -> None:
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg"><linearGradient id="sea"/><g id="boat"/><rect id="town" '
        'fill="url(#sea)"/><use href="#boat"/><text>#map-boat</text></svg>'
    )
    drawn = read_drawing(text)
    ids = {}
    for copy, owner in (("3-", 0), ("4-", 1)):
        found = drawn.to_svg("Map", {"town": site("T", owner)}, {}, copy)
        ids[copy] = set(re.findall(r' id="([^"]*)"', found))
        assert ids[copy] == {f"map-{copy}{key}" for key in ("sea", "boat", "town")}
        assert f'fill="url(#map-{copy}sea)"' in found and f'href="#map-{copy}boat"' in found
        assert f'class="land side{owner}"' in found
        assert "<text>#map-boat</text>" in found
    assert not ids["3-"] & ids["4-"]
    assert 'id="map-town"' in drawn.to_svg("Map", {"town": site("T")}, {})


def test_a_name_of_wide_letters_is_as_long_as_it_looks() -> None:
    assert [sum(map(breadth, name)) for name in ("Shrewsbury", "Carmarthe\u0301n", "\u6771\u4eac")] == [
        10,
        10,
        4,
    ]


def drawing(shapes: str, frame: str = 'viewBox="0 0 480 300"') -> str:
    """Return an umpire's drawing with these shapes."""
    return f'<svg xmlns="{SVG}" {frame}>{shapes}</svg>'


@pytest.mark.parametrize(
    ("shape", "middle"),
    [
        ('<rect id="p" x="10" y="20" width="30" height="8"/>', (25, 24)),
        ('<circle id="p" cx="7" cy="9" r="3"/>', (7, 9)),
        ('<ellipse id="p" cx="7" cy="9" rx="3" ry="2" transform="scale(2)"/>', (14, 18)),
        ('<line id="p" x1="2" y1="3" x2="8" y2="13"/>', (5, 8)),
        ('<polygon id="p" points="1,1 9,1 5 11"/>', (5, 6)),
        ('<polyline id="p" points="1-1.5.5,4"/>', (0.75, 1.25)),
        ('<path id="p" d="M10 20H30V40z"/>', (20, 30)),
        ('<path id="p" d="m10,20 20,0 0,20 z m4-10l2 2"/>', (20, 25)),
        ('<path id="p" d="M1e1 20c0-10 20-10 20 0s-20 10-20 0"/>', (20, 20)),
        ('<path id="p" d="M20 50a10 10 0 1040 0 10 10 0 10-40 0"/>', (40, 50)),
        ('<path id="p" d="M20,50q5,5 10,0t10,0"/>', (30, 52.5)),
        ('<g id="p" transform="translate(9 5)"><rect width="4" height="4"/><path d="M9 0h7"/></g>', (17, 7)),
        ('<g transform="matrix(2 0 0 3 10 20)"><g id="p"><path d="M1 1L3 3"/></g></g>', (14, 26)),
        ('<rect id="p" x="20" width="10" height="2" transform="rotate(90)"/>', (-1, 25)),
        ('<rect id="p" x="20" width="10" height="2" transform="rotate(180,25 1) translate(5)"/>', (20, 1)),
        ('<line id="p" x2="4" y2="4" transform="skewX(45) skewY(0)"/>', (4, 2)),
        ('<g id="p"><text x="300">Far</text><rect width="4" height="4"/></g>', (2, 2)),
    ],
)  # fmt: skip
def test_a_place_lies_at_the_middle_of_its_shape(shape: str, middle: tuple[float, float]) -> None:
    assert read_drawing(drawing(shape)).middles["p"] == pytest.approx(middle)


@pytest.mark.parametrize(
    "shape",
    [
        '<defs><rect id="p" width="4" height="4"/></defs>',
        '<path id="p" d=""/>',
        '<path id="p" d="M5"/>',
        '<g id="p"/>',
        '<text id="p" x="4" y="4">Here</text>',
        '<rect id="p" x="481" width="4" height="4"/>',
        '<rect id="p" x="1e999" width="4" height="4"/>',
        '<g transform="scale(1e9)">' * 40 + '<rect id="p" x="1" width="4" height="4"/>' + "</g>" * 40,
    ],
)
def test_a_place_that_is_not_seen_lies_nowhere_unless_it_says_where(shape: str) -> None:
    found = read_drawing(drawing(shape))
    assert [found.spot("p", at) for at in (None, (481, 3), (480, 3))] == [None, None, (480, 3)]


def test_a_place_lies_where_it_says_before_its_shape() -> None:
    found = read_drawing(drawing('<circle id="p" cx="7" cy="9" r="3"/>'))
    assert [found.spot("p", at) for at in (None, (400, 3), (4, 301))] == [(7, 9), (400, 3), (7, 9)]


@pytest.mark.parametrize(
    ("said", "frame"),
    [
        ('viewBox="-10,5 20 30" width="7"', (-10, 5, 20, 30)),
        ('width="200" height="100"', (0, 0, 200, 100)),
        ('width="2in" height="25.4mm"', (0, 0, 192, 96)),
        ('width="100%" viewBox="0 0 0 0"', (0, 0, 480, 360)),
        ('viewBox="a b c" height="50px"', (0, 0, 480, 50)),
    ],
)
def test_what_is_seen_of_a_drawing_is_its_view_box_or_its_size(said: str, frame: tuple[float, ...]) -> None:
    found = read_drawing(drawing("", said))
    assert found.frame == pytest.approx(frame)
    assert str(found.to_svg("Map", {}, {})).count("viewBox") == 1


def test_forces_battles_and_the_way_to_a_places_page_lie_over_its_shape() -> None:
    """They are as large as on other maps, in any unit of the drawing."""
    found = read_drawing(drawing('<rect id="p" x="10" y="20" width="4" height="4"/>', 'viewBox="-8 2 48 60"'))
    root = ET.fromstring(str(found.to_svg("Map", {"p": site("Halm")}, {})))
    marks = root.find(f"./{{{SVG}}}g[@class='marks']/{{{SVG}}}g")
    assert marks is not None
    assert marks.attrib["transform"] == "translate(-8 2) scale(0.1)"
    assert marks[0].attrib["transform"] == "translate(200 200)"  # from (-8, 2) to (12, 22), ten times
    link = marks.find(f".//{{{SVG}}}a")
    assert link is not None
    assert (link.attrib["href"], link.attrib["aria-label"]) == ("x.html", "Halm: held by York")
    assert [one.text for one in marks.iter(f"{{{SVG}}}text")] == ["14", "~5", "Halm"]
    assert [one.attrib["class"] for one in marks.iter(f"{{{SVG}}}path")] == ["flag", "flag", "swords"]


def test_what_lies_at_the_edge_of_a_drawing_is_drawn_within_it() -> None:
    found = read_drawing(drawing('<circle id="a" r="1"/><circle id="b" cx="480" cy="300" r="1"/>'))
    assert found.frame == Frame(0, 0, 480, 300)
    drawn = str(found.to_svg("Map", {"a": site("A"), "b": site("B")}, {}))
    assert re.findall(r'transform="translate\(([0-9. ]+)\)"><g class="side', drawn) == ["14 33", "448 270"]


def test_a_name_that_the_drawing_has_is_not_written_twice() -> None:
    found = read_drawing(
        drawing("<text><tspan>Half-Past</tspan> <tspan>BRIDGE</tspan></text><text>Yorkshire</text>")
    )
    names = ("Half-Past Bridge", "Bridge", "York", "(x")
    assert [found.writes(name) for name in names] == [True, True, False, False]
    at = {"p": (40, 40), "q": (90, 90)}
    drawn = str(found.to_svg("Map", {"p": site("Half-Past Bridge"), "q": site("York")}, at))
    assert re.findall(r'class="town"[^>]*>([^<]*)<', drawn) == ["York"]


def test_what_lies_in_a_link_stays_when_the_link_goes() -> None:
    text = drawing(
        '<a href="http://x.example" id="p" transform="translate(9 9)"><rect width="2" height="2"/></a>'
        '<text>by <a href="javascript:alert(1)">Paula</a></text>'
    )
    found = read_drawing(text)
    assert found.middles["p"] == (10, 10)
    drawn = str(found.to_svg("Map", {}, {}))
    assert f'<g id="{PREFIX}p" transform="translate(9 9)"><rect width="2" height="2" /></g>' in drawn
    assert "<text>by <tspan>Paula</tspan></text>" in drawn
    assert "href" not in drawn and "<a" not in drawn


def test_a_drawing_deeper_than_any_is_refused() -> None:
    assert read_drawing(drawing("<g>" * 100 + "</g>" * 100))
    with pytest.raises(InvalidInput, match="groups are nested more than 100 deep; ungroup some of them"):
        read_drawing(drawing("<g>" * 100_000 + "</g>" * 100_000))


@pytest.mark.slow
def test_a_move_that_never_ends_takes_no_time() -> None:
    """Were each begun to be read to the end, this would take minutes."""
    move = "scale(" * 160_000
    assert read_drawing(drawing(f'<rect id="p" width="4" height="4" transform="{move}"/>')).middles == {
        "p": (2, 2)
    }


@pytest.mark.slow
def test_a_place_that_a_drawing_cannot_show_is_told(sh: Shell, tmp_path: Path) -> None:
    """By `check` and by `site`; neither when its shape is there."""
    assert sh("demo", "war").code == 0
    file = tmp_path / "war" / "campaign.toml"
    plain = file.read_text("utf-8")
    places = sorted(load(str(tmp_path / "war")).campaign.locations)
    shapes = "".join(f'<circle id="{key}" cx="9" cy="9" r="2"/>' for key in places[1:])
    (tmp_path / "war" / "own.svg").write_text(drawing(shapes), "utf-8")
    why = "the drawing has no shape with that id, and `at` is missing or outside it"
    file.write_text(plain + '\n[map]\nfile = "own.svg"\n', "utf-8")
    assert f"hint: own.svg cannot show {places[0]}: {why}\n" in sh("campaign", "-C", "war", "check").err
    said = sh("campaign", "-C", "war", "site", "--no-chances")
    assert f"cardbattle: warning: own.svg cannot show {places[0]}: {why}\n" in said.err
    front = (tmp_path / "war" / "site" / "index.html").read_text("utf-8")
    assert set(re.findall(r'<a href="places/([a-z-]+).html" aria-label', front)) == set(places[1:])
    shapes += f'<rect id="{places[0]}" width="3" height="3"/>'
    (tmp_path / "war" / "own.svg").write_text(drawing(shapes), "utf-8")
    assert "own.svg cannot" not in sh("campaign", "-C", "war", "check").err
    assert "own.svg" not in sh("campaign", "-C", "war", "site", "--no-chances").err


@pytest.mark.parametrize("reader", ["", "north", "umpire"])
def test_a_drawing_tells_a_reader_what_any_other_map_does_and_no_more(tmp_path: Path, reader: str) -> None:
    """Of every turn, the same whenever it is drawn."""
    books, ledger = read_only(frontier(tmp_path / "war", extents("rough", "own", "own", "own")))
    known = visible_to(books.campaign, ledger, reader_named(books.campaign, reader, PUBLIC))
    places = "".join(f'<circle id="{key}" cx="99" cy="99" r="4"/>' for key in books.campaign.locations)
    plain, own = (SiteBook(known, books.campaign, drawn) for drawn in (None, read_drawing(drawing(places))))
    for n in range(len(plain.turns)):
        told = told_by(campaign_map(plain, n, Links(plain, "")).svg)
        assert len(told) >= len(books.campaign.locations)
        assert told_by(campaign_map(own, n, Links(own, "")).svg) == told
    drawn = [campaign_map(own, len(own.turns) - 1, Links(own, "")) for _ in "ab"]
    assert drawn[0] == drawn[1]


def told_by(drawn: str) -> list[tuple[str, str]]:
    """Return everything that a map says about forces, places and battles, in order."""
    found = re.findall(r'<title>([^<]*)</title>|(?:aria-label="[^"]*: |class="place )([^"]*)"', drawn)
    return [(unescape(title), unescape(words)) for title, words in found]


def test_the_map_shows_supply_and_experience() -> None:
    flags = [Pennant("Percy", "14", 1, 5, "Old Guard"), Pennant("Vaughan", "~5", 2, is_hungry=True)]
    assert [flag.label for flag in flags] == [
        "Percy 14, Old Guard, experience 5",
        "Vaughan ~5, out of supply",
    ]
    place = Site("Mill", "held by York", 0, flags, [], "x.html", has_supply=True)
    root = ET.fromstring(str(map_svg("Map", {"mill": place}, {}, [])))
    assert [mark.get("class") for mark in root.findall("g//path")] == ["flag", "chevrons", "flag hungry"]
    [chevrons] = (mark.get("d", "") for mark in root.iter("path") if mark.get("class") == "chevrons")
    assert chevrons.count("M") == 3
    assert [mark.get("class") for mark in root.iter("circle")] == ["depot", "place side0"]


SPOTS = {"a": (100.0, 100.0), "b": (300.0, 100.0)}


def test_a_movement_is_an_arrow_beside_the_road_and_clear_of_its_places() -> None:
    there = Arrow("Percy: from A to B", 1, Position("a"), Position("b"))
    back = Arrow("Hal: from B to A", 0, Position("b"), Position("a"))
    halfway = Arrow("Owain: from A", 2, Position("a"), Position("a", "b", 0.25))
    one, again, other, near = map(str, Memory([there, there, back, halfway]).marks(SPOTS))
    assert one.startswith('<g class="march side1" role="img" aria-label="Percy: from A to B"><title>')
    assert '<path d="M112.4 104Q200 132 281 106.1' in one
    assert "Q200 152 " in again and "Q200 68 " in other
    assert re.findall(r"M(\S+ \S+)L", near) == ["138.6 103.7"]


def test_a_movement_from_or_to_a_place_that_is_not_on_the_map_is_not_drawn() -> None:
    arrow = Arrow("Percy", 1, Position("a"), Position("x"))
    still = Arrow("Percy", 1, Position("a"), Position("a"))
    assert [*Memory([arrow, still], [Clash("c", Position("x"), "c.html", True)]).marks(SPOTS)] == []


def test_battles_fought_are_crossed_swords_beside_their_place_or_on_their_road() -> None:
    clashes = [
        Clash("turn 2: A", Position("a"), "a.html", True),
        Clash("<b>", Position("a", "b", 0.5), "b.html", False),
    ]
    here, road = map(str, Memory([], clashes).marks(SPOTS))
    assert here.startswith(
        '<a class="fought" href="a.html" aria-label="turn 2: A" transform="translate(58 100)"><title>turn 2'
    )
    assert road.startswith(
        '<a class="fought old" href="b.html" aria-label="&lt;b&gt;" transform="translate(179 100)">'
    )


def test_the_legend_explains_only_the_marks_that_the_map_has() -> None:
    plain = Site("Mill", "held by York", 0, [Pennant("Percy", "14", 0)], [], "x.html")
    assert "<li>" not in legend([], [plain], Memory(), "turn 2")
    full = Site("M", "", -1, [Pennant("P", "1", 0, 3, "", is_hungry=True)], ["b"], "x.html", has_supply=True)
    clashes = [Clash("c", Position("a"), "c.html", is_recent) for is_recent in (True, False)]
    told = legend([], [full], Memory([Arrow("p", 0, Position("a"), Position("b"))], clashes), "turn 2")
    assert re.findall(r"</svg> ([^<]*)<", told) == [
        "pending battle", "battle fought in turn 2", "earlier battle", "movement in turn 2", "experience",
        "out of supply", "place with supply", "no owner",
    ]  # fmt: skip


def test_the_land_of_a_place_is_what_is_nearer_to_it_than_to_another() -> None:
    assert lands(((100, 50), (300, 50), (300, 150)), 400, 200) == (
        "M0 0L200 0L200 100L150 200L0 200z",
        "M200 100L200 0L400 0L400 100z",
        "M200 100L400 100L400 200L150 200z",
    )


def test_signs_of_the_terrain_are_clear_of_places_and_roads() -> None:
    spots = ((100, 100), (300, 100))
    drawn = relief(spots, ("hill", "tree"), ((spots[0], spots[1]),), 480, 300)
    signs = [(float(x), float(y), sign) for x, y, sign in re.findall(r"M(\S+) ([\d.]+)(m-8|m0)", drawn)]
    assert len(signs) == 102
    assert {sign for x, _, sign in signs if x < 200} == {"m-8"}
    assert {sign for x, _, sign in signs if x > 200} == {"m0"}
    assert not [1 for x, y, _ in signs if any(abs(x - a) < 58 and -50 < y - b < 34 for a, b in spots)]
    assert not [1 for x, y, _ in signs if 100 < x < 300 and abs(y - 100) < 11]

"""A campaign's map: laid out, by coordinates, or the umpire's own, cleared of all that acts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from cardbattle.core.errors import Refused
from cardbattle.show.svg.drawn_map import LOOKS, PREFIX, SHAPES, WORDS, read_drawing
from cardbattle.show.svg.maps import WIDTH, Pennant, Site, breadth, fitted_spots, laid_out, map_svg, with_rest
from tests.test_cli import ROOT, Shell
from tests.test_cli import sh as sh  # the same shell
from tests.test_names_that_act import TAKEN

KEYS = ["chester", "whitchurch", "shrewsbury", "oswestry", "lichfield", "carmarthen"]
ROADS = [("chester", "whitchurch"), ("chester", "oswestry"), ("whitchurch", "shrewsbury"),
         ("oswestry", "shrewsbury"), ("shrewsbury", "lichfield"), ("oswestry", "carmarthen")]  # fmt: skip


def site(name: str, tint: int = 0) -> Site:
    """Return a place with two forces and a battle to come."""
    return Site(
        name, "held by York", tint, [Pennant("Percy", "14", 1), Pennant(name, "~5", 2)], [name], "x.html"
    )


def test_places_that_a_road_joins_lie_nearer_than_others() -> None:
    spots = laid_out(KEYS, ROADS)

    def far(one: str, other: str) -> float:
        (x1, y1), (x2, y2) = spots[one], spots[other]
        return float(((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5)

    joined = [far(*road) for road in ROADS]
    apart = [far(*pair) for pair in combinations(KEYS, 2) if pair not in ROADS and pair[::-1] not in ROADS]
    assert sum(joined) / len(joined) < 0.7 * sum(apart) / len(apart)


def test_a_layout_is_the_same_everywhere() -> None:
    """Its numbers come of sums, products and roots alone, which all machines have alike."""
    spots, height = fitted_spots(laid_out(KEYS, ROADS))
    assert [f"{x:.1f} {y:.1f}" for x, y in spots.values()] == FOUND
    assert height < WIDTH


FOUND = ["56.0 197.5", "173.3 64.0", "306.4 195.3", "203.3 312.6", "350.2 412.1", "424.0 328.1"]


def test_every_place_lies_within_the_drawing_and_none_upon_another() -> None:
    for spots in (
        {key: (n * 7 % 5, n) for n, key in enumerate(KEYS)},
        laid_out(KEYS, []),
        laid_out(KEYS, ROADS),
    ):
        fitted, height = fitted_spots(spots)
        assert all(0 < x < WIDTH and 0 < y < height for x, y in fitted.values())
        assert len(set(fitted.values())) == len(KEYS)


@pytest.mark.parametrize("count", [1, 2, 3, 151])
def test_any_number_of_places_is_laid_out(count: int) -> None:
    keys = [f"p{n}" for n in range(count)]
    roads = list(pairwise(keys))
    root = ET.fromstring(str(map_svg("Map", {key: site(key) for key in keys}, {}, roads)))
    assert len(root.findall(".//a")) == count
    assert len(root.findall("./path")) == count - 1


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
    drawn = str(read_drawing(HARM).coloured("Map", {"mill": 2}))
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
        ("<svg", "this is no drawing"),
        ("", "this is no drawing"),
    ],
)
def test_what_is_no_drawing_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refused) as caught:
        read_drawing(text)
    assert words in str(caught.value)


def test_a_drawing_has_its_places_in_their_owners_colours_turn_by_turn() -> None:
    drawing = read_drawing(VALLEY.read_text(encoding="utf-8"))
    assert drawing.places == {"belfry", "market", "bridge", "gnomon", "observatory"}
    before = classes(drawing.coloured("Map", {"belfry": 0, "bridge": -1}))
    assert before == {"map-belfry": "land side0", "map-bridge": "land free"}
    assert classes(drawing.coloured("Map", {"belfry": 1})) == {"map-belfry": "land side1"}


def classes(drawn: str) -> dict[str, str]:
    """Return the classes of the shapes that have an id."""
    shapes = [one.attrib for one in ET.fromstring(drawn).iter()]
    return {one["id"]: one["class"] for one in shapes if "id" in one and "class" in one}


def test_a_drawing_that_is_not_there_is_told(sh: Shell, tmp_path: Path) -> None:
    assert sh("demo", "war").code == 0
    file = tmp_path / "war" / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8") + '\n[map]\nfile = "valley.svg"\n', encoding="utf-8")
    said = sh("campaign", "-C", "war", "site")
    assert (said.code, "valley.svg" in said.err) == (3, True)
    (tmp_path / "war" / "valley.svg").write_text("<svg")
    said = sh("campaign", "-C", "war", "site")
    assert said.code == 3
    assert said.err.startswith("cardbattle: valley.svg: this is no drawing")
    assert not (tmp_path / "war" / "site").exists()


def test_a_name_of_wide_letters_is_as_long_as_it_looks() -> None:
    assert [sum(map(breadth, name)) for name in ("Shrewsbury", "Carmarthe\u0301n", "\u6771\u4eac")] == [
        10,
        10,
        4,
    ]

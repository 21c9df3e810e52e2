"""The map of a site remembers movements and battles, and shows a reader no more than they may know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardbattle.campaign.visibility.reader import PUBLIC, visible_to
from cardbattle.cli.campaign.shared import read_only, reader_named
from cardbattle.show.pages.campaign.between import between_lines
from cardbattle.site.book import SiteBook
from cardbattle.site.campaign_map import campaign_map
from cardbattle.site.front_page import present_lines
from cardbattle.site.parts import Links
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.frontier import FRONTIER, edit, extents
from tests.support.marches import folder_with

SUPPLY = '[supply]\nrange = 1\nout_of_supply = "1/10"\n'


def war(folder: Path, location: str = "own", commander: str = "own", text: str = FRONTIER) -> str:
    """Make a campaign in which only some of the forces are known, and return its folder."""
    visibility = extents("own", location, commander, "own")
    return folder_with(folder / "war", f"{text}\n[visibility]\n{visibility}")


def maps(folder: str, reader: str) -> list[str]:
    """Return the maps of all turns for a reader, each with its legend."""
    books, ledger = read_only(folder)
    campaign = books.campaign
    visible = visible_to(campaign, ledger, reader_named(campaign, reader, PUBLIC))
    book = SiteBook(visible, campaign)
    return [campaign_map(book, n, Links(book, "")).html() for n in range(len(book.turns))]


def arrows(drawn: str) -> list[str]:
    """Return the labels of the movements on a map."""
    return re.findall(r'<g class="march[^>]* aria-label="([^"]*)"', drawn)


ASH, ASH_AGAIN, CEDAR = (
    "Lord Ash: from Ford to Mill",
    "Lord Ash: from Mill to Tower",
    "Cedar: from Mill to Tower",
)
KNOWN = {  # by the rule for places, and by reader
    "own": {"north": [ASH, ASH_AGAIN], "south": [CEDAR], "public": [], "umpire": [ASH, CEDAR, ASH_AGAIN]},
    "rough": {"east": [], "south": [CEDAR]},
    "all": {"public": [ASH, CEDAR, ASH_AGAIN], "east": [ASH, CEDAR, ASH_AGAIN]},
}


@pytest.mark.slow
def test_movements_are_arrows_in_their_turn_for_those_who_may_know_them(sh: Shell, tmp_path: Path) -> None:
    """What was undone is not shown."""
    folder = war(tmp_path)
    for force, place in (("ash", "mill"), ("cedar", "tower"), ("ash", "tower"), ("birch", "tower")):
        assert sh("campaign", "-C", folder, "set", f"forces.{force}.location={place}").code == 0
    assert sh("campaign", "-C", folder, "undo").code == 0
    assert sh("campaign", "-C", folder, "turn").code == 0
    assert sh("campaign", "-C", folder, "set", "forces.birch.location=mill").code == 0
    for location, readers in KNOWN.items():
        edit(
            folder,
            (re.findall('location = "(?:own|rough|all)"', state(folder))[0], f'location = "{location}"'),
        )
        for reader, expected in readers.items():
            later = ["Birch: from Keep to Mill"] if reader in ("north", "umpire") or location == "all" else []
            assert [*map(arrows, maps(folder, reader))] == [expected, later]


def state(folder: str) -> str:
    """Return the text of a campaign's file."""
    return (Path(folder) / "campaign.toml").read_text(encoding="utf-8")


def test_experience_of_an_enemy_stays_off_the_map(tmp_path: Path) -> None:
    """It is known to those who know the commander; strength and place of the force are known to all."""
    plain = FRONTIER.replace('commander = "green"\n', "")
    seasoned = plain.replace("strength = 61\n", 'strength = 61\nexperience = 3\ntitle = "Old Guard"\n')
    folders = [war(tmp_path / name, "all", text=text) for name, text in (("a", plain), ("b", seasoned))]
    for reader in ("north", "public"):
        assert maps(folders[0], reader) == maps(folders[1], reader)
    for reader in ("east", "umpire"):
        [drawn] = maps(folders[1], reader)
        assert "Old Guard, experience 3" in drawn and 'class="chevrons"' in drawn
    assert 'class="chevrons"' in maps(war(tmp_path / "c", "all", "all", seasoned), "north")[0]
    books, ledger = read_only(folders[1])
    umpire = visible_to(books.campaign, ledger, reader_named(books.campaign, "umpire", PUBLIC))
    assert "experience" in str([*between_lines(umpire)]) and "experience" not in str(present_lines(umpire))


def test_supply_of_an_enemy_whose_place_is_hidden_stays_off_the_map(tmp_path: Path) -> None:
    near, far = (
        FRONTIER.replace('strength = 9\ncommander = "green"\nlocation = "mill"',
                         f'strength = 9\ncommander = "green"\nlocation = "{place}"') + SUPPLY
        for place in ("mill", "keep")
    )  # fmt: skip
    near, far = (
        text.replace('owner = "south"\nvalue', 'owner = "south"\nsupply = true\nvalue')
        for text in (near, far)
    )
    folders = [war(tmp_path / name, text=text) for name, text in (("a", near), ("b", far))]
    for reader in ("north", "public"):
        assert maps(folders[0], reader) == maps(folders[1], reader)
        assert 'class="flag hungry"' not in re.sub("<ul.*", "", maps(folders[1], "public")[0])
    for reader in ("south", "umpire"):
        assert "Cedar 9, out of supply" not in maps(folders[0], reader)[0]
        assert "Cedar 9, out of supply" in maps(folders[1], reader)[0]


def test_a_battle_fought_leaves_crossed_swords_that_lead_to_its_page(sh: Shell, tmp_path: Path) -> None:
    folder = war(tmp_path)
    assert sh("campaign", "-C", folder, "fight", "ford", "--no-odds").code == 0
    assert sh("campaign", "-C", folder, "turn").code == 0
    then, now = maps(folder, "public")
    link = r'<a class="(fought[ old]*)" href="(\S+)" aria-label="([^"]*)"'
    title = "turn 2: Lord Ash against Cedar"
    assert re.findall(link, then) == [("fought", "battles/ford.html", title)]
    assert re.findall(link, now) == [("fought old", "battles/ford.html", title)]
    assert "battle fought in turn 2</li>" in then and "earlier battle</li>" in now

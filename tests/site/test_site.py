"""The site of a campaign: whole, linked, harmless, the same twice, and no more than its reader may know."""

from __future__ import annotations

import re
import shutil
import sys
import xml.etree.ElementTree as ET
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import count, pairwise
from pathlib import Path
from types import FrameType

import pytest

from cardbattle.campaign.ledger.history import record_in
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.timeline import timeline
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn import chance_cache as counting
from cardbattle.campaign.turn import estimate
from cardbattle.campaign.turn.chance_cache import count_battles
from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
from cardbattle.cli.app import run
from cardbattle.core.battle import NOBODY
from cardbattle.files.count_cache import CountCache
from cardbattle.simulation.turning_points import Curve, CurvePoint, Progress, TurningPoint, unheard
from cardbattle.simulation.workers import Serial
from cardbattle.site import map_page
from cardbattle.site.book import SiteBook
from cardbattle.site.build import SitePlan, battle_jobs, make_site, open_site
from cardbattle.site.parts import table
from tests.benchmarks.campaign import found as long_ledger
from tests.benchmarks.site import long_war
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.show.test_hostile_names_in_output import TAKEN, campaign, tags
from tests.support.frontier import frontier

ATOM = "{http://www.w3.org/2005/Atom}"
MARCHES = ROOT / "campaigns" / "the-marches-1403"
TELLING = re.compile('<section class="telling">.*?</section>', re.DOTALL)


class Page(HTMLParser):
    """What a page links to, what it is made of, and the ids on it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.found: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        told = dict(attrs)
        self.found.add(tag)
        self.attributes |= told.keys()
        if told.get("href"):
            self.links.append(str(told["href"]))
        if told.get("id"):
            self.ids.append(str(told["id"]))


def made(folder: Path, into: Path, *more: str) -> Path:
    """Make a campaign's site and return its folder."""
    chances = [] if "--chances" in more else ["--no-chances"]
    assert run(["campaign", "-C", str(folder), "site", str(into), "-q", "-j", "1", *chances, *more]) == 0
    return into


@pytest.fixture(scope="module")
def marches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the site of a sample campaign as everybody may read it, with records."""
    folder = tmp_path_factory.mktemp("marches")
    shutil.copytree(MARCHES, folder / "war")
    return made(folder / "war", folder / "site", "--records")


def files_in(folder: Path) -> dict[str, bytes]:
    """Return what is in every file below a folder, by its path from there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def pages(site: Path) -> list[Path]:
    """Return the pages of a site."""
    return sorted(site.rglob("*.html"))


@pytest.mark.slow
def test_a_site_has_a_page_for_everything_that_can_be_looked_up(marches: Path) -> None:
    books = store.load(str(MARCHES)).campaign
    wanted = {"index.html", "map.html", "search.html", *(f"turns/{turn}.html" for turn in (1, 2, 3, 4))}
    for kind, keys in (("factions", books.factions), ("forces", books.forces), ("places", books.locations)):
        wanted |= {f"{kind}/{key}.html" for key in keys}
    wanted |= {f"battles/{key}.html" for key in store.load_ledger(str(MARCHES)).revision_by_battle}
    assert {path.relative_to(marches).as_posix() for path in pages(marches)} == wanted


@pytest.mark.slow
def test_every_link_leads_to_something_that_is_there(marches: Path) -> None:
    for path in pages(marches):
        page = Page(path)
        for link in page.links:
            if link.startswith("#"):
                assert link[1:] in page.ids, f"{path}: {link}"
            else:
                assert (path.parent / link).is_file(), f"{path}: {link}"
        assert len(page.ids) == len(set(page.ids)), path


@pytest.mark.slow
def test_a_page_acts_on_nothing_and_asks_for_nothing(marches: Path) -> None:
    for path in pages(marches):
        page = Page(path)
        has_buttons = path.parent.name == "battles" or path.name == "map.html"
        scripted = (
            set() if path.parent.name == "turns" else {"script", "button"} if has_buttons else {"script"}
        )
        active = {"script", "img", "iframe", "object", "embed", "form", "button", "video"}
        assert not page.found & (active - scripted)
        assert not [name for name in page.attributes if name.startswith("on") or name in ("src", "action")]
        text = path.read_text(encoding="utf-8")
        assert "default-src 'none'; style-src 'unsafe-inline'" in text
        assert not re.search(r"https?:|@import|url\((?!#)", text)


def test_the_maps_are_played_by_a_script_that_runs_by_its_hash(marches: Path) -> None:
    """Without it all maps stand one below the other, the last first, each under a link to its turn."""
    text = (marches / "map.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'\">" in text
    assert text.count('<svg class="map"') == 4
    past = re.findall(r'<section class="past">\n<h2><span><a class="plain" href="turns/(.).html">', text)
    assert past == ["4", "3", "2", "1"]
    assert '<div class="player screen" hidden>' in text
    assert 'href="map.html"' in (marches / "index.html").read_text(encoding="utf-8")
    assert 'href="./index.html"' in text


@pytest.mark.slow
def test_many_maps_are_too_much_for_a_page(marches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map_page, "MOST_BYTES", 25_000)
    text = (made(marches.parent / "war", marches.parent / "few") / "map.html").read_text(encoding="utf-8")
    assert "The last 2 turns. Earlier maps are on the pages of their turns." in text
    assert text.count('<svg class="map"') == 2


def test_nothing_of_the_umpires_is_told_to_everybody(marches: Path) -> None:
    """Seeds and reasons are left out, and battles show only what was public."""
    told = "".join(path.read_text(encoding="utf-8") for path in [*pages(marches), marches / "feed.xml"])
    ledger = store.load_ledger(str(MARCHES))
    assert str(store.load(str(MARCHES)).campaign.seed) not in told
    reasons = [entry.reason for entry in ledger.entries if entry.reason]
    assert reasons and not [reason for reason in reasons if reason in told]
    assert "seed" not in told.lower()


@pytest.mark.slow
def test_the_same_campaign_gives_the_same_bytes(marches: Path, tmp_path: Path) -> None:
    again = made(marches.parent / "war", tmp_path / "site", "--records")
    assert files_in(again) == files_in(marches)


@pytest.mark.slow
def test_a_second_time_nothing_is_written(marches: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in marches.rglob("*")}
    made(marches.parent / "war", marches, "--records")
    assert {path: path.stat().st_mtime_ns for path in marches.rglob("*")} == before


@pytest.mark.slow
def test_only_what_changed_is_written_and_what_is_gone_is_removed(sh: Shell, tmp_path: Path) -> None:
    """A generated page that a person has edited is no longer the program's page, and stays."""
    shutil.copytree(MARCHES, tmp_path / "war")
    site = made(tmp_path / "war", tmp_path / "site")
    before = files_in(site)
    assert sh("campaign", "-C", "war", "undo", "t1-malpas", "--force", "--reason", "x").code == 0
    assert sh("campaign", "-C", "war", "undo", "t1-ellesmere", "--force", "--reason", "x").code == 0
    page = site / "battles" / "t1-malpas.html"
    page.write_text(page.read_text(encoding="utf-8") + "<!-- mine -->", encoding="utf-8")
    made(tmp_path / "war", site)
    after = files_in(site)
    assert before.keys() - after.keys() == {"battles/t1-ellesmere.html"}
    changed = {name for name in after if after[name] != before[name]}
    assert "battles/t1-malpas.html" in changed
    assert {"index.html", "turns/1.html", "forces/hal.html"} <= changed
    assert "battles/t3-carmarthen.html" not in changed


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("notes.txt", "is not empty and was not made by this command"),
        ("index.html", "is not empty and was not made by this command"),
    ],
)
def test_nobodys_folder_is_written_to(sh: Shell, tmp_path: Path, name: str, words: str) -> None:
    shutil.copytree(MARCHES, tmp_path / "war")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text("mine")
    said = sh("campaign", "-C", "war", "site", "mine")
    assert (said.code, said.out) == (3, "")
    assert words in said.err
    assert files_in(tmp_path / "mine") == {name: b"mine"}


@pytest.mark.slow
def test_nobodys_page_is_overwritten(sh: Shell, tmp_path: Path) -> None:
    shutil.copytree(MARCHES, tmp_path / "war")
    site = made(tmp_path / "war", tmp_path / "site")
    (site / "index.html").write_text("mine")
    said = sh("campaign", "-C", "war", "site", "site", "--no-chances")
    assert said.code == 3
    assert "index.html was not written by this program, or was edited since" in said.err
    assert (site / "index.html").read_text() == "mine"


def test_a_site_for_one_reader_is_not_written_over_that_for_another(sh: Shell, tmp_path: Path) -> None:
    folder = frontier(tmp_path)
    site = made(Path(folder), tmp_path / "site", "--for", "north")
    before = files_in(site)
    said = sh("campaign", "-C", folder, "site", "site")
    assert said.code == 3
    assert "site was made for The North; name another folder" in said.err
    assert files_in(site) == before


def test_the_books_are_no_place_for_a_site(sh: Shell, tmp_path: Path) -> None:
    shutil.copytree(MARCHES, tmp_path / "war")
    assert sh("campaign", "-C", "war", "site", "war/records").code == 2
    assert sh("campaign", "-C", "war", "site", "war").code == 3


def test_a_faction_reads_the_same_whatever_it_cannot_know(tmp_path: Path) -> None:
    folder = Path(frontier(tmp_path))
    file = folder / "campaign.toml"
    own = "".join(f'{what} = "own"\n' for what in ("strength", "location", "commander", "pending"))
    file.write_text(file.read_text().replace("[factions.north]", f"[visibility]\n{own}\n[factions.north]"))
    before = files_in(made(folder, tmp_path / "one", "--for", "north"))
    text = file.read_text()
    text = text.replace("strength = 61", "strength = 7").replace(
        "thirty letters and more", "forty letters and more"
    )
    file.write_text(text.replace('strength = 9\ncommander = "green"', 'strength = 12\ncommander = "elite"'))
    assert files_in(made(folder, tmp_path / "two", "--for", "north")) == before
    file.write_text(file.read_text().replace("strength = 14", "strength = 15"))
    assert files_in(made(folder, tmp_path / "three", "--for", "north")) != before


def test_a_record_beside_its_page_verifies(sh: Shell, marches: Path) -> None:
    records = sorted(marches.rglob("*.toml"))
    assert len(records) == 4  # others came from a table without one, or were decided by the umpire's word
    assert sh("verify", *map(str, records)).code == 0
    assert not [path for path in records if "[bound" in path.read_text(encoding="utf-8")]
    for path in records:  # a phone saves it instead of showing its text
        page = path.with_suffix(".html").read_text(encoding="utf-8")
        assert f'<a class="plain" href="{path.name}" download>' in page


def test_a_battles_page_has_its_cards_and_its_field_step_by_step(marches: Path) -> None:
    text = (marches / "battles" / "t1-malpas.html").read_text(encoding="utf-8")
    steps = re.findall('<div class="step" id="step=(.*?)">', text)
    assert steps == [str(number) for number in range(1, 18)]
    links = re.findall('href="#step=(.*?)"', text)
    assert set(links) <= set(steps) and len(set(links)) == len(steps)
    assert text.count('aria-label="a card face down"') > 10  # each side's line is hidden at first
    assert text.count('<svg class="pc" role="img" aria-label=') > 50


def test_battles_lead_to_the_next_one_below_the_replay_and_at_the_end(marches: Path) -> None:
    latest = store.load_ledger(str(MARCHES)).revision_by_battle
    battles = sorted(latest, key=lambda battle: latest[battle])
    for battle, following in pairwise(battles):
        text = (marches / "battles" / f"{battle}.html").read_text(encoding="utf-8")
        link = f'Next battle: <a class="plain" href="../battles/{following}.html">'
        assert text.count(link) == 1 + ('<section class="stage"' in text)
        text = (marches / "battles" / f"{following}.html").read_text(encoding="utf-8")
        assert f'Previous battle: <a class="plain" href="../battles/{battle}.html">' in text
    assert "Next battle" not in (marches / "battles" / f"{battles[-1]}.html").read_text(encoding="utf-8")


def test_the_feed_has_the_last_battles(marches: Path) -> None:
    feed = ET.parse(marches / "feed.xml").getroot()
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == 6
    links = [entry.find(f"{ATOM}link") for entry in entries]
    assert all(link is not None and (marches / link.attrib["href"]).is_file() for link in links)
    times = [str(entry.findtext(f"{ATOM}updated")) for entry in entries]
    assert times == sorted(times, reverse=True)
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 6


def test_a_turn_is_told_as_it_was(marches: Path) -> None:
    """The timeline walks the ledger back: numbers of the sample campaign, turn by turn."""
    found = timeline(store.load(str(MARCHES)).campaign, store.load_ledger(str(MARCHES)))
    assert [turn.number for turn in found] == [1, 2, 3, 4]
    assert [turn.campaign.turn for turn in found] == [1, 2, 3, 4]
    assert [turn.campaign.forces["stafford"].strength for turn in found] == [25, 16, 16, 16]
    assert [turn.campaign.factions["crown"].points for turn in found] == [9, 11, 11, 11]
    assert [turn.campaign.locations["chester"].owner for turn in found] == [
        "crown",
        "crown",
        "percy",
        "percy",
    ]
    assert [turn.revisions for turn in found] == [[1, 2], [*range(3, 8)], [*range(8, 16)], [*range(16, 22)]]
    place = (marches / "places" / "chester.html").read_text(encoding="utf-8")
    assert "turns 1 to 2: " in place and "turns 3 to 4: " in place


def test_a_note_is_told_in_its_turn_and_a_private_one_to_the_umpire_alone(marches: Path) -> None:
    """All were written in turn 4."""
    notes = [entry for entry in store.load_ledger(str(MARCHES)).entries if entry.kind == "note"]
    assert [entry.turn for entry in notes] == [1, 2, 3, 4, 4]
    told = {turn: (marches / "turns" / f"{turn}.html").read_text(encoding="utf-8") for turn in (1, 2, 3, 4)}
    for entry in notes:
        open_in = [turn for turn, text in told.items() if entry.text in text]
        assert open_in == ([] if entry.text.startswith("private") else [entry.turn])


def test_what_was_added_later_was_not_there_before(sh: Shell, tmp_path: Path) -> None:
    assert sh("demo", "war").code == 0
    assert sh("campaign", "-C", "war", "turn").code == 0
    words = ("Waller", "--faction", "parliament", "--strength", "6")
    assert sh("campaign", "-C", "war", "add", "force", *words).code == 0
    found = timeline(store.load("war").campaign, store.load_ledger("war"))
    assert ["waller" in turn.campaign.forces for turn in found] == [False, True]
    assert sh("campaign", "-C", "war", "undo").code == 0
    found = timeline(store.load("war").campaign, store.load_ledger("war"))
    assert ["waller" in turn.campaign.forces for turn in found] == [False, False]


@pytest.mark.slow
def test_what_is_counted_tells_nothing_of_commanders_or_seed(marches: Path) -> None:
    record = record_in(str(MARCHES), "records/t1-malpas.toml")
    assert record is not None
    sides = [side._replace(commander="veteran", standing=["else green"]) for side in record.sides]
    other = record._replace(seed=7, sides=sides)
    before, after = (counting.simulate_record(one, NOBODY) for one in (record, other))
    assert before == after
    assert before.curve.points[0].step == 1
    assert sorted(before.curve.points[-1].chances) == [0, 1000]
    assert sum(before.expected) == pytest.approx(1, abs=0.002)


def test_the_last_battles_are_counted_unless_all_are_wanted_or_none(
    marches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was counted stays on the pages of battles further back."""
    names: list[str] = []

    def count_job(job: counting.CountJob, progress: object = None) -> counting.CountedBattle:
        names.append(job.record)
        return counting.CountedBattle(curve_of(2), [0.5, 0.5])

    monkeypatch.setattr(counting, "count_record", count_job)
    shutil.copytree(MARCHES, marches.parent / "counting")
    folder = str(marches.parent / "counting")
    jobs = {f"digest{n}": counting.CountJob(folder, f"record {n}", f"digest{n}", NOBODY) for n in range(5)}
    assert list(count_battles(folder, jobs, Serial(), most=2)) == ["digest3", "digest4"]
    assert list(count_battles(folder, jobs, Serial(), most=2)) == [f"digest{n}" for n in range(1, 5)]
    assert names == [f"record {n}" for n in (3, 4, 1, 2)]
    assert len(count_battles(folder, jobs, Serial())) == 5


def test_the_time_left_is_known_during_the_first_battle(
    marches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first battle is then counted again. With two workers, four battles take the time of 2.5."""

    def count_job(job: counting.CountJob, progress: Progress = unheard) -> counting.CountedBattle:
        progress(25, 100)
        return counting.CountedBattle(curve_of(2), [0.5, 0.5])

    monkeypatch.setattr(counting, "count_record", count_job)
    shutil.copytree(MARCHES, marches.parent / "slow")
    folder = str(marches.parent / "slow")
    jobs = {f"digest{n}": counting.CountJob(folder, f"record {n}", f"digest{n}", NOBODY) for n in range(4)}
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    told: list[tuple[float, int]] = []
    counted = count_battles(folder, jobs, Serial(), 2, lambda finished, of: told.append((finished, of)))
    assert told == [(0.4, 4), (1, 4), (2, 4), (3, 4), (4, 4)] and len(counted) == 4
    again = {"other": counting.CountJob(folder, "other", "other", NOBODY)}
    monkeypatch.setattr(estimate, "MEASURING", 60.0)
    told.clear()
    count_battles(folder, again, Serial(), 2, lambda finished, of: told.append((finished, of)))
    assert told == [(1, 1)]


def test_each_reader_has_chances_of_their_own(marches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances that were counted for the umpire or another side never reach a reader from the cache."""
    readers: list[int | None] = []

    def count_job(job: counting.CountJob, progress: object = None) -> counting.CountedBattle:
        readers.append(job.reader)
        return counting.CountedBattle(curve_of(2), [0.5, 0.5])

    monkeypatch.setattr(counting, "count_record", count_job)
    shutil.copytree(MARCHES, marches.parent / "readers")
    folder = str(marches.parent / "readers")
    for reader in (None, NOBODY, 0, 1, None, NOBODY, 0, 1):
        job = counting.CountJob(folder, "record", "digest", reader)
        assert count_battles(folder, {"digest": job}, Serial())["digest"] is not None
    assert readers == [None, NOBODY, 0, 1]


def test_readers_who_know_the_same_share_a_count(marches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit on the number of battles holds for each reader."""
    counted: list[tuple[str, int | None]] = []

    def count_job(job: counting.CountJob, progress: object = None) -> counting.CountedBattle:
        counted.append((job.digest, job.reader))
        return counting.CountedBattle(curve_of(2), [0.5, 0.5])

    monkeypatch.setattr(counting, "count_record", count_job)
    shutil.copytree(MARCHES, marches.parent / "sharing")
    folder = str(marches.parent / "sharing")
    seats = [[NOBODY, NOBODY, NOBODY], [0, NOBODY, NOBODY], [1, 0, NOBODY]]
    jobs = [
        {n: counting.CountJob(folder, "", f"digest{n}", seat) for n, seat in enumerate(of)} for of in seats
    ]
    results = counting.count_for_readers(folder, jobs, Serial(), most=2)
    assert counted == [("digest1", NOBODY), ("digest2", NOBODY), ("digest1", 0)]
    assert [list(counts) for counts in results] == [[1, 2], [1, 2], [1, 2]]


def test_a_partial_count_is_no_result_for_a_full_one(marches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full count replaces a partial one, also for readers who did not ask for it."""
    counted: list[bool] = []

    def count_job(job: counting.CountJob, progress: object = None) -> counting.CountedBattle:
        counted.append(job.is_full)
        return counting.CountedBattle(curve_of(2)._replace(is_partial=not job.is_full), [0.5, 0.5])

    monkeypatch.setattr(counting, "count_record", count_job)
    shutil.copytree(MARCHES, marches.parent / "partial")
    folder = str(marches.parent / "partial")
    jobs = [{0: counting.CountJob(folder, "", "digest", None, is_full)} for is_full in (False, True)]
    for at in (0, 0, 1, 1, 0):
        result = count_battles(folder, jobs[at], Serial())[0]
        assert result is not None and result.curve.is_partial == (counted == [False])
    assert counted == [False, True]


@pytest.mark.slow
def test_chances_are_counted_once_and_drawn(marches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    war = marches.parent / "war"
    site = made(war, marches.parent / "counted", "--chances")
    page = (site / "battles" / "t3-chester.html").read_text(encoding="utf-8")
    assert 'aria-label="Chance of winning, step by step"' in page
    force = (site / "forces" / "hal.html").read_text(encoding="utf-8")
    assert "luck so far +" in force
    assert 'aria-label="Luck of Prince Henry, battle by battle"' in force
    before = files_in(site)
    monkeypatch.setattr(counting, "count_record", None)
    assert files_in(made(war, site, "--chances")) == before
    (war / counting.NAME).write_text("{}")
    assert count_battles(str(war), {}, Serial()) == {}


def hostile(folder: Path, names: list[str]) -> Path:
    """Make the site of a campaign in which everything has one of these names, after a battle or two."""
    folder.mkdir()
    (folder / "campaign.toml").write_text(campaign(names), encoding="utf-8")
    assert (
        run(["campaign", "-C", str(folder), "fight", "b1", "b2", "--no-odds", "-q", "--format", "json"]) == 0
    )
    ledger = store.load_ledger(str(folder))
    fought = [entry for entry in ledger.entries if entry.result is not None]
    cache = CountCache(str(folder), counting.NAME)
    for entry in fought:
        job = counting.CountJob(str(folder), "", entry.digest, NOBODY)
        cache.put(job.key, counting.VERSION, some_count(entry))
    cache.write()
    return made(folder, folder / "site", "--chances")


def some_count(entry: Entry) -> counting.CountedBattle:
    """Return what might be counted of a battle."""
    assert entry.result is not None
    sides = len(entry.result.sides)
    return counting.CountedBattle(curve_of(sides), sides * [0.5])


def curve_of(sides: int) -> Curve:
    """Return a curve with a turning point."""
    points = [CurvePoint(step, 0, step, sides * [1000 // sides]) for step in (1, 9)]
    return Curve(points, [TurningPoint(9, 0, 9, 0, 500, 1000, "space 1")], 128)


def hold_names(tmp_path: Path, names: list[str]) -> None:
    """Hold the site with these names against one with plain names: tag for tag the same."""
    plain = hostile(tmp_path / "plain", [f"Name {place}" for place in "ABCDEF"])
    bad = hostile(tmp_path / "bad", names)
    told = files_in(bad)
    assert told.keys() == files_in(plain).keys()
    for name in told:
        if name.endswith(".html"):
            one, other = ((site / name).read_text(encoding="utf-8") for site in (plain, bad))
            assert tags(TELLING.sub("", one)) == tags(TELLING.sub("", other)), name
            for story in TELLING.findall(other):  # its phrases, and so their number, depend on the names
                assert {tag.strip("/") for tag, _ in tags(story)} <= {"section", "h2", "span", "p", "a"}
    ET.parse(bad / "feed.xml")


@pytest.mark.slow
def test_names_that_would_act_are_names_on_every_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "-->]]>York",
             "李世民" * 13 + "軍", "{{ 7*7 }}{% raw %}", "&lt;York&gt; &amp;&#60;"]  # fmt: skip
    hold_names(tmp_path, names)


@pytest.mark.slow
def test_names_that_are_read_from_right_to_left_move_nothing_beside_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each name is isolated in every sentence. Otherwise, the words between two names would change places."""
    king, host, guard = "مرحبا بالعالم", "שלום עולם", "سلام"
    names = ["War", "York", king, f"{host} York", guard, "Bridge"]
    for page in pages(hostile(tmp_path / "war", names)):
        text = page.read_text(encoding="utf-8")
        told = re.sub(r"<title>.*?</title>|<svg.*?</svg>|<[^<>]*=[^<>]*>", "<bdi>", text, flags=re.DOTALL)
        for name in (king, host, guard):
            assert not re.search(f"(?<!<bdi>)(?<!\u2068){name}", told), page.name
        for legend in re.findall('<ul class="legend">.*?</ul>', text):
            for name in (king, host, guard):
                assert not re.search(f"(?<!<bdi>){name}", legend), (
                    page.name
                )  # alone, as in links and sentences


@pytest.mark.heavy
@pytest.mark.parametrize("first", range(0, len(TAKEN), 6))
def test_every_name_that_would_act_is_a_name(
    first: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hold_names(tmp_path, [TAKEN[(first + place) % len(TAKEN)] for place in range(6)])


class CountedList(list[Entry]):
    """A list that counts how often it is gone through."""

    times = 0

    def __iter__(self) -> Iterator[Entry]:
        type(self).times += 1
        return super().__iter__()


@pytest.mark.slow
def test_a_battle_more_goes_through_the_entries_of_its_turn_no_more_often(tmp_path: Path) -> None:
    """Each battle's page names its turn, whose name was looked for among all entries of the turn."""
    counts = []
    for battles in (10, 30):
        folder = tmp_path / f"war-{battles}"
        folder.mkdir()
        long_ledger(folder, battles)
        state, ledger = store.load(str(folder)).campaign, store.load_ledger(str(folder))
        book = SiteBook(visible_to(state, ledger, UMPIRE), state)
        book.turns = [replace(turn, entries=CountedList(turn.entries)) for turn in book.turns]
        CountedList.times = 0
        to = str(tmp_path / f"site-{battles}")
        open_site(book, to)
        made = make_site(SitePlan(book, str(folder), {}, {}, False), to, Serial())
        assert made.written > battles
        counts.append(CountedList.times)
    assert counts[0] == counts[1]


def test_a_table_has_no_column_without_content() -> None:
    html = table(["force", "strength", "place"], [["Hal", "", ""], ["Percy", "3", ""]], (1,))
    assert re.findall("<th[ >].*?>?([A-Za-z]+)</th>", html) == ["force", "strength", "Hal", "Percy"]
    assert html.count('<td class="right">') == html.count("<td") == 2


@pytest.mark.slow
def test_the_work_for_a_battle_does_not_grow_with_the_battles_before_it(tmp_path: Path) -> None:
    """Twenty forces fight for one place, so each battle has many battles before it."""
    work = []
    for battles in (50, 100, 200):
        folder = tmp_path / f"war-{battles}"
        long_war(folder, battles)
        campaign, ledger = store.load(str(folder)).campaign, store.load_ledger(str(folder))
        plan = SitePlan(SiteBook(visible_to(campaign, ledger, UMPIRE), campaign), str(folder), {}, {}, False)
        with count_calls() as calls:
            assert len([*battle_jobs(plan, str(tmp_path / "site"))]) == battles
        work.append(next(calls))
    assert work[2] - work[1] < 1.1 * 2 * (work[1] - work[0])


@contextmanager
def count_calls() -> Iterator[Iterator[int]]:
    """Count the calls of functions; the next number of the counter is their number."""
    calls = count()

    def called(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            next(calls)

    sys.setprofile(called)
    try:
        yield calls
    finally:
        sys.setprofile(None)

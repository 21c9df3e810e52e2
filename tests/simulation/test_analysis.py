"""An analysed battle: its chances, turning points, blunders, luck and skill, and how it is shown."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.records.record import Record, dumps_record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import ReplayMismatch, refight
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign.turn import analysis_cache, chance_cache, estimate
from cardbattle.campaign.turn.analysis_cache import AnalysisCache
from cardbattle.cli import output
from cardbattle.core.battle import NOBODY, Outcome
from cardbattle.core.chance import Chance, stream
from cardbattle.core.telling import Card
from cardbattle.files.count_cache import CountCache
from cardbattle.rules import RULE_SETS
from cardbattle.show.document import Item, Items
from cardbattle.show.pages import analysis as shown
from cardbattle.show.pages.analysis import analysis_page, meaning
from cardbattle.show.writers.html import to_html
from cardbattle.show.writers.plain import to_plain
from cardbattle.simulation import analysis as analysing
from cardbattle.simulation import turning_points
from cardbattle.simulation.analysis import (
    Analysis,
    Depth,
    Position,
    Verdict,
    analyse_record,
    moments,
    most_promising,
)
from cardbattle.simulation.intervals import Interval
from cardbattle.simulation.turning_points import TurningPoint, spread_out
from cardbattle.simulation.workers import Serial, processes
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh


@pytest.fixture(autouse=True)
def few_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Find turning points with a few battles."""
    for name, value in (("FIRST", 8), ("CLOSER", 8), ("WIDEST", 0.9)):
        monkeypatch.setattr(turning_points, name, value)


def fought(
    rules: str = "field-of-honour", seed: int = 1403, sides: int = 2, commander: str = "regular"
) -> Record:
    """Return a record fought by regular commanders, or by others."""
    keys = ["york", "lancaster", "percy", "neville"][:sides]
    bare = bare_battle(rules, keys)
    bare["sides"] = {key: {"commander": commander} for key in keys}
    return fight_battle(read_battle(bare)._replace(seed=seed))[0]


def test_the_moments_of_a_record_are_its_decisions() -> None:
    """Each stands before its move; the last is the end; every choice is known by its index."""
    record = fought()
    found = list(moments(record))
    decisions = [move for move in record.moves if not move.startswith("fate ")]
    assert [moment.move for moment in found] == [*decisions, ""]
    assert all(moment.chosen >= 0 for moment in found[:-1])
    assert all(record.moves[moment.made] == moment.move for moment in found[:-1])
    assert found[-1].battle.side == NOBODY
    assert found[-1].made == len(record.moves)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_can_be_analysed(rules: str) -> None:
    """Chances lie in their intervals and sum to about one; at the end they are the result."""
    record = fought(rules, 7)
    found = analyse_record(record, Serial(), depth=Depth(battles=4, positions=3, all_seeing=True))
    assert len(found.positions) == 3
    for position in found.positions:
        for chance in position.chances:
            assert 0 <= chance.low <= chance.share <= chance.high <= 1
    last = [chance.share for chance in found.positions[-1].chances]
    winners = record.winning_seats or [0, 1]
    assert last == [1 / len(winners) if seat in winners else 0.0 for seat in range(2)]
    assert all(move.startswith("fate ") for move in record.moves[: found.positions[0].made])
    assert found.positions[-1].made == len(record.moves)


TABLE = Path(__file__).with_name("field-of-honour-at-the-table.toml").read_text(encoding="utf-8")


def test_a_battle_with_real_cards_is_analysed_though_cards_in_hand_stayed_unknown() -> None:
    """An option can place two known cards, so that only unknown cards are left for the last spaces."""
    record = read_record(tomllib.loads(TABLE))
    found = analyse_record(record, Serial(), depth=Depth(battles=4))
    assert len(found.positions) > 5
    assert [chance.share for chance in found.positions[-1].chances] == [0, 1]


def test_many_sides_are_analysed() -> None:
    """Each side has a chance of its own."""
    found = analyse_record(fought("strategy-war", 3, 4), Serial(), depth=Depth(battles=10, positions=4))
    assert all(len(position.chances) == 4 for position in found.positions)
    assert abs(sum(chance.share for chance in found.positions[0].chances) - 1) < 0.6


@pytest.mark.slow
def test_who_works_makes_no_difference() -> None:
    """Processes find what this one finds, and a second time the same."""
    record = fought()
    one = analyse_record(record, Serial(), depth=Depth(battles=10, positions=5))
    again = analyse_record(record, Serial(), depth=Depth(battles=10, positions=5))
    with processes(2) as pool:
        other = analyse_record(record, pool, 2, depth=Depth(battles=10, positions=5))
    assert one.positions == again.positions == other.positions


@pytest.mark.slow
def test_all_seeing_knows_more_than_the_sides() -> None:
    """Near the end of a battle the cards as they lay decide more than a side could know."""
    record = fought()
    knowing = analyse_record(
        record, Serial(), depth=Depth(battles=20, positions=12, all_seeing=True)
    ).positions
    guessing = analyse_record(record, Serial(), depth=Depth(battles=20, positions=12)).positions
    assert [one.made for one in knowing] == [one.made for one in guessing]
    assert any(a.chances != b.chances for a, b in zip(knowing, guessing, strict=True))


def chance(share: float) -> Interval:
    """Return a chance known within five points."""
    return Interval(0, share, share - 0.05, share + 0.05)


def made_up(shares: list[float], verdicts: list[Verdict | None]) -> Analysis:
    """Return an analysis of a duel in which seat 0 had these chances; the sides took turns."""
    record = fought()
    positions = [
        Position(made, made % 2, f"york move {made}", False, [chance(share), chance(1 - share)], verdict)
        for made, (share, verdict) in enumerate(zip(shares, verdicts, strict=True))
    ]
    return Analysis(record, positions, 100, False, len(shares) - 1)


class Ended:
    """A duel that one side has won."""

    sides = 2

    def __init__(self, winner: int) -> None:
        self.winner = winner

    def outcome(self) -> Outcome[int]:
        """Return who won."""
        return Outcome([self.winner], "", [])


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 50, 200])
def test_every_option_is_tried_and_the_best_is_found(count: int) -> None:
    """Whichever it is: however many there are, all are tried, and in about as many battles."""
    for best in range(0, count, max(1, count // 7)):
        tries = [0] * count

        def trial(
            number: int, contenders: list[int], best: int = best, tries: list[int] = tries
        ) -> list[float]:
            chance = stream(7, f"{best}/{number}")
            thrown = [chance.below(100) for _ in range(len(tries))]
            for each in contenders:
                tries[each] += 1
            return [float(thrown[each] < (90 if each == best else 20)) for each in contenders]

        assert most_promising(list(range(count)), 600, 100, trial) == best
        assert min(tries) >= (1 if count > 1 else 0)
        assert max(tries) <= 100
        assert sum(tries) <= 600 + 2 * count


def test_equals_are_told_apart_by_their_place() -> None:
    assert most_promising([4, 2, 9], 60, 10, lambda number, contenders: [0.5] * len(contenders)) == 4


def test_no_option_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis finds the only winning option, in any position. If it was chosen, nothing was missed."""
    record = fought("wargame")
    moment = max(moments(record), key=lambda each: len(each.battle.options))
    options = range(len(moment.battle.options))
    assert len(options) > 20
    for good in options[:: len(options) // 10]:
        side = moment.battle.side
        ended = {index: Ended(side if index == good else 1 - side) for index in options}
        monkeypatch.setattr(analysing, "play_option", lambda world, index, *rest, ended=ended: ended[index])
        found = analysing.judge_choice(record, moment, 10, True)
        assert found.best == moment.texts[good]
        assert found.missed == float(good != moment.chosen)


@pytest.mark.slow
def test_what_was_missed_is_measured_in_other_battles_than_the_best_was_found_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where all options are equal the best of many looks better, but only where it was picked."""
    record = fought("wargame")
    moment = max(moments(record), key=lambda each: len(each.battle.options))

    def by_lot(world: object, index: int, rules: object, chance: Chance) -> Ended:
        lots = chance.copy()
        return Ended([lots.below(2) for _ in moment.battle.options][index])

    monkeypatch.setattr(analysing, "play_option", by_lot)
    given = []
    for seed in range(40):
        found = analysing.judge_choice(record._replace(seed=seed), moment, 20, True)
        given.append(found.missed)
    assert sum(share == 0 for share in given) >= 15  # about half of them
    assert sum(given) / len(given) < 0.11  # the mean of the upper half of a difference known to 0.16


def changed(by: float, doubt: float = 0.0, missed: float = 0.0, missed_doubt: float = 0.0) -> Verdict:
    """Return a verdict on a choice of York, at the even positions, that changed their chance so much."""
    return Verdict([0.5, 0.5], [0.5 + by, 0.5 - by], [doubt, doubt], "rally", missed, missed_doubt)


def test_blunders_are_beyond_margin_and_doubt() -> None:
    """A small loss does not count, and a great loss does not count if it can be chance."""
    verdicts = [changed(-0.2, 0.02), None, changed(-0.3, 0.02), None, changed(-0.05, 0.001), None]
    found = made_up([0.5] * 8, [*verdicts, changed(-0.4, 0.3), changed(-0.3, 0.01)])
    assert [position.made for position in found.blunders()] == [2, 0]
    assert [position.made for position in found.blunders(0.25)] == [2]
    assert [round(position.gave_away, 9) for position in found.blunders()] == [0.3, 0.2]


def test_missed_chances_are_beyond_margin_and_doubt_and_no_blunders() -> None:
    """Where regulars would have chosen no better, there was nothing to give away, but more to be had."""
    verdicts = [changed(0, 0, 0.2, 0.02), None, changed(0, 0, 0.9, 0.02), None, changed(0, 0, 0.05, 0.001)]
    verdicts += [None, changed(0.1, 0, 0.4, 0.3), None, changed(-0.3, 0.01, 0.6, 0.01)]
    found = made_up([0.5] * 9, verdicts)
    assert [position.made for position in found.missed_chances()] == [2, 0]
    assert [position.made for position in found.missed_chances(0.25)] == [2]
    assert [position.made for position in found.blunders()] == [8]


def test_several_hopeful_sides_at_once_are_explained() -> None:
    """Only where two stand above three quarters, and never of chances that make 100%."""
    found = made_up([0.8, 0.5, 1.0], [None] * 3)
    assert "More than one side" not in meaning(found)
    both = [position._replace(chances=[chance(0.8), chance(0.76)]) for position in found.positions[:2]]
    hopeful = found._replace(positions=[*both, found.positions[2]])
    assert "More than one side had a chance above 75% after move 0 and 1 time more: " in meaning(hopeful)
    assert "More than one side" not in meaning(hopeful._replace(all_seeing=True))


def test_a_page_marks_the_turning_points_in_its_chart() -> None:
    found = made_up([0.1, 0.1, 0.9], [None] * 3)
    turn = TurningPoint(3, 2, 5, 0, 100, 900, "space 1, the reveal")
    found = found._replace(turning_points=[turn])
    page = to_html(analysis_page(found, report_of(found.record, refight(found.record)), 0.1))
    assert page.count('<path class="moment" d="M524') == 1
    assert "turning point</li>" in page
    words = "step 3 (space 1, the reveal): the chance of york rose from 10% to 90%"
    assert f"<title>{words}</title>" in page.replace("York", "york")


def test_cards_of_a_page_about_a_battle_are_drawn_among_its_words() -> None:
    record = fought("field-of-honour")
    page = analysis_page(made_up([0.5], [None]), report_of(record, refight(record)), 0.1)
    assert page.drawn == "field-of-honour"
    told = Items([Item("", ["play ", Card("KH"), " swap"])])
    html = to_html(page._replace(blocks=[told]))
    assert html.count('class="pc"') == html.count('aria-label="king of hearts"') == 1
    assert '<span class="card cardH">K♥</span>' in to_html(page._replace(blocks=[told], drawn=""))


def test_choices_and_luck_make_up_the_whole_way() -> None:
    """From the first chance to the result: own choices, the others' and luck, with their doubts."""
    verdicts: list[Verdict | None] = [
        Verdict([0.5, 0.5], [0.6, 0.4], [0.03, 0.03], "", 0.0, 0.0),
        Verdict([0.6, 0.4], [0.3, 0.7], [0.04, 0.04], "", 0.0, 0.0),
        None,
    ]
    found = made_up([0.5, 0.6, 1.0], verdicts)
    assert found.choices(0, [0]) == pytest.approx(0.1)
    assert found.choices(0, [1]) == pytest.approx(-0.3)
    assert found.luck(0) == pytest.approx(0.5 - 0.1 + 0.3)
    assert [found.luck_after(at, 0) for at in range(3)] == pytest.approx([0.0, 0.7, 0.0])
    assert found.choices_doubt(0, [0, 1]) == pytest.approx(0.05)
    assert found.luck_doubt(0) == pytest.approx((0.05**2 + 0.25 / 100) ** 0.5)


def green_analysis(rules: str, seed: int, all_seeing: bool = False, most: int = 1000) -> Analysis:
    """Return the analysis of a battle in which all choose at random, and so blunder."""
    record = fought(rules, seed, commander="green")
    return analyse_record(record, Serial(), depth=Depth(battles=10, positions=most, all_seeing=all_seeing))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize(("all_seeing", "most"), [(False, 6), (True, 4)])
def test_the_parts_of_every_analysis_make_up_its_whole(rules: str, all_seeing: bool, most: int) -> None:
    """Of each side: move by move, and in sum; and what is told as given away is one of the parts."""
    found = green_analysis(rules, 3, all_seeing, most)
    sides = range(len(found.record.sides))
    for seat in sides:
        chances = [position.chances[seat].share for position in found.positions]
        moves = [at for at, _ in enumerate(chances[:-1])]
        for at in moves:
            parts = found.choice(at, seat) + found.luck_after(at, seat)
            assert chances[at] + parts == pytest.approx(chances[at + 1])
        assert sum(found.choices(seat, [by]) for by in sides) == pytest.approx(found.choices(seat, sides))
        assert sum(found.choice(at, seat) for at in moves) == pytest.approx(found.choices(seat, sides))
        assert sum(found.luck_after(at, seat) for at in moves) == pytest.approx(found.luck(seat))
        assert chances[0] + found.choices(seat, sides) + found.luck(seat) == pytest.approx(chances[-1])
    for at, position in enumerate(found.positions[:-1]):
        assert sum(found.choice(at, seat) for seat in sides) == pytest.approx(0)
        assert position.gave_away == pytest.approx(-found.choice(at, position.side))
        assert position.gave_away <= position.chances[position.side].share + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_who_chooses_as_a_regular_does_gives_nothing_away(rules: str) -> None:
    """If a regular would have made the same choice with any hidden cards, the choice reveals nothing."""
    found = analyse_record(fought(rules, 2), Serial(), depth=Depth(battles=8, positions=8))
    same = 0
    for position in found.positions[:-1]:
        verdict = position.verdict
        assert verdict is not None
        if not any(verdict.doubts):
            same += 1
            assert verdict.before == verdict.after
            assert not position.is_blunder(0.0)
    assert same


@pytest.mark.slow
def test_no_side_gives_away_in_sum_what_it_did_not_have() -> None:
    """Whose chance was nought move after move did not blunder there, though another choice had won."""
    found = analyse_record(fought("wargame", 4), Serial(), depth=Depth(battles=10, positions=16))
    hopeless = [position for position in found.positions[:-1] if not position.chances[position.side].share]
    assert any(position.is_missed(0.5) for position in hopeless)
    assert not any(position.is_blunder(0.01) for position in hopeless)


@pytest.mark.slow
def test_all_formats_tell_the_same(sh: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers add up: first, own choices, the others' choices and luck make last."""
    path = tmp_path / "record.toml"
    path.write_text(dumps_record(fought(seed=2, commander="green")), encoding="utf-8")
    found = analyse_record(
        read_record(tomllib.loads(path.read_text(encoding="utf-8"))), Serial(), depth=Depth(battles=20)
    )
    monkeypatch.setattr("cardbattle.cli.commands.analysis.analyse_record", lambda *settings: found)
    command = ["analyse", str(path), "-n", "20", "--jobs", "1", "-q"]
    told = {form: sh(*command, "--format", form).out for form in ("text", "plain", "json", "html")}
    table = json.loads(told["json"])
    lines = [line for line in told["plain"].splitlines() if line.startswith("Luck and skill")]
    assert len(lines) == len(table["sides"]) == 2
    for line, (key, side) in zip(lines, table["sides"].items(), strict=True):
        words = line.partition(": ")[2]
        name, _, facts = words.partition(": ")
        assert name == key
        numbers = [int(number) for number in re.findall(r"(?<!\+- )[-+]?\b\d+\b(?! blunder)", facts)]
        doubts = [int(number) for number in re.findall(r"\+- (\d+)", facts)]
        first, last, own, *blunders, others, luck = numbers
        assert first + own + others + luck == last
        assert not blunders or sum(blunders) == own
        other = next(each for each in table["sides"] if each != key)
        exact = [side["choices"][key], side["choices"][other], side["luck"]]
        assert [own, others, luck] == pytest.approx([100 * part for part in exact], abs=1.5)
        assert bool(blunders) == bool(side["blunders"])
        exact = [side["choices_doubt"][key], side["choices_doubt"][other], side["luck_doubt"]]
        assert doubts == pytest.approx([200 * doubt for doubt in exact], abs=0.51)
        assert facts in told["html"].replace("&#39;", "'")
        assert facts in " ".join(told["text"].split())
    wrongs = [line for line in told["plain"].splitlines() if "% (+-" in line and "became" in line]
    assert len(wrongs) == len(table["blunders"]) > 0
    assert told["html"].count("gave away") == told["text"].count("gave") == len(wrongs) + 1
    assert all(
        re.search("what (each|that) side knew", " ".join(told[form].split()))
        for form in told
        if form != "json"
    )


@pytest.mark.slow
def test_a_resignation_is_a_choice() -> None:
    """What a side gave up by it is its own doing, no luck."""
    record = fought("wargame")
    moves = [*record.moves[:30], f"{record.moves[30].split()[0]} resign"]
    table = {key: value for key, value in record.table.items() if key not in ("checks", "digest", "seed")}
    resigned = read_record(table | {"fought": "table", "moves": moves})
    *_, decision, end = moments(resigned)
    assert decision.texts[decision.chosen] == "resign"
    assert end.battle.outcome().reason == "resigned"
    position = analysing.evaluate_position(resigned, decision, 10, True)
    assert position.verdict is not None
    assert position.verdict.after[position.side] == 0
    assert position.gave_away == position.chances[position.side].share


def test_moves_are_known_however_they_were_written() -> None:
    """An umpire's record may have other letters and the cards of a pair the other way round."""
    record = fought()
    typed = [move.upper().replace("10", "T") for move in record.moves]
    typed = [f"{move.split()[0].lower()} {move.split(' ', 1)[1]}" for move in typed]
    assert typed != record.moves
    other = moments(record._replace(moves=typed, fought="table"))
    assert [moment.chosen for moment in other] == [moment.chosen for moment in moments(record)]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=6), st.integers(-2, 2))
def test_rounded_parts_make_up_the_whole(shares: list[float], more: int) -> None:
    """And none is further from the truth than the whole demands."""
    whole = round(100 * sum(shares)) + more
    rounded = shown.adding_up(shares, whole)
    assert sum(rounded) == whole
    furthest = max(abs(100 * share - part) for share, part in zip(shares, rounded, strict=True))
    assert furthest <= 1 + abs(more)


def test_positions_are_spread_over_a_long_battle() -> None:
    """The first and the last are among them, each once."""
    for count, most in ((1, 2), (2, 2), (100, 7), (41, 40), (40, 40)):
        spread = spread_out(count, most)
        assert spread[0] == 0
        assert spread[-1] == count - 1
        assert len(spread) == len(set(spread)) == min(count, most)


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    """Write a record to disk."""
    path = tmp_path / "record.toml"
    path.write_text(dumps_record(fought()), encoding="utf-8")
    return path


@pytest.mark.slow
def test_analyse_prints_a_chart_and_what_turned_the_battle(sh: Shell, record_file: Path) -> None:
    """In the terminal's letters, within its width."""
    done = sh("analyse", str(record_file), "-n", "10", "--jobs", "1")
    assert done.code == 0, done.err
    assert "100%" in done.out
    assert "Turning points" in done.out
    assert "Luck and skill" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


@pytest.mark.slow
def test_analyse_writes_one_page_without_script_or_network(
    sh: Shell, record_file: Path, tmp_path: Path
) -> None:
    """The chart is a picture in the page."""
    page = tmp_path / "chances.html"
    done = sh("analyse", str(record_file), "-n", "10", "-o", str(page), "--jobs", "1")  # a page by its name
    assert done.code == 0, done.err
    html = page.read_text(encoding="utf-8")
    assert html.count("<polyline") == 2
    assert not re.search(r"<script|https?://|src=|@import", html)


@pytest.mark.slow
def test_a_quick_analysis_has_no_turning_points(
    sh: Shell, record_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program first says how long an analysis takes; --quick simulates fewer battles."""
    monkeypatch.setattr(estimate, "MEASURING", 0.0)
    monkeypatch.setattr(estimate, "WORTH_ANNOUNCING", 0.0)
    monkeypatch.setattr(output, "LINE_SECONDS", 0.0)
    done = sh("analyse", str(record_file), "--quick", "--positions", "2", "--jobs", "1")
    assert "20 battles" in done.out and "Turning points" not in done.out
    assert done.err.splitlines()[:2] == ["about 10 seconds left", "1 of 2 positions"]
    table = json.loads(sh("analyse", str(record_file), "--quick", "-n", "10", "--json", "-j", "1").out)
    assert (table["battles"], table["turning_points"]) == (10, None)
    whole = sh("analyse", str(record_file), "-n", "10", "--positions", "2", "--jobs", "1")
    assert whole.err.splitlines()[0] == "about 10 seconds left; --quick takes less time"


@pytest.mark.slow
def test_analyse_as_json(sh: Shell, record_file: Path) -> None:
    """Every position with the chance and interval of each side."""
    done = sh("analyse", str(record_file), "-n", "10", "--json", "--jobs", "1", "--all-seeing")
    table = json.loads(done.out)
    assert table["schema"] == 1
    assert table["all_seeing"] is True
    assert len(table["positions"]) == table["decisions"] + 1
    assert set(table["positions"][0]["chances"]["york"]) == {"count", "share", "low", "high"}


@pytest.mark.slow
def test_results_are_saved(
    sh: Shell, record_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run prints the same without counting, unless the cache or the code of the rules changed."""
    folder = tmp_path / "cache" / "analyses"
    few = ("-n", "10", "--positions", "2", "-j", "1", "-q")
    runs = (few, (*few, "--at", "move 3", "--instead", "place 4S"))
    printed = [sh("analyse", str(record_file), *options).out for options in runs]
    assert all(printed) and not folder.exists()  # no folder can be made in tests
    monkeypatch.setenv("CARDBATTLE_CACHE", str(folder.parent))
    assert [sh("analyse", str(record_file), *options).out for options in runs] == printed
    [file] = folder.iterdir()
    content = file.read_text(encoding="utf-8")
    assert str(fought().seed) not in re.findall(r"\d+", content) and "regular" not in content
    if os.name != "nt":
        assert folder.stat().st_mode & 0o077 == 0
    names = ("analyse_record", "turning_points", "sample_curve")
    with monkeypatch.context() as patched:
        for name in names:
            patched.setattr(f"cardbattle.cli.commands.analysis.{name}", None)
        assert [sh("analyse", str(record_file), *options).out for options in runs] == printed
        patched.setattr(analysis_cache, "code_digest", lambda rules: "changed")
        assert "unexpected failure" in sh("analyse", str(record_file), *few).err


def test_old_and_damaged_results_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the newest files are kept, and other files in the folder stay."""
    monkeypatch.setenv("CARDBATTLE_CACHE", str(tmp_path))
    monkeypatch.setattr(analysis_cache, "MOST_FILES", 2)
    folder = tmp_path / "analyses"
    folder.mkdir()
    (folder / "notes.txt").touch()
    for number in range(3):
        (folder / f"{number}.json").touch()
        os.utime(folder / f"{number}.json", (number, number))
    cache = AnalysisCache(fought())
    assert cache.turning_points(list) == []
    name = f"{cache.digest.removeprefix('sha256:')}.json"
    assert {path.name for path in folder.iterdir()} == {"notes.txt", "2.json", name}
    content = (folder / name).read_text(encoding="utf-8")
    for text in ("", "[" * 9999, content.replace(",[]]", ",1]")):
        (folder / name).write_text(text, encoding="utf-8")
        assert cache.turning_points(list) == []
        assert (folder / name).read_text(encoding="utf-8") == content != text


def test_results_of_a_campaign_are_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turning points that the campaign counted for its umpire are not counted again."""
    monkeypatch.setenv("CARDBATTLE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "campaign.toml").touch()
    record, path = fought(), tmp_path / "records" / "ford.toml"
    path.parent.mkdir()
    path.write_text(dumps_record(record), encoding="utf-8")
    cache = AnalysisCache(record, str(path))
    point = TurningPoint(1, 2, 3, 0, 400, 600, "the reveal")
    assert [cache.turning_points(result) for result in (lambda: [point], list)] == [[point], [point]]
    assert not (tmp_path / "cache").exists()
    counts = CountCache(str(tmp_path), chance_cache.NAME)
    counts.table.clear()
    counted = chance_cache.CountedBattle(turning_points.Curve([], [point._replace(step=4)], 10), [0.5])
    counts.put(f"{cache.digest} umpire", chance_cache.VERSION, counted)
    counts.write()
    assert cache.turning_points(list) == [point._replace(step=4)]


def test_a_changed_record_is_refused(sh: Shell, record_file: Path) -> None:
    """Nothing is counted from a record that does not fit itself."""
    text = record_file.read_text(encoding="utf-8")
    record_file.write_text(re.sub(r"score = \d+", "score = 77", text, count=1), encoding="utf-8")
    done = sh("analyse", str(record_file), "-n", "10")
    assert done.code == 3
    assert "changed after it was written" in done.err


def from_a_table(rules: str = "warmonger", seed: int = 3) -> Record:
    """Return a battle of which only the necessary cards of each pile are known."""
    house = {"armistice": 6} if rules == "warmonger" else {}
    plan = read_battle(bare_battle(rules, ["york", "lancaster"]) | {"house": house})
    table = fight_battle(plan._replace(seed=seed))[0].table
    plain = {key: value for key, value in table.items() if key not in ("checks", "digest", "seed")}
    deal = plain["deal"]
    assert isinstance(deal, dict)
    for known in range(1, 53):
        fewer = {pile: cards[:known] if isinstance(cards, list) else cards for pile, cards in deal.items()}
        record = read_record(plain | {"fought": "table", "deal": fewer})
        try:
            refight(record)
        except ReplayMismatch:
            continue
        return record
    raise AssertionError("no number of known cards is enough")


def test_the_moments_of_a_table_are_those_at_which_somebody_chose() -> None:
    """An answer that need not have been written down is no moment; the next move is another side's."""
    record = from_a_table("field-of-honour", 26)
    *decisions, end = moments(record)
    for moment in decisions:
        assert moment.move.split()[0] == record.setup.seats[moment.battle.side]
        assert moment.move.split(" ", 1)[1] == moment.texts[moment.chosen]
    assert end.battle.side == NOBODY


def test_what_a_choice_lost_against_best_play_is_told_exactly() -> None:
    """With four cards best play lays the lowest; an ace laid first is worth a sixth, so a third is lost."""
    hands = {
        "york": {"commander": "orders", "orders": ["commit A"], "then": "green"},
        "lancaster": {"commander": "orders", "orders": ["commit J"], "then": "green"},
    }
    cards = [{**side, "cards": ["J", "Q", "K", "A"]} for side in hands.values()]
    table: dict[str, object] = {
        "rules": "strategy-war",
        "seed": 1,
        "house": {"rounds": 4},
        "sides": dict(zip(hands, cards, strict=True)),
    }
    record = fight_battle(read_battle(table))[0]
    found = analyse_record(record, Serial(), depth=Depth(battles=10))
    first, second = (position.exact for position in found.positions[:2])
    assert first == ("commit J", 0.5, 0.166667)
    assert second == ("commit J", 0.5, 0.5)
    assert found.lost_exactly()[0].made == 0
    assert 0 not in [position.made for position in found.lost_exactly(0.34)]
    page = to_plain(analysis_page(found, report_of(record, refight(record)), 0.1))
    title = "Against best play, known exactly (choices that lost 10% or more)"
    choice = f"{title}: Round 1 of 4, move 1: york's commit A was worth 17%"
    assert f"{choice}; commit J was worth 50%, 33% more" in page
    assert title not in to_plain(
        analysis_page(made_up([0.5], [None]), report_of(fought(), refight(fought())), 0.1)
    )


@pytest.mark.slow
@pytest.mark.parametrize("all_seeing", [False, True])
@pytest.mark.parametrize("rules", ["field-of-honour", "warmonger", "warfare-tactics"])
def test_a_record_with_unknown_cards_is_analysed(rules: str, all_seeing: bool) -> None:
    """The simulations continue with random cards in place of the unseen cards."""
    analysis = analyse_record(from_a_table(rules), Serial(), depth=Depth(2, all_seeing, 3))
    assert len(analysis.positions) == 3


def test_the_plain_form_has_one_fact_per_line() -> None:
    """A line for each position and each finding."""
    record = fought()
    found = analyse_record(record, Serial(), depth=Depth(battles=10, positions=4))
    report = report_of(record, refight(record))
    lines = to_plain(shown.analysis_page(found, report, 0.1)).splitlines()
    assert sum(line.startswith("after move ") for line in lines) == 4
    assert sum(line.startswith("Luck and skill") for line in lines) == 2


@pytest.mark.slow
def test_a_tale_is_analysed_on_request(sh: Shell, record_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is below the tale, in every format, but not with a part of the tale or for one side."""
    found = analyse_record(fought(), Serial(), depth=Depth(battles=5))
    monkeypatch.setattr("cardbattle.cli.commands.analysis.analyse_record", lambda *settings: found)
    assert "Turning points" not in sh("replay", str(record_file)).out
    done = sh("replay", str(record_file), "--analyse")
    assert done.code == 0, done.err
    assert done.out.index("Space 5") < done.out.index("Turning points")
    for more in (["--for", "york"], ["--from", "3"], ["--step"]):
        assert sh("replay", str(record_file), "--analyse", *more).code == 2
    assert sh("resolve", "field-of-honour", "--analyse", "--series", "2").code == 2
    told = json.loads(sh("replay", str(record_file), "--analyse", "--json").out)
    assert told["analysis"]["positions"] and told["events"]

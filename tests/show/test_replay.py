"""A battle step by step: what each step says, and which cards it marks on the field."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest
from markupsafe import Markup

import cardbattle
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import STORY, TALE, Block, Card, Grid, Line, Name
from cardbattle.rules import RULE_SETS
from cardbattle.show.battle_text import blocks_for, names_of, said
from cardbattle.show.board_changes import NEW, TAKEN, PlaceChange, cards_of, field_changes
from cardbattle.show.document import BattleReport, Document
from cardbattle.show.pages.odds import odds_page
from cardbattle.show.replay import Replay, replay_of
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers import replay_html
from cardbattle.show.writers.battle_html import BattleHtml
from cardbattle.show.writers.html import to_html
from cardbattle.show.writers.replay_html import replay_facts, turn_html
from cardbattle.simulation.turning_points import Curve, TurningPoint
from cardbattle.story.story import tell_story
from tests.show.test_packing import unpack
from tests.show.test_show import BATTLES

OLD_SPADE, OLD_HEART, CLUB = Card("9S"), Card("9H"), Card("2C")


@cache
def replay(rules: str, detail: int = TALE) -> Replay:
    """Return the replay of a seeded battle as everybody saw it."""
    data = {"format": 1, "id": "shrewsbury", "rules": rules, "seed": 1403, **BATTLES[rules]}
    record, referee = fight_battle(read_battle(data))
    return replay_of(record, report_of(record, referee, NOBODY), detail)


def field_of(first: list[Card], second: list[Card]) -> Grid:
    """Return a field of two sides with one place."""
    return Grid([["space"], ["1"]], [[[Name(0)], [*first] or ["-"]], [[Name(1)], [*second] or ["-"]]])


def grids(field: Sequence[Block]) -> list[Grid]:
    return [block for block in field if isinstance(block, Grid)]


def cards_on(field: Sequence[Block]) -> Counter[Card]:
    """Count the cards of all grids."""
    return Counter(cards_of(*(cell for grid in grids(field) for row in grid.rows for cell in row)))


def test_a_card_that_left_the_field_is_gone_from_its_place() -> None:
    before, after = field_of([OLD_SPADE, CLUB], [OLD_HEART]), field_of([CLUB], [OLD_HEART])
    assert field_changes([before], [after]) == {(0, 0, 1): PlaceChange([""], [OLD_SPADE])}


def test_a_card_of_the_other_side_is_taken_and_not_gone() -> None:
    before, after = field_of([OLD_SPADE], [OLD_HEART]), field_of([OLD_HEART], [])
    changes = field_changes([before], [after])
    assert changes == {(0, 0, 1): PlaceChange([TAKEN], [OLD_SPADE]), (0, 1, 1): PlaceChange([], [])}


def test_equal_cards_of_both_sides_are_different_cards() -> None:
    before, after = field_of([OLD_SPADE], [OLD_SPADE]), field_of([OLD_SPADE], [])
    assert field_changes([before], [after]) == {(0, 1, 1): PlaceChange([], [OLD_SPADE])}


def test_a_card_in_a_sentence_is_new_for_the_side_named_before_it() -> None:
    before = Line(["Discarded by ", Name(0), ": ", CLUB, "; by ", Name(1), ": none."], "X-1")
    after = Line(["Discarded by ", Name(0), ": ", CLUB, "; by ", Name(1), ": ", CLUB, "."], "X-1")
    assert field_changes([before], [after]) == {(0, -1, -1): PlaceChange(["", NEW], [])}


def test_the_first_field_has_no_changes() -> None:
    assert field_changes([], [field_of([CLUB], [])]) == {}


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_marks_account_for_every_card_that_came_or_left(rules: str) -> None:
    steps = replay(rules).steps
    assert steps[0].changes == {}
    for before, step in pairwise(steps):
        gone = Counter(card for change in step.changes.values() for card in change.gone)
        if len(grids(before.field)) == len(grids(step.field)):
            assert gone == cards_on(before.field) - cards_on(step.field)
        for (number, row, column), change in step.changes.items():
            block = step.field[number]
            parts = block.rows[row][column] if isinstance(block, Grid) else block.parts
            assert len(change.marks) == len(cards_of(parts))


@pytest.mark.parametrize(
    ("rules", "steps"),
    [("field-of-honour", 2), ("wargame", 3), ("warfare-tactics", 1), ("strategy-war", 0), ("warmonger", 0)],
)
def test_the_deployment_ends_before_the_first_fight(rules: str, steps: int) -> None:
    assert replay(rules).deployment == steps


def test_a_deployment_says_what_was_placed() -> None:
    """The cards of the first sentences are those of the field, from left to right."""
    first = replay("wargame").steps[0]
    (grid,) = grids(first.field)
    lines = [block for block in first.happened if isinstance(block, Line)]
    texts = [said(line.parts, ["Brown", "Green"]) for line in lines]
    for row, name in ((0, "Brown"), (2, "Green")):
        cards = " ".join(cell[0].text for cell in grid.rows[row][1:] if isinstance(cell[0], Card))
        assert f"{name} places {cards}." in texts


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_a_story_has_the_same_steps_with_their_sentences(rules: str) -> None:
    assert [step.happened for step in replay(rules, STORY).steps] == [
        step.happened for step in replay(rules).steps
    ]


def page_with_replay(rules: str, **battle: object) -> str:
    """Return the page of a seeded battle for the umpire."""
    data = {"format": 1, "id": "b", "rules": rules, "seed": 1403, **BATTLES[rules], **battle}
    record, referee = fight_battle(read_battle(data))
    report = report_of(record, referee, None)
    return to_html(Document("b", [BattleReport(report, TALE, replay=lambda: replay_of(record, report))], {}))


def test_a_link_skips_the_deployment() -> None:
    page = page_with_replay("wargame")
    assert page.count('<p class="skip"><a href="#step=4">') == 3
    assert re.search(r"<s class=S>\d+</s>", page)  # a card has just left


def test_a_turning_point_has_the_change_and_what_happened() -> None:
    shown = replay("field-of-honour")
    turn = TurningPoint(3, 0, 0, 1, 912, 553, "space 1, the reveal")
    text = turn_html(turn, shown, BattleHtml(["York", "Kent"], "field-of-honour", Deck())).striptags()
    lines = [block for block in shown.steps[2].happened if isinstance(block, Line)]
    happened = said([part for line in lines for part in line.parts], ["York", "Kent"], True)
    assert text.startswith("step 3 (space 1, the reveal): Kent from 91% to 55%. ")
    assert text.removesuffix(".")[-20:] in happened


def test_only_the_last_step_has_the_result_the_turning_points_and_the_next_battle() -> None:
    turn = TurningPoint(3, 0, 0, 1, 912, 553, "space 1, the reveal")
    shown = replay("field-of-honour")._replace(curve=Curve([], [turn], 128))
    ending = ["York wins", '<a class="to" href="#step=3">step 3</a>', "Next battle"]
    writer = BattleHtml(["York", "Kent"], "field-of-honour", Deck())
    facts = replay_facts(shown, writer, 0, Markup(ending[0]), Markup(ending[2]))
    *earlier, last = str(facts["steps"]).split('<div class="step"')
    assert all(part in last and part not in "".join(earlier) for part in ending)


@pytest.mark.parametrize(("rules", "words"), [("field-of-honour", "held by"), ("wargame", "won")])
def test_the_last_field_names_the_holder_of_each_space_by_letters(rules: str, words: str) -> None:
    (grid,) = grids(replay(rules).steps[-1].field)
    (holders,) = [cells for label, *cells in grid.rows if label == [words]]
    assert rules == "wargame" or all(cell == ["nobody"] or isinstance(cell[0], Name) for cell in holders)
    last = page_with_replay(rules).split('<div class="step"')[-1].split("</table>")[0]
    letters = re.findall('<td><abbr class="side([01])" title="(.).*?">(.)</abbr>', last)
    assert [int(seat) for seat, *_ in letters] == [
        cell[0].seat for cell in holders if isinstance(cell[0], Name)
    ]
    assert all(first == letter for _, first, letter in letters)


def test_sides_whose_names_differ_only_by_an_article_have_different_letters() -> None:
    writer = BattleHtml(["Crown", "The Crown"], "field-of-honour", Deck())
    steps = str(replay_facts(replay("field-of-honour"), writer)["steps"])
    letters = set(re.findall('<abbr class="side[01]" title="(.*?)">(.*?)</abbr>', steps))
    assert letters == {("Crown", "C"), ("The Crown", "T")}


def counted_steps(log: str) -> list[int]:
    """Return the step of each heading and sentence of a compact log, as `replay.js` counts them."""
    steps, step = [], 0
    for tag, name in re.findall('<(h2|p)( id="step=[0-9]+"| class=c)?>', log):
        step = int(name[10:-1]) if "id" in name else step + (tag == "p" and not name)
        steps.append(step)
    return steps


@pytest.mark.slow
def test_a_packed_replay_has_all_steps_and_its_log_is_whole() -> None:
    """Without scripts, the log has each sentence."""
    sides = {f"side{n}": {"name": f"Regiment {n}", "commander": "green"} for n in range(1, 5)}
    page = page_with_replay("warmonger", sides=sides, seed=12)
    assert len(page.encode()) < 100_000  # the story, the chances and the links of a site take another 15 kB
    [packed] = re.findall('<script type="text/plain" class="packed">(.*?)</script>', page, re.DOTALL)
    assert unpack(packed).count('<div class="step">') == 162
    log = page[page.index('<div class="log">') : page.index("<footer")]
    assert [*dict.fromkeys(counted_steps(log))] == [*range(1, 163)]
    data = {"format": 1, "id": "b", "rules": "warmonger", "seed": 12, "sides": sides}
    record, referee = fight_battle(read_battle(data))
    report = report_of(record, referee, None)
    text = html.unescape(re.sub("<[^>]*>", "", page))
    lines = [block for block in blocks_for(report, TALE) if isinstance(block, Line)]
    assert all(said(line.parts, names_of(report), signs=True) in text for line in lines)


def test_a_very_long_log_is_packed_except_the_moments_of_the_story(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"format": 1, "id": "b", "rules": "warmonger", "seed": 1403, **BATTLES["warmonger"]}
    record, referee = fight_battle(read_battle(data))
    report = report_of(record, referee, None)
    shown = replay_of(record, report, TALE, tell_story(report))
    document = Document("b", [BattleReport(report, TALE, replay=lambda: shown)], {})
    monkeypatch.setattr(replay_html, "MOST_BYTES", 10_000)  # the packed steps fit, but not the log
    page = to_html(document)
    [packed] = re.findall('<script type="text/plain" class="packed-log">(.*?)</script>', page, re.DOTALL)
    assert [*dict.fromkeys(counted_steps(unpack(packed)))] == [*range(1, len(shown.steps) + 1)]
    links = {int(step) for step in re.findall('class="to" href="#step=([0-9]+)"', page)}
    places = {int(step) for step in re.findall('id="step=([0-9]+)"', page)}
    assert links == shown.linked_steps <= places
    assert len(places) < len(shown.steps) / 2


def test_odds_have_each_side_and_its_bar_in_its_colour() -> None:
    page = to_html(odds_page(cardbattle.odds("wargame", battles=20, seed=1)))
    for seat, name in enumerate(("Brown", "Green")):
        assert f'<bdi class="name side{seat}">{name}</bdi> won' in page
        assert f'<span class="bar side{seat}"' in page

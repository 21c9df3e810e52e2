"""A battle shown: in the terminal, as plain text, as Markdown and as a page."""

from __future__ import annotations

import io
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import Report, report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.battle import Event
from cardbattle.core.names import clean
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import (
    AUDIT,
    BRIEF,
    TALE,
    Block,
    Card,
    Grid,
    Heading,
    Line,
    Name,
    Part,
    Parts,
    Tale,
)
from cardbattle.rules import RULE_SETS, find
from cardbattle.show import battle_text as words
from cardbattle.show import cards
from cardbattle.show.console import RED, SIDES, console, fit_encoding, name_fitted
from cardbattle.show.document import BattleReport, Book, Document, Paragraph, Table, Title
from cardbattle.show.pages.battle import battle_title
from cardbattle.show.pages.reference import commanders_page
from cardbattle.show.writers.html import to_html
from cardbattle.show.writers.markdown import to_markdown
from cardbattle.show.writers.plain import tale_lines, to_plain
from cardbattle.show.writers.terminal import print_diff, to_terminal
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

# Small battles, fought by green commanders: they draw lots, so better tactics change no snapshot.
GREEN = {"commander": "green"}
BATTLES: dict[str, dict[str, object]] = {
    "wargame": {"sides": {"brown": GREEN, "green": GREEN}},
    "field-of-honour": {"sides": {"percy": {"name": "Harry Percy", **GREEN}, "stafford": GREEN}},
    "strategy-war": {
        "house": {"rounds": 5, "mode": "dark"},
        "sides": {"york": {"name": "House York", **GREEN}, "lancaster": GREEN, "percy": GREEN},
    },
    "warfare-tactics": {"sides": {"mike": GREEN, "mary": GREEN}},
    "warmonger": {"sides": {"rome": {"cards": 8, **GREEN}, "carthage": {"cards": 8, **GREEN}}},
}


@cache
def fought(rules: str, viewer: int | None = None) -> Report:
    """Return the seeded battle of a rule set as a seat, or the umpire, saw it."""
    data = {"format": 1, "id": "shrewsbury", "rules": rules, "seed": 1403, **BATTLES[rules]}
    record, referee = fight_battle(read_battle(data))
    return report_of(record, referee, viewer)


def page_of(report: Report, detail: int) -> Document:
    """Return a page with a battle on it."""
    return Document(battle_title(report), [BattleReport(report, detail)], {})


def book_of(rules: RuleSet) -> Document:
    """Return a page with the rules of a rule set on it."""
    return Document("rules", [Book(rules.rules_text())], {})


def in_terminal(report: Report, detail: int, width: int = 80, encoding: str = "utf-8") -> str:
    """Return what a terminal of this width and encoding gets, without colour."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    to_terminal(page_of(report, detail), console(stream, color=False, width=width))
    stream.flush()
    return raw.getvalue().decode(encoding)


def widths(shown: str) -> list[int]:
    """Return the width of every line in columns."""
    return [cell_len(line) for line in shown.splitlines()]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)


every_rule_set = pytest.mark.parametrize("rules", sorted(RULE_SETS))
every_detail = pytest.mark.parametrize("detail", [BRIEF, TALE, AUDIT], ids=["brief", "tale", "audit"])


@every_rule_set
@every_detail
def test_a_terminal_of_80_columns(rules: str, detail: int, snapshot: SnapshotAssertion) -> None:
    shown = in_terminal(fought(rules), detail)
    assert max(widths(shown)) <= 80
    assert "\x1b" not in shown
    assert not re.search(r" $", shown, re.MULTILINE)
    assert shown == snapshot


@every_rule_set
@pytest.mark.parametrize("width", [40, 200])
def test_a_terminal_of_40_or_200_columns(rules: str, width: int, snapshot: SnapshotAssertion) -> None:
    shown = in_terminal(fought(rules), TALE, width)
    assert max(widths(shown)) <= width
    assert shown == snapshot


@every_rule_set
def test_a_side_sees_its_own_tale(rules: str, snapshot: SnapshotAssertion) -> None:
    report = fought(rules, 1)
    shown = in_terminal(report, AUDIT)
    assert f"as {report.names[1]} saw it" in shown.replace("\n", " ")
    assert "1403" not in shown
    assert shown == snapshot


@every_rule_set
@every_detail
def test_plain_text_has_one_fact_per_line(rules: str, detail: int, snapshot: SnapshotAssertion) -> None:
    report = fought(rules)
    shown = to_plain(page_of(report, detail))
    facts = shown.splitlines()
    for seat, name in enumerate(report.names):
        assert f"Score: {name} {report.scores[seat]}" in facts
        assert f"Losses: {name} {report.losses[seat]}" in facts
    assert "Seed: 1403" in facts
    assert not re.search("[♠♥♦♣′─│]", shown)
    assert shown == snapshot


@every_rule_set
def test_markdown(rules: str, snapshot: SnapshotAssertion) -> None:
    assert to_markdown(page_of(fought(rules), TALE)) == snapshot


@every_rule_set
def test_markdown_without_suit_signs(rules: str) -> None:
    shown = to_markdown(page_of(fought(rules), AUDIT), signs=False)
    assert not re.search("[♠♥♦♣′]", shown)


def test_a_page(snapshot: SnapshotAssertion) -> None:
    assert to_html(page_of(fought("strategy-war"), AUDIT)) == snapshot


@pytest.mark.slow
@every_rule_set
@every_detail
def test_every_format_gives_credit_where_the_author_asks_for_it(rules: str, detail: int) -> None:
    report = fought(rules)
    for shown in (
        " ".join(in_terminal(report, detail).split()),
        to_plain(page_of(report, detail)),
        to_markdown(page_of(report, detail)),
        to_html(page_of(report, detail)),
    ):
        assert (report.rules.credit in shown) == report.rules.credit_reports


@every_rule_set
def test_every_format_tells_the_seed_and_the_scores(rules: str) -> None:
    report = fought(rules)
    for shown in (
        in_terminal(report, BRIEF),
        in_terminal(report, TALE),
        to_markdown(page_of(report, BRIEF)),
        to_html(page_of(report, BRIEF)),
    ):
        assert "1403" in shown
        for score in report.scores:
            assert re.search(rf"\b{score}\b", shown)


@every_rule_set
def test_brief_is_a_few_lines(rules: str) -> None:
    assert len(in_terminal(fought(rules), BRIEF).splitlines()) <= 6


def test_strategy_war_numbers_are_right() -> None:
    report = fought("strategy-war")
    table = re.findall(r"│ (\S.*?) +(\d+)  (?:(\d+/\d+) \(\d+%\)|none|all) ", in_terminal(report, TALE))
    assert [(name, int(score)) for name, score, _ in table] == list(
        zip(report.names, report.scores, strict=True)
    )
    assert sum(report.scores) > 0


class ScriptTale(Tale):
    """Tells events by the blocks that they carry."""

    def on_told(self, event: Event) -> list[Block]:
        """Return the blocks that the event brought along."""
        blocks = event.fields["blocks"]
        assert isinstance(blocks, list)
        return blocks


def scripted(*blocks: Block | tuple[int, Block], names: tuple[str, ...] = ("York", "Percy")) -> Report:
    """Return a report whose tale is these blocks, each with the number of moves made before it."""
    found = fought("strategy-war")
    tale = lambda self, setup: ScriptTale(self, len(names))  # noqa: E731
    members = {"key": "script", "tale": tale, "rules_text": lambda self: ""}
    rules = type("ScriptRules", (RuleSet,), members)()
    rules.name, rules.reasons, rules.credit = "Script", {"luck": "by luck"}, "Nobody"
    setup = found.setup.copy()
    setup.seats = ["york", "percy", "tudor"][: len(names)]
    made = [block if isinstance(block[0], int) else (0, block) for block in blocks]
    events = [(n, Event("told", 0, {"blocks": [block]}, {}, [], False)) for n, block in made]
    count = len(names)
    return found._replace(
        rules=rules,
        setup=setup,
        names=list(names),
        commanders=["regular"] * count,
        events=events,
        winners=[0],
        reason="luck",
        scores=[2, *[1] * (count - 1)],
        losses=["0", *["2/5"] * (count - 1)],
    )


def line(*parts: Part, rule: str = "X-1", detail: int = TALE) -> Line:
    """Return a line of a tale."""
    return Line(list(parts), rule, detail)


def heading(words: str, remark: str = "") -> Heading:
    """Return a heading of a tale."""
    return Heading([words], [remark] if remark else [])


def test_cards_are_drawn_with_signs_or_letters() -> None:
    report = scripted(
        line(Card("KS"), " ", Card("10H"), " ", Card("7D'"), " ", Card("RJ"), " ", Card("13"), ".")
    )
    assert "K♠ 10♥ 7♦′ RJ 13." in in_terminal(report, TALE)
    assert "KS 10H 7D' RJ 13." in in_terminal(report, TALE, encoding="cp1252")
    assert "KS 10H 7D' RJ 13." in in_terminal(report, TALE, encoding="ascii")
    assert "KS 10H 7D' RJ 13." in to_plain(page_of(report, TALE))
    assert "- K♠ 10♥ 7♦′ RJ 13." in to_markdown(page_of(report, TALE))
    assert '<span class="card cardH">10♥</span>' in to_html(page_of(report, TALE))
    assert '<span class="card cardS">K♠</span>' in to_html(page_of(report, TALE))


def test_red_suits_are_red_and_black_ones_have_no_colour() -> None:
    stream = io.StringIO()
    report = scripted(line(Card("KS"), " ", Card("10H"), "."))
    to_terminal(page_of(report, TALE), console(stream, color=True, width=80))
    assert "  K♠ \x1b[31m10♥\x1b[0m." in stream.getvalue()


def test_no_colour_is_brighter_than_paper() -> None:
    assert "yellow" not in "".join(SIDES)
    assert not {"color(7)", "color(15)", "color(11)", "color(3)"} & {*SIDES, RED}


def test_an_audit_puts_the_rule_numbers_in_a_column() -> None:
    long = "word " * 20
    shown = in_terminal(scripted(heading("A"), line(long), line("b.", rule="X-12", detail=AUDIT)), AUDIT, 40)
    assert "X-1   word word" in shown
    assert "\n      word word" in shown
    assert "X-12  b." in shown


def test_what_belongs_to_a_finer_detail_is_left_out() -> None:
    blocks = (heading("A"), line("step.", detail=AUDIT), heading("B"), line("told."))
    shown = in_terminal(scripted(*blocks), TALE)
    assert "told." in shown
    assert "step." not in shown
    assert "A ──" not in shown
    assert "A ──" in in_terminal(scripted(*blocks), AUDIT)


def test_a_span_of_moves_is_shown_with_its_headings() -> None:
    report = scripted(
        (0, heading("A")), (1, line("one.")), (2, line("two.")), (2, heading("B")), (3, line("three."))
    )
    assert words.blocks_for(report, TALE, (0, 0)) == [heading("A")]
    assert words.blocks_for(report, TALE, (2, 2)) == [line("two."), heading("B")]
    assert tale_lines(BattleReport(report, TALE, (2, 3))) == ["two.", "B", "three."]


def test_a_remark_stands_at_the_right_or_below() -> None:
    report = scripted(heading("Round 1", "36 points wait in the pot"), line("x."))
    assert re.search(r"^Round 1 ─+ 36 points wait in the pot$", in_terminal(report, TALE), re.MULTILINE)
    narrow = in_terminal(report, TALE, 30).splitlines()
    assert narrow[narrow.index("Round 1 " + "─" * 22) + 1] == "  36 points wait in the pot"


def test_a_name_keeps_its_card_beside_it() -> None:
    parts: Parts = []
    for _ in range(12):
        parts += [Name(0), " ", Card("QS"), ", ", Name(1), " ", Card("10H"), ", "]
    shown = in_terminal(scripted(line(*parts)), TALE, 37)
    assert not re.search(r"(York|Percy)$", shown.partition("╭")[0].partition(")\n\n")[2], re.MULTILINE)
    assert "\ue000" not in shown


def board(columns: int) -> Grid:
    """Return a grid with two rows of tens."""
    head: list[Parts] = [["Place"]]
    rows: list[list[Parts]] = [[[Name(0)]], [[Name(1)]]]
    for n in range(columns):
        head.append([str(n + 1)])
        for row in rows:
            row.append([Card("10")])
    return Grid(head, rows)


def test_a_grid_folds_by_columns_when_it_does_not_fit() -> None:
    report = scripted(board(13), line("after."))
    wide = in_terminal(report, TALE, 80)
    assert wide.count("Place") == 1
    narrow = in_terminal(report, TALE, 40)
    assert narrow.count("Place") == 2
    assert narrow.count("  York  10 10 10 10 10 10") == 2
    assert max(widths(narrow)) <= 40
    folded = [line.split()[1:] for line in narrow.splitlines() if line.startswith("  Place")]
    assert folded == [["1", "2", "3", "4", "5", "6", "7"], ["8", "9", "10", "11", "12", "13"]]


def test_a_grid_of_words_stands_to_the_left_and_wraps() -> None:
    grid = Grid(
        [["Space"], ["1"]], [[["Won by"], [Name(0), " at last after a long fight on the left flank"]]]
    )
    shown = in_terminal(scripted(grid), TALE, 40)
    assert "  Space   1\n  Won by  York at last after a long\n          fight on the left flank\n" in shown


def test_formats_without_pictures_leave_grids_out() -> None:
    assert "Place" not in to_plain(page_of(scripted(board(3), line("x.")), AUDIT))
    assert "| Place | 1 | 2 | 3 |\n| --- | --: | --: | --: |\n| York | 10 | 10 | 10 |" in to_markdown(
        page_of(scripted(board(3)), TALE)
    )


@pytest.mark.parametrize("width", [20, 40, 80])
def test_names_of_40_wide_characters_break_no_layout(width: int) -> None:
    names = ("織田" * 20, "今川" * 20)
    report = scripted(
        heading("A"), board(13), line(Name(0), " ", Card("KS"), " beats ", Name(1), "."), names=names
    )
    for detail in (BRIEF, TALE, AUDIT):
        shown = in_terminal(report, detail, width)
        assert max(widths(shown)) <= width
        assert re.sub(r"[\s│]", "", shown).count("織田" * 20) >= 1


LEDGER = Table(
    ["battle", "side", "expected", "got", "score", "mean score", "luck so far"],
    [
        ["mill", "織田" * 20, "0.50", "1.00", "5", "3.3", "+0.50"],
        ["mill", "York", "0.50", "0", "1", "3", "-0.5"],
    ],
    (2, 3, 4, 5, 6),
    labels=2,
)


@pytest.mark.parametrize(("width", "folds"), [(80, 1), (60, 2), (40, 3)])
def test_a_table_with_a_long_name_folds_seldom_and_each_part_says_whose_its_rows_are(
    width: int, folds: int
) -> None:
    page = io.StringIO()
    to_terminal(Document("Luck", [LEDGER], {}), console(page, False, width))
    shown = page.getvalue()
    assert max(widths(shown)) <= width
    parts = shown.split("\n\n")
    assert len(parts) == folds
    for part in parts:
        assert re.match(r"battle +side +\w", part)
        assert re.search(r"^mill +York +\S", part, re.MULTILINE)
        assert re.sub(r"[^織田]", "", part) == "織田" * 20


def test_a_name_that_the_stream_cannot_show_becomes_plain_letters_or_the_key() -> None:
    report = scripted(line(Name(0), " meets ", Name(1), "."), names=("Łódź", "今川義元"))
    assert "Lódz meets percy." in in_terminal(report, TALE, encoding="cp1252")
    assert "Lodz meets percy." in in_terminal(report, TALE, encoding="ascii")
    assert "Łódź meets 今川義元." in in_terminal(report, TALE)
    assert name_fitted("Who?", "who", "ascii") == "Who?"
    assert fit_encoding("≥ 3 … ☃", "ascii") == ">= 3 ... ?"


def test_why_several_win_is_said_of_several() -> None:
    sides = {key: {"name": f"The {key} riders", "commander": "green"} for key in ("red", "blue")}
    record, referee = fight_battle(read_battle({"rules": "field-of-honour", "seed": 2, "sides": sides}))
    assert record.table["reason"] == "more-spaces"
    assert re.search(
        r"The (red|blue) riders win: more spaces held\.", in_terminal(report_of(record, referee), BRIEF)
    )


def test_equal_names_are_told_apart_by_their_keys() -> None:
    report = scripted(line(Name(0), " meets ", Name(1), "."), names=("Percy", "Percy"))
    assert words.names_of(report) == ["Percy (york)", "Percy (percy)"]


HOSTILE = [
    "[red]x[/red]",
    "[link=http://x.example]y[/link]",
    ":skull:",
    "*x* **y** __z__ ~~w~~",
    "[a](http://b.example)",
    "![a](b)",
    "<b>x</b>",
    "<script>alert(1)</script>",
    "<!-- x",
    "a|b",
    "`x`",
    "# x",
    "- x",
    "12. x",
    "x &lt; &amp; &copy;",
    "https://x.example",
    "\\*",
    "{{ 7 * 7 }} {% raw %}",
    '" onmouseover="x',
    "    x",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_make_no_markup_in_a_terminal(name: str) -> None:
    report = scripted(line(Name(0), " wins."), names=(name, "Percy"))._replace(id=name, seed=name)
    stream = io.StringIO()
    to_terminal(page_of(report, TALE), console(stream, color=True, width=200))
    shown = re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue())
    assert "\x1b" not in shown
    assert f"  {name} wins." in shown
    assert f'battle {name}, seed "{name}"' in shown


@pytest.mark.parametrize("name", HOSTILE)
def test_names_make_no_markup_in_markdown(name: str) -> None:
    report = scripted(
        heading(name, name), line(Name(0), " wins."), Grid([[name], [name]], [[[Name(0)], [name]]])
    )
    report = report._replace(names=[name, "Percy"], id=name, seed=name, commanders=[name, name])
    for detail in (BRIEF, AUDIT):
        tokens = (
            MarkdownIt("commonmark")
            .enable(["table", "strikethrough"])
            .parse(to_markdown(page_of(report, detail)))
        )
        inline = [token for block in tokens for token in block.children or []]
        stressed = re.compile(r"X-1|Outcome|.* wins", re.DOTALL)
        assert {token.type for token in inline} <= {"text", "text_special", "strong_open", "strong_close"}
        assert not [token for token in tokens if token.type in ("html_block", "code_block", "fence", "hr")]
        assert {token.tag for token in tokens if token.type == "heading_open"} <= {"h2", "h3"}
        texts = ["".join(token.content for token in block.children) for block in tokens if block.children]
        seen = " ".join(name.split())
        assert texts[0] == f"{seen} against Percy"
        assert f"{seen} wins: by luck." in texts
        if detail == AUDIT:
            assert f"X-1 {seen} wins." in texts
            assert texts.count(seen) == 5  # two heads and two cells of the grid, one row of the outcome
        assert all(stressed.match(found) for found in texts if found.startswith("X-1"))


class Tags(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


PAGE_TAGS = "html head meta title style body main header h1 h2 p small span bdi section div footer strong"
TABLE_TAGS = "table thead tbody tr th td"
ATTRIBUTES = "lang charset http-equiv content name class scope tabindex"


@pytest.mark.parametrize("name", HOSTILE)
def test_names_make_no_markup_in_a_page(name: str) -> None:
    report = scripted(
        heading(name, name), line(Name(0), " wins."), Grid([[name], [name]], [[[Name(0)], [name]]])
    )
    report = report._replace(names=[name, "Percy"], id=name, seed=name, commanders=[name, name])
    tags = Tags()
    tags.feed(to_html(page_of(report, AUDIT)))
    assert tags.found <= {*PAGE_TAGS.split(), *TABLE_TAGS.split()}
    assert tags.attributes <= set(ATTRIBUTES.split())
    assert f"{name} wins." in tags.text


def test_a_page_needs_nothing_else() -> None:
    shown = to_html(page_of(fought("strategy-war"), TALE))
    assert "default-src 'none'; style-src 'unsafe-inline'" in shown
    assert not re.search(r"https?:|<script|<link|<img|url\(|@import|src=|\son\w+=", shown)


@pytest.mark.parametrize(
    "char", ["\x1b", "\x07", "\r", "\n", "\x9b", "\u202e", "\u2028", "\u200b", "\ue000", "\ufffe"]
)
def test_what_would_act_on_a_screen_is_shown_as_its_code(char: str) -> None:
    name = f"a{char}b"
    seen = f"a<{ord(char):02x}>b"
    assert clean(name) == seen
    report = scripted(heading(name, name), line(Name(0), f" meets {name}."), names=(name, "Percy"))
    report = report._replace(id=name, seed=name, commanders=[name, name])
    stream = io.StringIO()
    to_terminal(page_of(report, AUDIT), console(stream, color=False, width=200))
    for shown in (stream.getvalue(), to_plain(page_of(report, AUDIT))):
        assert char not in shown.replace("\n", "") if char != "\n" else f"{seen} meets {seen}." in shown
        assert f"{seen} meets {seen}." in shown
    assert char == "\n" or char not in to_markdown(page_of(report, AUDIT))
    assert char == "\n" or char not in to_html(page_of(report, AUDIT))


def test_a_draw_a_shared_victory_and_an_unknown_reason() -> None:
    report = scripted(line("x."), names=("York", "Percy", "Tudor"))
    shared = report._replace(winners=[0, 2])
    assert "York and Tudor win: by luck." in in_terminal(shared, BRIEF)
    joint = report._replace(names=["York", "Percy", "Tudor and Blount"])
    assert "York, Percy, and Tudor and Blount. Script" in in_terminal(joint, BRIEF)
    assert "York, and Tudor and Blount win" in in_terminal(joint._replace(winners=[0, 2]), BRIEF)
    assert "Tudor and Blount win" in in_terminal(joint._replace(winners=[2]), BRIEF)
    drawn = report._replace(winners=[], reason="fog")
    assert "The battle is drawn: fog." in in_terminal(drawn, BRIEF)
    assert "Result: The battle is drawn\nReason: fog\n" in to_plain(page_of(drawn, BRIEF))
    assert "York, Percy and Tudor. Script" in in_terminal(report, BRIEF)
    assert "York 2 points, losses none; Percy 1 point, losses 2/5 (40%)" in in_terminal(report, BRIEF)


def test_a_battle_without_seed_or_id() -> None:
    report = scripted(line("x."))._replace(seed=None, id="", viewer=1)
    assert "Script, as Percy saw it\n" in in_terminal(report, TALE)
    assert "eed" not in in_terminal(report, TALE) + to_plain(page_of(report, TALE)) + to_markdown(
        page_of(report, TALE)
    )
    assert "Seed" not in to_html(page_of(report, TALE))
    assert "Rules: Script\nSeen by: Percy\n" in to_plain(page_of(report, TALE))


@pytest.mark.parametrize(
    ("environment", "terminal", "pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_the_environment_decides_about_colour(
    environment: dict[str, str], terminal: bool, pipe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for stream, colored in ((Terminal(), terminal), (io.StringIO(), pipe)):
        to_terminal(page_of(scripted(line(Card("KH"))), TALE), console(stream))
        assert ("\x1b[" in stream.getvalue()) == colored


def test_a_command_line_has_the_last_word_about_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = Terminal()
    to_terminal(page_of(scripted(line(Card("KH"))), TALE), console(stream, color=False))
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("0", 80), ("wide", 80), ("3", 20), ("-5", 80)])
def test_columns_sets_the_width(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for term in ("xterm", "dumb"):
        monkeypatch.setenv("TERM", term)
        assert console(io.StringIO()).width == width
    assert console(io.StringIO(), width=33).width == 33


def test_a_stream_without_unicode_gets_no_boxes() -> None:
    shown = in_terminal(scripted(heading("A"), line("x.")), TALE, encoding="ascii")
    assert "\nA ------" in shown
    assert "| York wins: by luck." in shown


def test_losses_are_exact_and_in_hundredths() -> None:
    assert [words.losses_text(share) for share in ("0", "1", "1/3", "999/1000")] == [
        "none",
        "all",
        "1/3 (33%)",
        "999/1000 (99%)",
    ]


def test_is_red() -> None:
    assert [card for card in ("2H", "2D'", "RJ", "BJ", "2S", "J1", "Q", "9") if cards.is_red(card)] == [
        "2H",
        "2D'",
        "RJ",
    ]


class BookRules(RuleSet):
    """Rules that have only a text."""

    def rules_text(self) -> str:
        """Return a text with everything a rules page may have."""
        return (
            "# Script\n\nA game for *two*,\nby nobody.\n\n## The line\n\n- **XX-1** One **strong** word.\n"
            "- **XX-12** Write `play KH`, see [there](http://x.example): "
            + "word "
            * 20
            + "\n  and on.\n- plain item\n  - nested\n\n| a | b |\n|---|---|\n| 1 | two |\n\n"
            "```\nwinners = [1]\n\n# kept\n```\n"
        )


def in_rulebook(color: bool, width: int) -> str:
    """Return the rules above as a terminal shows them."""
    stream = io.StringIO()
    to_terminal(book_of(BookRules()), console(stream, color=color, width=width))
    return stream.getvalue()


def test_the_rules_in_the_terminal(snapshot: SnapshotAssertion) -> None:
    shown = in_rulebook(color=False, width=60)
    assert max(widths(shown)) <= 60
    assert "XX-1   One strong word.\nXX-12  Write `play KH`, see there: word" in shown
    assert "    winners = [1]\n\n    # kept\n" in shown
    assert shown == snapshot


def test_a_numbered_list_in_the_terminal_keeps_its_lines() -> None:
    text = f"1. One\n2. Two {'word ' * 9}\n   more\n12. Twelve\n\nNo. 3 is none.\n"
    stream = io.StringIO()
    to_terminal(Document("list", [Book(text)], {}), console(stream, color=False, width=40))
    words = "word word word word word word"
    assert stream.getvalue() == (
        f"1. One\n2. Two {words}\n   word word word more\n12. Twelve\n\nNo. 3 is none.\n"
    )


def test_the_rules_in_colour() -> None:
    shown = in_rulebook(color=True, width=60)
    assert re.search(r"^\x1b\[1mXX-1 *\x1b\[0m", shown, re.MULTILINE)
    assert "`" not in shown


@every_rule_set
@pytest.mark.parametrize("width", [40, 80, 200])
def test_every_rule_sets_rules_fit(rules: str, width: int) -> None:
    stream = io.StringIO()
    chosen = find(rules)
    to_terminal(book_of(chosen), console(stream, color=False, width=width))
    shown = stream.getvalue()
    assert max(widths(shown)) <= width
    assert "**" not in shown
    numbers = re.findall(rf"\*\*({chosen.code}-\w+)\*\*", chosen.rules_text())
    assert numbers
    assert all(re.search(rf"^{number}\b", shown, re.MULTILINE) for number in numbers)


def test_commanders_are_listed() -> None:
    stream = io.StringIO()
    to_terminal(commanders_page(), console(stream, color=False, width=60))
    assert re.search(r"^regular +plays by rules of thumb", stream.getvalue(), re.MULTILINE)
    assert max(widths(stream.getvalue())) <= 60


def test_a_diff_is_coloured_and_otherwise_left_alone() -> None:
    changes = "--- a\n+++ b\n@@ -1 +1 @@\n-x\t= 1\n+x\t= \x1b[31m2\n same " + "long " * 40 + "\n"
    piped, colored = io.StringIO(), io.StringIO()
    print_diff(changes, console(piped, color=False, width=40))
    print_diff(changes, console(colored, color=True, width=40))
    assert piped.getvalue() == changes.replace("\x1b", "<1b>")
    assert "\x1b[31m-x" in colored.getvalue()
    assert "\x1b[32m+x" in colored.getvalue()


def test_a_table_of_words() -> None:
    stream = io.StringIO()
    table = Table(["side", "won"], [["York", "7"], ["Percy", "12"]], [1])
    to_terminal(Document("won", [table], {}), console(stream, color=False))
    assert stream.getvalue() == "side   won\nYork     7\nPercy   12\n"


def test_a_crowd_under_one_kind_of_commander_is_told_in_one_word() -> None:
    report = fought("strategy-war")._replace(commanders=["regular"] * 4)
    assert words.commanders_text(report) == ["regular on every side"]
    mixed = report._replace(commanders=["green", "regular"])
    assert words.said(words.commanders_text(mixed), report.names) == "House York (green), Lancaster (regular)"


def test_an_html_page_without_a_heading_begins_with_its_name() -> None:
    assert "<h1>Vale: history</h1>" in to_html(Document("vale: history", [Paragraph("Nothing.")], {}))
    titled = to_html(Document("history", [Title("Vale: history")], {}))
    assert titled.count("<h1>") == 1 and "<h1>Vale: history</h1>" in titled


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--detail", "brief"], "The battle is drawn: equal points."),
        (
            ["--detail", "story"],
            "York and Lancaster had not a single point at the end, and so it was a draw.",
        ),
        (["--detail", "story", "--lang", "de"], "Unentschieden: Punktgleichheit."),
    ],
)
def test_a_victory_that_all_sides_share_is_called_a_draw(sh: Shell, options: list[str], text: str) -> None:
    """The record still names both sides as winners."""
    sides = ["--side", "york", "--side", "lancaster", "--seed", "s7"]
    done = sh("resolve", "strategy-war", *sides, *options, "-o", "draw.record.toml")
    assert text in " ".join(done.out.split())
    assert 'winners = ["york", "lancaster"]' in Path("draw.record.toml").read_text(encoding="utf-8")

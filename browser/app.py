"""The Python side of the page: each request is a method, its answer plain data and HTML.

It runs in a web worker and knows no browser API. Opened or pasted files are written to the working folder,
so that errors name them
as they would at a terminal.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import traceback
import warnings
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import cardbattle
from cardbattle.battles.advice import value_options
from cardbattle.battles.records.file_kinds import expect_kind, kind_of
from cardbattle.battles.records.reader_view import report_of, table_for
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.replay import refight, verify_by, verify_record
from cardbattle.battles.session_file import is_session, session_text
from cardbattle.campaign.seals.proof import unproven, verify_drawn
from cardbattle.campaign.seals.seals import SEALS_NAME, seals_text
from cardbattle.commanders import RANKS
from cardbattle.core.errors import Diagnostic
from cardbattle.core.options import CardList, OneOf, Option
from cardbattle.core.telling import DETAILS, TALE, Card
from cardbattle.files.errors import complaint
from cardbattle.files.toml import read_toml
from cardbattle.library import read_recorded
from cardbattle.show.battle_text import names_of
from cardbattle.show.cards import in_cards
from cardbattle.show.document import BattleReport, Book, Document, Paragraph
from cardbattle.show.pages.battle import battle_page, verify_page
from cardbattle.show.pages.odds import odds_page
from cardbattle.show.pages.play import lesson_page, option_values_page
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers.battle_html import BattleHtml
from cardbattle.show.writers.html import hand_fragment, scene_fragment, to_fragment

if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.core.telling import Parts

Answer = dict[str, object]
BATTLE = "battle.toml"
FOLDER = "campaign"
SEALS = re.compile(r"^\[\[slot\]\]", re.MULTILINE)  # by what files are told apart before they are read
OWN_CARDS = re.compile(r"^\[\[(?:card|robot|joker)\]\]", re.MULTILINE)


def facts() -> Answer:
    """Return what the form offers before Python is there: rule sets with their options, and commanders."""
    return {
        "commanders": {name: rank.words for name, rank in RANKS.items()},
        "rules": [rule_facts(rules) for rules in cardbattle.rule_sets()],
    }


def rule_facts(rules: RuleSet) -> Answer:
    """Return what the form offers of a rule set."""
    return {
        "key": rules.key,
        "name": rules.name,
        "credit": rules.credit,
        "sides": list(rules.default_sides),
        "fewest": rules.fewest,
        "most": rules.most,
        "house": [option_facts(word, option) for word, option in rules.house.items()],
        "options": [option_facts(word, option) for word, option in rules.options.items()],
    }


def option_facts(word: str, option: Option) -> Answer:
    """Return what the form offers of a house rule or a side option."""
    default = "" if option.default is None else option.write(option.default)
    return {
        "word": word,
        "kind": "numbers" if isinstance(option, CardList) and option.numbers else option.kind,
        "help": option.help,
        "expects": option.expects(),
        "default": default,
        "choices": option.choices if isinstance(option, OneOf) else [],
    }


class PageApp:
    """One page's work: the battle that is played, and the one whose odds are counted."""

    def __init__(self) -> None:
        self.session: cardbattle.Session | None = None
        self.at = -1  # the seat that looks at the page
        self.seen: dict[int, int] = {}  # how many events each seat was shown
        self.counting: Iterator[cardbattle.Odds] = iter(())
        self.seals = cardbattle.Seals()  # by which records are verified that are said to be sealed
        self.held: list[Record] = []  # the records that were held against them
        self.deck = Deck()  # of all that the page shows
        self.drawn = 0  # cards of it that the page has

    def call(self, request: str, arguments: str) -> str:
        """Carry out a request and return its answer, both as JSON; errors are an answer, too."""
        try:
            with warnings.catch_warnings(record=True) as remarks:
                warnings.simplefilter("always", cardbattle.Remark)
                answer: Answer = getattr(self, f"{request}_request")(**json.loads(arguments))
            if remarks:
                answer["remarks"] = [str(remark.message) for remark in remarks]
        except cardbattle.CardbattleError as error:
            answer = {"errors": complaints(error)}
        except Exception:
            answer = {"failure": traceback.format_exc(limit=-6)}
        if len(self.deck.drawn) > self.drawn:
            answer["deck"], self.drawn = self.deck.symbols(), len(self.deck.drawn)
        return json.dumps(answer)

    def page(self, document: Document) -> Answer:
        """Return a document as an answer without other content."""
        return {"html": self.fragment(document)}

    def fragment(self, document: Document) -> str:
        """Return a document as HTML, its headings a step lower: the page has the first."""
        return lower_headings(to_fragment(document, self.deck))

    def resolve_request(self, text: str, name: str = BATTLE) -> Answer:
        """Fight a battle file's battle."""
        return self.show_battle(cardbattle.resolve(write_working_file(name, text)))

    def tell_request(self, text: str, name: str, detail: str, side: str) -> Answer:
        """Show a record again, with the given detail, to the public or to one side."""
        return self.show_battle(cardbattle.replay(write_working_file(name, text)), detail, side)

    def verify_request(self, text: str, name: str, is_sealed: bool = False) -> Answer:
        """Fight a record again, and hold all it says against it, and it against the seals if it is sealed."""
        record = read_recorded(write_working_file(name, text))
        if is_sealed:
            self.held.append(record)
        check = verify_by(name, record, partial(verify_drawn, self.seals) if is_sealed else verify_record)
        return {**self.page(verify_page([check])), "is_sound": check.is_sound}

    def seals_request(self, files: Mapping[str, str]) -> Answer:
        """Read copies of published seals. Raises ReplayMismatch if two of them disagree."""
        paths = write_files(files, root_of(files), "")
        paths.sort(key=lambda path: len(seals_text(cardbattle.load_seals(path))))
        self.seals, self.held = cardbattle.load_seals(*paths), []
        return {}

    def unproven_request(self) -> Answer:
        """Say which slots of the seals were spent without a record that was verified by them."""
        sentences = unproven(self.seals, self.held)
        return self.page(Document("", [Paragraph(sentence) for sentence in sentences], {}))

    def rules_request(self, rules: str) -> Answer:
        """Return the numbered rules of a rule set."""
        chosen = cardbattle.find(rules)
        return self.page(Document(chosen.name, [Book(chosen.rules_text())], {}))

    def count_request(self, text: str, battles: int, name: str = BATTLE) -> Answer:
        """Begin to count the odds of a battle file's battle."""
        self.counting = cardbattle.growing_odds(write_working_file(name, text), battles=battles, every=0.3)
        return self.more_request()

    def more_request(self) -> Answer:
        """Count on for a moment, and return the odds so far; UsageError if all are counted."""
        odds = next(self.counting, None)
        if odds is None:
            raise cardbattle.UsageError("no odds are being counted; begin anew")
        is_done = odds.stopped != "interrupted"
        return {**self.page(odds_page(odds)), "battles": odds.battles, "is_done": is_done}

    def play_request(self, text: str, name: str = BATTLE) -> Answer:
        """Start a battle with a player, and return the first question."""
        return self.start_playing(cardbattle.play(write_working_file(name, text)))

    def go_on_request(self, text: str, name: str) -> Answer:
        """Go on with a battle that was left, and ask."""
        return self.start_playing(cardbattle.go_on(write_working_file(name, text)))

    def start_playing(self, session: cardbattle.Session) -> Answer:
        """Take up a battle, and ask."""
        self.session, self.at, self.seen = session, -1, {}
        return self.next_question()

    @property
    def current_battle(self) -> cardbattle.Session:
        """The current battle. Raises UsageError if there is none."""
        if self.session is None:
            raise cardbattle.UsageError("no battle is played; begin one, or open one that was left")
        return self.session

    def answer_request(self, text: str) -> Answer:
        """Answer for the seat that is asked, and ask again."""
        self.current_battle.answer(self.at, text)
        return self.next_question()

    def undo_request(self) -> Answer:
        """Take back the last answer of the seat that is asked, and ask again."""
        undone = self.current_battle.undo(self.at)
        self.seen[self.at] = min(self.seen.get(self.at, 0), len(self.current_battle.events(self.at)))
        return {**self.next_question(), "taken": undone}

    def next_question(self) -> Answer:
        """Return whom the battle asks and what, or how it ended."""
        session = self.current_battle
        if session.is_over:
            return {"is_over": True, **self.show_battle(session.record())}
        self.at = self.at if self.at in session.seats_to_answer else session.seats_to_answer[0]
        return {"is_over": False, "persons": len(session.persons), **self.seat_view()}

    def seat_view(self) -> Answer:
        """Return what the seat that is asked is shown: news, scene, hand, question, options."""
        session, seat = self.current_battle, self.at
        decision, report, rules = session.decision(seat), session.report(seat), session.rules
        lesson, names = rules.lesson(decision.view), names_of(report)
        hand, since = rules.hand(decision.view), self.seen.get(seat, 0)
        writer = BattleHtml(names, rules.key, self.deck)
        self.seen[seat] = len(report.events)
        news = Document("", [BattleReport(report, TALE, (since, 10**9))], {})
        return {
            "seat": seat,
            "name": names[seat],
            "rules": rules.name,
            "news": self.fragment(news),
            "scene": lower_headings(scene_fragment(rules.scene(decision.view), writer)),
            "hand": hand_fragment(hand, writer),
            "ask": lesson.ask if lesson else "Choose",
            "rule": lesson.rules[0] if lesson else "",
            "lesson": lesson.words if lesson else "",
            "options": [[text, option_html(text, hand, writer)] for text in decision.texts],
            "unoffered": decision.unoffered,
        }

    def why_request(self) -> Answer:
        """Return what the best options are worth, as far as the seat that is asked can know."""
        options = len(self.current_battle.decision(self.at).texts)
        return self.page(option_values_page(value_options(self.current_battle, self.at), options))

    def lesson_request(self) -> Answer:
        """Return the rules that apply to what is asked."""
        rules = self.current_battle.rules
        lesson = rules.lesson(self.current_battle.decision(self.at).view)
        return self.page(lesson_page(rules, lesson)) if lesson else self.rules_request(rules.key)

    def log_request(self) -> Answer:
        """Return all that happened, as the seat that is asked saw it."""
        return self.page(
            Document("", [BattleReport(self.current_battle.report(self.at), TALE, (0, 10**9))], {})
        )

    def keep_request(self) -> Answer:
        """Return the file of the battle that is played, from which it goes on."""
        return {
            "file": f"{self.current_battle.plan.id}.battle.toml",
            "text": session_text(self.current_battle),
        }

    def open_request(self, files: Mapping[str, str]) -> Answer:
        """Inspect dropped files: return their kind, and show a campaign."""
        main_file = next((name for name in sorted(files, key=len) if is_campaign(name)), "")
        if main_file:
            published = main_file.removesuffix("campaign.toml") + SEALS_NAME
            shown = self.show_campaign(write_campaign_files(files, main_file))
            return {**shown, "seals": [published] if published in files else []}
        cards = {name: text for name, text in files.items() if OWN_CARDS.search(text)}
        seals = {name: text for name, text in files.items() if SEALS.search(text)}
        write_files(cards, root_of(files), "")
        others = [name for name in files if is_toml(name) and name not in cards and name not in seals]
        if not others:
            alone = "sealed dice; open the records" if seals else "cards; open the battle"
            raise cardbattle.UsageError(f"there is nothing here but {alone} together with them")
        if seals or len(others) != 1:
            return {"kind": "record", "records": others, "seals": [*seals]}
        return self.kind_of_file(others[0], files[others[0]])

    def kind_of_file(self, path: str, text: str) -> Answer:
        """Return the kind of a dropped file. Raises InvalidInput if the page cannot use it."""
        source = read_toml(write_working_file(path, text))
        if is_session(source.data):
            return {"kind": "begun", "path": path, "name": source.name}
        kind = kind_of(source.data)
        if kind not in ("battle", "record"):
            expect_kind(source, "battle", "record")
            source.refuse([Diagnostic("this is no battle, no record and no campaign")])
        return {"kind": kind, "path": path, "name": source.name, "records": [path], "seals": []}

    def show_battle(self, record: Record, detail: str = "tale", side: str = "") -> Answer:
        """Return a finished battle as text, and its record as a file."""
        viewer = record.seats.index(side) if side else None
        report = report_of(record, refight(record), viewer)
        page = battle_page(report, DETAILS[detail], table_for(record, viewer))
        return {
            **self.page(page),
            "title": page.name,
            "file": f"{record.id}.toml",
            "text": dumps_record(record),
            "sides": dict(zip(record.seats, record.names, strict=True)),
        }

    def show_campaign(self, folder: str) -> Answer:
        """Return a campaign: its page, its history, and its pending battles as battle files."""
        from cardbattle.campaign.seals.sealed_draw import with_draw
        from cardbattle.campaign.storage import seal_slots, store
        from cardbattle.campaign.visibility.reader import UMPIRE, visible_to
        from cardbattle.show.pages.campaign.dashboard import campaign_page
        from cardbattle.show.pages.campaign.history import history_page

        ledger = store.load_ledger(folder)
        campaign = with_draw(store.load(folder), ledger).campaign
        visible = visible_to(campaign, ledger, UMPIRE)
        data = {"seals": seal_slots.seals_summary(campaign, ledger)}
        return {
            **self.page(campaign_page(visible, {}, data)),
            "kind": "campaign",
            "title": campaign.name,
            "map": map_html(visible, campaign),
            "history": self.fragment(history_page(visible, [*visible.entries_since()])),
            "pending": [[battle.id, *export_pending(campaign, battle)] for battle in campaign.pending],
        }


def map_html(visible_campaign: VisibleCampaign, campaign: Campaign) -> str:
    """Return the map of a campaign's site, or ""; an invalid drawing causes a remark.

    Links to pages of the site become plain text.
    """
    from cardbattle.site.book import SiteBook, drawing_of, unplaceable
    from cardbattle.site.pages import map_html
    from cardbattle.site.parts import Links

    try:
        book = SiteBook(visible_campaign, campaign, drawing_of(campaign))
    except cardbattle.CardbattleError as error:
        warnings.warn(f"the map cannot be shown: {error}", cardbattle.Remark, stacklevel=2)
        return ""
    if book.drawing and (lost := unplaceable(campaign, book.drawing)):
        warnings.warn(lost, cardbattle.Remark, stacklevel=2)
    drawn = map_html(book, book.turns[-1], Links(book, ""))
    return re.sub(r'<a href="[^"]*"', '<g role="img"', drawn).replace("</a>", "</g>")


def export_pending(campaign: Campaign, battle: Pending) -> tuple[str, str]:
    """Return a pending battle as a battle file and "", or "" and the reason why it cannot be fought."""
    from cardbattle.campaign.exchange.export_battle import export_text

    if campaign.draw is not None:
        return "", f"battle {battle.id} is drawn where the campaign is, as its dice are sealed"
    try:
        return export_text(campaign, battle), ""
    except cardbattle.InvalidInput as refused:
        return "", str(refused)


def option_html(text: str, hand: Parts, writer: BattleHtml) -> str:
    """Return an option as HTML, with a drawing if it names a card of the hand, such as `play KH redeploy`."""
    verb, _, argument = text.partition(" ")
    held = [part.text for part in hand if isinstance(part, Card)]
    for card, power in ((argument, ""), argument.rpartition(" ")[::2]):
        if card in held and (not power or power.islower()):
            drawn: Parts = [f"{verb} ", Card(card), f" {power}"]
            return writer.cell_html(drawn)
    parts: Parts = [*in_cards(text)]
    return writer.said(parts)


def complaints(error: cardbattle.CardbattleError) -> list[str]:
    """Return an error as at a terminal: each error with its line and a caret."""
    if isinstance(error, cardbattle.NeedsUmpire):
        return [conflict.text for conflict in error.conflicts]
    errors = error.errors if isinstance(error, cardbattle.InvalidInput) else [Diagnostic(str(error))]
    return ["\n".join(complaint(diagnostic)) for diagnostic in errors]


def write_working_file(name: str, text: str) -> str:
    """Lay a text out as a file of the working folder, and return its name."""
    safe = os.path.basename(name.replace("\\", "/")) or BATTLE
    with open(safe, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return safe


def is_campaign(name: str) -> bool:
    """Return True if a path is that of a campaign file."""
    return name.rpartition("/")[2] == "campaign.toml"


def is_toml(name: str) -> bool:
    """Return True if a path is that of a TOML file."""
    return name.lower().endswith(".toml")


def write_campaign_files(files: Mapping[str, str], main_file: str) -> str:
    """Lay a campaign's files out in a folder, and return that; what lies outside of its own is left.

    Cards of an owner's are laid out where its battles, taken up one by one, look for them, too.
    """
    shutil.rmtree(FOLDER, ignore_errors=True)
    root = main_file.removesuffix("campaign.toml")
    write_files(files, root, FOLDER)
    write_files({name: text for name, text in files.items() if OWN_CARDS.search(text)}, root, "")
    return FOLDER


def write_files(files: Mapping[str, str], root: str, folder: str) -> list[str]:
    """Lay files out in a folder as they lay under this root, and return their paths; none leaves it."""
    paths = []
    for name, text in files.items():
        parts = name.removeprefix(root).split("/")
        if name.startswith(root) and not {"", ".", ".."} & {*parts}:
            os.makedirs(os.path.join(folder, *parts[:-1]) or ".", exist_ok=True)
            paths.append(os.path.join(folder, *parts))
            with open(paths[-1], "w", encoding="utf-8", newline="") as file:
                file.write(text)
    return paths


def root_of(files: Mapping[str, str]) -> str:
    """Return the common folder of all files, with a final slash; "" if there is none.

    >>> root_of({"war/a.toml": "", "war/records/b.toml": ""}), root_of({"a.toml": "", "b.toml": ""})
    ('war/', '')
    """
    folder = os.path.commonpath([os.path.dirname(name) for name in files])
    return f"{folder}/" if folder else ""


def lower_headings(html: str) -> str:
    """Return HTML with headings a step lower.

    >>> lower_headings("<h1>York</h1><h2>Space 1</h2>")
    '<h2>York</h2><h3>Space 1</h3>'
    """
    return re.sub(r"<(/?)h([1-4])\b", lambda match: f"<{match[1]}h{int(match[2]) + 1}", html)

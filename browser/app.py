"""The Python side of the page: each request is a method; its answer is plain data and HTML.

It runs in a web worker and uses no browser API. Opened or pasted files are written to the working folder, so
that errors name them as at a terminal.
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
from time import monotonic
from typing import TYPE_CHECKING

import cardbattle
from cardbattle.battles.advice import value_options
from cardbattle.battles.records.file_kinds import expect_kind, kind_of
from cardbattle.battles.records.reader_view import report_of, table_for
from cardbattle.battles.records.record import dumps_record
from cardbattle.battles.records.replay import refight, verify_by, verify_record
from cardbattle.battles.records.what_if import decisions_of, fight_on, find_decision
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
from cardbattle.show.pages.what_if import what_if_page
from cardbattle.show.replay import replay_of
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers.battle_html import BattleHtml
from cardbattle.show.writers.html import hand_fragment, scene_fragment, to_fragment
from cardbattle.show.writers.table_html import TableHtml, option_keys
from cardbattle.simulation.turning_points import NO_CURVE, CurveSample, growing_curve
from cardbattle.story.story import tell_story

if TYPE_CHECKING:
    from cardbattle.battles.records.record import Record
    from cardbattle.battles.records.what_if import OtherBattle
    from cardbattle.campaign.state.model import Campaign, Pending
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.core.telling import Parts
    from cardbattle.show.replay import Replay
    from cardbattle.simulation.turning_points import Curve

Answer = dict[str, object]
BATTLE = "battle.toml"
CHANCES = CurveSample(battles=128, steps=33)
PATIENCE = 15.0  # seconds for a curve, after which no other round begins
SLICE = 0.3  # seconds of counting between two answers
FOLDER = "campaign"
SEALS = re.compile(r"^\[\[slot\]\]", re.MULTILINE)  # marks a seals file, before it is parsed
OWN_CARDS = re.compile(r"^\[\[(?:card|robot|joker)\]\]", re.MULTILINE)


def facts() -> Answer:
    """Return what the form needs before Python runs: rule sets with their options, and commanders."""
    return {
        "commanders": {name: rank.words for name, rank in RANKS.items()},
        "rules": [rule_facts(rules) for rules in cardbattle.rule_sets()],
    }


def rule_facts(rules: RuleSet) -> Answer:
    """Return what the form needs to know about a rule set."""
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
    """Return what the form needs to know about a house rule or a side option."""
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
    """The state of one open page: the battle in play, and the odds being counted."""

    def __init__(self) -> None:
        self.session: cardbattle.Session | None = None
        self.at = -1  # the seat whose view the page shows
        self.seen: dict[int, int] = {}  # number of events shown to each seat
        self.counting: Iterator[cardbattle.Odds] = iter(())
        self.seals = cardbattle.Seals()  # against which sealed records are verified
        self.sealed_records: list[Record] = []  # the records verified against these seals
        self.chances = ChanceCount()  # the chances that are being counted
        self.deck = Deck()  # the drawings of all cards on the page
        self.drawn = 0  # number of drawings that the page already has

    def call(self, request: str, arguments: str) -> str:
        """Carry out a request and return the answer, both as JSON; errors are answers too."""
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
        """Return a document as HTML, its headings one level lower: the page has the first level."""
        return lower_headings(to_fragment(document, self.deck))

    def resolve_request(self, text: str, name: str = BATTLE) -> Answer:
        """Fight the battle of a battle file."""
        return self.show_battle(cardbattle.resolve(write_working_file(name, text)))

    def report_request(self, text: str, name: str, detail: str, side: str) -> Answer:
        """Show a record with this level of detail, as everyone or as one side may see it."""
        return self.show_battle(cardbattle.replay(write_working_file(name, text)), detail, side)

    def verify_request(self, text: str, name: str, is_sealed: bool = False) -> Answer:
        """Verify a record by replaying it, and if it is sealed also against the seals."""
        record = read_recorded(write_working_file(name, text))
        if is_sealed:
            self.sealed_records.append(record)
        check = verify_by(name, record, partial(verify_drawn, self.seals) if is_sealed else verify_record)
        return {**self.page(verify_page([check])), "is_sound": check.is_sound}

    def seals_request(self, files: Mapping[str, str]) -> Answer:
        """Read copies of the published seals. Raises ReplayMismatch if two copies disagree."""
        paths = write_files(files, root_of(files), "")
        paths.sort(key=lambda path: len(seals_text(cardbattle.load_seals(path))))
        self.seals, self.sealed_records = cardbattle.load_seals(*paths), []
        return {}

    def unproven_request(self) -> Answer:
        """List the used slots for which no verified record was opened."""
        sentences = unproven(self.seals, self.sealed_records)
        return self.page(Document("", [Paragraph(sentence) for sentence in sentences], {}))

    def rules_request(self, rules: str) -> Answer:
        """Return the numbered rules of a rule set."""
        chosen = cardbattle.find(rules)
        return self.page(Document(chosen.name, [Book(chosen.rules_text())], {}))

    def count_request(self, text: str, battles: int, name: str = BATTLE) -> Answer:
        """Start to count the odds of a battle file."""
        self.counting = cardbattle.growing_odds(write_working_file(name, text), battles=battles, every=0.3)
        return self.more_request()

    def more_request(self) -> Answer:
        """Count for a moment and return the odds so far. Raises UsageError if no count is running."""
        odds = next(self.counting, None)
        if odds is None:
            raise cardbattle.UsageError("no odds are being counted; start again")
        is_done = odds.stopped != "interrupted"
        return {**self.page(odds_page(odds)), "battles": odds.battles, "is_done": is_done}

    def play_request(self, text: str, name: str = BATTLE) -> Answer:
        """Start a battle with a player and return the first question."""
        return self.start_playing(cardbattle.play(write_working_file(name, text)))

    def go_on_request(self, text: str, name: str) -> Answer:
        """Continue a saved battle and return the next question."""
        return self.start_playing(cardbattle.go_on(write_working_file(name, text)))

    def start_playing(self, session: cardbattle.Session) -> Answer:
        """Show this battle and return its next question."""
        self.session, self.at, self.seen = session, -1, {}
        return self.next_question()

    @property
    def current_battle(self) -> cardbattle.Session:
        """The battle in play. Raises UsageError if no battle is in play."""
        if self.session is None:
            raise cardbattle.UsageError("no battle is in play; start one, or open a saved one")
        return self.session

    def answer_request(self, text: str) -> Answer:
        """Answer for the seat shown and return the next question."""
        self.current_battle.answer(self.at, text)
        return self.next_question()

    def undo_request(self) -> Answer:
        """Take back the last answer of the seat shown and return its question."""
        undone = self.current_battle.undo(self.at)
        self.seen[self.at] = min(self.seen.get(self.at, 0), len(self.current_battle.events(self.at)))
        return {**self.next_question(), "taken": undone}

    def next_question(self) -> Answer:
        """Return the next question with the view of its side, or the result if the battle is over."""
        session = self.current_battle
        if session.is_over:
            return {"is_over": True, **self.show_battle(session.record())}
        self.at = self.at if self.at in session.seats_to_answer else session.seats_to_answer[0]
        return {"is_over": False, "persons": len(session.persons), **self.seat_view()}

    def seat_view(self) -> Answer:
        """Return what the seat sees: news, scene, hand, question and options."""
        session, seat = self.current_battle, self.at
        decision, report, rules = session.decision(seat), session.report(seat), session.rules
        lesson, names = rules.lesson(decision.view), names_of(report)
        hand, since = rules.hand(decision.view), self.seen.get(seat, 0)
        writer = TableHtml(names, rules.key, self.deck, session.keys, seat)
        plain = BattleHtml(names, rules.key, self.deck)
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
            "options": [
                {"text": text, "label": option_html(text, hand, plain), "parts": option_keys(parts)}
                for text, parts in zip(decision.texts, session.option_parts(seat), strict=True)
            ],
            "unoffered": decision.unoffered,
        }

    def why_request(self) -> Answer:
        """Return the values of the best options, as far as the seat shown can know them."""
        options = len(self.current_battle.decision(self.at).texts)
        return self.page(option_values_page(value_options(self.current_battle, self.at), options))

    def lesson_request(self) -> Answer:
        """Return the rules that apply to the question."""
        rules = self.current_battle.rules
        lesson = rules.lesson(self.current_battle.decision(self.at).view)
        return self.page(lesson_page(rules, lesson)) if lesson else self.rules_request(rules.key)

    def log_request(self) -> Answer:
        """Return the log of the battle so far, as the seat shown saw it."""
        return self.page(
            Document("", [BattleReport(self.current_battle.report(self.at), TALE, (0, 10**9))], {})
        )

    def save_request(self) -> Answer:
        """Return the file from which the battle in play can be continued."""
        return {
            "file": f"{self.current_battle.plan.id}.battle.toml",
            "text": session_text(self.current_battle),
        }

    def open_request(self, files: Mapping[str, str]) -> Answer:
        """Return the kind of the opened files; for a campaign also its page."""
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
            raise cardbattle.UsageError(f"these files contain only {alone} together with them")
        if seals or len(others) != 1:
            return {"kind": "record", "records": others, "seals": [*seals]}
        return self.kind_of_file(others[0], files[others[0]])

    def kind_of_file(self, path: str, text: str) -> Answer:
        """Return the kind of an opened file. Raises InvalidInput if the page cannot use it."""
        source = read_toml(write_working_file(path, text))
        if is_session(source.data):
            return {"kind": "begun", "path": path, "name": source.name}
        kind = kind_of(source.data)
        if kind not in ("battle", "record"):
            expect_kind(source, "battle", "record")
            source.refuse([Diagnostic("this is not a battle, a record or a campaign")])
        return {"kind": kind, "path": path, "name": source.name, "records": [path], "seals": []}

    def show_battle(self, record: Record, detail: str = "log", side: str = "") -> Answer:
        """Return the report of a finished battle, with its story and its replay, and its record as a file.

        The chances are then counted by `chances_request`.
        """
        shown = ShownBattle(record, detail, record.seats.index(side) if side else None)
        self.chances = ChanceCount(shown)
        return {
            **self.battle_answer(shown, NO_CURVE),
            "file": f"{record.id}.toml",
            "text": dumps_record(record),
            "sides": dict(zip(record.seats, record.names, strict=True)),
        }

    def battle_answer(self, shown: ShownBattle, curve: Curve) -> Answer:
        """Return the page of a finished battle with these chances."""
        record, report, level = shown.record, shown.report, DETAILS[shown.detail]
        page = battle_page(report, level, table_for(record, shown.viewer))

        def replay() -> Replay:
            return replay_of(record, report, level, tell_story(report))._replace(curve=curve)

        blocks = [BattleReport(report, level, replay=replay)]
        return {**self.page(page._replace(blocks=blocks)), "title": page.name}

    def chances_request(self) -> Answer:
        """Count for a moment: the chances of the battle shown, or of the two battles of a what if.

        Return the share that is done, and at the end the page with the chances.
        """
        counted = self.chances
        is_done = counted.advance()
        progress: Answer = {"share": counted.share, "is_done": is_done}
        if not is_done or counted.shown is None:
            return progress
        if counted.other is None:
            return progress | self.battle_answer(counted.shown, counted.curves[0])
        return progress | self.what_if_answer(counted.shown, counted.other, counted.curves)

    def decisions_request(self, text: str, name: str, side: str) -> Answer:
        """Return the decisions of a record that its reader can change, each with its other options."""
        record = cardbattle.replay(write_working_file(name, text))
        viewer = record.seats.index(side) if side else None
        return {
            "decisions": [
                {
                    "step": decision.step,
                    "move": decision.move,
                    "text": f"step {decision.step}: {record.names[decision.side]}, {decision.choice}",
                    "others": decision.others,
                }
                for decision in decisions_of(record, viewer)
            ]
        }

    def what_if_request(self, text: str, name: str, side: str, move: int, option: str) -> Answer:
        """Change one decision of a record, and show how the battle goes on; its chances are counted next."""
        record = cardbattle.replay(write_working_file(name, text))
        shown = ShownBattle(record, "log", record.seats.index(side) if side else None)
        decision = find_decision(decisions_of(record, shown.viewer), f"move {move}", option)
        other = fight_on(record, shown.report, decision, option)
        self.chances = ChanceCount(shown, other)
        return self.what_if_answer(shown, other, [])

    def what_if_answer(self, shown: ShownBattle, other: OtherBattle, curves: list[Curve]) -> Answer:
        """Return the page of a record beside the battle with one other decision."""
        return self.page(what_if_page(shown.report, other, curves))

    def show_campaign(self, folder: str) -> Answer:
        """Return the page and the history of a campaign, and its pending battles as battle files."""
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


class ShownBattle:
    """A finished battle as the page shows it: at a level of detail, to a seat, or to everyone (None)."""

    def __init__(self, record: Record, detail: str, viewer: int | None) -> None:
        self.record = record
        self.detail = detail
        self.viewer = viewer
        self.report = report_of(record, refight(record), viewer)


class ChanceCount:
    """Counts chances in slices: those of a battle, or of a battle and another one for a what if.

    Rounds of more battles follow each other until the sample is complete or the patience is over.
    """

    def __init__(self, shown: ShownBattle | None = None, other: OtherBattle | None = None) -> None:
        self.shown = shown
        self.other = other
        self.counts: list[Iterator[tuple[float, Curve]]] = []
        self.curves: list[Curve] = []
        self.share = 0.0
        self.spent = 0.0  # seconds for the current curve
        if shown is None:
            return
        sample = CHANCES if other is None else CHANCES._replace(always=around(other))
        self.counts.append(growing_curve(shown.record, shown.viewer, sample))
        if other is not None:
            self.counts.append(growing_curve(other.record, shown.viewer, sample, steps=other.steps))
        self.curves = [NO_CURVE for _ in self.counts]

    def advance(self) -> bool:
        """Count for a moment; return True if all chances are counted."""
        begun = monotonic()
        for n, count in enumerate(self.counts):
            for share, self.curves[n] in count:
                self.share = (n + share) / len(self.counts)
                seconds = self.spent + monotonic() - begun
                if self.curves[n].points and seconds > PATIENCE:
                    break
                if monotonic() - begun > SLICE:
                    self.spent = seconds
                    return False
            self.counts[n] = iter(())
            self.spent, begun = 0.0, monotonic()
        return True


def around(other: OtherBattle) -> tuple[int, int]:
    """Return the step of a changed decision and the one before it, whose chances are always counted."""
    return other.decision.step - 1, other.decision.step


def map_html(visible_campaign: VisibleCampaign, campaign: Campaign) -> str:
    """Return the map of a campaign's site, or ""; an invalid drawing causes a remark.

    Links to pages of the site become plain text.
    """
    from cardbattle.site.book import SiteBook, drawing_of, unplaceable
    from cardbattle.site.campaign_map import campaign_map
    from cardbattle.site.parts import Links

    try:
        book = SiteBook(visible_campaign, campaign, drawing_of(campaign))
    except cardbattle.CardbattleError as error:
        warnings.warn(f"the map cannot be shown: {error}", cardbattle.Remark, stacklevel=2)
        return ""
    if book.drawing and (lost := unplaceable(campaign, book.drawing)):
        warnings.warn(lost, cardbattle.Remark, stacklevel=2)
    drawn = campaign_map(book, len(book.turns) - 1, Links(book, "")).html()
    return re.sub(r'<a( class="[^"]*")? href="[^"]*"', r'<g\1 role="img"', drawn).replace("</a>", "</g>")


def export_pending(campaign: Campaign, battle: Pending) -> tuple[str, str]:
    """Return a pending battle as a battle file and "", or "" and the reason why it cannot be fought here."""
    from cardbattle.campaign.exchange.export_battle import export_text

    if campaign.draw is not None:
        return "", f"battle {battle.id} has sealed dice; fight it with cardbattle campaign fight {battle.id}"
    try:
        return export_text(campaign, battle), ""
    except cardbattle.InvalidInput as refused:
        return "", str(refused)


def option_html(text: str, hand: Parts, writer: BattleHtml) -> str:
    """Return an option such as `play KH redeploy` as HTML; a card of the hand is drawn."""
    verb, _, argument = text.partition(" ")
    held = [part.text for part in hand if isinstance(part, Card)]
    for card, power in ((argument, ""), argument.rpartition(" ")[::2]):
        if card in held and (not power or power.islower()):
            drawn: Parts = [f"{verb} ", Card(card), f" {power}"]
            return writer.cell_html(drawn)
    parts: Parts = [*in_cards(text)]
    return writer.said(parts)


def complaints(error: cardbattle.CardbattleError) -> list[str]:
    """Return each error as at a terminal, with its line and a caret."""
    if isinstance(error, cardbattle.NeedsUmpire):
        return [conflict.text for conflict in error.conflicts]
    errors = error.errors if isinstance(error, cardbattle.InvalidInput) else [Diagnostic(str(error))]
    return ["\n".join(complaint(diagnostic)) for diagnostic in errors]


def write_working_file(name: str, text: str) -> str:
    """Write a text to a file in the working folder and return the name of the file."""
    safe = os.path.basename(name.replace("\\", "/")) or BATTLE
    with open(safe, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return safe


def is_campaign(name: str) -> bool:
    """Return whether a path names a campaign file."""
    return name.rpartition("/")[2] == "campaign.toml"


def is_toml(name: str) -> bool:
    """Return whether a path names a TOML file."""
    return name.lower().endswith(".toml")


def write_campaign_files(files: Mapping[str, str], main_file: str) -> str:
    """Write the files of a campaign to a folder and return the folder.

    Files outside the campaign are left out. An owner's card files are also written to the working folder,
    where a pending battle that is loaded alone looks for them.
    """
    shutil.rmtree(FOLDER, ignore_errors=True)
    root = main_file.removesuffix("campaign.toml")
    write_files(files, root, FOLDER)
    write_files({name: text for name, text in files.items() if OWN_CARDS.search(text)}, root, "")
    return FOLDER


def write_files(files: Mapping[str, str], root: str, folder: str) -> list[str]:
    """Write the files below this root to a folder, never outside it, and return their paths."""
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
    """Return the common folder of all files with a final slash, or "" without a common folder.

    >>> root_of({"war/a.toml": "", "war/records/b.toml": ""}), root_of({"a.toml": "", "b.toml": ""})
    ('war/', '')
    """
    folder = os.path.commonpath([os.path.dirname(name) for name in files])
    return f"{folder}/" if folder else ""


def lower_headings(html: str) -> str:
    """Return HTML with all headings one level lower.

    >>> lower_headings("<h1>York</h1><h2>Space 1</h2>")
    '<h2>York</h2><h3>Space 1</h3>'
    """
    return re.sub(r"<(/?)h([1-4])\b", lambda match: f"<{match[1]}h{int(match[2]) + 1}", html)

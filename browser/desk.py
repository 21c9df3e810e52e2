"""What the page asks of the package: each request is a method here, its answer plain data and HTML.

It runs in the page, in a worker, beside the front door; nothing of it knows a browser. Files that somebody
opens or pastes are laid out in the working folder, so that errors name them as at a terminal.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import traceback
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import cardbattle
from cardbattle.commanders import RANKS
from cardbattle.core.errors import Mistake
from cardbattle.core.options import CardList, OneOf, Option
from cardbattle.core.telling import DETAILS, TALE, Line
from cardbattle.fighting.counsel import worth_of_options
from cardbattle.fighting.session_file import is_session, session_text
from cardbattle.files.errors import complaint
from cardbattle.files.toml import read_toml
from cardbattle.library import read_recorded
from cardbattle.records.kinds import expect_kind, kind_of
from cardbattle.records.record import dumps_record
from cardbattle.records.refight import refight, verify_record
from cardbattle.records.viewer import report_of, table_for
from cardbattle.show.cards import draw
from cardbattle.show.document import Book, Document, ToldBattle
from cardbattle.show.pages.battle import Verified, battle_page, verify_page
from cardbattle.show.pages.odds import odds_page
from cardbattle.show.pages.play import lesson_page, worth_page
from cardbattle.show.words import names_of
from cardbattle.show.writers.html import scene_fragment, to_fragment

if TYPE_CHECKING:
    from cardbattle.core.ruleset import RuleSet
    from cardbattle.records.record import Record

Answer = dict[str, object]
BATTLE = "battle.toml"
FOLDER = "campaign"
SUITED = re.compile(r"(?<![A-Z0-9])(?:10|[2-9JQKA])[SHDC]'*(?![A-Z0-9])")


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


class Desk:
    """One page's work: the battle that is played, and the one whose odds are counted."""

    def __init__(self) -> None:
        self.session: cardbattle.Session | None = None
        self.at = -1  # the seat that looks at the page
        self.seen: dict[int, int] = {}  # how many events each seat was shown
        self.counting: Iterator[cardbattle.Odds] = iter(())

    def call(self, request: str, given: str) -> str:
        """Carry out a request and return its answer, both as JSON; errors are an answer, too."""
        try:
            with warnings.catch_warnings(record=True) as remarks:
                warnings.simplefilter("always", cardbattle.Remark)
                answer: Answer = getattr(self, f"{request}_request")(**json.loads(given))
            if remarks:
                answer["remarks"] = [str(remark.message) for remark in remarks]
        except cardbattle.CardbattleError as error:
            answer = {"errors": complaints(error)}
        except Exception:
            answer = {"failure": traceback.format_exc(limit=-6)}
        return json.dumps(answer)

    def resolve_request(self, text: str, name: str = BATTLE) -> Answer:
        """Fight a battle file's battle."""
        return told(cardbattle.resolve(laid(name, text)))

    def tell_request(self, text: str, name: str, detail: str, side: str) -> Answer:
        """Tell a record again, in so much detail, to everybody or to one side."""
        return told(cardbattle.replay(laid(name, text)), detail, side)

    def verify_request(self, text: str, name: str) -> Answer:
        """Fight a record again, and hold all it says against it."""
        found = verified(name, laid(name, text))
        return {"html": fragment(verify_page([found])), "is_sound": found.is_sound}

    def rules_request(self, rules: str) -> Answer:
        """Return the numbered rules of a rule set."""
        chosen = cardbattle.find(rules)
        return {"html": fragment(Document(chosen.name, [Book(chosen.rules_text())], {}))}

    def count_request(self, text: str, battles: int, name: str = BATTLE) -> Answer:
        """Begin to count the odds of a battle file's battle."""
        self.counting = cardbattle.growing_odds(laid(name, text), battles=battles, every=0.3)
        return self.more_request()

    def more_request(self) -> Answer:
        """Count on for a moment, and return the odds so far; UsageError if all are counted."""
        odds = next(self.counting, None)
        if odds is None:
            raise cardbattle.UsageError("no odds are being counted; begin anew")
        return {
            "battles": odds.battles,
            "is_done": odds.stopped != "interrupted",
            "html": fragment(odds_page(odds)),
        }

    def play_request(self, text: str, name: str = BATTLE) -> Answer:
        """Begin a battle in which somebody plays, and ask."""
        return self.begun(cardbattle.play(laid(name, text)))

    def go_on_request(self, text: str, name: str) -> Answer:
        """Go on with a battle that was left, and ask."""
        return self.begun(cardbattle.go_on(laid(name, text)))

    def begun(self, session: cardbattle.Session) -> Answer:
        """Take up a battle, and ask."""
        self.session, self.at, self.seen = session, -1, {}
        return self.asked()

    @property
    def played(self) -> cardbattle.Session:
        """The battle that is played; UsageError if there is none."""
        if self.session is None:
            raise cardbattle.UsageError("no battle is played; begin one, or open one that was left")
        return self.session

    def answer_request(self, text: str) -> Answer:
        """Answer for the seat that is asked, and ask again."""
        self.played.answer(self.at, text)
        return self.asked()

    def undo_request(self) -> Answer:
        """Take back the last answer of the seat that is asked, and ask again."""
        taken = self.played.undo(self.at)
        self.seen[self.at] = min(self.seen.get(self.at, 0), len(self.played.events(self.at)))
        return {**self.asked(), "taken": taken}

    def asked(self) -> Answer:
        """Return whom the battle asks and what, or how it ended."""
        session = self.played
        if session.is_over:
            return {"is_over": True, **told(session.record())}
        self.at = self.at if self.at in session.asked else session.asked[0]
        return {"is_over": False, "persons": len(session.persons), **self.shown()}

    def shown(self) -> Answer:
        """Return what the seat that is asked is shown: news, scene, hand, question, options."""
        session, seat = self.played, self.at
        decision, report, rules = session.decision(seat), session.report(seat), session.rules
        lesson, names = rules.lesson(decision.view), names_of(report)
        hand, since = rules.hand(decision.view), self.seen.get(seat, 0)
        self.seen[seat] = len(report.events)
        news = Document("", [ToldBattle(report, TALE, (since, 10**9))], {})
        return {
            "seat": seat,
            "name": names[seat],
            "rules": rules.name,
            "news": fragment(news),
            "scene": lowered(scene_fragment(rules.scene(decision.view), names, rules.key)),
            "hand": lowered(scene_fragment([Line([*hand], "")], names, rules.key)) if hand else "",
            "ask": lesson.ask if lesson else "Choose",
            "rule": lesson.rules[0] if lesson else "",
            "lesson": lesson.words if lesson else "",
            "options": [[text, SUITED.sub(lambda found: draw(found[0]), text)] for text in decision.texts],
            "unoffered": decision.unoffered,
        }

    def why_request(self) -> Answer:
        """Return what the best options are worth, as far as the seat that is asked can know."""
        options = len(self.played.decision(self.at).texts)
        return {"html": fragment(worth_page(worth_of_options(self.played, self.at), options))}

    def lesson_request(self) -> Answer:
        """Return the rules that apply to what is asked."""
        rules = self.played.rules
        lesson = rules.lesson(self.played.decision(self.at).view)
        return {"html": fragment(lesson_page(rules, lesson))} if lesson else self.rules_request(rules.key)

    def log_request(self) -> Answer:
        """Return all that happened, as the seat that is asked saw it."""
        return {
            "html": fragment(Document("", [ToldBattle(self.played.report(self.at), TALE, (0, 10**9))], {}))
        }

    def keep_request(self) -> Answer:
        """Return the file of the battle that is played, from which it goes on."""
        return {"file": f"{self.played.plan.id}.battle.toml", "text": session_text(self.played)}

    def open_request(self, files: Mapping[str, str]) -> Answer:
        """Look at files that somebody dropped: say of what kind they are, and show a campaign."""
        books = next((name for name in sorted(files, key=len) if is_campaign(name)), "")
        if books:
            return campaign_answer(laid_campaign(files, books))
        if len(files) > 1:
            return {"kind": "record", "files": dict(files)}
        ((name, text),) = files.items()
        source = read_toml(laid(name, text))
        if is_session(source.data):
            return {"kind": "begun", "name": source.name}
        kind = kind_of(source.data)
        if kind not in ("battle", "record"):
            expect_kind(source, "battle", "record")
            source.refuse([Mistake("this is no battle, no record and no campaign")])
        return {"kind": kind, "files": dict(files), "name": source.name}


def complaints(error: cardbattle.CardbattleError) -> list[str]:
    """Return an error as at a terminal: each mistake with its line and a caret."""
    if isinstance(error, cardbattle.NeedsUmpire):
        return [conflict.text for conflict in error.conflicts]
    mistakes = error.mistakes if isinstance(error, cardbattle.Refused) else [Mistake(str(error))]
    return ["\n".join(complaint(mistake)) for mistake in mistakes]


def told(record: Record, detail: str = "tale", side: str = "") -> Answer:
    """Return a fought battle as it is told, and its record as a file."""
    viewer = record.seats.index(side) if side else None
    report = report_of(record, refight(record), viewer)
    page = battle_page(report, DETAILS[detail], table_for(record, viewer))
    return {
        "html": fragment(page),
        "title": page.name,
        "file": f"{record.id}.toml",
        "text": dumps_record(record),
        "sides": dict(zip(record.seats, record.names, strict=True)),
    }


def verified(name: str, path: str) -> Verified:
    """Return what becomes of a record that is fought again; Refused if it is none."""
    record = read_recorded(path)
    try:
        return Verified(name, len(record.moves), verify_record(record), True)
    except cardbattle.Differs as differs:
        return Verified(name, len(record.moves), str(differs), False)


def laid(name: str, text: str) -> str:
    """Lay a text out as a file of the working folder, and return its name."""
    safe = os.path.basename(name.replace("\\", "/")) or BATTLE
    with open(safe, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return safe


def is_campaign(name: str) -> bool:
    """Say whether a path is that of a campaign's books."""
    return name.rpartition("/")[2] == "campaign.toml"


def laid_campaign(files: Mapping[str, str], books: str) -> str:
    """Lay a campaign's files out in a folder, and return that; what lies outside of its own is left."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    root = books.removesuffix("campaign.toml")
    for name, text in files.items():
        parts = name.removeprefix(root).split("/")
        if name.startswith(root) and not {"", ".", ".."} & {*parts}:
            os.makedirs(os.path.join(FOLDER, *parts[:-1]), exist_ok=True)
            with open(os.path.join(FOLDER, *parts), "w", encoding="utf-8", newline="") as file:
                file.write(text)
    return FOLDER


def campaign_answer(folder: str) -> Answer:
    """Return a campaign as it stands: its page, its history, and its pending battles as battle files.

    Where its dice are sealed a battle has no seed before it has its slot, and is no file before that.
    """
    from cardbattle.campaign import sealing, store
    from cardbattle.campaign.exporting import export_text
    from cardbattle.campaign.visibility import UMPIRE, known_to
    from cardbattle.show.pages.campaign import campaign_page
    from cardbattle.show.pages.history import history_page

    books, ledger = store.load(folder), store.load_ledger(folder)
    campaign = books.campaign
    known = known_to(campaign, ledger, UMPIRE)
    told = {"seals": sealing.seals_told(campaign, ledger)}
    drawn = [one for one in campaign.pending if campaign.draw is None or campaign.draw.slot_number(one.id)]
    return {
        "kind": "campaign",
        "title": campaign.name,
        "html": fragment(campaign_page(known, {}, told)),
        "history": fragment(history_page(known, known.entries_since())),
        "pending": [[battle.id, export_text(campaign, battle)] for battle in drawn],
    }


def fragment(document: Document) -> str:
    """Return a document as HTML, its headings a step lower: the page has the first."""
    return lowered(to_fragment(document))


def lowered(html: str) -> str:
    """Return HTML with headings a step lower.

    >>> lowered("<h1>York</h1><h2>Space 1</h2>")
    '<h2>York</h2><h3>Space 1</h3>'
    """
    return re.sub(r"<(/?)h([1-4])\b", lambda found: f"<{found[1]}h{int(found[2]) + 1}", html)

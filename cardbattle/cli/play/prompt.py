"""Line play: a session asked and answered line by line, at a terminal or through a pipe.

It prints from top to bottom and nothing else, so that it can be read aloud; what it clears between two
persons at one terminal is only so that neither reads the other's hand.
"""

from __future__ import annotations

import re
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from rich.text import Text

from cardbattle.battles.advice import worth_of_options
from cardbattle.battles.saved_session import KeptText
from cardbattle.battles.session import option_meant
from cardbattle.battles.session_file import session_text
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.names import clean
from cardbattle.show.console import console, fitted, is_dumb, name_fitted
from cardbattle.show.decision import ShownDecision, decision_lines, numbered_options, told_lines
from cardbattle.show.document import Document
from cardbattle.show.layout import measure, wrapped, write_lines
from cardbattle.show.pages import play
from cardbattle.show.writers.terminal import Pen, to_terminal

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.session import Decision, Session

CLEARED = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what has scrolled off it
NOT_CLEARED = "What is printed here cannot be cleared: whoever looks above sees the other side's hand."
KEPT = "Kept in {path}; go on with:\n  {again}"
WHEN_ALONE = "Press Enter when nobody else does"
NOT_TAKEN = "That was not taken: nothing is asked yet. Press Enter alone, or write quit."
NOTHING_YET = "Nothing yet."
LONGEST = 200  # letters of an answer

WORDS = {
    "?": "the rules that apply, with their numbers",
    "why": "what the options are worth, as far as your side can know",
    "options": "every option with its number",
    "hand": "your hand",
    "log": "all that happened, as your side saw it",
    "undo": "take back your last answer, as long as nothing was seen, drawn or answered since",
    "save": "where the battle is kept; every answer is kept at once",
    "resign": "give the battle up, where the rules know that",
    "quit": "stop; the battle is kept and can go on",
    "help": "this list",
}


YOURS = (("its ", "your "), ("it has ", "you have "), ("it is ", "you are "))  # who a refusal speaks of


def second_person(key: str, refusal: str) -> str:
    """Return why a side cannot do something, said to the person who commands it.

    >>> second_person("brown", "brown cannot advance 5: it has no card on place 5")
    'you cannot advance 5: you have no card on place 5'
    >>> second_person("brown", "brown has answered nothing yet")
    'you have answered nothing yet'
    """
    if refusal.startswith(f"{key} has "):
        return f"you have {refusal.removeprefix(f'{key} has ')}"
    first, cannot, reason = refusal.partition(" cannot ")
    if first != key or not cannot:
        return refusal
    for its, yours in YOURS:
        reason = re.sub(rf"\b{its}", yours, reason)
    return f"you cannot {reason}"


class UserQuit(Exception):
    """Whoever answers has stopped, or nothing more can be read."""


class Lines:
    """Lines that are read and printed, and the file that keeps what they come to.

    `again` is the command that goes on with it.
    """

    def __init__(self, path: str, again: str, color: bool | None) -> None:
        self.path = path
        self.again = again
        self.screen: Console = console(sys.stdout, color)
        self.kept = KeptText(path)
        if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")

    def text(self) -> str:
        """Return what the file is to hold."""
        raise NotImplementedError

    def print_saved(self) -> None:
        """Say where the battle is kept, and how it goes on."""
        self.say(KEPT.format(path=clean(self.path), again=clean(self.again)))

    def leave(self, left: BaseException) -> bool:
        """Say where the battle is kept and that it is not over; Ctrl-C is raised again, for its exit code."""
        if isinstance(left, KeyboardInterrupt):
            sys.stdout.write("\n")
        self.print_saved()
        if isinstance(left, KeyboardInterrupt):
            raise left
        return False

    def keep(self) -> None:
        """Write the battle to its file; errors as `KeptText.write`."""
        self.kept.write(self.text())

    def read(self, prompt: str) -> str:
        """Return the next line somebody writes; Left if there is none.

        On a pipe the line is repeated behind the prompt.
        """
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if prompt and not (line and sys.stdin.isatty()):
            sys.stdout.write(clean(line[:LONGEST].rstrip("\r\n")) + "\n")
        if not line:
            raise UserQuit
        return line[:LONGEST].strip()

    def show(self, document: Document) -> None:
        """Print a page."""
        to_terminal(document, self.screen)

    def show_log(self, report: Report) -> None:
        """Print all that has happened as a report has it."""
        told = told_lines(report, 0, Pen(report, self.screen))
        write_lines(told, self.screen) if told else self.say(NOTHING_YET)

    def say(self, words: str) -> None:
        """Print a sentence, or several lines; what somebody may copy is not broken."""
        lines = [fitted(line, self.screen.encoding) for line in words.splitlines()]
        for line in lines:
            whole = (
                [Text(line)]
                if line.startswith("  ")
                else wrapped(Text(line), measure(self.screen), self.screen)
            )
            write_lines(whole, self.screen)


class Prompt(Lines):
    """Line play of one session, kept in a file at every answer.

    `again` is the command that goes on with it; `teaches` says whether every kind of decision is explained
    when it first comes.
    """

    def __init__(self, session: Session, path: str, again: str, teaches: bool, color: bool | None) -> None:
        super().__init__(path, again, color)
        self.session = session
        self.teaches = teaches
        self.seen = [0] * len(session.keys)  # events that each seat was shown
        self.taught: set[int] = set()  # questions that were explained
        self.met: set[int] = set()  # seats that were shown a decision
        self.at = -1  # the seat at the terminal

    def text(self) -> str:
        """Return the battle as its file has it."""
        return session_text(self.session)

    def play(self) -> bool:
        """Ask until the battle is over, or whoever answers leaves; say whether it is over.

        SystemRefused if the battle cannot be kept; Refused if somebody else changed its file meanwhile;
        KeyboardInterrupt by Ctrl-C, once it is said how to go on.
        """
        self.keep()
        try:
            while not self.session.is_over:
                self.ask(self.next_seat())
        except (UserQuit, KeyboardInterrupt) as left:
            return self.leave(left)
        if len(self.session.persons) > 1:
            self.clear()
        self.show_last_events()
        return True

    def show_last_events(self) -> None:
        """Tell what has come of the last answer, as whoever gave it saw it, to the battle's end."""
        if self.at >= 0:
            report = self.report(self.at)
            write_lines(told_lines(report, self.seen[self.at], Pen(report, self.screen)), self.screen)

    def next_seat(self) -> int:
        """Return who is asked next: whoever sits there already, if they have more to answer."""
        asked = self.session.asked
        return self.at if self.at in asked else asked[0]

    def ask(self, seat: int) -> None:
        """Show a decision and take an answer to it, however often somebody asks something else first."""
        if seat != self.at:
            self.hand_over(seat)
        self.show_decision(seat)
        while not self.heed(seat, self.read(f"{self.session.keys[seat]}> ")):
            pass

    def heed(self, seat: int, line: str) -> bool:
        """Do what a line says and say whether the decision is to be shown anew; Left if it says to stop."""
        word = line.casefold()
        if not word:
            return False
        if word == "quit":
            raise UserQuit
        if word in WORDS and word not in ("undo", "resign"):
            self.tell(seat, word)
            return False
        try:
            if word == "undo":
                self.say(f"Taken back: {self.session.undo(seat)}")
            else:
                self.session.answer(seat, self.chosen(self.session.decision(seat), line))
        except (IllegalMove, InvalidInput) as error:
            self.say(f"{clean(second_person(self.session.keys[seat], str(error)))}.")
            return False
        self.keep()
        return True

    def chosen(self, decision: Decision, line: str) -> str:
        """Return the option that a line means; IllegalMove as `option_meant`, or if nobody can resign."""
        if line.casefold() == "resign" and "resign" not in decision.unoffered:
            raise IllegalMove(f"nobody resigns in {self.session.rules.name}; quit keeps the battle")
        return option_meant(decision, line)

    def tell(self, seat: int, word: str) -> None:
        """Answer a question of whoever is asked."""
        decision = self.session.decision(seat)
        lesson = self.session.rules.lesson(decision.view)
        if word == "help":
            self.show(play.help_page(WORDS))
        elif word == "?" and lesson is not None:
            self.show(play.lesson_page(self.session.rules, lesson))
        elif word == "?":
            self.say(f"cardbattle rules {self.session.rules.key} has the rules.")
        elif word == "why":
            self.show(play.worth_page(worth_of_options(self.session, seat), len(decision.texts)))
        elif word == "log":
            self.show_log(self.report(seat))
        elif word == "hand":
            pen = Pen(self.report(seat), self.screen)
            held = self.session.rules.hand(decision.view)
            self.say(pen.text(held or ["Your side holds nothing that others do not see."]).plain)
        elif word == "options":
            pen = Pen(self.report(seat), self.screen)
            write_lines(numbered_options(decision.texts, pen, decision.mark), self.screen)
        else:
            self.print_saved()

    def show_decision(self, seat: int) -> None:
        """Show what a seat is asked, and what happened since it was asked last."""
        shown = self.shown(seat)
        write_lines(decision_lines(shown, self.screen), self.screen)
        self.seen[seat] = len(shown.report.events)
        self.met.add(seat)

    def shown(self, seat: int) -> ShownDecision:
        """Return what a seat is asked, to be shown for the first time."""
        decision = self.session.decision(seat)
        question = decision.view.question
        is_new = self.teaches and question not in self.taught
        self.taught.add(question)
        report = self.report(seat)
        lesson = self.session.rules.lesson(decision.view)
        is_first = seat not in self.met
        return ShownDecision(report, self.seen[seat], decision.view, decision.texts, lesson, is_new, is_first)

    def report(self, seat: int) -> Report:
        """Return the battle so far as a seat saw it, its events numbered."""
        return self.session.report(seat)

    def hand_over(self, seat: int) -> None:
        """Give the terminal to another person, without the hand of the one before."""
        before, self.at = self.at, seat
        if len(self.session.persons) < 2:
            return
        if before >= 0:
            self.clear()
        if sys.stdin.isatty():
            self.wait_for_player(seat)
        else:
            self.say(self.called(seat))

    def wait_for_player(self, seat: int) -> None:
        """Wait for an empty line of the person who is called; Left if somebody stops here."""
        while word := self.read(f"{self.called(seat)} {WHEN_ALONE}: ").casefold():
            if word == "quit":
                raise UserQuit
            self.say(NOT_TAKEN)

    def called(self, seat: int) -> str:
        """Return the sentence that calls a person to the terminal by name."""
        name = name_fitted(self.session.plan.sides[seat].name, self.session.keys[seat], self.screen.encoding)
        return f"It is for {name} to look."

    def clear(self) -> None:
        """Clear the screen and what has scrolled off it, or say that it cannot be."""
        if sys.stdout.isatty() and not is_dumb():
            sys.stdout.write(CLEARED)
            sys.stdout.flush()
        else:
            self.say(NOT_CLEARED)

"""Play a session at a prompt, with input from a terminal or a pipe.

Output is only added at the bottom, so that a screen reader can follow it. The screen is cleared only when the
next person sits down at the terminal, to hide the cards of the last player.
"""

from __future__ import annotations

import re
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from rich.text import Text
from typer import Abort

from cardbattle.battles.advice import value_options
from cardbattle.battles.saved_session import SavedText
from cardbattle.battles.session import option_meant
from cardbattle.battles.session_file import session_text
from cardbattle.core.errors import IllegalMove, InvalidInput
from cardbattle.core.names import clean
from cardbattle.show.console import console, fit_encoding, is_dumb, name_fitted
from cardbattle.show.decision import ShownDecision, decision_lines, news_lines, option_list
from cardbattle.show.document import Document
from cardbattle.show.layout import measure, wrap, write_lines
from cardbattle.show.pages import play
from cardbattle.show.terminal_battle import Pen
from cardbattle.show.writers.terminal import to_terminal

if TYPE_CHECKING:
    from rich.console import Console

    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.session import Decision, Session

CLEARED = "\x1b[H\x1b[2J\x1b[3J"  # escape codes that clear the screen and the scrollback
NOT_CLEARED = "This output cannot be cleared: the other side's hand is still visible above."
SAVED = "Saved in {path}; continue with:\n  {again}"
WHEN_ALONE = "Press Enter when nobody else is looking"
NO_QUESTION = (
    "That line was ignored, because your decision is not shown yet. Press Enter to see it, or enter quit."
)
NOTHING_YET = "Nothing has happened yet."
LONGEST = 200  # maximum length of an answer

WORDS = {
    "?": "show the rules for this decision",
    "why": "show how good each option is, from what your side can know",
    "options": "list every option with its number",
    "hand": "show your hand",
    "log": "show everything that your side saw happen",
    "undo": "take back your last answer, unless a card was revealed or drawn, or a side answered, after it",
    "save": "show where the battle is saved (every answer is saved at once)",
    "resign": "give up the battle, if the rules allow it",
    "quit": "stop; you can continue the battle later",
    "help": "show this list",
}


YOURS = (("its ", "your "), ("it has ", "you have "), ("it is ", "you are "))


def second_person(key: str, refusal: str) -> str:
    """Turn an error about a side into an error that addresses its player.

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
    """Raised if the user quits or the input ends."""


class Lines:
    """A prompt for one battle, which is saved to a file after every accepted line.

    `again` is the command that continues the battle.
    """

    def __init__(self, path: str, again: str, color: bool | None) -> None:
        self.path = path
        self.again = again
        self.screen: Console = console(sys.stdout, color)
        self.kept = SavedText(path)
        if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")

    def text(self) -> str:
        """Return the text of the saved battle, which `keep` writes to the file."""
        raise NotImplementedError

    def print_saved(self) -> None:
        """Print where the battle is saved and which command continues it."""
        self.say(SAVED.format(path=clean(self.path), again=clean(self.again)))

    def leave(self, reason: BaseException) -> bool:
        """Print the command that continues the battle, and return False.

        After Ctrl-C, `reason` is raised again, because it determines the exit code.
        """
        if isinstance(reason, KeyboardInterrupt):
            sys.stdout.write("\n")
        self.print_saved()
        if isinstance(reason, KeyboardInterrupt):
            raise Abort from reason
        return False

    def keep(self) -> None:
        """Save the battle. Raises the errors of `SavedText.write`."""
        self.kept.write(self.text())

    def read(self, prompt: str) -> str:
        """Return the next input line.

        If the input is a pipe, the line is printed after the prompt. Raises UserQuit at the end of input.
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
        to_terminal(document, self.screen)

    def show_log(self, report: Report) -> None:
        """Print the log of a battle, as the reader of `report` saw it."""
        lines = news_lines(report, 0, Pen(report, self.screen))
        write_lines(lines, self.screen) if lines else self.say(NOTHING_YET)

    def say(self, text: str) -> None:
        """Print wrapped text. Indented lines are commands to copy, and are not wrapped."""
        for line in text.splitlines():
            part = Text(fit_encoding(line, self.screen.encoding))
            is_command = line.startswith("  ")
            write_lines([part] if is_command else wrap(part, measure(self.screen), self.screen), self.screen)


class Prompt(Lines):
    """A session's prompt. With `teaches`, each new kind of decision is explained."""

    def __init__(self, session: Session, path: str, again: str, teaches: bool, color: bool | None) -> None:
        super().__init__(path, again, color)
        self.session = session
        self.teaches = teaches
        self.seen = [0] * len(session.keys)  # by seat: number of events already shown
        self.taught: set[int] = set()  # questions already explained
        self.met: set[int] = set()  # seats that have seen a decision
        self.at = -1  # the seat of the person at the terminal

    def text(self) -> str:
        return session_text(self.session)

    def play(self) -> bool:
        """Ask until the battle is over or the user quits. Return True if the battle is over.

        Raises SystemFailure if the battle cannot be saved, and InvalidInput if another program has changed
        its file. After Ctrl-C, the method prints the command that continues the battle, and raises
        Abort.
        """
        self.keep()
        try:
            while not self.session.is_over:
                self.ask(self.next_seat())
        except (UserQuit, KeyboardInterrupt) as reason:
            return self.leave(reason)
        if len(self.session.persons) > 1:
            self.clear()
        self.show_last_events()
        return True

    def show_last_events(self) -> None:
        """Print the events that the side at the terminal saw and that were not printed yet."""
        if self.at >= 0:
            report = self.report(self.at)
            write_lines(news_lines(report, self.seen[self.at], Pen(report, self.screen)), self.screen)

    def next_seat(self) -> int:
        """Return the seat that answers next. The person at the terminal answers before other people."""
        seats = self.session.seats_to_answer
        return self.at if self.at in seats else seats[0]

    def ask(self, seat: int) -> None:
        """Show a seat its decision, and read input lines until one of them changes the battle."""
        if seat != self.at:
            self.hand_over(seat)
        self.show_decision(seat)
        while not self.handle(seat, self.read(f"{self.session.keys[seat]}> ")):
            pass

    def handle(self, seat: int, line: str) -> bool:
        """Carry out the answer or command on an input line.

        Return True if the battle has changed. Raises UserQuit for `quit`.
        """
        word = line.casefold()
        if not word:
            return False
        if word == "quit":
            raise UserQuit
        if word in WORDS and word not in ("undo", "resign"):
            self.explain(seat, word)
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
        """Return the option of a decision that an input line names.

        Raises IllegalMove if the line is `resign` and the rule set does not allow it, and the errors of
        `option_meant`.
        """
        if line.casefold() == "resign" and "resign" not in decision.unoffered:
            raise IllegalMove(
                f"resigning is not allowed in {self.session.rules.name}; quit saves the battle for later"
            )
        return option_meant(decision, line)

    def explain(self, seat: int, word: str) -> None:
        """Print what the player requests with one of WORDS, such as the help, the hand or the log."""
        decision = self.session.decision(seat)
        lesson = self.session.rules.lesson(decision.view)
        if word == "help":
            self.show(play.help_page(WORDS))
        elif word == "?" and lesson is not None:
            self.show(play.lesson_page(self.session.rules, lesson))
        elif word == "?":
            self.say(f"The rules: cardbattle rules {self.session.rules.key}")
        elif word == "why":
            self.show(play.option_values_page(value_options(self.session, seat), len(decision.texts)))
        elif word == "log":
            self.show_log(self.report(seat))
        elif word == "hand":
            pen = Pen(self.report(seat), self.screen)
            hand = self.session.rules.hand(decision.view)
            self.say(pen.text(hand or ["Your side has no hidden cards."]).plain)
        elif word == "options":
            pen = Pen(self.report(seat), self.screen)
            write_lines(option_list(decision.texts, pen, decision.mark), self.screen)
        else:
            self.print_saved()

    def show_decision(self, seat: int) -> None:
        """Show a seat its decision, and the events since its last decision."""
        shown = self.first_decision(seat)
        write_lines(decision_lines(shown, self.screen), self.screen)
        self.seen[seat] = len(shown.report.events)
        self.met.add(seat)

    def first_decision(self, seat: int) -> ShownDecision:
        """Return a seat's decision with the text to show, and mark its kind of decision as explained."""
        decision = self.session.decision(seat)
        question = decision.view.question
        is_new = self.teaches and question not in self.taught
        self.taught.add(question)
        report = self.report(seat)
        lesson = self.session.rules.lesson(decision.view)
        is_first = seat not in self.met
        return ShownDecision(report, self.seen[seat], decision.view, decision.texts, lesson, is_new, is_first)

    def report(self, seat: int) -> Report:
        return self.session.report(seat)

    def hand_over(self, seat: int) -> None:
        """Clear the screen, ask the player of this seat to sit down and press Enter, and wait for Enter.

        The screen is not cleared for the first player, and the function does not wait if the input is a pipe.
        If only one person plays, nothing is printed. Raises UserQuit for `quit` or at the end of input.
        """
        before, self.at = self.at, seat
        if len(self.session.persons) < 2:
            return
        if before >= 0:
            self.clear()
        if sys.stdin.isatty():
            self.wait_for_player(seat)
        else:
            self.say(self.call_text(seat))

    def wait_for_player(self, seat: int) -> None:
        """Wait for this seat's player to press Enter. Raises UserQuit for `quit`."""
        while word := self.read(f"{self.call_text(seat)} {WHEN_ALONE}: ").casefold():
            if word == "quit":
                raise UserQuit
            self.say(NO_QUESTION)

    def call_text(self, seat: int) -> str:
        """Return the sentence that says that it is the turn of this seat."""
        name = name_fitted(self.session.plan.sides[seat].name, self.session.keys[seat], self.screen.encoding)
        return f"It is the turn of {name}."

    def clear(self) -> None:
        """Clear the screen and the scrollback. If the output cannot be cleared, print a warning."""
        if sys.stdout.isatty() and not is_dumb():
            sys.stdout.write(CLEARED)
            sys.stdout.flush()
        else:
            self.say(NOT_CLEARED)

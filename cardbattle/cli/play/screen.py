"""Full-screen play: a session with its cards drawn, its options in a list, and a log beside them.

It takes the words that line play takes and tells what line play tells; only this file knows textual.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from cardbattle.cli.play.prompt import KEPT, LONGEST, NOTHING_YET, WHEN_ALONE, Prompt, UserQuit
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean
from cardbattle.core.spelling import MARK, number_mark
from cardbattle.show.console import console, fitted, wants_color
from cardbattle.show.decision import ShownDecision, asked_lines, heading_lines, names_lines, told_lines
from cardbattle.show.drawing import CardPen, drawn_lines
from cardbattle.show.writers.terminal import Pen

if TYPE_CHECKING:
    from rich.console import Console
    from textual.app import ComposeResult
    from textual.events import Resize

COLUMNS, LINES = 80, 24  # the least that it takes
LEAST = 6  # lines of options and log, their frames among them; fewer only where even small cards need it
FRAME = 4  # columns of a frame, with the room inside
WORDS = {"f1": "help", "f2": "?", "f3": "why", "f4": "undo", "ctrl+q": "quit", "ctrl+c": "quit", "escape": ""}
KEYS = " Up/Down+Enter option  PgUp/PgDn log  F1 help F2 rules F3 why F4 undo ^Q quit"
LOG, TOLD = "log", "told; Enter goes back to the log"
WRITE = "an option's number or words, or help"


def check_screen() -> None:
    """Raise UsageError if there is no terminal that could be filled, or it is too small."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("--screen needs a terminal; leave it out and answer line by line")
    size = os.get_terminal_size(sys.stdout.fileno())
    if size.columns < COLUMNS or size.lines < LINES:
        raise UsageError(
            f"--screen needs {COLUMNS} columns and {LINES} lines, and this terminal has {size.columns} and "
            f"{size.lines}; leave it out and answer line by line"
        )


def play_on_screen(prompt: Prompt, color: bool | None) -> bool:
    """Play a session on the full screen until it is over or somebody leaves; say whether it is over.

    What failed is raised once the terminal is given back, as SystemRefused or Refused by `Prompt.keep`.
    """
    is_colored = wants_color(sys.stdout) if color is None else color
    if not is_colored:
        os.environ["NO_COLOR"] = "1"  # textual asks for nothing else
    prompt.keep()
    face = FullScreen(prompt, is_colored)
    face.run()
    if face.failed is not None:
        raise face.failed
    if not prompt.session.is_over:
        prompt.say(KEPT.format(path=clean(prompt.path), again=clean(prompt.again)))
    else:
        prompt.show_last_events()
    return prompt.session.is_over


class FullScreen(App[None]):
    """The screen of one session; `failed` is what ended it, if anything did."""

    TITLE = "cardbattle"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    #heading, #keys { height: 1; text-wrap: nowrap; }
    #scene { height: auto; }
    #asked { height: auto; }
    #below { height: 1fr; min-height: 4; }
    OptionList, #page { width: 1fr; height: 100%; border: round $foreground 50%; padding: 0 1;
        background: $background; scrollbar-size-vertical: 1; }
    .ascii OptionList, .ascii #page { border: ascii $foreground 50%; }
    OptionList > .option-list--option-highlighted { text-style: reverse; }
    .bare #answer > .input--cursor { text-style: reverse; }
    #answer { height: 1; border: none; padding: 0 1; background: $background; }
    #answer:focus { border: none; background-tint: $background 0%; }
    #keys { text-style: reverse; }
    """
    BINDINGS: ClassVar = [
        *(Binding(key, f"word('{word}')", priority=True) for key, word in WORDS.items()),
        *(Binding(key, f"mark({step})", priority=True) for key, step in (("up", -1), ("down", 1))),
        *(Binding(key, f"turn({step})", priority=True) for key, step in (("pageup", -1), ("pagedown", 1))),
    ]

    def __init__(self, prompt: Prompt, is_colored: bool) -> None:
        super().__init__(ansi_color=not is_colored)
        self.prompt = prompt
        self.session = prompt.session
        self.is_colored = is_colored
        self.encoding = prompt.screen.encoding
        self.asked: ShownDecision | None = None  # what is on the screen; nothing while it is handed over
        self.failed: Exception | None = None
        self.is_thinking = False  # about a line that was taken

    def compose(self) -> ComposeResult:
        """Yield the parts of the screen from top to bottom."""
        yield Static(id="heading")
        yield Static(id="scene")
        yield Static(id="asked")
        with Horizontal(id="below"):
            yield OptionList()
            with VerticalScroll(id="page"):
                yield Static(id="told")
        yield Input(id="answer", placeholder=WRITE, max_length=LONGEST)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        """Ask the first question."""
        self.query_one(OptionList).can_focus = False
        self.query_one("#page").can_focus = False
        answer = self.query_one(Input)
        answer.cursor_blink = False
        answer.focus()
        self.screen.set_class(not self.encoding.startswith("utf"), "ascii")
        self.screen.set_class(not self.is_colored, "bare")
        self.call_after_refresh(self.guarded, self.go_on)

    def on_resize(self, event: Resize) -> None:
        """Draw anew in the room there is now."""
        self.call_after_refresh(self.guarded, self.draw)

    def action_word(self, word: str) -> None:
        """Take a word that a key stands for."""
        self.submit(word)

    def action_mark(self, step: int) -> None:
        """Mark the next option, or the one before."""
        options = self.query_one(OptionList)
        (options.action_cursor_down if step > 0 else options.action_cursor_up)()

    def action_turn(self, step: int) -> None:
        """Go on in what stands beside the options, or back."""
        page = self.query_one("#page", VerticalScroll)
        (page.scroll_page_down if step > 0 else page.scroll_page_up)(animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take an option that was pointed at."""
        self.submit(f"{MARK}{event.option_index + 1}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was written, or else the option that is marked."""
        event.input.value = ""
        marked = self.query_one(OptionList).highlighted
        self.submit(event.value.strip() or ("" if marked is None else f"{MARK}{marked + 1}"))

    def submit(self, line: str) -> None:
        """Take a line once the screen has shown that it is being thought about."""
        self.is_thinking = True
        self.query_one("#page").border_title = "..."
        self.call_after_refresh(self.guarded, lambda: self.take(line))

    def guarded(self, does: Callable[[], None]) -> None:
        """Do this; whatever goes wrong ends the screen and is told after it."""
        try:
            does()
        except UserQuit:
            self.exit()
        except Exception as error:
            self.failed = error
            self.exit()
        self.is_thinking = False

    def take(self, line: str) -> None:
        """Do what a line says, or show the screen to the person who was called; Left if it says to stop."""
        if self.asked is not None:
            self.take_answer(self.asked.view.side, line)
        elif line.casefold() == "quit":
            raise UserQuit
        elif line:
            self.draw()
        else:
            self.open_decision()

    def take_answer(self, seat: int, line: str) -> None:
        """Do what a line says, as line play does, and show what that tells; Left once the battle is over."""
        page = CapturedConsole(self.page_width(), self.encoding, self.is_colored)
        before, self.prompt.screen = self.prompt.screen, page.console
        try:
            is_done = self.prompt.heed(seat, line)
        finally:
            self.prompt.screen = before
        if self.session.is_over:
            raise UserQuit
        if is_done:
            self.go_on()
        if self.asked is not None:
            self.tell(page.text())

    def go_on(self) -> None:
        """Ask whoever is asked next; if that is another person, call them first."""
        before, self.prompt.at = self.prompt.at, self.prompt.next_seat()
        if self.prompt.at != before and len(self.session.persons) > 1:
            self.asked = None
            self.draw()
        else:
            self.open_decision()

    def open_decision(self) -> None:
        """Show what the person at the screen is asked."""
        self.asked = self.prompt.shown(self.prompt.at)
        self.prompt.seen[self.prompt.at] = len(self.asked.report.events)
        self.draw()

    def draw(self) -> None:
        """Draw the whole screen, once somebody is asked."""
        if self.prompt.at < 0:
            return
        options = self.query_one(OptionList)
        options.clear_options()
        if self.asked is None:
            called = Text(fitted(f"{self.prompt.called(self.prompt.at)} {WHEN_ALONE}.", self.encoding))
            self.put(called, [], [])
            self.query_one(Input).value = options.border_title = ""  # they tell of the side before
            self.tell(Text())
            return
        shown = self.asked
        pen = CardPen(shown.report, self.paper(self.size.width), self.is_colored, True)
        asked = asked_lines(shown, pen)
        room = self.size.height - 3 - len(asked) - LEAST
        scene = drawn_lines(shown, pen.console, room, self.is_colored)
        self.put(self.heading(shown), scene, asked)
        mark = number_mark(shown.report.rules)
        digits = len(f"{mark}{len(shown.texts)}")
        options.add_options(
            Option(Text(fitted(f"{f'{mark}{n}':>{digits}} {text}", self.encoding)))
            for n, text in enumerate(shown.texts, 1)
        )
        options.border_title = f"{len(shown.texts)} options"
        self.tell(Text())

    def heading(self, shown: ShownDecision) -> Text:
        """Return whose screen it is, as wide as the screen."""
        pen = CardPen(shown.report, self.paper(self.size.width), self.is_colored, True)
        pen.width = self.size.width
        return heading_lines(shown, pen)[0]

    def put(self, heading: Text, scene: list[Text], asked: list[Text]) -> None:
        """Put lines into the upper parts of the screen."""
        for name, lines in (("#heading", [heading]), ("#scene", scene), ("#asked", asked)):
            part = self.query_one(name, Static)
            part.update(Text("\n").join(lines))
            part.display = bool(lines)

    def tell(self, told: Text) -> None:
        """Show what was told beside the options; where that is nothing the log, at its end."""
        page = self.query_one("#page", VerticalScroll)
        page.border_title = TOLD if told.plain else LOG
        self.query_one("#told", Static).update(told if told.plain or self.asked is None else self.log_text())
        page.anchor(not told.plain)  # the end of the log stays in sight, however late it is laid out
        if told.plain:
            page.call_after_refresh(page.scroll_home, animate=False, immediate=True)

    def log_text(self) -> Text:
        """Return all that happened as the side that is asked saw it."""
        assert self.asked is not None
        paper = self.paper(self.page_width())
        pen = CardPen(self.asked.report, paper, self.is_colored, True)
        whose = names_lines(Pen(self.asked.report, paper), self.session.keys)
        return Text("\n").join([*whose, *(told_lines(self.asked.report, 0, pen) or [Text(NOTHING_YET)])])

    def page_width(self) -> int:
        """Return how many columns a line beside the options may have."""
        return self.size.width // 2 - FRAME - 1

    def paper(self, width: int) -> Console:
        """Return a console of this width that writes in the terminal's letters."""
        return CapturedConsole(width, self.encoding, self.is_colored).console


class CapturedConsole:
    """What is printed on a console, kept to be shown elsewhere."""

    def __init__(self, width: int, encoding: str, is_colored: bool) -> None:
        self.bytes = io.BytesIO()
        self.stream = io.TextIOWrapper(self.bytes, encoding=encoding, errors="replace")
        self.console = console(self.stream, is_colored, width)
        self.encoding = encoding

    def text(self) -> Text:
        """Return what was printed, without the empty lines at its end."""
        self.stream.flush()
        return Text.from_ansi(self.bytes.getvalue().decode(self.encoding).rstrip())

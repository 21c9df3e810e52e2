"""Play on the full screen, which shows the cards, a list of options, and a log beside the list.

The full screen accepts the same words as the prompt (`prompt.py`), and shows the same text. Only this module
imports textual.
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

from cardbattle.cli.play.prompt import LONGEST, NOTHING_YET, SAVED, WHEN_ALONE, Prompt, UserQuit
from cardbattle.core.errors import UsageError
from cardbattle.core.names import clean
from cardbattle.core.spelling import MARK, number_mark
from cardbattle.show.console import console, fit_encoding, wants_color
from cardbattle.show.decision import ShownDecision, heading_lines, names_lines, news_lines, question_lines
from cardbattle.show.drawing import CardPen, card_lines
from cardbattle.show.terminal_battle import Pen

if TYPE_CHECKING:
    from rich.console import Console
    from textual.app import ComposeResult
    from textual.events import Resize

COLUMNS, LINES = 80, 24  # minimum size of the terminal
LEAST = 6  # lines for options and log with their frames, unless even small cards need the space
FRAME = 4  # columns of a frame and its padding
WORDS = {"f1": "help", "f2": "?", "f3": "why", "f4": "undo", "ctrl+q": "quit", "ctrl+c": "quit", "escape": ""}
KEYS = " Up/Down+Enter option  PgUp/PgDn log  F1 help F2 rules F3 why F4 undo ^Q quit"
LOG, MESSAGE = "log", "message; Enter returns to the log"
PLACEHOLDER = "number or words of an option, or help"


def check_screen() -> None:
    """Raise UsageError if the output is not a terminal, or if the terminal is too small."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("--screen needs a terminal; leave out --screen to answer at a prompt")
    size = os.get_terminal_size(sys.stdout.fileno())
    if size.columns < COLUMNS or size.lines < LINES:
        raise UsageError(
            f"--screen needs {COLUMNS} columns and {LINES} lines, but this terminal has {size.columns} "
            f"and {size.lines}; leave out --screen to answer at a prompt"
        )


def play_on_screen(prompt: Prompt, color: bool | None) -> bool:
    """Play a session on the full screen. Return True if the battle is over, and False if the user quits.

    An error, such as one of `Prompt.keep`, is raised after the terminal is restored.
    """
    is_colored = wants_color(sys.stdout) if color is None else color
    if not is_colored:
        os.environ["NO_COLOR"] = "1"  # the only switch that textual reads
    prompt.keep()
    app = FullScreen(prompt, is_colored)
    app.run()
    if app.error is not None:
        raise app.error
    if not prompt.session.is_over:
        prompt.say(SAVED.format(path=clean(prompt.path), again=clean(prompt.again)))
    else:
        prompt.show_last_events()
    return prompt.session.is_over


class FullScreen(App[None]):
    """The full screen of one session. `error` is the exception that closed the screen, or None."""

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
        self.asked: ShownDecision | None = None  # None while the next player takes over
        self.error: Exception | None = None
        self.is_thinking = False  # True while a line is being handled

    def compose(self) -> ComposeResult:
        """Yield the widgets from top to bottom."""
        yield Static(id="heading")
        yield Static(id="scene")
        yield Static(id="asked")
        with Horizontal(id="below"):
            yield OptionList()
            with VerticalScroll(id="page"):
                yield Static(id="told")
        yield Input(id="answer", placeholder=PLACEHOLDER, max_length=LONGEST)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        """Set up the widgets and ask the first question."""
        self.query_one(OptionList).can_focus = False
        self.query_one("#page").can_focus = False
        answer = self.query_one(Input)
        answer.cursor_blink = False
        answer.focus()
        self.screen.set_class(not self.encoding.startswith("utf"), "ascii")
        self.screen.set_class(not self.is_colored, "bare")
        self.call_after_refresh(self.run_guarded, self.go_on)

    def on_resize(self, event: Resize) -> None:
        """Redraw for the new size."""
        self.call_after_refresh(self.run_guarded, self.draw)

    def action_word(self, word: str) -> None:
        """Handle a shortcut key as if the player had entered its word."""
        self.submit(word)

    def action_mark(self, step: int) -> None:
        """Highlight the next or previous option."""
        options = self.query_one(OptionList)
        (options.action_cursor_down if step > 0 else options.action_cursor_up)()

    def action_turn(self, step: int) -> None:
        """Scroll the log up or down."""
        page = self.query_one("#page", VerticalScroll)
        (page.scroll_page_down if step > 0 else page.scroll_page_up)(animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.submit(f"{MARK}{event.option_index + 1}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the typed text, or with the highlighted option."""
        event.input.value = ""
        index = self.query_one(OptionList).highlighted
        self.submit(event.value.strip() or ("" if index is None else f"{MARK}{index + 1}"))

    def submit(self, line: str) -> None:
        """Show that the program is busy, then handle an input line."""
        self.is_thinking = True
        self.query_one("#page").border_title = "..."
        self.call_after_refresh(self.run_guarded, lambda: self.take(line))

    def run_guarded(self, action: Callable[[], None]) -> None:
        """Run an action. An exception closes the screen and is stored in `error`."""
        try:
            action()
        except UserQuit:
            self.exit()
        except Exception as error:
            self.error = error
            self.exit()
        self.is_thinking = False

    def take(self, line: str) -> None:
        """Handle an input line.

        If the next player has not sat down yet, an empty line shows the decision. Raises UserQuit for
        `quit`.
        """
        if self.asked is not None:
            self.take_answer(self.asked.view.side, line)
        elif line.casefold() == "quit":
            raise UserQuit
        elif line:
            self.draw()
        else:
            self.open_decision()

    def take_answer(self, seat: int, line: str) -> None:
        """Handle a player's line as the prompt does, and show the output beside the options.

        Raises UserQuit if the battle is over.
        """
        page = CapturedConsole(self.page_width(), self.encoding, self.is_colored)
        before, self.prompt.screen = self.prompt.screen, page.console
        try:
            has_changed = self.prompt.handle(seat, line)
        finally:
            self.prompt.screen = before
        if self.session.is_over:
            raise UserQuit
        if has_changed:
            self.go_on()
        if self.asked is not None:
            self.show_message(page.text())

    def go_on(self) -> None:
        """Show the decision of the seat that answers next, or first ask another person to sit down."""
        before, self.prompt.at = self.prompt.at, self.prompt.next_seat()
        if self.prompt.at != before and len(self.session.persons) > 1:
            self.asked = None
            self.draw()
        else:
            self.open_decision()

    def open_decision(self) -> None:
        """Show the decision of the player at the screen."""
        self.asked = self.prompt.first_decision(self.prompt.at)
        self.prompt.seen[self.prompt.at] = len(self.asked.report.events)
        self.draw()

    def draw(self) -> None:
        """Draw the whole screen. Nothing is drawn before the first question."""
        if self.prompt.at < 0:
            return
        options = self.query_one(OptionList)
        options.clear_options()
        if self.asked is None:
            call = Text(fit_encoding(f"{self.prompt.call_text(self.prompt.at)} {WHEN_ALONE}.", self.encoding))
            self.put(call, [], [])
            self.query_one(Input).value = options.border_title = ""  # hide the previous side's display
            self.show_message(Text())
            return
        decision = self.asked
        pen = CardPen(decision.report, self.paper(self.size.width), self.is_colored, True)
        question = question_lines(decision, pen)
        height = self.size.height - 3 - len(question) - LEAST
        scene = card_lines(decision, pen.console, height, self.is_colored)
        self.put(self.heading(decision), scene, question)
        mark = number_mark(decision.report.rules)
        digits = len(f"{mark}{len(decision.texts)}")
        options.add_options(
            Option(Text(fit_encoding(f"{f'{mark}{n}':>{digits}} {text}", self.encoding)))
            for n, text in enumerate(decision.texts, 1)
        )
        options.border_title = f"{len(decision.texts)} options"
        self.show_message(Text())

    def heading(self, decision: ShownDecision) -> Text:
        """Return the title line, padded to the width of the screen."""
        pen = CardPen(decision.report, self.paper(self.size.width), self.is_colored, True)
        pen.width = self.size.width
        return heading_lines(decision, pen)[0]

    def put(self, heading: Text, scene: list[Text], question: list[Text]) -> None:
        """Show these lines above the options. A widget without lines is hidden."""
        for name, lines in (("#heading", [heading]), ("#scene", scene), ("#asked", question)):
            part = self.query_one(name, Static)
            part.update(Text("\n").join(lines))
            part.display = bool(lines)

    def show_message(self, message: Text) -> None:
        """Show a message beside the options. Without a message, show the end of the log."""
        page = self.query_one("#page", VerticalScroll)
        page.border_title = MESSAGE if message.plain else LOG
        is_message = message.plain or self.asked is None
        self.query_one("#told", Static).update(message if is_message else self.log_text())
        page.anchor(not message.plain)  # keeps the end of the log visible if the layout is computed later
        if message.plain:
            page.call_after_refresh(page.scroll_home, animate=False, immediate=True)

    def log_text(self) -> Text:
        """Return the text of all events that the side at the screen has seen."""
        assert self.asked is not None
        paper = self.paper(self.page_width())
        pen = CardPen(self.asked.report, paper, self.is_colored, True)
        names = names_lines(Pen(self.asked.report, paper), self.session.keys)
        return Text("\n").join([*names, *(news_lines(self.asked.report, 0, pen) or [Text(NOTHING_YET)])])

    def page_width(self) -> int:
        """Return the width of a line beside the options, in columns."""
        return self.size.width // 2 - FRAME - 1

    def paper(self, width: int) -> Console:
        """Return a console of this width with the terminal's encoding."""
        return CapturedConsole(width, self.encoding, self.is_colored).console


class CapturedConsole:
    """A console that captures its output as text, for a widget of the screen."""

    def __init__(self, width: int, encoding: str, is_colored: bool) -> None:
        self.bytes = io.BytesIO()
        self.stream = io.TextIOWrapper(self.bytes, encoding=encoding, errors="replace")
        self.console = console(self.stream, is_colored, width)
        self.encoding = encoding

    def text(self) -> Text:
        """Return the output without trailing empty lines."""
        self.stream.flush()
        return Text.from_ansi(self.bytes.getvalue().decode(self.encoding).rstrip())

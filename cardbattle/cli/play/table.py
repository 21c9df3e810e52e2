"""The prompt of `play --table`, at which people report a battle with real cards move by move."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from typer import Exit

from cardbattle.battles.physical.table_battle import Unclear, lots, read_way
from cardbattle.battles.physical.table_battle_file import table_file_text
from cardbattle.battles.records.reader_view import Report
from cardbattle.battles.records.record import side_options_table
from cardbattle.cli.play.prompt import Lines, UserQuit
from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.ruleset import Lesson
from cardbattle.core.telling import AT_TABLE, AUDIT, TALE, Line
from cardbattle.files.dates import without_accents
from cardbattle.show.battle_text import blocks_for
from cardbattle.show.decision import names_lines, short_names
from cardbattle.show.layout import write_lines
from cardbattle.show.pages import play
from cardbattle.show.terminal_battle import Pen, tale_screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.battles.physical.reconstruction import Group, Seen
    from cardbattle.battles.physical.table_battle import TableBattle
    from cardbattle.battles.records.battle_file import BattlePlan
    from cardbattle.core.telling import Block

OVER = "over"
HOW_TO_REPORT = (
    "Enter what everybody at the table sees, in the words of the rules (forms lists them). You can shorten "
    "words as long as only one choice fits. Write cards as KS or 10H, or in lower case."
)
Standing = tuple[str, list[int]]  # the name of an event field, and its value for each side
UNITS = {"held": "spaces", "sizes": "cards"}
STANDINGS = ("scores", "held", "sizes")  # event fields that have a value for each side
WORDS = {
    "SIDE CHOICE": "report what a side does, such as `york play KH rally`; default: the side to move",
    "KH 7S": "report the cards that are turned up, in the requested order",
    "?": "show the rules for this decision",
    "forms": "show how to write each choice",
    "field": "show which cards lie where, with hidden cards face down",
    "log": "show your lines and everything that happened",
    "undo": "take back the last line; repeat to go further back",
    "over": "end the battle, when no side does anything more",
    "save": "show where the battle is saved (every line is saved at once)",
    "quit": "stop; you can continue the battle later",
    "help": "show this list",
}
FIRST = (
    "Play with your cards and report what everybody sees. The program asks for one move or card after "
    "another; you need not enter passes. If another side acts, begin the line "
    "with the key of that side: {keys}. To correct an error, enter undo; help lists the commands."
)


UNREPORTED = "Enter nothing for a choice that stays face down: {asked}. The program need not know it."
CHANGED = "Your line changes events that were shown before. The corrected events:"
UNLESS = (
    "The next question assumes that no side acts before it. If a side does, enter its key and choice "
    "instead of the answer (see help)."
)
NOTHING_KEPT = "Nothing was entered, so nothing is saved."


def ask_random_house_rules(plan: BattlePlan) -> BattlePlan:
    """Ask for each house rule that chance decides, such as who deals.

    Return the plan with the answers. Raises Exit if the user quits. Nothing is saved then.
    """
    setup, lines = plan.setup.copy(), Lines("", "", None)
    for word in lots(plan):
        try:
            setup.house[word] = ask_lot(plan, word, lines)
        except UserQuit:
            lines.say(NOTHING_KEPT)
            raise Exit from None
    return plan._replace(setup=setup)


def ask_lot(plan: BattlePlan, word: str, lines: Lines) -> str:
    """Ask which side the players chose at random for a house rule, and return the key of the side.

    Raises UserQuit for `quit`.
    """
    keys = plan.setup.seats
    lesson = plan.rules.lots.get(word) or Lesson(f"Who is {word}", (), f"{plan.rules.house[word].help}.")
    names = [side.name.casefold() for side in plan.sides]
    while True:
        line = lines.read(f"{lesson.ask} ({listed(keys, 'or')})? ").casefold()
        if line == "quit":
            raise UserQuit
        matches = [key for key, name in zip(keys, names, strict=True) if line in (key, name)]
        matches = matches or [key for key in keys if line and key.startswith(line)]
        matches = matches or [
            key for key, name in zip(keys, names, strict=True) if line and is_beginning_of_word(line, name)
        ]
        if len(matches) == 1:
            return matches[0]
        if line in ("?", "help"):
            explain_lot(plan, lesson, lines)
        elif line:
            lines.say(f"{clean(line)} is not a side; enter {listed(keys, 'or')}, or quit.")


def is_beginning_of_word(text: str, name: str) -> bool:
    """Return True if a text begins a word of a name. Accents do not matter.

    >>> is_beginning_of_word("roh", "Die Röhrigs"), is_beginning_of_word("hrig", "Die Röhrigs")
    (True, False)
    """
    return f" {without_accents(text)}" in f" {without_accents(name)}".casefold()


def explain_lot(plan: BattlePlan, lesson: Lesson, lines: Lines) -> None:
    """Show the rules about the random choice of a side, and explain how to enter the side."""
    lines.show(play.lesson_page(plan.rules, lesson))
    lines.say(f"Enter {listed(plan.setup.seats, 'or')}; quit stops, and nothing is saved.")


class TableLines(Lines):
    """The prompt at which people report one battle."""

    def __init__(self, table: TableBattle, path: str, again: str, teaches: bool, color: bool | None) -> None:
        super().__init__(path, again, color)
        self.table = table
        self.teaches = teaches
        self.taught: set[int] = set()  # questions already explained
        self.shown: list[Seen] = []  # events shown so far
        self.standing: Standing | None = None
        self.owes_field = False  # True after the end of a round, until the cards on the table are shown
        self.has_said_unless = False
        self.has_explained_names = False

    def text(self) -> str:
        return table_file_text(self.table)

    def play(self) -> bool:
        """Ask until the battle is over or the user quits. Return True if the battle is over.

        Raises SystemFailure if the battle cannot be saved, and InvalidInput if another program has changed
        its file. After Ctrl-C, the method prints the command that continues the battle, and raises
        Abort.
        """
        self.keep()
        if not self.table.lines:
            self.say(FIRST.format(keys=listed(self.table.keys, "or")))
            self.say_unreported()
            for seat in range(len(self.table.keys)):
                self.say_options(seat)
        try:
            while not self.ask():
                pass
        except (UserQuit, KeyboardInterrupt) as reason:
            return self.leave(reason)
        return True

    def say_unreported(self) -> None:
        """Print which secret choices the players do not enter, if the rule set has such choices."""
        asked = [f"{quoted(lesson.ask)} ({lesson.rules[0]})" for lesson in self.unreported()]
        if asked:
            self.say(UNREPORTED.format(asked=listed(asked)))

    def unreported(self) -> list[Lesson]:
        """Return the explanations of the choices that the players do not enter."""
        rules = self.table.rules
        return [rules.lessons[question] for question in rules.unreported if question in rules.lessons]

    def forms(self) -> list[str]:
        """Return the forms of the choices that the players can enter."""
        verbs = {"fate", *(lesson.word for lesson in self.unreported())}
        return [form for form in self.table.rules.forms if form.split()[0] not in verbs]

    def say_options(self, seat: int) -> None:
        """Print the options of a side that differ from their defaults, such as its army."""
        given = side_options_table(self.table.rules, self.table.plan.setup, seat)
        parts = [
            f"{word.replace('_', ' ')} {' '.join(map(str, value)) if isinstance(value, list) else value}"
            for word, value in given.items()
        ]
        if parts:
            self.say(f"{self.name(seat)}: {'; '.join(parts)}.")

    def ask(self) -> bool:
        """Ask for the next move or card until a line is accepted. Return True if the battle is over."""
        self.show_news()
        if self.enter_open_cards():
            return False
        self.say(self.next_question())
        while True:
            line = self.read("table> ")
            if line.casefold() == OVER and self.table.is_over:
                return True
            if line and self.handle(line):
                self.keep()
                return False

    def enter_open_cards(self) -> bool:
        """Enter the next group of cards if they lie open already. Return True if this was done."""
        group = self.table.group
        if group is None or not group.is_open:
            return False
        self.table.report(" ".join(group.cards))
        self.keep()
        return True

    def take_back(self) -> str:
        """Undo the last line that a person entered, and return it."""
        line = self.table.undo()
        while self.table.group is not None and self.table.group.is_open:
            line = self.table.undo()
        return line

    def handle(self, line: str) -> bool:
        """Carry out the report or command on an input line.

        Return True if the battle has changed. Raises UserQuit for `quit`.
        """
        word = line.casefold()
        if word == "quit":
            raise UserQuit
        if word == OVER:
            self.say(f"the battle is not over: {self.table.next_request()}.")
            return False
        if word in WORDS and word != "undo":
            self.explain_word(word)
            return False
        try:
            if word == "undo":
                self.say(f"Taken back: {clean(read_way(self.take_back())[0])}")
                self.standing = None
                del self.shown[self.count_unchanged() :]
            else:
                before = self.table.state.shown
                self.report_line(line)
                self.repeat_cards(before)
        except InvalidInput as error:
            self.say(f"{clean(str(error))}.")
            return False
        return True

    def repeat_cards(self, before: int) -> None:
        """Print which cards the last line gave to which side, if it had more than one group of cards.

        `before` is the number of groups that were reported before the line.
        """
        entered = self.table.replay.groups[before : self.table.state.shown]
        for group in entered if len(entered) > 1 else []:
            self.say(f"{self.reveal_text(group)}: {' '.join(group.cards)}.")

    def report_line(self, line: str) -> None:
        """Report a line about the battle. If the line has several meanings, ask which one is right.

        Raises InvalidInput if the line is not possible.
        """
        try:
            self.table.report(line)
        except Unclear as unclear:
            if len({*unclear.moments}) > 1:
                self.explain_moments(sorted({*unclear.moments}))
            order = unclear.in_order()
            for number, way in enumerate(order, 1):
                self.say(f"  {number} {unclear.ways[way]}")
            self.table.report(line, self.way_meant(line, order))

    def explain_moments(self, moments: Sequence[int]) -> None:
        """Print the event before each moment, which is given as the number of events before it.

        The last sentence about an event says what happened. A table of a fight would only repeat it.
        """
        report = self.report()
        for number, at in enumerate(moments, 1):
            blocks = blocks_for(report, AUDIT, (at - 1, at - 1))
            sentences = [block for block in blocks if isinstance(block, Line)]
            if sentences:
                lines = tale_screen(sentences[-1:], Pen(report, self.screen), TALE)
                before = " ".join(line.plain.strip() for line in lines)
                self.say(f"Moment {number} is after this event ({sentences[-1].rule}): {before}")

    def way_meant(self, line: str, order: Sequence[int]) -> int:
        """Ask which of the meanings of a line is right until the answer is a number, and return its index.

        `order` has the indices of the meanings in the order in which they were shown. Raises InvalidInput
        after an empty answer, and UserQuit after `quit`.
        """
        while True:
            answer = self.read("Which of these happened (number)? ")
            if answer.isdecimal() and 0 < int(answer[:4]) <= len(order):
                return order[int(answer) - 1]
            if answer.casefold() == "quit":
                raise UserQuit
            if not answer:
                raise InvalidInput(f"{quoted(line)} was left out")
            self.say(
                f"Enter a number from 1 to {len(order)}, or an empty line to leave out {quoted(clean(line))}."
            )

    def explain_word(self, word: str) -> None:
        """Print what the user requests with one of WORDS, such as the help, the field or the log."""
        lesson, table = self.lesson(), self.table
        if word == "help":
            self.show(play.help_page(WORDS, HOW_TO_REPORT))
        elif word == "?" and lesson is not None:
            self.show(play.lesson_page(table.rules, lesson))
        elif word == "?":
            self.say(f"The rules: cardbattle rules {table.rules.key}")
        elif word == "forms":
            self.say(f"{listed(self.forms())}.")
        elif word == "field" and table.seat == NOBODY and not table.is_over:
            self.say(
                "First enter the cards that are turned up; then enter field to see which cards lie where."
            )
        elif word == "field":
            self.show_field()
        elif word == "log":
            self.show_lines()
        elif word == "save":
            self.print_saved()
        else:
            self.say("Enter the key of a side and its choice; help shows examples.")

    def show_lines(self) -> None:
        """Show the reported lines and everything that happened, so that people can find an error."""
        for number, line in enumerate(self.table.lines, 1):
            self.say(f"  {number}. {clean(read_way(line)[0])}")
        if self.blocks_since(0) or not self.table.lines:
            self.show_log(self.report())

    def lesson(self) -> Lesson | None:
        """Return the explanation of the current decision or of the cards to enter, if the rules have one."""
        table, group = self.table, self.table.group
        if group is not None:
            request = self.reveal_text(group)
            return Lesson(request, [group.rule], f"{request}. Enter which.") if group.rule else None
        return table.rules.lesson(table.replay.battle.fast_view(table.seat)) if table.seat != NOBODY else None

    def next_question(self) -> str:
        """Return the question about the next move or cards, and explain how to write the answer."""
        table, group = self.table, self.table.group
        if table.is_over:
            return (
                f"These moves end the battle. Enter {OVER} if that is right, or enter a move that is missing."
            )
        if group is not None:
            return f"{self.reveal_text(group)}: which?"
        lesson = self.lesson()
        if lesson is None:
            chooses = choose_form("chooses|choose", table.plan.sides[table.seat].noun.is_plural)
            return f"{self.name(table.seat)} {chooses}: {table.how()}."
        is_new = self.teaches and table.replay.battle.question not in self.taught
        self.taught.add(table.replay.battle.question)
        intro = f"{lesson.words}\n" if is_new else ""
        return f"{intro}{self.name(table.seat)}: {lesson.ask} ({lesson.rules[0]}): {table.how()}."

    def reveal_text(self, group: Group) -> str:
        """Return the beginning of the question about a group of cards, such as `York turns up 1 card`."""
        if group.side == NOBODY:
            return group.describe()
        is_plural = self.table.plan.sides[group.side].noun.is_plural
        return f"{self.name(group.side)} {group.describe(is_plural)}"

    def name(self, seat: int) -> str:
        """Return the name of a side, followed by its key in brackets if the key is different."""
        name, key = self.table.plan.sides[seat].name, self.table.keys[seat]
        return clean(name) if name.casefold() == key else f"{clean(name)} ({key})"

    def count_shown(self) -> int:
        """Return how many events can be shown: all, or those before the cards that people must enter next."""
        table = self.table
        return len(table.replay.seen) if table.group is None else table.group.event

    def count_unchanged(self) -> int:
        """Return how many events at the beginning of `shown` are still the same after the last line."""
        seen = self.table.replay.seen[: self.count_shown()]
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.shown, seen, strict=False)))

    def show_news(self) -> None:
        """Show the new events. If the score has changed, show the score too.

        A line can report something that happened before events that were already shown. Then the corrected
        events are shown again.
        """
        table, unchanged = self.table, self.count_unchanged()
        if self.blocks_since(unchanged):
            self.say(CHANGED)
        self.shown = table.replay.seen[: self.count_shown()]
        self.write(self.blocks_since(unchanged), Pen(self.report(), self.screen))
        rounds = [event for event in self.shown[unchanged:] if event.kind in table.rules.rounds]
        self.owes_field = self.owes_field or bool(rounds and table.lines)
        if rounds and table.group is not None and not self.has_said_unless:
            self.has_said_unless = True
            self.say(UNLESS)
        self.show_standing()
        if self.owes_field and table.seat != NOBODY:
            self.show_field()

    def blocks_since(self, first: int) -> list[Block]:
        """Return the text of the events in `shown` from the index `first` on."""
        return blocks_for(self.report(), TALE, (first, len(self.shown)))

    def show_standing(self) -> None:
        """Print the score if it has changed since the last call."""
        table = self.table
        standing = standing_of(table, self.count_shown() + (table.group is not None))
        is_news = bool(table.lines) and standing != self.standing
        self.standing = standing
        if standing and is_news and not table.is_over:
            each = [f"{self.name(seat)} {value}" for seat, value in enumerate(standing[1])]
            self.say(f"So far: {', '.join(each)} ({UNITS.get(standing[0]) or table.rules.score_word}).")

    def show_field(self) -> None:
        """Show which cards lie where, so that people can compare the program with their table.

        Names are short, so that the columns fit. They are explained the first time.
        """
        self.owes_field = False
        pen, keys = Pen(self.report(), self.screen), self.table.keys
        if not self.has_explained_names:
            write_lines(names_lines(pen, keys), self.screen)
            self.has_explained_names = True
        pen.names = short_names(pen.names, keys)
        self.write(self.table.rules.field(self.table.replay.battle), pen)

    def write(self, blocks: list[Block], pen: Pen) -> None:
        """Print text blocks without leading empty lines."""
        lines = tale_screen(blocks, pen, TALE)
        while lines and not lines[0].plain:
            lines = lines[1:]
        write_lines(lines, self.screen)

    def report(self) -> Report:
        table = self.table
        sides = table.plan.sides
        events = [Event(seen.kind, seen.side, seen.fields, {}, [], False) for seen in self.shown]
        return Report(
            id="",
            rules=table.rules,
            setup=table.replay.referee.setup,
            names=[side.noun for side in sides],
            commanders=[side.commander for side in sides],
            seed=None,
            events=list(enumerate(events)),
            viewer=None,
            winners=[],
            reason="",
            scores=[0] * len(sides),
            losses=["0"] * len(sides),
            pace=AT_TABLE,
        )


def standing_of(table: TableBattle, until: int) -> Standing | None:
    """Return the last score in the first `until` events, or None if these events contain no score."""
    for seen in reversed(table.replay.seen[:until]):
        for field in STANDINGS:
            value = seen.fields.get(field)
            if isinstance(value, list) and [*map(type, value)] == [int] * len(table.keys):
                return field, value
    return None

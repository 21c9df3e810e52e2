"""A battle with real cards, told at the keyboard line by line by the people at the table."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from typer import Exit

from cardbattle.battles.physical.table_battle import Unclear, lots
from cardbattle.battles.physical.table_battle_file import table_file_text
from cardbattle.battles.records.reader_view import Report
from cardbattle.cli.play.prompt import Lines, UserQuit
from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.errors import InvalidInput
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import clean, listed
from cardbattle.core.ruleset import Lesson
from cardbattle.core.telling import AT_TABLE, TALE
from cardbattle.show.battle_text import blocks_for
from cardbattle.show.layout import write_lines
from cardbattle.show.pages import play
from cardbattle.show.writers.terminal import Pen, tale_screen

if TYPE_CHECKING:
    from cardbattle.battles.physical.reconstruction import Group, Seen
    from cardbattle.battles.physical.table_battle import TableBattle
    from cardbattle.battles.records.battle_file import BattlePlan
    from cardbattle.core.telling import Block

OVER = "over"
TELLING = (
    "Tell what everybody at the table sees, in the words that the rules and records use; the beginning of "
    "each word is enough where only one choice begins so. Cards are KS or 10H, small letters will do."
)
Standing = tuple[str, list[int]]  # the field that says it, and its value for each side
UNITS = {"held": "spaces", "sizes": "cards"}
STANDINGS = ("scores", "held", "sizes")  # fields of events that say how a battle stands, by side
WORDS = {
    "SIDE CHOICE": "what a side does, as `york play KH rally`; without the side it is the one that is asked",
    "KH 7S": "the cards that are turned up, in the order in which they are asked for",
    "?": "the rules that apply, with their numbers",
    "forms": "how each choice is written",
    "field": "what lies where, as everybody sees it",
    "log": "the lines you told, and all that happened so far",
    "undo": "take back the last line, and the one before it, as far back as you like",
    "over": "the battle is over, and nobody does anything more",
    "save": "where the battle is kept; every line is kept at once",
    "quit": "stop; the battle is kept and can go on",
    "help": "this list",
}
FIRST = (
    "Play with your cards, and tell the program what everybody sees: it asks for each thing in turn. Passes "
    "need not be told. When a side does something that it is not asked for, as to play a special, begin with "
    "its key: {key} play ... A slip is taken back with undo; help lists the words."
)


ANEW = "With that it has gone otherwise than was told:"
UNLESS = "That stands unless somebody plays something; then write what, as help says."
NOTHING_KEPT = "Nothing was told yet, so nothing is kept."


def settled(plan: BattlePlan) -> BattlePlan:
    """Return a plan in which somebody has said what else the lot would settle, as who deals.

    Exit if they leave: nothing was told yet, and nothing is kept.
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
    """Ask whom the lot has named until a line says it, and return the key; Left if it says to stop."""
    keys = plan.setup.seats
    lesson = plan.rules.lots.get(word) or Lesson(f"Who is {word}", (), f"{plan.rules.house[word].help}.")
    names = [side.name.casefold() for side in plan.sides]
    while True:
        line = lines.read(f"{lesson.ask} ({listed(keys, 'or')})? ").casefold()
        if line == "quit":
            raise UserQuit
        meant = [key for key, name in zip(keys, names, strict=True) if line in (key, name)]
        meant = meant or [key for key in keys if line and key.startswith(line)]
        if len(meant) == 1:
            return meant[0]
        if line in ("?", "help"):
            explain_lot(plan, lesson, lines)
        elif line:
            lines.say(f"{clean(line)} is none of them; write {listed(keys, 'or')}, or quit.")


def explain_lot(plan: BattlePlan, lesson: Lesson, lines: Lines) -> None:
    """Tell what the lot decides, by which rules, and how it need not be asked."""
    lines.show(play.lesson_page(plan.rules, lesson))
    lines.say(f"Write {listed(plan.setup.seats, 'or')}; quit leaves, and nothing is kept.")


class TableLines(Lines):
    """The keyboard beside a table, at which one battle is told; kept in a file at every line."""

    def __init__(self, table: TableBattle, path: str, again: str, teaches: bool, color: bool | None) -> None:
        super().__init__(path, again, color)
        self.table = table
        self.teaches = teaches
        self.taught: set[int] = set()  # questions that were explained
        self.shown: list[Seen] = []  # what the screen has told
        self.standing: Standing | None = None
        self.owes_field = False  # a round is over, and what lies where was not shown since
        self.told_unless = False  # that somebody may still play something was said

    def text(self) -> str:
        """Return the battle as its file has it."""
        return table_file_text(self.table)

    def play(self) -> bool:
        """Ask for what comes next until the battle is over; say whether it is, or somebody left.

        SystemRefused if the battle cannot be kept; Refused if somebody else changed its file meanwhile;
        KeyboardInterrupt by Ctrl-C, once it is said how to go on.
        """
        self.keep()
        if not self.table.lines:
            self.say(FIRST.format(key=self.table.keys[0]))
        try:
            while not self.ask():
                pass
        except (UserQuit, KeyboardInterrupt) as left:
            return self.leave(left)
        return True

    def ask(self) -> bool:
        """Ask for the next thing, and take a line; say whether the battle is over."""
        self.show_news()
        self.say(self.wanted())
        while True:
            line = self.read("table> ")
            if line.casefold() == OVER and self.table.is_over:
                return True
            if line and self.heed(line):
                self.keep()
                return False

    def heed(self, line: str) -> bool:
        """Do what a line says and say whether the battle has gone on; Left if it says to stop."""
        word = line.casefold()
        if word == "quit":
            raise UserQuit
        if word == OVER:
            self.say(f"the battle is not over: {self.table.wanted()}.")
            return False
        if word in WORDS and word != "undo":
            self.explain_word(word)
            return False
        try:
            if word == "undo":
                self.say(f"Taken back: {clean(self.table.undo())}")
                self.standing = None
                del self.shown[self.unchanged_count() :]
            else:
                self.tell(line)
        except InvalidInput as error:
            self.say(f"{clean(str(error))}.")
            return False
        return True

    def tell(self, line: str) -> None:
        """Hand a line to the table; ask which way is meant if there are several. Refused if it cannot be."""
        try:
            self.table.tell(line)
        except Unclear as unclear:
            for number, way in enumerate(unclear.ways, 1):
                self.say(f"  {number} {way}")
            told = self.read("Which of these was it? ")
            if not (told.isdecimal() and 0 < int(told[:4]) <= len(unclear.ways)):
                raise InvalidInput(
                    f"expected a number from 1 to {len(unclear.ways)}; nothing was taken"
                ) from None
            self.table.tell(line, int(told) - 1)

    def explain_word(self, word: str) -> None:
        """Answer what somebody asks beside the battle."""
        lesson, table = self.lesson(), self.table
        if word == "help":
            self.show(play.help_page(WORDS, TELLING))
        elif word == "?" and lesson is not None:
            self.show(play.lesson_page(table.rules, lesson))
        elif word == "?":
            self.say(f"cardbattle rules {self.table.rules.key} has the rules.")
        elif word == "forms":
            self.say(f"{listed([form for form in self.table.rules.forms if not form.startswith('fate')])}.")
        elif word == "field" and table.seat == NOBODY and not table.is_over:
            self.say(f"First tell what is turned up; then {word} shows what lies where.")
        elif word == "field":
            self.show_field()
        elif word == "log":
            self.show_lines()
        elif word == "save":
            self.print_saved()
        else:
            self.say("Write it with a side and a choice, as help says.")

    def show_lines(self) -> None:
        """Show the lines that were told, to find a slip, and all that they came to."""
        for number, line in enumerate(self.table.lines, 1):
            self.say(f"  {number}. {clean(line)}")
        if self.blocks_since(0) or not self.table.lines:
            self.show_log(self.report())

    def lesson(self) -> Lesson | None:
        """Return what the side that is asked is asked, or what is turned up; None if nobody wrote it."""
        table, group = self.table, self.table.group
        if group is not None:
            told = self.turned_up(group)
            return Lesson(told, [group.rule], f"{told}. Write which.") if group.rule else None
        return (
            table.rules.lesson(table.course.battle.shared_view(table.seat)) if table.seat != NOBODY else None
        )

    def wanted(self) -> str:
        """Say what is to be told next, and how it is written."""
        table, group = self.table, self.table.group
        if table.is_over:
            return f"The battle is over as it was told. Write {OVER} if it is, or what is missing."
        if group is not None:
            return f"{self.turned_up(group)}: which?"
        lesson = self.lesson()
        if lesson is None:
            chooses = choose_form("chooses|choose", table.plan.sides[table.seat].noun.is_plural)
            return f"{self.name(table.seat)} {chooses}: {table.how()}."
        taught = (
            f"{lesson.words}\n" if self.teaches and table.course.battle.question not in self.taught else ""
        )
        self.taught.add(table.course.battle.question)
        asked = f"{lesson.ask} ({lesson.rules[0]})"
        return f"{taught}{self.name(table.seat)}: {asked}: {table.how()}."

    def turned_up(self, group: Group) -> str:
        """Return which cards are asked for, as a sentence without its end."""
        if group.side == NOBODY:
            return group.deed()
        is_plural = self.table.plan.sides[group.side].noun.is_plural
        return f"{self.name(group.side)} {group.deed(is_plural)}"

    def name(self, seat: int) -> str:
        """Return the name of a side, with its key where that is another word."""
        name, key = self.table.plan.sides[seat].name, self.table.keys[seat]
        return clean(name) if name.casefold() == key else f"{clean(name)} ({key})"

    def shown_count(self) -> int:
        """Return how many things were seen before the cards that are asked for, if nobody adds anything."""
        table = self.table
        return len(table.course.seen) if table.group is None else table.group.event

    def unchanged_count(self) -> int:
        """Return how many of the things that were shown have not become others since."""
        seen = self.table.course.seen[: self.shown_count()]
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.shown, seen, strict=False)))

    def show_news(self) -> None:
        """Show what has happened since this was done last, and how the battle stands if that has changed.

        What was shown and has become something else, as somebody has played a special, is told anew.
        """
        table, told = self.table, self.unchanged_count()
        if self.blocks_since(told):
            self.say(ANEW)
        self.shown = table.course.seen[: self.shown_count()]
        self.write(self.blocks_since(told))
        rounds = [one for one in self.shown[told:] if one.kind in table.rules.rounds]
        self.owes_field = self.owes_field or bool(rounds and table.lines)
        if rounds and table.group is not None and not self.told_unless:
            self.told_unless = True
            self.say(UNLESS)
        self.show_standing()
        if self.owes_field and table.seat != NOBODY:
            self.show_field()

    def blocks_since(self, first: int) -> list[Block]:
        """Return what is told of the things shown, from the first that is wanted, counted from 0."""
        return blocks_for(self.report(), TALE, (first, len(self.shown)))

    def show_standing(self) -> None:
        """Say how the battle stands if that has changed; at its beginning and its end the tale has it."""
        table = self.table
        standing = standing_of(table, self.shown_count() + (table.group is not None))
        is_news = bool(table.lines) and standing != self.standing
        self.standing = standing
        if standing and is_news and not table.is_over:
            each = [f"{self.name(seat)} {one}" for seat, one in enumerate(standing[1])]
            self.say(f"So far: {', '.join(each)} ({UNITS.get(standing[0]) or table.rules.score_word}).")

    def show_field(self) -> None:
        """Show what lies where, to be compared with the table."""
        self.owes_field = False
        self.write(self.table.rules.field(self.table.course.battle))

    def write(self, blocks: list[Block]) -> None:
        """Print what is told, without the empty lines it begins with."""
        lines = tale_screen(blocks, Pen(self.report(), self.screen), TALE)
        while lines and not lines[0].plain:
            lines = lines[1:]
        write_lines(lines, self.screen)

    def report(self) -> Report:
        """Return the battle as it was shown, its events numbered from 0."""
        table = self.table
        sides = table.plan.sides
        events = [Event(seen.kind, seen.side, seen.fields, {}, [], False) for seen in self.shown]
        return Report(
            id="",
            rules=table.rules,
            setup=table.course.referee.setup,
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
    """Return how a battle stood by the last of so many things seen that says it, None if none does."""
    for seen in reversed(table.course.seen[:until]):
        for field in STANDINGS:
            value = seen.fields.get(field)
            if isinstance(value, list) and [*map(type, value)] == [int] * len(table.keys):
                return field, value
    return None

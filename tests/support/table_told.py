"""Report battles that the program fought as players at a table would, from their public events."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cardbattle.battles.physical.reconstruction import Group, Seen, groups_of, shape_of
from cardbattle.battles.physical.table_battle import TableBattle, Unclear
from cardbattle.battles.records.battle_file import BattlePlan, SidePlan
from cardbattle.core.battle import NOBODY
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet, Setup

SPECIALS = ("seven", "switch")  # whose cost is reported with them


class Choice(NamedTuple):
    """What a side chose: its key, the words, and how many things everybody had seen before.

    `is_covered` says that nobody else sees it, `is_silent` that it goes without saying.
    """

    key: str
    text: str
    at: int
    is_covered: bool
    is_silent: bool


class Fought(NamedTuple):
    """A battle the machine has fought: its referee, the choices, and what everybody saw.

    `fields` has what lay where when somebody chose, with how many things everybody had seen before.
    """

    referee: Referee
    choices: list[Choice]
    seen: list[Seen]
    groups: list[Group]
    fields: set[tuple[int, str]]


def fought_by_machine(rules: RuleSet, setup: Setup, seed: int, wild: int = 3) -> Fought:
    """Return a battle of regular commanders, each of whom chooses at random once in `wild` times."""
    chance = stream(seed, "wild")

    def choose(referee: Referee) -> int:
        battle = referee.battle
        if not chance.below(wild):
            return chance.below(len(battle.options))
        return rules.regular(battle.fast_view(battle.side), chance)

    return fought_by(Referee(rules, setup.copy(), Drawn(stream(seed, "battle"))), choose)


def fought_by(referee: Referee, choose: Callable[[Referee], int]) -> Fought:
    """Return a battle fought to its end by choices, each an index into the options."""
    rules, choices = referee.rules, []
    fields = set()
    while not referee.battle.is_over():
        battle = referee.battle
        index = choose(referee)
        text, at = referee.text(index), len(seen_by_all(referee))
        fields.add((at, repr(rules.field(battle))))
        is_silent = text == rules.default_answer(battle)
        choices.append(Choice(referee.key, text, at, battle.question in rules.blind, is_silent))
        referee.choose(index)
    seen = seen_by_all(referee)
    groups = [group for n, one in enumerate(seen) for group in groups_of(rules, one, seen[:n], set())]
    return Fought(referee, choices, seen, groups, fields)


def seen_by_all(referee: Referee) -> list[Seen]:
    """Return what everybody has seen of a battle."""
    events = [event.seen_by(NOBODY) for _, event in referee.events]
    return [Seen(event.kind, event.side, event.fields) for event in events if event is not None]


def plan_at_table(rules: RuleSet, setup: Setup, identity: str = "told") -> BattlePlan:
    """Return the plan of a battle without any known cards."""
    sides = [SidePlan(key.title(), "human", [], "human") for key in setup.seats]
    bare = Setup(setup.seats, dict(setup.house), setup.sides, {}, setup.base)
    return BattlePlan(identity, rules, None, bare, sides, {})


class Teller:
    """A player at the table, who reports the public events of a battle."""

    def __init__(self, fought: Fought) -> None:
        self.fought = fought
        self.told = 0  # choices

    def next_line(self, table: TableBattle) -> str:
        """Return the next report, or an empty text if everything is reported."""
        self.skip(table)
        choices = self.fought.choices
        choice = choices[self.told] if self.told < len(choices) else None
        group = table.group
        if group is not None and (choice is None or group.event < choice.at):
            return self.shown(table, group)
        if choice is None:
            return ""
        self.told += 1
        return f"{choice.key} {self.worded(table, choice)}"

    def skip(self, table: TableBattle) -> None:
        """Skip choices that need no report, or that no player at the table sees."""
        choices = self.fought.choices
        while self.told < len(choices):
            choice = choices[self.told]
            is_asked = bool(table.shapes()) and table.keys[table.seat] == choice.key
            if not choice.is_silent and (is_asked or not choice.is_covered):
                return
            self.told += 1

    def worded(self, table: TableBattle, choice: Choice) -> str:
        """Return a choice as the table sees it."""
        if choice.is_covered:
            return shape_of(choice.text)
        if choice.text in SPECIALS:
            paid = self.fought.seen[choice.at].fields["paid"]
            assert isinstance(paid, list)
            return " ".join([choice.text, *(table.rules.card_text(card) for card in paid)])
        return choice.text

    def shown(self, table: TableBattle, group: Group) -> str:
        """Return the cards that are turned up; or what a side has to play that nobody knew it held."""
        seen = next(seen for seen in self.fought.seen[group.event :] if seen.kind != "last_stand")
        if seen.kind == "announced" and table.replay.seen[group.event].kind != seen.kind:
            told = table.rules.as_json(seen_event(seen), table.keys)
            return " ".join(str(told[word]) for word in ("side", "card", "target") if word in told).replace(
                " ", " play ", 1
            )
        true = next(
            one
            for one in self.fought.groups
            if (one.event, one.side, one.does) == (group.event, group.side, group.does)
        )
        return " ".join(true.cards)

    def way(self, table: TableBattle, line: str) -> int:
        """Return which of several ways was meant: the one that shows what was seen."""
        choice = self.fought.choices[self.told - 1]
        truly = (choice.at, repr(self.fought.seen[choice.at : choice.at + 1]))
        ways = table.ways_of(*table.mover(line))
        found = [n for n, course in enumerate(ways) if truly == table.distinguishing_facts(course)]
        return found[0]

    def tell(self, table: TableBattle, line: str) -> None:
        """Report a line, and which of several ways is meant."""
        try:
            table.report(line)
        except Unclear:
            table.report(line, self.way(table, line))

    def tell_all(self, table: TableBattle) -> None:
        """Tell the whole battle; what lies where at a choice must be what truly lay there."""
        while line := self.next_line(table):
            if table.seat != NOBODY and self.is_next(table):
                field = repr(table.rules.field(table.replay.battle))
                assert (len(table.replay.seen), field) in self.fought.fields
            self.tell(table, line)
            assert table.replay.seen[: table.state.fixed] == self.fought.seen[: table.state.fixed], line

    def is_next(self, table: TableBattle) -> bool:
        """Return True if the choice that was just written is the one that the table asks for."""
        choice = self.fought.choices[self.told - 1]
        return (choice.key, choice.at) == (table.keys[table.seat], len(table.replay.seen))


def seen_event(seen: Seen):  # type: ignore[no-untyped-def]
    """Return what was seen as an event."""
    from cardbattle.core.battle import Event

    return Event(seen.kind, seen.side, seen.fields, {}, [], False)

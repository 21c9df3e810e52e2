"""Convert choices in Strategy WAR to text, and write the log of a battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.names import quoted
from cardbattle.core.telling import (
    AT_TABLE,
    AUDIT,
    TALE,
    Block,
    Card,
    Grid,
    Heading,
    Inflection,
    Line,
    Name,
    Parts,
    Tale,
    Words,
    clause,
    counted,
    number,
    numbers,
    spaced,
)
from cardbattle.rules.strategy_war.battle import TIMEOUT
from cardbattle.rules.strategy_war.options import rank_text, read_rank

if TYPE_CHECKING:
    from cardbattle.core.battle import Event
    from cardbattle.core.telling import Facts

WORDS = {
    "rolled_over": Words("SW-7", TALE, "No card stands alone: {pot} points roll over."),
    "pot_lost": Words("SW-8", TALE, "No card stands alone: {pot} points are lost on the battlefield."),
}
SCORE_EVERY = 3  # number of rounds between two reports of the running score


def choice_text(choice: int) -> str:
    return "timeout" if choice == TIMEOUT else f"commit {rank_text(choice)}"


def why_not(text: str) -> str:
    """Return the reason why a choice is not possible, or "" without a specific reason."""
    word, _, rank = text.strip().partition(" ")
    if word.casefold() != "commit":
        return ""
    try:
        return f"{rank_text(read_rank(rank))} is not in the hand"
    except ValueError:
        return f"{quoted(rank)} is not a rank"


class StrategyTale(Tale):
    """The log of a battle, round by round. It ends with a table of all rounds."""

    words = WORDS

    def __init__(self, rules: Facts, sides: int) -> None:
        super().__init__(rules, sides)
        self.round = 0
        self.in_time: list[int] = []  # the cards that were played in time in this round
        self.scores: list[int] = []  # the running scores; empty if the reader may not know them
        self.columns: dict[int, list[Parts]] = {}  # by round: the cells of the grid, one for each side

    def on_round_begun(self, event: Event) -> list[Block]:
        """Report that a round begins, and its pot (SW-18). Every SCORE_EVERY rounds, report the score too."""
        self.round, carry = number(event, "round"), number(event, "carry")
        remark: Parts = [f"{counted(carry, 'point')} in the pot"] if carry else []
        blocks: list[Block] = [Heading([f"Round {self.round} of {number(event, 'rounds')}"], remark)]
        if any(self.scores) and self.pace != AT_TABLE and self.round % SCORE_EVERY == 1:
            blocks.append(Line(["So far: ", *standings(self.scores), "."], "SW-18"))
        return blocks

    def on_committed(self, event: Event) -> list[Block]:
        """Report that a side has chosen. If the reader knows the card, show it (SW-18)."""
        if "card" not in event.fields:
            return [Line(clause(event.side, "commits|commit", " a card."), "SW-18", AUDIT)]
        card = Card(rank_text(number(event, "card")))
        if event.fields["in_time"]:
            return [Line(clause(event.side, "commits|commit", " ", card, "."), "SW-4", AUDIT)]
        late = clause(
            event.side, "is|are", " out of time and ", Inflection(event.side, "sacrifices|sacrifice")
        )
        return [Line([*late, " ", card, "."], "SW-13", AUDIT)]

    def on_revealed(self, event: Event) -> list[Block]:
        """Show the cards that are turned up. In a dark battle, their owners are hidden (SW-19)."""
        if "cards" not in event.fields:
            return [self.in_the_dark(event)]
        cards, late = numbers(event, "cards"), numbers(event, "timed_out")
        self.in_time = [card for side, card in enumerate(cards) if side not in late]
        self.columns[self.round] = column(cards, late, NOBODY)
        return [Line([*cards_by_side(cards, late), "."], "SW-5")]

    def in_the_dark(self, event: Event) -> Line:
        """Return the line that names the cards of a round without their owners (SW-19)."""
        self.in_time = numbers(event, "pooled")
        shown = cards_in(self.in_time)
        for card in numbers(event, "sacrificed"):
            shown += [*comma(shown), "sacrificed ", Card(rank_text(card))]
        return Line(["Turned up: ", *shown, "."], "SW-19")

    def on_won(self, event: Event) -> list[Block]:
        """Report the winner, the pot, and the higher cards that cancelled each other (SW-5, SW-6)."""
        card, pot = number(event, "card"), number(event, "pot")
        winner: Parts = ["Somebody wins"]
        if "winner" in event.fields:
            seat = number(event, "winner")
            winner = clause(seat, "wins|win")
            self.scores = numbers(event, "scores")
            if self.round in self.columns:
                self.columns[self.round][seat].append("*")
        sentence: Parts = [*winner, f" {counted(pot, 'point')} with ", Card(rank_text(card))]
        higher = sorted([rival for rival in self.in_time if rival > card], reverse=True)
        if higher:
            sentence += ["; ", *cards_in(higher), " cancel each other out"]
        return [Line([*sentence, "."], "SW-6")]

    def on_unveiled(self, event: Event) -> list[Block]:
        """If the reader does not know a round of a dark battle, reveal it (SW-20)."""
        at, winner = number(event, "round"), number(event, "winner")
        if at in self.columns:
            return []
        cards, late = numbers(event, "cards"), numbers(event, "timed_out")
        blocks: list[Block] = [] if self.columns else [Heading(["The veil is lifted"])]
        self.columns[at] = column(cards, late, winner)
        won: Parts = ["nobody"] if winner == NOBODY else [Name(winner)]
        blocks.append(Line([f"Round {at}: ", *cards_by_side(cards, late), "; ", *won, " won."], "SW-20"))
        return blocks

    def on_ended(self, event: Event) -> list[Block]:
        """Show a table of all rounds, and count the points (SW-10)."""
        scores, lost = numbers(event, "scores"), number(event, "lost_pot")
        points = Line(["Points: ", *standings(scores), "."], "SW-10")
        blocks: list[Block] = [Heading(["All rounds"]), self.grid(), points]
        if lost:
            blocks.append(Line([counted(lost, "point"), " went to nobody."], "SW-8"))
        return blocks

    def grid(self) -> Grid:
        """Return a table of the rounds, with a row for each side. A star marks the winner of a round."""
        head: list[Parts] = [["* won"]]
        head += [[str(at)] for at in self.columns]
        rows: list[list[Parts]] = [
            [[Name(side)], *(cells[side] for cells in self.columns.values())] for side in range(self.sides)
        ]
        return Grid(head, rows)


def cards_in(cards: list[int]) -> Parts:
    return spaced([Card(rank_text(card)) for card in cards])


def cards_by_side(cards: list[int], late: list[int]) -> Parts:
    """Return each side with its card. Sides without a card are left out (SW-21)."""
    shown: Parts = []
    for side, card in enumerate(cards):
        if card:
            shown += [*comma(shown), Name(side), " ", Card(rank_text(card))]
            shown += [" (out of time)"] if side in late else []
    return shown


def column(cards: list[int], late: list[int], winner: int) -> list[Parts]:
    """Return a round as table cells: a sacrificed card in brackets, the winner's card with a star."""
    cells: list[Parts] = []
    for side, card in enumerate(cards):
        shown = Card(rank_text(card))
        cell: Parts = ["(", shown, ")"] if side in late else [shown] if card else ["-"]
        cells.append([*cell, "*"] if side == winner else cell)
    return cells


def standings(scores: list[int]) -> Parts:
    """Return the sides with their points, the best side first.

    >>> standings([20, 36])
    [Name(seat=1), ' 36', ', ', Name(seat=0), ' 20']
    """
    order = sorted(range(len(scores)), key=lambda side: -scores[side])
    shown: Parts = []
    for side in order:
        shown += [*comma(shown), Name(side), f" {scores[side]}"]
    return shown


def comma(shown: Parts) -> Parts:
    """Return the separator before the next item: a comma, or an empty list before the first item."""
    return [", "] if shown else []

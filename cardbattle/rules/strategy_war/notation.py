"""Strategy WAR in words: choices and the tale of a battle."""

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
SCORE_EVERY = 3  # rounds from one line with the running score to the next


def choice_text(choice: int) -> str:
    """Return the text of a choice."""
    return "timeout" if choice == TIMEOUT else f"commit {rank_text(choice)}"


def why_not(text: str) -> str:
    """Say what is wrong with a choice that is not on offer."""
    word, _, rank = text.strip().partition(" ")
    if word.casefold() != "commit":
        return ""
    try:
        return f"{rank_text(read_rank(rank))} is not in the hand"
    except ValueError:
        return f"{quoted(rank)} is no rank"


class StrategyTale(Tale):
    """Tells a battle round by round, and shows all rounds beside each other at the end."""

    words = WORDS

    def __init__(self, rules: Facts, sides: int) -> None:
        super().__init__(rules, sides)
        self.round = 0
        self.in_time: list[int] = []  # the cards of this round that count
        self.scores: list[int] = []  # empty where the reader does not know them
        self.columns: dict[int, list[Parts]] = {}  # round: each side's cell of the grid

    def on_round_begun(self, event: Event) -> list[Block]:
        """Head a round with the pot that waits, now and then tell the score (SW-18)."""
        self.round, carry = number(event, "round"), number(event, "carry")
        remark: Parts = [f"{counted(carry, 'point')} in the pot"] if carry else []
        told: list[Block] = [Heading([f"Round {self.round} of {number(event, 'rounds')}"], remark)]
        if any(self.scores) and self.pace != AT_TABLE and self.round % SCORE_EVERY == 1:
            told.append(Line(["So far: ", *standings(self.scores), "."], "SW-18"))
        return told

    def on_committed(self, event: Event) -> list[Block]:
        """Tell that a side has chosen, and what if the reader knows (SW-18)."""
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
        """Show the cards as they are turned up, in the dark without their owners (SW-19)."""
        if "cards" not in event.fields:
            return [self.in_the_dark(event)]
        cards, late = numbers(event, "cards"), numbers(event, "timed_out")
        self.in_time = [card for side, card in enumerate(cards) if side not in late]
        self.columns[self.round] = column(cards, late, NOBODY)
        return [Line([*who_played_what(cards, late), "."], "SW-5")]

    def in_the_dark(self, event: Event) -> Line:
        """Name the cards but not who played them (SW-19)."""
        self.in_time = numbers(event, "pooled")
        shown = cards_in(self.in_time)
        for card in numbers(event, "sacrificed"):
            shown += [*comma(shown), "sacrificed ", Card(rank_text(card))]
        return Line(["Turned up: ", *shown, "."], "SW-19")

    def on_won(self, event: Event) -> list[Block]:
        """Tell who wins how much, and which higher cards cancel each other out (SW-5, SW-6)."""
        card, pot = number(event, "card"), number(event, "pot")
        winner: Parts = ["Somebody wins"]
        if "winner" in event.fields:
            seat = number(event, "winner")
            winner = clause(seat, "wins|win")
            self.scores = numbers(event, "scores")
            if self.round in self.columns:
                self.columns[self.round][seat].append("*")
        told: Parts = [*winner, f" {counted(pot, 'point')} with ", Card(rank_text(card))]
        higher = sorted([other for other in self.in_time if other > card], reverse=True)
        if higher:
            told += ["; ", *cards_in(higher), " cancel each other out"]
        return [Line([*told, "."], "SW-6")]

    def on_unveiled(self, event: Event) -> list[Block]:
        """Lift the veil off a round of a dark battle (SW-20), unless the reader saw through it."""
        at, winner = number(event, "round"), number(event, "winner")
        if at in self.columns:
            return []
        cards, late = numbers(event, "cards"), numbers(event, "timed_out")
        told: list[Block] = [] if self.columns else [Heading(["The veil is lifted"])]
        self.columns[at] = column(cards, late, winner)
        won: Parts = ["nobody"] if winner == NOBODY else [Name(winner)]
        told.append(Line([f"Round {at}: ", *who_played_what(cards, late), "; ", *won, " won."], "SW-20"))
        return told

    def on_ended(self, event: Event) -> list[Block]:
        """Show who played what in every round, and count the points (SW-10)."""
        scores, lost = numbers(event, "scores"), number(event, "lost_pot")
        points = Line(["Points: ", *standings(scores), "."], "SW-10")
        told: list[Block] = [Heading(["All rounds"]), self.grid(), points]
        if lost:
            told.append(Line([counted(lost, "point"), " went to nobody."], "SW-8"))
        return told

    def grid(self) -> Grid:
        """Return all rounds told of, a row for each side; a star marks who won."""
        head: list[Parts] = [["* won"]]
        head += [[str(at)] for at in self.columns]
        rows: list[list[Parts]] = [
            [[Name(side)], *(cells[side] for cells in self.columns.values())] for side in range(self.sides)
        ]
        return Grid(head, rows)


def cards_in(cards: list[int]) -> Parts:
    """Return cards as a sentence has them."""
    return spaced([Card(rank_text(card)) for card in cards])


def who_played_what(cards: list[int], late: list[int]) -> Parts:
    """Return each side with its card; a side that sits out is not named (SW-21)."""
    shown: Parts = []
    for side, card in enumerate(cards):
        if card:
            shown += [*comma(shown), Name(side), " ", Card(rank_text(card))]
            shown += [" (out of time)"] if side in late else []
    return shown


def column(cards: list[int], late: list[int], winner: int) -> list[Parts]:
    """Return one round as cells of the grid: a sacrifice in brackets, a star on the winner's."""
    cells: list[Parts] = []
    for side, card in enumerate(cards):
        shown = Card(rank_text(card))
        cell: Parts = ["(", shown, ")"] if side in late else [shown] if card else ["-"]
        cells.append([*cell, "*"] if side == winner else cell)
    return cells


def standings(scores: list[int]) -> Parts:
    """Return the sides with their points, the best first.

    >>> standings([20, 36])
    [Name(seat=1), ' 36', ', ', Name(seat=0), ' 20']
    """
    order = sorted(range(len(scores)), key=lambda side: -scores[side])
    shown: Parts = []
    for side in order:
        shown += [*comma(shown), Name(side), f" {scores[side]}"]
    return shown


def comma(shown: Parts) -> Parts:
    """Return what comes before the next item: a comma, unless it is the first."""
    return [", "] if shown else []

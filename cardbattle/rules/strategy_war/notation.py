"""Strategy WAR in words: choices and the tale of a battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.cards import RANKS
from cardbattle.core.telling import (
    AUDIT,
    BRIEF,
    Block,
    Card,
    Grid,
    Heading,
    Line,
    Name,
    Parts,
    Tale,
    Words,
    counted,
    spaced,
)
from cardbattle.rules.strategy_war.battle import TIMEOUT

if TYPE_CHECKING:
    from cardbattle.core.battle import Event

WORDS = {
    "committed": Words("SW-4", AUDIT, "{side} commits {card}."),
    "timed_out": Words("SW-13", AUDIT, "{side} misses the deadline and sacrifices {card}."),
    "won": Words("SW-6", 1, "{winner} wins {pot} with {card}.", "Somebody wins {pot} with {card}."),
    "rolled_over": Words("SW-7", 1, "No card stands alone: {pot} points roll over."),
    "pot_lost": Words("SW-8", 1, "No card stands alone: {pot} points are lost on the battlefield."),
}


def choice_text(choice: int) -> str:
    """Return the text of a choice."""
    return "timeout" if choice == TIMEOUT else f"commit {RANKS[choice]}"


class StrategyTale(Tale):
    """Tells a battle round by round, with the pot, and the whole board at the end."""

    words = WORDS
    rows: list[list[int]]

    def on_round_begun(self, event: Event) -> list[Block]:
        """Head a round with the pot it begins with."""
        carry = event.fields["carry"]
        remark: Parts = [f"{carry} points wait in the pot"] if carry else []
        return [Heading([f"Round {event.fields['round']} of {event.fields['rounds']}"], remark)]

    def on_revealed(self, event: Event) -> list[Block]:
        """Show the cards as they are turned up (SW-5), in the dark without their owners."""
        cards, late = event.fields.get("cards"), event.fields.get("timed_out")
        if not isinstance(cards, list) or not isinstance(late, list):
            return [self.in_the_dark(event)]
        shown: Parts = []
        for side, card in enumerate(cards):
            if card:
                shown += ["   " if shown else "", Name(side), " ", Card(RANKS[card])]
                shown += [" (timed out)"] if side in late else []
        return [Line(shown, "SW-5")]

    def in_the_dark(self, event: Event) -> Line:
        """Name the cards but not who played them (SW-19)."""
        pooled, sacrificed = event.fields["pooled"], event.fields["sacrificed"]
        assert isinstance(pooled, list) and isinstance(sacrificed, list)
        shown: Parts = spaced([Card(RANKS[card]) for card in pooled])
        for card in sacrificed:
            shown += ["  " if shown else "", Card(RANKS[card]), " (sacrificed)"]
        return Line(shown, "SW-19")

    def on_history(self, event: Event) -> list[Block]:
        """Lift the veil at the end of a dark battle (SW-20)."""
        rounds = event.fields["rounds"]
        assert isinstance(rounds, list)
        head: list[Parts] = [["Round"]]
        head += [[str(n + 1)] for n in range(len(rounds))]
        rows: list[list[Parts]] = []
        for side in range(self.sides):
            cells: list[Parts] = [
                [Card(RANKS[abs(played[side])])] if played[side] else ["-"] for played in rounds
            ]
            rows.append([[Name(side)], *cells])
        return [Line(["The veil is lifted: who played what."], "SW-20"), Grid(head, rows)]

    def on_ended(self, event: Event) -> list[Block]:
        """Tell the points, and what was lost."""
        scores, lost = event.fields["scores"], event.fields["lost_pot"]
        assert isinstance(scores, list) and isinstance(lost, int)
        points: Parts = []
        for side, score in enumerate(scores):
            points += [", " if points else "", Name(side), f" {score}"]
        told: list[Block] = [Heading(["The count"]), Line(["Points: ", *points, "."], "SW-10")]
        if lost:
            told.append(Line([counted(lost, "point"), " went to nobody."], "SW-8", BRIEF + 1))
        return told

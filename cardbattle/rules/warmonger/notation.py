"""Convert choices in Warmonger to text, explain why a choice is not possible, and write the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.cards import card_text
from cardbattle.core.names import listed
from cardbattle.core.ruleset import and_sides
from cardbattle.core.telling import (
    AFTERWARDS,
    AT_TABLE,
    AUDIT,
    BRIEF,
    TALE,
    Block,
    Card,
    Grid,
    Heading,
    Inflection,
    Line,
    Name,
    Part,
    Parts,
    Tale,
    Words,
    clause,
    counted,
    fill_template,
    number,
    numbers,
    spaced,
)
from cardbattle.rules.warmonger.battle import (
    FIRST_PLAY,
    ORDER,
    PASS,
    STAND,
    TURN_UP,
    Warmonger,
    design_of,
    in_order,
    mine_of,
    target_of,
    theirs_of,
)
from cardbattle.rules.warmonger.box import (
    FINAL,
    LAID,
    LAST_STAND,
    PEACE,
    PROMOTE,
    RESPONSE,
    SKIRMISH,
    TURN,
    name_of,
)
from cardbattle.rules.warmonger.state import CASUALTY, DRAW

if TYPE_CHECKING:
    from cardbattle.core.battle import Event
    from cardbattle.core.telling import Facts

FACTS = {
    "card": "card",
    "cards": "cards",
    "hand": "cards",
    "mine": "card",
    "his": "card",
    "target": "side",
    "by": "side",
    "superpower": "side",
    "sides": "sides",
    "winners": "sides",
    "fallen": "sides",
}

QUESTIONS = {  # for each question: when it is asked, and its answers
    PEACE: ("before cards are turned up", ["pass", "play CARD"]),
    SKIRMISH: ("after cards are turned up", ["pass", "play CARD"]),
    LAID: ("after Battle cards are laid", ["pass", "play CARD"]),
    TURN: ("in your own scoring", ["turn", "stand", "play CARD"]),
    FINAL: ("after the last score", ["pass", "play CARD"]),
    LAST_STAND: ("at your last stand", ["play CARD"]),
    RESPONSE: ("after a card is announced", ["pass", "play CARD"]),
    ORDER: ("after a Reconnaissance", ["order CARD CARD"]),
}

COLUMNS = 12  # number of columns in the chart of armies


def choice_text(battle: Warmonger, choice: int) -> str:
    if battle.question == ORDER:
        return " ".join(["order", *map(card_text, in_order(battle.reconnoitred_cards(), choice))])
    if choice < FIRST_PLAY:
        return {PASS: "pass", TURN_UP: "turn", STAND: "stand"}[choice]
    design, target, mine, theirs = design_of(choice), target_of(choice), mine_of(choice), theirs_of(choice)
    parts = ["play", name_of(battle.box.codes[design])]
    if target != NOBODY:
        parts.append(battle.keys[target])
    if mine >= 0:
        parts.append(card_text(mine))
    if theirs >= 0:
        parts.append(str(theirs) if battle.box.effects[design] == PROMOTE else card_text(theirs))
    return " ".join(parts)


def fate_text(kind: int, side: int, seats: list[str]) -> str:
    """Return the words after "fate" in a random event, such as "draw rome"."""
    if kind == CASUALTY:
        return "casualties"
    return f"draw {seats[side]}" if kind == DRAW else f"under {seats[side]}"


def why_not(battle: Warmonger, text: str) -> str:
    """Return the reason why a move is not legal now, or "" without a specific reason."""
    when, answers = QUESTIONS[battle.question]
    question = f"now, {when}, write {listed(answers, 'or')}"
    word, _, card_and_targets = text.casefold().partition(" ")
    if word not in [answer.split()[0] for answer in answers]:
        return question
    if word == "order":
        return "name each of the cards that you looked at, without repeats"
    if word != "play":
        return ""
    designs = battle.box.designs
    matches = [card for card in designs if f"{card_and_targets} ".startswith(f"{card.name.casefold()} ")]
    if not matches:
        return "this battle has no such Warmonger card"
    card = matches[0]
    design = designs.index(card)
    if design not in battle.hands[battle.side]:
        return f"{card.name} is not in its hand"
    if not card.windows & battle.question:
        return f"{card.name} cannot be played now; {question}"
    if not battle.targets(design, battle.side, battle.question):
        return f"{card.name} has no target now"
    return "write its targets as in the options"


WORDS = {
    "passed": Words("WM-43", AUDIT, "{side} {side:plays|play} nothing ({window})."),
    "placed": Words(
        "WM-14",
        AUDIT,
        "{side} {side:puts|put} {cards} under the deck.",
        "{side} {side:puts|put} {these} under the deck.",
    ),
    "laid": Words("WM-16", AUDIT, "{side} {side:lays|lay} {down} face down and {card} face up."),
    "dropped_out": Words(
        "WM-17", TALE, "{side} {side:has|have} no card to lay and {side:loses|lose} the War."
    ),
    "turned_up": Words(
        "WM-21",
        AUDIT,
        "{side} {side:turns|turn} up {card} and {side:has|have} {score}.",
        "{side} {side:turns|turn} up {card}: Bust.",
    ),
    "armoured": Words("WM-49", TALE, "The armour of {side} holds: {card} counts nothing."),
    "battle_tied": Words("WM-24", TALE, "{sides} are level at {score} and fight another Battle."),
    "casualties": Words("WM-28", TALE, "Casualties: {cards}."),
    "last_stand": Words("WM-30", TALE, "With no playing cards left, {side} must play a Lifeline."),
    "superpower": Words("WM-29", TALE, "The Superpower card goes to {side}."),
    "salvaged": Words("WM-49", TALE, "{side} {side:salvages|salvage} {card} from the casualties."),
    "pile_renewed": Words("WM-34", AUDIT, "The used Warmonger cards are shuffled into a new pile."),
    "drew": Words(
        "WM-33",
        TALE,
        "{side} {side:draws|draw} {card} as {reason}.",
        "{side} {side:draws|draw} a Warmonger card as {reason}.",
    ),
    "vetoed": Words("WM-44", TALE, "The {card} of {side} is vetoed."),
    "conscripted": Words("WM-47", TALE, "{side} {side:takes|take} {cards} back to arms, under the deck."),
    "raided": Words("WM-47", TALE, "{side} {side:carries|carry} off {these} of {target}."),
    "ceased": Words("WM-41", TALE, "The fighting ends; all sides take back their own cards."),
    "marked": Words(
        "WM-45",
        TALE,
        "The {card} of {side} counts {number}: {score} in all.",
        "The {card} of {side} counts {number}: Bust.",
    ),
    "supplied": Words(
        "WM-45",
        TALE,
        "{side} {side:is|are} sent {card} and {side:has|have} {score}.",
        "{side} {side:is|are} sent {card}: Bust.",
    ),
    "recounted": Words(
        "WM-45", TALE, "With {card} {side} {side:has|have} {score}.", "With {card} {side} {side:is|are} Bust."
    ),
    "scouted": Words(
        "WM-47", TALE, "{side} {side:looks|look} at {cards}.", "{side} {side:looks|look} at {these}."
    ),
    "arranged": Words(
        "WM-47",
        TALE,
        "{side} {side:puts|put} them back in the order {cards}.",
        "{side} {side:puts|put} them back in a secret order.",
    ),
    "retreated": Words(
        "WM-41", TALE, "{side} {side:retreats|retreat} with {these} and {side:leaves|leave} the War."
    ),
}
CAUSES = {
    "tie": ("WM-13", " are level: War!"),
    "joker": ("WM-12", " is called to War by the Joker of "),
    "rampage": ("WM-49", " is drawn into War by the rampage of "),
    "provocation": ("WM-41", " is drawn into War by the provocation of "),
}
WON = {
    "score": Words("WM-23", TALE, "{side} {side:wins|win} the War with {score}."),
    "last-word": Words(
        "WM-49", TALE, "{side}, tied at {score}, {side:has|have} the last word and {side:wins|win} the War."
    ),
    "alone": Words("WM-17", TALE, "Nobody is left to fight {side}, who {side:wins|win} the War."),
}
LOST = {
    "bust": Line(["All are Bust, and nobody wins the War."], "WM-27"),
    "destruction": Line(["Nobody has a card left to fight with: they destroy each other."], "WM-18"),
}
DESTRUCTION_AFTER_A_TIE = "WM-25"
# Events after which the log can still sum up several Skirmishes in one line.
QUIET = ["mustered", "armed", "revealed", "skirmish_won", "placed", "passed"]


class WarmongerTale(Tale):
    """The log of a battle. It describes each War in detail, and summarises the Skirmishes between Wars."""

    words = WORDS

    def __init__(self, rules: Facts, sides: int) -> None:
        super().__init__(rules, sides)
        self.history: list[tuple[int, list[int]]] = []  # Skirmish, each side's cards before it
        self.turned: Parts = []  # the cards that were turned up in this Skirmish
        self.quiet: list[tuple[int, int]] = []  # Skirmishes that are not summed up yet, with their winners
        self.wars = 0
        self.headed = 0  # the number of the Skirmish in the last heading
        self.scored: list[int] = []
        self.previous = ""  # the kind of the previous event
        self.is_tied = False  # True if a Battle of this War was tied
        self.loss_rule = ""  # the rule by which no side won this War; empty if a side won
        self.wars_won = 0
        self.haul: Parts = []  # the sentence about the largest haul, which had `most` cards
        self.most = 0
        self.leader = NOBODY  # the side with the largest army after the last War
        self.out: Parts = []

    @property
    def skirmish(self) -> int:
        return self.history[-1][0] if self.history else 0

    def describe(self, event: Event) -> list[Block]:
        """Return a line about the Skirmishes before an event, if any, and the blocks about the event."""
        before: list[Block] = [] if event.kind in QUIET else self.sum_up()
        blocks = before + super().describe(event)
        self.previous = event.kind
        return blocks

    def parts_of(self, event: Event) -> dict[str, Part | Parts]:
        """Return the event's fields as parts of a sentence.

        The part `these` is the number of cards with its noun, such as "3 cards".
        """
        fields = super().parts_of(event)
        count = event.fields.get("count")
        if isinstance(count, int):
            fields["these"] = counted(count, "card")
        return fields

    def sum_up(self) -> list[Block]:
        """Return one line about the Skirmishes since the last summary."""
        if not self.quiet:
            return []
        first, last = self.quiet[0][0], self.quiet[-1][0]
        winners = [winner for _, winner in self.quiet]
        ranked = sorted(set(winners), key=lambda side: (-winners.count(side), side))
        summary: Parts = [f"Skirmishes {first} to {last}: "]
        for place, side in enumerate(ranked):
            summary += [", " if place else "", Name(side), f" {winners.count(side)}"]
        if first == last:
            summary = clause(winners[0], "wins|win", f" Skirmish {first}")
        self.quiet = []
        return [Line([*summary, "."], "WM-13")]

    def on_mustered(self, event: Event) -> list[Block]:
        sizes, robots = numbers(event, "sizes"), event.fields["robots"]
        assert isinstance(robots, list)
        armies: Parts = ["Playing cards: "]
        for side, size in enumerate(sizes):
            armies += [", " if side else "", Name(side), f" {size}"]
        armies.append(".")
        for side, robot in enumerate(robots):
            if robot:
                armies += [" ", *clause(side, "is|are", f" the Robot {robot}.")]
        holder = number(event, "superpower")
        self.leader = sizes.index(max(sizes)) if sizes.count(max(sizes)) == 1 else NOBODY
        return [
            Heading(["The armies"]),
            Line(armies, "WM-2"),
            Line(clause(holder, "holds|hold", " the Superpower card."), "WM-4"),
        ]

    def on_armed(self, event: Event) -> list[Block]:
        count = counted(number(event, "count"), "Warmonger card")
        cards = warmonger_cards(numbers(event, "hand")) if event.fields.get("hand") else [count]
        return [Line(clause(event.side, "is|are", " dealt ", *cards, "."), "WM-3", AUDIT)]

    def on_revealed(self, event: Event) -> list[Block]:
        """Show the cards that are turned up. If the last War changed the leader, name the new leader."""
        sizes = numbers(event, "sizes")
        fought = self.headed == self.skirmish > 0
        self.history.append((number(event, "skirmish"), sizes))
        self.turned = []
        for side, card in zip(numbers(event, "sides"), numbers(event, "cards"), strict=True):
            self.turned += [", " if self.turned else "", Name(side), " ", Card(card_text(card))]
        lines: list[Block] = []
        best = max(sizes)
        if fought and sizes.count(best) == 1 and sizes.index(best) != self.leader:
            self.leader = sizes.index(best)
            verb = Inflection(self.leader, "has|have")
            lines.append(
                Line([Name(self.leader), " now ", verb, f" the largest army: {best} cards."], "WM-28")
            )
        return [*lines, Line([f"Skirmish {self.skirmish}: ", *self.turned, "."], "WM-11", AUDIT)]

    def on_skirmish_won(self, event: Event) -> list[Block]:
        """Store the Skirmish for the next summary. In a battle with real cards, report it at once."""
        count = counted(number(event, "count"), "card")
        if self.pace == AT_TABLE:
            won = clause(event.side, "wins|win", f" Skirmish {self.skirmish} and {count}.")
            return [Line(won, "WM-13")]
        self.quiet.append((self.skirmish, event.side))
        return [Line(clause(event.side, "wins|win", f" {count}."), "WM-13", AUDIT)]

    def on_war_declared(self, event: Event) -> list[Block]:
        """Return the heading of a War, and the line about its cause."""
        heading: list[Block] = []
        if self.headed != self.skirmish:
            self.headed = self.skirmish
            self.wars += 1
            self.is_tied = False
            heading = [
                Heading([f"War {self.wars}"], [f"Skirmish {self.skirmish}"]),
                Line([*self.turned, "."], "WM-11"),
            ]
        rule, cause = CAUSES[str(event.fields["cause"])]
        sides = numbers(event, "sides")
        if event.side == NOBODY:
            return [*heading, Line([*and_sides(sides), cause], rule)]
        return [*heading, Line(["Everybody", cause, Name(event.side), "."], rule)]

    def on_laid(self, event: Event) -> list[Block]:
        self.scored = []
        return [self.line(event)]

    def on_turned_up(self, event: Event) -> list[Block]:
        """Show a card that is turned up.

        The log shows the card only during play, or if the side has already scored.
        """
        line = self.line(event)
        is_news = self.pace != AFTERWARDS or event.side in self.scored
        return [line._replace(detail=TALE) if is_news else line]

    def on_stood(self, event: Event) -> list[Block]:
        self.scored.append(event.side)
        cards: Parts = spaced([Card(card_text(card)) for card in numbers(event, "cards")])
        return [Line([Name(event.side), ": ", *cards, f", {event.fields.get('score', 'Bust')}."], "WM-21")]

    def on_busted(self, event: Event) -> list[Block]:
        return self.on_stood(event)

    def on_war_won(self, event: Event) -> list[Block]:
        self.wars_won += 1
        self.loss_rule = ""
        sentence = WON[str(event.fields["cause"])]
        return [Line(fill_template(sentence.text, self.parts_of(event)), sentence.rule)]

    def on_war_lost(self, event: Event) -> list[Block]:
        """Return the line that says why no side wins the War, with the rule (WM-18, WM-25, WM-27)."""
        cause = str(event.fields["cause"])
        line = LOST[cause]
        if cause == "destruction" and self.is_tied:
            line = line._replace(rule=DESTRUCTION_AFTER_A_TIE)
        self.loss_rule = line.rule
        return [line]

    def on_battle_tied(self, event: Event) -> list[Block]:
        self.is_tied = True
        return [self.line(event)]

    def on_casualties(self, event: Event) -> list[Block]:
        """Return the line about the casualties. Without a winner, it cites the rule that ended the War."""
        line = self.line(event)
        return [line._replace(rule=self.loss_rule or line.rule)]

    def on_placed(self, event: Event) -> list[Block]:
        """Return the line about cards that go under a deck, and remember the largest haul of a War.

        The haul consists of the cards that are placed directly after the casualties of a War with a winner
        (WM-28). Cards that the same side places later, from a Lifeline or the next Skirmish, do not belong to
        the haul.
        """
        count = number(event, "count")
        if self.previous == "casualties" and not self.loss_rule and count > self.most:
            self.most = count
            self.haul = [
                "The largest haul: ",
                counted(count, "card"),
                " for ",
                Name(event.side),
                f" in War {self.wars}, Skirmish {self.skirmish}.",
            ]
        return [self.line(event)]

    def largest_haul(self) -> Parts:
        """Return a sentence about the largest haul of a War, or a sentence that says that there was none."""
        if self.haul:
            return self.haul
        return ["No War brought its winner any cards." if self.wars_won else "No War was won."]

    def on_announced(self, event: Event) -> list[Block]:
        fields = self.parts_of(event)
        sentence = clause(event.side, "plays|play", " ", Card(name_of(number(event, "card"))))
        if "target" in event.fields:
            sentence += [" on ", Name(number(event, "target"))]
        aims: Parts = []
        for word, between in (("mine", " "), ("his", " against "), ("number", " as ")):
            if word in fields:
                part = fields[word]
                aims += [between if aims else "", *(part if isinstance(part, list) else [part])]
        return [Line([*sentence, *([": ", *aims] if aims else []), "."], "WM-44")]

    def on_drew(self, event: Event) -> list[Block]:
        """Return the line about a drawn card, with the number of the rule that allows the draw."""
        line = self.line(event)
        return [line._replace(rule="WM-32") if event.fields["reason"] == "bounty" else line]

    def on_eliminated(self, event: Event) -> list[Block]:
        by = number(event, "by")
        self.out += [", " if self.out else "", Name(event.side), f" in Skirmish {self.skirmish}"]
        verb = Inflection(event.side, "is|are")
        sentence = clause(event.side, "has|have", " no playing cards left and ", verb)
        sentence += [" eliminated by ", Name(by), "."] if by != NOBODY else [" out."]
        hand = warmonger_cards(numbers(event, "hand"))
        used = [Line(clause(event.side, "lays|lay", " down ", *hand, "."), "WM-31", AUDIT)] if hand else []
        return [Line(sentence, "WM-31"), *used]

    def on_ended(self, event: Event) -> list[Block]:
        """Return lines about the battle's length, its eliminations and its largest haul, and a table."""
        fought = [counted(number(event, "skirmishes"), "Skirmish", "Skirmishes"), counted(self.wars, "War")]
        out: Parts = ["Out: ", *self.out, "."] if self.out else ["Nobody was eliminated."]
        return [
            Heading(["The end"]),
            Line([" and ".join(fought), "."], "WM-37", BRIEF),
            Line(out, "WM-31", BRIEF),
            Line(self.largest_haul(), "WM-28", BRIEF),
            self.chart(numbers(event, "scores")),
        ]

    def chart(self, scores: list[int]) -> Grid:
        """Return a table of the armies' sizes at up to COLUMNS moments, including the end."""
        last = len(self.history) - 1
        columns = min(COLUMNS, last + 1)
        shown = [self.history[last * n // columns] for n in range(columns)]
        points = [str(skirmish) for skirmish, _ in shown]
        rows: list[list[Parts]] = []
        for side in range(self.sides):
            sizes = [str(counts[side] or "-") for counts in [*(each for _, each in shown), scores]]
            rows.append([[Name(side)], *cells(sizes)])
        return Grid([["Skirmish"], *cells([*points, "end"])], rows)


def warmonger_cards(codes: list[int]) -> Parts:
    return spaced([Card(name_of(code)) for code in codes], ", ")


def cells(texts: list[str]) -> list[Parts]:
    return [[text] for text in texts]

"""Convert choices in Field of Honour to text, explain why a choice is not possible, and write the log."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, UNKNOWN
from cardbattle.core.cards import JOKERS, card_text
from cardbattle.core.names import listed, quoted
from cardbattle.core.telling import (
    AUDIT,
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
from cardbattle.rules.field_of_honour.battle import (
    COUNTER,
    DISCARD,
    DOUBLE,
    DRAW,
    DRAWN,
    END,
    FIRST_SPECIAL,
    HIGH,
    LEFT,
    MOST_OF_TWO,
    OPEN,
    PASS,
    PICK,
    PLACE,
    RALLY,
    REDEPLOY,
    REDEPLOY_BACK,
    RIGHT,
    SPACES,
    SWAP,
    VALUES,
    FieldOfHonour,
    powers_of,
)
from cardbattle.rules.field_of_honour.options import read_pack_card

if TYPE_CHECKING:
    from cardbattle.core.battle import Event
    from cardbattle.core.telling import Facts

POWER_WORDS = {
    DRAW: "draw",
    DISCARD: "discard",
    RALLY: "rally",
    REDEPLOY: "redeploy",
    REDEPLOY_BACK: "redeploy-back",
    SWAP: "swap",
    DOUBLE: "double",
}

ENDS = {LEFT: "left", RIGHT: "right"}


def choice_text(battle: FieldOfHonour, choice: int) -> str:
    if battle.question == END:
        return f"begin {ENDS[choice]}"
    if battle.question == PICK:
        return f"pick {card_text(choice)}"
    if battle.question == PLACE:
        return f"place {'+'.join(card_text(card) for card in cards_in_choice(choice))}"
    if choice == PASS:
        return "pass"
    return f"play {card_text(choice % HIGH)} {POWER_WORDS[choice // HIGH]}"


def cards_in_choice(choice: int) -> list[int]:
    return [choice] if choice < HIGH else [choice % HIGH, choice // HIGH]


def why_not(battle: FieldOfHonour, text: str) -> str:
    """Return the reason why a choice is not possible, or "" without a specific reason."""
    first_word, *arguments = text.split() or [""]
    verb = first_word.casefold()
    verbs = {PICK: ["pick"], PLACE: ["place"], END: ["begin"]}.get(battle.question, ["play", "pass"])
    if verb not in verbs:
        return out_of_turn(battle, verb)
    if verb == "pass":
        return ""
    if verb == "begin":
        return f"write begin {listed(ENDS.values(), 'or')}"
    names = arguments[0].split("+") if arguments else []
    cards = [card_named(name) for name in names]
    if not cards or UNKNOWN in cards:
        return not_a_card(names)
    if verb == "pick":
        return (
            f"{card_text(cards[0])} is no longer in the pack"
            if len(arguments) == 1 and len(cards) == 1
            else ""
        )
    missing = [card_text(card) for card in cards if card not in battle.hands[battle.side]]
    if missing:
        return not_in_hand(battle, missing)
    if verb == "place":
        return why_not_place(battle, cards) if len(arguments) == 1 else ""
    return why_not_play(battle, cards[0], arguments[1:]) if len(cards) == 1 else ""


def out_of_turn(battle: FieldOfHonour, verb: str) -> str:
    """Return an error for a choice that is out of turn. It names the choice that the battle waits for."""
    if verb not in ("pick", "place", "play", "pass", "begin"):
        return ""
    if battle.question == PICK:
        return "cards are being picked before the deal"
    if battle.question == PLACE:
        return f"fill space {battle.filled_spaces(battle.side) + 1} of the line first"
    if battle.question == END:
        return "the first end of the lines is chosen first"
    return "the lines are complete" if verb != "begin" else "the order of the spaces is settled"


def card_named(name: str) -> int:
    """Return the card with this name, or UNKNOWN if the pack has no such card."""
    try:
        return read_pack_card(name)
    except ValueError:
        return UNKNOWN


def not_a_card(names: list[str]) -> str:
    wrong = [name for name in names if card_named(name) == UNKNOWN]
    return f"{quoted(wrong[0], 20)} is not a card of the pack" if wrong else "the choice names no card"


def not_in_hand(battle: FieldOfHonour, missing: list[str]) -> str:
    """Return an error about the cards in `missing`, which are not known to be in the hand."""
    are = "is" if len(missing) == 1 else "are"
    if UNKNOWN in battle.hands[battle.side]:
        return f"{listed(missing)} {are} not among the known cards of its hand"
    return f"{listed(missing)} {are} not in its hand"


def why_not_place(battle: FieldOfHonour, cards: list[int]) -> str:
    """Return the reason why the cards in `cards` cannot be placed in the next space (FH-6 to FH-8)."""
    if len(cards) != 2 or cards[0] == cards[1]:
        return "a space takes one card or two"
    total = sum(VALUES[card] for card in cards)
    if total > MOST_OF_TWO:
        return f"two cards in a space total at most {MOST_OF_TWO}, these total {total}"
    left = len(battle.hands[battle.side]) - 2
    empty = SPACES - battle.filled_spaces(battle.side) - 1
    return f"only {counted(left, 'card')} would be left for {counted(empty, 'space')}"


def why_not_play(battle: FieldOfHonour, card: int, arguments: list[str]) -> str:
    """Return the reason why this card cannot be played in this way (FH-17 to FH-33)."""
    if card < FIRST_SPECIAL:
        return f"{card_text(card)} is not a special; specials are J, Q, K, A and the Jokers"
    if battle.question == DRAWN and card not in battle.drawn:
        return f"only a card just drawn can be played now: {listed(map(card_text, battle.drawn), 'or')}"
    possible = powers_of(card)
    if REDEPLOY in possible and battle.readings.either_way:
        possible = [*possible, REDEPLOY_BACK]
    powers = {word: power for power, word in POWER_WORDS.items() if power in possible}
    if len(arguments) != 1 or arguments[0].casefold() not in powers:
        return f"{card_text(card)} can {listed(powers, 'or')}"
    return why_impossible(battle, powers[arguments[0].casefold()])


def why_impossible(battle: FieldOfHonour, power: int) -> str:
    """Return the reason why this effect is not possible now (FH-21, FH-24, FH-25)."""
    if power == DRAW:
        return "the stack is empty"
    if power == DISCARD:
        return "the enemy's hand is empty"
    if power == RALLY:
        value, enemy_value = battle.values[battle.at(battle.side)], battle.values[battle.at(1 - battle.side)]
        return f"the values of the two sides differ ({value} against {enemy_value})"
    return f"space {battle.space} is the {'last' if power == REDEPLOY else 'first'} one"


WORDS = {
    "picked": Words("FH-40", TALE, "{side} {side:picks|pick} {card} from the open pack."),
    "received": Words("FH-3", TALE, "{side} {side:begins|begin} with {cards}."),
    "placed": Words("FH-6", AUDIT, "{side} {side:places|place} {cards} in space {space}."),
    "drew": Words("FH-20", TALE, "{side:draws|draw} {cards}.", "{side:draws|draw} {count}."),
    "discarded": Words("FH-20", TALE, "{side} {side:loses|lose} {card} from the hand, by chance."),
    "rallied": Words("FH-24", TALE, "{was} rises to {own}, against {other}."),
    "redeployed": Words(
        "FH-25",
        TALE,
        "{side:changes|change} {sent} ({sent_value}) for {came} from space {next}, {own} against {other}.",
    ),
    "redeployed_back": Words(
        "FH-25",
        TALE,
        "{side:brings|bring} {came} back from space {before} for {sent}, {own} against {other}.",
    ),
    "doubled": Words("FH-28", TALE, "{was} becomes {own}, against {other}."),
}
QUESTION_WORDS = {OPEN: "open", COUNTER: "counter", DRAWN: "drawn"}
PASSED = {
    OPEN: Words("FH-13", AUDIT, "{side} {side:passes|pass}."),
    COUNTER: Words("FH-15", AUDIT, "{side} {side:lets|let} it stand."),
    DRAWN: Words("FH-22", AUDIT, "{side} {side:plays|play} no drawn card at once."),
}
PLAYED = {
    OPEN: "{side} {side:plays|play} ",
    COUNTER: "{side} {side:counters|counter} with ",
    DRAWN: "{side} at once {side:plays|play} the drawn ",
}
ACTS_AS = {
    DRAW: " as an Ace",
    DISCARD: " as an Ace",
    RALLY: " as a King",
    REDEPLOY: " as a King",
    REDEPLOY_BACK: " as a King",
    SWAP: " as a Queen",
    DOUBLE: " as a Jack",
}


class FieldTale(Tale):
    """The log of a battle, space by space. It shows both lines at the start and at the end."""

    words = WORDS

    def __init__(self, rules: Facts, sides: int) -> None:
        super().__init__(rules, sides)
        self.picked = False
        self.own: list[list[Parts]] = [[], []]  # the cards whose placement the reader saw
        self.played: Parts = []  # the beginning of the sentence about a special
        self.held = [0, 0]
        self.space = 0
        self.columns: list[list[Parts]] = []  # the columns of the final grid, one for each settled space

    def on_picked(self, event: Event) -> list[Block]:
        heading: list[Block] = [] if self.picked else [Heading(["Before the deal"])]
        self.picked = True
        return [*heading, self.line(event)]

    def on_dealt(self, event: Event) -> list[Block]:
        """Report the dealer, the side that is asked first, and the sizes of hands and stack."""
        dealer, opposite = number(event, "dealer"), number(event, "opposite")
        hands = numbers(event, "hands")
        stack = counted(number(event, "stack"), "card")
        sentence = clause(
            dealer, "deals|deal", ": ", counted(hands[opposite], "card"), " to ", Name(opposite)
        )
        sentence += [f", {hands[dealer]} to ", Name(dealer), f"; the stack has {stack}."]
        return [
            Heading(["The deal"]),
            Line(sentence, "FH-3"),
            Line(clause(opposite, "is|are", " asked first in every space."), "FH-13", AUDIT),
        ]

    def on_placed(self, event: Event) -> list[Block]:
        """Store the cards whose placement the reader saw."""
        self.own[event.side].append(cards_in(event.fields["cards"]))
        return [self.line(event)]

    def on_lined_up(self, event: Event) -> list[Block]:
        """Show both lines face down. If the reader knows a line, show it face up."""
        hands = numbers(event, "hands")
        rows: list[list[Parts]] = []
        lines: list[Block] = []
        for side, sizes in enumerate(piles(event, "sizes")):
            is_known = bool(self.own[side]) and not self.own[1 - side]
            face_down: list[Parts] = [[counted(size, "card")] for size in sizes]
            rows.append([[Name(side)], *(self.own[side] if is_known else face_down)])
            placed = ", ".join(map(str, sizes))
            sentence = clause(side, "lines|line", f" up {placed} cards and ", Inflection(side, "keeps|keep"))
            lines.append(Line([*sentence, f" {hands[side]} in hand."], "FH-9"))
        return [Heading(["The lines, face down"]), Grid(head(), rows), *lines]

    def on_begun(self, event: Event) -> list[Block]:
        """Report the end of the lines at which the fights begin, and the new numbers of the spaces."""
        end = str(event.fields["end"])
        lines: list[Block] = [Line(clause(event.side, "begins|begin", f" at the {end} end."), "FH-11")]
        if end == "right":
            first, second = piles(event, "sizes")
            parts: Parts = [
                "The spaces are numbered from there: ",
                Name(0),
                f" {' '.join(map(str, first))}, ",
            ]
            lines.append(Line([*parts, Name(1), f" {' '.join(map(str, second))} cards."], "FH-11"))
        return lines

    def on_revealed(self, event: Event) -> list[Block]:
        """Begin the section of a space with the running score and the cards that are turned up."""
        self.space = number(event, "space")
        remark: Parts = [Name(0), f" {self.held[0]} : {self.held[1]} ", Name(1)]
        return [
            Heading([f"Space {self.space}"], remark),
            Line([*self.both(event, "shows|show"), "."], "FH-12"),
        ]

    def on_passed(self, event: Event) -> list[Block]:
        template = PASSED[number(event, "question")]
        return [Line(fill_template(template.text, self.parts_of(event)), template.rule, template.detail)]

    def on_played(self, event: Event) -> list[Block]:
        """Begin the sentence about a special. The next event completes the sentence with the effect."""
        card, power = number(event, "card"), number(event, "power")
        played = PLAYED[number(event, "question")]
        acts = ACTS_AS[power] if card in JOKERS else ""
        begun = fill_template(played, {"side": Name(event.side)})
        self.played = [*begun, Card(card_text(card)), f"{acts}: "]
        return []

    def on_drew(self, event: Event) -> list[Block]:
        """Report how many cards are drawn, and which cards if the reader may know them."""
        return self.special(event, count=counted(number(event, "number"), "card"))

    def on_discarded(self, event: Event) -> list[Block]:
        return self.special(event)

    def on_rallied(self, event: Event) -> list[Block]:
        return self.special(event, **self.against(event))

    def on_doubled(self, event: Event) -> list[Block]:
        return self.special(event, **self.against(event))

    def on_redeployed(self, event: Event) -> list[Block]:
        """Report the cards that are exchanged with the next space."""
        return self.special(event, next=str(self.space + 1), **self.against(event))

    def on_redeployed_back(self, event: Event) -> list[Block]:
        """Report the cards that are exchanged with the previous space."""
        return self.special(event, before=str(self.space - 1), **self.against(event))

    def on_swapped(self, event: Event) -> list[Block]:
        """Report the cards and values of both sides after the swap."""
        result = ["the contents change places; ", *self.both(event, "has|have"), "."]
        return [Line([*self.played, *result], "FH-27")]

    def special(self, event: Event, **more: Part | Parts) -> list[Block]:
        """Return the sentence about a special. It names the side that plays the special, and the effect."""
        line = self.line(event, **more)
        return [line._replace(parts=self.played + line.parts)]

    def on_settled(self, event: Event) -> list[Block]:
        """Report the side that holds the space, with both values."""
        holder, values = number(event, "holder"), numbers(event, "values")
        self.held = numbers(event, "held")
        contents, attached = piles(event, "contents"), piles(event, "attached")
        cells: list[Parts] = [[*cards_in(contents[side]), *on_it(attached[side], " +")] for side in (0, 1)]
        worth: list[Parts] = [[str(values[side])] for side in (0, 1)]
        held: Parts = [Name(holder)] if holder != NOBODY else ["nobody"]
        self.columns.append([cells[0], worth[0], held, worth[1], cells[1]])
        if holder == NOBODY:
            sentence: Parts = [f"Both have {values[0]}: nobody holds space {self.space}."]
        else:
            high, low = max(values), min(values)
            sentence = clause(holder, "holds|hold", f" space {self.space}, {high} to {low}.")
        lines: list[Block] = [Line(sentence, "FH-34")]
        spent = attached[0] + attached[1]
        if spent:
            lines.append(
                Line(
                    [*cards_in(spent), " is discarded." if len(spent) == 1 else " are discarded."],
                    "FH-32",
                    AUDIT,
                )
            )
        return lines

    def on_ended(self, event: Event) -> list[Block]:
        """Show both lines face up with the side that holds each space, and count the points."""
        held, scores = numbers(event, "held"), numbers(event, "scores")
        labels: list[Parts] = [[Name(0)], ["worth"], ["held by"], ["worth"], [Name(1)]]
        rows = [[label, *(column[n] for column in self.columns)] for n, label in enumerate(labels)]
        spaces = clause(0, "holds|hold", f" {counted(held[0], 'space')}, ", Name(1), f" {held[1]}")
        drawn = SPACES - sum(held)
        if drawn:
            spaces.append(f"; {drawn} {'is' if drawn == 1 else 'are'} drawn")
        points: Parts = ["Points: ", Name(0), f" {scores[0]}, ", Name(1), f" {scores[1]}"]
        if scores != held:
            points.append(f" (a point for each space, {max(scores) - max(held)} for the battle)")
        return [
            Heading(["The field"], [Name(0), f" {held[0]} : {held[1]} ", Name(1)]),
            Grid(head(), rows),
            Line([*spaces, "."], "FH-35"),
            Line([*points, "."], "FH-36"),
        ]

    def both(self, event: Event, verb: str) -> Parts:
        """Return the cards and the value of each side, such as "North shows 4S 5D (9), South shows KH (10)".

        `verb` has a singular and a plural form, such as "shows|show".
        """
        contents, values = piles(event, "contents"), numbers(event, "values")
        attached = piles(event, "attached")
        parts: Parts = []
        for side in (0, 1):
            parts += [", " if side else "", *clause(side, verb, " "), *cards_in(contents[side])]
            parts += [*on_it(attached[side], " with "), f" ({values[side]})"]
        return parts

    def against(self, event: Event) -> dict[str, Part | Parts]:
        """Return fields with the value of the side that plays a special, and the value of its enemy."""
        values = numbers(event, "values")
        return {"own": str(values[event.side]), "other": str(values[1 - event.side])}


def piles(event: Event, name: str) -> list[list[int]]:
    """Return the value of an event's field that has a list of numbers for each side."""
    value = event.fields[name]
    assert isinstance(value, list)
    return value


def cards_in(cards: object) -> Parts:
    """Return cards as parts of a sentence or of a table cell."""
    assert isinstance(cards, list)
    return spaced([card_part(card) for card in cards])


@cache
def card_part(card: int) -> Card:
    return Card(card_text(card))


def on_it(attached: list[int], word: str) -> Parts:
    """Return `word` and the attached specials, or an empty list if no specials are attached."""
    return [word, *cards_in(attached)] if attached else []


def head() -> list[Parts]:
    """Return the header row of a grid of five spaces (FH-11)."""
    columns: list[Parts] = [["space"]]
    columns += [[str(space)] for space in range(1, SPACES + 1)]
    return columns

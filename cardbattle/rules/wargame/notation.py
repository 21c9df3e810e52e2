"""Convert choices in Wargame to text, explain why a choice is not possible, and write the log of a battle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import (
    AUDIT,
    BRIEF,
    DURING,
    TALE,
    Block,
    Card,
    Grid,
    Heading,
    Line,
    Name,
    Parts,
    Tale,
    Words,
    clause,
    fill_template,
)
from cardbattle.rules.wargame.battle import (
    ADVANCE,
    BREAK,
    DENOUNCE,
    DEPLOY,
    FOUR_ADJACENT,
    HOLD,
    RESIGN,
    RESIGNED,
    SEVEN_BATTLES,
    SPEAK,
    SWITCH,
    TRAITOR,
    Wargame,
)

if TYPE_CHECKING:
    from cardbattle.core.battle import Event
    from cardbattle.core.telling import Facts

CARD_NAMES = {
    1: "Spy",
    2: "Spy",
    7: "Shooter",
    8: "Shooter",
    9: "Shooter",
    12: "Mortar",
    13: "Bazooka",
}  # WG-3

WORDS = {
    "deployed": Words("WG-11", AUDIT, "{side} {side:puts|put} the {named} on place {place}."),
    "traitor_chosen": Words(
        "WG-15",
        TALE,
        "{side} {side:lays|lay} the Traitor card {card} face down.",
        "{side} {side:lays|lay} a Traitor card face down.",
    ),
    "held": Words("WG-25", AUDIT, "{side} {side:switches|switch} no cards."),
    "switched": Words(
        "WG-24",
        TALE,
        "{side} {side:pays|pay} a chip and {side:switches|switch} {places}: {now}. Chips left: {chips}.",
    ),
    "advanced": Words(
        "WG-17",
        TALE,
        "{side} {side:attacks|attack} in space {place} with the {named}, against the {other}.",
    ),
    "met": Words("WG-18", AUDIT, "{side} {side:meets|meet} the attack with the {named}."),
    "denounced": Words(
        "WG-21", TALE, "{side} {side:turns|turn} up a Traitor card: the {named} is a Traitor!"
    ),
    "kept_silent": Words("WG-23", TALE, "{side} could denounce the {named} and {side:keeps|keep} silent."),
    "line_broken": Words("WG-27", TALE, "The line of {side} is broken at {places}."),
    "resigned": Words("WG-36", TALE, "{side} {side:resigns|resign}."),
}
FIRST_ATTACKS = {
    "ahead": "{side} {side:is|are} ahead and {side:attacks|attack} first.",
    "level": "{side} deployed first and so {side:attacks|attack} first.",
}
HELD_AFTER_A_SWITCH = Words("WG-25", AUDIT, "{side} {side:switches|switch} no more cards.")
WON = {
    "strength": Words("WG-19", TALE, "The {named} beats the {other}: {side} {side:wins|win} space {place}."),
    "spy": Words("WG-8", TALE, "The {named} slips past the {other}: {side} {side:wins|win} space {place}."),
    "attack": Words("WG-19", TALE, "Equal cards, so {side} {side:wins|win} space {place} as the attacker."),
    "traitor": Words(
        "WG-21", TALE, "The {other} loses against the {named}: {side} {side:wins|win} space {place}."
    ),
}


def choice_text(question: int, choice: int) -> str:
    if choice == RESIGN:
        return "resign"
    if question == DEPLOY:
        return f"deploy {choice >> 4} {(choice & 15) + 1}"
    if question == TRAITOR:
        return f"traitor {choice}"
    if question == SWITCH:
        return f"switch {(choice >> 4) + 1} {(choice & 15) + 1}" if choice != HOLD else "hold"
    if question == ADVANCE:
        return f"advance {choice + 1}"
    return "denounce" if choice == SPEAK else "silent"


ASKED = {
    DEPLOY: ("deploy", "deploy CARD PLACE"),
    TRAITOR: ("traitor", "traitor CARD"),
    SWITCH: ("switch", "switch PLACE PLACE or hold"),
    ADVANCE: ("advance", "advance PLACE"),
    DENOUNCE: ("denounce", "denounce or silent"),
}


def why_not(battle: Wargame, text: str) -> str:
    """Return the reason why a choice is not possible, or "" without a specific reason."""
    verb, *arguments = text.casefold().split() or [""]
    wanted, form = ASKED[battle.question]
    numbers = [int(part) for part in arguments if part.isascii() and part.isdigit() and len(part) < 3]
    if verb != wanted:
        return f"the question now needs the answer {form}"
    if len(numbers) != len(arguments) or len(numbers) != form.partition(" or ")[0].count(" "):
        return f"write {form}"
    if battle.question == DEPLOY:
        return why_not_deploy(battle, numbers[0], numbers[1])
    if battle.question == TRAITOR:
        return f"{numbers[0]} is not one of its Traitor cards"
    if battle.question == SWITCH:
        return why_not_switch(battle, numbers[0], numbers[1])
    return no_card_on(battle, numbers[0]) if battle.question == ADVANCE else ""


def why_not_deploy(battle: Wargame, card: int, place: int) -> str:
    """Return the reason why this card cannot be placed here."""
    if not 1 <= place <= battle.places:
        return no_card_on(battle, place)
    occupant = battle.line[battle.side][place - 1]
    return f"place {place} has the {occupant}" if occupant else f"there is no {card} left to deploy"


def why_not_switch(battle: Wargame, p: int, q: int) -> str:
    """Return the reason why the cards on the places `p` and `q` cannot be switched."""
    missing = no_card_on(battle, p) or no_card_on(battle, q)
    if missing:
        return missing
    if p == q:
        return "a switch needs two places"
    if p > q:
        return f"the lower place comes first: switch {q} {p}"
    return f"its line is broken between {p} and {q}"


def no_card_on(battle: Wargame, place: int) -> str:
    """Return an error if the side that must choose has no card on this place, and otherwise ""."""
    if not 1 <= place <= battle.places:
        return f"places go from 1 to {battle.places}"
    return "" if battle.line[battle.side][place - 1] else f"it has no card on place {place}"


def card_with_name(card: object) -> Parts:
    """Return a card with its name, if it has one.

    >>> card_with_name(13), card_with_name(5)
    ([Card(text='13', is_second=False), 'Bazooka'], [Card(text='5', is_second=False)])
    """
    assert isinstance(card, int)
    return [Card(str(card)), CARD_NAMES[card]] if card in CARD_NAMES else [Card(str(card))]


class WargameTale(Tale):
    """The log of a battle, with the running score and a picture of the lines after big changes."""

    words = WORDS

    def __init__(self, rules: Facts, sides: int) -> None:
        super().__init__(rules, sides)
        self.lines: list[list[int]] = [[], []]
        self.marks: list[str] = []
        self.holder: list[int] = []
        self.is_deploying = False
        self.is_drawn = True
        self.switching = NOBODY  # the side that made a switch in the previous event

    def describe(self, event: Event) -> list[Block]:
        """Return the blocks that describe an event, and remember which side is switching cards."""
        blocks = super().describe(event)
        self.switching = event.side if event.kind == "switched" else NOBODY
        return blocks

    def on_deployed(self, event: Event) -> list[Block]:
        """Report a placement. A log that is read during the battle has more detail."""
        heading: list[Block] = [] if self.is_deploying else [Heading(["Deployment"])]
        self.is_deploying = True
        line = self.line(event, named=card_with_name(event.fields["card"]))
        return [*heading, line._replace(detail=TALE) if self.pace == DURING else line]

    def on_checked(self, event: Event) -> list[Block]:
        """Show both lines, the comparison of the cards, and the first attacker (WG-13, WG-14)."""
        lines, results, ahead, level = (event.fields[name] for name in ("lines", "results", "ahead", "level"))
        assert isinstance(lines, list) and isinstance(results, list) and isinstance(ahead, list)
        self.lines = [line.copy() for line in lines]
        self.marks = ["=" if side == NOBODY else self.mark(side) for side in results]
        picture = self.picture(TALE, "stronger")
        self.marks = [""] * len(results)
        self.holder = [NOBODY] * len(results)
        first = int(str(event.fields["attacker"]))
        why = FIRST_ATTACKS["ahead" if ahead[0] != ahead[1] else "level"]
        attacks = fill_template(why, {"side": Name(first)})
        counts: Parts = ["Match-ups: ", Name(0), f" {ahead[0]}, level {level}, ", Name(1), f" {ahead[1]}."]
        return [picture, Line(counts, "WG-13"), Line(attacks, "WG-14")]

    def on_traitor_chosen(self, event: Event) -> list[Block]:
        return [self.line(event)]

    def on_battle_begun(self, event: Event) -> list[Block]:
        """Begin a battle's section with the score, and with the lines at the highest level of detail."""
        remark = self.score(event.fields["scores"])
        drawn, self.is_drawn = self.is_drawn, False
        return [
            Heading([f"Battle {event.fields['number']}"], remark),
            *([] if drawn else [self.picture(AUDIT)]),
        ]

    def on_switched(self, event: Event) -> list[Block]:
        """Report a switch, and move the cards in the picture."""
        places, cards = event.fields["places"], event.fields["cards"]
        assert isinstance(places, list) and isinstance(cards, list)
        positions: Parts = []
        for place, card in zip(places, cards, strict=True):
            self.lines[event.side][place - 1] = card
            positions += ["and the" if positions else "the", *card_with_name(card), f"is on {place}"]
        return [self.line(event, now=positions)]

    def on_held(self, event: Event) -> list[Block]:
        """Report that a side does not switch cards, or does not switch again after a switch (WG-25)."""
        if self.switching == event.side:
            template = HELD_AFTER_A_SWITCH
            return [Line(fill_template(template.text, self.parts_of(event)), template.rule, template.detail)]
        return [self.line(event)]

    def on_advanced(self, event: Event) -> list[Block]:
        return [
            self.line(
                event,
                named=card_with_name(event.fields["card"]),
                other=card_with_name(event.fields["against"]),
            )
        ]

    def on_met(self, event: Event) -> list[Block]:
        return [self.line(event, named=card_with_name(event.fields["card"]))]

    def on_denounced(self, event: Event) -> list[Block]:
        return [self.line(event, named=card_with_name(event.fields["card"]))]

    def on_kept_silent(self, event: Event) -> list[Block]:
        return [self.line(event, named=card_with_name(event.fields["card"]))]

    def on_won(self, event: Event) -> list[Block]:
        """Report which side wins the space and why, and mark the space in the picture."""
        place, cards = event.fields["place"], event.fields["cards"]
        assert isinstance(place, int) and isinstance(cards, list)
        template = WON[str(event.fields["how"])]
        self.holder[place - 1] = event.side
        self.marks[place - 1] = self.mark(event.side)
        for line in self.lines:
            line[place - 1] = 0
        parts = self.parts_of(event)
        parts |= {"named": card_with_name(cards[event.side]), "other": card_with_name(cards[1 - event.side])}
        return [Line(fill_template(template.text, parts), template.rule, template.detail)]

    def on_line_broken(self, event: Event) -> list[Block]:
        self.is_drawn = True
        return [self.line(event), self.picture(TALE)]

    def on_ended(self, event: Event) -> list[Block]:
        """Draw the lines, and report the result (WG-32, WG-33, WG-36)."""
        winners, conditions = event.fields["winners"], event.fields["conditions"]
        assert isinstance(winners, list) and isinstance(conditions, list)
        if event.fields["reason"] == RESIGNED:
            rule, result = "WG-36", clause(winners[0], "holds|hold", " the field")
        else:
            condition_texts = {SEVEN_BATTLES: "seven battles", FOUR_ADJACENT: "four adjacent battles"}
            rule = "WG-32" if len(conditions) == 1 else "WG-33"
            conquests = " and ".join(condition_texts[condition] for condition in conditions)
            result = clause(winners[0], "has|have", f" won {conquests}")
        count: Parts = [*result, ": ", *self.score(event.fields["scores"]), "."]
        field: list[Block] = [] if self.is_drawn else [self.picture(TALE)]
        return [Heading(["The end"]), *field, Line(count, rule, BRIEF)]

    def score(self, scores: object) -> Parts:
        assert isinstance(scores, list)
        return [Name(0), f" {scores[0]}, ", Name(1), f" {scores[1]}"]

    @property
    def below(self) -> int:
        """The side whose line is drawn below: the reader's side, or the second side for other readers."""
        return self.viewer if self.viewer != NOBODY else 1

    def mark(self, side: int) -> str:
        """Return the mark of a space that a side has won: ^ for the side above, V for the side below."""
        return "V" if side == self.below else "^"

    def picture(self, detail: int, marked: str = "won") -> Grid:
        """Return a picture of both lines, with marks on the spaces between them."""
        head: list[Parts] = [["place"]]
        zone: list[Parts] = [[marked]]
        for place, mark in enumerate(self.marks):
            head.append([str(place + 1)])
            zone.append([mark] if mark else [])
        return Grid(head, [self.row(1 - self.below), zone, self.row(self.below)], detail)

    def row(self, side: int) -> list[Parts]:
        """Return one line of the picture. A dash marks a missing card, and a bar marks a break."""
        cells: list[Parts] = [[Name(side)]]
        for place, card in enumerate(self.lines[side]):
            cells.append([Card(str(card))] if card else ["|" if self.is_broken(side, place) else "-"])
        return cells

    def is_broken(self, side: int, place: int) -> bool:
        """Return True if the enemy holds three adjacent spaces here (WG-28).

        The line must also have cards to the left and to the right of these spaces.
        """
        enemy = 1 - side
        begin = end = place
        while begin > 0 and self.holder[begin - 1] == enemy:
            begin -= 1
        while end + 1 < len(self.holder) and self.holder[end + 1] == enemy:
            end += 1
        is_inside = begin > 0 and end + 1 < len(self.holder)
        return is_inside and self.holder[place] == enemy and end - begin + 1 >= BREAK

"""Convert choices in Warfare Tactics to text, explain why a choice is not possible, and write the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import card_text, read_card
from cardbattle.core.names import listed, quoted
from cardbattle.core.telling import (
    AFTERWARDS,
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
    number,
    numbers,
    spaced,
)
from cardbattle.rules.warfare_tactics.battle import WarfareTactics
from cardbattle.rules.warfare_tactics.choices import (
    ACTION,
    ANSWER,
    ATTACK,
    BONUS,
    BURY,
    BURY_ONE,
    COUNTER,
    DECLINE,
    DISCARD,
    DONE,
    DRAW,
    ENOUGH,
    EXCHANGE,
    FIGHT,
    FREE,
    MORE,
    NONE,
    NOTHING,
    PASS,
    POST,
    RECALL,
    RETREAT_FIELD,
    RETREAT_HAND,
    RETURN,
    SEVEN,
    SPECIAL,
    SUPPLY,
    SURRENDER,
    SWITCH,
    TAKE,
    TAKE_ONE,
    cards_named,
    verb_of,
)
from cardbattle.rules.warfare_tactics.state import VALUES, total

if TYPE_CHECKING:
    from cardbattle.core.battle import Battle, Event
    from cardbattle.core.telling import Facts

VERBS = {
    DRAW: "draw",
    RETURN: "return",
    PASS: "pass",
    ENOUGH: "enough",
    BONUS: "bonus",
    EXCHANGE: "exchange",
    DISCARD: "discard",
    DONE: "done",
    POST: "post",
    ATTACK: "attack",
    NOTHING: "nothing",
    COUNTER: "counter",
    RECALL: "recall",
    SURRENDER: "surrender",
    DECLINE: "decline",
    RETREAT_HAND: "retreat hand",
    RETREAT_FIELD: "retreat field",
    BURY: "bury",
    TAKE: "take",
    NONE: "none",
    SWITCH: "switch",
    SEVEN: "seven",
}
NEEDS = {
    RETURN: ["CARD"],
    EXCHANGE: ["CARD"],
    DISCARD: ["CARD"],
    POST: ["CARD"],
    ATTACK: ["CARD", "TARGET"],
    COUNTER: ["CARD"],
    RECALL: ["CARD"],
    BURY: ["CARD"],
    TAKE: ["CARD"],
}
FREE_STEPS = [BONUS, EXCHANGE, DISCARD]
SPECIAL_MOVES = [SWITCH, SEVEN]
ANSWERS = {  # for each question, the verbs of its answers
    SUPPLY: [DRAW, RETURN, PASS, *FREE_STEPS],
    MORE: [RETURN, ENOUGH],
    SPECIAL: [NONE, *SPECIAL_MOVES],
    ANSWER: [NONE, *SPECIAL_MOVES],
    ACTION: [POST, ATTACK, NOTHING, *FREE_STEPS],
    FIGHT: [COUNTER, RECALL, RETREAT_HAND, RETREAT_FIELD, SURRENDER, DECLINE],
    BURY_ONE: [BURY],
    TAKE_ONE: [TAKE],
    FREE: [*FREE_STEPS, DONE],
}
WORDS = {
    "dealt": Words(
        "WT-3", TALE, "{side} {side:holds|hold} {cards}.", "{side} {side:is|are} dealt {count} cards."
    ),
    "passed": Words("WT-6", AUDIT, "{side} {side:takes|take} no supply."),
    "returned": Words("WT-6", AUDIT, "{side} {side:brings|bring} {card} back from the discard pile."),
    "exchanged": Words("WT-11", AUDIT, "{side} {side:exchanges|exchange} the bonus card {card}."),
    "discarded": Words("WT-9", AUDIT, "{side} {side:discards|discard} the temporary card {card}."),
    "kept_still": Words("WT-34", AUDIT, "{side} {side:makes|make} no special move in window {window}."),
    "declined": Words("WT-19", AUDIT, "{side} {side:adds|add} nothing."),
    "hand_shown": Words("WT-24", AUDIT, "{side} {side:shows|show} the hand: {cards}."),
    "buried": Words("WT-25", TALE, "{side} {side:puts|put} {card} under the deck."),
    "dismissed": Words(
        "WT-8", AUDIT, "{side} {side:discards|discard} the temporary cards that are left: {cards}."
    ),
}
ENDINGS = {
    "hand-empty": ("WT-42", "The deck is empty, and so is a hand."),
    "stalled": ("WT-45", "Nothing has happened for eight turns."),
    "turn-limit": ("WT-47", "The turns have run out."),
}


def choice_text(battle: Battle, choice: int) -> str:
    """Return the text of a choice for the current question.

    The text of a special move names the two cards that pay for it, unless only one pair of cards can pay.
    """
    verb = verb_of(choice)
    parts = [VERBS[verb]]
    if verb not in SPECIAL_MOVES or ways(battle.options, verb) > 1:
        parts += [card_text(card) for card in cards_named(choice)]
    return " ".join(parts)


def ways(options: list[int], verb: int) -> int:
    return len([choice for choice in options if verb_of(choice) == verb])


# Error messages


def why_not(battle: WarfareTactics, text: str) -> str:
    """Return the reason why a move is not legal now, or "" without a specific reason."""
    parts = text.split()
    beginnings = [" ".join(parts[:length]).casefold() for length in (1, 2)]
    verbs = [verb for verb, name in VERBS.items() if name in beginnings]
    answers = ANSWERS[battle.question]
    if not verbs or verbs[0] not in answers:
        return f"now write {listed([form(verb) for verb in answers], 'or')}"
    verb = verbs[0]
    cards = []
    for part in parts[len(VERBS[verb].split()) :]:
        try:
            cards.append(read_card(part))
        except ValueError:
            return f"expected a card such as KS or 10H, got {quoted(part)}"
    needed = len(NEEDS.get(verb, []))
    if len(cards) != needed and not (verb in SPECIAL_MOVES and len(cards) == 2):
        return f"write {form(verb)}"
    return why_impossible(battle, verb, cards)


def form(verb: int) -> str:
    """Return the notation of a choice with this verb.

    >>> form(ATTACK)
    'attack CARD TARGET'
    """
    return " ".join([VERBS[verb], *NEEDS.get(verb, [])])


def why_impossible(battle: WarfareTactics, verb: int, cards: list[int]) -> str:
    """Return the reason why a choice that answers the current question is not legal."""
    if verb in SPECIAL_MOVES:
        return why_no_special(battle, verb)
    if verb in FREE_STEPS:
        return why_no_free_step(battle, verb, cards)
    if verb in (RECALL, RETREAT_FIELD, RETREAT_HAND, DECLINE):
        return why_not_in_attack(battle, verb, cards)
    side = battle.side
    hand, field = battle.hands[side], battle.battlefields[side]
    temporary = battle.temporary[side]
    if verb == DRAW:
        return no_deck(battle) or "the next cards of the deck are not written down"
    if verb == NOTHING:
        return "the deck is empty, so it must play a card or attack"
    if verb == RETURN:
        return absent(cards[0], battle.discards[side], "in its discard pile")
    if verb == BURY:
        return absent(cards[0], field, "on its battlefield")
    if verb == TAKE:
        return absent(cards[0], battle.seen[1 - side], "in the shown hand")
    if verb == COUNTER:
        return absent(
            cards[0], hand + temporary + field, f"on its battlefield or in its {describe_hand(hand)}"
        )
    if verb == POST and battle.posted:
        return "it has already played a card in this turn"
    if verb == POST and cards[0] in temporary:
        return f"{card_text(cards[0])} is temporary and cannot be played to the battlefield"
    if verb == POST:
        return absent(cards[0], hand, f"in its {describe_hand(hand)}")
    targets = battle.battlefields[1 - side]
    if not targets:
        return "there is no monster to attack"
    return absent(
        cards[0], hand + temporary + field, f"on its battlefield or in its {describe_hand(hand)}"
    ) or absent(cards[1], targets, "on the enemy's battlefield")


def absent(card: int, cards: list[int], place: str) -> str:
    """Return an error if a card is not in `cards`, and otherwise "".

    `place` names the place of these cards.
    """
    return "" if card in cards else f"{card_text(card)} is not {place}"


def describe_hand(hand: list[int]) -> str:
    """Return the phrase "hand". If some of the hand's cards are unknown, the phrase says so."""
    return "hand, of which some cards are not written down" if UNKNOWN in hand else "hand"


def no_deck(battle: WarfareTactics) -> str:
    """Return an error if the deck of the side that must choose is empty, and otherwise ""."""
    return "" if battle.decks[battle.deck_of(battle.side)] else "the deck is empty"


def why_no_free_step(battle: WarfareTactics, verb: int, cards: list[int]) -> str:
    """Return the reason why a free step is not legal (WT-9 to WT-11)."""
    side = battle.side
    if verb == DISCARD:
        return absent(cards[0], battle.temporary[side], "a temporary card in its hand")
    if verb == BONUS and not battle.bonus:
        return "a bonus card needs fewer monsters at the start of its turn, and is drawn once"
    pile, enemy_pile = (len(battle.discards[owner]) for owner in (side, 1 - side))
    if verb == EXCHANGE and cards[0] not in battle.marked[side]:
        return f"{card_text(cards[0])} is not a bonus card in its hand"
    if verb == EXCHANGE and pile >= enemy_pile:
        return f"its discard pile must be smaller than the enemy's ({pile} against {enemy_pile})"
    return no_deck(battle)


def why_not_in_attack(battle: WarfareTactics, verb: int, cards: list[int]) -> str:
    """Return the reason why a recall, retreat or decline is not legal (WT-19, WT-20, WT-24, WT-25)."""
    side = battle.side
    free = battle.battlefields[side]
    if verb == DECLINE:
        return "both hands still hold cards"
    if verb == RETREAT_HAND:
        return "no card of its hand is written down"
    if verb == RECALL:
        if battle.holds_cards(side):
            return "its hand is not empty"
        return (
            no_deck(battle)
            or absent(cards[0], free, "on its battlefield")
            or "the next card of the deck is not written down"
        )
    n = len(battle.retreaters(side))
    pile, enemy_pile = len(battle.discards[side]) + n, len(battle.discards[1 - side])
    if n == 0:
        return "no monster retreats"
    if len(free) < n:
        return f"it has {counted(len(free), 'free monster')} but needs {n}, one for each card that retreats"
    if pile <= enemy_pile:
        return f"its discard pile would not be the larger one ({pile} against {enemy_pile})"
    return no_deck(battle)


def why_no_special(battle: WarfareTactics, verb: int) -> str:
    """Return the reason why a special move is not legal (WT-35 to WT-38)."""
    side = battle.side
    open_ways = ways(battle.options, verb)
    if open_ways > 1:
        return "there are several ways to pay; name the two cards, the higher first"
    if open_ways == 1:
        return f"there is only one way to pay; write {VERBS[verb]} alone"
    if battle.specials[1 - side] == verb and not (battle.house.any_kind and battle.question == SPECIAL):
        return "the enemy has already made that special move"
    if verb == SEVEN and no_deck(battle):
        return no_deck(battle)
    if len(battle.purse(side)) < 2:
        return "it needs two cards to pay"
    return "its two highest cards are unknown; write down the whole hand"


# The log


class WarfareTale(Tale):
    """The log of a battle, turn by turn. A line describes an action and the steps that led to it."""

    words = WORDS

    def __init__(self, rules: Facts, sides: int) -> None:
        super().__init__(rules, sides)
        self.active = 0
        self.steps: list[Parts] = []  # the steps of the active side since the last line
        self.rule = ""  # the number of the rule for the last of these steps
        self.has_posted = False  # True if the active side has played a card in this turn
        self.rows: list[list[Parts]] = []  # the attack: number, a card per side, totals
        self.stands: list[int] = []  # the totals of the two columns

    def on_opened(self, event: Event) -> list[Block]:
        lines: list[Block] = [Heading(["The deal"])]
        for side, cards in enumerate(as_piles(event.fields["battlefields"])):
            if cards:
                begins = clause(side, "begins|begin", " with ", *faces(cards), " on the battlefield.")
                lines.append(Line(begins, "WT-48"))
        return [*lines, Line(clause(number(event, "first"), "takes|take", " the first turn."), "WT-4")]

    def on_turn_begun(self, event: Event) -> list[Block]:
        """Return the heading of a turn, with the values of both battlefields."""
        before = self.pending_steps()
        self.active = event.side
        self.has_posted = False
        first, second = numbers(event, "totals")
        remark: Parts = [Name(0), f" {first} : {second} ", Name(1)]
        return [*before, Heading([f"Turn {event.fields['turn']}: ", Name(event.side)], remark)]

    def pending_steps(self) -> list[Block]:
        """Return a line about the active side's steps since the last line, or [] if there were no steps."""
        return self.sentence([], self.rule) if self.steps else []

    def sentence(self, last: Parts, rule: str) -> list[Block]:
        """Return a line that has the active side's steps since the last line, and then `last`.

        In an audit, each earlier step already has a line of its own, so this line has only `last`.
        """
        steps = [*self.steps, last] if last else self.steps
        self.steps = []
        parts: Parts = [Name(self.active), " "]
        for place, step in enumerate(steps):
            if place:
                parts.append(" and " if place == len(steps) - 1 else ", ")
            parts += step
        lines: list[Block] = [Line([*parts, "."], rule, TALE, TALE)]
        if last:
            lines.append(Line([Name(self.active), " ", *last, "."], rule, AUDIT))
        return lines

    def draw_parts(self, event: Event, rule: str, why: str = "") -> tuple[Parts, Line]:
        """Describe drawn cards as a part of a sentence, and as a line of an audit.

        If the reader does not see the cards, both give only the number of cards.
        """
        fields = event.fields
        cards: Parts = [counted(number(event, "count"), "card")]
        if "cards" in fields:
            cards = faces(numbers(event, "cards"))
        elif "known" in fields:
            cards += [", among them ", *faces(numbers(event, "known"))]
        return cards, Line(clause(event.side, "draws|draw", " ", *cards, f"{why}."), rule, AUDIT)

    def on_drew(self, event: Event) -> list[Block]:
        cards, line = self.draw_parts(event, "WT-6")
        self.note(self.doing("draws|draw", *cards), "WT-6")
        return [line]

    def on_bonus_drawn(self, event: Event) -> list[Block]:
        cards, line = self.draw_parts(event, "WT-10", ", the bonus card")
        bonus: Parts = ["the bonus card", *([" ", *cards] if "cards" in event.fields else [])]
        self.note(self.doing("draws|draw", *bonus), "WT-10")
        return [line]

    def on_exchanged(self, event: Event) -> list[Block]:
        self.note(self.doing("exchanges|exchange", "the bonus card ", *self.face(event)), "WT-11")
        return [self.line(event)]

    def on_exchange_drawn(self, event: Event) -> list[Block]:
        cards, line = self.draw_parts(event, "WT-11", " for it")
        if "cards" in event.fields:
            self.steps[-1] += [" for ", *cards]
        return [line]

    def on_discarded(self, event: Event) -> list[Block]:
        self.join("discards|discard", event, "WT-9")
        return [self.line(event)]

    def on_returned(self, event: Event) -> list[Block]:
        self.join("returns|return", event, "WT-6")
        return [self.line(event)]

    def note(self, step: Parts, rule: str) -> None:
        self.steps.append(step)
        self.rule = rule

    def doing(self, verb: str, *parts: Part) -> Parts:
        """Describe a step of the active side: a verb in two forms, such as "draws|draw", and its object."""
        return [Inflection(self.active, verb), " ", *parts]

    def join(self, verb: str, event: Event, rule: str) -> None:
        """Add a card to the previous step if that step has the same verb. Otherwise begin a new step."""
        step = self.doing(verb, *self.face(event))
        if self.steps and self.steps[-1][0] == step[0]:
            self.steps[-1] += step[1:]
        else:
            self.note(step, rule)

    def face(self, event: Event, field: str = "card") -> Parts:
        return faces([number(event, field)])

    def on_posted(self, event: Event) -> list[Block]:
        self.has_posted = True
        return self.sentence(self.doing("posts|post", *self.face(event)), "WT-12")

    def on_waited(self, event: Event) -> list[Block]:
        """Return a line about a turn without an action, or one in which a card was played (WT-12)."""
        if self.has_posted:
            return [Line(clause(event.side, "does|do", " not attack."), "WT-12", AUDIT)]
        return self.sentence([Inflection(self.active, "waits|wait")], "WT-13")

    def on_switched(self, event: Event) -> list[Block]:
        return [*self.pending_steps(), self.special(event, "exchanges|exchange", " the discard piles.")]

    def on_called_seven(self, event: Event) -> list[Block]:
        return [*self.pending_steps(), self.special(event, "draws|draw", " seven cards.")]

    def special(self, event: Event, verb: str, effect: str) -> Line:
        """Return the line about a special move and the cards that paid for it.

        `verb` has a singular and a plural form, such as "draws|draw".
        """
        paid, side = numbers(event, "paid"), event.side
        price: Parts = [Inflection(side, "pays|pay"), " ", *faces(paid), " and "] if paid else []
        return Line([Name(side), " ", *price, Inflection(side, verb), effect], "WT-35" if paid else "WT-33")

    def on_seven_drawn(self, event: Event) -> list[Block]:
        return [self.draw_parts(event, "WT-38")[1]]

    def on_attacked(self, event: Event) -> list[Block]:
        """Return the line about an attack, and begin its two columns."""
        card, target = number(event, "card"), number(event, "target")
        self.stands = [0, 0]
        self.rows = []
        self.grow(event.side, card)
        self.grow(1 - event.side, target)
        parts = self.doing("attacks|attack", Card(card_text(target)), " with ", Card(card_text(card)))
        return self.sentence([*parts, origin(event)], "WT-14")

    def grow(self, side: int, card: int) -> None:
        """Add a card to a column, beside the other side's last card or in a new row."""
        self.stands[side] += VALUES[card]
        place = 1 if side == self.active else 2
        if not self.rows or self.rows[-1][place] or (self.rows[1:] and side != self.active):
            self.rows.append([[str(len(self.rows) + 1)], [], [], []])
        self.rows[-1][place] = [Card(card_text(card))]
        self.rows[-1][3] = [self.standing()]

    def standing(self) -> str:
        """Return both totals as text, with the attacker's total first."""
        return f"{self.stands[self.active]} : {self.stands[1 - self.active]}"

    def picture(self) -> list[Block]:
        """Return the attack as a table with two columns, or [] if the table would have only one row."""
        if len(self.rows) < 2:
            return []
        head: list[Parts] = [[""], [Name(self.active)], [Name(1 - self.active)], ["total"]]
        rows = [[cell or ["-"] for cell in row] for row in self.rows]
        return [Grid(head, rows)]

    @property
    def each_card(self) -> int:
        """The lowest level of detail that shows each card of an attack.

        The level is TALE during play, and AUDIT after the battle.
        """
        return AUDIT if self.pace == AFTERWARDS else TALE

    def on_countered(self, event: Event) -> list[Block]:
        self.grow(event.side, number(event, "card"))
        added = clause(event.side, "adds|add", " ", *self.face(event), f"{origin(event)}: {self.standing()}.")
        return [Line(added, "WT-17", self.each_card)]

    def on_recalled(self, event: Event) -> list[Block]:
        self.grow(event.side, number(event, "drawn"))
        put = clause(event.side, "puts|put", " ", *self.face(event), " under the deck and ")
        added = [Inflection(event.side, "adds|add"), " ", *self.face(event, "drawn")]
        return [Line([*put, *added, f" from its top: {self.standing()}."], "WT-20", self.each_card)]

    def on_retreated(self, event: Event) -> list[Block]:
        cards = numbers(event, "cards")
        lost: Parts = ["; ", *faces(cards), " to the discard pile."] if cards else ["; the monster stays."]
        return [*self.picture(), Line(clause(event.side, "retreats|retreat", *lost), "WT-23")]

    def on_took(self, event: Event) -> list[Block]:
        sentence = clause(event.side, "takes|take", " ", *self.face(event), " from the hand that ")
        return [Line([*sentence, *clause(1 - event.side, "shows|show", ".")], "WT-24")]

    def on_surrendered(self, event: Event) -> list[Block]:
        cards = faces(numbers(event, "cards"))
        if not cards:
            parts = clause(event.side, "surrenders|surrender", "; the monster stays.")
            return [*self.picture(), Line(parts, "WT-27")]
        surrender = clause(event.side, "surrenders|surrender", "; ", *cards, " to the battlefield of ")
        return [*self.picture(), Line([*surrender, Name(1 - event.side), ", exhausted."], "WT-27")]

    def on_won(self, event: Event) -> list[Block]:
        """Return the lines about the result of an attack, which also say where the loser's cards go."""
        fields = event.fields
        winner, loser = event.side, number(event, "loser")
        totals = numbers(event, "totals")
        score = f"{totals[winner]} to {totals[loser]}"
        cards = faces(numbers(event, "cards"))
        won = clause(winner, "wins|win", f" the attack {score}")
        if totals[0] == totals[1]:
            won += [", as ", Name(loser), " attacked"]
        if fields["rout"]:
            haul = [Inflection(winner, "takes|take"), " ", *cards, "."]
            return [*self.picture(), Line([*won, ", a rout, and ", *haul], "WT-30")]
        rule = "WT-29" if totals[0] != totals[1] else "WT-28"
        return [
            *self.picture(),
            Line([*won, "; ", *cards, " to the discard pile of ", Name(loser), "."], rule),
        ]

    def on_compensated(self, event: Event) -> list[Block]:
        cards, _ = self.draw_parts(event, "WT-31")
        return [Line(clause(event.side, "draws|draw", " ", *cards, " for what the attack cost."), "WT-31")]

    def on_ended(self, event: Event) -> list[Block]:
        """Return the lines about the reason for the end, and the scores."""
        rule, why = ENDINGS[str(event.fields["ending"])]
        lines = [*self.pending_steps(), Heading(["The count"]), Line([why], rule)]
        rows: list[list[Parts]] = []
        battlefields = as_piles(event.fields["battlefields"])
        for side, score in enumerate(numbers(event, "scores")):
            field = total(battlefields[side])
            pile = score - field
            rows.append([[Name(side)], [str(field)], [str(pile)], [str(score)]])
            parts: Parts = [Name(side), f": battlefield {field}, discard pile of ", Name(1 - side)]
            lines.append(Line([*parts, f" {pile}: {score}."], "WT-43", BRIEF))
        return [*lines, Grid([[""], ["battlefield"], ["enemy's discards"], ["score"]], rows)]


def origin(event: Event) -> str:
    """Return where a card in an attack came from, as a phrase for the end of a sentence."""
    return {
        "hand": "",
        "bonus": ", the bonus card",
        "temporary": ", a temporary card",
        "battlefield": " from the battlefield",
    }[str(event.fields["origin"])]


def faces(cards: list[int]) -> Parts:
    return spaced([Card(card_text(card)) for card in cards])


def as_piles(value: object) -> list[list[int]]:
    assert isinstance(value, list)
    return value

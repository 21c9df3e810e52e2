"""Warfare Tactics in words: choices, refusals, and the tale of a battle with its attacks drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import UNKNOWN
from cardbattle.core.cards import card_text, read_card
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
from cardbattle.rules.warfare_tactics.battle import (
    WarfareTactics,
)
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
from cardbattle.rules.warfare_tactics.state import (
    VALUES,
    total,
)

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
ASKED = {
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
    """Return the text of a choice at the question the battle asks now.

    A special move names its two cards only where there is more than one way to pay.
    """
    verb = verb_of(choice)
    words = [VERBS[verb]]
    if verb not in SPECIAL_MOVES or ways(battle.options, verb) > 1:
        words += [card_text(card) for card in cards_named(choice)]
    return " ".join(words)


def ways(options: list[int], verb: int) -> int:
    """Return how many of the options have this verb."""
    return len([choice for choice in options if verb_of(choice) == verb])


# Refusals


def why_not(battle: WarfareTactics, text: str) -> str:
    """Say why this choice is not on offer, if the rules can tell; else the empty string."""
    words = text.casefold().split()
    two = " ".join(words[:2])
    verbs = [verb for verb, told in VERBS.items() if told in (two, *words[:1])]
    if not verbs or verbs[0] not in ASKED[battle.question]:
        return f"the question now is {question_words(battle.question)}"
    verb = verbs[0]
    cards = []
    for word in words[len(VERBS[verb].split()) :]:
        try:
            cards.append(read_card(word))
        except ValueError:
            return "that is no card; write a rank and a suit, as KS or 10H"
    needed = len(NEEDS.get(verb, []))
    if len(cards) != needed and not (verb in SPECIAL_MOVES and len(cards) == 2):
        return f"write {form(verb)}"
    return refusal(battle, verb, cards)


def question_words(question: int) -> str:
    """Return what a side may say to a question."""
    told = [form(verb) for verb in ASKED[question]]
    return f"{', '.join(told[:-1])} or {told[-1]}" if len(told) > 1 else told[0]


def form(verb: int) -> str:
    """Return how a choice of this kind is written.

    >>> form(ATTACK)
    'attack CARD TARGET'
    """
    return " ".join([VERBS[verb], *NEEDS.get(verb, [])])


def refusal(battle: WarfareTactics, verb: int, cards: list[int]) -> str:
    """Say why a choice that fits the question is not on offer."""
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
        return absent(cards[0], battle.seen[1 - side], "in the hand that is shown")
    if verb == COUNTER:
        return absent(
            cards[0], hand + temporary + field, f"on its battlefield or in its {describe_hand(hand)}"
        )
    if verb == POST and battle.posted:
        return "it has played a card in this turn"
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


def absent(card: int, cards: list[int], where: str) -> str:
    """Say that a card is not where it should be, if so."""
    return "" if card in cards else f"{card_text(card)} is not {where}"


def describe_hand(hand: list[int]) -> str:
    """Return how a refusal calls a hand of which perhaps not all was written down."""
    return "hand, as far as that is written down" if UNKNOWN in hand else "hand"


def no_deck(battle: WarfareTactics) -> str:
    """Say that the deck of the side that is asked is empty, if so."""
    return "" if battle.decks[battle.deck_of(battle.side)] else "the deck is empty"


def why_no_free_step(battle: WarfareTactics, verb: int, cards: list[int]) -> str:
    """Say why a free step is not open (WT-9 to WT-11)."""
    side = battle.side
    if verb == DISCARD:
        return absent(cards[0], battle.temporary[side], "a temporary card in its hand")
    if verb == BONUS and not battle.bonus:
        return "a bonus card is drawn once, by a side that begins its turn with fewer monsters"
    own, other = (len(battle.discards[each]) for each in (side, 1 - side))
    if verb == EXCHANGE and cards[0] not in battle.marked[side]:
        return f"{card_text(cards[0])} is not a bonus card in its hand"
    if verb == EXCHANGE and own >= other:
        return f"its discard pile must be the smaller one ({own} against {other})"
    return no_deck(battle)


def why_not_in_attack(battle: WarfareTactics, verb: int, cards: list[int]) -> str:
    """Say why a way out of an attack is not open (WT-19, WT-20, WT-24, WT-25)."""
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
    own, other = len(battle.discards[side]) + n, len(battle.discards[1 - side])
    if n == 0:
        return "no monster retreats"
    if len(free) < n:
        return f"it has {counted(len(free), 'free monster')} for {n} that retreat"
    if own <= other:
        return f"its discard pile would not be the larger one ({own} against {other})"
    return no_deck(battle)


def why_no_special(battle: WarfareTactics, verb: int) -> str:
    """Say why a special move is not open (WT-35 to WT-38)."""
    side = battle.side
    open_ways = ways(battle.options, verb)
    if open_ways > 1:
        return "there is more than one way to pay; name the two cards, the higher first"
    if open_ways == 1:
        return f"write {VERBS[verb]} alone, as there is no choice of what to pay"
    if battle.specials[1 - side] == verb:
        return "that special move has been made"
    if verb == SEVEN and no_deck(battle):
        return no_deck(battle)
    if len(battle.purse(side)) < 2:
        return "it has no two cards to pay"
    return "its hand is not all written down, so its two highest cards are not known"


# The tale


class WarfareTale(Tale):
    """Tells a battle turn by turn; what leads up to an action is told in one line with it."""

    words = WORDS

    def __init__(self, rules: Facts, sides: int) -> None:
        super().__init__(rules, sides)
        self.active = 0
        self.steps: list[Parts] = []  # what the active side did since the last line
        self.rule = ""  # that the last of these steps rests on
        self.has_posted = False  # a card in this turn
        self.rows: list[list[Parts]] = []  # the attack: a card or nothing of each side, the totals
        self.stands: list[int] = []  # the totals

    def on_opened(self, event: Event) -> list[Block]:
        """Tell what stands before the first turn, and who takes it."""
        told: list[Block] = [Heading(["The deal"])]
        for side, cards in enumerate(as_piles(event.fields["battlefields"])):
            if cards:
                begins = clause(side, "begins|begin", " with ", *faces(cards), " on the battlefield.")
                told.append(Line(begins, "WT-48"))
        return [*told, Line(clause(number(event, "first"), "takes|take", " the first turn."), "WT-4")]

    def on_turn_begun(self, event: Event) -> list[Block]:
        """Head a turn with the totals of both battlefields."""
        told = self.so_far()
        self.active = event.side
        self.has_posted = False
        first, second = numbers(event, "totals")
        remark: Parts = [Name(0), f" {first} : {second} ", Name(1)]
        return [*told, Heading([f"Turn {event.fields['turn']}: ", Name(event.side)], remark)]

    def so_far(self) -> list[Block]:
        """Return a line on what the active side did since the last one, if anything."""
        return self.sentence([], self.rule) if self.steps else []

    def sentence(self, last: Parts, rule: str) -> list[Block]:
        """Return a line on what the active side did since the last one, and now.

        An audit has a line for every step already, so it gets the last one alone.
        """
        steps = [*self.steps, last] if last else self.steps
        self.steps = []
        parts: Parts = [Name(self.active), " "]
        for place, step in enumerate(steps):
            if place:
                parts.append(" and " if place == len(steps) - 1 else ", ")
            parts += step
        told: list[Block] = [Line([*parts, "."], rule, TALE, TALE)]
        if last:
            told.append(Line([Name(self.active), " ", *last, "."], rule, AUDIT))
        return told

    def draw_parts(self, event: Event, rule: str, why: str = "") -> tuple[Parts, Line]:
        """Return what was drawn, for a sentence, and as a line for who wants every step."""
        fields = event.fields
        what: Parts = [counted(number(event, "count"), "card")]
        if "cards" in fields:
            what = faces(numbers(event, "cards"))
        elif "known" in fields:
            what += [", among them ", *faces(numbers(event, "known"))]
        return what, Line(clause(event.side, "draws|draw", " ", *what, f"{why}."), rule, AUDIT)

    def on_drew(self, event: Event) -> list[Block]:
        """Tell the temporary cards."""
        what, line = self.draw_parts(event, "WT-6")
        self.note(self.doing("draws|draw", *what), "WT-6")
        return [line]

    def on_bonus_drawn(self, event: Event) -> list[Block]:
        """Tell the bonus card."""
        what, line = self.draw_parts(event, "WT-10", ", the bonus card")
        bonus: Parts = ["the bonus card", *([" ", *what] if "cards" in event.fields else [])]
        self.note(self.doing("draws|draw", *bonus), "WT-10")
        return [line]

    def on_exchanged(self, event: Event) -> list[Block]:
        """Tell which bonus card goes."""
        self.note(self.doing("exchanges|exchange", "the bonus card ", *self.face(event)), "WT-11")
        return [self.line(event)]

    def on_exchange_drawn(self, event: Event) -> list[Block]:
        """Tell what comes for it."""
        what, line = self.draw_parts(event, "WT-11", " for it")
        if "cards" in event.fields:
            self.steps[-1] += [" for ", *what]
        return [line]

    def on_discarded(self, event: Event) -> list[Block]:
        """Tell a discard; several make one step of the sentence."""
        self.join("discards|discard", event, "WT-9")
        return [self.line(event)]

    def on_returned(self, event: Event) -> list[Block]:
        """Tell a monster that comes back."""
        self.join("returns|return", event, "WT-6")
        return [self.line(event)]

    def note(self, step: Parts, rule: str) -> None:
        """Keep a step for the next sentence."""
        self.steps.append(step)
        self.rule = rule

    def doing(self, verb: str, *rest: Part) -> Parts:
        """Return a step of the active side: a verb in two forms, as "draws|draw", and what follows."""
        return [Inflection(self.active, verb), " ", *rest]

    def join(self, verb: str, event: Event, rule: str) -> None:
        """Add a card to the step before, if that was of the same kind, else as a new step."""
        step = self.doing(verb, *self.face(event))
        if self.steps and self.steps[-1][0] == step[0]:
            self.steps[-1] += step[1:]
        else:
            self.note(step, rule)

    def face(self, event: Event, field: str = "card") -> Parts:
        """Return the card of an event."""
        return faces([number(event, field)])

    def on_posted(self, event: Event) -> list[Block]:
        """Tell a card played to the battlefield, and what led up to it."""
        self.has_posted = True
        return self.sentence(self.doing("posts|post", *self.face(event)), "WT-12")

    def on_waited(self, event: Event) -> list[Block]:
        """Tell that there is no action, or none after a card posted (WT-12)."""
        if self.has_posted:
            return [Line(clause(event.side, "does|do", " not attack."), "WT-12", AUDIT)]
        return self.sentence([Inflection(self.active, "waits|wait")], "WT-13")

    def on_switched(self, event: Event) -> list[Block]:
        """Tell the exchange of the discard piles."""
        return [*self.so_far(), self.special(event, "exchanges|exchange", " the discard piles.")]

    def on_called_seven(self, event: Event) -> list[Block]:
        """Tell the draw of seven."""
        return [*self.so_far(), self.special(event, "draws|draw", " seven cards.")]

    def special(self, event: Event, verb: str, effect: str) -> Line:
        """Return the line of a special move and its price; the verb is in two forms, as "draws|draw"."""
        paid, side = numbers(event, "paid"), event.side
        price: Parts = [Inflection(side, "pays|pay"), " ", *faces(paid), " and "] if paid else []
        told: Parts = [Name(side), " ", *price, Inflection(side, verb), effect]
        return Line(told, "WT-35" if paid else "WT-33")

    def on_seven_drawn(self, event: Event) -> list[Block]:
        """Tell the cards to who may know them."""
        return [self.draw_parts(event, "WT-38")[1]]

    def on_attacked(self, event: Event) -> list[Block]:
        """Tell the attack, and begin its two columns."""
        card, target = number(event, "card"), number(event, "target")
        self.stands = [0, 0]
        self.rows = []
        self.grow(event.side, card)
        self.grow(1 - event.side, target)
        parts = self.doing("attacks|attack", Card(card_text(target)), " with ", Card(card_text(card)))
        return self.sentence([*parts, origin(event)], "WT-14")

    def grow(self, side: int, card: int) -> None:
        """Add a card to a column: beside the other's last one, or in a new row."""
        self.stands[side] += VALUES[card]
        place = 1 if side == self.active else 2
        if not self.rows or self.rows[-1][place] or (self.rows[1:] and side != self.active):
            self.rows.append([[str(len(self.rows) + 1)], [], [], []])
        self.rows[-1][place] = [Card(card_text(card))]
        self.rows[-1][3] = [self.standing()]

    def standing(self) -> str:
        """Return both totals, the attacker's first."""
        return f"{self.stands[self.active]} : {self.stands[1 - self.active]}"

    def picture(self) -> list[Block]:
        """Return the attack as two columns that have grown, if more than one card was added."""
        if len(self.rows) < 2:
            return []
        head: list[Parts] = [[""], [Name(self.active)], [Name(1 - self.active)], ["total"]]
        rows = [[cell or ["-"] for cell in row] for row in self.rows]
        return [Grid(head, rows)]

    @property
    def each_card(self) -> int:
        """The detail that tells each card of an attack: to those who fight it, as it comes."""
        return AUDIT if self.pace == AFTERWARDS else TALE

    def on_countered(self, event: Event) -> list[Block]:
        """Tell a card added."""
        self.grow(event.side, number(event, "card"))
        told = clause(event.side, "adds|add", " ", *self.face(event), f"{origin(event)}: {self.standing()}.")
        return [Line(told, "WT-17", self.each_card)]

    def on_recalled(self, event: Event) -> list[Block]:
        """Tell a monster put under the deck for the top card."""
        self.grow(event.side, number(event, "drawn"))
        put = clause(event.side, "puts|put", " ", *self.face(event), " under the deck and ")
        added = [Inflection(event.side, "adds|add"), " ", *self.face(event, "drawn")]
        return [Line([*put, *added, f" from its top: {self.standing()}."], "WT-20", self.each_card)]

    def on_retreated(self, event: Event) -> list[Block]:
        """Tell a retreat and what it discards."""
        cards = numbers(event, "cards")
        what: Parts = ["; ", *faces(cards), " to the discard pile."] if cards else ["; the monster stays."]
        return [*self.picture(), Line(clause(event.side, "retreats|retreat", *what), "WT-23")]

    def on_took(self, event: Event) -> list[Block]:
        """Tell which card of the shown hand was taken."""
        taken = clause(event.side, "takes|take", " ", *self.face(event), " from the hand that ")
        return [Line([*taken, *clause(1 - event.side, "shows|show", ".")], "WT-24")]

    def on_surrendered(self, event: Event) -> list[Block]:
        """Tell who goes over."""
        cards = faces(numbers(event, "cards"))
        told = clause(event.side, "surrenders|surrender", "; ", *cards, " to the battlefield of ")
        return [*self.picture(), Line([*told, Name(1 - event.side), ", exhausted."], "WT-27")]

    def on_won(self, event: Event) -> list[Block]:
        """Tell how an attack ended, and where the loser's cards go."""
        fields = event.fields
        winner, loser = event.side, number(event, "loser")
        totals = numbers(event, "totals")
        score = f"{totals[winner]} to {totals[loser]}"
        cards = faces(numbers(event, "cards"))
        won = clause(winner, "wins|win", f" the attack {score}")
        if totals[0] == totals[1]:
            won += [", as ", Name(loser), " attacked"]
        if fields["rout"]:
            taken = [Inflection(winner, "takes|take"), " ", *cards, "."]
            return [*self.picture(), Line([*won, ", a rout, and ", *taken], "WT-30")]
        rule = "WT-29" if totals[0] != totals[1] else "WT-28"
        return [
            *self.picture(),
            Line([*won, "; ", *cards, " to the discard pile of ", Name(loser), "."], rule),
        ]

    def on_compensated(self, event: Event) -> list[Block]:
        """Tell what the loser draws."""
        what, _ = self.draw_parts(event, "WT-31")
        return [Line(clause(event.side, "draws|draw", " ", *what, " for what the attack cost."), "WT-31")]

    def on_ended(self, event: Event) -> list[Block]:
        """Tell why the battle ends, and count."""
        fields = event.fields
        rule, why = ENDINGS[str(fields["ending"])]
        told = [*self.so_far(), Heading(["The count"]), Line([why], rule)]
        fields_total = [total(cards) for cards in as_piles(fields["battlefields"])]
        scores = numbers(event, "scores")
        rows: list[list[Parts]] = []
        for side, score in enumerate(scores):
            field, pile = fields_total[side], score - fields_total[side]
            rows.append([[Name(side)], [str(field)], [str(pile)], [str(score)]])
            told.append(
                Line(
                    [
                        Name(side),
                        f": battlefield {field}, discard pile of ",
                        Name(1 - side),
                        f" {pile}: {score}.",
                    ],
                    "WT-43",
                    BRIEF,
                )
            )
        return [*told, Grid([[""], ["battlefield"], ["enemy's discards"], ["score"]], rows)]


def origin(event: Event) -> str:
    """Return where a card of an attack came from, as a sentence has it."""
    return {
        "hand": "",
        "bonus": ", the bonus card",
        "temporary": ", a temporary card",
        "battlefield": " from the battlefield",
    }[str(event.fields["origin"])]


def faces(cards: list[int]) -> Parts:
    """Return cards for a sentence, spaced."""
    return spaced([Card(card_text(card)) for card in cards])


def as_piles(value: object) -> list[list[int]]:
    """Return a field that is a list of piles."""
    assert isinstance(value, list)
    return value

"""Outbid, a game small enough to see through: the tests' own rule set, with every trick in it.

Each side holds a few cards. In every round a side with an Ace may taunt the others, then each
side seals a card; the highest wins the round, and chance turns up a card of the stack as its
prize. Most rounds won is the battle won.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, Outcome, View
from cardbattle.core.cards import ACE, card_text, rank_of, read_card, standard_pack
from cardbattle.core.errors import Diagnostic
from cardbattle.core.options import CardList, SideKey, Switch, Whole
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.telling import AUDIT, TALE, Block, Heading, Line, Tale, Words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from cardbattle.core.battle import Event
    from cardbattle.core.chance import Chance, RandomSource

RESIGN, PASS, TAUNT = 0, 1, 2  # beside the cards of a hand
ASKED_TAUNT, ASKED_SEAL = 1, 2  # questions
PRIZE = 1  # what fate decides
ASK_TAUNT, ASK_SEAL, REVEAL, NEXT_ROUND = 16, 32, 48, 64  # steps


class OutbidView(View):
    """What a side may know: its hand, and all that lies open."""

    def __init__(self, battle: Outbid, side: int) -> None:
        is_asked = battle.side == side
        self.side = side
        self.question = battle.question if is_asked else 0
        self.options = battle.options.copy() if is_asked else []
        self.hand = battle.hands[side].copy()
        self.sizes = [len(hand) for hand in battle.hands]
        self.played = [pile.copy() for pile in battle.played]
        self.scores = battle.scores.copy()
        self.taunts = battle.taunts.copy()


class Outbid(Battle):
    """One battle of Outbid."""

    hands: list[list[int]]
    stack: list[int]  # its order means nothing
    played: list[list[int]]  # per side, prizes among them
    sealed: list[int]
    scores: list[int]
    taunts: list[int]
    round: int
    rounds: int
    beaten: int  # who resigned

    def begin(
        self, hands: list[list[int]], stack: list[int], rounds: int, random_source: RandomSource
    ) -> None:
        """Set the battle up (OB-1)."""
        self.open_agenda(len(hands), random_source)
        self.unoffered = [RESIGN]
        self.hands = [sorted(hand) for hand in hands]
        self.stack = sorted(stack)
        self.played = [[] for _ in hands]
        self.sealed = [UNKNOWN] * len(hands)
        self.scores = [0] * len(hands)
        self.taunts = [0] * len(hands)
        self.round = 0
        self.rounds = rounds
        self.beaten = NOBODY
        self.then(NEXT_ROUND)

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda; the steps stand in playing order."""
        if step == ASK_TAUNT:
            self.ask_taunt(side)
        elif step == ASK_SEAL:
            self.ask_seal(side)
        elif step == REVEAL:
            self.reveal()
        else:
            self.next_round()

    def next_round(self) -> None:
        """Begin a round (OB-2), or end the battle (OB-4)."""
        if self.round == self.rounds or not all(self.hands):
            self.emit_end()
            return
        self.round += 1
        everybody = range(self.sides)
        taunts, seals = [ASK_TAUNT + side for side in everybody], [ASK_SEAL + side for side in everybody]
        self.then(*taunts, *seals, REVEAL, NEXT_ROUND)

    def ask_taunt(self, side: int) -> None:
        """Ask a side with an Ace whether it taunts (OB-6); another seems to pass."""
        self.ask(side, ASKED_TAUNT, [PASS, TAUNT] if self.may_taunt(side) else [PASS])

    def may_taunt(self, side: int) -> bool:
        """Say whether a side holds an Ace."""
        return any(rank_of(card) == ACE for card in self.hands[side] if card != UNKNOWN)

    def ask_seal(self, side: int) -> None:
        """Ask a side for a card of its hand (OB-2)."""
        self.ask(side, ASKED_SEAL, [card for card in self.hands[side] if card != UNKNOWN])

    def answer(self, question: int, side: int, choice: int) -> None:
        """Seal a card, taunt (OB-6), or resign (OB-5)."""
        if question == ASKED_TAUNT and choice != RESIGN:
            self.taunts[side] += choice == TAUNT
            if self.log is not None:
                self.emit("taunted" if choice == TAUNT else "kept_silent", side, {})
            return
        if choice == RESIGN:
            self.beaten = side
            self.todo = []
            self.emit_end()
            return
        self.sealed[side] = choice
        if self.log is not None:
            self.emit("sealed", side, {}, {"card": choice}, [side])

    def reveal(self) -> None:
        """Turn the cards up; the highest wins and gets a prize (OB-3)."""
        winner = self.sealed.index(max(self.sealed))
        for side, card in enumerate(self.sealed):
            self.hands[side].remove(card)
            self.played[side].append(card)
        self.scores[winner] += 1
        if self.log is not None:
            self.emit("won", winner, {"cards": self.sealed, "round": self.round})
        self.sealed = [UNKNOWN] * self.sides
        if self.stack:
            self.win_prize(winner)

    def win_prize(self, winner: int) -> None:
        """Give the winner a card of the stack (OB-3)."""
        card = self.random_source.one_of(PRIZE, winner, self.stack)
        self.stack.remove(card)
        self.played[winner].append(card)
        if self.log is not None:
            self.emit("prize", winner, {"card": card})

    def emit_end(self) -> None:
        """Tell the result (OB-4)."""
        if self.log is not None:
            ended = self.outcome()
            fields: dict[str, object] = {"winners": ended.winners, "reason": ended.reason}
            self.emit("ended", NOBODY, fields)

    def score(self, side: int) -> int:
        """Return the rounds the side has won."""
        return self.scores[side]

    def outcome(self) -> Outcome[int]:
        """Return who won most rounds (OB-4)."""
        losses = [(self.round - score, self.rounds) for score in self.scores]
        if self.beaten != NOBODY:
            rest = [side for side in range(self.sides) if side != self.beaten]
            return Outcome(rest, "resigned", losses)
        best = [side for side in range(self.sides) if self.scores[side] == max(self.scores)]
        return Outcome(best, "most-rounds" if len(best) == 1 else "shared", losses)

    def view(self, side: int) -> OutbidView:
        """Return what this side may know."""
        return OutbidView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> Self:
        """Return a copy in which the others' hands and the stack are dealt again."""
        new = self.copy()
        others = [side for side in range(self.sides) if side != viewer]
        pool = sorted(self.stack + [card for side in others for card in self.hands[side]])
        chance.shuffle(pool)
        for side in others:
            new.hands[side] = sorted([pool.pop() for _ in self.hands[side]])
            new.sealed[side] = UNKNOWN
        new.stack = sorted(pool)
        if self.side == NOBODY:
            return new
        if self.question == ASKED_SEAL:
            new.options = new.hands[new.side].copy()
            waiting = [side for side in range(self.sides) if side != self.side and new.sealed[side] < 0]
            new.todo = []
            new.then(*(ASK_SEAL + side for side in waiting), REVEAL, NEXT_ROUND)
        elif not new.may_taunt(new.side):
            new.options = [PASS]  # asked, and nobody knows why; there is only to pass
        return new

    def copy(self) -> Self:
        """Return an independent battle at the same point."""
        new = type(self)()
        self.copy_agenda(new)
        new.hands = [hand.copy() for hand in self.hands]
        new.stack = self.stack.copy()
        new.played = [pile.copy() for pile in self.played]
        new.sealed = self.sealed.copy()
        new.scores = self.scores.copy()
        new.taunts = self.taunts.copy()
        new.round = self.round
        new.rounds = self.rounds
        new.beaten = self.beaten
        return new

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers."""
        return [
            *self.agenda(),
            *self.hands,
            self.stack,
            *self.played,
            self.sealed,
            self.scores,
            self.taunts,
            [self.round, self.rounds, self.beaten],
        ]


class OutbidTale(Tale):
    """Tells a battle in a sentence a step."""

    words = {
        "taunted": Words("OB-6", TALE, "{side} taunts the others."),
        "kept_silent": Words("OB-6", AUDIT, "{side} keeps silent."),
        "sealed": Words("OB-2", AUDIT, "{side} seals {card}.", "{side} seals a card."),
        "won": Words("OB-3", TALE, "{cards}: {side} wins round {round}."),
        "prize": Words("OB-3", TALE, "{side} gets {card}."),
    }

    def on_ended(self, event: Event) -> list[Block]:
        """Tell the end."""
        return [Heading(["The end"]), Line([str(event.fields["reason"])], "OB-4")]


def read_face(value: object) -> int:
    """Return the card a value names."""
    if not isinstance(value, str):
        raise ValueError('write a card as text, such as "KS" or "10H"')
    return read_card(value)


class OutbidRules(RuleSet):
    """Outbid as the rest of the program knows it."""

    key = "outbid"
    name = "Outbid"
    code = "OB"
    credit = "Outbid, for the tests"
    default_sides = ("ann", "bob", "cid")
    fewest = 2
    most = 4
    house = {
        "rounds": Whole(3, "how many rounds are fought", 1, 4),
        "dealer": SideKey(None, "who deals; by lot"),
        "short": Switch(False, "play with half the pack"),
    }
    options = {
        "hand": Whole(3, "cards dealt", 1, 5),
        "extra": CardList(None, "cards beside them", read_face, card_text, 0, 2),
    }
    reasons = {
        "most-rounds": "most rounds won",
        "shared": "a shared victory",
        "resigned": "the other resigned",
    }
    facts = {"card": "card", "cards": "cards", "winners": "sides"}
    package = "tests.toy"
    revealing: Sequence[int] = (ASKED_TAUNT,)
    played: type[Outbid] = Outbid

    def check(self, setup: Setup) -> list[Diagnostic]:
        """Refuse extras and typed cards that are given twice or are not in the pack."""
        named = [card for seat in range(len(setup.seats)) for card in setup.cards(seat, "extra")]
        typed = [card for cards in setup.deal.values() for card in cards]
        if not self.is_part_of_pack(setup, named):
            return [Diagnostic("the extras are not one part of the pack", at=("sides",))]
        if not self.is_part_of_pack(setup, typed):
            return [Diagnostic("the typed cards are not one part of the pack", at=("deal",))]
        return []

    def is_part_of_pack(self, setup: Setup, cards: list[int]) -> bool:
        """Return True if the cards are in the pack, each once."""
        return len(set(cards)) == len(cards) and set(cards) <= set(self.pack(setup))

    def pack(self, setup: Setup) -> list[int]:
        """Return the cards in play."""
        return standard_pack()[:26] if setup.house["short"] else standard_pack()

    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        """Settle who deals."""
        if setup.house["dealer"] is None:
            setup.house["dealer"] = setup.seats[chance.below(len(setup.seats))]

    def piles(self, setup: Setup) -> list[str]:
        """Return the piles in dealing order."""
        return [*setup.seats, "stack"]

    def sizes(self, setup: Setup) -> list[int]:
        """Return how many cards lie in each pile."""
        hands = [
            setup.whole(seat, "hand") + len(setup.cards(seat, "extra")) for seat in range(len(setup.seats))
        ]
        return [*hands, len(self.pack(setup)) - sum(hands)]

    def deal(self, setup: Setup, chance: Chance) -> None:
        """Complete the deal; what is typed in stays."""
        typed = {pile: self.typed(setup, pile) for pile in self.piles(setup)}
        taken = [card for dealt in typed.values() for card in dealt]
        pool = [card for card in self.pack(setup) if card not in taken]
        chance.shuffle(pool)
        for pile, size in zip(self.piles(setup), self.sizes(setup), strict=True):
            while len(typed[pile]) < size:
                typed[pile].append(pool.pop())
        setup.deal = typed

    def typed(self, setup: Setup, pile: str) -> list[int]:
        """Return the cards of a pile that are known before the deal: those typed, or the extras."""
        extra = setup.cards(setup.seat(pile), "extra") if pile in setup.seats else []
        dealt = setup.deal.get(pile, [])
        return dealt if len(dealt) >= len(extra) else extra

    def deal_unknown(self, setup: Setup) -> None:
        """Complete the deal with cards that nobody wrote down."""
        for pile, size in zip(self.piles(setup), self.sizes(setup), strict=True):
            dealt = setup.deal.get(pile, [])
            setup.deal[pile] = dealt + [UNKNOWN] * (size - len(dealt))

    def start(self, setup: Setup, random_source: RandomSource) -> Battle:
        """Return the battle with its first steps on the agenda, not yet run."""
        battle = self.played()
        rounds = setup.house["rounds"]
        assert isinstance(rounds, int)
        battle.begin([setup.deal[seat] for seat in setup.seats], setup.deal["stack"], rounds, random_source)
        return battle

    def regular(self, view: View, chance: Chance) -> int:
        """Return the highest card."""
        return len(view.options) - 1

    def choice_text(self, battle: Battle, choice: int) -> str:
        """Return the text of a choice."""
        return {RESIGN: "resign", PASS: "pass", TAUNT: "taunt"}.get(choice) or f"seal {card_text(choice)}"

    def fate_text(self, kind: int, side: int, seats: list[str]) -> str:
        """Return the words that begin a `fate` move."""
        return f"prize {seats[side]}"

    def why_not(self, battle: Battle, text: str) -> str:
        """Say that the card is not in the hand."""
        return "that card is not in the hand" if text.startswith("seal ") else ""

    def tale(self, setup: Setup) -> Tale:
        """Return a fresh teller for one battle."""
        return OutbidTale(self, len(setup.seats))

    def cards_in(self, battle: Battle) -> list[int]:
        """Return all cards: hands, stack, and what was played."""
        assert isinstance(battle, Outbid)
        return [card for pile in [*battle.hands, battle.stack, *battle.played] for card in pile]


OUTBID = OutbidRules()

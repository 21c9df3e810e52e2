"""The state of a battle of Warfare Tactics: hands, battlefields, piles, decks, and each side's knowledge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, View
from cardbattle.core.cards import add_in_order, is_among, take_out

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance

# WT-2: the value of each card code. An Ace counts 1. The last entry is the value of UNKNOWN, 0.
VALUES: Final = bytes([1 if code % 64 // 4 == 14 else code % 64 // 4 for code in range(255)] + [0])

HAND: Final = 7  # WT-3
TURN_LIMIT: Final = 120  # WT-47
LONG_TURN_LIMIT: Final = 240

PLAIN: Final = 0  # the parts of a hand, which both sides can distinguish
MARKED: Final = 1
TEMPORARIES: Final = 2
PARTS: Final = 3
FIELD: Final = 3  # the battlefield
ORIGINS: Final = ["hand", "bonus", "temporary", "battlefield"]


class HouseRules:
    """The house rules of one battle. The object is immutable."""

    def __init__(
        self,
        turn_limit: int = TURN_LIMIT,
        play_and_attack: bool = False,
        hold_when_ahead: bool = False,
        target_retreats: bool = True,
        seven_is_free: bool = False,
        count_discards: bool = False,
        quiet_turns: int = 0,
        pass_ends_turn: bool = False,
        return_two: bool = False,
        last_card_final: bool = False,
        target_surrenders: bool = True,
        spent_ends: bool = False,
        windows: int = 3,
        any_kind: bool = False,
        ends_at_once: bool = False,
    ) -> None:
        self.turn_limit = turn_limit  # WT-47
        self.play_and_attack = play_and_attack  # WT-12
        self.hold_when_ahead = hold_when_ahead  # WT-18
        self.target_retreats = target_retreats  # WT-23
        self.seven_is_free = seven_is_free  # WT-35
        self.count_discards = count_discards  # WT-43
        self.quiet_turns = quiet_turns  # WT-34
        self.pass_ends_turn = pass_ends_turn  # WT-6
        self.return_two = return_two  # WT-7
        self.last_card_final = last_card_final  # WT-19
        self.target_surrenders = target_surrenders  # WT-27
        self.spent_ends = spent_ends  # WT-30
        self.windows = windows  # WT-34
        self.any_kind = any_kind  # WT-37
        self.ends_at_once = ends_at_once  # WT-42

    def __reduce__(self) -> tuple[object, ...]:
        """Return the constructor arguments, from which `pickle` rebuilds the house rules."""
        return HouseRules, (
            self.turn_limit, self.play_and_attack, self.hold_when_ahead, self.target_retreats,
            self.seven_is_free, self.count_discards, self.quiet_turns, self.pass_ends_turn, self.return_two,
            self.last_card_final, self.target_surrenders, self.spent_ends, self.windows, self.any_kind,
            self.ends_at_once,
        )  # fmt: skip


@mypyc_attr(allow_interpreted_subclasses=True)
class WarfareView(View):
    """What one side can see in a battle of Warfare Tactics (WT-3, WT-41).

    The view shares lists with the battle until `detach` is called, and computes costly lists only when they
    are needed. A list by side has one element for each side. A hand has three parts: ordinary, marked and
    temporary cards. For each part of the enemy's hand, the view has its size, and `seen` has the cards that
    the side has seen in it. `known` has the seen cards of all parts. If the enemy has paid its two highest
    cards, `ceiling` is the value of the lower one. Each part then has at least `low` unseen cards of at most
    this value.
    """

    _battle: WarfareState | None  # None after `detach`, which sets the fields below
    _seen: list[list[int]]
    _unseen: list[int]
    _buried: list[list[int]]
    _marked_sizes: list[int]
    _low: list[int]

    def __init__(self, battle: WarfareState, side: int) -> None:
        enemy = 1 - side
        is_asked = battle.side == side
        self._battle = battle
        self.side = side
        self.question = battle.question if is_asked else 0
        self.options = battle.options if is_asked else []
        self.house = battle.house
        self.turn = battle.turn
        self.active = battle.active
        self.hand = battle.hands[side]
        self.temporary = battle.temporary[side]
        self.marked = battle.marked[side]
        self.shown = battle.seen[side]
        self.known = battle.seen[enemy]
        self.sizes = [len(battle.hands[0]), len(battle.hands[1])]
        self.temporary_sizes = [len(battle.temporary[0]), len(battle.temporary[1])]
        self.ceiling = battle.ceiling[enemy]
        self.battlefields = battle.battlefields
        self.discards = battle.discards
        self.own_decks = len(battle.decks) > 1
        self.deck_sizes = [len(battle.decks[0]), len(battle.decks[-1])]
        self.columns = battle.columns
        self.target = battle.target
        self.from_hand = battle.from_hand
        self.declines = battle.declines
        self.to_bury = battle.to_bury
        self.exhausted = battle.exhausted
        self.owed = battle.owed
        self.specials = battle.specials
        self.window = battle.window
        self.called = battle.called
        self.bonus = battle.bonus
        self.posted = battle.posted
        self.stirred = battle.stirred
        self.quiet = battle.quiet

    @property
    def seen(self) -> list[list[int]]:
        """The cards that this side has seen in each part of the enemy's hand."""
        return self._seen if self._battle is None else self._battle.seen_parts(1 - self.side)

    @property
    def unseen(self) -> list[int]:
        """The cards that the side has not seen and that can be in its deck.

        They are in no particular order until `detach` is called. The known cards under the deck are not
        included.

        If both sides share a deck, the list includes the unseen cards in the enemy's hand.
        """
        return self._unseen if self._battle is None else self._battle.unseen_by(self.side)

    def unseen_total(self) -> tuple[int, int]:
        """Return the total value and the number of the cards in `unseen`, without computing the list."""
        if self._battle is None:
            return total(self._unseen), len(self._unseen)
        return self._battle.unseen_total(self.side)

    @property
    def buried(self) -> list[list[int]]:
        """The known cards at the bottom of each deck, with the lowest card first."""
        return self._buried if self._battle is None else self._battle.cards_under_decks()

    @property
    def marked_counts(self) -> list[int]:
        """The number of marked cards in each hand."""
        return self._marked_sizes if self._battle is None else [len(cards) for cards in self._battle.marked]

    @property
    def low(self) -> list[int]:
        """The minimum number of unseen cards with a value of at most `ceiling`.

        The list has a number for each part of the enemy's hand.
        """
        at = PARTS * (1 - self.side)
        return self._low if self._battle is None else self._battle.low[at : at + PARTS]

    def detach(self) -> WarfareView:
        """Copy the shared lists, so that later changes to the battle do not affect the view."""
        self._seen = self.seen
        self._unseen = sorted(self.unseen)
        self._buried = self.buried
        self._marked_sizes = self.marked_counts
        self._low = self.low
        self._battle = None
        self.known = self.known.copy()
        self.options = self.options.copy()
        self.hand = self.hand.copy()
        self.temporary = self.temporary.copy()
        self.marked = self.marked.copy()
        self.shown = self.shown.copy()
        self.battlefields = [cards.copy() for cards in self.battlefields]
        self.discards = [cards.copy() for cards in self.discards]
        self.columns = [cards.copy() for cards in self.columns]
        self.from_hand = self.from_hand.copy()
        self.exhausted = self.exhausted.copy()
        self.owed = self.owed.copy()
        self.specials = self.specials.copy()
        return self


class WarfareState(Battle):
    """The state of one battle of Warfare Tactics. The module `battle` has the order of play."""

    house: HouseRules
    turn: int
    active: int  # the side whose turn it is
    hands: list[list[int]]  # ordinary cards, in ascending order
    temporary: list[list[int]]  # temporary cards (WT-8), in ascending order
    marked: list[list[int]]  # the cards of `hands` that were bonus draws (WT-11)
    battlefields: list[list[int]]  # free monsters; monsters in an attack are in `columns`
    discards: list[list[int]]
    decks: list[list[int]]  # a common deck or one for each side, with the bottom card first
    unseen: list[list[int]]  # by deck: the cards in place of which the deal has UNKNOWN cards; never changed
    buried: list[int]  # the number of cards that were put face up under each deck (WT-41)
    seen: list[list[int]]  # the cards of each hand that the enemy knows
    ceiling: list[int]  # the value of the lower card that each side paid for its special move, or 0
    low: list[int]  # per side and part of its hand: the minimum number of unseen cards up to the ceiling
    columns: list[list[int]]  # the two columns of cards in an attack
    target: int  # the attacked monster; NOBODY outside an attack
    from_hand: list[int]  # the cards that each side added to the attack from its hand (WT-31)
    declines: int  # the number of DECLINE choices in a row
    to_bury: int  # the number of cards still to be put under the deck (WT-25)
    exhausted: list[int]  # WT-27
    owed: list[int]  # the compensation that is still to be drawn (WT-31)
    specials: list[int]  # the special move that each side has made, or 0 (WT-37)
    window: int  # the window for special moves that is open, or was the last one in this turn (WT-34)
    called: bool  # True if the enemy has made a special move in this turn (WT-36)
    bonus: bool  # True if the active side can draw a bonus card (WT-10)
    posted: bool  # True if the active side has played a card in this turn (WT-12)
    stirred: bool  # True if this turn does not count towards a stall (WT-45)
    quiet: int  # the number of turns in a row that count towards a stall
    committed: list[list[int]]  # the cards that each side has committed (WT-49)
    ending: int

    def lay_out(
        self,
        hands: list[list[int]],
        battlefields: list[list[int]],
        decks: list[list[int]],
        first: int,
        house: HouseRules,
        unseen: list[list[int]],
    ) -> None:
        """Set all fields to the start of a battle (WT-1 to WT-5, WT-48).

        Each deck in `decks` begins with its top card.
        """
        self.house = house
        self.turn = 0
        self.active = first
        self.hands = [sorted(hand) for hand in hands]
        self.temporary = [[], []]
        self.marked = [[], []]
        self.battlefields = [cards.copy() for cards in battlefields]
        self.discards = [[], []]
        self.decks = [deck[::-1] for deck in decks]
        self.unseen = unseen
        self.buried = [0] * len(decks)
        self.seen = [[], []]
        self.ceiling = [0, 0]
        self.low = [0] * (2 * PARTS)
        self.columns = [[], []]
        self.target = NOBODY
        self.from_hand = [0, 0]
        self.declines = 0
        self.to_bury = 0
        self.exhausted = []
        self.owed = [0, 0]
        self.specials = [0, 0]
        self.window = 0
        self.called = False
        self.bonus = False
        self.posted = False
        self.stirred = False
        self.quiet = 0
        self.committed = [cards.copy() for cards in battlefields]
        self.ending = 0

    def deck_of(self, side: int) -> int:
        """Return the index of the deck from which a side draws (WT-5)."""
        return side if len(self.decks) > 1 else 0

    def holds_cards(self, side: int) -> bool:
        """Return True if a side has a card in hand, including temporary cards (WT-8)."""
        return len(self.hands[side]) + len(self.temporary[side]) > 0

    def is_out_of_cards(self, side: int) -> bool:
        """Return True if a side's hand and its deck are empty (WT-42, WT-44)."""
        return not self.holds_cards(side) and not self.decks[self.deck_of(side)]

    def is_spent(self, side: int) -> bool:
        """Return True if a side has no card in hand and no free monster (WT-30)."""
        return not self.holds_cards(side) and not self.battlefields[side]

    def is_ahead(self, side: int) -> bool:
        """Return True if a side's column has the larger total (WT-18)."""
        return total(self.columns[side]) > total(self.columns[1 - side])

    def retreaters(self, side: int) -> list[int]:
        """Return the cards that would go to the discard pile if this side retreats (WT-23)."""
        if self.house.target_retreats or side == self.active:
            return self.columns[side]
        return self.columns[side][1:]

    def retreater_count(self, side: int) -> int:
        """Return the number of the cards that `retreaters` returns."""
        column = self.columns[side]
        is_kept = column and side != self.active and not self.house.target_retreats
        return len(column) - 1 if is_kept else len(column)

    def surrendered(self, side: int) -> list[int]:
        """Return the cards that would go to the enemy if this side surrenders (WT-27)."""
        if self.house.target_surrenders or side == self.active:
            return self.columns[side]
        return self.columns[side][1:]

    def totals(self) -> list[int]:
        """Return the total of each side's column (WT-28)."""
        return [total(self.columns[0]), total(self.columns[1])]

    # Cards that move

    def draw(self, side: int, into: list[int], n: int, kind: str) -> list[int]:
        """Draw up to `n` cards from the top of the deck, and add them to the list `into`.

        If a drawn card was put under the deck earlier, both sides know the card (WT-41). `kind` is the kind
        of the event that is logged.
        """
        at = self.deck_of(side)
        deck = self.decks[at]
        drawn = []
        public = []
        for _ in range(min(n, len(deck))):
            card = deck.pop()
            drawn.append(card)
            add_in_order(card, into)
            if len(deck) < self.buried[at]:
                self.buried[at] = len(deck)
                public.append(card)
                add_in_order(card, self.seen[side])
        if self.log is not None and drawn:
            self.log_draw(kind, side, drawn, public)
        return drawn

    def give_up(self, side: int, card: int) -> int:
        """Remove a card from a side's hand or battlefield.

        Return the battlefield (FIELD), or the part of the hand, from which the card came.
        """
        part = PLAIN
        if take_out(card, self.battlefields[side]):
            return FIELD
        if take_out(card, self.temporary[side]):
            part = TEMPORARIES
        elif take_out(card, self.hands[side]) and take_out(card, self.marked[side]):
            part = MARKED
        if not take_out(card, self.seen[side]) and VALUES[card] <= self.ceiling[side]:
            at = PARTS * side + part
            if self.low[at]:
                self.low[at] -= 1
        return part

    def put_under(self, side: int, card: int) -> None:
        """Put a free monster under the deck, where it is public (WT-41)."""
        at = self.deck_of(side)
        take_out(card, self.battlefields[side])
        self.decks[at].insert(0, card)
        self.buried[at] += 1

    def enlist(self, side: int, card: int) -> None:
        """Record that a side has committed this card (WT-49)."""
        if not is_among(card, self.committed[side]):
            self.committed[side].append(card)

    # Score and losses

    def score(self, side: int) -> int:
        """Return a side's score: the values of its battlefield and of the enemy's discard pile (WT-43)."""
        pile = self.discards[1 - side]
        stands = total(self.battlefields[side]) + total(self.columns[side])
        return stands + (len(pile) if self.house.count_discards else total(pile))

    def losses(self, side: int) -> tuple[int, int]:
        """Return the value that a side has lost and the value that it has committed, as a pair (WT-49)."""
        committed = total(self.committed[side])
        lost = committed - total(self.battlefields[side])
        return (lost if lost > 0 else 0, committed) if committed else (0, 1)

    # What each side knows

    def show_hand(self, side: int) -> None:
        """Show a side's whole hand to the enemy (WT-24)."""
        hand = sorted(self.hands[side] + self.temporary[side])
        self.seen[side] = [card for card in hand if card != UNKNOWN]
        for part in range(PARTS):
            self.low[PARTS * side + part] = 0
        if self.log is not None:
            fields: dict[str, object] = {"cards": hand, "bonus": self.marked[side].copy()}
            self.emit("hand_shown", side, fields | {"temporary": self.temporary[side].copy()})

    def limit_hand(self, side: int, value: int) -> None:
        """Record that no card in the hand is higher than `value`, the lower of the two paid cards (WT-35)."""
        self.ceiling[side] = value
        seen = self.seen[side]
        hidden = [card for card in self.hands[side] if card not in seen]
        marked = len([card for card in self.marked[side] if card not in seen])
        at = PARTS * side
        self.low[at + PLAIN] = len(hidden) - marked
        self.low[at + MARKED] = marked
        self.low[at + TEMPORARIES] = len([card for card in self.temporary[side] if card not in seen])

    def unseen_by(self, side: int) -> list[int]:
        """Return the cards that a side has not seen and that can be in its deck.

        The known cards under the deck are not included (WT-41).
        """
        at = self.deck_of(side)
        pool = self.decks[at][self.buried[at] :]
        if len(self.decks) == 1:
            seen = self.seen[1 - side]
            for cards in (self.hands[1 - side], self.temporary[1 - side]):
                pool += cards if not seen else [card for card in cards if not is_among(card, seen)]
        return pool

    def unseen_total(self, side: int) -> tuple[int, int]:
        """Return the total value and the number of the cards that `unseen_by` returns."""
        at = self.deck_of(side)
        deck, buried = self.decks[at], self.buried[at]
        value = 0
        for place in range(buried, len(deck)):
            value += VALUES[deck[place]]
        count = len(deck) - buried
        if len(self.decks) == 1:
            enemy = 1 - side
            hand, temporary, seen = self.hands[enemy], self.temporary[enemy], self.seen[enemy]
            value += total(hand) + total(temporary) - total(seen)
            count += len(hand) + len(temporary) - len(seen)
        return value, count

    def cards_under_decks(self) -> list[list[int]]:
        """Return the cards that were put face up under each deck, with the lowest card first (WT-41)."""
        return [deck[:buried] for deck, buried in zip(self.decks, self.buried, strict=True)]

    def hidden_parts(self, side: int) -> list[list[int]]:
        """Return the parts of a hand without the cards that the enemy has seen."""
        plain = self.hands[side].copy()
        for card in self.marked[side]:
            plain.remove(card)
        seen = self.seen[side]
        parts = [plain, self.marked[side], self.temporary[side]]
        return [[card for card in part if card not in seen] for part in parts]

    def seen_parts(self, side: int) -> list[list[int]]:
        """Return the cards that the enemy has seen, for each part of a hand."""
        seen = self.seen[side]
        marked = self.marked[side]
        plain = [card for card in self.hands[side] if card not in marked]
        return [[card for card in part if card in seen] for part in (plain, marked, self.temporary[side])]

    def guess_unknown_cards(self, chance: Chance) -> None:
        """Replace the UNKNOWN cards in the hands and in the decks with random unseen cards."""
        for at, unseen in enumerate(self.unseen):
            if unseen:
                pool = unseen.copy()
                chance.shuffle(pool)
                for side in (0, 1):
                    if self.deck_of(side) == at:
                        self.guess_unknown_hand(side, pool)
                self.decks[at] = [pool.pop() if card == UNKNOWN else card for card in self.decks[at]]

    def guess_unknown_hand(self, side: int, pool: list[int]) -> None:
        """Replace the UNKNOWN cards in a hand with cards of a shuffled pool.

        Each part of the hand gets as many low cards as it must have (WT-35).
        """
        guesses: list[list[int]] = []
        for part, cards in enumerate(self.hidden_parts(side)):
            number = cards.count(UNKNOWN)
            ceiling = self.ceiling[side]
            low = len([card for card in cards if card != UNKNOWN and VALUES[card] <= ceiling])
            guessed = self.low_cards(pool, side, min(number, self.low[PARTS * side + part] - low))
            while len(guessed) < number:
                guessed.append(pool.pop())
            guesses.append(guessed)
        self.marked[side] = merge_known(self.marked[side], guesses[MARKED])
        self.temporary[side] = merge_known(self.temporary[side], guesses[TEMPORARIES])
        self.hands[side] = merge_known(self.hands[side], guesses[PLAIN] + guesses[MARKED])

    def deal_again(self, side: int, chance: Chance) -> None:
        """Deal the hidden cards of a side's hand and of its deck again."""
        at = self.deck_of(side)
        deck = self.decks[at]
        pool = deck[self.buried[at] :]
        parts = self.hidden_parts(side)
        for cards in parts:
            pool += cards
        pool.sort()
        chance.shuffle(pool)
        dealt = [self.low_cards(pool, side, self.low[PARTS * side + part]) for part in range(PARTS)]
        for part, cards in enumerate(dealt):
            while len(cards) < len(parts[part]):
                cards.append(pool.pop())
        deck[self.buried[at] :] = pool
        seen = self.seen[side]
        self.marked[side] = sorted([card for card in self.marked[side] if card in seen] + dealt[MARKED])
        self.temporary[side] = sorted(
            [card for card in self.temporary[side] if card in seen] + dealt[TEMPORARIES]
        )
        public = [card for card in self.hands[side] if card in seen]
        self.hands[side] = sorted(public + dealt[PLAIN] + dealt[MARKED])

    def deal_both_again(self, chance: Chance) -> None:
        """Deal the hidden cards of both hands and of the decks again.

        If there is a common deck, the second hand is shuffled into the deck while the first hand is dealt
        again. Therefore every hidden card can go to either hand.
        """
        if len(self.decks) == 1:
            mixed: list[int] = []
            for part in self.hidden_parts(1):
                mixed += part
            mixed.sort()
            deck = self.decks[0]
            deck += mixed
            self.deal_again(0, chance)
            rest = len(deck) - len(mixed)
            becomes = dict(zip(mixed, deck[rest:], strict=True))
            del deck[rest:]
            for hand in (self.hands, self.marked, self.temporary):
                hand[1] = sorted([becomes.get(card, card) for card in hand[1]])
        else:
            self.deal_again(0, chance)
        self.deal_again(1, chance)

    def low_cards(self, pool: list[int], side: int, number: int) -> list[int]:
        """Remove from the shuffled pool at most `number` low cards for a side's hand, and return them."""
        cards: list[int] = []
        ceiling = self.ceiling[side]
        place = len(pool) - 1
        while place >= 0 and len(cards) < number:
            if VALUES[pool[place]] <= ceiling:
                cards.append(pool.pop(place))
            place -= 1
        return cards

    # Events

    def log_deal(self) -> None:
        """Log the battlefields for both sides, and each hand for its owner."""
        self.emit(
            "opened",
            NOBODY,
            {
                "first": self.active,
                "battlefields": self.copies(self.battlefields),
                "deck_sizes": [len(deck) for deck in self.decks],
            },
        )
        for side in (0, 1):
            hand = self.hands[side]
            self.emit("dealt", side, {"count": len(hand)}, {"cards": hand.copy()}, [side])

    def log_turn(self, side: int) -> None:
        self.emit(
            "turn_begun",
            side,
            {
                "turn": self.turn,
                "totals": [total(cards) for cards in self.battlefields],
                "battlefields": self.copies(self.battlefields),
                "discard_totals": [total(cards) for cards in self.discards],
                "hand_sizes": [len(hand) for hand in self.hands],
                "temporary_sizes": [len(cards) for cards in self.temporary],
                "deck_sizes": [len(deck) for deck in self.decks],
                "may_draw_bonus": self.bonus,
            },
        )

    def log_draw(self, kind: str, side: int, drawn: list[int], public: list[int]) -> None:
        """Log the number of drawn cards for both sides, and the cards for the sides that know them."""
        fields: dict[str, object] = {"count": len(drawn)}
        if len(public) == len(drawn):
            self.emit(kind, side, fields | {"cards": sorted(drawn)})
            return
        if public:
            fields["known"] = sorted(public)
        self.emit(kind, side, fields, {"cards": sorted(drawn)}, [side])

    # Copies

    def copies(self, piles: list[list[int]]) -> list[list[int]]:
        """Return copies of both sides' piles, for use in an event."""
        return [pile.copy() for pile in piles]

    def copy_state(self, new: WarfareState) -> None:
        self.copy_agenda(new)
        new.house = self.house
        new.turn = self.turn
        new.active = self.active
        new.hands = self.copies(self.hands)
        new.temporary = self.copies(self.temporary)
        new.marked = self.copies(self.marked)
        new.battlefields = self.copies(self.battlefields)
        new.discards = self.copies(self.discards)
        new.decks = self.copies(self.decks)
        new.unseen = self.unseen
        new.buried = self.buried.copy()
        new.seen = self.copies(self.seen)
        new.ceiling = self.ceiling.copy()
        new.low = self.low.copy()
        new.columns = self.copies(self.columns)
        new.target = self.target
        new.from_hand = self.from_hand.copy()
        new.declines = self.declines
        new.to_bury = self.to_bury
        new.exhausted = self.exhausted.copy()
        new.owed = self.owed.copy()
        new.specials = self.specials.copy()
        new.window = self.window
        new.called = self.called
        new.bonus = self.bonus
        new.posted = self.posted
        new.stirred = self.stirred
        new.quiet = self.quiet
        new.committed = self.copies(self.committed)
        new.ending = self.ending

    def state(self) -> list[list[int]]:
        """Return every mutable field as lists of numbers."""
        house = self.house
        return [
            *self.agenda(),
            [
                house.turn_limit,
                house.play_and_attack,
                house.hold_when_ahead,
                house.target_retreats,
                house.seven_is_free,
                house.count_discards,
            ],
            [self.turn, self.active, self.window, self.target, self.declines, self.to_bury],
            [self.quiet, self.ending],
            [self.called, self.bonus, self.posted, self.stirred],
            *self.hands,
            *self.temporary,
            *self.marked,
            *self.battlefields,
            *self.discards,
            *self.decks,
            *self.seen,
            *self.columns,
            *self.committed,
            self.buried,
            self.ceiling,
            self.low,
            self.from_hand,
            self.exhausted,
            self.owed,
            self.specials,
        ]


def merge_known(cards: list[int], guesses: list[int]) -> list[int]:
    """Return the known cards of a pile and the guesses, in ascending order."""
    return sorted([card for card in cards if card != UNKNOWN] + guesses)


def total(cards: list[int]) -> int:
    """Return the total value of cards (WT-2)."""
    value = 0
    for card in cards:
        value += VALUES[card]
    return value

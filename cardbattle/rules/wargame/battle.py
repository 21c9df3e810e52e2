"""Wargame: two lines of thirteen cards face each other and fight place by place.

Both sides deploy face up, first one card, then two at a time. The winner of a battle attacks in the next
battle: a card advances, the card opposite must meet it, and the higher card wins. As an exception, the Spies
1 and 2 beat Mortar 12 and Bazooka 13. A side can pay a chip to switch two of its cards, and its hidden
Traitor card can make an enemy Shooter lose. A side wins the game with seven battles, or with four adjacent
spaces.

Source: Wargame by Dave Ross, 2011. Numbers such as WG-7 are those of the rules in rules.md.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64, mypyc_attr

from cardbattle.core.battle import NOBODY, Battle, Outcome, View

if TYPE_CHECKING:
    from cardbattle.core.chance import Chance, RandomSource

PLACES: Final = 13  # WG-5
FULL_ARMY: Final = list(range(1, PLACES + 1))  # WG-2
SHOOTERS: Final = [7, 8, 9]  # WG-3, WG-4
CHIPS: Final = 5  # WG-4
SPY: Final = 2  # the higher Spy
MORTAR: Final = 12  # the lower of the two cards that Spies beat
BREAK: Final = 3  # WG-27
RUN: Final = 4  # WG-32

DEPLOY: Final = 1  # questions WG-D1 to WG-D6
TRAITOR: Final = 2
SWITCH: Final = 3
ADVANCE: Final = 4
DENOUNCE: Final = 5
HOLD: Final = 0  # the answer to switch no cards (a switch is 16 * place + place)
SILENT: Final = 0
SPEAK: Final = 1
RESIGN: Final = 255  # the answer to resign, a number larger than any placement, pair or place

ASK_DEPLOY: Final = 16  # steps, in playing order
CHECK: Final = 32
ASK_TRAITOR: Final = 48
BEGIN_BATTLE: Final = 64
ASK_SWITCH: Final = 80
ASK_ADVANCE: Final = 96
MEET: Final = 112
ASK_DENOUNCE: Final = 128
RESOLVE: Final = 144

BATTLE_STEPS: Final = [  # by the attacker
    [
        ASK_SWITCH + side,
        ASK_ADVANCE + side,
        ASK_SWITCH + 1 - side,
        MEET + 1 - side,
        ASK_DENOUNCE,
        RESOLVE,
    ]
    for side in (0, 1)
]

SEVEN_BATTLES: Final = "seven-battles"  # WG-39
FOUR_ADJACENT: Final = "four-adjacent"
RESIGNED: Final = "resigned"


@mypyc_attr(allow_interpreted_subclasses=True)
class WargameView(View):
    """What a side of Wargame can see: everything except the enemy's Traitor card (WG-6, WG-15).

    The view shares lists with the battle until `detach` is called. A list by side has one element for each
    side. Places are counted from 0. If the side has no question, the view has no options.

    Attributes:
        traitor: the side's Traitor card, or 0 before it is chosen.
        spent: for each side, 1 if its Traitor card has been turned up.

    """

    def __init__(self, battle: Wargame, side: int) -> None:
        asked = battle.side == side
        self.side = side
        self.question = battle.question if asked else 0
        self.options = battle.options if asked else []
        self.places = battle.places
        self.majority = battle.majority
        self.first = battle.first
        self.hand = battle.hand
        self.line = battle.line
        self.holder = battle.holder
        self.won = battle.won
        self.chips = battle.chips
        self.traitors = battle.traitors
        self.traitor = battle.traitor[side]
        self.spent = battle.spent
        self.attacker = battle.attacker
        self.place = battle.place
        self.zone = battle.zone

    def detach(self) -> WargameView:
        """Copy the shared lists, so that later changes to the battle do not affect the view."""
        self.options = self.options.copy()
        self.hand = [hand.copy() for hand in self.hand]
        self.line = [line.copy() for line in self.line]
        self.holder = self.holder.copy()
        self.won = self.won.copy()
        self.chips = self.chips.copy()
        self.traitors = [cards.copy() for cards in self.traitors]
        self.spent = self.spent.copy()
        self.zone = [cards.copy() for cards in self.zone]
        return self


class Wargame(Battle):
    """One battle of Wargame. Places are counted from 0, and the side Brown has seat 0."""

    places: int
    majority: int  # number of won battles that win the game (WG-32)
    multi_switch: bool
    first: int  # the side that deploys first
    hand: list[list[int]]  # the cards that are not deployed yet, in ascending order
    line: list[list[int]]  # the card on each place; 0 if none is there
    holder: list[int]  # the side that has won each space; NOBODY before its battle
    won: list[int]
    chips: list[int]
    traitors: list[list[int]]  # the Traitor cards from which a side can choose, in ascending order
    traitor: list[int]  # the chosen Traitor card, or 0; hidden from the enemy until it is spent
    spent: list[int]  # 1 if the side's Traitor card has been turned up
    attacker: int
    place: int  # the place of the current battle; NOBODY between battles
    zone: list[list[int]]  # each side's card in each combat space, or 0
    victor: int  # the side that is winning the current battle
    resigned: int  # the side that has resigned, or NOBODY

    def begin(
        self,
        armies: list[list[int]],
        random_source: RandomSource,
        first: int = 0,
        chips: list[int] | None = None,
        traitors: list[list[int]] | None = None,
        multi_switch: bool = False,
    ) -> None:
        """Set up the battle (WG-1 to WG-7, WG-37). The method `run` then starts the deployment.

        `first` is the side that deploys first. Armies can have fewer than thirteen cards, but both must have
        the same number. Each line has one place for each card.
        """
        self.open_agenda(2, random_source)
        self.unoffered = [RESIGN]
        self.places = len(armies[0])
        self.majority = (self.places + 1) // 2
        self.multi_switch = multi_switch
        self.first = first
        self.hand = [sorted(army) for army in armies]
        self.line = [[0] * self.places, [0] * self.places]
        self.holder = [NOBODY] * self.places
        self.won = [0, 0]
        self.chips = chips.copy() if chips is not None else [CHIPS, CHIPS]
        self.traitors = traitors if traitors is not None else [SHOOTERS, SHOOTERS]
        self.traitor = [0, 0]
        self.spent = [0, 0]
        self.attacker = NOBODY
        self.place = NOBODY
        self.zone = [[0] * self.places, [0] * self.places]
        self.victor = NOBODY
        self.resigned = NOBODY
        self.then_all([*self.deployment(), CHECK, ASK_TRAITOR, ASK_TRAITOR + 1, BEGIN_BATTLE])

    def deployment(self) -> list[int]:
        """Return the side that places each card: first one card, then two each in turn (WG-10, WG-12)."""
        first, second = ASK_DEPLOY + self.first, ASK_DEPLOY + 1 - self.first
        return [second if (n + 1) // 2 % 2 else first for n in range(2 * self.places)]

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda. The branches of the code are in the order of play."""
        if step == ASK_DEPLOY:
            self.ask_deploy(side)
        elif step == CHECK:
            self.check()
        elif step == ASK_TRAITOR:
            self.ask_traitor(side)
        elif step == BEGIN_BATTLE:
            self.begin_battle()
        elif step == ASK_SWITCH:
            self.ask_switch(side)
        elif step == ASK_ADVANCE:
            self.ask_advance(side)
        elif step == MEET:
            self.meet(side)
        elif step == ASK_DENOUNCE:
            self.ask_denounce(1 - self.victor)
        else:
            self.resolve()

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice. The branches of the code are in the order of play."""
        if choice == RESIGN:
            self.resign(side)
        elif question == DEPLOY:
            self.deploy(side, choice)
        elif question == TRAITOR:
            self.choose_traitor(side, choice)
        elif question == SWITCH:
            self.switch(side, choice)
        elif question == ADVANCE:
            self.advance(side, choice)
        else:
            self.denounce(side, choice)

    def ask_deploy(self, side: int) -> None:
        """Ask a side for a card and an empty place (WG-11). Equal cards are one choice (WG-37)."""
        line = self.line[side]
        empty = [place for place in range(self.places) if not line[place]]
        options: list[int] = []
        last = 0
        for card in self.hand[side]:
            if card != last:
                options.extend([16 * card + place for place in empty])
            last = card
        self.ask(side, DEPLOY, options)

    def deploy(self, side: int, choice: int) -> None:
        """Put a card on its place, face up (WG-6)."""
        card = choice >> 4
        place = choice & 15
        hand = self.hand[side]
        hand.pop(hand.index(card))
        self.line[side][place] = card
        if self.log is not None:
            self.emit("deployed", side, {"card": card, "place": place + 1})

    def check(self) -> None:
        """Compare the two lines, and let the side that is ahead attack first (WG-13, WG-14)."""
        ahead = [stronger(self.line[0][place], self.line[1][place]) for place in range(self.places)]
        lead = sum(ahead)
        if lead > 0:
            self.attacker = 0
        elif lead < 0:
            self.attacker = 1
        else:
            self.attacker = self.first
        if self.log is not None:
            self.emit_check(ahead)

    def ask_traitor(self, side: int) -> None:
        """Ask a side for its Traitor card (WG-15, WG-38). Skip a side without Traitor cards (WG-37)."""
        if self.traitors[side]:
            self.ask(side, TRAITOR, self.traitors[side].copy())

    def choose_traitor(self, side: int, choice: int) -> None:
        """Put the Traitor card face down (WG-15)."""
        self.traitor[side] = choice
        if self.log is not None:
            self.emit("traitor_chosen", side, {}, {"card": choice}, [side])

    def begin_battle(self) -> None:
        """Put the steps of a battle on the agenda (WG-17 to WG-20)."""
        attacker = self.attacker
        self.then_all(BATTLE_STEPS[attacker])
        if self.log is not None:
            number = self.won[0] + self.won[1] + 1
            self.emit("battle_begun", attacker, {"number": number, "scores": self.won.copy()})

    def ask_switch(self, side: int) -> None:
        """If a switch is possible, ask a side whether it switches two cards (WG-24 to WG-26, WG-30)."""
        self.ask(side, SWITCH, self.switches(side) if self.chips[side] else [HOLD])

    def switches(self, side: int) -> list[int]:
        """Return HOLD, and the pairs of places whose cards a side can switch (WG-27 to WG-30)."""
        line = self.line[side]
        holder = self.holder
        enemy = 1 - side
        standing: i64 = 0
        adjacent = 0
        is_broken = False
        for place in range(self.places):
            standing = 2 * standing + (line[place] > 0)
            adjacent = adjacent + 1 if holder[place] == enemy else 0
            is_broken = is_broken or adjacent == BREAK
        return self.switches_beside_breaks(line, enemy) if is_broken else all_switches(standing, self.places)

    def switches_beside_breaks(self, line: list[int], enemy: int) -> list[int]:
        """Return HOLD, and the pairs of places between which the line is not broken (WG-27 to WG-29)."""
        holder = self.holder
        options = [HOLD]
        for p in range(self.places):
            if not line[p]:
                continue
            adjacent = 0  # number of adjacent enemy spaces, up to the place q
            for q in range(p + 1, self.places):
                if holder[q] == enemy:
                    adjacent += 1
                    if adjacent == BREAK:
                        break
                else:
                    adjacent = 0
                    if line[q]:
                        options.append(16 * p + q)
        return options

    def switch(self, side: int, choice: int) -> None:
        """Carry out a side's answer: it pays a chip and switches two cards (WG-24), or does nothing."""
        if choice == HOLD:
            if self.log is not None:
                self.emit("held", side, {})
            return
        line = self.line[side]
        p = choice >> 4
        q = choice & 15
        line[p], line[q] = line[q], line[p]
        self.chips[side] -= 1
        if self.multi_switch and self.chips[side]:  # WG-25
            self.then_step(ASK_SWITCH + side)
        if self.log is not None:
            places, cards = [p + 1, q + 1], [line[p], line[q]]
            self.emit("switched", side, {"places": places, "cards": cards, "chips": self.chips[side]})

    def ask_advance(self, side: int) -> None:
        """Ask the attacker which card advances (WG-17)."""
        line = self.line[side]
        self.ask(side, ADVANCE, [place for place in range(self.places) if line[place]])

    def advance(self, side: int, choice: int) -> None:
        """Move the advancing card straight ahead into the combat space (WG-17)."""
        self.place = choice
        self.leave_line(side)
        if self.log is not None:
            card, against = self.zone[side][choice], self.line[1 - side][choice]
            self.emit("advanced", side, {"card": card, "place": choice + 1, "against": against})

    def meet(self, side: int) -> None:
        """Meet the attack with the card on this place (WG-18), and compare the two cards (WG-19)."""
        self.leave_line(side)
        better = stronger(self.card(side), self.card(1 - side))
        self.victor = side if better > 0 else 1 - side
        if self.log is not None:
            self.emit("met", side, {"card": self.card(side), "place": self.place + 1})

    def leave_line(self, side: int) -> None:
        """Move a side's card from its place into the combat space. No card returns from there (WG-19)."""
        line = self.line[side]
        self.zone[side][self.place] = line[self.place]
        line[self.place] = 0

    def card(self, side: int) -> int:
        """Return a side's card in the current battle (WG-17, WG-18)."""
        return self.zone[side][self.place]

    def ask_denounce(self, side: int) -> None:
        """Ask the losing side whether it denounces the enemy's card as a traitor (WG-20 to WG-23).

        After a denouncement, the other side is the losing side, and is asked next.
        """
        if self.traitor[side] == self.card(1 - side) and not self.spent[side]:
            self.ask(side, DENOUNCE, [SPEAK, SILENT])

    def denounce(self, side: int, choice: int) -> None:
        """Carry out an answer: keep silent, or reverse the result with the Traitor card (WG-21, WG-38)."""
        if choice == SPEAK:
            self.spent[side] = 1
            self.victor = side
            self.then_step(ASK_DENOUNCE)
        if self.log is not None:
            facts: dict[str, object] = {"card": self.card(1 - side), "place": self.place + 1}
            if choice == SPEAK:
                self.emit("denounced", side, facts)
            else:
                self.emit("kept_silent", side, {}, facts, [side], whole=True)

    def resolve(self) -> None:
        """Give the space to the victor, who attacks next unless the game is won (WG-16, WG-32)."""
        victor = self.victor
        self.holder[self.place] = victor
        self.won[victor] += 1
        adjacent = self.adjacent()
        is_decided = self.won[victor] == self.majority or len(adjacent) >= RUN
        if self.log is not None:
            self.emit_won()
            if len(adjacent) == BREAK and not is_decided:
                self.emit_break(adjacent)
        self.attacker = victor
        self.place = NOBODY
        self.victor = NOBODY
        if not is_decided:
            self.then_step(BEGIN_BATTLE)
        elif self.log is not None:
            self.emit_end(len(adjacent) >= RUN)

    def adjacent(self) -> list[int]:
        """Return the unbroken row of spaces with the same holder around the current space (WG-27, WG-32)."""
        holder = self.holder
        side = holder[self.place]
        begin = end = self.place
        while begin > 0 and holder[begin - 1] == side:
            begin -= 1
        while end + 1 < self.places and holder[end + 1] == side:
            end += 1
        return list(range(begin, end + 1))

    def resign(self, side: int) -> None:
        """End the battle. The side that resigns loses (WG-36)."""
        self.resigned = side
        self.todo.clear()
        if self.log is not None:
            self.emit("resigned", side, {})
            self.emit_end(False)

    def emit_check(self, ahead: list[int]) -> None:
        """Log both lines, the comparison of the cards, and the first attacker."""
        results = [0 if sign > 0 else 1 if sign < 0 else NOBODY for sign in ahead]
        self.emit(
            "checked",
            NOBODY,
            {
                "lines": [line.copy() for line in self.line],
                "results": results,
                "ahead": [results.count(0), results.count(1)],
                "level": results.count(NOBODY),
                "attacker": self.attacker,
            },
        )

    def emit_won(self) -> None:
        """Log which side won the space, and by which rule."""
        victor = self.victor
        card, loser = self.card(victor), self.card(1 - victor)
        better = stronger(card, loser)
        if better < 0 or (better == 0 and victor != self.attacker):
            how = "traitor"
        elif better == 0:
            how = "attack"
        else:
            how = "strength" if card > loser else "spy"
        fields: dict[str, object] = {
            "place": self.place + 1,
            "cards": [self.card(0), self.card(1)],
            "how": how,
            "scores": self.won.copy(),
        }
        self.emit("won", victor, fields)

    def emit_break(self, adjacent: list[int]) -> None:
        """Log a break in the losing side's line (WG-27).

        A break is logged only if cards remain to the left and to the right of it (WG-28).
        """
        line = self.line[1 - self.victor]
        if any(line[: adjacent[0]]) and any(line[adjacent[-1] :]):
            self.emit("line_broken", 1 - self.victor, {"places": [place + 1 for place in adjacent]})

    def emit_end(self, four_adjacent: bool) -> None:
        """Log the result. If both conditions of victory are met, log both (WG-33)."""
        ended = self.outcome()
        met = [SEVEN_BATTLES] if ended.reason == SEVEN_BATTLES else []
        self.emit(
            "ended",
            NOBODY,
            {
                "winners": ended.winners,
                "reason": ended.reason,
                "conditions": [*met, FOUR_ADJACENT] if four_adjacent else met,
                "scores": self.won.copy(),
            },
        )

    def score(self, side: int) -> int:
        return self.won[side]

    def outcome(self) -> Outcome[int]:
        """Return the result (WG-32 to WG-36).

        The winner is the victor of the last battle, or the side that did not resign.
        """
        if self.resigned != NOBODY:
            winner = 1 - self.resigned
            reason = RESIGNED
        else:
            winner = self.attacker
            reason = SEVEN_BATTLES if self.won[winner] == self.majority else FOUR_ADJACENT
        return Outcome([winner], reason, [(self.lost(0), self.places), (self.lost(1), self.places)])

    def lost(self, side: int) -> int:
        """Return the number of battles that a side has lost.

        After a resignation, battles that were not fought count as lost (WG-36).
        """
        if self.resigned == side:
            return self.places - self.won[side]
        return self.won[1 - side]

    def view(self, side: int) -> WargameView:
        return WargameView(self, side).detach()

    def fast_view(self, side: int) -> WargameView:
        return WargameView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> Wargame:
        """Return a copy in which the enemy's Traitor card is drawn again, if it is still hidden.

        The viewer does not know whether the enemy is asked to denounce (WG-23), because with another Traitor
        card the enemy could only keep silent. If the enemy has made a secret choice, the choice is removed,
        and the enemy chooses again after the viewer.
        """
        if viewer == NOBODY:
            return self.redeal(0, chance).redeal(1, chance)
        new = self.copy()
        enemy = 1 - viewer
        if not self.traitor[enemy] or self.spent[enemy]:
            return new
        if self.side == viewer and self.question == TRAITOR:
            new.traitor[enemy] = 0
            new.then(ASK_TRAITOR + enemy)
            return new
        new.traitor[enemy] = chance.choice(self.traitors[enemy])
        if self.side == enemy and self.question == DENOUNCE and new.traitor[enemy] != self.card(viewer):
            new.options = [SILENT]
        return new

    def copy(self) -> Wargame:
        new = Wargame()
        self.copy_agenda(new)
        new.places = self.places
        new.majority = self.majority
        new.multi_switch = self.multi_switch
        new.first = self.first
        new.hand = [self.hand[0].copy(), self.hand[1].copy()]
        new.line = [self.line[0].copy(), self.line[1].copy()]
        new.holder = self.holder.copy()
        new.won = self.won.copy()
        new.chips = self.chips.copy()
        new.traitors = self.traitors
        new.traitor = self.traitor.copy()
        new.spent = self.spent.copy()
        new.attacker = self.attacker
        new.place = self.place
        new.zone = [self.zone[0].copy(), self.zone[1].copy()]
        new.victor = self.victor
        new.resigned = self.resigned
        return new

    def state(self) -> list[list[int]]:
        return [
            *self.agenda(),
            [self.places, self.majority, self.multi_switch, self.first],
            *self.hand,
            *self.line,
            self.holder,
            self.won,
            self.chips,
            *self.traitors,
            self.traitor,
            self.spent,
            [self.attacker, self.place, self.victor, self.resigned],
            *self.zone,
        ]


@cache
def all_switches(standing: int, places: int) -> list[int]:
    """Return HOLD, and all pairs of the places where cards stand. The list is shared, so do not change it.

    `standing` has a bit for each place. The highest of these bits is place 0.
    """
    held = [place for place in range(places) if standing >> (places - 1 - place) & 1]
    return [HOLD, *[16 * p + q for n, p in enumerate(held) for q in held[n + 1 :]]]


def stronger(a: int, b: int) -> int:
    """Return 1 if card `a` is stronger than card `b`, -1 if it is weaker, and 0 otherwise (WG-8, WG-9).

    >>> stronger(5, 4), stronger(2, 13), stronger(13, 2), stronger(2, 1)
    (1, 1, -1, 1)
    """
    if a == b:
        return 0
    if a <= SPY and b >= MORTAR:
        return 1
    if b <= SPY and a >= MORTAR:
        return -1
    return 1 if a > b else -1

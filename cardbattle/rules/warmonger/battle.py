"""Warmonger: in a Skirmish, each side turns up one card. A tie or a Joker leads to a War.

In a War, each side lays three cards face down and one card face up, and can then turn up any number of its
face-down cards. The best score up to 21 wins all cards on the Battlefield. Warmonger cards change Skirmishes
and Wars. Robots follow the rules on their cards. A side without playing cards is eliminated, and the last
side wins.

Source: Warmonger by Eric Shefferman, (c) 2018 Rise Above Adversity Inc. Numbers such as WM-13 are those of
the rules in rules.md.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial
from typing import Any, Final

from mypy_extensions import i64

from cardbattle.core.battle import NOBODY, UNKNOWN, Outcome
from cardbattle.core.cards import add_in_order, is_among, take_out
from cardbattle.core.chance import Chance, Drawn
from cardbattle.core.errors import IllegalMove
from cardbattle.rules.warmonger.box import (
    ARMOUR,
    CEASE_FIRE,
    CONSCRIPT,
    EXCHANGE,
    FINAL,
    LAID,
    LAST_STAND,
    LAST_WORD,
    MARCH,
    PEACE,
    PROMOTE,
    PROVOKE,
    RAID,
    RAMPAGE,
    RESPONSE,
    RETREAT,
    SAFE,
    SALVAGE,
    SCOUT,
    SKIRMISH,
    STRIKE,
    SUPPLY,
    TURN,
    TURN_SOME,
    UNTIL,
    WINDOWS,
    Robot,
)
from cardbattle.rules.warmonger.knowledge import look_entry, trail_of_shuffle
from cardbattle.rules.warmonger.state import (
    BUST,
    CASUALTY,
    CODES,
    DRAW,
    FIRST_STEP,
    NOTHING,
    NOTHING_BY_SIDE,
    SEEN,
    UNDER,
    UNMARKED,
    UNWRITTEN,
    WarmongerState,
    WarmongerView,
)

ONLY_UNKNOWN: Final[list[Any]] = [UNKNOWN]  # never changed
LAYS: Final = 4  # WM-16: three face down, one face up
MOST_PROMOTION: Final = 11  # C9
BOUNTY: Final = 3  # WM-32

# Each window (PEACE to RESPONSE) is a question. TURN also asks a side to turn up a card or to stand (WM-D1 to
# D4).
ORDER: Final = 128  # WM-D5
ROUNDS: Final = PEACE | SKIRMISH | LAID | FINAL  # the windows in which all sides play in turn (WM-43)

WORDS: Final = {window: word for word, window in WINDOWS.items()}

PASS: Final = 0  # the answer to pass; an answer to ORDER is the number of a permutation
TURN_UP: Final = 1
STAND: Final = 2
FIRST_PLAY: Final = 16  # choices from this number on play a Warmonger card with its targets (see `play`)

# The steps in playing order: of a Skirmish, a War, the Aftermath, and a Warmonger card.
NEXT_SKIRMISH: Final = FIRST_STEP
PEACE_WINDOW: Final = 32
REVEAL: Final = 48
SKIRMISH_WINDOW: Final = 64
SKIRMISH_RESULT: Final = 80
LAY: Final = 96
LAID_WINDOW: Final = 112
SCORING: Final = 128
TAKE_TURN: Final = 144
FINAL_WINDOW: Final = 160
BATTLE_RESULT: Final = 176
CASUALTIES: Final = 192
SUPERPOWER: Final = 208
LAST_STANDS: Final = 224
ASK_LAST_STAND: Final = 240
ELIMINATION: Final = 256
DRAW_BOUNTY: Final = 272
CONSOLATION: Final = 288
CHECK_END: Final = 304
ASK_WINDOW: Final = 320
ASK_RESPONSE: Final = 336
RESOLVE: Final = 352
ASK_ORDER: Final = 368
FALL: Final = 384
DISCARD: Final = 400

# The steps of a Skirmish, a Battle and a Warmonger card; the last step comes first, as on the agenda.
SKIRMISH_STEPS: Final = [SKIRMISH_RESULT, SKIRMISH_WINDOW, REVEAL, PEACE_WINDOW]
BATTLE_STEPS: Final = [BATTLE_RESULT, FINAL_WINDOW, SCORING, LAID_WINDOW, LAY]
CARD_STEPS: Final = [DISCARD, RESOLVE, ASK_RESPONSE]
AFTERMATH_STEPS: Final = [ELIMINATION, LAST_STANDS, SUPERPOWER, CASUALTIES]

ANNOUNCED: Final = 4  # the numbers on the stack per announcement: choice, player, window, seats asked
VETOED: Final = -1  # replaces the number of seats asked, for a vetoed card

LAST_STANDING: Final = "last-standing"  # WM-52
MORAL_VICTORY: Final = "moral-victory"
ARMISTICE_WON: Final = "armistice"


def play(design: int, target: int = NOBODY, mine: int = -1, theirs: int = -1) -> int:
    """Return the choice (an integer) that plays a Warmonger card.

    Some cards need targets: a side (`target`), a card of the player (`mine`), and a card of the other side or
    a number (`theirs`).
    """
    card: i64 = design
    named: i64 = (mine + 1) * 256 + theirs + 1
    return FIRST_PLAY + (card * 16 + target + 1) * 65536 + named


def design_of(choice: int) -> int:
    return (choice - FIRST_PLAY) >> 20


def target_of(choice: int) -> int:
    """Return the side that a choice targets, or NOBODY if it targets no side."""
    return (((choice - FIRST_PLAY) >> 16) & 15) - 1


def mine_of(choice: int) -> int:
    """Return the card of the player that a choice names, or -1 if it names no such card."""
    return (((choice - FIRST_PLAY) >> 8) & 255) - 1


def theirs_of(choice: int) -> int:
    """Return the other side's card or the number that a choice names, or -1 if the choice names neither."""
    return ((choice - FIRST_PLAY) & 255) - 1


def orders_of(cards: list[int]) -> list[list[int]]:
    """Return all permutations of cards. An answer to ORDER is an index of this list (WM-D5)."""
    return [list(order) for order in permutations(cards)]


def in_order(cards: list[int], choice: int) -> list[int]:
    """Return the cards in the order that an answer to ORDER chooses (WM-D5).

    The result is `orders_of(cards)[choice]`, computed without the other permutations.
    """
    left = cards.copy()
    order: list[int] = []
    while left:
        orders = factorial(len(left) - 1)  # the number of orders that begin with the same card
        order.append(left.pop(choice // orders))
        choice %= orders
    return order


class Warmonger(WarmongerState):
    """One battle of Warmonger: the order of play, and the effects of the Warmonger cards."""

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda. The branches of the code are in the order of play."""
        if step == NEXT_SKIRMISH:
            self.begin_skirmish()
        elif step == PEACE_WINDOW:
            self.open_window(PEACE)
        elif step == REVEAL:
            self.turn_up_all()
        elif step == SKIRMISH_WINDOW:
            self.open_window(SKIRMISH)
        elif step == SKIRMISH_RESULT:
            self.skirmish_result()
        elif step <= BATTLE_RESULT:
            self.war_step(step, side)
        elif step <= CHECK_END:
            self.aftermath_step(step, side)
        elif step == ASK_WINDOW:
            self.ask_window()
        else:
            self.card_step(step, side)

    def war_step(self, step: int, side: int) -> None:
        """Carry out a step of a War (WM-16 to WM-27)."""
        if step == LAY:
            self.lay()
        elif step == LAID_WINDOW:
            self.open_window(LAID)
        elif step == SCORING:
            for n in range(self.sides):  # from the last side to the first
                scorer = (self.superpower + self.sides - n) % self.sides
                if is_among(scorer, self.fighting):
                    self.then_step(TAKE_TURN + scorer)
        elif step == TAKE_TURN:
            self.take_turn(side)
        elif step == FINAL_WINDOW:
            self.open_window(FINAL)
        else:
            self.battle_result()

    def aftermath_step(self, step: int, side: int) -> None:
        """Carry out a step of the Aftermath of a War (WM-28 to WM-39)."""
        if step == CASUALTIES:
            self.count_casualties()
        elif step == SUPERPOWER:
            self.pass_superpower(self.winner)
        elif step == LAST_STANDS:
            self.last_stands()
        elif step == ASK_LAST_STAND:
            self.ask_last_stand(side)
        elif step == ELIMINATION:
            self.eliminate_all()
        elif step == DRAW_BOUNTY:
            self.draw(side, is_bounty=True)
        elif step == CONSOLATION:
            self.draw(side, is_bounty=False)
        else:
            self.check_end()

    def card_step(self, step: int, side: int) -> None:
        """Carry out a step of an announced Warmonger card (WM-44)."""
        if step == ASK_RESPONSE:
            self.ask_response()
        elif step == RESOLVE:
            self.resolve()
        elif step == ASK_ORDER:
            self.ask_even_if_forced(side, ORDER, self.choices(side, ORDER))
        elif step == FALL:
            self.fall(side)
        else:
            self.discard()

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice."""
        if question == TURN:
            self.choose_in_turn(side, choice)
        elif question == ORDER:
            self.arrange(side, choice)
        elif choice != PASS:
            if question == LAST_STAND and self.log is not None:
                self.emit("last_stand", side, {})
            if question & ROUNDS:
                self.passed = 0  # a new round begins to the left of the player (WM-43)
            self.announce(side, choice, question)
        elif self.log is not None:
            self.emit("passed", side, {}, {"window": WORDS[question]}, [side], whole=True)

    def begin_skirmish(self) -> None:
        """Put a Skirmish on the agenda (WM-11, WM-42).

        If no side can be asked a question, the Skirmish is resolved at once.
        """
        if self.skirmish == 0 and self.log is not None:
            self.log_muster()
        if self.can_anybody_play(PEACE):
            self.todo.extend(SKIRMISH_STEPS)
            return
        if self.can_anybody_play(SKIRMISH):
            self.turn_up_all()
            self.then(SKIRMISH_WINDOW, SKIRMISH_RESULT)
        elif self.log is not None or self.spoils_by_seat:
            self.turn_up_all()
            self.skirmish_result()
        else:
            self.fight_brief_skirmishes()

    def fight_brief_skirmishes(self) -> None:
        """Carry out Skirmishes without questions and events, until one leads to a War or to a last stand.

        This gives the same result as steps on the agenda, but is faster.
        """
        cards = ONLY_UNKNOWN * self.live_count()
        shortest = self.shortest_deck()
        turned: i64 = 0  # cards of each side that were turned up; they are taken from the decks together
        while True:
            is_war = self.compare_cards(cards, turned)
            turned += 1
            if is_war:
                break
            self.put_under(self.winner, cards)
            if turned >= shortest:
                shortest = self.shortest_deck()
            if turned >= shortest or self.skirmish >= self.armistice:
                break
        for side, deck in enumerate(self.decks):
            if self.live[side]:
                del deck[:turned]
        if is_war:
            self.fill_battlefield(cards, is_war=True)
            self.begin_war()
        elif self.has_empty_side():
            self.then(LAST_STANDS, ELIMINATION, CHECK_END, NEXT_SKIRMISH)
        else:  # all sides are left that were left before
            self.end()

    def put_under(self, side: int, cards: list[Any]) -> None:
        """Do the same as `under` with a few cards that all sides have seen, in a battle without a log."""
        self.random_source.shuffle(UNDER, side, cards)
        self.shuffles += 1
        fresh = trail_of_shuffle(self.shuffles)
        trails = self.trails
        deck: list[Any] = self.decks[side]
        for card in cards:
            code: i64 = card
            trails[code] = fresh
            deck.append(card)

    def log_muster(self) -> None:
        robots = [self.box.robots[robot].name if robot != NOBODY else "" for robot in self.robots]
        fields: dict[str, object] = {"sizes": self.dealt, "robots": robots, "superpower": self.superpower}
        self.emit("mustered", NOBODY, fields)
        for side in range(self.sides):
            hand = [self.box.codes[design] for design in self.hands[side] if design != UNKNOWN]
            if self.hands[side]:
                self.emit("armed", side, {"count": len(self.hands[side])}, {"hand": hand}, [side])

    def turn_up_all(self) -> None:
        """Turn up the top card of each side in the battle (WM-11). A tie or a War Joker leads to a War."""
        cards = ONLY_UNKNOWN * self.live_count()
        is_war = self.compare_cards(cards, 0)
        for side, deck in enumerate(self.decks):
            if self.live[side]:
                deck.pop(0)
        self.fill_battlefield(cards, is_war)

    def compare_cards(self, cards: list[Any], depth: i64) -> bool:
        """Turn up the card at this depth in the deck of each side, and store the cards in `cards`.

        Return True if they lead to a War (WM-12, WM-13). Otherwise the highest card wins the Skirmish.

        Raises IllegalMove if a card is unknown.
        """
        self.skirmish += 1
        ranks, wars, live = self.box.ranks, self.box.wars, self.live
        is_war = False
        best: i64 = 0
        level: i64 = 0
        place: i64 = 0
        for side, deck in enumerate(self.decks):
            if live[side]:
                untyped: list[Any] = deck
                turned_up = untyped[depth]
                card: i64 = turned_up
                if card == UNKNOWN:
                    raise IllegalMove(UNWRITTEN)
                cards[place] = turned_up
                place += 1
                code = card & CODES
                rank: i64 = ranks[code]
                if rank > best:
                    best = rank
                    level = 1
                    self.winner = side
                elif rank == best:
                    level += 1
                if wars[code]:
                    is_war = True
        return is_war or level > 1

    def fill_battlefield(self, cards: list[int], is_war: bool) -> None:
        """Put the cards that were turned up on the Battlefield, and declare War if they lead to it."""
        sides = self.live_sides()
        self.pot = NOTHING_BY_SIDE[self.sides].copy()
        for place, side in enumerate(sides):
            card = cards[place]
            self.pot[side] = [card]
            self.trails[card] = SEEN
        if self.log is not None:
            self.log_reveal(sides)
        self.war = NOTHING
        if is_war:
            self.declare_for_cards(sides, cards)

    def declare_for_cards(self, sides: list[int], cards: list[int]) -> None:
        """Declare War because of a Joker or a tie among the cards that the sides turned up (WM-12, WM-13)."""
        best = 0
        for place, side in enumerate(sides):
            code = cards[place] & CODES
            if self.box.wars[code]:
                self.declare(sides, "joker", side)
                return
            rank = self.box.ranks[code]
            if rank > best:
                best = rank
        self.declare_for_tie(
            [side for place, side in enumerate(sides) if self.box.ranks[cards[place] & CODES] == best]
        )

    def declare_for_tie(self, highest: list[int]) -> None:
        """Declare War between the sides with the highest card (WM-13).

        If a side with the highest card is a Robot with Rampage, all sides are at war (WM-49).
        """
        rampant = [side for side in highest if self.powers[side] == RAMPAGE]
        if rampant:
            self.declare(self.live_sides(), "rampage", rampant[0])
        else:
            self.declare(highest, "tie", NOBODY)

    def log_reveal(self, sides: list[int]) -> None:
        cards = [self.pot[side][0] for side in sides]
        sizes = [self.score(side) for side in range(self.sides)]
        fields: dict[str, object] = {
            "skirmish": self.skirmish,
            "sides": sides,
            "cards": cards,
            "sizes": sizes,
        }
        self.emit("revealed", NOBODY, fields)

    def declare(self, sides: list[int], cause: str, by: int) -> None:
        """Turn this Skirmish into a War between the sides in `sides` (WM-12, WM-13).

        `cause` and `by` are the cause and the side that the log names.
        """
        self.war = sides
        self.winner = NOBODY
        if self.log is not None:
            self.emit("war_declared", by, {"sides": sides, "cause": cause})

    def skirmish_result(self) -> None:
        """Begin the War if one was declared, or give the Battlefield to the highest card (WM-13 to WM-15)."""
        if self.war:
            self.begin_war()
            return
        winner = self.winner
        won = self.battlefield()
        if self.log is not None:
            self.emit("skirmish_won", winner, {"count": len(won)})
        if self.spoils_by_seat:
            for n in range(self.sides):
                for card in self.pot[(winner + n) % self.sides]:
                    self.place(winner, [card])  # one card at a time, because all sides know the order
        else:
            self.under(winner, won)
        self.leave_battlefield()
        if self.has_empty_side():
            self.then(LAST_STANDS, ELIMINATION, CHECK_END, NEXT_SKIRMISH)
        else:
            self.then_step(NEXT_SKIRMISH)
            self.check_end()

    def begin_war(self) -> None:
        """Put the first Battle of a War on the agenda. A tie leads to another Battle (WM-24)."""
        self.fighting = self.war
        self.begin_battle()

    def begin_battle(self) -> None:
        """Put the steps of a Battle on the agenda (WM-16 to WM-23)."""
        self.todo.extend(BATTLE_STEPS)

    def lay(self) -> None:
        """Lay three cards face down and one face up for each side (WM-16).

        A side without cards in its deck loses the War (WM-17).
        """
        able = [side for side in self.fighting if self.decks[side]]
        if self.log is not None:
            for side in self.fighting:
                if not self.decks[side]:
                    self.emit("dropped_out", side, {})
        self.clear_battle(able)
        if len(able) < 2:
            self.win_war(able[0] if able else NOBODY, "alone" if able else "destruction")  # WM-17, WM-18
            return
        for side in able:
            laid = self.take_some(side, LAYS)
            self.pot[side].extend(laid)
            card = laid.pop()
            self.trails[card] = SEEN
            self.lines[side] = [card]
            self.marks[side] = [UNMARKED]
            self.downs[side] = laid
            if self.log is not None:
                self.emit("laid", side, {"card": card, "down": len(laid), "score": self.total(side)})

    def turn_up(self, side: int) -> None:
        """Turn up a side's next face-down card, and add it to the side's Battle line (WM-21)."""
        is_armoured = self.powers[side] == ARMOUR and not self.armoured[side] and self.total(side) >= 0
        card = self.downs[side].pop(0)
        self.show(side, card)
        pierced = is_armoured and self.total(side) < 0
        if pierced:  # WM-49
            self.armoured = self.armoured.copy()
            self.armoured[side] = 1
            self.marks[side][-1] = 0
        if self.log is not None:
            self.emit("turned_up", side, self.scoring(side, {"card": card}))
            if pierced:
                self.emit("armoured", side, {"card": card})

    def take_turn(self, side: int) -> None:
        """Ask a side to turn up a card, stand, or play a card (WM-D2). A Robot follows its own rules."""
        if self.robots[side] != NOBODY:
            self.robot_turn(side, self.box.robots[self.robots[side]])
            self.end_turn(side)
        elif self.total(side) < 0:  # WM-21
            self.end_turn(side)
        else:
            options = self.choices(side, TURN)
            if is_among(UNKNOWN, self.hands[side]):
                self.ask_even_if_forced(side, TURN, options)
            else:
                self.ask(side, TURN, options)

    def choose_in_turn(self, side: int, choice: int) -> None:
        """Carry out a side's choice during its turn to score, and ask again unless it stands (WM-21)."""
        if choice == STAND:
            self.end_turn(side)
            return
        if choice == TURN_UP:
            self.turn_up(side)
            self.take_turn(side)
        else:
            self.then_step(TAKE_TURN + side)
            self.announce(side, choice, TURN)

    def end_turn(self, side: int) -> None:
        """Record that a side has completed its turn to score (WM-21, WM-22)."""
        self.scored.append(side)
        if self.log is not None:
            kind = "stood" if self.total(side) >= 0 else "busted"
            self.emit(kind, side, self.scoring(side, {"cards": self.lines[side].copy()}))

    def robot_turn(self, side: int, robot: Robot) -> None:
        """Turn up cards for a Robot, as the rules on its card say (WM-48, WM-49)."""
        scores = [self.total(scorer) for scorer in self.scored]
        goal = max(scores) if scores else BUST
        turned = 0
        greedy = robot.below
        while self.downs[side] and not self.armoured[side]:
            score = self.total(side)
            if score < 0:
                break
            if goal < 0:
                if not self.opens(side, robot, turned):
                    break
            elif score > goal or (score == goal and (robot.ties or self.robots_stop_at_ties)):
                if score <= goal or score >= greedy:
                    break
                greedy = 0
            self.turn_up(side)
            turned += 1

    def opens(self, side: int, robot: Robot, turned: int) -> bool:
        """Return True if a Robot with no score to beat turns up another card (WM-48)."""
        if robot.opening == UNTIL:
            return self.total(side) < robot.limit
        if robot.opening == TURN_SOME:
            return turned < robot.limit
        return robot.opening == SAFE and self.least(side) <= robot.limit

    def battle_result(self) -> None:
        """Give the War to the side with the best score. After a tie, begin another Battle (WM-23, WM-24)."""
        best, leader, is_tied = BUST, NOBODY, False
        for side in self.fighting:
            score = self.total(side)
            if score > best:
                best, leader, is_tied = score, side, False
            elif score == best:
                is_tied = True
        if best < 0:
            self.win_war(NOBODY, "bust")  # WM-27
        elif not is_tied:
            self.win_war(leader, "score")
        else:
            level = [side for side in self.fighting if self.total(side) == best]
            last = [side for side in level if self.powers[side] == LAST_WORD]
            if len(level) == 2 and len(last) == 1:
                self.win_war(last[0], "last-word")
                return
            if self.log is not None:
                self.emit("battle_tied", NOBODY, {"sides": level, "score": best})
            self.fighting = level
            self.begin_battle()

    def win_war(self, winner: int, cause: str) -> None:
        """End the War. If `winner` is NOBODY, no side has won it (WM-17, WM-18, WM-23 to WM-27)."""
        if self.log is not None:
            if winner == NOBODY:
                self.emit("war_lost", NOBODY, {"sides": self.war, "cause": cause})
            else:
                self.emit("war_won", winner, self.scoring(winner, {"cause": cause}))
        self.winner = winner
        self.begin_aftermath()

    def begin_aftermath(self) -> None:
        """Replace the agenda with the steps of the Aftermath (WM-28 to WM-33)."""
        holder = self.winner if self.winner != NOBODY else self.superpower
        self.todo.clear()
        self.then_step(NEXT_SKIRMISH)
        self.then_step(CHECK_END)
        for n in range(self.sides):  # from the last side to the first
            side = (holder + self.sides - n) % self.sides
            if side != self.winner and is_among(side, self.war):
                self.then_step(CONSOLATION + side)
        self.todo.extend(AFTERMATH_STEPS)

    def count_casualties(self) -> None:
        """Move one card of each side in the War to the casualties (WM-28).

        If the War has no winner, all cards on the Battlefield are casualties.
        """
        pot = self.battlefield()
        winner = self.winner
        if winner == NOBODY:
            lost = pot
        else:
            lost = self.random_source.some_of(CASUALTY, NOBODY, len(self.war), pot)
        for card in lost:
            self.trails[card] = SEEN
        self.casualties.extend(lost)
        if self.log is not None:
            self.emit("casualties", NOBODY, {"cards": lost})
        if winner != NOBODY:
            for card in lost:
                take_out(card, pot)
            self.under(winner, pot)
        if is_among(SALVAGE, self.powers):
            self.salvage(lost.copy())
        self.leave_battlefield()

    def salvage(self, lost: list[int]) -> None:
        """Let a Robot with the power Salvage save one casualty of a War that it did not win (WM-49)."""
        for side in self.clockwise(self.superpower):
            if self.powers[side] == SALVAGE and side in self.war and side != self.winner and lost:
                card = self.random_source.top_of(UNDER, side, 1, sorted(lost))[0]
                lost.remove(card)
                self.casualties.remove(card)
                self.place(side, [card])
                if self.log is not None:
                    self.emit("salvaged", side, {"card": card})

    def pass_superpower(self, side: int) -> None:
        """Give the Superpower card to a side. If `side` is NOBODY, do nothing (WM-29, WM-35)."""
        if side not in (NOBODY, self.superpower):
            self.superpower = side
            if self.log is not None:
                self.emit("superpower", side, {})

    def last_stands(self) -> None:
        """Put each empty side's last stand on the agenda, clockwise from the Superpower holder (WM-30)."""
        if self.has_empty_side():
            self.then_all([ASK_LAST_STAND + side for side in self.empty_sides()])

    def ask_last_stand(self, side: int) -> None:
        """Ask a side without playing cards to play Lifelines until it has a playing card (WM-D4)."""
        if self.is_empty(side) and self.reach[side] & LAST_STAND:
            options = self.choices(side, LAST_STAND)
            if options:
                self.then_step(ASK_LAST_STAND + side)
                self.ask(side, LAST_STAND, options)

    def eliminate_all(self) -> None:
        """Eliminate all sides without playing cards at the same time (WM-31)."""
        if self.has_empty_side():
            by = self.winner if self.winner != NOBODY and self.live[self.winner] else NOBODY
            self.eliminate(self.empty_sides(), by)

    def eliminate(self, fallen: list[int], by: int) -> None:
        """Eliminate the sides in `fallen`, and give the bounty to the side `by` (WM-31, WM-32, WM-35)."""
        for side in fallen:
            self.live[side] = 0
            self.fallen.append(side)
            hand = [design for design in self.hands[side] if design != UNKNOWN]
            self.used.extend(hand)
            for design in hand:
                self.played.extend([side, -1 - design])
            self.hands[side] = []
            self.rearm(side)
            if self.log is not None:
                codes = [self.box.codes[design] for design in hand]
                self.emit("eliminated", side, {"by": by, "hand": codes, "left": self.live_count()})
        if self.superpower in fallen:
            left = [side for side in self.clockwise(self.superpower) if self.live[side]]
            self.pass_superpower(by if by != NOBODY else left[0] if left else NOBODY)
        if by != NOBODY:
            self.then_all([DRAW_BOUNTY + by] * (BOUNTY * len(fallen)))

    def draw(self, side: int, is_bounty: bool) -> None:
        """Let a side draw a New card, as its bounty or as its consolation (WM-32 to WM-34)."""
        if self.robots[side] != NOBODY or not self.live[side] or self.live_count() < 2:
            return
        if not self.new:
            if not self.used:
                return
            self.new = self.used
            self.used = []
            if self.log is not None:
                self.emit("pile_renewed", NOBODY, {"count": len(self.new)})
        design = self.next_new_card(side)
        take_out(design, self.new)
        add_in_order(design, self.hands[side])
        self.rearm(side)
        if self.log is not None:
            reason = "bounty" if is_bounty else "consolation"
            self.emit("drew", side, {"reason": reason}, {"card": self.box.codes[design]}, [side])

    def next_new_card(self, side: int) -> int:
        """Return the design of the New card that a side draws.

        A record names the card by its code (WM-34).
        """
        if isinstance(self.random_source, Drawn):
            return self.random_source.one_of(DRAW, side, self.new)
        codes = self.box.codes
        return codes.index(self.random_source.one_of(DRAW, side, [codes[design] for design in self.new]))

    def check_end(self) -> None:
        """End the battle if at most one side is left, or if the last Skirmish is over (WM-37, WM-39)."""
        if self.is_finished():
            self.end()

    def is_finished(self) -> bool:
        """Return True if at most one side is left, or if the last Skirmish is over (WM-37, WM-39)."""
        return self.skirmish >= self.armistice or self.live_count() < 2

    def end(self) -> None:
        """End the battle, and log the result (WM-37, WM-39)."""
        self.todo.clear()
        while self.stack:
            self.discard_last()
        if self.log is not None:
            outcome = self.outcome()
            self.emit(
                "ended",
                NOBODY,
                {
                    "winners": outcome.winners,
                    "reason": outcome.reason,
                    "scores": [self.score(side) for side in range(self.sides)],
                    "skirmishes": self.skirmish,
                    "fallen": self.fallen.copy(),
                },
            )

    def open_window(self, window: int) -> None:
        """If any side holds a Warmonger card for a window, open the window (WM-42, WM-43)."""
        if self.can_anybody_play(window):
            self.window = window
            self.turn = (self.superpower + 1) % self.sides
            self.passed = 0
            self.then_step(ASK_WINDOW)

    def can_anybody_play(self, window: int) -> bool:
        """Return True if any side holds a card that can be played in a window (WM-42)."""
        window_bit: i64 = window
        for reach in self.reach:
            hand_bits: i64 = reach
            if hand_bits & window_bit:
                return True
        return False

    def ask_window(self) -> None:
        """Ask the next side that can play a card in the open window (WM-D1).

        The window closes when all sides have passed (WM-43).
        """
        while self.passed < self.sides:
            side = self.turn
            self.turn = (side + 1) % self.sides
            self.passed += 1
            if self.reach[side] & self.window:
                options = self.choices(side, self.window)
                if len(options) > 1 or is_among(UNKNOWN, self.hands[side]):
                    self.then_step(ASK_WINDOW)
                    self.ask_even_if_forced(side, self.window, options)
                    return

    def announce(self, side: int, choice: int, window: int) -> None:
        """Announce a Warmonger card with its targets, and put the responses on the agenda (WM-44)."""
        design = design_of(choice)
        take_out(design, self.hands[side])
        self.rearm(side)
        self.stack.append(choice)
        self.stack.append(side)
        self.stack.append(window)
        self.stack.append(0)
        self.played.append(side)
        self.played.append(choice)
        if self.log is not None:
            self.emit("announced", side, self.target_fields(choice))
        self.todo.extend(CARD_STEPS)

    def target_fields(self, choice: int) -> dict[str, object]:
        """Return the event fields of a Warmonger card and its targets."""
        design, target, mine, theirs = (
            design_of(choice),
            target_of(choice),
            mine_of(choice),
            theirs_of(choice),
        )
        fields: dict[str, object] = {"card": self.box.codes[design]}
        if target != NOBODY:
            fields["target"] = target
        if mine >= 0:
            fields["mine"] = mine
        if theirs >= 0:
            fields["number" if self.box.effects[design] == PROMOTE else "his"] = theirs
        return fields

    def ask_response(self) -> None:
        """Ask the next side clockwise for a response (WM-D3). Each side is asked once (WM-44)."""
        stack = self.stack
        while 0 <= stack[-1] < self.sides - 1:
            stack[-1] += 1
            side = (stack[-3] + stack[-1]) % self.sides
            if self.reach[side] & RESPONSE:
                self.then_step(ASK_RESPONSE)
                self.ask_even_if_forced(side, RESPONSE, self.choices(side, RESPONSE))
                return

    def discard(self) -> None:
        """Put the last announced card on the Used pile (WM-41). End the battle if the card decided it."""
        self.discard_last()
        if not self.stack and self.live_count() < 2:
            self.end()

    def discard_last(self) -> None:
        """Move the last announced card from the stack to the Used pile (WM-41)."""
        self.used.append(design_of(self.stack[-4]))
        for _ in range(ANNOUNCED):
            self.stack.pop()

    def choices(self, side: int, question: int) -> list[int]:
        """Return all answers to a question (WM-D1 to WM-D5)."""
        if question == ORDER:
            return list(range(factorial(len(self.reconnoitred_cards()))))
        if question == TURN:
            options = [TURN_UP, STAND] if self.downs[side] else [STAND]
        elif question == LAST_STAND:
            options = []
        else:
            options = [PASS]
        if self.reach[side] & question:
            self.add_plays(options, side, question)
        return options

    def add_plays(self, options: list[int], side: int, window: int) -> None:
        """Add to `options` the choices to play a card in this window, one for each target (WM-42)."""
        last = UNKNOWN
        for design in self.hands[side]:
            if design != last and self.box.windows[design] & window:
                self.add_targets(options, design, side, window)
            last = design

    def targets(self, design: int, side: int, window: int) -> list[int]:
        """Return the choices to play a card now. There is one choice for each possible target."""
        options: list[int] = []
        self.add_targets(options, design, side, window)
        return options

    def add_targets(self, options: list[int], design: int, side: int, window: int) -> None:
        """Add to `options` the choices to play a card now, one for each possible target (C1 to C12)."""
        effect = self.box.effects[design]
        if effect == PROMOTE:
            self.add_promotions(options, design, side)
        elif effect in (STRIKE, MARCH, EXCHANGE):
            for target in self.fighting:
                if target != side:
                    self.add_attacks(options, design, side, target)
        elif effect == RAID:
            for target in range(self.sides):
                if target != side and self.decks[target]:
                    options.append(play(design, target))
        elif self.can_play(effect, side, window):
            options.append(play(design))

    def add_promotions(self, options: list[int], design: int, side: int) -> None:
        """Add to `options` the choices to play a Field Promotion, one for each card and number (C9)."""
        if is_among(side, self.fighting):
            for card in self.lines[side]:
                choice = play(design, NOBODY, card, 0)  # the next number gives the next choice
                for _ in range(MOST_PROMOTION):
                    choice += 1
                    options.append(choice)

    def add_attacks(self, options: list[int], design: int, side: int, target: int) -> None:
        """Add to `options` the choices to play a card on another side's Battle cards (C5, C7, C8)."""
        effect = self.box.effects[design]
        if effect == MARCH:
            if self.downs[target]:
                options.append(play(design, target))
        elif effect == STRIKE:
            for at, card in enumerate(self.lines[target]):
                if self.marks[target][at] != 0:
                    options.append(play(design, target, -1, card))
        elif is_among(side, self.fighting):
            for mine in self.lines[side]:
                for theirs in self.lines[target]:
                    options.append(play(design, target, mine, theirs))

    def can_play(self, effect: int, side: int, window: int) -> bool:
        """Return True if a card without targets can be played now."""
        if effect == CONSCRIPT:
            return len(self.casualties) > 0
        if effect == PROVOKE:
            return len(self.war) < self.live_count()
        if effect == SUPPLY:
            return is_among(side, self.fighting) and len(self.decks[side]) > 0
        if effect == SCOUT:
            return len(self.decks[side] if window == PEACE else self.downs[side]) > 1
        if effect == RETREAT:
            return is_among(side, self.fighting) and len(self.fighting) > 1
        return True  # in its windows, a Cease-fire or a Veto can always be played

    def resolve(self) -> None:
        """Carry out the effect of the last announced card, unless it was vetoed (WM-44)."""
        choice, side, asked = self.stack[-4], self.stack[-3], self.stack[-1]
        design = design_of(choice)
        effect = self.box.effects[design]
        cards = self.box.designs[design].cards
        if asked == VETOED:
            if self.log is not None:
                self.emit("vetoed", side, {"card": self.box.codes[design]})
        elif effect == CONSCRIPT:
            self.conscript(side, cards)
        elif effect == RAID:
            self.raid(side, target_of(choice), cards)
        elif effect == CEASE_FIRE:
            self.cease_fire()
        elif effect == PROVOKE:
            self.declare(self.live_sides(), "provocation", side)
        elif effect == STRIKE:
            self.mark(target_of(choice), theirs_of(choice), 0)
        elif effect == PROMOTE:
            self.mark(side, mine_of(choice), theirs_of(choice))
        elif effect == SUPPLY:
            self.supply(side, cards)
        elif effect == MARCH:
            self.march(target_of(choice), cards)
        elif effect == EXCHANGE:
            self.exchange(side, mine_of(choice), target_of(choice), theirs_of(choice))
        elif effect == SCOUT:
            self.scout(side, cards)
        elif effect == RETREAT:
            self.retreat(side)
        else:
            self.stack[-ANNOUNCED - 1] = VETOED  # the announcement below on the stack

    def conscript(self, side: int, cards: int) -> None:
        """Put random casualties under a side's deck (C1)."""
        back = self.random_source.top_of(
            UNDER, side, min(cards, len(self.casualties)), sorted(self.casualties)
        )
        for card in back:
            self.casualties.remove(card)
        if self.log is not None:
            self.emit("conscripted", side, {"cards": sorted(back)})
        self.place(side, back)

    def raid(self, side: int, target: int, cards: int) -> None:
        """Move the top cards of one deck under another deck, face down (C2).

        If the raided deck becomes empty, its side can make a last stand. It is eliminated if it still has no
        cards after that.
        """
        loot = self.take_some(target, cards)
        self.decks[side].extend(loot)
        if self.log is not None:
            self.emit("raided", side, {"target": target, "count": len(loot)})
        if not self.decks[target]:
            self.then(ASK_LAST_STAND + target, FALL + target)

    def fall(self, side: int) -> None:
        """Eliminate a side that lost its last cards in a Raid and made no last stand (C2)."""
        if self.is_empty(side):
            self.eliminate([side], self.stack[-3])

    def cease_fire(self) -> None:
        """End the Skirmish or War, and return each side's cards (C3)."""
        if self.log is not None:
            self.emit("ceased", NOBODY, {})
        for side in self.clockwise(self.superpower):
            if self.pot[side]:
                self.under(side, self.pot[side])
        self.leave_battlefield()
        self.todo.clear()
        self.then(DISCARD, CHECK_END, NEXT_SKIRMISH)

    def mark(self, side: int, card: int, number: int) -> None:
        """Make a face-up Battle card count as `number` (C5, C9)."""
        self.marks[side][self.lines[side].index(card)] = number
        if self.log is not None:
            self.emit("marked", side, self.scoring(side, {"card": card, "number": number}))

    def supply(self, side: int, cards: int) -> None:
        """Put the top cards of a side's deck face up into its Battle line (C6)."""
        for _ in range(min(cards, len(self.decks[side]))):
            card = self.take(side)
            self.pot[side].append(card)
            self.show(side, card)
            if self.log is not None:
                self.emit("supplied", side, self.scoring(side, {"card": card}))

    def march(self, side: int, cards: int) -> None:
        """Make a side turn up its next face-down Battle cards (C7)."""
        for _ in range(min(cards, len(self.downs[side]))):
            self.turn_up(side)

    def exchange(self, side: int, mine: int, target: int, theirs: int) -> None:
        """Exchange face-up Battle cards of two sides (C8). Both have their usual numbers again."""
        my_place, their_place = self.lines[side].index(mine), self.lines[target].index(theirs)
        self.lines[side][my_place], self.marks[side][my_place] = theirs, UNMARKED
        self.lines[target][their_place], self.marks[target][their_place] = mine, UNMARKED
        if self.log is not None:
            self.emit("recounted", side, self.scoring(side, {"card": theirs}))
            self.emit("recounted", target, self.scoring(target, {"card": mine}))

    def reconnoitred_cards(self) -> list[int]:
        """Return the cards at which the last announced Reconnaissance looks (C10)."""
        choice, side, window, _ = self.stack[-ANNOUNCED:]
        if window == PEACE:
            return self.decks[side][: self.box.designs[design_of(choice)].cards]
        return self.downs[side]

    def scout(self, side: int, cards: int) -> None:
        """Show the cards of a Reconnaissance to a side, and ask for their new order (C10).

        Raises IllegalMove if some of the cards are unknown.
        """
        self.shuffles += 1
        shown = self.reconnoitred_cards()
        if UNKNOWN in shown:
            raise IllegalMove(UNWRITTEN)
        for card in shown:
            self.trails[card] = [*self.trails[card], self.shuffles, look_entry(side)]
        if self.log is not None:
            self.emit("scouted", side, {"count": len(shown)}, {"cards": shown.copy()}, [side])
        self.then_step(ASK_ORDER + side)

    def arrange(self, side: int, choice: int) -> None:
        """Put the cards back in the order that the side chose (WM-D5)."""
        order = in_order(self.reconnoitred_cards(), choice)
        if self.stack[-2] == PEACE:
            self.decks[side][: len(order)] = order
        else:
            self.downs[side] = order
        if self.log is not None:
            self.emit("arranged", side, {"count": len(order)}, {"cards": order.copy()}, [side])

    def retreat(self, side: int) -> None:
        """Return the side's cards in this Battle to its deck. The side leaves the War as a loser (C11)."""
        back = self.downs[side] + self.lines[side]
        if self.log is not None:
            self.emit("retreated", side, {"count": len(back)})
        self.pot[side] = [card for card in self.pot[side] if card not in back]
        self.under(side, back)
        self.downs[side] = []
        self.lines[side] = []
        self.marks[side] = []
        self.fighting = [fighter for fighter in self.fighting if fighter != side]
        if len(self.fighting) == 1:  # WM-17
            self.win_war(self.fighting[0], "alone")
            self.then_step(DISCARD)

    def outcome(self) -> Outcome[int]:
        """Return the result: the winner and the losses.

        The winner is the last side that is not eliminated (WM-37), or the side with most cards at the
        armistice (WM-39).
        """
        losses = [(max(0, dealt - self.score(side)), dealt) for side, dealt in enumerate(self.dealt)]
        left = self.live_sides()
        if not left:
            return Outcome([self.superpower], MORAL_VICTORY, losses)
        if len(left) == 1:
            return Outcome(left, LAST_STANDING, losses)
        most = max([self.score(side) for side in left])
        ahead = [self.superpower, *self.clockwise(self.superpower)]
        first = next(side for side in ahead if self.live[side] and self.score(side) == most)
        return Outcome([first], ARMISTICE_WON, losses)

    def view(self, side: int) -> WarmongerView:
        return WarmongerView(self, side).detach()

    def fast_view(self, side: int) -> WarmongerView:
        """Return a side's view, which shares lists with the battle."""
        return WarmongerView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> Warmonger:
        """Return a copy in which everything hidden from the viewer is dealt again at random.

        For each hidden card, every shuffle since the viewer last saw the card is repeated. The card therefore
        stays among the cards with which it was shuffled. An order that the viewer chose is kept. If another
        side must choose, its options fit its new hand, and at a last stand that side keeps a Lifeline.
        """
        new = self.complete_copy(chance)
        new.random_source = Drawn(Chance(chance.bits(), chance.bits(), chance.bits(), 1))
        new.deal_cards_again(viewer, chance)
        if self.side in (NOBODY, viewer):
            new.deal_hands_again(viewer, chance)
            return new
        lifeline = design_of(chance.choice(self.options)) if self.question == LAST_STAND else UNKNOWN
        new.deal_hands_again(viewer, chance, self.side, lifeline)
        new.options = new.choices(self.side, self.question)
        return new

    def copy(self) -> Warmonger:
        new = Warmonger()
        self.copy_agenda(new)
        self.copy_state(new)
        return new

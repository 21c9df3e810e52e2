"""A referee for Warmonger with its built-in cards, written from its rules page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

from tests.referees.table import Dice, Ruling, Table, card_number, pack, plain, rank_of

# The cards C1 to C12, three of each (WM-3), with the windows in which they can be played (WM-42).
WINDOWS = {
    "Conscription": ["peace", "last-stand"],
    "Raid": ["peace", "last-stand"],
    "Cease-fire": ["skirmish", "laid", "final"],
    "Provocation": ["skirmish"],
    "Air Strike": ["turn", "final"],
    "Supply Drop": ["turn", "final"],
    "Forced March": ["final"],
    "Double Agent": ["final"],
    "Field Promotion": ["turn", "final"],
    "Reconnaissance": ["peace", "laid", "turn"],
    "Fighting Retreat": ["laid"],
    "Veto": ["response"],
}
JOKERS = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 5, 10], [2, 4, 6, 8, 10], [3, 6, 9], [1, 10], [*range(1, 11)]]
BUST = -1
WAR_JOKERS = ("J7", "J8")


class CeaseFire(Exception):
    """The Skirmish or War ends at once (C3)."""


class OneSideLeft(Exception):
    """A War ends because one side is left in it (WM-17, C11)."""


# WM-7, WM-8
def joker_numbers(card: str) -> list[int]:
    name = plain(card)
    return JOKERS[int(name[1]) - 1] if name[0] == "J" and name[1].isdigit() else []


# WM-7
def skirmish_rank(card: str) -> int:
    return max(joker_numbers(card), default=0) or rank_of(card)


class Side:
    def __init__(self, key: str, seat: int, robot: str, deck: list[str], hand: list[str]) -> None:
        self.key = key
        self.seat = seat
        self.robot = robot
        self.deck = deck  # top first
        self.begun_with = len(deck)
        self.hand = hand  # Warmonger cards
        self.is_live = True

    # WM-9, WM-49
    def numbers(self, card: str) -> list[int]:
        """Return what a card can count in a Battle."""
        if joker_numbers(card):
            return joker_numbers(card)
        rank = rank_of(card)
        if rank == 14:
            return [1, 11]
        return [5, 10] if rank > 10 and self.robot == "jackpot" else [min(rank, 10)]


class Line:
    """The cards that a side has laid in this Battle."""

    def __init__(self, side: Side, cards: list[str]) -> None:
        self.side = side
        self.laid = list(cards)
        self.face_down = cards[:-1]  # WM-16
        self.face_up = cards[-1:]
        self.changed: dict[str, int] = {}  # what a card counts because of a Warmonger card or Armour
        self.has_armour = side.robot == "bulwark"
        self.has_scored = False

    def totals(self) -> set[int]:
        totals = {0}
        for card in self.face_up:
            numbers = [self.changed[card]] if card in self.changed else self.side.numbers(card)
            totals = {total + number for total in totals for number in numbers}
        return totals

    # WM-10
    def score(self) -> int:
        """Return the best total up to 21, or BUST."""
        return max((total for total in self.totals() if total <= 21), default=BUST)

    # WM-21, WM-49 (Armour)
    def turn_up(self) -> None:
        card = self.face_down.pop(0)
        self.face_up.append(card)
        if self.has_armour and self.score() == BUST:
            self.changed[card] = 0
            self.has_armour = False


def judge(record: Mapping[str, Any]) -> Ruling:
    """Replay a record and return its result; raise Refused if a move breaks a rule."""
    return Warmonger(Table(record, "warmonger")).fight()


class Warmonger:
    # WM-1, WM-4, WM-5, WM-39, WM-50
    def __init__(self, table: Table) -> None:
        self.table = table
        self.house = table.house
        self.new: list[str] = []
        self.used: list[str] = []
        self.casualties: list[str] = []
        self.sides = self.deal()
        self.holder = self.sides[table.seats.index(self.house["superpower"])]
        self.battlefield: list[tuple[str, Side]] = []  # each card, and the side that put it there
        self.lines: dict[Side, Line] = {}  # the sides in this Battle
        self.at_war: list[Side] = []

    # WM-2, WM-3, WM-50
    def deal(self) -> list[Side]:
        table, dice = self.table, Dice(self.table.seed, "deal")
        copies, keys = self.house["copies"], table.seats
        extras, robots = table.options("extra", []), table.options("robot", "")
        one_pack = pack(*(f"J{number}" for number in range(1, 9)))
        cards = [card + "'" * copy for copy in range(copies) for card in one_pack]
        cards = [card for card in cards if not any(card in extra for extra in extras)]
        dice.shuffle(cards)
        decks = []
        for number, extra in zip(table.options("cards", len(cards) // len(keys)), extras, strict=True):
            decks.append(dice.shuffle(extra + [cards.pop() for _ in range(number)]))
        hands: list[list[str]] = [[] for _ in keys]
        if self.house["cards"] == "ours":
            self.new = dice.shuffle([name for name in WINDOWS for _ in range(3 * copies)])
            for seat, number in enumerate(table.options("warmongers", 1)):
                hands[seat] = [] if robots[seat] else [self.new.pop() for _ in range(number)]
                if not robots[seat]:
                    table.check_pile(hands[seat], "warmongers", keys[seat])
        self.new.sort(key=list(WINDOWS).index)
        for key, deck in zip(keys, decks, strict=True):
            table.check_pile(deck, key)
        table.check_pile(cards, "aside")
        return [Side(keys[seat], seat, robots[seat], decks[seat], hands[seat]) for seat in range(len(keys))]

    def choose(self, side: Side, options: list[str], rule: str) -> str:
        return self.table.choose(side.seat, options, rule)

    # WM-6
    def clockwise(self, side: Side) -> list[Side]:
        """Return all sides clockwise from the left of one, which comes last."""
        return self.sides[side.seat + 1 :] + self.sides[: side.seat + 1]

    def live(self, sides: Iterable[Side] | None = None) -> list[Side]:
        return [side for side in sides or self.sides if side.is_live]

    def shuffled(self, cards: list[str]) -> list[str]:
        return self.table.dice.shuffle(list(cards))

    def put_under(self, side: Side, cards: list[str], rule: str) -> None:
        """Put cards under a deck, shuffled, and check that they are recorded."""
        if cards:
            shuffled = self.shuffled(cards)
            self.table.fate(f"under {side.key} {' '.join(shuffled)}", rule)
            side.deck += shuffled

    # WM-37, WM-39
    def fight(self) -> Ruling:
        skirmishes = self.house.get("armistice", 600 * self.house["copies"])
        while len(self.live()) > 1 and skirmishes:
            self.lines = {}
            self.open_window("peace")
            if len(self.live()) > 1:
                self.fight_skirmish()
                skirmishes -= 1
        self.table.close()
        return self.rule_on_the_end()

    # WM-11, WM-12, WM-13, WM-14, WM-15, WM-32, WM-49 (Rampage)
    def fight_skirmish(self) -> None:
        self.battlefield = []
        sides = self.live()
        for side in sides:
            self.battlefield.append((side.deck.pop(0), side))
        ranks = {side: skirmish_rank(card) for card, side in self.battlefield}
        highest = [side for side in sides if ranks[side] == max(ranks.values())]
        has_war_joker = any(plain(card) in WAR_JOKERS for card, _ in self.battlefield)
        has_rampage = len(highest) > 1 and any(side.robot == "onslaught" for side in highest)
        self.at_war = sides if has_war_joker or has_rampage else highest if len(highest) > 1 else []
        try:
            self.open_window("skirmish")
            if self.at_war:
                war = self.at_war
                winner = self.fight_war(war)
            else:
                war, winner = [], highest[0]
        except CeaseFire:
            self.take_back()
            return
        self.take_spoils(winner, war)
        self.make_last_stands(winner)
        self.draw_after_war(winner, war)

    # C3
    def take_back(self) -> None:
        for side in self.clockwise(self.holder):
            self.put_under(side, [card for card, owner in self.battlefield if owner is side], "C3")

    # WM-16, WM-17, WM-18, WM-20, WM-24, WM-25, WM-26, WM-27, WM-49 (Last word)
    def fight_war(self, war: list[Side]) -> Side | None:
        """Fight a War, and return its winner."""
        in_battle = war
        while True:
            in_battle = [side for side in in_battle if side.deck]
            if len(in_battle) < 2:
                return in_battle[0] if in_battle else None
            self.lines = {side: self.lay(side) for side in in_battle}
            try:
                self.open_window("laid")
            except OneSideLeft:
                return next(iter(self.lines))
            for side in self.clockwise(self.holder):
                if side in self.lines:
                    self.make_score(self.lines[side])
            self.open_window("final")
            best = max(line.score() for line in self.lines.values())
            in_battle = [side for side, line in self.lines.items() if line.score() == best]
            if best == BUST:
                return None
            if len(in_battle) == 1:
                return in_battle[0]
            echo = [side for side in in_battle if side.robot == "echo"]
            if len(in_battle) == 2 and echo:
                return echo[0]

    # WM-16
    def lay(self, side: Side) -> Line:
        cards = side.deck[:4]
        del side.deck[:4]
        self.battlefield += [(card, side) for card in cards]
        return Line(side, cards)

    # WM-21, WM-23, WM-45, WM-D2
    def make_score(self, line: Line) -> None:
        if line.side.robot:
            self.turn_up_by_robot(line)
        else:
            while line.score() != BUST:
                turn = ["turn"] * bool(line.face_down)
                choice = self.choose(line.side, ["stand", *turn, *self.plays(line.side, "turn")], "WM-21")
                if choice == "stand":
                    break
                if choice == "turn":
                    line.turn_up()
                else:
                    self.play(line.side, choice, "turn")
        line.has_scored = True

    # WM-48, WM-49
    def turn_up_by_robot(self, line: Line) -> None:
        robot = line.side.robot
        to_beat = max((other.score() for other in self.lines.values() if other.has_scored), default=BUST)
        is_greedy = robot == "jackpot"
        stops_at_tie = robot == "bulwark" or self.house.get("robot_ties") == "stop"
        for turned in range(len(line.face_down)):
            score = line.score()
            if score == BUST or (robot == "bulwark" and not line.has_armour):
                return
            if to_beat != BUST:
                if score > to_beat and is_greedy and score < 16:
                    is_greedy = False
                elif score > to_beat or (stops_at_tie and score == to_beat):
                    return
            elif robot == "ledger":
                if min(line.totals()) > 11:
                    return
            elif robot == "jackpot":
                if turned == 1:
                    return
            elif score >= {"bulwark": 13, "onslaught": 17, "echo": 15}[robot]:
                return
            line.turn_up()

    # WM-28, WM-29, WM-49 (Salvage)
    def take_spoils(self, winner: Side | None, war: list[Side]) -> None:
        cards = [card for side in self.sides for card, owner in self.battlefield if owner is side]
        lost = cards
        if winner:
            lost = sorted(self.shuffled(cards)[: len(war)], key=card_number) if war else []
            if lost:
                self.table.fate(f"casualties {' '.join(lost)}", "WM-28")
            if not war and self.house.get("spoils") == "seats":
                winner.deck += self.in_seat_order(winner)
            else:
                spoils = [card for card in cards if card not in lost]
                self.put_under(winner, spoils, "WM-28" if war else "WM-14")
        self.casualties += lost
        for side in war:
            if side.robot == "ledger" and side is not winner and lost:
                card = self.shuffled(sorted(lost, key=card_number))[0]
                self.table.fate(f"under {side.key} {card}", "WM-49")
                self.casualties.remove(card)
                side.deck.append(card)
        if winner and war:
            self.holder = winner

    # WM-14
    def in_seat_order(self, winner: Side) -> list[str]:
        cards = {side: card for card, side in self.battlefield}
        return [cards[side] for side in [winner, *self.clockwise(winner)[:-1]] if side in cards]

    # WM-30, WM-31, WM-36
    def make_last_stands(self, winner: Side | None) -> None:
        for side in self.clockwise(self.holder):
            if side.is_live:
                self.make_last_stand(side)
        self.eliminate([side for side in self.live() if not side.deck], winner)

    def make_last_stand(self, side: Side) -> None:
        while not side.deck and (plays := self.plays(side, "last-stand")):
            self.play(side, self.choose(side, plays, "WM-30"), "last-stand")

    # WM-31, WM-32, WM-35
    def eliminate(self, sides: list[Side], victor: Side | None) -> None:
        for side in sides:
            side.is_live = False
            self.used += sorted(side.hand, key=list(WINDOWS).index)
            side.hand = []
        if not self.holder.is_live and self.live():
            heirs = [victor] if victor and victor.is_live else self.clockwise(self.holder)
            self.holder = self.live(heirs)[0]
        if victor and victor.is_live:
            for _ in range(3 * len(sides)):
                self.draw_new(victor)

    # WM-33
    def draw_after_war(self, winner: Side | None, war: list[Side]) -> None:
        for side in self.clockwise(self.holder):
            if side in war and side is not winner and side.is_live:
                self.draw_new(side)

    # WM-32, WM-34
    def draw_new(self, side: Side) -> None:
        if side.robot or len(self.live()) < 2:
            return
        if not self.new:
            self.new, self.used = self.used, []
        if self.new:
            name = self.new[self.table.dice.below(len(self.new))]
            self.table.fate(f"draw {side.key} {name}", "WM-34")
            self.new.remove(name)
            side.hand.append(name)

    # WM-37, WM-38, WM-39, WM-52
    def rule_on_the_end(self) -> Ruling:
        live = self.live()
        if len(live) > 1:
            most = max(len(side.deck) for side in live)
            in_order = [self.holder, *self.clockwise(self.holder)]
            winner = next(side for side in in_order if len(side.deck) == most)
            reason = "armistice"
        else:
            winner = live[0] if live else self.holder
            reason = "last-standing" if live else "moral-victory"
        scores = [len(side.deck) for side in self.sides]
        losses = [Fraction(max(side.begun_with - len(side.deck), 0), side.begun_with) for side in self.sides]
        return Ruling([winner.key], reason, scores, losses)

    # WM-42, WM-43, WM-D1
    def open_window(self, window: str) -> None:
        order = self.clockwise(self.holder)
        while order:
            side = order.pop(0)
            if side.is_live and len(self.live()) > 1:
                choice = self.choose(side, ["pass", *self.plays(side, window)], "WM-43")
                if choice != "pass":
                    self.play(side, choice, window)
                    order = self.clockwise(side)

    # WM-44, C12
    def is_vetoed(self, player: Side) -> bool:
        for side in self.clockwise(player)[:-1]:
            if not side.is_live or "Veto" not in side.hand:
                continue
            if self.choose(side, ["pass", "play Veto"], "WM-44") == "play Veto":
                side.hand.remove("Veto")
                is_vetoed = not self.is_vetoed(side)
                self.used.append("Veto")
                if is_vetoed:
                    return True
        return False

    # WM-41, WM-44
    def play(self, side: Side, text: str, window: str) -> None:
        name = next(name for name in WINDOWS if f"{text} ".startswith(f"play {name} "))
        targets = text.removeprefix(f"play {name}").split()
        side.hand.remove(name)
        try:
            if not self.is_vetoed(side):
                self.take_effect(side, name, targets, window)
        finally:
            self.used.append(name)

    # C1 to C11
    def plays(self, side: Side, window: str) -> list[str]:
        """Return the cards that a side can play, with their targets."""
        names = [name for name in WINDOWS if name in side.hand and window in WINDOWS[name]]
        return [f"play {name}{target}" for name in names for target in self.targets(side, name, window)]

    def targets(self, side: Side, name: str, window: str) -> Iterator[str]:
        own = self.lines.get(side)
        others = [line for line in self.lines.values() if line is not own]
        if name == "Conscription":
            yield from [""] * bool(self.casualties)
        elif name == "Raid":
            yield from (f" {other.key}" for other in self.live() if other is not side and other.deck)
        elif name == "Cease-fire":
            yield ""
        elif name == "Provocation":
            yield from [""] * (len(self.at_war) < len(self.battlefield))
        elif name == "Air Strike":
            for line in others:
                cards = [card for card in line.face_up if line.changed.get(card) != 0]
                yield from (f" {line.side.key} {card}" for card in cards)
        elif name == "Supply Drop":
            yield from [""] * bool(own and side.deck)
        elif name == "Forced March":
            yield from (f" {line.side.key}" for line in others if line.face_down)
        elif name == "Double Agent" and own:
            for line in others:
                yield from (
                    f" {line.side.key} {card} {other}" for card in own.face_up for other in line.face_up
                )
        elif name == "Field Promotion" and own:
            yield from (f" {card} {number}" for card in own.face_up for number in range(1, 12))
        elif name == "Reconnaissance":
            pile = side.deck if window == "peace" else own.face_down if own else []
            yield from [""] * (len(pile) > 1)
        elif name == "Fighting Retreat":
            yield from [""] * bool(own)

    def take_effect(self, side: Side, name: str, targets: list[str], window: str) -> None:
        named = next((other for other in self.sides if other.key in targets[:1]), side)
        if name == "Conscription":
            self.conscript(side)
        elif name == "Raid":
            self.raid(side, named)
        elif name == "Cease-fire":
            raise CeaseFire
        elif name == "Provocation":
            self.at_war = self.live()
        elif name == "Air Strike":
            self.lines[named].changed[targets[1]] = 0
        elif name == "Supply Drop":
            card = side.deck.pop(0)
            self.lines[side].face_up.append(card)
            self.battlefield.append((card, side))
        elif name == "Forced March":
            self.lines[named].turn_up()
        elif name == "Double Agent":
            self.exchange(self.lines[side], targets[1], self.lines[named], targets[2])
        elif name == "Field Promotion":
            self.lines[side].changed[targets[0]] = int(targets[1])
        elif name == "Reconnaissance":
            self.scout(side, window)
        elif name == "Fighting Retreat":
            self.retreat(side)

    # C1
    def conscript(self, side: Side) -> None:
        cards = self.shuffled(sorted(self.casualties, key=card_number))[:3]
        self.table.fate(f"under {side.key} {' '.join(cards)}", "C1")
        self.casualties = [card for card in self.casualties if card not in cards]
        side.deck += cards

    # C2, WM-30
    def raid(self, side: Side, target: Side) -> None:
        side.deck += target.deck[:2]
        del target.deck[:2]
        self.make_last_stand(target)
        if not target.deck:
            self.eliminate([target], side)

    # C8
    def exchange(self, own: Line, card: str, line: Line, other: str) -> None:
        own.face_up[own.face_up.index(card)] = other
        line.face_up[line.face_up.index(other)] = card
        own.changed.pop(card, None)
        line.changed.pop(other, None)

    # C10, WM-D5
    def scout(self, side: Side, window: str) -> None:
        pile = side.deck if window == "peace" else self.lines[side].face_down
        texts = [f"order {' '.join(cards)}" for cards in permutations(pile[:4])]
        cards = self.choose(side, texts, "C10").split()[1:]
        pile[: len(cards)] = cards

    # C11
    def retreat(self, side: Side) -> None:
        line = self.lines.pop(side)
        self.battlefield = [(card, owner) for card, owner in self.battlefield if card not in line.laid]
        self.put_under(side, line.face_down + line.face_up, "C11")
        if len(self.lines) == 1:
            raise OneSideLeft

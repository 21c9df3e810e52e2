"""The turns of a battle of Warfare Tactics, as its stories describe them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import card_text
from cardbattle.core.telling import Card, Episode, Fact, FactValue, Name, Points, conditions, number, numbers
from cardbattle.rules.warfare_tactics.state import VALUES

LONG = 8  # minimum number of cards in the columns of a long attack
BEHIND = 20  # minimum deficit of a winner that the story mentions
COURT = 11  # value of a knave
PRIZES = 3  # maximum number of captured cards to name
DRAWN = 4  # minimum number of cards drawn after an attack that the story mentions
QUICK = 4  # maximum number of cards in the columns of a short attack
SMALL, GREAT = 4, COURT  # highest value of a low card, and lowest value of a high card
SWEPT = 2  # minimum number of monsters on a battlefield that a remarkable turn empties
SWITCHED = 100  # weight of a SWITCH that gained points, because it is needed to explain the score
HAIR = 2  # maximum difference of the totals of an attack that failed narrowly
DRAMA = {  # the weight that a fact of this kind adds to its turn
    "glimpse_clinched": 25, "glimpse_failed": 25, "glimpse_turncoat": 22, "glimpse_giant": 18,
    "glimpse_captured": 15, "glimpse_emptied": 14, "glimpse_switch": 30,
}  # fmt: skip
SEESAW = 3  # minimum number of changes of the lead in a long attack that the story mentions
SCORING = ("posted", "returned", "attacked", "discarded", "exchanged", "dismissed")  # can change a score
ATTACKS = ("attack", "attack_captured")  # kinds of facts about a declared attack
ATTACK = ("card", "target", "since", "small")  # fields of an attack that its result keeps


class Owners:
    """The captured cards.

    For each card, it stores the side that captured the card, and the turn of the capture.

    When a card goes to a discard pile or a deck, the card is removed, because its next place can be hidden.
    """

    def __init__(self) -> None:
        self.captured: dict[int, tuple[int, int]] = {}

    def take(self, event: Event, turn: int) -> None:
        """Update the captured cards with an event."""
        if event.kind == "took":
            self.captured[number(event, "card")] = event.side, turn
        elif event.kind == "surrendered" or (event.kind == "won" and event.fields["rout"]):
            captor = event.side if event.kind == "won" else 1 - event.side
            self.captured |= dict.fromkeys(numbers(event, "cards"), (captor, turn))
        elif event.kind in ("retreated", "dismissed", "won"):
            self.forget(numbers(event, "cards"))
        elif event.kind in ("exchanged", "discarded", "buried", "recalled"):
            self.forget([number(event, "card")])
        elif event.kind in ("called_seven", "switched"):
            self.forget(numbers(event, "paid"))

    def forget(self, cards: Sequence[int]) -> None:
        for card in cards:
            self.captured.pop(card, None)


class Turn:
    """One turn of a battle, with its special moves, its attack, and the scores after it."""

    def __init__(self, event: Event, place: int, owners: Owners) -> None:
        self.number = number(event, "turn")
        self.owners = owners
        self.active = event.side
        self.first = self.last = self.began = place  # `first` is earlier if a merged turn precedes this one
        self.specials: list[Fact] = []
        self.timeline: list[Fact] = []  # the facts about the turn, in the order of events
        self.attack: dict[str, FactValue] = {}  # fields about the declared attack, if any
        self.columns = [0, 0]  # number of cards in each column
        self.totals = [0, 0]
        self.start = [0, 0]  # the totals at the start of the attack
        self.deficits = [0, 0]  # each side's largest deficit during the attack, in points
        self.result: Fact | None = None
        self.has_aftermath = False
        self.winner = NOBODY
        self.moved = 0  # number of cards that the attack cost, without the price of a retreat
        self.price = 0  # number of cards taken from the hand or put under the deck for a retreat
        self.lull: Fact | None = None
        self.is_merged = False  # True if the next fact about a lull also reports this turn's SEVEN
        self.monsters = [0, 0]  # number of monsters on each battlefield after the turn
        self.has_deck = [True, True]  # whether a deck had cards before the turn, and after the turn
        self.scores: list[int] = []
        self.before: list[int] = []  # the score of each side before the turn
        self.quiet: list[list[int]] = []  # the scores after each quiet turn directly after this one
        self.had = [0, 0]  # number of monsters on each battlefield before the turn
        self.added: list[tuple[int, int, list[int]]] = []  # side, card and totals of each card added
        self.lost: list[int] = []  # cards that the loser of the attack lost
        self.prizes: list[int] = []  # the lost cards that the winner of the attack got
        self.target = NOBODY
        self.returned: list[int] = []  # cards that the active side returned before an attack
        self.is_all_fight = True  # True if only an attack changed a score
        self.ends_with_switch = False  # True if nothing after a SWITCH in this turn could change a score
        self.is_unforced = False  # True if the loser gave way although its total was the higher one
        self.glimpse: Fact | None = None  # the most remarkable fact about the turn, if any

    @property
    def is_eventful(self) -> bool:
        return bool(self.specials) or self.result is not None

    def see_fields(self, event: Event) -> None:
        """Store the sizes of the battlefields after the turn, and whether a deck still has cards."""
        fields = event.fields["battlefields"]
        assert isinstance(fields, list)
        self.monsters = [len(cards) for cards in fields]
        self.has_deck[1] = any(numbers(event, "deck_sizes"))

    @property
    def lone_seven(self) -> Fact | None:
        """A fact about the special move SEVEN in the turn, or None if the turn had other events."""
        is_alone = self.result is None and [fact.kind for fact in self.specials] == ["seven"]
        return self.specials[0] if is_alone else None

    def answered(self) -> Fact | None:
        """Return a fact if each side made one of the special moves in a turn without an attack.

        Otherwise, return None.
        """
        if self.result is not None or len(self.specials) != 2:
            return None
        first, second = self.specials
        if seat_of(first) == seat_of(second):
            return None
        names = ["SEVEN" if fact.kind.startswith("seven") else "SWITCH" for fact in self.specials]
        fields: dict[str, FactValue] = {
            "side": second.fields["side"], "rival": second.fields["rival"], "turn": self.number,
            "first": names[0], "second": names[1],
        }  # fmt: skip
        paid = {"theirs": first, "paid": second}
        fields |= {name: fact.fields["paid"] for name, fact in paid.items() if "paid" in fact.fields}
        is_swapped = second.fields.get("hoard") == 0 and second.fields.get("got") == first.fields["cost"]
        is_seven = names[0] == "SEVEN"
        fields |= conditions(swapped=is_seven and is_swapped, seven_first=is_seven, switch_first=not is_seven)
        return Fact("answered", fields)

    @property
    def switch(self) -> Fact | None:
        """A fact about the special move SWITCH in the turn, or None if its side gained no points by it."""
        return next((fact for fact in self.specials if fact.kind == "switch"), None)

    def take(self, event: Event) -> None:
        if event.kind == "switched":
            self.ends_with_switch = True
        elif event.kind in SCORING:
            self.ends_with_switch = False
        if event.kind in (*SCORING, "called_seven", "switched") and event.kind != "attacked":
            self.is_all_fight = False
        taker: Callable[[Event], None] | None = getattr(self, f"on_{event.kind}", None)
        if taker is not None:
            taker(event)

    def on_returned(self, event: Event) -> None:
        """Store a card that the active side returned to its battlefield before an attack."""
        if not self.attack:
            self.returned.append(number(event, "card"))

    def take_back(self, following: Sequence[Turn]) -> None:
        """Add the field `back` to a SEVEN if its side returned both paid cards in its next turn."""
        for at, seven in enumerate(self.specials):
            side, paid = seat_of(seven), seven.fields.get("paid")
            after = next((turn for turn in following if turn.active == side), None)
            if seven.kind != "seven" or after is None or not isinstance(paid, list):
                continue
            if {*paid} <= {card_of(card) for card in after.returned}:
                self.specials[at] = seven._replace(fields={**seven.fields, "back": after.number})
                self.timeline[self.timeline.index(seven)] = self.specials[at]

    def on_attacked(self, event: Event) -> None:
        """Store the attacker, its card and its target.

        If the attacker captured its card in an earlier turn, the field `since` is the number of that turn.
        """
        self.columns = [1, 1]
        self.totals = [VALUES[number(event, "target")]] * 2
        self.totals[event.side] = VALUES[number(event, "card")]
        self.start = self.totals
        card, target = number(event, "card"), number(event, "target")
        self.attack = {
            "side": Name(event.side), "rival": Name(1 - event.side), "turn": self.number,
            "card": card_of(card), "target": card_of(target),
            **conditions(small=VALUES[card] <= SMALL and VALUES[target] >= GREAT),
        }  # fmt: skip
        self.target = target
        captor, turn = self.owners.captured.get(card, (NOBODY, 0))
        if captor == event.side and turn < self.number:
            self.attack["since"] = turn
            self.owners.forget([card])  # a story mentions the capture of a card only once

    def on_countered(self, event: Event) -> None:
        """Count a card that joins a column, and update the totals and each side's largest deficit."""
        self.columns[event.side] += 1
        self.totals = numbers(event, "totals")
        card = number(event, "drawn" if event.kind == "recalled" else "card")
        self.added.append((event.side, card, self.totals))
        for side in (0, 1):
            self.deficits[side] = max(self.deficits[side], self.totals[1 - side] - self.totals[side])

    on_recalled = on_countered

    def on_won(self, event: Event) -> None:
        """Store the result of the attack.

        The winner is the side with the higher total, or the defender if the totals are equal.
        """
        totals = numbers(event, "totals")
        self.lost = lost = numbers(event, "cards")
        fields = self.fields(event.side, len(lost))
        fields |= {
            "mine": Points(totals[event.side]), "other": Points(totals[1 - event.side]),
            **conditions(
                quick=sum(self.columns) <= QUICK, unanswered=self.columns[1 - event.side] == 1,
            ),
        }  # fmt: skip
        role = "attack" if event.side == self.active else "defence"
        if event.fields["rout"]:
            self.prizes = lost
            kind = f"rout_{role}"
        elif totals[0] == totals[1]:
            kind = "won_tie"
        else:
            kind = f"{'long' if sum(self.columns) >= LONG else 'won'}_{role}"
        self.end_attack(kind, fields)
        if clinched := self.clinched():
            self.add_aftermath(clinched)
        if self.deficits[event.side] >= BEHIND:
            self.add_aftermath(Fact("had_trailed", {**fields, "deficit": self.deficits[event.side]}))

    def clinched(self) -> Fact | None:
        """If the last card decided the attack, return a fact about this, and otherwise None."""
        if len(self.added) < 2 or self.result is None or "mine" not in self.result.fields:
            return None
        side, card, totals = self.added[-1]
        before = self.added[-2][2]
        if totals[side] != self.result.fields["mine"] or before[1 - side] != self.result.fields["other"]:
            return None
        if side != self.winner or before[side] >= before[1 - side]:
            return None
        was: dict[str, FactValue] = {"was": Points(before[side]), "last": card_of(card)}
        return Fact("clinched", {**self.result.fields, **was})

    def prize_fact(self) -> Fact | None:
        """Return a fact that says which high cards changed sides in the attack, or None."""
        assert self.result is not None
        high = sorted((card for card in self.prizes if VALUES[card] >= GREAT), key=lambda card: -VALUES[card])
        if not high or high == [self.target]:
            return None
        prizes = [card_of(card) for card in high[:PRIZES]]
        is_mixed = len(self.prizes) > len(prizes)
        return Fact(
            "captured",
            {**self.result.fields, "prizes": prizes, **conditions(among=is_mixed, whole=not is_mixed)},
        )

    def end_attack(self, kind: str, fields: dict[str, FactValue]) -> None:
        """Store facts about the attack and its result."""
        self.result = Fact(kind, fields)
        self.attack |= conditions(able=all(map(self.is_able, (0, 1))))
        attack = Fact("attack_captured" if "since" in self.attack else "attack", self.attack)
        self.timeline += [attack, *self.course(is_fought_out=kind.startswith("won_")), self.result]

    def is_able(self, side: int) -> bool:
        """Return True if a side had a card to add: it added one to its column, or had free monsters."""
        return self.columns[side] > 1 or (self.had[side] > 1 and not self.specials)

    def course(self, *, is_fought_out: bool) -> Iterator[Fact]:
        """Yield a fact about the course of the attack, if several cards were added in turn.

        The cards of a short attack matter only if it was fought out.
        """
        fields: dict[str, FactValue] = {name: self.attack[name] for name in ("side", "rival")}
        if sum(self.columns) >= LONG:
            course = [self.start, *(totals for _, _, totals in self.added)]
            leads = [totals[0] > totals[1] for totals in course if totals[0] != totals[1]]
            changes = sum(lead != after for lead, after in pairwise(leads))
            if changes >= SEESAW:
                yield Fact("seesaw", {**fields, "changes": changes})
        elif is_fought_out and len(self.added) > 1 and self.added[0][0] != self.active == self.added[1][0]:
            cards: dict[str, FactValue] = {
                name: card_of(card)
                for name, (_, card, _) in zip(("reply", "second"), self.added, strict=False)
            }
            if rank_of(cards["reply"]) != rank_of(cards["second"]):
                only = conditions(only=len(self.added) == len(cards))
                yield Fact("replies", {**fields, **cards, **only})

    def add_aftermath(self, fact: Fact) -> None:
        """Store the first remarkable consequence of the attack, and ignore later ones."""
        if not self.has_aftermath:
            self.timeline.append(fact)
        self.has_aftermath = True

    def on_retreated(self, event: Event) -> None:
        """Store a retreat as a win of the other side. Later events add the cost of the retreat."""
        self.lost = numbers(event, "cards")
        lost = len(self.lost)
        fields = self.fields(1 - event.side, lost)
        if not lost:
            self.end_attack("retreat_free", fields)
            self.add_unforced(1 - event.side)
            return
        kind = f"{'mass_' if lost >= LONG else ''}retreat_{self.loser_role()}"
        self.end_attack(kind, {**fields, "discarded": lost, **conditions(unpriced=True)})
        self.add_unforced(1 - event.side)

    def add_unforced(self, winner: int) -> None:
        """If the loser of an attack was ahead when it gave up, add a fact about this."""
        mine, theirs = self.totals[winner], self.totals[1 - winner]
        self.is_unforced = theirs > mine
        if self.is_unforced:
            names: dict[str, FactValue] = {"side": Name(winner), "rival": Name(1 - winner)}
            totals: dict[str, FactValue] = {"mine": Points(mine), "other": Points(theirs)}
            kind = "bluffed" if self.columns[1 - winner] == 1 else "unforced"
            self.add_aftermath(Fact(kind, {**names, **totals}))

    def loser_role(self) -> str:
        return "defender" if self.winner == self.active else "attacker"

    def on_buried(self, _: Event) -> None:
        """Count a card that went under the deck, which is part of the cost of a retreat."""
        self.add_to_price()

    def add_to_price(self) -> None:
        """Add one card to the cost of a retreat."""
        retreat = self.result
        assert retreat is not None
        self.price += 1
        kind = f"retreat_{self.loser_role()}" if retreat.kind == "retreat_free" else retreat.kind
        fields = {name: value for name, value in retreat.fields.items() if name != "unpriced"}
        self.result = Fact(kind, {**fields, "count": self.moved + self.price})
        self.timeline[self.timeline.index(retreat)] = self.result

    def on_surrendered(self, event: Event) -> None:
        """Store a surrender. The other side then gets the cards in the column of the loser."""
        role = "attacker" if event.side == self.active else "defender"
        self.prizes = self.lost = numbers(event, "cards")
        fields = self.fields(1 - event.side, len(self.prizes))
        counts = conditions(single=len(self.prizes) == 1, several=len(self.prizes) > 1)
        self.end_attack(f"surrender_{role}", fields | counts)
        self.add_unforced(1 - event.side)

    def on_took(self, event: Event) -> None:
        """Count a card that the winner took from the shown hand, which is part of the cost of a retreat.

        If the card is a court card or an Ace, add a fact that names the card.
        """
        self.add_to_price()
        card = number(event, "card")
        if VALUES[card] >= COURT:
            fields: dict[str, FactValue] = {"side": Name(event.side), "rival": Name(1 - event.side)}
            self.add_aftermath(Fact("took_card", {**fields, "card": card_of(card)}))

    def on_compensated(self, event: Event) -> None:
        """If the loser of an attack drew many cards, store the number of these cards."""
        drawn = number(event, "count")
        if drawn >= DRAWN:
            fields: dict[str, FactValue] = {"side": Name(event.side), "rival": Name(1 - event.side)}
            self.add_aftermath(Fact("drew_back", {**fields, "count": drawn}))

    def add_special(self, fact: Fact) -> None:
        self.specials.append(fact)
        self.timeline.append(fact)

    def on_seven_drawn(self, event: Event) -> None:
        """Store the number of cards that a side drew with the special move SEVEN."""
        seven = self.specials.pop()
        counted = seven._replace(fields={**seven.fields, "count": number(event, "count")})
        self.specials.append(counted)
        self.timeline[self.timeline.index(seven)] = counted

    def fields(self, winner: int, lost: int) -> dict[str, FactValue]:
        """Return the fields of an attack's result, from the point of view of the side that did better."""
        self.winner, self.moved = winner, lost
        return {
            "side": Name(winner), "rival": Name(1 - winner), "turn": self.number, "count": lost,
            "thrown": sum(self.columns), "added": sum(self.columns) - 2,
            **{name: self.attack[name] for name in ATTACK if name in self.attack},
        }  # fmt: skip

    def facts(self, *, has_lull: bool = True) -> list[Fact]:
        """Return the facts about the turn, with or without the quiet turns before it.

        The number of the turn is kept only in the first fact that mentions it.
        """
        facts = [self.lull] if self.lull is not None and has_lull else []
        is_named = False
        prize = self.prize_fact() if self.prizes and not self.has_aftermath else None
        for fact in [*self.timeline, *([prize] if prize else [])]:
            fields = {name: value for name, value in fact.fields.items() if name != "turn" or not is_named}
            facts.append(fact._replace(fields={**fields, **conditions(then=is_named)}))
            is_named = is_named or fact.kind in ATTACKS or fact in self.specials
        return facts

    def short(self) -> Fact:
        if self.glimpse is not None:
            return self.glimpse
        if self.result is None or self.switch is not None:
            return self.switch_in_vain() or self.switch or self.specials[0]
        return Fact(f"short_{self.result.kind.removeprefix('mass_')}", self.result.fields)

    def switch_in_vain(self) -> Fact | None:
        """Return a fact if a SWITCH gained points, but its side was still behind afterwards.

        Otherwise, return None. `was` is the enemy's lead just before the SWITCH, and `behind` its lead after.
        """
        if self.switch is None or not self.scores or not self.ends_with_switch:
            return None
        side, fields = seat_of(self.switch), self.switch.fields
        behind, closed = self.scores[1 - side] - self.scores[side], fields.get("closed")
        if behind <= 0 or not isinstance(closed, int):
            return None
        return Fact("switch_vain", {**fields, "was": Points(behind + closed), "behind": Points(behind)})

    def glimpses(self) -> Iterator[Fact]:
        """Yield the remarkable facts about the turn, beginning with the most remarkable one."""
        if self.switch is not None and self.result is None and self.has_turned(self.switch):
            yield Fact("glimpse_switch", {**self.switch.fields, **self.scored(seat_of(self.switch))})
        if self.result is None or self.specials:
            return
        fields = self.result.fields
        if clinched := self.clinched():
            yield Fact("glimpse_clinched", clinched.fields)
        gap = abs(self.totals[0] - self.totals[1])
        if self.winner != self.active and "mine" in fields and 0 < gap <= HAIR:
            yield Fact("glimpse_failed", {**fields, "short": gap})
        if "since" in fields and self.winner == self.active:
            yield Fact("glimpse_turncoat", fields)
        if "small" in fields and self.winner == self.active and self.target in self.lost:
            yield Fact("glimpse_giant", {**fields, **conditions(lone=self.columns[self.active] == 1)})
        if prize := self.prize_fact():
            yield Fact("glimpse_captured", prize.fields)
        is_swept = self.winner != NOBODY and self.had[1 - self.winner] >= SWEPT
        if is_swept and not self.monsters[1 - self.winner]:
            yield Fact("glimpse_emptied", fields)

    @property
    def drama(self) -> int:
        """The weight of the most remarkable fact about the turn."""
        return DRAMA[self.glimpse.kind] if self.glimpse is not None else 0

    def has_turned(self, switch: Fact) -> bool:
        """Return True if the side that made a SWITCH was behind before the turn and is ahead after it."""
        side = seat_of(switch)
        return (
            bool(self.before and self.scores)
            and self.before[side] < self.before[1 - side]
            and self.scores[side] > self.scores[1 - side]
        )

    def scored(self, side: int) -> dict[str, FactValue]:
        """Return the scores of a side and its enemy, before the turn and after it."""
        return {
            "was": Points(self.before[side]), "theirs_was": Points(self.before[1 - side]),
            "now": Points(self.scores[side]), "theirs_now": Points(self.scores[1 - side]),
        }  # fmt: skip

    def weight(self, everything: int) -> int:
        """Return how remarkable the turn is: by its lost cards, special moves and other events."""
        weight = min(45, 120 * self.moved // max(1, everything))
        weight += max((15 if fact.kind.startswith("seven") else 25 for fact in self.specials), default=0)
        weight += SWITCHED if self.switch is not None else 0
        weight += self.drama
        weight += min(25, self.swing() // 4)
        return weight + (15 if self.result is not None and self.result.kind.startswith("rout") else 0)

    def swing(self) -> int:
        """Return the number of points by which the turn changed the lead."""
        if not self.before or not self.scores:
            return 0
        return abs(self.scores[0] - self.scores[1] - self.before[0] + self.before[1])

    def episode(self, everything: int) -> Episode:
        winners = [] if self.winner == NOBODY else [self.winner]
        facts = self.facts()
        is_merged = self.first < self.began and facts[0] == self.lull
        moments = [self.first, *(self.began for _ in facts[1:])] if is_merged else []
        return Episode(
            facts, self.short(), winners, self.scores, self.first, self.last, self.weight(everything),
            before=self.before, course=[self.scores, *self.quiet], moments=moments,
        )  # fmt: skip


def seat_of(fact: Fact) -> int:
    name = fact.fields["side"]
    assert isinstance(name, Name)
    return name.seat


def card_of(card: int) -> Card:
    return Card(card_text(card))


def rank_of(card: FactValue) -> str:
    assert isinstance(card, Card)
    return card.text[:-1]

"""The facts for a story of a battle of Field of Honour, from the events that its reader saw."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import card_text
from cardbattle.core.telling import Card, Episode, Fact, FactValue, Name, Plot, number, numbers
from cardbattle.rules.field_of_honour.battle import (
    DISCARD,
    DOUBLE,
    DRAW,
    DRAWN,
    RALLY,
    REDEPLOY,
    SPACES,
    SWAP,
)

POWERS = {
    DRAW: "draw",
    DISCARD: "discard",
    RALLY: "rally",
    REDEPLOY: "redeploy",
    SWAP: "swap",
    DOUBLE: "double",
}
CLOSE, WIDE = 1, 4  # largest close margin and smallest wide margin in a space


class Special:
    """A special that was played: its player, its effect, and the values after it."""

    def __init__(self, side: int, card: int, power: int, question: int) -> None:
        self.side = side
        self.card = card
        self.power = power
        self.question = question
        self.before: list[int] = []
        self.after: list[int] = []
        self.count = 0
        self.lost = NOBODY  # the card that an Ace took out of the enemy's hand

    @property
    def effect(self) -> str:
        """The effect of the special on the space, seen from its side."""
        mine, other = self.side, 1 - self.side
        was = self.before[mine] - self.before[other]
        now = self.after[mine] - self.after[other]
        if now > 0:
            return "leads" if was <= 0 else "more"
        if now == 0:
            return "levels" if was < 0 else "holds"
        return "short"


class Space:
    """The fight for one space: values when turned up, specials, and the result."""

    def __init__(self, event: Event, place: int) -> None:
        self.number = number(event, "space")
        self.values = numbers(event, "values")
        self.contents: list[list[int]] = event.fields["contents"]  # type: ignore[assignment]
        self.specials: list[Special] = []
        self.first = self.last = place
        self.holder = NOBODY
        self.final: list[int] = []
        self.held: list[int] = []

    def take(self, event: Event) -> None:
        """Update the space with an event."""
        if event.kind == "played":
            special = Special(
                event.side, number(event, "card"), number(event, "power"), number(event, "question")
            )
            special.before = special.after = self.specials[-1].after if self.specials else self.values
            self.specials.append(special)
        elif event.kind in ("rallied", "doubled", "swapped", "redeployed"):
            self.specials[-1].after = numbers(event, "values")
        elif event.kind == "drew":
            self.specials[-1].count = number(event, "number")
        elif event.kind == "discarded":
            self.specials[-1].lost = number(event, "card")

    def fields(self, side: int, values: Sequence[int]) -> dict[str, FactValue]:
        """Return the fields of a fact about this space, seen from a side."""
        mine, other = values[side], values[1 - side]
        return {
            "side": Name(side),
            "rival": Name(1 - side),
            "space": self.number,
            "mine": mine,
            "other": other,
            "margin": abs(mine - other),
        }

    def cards(self, side: int) -> dict[str, FactValue]:
        """Return the cards turned up, seen from a side."""
        own, enemy = ([Card(card_text(card)) for card in self.contents[seat]] for seat in (side, 1 - side))
        return {"cards": own, "rivals_cards": enemy}

    def facts(self) -> list[Fact]:
        """Return the facts about the space, at length."""
        if not self.specials:
            return [self.plain()]
        return [self.turned_up(), *self.exchanges(), self.settled()]

    def is_decided(self) -> bool:
        """Return True if the spaces left are too few to change the winner."""
        return abs(self.held[0] - self.held[1]) > SPACES - self.number

    def standing(self, side: int) -> dict[str, FactValue]:
        """Return the spaces held after this one, in fields that name the leader."""
        mine, other = self.held[side], self.held[1 - side]
        if mine == other:
            return {"even": mine}
        return {"lead": mine, "behind": other} if mine > other else {"trail": mine, "ahead": other}

    def plain(self) -> Fact:
        """Return the fact about a space without specials."""
        if self.holder == NOBODY:
            return Fact("plain_level", {**self.fields(0, self.final), **self.cards(0)})
        fields = self.fields(self.holder, self.final)
        margin = self.final[self.holder] - self.final[1 - self.holder]
        kind = "plain_close" if margin <= CLOSE else "plain_wide" if margin >= WIDE else "plain_held"
        return Fact(kind, {**fields, **self.cards(self.holder)})

    def turned_up(self) -> Fact:
        """Return the fact about the values at which the cards were turned up."""
        first, second = self.values
        if first == second:
            return Fact("shown_level", {**self.fields(0, self.values), **self.cards(0)})
        ahead = 0 if first > second else 1
        kind = "shown_close" if abs(first - second) <= CLOSE else "shown_ahead"
        return Fact(kind, {**self.fields(ahead, self.values), **self.cards(ahead)})

    def exchanges(self) -> list[Fact]:
        """Return the facts about the specials; a special and an answer of the same kind are one fact."""
        facts: list[Fact] = []
        at = 0
        while at < len(self.specials):
            special = self.specials[at]
            answer = self.specials[at + 1] if at + 1 < len(self.specials) else None
            if answer is not None and answer.side != special.side and self.is_answer(special, answer):
                facts.append(self.answered(special, answer))
                at += 2
            elif special.power == DRAW and answer is not None and answer.question == DRAWN:
                facts.append(self.drawn(special, answer))
                at += 2
            else:
                facts.append(self.special(special))
                at += 1
        return facts

    def is_answer(self, special: Special, answer: Special) -> bool:
        """Return True if a special did the same as the one before it, for the other side."""
        return special.power == answer.power and special.power in (SWAP, DOUBLE) and answer.question != DRAWN

    def answered(self, special: Special, answer: Special) -> Fact:
        kind = "swap_answered" if special.power == SWAP else f"double_answered_{answer.effect}"
        return Fact(
            kind,
            self.special(answer).fields
            | {  # type: ignore[operator]
                "card": Card(card_text(special.card)),
                "answer": Card(card_text(answer.card)),
                "first": special.after[special.side],
            },
        )

    def special(self, special: Special) -> Fact:
        """Return the fact about one special."""
        name = POWERS[special.power]
        fields = self.fields(special.side, special.after)
        fields["card"] = Card(card_text(special.card))
        if special.power == DRAW:
            return Fact("draw", {**fields, "count": special.count})
        if special.power == DISCARD:
            return Fact("discard", {**fields, "lost": Card(card_text(special.lost))})
        return Fact(f"{name}_{special.effect}", fields)

    def drawn(self, draw: Special, played: Special) -> Fact:
        """Return the fact about a card that was drawn and played at once."""
        fields = self.special(played).fields
        effect = "idle" if played.power in (DRAW, DISCARD) else played.effect
        return Fact(
            f"drawn_{effect}",
            {**fields, "card": Card(card_text(draw.card)), "drawn": Card(card_text(played.card))},
        )

    def settled(self) -> Fact:
        """Return the fact about the holder of the space after the specials."""
        if self.holder == NOBODY:
            return Fact("settled_level", self.fields(0, self.final))
        return Fact("settled_held", {**self.fields(self.holder, self.final), **self.standing(self.holder)})

    def short(self) -> Fact:
        """Return the space as one fact."""
        if not self.specials:
            return self.plain()
        if self.holder == NOBODY:
            return Fact("fought_level", {**self.fields(0, self.final), "count": len(self.specials)})
        last = self.specials[-1]
        fields = {**self.fields(self.holder, self.final), "count": len(self.specials)}
        if len(self.specials) == 1 and last.side == self.holder and last.effect == "leads":
            return Fact(f"won_by_{POWERS[last.power]}", {**fields, "card": Card(card_text(last.card))})
        if len(self.specials) == 1:
            return Fact("fought_off", {**fields, "card": Card(card_text(last.card))})
        return Fact("fought_held", fields)

    def weight(self) -> int:
        """Return how remarkable the space is: specials, a change of the lead, a narrow result."""
        changes = sum(special.effect in ("leads", "levels") for special in self.specials)
        weight = min(40, 8 * len(self.specials)) + min(30, 10 * changes)
        if self.holder != NOBODY:
            weight += 10 if abs(self.final[0] - self.final[1]) <= CLOSE else 5
            weight += 15 if self.values[self.holder] < self.values[1 - self.holder] else 0
        return weight

    def episode(self, is_over: bool) -> Episode:
        """Return the space as an episode; `is_over` means that the battle was decided before it."""
        winners = [] if self.holder == NOBODY else [self.holder]
        facts, weight = self.facts(), self.weight()
        if not is_over and self.is_decided() and self.number < SPACES:
            ahead = 0 if self.held[0] > self.held[1] else 1
            left = SPACES - self.number
            facts.append(Fact("clinched", {"side": Name(ahead), "rival": Name(1 - ahead), "left": left}))
            weight += 20
        return Episode(
            facts, self.short(), winners, self.held, self.first, self.last, weight // 4 if is_over else weight
        )


def plot(events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the armies, each space, and the end."""
    opening: list[Fact] = []
    spaces: list[Space] = []
    ending: list[Fact] = []
    for place, event in enumerate(events):
        if event.kind == "dealt":
            opening += hands(numbers(event, "hands"))
        elif event.kind == "revealed":
            spaces.append(Space(event, place))
        elif event.kind == "settled":
            space = spaces[-1]
            space.holder, space.final = number(event, "holder"), numbers(event, "values")
            space.held, space.last = numbers(event, "held"), place
        elif event.kind == "ended":
            ending += end(numbers(event, "held"))
        elif spaces:
            spaces[-1].take(event)
    decided = [space.is_decided() for space in spaces]
    episodes = [space.episode(any(decided[:at])) for at, space in enumerate(spaces)]
    return Plot(opening, episodes, ending)


def hands(sizes: Sequence[int]) -> list[Fact]:
    """Return the story fact that says which side has fewer cards, or that both have the same number."""
    if sizes[0] == sizes[1]:
        return [Fact("hands_even", {"side": Name(0), "rival": Name(1), "count": sizes[0]})]
    few = 0 if sizes[0] < sizes[1] else 1
    fields: dict[str, FactValue] = {
        "side": Name(few),
        "rival": Name(1 - few),
        "count": sizes[few],
        "more": sizes[1 - few],
    }
    return [Fact("hands_unequal", fields)]


def end(held: Sequence[int]) -> list[Fact]:
    """Return the facts about the end of the battle."""
    if held[0] == held[1]:
        return [
            Fact(
                "end_level" if held[0] else "end_empty", {"side": Name(0), "rival": Name(1), "held": held[0]}
            )
        ]
    winner = 0 if held[0] > held[1] else 1
    won, lost = held[winner], held[1 - winner]
    kind = "end_rout" if not lost and won >= 3 else "end_close" if won - lost == 1 else "end_won"
    fields: dict[str, FactValue] = {
        "side": Name(winner), "rival": Name(1 - winner), "held": won, "lost": lost,
        "level": SPACES - won - lost,
    }  # fmt: skip
    return [Fact(kind, fields)]

"""Collect the facts about the fight for one space, for a story of a battle of Field of Honour."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import JOKERS, card_text, rank_of
from cardbattle.core.telling import (
    Card,
    Episode,
    Fact,
    FactValue,
    Name,
    conditions,
    number,
    numbers,
    standing,
)
from cardbattle.rules.field_of_honour.battle import (
    DISCARD,
    DOUBLE,
    DRAW,
    DRAWN,
    RALLY,
    REDEPLOY,
    REDEPLOY_BACK,
    SPACES,
    SWAP,
)

POWERS = {
    DRAW: "draw",
    DISCARD: "discard",
    RALLY: "rally",
    REDEPLOY: "redeploy",
    REDEPLOY_BACK: "redeploy_back",
    SWAP: "swap",
    DOUBLE: "double",
}
CLOSE, WIDE = 1, 4  # the largest difference of close values, and the smallest difference of values far apart
LITTLE = 3  # values up to this one count as next to nothing


class Special:
    """A special that was played: its player, its effect, and the values before and after it."""

    def __init__(self, side: int, card: int, power: int, question: int) -> None:
        self.side = side
        self.card = card
        self.power = power
        self.question = question
        self.before: list[int] = []
        self.after: list[int] = []
        self.count = 0
        self.lost = NOBODY  # the card that an Ace took out of the enemy's hand
        self.came: list[int] = []  # cards that a King brought from an adjacent space
        self.sent: list[int] = []

    @property
    def leads(self) -> tuple[int, int]:
        """The lead of the side that played the special in this space, before and after the special."""
        mine, theirs = self.side, 1 - self.side
        return self.before[mine] - self.before[theirs], self.after[mine] - self.after[theirs]

    @property
    def effect(self) -> str:
        """The effect of the special on the space, from the point of view of the side that played it."""
        was, now = self.leads
        if now > 0:
            return "leads" if was <= 0 else "more"
        if now == 0 and was <= 0:
            return "levels" if was < 0 else "holds"
        return "short" if was < 0 else "loses"

    @property
    def changes_values(self) -> bool:
        """True if the special can change a value. An Ace moves cards, but changes no value."""
        return self.power not in (DRAW, DISCARD)

    @property
    def more(self) -> dict[str, FactValue]:
        """Additional fields about the special: the cards that it exchanged, and what it changed."""
        was, now = self.leads
        mine = self.after[self.side] - self.before[self.side]
        fields: dict[str, FactValue] = {
            "card": Card(card_text(self.card)),
            **conditions(
                passed=was < 0 < now, tied=was == 0, better=mine > 0, worse=mine < 0, same=mine == 0,
            ),
        }  # fmt: skip
        for name, cards in (("came", self.came), ("sent", self.sent)):
            if cards:
                fields[name] = [Card(card_text(card)) for card in cards]
        return fields


class Space:
    """The fight for one space: the values when its cards are turned up, the specials, and the result."""

    def __init__(self, event: Event, place: int) -> None:
        self.number = number(event, "space")
        self.values = numbers(event, "values")
        self.contents: list[list[int]] = event.fields["contents"]  # type: ignore[assignment]
        self.attached: list[list[int]] = event.fields["attached"]  # type: ignore[assignment]
        self.specials: list[Special] = []
        self.first = self.last = place
        self.holder = NOBODY
        self.final: list[int] = []
        self.held: list[int] = []

    def take(self, event: Event) -> None:
        if event.kind == "played":
            special = Special(
                event.side, number(event, "card"), number(event, "power"), number(event, "question")
            )
            special.before = special.after = self.specials[-1].after if self.specials else self.values
            self.specials.append(special)
        elif event.kind in ("rallied", "doubled", "swapped", "redeployed", "redeployed_back"):
            self.specials[-1].after = numbers(event, "values")
            if event.kind.startswith("redeployed"):
                self.specials[-1].came = numbers(event, "came")
                self.specials[-1].sent = numbers(event, "sent")
        elif event.kind == "drew":
            self.specials[-1].count = number(event, "number")
        elif event.kind == "discarded":
            self.specials[-1].lost = number(event, "card")

    def fields(self, side: int, values: Sequence[int]) -> dict[str, FactValue]:
        """Return the fields of a fact about this space from the point of view of `side`."""
        mine, theirs = values[side], values[1 - side]
        return {
            "side": Name(side),
            "rival": Name(1 - side),
            "space": self.number,
            "mine": mine,
            "other": theirs,
        }

    def cards(self, side: int) -> dict[str, FactValue]:
        """Return a field with the cards that were turned up, from the point of view of `side`.

        If specials are already attached to the cards, the result is empty.
        """
        if any(self.attached):
            return {}
        own, enemy = ([Card(card_text(card)) for card in self.contents[seat]] for seat in (side, 1 - side))
        return {"cards": own, "rivals_cards": enemy}

    def facts(self) -> list[Fact]:
        """Return the facts for a detailed story of the space."""
        if not self.specials:
            return [self.plain()]
        return [self.turned_up(), *self.exchanges(), self.settled()]

    def is_decided(self) -> bool:
        """Return True if the remaining spaces are too few to change the winner."""
        return abs(self.held[0] - self.held[1]) > SPACES - self.number

    def plain(self) -> Fact:
        """Return the fact about a space in which no special was played."""
        if self.holder == NOBODY:
            return Fact("plain_level", {**self.fields(0, self.final), **self.cards(0)})
        fields = self.fields(self.holder, self.final)
        margin = self.final[self.holder] - self.final[1 - self.holder]
        fields |= conditions(little=self.final[1 - self.holder] <= LITTLE)
        jokers = [card for card in self.contents[self.holder] if card in JOKERS]
        if jokers:
            fields["joker"] = Card(card_text(jokers[0]))
        kind = "plain_close" if margin <= CLOSE else "plain_wide" if margin >= WIDE else "plain_held"
        return Fact(kind, {**fields, **self.cards(self.holder)})

    def turned_up(self) -> Fact:
        """Return the fact about the values when the cards were turned up."""
        first, second = self.values
        if first == second:
            decided = conditions(decided=self.holder != NOBODY)
            return Fact("shown_level", {**self.fields(0, self.values), **self.cards(0), **decided})
        ahead = 0 if first > second else 1
        kind = "shown_close" if abs(first - second) <= CLOSE else "shown_ahead"
        wide = conditions(wide=abs(first - second) >= WIDE)
        return Fact(kind, {**self.fields(ahead, self.values), **self.cards(ahead), **wide})

    def exchanges(self) -> list[Fact]:
        """Return the facts about the specials.

        If the enemy answers a special with a special of the same kind, the two specials become one fact.
        """
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
        """Return True if `answer` repeats the swap or double of `special` for the other side."""
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
                **conditions(
                    alike=rank_of(special.card) == rank_of(answer.card), won=special.effect == "leads"
                ),
            },
        )

    def special(self, special: Special) -> Fact:
        name = POWERS[special.power]
        fields = self.fields(special.side, special.after) | special.more
        if special.power == DRAW:
            is_last = special is self.specials[-1]
            return Fact("draw", {**fields, "count": special.count, **conditions(last=is_last)})
        if special.power == DISCARD:
            return Fact("discard", {**fields, "lost": Card(card_text(special.lost))})
        return Fact(f"{name}_{special.effect}", fields)

    def drawn(self, draw: Special, played: Special) -> Fact:
        """Return the fact about a card that was drawn with an Ace and played at once."""
        fields = self.special(played).fields
        effect = played.effect if played.changes_values else "idle"
        return Fact(
            f"drawn_{effect}",
            {
                **fields, "card": Card(card_text(draw.card)), "drawn": Card(card_text(played.card)),
                **conditions(**{POWERS[played.power]: True}, kept=played.power != SWAP),
            },
        )  # fmt: skip

    def settled(self) -> Fact:
        """Return the fact that says which side holds the space after the specials.

        The values are left out, because earlier facts state them. The score is left out after the last space.
        """
        last = self.specials[-1]
        seat = max(self.holder, 0)
        fields = self.fields(seat, self.final)
        del fields["mine"], fields["other"]
        if self.holder == NOBODY:
            count: dict[str, FactValue] = {"count": len(self.specials)} if len(self.specials) > 1 else {}
            return Fact("settled_level", {**fields, **count, **conditions(idle=self.is_idle)})
        is_last_word = last.side == self.holder
        fields |= conditions(
            unanswered=is_last_word,
            answered=not is_last_word and last.changes_values and last.effect == "short",
            enough=is_last_word and last.changes_values,
            final=self.number == SPACES,
            more=self.held[self.holder] > 1,
        )
        if self.number < SPACES:
            fields |= standing(self.held, self.holder)
        return Fact("settled_held", fields)

    @property
    def is_idle(self) -> bool:
        """True if the values were equal at first, and no special drew or discarded a card."""
        return self.values[0] == self.values[1] and all(special.changes_values for special in self.specials)

    def short(self) -> Fact:
        if not self.specials:
            return self.plain()
        count, changes = len(self.specials), [each for each in self.specials if each.changes_values]
        if count == 1:
            return self.short_of_one(self.specials[0])
        if self.holder == NOBODY:
            idle = conditions(idle=self.is_idle)
            return Fact("fought_level", {**self.fields(0, self.final), "count": count, **idle})
        draw, drawn = self.specials[0], self.specials[-1]
        if count == 2 and drawn.question == DRAWN and self.holder == drawn.side and drawn.effect == "leads":
            fields = self.drawn(draw, drawn).fields
            return Fact("won_by_drawn", fields)
        if len(changes) == 1:
            return self.short_of_one(changes[0])
        if len(changes) == 2 and [each.side for each in changes] == [1 - self.holder, self.holder]:
            answered: dict[str, FactValue] = {
                "card": Card(card_text(changes[0].card)),
                "answer": Card(card_text(changes[1].card)),
            }
            return Fact("fought_answered", {**self.fields(self.holder, self.final), **answered})
        was = self.values[self.holder] - self.values[1 - self.holder]
        told = conditions(
            last_word=drawn.side == self.holder, turned=was < 0,
            exchange=len({special.side for special in self.specials}) == 2,
        )  # fmt: skip
        return Fact("fought_held", {**self.fields(self.holder, self.final), "count": count, **told})

    def short_of_one(self, special: Special) -> Fact:
        """Return one fact about a space with a single special.

        The fact is from the point of view of the side that holds the space, or of the side that played the
        special.
        """
        power = POWERS[special.power]
        player: dict[str, FactValue] = {"player": Name(special.side), "victim": Name(1 - special.side)}
        if self.holder == NOBODY:
            kind = {"levels": "one_levels", "loses": "one_loses_lead"}.get(special.effect, "one_level")
            return Fact(kind, self.special(special).fields)
        fields = {**self.fields(self.holder, self.final), **special.more, **player}
        if not special.changes_values:
            return Fact(f"held_{power}", {**self.special(special).fields, **fields})
        if special.side == self.holder:
            return Fact(f"won_by_{power}" if special.effect == "leads" else "held_surely", fields)
        return Fact("thrown_away" if special.effect == "loses" else "fought_off", fields)

    def weight(self) -> int:
        """Return how remarkable the fight for the space is.

        Specials, changes of the lead, specials that harmed their player, and narrow results add to the
        weight.
        """
        changes = sum(special.effect in ("leads", "levels") for special in self.specials)
        harmed = sum(special.leads[1] < special.leads[0] for special in self.specials)
        weight = min(40, 8 * len(self.specials)) + min(30, 10 * changes) + 15 * harmed
        if self.holder != NOBODY:
            weight += 10 if abs(self.final[0] - self.final[1]) <= CLOSE else 5
            weight += 15 if self.values[self.holder] < self.values[1 - self.holder] else 0
        return weight

    def episode(self, is_over: bool) -> Episode:
        """Return the fight as an episode. `is_over` is True if the battle was already decided."""
        winners = [] if self.holder == NOBODY else [self.holder]
        facts, weight = self.facts(), self.weight()
        if not is_over and self.is_decided() and self.number < SPACES:
            ahead = 0 if self.held[0] > self.held[1] else 1
            left = SPACES - self.number
            more = conditions(several=left > 1)
            facts.append(
                Fact("clinched", {"side": Name(ahead), "rival": Name(1 - ahead), "left": left, **more})
            )
            weight += 20
        weight = weight // 4 if is_over else weight
        left = SPACES - self.number + 1
        return Episode(facts, self.short(), winners, self.held, self.first, self.last, weight, left=left)

"""The facts for a story of a battle of Wargame, from the events that its reader saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.setup import Setup
from cardbattle.core.telling import (
    Card,
    Episode,
    Fact,
    FactValue,
    Name,
    Plot,
    conditions,
    number,
    numbers,
)
from cardbattle.rules.wargame.battle import FOUR_ADJACENT, RESIGNED, SEVEN_BATTLES, stronger

STRONG = 10  # lowest card to mention by name
FAR = 6  # smallest difference in match-ups between a good line and a bad one


class Fight:
    """One fight for a space: the attacker, the switches, the Traitor, and the result."""

    def __init__(self, event: Event, place: int) -> None:
        self.number = number(event, "number")
        self.attacker = event.side
        self.before = numbers(event, "scores")
        self.first = self.last = place
        self.chips: dict[int, int] = {}  # chips left of each side that switched cards
        self.places: dict[int, set[int]] = {}  # the places where each side switched cards
        self.against = 0  # the card opposite when the attacker advanced
        self.denounced: list[int] = []
        self.victor = NOBODY
        self.cards: list[int] = []
        self.how = ""
        self.place = 0
        self.scores: list[int] = []
        self.broken: list[int] = []

    def take(self, event: Event) -> None:
        """Update the fight with an event."""
        if event.kind == "switched":
            self.chips[event.side] = number(event, "chips")
            self.places.setdefault(event.side, set()).update(numbers(event, "places"))
        elif event.kind == "advanced":
            self.against = number(event, "against")
        elif event.kind == "denounced":
            self.denounced.append(event.side)
        elif event.kind == "line_broken":
            self.broken = numbers(event, "places")
        elif event.kind == "won":
            self.victor, self.how = event.side, str(event.fields["how"])
            self.cards, self.scores = numbers(event, "cards"), numbers(event, "scores")
            self.place = number(event, "place")

    @property
    def switched(self) -> list[int]:
        """The sides that switched another card into the space that was fought for."""
        return [side for side, places in self.places.items() if self.place in places]

    @property
    def fields(self) -> dict[str, FactValue]:
        """The fields of all facts about this fight, seen from the side that won the space."""
        victor = self.victor
        mine, other = self.scores[victor], self.scores[1 - victor]
        return {
            "side": Name(victor), "rival": Name(1 - victor), "fight": self.number, "place": self.place,
            "card": Card(str(self.cards[victor])), "beaten": Card(str(self.cards[1 - victor])),
            "mine": mine, "other": other, **self.attacked_card(),
            **conditions(alike=self.cards[0] == self.cards[1], unlike=self.cards[0] != self.cards[1]),
        }  # fmt: skip

    def attacked_card(self) -> dict[str, FactValue]:
        """Return the card opposite the attack: `doomed` if it was the weaker one, `twin` if it was equal."""
        if not self.against:
            return {}
        strength = stronger(self.against, self.cards[self.attacker])
        card = Card(str(self.against))
        if strength == 0:
            return {"twin": card}
        return {"against": card, "doomed": card} if strength < 0 else {"against": card}

    def main(self) -> Fact:
        """Return the fight as one fact."""
        attacked = self.attacker == self.victor
        role = "attack" if attacked else "defence"
        if len(self.denounced) == 2:
            return Fact("both_traitors", self.fields)
        if self.how == "traitor":
            kind = "traitor_met" if 1 - self.victor in self.switched else "traitor"
            return Fact(f"{kind}_{role}", self.fields)
        paid = {
            (True, True): "both_switched", (True, False): "switched", (False, True): "in_vain",
            (False, False): "plain",
        }[self.victor in self.switched, 1 - self.victor in self.switched]  # fmt: skip
        how = {"attack": "_tie", "spy": "_spy"}.get(self.how, "")
        return Fact(f"{paid}_{role}{how}", self.fields)

    @property
    def payers(self) -> list[int]:
        """The sides whose chips the main fact mentions."""
        if len(self.denounced) == 2:
            return []
        if self.how == "traitor":
            return [side for side in self.switched if side != self.victor]
        return self.switched

    def facts(self) -> list[Fact]:
        """Return the facts about the fight: the main one, a last chip, a broken line."""
        facts = [self.main()]
        spent = [side for side, chips in self.chips.items() if chips == 0]
        if spent:
            side = spent[0]
            kind = (
                "last_chip_elsewhere" if side not in self.switched
                else "last_chip" if self.payers == [side] else "last_chip_spent"
            )  # fmt: skip
            facts.append(Fact(kind, {"side": Name(side), "rival": Name(1 - side)}))
        if self.broken:
            fields: dict[str, FactValue] = {
                "side": Name(1 - self.victor), "rival": Name(self.victor), "first": self.broken[0],
                "last": self.broken[-1],
            }  # fmt: skip
            facts.append(Fact("line_broken", fields))
        return facts

    def weight(self) -> int:
        """Return how remarkable the fight is: a Traitor, a Spy, a switch, a broken line."""
        weight = 35 if self.how == "traitor" or self.denounced else 0
        weight += 20 if self.how == "spy" else 0
        weight += 10 * len(self.switched) + (10 if 0 in self.chips.values() else 0)
        return weight + (15 if self.broken else 0) + (5 if max(self.cards) >= STRONG else 0)

    def episode(self) -> Episode:
        facts, main = self.facts(), self.main()
        is_plain = len(facts) == 1 and main.kind.startswith("plain") and self.how == "strength"
        return Episode(
            facts, main, [self.victor], self.scores, self.first, self.last, self.weight(), is_plain
        )


def plot(setup: Setup, events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the lines, each fight, and the end."""
    opening = chips_fact(setup)
    fights: list[Fight] = []
    ending: list[Fact] = []
    places = 0
    for place, event in enumerate(events):
        if event.kind == "checked":
            opening.append(lines_fact(event))
            places = sum(numbers(event, "ahead")) + number(event, "level")
        elif event.kind == "battle_begun":
            fights.append(Fight(event, place))
        elif event.kind == "ended":
            ending.append(end_fact(event.fields, places))
        elif fights:
            fights[-1].take(event)
            fights[-1].last = place
    fought = [fight.episode() for fight in fights if fight.victor != NOBODY]
    return Plot(opening, fought, ending)


def chips_fact(setup: Setup) -> list[Fact]:
    """Return the fact about the side with fewer chips."""
    usual = setup.house["chips"]
    chips = [side["chips"] if side["chips"] is not None else usual for side in setup.sides]
    if not all(isinstance(count, int) for count in chips) or chips[0] == chips[1]:
        return []
    counts = [int(str(count)) for count in chips]
    few = 0 if counts[0] < counts[1] else 1
    fields: dict[str, FactValue] = {
        "side": Name(few), "rival": Name(1 - few), "count": counts[few], "more": counts[1 - few],
    }  # fmt: skip
    return [Fact("chips_unequal", fields)]


def lines_fact(event: Event) -> Fact:
    """Return the fact that compares the lines and names the first attacker."""
    ahead, attacker = numbers(event, "ahead"), number(event, "attacker")
    mine, other = ahead[attacker], ahead[1 - attacker]
    fields: dict[str, FactValue] = {
        "side": Name(attacker), "rival": Name(1 - attacker), "mine": mine, "other": other,
    }  # fmt: skip
    kind = "even" if mine == other else "far_ahead" if mine - other >= FAR else "ahead"
    return Fact(f"lines_{kind}", fields)


def end_fact(fields: Mapping[str, object], places: int) -> Fact:
    """Return the fact about the end of a battle for so many places."""
    winners, scores, reason = fields["winners"], fields["scores"], fields["reason"]
    assert isinstance(winners, list) and isinstance(scores, list)
    winner = int(winners[0])
    mine, other = int(scores[winner]), int(scores[1 - winner])
    kind = {RESIGNED: "end_resigned", FOUR_ADJACENT: "end_four", SEVEN_BATTLES: "end_seven"}[str(reason)]
    if kind == "end_seven" and mine - other == 1:
        kind = "end_seven_close"
    told: dict[str, FactValue] = {
        "side": Name(winner), "rival": Name(1 - winner), "mine": mine, "other": other, "places": places,
        **conditions(last=mine + other == places, none=other == 0, ahead=mine > other),
    }  # fmt: skip
    return Fact(kind, told)

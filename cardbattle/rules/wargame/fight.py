"""Describe the fight for one space in a battle of Wargame by facts for a story."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.telling import Card, Episode, Fact, FactValue, Name, conditions, number, numbers
from cardbattle.rules.wargame.battle import PLACES, SHOOTERS, SPY, stronger

LAST_SWITCH = PLACES - 1  # from this fight on, no side can switch cards in a later one
STRONG = 10  # the lowest card that the story mentions as strong
HIGHEST = 13  # the Bazooka
WIDE = 6  # smallest difference of two cards that makes a fight unequal


class Fight:
    """The fight for one space, with its attacker, its switches, its Traitor card, and its result."""

    def __init__(self, event: Event, place: int) -> None:
        self.number = number(event, "number")
        self.attacker = event.side
        self.before = numbers(event, "scores")
        self.first = self.last = place
        self.chips: dict[int, int] = {}  # by side: chips left after a switch
        self.places: dict[int, set[int]] = {}  # by side: the places where the side switched cards
        self.switches: dict[int, dict[int, int]] = {}  # by side: the switched cards, by their new places
        self.against = 0  # the card opposite the attacker, when it advanced
        self.denounced: list[int] = []
        self.victor = NOBODY
        self.cards: list[int] = []
        self.how = ""
        self.place = 0
        self.scores: list[int] = []
        self.broken: list[int] = []
        self.is_last = False
        self.start: list[int] = []  # the chips that each side had before the battle, if known
        self.purse: list[int] = []  # the chips that each side had before this fight, if known
        self.moved: set[int] = set()  # the places where a side switched cards before this fight
        self.lines: list[dict[int, int]] = []  # by side: the cards that stay in the line, by place
        self.held: list[set[int]] = []  # by side: the spaces that the side had won before this fight
        self.is_open = False  # True if the victor has no hidden Traitor card

    def take(self, event: Event) -> None:
        if event.kind == "switched":
            self.chips[event.side] = number(event, "chips")
            places, cards = numbers(event, "places"), numbers(event, "cards")
            self.places.setdefault(event.side, set()).update(places)
            self.switches.setdefault(event.side, {}).update(zip(places, cards, strict=True))
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
        """The sides that switched another card into this space."""
        return [side for side, places in self.places.items() if self.place in places]

    @property
    def fields(self) -> dict[str, FactValue]:
        """The fields of all facts about this fight, from the point of view of the side that won the space."""
        victor = self.victor
        mine, theirs = self.scores[victor], self.scores[1 - victor]
        return {
            **conditions(kept=self.is_kept, chosen=self.number < PLACES),
            **conditions(bare=bool(self.purse) and not self.purse[1 - victor]),
            "side": Name(victor), "rival": Name(1 - victor), "fight": self.number, "place": self.place,
            "card": Card(str(self.cards[victor])), "beaten": Card(str(self.cards[1 - victor])),
            "mine": mine, "other": theirs, **self.attacked_card(),
            **conditions(alike=self.cards[0] == self.cards[1], unlike=self.cards[0] != self.cards[1]),
            **self.compared(), **unglossed([self]),
        }  # fmt: skip

    def compared(self) -> dict[str, FactValue]:
        """Return conditions about the two cards, such as `hair` if one is higher by 1."""
        card, beaten = self.cards[self.victor], self.cards[1 - self.victor]
        is_plain = self.how == "strength" and beaten > SPY
        return conditions(
            opening=self.number == 1, top=card == HIGHEST and self.how == "strength",
            feeble=beaten <= SPY < card and self.how == "strength",
            hair=is_plain and card - beaten == 1, wide=is_plain and card - beaten >= WIDE,
        )  # fmt: skip

    def missed(self) -> Fact | None:
        """Return a fact about a card of the beaten defender that would have won, but could not be moved.

        The defender had no chip, or a broken line lay between (WG-27). Return None if no card fits.
        A Shooter counts only if the victor has no hidden Traitor card.
        """
        loser = 1 - self.victor
        if self.attacker != self.victor or self.how == "traitor" or self.place in self.places.get(loser, ()):
            return None
        better = {
            place: card for place, card in self.lines[loser].items()
            if stronger(card, self.cards[self.victor]) > 0 and (self.is_open or card not in SHOOTERS)
        }  # fmt: skip
        near = {place: card for place, card in better.items() if not self.is_cut_off(place)}
        chips = self.chips_of(loser)
        kind = "no_chip" if near and chips == 0 else "cut_off" if better and not near and chips else ""
        if not kind:
            return None
        card = min((near or better).values(), key=lambda each: (each <= SPY, each))
        spent = conditions(spent=bool(self.start) and self.start[loser] > 0)
        return Fact(
            kind, {"side": Name(self.victor), "rival": Name(loser), "better": Card(str(card)), **spent}
        )

    def is_cut_off(self, place: int) -> bool:
        """Return True if three adjacent spaces of the victor lie between this fight and a place."""
        first, last = sorted((place, self.place))
        won = self.held[self.victor]
        return any({at, at + 1, at + 2} <= won for at in range(first + 1, last - 2))

    @property
    def is_kept(self) -> bool:
        """True if no side has switched a card at this space, and each side still has other cards."""
        return self.number < PLACES and self.place not in self.moved and not self.switched

    def chips_of(self, side: int) -> int | None:
        """Return the number of chips that a side has after this fight, or None if it is unknown."""
        return self.chips.get(side, self.purse[side] if self.purse else None)

    def attacked_card(self) -> dict[str, FactValue]:
        """Return fields about the card that was opposite the attacker at first.

        If it equals the attacker, the field `twin` is the card. Otherwise, the field `against` is the card,
        and the field `doomed` is the card too if it is weaker than the attacker. If a switch replaced the
        weaker card with a stronger card, the field `better` is set.
        """
        if not self.against:
            return {}
        strength = stronger(self.against, self.cards[self.attacker])
        card = Card(str(self.against))
        if strength == 0:
            return {"twin": card}
        is_stronger = stronger(self.cards[1 - self.attacker], self.against) > 0
        better = conditions(better=strength < 0 and is_stronger)
        return {"against": card, **better, **({"doomed": card} if strength < 0 else {})}

    def main(self) -> Fact:
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
        """The sides that paid a chip for a switch that the main fact mentions."""
        if len(self.denounced) == 2:
            return []
        if self.how == "traitor":
            return [side for side in self.switched if side != self.victor]
        return self.switched

    def facts(self) -> list[Fact]:
        """Return all facts about the fight: the main fact, and facts about a last chip and a broken line.

        A last chip matters only if the side will still have two cards to switch. A broken line matters only
        to a side that still has chips.
        """
        facts = [self.main()]
        is_end = self.is_last or self.number >= LAST_SWITCH
        spent = [side for side, chips in self.chips.items() if chips == 0 and not is_end]
        if spent:
            side = spent[0]
            kind = (
                "last_chip_elsewhere" if side not in self.switched
                else "last_chip" if self.payers == [side] else "last_chip_spent"
            )  # fmt: skip
            names: dict[str, FactValue] = {"side": Name(side), "rival": Name(1 - side)}
            start = self.start[side] if self.start else 0
            several = conditions(several=start > 1, single=start == 1)
            facts.append(Fact(kind, {**names, **several, **conditions(later=not self.is_last)}))
        if self.broken and self.chips_of(1 - self.victor) != 0:
            first, last = self.broken[0], self.broken[-1]
            fields: dict[str, FactValue] = {
                "side": Name(1 - self.victor), "rival": Name(self.victor), "first": first, "last": last,
                **conditions(direct=not spent, parted=first > 1 and last < PLACES),
            }  # fmt: skip
            facts.append(Fact("line_broken", fields))
        return facts

    def weight(self) -> int:
        """Return how remarkable the fight is: a Traitor, a Spy, a switch or a broken line adds to it."""
        weight = 25 if self.how == "traitor" or self.denounced else 0
        weight += 45 if self.how == "spy" else 0
        weight += 10 * len(self.switched) + (10 if 0 in self.chips.values() else 0)
        return weight + (15 if self.broken else 0) + (5 if max(self.cards) >= STRONG else 0)

    def episode(self) -> Episode:
        facts, main = self.facts(), self.main()
        is_plain = len(facts) == 1 and main.kind.startswith("plain") and self.how == "strength"
        return Episode(
            facts, main, [self.victor], self.scores, self.first, self.last, self.weight(), is_plain
        )


def unglossed(fights: Sequence[Fight]) -> dict[str, FactValue]:
    """Return a field that keeps the story from explaining a Spy where a Spy beats a Spy."""
    return {"unglossed": "spy"} if any(max(fight.cards) <= SPY for fight in fights) else {}


def spaces_in_row(fights: Sequence[Fight]) -> list[int]:
    """Return the adjacent spaces that the winner of the last fight has won, including this fight's space."""
    last = fights[-1]
    won = {fight.place for fight in fights if fight.victor == last.victor}
    first = next(place for place in count(last.place, -1) if place - 1 not in won)
    end = next(place for place in count(last.place) if place + 1 not in won)
    return [*range(first, end + 1)]

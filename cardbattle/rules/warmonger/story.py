"""The facts for a story of a battle of Warmonger, from the events that its reader saw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import card_text
from cardbattle.core.telling import Card, Episode, Fact, FactValue, Name, Plot, number, numbers
from cardbattle.rules.warmonger.box import name_of

BUST = -1  # the score of a side that is Bust
HAUL = 10  # minimum haul to mention, in cards
TWENTY_ONE = 21


class War:
    """A War, or a Skirmish that eliminated a side: its cause, its cards, its scores and its result."""

    def __init__(self, skirmish: int, place: int, turned: Mapping[int, int], sizes: Sequence[int]) -> None:
        self.skirmish = skirmish
        self.first = self.last = place
        self.turned = turned
        self.sizes = sizes
        self.cause: Fact | None = None
        self.sides: list[int] = []
        self.details: list[Fact] = []
        self.scores: dict[int, int] = {}
        self.done: set[int] = set()  # sides that have ended their turn in this Battle
        self.ties: list[tuple[int, int]] = []  # the tied score, and the number of sides with it
        self.raided = NOBODY  # the side that a Raid took cards from after the War
        self.retreated: list[int] = []
        self.dropped: list[int] = []
        self.announced: list[Event] = []
        self.result: Fact | None = None
        self.winner = NOBODY
        self.haul = 0
        self.out: list[Fact] = []
        self.armies: list[int] = []

    def take(self, event: Event) -> None:
        """Update the War with an event."""
        taker: Callable[[Event], None] | None = getattr(self, f"on_{event.kind}", None)
        if taker is not None:
            taker(event)

    def on_war_declared(self, event: Event) -> None:
        """Store the sides of the War, and its cause."""
        self.sides = numbers(event, "sides")
        fields: dict[str, FactValue] = {
            "sides": [Name(side) for side in self.sides], "skirmish": self.skirmish,
        }  # fmt: skip
        if event.side != NOBODY:
            fields |= {"side": Name(event.side)}
            others = [side for side in self.sides if side != event.side]
            if len(others) == 1:
                fields["rival"] = Name(others[0])
        cards = {card_text(self.turned[side])[:-1] for side in self.sides if side in self.turned}
        if event.fields["cause"] == "tie" and len(cards) == 1:
            fields["card"] = Card(card_text(self.turned[self.sides[0]]))
        self.cause = Fact(f"cause_{event.fields['cause']}", fields)

    def on_stood(self, event: Event) -> None:
        """Store a side's score."""
        self.scores[event.side] = score_in(event)
        self.done.add(event.side)

    on_busted = on_stood

    def on_battle_tied(self, event: Event) -> None:
        self.ties.append((number(event, "score"), len(numbers(event, "sides"))))
        self.scores = {}
        self.done = set()

    def on_announced(self, event: Event) -> None:
        self.announced.append(event)

    def on_vetoed(self, event: Event) -> None:
        """Store that a card had no effect; the Veto is the last card announced."""
        vetoer = self.announced[-1].side if self.announced else NOBODY
        if vetoer == NOBODY:
            return
        fields = {**self.card_fields(event.side, number(event, "card")), "vetoer": Name(vetoer)}
        self.details.append(Fact("card_vetoed", fields))

    def card_fields(self, side: int, code: int) -> dict[str, FactValue]:
        return {"side": Name(side), "design": name_of(code)}

    def last_played(self) -> tuple[int, dict[str, FactValue]] | None:
        """Return the side and the fields of the last Warmonger card announced."""
        for event in reversed(self.announced):
            if name_of(number(event, "card")) != "Veto":
                return event.side, self.card_fields(event.side, number(event, "card"))
        return None

    def on_marked(self, event: Event) -> None:
        """Store a card that counts a different number."""
        before, played = self.scores.get(event.side, 0), self.last_played()
        self.scores[event.side] = score_in(event)
        if played is None:
            return
        fields = played[1] | {
            "card": Card(card_text(number(event, "card"))), "number": number(event, "number"),
            **score_fields(score_in(event)),
        }  # fmt: skip
        if before:
            fields["before"] = before
        if event.side != played[0]:
            self.details.append(Fact("card_strike", {**fields, "target": Name(event.side)}))
        else:
            self.details.append(Fact("card_promote", fields))

    def on_supplied(self, event: Event) -> None:
        """Store a card from the deck."""
        self.scores[event.side] = score_in(event)
        played = self.last_played()
        if played is not None:
            fields = {
                **played[1],
                "card": Card(card_text(number(event, "card"))),
                **score_fields(score_in(event)),
            }
            self.details.append(Fact("card_supply", fields))

    def on_recounted(self, event: Event) -> None:
        """Store an exchange of cards: two events, the first for the side that played."""
        self.scores[event.side] = score_in(event)
        played = self.last_played()
        if played is not None and event.side != played[0]:
            mine = self.scores.get(played[0], BUST)
            fields = {**played[1], "target": Name(event.side), **score_fields(mine)}
            fields |= {"theirs": score_in(event)} if score_in(event) != BUST else {"theirs_bust": "bust"}
            self.details.append(Fact("card_exchange", fields))

    def on_turned_up(self, event: Event) -> None:
        """Store a card turned up after the side had scored: a Forced March."""
        if event.side in self.done:
            self.scores[event.side] = score_in(event)
            played = self.last_played()
            if played is not None and played[0] != event.side:
                fields = {**played[1], "target": Name(event.side), **score_fields(score_in(event))}
                self.details.append(Fact("card_march", fields))

    def on_scouted(self, event: Event) -> None:
        self.details.append(Fact("card_scout", {"side": Name(event.side)}))

    def on_retreated(self, event: Event) -> None:
        self.retreated.append(event.side)
        self.details.append(Fact("card_retreat", {"side": Name(event.side), "count": number(event, "count")}))

    def on_dropped_out(self, event: Event) -> None:
        self.dropped.append(event.side)

    def on_ceased(self, event: Event) -> None:
        """Store that a Cease-fire ended the War."""
        played = self.last_played()
        fields = played[1] if played is not None else {}
        self.result = Fact("ceased", {**fields, **self.standing()})

    def standing(self) -> dict[str, FactValue]:
        """Return the side with the single best score, if there is one."""
        best = max(self.scores.values(), default=BUST)
        leaders = [side for side, score in self.scores.items() if score == best]
        return {"leader": Name(leaders[0]), "score": best} if len(leaders) == 1 and best > 0 else {}

    def on_war_lost(self, event: Event) -> None:
        fields: dict[str, FactValue] = {
            "sides": [Name(side) for side in self.sides],
            "count": len(self.sides),
        }
        self.result = Fact(f"nobody_{event.fields['cause']}", fields)

    def on_war_won(self, event: Event) -> None:
        """Store the winner of the War and the way it won."""
        self.winner = event.side
        self.result = self.alone() if event.fields["cause"] == "alone" else self.by_score()

    def alone(self) -> Fact:
        """Return the fact about a War whose winner had no opponent left."""
        gone = self.dropped or self.retreated
        fields: dict[str, FactValue] = {"side": Name(self.winner), "sides": [Name(side) for side in gone]}
        if len(gone) == 1:
            fields["rival"] = Name(gone[0])
        return Fact("won_no_cards" if self.dropped else "won_alone", fields)

    def by_score(self) -> Fact:
        """Return the fact about a War that was won by the scores of its last Battle."""
        mine = self.scores.get(self.winner, 0)
        others = {side: score for side, score in self.scores.items() if side != self.winner}
        busted = [side for side, score in others.items() if score == BUST]
        fields: dict[str, FactValue] = {"side": Name(self.winner), "score": mine}
        if mine == TWENTY_ONE:
            fields["full"] = mine
        if busted:
            fields["busted"] = [Name(side) for side in busted]
        scored = {side: score for side, score in others.items() if score != BUST}
        if not scored:
            return Fact("won_bust", fields)
        rival = max(scored, key=lambda side: (scored[side], -side))
        fields |= {"rival": Name(rival), "other": scored[rival]}
        if busted:
            return Fact("won_some_bust", fields)
        close = mine - scored[rival] == 1
        return Fact("won_by_one" if close else "won_score", fields)

    def on_placed(self, event: Event) -> None:
        """Store the haul: the first cards that the winner puts under the deck."""
        if event.side == self.winner and not self.haul:
            self.haul = number(event, "count")

    def on_eliminated(self, event: Event) -> None:
        by = number(event, "by")
        fields: dict[str, FactValue] = {
            "side": Name(event.side), "skirmish": self.skirmish, "left": number(event, "left"),
        }  # fmt: skip
        if by != NOBODY:
            fields["rival"] = Name(by)
        kind = "out_raid" if event.side == self.raided else "out" if self.sides else "out_skirmish"
        self.out.append(Fact(kind, fields))

    def on_raided(self, event: Event) -> None:
        self.raided = number(event, "target")

    def tied(self) -> list[Fact]:
        """Return the fact that the War took several Battles."""
        if not self.ties:
            return []
        score, sides = self.ties[-1]
        fields: dict[str, FactValue] = {"score": score, "count": len(self.ties), "sides": sides}
        once = "tied_once" if sides == 2 else "tied_many"
        return [Fact(once if len(self.ties) == 1 else "tied_often", fields)]

    def facts(self) -> list[Fact]:
        """Return the facts about the War, at length."""
        facts = [self.cause] if self.cause is not None else []
        facts += [*self.tied(), *self.details[-2:]]
        facts += [self.result] if self.result is not None else []
        if self.haul >= HAUL and not self.out:
            facts.append(Fact("haul", {"side": Name(self.winner), "count": self.haul, "army": self.army()}))
        return [*facts, *self.out]

    def army(self) -> int:
        """Return the fact about the size of the winner's army after the War."""
        return self.armies[self.winner] if self.armies else 0

    def short(self) -> Fact:
        """Return the War as one fact."""
        if self.out:
            return self.out[0]
        if self.result is None:
            return Fact("", {})
        return Fact(f"short_{self.result.kind}", {**self.result.fields, "skirmish": self.skirmish})

    def weight(self, dealt: int) -> int:
        """Return how remarkable the War is: its haul, cards played, and eliminations."""
        weight = 100 * self.haul // max(dealt, 1) + 6 * min(3, len(self.details)) + 8 * len(self.ties)
        return weight + (50 if self.out else 0) + (10 if self.result and self.result.kind == "ceased" else 0)

    def episode(self, dealt: int) -> Episode:
        winners = [] if self.winner == NOBODY else [self.winner]
        return Episode(
            self.facts(), self.short(), winners, self.armies or self.sizes, self.first, self.last,
            self.weight(dealt),
        )  # fmt: skip


def score_in(event: Event) -> int:
    """Return the score of an event, BUST if it has none."""
    return number(event, "score") if "score" in event.fields else BUST


def score_fields(score: int) -> dict[str, FactValue]:
    """Return a score as a field; its name shows whether the side is Bust."""
    return {"score": score} if score != BUST else {"bust": "bust"}


def plot(events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the armies, each War, and the end."""
    opening: list[Fact] = []
    ending: list[Fact] = []
    wars: list[War] = []
    current: War | None = None
    dealt: list[int] = []
    for place, event in enumerate(events):
        if event.kind == "mustered":
            dealt = numbers(event, "sizes")
            opening = armies_facts(event)
        elif event.kind == "revealed":
            sizes = numbers(event, "sizes")
            close(wars, sizes)
            turned = dict(zip(numbers(event, "sides"), numbers(event, "cards"), strict=True))
            current = War(number(event, "skirmish"), place, turned, sizes)
        elif event.kind == "ended":
            scores = numbers(event, "scores")
            close(wars, scores)
            ending = [end_fact(event, sum(1 for war in wars if war.sides))]
        elif current is not None:
            current.take(event)
            current.last = place
            if (current.cause is not None or current.out) and current not in wars[-1:]:
                wars.append(current)
    return Plot(opening, [war.episode(sum(dealt)) for war in wars], ending)


def close(wars: Sequence[War], sizes: Sequence[int]) -> None:
    """Store the armies after the last War."""
    if wars and not wars[-1].armies:
        wars[-1].armies = list(sizes)


def armies_facts(event: Event) -> list[Fact]:
    """Return the facts that compare the armies and name the Robots."""
    sizes = numbers(event, "sizes")
    facts: list[Fact] = []
    if len(set(sizes)) == 1:
        facts.append(
            Fact("armies_even", {"count": sizes[0], "sides": [Name(side) for side in range(len(sizes))]})
        )
    else:
        best = sizes.index(max(sizes))
        least = sizes.index(min(sizes))
        fields: dict[str, FactValue] = {
            "side": Name(best), "rival": Name(least), "count": sizes[best], "fewer": sizes[least],
        }  # fmt: skip
        facts.append(Fact("armies_uneven" if len(sizes) == 2 else "armies_uneven_many", fields))
    robots = event.fields["robots"]
    assert isinstance(robots, list)
    mechanical = [Name(side) for side, robot in enumerate(robots) if robot]
    return facts + ([Fact("robots", {"sides": mechanical})] if mechanical else [])


def end_fact(event: Event, wars: int) -> Fact:
    """Return the fact about the end of the battle."""
    winners, scores = numbers(event, "winners"), numbers(event, "scores")
    fields: dict[str, FactValue] = {
        "sides": [Name(side) for side in winners], "skirmishes": number(event, "skirmishes"), "wars": wars,
    }  # fmt: skip
    if winners:
        fields |= {"side": Name(winners[0]), "count": scores[winners[0]]}
    losers = [side for side in range(len(scores)) if side not in winners]
    if len(losers) == 1:
        fields["rival"] = Name(losers[0])
    return Fact(f"end_{str(event.fields['reason']).replace('-', '_')}", fields)

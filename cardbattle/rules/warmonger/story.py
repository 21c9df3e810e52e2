"""The facts for a story of a battle of Warmonger, from the events that its reader saw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import card_text, rank_of
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
from cardbattle.rules.warmonger.battle import LAST_STANDING
from cardbattle.rules.warmonger.box import name_of

BUST = -1  # the score of a side that is Bust
DETAILS = 2  # maximum number of cards' effects to mention
HAUL = 10  # minimum haul to mention, in cards
TWO = 2  # the lowest rank that is a number; a Joker has a lower one
TWENTY_ONE = 21
LAST_BLOWS = {"out": "end_last_standing", "out_skirmish": "end_skirmish", "out_raid": "end_raid"}
DESPERATE = 5  # the winner's smallest army is mentioned up to this number of cards


class War:
    """A War, or a Skirmish that eliminated a side: its cause, its cards, its scores and its result.

    A War also holds the eliminations in the ordinary Skirmishes around it, so that only Wars are tallied.
    """

    def __init__(self, skirmish: int, place: int, turned: Mapping[int, int], sizes: Sequence[int]) -> None:
        self.skirmish = skirmish
        self.first = self.last = place
        self.turned = turned
        self.sizes = sizes
        self.cause: Fact | None = None
        self.sides: list[int] = []
        self.details: list[Fact] = []
        self.scores: dict[int, int] = {}
        self.order: list[int] = []  # sides that have scored in this Battle, in order
        self.altered: set[int] = set()  # those whose score a card changed afterwards
        self.before_exchange = 0  # the score before an exchange of the side that played it
        self.ties: list[Fact] = []
        self.settled = 0  # number of details from before the last tie
        self.relaid = 0  # number of sides that laid cards after the last tie
        self.raids: dict[int, tuple[int, int]] = {}  # sides that Raids took cards from: by whom, and how many
        self.retreated: list[int] = []
        self.dropped: list[int] = []
        self.announced: list[Event] = []
        self.result: Fact | None = None
        self.winner = NOBODY
        self.haul = 0
        self.out: list[Fact] = []
        self.before: list[Fact] = []  # eliminations in ordinary Skirmishes before the first War
        self.later: list[Fact] = []  # and after this War, before the next
        self.armies: list[int] = []
        self.is_last = False  # the battle's last War; the ending describes the last elimination

    def take(self, event: Event) -> None:
        """Update the War with an event."""
        taker: Callable[[Event], None] | None = getattr(self, f"on_{event.kind}", None)
        if taker is not None:
            taker(event)

    def on_war_declared(self, event: Event) -> None:
        """Store the sides of the War, and its cause; Provocation can also widen a War."""
        cause = "widened" if self.sides else str(event.fields["cause"])
        self.details.clear()  # cards played before the declaration
        self.sides = numbers(event, "sides")
        fields: dict[str, FactValue] = {
            "sides": [Name(side) for side in self.sides], "skirmish": self.skirmish,
        }  # fmt: skip
        if event.side != NOBODY:
            fields |= {"side": Name(event.side)}
            others = [side for side in self.sides if side != event.side]
            if len(others) == 1:
                fields["rival"] = Name(others[0])
            else:
                cause += "_many"
        cards = {card_text(self.turned[side])[:-1] for side in self.sides if side in self.turned}
        if cause == "tie" and len(cards) == 1:
            fields["card"] = Card(card_text(self.turned[self.sides[0]]))
        fields |= conditions(pair=len(self.sides) == 2)
        self.cause = Fact(f"cause_{cause}", fields)

    def on_stood(self, event: Event) -> None:
        """Store a side's score."""
        self.scores[event.side] = score_in(event)
        self.order.append(event.side)

    on_busted = on_stood

    def on_battle_tied(self, event: Event) -> None:
        sides = [Name(side) for side in numbers(event, "sides")]
        fields: dict[str, FactValue] = {"score": number(event, "score"), "sides": sides}
        self.ties.append(Fact("tied_once" if len(sides) == 2 else "tied_many", fields))
        self.settled = len(self.details)
        self.scores = {}
        self.order, self.altered = [], set()
        self.retreated, self.dropped = [], []
        self.relaid = 0

    def on_laid(self, _: Event) -> None:
        self.relaid += 1

    def on_announced(self, event: Event) -> None:
        self.announced.append(event)

    def on_vetoed(self, event: Event) -> None:
        """Store that a card had no effect; the Veto is the last card announced."""
        vetoer = self.announced[-1].side if self.announced else NOBODY
        if vetoer == NOBODY:
            return
        fields = {**self.card_fields(event.side, number(event, "card")), "vetoer": Name(vetoer)}
        self.add_detail(Fact("card_vetoed", fields))

    def add_detail(self, fact: Fact) -> None:
        """Store a card's effect; those after the result belong to no War."""
        if self.result is None:
            self.details.append(fact)

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
        before, played = self.change_score(event), self.last_played()
        if played is None:
            return
        card, counts = number(event, "card"), number(event, "number")
        fields = played[1] | {
            "card": Card(card_text(card)), "number": counts, **score_fields(score_in(event)),
        }  # fmt: skip
        if before > 0:
            fields["before"] = before
        if event.side != played[0]:
            kind = "card_strike_bust" if before == BUST else "card_strike"
            self.add_detail(Fact(kind, {**fields, "target": Name(event.side)}))
            return
        fields |= conditions(raised=TWO <= rank_of(card) < counts)
        is_only_card = score_in(event) == counts  # its number is the score
        kind = "card_save" if before == BUST else "card_promote_alone" if is_only_card else "card_promote"
        self.add_detail(Fact(kind, fields))

    def change_score(self, event: Event) -> int:
        """Store a side's changed score; return the score before, or 0 if it had none yet."""
        before = self.scores.get(event.side, 0)
        self.scores[event.side] = score_in(event)
        if event.side in self.order:
            self.altered.add(event.side)
        return before

    def on_supplied(self, event: Event) -> None:
        """Store a card from the deck."""
        before, played = self.change_score(event), self.last_played()
        if played is not None and before != BUST:
            fields = {
                **played[1],
                "card": Card(card_text(number(event, "card"))),
                **score_fields(score_in(event)),
            }
            self.add_detail(Fact("card_supply", fields))

    def on_recounted(self, event: Event) -> None:
        """Store an exchange of cards: two events, the first for the side that played."""
        before, played = self.change_score(event), self.last_played()
        if played is None:
            return
        if event.side == played[0]:
            self.before_exchange = before
        elif before != BUST:
            mine = self.scores.get(played[0], BUST)
            fields = {**played[1], "target": Name(event.side), **score_fields(mine)}
            fields |= {"still_bust": "bust"} if mine == self.before_exchange == BUST else {}
            fields |= {"theirs": score_in(event)} if score_in(event) != BUST else {"theirs_bust": "bust"}
            self.add_detail(Fact("card_exchange", fields))

    def on_turned_up(self, event: Event) -> None:
        """Store a card turned up after the side had scored: a Forced March."""
        if event.side in self.order:
            before, played = self.change_score(event), self.last_played()
            if played is not None and played[0] != event.side and before != BUST:
                fields = {**played[1], "target": Name(event.side), **score_fields(score_in(event))}
                self.add_detail(Fact("card_march", fields))

    def on_scouted(self, event: Event) -> None:
        self.add_detail(Fact("card_scout", {"side": Name(event.side)}))

    def on_retreated(self, event: Event) -> None:
        self.retreated.append(event.side)
        self.add_detail(Fact("card_retreat", {"side": Name(event.side), "count": number(event, "count")}))

    def on_dropped_out(self, event: Event) -> None:
        self.dropped.append(event.side)

    def on_ceased(self, event: Event) -> None:
        """Store that a Cease-fire ended the War."""
        played = self.last_played()
        fields = {**played[1], **self.standing(played[0])} if played is not None else {}
        self.result = Fact("ceased", fields)

    def standing(self, player: int) -> dict[str, FactValue]:
        """Return the fields of the side that would have won by its score.

        Return no fields if that side is `player`, if several sides share the best score, or if no score is
        above 0.
        """
        best = max(self.scores.values(), default=BUST)
        leaders = [side for side, score in self.scores.items() if score == best]
        is_single = len(leaders) == 1 and best > 0 and leaders[0] != player
        return {"leader": Name(leaders[0]), "score": best} if is_single else {}

    def on_war_lost(self, event: Event) -> None:
        fields: dict[str, FactValue] = {"sides": [Name(side) for side in self.sides]}
        if busted := [Name(side) for side, score in self.scores.items() if score == BUST]:
            fields["busted"] = busted
        self.result = Fact(f"nobody_{event.fields['cause']}", fields)

    def on_war_won(self, event: Event) -> None:
        """Store the winner of the War and the way it won."""
        self.winner = event.side
        cause = event.fields["cause"]
        self.result = self.alone() if cause == "alone" else self.by_score(is_last_word=cause == "last-word")

    def alone(self) -> Fact:
        """Return the fact about a War whose winner had no opponent left."""
        gone = self.retreated or self.dropped
        fields: dict[str, FactValue] = {"side": Name(self.winner), "sides": [Name(side) for side in gone]}
        if len(gone) == 1:
            fields["rival"] = Name(gone[0])
        return Fact("won_alone" if self.retreated else "won_no_cards", fields)

    def by_score(self, *, is_last_word: bool) -> Fact:
        """Return the fact about a War that was won by the scores of its last Battle."""
        mine = self.scores.get(self.winner, 0)
        others = {side: score for side, score in self.scores.items() if side != self.winner}
        busted = [side for side, score in others.items() if score == BUST]
        fields: dict[str, FactValue] = {"side": Name(self.winner), "score": mine}
        fields |= conditions(full=mine == TWENTY_ONE)
        if busted:
            fields |= self.bust_fields(busted)
        scored = {side: score for side, score in others.items() if score != BUST}
        later = "_after" if len(self.details) > self.settled else ""  # cards were played in this Battle
        if not scored:
            return Fact(f"won_bust{later}", fields)
        rival = max(scored, key=lambda side: (scored[side], -side))
        fields |= {"rival": Name(rival), "other": scored[rival]}
        is_unaltered = not {self.winner, rival} & self.altered
        is_later = self.order.index(rival) < self.order.index(self.winner)
        fields |= conditions(overtook=is_unaltered and is_later)
        if is_last_word:
            return Fact("won_last_word", fields)
        if busted:
            return Fact(f"won_some_bust{later}", fields)
        close = mine - scored[rival] == 1
        return Fact("won_by_one" if close else "won_score", fields)

    def bust_fields(self, busted: Sequence[int]) -> dict[str, FactValue]:
        """Return the sides that are Bust, and whether it was their own doing, before the winner's eyes."""
        is_own = not self.altered & set(busted)
        stood = self.order.index(self.winner)
        is_watched = self.winner not in self.altered and all(
            self.order.index(side) > stood for side in busted
        )
        return {
            "busted": [Name(side) for side in busted],
            **conditions(reckless=is_own, watched=is_own and is_watched),
        }

    def on_placed(self, event: Event) -> None:
        """Store the haul: the first cards that the winner puts under the deck."""
        if event.side == self.winner and not self.haul:
            self.haul = number(event, "count")

    def on_eliminated(self, event: Event) -> None:
        by = number(event, "by")
        fields: dict[str, FactValue] = {"side": Name(event.side), "skirmish": self.skirmish}
        if by != NOBODY:
            fields["rival"] = Name(by)
        raider, loot = self.raids.get(event.side, (NOBODY, 0))
        is_raid = by != NOBODY and raider == by
        fields |= {"loot": loot} if is_raid else {}
        kind = "out_raid" if is_raid else "out" if self.sides else "out_skirmish"
        self.out.append(Fact(kind, fields))

    def on_raided(self, event: Event) -> None:
        self.raids[number(event, "target")] = event.side, number(event, "count")

    def tied(self) -> list[Fact]:
        """Return the fact that the War took several Battles, unless the last tie was its end."""
        if not self.ties:
            return []
        last = self.ties[-1]
        if len(self.ties) > 1:
            return [Fact("tied_often", {**last.fields, "count": len(self.ties)})]
        return [last if self.relaid else Fact("tied_last", last.fields)]

    def facts(self) -> list[Fact]:
        """Return the facts about the War in the order of their events."""
        start = max(0, len(self.details) - DETAILS)
        facts = [*self.before, *([self.cause] if self.cause is not None else [])]
        facts += [
            *self.details[start : self.settled],
            *self.tied(),
            *self.details[max(start, self.settled) :],
        ]
        facts += [self.result] if self.result is not None else []
        if self.haul >= HAUL and not self.out:
            facts.append(Fact("haul", {"side": Name(self.winner), "count": self.haul}))
        out = [*together(self.out), *self.later]
        if self.is_last:
            out = [fact for fact in out if key_of(fact) != key_of(out[-1])]
        return [*facts, *out]

    def fallen_last(self) -> tuple[str, list[Name]]:
        """Return how the last sides were eliminated, and these sides."""
        last = key_of(self.out[-1])
        gone = [fact.fields["side"] for fact in self.out if key_of(fact) == last]
        return last[0], [side for side in gone if isinstance(side, Name)]

    def short(self) -> Fact:
        """Return the War as one fact."""
        if not self.sides:
            return self.out[0]
        gone = [fact for fact in self.out if fact.kind == "out"]
        if gone and not self.is_last:
            return together(gone)[0]._replace(kind="short_out")
        if self.result is None:
            return Fact("", {})
        return Fact(f"short_{self.result.kind}", {**self.result.fields, "skirmish": self.skirmish})

    def weight(self, dealt: int) -> int:
        """Return how remarkable the War is: its haul, cards played, and eliminations."""
        weight = 100 * self.haul // max(dealt, 1) + 6 * min(3, len(self.details)) + 8 * len(self.ties)
        weight += 25 if self.before or self.later else 0
        return weight + (50 if self.out else 0) + (10 if self.result and self.result.kind == "ceased" else 0)

    def episode(self, dealt: int) -> Episode:
        winners = [] if self.winner == NOBODY else [self.winner]
        return Episode(
            self.facts(), self.short(), winners, self.armies or self.sizes, self.first, self.last,
            self.weight(dealt), before=self.sizes,
        )  # fmt: skip


def key_of(out: Fact) -> tuple[str, FactValue]:
    """Return the kind and the skirmish of an elimination; sides with the same key fell together."""
    return out.kind, out.fields["skirmish"]


def together(out: Sequence[Fact]) -> list[Fact]:
    """Return eliminations, those of one War as one fact."""
    lost = [fact for fact in out if fact.kind == "out"]
    if len(lost) < 2:
        return [*out]
    gone = [fact.fields["side"] for fact in lost]
    several = Fact("out", {"gone": gone, "skirmish": lost[0].fields["skirmish"]})  # type: ignore[dict-item]
    return [several, *(fact for fact in out if fact.kind != "out")]


def score_in(event: Event) -> int:
    """Return the score of an event, BUST if it has none."""
    return number(event, "score") if "score" in event.fields else BUST


def score_fields(score: int) -> dict[str, FactValue]:
    """Return a score as a field; its name shows whether the side is Bust, or has nothing."""
    return {"score": score} if score > 0 else {"naught": 0} if score == 0 else {"bust": "bust"}


def plot(events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the armies, each War, and the end."""
    opening: list[Fact] = []
    ending: list[Fact] = []
    parts: list[War] = []
    current: War | None = None
    lowest: dict[int, tuple[int, int]] = {}  # the smallest army of each side, and the first skirmish with it
    dealt: list[int] = []
    for place, event in enumerate(events):
        if event.kind == "mustered":
            dealt = numbers(event, "sizes")
            opening = armies_facts(event)
        elif event.kind == "revealed":
            sizes = numbers(event, "sizes")
            close(parts, sizes)
            turned = dict(zip(numbers(event, "sides"), numbers(event, "cards"), strict=True))
            current = War(number(event, "skirmish"), place, turned, sizes)
            for side, size in enumerate(sizes):
                lowest[side] = min(lowest.get(side, (size, current.skirmish)), (size, current.skirmish))
        elif event.kind == "ended":
            close(parts, numbers(event, "scores"))
            ending = ending_facts(event, parts, dealt, lowest)
        elif current is not None:
            current.take(event)
            current.last = place
            if (current.cause is not None or current.out) and current not in parts[-1:]:
                parts.append(current)
    wars = with_eliminations(parts)
    return Plot(opening, [war.episode(sum(dealt)) for war in wars], ending)


def with_eliminations(parts: Sequence[War]) -> list[War]:
    """Return the Wars, which take over the eliminations in ordinary Skirmishes.

    Without a War, return those Skirmishes.
    """
    wars = [part for part in parts if part.sides]
    if not wars:
        return [*parts]
    latest: War | None = None
    for part in parts:
        if part.sides:
            latest = part
        elif latest is None:
            wars[0].before += part.out
            wars[0].first = min(wars[0].first, part.first)
        else:
            latest.later += part.out
            latest.last, latest.armies = part.last, part.armies
    return wars


def close(parts: Sequence[War], sizes: Sequence[int]) -> None:
    """Store the armies after the last War."""
    if parts and not parts[-1].armies:
        parts[-1].armies = list(sizes)


def armies_facts(event: Event) -> list[Fact]:
    """Return the facts that compare the armies and name the Robots."""
    sizes = numbers(event, "sizes")
    best, least = sizes.index(max(sizes)), sizes.index(min(sizes))
    fields: dict[str, FactValue] = {"count": max(sizes), "fewer": min(sizes)}
    if sizes.count(max(sizes)) == 1:
        fields["side"] = Name(best)
    if sizes.count(min(sizes)) == 1:
        fields["rival"] = Name(least)
    kind = "uneven_many" if len(sizes) > 2 else "uneven"
    facts = [Fact("armies_even" if len(set(sizes)) == 1 else f"armies_{kind}", fields)]
    robots = event.fields["robots"]
    assert isinstance(robots, list)
    mechanical = [Name(side) for side, robot in enumerate(robots) if robot]
    return facts + ([Fact("robots", {"sides": mechanical})] if mechanical else [])


def ending_facts(
    event: Event, parts: Sequence[War], dealt: Sequence[int], lowest: Mapping[int, tuple[int, int]]
) -> list[Fact]:
    """Return the facts about the end: the winner's smallest army, and the way it won."""
    winners, scores = numbers(event, "winners"), numbers(event, "scores")
    wars = [part for part in parts if part.sides]
    fields: dict[str, FactValue] = {"skirmishes": number(event, "skirmishes"), "count": max(scores)}
    if wars:
        fields["wars"] = len(wars)
    if not winners:
        return [Fact("end_drawn", fields)]
    winner = winners[0]
    fields["side"] = Name(winner)
    facts = [lowest_fact(winner, *lowest[winner])] if is_desperate(lowest[winner][0], dealt[winner]) else []
    if event.fields["reason"] != LAST_STANDING:
        return [*facts, Fact(f"end_{str(event.fields['reason']).replace('-', '_')}", fields)]
    if len(wars) < 2:
        return [*facts, Fact("end_last_standing", fields)]
    wars[-1].is_last = True
    kind, gone = parts[-1].fallen_last()
    return [*facts, Fact(LAST_BLOWS[kind], {**fields, "gone": gone})]


def is_desperate(least: int, dealt: int) -> bool:
    """Return True if an army is small, and much smaller than at the start."""
    return least <= DESPERATE and 3 * least <= dealt


def lowest_fact(side: int, least: int, skirmish: int) -> Fact:
    return Fact("lowest", {"side": Name(side), "least": least, "skirmish": skirmish})

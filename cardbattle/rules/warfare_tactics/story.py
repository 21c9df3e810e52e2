"""The facts for a story of a battle of Warfare Tactics, from the events that its reader saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import card_text
from cardbattle.core.setup import Setup
from cardbattle.core.telling import (
    Card,
    Episode,
    Fact,
    FactValue,
    Name,
    Plot,
    Points,
    conditions,
    number,
    numbers,
)
from cardbattle.rules.warfare_tactics.state import VALUES, total

LULL = 3  # minimum number of turns without an attack to mention
FEW = 3  # with fewer attacks and special moves, a story also mentions the first turn
LONG = 8  # minimum number of cards in the columns of a long attack
BEHIND = 20  # minimum deficit of a winner to mention
COURT = 11  # value of a knave
DRAWN = 4  # minimum number of cards drawn after an attack to mention
QUICK = 4  # maximum number of cards in the columns of a short attack
CLOSE, ROUT = 10, 2  # at the end: a narrow lead in points, and a clear ratio of scores


class Turn:
    """One turn: its special moves, its attack, and the score after it."""

    def __init__(self, event: Event, place: int) -> None:
        self.number = number(event, "turn")
        self.active = event.side
        self.first = self.last = place
        self.specials: list[Fact] = []
        self.timeline: list[Fact] = []  # the facts about the turn, in the order of their events
        self.attack: dict[str, FactValue] = {}  # the fields of the declaration; empty without an attack
        self.columns = [0, 0]  # number of cards
        self.totals = [0, 0]
        self.deficits = [0, 0]  # the largest deficit of each side in the attack, in points
        self.result: Fact | None = None
        self.has_aftermath = False
        self.winner = NOBODY
        self.moved = 0  # cards that the attack cost, without the price of a retreat
        self.price = 0  # cards taken from the hand or put under the deck for a retreat
        self.lull: Fact | None = None
        self.scores: list[int] = []

    @property
    def is_eventful(self) -> bool:
        return bool(self.specials) or self.result is not None

    def take(self, event: Event) -> None:
        """Update the turn with an event."""
        taker: Callable[[Event], None] | None = getattr(self, f"on_{event.kind}", None)
        if taker is not None:
            taker(event)

    def on_attacked(self, event: Event) -> None:
        """Store the attacker, the target and the card."""
        self.columns = [1, 1]
        self.attack = {
            "side": Name(event.side), "rival": Name(1 - event.side), "turn": self.number,
            "card": card_of(number(event, "card")), "target": card_of(number(event, "target")),
        }  # fmt: skip

    def on_countered(self, event: Event) -> None:
        """Store a card added to a column, and each side's deficit."""
        self.columns[event.side] += 1
        self.totals = numbers(event, "totals")
        for side in (0, 1):
            self.deficits[side] = max(self.deficits[side], self.totals[1 - side] - self.totals[side])

    on_recalled = on_countered

    def on_won(self, event: Event) -> None:
        """Store the winner: the side with the higher total, or the defender if the totals are equal."""
        totals = numbers(event, "totals")
        lost = numbers(event, "cards")
        fields = self.fields(event.side, len(lost))
        fields |= {
            "mine": Points(totals[event.side]), "other": Points(totals[1 - event.side]),
            **conditions(
                quick=sum(self.columns) <= QUICK, unanswered=self.columns[1 - event.side] == 1,
            ),
        }  # fmt: skip
        role = "attack" if event.side == self.active else "defence"
        if event.fields["rout"]:
            kind = f"rout_{role}"
        elif totals[0] == totals[1]:
            kind = "won_tie"
        else:
            kind = f"{'long' if sum(self.columns) >= LONG else 'won'}_{role}"
        self.end_attack(kind, fields)
        if self.deficits[event.side] >= BEHIND:
            self.add_aftermath(Fact("had_trailed", {**fields, "deficit": self.deficits[event.side]}))

    def end_attack(self, kind: str, fields: dict[str, FactValue]) -> None:
        """Store the attack and its result."""
        self.result = Fact(kind, fields)
        self.timeline += [Fact("attack", self.attack), self.result]

    def add_aftermath(self, fact: Fact) -> None:
        """Store the first remarkable consequence of the attack."""
        if not self.has_aftermath:
            self.timeline.append(fact)
        self.has_aftermath = True

    def on_retreated(self, event: Event) -> None:
        """Store a retreat, without its price as yet; the other side has won."""
        lost = len(numbers(event, "cards"))
        fields = self.fields(1 - event.side, lost)
        if not lost:
            self.end_attack("retreat_free", fields)
            return
        kind = f"{'mass_' if lost >= LONG else ''}retreat_{self.loser_role()}"
        self.end_attack(kind, {**fields, "discarded": lost})

    def loser_role(self) -> str:
        return "defender" if self.winner == self.active else "attacker"

    def on_buried(self, _: Event) -> None:
        """Count a card that went under the deck as the price of a retreat."""
        self.add_to_price()

    def add_to_price(self) -> None:
        """Count one more card that a retreat cost."""
        retreat = self.result
        assert retreat is not None
        self.price += 1
        kind = f"retreat_{self.loser_role()}" if retreat.kind == "retreat_free" else retreat.kind
        self.result = Fact(kind, {**retreat.fields, "count": self.moved + self.price})
        self.timeline[self.timeline.index(retreat)] = self.result

    def on_surrendered(self, event: Event) -> None:
        """Store a surrender; the other side recruits the column."""
        role = "attacker" if event.side == self.active else "defender"
        self.end_attack(f"surrender_{role}", self.fields(1 - event.side, len(numbers(event, "cards"))))

    def on_took(self, event: Event) -> None:
        """Count a card taken from a shown hand as the price of a retreat, and store a good one."""
        self.add_to_price()
        card = number(event, "card")
        if VALUES[card] >= COURT:
            fields: dict[str, FactValue] = {"side": Name(event.side), "rival": Name(1 - event.side)}
            self.add_aftermath(Fact("took_card", {**fields, "card": card_of(card)}))

    def on_compensated(self, event: Event) -> None:
        """Store that the loser of an attack drew many cards."""
        drawn = number(event, "count")
        if drawn >= DRAWN:
            fields: dict[str, FactValue] = {"side": Name(event.side), "rival": Name(1 - event.side)}
            self.add_aftermath(Fact("drew_back", {**fields, "count": drawn}))

    def add_special(self, fact: Fact) -> None:
        self.specials.append(fact)
        self.timeline.append(fact)

    def on_seven_drawn(self, event: Event) -> None:
        """Store the number of cards that SEVEN drew."""
        seven = self.specials.pop()
        counted = seven._replace(fields={**seven.fields, "count": number(event, "count")})
        self.specials.append(counted)
        self.timeline[self.timeline.index(seven)] = counted

    def fields(self, winner: int, lost: int) -> dict[str, FactValue]:
        """Return the fields of the result, seen from the side with the better result of the attack."""
        self.winner, self.moved = winner, lost
        return {
            "side": Name(winner), "rival": Name(1 - winner), "turn": self.number, "count": lost,
            "card": self.attack["card"], "target": self.attack["target"], "thrown": sum(self.columns),
        }  # fmt: skip

    def facts(self) -> list[Fact]:
        """Return the facts about the turn; only the first that needs the turn's number has it."""
        facts = [self.lull] if self.lull is not None else []
        is_named = False
        for fact in self.timeline:
            fields = {name: value for name, value in fact.fields.items() if name != "turn" or not is_named}
            facts.append(fact._replace(fields={**fields, **conditions(then=is_named)}))
            is_named = is_named or fact.kind == "attack" or fact in self.specials
        return facts

    def short(self) -> Fact:
        """Return the turn as one fact."""
        if self.result is None:
            return self.specials[0]
        return Fact(f"short_{self.result.kind.removeprefix('mass_')}", self.result.fields)

    def weight(self, everything: int) -> int:
        """Return how remarkable the turn is: cards lost, special moves, a rout."""
        weight = min(60, 150 * self.moved // max(1, everything)) + 25 * len(self.specials)
        return weight + (15 if self.result is not None and self.result.kind.startswith("rout") else 0)

    def episode(self, everything: int) -> Episode:
        winners = [] if self.winner == NOBODY else [self.winner]
        return Episode(
            self.facts(), self.short(), winners, self.scores, self.first, self.last, self.weight(everything)
        )


class Piles:
    """The values of the two discard piles, event by event (WT-33, WT-43)."""

    def __init__(self) -> None:
        self.values = [0, 0]

    def take(self, event: Event) -> None:
        """Update the piles with an event."""
        if event.kind in ("retreated", "dismissed"):
            self.values[event.side] += total(numbers(event, "cards"))
        elif event.kind in ("exchanged", "discarded"):
            self.values[event.side] += VALUES[number(event, "card")]
        elif event.kind == "returned":
            self.values[event.side] -= VALUES[number(event, "card")]
        elif event.kind == "won" and not event.fields["rout"]:
            self.values[number(event, "loser")] += total(numbers(event, "cards"))
        elif event.kind in ("called_seven", "switched"):
            self.values[event.side] += total(numbers(event, "paid"))
            if event.kind == "switched":
                self.values.reverse()


def card_of(card: int) -> Card:
    return Card(card_text(card))


def plot(setup: Setup, events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the start, the eventful turns, and the end."""
    opening: list[Fact] = []
    ending: list[Fact] = []
    turns: list[Turn] = []
    piles = Piles()
    first = NOBODY
    counts_values = setup.house.get("discard_score") != "count"
    for place, event in enumerate(events):
        piles.take(event)
        if event.kind == "opened":
            opening = opening_facts(setup)
            first = number(event, "first")
        elif event.kind == "turn_begun":
            if turns:
                turns[-1].scores = scores_in(event, counts_values)
            turns.append(Turn(event, place))
        elif event.kind == "ended":
            turns[-1].scores = numbers(event, "scores")
            ending = end_facts(event, turns)
        elif turns:
            turns[-1].take(event)
            turns[-1].last = place
            if event.kind in ("called_seven", "switched"):
                turns[-1].add_special(special_fact(event, turns[-1].number, piles, counts_values))
    mark_lulls(turns)
    eventful = [turn for turn in turns if turn.is_eventful and turn.scores]
    if len(eventful) < FEW:
        opening = [Fact("first_turn", {"side": Name(first), "rival": Name(1 - first)}), *opening]
    everything = sum(turn.moved for turn in eventful)
    return Plot(opening, [turn.episode(everything) for turn in eventful], ending)


def scores_in(event: Event, counts_values: bool) -> list[int]:
    """Return the scores at the start of a turn; only the battlefields if piles count by cards."""
    fields, piles = numbers(event, "totals"), numbers(event, "discard_totals")
    return [fields[side] + (piles[1 - side] if counts_values else 0) for side in (0, 1)]


def mark_lulls(turns: Sequence[Turn]) -> None:
    """Add a fact to each turn that follows several turns without an attack or a special move."""
    quiet: list[Turn] = []
    for turn in turns:
        if turn.is_eventful:
            if len(quiet) >= LULL:
                turn.lull = lull_fact("lull", quiet)
            quiet = []
        else:
            quiet.append(turn)


def lull_fact(kind: str, quiet: Sequence[Turn]) -> Fact:
    """Return the fact that nothing happened in some turns, with the score after them."""
    first, last = quiet[0].number, quiet[-1].number
    scores = quiet[-1].scores
    best = 0 if scores[0] >= scores[1] else 1
    fields: dict[str, FactValue] = {
        "turns": len(quiet), "since": first, "until": last,
        **conditions(later=first > 1),
    }  # fmt: skip
    if scores[0] == scores[1]:
        return Fact(kind, {**fields, "level": Points(scores[0])})
    standing: dict[str, FactValue] = {
        "side": Name(best), "rival": Name(1 - best),
        "mine": Points(scores[best]), "other": Points(scores[1 - best]),
    }  # fmt: skip
    return Fact(kind, fields | standing)


def special_fact(event: Event, turn: int, piles: Piles, counts_values: bool) -> Fact:
    """Return the fact about a special move, with its cost and, for SWITCH, the piles after it."""
    side = event.side
    paid = [card_of(card) for card in numbers(event, "paid")]
    fields: dict[str, FactValue] = {"side": Name(side), "rival": Name(1 - side), "turn": turn}
    if paid:
        fields["paid"] = paid
    if event.kind == "called_seven":
        return Fact("seven" if paid else "seven_free", fields)
    if not counts_values:
        return Fact("switch_plain", fields)
    given, got = Points(piles.values[1 - side]), Points(piles.values[side])
    fields |= {"given": given, "got": got}
    return Fact("switch" if given > got else "switch_poor" if given < got else "switch_plain", fields)


def opening_facts(setup: Setup) -> list[Fact]:
    """Return the facts about a side with more cards."""
    facts: list[Fact] = []
    hands = [setup.sides[side]["hand"] for side in (0, 1)]
    if all(isinstance(hand, int) for hand in hands) and hands[0] != hands[1]:
        counts = [int(str(hand)) for hand in hands]
        best = 0 if counts[0] > counts[1] else 1
        facts.append(
            Fact("hands_unequal", {
                "side": Name(best), "rival": Name(1 - best), "count": counts[best], "fewer": counts[1 - best],
            })
        )  # fmt: skip
    fields_at_start = [setup.cards(side, "battlefield") for side in (0, 1)]
    for side in (0, 1):
        count = len(fields_at_start[side])
        if count > len(fields_at_start[1 - side]):
            facts.append(
                Fact("field_at_start", {"side": Name(side), "rival": Name(1 - side), "count": count})
            )
    return facts


HAND_EMPTY, STALLED = "hand_empty", "stalled"  # ways to end, as in the kinds of their facts


def end_facts(event: Event, turns: Sequence[Turn]) -> list[Fact]:
    """Return the facts about the quiet turns before the end, the reason of the end, and the score."""
    facts: list[Fact] = []
    quiet = next((n for n, turn in enumerate(reversed(turns)) if turn.is_eventful), len(turns))
    ending = str(event.fields["ending"]).replace("-", "_")
    if quiet == len(turns):
        facts.append(Fact("no_attack", {"turns": quiet}))
    elif quiet >= LULL and ending != STALLED:
        facts.append(lull_fact("lull_at_end", turns[-quiet:]))
    scores = numbers(event, "scores")
    usual = {"turns": len(turns)} if ending == HAND_EMPTY else {}
    if not usual:
        facts.append(Fact(f"ending_{ending}", {"turns": len(turns)}))
    if scores[0] == scores[1]:
        return [*facts, Fact("end_level", {**usual, "mine": scores[0], "sides": [Name(0), Name(1)]})]
    winner = numbers(event, "winners")[0]
    mine, other = Points(scores[winner]), Points(scores[1 - winner])
    battlefields = event.fields["battlefields"]
    assert isinstance(battlefields, list)
    on_field = total(battlefields[winner])
    fields: dict[str, FactValue] = {
        "side": Name(winner), "rival": Name(1 - winner), "mine": mine, "other": other, "lead": mine - other,
        **usual,
    }  # fmt: skip
    if 0 < on_field < mine:
        fields |= {"on_field": Points(on_field), "pile": Points(mine - on_field)}
    if total(battlefields[1 - winner]) > on_field:
        return [*facts, Fact("end_by_piles", fields)]
    if not other:
        return [*facts, Fact("end_nothing", fields)]
    kind = "end_close" if mine - other < CLOSE else "end_rout" if mine >= ROUT * other else "end_won"
    return [*facts, Fact(kind, fields)]

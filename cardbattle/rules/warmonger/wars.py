"""The Wars and last stands of a battle of Warmonger, collected from its events for a story."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.cards import card_text, rank_of
from cardbattle.core.telling import (
    Card,
    Episode,
    Fact,
    FactValue,
    Name,
    Score,
    conditions,
    number,
    numbers,
)
from cardbattle.rules.warmonger.box import name_of

NOTHING = Fact("", {})
KEPT = ("design", "card", "number")  # fields that the fact about a decisive card copies
BUST = -1  # marks the score of a side that is Bust
RESCUES = ("saved", "raid_saved", "out_raid_saved")  # facts about a successful last stand
OWN_CARDS = (  # facts about cards with which a side changes its own score
    "card_promote", "card_promote_alone", "card_save", "card_supply",
)  # fmt: skip
DETAILS = 2  # maximum number of effects of cards that the story of a War mentions
HAUL = 10  # minimum number of cards in a haul that the story mentions
TWO = 2  # the lowest rank that is a number; Jokers have lower ranks
TWENTY_ONE = 21
LOW = 10  # a War won with at most this score is remarkable
DRAMA = {  # the weight that a fact of this kind adds to its War
    "glimpse_march": 34, "glimpse_save": 34, "glimpse_exchange": 32, "glimpse_strike": 32,
    "glimpse_ceased": 30, "glimpse_vetoed": 30, "glimpse_turned": 28, "glimpse_tied": 26,
    "glimpse_last_word": 22, "glimpse_saved": 20, "glimpse_backfire": 16, "glimpse_low": 14,
    "glimpse_haul": 12,
}  # fmt: skip


class War:
    """A War, or a Skirmish that eliminated a side, with its cause, its Warmonger cards, scores and result.

    Only Wars become episodes. Therefore an elimination in an ordinary Skirmish belongs to the War before it,
    or to the first War.
    """

    def __init__(self, skirmish: int, place: int, turned: Mapping[int, int], sizes: Sequence[int]) -> None:
        self.skirmish = skirmish
        self.first = self.last = place
        self.turned = turned
        self.sizes = sizes
        self.cause: Fact | None = None
        self.sides: list[int] = []
        self.details: list[Fact] = []
        self.scored_at: list[int] = []  # number of sides that had scored at each detail
        self.scores: dict[int, int] = {}
        self.order: list[int] = []  # the sides that have scored in this Battle, in order
        self.altered: set[int] = set()  # sides whose score a card changed after they had scored
        self.downs: dict[int, int] = {}  # by side: number of face-down cards in this Battle
        self.stopped: set[int] = set()  # sides that scored although they could have turned up another card
        self.before_exchange = 0  # the score of the player of an exchange, before the exchange
        self.ties: list[Fact] = []
        self.settled = 0  # number of details that precede the last tie
        self.relaid = 0  # number of sides that laid cards after the last tie
        self.raids: dict[int, tuple[int, int]] = {}  # by raided side: raider, cards taken
        self.raid: Fact | None = None  # the fact about the last Raid after the War
        self.stands: dict[
            int, int
        ] = {}  # by side without cards: number of cards announced before its Lifeline
        self.refused: dict[int, str] = {}  # by side without cards: its last Lifeline that was vetoed
        self.helped: set[int] = set()  # sides whose army a card changed after the War
        self.retreated: list[int] = []
        self.dropped: list[int] = []
        self.announced: list[Event] = []
        self.result: Fact | None = None
        self.winner = NOBODY
        self.haul = 0
        self.out: list[Fact] = []
        self.before: list[Fact] = []  # eliminations in ordinary Skirmishes before the first War
        self.later: list[Fact] = []  # eliminations in ordinary Skirmishes between this War and the next
        self.armies: list[int] = []
        self.course: list[list[int]] = []  # the sizes of the armies at each Skirmish until the next War
        self.stand: LastStand | None = None  # a last stand after the War that the ending does not mention
        self.glimpse: Fact | None = None  # the most remarkable fact about the War, if any
        self.has_largest_haul = False  # True if no other War of the battle had a larger haul
        self.is_last = False  # True for the last War, whose last elimination the ending describes
        self.tells_haul = True  # False if the story compares the armies before and after its Wars

    def take(self, event: Event) -> None:
        taker: Callable[[Event], None] | None = getattr(self, f"on_{event.kind}", None)
        if taker is not None:
            taker(event)

    def on_war_declared(self, event: Event) -> None:
        """Store the sides of the War, and its cause. The card Provocation can also add sides to a War."""
        cause = "widened" if self.sides else str(event.fields["cause"])
        self.details, self.scored_at = [], []  # forget the cards played before the declaration
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
        """Store the score of a side that stands."""
        self.scores[event.side] = score_in(event)
        self.order.append(event.side)
        if self.downs.get(event.side, 0) and event.kind == "stood":
            self.stopped.add(event.side)

    on_busted = on_stood

    def on_battle_tied(self, event: Event) -> None:
        sides = [Name(side) for side in numbers(event, "sides")]
        fields: dict[str, FactValue] = {"score": score_in(event), "sides": sides}
        self.ties.append(Fact("tied_once" if len(sides) == 2 else "tied_many", fields))
        self.settled = len(self.details)
        self.scores = {}
        self.order, self.altered, self.stopped = [], set(), set()
        self.retreated, self.dropped = [], []
        self.relaid = 0

    def on_laid(self, event: Event) -> None:
        self.relaid += 1
        self.downs[event.side] = number(event, "down")

    def on_announced(self, event: Event) -> None:
        self.announced.append(event)

    def on_vetoed(self, event: Event) -> None:
        """Store that a card was vetoed. The most recently announced card is the Veto itself."""
        vetoer = self.announced[-1].side if self.announced else NOBODY
        if vetoer == NOBODY or name_of(number(event, "card")) == "Veto":
            return
        fields = {**self.card_fields(event.side, number(event, "card")), "vetoer": Name(vetoer)}
        self.add_detail(Fact("card_vetoed", fields))
        if event.side in self.stands:
            self.refused[event.side] = name_of(number(event, "card"))

    def add_detail(self, fact: Fact) -> None:
        """If the War has no result yet, store a fact about the effect of a card."""
        if self.result is None:
            self.details.append(fact)
            self.scored_at.append(len(self.order))

    def card_fields(self, side: int, code: int) -> dict[str, FactValue]:
        return {"side": Name(side), "design": name_of(code)}

    def last_played(self) -> tuple[int, dict[str, FactValue]] | None:
        """Return the player and the fields of the last announced card that is not a Veto."""
        for event in reversed(self.announced):
            if name_of(number(event, "card")) != "Veto":
                return event.side, self.card_fields(event.side, number(event, "card"))
        return None

    def on_marked(self, event: Event) -> None:
        """Store that a card counts as another number than the printed one."""
        before, played = self.change_score(event), self.last_played()
        if played is None:
            return
        card, counts = number(event, "card"), number(event, "number")
        fields = played[1] | {
            "card": Card(card_text(card)), "number": counts, **score_fields(score_in(event)),
        }  # fmt: skip
        fields |= was_fields(before)
        if event.side != played[0]:
            kind = "card_strike_bust" if before == BUST else "card_strike"
            self.add_detail(Fact(kind, {**fields, "target": Name(event.side)}))
            return
        fields |= conditions(raised=TWO <= rank_of(card) < counts)
        is_only_card = score_in(event) == counts  # the number of the only card is the score
        kind = "card_save" if before == BUST else "card_promote_alone" if is_only_card else "card_promote"
        self.add_detail(Fact(kind, fields))

    def change_score(self, event: Event) -> int:
        """Store the new score of a side.

        Return the score before the change, or 0 if the side had no score.
        """
        before = self.scores.get(event.side, 0)
        self.scores[event.side] = score_in(event)
        if event.side in self.order:
            self.altered.add(event.side)
        return before

    def on_supplied(self, event: Event) -> None:
        """Store that a card from the deck joined a Battle line."""
        before, played = self.change_score(event), self.last_played()
        if played is not None and before != BUST:
            fields = {
                **played[1], "card": Card(card_text(number(event, "card"))),
                **score_fields(score_in(event)), **was_fields(before),
            }  # fmt: skip
            self.add_detail(Fact("card_supply", fields))

    def on_recounted(self, event: Event) -> None:
        """Store one of the two events about an exchange of cards.

        The first event is about the side that played the Warmonger card, and the second event about its
        target.
        """
        before, played = self.change_score(event), self.last_played()
        if played is None:
            return
        if event.side == played[0]:
            self.before_exchange = before
        elif before != BUST:
            mine = self.scores.get(played[0], BUST)
            fields = {**played[1], "target": Name(event.side), **score_fields(mine)}
            fields |= {"mine_before": self.before_exchange, "theirs_before": before}
            fields |= {"still_bust": "bust"} if mine == self.before_exchange == BUST else {}
            fields |= {"theirs": score_in(event)} if score_in(event) != BUST else {"theirs_bust": "bust"}
            fields |= conditions(
                changed=score_in(event) != before, rescued=self.before_exchange == BUST != mine
            )
            self.add_detail(Fact("card_exchange", fields))

    def on_turned_up(self, event: Event) -> None:
        """Store that a side turned up a card.

        If the side had already scored, a Forced March made it turn up the card.
        """
        self.downs[event.side] = self.downs.get(event.side, 1) - 1
        if event.side in self.order:
            before, played = self.change_score(event), self.last_played()
            if played is not None and played[0] != event.side and before != BUST:
                fields = {
                    **played[1], "target": Name(event.side),
                    **score_fields(score_in(event)), **was_fields(before),
                }  # fmt: skip
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
        """Return the fields about the side whose score would have won the War.

        The result is empty if the side is `player`, or if several sides share the best score. The result is
        also empty if no score is above 0, or if not all sides have scored.
        """
        fighting: Sequence[object] = self.sides
        if self.ties:
            fighting = self.ties[-1].fields["sides"]  # type: ignore[assignment]
        if len(self.scores) < len(fighting) - len(self.retreated) - len(self.dropped):
            return {}
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
        """Store the winner of the War, and the reason why it won."""
        self.winner = event.side
        cause = event.fields["cause"]
        self.result = self.alone() if cause == "alone" else self.by_score(is_last_word=cause == "last-word")

    def alone(self) -> Fact:
        """Return the fact about a War in which the winner had no opponents left."""
        gone = self.retreated or self.dropped
        fields: dict[str, FactValue] = {"side": Name(self.winner), "sides": [Name(side) for side in gone]}
        if len(gone) == 1:
            fields["rival"] = Name(gone[0])
        return Fact("won_alone" if self.retreated else "won_no_cards", fields)

    def by_score(self, *, is_last_word: bool) -> Fact:
        """Return the fact about a War that was won by the scores in its last Battle."""
        mine = self.scores.get(self.winner, 0)
        others = {side: score for side, score in self.scores.items() if side != self.winner}
        busted = [side for side, score in others.items() if score == BUST]
        fields: dict[str, FactValue] = {"side": Name(self.winner), "score": mine}
        fields |= conditions(full=mine == TWENTY_ONE, low=mine <= LOW)
        if busted:
            fields |= self.bust_fields(busted)
        scored = {side: score for side, score in others.items() if score != BUST}
        later = "_after" if len(self.details) > self.settled else ""  # cards were played in this Battle
        if not scored:
            if not self.is_told_bust(busted):
                return Fact(f"won_bust{later}", fields)
            return Fact("won_told" if self.has_told_score() else "won_bust_then", fields)
        rival = max(scored, key=lambda side: (scored[side], -side))
        fields |= {"rival": Name(rival), "other": scored[rival]}
        is_unaltered = not {self.winner, rival} & self.altered
        is_later = self.order.index(rival) < self.order.index(self.winner)
        fields |= conditions(overtook=is_unaltered and is_later, stopped=rival in self.stopped)
        if is_last_word:
            return Fact("won_last_word", fields)
        if busted and not self.is_told_bust(busted):
            return Fact(f"won_some_bust{later}", fields)
        if not busted and self.is_told_exchange(rival):
            return Fact("won_told", fields)
        if not busted and self.has_told_score() and self.details[-1].kind in OWN_CARDS:
            return Fact("won_over", fields)
        close = mine - scored[rival] == 1
        return Fact("won_by_one" if close else "won_score", fields)

    def is_told_bust(self, busted: Sequence[int]) -> bool:
        """Return True if only one side is Bust, and the last detail already states this."""
        if len(self.details) <= self.settled or len(busted) > 1:
            return False
        last = self.details[-1]
        name = last.fields.get("target", last.fields["side"])
        return name == Name(busted[0]) and bool({"bust", "theirs_bust"} & last.fields.keys())

    def has_told_score(self) -> bool:
        """Return True if the last detail is about a card of the winner, and states its last score."""
        if len(self.details) <= self.settled:
            return False
        last = self.details[-1].fields
        return last["side"] == Name(self.winner) and last.get("score") == self.scores[self.winner]

    def is_told_exchange(self, rival: int) -> bool:
        """Return True if the last detail is an exchange of cards, and already states the two best scores."""
        if len(self.details) <= self.settled:
            return False
        last = self.details[-1]
        told = {Name(self.winner): self.scores[self.winner], Name(rival): self.scores[rival]}
        names = last.fields["side"], last.fields.get("target")
        scores = last.fields.get("score"), last.fields.get("theirs")
        return last.kind == "card_exchange" and dict(zip(names, scores, strict=True)) == told

    def bust_fields(self, busted: Sequence[int]) -> dict[str, FactValue]:
        """Return the fields about the sides that went Bust.

        If no Warmonger card changed the scores of these sides, the field `reckless` is set. If the winner
        also stopped before these sides went Bust, the field `watched` is set.
        """
        is_own = not self.altered & set(busted)
        stood = self.order.index(self.winner)
        is_watched = self.winner in self.stopped - self.altered and all(
            self.order.index(side) > stood for side in busted
        )
        return {
            "busted": [Name(side) for side in busted],
            **conditions(reckless=is_own, watched=is_own and is_watched),
        }

    def on_placed(self, event: Event) -> None:
        """Store the size of the haul: the first cards that the winner puts under its deck."""
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
        fields |= {"design": self.refused[event.side]} if event.side in self.refused else {}
        kind = "out_raid" if is_raid else "out" if self.sides else "out_skirmish"
        if is_raid and self.is_lifeline(by):
            kind = "out_raid_saved"
        self.out.append(Fact(kind, fields))

    def on_raided(self, event: Event) -> None:
        target, loot = number(event, "target"), number(event, "count")
        self.raids[target] = event.side, loot
        if self.result is not None or not self.sides:
            self.helped |= {event.side, target}
        if self.result is not None:
            kind = "raid_saved" if self.is_lifeline(event.side) else "raid"
            self.raid = Fact(kind, {"side": Name(event.side), "rival": Name(target), "loot": loot})

    def on_conscripted(self, event: Event) -> None:
        self.helped.add(event.side)

    on_salvaged = on_conscripted

    def on_last_stand(self, event: Event) -> None:
        self.stands[event.side] = len(self.announced)

    def is_lifeline(self, raider: int) -> bool:
        """Return True if the Raid is the first card that a side played after it lost its last card.

        A Veto that protects the Raid does not count.
        """
        played = self.announced[self.stands[raider] :] if raider in self.stands else []
        own = [name_of(number(event, "card")) for event in played if event.side == raider]
        return [name for name in own if name != "Veto"] == ["Raid"]

    def tied(self) -> list[Fact]:
        """Return a fact about the ties of the War, if it had any.

        If no side laid cards after a single tie, the fact says that the tie ended the War.
        """
        if not self.ties:
            return []
        last = self.ties[-1]
        if len(self.ties) > 1:
            return [Fact("tied_often", {**last.fields, "count": len(self.ties)})]
        return [last if self.relaid else Fact("tied_last", last.fields)]

    def facts(self) -> list[Fact]:
        """Return the facts for a detailed story of the War, in the order of events."""
        facts = [*self.before, *([self.cause] if self.cause is not None else [])]
        after = [fact for fact in self.details[self.settled :] if self.is_decisive(fact)][-DETAILS:]
        is_single = len(self.ties) == 1
        before = [fact for fact in self.details[: self.settled] if is_single and self.is_about_tie(fact)]
        facts += [*before[max(0, len(after) + len(before) - DETAILS) :], *self.tied(), *after]
        out = together(self.out)
        if self.result is not None:
            is_end_told = bool(out) and not self.is_last and self.ends_with(out[0])
            kind = f"{self.result.kind}_out" if is_end_told else self.result.kind
            retreats = sum(fact.kind == "card_retreat" for fact in after)
            if kind == "won_alone" and retreats == len(self.retreated):
                kind = "won_told"
            facts.append(self.result._replace(kind=kind))
            out = out[is_end_told:]
        if self.tells_haul and self.haul >= HAUL and not self.out and not self.takes_lead():
            facts.append(Fact("haul", {"side": Name(self.winner), "count": self.haul}))
        if self.raid is not None and self.raid.fields["rival"] not in [
            fact.fields["side"] for fact in self.out
        ]:
            out.append(self.raid)
        out += self.later
        if self.is_last:
            last = key_of([*self.out, *self.later][-1])
            out = [fact for fact in out if fact is self.raid or key_of(fact) != last]
        is_told = self.stand is not None and any(
            fact.kind == "raid_saved" or fact.fields.get("rival") == Name(self.stand.side)
            for fact in out
            if fact.kind in RESCUES
        )
        saved = [Fact("saved", self.stand_fields())] if self.stand is not None and not is_told else []
        first = [self.raid] if saved and self.raid in out and self.raid_has_caused_stand() else []
        return [*facts, *first, *saved, *map(with_refusal, (fact for fact in out if fact not in first))]

    def raid_has_caused_stand(self) -> bool:
        """Return True if the Raid took the last cards of the side that was saved."""
        assert self.stand is not None and self.raid is not None
        return self.raid.fields["rival"] == Name(self.stand.side)

    def stand_fields(self) -> dict[str, FactValue]:
        """Return the fields of the last stand. Cards that the side raided afterwards do not count."""
        assert self.stand is not None
        fields = self.stand.fields()
        if (
            self.raid is not None
            and self.raid.kind == "raid"
            and self.raid.fields["side"] == Name(self.stand.side)
        ):
            left = self.stand.count - int(str(self.raid.fields["loot"]))
            return {**fields, "count": left} if left > 0 else fields
        return fields

    def is_about_tie(self, fact: Fact) -> bool:
        """Return True if a fact names a side of the last tie, and gives no other score than the tie."""
        tied, score = (self.ties[-1].fields[name] for name in ("sides", "score"))
        assert isinstance(tied, list)
        is_last_score = fact.kind != "card_supply" or fact.fields.get("score") == score
        return is_last_score and any(name in tied for name in names_in(fact))

    def is_decisive(self, fact: Fact) -> bool:
        """Return True if a fact names a side that the result also names, or if the War has no winner.

        A card that a side turned up on the way to its score decides nothing.
        """
        side = fact.fields["side"]
        if fact.kind == "card_supply" and isinstance(side, Name):
            last = self.scores.get(side.seat, BUST)
            if fact.fields.get("score", fact.fields.get("naught", BUST)) != last:
                return False
        if self.result is None or self.winner == NOBODY:
            return True
        decided = names_in(self.result)
        return any(name in decided for name in names_in(fact))

    def takes_lead(self) -> bool:
        """Return True if the War made its winner the sole leader.

        If the winner took the lead, the story mentions this together with the size of the army.
        """
        armies = self.armies or self.sizes
        sides = [leaders_of(sizes) for sizes in (self.sizes, armies)]
        return sides[0] != sides[1] == [self.winner]

    def ends_with(self, out: Fact) -> bool:
        """Return True if an elimination concerns exactly the sides that could not lay a card."""
        if self.result is None or self.result.kind != "won_no_cards":
            return False
        gone = out.fields.get("gone") or [out.fields["side"]]
        return out.kind == "out" and gone == self.result.fields["sides"]

    def fallen_last(self) -> tuple[str, list[Name]]:
        """Return the kind of the last elimination, and the sides that it eliminated."""
        last = key_of(self.out[-1])
        gone = [fact.fields["side"] for fact in self.out if key_of(fact) == last]
        return last[0], [side for side in gone if isinstance(side, Name)]

    def short(self) -> Fact:
        if not self.sides:
            return self.out[0]
        gone = [fact for fact in self.gone() if fact.kind.startswith("short_out")]
        if gone:
            return gone[0]
        if self.result is None:
            return Fact("", {})
        kind, fields = self.result.kind, {**self.result.fields, "skirmish": self.skirmish}
        if kind in ("won_alone", "won_no_cards") and self.ties:
            kind, fields["level"] = f"{kind}_tied", self.ties[-1].fields["score"]
        usual = Fact(f"short_{kind}", fields)
        return self.glimpse or usual

    def glimpses(self) -> Iterator[Fact]:
        """Yield the remarkable facts about the War, beginning with the most remarkable one."""
        if self.result is None:
            return
        fields: dict[str, FactValue] = {**self.result.fields, "skirmish": self.skirmish}
        if self.stand is not None and self.winner not in (NOBODY, self.stand.side) and not self.out:
            yield Fact("glimpse_saved", {**fields, **self.stand_fields()})
        if self.result.kind == "ceased" and "leader" in fields:
            yield Fact("glimpse_ceased", fields)
        if self.winner == NOBODY or self.result.kind in ("won_alone", "won_no_cards"):
            return
        yield from self.stroke(fields)
        if len(self.ties) > 1:
            ties = [fact.fields["score"] for fact in self.ties]
            level = {"same": ties[0], "tied": len(ties)} if len({*map(str, ties)}) == 1 else {"ties": ties}
            yield Fact("glimpse_tied", {**fields, "count": len(self.ties) + 1, **level})  # type: ignore[dict-item]
        if self.result.kind == "won_last_word":
            yield Fact("glimpse_last_word", fields)
        caller = self.cause.fields.get("side") if self.cause is not None else None
        if isinstance(caller, Name) and caller.seat in self.sides and caller.seat != self.winner:
            kind = "joker" if self.cause is not None and self.cause.kind.startswith("cause_joker") else "card"
            if self.cause is not None and self.cause.kind.startswith(("cause_joker", "cause_provocation")):
                yield Fact("glimpse_backfire", {**fields, "caller": caller, **conditions(**{kind: True})})
        is_alone = self.result.kind.startswith("won_bust")
        if is_alone and "reckless" in fields and self.scores[self.winner] <= LOW:
            yield Fact("glimpse_low", fields)
        if self.has_largest_haul and self.haul >= HAUL:
            yield Fact("glimpse_haul", {**fields, "haul": self.haul})

    def stroke(self, fields: Mapping[str, FactValue]) -> Iterator[Fact]:
        """Yield a fact about the last Warmonger card, if the winner played it and it decided the War."""
        is_late = len(self.details) > self.settled and self.scored_at[-1] == len(self.scores)
        last = self.details[-1] if is_late else NOTHING
        mine = self.scores.get(self.winner, 0)
        if last.kind == "card_vetoed":
            yield from self.last_veto(last, fields)
        if last.fields.get("side") != Name(self.winner) or self.result is None:
            return
        field_values: dict[str, FactValue] = {
            **fields,
            **{name: last.fields[name] for name in KEPT if name in last.fields},
        }
        best = max((score for side, score in self.scores.items() if side != self.winner), default=BUST)
        before = last.fields.get("before", 0)
        target = last.fields.get("target")
        if isinstance(target, Name):
            theirs = last.fields.get("theirs_before", before)
            field_values |= {"theirs_before": theirs, "rival": target}
            after = self.scores.get(target.seat, BUST)
            field_values |= (
                {"fallen": "bust"} if after == BUST else {"left": after} if after > 0 else {"nothing": 0}
            )
            if last.kind == "card_exchange":
                was = last.fields["mine_before"]
                if 0 < int(str(was)) < int(str(theirs)):
                    yield Fact("glimpse_exchange", {**field_values, "mine_before": was})
            elif isinstance(theirs, int) and theirs > mine:
                yield Fact("glimpse_march" if last.kind == "card_march" else "glimpse_strike", field_values)
        elif last.kind == "card_save":
            yield Fact("glimpse_save", field_values)
        elif isinstance(before, int) and 0 < before <= best < mine:
            yield Fact("glimpse_turned", {**field_values, "before": before})

    def last_veto(self, last: Fact, fields: Mapping[str, FactValue]) -> Iterator[Fact]:
        """Yield a fact about a Veto with which the winner stopped the last card of an opponent in the War."""
        player = last.fields["side"]
        assert isinstance(player, Name)
        if last.fields["vetoer"] == Name(self.winner) and player.seat in self.scores:
            main_fields = {
                name: value for name, value in fields.items() if name in ("side", "score", "skirmish")
            }
            yield Fact("glimpse_vetoed", {**main_fields, "rival": player, "design": last.fields["design"]})

    def weight(self, dealt: int) -> int:
        """Return how remarkable the War is: by its haul, Warmonger cards, eliminations and result."""
        weight = (
            min(40, 100 * self.haul // max(dealt, 1)) + 4 * min(3, len(self.details)) + 8 * len(self.ties)
        )
        weight += DRAMA[self.glimpse.kind] if self.glimpse is not None else 0
        weight += 10 if self.result is not None and self.result.kind == "won_by_one" else 0
        return weight + (15 if self.before or self.later else 0) + (30 if self.out else 0)

    def episode(self, dealt: int) -> Episode:
        winners = [] if self.winner == NOBODY else [self.winner]
        return Episode(
            self.facts(), self.short(), winners, self.armies or self.sizes, self.first, self.last,
            self.weight(dealt), before=self.sizes, course=self.course, gone=self.gone(),
        )  # fmt: skip

    def gone(self) -> list[Fact]:
        """Return the eliminations as facts with the number of the Skirmish.

        The last elimination of the battle, which the ending describes, is not included.
        """
        out = [*self.before, *self.out, *self.later]
        if self.is_last and out:
            out = [fact for fact in out if key_of(fact) != key_of(out[-1])]
        in_war = self.gone_in_war([fact for fact in out if fact.kind == "out"])
        others = [
            fact
            if in_war and fact.fields["skirmish"] == self.skirmish
            else fact._replace(kind=fact.kind.replace("out_raid", "gone_raid"))
            for fact in out
            if fact.kind != "out"
        ]
        facts = [*in_war, *map(with_refusal, others)]
        return sorted(facts, key=lambda fact: int(str(fact.fields["skirmish"])))

    def gone_in_war(self, out: Sequence[Fact]) -> list[Fact]:
        """Return one fact about the sides that this War eliminated, if any."""
        names = [name for fact in out if isinstance(name := fact.fields["side"], Name)]
        return [with_refusal(Fact("short_out", {**together(out)[0].fields, "gone": names}))] if names else []


def with_refusal(out: Fact) -> Fact:
    """Return an elimination as a fact that mentions the vetoed card, if a Veto stopped the last Lifeline."""
    is_refused = "design" in out.fields and out.kind in ("out", "out_skirmish", "short_out")
    return out._replace(kind=f"{out.kind}_refused") if is_refused else out


def names_in(fact: Fact) -> list[Name]:
    """Return the sides that the fields of a fact name. Sides in lists are included."""
    names: list[Name] = []
    for value in fact.fields.values():
        names += [name for name in (value if isinstance(value, list) else [value]) if isinstance(name, Name)]
    return names


def leaders_of(sizes: Sequence[int]) -> list[int]:
    """Return the sides that have the largest army."""
    return [side for side, size in enumerate(sizes) if size == max(sizes)]


def key_of(out: Fact) -> tuple[str, FactValue]:
    """Return a key that is equal for sides that were eliminated together.

    The key consists of the kind of the elimination and the number of the Skirmish.
    """
    return out.kind, out.fields["skirmish"]


def together(out: Sequence[Fact]) -> list[Fact]:
    """Return eliminations as facts. Several eliminations in one War become one fact."""
    lost = [fact for fact in out if fact.kind == "out"]
    if len(lost) < 2:
        return [*out]
    gone = [fact.fields["side"] for fact in lost]
    several = Fact("out", {"gone": gone, "skirmish": lost[0].fields["skirmish"]})  # type: ignore[dict-item]
    return [several, *(fact for fact in out if fact.kind != "out")]


def score_in(event: Event) -> int:
    """Return the score in an event, or BUST if the event has no score."""
    return Score(number(event, "score")) if "score" in event.fields else BUST


def score_fields(score: int) -> dict[str, FactValue]:
    """Return a score as a field. The name of the field shows whether the side is Bust or has no points."""
    return {"score": score} if score > 0 else {"naught": 0} if score == 0 else {"bust": "bust"}


def was_fields(before: int) -> dict[str, FactValue]:
    """Return the score before a change as a field. If there was no score above 0, return {}."""
    return {"before": before} if before > 0 else {}


class LastStand:
    """A last stand: a side without playing cards played a Lifeline, which brought it cards.

    Attributes:
        side: the number of the side.
        skirmish: the number of the Skirmish after which the side had no cards.
        count: the number of cards that the side has at the next Skirmish, or 0 if the side was eliminated.
        until: the number of the last Skirmish before the side is without cards again.
        is_over: True if the side has had another last stand.

    """

    def __init__(self, side: int, skirmish: int) -> None:
        self.side = side
        self.skirmish = skirmish
        self.count = 0
        self.until = skirmish
        self.is_over = False

    def see(self, skirmish: int, sizes: Sequence[int]) -> None:
        """Store the sizes of the armies at the start of a later Skirmish."""
        if self.is_over:
            return
        if skirmish == self.skirmish + 1:
            self.count = sizes[self.side]
        if sizes[self.side]:
            self.until = skirmish

    def fact(self, winner: int, *, is_only: bool) -> Fact:
        """Return the last stand as a fact.

        If the side won the battle, the field `victor` is set. If the side lost and had no other last stand,
        the field `once` is set.
        """
        has_won = self.side == winner
        kept = {"victor": Name(self.side)} if has_won else conditions(once=is_only)
        return Fact("last_stand", {"side": Name(self.side), **self.fields(), **kept})

    def fields(self) -> dict[str, FactValue]:
        """Return fields about the side, the Skirmish, the cards that it got, and how long it survived."""
        return {
            "lost": Name(self.side), "skirmish": self.skirmish, "count": self.count,
            "more": self.until - self.skirmish,
        }  # fmt: skip


def close(parts: Sequence[War], sizes: Sequence[int]) -> None:
    """Store the sizes of the armies after the latest War, unless they are stored already."""
    if parts and not parts[-1].armies:
        parts[-1].armies = list(sizes)

"""Collect the facts for a story of a battle of Warfare Tactics, from the events that the reader saw."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.setup import Setup
from cardbattle.core.telling import (
    Fact,
    FactValue,
    Name,
    Plot,
    Points,
    Scene,
    conditions,
    first_of_few,
    number,
    numbers,
)
from cardbattle.rules.warfare_tactics.dealing import hand_size
from cardbattle.rules.warfare_tactics.state import VALUES, total
from cardbattle.rules.warfare_tactics.threads import BattleHistory, threads_of
from cardbattle.rules.warfare_tactics.turns import BEHIND, Owners, Turn, card_of

LULL = 3  # minimum number of turns without an attack that the story mentions
FEW = 1  # if there are fewer attacks and special moves, the story also mentions the first turn
MANY, CAPTIVES = 5, 12  # minimum numbers to mention: attacks all won by one side, and captured cards
ALIKE = 2  # maximum number of turns that are remarkable for the same reason
CLOSE, ROUT = 10, 2  # the largest lead that is narrow, and the smallest ratio of scores that is clear
TURNED = ("end_won", "end_close", "end_rout")  # ends that can instead say how the loser had led
SHORT_BATTLE = 4  # up to this number of turns with events, a story describes each of these turns


class Piles:
    """The values of the two discard piles after each event (WT-33, WT-43)."""

    def __init__(self) -> None:
        self.values = [0, 0]

    def take(self, event: Event) -> None:
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


def plot(setup: Setup, events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the start, the turns in which something happened, and the end."""
    opening: list[Fact] = []
    ending: list[Fact] = []
    turns: list[Turn] = []
    piles, owners = Piles(), Owners()
    first = NOBODY
    winners: list[int] = []
    counts_values = setup.house.get("discard_score") != "count"
    for place, event in enumerate(events):
        piles.take(event)
        if event.kind == "opened":
            opening = opening_facts(setup)
            first = number(event, "first")
        elif event.kind == "turn_begun":
            if turns:
                turns[-1].scores = scores_in(event, counts_values)
                turns[-1].see_fields(event)
                turn = Turn(event, place, owners)
                turn.before, turn.had = turns[-1].scores, turns[-1].monsters
                turns.append(turn)
            else:
                turns.append(Turn(event, place, owners))
                turns[-1].before = scores_in(event, counts_values)
            turns[-1].has_deck = [any(numbers(event, "deck_sizes"))] * 2
        elif event.kind == "ended":
            turns[-1].scores = numbers(event, "scores")
            battlefields = event.fields["battlefields"]
            assert isinstance(battlefields, list)
            turns[-1].monsters = [len(cards) for cards in battlefields]
            winners = numbers(event, "winners")
            ending = end_facts(event, turns)
        elif turns:
            turns[-1].take(event)
            owners.take(event, turns[-1].number)
            turns[-1].last = place
            if event.kind in ("called_seven", "switched"):
                turns[-1].add_special(special_fact(event, turns[-1].number, piles, counts_values))
    for at, turn in enumerate(turns):
        turn.take_back(turns[at + 1 :])
    mark_lulls(turns)
    latest: Turn | None = None
    for turn in turns:
        if turn.is_eventful and turn.scores and not turn.is_merged:
            latest = turn
        elif latest is not None and turn.scores:
            latest.quiet.append(turn.scores)
    eventful = [turn for turn in turns if turn.is_eventful and turn.scores and not turn.is_merged]
    if len(eventful) < FEW:
        opening = [Fact("first_turn", {"side": Name(first), "rival": Name(1 - first)}), *opening]
    everything = sum(turn.moved for turn in eventful)
    for turn, glimpse in zip(
        eventful, first_of_few([[*turn.glimpses()] for turn in eventful], ALIKE), strict=True
    ):
        turn.glimpse = glimpse
    episodes = [turn.episode(everything) for turn in eventful]
    is_long = len(eventful) > SHORT_BATTLE
    is_won = counts_values and len(winners) == 1
    threads = threads_of(turns, winners[0]) if is_won and is_long else []
    if is_won:
        ending[-1] = with_due(ending[-1], turns, winners[0], has_threads=bool(threads))
    threads = [thread._replace(scenes=[Scene(opening), *thread.scenes]) for thread in threads]
    return Plot(opening, episodes, ending, is_selective=True, hooks=hook_facts(turns), threads=threads)


def with_due(end: Fact, turns: Sequence[Turn], winner: int, *, has_threads: bool) -> Fact:
    """If one turn gained the winner more than its final lead, name this turn in the fact about the end.

    If the loser was ahead before this turn, and no thread says so, the fact has the scores before it.
    """
    history = BattleHistory(turns, winner)
    lead = history.lead(history.turns[-1].scores)
    main = history.main
    if main is None or history.gain(main) <= lead:
        return end
    fields: dict[str, FactValue] = {"due": main.number, "gain": Points(history.gain(main))}
    if not has_threads and history.lead(main.before) <= -BEHIND and end.kind in TURNED:
        was: dict[str, FactValue] = {
            "was": Points(main.before[winner]), "theirs_was": Points(main.before[1 - winner]),
        }  # fmt: skip
        return Fact("end_turned", {**end.fields, **fields, **was})
    return end._replace(fields={**end.fields, **fields})


def hook_facts(turns: Sequence[Turn]) -> list[Fact]:
    """Return facts about a side that won every attack, or captured many cards."""
    attacks = [turn for turn in turns if turn.attack and turn.winner != NOBODY]
    facts = []
    if len(attacks) >= MANY and len({turn.winner for turn in attacks}) == 1:
        names: dict[str, FactValue] = {"side": Name(attacks[0].winner), "rival": Name(1 - attacks[0].winner)}
        facts.append(Fact("one_sided", {**names, "count": len(attacks)}))
    taken = [sum(len(turn.prizes) for turn in attacks if turn.winner == side) for side in (0, 1)]
    best = 0 if taken[0] >= taken[1] else 1
    if taken[best] >= CAPTIVES:
        fields: dict[str, FactValue] = {"side": Name(best), "rival": Name(1 - best), "count": taken[best]}
        facts.append(Fact("captives", fields))
    return facts


def scores_in(event: Event, counts_values: bool) -> list[int]:
    """Return the scores of both sides at the start of a turn.

    If each card in a discard pile counts 1 point instead of its value, only the battlefields are counted.
    """
    fields, piles = numbers(event, "totals"), numbers(event, "discard_totals")
    return [fields[side] + (piles[1 - side] if counts_values else 0) for side in (0, 1)]


def mark_lulls(turns: Sequence[Turn]) -> None:
    """Add a fact to each turn after a lull, a series of turns without attacks and special moves."""
    quiet: list[Turn] = []
    busy: list[Turn] = []
    for turn in turns:
        if not turn.is_eventful:
            quiet.append(turn)
            continue
        if len(quiet) >= LULL:
            before = busy[-1] if busy else None
            is_first = not any(earlier.attack for earlier in busy)
            turn.lull = lull_fact("lull", quiet, is_first=is_first)
            seven = before.lone_seven if before else None
            if before and seven and before.lull is None:
                before.is_merged, turn.first = True, before.first
                turn.lull = with_seven(turn.lull, seven, is_only=len(busy) == 1)
        quiet = []
        busy.append(turn)


def with_seven(lull: Fact, seven: Fact, *, is_only: bool) -> Fact:
    """Combine the fact about a lull with the fact about the special move SEVEN directly before the lull."""
    fields: dict[str, FactValue] = {
        "caller": seven.fields["side"], "seven": seven.fields["turn"], "paid": seven.fields["paid"],
        "count": seven.fields["count"], **conditions(only=is_only),
    }  # fmt: skip
    if "back" in seven.fields:
        fields["back"] = seven.fields["back"]
    if "side" in lull.fields:
        is_own = lull.fields["side"] == seven.fields["side"]
        fields |= conditions(own=is_own, theirs=not is_own)
    return Fact("lull_seven", {**lull.fields, **fields})


def lull_fact(kind: str, quiet: Sequence[Turn], *, is_first: bool = False) -> Fact:
    """Return a fact about a lull, which says that several turns had no attack and no special move.

    The fact also has the scores after the lull. `is_first` is True if there was no attack before the turns in
    `quiet` either.
    """
    is_dry = is_first and quiet[0].has_deck[0] and not quiet[-1].has_deck[1]
    first, last = quiet[0].number, quiet[-1].number
    scores = quiet[-1].scores
    best = 0 if scores[0] >= scores[1] else 1
    fields: dict[str, FactValue] = {
        "turns": len(quiet), "since": first, "until": last,
        **conditions(later=first > 1, dry=is_dry, first=is_first),
    }  # fmt: skip
    if scores[0] == scores[1]:
        return Fact(kind, {**fields, "level": Points(scores[0])})
    standing: dict[str, FactValue] = {
        "side": Name(best), "rival": Name(1 - best),
        "mine": Points(scores[best]), "other": Points(scores[1 - best]),
        "monsters": quiet[-1].monsters[best], "rivals_monsters": quiet[-1].monsters[1 - best],
    }  # fmt: skip
    return Fact(kind, fields | standing)


def special_fact(event: Event, turn: int, piles: Piles, counts_values: bool) -> Fact:
    """Return the fact about a special move and its cost. For a SWITCH, it has the values of the piles."""
    side = event.side
    paid = [card_of(card) for card in numbers(event, "paid")]
    cost = total(numbers(event, "paid"))
    fields: dict[str, FactValue] = {"side": Name(side), "rival": Name(1 - side), "turn": turn, "cost": cost}
    if paid:
        fields["paid"] = paid
    if event.kind == "called_seven":
        return Fact("seven" if paid else "seven_free", fields)
    if not counts_values:
        return Fact("switch_plain", fields)
    given, got = Points(piles.values[1 - side]), Points(piles.values[side])
    fields |= {"given": given, "got": got, "hoard": Points(given - cost), **conditions(more=given > cost)}
    closed = 2 * (given - got) - cost - paid_from_field(event)
    if closed > 0:
        fields["closed"] = Points(closed)  # by how much the enemy's lead shrinks
    return Fact("switch" if given > got else "switch_poor" if given < got else "switch_plain", fields)


def paid_from_field(event: Event) -> int:
    """Return the value of the monsters on the battlefield that paid for a special move."""
    origins = event.fields["origins"]
    assert isinstance(origins, list)
    paid = zip(numbers(event, "paid"), origins, strict=True)
    return sum(VALUES[card] for card, origin in paid if origin == "battlefield")


def opening_facts(setup: Setup) -> list[Fact]:
    """Return facts about a side that begins with more cards than the other."""
    facts: list[Fact] = []
    counts = [hand_size(setup, side) for side in (0, 1)]
    if counts[0] != counts[1]:
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


HAND_EMPTY, STALLED = "hand_empty", "stalled"  # the endings of a battle, as in the kinds of their facts


def end_facts(event: Event, turns: Sequence[Turn]) -> list[Fact]:
    """Return facts about the end of the battle: the quiet turns before it, its reason, and the scores."""
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
    mine, theirs = Points(scores[winner]), Points(scores[1 - winner])
    battlefields = event.fields["battlefields"]
    assert isinstance(battlefields, list)
    on_field = total(battlefields[winner])
    fields: dict[str, FactValue] = {
        "side": Name(winner), "rival": Name(1 - winner), "mine": mine, "other": theirs, "lead": mine - theirs,
        **usual,
    }  # fmt: skip
    if 0 < on_field < mine:
        fields |= {"on_field": Points(on_field), "pile": Points(mine - on_field)}
    if total(battlefields[1 - winner]) > on_field:
        is_close = mine - theirs < CLOSE
        return [*facts, Fact("end_by_piles_close" if is_close else "end_by_piles", fields)]
    if not theirs:
        return [*facts, Fact("end_nothing", fields)]
    kind = "end_close" if mine - theirs < CLOSE else "end_rout" if mine >= ROUT * theirs else "end_won"
    return [*facts, Fact(kind, fields)]

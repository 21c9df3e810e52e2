"""Collect the facts for a story of a battle of Wargame, from the events that the reader saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.setup import Setup
from cardbattle.core.telling import Fact, FactValue, Name, Plot, conditions, number, numbers
from cardbattle.rules.wargame.battle import FOUR_ADJACENT, PLACES, RESIGNED, RUN, SEVEN_BATTLES
from cardbattle.rules.wargame.fight import Fight, spaces_in_row
from cardbattle.rules.wargame.threads import BattleHistory, threads_of

FAR = 6  # the smallest lead in the comparison of the lines that counts as large


def plot(setup: Setup, events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the lines, each fight, and the end."""
    opening = chips_fact(setup)
    fights: list[Fight] = []
    ending: list[Fact] = []
    winner = NOBODY
    places = 0
    lines: list[dict[int, int]] = [{}, {}]
    for place, event in enumerate(events):
        if event.kind == "checked":
            opening.append(lines_fact(event))
            lines = lines_in(event)
            places = sum(numbers(event, "ahead")) + number(event, "level")
        elif event.kind == "battle_begun":
            fights.append(Fight(event, place))
        elif event.kind == "ended":
            if fights:
                fights[-1].is_last = True
            ending.append(end_fact(event.fields, places, len(spaces_in_row(fights)) if fights else 0))
            winner = numbers(event, "winners")[0] if event.fields["reason"] != RESIGNED else NOBODY
        elif fights:
            fights[-1].take(event)
            fights[-1].last = place
    chips = chips_in(setup)
    add_history(fights, chips)
    add_lines(fights, lines)
    fought = [fight for fight in fights if fight.victor != NOBODY]
    is_whole = winner != NOBODY and bool(chips)
    threads = threads_of(BattleHistory(fought, winner, chips), opening) if is_whole else []
    episodes = [fight.episode() for fight in fought]
    return Plot(opening, episodes, ending, threads=threads, is_cost_told=winner != NOBODY)


def add_history(fights: Sequence[Fight], chips: Sequence[int]) -> None:
    """Store in each fight the chips and the switches before it."""
    purse, moved = [*chips], set[int]()
    for fight in fights:
        fight.start, fight.purse, fight.moved = [*chips], [*purse], {*moved}
        purse = [fight.chips.get(side, count) for side, count in enumerate(purse)]
        moved |= {place for places in fight.places.values() for place in places}


def lines_in(event: Event) -> list[dict[int, int]]:
    """Return the cards of each side by their places, as all sides see them before the first battle."""
    lines = event.fields["lines"]
    assert isinstance(lines, list)
    return [dict(enumerate(line, 1)) for line in lines]


def add_lines(fights: Sequence[Fight], lines: Sequence[Mapping[int, int]]) -> None:
    """Store in each fight the cards that stay in the lines, and the spaces won before it."""
    left, won = [{**line} for line in lines], [set[int](), set[int]()]
    open_sides: set[int] = set()
    for fight in fights:
        for side, cards in fight.switches.items():
            left[side] |= cards
        for line in left:
            line.pop(fight.place, None)
        fight.lines, fight.held = [{**line} for line in left], [{*places} for places in won]
        open_sides |= {*fight.denounced}
        fight.is_open = fight.victor in open_sides
        if fight.victor != NOBODY:
            won[fight.victor].add(fight.place)


def chips_in(setup: Setup) -> list[int]:
    """Return the number of chips that each side has at the beginning, or an empty list if it is unknown."""
    usual = setup.house["chips"]
    chips = [side["chips"] if side["chips"] is not None else usual for side in setup.sides]
    return [int(str(count)) for count in chips] if all(isinstance(count, int) for count in chips) else []


def chips_fact(setup: Setup) -> list[Fact]:
    """Return a fact about the side that has fewer chips."""
    counts = chips_in(setup)
    if not counts or counts[0] == counts[1]:
        return []
    few = 0 if counts[0] < counts[1] else 1
    fields: dict[str, FactValue] = {
        "side": Name(few), "rival": Name(1 - few), "count": counts[few], "more": counts[1 - few],
    }  # fmt: skip
    return [Fact("chips_unequal", fields)]


def lines_fact(event: Event) -> Fact:
    """Return the fact that compares the two lines and names the first attacker."""
    ahead, attacker = numbers(event, "ahead"), number(event, "attacker")
    mine, theirs = ahead[attacker], ahead[1 - attacker]
    fields: dict[str, FactValue] = {
        "side": Name(attacker), "rival": Name(1 - attacker), "mine": mine, "other": theirs,
        **conditions(some=theirs > 0, all=mine == PLACES, most=mine < PLACES),
    }  # fmt: skip
    kind = "even" if mine == theirs else "far_ahead" if mine - theirs >= FAR else "ahead"
    return Fact(f"lines_{kind}", fields)


def end_fact(fields: Mapping[str, object], places: int, width: int = 0) -> Fact:
    """Return the fact about the end of a battle.

    `places` is the number of places in a line. `width` is the number of adjacent spaces that the winner holds
    at the end.
    """
    winners, scores, reason = fields["winners"], fields["scores"], fields["reason"]
    assert isinstance(winners, list) and isinstance(scores, list)
    winner = int(winners[0])
    mine, theirs = int(scores[winner]), int(scores[1 - winner])
    kind = {RESIGNED: "end_resigned", FOUR_ADJACENT: "end_four", SEVEN_BATTLES: "end_seven"}[str(reason)]
    if kind == "end_seven" and mine - theirs == 1:
        kind = "end_seven_close"
    if kind == "end_four" and mine <= theirs:
        kind = "end_four_anyway"
    field_values: dict[str, FactValue] = {
        "side": Name(winner), "rival": Name(1 - winner), "mine": mine, "other": theirs, "places": places,
        "width": width,
        **conditions(last=mine + theirs == places, none=theirs == 0, some=theirs > 0),
        **conditions(four=width == RUN, ahead=mine > theirs),
    }  # fmt: skip
    return Fact(kind, field_values)

"""Collect the facts for a story of a battle of Field of Honour, from the events that the reader saw."""

from __future__ import annotations

from collections.abc import Sequence

from cardbattle.core.battle import Event
from cardbattle.core.telling import Fact, FactValue, Name, Plot, conditions, number, numbers
from cardbattle.rules.field_of_honour.battle import SPACES
from cardbattle.rules.field_of_honour.space import Space
from cardbattle.rules.field_of_honour.threads import BattleHistory, threads_of

FAR_BEHIND = 2  # minimum deficit in spaces that the story mentions


def plot(events: Sequence[Event]) -> Plot:
    """Return the facts for a story: the sizes of the armies, the fight for each space, and the end."""
    opening: list[Fact] = []
    spaces: list[Space] = []
    ending: list[Fact] = []
    hands: list[int] = []
    for place, event in enumerate(events):
        if event.kind == "dealt":
            opening += hands_fact(numbers(event, "hands"))
        elif event.kind == "lined_up":
            hands = numbers(event, "hands")
        elif event.kind == "revealed":
            spaces.append(Space(event, place))
        elif event.kind == "settled":
            space = spaces[-1]
            space.holder, space.final = number(event, "holder"), numbers(event, "values")
            space.held, space.last = numbers(event, "held"), place
        elif event.kind == "ended":
            ending.append(end([space.held for space in spaces]))
        elif spaces:
            spaces[-1].take(event)
    decided = [space.is_decided() for space in spaces]
    episodes = [space.episode(any(decided[:at])) for at, space in enumerate(spaces)]
    is_whole = bool(hands and ending) and len(spaces) == SPACES
    threads = threads_of(BattleHistory(spaces, episodes, hands), opening) if is_whole else []
    return Plot(opening, episodes, ending, threads=threads)


def hands_fact(sizes: Sequence[int]) -> list[Fact]:
    """Return a fact that compares how many cards the two sides have, if one of them has fewer."""
    if sizes[0] == sizes[1]:
        return []
    few = 0 if sizes[0] < sizes[1] else 1
    fields: dict[str, FactValue] = {
        "side": Name(few),
        "rival": Name(1 - few),
        "count": sizes[few],
        "more": sizes[1 - few],
    }
    return [Fact("hands_unequal", fields)]


def end(course: Sequence[Sequence[int]]) -> Fact:
    """Return the fact about the end of the battle.

    `course` has the number of spaces that each side holds after each fight.
    """
    held = course[-1]
    first_leads = [spaces[0] - spaces[1] for spaces in course]
    if held[0] == held[1]:
        side = 0 if min(first_leads) < 0 and min(first_leads) <= -max(first_leads) else 1
        kind = "end_level" if held[0] else "end_empty"
        names: dict[str, FactValue] = {"side": Name(side), "rival": Name(1 - side), "held": held[0]}
        return Fact(kind, names | deficit([(1 - 2 * side) * lead for lead in first_leads]))
    winner = 0 if held[0] > held[1] else 1
    won, lost = held[winner], held[1 - winner]
    leads = [(1 - 2 * winner) * lead for lead in first_leads]
    was = leads[-2]
    kind = "end_rout" if not lost and won >= 3 else "end_close" if won - lost == 1 else "end_won"
    fields: dict[str, FactValue] = {
        "side": Name(winner), "rival": Name(1 - winner), "held": won, "lost": lost,
        **conditions(
            all=won == SPACES, open=was <= 1, last=was == 0, late=was > 1 and leads[-1] < was,
            behind=min(leads) < 0,
        ),
    }  # fmt: skip
    return Fact(kind, fields | deficit(leads))


def deficit(leads: Sequence[int]) -> dict[str, FactValue]:
    """Return the largest deficit of a side as a field of a fact, if it is large enough to mention.

    The deficit is a number of spaces.
    """
    return {"deficit": -min(leads)} if min(leads) <= -FAR_BEHIND else {}

"""Propose outlines (threads) for a story of a battle of Wargame.

An outline can be about a one-sided victory, a comeback, Traitor cards, or a lack of chips. A fight is the
battle for one space.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby

from cardbattle.core.telling import Card, Fact, FactValue, Name, Scene, Score, Thread, conditions, standing
from cardbattle.rules.wargame.battle import MORTAR, PLACES
from cardbattle.rules.wargame.fight import Fight

ROUT = 4  # smallest difference of the scores of a rout
FAR = 3  # smallest lead that counts as large, in battles
MANY = 3  # smallest number of battles that a lack of chips explains
LEAST_FIGHTS = 4  # if there are fewer fights, a story describes each of them
ALMOST = 6  # number of wins that are one short of seven
Scenes = list[Scene]


class BattleHistory:
    """The fights of a battle, and facts that follow from them.

    Attributes:
        fights: all fights that a side won.
        winner, loser: the numbers of the two sides.
        leads: the winner's lead before the first fight and after each fight.
        chips: the number of chips that each side has at the beginning.

    """

    def __init__(self, fights: Sequence[Fight], winner: int, chips: Sequence[int]) -> None:
        self.fights = fights
        self.winner, self.loser = winner, 1 - winner
        self.leads = [0, *(each.scores[winner] - each.scores[1 - winner] for each in fights)]
        self.chips = chips

    @property
    def last(self) -> int:
        """The index of the last fight."""
        return len(self.fights) - 1

    def names(self, side: int) -> dict[str, FactValue]:
        return {"side": Name(side), "rival": Name(1 - side)}

    def won(self, side: int, first: int = 0) -> int:
        """Return how many of the fights from the index `first` on a side won."""
        return sum(each.victor == side for each in self.fights[first:])

    def chips_left(self, side: int) -> int:
        """Return the number of chips that a side has at the end."""
        counts = [each.chips[side] for each in self.fights if side in each.chips]
        return counts[-1] if counts else self.chips[side]


def threads_of(history: BattleHistory, opening: Sequence[Fact]) -> list[Thread]:
    """Return the threads of a battle. Each thread begins with the facts in `opening`.

    A short battle has no threads.
    """
    if len(history.fights) < LEAST_FIGHTS:
        return []
    first = [Scene([fact]) for fact in opening]
    return [
        thread._replace(scenes=[*first, *thread.scenes]) for build in BUILDERS for thread in build(history)
    ]


# Threads ---------------------------------------------------------------------------------------


def rout(history: BattleHistory) -> Iterator[Thread]:
    """If one side won by far, yield a thread about the errors of the loser, and one about the winner."""
    fights, loser, winner = history.fights, history.loser, history.winner
    if not is_rout(history):
        return
    answers = [at for at, each in enumerate(fights) if each.victor == loser]
    hits = [at for at, each in enumerate(fights) if each.victor == winner and at < history.last]
    hits.sort(key=lambda at: (-fights[at].weight(), at))
    errors = [
        *key_fights(history, sorted([*hits[:2], *answers[:1]])), *great_cards(history), *vain_chips(history),
        *full_purse(history),
    ]  # fmt: skip
    yield Thread("rout", loser, errors, 80, [winner])
    strokes = [
        *attack(history), *key_fights(history, sorted(hits[:2])), *key_fights(history, [history.last]),
        *full_purse(history),
    ]  # fmt: skip
    yield Thread("advance", winner, strokes, 80, [loser])


def is_rout(history: BattleHistory) -> bool:
    """Return True if the winner won by far, and was never more than one fight behind."""
    return history.leads[-1] >= ROUT and min(history.leads) >= -1


def decider(history: BattleHistory) -> Iterator[Thread]:
    """If the last fights decided the battle, yield a thread about them."""
    last, loser = history.last, history.loser
    if history.leads[-1] > 2 or history.fights[-1].scores[loser] < ALMOST - 1:
        return
    keys = {last, last - 1}
    notes: dict[int, list[Fact]] = {}
    reached = next((at for at, each in enumerate(history.fights) if each.scores[loser] == ALMOST), last)
    if reached < last:
        keys.add(reached)
        left = last - reached
        is_level = history.fights[reached].scores[history.winner] == ALMOST
        fields = {**history.names(loser), "count": left, **conditions(several=left > 1)}
        notes[reached] = [Fact("six_all" if is_level else "one_short", fields)]
    scenes = [*tight(history), *told_fights(history, {*keys, *spread(history, last - 1)}, notes)]
    yield Thread("decider", history.winner, scenes, 70, [loser])


def comeback(history: BattleHistory) -> Iterator[Thread]:
    """If the winner was once far behind, yield a thread about this for the winner, and one for the loser."""
    low = min(range(len(history.leads)), key=lambda at: (history.leads[at], -at))
    if history.leads[low] > -FAR:
        return
    ahead = next((at for at in range(low, len(history.leads)) if history.leads[at] > 0), len(history.fights))
    scores = history.fights[low - 1].scores
    fields: dict[str, FactValue] = {
        **history.names(history.winner), "deficit": -history.leads[low], "count": low,
        "score": Score(scores[history.winner]), "lead": scores[history.loser],
    }  # fmt: skip
    keys = {low, ahead - 1}
    for hero, kind in ((history.winner, "down"), (history.loser, "up")):
        notes = {low - 1: [Fact(kind, {**fields, **history.names(hero)})]}
        early = [at for at in best_before(history, low) if history.fights[at].victor == history.loser]
        first, *later = told_fights(history, keys, notes, low - 1)
        more = faded(history, low) if hero == history.loser else []
        scenes = [*key_fights(history, early[:1]), first, *more, *later]
        yield Thread("comeback" if hero == history.winner else "collapse", hero, scenes, 75, [1 - hero])


def traitors(history: BattleHistory) -> Iterator[Thread]:
    """If Traitor cards changed fights that mattered, yield a thread about these fights."""
    keys = {at for at, each in enumerate(history.fights) if each.denounced}
    used = {side for at in keys for side in history.fights[at].denounced}
    if not keys or (len(used) < 2 and history.leads[-1] > FAR):
        return
    yield Thread("traitors", history.winner, told_fights(history, {*keys, history.last}), 60, [history.loser])


def purse(history: BattleHistory) -> Iterator[Thread]:
    """If the loser ran out of chips and then won few fights, yield a thread about this."""
    loser = history.loser
    empty = next((at for at, each in enumerate(history.fights) if each.chips.get(loser) == 0), history.last)
    left = history.last - empty
    won = history.won(loser, empty + 1)
    if left < MANY or 3 * won > left:
        return
    fields: dict[str, FactValue] = {
        **history.names(loser), "fight": history.fights[empty].number, "count": left, "wins": won,
        **conditions(none=not won, some=won > 0, paid=loser in history.fights[empty].payers),
    }  # fmt: skip
    notes = {empty: [Fact("chips_gone", fields)]}
    scenes = told_fights(history, {empty, history.last}, notes, has_extras=False)
    if not won:  # the note already says who won the fights between the two
        later = history.fights[empty].last
        scenes = [each for each in scenes if each.last <= later or each.facts[0].kind != "run_all"]
    yield Thread("purse", loser, [*scenes, *full_purse(history)], 65, [history.winner])


def race(history: BattleHistory) -> Iterator[Thread]:
    """Yield a thread about the most remarkable fights of a battle, unless one side won by far."""
    if is_rout(history):
        return
    scenes = told_fights(history, {*spread(history, history.last), history.last})
    yield Thread("race", history.winner, [*scenes, *full_purse(history)], 50, [history.loser])


BUILDERS: Sequence[Callable[[BattleHistory], Iterator[Thread]]] = (
    rout,
    decider,
    comeback,
    traitors,
    purse,
    race,
)


# Scenes ----------------------------------------------------------------------------------------


def told_fights(
    history: BattleHistory,
    keys: Collection[int],
    notes: Mapping[int, Sequence[Fact]] | None = None,
    first: int = -1,
    *,
    has_extras: bool = True,
) -> Scenes:
    """Return scenes about the key fights, and scenes that summarise the fights between them.

    `notes` maps the index of a fight to facts that follow the description of the fight. Up to the index
    `first`, only these notes are written.
    """
    scenes: Scenes = []
    extra = notes or {}
    for at, facts in extra.items():
        if at <= first:
            scenes.append(Scene([*facts], history.fights[at].last))
    rest = range(first + 1, len(history.fights))
    for is_key, group in groupby(rest, key=lambda at: at in keys):
        numbers = [*group]
        if not is_key:
            scenes += stretch(history, numbers[0], numbers[-1])
            continue
        for at in numbers:
            scenes += key_fights(history, [at], has_extras=has_extras)
            facts = [*extra.get(at, ())] or turn_of_lead(history, at)
            scenes += [Scene(facts, history.fights[at].last, rank=0 if at in extra else 2)] if facts else []
    return scenes


def best_before(history: BattleHistory, last: int) -> list[int]:
    """Return the indices of the fights before the fight `last`, the most remarkable first."""
    return sorted(range(last), key=lambda at: (-history.fights[at].weight(), at))


def spread(history: BattleHistory, last: int) -> list[int]:
    """Return the index of the most remarkable fight in each half of the fights before the fight `last`."""
    half = last // 2
    return [*best_before(history, half)[:1], *[at for at in best_before(history, last) if at >= half][:1]]


def key_fights(history: BattleHistory, numbers: Sequence[int], *, has_extras: bool = True) -> Scenes:
    """Return scenes that describe fights at length.

    If `has_extras` is False, the scenes do not mention a last chip or a broken line.
    """
    scenes = []
    for at in numbers:
        main, *others = history.fights[at].facts()
        scenes.append(Scene([main], history.fights[at].last))
        if has_extras:
            scenes += [Scene([fact], history.fights[at].last, rank=3) for fact in others]
    return scenes


def stretch(history: BattleHistory, first: int, last: int) -> Scenes:
    """Return a scene about who won the fights `first` to `last`, and about the score after them."""
    told = history.fights[first : last + 1]
    if first == last:
        return [Scene([told[0].main()], told[0].last, rank=1)]
    wins = [sum(each.victor == side for each in told) for side in (0, 1)]
    before = history.fights[first - 1].victor if first else -1
    side = max((0, 1), key=lambda side: (wins[side], side == told[0].victor))
    count = len(told)
    fields: dict[str, FactValue] = {
        **history.names(side), "count": count, "wins": wins[side], "losses": wins[1 - side],
        "next_count" if first else "first_count": count,
        **conditions(again=before == side),
        **(standing(told[-1].scores, side) if last < history.last else conditions(final=True)),
    }  # fmt: skip
    kind = "run_all" if not wins[1 - side] else "run_even" if wins[0] == wins[1] else "run_most"
    return [Scene([Fact(kind, fields)], told[-1].last), *betrayals(told)]


def betrayals(fights: Sequence[Fight]) -> Scenes:
    """Return a scene about each of several fights that a Traitor decided."""
    return [
        Scene([Fact("run_traitor", fight.fields)], fights[-1].last, rank=1)
        for fight in fights if len(fight.denounced) == 1
    ]  # fmt: skip


def turn_of_lead(history: BattleHistory, at: int) -> list[Fact]:
    """If a fight other than the last changed the lead, return a fact about the score after it."""
    before, after = history.leads[at], history.leads[at + 1]
    if at == history.last or ((before > 0) == (after > 0) and (before < 0) == (after < 0)):
        return []
    scores = history.fights[at].scores
    earlier = [lead for lead in history.leads[: at + 1] if lead]
    if not after:
        return [Fact("now_level", {"score": scores[0], "count": at + 1, **conditions(again=bool(earlier))})]
    side = history.winner if after > 0 else history.loser
    had_led = any((lead > 0) == (after > 0) for lead in earlier)
    overtook = bool(earlier) and (earlier[-1] > 0) != (after > 0)
    fields = {
        **history.names(side), "lead": scores[side], "behind": scores[1 - side],
        **conditions(again=had_led, overtook=overtook),
    }  # fmt: skip
    return [Fact("now_ahead", fields)] if scores[1 - side] else []


def attack(history: BattleHistory) -> Scenes:
    """If the winner attacked first, return a scene about how rarely the loser won the right to attack."""
    fights = history.fights
    taken = sum(
        fights[at].attacker != fights[at - 1].attacker == history.winner for at in range(1, len(fights))
    )
    if fights[0].attacker != history.winner:
        return []
    kind = "attack_lost" if taken else "attack_kept"
    fields = {
        **history.names(history.winner),
        "count": len(fights),
        "taken": taken,
        **conditions(several=taken > 1),
    }
    return [Scene([Fact(kind, fields)], fights[-1].last)]


def great_cards(history: BattleHistory) -> Scenes:
    """If the loser lost both its greatest cards, return a scene about this and about the Spies that won."""
    lost = {
        each.cards[history.loser]: each for each in history.fights
        if each.victor == history.winner and each.cards[history.loser] in (PLACES, MORTAR)
    }  # fmt: skip
    if len(lost) < 2:
        return []
    spies = sum(each.how == "spy" for each in lost.values())
    fields: dict[str, FactValue] = {
        **history.names(history.loser), "cards": [Card(str(card)) for card in (PLACES, MORTAR)],
        **conditions(spies=spies == 2, spy=spies == 1),
    }  # fmt: skip
    return [Scene([Fact("great_lost", fields)], history.fights[-1].last, is_filler=True)]


def vain_chips(history: BattleHistory) -> Scenes:
    """If the loser lost most of the fights in which it paid a chip, return a scene about this."""
    loser = history.loser
    paid = [each for each in history.fights if loser in each.chips]
    lost = sum(each.victor == history.winner for each in paid)
    if len(paid) < 2 or 2 * lost <= len(paid):
        return []
    fields: dict[str, FactValue] = {
        **history.names(loser), "paid": len(paid), "lost": lost,
        **conditions(all=lost == len(paid), some=lost < len(paid)),
    }  # fmt: skip
    return [Scene([Fact("chips_vain", fields)], history.fights[-1].last)]


def full_purse(history: BattleHistory) -> Scenes:
    """If the winner had several chips and never paid one, return a scene about this."""
    left = history.chips_left(history.winner)
    if left < 2 or left < history.chips[history.winner]:
        return []
    fields: dict[str, FactValue] = {**history.names(history.winner), "left": left}
    return [Scene([Fact("chips_left", fields)], history.fights[-1].last, is_filler=True)]


def faded(history: BattleHistory, first: int) -> Scenes:
    """Return a scene about how many of the fights from index `first` on the loser won."""
    count = len(history.fights) - first
    wins = history.won(history.loser, first)
    fields: dict[str, FactValue] = {
        **history.names(history.loser), "count": count, "wins": wins,
        **conditions(none=not wins, some=wins > 0),
    }  # fmt: skip
    return [Scene([Fact("faded", fields)], history.fights[-1].last)]


def tight(history: BattleHistory) -> Scenes:
    """If neither side was ever more than one fight ahead, return a scene about this."""
    if max(map(abs, history.leads)) > 1:
        return []
    return [Scene([Fact("tight_hook", history.names(history.winner))], is_filler=True)]

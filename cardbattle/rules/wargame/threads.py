"""Propose outlines (threads) for a story of a battle of Wargame.

An outline can be about a one-sided victory, a comeback, Traitor cards, or a lack of chips. A fight is the
battle for one space.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from cardbattle.core.telling import (
    PASSED,
    Card,
    Fact,
    FactValue,
    Name,
    Scene,
    Score,
    Thread,
    conditions,
    standing,
)
from cardbattle.rules.wargame.battle import BREAK, PLACES, RUN
from cardbattle.rules.wargame.fight import Fight, spaces_in_row, unglossed

ROUT = 4  # smallest difference of the scores of a rout
LONG = 6  # the largest number of fights that one sentence can summarise if the story has few fights
MOST_KEYS = 5  # the largest number of key fights in a battle with few of them
FAR = 3  # smallest lead that counts as large, in battles
MANY = 3  # smallest number of battles that a lack of chips explains
LEAST_FIGHTS = 4  # if there are fewer fights, a story describes each of them
ALMOST = 6  # number of wins that are one short of seven
STRING, MOST_CARDS = 3, 3  # smallest number of attacks that all failed; most cards that one sentence lists
# Ranks of what a short story leaves out: fights, summaries of other fights, and the score after a fight. The
# highest rank is left out first. Without its fight, a score would seem to belong to another event.
MINOR, BETWEEN, SCORE = 3, 4, 5
STILL = 3  # smallest number of fights after which a story repeats the score
EARLY = 3  # the first fights, in which a change of the lead means little
TURN = 15  # how much more remarkable a fight is if it changed the lead
LAST_STROKES = {  # kinds of facts about the last fight that have phrases of their own
    "plain_attack", "plain_defence", "plain_attack_tie", "switched_attack", "switched_defence",
    "in_vain_attack",
}  # fmt: skip
Scenes = list[Scene]


class BattleHistory:
    """The fights of a battle, and facts that follow from them.

    Attributes:
        fights: all fights that a side won.
        winner, loser: the numbers of the two sides.
        leads: the winner's lead before the first fight and after each fight.
        chips: the number of chips that each side has at the beginning.
        breach: the index of the fight with which the winner had three of the adjacent spaces that decided the
            battle, or -1 if four adjacent spaces did not decide it.
        strokes: the indices of the fights in which a Spy beat one of the two highest cards.

    """

    def __init__(self, fights: Sequence[Fight], winner: int, chips: Sequence[int]) -> None:
        self.fights = fights
        self.winner, self.loser = winner, 1 - winner
        self.leads = [0, *(each.scores[winner] - each.scores[1 - winner] for each in fights)]
        self.chips = chips
        row = {*spaces_in_row(fights)} if fights and fights[-1].scores[winner] <= ALMOST else set()
        threes = [
            at for at in range(self.last)
            if len(row) >= RUN and fights[at].place in row and len(spaces_in_row(fights[: at + 1])) == BREAK
        ]  # fmt: skip
        self.breach = max(threes, default=-1)
        self.strokes = [at for at, each in enumerate(fights) if each.how == "spy"]

    @property
    def last(self) -> int:
        return len(self.fights) - 1

    def names(self, side: int) -> dict[str, FactValue]:
        return {"side": Name(side), "rival": Name(1 - side)}

    def won(self, side: int, first: int = 0) -> int:
        """Return how many of the fights from the index `first` on a side won."""
        return sum(each.victor == side for each in self.fights[first:])

    def chips_left(self, side: int) -> int:
        counts = [each.chips[side] for each in self.fights if side in each.chips]
        return counts[-1] if counts else self.chips[side]


def threads_of(history: BattleHistory, opening: Sequence[Fact]) -> list[Thread]:
    """Return the threads, each after the facts in `opening`. A short battle has none."""
    if len(history.fights) < LEAST_FIGHTS:
        return []
    first = [Scene([fact], rank=2) for fact in opening]
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
    hits = [at for at in best_before(history, history.last) if fights[at].victor == winner]
    keys = {*hits[:2], *answers[:1], history.last}
    yield Thread(
        "rout",
        loser,
        [*fight_scenes(history, keys), *vain_chips(history), *full_purse(history)],
        80,
        [winner],
    )
    strokes = fight_scenes(history, {*hits[:2], history.last})
    yield Thread("advance", winner, [*strokes, *attack(history), *full_purse(history)], 80, [loser])


def is_rout(history: BattleHistory) -> bool:
    """Return True if the winner won by far, and was never more than one fight behind."""
    return history.leads[-1] >= ROUT and min(history.leads) >= -1


def decider(history: BattleHistory) -> Iterator[Thread]:
    """If the last fights decided the battle, yield a thread about them."""
    last, loser = history.last, history.loser
    if history.leads[-1] > 2 or history.fights[-1].scores[loser] < ALMOST - 1:
        return
    keys = {last, *spread(history, last)}
    keys |= {last - 1} if kind_of(history, last - 1) != kind_of(history, last) else {*()}
    notes: dict[int, list[Fact]] = {}
    reached = next((at for at, each in enumerate(history.fights) if each.scores[loser] == ALMOST), last)
    if reached < last:
        keys.add(reached)
        left = last - reached
        is_level = history.fights[reached].scores[history.winner] == ALMOST
        fields = {**history.names(loser), "count": left, **conditions(several=left > 1)}
        notes[reached] = [Fact("six_all" if is_level else "one_short", fields)]
    scenes = [*fight_scenes(history, keys, notes), *tight(history)]
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
    keys = {low, ahead - 1, history.last}
    for hero, kind in ((history.winner, "down"), (history.loser, "up")):
        notes = {low - 1: [Fact(kind, {**fields, **history.names(hero)})]}
        early = [at for at in best_before(history, low) if history.fights[at].victor == history.loser]
        scenes = fight_scenes(history, {*early[:1], *keys}, notes)
        yield Thread("comeback" if hero == history.winner else "collapse", hero, scenes, 75, [1 - hero])


def traitors(history: BattleHistory) -> Iterator[Thread]:
    """If Traitor cards changed fights that mattered, yield a thread about these fights."""
    keys = {at for at, each in enumerate(history.fights) if each.denounced}
    used = {side for at in keys for side in history.fights[at].denounced}
    if not keys or (len(used) < 2 and history.leads[-1] > FAR):
        return
    keys |= {history.last, *spread(history, history.last)[1:]}
    yield Thread("traitors", history.winner, fight_scenes(history, keys), 60, [history.loser])


def purse(history: BattleHistory) -> Iterator[Thread]:
    """If the loser ran out of chips and then won few fights, yield a thread about this."""
    loser = history.loser
    empty = next((at for at, each in enumerate(history.fights) if each.chips.get(loser) == 0), history.last)
    left = history.last - empty
    won = history.won(loser, empty + 1)
    if left < MANY or 3 * won > left or max([history.breach, *history.strokes], default=0) > empty:
        return
    fields: dict[str, FactValue] = {
        **history.names(loser), "fight": history.fights[empty].number, "count": left, "wins": won,
        **conditions(none=not won, some=won > 0, paid=loser in history.fights[empty].payers),
    }  # fmt: skip
    notes = {empty: [Fact("chips_gone", fields)]}
    keys = {empty, *spread(history, empty)}
    scenes = [each for each in fight_scenes(history, keys, notes) if each.last <= history.fights[empty].last]
    yield Thread("purse", loser, [*scenes, *full_purse(history)], 65, [history.winner])


def race(history: BattleHistory) -> Iterator[Thread]:
    """Yield a thread about the most remarkable fights of a battle, unless one side won by far."""
    if is_rout(history):
        return
    scenes = fight_scenes(history, {*spread(history, history.last), history.last})
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


def fight_scenes(
    history: BattleHistory, keys: Collection[int], notes: Mapping[int, Sequence[Fact]] | None = None
) -> Scenes:
    """Return scenes about the key fights, and scenes that summarise the fights between them.

    Each fight in which a Spy beat one of the two highest cards is a key fight, and so is the fight that made
    three spaces in a row before the decisive fourth. `notes` maps the index of a fight to facts that follow
    the description of the fight. If this fight is not a key fight, the facts summarise the fights up to it.
    """
    scenes: Scenes = []
    all_keys = {*keys, *history.strokes, *({history.breach} - {-1})}
    if len(all_keys) < MOST_KEYS:
        all_keys |= {*breaks(history, sorted(all_keys))}
    start = stated = 0
    for at, fight in enumerate(history.fights):
        facts = [*(notes or {}).get(at, ())]
        facts += three_in_row(history) if at == history.breach else []
        if at in all_keys:
            scenes += stretch(history, start, at - 1)
            stated = at if at - start > 1 else stated
            if at == history.last and at - 1 not in (notes or {}):
                scenes += match_point(history)
            main, *others = fight.facts()
            if at == history.last and main.kind in LAST_STROKES and not is_rout(history):
                decides = conditions(decides=fight.scores[history.loser] == ALMOST)
                main = Fact(f"last_{main.kind}", {**main.fields, **decides})
            is_needed = at in (history.breach, history.last) or facts
            rank = 0 if is_needed else MINOR
            scenes.append(Scene([main], fight.last, moment=fight.last, rank=rank))
            if at == history.last and not is_rout(history) and (missed := fight.missed()) is not None:
                scenes.append(Scene([missed], fight.last))
            scenes += [extra(fact, fight) for fact in others if not facts]
            for fact in turn_of_lead(history, at) if not facts else ():
                direct = conditions(direct=not others)  # no other sentence comes between
                scenes.append(
                    Scene([fact._replace(fields={**fact.fields, **direct})], fight.last, rank=SCORE)
                )
                stated = at + 1
            if at + 1 - stated >= STILL and at != history.last and not facts and not others:
                scenes += still(history, at)
                stated = at + 1
        elif not facts:
            continue
        scenes += [Scene(facts, fight.last)] if facts else []
        start = at + 1
    return scenes


def breaks(history: BattleHistory, keys: Sequence[int]) -> Iterator[int]:
    """Yield the most remarkable fight in the middle of each long stretch between two key fights."""
    for before, after in pairwise([-1, *keys]):
        if after - before - 1 > LONG:
            middle = range(before + 3, after - 2)
            yield next(at for at in best_before(history, after) if at in middle)


def extra(fact: Fact, fight: Fight) -> Scene:
    """Return a scene about a last chip or a broken line.

    It is a filler if the chip was spent on other spaces.
    """
    return Scene([fact], fight.last, rank=3, is_filler=fact.kind == "last_chip_elsewhere")


def three_in_row(history: BattleHistory) -> list[Fact]:
    """Return a fact about the three spaces in a row that the winner has at the breach."""
    row = spaces_in_row(history.fights[: history.breach + 1])
    return [Fact("three_in_row", {**history.names(history.winner), "first": row[0], "last": row[-1]})]


def best_before(history: BattleHistory, last: int) -> list[int]:
    """Return the indices of the fights before the fight `last`, the most remarkable first."""
    weights = [history.fights[at].weight() + (TURN if turn_of_lead(history, at) else 0) for at in range(last)]
    return sorted(range(last), key=lambda at: (-weights[at], at))


def spread(history: BattleHistory, last: int) -> list[int]:
    """Return the index of the most remarkable fight in each half of the fights before the fight `last`.

    If possible, the two fights are of different kinds.
    """
    half = last // 2
    early = best_before(history, half)[:1]
    later = [at for at in best_before(history, last) if at >= half]
    kinds = [kind_of(history, at) for at in early]
    later.sort(key=lambda at: kind_of(history, at) in kinds)
    return [*early, *later[:1]]


def kind_of(history: BattleHistory, at: int) -> str:
    return history.fights[at].main().kind


def stretch(history: BattleHistory, first: int, last: int) -> Scenes:
    """Return a scene about the fights `first` to `last`, in one sentence. There may be no fight."""
    if first > last:
        return []
    fight = history.fights[last]
    if first == last:
        direct = conditions(direct=True)
        turn = [fact._replace(fields={**fact.fields, **direct}) for fact in turn_of_lead(history, first)]
        return [
            Scene([fight.main()], fight.last, rank=BETWEEN, moment=fight.last),
            *(Scene([each], fight.last, rank=SCORE) for each in turn),
        ]
    fact = row_of_wins(history, first, last) or beaten_off(history, first, last)
    if fact is None:
        return [Scene([], fight.last, rank=BETWEEN, episodes=(first, last))]
    return [Scene([fact], fight.last, rank=BETWEEN, episodes=(first, last), depth=PASSED)]


def row_of_wins(history: BattleHistory, first: int, last: int) -> Fact | None:
    """If one side won the fights `first` to `last`, and they are few, return a fact with its cards."""
    fights = history.fights[first : last + 1]
    side = fights[0].victor
    is_row = {each.victor for each in fights} == {side} and len(fights) <= MOST_CARDS
    if not is_row or any(each.how == "traitor" or len(each.denounced) > 1 for each in fights):
        return None
    fields: dict[str, FactValue] = {
        **history.names(side), "next_count" if first else "first_count": len(fights),
        "cards": [Card(str(each.cards[side])) for each in fights], **unglossed(fights),
        **(standing(fights[-1].scores, side) if first else {}), **conditions(
            many=len(fights) > 2, again=first > 0 and history.fights[first - 1].victor == side,
            back=first > 0 and history.fights[first - 1].victor != side,
        ),
    }  # fmt: skip
    return Fact("row_of_wins", fields)


def beaten_off(history: BattleHistory, first: int, last: int) -> Fact | None:
    """If each of the fights `first` to `last` was lost by its attacker, return a fact about this."""
    fights = history.fights[first : last + 1]
    if len(fights) < STRING or any(each.attacker == each.victor or each.how == "traitor" for each in fights):
        return None
    around = [*history.fights[max(0, first - 1) : first], *history.fights[last + 1 : last + 2]]
    scores = fights[-1].scores
    side = fights[-1].victor if scores[0] == scores[1] else scores.index(max(scores))
    fields: dict[str, FactValue] = {
        **history.names(side), "count": len(fights), **standing(scores, side),
        **conditions(
            start=not first, later=first > 0, dear=all(each.switched == [each.victor] for each in fights),
            whole=all(each.attacker == each.victor for each in around),
        ),
    }  # fmt: skip
    return Fact("beaten_off", fields)


def match_point(history: BattleHistory) -> Scenes:
    """If the winner needed one more win before the last fight, and the loser several, return a scene."""
    before = history.fights[history.last - 1]
    needed = ALMOST + 1 - before.scores[history.loser]
    if before.scores[history.winner] < ALMOST or not 1 < needed < ALMOST - 1 or history.breach >= 0:
        return []
    if missing_in_row(history) < needed:
        return []
    return [Scene([Fact("match_point", {**history.names(history.winner), "needed": needed})], before.last)]


def missing_in_row(history: BattleHistory) -> int:
    """Return how many more spaces the loser needed before the last fight for a row that wins the battle."""
    fights = history.fights[: history.last]
    won = {fight.place for fight in fights if fight.victor == history.loser}
    lost = {fight.place for fight in fights} - won
    rows = [{*range(first, first + RUN)} for first in range(1, PLACES - RUN + 2)]
    return min((len(row - won) for row in rows if not row & lost), default=RUN + 1)


def still(history: BattleHistory, at: int) -> Scenes:
    """Return a scene with the score after a fight that did not change the lead.

    The scene has no sentence of its own, and its phrases can only end the sentence about the fight.
    """
    scores = history.fights[at].scores
    if scores[0] == scores[1]:
        return []
    side = scores.index(max(scores))
    kept = history.fights[at - 1].scores[side] > history.fights[at - 1].scores[1 - side]
    fields = {**history.names(side), **standing(scores, side), **conditions(still=kept)}
    return [Scene([Fact("now_still", fields)], history.fights[at].last, rank=3)]


def turn_of_lead(history: BattleHistory, at: int) -> list[Fact]:
    """If a fight other than the first few and the last changed the lead, return a fact about the score."""
    before, after = history.leads[at], history.leads[at + 1]
    if at < EARLY or at == history.last or ((before > 0) == (after > 0) and (before < 0) == (after < 0)):
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
    return [Scene([Fact(kind, fields)], fights[-1].last, is_filler=True)]


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
    return [Scene([Fact("chips_vain", fields)], history.fights[-1].last, is_filler=True)]


def full_purse(history: BattleHistory) -> Scenes:
    """If the winner had several chips and never paid one, return a scene about this."""
    left = history.chips_left(history.winner)
    if left < 2 or left < history.chips[history.winner]:
        return []
    fields: dict[str, FactValue] = {**history.names(history.winner), "left": left}
    return [Scene([Fact("chips_left", fields)], history.fights[-1].last, is_filler=True)]


def tight(history: BattleHistory) -> Scenes:
    """If neither side was ever more than one fight ahead, return a scene about this."""
    if max(map(abs, history.leads)) > 1:
        return []
    return [Scene([Fact("tight_hook", {})], history.fights[-1].last, is_filler=True)]

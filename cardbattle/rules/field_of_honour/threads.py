"""Propose outlines (threads) for a story of a battle of Field of Honour.

An outline can be about one space that was fought over for long, cards that changed sides, a card from the
stack, a lead that was lost, the last space, a one-sided victory, or a space that the winner let go. Each
outline describes the most remarkable fight in full, and says only at the end what decided the battle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby

from cardbattle.core.battle import NOBODY
from cardbattle.core.cards import card_text
from cardbattle.core.telling import (
    FULL,
    SHORT,
    Card,
    Episode,
    Fact,
    FactValue,
    Name,
    Points,
    Scene,
    Score,
    Thread,
    conditions,
)
from cardbattle.rules.field_of_honour.battle import (
    DISCARD,
    DRAWN,
    REDEPLOY,
    REDEPLOY_BACK,
    SPACES,
    SWAP,
)
from cardbattle.rules.field_of_honour.space import Space, Special

LONG = 3  # smallest number of specials in a space that was fought over for long
DECISIVE = 2  # largest final lead, in spaces, that one space could have undone
FAR = 2  # smallest lead, in spaces, that counts as large
LATE = 3  # number of spaces after which any lead is worth mentioning
ROUT = 3  # smallest final lead of a one-sided victory
SEVERAL = 2  # smallest number of spaces or specials that have something in common
THIN, WIDE = 5, 4  # largest value of a space that was hardly defended, and its smallest difference
MANY_LEVEL = 3  # smallest number of drawn spaces worth an outline
UNSPENT = 2  # smallest difference of two hands worth a sentence
ROOM, FULL_MOST = 8, 2  # maximum number of sentences about spaces described in full, and of such spaces
BRIEF, OPTIONAL = 1, 3  # ranks of scenes that a story can leave out; OPTIONAL scenes are left out first
LENGTHY = 2  # rank of a space that a story can describe in one sentence if it has no room for more
ENDINGS = ("end_rout", "end_won", "end_close")  # facts that the last scene of a thread can replace
Fields = dict[str, FactValue]


class BattleHistory:
    """The fights for the five spaces, and facts that follow from them.

    Attributes:
        spaces: the spaces in the order of the fights.
        lengths: the number of sentences that describe each space in full, with the one about the decision.
        hands: the sizes of both hands before the first fight and after each, which both sides know (FH-9).
        winner: the number of the winner, or -1 if the battle is drawn.
        front: the winner. In a drawn battle, the side that was behind before the last space, or side 0.
        rear: the other side.
        leads: the lead of `front`, in spaces, before the first fight and after each.

    """

    def __init__(self, spaces: Sequence[Space], episodes: Sequence[Episode], hands: Sequence[int]) -> None:
        self.spaces = spaces
        self.lengths = [len(episode.facts) for episode in episodes]
        self.hands = [[*hands]]
        for space in spaces:
            self.hands.append([self.hands[-1][side] + change_of_hand(space, side) for side in (0, 1)])
        held = spaces[-1].held
        self.winner = NOBODY if held[0] == held[1] else int(held[1] > held[0])
        before = spaces[-2].held
        self.front = int(before[0] > before[1]) if self.winner == NOBODY else self.winner
        self.rear = 1 - self.front
        self.leads = [0, *(space.held[self.front] - space.held[self.rear] for space in spaces)]

    @property
    def margin(self) -> int:
        """The winner's final lead, in spaces. It is 0 if the battle is drawn."""
        return self.leads[-1]

    def names(self, side: int) -> Fields:
        return {"side": Name(side), "rival": Name(1 - side)}

    def held_by(self, side: int) -> list[int]:
        """Return the indices of the spaces that a side holds at the end."""
        return [at for at, space in enumerate(self.spaces) if space.holder == side]

    def specials(self, side: int, at: int) -> list[Special]:
        return [special for special in self.spaces[at].specials if special.side == side]

    @property
    def has_redeployed(self) -> bool:
        """True if cards moved from one space to another."""
        powers = {special.power for space in self.spaces for special in space.specials}
        return bool(powers & {REDEPLOY, REDEPLOY_BACK})

    @property
    def result(self) -> Fields:
        """Fields for the numbers of spaces that the winner and the loser hold at the end."""
        held = self.spaces[-1].held
        return {"won": held[self.front], "lost": held[self.rear]}

    # Facts about one space

    def hands_after(self, at: int) -> list[Fact]:
        """Return a fact about the hands after a space, if one of them is much smaller.

        The list is empty if the side with more cards plays no special afterwards.
        """
        sizes = self.hands[at + 1]
        more = int(sizes[1] > sizes[0])
        plays_later = any(self.specials(more, later) for later in range(at + 1, SPACES))
        if abs(sizes[0] - sizes[1]) < UNSPENT or not plays_later:
            return []
        fields: Fields = {**self.names(more), "count": sizes[more], "fewer": sizes[1 - more]}
        return [Fact("hands_left" if sizes[1 - more] else "hands_gone", fields)]

    def ranked(self, places: Collection[int]) -> list[int]:
        """Return these spaces in descending order of how remarkable they are."""
        return sorted(places, key=lambda at: (-self.spaces[at].weight(), at))

    def in_full(self, places: Sequence[int]) -> list[int]:
        """Return the spaces that a story has room to describe in full, from `places` in their order.

        The first space is always one of them. The others are only spaces in which a special was played.
        """
        chosen: list[int] = []
        for at in dict.fromkeys(places):
            size = sum(self.lengths[each] for each in (*chosen, at))
            if not chosen or (len(chosen) < FULL_MOST and size <= ROOM and self.spaces[at].specials):
                chosen.append(at)
        return chosen

    def best_and(self, places: Collection[int]) -> list[int]:
        """Return the most remarkable space of the battle, and then the most remarkable ones of `places`."""
        return self.in_full([*self.ranked(range(SPACES))[:1], *self.ranked(places)])

    def and_best(self, places: Collection[int]) -> list[int]:
        """Return the most remarkable ones of `places`, and then the most remarkable space of the battle."""
        return self.in_full([*self.ranked(places), *self.ranked(range(SPACES))[:1]])


def threads_of(history: BattleHistory, opening: Sequence[Fact]) -> list[Thread]:
    """Return the threads of a battle. Each thread begins with the facts in `opening`."""
    first = [Scene([fact], rank=OPTIONAL, is_filler=True) for fact in opening]
    return [
        outline._replace(scenes=[*first, *outline.scenes], others=[1 - outline.hero])
        for build in BUILDERS
        for outline in build(history)
    ]


# Threads ---------------------------------------------------------------------------------------


def contest(history: BattleHistory) -> Iterator[Thread]:
    """If one space was fought over with far more specials than the others, yield a thread about it."""
    counts = [len(space.specials) for space in history.spaces]
    at = max(range(SPACES), key=lambda at: counts[at])
    holder, count = history.spaces[at].holder, counts[at]
    if count < LONG or counts.count(count) > 1 or holder == NOBODY:
        return
    if not (history.specials(0, at) and history.specials(1, at)):
        return
    is_decisive = history.winner == holder and history.margin <= DECISIVE
    is_vain = history.winner == 1 - holder
    fields: Fields = {
        **history.names(holder), **history.result, "space": at + 1,
        **conditions(
            fatal=is_decisive and history.margin < DECISIVE, drawn=is_decisive and history.margin == DECISIVE,
            vain=is_vain,
        ),
    }  # fmt: skip
    notes = history.hands_after(at) if at < SPACES - 1 else []
    scenes = space_scenes(history, history.and_best([at]), {at: notes} if notes else {})
    ending = "contest_end" if is_decisive or is_vain else ""
    yield thread("contest", holder, scenes, 50 + 5 * min(count, 6), ending, fields)


def stolen(history: BattleHistory) -> Iterator[Thread]:
    """If the winner owes its victory to swaps, yield a thread about the spaces that it won by them."""
    winner = history.winner
    held = history.held_by(winner)
    keys = [at for at in held if is_stolen(history.spaces[at])]
    if winner == NOBODY or not keys or history.margin > 2 * len(keys):
        return
    fields: Fields = {
        **history.names(winner), **history.result, "count": len(keys),
        **conditions(several=len(keys) > 1, single=len(keys) == 1, all=keys == held),
    }  # fmt: skip
    scenes = space_scenes(history, history.and_best(keys))
    yield thread("stolen", winner, scenes, 70, "stolen_end", fields)


def stack(history: BattleHistory) -> Iterator[Thread]:
    """If the winner owes its victory to cards from the stack, yield a thread about these cards."""
    winner = history.winner
    cards = {at: winner_from_stack(history.spaces[at]) for at in history.held_by(winner)}
    keys = {at: card for at, card in cards.items() if card}
    gained = sum(1 if card.leads[0] == 0 else 2 for card in keys.values())  # in spaces of the final lead
    if winner == NOBODY or not keys or history.margin > gained:
        return
    fields: Fields = {
        **history.names(winner), **history.result, "count": len(keys),
        **conditions(several=len(keys) > 1, single=len(keys) == 1),
    }  # fmt: skip
    if len(keys) == 1:
        fields["drawn"] = Card(card_text(keys[min(keys)].card))
    scenes = space_scenes(history, history.and_best(keys))
    yield thread("stack", winner, scenes, 75, "stack_end", fields)


def lost_lead(history: BattleHistory) -> Iterator[Thread]:
    """If the winner was once far behind, yield a thread about this for the winner, and one for the loser.

    In such a battle one more space would have decided it for the loser, and the winner took all the others.
    """
    winner, loser, leads = history.winner, history.rear, history.leads
    low = min(range(SPACES), key=lambda at: (leads[at], -at))
    if winner == NOBODY or not (leads[low] <= -FAR or (leads[low] < 0 and low >= LATE)):
        return
    held = history.spaces[low - 1].held
    fields: Fields = {
        "deficit": -leads[low], "count": low, "left": SPACES - low, "lead": Points(held[loser]),
        "behind": Points(held[winner]), **history.result,
        **conditions(
            far=leads[low] <= -FAR, nothing=not held[winner],
            pair=SPACES - low == 2, several=SPACES - low > 2,
        ),
    }  # fmt: skip
    main = history.best_and(range(low, SPACES))
    for hero, kind in ((winner, "comeback"), (loser, "collapse")):
        said: Fields = {**fields, **history.names(hero)}
        scenes = space_scenes(history, main, {low - 1: [Fact(f"{kind}_low", said)]})
        yield thread(kind, hero, scenes, 75, f"{kind}_end", said)


def last_space(history: BattleHistory) -> Iterator[Thread]:
    """If the result still depended on the last space, yield a thread about it."""
    lead = history.leads[-2]
    if abs(lead) > 1 or (history.winner == NOBODY and not lead):
        return
    held = history.spaces[-2].held
    behind = history.front if lead < 0 else history.rear
    fields: Fields = {
        **history.names(history.front if not lead else behind),
        **({"ahead": Points(max(held)), "trail": Points(min(held))} if lead else {"even": Score(held[0])}),
        **conditions(tied=not lead, close=lead != 0),
    }  # fmt: skip
    notes = {SPACES - 2: [Fact("last_stake", fields), *history.hands_after(SPACES - 2)]}
    scenes = space_scenes(history, history.best_and([SPACES - 1]), notes)
    yield thread("last space", history.front, scenes, 80 if not lead or history.winner == NOBODY else 55)


def rout(history: BattleHistory) -> Iterator[Thread]:
    """If one side won by far, yield a thread for the winner, and one about the loser's specials."""
    winner, loser = history.winner, history.rear
    if winner == NOBODY or history.margin < ROUT:
        return
    yield thread("rout", winner, space_scenes(history, history.best_and(history.held_by(winner))), 60)

    played = [at for at in range(SPACES) if history.specials(loser, at)]
    vain = [at for at in played if history.spaces[at].holder == winner]
    count = sum(len(history.specials(loser, at)) for at in played)
    if len(vain) < len(played) or count + history.hands[-1][loser] < SEVERAL:
        return
    fields: Fields = {
        **history.names(loser), **history.result, "count": count,
        **conditions(several=count >= SEVERAL, single=count == 1, none=not count),
        **conditions(pair=count == SEVERAL, more=count > SEVERAL),
    }  # fmt: skip
    scenes = space_scenes(history, history.best_and(vain or history.held_by(winner)))
    yield thread("in vain", loser, scenes, 60, "vain_end", fields)


def thin_place(history: BattleHistory) -> Iterator[Thread]:
    """If the winner gave up a space that it hardly defended, yield a thread about this."""
    winner, loser = history.winner, history.rear
    if winner == NOBODY or history.has_redeployed:
        return
    mine = [space.values[winner] for space in history.spaces]
    thin = [
        at for at in history.held_by(loser)
        if mine[at] <= THIN and not history.spaces[at].specials
        and history.spaces[at].final[loser] - mine[at] >= WIDE
    ]  # fmt: skip
    if not thin:
        return
    at = min(thin, key=lambda at: mine[at])
    other = [space.values[loser] for space in history.spaces]
    fields: Fields = {
        **history.names(winner), **history.result, "space": at + 1,
        **conditions(
            weakest=mine.count(min(mine)) == 1 and mine[at] == min(mine),
            strongest=other[at] == max(other),
        ),
    }  # fmt: skip
    if {"weakest", "strongest"} <= fields.keys():
        fields |= conditions(both=True)
    scenes = space_scenes(history, history.best_and(history.held_by(winner)))
    yield thread("thin place", winner, scenes, 65 + 5 * ("both" in fields), "thin_end", fields)


def totals(history: BattleHistory) -> Iterator[Thread]:
    """If the loser had laid down more than the winner, yield a thread about where it lay."""
    winner, loser = history.winner, history.rear
    if winner == NOBODY or history.has_redeployed:
        return
    sums = [sum(space.values[side] for space in history.spaces) for side in (0, 1)]
    if sums[loser] <= sums[winner] or not history.held_by(loser):
        return
    short = [at for at in history.held_by(winner) if margin_in(history.spaces[at]) == 1]
    fields: Fields = {
        **history.names(loser), **history.result, "mine": sums[loser], "other": sums[winner],
        "count": len(short), "more": sums[loser] - sums[winner], **conditions(several=len(short) >= SEVERAL),
    }  # fmt: skip
    scenes = space_scenes(history, history.best_and(history.held_by(winner)))
    if len(short) >= SEVERAL:
        scenes.append(Scene([Fact("short_by_one", fields)], history.spaces[-1].last, rank=OPTIONAL))
    yield thread("totals", loser, scenes, 65, "totals_end", fields)


def narrow(history: BattleHistory) -> Iterator[Thread]:
    """If the winner won several spaces by one, yield a thread about them."""
    winner = history.winner
    held = history.held_by(winner)
    close = [at for at in held if margin_in(history.spaces[at]) == 1]
    if winner == NOBODY or len(close) < SEVERAL or len(close) < len(held) - 1:
        return
    fields: Fields = {
        **history.names(winner), **history.result, "count": len(close), "held": len(held),
        **conditions(all=len(close) == len(held), some=len(close) < len(held)),
    }  # fmt: skip
    scenes = space_scenes(history, history.best_and(close))
    yield thread("narrow", winner, scenes, 60, "narrow_end", fields)


def ties(history: BattleHistory) -> Iterator[Thread]:
    """If a side won several spaces that came up level, yield a thread about them."""
    level = [at for at, space in enumerate(history.spaces) if space.values[0] == space.values[1]]
    for side in (0, 1):
        won = [at for at in level if history.spaces[at].holder == side]
        if len(won) < SEVERAL or history.winner not in (side, NOBODY):
            continue
        fields: Fields = {
            **history.names(side), **history.result, "count": len(won), "level": len(level),
            **conditions(
                pair=len(won) == len(level) == SEVERAL, all=won == level and len(won) > SEVERAL,
                every=won == level, some=len(won) < len(level),
            ),
        }  # fmt: skip
        scenes = space_scenes(history, history.best_and(won))
        yield thread("ties", side, scenes, 60, "ties_end" if history.winner == side else "", fields)


def stalemate(history: BattleHistory) -> Iterator[Thread]:
    """If neither side holds most of the spaces, yield a thread about the few that a side holds."""
    level = history.held_by(NOBODY)
    if len(level) < MANY_LEVEL:
        return
    rest = [at for at in range(SPACES) if at not in level]
    fields: Fields = {
        **history.names(history.front), **history.result, "count": len(level), "rest": len(rest),
        **conditions(single=len(rest) == 1, pair=len(rest) > 1),
    }  # fmt: skip
    scenes = space_scenes(history, history.best_and(rest or level))
    ending = "" if history.winner == NOBODY else "stalemate_end"
    yield thread("stalemate", history.front, scenes, 65, ending, fields)


BUILDERS: Sequence[Callable[[BattleHistory], Iterator[Thread]]] = (
    contest,
    stolen,
    stack,
    lost_lead,
    last_space,
    rout,
    thin_place,
    totals,
    narrow,
    ties,
    stalemate,
)


# Scenes ----------------------------------------------------------------------------------------


def thread(
    name: str, hero: int, scenes: Sequence[Scene], weight: int, ending: str = "", fields: Fields | None = None
) -> Thread:
    """Return a thread. If `ending` is given, a fact of this kind replaces the usual one about the result."""
    last = [Scene([Fact(ending, fields or {})], scenes[-1].last)] if ending else []
    return Thread(name, hero, [*scenes, *last], weight, told=ENDINGS if ending else ())


def space_scenes(
    history: BattleHistory, keys: Sequence[int], notes: Mapping[int, Sequence[Fact]] | None = None
) -> list[Scene]:
    """Return scenes about all five spaces. The spaces in `keys` are described in full.

    The first space in `keys` matters most: a story with little room describes only this one in full.
    One sentence describes successive other spaces in which no special was played, except before a note. If
    the first space in `keys` takes up most of the story, one sentence describes any successive other spaces.
    A story with little room leaves out the other spaces. `notes` maps the index of a space to facts that
    follow its description.
    """
    extra = notes or {}
    breaks = {at + 1 for at in extra}
    groups = groupby(range(SPACES), key=lambda at: (at in keys, sum(each <= at for each in breaks)))
    scenes: list[Scene] = []
    for (is_key, _), group in groups:
        places = [*group]
        runs = [places] if history.lengths[keys[0]] >= ROOM else plain_runs(history, places)
        for part in [[at] for at in places] if is_key else runs:
            rank = OPTIONAL if not is_key else LENGTHY if part[0] != keys[0] else 0
            space = history.spaces[part[-1]]
            depth = FULL if is_key else SHORT
            scenes.append(Scene([], space.last, rank=rank, episodes=(part[0], part[-1]), depth=depth))
            for number, fact in enumerate(extra.get(part[-1], ())):
                scenes.append(Scene([fact], space.last, rank=OPTIONAL if number else BRIEF))
    return scenes


def plain_runs(history: BattleHistory, places: Sequence[int]) -> Iterator[list[int]]:
    """Divide successive spaces into groups. Only spaces without specials share a group."""
    for is_plain, group in groupby(places, key=lambda at: not history.spaces[at].specials):
        run = [*group]
        yield from [run] if is_plain else [[at] for at in run]


def margin_in(space: Space) -> int:
    """Return by how much the holder of a space won it."""
    return abs(space.final[0] - space.final[1])


def change_of_hand(space: Space, side: int) -> int:
    """Return by how many cards the fight for a space changed a side's hand."""
    change = 0
    for special in space.specials:
        if special.side == side:
            change += special.count - 1
        elif special.power == DISCARD:
            change -= 1
    return change


def is_stolen(space: Space) -> bool:
    """Return True if the holder of a space took the better cards there from the enemy with a swap."""
    if any(special.power in (REDEPLOY, REDEPLOY_BACK) for special in space.specials):
        return False
    swaps = [special for special in space.specials if special.power == SWAP]
    return (
        len(swaps) % 2 == 1 and swaps[-1].side == space.holder and swaps[-1].leads[0] < 0 < swaps[-1].leads[1]
    )


def winner_from_stack(space: Space) -> Special | None:
    """Return the card from the stack that won a space for its holder at once, or None."""
    changes = [special for special in space.specials if special.changes_values]
    if not changes or changes[-1].question != DRAWN or changes[-1].side != space.holder:
        return None
    return changes[-1] if changes[-1].effect == "leads" else None

"""Propose outlines (threads) for a story of a battle of Strategy WAR.

A thread is a development with a cause, a turning point and a consequence. Its scenes are called steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cardbattle.core.battle import NOBODY
from cardbattle.core.telling import Fact, FactValue, Name, Points, Scene, Thread, conditions
from cardbattle.rules.strategy_war.rounds import ACE, HIGH, Round, card_of
from cardbattle.rules.strategy_war.score_history import ScoreHistory

USUAL = ("hands_even", "dark")  # openings that many battles share
LEAST_STEPS = 2  # minimum number of steps in a thread that are not optional
LEAST_ROUNDS = 7  # if there are fewer rounds, a story describes each of them
MANY_CHANGES = 4  # smallest number of changes of the lead worth a sentence
MANY_TIES = 4  # smallest number of rounds without a winner worth a sentence
LONG_ROW = 4  # smallest number of rounds won in a row that every story mentions
SOON = 3  # minimum number of rounds after which a lead is worth mentioning
STREAK = 3  # minimum number of rounds won in a row that is worth mentioning
SCARE = 15  # the largest lead, in points, that counts as nearly lost
CLOSE = 10  # a smaller lead at the end, in points, is named only there
CHEAP = 9  # the highest card that counts as a low card
MOST_CHANGES = 3  # maximum number of changes of the lead to describe
FEW_CARDS = 3  # maximum number of winning cards to list
MOST_ROLLED = 3  # maximum number of rounds without a winner to describe before a large pot
FEUD = 3  # minimum number of collisions in a feud
LARGER = 135  # minimum size of a pot that has a sentence, in percent of the average pot
GREAT = 150  # minimum size of a pot that every story mentions, in percent of the average pot
RICH = 160  # minimum size of a pot that explains a battle, in percent of the average pot

ROUND_KINDS = (
    "best_round", "fate_met", "fate_fell", "won", "won_by_one", "won_cancelled", "won_cheaply", "won_dearly",
    "won_for_little", "won_much", "won_waiting", "won_waiting_cancelled",
)  # fmt: skip
ENDS = (
    "end_won",
    "end_won_level",
    "end_close",
    "end_close_three",
    "end_rout",
)  # a winner with more points than the others
MINOR = 3  # rank of steps that a short story leaves out
LAST_ROUND = ("last_cards", "last_blow", "too_late")  # beginnings of kinds of facts about the last round
Steps = list[Scene]


def threads_of(history: ScoreHistory, opening: Sequence[Fact]) -> list[Thread]:
    """Return the threads of a battle. Each thread begins with the opening, and follows the rounds.

    Each thread also has the great events of the battle that its own steps leave out. The list is empty
    if the battle has few rounds or no single winner.
    """
    if history.winner == NOBODY or history.last < LEAST_ROUNDS:
        return []
    first = [Scene([fact], rank=1, is_filler=fact.kind in USUAL) for fact in opening]
    return [
        thread._replace(scenes=[*first, *in_order(with_great_events(history, thread.scenes))])
        for build in BUILDERS
        for thread in build(history)
        if is_enough(thread.scenes)
    ]


def with_great_events(history: ScoreHistory, steps: Sequence[Scene]) -> Steps:
    """Return steps, and steps about the great events of a battle that they leave out.

    A great event replaces optional steps about its rounds, because a story can leave out optional steps.
    """
    great = great_events(history, [each for each in steps if not each.is_filler])
    told = rounds_named(history, great)
    rest = [each for each in steps if not (each.is_filler and rounds_named(history, [each]) & told)]
    return [*rest, *great, *extra_card(history, [*rest, *great])]


def great_events(history: ScoreHistory, steps: Sequence[Scene]) -> Steps:
    """Return steps about the great events of a battle that other steps leave out."""
    rounds = rounds_named(history, steps)
    is_loss_told = any(fact.kind.startswith("pot_lost") for scene in steps for fact in scene.facts)
    return [
        *([] if is_loss_told else lost_pot(history)),
        *largest_pot(history, rounds), *minor(long_row(history, steps, rounds)),
        *minor(swings(history)), *minor(ties(history)),
    ]  # fmt: skip


def rounds_named(history: ScoreHistory, steps: Sequence[Scene]) -> set[FactValue]:
    facts = [fact for scene in steps for fact in scene.facts]
    is_end_told = any(fact.kind.startswith(("last_blow", "too_late")) for fact in facts)
    return {fact.fields.get("round", 0) for fact in facts if is_round_kind(fact.kind)} | (
        {history.last} if is_end_told else set()
    )


def largest_pot(history: ScoreHistory, told: set[FactValue]) -> Steps:
    """Return steps about the largest pot if it was unusually large, and about the rounds that made it so."""
    best = max((each for each in history.rounds if each.winner != NOBODY), key=lambda each: each.pot)
    if not best.is_largest or 100 * best.pot < GREAT * best.usual:
        return []
    steps = [
        step(history, each.number, each.main())._replace(rank=2)
        for each in history.rounds_rolled_over(best)[-MOST_ROLLED:]
        if each.number not in told
    ]
    return [*steps, *([] if best.number in told else [step(history, best.number, best.main())])]


def lost_pot(history: ScoreHistory) -> Steps:
    """If no side won the last round or the last rounds, return a step about the points that were lost."""
    last = history.rounds[-1]
    rolled = history.rounds_rolled_over(last)
    if last.winner != NOBODY:
        return []
    if not rolled:
        return [step(history, history.last, last.main())._replace(rank=1)]
    fields: dict[str, FactValue] = {"count": len(rolled) + 1, "pot": Points(last.pot)}
    return [step(history, history.last, Fact("pot_lost_after", fields))]


def long_row(history: ScoreHistory, steps: Sequence[Scene], told: set[FactValue]) -> Steps:
    """Return a step about the longest row of rounds that one side won, unless other steps describe it.

    If the row put the side in front, `rival` is the leader before it, and `deficit` is that side's lead.
    """
    rows = [(each, end_of_streak(history, each)) for each in history.rounds if each.winner != NOBODY]
    first, end = max(rows, key=lambda row: row[1] - row[0].number)
    facts = [fact for scene in steps for fact in scene.facts]
    is_named = any("streak" in (fact.kind, *fact.fields) for fact in facts)
    is_named |= any(
        scene.last == history.rounds[end - 1].place and not is_round(scene) for scene in steps
    )  # such a step has the score after the row
    if end - first.number + 1 < LONG_ROW or is_named or end == history.last:
        return []
    side, before = first.winner, first.number - 1
    fields: dict[str, FactValue] = {
        "side": Name(side), "wins": end - before, "first": first.number, "last": end,
        "gain": Points(history.scores[end][side] - history.scores[before][side]),
    }  # fmt: skip
    leader = history.leaders[before]
    if (
        leader not in (side, NOBODY)
        and history.leaders[end] == side
        and not {*range(before + 1, end + 1)} & told
    ):
        fields |= {"rival": Name(leader), "deficit": Points(history.deficit(side, before))}
    return [step(history, end, Fact("row", fields))]


def swings(history: ScoreHistory) -> Steps:
    """If the lead changed often before the winner took it for good, return a step about this.

    The field `row` is the number of the latest rounds in a row in which the lead changed.
    """
    turn = history.for_good
    changes = [each.number for each in lead_changes(history) if turn is None or each.number < turn.number]
    if turn is None or len(changes) < MANY_CHANGES:
        return []
    row = next(
        (at for at, number in enumerate(reversed(changes)) if number != changes[-1] - at), len(changes)
    )
    is_row = row >= SOON and changes[-1] == turn.number - 1
    fields: dict[str, FactValue] = {
        "changes": len(changes),
        "round": changes[-1],
        **({"row": row} if is_row else {}),
    }
    return [step(history, changes[-1], Fact("swings", fields))]


def lead_changes(history: ScoreHistory) -> list[Round]:
    """Return the rounds in which a side took the lead from another side."""
    changes: list[Round] = []
    leader = NOBODY
    for each in history.rounds:
        after = history.leaders[each.number]
        if leader not in (after, NOBODY) and after == each.winner != NOBODY:
            changes.append(each)
        leader = leader if after == NOBODY else after
    return changes


def ties(history: ScoreHistory) -> Steps:
    """If many rounds had no winner, return a step with their number."""
    count = len([each for each in history.rounds if each.winner == NOBODY])
    if count < MANY_TIES or lost_pot(history):
        return []
    return [step(history, history.last, Fact("ties", {"count": count, "rounds": history.last}))]


def extra_card(history: ScoreHistory, steps: Sequence[Scene]) -> Steps:
    """Return a step about what a side won with two equal high cards, if only one side played such cards.

    Return [] if another step names such a card or describes a round in which it was played.
    The step uses only cards that were played, because a dark battle does not reveal the others (SW-20).
    """
    ranks = range(HIGH, ACE + 1)
    pairs = [
        (seat, rank)
        for seat in history.sides
        for rank in ranks
        if [each.cards[seat] for each in history.rounds].count(rank) > 1
    ]
    if len(pairs) != 1:
        return []
    seat, rank = pairs[0]
    played = [each for each in history.rounds if each.cards[seat] == rank]
    if len(played) != 2 or any(seat in each.late for each in played):
        return []
    facts = [fact.fields for scene in steps for fact in scene.facts]
    named = [cards_named(fields) for fields in facts if fields.get("side") == Name(seat)]
    is_named = card_of(rank) in [card for cards in named for card in cards]
    if is_named or {each.number for each in played} & rounds_named(history, steps):
        return []
    won = [each for each in played if each.winner == seat]
    fields: dict[str, FactValue] = {
        "side": Name(seat), "card": card_of(rank), "cards": [card_of(rank), card_of(rank)],
        **conditions(both=len(won) == 2, neither=not won),
    }  # fmt: skip
    if won:
        fields["gain"] = Points(sum(each.pot for each in won))
    if len(won) == 1:
        lost = next(each for each in played if each not in won)
        fields |= {"round": won[0].number, "other_round": lost.number}
    return [step(history, played[1].number, Fact("extra_card", fields))._replace(rank=2)]


def cards_named(fields: Mapping[str, FactValue]) -> list[object]:
    return [card for value in fields.values() for card in (value if isinstance(value, list) else [value])]


def is_enough(steps: Sequence[Scene]) -> bool:
    return len(steps) > LEAST_STEPS and sum(not each.is_filler for each in steps) >= LEAST_STEPS


# Threads ---------------------------------------------------------------------------------------


def last_round(history: ScoreHistory) -> Iterator[Thread]:
    """If the leader before the last round did not win, yield a thread about the last round."""
    winner, leader = history.winner, history.leaders[history.last - 1]
    last = history.rounds[-1]
    if last.winner != winner or leader in (winner, NOBODY):
        return
    steps = [
        *taking(history, history.taking_of(leader, history.last - 1)),
        *fillers([], *rise(history, leader, history.last - 1)),
        *before_last(history),
        last_cards(history, last, leader),
        last_blow(history, last),
        *minor(led_long(history, leader)),
        final_count(history),
    ]
    yield Thread("last round", winner, steps, 75, [leader], told=ENDS)


def runaway(history: ScoreHistory) -> Iterator[Thread]:
    """If the winner took the lead early and kept it, yield a thread about this."""
    taking_round = history.for_good
    if taking_round is None or 5 * taking_round.number > 3 * history.last:
        return
    winner, number = history.winner, taking_round.number
    peak = max(range(number, history.last), key=lambda at: (history.lead(at), -at))
    steps = [*(stood(history, number - 1) if number > 3 else []), *taking(history, taking_round)]
    steps += streak(history, taking_round)
    end = end_of_streak(history, taking_round)
    hauls = [each for each in history.won_by(winner) if end < each.number <= peak]
    haul = max(hauls, key=lambda each: each.pot, default=None)
    if haul is not None and 100 * haul.pot >= RICH * haul.usual:
        steps.append(step(history, haul.number, haul.main()))
    close = nearest(history, max(peak, number))
    rest = held(history, close)
    is_open = any(each.facts[0].kind == "before_last" for each in rest)
    if (
        number < peak <= history.last - SOON
        and history.lead(peak) >= history.large
        and not close
        and not is_open
    ):
        fields: dict[str, FactValue] = {
            "side": Name(winner), "rival": Name(history.second(winner, peak)),
            "margin": Points(history.lead(peak)), "count": peak,
        }  # fmt: skip
        steps.append(step(history, peak, Fact("peak", fields)))
    steps += [*close, *rest, *minor(cheap(history, winner))]
    steps += [] if close or rest else minor([led_since(history, taking_round)])
    steps += fillers(
        steps, *waste(history, history.rival), *rich_rounds(history, history.rival), *best_of(history, winner)
    )
    yield Thread("runaway", winner, steps, 45, [history.rival])


def comeback(history: ScoreHistory) -> Iterator[Thread]:
    """If the winner was once far behind, yield a thread about its comeback."""
    winner = history.winner
    low = max(range(history.last), key=lambda at: (history.deficit(winner, at), at))
    leader = history.leaders[low]
    turn = history.for_good
    if history.deficit(winner, low) < history.large or leader == NOBODY or turn is None:
        return
    if low < SOON or turn.number < low + SOON:
        return
    steps = [
        far_behind(history, winner, low),
        *minor(spent(history, leader, low)),
        *climb(history, winner, low, turn),
        *taking(history, turn),
        *minor(dry(history, leader, low)),
    ]  # fmt: skip
    yield Thread("comeback", winner, steps, 55 + 15 * (turn.number > history.last // 2), [leader])


def collapse(history: ScoreHistory) -> Iterator[Thread]:
    """Yield a thread about each side that had a large lead and lost."""
    for loser in history.sides:
        if loser == history.winner:
            continue
        at = max(range(history.last), key=lambda at: (history.margin(loser, at), -at))
        turn = history.for_good
        if history.margin(loser, at) < history.large or at < SOON or turn is None or turn.number <= at:
            continue
        steps = [
            *rise(history, loser, at),
            ahead(history, loser, at),
            *minor(spent(history, loser, at)),
            *climb(history, history.winner, at, turn),
            *taking(history, turn),
            *minor(dry(history, loser, at)),
            *minor(place(history, loser)),
            *fillers([], *tally(history)),
        ]
        yield Thread("collapse", loser, steps, 60, [history.winner])


def feud(history: ScoreHistory) -> Iterator[Thread]:
    """Yield a thread about each feud, in which two sides repeatedly cancelled each other's cards."""
    for first in history.sides:
        for second in history.sides[first + 1 :]:
            met = history.collisions(first, second)
            if len(met) < FEUD or history.winner in (first, second) or len(history.sides) < 3:
                continue
            pair = [Name(first), Name(second)]
            steps: Steps = []
            for at, each in enumerate(met[:FEUD]):
                before = met[at - 1].winner if at else NOBODY
                fields: dict[str, FactValue] = {
                    "pair": pair, "high": card_of(each.cards[first]), "side": Name(each.winner),
                    "card": card_of(each.card), "pot": Points(each.pot), "round": each.number,
                    "count": len(met), **conditions(other=each.winner != before),
                    **({"again": Name(before)} if each.winner == before else {}),
                    **conditions(last=at == FEUD - 1 == len(met) - 1),
                }  # fmt: skip
                kind = "feud_first" if not at else "feud_second" if at == 1 else "feud_third"
                steps.append(step(history, each.number, Fact(kind, fields)))
            steps += [*feud_sum(history, met, pair), *places(history, first, second)]
            yield Thread("feud", NOBODY, steps, 50 + 10 * (len(met) - FEUD), [first, second, history.winner])


def rich_pot(history: ScoreHistory) -> Iterator[Thread]:
    """If points rolled over into one large pot that decided the battle, yield a thread about this pot."""
    pots = history.won_by(history.winner)
    best = max(pots, key=lambda each: each.pot)
    rolled = history.rounds_rolled_over(best)
    is_rich = 100 * best.pot >= RICH * best.usual and best.is_largest
    if not is_rich or not rolled or best.pot <= history.final_lead:
        return
    before = best.number - len(rolled) - 1
    steps = [
        *(stood(history, before) if before > 2 else []),
        *(step(history, each.number, each.main()) for each in rolled[:2]),
        step(history, best.number, best.main()),
        *jump(history, best),
        *(taking(history, history.for_good) if history.for_good is not best else []),
        *nearest(history, best.number),
        *too_late(history),
        *minor(pot_weight(history, best)),
    ]
    steps += fillers(steps, *best_of(history, history.rival, history.last - 1))
    steps += fillers(steps, *waste(history, history.rival))
    yield Thread("rich pot", history.winner, steps, 65, [history.rival])


def pot_weight(history: ScoreHistory, best: Round) -> Steps:
    """If the winner had no other pot as large as its final lead, return a step about the pot that was."""
    if len([each for each in history.won_by(history.winner) if each.pot >= history.final_lead]) > 1:
        return []
    fields: dict[str, FactValue] = {
        "side": Name(history.winner), "pot": Points(best.pot), "lead": Points(history.final_lead),
        "round": best.number,
    }  # fmt: skip
    return [step(history, history.last, Fact("pot_weight", fields))]


def most_wins(history: ScoreHistory) -> Iterator[Thread]:
    """If a side won the most rounds but not the battle, yield a thread about this side."""
    counts = [len(history.won_by(seat)) for seat in history.sides]
    loser = max(history.sides, key=lambda seat: counts[seat])
    if (
        loser == history.winner
        or counts.count(counts[loser]) > 1
        or counts[loser] < counts[history.winner] + 2
    ):
        return
    winner = history.winner
    small = [each for each in history.won_by(loser) if each.pot < each.usual]
    best = max(history.won_by(winner), key=lambda each: each.pot)
    fields: dict[str, FactValue] = {
        "side": Name(loser), "wins": counts[loser], "rival": Name(winner), "fewer": counts[winner],
        "rounds": history.last, "small": len(small),
    }  # fmt: skip
    steps = [
        step(history, history.last, Fact("most_wins", fields)),
        *(
            [step(history, history.last, Fact("small_change", fields))]
            if 2 * len(small) > counts[loser]
            else []
        ),
        *best_of(history, loser),
        step(history, best.number, best.main()),
        *(taking(history, history.for_good) if history.for_good not in (None, best) else []),
        *fillers([], *cheap(history, loser)),
    ]
    yield Thread("most wins", loser, steps, 70, [winner])


def wasted(history: ScoreHistory) -> Iterator[Thread]:
    """Yield a thread about each losing side whose best cards won nothing."""
    for loser in history.sides:
        cards = history.wasted(loser)
        if loser == history.winner or len(cards) < 2:
            continue
        steps = [*waste(history, loser), *best_of(history, loser), *place(history, loser)]
        if history.for_good is not None:
            steps += taking(history, history.for_good)
            yield Thread("wasted", loser, distinct(steps), 25 + 15 * len(cards))


def own(history: ScoreHistory) -> Iterator[Thread]:
    """Yield a thread for each losing side: its best round, wasted cards and final position."""
    for seat in history.sides:
        if seat == history.winner:
            continue
        steps = [
            *best_of(history, seat),
            *waste(history, seat),
            *closest(history, seat),
            *place(history, seat),
        ]
        half = history.last // 2
        led = last_lead(history, seat)
        if led is None or history.scores[led] != history.scores[half]:  # both steps would name this lead
            steps += fillers(steps, *stood(history, half))
        if history.for_good is not None:
            steps += taking(history, history.for_good)
        yield Thread("own", seat, distinct(steps), 30, is_for_hero=True)


def race(history: ScoreHistory) -> Iterator[Thread]:
    """Yield a thread about how the winner and the other sides competed for the lead."""
    winner, rival, half = history.winner, history.rival, history.last // 2
    turn = history.for_good
    if turn is None:
        return
    changes = [each for each in lead_changes(history)[-MOST_CHANGES:] if each is not turn]
    close = nearest(history, turn.number)
    rest = held(history, close)
    is_stood_told = len(changes) > 1 or any(history.lead(half) == lead_in(each) for each in close)
    steps = [
        *([] if is_stood_told else stood(history, half)),
        *minor(rich_rounds(history, rival)),
        *minor(rich_rounds(history, winner)),
        *minor(each for change in changes for each in taking(history, change, changes)),
        *taking(history, turn, changes),
        *close,
        *rest,
        *minor(cheap(history, winner)),
    ]
    if turn.number <= half and not close and not rest:
        steps += minor([led_since(history, turn)])
    steps += fillers(steps, *waste(history, rival), *best_of(history, winner), *tally(history))
    yield Thread("race", winner, distinct(steps), 35, [rival])


def rich_rounds(history: ScoreHistory, side: int) -> Steps:
    """Return a step about a side's best round, if it was before the last round and its pot was large."""
    best = max(history.won_by(side), key=lambda each: each.pot, default=None)
    is_large = best is not None and 100 * best.pot >= LARGER * best.usual
    return best_of(history, side, history.last - 1) if is_large else []


BUILDERS: Sequence[Callable[[ScoreHistory], Iterator[Thread]]] = (
    last_round, runaway, comeback, collapse, feud, rich_pot, most_wins, wasted, own, race,
)  # fmt: skip


# Steps -----------------------------------------------------------------------------------------


def minor(steps: Iterable[Scene]) -> Steps:
    """Return steps that a short story leaves out."""
    return [each if each.is_filler else each._replace(rank=MINOR) for each in steps]


def step(history: ScoreHistory, number: int, fact: Fact) -> Scene:
    """Return a step that states a fact about the battle up to round `number`."""
    place = history.rounds[max(number, 1) - 1].place
    is_about_round = is_round_kind(fact.kind) or fact.kind.startswith(LAST_ROUND)
    return Scene([fact], place, moment=place if is_about_round else -1)


def in_order(steps: Sequence[Scene]) -> Steps:
    """Return the steps in the order of their events. A round precedes the scores after it."""
    return sorted(steps, key=lambda each: (each.last, not is_round(each), each.facts[0].kind != "swings"))


def is_round(scene: Scene) -> bool:
    return is_round_kind(scene.facts[0].kind)


def is_round_kind(kind: str) -> bool:
    return kind in ROUND_KINDS or (kind.startswith(("taken", "feud_", "rolled")) and kind != "feud_sum")


def distinct(steps: Steps) -> Steps:
    """Return the steps, but only one step for each round in which a side took the lead."""
    told = {each.last for each in steps if each.facts[0].kind.startswith("taken")}
    return [each for each in steps if each.last not in told or each.facts[0].kind not in ROUND_KINDS]


def fillers(steps: Steps, *more: Scene) -> Steps:
    """Return the steps in `more` that are about other rounds than those in `steps`, marked as optional."""
    chosen = [*steps]
    for each in more:
        if each.last not in {other.last for other in chosen} or each.facts[0].kind not in ROUND_KINDS:
            chosen.append(each._replace(is_filler=True))
    return chosen[len(steps) :]


def stood(history: ScoreHistory, count: int) -> Steps:
    """If a single side led after the first `count` rounds, return a step about its lead.

    Otherwise, return [].
    """
    side = history.leaders[count]
    if side == NOBODY:
        return []
    rival, scores = history.second(side, count), history.scores[count]
    without = [seat for seat in history.sides if not scores[seat]]
    fields: dict[str, FactValue] = {
        "side": Name(side), "rival": Name(rival), "count": count, "lead": Points(scores[side]),
        **({"behind": Points(scores[rival])} if scores[rival] else {}),
        **({"without": Name(without[0])} if len(without) == 1 else {}),
        **conditions(many=len(history.sides) > 2, duel=len(history.sides) == 2, only=not scores[rival]),
        **conditions(start={*history.leaders[:count]} <= {side, NOBODY}),
    }  # fmt: skip
    return [step(history, count, Fact("stood", fields))]


def ahead(history: ScoreHistory, side: int, count: int) -> Scene:
    """Return a step about the lead of a side after the first `count` rounds, when it was largest."""
    rival, scores = history.second(side, count), history.scores[count]
    fields: dict[str, FactValue] = {
        "side": Name(side), "count": count, "margin": Points(history.margin(side, count)),
        "rival": Name(rival), "lead": Points(scores[side]), **conditions(many=len(history.sides) > 2),
        **({"behind": Points(scores[rival])} if scores[rival] else {}),
    }  # fmt: skip
    return step(history, count, Fact("ahead", fields))


def rise(history: ScoreHistory, side: int, count: int) -> Steps:
    """Return a step about what a side won in the first `count` rounds, or [] if it won none of them.

    Return [] also if the side won nothing later, because the end then repeats the total. If the side won with
    few cards, the step names all of them. Otherwise, it names only the best one, unless the size of its pot
    needs a longer explanation.
    """
    won = [each for each in history.won_by(side) if each.number <= count]
    if not won or history.scores[count][side] == history.final[side]:
        return []
    best = max(won, key=lambda each: each.pot)
    taken = history.taking_of(side, count)
    fields: dict[str, FactValue] = {
        "side": Name(side), "count": count, "wins": len(won),
        **conditions(several=len(won) > 1, some=len(won) < count),
        **({"pot": Points(best.pot)} if best is not taken else {}),
        **({"card": card_of(best.card)} if best.is_plain and best is not taken else {}),
    }  # fmt: skip
    fields["gain"] = Points(history.scores[count][side])
    ranks = sorted({each.card for each in won}, reverse=True)
    if len(ranks) == len(won) <= FEW_CARDS:
        fields["cards"] = [card_of(rank) for rank in ranks]
    return [step(history, count, Fact("rise", fields))]


def taking(history: ScoreHistory, each: Round | None, earlier: Sequence[Round] = ()) -> Steps:
    """Return a step about how a side took the lead in a round.

    `earlier` has the changes of the lead that other steps describe. In the second half of the battle, the
    step can say that the side kept the lead.
    """
    if each is None or each.winner == NOBODY:
        return []
    before, side = history.leaders[each.number - 1], each.winner
    margin = history.margin(side, each.number)
    is_last, is_new = each.number == history.last, margin != each.pot  # the end names the last margin
    is_back = side in history.leaders[: each.number]
    fields = {
        **each.fields(), **({"margin": Points(margin)} if is_new and not is_last else {}),
        **({"passed": Name(before)} if before not in (side, NOBODY) else {}),
        **conditions(
            forgood=each is history.for_good and 3 * history.last // 4 < each.number < history.last,
            back=is_back, fresh=not is_back,
            rich=each.pot >= each.usual, poor=each.pot < each.usual,
            final=each.number == history.last,
        ),
    }  # fmt: skip
    return [step(history, each.number, explained("taken", each, fields))]


def explained(kind: str, each: Round, fields: dict[str, FactValue]) -> Fact:
    """Return a fact about a round that a side won, with what explains its winner and its pot.

    If points had rolled over, the kind ends in `_pot`. If higher cards cancelled each other, it ends in
    `_over`. If both happened, it ends in `_pot_over`. If cards of several ranks cancelled each other, the
    field `often` is set, and the sides that played them are not named.
    """
    if each.carry:
        kind, fields = f"{kind}_pot", {**fields, "waiting": Points(each.carry)}
    if each.cancelled:
        sides = [Name(seat) for seat in each.seats_with(each.cancelled[0])]
        fields = {**fields, "high": card_of(each.cancelled[0]), **conditions(often=len(each.cancelled) > 1)}
        if len(each.cancelled) == 1:
            fields |= {"sides": sides, "pair" if len(sides) == 2 else "crowd": sides}
        kind = f"{kind}_over"
    return Fact(kind, fields)


def led_since(history: ScoreHistory, each: Round) -> Scene:
    """Return a step, for the end, that says since when the winner had led."""
    fields: dict[str, FactValue] = {
        "side": Name(history.winner), "round": each.number,
        **({"always": Name(history.winner)} if each.number == 1 else {}),
    }  # fmt: skip
    return step(history, history.last, Fact("led_since", fields))


def before_last(history: ScoreHistory) -> Steps:
    """Return a step about the lead before the last round.

    Return [] if the last pot was too small to change which side leads.
    """
    leader = history.leaders[history.last - 1]
    margin = history.margin(leader, history.last - 1) if leader != NOBODY else 0
    if not 0 < margin <= history.rounds[-1].pot:
        return []
    rival = history.second(leader, history.last - 1)
    fields: dict[str, FactValue] = {"side": Name(leader), "rival": Name(rival), "margin": Points(margin)}
    return [step(history, history.last - 1, Fact("before_last", fields))]


def last_cards(history: ScoreHistory, last: Round, leader: int) -> Scene:
    """Return a step about the cards that two sides had left for the last round.

    The sides are the leader and the winner of the last round.
    """
    fields: dict[str, FactValue] = {
        "side": Name(last.winner), "card": last.card_by(last.winner),
        **conditions(many=len(history.sides) > 2),
    }  # fmt: skip
    mine = last.cards[leader]
    if mine and leader not in last.late:
        fields |= {"rival": Name(leader), "other": last.card_by(leader)}
    if last.cancelled:
        sides = [Name(seat) for seat in last.seats_with(last.cancelled[0])]
        fields |= {"sides": sides, "high": card_of(last.cancelled[0])}
        fields |= {"pair": sides} if len(sides) == 2 else {}
        if leader in last.seats_with(last.cancelled[0]):
            fields["party"] = Name(leader)
        return step(history, history.last, Fact("last_cards_over", fields))
    return step(history, history.last, Fact("last_cards", fields))


def last_blow(history: ScoreHistory, last: Round) -> Scene:
    """Return a step about what the winner of the last round gained."""
    fields: dict[str, FactValue] = {
        "side": Name(last.winner), "card": last.card_by(last.winner), "pot": Points(last.pot),
    }  # fmt: skip
    return step(history, history.last, explained("last_blow", last, fields))


def final_count(history: ScoreHistory) -> Scene:
    """Return a step with the final score, after a step that says which side won."""
    winner, rival = history.winner, history.rival
    fields: dict[str, FactValue] = {
        "side": Name(winner), "mine": Points(history.final[winner]), "lead": Points(history.final_lead),
        "other": Points(history.final[rival]),
    }  # fmt: skip
    if history.final.count(history.final[rival]) == 1:
        fields["rival"] = Name(rival)
    return step(history, history.last, Fact("final_count", fields))


def led_long(history: ScoreHistory, side: int) -> Steps:
    """If a side led after most of the rounds, return a step with the number of these rounds.

    Otherwise, return [].
    """
    count = history.leaders[1 : history.last].count(side)
    if 2 * count <= history.last:
        return []
    fields: dict[str, FactValue] = {"side": Name(side), "count": count, "rounds": history.last}
    return [step(history, history.last, Fact("led_long", fields))]


def end_of_streak(history: ScoreHistory, first: Round) -> int:
    """Return the number of the last round in the winning streak that begins with the round `first`."""
    at = first.number
    while at < history.last and history.rounds[at].winner == first.winner:
        at += 1
    return at


def streak(history: ScoreHistory, first: Round) -> Steps:
    """If the winner of a round also won the next rounds, return a step about this. Otherwise, return []."""
    at = end_of_streak(history, first)
    if at - first.number + 1 < STREAK:
        return []
    before, after = (history.scores[number][first.winner] for number in (first.number, at))
    fields: dict[str, FactValue] = {
        "side": Name(first.winner), "wins": at - first.number, "score": Points(after),
        "gain": Points(after - before), "next": first.number + 1, "until": at,
        **conditions(pair=at == first.number + 2, long=at > first.number + 2),
    }  # fmt: skip
    return [step(history, at, Fact("streak", fields))]


def nearest(history: ScoreHistory, number: int) -> Steps:
    """If a side came close to the winner after round `number`, return a step about when it was closest.

    The last two rounds are not considered, because the end of the story says how close the sides were then.
    """
    later = range(max(number, SOON) + 1, history.last - 1)
    if not later:
        return []
    at = min(later, key=lambda at: (history.lead(at), at))
    rival, margin = history.second(history.winner, at), history.lead(at)
    is_closest = margin <= min(history.lead(history.last - 1), history.final_lead)
    is_shared = history.scores[at].count(history.scores[at][rival]) > 1
    if not is_closest or is_shared or not 0 < 2 * margin <= history.lead(number):
        return []
    fields: dict[str, FactValue] = {
        "side": Name(history.winner), "rival": Name(rival), "margin": Points(margin), "round": at,
        **conditions(many=len(history.sides) > 2, scare=margin <= SCARE),
    }  # fmt: skip
    answer = next((each for each in history.won_by(history.winner) if at < each.number <= at + 2), None)
    is_answered = answer is not None and answer.is_plain
    fields |= conditions(unanswered=not is_answered)
    if answer is not None and is_answered:
        fields |= {"card": answer.card_by(answer.winner), "pot": Points(answer.pot)}
        fields |= conditions(atonce=answer.number == at + 1)
        at = answer.number
    return [step(history, at, Fact("nearest", fields))]


def lead_in(scene: Scene) -> FactValue:
    return scene.facts[0].fields["margin"]


def held(history: ScoreHistory, close: Steps) -> Steps:
    """If the winner's lead was in danger, return steps about how it held the lead in the last round.

    `close` can have a step about when a side was closest. The same lead is not stated twice.
    """
    if history.leaders[history.last - 1] != history.winner:
        return []
    turn = history.for_good
    is_new = turn is not None and turn.number == history.last - 1
    steps = [] if is_new else before_last(history)
    late = too_late(history)
    end = late or ([step(history, history.last, history.rounds[-1].main())] if steps else [])
    end = [each._replace(rank=0) for each in lost_pot(history)] or end  # the sentence before announces it
    is_repeated = any(history.lead(history.last - 1) == lead_in(each) for each in close)
    return end if is_repeated else [*steps, *end]


def too_late(history: ScoreHistory) -> Steps:
    """If the second side won the last round, but did not win the battle, return a step about this.

    Otherwise, return [].
    """
    last = history.rounds[-1]
    if last.winner != history.rival or history.for_good is last or history.final_lead > last.pot:
        return []
    fields: dict[str, FactValue] = {
        "side": Name(history.rival), "rival": Name(history.winner), "card": last.card_by(last.winner),
        "pot": Points(last.pot),
        **({"lead": Points(history.final_lead)} if history.final_lead >= CLOSE else conditions(close=True)),
    }  # fmt: skip
    return [step(history, history.last, explained("too_late", last, fields))]


def cheap(history: ScoreHistory, side: int) -> Steps:
    """If a side won most of its rounds with low cards, return a step with the number of these rounds.

    Otherwise, return [].
    """
    won = history.won_by(side)
    low = [each for each in won if each.card <= CHEAP]
    if len(low) < 3 or 2 * len(low) <= len(won):
        return []
    fields: dict[str, FactValue] = {
        "side": Name(side), "wins": len(won), "low": len(low),
        "card": card_of(max(each.card for each in low)), "gain": Points(sum(each.pot for each in low)),
        **conditions(every=len(low) == len(won), partly=len(low) < len(won)),
    }  # fmt: skip
    return [step(history, history.last, Fact("cheap", fields))]


def far_behind(history: ScoreHistory, side: int, count: int) -> Scene:
    """Return a step about how far a side was behind the leader after the first `count` rounds."""
    leader, scores = history.leaders[count], history.scores[count]
    fields: dict[str, FactValue] = {
        "side": Name(side), "rival": Name(leader), "count": count, "lead": Points(scores[leader]),
        "deficit": Points(scores[leader] - scores[side]),
        **({"score": Points(scores[side])} if scores[side] else conditions(nothing=True)),
    }  # fmt: skip
    return step(history, count, Fact("far_behind", fields))


def spent(history: ScoreHistory, side: int, count: int) -> Steps:
    """Return a step about a side's best cards in the first `count` rounds, and the best one left."""
    cards = [each.cards[side] for each in history.rounds if each.cards[side]]
    early, late = cards[:count], cards[count:]
    high = sorted([card for card in early if card >= HIGH and cards.count(card) == 1], reverse=True)
    if len(high) < 2 or not late:
        return []
    fields: dict[str, FactValue] = {
        "side": Name(side), "cards": [card_of(card) for card in high], "count": count,
        "card": card_of(max(late)), **conditions(low=max(late) < HIGH),
    }  # fmt: skip
    return [step(history, count, Fact("spent", fields))]


def climb(history: ScoreHistory, side: int, count: int, turn: Round) -> Steps:
    """Return a step about what a side won after round `count`, but before the round `turn`."""
    won = [each for each in history.won_by(side) if count < each.number < turn.number]
    if not won:
        return []
    best = max(won, key=lambda each: each.pot)
    length = turn.number - 1 - count
    if len(won) == 1 and not best.is_plain:
        return [step(history, best.number, best.main())]
    fields: dict[str, FactValue] = {
        "side": Name(side), "wins": len(won), "gain": Points(sum(each.pot for each in won)), "count": length,
        "since": count, **conditions(several=1 < len(won) < length, single=len(won) == 1),
    }  # fmt: skip
    if best.is_plain and [each.pot for each in won].count(best.pot) == 1:
        fields |= {"card": best.card_by(side), "pot": Points(best.pot)}
    if len(won) == length > 1:
        end = end_of_streak(history, won[0])
        gain = history.scores[end][side] - history.scores[count][side]
        fields |= {"streak": end - count, "streak_gain": Points(gain)}
    return [step(history, won[-1].number, Fact("climb", fields))]


def dry(history: ScoreHistory, side: int, count: int) -> Steps:
    """If a side won at most one round after round `count`, return a step about this. Otherwise, return []."""
    later = history.last - count
    gain = history.final[side] - history.scores[count][side]
    wins = len([each for each in history.won_by(side) if each.number > count])
    if later < 3 or wins > 1:
        return []
    fields: dict[str, FactValue] = {"side": Name(side), "count": later, "round": count}
    if wins:
        fields |= {"gain": Points(gain)}
    return [step(history, history.last, Fact("dry_but_one" if wins else "dry", fields))]


def feud_sum(history: ScoreHistory, met: Sequence[Round], pair: Sequence[Name]) -> Steps:
    """Return a step about the points in the pots of a feud, and the side that won most of them."""
    gains = [sum(each.pot for each in met if each.winner == seat) for seat in history.sides]
    best = max(history.sides, key=lambda seat: gains[seat])
    count = len([each for each in met if each.winner == best])
    fields: dict[str, FactValue] = {
        "pair": pair, "count": len(met), "pot": Points(sum(each.pot for each in met)),
        **conditions(several=len(met) > FEUD),
    }  # fmt: skip
    if count > 1:
        fields |= {"side": Name(best), "gain": Points(gains[best]), "wins": count}
        fields |= conditions(every=count == len(met), partly=count < len(met))
    if best == history.winner and gains[best] > history.final_lead:
        fields |= {"victor": Name(best), "lead": Points(history.final_lead), "gain": Points(gains[best])}
    return [step(history, history.last, Fact("feud_sum", fields))]


def places(history: ScoreHistory, first: int, second: int) -> Steps:
    """If two sides finished last and second to last, return a step about this. Otherwise, return []."""
    if {first, second} != {*history.order[-2:]} or len(history.sides) < 4:
        return []
    low, high = (history.final[seat] for seat in history.order[:-3:-1])
    if low == high or high == history.final[history.order[-3]]:
        return []
    fields: dict[str, FactValue] = {
        "side": Name(history.order[-1]), "rival": Name(history.order[-2]), "sides": len(history.sides)
    }  # fmt: skip
    return [step(history, history.last, Fact("both_last", fields))]


def jump(history: ScoreHistory, each: Round) -> Steps:
    """If the winner of a round took the lead in this round, return a step about this.

    Otherwise, return [].
    """
    before, after = history.scores[each.number - 1], history.leaders[each.number]
    if after != each.winner or history.leaders[each.number - 1] == each.winner:
        return []
    worst = before[each.winner] == min(before) and before.count(min(before)) == 1
    fields: dict[str, FactValue] = {
        "side": Name(each.winner), **conditions(worst=worst and len(before) > 2),
        "margin": Points(history.margin(each.winner, each.number)),
    }  # fmt: skip
    return [step(history, each.number, Fact("jump", fields))]


def tally(history: ScoreHistory) -> Steps:
    """Return a step about how many rounds the winner and the second side won.

    Return [] if the winner won more rounds, or if a third side won at least as many as the second side.
    """
    wins, losses = (len(history.won_by(seat)) for seat in (history.winner, history.rival))
    others = [seat for seat in history.sides if seat not in (history.winner, history.rival)]
    if wins > losses or any(len(history.won_by(seat)) >= losses for seat in others):
        return []
    fields: dict[str, FactValue] = {
        "side": Name(history.winner), "rival": Name(history.rival), "wins": wins, "losses": losses,
        **conditions(fewer=wins < losses, same=wins == losses),
    }  # fmt: skip
    return [step(history, history.last, Fact("tally", fields))]


def best_of(history: ScoreHistory, side: int, until: int = 0) -> Steps:
    """Return a step about the best round that a side won up to round `until`.

    If `until` is 0, all rounds are considered.
    """
    won = [each for each in history.won_by(side) if each.number <= (until or history.last)]
    if not won and until:
        return []
    if not won:
        return [step(history, history.last, Fact("never_won", {"side": Name(side), "rounds": history.last}))]
    best = max(won, key=lambda each: each.pot)
    fields = {**best.fields()}
    if not best.is_plain:
        return [step(history, best.number, best.main())]
    pots = [each.pot for each in history.won_by(side)]
    is_best = best.pot == max(pots) and pots.count(best.pot) == 1
    fields |= conditions(
        several=is_best and len(pots) > 1, single=len(pots) == 1,
        great=is_best and 100 * best.pot >= LARGER * best.usual,
    )  # fmt: skip
    return [step(history, best.number, Fact("best_round", fields))]


def waste(history: ScoreHistory, side: int) -> Steps:
    """Return steps about a side's two best cards, if they won nothing, and why they won nothing."""
    return [step(history, each.number, fate(each, side)) for each in history.wasted(side)[:2]]


def fate(each: Round, side: int) -> Fact:
    """Return a fact about why a side's card won nothing: a higher card won, or an equal card cancelled it."""
    card = each.cards[side]
    fields: dict[str, FactValue] = {
        "side": Name(side), "card": card_of(card), "round": each.number, "pot": Points(each.pot),
    }  # fmt: skip
    others = [Name(seat) for seat in each.seats_with(card) if seat != side]
    is_beaten = each.winner != NOBODY and each.cards[each.winner] > card
    if others and not is_beaten:
        thief = each.winner != NOBODY and Name(each.winner) not in others
        fields |= {"others": others, **conditions(one=len(others) == 1)}
        fields |= {"thief": Name(each.winner), "other": each.card_by(each.winner)} if thief else {}
        return Fact("fate_met", fields)
    fields |= {"rival": Name(each.winner), "other": each.card_by(each.winner)}
    return Fact("fate_fell", fields)


def closest(history: ScoreHistory, side: int) -> Steps:
    """If a side was ever in the lead, return a step about when it last led. Otherwise, return []."""
    led = last_lead(history, side)
    if led is None:
        return []
    fields: dict[str, FactValue] = {
        "side": Name(side), "round": led, "margin": Points(history.margin(side, led)),
    }  # fmt: skip
    return [step(history, led, Fact("last_led", fields))]


def last_lead(history: ScoreHistory, side: int) -> int | None:
    """Return the number of the last round after which a side led, or None if it never led."""
    return next((at for at in range(history.last - 1, 0, -1) if history.leaders[at] == side), None)


def place(history: ScoreHistory, side: int) -> Steps:
    """If a side finished third or lower, return a step about its final position. Otherwise, return []."""
    scores = history.final
    if scores.count(scores[side]) > 1 or side == history.winner:
        return []
    th = sum(score > scores[side] for score in scores) + 1
    if th < 3:  # the end names the second side
        return []
    fields: dict[str, FactValue] = {
        "side": Name(side), "place": th, "sides": len(scores),
        "lead": Points(scores[history.winner] - scores[side]), **conditions(worst=th == len(scores)),
        **({"score": Points(scores[side])} if len(history.won_by(side)) > 1 else {}),
    }  # fmt: skip
    return [step(history, history.last, Fact("placed", fields))]

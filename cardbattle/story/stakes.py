"""Describe the context of a battle: the place and date, the strengths, the consequences, and the odds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

from cardbattle.core.telling import Fact, FactValue, Name, conditions
from cardbattle.story.rotation import Ordinals

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report

DIVISORS = 6  # the second number of a simple ratio is at most this large
SIMPLER = Fraction(3, 1000)  # error that is accepted to make a number of the ratio smaller by one
LED = "led"  # the field of a fact about the leaders themselves, who are not introduced yet
THEN = (
    "_then"  # ends the field with the name of a side, without its forces, that had other forces at the time
)
EXPECTED = {"hopeless": "expected_little", "unfancied": "doubted"}  # by the weaker side itself
UPHILL = (*EXPECTED, *EXPECTED.values(), "confident")  # odds that are worth a sentence in a campaign
MOST_CONTEXT, MOST_IN_CAMPAIGN = 3, 2  # maximum number of sentences between the first one and the battle
OPENERS = ("last_place", "without_place", "walked_in", "comes_back", "attempt")  # what can be at stake
MEMORIES = (
    "met_here", "met_at", "met_fallen", "met_taken", "met_before", "met_level", "met_often", "deed_took",
    "deed_held", "deed_lost", "deed_failed", "leader_was_lost", "leader_was_taken", "leader_is_back",
    "had_won_all", "had_lost_all",
)  # the past of the sides in a first sentence  # fmt: skip
REMEMBERING = "first_"  # the kinds of such facts begin with this
DATED, REMEMBERED, WAYS = 0, 1, 3  # two of the ways to begin a story in a campaign, and how many there are
ROUGHLY = "outnumbered_roughly"  # the kind of the fact about two rough strengths
COUNTED, UNEQUAL = 5, Fraction(3, 2)  # smallest rough strength given as a number, and smallest ratio
HARDLY, UNLIKELY, EVEN = 150, 350, 430  # chances of the weaker of two sides, in permille


class UnitLoss(NamedTuple):
    """What a unit lost in a battle, and the strength that it had before."""

    name: str
    lost: int
    of: int


class Stakes(NamedTuple):
    """What a campaign knows about a battle. Every attribute is optional.

    Attributes:
        place: the place where the battle is fought.
        when: the date or the name of the turn.
        words: the umpire's own sentences, which a story contains unchanged.
        written: a story by the umpire, which replaces the generated story, or "".
        decides: facts about what is at stake.
        strengths: the strength of each side before the battle, or 0 if the reader does not know it.
        rough_strengths: the same, roughly, if the reader knows both strengths only roughly, or an empty list.
        rough_strengths_left: the same after the battle.
        best_known: the strength of each side before the battle, exact or rough, or an empty list.
        chances: each side's chance of winning before the first move, or after the moves that only prepare
            the battle, such as a deployment, in permille.
        has_begun: True if the chances are those after such moves.
        viewer: the seat whose hidden cards the chances take into account, or None if they are those of the
            public.
        casualties: a pair (losses, strength before the battle) for each side.
        losses: the share of its strength that each side lost in the campaign, where this is less than the
            losses in the record, or an empty list. A share is None if the story must not compare it.
        units: the losses of units that the reader may know about.
        shorts: the short name of each side, or "" for a side whose name must be shortened automatically.
        names: the full name of each side, or "" for the name in the record.
        leaders: the person who leads each side, or "" if the reader knows none.
        factions: the faction by which the story can introduce each side, or "".
        memory: facts about what the place meant to a faction, and about earlier battles of these sides.
        ordinals: the numbers of the battle in its campaign, or None for a battle outside a campaign.
        consequences: facts about what the battle changed in the war, the greatest last.
        is_great: True if they are great enough for a longer story.
        about: the place at stake, if the sides perhaps did not fight there, or if nobody knows which side
            came for it.

    """

    place: str = ""
    when: str = ""
    words: Sequence[str] = ()
    decides: Sequence[Fact] = ()
    strengths: Sequence[int] = ()
    rough_strengths: Sequence[int] = ()
    rough_strengths_left: Sequence[int] = ()
    best_known: Sequence[int] = ()
    chances: Sequence[int] = ()
    has_begun: bool = False
    viewer: int | None = None
    casualties: Sequence[tuple[int, int]] = ()
    losses: Sequence[Fraction | None] = ()
    units: Sequence[UnitLoss] = ()
    shorts: Sequence[str] = ()
    written: str = ""
    names: Sequence[str] = ()
    leaders: Sequence[str] = ()
    factions: Sequence[str] = ()
    memory: Sequence[Fact] = ()
    consequences: Sequence[Fact] = ()
    is_great: bool = False
    about: str = ""
    ordinals: Ordinals | None = None


def opening_facts(report: Report, stakes: Stakes) -> list[Fact]:
    """Return facts about the sides, the place and date, what is at stake, and the odds."""
    sides: dict[str, FactValue] = {"sides": [Name(seat) for seat in range(len(report.names))]}
    if len(report.names) == 2:
        sides |= {"side": Name(0), "rival": Name(1)}
    holder = holder_of(stakes)
    if holder is not None and len(report.names) == 2:
        if way_of(stakes) != DATED:
            return undated(holder, stakes)
        first = opener_of(stakes)
        if first is not None:
            others = stakes._replace(memory=stakes.memory[1:])
            return [opened(first, stakes.when), *context_facts(others, [])]
        if stakes.when and rough_facts(stakes) and not is_upset(stakes):
            facts = [fact for fact in context_facts(stakes, []) if fact.kind != ROUGHLY]
            return [held_with_strengths(holder, stakes), *facts]
        return [held(holder, stakes), *context_facts(stakes, [])]
    if stakes.about and len(report.names) == 2 and stakes.ordinals is not None:
        kinds = {REMEMBERED: MEMORIES}.get(way_of(stakes), OPENERS)
        return remembered(Fact("meet_about", {**sides, "place": stakes.about}), stakes, kinds)
    kind = "meet" if len(report.names) == 2 else "meet_many"
    for word, value in (("place", stakes.place), ("when", stakes.when)):
        if value:
            kind += f"_{word}"
            sides[word] = value
    sides |= conditions(single=stakes.ordinals is None)
    return [Fact(kind, sides), *context_facts(stakes, stakes.decides)]


def way_of(stakes: Stakes) -> int:
    """Return how a story begins: with place and date, with the past of the sides, or with what is at stake.

    In a campaign, the three ways take turns. Reports have the date in their headings.
    """
    has_place = holder_of(stakes) is not None or bool(stakes.about)
    return stakes.ordinals.battle % WAYS if stakes.ordinals is not None and has_place else DATED


def undated(holder: Fact, stakes: Stakes) -> list[Fact]:
    """Return facts for a beginning without a date: a fact from the past or about the place, then who came.

    Without such a fact, the story begins with the meeting of the two sides.
    """
    meeting = held(holder, stakes._replace(when=""))
    kinds = MEMORIES if way_of(stakes) == REMEMBERED else OPENERS
    if not any(fact.kind in kinds for fact in stakes.memory):
        return [meeting, *context_facts(stakes, [])]
    fields = {name: meeting.fields[name] for name in ("side", "rival", "place")}
    return remembered(Fact("meet_then", fields), stakes, kinds)


def remembered(meeting: Fact, stakes: Stakes, kinds: Sequence[str]) -> list[Fact]:
    """Return the facts of a beginning: a fact of one of these kinds, if any, and then the meeting.

    The story then says no more about the past.
    """
    first = next((fact for fact in stakes.memory if fact.kind in kinds), None)
    if first is None:
        return [meeting, *context_facts(stakes, [])]
    introduced = {name: value for name, value in sides_then(first).items() if name != LED}
    if first.kind in OPENERS or first.fields.get("place") == meeting.fields["place"]:  # it names the place
        meeting = Fact("meet_there" if holder_of(stakes) else "meet_again", meeting.fields)
    context = context_facts(stakes._replace(memory=()), [])[: MOST_IN_CAMPAIGN - 1]
    return [Fact(f"{REMEMBERING}{first.kind}", introduced), meeting, *context]


def holder_of(stakes: Stakes) -> Fact | None:
    """Return the fact about the side that holds the place at stake, or None."""
    return next((fact for fact in stakes.decides if fact.kind == "holds_place"), None)


def opener_of(stakes: Stakes) -> Fact | None:
    """Return the fact about what the place means to a faction, if the story begins with it, or None."""
    first = stakes.memory[0] if stakes.memory and stakes.when and holder_of(stakes) else None
    return first if first is not None and first.kind in OPENERS else None


def introducing(stakes: Stakes) -> list[str]:
    """Return, for each side, the faction by which the story introduces it.

    The entry is "" if the first fact already names this faction, so that each is named only once.
    """
    if holder_of(stakes) is None and stakes.ordinals is None:
        return []
    first = opener_of(stakes) if way_of(stakes) != REMEMBERED else None
    named = first.fields.get("owner") if first is not None else None
    return ["" if faction == named else faction for faction in stakes.factions]


def context_facts(stakes: Stakes, decides: Sequence[Fact]) -> list[Fact]:
    """Return a few facts: what is at stake, the past of the sides, the odds, and the strengths.

    The odds are left out if they are against the stronger side, because a story cannot say why.
    """
    is_alone = not stakes.memory and stakes.ordinals is None
    strengths = [] if is_upset(stakes) else [*strength_facts(stakes), *rough_facts(stakes)]
    stronger = stronger_side(stakes)
    odds = [
        fact
        for fact in odds_facts(stakes)
        if (is_alone or fact.kind in UPHILL) and fact.fields["side"] not in stronger
    ]
    most = MOST_CONTEXT if stakes.ordinals is None else MOST_IN_CAMPAIGN
    return [*decides, *stakes.memory, *odds, *strengths][:most]


def stronger_side(stakes: Stakes) -> list[Name]:
    """Return the side that is clearly stronger as far as the reader knows, or an empty list."""
    few, many = sorted(stakes.best_known) if len(stakes.best_known) == 2 else (0, 0)
    is_clear = few > 0 and simple_ratio(many, few) != (1, 1)
    return [Name(stakes.best_known.index(many))] if is_clear else []


def is_upset(stakes: Stakes) -> bool:
    """Return True if the weaker side won, so that the end of the story names the strengths."""
    return any(fact.kind == "upset" for fact in stakes.consequences)


def held(holder: Fact, stakes: Stakes) -> Fact:
    """Return the fact that a side comes to take the place that the other side holds.

    It leaves out the factions that already introduce the sides.
    """
    side = holder.fields["side"]
    assert isinstance(side, Name)
    named = introducing(stakes)
    fields = {
        name: value for name, value in holder.fields.items()
        if name not in ("owner", "attackers") or value not in named
    }  # fmt: skip
    fields["rival"] = Name(1 - side.seat)
    if not stakes.when:
        return Fact("meet_holder", fields)
    return Fact("meet_holder_when", {**fields, "when": stakes.when})


def opened(at_stake: Fact, when: str) -> Fact:
    """Return a fact that says which sides meet, and what one of them has at stake."""
    side = at_stake.fields["side"]
    assert isinstance(side, Name)
    fields = sides_then(at_stake)
    return Fact(f"opens_{at_stake.kind}", {**fields, "rival": Name(1 - side.seat), "when": when})


def sides_then(fact: Fact) -> dict[str, FactValue]:
    """Return the fields of a fact from the past, with the names of sides that had other forces then."""
    return {name: fact.fields.get(f"{name}{THEN}", value) for name, value in fact.fields.items()}


def strength_facts(stakes: Stakes) -> list[Fact]:
    """If both strengths are known, return a fact that says which side is outnumbered, and by how much."""
    if len(stakes.strengths) != 2 or not all(stakes.strengths):
        return []
    weak = 0 if stakes.strengths[0] < stakes.strengths[1] else 1
    few, many = stakes.strengths[weak], stakes.strengths[1 - weak]
    ratio = simple_ratio(many, few)
    if ratio == (1, 1):
        return []
    fields: dict[str, FactValue] = {
        "side": Name(weak), "rival": Name(1 - weak), "many": ratio[0], "few": ratio[1],
        "strength": few, "rivals_strength": many,
    }  # fmt: skip
    return [Fact("outnumbered_by" if ratio[1] == 1 else "outnumbered", fields)]


def rough_facts(stakes: Stakes) -> list[Fact]:
    """If a side is much weaker than the other as far as the reader knows, return a fact about it."""
    if len(stakes.rough_strengths) != 2:
        return []
    few, many = sorted(stakes.rough_strengths)
    if few < COUNTED or many < UNEQUAL * few:
        return []
    weak = stakes.rough_strengths.index(few)
    fields: dict[str, FactValue] = {
        "side": Name(weak), "rival": Name(1 - weak), "strength": few, "rivals_strength": many,
    }  # fmt: skip
    return [Fact(ROUGHLY, fields)]


def held_with_strengths(holder: Fact, stakes: Stakes) -> Fact:
    """Return a fact that says how strong a side comes for the place, and how strong the other holds it."""
    fact = held(holder, stakes)
    side = holder.fields["side"]
    assert isinstance(side, Name)
    held_by, wanted_by = stakes.rough_strengths[side.seat], stakes.rough_strengths[1 - side.seat]
    size = conditions(few=held_by < wanted_by, many=held_by > wanted_by)
    fields = {**fact.fields, **size, "strength": held_by, "rivals_strength": wanted_by}
    return Fact("meet_holder_counted", fields)


def simple_ratio(many: int, few: int) -> tuple[int, int]:
    """Return the nearest ratio of two small numbers.

    The ratio is (1, 1) if the larger number exceeds the smaller one by less than a seventh.

    >>> simple_ratio(16, 11), simple_ratio(30, 29), simple_ratio(36, 10), simple_ratio(39, 34)
    ((3, 2), (1, 1), (7, 2), (7, 6))
    """
    if 7 * many < 8 * few:
        return 1, 1
    ratio = Fraction(many, few)
    pairs = [(n, d) for d in range(1, DIVISORS + 1) for n in near(ratio, d)]
    return min(pairs, key=lambda pair: abs(Fraction(*pair) / ratio - 1) + SIMPLER * sum(pair))


def near(ratio: Fraction, few: int) -> list[int]:
    """Return the whole numbers just below and just above `few` times `ratio`."""
    return [max(1, floor(ratio * few)), ceil(ratio * few)]


def odds_facts(stakes: Stakes) -> list[Fact]:
    """Return a fact about the odds before the battle.

    Each side knows its own cards, so that both can expect to lose. If the chances depend on what a side alone
    knows, the fact is therefore about what this side expected.
    """
    if len(stakes.chances) != 2:
        return []
    weak = 0 if stakes.chances[0] < stakes.chances[1] else 1
    fields: dict[str, FactValue] = {"side": Name(weak), "rival": Name(1 - weak)}
    fields |= conditions(begun=stakes.has_begun, early=not stakes.has_begun)
    chance = stakes.chances[weak]
    kind = (
        "hopeless" if chance < HARDLY else "unfancied" if chance < UNLIKELY else "favoured" if chance < EVEN
        else "even_odds"
    )  # fmt: skip
    if stakes.viewer is not None:
        kind = EXPECTED.get(kind, "") if stakes.viewer == weak else "confident" if kind in EXPECTED else ""
    return [Fact(kind, fields)] if kind else []

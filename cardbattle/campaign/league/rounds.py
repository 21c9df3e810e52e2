"""Draw the next round of a league: its pairings, and the pending battles for them.

The functions are pure, like those of `operations`, and return the operations to record. Random draws are
derived from the campaign's seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardbattle.campaign.league.agreement import disagreements, numbers_of_drawn_rounds, repair
from cardbattle.campaign.league.knock_out import NextRound, knock_out_round, play_off_round
from cardbattle.campaign.league.league_table import PENDING, PLAYED, League, present
from cardbattle.campaign.league.match_hints import leaver_hints
from cardbattle.campaign.league.pairing import (
    Pairings,
    Past,
    pair_by_order,
    round_robin,
    round_robin_length,
)
from cardbattle.campaign.ledger.ledger import Entry, Ledger
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, after
from cardbattle.campaign.state.changes import PENDING as PENDING_TABLE
from cardbattle.campaign.state.changes import Change, pending, value_at
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.fixtures import (
    DRAW,
    KNOCK_OUT,
    RANDOM,
    ROUND_ROBIN,
    SIDES,
    SWISS,
    Fixtures,
    Match,
)
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.grammar import choose_form
from cardbattle.core.names import listed
from cardbattle.core.telling import counted

KIND = "fixtures"  # kind of the ledger entries
LONGEST_ID = 40
MOST_EXAMPLES = 4  # forces in the example of a command
PLACEHOLDERS = ("FORCE", "FORCE")


def league_of(campaign: Campaign, ledger: Ledger) -> League:
    """Return a campaign's league. Raises InvalidInput if it has none."""
    if campaign.fixtures is None:
        example = f"cardbattle campaign add fixtures kind=round-robin forces={example_forces(campaign)}"
        raise InvalidInput(f"this campaign has no [fixtures]; to add them: {example}")
    return League(campaign, ledger, campaign.fixtures)


def example_forces(campaign: Campaign) -> str:
    """Return the first forces of a campaign for an example, or placeholders if it has fewer than two."""
    keys = [key for key, force in campaign.forces.items() if not force.destroyed]
    return ",".join(keys[:MOST_EXAMPLES] if len(keys) > 1 else PLACEHOLDERS)


def plan_rounds(
    books: CampaignFile, ledger: Ledger, *, every: bool = False, early: bool = False, reason: str = ""
) -> list[Operation]:
    """Return the operations that draw the next round.

    With `every`, all remaining rounds of a round robin are drawn. With `early`, a round that does not depend
    on results can be drawn before the last round is over. Raises InvalidInput if the last round is not over,
    or if the whole league is over. Raises UsageError if `every` or `early` is given for rounds that depend on
    results.
    """
    if every and league_of(books.campaign, ledger).fixtures.kind != ROUND_ROBIN:
        raise UsageError("--all is for a round robin; other rounds depend on results or a random draw")
    operations: list[Operation] = []
    while not operations or (every and not is_complete(league_of(books.campaign, ledger))):
        operation = plan_round(books, ledger, early=early or every, reason=reason)
        operations.append(operation)
        books = after(books, [operation])
    return operations


def plan_round(books: CampaignFile, ledger: Ledger, *, early: bool = False, reason: str = "") -> Operation:
    """Return the operation that draws the next round. Raises the errors of `plan_rounds`."""
    campaign = books.campaign
    league = league_of(campaign, ledger)
    order = league.fixtures.order or draw_order(campaign, league.fixtures)
    for disagreement in disagreements(league):
        raise InvalidInput(repair(league, disagreement))
    check_is_over(league, early=early)
    drawn = next_round(league, order)
    if not drawn.pairings.pairs and not drawn.pairings.byes:
        raise InvalidInput("no two of the forces in [fixtures] forces are left to meet")
    changes = []
    if order != league.fixtures.order:
        changes.append(Change(("fixtures", "order"), value_at(campaign.data, ("fixtures", "order")), order))
    matches = matches_of(campaign, ledger, drawn)
    place = len(pending(campaign.data))
    changes += [
        Change((PENDING_TABLE, match.battle), None, battle_of(league.fixtures, match, drawn), place=place + n)
        for n, match in enumerate(matches)
    ]
    before = value_at(campaign.data, ("round",))
    changes.append(Change(("round",), before, rounds_with(before, matches, drawn)))
    campaign.after(changes)
    text = f"{drawn.name}: {counted(len(matches), 'match', 'matches')}"
    is_open = (
        campaign.visibility.pending == "all"
    )  # otherwise the number of battles can be hidden from players
    entry = Entry(0, KIND, changes, reason=reason, text=text if is_open else "")
    here = present(league)
    absent = [f"{key} is destroyed and has no match" for key in league.fixtures.forces if key not in here]
    return Operation(entry, keeps_lines=True, notes=[f"drawn: {text}", *absent])


def draw_order(campaign: Campaign, fixtures: Fixtures) -> list[str]:
    """Return the entrants in the order of the draw, which is random or the order of the file."""
    places = [*range(len(fixtures.forces))]
    if fixtures.seeding == DRAW:
        stream(campaign.seed, "fixtures/draw").shuffle(places)
    return [fixtures.forces[place] for place in places]


def check_is_over(league: League, *, early: bool) -> None:
    """Raise InvalidInput if the league is over.

    Unless `early` is True, also raise it if the last round is not over yet.
    """
    if is_complete(league) and league.fixtures.kind != KNOCK_OUT and league.fixtures.play_offs is None:
        raise InvalidInput(f"the league is over after {counted(len(league.rounds), 'round')}")
    matches = [match for drawn in league.rounds for match in drawn.matches if league.state(match) == PENDING]
    left = [match.battle for match in matches]
    follows = league.fixtures.kind in (SWISS, KNOCK_OUT) or is_complete(league)
    if early and follows:
        raise UsageError(
            "--early is only for rounds whose pairings do not depend on results; those of this round do"
        )
    if left and not early:
        verb = "is" if len(left) == 1 else "are"
        remedy = f"fight or cancel {choose_form('it|them', len(left) > 1)} first"
        remedy += "" if follows else ", or draw the next with --early"
        hints = "".join(f"; {hint}" for match in matches for hint in leaver_hints(league, match))
        text = f"round {len(league.rounds)} is not over: {listed(left)} {verb} pending; {remedy}{hints}"
        raise InvalidInput(text)


def league_length(league: League) -> int | None:
    """Return the number of rounds before the play-offs.

    The number is None if it is unlimited, and 0 for a knock-out.
    """
    fixtures = league.fixtures
    entrants = len(fixtures.order or fixtures.forces)
    if fixtures.kind == KNOCK_OUT:
        return 0
    if fixtures.kind == ROUND_ROBIN:
        return round_robin_length(entrants, twice=fixtures.twice)
    if fixtures.rounds is None and fixtures.kind == SWISS:
        return (entrants - 1).bit_length()
    return fixtures.rounds


def is_complete(league: League) -> bool:
    """Return True if all rounds before the play-offs are drawn."""
    length = league_length(league)
    return length is not None and len(league.league_rounds) >= length


def outcome_words(league: League) -> str:
    """Return a sentence which says that the league is over and who has won it.

    The result is empty if matches remain, if a round does not agree with the results, or if the reader does
    not know the order of the draw.
    """
    is_open = any(league.state(match) == PENDING for drawn in league.rounds for match in drawn.matches)
    if not league.fixtures.order or is_open or disagreements(league):
        return ""
    try:
        check_is_over(league, early=False)
        next_round(league, league.fixtures.order)
    except InvalidInput as error:
        text = str(error)
        best = league.ranking[0] if league.has_table and league.fixtures.play_offs is None else []
        winners = listed(map(league.campaign.display_name, best))
        return (f"{text}; first: {winners}" if best else text) if "is over" in text else ""
    return ""


def next_round(league: League, order: Sequence[str]) -> NextRound:
    """Return the next round. Raises InvalidInput if the league is over."""
    fixtures = league.fixtures
    if fixtures.kind == KNOCK_OUT:
        return knock_out_round(league, order, league.rounds)
    if is_complete(league) and fixtures.play_offs is not None:
        return play_off_round(league, fixtures.play_offs)
    number = next_number(league)
    return NextRound(f"Round {number + 1}", league_pairings(league, order, number))


def next_number(league: League) -> int:
    """Return the number of the next round before the play-offs.

    The first round has the number 0. If the umpire has removed a round of a round robin from the file, that
    round is next.
    """
    count = len(league.league_rounds)
    if league.fixtures.kind != ROUND_ROBIN or not league.fixtures.order:
        return count
    numbers = numbers_of_drawn_rounds(league)
    return count if numbers is None else next(n for n in range(count + 1) if n not in numbers)


def league_pairings(league: League, order: Sequence[str], number: int) -> Pairings:
    """Return the pairs of a round before the play-offs. The first round has the number 0."""
    fixtures, campaign = league.fixtures, league.campaign
    if fixtures.kind == ROUND_ROBIN:
        return without_absent(round_robin(order, number), present(league))
    if fixtures.kind == RANDOM:
        places = [*range(len(league.entrants))]
        stream(campaign.seed, f"fixtures/round/{number + 1}").shuffle(places)
        keys = [league.entrants[place] for place in places]
    else:
        keys = league.order if number else [*order]
    here = present(league)
    return pair_by_order([key for key in keys if key in here], past_of(league))


def without_absent(pairings: Pairings, here: set[str]) -> Pairings:
    """Return the pairings without the forces that no longer take part. Their opponents have a bye."""
    pairs = [pair for pair in pairings.pairs if {*pair} <= here]
    alone = [key for pair in pairings.pairs if pair not in pairs for key in pair]
    return Pairings(pairs, [key for key in (*pairings.byes, *alone) if key in here])


def past_of(league: League) -> Past:
    """Return the meetings, home matches and byes of the rounds that count for the table."""
    meetings: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    homes: Counter[str] = Counter()
    for drawn in league.league_rounds:
        byes.update(drawn.byes)
        for match in drawn.matches:
            if league.state(match) in (PENDING, PLAYED):
                meetings[match.pair] += 1
                homes[match.home] += 1
                homes[match.away] -= 1
    return Past(meetings, byes, homes)


# Battles


def matches_of(campaign: Campaign, ledger: Ledger, drawn: NextRound) -> list[Match]:
    """Return the matches of a round. Each match has a new battle id."""
    number = len(campaign.round) + (not drawn.is_replay)
    ids_in_use = {battle.id for battle in campaign.pending} | {*ledger.revision_by_battle}
    ids_in_use |= {match.battle for earlier in campaign.round for match in earlier.matches}
    matches = []
    for home, away in drawn.pairings.pairs:
        match = Match(battle=battle_id(f"r{number}", home, away, ids_in_use), home=home, away=away)
        ids_in_use.add(match.battle)
        matches.append(match)
    return matches


def battle_id(lead: str, home: str, away: str, taken: set[str]) -> str:
    """Return an unused id for a battle. An id has at most 40 characters.

    >>> battle_id("r3", "gate", "odd", {"r3-gate-odd"})
    'r3-gate-odd-2'
    """
    room = LONGEST_ID - len(lead) - 2 - 4
    names = [home, away]
    if sum(map(len, names)) > room:
        short = max(room // 2, room - min(map(len, names)))
        names = [name[: short if len(name) > room // 2 else len(name)].rstrip("-_") for name in names]
    plain = "-".join([lead, *names])
    candidate, number = plain, 1
    while candidate in taken:
        number += 1
        candidate = f"{plain}-{number}"
    return candidate


def battle_of(fixtures: Fixtures, match: Match, drawn: NextRound) -> dict[str, object]:
    sides = dict(zip(SIDES, (match.home, match.away), strict=True))
    table: dict[str, object] = {"id": match.battle}
    table |= {"rules": fixtures.rules} if fixtures.rules else {}
    table["sides"] = [match.home, match.away]
    table |= {"stakes": fixtures.stakes} if fixtures.stakes else {}
    table["note"] = f"{drawn.name}, replay" if drawn.is_replay else drawn.name
    house = {
        word: sides.get(value, value) if isinstance(value, str) else value
        for word, value in fixtures.house.items()
    }
    return table | ({"house": house} if house else {})


def rounds_with(before: object, matches: Sequence[Match], drawn: NextRound) -> list[object]:
    """Return the rounds in the form of the campaign file, after adding the new matches.

    They are a new round, or the replays in the last round.
    """
    rounds = [*before] if isinstance(before, list) else []
    tables: list[object] = [match.model_dump() for match in matches]
    if drawn.is_replay:
        last = dict(rounds[-1])
        last["matches"] = [*last["matches"], *tables]
        return [*rounds[:-1], last]
    table: dict[str, object] = {"name": drawn.name, "matches": tables}
    table |= {"byes": [*drawn.pairings.byes]} if drawn.pairings.byes else {}
    table |= {"stage": drawn.stage} if drawn.stage else {}
    table |= {"seeds": [*drawn.seeds]} if drawn.seeds else {}
    return [*rounds, table]

"""Find drawn rounds that no longer agree with the results from which they were drawn.

A round of a knock-out depends on the results of the round before it, a replay on the match before it, and the
first round of the play-offs on the table. The umpire can change these results after the draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from cardbattle.campaign.league.knock_out import Tie
from cardbattle.campaign.league.league_table import PENDING, League, present
from cardbattle.campaign.league.pairing import bracket, neighbours, round_robin
from cardbattle.campaign.league.round_draws import draws_left, undo_command
from cardbattle.campaign.state.tables.fixtures import KNOCK_OUT, PLAY_OFFS, ROUND_ROBIN, Match, Round
from cardbattle.core.names import listed

DRAW_AGAIN = "cardbattle campaign fixtures"


class Disagreement(NamedTuple):
    """A drawn round, or a replay in it, that does not agree with the results.

    Attributes:
        drawn: the round.
        replay: the replay that does not agree, or None if the round itself does not agree.
        text: the reason, for readers.

    """

    drawn: Round
    replay: Match | None
    text: str


def disagreements(league: League) -> list[Disagreement]:
    """Return the rounds and replays that do not agree with the results, in order.

    The list is empty if the reader does not know the seeds.
    """
    errors = [*find_repeated_rounds(league)]
    stage = stage_of(league)
    seeds = stage_seeds(league, stage)
    if not seeds:
        return errors
    if league.fixtures.kind != KNOCK_OUT:
        errors += wrong_seeds(league, stage[0])
    ranks = {key: place for place, key in enumerate(seeds)}
    places = bracket(seeds)
    for drawn, following in zip(stage, [*stage[1:], None], strict=False):
        ties = [Tie(league, drawn, ranks, *pair) for pair in neighbours(places)]
        for tie in ties:
            errors += wrong_replays(tie)
            errors += wrong_winners(tie, following) if following else []
        places = [tie.side_in(following) if following else None for tie in ties]
    return errors


def stage_of(league: League) -> list[Round]:
    """Return the rounds of the knock-out, or of the play-offs of a league with a table."""
    if league.fixtures.kind == KNOCK_OUT:
        return league.rounds
    return [drawn for drawn in league.rounds if drawn.stage == PLAY_OFFS]


def stage_seeds(league: League, stage: Sequence[Round]) -> Sequence[str]:
    """Return the seeds of the bracket, the best first."""
    if league.fixtures.kind == KNOCK_OUT:
        return league.fixtures.order
    return stage[0].seeds if stage else []


def name(league: League, key: str) -> str:
    return league.campaign.display_name(key)


def wrong_seeds(league: League, first: Round) -> Iterator[Disagreement]:
    """Yield a disagreement if results were changed after the draw of the play-offs, and now others lead."""
    drawn_at = draw_revision(league, first)
    matches = [match for drawn in league.league_rounds for match in drawn.matches]
    for match in matches:
        if league.state(match) == PENDING:
            yield Disagreement(first, None, f"{first.name} was drawn, but {match.battle} has no result")
            return
    if not any(league.ledger.revision_by_battle.get(match.battle, 0) > drawn_at for match in matches):
        return
    here = present(league) | {*first.seeds}
    best = [key for key in league.order if key in here][: len(first.seeds)]
    if best != first.seeds:
        old_names, new_names = (listed(name(league, key) for key in keys) for keys in (first.seeds, best))
        text = (
            f"{first.name} was drawn when {old_names} were first in the table; the first are now {new_names}"
        )
        yield Disagreement(first, None, text)


def wrong_replays(tie: Tie) -> Iterator[Disagreement]:
    """Yield a disagreement for each replay of a match that was not drawn, or has no result any more."""
    league = tie.league
    matches = [match for match in tie.drawn.matches if match.pair == {tie.one, tie.other}]
    for match, replay in pairwise(matches):
        reason = reason_against(league, match, None)
        if reason:
            yield Disagreement(tie.drawn, replay, f"{replay.battle} is a replay, but {reason}")


def wrong_winners(tie: Tie, following: Round) -> Iterator[Disagreement]:
    """Yield a disagreement for each side in the following round that has not won.

    Yields one also if the winner is missing there because the result was changed after the draw.
    """
    league, match = tie.league, tie.match
    if match is None:
        return
    sides = [key for key in tie.pair if key in following.entrants]
    for key in sides:
        reason = reason_against(league, match, key, tie.ranks)
        if reason:
            yield Disagreement(following, None, f"{following.name} has {name(league, key)}, but {reason}")
    result = league.results.get(match.battle)
    if sides or result is None or len(result.winners) != 1 or result.winners[0] not in present(league):
        return
    if league.ledger.revision_by_battle[match.battle] > draw_revision(league, following):
        reason = f"{name(league, result.winners[0])} won {match.battle}"
        yield Disagreement(following, None, f"{following.name} lacks the winner of a match: {reason}")


def reason_against(
    league: League, match: Match, key: str | None, ranks: Mapping[str, int] | None = None
) -> str:
    """Return why a side cannot have advanced from a match, or without a side why no replay can follow it.

    The reason is empty if the side can have advanced. From a match that was cancelled, either side can.
    """
    result = league.results.get(match.battle)
    if result is None:
        return f"{match.battle} has no result" if league.state(match) == PENDING else ""
    if len(result.winners) == 1:
        return "" if result.winners[0] == key else f"{name(league, result.winners[0])} won {match.battle}"
    if key is None or ranks is None or key == min(match.pair, key=lambda side: ranks[side]):
        return ""
    return f"{match.battle} was drawn"


def numbers_of_drawn_rounds(league: League) -> list[int] | None:
    """Return the numbers of the rounds of a round robin that are drawn, the first round being 0.

    Returns None if a round is not one that cardbattle draws in the order of [fixtures], for example because
    the umpire has edited it.
    """
    order = league.fixtures.order
    rounds = league.league_rounds
    pairs = [{*round_robin(order, number).pairs} for number in range(max(len(rounds), 2 * len(order) + 2))]
    numbers = []
    for place, drawn in enumerate(rounds):
        matches = {(match.home, match.away) for match in drawn.matches}
        fitting = [number for number, whole in enumerate(pairs) if matches and matches <= whole]
        if matches and not fitting:
            return None
        numbers.append(fitting[0] if matches else place)
    return numbers


def find_repeated_rounds(league: League) -> Iterator[Disagreement]:
    """Yield a disagreement for each round of a round robin that was drawn twice."""
    if league.fixtures.kind != ROUND_ROBIN or not league.fixtures.order:
        return
    seen: set[int] = set()
    for number, drawn in zip(numbers_of_drawn_rounds(league) or [], league.league_rounds, strict=False):
        if number in seen:
            yield Disagreement(drawn, None, f"{drawn.name} is drawn twice")
        seen.add(number)


def draw_revision(league: League, drawn: Round) -> int:
    """Return the revision that drew a round, or 0 if no command of this campaign drew it."""
    draws = draws_left(league.campaign, league.ledger)
    return next((draw.revision for draw in draws if draw.drew(drawn, None)), 0)


def repair(league: League, disagreement: Disagreement) -> str:
    """Return the text of a disagreement for the umpire, with the command that draws the round again."""
    drawn, replay, text = disagreement
    for draw in draws_left(league.campaign, league.ledger):
        if draw.drew(drawn, replay):
            command = undo_command(league.campaign, league.ledger, draw)
            return f"{text}; to draw again: {command}, then {DRAW_AGAIN}"
    return f"{text}; remove {replay.battle if replay else drawn.name} from [[round]] in campaign.toml"

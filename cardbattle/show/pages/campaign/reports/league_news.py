"""What the lead of a report says about the league: who leads, and who gained points or won a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cardbattle.campaign.league.league_table import tie_break_between
from cardbattle.core.grammar import choose_form, is_plural, mid_sentence, together
from cardbattle.show.pages.campaign.forces import number_word
from cardbattle.show.pages.campaign.league import over_sentence, tie_break_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardbattle.campaign.league.league_table import League
    from cardbattle.core.grammar import Noun


def names(league: League, keys: Iterable[str]) -> Noun:
    """Return the names of forces for use inside a sentence."""
    return together(mid_sentence(league.campaign.display_name(key)) for key in keys)


def number_of_points(count: int) -> str:
    """Return a number of points, such as `three points`."""
    return f"{number_word(count)} point{'' if count == 1 else 's'}"


def league_state(league: League, *, is_past: bool) -> str:
    """Say who has won the league or leads it, without a full stop. Return "" before the first result."""
    if not league.results:
        return ""
    over = over_sentence(league)
    if over and (not league.has_table or league.fixtures.play_offs is not None):
        return over.removesuffix(".")
    if not league.has_table:
        left = len(league.in_knock_out)
        verb = "had" if is_past else "has"
        return f"the cup {verb} {number_word(left)} force{'' if left == 1 else 's'} left"
    return table_state(league, is_past=is_past) if league.matches else ""


def table_state(league: League, *, is_past: bool) -> str:
    """Say who leads the league table, and by what."""
    first, *others = league.ranking
    leader, points = names(league, first), league.points[first[0]]
    if len(first) > 1:
        verb = "shared" if is_past else "share"
        return f"{leader} {verb} the lead of the league with {number_of_points(points)}"
    verb = "led" if is_past else choose_form("leads|lead", is_plural(leader))
    text = f"{leader} {verb} the league with {number_of_points(points)}"
    if not others:
        return text
    second, margin = names(league, others[0]), points - league.points[others[0][0]]
    if margin > 0:
        return f"{text}, {number_word(margin)} ahead of {second}"
    word = tie_break_between(league, first[0], others[0][0])
    return f"{text}, ahead of {second} by {tie_break_words(word)}"


def league_gains(before: League, after: League) -> Iterator[str]:
    """Yield clauses about the forces that gained league points or, in a knock-out, won a match."""
    if not after.has_table:
        won = [
            result.winners[0]
            for battle, result in after.results.items()
            if battle not in before.results and len(result.winners) == 1
        ]
        if won:
            yield f"{names(after, won)} won a match{' each' if len({*won}) > 1 else ''}"
        return
    gained = {key: points - before.points.get(key, 0) for key, points in after.points.items()}
    for amount in sorted({*gained.values()} - {0}, reverse=True):
        keys = [key for key in after.order if gained.get(key) == amount]
        verb = "gained" if amount > 0 else "lost"
        each = " each" if len(keys) > 1 else ""
        yield f"{names(after, keys)} {verb} {number_of_points(abs(amount))}{each} in the league"

"""Pages of the league: its table, and its rounds with the results."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from cardbattle.campaign.league.agreement import disagreements, repair
from cardbattle.campaign.league.bracket_view import bracket_rounds
from cardbattle.campaign.league.league_table import (
    CANCELLED,
    OTHER_SIDES,
    PENDING,
    League,
    score_of,
    tie_breaks_in_use,
)
from cardbattle.campaign.league.rounds import outcome_words
from cardbattle.campaign.state.apply import DECLINED
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.state.tables.fixtures import SIDES
from cardbattle.core.grammar import capital, mid_sentence
from cardbattle.core.names import clean, listed
from cardbattle.show.document import (
    FAINT,
    NO_TINT,
    STRONG,
    Document,
    Item,
    Items,
    Numbers,
    Paragraph,
    Section,
    Span,
    Table,
    Title,
)
from cardbattle.show.svg.bracket_shape import Bracket, BracketColumn, BracketEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cardbattle.campaign.league.bracket_view import BracketRound
    from cardbattle.campaign.league.league_table import LeagueRow
    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.apply import Result
    from cardbattle.campaign.state.tables.fixtures import Match, Round
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.show.document import Cell, Content

MATCH_COLUMNS = (
    "round", "battle", "home", "away", "state", "winner", "home_score", "away_score",
    "walk_over", "home_name", "away_name", "home_stand_in", "away_stand_in",
)  # fmt: skip
UNKNOWN, WALK_OVER = "?", "w/o"
BYE = "bye"  # the state of a row for a bye
HEAD = ["", "force", "played", "won", "drawn", "lost", "score", "points"]
BYES = "byes"  # a column if byes bring points


def league_of_reader(visible: VisibleCampaign) -> League | None:
    """Return the part of the league that the reader knows, or None if the campaign has no league."""
    fixtures = visible.campaign.fixtures
    return League(visible.campaign, visible.ledger, fixtures) if fixtures else None


def league_table(league: League) -> Table:
    campaign, rows = league.campaign, league.rows()
    tints = {key: number for number, key in enumerate(campaign.factions)}
    lines: list[list[Cell]] = [
        [
            f"{row.place}.",
            Span(campaign.display_name(row.key), tint=tints.get(campaign.forces[row.key].faction, NO_TINT)),
            *row_numbers(league, row),
        ]
        for row in rows
    ]
    facts = [row_fact(league, row) for row in rows]
    head = league_head(league)
    return Table(head, lines, tuple(range(2, len(head))), facts, labels=2)


def league_head(league: League) -> list[str]:
    return [*HEAD[:-1], BYES, HEAD[-1]] if has_bye_points(league) else HEAD


def has_bye_points(league: League) -> bool:
    """Return True if a force has points for a bye."""
    return league.bye_points != 0 and any(drawn.byes for drawn in league.league_rounds)


def row_numbers(league: League, row: LeagueRow) -> list[str]:
    """Return the cells of a row of the league table after the name of the force."""
    return [
        *map(str, (row.played, row.won, row.drawn, row.lost)),
        f"{row.score}:{row.score_against}",
        *([str(row.byes)] if has_bye_points(league) else []),
        str(row.points),
    ]


def row_fact(league: League, row: LeagueRow) -> str:
    """Return a row of the league table as one line of text."""
    byes = f", byes {row.byes}" if has_bye_points(league) else ""
    return (
        f"league {row.place}. {league.campaign.display_name(row.key)}: points {row.points}, "
        f"played {row.played}, won {row.won}, drawn {row.drawn}, lost {row.lost}, "
        f"score {row.score}:{row.score_against}{byes}"
    )


TIE_BREAKS = "Tie-breaks"


def tie_break_words(word: str) -> str:
    """Return the name of a tie-break for use inside a sentence."""
    return "the draw" if word == "seeding" else word if word == "head-to-head" else word.replace("-", " ")


def tie_break_items(league: League) -> Items:
    """Return sentences about the places in the table that a tie-break decides."""
    name = league.campaign.display_name
    lines = [
        clean(f"{name(above)} ahead of {mid_sentence(name(below))} by {tie_break_words(word)}")
        for word, pairs in tie_breaks_in_use(league).items()
        for above, below in pairs
    ]
    return Items([Item("", line) for line in lines], facts=[f"tie-break: {line}" for line in lines])


def league_json(visible: VisibleCampaign, league: League) -> dict[str, object]:
    return {
        "league": [row_table(league, row) for row in league.rows()],
        "rounds": [round_table(visible, league, name, drawn) for name, drawn in rounds_with_names(league)],
    }


def league_blocks(visible: VisibleCampaign) -> list[Content]:
    """Return the league table with its heading.

    The list is empty if the campaign has no league, or if the league is a knock-out.
    """
    league = league_of_reader(visible)
    if league is None or not league.has_table:
        return []
    ties = tie_break_items(league)
    return [Section("League", []), league_table(league), *([ties] if ties.items else [])]


def league_before(visible: VisibleCampaign, league: League, revision: int) -> League:
    """Return the league as the reader knew it before a revision, with the results of today.

    A result that was first recorded later is left out, and so are matches drawn later. A match whose result
    was undone since then is as today: pending or cancelled.
    """
    earlier_entries = [entry for entry in visible.entries if entry.revision < revision]
    changes = [change for entry in earlier_entries for change in entry.changes if is_battle(change.key)]
    known = {str(change.key[1]): change.after is not None for change in changes}  # whether it was pending
    recorded = {entry.id for entry in valid_entries(earlier_entries) if entry.result is not None}
    pending = {battle for battle, is_pending in known.items() if is_pending} | (recorded & league.waiting)
    earlier = copy(league)
    earlier.results = {battle: result for battle, result in league.results.items() if battle in recorded}
    earlier.waiting = pending
    earlier.sides = {
        battle: sides for battle, sides in league.sides.items() if battle in recorded or battle in pending
    }
    drawn_then = [
        drawn.model_copy(update={"matches": [match for match in drawn.matches if match.battle in known]})
        for drawn in league.rounds
    ]
    earlier.rounds = [drawn for drawn in drawn_then if drawn.matches]
    return earlier


def valid_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that no later one of these entries undoes."""
    undone: set[int] = set()
    for entry in entries:
        undone = undone - {*entry.undoes} if entry.kind == "redo" else undone | {*entry.undoes}
    return [entry for entry in entries if entry.revision not in undone]


def league_parts(
    visible: VisibleCampaign, league: League, battles: Collection[str] | None = None
) -> Iterator[tuple[str, Table | Items]]:
    """Yield the parts about the league in a report, with their names: the table, the winner, and rounds.

    The rounds are those with these battles. By default, they are the last round of the league and all rounds
    of a knock-out.
    """
    if league.has_table and league.rows():
        yield "League", league_table(league)
        yield TIE_BREAKS, tie_break_items(league)
    if over := over_sentence(league):
        yield "The winner", Items([Item("", over)])
    last = [number for number, drawn in enumerate(league.rounds) if drawn in league.league_rounds][-1:]
    for number, (name, drawn) in reversed([*enumerate(rounds_with_names(league))]):
        if battles is None:
            is_shown = number in last or drawn not in league.league_rounds
        else:
            is_shown = any(match.battle in battles for match in drawn.matches)
        lines = list(round_words(visible, league, drawn)) if is_shown else []
        if lines:
            yield name, Items([Item("", line) for line in lines])


def over_sentence(league: League) -> str:
    """Return a sentence which says that the league is over and who has won it, or "" before its end."""
    over = outcome_words(league) if league.rounds else ""
    return clean(f"{capital(over)}.") if over else ""


def rounds_with_names(league: League) -> list[tuple[str, Round]]:
    return [(drawn.name or f"Round {number}", drawn) for number, drawn in enumerate(league.rounds, 1)]


def league_page(
    visible: VisibleCampaign, league: League, drawing: Bracket | None = None, *, matches_only: bool = False
) -> Document:
    """Show the league table, the bracket in `drawing`, and all rounds. The last round is first.

    With `matches_only`, leave out the table, and give CSV the matches. A knock-out always has them in CSV.
    """
    title = f"{visible.campaign.name}: league"
    blocks: list[Content] = [Title(title)]
    if league.has_table and not matches_only:
        ties = tie_break_items(league)
        blocks += [league_table(league), *([ties] if ties.items else [])]
    wrong = [
        repair(league, each) if visible.is_whole else f"{each.text}; the umpire must draw again"
        for each in disagreements(league)
    ]
    blocks += [Paragraph(clean(f"{capital(text)}.")) for text in wrong]
    blocks += [Paragraph(over)] if (over := over_sentence(league)) else []
    blocks += [drawing] if drawing else []
    named = rounds_with_names(league)
    for name, drawn in reversed(named):
        parts = list(round_words(visible, league, drawn))
        if parts:
            facts = [f"{name}: {line}" for line in parts]
            blocks += [Section(name, []), Items([Item("", line) for line in parts], facts=facts)]
    rows = [row_table(league, row) for row in league.rows()]
    json = {"schema": 1, **league_json(visible, league)}
    if matches_only or not league.has_table:
        numbers = Numbers(MATCH_COLUMNS, match_rows(visible, league, named))
    else:
        numbers = Numbers(list(rows[0]) if rows else (), rows)
    return Document(title, blocks, json, numbers)


def match_rows(
    visible: VisibleCampaign, league: League, named: Sequence[tuple[str, Round]]
) -> list[dict[str, object]]:
    """Return a row for each match and each bye, for CSV. Values that are not known are empty."""
    name = league.campaign.display_name
    rows: list[dict[str, object]] = []
    for round_name, drawn in named:
        for match in drawn.matches:
            result, players = league.results.get(match.battle), league.stand_ins(match) or {}
            row = {"round": round_name, **match.model_dump(), "state": league.state(match)}
            row |= {"home_name": str(name(match.home)), "away_name": str(name(match.away))}
            row |= {f"{word}_stand_in": players.get(getattr(match, word), "") for word in SIDES}
            if result is not None:
                row["winner"] = result.winners[0] if len(result.winners) == 1 else ""
                row["walk_over"] = "yes" if is_walk_over(visible, match) else ""
                if has_scores(visible, match, result):
                    row |= {f"{word}_score": score_of(result, getattr(match, word)) for word in SIDES}
            rows.append(row)
        for key in drawn.byes:
            rows.append({"round": round_name, "home": key, "state": BYE, "home_name": str(name(key))})
    return [dict.fromkeys(MATCH_COLUMNS, "") | row for row in rows]


def row_table(league: League, row: LeagueRow) -> dict[str, object]:
    """Return a row of the league table for JSON and CSV."""
    return {**row._asdict(), "name": str(league.campaign.display_name(row.key))}


def round_words(visible: VisibleCampaign, league: League, drawn: Round) -> Iterator[str]:
    """Yield a sentence for each match of a round, and one for the forces with a bye."""
    for match in drawn.matches:
        yield match_words(visible, league, match)
    if drawn.byes:
        yield f"bye: {listed(map(league.campaign.display_name, drawn.byes))}"


def match_words(visible: VisibleCampaign, league: League, match: Match) -> str:
    """Describe a match and its result.

    The scores are left out if a person entered the result without them, and if a side declined to fight.
    """
    home, away = (side_words(league, match, key) for key in (match.home, match.away))
    state = league.state(match)
    if state == PENDING:
        return f"{home} against {away}, pending"
    if state == CANCELLED:
        return f"{home} against {away}, cancelled"
    if state == OTHER_SIDES:
        return f"{home} against {away}, no result: the battle had other sides"
    result = league.results[match.battle]
    scores = ""
    if has_scores(visible, match, result):
        scores = f" {score_of(result, match.home)}:{score_of(result, match.away)}"
    if len(result.winners) != 1:
        return f"{home} against {away}, drawn{scores}"
    winner = league.campaign.display_name(result.winners[0])
    if is_walk_over(visible, match):
        return f"{home} against {away}: walk-over for {winner}"
    return f"{home} against {away}{scores and ','}{scores}: {winner} won"


def has_scores(visible: VisibleCampaign, match: Match, result: Result) -> bool:
    """Return False if a person entered the result of a match without scores."""
    entry = visible.ledger.find(match.battle)
    return any(side.score for side in result.sides.values()) or bool(entry and entry.record)


def side_words(league: League, match: Match, key: str) -> str:
    """Return the name of a side of a match, after the name of its stand-in, if any."""
    player = (league.stand_ins(match) or {}).get(key)
    name = league.campaign.display_name(key)
    return f"{league.campaign.display_name(player)} for {name}" if player else f"{name}"


def is_walk_over(visible: VisibleCampaign, match: Match) -> bool:
    """Return True if a side of a match has declined to fight, so that the other side won without a battle."""
    entry = visible.ledger.find(match.battle)
    return entry is not None and entry.kind == DECLINED


def round_table(visible: VisibleCampaign, league: League, name: str, drawn: Round) -> dict[str, object]:
    """Return a round for JSON. A match that a side declined to fight has the key `walk_over`."""
    matches = []
    for match in drawn.matches:
        result = league.results.get(match.battle)
        more: dict[str, object] = {} if result is None else result.table()
        more |= {"stand_ins": players} if (players := league.stand_ins(match)) else {}
        more |= {"walk_over": True} if result is not None and is_walk_over(visible, match) else {}
        matches.append({**match.model_dump(), "state": league.state(match), **more})
    return {"name": name, "matches": matches, "byes": list(drawn.byes)}


def league_bracket(visible: VisibleCampaign, league: League) -> Bracket | None:
    """Return the bracket, or None if there is none or the reader may not know it."""
    rounds = bracket_rounds(league)
    if not rounds:
        return None
    columns = [
        BracketColumn(part.name, [entry_of(visible, league, part, n) for n in range(len(part.places))])
        for part in rounds
    ]
    return Bracket(columns, clean(f"{visible.campaign.name}: bracket; the matches are listed below it"))


def entry_of(visible: VisibleCampaign, league: League, part: BracketRound, n: int) -> BracketEntry:
    """Return an entry: the name of a force, with its score and whether it won, or why it has no opponent."""
    key, opponent = part.places[n], part.places[n ^ 1] if len(part.places) > 1 else None
    if key is None:
        is_empty = part.drawn is not None
        return BracketEntry("" if is_empty else UNKNOWN)
    tint = [*league.campaign.factions].index(league.campaign.forces[key].faction)
    name = clean(str(league.campaign.display_name(key)))
    if part.drawn is None or opponent is None:
        is_winner = len(part.places) == 1
        mark = BYE if part.drawn is not None and key in part.drawn.byes else ""
        return BracketEntry(name, mark, STRONG if is_winner else "", tint)
    match = part.ties[n // 2].match
    result = league.results.get(match.battle) if match else None
    name = clean(side_words(league, match, key)) if match else name
    if match is None or result is None:
        return BracketEntry(name, "", "", tint)
    has_won = [key] == [*result.winners]
    mark = str(score_of(result, key)) if has_scores(visible, match, result) else ""
    if is_walk_over(visible, match):
        mark = WALK_OVER if has_won else ""
    stress = STRONG if has_won else FAINT if len(result.winners) == 1 else ""
    return BracketEntry(name, mark, stress, tint)

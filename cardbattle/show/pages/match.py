"""The page of the command `match`: the standings, each pairing, and the state of a sequential test."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from cardbattle.core.names import clean
from cardbattle.core.telling import counted
from cardbattle.engines.elo import BOUND, PairScore, decision
from cardbattle.engines.match import Match
from cardbattle.rules import find
from cardbattle.show.document import Document, Numbers, Paragraph, Section, Table, Title

if TYPE_CHECKING:
    from cardbattle.show.document import Cell, Content

STOPPED = {"games": "all battles played", "sprt": "test decided", "interrupted": "interrupted"}
COLUMNS = (
    *("first", "second", "battles", "wins", "draws", "losses", "points", "share", "low", "high"),
    *("elo", "elo_low", "elo_high", "los"),
)
DECIDED = {"H0": "the difference is not more than {0:g} Elo", "H1": "the difference is at least {1:g} Elo"}


def match_page(match: Match) -> Document:
    rules = find(str(match.plan.table["rules"]))
    heading = (
        f"Match, {rules.name}, seed {clean(str(match.plan.seed))}: {match.battles} battles, "
        f"{STOPPED[match.stopped]}"
    )
    blocks: list[Content] = [Title(heading)]
    rows = [pairing_row(match, number) for number, score in enumerate(match.scores) if score.count]
    if len(match.plan.commanders) > 2 and rows:
        blocks += [standings_table(match), Section("Pairings")]
    blocks.append(pairings_table(rows))
    if match.test:
        blocks.append(Paragraph(test_words(match)))
    blocks += [Paragraph(text) for text in failure_words(match)]
    return Document(heading, blocks, match_json(match, rows), Numbers(COLUMNS, rows))


def pairing_row(match: Match, number: int) -> dict[str, object]:
    """Return the figures of a pairing. Shares are from 0 to 1. An infinite Elo difference is None."""
    first, second = match.plan.pairings[number]
    score = match.scores[number]
    wins, draws, losses = match.results[number]
    return {
        "first": match.plan.commanders[first],
        "second": match.plan.commanders[second],
        "battles": 2 * score.count,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        **figures_of(score),
        "los": score.likelihood_of_superiority,
    }


def figures_of(score: PairScore) -> dict[str, object]:
    """Return a score's points, and its share and Elo difference with 95 % intervals."""
    (low, high), (elo_low, elo_high) = score.bounds, score.elo_bounds
    figures = {"points": score.points, "share": score.share, "low": low, "high": high}
    elo = {"elo": score.elo, "elo_low": elo_low, "elo_high": elo_high}
    return {**figures, **{name: value if isfinite(value) else None for name, value in elo.items()}}


def standings(match: Match) -> list[dict[str, object]]:
    """Return the commanders with their shares of the points, the best commander first."""
    rows = []
    for place, name in enumerate(match.plan.commanders):
        score = match.score_of(place)
        if score.count:
            failures = len(match.failures[name])
            rows.append(
                {"commander": name, "battles": 2 * score.count, **figures_of(score), "failures": failures}
            )
    return sorted(rows, key=lambda row: -float(str(row["share"])))


def standings_table(match: Match) -> Table:
    """Return a table of the commanders, the best first. Elo is the difference to the opponents' mean."""
    rows: list[list[Cell]] = []
    facts = []
    for place, row in enumerate(standings(match), 1):
        name, elo = clean(str(row["commander"])), elo_text(row)
        points = f"{row['points']:g}"
        rows.append([str(place), name, str(row["battles"]), points, per_cent(row["share"]), elo])
        facts.append(f"{place}. {name}: {points} points of {row['battles']}, Elo {elo}")
    head = ["", "commander", "battles", "points", "share", "Elo"]
    return Table(head, rows, (0, 2, 3, 4, 5), facts, labels=2)


def pairings_table(rows: list[dict[str, object]]) -> Table:
    """Return a table of the pairings. The figures are those of the first commander of each pairing."""
    cells: list[list[Cell]] = []
    facts = []
    for row in rows:
        names = f"{clean(str(row['first']))} - {clean(str(row['second']))}"
        games = f"+{row['wins']} ={row['draws']} -{row['losses']}"
        share, elo, los = per_cent(row["share"]), elo_text(row), per_cent(row["los"])
        cells.append([names, games, f"{row['points']:g}", share, elo, los])
        facts.append(f"{names}: {games}, {share} of the points, Elo {elo}, LOS {los}")
    return Table(["pairing", "battles", "points", "share", "Elo", "LOS"], cells, range(1, 6), facts)


def per_cent(share: object) -> str:
    return f"{100 * float(str(share)):.1f}%"


def elo_text(row: dict[str, object]) -> str:
    """Format an Elo difference with its 95 % interval."""
    elo, low, high = (signed(row[name]) for name in ("elo", "elo_low", "elo_high"))
    if low and high:
        return f"{elo} ({low} to {high})"
    bound = f"above {low}" if low else f"below {high}" if high else "no bounds"
    return f"{elo} ({bound})" if elo else bound


def signed(value: object) -> str:
    """Format a number with its sign, or return "" for None."""
    return "" if value is None else f"{float(str(value)):+.0f}"


def test_words(match: Match) -> str:
    """Describe the result of the sequential test."""
    assert match.test is not None
    accepted = decision(match.ratio) if match.is_decided() else ""
    state = DECIDED[accepted].format(*match.test) if accepted else "not decided"
    bounds = f"{match.test.elo0:g} or {match.test.elo1:g} Elo"
    return f"SPRT of {bounds}: {state} (log-likelihood ratio {match.ratio:.2f}, bounds {BOUND:.2f})."


def failure_words(match: Match) -> list[str]:
    """Return a sentence for each engine that failed. An engine that fails loses its battle."""
    return [
        f"{clean(name)} lost {counted(len(texts), 'battle')} by failures; the last: {clean(texts[-1])}."
        for name, texts in match.failures.items()
        if texts
    ]


def match_json(match: Match, rows: list[dict[str, object]]) -> dict[str, object]:
    pairs = [score.pairs for score in match.scores if score.count]
    data: dict[str, object] = {
        "schema": 1,
        "rules": match.plan.table["rules"],
        "seed": match.plan.seed,
        "battles": match.battles,
        "stopped": match.stopped,
        "standings": standings(match),
        "pairings": [{**row, "pairs": counts} for row, counts in zip(rows, pairs, strict=True)],
    }
    if match.test:
        decided = decision(match.ratio) if match.is_decided() else ""
        data["sprt"] = {
            "elo0": match.test.elo0,
            "elo1": match.test.elo1,
            "ratio": match.ratio,
            "bound": BOUND,
            "accepted": decided,
        }
    return data

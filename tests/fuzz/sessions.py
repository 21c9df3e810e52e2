"""Sessions of command lines: sound ones, with a few words changed."""

from __future__ import annotations

import json
import shlex
from random import Random

from tests.fuzz.changing import Sample, Token

LINES = """\
resolve field-of-honour --side york=green --side lancaster=green --seed 7 --format plain
resolve strategy-war --seed x --set york.cards=A --json --for york
resolve battle.toml -o new.toml --detail brief --format md
resolve battle.toml --side york=green --series 2 -o series.toml -q
replay record.toml --detail audit --for york --from 2 --to 4
replay record.toml --format html --no-color
verify record.toml
verify record.toml record.toml -q
batch rows.csv --seed 5 -o results.toml --jobs 1
batch rows.csv --format csv --jobs 1
rules strategy-war
commanders --json
campaign show --format plain
campaign show --json
campaign check
campaign check --repair
campaign fight bridge --detail brief
campaign fight --all --dry-run
campaign fight bridge --detail tale --format md
campaign standings --format csv
campaign export bridge -o bridge.battle.toml
campaign export bridge --sheet --format plain
campaign schema
campaign import results.csv
campaign import results.csv --force --reason why
campaign override bridge --winner percy --losses percy=1/4 --losses stafford=1/2 --reason because
campaign undo
campaign undo bridge --reason because
campaign redo
campaign adjust forces.percy.strength=9 --reason because
campaign adjust factions.york.points=+=3 locations.shrewsbury.owner=lancaster --reason because
campaign turn
campaign history
campaign history bridge --json
campaign history --format csv
campaign report --format html -o report.html
campaign report --for york --format md
campaign new other
"""
WORDS = (
    "", " ", "-", "--", "-h", "--help", "--version", "-q", "-v", "--json", "--dry-run", "--all", "--force",
    "--reason", "--for", "--seed", "--set", "--side", "--format", "--detail", "-o", "-C", "--no-color",
    "0", "-1",
    "1", "2", "1.5", "x", "9223372036854775808", "9" * 30, "١", "percy", "york", "bridge", "wood",
    "fate", "con", "nil.toml",
    "battle.toml", "record.toml", "campaign.toml", "history.toml", "records", "rows.csv", "york=green",
    "york=grene", "york.cards=A", "york.cards=Z", "house.rounds=3", "house.x=1", "york", "york=",
    "=york", "=", ".=.",
    "percy=1/2", "percy=1/0", "forces.percy.strength=1", "forces.percy.strength=-=90",
    "forces.percy.name=\x1b[31m",
    "forces.percy.name=[red]x[/]", "forces.nil.strength=1", "forces.percy=1", "turn=9", "name=\u202e",
    "\x1b[31mred",
    "\u202eback", "a\nb", "a\0b", "[red]x[/]", "<b>", "=1+1", "e\u0301", "\ud800", "\udcff",
    "x" * 300, "text", "plain",
    "csv", "md", "html", "json", "brief", "audit", "resolve", "campaign", "fight", "undo", "redo", "check",
)  # fmt: skip


def sessions() -> list[Sample]:
    """Return every command line as a session of one."""
    return [Sample(line, [Token("word", line)], {}, {}) for line in LINES.splitlines()]


def change_session(sample: Sample, random: Random) -> str:
    """Return up to three sound command lines and this one changed, as one list in JSON each."""
    known = LINES.splitlines()
    begun = [shlex.split(random.choice(known)) for _ in range(random.choice((0, 0, 1, 3)))]
    return "\n".join(json.dumps(line) for line in [*begun, change_words(shlex.split(sample.text), random)])


def change_words(words: list[str], random: Random) -> list[str]:
    """Return a command line with one to three words put in, changed, doubled, moved or taken out."""
    for _ in range(random.choice((1, 1, 2, 3))):
        place = random.randrange(len(words) + 1)
        way = random.randrange(5)
        if way == 0:
            words.insert(place, random.choice(WORDS))
        elif way == 1 and words:
            words[place - 1] = random.choice(WORDS)
        elif way == 2 and words:
            words.insert(place, words.pop(random.randrange(len(words))))
        elif way == 3:
            words[place:place] = words[place - 1 : place]
        else:
            words[place : place + 1] = []
    return words

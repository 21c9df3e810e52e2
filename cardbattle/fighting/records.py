"""Records: one fought battle, complete; written, read, and fought again move by move."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from cardbattle.core import tables
from cardbattle.core.battle import NOBODY, Event
from cardbattle.core.chance import Drawn, stream
from cardbattle.core.errors import CardbattleError, IllegalMove, Mistake, Refused
from cardbattle.core.names import clean, listed, quoted
from cardbattle.core.referee import Recorded, Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.core.spelling import is_spelled, mover_mistake
from cardbattle.core.tables import Table
from cardbattle.fighting.battlefile import (
    FORMAT,
    Plan,
    SidePlan,
    canonical,
    contradictions,
    id_stem,
    read_bound,
    read_deal,
    read_options,
    rule_set,
)
from cardbattle.fighting.report import Report

FOUGHT = ("engine", "table", "mixed")
KEYS = (
    "format", "id", "rules", "rules_version", "seed", "seats", "winners", "reason", "moves", "checks",
    "digest", "fought", "house", "files", "sides", "deal", "bound",
)  # fmt: skip
PAGE = 100  # columns of a record, moves aside
OUTPUT_ONLY = ("digest", "schema", "events")  # what the digest does not cover


class Record(NamedTuple):
    """One fought battle.

    `setup.deal` is the complete deal, or for a battle fought at a table what was written down;
    `table` is the record as a file has it; `checks` maps a number of moves to a state hash.
    """

    id: str
    rules: RuleSet
    rules_version: int
    seed: int | str | None
    setup: Setup
    sides: list[SidePlan]
    winners: list[int]
    reason: str
    scores: list[int]
    losses: list[Fraction]
    moves: list[str]
    checks: dict[int, str]
    fought: str
    table: dict[str, object]

    @property
    def names(self) -> list[str]:
        """The sides' names, by seat."""
        return [side.name for side in self.sides]


class Differs(CardbattleError):
    """A record does not fight again as it says; `move` counts from 1, 0 if no move is to blame."""

    exit_code = 1

    def __init__(self, text: str, move: int = 0) -> None:
        self.move = move
        super().__init__(text)


def fraction_text(share: Fraction) -> str:
    """Return an exact fraction as files have it.

    >>> fraction_text(Fraction(4, 10)), fraction_text(Fraction(0))
    ('2/5', '0')
    """
    return str(share)


def digest(table: Mapping[str, object]) -> str:
    """Return the digest of a record's table, whatever it says itself."""
    content = {key: value for key, value in table.items() if key not in OUTPUT_ONLY}
    return "sha256:" + sha256(canonical(content).encode("utf-8", "surrogatepass")).hexdigest()


def record_of(plan: Plan, referee: Referee, fought: str) -> Record:
    """Return the record of a battle that this referee has seen to its end."""
    outcome = referee.outcome()
    setup = referee.setup
    dealt = plan.rules.dealt(referee.battle, setup)
    complete = Setup(setup.seats, setup.house, setup.sides, dealt, setup.base)
    seats = range(len(setup.seats))
    scores = [referee.battle.score(seat) for seat in seats]
    losses = [Fraction(lost, whole) for lost, whole in outcome.losses]
    table: dict[str, object] = {
        "format": FORMAT,
        "id": plan.id,
        "rules": plan.rules.key,
        "rules_version": plan.rules.version,
        "seed": plan.seed,
        "seats": setup.seats,
        "winners": [setup.seats[winner] for winner in outcome.winners],
        "reason": outcome.reason,
        "moves": referee.moves,
        "checks": referee.checks,
        "digest": "",
        "fought": fought,
        "house": written_house(plan.rules, setup),
        "sides": {
            key: {
                "name": plan.sides[seat].name,
                "commander": plan.sides[seat].commander,
                **written_side(plan.rules, setup, seat),
                "score": scores[seat],
                "losses": fraction_text(losses[seat]),
            }
            for seat, key in enumerate(setup.seats)
        },
        "deal": written_deal(dealt, plan.rules),
    }
    files = plan.rules.files(setup)
    if files:
        table["files"] = files
    if plan.bound:
        table["bound"] = plan.bound
    table["digest"] = digest(table)
    return Record(
        plan.id, plan.rules, plan.rules.version, plan.seed, complete, plan.sides, outcome.winners,
        outcome.reason, scores, losses, referee.moves, read_checks(referee.checks), fought, table,
    )  # fmt: skip


def written_house(chosen: RuleSet, setup: Setup) -> dict[str, object]:
    """Return the house rules as a record has them: all that have a value."""
    return {word: chosen.house[word].write(value) for word, value in setup.house.items() if value is not None}


def written_side(chosen: RuleSet, setup: Setup, seat: int) -> dict[str, object]:
    """Return a side's options as a record has them: all that are not what they would be anyway."""
    return {
        word: chosen.options[word].write(value)
        for word, value in setup.sides[seat].items()
        if value is not None and not chosen.is_usual(setup, seat, word)
    }


def written_deal(deal: Mapping[str, list[int]], chosen: RuleSet) -> dict[str, object]:
    """Return a deal as a record has it: text, dotted piles as nested tables, no unknown cards."""
    written: dict[str, object] = {}
    for pile, cards in deal.items():
        *tables_above, word = pile.split(".")
        inside = written
        for above in tables_above:
            inside = inside.setdefault(above, {})  # type: ignore[assignment]
        inside[word] = [chosen.card_text(card, pile) for card in cards if card >= 0]
    return written


def dumps(record: Record) -> str:
    """Return a record as TOML: one move a line, other lists filled up to the width of a page."""
    import tomli_w

    return LONG_LIST.sub(filled, tomli_w.dumps(record.table))


LONG_LIST = re.compile(r"^(?!moves|checks)(\w+) = \[\n((?:    .*,\n)+)\]$", re.MULTILINE)


def filled(found: re.Match[str]) -> str:
    """Return a list that has one item a line with as many items a line as fit."""
    items = [line.strip() for line in found[2].splitlines()]
    line = f"{found[1]} = [{' '.join(items).removesuffix(',')}]"
    if len(line) <= PAGE:
        return line
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) >= PAGE:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else '    '}{item}"
    return "\n".join([f"{found[1]} = [", *lines, "]"])


def read_record(data: Mapping[str, object], base: str = "") -> Record:
    """Return the record in a file's table; Refused lists all that is wrong with it.

    Nothing is repaired: a record that does not fit is refused. The digest is not looked at; see
    `check_digest`.
    """
    mistakes: list[Mistake] = []
    table = Table(dict(data), (), mistakes)
    table.only(KEYS)
    if table.need("format", tables.whole, FORMAT) != FORMAT:
        table.wrong("this program reads format 1", "format")
    chosen = table.need("rules", rule_set_by_key, None)
    if chosen is None:
        raise Refused(mistakes)
    record = read_fields(table, chosen, base)
    if not mistakes:
        mistakes += contradictions(record.setup, chosen, mistakes)
    if not mistakes:
        mistakes += changed_files(record)
    if not mistakes and record.fought != "table":
        mistakes += incomplete(record) + unlike_written(record)
    if mistakes:
        raise Refused(mistakes)
    return record


def changed_files(record: Record) -> list[Mistake]:
    """Return a mistake for each owner's file that does not say any more what it said in this battle."""
    told = Table(record.table.get("files", {}), ("files",), [])
    now = record.rules.files(record.setup)
    told.only(now, "file of house rule")
    for word, digest in now.items():
        if told.take(word, tables.text, digest) != digest:
            name = quoted(record.setup.house[word])
            words = f"the file {name} has changed since this battle was fought; put back what it was"
            told.mistakes.append(Mistake(words, at=("house", word)))
    return told.mistakes


def unlike_written(record: Record) -> list[Mistake]:
    """Return a mistake for each side and for the house if the program would not have written it so."""
    sides = record.table["sides"]
    assert isinstance(sides, dict)
    known = record.rules.options
    found = []
    for seat, key in enumerate(record.setup.seats):
        told = {word: value for word, value in sides[key].items() if word in known}
        if told != written_side(record.rules, record.setup, seat):
            words = "a record leaves out what is usual, and has lists of cards ascending"
            found.append(Mistake(words, at=("sides", key)))
    if record.table["house"] != written_house(record.rules, record.setup):
        found.append(Mistake("a record has lists of cards ascending", at=("house",)))
    return found


def incomplete(record: Record) -> list[Mistake]:
    """Return a mistake for each pile from which cards are missing: a complete deal needs no chance."""
    setup = record.setup.copy()
    record.rules.deal(setup, stream(0, "deal"))
    told = record.setup.deal
    return [
        Mistake(
            f"the pile has {len(told.get(pile, []))} cards of {len(cards)}; only a battle fought at a table "
            "may leave cards out",
            at=("deal", *pile.split(".")),
        )
        for pile, cards in setup.deal.items()
        if told.get(pile) != cards
    ]


def rule_set_by_key(value: object) -> RuleSet:
    """Return the rule set that a record must name by its key."""
    chosen = rule_set(value)
    if chosen.key != value:
        raise ValueError(f"records hold a rule set's key, {quoted(chosen.key)}, never its alias")
    return chosen


def read_fields(table: Table, chosen: RuleSet, base: str) -> Record:
    """Return the record with every field read, mistakes noted in the table."""
    seats = table.need("seats", tables.texts, list[str]())
    fought = table.need("fought", fought_word, "engine")
    if not chosen.fewest <= len(seats) <= chosen.most or len(set(seats)) < len(seats):
        table.wrong(f"{chosen.name} needs {chosen.fewest} to {chosen.most} different seats", "seats")
    if len(seats) > chosen.most:
        raise Refused(table.mistakes)
    for place, seat in enumerate(seats):
        table_key_mistake(table, seat, place)
    sides = table.table("sides")
    if sorted(sides.data) != sorted(seats):
        table.wrong(f"sides has a table for each of {listed(seats)} and for nobody else", "sides")
    plans, options, scores, losses = [], [], [], []
    for seat in seats:
        side = sides.table(seat)
        name = side.need("name", tables.name, seat)
        plans.append(SidePlan(name, side.need("commander", commander_text, ""), [], ""))
        options.append(
            read_options(side, chosen.options, "option", seats, ("name", "commander", "score", "losses"))
        )
        scores.append(side.need("score", tables.whole, 0))
        losses.append(side.need("losses", read_fraction, Fraction(0)))
    house = read_options(table.table("house"), chosen.house, "house rule", seats)
    setup = Setup(seats, house, options, read_deal(table.table("deal"), chosen), base)
    if not table.mistakes:
        missing_house(table, chosen, setup)
    if fought != "table":
        for needed in ("seed", "checks", "digest"):
            if needed not in table.data:
                table.wrong(f"{needed} is missing; only a battle fought at a table may lack it")
    winners = table.need("winners", tables.texts, list[str]())
    if [seat for seat in seats if seat in winners] != winners:
        table.wrong("winners are seats, each once, in seat order", "winners")
    reason = table.need("reason", tables.text, "")
    if reason and reason not in chosen.reasons:
        table.wrong(f"reason {quoted(reason)} is not one of {listed(chosen.reasons, 'or')}", "reason")
    read_bound(table.table("bound"))
    moves = table.need("moves", tables.texts, list[str]())
    if seats:
        nobodys_move(table, moves, seats)
    return Record(
        table.need("id", tables.key, ""),
        chosen,
        read_version(table, chosen),
        table.take("seed", tables.seed, None),
        setup,
        plans,
        [seats.index(winner) for winner in winners if winner in seats],
        reason,
        scores,
        losses,
        moves,
        table.take("checks", checks_value, {}),
        fought,
        table.data,
    )


def nobodys_move(table: Table, moves: list[str], seats: list[str]) -> None:
    """Note the first move that is none of a seat or of fate."""
    for place, move in enumerate(moves):
        mistake = mover_mistake(move, seats)
        if mistake:
            table.wrong(f"{mistake}, got {quoted(move)}", "moves", place)
            return


def missing_house(table: Table, chosen: RuleSet, setup: Setup) -> None:
    """Note every house rule that has a value and is not written down.

    A record typed in after a battle at a table may leave out defaults, but not what the lot
    decided.
    """
    given = table.table("house").data
    settled = setup.copy()
    chosen.cast_lots(settled, stream(0, "lot"))
    for word, value in settled.house.items():
        by_lot = setup.house[word] is None
        if value is not None and word not in given and (by_lot or table.data["fought"] != "table"):
            table.wrong(f"house.{word} is missing; a record has every house rule, also what the lot decided")


def read_version(table: Table, chosen: RuleSet) -> int:
    """Return the version of the rules a record was fought under."""
    version = table.need("rules_version", tables.whole, chosen.version)
    if not 1 <= version <= chosen.version:
        known = (
            f"this program knows versions 1 to {chosen.version}"
            if chosen.version > 1
            else "version 1 is the only one"
        )
        table.wrong(f"{known} of {chosen.name}, got {version}", "rules_version")
    return version


def table_key_mistake(table: Table, seat: str, place: int) -> None:
    """Note a seat that is no key."""
    try:
        tables.key(seat)
    except ValueError as error:
        table.wrong(str(error), "seats", place)


def fought_word(value: object) -> str:
    """Return a value that says how a battle was fought."""
    if value not in FOUGHT:
        raise ValueError(f"expected {listed(FOUGHT, 'or')}, got {quoted(value)}")
    return str(value)


def commander_text(value: object) -> str:
    """Return the commander a record names, who need not exist any more."""
    word = tables.text(value)
    if not 1 <= len(word) <= 200 or clean(word) != word:
        raise ValueError(f"expected a commander, got {quoted(value)}")
    return word


def read_fraction(value: object) -> Fraction:
    """Return an exact fraction from 0 to 1, in lowest terms."""
    share = share_of(tables.text(value))
    if share is None:
        raise ValueError(f'expected a fraction from 0 to 1 in lowest terms, as "2/5", got {quoted(value)}')
    return share


@lru_cache(maxsize=1000)
def share_of(word: str) -> Fraction | None:
    """Return a fraction from 0 to 1 that is written in lowest terms; None if it is anything else."""
    above, stroke, below = word.partition("/")
    parts = [above, below] if stroke else [above]
    if all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        share = Fraction(int(above), int(below or "1")) if int(below or "1") else None
        if share is not None and 0 <= share <= 1 and str(share) == word:
            return share
    return None


def checks_value(value: object) -> dict[int, str]:
    """Return the state hashes of a record by number of moves."""
    return read_checks(tables.texts(value))


def read_checks(checks: list[str]) -> dict[int, str]:
    """Return the state hashes by number of moves; ValueError if one is no hash."""
    found: dict[int, str] = {}
    for check in checks:
        made, colon, hashed = check.partition(":")
        is_number = made.isascii() and made.isdigit() and len(made) < 9 and str(int(made)) == made
        if not colon or not is_number or len(hashed) != 16 or hashed.strip("0123456789abcdef"):
            raise ValueError(
                f'expected a number of moves and 16 hexadecimal digits, as "20:9c1e...", got {quoted(check)}'
            )
        found[int(made)] = hashed
    if list(found) != sorted(found) or len(found) != len(checks):
        raise ValueError("expected the checks in the order of the moves, each once")
    return found


def check_digest(record: Record) -> None:
    """Raise Differs if a record was changed after it was written, naming the move if one is wrong."""
    told = record.table.get("digest")
    if told is None or told == digest(record.table):
        return
    changed = "the record was changed after it was written: its digest does not fit"
    try:
        referee = refight(record)
        check_states(record, referee)
        check_outcome(record, referee)
    except Differs as differs:
        raise Differs(f"{differs}; {changed}", differs.move) from None
    raise Differs(changed)


class Refight:
    """A record being fought again, one decision of a side after the other."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.made = 0
        self.excuse = (0, "")  # a move that was no answer to a question passed over, and why
        setup = record.setup.copy()
        witness = None
        if record.fought == "engine" and record.seed is not None:
            witness = Drawn(stream(record.seed, "battle"))
        if record.fought == "table":
            record.rules.deal_unknown(setup)
        fate = Recorded(record.rules, setup.seats, self.take_fate, witness)
        with self.blamed():
            self.referee = Referee(record.rules, setup, fate)

    def next_move(self) -> str:
        """Take the record's next move, which is the one to blame from now on; empty after the last."""
        self.made += 1
        moves = self.record.moves
        return moves[self.made - 1] if self.made <= len(moves) else ""

    def take_fate(self, words: str) -> str:
        """Return what the record's next move says fate decided."""
        move = self.next_move()
        begin = f"fate {words} "
        if not move.startswith(begin):
            raise IllegalMove(f"expected a move {begin}..., got {clean(move) or 'nothing'}")
        return move[len(begin) :]

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Turn a move that cannot be made into a difference that names it."""
        try:
            yield
        except IllegalMove as error:
            why = self.excuse[1] if self.excuse[0] == self.made else str(error)
            raise Differs(f"move {self.made}: {why}", self.made) from None

    def steps(self) -> Iterator[int]:
        """Fight on, yielding the number of moves made so far after each decision."""
        referee, moves = self.referee, self.record.moves
        while referee.battle.side != NOBODY:
            if self.is_left_out():
                referee.pass_over()
                continue
            if self.made == len(moves):
                text = f"the moves end before the battle does: {referee.key} is to choose"
                raise Differs(text, self.made + 1)
            with self.blamed():
                self.step(self.next_move())
            yield self.made
        if self.made < len(moves):
            raise Differs(
                f"move {self.made + 1}: the battle is over, yet there are more moves", self.made + 1
            )

    def is_left_out(self) -> bool:
        """Say whether a table's record leaves out an answer because it was the only known one.

        A side that holds cards nobody wrote down is asked even if it could only pass, as the
        program cannot know; at the table they knew, and need not have written it down.
        """
        battle = self.referee.battle
        if self.record.fought != "table" or len(battle.options) > 1 or battle.also:
            return False
        if self.made == len(self.record.moves):
            return True
        side, _, text = self.record.moves[self.made].partition(" ")
        if side != self.referee.key:
            return True
        try:
            self.referee.find(text)
        except IllegalMove as error:
            self.excuse = (self.made + 1, str(error))
            return True
        return False

    def step(self, move: str) -> None:
        """Carry out a move, which must be its side's turn."""
        side, _, text = move.partition(" ")
        if side != self.referee.key:
            raise IllegalMove(f"it is {self.referee.key}'s turn, not {clean(side)}'s")
        self.referee.choose(self.referee.find(text))


def refight(record: Record) -> Referee:
    """Fight a record again to its end; Differs names the first move that does not fit."""
    again = Refight(record)
    for _ in again.steps():
        pass
    return again.referee


def verify(record: Record) -> str:
    """Fight a record again and hold everything it says against it; Differs at the first difference.

    An engine's record is also held against its seed: the deal and every chance result. Of a
    record fought under earlier rules only the outcome is held against these; the text returned
    says so, else it is empty.
    """
    check_digest(record)
    if record.rules_version != record.rules.version:
        return compare_versions(record)
    referee = refight(record)
    check_states(record, referee)
    check_outcome(record, referee)
    check_deal(record)
    return ""


def compare_versions(record: Record) -> str:
    """Say what these rules would change in a record fought under others; Differs if they would."""
    told = (
        f"fought under version {record.rules_version} of {record.rules.name}, "
        f"this is version {record.rules.version}"
    )
    try:
        check_outcome(record, refight(record))
    except Differs as differs:
        raise Differs(f"{told}; under these rules: {differs}", differs.move) from None
    return f"{told}; nothing would differ"


def check_spelling(record: Record) -> None:
    """Raise Differs at the first move that is none of the rule set's, whatever was on offer."""
    for number, move in enumerate(record.moves, 1):
        if not is_spelled(record.rules, move, record.setup.seats):
            raise Differs(f"move {number}: {quoted(move)} is no move of {record.rules.name}", number)


def check_deal(record: Record) -> None:
    """Raise Differs if an engine's record was not dealt as its seed deals."""
    if record.fought != "engine" or record.seed is None:
        return
    fresh = record.setup.copy()
    fresh.deal = {}
    record.rules.deal(fresh, stream(record.seed, "deal"))
    try:
        referee = refight(record._replace(setup=fresh))
    except Differs:
        raise Differs("the deal is not the one that the seed gives") from None
    if record.rules.dealt(referee.battle, fresh) != record.setup.deal:
        raise Differs("the deal is not the one that the seed gives")


def check_states(record: Record, referee: Referee) -> None:
    """Raise Differs at the first state hash that is not the recorded one."""
    fought = read_checks(referee.checks)
    if record.fought != "table" and list(record.checks) != list(fought):
        told, found = listed(map(str, record.checks)), listed(map(str, fought))
        raise Differs(f"checks stand after {told} moves, not after {found}")
    sound = 0
    for made, hashed in record.checks.items():
        if fought.get(made) != hashed:
            if not made:
                raise Differs("the first check does not fit the deal and the house rules")
            text = f"the state is not the recorded one; a move from {sound + 1} to {made} was changed"
            raise Differs(f"move {made}: {text}", made)
        sound = made


def check_outcome(record: Record, referee: Referee) -> None:
    """Raise Differs if the battle did not end as the record says."""
    outcome = referee.outcome()
    seats = record.setup.seats
    told: list[tuple[str, object, object]] = [
        ("winners", names(record.winners, seats), names(outcome.winners, seats)),
        ("reason", record.reason, outcome.reason),
    ]
    for seat, key in enumerate(seats):
        told.append((f"{key}'s score", record.scores[seat], referee.battle.score(seat)))
        told.append((f"{key}'s losses", record.losses[seat], Fraction(*outcome.losses[seat])))
    for what, recorded, fought in told:
        if recorded != fought:
            raise Differs(
                f"after the last move: {what}: the record says {recorded}, the moves give {fought}",
                len(record.moves),
            )


def names(seats: list[int], keys: list[str]) -> str:
    """Return the keys of these seats, nobody if there are none."""
    return listed(keys[seat] for seat in seats) or "nobody"


def report_of(record: Record, referee: Referee, viewer: int | None = None) -> Report:
    """Return a fought battle as one seat, or the umpire, may see it."""
    return Report(
        id=record.id if viewer is None or not is_derived(record) else "",
        rules=record.rules,
        setup=record.setup,
        names=record.names,
        commanders=[side.commander for side in record.sides],
        seed=record.seed if viewer is None else None,
        events=counted_for(record, referee, viewer),
        viewer=viewer,
        winners=record.winners,
        reason=record.reason,
        scores=record.scores,
        losses=[fraction_text(share) for share in record.losses],
    )


def counted_for(record: Record, referee: Referee, viewer: int | None) -> list[tuple[int, Event]]:
    """Return the events as this seat saw them, each after so many moves.

    A side's events are counted by its own moves: a count of all would tell it whenever another was
    asked.
    """
    events = referee.events_for(viewer)
    if viewer is None:
        return events
    own = f"{record.setup.seats[viewer]} "
    made = [0]
    for move in record.moves:
        made.append(made[-1] + move.startswith(own))
    return [(made[min(number, len(record.moves))], event) for number, event in events]


def is_derived(record: Record) -> bool:
    """Say whether an id was made from the battle's content: it would let a side test seeds."""
    return re.fullmatch(re.escape(id_stem(record.rules)) + "-[0-9a-f]{8}(-[0-9]+)?", record.id) is not None


SECRET = ("seed", "checks", "digest", "deal", "bound")  # what lets a side work out hidden cards


def table_for(record: Record, viewer: int | None) -> dict[str, object]:
    """Return the record's table as one seat, or the umpire, may see it.

    A side gets its own moves only, and of the others' options and the house rules no lists of
    cards.
    """
    if viewer is None:
        return record.table
    key = record.setup.seats[viewer]
    shown = {word: value for word, value in record.table.items() if word not in SECRET}
    if is_derived(record):
        del shown["id"]
    shown["moves"] = [move for move in record.moves if move.startswith(f"{key} ")]
    shown["house"] = without_lists(record.table["house"])
    sides = record.table["sides"]
    assert isinstance(sides, dict)
    shown["sides"] = {side: table if side == key else without_lists(table) for side, table in sides.items()}
    return {"viewer": key, **shown}


def without_lists(table: object) -> dict[str, object]:
    """Return a table without its lists of cards."""
    assert isinstance(table, dict)
    return {word: value for word, value in table.items() if not isinstance(value, list)}

"""Define the functions that `import cardbattle` provides.

In all functions, the argument `battle` is the key of a rule set, the path of a battle file, or a dictionary
with the content of a battle file. A side's commander makes the choices of this side. It is a computer player,
a person, or an object that you write. Each side of the battle is a keyword argument, as in
`resolve("wargame", seed=3, brown="veteran", green={"cards": ...})`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from os import PathLike, fspath, path
from typing import TYPE_CHECKING, NamedTuple
from warnings import warn

from cardbattle import rules
from cardbattle.battles.records.battle_file import SIDE_KEYS, BattlePlan, id_from_content, read_battle
from cardbattle.battles.records.file_kinds import read_kind
from cardbattle.battles.records.reader_view import report_of, table_for
from cardbattle.battles.records.record import Record, dumps_record
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.records.replay import (
    ReplayMismatch,
    check_digest,
    check_outcome,
    refight,
    verify_record,
)
from cardbattle.battles.resolve import begin_session, fight_battle
from cardbattle.battles.seeds import draw_seed
from cardbattle.battles.session import Session
from cardbattle.battles.session_file import is_session, read_session, session_text
from cardbattle.commanders import HUMAN
from cardbattle.core.errors import CardbattleError, InvalidInput, Remark, UsageError
from cardbattle.core.names import clean, listed, quoted, unknown_word
from cardbattle.core.referee import Commander, Seat
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.stepping import SteppedBattle, begin
from cardbattle.core.telling import DETAILS, STORY, counted
from cardbattle.engines.description import view_table
from cardbattle.files.disk import write_text
from cardbattle.files.reader import table_or_empty
from cardbattle.files.toml import Source, read_toml
from cardbattle.simulation.odds import PRECISION, Odds, OddsStop, count_in_portions, count_odds
from cardbattle.simulation.sample import Sample
from cardbattle.simulation.workers import results_in_order, workforce, workforce_or

if TYPE_CHECKING:
    from cardbattle.campaign.folder import CampaignFolder  # pydantic
    from cardbattle.campaign.seals.seals import Seals
    from cardbattle.show.document import Document

AnyPath = str | PathLike[str]
AnyBattle = AnyPath | RuleSet | Mapping[str, object]
SideValue = str | Mapping[str, object] | Commander  # a commander, or options as in a battle file, or both
OWN = "own"  # prefix in records for a commander that the user has written


def resolve(
    battle: AnyBattle,
    *,
    seed: int | str | None = None,
    house: Mapping[str, object] | None = None,
    sides: Mapping[str, SideValue] | None = None,
    **by_key: SideValue,
) -> Record:
    """Fight one battle and return its record.

    `battle` is the key of a rule set, the path of a battle file, or a dictionary with the content of a battle
    file. `seed` is a whole number from 0 to 2**63 - 1, or a string. By default, the function uses the seed in
    the battle file. If the file has no seed, it draws a random seed. `house` maps names of house rules to
    their values. Any other keyword argument describes the side with this key. Its value is the name of a
    commander, a dictionary of options, or a Commander object. If the key of a side is not a Python
    identifier, use the argument `sides`, which maps keys to such values.

    Raises InvalidInput, which lists all errors in the battle, if the battle is not valid. Raises UsageError
    if the arguments are wrong.
    """
    call = read_call(battle, seed, house, {**(sides or {}), **by_key})
    with call.locate_errors():
        return fight_call(call)


def resolve_many(
    battles: Iterable[AnyBattle],
    *,
    jobs: int | None = 1,
    executor: Executor | None = None,
    house: Mapping[str, object] | None = None,
    sides: Mapping[str, SideValue] | None = None,
    **by_key: SideValue,
) -> Iterator[Record]:
    """Fight many battles, and yield their records in the order of the battles.

    Each element of `battles` can have any form that the argument `battle` of `resolve` can have. To fight the
    same battle with many seeds, pass dictionaries that differ only in their seeds. `house` and the sides
    apply to all battles. `battles` can be a generator, from which a battle is taken only when it is needed.
    To cancel the remaining battles, stop iterating.

    `jobs` is the number of processes, and None means one process per CPU. If you pass an `executor`, such as
    a ProcessPoolExecutor, the function uses it, ignores `jobs`, and does not close it.

    Raises the same errors as `resolve`, but first yields the records of all battles before the wrong one.
    Raises SystemFailure if a worker process died.
    """
    common = {**(sides or {}), **by_key}
    sources: deque[BattleCall] = deque()
    refused: list[CardbattleError] = []

    def calls() -> Iterator[BattleCall]:
        for battle in battles:
            try:
                sources.append(read_call(battle, None, house, common))
            except CardbattleError as error:
                refused.append(error)
                return
            yield sources[-1]._replace(source=None)

    with workforce_or(executor, jobs) as hands:
        records = results_in_order(fight_call, calls(), *hands)
        try:
            for record in records:
                sources.popleft()
                yield record
        except InvalidInput:
            with sources[0].locate_errors():
                raise
        finally:
            records.close()
    if refused:
        raise refused[0]


def fight_call(call: BattleCall) -> Record:
    """Fight the battle that a call describes, and return its record.

    Errors that this function raises do not contain the line of the battle file.
    """
    plan = read_battle(call.table, call.base)
    keys = plan.setup.seats
    guests = {keys.index(key): Guest(commander) for key, commander in call.own.items()}
    return fight_battle(with_guests(plan, call.table, guests), guests)[0]


def odds(
    battle: AnyBattle,
    *,
    battles: int | None = None,
    precision: float = PRECISION,
    jobs: int | None = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    seed: int | str | None = None,
    house: Mapping[str, object] | None = None,
    sides: Mapping[str, SideValue] | None = None,
    **by_key: SideValue,
) -> Odds:
    """Fight a battle many times, and return each side's chance of winning.

    `battles` is the number of battles, which must be at least 1. If `battles` is None, the simulation stops
    as soon as half the width of every confidence interval is below `precision`, a number between 0 and 1. It
    also stops after 30 seconds if it has not reached this precision.

    `jobs` is the number of processes, and None means one process per CPU. A script that uses several
    processes must guard its main part with `if __name__ == "__main__"`. If you pass an `executor`, such as a
    ProcessPoolExecutor or the executor of a Dask client, the function uses it, ignores `jobs`, and does not
    close it.

    The function `progress` is called with the number of battles so far and the expected total number of
    battles. If `progress` raises an exception, the simulation stops.

    The other arguments are the same as for `resolve`, except that a side's value cannot be a Commander
    object.

    Raises the same errors as `resolve`. Also raises UsageError if a side has a Commander object, and
    SystemFailure if a worker process died.
    """
    if battles is not None:
        check_battles(battles)
    if not 0 < precision < 1:
        raise UsageError(f"precision: expected a share between 0 and 1, got {precision}")
    call = counted_call(read_call(battle, seed, house, {**(sides or {}), **by_key}))
    with call.locate_errors(), workforce_or(executor, jobs) as hands:
        stop = OddsStop(battles, precision)
        if progress is None:
            return count_odds(call.table, call.base, stop, *hands)
        report_progress = progress
        return count_odds(
            call.table, call.base, stop, *hands, lambda counted, end: report_progress(counted.battles, end)
        )


def growing_odds(
    battle: AnyBattle,
    *,
    battles: int = 10_000,
    every: float = 0.2,
    seed: int | str | None = None,
    house: Mapping[str, object] | None = None,
    sides: Mapping[str, SideValue] | None = None,
    **by_key: SideValue,
) -> Iterator[Odds]:
    """Fight a battle many times, and yield each side's chance of winning at regular intervals.

    Each result counts the battles that have been fought so far.

    `battles` is the total number of battles, and `every` is the interval in seconds. The last result is equal
    to the result of `odds` for the same number of battles. To stop the simulation, stop iterating. The other
    arguments and the errors are the same as for `odds`.
    """
    check_battles(battles)
    call = counted_call(read_call(battle, seed, house, {**(sides or {}), **by_key}))
    with call.locate_errors(), workforce(1) as hands:
        yield from count_in_portions(Sample(call.table, call.base, *hands), battles, every)


def play(
    battle: AnyBattle,
    *,
    seed: int | str | None = None,
    house: Mapping[str, object] | None = None,
    sides: Mapping[str, SideValue] | None = None,
    **by_key: SideValue,
) -> Session:
    """Start a battle with human players.

    A person plays each side whose commander is `human`. If no side has this commander, a person plays the
    first side. The commanders of the other sides make their choices until a person must choose. The arguments
    and errors are the same as for `resolve`.
    """
    call = read_call(battle, seed, house, {**(sides or {}), **by_key})
    with call.locate_errors():
        plan = read_battle(call.table, call.base)
        if all(side.commander != HUMAN for side in plan.sides):
            first = {plan.setup.seats[0]: HUMAN}
            played = {**call.table, "sides": change_sides(table_or_empty(call.table["sides"]), first)}
            plan = read_battle(played, call.base)
        keys = plan.setup.seats
        guests = {keys.index(key): Guest(commander) for key, commander in call.own.items()}
        return begin_session(with_guests(plan, call.table, guests), guests)


def go_on(begun: AnyPath | Mapping[str, object]) -> Session:
    """Continue a battle in progress that was saved to a file.

    `begun` is the path of the file, or a dictionary with the content of the file. Raises InvalidInput if the
    file is not a battle in progress, or if it was edited.
    """
    if isinstance(begun, Mapping):
        return read_session(begun)
    source = read_toml(path_of(begun))
    if not is_session(source.data):
        raise InvalidInput(f"{source.name}: this is not a battle in progress; play begins one")
    try:
        return read_session(source.data, path.dirname(path_of(begun)))
    except InvalidInput as refused:
        source.refuse(refused.errors)


def battle(
    battle: AnyBattle,
    *,
    seed: int | str | None = None,
    house: Mapping[str, object] | None = None,
    sides: Mapping[str, SideValue] | None = None,
    **by_key: SideValue,
) -> SteppedBattle:
    """Deal the cards, and return a battle to play step by step. The caller chooses for all sides.

    The arguments and errors are the same as for `resolve`.
    """
    call = read_call(battle, seed, house, {**(sides or {}), **by_key})
    with call.locate_errors():
        plan = read_battle(call.table, call.base)
        assert plan.seed is not None
        return begin(plan.rules, plan.setup, plan.seed)


def replay(record: AnyPath | Mapping[str, object]) -> Record:
    """Load a record, replay its moves, and return it.

    The returned record keeps the recorded result. If the recorded moves lead to another result, the function
    issues a warning. Raises InvalidInput if the file is not a record. Raises ReplayMismatch if the file was
    changed or a move is not legal.
    """
    read = read_recorded(record)
    check_digest(read)
    try:
        check_outcome(read, refight(read))
    except ReplayMismatch as differs:
        if differs.move < len(read.moves):
            raise
        warn(f"the record {read.id} contradicts itself: {differs}", Remark, stacklevel=2)
    return read


def verify(record: Record | AnyPath | Mapping[str, object], *, seals: Seals | None = None) -> str:
    """Replay a battle, and check that it agrees with its record in every detail.

    Returns a summary, such as `19 moves agree`. If `seals` is given, the function also checks the record
    against these sealed dice. Raises ReplayMismatch, which names the first difference, if anything differs.
    Raises InvalidInput if the file is not a record.
    """
    read = record if isinstance(record, Record) else read_recorded(record)
    note = verify_record(read) if seals is None else note_of_draw(seals, read)
    return f"{counted(len(read.moves), 'move')} agree{f'; {note}' if note else ''}"


def note_of_draw(seals: Seals, record: Record) -> str:
    """Return a sentence that says what the sealed dice of a campaign prove about a record.

    Raises ReplayMismatch if the record does not follow from the random draw that was sealed for its battle.
    """
    from cardbattle.campaign.seals.proof import verify_drawn  # pydantic

    return verify_drawn(seals, record)


def load_seals(*files: AnyPath) -> Seals:
    """Return the sealed dice that a campaign has published in one or more files.

    If you have several copies of the file from different times, pass the oldest copy first. Raises
    InvalidInput if a file has no sealed dice, ReplayMismatch if a copy contradicts an older copy, and
    UsageError if no file is given.
    """
    from cardbattle.campaign.seals.proof import read_copies  # pydantic

    if not files:
        raise UsageError("no file of sealed dice is named; give seals.toml, and older copies before it")
    return read_copies([path_of(file) for file in files])


def table(records: Record | Iterable[Record]) -> list[dict[str, object]]:
    """Return records as rows for a spreadsheet or a data frame, with one row for each side of each record.

    Four values of a row are floats. `score` is the side's score in the points of the rule set. `losses` is a
    number from 0 to 1. `points` is 1 for a win and 0 for a defeat. After a shared win or a draw, the sides
    that share it divide 1 equally. `moves` is the number of moves that all sides made. All other values are
    strings. Raises UsageError if an argument is not a record.
    """
    several = [records] if isinstance(records, Record) else [*records]
    for record in several:
        if not isinstance(record, Record):
            raise UsageError(f"expected records, got {quoted(record)}")
    return [row for record in several for row in record_rows(record)]


def record_rows(record: Record) -> Iterator[dict[str, object]]:
    """Yield the rows of one record, one row for each side. `table` describes the rows."""
    sharing = record.winners or record.seats
    for seat, (key, side) in enumerate(zip(record.seats, record.sides, strict=True)):
        yield {
            "battle": record.id,
            "rules": record.rules.key,
            "seed": "" if record.seed is None else str(record.seed),
            "side": key,
            "commander": side.commander,
            "points": 1 / len(sharing) if key in sharing else 0.0,
            "score": float(record.scores[seat]),
            "losses": float(record.losses[seat]),
            "moves": float(len(record.moves)),
            "reason": record.reason,
        }


def view_of(battle: SteppedBattle | Session, side: int | str) -> dict[str, object]:
    """Return what a side knows as a table with the names of cards.

    `SteppedBattle.view_table` describes the table.
    """
    seats = battle.seats if isinstance(battle, SteppedBattle) else battle.keys
    return view_table(battle.rules, battle.view(side), seats)


def rule_sets() -> list[RuleSet]:
    """Return all rule sets. Rule sets from plug-in packages come last."""
    return rules.every()


def load_campaign(folder: AnyPath = "") -> CampaignFolder:
    """Load the campaign in a folder.

    By default, this is the working directory, or the nearest folder above it that has a campaign. Raises
    InvalidInput, which lists all errors in the campaign file, if the file is not valid.
    """
    from cardbattle.campaign.folder import CampaignFolder  # pydantic
    from cardbattle.campaign.state.paths import find_folder, open_folder

    named = path_of(folder)
    return CampaignFolder(open_folder(named) if named else find_folder())


def tale_of(record: Record, detail: str, side: str) -> str:
    """Return a recorded battle as text. The arguments are those of `Record.tale`."""
    from cardbattle.show.writers.plain import to_plain  # slow to import; only needed for printing

    level = DETAILS[check_word(detail, DETAILS, "detail")]
    viewer = None if side in ("", None) else record.seats.index(check_word(side, record.seats, "side"))
    return to_plain(record_page(record, level, viewer)).removesuffix("\n")


def record_page(record: Record, level: int, viewer: int | None) -> Document:
    """Return the page that describes a recorded battle to a reader.

    `viewer` is the seat of the reader, or None for the umpire.

    Raises ReplayMismatch if the replay differs from the record.
    """
    from cardbattle.show.pages.battle import battle_page  # slow to import; only needed for printing

    return battle_page(report_of(record, refight(record), viewer), level, table_for(record, viewer))


def chart_of(odds: Odds) -> str:
    """Return an HTML chart of each side's chance of winning. Notebooks display this chart."""
    from cardbattle.show.pages.odds import odds_page  # slow to import; only needed for printing

    return notebook_html(odds_page(odds))


def html_of(record: Record) -> str | None:
    """Return the story and the result of a recorded battle as HTML.

    Notebooks display this HTML. Return None if the replay differs from the record.
    """
    try:
        return notebook_html(record_page(record, STORY, None))
    except ReplayMismatch:
        return None


def html_of_campaign(folder: CampaignFolder) -> str:
    """Return the state of a campaign as HTML, with everything that the umpire sees.

    Notebooks display this HTML.
    """
    from cardbattle.campaign.visibility.reader import UMPIRE, visible_to  # pydantic
    from cardbattle.show.pages.campaign.dashboard import campaign_page  # slow to import

    return notebook_html(campaign_page(visible_to(folder.campaign, folder.ledger, UMPIRE), {}, {}))


def notebook_html(page: Document) -> str:
    """Return a page as HTML without style sheets or scripts. The page looks as it does in a terminal."""
    from cardbattle.show.writers.terminal import to_notebook  # slow to import; only needed for printing

    return to_notebook(page)


def save_record(record: Record, file: AnyPath) -> str:
    """Write a record to a file, and return the path of the file.

    `Record.save` calls this function. Raises UsageError if the file belongs to a campaign.
    """
    return saved(dumps_record(record), file)


def save_session(session: Session, file: AnyPath) -> str:
    """Write a battle in progress to a file, and return the path of the file.

    `Session.save` calls this function. Raises UsageError if the file belongs to a campaign.
    """
    return saved(session_text(session), file)


def saved(text: str, file: AnyPath) -> str:
    """Write text, and return the path. Raises UsageError for a campaign's file."""
    from cardbattle.campaign.state.paths import campaign_of  # pydantic

    folder = campaign_of(path_of(file))
    if folder:
        raise UsageError(
            f"{clean(path_of(file))}: this file belongs to the campaign in {clean(folder)}; "
            "choose another file"
        )
    write_text(path_of(file), text)
    return path_of(file)


class Guest(Commander):
    """A wrapper that checks the answers of a commander written by the user."""

    def __init__(self, commander: Commander) -> None:
        self.own = commander

    @property
    def label(self) -> str:
        """The commander's name in records. It always differs from the names of the program's commanders."""
        return f"{OWN}:{clean(type(self.own).__name__)[:60]}"

    def answer(self, seat: Seat) -> int:
        """Return the commander's answer. Raises InvalidInput if the answer is not the index of an option."""
        answer = self.own.answer(seat)
        most = seat.count + len(seat.unlisted_texts)
        if type(answer) is not int or not 0 <= answer < most:
            raise InvalidInput(
                f"{self.label} answers {quoted(answer)} for {seat.key}; expected the index of an option, "
                f"from 0 to {most - 1}; seat.find(TEXT) returns one"
            )
        return answer


def with_guests(plan: BattlePlan, table: Mapping[str, object], own: Mapping[int, Guest]) -> BattlePlan:
    """Return a battle plan in which the commanders in `own` replace those of their seats.

    If the battle has no `id` of its own, the plan's id is a hash of the battle's content. Then the hash also
    covers the commanders in `own`.
    """
    sides = [
        side._replace(commander=own[seat].label) if seat in own else side
        for seat, side in enumerate(plan.sides)
    ]
    if not own or "id" in table:
        return plan._replace(sides=sides)
    content = {**table, "guests": [side.commander for side in sides]}
    return plan._replace(sides=sides, id=id_from_content(plan.rules, content))


class BattleCall(NamedTuple):
    """The arguments of a call of a library function, converted to one form.

    `table` has the content of a battle file, and always has a seed. `own` maps the key of a side to the
    Commander object that the caller passed for this side.

    Relative file names in the table start from the folder `base`. `source` is the battle file, or None if the
    caller did not name a file.
    """

    table: dict[str, object]
    base: str
    source: Source | None
    own: dict[str, Commander]

    @contextmanager
    def locate_errors(self) -> Iterator[None]:
        """Add the line of the battle file to each error that is raised in the `with` block."""
        try:
            yield
        except InvalidInput as refused:
            if self.source is None:
                raise
            self.source.refuse(refused.errors)


def check_battles(battles: int) -> None:
    """Raise UsageError if `battles` is not a whole number of at least 1."""
    if type(battles) is not int or battles < 1:
        raise UsageError(f"battles: expected a whole number of at least 1, got {quoted(battles)}")


def counted_call(call: BattleCall) -> BattleCall:
    """Return the call unchanged if its battle can be simulated.

    Raises UsageError if a side has a Commander object.
    """
    if call.own:
        raise UsageError(
            f"{listed(call.own)}: odds are counted with the program's commanders; "
            "with your own commander, call resolve for each battle"
        )
    return call


def read_call(
    battle: AnyBattle,
    seed: int | str | None,
    house: Mapping[str, object] | None,
    sides: Mapping[str, SideValue],
) -> BattleCall:
    """Convert the arguments of a call to a BattleCall.

    Raises UsageError if an argument is unknown or has the wrong type, and InvalidInput if the battle file
    cannot be parsed.
    """
    source = None
    base = ""
    if isinstance(battle, Mapping):
        table = dict(battle)
    elif isinstance(battle, RuleSet) or not names_a_file(battle):
        table = bare_table(battle if isinstance(battle, RuleSet) else rules.find(path_of(battle)), sides)
    else:
        source = read_kind(path_of(battle), "battle")
        base = path.dirname(path_of(battle))
        table = source.data
    commanders = {
        key: commander for key, value in sides.items() if (commander := own_commander(value)) is not None
    }
    if sides:
        table = table | {"sides": change_sides(table_or_empty(table.get("sides")), sides)}
    if house:
        table = table | {"house": {**table_or_empty(table.get("house")), **house}}
    if seed is not None or "seed" not in table:
        table = table | {"seed": draw_seed() if seed is None else seed}
    return BattleCall(table, base, source, commanders)


def path_of(file: object) -> str:
    """Return a path as a string. Raises UsageError if `file` is not a path."""
    named = fspath(file) if isinstance(file, PathLike) else file
    if not isinstance(named, str):
        raise UsageError(f"expected the path of a file, got {quoted(file)}")
    return named


def names_a_file(battle: AnyPath) -> bool:
    """Return True if `battle` is the path of a battle file, and False if it is the key of a rule set.

    A string is a path if it has a dot or a slash, because the keys of rule sets have neither.
    """
    name = path_of(battle)
    return not isinstance(battle, str) or "." in name or "/" in name or "\\" in name


def bare_table(chosen: RuleSet, sides: Mapping[str, SideValue]) -> dict[str, object]:
    """Return the content of a battle file that names only the rule set and the sides.

    The sides are the keys of `sides`. If these are too few and all of them are default sides of the rule set,
    the battle has all default sides.
    """
    usual = chosen.default_sides
    is_part = len(sides) < chosen.fewest and all(key in usual for key in sides)
    return {"rules": chosen.key, "sides": {key: {} for key in (usual if is_part else sides)}}


def change_sides(table: Mapping[str, object], sides: Mapping[str, SideValue]) -> dict[str, object]:
    """Return the sides of a battle with the changes that the arguments of a call make.

    `table` has the sides in the battle file. Raises UsageError if the battle has no side with a key in
    `sides`.
    """
    changed = dict(table)
    for key, value in sides.items():
        check_word(key, list(table), "side")
        before = table_or_empty(changed[key])
        settings = side_words(key, value)
        if "commander" in settings or own_commander(value) is not None:
            before = {
                word: setting for word, setting in before.items() if word not in SIDE_KEYS or word == "name"
            }
        changed[key] = {**before, **settings}
    return changed


def side_words(key: str, side: SideValue) -> dict[str, object]:
    """Convert the argument for one side to the form of a battle file.

    If the argument has a Commander object, the result does not contain it.

    Raises UsageError if the argument is not a name, a table or a Commander.
    """
    if isinstance(side, str):
        return {"commander": side}
    if isinstance(side, Mapping):
        has_own = own_commander(side) is not None
        return {word: value for word, value in side.items() if word != "commander" or not has_own}
    if isinstance(side, Commander):
        return {}
    hint = f"; write {side.__name__}()" if isinstance(side, type) else ""
    raise UsageError(
        f"side {key}: expected the name of a commander, a table of options or a Commander, "
        f"got {quoted(side)}{hint}"
    )


def own_commander(side: SideValue) -> Commander | None:
    """Return the Commander object in the argument for a side, or None if it has no such object."""
    named = side.get("commander") if isinstance(side, Mapping) else side
    return named if isinstance(named, Commander) else None


def check_word(word: str, known_values: Mapping[str, object] | list[str], label: str) -> str:
    """Return `word` if it is one of the known values.

    Raises UsageError, which suggests the nearest known value, if `word` is not known.
    """
    if not isinstance(word, str) or word not in known_values:
        raise UsageError(unknown_word(label, word, known_values))
    return word


def read_recorded(record: AnyPath | Mapping[str, object]) -> Record:
    """Return the record in a file, or in a dictionary with the content of such a file.

    Raises InvalidInput, which lists all errors, if the record is not valid.
    """
    if isinstance(record, Mapping):
        return read_record(record)
    source = read_kind(path_of(record), "record")
    try:
        return read_record(source.data, path.dirname(path_of(record)))
    except InvalidInput as refused:
        source.refuse(refused.errors)

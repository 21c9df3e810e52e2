"""The functions of `import cardbattle`, built on the layers below.

A battle is named by the key of a rule set, the path of a battle file, or a table with the content of a battle
file. Its sides are keyword arguments: `resolve("wargame", seed=3, brown="veteran", green={"cards": ...})`.
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
OWN = "own"  # prefix in a record of a commander that the program does not have


def resolve(
    battle: AnyBattle,
    *,
    seed: int | str | None = None,
    house: Mapping[str, object] | None = None,
    sides: Mapping[str, SideValue] | None = None,
    **by_key: SideValue,
) -> Record:
    """Fight one battle and return its record.

    `battle` is the key of a rule set, the path of a battle file, or a table with its content. `seed` is a
    whole number from 0 to 2**63 - 1, or text; by default that of the battle, or a random one. `house` has
    house rules. Each keyword is the key of a side (use `sides` for keys that are not identifiers); its value
    is the name of a commander, a table of options, or a Commander.

    Raises InvalidInput with all errors of the battle, and UsageError for a wrong call.
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
    """Fight many battles, and yield their records in order.

    Each of `battles` is what `resolve` accepts; to fight one battle with many seeds, pass tables with
    different seeds. `house` and the sides apply to all. `jobs` is the number of processes; None means one
    per CPU. An `executor`, such as a ProcessPoolExecutor, is used instead and stays open. Battles are read as
    they are needed. Stop iterating to cancel the rest.

    Errors are as for `resolve`, each after the records of all earlier battles; SystemFailure if a worker
    process died.
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
    """Fight the battle of a call and return its record; errors have no line in a file."""
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
    """Fight a battle many times, and return the chances.

    Without a number of `battles`, from 1, counting stops when half the width of every interval is below
    `precision`, a share between 0 and 1, or after 30 seconds. `jobs` is the number of processes; None means
    one per CPU. A script that uses several must guard its main part. An `executor`, such as a
    ProcessPoolExecutor or that of a dask client, is used instead and stays open. `progress` is called with
    the number of battles so far and its likely end; if it raises an exception, counting stops. The other
    arguments are those of `resolve`, but only with the program's own commanders.

    Raises UsageError for a user's own commander, and SystemFailure if a worker process died.
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
    """Fight a battle many times, and yield intermediate chances at regular intervals.

    The last result equals the result of `odds`. Stop iterating to stop counting. Arguments and errors are as
    for `odds`.
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
    """Start a battle in which people answer for each side whose commander is `human`, or for the first side.

    Commanders answer until the first question of a player. Arguments and errors are as for `resolve`.
    """
    call = read_call(battle, seed, house, {**(sides or {}), **by_key})
    with call.locate_errors():
        plan = read_battle(call.table, call.base)
        if all(side.commander != HUMAN for side in plan.sides):
            first = {plan.setup.seats[0]: HUMAN}
            played = {**call.table, "sides": changed_sides(table_or_empty(call.table["sides"]), first)}
            plan = read_battle(played, call.base)
        keys = plan.setup.seats
        guests = {keys.index(key): Guest(commander) for key, commander in call.own.items()}
        return begin_session(with_guests(plan, call.table, guests), guests)


def go_on(begun: AnyPath | Mapping[str, object]) -> Session:
    """Continue the battle in a file, or in a table with its content.

    Raises InvalidInput if it is not a battle in progress, or was edited.
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
    """Return a freshly dealt battle to play step by step; the caller decides for all sides.

    Arguments and errors are as for `resolve`.
    """
    call = read_call(battle, seed, house, {**(sides or {}), **by_key})
    with call.locate_errors():
        plan = read_battle(call.table, call.base)
        assert plan.seed is not None
        return begin(plan.rules, plan.setup, plan.seed)


def replay(record: AnyPath | Mapping[str, object]) -> Record:
    """Load a record, replay its moves, and return it.

    The recorded result is kept; a warning tells you if the moves lead to another one. Raises InvalidInput if
    the file is not a record, and ReplayMismatch if it was changed or a move is not legal.
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
    """Replay a record and compare everything in it; return a summary, such as `19 moves agree`.

    With `seals`, it must also match its slot of these sealed dice. Raises ReplayMismatch at the first
    difference, and InvalidInput if the file is not a record.
    """
    read = record if isinstance(record, Record) else read_recorded(record)
    note = verify_record(read) if seals is None else drawn_note(seals, read)
    return f"{counted(len(read.moves), 'move')} agree{f'; {note}' if note else ''}"


def drawn_note(seals: Seals, record: Record) -> str:
    """Return what sealed dice prove about a record.

    Raises ReplayMismatch if the record differs from its slot.
    """
    from cardbattle.campaign.seals.proof import verify_drawn  # pydantic

    return verify_drawn(seals, record)


def load_seals(*files: AnyPath) -> Seals:
    """Return the sealed dice that a campaign has published; of several copies, name the oldest first.

    Raises InvalidInput for a file without sealed dice; ReplayMismatch if a copy contradicts an earlier one;
    UsageError without a file.
    """
    from cardbattle.campaign.seals.proof import read_copies  # pydantic

    if not files:
        raise UsageError("no file of sealed dice is named; give seals.toml, and older copies before it")
    return read_copies([path_of(file) for file in files])


def table(records: Record | Iterable[Record]) -> list[dict[str, object]]:
    """Return a row for each side of each record, for a spreadsheet or a data frame.

    Numbers are floats: `score` in points of the rule set, `losses` from 0 to 1, `points` 1 for a win and an
    equal part of 1 for a shared or drawn battle, `moves` of the whole battle. All other values are text.
    Raises UsageError for anything that is not a record.
    """
    several = [records] if isinstance(records, Record) else [*records]
    for record in several:
        if not isinstance(record, Record):
            raise UsageError(f"expected records, got {quoted(record)}")
    return [row for record in several for row in record_rows(record)]


def record_rows(record: Record) -> Iterator[dict[str, object]]:
    """Yield a row for each side of a record; see `table`."""
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
    """Return a side's view with named cards; see `SteppedBattle.view_table`."""
    seats = battle.seats if isinstance(battle, SteppedBattle) else battle.keys
    return view_table(battle.rules, battle.view(side), seats)


def rule_sets() -> list[RuleSet]:
    """Return all rule sets, those of plug-in packages last."""
    return rules.every()


def load_campaign(folder: AnyPath = "") -> CampaignFolder:
    """Return the campaign in a folder; by default in the working directory or the nearest folder above.

    Raises InvalidInput with all errors of its file.
    """
    from cardbattle.campaign.folder import CampaignFolder  # pydantic
    from cardbattle.campaign.state.paths import find_folder, open_folder

    named = path_of(folder)
    return CampaignFolder(open_folder(named) if named else find_folder())


def tale_of(record: Record, detail: str, side: str) -> str:
    """Return a recorded battle as text; see `Record.tale`."""
    from cardbattle.show.writers.plain import to_plain  # slow to import; only needed for printing

    level = DETAILS[check_word(detail, DETAILS, "detail")]
    viewer = record.seats.index(check_word(side, record.seats, "side")) if side else None
    return to_plain(record_page(record, level, viewer)).removesuffix("\n")


def record_page(record: Record, level: int, viewer: int | None) -> Document:
    """Return the page of a recorded battle for a seat, or for the umpire if None.

    Raises ReplayMismatch if the record does not replay.
    """
    from cardbattle.show.pages.battle import battle_page  # slow to import; only needed for printing

    return battle_page(report_of(record, refight(record), viewer), level, table_for(record, viewer))


def chart_of(odds: Odds) -> str:
    """Return the chances as an HTML chart, which a notebook displays."""
    from cardbattle.show.pages.odds import odds_page  # slow to import; only needed for printing

    return notebook_html(odds_page(odds))


def html_of(record: Record) -> str | None:
    """Return a recorded battle as a story with its result in HTML, which a notebook displays.

    None if the record does not replay.
    """
    try:
        return notebook_html(record_page(record, STORY, None))
    except ReplayMismatch:
        return None


def html_of_campaign(folder: CampaignFolder) -> str:
    """Return the state of a campaign, with everything its umpire sees, in HTML, which a notebook displays."""
    from cardbattle.campaign.visibility.reader import UMPIRE, visible_to  # pydantic
    from cardbattle.show.pages.campaign.dashboard import campaign_page  # slow to import

    return notebook_html(campaign_page(visible_to(folder.campaign, folder.ledger, UMPIRE), {}, {}))


def notebook_html(page: Document) -> str:
    """Return a page as the terminal shows it, in HTML without style sheets or scripts."""
    from cardbattle.show.writers.terminal import to_notebook  # slow to import; only needed for printing

    return to_notebook(page)


def save_record(record: Record, file: AnyPath) -> str:
    """Write a record to a file and return its name; see `Record.save`.

    Raises UsageError if the path is one of a campaign's own files.
    """
    return saved(dumps_record(record), file)


def save_session(session: Session, file: AnyPath) -> str:
    """Write a battle in progress to a file and return its name; see `Session.save`.

    Raises UsageError if the path is one of a campaign's own files.
    """
    return saved(session_text(session), file)


def saved(text: str, file: AnyPath) -> str:
    """Write a text to a file and return its name.

    Raises UsageError if the path is one of a campaign's own files.
    """
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
    """A user's own commander, whose answers are checked."""

    def __init__(self, commander: Commander) -> None:
        self.own = commander

    @property
    def label(self) -> str:
        """What a record says of such a commander: never the name of a rank."""
        return f"{OWN}:{clean(type(self.own).__name__)[:60]}"

    def answer(self, seat: Seat) -> int:
        """Return the commander's answer. Raises InvalidInput if it is not the index of an option."""
        answer = self.own.answer(seat)
        most = seat.count + len(seat.unlisted_texts)
        if type(answer) is not int or not 0 <= answer < most:
            raise InvalidInput(
                f"{self.label} answers {quoted(answer)} for {seat.key}; expected the index of an option, "
                f"from 0 to {most - 1}; seat.find(TEXT) returns one"
            )
        return answer


def with_guests(plan: BattlePlan, table: Mapping[str, object], own: Mapping[int, Guest]) -> BattlePlan:
    """Return a plan with these commanders; an id derived from the battle's content depends on them too."""
    sides = [
        side._replace(commander=own[seat].label) if seat in own else side
        for seat, side in enumerate(plan.sides)
    ]
    if not own or "id" in table:
        return plan._replace(sides=sides)
    content = {**table, "guests": [side.commander for side in sides]}
    return plan._replace(sides=sides, id=id_from_content(plan.rules, content))


class BattleCall(NamedTuple):
    """The arguments of a call: a battle file's table with a seed, and the user's own commanders by key.

    Files in it are relative to `base`; `source` is the file, or None.
    """

    table: dict[str, object]
    base: str
    source: Source | None
    own: dict[str, Commander]

    @contextmanager
    def locate_errors(self) -> Iterator[None]:
        """Add the line in the battle file to the errors raised in this block."""
        try:
            yield
        except InvalidInput as refused:
            if self.source is None:
                raise
            self.source.refuse(refused.errors)


def check_battles(battles: int) -> None:
    """Raise UsageError unless this is a number of battles, from 1."""
    if type(battles) is not int or battles < 1:
        raise UsageError(f"battles: expected a whole number of at least 1, got {quoted(battles)}")


def counted_call(call: BattleCall) -> BattleCall:
    """Return a battle that can be simulated. Raises UsageError if it has a user's own commander."""
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
    """Return the battle that the arguments of a call describe.

    Raises UsageError for contradictory or unknown arguments, and InvalidInput if the file cannot be read.
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
        table = table | {"sides": changed_sides(table_or_empty(table.get("sides")), sides)}
    if house:
        table = table | {"house": {**table_or_empty(table.get("house")), **house}}
    if seed is not None or "seed" not in table:
        table = table | {"seed": draw_seed() if seed is None else seed}
    return BattleCall(table, base, source, commanders)


def path_of(file: object) -> str:
    """Return a path as text. Raises UsageError if it is not one."""
    named = fspath(file) if isinstance(file, PathLike) else file
    if not isinstance(named, str):
        raise UsageError(f"expected the path of a file, got {quoted(file)}")
    return named


def names_a_file(battle: AnyPath) -> bool:
    """Return True if this is the path of a battle file: the key of a rule set has no dot and no slash."""
    name = path_of(battle)
    return not isinstance(battle, str) or "." in name or "/" in name or "\\" in name


def bare_table(chosen: RuleSet, sides: Mapping[str, SideValue]) -> dict[str, object]:
    """Return the table of a battle from its rule set and sides.

    The named sides fight; if they are too few, the rule set's default sides are added.
    """
    usual = chosen.default_sides
    is_part = len(sides) < chosen.fewest and all(key in usual for key in sides)
    return {"rules": chosen.key, "sides": {key: {} for key in (usual if is_part else sides)}}


def changed_sides(table: Mapping[str, object], sides: Mapping[str, SideValue]) -> dict[str, object]:
    """Return the sides of a battle, changed by the arguments of a call.

    Raises UsageError for an unknown side.
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
    """Return the argument for one side in the form of a battle file, without a user's own commander.

    Raises UsageError if it is not a commander and not a table.
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
    """Return the user's own commander in the argument for a side, or None."""
    named = side.get("commander") if isinstance(side, Mapping) else side
    return named if isinstance(named, Commander) else None


def check_word(word: str, known_values: Mapping[str, object] | list[str], label: str) -> str:
    """Return the word if it is known. Raises UsageError with the nearest known word."""
    if not isinstance(word, str) or word not in known_values:
        raise UsageError(unknown_word(label, word, known_values))
    return word


def read_recorded(record: AnyPath | Mapping[str, object]) -> Record:
    """Return the record in a file or in its parsed table; InvalidInput lists all errors."""
    if isinstance(record, Mapping):
        return read_record(record)
    source = read_kind(path_of(record), "record")
    try:
        return read_record(source.data, path.dirname(path_of(record)))
    except InvalidInput as refused:
        source.refuse(refused.errors)

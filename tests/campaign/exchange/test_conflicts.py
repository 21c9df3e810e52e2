"""What the books say of operations: results, clashes, differences; and where a campaign is found."""

from __future__ import annotations

import errno
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from cardbattle.campaign import check
from cardbattle.campaign.ledger import ledger, operations, umpire_changes, undo
from cardbattle.campaign.ledger.ledger import Entry
from cardbattle.campaign.ledger.ledger_heads import Head
from cardbattle.campaign.ledger.operations import Operation
from cardbattle.campaign.state import battle_result, paths
from cardbattle.campaign.state.battle_result import BattleResult
from cardbattle.campaign.state.battle_setup import Difference
from cardbattle.campaign.state.changes import Change
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.state.model import Campaign, Pending
from cardbattle.campaign.storage import store
from cardbattle.core.errors import CardbattleError, Diagnostic, InvalidInput, UsageError
from cardbattle.files import disk
from cardbattle.files.errors import SystemFailure
from tests.support import marches
from tests.support.marches import decided, result

LOST = {Fraction(0): "nothing", Fraction(1): "everything", Fraction(1, 4): "1/4", Fraction(2, 3): "2/3"}


@pytest.mark.parametrize(("share", "words"), LOST.items())
def test_a_loss_is_told_in_words_where_there_are_words(share: Fraction, words: str) -> None:
    assert battle_result.loss_text(share) == words


def test_a_result_is_told_with_names_winners_first() -> None:
    called = {"percy": "Harry Percy", "stafford": "Stafford", "owain": "Owain"}.__getitem__
    one = result("percy", percy="1/4", stafford="1")
    assert (
        battle_result.result_text(one, called)
        == "Harry Percy won; Harry Percy lost 1/4, Stafford lost everything"
    )
    shared = result("percy", "owain", percy="0", owain="0", stafford="0")
    told = "Harry Percy and Owain won; Harry Percy lost nothing, Owain lost nothing, Stafford lost nothing"
    assert battle_result.result_text(shared, called) == told
    assert battle_result.result_text(result(percy="0"), called) == "a draw; Harry Percy lost nothing"
    level = battle_result.result_text(result("percy", "owain", percy="1", owain="1"), called)
    assert level == "a draw; Harry Percy lost everything, Owain lost everything"


def test_a_side_is_told_with_its_score_if_it_has_one() -> None:
    assert battle_result.side_result_text(None) == "was not there"
    (side,) = result(percy="1/4").sides.values()
    assert battle_result.side_result_text(side) == "lost 1/4, score 3"
    assert battle_result.side_result_text(side._replace(score=0)) == "lost 1/4"


@pytest.mark.parametrize(
    ("revision", "words", "head"),
    [
        (
            7,
            "recorded as revision 7, with another result; to change it: cardbattle campaign override bridge, "
            "or first: cardbattle campaign undo bridge --only",
            "recorded",
        ),
        (0, "given twice, with another result; keep one of the two", "first"),
    ],
)
def test_a_clash_shows_both_results_side_by_side(revision: int, words: str, head: str) -> None:
    campaign = marches.books().campaign
    entry = Entry(revision, "battle", [], id="bridge", result=result("percy", percy="0", stafford="1"))
    battle = decided("bridge", percy="0", mortimer="1/2")
    told = operations.clash(campaign, entry, battle)
    assert told.text == f"battle bridge is {words}"
    assert told.beside == [
        ["", head, "this one"],
        ["won by", "Harry Percy", "nobody"],
        ["Harry Percy", "lost nothing, score 3", "lost nothing, score 3"],
        ["Stafford", "lost everything, score 3", "was not there"],
        ["Mortimer", "was not there", "lost 1/2, score 3"],
    ]


def test_an_entry_without_a_result_clashes_as_one_that_nobody_won() -> None:
    told = operations.clash(marches.books().campaign, Entry(3, "battle", []), decided("bridge", percy="0"))
    assert told.beside[1:] == [
        ["won by", "nobody", "nobody"],
        ["Harry Percy", "was not there", "lost nothing, score 3"],
    ]


def test_a_result_is_the_programs_if_it_has_a_seed_or_another_digest() -> None:
    """What people type in has neither; the digest is of its own id and result."""
    typed = decided("bridge", "percy", percy="0")
    assert not battle_result.is_of_the_program(typed)
    assert battle_result.is_of_the_program(typed._replace(seed=0))
    assert battle_result.is_of_the_program(typed._replace(digest="sha256:0"))
    assert battle_result.is_of_the_program(typed._replace(seed=0, digest="sha256:0"))
    assert battle_result.is_of_the_program(typed._replace(id="wood"))
    assert battle_result.is_of_the_program(typed._replace(result=result(percy="0")))


@pytest.mark.parametrize("bound", ["wood", None])
def test_a_record_is_of_the_battle_it_was_bound_to_else_of_its_own_id(bound: str | None) -> None:
    fought = marches.fought(marches.books(), "bridge")
    assert fought.log is not None
    table = {key: value for key, value in fought.log.table.items() if key != "bound"}
    if bound is not None:
        table["bound"] = {"campaign": "The Marches", "battle": bound}
    again = battle_result.fought_battle(fought.log._replace(table=table), "text", "import")
    assert (again.id, again.bound) == (bound or "bridge", table.get("bound", {}))
    assert (again.kind, again.record, again.digest) == ("import", "text", fought.digest)
    assert (again.rules, again.seed, again.log is None) == ("strategy-war", fought.log.seed, False)


@pytest.mark.parametrize("has_result", [True, False])
@pytest.mark.parametrize("recorded", ["bare", "record", "other"])
@pytest.mark.parametrize("told", ["bare", "record"])
@pytest.mark.parametrize("change", ["nothing", "order", "winner", "losses", "side"])
def test_a_battle_is_the_recorded_one_if_result_and_digest_say_so(
    has_result: bool, recorded: str, told: str, change: str
) -> None:
    """The digest of a bare result fits any; two records fit if they are one; a result must be the same."""
    now = {
        "nothing": result("percy", "owain", percy="0", owain="1/2"),
        "order": result("owain", "percy", owain="1/2", percy="0"),
        "winner": result("owain", percy="0", owain="1/2"),
        "losses": result("percy", "owain", percy="0", owain="1/3"),
        "side": result("percy", "owain", percy="0", owain="1/2", york="0"),
    }[change]
    before = result("percy", "owain", percy="0", owain="1/2")
    digests = {
        "bare": battle_result.result_digest("bridge", before),
        "record": "sha256:1",
        "other": "sha256:2",
    }
    entry = Entry(3, "battle", [], digest=digests[recorded], result=before if has_result else None)
    bare = battle_result.result_digest("bridge", now)
    battle = BattleResult("bridge", now, bare if told == "bare" else "sha256:1")
    same = change in ("nothing", "order")
    if not has_result:
        assert operations.is_the_same(entry, battle) is (entry.digest == battle.digest)
    elif told == "bare":
        assert operations.is_the_same(entry, battle) is same
    else:
        fits = recorded == "record" or (recorded == "bare" and entry.digest == bare)
        assert operations.is_the_same(entry, battle) is (same and fits)


@pytest.mark.parametrize(
    ("table", "what"), [("factions", "faction"), ("forces", "force"), ("locations", "location")]
)
def test_a_slip_of_the_pen_founds_nothing(table: str, what: str) -> None:
    with pytest.raises(InvalidInput, match=f'^{what} "nil" is not in this campaign'):
        operations.adjust(marches.books(), f"{table}.nil.name", "x")


def test_what_is_no_table_of_keys_may_be_adjusted_deep() -> None:
    """The umpire's own tables, and those that have no keys of people."""
    assert operations.adjust(marches.books(), "x.weather.wind", "3").entry.changes == [
        Change(("x", "weather", "wind"), None, 3)
    ]
    with pytest.raises(UsageError, match="cannot be adjusted"):
        operations.adjust(marches.books(), "pending.0.id", "x")


@pytest.mark.parametrize("revision", [0, 9])
def test_the_revision_is_counted_from_the_ledger_else_from_the_file(revision: int, tmp_path: Path) -> None:
    """A dry run and the real one write the same; folder and name of the books stay."""
    folder = marches.folder_with(tmp_path, marches.MARCHES.replace("revision = 0", "revision = 4"))
    books = store.load(folder)
    made = [
        Operation(Entry(0, "turn", [Change(("turn",), 4, 5)])),
        Operation(Entry(0, "turn", [Change(("turn",), 5, 6)])),
    ]
    after = operations.after(books, made, revision) if revision else operations.after(books, made)
    assert (after.campaign.revision, after.campaign.turn) == ((revision or 4) + 2, 6)
    assert (after.folder, after.source.name, after.campaign.folder) == (folder, store.NAME, folder)
    diff = operations.diff(books, made, revision) if revision else operations.diff(books, made)
    assert f"+revision = {(revision or 4) + 2} " in diff


def test_a_campaign_is_found_from_here_upwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = marches.folder_with(tmp_path / "war")
    (tmp_path / "war" / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "war" / "a" / "b")
    assert paths.find_folder() == paths.find_folder("..") == folder
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput) as caught:
        paths.find_folder()
    assert str(caught.value) == (
        "there is no campaign.toml in this folder or any above it; name the campaign's folder with -C, "
        "or make one with: cardbattle campaign new"
    )
    assert paths.open_folder("war") == folder
    with pytest.raises(InvalidInput, match=r"^\. is not a campaign: it has no campaign\.toml$"):
        paths.open_folder(".")


@pytest.mark.parametrize("head", ["", "\n", "# one\n\n# two\n", ledger.LEDGER_HEADING])
def test_the_head_of_a_ledger_ends_where_its_first_entry_begins(head: str) -> None:
    entry = ledger.entry_text(ledger.with_hash(Entry(1, "turn", []), ""))
    raw = f"{head}{entry}".encode()
    assert raw[ledger.heading_end(raw) :].startswith(b"[[entry]]")
    assert len(ledger.scan_ledger(raw).heads) == 1


@pytest.mark.parametrize("count", [2, 3])
def test_a_group_that_was_cut_short_is_torn_and_two_entries_are_not(count: int) -> None:
    """One write is one entry or one group; a tail of more than that is damage."""
    made = [Entry(0, "turn", [Change(("turn",), number, number + 1)]) for number in range(4, 4 + count)]
    grouped = "".join(map(ledger.entry_text, ledger.group_entries(made, "")))
    assert ledger.is_torn(ledger.scan_ledger(grouped.encode()[:-5]))
    prev, alone = "", ""
    for number, entry in enumerate(made, 1):
        one = ledger.with_hash(entry._replace(revision=number), prev)
        prev, alone = one.check, alone + ledger.entry_text(one)
    damaged = ledger.scan_ledger(alone.replace("turn", "tune", 1).encode())
    assert not damaged.heads
    assert not ledger.is_torn(damaged)


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        (11, "+3", 14),
        (11, "-3", 8),
        (4, "- 1", 3),
        (None, "+3", 3),
        (0, "-0", 0),
        (1, f"+{'9' * 18}", 10**18),
    ],
)
def test_a_number_is_added_to_what_is_there_or_to_nothing(before: object, change: str, after: int) -> None:
    assert operations.sum_of("forces.percy.strength", before, change) == after


@pytest.mark.parametrize("before", [True, "many", [1]])
def test_a_number_is_added_to_a_number_only(before: object) -> None:
    with pytest.raises(UsageError, match=r'^"turn" is .*; only a number can be added to$'):
        operations.sum_of("turn", before, "+1")


@pytest.mark.parametrize("number", ["", "x", "1.5", "9" * 19, "+1", "1 2", "٣"])
def test_what_is_added_is_a_whole_number(number: str) -> None:
    with pytest.raises(UsageError) as caught:
        operations.sum_of("turn", 4, f"+{number}")
    assert str(caught.value) == f'"turn": expected a whole number to add, got "{number}"'


def full(*arguments: object) -> None:
    """Be a call of the system for which the disk has no room."""
    raise OSError(errno.ENOSPC, "No space left on device")


def overtaken(*arguments: object) -> str:
    """Be a replacement that comes after another program's."""
    raise disk.Changed


FULL = "cannot be written: the disk is full"
MEANWHILE = "campaign.toml was saved by another program at the same time and is left alone: the next command"


@pytest.mark.parametrize(
    ("call", "way", "words"),
    [
        ("sync", full, f"history.toml {FULL}"),
        ("replace_unchanged", full, f"campaign.toml {FULL}"),
        ("replace_unchanged", overtaken, f"nothing was recorded; {MEANWHILE} brings it up to date"),
    ],
)
def test_a_file_that_cannot_be_brought_up_says_which_and_why(
    call: str, way: Callable[..., object], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, decided("bridge", "percy", percy="1/7", stafford="1/2"))
    (tmp_path / store.NAME).write_text(marches.MARCHES)
    monkeypatch.setattr(disk, call, way)
    with pytest.raises(CardbattleError) as caught:
        check.repair(folder)
    assert str(caught.value) == words


def test_a_file_that_would_be_wrong_when_brought_up_is_named(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([operations.adjust(desk.books, "forces.stafford.commander", "regular")])
        desk.commit([operations.adjust(desk.books, "locations.shrewsbury.owner", "lancaster")])
    stale = marches.MARCHES.replace('commander = "green"\n', 'commander = "green"\nfaction = "rose"\n')
    stale = stale.replace('faction = "lancaster"\n', "").replace("[factions.lancaster]", "[factions.rose]")
    (tmp_path / store.NAME).write_text(stale)
    with pytest.raises(
        InvalidInput,
        match=r'^campaign\.toml:\d+: locations.shrewsbury.owner: faction "lancaster" is not in this campaign',
    ):
        check.repair(folder)
    assert (tmp_path / store.NAME).read_text() == stale


def test_bytes_that_cannot_be_put_aside_say_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = marches.folder_with(tmp_path)
    (tmp_path / ledger.LEDGER_NAME).write_bytes(b"[[entry]]\nrev")
    asked: list[object] = []

    def asked_for(path: str, *how: object) -> None:
        asked.append(how)
        full()

    with monkeypatch.context() as patch:
        patch.setattr(disk, "replace", asked_for)
        with pytest.raises(SystemFailure) as caught:
            check.repair(folder)
    assert str(caught.value) == f"history.toml.torn-0 {FULL}"
    assert asked == [(b"[[entry]]\nrev", store.TEMPORARY)]


def test_a_record_is_written_inside_of_records_or_it_is_said_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        with pytest.raises(InvalidInput) as refused:
            desk.put_record("../x\x07.toml", b"")
        assert str(refused.value) == "../x<07>.toml would be outside of records/"
        monkeypatch.setattr(disk, "replace", full)
        with pytest.raises(SystemFailure) as caught:
            desk.put_record("records/x.toml", b"")
        assert str(caught.value) == f"records/x.toml {FULL}; nothing was recorded"


def test_a_record_is_moved_out_of_the_way_only_if_no_entry_names_it(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, marches.fought(store.load(folder), "bridge"))
    (tmp_path / "records" / "wood.toml").write_text("x = 1\n")
    with store.open_for_writing(folder) as desk:
        desk.put_record("records/wood.toml", b"x = 1\n")
        assert desk.take_notes() == []
        desk.put_record("records/wood.toml", b"x = 2\n")
        assert desk.take_notes() == [
            "records/wood.toml belongs to no battle in history.toml; it was moved to records/wood.toml.orphan"
        ]
        with pytest.raises(NeedsUmpire) as refused:
            desk.put_record("records/bridge.toml", b"x = 1\n")
        assert str(refused.value) == (
            "records/bridge.toml holds another battle of this name; move it away or import it"
        )
    assert (tmp_path / "records" / "wood.toml").read_text() == "x = 2\n"
    assert (tmp_path / "records" / "wood.toml.orphan").read_text() == "x = 1\n"


def test_what_is_no_one_value_is_text() -> None:
    assert operations.value_of("1\nx = 2") == "1\nx = 2"


@pytest.mark.parametrize(("before", "told"), [("many", '"many"'), (True, "true")])
def test_what_is_no_number_is_told_when_it_cannot_be_added_to(before: object, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        operations.sum_of("turn", before, "+1")
    assert str(caught.value) == f'"turn" is {told}; only a number can be added to'


def test_a_battle_fought_again_has_a_record_of_its_own(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    for name in ("records/bridge.toml", "records/bridge.2.toml", "records/bridge.3.toml"):
        marches.record(folder, marches.fought(store.load(folder), "bridge"))
        with store.open_for_writing(folder) as desk:
            assert desk.ledger.entry(desk.ledger.whole_entries).record == name
            desk.commit([undo.undo(desk.books, desk.ledger)])


def test_an_operation_says_why_and_has_no_number_before_it_is_recorded(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, decided("bridge", "percy", percy="1/7", stafford="1/2"))
    books, entries = store.load(folder), store.load_ledger(folder)
    made = [
        umpire_changes.next_turn(books, "winter"),
        operations.adjust(books, "turn", "9", "winter"),
        undo.undo(books, entries, "", "winter"),
        *undo.override(books, entries, "bridge", result(percy="0", stafford="0"), "winter"),
    ]
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.undo(desk.books, desk.ledger)])
        made.append(undo.redo(desk.books, desk.ledger, "winter"))
    assert [(one.entry.kind, one.entry.revision, one.entry.reason) for one in made] == [
        (kind, 0, "winter") for kind in ("turn", "adjust", "undo", "undo", "override", "redo")
    ]


@pytest.mark.parametrize(("count", "more"), [(3, ""), (4, "; and more")])
def test_of_what_was_changed_by_hand_three_values_are_told(count: int, more: str, tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, decided("bridge", "percy", percy="1/7", stafford="1/2"))
    text = (tmp_path / store.NAME).read_text()
    edits = {
        "points = 14": "points = 15",
        "strength = 13": "strength = 10",
        "strength = 6": "strength = 9",
        'note = "a hollow way"': 'note = "a sunken way"',
    }
    for old, new in list(edits.items())[:count]:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / store.NAME).write_text(text)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
        assert desk.take_notes() == [
            "changed by hand, noted as revision 2: factions.york.points: 14 -> 15; "
            f"forces.percy.strength: 13 -> 10; forces.stafford.strength: 6 -> 9{more}"
        ]


def test_an_entry_that_breaks_the_law_is_not_recorded(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
        wrong = ledger.group_entries([Entry(2, "turn", [Change(("turn",), 4, 6)])], desk.ledger.last_check)
        with pytest.raises(NeedsUmpire) as refused:
            store.append_entries(desk.ledger, wrong)
    assert str(refused.value) == (
        "revision 2 changes turn from 4, but the earlier entries left 5; nothing was recorded"
    )


@pytest.mark.parametrize(
    ("raised", "why"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (InvalidInput("its group is now another"), "its group is now another"),
    ],
)
def test_what_is_recorded_is_said_to_be_so_where_the_file_cannot_follow(
    raised: Exception, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise raised

    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        monkeypatch.setattr(disk, "replace_unchanged", fail)
        with pytest.raises(SystemFailure) as caught:
            desk.commit([umpire_changes.next_turn(desk.books)])
    assert str(caught.value) == (
        f"turn is recorded; campaign.toml could not be updated ({why}); the next command finishes it"
    )


def test_only_one_value_is_adjusted_at_a_time() -> None:
    for key, value in {"scoring": "1", "turn": "[1]", "factions.york.points": "1.5"}.items():
        with pytest.raises(UsageError) as caught:
            operations.adjust(marches.books(), key, value)
        assert str(caught.value) == f'"{key}": adjust sets one number, text, true or false at a time'


def undone_heads(*undoes: list[int]) -> list[Head]:
    """Return the heads of a battle, and of entries that take back what is said of each."""
    kinds = ["undo" if revisions else "battle" for revisions in undoes]
    return [
        Head(0, kind, "", (1, 1), revisions, "", "", False, "")
        for kind, revisions in zip(kinds, undoes, strict=True)
    ]


def test_an_undo_taken_back_brings_back_what_it_took_and_so_on() -> None:
    """The third takes back the second, which took back the first; the fourth stands apart."""
    undone_entries = ledger.UndoneEntries(undone_heads([], [1], [2], []), {1}, [])
    undone_entries.take_back([2])
    assert undone_entries.gone == {2}
    undone_entries.take_back([3])
    assert undone_entries.gone == {1, 3}
    undone_entries.bring_back([3])
    assert undone_entries.gone == {2}
    undone_entries.bring_back([2])
    assert undone_entries.gone == {1}
    undone_entries.take_back([4])
    undone_entries.bring_back([1])
    assert undone_entries.gone == {4}


@pytest.mark.parametrize("has_result", [True, False])
def test_the_head_of_an_entry_says_whether_it_has_a_result(has_result: bool) -> None:
    entry = Entry(1, "battle", [], result=result("percy", percy="0") if has_result else None)
    raw = ledger.entry_text(ledger.with_hash(entry, "")).encode()
    assert [head.has_result for head in ledger.scan_ledger(raw).heads] == [has_result]


@pytest.mark.parametrize("head", ["", "\n", "# one\n\n"])
def test_damage_is_told_with_its_line(head: str) -> None:
    damage = ledger.scan_ledger(f"{head}[[entry]]\nrevision = 1\n".encode()).damage
    assert damage == ledger.Damage(len(head), head.count("\n") + 1, "this entry has no end")


def test_what_would_make_the_file_unsound_is_refused_by_its_name(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    wrong = Operation(Entry(0, "adjust", [Change(("forces", "percy", "faction"), "york", "rose")]))
    with store.open_for_writing(folder) as desk, pytest.raises(InvalidInput) as caught:
        desk.commit([wrong])
    assert str(caught.value).startswith('campaign.toml:32: forces.percy.faction: faction "rose" is not in')


def test_a_ledger_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = marches.folder_with(tmp_path)
    monkeypatch.setattr(disk, "append", full)
    with store.open_for_writing(folder) as desk, pytest.raises(SystemFailure) as caught:
        desk.commit([umpire_changes.next_turn(desk.books)])
    assert str(caught.value) == f"history.toml {FULL}; nothing was recorded"


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        ({"percy": {"losses": "0"}}, ["score is missing"]),
        ({"percy": {"score": 3}}, ["losses is missing"]),
        (
            {"percy": {"score": -1, "losses": "2/4"}},
            [
                "expected a whole number from 0, got -1",
                'expected a fraction from 0 to 1 in lowest terms, such as "2/5", got "2/4"',
            ],
        ),
        (
            {"percy": {"score": 3, "losses": "0", "los": 1}},
            ['unknown key "los"; did you mean "losses"?'],
        ),
        ({"percy": 3}, ["expected a table, got 3", "score is missing", "losses is missing"]),
    ],
)
def test_what_is_wrong_with_a_side_of_an_entry_is_told(sides: object, words: list[str]) -> None:
    errors: list[Diagnostic] = []
    table = ledger.with_hash(Entry(1, "battle", []), "").table() | {
        "check": "",
        "winners": [],
        "sides": sides,
    }
    ledger.read_entry(table, errors)
    assert [error.text for error in errors] == words


def test_a_change_without_lines_of_its_own_has_none() -> None:
    changes = [Change(("pending", "mill"), {"id": "mill"}, None, place=2), Change(("turn",), 4, 5, line=3)]
    entry = ledger.with_hash(Entry(1, "battle", changes), "")
    assert ledger.read_entry(entry.table() | {"check": entry.check}, []).changes == changes


@pytest.mark.parametrize("undoes", [[0], [2], [1, 1], [7]])
def test_an_entry_takes_back_only_what_is_before_it(undoes: list[int]) -> None:
    first = ledger.with_hash(Entry(1, "turn", []), "")
    second = ledger.with_hash(Entry(2, "undo", [], undoes=undoes), first.check)
    found = ledger.scan_ledger("".join(map(ledger.entry_text, (first, second))).encode())
    assert len(found.heads) == 1
    assert found.damage is not None
    assert found.damage.why == "it undoes a revision that is not before it"


def test_an_entry_ends_with_its_own_hash_not_with_one_it_tells_of() -> None:
    entry = ledger.with_hash(Entry(1, "turn", [], reason="\ncheck = 1\ncheck = 2\n"), "")
    text = ledger.entry_text(entry).replace(r'"\ncheck = 1\ncheck = 2\n"', '"""\n\ncheck = 1\ncheck = 2\n"""')
    assert '"""' in text
    found = ledger.scan_ledger(text.encode())
    assert [one.reason for one in found.entries] == [entry.reason]


def test_an_entry_is_parsed_once(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    assert store.load_ledger(folder).entry(1) is store.load_ledger(folder).entry(1)


def test_a_ledger_is_verified_again_if_its_bytes_have_changed(tmp_path: Path) -> None:
    """A process verifies the same bytes once; it still finds an entry that was changed since."""
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    assert store.load_ledger(folder) == store.load_ledger(folder, whole=True)
    path = tmp_path / "history.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("turn", "tern", 1), encoding="utf-8")
    damage = store.load_ledger(folder).damage
    assert damage is not None and "was changed after it was written" in damage.why


@pytest.mark.parametrize(("key", "value"), [("pending.0", "1"), ("revision", "9"), ("turn..x", "1")])
def test_what_is_not_adjusted_is_named(key: str, value: str) -> None:
    with pytest.raises(UsageError) as caught:
        operations.adjust(marches.books(), key, value)
    assert str(caught.value) == f'"{key}" cannot be adjusted; name a value as forces.percy.strength'


def test_what_has_no_number_is_named_when_it_is_added_to() -> None:
    with pytest.raises(UsageError, match=r'^"name" is "The Marches"; only a number'):
        operations.adjust(marches.books(), "name", "+3")


@pytest.mark.parametrize(
    ("count", "words"),
    [(1, "turn b0"), (3, "turn b0, turn b1 and turn b2"), (4, "turn b0 and 3 more")],
)
def test_what_was_recorded_is_told_by_its_first(count: int, words: str) -> None:
    entries = [Entry(0, "turn", [], id=f"b{number}") for number in range(count)]
    assert store.entries_text(entries) == words


def test_a_battle_written_anew_stays_as_it_is_when_its_fight_is_taken_back_with_force(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, decided("bridge", "percy", percy="1/7", stafford="1/2"))
    file = tmp_path / store.NAME
    file.write_text(file.read_text() + '\n[[pending]]\nid = "bridge"\nsides = ["percy", "stafford"]\n')
    with store.open_for_writing(folder) as desk:
        taken = undo.undo(desk.books, desk.ledger, "bridge", "a slip", force=True)
        desk.commit([taken])
    assert [battle.id for battle in store.load(folder).campaign.pending] == ["wood", "bridge"]
    assert not any(change.key[0] == "pending" for change in taken.entry.changes)
    with store.open_for_writing(folder) as desk:
        assert undo.redo(desk.books, desk.ledger).entry.forced == []


@pytest.mark.parametrize("name", ["records/x.txt", "x.toml", "records/../x.toml", "records/X.toml"])
def test_a_record_is_named_as_it_is_written(name: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a record such as records/mill\.toml, got ") as caught:
        ledger.record_in_folder(name)
    assert str(caught.value).endswith(f'"{name}"')


WORD = "battle bridge cannot be verified: it has no record"
BY_ID = "battle bridge is matched by its id only: its forces are unknown"


def test_what_is_typed_in_is_told_to_be_on_somebodys_word() -> None:
    campaign = marches.books().campaign
    typed = decided("bridge", "percy", percy="0", stafford="1/2")._replace(kind="import")
    assert operations.notes_on(campaign, typed) == [WORD, BY_ID]
    assert operations.notes_on(campaign, typed._replace(kind="override")) == [BY_ID]
    assert operations.notes_on(campaign, typed._replace(record="x = 1\n")) == [BY_ID]
    assert operations.notes_on(campaign, typed._replace(seed=1, bound={"battle": "bridge"})) == []
    fought = marches.fought(marches.books(), "bridge")
    assert operations.notes_on(campaign, fought._replace(id="mill", notes=["late"])) == ["late"]


def test_a_side_of_another_name_is_told() -> None:
    books = marches.books()
    fought = marches.fought(books, "bridge")
    later = marches.books(marches.MARCHES.replace('name = "Harry Percy"', 'name = "Hotspur"')).campaign
    assert [note for note in operations.notes_on(later, fought) if "Hotspur" in note]
    assert not operations.notes_on(books.campaign, fought)


def test_what_does_not_fit_is_shown_beside_what_was_expected() -> None:
    asked = []

    def doubt(campaign: Campaign, pending: Pending, battle: BattleResult) -> list[Difference]:
        asked.append((pending.id, battle.id))
        return [Difference("the moon was another", ["moon", "full", "new"])]

    with pytest.raises(NeedsUmpire) as caught:
        operations.plan_import(
            marches.books(), ledger.EMPTY_LEDGER, [decided("bridge", percy="0", stafford="0")], doubt=doubt
        )
    assert asked == [("bridge", "bridge")]
    [conflict] = caught.value.conflicts
    assert conflict.text == (
        "battle bridge does not fit: the moon was another; to apply it anyway, use --force --reason TEXT"
    )
    assert conflict.beside[1:] == [["moon", "full", "new"]]


def test_the_digest_of_a_bare_result_is_of_its_id_and_what_it_says() -> None:
    assert battle_result.result_digest("bridge", result("percy", percy="0")) == (
        "sha256:587bf396f28c3ae9801924ada746ff9692074ee076e7f25f025ec90d3a3269a9"
    )


def test_an_entry_is_hashed_whatever_stands_in_it() -> None:
    assert len(ledger.entry_hash({"reason": "\ud800"})) == 64


@pytest.mark.parametrize("kind", ["turn", "edit"])
def test_a_torn_end_behind_what_is_not_applied_is_dropped_only_if_that_notes_edits(
    kind: str, tmp_path: Path
) -> None:
    folder = marches.folder_with(tmp_path)
    entry = ledger.with_hash(Entry(1, kind, [Change(("turn",), 4, 5)]), "")
    torn = ledger.entry_text(entry) + "\n[[entry]]\nrev"
    (tmp_path / ledger.LEDGER_NAME).write_text(torn.lstrip("\n"))
    if kind == "turn":
        with pytest.raises(
            NeedsUmpire, match=r"^history\.toml is damaged at line \d+: this entry has no end"
        ):
            check.repair(folder)
    else:
        assert "were moved to history.toml.torn-1" in check.repair(folder)[0]
        assert store.load(folder).campaign.revision == 1


def test_what_stands_decided_it_not_what_was_taken_back_since(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    for owner in ("lancaster", "york", "lancaster"):
        with store.open_for_writing(folder) as desk:
            desk.commit([operations.adjust(desk.books, "locations.shrewsbury.owner", owner)])
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.undo(desk.books, desk.ledger)])
        with pytest.raises(NeedsUmpire, match=r'"york", by adjust \(revision 2\)'):
            undo.undo(desk.books, desk.ledger, "1")


def test_the_books_know_their_folder_and_file(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        assert (desk.books.folder, desk.books.source.name) == (folder, store.NAME)
        desk.commit([umpire_changes.next_turn(desk.books)])
        assert (desk.books.folder, desk.books.source.name) == (folder, store.NAME)


def test_edits_are_noted_only_where_the_file_has_all_that_the_ledger_says(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    (tmp_path / store.NAME).write_text(marches.MARCHES)
    entries = store.load_ledger(folder)
    assert store.with_edits(store.load(folder), entries) is entries


def test_a_group_that_is_not_whole_is_not_taken() -> None:
    half = ledger.with_hash(Entry(1, "turn", [], part=(1, 2)), "")
    with pytest.raises(NeedsUmpire, match=r"^the ledger rejects entry 1; nothing was recorded$"):
        store.append_entries(ledger.EMPTY_LEDGER, [half])


def test_an_undo_and_a_redo_have_the_name_of_their_battle_and_no_reason_of_their_own(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(folder, decided("bridge", "percy", percy="1/7", stafford="1/2"))
    with store.open_for_writing(folder) as desk:
        desk.commit([undo.undo(desk.books, desk.ledger)])
        desk.commit([undo.redo(desk.books, desk.ledger)])
        undone, redone = desk.ledger.span(2, 3)
    assert (undone.id, undone.reason, undone.undoes) == ("bridge", "", [1])
    assert (redone.id, redone.reason, redone.undoes) == ("bridge", "", [1])


def test_what_is_overtaken_while_the_file_is_brought_up_is_kept_under_its_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    (tmp_path / store.NAME).write_text(marches.MARCHES)
    (tmp_path / "theirs").write_text("theirs")
    monkeypatch.setattr(disk, "replace_unchanged", lambda *how: str(tmp_path / "theirs"))
    with pytest.raises(NeedsUmpire, match=r"^nothing was recorded; another program saved campaign\.toml at"):
        check.repair(folder)
    assert (tmp_path / "campaign.toml.overtaken-1").read_text() == "theirs"


def test_what_is_taken_back_of_two_battles_has_the_name_of_neither(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    marches.record(
        folder,
        decided("bridge", "percy", percy="0", stafford="0"),
        decided("wood", "percy", percy="0", stafford="0"),
    )
    taken = undo.undo(store.load(folder), store.load_ledger(folder)).entry
    assert (taken.id, taken.undoes) == ("", [1, 2])


def test_an_adjustment_needs_no_reason() -> None:
    assert operations.adjust(marches.books(), "turn", "9").entry.reason == ""

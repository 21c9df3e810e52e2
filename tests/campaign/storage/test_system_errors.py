"""What seldom happens to a campaign: systems that refuse, files that are gone, words out of place."""

from __future__ import annotations

import errno
import os
import threading
import tomllib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import filelock
import pytest

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.campaign import check
from cardbattle.campaign.exchange import cross_check
from cardbattle.campaign.ledger import history, ledger, operations, umpire_changes, undo
from cardbattle.campaign.ledger.battle_match import unlike
from cardbattle.campaign.ledger.ledger import Entry, UndoneEntries
from cardbattle.campaign.ledger.ledger_heads import Head
from cardbattle.campaign.state import fields, paths
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.state.changes import Change, apply_changes
from cardbattle.campaign.state.editing.layout import parse_text
from cardbattle.campaign.state.errors import InUse, NeedsUmpire
from cardbattle.campaign.state.file_editing import one_by_one, with_lines, with_values
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.storage import demo, new, store
from cardbattle.campaign.turn import advice, fighting, forecast, luck
from cardbattle.core.errors import CardbattleError, InvalidInput
from cardbattle.files import disk
from cardbattle.files.errors import SystemFailure
from cardbattle.simulation.journal import FinishedBattle
from tests.support import marches

NOBODY_PENDING = marches.MARCHES.partition("# The bridge.")[0]


def fails(error: OSError) -> Callable[..., None]:
    """Return a call of the system that fails so."""

    def call(*arguments: object, **how: object) -> None:
        raise error

    return call


def test_a_campaign_that_cannot_be_locked_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = marches.folder_with(tmp_path)
    monkeypatch.setattr(filelock.FileLock, "acquire", fails(OSError(errno.ENOLCK, "No locks available")))
    with pytest.raises(SystemFailure) as caught, store.open_for_writing(folder):
        pass
    assert str(caught.value).startswith("the campaign cannot be locked for writing: ")


def test_a_thread_records_without_holding_signals_back(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)

    def turn() -> None:
        with store.open_for_writing(folder) as desk:
            desk.commit([umpire_changes.next_turn(desk.books)])

    thread = threading.Thread(target=turn)
    thread.start()
    thread.join()
    assert store.load(folder).campaign.turn == 5


def test_an_entry_that_could_neither_be_synced_nor_taken_back_is_left_to_the_next_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        monkeypatch.setattr(disk, "append", fails(disk.AppendNotUndone(errno.ENOSPC, "full")))
        with pytest.raises(SystemFailure) as caught:
            desk.commit([umpire_changes.next_turn(desk.books)])
    assert str(caught.value) == (
        "history.toml cannot be written (the disk is full), and cannot be restored; the next command "
        "finds out whether it was recorded"
    )


def test_a_ledger_without_its_last_line_end_goes_on_in_a_line_of_its_own(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    for _ in range(2):
        with store.open_for_writing(folder) as desk:
            desk.commit([umpire_changes.next_turn(desk.books)])
        raw = (tmp_path / ledger.LEDGER_NAME).read_bytes()
        (tmp_path / ledger.LEDGER_NAME).write_bytes(raw.rstrip(b"\n"))
    assert store.load_ledger(folder, whole=True).whole_entries == 2


def test_a_value_that_is_not_equal_to_itself_is_not_written_to_the_ledger() -> None:
    entry = ledger.with_hash(Entry(7, "adjust", [Change(("x_luck",), None, float("nan"))]), "")
    with pytest.raises(NeedsUmpire, match=r"^entry 7 cannot be written to the ledger$"):
        ledger.entry_text(entry)


def test_a_redo_answers_the_last_undo_of_the_same_entries_if_there_is_one() -> None:
    heads = [Head(0, "undo", "", (1, 1), undone, "", "", False, "") for undone in ([7], [8], [7], [9])]
    undone_entries = UndoneEntries(heads, set(), [1, 2, 3, 4])
    undone_entries.close([7])
    assert undone_entries.undos == [1, 2, 4]
    undone_entries.close([6])
    assert undone_entries.undos == [1, 2, 4]


def test_a_value_that_nobody_is_known_to_have_changed_is_set_right_with_adjust(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([operations.adjust(desk.books, "locations.shrewsbury.owner", "lancaster")])
    text = (tmp_path / store.NAME).read_text().replace('owner = "lancaster"', "")
    (tmp_path / store.NAME).write_text(text)
    with pytest.raises(NeedsUmpire, match="owner is now nothing; correct it with adjust; undo it anyway"):
        undo.undo(store.load(folder), store.load_ledger(folder))


def test_a_turn_that_was_never_begun_is_looked_for_in_the_whole_ledger(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with store.open_for_writing(folder) as desk:
        desk.commit([umpire_changes.next_turn(desk.books)])
    assert history.first_of_turn(store.load_ledger(folder), 9) == 1


def test_a_path_leads_into_the_books_by_whatever_name(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path / "war")
    (tmp_path / "war" / "records").mkdir()
    os.link(tmp_path / "war" / store.NAME, tmp_path / "war" / "other.toml")
    assert paths.campaign_of(os.path.join(folder, "records", "x.toml")) == folder
    assert paths.campaign_of(os.path.join(folder, "records")) == folder
    assert paths.campaign_of(os.path.join(folder, "other.toml")) == folder
    assert paths.campaign_of(os.path.join(folder, "notes.toml")) == ""
    assert paths.campaign_of("a\0b") == ""


def test_a_record_outside_of_the_records_is_none(tmp_path: Path) -> None:
    folder = marches.folder_with(tmp_path)
    with pytest.raises(NeedsUmpire, match=r"^the ledger names records/\.\./x\.toml, which is outside of"):
        paths.record_path(folder, "records/../x.toml")
    for name in ("records/../x.toml", "records/bridge.toml"):
        assert luck.run_luck_job(luck.LuckJob(folder, name, "bridge", "", 0, 10)) == (None, 0.0)


@pytest.mark.parametrize("make", [demo.copy_to, new.create_campaign])
def test_a_folder_that_cannot_be_made_is_refused(
    make: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "makedirs", fails(OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(CardbattleError, match="the disk is full"):
        make(str(tmp_path / "war"))


def test_without_battles_there_is_nothing_to_fight_and_nothing_to_forecast() -> None:
    campaign = marches.books(NOBODY_PENDING).campaign
    with pytest.raises(InvalidInput, match=r"^no battle is pending; write the next one under"):
        fighting.select_battles(campaign, [], everything=True)
    with ThreadPoolExecutor(1) as pool, pytest.raises(InvalidInput, match="so there is nothing to forecast"):
        forecast.forecast_futures(campaign, 1, pool)


def test_a_battle_of_the_destroyed_is_passed_over_in_a_future() -> None:
    text = marches.MARCHES.replace("strength = 3\n", "strength = 3\ndestroyed = true\n")
    assert list(forecast.future_of(marches.books(text).campaign, 0).winners) == ["bridge"]


def test_the_first_refusal_of_a_wave_stays_the_first() -> None:
    runner = fighting.WaveRunner(
        marches.books().campaign, [], (ThreadPoolExecutor(1), 1), fighting.FightOptions()
    )
    runner.end = 5
    for place in (3, 4, 3):
        runner.refuse(place, InvalidInput(str(place)))
    assert (runner.end, str(runner.refusal)) == (3, "3")


def test_what_nobody_expected_is_no_refusal() -> None:
    error = fighting.error_of(FinishedBattle({}, "", [("odd", ())], is_unexpected=True))
    assert not isinstance(error, InvalidInput)
    assert str(error) == "odd"


def test_a_battle_that_is_pending_no_more_is_not_recorded() -> None:
    books = marches.books()
    fought = marches.fought(books, "bridge")
    assert fought.log is not None
    bout = fighting.FoughtBattle({}, fought, fought.log)
    with pytest.raises(
        NeedsUmpire, match=r"while battle bridge was fought: it is no longer pending; nothing"
    ):
        fighting.operation_of(marches.books(NOBODY_PENDING), ledger.EMPTY_LEDGER, bout)


@pytest.mark.parametrize("value", [1, None, ["wargame"]])
def test_a_rule_set_is_named_in_quotes(value: object) -> None:
    with pytest.raises(ValueError, match="expected a rule set in quotes, got"):
        fields.rule_set_key(value)


def test_what_cannot_be_fought_is_told_as_unlike_and_derived_from_nothing() -> None:
    """A force was destroyed since the battle was exported."""
    books = marches.books()
    fought = marches.fought(books, "bridge")._replace(bound={})
    campaign = books.campaign.after([Change(("forces", "percy", "destroyed"), None, True)])
    pending = campaign.battle("bridge")
    assert pending is not None
    assert [one.words for one in unlike(campaign, pending, fought)]
    assert cross_check.battle_table_or_empty(campaign, pending) == {}
    assert cross_check.of_result(campaign, pending, fought) == []
    bare = fought._replace(log=None, seed=None)
    assert unlike(campaign, pending, bare) == []


def test_the_odds_of_a_battle_that_cannot_be_fought_say_why() -> None:
    campaign = marches.books().campaign.after([Change(("forces", "percy", "destroyed"), None, True)])
    told = advice.odds_of(campaign, campaign.pending[0], advice.Budget(10, 1.0, is_asked=False), {})
    assert told[:2] == (0, [])
    assert told.why == "Harry Percy is destroyed; to drop the battle: cardbattle campaign cancel bridge"


def test_no_more_battles_are_counted_than_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = marches.books().campaign
    plan = read_battle(battle_table(campaign, campaign.pending[0]), "")
    monkeypatch.setattr(advice, "BATTLES", 3)
    assert advice.count_in_time(plan, 600.0, is_asked=False).battles == 3


def test_a_battle_that_cannot_be_set_up_has_no_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise InvalidInput("there is no such deck")

    campaign = marches.books().campaign
    monkeypatch.setattr(advice, "read_battle", refuse)
    told = advice.odds_of(campaign, campaign.pending[0], advice.Budget(10, 1.0, is_asked=False), {})
    assert told == advice.Advice(0, [], "there is no such deck")


def test_a_campaign_is_in_use_while_another_holds_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = marches.folder_with(tmp_path)
    monkeypatch.setattr(store, "WAIT", 0)
    with filelock.FileLock(tmp_path / store.LOCK), pytest.raises(InUse), store.open_for_writing(folder):
        pass


@pytest.mark.parametrize("text", ["x = 1\n", "[[pending]\n", "pending = []\n"])
def test_lines_in_the_ledger_that_are_no_battle_are_not_put_back(text: str) -> None:
    change = Change(("pending", "mill"), None, {"id": "mill"}, text=text)
    with pytest.raises(NeedsUmpire, match=r"^the ledger's text of pending\.mill is not a battle$"):
        apply_changes({}, [change])


def test_a_value_is_set_in_a_table_or_not_at_all() -> None:
    with pytest.raises(NeedsUmpire, match=r"^expected a table, got 3$"):
        apply_changes({"turn": 3}, [Change(("turn", "x"), None, 1)])


def test_a_mistake_of_a_side_is_one_of_its_options() -> None:
    at: check.At = ("pending", 2)
    assert check.campaign_path(("sides", "percy", "hand"), at) == (*at, "options", "percy", "hand")
    assert check.campaign_path(("sides",), at) == (*at, "sides")


def test_nobody_is_asked_again_of_a_battle_at_a_table() -> None:
    fought = marches.fought(marches.books(), "bridge")
    assert fought.log is not None
    assert cross_check.recheckable_seats(fought.log, {}) == [0, 1]
    assert cross_check.recheckable_seats(fought.log._replace(fought="table"), {}) == []


def test_a_battle_by_other_rules_is_not_compared_further() -> None:
    fought = marches.fought(marches.books(), "bridge")
    books = marches.books(marches.MARCHES.replace('stakes = "shrewsbury"', 'rules = "wargame"'))
    pending = books.campaign.battle("bridge")
    assert pending is not None
    told = [one.words for one in unlike(books.campaign, pending, fought._replace(bound={}))]
    assert told[0] == "it was fought with Strategy WAR, but the campaign requires Wargame"


def test_keys_are_known_where_they_are_not_free() -> None:
    assert "strength" in fields.keys_of_table(Campaign, ("forces", "percy"))
    assert fields.keys_of_table(Campaign, ("forces",)) == []
    assert fields.keys_of_table(Campaign, ("turn", "x")) == []
    assert fields.plain(Annotated[int | None, "turns"]) is int


def test_who_is_not_in_a_campaign_is_called_by_the_key() -> None:
    assert marches.books().campaign.display_name("nobody-else") == "Nobody Else"


def test_a_list_of_battles_that_empties_and_fills_again_is_one_list_no_more() -> None:
    text = '# mine\npending = [{ id = "a" }, { id = "b" }]\nturn = 4\n'
    a, b = ({"id": name} for name in "ab")
    changes = [
        Change(("pending", "a"), a, None),
        Change(("turn",), 4, 5),
        Change(("pending", "b"), b, None),
        Change(("pending", "b"), None, b),
        Change(("pending", "a"), None, a),
    ]
    assert with_lines(text, changes) == one_by_one(text, changes)
    assert tomllib.loads(with_lines(text, changes)[1]) == {"turn": 4, "pending": [a, b]}


def test_a_comment_on_the_first_line_belongs_to_the_battle_below_it() -> None:
    text = '# mist\n[[pending]]\nid = "a"\n[forces]\n'
    [change], left = with_lines(text, [Change(("pending", "a"), {"id": "a"}, None)])
    assert (change.text, left) == ('# mist\n[[pending]]\nid = "a"\n', "[forces]\n")


def test_a_value_is_set_in_a_table_that_is_not_there_yet() -> None:
    assert tomllib.loads(with_values("turn = 4\n", [Change(("x", "own", "wind"), None, 3)])) == {
        "turn": 4,
        "x": {"own": {"wind": 3}},
    }


def test_what_is_no_toml_has_no_data() -> None:
    assert parse_text("[[") is None


def test_only_numbers_and_cards_are_given_in_steps() -> None:
    text = marches.MARCHES.replace(
        "[factions.york]", '[advantage.warmonger]\nper = "1/4"\ngive = { robot = "x" }\n\n[factions.york]'
    )
    with pytest.raises(InvalidInput, match=r"robot cannot be given in steps; only numbers and cards can$"):
        marches.books(text)

"""Batches: many battles, in the order of the file, with failures and with several workers."""

from __future__ import annotations

import csv
import json
import re
import tomllib
import tracemalloc
from collections.abc import Callable, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardbattle.battles.records import results_file as results
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import record_digest
from cardbattle.battles.records.record_reader import read_record
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.chance import child_seed
from cardbattle.core.errors import InvalidInput
from cardbattle.files import disk, spool
from cardbattle.files.errors import with_place
from cardbattle.simulation import batch as batches
from cardbattle.simulation import journal
from cardbattle.simulation.batch import Batch, failures, fight_all, read_batch
from cardbattle.simulation.journal import FinishedBattle, Journal, last_seed
from cardbattle.simulation.workers import Serial

ROOT = Path(__file__).parents[2]
SMALL = 'sides.york.cards = ["2", "3", "4"]\nsides.lancaster.cards = ["2", "3", "4"]\n'
THREE = f"""\
[defaults]
seed = 7
rules = "strategy-war"
[[battle]]
id = "a"
{SMALL}
[[battle]]
id = "b"
sides.york.commander = "green"
sides.lancaster = {{}}
[[battle]]
{SMALL}
"""
Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Give what writes a file and returns its path."""

    def written(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


def fought(
    batch: Batch, records: bool = False, done: MutableMapping[int, FinishedBattle] | None = None
) -> MutableMapping[int, FinishedBattle]:
    """Return what became of every battle."""
    finished = {} if done is None else done
    fight_all(batch, Serial(), 1, records, finished, lambda number, one: None)
    return finished


def said(batch: Batch) -> list[str]:
    """Return what is said of the battles that fail."""
    return [str(error) for error in failures(batch, fought(batch))]


def test_every_battle_is_the_one_that_its_table_makes_alone(write: Write) -> None:
    """With the seed of the batch seed and its own id."""
    batch = read_batch(write("b.toml", THREE), None)
    assert batch.seed == 7
    done = fought(batch, records=True)
    for number, entry in enumerate(batch.entries):
        assert entry.table["seed"] == child_seed(7, f"batch/{entry.table['id']}")
        alone = fight_battle(read_battle(entry.table, batch.base))[0]
        assert done[number].result["digest"] == alone.table["digest"]
        record = tomllib.loads(done[number].record)
        assert read_record(record).id == entry.table["id"]
        assert record_digest(record) == record["digest"]


def test_another_line_changes_no_battle(write: Write) -> None:
    """The other battles stay the same if a battle is added, moved or removed."""
    batch = read_batch(write("b.toml", THREE), None)
    head, *parts = THREE.split("[[battle]]")
    moved = read_batch(
        write("m.toml", "[[battle]]".join([head, parts[2], '\nid = "new"\n' + SMALL, parts[0]])), None
    )
    before = {entry.table["id"]: entry.table["seed"] for entry in batch.entries}
    after = {entry.table["id"]: entry.table["seed"] for entry in moved.entries}
    assert {key: after[key] for key in after if key != "new"} == {
        key: before[key] for key in after if key != "new"
    }


def test_equal_battles_get_numbered_ids_and_other_seeds(write: Write) -> None:
    batch = read_batch(
        write(
            "b.toml", f"[defaults]\nseed = 1\nrules = 'strategy-war'\n{('[[battle]]' + chr(10) + SMALL) * 3}"
        ),
        None,
    )
    ids = [str(entry.table["id"]) for entry in batch.entries]
    assert ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]
    assert len({entry.table["seed"] for entry in batch.entries}) == 3


def test_an_id_given_twice_is_refused(write: Write) -> None:
    batch = read_batch(write("b.toml", THREE.replace('"b"', '"a"')), None)
    (error,) = batches.duplicates(batch)
    assert 'battle.2.id: the id "a" appears twice' in str(error)
    assert with_place(error).line == 10


def test_an_id_that_is_no_text_is_refused_and_not_stumbled_over(write: Write) -> None:
    batch = read_batch(write("b.toml", THREE.replace('"b"', '["a"]')), None)
    assert batches.duplicates(batch) == []
    assert any("expected a key" in text for text in said(batch))


def test_defaults_fill_what_a_battle_leaves_open(write: Write) -> None:
    text = """\
[defaults]
rules = "strategy-war"
house.rounds = 2
house.mode = "dark"
sides.york.commander = "green"
[[battle]]
house.rounds = 3
sides.york = {}
sides.lancaster = {}
[[battle]]
sides.a = {}
sides.b = {}
"""
    batch = read_batch(write("b.toml", text), 1)
    first, second = (entry.table for entry in batch.entries)
    assert first["house"] == {"rounds": 3, "mode": "dark"}
    assert first["sides"] == {"york": {"commander": "green"}, "lancaster": {}}
    assert second["sides"] == {"a": {}, "b": {}}  # york's default applies only to york


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "expected battles, each under [[battle]]"),
        ("battle = 3\n", "expected battles, each under [[battle]]"),
        ("[[battel]]\n", 'unknown key "battel"; did you mean "battle"?'),
        ("format = 2\n[[battle]]\n", "this program reads format 1"),
        ("defaults = 1\n[[battle]]\n", "expected a table, [defaults]"),
        ("[defaults]\ndeal = {}\n[[battle]]\n", "defaults are seed, rules, house and sides"),
        ("[defaults]\nseed = -1\n[[battle]]\n", "expected a seed"),
    ],
)
def test_a_file_that_is_no_batch_is_refused(write: Write, text: str, expected: str) -> None:
    with pytest.raises(InvalidInput, match=r"b\.toml") as caught:
        read_batch(write("b.toml", text), None)
    assert expected in str(caught.value)


def test_a_battle_that_is_refused_does_not_stop_the_others(write: Write) -> None:
    """Every mistake is placed at its line of the batch."""
    text = THREE.replace('commander = "green"', 'commander = "geren"')
    batch = read_batch(write("b.toml", text), None)
    done = fought(batch)
    assert [bool(done[number].result) for number in range(3)] == [True, False, True]
    (error,) = failures(batch, done)
    assert with_place(error).line == 11
    assert 'battle.2.sides.york.commander: unknown commander "geren"; did you mean "green"?' in str(error)


def test_a_failure_nobody_foresaw_does_not_stop_the_others(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(table: object, base: str) -> None:
        raise ZeroDivisionError("a plug-in's mistake")

    monkeypatch.setattr(batches, "read_battle", broken)
    texts = said(read_batch(write("b.toml", THREE), None))
    assert len(texts) == 3
    assert all(text.endswith("unexpected failure: ZeroDivisionError: a plug-in's mistake") for text in texts)


def test_workers_change_nothing(write: Write) -> None:
    batch = read_batch(write("b.toml", THREE), None)
    told: list[int] = []
    done: dict[int, FinishedBattle] = {}
    with ThreadPoolExecutor(3) as pool:
        fight_all(batch, pool, 3, True, done, lambda number, one: told.append(number))
    assert told == [0, 1, 2]
    assert done == fought(batch, records=True)


# Spreadsheets


def test_a_sheet_is_a_batch(write: Write) -> None:
    text = (
        "id,rules,seed,house.rounds,sides.york.cards,sides.lancaster.cards,sides.york.commander\n"
        'x,strategy-war,9,2,2 3 4,"2,3,A",green\n'
    )
    batch = read_batch(write("b.csv", text), 1)
    assert batch.entries[0].table == {
        "id": "x",
        "rules": "strategy-war",
        "seed": 9,
        "house": {"rounds": 2},
        "sides": {
            "york": {"cards": ["2", "3", "4"], "commander": "green"},
            "lancaster": {"cards": ["2", "3", "A"]},
        },
    }
    assert said(batch) == []


def test_orders_and_deals_fit_into_cells(write: Write) -> None:
    text = (
        "id,rules,sides.york.commander,sides.york.orders,sides.lancaster,deal.york,sides.york.plural,"
        "sides.york.standing\n"
        "x,wargame,orders,traitor 7; deploy 1,green,,,\n"
        "y,field-of-honour,regular,,regular,KS 10H,,\n"
        "z,field-of-honour,regular,,regular,,TRUE,counter: pass; any: pass\n"
    )
    first, second, third = (entry.table for entry in read_batch(write("b.csv", text), 1).entries)
    assert first["sides"] == {
        "york": {"commander": "orders", "orders": ["traitor 7", "deploy 1"]},
        "lancaster": {"commander": "green"},
    }
    assert second["deal"] == {"york": ["KS", "10H"]}
    assert third["sides"] == {
        "york": {"commander": "regular", "plural": True, "standing": ["counter: pass", "any: pass"]},
        "lancaster": {"commander": "regular"},
    }


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        ("x,field-of-honour,12,,", " under sides.b.commander or sides.c.commander"),
        ("x,field-of-honour,,,", " under sides.a.commander, sides.b.commander or sides.c.commander"),
        ("x,strategy-war,,green,", " under sides.a.commander or sides.c.commander"),
        ("x,field-of-honour,12,green,10", ""),
        ("x,field-of-honour,12,green,", ""),
    ],
)
def test_a_side_without_a_filled_cell_is_named(write: Write, row: str, hint: str) -> None:
    """Two other battles are correct, so the batch is fought."""
    head = "id,rules,sides.a.hand,sides.b.commander,sides.c.commander\n"
    batch = read_batch(
        write("b.csv", f"{head}y,field-of-honour,12,,green\nz,strategy-war,,green,green\n{row}\n"), 1
    )
    texts = " ".join(str(error) for error in failures(batch, fought(batch)))
    if hint:
        assert texts.endswith(f"; empty cells add no side: for an ordinary side, write regular{hint}")
    else:
        assert "empty cells" not in texts


def test_a_batch_without_a_correct_battle_writes_nothing(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from cardbattle.cli.app import run

    path = write("b.csv", "id,rules,sides.a.hand,sides.b.hand\nx,field-of-honour,12,\n")
    for more in ([], ["-o", str(tmp_path / "r.toml")]):
        assert run(["batch", path, *more]) == 3
        out, err = capsys.readouterr()
        assert (out, err.count("cardbattle: ")) == ("", 1) and "seed" not in err
    assert [file.name for file in tmp_path.iterdir()] == ["b.csv"]


def test_cards_in_a_cell_can_have_the_form_of_a_battle_file(write: Write) -> None:
    text = 'id,rules,sides.a.cards,sides.b.cards\nx,strategy-war,"[""7"", ""10"", ""J""]","7 10,J"\n'
    (entry,) = read_batch(write("b.csv", text), 1).entries
    assert entry.table["sides"] == {key: {"cards": ["7", "10", "J"]} for key in "ab"}


def test_a_mistake_in_a_sheet_names_its_row(write: Write) -> None:
    text = (
        "id,rules,sides.york.hand,sides.lancaster.hand\na,field-of-honour,12,10\n\nb,field-of-honour,x,10\n"
    )
    batch = read_batch(write("b.csv", text), 1)
    (error,) = failures(batch, fought(batch))
    assert with_place(error).line == 4
    assert 'sides.york.hand: expected a whole number from 5 to 49, got "x"' in str(error)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("id,ruls,sides.york.hand", 'unknown column "ruls"; did you mean "rules"?'),
        ("id,sides.york.name,sides.york.hand", 'the column "rules" is missing'),
        ("id,rules,side.york.hand", 'column "side.york.hand": unknown part "side"; did you mean "sides"?'),
        (
            "id,rules,sides.york.handd",
            'column "sides.york.handd": unknown part "handd"; did you mean "hand"?',
        ),
        ("id,rules,house.foo", 'column "house.foo": unknown part "foo"; write one of dealer, pack'),
        ("id,rules,sides.New York.hand", 'column "sides.New York.hand": expected a key of a to z'),
    ],
)
def test_a_column_that_no_battle_reads_is_told_once_and_of_the_first_line(
    head: str, words: str, write: Write
) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_batch(write("b.csv", f"\n{head}\na,field-of-honour,12\nb,field-of-honour,11\n"), 1)
    (error,) = caught.value.errors
    assert with_place(error).line == 2
    assert words in str(error)


def test_what_some_rule_set_of_a_sheet_reads_is_a_mistake_of_the_row_that_does_not(write: Write) -> None:
    batch = read_batch(
        write(
            "b.csv",
            "id,rules,sides.york.hand,sides.lancaster\na,field-of-honour,12,green\nb,wargame,3,green\n",
        ),
        1,
    )
    assert [with_place(one).line for one in failures(batch, fought(batch))] == [3]


def test_the_example_sheet_and_batch_are_fought(tmp_path: Path) -> None:
    for name in ("skirmishes.csv", "raids.toml"):
        batch = read_batch(str(ROOT / "examples" / name), 1)
        assert said(batch) == []


# The journal


def journal_of(batch: Batch, path: Path, records: bool = False) -> Journal:
    """Return the journal of a batch."""
    return Journal(str(path), batch, records)


def test_a_journal_gives_back_what_was_finished(write: Write, tmp_path: Path) -> None:
    batch = read_batch(write("b.toml", THREE.replace('"green"', '"geren"')), None)
    done = fought(batch, records=True)
    journal = journal_of(batch, tmp_path / "r.part", True)
    journal.begin({})
    for number, one in done.items():
        journal.add(number, one)
    assert journal.read() == done
    journal.end()
    assert not (tmp_path / "r.part").exists()
    assert journal.read() == {}


def test_a_journal_cut_anywhere_gives_back_whole_battles(write: Write, tmp_path: Path) -> None:
    """And going on from there ends as if nothing had happened."""
    batch = read_batch(write("b.toml", THREE), None)
    whole = fought(batch)
    path = tmp_path / "r.part"
    journal = journal_of(batch, path)
    journal.begin({})
    for number, one in whole.items():
        journal.add(number, one)
    content = path.read_bytes()
    found = set()
    for size in range(0, len(content), 7):
        path.write_bytes(content[:size])
        done = journal.read()
        assert all(done[number] == whole[number] for number in done)
        assert list(done) == list(range(len(done)))
        found.add(len(done))
    assert found == {0, 1, 2}
    path.write_bytes(content[:-5])
    done = journal.read()
    journal.begin(done)
    assert path.read_bytes().count(b"\n") == 3  # its head and two battles, no torn tail
    assert fought(batch, done=done) == whole


@pytest.mark.parametrize("tail", [b"\0\0\0\n", b"[]\n", b"{}\n", b'{"battle": 1, "result": {}}\n', b"\xff\n"])
def test_a_damaged_tail_is_dropped(write: Write, tmp_path: Path, tail: bytes) -> None:
    batch = read_batch(write("b.toml", THREE), None)
    path = tmp_path / "r.part"
    journal = journal_of(batch, path)
    journal.begin({0: fought(batch)[0]})
    with path.open("ab") as file:
        file.write(tail)
    assert list(journal.read()) == [0]


@pytest.mark.parametrize(
    ("seed", "records", "message"),
    [
        (8, False, "these battles have seed 7, not 8; continue with --seed 7, or leave out --resume to"),
        (None, True, "these battles have no records; leave out --records, or leave out --resume to fight"),
    ],
)
def test_a_journal_is_refused_with_another_seed_or_with_records(
    write: Write, tmp_path: Path, seed: int | None, records: bool, message: str
) -> None:
    journal_of(read_batch(write("b.toml", THREE), None), tmp_path / "r.part").begin({})
    other = journal_of(read_batch(write("b.toml", THREE), seed), tmp_path / "r.part", records)
    with pytest.raises(InvalidInput, match=re.escape(message)):
        other.read()


def test_a_journal_of_another_version_is_refused(write: Write, tmp_path: Path) -> None:
    path = tmp_path / "r.part"
    journal = journal_of(read_batch(write("b.toml", THREE), None), path)
    path.write_text('{"program": "0.9", "batch": "0", "seed": 7, "battles": 3, "records": false}\n')
    with pytest.raises(InvalidInput, match="another version of cardbattle wrote these battles; finish them"):
        journal.read()


def test_a_changed_batch_keeps_the_finished_battles_that_did_not_change(write: Write, tmp_path: Path) -> None:
    """One battle is added in front, one is changed, and one is removed; the other one is not fought again."""
    head, first, second, third = THREE.split("[[battle]]")
    batch = read_batch(write("b.toml", THREE), None)
    whole, path = fought(batch), tmp_path / "r.part"
    journal_of(batch, path).begin(whole)
    added, changed = '\nid = "new"\n' + SMALL, second.replace('"green"', '"regular"')
    text = "[[battle]]".join([head, added, changed, first])
    assert third not in text.split("[[battle]]")
    other = read_batch(write("b.toml", text), None)
    journal = journal_of(other, path)
    kept = journal.read()
    assert dict(kept) == {2: whole[0]}
    journal.begin(kept)
    finished = fought(other, done=kept)
    assert finished == fought(other) and path.read_bytes().count(b"\n") == 1 + 3 + 2
    assert dict(journal_of(other, path).read()) == finished


def test_a_drawn_seed_is_taken_up_again(write: Write, tmp_path: Path) -> None:
    """Who gave no seed need not know which one was drawn."""
    path = write("b.toml", THREE.replace("seed = 7", ""))
    first = read_batch(path, None)
    journal_of(first, tmp_path / "r.part").begin({})
    again = read_batch(path, None, last_seed(str(tmp_path / "r.part")))
    assert again.seed == first.seed
    assert journal_of(again, tmp_path / "r.part").read() == {}
    assert last_seed(str(tmp_path / "none.part")) is None


# The command


class Broken(Serial):
    """An executor that is interrupted by the third job."""

    jobs = 0

    def submit(self, fn: Callable[..., object], /, *args: object, **kwargs: object) -> Future[object]:  # type: ignore[override]
        """Do the work, or be interrupted."""
        Broken.jobs += 1
        if Broken.jobs == 3:
            raise KeyboardInterrupt
        return super().submit(fn, *args, **kwargs)


def interrupt(monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    """Run a batch that is interrupted after two battles."""
    from cardbattle.cli.app import run
    from cardbattle.simulation import workers

    @contextmanager
    def broken(*hands: object):  # type: ignore[no-untyped-def]
        yield Broken(), 1

    monkeypatch.setattr(Broken, "jobs", 0)
    with monkeypatch.context() as patch:
        patch.setattr(workers, "workforce", broken)
        assert run(command) == 130


def test_resume_refuses_results_that_are_complete(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same command once more, or with another seed, changes nothing."""
    from cardbattle.cli.app import run

    path, results = write("b.toml", THREE.replace("seed = 7", "")), tmp_path / "r.toml"
    assert run(["batch", path, "-o", str(results), "--resume"]) == 0
    content = results.read_bytes()
    for seed in ([], ["--seed", "6"]):
        capsys.readouterr()
        assert run(["batch", path, "-o", str(results), "--resume", *seed]) == 2
        assert "these results are complete, nothing is left to resume" in capsys.readouterr().err
        assert results.read_bytes() == content
    assert run(["batch", path, "-o", str(results), "--seed", "6"]) == 0
    assert results.read_bytes() != content


def test_a_battle_can_be_added_to_an_interrupted_batch(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cardbattle.cli.app import run

    path, results = write("b.toml", THREE), str(tmp_path / "r.toml")
    interrupt(monkeypatch, ["batch", path, "-o", results])
    write("b.toml", f'{THREE}\n[[battle]]\nid = "d"\n{SMALL}')
    capsys.readouterr()
    assert run(["batch", path, "-o", results, "--resume"]) == 0
    assert "2 of 4 battles are already finished" in capsys.readouterr().err
    assert run(["batch", path, "-o", str(tmp_path / "whole.toml")]) == 0
    assert Path(results).read_text(encoding="utf-8") == (tmp_path / "whole.toml").read_text(encoding="utf-8")


def test_a_batch_without_resume_says_that_it_drops_finished_battles(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cardbattle.cli.app import run

    path, results = write("b.toml", THREE), str(tmp_path / "r.toml")
    interrupt(monkeypatch, ["batch", path, "-o", results])
    capsys.readouterr()
    assert run(["batch", path, "-o", results, "-q"]) == 0
    assert "r.toml.part had 2 finished battles, which --resume would have kept" in capsys.readouterr().err
    assert run(["batch", path, "-o", results]) == 0
    assert "fought again" not in capsys.readouterr().err


def test_an_interrupted_batch_goes_on_where_it_was(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two battles are in the journal; the third alone is fought; the results are as if never interrupted."""
    from cardbattle.cli.app import run

    path, results = write("b.toml", THREE), str(tmp_path / "r.toml")
    assert run(["batch", path, "-o", str(tmp_path / "whole.toml"), "--records"]) == 0
    interrupt(monkeypatch, ["batch", path, "-o", results, "--records"])
    assert "2 of 3 battles are finished" in capsys.readouterr().err
    assert not Path(results).exists()
    fresh: list[batches.BatchJob] = []
    begun = batches.run_batch_job

    def work(job: batches.BatchJob) -> FinishedBattle:
        fresh.append(job)
        return begun(job)

    monkeypatch.setattr(batches, "run_batch_job", work)
    assert run(["batch", path, "-o", results, "--records", "--resume", "--jobs", "1"]) == 0
    assert len(fresh) == 1
    assert not Path(f"{results}.part").exists()
    expected = (tmp_path / "whole.toml").read_text(encoding="utf-8").replace("whole-records", "r-records")
    assert Path(results).read_text(encoding="utf-8") == expected
    for record in (tmp_path / "whole-records").iterdir():
        assert (tmp_path / "r-records" / record.name).read_bytes() == record.read_bytes()


def test_failures_are_told_at_the_end_and_the_rest_is_written(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from cardbattle.cli.app import run

    path = write("b.toml", THREE.replace('"green"', '"geren"'))
    results = tmp_path / "r.csv"
    assert run(["batch", path, "-o", str(results)]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "seed 7"
    assert lines[1].endswith("r.csv: 2 results")
    assert "b.toml:11: battle.2.sides.york.commander" in lines[2]
    with results.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["a", rows[1]["id"]]
    assert set(rows[0]) >= {"rules", "seed", "winners", "reason", "digest", "sides.york.score"}


@pytest.mark.parametrize("form", ["toml", "json"])
def test_results_are_the_same_for_any_number_of_jobs(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    from cardbattle.cli.app import run

    path = write("b.toml", THREE)
    told = []
    for jobs in ("1", "2"):
        assert run(["batch", path, "--jobs", jobs, *(["--json"] if form == "json" else ["-o", "-"])]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    read = json.loads(told[0]) if form == "json" else tomllib.loads(told[0])
    assert [one["id"] for one in read["result"]][:2] == ["a", "b"]


# A batch of any length


RESULT: dict[str, object] = {
    "id": "x",
    "rules": "strategy-war",
    "winners": [],
    "digest": "0" * 70,
    "sides": {},
}
CANNED = FinishedBattle(RESULT, "", [])


def most_memory(folder: Path, battles: int, name: str, form: str) -> int:
    """Return the peak memory, in bytes, for a batch of `battles` battles whose fights cost nothing."""
    from cardbattle.cli.app import run

    rows = [f"raid-{number},strategy-war,green,green\n" for number in range(battles)]
    head = "id,rules,sides.york.commander,sides.lancaster.commander\n"
    tables = ["[[battle]]\nrules = 'strategy-war'\nsides.york = {}\nsides.lancaster = {}\n"] * battles
    file = folder / f"b.{name}"
    file.write_text(head + "".join(rows) if name == "csv" else "".join(tables), encoding="utf-8")
    tracemalloc.start()
    try:
        assert (
            run(["batch", str(file), "-o", str(folder / f"r.{form}"), "--jobs", "1", "--seed", "1", "-q"])
            == 0
        )
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "form"), [("csv", "toml"), ("csv", "csv"), ("toml", "json"), ("toml", "txt")]
)
def test_a_battle_more_takes_little_more_memory_than_its_lines_and_its_id(
    name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "run_batch_job", lambda job: CANNED)
    monkeypatch.setattr(spool, "IN_MEMORY", 1000)
    monkeypatch.setattr(journal, "IN_MEMORY", 1000)
    monkeypatch.setattr(disk, "AT_ONCE", 1000)
    most_memory(tmp_path, 100, name, form)  # imports
    few, many = (most_memory(tmp_path, battles, name, form) for battles in (100, 900))
    assert (many - few) / 800 < (1500 if form == "txt" else 500)


def test_a_spool_is_a_sequence() -> None:
    values = [{"a": 1}, "b" * 5000, (1, 2), None]
    found = spool.Spool(values)
    found.append("more")
    values.append("more")
    assert [*found] == values
    assert (found[1], found[-1], found[1:3], len(found)) == (values[1], "more", values[1:3], 5)
    with pytest.raises(IndexError):
        found[5]


def test_results_written_one_by_one_are_the_file_of_them_all(write: Write) -> None:
    import tomli_w

    batch = read_batch(write("b.toml", THREE), None)
    tables = [one.result for one in fought(batch).values()]
    for some in (tables, tables[:1], []):
        assert results.dumps(some) == tomli_w.dumps({"format": 1, "result": some})


@pytest.mark.parametrize(
    "text", ["id,rules,sides.a.commander\n", "id,rules,sides.a.hand\n\n", "format = 1\n"]
)
def test_a_batch_without_battles_is_refused(write: Write, text: str) -> None:
    name = "b.csv" if text.startswith("id") else "b.toml"
    with pytest.raises(InvalidInput, match=r"the sheet has no battles|expected battles"):
        read_batch(write(name, text), 1)


HEADINGS = "id,rules,sides.a.commander,sides.b.commander"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (
            "bridge,field-of-honour,regular\nford,wargame,green\n",
            1,
            "the first line must name the columns, such as id,rules,sides.york.commander",
        ),
        (
            f"{HEADINGS},\nx,field-of-honour,green,green,hm\n",
            2,
            "column 5 has no name; name it in the first line, or empty this cell",
        ),
        ("id\nx,wargame\n", 2, "expected 1 cell for the one column, got 2"),
        (
            f'{HEADINGS}\nx,field-of-honour,"green,green\ny,wargame,green,green\n',
            2,
            "a quote in this row is not closed; close it, or write two quotes for one",
        ),
        (f"sep=,\r\n{HEADINGS}\r\nx,wargame,gren,green\r\n", 3, "gren"),
    ],
)
def test_a_sheet_whose_form_is_wrong_is_refused_once(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "battles.csv"
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(InvalidInput) as caught:
        read_batch(str(path), 1)
    [error] = map(with_place, caught.value.errors)
    assert error.line == line and words in error.text


def test_the_first_line_of_excel_that_names_the_separator_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "battles.csv"
    rows = f"{HEADINGS}\nx,wargame,green,green\n".replace(",", ";")
    path.write_text(f"sep=;\n{rows}", encoding="utf-8")
    [entry] = read_batch(str(path), 1).entries
    assert entry.table["sides"] == {"a": {"commander": "green"}, "b": {"commander": "green"}}

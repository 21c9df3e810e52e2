"""Records, results files and spreadsheets come in; what does not fit is refused with its line."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from cardbattle.battles.records import results_file
from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.record import Record, dumps_record, record_digest
from cardbattle.battles.resolve import fight_battle
from cardbattle.campaign import check
from cardbattle.campaign.exchange import import_results
from cardbattle.campaign.exchange.export_battle import export_text
from cardbattle.campaign.ledger import operations
from cardbattle.campaign.state import battle_result
from cardbattle.campaign.state.apply import SideResult
from cardbattle.campaign.state.battle_result import BattleResult
from cardbattle.campaign.state.battle_setup import battle_table
from cardbattle.campaign.state.errors import NeedsUmpire
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput
from cardbattle.files import toml
from cardbattle.files.errors import with_place
from cardbattle.files.spreadsheet import as_csv
from tests.support import marches

BOOKS = marches.books()


def fought(battle: str) -> Record:
    pending = BOOKS.campaign.battle(battle)
    assert pending is not None
    return fight_battle(read_battle(tomllib.loads(export_text(BOOKS.campaign, pending))))[0]


BRIDGE, WOOD = fought("bridge"), fought("wood")


def as_sheet(tables: list[dict[str, object]]) -> str:
    """Return results as a spreadsheet."""
    return as_csv(results_file.columns_of(tables), map(results_file.dotted_keys, tables))


def read(tmp_path: Path, text: str, name: str = "results.toml") -> list[BattleResult]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return import_results.read_results(str(tmp_path / name)).battles


def refusals(tmp_path: Path, text: str, name: str = "results.toml") -> list[str]:
    """Return what is said of a file, without its folder."""
    with pytest.raises(InvalidInput) as caught:
        read(tmp_path, text, name)
    return [str(error).removeprefix(f"{tmp_path}/") for error in caught.value.errors]


def test_an_exported_battle_says_what_it_is_and_can_be_fought() -> None:
    pending = BOOKS.campaign.pending[1]
    text = export_text(BOOKS.campaign, pending)
    assert text.splitlines()[:4] == [
        "# The Marches, turn 4: Harry Percy and Mortimer and Stafford, by Strategy WAR",
        "# a hollow way",
        "# Harry Percy and Mortimer: strength 17 against 8, so cards + K K K",
        "",
    ]
    assert tomllib.loads(text) == battle_table(BOOKS.campaign, pending)
    bridge = export_text(BOOKS.campaign, BOOKS.campaign.pending[0])
    assert "# at stake: Shrewsbury\n" in bridge


def test_a_record_comes_in_as_it_is(tmp_path: Path) -> None:
    battle = read(tmp_path, dumps_record(BRIDGE))[0]
    assert (battle.id, battle.kind, battle.rules) == ("bridge", "import", "strategy-war")
    assert battle.digest == BRIDGE.table["digest"]
    assert battle.record == dumps_record(BRIDGE)
    assert battle.bound == BRIDGE.table["bound"]
    assert [side.losses for side in battle.result.sides.values()] == BRIDGE.losses


def test_a_record_that_was_changed_is_refused(tmp_path: Path) -> None:
    words = "results.toml: the record does not replay: "
    text = dumps_record(BRIDGE)
    for old, new in (
        ("score = ", "score = 1"),
        ("rounds = 13", "rounds = 12"),
        ("stafford commit ", "percy commit "),
    ):
        changed = text.replace(old, new, 1)
        assert refusals(tmp_path, changed)[0].startswith(words)
    forged = tomllib.loads(text)
    forged["sides"]["percy"]["losses"] = "0"
    forged["digest"] = record_digest(forged)
    import tomli_w

    assert "percy's losses: the record says 0, the moves give" in refusals(tmp_path, tomli_w.dumps(forged))[0]


def test_a_record_with_a_mistake_shows_its_line(tmp_path: Path) -> None:
    text = dumps_record(BRIDGE).replace('rules = "strategy-war"', 'rules = "strategy"')
    assert refusals(tmp_path, text)[0].startswith('results.toml:3: rules: unknown rule set "strategy"')


def under_later_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program know version 2 of Strategy WAR; what is on offer stays the same."""
    monkeypatch.setattr(type(BRIDGE.rules), "version", 2)


def test_a_move_that_is_none_is_refused_under_later_rules_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tomli_w

    under_later_rules(monkeypatch)
    for move, words in (
        ("percy place nonsense", 'move 3: "percy place nonsense" is not a move of Strategy WAR'),
        (
            "york commit K",
            'moves.3: expected a move of percy, stafford or fate, such as "percy CHOICE", got "york',
        ),
    ):
        forged = BRIDGE.table | {"moves": [*BRIDGE.moves[:2], move, *BRIDGE.moves[2:]]}
        forged["digest"] = record_digest(forged)
        assert words in refusals(tmp_path, tomli_w.dumps(forged))[0]


def test_a_battle_from_a_table_is_completed(tmp_path: Path) -> None:
    import tomli_w

    table = {key: value for key, value in BRIDGE.table.items() if key not in ("checks", "digest", "seed")}
    battle = read(tmp_path, tomli_w.dumps({**table, "fought": "table"}))[0]
    complete = tomllib.loads(battle.record)
    assert complete["checks"][0].startswith("0:")
    assert complete["digest"] == record_digest(complete) == battle.digest
    assert battle.result.winners == BRIDGE.winners
    folder = marches.folder_with(tmp_path / "campaign")
    marches.record(folder, battle)
    assert check.check(folder) == []


def test_a_batchs_results_come_in_with_and_without_their_records(tmp_path: Path) -> None:
    tables = [results_file.result(record) for record in (BRIDGE, WOOD)]
    bare = read(tmp_path, results_file.dumps(tables))
    assert [(battle.id, battle.digest, battle.record) for battle in bare] == [
        ("bridge", BRIDGE.table["digest"], ""), ("wood", WOOD.table["digest"], ""),
    ]  # fmt: skip
    assert bare[0].bound == BRIDGE.table["bound"]
    kept = results_file.dumps([results_file.with_record(table, "kept") for table in tables])
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "bridge.toml").write_text(dumps_record(BRIDGE))
    battles = read(tmp_path, kept)
    assert [bool(battle.record) for battle in battles] == [True, False]
    assert battles[1].notes == [
        "battle wood: record kept/wood.toml not found; the result is accepted without it"
    ]
    (tmp_path / "kept" / "wood.toml").write_text(dumps_record(BRIDGE))
    assert refusals(tmp_path, kept) == [
        f"results.toml:{kept[: kept.index('kept/wood')].count(chr(10)) + 1}: result.2.record: "
        "its record belongs to a different battle, or has a different result"
    ]
    (tmp_path / "kept" / "wood.toml").write_text("broken =")
    assert "its record is invalid: " in refusals(tmp_path, kept)[0]


def test_the_same_results_come_in_as_a_spreadsheet(tmp_path: Path) -> None:
    tables = [results_file.result(record) for record in (BRIDGE, WOOD)]
    assert read(tmp_path, as_sheet(tables), "r.csv") == read(tmp_path, results_file.dumps(tables))


def as_json(table: dict[str, object]) -> str:
    """Return a table as commands write it with --format json."""
    return json.dumps({"schema": 1, **table}, indent=2)


def test_the_same_results_come_in_as_json(tmp_path: Path) -> None:
    tables = [results_file.result(record) for record in (BRIDGE, WOOD)]
    batch = as_json({"format": 1, "seed": 3, "result": tables})
    assert read(tmp_path, batch, "r.json") == read(tmp_path, results_file.dumps(tables))
    record = as_json({**BRIDGE.table, "events": []})
    assert read(tmp_path, record, "record.json")[0].record == dumps_record(BRIDGE)
    forged = as_json({**BRIDGE.table, "seed": 1})
    assert "the record does not replay" in refusals(tmp_path, forged, "record.json")[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"result": [{"id": "bridge", "winners": [], "sides": {"percy": {"losses": "2/"}}}]}',
            "r.json: result.1.sides.percy.losses: ",
        ),
        ('{"result": [\n}', "r.json:2: invalid JSON: expecting value"),
        ('{"result": 1, "result": []}', 'r.json: invalid JSON: the key "result" appears twice'),
        ('{"result": NaN}', "r.json: invalid JSON: expected a number, got NaN"),
        ('{"battle": []}', "r.json: this is a batch of battles; fight them with: cardbattle batch "),
        ('{"a": ' + "[" * 200 + "]" * 200 + "}", "r.json: arrays or tables are nested too deeply"),
    ],
)
def test_a_mistake_in_json_is_named_with_its_keys(text: str, said: str, tmp_path: Path) -> None:
    assert refusals(tmp_path, text, "r.json")[0].startswith(said)


def test_a_command_that_reads_only_toml_says_that_a_file_is_json(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"schema": 1}\n')
    with pytest.raises(InvalidInput, match="this is JSON, not TOML; write the file again with the extension"):
        toml.read_toml(str(tmp_path / "r.json"))


def test_a_result_typed_by_hand_needs_little(tmp_path: Path) -> None:
    text = '[[result]]\nid = "bridge"\nwinners = ["percy"]\n'
    text += 'sides.percy.losses = "2/4"\nsides.stafford.losses = "all"\n'
    battle = read(tmp_path, text)[0]
    assert battle.result.sides == {
        "percy": SideResult(0, Fraction(1, 2)),
        "stafford": SideResult(0, Fraction(1)),
    }
    assert battle.digest.startswith("sha256:")
    sheet = "id;winners;sides.percy.losses;sides.stafford.losses\nbridge;percy;1/2;1/1\n"
    assert read(tmp_path, sheet, "r.csv") == [battle]
    draw = "id,winners,sides.percy.losses,sides.stafford.losses\nbridge,,0,0\n"
    assert read(tmp_path, draw, "r.csv")[0].result.winners == []


def test_the_programs_own_results_say_1_for_everything(tmp_path: Path) -> None:
    table = results_file.result(WOOD)
    sides = table["sides"]
    assert isinstance(sides, dict)
    sides |= {key: {**side, "losses": "1"} for key, side in sides.items()}
    for text, name in ((results_file.dumps([table]), "r.toml"), (as_sheet([table]), "r.csv")):
        battle = read(tmp_path, text, name)[0]
        assert {side.losses for side in battle.result.sides.values()} == {Fraction(1)}
    del table["digest"]
    typed = refusals(tmp_path, results_file.dumps([table]))
    assert len(typed) == len(sides)
    assert all('"1" may be everything, a count or a percentage' in words for words in typed)


def test_a_result_that_is_bound_says_to_which_forces(tmp_path: Path) -> None:
    text = MINIMAL + '[result.bound]\ncampaign = "The Marches"\nbattle = "bridge"\n'
    assert refusals(tmp_path, text) == [
        "results.toml:6: result.1.bound: forces are missing; list every force that fights the battle"
    ]


MINIMAL = '[[result]]\nid = "bridge"\nwinners = ["percy"]\n[result.sides.percy]\nlosses = "0"\n'


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "bridge"\n', "", ["1: result.1: id is missing"]),
        ('winners = ["percy"]\n', "", ["1: result.1: winners is missing"]),
        ('"percy"', '"york"', ['3: result.1.winners.1: winner "york" is not one of the sides: percy']),
        ('"percy"', "3", ["3: result.1.winners: expected a list of text in quotes, got a list"]),
        ("losses", "loses", [
            "4: result.1.sides.percy: losses is missing",
            '5: result.1.sides.percy.loses: unknown key "loses"; did you mean "losses"?',
        ]),
        ('"0"', "[]", [
            '5: result.1.sides.percy.losses: expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got '
            "a list"
        ]),
        ('"0"', "2026-05-02", [
            '5: result.1.sides.percy.losses: expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got '
            'the date 2026-05-02; write fractions in quotes, such as "2/5"'
        ]),
        ('"0"', '"3/2"', [
            '5: result.1.sides.percy.losses: a side cannot lose more than all it had, got "3/2"'
        ]),
        ('[result.sides.percy]\nlosses = "0"\n', "", [
            "1: result.1: sides are missing; write each side's losses, for example [result.sides.percy] "
            'losses = "1/2"',
            '3: result.1.winners.1: winner "percy" is not one of the sides: ',
        ]),
        ('id = "bridge"', 'id = "../bridge"', [
            '2: result.1.id: expected a key of a to z, 0 to 9, - and _ (at most 40), got "../bridge"; '
            'did you mean "bridge"?',
        ]),
        ('id = "bridge"', 'id = "bridge"\nrulez = 1', [
            '3: result.1.rulez: unknown key "rulez"; did you mean "rules"?'
        ]),
        ('id = "bridge"', 'id = "bridge"\nseed = -1', [
            "3: result.1.seed: expected a seed: a whole number from 0 to 9223372036854775807, or text; got -1"
        ]),
        ('id = "bridge"', 'id = "bridge"\nrules = "stratgy-war"', [
            '3: result.1.rules: unknown rule set "stratgy-war"; did you mean "strategy-war"?'
        ]),
        ("[[result]]", "format = 2\n[[result]]", ["1: format: this program reads format 1"]),
        ("[[result]]", "[[x]]\n[[result]]", ['1: x: unknown key "x"; write one of format, result']),
    ],
)  # fmt: skip
def test_a_result_that_does_not_hold_good_is_refused(
    old: str, new: str, words: list[str], tmp_path: Path
) -> None:
    assert old in MINIMAL
    assert refusals(tmp_path, MINIMAL.replace(old, new)) == [f"results.toml:{word}" for word in words]


def test_every_mistake_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    text = MINIMAL + MINIMAL.replace('"0"', '"x"')
    assert refusals(tmp_path, text) == [
        'results.toml:7: result.2.id: battle "bridge" has two results in this file',
        "results.toml:10: result.2.sides.percy.losses: expected a share, such as 2/5, 40%, 0.4 or "
        '"4 of 10", got "x"',
    ]
    assert refusals(tmp_path, "result = 3") == [
        "results.toml:1: result: expected results, each under [[result]]"
    ]


def test_a_spreadsheets_mistakes_show_their_line_and_column(tmp_path: Path) -> None:
    sheet = "id,winners,sides.percy.losses,sides.percy.score\nbridge,percy,1/2,3\nwood,york,5,١٢\n"
    assert refusals(tmp_path, sheet, "r.csv") == [
        'r.csv:3: winners: "york" is not one of the sides: percy',
        'r.csv:3: sides.percy.losses: "5" may be a count or a percentage; write 5%, or "5 of ..."',
        'r.csv:3: sides.percy.score: expected a whole number from 0 to 1000000, got "١٢"',
    ]
    assert refusals(tmp_path, "id,sides,sides.percy.losses\na,b,c\n", "r.csv") == [
        'r.csv:1: unknown column "sides"; write sides.KEY.losses'
    ]
    assert "the column" in refusals(tmp_path, "id,id\na,b\n", "r.csv")[0]


def test_a_battle_fought_by_other_rules_needs_the_umpire(tmp_path: Path) -> None:
    text = MINIMAL.replace('id = "bridge"', 'id = "bridge"\nrules = "wargame"')
    text += '[result.sides.stafford]\nlosses = "1/1"\n'
    battle = read(tmp_path, text)
    ledger = store.load_ledger(marches.folder_with(tmp_path / "c"))
    with pytest.raises(
        NeedsUmpire, match="it was fought with Wargame, but the campaign requires Strategy WAR"
    ):
        operations.plan_import(BOOKS, ledger, battle)
    forced = operations.plan_import(BOOKS, ledger, battle, force=True, reason="we had only that deck")
    assert forced.operations[0].entry.forced == [
        "it was fought with Wargame, but the campaign requires Strategy WAR"
    ]


def test_a_bare_result_and_its_record_are_one_battle(tmp_path: Path) -> None:
    record = read(tmp_path, dumps_record(BRIDGE))[0]
    typed = BattleResult("bridge", record.result, battle_result.result_digest("bridge", record.result))
    for first, second in ((record, typed), (typed, record)):
        folder = marches.folder_with(tmp_path / first.digest[-4:])
        marches.record(folder, first)
        plan = operations.plan_import(store.load(folder), store.load_ledger(folder), [second])
        assert plan.known == ["bridge"]


def test_a_result_does_not_pass_for_a_record_by_its_digest(tmp_path: Path) -> None:
    """Another result with the same id needs the umpire, even if the digest is the same."""
    record = read(tmp_path, dumps_record(BRIDGE))[0]
    folder = marches.folder_with(tmp_path / "war")
    marches.record(folder, record)
    table = results_file.result(BRIDGE)
    sides = table["sides"]
    assert isinstance(sides, dict)
    for changed in (
        {"winners": [key for key in sides if key not in record.result.winners]},
        {"sides": sides | {"percy": {"score": 1, "losses": "1/7"}}},
    ):
        forged = read(tmp_path, results_file.dumps([table | changed]))
        assert forged[0].digest == record.digest
        with pytest.raises(NeedsUmpire, match="with another result"):
            operations.plan_import(store.load(folder), store.load_ledger(folder), forged)
    honest = read(tmp_path, results_file.dumps([table]))
    assert operations.plan_import(store.load(folder), store.load_ledger(folder), honest).known == ["bridge"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["toml", "csv"])
def test_a_file_of_more_results_than_a_campaign_has_battles_is_refused_with_its_line(
    kind: str, tmp_path: Path
) -> None:
    head = "id,winners,sides.a.losses\n" if kind == "csv" else "\n"
    row = "b{0},a,0\n" if kind == "csv" else '[[result]]\nid="b{0}"\nwinners=[]\nsides.a.losses="0"\n'
    for number in (import_results.MOST_RESULTS, import_results.MOST_RESULTS + 1):
        file = tmp_path / f"{number}.{kind}"
        file.write_text(head + "".join(row.format(place) for place in range(number)))
        if number == import_results.MOST_RESULTS:
            assert len(import_results.read_results(str(file)).battles) == number
        else:
            with pytest.raises(InvalidInput, match=r"a file has at most 10000 results; split it") as error:
                import_results.read_results(str(file))
            assert with_place(error.value.errors[0]).line > import_results.MOST_RESULTS

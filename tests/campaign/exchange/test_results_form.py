"""Results as people send them: losses and winners in their words, forms that a spreadsheet has saved."""

from __future__ import annotations

import csv
import io
import tomllib
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.battles.records.record_reader import read_fraction
from cardbattle.campaign.exchange.import_results import read_results
from cardbattle.campaign.exchange.report_text import is_loss
from cardbattle.campaign.ledger.roster import key_of, read_winners
from cardbattle.campaign.state.apply import Result, SideResult
from cardbattle.campaign.state.battle_result import result_text
from cardbattle.campaign.state.losses import read_losses, read_recorded_losses
from cardbattle.campaign.storage import store
from cardbattle.core.errors import InvalidInput
from cardbattle.files.dates import fraction_before
from cardbattle.story.language import language
from tests.campaign.exchange.test_import_results import read, refusals
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.cli.test_text import carets

WELSH = {"rebels": ["Owain Glyndŵr"], "king": ["Henry"], "hotspur": ["Henry Percy"], "son": ["Hénry"]}


@pytest.mark.parametrize(
    "words",
    [
        "2/5", "2 / 5", "4/10", "02/05", "40%", "40 %", "40\u00a0%", "40,0%", "40.0 %", "40 per cent", "0.4",
        "0,4", ".4", "4 of 10", "4 out of 10", "lost 4 of 10", "Lost 40%", " lost  2/5 ", "2⁄5", 0.4,
    ],
)  # fmt: skip
def test_losses_are_read_as_people_write_them(words: object) -> None:
    assert read_losses(words) == Fraction(2, 5)


def test_losses_are_read_in_the_words_of_a_report() -> None:
    english = language("en")
    shares = [Fraction(n, parts) for parts in range(2, 21) for n in range(1, parts)]
    exact = [share for share in shares if not english.is_rounded(share)]
    assert Fraction(3, 5) in exact and Fraction(19, 20) in exact
    assert [read_losses(english.share(share)) for share in exact] == exact
    assert read_losses("lost Three-Tenths") == Fraction(3, 10)
    assert is_loss("they lost three fifths") and is_loss("we lost three-tenths")


def test_losses_have_words_for_nothing_and_everything() -> None:
    assert {read_losses(word) for word in ("none", "nothing", "0", "0%", "lost nothing", 0)} == {0}
    assert {read_losses(word) for word in ("all", "everything", "1/1", "100%", "4 of 4", "Lost all")} == {1}
    assert read_losses("½") == Fraction(1, 2)
    assert read_losses("33.333333%") == Fraction(33333333, 10**8)


@pytest.mark.parametrize("text", ["0.333333333", "0,333333333333333", "0.33333333333333331"])
def test_a_share_calculated_by_a_spreadsheet_is_an_exact_decimal_fraction(text: str) -> None:
    share = Fraction(text.replace(",", "."))
    assert read_losses(text) == share
    assert read_losses(str(share)) == read_recorded_losses(str(share)) == share
    assert read_fraction(str(share)) == share  # in the ledger
    assert read_losses("33.333333333333333%") == Fraction(33333333333333333, 10**17)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("40", '"40" may be a count or a percentage; write 40%, or "40 of ..."'),
        (2, '2 may be a count or a percentage; write 2%, or "2 of ..."'),
        ("2,0", '"2,0" may be a count or a percentage; write 2%, or "2 of ..."'),
        ("101", 'a side cannot lose more than all it had, got "101"'),
        ("5/2", 'a side cannot lose more than all it had, got "5/2"'),
        ("110%", 'a side cannot lose more than all it had, got "110%"'),
        ("?", "missing losses; write 2/5, 40% or none"),
        ("some", 'expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got "some"'),
        ("1/0", 'expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got "1/0"'),
        ("-1/2", 'expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got "-1/2"'),
        ("1e-5", 'expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got "1e-5"'),
        ("٢/٥", 'expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got "٢/٥"'),
        (True, 'expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got true'),
        (
            10**50,
            'expected a share, such as 2/5, 40%, 0.4 or "4 of 10", got a number too large',
        ),
        ("0." + "1" * 5000, "has too many digits; 15 after the point are enough"),
        ("0,012345678901234567 %", "has too many digits; 15 after the point are enough"),
        (date(2026, 5, 2), "got the date 2026-05-02; write fractions in quotes"),
    ],
)
def test_losses_that_are_none_or_could_be_two_are_refused(words: object, said: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the words are compared
        read_losses(words)
    assert said in str(caught.value)


@pytest.mark.parametrize("one", [1, 1.0, "1", " 1 ", "1.0", "1,0", "1.00", "01", "lost 1", "1\uff0e0", "１"])
def test_a_bare_one_is_refused_with_the_three_ways_to_write_it(one: object) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the words are compared
        read_losses(one)
    assert 'may be everything, a count or a percentage; write all, "1 of ..." or 1%' in str(caught.value)


@pytest.mark.slow
@given(number=st.fractions(min_value=Fraction(1, 1000), max_value=200, max_denominator=1000))
def test_only_a_share_below_1_is_read_from_a_bare_number(number: Fraction) -> None:
    """In any notation, a bare number of 1 or more is never read as a share."""
    text = f"{float(number):.6f}"
    if Fraction(text) < 1:
        assert read_losses(text) == read_losses(float(text)) == Fraction(text)
        return
    for value in (text, text.replace(".", ","), float(text)):
        with pytest.raises(ValueError, match=r"may be|cannot lose more"):
            read_losses(value)


@pytest.mark.parametrize(
    "cell",
    [
        "2-May", "02-May", "02. Mai", "2. Mai", "02.05.", "02.05.2026", "02/05/2026", "5/2/26", "2026-05-02",
        "2026-05-02 00:00:00", "02-mai", "2 de mayo", "02-mag", "2-mei", "02.maj", "5-Feb", "May-02", "45414",
        "5-févr.", "05-fev-26",
    ],
)  # fmt: skip
def test_a_cell_that_a_spreadsheet_has_turned_into_a_date_is_told_as_that(cell: str) -> None:
    assert fraction_before(cell) == "2/5"
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the words are compared
        read_losses(cell)
    assert str(caught.value) == (
        f'"{cell}" is a date, which a spreadsheet seems to have made of 2/5; write "2 of 5" or a percentage'
    )


def test_other_cells_are_no_dates() -> None:
    assert fraction_before("Mar-40") == "3/40"
    for cell in (
        "",
        "2/5",
        "0.4",
        "40%",
        "4 of 10",
        "123",
        "12345",
        "99-99-2026",
        "2-foo",
        "may be",
        "0-Jan",
    ):
        assert fraction_before(cell) == ""


def test_a_side_is_meant_by_its_key_or_by_a_name_that_no_other_has() -> None:
    for word in ("rebels", "Rebels", "Owain Glyndŵr", "owain glyndwr", "OWAIN  GLYNDWR"):
        assert key_of(word, WELSH) == "rebels"
    assert key_of("lay brothers", {"monks": ["The Lay Brothers"], "crew": ["Thelay"]}) == "monks"
    assert key_of("The King", {"king": ["Henry"], "son": ["Hal"]}) == "king"
    assert key_of("Henry", WELSH) == "king"
    assert key_of("Hénry", WELSH) == "son"
    with pytest.raises(ValueError, match=r'^"henry" is ambiguous: king or son; write the key$'):
        key_of("henry", WELSH)
    with pytest.raises(ValueError, match=r"rebels \(Owain Glyndŵr\), king \(Henry\).*did you mean"):
        key_of("Owain Glendower", WELSH)
    with pytest.raises(ValueError, match=r'"\?" is not one of the sides: a \(\?!\) or b'):
        key_of("?", {"a": ["?!"], "b": ["B"]})


def test_winners_are_one_several_or_nobody() -> None:
    assert read_winners("henry percy", WELSH) == ["hotspur"]
    for words in ("hotspur rebels", "Henry Percy, owain glyndwr", "rebels and hotspur", "rebels; hotspur"):
        assert read_winners(words, WELSH) == ["rebels", "hotspur"]
    assert [read_winners(word, WELSH) for word in ("draw", "Drawn", "nobody", "-")] == [[], [], [], []]
    assert read_winners("draw", {"draw": [""], "b": [""]}) == ["draw"]
    with pytest.raises(ValueError, match=r"missing winner; write .*, son \(Hénry\) or draw"):
        read_winners(" ", WELSH)
    with pytest.raises(ValueError, match=r'^"york" is not one of the sides'):
        read_winners("rebels, york", WELSH)


FORM = """\
id,rules,winners,side1,name1,losses1,side2,name2,losses2,side3,name3,losses3
mill,,birch,vaughan,Vaughan's Horse,2/5,birch,Birch's Firelocks,none,,,
"""


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of a sheet."""
    return list(csv.reader(io.StringIO(text)))


def sheet_of(rows: list[list[str]], separator: str = ",", end: str = "\n") -> str:
    """Return cells as a spreadsheet saves them."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    return out.getvalue()


def filled(text: str, battle: str, **cells: str) -> str:
    """Return a form with some cells of a battle filled in."""
    head, *rows = rows_of(text)
    for row in rows:
        if row[0] == battle:
            for column, cell in cells.items():
                row[head.index(column)] = cell
    return sheet_of([head, *rows])


@pytest.mark.parametrize(
    "saved",
    [
        FORM.encode(),
        FORM.replace("\n", "\r\n").encode("utf-8-sig"),
        sheet_of(rows_of(FORM), ";", "\r\n").replace("2/5", "40,0%").encode(),
        sheet_of(rows_of(FORM), "\t").replace("2/5", "0,4").encode(),
        FORM.replace("2/5", '"0,4"').encode(),
        "".join(f"{line},,,\n" for line in FORM.splitlines()).encode() + b",,,,,,,,,,,,,,\n",
        FORM.replace("Birch's", "Bîrch’s").encode("cp1252"),
        sheet_of(rows_of(FORM), "\t", "\r\n").encode("utf-16"),
        b"\xfe\xff" + sheet_of(rows_of(FORM), "\t").encode("utf-16-be"),
        FORM.encode("utf-16-le"),
        FORM.encode("utf-16-be"),
    ],
    ids=[
        "as written", "bom-crlf", "semicolons", "tabs", "quoted", "trailing columns", "cp1252", "utf-16",
        "utf-16, high byte first", "utf-16 without mark", "utf-16 without mark, high byte first",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["saved.csv", "SAVED.TXT", "saved.tsv"])
@pytest.mark.filterwarnings("ignore:.*Windows-1252")
def test_a_form_comes_in_however_a_spreadsheet_has_saved_it(name: str, saved: bytes, tmp_path: Path) -> None:
    expected = read(tmp_path, FORM, "form.csv")
    (tmp_path / name).write_bytes(saved)
    assert expected[0].result.winners == ["birch"]
    assert expected[0].result.sides["vaughan"].losses == Fraction(2, 5)
    found = read_results(str(tmp_path / name)).battles
    assert [one._replace(names={}) for one in found] == [one._replace(names={}) for one in expected]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("name", ["form.toml", "form.txt"])
def test_a_form_in_toml_is_read_from_utf_16_too(name: str, encoding: str, tmp_path: Path) -> None:
    text = '[[result]]\nid = "mill"\nwinners = "birch"\n'
    text += 'sides.birch = { name = "Glyndŵr", losses = "0" }\nsides.vaughan.losses = "2/5"\n'
    (tmp_path / name).write_bytes(text.encode(encoding))
    assert read_results(str(tmp_path / name)).battles == read(tmp_path, text, "as-written.toml")


@pytest.mark.parametrize("raw", [b"\xff\xfei\x00d", b"\xff\xfe\x00\xd8a\x00", b"i\x00d\x00,\x00\x00\x00"])
@pytest.mark.parametrize("name", ["cut.csv", "cut.toml"])
def test_utf_16_that_is_cut_or_has_a_nul_is_refused(name: str, raw: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(raw if b"," in raw else raw + b"\x00")
    with pytest.raises(InvalidInput):
        read_results(str(tmp_path / name))


MILL = {"winners": "birch", "losses1": "2/5", "losses2": "none"}


def test_a_name_of_another_side_is_a_conflict_shown_with_both(sh: Shell, war: Path) -> None:
    form = filled(sh("campaign", "results").out, "mill", **MILL)
    before = bytes_in(war)
    sh.write("war/turn.csv", filled(form, "mill", name1="birchs firelocks", name2="Vaughan's Horse"))
    said = sh("campaign", "import", "turn.csv")
    assert (said.code, said.out) == (4, "")
    assert said.err.splitlines()[-4:] == [
        'cardbattle: battle mill does not fit: "birchs firelocks" is the name of birch, not of vaughan; '
        '"Vaughan\'s Horse" is the name of vaughan, not of birch; to apply it anyway, use --force '
        "--reason TEXT",
        "              the campaign's     this one",
        "vaughan.name  Vaughan's Horse    birchs firelocks",
        "birch.name    Birch's Firelocks  Vaughan's Horse",
    ]
    (war / "turn.csv").unlink()
    assert bytes_in(war) == before


@pytest.mark.parametrize("name", ["side", "name"])
def test_sides_can_be_named_by_their_factions(name: str, sh: Shell, war: Path) -> None:
    factions = ["The King's men", "parliaments men"]
    sides = factions if name == "side" else ["vaughan", "birch"]
    head, row = "id,winners,side1,name1,losses1,side2,name2,losses2", f"mill,Kings men,{sides[0]},"
    sh.write("war/turn.csv", f"{head}\n{row}{factions[0]},1/4,{sides[1]},{factions[1]},1/2\n")
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 0, said.err
    assert "Birch's Firelocks: strength " in said.out and "losses 1/2" in said.out


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "toml", "dotted"])
@pytest.mark.parametrize("whose", ["lunsford", "massie", "clubmen", "hale", "birch"])
def test_a_name_from_another_row_is_a_conflict_in_every_form(
    whose: str, form: str, sh: Shell, war: Path
) -> None:
    """Columns that were sorted or pasted one row off have the names of other battles."""
    name = store.load(str(war)).campaign.display_name(whose)
    csv_form = filled(sh("campaign", "results").out, "mill", **MILL, name1=name)
    toml = (
        f'[[result]]\nid = "mill"\nwinners = "birch"\nsides.vaughan = {{ losses = "2/5", name = "{name}" }}\n'
    )
    dotted = "id,winners,sides.vaughan.losses,sides.vaughan.name,sides.birch.losses"
    text = {
        "csv": csv_form,
        "toml": f'{toml}sides.birch.losses = "0"\n',
        "dotted": f"{dotted}\nmill,birch,2/5,{name},0\n",
    }[form]
    file = f"turn.{'toml' if form == 'toml' else 'csv'}"
    sh.write(f"war/{file}", text)
    said = sh("campaign", "import", file)
    assert said.code == 4
    assert f'"{name}" is the name of {whose}, not of vaughan' in said.err
    forced = sh("campaign", "import", file, "--force", "--reason", "only the name was pasted wrong")
    assert forced.code == 0
    entry = tomllib.loads((war / "history.toml").read_text(encoding="utf-8"))["entry"][0]
    assert entry["forced"] == [f'"{name}" is the name of {whose}, not of vaughan']
    assert entry["winners"] == ["birch"]


def test_the_joint_name_of_a_side_in_another_row_is_a_conflict(sh: Shell, war: Path) -> None:
    campaign = store.load(str(war)).campaign
    [(side, battle)] = [(side, each) for each in campaign.pending for side in each.sides if len(side) > 1]
    name = campaign.side_name(side, battle)
    sh.write("war/turn.csv", filled(sh("campaign", "results").out, "mill", **MILL, name1=name))
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 4
    assert f'"{name}" is the name of {side[0]}, not of vaughan' in said.err


@pytest.mark.parametrize("name", ["vaughan", "VAUGHANS HORSE", "", "  "])
def test_a_sides_own_name_in_any_spelling_is_no_conflict(name: str, sh: Shell, war: Path) -> None:
    sh.write("war/turn.csv", filled(sh("campaign", "results").out, "mill", **MILL, name1=name))
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 0
    assert "calls" not in said.err


def test_a_name_that_nobody_has_is_told_and_no_more(sh: Shell, war: Path) -> None:
    sh.write("war/turn.csv", filled(sh("campaign", "results").out, "mill", **MILL, name1="The Black Horse"))
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 0
    assert "battle mill: its form calls Vaughan's Horse The Black Horse\n" in said.err


def test_the_form_goes_out_blank_and_comes_back_by_csv_and_toml(sh: Shell, war: Path) -> None:
    form = sh("campaign", "results").out
    assert form.splitlines()[0].startswith("id,rules,winners,side1,name1,losses1,side2,")
    blank = bytes_in(war)
    sh.write("war/blank.csv", form)
    said = sh("campaign", "import", "blank.csv")
    assert (said.code, said.out) == (3, "")
    assert said.err.splitlines()[-1] == "cardbattle: these files contain no results of battles"
    assert "battle mill is not filled in; it stays pending\n" in said.err
    (war / "blank.csv").unlink()
    assert bytes_in(war) == blank
    sh.write("war/blank.csv", form)
    done = filled(form, "mill", winners="vaughans horse", losses1="lost 1 of 5", losses2="40 %")
    sh.write("war/turn.csv", done)
    dry = sh("campaign", "import", "turn.csv", "--dry-run")
    assert dry.code == 0
    assert "-strength" not in dry.err
    table = tomllib.loads(sh("campaign", "results", "--format", "toml").out)
    assert [one["id"] for one in table["result"]] == ["teme-ford", "mill", "orchard"]
    assert sh("campaign", "results", "-o", "turn.toml", "-q").code == 0
    text = (war / "turn.toml").read_text(encoding="utf-8")
    where = text.index('id = "mill"')
    text = text[:where] + text[where:].replace('winners = ""', 'winners = "Vaughan\'s Horse"', 1)
    text = text.replace('vaughan.losses = ""', 'vaughan.losses = "20%"')
    before, after = text.split(
        'birch.losses = ""\nbound = { campaign = "The Cider War, 1645", battle = "mill"'
    )
    text = f'{before}birch.losses = 0.4\nbound = {{ campaign = "The Cider War, 1645", battle = "mill"{after}'
    sh.write("war/turn.toml", text)
    assert sh("campaign", "import", "turn.toml", "--dry-run").out == dry.out
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 0
    assert "Birch's Firelocks: strength 9 -> 7 (losses " in said.out
    assert said.err.count("is not filled in") == 2
    assert "bound by its id only" not in said.err
    assert "battle mill is already recorded" in sh("campaign", "import", "turn.csv", "turn.toml").err
    again = sh("campaign", "import", "blank.csv").err.splitlines()
    assert again[1] == "battle mill is already recorded; its empty row is ignored"
    assert again[2] == "battle orchard is not filled in; it stays pending"


def test_a_form_with_a_key_from_before_a_rename_is_answered_with_the_new_key(sh: Shell, war: Path) -> None:
    form = filled(sh("campaign", "results").out, "mill", **MILL)
    sh.write("war/turn.csv", form)
    sh("campaign", "rename", "birch", "foot")
    sh("campaign", "rename", "foot", "firelocks")
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 4
    assert "a key was renamed; write firelocks instead of birch everywhere in the file\n" in said.err
    sh.write("war/turn.csv", form.replace("birch", "firelocks"))
    assert sh("campaign", "import", "turn.csv").code == 0


def test_a_file_that_is_named_twice_is_imported_once(sh: Shell, war: Path) -> None:
    form = sh("campaign", "results").out
    sh.write("war/bad.csv", filled(form, "mill", **(MILL | {"losses2": "x"})))
    assert sh("campaign", "import", "bad.csv", "./bad.csv", "gone.csv", "gone.csv").err.count("expected") == 1
    sh.write("war/turn.csv", filled(form, "mill", **MILL))
    said = sh("campaign", "import", "turn.csv", "turn.csv")
    assert (said.code, said.err.count("is not filled in")) == (0, 2)
    assert "already recorded" not in said.err
    sh.write("war/copy.csv", (war / "turn.csv").read_text(encoding="utf-8"))
    again = sh("campaign", "import", "turn.csv", "copy.csv").err
    assert again.count("battle mill is already recorded\n") == 1


def test_a_strength_whose_losses_round_to_nothing_is_listed_as_unchanged(sh: Shell, war: Path) -> None:
    sh.write("war/turn.csv", filled(sh("campaign", "results").out, "mill", **(MILL | {"losses2": "1%"})))
    said = sh("campaign", "import", "turn.csv").out
    assert "Birch's Firelocks: strength 9, unchanged (losses 1/100, attrition rate " in said
    assert said.count("Birch's Firelocks: strength") == 1


def test_a_form_of_forces_that_have_changed_meanwhile_needs_the_umpire(sh: Shell, war: Path) -> None:
    form = sh("campaign", "results").out
    sh("campaign", "adjust", "forces.birch.strength=20", "--reason", "they came over the hill")
    sh.write("war/turn.csv", filled(form, "mill", winners="draw", losses1="0", losses2="0"))
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 4
    assert "Birch's Firelocks had strength 9 then, and have 20 now" in said.err


def test_a_half_filled_row_is_told_with_its_line_and_cell(sh: Shell, war: Path) -> None:
    form = sh("campaign", "results").out
    sh.write("war/turn.csv", filled(form, "mill", winners="birch", losses1="2-May"))
    said = sh("campaign", "import", "turn.csv")
    assert said.code == 3
    assert [(words, rest[:11]) for words, rest in carets(said.err)] == [
        (
            'turn.csv:3: losses1: "2-May" is a date, which a spreadsheet seems to have made of 2/5; '
            'write "2 of 5" or a percentage',
            "2-May,birch",
        ),
        ("turn.csv:3: losses2: missing losses; write 2/5, 40% or none", ',,,,,,,"{ c'),
    ]
    sh.write("war/turn.csv", filled(form, "mill", losses1="0", losses2="0"))
    told = carets(sh("campaign", "import", "turn.csv").err)
    assert told[0][0] == (
        "turn.csv:3: winners: missing winner; write vaughan (Vaughan's Horse), "
        "birch (Birch's Firelocks) or draw"
    )


def test_a_row_twice_or_of_another_battle_is_told_with_its_line(sh: Shell, war: Path) -> None:
    form = filled(sh("campaign", "results").out, "mill", winners="draw", losses1="0", losses2="0")
    head, *rows = rows_of(form)
    sh.write("war/turn.csv", sheet_of([head, *rows, rows[1], ["hill", *rows[1][1:]]]))
    told = carets(sh("campaign", "import", "turn.csv").err)
    assert [words for words, rest in told] == [
        'turn.csv:5: id: battle "mill" has two results in this file',
        'turn.csv:6: id: no battle "hill" is pending; did you mean "mill"? (first add an unplanned battle: '
        "cardbattle campaign add battle)",
    ]
    empty = [*rows[1][:2], "", *rows[1][3:5], "", *rows[1][6:8], "", *rows[1][9:]]
    sh.write("war/turn.csv", sheet_of([head, empty, rows[1]]))
    said = sh("campaign", "import", "turn.csv", "--dry-run")
    assert (said.code, said.err.count("not filled in")) == (0, 0)


def test_a_column_has_the_story_of_each_battle(sh: Shell, war: Path) -> None:
    sh.write(
        "war/turn.csv",
        "id,winners,side1,losses1,side2,losses2,story\n"
        'mill,draw,vaughan,0,birch,0,"It rained;\nthen it stopped."\n'
        "teme-ford,draw,lunsford,0,birch,0,\n",
    )
    imported = sh("campaign", "import", "turn.csv")
    assert imported.code == 0, imported.err
    assert " ".join(sh("campaign", "story", "mill").out.split()).endswith(" It rained; then it stopped.")
    assert "It rained" not in sh("campaign", "story", "teme-ford").out


def test_a_row_added_by_hand_names_sides_as_people_do(sh: Shell, war: Path) -> None:
    sh.write(
        "war/turn.csv",
        "id,winners,side1,losses1,side2,losses2\n"
        "mill,Birch's firelocks,VAUGHAN'S HORSE,2/5,Birchs Firelocks,none\n",
    )
    by_form = sh("campaign", "import", "turn.csv", "--dry-run")
    sh.write(
        "war/dotted.csv", "id,winners,sides.Vaughan's Horse.losses,sides.birch.losses\nmill,birch,40%,0\n"
    )
    assert by_form.code == 0
    assert sh("campaign", "import", "dotted.csv", "--dry-run").out == by_form.out
    sh.write("war/turn.csv", "id,winners,side1,losses1\nmill,draw,widow hale,2/5\n")
    told = carets(sh("campaign", "import", "turn.csv").err)
    assert told == [
        (
            'turn.csv:2: side1: "widow hale" is not one of the sides: vaughan (Vaughan\'s Horse) or '
            "birch (Birch's Firelocks)",
            "widow hale,2/5",
        )
    ]
    sh.write("war/turn.csv", "id,winners,sides.birch.losses,sides.vaughan.losses\nmill,birch,0,\n")
    told = carets(sh("campaign", "import", "turn.csv").err)
    assert told == [
        ("turn.csv:2: sides.vaughan.losses: losses of vaughan are missing; write 2/5, 40% or none", "")
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "id,winer,side1,losses1\nmill,birch,vaughan,0\nford,x,y,0\n",
            [('1: unknown column "winer"; did you mean "winners"?', "winer,side1,losses1")],
        ),
        (
            "\nID;winners;side1;loses1\nmill;birch;vaughan;0\n",
            [
                ('2: unknown column "ID"; did you mean "id"?', "ID;winners;side1;loses1"),
                ('2: unknown column "loses1"; did you mean "losses1"?', "loses1"),
            ],
        ),
        (
            "battle,winners,side1,losses1\n",
            [
                (
                    '1: unknown column "battle"; write one of id, rules, seed, winners, declined, '
                    "reason, digest, record, bound, story, and two columns for each side, "
                    "such as side1 and losses1, or sides.KEY.losses",
                    "battle,winners,side1,losses1",
                )
            ],
        ),
        (
            "id,sides.vaughan.lost\nmill,0\n",
            [
                (
                    '1: column "sides.vaughan.lost": unknown part "lost"; did you mean "losses"?',
                    "sides.vaughan.lost",
                )
            ],
        ),
        (
            "id,winners,sides.vaugan.losses,sides.birch.losses\nmill,birch,0,0\n",
            [
                (
                    '1: the column "sides.vaugan.losses": "vaugan" is not one of the sides: vaughan '
                    "(Vaughan's Horse) or birch (Birch's Firelocks); did you mean \"vaughan\"?",
                    "sides.vaugan.losses,sides.birch.losses",
                )
            ],
        ),
    ],
)
def test_a_mistake_in_the_columns_is_told_once_and_of_the_line_that_names_them(
    text: str, told: list[tuple[str, str]], sh: Shell, war: Path
) -> None:
    sh.write("war/turn.csv", text)
    said = sh("campaign", "import", "turn.csv")
    assert (said.code, carets(said.err)) == (3, [(f"turn.csv:{words}", under) for words, under in told])


def test_a_column_that_is_missing_is_told_of_the_first_line(tmp_path: Path) -> None:
    assert refusals(tmp_path, "id,winners,side1\nmill,birch,vaughan\n", "r.csv") == [
        'r.csv:1: the column "losses1" is missing'
    ]
    assert refusals(tmp_path, "id,reason\nmill,fog\n", "r.csv") == [
        f'r.csv:1: the column "{word}" is missing' for word in ("winners", "side1", "losses1")
    ]
    assert refusals(tmp_path, "winners,sides.percy.score\nmill,3\n", "r.csv") == [
        f'r.csv:1: the column "{word}" is missing' for word in ("id", "sides.percy.losses")
    ]


def test_an_override_takes_losses_as_people_write_them(sh: Shell, war: Path) -> None:
    said = sh(
        "campaign", "override", "mill", "--losses", "birch=lost 4 of 10", "--reason", "seen", "--dry-run"
    )
    same = sh("campaign", "override", "mill", "--losses", "birch=2/5", "--reason", "seen", "--dry-run")
    assert (said.code, said.out) == (0, same.out)
    wrong = sh("campaign", "override", "mill", "--losses", "birch=40", "--reason", "seen")
    assert wrong.code == 2
    assert '--losses birch=40: "40" may be a count or a percentage; write 40%' in wrong.err


def test_a_second_override_prints_the_ruling_that_it_recorded(sh: Shell, war: Path) -> None:
    ruling = ("campaign", "override", "mill", "--winner", "birch", "--losses", "vaughan=1/4", "--reason", "x")
    recorded = "decided by the umpire: Birch's Firelocks won; Vaughan's Horse lost 1/4"
    for number in ("1", "3"):
        said = sh(*ruling, "--format", "plain")
        assert f"\nrecorded {number}. Battle mill, {recorded}" in said.out
    assert f"undone 1. Battle mill, {recorded}" in said.out and "all values are unchanged" in said.out


def test_a_recorded_battle_still_knows_the_names_of_its_sides(sh: Shell, war: Path) -> None:
    """Also those under which several forces fought as one."""
    form = sh("campaign", "results").out
    cells = {"losses1": "0", "losses2": "0", "losses3": "0", "losses4": "all"}
    sh.write("war/turn.csv", filled(form, "orchard", winners="The Men with Clubs and Widow Hale", **cells))
    assert sh("campaign", "import", "turn.csv").code == 0
    by_name = filled(
        form, "orchard", winners="widow hale", side3="The Men with Clubs and Widow Hale", **cells
    )
    sh.write("war/turn.csv", by_name)
    assert "battle orchard is already recorded\n" in sh("campaign", "import", "turn.csv").err
    ruling = ("campaign", "override", "orchard", "--reason", "x", "--dry-run", "--winner")
    rulings = [sh(*ruling, name) for name in ("The Men with Clubs and Widow Hale", "widow hale")]
    assert rulings[0].out == rulings[1].out and {said.code for said in rulings} == {0}


def test_a_score_is_asked_for_where_it_brings_points(sh: Shell, war: Path) -> None:
    assert "score1" not in sh("campaign", "results").out
    sh("campaign", "adjust", "scoring.per_score=1", "--reason", "every space counts")
    form = sh("campaign", "results").out
    assert "losses1,score1,side2,name2,losses2,score2" in form
    table = tomllib.loads(sh("campaign", "results", "--format", "toml").out)["result"][0]
    assert table["sides"]["birch"] == {"name": "Birch's Firelocks", "losses": "", "score": ""}
    won = {"winners": "birch", "losses1": "2/5", "losses2": "0"}
    sh.write("war/turn.csv", filled(form, "mill", **won, score1="1"))
    told = carets(sh("campaign", "import", "turn.csv").err)
    assert told[0][0] == "turn.csv:3: score2: scoring.per_score needs a score for each side; write 0 for none"
    sh.write("war/turn.csv", filled(form, "mill", **won, score1="1", score2="5"))
    assert "Parliament's men: points 5 -> 1" in sh("campaign", "import", "turn.csv").out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "id,winners,side1,losses1\nmill,draw,,1\n",
            ["2: side1 is missing; write the key of the side, or its name"],
        ),
        ("id,winners,side1,losses1,side2,losses2\nmill,draw,a,0,a,0\n", ['2: side "a" appears twice']),
        (
            "id,winners,side1,losses1,bound\nmill,draw,a,1,{ x\n",
            ["2: bound is not readable; copy it from the form again, or leave it empty"],
        ),
        (
            "id,winners,side1,losses1,bound\nmill,draw,a,all,3\n",
            ["2: bound: expected a table, got 3"],
        ),
    ],
)  # fmt: skip
def test_a_form_whose_rows_contradict_themselves_is_refused(
    text: str, words: list[str], tmp_path: Path
) -> None:
    assert refusals(tmp_path, text, "r.csv") == [f"r.csv:{word}" for word in words]


def test_a_campaign_that_lags_behind_is_brought_up_before_it_is_asked_who_fights(
    sh: Shell, war: Path
) -> None:
    """A battle that an undo has put back in the ledger alone is pending all the same."""
    sh("campaign", "override", "mill", "--winner", "birch", "--reason", "flooded")
    stale = (war / "campaign.toml").read_bytes()
    sh("campaign", "undo")
    (war / "campaign.toml").write_bytes(stale)
    sh.write("war/mill.csv", "id,winners,sides.vaughan.losses,sides.birch.losses\nmill,birch,2/5,0\n")
    said = sh("campaign", "import", "mill.csv")
    assert said.code == 0, said.err
    assert sh("campaign", "check").code == 0


def declined(text: str, name: str, tmp_path: Path) -> tuple[str, list[str]]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    roster = {"percy": ["Harry Percy"], "stafford": ["Stafford"]}
    [battle] = read_results(str(path), lambda battle: roster).battles
    return battle.kind, battle.result.winners


def test_a_declined_battle_is_a_result_of_its_own(tmp_path: Path) -> None:
    form = 'format = 1\n[[result]]\nid = "ford"\nwinners = ""\ndeclined = "Harry Percy"\n'
    blank = 'sides.percy.losses = ""\nsides.stafford.losses = ""\n'
    assert declined(form, "results.toml", tmp_path) == ("declined", ["stafford"])
    assert declined(form + blank, "form.toml", tmp_path) == ("declined", ["stafford"])
    sheet = "id,winners,declined,side1,losses1,side2,losses2\nford,,percy,percy,,stafford,\n"
    assert declined(sheet, "form.csv", tmp_path) == ("declined", ["stafford"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('declined = "hal"', '"hal" is not one of the sides: percy (Harry Percy) or stafford'),
        ('declined = "percy, stafford"', "all sides decline it; cancel it with `campaign cancel` instead"),
        (
            'declined = "percy"\nwinners = "percy"',
            "a declined battle was not fought; leave this empty, or remove declined",
        ),
    ],
)
def test_what_is_wrong_with_a_declined_battle_is_said(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        declined(f'format = 1\n[[result]]\nid = "ford"\n{line}\n', "results.toml", tmp_path)
    assert said in str(caught.value)


def test_an_imported_refusal_is_recorded_as_declined(sh: Shell, war: Path) -> None:
    campaign = war / "campaign.toml"
    campaign.write_text(
        campaign.read_text(encoding="utf-8").replace("[scoring]", "[scoring]\ndeclined = -1"),
        encoding="utf-8",
    )
    assert sh("campaign", "results").out.startswith("id,rules,winners,declined,side1")
    assert sh("campaign", "results", "-o", "form.toml").code == 0
    form = (war / "form.toml").read_text(encoding="utf-8")
    assert 'declined = ""' in form and "declined: the sides that refuse the battle" in form
    battle = store.load(str(war)).campaign.pending[0]
    (war / "answers.toml").write_text(
        f'format = 1\n[[result]]\nid = "{battle.id}"\ndeclined = "{battle.keys[0]}"\n', encoding="utf-8"
    )
    assert sh("campaign", "import", "answers.toml").code == 0
    assert f"Battle {battle.id} was declined by" in sh("campaign", "history").out


@given(st.lists(st.integers(1, 103), min_size=2, max_size=4))
def test_a_loss_is_shown_as_the_ledger_has_it(lost: list[int]) -> None:
    """The last message of a battle shows the record's fraction, which is the one in the ledger."""
    losses = {str(seat): SideResult(0, Fraction(n, 104)) for seat, n in enumerate(lost)}
    text = result_text(Result([], losses), str)
    expected = [f"{key} lost {side.losses}" for key, side in losses.items()]
    assert text == f"a draw; {', '.join(expected)}"

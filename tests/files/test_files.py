"""Text files are read strictly, errors name their place, and results are written completely or not at all."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.state.file_editing import edit_text
from cardbattle.core.errors import Diagnostic, InvalidInput
from cardbattle.files.disk import write_text
from cardbattle.files.errors import SystemFailure, with_place
from cardbattle.files.toml import find_invalid_values, parse_toml, read_bytes, read_toml, unknown_key
from cardbattle.files.toml_positions import Places
from tests.support.characters import UNICODE

BAD = Path(__file__).parents[1] / "bad" / "toml"
EXPECTED = dict(line.split(":", 1) for line in (BAD / "EXPECTED.txt").read_text().splitlines())


def refusal(path: str, most: int = 1_000_000) -> Diagnostic:
    """Return the one thing said of a file."""
    with pytest.raises(InvalidInput) as caught:
        read_toml(path, most)
    assert len(caught.value.errors) == 1
    return caught.value.errors[0]


def test_every_bad_file_has_its_words() -> None:
    assert sorted(path.stem for path in BAD.glob("*.toml")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_no_toml_is_refused_with_its_place(name: str) -> None:
    error = refusal(str(BAD / f"{name}.toml"))
    assert f"{with_place(error).line}:{with_place(error).column}: {error.text}" == EXPECTED[name]
    assert with_place(error).file == str(BAD / f"{name}.toml")


def test_the_source_line_is_shown_under_an_error() -> None:
    error = refusal(str(BAD / "no-quotes.toml"))
    assert (with_place(error).source, with_place(error).source[with_place(error).column - 1 :]) == (
        "commander = veteran",
        "veteran",
    )


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xef\xbb\xbfa = 1\r\n",
        b"# a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z = 1\n",
        b'a = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z"\n',
        b'a = """\n<<<<<<< the arrows point left\n"""\n',
        b"a" + b".a" * 20 + b" = 1\n",
        b"# === not a conflict\n# <<<<<<< ours\n# >>>>>>> theirs\n",
    ],
)
def test_what_is_only_unusual_is_read(raw: bytes) -> None:
    source = parse_toml("a.toml", raw)
    assert source.data == tomllib.loads(raw.decode("utf-8-sig"))
    assert source.bom == raw.startswith(b"\xef\xbb\xbf")
    assert not source.text.startswith("\ufeff")


@pytest.mark.slow
def test_hostile_files_are_refused_in_no_time() -> None:
    """Each takes tomllib or a naive reader very long; the tests would stand still."""
    for raw in (
        b".".join([b"a"] * 50_000) + b" = 1",
        b"x = {" + b".".join([b"a"] * 50_000) + b" = 1}",
        b"\n".join(b".".join([b"a"] * 20) + b"%d = 1" % n for n in range(20_000)),
        b'"' * 900_000,
        b"'''" * 300_000,
        b"[" * 900_000,
        b"{" * 900_000,
        b'a = "' + b"." * 900_000,
    ):
        with pytest.raises(InvalidInput):
            parse_toml("a.toml", raw)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.toml", "there is no such file; check the name and the folder"),
        (".", "this is a folder; name a file in it"),
        ("a\0b", "this is not a valid file name"),
        ("x" * 300, "the file cannot be opened: the name is too long"),
    ],
)
def test_what_cannot_be_opened_is_told_in_clear_words(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal(name).text == words


@pytest.mark.skipif(os.name == "nt", reason="no such devices")
def test_a_pipe_or_a_device_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (str(tmp_path / "pipe.toml"), "/dev/zero", "/dev/null"):
        assert refusal(path).text.startswith("this is a pipe or a device, not a file")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "secret.toml"
    path.write_text("a = 1")
    path.chmod(0)
    assert refusal(str(path)).text == "no permission to read the file; check its permissions"


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_bytes(b"#" * 101)
    assert read_bytes(str(path), 101) == b"#" * 101
    assert refusal(str(path), 100).text == "the file is larger than the limit of 100 bytes; split it"
    path.write_bytes(b"#" * 1_000_001)
    assert refusal(str(path)).text == "the file is larger than the limit of 1 MB; split it"


def test_standard_input_is_read_for_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a = 1\nb = \n")))
    error = refusal("-")
    assert (with_place(error).file, with_place(error).line) == ("standard input", 2)
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal("-").text == "it cannot be read; give a file or a pipe"


def test_names_that_would_act_on_a_terminal_are_shown_clean() -> None:
    assert with_place(refusal("a\x1b[31m.toml")).file == "a<1b>[31m.toml"


TEXT = """\
# The Marches
format = 1
[forces.percy] # the first
strength = 14
cards = [
  "2", # a two, and ]
  ["3", { rank = 4 }],
]
name.first = "Harry"
[forces]
stafford = { strength = 8, more = { x = 1 } }
[[pending]]
id = '''
bridge'''
[pending.house]
"d e" = 1
[[pending]]
id = "wood"
[[pending.part]]
k = 1979-05-27 07:32:00
[[pending.part]]
k = 2"""


@pytest.mark.parametrize(
    ("at", "value", "key"),
    [
        (("format",), (2, 10), (2, 1)),
        (("forces",), (10, 2), (10, 2)),
        (("forces", "percy"), (3, 9), (3, 9)),
        (("forces", "percy", "strength"), (4, 12), (4, 1)),
        (("forces", "percy", "cards", 0), (6, 3), (6, 3)),
        (("forces", "percy", "cards", 1, 0), (7, 4), (7, 4)),
        (("forces", "percy", "cards", 1, 1, "rank"), (7, 18), (7, 11)),
        (("forces", "percy", "name", "first"), (9, 14), (9, 6)),
        (("forces", "stafford", "more", "x"), (11, 41), (11, 37)),
        (("pending",), (12, 3), (12, 3)),
        (("pending", 0, "id"), (13, 6), (13, 1)),
        (("pending", 0, "house", "d e"), (16, 9), (16, 1)),
        (("pending", 1), (17, 3), (17, 3)),
        (("pending", 1, "part", 0, "k"), (20, 5), (20, 1)),
        (("pending", 1, "part", 1, "k"), (22, 5), (22, 1)),
        (("pending", 1, "part", 1, "none"), (21, 11), (21, 11)),
        (("forces", "percy", "none", 3), (3, 9), (3, 9)),
        (("none",), (1, 1), (1, 1)),
        ((), (1, 1), (1, 1)),
    ],
)
def test_every_key_and_value_is_found(
    at: tuple[str | int, ...], value: tuple[int, int], key: tuple[int, int]
) -> None:
    for text in (TEXT, TEXT.replace("\n", "\r\n")):
        source = parse_toml("a.toml", text.encode())
        assert (source.locate(at), source.locate(at, key=True)) == (value, key)


def test_mistakes_are_told_in_the_order_of_their_lines() -> None:
    source = parse_toml("a.toml", b"\xef\xbb\xbfb = 1\na = 2\n")
    with pytest.raises(InvalidInput) as caught:
        source.refuse(
            [Diagnostic("two", at=("a",)), Diagnostic("one", at=("b",)), unknown_key(("a",), ["ab", "q"])]
        )
    told = [(str(error), with_place(error).column, with_place(error).source) for error in caught.value.errors]
    assert told == [
        ("a.toml:1: b: one", 5, "b = 1"),
        ('a.toml:2: a: unknown key "a"; did you mean "ab"?', 1, "a = 2"),
        ("a.toml:2: a: two", 5, "a = 2"),
    ]


def test_a_line_too_long_to_show_is_not_shown() -> None:
    source = parse_toml("a.toml", b'a = "%b"' % (b"x" * 2000))
    assert source.placed(Diagnostic("no", at=("a",))).source == ""


def paths(value: object, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return every path in some data."""
    inside: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    return [at, *(path for key, item in inside for path in paths(item, (*at, key)))]


LEAVES = st.one_of(
    st.integers(-99, 99),
    st.booleans(),
    st.floats(),
    st.text(st.sampled_from("ab#=[]{},.'\"\\\n\t é"), max_size=6),
    st.dates(),
    st.datetimes(),
    st.times(),
)
DATA = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(UNICODE, max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@pytest.mark.slow
@given(st.dictionaries(st.text(UNICODE, max_size=3), DATA, max_size=5))
def test_places_agree_with_tomllib_on_any_file(data: dict[str, object]) -> None:
    import tomli_w

    text = tomli_w.dumps(data, multiline_strings=True)
    places = Places(text)
    found = set(places.keys) | set(places.values)
    assert found == set(paths(tomllib.loads(text))) - {()}
    for path, offset in places.values.items():
        value = tomllib.loads("v = " + text[offset:].split("\n", 1)[0]) if is_short(text, offset) else None
        if value is not None:
            expected: object = tomllib.loads(text)
            for key in path:
                expected = expected[key]  # type: ignore[index]
            assert value["v"] == expected


def is_short(text: str, offset: int) -> bool:
    """Say whether a whole number stands here alone on its line."""
    rest = text[offset:].split("\n", 1)[0]
    return rest.removeprefix("-").isdigit()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("1.5", 'expected a whole number, or a fraction in quotes as "1/2", got 1.5'),
        ("nan", 'expected a whole number, or a fraction in quotes as "1/2", got nan'),
        ("-inf", 'expected a whole number, or a fraction in quotes as "1/2", got -inf'),
        ("1979-05-27", "expected text or a whole number, got the date 1979-05-27"),
        ("07:32:00", "expected text or a whole number, got the date 07:32:00"),
        ("9223372036854775808", "expected a whole number up to 9223372036854775807, got a number too large"),
        ('"\\u001b[31m"', 'the text contains a control character: "<1b>[31m"'),
        ('"\\u202e"', 'the text contains a control or format character: "<202e>"'),
    ],
)
def test_what_no_file_of_ours_may_hold_is_named(value: str, words: str) -> None:
    for text, at in ((f"a = {value}", ("a",)), (f"a = [1, {{ b = {value} }}]", ("a", 1, "b"))):
        errors = find_invalid_values(tomllib.loads(text))
        assert [(error.at, error.text) for error in errors] == [(at, words)]


def test_line_ends_and_tabs_in_a_text_are_fit() -> None:
    assert not list(
        find_invalid_values(tomllib.loads('a = "one\\n\\ttwo é"\nb = 9223372036854775807\nc = true'))
    )
    assert next(find_invalid_values({"a\x1b": 1})).text == "the key contains a control character"


def test_a_result_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "record.toml"
    write_text(str(path), "a = 1\né\n")
    assert path.read_bytes() == "a = 1\né\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask()
    path.chmod(0o640)
    write_text(str(path), "a = 2\n")
    assert path.read_bytes() == b"a = 2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["record.toml"]


def umask() -> int:
    """Return the process's mask for new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_link_to_a_result_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.toml").symlink_to(tmp_path / "real.toml")
    write_text(str(tmp_path / "link.toml"), "a = 1\n")
    assert (tmp_path / "link.toml").is_symlink()
    assert (tmp_path / "real.toml").read_text() == "a = 1\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rate = 1/2", 'write a fraction in quotes: "1/2"'),
        ("losses = [1 / 5]", 'write a fraction in quotes: "1/5"'),
        ("rate = 50%", 'write a percentage in quotes: "50%"'),
        ("rate = 12,5%", 'a number has no comma; write a whole number, or text in quotes: "12,5%"'),
        ("strength = 012", 'a number does not begin with 0; write 12, or text in quotes: "012"'),
        ("name = 'The Guard's men'", 'the apostrophe ends this text; put the text in double quotes ("...")'),
        (
            'name = "The "Old" Guard"',
            "the second quote ends this text; put the text in single quotes ('...')",
        ),
        ("turn = 1;", 'remove the ";"'),
        ("turn = 1 // first", 'a comment begins with "#"'),
        ("x_ok = True", "write true in small letters"),
        ("turn\u00a0= 1", "this is a no-break space; write a normal space"),
        ("units = { a = 1, # bows", 'a table in { } must end with "}" on the same line'),
        ("units = { a = 1, }", "remove the last comma of this { } table"),
        ("[forces.bänd]", 'a key in [ ] has only a to z, 0 to 9, "-" and "_"; write a name as name = "..."'),
        ("[[the battle]]", 'a key in [ ] has only a to z, 0 to 9, "-" and "_"; write a name as name = "..."'),
        ("[forces.band", 'expected "]" at the end of this table name'),
        ("turn = 1 2", "expected the end of the line after a value"),
    ],
)
def test_a_common_slip_in_toml_has_its_remedy(line: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_toml("a.toml", f"first = 1\n{line}\nlast = 2\n".encode())
    assert [str(error) for error in caught.value.errors] == [f"a.toml:2: {words}"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none/a.toml", "none/a.toml cannot be written: the folder .*none does not exist; create it"),
        (".", "cannot be written: it is a folder"),
        ("a\0b", "cannot be written: the file name is not valid"),
        ("x" * 300, "cannot be written: the name is too long"),
    ],
)
def test_what_cannot_be_written_is_told_in_clear_words(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(SystemFailure, match=words):
        write_text(str(tmp_path / name), "a = 1\n")
    assert os.listdir(tmp_path) == []


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.toml"
    path.write_text("old")
    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(SystemFailure, match="the disk reports an error"):
                write_text(str(path), "new")
        assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["a.toml"])


def fail(*args: object) -> None:
    """Fail as a broken disk does."""
    raise OSError(5, "Input/output error")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_device_is_written_straight() -> None:
    write_text("/dev/null", "a = 1\n")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(SystemFailure, match="/dev/full cannot be written: the disk is full"):
        write_text("/dev/full", "a = 1\n")


def test_reading_a_file_loads_no_library() -> None:
    script = (
        "import sys; from cardbattle.files.toml import parse_toml; parse_toml('a', b'a = 1');"
        "print([name for name in ('pydantic', 'tomlrt', 'rich', 'tomli_w') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


NESTINGS = {
    "arrays": lambda deep: "a = " + "[" * deep + "]" * deep,
    "inline tables": lambda deep: "a = " + "{a = " * deep + "1" + "}" * deep,
    "both": lambda deep: "a = " + "[{a = " * deep + "1" + "}]" * deep,
    "items": lambda deep: (
        "".join(f"[[{'.'.join(['a'] * dots)}]]\n" for dots in range(1, 21)) + "b = " + "[" * deep + "]" * deep
    ),
    "mixed in a list": lambda deep: "a = [1, " + "[2, " * deep + "]" * deep + ", 3]",
}


@pytest.mark.parametrize("kind", NESTINGS)
@pytest.mark.parametrize("deep", [61, 100, 150, 300, 1000, 5000])
def test_what_is_nested_too_deep_is_refused_whatever_it_is(kind: str, deep: int) -> None:
    with pytest.raises(
        InvalidInput, match=r"^deep\.toml:\d+(: a)?: arrays or tables are nested too deep"
    ) as caught:
        parse_toml("deep.toml", f"# [[[[\n\n{NESTINGS[kind](deep)}".encode())
    assert with_place(caught.value.errors[0]).line >= 3


@pytest.mark.parametrize("kind", NESTINGS)
def test_what_is_not_too_deep_is_read_located_and_edited(kind: str) -> None:
    """Every reader goes as deep as the first of them lets through."""
    source = parse_toml("deep.toml", f"revision = 0\n{NESTINGS[kind](18)}\n".encode())
    assert source.locate(("revision",)) == (1, 12)
    assert edit_text(source, [], 1).startswith("revision = 1\n")

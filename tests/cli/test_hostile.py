"""What must never get in: no file, name or id makes a command fall over, hang, or write anything."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.cli.test_cli_campaign import bytes_in, state
from tests.cli.test_cli_campaign import war as war  # the same campaign
from tests.files.test_toml_suite import FILES, INVALID
from tests.support.tally import tried

BAD = sorted((Path(__file__).parents[1] / "bad" / "toml").glob("*.toml"))
TEXTS = {path.stem: path.read_bytes() for path in BAD} | {name: FILES[name] for name in INVALID[::40]}
IDS = [
    "../x", "../../x", "/etc/x", "..", ".", "", " ", "CON", "con", "nul", "com1", "x.", "x ", "-rf", "--all",
    "a/b",
    "a\\b", "a:b", "x\ny", "x\ty", "\x1b[31m", "a" * 41, "a" * 300, "Ä", "ﬁ", "٣", "fate", "stack", "$HOME",
    "`id`", "%s", "{x}", "*", "~", "a\u202eb",
]  # fmt: skip


def refuses(sh: Shell, code: int, *arguments: str) -> str:
    """Run a command that must refuse in clear words and at once; return them."""
    begun = process_time()
    said = sh(*arguments)
    assert process_time() - begun < 2
    assert (said.code, said.out) == (code, "")
    assert said.err.startswith("cardbattle: ")
    assert "Traceback" not in said.err
    assert "unexpected failure" not in said.err
    assert "\x1b" not in said.err
    return said.err


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_no_toml_gets_nowhere(name: str, sh: Shell, war: Path) -> None:
    (sh.folder / "bad.toml").write_bytes(TEXTS[name])
    before = bytes_in(war)
    for command in (["campaign", "import"], ["resolve"], ["verify"]):
        refuses(sh, 3, *command, "../bad.toml")
    assert bytes_in(war) == before
    (war / "campaign.toml").write_bytes(TEXTS[name])
    before = bytes_in(sh.folder)
    for word in ("show", "fight", "undo"):
        refuses(sh, 3, "campaign", word)
    refuses(sh, 1, "campaign", "check")
    assert bytes_in(sh.folder) == before
    tried("commands given a file that is no TOML", 7)


@pytest.mark.slow
@pytest.mark.parametrize("key", IDS, ids=ascii)
def test_an_id_never_becomes_a_path(key: str, sh: Shell, war: Path) -> None:
    import tomli_w

    sides = {"vaughan": {"losses": "0"}, "birch": {"losses": "0"}}
    text = tomli_w.dumps({"result": [{"id": key, "winners": [], "sides": sides}]})
    sh.write("war/result.toml", text)
    whole = war / "campaign.toml"
    old = whole.read_text(encoding="utf-8")
    before = bytes_in(sh.folder)
    refuses(sh, 3, "campaign", "import", "result.toml")
    for command in ("fight", "export", "undo", "history"):
        if key and not key.startswith("-"):
            refuses(sh, 3, "campaign", command, key)
    assert bytes_in(sh.folder) == before
    whole.write_text(old.replace('id = "mill"', tomli_w.dumps({"id": key}).strip()), encoding="utf-8")
    before = bytes_in(sh.folder)
    refuses(sh, 3, "campaign", "fight", "--all")
    refuses(sh, 3, "campaign", "export", "--sheet", "--", key)
    assert bytes_in(sh.folder) == before
    tried("ids that are none")


@pytest.mark.slow
def test_markup_in_names_stays_words(sh: Shell, war: Path) -> None:
    name = "[red]Birch[/] :skull: <b>&amp; *x*"
    whole = war / "campaign.toml"
    whole.write_text(
        whole.read_text(encoding="utf-8").replace('"Birch\'s Firelocks"', f'"{name}"'), encoding="utf-8"
    )
    for command in (["show"], ["fight"], ["history"], ["export", "mill", "--sheet", "--format", "plain"]):
        said = sh("campaign", *command)
        assert said.code == 0
        assert name in " ".join(said.out.split())
    page = sh("campaign", "report", "--format", "html").out
    assert "<b>" not in page
    assert "[red]Birch[/] :skull: &lt;b&gt;&amp;amp; *x*" in page
    assert state(war)["revision"] == 1

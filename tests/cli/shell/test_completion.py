"""The Tab key: what is offered, in the protocol of each shell, and in the shells that are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from cardbattle.campaign.storage.demo import copy_to
from cardbattle.cli.root import command_line
from cardbattle.cli.shell import completion
from cardbattle.cli.shell.command_tree import command_tree
from cardbattle.cli.shell.completion import SHELLS, install_script, rejoin, script_for
from cardbattle.cli.shell.partial_line import typed_line
from cardbattle.cli.shell.suggestions import PATHS, VALUES, suggestions_for
from cardbattle.core.errors import InvalidInput
from cardbattle.files.errors import SystemFailure
from tests.cli.test_cli import TWO, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.simulation.test_workers import linux_only
from tests.support.command_tree import command_tree_text
from tests.support.key_table import key_table_text

FREE = {"N", "N|TEXT", "P%", "ADDRESS", "OPTION", "OPTION[=STEP]", "A:D,...", "DICE", "VALUES", "TEXT"}
FREE |= {"NAME[=COMMAND]", "STEP", "ELO0,ELO1", "LAW", "LETTERS", "VALUE"}
FREE |= {
    "REVISION",
    "FORMAT",
    "NEWKEY",
    "TIME",
    "RECEIPT",
    "NAME",
    "ID",
    "SIDE=engine:NAME",
    "NAME=N",
}  # numbers and words of one's own; FORMAT has them from its help


@pytest.fixture
def war(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the demo's folder, with one more battle on record; it is the working directory."""
    folder = Path(copy_to("war"))
    (folder / "records").mkdir()
    (folder / "records" / "the-inn.2.toml").write_text("", encoding="utf-8")
    monkeypatch.chdir("war")
    return folder


def offered(line: str) -> list[str]:
    """Return the suggestions at the end of a line, whose last word is incomplete."""
    *words, word = line.split(" ")
    return [one.value for one in suggestions_for(typed_line(command_tree(), words), word)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("camp", ["campaign"]),
        ("campaign st", ["standings", "story"]),
        ("campaign fight --al", ["--all"]),
        ("campaign fight --no", ["--no-odds", "--no-color"]),
        ("campaign fight ", ["teme-ford", "mill", "orchard"]),
        ("campaign fight mill o", ["orchard"]),
        ("campaign export m", ["mill"]),
        ("campaign undo ", ["the-inn"]),
        ("campaign override ", ["teme-ford", "mill", "orchard", "the-inn"]),
        ("campaign override mill --winner ", ["vaughan", "birch"]),
        ("campaign override mill --losses b", ["birch="]),
        ("campaign history --about m", ["massie", "mill"]),
        ("campaign history --kind un", ["undo"]),
        ("campaign adjust fac", ["factions."]),
        ("campaign adjust factions.k", ["factions.king."]),
        (
            "campaign adjust factions.king.p",
            [
                "factions.king.points=",
                "factions.king.plural=",
                "factions.king.purse=",
                "factions.king.peace=",
                "factions.king.player=",
            ],
        ),
        ("campaign set fac", ["factions."]),
        (
            "campaign set factions.king.p",
            [
                "factions.king.points=",
                "factions.king.plural=",
                "factions.king.purse=",
                "factions.king.peace=",
                "factions.king.player=",
            ],
        ),
        ("campaign set factions.king.peace+=p", ["factions.king.peace+=parliament"]),
        ("campaign set visibility.strength=", [f"visibility.strength={w}" for w in ("all", "rough", "own")]),
        ("campaign set visibility.strength r", ["rough"]),
        ("campaign set forces.birch.commander v", ["veteran"]),
        ("campaign unset calendar.f", ["calendar.first_day"]),
        ("campaign edit mill --set st", ["stakes="]),
        ("campaign cancel m", ["mill"]),
        ("campaign set forces.*.strength=1 --where fac", ["faction="]),
        ("campaign set forces.*.strength=1 --where faction=k", ["faction=king"]),
        ("campaign add assert dest", ["destroyed="]),
        ("campaign add fixtures kind=kn", ["kind=knock-out"]),
        ("campaign add weather mov", ["movement="]),
        ("campaign add table expe", ["experience", "experience.steps"]),
        ("campaign add table movement stack", ["stacking="]),
        ("campaign add table experience.steps tit", ["title="]),
        ("campaign add table deadlines missed=fo", ["missed=forfeit"]),
        ("odds wargame --side g", ["green="]),
        ("odds wargame --side green=ve", ["green=veteran"]),
        ("odds --side=green=v wargame --detail ", []),
        ("resolve wargame --detail ", ["brief", "story", "log", "tale", "audit"]),
        ("resolve wargame --detail=b", ["--detail=brief"]),
        (
            "resolve wargame --format ",
            [*["text", "plain", "json", "md", "html", "discord", "bbcode", "obsidian"]],
        ),
        ("resolve wargame --for b", ["brown"]),
        ("resolve wargame --set ", ["house.", "brown.", "green."]),
        ("resolve strategy-war --set house.ro", ["house.rounds="]),
        ("resolve ../two.toml --for l", ["lancaster"]),
        ("resolve w", ["/", "wargame", "warmonger", "warfare-tactics"]),
        ("replay re", ["/"]),
        ("config set co", ["color"]),
        ("schema re", ["record", "results-file", "replay", "resolve"]),
        ("schema campaign sta", ["standings"]),
        ("schema proto", ["protocol"]),
        ("schema protocol a", ["answer", "ask"]),
        ("schema campaign orders s", ["show", "status"]),
        ("campaign -C ", ["/"]),
        ("campaign import records/", ["/"]),
        ("resolve -o ", ["/"]),
        ("rules st", ["strategy-war"]),
        ("resolve wargame --seed ", []),
        ("nonsense ", []),
        ("campaign nonsense ", []),
        ("commanders ", []),
        ("--sh", ["--show-completion", "--shell"]),
        ("--show-completion --shell f", ["fish"]),
        ("resolve -- --s", ["/"]),
    ],
)
def test_the_tab_key_offers(sh: Shell, war: Path, line: str, values: list[str]) -> None:
    sh.write("two.toml", TWO)
    assert offered(line) == values


def test_the_campaign_is_the_one_that_is_named_before_or_after_the_command(
    war: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("..")
    assert offered("campaign fight ") == []
    for where in ("war", "war/campaign.toml", str(war)):
        assert offered(f"campaign -C {where} fight m") == ["mill"]
        assert offered(f"campaign fight -C {where} m") == ["mill"]
        assert offered(f"campaign -C{where} fight m") == ["mill"]


def parameters(command: Any) -> Iterator[Any]:
    """Yield the parameters of a command and all below it that take a value."""
    yield from (one for one in command.params if not getattr(one, "is_flag", False))
    for below in getattr(command, "commands", {}).values():
        yield from parameters(below)


def test_the_completion_data_is_that_of_the_commands() -> None:
    file = resources.files("cardbattle").joinpath("data", "completion", "commands.json")
    assert file.read_text(encoding="utf-8") == command_tree_text(), "run: make docs"


def test_the_completed_keys_are_those_of_the_campaign_model() -> None:
    file = resources.files("cardbattle").joinpath("data", "completion", "keys.json")
    assert file.read_text(encoding="utf-8") == key_table_text(), "run: make docs"


@pytest.mark.slow
def test_completion_imports_neither_typer_nor_any_command() -> None:
    code = "import runpy, sys; sys.argv = ['cardbattle', '--complete=bash', '--word=', 'campaign', 'fight']\n"
    code += "runpy.run_module('cardbattle', run_name='__main__')\n"
    code += "print({'typer', 'pydantic', 'rich', 'cardbattle.cli.campaign'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"


def test_whatever_the_help_names_is_completed_or_free() -> None:
    for parameter in parameters(command_line()):
        metavar = parameter.metavar or ""
        parts = [metavar] if metavar in VALUES else metavar.replace("...", "").split("|")
        known = {*VALUES, *PATHS, *FREE}
        assert metavar in FREE or all(
            part in known or part.strip("[]") in known or part.endswith((".toml", ".csv")) for part in parts
        ), f"{parameter.name}: {metavar}"


def test_an_order_to_move_is_completed_word_by_word(war: Path) -> None:
    def words(*typed: str) -> set[str]:
        line = ["campaign", "orders", "give", "birch", *typed]
        return set(SHELLS["bash"].answer(command_tree(), line, "").split())

    assert words() == {"hold", "march", "join"}
    assert words("march") == {"to"}
    assert {"mill", "orchard"} <= words("march", "to")
    assert {"massie", "lunsford"} <= words("join")
    with open("campaign.toml", "a", encoding="utf-8") as file:
        file.write("[recruit]\ncost = 3\n")
    assert words() == {"hold", "march", "join", "hire"}


def test_each_shell_is_answered_as_it_asks(war: Path) -> None:
    words = ["campaign", "override", "mill", "--winner"]
    assert SHELLS["bash"].answer(command_tree(), words, "") == "vaughan\nbirch\n"
    assert (
        SHELLS["zsh"].answer(command_tree(), words, "")
        == "vaughan:Vaughan's Horse\nbirch:Birch's Firelocks\n"
    )
    for shell in ("fish", "powershell"):
        assert SHELLS[shell].answer(command_tree(), words, "b") == "birch\tBirch's Firelocks\n"
    assert (
        SHELLS["bash"].answer(command_tree(), ["odds", "wargame", "--side", "green", "="], "vet")
        == "veteran\n"
    )
    assert SHELLS["bash"].answer(command_tree(), ["odds", "wargame", "--side", "green"], "=") == "".join(
        f"{rank}\n" for rank in ("green", "regular", "seasoned", "veteran", "elite")
    )
    assert SHELLS["bash"].answer(command_tree(), ["campaign", "-C", '"."', "fight"], "m") == "mill\n"
    assert rejoin([]) == []


def test_no_name_of_an_umpires_acts_in_the_shell(war: Path) -> None:
    books = war / "campaign.toml"
    text = books.read_text(encoding="utf-8").replace(
        'name = "Colonel Lunsford"', 'name = "a\\nb\\tc\\u001b[31m"'
    )
    books.write_text(text + '\n[forces."$(touch x)"]\nstrength = 1\n', encoding="utf-8")
    for shell in SHELLS.values():
        told = shell.answer(command_tree(), ["campaign", "history", "--about"], "")
        assert "$(" not in told
        assert "\x1b" not in told
        assert len([line for line in told.splitlines() if line.startswith("lunsford")]) == 1


def asked(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Ask the program as a shell's script does."""
    command = [sys.executable, "-m", "cardbattle", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--complete=bash", "--word=", "campaign", "fight"],
        ["--complete=tcsh", "--word=", "campaign", "fight"],
        ["--complete=bash"],
    ],
    ids=["a broken campaign", "another shell", "no word"],
)
def test_what_goes_wrong_is_passed_over_in_silence_and_nothing_is_done(
    war: Path, arguments: list[str]
) -> None:
    (war / "campaign.toml").write_text('[[pending]]\nid = "mill"\nsides = [', encoding="utf-8")
    before = {path: path.read_bytes() for path in war.rglob("*") if path.is_file()}
    done = asked(war, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path: path.read_bytes() for path in war.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_two_thousand_forces_are_all_offered(war: Path) -> None:
    with (war / "campaign.toml").open("a", encoding="utf-8") as books:
        for number in range(2000):
            books.write(f'\n[forces.f{number}]\nfaction = "king"\nstrength = 1\n')
    done = asked(war, "--complete=fish", "--word=forces.f", "campaign", "adjust")
    assert (len(done.stdout.splitlines()), done.stderr) == (2000, "")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty home, where nothing says otherwise."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.mark.parametrize(("shell", "reader"), [("bash", ".bashrc"), ("zsh", ".zshrc")])
def test_a_script_is_installed_and_read_once(sh: Shell, home: Path, shell: str, reader: str) -> None:
    (home / reader).write_bytes(b"alias ll='ls -l'\xff")
    for _ in range(2):
        said = sh("--install-completion", "--shell", shell)
        assert (said.code, said.err) == (0, "")
    script = home / ".local" / "share" / "cardbattle" / f"completion.{shell}"
    assert script.read_text(encoding="utf-8") == sh("--show-completion", "--shell", shell).out
    assert (home / reader).read_bytes() == b"alias ll='ls -l'\xff\n" + f"source '{script}'\n".encode()
    assert str(script) in said.out


def test_fish_reads_its_script_by_itself(sh: Shell, home: Path) -> None:
    assert sh("--install-completion", "--shell", "fish").code == 0
    script = home / ".config" / "fish" / "completions" / "cardbattle.fish"
    assert script.read_text(encoding="utf-8") == script_for("fish")
    assert sorted(path.name for path in home.iterdir()) == [".config"]


def test_powershell_reads_its_script_from_its_profile(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = home / "Documents" / "PowerShell" / "profile.ps1"

    def told(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
        assert command[1:] == ["-NoProfile", "-NonInteractive", "-Command", "$PROFILE"]
        return subprocess.CompletedProcess(command, 0, f"{profile}\n", "")

    monkeypatch.setattr(subprocess, "run", told)
    install_script("powershell")
    script = profile.parent / "cardbattle-completion.ps1"
    assert script.read_text(encoding="utf-8") == script_for("powershell")
    assert profile.read_text(encoding="utf-8") == f". '{script}'\n"


def test_powershell_that_is_not_there_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InvalidInput, match="cardbattle --show-completion --shell powershell"):
        install_script("powershell")


def test_a_home_that_cannot_be_written_is_told(home: Path) -> None:
    (home / ".local").write_text("", encoding="utf-8")
    with pytest.raises(SystemFailure):
        install_script("bash")


def test_the_shell_at_hand_is_found_or_asked_for(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "running_shell", lambda: "pwsh")
    assert sh("--show-completion").out == script_for("powershell")
    assert sh("--show-completion", "--shell", "Zsh").out == script_for("zsh")
    for name, told in (("", "the shell cannot be detected"), ("tcsh", 'unknown shell "tcsh"')):
        monkeypatch.setattr(completion, "running_shell", lambda name=name: name)
        said = sh("--install-completion")
        assert (said.code, said.out) == (2, "")
        assert said.err == f"cardbattle: {told}; name one with --shell: bash, zsh, fish or powershell\n"


def in_shell(shell: str, code: str, folder: Path) -> str:
    """Return what a real shell prints; the program is on its path."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "HOME": str(folder), "TERM": "dumb"}
    done = subprocess.run([program, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout


@pytest.mark.slow
def test_bash_completes(war: Path) -> None:
    code = f"""{script_for("bash")}
    compopt() {{ :; }}
    ask() {{
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cardbattle_complete
        printf '%s;' "${{COMPREPLY[@]}}"
    }}
    ask cardbattle campaign fight ''
    ask cardbattle odds wargame --side green = v
    ask cardbattle resolve camp"""
    told = in_shell("bash", code, war)
    assert told.startswith("teme-ford;mill;orchard;veteran;")
    assert set(told.removeprefix("teme-ford;mill;orchard;veteran;").split(";")) == {
        "campaign.schema.json", "campaign.toml", "",
    }  # fmt: skip


def test_fish_completes(war: Path) -> None:
    code = f"""{script_for("fish")}
    complete -C 'cardbattle campaign fight m'
    complete -C 'cardbattle resolve campaign.t'"""
    assert in_shell("fish", code, war).splitlines() == [
        "mill\tnoon; the wheel is turning and nobody hears the orders",
        "campaign.toml",
    ]


@pytest.mark.slow
@linux_only
def test_zsh_completes(war: Path, tmp_path: Path) -> None:
    script = tmp_path / "completion.zsh"
    script.write_text(script_for("zsh"), encoding="utf-8")
    code = f"""zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PROMPT=; autoload -Uz compinit; compinit -u; source {script}; print READY'
    zpty -r shell seen '*READY*READY*'
    zpty -n -w shell $'cardbattle campaign fight \\t\\t'
    zpty -r shell seen '*orchard*'
    print -r -- "$seen" """
    told = in_shell("zsh", code, war)
    assert "mill " in told
    assert "-- noon; the wheel is turning" in told
    assert "orchard\n" in told

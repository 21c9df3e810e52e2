"""The first things that somebody types: help, names written otherwise, the wrong kind of file, keys."""

from __future__ import annotations

import pytest

from tests.reference import commands_in
from tests.test_cli import Shell
from tests.test_cli import sh as sh  # the same shell


@pytest.mark.parametrize("group", [[], ["campaign"]])
def test_help_has_every_summary_whole_in_80_columns(sh: Shell, group: list[str]) -> None:
    page = sh(*group, "--help").out
    assert max(map(len, page.splitlines())) <= 80
    lines = page.partition("\nCommands:\n")[2].partition("\n\n")[0].splitlines()
    assert len(lines) == len(commands_in(page)) > 10
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)


@pytest.mark.parametrize("group", [[], ["campaign"]])
def test_a_group_alone_prints_its_help_whole(sh: Shell, group: list[str]) -> None:
    said = sh(*group)
    assert (said.code, said.err) == (2, "")
    assert said.out == sh(*group, "--help").out

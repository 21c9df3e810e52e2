"""The commands of the conformance suite: `cases list`, `show`, `run`, `check` and `perft`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from cardbattle.cli import options
from cardbattle.cli.command_table import CASES
from cardbattle.cli.lazy_group import Group, LazyGroup
from cardbattle.cli.output import write_file
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, WITH_NUMBERS, CommandGroup, Printer
from cardbattle.conformance.case_file import (
    Case,
    Suite,
    built_in_suite,
    cases_by_issue,
    find_case,
    find_position,
    read_suite,
)
from cardbattle.conformance.perft import count_position
from cardbattle.conformance.statement import compare, own_results, read_results, results_table
from cardbattle.rules import find
from cardbattle.show.pages.cases import case_page, cases_page, perft_page, statement_page
from cardbattle.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = CommandGroup()
cases = typer.Typer(
    name="cases",
    cls=LazyGroup,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog="cardbattle cases list --rules wargame\ncardbattle cases check results.json",
)
GROUP = Group(cases, CASES)
Names = Annotated[
    list[str] | None,
    argument(
        "CASE",
        "Key of a case or of an issue (ambiguous rule), such as wg-higher-spy or WG-I1.  [default: all]",
        callback=options.as_keys,
    ),
]
RulesOption = Annotated[
    str,
    option("--rules RULES", "Only this rule set.", callback=options.as_rules),
]
CaseFile = Annotated[
    str,
    option("--file CASES.toml", "A file of cases, instead of the built-in suite."),
]


@cases.callback()
def cases_group() -> None:
    """Run the conformance suite, or check another program's results.

    docs/conformance.md describes the format of cases and results.
    """


def whole_suite(rules: str, file: str) -> Suite:
    """Return the suite in a file, or the built-in suite. If `rules` is set, keep only its cases."""
    suite = read_suite(file) if file else built_in_suite()
    return suite.of_rules(find(rules).key) if rules else suite


def cases_to_run(suite: Suite, names: Sequence[str]) -> list[Case]:
    """Return the named cases, and all cases of the named issues. Without names, return all cases."""
    issues = {issue.id.lower(): issue.id for issue in suite.issues}
    if not names:
        return suite.cases
    cases = []
    for name in names:
        if name in issues:
            cases += [case for case in suite.cases if issues[name] in case.issues]
        else:
            cases.append(find_case(suite, name))
    return cases


def parts_to_show(suite: Suite, names: Sequence[str]) -> Suite:
    """Return the named cases and issues, with the issues of the cases. Without names, return all."""
    if not names:
        return suite
    cases = [find_case(suite, name) for name in names if name not in map(str.lower, issue_ids(suite))]
    shown = {issue.lower() for case in cases for issue in case.issues} | set(names)
    return Suite([issue for issue in suite.issues if issue.id.lower() in shown], cases, [])


def issue_ids(suite: Suite) -> list[str]:
    """Return the ids of the issues, which are places where a rule book is ambiguous."""
    return [issue.id for issue in suite.issues]


@COMMANDS.command(
    "cardbattle cases list --rules wargame\ncardbattle cases list --format csv -o cases.csv", WITH_NUMBERS
)
def list_command(to: Printer, rules: RulesOption = "", file: CaseFile = "") -> None:
    """List the cases of the conformance suite."""
    to.show(cases_page(whole_suite(rules, file)))


@COMMANDS.command(
    "cardbattle cases show wg-higher-spy\ncardbattle cases show WG-I1\ncardbattle cases show --json",
    ALL,
)
def show_command(to: Printer, names: Names = None, rules: RulesOption = "", file: CaseFile = "") -> None:
    """Print cases of the conformance suite in full.

    With --json, other programs can read the cases. For an issue, such as WG-I1, the command prints the
    possible readings of the rule, and why one of them was chosen.
    """
    suite = whole_suite(rules, file)
    to.show(case_page(parts_to_show(suite, names or []), cases_by_issue(suite)))


@COMMANDS.command("cardbattle cases run --rules wargame\ncardbattle cases run --results results.json", ALL)
def run_command(
    to: Printer,
    names: Names = None,
    rules: RulesOption = "",
    file: CaseFile = "",
    results: Annotated[
        str,
        option(
            "--results FILE",
            "Also write the results to FILE, which `cases check` can read.",
            callback=options.validate_output,
        ),
    ] = "",
) -> None:
    """Run cases of the conformance suite with this program.

    The exit code is 1 if a case fails.
    """
    suite = whole_suite(rules, file)
    suite = suite._replace(cases=cases_to_run(suite, names or []))
    answers = own_results(suite.cases, __version__)
    if results:
        text = json.dumps(results_table(answers), ensure_ascii=False, indent=1)
        write_file(results, f"{text}\n", to.quiet)
    statement = compare(suite, answers)
    to.show(statement_page(statement))
    if not statement.has_passed:
        raise typer.Exit(1)


@COMMANDS.command(
    "cardbattle cases check results.json\ncardbattle cases check results.json -o COMPLIANCE.md", ALL
)
def check_command(
    to: Printer,
    results: Annotated[str, argument("FILE", "A results file, or - for standard input.")],
    file: CaseFile = "",
) -> None:
    """Check another program's results, and print its compliance statement.

    The exit code is 1 if a case fails.
    """
    statement = compare(read_suite(file) if file else built_in_suite(), read_results(results))
    to.show(statement_page(statement))
    if not statement.has_passed:
        raise typer.Exit(1)


@COMMANDS.command("cardbattle cases perft sw-perft-two-sides\ncardbattle cases perft --depth 3", ALL)
def perft_command(
    to: Printer,
    names: Annotated[
        list[str] | None,
        argument(
            "POSITION",
            "Key of a position, such as sw-perft-two-sides.  [default: all]",
            callback=options.as_keys,
        ),
    ] = None,
    rules: RulesOption = "",
    file: CaseFile = "",
    depth: Annotated[
        int,
        option(
            "--depth N",
            "Decisions in the longest sequence.  [default: as in the suite's published numbers]",
            min=0,
            max=1000,
            show_default=False,
        ),
    ] = 0,
) -> None:
    """Count the decision sequences from small positions, by length (perft).

    The positions are small battles of the conformance suite. The exit code is 1 if a count differs from the
    count in the suite.
    """
    suite = whole_suite(rules, file)
    positions = [find_position(suite, name) for name in names] if names else suite.positions
    counts = [count_position(position, depth) for position in positions]
    to.show(perft_page(counts))
    if not all(count.agrees for count in counts):
        raise typer.Exit(1)

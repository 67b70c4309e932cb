"""`flexarm validate`: numbers known from elsewhere, and what this installation finds for them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.failures import report_failure
from flexarm.cli.options import console_options
from flexarm.cli.terminal.console import Console, counted
from flexarm.cli.terminal.interrupt import interruptible
from flexarm.errors import SolverError
from flexarm.hints import did_you_mean

if TYPE_CHECKING:
    from flexarm.validation.case import CaseResult

EPILOG = """\b
Example:
  flexarm validate --list
  flexarm validate --case usoro-energy --case sy94-torques
  flexarm validate --case de-luca-siciliano --markdown

Without --case all cases are run, which takes about half a minute. The exit code is 3 if one of them fails.
Sources in brackets are those of docs/references.bib.
"""


@click.command(epilog=EPILOG)
@click.option("--case", "names", multiple=True, metavar="NAME", help="Only this case; may be repeated.")
@click.option("--list", "listed", is_flag=True, help="List the cases and compute nothing.")
@click.option("--markdown", is_flag=True, help="Print a Markdown table.")
@console_options
def validate(names: tuple[str, ...], listed: bool, markdown: bool, console: Console) -> int:
    """Compare what flexarm finds with numbers known from elsewhere.

    Published numbers, closed forms, conservation laws and independent programs; nothing is written.
    """
    chosen = _known(names)
    if listed:
        _list(chosen, console)
        return 0
    begin = time.monotonic()
    with console.progress("validating") as progress, interruptible(progress) as on_progress:
        results = flexarm.validate(chosen, progress=on_progress)
    if markdown:
        from flexarm.validation.table import markdown_table

        click.echo(markdown_table(results))
    else:
        for result in results:
            _report_case(result, console)
        console.write(f"{counted(len(results), 'case')} in {time.monotonic() - begin:.0f} s")
    failed = [result.case.name for result in results if not result.passed]
    if failed:
        report_failure(f"{len(failed)} of {counted(len(results), 'case')} failed: {', '.join(failed)}")
    return SolverError.exit_code if failed else 0


def _known(names: tuple[str, ...]) -> list[str]:
    """The chosen cases, each once; all of them if none is named."""
    from flexarm.validation.registry import CASES

    for name in names:
        if name not in CASES:
            hint = did_you_mean(name, CASES, "--list shows all of them")
            raise click.UsageError(f"no case '{name}'; {hint}", click.get_current_context())
    return list(dict.fromkeys(names)) or list(CASES)


def _list(names: list[str], console: Console) -> None:
    from flexarm.validation.registry import CASES

    console.table([(name, _plain(CASES[name].quantity)) for name in names], "<<")


def _report_case(result: CaseResult, console: Console) -> None:
    case = result.case
    console.write(f"{result.verdict:5} {case.name}: {_plain(case.quantity)}")
    console.write(f"      found     {result.found_text}")
    console.write(f"      reference {result.expected_text} ({case.source}; tolerance {case.tolerance_text})")


def _plain(text: str) -> str:
    """Leave out the marks of Markdown."""
    return text.replace("`", "")

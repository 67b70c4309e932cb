"""Error messages and exit codes of the command line: one line each on stderr, never a traceback."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from dataclasses import replace

import click

from flexarm.cli.terminal.signals import signals
from flexarm.errors import FlexarmError, ResultError, SolverError, SpecError, printable

DEBUG = "FLEXARM_DEBUG"


PARAMETER = re.compile(r"`(\w+)`")
"""A parameter of the library in a hint; the option of the same name stands for it on the command line."""
OTHER_NAMES = {"inputs": "input", "outputs": "observe"}
"""Parameters whose options have another name."""


def with_options(text: str) -> str:
    """Name the options of the command line where a text names parameters of the library."""
    return PARAMETER.sub(lambda name: f"--{OTHER_NAMES.get(name[1], name[1]).replace('_', '-')}", text)


def report_failure(message: str) -> None:
    """Write an error message on stderr, each of its lines marked as an error."""
    for line in printable(message).split("\n"):
        click.echo(f"flexarm: error: {line}", err=True)


def explained(command: Callable[[], object]) -> int:
    """Run a command and report its failure, if it fails.

    Returns
    -------
    int
        Exit code: what the command returned (None is 0) or what its failure stands for.
    """
    try:
        with warnings.catch_warnings():
            # NumPy's raw ones: what is not finite is told in words by whoever meets it
            warnings.simplefilter("ignore", RuntimeWarning)
            code = command()
    except FlexarmError as failure:
        if isinstance(failure, SpecError):
            failure = SpecError([replace(one, hint=with_options(one.hint)) for one in failure.problems])
        else:
            failure.hint = with_options(failure.hint)
        report_failure(str(failure))
        return failure.exit_code
    except click.UsageError as failure:
        path = failure.ctx.command_path if failure.ctx else "flexarm"
        report_failure(f"{_one_line(failure.format_message())} (see: {path} --help)")
        return failure.exit_code
    except click.Abort:
        report_failure("interrupted; nothing was written")
        return SolverError.exit_code
    except MemoryError:
        report_failure("out of memory; sample less often or simulate a shorter time")
        return ResultError.exit_code
    except OSError as failure:
        place = f"{failure.filename}: " if failure.filename else ""
        report_failure(place + _one_line(failure.strerror or str(failure)))
        return ResultError.exit_code
    except Exception as failure:
        if signals.arrived:  # of which a library has made a failure of its own
            report_failure("interrupted; nothing was written")
            return SolverError.exit_code
        if os.environ.get(DEBUG):
            raise
        what = _one_line(f"{type(failure).__name__}: {failure}")
        report_failure(f"internal error, please report it ({DEBUG}=1 shows the traceback): {what}")
        return SolverError.exit_code
    return code if isinstance(code, int) else 0


def _one_line(text: str) -> str:
    return " ".join(text.split())

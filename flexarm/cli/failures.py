"""Failures as their users see them: one line each on stderr, an exit code, never a traceback."""

from __future__ import annotations

import os
from collections.abc import Callable

import click

from flexarm.errors import FlexarmError, ResultError, SolverError

DEBUG = "FLEXARM_DEBUG"


def tell(message: str) -> None:
    """Write one line per line of the message on stderr, each marked as an error."""
    for line in message.splitlines():
        click.echo(f"flexarm: error: {line}", err=True)


def explained(command: Callable[[], object]) -> int:
    """Run a command and tell how it failed, if it did.

    Returns
    -------
    int
        Exit code: what the command returned (None is 0) or what its failure stands for.
    """
    try:
        code = command()
    except FlexarmError as failure:
        tell(str(failure))
        return failure.exit_code
    except click.UsageError as failure:
        path = failure.ctx.command_path if failure.ctx else "flexarm"
        tell(f"{_one_line(failure.format_message())} (see: {path} --help)")
        return failure.exit_code
    except click.Abort:
        tell("interrupted; nothing was written")
        return SolverError.exit_code
    except MemoryError:
        tell("out of memory; sample less often or simulate a shorter time")
        return ResultError.exit_code
    except OSError as failure:
        place = f"{failure.filename}: " if failure.filename else ""
        tell(place + _one_line(failure.strerror or str(failure)))
        return ResultError.exit_code
    except Exception as failure:
        if os.environ.get(DEBUG):
            raise
        what = _one_line(f"{type(failure).__name__}: {failure}")
        tell(f"internal error, please report it ({DEBUG}=1 shows the traceback): {what}")
        return SolverError.exit_code
    return code if isinstance(code, int) else 0


def _one_line(text: str) -> str:
    return " ".join(text.split())

"""Arguments and options that several commands share."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from flexarm.cli.terminal.console import Console
from flexarm.hints import did_you_mean

COMMAND_LINE = "flexarm.command_line"
"""Entry of the context that holds the command line as it was typed."""


class FiniteRange(click.FloatRange):
    """Range of numbers; infinity and NaN, which no range keeps out, are none of it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a finite number of the range."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"got {number}, expected a finite number", param, ctx)
        return number


arm_argument = click.argument("arm", type=click.Path(path_type=Path), metavar="ARM")

trajectory_option = click.option(
    "--trajectory",
    type=click.Path(path_type=Path),
    required=True,
    metavar="TRAJ",
    help="YAML file that describes what the tip or the joints should do.",
)

max_stress_option = click.option(
    "--max-stress",
    type=FiniteRange(min=0, min_open=True),
    metavar="PA",
    help="Allowed von Mises stress of the links that have a section, at the stations of the run block.",
)

overwrite_option = click.option("--overwrite", is_flag=True, help="Replace what exists.")

plots_option = click.option(
    "--plots", is_flag=True, help="Draw the pictures too, in a folder beside the result."
)


def output_option(default: str) -> Callable[..., Any]:
    """Add -o to a command; `default` names the file without it."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"Result file [default: {default}].",
    )


def console_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add -v and -q to a command, which receives them as one argument, `console`."""

    @click.option("-v", "--verbose", is_flag=True, help="Write more.")
    @click.option("-q", "--quiet", is_flag=True, help="Write nothing but errors.")
    @functools.wraps(command)
    def with_console(*args: Any, verbose: bool, quiet: bool, **kwargs: Any) -> Any:
        if verbose and quiet:
            raise click.UsageError("-v and -q exclude each other", click.get_current_context())
        console = Console(verbose=verbose, quiet=quiet)
        console.listen()
        return command(*args, console=console, **kwargs)

    return with_console


class NameChoice(click.ParamType):
    """Type of an option that takes a name of a table of the catalogue."""

    name = "name"

    def __init__(self, known: Iterable[str], former: Mapping[str, str] = MappingProxyType({})):
        self.known, self.former = tuple(known), former

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a known name, or fail with the nearest one, or with that in the place of a former one."""
        if value in self.former:
            self.fail(f"got '{value}', which is no method any more; write {self.former[value]}", param, ctx)
        if value not in self.known:
            hint = did_you_mean(value, self.known, f"expected one of {', '.join(self.known)}")
            self.fail(f"got '{value}'; {hint}", param, ctx)
        return value

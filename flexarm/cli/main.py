"""The command `flexarm`: a group whose commands are imported only when they are called."""

from __future__ import annotations

import importlib
import keyword
import shlex
import sys
from typing import Any

import click

from flexarm import __version__
from flexarm.cli.failures import explained
from flexarm.cli.options import COMMAND_LINE
from flexarm.hints import did_you_mean

COMMANDS = {
    "new": "Write a commented starter arm.",
    "import": "Write the arm of a robot that a URDF file describes.",
    "examples": "List the arms that come with flexarm, or copy some of them.",
    "check": "Report coordinates, masses, frequencies and damping of an arm, and what looks wrong.",
    "simulate": "Simulate an arm and write the result.",
    "inverse": "Find the torques with which the tip follows a trajectory.",
    "payload": "Find the largest load that an arm can carry along a trajectory.",
    "equilibrium": "Find the static equilibrium of an arm: posture, deflections, stability.",
    "modes": "Find natural frequencies, damping ratios and mode shapes of an arm.",
    "linearize": "Write a linear state-space model of an arm; list poles and transmission zeros.",
    "frf": "Find frequency responses of an arm.",
    "design": "Design a feedback controller for an arm, and say how robust it is.",
    "fatigue": "Count the cycles of stress in a result and add up their damage.",
    "converge": "Estimate the error of a run, and find the cheapest description that is accurate enough.",
    "sweep": "Simulate an arm many times with varied numbers.",
    "sensitivity": "Find how results of a simulation change with the numbers of its description.",
    "identify": "Fit numbers of an arm to measurements, and say what the fit is worth.",
    "plot": "Draw the pictures of results.",
    "animate": "Draw the arm of a result in motion.",
    "report": "Write a page about a result.",
    "compare": "Compare formulations: agreement, operations and speed.",
    "equations": "Print the equations of motion of an arm in closed form.",
    "export": "Write the equations of motion of an arm for other programs.",
    "validate": "Compare what flexarm finds with numbers known from elsewhere.",
    "schema": "Print the JSON Schema of arm descriptions.",
}
"""Commands and what --help says of them; command NAME is the function NAME of flexarm/cli/NAME.py, or NAME_ of NAME_.py
where Python keeps the word to itself."""

DEFERRED = "importlib.metadata", "entry_points"
"""Module, which loads all that reads e-mail, and its function with which pydantic would look for plugins."""


class CommandGroup(click.Group):
    """The commands of `COMMANDS`."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> click.Context:
        """Remember the whole command line for the results that it leaves."""
        typed = shlex.join(["flexarm", *args])
        ctx = super().make_context(info_name, args, *more, **extra)
        ctx.meta[COMMAND_LINE] = typed
        return ctx

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order in which an arm passes through them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command."""
        if cmd_name not in COMMANDS:
            return None
        from flexarm.cli.deferred_module import defer  # the list of commands appears quicker without

        defer(*DEFERRED)
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        return getattr(importlib.import_module(f"flexarm.cli.{name}"), name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command that the first argument names, or suggest the nearest."""
        name = args[0]
        if name not in COMMANDS and not ctx.resilient_parsing:
            hint = did_you_mean(name, COMMANDS, f"commands are {', '.join(COMMANDS)}")
            ctx.fail(f"no command '{name}'; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:
        """Run, explain any failure in one line, exit with its code."""
        if not standalone_mode:
            return super().main(*args, standalone_mode=False, **kwargs)
        run = super().main
        sys.exit(explained(lambda: run(*args, standalone_mode=False, **kwargs)))


EPILOG = """\b
Example:
  flexarm check robots/usoro_two_link.yaml
  flexarm simulate robots/usoro_two_link.yaml --plots --overwrite

\b
Exit codes: 0 done, 2 bad input, 3 the computation failed (what was computed is kept), 4 file trouble.
"""


@click.group(cls=CommandGroup, epilog=EPILOG, invoke_without_command=True)
@click.option(
    "--version",
    is_flag=True,
    help="Show the version and exit; with -v those of its libraries and the processor.",
)
@click.option("-v", "--verbose", is_flag=True, hidden=True)
@click.pass_context
def main(ctx: click.Context, version: bool, verbose: bool) -> None:
    """Simulate robot arms whose links bend and twist."""
    if version:
        click.echo(f"flexarm {__version__}")
        if verbose:
            from flexarm.cli.tables.installation import installation

            click.echo(installation())
        ctx.exit()
    if verbose:
        ctx.fail("-v stands behind a command, or with --version")
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())

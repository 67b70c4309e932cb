"""`flexarm design`: feedback controllers from the linear model of an arm."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.named_numbers import Named
from flexarm.cli.options import arm_argument, console_options, overwrite_option, plots_option
from flexarm.cli.pictures import draw, picture_folder
from flexarm.cli.rest_options import (
    at_option,
    format_posture,
    hold_option,
    joints_option,
    warn_of_limits,
    warn_of_simplifications,
)
from flexarm.cli.terminal.console import Console, counted

if TYPE_CHECKING:
    from flexarm.analysis.control_design.control_design import ControlDesign

EPILOG = """\b
Example:
  flexarm design robots/lqr_arm.yaml --weight tip_y=400 --weight q_1=20 --weight q_1_d=0.2 --effort 4
  flexarm design robots/lqr_arm.yaml --method lqg --weight tip_y=400 --weight q_1=20 --noise hub=1e-5 --noise gauge=1e-6
  flexarm design robots/rigid_two_link.yaml --at 0,0 --method place --pole=-3+5j --pole=-3-5j --pole=-8 --pole=-9

\b
The file has K, and A, B, C, D of the controller of an LQG: an arm takes it as
  controllers: {lqg: {inputs: [hub, gauge], state_space: lqg.npz}}
"""
DIGITS = 5
UNCERTAIN = 1e-6
"""Part of a gain that may be round-off without a word: less than the digits that are written show."""
NO_LIMIT = 1e-6
"""Factor of a gain, or one over it, that counts as none."""


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@arm_argument
@click.option(
    "--method", type=click.Choice(["lqr", "lqg", "place"]), default="lqr", show_default=True,
    help="lqr = feedback of all states; lqg = of estimated ones, from sensors; place = with given poles.",
)  # fmt: skip
@click.option(
    "--weight", "weights", type=Named(), multiple=True,
    help="Weight of the square of an output, sensor or state in the cost, e.g. tip_y=400; may be repeated.",
)  # fmt: skip
@click.option(
    "--effort", "efforts", type=Named(alone=True), multiple=True, metavar="[NAME=]NUMBER",
    help="Weight of the square of all inputs, or of one, e.g. tau_1=4 [default: 1].",
)  # fmt: skip
@click.option(
    "--pole",
    "poles",
    type=complex,
    multiple=True,
    metavar="POLE",
    help="A pole of the closed loop, for place [1/s].",
)
@click.option(
    "--noise", type=Named(), multiple=True,
    help="Noise of a sensor or output that an lqg reads [its unit/sqrt(Hz)]; each named one is read.",
)  # fmt: skip
@click.option(
    "--torque-noise",
    type=float,
    default=1.0,
    show_default=True,
    help="Disturbance of the inputs [N m/sqrt(Hz)].",
)
@click.option(
    "--period", type=float, metavar="SECONDS", help="Period of a sampled controller [default: continuous]."
)
@at_option
@joints_option("free", "pd")
@hold_option
@click.option(
    "-o", "--output", "path", type=click.Path(path_type=Path), metavar="FILE",
    help="A .npz, .mat or .h5 file [default: outputs/<arm name>-METHOD.npz].",
)  # fmt: skip
@overwrite_option
@plots_option
@console_options
def design(
    arm: Path,
    method: str,
    weights: tuple[tuple[str, float], ...],
    efforts: tuple[tuple[str, float], ...],
    poles: tuple[complex, ...],
    noise: tuple[tuple[str, float], ...],
    torque_noise: float,
    period: float | None,
    at: str,
    joints: str,
    hold: tuple[int, ...],
    path: Path | None,
    overwrite: bool,
    plots: bool,
    console: Console,
) -> int:
    """Design a feedback controller for an arm, and say how robust it is.

    ARM is the YAML file that describes the arm. The controller is that of its linear model about a posture.
    """
    description = flexarm.load_arm(arm)
    path = path or Path("outputs") / f"{description.name}-{method}.npz"
    from flexarm.results.storage.array_files import check_array_ending
    from flexarm.results.storage.atomic_files import check_target

    check_array_ending(path)
    check_target(path, overwrite)
    named = {name: number for name, number in efforts if name}
    if (efforts and len(named) not in (0, len(efforts))) or (not named and len(efforts) > 1):
        raise click.UsageError("--effort: give one number for all inputs, or one for each by its name")
    with console.progress("deriving") as progress:
        found = flexarm.design(
            description, method, weights=dict(weights), effort=named or (efforts[0][1] if efforts else 1.0),
            poles=poles, measure=tuple(dict(noise)), noise=dict(noise), torque_noise=torque_noise, period=period,
            at=at, joints=joints, hold=hold, progress=progress,
        )  # fmt: skip
    model = found.model
    warn_of_simplifications(description, console, model.roles)
    warn_of_limits([model.point], console)
    every = f", every {period:g} s" if period is not None else ""
    console.write(
        f"{description.name}: {method}{every} about {format_posture(at, [model.point], model.roles)}: "
        f"{counted(len(model.states), 'state')}, {counted(len(model.inputs), 'input')}"
    )
    if found.set_aside:
        console.write(
            f"  set aside, as no torque of a joint moves it: the momentum along {', '.join(found.set_aside)}"
        )
    _report(found, console)
    if found.round_off > UNCERTAIN:
        size = (
            f"differ by {found.round_off:.1g} of the largest"
            if math.isfinite(found.round_off)
            else "have no solution"
        )
        console.warn(
            f"gains are uncertain by round-off: the same equations in other units {size}: choose weights, "
            "or noises, of more similar effect"
        )
    found.save(path, overwrite)
    console.write(f"{path}")
    if plots:
        draw(found, picture_folder(path), console)
    return 0


def _report(found: ControlDesign, console: Console) -> None:
    """List gains, poles of the closed loop and margins."""
    for name, row in zip(found.model.inputs, found.K, strict=True):
        console.write(f"  K of {name}: {', '.join(f'{value:.{DIGITS}g}' for value in row)}")
    rows = [("pole of the closed loop", "frequency", "damping")]
    for pole in found.poles:
        if pole.imag < 0:
            continue
        size = abs(pole)
        text = f"{pole.real:.{DIGITS}g}" + (f" +- {pole.imag:.{DIGITS}g}j" if pole.imag else "")
        vibrates = bool(pole.imag > 0)
        rows.append(
            (
                text,
                f"{size / math.tau:.4g} Hz" * vibrates,
                f"{-100 * pole.real / size:.3g} %" * vibrates,
            )
        )
    console.table(rows, "<>>")
    rows = [("loop at", "gain may change by", "phase margin", "delay margin", "largest sensitivity")]
    for name, one in found.margins.items():
        lower, upper = (f"{limit:.3g}" if NO_LIMIT < limit < 1 / NO_LIMIT else "" for limit in one.gain)
        gain = f"{lower or '0'} to {upper or 'any'}"
        phase = f"{math.degrees(one.phase):.4g} deg" if one.phase < 10 else "any"
        delay = f"{1e3 * one.delay:.4g} ms" if one.delay < float("inf") else "any"
        rows.append((name, gain, phase, delay, f"{one.sensitivity:.4g}"))
    console.table(rows, "<>>>>")

"""`flexarm frf`: frequency responses of an arm."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.options import (
    COMMAND_LINE,
    arm_argument,
    console_options,
    output_option,
    overwrite_option,
    plots_option,
)
from flexarm.cli.rest_options import (
    at_option,
    format_posture,
    hold_option,
    joints_option,
    open_option,
    result_path,
    save_result,
    spin_option,
    turning_joint_option,
    warn_of_limits,
    warn_of_simplifications,
)
from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.analysis.linear_models.frequency_response import FrequencyResponse
    from flexarm.analysis.linear_models.simulated_response import SimulatedResponse

EPILOG = """\b
Example:
  flexarm frf robots/single_link_cantilever.yaml --input force@1:1:y --observe tip --plots
  flexarm frf robots/usoro_two_link.yaml --observe tip --from 0.1 --to 100
  flexarm frf robots/spatial_three_link.yaml --input reference --observe joints
  flexarm frf robots/servo_arm.yaml --input force@2:1:y --joints pd --observe tip --simulate sweep --amplitude 1e-3
"""
UNDAMPED = 1e-9
"""Real part of a pole, of its size, below which its resonance is unbounded."""
NEAR = 1e-3
"""Distance of a peak from a resonance, of its frequency, that is none."""
MOST_LISTED = 12
"""Channels whose peaks are listed."""


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@arm_argument
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME",
    help="Inputs: torque, reference, voltage or force@LINK:AT:AXIS, may be repeated [default: torque].",
)  # fmt: skip
@click.option(
    "--observe", "outputs", multiple=True, metavar="NAME",
    help="Outputs, as of flexarm linearize, may be repeated [default: joints and tip].",
)  # fmt: skip
@click.option(
    "--from", "first", type=float, metavar="HZ", help="Lowest frequency [default: a third of the slowest]."
)
@click.option(
    "--to", "last", type=float, metavar="HZ", help="Highest frequency [default: 3 times the fastest]."
)
@click.option(
    "--points", type=click.IntRange(2, 100_000), default=400, show_default=True, help="Frequencies."
)
@click.option(
    "--simulate", "excitation", type=click.Choice(["multisine", "sweep"]),
    help="Also simulate the nonlinear arm: all lines at once, or one after the other.",
)  # fmt: skip
@click.option(
    "--amplitude",
    type=float,
    metavar="NUMBER",
    help="With --simulate: amplitude of each line, in the input's unit.",
)
@click.option(
    "--lines",
    type=click.IntRange(2, 10_000),
    default=31,
    show_default=True,
    help="With --simulate: at most how many.",
)
@click.option(
    "--measured", type=click.Path(path_type=Path), metavar="FILE",
    help="CSV file of a measured response: frequency [Hz], magnitude, phase [deg], beside the only channel.",
)  # fmt: skip
@open_option
@click.option(
    "--period", type=float, metavar="SECONDS",
    help="Of the samples of sampled controllers, and of held inputs [default: continuous].",
)  # fmt: skip
@at_option
@joints_option("free", "pd")
@hold_option
@spin_option
@turning_joint_option
@output_option("outputs/<arm name>-frf.h5")
@overwrite_option
@plots_option
@console_options
def frf(
    arm: Path,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    first: float | None,
    last: float | None,
    points: int,
    excitation: str | None,
    amplitude: float | None,
    lines: int,
    measured: Path | None,
    opened: tuple[str, ...],
    period: float | None,
    at: str,
    joints: str,
    hold: tuple[int, ...],
    spin: str | None,
    joint: int | None,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    console: Console,
) -> int:
    """Find frequency responses of an arm about a posture or a steady rotation.

    ARM is the YAML file that describes the arm. The linear model is exact; its response is that of small motions.
    """
    from flexarm.analysis.linear_models.measured_response import load_response  # help comes quicker without

    description = flexarm.load_arm(arm)
    path = result_path(output, description, "frf", overwrite)
    if (excitation is None) != (amplitude is None):
        raise click.UsageError("--simulate and --amplitude go together: what is simulated, and how large")
    beside = None if measured is None else load_response(measured)
    with console.progress("deriving") as progress:
        found = flexarm.frequency_response(
            description, inputs=inputs or None, outputs=outputs or None, opened=opened, period=period, first=first,
            last=last, points=points, at=at, joints=joints, hold=hold, spin=spin, joint=joint, progress=progress,
        )  # fmt: skip
    if beside is not None:
        found = found.beside(*beside)
    if excitation is not None and amplitude is not None:
        with console.progress("simulating") as progress:
            found = found.simulate(excitation, amplitude=amplitude, lines=lines, progress=progress)
    model = found.model
    warn_of_simplifications(description, console, model.roles)
    warn_of_limits([model.point], console)
    low, high = found.frequencies[[0, -1]]
    console.write(
        f"{description.name}: frequency response about {format_posture(at, [model.point], model.roles)}, "
        f"{found.frequencies.size} frequencies from {low:.4g} to {high:.4g} Hz"
    )
    _report_peaks(found, console)
    if found.simulation is not None:
        _report_simulation(found, found.simulation, console)
    save_result(found.result(click.get_current_context().meta[COMMAND_LINE]), path, overwrite, plots, console)
    return 0


def _report_simulation(found: FrequencyResponse, simulation: SimulatedResponse, console: Console) -> None:
    """Say how far the nonlinear arm is from its linear model."""
    import numpy as np

    from flexarm.analysis.linear_models.frequency_response import response_of  # help comes quicker without

    model = response_of(found.model, simulation.frequencies, found.joints).response
    console.write(
        f"nonlinear arm: {simulation.frequencies.size} lines, differences from the linear model over its largest"
    )
    for i, output in enumerate(found.model.outputs):
        for j, given in enumerate(found.model.inputs):
            largest = np.abs(model[:, i, j]).max()
            if largest:
                apart = np.abs(simulation.response[:, i, j] - model[:, i, j]).max() / largest
                spread = (simulation.spread[:, i, j] * np.abs(simulation.response[:, i, j])).max() / largest
                console.write(f"  {given} -> {output}  {apart:.2g}, from one period to the next {spread:.1g}")


def _report_peaks(found: FrequencyResponse, console: Console) -> None:
    """List the largest magnitude of each channel, and where it is."""
    import numpy as np

    rows = [("channel", "lowest frequency", "largest", "at")]
    poles = found.model.poles[np.imag(found.model.poles) >= 0]
    undamped = np.imag(poles[np.abs(np.real(poles)) < UNDAMPED * np.abs(poles)]) / (2 * np.pi)
    for output, unit in zip(found.model.outputs, found.model.output_units, strict=True):
        for given, per in zip(found.model.inputs, found.model.input_units, strict=True):
            size = np.abs(found[output, given])
            if (output, given) in found.zeros:
                whole = f"{unit}/({per})" if " " in per else f"{unit}/{per}"
                peak = found.frequencies[size.argmax()]
                largest = (
                    "unbounded" if (np.abs(undamped - peak) < NEAR * peak).any() else f"{size.max():.4g}"
                )
                rows.append((f"{given} -> {output}", f"{size[0]:.4g} {whole}", largest, f"{peak:.4g} Hz"))
    console.table(rows[: MOST_LISTED + 1], "<>>>")
    if len(rows) > MOST_LISTED + 1:
        console.write(f"  {len(rows) - MOST_LISTED - 1} further channels are in the file")

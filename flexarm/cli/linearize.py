"""`flexarm linearize`: linear state-space models of an arm."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.cli.options import arm_argument, console_options, overwrite_option
from flexarm.cli.rest_options import (
    at_option,
    format_posture,
    hold_option,
    joints_option,
    open_option,
    spin_option,
    turning_joint_option,
    warn_of_limits,
    warn_of_simplifications,
)
from flexarm.cli.terminal.console import Console, counted

if TYPE_CHECKING:
    import numpy as np

    from flexarm.analysis.linear_models.linear_model import LinearModel

ROUND_OFF = 1e-9
"""Pole, or its real part, of the size of the largest one, that counts as 0."""
Channel = tuple[list[str], list[str]]
"""Names of inputs and of outputs."""

EPILOG = """\b
Example:
  flexarm linearize robots/usoro_two_link.yaml
  flexarm linearize robots/usoro_two_link.yaml --at equilibrium -o outputs/usoro.npz -o outputs/usoro.mat
  flexarm linearize robots/flexible_pendulum.yaml --observe joints --observe deflection@1:0.5 --observe curvature@1:0
  flexarm linearize robots/usoro_two_link.yaml --channel tau_1:tip_y -o outputs/usoro-channel.npz
  flexarm linearize robots/spin_up_beam.yaml --spin "6 rad/s"
  flexarm linearize robots/spatial_three_link.yaml --input reference
  flexarm linearize robots/dc_motor_link.yaml --input voltage

\b
Inputs are joint torques tau_1, tau_2, ..; with --input reference the references r_1, r_2, .. of PD drives, with
--input voltage the voltages u_1, u_2, .. of DC motors, with --input force@2:1:y the force force_y@2:1 along y on the
end of link 2. --input may be repeated.
Outputs, chosen with --observe (may be repeated):
  joints              angles [rad] or positions [m] of the joints that move
  tip                 position of the tip [m]
  deflection@LINK:AT  deflection of a link at a fraction AT of its length [m]; AT is 1 by default
  curvature@LINK:AT   curvature of a link [1/m]; AT is 0 by default
  strain@LINK:AT      strain of its surface [1], for links with a section; AT is 0 by default
  NAME                a sensor of the description

\b
With python-control:
  data = numpy.load("outputs/usoro-two-link-linear.npz")
  system = control.ss(*(data[name] for name in "ABCD"))
"""


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@arm_argument
@click.option(
    "--period", type=float, metavar="SECONDS",
    help="Exact model of samples with inputs that are held over this period, which sampled controllers need "
    "[default: continuous].",
)  # fmt: skip
@open_option
@at_option
@joints_option("free", "pd")
@hold_option
@spin_option
@turning_joint_option
@click.option(
    "--observe", "outputs", multiple=True, metavar="NAME", help="Outputs [default: joints and tip].",
)  # fmt: skip
@click.option(
    "--input", "inputs", multiple=True, metavar="NAME",
    help="Inputs: torque, reference, voltage or force@LINK:AT:AXIS, may be repeated [default: torque]; with reference "
    "and voltage the feedback of the drives is part of the model.",
)  # fmt: skip
@click.option(
    "--channel", "channels", multiple=True, metavar="INPUTS:OUTPUTS",
    help="Zeros of this channel, e.g. tau_1:tip_y or tau_1,tau_2:tip_x,tip_y [default: all square ones].",
)  # fmt: skip
@click.option(
    "-o", "--output", "paths", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="A .npz, .mat or .h5 file; may be repeated [default: outputs/<arm name>-linear.npz].",
)  # fmt: skip
@overwrite_option
@console_options
def linearize(
    arm: Path,
    period: float | None,
    opened: tuple[str, ...],
    at: str,
    joints: str,
    hold: tuple[int, ...],
    spin: str | None,
    joint: int | None,
    outputs: tuple[str, ...],
    inputs: tuple[str, ...],
    channels: tuple[str, ...],
    paths: tuple[Path, ...],
    overwrite: bool,
    console: Console,
) -> int:
    """Write a linear state-space model of an arm; list poles and transmission zeros.

    ARM is the YAML file that describes the arm. A, B, C, D are exact derivatives about a posture in which torques hold
    it, or with --spin about a steady rotation: as seen from the frame that turns, the torque of the joint that turns
    being an input.
    """
    description = flexarm.load_arm(arm)
    chosen = _asked_channels(channels)
    paths = paths or (Path("outputs") / f"{description.name}-linear.npz",)
    from flexarm.analysis.linear_models.inputs import fed_by_voltage, said_of_voltage
    from flexarm.results.storage.array_files import check_array_ending, write_arrays
    from flexarm.results.storage.atomic_files import check_target

    for path in paths:
        check_array_ending(path)
        check_target(path, overwrite)
    with console.progress("deriving") as progress:
        model = flexarm.linearize(
            description, at=at, joints=joints, hold=hold, outputs=outputs or None, inputs=inputs or None,
            opened=opened, period=period, spin=spin, joint=joint, progress=progress,
        )  # fmt: skip
    asked = chosen or _square_channels(model)
    zeros = [model.zeros(*channel) for channel in asked]  # a wrong name fails before anything is written
    warn_of_simplifications(description, console, model.roles)
    warn_of_limits([model.point], console)
    sizes = (counted(len(names), noun) for names, noun in (
        (model.states, "state"), (model.inputs, "input"), (model.outputs, "output")
    ))  # fmt: skip
    console.write(
        f"{description.name}: linear model about {format_posture(at, [model.point], model.roles)}: "
        f"{', '.join(sizes)}"
    )
    if model.controllers:
        loops = "their loops" if len(model.controllers) > 1 else "its loop"
        opened_too = f", open at {', '.join(opened)}" if opened else f", {loops} closed"
        console.write(f"with {', '.join(model.controllers)}{opened_too}: --open all leaves controllers away")
    torques = [
        joint for name, joint in zip(model.inputs, model.input_joints, strict=True) if name.startswith("tau_")
    ]
    if fed := fed_by_voltage(description, [joint for joint in torques if joint is not None]):
        console.write(f"{said_of_voltage(fed)}: --input voltage takes it as the input, with the back-emf")
    for kind in ("states", "inputs", "outputs"):
        console.detail(f"  {kind}: {', '.join(getattr(model, kind))}")
    _report_poles(model, console)
    for channel, found in zip(asked, zeros, strict=True):
        _report_zeros(channel, found, console)
    write_arrays(model.arrays, paths, overwrite)
    for path in paths:
        console.write(f"{path}")
    return 0


def _report_poles(model: LinearModel, console: Console) -> None:
    if model.controllers or model.period is not None:
        _report_all_poles(model, console)
        return
    modes = model.modes
    at_zero = modes.n_rigid + modes.n_coasting
    rows = [("pole", "frequency", "damping", "")]
    if at_zero:
        rows.append((f"0 ({at_zero} pole{'s' * (at_zero > 1)})", "", "", "rigid-body motion"))
    for pole, frequency, ratio, unstable in zip(
        modes.poles, modes.natural_frequency, modes.damping_ratio, modes.unstable, strict=True
    ):
        if pole == 0:
            continue
        cycles = f"{frequency:.5g} Hz" if pole.imag else ""
        damping = f"{100 * ratio if abs(ratio) > 1e-12 else 0:.3g} %" if pole.imag else ""
        rows.append((_point(pole), cycles, damping, "unstable" if unstable else ""))
    console.table(rows, "<>><")


def _report_all_poles(model: LinearModel, console: Console) -> None:
    """List the poles of a model that is more than the motion of an arm; of samples those of which they are samples."""
    import numpy as np

    rows = [("pole", "frequency", "damping", "")]
    largest = np.abs(model.poles[np.isfinite(model.poles)]).max(initial=0.0)
    for pole in model.poles:
        size = abs(pole)
        if pole.imag < 0 or not np.isfinite(size):
            continue
        vibrates = bool(pole.imag > ROUND_OFF * largest)
        rows.append((
            _point(pole) if size > ROUND_OFF * largest else "0",
            f"{size / math.tau:.5g} Hz" * vibrates,
            f"{-100 * pole.real / size if vibrates else 0:.3g} %" * vibrates,
            "unstable" * bool(pole.real > ROUND_OFF * largest),
        ))  # fmt: skip
    console.table(rows, "<>><")


def _report_zeros(named: Channel, found: np.ndarray | None, console: Console) -> None:
    from flexarm.analysis.linear_models.transmission_zeros import is_non_minimum_phase

    channel = " -> ".join(", ".join(names) for names in named)
    if found is None:
        console.write(
            f"zeros of {channel}: none, the response is singular at every frequency in this posture"
        )
        return
    wrong = is_non_minimum_phase(found)
    each = [
        _point(zero) + (" non-minimum phase" if right else "")
        for zero, right in zip(found, wrong, strict=True)
        if zero.imag >= 0
    ]
    verdict = f"; {counted(int(wrong.sum()), 'non-minimum-phase zero')}" if wrong.any() else ""
    console.write(f"zeros of {channel}{verdict}")
    for text in each or ["no finite zeros"]:
        console.write(f"  {text}")


def _point(value: complex) -> str:
    """A pole or zero [1/s] with its conjugate; round-off may split a double one by the root of the precision."""
    size = abs(value)
    real, imaginary = (0.0 if abs(part) < 1e-6 * size else part for part in (value.real, value.imag))
    if not imaginary:
        return f"{real:.5g}"
    return f"{real:.5g} +- {imaginary:.5g}j" if real else f"+-{imaginary:.5g}j"


def _square_channels(model: LinearModel) -> list[Channel]:
    """All torques to each group of outputs that has as many; a single torque to each output."""
    inputs = list(model.inputs)
    if len(inputs) == 1:
        return [(inputs, [name]) for name in model.outputs]
    groups = {
        group: [name for name, of in zip(model.outputs, model.groups, strict=True) if of == group]
        for group in dict.fromkeys(model.groups)
    }
    return [(inputs, names) for names in groups.values() if len(names) == len(inputs)]


def _asked_channels(channels: tuple[str, ...]) -> list[Channel]:
    asked = []
    for text in channels:
        inputs, colon, outputs = text.partition(":")
        if not colon:
            raise click.UsageError(f"--channel: got '{text}', expected INPUTS:OUTPUTS, e.g. tau_1:tip_y")
        asked.append(
            ([name.strip() for name in inputs.split(",")], [name.strip() for name in outputs.split(",")])
        )
    return asked

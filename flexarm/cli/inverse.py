"""`flexarm inverse`: an arm and a trajectory in, torques, joint angles and deflections out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import flexarm
from flexarm.catalogue import INVERSE_METHODS
from flexarm.cli.failures import report_failure, with_options
from flexarm.cli.options import (
    COMMAND_LINE,
    FiniteRange,
    arm_argument,
    console_options,
    max_stress_option,
    output_option,
    overwrite_option,
    plots_option,
    trajectory_option,
)
from flexarm.cli.pictures import draw, picture_folder
from flexarm.cli.terminal.console import Console
from flexarm.cli.terminal.interrupt import interruptible
from flexarm.errors import SolverError
from flexarm.hints import listed

if TYPE_CHECKING:
    from flexarm.results.result import Result

EPILOG = """\b
Example:
  flexarm inverse robots/korayem_1994_clamped.yaml --trajectory robots/trajectories/korayem_1994.yaml
  flexarm inverse robots/korayem_1994_simply_supported.yaml --trajectory robots/trajectories/korayem_1994.yaml --plots

\b
Methods: stable finds the bounded motion, with pre- and post-actuation in which the links already or still move before
and after the trajectory; causal integrates forward, as published, and stops where the motion diverges; rigid takes the
links for rigid.
"""


@click.command(epilog=EPILOG)
@arm_argument
@trajectory_option
@output_option("outputs/<arm name>-inverse.h5")
@overwrite_option
@plots_option
@click.option(
    "--method",
    type=click.Choice(list(INVERSE_METHODS)),
    default=next(iter(INVERSE_METHODS)),
    show_default=True,
)
@click.option(
    "--pre", type=FiniteRange(min=0), metavar="S", help="Pre-actuation before the trajectory (stable)."
)
@click.option(
    "--post", type=FiniteRange(min=0), metavar="S", help="Post-actuation after the trajectory (stable)."
)
@click.option(
    "--step",
    type=FiniteRange(min=0, min_open=True),
    metavar="S",
    help="Longest interval of the mesh (stable).",
)
@click.option(
    "--verify/--no-verify",
    default=None,
    help="Simulate the arm under the computed torques and report the tip's error.  [default: where it costs little]",
)
@max_stress_option
@click.option("--operational-space", is_flag=True, help="Record the Jacobians and the Cartesian inertia too.")
@console_options
def inverse(
    arm: Path,
    trajectory: Path,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    method: str,
    pre: float | None,
    post: float | None,
    step: float | None,
    verify: bool | None,
    max_stress: float | None,
    operational_space: bool,
    console: Console,
) -> int:
    """Find the torques with which the tip follows a trajectory, and write the result.

    ARM is the YAML file that describes the arm. Of its drives only prescribed motions count.
    """
    check_options(method, pre=pre, post=post, step=step)
    description, task = flexarm.load_arm(arm), flexarm.load_trajectory(trajectory)
    for choice in description.segment_choices:
        console.write(f"{choice}")
    target = output or Path("outputs") / f"{description.name}-inverse.h5"
    with console.progress("inverting") as progress, interruptible(progress, keeps=False) as report:
        result = flexarm.inverse(
            description, task, method=method, pre=pre, post=post, step=step, verify=verify,
            max_stress=max_stress, operational_space=operational_space, output=target, overwrite=overwrite,
            progress=report, command=click.get_current_context().meta[COMMAND_LINE],
        )  # fmt: skip
    path = target
    if result.status != "complete" and result.path is not None:  # it does not replace a complete one
        path = target.with_name(result.path.name)
    if result.message and result.status == "complete":
        console.warn(with_options(result.message))
    describe_inverse(result, path, console)
    if plots:
        draw(result, picture_folder(path), console)
    if result.status != "complete":
        report_failure(f"{result.message}; what was computed until then is kept in {path}, marked incomplete")
        return SolverError.exit_code
    return 0


def check_options(method: str, **options: float | None) -> None:
    """Refuse an option that is given and belongs to another method."""
    for name, value in options.items():
        if value is not None:
            from flexarm.simulation.inverse.methods.inverse_method import (
                methods_with,
            )  # start quicker without

            if method not in (owners := methods_with(name)):
                raise click.UsageError(f"--{name} belongs to --method {listed(owners)}")


def describe_inverse(result: Result, path: Path, console: Console) -> None:
    """Write the method of an inverse motion, the tracking error of the tip and the torques of the joints."""
    import numpy as np

    from flexarm.description.arm.joint.words import worded

    facts = result.attributes
    console.write(
        f"{result.arm.name}: method {facts['method']}, {facts['steps']} steps in {facts['solve_seconds']:.2g} s"
    )
    inside = (result.time >= 0) & (result.time <= facts["duration"] * (1 + 1e-12))
    console.write(f"tip within {result.tip_error[inside].max():.1e} m of its path over the trajectory")
    if "pre" in facts:
        zeros = facts["unstable_zeros"]
        console.write(
            f"pre-actuation {facts['pre']:.3g} s, post-actuation {facts['post']:.3g} s; "
            f"residual {facts['residual']:.1e}"
        )
        console.detail(f"unstable zeros: {zeros or 'none'} 1/s; mesh of {facts['step']:.3g} s")
    if "verified_error" in facts:
        pieces = facts["verified_pieces"]
        parts = f", in {pieces} pieces, as errors of any size grow fast here" if pieces > 1 else ""
        words = worded("torques", result.arm.joints)
        console.write(
            f"simulated under these {words}{parts}, the tip stays within {facts['verified_error']:.1e} m of its path"
        )
    if "max_stress" in facts:
        console.write(f"stress up to {np.nanmax(result.stress_max) / 1e6:.4g} MPa")
    for i in range(result.shape("torque")[1]):
        torque, rigid = (np.abs(result[name][inside, i]).max() for name in ("torque", "rigid_torque"))
        kind = result.arm.joints[i].kind
        unit = kind.force_unit
        console.write(
            f"joint {i + 1}: {kind.force} up to {torque:.4g} {unit}, with rigid links {rigid:.4g} {unit}"
        )
    console.write(f"{path}")

"""`flexarm sweep`: one arm, many runs with varied numbers, one result."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flexarm.catalogue import INVERSE_METHODS
from flexarm.cli.options import COMMAND_LINE, console_options, output_option, overwrite_option, plots_option
from flexarm.cli.pictures import draw, picture_folder
from flexarm.cli.terminal.console import Console, counted
from flexarm.cli.terminal.interrupt import interruptible
from flexarm.errors import SolverError

if TYPE_CHECKING:
    from flexarm.description.arm.arm import Arm
    from flexarm.description.motion.trajectory import Trajectory
    from flexarm.description.sweep.sweep_description import SweepDescription
    from flexarm.sweeps.sweep_result import SweepResult

REASONS_SHOWN = 3

EPILOG = """\b
Example:
  flexarm sweep robots/rigid_two_link.yaml --vary "payload.mass=0:2:5" --vary "initial.joints[1]=0 deg,5 deg" --plots
  flexarm sweep robots/sweeps/usoro_stiffness.yaml

\b
Keys are dotted paths as in error messages, lists count from 0:
  links[0].EI  links[*].EI (all links alike)  payload.mass  initial.joints[1]  drive[0].pd.kp  run.rtol
Values of a key:
  START:STOP:COUNT   evenly spaced; START:STOP:COUNT:log by ratio      several keys make a grid
  1,2,5              these
  LOW:HIGH           drawn at random with --sample; LOW:HIGH:log evenly in the logarithm
  A; B               expressions, of t where the key takes them: "drive[0].torque=5*sin(t); 3"
  Angles and rates may be written "-90 deg:90 deg:7". parameters.NAME varies a parameter of the description.
Records:
  max_tip_deflection  max_torque  final_tip  energy_lost  first_impact  steps  evaluations  seconds
  settling_time:QUANTITY:LOW:HIGH  time from which a quantity stays in a band, e.g. settling_time:joint_angle[0]:0.9:1.1
  settling_time:QUANTITY:5%        .. within 5 % of its way about its reference, or about where it comes to rest
  overshoot:QUANTITY               how far it goes beyond that, as a fraction of its way
  ring_time:QUANTITY:FROM          time from FROM, in s, until it has decayed to 5 % of its largest amplitude
  residual_vibration:QUANTITY:FROM its amplitude from FROM on; FROM is by default the last change of the drives
  What still rings at the end of its run is not settled.
Records with --trajectory:
  max_torque  max_rigid_torque  torque_difference (from the rigid arm's), of one joint max_torque[0] and so on
  max_tip_deflection  tip_error  verified_error (simulates the torques)  steps  seconds
Quantities, also for --series: datasets of results and columns of them, tip[0], joint_angle[1], energy_total.

Ctrl-C keeps what is computed beside FILE; --resume goes on from there. On a cluster: pip install 'flexarm[sweep]', dask
scheduler, dask worker ADDRESS --nthreads 1, and --scheduler ADDRESS.
"""


@click.command(epilog=EPILOG, context_settings={"max_content_width": 120})
@click.argument("description", type=click.Path(path_type=Path), metavar="ARM|SWEEP")
@click.option(
    "--vary", "-V", multiple=True, metavar="KEY=VALUES", help="Key to vary, and its values; may be repeated."
)
@click.option(
    "--trajectory",
    type=click.Path(path_type=Path),
    metavar="TRAJ",
    help="YAML file of a trajectory: every run is an inverse one along it.",
)
@click.option(
    "--inverse-method",
    type=click.Choice(list(INVERSE_METHODS)),
    help=f"Method of the inverse runs [default: {next(iter(INVERSE_METHODS))}].",
)
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="Draw N points from the ranges LOW:HIGH."
)
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Which random points [default: 0].")
@click.option(
    "--method", type=click.Choice(["lhs", "sobol"]), help="Latin hypercube (default) or Sobol sequence."
)
@click.option(
    "--record",
    multiple=True,
    metavar="NAME",
    help="Number to record from every run; may be repeated [default: the usual ones].",
)
@click.option("--series", multiple=True, metavar="NAME", help="Dataset to record over time; may be repeated.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes [default: one per core].")
@click.option("--scheduler", metavar="ADDRESS", help="Compute on the workers of this dask scheduler.")
@click.option("--resume", is_flag=True, help="Continue an interrupted sweep.")
@output_option("outputs/<arm name>-sweep.h5, or named like SWEEP")
@overwrite_option
@plots_option
@console_options
def sweep(
    description: Path,
    workers: int | None,
    scheduler: str | None,
    resume: bool,
    output: Path | None,
    overwrite: bool,
    plots: bool,
    console: Console,
    **choices: Any,
) -> int:
    """Simulate an arm many times with varied numbers, or invert it along a trajectory, on all cores or on a cluster.

    ARM is the YAML file of an arm, varied as --vary says; SWEEP is a YAML file that says what the options do (keys arm,
    trajectory, inverse_method, vary, sample, record, series). The result is an HDF5 file with the varied keys as
    coordinates.
    """
    if workers is not None and scheduler is not None:
        raise click.UsageError("--workers is for this machine, a --scheduler has its own")
    arm, trajectory, spec, name = _described(description, choices)
    path = output or Path("outputs") / f"{name}.h5"
    from flexarm.sweeps.sweep import run_sweep

    with console.progress("sweeping") as progress, interruptible(progress) as on_progress:
        result = run_sweep(
            arm, spec, trajectory=trajectory, output=path, overwrite=overwrite, resume=resume, workers=workers,
            scheduler=scheduler, progress=on_progress, command=click.get_current_context().meta[COMMAND_LINE],
        )  # fmt: skip
    _report(result, console)
    for choice in arm.segment_choices:
        taken = result.arm.links[choice.link].segments
        console.write(f"link {choice.link + 1}: segments: auto takes {taken} in all runs")
    console.write(f"{path}")
    if plots:
        draw(result, picture_folder(path), console)
    return SolverError.exit_code if result.failed.all() else 0


def _described(path: Path, choices: dict[str, Any]) -> tuple[Arm, Trajectory | None, SweepDescription, str]:
    """The arm, the trajectory, what is varied, and the name of the result, from a file of either kind."""
    from flexarm.description.reading.loader import is_sweep, load_arm, load_sweep, load_trajectory

    if is_sweep(path):
        if given := [name for name, choice in choices.items() if choice not in (None, ())]:
            raise click.UsageError(f"{path} describes the sweep already; write {given[0]} into it")
        spec = load_sweep(path)
        trajectory = None if spec.trajectory is None else load_trajectory(path.parent / spec.trajectory)
        return load_arm(path.parent / spec.arm), trajectory, spec, path.stem.replace("_", "-")
    arm, spec = load_arm(path), _typed(path, **choices)
    trajectory = None if spec.trajectory is None else load_trajectory(spec.trajectory)
    return arm, trajectory, spec, f"{arm.name}-sweep"


def _typed(
    path: Path,
    vary: tuple[str, ...],
    trajectory: Path | None,
    inverse_method: str | None,
    sample: int | None,
    seed: int | None,
    method: str | None,
    record: tuple[str, ...],
    series: tuple[str, ...],
) -> SweepDescription:
    """The sweep that the options describe."""
    from flexarm.description.reading.loader import sweep_from_entries

    if not vary:
        raise click.UsageError("nothing to vary: give --vary KEY=VALUES, or a file that describes a sweep")
    if sample is None and (seed is not None or method is not None):
        raise click.UsageError("--seed and --method go with --sample")
    if inverse_method is not None and trajectory is None:
        raise click.UsageError("--inverse-method goes with --trajectory")
    keys: dict[str, str] = {}
    for pair in vary:
        key, equals, values = pair.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"--vary: got '{pair}', expected KEY=VALUES such as payload.mass=0:2:11")
        if key.strip() in keys:
            raise click.UsageError(f"--vary: got {key.strip()} twice")
        keys[key.strip()] = values.strip()
    drawn = None if sample is None else {"count": sample, "seed": seed or 0, "method": method or "lhs"}
    entries: dict[str, Any] = {"vary": keys, "sample": drawn, "record": list(record), "series": list(series)}
    entries |= {
        "trajectory": None if trajectory is None else str(trajectory),
        "inverse_method": inverse_method,
    }
    return sweep_from_entries(arm=str(path), **entries)


def _report(result: SweepResult, console: Console) -> None:
    """Write how many points succeeded, the range of each record (-v), and why points failed."""
    import numpy as np

    from flexarm.sweeps.measures.scalar_measures import where_absent

    failed = int(result.failed.sum())
    done = result.failed.size - failed
    console.write(
        f"{result.arm.name}: {counted(result.failed.size, 'run')}, {counted(len(result.keys_varied), 'key')} varied"
    )
    for name in result.records:
        if done:
            values, units = result[name][~result.failed], result.variables[name].units
            known = values[~np.isnan(values)]
            if known.size:
                unit = "" if units == "1" else f" {units}"
                console.detail(f"{name}: {known.min():.6g} to {known.max():.6g}{unit}")
            if known.size < values.size:
                absent = values.size - known.size
                console.write(f"{name}: {where_absent(name)} in {absent} of {counted(values.size, 'run')}")
    reasons = Counter(result["reason"][result.failed].tolist())
    for reason, count in reasons.most_common(REASONS_SHOWN):
        console.warn(f"{counted(count, 'run')} failed: {reason}")
    if others := sum(sorted(reasons.values())[:-REASONS_SHOWN]):
        console.warn(f"{counted(others, 'run')} failed for other reasons; see 'reason' in the result")

"""Sweep: simulate one arm, or invert it along a trajectory, many times with varied numbers."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from flexarm.arguments import check_list, check_mapping, check_number, check_object
from flexarm.catalogue import INVERSE_METHODS
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.description.reading.loader import parse_trajectory, sweep_from_entries
from flexarm.description.sweep.sweep_description import SweepDescription
from flexarm.errors import ResultError, SolverError
from flexarm.progress import Progress
from flexarm.results.hdf5_output import check_result_target
from flexarm.results.storage.atomic_files import TargetTaken
from flexarm.sweeps.assembly import SweepAssembly
from flexarm.sweeps.execution.checkpoint import Checkpoint
from flexarm.sweeps.execution.chunks import Chunk
from flexarm.sweeps.execution.point_result import failed
from flexarm.sweeps.execution.run_kinds import FORWARD, InverseRuns, RunKind
from flexarm.sweeps.execution.schedule import Schedule
from flexarm.sweeps.execution.workers import ClusterPool, GivenPool, LocalPool, WorkerPool
from flexarm.sweeps.plan import Plan, make_plan
from flexarm.sweeps.sweep_reader import open_sweep
from flexarm.sweeps.sweep_result import SweepResult
from flexarm.sweeps.sweep_writer import write_sweep

LOG = logging.getLogger(__name__)

KILLS_ITS_WORKER = "its worker process died, twice"


def sweep(
    arm: Arm,
    vary: Mapping[str, Any],
    *,
    trajectory: Trajectory | None = None,
    inverse_method: str | None = None,
    sample: Mapping[str, Any] | None = None,
    record: Sequence[str] = (),
    series: Sequence[str] = (),
    **options: Any,
) -> SweepResult:
    """Simulate an arm, or invert it along a trajectory, at many points: varied numbers of its description.

    Parameters
    ----------
    arm : Arm
    vary : mapping of str to str or sequence of float
        Dotted keys, such as ``links[0].EI``, ``links[*].EI`` or ``run.rtol`` with indices from 0, and their values:
        a list, ``"START:STOP:COUNT"``, or ``"LOW:HIGH"`` to draw from; with ``:log`` evenly spaced in the logarithm.
        Several keys with values make a grid.
    trajectory : Trajectory, optional
        Every run is then one of :func:`flexarm.inverse` along it, else of :func:`flexarm.simulate`.
    inverse_method : {"stable", "causal", "rigid"}, optional
        Method of the inverse runs; stable by default.
    sample : mapping, optional
        ``count``, ``seed`` (0) and ``method`` (lhs or sobol) of the points drawn from the ranges.
    record : sequence of str
        Numbers to record of every run, see :data:`~flexarm.sweeps.measures.scalar_measures.MEASURES`, of inverse runs
        :func:`~flexarm.sweeps.measures.inverse_measures.inverse_measures`; all that can differ from run to run by
        default. Inverse motions are verified if ``verified_error`` is among them.
    series : sequence of str
        Datasets to record over time, e.g. ``tip`` or ``joint_angle[0]``.
    **options
        As of :func:`run_sweep`.

    Returns
    -------
    SweepResult

    Raises
    ------
    SpecError, ModelError, SolverError, ResultError
        See :func:`run_sweep`.

    Notes
    -----
    The numbers of a point depend on nothing but the point: not on the number of workers, nor on which of them computes
    it together with what.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> result = flexarm.sweep(arm, {"payload.mass": [0.0, 1.0, 2.0]}, record=["max_tip_deflection"])
    >>> result
    SweepResult of 'usoro-two-link': 3 payload.mass, 0 failed
    """
    check_object("arm", arm, Arm)
    if trajectory is not None:
        check_object("trajectory", trajectory, Trajectory)
    else:
        FORWARD.check(arm)  # of one with Python functions, before Python refuses a keyword for them
    check_mapping("vary", vary)
    check_list("record", record)
    check_list("series", series)
    entries = {"vary": {key: _listed(values) for key, values in vary.items()}, "sample": sample}
    source = None if trajectory is None else trajectory.source
    entries |= {"trajectory": source, "inverse_method": inverse_method}
    spec = sweep_from_entries(arm=arm.name, record=list(record), series=list(series), **entries)
    return run_sweep(arm, spec, trajectory=trajectory, **options)


def run_sweep(
    arm: Arm,
    spec: SweepDescription,
    *,
    trajectory: Trajectory | None = None,
    output: str | os.PathLike | None = None,
    overwrite: bool = False,
    resume: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    command: str = "flexarm.sweep",
) -> SweepResult:
    """Compute a sweep.

    Parameters
    ----------
    arm : Arm
    spec : SweepDescription
        Its entries ``arm`` and ``trajectory`` are not looked at.
    trajectory : Trajectory, optional
        Of inverse runs.
    output : path, optional
        Write the result there; what is computed is kept beside it meanwhile, so that the sweep can be resumed.
    overwrite : bool
        Replace an existing file, and whatever an interrupted sweep has left.
    resume : bool
        Go on where an interrupted sweep with the same output stopped; if there is none, begin, and log that.
    workers : int, optional
        Number of processes; as many as there are cores by default.
    scheduler : str, optional
        Address of a dask scheduler whose workers are to compute instead.
    executor : Executor, optional
        What is to compute instead.
    progress : callable, optional
        Called with the fraction done, and None.
    command : str
        How the sweep was asked for; an attribute of the result.

    Returns
    -------
    SweepResult

    Raises
    ------
    SpecError
        A key, value, record or series that the arm does not have; nothing was computed then. Or a scheduler that does
        not answer.
    SolverError
        The sweep was interrupted, or its workers could not go on.
    ResultError
        The output cannot be written, or it belongs to another sweep.
    """
    if workers is not None:
        check_number("workers", workers, least=1, whole=True)
    plan = make_plan(arm, spec, _kind(trajectory, spec))
    assembly = SweepAssembly(plan)
    checkpoint = None
    if output is not None:
        checkpoint = Checkpoint(check_result_target(output, overwrite, arm.result_files), plan.contents)
    with checkpoint or nullcontext():
        if checkpoint is not None:
            _take_in(checkpoint, assembly, overwrite, resume)
        if assembly.missing.size:
            pool = _make_pool(workers, scheduler, executor)
            try:
                _compute(plan, assembly, pool, checkpoint, progress)
            finally:
                pool.close()
        result = assembly.result(command)
        if output is None or checkpoint is None:
            return result
        try:
            with _reporting_checkpoint(checkpoint):
                write_sweep(result.variables, result.coordinates, result.attributes, output, overwrite)
        except TargetTaken:  # the result is whole, under another name
            checkpoint.remove()
            raise
        checkpoint.remove()
    return open_sweep(output)


def _kind(trajectory: Trajectory | None, spec: SweepDescription) -> RunKind:
    """Kind of the runs of a sweep."""
    if trajectory is None:
        return FORWARD
    source = trajectory.source
    if not trajectory.text or parse_trajectory(trajectory.text, source=source) != trajectory:
        message = "this trajectory was changed after it was read, so its description is out of date"
        raise spec.fault("trajectory", "", message, "change the text and use parse_trajectory")
    return InverseRuns(trajectory.text, source, spec.inverse_method or next(iter(INVERSE_METHODS)))


def _take_in(checkpoint: Checkpoint, assembly: SweepAssembly, overwrite: bool, resume: bool) -> None:
    """Take in what an interrupted sweep has left, or make sure that nothing is lost."""
    if checkpoint.exists and resume:
        for chunk in checkpoint.resume(assembly.fits):
            assembly.add(chunk)
    elif checkpoint.exists and not overwrite:
        raise ResultError(
            f"{checkpoint.folder} holds what an interrupted sweep has computed",
            hint="pass `resume` to continue it, or `overwrite` to start anew",
        )
    elif resume:
        LOG.info("there is nothing to resume in %s: starting with the first point", checkpoint.folder)


def _make_pool(workers: int | None, scheduler: str | None, executor: Executor | None) -> WorkerPool:
    if executor is not None:
        return GivenPool(executor, workers)
    return LocalPool(workers) if scheduler is None else ClusterPool(scheduler)


def _compute(
    plan: Plan,
    assembly: SweepAssembly,
    pool: WorkerPool,
    checkpoint: Checkpoint | None,
    progress: Progress | None,
) -> None:
    """Compute what is missing, and write it to the checkpoint, however that ends."""

    def add(chunk: Chunk) -> None:
        assembly.add(chunk)
        if checkpoint is not None:
            checkpoint.add(chunk)

    def give_up(point: int) -> None:
        add(Chunk(np.array([point]), [failed(plan.recording, KILLS_ITS_WORKER)], 0.0))

    schedule = Schedule(plan.task, plan.design, assembly.missing, pool, add, give_up)
    try:
        with _reporting_checkpoint(checkpoint):
            if checkpoint is not None and not assembly.done.any():
                checkpoint.begin()
            try:
                schedule.run(progress)
            finally:
                if checkpoint is not None:
                    checkpoint.write()
    except KeyboardInterrupt:
        done, size = np.count_nonzero(assembly.done), plan.design.size
        stored, hint = _describe_checkpoint(checkpoint)
        raise SolverError(f"interrupted after {done} of {size} points; {stored}", hint=hint) from None


@contextmanager
def _reporting_checkpoint(checkpoint: Checkpoint | None) -> Iterator[None]:
    """Add to the messages of failures what the checkpoint holds."""
    try:
        yield
    except TargetTaken:
        raise
    except (SolverError, ResultError) as failure:
        stored, hint = _describe_checkpoint(checkpoint)
        raise type(failure)(f"{failure.message}; {stored}", hint=hint or failure.hint) from failure


def _describe_checkpoint(checkpoint: Checkpoint | None) -> tuple[str, str]:
    """Describe what an interrupted sweep leaves, and how to go on with it."""
    if checkpoint is None:
        return "nothing is kept without output", ""
    if not checkpoint.count:
        checkpoint.remove()
        return "nothing had been computed", ""
    return f"{checkpoint.count} are kept in {checkpoint.folder}", "continue with `resume`"


def _listed(values: Any) -> Any:
    """Plain numbers for whatever sequence of numbers is given."""
    return values if isinstance(values, str) else np.asarray(values).tolist()

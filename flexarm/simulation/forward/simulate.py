"""Simulation of an arm: from its description to a result, in memory or straight into a file."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from flexarm.arguments import check_mapping, check_object
from flexarm.description.arm.arm import Arm
from flexarm.memory import check_memory
from flexarm.progress import Progress
from flexarm.results.hdf5_output import check_result_target
from flexarm.results.reader import reopened
from flexarm.results.result import Result
from flexarm.results.storage.atomic_files import check_space
from flexarm.results.writer import ResultWriter
from flexarm.simulation.forward.cost.cost_watcher import CostWatcher
from flexarm.simulation.forward.run_cache.run_key import run_key
from flexarm.simulation.forward.run_cache.stored_run import store_run, stored_run
from flexarm.simulation.forward.single_run import SingleRun

if TYPE_CHECKING:
    from flexarm.simulation.forward.parametric_model import ParametricModel

LOG = logging.getLogger(__name__)


def simulate(
    arm: Arm,
    *,
    output: str | os.PathLike | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    command: str = "flexarm.simulate",
    process_start: float | None = None,
    functions: Mapping[str, Callable] | None = None,
) -> Result:
    """Forward dynamics of an arm, with the run that its description asks for.

    Numbers of segments that the description leaves open (`segments: auto`) are those that the motion asks for, by
    :func:`~flexarm.simulation.forward.segments.segments_in_motion.segments_in_motion`; the arm of the result has them.

    Parameters
    ----------
    arm : Arm
    output : path, optional
        Write the result there while it is computed, so that memory does not limit the run.
    overwrite : bool
        Replace an existing file.
    progress : callable, optional
        Called with the fraction done and the time reached [s].
    command : str
        Command of the run, for the attributes of the result.
    process_start : float, optional [s]
        For programs like the command line, in which nobody puts functions of their own in the place of the package's:
        when this process began, as time since the epoch. What earlier processes derived of the same arm is then used.

    functions : mapping of str to callable, optional
        Functions f(t, u) of the time [s] and an array of what a controller reads, for the controllers of the
        description that name them (``function: NAME``), called at their instants. Of a class a new object is called in
        each run.

    Returns
    -------
    Result
        With status ``incomplete`` and a message if the integrator failed or Ctrl-C stopped it.

    Raises
    ------
    ModelError
        Equations without a solution, or a result that does not fit into memory.
    ResultError
        The output cannot be written.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> result = flexarm.simulate(arm)
    >>> result.status, result.joint_angle.shape, result.tip[-1].round(3)
    ('complete', (3001, 2), array([-0.035, -1.998,  0.   ]))
    """
    check_object("arm", arm, Arm)
    if functions is not None:
        from flexarm.simulation.forward.sampling.function_updates import check_functions

        check_mapping("functions", functions)
        check_functions(arm, functions)
        arm = arm.with_functions(functions)
    if output is not None:
        check_result_target(output, overwrite, arm.result_files)
    model = None
    if arm.has_open_shapers:
        from flexarm.simulation.state.tuned_shapers import tuned_shapers

        arm = tuned_shapers(arm)
    if any(own is not None and own.own_shaper is not None for own in arm.drive):
        from flexarm.simulation.forces.break_points import late_shapers

        for text in late_shapers(arm):
            LOG.warning("%s: %s", arm.name, text)
    if arm.segment_choices:  # other arms start quicker without
        from flexarm.simulation.forward.segments.segments_in_motion import segments_in_motion

        arm, model = segments_in_motion(arm)
    key = None
    if process_start is not None and model is None and not arm.is_event_driven:
        key = run_key(arm, process_start)
    stored = None if key is None else stored_run(key, arm, command)
    run = stored or _prepared(arm, command, model)
    if run.unstable_step:
        LOG.warning("%s; shorten it, or take method: dop853, which chooses its steps", run.unstable_step)
    if arm.has_soft_walls:
        from flexarm.simulation.forces.walls.stiff_walls import stiff_walls

        for text in stiff_walls(arm):
            LOG.warning("%s: %s", arm.name, text)
    watcher = CostWatcher(run, _with_remark(run, progress))
    recorded = _with_stress(arm, run.blocks(watcher)) if "loads" in arm.run.record else run.blocks(watcher)
    size = 8 * run.n_samples * (run.state_equation.n_observables + 1)
    if output is None:
        hint = "write it to a file with output=..., or raise run.sample"
        check_memory(2 * size, f"a result of {run.n_samples} samples", hint)
        blocks = list(recorded)
        series = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        return Result({**series, **run.instants}, run.attributes)
    check_space(output, size)
    with ResultWriter(output, overwrite) as writer:
        for block in recorded:
            writer.append(block)
        written = writer.finish(run.attributes, run.instants)
    # what derived the run was loaded after the key was made
    if process_start is not None and key and not stored and run_key(arm, process_start) == key:
        store_run(key, run)
    return reopened(written)


def _prepared(arm: Arm, command: str, model: ParametricModel | None) -> SingleRun:
    """Prepare a run whose equations have to be derived."""
    from flexarm.simulation.forward.prepare import prepare_run  # a stored run starts quicker without

    return prepare_run(arm, command, model)


def _with_stress(arm: Arm, blocks: Iterable[dict[str, np.ndarray]]) -> Iterator[dict[str, np.ndarray]]:
    """Blocks with the stress of sections that are known."""
    from flexarm.simulation.state.recorded_stress import StressRecorder  # runs without start quicker

    return map(StressRecorder(arm), blocks)


def _with_remark(run: SingleRun, progress: Progress | None) -> Progress:
    """Progress that also says, once, what should be said of a run under way."""
    said = False

    def report(fraction: float, t: float | None) -> None:
        nonlocal said
        if not said and (remark := run.remark):
            said = True
            LOG.warning("%s", remark)
        if progress is not None:
            progress(fraction, t)

    return report

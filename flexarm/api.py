"""Runs from description to result, in memory or straight into a file."""

from __future__ import annotations

import os

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.memory import check_memory
from flexarm.results.atomic_files import check_space
from flexarm.results.reader import ResultWriter, open_result
from flexarm.results.result import Result
from flexarm.results.writer import check_result_target
from flexarm.simulation.forward.free_motion import Progress, prepare_run


def simulate(
    arm: Arm,
    *,
    output: str | os.PathLike | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    command: str = "flexarm.simulate",
) -> Result:
    """Simulate what the arm's description asks for.

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
        How the run was asked for, to be kept with the result.

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
    """
    if output is not None:
        check_result_target(output, overwrite)
    run = prepare_run(arm, command)
    size = 8 * run.n_samples * (run.system.observables.numel_out() + 1)
    if output is None:
        hint = "write it to a file with output=..., or raise run.sample"
        check_memory(2 * size, f"a result of {run.n_samples} samples", hint)
        blocks = list(run.blocks(progress))
        series = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        return Result({**series, **run.impacts}, run.attributes)
    check_space(output, size)
    with ResultWriter(output, run.sizes, overwrite=overwrite) as writer:
        for block in run.blocks(progress):
            writer.append(block)
        return open_result(writer.finish(run.attributes, run.impacts))

"""Runs from description to result, in memory or straight into a file."""

from __future__ import annotations

import os

import numpy as np

from flexarm.errors import ModelError
from flexarm.simulation.forward import ForwardRun, Progress, prepare
from flexarm.simulation.result import Result
from flexarm.spec.arm import Arm
from flexarm.storage.files import check_target
from flexarm.storage.hdf5 import ResultWriter, open_result

MEMORY_SHARE = 0.7
"""Part of the free memory that a result kept in memory may take."""


def simulate(
    arm: Arm,
    *,
    output: str | os.PathLike | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
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
        check_target(output, overwrite)
    run = prepare(arm)
    if output is None:
        _check_memory(run)
        blocks = list(run.blocks(progress))
        return Result({name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}, run.attributes)
    with ResultWriter(output, run.sizes, overwrite=overwrite) as writer:
        for block in run.blocks(progress):
            writer.append(block)
        writer.finish(run.attributes)
    return open_result(output)


def _check_memory(run: ForwardRun) -> None:
    numbers = run.n_samples * (run.system.observables.numel_out() + 1)
    needed, free = 8 * numbers, os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if needed > MEMORY_SHARE * free:
        raise ModelError(
            f"the result needs {needed / 1e9:.2f} GB of memory ({run.n_samples} samples), {free / 1e9:.2f} GB are free "
            "(write it to a file with output=..., or raise run.sample)"
        )

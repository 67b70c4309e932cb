"""Derivatives of one record by many numbers, by a sweep back over the motion: the discrete adjoint of its integration.

It takes about 4 plain runs however many numbers there are, of smooth motions by `dop853`. The variational equations
take 1 + 0.6 k to 1 + 0.8 k for k numbers, and have all that may be asked of a motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexarm.codegen.adjoint_function import AdjointFunction
from flexarm.codegen.native_function import LEAST_OPTIMISATION, OPTIMISATION
from flexarm.progress import Progress
from flexarm.simulation.forces.break_points import smooth_intervals
from flexarm.simulation.forward.run import run_problem, sample_count, sample_times
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.solvers.dop853.adjoint import LoggedDop853
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure
from flexarm.sweeps.sensitivity.directions import Directions
from flexarm.sweeps.sensitivity.variational_equations import integrated, tolerant_settings

LEAST_NUMBERS = 10
"""Numbers from which on it pays."""
MOST_INSTANTS = 8
"""Samples that a record may depend on."""
NUDGE, SAME = 1e-6, 1e-3
"""Change of a sample, of the largest, by which a record is differentiated; how far both sides may differ."""
GOLDEN_RATIO = (1 + 5**0.5) / 2
"""Whose multiples leave parts of 1 that are all different, and nowhere evenly spaced."""


class AdjointGradient(NamedTuple):
    """Value of a record, its derivatives (k,) by numbers, times their scales, and the times (m,) [s] of the samples."""

    value: float
    derivatives: np.ndarray
    times: np.ndarray


def adjoint_gradient(
    found: Directions, record: ScalarMeasure, progress: Progress | None = None
) -> AdjointGradient | None:
    """Derivatives of a record by all numbers of some directions; None where the variational equations are the way.

    Raises
    ------
    SolverError
        The integration failed.
    """
    arm, p, model = found.instance.arm, found.instance.parameters, found.model
    smooth = not (arm.is_event_driven or arm.clocks or found.instants.moves)
    if (
        len(found.scales) < LEAST_NUMBERS
        or arm.run.method != "dop853"
        or not smooth
        or record.dataset is None
    ):
        return None
    equation = model.state_equation
    rhs, intervals = equation.native_rhs.at(p), smooth_intervals(arm)
    problem = run_problem(tolerant_settings(arm), rhs.f, found.y0, rhs.h)
    if intervals is not None:
        problem = replace(problem, intervals=intervals).from_interval(0, found.y0)
    integration = LoggedDop853(problem)
    run = SingleRun(found.instance, equation, integration)
    times = sample_times(arm, 0, sample_count(arm))
    states = integrated(integration, times, arm.name, progress)
    run.status, run.message = "complete", ""
    within = problem.within(times)
    f, h = equation.native_observables.at(p)
    observed = f.map(within, states, h)

    def column(rows: np.ndarray) -> np.ndarray:
        return record.column(equation.observables.datasets(rows)[record.dataset or ""])

    values = column(observed)
    by_sample = derivatives_by_samples(lambda c: record.reduce(times, c, run), values)
    if by_sample is None or not integration.log_is_complete:
        return None
    of_motion, of_samples = model.once(
        "adjoint",
        lambda: (
            AdjointFunction(equation.rhs, equation.tables, OPTIMISATION),
            AdjointFunction(equation.output, equation.tables, LEAST_OPTIMISATION),
        ),
    )
    output, instants = of_samples.at(p), np.array(sorted(by_sample), dtype=int)
    seeds, by_h = np.zeros((instants.size, found.y0.size)), np.zeros(output.h.size)
    for seed, k in zip(seeds, instants, strict=True):
        by_entry = _slopes(column, observed[k])
        if by_entry is None:
            return None
        seed[:], own = output.at(float(within[k]), states[k], by_sample[k] * by_entry)
        by_h += own
    by_y, by_h_motion = integration.back(of_motion.at(p), within[instants], seeds)
    derivatives = found.states @ by_y + of_motion.changes(p, found.parameters) @ by_h_motion
    derivatives += of_samples.changes(p, found.parameters) @ by_h
    return AdjointGradient(float(record.reduce(times, values, run)), derivatives, times)


def derivatives_by_samples(
    reduce: Callable[[np.ndarray], float], values: np.ndarray
) -> dict[int, float] | None:
    """Derivatives of a record by the samples (m,) that it depends on; None if these are many, or at a kink."""
    middle, size = reduce(values), NUDGE * (np.abs(values).max(initial=0.0) or 1.0)
    # samples together move by different amounts: a record of differences does not see what all have in common
    sizes = size * (1 + np.arange(values.size) * GOLDEN_RATIO % 1)
    found: dict[int, float] = {}
    waiting = [(0, values.size)]
    while waiting:
        first, last = waiting.pop()
        ahead, behind = values.copy(), values.copy()
        ahead[first:last] += sizes[first:last]
        behind[first:last] -= sizes[first:last]
        forward = (reduce(ahead) - middle) / sizes[first]
        backward = (middle - reduce(behind)) / sizes[first]
        if forward == 0 and backward == 0:
            continue
        if last - first > 1:
            half = (first + last) // 2
            waiting += [(first, half), (half, last)]
        elif abs(forward - backward) > SAME * max(abs(forward), abs(backward)):
            return None
        else:
            found[first] = (forward + backward) / 2
        if len(found) + len(waiting) > 2 * MOST_INSTANTS or len(found) > MOST_INSTANTS:
            return None
    return found


def _slopes(column: Callable[[np.ndarray], np.ndarray], row: np.ndarray) -> np.ndarray | None:
    """Derivatives (n,) of the value of a sample by all that is observed in it, (n,); None at a kink."""
    size = NUDGE * (np.abs(row).max(initial=0.0) or 1.0)
    moved = size * np.eye(row.size)
    middle, ahead, behind = (column(np.atleast_2d(row + part * moved)) for part in (0.0, 1.0, -1.0))
    forward, backward = (ahead - middle) / size, (middle - behind) / size
    if (np.abs(forward - backward) > SAME * np.maximum(np.abs(forward), np.abs(backward)).max()).any():
        return None
    return (forward + backward) / 2

"""Derivatives of one record by many numbers, by a sweep back over the motion: the discrete adjoint of its integration.

It takes about 4 plain runs however many numbers there are, of smooth motions by `dop853`. The variational equations
take 1 + 0.6 k to 1 + 0.8 k for k numbers, and have all that may be asked of a motion.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexarm.codegen.adjoint_function import AdjointFunction
from flexarm.codegen.native_function import LEAST_OPTIMISATION, OPTIMISATION
from flexarm.progress import Progress
from flexarm.results.schema import STRESS
from flexarm.simulation.forces.break_points import has_kinked_motion, smooth_intervals
from flexarm.simulation.forward.run import run_problem, sample_count, sample_times
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.solvers.dop853.adjoint import LoggedDop853
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure
from flexarm.sweeps.sensitivity.directions.directions import Directions
from flexarm.sweeps.sensitivity.record_derivatives import derivatives_by_entries, derivatives_by_samples
from flexarm.sweeps.sensitivity.variational_equations import integrated, tolerant_settings

LEAST_NUMBERS = 10
"""Numbers from which on it pays."""


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
    smooth = not (arm.is_event_driven or arm.clocks or found.instants.moves or has_kinked_motion(arm))
    if (
        len(found.scales) < LEAST_NUMBERS
        or arm.run.method != "dop853"
        or not smooth
        or record.dataset in (None, STRESS)
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
        by_entry = derivatives_by_entries(column, observed[k])
        if by_entry is None:
            return None
        seed[:], own = output.at(float(within[k]), states[k], by_sample[k] * by_entry)
        by_h += own
    by_y, by_h_motion = integration.back(of_motion.at(p), within[instants], seeds)
    derivatives = found.states @ by_y + of_motion.changes(p, found.parameters) @ by_h_motion
    derivatives += of_samples.changes(p, found.parameters) @ by_h
    return AdjointGradient(float(record.reduce(times, values, run)), derivatives, times)

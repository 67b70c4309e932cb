"""Causal inversion: the internal dynamics integrated forward in time, as [SY94] publishes it.

It diverges where the internal dynamics is unstable, that is where the task is a non-minimum-phase output: inversion by
integration needs stable zero dynamics, [Isidori1995] section 4.3, [DeLucaSiciliano1993] for flexible links.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.errors import ModelError, SolverError
from flexarm.progress import Progress
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.methods.divergence import deflection_limits, explanation, first_beyond
from flexarm.simulation.inverse.methods.inverse_method import InverseMethod
from flexarm.simulation.inverse.problem import SAMPLES, InverseProblem
from flexarm.simulation.inverse.rigid_motion import rigid_motion
from flexarm.simulation.inverse.solution import Solution
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.solvers.base import InitialValueProblem, Integration, start
from flexarm.solvers.intervals import Intervals
from flexarm.solvers.solve import solve

BLOCK = 10
"""Samples after which the deflections are looked at."""
AT_REST = 1e-9
"""Force [N], moment [N m] or rate [m/s, rad/s] of a floating arm at rest that is round-off."""
LEAST_STEPS = 200
"""Steps over a trajectory at least, so that none passes over a short part of it: at rest nothing announces it."""


@dataclass(frozen=True)
class CausalInversion(InverseMethod):
    """The motion integrated forward from the arm's initial deflections."""

    def solve(self, problem: InverseProblem, progress: Progress | None = None) -> Solution:
        """Integrate until the end of the trajectory, or until the motion diverges."""
        samples = problem.times()
        if problem.floats:  # says where the rigid arm cannot follow, and why
            rigid_motion(problem, ExtendedTrajectory(problem.reference), samples)
        ivp = internal_dynamics_problem(problem, _initial_state(problem))
        begin = time.perf_counter()
        found = integrate(problem, ivp, samples, progress)
        if not found.times.size:
            raise SolverError(found.message)
        facts: dict[str, object] = {
            "solve_seconds": time.perf_counter() - begin,
            "rtol": ivp.rtol,
            "atol": ivp.atol,
            "steps": found.integration.steps,
            "evaluations": found.integration.evaluations,
        }

        def at(times: np.ndarray) -> Motion:
            if not np.array_equal(times, found.times):
                states, _ = solve("dop853", ivp, times)  # states do not depend on which are asked for
            else:
                states = found.states
            return problem.dynamics.full_motion(times, states, problem.reference(times))

        reference = ExtendedTrajectory(problem.reference)
        mesh = problem.mesh(problem.reference.duration / max(SAMPLES, found.integration.steps))
        return Solution(problem, reference, found.times, at(found.times), at, mesh, found.message, facts)


@dataclass(frozen=True)
class CausalMotion:
    """A motion integrated forward, as far as it goes.

    Attributes
    ----------
    times : (k,) [s]
    states : (k, n_y) [rad, m; per s]
        States of the internal dynamics.
    message : str
        Why it stopped early; empty if it did not.
    integration : Integration
    """

    times: np.ndarray
    states: np.ndarray
    message: str
    integration: Integration


def internal_dynamics_problem(problem: InverseProblem, y0: np.ndarray) -> InitialValueProblem:
    """Compile the internal dynamics along the trajectory, [SY94] eq. 25, to be started from y0 (n_y,)."""
    run, reference = problem.arm.run, problem.reference
    ivp = InitialValueProblem(
        rhs=compile_native(problem.dynamics.along(reference), reference.tables),
        t0=0.0,
        y0=y0,
        p=np.empty(0),
        rtol=run.rtol,
        atol=run.atol,
        max_steps=run.max_steps,
        intervals=Intervals.around(
            reference.breaks, 0.0, reference.duration, longest_step=reference.duration / LEAST_STEPS
        ),
    )
    return ivp.from_interval(0, y0)


def integrate(
    problem: InverseProblem, ivp: InitialValueProblem, times: np.ndarray, progress: Progress | None = None
) -> CausalMotion:
    """Integrate until the last time or until the deflections diverge.

    Parameters
    ----------
    ivp : InitialValueProblem
        See :func:`internal_dynamics_problem`.
    times : (k,) [s]
        The samples.

    Notes
    -----
    Stops at the first sample at which a link is deflected or rotated further than any beam model holds, or where
    the growing motion has led into a singularity of the equations and the integrator cannot go on.
    """
    integration, blocks, done = start("dop853", ivp), [np.empty((0, ivp.y0.size))], 0
    limits = deflection_limits(problem.dynamics)
    while done < times.size:
        block = integration.advance(times[done : done + BLOCK])
        beyond = first_beyond(limits, block)
        blocks.append(block if beyond is None else block[: beyond[0]])
        done += len(blocks[-1])
        if beyond is not None or integration.failure is not None:
            if beyond is not None:
                reached, what = times[done], beyond[1]
            else:
                reached, what = integration.t, "the deflections grow too fast for any step"
            message = f"stopped at t = {reached:.6g} s: {what}; {explanation(problem)}"
            return CausalMotion(times[:done], np.concatenate(blocks), message, integration)
        if progress is not None and done:
            progress(done / times.size, times[done - 1])
    return CausalMotion(times, np.concatenate(blocks), "", integration)


def follows_from_its_start(problem: InverseProblem) -> bool:
    """Whether the motion of an arm on a floating base is decided by how it starts.

    So it is if none of its motions grows: the zeros that belong to the base lie in the origin, those of links whose
    joints are prescribed, or that are rigid, decay or oscillate.

    Raises
    ------
    ModelError
        Some motion grows, so that a bounded one has to be sought from rest, and the arm cannot rest.
    """
    dynamics, start = problem.dynamics, problem.dynamics.state(problem.start)
    joints_alone = problem.task.space == "joint" or not problem.chain.coordinates.all_modes
    if joints_alone or not problem.zero_dynamics.unstable_zeros.size:
        return True
    n_q, m = len(dynamics.joint_rows), len(dynamics.undriven_rows)
    at_rest = ReferenceSamples.at_rest(problem.reference([0.0]).p[0])
    forces = dynamics.residual(np.zeros(1), start[None], at_rest, np.zeros((1, n_q + m)))[0, n_q:]
    rates, labels = problem.start_rates(dynamics), problem.chain.coordinates.labels
    rows = dynamics.undriven_rows
    for values, what in (
        (forces, "is not at rest there: gravity or loads move it"),
        (rates, "starts with a rate"),
    ):
        worst = int(np.abs(values).argmax())
        if np.abs(values[worst]) > AT_REST:
            raise ModelError(
                f"{problem.where}: {problem.arm.name} floats, and {labels[rows[worst]]} {what}; stable inversion has "
                "to bend the links before the tip moves, which takes an arm at rest (leave gravity, loads and initial "
                "rates away, take the links for rigid, or prescribe joints: space: joint)"
            )
    return False


def _initial_state(problem: InverseProblem) -> np.ndarray:
    """Initial state of the arm, with joint angles that put the tip on its path all the same: (n_y,)."""
    initial, modes = problem.arm.initial, list(problem.chain.coordinates.all_modes)
    if initial.equilibrium and not problem.floats:
        return problem.zero_dynamics.state
    theta = problem.start.copy()
    theta[modes] = initial.modes
    theta, missing = problem.kinematics.solve(theta, problem.reference([0.0]).p[0])
    problem.kinematics.check_reached(missing, 0.0, problem.where)
    return problem.dynamics.state(theta, problem.start_rates(problem.dynamics))

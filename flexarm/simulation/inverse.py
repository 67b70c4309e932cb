"""Inverse kinematics and dynamics: joint angles, torques and deflections of an arm whose tip follows a trajectory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexarm import __version__
from flexarm.errors import SolverError
from flexarm.model.chain import Chain, build_chain
from flexarm.simulation.causal import causal_problem, integrate
from flexarm.simulation.internal_dynamics import InternalDynamics, internal_dynamics
from flexarm.simulation.interpolation import even_mesh, interpolated
from flexarm.simulation.inverse_kinematics import InverseKinematics, singular_values
from flexarm.simulation.margins import ExtendedPath
from flexarm.simulation.memory import check_memory
from flexarm.simulation.open_loop import open_loop
from flexarm.simulation.operational_space import OperationalSpace
from flexarm.simulation.recorder import Recorder, recorder, tracking
from flexarm.simulation.rigid_inverse import rigid_motion
from flexarm.simulation.stable_inversion import stable_inversion
from flexarm.simulation.task import Task, task_of
from flexarm.simulation.task_path import TaskPath, task_path
from flexarm.simulation.zeros import Rest, at_rest
from flexarm.spec.arm import Arm
from flexarm.spec.trajectory import Trajectory

METHODS = {
    "stable": "the bounded motion, by collocation with margins before and after the trajectory",
    "causal": "integrated forward, as published; diverges where the tip is a non-minimum-phase output",
    "rigid": "of the arm with rigid links",
}
"""Name of every method -> what it computes."""
SAMPLES = 300
"""Intervals between the samples of a result, unless the trajectory says otherwise."""

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""theta, theta_d and theta_dd over time, each (k, n_dof)."""
Progress = Callable[[float, float | None], None]


@dataclass
class InverseProblem:
    """An arm and a trajectory, derived: everything the methods share.

    Attributes
    ----------
    arm : Arm
    trajectory : Trajectory
    chain : Chain
    task : Task
    path : TaskPath
    kinematics : InverseKinematics
    start : (n_dof,)
        Posture at the start of the path, deflections zero.
    """

    arm: Arm
    trajectory: Trajectory
    chain: Chain
    task: Task
    path: TaskPath
    kinematics: InverseKinematics
    start: np.ndarray

    @cached_property
    def dynamics(self) -> InternalDynamics:
        """Internal dynamics of the flexible arm."""
        return internal_dynamics(self.arm, self.chain, self.task)

    @cached_property
    def rigid_dynamics(self) -> InternalDynamics:
        """The same with the deflections held at zero."""
        return internal_dynamics(self.arm, self.chain, self.task, rigid=True)

    @cached_property
    def recorder(self) -> Recorder:
        """Evaluates the datasets of results."""
        return recorder(self.arm, self.chain)

    @cached_property
    def rest(self) -> Rest:
        """The arm at rest at the start of the path, in static equilibrium, and its zeros."""
        return at_rest(self.dynamics, self.kinematics, 0.0, self.path([0.0]).p[0], self.start)

    @property
    def where(self) -> str:
        """What messages about the trajectory begin with."""
        return self.trajectory.source

    @property
    def sample(self) -> float:
        """Time between two samples [s]."""
        return self.trajectory.sample or self.path.duration / SAMPLES

    def times(self, pre: float = 0.0, post: float = 0.0) -> np.ndarray:
        """Sample times: multiples of the sample from -pre to the duration + post, and both ends."""
        end = self.path.duration + post
        inside = (
            np.arange(np.ceil(-pre / self.sample - 1e-9), np.floor(end / self.sample + 1e-9) + 1)
            * self.sample
        )
        times = np.unique(np.concatenate([[-pre], np.clip(inside, -pre, end), [end]]))
        return times[np.concatenate([[True], np.diff(times) > 1e-6 * self.sample])] + 0.0  # no -0


def inverse_problem(arm: Arm, trajectory: Trajectory) -> InverseProblem:
    """Derive what an inverse motion needs and check that the arm can follow the trajectory.

    Raises
    ------
    ModelError
        More task rows than joints, a path that jumps, is out of reach or leads through a singular stretch.
    """
    chain = build_chain(arm)
    task, path = task_of(trajectory, chain), task_path(trajectory)
    kinematics = InverseKinematics(chain, task)
    start = kinematics.start(arm, trajectory, path([0.0]).p[0])
    problem = InverseProblem(arm, trajectory, chain, task, path, kinematics, start)
    samples = path.duration / problem.sample
    numbers = 12 * chain.coordinates.n_dof + 40 * len(
        chain.links
    )  # motions twice, and what is recorded of a link
    check_memory(8 * samples * numbers, f"{problem.where}: a result of {samples:.3g} samples", "raise sample")
    times = problem.times()
    kinematics.follow(times, path(times).p, start, problem.where)
    return problem


@dataclass
class InverseMotion:
    """What a method finds.

    Attributes
    ----------
    problem : InverseProblem
    method : str
    course : ExtendedPath
        The task with its margins.
    times : (k,) [s]
        Samples.
    at : callable
        Times (k,) inside the trajectory, ascending -> motion.
    motion : Motion
        At the samples.
    step : float [s]
        Length over which the torques are smooth enough for polynomials of degree 4.
    message : str
        Why it stopped early; empty if it is complete.
    facts : dict
        Attributes of the result that belong to the method.
    """

    problem: InverseProblem
    method: str
    course: ExtendedPath
    times: np.ndarray
    at: Callable[[np.ndarray], Motion]
    motion: Motion
    step: float
    message: str = ""
    facts: dict[str, object] = field(default_factory=dict)

    def datasets(self, operational_space: bool = False) -> dict[str, np.ndarray]:
        """Everything recorded at the samples."""
        problem, times = self.problem, self.times
        theta, theta_d, _ = self.motion
        data = problem.recorder(times, *self.motion)
        course = self.course(times)
        rigid = rigid_motion(
            problem.rigid_dynamics, problem.kinematics, self.course, problem.start, times, problem.where
        )
        compared = problem.recorder(times, *rigid)
        undeformed = theta.copy()
        undeformed[:, list(problem.chain.coordinates.all_modes)] = 0.0
        still = np.zeros_like(theta)
        tips = problem.recorder(times, undeformed, still, still)["point_position"][:, -1]
        found, J = problem.kinematics.map(theta)
        data |= tracking(problem.task, data, course.p, tips)
        if problem.task.angular.any():
            missing = problem.task.error(course.p, found)[:, problem.task.angular]
            data["turn_error"] = np.abs(missing).max(axis=1)
        data["singular_value"] = singular_values(J[:, :, problem.kinematics.joints])[:, -1]
        data["rigid_joint_angle"], data["rigid_torque"] = compared["joint_angle"], compared["torque"]
        if operational_space:
            data |= OperationalSpace(problem.arm, problem.chain, problem.task).record(theta, theta_d)
        return data

    def verify(self, progress: Progress | None = None) -> float:
        """Feed the torques to the forward dynamics; return the tip's largest distance from its path [m].

        The simulation starts from the computed state at t = 0 and runs open loop to the end of the trajectory. With
        prescribed turns of the tip or joints, the largest of all task rows' errors counts.
        """
        problem = self.problem
        joints = [i for i, row in enumerate(problem.chain.coordinates.joints) if row is not None]
        breaks = np.concatenate([[0.0], problem.path.breaks, [problem.path.duration]])
        mesh = even_mesh(breaks, self.step)
        signals = interpolated(lambda t: problem.recorder.torques(t, *self.at(t))[:, joints], mesh)
        theta, theta_d, _ = (values[0] for values in self.at(np.array([0.0])))
        times = problem.times()
        thetas = open_loop(problem.arm, problem.chain, signals, theta, theta_d, times, progress)
        missing = problem.task.error(problem.path(times).p, problem.kinematics.map(thetas)[0])
        positions = problem.task.positions
        others = np.delete(missing, positions, axis=1)
        return float(
            max(np.linalg.norm(missing[:, positions], axis=1).max(), np.abs(others).max(initial=0.0))
        )

    @property
    def attributes(self) -> dict[str, object]:
        """Root attributes of the result but for the command."""
        problem = self.problem
        arm = problem.arm
        return {
            "kind": "inverse",
            "status": "incomplete" if self.message else "complete",
            "message": self.message,
            "flexarm_version": __version__,
            "robot": arm.text,
            "trajectory": problem.trajectory.text,
            "task": ", ".join(problem.task.names),
            "duration": problem.path.duration,
            "formulation": arm.run.formulation,
            "link_rotation": arm.link_rotation,
            "method": self.method,
            **self.facts,
        }


def inverse_motion(
    problem: InverseProblem,
    method: str = "stable",
    *,
    pre: float | None = None,
    post: float | None = None,
    step: float | None = None,
    progress: Progress | None = None,
) -> InverseMotion:
    """Compute an inverse motion by one of :data:`METHODS`.

    Parameters
    ----------
    pre, post, step : float, optional [s]
        Method stable only: margins and longest interval of the mesh.

    Raises
    ------
    ModelError, SolverError
        As of the methods.
    """
    if method not in METHODS:
        raise ValueError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    if method != "stable" and (pre or post or step):
        raise ValueError(f"pre, post and step belong to method stable, and the method is {method}")
    begin = time.perf_counter()
    if method == "stable":
        motion = _stable(problem, pre, post, step, progress)
    else:
        motion = (_causal if method == "causal" else _rigid)(problem, progress)
    motion.facts.setdefault("solve_seconds", time.perf_counter() - begin)
    return motion


def _stable(
    problem: InverseProblem,
    pre: float | None,
    post: float | None,
    step: float | None,
    progress: Progress | None,
) -> InverseMotion:
    dynamics = problem.dynamics
    found = stable_inversion(
        dynamics, problem.kinematics, problem.path, problem.start, problem.where,
        pre=pre, post=post, step=step, progress=progress,
    )  # fmt: skip
    course = found.course
    times = problem.times(course.pre, course.post)

    def at(times: np.ndarray) -> Motion:
        return dynamics.full_motion(times, found.solution(times), course(times))

    facts = {
        "steps": found.solution.mesh.size - 1,
        "iterations": found.solution.iterations,
        "step": float(found.step),
        "residual": found.residual,
        "pre": float(course.pre),
        "post": float(course.post),
        "unstable_zeros": ", ".join(f"{zero.real:.6g}" for zero in found.first.unstable_zeros),
    }
    return InverseMotion(problem, "stable", course, times, at, at(times), found.step, facts=facts)


def _causal(problem: InverseProblem, progress: Progress | None) -> InverseMotion:
    dynamics, path, arm = problem.dynamics, problem.path, problem.arm
    compiled = causal_problem(dynamics, path, _causal_start(problem))
    times = problem.times()
    begin = time.perf_counter()
    found = integrate(dynamics, compiled, times, lambda: problem.rest, progress)
    if not found.times.size:
        raise SolverError(found.message)
    facts: dict[str, object] = {
        "solve_seconds": time.perf_counter() - begin,
        "rtol": arm.run.rtol,
        "atol": arm.run.atol,
        "steps": found.integration.steps,
        "evaluations": found.integration.evaluations,
    }

    def at(times: np.ndarray) -> Motion:
        states = integrate(dynamics, compiled, times, lambda: problem.rest).states
        return dynamics.full_motion(times, states, path(times))

    motion = dynamics.full_motion(found.times, found.states, path(found.times))
    course = ExtendedPath(path, 0.0, 0.0, 0.0)
    return InverseMotion(
        problem, "causal", course, found.times, at, motion, problem.sample, found.message, facts
    )


def _causal_start(problem: InverseProblem) -> np.ndarray:
    """Deflections as the arm's initial state has them, joint angles that put the tip on its path all the same."""
    initial, modes = problem.arm.initial, list(problem.chain.coordinates.all_modes)
    if initial.equilibrium:
        return problem.rest.state
    theta = problem.start.copy()
    theta[modes] = initial.modes
    theta, missing = problem.kinematics.solve(theta, problem.path([0.0]).p[0])
    problem.kinematics.check_reached(missing, 0.0, problem.where)
    return problem.dynamics.state(theta, np.array(initial.mode_rates))


def _rigid(problem: InverseProblem, progress: Progress | None) -> InverseMotion:
    course, times = ExtendedPath(problem.path, 0.0, 0.0, 0.0), problem.times()

    def at(times: np.ndarray) -> Motion:
        return rigid_motion(
            problem.rigid_dynamics, problem.kinematics, course, problem.start, times, problem.where
        )

    return InverseMotion(
        problem, "rigid", course, times, at, at(times), problem.sample, facts={"steps": times.size - 1}
    )

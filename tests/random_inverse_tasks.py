"""Seeded random arms with flexible links, and tasks inside their reach, for stable inversion.

One to three links in the plane, two to four joints in space, one to three modes in each direction, hubs of up to one
link's inertia, payloads of up to two links' masses, a static sag of 0.1 to 3 % of the length, with and without gravity;
lines, circles and joint paths that take three periods of the first mode or more.

A task lies inside reach if the rigid arm follows it through regular postures only: everywhere on the way unit joint
rates move the tip in every prescribed direction, by a twentieth of the arm's length per second at least (the smallest
singular value of the derivative of the task by the joints). Tasks that do not are drawn again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.inverse.problem import InverseProblem, inverse_problem

G = 9.81
DRAWS = 50
REGULAR = 0.05
"""Smallest singular value of the task's derivative by the joints, of the arm's length, inside reach."""
POSTURES = 200
"""At which it is looked at."""


class Ranges(NamedTuple):
    """From where arms and tasks are drawn.

    Attributes
    ----------
    planar : bool
        Whether all arms move in a vertical plane, under gravity; else half of them in space, half without gravity.
    links : (2,)
        Fewest and most links of an arm in the plane.
    modes : (2,)
        Of each link in each direction.
    sag : (2,)
        Static sag of the straight arm, of its length.
    periods : (2,)
        Duration of the task, in periods of the first mode.
    kinds : tuple of str
    """

    planar: bool = False
    links: tuple[int, int] = (1, 3)
    modes: tuple[int, int] = (1, 3)
    sag: tuple[float, float] = (0.001, 0.03)
    periods: tuple[float, float] = (3.0, 15.0)
    kinds: tuple[str, ...] = ("line", "circle", "joints")


ORDINARY = Ranges()


class RandomTask(NamedTuple):
    """YAML texts of an arm and its trajectory, and what kind they are."""

    arm: str
    trajectory: str
    kind: str


def random_problem(seed: int, law: str = "smooth") -> tuple[RandomTask, InverseProblem]:
    """The first task of a seed that the rigid arm can do."""
    rng = np.random.default_rng([16, seed])
    for _ in range(DRAWS):
        task = random_task(rng, law)
        try:
            arm, trajectory = flexarm.parse_arm(task.arm), flexarm.parse_trajectory(task.trajectory)
            problem = inverse_problem(arm, trajectory)
        except ModelError:
            continue
        if (
            problem.task.space == "joint"
            or smallest_singular_value(problem) >= REGULAR * problem.kinematics.size
        ):
            return task, problem
    raise AssertionError(f"seed {seed}: no task that the rigid arm can do")


def smallest_singular_value(problem: InverseProblem) -> float:
    """Of the derivative of the task by the joints, on the way of the rigid arm [m]."""
    kinematics, times = problem.kinematics, np.linspace(0.0, problem.reference.duration, POSTURES)
    thetas = kinematics.follow(times, problem.reference(times).p, problem.start, problem.where)
    of_joints = np.array([kinematics.rows(theta)[1][:, kinematics.joints] for theta in thetas])
    return float(np.linalg.svd(of_joints, compute_uv=False)[:, -1].min())


def random_task(
    rng: np.random.Generator, law: str, family: str = "craig-bampton", ranges: Ranges = ORDINARY
) -> RandomTask:
    """Draw an arm and a trajectory; the latter may lie outside its reach."""
    spatial, gravity = (False, True) if ranges.planar else (bool(rng.integers(2)), bool(rng.integers(2)))
    n = int(rng.integers(2, 5) if spatial else rng.integers(ranges.links[0], ranges.links[1] + 1))
    lengths, mu = rng.uniform(0.3, 1.0, n), rng.uniform(0.3, 3.0)
    count = int(rng.integers(ranges.modes[0], ranges.modes[1] + 1))
    link_mass, total = mu * lengths.mean(), lengths.sum()
    payload = rng.uniform(0, 2) * link_mass
    hubs = rng.uniform(0, 1, n) * link_mass
    sag = 10 ** rng.uniform(*np.log10(ranges.sag)) * total
    EI = G * (mu * total**4 / 8 + (payload + hubs[1:].sum() / 2) * total**3 / 3) / sag
    period = 2 * np.pi * np.sqrt(sag / (1.5 * G))
    duration = ranges.periods[0] * period * (ranges.periods[1] / ranges.periods[0]) ** rng.uniform(0, 1)
    joints = [
        f"{{mass: {m:.4g}, inertia: {m * length**2 / 3:.4g}"
        + (", twist: 90 deg}" if spatial and i == 1 else "}")
        for i, (m, length) in enumerate(zip(hubs, lengths, strict=True))
    ]
    directions = ("y", "z") if spatial else ("y",)
    modes = ", ".join(f"{{family: {family}, count: {count}, direction: {d}}}" for d in directions)
    stiffness = f"{{y: {EI:.5g}, z: {EI * rng.uniform(0.7, 1.4):.5g}}}" if spatial else f"{EI:.5g}"
    damping = rng.choice([0.0, 0.005, 0.02])
    links = "".join(
        f"  - {{length: {length:.4g}, mu: {mu:.4g}, EI: {stiffness}, damping: {damping}, modes: [{modes}]}}\n"
        for length in lengths
    )
    down = ("[0, 0, -9.81]" if spatial else "[0, -9.81, 0]") if gravity else "[0, 0, 0]"
    inertia = 0.01 * payload * lengths[-1] ** 2
    arm = (
        f"name: random\ngravity: {down}\nlinks:\n{links}joints: [{', '.join(joints)}]\n"
        f"payload: {{mass: {payload:.4g}, inertia: [{inertia:.4g}, {inertia:.4g}, {inertia:.4g}]}}\n"
    )
    start = rng.uniform(-1.0, 1.0, n)
    start[1:] = rng.uniform(0.6, 2.2, n - 1) * rng.choice([-1, 1])
    end = start + rng.uniform(-0.5, 0.5, n)
    kind, course = _course(rng, arm, start, end, spatial, law, ranges.kinds)
    near = "" if kind == "joints" else f"near: [{', '.join(f'{q:.4f}' for q in start)}]\n"
    return RandomTask(
        arm,
        f"duration: {duration:.5g}\n{course}{near}",
        f"{'space' if spatial else 'plane'} {n} {count} {kind}",
    )


def _course(
    rng: np.random.Generator,
    arm: str,
    start: np.ndarray,
    end: np.ndarray,
    spatial: bool,
    law: str,
    kinds: tuple[str, ...],
) -> tuple[str, str]:
    n, kind = len(start), rng.choice(kinds)
    listed = lambda values: "[" + ", ".join(f"{value:.5f}" for value in values) + "]"  # noqa: E731
    if kind == "joints":
        return "joints", f"space: joint\nline: {{from: {listed(start)}, to: {listed(end)}, law: {law}}}\n"
    rows = min(n, 3 if spatial else 2)
    equations = flexarm.motion_equations(flexarm.parse_arm(arm))
    theta = np.zeros((2, equations.n_dof))
    theta[:, list(equations.coordinates.moving_joints)] = start, end
    p0, p1 = (equations.points(row)[-1][:rows] for row in theta)
    if kind == "circle" and rows > 1 and not (spatial and rows < 3):
        radius = 0.3 * np.linalg.norm(p1 - p0) + 0.01
        center = p0 - radius * np.eye(rows)[0]
        return "circle", f"circle: {{center: {listed(center)}, radius: {radius:.5f}, law: {law}}}\n"
    return "line", f"line: {{from: {listed(p0)}, to: {listed(p1)}, law: {law}}}\n"

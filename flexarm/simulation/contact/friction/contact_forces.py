"""Forces of persistent contacts and of joints with Coulomb friction, and which of them slide and stick.

The forces follow from the accelerations. A joint rubs like a contact whose normal force is always the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.contact_law import pressed
from flexarm.simulation.contact.equations.constrained_motion import REFINEMENTS, REGULARISATION
from flexarm.solvers.lemke import lemke

Array = NDArray[np.float64]

SATURATED = 1e-6
"""Slack of a force and acceleration of a slip, in units of the largest ones, below which both are zero."""
BEYOND = 1e-9
"""Force beyond the limit of sticking that is round-off, as a part of it."""


class FrictionProblem(NamedTuple):
    """Persistent contacts, and joints with dry friction, of which some slide and others may stick.

    Attributes
    ----------
    A : (k + k_t, k + k_t) [1/kg]
        Delassus matrix of the k normals, then of the k_t slips: along the walls of contacts with friction, of joints.
    b : (k + k_t,) [m/s^2]
        Accelerations while nothing acts.
    rubbing : (k_w,) int
        Which of the k contacts have friction: the first k_w slips are theirs, the others those of joints.
    kinetic, static : (k_t,)
        Coefficients of the contacts, torques [N m] of the joints.
    direction : (k_t,)
        1 or -1, the direction of the slip of those that slide; 0 of those at rest.
    release : float [m/s^2]
        Acceleration that a normal force prevents, below which the contact opens.
    """

    A: Array
    b: Array
    rubbing: NDArray[np.intp]
    kinetic: Array
    static: Array
    direction: Array
    release: float

    @property
    def n_normals(self) -> int:
        """Number of contacts, k."""
        return self.b.size - self.kinetic.size

    def limits(self, coefficients: Array, normal: Array) -> Array:
        """Forces (k_t,) at the limit, by coefficients (k_t,) and normal forces (k,)."""
        k_w = self.rubbing.size
        return np.concatenate([coefficients[:k_w] * normal[self.rubbing], coefficients[k_w:]])

    def known(self, torques: Array) -> Array:
        """All forces (k + k_t,) while only joints act, with the torques of (k_t,)."""
        first = self.n_normals + self.rubbing.size
        return np.concatenate([np.zeros(first), torques[self.rubbing.size :]])


class FrictionForces(NamedTuple):
    """Forces of persistent contacts, and what these and joints with friction do.

    Attributes
    ----------
    normal : (k,) [N]
    pressed : (k,) bool
        Whether the normal force is more than none; the others open.
    sticks : (k_t,) bool
    direction : (k_t,)
        Of those that do not stick: direction of the slip, or of that which the force at its limit prevents.
    slips : (k_t,) bool
        Whether there is a slip, or one begins; neither this nor `sticks`: saturated, at the limit without a slip.
    """

    normal: Array
    pressed: NDArray[np.bool_]
    sticks: NDArray[np.bool_]
    direction: Array
    slips: NDArray[np.bool_]


def friction_forces(problem: FrictionProblem) -> FrictionForces | None:
    """Solve for the forces of persistent contacts and joints with friction; None if there are none (Painleve).

    Notes
    -----
    A force along the wall is ``-direction kinetic N`` in sliding, so that its column joins that of N. At rest it is
    ``T = T+ - T-``; with the acceleration a of the slip, T+ is complementary to ``a + s``, T- to ``-a + s``, and s to
    ``static N - T+ - T-`` [StewartTrinkle1996], of a joint ``static - T+ - T-``. The linear complementarity problem has
    the unknowns (N, T+, T-, s).
    Its matrix is copositive where nothing slides: then there is a solution, and Lemke's method finds it.
    The diagonal is a little larger than it is, as in
    :func:`~flexarm.simulation.contact.equations.constrained_motion.with_friction`: this makes the forces of redundant
    contacts unique.
    """
    forces = _solution(problem)
    return None if forces is None else _held(problem, _with_states(problem, forces))


def _solution(problem: FrictionProblem) -> Array | None:
    """Forces (k + k_t,) that solve the complementarity problem, if there are any."""
    A, b, rubbing, kinetic, static, direction, _ = problem
    k, k_w = problem.n_normals, rubbing.size
    known = problem.known(-direction * kinetic)
    b = b + A @ known
    A = A + REGULARISATION * np.diag(A.diagonal())
    rests, r = np.flatnonzero(direction == 0), int(np.count_nonzero(direction == 0))
    # (N, T+, T-) -> (N, T)
    to_forces = np.zeros((b.size, k + 2 * r))
    to_forces[:k, :k] = np.eye(k)
    to_forces[k + np.arange(k_w), rubbing] = (-direction * kinetic)[:k_w]
    forwards, backwards, excess = (k + j * r + np.arange(r) for j in range(3))
    to_forces[k + rests, forwards], to_forces[k + rests, backwards] = 1.0, -1.0
    whole, unsolved = np.zeros((k + 3 * r, k + 3 * r)), np.zeros(k + 3 * r)
    acceleration = A @ to_forces
    whole[:k, : k + 2 * r], unsolved[:k] = acceleration[:k], b[:k]
    scale = A.diagonal()[k + rests]  # of an acceleration per force: s in the unit of a force
    for sign, rows in ((1, forwards), (-1, backwards)):
        whole[rows, : k + 2 * r], unsolved[rows] = sign * acceleration[k + rests], sign * b[k + rests]
        whole[rows, excess], whole[excess, rows] = scale, -scale
    of_walls, limit = rests < k_w, static[rests] * scale
    whole[excess[of_walls], rubbing[rests[of_walls]]] = limit[of_walls]
    unsolved[excess[~of_walls]] = limit[~of_walls]
    found = lemke(whole, unsolved)
    return known + to_forces @ found.z[: k + 2 * r] if found.solved else None


def _with_states(problem: FrictionProblem, forces: Array) -> FrictionForces:
    """Forces (k + k_t,), and what sticks and slips: slack and acceleration of the slip, the larger one says."""
    A, b, rubbing, _, static, direction, release = problem
    k, k_w, rests = problem.n_normals, rubbing.size, np.flatnonzero(direction == 0)
    acceleration, scale = A @ forces + b, A.diagonal()[k + rests]
    T, a = forces[k:][rests], acceleration[k:][rests]
    limit = problem.limits(static, forces[:k])[rests]
    slack = scale * (limit - np.abs(T))
    of_walls = rests < k_w
    largest = max(np.abs(b).max(initial=0.0), np.abs(scale * limit)[of_walls].max(initial=0.0))
    negligible = SATURATED * np.where(of_walls, largest, scale * limit)
    sticks, slips = np.zeros(direction.size, dtype=bool), direction != 0
    sticks[rests] = (slack > np.abs(a)) & (slack > negligible)
    slips[rests] = ~sticks[rests] & (np.abs(a) > negligible)
    direction = direction.copy()
    direction[rests] = np.where(slips[rests], np.sign(a), -np.sign(T))
    acts = pressed(forces[:k], A.diagonal()[:k], release)
    sticks[:k_w] &= acts[rubbing]
    return FrictionForces(forces[:k], acts, sticks, direction, slips)


def _held(problem: FrictionProblem, found: FrictionForces) -> FrictionForces:
    """The same without those that would not stick, or not even push, by the forces with which the motion goes on.

    These are :func:`~flexarm.simulation.contact.equations.constrained_motion.with_friction`'s. Redundant contacts share
    their forces in many ways, and the solution of the complementarity problem may be another one. They are let go one
    by one, that which is furthest beyond its limit first: what it cannot bear the others may.
    """
    inverse_inertia, k_w = problem.A.diagonal()[: found.normal.size], problem.rubbing.size
    acts, sticks, direction = found.pressed.copy(), found.sticks.copy(), found.direction.copy()
    for _ in range(acts.size + sticks.size):
        coefficient = -direction * np.where(found.slips, problem.kinetic, problem.static)
        normal, T = _constrained_forces(problem, acts, sticks, np.where(sticks, 0.0, coefficient))
        pulls = acts & ~pressed(normal, inverse_inertia, problem.release)
        if pulls.any():
            acts[np.argmin(np.where(pulls, normal, np.inf))] = False
            sticks[:k_w] &= acts[problem.rubbing]
            continue
        limit = problem.limits(problem.static, np.maximum(normal, 0.0))
        beyond = sticks & (np.abs(T) > (1 + BEYOND) * limit)
        if not beyond.any():
            break
        most = np.argmax(np.where(beyond, np.abs(T) - limit, -np.inf))
        direction[most], sticks[most] = -np.sign(T[most]), False
    return found._replace(pressed=acts, sticks=sticks, direction=direction)


def _constrained_forces(
    problem: FrictionProblem,
    acts: NDArray[np.bool_],
    sticks: NDArray[np.bool_],
    coefficient: Array,
) -> tuple[Array, Array]:
    """Forces (k,) along normals and (k_t,) of friction: of the contacts that act, (k,) bool, and what sticks."""
    A, b, rubbing, *_ = problem
    k, k_w = problem.n_normals, rubbing.size
    rows = np.concatenate([np.flatnonzero(acts), k + np.flatnonzero(sticks)])
    of_all, known = np.eye(b.size), problem.known(coefficient)
    of_all[k + np.arange(k_w), rubbing] += coefficient[:k_w]
    to_forces = of_all[:, rows]
    own, b = (A @ to_forces)[rows], (b + A @ known)[rows]
    compliant = own + REGULARISATION * np.diag(A.diagonal()[rows])
    unknown = np.zeros(rows.size)
    for _ in range(REFINEMENTS + 1):
        unknown -= np.linalg.solve(compliant, own @ unknown + b)
    forces = known + to_forces @ unknown
    return forces[:k], forces[k:]

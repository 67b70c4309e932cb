"""Forces of persistent contacts with Coulomb friction, and which of them slide and stick, from their accelerations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.constrained_motion import REFINEMENTS, REGULARISATION
from flexarm.simulation.contact.contact_law import pressed
from flexarm.solvers.lemke import lemke

Array = NDArray[np.float64]

SATURATED = 1e-6
"""Slack of a force and acceleration of a slip, in units of the largest ones, below which both are zero."""
BEYOND = 1e-9
"""Force beyond the limit of sticking that is round-off, as a part of it."""


class FrictionProblem(NamedTuple):
    """Persistent contacts of which some slide and others may stick.

    Attributes
    ----------
    A : (k + k_t, k + k_t) [1/kg]
        Delassus matrix of the k normals, then of the directions along the walls of the k_t contacts with friction.
    b : (k + k_t,) [m/s^2]
        Accelerations while nothing acts.
    rubbing : (k_t,) int
        Which of the k contacts have friction.
    kinetic, static : (k_t,)
        Their coefficients.
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


class FrictionForces(NamedTuple):
    """Forces of persistent contacts, and what those with friction do.

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
    """Solve for the forces of persistent contacts with friction; None if there are none (Painleve).

    Notes
    -----
    A force along the wall is ``-direction kinetic N`` in sliding, so that its column joins that of N. At rest it is
    ``T = T+ - T-``; with the acceleration a of the slip, T+ is complementary to ``a + s``, T- to ``-a + s``, and s to
    ``static N - T+ - T-`` [StewartTrinkle1996]. The linear complementarity problem has the unknowns (N, T+, T-, s).
    Its matrix is copositive where nothing slides: then there is a solution, and Lemke's method finds it.
    The diagonal is a little larger than it is, as in
    :func:`~flexarm.simulation.contact.constrained_motion.with_friction`: this makes the forces of redundant contacts
    unique.
    """
    forces = _solution(problem)
    return None if forces is None else _held(problem, _with_states(problem, forces))


def _solution(problem: FrictionProblem) -> Array | None:
    """Forces (k + k_t,) that solve the complementarity problem, if there are any."""
    A, b, rubbing, kinetic, static, direction, _ = problem
    k, k_t = b.size - rubbing.size, rubbing.size
    A = A + REGULARISATION * np.diag(A.diagonal())
    rests, r = np.flatnonzero(direction == 0), int(np.count_nonzero(direction == 0))
    # (N, T+, T-) -> (N, T)
    to_forces = np.zeros((k + k_t, k + 2 * r))
    to_forces[:k, :k] = np.eye(k)
    to_forces[k + np.arange(k_t), rubbing] = -direction * kinetic
    forwards, backwards, excess = (k + j * r + np.arange(r) for j in range(3))
    to_forces[k + rests, forwards], to_forces[k + rests, backwards] = 1.0, -1.0
    whole, unsolved = np.zeros((k + 3 * r, k + 3 * r)), np.zeros(k + 3 * r)
    acceleration = A @ to_forces
    whole[:k, : k + 2 * r], unsolved[:k] = acceleration[:k], b[:k]
    scale = A.diagonal()[k + rests]  # of an acceleration per force: s in the unit of a force
    for sign, rows in ((1, forwards), (-1, backwards)):
        whole[rows, : k + 2 * r], unsolved[rows] = sign * acceleration[k + rests], sign * b[k + rests]
        whole[rows, excess], whole[excess, rows] = scale, -scale
    whole[excess, rubbing[rests]] = static[rests] * scale
    found = lemke(whole, unsolved)
    return to_forces @ found.z[: k + 2 * r] if found.solved else None


def _with_states(problem: FrictionProblem, forces: Array) -> FrictionForces:
    """Forces (k + k_t,), and which contacts stick and slip: slack and acceleration of the slip, the larger one says."""
    A, b, rubbing, _, static, direction, release = problem
    k, rests = b.size - rubbing.size, np.flatnonzero(direction == 0)
    acceleration, scale = A @ forces + b, A.diagonal()[k + rests]
    T, a = forces[k:][rests], acceleration[k:][rests]
    limit = static[rests] * forces[rubbing[rests]]
    slack = scale * (limit - np.abs(T))
    negligible = SATURATED * max(np.abs(b).max(initial=0.0), np.abs(scale * limit).max(initial=0.0))
    sticks, slips = np.zeros(rubbing.size, dtype=bool), direction != 0
    sticks[rests] = (slack > np.abs(a)) & (slack > negligible)
    slips[rests] = ~sticks[rests] & (np.abs(a) > negligible)
    direction = direction.copy()
    direction[rests] = np.where(slips[rests], np.sign(a), -np.sign(T))
    acts = pressed(forces[:k], A.diagonal()[:k], release)
    return FrictionForces(forces[:k], acts, sticks & acts[rubbing], direction, slips)


def _held(problem: FrictionProblem, found: FrictionForces) -> FrictionForces:
    """The same without those that would not stick, or not even push, by the forces with which the motion goes on.

    These are :func:`~flexarm.simulation.contact.constrained_motion.with_friction`'s. Redundant contacts share their
    forces in many ways, and the solution of the complementarity problem may be another one.
    """
    inverse_inertia = problem.A.diagonal()[: found.normal.size]
    acts, sticks, direction = found.pressed.copy(), found.sticks.copy(), found.direction.copy()
    for _ in range(acts.size + sticks.size):
        coefficient = -direction * np.where(found.slips, problem.kinetic, problem.static)
        normal, T = _constrained_forces(problem, acts, sticks, np.where(sticks, 0.0, coefficient))
        pulls = acts & ~pressed(normal, inverse_inertia, problem.release)
        if pulls.any():
            acts[np.argmin(np.where(pulls, normal, np.inf))] = False
            sticks &= acts[problem.rubbing]
            continue
        beyond = sticks & (
            np.abs(T) > (1 + BEYOND) * problem.static * np.maximum(normal[problem.rubbing], 0.0)
        )
        if not beyond.any():
            break
        direction[beyond], sticks[beyond] = -np.sign(T[beyond]), False
    return found._replace(pressed=acts, sticks=sticks, direction=direction)


def _constrained_forces(
    problem: FrictionProblem,
    acts: NDArray[np.bool_],
    sticks: NDArray[np.bool_],
    coefficient: Array,
) -> tuple[Array, Array]:
    """Forces (k,) along normals and (k_t,) along walls of those that act, (k,) bool, if these stick."""
    A, b, rubbing, *_ = problem
    k = b.size - rubbing.size
    rows = np.concatenate([np.flatnonzero(acts), k + np.flatnonzero(sticks)])
    of_all = np.eye(b.size)
    of_all[k + np.arange(rubbing.size), rubbing] += coefficient
    to_forces = of_all[:, rows]
    own, b = (A @ to_forces)[rows], b[rows]
    compliant = own + REGULARISATION * np.diag(A.diagonal()[rows])
    unknown = np.zeros(rows.size)
    for _ in range(REFINEMENTS + 1):
        unknown -= np.linalg.solve(compliant, own @ unknown + b)
    forces = to_forces @ unknown
    return forces[:k], forces[k:]

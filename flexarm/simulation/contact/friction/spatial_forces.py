"""Forces of persistent contacts with Coulomb friction in circular cones, and which of them slide and stick."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.contact_law import pressed
from flexarm.simulation.contact.equations.constrained_motion import REFINEMENTS, REGULARISATION
from flexarm.simulation.contact.friction.contact_forces import (
    BEYOND,
    SATURATED,
    Array,
    FrictionForces,
    FrictionProblem,
)
from flexarm.simulation.contact.impact_laws.friction_cones import cone_impulses
from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem

DIRECTIONS = 3
"""Of every contact: normal and two tangents."""


def spatial_forces(problem: FrictionProblem) -> FrictionForces | None:
    """Solve for the forces of persistent contacts and joints with friction in space; None if there are none.

    Directions of the problem and of the result are (k_t, 2), those of joints in the first column.

    Notes
    -----
    What accelerations are to forces speeds are to impulses: the problem is that of
    :func:`~flexarm.simulation.contact.impact_laws.friction_cones.cone_impulses`. A contact that slides has its force
    along the wall in the column of its normal one; a joint is a contact without a normal, on which a normal force of 1
    acts in any case.
    """
    cones = _Rows(problem)
    forces = cones.solution()
    return None if forces is None else _held(cones, _with_states(cones, forces))


class _Rows:
    """Rows of a problem: of k normals, of k_w contacts along one tangent, along the other, of joints."""

    def __init__(self, problem: FrictionProblem):
        self.problem = problem
        self.k_w = problem.rubbing.size
        self.n_joints = problem.kinetic.size - self.k_w
        self.k = problem.b.size - 2 * self.k_w - self.n_joints

    def along(self, forces: Array) -> Array:
        """Entries (k_t, 2) of friction in vectors (rows,); the second one of a joint is 0."""
        k, k_w = self.k, self.k_w
        walls = forces[k : k + 2 * k_w].reshape(2, k_w).T
        joints = np.stack([forces[k + 2 * k_w :], np.zeros(self.n_joints)], axis=1)
        return np.concatenate([walls, joints])

    @property
    def scale(self) -> Array:
        """Inverse inertia (k_t,) of each slip, in the direction in which it is the larger one."""
        return self.along(self.problem.A.diagonal()).max(axis=1)

    @property
    def compliance(self) -> Array:
        """What is added to the diagonal, (rows,), so that forces are unique."""
        scale, k = self.scale, self.k
        walls = scale[: self.k_w]
        own = np.concatenate([self.problem.A.diagonal()[:k], walls, walls, scale[self.k_w :]])
        return REGULARISATION * own

    def limits(self, coefficients: Array, normal: Array) -> Array:
        """Forces (k_t,) at the limit."""
        return np.concatenate(
            [coefficients[: self.k_w] * normal[self.problem.rubbing], coefficients[self.k_w :]]
        )

    def given(self, coefficients: Array, direction: Array) -> tuple[Array, Array]:
        """Normal forces and others -> forces (rows, rows), and known ones (rows,), of what has a direction (k_t, 2)."""
        k, k_w = self.k, self.k_w
        column, known = np.eye(self.problem.b.size), np.zeros(self.problem.b.size)
        for c in range(2):
            rows = k + c * k_w + np.arange(k_w)
            column[rows, self.problem.rubbing] += -coefficients[:k_w] * direction[:k_w, c]
        known[k + 2 * k_w :] = -coefficients[k_w:] * direction[k_w:, 0]
        return column, known

    def solution(self) -> Array | None:
        """Forces (rows,) in the cones, if there are any."""
        A, b, rubbing, kinetic, static, direction, _ = self.problem
        k, k_w, d = self.k, self.k_w, self.n_joints
        rests = np.all(direction == 0, axis=1)
        column, known = self.given(kinetic, direction)
        compliant = A + np.diag(self.compliance)
        free, slope = b + A @ known, compliant @ column
        # rows that are unknown, and where they are among those of contacts with three directions each
        resting = [np.flatnonzero(rests[:k_w]), k_w + np.flatnonzero(rests[k_w:])]
        rows = np.concatenate([np.arange(k), k + resting[0], k + k_w + resting[0], k + k_w + resting[1]])
        if not rows.size:
            return known
        first, of_joints = DIRECTIONS * rubbing[resting[0]], DIRECTIONS * (k + resting[1] - k_w)
        places = np.concatenate([DIRECTIONS * np.arange(k), first + 1, first + 2, of_joints + 1])
        G, speeds = np.zeros((DIRECTIONS * (k + d),) * 2), np.zeros(DIRECTIONS * (k + d))
        G[np.ix_(places, places)], speeds[places] = slope[np.ix_(rows, rows)], free[rows]
        speeds[DIRECTIONS * (k + np.arange(d))] = 1.0
        friction, acts = np.zeros(k + d), np.zeros(k + d)
        friction[rubbing[resting[0]]], friction[k + resting[1] - k_w] = static[resting[0]], static[resting[1]]
        acts[k:] = 1.0
        whole, scale = ImpactProblem(
            G, speeds.reshape(-1, DIRECTIONS), friction, np.zeros(k + d)
        ).unit_inertia()
        try:
            found = scale * cone_impulses(whole, acts / scale[:, 0])
        except SolverError:
            return None
        unknown = np.zeros(b.size)
        unknown[rows] = found.ravel()[places]
        return column @ unknown + known


def _with_states(rows: _Rows, forces: Array) -> FrictionForces:
    """Forces (rows,), and what sticks and slips: slack and acceleration of the slip, the larger one says."""
    A, b, rubbing, _, static, direction, release = rows.problem
    k, k_w, rests = rows.k, rows.k_w, ~direction.any(axis=1)
    T, a, scale = rows.along(forces), rows.along(A @ forces + b), rows.scale
    size, acceleration = np.linalg.norm(T, axis=1), np.linalg.norm(a, axis=1)
    limit = rows.limits(static, forces[:k])
    slack = scale * (limit - size)
    largest = max(np.abs(b).max(initial=0.0), np.abs(scale * limit)[:k_w].max(initial=0.0))
    negligible = SATURATED * np.where(np.arange(size.size) < k_w, largest, scale * limit)
    sticks = rests & (slack > acceleration) & (slack > negligible)
    slips = ~rests | (~sticks & (acceleration > negligible))
    direction = direction.copy()
    new = rests & slips
    direction[new] = _unit(a[new])
    direction[rests & ~slips] = -_unit(T[rests & ~slips])
    acts = pressed(forces[:k], A.diagonal()[:k], release)
    sticks[:k_w] &= acts[rubbing]
    return FrictionForces(forces[:k], acts, sticks, direction, slips)


def _held(rows: _Rows, found: FrictionForces) -> FrictionForces:
    """The same without those that would not stick, or not even push, by the forces with which the motion goes on.

    As in the plane they are let go one by one, that which is furthest beyond its limit first; see
    :func:`~flexarm.simulation.contact.friction.contact_forces.friction_forces`.
    """
    problem, k_w = rows.problem, rows.k_w
    inverse_inertia = problem.A.diagonal()[: rows.k]
    acts, sticks, direction = found.pressed.copy(), found.sticks.copy(), found.direction.copy()
    for _ in range(acts.size + sticks.size):
        coefficient = np.where(found.slips, problem.kinetic, problem.static)
        forces = _constrained_forces(rows, acts, sticks, np.where(sticks, 0.0, coefficient), direction)
        normal, T = forces[: rows.k], rows.along(forces)
        pulls = acts & ~pressed(normal, inverse_inertia, problem.release)
        if pulls.any():
            acts[np.argmin(np.where(pulls, normal, np.inf))] = False
            sticks[:k_w] &= acts[problem.rubbing]
            continue
        limit = rows.limits(problem.static, np.maximum(normal, 0.0))
        excess = np.linalg.norm(T, axis=1) - limit
        beyond = sticks & (excess > BEYOND * limit)
        if not beyond.any():
            break
        most = np.argmax(np.where(beyond, excess, -np.inf))
        direction[most], sticks[most] = -_unit(T[most : most + 1])[0], False
    return found._replace(pressed=acts, sticks=sticks, direction=direction)


def _constrained_forces(
    rows: _Rows,
    acts: NDArray[np.bool_],
    sticks: NDArray[np.bool_],
    coefficient: Array,
    direction: Array,
) -> Array:
    """Forces (rows,) of the contacts that act, (k,) bool, and of what sticks, (k_t,) bool."""
    A, b = rows.problem.A, rows.problem.b
    k, k_w = rows.k, rows.k_w
    column, known = rows.given(coefficient, direction)
    walls, joints = np.flatnonzero(sticks[:k_w]), np.flatnonzero(sticks[k_w:])
    chosen = np.concatenate([np.flatnonzero(acts), k + walls, k + k_w + walls, k + 2 * k_w + joints])
    to_forces = column[:, chosen]
    own, free = (A @ to_forces)[chosen], (b + A @ known)[chosen]
    compliant = own + np.diag(rows.compliance[chosen])
    unknown = np.zeros(chosen.size)
    for _ in range(REFINEMENTS + 1):
        unknown -= np.linalg.solve(compliant, own @ unknown + free)
    return known + to_forces @ unknown


def _unit(vectors: Array) -> Array:
    """Directions (j, 2) of vectors, zero where there is none."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(length > 0, length, 1.0)

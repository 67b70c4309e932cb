"""Random impacts: contacts of some masses, coupled, redundant, light and heavy ones."""

from __future__ import annotations

import numpy as np

from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem


def random_impact(rng, d, k=None, uneven=True):
    """k contacts, 1 to 8, in the plane (d = 2) or in space (3); more ways to move than directions, or fewer."""
    k = int(rng.integers(1, 9)) if k is None else k
    J = rng.normal(size=(k * d, int(rng.integers(1, k * d + 2))))
    if uneven and rng.random() < 0.5:
        J *= 10 ** rng.uniform(-1, 1, (k * d, 1))
    speeds = (J @ rng.normal(size=J.shape[1])).reshape(k, d)
    friction = rng.uniform(0, 1.5, k) * (rng.random(k) < 0.9)
    return ImpactProblem(J @ J.T, speeds, friction, rng.uniform(0, 1, k))


def arguments(problem):
    """What the laws are given."""
    return problem.G, problem.speeds, problem.friction, problem.restitution


def violations(problem, impulses):
    """Largest energy gained, speed into a wall, impulse that pulls and friction beyond the cone, relative ones."""
    scaled, scale = problem.unit_inertia()
    P = impulses / scale
    size, largest = np.abs(scaled.speeds).max(), np.abs(P).max(initial=0.0)
    beyond = np.linalg.norm(P[:, 1:], axis=1) - scaled.friction * P[:, 0]
    return (
        scaled.energy_gain(P) / max(scaled.energy_scale(P), 1e-300),
        -scaled.speeds_after(P)[:, 0].min() / size,
        -P[:, 0].min() / max(largest, size),
        beyond.max() / max(largest, size),
    )

"""Agreement of all formulations on one arm at random states, with the cost of each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from flexarm.catalogue import FORMULATIONS
from flexarm.comparison.evaluation_cost import Cost, cost
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.capabilities import require
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_moving_chain
from flexarm.progress import Progress
from flexarm.simulation.state.initial_state import initial_state

STATES = 5  # random states at which they are compared
SPREAD = 0.3  # rad or m, per s: standard deviation of joint coordinates and rates about the initial ones
END_ROTATION = 0.05  # rad: what the modal amplitudes of the random states turn sections by


@dataclass(frozen=True)
class Difference:
    """Largest relative differences of two formulations over the random states."""

    first: str
    second: str
    mass_matrix: float
    bias: float
    accelerations: float


@dataclass(frozen=True)
class Comparison:
    """Result of :func:`compare`.

    Attributes
    ----------
    differences : tuple of Difference
    costs : tuple of Cost
    left_out : dict of str to str
        Formulations without equations for this arm -> why.
    """

    differences: tuple[Difference, ...]
    costs: tuple[Cost, ...]
    left_out: dict[str, str]


def compare(arm: Arm, seed: int = 0, progress: Progress | None = None) -> Comparison:
    """Compare all formulations of the registry that have equations for an arm.

    Parameters
    ----------
    arm : Arm
    seed : int
        Of the random states.
    progress : callable, optional
        Receives the fraction done.

    Raises
    ------
    ModelError
        Nothing can move.
    """
    chain = build_moving_chain(arm)
    names, left_out = [], {}
    for name in FORMULATIONS:
        try:
            require(name, chain)
        except ModelError as reason:
            left_out[name] = str(reason)
        else:
            names.append(name)
    states = random_states(arm, chain, STATES, seed)
    values, costs = {}, []
    for done, name in enumerate(names):
        if progress is not None:
            progress(done / len(names), None)
        equations = MotionEquations(chain, name)
        values[name] = [
            (
                equations.mass_matrix(y),
                equations.bias(y, v),
                equations.forward_dynamics(y, v, np.zeros(len(v))),
            )
            for y, v in states
        ]
        costs.append(cost(chain, name, states))
    differences = [
        Difference(one, other, *(_largest(values[one], values[other], k) for k in range(3)))
        for one, other in combinations(names, 2)
    ]
    return Comparison(tuple(differences), tuple(costs), left_out)


def random_states(arm: Arm, chain: Chain, count: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draw pairs theta (n_theta,) and theta_d (n_dof,) [rad, m and per second] near the initial state."""
    rng = np.random.default_rng(seed)
    theta, theta_d, _ = initial_state(arm, chain)
    layout = chain.coordinates
    scale, scale_d = np.full(layout.n_theta, SPREAD), np.full(layout.n_dof, SPREAD)
    xi = np.linspace(0.0, 1.0, 101)
    for link, rows in zip(chain.assembled_links, layout.modes, strict=True):
        if rows:
            turn = np.abs(link.rotation(xi)).max(axis=(0, 2))
            stretch = np.abs(link.displacement(xi)).max(axis=(0, 2)) / link.length
            scale[list(rows)] = scale_d[list(rows)] = END_ROTATION / np.maximum(turn, stretch)
    states = []
    for _ in range(count):
        y = theta + scale * rng.normal(size=scale.size)
        if layout.n_theta > layout.n_dof:  # the quaternion of a free base
            y[-4:] /= np.linalg.norm(y[-4:])
        states.append((y, theta_d + scale_d * rng.normal(size=scale_d.size)))
    return states


def _largest(one: list[tuple], other: list[tuple], k: int) -> float:
    """Largest difference of the k-th quantities over all states, relative to their largest entry."""
    pairs = [(np.asarray(a[k]), np.asarray(b[k])) for a, b in zip(one, other, strict=True)]
    return max(float(np.abs(a - b).max() / (np.abs(a).max() or 1.0)) for a, b in pairs)

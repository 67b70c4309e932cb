"""Formulations side by side on one arm: how far they agree, how many operations they take, how long they run."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import combinations

import casadi as ca
import numpy as np

from flexarm.catalogue import FORMULATIONS
from flexarm.codegen.counts import OperationCounts, operation_counts
from flexarm.codegen.native import compile_native
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.capabilities import require
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.model.chain import Chain, build_chain
from flexarm.progress import Progress
from flexarm.simulation.state.initial_state import initial_state

STATES = 5  # random states that are compared
SPREAD = 0.3  # rad, rad/s: standard deviation of joint angles and rates about the initial ones
END_ROTATION = 0.05  # rad: what the modal amplitudes of the random states turn sections by
TIMED = 500  # states evaluated in one go to take the time
REPETITIONS = 5  # the fastest counts


@dataclass(frozen=True)
class Difference:
    """Largest relative differences of two formulations over the random states."""

    first: str
    second: str
    mass_matrix: float
    bias: float
    accelerations: float


@dataclass(frozen=True)
class Cost:
    """What one evaluation of theta_dd costs.

    Attributes
    ----------
    formulation : str
    derived, shared : OperationCounts
        As the formulation derives it, and with common subexpressions computed once.
    build_seconds : float
        Derivation and compilation, processor time.
    microseconds : float
        One evaluation by the compiled function, processor time: what else the machine does has little effect.
    """

    formulation: str
    derived: OperationCounts
    shared: OperationCounts
    build_seconds: float
    microseconds: float


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
    """
    chain = build_chain(arm)
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
    """Draw pairs (theta, theta_d) near the initial state."""
    rng = np.random.default_rng(seed)
    theta, theta_d = initial_state(arm, chain)
    layout = chain.coordinates
    scale, scale_d = np.full(layout.n_theta, SPREAD), np.full(layout.n_dof, SPREAD)
    xi = np.linspace(0.0, 1.0, 101)
    for link, rows in zip(chain.flexible_links, layout.modes, strict=True):
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


def cost(chain: Chain, name: str, states: list[tuple[np.ndarray, np.ndarray]]) -> Cost:
    """Count the operations of a formulation's accelerations and take their time."""
    start = time.process_time()
    layout = chain.coordinates
    theta, theta_d, forces = (
        ca.SX.sym(symbol, size)
        for symbol, size in (("theta", layout.n_theta), ("theta_d", layout.n_dof), ("forces", layout.n_dof))
    )
    expression = ca.densify(make_formulation(name).accelerations(chain, theta, theta_d, forces))
    shared = ca.cse(expression)
    arguments = [ca.SX.sym("t"), ca.vertcat(theta, theta_d), forces]
    native = compile_native(ca.Function("theta_dd", arguments, [shared]))
    seconds = time.process_time() - start
    batch = np.resize(np.array([np.concatenate(state) for state in states]), (TIMED, native.n_y))
    none, times = np.zeros(layout.n_dof), np.zeros(TIMED)
    fastest = np.inf
    for _ in range(REPETITIONS):
        start = time.process_time()
        native.map(times, batch, none)
        fastest = min(fastest, time.process_time() - start)
    return Cost(
        formulation=name,
        derived=operation_counts(ca.Function("derived", arguments, [expression])),
        shared=operation_counts(ca.Function("shared", arguments, [shared])),
        build_seconds=seconds,
        microseconds=1e6 * fastest / TIMED,
    )


def _largest(one: list[tuple], other: list[tuple], k: int) -> float:
    """Largest difference of the k-th quantities over all states, relative to their largest entry."""
    pairs = [(np.asarray(a[k]), np.asarray(b[k])) for a, b in zip(one, other, strict=True)]
    return max(float(np.abs(a - b).max() / (np.abs(a).max() or 1.0)) for a, b in pairs)

"""Cost of one evaluation of the accelerations: operations counted, time measured."""

from __future__ import annotations

import time
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.codegen.counts import OperationCounts, operation_counts
from flexarm.codegen.native import compile_native
from flexarm.formulations.derivation_cost import derivation
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain

TIMED = 500  # states evaluated in one go to take the time
REPETITIONS = 5  # the fastest counts


@dataclass(frozen=True)
class Cost:
    """Cost of one evaluation of theta_dd.

    Attributes
    ----------
    formulation : str
    derived, shared : OperationCounts
        As the formulation derives it, and with common subexpressions computed once.
    derivation_seconds : float
        Derivation of the expressions, processor time.
    build_seconds : float
        Derivation and compilation, processor time.
    microseconds : float
        One evaluation by the compiled function, processor time: what else the machine does has little effect.
    """

    formulation: str
    derived: OperationCounts
    shared: OperationCounts
    derivation_seconds: float
    build_seconds: float
    microseconds: float


def cost(chain: Chain, name: str, states: list[tuple[np.ndarray, np.ndarray]]) -> Cost:
    """Count the operations of a formulation's accelerations and measure their time.

    ``states`` are pairs theta (n_theta,) and theta_d (n_dof,) at which it is evaluated.
    """
    start = time.process_time()
    layout = chain.coordinates
    theta, theta_d, forces = (
        ca.SX.sym(symbol, size)
        for symbol, size in (("theta", layout.n_theta), ("theta_d", layout.n_dof), ("forces", layout.n_dof))
    )
    with derivation(chain, name):
        expression = ca.densify(make_formulation(name, chain).accelerations(theta, theta_d, forces))
        derivation_seconds = time.process_time() - start
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
        derivation_seconds=derivation_seconds,
        build_seconds=seconds,
        microseconds=1e6 * fastest / TIMED,
    )

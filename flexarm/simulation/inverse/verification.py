"""Proof of an inverse motion: its torques, fed to the forward dynamics, must lead the tip along the path."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.errors import SolverError
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain
from flexarm.progress import Progress
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.time_functions import Signals
from flexarm.solvers.base import Problem, start

RTOL, ATOL = 1e-10, 1e-12


def open_loop(
    arm: Arm,
    chain: Chain,
    signals: list[PiecewisePolynomial],
    theta: np.ndarray,
    theta_d: np.ndarray,
    times: np.ndarray,
    progress: Progress | None = None,
) -> np.ndarray:
    """Simulate an arm under torques that are functions of time alone.

    Parameters
    ----------
    signals : list of PiecewisePolynomial
        One torque per joint that moves [N m].
    theta, theta_d : (n_dof,)
        State at times[0].
    times : (k,) [s]

    Returns
    -------
    (k, n_dof)
        Coordinates over time.

    Raises
    ------
    SolverError
        The integration fails.
    """
    n, joints = chain.coordinates.n_dof, list(chain.coordinates.moving_joints)
    t, y, u = ca.SX.sym("t"), ca.SX.sym("y", 2 * n), ca.SX.sym("u", len(joints))
    forces = applied_forces(with_drives(arm), chain, Signals(t), y[:n], y[n:]).forces(chain)
    forces[joints] += u
    theta_dd = make_formulation(arm.run.formulation).accelerations(chain, y[:n], y[n:], forces)
    f = ca.Function("open_loop", [t, y, ca.SX.sym("p", 0), u], [ca.densify(ca.vertcat(y[n:], theta_dd))])
    y0 = np.concatenate([theta, theta_d])
    problem = Problem(compile_native(f, signals), float(times[0]), y0, np.empty(0), rtol=RTOL, atol=ATOL)
    integration, states = start("dop853", problem), np.empty((0, 2 * n))
    while len(states) < times.size:
        states = np.concatenate([states, integration.advance(times[len(states) :])])
        if integration.failure is not None:
            raise SolverError(f"the simulation of the computed torques {integration.failure}")
        if progress is not None and len(states):
            progress(len(states) / times.size, float(times[len(states) - 1]))
    return states[:, :n]

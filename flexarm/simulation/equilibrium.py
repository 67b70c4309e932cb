"""Static equilibrium: the posture and deflection in which all accelerations vanish."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.errors import ModelError
from flexarm.formulations.base import formulation as make_formulation
from flexarm.model.chain import Chain
from flexarm.simulation.drive import actions, prescribed_motion
from flexarm.simulation.signals import Signals
from flexarm.spec.arm import Arm

ITERATIONS = 500
TOLERANCE = 1e-12
"""Largest residual force accepted, relative to the forces in the arm."""


def static_equilibrium(arm: Arm, chain: Chain, theta: np.ndarray) -> np.ndarray:
    """Let the arm settle from theta under the loads and drives of t = 0.

    Parameters
    ----------
    theta : (n_theta,)
        Where to start; the equilibrium found is the one into which the arm would creep from here. Joints whose
        motion is prescribed stay.

    Returns
    -------
    (n_theta,)
        Coordinates at rest.

    Raises
    ------
    ModelError
        No equilibrium was found, or it is unstable (an arm that stands on its joint).

    Notes
    -----
    Pseudo-transient continuation: implicit Euler steps of theta_d = -residual with exact Jacobian, whose step
    grows as the residual falls, until they are Newton steps. Unlike Newton's method alone it does not run
    into equilibria that repel.
    """
    free, residual, stiffness = _residual(arm, chain)
    theta = theta.copy()
    scale = 1.0 + np.linalg.norm(stiffness(np.zeros(theta.size)), ord=np.inf) * 1e-3
    step = 1.0 / scale
    force = residual(theta)
    size = np.linalg.norm(force)
    for _ in range(ITERATIONS):
        K = stiffness(theta)
        if size <= TOLERANCE * scale:
            _check_stable(K, arm)
            return theta
        shift = np.linalg.lstsq(np.eye(len(free)) / step + K, -force, rcond=None)[0]
        shift *= min(1.0, 0.5 / max(np.abs(shift).max(), 1e-300))  # at most half a radian (or metre) at once
        theta[free] += shift
        force = residual(theta)
        new_size = np.linalg.norm(force)
        step *= np.clip(size / max(new_size, 1e-300), 0.3, 10.0)
        size = new_size
    raise ModelError(
        f"{arm.name}: no static equilibrium found: the forces still differ by {size:.3g} after {ITERATIONS} steps; "
        "a joint that is driven by a constant torque may have none (give initial.joints near the posture, or drop "
        "initial.equilibrium)"
    )


def _residual(arm: Arm, chain: Chain):
    """Rows that are free, the forces that would have to hold them, and the derivative of these, as functions."""
    n = chain.coordinates.n_dof
    signals, theta, rest = Signals(ca.SX.sym("t")), ca.SX.sym("theta", n), ca.SX.zeros(n)
    held = prescribed_motion(arm, chain, signals)
    free = [row for row in range(n) if row not in held]
    acting = actions(arm, chain, signals, theta, rest)
    bias = make_formulation(arm.run.formulation).bias(chain, theta, rest)
    residual = (bias - acting.forces(chain))[free]
    u0 = ca.DM([table(0.0) for table in signals.tables])
    f = ca.Function("residual", [signals.t, theta, signals.u], [residual])
    K = ca.Function(
        "stiffness", [signals.t, theta, signals.u], [ca.densify(ca.jacobian(residual, theta[free]))]
    )
    return free, (lambda x: f(0.0, x, u0).full().ravel()), (lambda x: K(0.0, x, u0).full())


def _check_stable(K: np.ndarray, arm: Arm) -> None:
    lowest = np.linalg.eigvalsh((K + K.T) / 2).min()
    if lowest < -1e-9 * np.abs(K).max():
        raise ModelError(
            f"{arm.name}: the equilibrium next to initial.joints is unstable, the arm would fall out of it "
            "(start nearer to the hanging posture)"
        )

"""Torques of elastic joints along an inverse motion of the links, with two exact rates.

The internal dynamics gives the rates of the state, the path those of the task; so a torque that is an expression of
time, state and task has a rate that is one too.
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.piecewise_polynomials import interpolated
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics, Motion
from flexarm.simulation.inverse.internal_dynamics_derivation import within
from flexarm.simulation.inverse.task.minimal_coordinates import chain_motion_of
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples

PATH_POINTS = 8
"""Points of an interval through which second rates of the task are interpolated, to differentiate them twice."""
INSIDE = 1e-9
"""Distance of the ends of an interval at which it is looked at, of its length: beyond may be another one."""


def torques_at_ends(
    chain: Chain,
    dynamics: InternalDynamics,
    reference: Callable[[ArrayLike], ReferenceSamples],
    at: Callable[[np.ndarray], Motion],
    breaks: np.ndarray,
    duration: float,
) -> np.ndarray:
    """Torques of the elastic joints, their rates and second rates at both ends of all intervals: (m, 2, 3, springs)."""
    inside = breaks[:-1, None] + np.diff(breaks)[:, None] * [INSIDE, 1 - INSIDE]
    times = inside.ravel()
    theta, theta_d, _ = at(times)
    y = dynamics.state(theta, theta_d[:, dynamics.undriven_rows])
    curves = interpolated(lambda t: reference(t).p_dd, breaks, PATH_POINTS)
    third = [curve.derivative() for curve in curves]
    fourth = [curve.derivative() for curve in third]
    rates = [np.stack([curve(times) for curve in order], axis=1) for order in (third, fourth)]
    inputs = np.ascontiguousarray(np.concatenate([y, *reference(times), *rates], axis=1))
    values = _torque_rates(chain, dynamics, duration).map(times, inputs)
    return values.reshape(breaks.size - 1, 2, 3, -1)


def _torque_rates(chain: Chain, dynamics: InternalDynamics, duration: float) -> NativeFunction:
    """(t, [y, p, p_d, p_dd, p_ddd, p_dddd]) -> torques [N m] of elastic joints with two rates, along the solution."""
    arm, links, t, y, w = dynamics.arm, dynamics.chain, dynamics.t, dynamics.y, dynamics.w
    n, r = links.coordinates.n_dof, w.numel() // 3
    higher = ca.SX.sym("higher", 2 * r)
    theta_dd = dynamics.theta_dd
    if dynamics.a.numel():
        theta_dd = ca.substitute(theta_dd, dynamics.a, dynamics.delta_dd)
    moving = chain_motion_of(links, y[:n], dynamics.theta_d, theta_dd)
    needed = make_formulation(arm.run.formulation, links).inverse_dynamics(*moving)
    loads = applied_forces(
        with_drives(arm), links, Signals(within(t, duration)), moving.theta, moving.theta_d
    )
    rows = elastic_joint_rows(chain)
    torque = (needed - loads.forces(links))[rows]
    variables, speeds = ca.vertcat(t, y, w), ca.vertcat(1, dynamics.y_d, w[r:], higher[:r])
    rate = ca.jtimes(torque, variables, speeds)
    second = ca.jtimes(rate, ca.vertcat(variables, higher[:r]), ca.vertcat(speeds, higher[r:]))
    inputs = [t, ca.vertcat(y, w, higher), ca.SX.sym("p", 0)]
    found = ca.cse(ca.densify(ca.vertcat(torque, rate, second)))
    return compile_native(ca.Function("torque_rates", inputs, [found]))


def elastic_joint_rows(chain: Chain) -> list[int]:
    """Rows of the elastic joints, with and without motors among the coordinates."""
    rows = (chain.coordinates.joints[spring.joint] for spring in chain.motor_springs)
    return [row for row in rows if row is not None]

"""Linear state-space model of an arm whose controllers are left away, by exact derivatives."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np
from scipy.linalg import cho_factor, cho_solve

from flexarm.analysis.linear_models.inputs import inputs_of
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.analysis.operating_points.joint_roles import joint_roles
from flexarm.analysis.operating_points.operating_point import OperatingPoint, Progress, report_progress
from flexarm.analysis.operating_points.record import rest_datasets
from flexarm.analysis.rotation.steady_rotation import SteadyRotation
from flexarm.analysis.small_motions.linear_motion import LinearEquations, LinearMotion
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.model.coordinate_units import coordinate_units
from flexarm.model.coordinates import Coordinates
from flexarm.simulation.sensors.named_outputs import Output, outputs
from flexarm.simulation.sensors.sensed_motion import SensedMotion

BASE_POSITIONS = {"v_x": "x", "v_y": "y", "v_z": "z", "w_x": "r_x", "w_y": "r_y", "w_z": "r_z"}
"""Speeds of a free base -> names of what they are the rates of; r is a rotation vector about the fixed axes."""


def arm_model(
    point: OperatingPoint,
    inputs: Sequence[str],
    outputs: Sequence[str],
    joints: str,
    hold: Sequence[int],
    rotation: SteadyRotation | None,
    progress: Progress | None = None,
) -> LinearModel:
    """Linear model about an operating point; see :func:`~flexarm.analysis.linear_models.linearization.linearize`."""
    given = inputs_of(point, inputs, joint_roles(point.arm, joints, hold, rotation))
    equations = LinearEquations.of(point, joints, hold, deviating=True)
    motion = equations.about(point)
    report_progress(progress, 0.8)
    n = len(motion.rows)
    mass = cho_factor(motion.M)
    measured, P, values = _measured(point, motion, tuple(outputs))
    states, units = _states(point.arm, point.chain.coordinates, motion)
    S = given.forces[list(motion.rows)]
    E = np.eye(n)[motion.integral_gains != 0]  # picks the joints whose errors are integrated
    ki = motion.integral_gains[motion.integral_gains != 0]
    A = np.block(
        [
            [np.zeros((n, n)), np.eye(n), np.zeros((n, len(E)))],
            [-cho_solve(mass, motion.K), -cho_solve(mass, motion.D), cho_solve(mass, E.T * ki)],
            [-E, np.zeros((len(E), n + len(E)))],
        ]
    )
    B = np.concatenate([np.zeros_like(S), cho_solve(mass, S), np.zeros((len(E), S.shape[1]))])
    shift = B * given.gains[:, 1]
    B = B * given.gains[:, 0] + A @ shift
    followed = [name.startswith("r_") for name in given.names]
    B[2 * n :] += E @ S * followed
    orders = tuple(output.order for output in measured)
    C, D = _output_matrices(orders, P, A, B, shift)
    return LinearModel(
        A=A,
        B=B,
        C=C,
        D=D,
        states=states,
        inputs=given.names,
        outputs=tuple(output.name for output in measured),
        state_units=units,
        input_units=given.units,
        output_units=tuple(output.unit for output in measured),
        groups=tuple(output.group for output in measured),
        output_values=values,
        point=point,
        motion=motion,
        roles=equations.roles,
        torque=rest_datasets(point)["torque"][0],
        forces=S,
        gains=given.gains,
        input_joints=given.joints,
        positions=P,
        orders=orders,
    )


def _measured(
    point: OperatingPoint, motion: LinearMotion, asked: tuple[str, ...]
) -> tuple[list[Output], np.ndarray, np.ndarray]:
    """Outputs, their derivatives by the rate of the coordinates that is their order, (outputs, n), and their values."""
    layout = point.chain.coordinates
    theta, theta_d, theta_dd = (
        ca.SX.sym(name, size)
        for name, size in (("theta", layout.n_theta), ("theta_d", layout.n_dof), ("theta_dd", layout.n_dof))
    )
    measured = outputs(SensedMotion(point.arm, point.chain, theta, theta_d, theta_dd), asked)
    if point.rotation is not None and (
        moving := [one.group for one in measured if one.of_point and one.order]
    ):
        raise ModelError(
            f"{point.arm.name}: output {moving[0]}: velocities and accelerations of points are no outputs of a model "
            "about a steady rotation, which is seen from the frame that turns"
        )
    y = ca.vertcat(*(output.value for output in measured))
    rates = [ca.jacobian(y, theta), ca.jacobian(y, theta_d), ca.jacobian(y, theta_dd)]
    f = ca.Function("outputs", [theta, theta_d, theta_dd], [*map(ca.densify, rates), ca.densify(y)])
    *rates, values = (value.full() for value in f(point.theta, point.theta_d, np.zeros(layout.n_dof)))
    rates = [rates[0] @ motion.tangent, *(rate[:, list(motion.rows)] for rate in rates[1:])]
    P = np.array([rates[output.order][k] for k, output in enumerate(measured)]).reshape(len(measured), -1)
    # joints that are held or prescribed move nothing, not even their own angle
    kept = [k for k, output in enumerate(measured) if output.group != "joints" or P[k].any()]
    return [measured[k] for k in kept], P[kept], values.ravel()[kept]


def _output_matrices(
    orders: Sequence[int], P: np.ndarray, A: np.ndarray, B: np.ndarray, shift: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """C and D of outputs P x, P x_d and P x_dd by their orders; the states are less `shift` u than x, x_d.

    Raises
    ------
    ModelError
        An acceleration that follows the rate of an input.
    """
    n = P.shape[1]
    C, D = np.zeros((len(P), len(A))), np.zeros((len(P), B.shape[1]))
    for k, order in enumerate(orders):
        if order < 2:
            C[k, order * n : (order + 1) * n] = P[k]
            D[k] = C[k] @ shift
        else:
            C[k], D[k] = P[k] @ A[n : 2 * n], P[k] @ B[n : 2 * n]
            if (P[k] @ shift[n : 2 * n]).any():
                raise ModelError(
                    "an acceleration follows the rate of a reference through kd, which no matrix D says",
                    hint="take torques as inputs",
                )
    return C, D


def _states(arm: Arm, layout: Coordinates, motion: LinearMotion) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and units of the states."""
    unit = coordinate_units(arm)
    rates = [layout.labels[row] for row in motion.rows]
    positions = [BASE_POSITIONS.get(name, name) for name in rates]
    rates = [name if name in BASE_POSITIONS else f"{name}_d" for name in rates]
    units = [unit[row] for row in motion.rows]
    integrated = np.flatnonzero(motion.integral_gains)
    integrals = [f"z_{positions[k].rpartition('_')[2]}" for k in integrated]
    return (
        (*positions, *rates, *integrals),
        (*units, *(f"{name}/s" for name in units), *(f"{units[k]} s" for k in integrated)),
    )

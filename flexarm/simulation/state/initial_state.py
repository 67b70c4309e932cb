"""Initial state of a run, and whether its mass matrix allows a start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.measured_pd import block_name
from flexarm.description.arm.joint.excursions import beyond_limits
from flexarm.description.motion.drive import Drive
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.expression import Expression
from flexarm.errors import ModelError
from flexarm.model.chain import Chain
from flexarm.simulation.controllers.control_signals import control_places, n_controller_states
from flexarm.simulation.forces.break_points import smooth_intervals
from flexarm.simulation.forces.drive_torques import integral_joints, with_pds_on_joints
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.state.holding_integrals import holding_integrals
from flexarm.simulation.state.static_equilibrium import solve_equilibrium
from flexarm.simulation.state.symbols import n_losses

InitialState = tuple[np.ndarray, np.ndarray, np.ndarray]
"""theta (n_theta,), theta_d (n_dof,) and integrals (n_integrals,) at t = 0: of drives [rad s], states of controllers,
and work of friction [J]."""

LEAST_INERTIA = 1e-13
"""Smallest eigenvalue of the mass matrix scaled to a unit diagonal: below it nothing resists."""


def initial_state(arm: Arm, chain: Chain) -> InitialState:
    """Initial state just after t = 0, prescribed joints as their motion begins.

    The integrals of drives are 0, or in an equilibrium what holds the arm there. Other states of controllers are 0: the
    equilibrium is that of the other drives.

    Raises
    ------
    ModelError
        There is no stable equilibrium to start from, or it is beyond a limit of a joint.
    """
    initial, layout = arm.initial, chain.coordinates
    theta, theta_d = np.zeros(layout.n_theta), np.zeros(layout.n_dof)
    theta[list(layout.all_modes)] = initial.modes
    theta_d[list(layout.all_modes)] = initial.mode_rates
    intervals = smooth_intervals(arm)
    start = 0.0 if intervals is None else float(intervals.starts[0])
    for row, angle, rate in zip(layout.joints, initial.joints, initial.joint_rates, strict=True):
        if row is not None:
            theta[row], theta_d[row] = angle, rate
    theta[list(layout.moving_motors)] = initial.motors
    theta_d[list(layout.moving_motors)] = initial.motor_rates
    for row, drive in zip(layout.driven, arm.drive, strict=True):
        if row is not None:
            theta[row], theta_d[row] = _initial_motion(drive, start, theta[row], theta_d[row])
    theta[list(layout.base_theta)] = initial.base if arm.base != "free" else _base_pose(initial.base)
    theta_d[list(layout.base)] = initial.base_rates
    if initial.equilibrium:
        theta = solve_equilibrium(arm, chain, theta)
        hint = "stops hold nothing there: give initial.joints at the limit instead, or widen the limits"
        check_within_limits(arm, chain, theta, "the equilibrium next to initial.joints has", hint)
        joints = integral_joints(with_pds_on_joints(arm))
        held = dict(zip(joints, holding_integrals(arm, chain, theta), strict=True))
    else:
        held = {}
    return theta, theta_d, _further_states(arm, held)


def _further_states(arm: Arm, integrals: Mapping[int, float]) -> np.ndarray:
    """States beside theta and theta_d, where drives of some joints have other integrals [rad s] than 0."""
    own, states = integral_joints(arm), np.zeros(n_controller_states(arm))
    places = control_places(arm)
    for joint, integral in integrals.items():
        if joint not in own:
            states[places[block_name(joint)].states.start] = integral
    first = [integrals.get(joint, 0.0) for joint in own]
    return np.concatenate([first, states, np.zeros(n_losses(arm))])


def check_within_limits(arm: Arm, chain: Chain, theta: np.ndarray, what: str, hint: str) -> None:
    """Refuse coordinates theta (n_theta,) [rad, m] with a joint beyond its limits; `what` says whose they are.

    Raises
    ------
    ModelError
        The joint, where it is, and its limits.
    """
    for i, (row, joint) in enumerate(zip(chain.coordinates.joints, arm.joints, strict=True), start=1):
        if row is not None and (where := beyond_limits(joint, i, float(theta[row]))):
            raise ModelError(f"{arm.name}: {what} {where}", hint=hint)


def _initial_motion(drive: Drive | None, start: float, angle: float, rate: float) -> tuple[float, float]:
    """Angle and rate of a joint at the start [s]: as its motion prescribes, or else as given."""
    if drive is None or drive.motion is None:
        return angle, rate
    return (angle, 0.0) if drive.motion == "hold" else _at_start(drive.motion, start)  # pyright: ignore[reportArgumentType]


@lru_cache(maxsize=64)
def _at_start(motion: Expression | TimeTable, start: float) -> tuple[float, float]:
    """Value and rate of an expression or a table at the start [s]; once for all instances of a model."""
    signals = Signals(ca.SX.sym("t"))
    q, q_d, _ = signals.with_rates(motion)
    at_start = ca.Function("start", [signals.t, signals.u], [q, q_d])
    angle, rate = map(float, at_start(start, signals.values(start)))
    return angle, rate


def _base_pose(base: Sequence[float]) -> np.ndarray:
    """Position and quaternion (7,) of a free base from its position and rotation vector (6,), if it has any."""
    if not base:
        return np.empty(0)
    half = np.array(base[3:]) / 2
    # sinc is accurate at and near zero: sin(x)/x with x in half turns
    turn = np.sinc(np.linalg.norm(half) / np.pi) * half
    return np.concatenate([base[:3], [np.cos(np.linalg.norm(half))], turn])


def _least_inertia(M: np.ndarray) -> np.ndarray:
    """Smallest eigenvalues (...) of mass matrices (..., n_dof, n_dof) scaled to a unit diagonal; NaN if not finite.

    Where there are no coordinates no motion lacks inertia: infinite.
    """
    if not M.shape[-1]:
        return np.full(M.shape[:-2], np.inf)
    finite = np.logical_and.reduce(np.isfinite(M), axis=(-2, -1), keepdims=True)
    M = np.where(finite, M, 0.0)
    size = np.abs(np.einsum("...ii->...i", M))
    scale = 1 / np.sqrt(np.where(size > 0, size, 1.0))
    least = np.linalg.eigvalsh(scale[..., :, None] * M * scale[..., None, :])[..., 0]
    return np.where(finite[..., 0, 0], least, np.nan)


def check_mass_matrix(M: np.ndarray, labels: Sequence[str]) -> None:
    """Raise on a singular or indefinite mass matrix (n_dof, n_dof) [kg m^2, kg m, kg]; labels name its rows.

    Raises
    ------
    ModelError
        The mass matrix is singular, not positive definite, or not finite.
    """
    (fault,) = mass_matrix_faults(M[None], labels)
    if fault is not None:
        raise fault


def mass_matrix_faults(matrices: np.ndarray, labels: Sequence[str]) -> list[ModelError | None]:
    """Faults of many mass matrices (k, n_dof, n_dof): an error or None for each."""
    return [
        None if least > LEAST_INERTIA else _fault(M, least, labels)
        for M, least in zip(matrices, _least_inertia(matrices), strict=True)
    ]


def _fault(M: np.ndarray, least: float, labels: Sequence[str]) -> ModelError:
    if np.isnan(least):
        return ModelError(
            "the mass matrix is not finite at the start: make initial.modes or the masses smaller"
        )
    diagonal = M.diagonal()
    massless = [name for name, size in zip(labels, diagonal, strict=True) if size == 0]
    if not massless and least < -LEAST_INERTIA:
        return ModelError(
            "the mass matrix is not positive definite at the start: the deflections are too large for a model "
            "that drops what is of third order in them (make initial.modes smaller)"
        )
    if not massless:
        scale = 1 / np.sqrt(np.abs(diagonal))
        _, vectors = np.linalg.eigh(M * np.outer(scale, scale))
        massless = [labels[int(np.abs(vectors[:, 0]).argmax())]]
    if all(name.startswith("q_") for name in massless):
        remedy = "a joint moves mass that is not on its axis, or has motor: {inertia: ..}"
    else:
        remedy = (
            "torsion needs rotary_inertia of the link, or an inertia beyond it; otherwise remove the mode"
        )
    return ModelError(
        f"the mass matrix is singular: nothing with inertia moves along {', '.join(massless)} ({remedy})"
    )

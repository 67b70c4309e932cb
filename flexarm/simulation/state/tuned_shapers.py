"""Input shapers whose modes the description leaves to the arm: those of its small vibrations where its motion ends."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import casadi as ca
import numpy as np

from flexarm.codegen.native import state_jacobian
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.drive import Drive
from flexarm.description.motion.shaper import MOST_DAMPED, ShapedMode, Shaper
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.expression import Expression
from flexarm.errors import ModelError
from flexarm.formulations.derivation_cost import derivation
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.forces.drive_torques import with_pds_on_joints
from flexarm.simulation.forces.time_functions import signal_values
from flexarm.simulation.state.initial_state import initial_state
from flexarm.simulation.state.state_equation import derive_state_equation
from flexarm.simulation.state.symbols import SymbolicState

LOG = logging.getLogger(__name__)

SLOWEST = 1e-7
"""Size of a pole, of the fastest one's, below which it is that of a rigid motion and round-off."""
ROUND_OFF = 1e-9
"""Damping ratio below which poles have none but that of round-off."""


def tuned_shapers(arm: Arm, report: bool = True) -> Arm:
    """The arm with the modes of its own in the shapers that leave them open (`frequency: auto`).

    Each takes the lowest vibration that is lightly damped, or the dampings of those nearest to the frequencies that are
    given; joints of prescribed motion are held, others driven as they are, the payload moves along. `report` logs them.

    Raises
    ------
    ModelError
        Nothing vibrates there, or there is no equilibrium where the motion ends.
    """
    if not arm.has_open_shapers:
        return arm
    hint = "give the shaper's frequency [Hz] and damping"
    try:
        modes = modes_at_end(arm)
    except ModelError as fault:
        raise ModelError(f"{arm.name}: shaper: no modes where the motion ends: {fault}", hint=hint) from None
    if not modes:
        message = f"{arm.name}: shaper: nothing vibrates lightly damped where the motion ends"
        raise ModelError(message, hint=f"{hint}, or remove it")
    chosen: list[tuple[ShapedMode, ...] | None] = []
    for joint, drive in enumerate(arm.drive, start=1):
        shaper = None if drive is None else drive.own_shaper
        if shaper is None or not shaper.is_open:
            chosen.append(None)
            continue
        own = _chosen(shaper, modes)
        chosen.append(own)
        if report:
            tuned = shaper.with_modes(own)
            LOG.info(f"joint {joint}: {tuned}: its reference ends {tuned.delay:.4g} s later")
    return arm.with_shaped_modes(chosen)


def modes_at_end(arm: Arm) -> list[ShapedMode]:
    """Lightly damped vibrations [Hz, -] about the equilibrium at the end of an arm's run, slowest first.

    Raises
    ------
    ModelError
        There is no equilibrium.
    """
    still = with_pds_on_joints(_at_end(arm))
    chain = build_chain(still)
    theta, theta_d, integrals = initial_state(still, chain)
    with derivation(chain, arm.run.formulation):
        equation = derive_state_equation(SymbolicState.of(still, chain), datasets=())
        jacobian = state_jacobian(equation.rhs)
    y = equation.layout.state(theta, 0 * theta_d, integrals)
    tables = ca.DM([table(0.0) for table in equation.tables])
    n = equation.layout.size
    poles = np.linalg.eigvals(jacobian(0.0, y, ca.DM.zeros(0), tables).full().reshape(n, n))
    size = np.abs(poles)
    vibrates = (
        (poles.imag > 0) & (size > SLOWEST * size.max(initial=0.0)) & (-poles.real <= MOST_DAMPED * size)
    )
    return sorted(
        ShapedMode(float(abs(pole)) / (2 * np.pi), _damping(float(-pole.real / abs(pole))))
        for pole in poles[vibrates]
    )


def _damping(ratio: float) -> float:
    """Damping ratio without round-off, and none of what grows slowly."""
    return ratio if ratio > ROUND_OFF else 0.0


def _chosen(shaper: Shaper, modes: Sequence[ShapedMode]) -> tuple[ShapedMode, ...]:
    """Modes of a shaper out of those of the arm."""
    if shaper.frequency == "auto":
        return (modes[0],)
    nearest = (min(modes, key=lambda mode: abs(mode.frequency - f)) for f in shaper.frequency)  # pyright: ignore
    return tuple(
        ShapedMode(float(f), mode.damping) for f, mode in zip(shaper.frequency, nearest, strict=True)
    )


def _at_end(arm: Arm) -> Arm:
    """The arm at rest where its motion ends: signals of drives and loads keep the values that they have then."""
    end = arm.run.duration
    drives, joints = [], list(arm.initial.joints)
    for joint, drive in enumerate(arm.drive):
        drives.append(drive and _held(drive, end))
        leading = None if drive is None else drive.motion if drive.pd is None else drive.pd.followed
        if isinstance(leading, Expression | TimeTable):
            joints[joint] = _value(leading, end)
    loads = tuple(
        load.model_copy(
            update={
                name: tuple(_constant(part, end) for part in vector) for name, vector in load.signals.items()
            }
        )
        for load in arm.loads
    )
    motors = tuple(at for at, joint in zip(joints, arm.joints, strict=True) if joint.is_elastic)
    initial = arm.initial.model_copy(update={"joints": tuple(joints), "motors": motors, "equilibrium": True})
    return arm.model_copy(update={"drive": tuple(drives), "loads": loads, "initial": initial})


def _held(drive: Drive, end: float) -> Drive:
    changed = {name: _constant(getattr(drive, name), end) for name in ("torque", "voltage", "motion")}
    if drive.pd is not None:
        forward = drive.pd.feedforward
        if forward is not None:
            torque = 0.0 if drive.torque is None else _value(drive.torque, end)
            changed["torque"] = Expression.constant(torque + _value(forward, end))
        reference = _constant(drive.pd.followed, end)
        changed["pd"] = drive.pd.model_copy(update={"reference": reference})
    return drive.model_copy(update=changed)


def _constant(signal: object, end: float) -> object:
    """A signal that keeps the value that it has at the end [s]; what is no signal as it is."""
    return Expression.constant(_value(signal, end)) if isinstance(signal, Expression | TimeTable) else signal


def _value(signal: float | Expression | TimeTable, time: float) -> float:
    if isinstance(signal, Expression | TimeTable):
        return float(signal_values(signal, np.array(time)))
    return float(signal)

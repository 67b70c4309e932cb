"""Steady rotation: one joint turns at a constant rate, everything behind it rests in the frame that turns with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.analysis.rotation.spin_rates import Spin, single_rate
from flexarm.arguments import check_number
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.model.chain import Chain
from flexarm.model.coordinates import arm_coordinates
from flexarm.simulation.forces.applied_forces import prescribed_motion
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.state.static_equilibrium import StaticForces

TURNED = (1.0, 2.5)
"""Angles [rad] by which the arm is turned to see whether anything changes."""
CHANGE = 1e-9
"""Change of the forces, as a part of the largest, that is no more than round-off."""
STEADY = 1e-3
"""Change of a rate over the last tenth of a run, as a part of it, up to which it counts as steady."""


@dataclass(frozen=True)
class SteadyRotation:
    """Rotation of one joint at a constant rate.

    Attributes
    ----------
    joint : int
        The joint that turns, counted from 1.
    row : int
        Row in theta and theta_d that its drive keeps turning: its own, or of an elastic joint its motor's.
    joint_row : int
        Its own row.
    rate : float [rad/s]
    """

    joint: int
    row: int
    joint_row: int
    rate: float

    @property
    def rows(self) -> list[int]:
        """Rows that turn: of an elastic joint its motor's too."""
        return sorted({self.joint_row, self.row})


def single_rotation(
    arm: Arm, spin: Spin | None, joint: int | None, joints: str, hold: Sequence[int]
) -> SteadyRotation | None:
    """Steady rotation of an arm at one rate; None where none is asked for.

    Raises
    ------
    ModelError
        Several rates, a joint that turns at none, or what :func:`steady_rotations` says.
    """
    if spin is not None:
        (found,) = steady_rotations(arm, [single_rate(spin)], joint, joints, hold)
        return found
    if joint is not None:
        raise ModelError(f"joint: got {joint!r}, expected a rate too", hint="`spin` says how fast it turns")
    return None


def steady_rotations(
    arm: Arm,
    rates: Sequence[float] | np.ndarray,
    joint: int | None = None,
    joints: str = "free",
    hold: Sequence[int] = (),
) -> list[SteadyRotation]:
    """Steady rotations of an arm about one joint at several rates.

    Parameters
    ----------
    rates : (k,) [rad/s]
    joint : int, optional
        The joint that turns, counted from 1; the first revolute one unless given.
    joints : {"free", "locked", "pd"}
    hold : sequence of int
        What the other joints do, see :func:`~flexarm.analysis.operating_points.joint_roles.joint_roles`.

    Raises
    ------
    ModelError
        There is no such joint, or what carries it may move itself: the small motions of such an arm have coefficients
        that change as it turns.
    """
    layout = arm_coordinates(arm)
    moving = [i for i, row in enumerate(layout.joints, 1) if row is not None]
    turning = [i for i in moving if arm.joints[i - 1].turns]
    if arm.base != "fixed":
        raise ModelError(
            f"{arm.name}: the arm floats, but only one on a fixed base turns steadily about a joint"
        )
    if not turning:
        why = "no joint is revolute" if moving else "every joint is fixed"
        raise ModelError(f"{arm.name}: {why}, so that none can turn steadily")
    if joint is None:
        joint = turning[0]
    check_number("joint", joint, whole=True)
    if joint not in turning:
        choice = f"expected {', '.join(map(str, turning))}"
        raise ModelError(
            f"{arm.name}: joint {joint} is {arm.joints[joint - 1].type}, {choice}"
            if 1 <= joint <= len(layout.joints)
            else f"{arm.name}: got joint {joint} as the one that turns, {choice}"
        )
    row, driven = layout.joints[joint - 1], layout.driven[joint - 1]
    assert row is not None
    assert driven is not None
    stays = {*prescribed_motion_rows(arm)}
    stays |= set(layout.driven) if joints == "locked" else {layout.driven[i - 1] for i in hold if i in moving}
    before = [label for k, label in enumerate(layout.labels[:row]) if k not in stays]
    if before:
        raise ModelError(
            f"{arm.name}: joint {joint} cannot turn steadily, since what carries it may move ({', '.join(before)}): "
            "seen from there the arm changes as it turns",
            hint="make the links before it rigid, and hold the joints before it with `joints` locked or `hold`",
        )
    return [SteadyRotation(joint, driven, row, float(rate)) for rate in rates]


def prescribed_motion_rows(arm: Arm) -> Iterator[int]:
    """Rows of the joints, or of the motors of elastic ones, whose motion the description prescribes."""
    for row, drive in zip(arm_coordinates(arm).driven, arm.drive, strict=True):
        if row is not None and drive is not None and drive.motion is not None:
            yield row


def check_invariance(
    statics: StaticForces, chain: Chain, theta: np.ndarray, rotation: SteadyRotation
) -> None:
    """Make sure that the forces on the arm, seen from the turning frame, do not change as it turns.

    Raises
    ------
    ModelError
        Gravity is not along the joint's axis, or a load keeps its direction in the fixed frame.

    Notes
    -----
    Of all that acts on an arm whose carrier is at rest, only these two depend on the angle of the joint that turns.
    They depend on theta alone, so that any bent posture shows whether they do.
    """
    behind = [row for row in range(rotation.joint_row + 1, chain.coordinates.n_dof) if row != rotation.row]
    theta = theta.copy()
    theta[behind] += 0.1 * np.random.default_rng(0).uniform(0.5, 1.0, theta[behind].size)

    def forces(angle: float) -> np.ndarray:
        turned = theta.copy()
        turned[rotation.rows] += angle
        return np.stack(statics.forces(turned))[:, behind]

    here = forces(0.0)
    change = np.max([np.abs(forces(angle) - here).max(axis=1, initial=0.0) for angle in TURNED], axis=0)
    if (change <= CHANGE * np.abs(here).max(initial=0.0)).all():
        return
    name, joint = statics.arm.name, rotation.joint
    if change[0] > change[1]:
        axis, gravity = _text(_axis(chain, theta, joint)), _text(chain.gravity)
        raise ModelError(
            f"{name}: joint {joint} turns about {axis}, and gravity {gravity} is not along that axis: it changes its "
            "direction as seen from the turning arm, which is therefore nowhere at rest there",
            hint=f"a steady rotation takes gravity along {axis}, or gravity: [0, 0, 0]",
        )
    raise ModelError(
        f"{name}: a load keeps its direction in the fixed frame, and changes it as seen from the turning arm, which is "
        "therefore nowhere at rest there",
        hint="remove it, or let it turn with its link (frame: link)",
    )


def steady_rates(arm: Arm, chain: Chain) -> dict[int, float]:
    """Joints that the description lets turn, counted from 1, with their rates [rad/s] at the end of its run.

    Those whose prescribed motion has become a steady one, and those that start with a rate and are not regulated.
    """
    found = {}
    signals = Signals(ca.SX.sym("t"))
    motions = prescribed_motion(arm, chain, signals)
    for i, (drive, start) in enumerate(zip(arm.drive, arm.initial.joint_rates, strict=True)):
        row = chain.coordinates.driven[i]
        if not arm.joints[i].turns:
            continue
        if row in motions:
            f = ca.Function("rate", [signals.t, signals.u], [motions[row][1]])
            times = np.linspace(0.9, 1.0, 11) * arm.run.duration
            rates = np.array([float(f(t, signals.values(t))) for t in times])
            if rates[-1] and np.ptp(rates) <= STEADY * abs(rates[-1]):
                found[i + 1] = float(rates[-1])
        elif start and (drive is None or drive.moves_freely):
            found[i + 1] = start
    return {joint: rate for joint, rate in found.items() if arm.joints[joint - 1].turns}


def _axis(chain: Chain, theta: np.ndarray, joint: int) -> np.ndarray:
    """Axis of a joint, counted from 1, in the base frame, (3,)."""
    symbol, still = ca.SX.sym("theta", theta.size), ca.SX.zeros(chain.coordinates.n_dof)
    frames = poses(chain_motion(chain, ChainState.of(chain, symbol, still)))
    body = chain.joint_bodies[joint - 1]
    axis = frames[body].R @ ca.DM(chain.bodies[body].joint.motion.axis)
    return ca.Function("axis", [symbol], [ca.densify(axis)])(theta).full().ravel()


def _text(vector: Sequence[float] | np.ndarray) -> str:
    return f"({', '.join(f'{0.0 if abs(part) < 1e-12 else part:.4g}' for part in vector)})"

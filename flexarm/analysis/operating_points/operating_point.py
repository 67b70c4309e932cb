"""Operating point: an arm at rest or turning steadily, held by torques, about which small motions are linearised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.analysis.operating_points.posture import Posture, joint_angles
from flexarm.analysis.rotation.steady_rotation import SteadyRotation, check_invariance
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.progress import Progress
from flexarm.simulation.state.initial_state import check_within_limits, initial_state
from flexarm.simulation.state.static_equilibrium import (
    StaticForces,
    check_friction,
    nearest_equilibrium,
    relax,
)

UNBALANCED = 1e-9
"""Force on a floating base, of the largest force in the arm, from which on the base is not at rest."""


def report_progress(progress: Progress | None, fraction: float) -> None:
    """Report the fraction done of a computation, 0 to 1, where progress is asked for."""
    if progress is not None:
        progress(fraction, None)


@dataclass(frozen=True)
class OperatingPoint:
    """An arm at rest, or turning steadily about one joint and at rest in the frame that turns with it.

    Attributes
    ----------
    arm : Arm
        As described; without gravity if it floats.
    chain : Chain
    theta : (n_theta,)
        Coordinates.
    held : bool
        Whether torques hold the joints, as large as that takes; else the drives of t = 0 act on them.
    residual : float [N m or N]
        Largest force that is left over in the rows of the coordinates that are free to move.
    largest_force : float [N m or N]
        Largest of the elastic forces, weights and loads that balance; at least the arm's weight times its length.
    rotation : SteadyRotation, optional
        Which joint turns, and how fast; None for an arm at rest.
    """

    arm: Arm
    chain: Chain
    theta: np.ndarray
    held: bool
    residual: float
    largest_force: float
    rotation: SteadyRotation | None = None

    @property
    def theta_d(self) -> np.ndarray:
        """Rates, (n_dof,): zero but for the joint that turns."""
        rates = np.zeros(self.chain.coordinates.n_dof)
        if self.rotation is not None:
            rates[self.rotation.rows] = self.rotation.rate
        return rates

    @property
    def relative_residual(self) -> float:
        """The residual over the largest force; 0 where there are no forces."""
        return self.residual / self.largest_force if self.largest_force else self.residual

    @property
    def typical_square(self) -> float:
        """Square of a typical natural frequency: the slowest of the links with locked joints, or a pendulum [1/s^2]."""
        slowest = [
            float(link.locked_frequencies()[0]) ** 2 for link in self.chain.assembled_links if link.n_modes
        ]
        g = float(np.linalg.norm(self.arm.gravity))
        return max(min(slowest, default=0.0), g / self.arm.reach)


def operating_point(arm: Arm, at: Posture = "initial") -> OperatingPoint:
    """Static equilibrium of an arm in a posture, with the torques that hold it there.

    Parameters
    ----------
    at : str or sequence
        ``"initial"``: joints held at ``initial.joints`` (in the equilibrium next to them where
        ``initial.equilibrium`` asks for it); ``"equilibrium"``: joints free to move under the drives of t = 0, from
        ``initial.joints`` on, where those stay that dry friction holds; or joint angles, see
        :data:`~flexarm.analysis.operating_points.posture.Posture`. The links are bent by
        their weight and loads in any case. Joints whose motion is prescribed stay where it begins, unless angles are
        given.

    Raises
    ------
    ModelError
        There is no equilibrium; the angles cannot be read; a joint would be beyond its limits; the loads would
        accelerate a floating arm.

    Notes
    -----
    An arm that floats falls freely; seen from a frame that falls with it there is no gravity, which is therefore
    left out. Rigid walls and stops of joints are left out too; a soft wall acts on what is in it.
    """
    return next(operating_points(arm, at, [None]))


def operating_points(
    arm: Arm, at: Posture, rotations: Sequence[SteadyRotation | None]
) -> Iterator[OperatingPoint]:
    """Operating points of an arm at rest (None) or turning steadily about one joint at several rates.

    The posture is that of the other joints, held or free in the frame that turns; the search for each starts from
    the one before. See :func:`operating_point`.

    Raises
    ------
    ModelError
        Also if what acts on the arm changes as it turns.
    """
    if arm.base != "fixed":
        arm = arm.model_copy(update={"gravity": (0.0, 0.0, 0.0)})
    if not isinstance(at, str | Sequence | np.ndarray):
        raise ModelError(
            f"{arm.name}: got {at!r} as a posture, expected 'initial', 'equilibrium' or joint angles"
        )
    chain, first = build_chain(arm), rotations[0]
    named = at.strip() if isinstance(at, str) else ""
    # The equilibrium in which a description starts is one at rest; of an arm that turns it is another one.
    free = named == "equilibrium" or (first is not None and named == "initial" and arm.initial.equilibrium)
    layout = chain.coordinates
    held = () if free else (*layout.moving_joints, *layout.moving_motors)
    statics = StaticForces.of(arm, chain, held, () if first is None else first.rows)
    theta = statics.placed(_initial_guess(arm, chain, at, free))
    for rotation in rotations:
        if rotation is not None:
            statics = statics.turning_at(rotation.rate)
            if rotation is first:
                check_invariance(statics, chain, theta, rotation)
        theta = _settled(statics, theta, rotation, free)
        if free:
            check_friction(statics, chain, theta)
        else:
            theta = _with_motors(statics, chain, theta)
        what, hint = ("the equilibrium has", "hold the joint") if free else ("the posture has", "change it")
        check_within_limits(arm, chain, theta, what, f"stops are left out: {hint}, or widen the limits")
        residual = np.abs(statics.residual(theta)).max(initial=0.0)
        on_base, largest = _forces(statics, chain, theta)
        if on_base > UNBALANCED * largest:
            raise ModelError(
                f"{arm.name}: {'loads or soft walls' if arm.has_soft_walls else 'the loads'} accelerate the arm as a "
                "whole, so that it is nowhere at rest"
            )
        yield OperatingPoint(arm, chain, theta, not free, float(residual), largest, rotation)


def _settled(
    statics: StaticForces, theta: np.ndarray, rotation: SteadyRotation | None, free: bool
) -> np.ndarray:
    """Equilibrium (n_theta,) to which an arm comes from theta; if it turns with held joints, the one next to it."""
    if rotation is None:
        return relax(statics, theta)
    if not free and statics.free and (found := nearest_equilibrium(statics, theta)) is not None:
        return found
    try:
        return relax(statics, theta)
    except ModelError as failure:
        raise ModelError(
            f"{statics.arm.name}: no posture found in which the arm rests as it turns at {rotation.rate:.6g} rad/s",
            hint="it may have none at so high a rate: try a lower one",
        ) from failure


def _initial_guess(arm: Arm, chain: Chain, at: Posture, free: bool) -> np.ndarray:
    """Coordinates (n_theta,) in a posture, before the links bend under their weight."""
    named = free or (isinstance(at, str) and at.strip() == "initial")
    equilibrium = arm.initial.equilibrium and named and not free
    initial = arm.initial.model_copy(update={"equilibrium": equilibrium})
    theta, *_ = initial_state(arm.model_copy(update={"initial": initial}), chain)
    if not named:
        theta[list(chain.coordinates.moving_joints)] = joint_angles(arm, chain, at)
    return theta


def _with_motors(statics: StaticForces, chain: Chain, theta: np.ndarray) -> np.ndarray:
    """Coordinates (n_theta,) with the motors of elastic joints where their springs hold the joints."""
    theta, (bias, external) = theta.copy(), statics.forces(theta)
    for spring in chain.springs:
        joint, motor = chain.coordinates.joints[spring.joint], chain.coordinates.motors[spring.joint]
        if joint is not None and motor is not None:
            theta[motor] += (bias - external)[joint] / spring.stiffness
    return theta


def _forces(statics: StaticForces, chain: Chain, theta: np.ndarray) -> tuple[float, float]:
    """Largest force on a floating base, and largest of all forces by their cause."""
    bias, external = statics.forces(theta)
    elastic = np.zeros_like(bias)
    for rows, link in zip(chain.coordinates.modes, chain.assembled_links, strict=True):
        elastic[list(rows)] = link.K @ theta[list(rows)]
    weight, lever = np.linalg.norm(chain.gravity) * _mass(chain), statics.arm.reach
    on_base = np.abs((bias - external)[list(chain.coordinates.base)]).max(initial=0.0)
    largest = max(np.abs(part).max(initial=0.0) for part in (bias, external, elastic, bias - elastic))
    return float(on_base), float(max(largest, weight * lever))


def _mass(chain: Chain) -> float:
    return sum(body.link.integrals.mass for body in chain.bodies if isinstance(body.link, FlexibleLink))

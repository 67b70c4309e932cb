"""Static equilibrium of an arm: posture, deflection, torques, and whether it would stay there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analysis.operating_points.joint_roles import joint_roles
from flexarm.analysis.operating_points.operating_point import (
    OperatingPoint,
    Progress,
    operating_point,
    report_progress,
)
from flexarm.analysis.operating_points.posture import Posture
from flexarm.analysis.operating_points.record import rest_attributes, rest_datasets
from flexarm.analysis.small_motions.eigenmodes import Eigenmodes
from flexarm.analysis.small_motions.linear_motion import linear_motion
from flexarm.analysis.small_motions.natural_modes import modes_of
from flexarm.arguments import check_object
from flexarm.description.arm.arm import Arm
from flexarm.results.result import Result
from flexarm.simulation.forces.applied_forces import has_feedback
from flexarm.simulation.state.holding_integrals import holding_integrals


@dataclass(frozen=True, repr=False)
class Equilibrium:
    """Static equilibrium of an arm.

    Attributes
    ----------
    point : OperatingPoint
        Coordinates theta, and how well the forces balance.
    modes : Eigenmodes
        Small motions about the equilibrium, from which its stability follows.
    data : dict
        One row each of ``joint_angle``, ``torque``, ``link_deflection`` [m], ``tip_deflection`` [m] and
        the other datasets of a run, what joints transmit and links carry among them.
    """

    point: OperatingPoint
    modes: Eigenmodes
    data: dict[str, np.ndarray]

    def __repr__(self) -> str:
        units = [joint.kind.unit for joint in self.point.arm.joints]
        if len(set(units)) == 1:
            places = f"{', '.join(f'{q:.4g}' for q in self.joint_angle)} {units[0]}"
        else:
            places = ", ".join(f"{q:.4g} {unit}" for q, unit in zip(self.joint_angle, units, strict=True))
        return f"Equilibrium of {self.point.arm.name!r}, {self.modes.stability}: joints at {places}"

    @property
    def theta(self) -> np.ndarray:
        """Coordinates, (n_theta,) [rad, m, 1]."""
        return self.point.theta

    @property
    def joint_angle(self) -> np.ndarray:
        """Coordinates of all joints, (joints,) [rad, prismatic: m]."""
        return self.data["joint_angle"][0]

    @property
    def torque(self) -> np.ndarray:
        """Torques of all joints, (joints,) [N m, prismatic: N]: of their drives, or what holds them."""
        return self.data["torque"][0]

    @property
    def tip_deflection(self) -> np.ndarray:
        """Position of the tip from where it would be with straight links, (3,) [m]."""
        return self.data["tip_deflection"][0]

    @property
    def end_deflection(self) -> np.ndarray:
        """Deflection of each link's end in the link's axes, (links, 3) [m]."""
        return self.data["link_deflection"][0, :, -1]

    @property
    def stability(self) -> str:
        """``stable``, ``unstable``, or ``indifferent`` where some motion is held by nothing."""
        return self.modes.stability

    @property
    def residual(self) -> float:
        """Largest force left over [N m or N]."""
        return self.point.residual

    @property
    def relative_residual(self) -> float:
        """The same over the largest of the forces that balance."""
        return self.point.relative_residual

    def result(self, command: str = "") -> Result:
        """Return everything as a result of kind ``equilibrium``."""
        facts = {"held": int(self.point.held), "stability": self.stability}
        return Result(self.data, rest_attributes(self.point, "equilibrium", command, facts))


def static_equilibrium(
    arm: Arm, *, hold: Posture | None = None, progress: Progress | None = None
) -> Equilibrium:
    """Static equilibrium of an arm under its drives, or the torques that hold it in a given posture.

    Parameters
    ----------
    arm : Arm
        Its weight, payload, loads and drives act as at t = 0.
    hold : str or sequence, optional
        Joint angles at which torques hold the arm, or ``"initial"`` for those of ``initial.joints``. Without it
        the joints are free to move, from ``initial.joints`` on, under the arm's own drives.
    progress : callable, optional
        Called with the fraction done, and None for a time.

    Raises
    ------
    ModelError
        There is no equilibrium, also as a motor or the friction of a joint is too weak; or nothing can move.

    Notes
    -----
    Stability is that of small motions (:func:`flexarm.natural_modes`): with the arm's own drives where any has
    feedback, or under constant torques where the posture is held. A drive with an integral part rests with its joint at
    the reference. Joints that dry friction holds stay where they begin: small motions do not overcome it.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/payload_two_link.yaml")
    >>> rest = flexarm.static_equilibrium(arm, hold=["30 deg", "-20 deg"])
    >>> rest.torque.round(2)
    array([4.4 , 0.36])
    """
    check_object("arm", arm, Arm)
    point = operating_point(arm, "equilibrium" if hold is None else hold)
    if hold is None:
        holding_integrals(arm, point.chain, point.theta)  # motors may be too weak
    report_progress(progress, 0.4)
    regulated = hold is None and has_feedback(arm)
    roles = "pd" if regulated else "free"
    stuck = _is_stuck(point, roles)
    modes = Eigenmodes.none() if stuck else modes_of(point, linear_motion(point, roles))
    report_progress(progress, 0.8)
    return Equilibrium(point, modes, rest_datasets(point, loads=True))


def _is_stuck(point: OperatingPoint, joints: str) -> bool:
    """Whether nothing of the arm can make small motions, as dry friction holds its joints."""
    roles, layout = joint_roles(point.arm, joints), point.chain.coordinates
    springs_move = any(i in roles.elastic for i in roles.stuck)
    move = roles.free or roles.regulated or roles.driven or layout.all_modes or layout.base or springs_move
    return bool(roles.stuck) and not move

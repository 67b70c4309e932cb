"""Natural frequencies, damping ratios and mode shapes of the assembled arm about a posture or a steady rotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.analysis.operating_points.joint_roles import JointRoles
from flexarm.analysis.operating_points.operating_point import (
    OperatingPoint,
    Progress,
    operating_points,
    report_progress,
)
from flexarm.analysis.operating_points.posture import Posture
from flexarm.analysis.operating_points.record import rest_attributes, rest_datasets
from flexarm.analysis.rotation.spin_rates import Spin
from flexarm.analysis.rotation.steady_rotation import SteadyRotation, single_rotation
from flexarm.analysis.small_motions.eigenmodes import Eigenmodes, eigenmodes
from flexarm.analysis.small_motions.linear_motion import LinearEquations, LinearMotion
from flexarm.arguments import check_list, check_object
from flexarm.description.arm.arm import Arm
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.html import element, table
from flexarm.results.result import Result

DRAWN = (0.12, 0.5, 0.3)
"""Largest displacement [of the arm's length], turn of a joint and of a section [rad] with which shapes are recorded."""
DRAWN_STATIONS = 21
"""Points of each link at which a shape is recorded."""
SMALL = 1e-6
"""Displacement with which the size of a shape is measured, of the coordinates' own size."""


REPR_MODES = 6
"""Frequencies that a line shows."""


@dataclass(frozen=True, repr=False)
class NaturalModes:
    """Natural modes of an arm: its small free vibrations about a posture or a steady rotation.

    Attributes
    ----------
    point : OperatingPoint
        The posture about which the arm vibrates; of an arm that turns, in the frame that turns with it.
    motion : LinearMotion
    joints : str
        Joints that are not held one by one are ``free``, ``locked`` or follow their ``pd`` drives.
    roles : JointRoles
        What each joint does.
    modes : Eigenmodes
    """

    point: OperatingPoint
    motion: LinearMotion
    joints: str
    roles: JointRoles
    modes: Eigenmodes

    @property
    def held(self) -> tuple[int, ...]:
        """Joints that stay where they are, counted from 1: held ones, and those whose motion is prescribed."""
        return tuple(sorted((*self.roles.held, *self.roles.prescribed)))

    @property
    def frequencies(self) -> np.ndarray:
        """Natural frequencies, (k,) [Hz], those of rigid-body motions, 0, first."""
        return self.modes.natural_frequency

    def __repr__(self) -> str:
        shown = ", ".join(f"{frequency:.4g}" for frequency in self.frequencies[:REPR_MODES])
        more = ", .." if len(self.frequencies) > REPR_MODES else ""
        return f"NaturalModes of {self.point.arm.name!r}, joints {self.joints}: {shown}{more} Hz"

    def _repr_html_(self) -> str:
        rows = [("mode", "frequency", "damping ratio", "mostly")]
        for k, label in enumerate(self.leading):
            ratio = self.modes.damping_ratio[k]
            damping = "–" if np.isnan(ratio) else f"{ratio if abs(ratio) > 1e-12 else 0:.3g}"
            rows.append((f"{k + 1}", f"{self.frequencies[k]:.5g} Hz", damping, label))
        return element("p", f"NaturalModes of {self.point.arm.name!r}, joints {self.joints}") + table(
            rows, ">>><"
        )

    @cached_property
    def shapes(self) -> np.ndarray:
        """Change of theta per unit of each mode, complex, (k, n_theta)."""
        return (self.motion.tangent @ self.modes.shapes).T

    @property
    def leading(self) -> list[str]:
        """Coordinate in which most of each mode's kinetic energy would be if only it moved, e.g. ``q_1``."""
        labels = [self.point.chain.coordinates.labels[row] for row in self.motion.rows]
        energies = np.diag(self.motion.M)[:, None] * np.abs(self.modes.shapes) ** 2
        return [labels[k] for k in energies.argmax(axis=0)]

    def result(self, command: str = "") -> Result:
        """Return everything as a result of kind ``modes``."""
        modes, layout, arm = self.modes, self.point.chain.coordinates, self.point.arm
        rates = np.zeros((len(self.shapes), layout.n_dof), dtype=complex)
        rates[:, self.motion.rows] = modes.shapes.T
        angles = np.zeros((len(rates), len(layout.joints)), dtype=complex)
        moving = [i for i, row in enumerate(layout.joints) if row is not None]
        angles[:, moving] = rates[:, layout.moving_joints]
        shapes = {"shape_joint_angle": angles, "shape_mode_amplitude": rates[:, layout.all_modes]}
        if arm.base != "fixed":
            base, moves = rates[:, layout.base], 3 if arm.base == "free" else 2
            shapes["shape_base_position"] = np.pad(base[:, :moves], ((0, 0), (0, 3 - moves)))
            if (turns := base[:, moves:]).size:
                shapes["shape_base_rotation"] = np.pad(turns, ((0, 0), (3 - turns.shape[1], 0)))
        rest, bent = self._drawn()
        listed = {
            "natural_frequency": modes.natural_frequency,
            "damping_ratio": modes.damping_ratio,
            "pole": _parts(modes.poles),
            **{name: _parts(values) for name, values in shapes.items()},
            "rest_point": rest,
            "shape_point": bent,
        }
        held = ", ".join(map(str, self.held))
        facts = {
            "joints": self.joints,
            "held_joints": held,
            "stability": modes.stability,
            "rigid_modes": modes.n_rigid,
        }
        return Result(
            {**rest_datasets(self.point), **listed}, rest_attributes(self.point, "modes", command, facts)
        )

    def _drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """The arm at rest (links, stations, 3), and visibly bent in every mode (k, links, stations, 3)."""
        equations = MotionEquations(self.point.chain, self.point.arm.run.formulation)
        theta, shapes = self.point.theta, np.real(self.shapes)
        rest = equations.shape(theta, DRAWN_STATIONS)
        small = SMALL / np.abs(shapes).max(axis=1, keepdims=True)
        moved = np.linalg.norm(equations.shape(theta + small * shapes, DRAWN_STATIONS) - rest, axis=-1)
        displaced = moved.max(axis=(1, 2)) / small[:, 0] / self.point.arm.reach
        layout, stations = self.point.chain.coordinates, np.linspace(0, 1, DRAWN_STATIONS)
        turning = [
            row
            for row, joint in zip(layout.joints, self.point.arm.joints, strict=True)
            if row is not None and joint.turns
        ]
        turned = np.abs(shapes[:, turning]).max(axis=1, initial=0)
        bent = np.zeros(len(shapes))
        for rows, link in zip(layout.modes, self.point.chain.assembled_links, strict=True):
            sections = np.einsum("km,smx->ksx", shapes[:, list(rows)], link.rotation(stations))
            bent = np.maximum(bent, np.linalg.norm(sections, axis=-1).max(axis=1))
        size = np.max(
            [part / most for part, most in zip((displaced, turned, bent), DRAWN, strict=True)], axis=0
        )
        return rest, equations.shape(theta + shapes / size[:, None], DRAWN_STATIONS)


def natural_modes(
    arm: Arm,
    *,
    at: Posture = "initial",
    joints: str = "free",
    hold: Sequence[int] = (),
    spin: Spin | None = None,
    joint: int | None = None,
    progress: Progress | None = None,
) -> NaturalModes:
    """Natural modes of an arm about a posture, or about a steady rotation.

    Parameters
    ----------
    arm : Arm
    at : str or sequence
        Posture: ``"initial"``, ``"equilibrium"`` or joint angles, see
        :func:`~flexarm.analysis.operating_points.operating_point.operating_point`.
    joints : {"free", "locked", "pd"}
        The joints move and nothing drives them but the constant torques that balance the posture; or stay where
        they are, all of them; or follow the arm's own PD drives. Joints whose motion the description prescribes stay
        in any case. A floating base moves in any case, and with it joint 1 of a planar one, which is its attitude.
    hold : sequence of int, optional
        Joints that stay where they are, counted from 1; the others are free or follow their PD drives.
    spin : float or str, optional
        Rate [rad/s, or "60 deg/s"] at which one joint turns steadily, whatever the description lets drive it; the
        posture, and what ``joints`` says, are those of the others, as seen from the frame that turns.
    joint : int, optional
        Which joint turns, counted from 1; the first one that moves unless given.
    progress : callable, optional
        Called with the fraction done, and None for a time.

    Raises
    ------
    ModelError
        There is no such posture, nothing can move, there are no PD drives, or the arm has no steady rotation.

    Notes
    -----
    The eigenvalues of the linearised equations of motion: gravity's stiffness, modal damping, friction and, where
    the arm asks for it, geometric stiffening count. Modes whose poles are complex vibrate; a real pole is a motion
    that dies away, or grows, without vibrating. In a steady rotation the gyroscopic and centrifugal forces count too.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/lqr_arm.yaml")
    >>> flexarm.natural_modes(arm, joints="locked")
    NaturalModes of 'lqr-arm', joints locked: 1.802, 17.94 Hz
    """
    check_object("arm", arm, Arm)
    check_list("hold", hold, whole=True)
    rotations = [single_rotation(arm, spin, joint, joints, hold)]
    found = next(modes_about(arm, at, joints, hold, rotations))
    report_progress(progress, 0.9)
    return found


def modes_about(
    arm: Arm, at: Posture, joints: str, hold: Sequence[int], rotations: Sequence[SteadyRotation | None]
) -> Iterator[NaturalModes]:
    """Natural modes at rest (None) or about each of several steady rotations of one joint, derived once."""
    equations = None
    for point in operating_points(arm, at, rotations):
        equations = equations or LinearEquations.of(point, joints, hold)
        motion = equations.about(point)
        yield NaturalModes(point, motion, joints, equations.roles, modes_of(point, motion))


def modes_of(point: OperatingPoint, motion: LinearMotion) -> Eigenmodes:
    """Eigenmodes of the small motions about an operating point."""
    bending = set(point.chain.coordinates.all_modes)
    leading = np.array([row not in bending for row in motion.rows])
    return eigenmodes(motion.M, motion.D, motion.K, point.typical_square, leading, motion.integral_gains)


def _parts(values: np.ndarray) -> np.ndarray:
    """Real and imaginary part side by side, after the first axis."""
    return np.stack([np.real(values), np.imag(values)], axis=1)

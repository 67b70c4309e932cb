"""Equations of motion of a flexible arm straight from Lagrange, without a modal integral or a recursion.

The arm is cut into many mass points (Gauss-Legendre stations of every link) and a few rigid bodies. Their
positions and rotations are written as functions of theta; velocities are derivatives of these along theta_d;
kinetic and potential energy are sums; the equations of motion are

    d/dt (dT/dtheta_d) - dT/dtheta + dV/dtheta + resistance = forces

with every derivative taken by CasADi. Frames and coordinates are those of docs/notation.md, read from the
parsed arm description alone.
"""

from __future__ import annotations

from functools import cache
from math import factorial
from typing import NamedTuple

import casadi as ca
import numpy as np
from scipy.spatial.transform import Rotation

from reference.flexible_link import at, deflection, modal_damping, quadrature, shortening, strain_of

STATIONS = 24
"""Gauss points per smooth piece of a link: M is then converged to round-off (test_oracle.py)."""

SERIES_TERMS = 16
"""Terms of sin(a)/a and (1-cos a)/a^2 in powers of a^2: exact to round-off for |a| < pi."""


class Energies(NamedTuple):
    """Energies of one state [J]; gravity counts from the base's origin; strain is that of links and joint springs."""

    kinetic: float
    gravity: float
    strain: float


class Oracle:
    """The reference arm.

    Parameters
    ----------
    arm : flexarm.description.Arm
        Parsed description.
    link_rotation : {"finite", "small"}, optional
        Overrides the description's: E = exp(skew(theta)) or E = I + skew(theta).
    stations : int
        Gauss points per smooth piece of a link.

    Attributes
    ----------
    n_dof : int
        Length of theta = [q_1, delta_11, .., q_2, .., motors, base]; a fixed joint has no entry.
    joint_rows, mode_rows : list of int
        Where the joint angles and the modal amplitudes sit in theta.
    masses, positions : (k,) [kg] and SX (3, k) [m]
        All mass points (link stations, hubs, payload) as functions of ``theta_sym``.
    damping : (n_dof, n_dof)
        Modal damping matrix, already inside ``bias``.

    Notes
    -----
    With "small" rotation the frames are products of matrices that are not orthonormal. Velocities are the
    exact derivatives of such positions; an angular velocity is read off the antisymmetric part of R^T R_d,
    whose error is of second order in modal amplitudes and rates.

    Differentiating costs an order: dE/ddelta of I + skew(theta) is right to zeroth order in delta only. Seen
    from "finite", these energies therefore give the joint rows of the equations of motion with an error of
    second order in (delta, delta_d, delta_dd), but the modal rows with one of first order
    (``test_small_rotation_loses_an_order_in_modal_rows``).
    """

    def __init__(
        self, arm, *, link_rotation: str | None = None, stations: int = STATIONS
    ):  # fmt: skip
        self.arm = arm
        self.link_rotation = link_rotation or arm.link_rotation
        self.stations = stations
        self._lay_out_coordinates()
        self._place_frames()
        self._collect_energies()
        self._derive()

    # -- where things are -----------------------------------------------------------------------------------

    def _lay_out_coordinates(self):
        self.joint_rows, self.mode_rows = [], []
        self._q_row: list[int | None] = []
        self._delta_rows: list[slice] = []
        row = 0
        for link, joint in zip(self.arm.links, self.arm.joints, strict=True):
            self._q_row.append(None if joint.type == "fixed" else row)
            if joint.type != "fixed":
                self.joint_rows.append(row)
                row += 1
            count = sum(modes.count for modes in link.modes)
            self._delta_rows.append(slice(row, row + count))
            self.mode_rows += range(row, row + count)
            row += count
        self._motor_row = []
        for joint in self.arm.joints:
            own = joint.stiffness is not None and joint.motor.inertia > 0
            self._motor_row.append(row if own else None)
            row += own
        rows = {"fixed": 0, "planar": 2 + (self.arm.base_body is not None), "free": 6}
        self._base_rows = slice(row, row + rows[self.arm.base])
        row = self._base_rows.stop
        self.n_dof = row
        self.n_links = len(self.arm.links)
        self.theta_sym = ca.SX.sym("theta", row)
        self.theta_d_sym = ca.SX.sym("theta_d", row)

    def _place_frames(self):
        """O_i, R_i and end frames R_i E_i of all links as functions of theta."""
        self._origin, self._frame, self._end_frame = [], [], []
        position, rotation = self._base()
        for i, joint in enumerate(self.arm.joints):
            row = self._q_row[i]
            q = joint.angle if row is None else self.theta_sym[row]
            if joint.origin is None:
                rotation = rotation @ _about_x(joint.twist)
                position = position + joint.offset * rotation[:, 2]
            else:
                position = position + rotation @ ca.DM(joint.origin.xyz)
                rotation = rotation @ ca.DM(Rotation.from_euler("xyz", joint.origin.rpy).as_matrix())
            if joint.type == "prismatic":
                position = position + rotation @ ca.DM(joint.axis) * q
            else:
                rotation = rotation @ _about(joint.axis, q)
            self._origin.append(position)
            self._frame.append(rotation)
            position, rotation = self._section_position(i, 1.0), self._section_frame(i, 1.0)
            self._end_frame.append(rotation)
        self._origin.append(position)

    def _base(self) -> tuple[ca.SX, ca.SX]:
        """Where the base is; a free one turns by a rotation vector, its last three coordinates."""
        at = self.theta_sym[self._base_rows, 0]
        if self.arm.base == "fixed":
            return ca.SX.zeros(3), ca.SX.eye(3)
        if self.arm.base == "planar":
            turn = ca.SX.eye(3) if self.arm.base_body is None else _about_z(at[2])
            return ca.vertcat(at[:2], 0), turn
        return at[:3], _exponential(at[3:])

    def _section_position(self, i: int, xi: float) -> ca.SX:
        link, delta, R = self.arm.links[i], self._amplitudes(i), self._frame[i]
        position = (
            self._origin[i] + R @ ca.DM([xi * link.length, 0.0, 0.0]) + R @ (deflection(link, xi)[0] @ delta)
        )
        if self.arm.geometric_stiffening:
            position += 0.5 * (delta.T @ shortening(link, xi) @ delta) * R[:, 0]
        return position

    def _section_frame(self, i: int, xi: float) -> ca.SX:
        turn = deflection(self.arm.links[i], xi)[1] @ self._amplitudes(i)
        E = _exponential(turn) if self.link_rotation == "finite" else ca.SX.eye(3) + ca.skew(turn)
        return self._frame[i] @ E

    def _amplitudes(self, i: int) -> ca.SX:
        return self.theta_sym[self._delta_rows[i], 0]

    # -- energies -------------------------------------------------------------------------------------------

    def _collect_energies(self):
        self._points: list[tuple[float, ca.SX]] = []
        self._spin_energy = ca.SX(0)
        self._strain_energy, self._spring_energy = ca.SX(0), ca.SX(0)
        self.damping = np.zeros((self.n_dof, self.n_dof))
        for i, (link, joint) in enumerate(zip(self.arm.links, self.arm.joints, strict=True)):
            self._add_link(i, link)
            self._add_hub(i, joint)
        self._add_payload(self.arm.payload)
        if self.arm.base_body is not None:
            self._add_base_body(self.arm.base_body)

        self.masses = np.array([mass for mass, _ in self._points])
        self.positions = ca.horzcat(*(point for _, point in self._points))
        velocities = self._rate(self.positions)
        self._kinetic = 0.5 * ca.dot(ca.sum1(velocities**2).T, ca.DM(self.masses)) + self._spin_energy
        self._gravity = -ca.dot(ca.DM(self.arm.gravity), self.positions @ ca.DM(self.masses))

    def _add_link(self, i: int, link):
        rows = self._delta_rows[i]
        delta, delta_d = self._amplitudes(i), self.theta_d_sym[rows, 0]
        mass = np.zeros((delta.numel(), delta.numel()))
        stiffness = np.zeros_like(mass)
        spin = self._angular_velocity(self._frame[i])
        if link.body is not None:
            centre = self._origin[i] + self._frame[i] @ ca.DM(link.body.center)
            self._points.append((link.body.mass, centre))
            self._add_spin(self._frame[i], link.body.inertia)
            return
        for xi, weight in zip(*quadrature(link, self.stations), strict=True):
            mu = weight * at(link.mu, xi)
            self._points.append((mu, self._section_position(i, xi)))

            # The sections turn with the link frame and, to first order, by bending and torsion (Rayleigh).
            J = weight * np.array(link.rotary_inertia)
            shift, turn = deflection(link, xi)
            self._spin_energy += 0.5 * ca.dot(ca.DM(J), (spin + turn @ delta_d) ** 2)

            rigidity, strain = strain_of(link, xi)
            self._strain_energy += 0.5 * weight * ca.dot(ca.DM(rigidity), (ca.DM(strain) @ delta) ** 2)

            mass += (mu * shift.T @ shift + turn.T @ ca.diag(ca.DM(J)) @ turn).full()
            stiffness += weight * strain.T @ np.diag(rigidity) @ strain
        self.damping[rows, rows] = modal_damping(link, mass, stiffness)

    def _add_hub(self, i: int, joint):
        """Point mass and inertia that turn with frame i; the motor's rotor, geared to the joint rate."""
        self._points.append((joint.mass, self._origin[i]))
        w = self._angular_velocity(self._frame[i])
        self._spin_energy += 0.5 * ca.dot(w, ca.DM(joint.inertia) * w)
        row = self._q_row[i] if self._motor_row[i] is None else self._motor_row[i]
        if row is not None:
            rotor = joint.motor.gear**2 * joint.motor.inertia
            self._spin_energy += 0.5 * rotor * self.theta_d_sym[row] ** 2
        if joint.stiffness is not None:
            self._spring_energy += 0.5 * joint.stiffness * self._twist(i)[0] ** 2

    def _twist(self, i: int) -> tuple[ca.SX, ca.SX]:
        """Twist of a joint's spring and its rate: of the motor, or the rest angle, against the joint."""
        q, motor = self._q_row[i], self._motor_row[i]
        if motor is None:
            return self.arm.joints[i].rest - self.theta_sym[q], -self.theta_d_sym[q]
        return self.theta_sym[motor] - self.theta_sym[q], self.theta_d_sym[motor] - self.theta_d_sym[q]

    def _add_payload(self, payload):
        rotation = self._end_frame[-1]
        if not any(payload.offset) and not any(payload.inertia):
            self._points.append((payload.mass, self._origin[-1]))
            return
        self._points.append((payload.mass, self._origin[-1] + rotation @ ca.DM(payload.offset)))
        self._add_spin(rotation, payload.inertia)

    def _add_base_body(self, body):
        """Rigid body whose mass centre is behind the origin of the base, where the arm begins."""
        position, rotation = self._base()
        self._points.append((body.mass, position - rotation @ ca.DM(body.attachment)))
        self._add_spin(rotation, body.inertia)

    def _add_spin(self, rotation, entries):
        xx, yy, zz, xy, xz, yz = entries
        inertia = ca.DM([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        w = self._angular_velocity(rotation)
        self._spin_energy += 0.5 * ca.dot(w, inertia @ w)

    def _rate(self, expression: ca.SX) -> ca.SX:
        """Time derivative of an expression at theta_dd = 0."""
        rate = ca.jtimes(ca.vec(expression), self.theta_sym, self.theta_d_sym)
        return ca.reshape(rate, expression.shape)

    def _angular_velocity(self, rotation: ca.SX) -> ca.SX:
        """Angular velocity of a frame in its own axes."""
        return ca.inv_skew(rotation.T @ self._rate(rotation))

    # -- equations of motion --------------------------------------------------------------------------------

    def _derive(self):
        theta, theta_d = self.theta_sym, self.theta_d_sym
        momentum = ca.gradient(self._kinetic, theta_d)
        bias = (
            self._rate(momentum)
            - ca.gradient(self._kinetic, theta)
            + ca.gradient(self._gravity + self._strain_energy + self._spring_energy, theta)
            + self._resistance()
        )
        self._momentum_at = ca.Function("momentum", [theta, theta_d], [momentum])
        self._bias_at = ca.Function("bias", [theta, theta_d], [bias])
        energies = [self._kinetic, self._gravity, self._strain_energy + self._spring_energy]
        self._energies_at = ca.Function("energies", [theta, theta_d], energies)
        self._points_at = ca.Function("points", [theta], [ca.horzcat(*self._origin).T])
        self._section_at = cache(self._section_function)

    def _resistance(self) -> ca.SX:
        """Friction of joints or their motors, modal damping and dampers of springs, as forces that oppose the rates."""
        resistance = ca.DM(self.damping) @ self.theta_d_sym
        for i, joint in enumerate(self.arm.joints):
            if joint.damping:
                dissipation = 0.5 * joint.damping * self._twist(i)[1] ** 2
                resistance += ca.gradient(dissipation, self.theta_d_sym)
            row = self._q_row[i] if self._motor_row[i] is None else self._motor_row[i]
            if row is not None:
                rate, friction = self.theta_d_sym[row], joint.friction
                resistance[row] += friction.viscous * rate
                if friction.smoothing:  # else it is no function of the state
                    resistance[row] += friction.coulomb * ca.tanh(rate / friction.smoothing)
        return resistance

    def _section_function(self, i: int, xi: float) -> ca.Function:
        """theta -> position, R_i, section rotation, and the two Jacobians (base axes) of the section."""
        i %= self.n_links  # -1: the last link
        position, rotation = self._section_position(i, xi), self._section_frame(i, xi)
        columns = [ca.jacobian(rotation[:, c], self.theta_sym) for c in range(3)]
        turning = []
        for k in range(self.n_dof):
            rotation_k = ca.horzcat(*(column[:, k] for column in columns))
            turning.append(rotation @ ca.inv_skew(rotation.T @ rotation_k))
        outputs = [position, self._frame[i], ca.jacobian(position, self.theta_sym), ca.horzcat(*turning)]
        return ca.Function("section", [self.theta_sym], [ca.densify(output) for output in outputs])

    def mass_matrix(self, theta) -> np.ndarray:
        """(n_dof, n_dof): column k is the momentum dT/dtheta_d of a unit rate k, T being quadratic."""
        return np.column_stack([_vector(self._momentum_at(theta, unit)) for unit in np.eye(self.n_dof)])

    def bias(self, theta, theta_d) -> np.ndarray:
        """(n_dof,): M theta_dd + bias = generalised forces."""
        return _vector(self._bias_at(theta, theta_d))

    def inverse_dynamics(self, theta, theta_d, theta_dd) -> np.ndarray:
        """(n_dof,) generalised forces that produce theta_dd."""
        return self.mass_matrix(theta) @ np.asarray(theta_dd) + self.bias(theta, theta_d)

    def forward_dynamics(self, theta, theta_d, forces) -> np.ndarray:
        """(n_dof,) theta_dd under the generalised forces (n_dof,)."""
        return np.linalg.solve(self.mass_matrix(theta), np.asarray(forces) - self.bias(theta, theta_d))

    def energies(self, theta, theta_d) -> Energies:
        """Kinetic, gravity and strain energy [J]."""
        return Energies(*(float(energy) for energy in self._energies_at(theta, theta_d)))

    def points(self, theta) -> np.ndarray:
        """(n_links + 1, 3) [m]: O_1 .. O_{n+1}, the last one the end of the last link."""
        return self._points_at(theta).full()

    def position(self, theta, link: int, station: float) -> np.ndarray:
        """(3,) [m]: where the section of ``link`` (from 0; -1: last) at the fraction ``station`` is."""
        return _vector(self._section_at(link, float(station))(theta)[0])

    def load_forces(
        self, theta, link: int, station: float, force, moment=(0, 0, 0), frame="base"
    ) -> np.ndarray:
        """(n_dof,) generalised forces of a force and a moment on a section, from their virtual work.

        The force acts where the section is; the moment does work on the turning of the section itself (joints
        and deflection). ``frame``: axes of the components, "base" or "link" (frame i of the link).
        """
        _, R, J_position, J_turning = (part.full() for part in self._section_at(link, float(station))(theta))
        axes = R if frame == "link" else np.eye(3)
        return J_position.T @ (axes @ np.asarray(force)) + J_turning.T @ (axes @ np.asarray(moment))

    def line_forces(self, theta, link: int, first: float, last: float, density, frame="base") -> np.ndarray:
        """(n_dof,) generalised forces of a force per length (3,) [N/m] between two fractions of a link's length."""
        x, w = np.polynomial.legendre.leggauss(32)
        length = (last - first) * self.arm.links[link].length
        stations = first + (last - first) * (1 + x) / 2
        forces = [self.load_forces(theta, link, xi, density, frame=frame) for xi in stations]
        return length * w / 2 @ np.array(forces)


@cache
def oracle(arm, link_rotation: str | None = None) -> Oracle:
    """The oracle of an arm, built once a test run."""
    return Oracle(arm, link_rotation=link_rotation)


# -- rotations ----------------------------------------------------------------------------------------------


def _about_x(angle: float) -> ca.SX:
    c, s = np.cos(angle), np.sin(angle)
    return ca.SX(ca.DM([[1, 0, 0], [0, c, -s], [0, s, c]]))


def _about(axis, angle) -> ca.SX:
    """Rodrigues' rotation about a unit axis."""
    a, c, s = ca.DM(axis), ca.cos(angle), ca.sin(angle)
    return c * ca.SX.eye(3) + s * ca.skew(a) + (1 - c) * (a @ a.T)


def _about_z(angle) -> ca.SX:
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.blockcat([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _exponential(v: ca.SX) -> ca.SX:
    """exp(skew(v)) = I + a S + b S^2, with a and b as power series in |v|^2, smooth through zero."""
    square = ca.dot(v, v)
    a = _series(square, 1)  # sin|v| / |v|
    b = _series(square, 2)  # (1 - cos|v|) / |v|^2
    S = ca.skew(v)
    return ca.SX.eye(3) + a * S + b * S @ S


def _series(square: ca.SX, first: int) -> ca.SX:
    """sum_k (-square)^k / (2 k + first)!"""
    total = ca.SX(0)
    for k in reversed(range(SERIES_TERMS)):
        total = 1.0 / factorial(2 * k + first) - square * total
    return total


def _vector(value: ca.DM) -> np.ndarray:
    return value.full().ravel()

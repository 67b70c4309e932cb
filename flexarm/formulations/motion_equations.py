"""Equations of motion of one arm as functions of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from flexarm.arguments import check_name, check_object
from flexarm.catalogue import FORMULATIONS
from flexarm.codegen.counts import OperationCounts, operation_counts
from flexarm.description.arm.arm import Arm
from flexarm.formulations.derivation_cost import derivation
from flexarm.formulations.dynamics.cut_wrenches import arm_wrenches
from flexarm.formulations.dynamics.energies import energies
from flexarm.formulations.dynamics.force_balance import ForceBalance, force_balance
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.poses import poses
from flexarm.formulations.kinematics.stations import chain_points, station_position
from flexarm.formulations.methods.elastodynamics.motion_matrices import MotionMatrices
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.model.coordinates import Coordinates


class EnergyValues(NamedTuple):
    """Energies of the arm [J]; strain is that of the links and of the springs of elastic joints."""

    kinetic: float
    gravity: float
    strain: float

    @property
    def total(self) -> float:
        """Sum of all; constant for an undriven arm without damping and friction."""
        return sum(self)


class Matrices(NamedTuple):
    """Matrices of [NA04] at one state, n = n_dof; units are those of forces over those of what they multiply.

    Attributes
    ----------
    M : (n, n)
        Inertia matrix, eqs. 3 and 18.
    B : (n, n (n - 1) / 2)
        Coriolis matrix, of the products theta_d_j theta_d_m with j < m, ordered by j, then m; eq. 6.
    C : (n, n)
        Centrifugal matrix, of the squares theta_d_j^2; eq. 7.
    D : (n, n)
        Pseudo-inertia matrix of the acceleration energy, eq. 8.
    """

    M: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


class JointWrenches(NamedTuple):
    """Force (n_joints, 3) [N] and moment (n_joints, 3) [N m] on each link at its joint, from what is before it.

    The moment is about the origin of the link's frame, and both are in its axes.
    """

    force: np.ndarray
    moment: np.ndarray


class MotionEquations:
    """Equations of motion I(theta) theta_dd + bias(theta, theta_d) = [tau at joint rows, 0 elsewhere].

    Units: theta [rad, m, 1 in a quaternion], theta_d [rad/s, m/s], theta_dd [rad/s^2, m/s^2], forces [N m, N].
    Vectors are ordered as in theory, ``[q_1, delta_11, .., q_2, .., base]`` without locked joints;
    ``coordinates.labels`` names the rows. With a free base theta_d holds its velocity and angular velocity, and
    theta (n_theta,) its position and a quaternion. Wrong sizes raise ValueError.
    """

    def __init__(self, chain: Chain, formulation: str):
        self.chain = chain
        self.formulation = formulation
        self._equations = make_formulation(formulation, chain)

    @property
    def coordinates(self) -> Coordinates:
        """Layout of the coordinates: the meaning of each row of theta."""
        return self.chain.coordinates

    @property
    def n_dof(self) -> int:
        """Number of degrees of freedom."""
        return self.coordinates.n_dof

    @property
    def n_theta(self) -> int:
        """Length of theta: n_dof, one more with a free base."""
        return self.coordinates.n_theta

    def mass_matrix(self, theta: ArrayLike) -> np.ndarray:
        """Return the mass matrix I(theta), (n_dof, n_dof) [kg m^2, kg m, kg], at theta (n_theta,)."""
        return self._mass_matrix(self._vector("theta", theta)).full()

    def bias(self, theta: ArrayLike, theta_d: ArrayLike) -> np.ndarray:
        """Return gravity, stiffness, damping, friction and velocity-dependent forces, (n_dof,) [N m, N]."""
        return _flat(self._bias(self._vector("theta", theta), self._vector("theta_d", theta_d)))

    def forward_dynamics(self, theta: ArrayLike, theta_d: ArrayLike, tau: ArrayLike) -> np.ndarray:
        """Return the accelerations theta_dd, (n_dof,) [rad/s^2, m/s^2].

        Parameters
        ----------
        theta, theta_d : (n_theta,), (n_dof,)
        tau : (number of moving joints,) or (n_dof,)
            Torques of the drives [N m], or a generalised force for every coordinate.
        """
        state = self._vector("theta", theta), self._vector("theta_d", theta_d)
        return _flat(self.forward_function(*state, self._forces(tau)))

    def inverse_dynamics(self, theta: ArrayLike, theta_d: ArrayLike, theta_dd: ArrayLike) -> np.ndarray:
        """Return the generalised forces, (n_dof,) [N m, N], that give theta_dd (n_dof,)."""
        named = (("theta", theta), ("theta_d", theta_d), ("theta_dd", theta_dd))
        return _flat(self._inverse_dynamics(*(self._vector(name, value) for name, value in named)))

    def balance(self, theta: ArrayLike, theta_d: ArrayLike, theta_dd: ArrayLike) -> ForceBalance[np.ndarray]:
        """Return the generalised forces of inertia, gravity, deformation and friction, (n_dof,) [N m, N] each.

        Their sum is :meth:`inverse_dynamics`. [NA04] eq. 24.
        """
        named = (("theta", theta), ("theta_d", theta_d), ("theta_dd", theta_dd))
        values = self._balance(*(self._vector(name, value) for name, value in named))
        return ForceBalance(*(_flat(value) for value in values))

    def joint_wrenches(self, theta: ArrayLike, theta_d: ArrayLike, theta_dd: ArrayLike) -> JointWrenches:
        """Return what all joints, fixed ones too, transmit while the arm without loads moves with theta_dd (n_dof,)."""
        named = (("theta", theta), ("theta_d", theta_d), ("theta_dd", theta_dd))
        wrenches = self._joint_wrenches(*(self._vector(name, value) for name, value in named)).full().T
        return JointWrenches(wrenches[:, :3], wrenches[:, 3:])

    def matrices(self, theta: ArrayLike, theta_d: ArrayLike) -> Matrices:
        """Return M, B, C and D of [NA04] at theta (n_theta,) and theta_d (n_dof,).

        M theta_dd + B [theta_d_j theta_d_m] + C [theta_d_j^2] are the inertia forces of :meth:`balance`, and the
        acceleration energy is 1/2 theta_dd^T M theta_dd + (B [..] + C [..])^T theta_dd + 1/2 theta_d^T D theta_d.

        Raises
        ------
        ModelError
            The arm floats or stiffens: [NA04] has no such matrices.
        """
        state = self._vector("theta", theta), self._vector("theta_d", theta_d)
        return Matrices(*(np.asarray(value.full()) for value in self._matrices(*state)))

    def energies(self, theta: ArrayLike, theta_d: ArrayLike) -> EnergyValues:
        """Return kinetic, gravity and strain energy [J] at theta (n_theta,) and theta_d (n_dof,)."""
        values = self._energies(self._vector("theta", theta), self._vector("theta_d", theta_d))
        return EnergyValues(*_flat(values))

    def points(self, theta: ArrayLike) -> np.ndarray:
        """Return the positions of O_1..O_{n+1}, (n + 1, 3) [m], at theta (n_theta,); the last is the tip."""
        return self._points(self._vector("theta", theta)).full().T

    def shape(self, theta: ArrayLike, stations: int = 21) -> np.ndarray:
        """Return points along the bent axes of all links.

        Parameters
        ----------
        theta : (n_theta,) or (k, n_theta)
        stations : int
            Points along each link, both ends included.

        Returns
        -------
        (n_links, stations, 3) or (k, n_links, stations, 3) [m]
        """
        postures = np.atleast_2d(np.asarray(theta, dtype=float))
        if postures.shape[1] != self.n_theta:
            raise ValueError(f"theta: expected {self.n_theta} values per posture, got {postures.shape[1]}")
        flat = self._shape_function(stations)(postures.T).full()  # CasADi maps over columns
        shapes = flat.T.reshape(len(postures), len(self.chain.links), stations, 3)
        return shapes[0] if np.ndim(theta) == 1 else shapes

    def counts(self) -> OperationCounts:
        """Count the operations of one evaluation of theta_dd."""
        return operation_counts(self.forward_function)

    @cached_property
    def forward_function(self) -> ca.Function:
        """theta_dd as a CasADi function of (theta, theta_d, forces)."""
        return self._function(
            lambda theta, theta_d, forces: ca.cse(
                ca.densify(self._equations.accelerations(theta, theta_d, forces))
            ),
            "theta", "theta_d", "forces",
        )  # fmt: skip

    @cached_property
    def _mass_matrix(self) -> ca.Function:
        return self._function(self._equations.mass_matrix, "theta")

    @cached_property
    def _bias(self) -> ca.Function:
        return self._function(self._equations.bias, "theta", "theta_d")

    @cached_property
    def _inverse_dynamics(self) -> ca.Function:
        return self._function(self._equations.inverse_dynamics, "theta", "theta_d", "theta_dd")

    @cached_property
    def _balance(self) -> ca.Function:
        return self._functions(
            lambda theta, theta_d, theta_dd: force_balance(
                self.chain,
                theta,
                theta_d,
                self._equations.inverse_dynamics(theta, theta_d, theta_dd),
            ),
            "theta", "theta_d", "theta_dd",
        )  # fmt: skip

    @cached_property
    def _joint_wrenches(self) -> ca.Function:
        def wrenches(theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX) -> ca.SX:
            roots = arm_wrenches(self.chain, theta, theta_d, theta_dd, (), ()).roots
            return ca.horzcat(*(ca.vertcat(*roots[i]) for i in self.chain.joint_bodies))

        return self._function(wrenches, "theta", "theta_d", "theta_dd")

    @cached_property
    def _matrices(self) -> ca.Function:
        def matrices(theta: ca.SX, theta_d: ca.SX) -> list[ca.SX]:
            of = MotionMatrices(self.chain, theta)
            M = self._equations.mass_matrix(theta)
            return [M, of.coriolis(), of.centrifugal(), of.pseudo_inertia(theta_d)]

        return self._functions(matrices, "theta", "theta_d")

    @cached_property
    def _energies(self) -> ca.Function:
        def by_kind(theta: ca.SX, theta_d: ca.SX) -> ca.SX:
            found = energies(self.chain, theta, theta_d)
            return ca.vertcat(found.kinetic, found.gravity, found.strain + found.spring)

        return self._function(by_kind, "theta", "theta_d")

    @cached_property
    def _points(self) -> ca.Function:
        def points(theta: ca.SX) -> ca.SX:
            state = self._at_rest(theta)
            return chain_points(self.chain, state, chain_motion(self.chain, state))

        return self._function(points, "theta")

    def _shape_function(self, stations: int) -> ca.Function:
        def shapes(theta: ca.SX) -> ca.SX:
            state = self._at_rest(theta)
            frames = poses(chain_motion(self.chain, state))
            return ca.vertcat(
                *(
                    station_position(self.chain, frames, state, link, xi)
                    for link in range(len(self.chain.links))
                    for xi in np.linspace(0, 1, stations)
                )
            )

        return self._function(shapes, "theta")

    def _at_rest(self, theta: ca.SX) -> ChainState:
        return ChainState.of(self.chain, theta, ca.SX.zeros(self.n_dof))

    def _function(self, expression: Callable[..., ca.SX], *names: str) -> ca.Function:
        return self._functions(lambda *symbols: [expression(*symbols)], *names)

    def _functions(self, expressions: Callable[..., Sequence[ca.SX]], *names: str) -> ca.Function:
        symbols = [ca.SX.sym(name, self.n_theta if name == "theta" else self.n_dof) for name in names]
        with derivation(self.chain, self.formulation):
            return ca.Function("equations", symbols, [ca.densify(value) for value in expressions(*symbols)])

    def _vector(self, name: str, value: ArrayLike) -> np.ndarray:
        vector = np.asarray(value, dtype=float)
        labels = self.coordinates.theta_labels if name == "theta" else self.coordinates.labels
        if vector.shape != (len(labels),):
            raise ValueError(
                f"{name}: expected {len(labels)} values ({', '.join(labels)}), got shape {vector.shape}"
            )
        return vector

    def _forces(self, tau: ArrayLike) -> np.ndarray:
        vector = np.asarray(tau, dtype=float)
        rows = list(self.coordinates.driven_rows)
        if vector.shape == (len(rows),):
            forces = np.zeros(self.n_dof)
            forces[rows] = vector
            return forces
        if vector.shape == (self.n_dof,):
            return vector
        raise ValueError(
            f"tau: expected {len(rows)} joint torques or {self.n_dof} generalised forces, got shape {vector.shape}"
        )


def motion_equations(
    arm: Arm, formulation: str | None = None, link_rotation: str | None = None
) -> MotionEquations:
    """Derive the equations of motion of an arm.

    Parameters
    ----------
    arm : Arm
    formulation : str, optional
        A name of :data:`flexarm.catalogue.FORMULATIONS`; the arm's own by default.
    link_rotation : {"finite", "small"}, optional
        The arm's own by default.

    Raises
    ------
    ModelError
        A mode without inertia or stiffness.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> equations = flexarm.motion_equations(arm)
    >>> equations.mass_matrix([0.0, 0.0, 0.0, 0.0]).shape
    (4, 4)
    """
    check_object("arm", arm, Arm)
    if formulation is not None:
        check_name("formulation", formulation, FORMULATIONS)
    if link_rotation is not None:
        check_name("link_rotation", link_rotation, ("finite", "small"))
        arm = arm.model_copy(update={"link_rotation": link_rotation})
    return MotionEquations(build_chain(arm), formulation or arm.run.formulation)


def _flat(value: ca.DM) -> np.ndarray:
    return value.full().ravel(order="F")

"""One arm in motion as functions of (t, y, p, u): its state equation and everything that is recorded of it.

Both functions are compiled. u are the values of the description's tables at t.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.codegen.hoisting import ParametricFunction
from flexarm.codegen.native import state_jacobian
from flexarm.codegen.signals import TimeSignal
from flexarm.formulations.base import formulation as make_formulation
from flexarm.formulations.energies import energies
from flexarm.formulations.kinematics import (
    State,
    chain_points,
    deflection,
    motion,
    section_rotation,
    split,
    theta_rate,
)
from flexarm.formulations.momentum import momentum
from flexarm.formulations.newton_euler import joint_and_modal_forces
from flexarm.model.chain import Chain, build_chain
from flexarm.model.coordinates import Coordinates
from flexarm.simulation.drive import Actions, Push, actions, prescribed_motion
from flexarm.simulation.signals import Signals
from flexarm.spec.arm import Arm

NOTHING = ca.SX.zeros(0)

STATIONS = (0.5, 1.0)
"""Fractions of a link's length at which its deflection is recorded: [GA09] figures 8 to 15."""


@dataclass(frozen=True)
class Unknowns:
    """What is integrated: the state is ``y = [theta[theta_rows], theta_d[rows]]``; the rest is prescribed.

    Attributes
    ----------
    theta_rows, rows : list of int
    """

    theta_rows: list[int]
    rows: list[int]

    @classmethod
    def besides(cls, layout: Coordinates, prescribed: Container[int]) -> Unknowns:
        """All coordinates but those of the rows of prescribed joints."""
        theta_rows = [row for row in range(layout.n_theta) if row not in prescribed]
        return cls(theta_rows, [row for row in range(layout.n_dof) if row not in prescribed])

    @property
    def size(self) -> int:
        """Length of y."""
        return len(self.theta_rows) + len(self.rows)

    def state(self, theta: np.ndarray, theta_d: np.ndarray) -> np.ndarray:
        """Pick y from theta (n_theta,) and theta_d (n_dof,)."""
        return np.concatenate([theta[self.theta_rows], theta_d[self.rows]])


class Touching(NamedTuple):
    """Forces between points and walls, unknown (n_walls, n_points) [N], and the pushes that they are."""

    forces: ca.SX
    pushes: Sequence[Push]


class Recorded(NamedTuple):
    """A recorded quantity: where it stands in the observables' vector and what shape it has."""

    columns: slice
    shape: tuple[int, ...]


@dataclass(frozen=True)
class System:
    """An arm with its drives and loads, derived and ready to compile.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    unknowns : Unknowns
    rhs : casadi.Function
        (t, y, p, u) -> y_d.
    observables : casadi.Function
        (t, y, p, u) -> one vector of all recorded quantities; with walls their forces follow y.
    recorded : dict
        Dataset name -> :class:`Recorded`.
    signals : list of TimeSignal
    n_parameters : int
        Length of p: numbers of the arm that were left open, see :class:`~flexarm.simulation.family.Family`.
    """

    arm: Arm
    chain: Chain
    unknowns: Unknowns
    rhs: ca.Function
    observables: ca.Function
    recorded: dict[str, Recorded]
    signals: list[TimeSignal]
    n_parameters: int = 0

    @cached_property
    def native_rhs(self) -> ParametricFunction:
        """The state equation as machine code."""
        return self._native(self.rhs)

    @cached_property
    def native_jacobian(self) -> ParametricFunction:
        """Its exact Jacobian with respect to y as machine code."""
        return self._native(state_jacobian(self.rhs))

    @cached_property
    def native_observables(self) -> ParametricFunction:
        """The recorded quantities as machine code."""
        return self._native(self.observables)

    def observe(self, times: np.ndarray, states: np.ndarray, parameters: np.ndarray) -> dict[str, np.ndarray]:
        """Record all quantities at times (k,) and states (k, n_y): name -> array with k rows."""
        f, p = self.native_observables.at(parameters)
        return unpacked(f.map(times, states, p), self.recorded)

    def _native(self, f: ca.Function) -> ParametricFunction:
        return ParametricFunction(f, self.n_parameters, self.signals)


@dataclass(frozen=True)
class Derivation:
    """The symbols of an arm in motion, from which its functions are made.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    signals : Signals
        Time, and the tables met so far.
    unknowns : Unknowns
    y : SX (n_y,)
    theta, theta_d : SX (n_theta,), (n_dof,)
        In terms of t and y.
    known : dict
        Accelerations of the prescribed joints, by row.
    parameters : SX
        Symbols in the place of numbers of the arm and the chain.
    """

    arm: Arm
    chain: Chain
    signals: Signals
    unknowns: Unknowns
    y: ca.SX
    theta: ca.SX
    theta_d: ca.SX
    known: dict[int, ca.SX]
    parameters: ca.SX

    @classmethod
    def of(cls, arm: Arm, chain: Chain | None = None, parameters: ca.SX = NOTHING) -> Derivation:
        """Lay out the state of an arm; `parameters` are symbols in the place of some of its and its chain's numbers."""
        chain, signals = chain or build_chain(arm), Signals(ca.SX.sym("t"))
        layout = chain.coordinates
        prescribed = prescribed_motion(arm, chain, signals)
        unknowns = Unknowns.besides(layout, prescribed)
        y = ca.SX.sym("y", unknowns.size)
        theta, theta_d = ca.SX.zeros(layout.n_theta), ca.SX.zeros(layout.n_dof)
        theta[unknowns.theta_rows], theta_d[unknowns.rows] = ca.vertsplit(
            y, [0, len(unknowns.theta_rows), unknowns.size]
        )
        for row, (q, q_d, _) in prescribed.items():
            theta[row], theta_d[row] = q, q_d
        known = {row: q_dd for row, (_, _, q_dd) in prescribed.items()}
        return cls(arm, chain, signals, unknowns, y, theta, theta_d, known, parameters)

    def actions(self, pushes: Sequence[Push] = ()) -> Actions:
        """Everything that acts on the arm."""
        return actions(self.arm, self.chain, self.signals, self.theta, self.theta_d, pushes)

    def accelerations(self, acting: Actions) -> ca.SX:
        """theta_dd (n_dof,) under these actions, by the formulation that the arm asks for."""
        return make_formulation(self.arm.run.formulation).accelerations(
            self.chain, self.theta, self.theta_d, acting.forces(self.chain), self.known
        )

    def y_rate(self, theta_dd: ca.SX) -> ca.SX:
        """Time derivative of y (n_y,)."""
        theta_rates = theta_rate(self.chain, self.theta, self.theta_d)
        return ca.vertcat(theta_rates[self.unknowns.theta_rows], theta_dd[self.unknowns.rows])

    def function(self, name: str, value: ca.SX, beyond: ca.SX = NOTHING, p: ca.SX = NOTHING) -> ca.Function:
        """(t, [y, beyond], [p, parameters], u) -> value; to be made once all signals have been met."""
        inputs = [
            self.signals.t,
            ca.vertcat(self.y, beyond),
            ca.vertcat(p, self.parameters),
            self.signals.u,
        ]
        return ca.Function(name, inputs, [ca.cse(ca.densify(value))])


def derive_system(derived: Derivation, touching: Touching | None = None) -> System:
    """Derive the state equation and the observables of an arm.

    Parameters
    ----------
    derived : Derivation
    touching : Touching, optional
        Forces of walls: unknowns of the observables besides y, without which the state equation is.
    """
    arm, chain = derived.arm, derived.chain
    acting = derived.actions()
    theta_dd = derived.accelerations(acting)
    rates = derived.y_rate(theta_dd)
    if touching is not None:
        acting = derived.actions(touching.pushes)
        theta_dd = derived.accelerations(acting)
    values = quantities(chain, acting, derived.known, derived.theta, derived.theta_d, theta_dd)
    values |= of_the_formulation(arm, chain, derived.theta, derived.theta_d, theta_dd)
    if arm.base != "fixed":
        values |= _of_the_base(derived)
    if touching is not None:
        values["contact_force"] = touching.forces, touching.forces.shape[::-1]
    vector, recorded = packed(values)
    forces = NOTHING if touching is None else ca.vec(touching.forces)
    return System(
        arm,
        chain,
        derived.unknowns,
        rhs=derived.function("rhs", rates),
        observables=derived.function("observables", vector, forces),
        recorded=recorded,
        signals=derived.signals.tables,
        n_parameters=derived.parameters.numel(),
    )


def of_the_formulation(
    arm: Arm, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
    """What only the arm's formulation adds to the record, as :func:`quantities` gives the rest."""
    extra = make_formulation(arm.run.formulation).extra_quantities(chain, theta, theta_d, theta_dd)
    return {name: (value, ()) for name, value in extra.items()}


def _of_the_base(derived: Derivation) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
    """What is recorded of a base that floats, and of the arm's momentum."""
    layout, chain = derived.chain.coordinates, derived.chain
    position, speed = derived.theta[list(layout.base_theta)], derived.theta_d[list(layout.base)]
    moving = momentum(chain, derived.theta, derived.theta_d)
    values = {
        "base_position": (ca.vertcat(position, 0) if derived.arm.base == "planar" else position[:3], (3,)),
        "base_velocity": (ca.vertcat(speed, 0) if derived.arm.base == "planar" else speed[:3], (3,)),
        "momentum": (moving.linear, (3,)),
        "angular_momentum": (moving.angular, (3,)),
        "mass_centre": (moving.mass_centre, (3,)),
    }
    if derived.arm.base == "free":
        values["base_orientation"] = position[3:] / ca.norm_2(position[3:]), (4,)
        values["base_angular_velocity"] = speed[3:], (3,)
    return values


def unpacked(values: np.ndarray, recorded: dict[str, Recorded]) -> dict[str, np.ndarray]:
    """Take quantities apart that :func:`packed` put together, for many times: (k, n) -> name -> (k, ..)."""
    return {
        name: values[:, columns].reshape(len(values), *shape) for name, (columns, shape) in recorded.items()
    }


def packed(values: dict[str, tuple[ca.SX, tuple[int, ...]]]) -> tuple[ca.SX, dict[str, Recorded]]:
    """Put quantities one after the other into a vector, and say where each of them is."""
    recorded: dict[str, Recorded] = {}
    start = 0
    for name, (value, shape) in values.items():
        stop = start + value.numel()
        recorded[name] = Recorded(slice(start, stop), shape)
        start = stop
    return ca.vertcat(*(ca.vec(value) for value, _ in values.values())), recorded


def quantities(
    chain: Chain, acting: Actions, known: Container[int], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
    """Every dataset of a run but its time: expression (columns vary slowest) and shape."""
    n, m = len(chain.links), len(chain.coordinates.all_modes)
    state = State.of(chain, theta, theta_d)
    motions = motion(chain, state)
    points = chain_points(chain, state, motions)
    velocities = point_velocities(chain, theta, theta_d)
    here = energies(chain, theta, theta_d)
    links = list(zip(chain.links, chain.flexible_links, strict=True))
    stations = [(link, state.delta[i], xi) for i, link in links for xi in STATIONS]
    modes = list(chain.coordinates.all_modes)
    return {
        "joint_angle": (ca.vertcat(*(state.q[i] for i in chain.links)), (n,)),
        "joint_velocity": (ca.vertcat(*(state.q_d[i] for i in chain.links)), (n,)),
        "joint_acceleration": (ca.vertcat(*(split(chain, theta_dd)[0][i] for i in chain.links)), (n,)),
        "mode_amplitude": (theta[modes], (m,)),
        "mode_velocity": (theta_d[modes], (m,)),
        "mode_acceleration": (theta_dd[modes], (m,)),
        "point_position": (points, (n + 1, 3)),
        "point_velocity": (velocities, (n + 1, 3)),
        "link_deflection": (
            ca.horzcat(*(deflection(*station) for station in stations)),
            (n, len(STATIONS), 3),
        ),
        "link_rotation": (
            ca.horzcat(*(section_rotation(*station) for station in stations)),
            (n, len(STATIONS), 3),
        ),
        "torque": (_joint_torques(chain, acting, known, theta, theta_d, theta_dd), (n,)),
        "energy_kinetic": (here.kinetic, ()),
        "energy_gravity": (here.gravity, ()),
        "energy_strain": (here.strain, ()),
        "energy_total": (here.kinetic + here.gravity + here.strain, ()),
    }


def point_velocities(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Velocities of O_1..O_{n+1} in the base frame, (3, n + 1) [m/s], as derivatives of their positions."""
    at, along = ca.SX.sym("theta", theta.numel()), ca.SX.sym("theta_d", theta_d.numel())
    state = State.of(chain, at, along)
    points = chain_points(chain, state, motion(chain, state))
    rates = ca.jtimes(points, at, theta_rate(chain, at, along))
    return ca.substitute(rates, ca.vertcat(at, along), ca.vertcat(theta, theta_d))


def _joint_torques(
    chain: Chain, acting: Actions, known: Container[int], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> ca.SX:
    """Drive torque of the joints that move freely, what it takes at those that are locked or prescribed."""
    rows = [chain.rows[i].joint for i in chain.links]
    driven = [row is not None and row not in known for row in rows]
    if all(driven):
        return ca.vertcat(*(acting.torques[i] for i in chain.links))
    needed, _ = joint_and_modal_forces(chain, theta, theta_d, theta_dd)
    return ca.vertcat(
        *(
            acting.torques[i] if drives else needed[i] - acting.load_torques[i]
            for i, drives in zip(chain.links, driven, strict=True)
        )
    )

"""One arm in motion as functions of (t, y, p, u): its state equation and everything that is recorded of it.

Both functions are compiled. u are the values of the description's tables at t.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native, state_jacobian
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
from flexarm.formulations.newton_euler import joint_and_modal_forces
from flexarm.model.chain import Chain, build_chain
from flexarm.model.coordinates import Coordinates
from flexarm.simulation.drive import Actions, actions, prescribed_motion
from flexarm.simulation.signals import Signals
from flexarm.spec.arm import Arm

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
        (t, y, p, u) -> one vector of all recorded quantities.
    recorded : dict
        Dataset name -> :class:`Recorded`.
    signals : list of TimeSignal
    """

    arm: Arm
    chain: Chain
    unknowns: Unknowns
    rhs: ca.Function
    observables: ca.Function
    recorded: dict[str, Recorded]
    signals: list[TimeSignal]

    @cached_property
    def native_rhs(self) -> NativeFunction:
        """The state equation as machine code."""
        return compile_native(self.rhs, self.signals)

    @cached_property
    def native_jacobian(self) -> NativeFunction:
        """Its exact Jacobian with respect to y as machine code."""
        return compile_native(state_jacobian(self.rhs), self.signals)

    @cached_property
    def native_observables(self) -> NativeFunction:
        """The recorded quantities as machine code."""
        return compile_native(self.observables, self.signals)

    def observe(self, times: np.ndarray, states: np.ndarray) -> dict[str, np.ndarray]:
        """Record all quantities at times (k,) and states (k, n_y): name -> array with k rows."""
        values = self.native_observables.map(times, states)
        return unpacked(values, self.recorded)


def derive_system(arm: Arm) -> System:
    """Derive the state equation and the observables of an arm with the formulation it asks for."""
    chain = build_chain(arm)
    layout = chain.coordinates
    signals = Signals(ca.SX.sym("t"))
    prescribed = prescribed_motion(arm, chain, signals)
    unknowns = Unknowns.besides(layout, prescribed)
    y = ca.SX.sym("y", unknowns.size)
    theta, theta_d = ca.SX.zeros(layout.n_theta), ca.SX.zeros(layout.n_dof)
    theta[unknowns.theta_rows], theta_d[unknowns.rows] = ca.vertsplit(
        y, [0, len(unknowns.theta_rows), unknowns.size]
    )
    for row, (q, q_d, _) in prescribed.items():
        theta[row], theta_d[row] = q, q_d

    acting = actions(arm, chain, signals, theta, theta_d)
    inputs = [signals.t, y, ca.SX.sym("p", 0), signals.u]
    known = {row: q_dd for row, (_, _, q_dd) in prescribed.items()}
    theta_dd = make_formulation(arm.run.formulation).accelerations(
        chain, theta, theta_d, acting.forces(chain), known
    )
    y_d = ca.vertcat(theta_rate(chain, theta, theta_d)[unknowns.theta_rows], theta_dd[unknowns.rows])
    rhs = ca.Function("rhs", inputs, [ca.cse(ca.densify(y_d))])

    vector, recorded = packed(quantities(chain, acting, known, theta, theta_d, theta_dd))
    observables = ca.Function("observables", inputs, [ca.cse(ca.densify(vector))])
    return System(arm, chain, unknowns, rhs, observables, recorded, signals.tables)


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
    return ca.Function("velocities", [at, along], [rates])(theta, theta_d)


def _joint_torques(
    chain: Chain, acting: Actions, known: Container[int], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> ca.SX:
    """Drive torque of the joints that move freely, what it takes at those that are locked or prescribed."""
    driven = [chain.rows[i].joint is not None and chain.rows[i].joint not in known for i in chain.links]
    if all(driven):
        return ca.vertcat(*(acting.torques[i] for i in chain.links))
    needed, _ = joint_and_modal_forces(chain, theta, theta_d, theta_dd)
    return ca.vertcat(
        *(
            acting.torques[i] if drives else needed[i] - acting.load_torques[i]
            for i, drives in zip(chain.links, driven, strict=True)
        )
    )

"""One arm in motion as functions of (t, y, p, u): its state equation and everything that is recorded of it.

The state is ``y = [theta, theta_d]``; u are the values of the drive tables at t. Both functions are compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native, state_jacobian
from flexarm.codegen.signals import TimeSignal
from flexarm.formulations.base import formulation as make_formulation
from flexarm.formulations.energies import energies
from flexarm.formulations.kinematics import State, chain_points, deflection, motion, section_rotation
from flexarm.formulations.newton_euler import joint_and_modal_forces
from flexarm.model.chain import Chain, build_chain
from flexarm.simulation.drive import Actions, actions
from flexarm.spec.arm import Arm

STATIONS = (0.5, 1.0)
"""Fractions of a link's length at which its deflection is recorded: [GA09] figures 8 to 15."""


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
        """Record all quantities at times (k,) and states (k, 2 n_dof): name -> array with k rows."""
        values = self.native_observables.map(times, states)
        return {
            name: values[:, columns].reshape(len(times), *shape)
            for name, (columns, shape) in self.recorded.items()
        }


def derive_system(arm: Arm) -> System:
    """Derive the state equation and the observables of an arm with the formulation it asks for."""
    chain = build_chain(arm)
    n = chain.coordinates.n_dof
    t, y = ca.SX.sym("t"), ca.SX.sym("y", 2 * n)
    theta, theta_d = y[:n], y[n:]
    acting = actions(arm, chain, t, theta, theta_d)
    inputs = [t, y, ca.SX.sym("p", 0), acting.u]
    theta_dd = make_formulation(arm.run.formulation).accelerations(chain, theta, theta_d, acting.forces(chain))
    rhs = ca.Function("rhs", inputs, [ca.cse(ca.densify(ca.vertcat(theta_d, theta_dd)))])

    accelerations = ca.SX.sym("theta_dd", n)
    quantities = _quantities(chain, acting, theta, theta_d, accelerations)
    recorded: dict[str, Recorded] = {}
    columns: list[ca.SX] = []
    start = 0
    for name, (value, shape) in quantities.items():
        stop = start + value.numel()
        recorded[name] = Recorded(slice(start, stop), shape)
        columns.append(ca.vec(value))
        start = stop
    # theta_dd enters by substitution so that it is computed once
    vector = ca.substitute(ca.vertcat(*columns), accelerations, theta_dd)
    observables = ca.Function("observables", inputs, [ca.cse(ca.densify(vector))])
    return System(arm, chain, rhs, observables, recorded, acting.signals)


def _quantities(
    chain: Chain, acting: Actions, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
    """Every dataset of a run but its time: expression (columns vary slowest) and shape."""
    n, m = chain.n_links, len(chain.coordinates.all_modes)
    state = State.of(chain, theta, theta_d)
    motions = motion(chain, state)
    points = chain_points(chain, state, motions)
    velocities = ca.jtimes(points, theta, theta_d)
    here = energies(chain, theta, theta_d)
    at_stations = [(i, xi) for i in range(n) for xi in STATIONS]
    links = [body.link for body in chain.links]
    modes = list(chain.coordinates.all_modes)
    return {
        "joint_angle": (ca.vertcat(*state.q[:n]), (n,)),
        "joint_velocity": (ca.vertcat(*state.q_d[:n]), (n,)),
        "joint_acceleration": (_per_joint(chain, theta_dd), (n,)),
        "mode_amplitude": (theta[modes], (m,)),
        "mode_velocity": (theta_d[modes], (m,)),
        "mode_acceleration": (theta_dd[modes], (m,)),
        "point_position": (points, (n + 1, 3)),
        "point_velocity": (velocities, (n + 1, 3)),
        "link_deflection": (
            ca.horzcat(*(deflection(links[i], state.delta[i], xi) for i, xi in at_stations)),
            (n, len(STATIONS), 3),
        ),
        "link_rotation": (
            ca.horzcat(*(section_rotation(links[i], state.delta[i], xi) for i, xi in at_stations)),
            (n, len(STATIONS), 3),
        ),
        "torque": (_joint_torques(chain, acting, theta, theta_d, theta_dd), (n,)),
        "energy_kinetic": (here.kinetic, ()),
        "energy_gravity": (here.gravity, ()),
        "energy_strain": (here.strain, ()),
        "energy_total": (here.kinetic + here.gravity + here.strain, ()),
    }


def _per_joint(chain: Chain, vector: ca.SX) -> ca.SX:
    """One entry per link's joint; zero where it is locked."""
    rows = chain.coordinates.joints[: chain.n_links]
    return ca.vertcat(*(ca.SX(0) if row is None else vector[row] for row in rows))


def _joint_torques(
    chain: Chain, acting: Actions, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> ca.SX:
    """Drive torque of the joints that move, reaction about the axis of those that are locked."""
    if all(body.joint.moves for body in chain.links):
        return ca.vertcat(*acting.torques)
    needed, _ = joint_and_modal_forces(chain, theta, theta_d, theta_dd)
    return ca.vertcat(
        *(
            acting.torques[i] if body.joint.moves else needed[i] - acting.load_torques[i]
            for i, body in enumerate(chain.links)
        )
    )

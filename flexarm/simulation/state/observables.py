"""What is recorded of an arm in motion, as expressions: every dataset of a run but its time."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.formulations.assembly import split
from flexarm.formulations.dynamics.energies import energies
from flexarm.formulations.dynamics.momentum import momentum
from flexarm.formulations.dynamics.newton_euler import joint_and_modal_forces
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_motion import motion
from flexarm.formulations.kinematics.chain_state import State, theta_rate
from flexarm.formulations.kinematics.link_motion import deflection, section_rotation
from flexarm.formulations.kinematics.poses import chain_points
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import AppliedForces
from flexarm.simulation.state.symbols import SymbolicState

STATIONS = (0.5, 1.0)
"""Fractions of a link's length at which its deflection is recorded: [GA09] figures 8 to 15."""


class Recorded(NamedTuple):
    """A recorded quantity: where it stands in the observables' vector and what shape it has."""

    columns: slice
    shape: tuple[int, ...]


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
    chain: Chain, acting: AppliedForces, known: Container[int], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
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
    return ca.substitute(rates, ca.vertcat(at, along), ca.densify(ca.vertcat(theta, theta_d)))


def _joint_torques(
    chain: Chain, acting: AppliedForces, known: Container[int], theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
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


def of_the_formulation(
    arm: Arm, chain: Chain, theta: ca.SX, theta_d: ca.SX, theta_dd: ca.SX
) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
    """What only the arm's formulation adds to the record, as :func:`quantities` gives the rest."""
    extra = make_formulation(arm.run.formulation).extra_observables(chain, theta, theta_d, theta_dd)
    return {name: (value, ()) for name, value in extra.items()}


def of_the_base(derived: SymbolicState) -> dict[str, tuple[ca.SX, tuple[int, ...]]]:
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

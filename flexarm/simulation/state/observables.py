"""Observables of an arm in motion, as expressions: every dataset of a run but its time.

Forward dynamics, inverse dynamics and the analysis of postures all record by :class:`Observables`; they differ in what
their expressions are functions of, and in how these are evaluated.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.formulations.assembly import assemble, split
from flexarm.formulations.dynamics.cut_wrenches import ArmWrenches, arm_wrenches
from flexarm.formulations.dynamics.energies import energies
from flexarm.formulations.dynamics.force_balance import force_balance
from flexarm.formulations.dynamics.joint_springs import spring_energy, spring_motions
from flexarm.formulations.dynamics.link_loads import LinkLoad
from flexarm.formulations.dynamics.momentum import momentum
from flexarm.formulations.dynamics.newton_euler import Wrench, joint_and_modal_forces
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState, theta_rate
from flexarm.formulations.kinematics.poses import poses
from flexarm.formulations.kinematics.stations import chain_points, deflection, section_rotation
from flexarm.formulations.methods.elastodynamics.energy_derivatives import acceleration_energy
from flexarm.model.chain import Chain
from flexarm.results.dimensions import STATIONS
from flexarm.results.schema import FURTHER_DATASETS, SENSOR_DATASETS, TORQUE_PARTS
from flexarm.simulation.forces.applied_forces import AppliedForces
from flexarm.simulation.state.places import Place, datasets_in
from flexarm.simulation.state.sensor_observables import sensor_observables
from flexarm.simulation.state.soft_wall_observables import soft_wall_observables

Quantities = dict[str, tuple[ca.SX, tuple[int, ...]]]
"""Dataset -> expression (columns vary slowest) and shape."""
NOTHING_FURTHER: Quantities = {}


class SymbolicMotion(NamedTuple):
    """Motion of an arm: theta (n_theta,), theta_d (n_dof,), theta_dd (n_dof,)."""

    theta: ca.SX
    theta_d: ca.SX
    theta_dd: ca.SX


@dataclass(frozen=True)
class Observables:
    """Recorded quantities, one after the other in a vector.

    Attributes
    ----------
    vector : SX (n,)
    places : dict
        Dataset -> :class:`Place`.
    """

    vector: ca.SX
    places: dict[str, Place]

    @classmethod
    def of(
        cls,
        arm: Arm,
        chain: Chain,
        moving: SymbolicMotion,
        applied: AppliedForces,
        prescribed: Container[int],
        further: Mapping[str, tuple[ca.SX, tuple[int, ...]]] = NOTHING_FURTHER,
        datasets: Collection[str] | None = None,
    ) -> Observables:
        """Express all datasets of an arm in motion, or those that are named.

        Parameters
        ----------
        arm : Arm
        chain : Chain
        moving : SymbolicMotion
        applied : AppliedForces
        prescribed : container of int
            Rows of the joints whose torques are those that the motion takes; the torques of others are their drives'.
        further : mapping, optional
            Datasets of contacts, and their expressions and shapes.
        datasets : collection of str, optional
        """
        values = _of_the_links(arm, chain, moving, applied, prescribed)
        if arm.base != "fixed":
            values |= _of_the_base(arm, chain, moving)
        if any(drive is not None and drive.is_combined for drive in arm.drive):
            values |= _torque_parts(applied)
        if chain.springs:
            values |= _of_the_springs(chain, moving)
        if "generalised_forces" in arm.run.record:
            values |= _generalised_forces(arm, chain, moving, applied, values["torque"][0])
        if "acceleration_energy" in arm.run.record:
            values["energy_acceleration"] = acceleration_energy(chain, *moving), ()
        asked = FURTHER_DATASETS["loads"] if datasets is None else datasets
        if "loads" in arm.run.record and not set(FURTHER_DATASETS["loads"]).isdisjoint(asked):
            values |= _of_the_cuts(arm, chain, moving, applied.loads)
        values |= further
        if applied.soft is not None:
            values |= soft_wall_observables(arm, applied.soft, values)
            values["energy_total"] = values["energy_total"][0] + values["energy_contact"][0], ()
        asked = SENSOR_DATASETS if datasets is None else datasets
        if arm.sensors and not set(SENSOR_DATASETS).isdisjoint(asked):
            values = {**sensor_observables(arm, chain, moving, values), **values}  # readings may be held
        places: dict[str, Place] = {}
        parts, start = [], 0
        for name, (value, shape) in values.items():
            if datasets is None or name in datasets:
                parts.append(ca.vec(value))
                places[name] = Place(slice(start, start + value.numel()), shape)
                start += value.numel()
        return cls(ca.vertcat(*parts), places)

    def datasets(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """Datasets by name, each (k, ..) in the unit of the schema, from values of the vector at k times, (k, n)."""
        return datasets_in(values, self.places)


def point_velocities(chain: Chain, theta: ca.SX, theta_d: ca.SX) -> ca.SX:
    """Velocities of O_1..O_{n+1} in the base frame, (3, n + 1) [m/s], as derivatives of their positions."""
    at, along = ca.SX.sym("theta", theta.numel()), ca.SX.sym("theta_d", theta_d.numel())
    state = ChainState.of(chain, at, along)
    points = chain_points(chain, state, chain_motion(chain, state))
    rates = ca.jtimes(points, at, theta_rate(chain, at, along))
    return ca.substitute(rates, ca.vertcat(at, along), ca.densify(ca.vertcat(theta, theta_d)))


def _of_the_links(
    arm: Arm, chain: Chain, moving: SymbolicMotion, applied: AppliedForces, prescribed: Container[int]
) -> Quantities:
    """Observables of every arm: coordinates, points, deflections, torques, energies."""
    theta, theta_d, theta_dd = moving
    n, m = len(chain.links), len(chain.coordinates.all_modes)
    state = ChainState.of(chain, theta, theta_d)
    points = chain_points(chain, state, chain_motion(chain, state))
    velocities = point_velocities(chain, theta, theta_d)
    energy = energies(chain, theta, theta_d)
    stations = [(chain, state, link, xi) for link in range(n) for xi in STATIONS]
    modes = list(chain.coordinates.all_modes)
    return {
        "joint_angle": (ca.vertcat(*(state.q[i] for i in chain.joint_bodies)), (n,)),
        "joint_velocity": (ca.vertcat(*(state.q_d[i] for i in chain.joint_bodies)), (n,)),
        "joint_acceleration": (ca.vertcat(*(split(chain, theta_dd)[0][i] for i in chain.joint_bodies)), (n,)),
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
        "torque": (_joint_torques(arm, chain, moving, applied, prescribed), (n,)),
        "energy_kinetic": (energy.kinetic, ()),
        "energy_gravity": (energy.gravity, ()),
        "energy_strain": (energy.strain, ()),
        "energy_total": (sum(energy, ca.SX(0)), ()),
    }


def _joint_torques(
    arm: Arm, chain: Chain, moving: SymbolicMotion, applied: AppliedForces, prescribed: Container[int]
) -> ca.SX:
    """Drive torque of the joints that move freely, what it takes at those that are locked or prescribed.

    What it takes is said by the arm's formulation; a locked joint, which has no equation there, is held by what bodies
    that turn as rotations do take.
    """
    rows = chain.coordinates.driven
    torques = [applied.torques[i] for i in chain.joint_bodies]
    if None in rows:
        needed, _ = joint_and_modal_forces(chain, *moving)
        for k, i in enumerate(chain.joint_bodies):
            torques[k] = needed[i] - applied.load_torques[i] if rows[k] is None else torques[k]
    if any(row in prescribed for row in rows if row is not None):
        needed = make_formulation(arm.run.formulation, chain).inverse_dynamics(*moving)
        for k, (i, row) in enumerate(zip(chain.joint_bodies, rows, strict=True)):
            if row is not None and row in prescribed:
                on_motor = chain.coordinates.motors[k] is not None
                torques[k] = needed[row] if on_motor else needed[row] - applied.load_torques[i]
                torques[k] -= 0 if applied.dry_friction is None else applied.dry_friction[k]
    return ca.vertcat(*torques)


def _torque_parts(applied: AppliedForces) -> Quantities:
    """Parts of the torques of drives: those that any of the drives has."""
    return {
        f"torque_{name}": (
            ca.vertcat(*(drive.parts.get(name, ca.SX(0)) for drive in applied.drives)),
            (len(applied.drives),),
        )
        for name in TORQUE_PARTS
        if any(name in drive.parts for drive in applied.drives)
    }


def _generalised_forces(
    arm: Arm, chain: Chain, moving: SymbolicMotion, applied: AppliedForces, torques: ca.SX
) -> Quantities:
    """Generalised forces of the arm, and those of drives and loads, which are equal to their sum."""
    n = chain.coordinates.n_dof
    drive = ca.SX.zeros(n)
    for i, row in enumerate(chain.coordinates.driven):
        if row is not None:
            drive[row] = torques[i]
    load = assemble(chain, applied.load_torques, applied.load_modes)
    total = make_formulation(arm.run.formulation, chain).inverse_dynamics(*moving)
    balance = force_balance(chain, moving.theta, moving.theta_d, total)
    terms = {**balance._asdict(), "drive": drive, "load": load}
    terms["friction"] = balance.friction - applied.friction(chain)
    return {f"force_{name}": (value, (n,)) for name, value in terms.items()}


def _of_the_cuts(arm: Arm, chain: Chain, moving: SymbolicMotion, loads: Sequence[LinkLoad]) -> Quantities:
    """What joints transmit, and forces and moments in sections of the links, at the stations of the run."""
    n, stations = len(chain.links), arm.run.load_stations
    cuts = [chain.station(link, xi) for link in range(n) for xi in stations]
    wrenches = arm_wrenches(chain, *moving, loads, cuts)
    forces, moments = joint_wrenches(arm, chain, wrenches)
    return {
        "joint_force": (forces, (n, 3)),
        "joint_moment": (moments, (n, 3)),
        "section_force": (ca.horzcat(*(wrench.f for wrench in wrenches.cuts)), (n, len(stations), 3)),
        "section_moment": (ca.horzcat(*(wrench.n for wrench in wrenches.cuts)), (n, len(stations), 3)),
    }


def joint_wrenches(arm: Arm, chain: Chain, wrenches: ArmWrenches) -> tuple[ca.SX, ca.SX]:
    """Forces and moments of the joints on their links, (3, n) each, in the axes that the run asks for."""
    joints = [wrenches.roots[i] for i in chain.joint_bodies]
    if arm.run.reaction_frame == "base":
        frames = poses(wrenches.motions)
        turns = [frames[i].R for i in chain.joint_bodies]
        joints = [Wrench(R @ wrench.f, R @ wrench.n) for R, wrench in zip(turns, joints, strict=True)]
    return ca.horzcat(*(wrench.f for wrench in joints)), ca.horzcat(*(wrench.n for wrench in joints))


def _of_the_springs(chain: Chain, moving: SymbolicMotion) -> Quantities:
    """Observables of joint springs, and of the motors of elastic joints; a stiff joint's motor moves with the joint."""
    n, layout = len(chain.links), chain.coordinates
    motors: Quantities = {}
    for name, vector, locked in (
        ("motor_angle", moving.theta, [chain.bodies[i].joint.locked_at for i in chain.joint_bodies]),
        ("motor_velocity", moving.theta_d, [0.0] * n),
        ("motor_acceleration", moving.theta_dd, [0.0] * n),
    ):
        entries = [at if row is None else vector[row] for row, at in zip(layout.driven, locked, strict=True)]
        motors[name] = ca.vertcat(*map(ca.SX, entries)), (n,)
    torques = ca.SX.zeros(n)
    for spring in spring_motions(chain, moving.theta, moving.theta_d):
        torques[spring.spring.joint] = spring.torque
    energy = spring_energy(chain, moving.theta)
    return {
        **(motors if layout.moving_motors else {}),
        "spring_torque": (torques, (n,)),
        "energy_spring": (energy, ()),
    }


def _of_the_base(arm: Arm, chain: Chain, moving: SymbolicMotion) -> Quantities:
    """Observables of a floating base, and the momentum of the arm."""
    position, speed = (
        moving.theta[list(chain.coordinates.base_theta)],
        moving.theta_d[list(chain.coordinates.base)],
    )
    total = momentum(chain, moving.theta, moving.theta_d)
    planar = arm.base == "planar"
    values: Quantities = {
        "base_position": (ca.vertcat(position[:2], 0) if planar else position[:3], (3,)),
        "base_velocity": (ca.vertcat(speed[:2], 0) if planar else speed[:3], (3,)),
        "momentum": (total.linear, (3,)),
        "angular_momentum": (total.angular, (3,)),
        "mass_centre": (total.mass_centre, (3,)),
    }
    if arm.base == "free":
        values["base_orientation"] = position[3:] / ca.norm_2(position[3:]), (4,)
        values["base_angular_velocity"] = speed[3:], (3,)
    elif arm.base_body is not None:
        half = position[2] / 2
        values["base_orientation"] = ca.vertcat(ca.cos(half), 0, 0, ca.sin(half)), (4,)
        values["base_angular_velocity"] = ca.vertcat(0, 0, speed[2]), (3,)
    return values

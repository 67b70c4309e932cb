"""Impulses that the joints of an arm transmit in impacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import casadi as ca
import numpy as np

from flexarm.codegen.native_function import LEAST_OPTIMISATION, BoundFunction
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.formulations.dynamics.cut_wrenches import arm_wrenches
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.simulation.contact.gaps.gap_functions import WALL_DATASETS, wall_forces
from flexarm.simulation.contact.impacts import Impact
from flexarm.simulation.forces.applied_forces import station_forces
from flexarm.simulation.state.observables import joint_wrenches
from flexarm.simulation.state.symbols import SymbolicState


def joint_impulse_function(symbols: SymbolicState) -> ParametricFunction:
    """Compile (t, [y, jump, impulses of walls], p) -> force and moment of every joint, integrated over an impact.

    Impulses are those along the normals, then those along the walls, of point after point with wall after wall [N s].

    Notes
    -----
    The equations of motion, integrated over an instant: what is finite drops out, gravity and terms of velocities among
    it, jumps of the rates take the place of accelerations, and impulses that of forces. An impulse of a joint's stop or
    of what holds a joint acts between two links, so it is a part of the joint's moment.
    """
    arm, chain, theta = symbols.arm, symbols.chain, symbols.theta
    of_walls = wall_forces(arm, chain, theta)
    jump = ca.SX.sym("jump", len(symbols.layout.rows))
    rates, still = ca.SX.zeros(chain.coordinates.n_dof), ca.SX.zeros(chain.coordinates.n_dof)
    rates[symbols.layout.rows] = jump
    unloaded = arm.model_copy(update={"loads": ()})
    motions = chain_motion(chain, ChainState.of(chain, theta, still))
    state = ChainState.of(chain, theta, still)
    struck = station_forces(unloaded, chain, symbols.signals, state, motions, of_walls.point_forces)
    wrenches = arm_wrenches(replace(chain, gravity=(0.0, 0.0, 0.0)), theta, still, rates, struck, cuts=())
    value = ca.vertcat(*map(ca.vec, joint_wrenches(arm, chain, wrenches)))
    along = [ca.vec(part) for part in of_walls.tangential]
    normal = [ca.vec(of_walls.symbols[WALL_DATASETS[0]])] if of_walls.symbols else []
    f = symbols.function("joint_impulses", value, ca.vertcat(jump, *normal, *along))
    return ParametricFunction(
        f, symbols.parameters.numel(), symbols.signals.tables.copy(), optimisation=LEAST_OPTIMISATION
    )


def joint_impulse_datasets(
    impacts: Sequence[Impact], evaluate: BoundFunction, n_wall_contacts: int, n_joints: int
) -> dict[str, np.ndarray]:
    """Datasets of the impulses of joints: one row for every impact, in the order of time.

    Parameters
    ----------
    impacts : sequence of Impact
    evaluate : BoundFunction
        Of :func:`joint_impulse_function`.
    n_wall_contacts : int
        Contacts of points with walls, which are before those of stops.
    n_joints : int
    """
    times = np.array([impact.time for impact in impacts])
    inputs = np.zeros((len(impacts), evaluate.f.n_y))
    for row, impact in zip(inputs, impacts, strict=True):
        of_walls = impact.contacts < n_wall_contacts
        contacts, n_before = impact.contacts[of_walls], impact.y.size + impact.jump.size
        row[:n_before] = *impact.y, *impact.jump
        row[n_before + contacts] = impact.impulses[of_walls]
        if impact.friction is not None:
            for k, impulses in enumerate(impact.friction.impulses[of_walls].T, start=1):
                row[n_before + k * n_wall_contacts + contacts] = impulses
    values = evaluate.f.map(times, inputs, evaluate.h).reshape(len(impacts), 2, n_joints, 3)
    return {
        "joint_impulse_time": times,
        "joint_impulse_number": np.arange(1, len(impacts) + 1),
        "joint_impulse": values[:, 0],
        "joint_impulse_moment": values[:, 1],
    }

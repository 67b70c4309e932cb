"""Record of an arm at rest or turning steadily: the datasets of one sample of a run, at t = 0."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np

from flexarm.analysis.operating_points.operating_point import OperatingPoint
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.results.attributes import root_attributes
from flexarm.results.schema import FURTHER_DATASETS, required_datasets
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.state.observables import Observables, SymbolicMotion
from flexarm.simulation.state.recorded_stress import StressRecorder, recording_loads

SPRINGS = ("motor_angle", "motor_velocity", "motor_acceleration", "spring_torque", "energy_spring")
SOFT_WALLS = (
    "contact_force",
    "contact_penetration",
    "contact_tangential_force",
    "contact_state",
    "energy_contact",
)
BASE = ("base_position", "base_velocity", "base_orientation", "base_angular_velocity")


def rest_datasets(point: OperatingPoint, *, loads: bool = False) -> dict[str, np.ndarray]:
    """Datasets (1, ..) of an operating point in the units of the schema, the torques of all joints among them.

    ``tip_deflection`` is how far the tip is from where it would be with the same joint angles and straight links.
    With `loads` those of joints and links are among them.
    """
    arm, chain, theta = point.arm, point.chain, point.theta
    signals, symbol = Signals(ca.SX.sym("t")), ca.SX.sym("theta", theta.size)
    rates, still = ca.SX(point.theta_d), ca.SX.zeros(chain.coordinates.n_dof)
    applied = applied_forces(with_drives(arm), chain, signals, symbol, rates)
    # Where the motion of all joints counts as prescribed, the torques are those that hold them.
    held = set(chain.coordinates.driven_rows)
    motion = SymbolicMotion(symbol, rates, still)
    names = (*required_datasets("equilibrium"), *BASE, *SPRINGS, *SOFT_WALLS)
    if loads:
        names += FURTHER_DATASETS["loads"]
        arm = recording_loads(arm)
    observables = Observables.of(arm, chain, motion, applied, held, datasets=names)
    f = ca.Function("rest", [signals.t, symbol, signals.u], [ca.densify(observables.vector)])
    values = f(0.0, theta, signals.values(0.0)).full().T
    straight = theta.copy()
    straight[list(chain.coordinates.all_modes)] = 0
    undeformed = MotionEquations(chain, arm.run.formulation).points(straight)[-1]
    data = StressRecorder(arm)({"time": np.zeros(1), **observables.datasets(values)})
    return {**data, "tip_deflection": data["point_position"][:, -1] - undeformed}


def rest_attributes(
    point: OperatingPoint, kind: str, command: str, specific: Mapping[str, object]
) -> dict[str, object]:
    """Return the root attributes of a result about an operating point; `specific` are those of its kind alone."""
    if point.rotation is not None:
        specific = {**specific, "turning_joint": point.rotation.joint}
    residuals = {"residual": point.residual, "relative_residual": point.relative_residual}
    return root_attributes(kind, point.arm, {**residuals, **specific}, command=command)

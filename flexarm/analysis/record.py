"""What a result says of an arm at rest: the datasets of one sample of a run, at t = 0 and without motion."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm import __version__
from flexarm.analysis.operating_point import OperatingPoint, with_drives
from flexarm.formulations.motion_equations import MotionEquations
from flexarm.simulation.forces.applied_forces import actions
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.state.observables import packed, quantities, unpacked


def rest_datasets(point: OperatingPoint) -> dict[str, np.ndarray]:
    """Record an operating point: name -> array with one row, the torques of all joints among them.

    ``tip_deflection`` is how far the tip is from where it would be with the same joint angles and straight links.
    """
    chain, theta = point.chain, point.theta
    n = chain.coordinates.n_dof
    signals, symbol, rest = Signals(ca.SX.sym("t")), ca.SX.sym("theta", theta.size), ca.SX.zeros(n)
    loads = actions(with_drives(point.arm, ()), chain, signals, symbol, rest)
    # Where all joints count as held, the torques are those that hold them.
    values = quantities(chain, loads, set(chain.coordinates.moving_joints), symbol, rest, rest)
    vector, recorded = packed(values)
    f = ca.Function("rest", [signals.t, symbol, signals.u], [ca.densify(vector)])
    numbers = f(0.0, theta, ca.DM([table(0.0) for table in signals.tables])).full().T
    straight = theta.copy()
    straight[list(chain.coordinates.all_modes)] = 0
    undeformed = MotionEquations(chain, point.arm.run.formulation).points(straight)[-1]
    data = {"time": np.zeros(1), **unpacked(numbers, recorded)}
    data["tip_deflection"] = data["point_position"][:, -1] - undeformed
    return data | _of_the_base(point)


def _of_the_base(point: OperatingPoint) -> dict[str, np.ndarray]:
    position = point.theta[list(point.chain.coordinates.base_theta)]
    if point.arm.base == "fixed":
        return {}
    none = np.zeros((1, 3))
    if point.arm.base == "planar":
        return {"base_position": np.array([[*position, 0.0]]), "base_velocity": none}
    return {
        "base_position": position[None, :3],
        "base_velocity": none,
        "base_orientation": position[None, 3:] / np.linalg.norm(position[3:]),
        "base_angular_velocity": none,
    }


def rest_attributes(point: OperatingPoint, kind: str, command: str) -> dict[str, object]:
    """Root attributes of a result about an arm at rest."""
    arm = point.arm
    return {
        "kind": kind,
        "status": "complete",
        "message": "",
        "flexarm_version": __version__,
        "command": command,
        "robot": arm.text,
        "formulation": arm.run.formulation,
        "link_rotation": arm.link_rotation,
        "residual": point.residual,
        "relative_residual": point.relative_residual,
    }

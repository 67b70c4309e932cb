"""Clearance of an inverse motion from the arm's walls, whose forces inverse dynamics leaves out."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.errors import ModelError
from flexarm.simulation.contact.gaps.gap_functions import depth_inside
from flexarm.simulation.forces.walls.point_positions import point_positions
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.minimal_coordinates import chain_theta

TOUCHING = 1e-9
"""Depth [m] in a wall that is none."""


def check_clear_of_walls(problem: InverseProblem, times: np.ndarray, thetas: np.ndarray) -> None:
    """Refuse a motion with coordinates (k, n_dof) at times (k,) [s] that leads a point of the arm into a wall.

    Raises
    ------
    ModelError
        It does: the point that gets deepest, its wall, when it enters, and how deep it gets.
    """
    contact, chain = problem.arm.contact, problem.chain
    if contact is None:
        return
    places = contact.places(len(chain.links))
    theta = ca.SX.sym("theta", chain.coordinates.n_dof)
    points = ca.vertcat(*point_positions(chain, places, chain_theta(chain, theta)))
    f = ca.Function("points", [ca.SX.sym("t"), theta, ca.SX.sym("p", 0)], [ca.densify(points)])
    positions = compile_native(f).map(times, np.ascontiguousarray(thetas)).reshape(times.size, len(places), 3)
    deepest, what = TOUCHING, ""
    for number, wall in enumerate(contact.walls, start=1):
        for p, place in enumerate(places):
            depths = np.array([depth_inside(wall, at) for at in positions[:, p]])
            if depths.max() > deepest:
                deepest, entry = float(depths.max()), int((depths > TOUCHING).argmax())
                what = f"{place.name} into wall {number} at t = {times[entry]:.6g} s, {deepest:.4g} m deep"
    if what:
        raise ModelError(
            f"{problem.where}: the motion leads {what}; inverse dynamics leaves contact out (keep the arm away from "
            f"the wall, or remove contact from {problem.arm.name})"
        )

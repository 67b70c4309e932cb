"""Forces and moments in a section of a link over time, from what a result has recorded."""

from __future__ import annotations

from typing import NamedTuple

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from flexarm.arguments import check_number, check_object
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.formulations.assembly import split
from flexarm.formulations.dynamics.cut_wrenches import arm_wrenches
from flexarm.formulations.dynamics.newton_euler import LinkForce, inertial_forces, transmit
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.results.result import Result
from flexarm.simulation.contact.gaps.gap_functions import WallForces, wall_forces
from flexarm.simulation.forces.applied_forces import on_bodies, station_forces
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.validity.link_measures import without_base_acceleration

Array = NDArray[np.float64]


class SectionLoads(NamedTuple):
    """What the part of an arm beyond a section exerts on the part before it, in the axes of the bent section.

    Attributes
    ----------
    force : (k, 3) [N]
        Axial force, positive where the link is pulled, and shear forces.
    moment : (k, 3) [N m]
        Torsion, and bending moments about y and z.
    """

    force: Array
    moment: Array


def section_loads(result: Result, link: int, at: float) -> SectionLoads:
    """Find the force and the moment in a section of a link at all samples of a result.

    What acts at the station itself, be it a load, a mass or the next link, counts as outboard. Where the result has
    recorded its loads at this station, these are returned; else they follow from its states and accelerations.

    Parameters
    ----------
    result : Result
    link : int
        Number of the link, from 1.
    at : float [1]
        Place along the link, 0 = start, 1 = end.

    Raises
    ------
    ModelError
        There is no such link or station, nobody says how the mass of the link is spread along it, or the arm carries
        another load than its description says.

    Examples
    --------
    >>> import flexarm
    >>> result = flexarm.simulate(flexarm.load_arm("robots/crane_boom.yaml"))
    >>> loads = flexarm.section_loads(result, link=1, at=0.0)
    >>> loads.moment.shape
    (5001, 3)
    """
    check_object("result", result, Result)
    arm = result.arm
    check_number("link", link, least=1, whole=True)
    if link > len(arm.links):
        raise ModelError(f"link: got {link}, expected a link from 1 to {len(arm.links)}")
    check_number("at", at, least=0)
    if at > 1:
        raise ModelError(f"at: got {at:g}, expected a place from 0 (start of the link) to 1 (its end)")
    at, i = float(at), link - 1
    chain = build_chain(arm)
    cut = chain.station(i, at)
    if cut.segment.beyond is None or cut.segment.beyond(cut.xi) is None:
        what = "a rigid body" if arm.links[i].is_body else "given by its coupling matrices"
        raise ModelError(
            f"link {link} is {what}, which does not say where along the link its mass is: there are loads at its ends "
            "alone, at = 0 and at = 1"
        )
    stations = arm.run.load_stations
    if "section_force" in result and at in stations:
        k = stations.index(at)
        return SectionLoads(result["section_force"][:, i, k], result["section_moment"][:, i, k])
    if result.kind == "payload":
        raise ModelError(
            "the arm of a payload result carries another load than its description says: let the run record the loads "
            f"in its sections, run: {{record: [loads], stations: {{at: [{at:g}]}}}}"
        )
    return _computed(result, arm, chain, i, at)


def _computed(result: Result, arm: Arm, chain: Chain, link: int, at: float) -> SectionLoads:
    layout, signals = chain.coordinates, Signals(ca.SX.sym("t"))
    theta, theta_d = ca.SX.sym("theta", layout.n_theta), ca.SX.sym("theta_d", layout.n_dof)
    theta_dd = ca.SX.sym("theta_dd", layout.n_dof)
    touches = "contact_force" in result
    walls = wall_forces(arm, chain, theta, every=True) if touches else WallForces({}, [], [], [])
    recorded = {name: ca.vec(values) for name, (values, _) in walls.quantities.items()}
    state = ChainState.of(chain, theta, theta_d)
    motions = chain_motion(chain, state)
    loads = station_forces(arm, chain, signals, state, motions, walls.point_forces)
    (wrench,) = arm_wrenches(chain, theta, theta_d, theta_dd, loads, [chain.station(link, at)]).cuts
    found = ca.vertcat(*wrench)
    if layout.base:
        inertial = inertial_forces(chain, state, motions, *split(chain, theta_dd))
        left = [
            LinkForce(a.f - b.f, a.n - b.n, a.modes - b.modes)
            for a, b in zip(inertial, on_bodies(chain, loads), strict=True)
        ]
        found = without_base_acceleration(found, transmit(motions, left)[1][0], theta_dd[list(layout.base)])
    inputs = [signals.t, signals.u, theta, theta_d, theta_dd, *recorded.values()]
    f = ca.Function("section_loads", inputs, [ca.densify(ca.cse(found))])
    times = _times_of_loads(result)
    tables = np.column_stack([signals.values(time).full().ravel() for time in times])
    of_walls = [result[name].reshape(len(times), -1).T for name in recorded]
    motion = (result.theta().T, result.theta_d().T, result.theta_dd().T)
    values = np.asarray(f(times[None], tables, *motion, *of_walls).full())
    return SectionLoads(values[:3].T, values[3:].T)


def _times_of_loads(result: Result) -> Array:
    """Times (k,) [s] of the loads at the samples: before and after a trajectory they are what they are at its ends."""
    times = result["time"]
    return np.clip(times, 0.0, result.attributes["duration"]) if result.kind == "inverse" else times

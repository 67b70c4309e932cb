"""Limits of validity of the model: small deflections, and stiffening by axial force and spin."""

from __future__ import annotations

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link import Link
from flexarm.formulations.assembly import split
from flexarm.formulations.dynamics.newton_euler import inertial_forces, root_forces
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.link_motion import deflection, section_rotation
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain, build_chain
from flexarm.results.result import Result

SMALL_ROTATION = 0.3
"""End rotation [rad] beyond which the linear deflection of the link model is no longer small."""
SMALL_DEFLECTION = 0.1
"""The same for the tip deflection, as a part of the length."""
SLOW_TURN = 1 / 3
"""Angular rate, as a part of the first locked frequency, beyond which spin stiffens a link noticeably."""
LIGHT_LOAD = 1 / 10
"""Axial load, as a part of the buckling load, beyond which it changes a link's stiffness noticeably."""
SAMPLES = 2000
"""Samples of a run that are compared with the limits, at most about twice as many."""


def run_warnings(result: Result) -> list[str]:
    """Warnings where a run has left the range for which the model is meant.

    Returns
    -------
    list of str
        One sentence each; empty if all is well.
    """
    step = max(1, result.n_samples // SAMPLES)
    rows = slice(0, None, step)
    arm, when = result.arm, "during the run" if result.n_samples > 1 else "in this posture"
    return validity_warnings(arm, build_chain(arm), result.theta(rows), result.theta_d(rows), when)


def validity_warnings(arm: Arm, chain: Chain, theta: np.ndarray, theta_d: np.ndarray, when: str) -> list[str]:
    """Warnings where states are beyond the limits of the model.

    Parameters
    ----------
    arm : Arm
    chain : Chain
    theta, theta_d : (k, n_theta), (k, n_dof)
    when : str
        Which states these are, e.g. "at the start".
    """
    measured = _measures(chain)(theta.T, theta_d.T).full()
    largest = np.abs(measured).max(axis=1).reshape(-1, 4)
    found = []
    for i, (link, numbers) in enumerate(zip(chain.flexible_links, largest, strict=True)):
        if link.n_modes:
            sentences = _deflection(link, when, *numbers[:2])
            if not arm.geometric_stiffening:
                sentences += _stiffening(link, buckling_load(arm.links[i]), when, *numbers[2:])
            found += [f"link {i + 1}: {sentence}" for sentence in sentences]
    return found


def _measures(chain: Chain) -> ca.Function:
    """(theta, theta_d) -> end rotation [rad], end deflection [m], rate [rad/s], axial force [N] of every link."""
    layout = chain.coordinates
    theta, theta_d = ca.SX.sym("theta", layout.n_theta), ca.SX.sym("theta_d", layout.n_dof)
    state = ChainState.of(chain, theta, theta_d)
    motions = chain_motion(chain, state)
    steady = split(chain, ca.SX.zeros(layout.n_dof))  # weight and centrifugal force, no accelerations
    forces = root_forces(motions, inertial_forces(chain, state, motions, *steady))
    measures = [
        (
            ca.norm_2(section_rotation(link, state.delta[i], 1.0)),
            ca.norm_2(deflection(link, state.delta[i], 1.0)),
            ca.norm_2(motions[i].w),
            forces[i][0],
        )
        for i, link in zip(chain.links, chain.flexible_links, strict=True)
    ]
    return ca.Function(
        "measures", [theta, theta_d], [ca.cse(ca.vertcat(*(ca.vertcat(*row) for row in measures)))]
    )


def _deflection(link: FlexibleLink, when: str, rotation: float, distance: float) -> list[str]:
    sentences = []
    if rotation > SMALL_ROTATION:
        sentences.append(
            f"its end turns by {rotation:.2g} rad {when}; the model is meant for {SMALL_ROTATION} rad or less"
        )
    if distance > SMALL_DEFLECTION * link.length:
        part = distance / link.length
        sentences.append(
            f"its end moves by {part:.1%} of its length {when}; the model is meant for {SMALL_DEFLECTION:.0%} or less"
        )
    return sentences


def buckling_load(link: Link) -> float:
    """Euler's load of a link as a column clamped at its start and free at its end, (pi / 2 l)^2 EI [N].

    With the mean of the bending stiffness, in the direction in which it is lowest; infinite without bending.
    """
    stiffnesses = [np.mean(profile.values) for profile in (link.EI.y, link.EI.z) if profile is not None]
    return float((np.pi / 2 / link.length) ** 2 * min(stiffnesses, default=np.inf))


def _stiffening(link: FlexibleLink, buckling: float, when: str, rate: float, force: float) -> list[str]:
    frequency = link.locked_frequencies()[0]
    remedy = "geometric_stiffening: true would take this into account"
    sentences = []
    if rate > SLOW_TURN * frequency:
        sentences.append(
            f"it turns at {rate:.3g} rad/s {when}, its first locked frequency is {frequency:.3g} rad/s; {remedy}"
        )
    if force > LIGHT_LOAD * buckling:
        sentences.append(
            f"it bears {force:.3g} N along its axis {when} and buckles under {buckling:.3g} N; {remedy}"
        )
    return sentences

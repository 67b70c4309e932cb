"""Limits of validity of the model: small deflections, and stiffening by axial force and spin."""

from __future__ import annotations

import math
from collections.abc import Sequence

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.arm.link import MOST_SEGMENTS, Link
from flexarm.formulations.assembly import split
from flexarm.formulations.dynamics.newton_euler import inertial_forces, root_forces
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.link_motion import axis_position, modal_rotation
from flexarm.formulations.kinematics.rotations import X
from flexarm.links import FlexibleLink
from flexarm.model.chain import Chain, build_chain
from flexarm.model.segments import segments_of
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
    found, start = [], 0
    for i, link in enumerate(arm.links):
        segments = chain.segments(i)
        rows = slice(start, start := start + len(segments))
        if link.n_modes:
            rotation, distance, rate, force = largest[rows].max(axis=0)
            sentences = _deflection(segments, when, rotation, distance)
            if not arm.geometric_stiffening:
                slowest = min(segment.locked_frequencies()[0] for segment in segments)
                buckling = min(map(buckling_load, segments_of(link)))  # pyright: ignore[reportArgumentType]
                sentences += _stiffening(len(segments), slowest, buckling, when, rate, force)
            found += [f"link {i + 1}: {sentence}" for sentence in sentences]
    return found


def _measures(chain: Chain) -> ca.Function:
    """(theta, theta_d) -> end rotation [rad], end deflection [m], rate [rad/s], axial force [N] of every segment."""
    layout = chain.coordinates
    theta, theta_d = ca.SX.sym("theta", layout.n_theta), ca.SX.sym("theta_d", layout.n_dof)
    state = ChainState.of(chain, theta, theta_d)
    motions = chain_motion(chain, state)
    steady = split(chain, ca.SX.zeros(layout.n_dof))  # weight and centrifugal force, no accelerations
    forces = root_forces(motions, inertial_forces(chain, state, motions, *steady))
    measures = []
    for i in chain.arm_bodies:
        segment, delta = chain.bodies[i].link, state.delta[i]
        assert isinstance(segment, FlexibleLink)
        end = axis_position(segment, delta, 1.0) - segment.length * X
        turn = modal_rotation(segment, delta, 1.0)
        measures.append((ca.norm_2(turn), ca.norm_2(end), ca.norm_2(motions[i].w), forces[i][0]))
    return ca.Function(
        "measures", [theta, theta_d], [ca.cse(ca.vertcat(*(ca.vertcat(*row) for row in measures)))]
    )


def _deflection(segments: Sequence[FlexibleLink], when: str, rotation: float, distance: float) -> list[str]:
    n, length = len(segments), segments[0].length
    which, its = ("its end", "its") if n == 1 else (f"the end of one of its {n} segments", "that segment's")
    excess = max(rotation / SMALL_ROTATION, distance / (SMALL_DEFLECTION * length))
    enough = math.ceil(n * excess)  # what a segment turns, and moves of its length, falls with its length
    remedy = f"; segments: {enough} of polynomial modes would do" if enough <= MOST_SEGMENTS else ""
    sentences = []
    if rotation > SMALL_ROTATION:
        sentences.append(
            f"{which} turns by {rotation:.2g} rad {when}; the model is meant for {SMALL_ROTATION} rad or less{remedy}"
        )
    if distance > SMALL_DEFLECTION * length:
        part = distance / length
        sentences.append(
            f"{which} moves by {part:.1%} of {its} length {when}; the model is meant for {SMALL_DEFLECTION:.0%} or less"
            f"{remedy}"
        )
    return sentences


def buckling_load(link: Link) -> float:
    """Euler's load of a link as a column clamped at its start and free at its end, (pi / 2 l)^2 EI [N].

    With the mean of the bending stiffness, in the direction in which it is lowest; infinite without bending.
    """
    stiffnesses = [np.mean(profile.values) for profile in (link.EI.y, link.EI.z) if profile is not None]
    return float((np.pi / 2 / link.length) ** 2 * min(stiffnesses, default=np.inf))


def _stiffening(n: int, frequency: float, buckling: float, when: str, rate: float, force: float) -> list[str]:
    """Sentences about a link of n segments, the slowest of frequency [rad/s] and the weakest of buckling load [N]."""
    it, whose = ("it", "its") if n == 1 else (f"one of its {n} segments", "the segment's")
    remedy = "geometric_stiffening: true would take this into account"
    sentences = []
    if rate > SLOW_TURN * frequency:
        sentences.append(
            f"{it} turns at {rate:.3g} rad/s {when}, {whose} first locked frequency is {frequency:.3g} rad/s; {remedy}"
        )
    if force > LIGHT_LOAD * buckling:
        sentences.append(
            f"{it} bears {force:.3g} N along its axis {when} and buckles under {buckling:.3g} N; {remedy}"
        )
    return sentences

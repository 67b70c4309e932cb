"""Arms that float, fall and strike walls: published impacts, closed forms, momentum."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.special import beta

import flexarm
from flexarm.validation.arms import largest, shipped, shipped_motion
from flexarm.validation.case import Case, residual

GRAVITY = 9.81  # m/s^2, of all arms here that fall
FALL = np.sqrt(2 * 0.5 / GRAVITY)  # s, from 0.5 m

BOUNCING = """
name: bouncing
base: planar
links: [{length: 1.0, mu: 1.0}]
initial: {base: [0, 0.5]}
contact: {restitution: 0.7, walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 1.0, sample: 0.01, rtol: 1e-10, atol: 1e-12}
"""
TOPPLING = """
name: toppling
base: planar
links: [{length: 1.0, mu: 1.0}]
initial: {joints: [80 deg]}
contact: {walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 0.01, sample: 0.01}
"""
PAINLEVE = """
name: painleve
base: planar
links: [{length: 1.0, mu: 1.0}]
initial: {joints: [63 deg], base_rates: [-1, 0]}
contact: {restitution: 0.3, friction: 1.6, walls: [{point: [0, 0], normal: [0, 1]}]}
run: {duration: 0.01, sample: 0.01, rtol: 1e-10, atol: 1e-12}
"""
HERTZ = """
name: hertz
base: planar
gravity: [0, 0, 0]
links: [{length: 0, body: {mass: 2.0, inertia: [0.1, 0.1, 0.1]}}]
joints: [{type: fixed}]
initial: {base: [0, 0.05], base_rates: [0, -1]}
contact: {stiffness: 1e6, restitution: 0.5, walls: [{point: [0, 0], normal: [0, 1]}], points: O1}
run: {duration: 0.2, sample: 0.1, rtol: 1e-10, atol: 1e-12}
"""
SPIN = np.array([4.0, 1.0, 0.0])  # rad/s
TUMBLING = f"""
name: tumbling
gravity: [0, 0, 0]
base: free
links: [{{length: 1.0, mu: 2.0, rotary_inertia: [0.3, 0.1, 0.1]}}]
joints: [{{type: fixed}}]
initial: {{base: [-0.5, 0, 0, 0, 0, 0], base_rates: [0, 0, {SPIN[1] / 2}, {SPIN[0]}, {SPIN[1]}, {SPIN[2]}]}}
run: {{duration: 3.0, sample: 3.0, rtol: 1e-11, atol: 1e-13}}
"""


def _impacts() -> np.ndarray:
    return np.unique(shipped_motion("shafei_falling_link").impact_time)


def _falling_energy() -> float:
    energy = shipped_motion("shafei_falling_link").energy_total
    return largest(energy / energy[0] - 1)


def _bounces() -> np.ndarray:
    """First two impacts of a rod that falls flat [s]."""
    return np.unique(flexarm.simulate(flexarm.parse_arm(BOUNCING)).impact_time)[:2]


def _floor_force() -> np.ndarray:
    return flexarm.simulate(flexarm.parse_arm(TOPPLING)).contact_force[0, 0]


def _hertz() -> tuple[float, float]:
    """Duration of an impact on a soft wall without damping [s], and rebound from one with a restitution [m/s]."""
    elastic, damped = (flexarm.simulate(flexarm.parse_arm(HERTZ.replace("0.5,", e))) for e in ("1,", "0.5,"))
    return elastic.touch_end[0] - elastic.touch_time[0], damped.touch_velocity_after[0]


def _hertz_by_hand() -> tuple[float, float]:
    """Twice the quadrature of dd / v up to the largest depth, from the energy; the restitution."""
    depth = (5 * 2.0 / (4 * 1e6)) ** 0.4
    return 2 * depth * beta(0.4, 0.5) / 2.5, 0.5


def _painleve() -> np.ndarray:
    result = flexarm.simulate(flexarm.parse_arm(PAINLEVE))
    return np.array(
        [result.impact_impulse[0], result.impact_tangential_impulse[0], result.impact_velocity_after[0]]
    )


def _painleve_by_hand() -> tuple[float, float, float]:
    """Slip stops on the ray P_t = mu P_n, then sticks until the normal speed is zero; expansion adds e of that impulse.

    While it sticks, dP_t = -w_nt / w_tt dP_n, and the normal speed grows with w_nn - w_nt^2 / w_tt.
    """
    mu, e, q = 1.6, 0.3, np.radians(63)
    w_nn, w_tt, w_nt = 1 + 3 * np.cos(q) ** 2, 1 + 3 * np.sin(q) ** 2, -3 * np.sin(q) * np.cos(q)
    stop = 1 / (w_nt + mu * w_tt)  # impulse along the normal at which a slip of -1 m/s has stopped
    sticking = w_nn - w_nt**2 / w_tt
    compression = stop - (w_nn + mu * w_nt) * stop / sticking
    normal = (1 + e) * compression
    along = mu * stop - w_nt / w_tt * (normal - stop)
    return normal, along, e * compression * sticking


def _floor_forces() -> np.ndarray:
    """Forces under the points of robots/falling_chain.yaml once it lies still [N]."""
    return flexarm.simulate(shipped("falling_chain", duration=2.5)).contact_force[-1, :, 0]


def _momentum_drift() -> float:
    """Largest change of momentum and of angular momentum, each of its largest magnitude."""
    result = flexarm.simulate(shipped("space_arm", duration=2.0))
    moments = (result.momentum, result.angular_momentum)
    return max(largest(moment - moment[0]) / largest(moment) for moment in moments)


def _tumbling_tip() -> np.ndarray:
    return flexarm.simulate(flexarm.parse_arm(TUMBLING)).point_position[-1, -1]


def _exact_tumbling_tip() -> np.ndarray:
    """The axis of a symmetric body without torque goes round the angular momentum H with the rate |H| / I_across."""
    along, across = 0.3, 0.1 + 2.0 / 12
    H = np.array([along, across, across]) * SPIN
    return Rotation.from_rotvec(3.0 * H / across).apply([0.5, 0, 0])


CASES = (
    Case(
        name="falling-link-bursts",
        quantity="starts of the two bursts of impacts of `shafei_falling_link` [s]",
        source="[FL17] case study I",
        reference=(0.3194, 0.9388),
        tolerance=2e-4,
        form=".5f",
        find=lambda: _impacts()[[0, 3]],
    ),
    Case(
        name="falling-link-impacts",
        quantity="first four impacts of `shafei_falling_link` [s]",
        source="closed form: parabola and harmonic between impacts, exact mode",
        reference=(0.319275, 0.321170, 0.323237, 0.938853),
        tolerance=1e-6,
        form=".6f",
        find=lambda: _impacts()[:4],
    ),
    residual(
        name="falling-link-energy",
        quantity="drift of the energy of `shafei_falling_link` over 1.5 s, 6 impacts of both ends, relative",
        source="conservation of energy, e = 1",
        tolerance=1e-9,
        floor=1e-9,
        find=_falling_energy,
    ),
    Case(
        name="bouncing-rod",
        quantity="first two impacts of a rigid rod dropped flat from 0.5 m, e = 0.7 [s]",
        source="sqrt(2 h / g) (1, 1 + 2 e)",
        reference=(FALL, FALL * (1 + 2 * 0.7)),
        tolerance=1e-9,
        form=".6f",
        find=_bounces,
    ),
    Case(
        name="toppling-rod",
        quantity="force under a rod of 1 kg released at 80 degrees on a smooth floor [N]",
        source="m g / (1 + 3 cos^2 q)",
        reference=(GRAVITY / (1 + 3 * np.cos(np.radians(80)) ** 2),),
        tolerance=1e-8,
        form=".4f",
        find=_floor_force,
    ),
    Case(
        name="hertz-impact",
        quantity="contact of 2 kg at 1 m/s with a soft wall of 1e6 N/m^1.5, rebound with restitution 0.5 [s, m/s]",
        source="Hertz: 2.943 times the depth over the speed [Johnson1985]; Hunt & Crossley's law integrated once",
        reference=_hertz_by_hand,
        tolerance=1e-9,
        form=".7f",
        find=_hertz,
    ),
    Case(
        name="painleve-rod",
        quantity="impulses along normal and wall, and speed upwards, of Painleve's rod: 1 m, 1 kg, friction 1.6, at 63 "
        "degrees on an end that slides at 1 m/s [N s, m/s]",
        source="Routh's construction from the approach speed 0, e = 0.3, by hand",
        reference=_painleve_by_hand(),
        tolerance=1e-9,
        form=".6f",
        find=_painleve,
    ),
    Case(
        name="chain-at-rest",
        quantity="forces under the points of `falling_chain` once it lies still [N]",
        source="halves of the weights of the links beside each point",
        reference=tuple(0.2 * GRAVITY * np.array([0.5, 1, 1, 1, 1, 0.5])),
        tolerance=1e-6,
        form=".4f",
        find=_floor_forces,
    ),
    residual(
        name="space-arm-momentum",
        quantity="drift of momentum and angular momentum of `space_arm` over 2 s, motors running, relative",
        source="conservation of momentum",
        tolerance=1e-9,
        floor=1e-9,
        find=_momentum_drift,
    ),
    Case(
        name="tumbling-body",
        quantity="end of a symmetric rigid body that tumbles freely, after 3 s [m]",
        source="steady precession about the angular momentum (Euler)",
        reference=_exact_tumbling_tip,
        tolerance=1e-8,
        form=".6f",
        find=_tumbling_tip,
    ),
)

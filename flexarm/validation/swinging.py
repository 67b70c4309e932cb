"""Arms that swing: energy, large motion against a beam code, rigid pendulums in closed form."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import ellipk

import flexarm
from flexarm.validation.arms import largest, shipped, shipped_motion, tip_at
from flexarm.validation.case import Case, residual
from flexarm.validation.oscillations import squares

GRAVITY = 9.81  # m/s^2, of all arms here
PENDULUM_TIMES = (0.5, 1.0, 2.0, 3.0)  # s
PENDULUM_TIP = (-0.0931, -0.9956, -0.9999, -0.0023, 0.9995, -0.0317, -0.9976, -0.0691)  # m
"""x and y at these times, by geometrically exact beam elements."""
BEAM_CODE = "geometrically exact beam elements"

QUARTER = float(np.sqrt(2 / (3 * GRAVITY)) * ellipk(0.5))
"""A quarter of the period of a rod of 1 m that swings by 90 degrees either way, sqrt(2 l / 3 g) K(sin^2 45) [s]."""
ROD = f"""
name: rod
links: [{{length: 1.0, mu: 1.0}}]
run: {{duration: {5 * QUARTER!r}, sample: {5 * QUARTER!r}}}
"""
SLOWED = """
name: slowed
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 3.0}]
joints: [{motor: {inertia: 4e-4, gear: 50}, friction: {viscous: 2.0}}]
initial: {joint_rates: [1.0]}
run: {duration: 1.0, sample: 1.0}
"""


def _energy_drift() -> float:
    result = shipped_motion("usoro_two_link")
    return largest(result.energy_total - result.energy_total[0]) / result.energy_kinetic.max()


@cache
def plain_pendulum() -> flexarm.Result:
    """Simulate robots/flexible_pendulum.yaml without geometric stiffening."""
    arm = shipped("flexible_pendulum")
    return flexarm.simulate(arm.model_copy(update={"geometric_stiffening": False}))


def _rod_angle() -> list[float]:
    return list(np.degrees(flexarm.simulate(flexarm.parse_arm(ROD)).joint_angle[-1]))


def _double_pendulum() -> np.ndarray:
    """Squares of the frequencies of robots/rigid_two_link.yaml about hanging down, over g/l."""
    return squares(shipped("rigid_two_link"), np.array([-np.pi / 2, 0]), np.zeros(2), (0, 1)) / GRAVITY


def _slowed_rate() -> np.ndarray:
    return flexarm.simulate(flexarm.parse_arm(SLOWED)).joint_velocity[-1]


CASES = (
    residual(
        name="usoro-energy",
        quantity="drift of the energy of `usoro_two_link` over 3 s, of the largest kinetic energy",
        source="conservation of energy, arm of [GA09] table 3",
        tolerance=1e-8,
        floor=1e-9,
        find=_energy_drift,
    ),
    Case(
        name="flexible-pendulum",
        quantity="tip of `flexible_pendulum` without geometric stiffening after 0.5, 1, 2 and 3 s, x and y [m]",
        source=f"{BEAM_CODE}; the published model leaves out foreshortening",
        reference=PENDULUM_TIP,
        tolerance=6e-3,
        form=".4f",
        find=lambda: tip_at(plain_pendulum(), PENDULUM_TIMES),
    ),
    Case(
        name="stiffened-pendulum",
        quantity="tip of `flexible_pendulum` after 0.5, 1, 2 and 3 s, x and y [m]",
        source=BEAM_CODE,
        reference=PENDULUM_TIP,
        tolerance=5e-4,
        form=".4f",
        find=lambda: tip_at(shipped_motion("flexible_pendulum"), PENDULUM_TIMES),
    ),
    Case(
        name="rigid-pendulum",
        quantity="angle of a rod released level, after 5/4 of its period [deg]",
        source="period by the complete elliptic integral",
        reference=(-90.0,),
        tolerance=1e-5,
        form=".4f",
        find=_rod_angle,
    ),
    Case(
        name="double-pendulum",
        quantity="squares of the frequencies of `rigid_two_link` hanging down, over g/l",
        source="3 (1 -+ 2/sqrt 7), two equal rods",
        reference=(3 - 6 / np.sqrt(7), 3 + 6 / np.sqrt(7)),
        tolerance=1e-10,
        relative=True,
        form=".5f",
        find=_double_pendulum,
    ),
    Case(
        name="rotor-and-friction",
        quantity="rate of a rod with geared rotor and viscous friction after 1 s, from 1 rad/s [rad/s]",
        source="exp(-c t / (mu l^3/3 + k^2 J))",
        reference=(np.exp(-2.0 / (1.0 + 50**2 * 4e-4)),),
        tolerance=1e-8,
        form=".6f",
        find=_slowed_rate,
    ),
)

"""Planar motions with dry friction against time stepping by Siconos, whose error falls with its step.

Its numbers are those of ``benchmarks/peers/time_stepping.py`` with python3-siconos 4.4.0 at a step of 1e-5 s.
"""

from __future__ import annotations

import numpy as np
import pytest
import yaml

import flexarm

FIRST_ORDER = 5e-5
"""Error of time stepping [m, rad]: it is of the first order, some m/s and rad/s times the step."""
SLIDING, STICKING = 1, 2

INCLINE = f"""
name: incline
gravity: [{-9.81 * np.sin(0.5)}, {-9.81 * np.cos(0.5)}, 0]
base: planar
links: [{{length: 0, body: {{mass: 1, inertia: 0.1}}}}]
initial: {{base: [0, 0], base_rates: [2, 0]}}
contact: {{restitution: 0, friction: 0.3, impact_law: newton, walls: [{{point: [0, 0], normal: [0, 1]}}], points: O1}}
run: {{duration: 1, sample: 0.01, rtol: 1e-10, atol: 1e-12}}
"""


def rod(angle, friction, restitution, height, duration) -> flexarm.Result:
    """Rod of 1 m and 1 kg that is let go with its lower end at a height [m], at an angle [deg]."""
    contact = {"restitution": restitution, "friction": friction, "impact_law": "newton"}
    return flexarm.simulate(
        flexarm.parse_arm(
            yaml.safe_dump(
                {
                    "name": "rod",
                    "base": "planar",
                    "gravity": [0, -9.81, 0],
                    "links": [{"length": 1.0, "mu": 1.0}],
                    "contact": contact | {"walls": [{"point": [0, 0], "normal": [0, 1]}]},
                    "initial": {"base": [0, height], "joints": [f"{angle} deg"]},
                    "run": {"duration": duration, "sample": 0.01, "rtol": 1e-10, "atol": 1e-12},
                }
            )
        )
    )


@pytest.mark.parametrize(
    ("case", "siconos", "states"),
    [
        ((40, 0.3, 0.5, 0.2, 0.5), (0.45108951, 0.05797679, -0.07830016), {0}),
        ((70, 0.3, 0.5, 0.2, 0.5), (0.40271431, 0.31229209, 0.61863636), {0}),
        ((20, 0.5, 0.0, 0.1, 0.8), (0.50150559, -0.00000438, -0.00000683), {STICKING}),
        ((60, 0.8, 0.0, 0.0, 0.3), (0.38729285, 0.31623448, 0.68473655), {0, STICKING}),
    ],
    ids=["from 40 degrees", "from 70 degrees", "comes to rest", "falls over, sticking"],
)
def test_rods(case, siconos, states):
    """Centre and angle of the rod at the end; what its ends do then."""
    result = rod(*case)
    centre = result["point_position"][-1].mean(axis=0)[:2]
    np.testing.assert_allclose([*centre, result["joint_angle"][-1, 0]], siconos, rtol=0, atol=FIRST_ORDER)
    assert set(result["contact_state"][-1].ravel()) == states


def test_incline():
    """Uphill, a stop, and back; the peer has it from its own problem, and by hand it is exact."""
    result = flexarm.simulate(flexarm.parse_arm(INCLINE))
    x = result["base_position"][-1, 0]
    assert x == pytest.approx(-0.28352825, abs=FIRST_ORDER)
    up, down = 9.81 * (np.sin(0.5) + 0.3 * np.cos(0.5)), 9.81 * (np.sin(0.5) - 0.3 * np.cos(0.5))
    assert x == pytest.approx(2 / up - down * (1 - 2 / up) ** 2 / 2, abs=1e-9)
    assert set(result["contact_state"][-1].ravel()) == {SLIDING}

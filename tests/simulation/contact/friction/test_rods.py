"""Rods that fall on a rough floor: Painleve's impact, impacts as the law says, balance of energy, rest."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import yaml
from breadth import thinned
from click.testing import CliRunner

import flexarm
from flexarm.cli.main import main
from flexarm.simulation.contact.impact_laws.poisson import poisson

LENGTH, MASS = 1.0, 1.0


def rod(angle, mu, e, height=0.0, velocity=(0.0, 0.0), **further):
    """Rod whose lower end is at some height [m], at an angle [deg] to the floor; e is its restitution."""
    return flexarm.parse_arm(
        yaml.safe_dump(
            {
                "name": "rod",
                "base": "planar",
                "gravity": [0, -9.81, 0],
                "links": [{"length": LENGTH, "mu": MASS / LENGTH}],
                "contact": {
                    "restitution": e, "friction": mu, "walls": [{"point": [0, 0], "normal": [0, 1]}],
                },
                "initial": {
                    "base": [0, height], "joints": [f"{angle} deg"], "base_rates": list(velocity),
                },
                "run": {"duration": 0.5, "sample": 0.01, "rtol": 1e-10, "atol": 1e-12} | further,
            }
        )
    )  # fmt: skip


def delassus(angle):
    """Delassus matrix of the lower end (normal, tangent), by hand: I/m + r x r^T x / (m l^2 / 12)."""
    r = -LENGTH / 2 * np.array([np.cos(angle), np.sin(angle)])
    turn = np.array([r[0], -r[1]])  # velocity along (normal y, tangent x) per rate of the angle
    return np.eye(2) / MASS + 12 / (MASS * LENGTH**2) * np.outer(turn, turn)


def test_painleve_rod_strikes_without_a_collision():
    """Standing on an end that slides against its lean: no force agrees with the friction, an impulse stops it."""
    result = flexarm.simulate(rod(63, 1.6, 0.3, velocity=(-1.0, 0.0), duration=0.01, sample=0.01))
    assert result["impact_time"][0] == 0
    found = [
        result[f"impact_{name}"][0]
        for name in ("impulse", "tangential_impulse", "slip_before", "slip_after", "velocity_after")
    ]
    np.testing.assert_allclose(found, [0.39439578, 0.43724133, -1.0, 0.0, 0.10765592], rtol=0, atol=5e-9)


@pytest.mark.parametrize(
    ("angle", "mu", "e"),
    thinned(itertools.product([20, 40, 60, 75], [0.1, 0.7], [0.0, 0.6]), every=7),
)
def test_first_impact_is_that_of_the_law(angle, mu, e):
    height = 0.2
    result = flexarm.simulate(rod(angle, mu, e, height, velocity=(0.5, 0.0), duration=0.25))
    v = -np.sqrt(2 * 9.81 * height)
    law = poisson(delassus(np.deg2rad(angle)), np.array([[v, 0.5]]), np.array([mu]), np.array([e]))
    found = result["impact_impulse"][0], result["impact_tangential_impulse"][0]
    np.testing.assert_allclose(found, law.impulses[0], rtol=1e-8, atol=1e-8)
    after = [v, 0.5] + delassus(np.deg2rad(angle)) @ law.impulses[0]
    np.testing.assert_allclose(result["impact_velocity_after"][0], after[0], atol=1e-7)
    np.testing.assert_allclose(result["impact_slip_after"][0], after[1], atol=1e-7)


def test_newton_is_another_law():
    poisson_, newton = (
        flexarm.simulate(rod(40, 0.6, 0.5, 0.2, (1.0, 0.0), duration=0.25).replace("contact.impact_law", law))
        for law in ("poisson", "newton")
    )
    assert newton["impact_velocity_after"][0] == pytest.approx(-0.5 * newton["impact_velocity_before"][0])
    assert abs(poisson_["impact_velocity_after"][0] - newton["impact_velocity_after"][0]) > 0.1


def test_newton_that_would_create_energy_is_refused():
    arm = rod(40, 0.6, 0.9, 0.2, velocity=(1.0, 0.0), duration=0.3)
    result = flexarm.simulate(arm.replace("contact.impact_law", "newton"))
    assert result.status == "incomplete"
    assert "poisson" in result.message
    assert flexarm.simulate(arm).status == "complete"


def test_impact_without_a_collision_is_told(tmp_path):
    (tmp_path / "rod.yaml").write_text(rod(63, 1.6, 0.3, velocity=(-1.0, 0.0), duration=0.01).text)
    done = CliRunner().invoke(
        main, ["simulate", str(tmp_path / "rod.yaml"), "-v", "-o", str(tmp_path / "rod.h5")]
    )
    assert done.exit_code == 0, done.output
    assert "impact 1 without a collision (Painleve) at t = 0.000000 s" in done.output
    assert "impulse 0.4372 N s: sticks" in done.output

"""Stress of a run against closed forms, and what is said of it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexarm
from flexarm.analysis.loads.largest_stress import largest_stresses

ARM = """
name: boom
gravity: [0, 0, 0]
links:
  - length: 2.0
    material: {{E: 2.1e11, rho: 7850, nu: 0.3, strength: {strength}}}
    section: {{shape: rectangle, width: 0.02, height: {{eta: [0, 2], values: [0.06, 0.03]}}}}
  - {{length: 1.0, mu: 2.0}}
joints: [{{type: fixed}}, {{}}]
loads: [{{at: {{link: 1, at: 1}}, force: [0, "-100*t", 0]}}]
run: {{duration: 2, sample: 0.5, record: [loads], stations: {stations}}}
"""
XI = np.array([0.0, 0.3, 0.5, 1.0])


def run_of(strength=235e6, stations="{at: [0, 0.3, 0.5, 1]}"):
    return flexarm.simulate(flexarm.parse_arm(ARM.format(strength=strength, stations=stations)))


@pytest.fixture(scope="module")
def result():
    return run_of()


def test_a_tapered_cantilever_under_a_growing_load(result):
    """M / W at the outer points; where the moment is small, sqrt(3) 3/2 V / A in the middle."""
    V = 100 * result.time[:, None]
    h = 0.06 - 0.03 * XI
    bending, shear = V * 2 * (1 - XI) / (0.02 * h**2 / 6), 1.5 * V / (0.02 * h)
    expected = np.maximum(bending, np.sqrt(3) * shear)
    assert_allclose(result["stress_max"][:, 0], expected, rtol=1e-9, atol=1e-3)
    assert np.isnan(result["stress_max"][:, 1]).all()  # mass and stiffness alone say nothing of stress


def test_the_largest_stress_and_its_safety(result):
    (found,) = largest_stresses(result)
    stress = 200 * 2 / (0.02 * 0.06**2 / 6)
    assert (found.link, found.at, found.time) == (1, 0.0, 2.0)
    assert found.stress == pytest.approx(stress, rel=1e-9)
    assert found.safety == pytest.approx(235e6 / stress, rel=1e-9)
    assert not found.warning
    assert not [line for line in flexarm.run_warnings(result) if "strength" in line]


def test_a_strength_that_is_passed_is_warned_of():
    (line,) = [line for line in flexarm.run_warnings(run_of(strength=20e6)) if "strength" in line]
    assert line == "link 1: its stress reaches 33.33 MPa at 0 of its length, more than the strength of 20 MPa"


def test_results_keep_it(result, tmp_path):
    arm = flexarm.parse_arm(ARM.format(strength=235e6, stations=3))
    written = flexarm.simulate(arm, output=tmp_path / "boom.h5")
    assert written.shape("stress_max") == (5, 2, 3)
    assert_allclose(written["stress_max"][:, 0], result["stress_max"][:, 0, [0, 2, 3]], rtol=1e-12)
    none = flexarm.simulate(arm.model_copy(update={"run": arm.run.model_copy(update={"record": ()})}))
    assert "stress_max" not in none
    assert largest_stresses(none) == []


@pytest.mark.slow
def test_inverse_runs_record_it_too():
    from paths import ROBOTS

    arm = flexarm.load_arm(ROBOTS / "payload_two_link.yaml")
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"record": ("loads",)})})
    trajectory = flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml")
    result = flexarm.inverse(arm, trajectory)
    assert result["stress_max"].shape == (result.n_samples, 2, 11)
    section, moment = arm.links[0].section, result["section_moment"][:, 0, 0]
    bending = np.hypot(moment[:, 1], moment[:, 2]) / section.section_modulus_z
    assert (result["stress_max"][:, 0, 0] >= 0.999 * bending).all()

"""The compiled largest stress of recorded loads against that of single sections, point by point."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from flexarm.description import parse_arm
from flexarm.links.stress.section_stress import section_stress
from flexarm.simulation.state.recorded_stress import StressRecorder
from flexarm.simulation.state.stress_kernel import ROWS

FEW_ULP = 1e-14  # of the sum of the squares that are added
SECTIONS = {
    "I": "{shape: I, height: 0.3, width: 0.15, web: 0.0071, flange: 0.0107, radius: 0.015}",
    "box": "{shape: box, height: 0.1, width: 0.06, thickness: 0.004}",
    "rectangle": "{shape: rectangle, height: {eta: [0, 2], values: [0.06, 0.03]}, width: 0.02}",
    "tube": "{shape: tube, diameter: {eta: [0, 2], values: [0.1, 0.06]}, thickness: 0.005}",
    "circle": "{shape: circle, diameter: 0.04}",
    "general": "{general: {A: 0.002, I_y: 1e-6, I_z: 3e-6, J: 2e-6, A_y: 0.001, A_z: 0.0008, W_t: 4e-5, "
    "points: [[0.06, 0.03], [-0.06, -0.03]]}}",
}
ARM = """
name: beam
links:
  - {{length: 1.0, mu: 2.0}}
  - {{length: 2.0, material: {{E: 2.1e11, rho: 7850, nu: 0.3}}, section: {section}}}
joints: [{{}}, {{}}]
run: {{duration: 1, sample: 0.1, record: [loads], stations: {{at: [0, 0.3, 1]}}}}
"""
PLANAR = (0, 1, 5)
N_SAMPLES = 2 * ROWS + 3  # no multiple of the rows that are taken at once, nor of the lanes


def loads(seed, used=range(6)):
    """Loads (N_SAMPLES, links, stations, 6) of very different sizes, of which those that are not used are zero."""
    rng = np.random.default_rng(seed)
    shape = (N_SAMPLES, 2, 3, 6)
    found = rng.normal(size=shape) * 10.0 ** rng.uniform(-4, 6, size=shape)
    found[..., [k for k in range(6) if k not in used]] = 0
    for every, gone in ((5, (4, 5)), (7, (1, 2)), (11, (0, 3)), (13, range(6))):
        found[::every, ..., gone] = 0
    return found


@pytest.mark.parametrize("used", [range(6), PLANAR], ids=["space", "plane"])
@pytest.mark.parametrize("name", SECTIONS)
def test_it_is_the_largest_of_all_points(name, used):
    arm = parse_arm(ARM.format(section=SECTIONS[name]))
    values = loads(1, used)
    values[20] = np.nan  # nothing is known there
    force, moment = values[..., :3], values[..., 3:]
    found = StressRecorder(arm)({"section_force": force, "section_moment": moment})["stress_max"]
    assert np.isnan(found[:, 0]).all()  # mass and stiffness alone say nothing of stress
    for k, xi in enumerate((0.0, 0.3, 1.0)):
        expected = section_stress(arm.links[1].section.at(xi), force[:, 1, k], moment[:, 1, k]).largest
        assert_allclose(found[:, 1, k], expected, rtol=FEW_ULP)


def test_datasets_may_be_columns_of_a_larger_array():
    arm = parse_arm(ARM.format(section=SECTIONS["tube"]))
    values = loads(2).reshape(N_SAMPLES, -1)
    columns = np.concatenate(
        [np.full((N_SAMPLES, 5), np.nan), values, np.full((N_SAMPLES, 2), np.nan)], axis=1
    )
    apart = {"section_force": columns[:, 5:23], "section_moment": columns[:, 23:41]}
    inside = {name: array.reshape(N_SAMPLES, 2, 3, 3) for name, array in apart.items()}
    assert inside["section_force"].base is not None
    copied = {name: array.copy() for name, array in inside.items()}
    strided = {name: np.repeat(array[..., None], 4, -1)[..., 1] for name, array in inside.items()}
    recorder = StressRecorder(arm)
    for one in (inside, strided):
        np.testing.assert_array_equal(recorder(one)["stress_max"], recorder(copied)["stress_max"])


def test_nothing_is_added_without_recorded_forces():
    recorder = StressRecorder(parse_arm(ARM.format(section=SECTIONS["tube"])))
    assert recorder({"time": np.zeros(2)}).keys() == {"time"}

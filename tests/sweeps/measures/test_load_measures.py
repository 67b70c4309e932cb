"""Measures of loads are what one would compute from the result of a single simulation that records them."""

import numpy as np
import pytest

import flexarm
from flexarm.sweeps.measures.load_measures import load_measure
from flexarm.sweeps.parameters.keys import KeyFault

TEXT = """\
name: loaded
gravity: [0, -9.81, 0]
links:
  - length: 1.0
    material: {E: 2.1e11, rho: 7850, nu: 0.3}
    section: {shape: tube, diameter: 0.05, thickness: 0.003}
  - {length: 0.8, mu: 2.0}
joints: [{friction: {viscous: 1}}, {}]
payload: {mass: 2}
run: {duration: 0.2, sample: 0.01, rtol: 1e-8, stations: 3}
"""
NAMES = ("max_stress:1", "max_stress", "max_moment[1]", "max_moment", "max_reaction:1", "max_reaction_moment",
         "max_axial_force:2", "max_torsion:1", "max_shear_force[-2]")  # fmt: skip


@pytest.mark.slow
def test_runs_of_a_sweep_record_their_loads():
    """The numbers of each point, whose sections and payloads differ, are those of its arm alone."""
    arm = flexarm.parse_arm(TEXT)
    vary = {"links[0].section.thickness": [0.003, 0.005], "payload.mass": [1, 2]}
    found = flexarm.sweep(arm, vary, record=NAMES, workers=1)
    text = (
        TEXT.replace("0.003", "0.005")
        .replace("mass: 2", "mass: 1")
        .replace("run: {", "run: {record: [loads], ")
    )
    alone = flexarm.simulate(flexarm.parse_arm(text))
    force, moment = alone["section_force"], alone["section_moment"]
    bending = np.hypot(moment[..., 1], moment[..., 2])
    expected = [
        alone["stress_max"][:, 0].max(), alone["stress_max"][:, 0].max(), bending[:, 1].max(), bending.max(),
        np.linalg.norm(alone["joint_force"][:, 0], axis=-1).max(),
        np.linalg.norm(alone["joint_moment"], axis=-1).max(),
        np.abs(force[:, 1, :, 0]).max(), np.abs(moment[:, 0, :, 0]).max(),
        np.hypot(force[:, 0, :, 1], force[:, 0, :, 2]).max(),
    ]  # fmt: skip
    values = [found[name][1, 0] for name in NAMES]
    assert values == pytest.approx(expected, rel=1e-6, abs=1e-6)  # both runs are as good as rtol


@pytest.mark.slow
def test_inverse_runs_too():
    from paths import ROBOTS

    arm = flexarm.load_arm(ROBOTS / "payload_two_link.yaml")
    trajectory = flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml")
    names = ("max_stress:2", "max_reaction:1")
    found = flexarm.sweep(arm, {"payload.mass": [0.0, 1.0]}, record=names, trajectory=trajectory, workers=1)
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"record": ("loads",)})})
    payload = arm.payload.model_copy(update={"mass": 1.0})
    alone = flexarm.inverse(arm.model_copy(update={"payload": payload}), trajectory)
    reaction = np.linalg.norm(alone["joint_force"][:, 0], axis=-1).max()
    assert found["max_stress:2"][1] == pytest.approx(alone["stress_max"][:, 1].max(), rel=1e-6)
    assert found["max_reaction:1"][1] == pytest.approx(reaction, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("max_moment:3", "'max_moment:3': there is no such link"),
        ("max_moment:0", "'max_moment:0': there is no such link"),
        ("max_reaction[2]", "'max_reaction[2]': there is no such joint"),
        ("max_stress:2", "'max_stress:2': link 2 has no section, which stress needs"),
    ],
)
def test_wrong_names(name, message):
    with pytest.raises(KeyFault) as fault:
        load_measure(name, flexarm.parse_arm(TEXT))
    assert fault.value.message == message


def test_names_count_from_1_after_a_colon_and_from_0_in_brackets():
    arm = flexarm.parse_arm(TEXT)
    meanings = {
        load_measure(name, arm).meaning for name in ("max_moment:2", "max_moment[1]", "max_moment[-1]")
    }
    assert meanings == {"largest bending moment of link 2"}

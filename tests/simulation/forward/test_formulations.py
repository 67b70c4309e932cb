"""Runs by every formulation: the same motion, whatever the equations were derived with."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.errors import SpecError

SAME_MOTION = 1e-7
"""Relative to the largest value: round-off of the equations, grown by the motion's own sensitivity."""


def with_run(arm, **changes):
    return arm.model_copy(update={"run": arm.run.model_copy(update=changes)})


@cache
def run(robot: str, formulation: str, duration: float | None = None):
    """Run without stiffening, which not all formulations have."""
    arm = flexarm.load_arm(ROBOTS / f"{robot}.yaml").model_copy(update={"geometric_stiffening": False})
    changes = {"formulation": formulation, "rtol": 1e-10, "atol": 1e-12}
    return flexarm.simulate(with_run(arm, **changes, **({"duration": duration} if duration else {})))


@pytest.mark.parametrize(
    ("robot", "duration", "formulation"),
    thinned(
        [
            (robot, duration, formulation)
            for robot, duration in (("usoro_two_link", None), ("spatial_three_link", 0.5))
            for formulation in FORMULATIONS
            if formulation != "gibbs-appell"
        ],
        every=6,
        keep=(("usoro_two_link", None, "elastodynamics"),),
    ),
)
def test_same_motion(robot, duration, formulation):
    expected, result = run(robot, "gibbs-appell", duration), run(robot, formulation, duration)
    for name in ("joint_angle", "mode_amplitude", "joint_velocity", "point_position", "torque"):
        error = np.abs(result[name] - expected[name]).max()
        scale = np.abs(expected[name]).max() or 1.0
        print(f"{robot}, {formulation}, {name}: {error / scale:.1e}")
        assert error <= SAME_MOTION * scale, name
    assert result.attributes["formulation"] == formulation


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_acceleration_energy_on_request(tmp_path, formulation):
    """On a uniform rod that falls about its start E_A is 1/2 (m l^2 / 3) (q_dd^2 + q_d^4): every point circles."""
    arm = flexarm.parse_arm(f"""
name: rod
links: [{{length: 0.7, mu: 2.0}}]
initial: {{joints: [20 deg], joint_rates: [1.5]}}
run: {{duration: 0.5, sample: 0.05, formulation: {formulation}, record: [acceleration_energy]}}
""")
    result = flexarm.simulate(arm, output=tmp_path / "rod.h5")
    q_d, q_dd = result["joint_velocity"][:, 0], result["joint_acceleration"][:, 0]
    expected = 2.0 * 0.7**3 / 3 * (q_dd**2 + q_d**4) / 2
    np.testing.assert_allclose(result["energy_acceleration"], expected, rtol=1e-12)
    again = flexarm.open_result(tmp_path / "rod.h5")
    np.testing.assert_array_equal(again["energy_acceleration"], result["energy_acceleration"])
    assert "energy_acceleration" not in flexarm.simulate(with_run(arm, record=()))


def test_acceleration_energy_of_an_arm_without_one():
    """Of stiffened and of floating arms [NA04] has none."""
    text = (ROBOTS / "usoro_two_link.yaml").read_text()
    assert "geometric_stiffening: false" in text
    text = text.replace("geometric_stiffening: false", "geometric_stiffening: true")
    with pytest.raises(
        flexarm.SpecError, match=r"run\.record: 'acceleration_energy' is that of elastodynamics"
    ):
        flexarm.parse_arm(text.replace("run: {", "run: {record: [acceleration_energy], "))


BALANCED = """
name: balanced
base: {base}
links:
  - {{length: 0.7, mu: 2.0, EI: 30, damping: 0.02, modes: {{family: clamped-free, count: 2}}}}
  - {{length: 0.5, mu: 1.0, EI: 20, modes: {{family: clamped-free, count: 1}}}}
joints: [{{friction: {{viscous: 0.3}}}}, {{}}]
payload: {{mass: 0.1}}
drive: [{{torque: 3 * sin(5 * t)}}, {{motion: 0.5 * sin(2 * t)}}]
loads: [{{at: {{link: 2, at: 0.5}}, force: ["2 * t", 1, 0]}}]
run: {{duration: 0.4, sample: 0.02, record: [generalised_forces]}}
"""


@pytest.mark.parametrize("base", ["fixed", "planar"])
def test_generalised_forces_balance_at_every_sample(base):
    """Inertia, gravity, deformation and friction are what drives, prescribed joints and loads do."""
    result = flexarm.simulate(flexarm.parse_arm(BALANCED.format(base=base)))
    terms = {name: result[f"force_{name}"] for name in ("inertia", "gravity", "deformation", "friction")}
    total, driven = sum(terms.values()), result["force_drive"] + result["force_load"]
    size = max(np.abs(term).max() for term in terms.values())
    np.testing.assert_allclose(total, driven, atol=1e-10 * size)
    assert all(np.abs(term).max() > 1e-3 for term in (*terms.values(), result["force_load"]))
    q_d, joint_rows = result["joint_velocity"], [0, 3]
    np.testing.assert_allclose(terms["friction"][:, 0], 0.3 * q_d[:, 0], atol=1e-12)
    np.testing.assert_allclose(result["force_drive"][:, joint_rows], result["torque"], atol=1e-12)


def test_generalised_forces_of_inverse_dynamics():
    arm = with_run(flexarm.load_arm(INVERSE_ARM), record=("generalised_forces",))
    result = flexarm.inverse(arm, flexarm.load_trajectory(INVERSE_TRAJECTORY), method="causal")
    total = sum(result[f"force_{name}"] for name in ("inertia", "gravity", "deformation", "friction"))
    size = np.abs(result["force_deformation"]).max()
    np.testing.assert_allclose(total, result["force_drive"] + result["force_load"], atol=1e-9 * size)


INVERSE_ARM = ROBOTS / "korayem_1994_simply_supported.yaml"
INVERSE_TRAJECTORY = ROBOTS / "trajectories" / "korayem_1994.yaml"


@pytest.mark.parametrize("formulation", thinned(FORMULATIONS, every=4))
def test_inverse_dynamics_by_every_formulation(formulation):
    """[SY94] case: torques at 0 and 0.5 s, theory's reference values."""
    arm = with_run(flexarm.load_arm(INVERSE_ARM), formulation=formulation)
    trajectory = flexarm.load_trajectory(INVERSE_TRAJECTORY)
    result = flexarm.inverse(arm, trajectory, method="causal")
    at = [int(np.argmin(np.abs(result.time - t))) for t in (0.0, 0.5)]
    np.testing.assert_allclose(result.torque[at], [[0.03501, 0.01167], [-0.07532, 0.04450]], atol=2e-5)


DESCRIPTION = """
name: asking
{key}
links: [{{length: 0.7, mu: 2.0, EI: 30, modes: {{family: clamped-free, count: 1}}}}, {{length: 0.5, mu: 1.0}}]
joints: [{{type: fixed, inertia: [0.1, 0.1, 0.1]}}, {{}}]
payload: {{mass: 0.1, inertia: 0.1}}
initial: {{joints: [0.0, 0.5]}}
run: {{duration: 0.02, sample: 0.01, formulation: {formulation}}}
"""
PLAIN = "geometric_stiffening: false"


@pytest.mark.parametrize(
    ("key", "capability", "remedy"),
    thinned(
        [
            (f"{PLAIN}\nbase: planar", "planar_base", ""),
            (f"{PLAIN}\nbase: free", "free_base", "use articulated or gibbs-appell or lagrangian"),
            (
                "geometric_stiffening: true",
                "stiffening",
                f"write {PLAIN}, or use articulated or gibbs-appell",
            ),
            ("", "stiffening", f"write {PLAIN}, or use articulated or gibbs-appell"),
        ],
        every=2,
    ),
)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_what_the_formulation_cannot_do_is_refused_with_its_line(formulation, key, capability, remedy):
    """Published for links that keep their length: the description says what to write instead."""
    text = DESCRIPTION.format(key=key, formulation=formulation)
    if getattr(FORMULATIONS[formulation].can, capability):
        assert flexarm.simulate(flexarm.parse_arm(text)).status == "complete"
        return
    line = (key.splitlines() or ["geometric_stiffening: true"])[-1]
    with pytest.raises(SpecError) as fault:
        flexarm.parse_arm(text)
    (problem,) = fault.value.problems
    assert (problem.key, problem.hint) == ("run.formulation", remedy)
    assert f"got '{formulation}', which has no equations for {line}" in problem.message


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rigid_arms_have_nothing_to_shorten(formulation):
    text = DESCRIPTION.format(key="", formulation=formulation)
    rigid = text.replace(", EI: 30, modes: {family: clamped-free, count: 1}", "")
    assert rigid != text
    assert flexarm.simulate(flexarm.parse_arm(rigid)).status == "complete"

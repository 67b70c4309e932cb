"""A floating body under an arm: the same motion as of a rigid link in its place, and the same conservation laws."""

import numpy as np
import pytest
from breadth import thinned

import flexarm

AGREEMENT = 1e-12
"""Two descriptions of one arm, whose equations round differently; of coordinates near 1 over a second."""
TIGHT = "rtol: 1e-12, atol: 1e-14"

ARM = """\
links:
{body}  - {{length: 1.5, mu: 2.0, EI: {{y: 200.0, z: 300.0}}, modes: {{count: 2, family: clamped-free}}, damping: 0.01}}
  - {{length: 1.0, mu: 1.0}}
"""


def disguised(base: str, joint: str, initial: str, twist: str) -> flexarm.Arm:
    """The satellite as link 1: 0.8 m long, 200 kg, its mass centre in its middle."""
    body = "  - {length: 0.8, mu: 250.0, rotary_inertia: [60.0, 40.0, 40.0]}\n"
    return flexarm.parse_arm(
        f"name: disguised\ngravity: [0, 0, 0]\nbase: {base}\n{ARM.format(body=body)}"
        f"joints: [{joint}, {{twist: {twist}}}, {{mass: 1.0}}]\npayload: {{mass: 3.0, inertia: 0.1}}\n"
        f'drive: [null, {{torque: "3*sin(2*t)"}}, {{torque: "1*cos(3*t)"}}]\ninitial: {initial}\n'
        f"run: {{duration: 1.0, sample: 0.1, {TIGHT}}}\n"
    )


def with_body(base: str, initial: str, twist: str) -> flexarm.Arm:
    """The satellite as the body of the base: inertia of that link about its mass centre, a rod with rotary inertia."""
    own = [0.8 * J for J in (60.0, 40.0, 40.0)]
    rod = 200.0 * 0.8**2 / 12
    inertia = [own[0], own[1] + rod, own[2] + rod]
    return flexarm.parse_arm(
        f"name: with-body\ngravity: [0, 0, 0]\n"
        f"base: {{type: {base}, mass: 200.0, inertia: {inertia}, attachment: [0.4, 0, 0]}}\n"
        f"{ARM.format(body='')}joints: [{{twist: {twist}}}, {{mass: 1.0}}]\npayload: {{mass: 3.0, inertia: 0.1}}\n"
        f'drive: [{{torque: "3*sin(2*t)"}}, {{torque: "1*cos(3*t)"}}]\ninitial: {initial}\n'
        f"run: {{duration: 1.0, sample: 0.1, {TIGHT}}}\n"
    )


# O_1 of the disguised satellite is its rear end, that of the other the joint, 0.8 m in front, which goes round it.
PAIRS = {
    "planar": (
        disguised("planar", "{}", "{joints: [0.3, 0.5, -0.4], joint_rates: [0.2, 0, 0.1]}", "0"),
        with_body(
            "planar",
            "{joints: [0.5, -0.4], joint_rates: [0, 0.1], base: [0.8*cos(0.3), 0.8*sin(0.3), 0.3],"
            " base_rates: [-0.16*sin(0.3), 0.16*cos(0.3), 0.2]}",
            "0",
        ),
    ),
    "free": (
        disguised(
            "free",
            "{type: fixed}",
            "{joints: [0.5, -0.4], joint_rates: [0, 0.1], base_rates: [0, 0, 0, 0.1, -0.1, 0.2]}",
            "90 deg",
        ),
        with_body(
            "free",
            "{joints: [0.5, -0.4], joint_rates: [0, 0.1], base: [0.8, 0, 0, 0, 0, 0],"
            " base_rates: [0, 0.16, 0.08, 0.1, -0.1, 0.2]}",
            "90 deg",
        ),
    ),
}


@pytest.fixture(scope="module", params=PAIRS)
def runs(request):
    return tuple(map(flexarm.simulate, PAIRS[request.param]))


def test_both_move_alike(runs):
    link, body = runs
    np.testing.assert_allclose(body.point_position, link.point_position[:, 1:], rtol=0, atol=3 * AGREEMENT)
    np.testing.assert_allclose(body.joint_angle, link.joint_angle[:, 1:], rtol=0, atol=10 * AGREEMENT)
    np.testing.assert_allclose(body.mode_amplitude, link.mode_amplitude, rtol=0, atol=AGREEMENT)


@pytest.mark.parametrize(
    "name", ["energy_kinetic", "energy_strain", "momentum", "angular_momentum", "mass_centre"]
)
def test_both_have_the_same_energy_and_momentum(runs, name):
    link, body = runs
    np.testing.assert_allclose(
        body[name], link[name], rtol=AGREEMENT, atol=AGREEMENT * np.abs(link[name]).max()
    )


def test_momentum_is_kept(runs):
    for name in ("momentum", "angular_momentum"):
        values = runs[1][name]
        assert np.abs(values - values[0]).max() < 1e-11 * (1 + np.abs(values).max())


def test_the_attitude_is_that_of_the_link(runs):
    link, body = runs
    if link.arm.base == "planar":
        turn = 2 * np.arctan2(body.base_orientation[:, 3], body.base_orientation[:, 0])
        np.testing.assert_allclose(turn, link.joint_angle[:, 0], rtol=0, atol=AGREEMENT)
        np.testing.assert_allclose(
            body.base_angular_velocity[:, 2], link.joint_velocity[:, 0], atol=AGREEMENT
        )
        np.testing.assert_allclose(body.theta()[:, -1], turn, rtol=0, atol=AGREEMENT)
        np.testing.assert_allclose(body.theta_d()[:, -1], link.joint_velocity[:, 0], rtol=0, atol=AGREEMENT)
    else:
        np.testing.assert_allclose(body.base_orientation, link.base_orientation, rtol=0, atol=AGREEMENT)


@pytest.mark.parametrize("kind", thinned(PAIRS))
def test_natural_modes_and_masses_agree(kind):
    link, body = PAIRS[kind]
    found = [flexarm.natural_modes(arm).modes.natural_frequency for arm in (link, body)]
    flexible = [frequencies[frequencies > 1.0] for frequencies in found]
    np.testing.assert_allclose(flexible[1], flexible[0], rtol=1e-9)
    checked = [flexarm.check_arm(arm) for arm in (link, body)]
    assert checked[0].total_mass == pytest.approx(checked[1].total_mass, rel=1e-14)
    assert checked[1].base_mass == 200.0


def test_a_body_is_varied_by_sweeps_and_its_numbers_stay_open():
    from flexarm.simulation.forward.parametric_model import ParametricModel
    from flexarm.sweeps.parameters.variation import Variation

    text = PAIRS["planar"][1].text
    variation = Variation(text, ["base.mass", "base.attachment[0]"])
    arms = [variation.arm(point) for point in ([100.0, 0.3], [300.0, 0.5])]
    assert [arm.base_body.mass for arm in arms] == [100.0, 300.0]
    assert ParametricModel(arms).state_equation.n_parameters


FAULTS = [
    ("mass: 200.0, ", "", "base.mass", "missing"),
    ("type: free, ", "", "base.type", "missing"),
    ("type: free", "type: fixed", "base.type", "expected one of planar, free"),
    ("mass: 200.0", "mass: 0", "base.mass", "expected a number > 0"),
    ("attachment", "atachment", "base.atachment", "did you mean 'attachment'"),
    ("[0.4, 0, 0]", "0.4", "base.attachment", "a list of 3 numbers"),
    ("type: free", "type: planar", "initial.base", "expected 3 for a planar base that turns"),
]


@pytest.mark.parametrize(("old", "new", "key", "words"), FAULTS)
def test_faults_name_the_key_of_the_body(old, new, key, words):
    text = PAIRS["free"][1].text
    assert old in text
    with pytest.raises(flexarm.SpecError) as caught:
        flexarm.parse_arm(text.replace(old, new))
    found = next(problem for problem in caught.value.problems if problem.key == key)
    assert found.line is not None
    assert words in str(found)


@pytest.mark.parametrize("typed", ["flying", "[1]", "{}", "true"])
def test_what_is_no_base_is_refused(typed):
    with pytest.raises(flexarm.SpecError, match="base"):
        flexarm.parse_arm(f"name: x\nbase: {typed}\nlinks: [{{length: 1, mu: 1}}]\n")

"""Frequency responses against modal sums in closed form, other formulas for the same, and what is refused."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexarm
from flexarm.analysis.linear_models.frequency_response import response_of
from flexarm.analysis.linear_models.simulated_response import line_groups
from flexarm.errors import ModelError

LENGTH, MU, EI, RATIO, MODES = 0.8, 0.5, 12.0, 0.01, 4
CANTILEVER = f"""\
name: cantilever
gravity: [0, 0, 0]
links: [{{length: {LENGTH}, mu: {MU}, EI: {EI}, modes: {{family: clamped-free, count: {MODES}}}, damping: {RATIO}}}]
joints: [{{type: fixed}}]
"""
SERVO = """\
name: servo
gravity: [0, 0, 0]
links: [{length: 0.8, mu: 0.5, EI: 30, modes: 2, damping: 0.01}]
joints: [{friction: {viscous: 0.1}}]
drive: [{pd: {kp: 20, kd: 3, ki: 5, reference: 0}}]
"""


def modal_sum(frequencies):
    """Tip's deflection [m] for a unit force [N] at the tip of a uniform cantilever, whose modes are orthogonal."""
    beta = [brentq(lambda b: np.cos(b) * np.cosh(b) + 1, (k + 0.5) * np.pi - 1.3, (k + 0.5) * np.pi + 1.3, xtol=1e-15)
            for k in range(MODES)]  # fmt: skip
    w, natural = 2 * np.pi * np.asarray(frequencies), np.array(beta) ** 2 * np.sqrt(EI / (MU * LENGTH**4))
    terms = 4 / (MU * LENGTH) / (natural**2 - w[:, None] ** 2 + 2j * RATIO * natural * w[:, None])
    return terms.sum(axis=1), natural / (2 * np.pi)


def test_a_force_on_a_cantilever_gives_the_modal_sum():
    arm = flexarm.parse_arm(CANTILEVER)
    found = flexarm.frequency_response(arm, inputs="force@1:1:y", outputs=["tip"])
    expected, natural = modal_sum(found.frequencies)
    np.testing.assert_allclose(found["tip_y", "force_y@1:1"], expected, rtol=1e-9)
    np.testing.assert_allclose(found.model.modes.natural_frequency, natural, rtol=1e-10)
    size = np.abs(found["tip_y", "force_y@1:1"])
    assert size.max() == pytest.approx(
        np.abs(modal_sum(natural[:1])[0][0]), rel=1e-3
    )  # its grid meets the peak


def test_the_static_value_is_that_of_the_beam_but_for_modes_left_out():
    found = flexarm.frequency_response(flexarm.parse_arm(CANTILEVER), inputs="force@1:1:y", outputs=["tip"],
                                       frequencies=[1e-6])  # fmt: skip
    missing = LENGTH**3 / (3 * EI) - found["tip_y", "force_y@1:1"][0].real
    later = sum(
        4 * LENGTH**3 / (EI * ((k + 0.5) * np.pi) ** 4) for k in range(MODES, 2000)
    )  # cosh hides e^-14
    assert missing == pytest.approx(later, rel=1e-4)


def test_forces_along_the_link_and_between_its_ends_act_through_its_shapes():
    arm = flexarm.parse_arm(CANTILEVER.replace("joints: [{type: fixed}]", "initial: {joints: [90 deg]}"))
    model = flexarm.linearize(arm, inputs=["torque", "force@1:0.5:x", "force@1:1:z"], outputs=["tip"])
    assert model.inputs == ("tau_1", "force_x@1:0.5", "force_z@1:1")
    assert model.input_units == ("N m", "N", "N")
    # upright, a force along -x turns the joint with its lever and bends by the value of each shape there
    reciprocal = flexarm.linearize(arm, outputs=["deflection@1:0.5"])
    response = response_of(model, np.array([3.0]))["tip_x", "force_x@1:0.5"]
    assert model.forces[0, 1] == pytest.approx(-0.5 * LENGTH, rel=1e-12)
    np.testing.assert_allclose(
        model.forces[1:, 1],
        -reciprocal.C[list(reciprocal.outputs).index("deflection_y@1:0.5"), 1 : MODES + 1],
        rtol=1e-12,
    )
    assert not model.forces[:, 2].any()
    assert np.isfinite(response).all()


def test_a_reference_passes_through_its_drive():
    """Closed loop of the torque's response G: (kp + kd s + ki/s) G/(1 + (kp + kd s + ki/s) G)."""
    arm = flexarm.parse_arm(SERVO)
    closed = flexarm.frequency_response(arm, inputs="reference", outputs=["joints", "tip"])
    free = flexarm.parse_arm(SERVO.replace("drive: [{pd: {kp: 20, kd: 3, ki: 5, reference: 0}}]", ""))
    opened = flexarm.frequency_response(free, outputs=["joints", "tip"], frequencies=closed.frequencies)
    s = 2j * np.pi * closed.frequencies
    gain = 20 + 3 * s + 5 / s
    for output in ("q_1", "tip_y"):
        expected = gain * opened[output, "tau_1"] / (1 + gain * opened["q_1", "tau_1"])
        np.testing.assert_allclose(closed[output, "r_1"], expected, rtol=1e-9)


def test_zeros_are_where_nothing_comes_through():
    found = flexarm.frequency_response(
        flexarm.parse_arm(SERVO.replace(", damping: 0.01", "")), outputs=["joints"]
    )
    zeros = found.zeros["q_1", "tau_1"]
    held = flexarm.natural_modes(found.model.point.arm, joints="locked").frequencies
    np.testing.assert_allclose(np.sort(np.imag(zeros)[np.imag(zeros) > 0]) / (2 * np.pi), held, rtol=1e-9)


def test_zeros_that_are_not_computed_keep_nothing_else_back():
    found = flexarm.frequency_response(
        flexarm.parse_arm(SERVO), inputs=["force@1:1:y"], joints="pd", outputs=["tip"]
    )
    assert found.zeros == {}
    assert found.result()["channel_zero"].shape == (2, 1, 0, 2)


def test_a_result_keeps_everything(tmp_path):
    found = flexarm.frequency_response(
        flexarm.parse_arm(SERVO), inputs="reference", outputs=["joints"], last=50.0
    )
    found.result("test").save(tmp_path / "frf.h5")
    read = flexarm.open_result(tmp_path / "frf.h5")
    assert read.attributes["inputs"] == "r_1 [rad]"
    parts = read["frequency_response"]
    np.testing.assert_array_equal(parts[..., 0] + 1j * parts[..., 1], found.response)
    assert read["response_frequency"][-1] <= 50.0
    assert repr(found).startswith("FrequencyResponse of 'servo': r_1 -> q_1,")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"inputs": "force@1:1"},
            "expected torque, reference, voltage, force@LINK:AT:AXIS, base:AXIS or a disturbance",
        ),
        ({"inputs": "force@2:1:y"}, "got link 2, expected 1 to 1"),
        ({"inputs": "force@1:2:y"}, "got 2, expected 0"),
        ({"inputs": "force@1:1:w"}, "got the axis 'w', expected x, y, z"),
        ({"inputs": "torqe"}, "did you mean 'torque'"),
        ({"frequencies": []}, "positive"),
        ({"frequencies": [1.0, 1.0]}, "ascend"),
        ({"frequencies": [float("nan")]}, "positive"),
        ({"first": 5.0, "last": 1.0}, "expected positive ones, the second larger"),
        ({"first": 0.0}, "expected positive ones"),
        ({"points": 1}, "at least 2"),
    ],
)
def test_what_is_refused(options, said):
    with pytest.raises(ModelError, match=said):
        flexarm.frequency_response(flexarm.parse_arm(SERVO), **options)


RULER = """\
name: ruler
gravity: [0, 0, 0]
links:
  - {length: 0.45, mu: 0.13333333333333333, EI: 0.2494, modes: {family: clamped-free, count: 2},
     damping: {ratio: 0.005, of: assembled}}
joints: [{motor: {inertia: 3.9e-7, gear: 70}, friction: {viscous: 0.004}}]
payload: {mass: 0.05}
drive: [{pd: {kp: 2, kd: 0.25, reference: 0}}]
"""


@pytest.mark.parametrize(("amplitude", "least", "most"), [(2e-4, 0.0, 1e-4), (2e-3, 5e-4, 6e-3)])
def test_a_multisine_of_the_nonlinear_arm_finds_its_linear_model(amplitude, least, most):
    """What is nonlinear is quadratic and cubic in the amplitude: ten times that, a hundred times the difference."""
    found = flexarm.frequency_response(
        flexarm.parse_arm(RULER), inputs="reference", outputs=["joints"], first=0.5, last=8.0
    ).simulate(amplitude=amplitude)
    simulation = found.simulation
    assert simulation is not None
    assert simulation.frequencies[[0, -1]] == pytest.approx([0.5, 8.0])
    assert simulation.frequencies.size == 31
    model = response_of(found.model, simulation.frequencies).response
    apart = np.abs(simulation.response - model) / np.abs(model)
    assert least <= apart.max() < most
    assert (
        simulation.spread.max() < 1e-7
    )  # what DECAYED, 1e-9, leaves of a transient that is larger than the response


def test_a_multisine_over_a_wide_range_has_few_lines():
    """Multiples of its lowest line, about evenly spread over their logarithms."""
    (group,) = line_groups(0.1, 100.0, 31, "multisine")
    assert group.lines[[0, -1]] == pytest.approx([0.1, 100.0])
    assert 20 <= group.lines.size <= 31
    assert group.period == pytest.approx(10.0)
    multiples = group.lines * group.period
    np.testing.assert_allclose(multiples, multiples.round(), rtol=1e-12)


def test_single_lines_against_gravity_and_loads_find_the_linear_model():
    text = RULER.replace(
        "gravity: [0, 0, 0]\n", "initial: {joints: [0.4]}\nloads: [{at: tip, force: [0, 0.2, 0]}]\n"
    )
    arm = flexarm.parse_arm(text.replace("reference: 0}", "reference: 0.1}, gravity_compensation: true"))
    found = flexarm.frequency_response(
        arm, inputs=["reference", "force@1:1:y"], outputs=["joints", "tip"], first=1.0, last=4.0
    ).simulate("sweep", amplitude=1e-4, lines=2)
    assert found.simulation is not None
    model = response_of(found.model, found.simulation.frequencies).response
    np.testing.assert_allclose(
        found.simulation.response, model, rtol=0, atol=2e-4 * np.abs(model).max(axis=0).min()
    )


def test_a_measured_response_stands_beside_the_only_channel():
    found = flexarm.frequency_response(flexarm.parse_arm(RULER), inputs="reference", outputs=["joints"])
    result = found.beside([1.0, 2.0], [1.0, 0.5j]).result()
    np.testing.assert_array_equal(result["measured_response"], [[1, 0], [0, 0.5]])
    with pytest.raises(ModelError, match="finite values"):
        found.beside([1.0, 2.0], [1.0])


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (RULER, {"amplitude": 0.0}, "amplitude"),
        (RULER, {"amplitude": 1e-3, "lines": 1}, "lines"),
        (RULER, {"amplitude": 1e-3, "lines": 61}, "at most 60 of a multisine"),
        (RULER.replace("kp: 2", "kp: 0"), {"amplitude": 1e-3}, "motions that all decay"),
    ],
)
def test_what_cannot_be_simulated(text, options, said):
    found = flexarm.frequency_response(flexarm.parse_arm(text), inputs="reference", outputs=["joints"])
    with pytest.raises(ModelError, match=said):
        found.simulate(**options)

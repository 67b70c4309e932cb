"""Numbers from natural frequencies and damping ratios: cantilevers, whose frequencies go with the root of EI/mu."""

import numpy as np
import pytest

import flexarm
from flexarm.analysis.linear_models.measured_response import load_response
from flexarm.errors import ModelError

CANTILEVER = """\
name: cantilever
gravity: [0, 0, 0]
links: [{length: 0.8, mu: 0.5, EI: 12, modes: 2, damping: {ratio: 0.01, of: assembled}}]
"""
BARE = CANTILEVER.replace(
    "modes: 2, damping: {ratio: 0.01, of: assembled}", "modes: {family: clamped-free, count: 2}"
)


def test_stiffness_from_a_frequency():
    """The first frequency of a beam in clamped-free modes is exact: 1.8751^2 (EI/mu)^(1/2)/(2 pi l^2)."""
    arm = flexarm.parse_arm(BARE)
    measured = 1.8751040687119611**2 * np.sqrt(20 / 0.5) / (2 * np.pi * 0.8**2)
    found = flexarm.identify(arm, fit=["links[0].EI"], frequencies=[measured], joints="locked")
    assert found["links[0].EI"] == pytest.approx(20, rel=1e-7)
    # an error of 1 % that is assumed of the frequency is one of 2 % of the stiffness
    assert found.standard_errors[0] / 20 == pytest.approx(0.02, rel=1e-4)
    assert found.modes == (("frequency 1", measured, pytest.approx(measured), 0.01 * measured),)


def test_a_number_takes_the_place_of_an_expression():
    """And is said; a parameter in the expression may be fitted in its place."""
    text = "parameters: {E: 6}\n" + BARE.replace("EI: 12", "EI: 2*E")
    arm, options = flexarm.parse_arm(text), {"frequencies": [5.5], "joints": "locked"}
    found = flexarm.identify(arm, fit=["links[0].EI"], **options)
    assert found.remarks == ("links[0].EI: a number has taken the place of 2*E",)
    assert found.arm.text == text.replace("2*E", found.arm.text.partition("EI: ")[2].partition(",")[0])
    by_parameter = flexarm.identify(arm, fit=["parameters.E"], **options)
    assert by_parameter.remarks == ()
    assert 2 * by_parameter["parameters.E"] == pytest.approx(found["links[0].EI"], rel=1e-7)


@pytest.mark.slow
def test_damping_and_a_load_with_errors_of_their_own():
    truth = flexarm.parse_arm(CANTILEVER + "payload: {mass: 0.15}\n")
    modes = flexarm.natural_modes(truth, joints="locked").modes
    first, second = modes.natural_frequency
    found = flexarm.identify(
        flexarm.parse_arm(CANTILEVER + "payload: {mass: 0.1}\n"),
        fit=["payload.mass in [0.01, 1]", "links[0].damping.ratio=0.03", "links[0].EI=15"],
        frequencies=f"{first} Hz +- 0.01 Hz, {second} +- 0.1",
        damping_ratios=f"{100 * modes.damping_ratio[0]} % +- 0.01 %, -",
        joints="locked",
    )
    np.testing.assert_allclose(found.values, [0.15, 0.01, 12], rtol=1e-5)
    # the ratio is proportional to that of the link
    error = 1e-4 * 0.01 / modes.damping_ratio[0]
    assert found.standard_errors[1] == pytest.approx(error, rel=0.1)


@pytest.mark.slow
def test_stiffness_and_mass_are_not_told_apart_by_frequencies():
    arm = flexarm.parse_arm(CANTILEVER)
    found = flexarm.identify(
        arm, fit=["links[0].EI", "links[0].mu"], frequencies=[4.5, 28.0], joints="locked"
    )
    assert found.remarks == ("only links[0].EI/links[0].mu is known, none of them by itself",)


@pytest.mark.slow
def test_runs_and_frequencies_together():
    """A swing does not tell the damping of the second mode; a measured ratio does."""
    text = (
        CANTILEVER
        + "initial: {modes: [0.01, 0]}\njoints: [{type: fixed}]\nrun: {duration: 1, sample: 0.005}\n"
    )
    arm = flexarm.parse_arm(text)
    result = flexarm.simulate(arm)
    data = {"time": result.time, "tip_y": result.tip[:, 1]}
    data["tip_y"] = data["tip_y"] + 1e-4 * np.random.default_rng(5).normal(size=result.time.size)
    frequency = flexarm.natural_modes(arm, joints="locked").frequencies[0]
    found = flexarm.identify(
        arm,
        data,
        ["links[0].EI=14", "links[0].mu=0.6"],
        frequencies=f"{frequency} Hz +- 1e-6 Hz",
        joints="locked",
    )
    assert found.values[0] / found.values[1] == pytest.approx(24, rel=1e-4)


@pytest.mark.slow
def test_modes_that_the_arm_cannot_have_are_said():
    """Of a uniform cantilever the second frequency is 6.27 times the first, whatever its stiffness."""
    found = flexarm.identify(
        flexarm.parse_arm(BARE), fit=["links[0].EI"], frequencies="4.5 +- 0.01, 36 +- 0.1", joints="locked"
    )
    assert any("frequency 1, frequency 2: missed by more than 3 errors" in one for one in found.cautions)


SERVO = """\
name: servo
gravity: [0, 0, 0]
links: [{length: 0.45, mu: 0.1333, EI: 0.2494, modes: 2, damping: {ratio: 0.01, of: assembled}}]
joints: [{motor: {inertia: 3.9e-7, gear: 70}, friction: {viscous: 0.004}}]
payload: {mass: 0.05}
drive: [{pd: {kp: 2, kd: 0.25, reference: 0}}]
"""


def response(noise, seed=0):
    """Response of the tip to the reference, with a relative noise."""
    f = np.geomspace(0.5, 40, 60)
    arm = flexarm.parse_arm(SERVO)
    exact = flexarm.frequency_response(arm, inputs="reference", outputs=["tip"], frequencies=f)[
        "tip_y", "r_1"
    ]
    random = np.random.default_rng(seed)
    return f, exact * (1 + noise * (random.normal(size=f.size) + 1j * random.normal(size=f.size)))


@pytest.mark.slow
def test_numbers_from_a_frequency_response(tmp_path):
    """From a file as `frf --measured` takes it, with resonances off by 40 %, and noise of 2 %."""
    f, measured = response(0.02)
    rows = np.column_stack([f, np.abs(measured), np.degrees(np.angle(measured))])
    np.savetxt(tmp_path / "response.csv", rows, delimiter=",")
    fits = ["links[0].EI=0.5", "payload.mass=0.04"]
    found = flexarm.identify(
        flexarm.parse_arm(SERVO),
        fit=fits,
        frf=tmp_path / "response.csv",
        channel=("reference", "tip"),
        joints="pd",
    )
    errors = (found.values - [0.2494, 0.05]) / found.standard_errors
    assert np.abs(errors).max() < 5
    assert found.known.all()
    assert found.response is not None
    # 1 + noise of 0.02 in both parts, but for what two unknowns take of 120 values
    assert found.response.difference == pytest.approx(0.02 * np.sqrt(2), rel=0.3)


@pytest.mark.parametrize(
    ("frf", "channel", "words"),
    [
        (3, ("torque", "tip"), "frf: got int"),
        ({"frequency": [1, 2], "response": [1]}, ("torque", "tip"), "as many finite values"),
        ({"frequency": [2, 1], "response": [1, 1]}, ("torque", "tip"), "ascending"),
        ({"frequency": [1, 2], "response": [1, 0]}, ("torque", "tip"), "a response of 0"),
        ({"frequency": [1, 2], "response": [1, 1]}, ("torque", "tup"), "unknown output"),
        ({"frequency": [1, 2], "response": [1, 1]}, ("push", "tip"), "push"),
        pytest.param(
            {"frequency": [1, 2], "response": [1, 1]},
            ("force@1:1:y", "deflection@1:1"),
            None,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_responses_that_are_none(frf, channel, words):
    arm = flexarm.parse_arm(SERVO)
    if words is None:
        assert flexarm.identify(arm, fit=["links[0].EI"], frf=frf, channel=channel, joints="pd").names
        return
    with pytest.raises(flexarm.ModelError, match=words):
        flexarm.identify(arm, fit=["links[0].EI"], frf=frf, channel=channel, joints="pd")


def test_what_settles_is_no_mode_of_a_tap():
    """A hub that viscous friction brakes has a real pole, slower than the first vibration."""
    hub = "joints: [{friction: {viscous: 0.02}}]\n"
    truth = flexarm.natural_modes(flexarm.parse_arm(CANTILEVER + hub)).modes
    frequencies = truth.natural_frequency[truth.damping_ratio < 1]
    assert len(frequencies) == 2 < np.count_nonzero(truth.natural_frequency)
    start = flexarm.parse_arm(CANTILEVER.replace("EI: 12", "EI: 9") + hub)
    found = flexarm.identify(start, fit=["links[0].EI"], frequencies=list(frequencies))
    assert found["links[0].EI"] == pytest.approx(12, rel=1e-6)


@pytest.mark.slow
def test_a_response_that_is_not_followed_is_doubted(tmp_path):
    arm, path = flexarm.parse_arm(CANTILEVER), tmp_path / "measured.csv"
    path.write_text("1, 10, -180\n2, 3, -180\n4, 1, 0\n")
    found = flexarm.identify(arm, fit=["links[0].EI"], frf=path)
    assert any(one.startswith("the response of the arm is off by ") for one in found.cautions)


@pytest.mark.parametrize("beside", [False, True])
def test_decibels_are_no_magnitudes(tmp_path, beside):
    arm, path = flexarm.parse_arm(CANTILEVER), tmp_path / "measured.csv"
    path.write_text("1, 2, -180\n2, -26, -180\n")
    with pytest.raises(ModelError, match=r"got the magnitude -26 at 2 Hz.*decibels 10\^\(dB/20\)"):
        _ = load_response(path) if beside else flexarm.identify(arm, fit=["links[0].EI"], frf=path)

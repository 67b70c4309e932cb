"""Gradients against closed forms and differences of runs at tight tolerances, and what is refused."""

import h5py
import numpy as np
import pytest
from breadth import thinned
from differences_of_runs import TIGHT, difference
from paths import ROBOTS
from scipy.io import loadmat

import flexarm
from flexarm.errors import ModelError, SpecError

CLAMPED = 1.8751040687119611  # first root of cos x cosh x = -1
ROD = """\
name: rod
links: [{length: 1.5, mu: 0.8}]
initial: {joints: [-1.5]}
run: {duration: 3.0, sample: 0.01, rtol: 1e-10, atol: 1e-13}
"""


def test_a_pendulum_of_small_swings():
    """q = a cos(w t) with w^2 = 3 g/(2 l): dq/dl = a w t sin(w t)/(2 l), dq/da = cos(w t), to a^2/16 of w."""
    arm = flexarm.parse_arm(ROD.replace("-1.5]", f"{-np.pi / 2 + 1e-5!r}]"))
    found = flexarm.gradient(arm, ["joint_angle[0]"], ["links[0].length", "initial.joints[0]"])
    w, t = np.sqrt(3 * 9.81 / (2 * 1.5)), found.times
    np.testing.assert_allclose(
        found["joint_angle[0]", "links[0].length"], 1e-5 * w * t * np.sin(w * t) / 3, atol=1e-13
    )
    np.testing.assert_allclose(found["joint_angle[0]", "initial.joints[0]"], np.cos(w * t), atol=1e-8)


def test_a_frequency_by_the_stiffness():
    """w = a cos(o t) of one mode of a clamped beam, o = 1.8751^2 (EI/mu)^(1/2)/l^2: dw/dEI = -a t sin(o t) o/(2 EI)."""
    length, mu, EI, a = 0.8, 0.5, 12.0, 1e-6
    arm = flexarm.parse_arm(f"""\
name: bell
gravity: [0, 0, 0]
links: [{{length: {length}, mu: {mu}, EI: {EI}, modes: {{family: clamped-free, count: 1}}}}]
joints: [{{type: fixed}}]
initial: {{modes: [{a}]}}
run: {{duration: 0.2, sample: 0.001, rtol: 1e-12, atol: 1e-20}}
""")
    tip = "link_deflection[0,-1,1]"
    found = flexarm.gradient(arm, [tip], ["links[0].EI"])
    o, t, w = CLAMPED**2 * np.sqrt(EI / mu) / length**2, found.times, found.series[tip][0]
    np.testing.assert_allclose(found.series[tip], w * np.cos(o * t), rtol=0, atol=1e-9 * w)
    expected = -w * t * np.sin(o * t) * o / (2 * EI)
    np.testing.assert_allclose(
        found[tip, "links[0].EI"], expected, rtol=0, atol=1e-8 * np.abs(expected).max()
    )


def test_a_static_deflection_by_stiffness_and_load():
    """A cantilever in equilibrium: d(F l^3/(3 EI))/dEI of its modes, w/F by the load."""
    arm = flexarm.parse_arm("""\
name: cantilever
gravity: [0, 0, 0]
links: [{length: 0.8, mu: 0.5, EI: 12, modes: 4}]
joints: [{type: fixed}]
loads: [{at: tip, force: [0, 2e-4, 0]}]
initial: {equilibrium: true}
run: {duration: 0.01, sample: 0.01, rtol: 1e-11, atol: 1e-14}
""")
    found = flexarm.gradient(arm, ["link_deflection[0,-1,1]"], ["links[0].EI", "loads[0].force[1]"])
    w = found.series["link_deflection[0,-1,1]"][0]
    assert w == pytest.approx(2e-4 * 0.8**3 / 36, rel=5e-3)  # four modes
    # linear in the load and in 1/EI but for the shortening, whose square is 1e-11 of it
    by_stiffness, by_force = found.series_derivative["link_deflection[0,-1,1]"][:, 0]
    assert by_stiffness == pytest.approx(-w / 12, rel=1e-8)
    assert by_force == pytest.approx(w / 2e-4, rel=1e-8)


BENT = ROD.replace("mu: 0.8}", "mu: 0.8, EI: 20, modes: 1, damping: 0.02}").replace("-1.5]", "0]")
MADE = "material: {E: 7.0e10, rho: 2700}, section: {shape: tube, diameter: 0.02, thickness: 0.002},"
AUTO = "shaper: {type: zv, frequency: auto}"
LED_ARMS = {
    "its own shaper": (f"pd: {{kp: 90, kd: 4, move: {{to: 1, duration: 0.6}}, {AUTO}}}", "links[0].EI"),
    "prescribed": (f"move: {{to: 1, duration: 0.6}}, {AUTO}", "links[0].EI"),
    "duration": ("move: {to: 1, duration: 0.6}", "drive[0].move.duration"),
    "limits": (
        "pd: {kp: 90, kd: 4, move: {to: 1, speed: 2, acceleration: 5}}",
        "drive[0].pd.move.acceleration",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(LED_ARMS, len(LED_ARMS)))
def test_moves_and_shapers_against_differences_of_runs(name):
    """An open shaper follows the arm: what changes its frequency changes when its impulses come."""
    drive, key = LED_ARMS[name]
    arm = flexarm.parse_arm(f"{BENT}drive: [{{{drive}}}]\n")
    found = flexarm.gradient(arm, ["tip"], [key])
    runs = difference(arm.replace(TIGHT), key, found.at[0], 1e-3 * found.at[0], lambda result: result.tip)
    size = np.abs(runs).max()
    # runs at 1e-13 over a step of 1e-3, and poles whose round-off is 1e-13 of the fastest one
    assert np.abs(found["tip", key] - runs).max() < 1e-6 * size + 1e-9 / found.at[0]


CASES = {
    "usoro_two_link": ["links[0].EI", "links[1].length", "initial.joints[0]"],
    "elastic_joints_two_link": ["joints[0].stiffness", "payload.mass"],
    "servo_arm": ["drive[0].pd.kp", "joints[0].motor.stall_torque", "drive[1].pd.move.duration"],
    "slewing_satellite": ["base.mass", "parameters.EI"],
    "dc_motor_link": ["links[0].EI", "joints[0].motor.resistance"],
    "spatial_three_link": ["payload.mass", "joints[1].friction.viscous"],
}


@pytest.mark.parametrize("name", thinned(list(CASES), len(CASES)))
def test_shipped_arms_against_differences_of_runs(name):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml").replace({"run.rtol": 1e-10, "run.atol": 1e-13})
    found = flexarm.gradient(arm, ["tip"], CASES[name])
    for key, at in zip(found.by, found.at, strict=True):
        runs = difference(arm.replace(TIGHT), key, at, 1e-4 * abs(at), lambda result: result.tip)
        size = np.abs(found["tip", key]).max()
        # runs at 1e-13 over a step of 1e-4 leave 1e-9 of the tip; vibrations of many periods are curved in the number
        assert np.abs(found["tip", key] - runs).max() < 1e-6 * size + 2e-9 / abs(at), key


LOADED = """\
name: loaded
links: [{length: 0.8, mu: 0.8, EI: 20, modes: 1, damping: 0.02}, {length: 0.6, mu: 0.5, EI: 20, modes: 1}]
joints: [{friction: {viscous: 0.5}}, {friction: {viscous: 0.5}}]
initial: {joints: [-1.0, 0.3]}
run: {duration: 0.4, sample: 0.01, rtol: 1e-10, atol: 1e-13, record: [loads]}
"""


def test_loads_follow_from_the_acceleration():
    """A thrown rod on its joint: what that carries is the rate of its momentum less its weight, m (a - g)."""
    arm = flexarm.parse_arm(ROD.replace("run: {", "run: {record: [loads], reaction_frame: base, "))
    found = flexarm.gradient(arm, ["joint_force[0]", "joint_angle[0]"], ["links[0].length"])
    q, m, g = found.series["joint_angle[0]"], 0.8 * 1.5, 9.81
    dq = np.asarray(found["joint_angle[0]", "links[0].length"])
    # from the balance of energy, m g l/2 (sin -1.5 - sin q) = m l^2 w^2/6, and q_dd = -3 g cos q/(2 l)
    along = -1.5 * m * g * (np.sin(-1.5) - np.sin(q))
    across = -0.75 * m * g * np.cos(q)
    along_d, across_d = 1.5 * m * g * np.cos(q) * dq, 0.75 * m * g * np.sin(q) * dq
    # derivatives by the length, of m too, along and across, turned into the base
    along_d, across_d = along_d + along / 1.5, across_d + across / 1.5
    e, n = np.array([np.cos(q), np.sin(q)]), np.array([-np.sin(q), np.cos(q)])
    expected = along_d * e + along * dq * n + across_d * n - across * dq * e + np.array([[0], [0.8 * g]])
    by_length = np.asarray(found["joint_force[0]", "links[0].length"])[:, :2].T
    np.testing.assert_allclose(by_length, expected, rtol=0, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["section_moment", "joint_force"])
def test_loads_against_differences_of_runs(name):
    arm, key = flexarm.parse_arm(LOADED), "links[0].length"
    found = flexarm.gradient(arm, [name], [key])
    runs = difference(arm.replace(TIGHT), key, 0.8, 8e-4, lambda result: result[name])
    np.testing.assert_allclose(found[name, key], runs, rtol=0, atol=1e-6 * np.abs(runs).max())


def test_stress_at_the_root_of_a_cantilever():
    """6 F l/(b h^2) of a load at rest, by F, l, h and b; by the modulus nothing but how little the arm shortens."""
    F, length, h, b = 0.02, 0.8, 0.004, 0.03
    arm = flexarm.parse_arm(f"""\
name: cantilever
gravity: [0, 0, 0]
links:
  - {{length: {length}, material: {{E: 2.1e11, rho: 7800}}, section: {{shape: rectangle, height: {h}, width: {b}}},
     modes: 4}}
joints: [{{type: fixed}}]
loads: [{{at: tip, force: [0, {F}, 0]}}]
initial: {{equilibrium: true}}
run: {{duration: 0.01, sample: 0.01, rtol: 1e-11, atol: 1e-14, record: [loads]}}
""")
    section = "links[0].section"
    keys = [
        "loads[0].force[1]",
        "links[0].length",
        f"{section}.height",
        f"{section}.width",
        "links[0].material.E",
    ]
    found = flexarm.gradient(arm, ["max_stress:1", "stress_max[0,0]"], keys)
    stress = 6 * F * length / (b * h**2)
    assert found.value[0] == pytest.approx(stress, rel=1e-6)
    by = stress / np.array([F, length, -h / 2, -b, np.inf])
    np.testing.assert_allclose(found.derivative[0] / stress, by / stress, rtol=1e-6, atol=1e-16)
    over_time = np.array([one[0] for one in found.series_derivative["stress_max[0,0]"]])
    np.testing.assert_allclose(over_time, found.derivative[0], rtol=1e-9, atol=1e-9)


SECTIONS = {
    "tube": ("{shape: tube, diameter: 0.02, thickness: 0.002}", "diameter"),
    "box": ("{shape: box, height: 0.02, width: 0.015, thickness: 0.002}", "height"),
    "tapered": ("{shape: rectangle, height: {eta: [0, 0.8], values: [0.01, 0.006]}, width: 0.02}", "width"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SECTIONS)
def test_stress_against_differences_of_runs(shape):
    """By a size of the section and by the payload; where another point is about to bear most there is none."""
    section, size = SECTIONS[shape]
    link = f"length: 0.8, material: {{E: 7.0e10, rho: 2700}}, section: {section}, modes: 2, damping: 0.02"
    arm = flexarm.parse_arm(f"""\
name: stressed
gravity: [0, 0, -9.81]
links: [{{{link}}}, {{{link}}}]
joints: [{{axis: [0, 0, 1]}}, {{axis: [0, 1, 0]}}]
payload: {{mass: 0.3}}
initial: {{joints: [0.4, 0.3], joint_rates: [2.0, 0.0]}}
run: {{duration: 0.3, sample: 0.01, rtol: 1e-10, atol: 1e-13, record: [loads]}}
""")
    keys = [f"links[0].section.{size}", "payload.mass"]
    found = flexarm.gradient(arm, ["stress_max", "max_stress"], keys)
    for k, key in enumerate(keys):
        runs = difference(
            arm.replace(TIGHT), key, found.at[k], 1e-4 * found.at[k], lambda run: run["stress_max"]
        )
        exact = np.asarray(found["stress_max", key])
        assert np.isfinite(exact).mean() > 0.95
        known = np.isfinite(exact)
        np.testing.assert_allclose(exact[known], runs[known], rtol=0, atol=1e-5 * np.abs(runs).max())
    assert np.isfinite(found["max_stress", "payload.mass"])


@pytest.mark.slow
def test_records_are_those_of_sweeps():
    arm = flexarm.load_arm(ROBOTS / "servo_arm.yaml").replace({"run.rtol": 1e-10, "run.atol": 1e-13})
    names = ["final_tip_y", "max_torque", "rms_error:1", "max_tip_deflection"]
    found = flexarm.gradient(arm, names, ["links[0].length"])
    step = 1e-4 * found.at[0]
    swept = flexarm.sweep(
        arm.replace(TIGHT),
        vary={"links[0].length": [found.at[0] - step, found.at[0], found.at[0] + step]},
        record=names,
        workers=1,
    )
    for i, name in enumerate(names):
        below, here, above = swept[name]
        assert found.value[i] == pytest.approx(here, rel=1e-7)
        # plain differences: the square of the step, times a curvature of order 100
        assert found[name, "links[0].length"] == pytest.approx(
            (above - below) / (2 * step), rel=1e-5, abs=1e-7
        )
    np.testing.assert_allclose(found.per_cent[:, 0], found.derivative[:, 0] * found.at[0] / 100)


@pytest.mark.slow
def test_a_number_that_is_zero_has_a_derivative_to_one_side():
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml").replace({"run.rtol": 1e-10, "run.atol": 1e-13})
    found = flexarm.gradient(arm, ["tip"], ["payload.mass"])
    tight, h = arm.replace(TIGHT), 1e-4
    runs = [flexarm.simulate(tight.replace("payload.mass", k * h)).tip for k in range(5)]
    forward = sum(w * run for w, run in zip([-25 / 12, 4, -3, 4 / 3, -1 / 4], runs, strict=True)) / h
    np.testing.assert_allclose(
        found["tip", "payload.mass"], forward, atol=1e-7 * np.abs(forward).max() + 1e-8
    )


def test_a_maximum_at_a_tie_has_none():
    """The largest tip deflection of an arm at rest is zero to all sides: |x| has a kink there."""
    arm = flexarm.parse_arm("""\
name: still
gravity: [0, 0, 0]
links: [{length: 1, mu: 1, EI: 10, modes: 1}]
joints: [{type: fixed}]
loads: [{at: tip, force: [0, 0, 0]}]
run: {duration: 0.1, sample: 0.01}
""")
    found = flexarm.gradient(arm, ["max_tip_deflection"], ["loads[0].force[1]"])
    assert np.isnan(found.derivative[0, 0])
    assert "kink" in found.reasons["max_tip_deflection", "loads[0].force[1]"]


def test_saved(tmp_path):
    names = ["final_tip_y", "tip", "final_tip_y"]  # said twice is once
    found = flexarm.gradient(flexarm.parse_arm(ROD), names, 2 * ["links[0].length"])
    found.save(tmp_path / "g.npz")
    with np.load(tmp_path / "g.npz") as arrays:
        assert list(arrays["of"]) == ["final_tip_y"]
        np.testing.assert_array_equal(arrays["d_tip/d_links[0].length"], found["tip", "links[0].length"])
    found.save(tmp_path / "g.h5")
    with h5py.File(tmp_path / "g.h5") as file:
        assert [name.decode() for name in file["by"]] == ["links[0].length"]
        np.testing.assert_array_equal(file["d_tip/d_links[0].length"], found["tip", "links[0].length"])
    found.save(tmp_path / "g.mat")
    named = loadmat(tmp_path / "g.mat")
    np.testing.assert_array_equal(named["d_tip_d_links_0_length"], found["tip", "links[0].length"])
    assert repr(found) == "Gradient of final_tip_y, tip by links[0].length"


LED = "drive: [{pd: {kp: 9, kd: 1, reference: r}}]\nparameters: {r: 1.0}\n"
RAMP = "drive: [{pd: {kp: 9, kd: 1, reference: 'min(t/T, 1)'}}]\nparameters: {T: 0.63}\n"
TRAPEZOIDAL = "drive: [{move: {to: 1, duration: T, law: trapezoidal}}]\nparameters: {T: 0.63}\n"
STEP = ROD + "drive: [{torque: 'T*step(t - t0)'}]\nparameters: {T: 2.0, t0: 0.5}\n"


@pytest.mark.parametrize(
    ("text", "of", "by", "error", "said"),
    [
        (ROD, "final_tip_y", "links[0].lenth", SpecError, "lenth"),
        (ROD, "stress_max[0,0]", "links[0].length", SpecError, "do not record stress_max .say run: .record: .loads"),
        (ROD, "contact_force", "links[0].length", SpecError, "runs of this arm do not record contact_force$"),
        (ROD, "joint_angle[7]", "links[0].length", SpecError, "index 7 of joint is out of range"),
        (ROD, "fnal_tip_y", "links[0].length", SpecError, "final_tip_y"),
        (ROD, "final_tip_y", "links[0].modes", (SpecError, ModelError), "modes"),
        (BENT, "max_stress", "links[0].length", SpecError, "stress"),
        (ROD, "steps", "links[0].length", ModelError, "whole samples or steps"),
        (ROD, "final_tip_y", "run.sample", ModelError, "run"),
        (ROD + LED, "rms_error:1", "parameters.r", ModelError, "compares with a reference"),
    ],
)  # fmt: skip
def test_what_is_refused(text, of, by, error, said):
    with pytest.raises(error, match=said):
        flexarm.gradient(flexarm.parse_arm(text), [of], [by])


MOVING = {
    "step": (STEP, "parameters.t0"),
    "end of a ramp": (ROD + RAMP, "parameters.T"),
    "prescribed": (BENT + TRAPEZOIDAL, "parameters.T"),
}


@pytest.mark.parametrize("name", thinned(MOVING, len(MOVING)))
def test_instants_that_move(name):
    """Of a torque, of the rate of a reference, of the acceleration of a prescribed motion."""
    text, key = MOVING[name]
    arm = flexarm.parse_arm(text).replace("run.duration", 1.5)
    found = flexarm.gradient(arm, ["tip"], [key])
    step = 1e-3 * found.at[0]
    runs = difference(arm.replace(TIGHT), key, found.at[0], step, lambda result: result.tip)
    times = [0.5] if name == "step" else [0.63 / 3, 2 * 0.63 / 3, 0.63]
    away = (
        np.abs(found.times[:, None] - times).min(axis=1) > 4 * step
    )  # else samples are before or behind by the step
    size = np.abs(runs).max()
    np.testing.assert_allclose(
        np.asarray(found["tip", key])[away], runs[away], rtol=0, atol=1e-6 * size + 1e-12 / step
    )


def test_an_instant_that_leaves_the_run_has_no_derivative():
    arm = flexarm.parse_arm(STEP.replace("t0: 0.5", "t0: 2.999"))
    with pytest.raises(ModelError, match="appears or vanishes"):
        flexarm.gradient(arm, ["tip"], ["parameters.t0"])


@pytest.mark.slow
def test_a_jump_at_an_instant_that_stays_is_no_obstacle():
    arm = flexarm.parse_arm(STEP)
    found = flexarm.gradient(arm, ["tip"], ["parameters.T"])
    runs = difference(arm.replace(TIGHT), "parameters.T", 2.0, 2e-3, lambda result: result.tip)
    np.testing.assert_allclose(found["tip", "parameters.T"], runs, atol=1e-7)


@pytest.mark.parametrize("method", ["radau", "auto", "rk4"])
def test_other_methods_find_the_same(method):
    text = ROD.replace("mu: 0.8}", "mu: 0.8, EI: 20, modes: 1, damping: 0.05}")
    arm = flexarm.parse_arm(text)
    step = ", step: 2.0e-4" if method == "rk4" else ""
    other = flexarm.parse_arm(text.replace("sample: 0.01", f"sample: 0.01, method: {method}{step}"))
    found = [flexarm.gradient(one, ["tip"], ["links[0].EI"])["tip", "links[0].EI"] for one in (arm, other)]
    # tolerances of 1e-10 of the tip, of derivatives by a relative change
    np.testing.assert_allclose(found[1], found[0], atol=1e-6 * np.abs(found[0]).max())

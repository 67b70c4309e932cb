"""Linear models: central differences, python-control, closed-form zeros, and what their files hold."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS
from reference import beam_on_hub
from scipy.io import loadmat

import flexarm
from flexarm.analysis.linear_models.transmission_zeros import is_non_minimum_phase
from flexarm.errors import ModelError, ResultError

STEP = 1e-5
DIFFERENCES = 1e-6
"""Relative accuracy asked for; that of the differences themselves is about 1e-9."""


@pytest.mark.parametrize(
    "name",
    [
        "payload_two_link",
        "space_arm",
        pytest.param("spatial_three_link", marks=pytest.mark.slow),
        "usoro_two_link",
    ],
)
def test_central_differences(name):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
    model = flexarm.linearize(arm, outputs=("tip",))
    floats = arm.base != "fixed"
    equations = flexarm.motion_equations(arm.model_copy(update={"gravity": (0.0,) * 3}) if floats else arm)
    n, theta = equations.n_dof, model.point.theta
    joints = [i for i, row in enumerate(equations.coordinates.joints) if row is not None]
    torque, rest = model.torque[joints], np.zeros(n)

    def central(f, size):
        rows = [(f(STEP * e) - f(-STEP * e)) / (2 * STEP) for e in np.eye(size)]
        return np.array(rows).T

    A_q = central(lambda x: equations.forward_dynamics(moved(arm, theta, x), rest, torque), n)
    A_v = central(lambda v: equations.forward_dynamics(theta, v, torque), n)
    B = central(lambda u: equations.forward_dynamics(theta, rest, torque + u), len(joints))
    C = central(lambda x: equations.points(moved(arm, theta, x))[-1], n)
    C = C[["xyz".index(output[-1]) for output in model.outputs]]
    for found, expected in (
        (model.A[n:, :n], A_q),
        (model.A[n:, n:], A_v),
        (model.B[n:], B),
        (model.C[:, :n], C),
    ):
        error = np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-9)
        print(f"{name}: {error:.1e}")
        assert error < DIFFERENCES
    np.testing.assert_array_equal(model.A[:n], np.eye(n, 2 * n, k=n))
    assert not model.D.any()


def moved(arm, theta, x):
    """Coordinates moved by x (n_dof,); the attitude of a free base by a rotation vector about the fixed axes."""
    if arm.base != "free":
        return theta + x
    half = x[-3:] / 2
    turn = np.concatenate([[np.cos(np.linalg.norm(half))], np.sinc(np.linalg.norm(half) / np.pi) * half])
    (a, u), (b, v) = (turn[0], turn[1:]), (theta[-4], theta[-3:])
    product = np.concatenate([[a * b - u @ v], a * v + b * u + np.cross(u, v)])
    return np.concatenate([theta[:-4] + x[:-3], product])


def test_pd_drives_may_be_part_of_the_model():
    """A bar of 1 kg m^2 without gravity: q_dd = -40 q - 3 q_d + tau."""
    arm = flexarm.parse_arm(
        "name: bar\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\ndrive: [{pd: {kp: 40, kd: 3, reference: 1}}]\n"
    )
    closed, open_loop = (flexarm.linearize(arm, joints=joints) for joints in ("pd", "free"))
    np.testing.assert_allclose(closed.A, [[0, 1], [-40, -3]], rtol=1e-14)
    np.testing.assert_allclose(open_loop.A, [[0, 1], [0, 0]])
    np.testing.assert_allclose(closed.B, [[0], [1]], rtol=1e-14)


def test_python_control_takes_it_and_agrees():
    control = pytest.importorskip("control")
    model = flexarm.linearize(
        flexarm.load_arm(ROBOTS / "payload_two_link.yaml"), outputs=("joints", "tip", "deflection@2:0.5")
    )
    system = control.ss(model.A, model.B, model.C, model.D, **model.names)
    assert system.output_labels[-1] == "deflection_y@2:0_5"
    poles = _upper(system.poles())
    np.testing.assert_allclose(_upper(model.modes.all_poles), poles, atol=1e-9 * np.abs(poles).max())
    tip = ["tip_x", "tip_y"]
    square = control.ss(
        model.A, model.B, model.C[[model.outputs.index(name) for name in tip]], np.zeros((2, 2))
    )
    zeros, found = _upper(square.zeros()), _upper(model.zeros(model.inputs, tip))
    zeros = zeros[np.abs(zeros) < 1e5]  # its algorithm leaves some of the infinite zeros merely far away
    np.testing.assert_allclose(found, zeros, atol=1e-6 * np.abs(zeros).max())


def _upper(values):
    return np.sort_complex(values[values.imag >= 0])


def test_tip_of_a_beam_is_a_non_minimum_phase_output():
    """Zeros from hub torque to tip of the uniform beam, real and paired; ten modes meet the slowest two to 1 %."""
    beam = {"length": 1.5, "mu": 2.0, "EI": 100.0}
    arm = flexarm.parse_arm(
        "name: beam\ngravity: [0, 0, 0]\njoints: [{inertia: 0.5}]\n"
        "links: [{length: 1.5, mu: 2, EI: 100, modes: {family: clamped-free, count: 10}}]\n"
    )
    model = flexarm.linearize(arm)
    zeros = model.zeros(["tau_1"], ["tip_y"])
    right = np.sort(zeros[is_non_minimum_phase(zeros)].real)
    exact = beam_on_hub.tip_zeros(2, **beam)
    print(f"{right[:2]}, exact {exact}")
    np.testing.assert_allclose(right[:2], exact, rtol=1e-2)
    np.testing.assert_allclose(np.sort(-zeros[zeros.real < -1e-6].real)[:2], right[:2], rtol=1e-6)


@pytest.mark.slow
def test_zeros_need_shapes_that_carry_the_moment_of_a_body_at_the_tip():
    """It swings about the resting tip: with clamped-free shapes, which do not bend there, far too fast or not."""
    beam = {"length": 1.5, "mu": 2.0, "EI": 100.0}
    for family, count, j in (
        ("polynomial", 8, 0.005), ("craig-bampton", 3, 0.002), ("craig-bampton", 4, 0.005),
        ("clamped-free", 3, 0.005), ("clamped-free", 3, 0.0045),
    ):  # fmt: skip
        J = j * 2.0 * 1.5**3
        arm = flexarm.parse_arm(
            "name: beam\ngravity: [0, 0, 0]\njoints: [{inertia: 0.5}]\n"
            f"links: [{{length: 1.5, mu: 2, EI: 100, modes: {{family: {family}, count: {count}}}}}]\n"
            f"payload: {{mass: 1, inertia: {J}}}\n"
        )
        zeros = flexarm.linearize(arm, outputs=["tip"]).zeros(["tau_1"], ["tip_y"])
        swing = zeros[zeros.imag > 100 * np.abs(zeros.real)].imag
        ratio = swing / beam_on_hub.tip_swing(**beam, tip_inertia=J)
        print(f"{family} {count}, j = {j}: swing {swing} rad/s, over the exact one {ratio}")
        if family == "clamped-free":
            assert np.all(ratio > 4)
            assert ratio.size == (j > 0.0048)  # where the pair goes through infinity
        else:
            np.testing.assert_allclose(ratio, [1], rtol=1e-3 if family == "polynomial" else 0.05)
        if family == "polynomial":
            right = np.sort(zeros[zeros.real > 100 * np.abs(zeros.imag)].real)
            np.testing.assert_allclose(right[:2], beam_on_hub.tip_zeros(2, **beam, tip_inertia=J), rtol=2e-3)


def test_joint_zeros_are_the_locked_frequencies():
    """With the joints' angles held at zero the arm vibrates as with locked joints."""
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    model = flexarm.linearize(arm)
    zeros = model.zeros(model.inputs, ["q_1", "q_2"])
    locked = flexarm.natural_modes(arm, joints="locked").modes.poles
    np.testing.assert_allclose(np.sort(zeros.imag[zeros.imag > 0]), np.sort(locked.imag), rtol=1e-9)
    assert not is_non_minimum_phase(zeros).any()


def test_a_singular_response_has_no_zeros():
    """The tip of a stretched arm does not move along the arm."""
    model = flexarm.linearize(flexarm.load_arm(ROBOTS / "de_luca_siciliano_two_link.yaml"))
    assert model.zeros(model.inputs, ["tip_x", "tip_y"]) is None


def test_strain_and_curvature_follow_from_the_deflection():
    arm = flexarm.load_arm(ROBOTS / "spatial_three_link.yaml")
    link, h = arm.links[1], 1e-3
    stations = [f"deflection@2:{xi}" for xi in (0.5 - h, 0.5, 0.5 + h)]
    model = flexarm.linearize(arm, outputs=("curvature@2:0.5", "strain@2:0.5", *stations))
    row = {name: model.C[k] for k, name in enumerate(model.outputs)}
    for axis in "yz":
        left, middle, right = (row[name] for name in model.outputs if name.startswith(f"deflection_{axis}"))
        second = (left - 2 * middle + right) / (h * link.length) ** 2
        curvature = row[f"curvature_{axis}@2:0.5"]
        np.testing.assert_allclose(curvature, second, atol=1e-4 * np.abs(second).max())
        half = link.section.diameter / 2
        np.testing.assert_allclose(row[f"strain_{axis}@2:0.5"], -half * curvature, rtol=1e-14)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("deflektion@1", "did you mean .deflection"),
        ("deflection", "expected deflection@LINK:AT"),
        ("deflection@3", "got link 3, expected 1 to 2"),
        ("deflection@1:1.5", "got 1.5, expected 0"),
        ("deflection@1:0", "nothing that moves is measured"),
        ("strain@1", "has no section"),
        ("tip@1", "expected tip"),
    ],
)
def test_outputs_that_cannot_be(output, message):
    with pytest.raises(ModelError, match=message):
        flexarm.linearize(flexarm.load_arm(ROBOTS / "usoro_two_link.yaml"), outputs=[output])


def test_an_arm_without_inputs():
    with pytest.raises(ModelError, match="no joint that a torque could move"):
        flexarm.linearize(flexarm.load_arm(ROBOTS / "single_link_cantilever.yaml"))


def test_files(tmp_path):
    model = flexarm.linearize(flexarm.load_arm(ROBOTS / "usoro_two_link.yaml"))
    for ending in ("npz", "mat"):
        model.save(tmp_path / f"linear.{ending}")
    with np.load(tmp_path / "linear.npz") as file:
        arrays = dict(file)
    cells = loadmat(tmp_path / "linear.mat")
    for name in "ABCD":
        np.testing.assert_array_equal(arrays[name], getattr(model, name))
        np.testing.assert_array_equal(cells[name], getattr(model, name))
    assert tuple(arrays["outputs"]) == model.outputs == ("q_1", "q_2", "tip_x", "tip_y")
    assert [str(name[0]) for name in cells["states"].ravel()] == list(model.states)
    np.testing.assert_array_equal(arrays["theta"], model.point.theta)
    assert flexarm.parse_arm(str(arrays["robot"])).name == "usoro-two-link"
    with pytest.raises(ResultError, match="exists already"):
        model.save(tmp_path / "linear.npz")
    with pytest.raises(ResultError, match=r"ends in \.npz, \.mat or \.h5"):
        model.save(tmp_path / "linear.csv")


def test_a_sampled_model_holds_its_inputs():
    """Against the step response in closed form of a link of 1 kg m^2 with friction, and the model's own halves."""
    arm = flexarm.parse_arm(
        "name: spun\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\njoints: [{friction: {viscous: 2}}]\n"
    )
    model, T = flexarm.linearize(arm, outputs=["joints"]), 0.3
    sampled = model.sampled(T)
    decay = np.exp(-2 * T)
    np.testing.assert_allclose(sampled.A, [[1, (1 - decay) / 2], [0, decay]], rtol=1e-13)
    np.testing.assert_allclose(sampled.B, [[T / 2 - (1 - decay) / 4], [(1 - decay) / 2]], rtol=1e-12)
    half = model.sampled(T / 2)
    np.testing.assert_allclose(half.A @ half.A, sampled.A, atol=1e-15)
    assert sampled.arrays["period"] == T
    with pytest.raises(ModelError, match="is sampled every"):
        sampled.sampled(T)

"""Natural modes of the assembled arm against characteristic equations, closed forms and simulated vibrations."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS
from reference import beam_on_hub

import flexarm
from flexarm.errors import ModelError

BEAM = {"length": 1.5, "mu": 2.0, "EI": 100.0}
MODES = 5


def on_hub(family: str, J: float, count: int = MODES) -> flexarm.Arm:
    """One beam on a free joint."""
    link = "{{length: {length}, mu: {mu}, EI: {EI}, modes: {{family: {family}, count: {count}}}}}".format(
        **BEAM, family=family, count=count
    )
    return flexarm.parse_arm(f"name: beam\ngravity: [0, 0, 0]\nlinks: [{link}]\njoints: [{{inertia: {J}}}]\n")


def rigid_bar(**more: str) -> flexarm.Arm:
    """A rigid bar of 1 m and 3 kg: moment of inertia 1 kg m^2 about its joint."""
    rest = "".join(f"{key}: {value}\n" for key, value in more.items())
    return flexarm.parse_arm(f"name: bar\nlinks: [{{length: 1, mu: 3}}]\n{rest}")


@pytest.mark.parametrize("j", [0.01, 0.1, 1.0])
def test_beam_on_a_hub_with_inertia(j):
    """Clamped-free modes: they share every end condition with the beam as seen from the hub, so that the coefficients
    of the hub's turn in them fall like beta^-6 and the frequencies' errors like count^-7.
    """
    J = j * BEAM["mu"] * BEAM["length"] ** 3
    found = flexarm.natural_modes(on_hub("clamped-free", J)).modes
    exact = beam_on_hub.frequencies(MODES, **BEAM, J=J)
    errors = found.natural_frequency[1:] / exact - 1
    print(f"J = {j} mu l^3: errors {errors}")
    assert (found.n_rigid, found.stability) == (1, "indifferent")
    assert np.all(errors > -1e-10), "frequencies of a Ritz method lie above the exact ones"
    assert np.abs(errors).max() < 1e-4


def test_beam_on_a_hub_without_inertia():
    """Pinned-free modes are the beam's own, exact. Clamped-free ones meet the first two frequencies to 1e-4: a mode of
    the pinned beam lies between two of theirs, so that the fastest lack a neighbour.
    """
    exact = beam_on_hub.frequencies(MODES, **BEAM, J=0.0)
    own = flexarm.natural_modes(on_hub("pinned-free", 0.0)).modes.natural_frequency[1:]
    np.testing.assert_allclose(own, exact, rtol=1e-10)
    clamped = flexarm.natural_modes(on_hub("clamped-free", 0.0)).modes.natural_frequency[1:]
    np.testing.assert_allclose(clamped[:2], exact[:2], rtol=1e-4)


def test_locked_joint_gives_the_cantilever():
    beta = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613])
    exact = beta**2 * np.sqrt(BEAM["EI"] / BEAM["mu"]) / BEAM["length"] ** 2 / (2 * np.pi)
    found = flexarm.natural_modes(on_hub("clamped-free", 0.3), joints="locked").modes
    np.testing.assert_allclose(found.natural_frequency[:3], exact, rtol=1e-10)
    assert (found.n_rigid, found.stability) == (0, "stable")


def test_prescribed_joint_counts_as_locked():
    arm = rigid_bar(drive="[{motion: '0.3 + t'}]")
    with pytest.raises(ModelError, match="nothing can move"):
        flexarm.natural_modes(arm)


def test_floating_beam():
    """Free-free beam, beta l = 4.7300407449, 7.8532046241; it falls and turns freely: three rigid motions."""
    text = "{{length: {length}, mu: {mu}, EI: {EI}, modes: {{family: free-free, count: 2}}}}".format(**BEAM)
    arm = flexarm.parse_arm(f"name: beam\nbase: planar\nlinks: [{text}]\ninitial: {{joints: [0.7]}}\n")
    found = flexarm.natural_modes(arm).modes
    exact = np.array([4.730040744862704, 7.853204624095838]) ** 2 * np.sqrt(BEAM["EI"] / BEAM["mu"])
    exact /= BEAM["length"] ** 2 * 2 * np.pi
    assert found.n_rigid == 3
    np.testing.assert_allclose(found.natural_frequency[3:], exact, rtol=1e-10)


def test_free_base_does_not_care_how_it_is_turned():
    arm = flexarm.load_arm(ROBOTS / "space_arm.yaml")
    turned = arm.initial.model_copy(update={"base": (0.3, -1.0, 2.0, 0.4, -1.1, 0.8)})
    here = flexarm.natural_modes(arm).modes
    there = flexarm.natural_modes(arm.model_copy(update={"initial": turned})).modes
    assert here.n_rigid == there.n_rigid == 9  # six of the base, three joints
    assert here.stability == "indifferent"
    np.testing.assert_allclose(there.poles, here.poles, rtol=1e-8, atol=1e-8 * np.abs(here.poles).max())


def test_pendulum_and_inverted_pendulum():
    """omega^2 = m g l / 2 / J = 1.5 g."""
    rate = np.sqrt(1.5 * 9.81)
    hanging = flexarm.natural_modes(rigid_bar(), at="-90 deg").modes
    np.testing.assert_allclose(hanging.poles, [1j * rate], rtol=1e-12)
    assert hanging.stability == "stable"
    standing = flexarm.natural_modes(rigid_bar(), at="90 deg").modes
    np.testing.assert_allclose(np.sort(standing.poles.real), [-rate, rate], rtol=1e-12)
    assert standing.stability == "unstable"


@pytest.mark.parametrize(("friction", "vibrates"), [(0.5, True), (20.0, False)])
def test_viscous_friction(friction, vibrates):
    """s^2 + c s + 1.5 g = 0."""
    arm = rigid_bar(joints=f"[{{friction: {{viscous: {friction}}}}}]")
    found = flexarm.natural_modes(arm, at="equilibrium").modes
    exact = np.roots([1.0, friction, 1.5 * 9.81])
    np.testing.assert_allclose(np.sort_complex(found.all_poles), np.sort_complex(exact), rtol=1e-12)
    if vibrates:
        np.testing.assert_allclose(found.damping_ratio, friction / 2 / np.sqrt(1.5 * 9.81), rtol=1e-12)
    else:
        np.testing.assert_array_equal(found.damping_ratio, [1.0, 1.0])


def test_friction_without_stiffness():
    """Poles 0, where the bar stays, and -c / J, how it comes to rest there."""
    arm = rigid_bar(gravity="[0, 0, 0]", joints="[{friction: {viscous: 0.25}}]")
    found = flexarm.natural_modes(arm).modes
    np.testing.assert_allclose(found.all_poles, [0.0, -0.25], atol=1e-14)
    assert (found.n_rigid, found.n_coasting) == (1, 0)


def test_pd_drive():
    """s^2 + kd s + kp = 0 without gravity; the reference is where the arm is held."""
    arm = rigid_bar(gravity="[0, 0, 0]", drive="[{pd: {kp: 40, kd: 3, reference: 0}}]")
    found = flexarm.natural_modes(arm, joints="pd").modes
    np.testing.assert_allclose(np.sort_complex(found.all_poles), np.sort_complex(np.roots([1, 3, 40])))
    with pytest.raises(ModelError, match="no joint has a PD drive"):
        flexarm.natural_modes(rigid_bar(), joints="pd")


@pytest.mark.parametrize(("part", "stability"), [(0.99, "stable"), (1.01, "unstable")])
def test_buckling_load(part, stability):
    """Euler's column: a dead load of pi^2 EI / (4 l^2) on the tip of a cantilever."""
    P = part * np.pi**2 * 100 / 4
    arm = flexarm.parse_arm(
        "name: column\ngravity: [0, 0, 0]\ngeometric_stiffening: true\njoints: [{type: fixed}]\n"
        "links: [{length: 1, mu: 1, EI: 100, modes: {family: clamped-free, count: 8}}]\n"
        f"loads: [{{at: tip, force: [{-P}, 0, 0]}}]\n"
    )
    assert flexarm.natural_modes(arm).modes.stability == stability


def test_shapes_solve_the_quadratic_eigenvalue_problem():
    found = flexarm.natural_modes(flexarm.load_arm(ROBOTS / "spatial_three_link.yaml"), joints="pd")
    motion, modes = found.motion, found.modes
    for pole, x in zip(modes.poles, modes.shapes.T, strict=True):
        terms = [pole**2 * motion.M @ x, pole * motion.D @ x, motion.K @ x]
        largest = max(np.abs(term).max() for term in terms)
        assert np.abs(sum(terms)).max() < 1e-9 * largest
        np.testing.assert_allclose((x.conj() @ motion.M @ x).real, 1, rtol=1e-12)


SECONDS, STEP, AMPLITUDE = 40.0, 0.004, 1e-5


def test_frequencies_are_those_of_a_simulated_vibration():
    """The spectrum of a small vibration about the hanging posture, Hann window, peaks interpolated: to 1e-3."""
    text = (ROBOTS / "usoro_two_link.yaml").read_text()
    arm = flexarm.parse_arm(text)
    found = flexarm.natural_modes(arm, at="equilibrium")
    q, shapes = found.point.theta, found.modes.shapes.real
    theta = q + shapes @ (AMPLITUDE / np.abs(shapes).max(axis=0))  # all modes at once
    initial = arm.initial.model_copy(update={"joints": tuple(theta[[0, 2]]), "modes": tuple(theta[[1, 3]])})
    run = arm.run.model_copy(update={"duration": SECONDS, "sample": STEP})
    result = flexarm.simulate(arm.model_copy(update={"initial": initial, "run": run}))
    for name, expected in zip(("joint_angle", "joint_angle", "mode_amplitude", "mode_amplitude"),
                              found.modes.natural_frequency, strict=True):  # fmt: skip
        measured = _peak(result[name][:, 0], near=expected)
        print(f"{expected:.6g} Hz, measured {measured:.6g}")
        assert abs(measured / expected - 1) < 1e-3


def _peak(signal: np.ndarray, near: float) -> float:
    """Frequency of the highest peak within 10 % of ``near`` [Hz]; a parabola through the logarithms around it."""
    window = np.hanning(signal.size)
    spectrum = np.abs(np.fft.rfft((signal - signal.mean()) * window))
    frequency = np.fft.rfftfreq(signal.size, STEP)
    band = np.flatnonzero(np.abs(frequency / near - 1) < 0.1)
    k = band[spectrum[band].argmax()]
    left, top, right = np.log(spectrum[k - 1 : k + 2])
    return float(frequency[k] + (left - right) / (left - 2 * top + right) / 2 * frequency[1])


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("30 grad", "expected a number of radians"),
        ("0, 0, 0", "joint angles: got 3, expected 2"),
        ("inital", "'initial' or 'equilibrium'"),
        ("nan, 0", "expected a number of radians"),
    ],
)
def test_postures_that_cannot_be_read(at, message):
    with pytest.raises(ModelError, match=message):
        flexarm.natural_modes(flexarm.load_arm(ROBOTS / "usoro_two_link.yaml"), at=at)


def test_fixed_joints_may_be_left_out_of_a_posture():
    arm = flexarm.parse_arm(
        "name: bent\nlinks: [{length: 1, mu: 1}, {length: 1, mu: 1}]\njoints: [{type: fixed, angle: 0.5}, {}]\n"
    )
    one, two = (flexarm.natural_modes(arm, at=at).point.theta for at in ("0.2", [0.5, "0.2 rad"]))
    np.testing.assert_array_equal(one, two)
    with pytest.raises(ModelError, match=r"joint 1, but it is fixed at 0\.5 rad"):
        flexarm.natural_modes(arm, at=[0.4, 0.2])

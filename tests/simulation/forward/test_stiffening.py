"""Geometric stiffening against published numbers: spinning, falling, spun-up and standing beams."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from scipy.optimize import brentq

import flexarm
from flexarm.simulation.state.state_equation import derive_state_equation
from flexarm.simulation.state.symbols import SymbolicState
from flexarm.validation.stiffening import STANDING

PENDULUM_TIP = {
    0.5: (-0.0931, -0.9956),
    1.0: (-0.9999, -0.0023),
    2.0: (0.9995, -0.0317),
    3.0: (-0.9976, -0.0691),
}
"""Tip of the flexible pendulum by a geometrically exact beam code [m]."""


def pendulum_errors(stiffening: bool) -> list[float]:
    text = (ROBOTS / "flexible_pendulum.yaml").read_text()
    result = flexarm.simulate(flexarm.parse_arm(f"{text}\ngeometric_stiffening: {str(stiffening).lower()}\n"))
    found = [result.point_position[np.abs(result.time - time).argmin(), -1, :2] for time in PENDULUM_TIP]
    errors = np.abs(np.subtract(found, list(PENDULUM_TIP.values()))).max(axis=1)
    print(f"stiffening {stiffening}: tip off by {errors} m")
    return list(errors)


def test_pendulum_falls_like_a_geometrically_exact_beam():
    assert max(pendulum_errors(True)) < 5e-4
    assert 2e-3 < max(pendulum_errors(False)) < 6e-3


SPINNING = """
name: spinning
gravity: [0, 0, 0]
geometric_stiffening: true
links:
  - length: 1
    mu: 1
    EI: {{y: 1, z: 1}}
    modes: [{{family: clamped-free, count: 12, direction: y}}, {{family: clamped-free, count: 12, direction: z}}]
drive: [{{motion: "{rate}*t"}}]
"""


def frequencies(text: str) -> np.ndarray:
    """Angular frequencies of small oscillations about the straight arm, ascending [rad/s]."""
    system = derive_state_equation(SymbolicState.of(flexarm.parse_arm(text)))
    values = np.linalg.eigvals(system.native_jacobian.at(np.empty(0))(0.0, np.zeros(system.layout.size)))
    assert np.abs(values.real).max() < 1e-6 * np.abs(values).max()
    return np.sort(values.imag[values.imag > 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rate", "first", "second"),
    [(0, 3.516, 22.035), (3, 4.797, 23.320), (6, 7.360, 26.809), (12, 13.170, 37.603)],
)
def test_rotating_cantilever(rate, first, second):
    """Wright, Smith, Thresher & Wang, J. Appl. Mech. 49 (1982) 197: hub of no radius, flapping frequencies."""
    text = SPINNING.format(rate=rate)
    flap = frequencies(text.replace("{family: clamped-free, count: 12, direction: y}, ", ""))
    lag = frequencies(text.replace(", {family: clamped-free, count: 12, direction: z}", ""))
    np.testing.assert_allclose(flap[:2], [first, second], rtol=1e-3)
    np.testing.assert_allclose(lag[:4] ** 2, flap[:4] ** 2 - rate**2, rtol=1e-9)


def test_spinning_beam_without_stiffening_loses_its_stability():
    text = SPINNING.format(rate=6).replace("geometric_stiffening: true", "geometric_stiffening: false")
    system = derive_state_equation(SymbolicState.of(flexarm.parse_arm(text)))
    values = np.linalg.eigvals(system.native_jacobian.at(np.empty(0))(0.0, np.zeros(system.layout.size)))
    assert values.real.max() > 1


def test_spin_up_of_simo_and_vu_quoc():
    """Simo & Vu-Quoc, J. Appl. Mech. 53 (1986) 855: the tip lags by 0.574 m at most, and comes back."""
    result = flexarm.simulate(flexarm.load_arm(ROBOTS / "spin_up_beam.yaml"))
    lag = -result.link_deflection[:, 0, 1, 1]
    peak = lag.argmax()
    print(
        f"largest lag {lag[peak]:.4f} m at {result.time[peak]:.2f} s; later {np.abs(lag[result.time > 15]).max():.1e} m"
    )
    assert abs(lag[peak] - 0.574) < 0.01 * 0.574
    assert abs(result.time[peak] - 6.76) < 0.1
    assert np.abs(lag[result.time > 15]).max() < 5e-3


def test_spin_up_without_stiffening_diverges_and_says_why():
    text = (ROBOTS / "spin_up_beam.yaml").read_text()
    result = flexarm.simulate(flexarm.parse_arm(f"geometric_stiffening: false\n{text}"))
    assert np.abs(result.link_deflection[:, 0, 1, 1]).max() > 10
    assert any("geometric_stiffening" in warning for warning in flexarm.run_warnings(result))


def test_usoro_arm_with_hinged_modes_keeps_its_energy():
    text = (ROBOTS / "usoro_two_link.yaml").read_text()
    text = text.replace("{family: clamped-free, count: 1}", "{family: hinged, count: 3}")
    text = text.replace("geometric_stiffening: false", "geometric_stiffening: true")
    result = flexarm.simulate(flexarm.parse_arm(text))
    drift = np.abs(result.energy_total - result.energy_total[0]).max() / result.energy_kinetic.max()
    print(
        f"drift {drift:.1e} in {result.attributes['steps']} steps, {result.attributes['solve_seconds']:.3f} s"
    )
    assert drift < 1e-8


USORO_TIP = {
    0.3: (0.026887, -1.999521),
    0.6: (-0.013115, -1.999716),
    0.9: (-0.018057, -1.998780),
    1.2: (-0.078444, -1.997471),
    1.5: (-0.044900, -1.999337),
    1.8: (0.032294, -1.998392),
    2.1: (0.026014, -1.999142),
    2.4: (0.057559, -1.999165),
    2.7: (0.058480, -1.997808),
    3.0: (-0.035128, -1.998472),
}
"""Tip of the arm of Usoro et al. [m] by exact inextensible beams (benchmarks/chains/exact_beams.py).

Five functions bend each link; from four to five the tip moves by 2.3e-6 m at most, from three to four by 6.8e-6 m.
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "family", thinned(["craig-bampton", "clamped-free", "hinged", "polynomial"], every=4)
)
def test_usoro_arm_with_five_modes_follows_exact_beams(family):
    text = (ROBOTS / "usoro_two_link.yaml").read_text()
    text = text.replace("{family: clamped-free, count: 1}", f"{{family: {family}, count: 5}}")
    text = text.replace("sample: 0.001", "sample: 0.3")
    text = text.replace("geometric_stiffening: false", "geometric_stiffening: true")
    result = flexarm.simulate(flexarm.parse_arm(text))
    found = result.point_position[1:, -1, :2]
    np.testing.assert_allclose(result.time[1:], list(USORO_TIP))
    error = np.linalg.norm(found - list(USORO_TIP.values()), axis=1).max()
    print(f"{family}: tip off by {error:.1e} m")
    assert error < 2e-5


@pytest.mark.slow
def test_standing_beam_buckles_where_euler_and_greenhill_say():
    """A clamped beam under its own weight buckles at mu g l^3 / EI = 7.8373 (Greenhill 1881)."""

    def lowest_square(load: float) -> float:
        system = derive_state_equation(SymbolicState.of(flexarm.parse_arm(STANDING.format(mu=load / 9.81))))
        n = system.layout.size // 2
        A = system.native_jacobian.at(np.empty(0))(0.0, np.zeros(2 * n))
        return np.linalg.eigvals(-A[n:, :n]).real.min()

    critical = brentq(lowest_square, 6, 9)
    print(f"buckles at {critical:.4f}")
    assert abs(critical - 7.837) < 0.005 * 7.837


SOFT = """
name: soft-pendulum
links: [{{length: 1.0, mu: 10, EI: {EI}, modes: {{family: {family}, count: {count}}}}}]
gravity: [0, -9.81, 0]
geometric_stiffening: true
run: {{duration: {duration}, sample: 0.375, max_steps: 20000}}
"""
EXACT_BEAM = {
    0.375: (0.55466, -0.83108),
    0.75: (-0.94737, -0.31385),
    1.125: (-0.98478, -0.17137),
    1.5: (0.26112, -0.9653),
}
"""Tip of the soft pendulum, EI = 20 N m^2, by 24 geometrically exact beam elements [m]."""


@pytest.mark.parametrize(
    ("family", "count", "EI"),
    thinned(
        [
            (family, count, EI)
            for family in ("craig-bampton", "clamped-free", "polynomial", "hinged", "pinned-free")
            for count in (1, 2, 3, 4, 5)
            for EI in (100, 20, 10, 5)
        ],
        every=7,
    ),
)
def test_no_soft_pendulum_stops(family, count, EI):
    arm = flexarm.parse_arm(SOFT.format(family=family, count=count, EI=EI, duration=3))
    result = flexarm.simulate(arm)
    assert result.status == "complete"
    assert np.ptp(result.energy_total) < 1e-6 * np.ptp(result.energy_kinetic)


def run_of_segments(family: str, segments: int, count: int, EI: float):
    text = SOFT.format(family=family, count=count, EI=EI, duration=3)
    text = text.replace("modes:", f"segments: {segments}, modes:")
    text = text.replace("max_steps: 20000", "max_steps: 1000000, rtol: 1e-5, atol: 1e-7")
    return flexarm.simulate(flexarm.parse_arm(text))


@pytest.mark.parametrize(
    ("family", "segments"),
    thinned(
        [
            (family, segments)
            for family in ("craig-bampton", "clamped-free", "polynomial", "hinged")
            for segments in (2, 4, 8)
        ],
        every=10,
    ),
)
def test_no_soft_pendulum_of_segments_stops(family, segments):
    for count in (1, 2):
        assert run_of_segments(family, segments, count, 5.0).status == "complete"


SEGMENTED = [
    (family, segments, count)
    for family in ("craig-bampton", "clamped-free", "polynomial", "hinged")
    for segments in (2, 4, 8)
    for count in (1, 2, 3, 4, 5)
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "segments", "count", "EI"),
    [(*case, EI) for case, EI in zip(SEGMENTED, cycle((100, 20, 10, 5)), strict=False)],
)
def test_no_soft_pendulum_stops_with_any_modes_and_segments(family, segments, count, EI):
    """Each softness with every family, number of segments and count, though not all four at once."""
    result = run_of_segments(family, segments, count, EI)
    assert result.status == "complete"
    assert np.ptp(result.energy_total) < 1e-3 * np.ptp(result.energy_kinetic)


def test_soft_pendulum_comes_within_five_millimetres_of_exact_beams():
    result = flexarm.simulate(
        flexarm.parse_arm(SOFT.format(family="clamped-free", count=3, EI=20, duration=1.5))
    )
    for t, tip in EXACT_BEAM.items():
        found = result.point_position[np.argmin(abs(result.time - t)), -1, :2]
        assert np.linalg.norm(found - tip) < 5e-3


HEAVY_TIP = """
name: heavy-tip
links: [{length: 1.0, mu: 0.5, EI: 5.0, modes: {family: clamped-free, count: 3}}]
gravity: [0, 0, 0]
geometric_stiffening: true
payload: {mass: 2.0}
drive: [{torque: "0.3*(1 - 2*step(t - 1.5))"}]
run: {duration: 4.0, sample: 0.005}
"""

SPACE_BEAM = """
name: space-beam
links: [{length: 3.372, mu: 2.82, EI: 100.6416, modes: {family: hinged, count: 5}}]
gravity: [0, 0, 0]
geometric_stiffening: true
payload: {mass: 49.2568}
drive: [{torque: "4.485*(1 - 2*step(t - 5))"}]
run: {duration: 10.0, sample: 0.02}
"""
CHAIN_OF_RODS = {2.5: 0.0235, 5.0: 0.0940, 7.5: 0.1645, 10.0: 0.1879}
"""Angle of the space beam's tip seen from the pin [rad], by a fine chain of rods."""


def tip_angle(result, t):
    x, y, _ = result.point_position[np.argmin(abs(result.time - t)), -1]
    return np.arctan2(y, x)


def test_a_heavy_tip_on_a_free_joint_follows_a_chain_of_rods():
    """Payload of four link masses under a bang-bang torque; the energy grows by the torque's work, tau times angle."""
    result = flexarm.simulate(flexarm.parse_arm(HEAVY_TIP))
    assert result.status == "complete"
    assert tip_angle(result, 4.0) == pytest.approx(0.2430, abs=5e-4)
    k = np.argmin(abs(result.time - 1.495))
    work = 0.3 * (result.joint_angle[k, 0] - result.joint_angle[0, 0])
    assert result.energy_total[k] - result.energy_total[0] == pytest.approx(work, rel=1e-6)


def test_space_beam_follows_a_chain_of_rods():
    """Beam of MacLean, Huynh & Quiocho (2007): the plain model finds 0.028 rad for the hub instead of 0.172."""
    result = flexarm.simulate(flexarm.parse_arm(SPACE_BEAM))
    for t, angle in CHAIN_OF_RODS.items():
        assert tip_angle(result, t) == pytest.approx(angle, abs=6e-4)
    hub = result.joint_angle[np.argmin(abs(result.time - 7.5)), 0]
    assert hub == pytest.approx(0.172, abs=3e-3)

"""Geometric stiffening against published numbers: spinning, falling, spun-up and standing beams."""

from __future__ import annotations

import numpy as np
import pytest
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
    text = SPINNING.format(rate=6).replace("geometric_stiffening: true", "")
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
    text = (
        (ROBOTS / "spin_up_beam.yaml")
        .read_text()
        .replace("geometric_stiffening: true", "geometric_stiffening: false")
    )
    arm = flexarm.parse_arm(text)
    result = flexarm.simulate(arm)
    assert np.abs(result.link_deflection[:, 0, 1, 1]).max() > 10
    assert any("geometric_stiffening" in warning for warning in flexarm.run_warnings(result))


def test_usoro_arm_with_hinged_modes_keeps_its_energy():
    text = (ROBOTS / "usoro_two_link.yaml").read_text()
    text = text.replace("{family: clamped-free, count: 1}", "{family: hinged, count: 3}")
    result = flexarm.simulate(flexarm.parse_arm(f"{text}\ngeometric_stiffening: true\n"))
    drift = np.abs(result.energy_total - result.energy_total[0]).max() / result.energy_kinetic.max()
    print(
        f"drift {drift:.1e} in {result.attributes['steps']} steps, {result.attributes['solve_seconds']:.3f} s"
    )
    assert drift < 1e-8


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

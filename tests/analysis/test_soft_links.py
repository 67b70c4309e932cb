"""Links of several segments against beams that bend as far as they like: elastica, roll-up, a soft pendulum."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from breadth import thinned
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipeinc, ellipk, ellipkinc

import flexarm
from flexarm.analysis.checks.validity import validity_warnings
from flexarm.closed_form.closed_form import closed_form
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.stations import section_rotation
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.state.static_equilibrium import StaticForces, relax, solve_equilibrium
from flexarm.simulation.validity.link_measures import States

CLAMPED = """
name: clamped
gravity: [0, 0, 0]
geometric_stiffening: true
links: [{{length: 1.0, mu: 1.0, EI: 1.0, segments: {segments}, modes: {{family: polynomial, count: {count}}}}}]
joints: [{{type: fixed}}]
loads: [{{at: tip, {load}}}]
"""


def bent(segments: int, load: str, count: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Tip (3,) [m] and rotation vector (3,) [rad] of the end in equilibrium."""
    arm = flexarm.parse_arm(CLAMPED.format(segments=segments, count=count, load=load))
    equations = flexarm.motion_equations(arm)
    chain, n = equations.chain, equations.n_dof
    theta = relax(StaticForces.of(arm, chain), np.zeros(n))
    state = ChainState.of(chain, ca.SX(theta), ca.SX.zeros(n))
    return equations.points(theta)[-1], ca.DM(section_rotation(chain, state, 0, 1.0)).full().ravel()


def elastica(load: float) -> tuple[float, float]:
    """Tip of a clamped beam, l = EI = 1, under a force across it: 2 sin^2 phi_1 k^2 = 1, sqrt(P) = K(k) - F(phi_1, k).

    The classical solution by elliptic integrals (Bisshopp & Drucker 1945).
    """

    def length(m: float) -> float:
        return ellipk(m) - ellipkinc(np.arcsin(1 / np.sqrt(2 * m)), m) - np.sqrt(load)

    m = brentq(length, 0.5 + 1e-12, 1 - 1e-12, xtol=1e-15)
    phi = np.arcsin(1 / np.sqrt(2 * m))
    y = 1 - 2 * (ellipe(m) - ellipeinc(phi, m)) / np.sqrt(load)
    x = np.sqrt(2 / load * (2 * m - 1))
    return x, y


@pytest.mark.parametrize(
    ("load", "segments", "error"),
    thinned(
        [
            (1.0, 8, 1e-3),
            (2.0, 8, 1e-3),
            (5.0, 12, 1e-3),
            (10.0, 12, 1e-3),
            (10.0, 8, 2.6e-3),
            (10.0, 4, 2.3e-2),
        ]
    ),
)
def test_elastica(load, segments, error):
    """Within a thousandth of the length, once no segment turns by more than 0.35 rad; third order in the segments."""
    tip, _ = bent(segments, f"force: [0, {load}, 0]")
    found = np.hypot(*(tip[:2] - elastica(load)))
    print(f"P l^2/EI = {load}, {segments} segments: tip {tip}, error {found:.2e}")
    assert found < error


@pytest.mark.parametrize(("segments", "angle"), [(8, np.pi), (16, 2 * np.pi)])
def test_roll_up_by_a_moment(segments, angle):
    """Half a circle and a whole one: the end has turned by just that."""
    tip, turn = bent(segments, f"moment: [0, 0, {angle!r}]")
    error = np.hypot(*(tip[:2] - np.array([np.sin(angle), 1 - np.cos(angle)]) / angle))
    print(f"{angle:.3f} rad: error {error:.1e}")
    assert error < 2e-3
    np.testing.assert_allclose(turn, [0, 0, angle], atol=1e-9)


SPATIAL = """
name: spatial
gravity: [0, 0, 0]
geometric_stiffening: true
links:
  - length: 1.0
    mu: 1.0
    EI: {{y: {EIy}, z: {EIz}}}
    GJ: {GJ}
    rotary_inertia: [0.01, 0.005, 0.005]
    segments: {segments}
    modes:
      - {{family: polynomial, count: 1}}
      - {{family: polynomial, count: 1, direction: z}}
      - {{family: craig-bampton, count: 1, direction: torsion}}
joints: [{{type: fixed}}]
loads: [{{at: tip, moment: [0, 3, 3]}}]
"""


def rod_under_a_moment(moment: np.ndarray, EIy: float, EIz: float, GJ: float) -> np.ndarray:
    """Tip (3,) [m] of a rod of 1 m whose end bears a moment (3,) [N m] with axes fixed in space.

    No force acts, so every section passes on that moment: R' = R skew(kappa), with kappa = R^T moment over the
    stiffnesses GJ about x, EIz about y and EIy about z. One solution for each moment.
    """

    def rate(s, state):
        R = state[3:].reshape(3, 3)
        x, y, z = R.T @ moment / (GJ, EIz, EIy)
        return np.concatenate([R[:, 0], (R @ [[0, -z, y], [z, 0, -x], [-y, x, 0]]).ravel()])

    start = np.concatenate([np.zeros(3), np.eye(3).ravel()])
    return solve_ivp(rate, (0.0, 1.0), start, rtol=1e-11, atol=1e-12).y[:3, -1]


@pytest.mark.parametrize(
    ("EIy", "EIz", "GJ", "errors"),
    thinned(
        [
            (2, 1, 0.5, (2.5e-2, 6e-3)),
            (1, 1, 1, (3e-3, 4e-4)),
            (1, 2, 1, (1.5e-2, 4e-3)),
            (5, 10, 1, (1.1e-3, 3e-4)),
        ],
        every=4,
    ),
)
def test_moments_about_two_axes_in_space(EIy, EIz, GJ, errors):
    """Moments with fixed axes have no potential: their stiffness is unsymmetric.

    Segments converge to the rod, with the square of their number where bending twists them.
    """
    exact = rod_under_a_moment(np.array([0.0, 3.0, 3.0]), EIy, EIz, GJ)
    for segments, error in zip((8, 16), errors, strict=True):
        arm = flexarm.parse_arm(SPATIAL.format(EIy=EIy, EIz=EIz, GJ=GJ, segments=segments))
        equations = flexarm.motion_equations(arm)
        theta = solve_equilibrium(arm, equations.chain, np.zeros(equations.n_dof))
        tip = equations.points(theta)[-1]
        print(f"EI {EIy}, {EIz}, GJ {GJ}, {segments} segments: off by {np.linalg.norm(tip - exact):.1e} m")
        assert np.linalg.norm(tip - exact) < error


def test_rotation_vector_in_space_goes_beyond_half_a_turn():
    """About the diagonal of y and z, 16 times 0.3 rad."""
    text = CLAMPED.format(segments=16, count=1, load="moment: [0, 0, 0]")
    text = text.replace("EI: 1.0", "EI: {y: 1.0, z: 1.0}").replace(
        "{family: polynomial, count: 1}",
        "[{family: polynomial, count: 1}, {family: polynomial, count: 1, direction: z}]",
    )
    chain = build_chain(flexarm.parse_arm(text))
    per_amplitude = chain.segments(0)[0].rotation(1.0)  # (2, 3): about z, about y
    delta = np.tile(np.linalg.lstsq(per_amplitude.T, [0.0, 0.2, 0.2], rcond=None)[0], 16)
    state = ChainState.of(chain, ca.SX(delta), ca.SX.zeros(32))
    turn = ca.DM(section_rotation(chain, state, 0, 1.0)).full().ravel()
    np.testing.assert_allclose(turn, [0.0, 3.2, 3.2], atol=1e-12)


def test_curvature_and_deflection_of_a_circle():
    text = CLAMPED.format(segments=8, count=3, load="moment: [0, 0, 1.0]").replace("{type: fixed}", "{}")
    asked = ("curvature@1:0.3", "deflection@1:0.5")
    model = flexarm.linearize(flexarm.parse_arm(text), at="initial", outputs=asked)
    values = dict(zip(model.outputs, model.output_values, strict=True))
    assert values["curvature_y@1:0.3"] == pytest.approx(1.0, abs=1e-3)
    assert values["deflection_y@1:0.5"] == pytest.approx(1 - np.cos(0.5), abs=1e-3)


SOFT = """
name: soft-pendulum
gravity: [0, -9.81, 0]
geometric_stiffening: true
links: [{{length: 1.0, mu: 10.0, EI: 20.0, segments: {segments}, modes: {{family: polynomial, count: {count}}}}}]
initial: {{joints: [0.0]}}
run: {{duration: 1.5, sample: 0.375, rtol: 1e-9, atol: 1e-11}}
"""
EXACT = [(0.55466, -0.83108), (-0.94737, -0.31385), (-0.98478, -0.17137), (0.26112, -0.9653)]
"""Tip [m] after 0.375, 0.75, 1.125, 1.5 s: geometrically exact beams, 24 ANCF elements of Exudyn, digits to 1e-5 m."""


@pytest.mark.parametrize(
    ("segments", "count", "error"), thinned([(2, 2, 3e-3), (4, 2, 1e-3), (4, 3, 1e-4), (8, 3, 3e-5)], every=4)
)
def test_soft_pendulum(segments, count, error):
    result = flexarm.simulate(flexarm.parse_arm(SOFT.format(segments=segments, count=count)))
    errors = np.linalg.norm(result.point_position[1:, -1, :2] - EXACT, axis=1)
    print(f"{segments} x {count}: {errors}")
    assert errors.max() < error


def test_check_says_when_segments_cannot_carry_a_moment():
    """Three clamped-free shapes: 1 - sum (2 phi'(1) / lambda^2)^2 of the end's rotation under a moment is missing."""
    lambdas = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613])
    sigma = (np.sinh(lambdas) - np.sin(lambdas)) / (np.cosh(lambdas) + np.cos(lambdas))
    slope = np.sinh(lambdas) + np.sin(lambdas) - sigma * (np.cosh(lambdas) - np.cos(lambdas))
    missing = 1 - np.sum((slope / lambdas) ** 2)
    text = SOFT.format(segments=4, count=3)
    (warning, *_) = flexarm.check_arm(flexarm.parse_arm(text.replace("polynomial", "clamped-free"))).warnings
    assert f"4 segments give way {missing:.0%} too little to a moment" in warning
    assert "family: craig-bampton" in warning
    assert not any("give way" in words for words in flexarm.check_arm(flexarm.parse_arm(text)).warnings)


def test_limits_are_those_of_a_segment_and_name_how_many_would_do():
    """The end of the link may turn as far as it likes; rotations of 0.4 rad in a segment are too large."""
    text = SOFT.format(segments=8, count=2).replace("joints: [0.0]", "joints: [0.0], modes: [{}]")

    def warnings(turn: float) -> str:
        per_amplitude = 1.0 / (1 / 8)  # of xi^2 / 2 at the end of a segment of 1/8 m, rad/m
        amplitudes = ", ".join([f"{turn / per_amplitude}, 0"] * 8)
        arm = flexarm.parse_arm(text.replace("{}", amplitudes))
        theta = np.array([0.0, *arm.initial.modes])
        still = 0 * theta[None]
        states = States(theta[None], still, still, np.zeros(1), deformed=True)
        return "\n".join(validity_warnings(arm, build_chain(arm), states, "at the start"))

    assert warnings(0.19) == ""
    assert "the end of one of its 8 segments turns by 0.39 rad at the start" in warnings(0.39)
    assert "segments: 16 " in warnings(0.39)  # 8 x (0.39 / 2) / 0.1, of the deflection


def test_closed_form_of_segments_is_refused():
    with pytest.raises(flexarm.ModelError, match="link 1 has 4 segments"):
        closed_form(flexarm.parse_arm(SOFT.format(segments=4, count=1)))

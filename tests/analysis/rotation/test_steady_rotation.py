"""Small motions about a steady rotation: published blades, closed forms, differences of the nonlinear equations."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from reference.lagrangian import oracle

import flexarm
from flexarm.analysis.rotation.spin_rates import spin_rates
from flexarm.analysis.rotation.steady_rotation import steady_rates
from flexarm.analysis.small_motions.campbell import critical_rates
from flexarm.errors import ModelError
from flexarm.model.chain_builder import build_chain

g = 9.81

BLADE = """
name: blade
gravity: [0, 0, 0]
geometric_stiffening: true
links:
  - {length: 2.0, mu: 3.0, EI: {y: 6.0, z: 6.0},
     modes: [{family: clamped-free, count: 8}, {family: clamped-free, count: 8, direction: z}]}
"""
UNIT = np.sqrt(6.0 / (3.0 * 2.0**4))
"""sqrt(EI / (mu l^4)) of this blade [1/s]."""

# An arm in space whose other coordinates are bent by gravity, centrifugal forces and a load that turns with its link.
SPATIAL = """
name: spatial
gravity: [0, 0, -9.81]
geometric_stiffening: true
links:
  - {length: 0.8, mu: 3.0, EI: {y: 900, z: 700}, damping: 0.02,
     modes: [{family: clamped-free, count: 2}, {family: clamped-free, count: 1, direction: z}]}
  - {length: 0.9, mu: 1.5, EI: {y: 600, z: 500}, GJ: 40, rotary_inertia: 0.02,
     modes: [{family: clamped-free, count: 1}, {family: clamped-free, count: 2, direction: z},
             {family: fixed-free, count: 1, direction: torsion}]}
joints: [{friction: {viscous: 0.3}}, {twist: 60 deg, offset: 0.1, friction: {viscous: 0.2}}]
payload: {mass: 0.4, inertia: [0.01, 0.02, 0.03]}
loads: [{at: tip, force: [0.5, 1.0, 0.3], frame: link}]
initial: {joints: [20 deg, 35 deg]}
"""


def pendulum(hang: str) -> flexarm.Arm:
    """A point mass of 2 kg on a rod of 0.5 m without mass, hinged to an arm of 0.3 m that turns about the vertical."""
    return flexarm.parse_arm(f"""
name: pendulum
gravity: [0, 0, -{g}]
links: [{{length: 0.3, mu: 1}}, {{length: 0.5, mu: 1e-9}}]
joints: [{{}}, {{twist: 90 deg}}]
payload: {{mass: 2.0}}
initial: {{joints: [0, {hang}]}}
""")


# Frequencies of a rotating cantilever without hub, over sqrt(EI / (mu l^4)): Wright, Smith, Thresher & Wang,
# J. Appl. Mech. 49 (1982) 197; in the plane of rotation w^2 is less by Omega^2.
WRIGHT = {3: (4.797, 23.320), 6: (7.360, 26.809), 12: (13.170, 37.604)}


@pytest.mark.parametrize(
    ("speed", "formulation"),
    thinned(
        [(speed, formulation) for speed in WRIGHT for formulation in ("articulated", "gibbs-appell")], every=5
    ),
)
def test_rotating_cantilever(speed, formulation):
    arm = flexarm.parse_arm(f"{BLADE}run: {{duration: 1, sample: 0.01, formulation: {formulation}}}\n")
    found = np.abs(flexarm.natural_modes(arm, spin=speed * UNIT).modes.poles) / UNIT
    out_of_plane = np.array(WRIGHT[speed])
    in_plane = np.sqrt(out_of_plane**2 - speed**2)
    expected = np.sort(np.concatenate([in_plane, out_of_plane]))
    print(found[:4] / expected - 1)
    np.testing.assert_allclose(found[:4], expected, rtol=1e-3)
    np.testing.assert_allclose(found[[0, 2]] ** 2, found[[1, 3]] ** 2 - speed**2, rtol=1e-8)


def test_without_stiffening_the_frequencies_fall():
    arm = flexarm.parse_arm(BLADE.replace("stiffening: true", "stiffening: false"))
    first = [flexarm.natural_modes(arm, spin=speed * UNIT).modes.poles[0] for speed in (0, 2, 3)]
    np.testing.assert_allclose(np.imag(first) ** 2, UNIT**2 * (3.5160153**2 - np.array([0, 4, 9])), rtol=1e-6)
    assert flexarm.natural_modes(arm, spin=4 * UNIT).modes.stability == "unstable"


def differences(f, at, step=1e-5):
    return np.array([(f(at + step * e) - f(at - step * e)) / (2 * step) for e in np.eye(at.size)]).T


@pytest.mark.parametrize(
    ("spin", "joints"),
    thinned([(spin, joints) for spin in (-1.5, 2.5) for joints in ("locked", "free")], every=4),
)
def test_poles_are_those_of_the_nonlinear_equations_by_differences(spin, joints):
    """The reference knows energies alone; loads and friction are added by hand."""
    arm = flexarm.parse_arm(SPATIAL)
    plain = flexarm.parse_arm(SPATIAL.replace("loads: [", "#"))
    found = flexarm.natural_modes(arm, spin=spin, joints=joints)
    point, rows = found.point, list(found.motion.rows)
    reference, loads = oracle(plain), external(arm, plain, point.theta)
    assert "q_1" not in [point.chain.coordinates.labels[row] for row in rows]

    def missing(theta, theta_d):
        return (reference.bias(theta, theta_d) - loads(theta))[rows]

    held = missing(point.theta, point.theta_d)
    modes = [rows.index(row) for row in point.chain.coordinates.all_modes]
    assert np.abs(held[modes]).max() < 1e-9 * point.largest_force  # the relative equilibrium
    assert np.abs(point.theta[list(point.chain.coordinates.all_modes)]).max() > 1e-3
    M = reference.mass_matrix(point.theta)[np.ix_(rows, rows)]
    K = differences(lambda theta: missing(theta, point.theta_d), point.theta)[:, rows]
    D = differences(lambda theta_d: missing(point.theta, theta_d), point.theta_d)[:, rows]
    n = len(rows)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    expected = np.linalg.eigvals(A)
    poles = found.modes.all_poles
    apart = np.abs(poles[:, None] - expected).min(axis=1)
    print(apart.max())
    assert len(poles) == 2 * n
    assert apart.max() < 1e-6 * np.abs(expected).max()
    gyroscopic = found.motion.D - found.motion.D.T
    assert np.abs(gyroscopic).max() > 0.01 * np.abs(found.motion.D).max()


def external(arm, plain, theta):
    """Generalised forces of an arm's loads as a function of theta: what they change at rest."""
    from flexarm.simulation.state.static_equilibrium import StaticForces

    with_loads = StaticForces.of(arm, build_chain(arm))
    return lambda at: with_loads.forces(at)[1]


@pytest.mark.parametrize("formulation", thinned(["articulated", "gibbs-appell"]))
def test_linear_model_by_differences_of_the_accelerations(formulation):
    text = (
        SPATIAL.replace("loads: [", "#") + f"run: {{duration: 1, sample: 0.01, formulation: {formulation}}}\n"
    )
    arm = flexarm.parse_arm(text)
    model = flexarm.linearize(arm, spin="100 deg/s", outputs=("joints", "tip"))
    equations, n = flexarm.motion_equations(arm), len(model.states) // 2
    theta, theta_d, torque = model.point.theta, model.point.theta_d, model.torque
    assert (model.inputs, theta_d[0]) == (("tau_1", "tau_2"), np.radians(100))
    assert np.abs(equations.forward_dynamics(theta, theta_d, torque)).max() < 1e-8
    for found, expected in (
        (model.A[n:, :n], differences(lambda x: equations.forward_dynamics(x, theta_d, torque), theta)),
        (model.A[n:, n:], differences(lambda v: equations.forward_dynamics(theta, v, torque), theta_d)),
        (model.B[n:], differences(lambda u: equations.forward_dynamics(theta, theta_d, u), torque)),
        (model.C[2:, :n], differences(lambda x: equations.points(x)[-1], theta)),
    ):
        assert np.abs(found - expected).max() < 1e-6 * np.abs(expected).max()
    # nothing depends on how far joint 1 has turned
    assert np.abs(model.A[n:, 0]).max() < 1e-9 * np.abs(model.A).max()


@pytest.mark.parametrize("rate", [0.0, 2.0, 5.0, 9.0])
def test_pendulum_that_swings_outwards(rate):
    """Axis of the hinge across the arm: W^2 (R + l sin a) = g tan a at the relative equilibrium."""
    R, l = 0.3, 0.5
    found = flexarm.natural_modes(pendulum("-80 deg"), at="equilibrium", spin=rate)
    a = np.pi / 2 + found.point.theta[1]  # from the vertical
    assert abs(rate**2 * (R + l * np.sin(a)) - g * np.tan(a)) < 1e-6 * g
    square = g / l * np.cos(a) + rate**2 * (R / l + np.sin(a)) * np.sin(a) - rate**2 * np.cos(a) ** 2
    np.testing.assert_allclose(found.modes.poles, [1j * np.sqrt(square)], rtol=1e-6)


def test_pendulum_on_the_axis_falls_out_of_the_vertical():
    """Pendulum that hangs below the axis itself: w^2 = g/l - W^2."""
    arm = flexarm.parse_arm(f"""
name: governor
gravity: [0, 0, -{g}]
links: [{{length: 1e-9, mu: 1}}, {{length: 0.5, mu: 1e-7}}]
joints: [{{inertia: 1}}, {{twist: 90 deg}}]
payload: {{mass: 2.0}}
initial: {{joints: [0, -90 deg]}}
""")
    for rate in (0.0, 3.0, 6.0):
        pole = flexarm.natural_modes(arm, spin=rate).modes.poles[0]
        np.testing.assert_allclose(pole**2, -(g / 0.5 - rate**2), rtol=1e-6)
    diagram = flexarm.campbell(arm, "0:6:13 rad/s")
    np.testing.assert_array_equal(diagram.unstable, diagram.rates > np.sqrt(g / 0.5))


SHAFT = """
name: shaft
gravity: [0, 0, -9.81]
links:
  - {length: 1e-9, mu: 1}
  - {length: 1.0, mu: 2.0, EI: {y: 8, z: 8}, damping: %g,
     modes: [{family: clamped-free, count: 3}, {family: clamped-free, count: 3, direction: z}]}
joints: [{inertia: 1}, {type: fixed, twist: 90 deg, angle: -90 deg}]
"""


def test_shaft_along_the_axis_of_rotation():
    """Each pair of equal frequencies w splits into w + W and |w - W|: whirling seen from the turning frame."""
    arm = flexarm.parse_arm(SHAFT % 0)
    at_rest = flexarm.natural_modes(arm, joints="locked").modes.poles.imag[::2]
    for rate in (1.0, 5.0, 12.0, 60.0):
        found = flexarm.natural_modes(arm, spin=rate).modes
        expected = np.sort(np.concatenate([at_rest + rate, np.abs(at_rest - rate)]))
        np.testing.assert_allclose(np.sort(found.poles.imag), expected, rtol=1e-7)
        assert found.stability == "stable"


def test_damping_inside_a_shaft_makes_it_unstable_beyond_its_critical_rate():
    arm = flexarm.parse_arm(SHAFT % 0.01)
    w = flexarm.natural_modes(arm, joints="locked").modes.natural_frequency[0] * 2 * np.pi
    diagram = flexarm.campbell(arm, w * np.array([0.2, 0.8, 0.99, 1.01, 1.5]))
    assert diagram.unstable.tolist() == [False, False, False, True, True]


def test_lines_follow_shapes_through_crossings():
    """Stiffer in the plane of rotation: its frequency, lower at speed, is crossed by that out of the plane."""
    arm = flexarm.parse_arm(BLADE.replace("y: 6.0", "y: 6.6").replace("count: 8", "count: 2"))
    diagram = flexarm.campbell(arm, "0:8:33")
    y, z = diagram.poles.imag[:, 1], diagram.poles.imag[:, 0]
    assert y[0] > z[0]
    assert y[-1] < z[-1]
    assert np.abs(np.diff(y, 2)).max() < 0.1  # no kink where they cross
    labels = [
        [modes.leading[k] for k in row] for modes, row in zip(diagram.modes, diagram.lines, strict=True)
    ]
    assert {tuple(row[:2]) for row in labels} == {("delta_1_3", "delta_1_1")}
    rates, line = diagram.rates, diagram.poles.imag[:, 1]
    (critical,) = critical_rates(rates, line, 1)
    at = flexarm.natural_modes(arm, spin=critical).modes.poles.imag
    assert np.abs(at - critical).min() < 2e-3 * critical


def test_lines_end_where_a_vibration_becomes_two_real_poles():
    arm = flexarm.parse_arm(
        BLADE.replace("stiffening: true", "stiffening: false").replace("count: 8", "count: 1")
    )
    diagram = flexarm.campbell(arm, np.array([0, 2, 4]) * UNIT)
    assert diagram.poles.shape == (3, 3)
    assert np.isfinite(diagram.poles).sum(axis=1).tolist() == [2, 2, 3]
    assert diagram.unstable.tolist() == [False, False, True]


def test_at_rate_zero_the_joint_is_held():
    arm = flexarm.load_arm(ROBOTS / "spin_up_beam.yaml")
    held = flexarm.natural_modes(arm, joints="locked").modes.poles
    np.testing.assert_allclose(flexarm.natural_modes(arm, spin=0).modes.poles, held, rtol=1e-12)


def test_pd_drives_of_the_other_joints():
    text = SPATIAL + "drive: [null, {pd: {kp: 50, kd: 2, reference: 35 deg}}]\n"
    arm = flexarm.parse_arm(text)
    free, pd = (flexarm.natural_modes(arm, spin=2.0, joints=joints).motion for joints in ("free", "pd"))
    k = pd.rows.index(4)
    added = np.zeros_like(pd.K)
    added[k, k] = 1
    np.testing.assert_allclose(pd.K - free.K, 50 * added, atol=1e-9)
    np.testing.assert_allclose(pd.D - free.D, 2 * added, atol=1e-9)


def test_a_joint_behind_one_that_is_held_may_turn():
    text = (
        "name: second\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 1}, {length: 1, mu: 1, EI: 5, modes: "
        "{family: clamped-free, count: 1}}]\ngeometric_stiffening: true\n"
    )
    arm = flexarm.parse_arm(text)
    locked = flexarm.natural_modes(arm, spin=2, joint=2, joints="locked")
    held = flexarm.natural_modes(flexarm.parse_arm(text + "drive: [{motion: hold}, null]\n"), spin=2, joint=2)
    np.testing.assert_allclose(locked.modes.poles, held.modes.poles, rtol=1e-12)
    with pytest.raises(ModelError, match=r"joint 2 cannot turn steadily.*\(q_1\)"):
        flexarm.natural_modes(arm, spin=2, joint=2)


def test_result_holds_rates_and_lines(tmp_path):
    arm = flexarm.parse_arm(BLADE.replace("count: 8", "count: 1"))
    diagram = flexarm.campbell(arm, "1:3:3", joints="locked")
    diagram.result().save(tmp_path / "blade.h5")
    result = flexarm.open_result(tmp_path / "blade.h5")
    np.testing.assert_array_equal(result.campbell_rate, [1, 2, 3])
    np.testing.assert_array_equal(
        result.campbell_pole[..., 0] + 1j * result.campbell_pole[..., 1], diagram.poles
    )
    assert (result.joint_velocity[0, 0], result.attributes["turning_joint"]) == (1.0, 1)
    assert result.energy_kinetic[0] == pytest.approx(3.0 * 2.0**3 / 3 / 2)


@pytest.mark.parametrize(
    ("spin", "expected"),
    [
        (6, [6]),
        ("6", [6]),
        ("90 deg/s", [np.pi / 2]),
        ("0:40:5 rad/s", [0, 10, 20, 30, 40]),
        ("0 rad/s:40 rad/s:3", [0, 20, 40]),
        ("3, 1,2 rad/s", [1, 2, 3]),
        ("-180:180:3 deg/s", [-np.pi, 0, np.pi]),
        ([2.0, 1.0], [1, 2]),
        (np.array([0.5]), [0.5]),
    ],
)
def test_rates_as_they_are_typed(spin, expected):
    np.testing.assert_allclose(spin_rates(spin), expected)


@pytest.mark.parametrize(
    "spin",
    [
        "",
        "fast",
        "6 rad",
        "6 rpm",
        "0:40",
        "0:40:1",
        "0:40:2.5",
        "1:1:3",
        "1,1",
        "nan",
        "1e400",
        "0:40:99999",
        [],
    ],
)
def test_rates_that_are_none(spin):
    with pytest.raises(
        ModelError, match=r"^got .* of a steady rotation(, expected| \(`spin` takes)"
    ) as fault:
        spin_rates(spin)
    assert "\n" not in str(fault.value)


ONE = "name: one\nlinks: [{length: 1, mu: 1, EI: 5, modes: {family: clamped-free, count: 1}}]\n"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (ONE, {}, r"joint 1 turns about \(0, 0, 1\), and gravity \(0, -9.81, 0\) is not along that axis"),
        (
            ONE + "gravity: [0, 0, -9.81]\nloads: [{at: tip, force: [1, 0, 0]}]\n", {}, "a load keeps its direction",
        ),
        (ONE + "gravity: [0, 0, 0]\nbase: planar\n", {}, "the arm floats"),
        (ONE + "gravity: [0, 0, 0]\njoints: [{type: fixed}]\n", {}, "every joint is fixed"),
        (ONE + "gravity: [0, 0, 0]\n", {"joint": 2}, "got joint 2 as the one that turns, expected 1"),
        (ONE + "gravity: [0, 0, 0]\n", {"spin": "1,2"}, "got 2 rates of a steady rotation, expected one"),
        ("name: rigid\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 1}]\n", {}, "nothing can move: every other joint"),
    ],
)  # fmt: skip
def test_rotations_that_are_not_steady(text, options, message):
    arm = flexarm.parse_arm(text)
    with pytest.raises(ModelError, match=message):
        flexarm.natural_modes(arm, **{"spin": 1.0, **options})


def test_a_load_along_the_axis_is_no_hindrance():
    arm = flexarm.parse_arm(SPATIAL.replace("force: [0.5, 1.0, 0.3], frame: link", "force: [0, 0, -2]"))
    assert flexarm.natural_modes(arm, spin=2.0).point.relative_residual < 1e-9


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("drive: [{motion: '6*t'}]\n", {1: 6.0}),
        ("drive: [{motion: 'sin(t)'}]\n", {}),
        ("drive: [{motion: hold}]\n", {}),
        ("initial: {joint_rates: [2]}\n", {1: 2.0}),
        ("initial: {joint_rates: [2]}\ndrive: [{pd: {kp: 1, kd: 1, reference: 0}}]\n", {}),
        ("drive: [{torque: 1}]\n", {}),
    ],
)
def test_what_a_description_lets_turn(more, expected):
    arm = flexarm.parse_arm(ONE + more)
    assert steady_rates(arm, build_chain(arm)) == pytest.approx(expected)


def test_the_end_of_a_spin_up_counts():
    arm = flexarm.load_arm(ROBOTS / "spin_up_beam.yaml")
    assert steady_rates(arm, build_chain(arm)) == pytest.approx({1: 6.0})

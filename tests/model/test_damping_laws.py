"""Laws of damping: ratios of the assembled arm's modes, Kelvin-Voigt and Rayleigh, wherever damping enters."""

from __future__ import annotations

import re

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from scipy.linalg import eigh

import flexarm
from flexarm.closed_form.symbolic_chain import symbolic_chain
from flexarm.comparison.agreement import random_states
from flexarm.errors import ModelError
from flexarm.model.arm_inertia import arm_inertia
from flexarm.model.chain_builder import build_chain

RATIO = 0.013
ASSEMBLED = f"damping: {{ratio: {RATIO}, of: assembled}}"
LAWS = (ASSEMBLED, "damping: {retardation: 0.002}", "damping: {mass: 0.4, stiffness: 0.001}")
FORMULATIONS = ("articulated", "gibbs-appell", "lagrangian", "elastodynamics")

ARMS = {
    "free joints": """\
name: free
gravity: [0, 0, 0]
links:
  - {length: 1.0, mu: 2.0, EI: 300.0, modes: 3, DAMPING}
  - {length: 0.8, mu: 1.0, EI: 100.0, modes: 2, DAMPING}
joints: [{motor: {inertia: 1.0e-4, gear: 50}}, {twist: 90 deg, offset: 0.2, mass: 1.5, inertia: [0.01, 0.01, 0.02]}]
payload: {mass: 0.7, inertia: [0.01, 0.02, 0.03], offset: [0.05, 0.02, 0.0]}
initial: {joints: [0.3, -0.9]}
""",
    "held joints": """\
name: held
gravity: [0, 0, 0]
links:
  - length: 1.0
    mu: 2.0
    EI: {y: 300.0, z: 200.0}
    GJ: 80.0
    rotary_inertia: [1.0e-3, 5.0e-4, 5.0e-4]
    modes:
      - {family: clamped-free, count: 2}
      - {family: clamped-free, count: 2, direction: z}
      - {family: fixed-free, count: 1, direction: torsion}
    DAMPING
  - {length: 0.8, mu: 1.0, EI: 100.0, modes: 2, DAMPING}
joints: [{}, {twist: 70 deg}]
payload: {mass: 0.7}
initial: {joints: [0.3, -0.9]}
drive: [{pd: {kp: 100, kd: 5, reference: 0.3}}, {motion: hold}]
""",
    "segments": """\
name: segmented
gravity: [0, 0, 0]
links:
  - {length: 1.0, mu: 2.0, EI: 30.0, segments: 3, modes: 2, DAMPING}
  - {length: 0.8, mu: 1.0, EI: 100.0, modes: 2, DAMPING}
initial: {joints: [0.3, -0.9]}
drive: [{motion: hold}, null]
""",
    "planar base": """\
name: boom
base: planar
gravity: [0, 0, 0]
links:
  - {length: 1.0, mu: 100.0}
  - {length: 3.0, mu: 1.0, EI: 716.0, modes: 3, DAMPING}
  - {length: 3.0, mu: 1.0, EI: 716.0, modes: 3, DAMPING}
drive: [null, {motion: hold}, {motion: hold}]
""",
    "planar body": """\
name: slew
base: {type: planar, mass: 150, inertia: 60, attachment: [0.6, 0.1, 0]}
gravity: [0, 0, 0]
links:
  - {length: 3.0, mu: 0.8, EI: 700.0, modes: 3, DAMPING}
  - {length: 3.0, mu: 0.8, EI: 700.0, modes: 2, DAMPING}
initial: {joints: [-0.8, 0.4]}
drive: [{motion: hold}, null]
""",
    "free base": re.sub(r"damping: .*", "DAMPING", (ROBOTS / "space_arm.yaml").read_text()),
}
HELD = {
    "free joints": (),
    "held joints": (1, 2),
    "segments": (1,),
    "planar base": (2, 3),
    "planar body": (1,),
    "free base": (1, 2, 3),
}


def arm_with(name: str, damping: str) -> flexarm.Arm:
    return flexarm.parse_arm(ARMS[name].replace("DAMPING", damping))


def strained(arm: flexarm.Arm) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness of strain, and the matrix of damping, (n, n), by differences of the bias of the equations of motion."""
    equations, chain = flexarm.motion_equations(arm), build_chain(arm)
    theta = np.zeros(chain.coordinates.n_theta)
    theta[list(chain.coordinates.moving_joints)] = [
        angle
        for angle, row in zip(arm.initial.joints, chain.coordinates.joints, strict=True)
        if row is not None
    ]
    if arm.base == "free":
        theta[list(chain.coordinates.base_theta)] = [0, 0, 0, 1, 0, 0, 0]
    n = chain.coordinates.n_dof
    none = equations.bias(theta, np.zeros(n))
    unit = 1e-3 * np.eye(n)
    D = np.stack([(equations.bias(theta, row) - equations.bias(theta, -row)) / 2e-3 for row in unit], axis=1)
    assert np.abs(none).max() < 1e-9
    return equations.mass_matrix(theta), D


@pytest.mark.parametrize("name", ARMS)
def test_inertia_of_the_straight_arm_is_that_of_the_equations(name):
    arm = arm_with(name, "damping: 0")
    chain = build_chain(arm)
    counts = [len(bodies) for bodies in chain.links]
    angles = [
        q for joint, n in zip(arm.initial.joints, counts, strict=True) for q in (joint, *[0.0] * (n - 1))
    ]
    M, _ = strained(arm)
    np.testing.assert_allclose(arm_inertia(chain, angles), M, atol=1e-11 * np.abs(M).max())


@pytest.mark.parametrize("name", thinned(ARMS))
def test_every_mode_of_the_assembled_arm_has_the_ratio(name):
    """Joints with PD drives and prescribed motions held, the others free: as flexarm modes finds it, independently."""
    found = flexarm.natural_modes(
        arm_with(name, ASSEMBLED), hold=HELD[name] if name in ("held joints", "free base") else ()
    )
    assert found.held == HELD[name]
    modes = found.modes
    np.testing.assert_allclose(modes.damping_ratio[modes.n_rigid :], RATIO, rtol=1e-6)
    undamped = flexarm.natural_modes(arm_with(name, "damping: 0"), hold=found.roles.held).modes
    np.testing.assert_allclose(modes.natural_frequency, undamped.natural_frequency, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "damping"), thinned([(name, damping) for name in ARMS for damping in LAWS], every=4)
)
def test_damping_takes_energy_from_bending_alone(name, damping):
    """The matrix is symmetric, positive semi-definite and zero on the rates of joints and base."""
    arm = arm_with(name, damping)
    M, D = strained(arm)
    chain = build_chain(arm)
    np.testing.assert_allclose(D, chain.strain_damping, atol=1e-6 * np.abs(D).max())
    D = chain.strain_damping
    np.testing.assert_allclose(D, D.T, rtol=0, atol=1e-14 * np.abs(D).max())
    others = [k for k in range(len(M)) if k not in chain.coordinates.all_modes]
    assert not D[others].any()
    assert np.linalg.eigvalsh(D)[0] > -1e-12 * np.linalg.eigvalsh(D)[-1]
    assert np.linalg.matrix_rank(D) == len(chain.coordinates.all_modes)


@pytest.mark.parametrize(
    ("name", "damping"),
    thinned([(name, damping) for name in ("free joints", "segments") for damping in LAWS], every=4),
)
def test_all_formulations_have_it(name, damping):
    arm, without = arm_with(name, damping), arm_with(name, "damping: 0")
    D = build_chain(arm).strain_damping
    theta, theta_d = random_states(arm, build_chain(arm), 2, seed=1)[0][:2]
    for formulation in FORMULATIONS:
        arms = (arm, without)
        if formulation in ("lagrangian", "elastodynamics", "gibbs-appell"):
            arms = [one.model_copy(update={"geometric_stiffening": False}) for one in arms]
        with_it, plain = (flexarm.motion_equations(one, formulation) for one in arms)
        found = with_it.bias(theta, theta_d) - plain.bias(theta, theta_d)
        np.testing.assert_allclose(found, D @ theta_d, atol=1e-9 * np.abs(with_it.bias(theta, theta_d)).max())


def test_links_with_different_ratios_share_them_by_strain_energy():
    text = ARMS["free joints"].replace("DAMPING", "damping: {ratio: 0.04, of: assembled}", 1)
    arm = flexarm.parse_arm(text.replace("DAMPING", "damping: {ratio: 0.01, of: assembled}"))
    M, _ = strained(arm)
    chain = build_chain(arm)
    K = chain.strain_stiffness
    squares, X = eigh(K, M)
    elastic = squares > 1e-6
    first, second = (np.ix_(rows, rows) for rows in chain.coordinates.modes)
    one = [
        x[list(chain.coordinates.modes[0])] @ K[first] @ x[list(chain.coordinates.modes[0])]
        for x in X[:, elastic].T
    ]
    two = [
        x[list(chain.coordinates.modes[1])] @ K[second] @ x[list(chain.coordinates.modes[1])]
        for x in X[:, elastic].T
    ]
    part = np.divide(one, np.add(one, two))
    D = chain.strain_damping
    expected = 2 * np.sqrt(squares[elastic]) * (0.04 * part + 0.01 * (1 - part))
    np.testing.assert_allclose(
        X[:, elastic].T @ D @ X[:, elastic], np.diag(expected), atol=1e-8 * expected.max()
    )


@pytest.mark.parametrize("segments", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_kelvin_voigt_and_rayleigh_of_a_cantilever(segments):
    """zeta = w T / 2, and a / (2 w) + b w / 2."""
    text = (
        "name: c\ngravity: [0, 0, 0]\njoints: [{{type: fixed}}]\n"
        "links: [{{length: 1, mu: 1, EI: 9, segments: {}, modes: 3, {}}}]\n"
    )

    def modes(damping):
        return flexarm.natural_modes(flexarm.parse_arm(text.format(segments, damping))).modes

    w = 2 * np.pi * modes("damping: 0").natural_frequency
    found = modes("damping: {retardation: 2.0e-6}")
    np.testing.assert_allclose(found.damping_ratio, w * 2e-6 / 2, rtol=1e-8)
    found = modes("damping: {mass: 0.4, stiffness: 1.0e-6}")
    np.testing.assert_allclose(found.damping_ratio, 0.4 / (2 * w) + 1e-6 * w / 2, rtol=1e-8)


@pytest.mark.parametrize(
    ("name", "damping"),
    thinned(
        [
            (name, damping)
            for name in ("free joints", "segments")
            for damping in (ASSEMBLED, "damping: {retardation: 0.002}", "damping: {mass: 0.4}")
        ],
        every=4,
    ),
)
def test_energy_that_is_lost_is_what_damping_takes(name, damping):
    """The integral of theta_d^T D theta_d over a run, by Simpson's rule."""
    arm = arm_with(name, damping + "")
    arm = flexarm.parse_arm(
        arm.text.replace("drive: [{motion: hold}, null]\n", "")
        + "run: {duration: 0.5, sample: 2.0e-4, rtol: 1.0e-10, atol: 1.0e-12}\n"
    )
    initial = arm.initial.model_copy(
        update={"mode_rates": tuple(0.1 / (1 + k) for k in range(len(arm.initial.modes)))}
    )
    arm = arm.model_copy(update={"initial": initial})
    result = flexarm.simulate(arm)
    D = build_chain(arm).assembled_damping if damping is ASSEMBLED else build_chain(arm).strain_damping
    rows = list(build_chain(arm).coordinates.all_modes)
    rates = result.mode_velocity
    D = D if damping is ASSEMBLED else D[np.ix_(rows, rows)]
    power = np.einsum("ti,ij,tj->t", rates, D, rates)
    h = result.time[1] - result.time[0]
    taken = h / 3 * (power[0] + power[-1] + 4 * power[1:-1:2].sum() + 2 * power[2:-1:2].sum())
    lost = result.energy_total[0] - result.energy_total[-1]
    assert lost > 1e-3 * result.energy_total[0]
    assert taken == pytest.approx(lost, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "law"),
    thinned(
        [
            ("links[*].damping.ratio", "{ratio: 0.01, of: assembled}"),
            ("links[0].damping.retardation", "{retardation: 0.001}"),
            ("links[*].damping.stiffness", "{mass: 0.1, stiffness: 0.001}"),
        ]
    ),
)
def test_sweeps_vary_it_as_single_runs_do(key, law):
    arm = flexarm.parse_arm(
        ARMS["free joints"].replace("DAMPING", f"damping: {law}")
        + "drive: [{torque: 'sin(9*t)'}, null]\nrun: {duration: 0.2, sample: 0.01}\n"
    )
    found = flexarm.sweep(arm, {key: "0.001:0.02:3"}, record=["energy_lost"], workers=1)
    old = law.split("{")[1].split(f"{key.split('.')[-1]}: ")[1].split(",")[0].split("}")[0]
    for value, lost in zip((0.001, 0.0105, 0.02), found["energy_lost"], strict=True):
        name = key.split(".")[-1]
        text = arm.text.replace(f"{name}: {old}", f"{name}: {value}", 1 if "[0]" in key else -1)
        run = flexarm.simulate(flexarm.parse_arm(text))
        assert run.energy_total[0] - run.energy_total[-1] == pytest.approx(lost, rel=1e-4)


def test_a_link_that_is_rigid_has_no_damping():
    arm = flexarm.parse_arm("name: r\nlinks: [{length: 1, mu: 1, damping: {ratio: 0.01, of: assembled}}]\n")
    assert not build_chain(arm).assembled_damping.size


def test_the_closed_form_is_refused_in_words():
    with pytest.raises(ModelError, match="damping of the assembled arm couples all links"):
        symbolic_chain(arm_with("free joints", ASSEMBLED))


def test_ratios_of_torsion_without_inertia_are_refused_in_words():
    text = (
        "name: t\nlinks: [{length: 1, mu: 1, GJ: 9, modes: {family: fixed-free, count: 2, direction: torsion}, "
        "damping: {ratio: 0.01, of: assembled}}]\njoints: [{type: fixed}]\n"
    )
    with pytest.raises(ModelError, match="torsion without rotary inertia has none"):
        build_chain(flexarm.parse_arm(text))

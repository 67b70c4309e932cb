"""Arms that differ in numbers share equations, and move as if they had their own."""

import itertools

import numpy as np
import pytest
import yaml
from arms import ARMS
from breadth import thinned
from simulation.contact.drops import drop

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.links import flexible_link
from flexarm.model.chain_builder import build_chain
from flexarm.model.numbers import flatten
from flexarm.model.tabled_chain import tabled
from flexarm.simulation.forward.free_motion import prepare_free_motion
from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact
from flexarm.simulation.forward.parametric_model import ParametricModel, StructureMismatch

NUMBERS = ("links", "joints", "payload", "drive", "loads", "gravity")
"""Blocks of which every number is changed."""

DRIVEN = """
name: driven
gravity: [0, -9.81, 0]
geometric_stiffening: true
links:
  - {length: 1.0, mu: 2.0, EI: 800.0, damping: 0.01, modes: {family: clamped-free, count: 2}}
  - {length: 0.8, mu: 1.0, EI: 300.0, modes: {family: clamped-loaded, count: 1, tip: {mass: 0.5, inertia: 0.01}}}
joints: [{friction: {viscous: 0.3, coulomb: 0.1}}, {motor: {inertia: 1.0e-4, gear: 50}}]
payload: {mass: 0.5, inertia: 0.01, offset: [0.05, 0.0, 0.0]}
initial: {joints: [0.2, -0.4]}
drive: [{pd: {kp: 300.0, kd: 20.0, reference: "0.5*sin(t)"}}, {torque: 1.5}]
loads: [{at: {link: 1, at: 0.3}, force: [1.0, 2.0, 0.0]}]
run: {duration: 0.3, sample: 0.01, rtol: 1.0e-10, atol: 1.0e-12}
"""


def varied(text: str, seed: int, formulation: str = "articulated") -> flexarm.Arm:
    """The same arm with its numbers changed by some percent; integers and angles in degrees stay."""
    rng = np.random.default_rng(seed)

    def change(node):
        if isinstance(node, dict):
            tapered = any(isinstance(part, dict) and "eta" in str(part) for part in node.values())
            fixed = {"eta", "at", *(["length"] if tapered else [])}
            return {key: part if key in fixed else change(part) for key, part in node.items()}
        if isinstance(node, list):
            return [change(part) for part in node]
        return node * rng.uniform(0.98, 1.02) if isinstance(node, float) else node

    description = yaml.safe_load(text)
    description |= {block: change(description[block]) for block in NUMBERS if block in description}
    description["run"] = {**description.get("run", {}), "formulation": formulation}
    if not FORMULATIONS[formulation].can.stiffening:
        description["geometric_stiffening"] = False
    return flexarm.parse_arm(yaml.safe_dump(description))


def largest_difference(text: str, formulation: str = "articulated") -> float:
    """Of the state's rates between an instance of a model and the same arm with equations of its own, relative."""
    model = ParametricModel([varied(text, 1, formulation), varied(text, 2, formulation)])
    arm = varied(text, 3, formulation)
    instance = model.instance(arm)
    assert instance.parameters.size > 5
    shared = model.state_equation.native_rhs.at(instance.parameters)
    own = ParametricModel([arm]).state_equation.native_rhs.at(np.empty(0))
    rng, differences = np.random.default_rng(4), []
    for _ in range(3):
        t, y = rng.uniform(0, 1), 0.1 * rng.normal(size=own.f.n_y)
        expected = own(t, y)
        differences.append(np.abs(shared(t, y) - expected).max() / np.abs(expected).max())
    return max(differences)


@pytest.mark.parametrize("name", thinned([name for name in ARMS if name != "spatial-large"], every=6))
def test_an_instance_accelerates_as_with_its_own_equations(name):
    assert largest_difference(ARMS[name]) < 1e-10


@pytest.mark.parametrize("formulation", thinned(FORMULATIONS, every=4))
def test_every_formulation_takes_symbols_for_numbers(formulation):
    assert largest_difference(ARMS["planar-families"], formulation) < 1e-10


def test_drives_loads_friction_and_damping_are_numbers_too():
    assert largest_difference(DRIVEN) < 1e-10


@pytest.mark.slow
def test_a_run_records_the_same():
    model, arm = ParametricModel([varied(DRIVEN, 1), varied(DRIVEN, 2)]), varied(DRIVEN, 3)
    (shared,), (own,) = prepare_free_motion(arm, model=model).blocks(), prepare_free_motion(arm).blocks()
    for name, values in own.items():
        scale = max(np.abs(values).max(), 1e-9)
        np.testing.assert_allclose(shared[name], values, rtol=0, atol=1e-6 * scale, err_msg=name)


def test_implicit_methods_get_the_jacobian_of_the_instance():
    text = DRIVEN.replace("run: {", "run: {method: radau, ").replace("1.0e-10", "1.0e-7")
    model, arm = ParametricModel([varied(text, 1), varied(text, 2)]), varied(text, 3)
    run = prepare_free_motion(arm, model=model)
    jacobian = run.integration.problem.jacobian(0.0, run.integration.problem.y0)
    differences = np.empty_like(jacobian)
    for k in range(run.integration.problem.y0.size):
        up, down = run.integration.problem.y0.copy(), run.integration.problem.y0.copy()
        up[k] += 1e-6
        down[k] -= 1e-6
        problem = run.integration.problem
        differences[:, k] = (problem.rhs(0.0, up, problem.p) - problem.rhs(0.0, down, problem.p)) / 2e-6
    np.testing.assert_allclose(jacobian, differences, atol=1e-5 * np.abs(jacobian).max())


@pytest.mark.slow
def test_motions_with_contact_share_equations():
    model, arm = ParametricModel([varied(drop(5), 1), varied(drop(5), 2)]), varied(drop(5), 3)
    shared, own = prepare_motion_with_contact(arm, model=model), prepare_motion_with_contact(arm)
    for _ in shared.blocks(), own.blocks():
        for block in _:
            assert np.isfinite(block["joint_angle"]).all()
    found, expected = shared.impacts["impact_time"], own.impacts["impact_time"]
    assert len(found) == len(expected) > 0
    np.testing.assert_allclose(found[:3], expected[:3], atol=1e-8)


def test_what_comes_out_does_not_depend_on_which_points_were_asked_before():
    model = ParametricModel([varied(DRIVEN, 1), varied(DRIVEN, 2)])
    arm, other = varied(DRIVEN, 3), varied(DRIVEN, 4)
    (first,) = prepare_free_motion(arm, model=model).blocks()
    list(prepare_free_motion(other, model=model).blocks())
    (again,) = prepare_free_motion(arm, model=model).blocks()
    assert all(np.array_equal(first[name], again[name]) for name in first)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count: 2", "count: 3"),
        ("sin(t)", "cos(t)"),
        ("at: 0.3}", "at: 0.4}"),
        ("gravity: [0,", "gravity: [1.0,"),
    ],
    ids=["modes", "expression", "station", "a zero that is none"],
)
def test_arms_of_another_structure_are_refused(old, new):
    model = ParametricModel([varied(DRIVEN, 1), varied(DRIVEN, 2)])
    other = varied(DRIVEN.replace(old, new), 3)
    assert other != varied(DRIVEN, 3)
    with pytest.raises(StructureMismatch, match="driven"):
        model.instance(other)


def test_structural_zeros_stay_zeros():
    """A model of planar arms is as cheap as one planar arm, up to products of what was constant."""
    alone = ParametricModel([varied(DRIVEN, 3)]).state_equation.native_rhs.at(np.empty(0)).f
    model = ParametricModel([varied(DRIVEN, 1), varied(DRIVEN, 2)])
    shared, _ = model.state_equation.native_rhs.at(model.instance(varied(DRIVEN, 3)).parameters)
    assert shared.instructions < 1.1 * alone.instructions


ALIKE = [
    ("", ""),
    ("length: 1.0", "length: 1.1"),
    ("EI: 800.0", "EI: 900.0"),
    ("damping: 0.01", "damping: 0.02"),
    ("damping: 0.01", "rotary_inertia: [0.1, 0.0, 0.0]"),
    ("mu: 2.0", "mu: {eta: [0.0, 1.0], values: [2.0, 1.0]}"),
    ("mu: 2.0", "mu: {eta: [0.0, 1.0], values: [2.0, 1.5]}"),
    ("count: 2", "count: 2, normalisation: tip"),
    ("tip: {mass: 0.5,", "tip: {mass: 0.6,"),
    ("tip: {mass: 0.5, inertia: 0.01}", "tip: auto"),
    ("{friction:", "{mass: 0.2, friction:"),
    ("{friction:", "{inertia: 0.2, friction:"),
    ("payload: {mass: 0.5, inertia: 0.01, offset: [0.05, 0.0, 0.0]}", "payload: {mass: 0.5}"),
    ("payload: {mass: 0.5, inertia: 0.01, offset: [0.05, 0.0, 0.0]}", "payload: {mass: 0.6}"),
    ("geometric_stiffening: true", "geometric_stiffening: false"),
    ("at: 0.3}", "at: 0.4}"),
]
"""Changes of one thing each, none of which may be taken for another where links are built once."""


def read(arm: flexarm.Arm) -> tuple[tuple, bytes]:
    """Structure of an arm's chain, and the bits of its numbers."""
    structure, numbers = flatten(tabled(build_chain(arm), (0.5, 1.0, arm.loads[0].station)))
    return structure, numbers.tobytes()


def test_arms_read_alike_whatever_was_read_before_and_are_not_confused():
    arms = [flexarm.parse_arm(DRIVEN.replace(*change)) for change in ALIKE]
    fresh = []
    for arm in arms:
        flexible_link.cache_clear()
        fresh.append(read(arm))
    assert [read(arm) for arm in arms] == fresh
    assert [read(arm) for arm in reversed(arms)] == fresh[::-1]
    assert all(one != other for one, other in itertools.combinations(fresh, 2))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_mass_matrix_of_an_instance_is_that_of_its_arm(formulation):
    text = ARMS["planar-families"]
    model = ParametricModel([varied(text, 1, formulation), varied(text, 2, formulation)])
    arm = varied(text, 3, formulation)
    theta = 0.1 * np.random.default_rng(4).normal(size=build_chain(arm).coordinates.n_theta)
    expected = flexarm.motion_equations(arm, formulation).mass_matrix(theta)
    np.testing.assert_allclose(
        model.mass_matrices([model.instance(arm)], [theta])[0], expected, rtol=1e-10, atol=1e-12
    )

"""Closed-form equations against the numeric formulations, in every format."""

import json
import time

import numpy as np
import pytest
from arms import arm
from breadth import thinned
from paths import ROBOTS

from flexarm import ModelError, load_arm, motion_equations
from flexarm.catalogue import FORMULATIONS
from flexarm.closed_form.closed_form import closed_form
from flexarm.closed_form.formats.json_data import as_json
from flexarm.closed_form.formats.latex import as_latex
from flexarm.closed_form.formats.layout import force_names
from flexarm.closed_form.formats.python_module import as_python
from flexarm.closed_form.formats.text import as_text
from flexarm.closed_form.formats.writers import FORMATS
from flexarm.comparison.agreement import random_states
from flexarm.comparison.cost_scaling import equal_links
from flexarm.description.reading.loader import parse_arm
from flexarm.model.chain_builder import build_chain

TOLERANCE = 1e-10
"""Relative to the largest force: sums of many products, each to round-off."""
BUILT = {
    "usoro_two_link": load_arm(ROBOTS / "usoro_two_link.yaml"),
    "de_luca_siciliano_two_link": load_arm(ROBOTS / "de_luca_siciliano_two_link.yaml"),
    "flexible_pendulum": load_arm(ROBOTS / "flexible_pendulum.yaml"),
    "spin_up_beam": load_arm(ROBOTS / "spin_up_beam.yaml"),
    "rigid_two_link": load_arm(ROBOTS / "rigid_two_link.yaml"),
    "planar-two-link": arm("planar-two-link"),
    "planar-rigid-three": arm("planar-rigid-three"),
    "planar-tapered": arm("planar-tapered"),
    "planar-two-link-small": arm("planar-two-link", "small"),
    "spatial-two-link": equal_links(2, 1),
    "spatial-rigid-three": equal_links(3, 0),
}
AFLOAT = """
name: afloat
base: {base}
links: [{{length: 0.7, mu: 2.0, EI: 30, modes: {{family: clamped-free, count: 1}}}}, {{length: 0.5, mu: 1.0}}]
joints: [{{type: fixed, inertia: [0.1, 0.1, 0.1]}}, {{friction: {{viscous: 0.3}}}}]
payload: {{mass: 0.1}}
"""
BUILT |= {
    "planar-base": load_arm(ROBOTS / "shafei_falling_link.yaml"),
    "planar-base-two-link": parse_arm(AFLOAT.format(base="planar"), source="a"),
    "free-base": parse_arm(AFLOAT.format(base="free"), source="a"),
    "free-base-rod": parse_arm(
        "name: a\nbase: free\nlinks: [{length: 0.7, mu: 2.0}]\njoints: [{type: fixed}]\n", source="a"
    ),
}


def module(text):
    """Import generated Python."""
    names = {}
    exec(compile(text, "generated.py", "exec"), names)
    return names


def states(description, count=3):
    """Triples (theta, theta_d, theta_dd) near the initial state."""
    rng = np.random.default_rng(5)
    for theta, theta_d in random_states(description, build_chain(description), count, seed=4):
        yield theta, theta_d, rng.normal(size=theta_d.size)


@pytest.mark.parametrize("name", thinned(BUILT, keep=("spatial-two-link", "planar-base-two-link")))
def test_inverse_form_gives_the_forces_of_the_formulation(name):
    description = BUILT[name]
    equations = motion_equations(description)
    generated = module(as_python(closed_form(description)))
    for state in states(description):
        wanted = equations.inverse_dynamics(*state)
        got = np.array(generated["inverse_dynamics"](*state))
        assert np.abs(got - wanted).max() <= TOLERANCE * np.abs(wanted).max()


@pytest.mark.parametrize(
    "name", ["usoro_two_link", "planar-tapered", "spatial-two-link", "planar-base-two-link"]
)
def test_mass_matrix_form_gives_matrix_and_bias(name):
    description = BUILT[name]
    equations = motion_equations(description)
    generated = module(as_python(closed_form(description), shape="mass-matrix"))
    for theta, theta_d, _ in states(description):
        M, bias = equations.mass_matrix(theta), equations.bias(theta, theta_d)
        assert np.abs(np.array(generated["mass_matrix"](theta)) - M).max() <= TOLERANCE * np.abs(M).max()
        assert (
            np.abs(np.array(generated["bias"](theta, theta_d)) - bias).max() <= TOLERANCE * np.abs(bias).max()
        )


def test_symbols_of_a_floating_base():
    """Planar as in [FL17]; a free base has a velocity and an angular velocity that are no rates of coordinates."""
    planar, free = closed_form(BUILT["planar-base"], "rigid"), closed_form(BUILT["free-base-rod"])
    assert planar.coordinates[-2:] == ("X_1", "X_2")
    assert (planar.rates[-1], planar.accelerations[-1]) == ("X_2_d", "X_2_dd")
    assert (free.coordinates[-4], free.rates[-1], free.accelerations[-1]) == ("e_0", "w_z", "w_z_d")
    assert force_names(planar)[-1] == "F_X_2"
    assert force_names(free) == ("F_v_x", "F_v_y", "F_v_z", "F_w_x", "F_w_y", "F_w_z")
    text = as_text(free, 4, "mass-matrix")
    assert "quaternion e of unit length" in text
    assert "M[1,1] =\n    + L*mu\n" in text  # the mass, as the squares of e add up to one
    assert "e_0**2" not in text
    assert r"h_{6} ={}" in as_latex(free, 4, "mass-matrix")


@pytest.mark.parametrize(
    ("name", "formulation"),
    thinned(
        [
            (name, formulation)
            for name in ("usoro_two_link", "planar-two-link-small", "spatial-rigid-three", "planar-base")
            for formulation in FORMULATIONS
            if formulation != "articulated"
        ],
        every=2,
    ),
)
def test_every_formulation_has_a_closed_form(name, formulation):
    """By its own equations; with finite rotation they are the same products for all formulations."""
    description = BUILT[name]
    if name == "planar-base" and not FORMULATIONS[formulation].can.planar_base:
        with pytest.raises(ModelError, match=r"no equations for base: planar \(use articulated"):
            closed_form(description, formulation=formulation)
        return
    form = closed_form(description, formulation=formulation)
    if description.link_rotation == "finite":
        assert [len(terms) for terms in form.forces] == [
            len(terms) for terms in closed_form(description).forces
        ]
    generated = module(as_python(form))
    equations = motion_equations(description, formulation=formulation)
    for state in states(description):
        wanted, got = equations.inverse_dynamics(*state), np.array(generated["inverse_dynamics"](*state))
        assert np.abs(got - wanted).max() <= TOLERANCE * np.abs(wanted).max()


def test_symbols_take_other_values():
    """Equations derived at one set of numbers hold for another arm of the same structure."""
    text = ("name: a\nlinks:\n  - {{length: {L}, mu: {mu}, EI: {EI}, modes: {{family: clamped-free, count: 1}}}}\n"
            "  - {{length: {L}, mu: {mu}, EI: {EI}, modes: {{family: clamped-free, count: 1}}}}\n"
            "joints: [{{friction: {{viscous: 0.3, coulomb: 0.2}}}}, {{offset: 0.1}}]\n"
            "payload: {{mass: {m_p}}}\n")  # fmt: skip
    one = {"L": 1.0, "mu": 2.0, "EI": 50.0, "m_p": 0.4}
    other = {"L": 0.7, "mu": 3.0, "EI": 20.0, "m_p": 0.9}
    generated = module(as_python(closed_form(parse_arm(text.format(**one), source="a"))))
    assert {"L", "mu", "EI", "m_p", "g", "b_1", "c_1", "d_2"} <= set(generated["PARAMETERS"])
    equations = motion_equations(parse_arm(text.format(**other), source="a"))
    state = np.random.default_rng(1).normal(size=(3, 4)) * [1, 0.05, 1, 0.05]
    wanted = equations.inverse_dynamics(*state)
    got = np.array(generated["inverse_dynamics"](*state, **other))
    assert np.abs(got - wanted).max() <= TOLERANCE * np.abs(wanted).max()


@pytest.mark.parametrize(("truncation", "small"), [("first-order", 1), ("linear", 3)])
def test_truncations_leave_an_error_of_second_order(truncation, small):
    """In the amplitudes; `linear` in amplitudes, rates and second rates together."""
    description = BUILT["usoro_two_link"]
    equations = motion_equations(description)
    generated = module(as_python(closed_form(description, truncation)))
    state = np.random.default_rng(2).normal(size=(3, 4))
    errors = []
    for size in (1e-2, 5e-3):
        theta, theta_d, theta_dd = state.copy()
        for vector in (theta, theta_d, theta_dd)[:small]:
            vector[[1, 3]] = size * np.array([1.0, -0.7])
        wanted = equations.inverse_dynamics(theta, theta_d, theta_dd)
        got = np.array(generated["inverse_dynamics"](theta, theta_d, theta_dd))
        errors.append(np.abs(got - wanted).max())
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


def test_linear_equations_hold_no_product_of_two_small_quantities():
    form = closed_form(BUILT["planar-two-link"], "linear")
    for terms in form.forces:
        for term in terms:
            assert sum(n for name, n in term.factors if name.startswith("delta")) <= 1
    assert form.n_terms < closed_form(BUILT["planar-two-link"]).n_terms


def test_rigid_form_is_that_of_the_rigid_arm():
    got = closed_form(BUILT["usoro_two_link"], "rigid").forces
    assert got == closed_form(BUILT["rigid_two_link"]).forces


def test_text_reads_like_the_printed_equations():
    form = closed_form(BUILT["rigid_two_link"])
    text = as_text(form, 4, "inverse")
    assert "+ 1.667*L**3*mu" in text
    assert "0.5*L**2*g*mu*cos(q_1 + q_2)" in text
    assert "+ 1.67*L**3*mu" in as_text(form, 3, "mass-matrix")
    assert "M[1,2] =" in as_text(form, 3, "mass-matrix")


def test_json_holds_every_product():
    description = BUILT["usoro_two_link"]
    data = json.loads(as_json(closed_form(description)))
    values = {name: entry["value"] for name, entry in data["parameters"].items()}
    rng = np.random.default_rng(3)
    theta, theta_d, theta_dd = rng.normal(size=(3, 4)) * [1, 0.05, 1, 0.05]
    for ending, vector in (("", theta), ("_d", theta_d), ("_dd", theta_dd)):
        values |= {f"{name}{ending}": value for name, value in zip(data["coordinates"], vector, strict=True)}

    def total(terms):
        result = 0.0
        for term in terms:
            product = term["coefficient"] * np.prod(
                [values[name] ** n for name, n in term["factors"].items()]
            )
            if "function" in term:
                product *= {"cos": np.cos, "sin": np.sin}[term["function"]](total(term["angle"]))
            result += product
        return result

    wanted = motion_equations(description).inverse_dynamics(theta, theta_d, theta_dd)
    got = [total(equation["terms"]) for equation in data["equations"]]
    np.testing.assert_allclose(got, wanted, atol=TOLERANCE * np.abs(wanted).max())


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("shape", thinned(["inverse", "mass-matrix"]))
def test_every_format_writes_every_shape(kind, shape):
    assert FORMATS[kind](closed_form(BUILT["spin_up_beam"]), 5, shape).endswith("\n")


def test_long_equations_are_refused_with_their_size():
    with pytest.raises(
        ModelError, match=r"too long: after \d+ of \d+ operations one sum has \d+ terms, more than 100"
    ):
        closed_form(BUILT["de_luca_siciliano_two_link"], limit=100)
    closed_form(BUILT["de_luca_siciliano_two_link"], limit=None)


@pytest.mark.parametrize(("n", "seconds"), [(2, 20), (3, 120)])
def test_two_and_three_links_stay_within_their_time(n, seconds):
    """The limits that users are told, with the conversion to Python included; two orders above what is needed."""
    start = time.process_time()
    text = as_python(closed_form(equal_links(n, 1, spatial=False)))
    assert time.process_time() - start < seconds
    assert "def inverse_dynamics" in text


def test_the_body_of_a_base_has_symbols_of_its_own():
    """A rigid bar on a body that floats in the plane, by hand: the row of the base's attitude."""
    floating = parse_arm(
        "name: b\ngravity: [0, 0, 0]\nbase: {type: planar, mass: 150, inertia: 60, attachment: [0.6, 0, 0]}\n"
        "links: [{length: 1, mu: 3}]\n"
    )
    form = closed_form(floating)
    assert form.coordinates == ("q_1", "X_1", "X_2", "phi")
    values = {parameter.name: parameter.value for parameter in form.parameters}
    # J_b about joint 1 is 60 + 150 * 0.6^2, the first moment points backwards
    assert values == pytest.approx({"m_b": 150, "S_bx": -90, "J_bz": 114, "J_by": 54, "L": 1, "mu": 3})

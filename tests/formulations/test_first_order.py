"""Equations of motion without products of deflections, [SY94]: what is left out, and that nothing else is."""

import numpy as np
import pytest
from arms import arm, random_state
from breadth import thinned
from paths import ROBOTS
from reference.first_order import first_order

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.closed_form.closed_form import closed_form
from flexarm.closed_form.formats.python_module import as_python

PUBLISHED = flexarm.load_arm(ROBOTS / "korayem_1994_closed_form.yaml")
CHANGES = {"geometric_stiffening": False, "products_of_deflections": False}
INTERPOLATION = 1e-9


def relative_error(found, expected):
    return np.abs(np.asarray(found) - expected).max() / np.abs(expected).max()


def cut_and_whole(name, rotation, formulation):
    description = arm(name)
    run = description.run.model_copy(update={"formulation": formulation})
    changes = {"link_rotation": rotation, "geometric_stiffening": False, "run": run}
    whole = description.model_copy(update=changes)
    return whole.model_copy(update={"products_of_deflections": False}), whole


@pytest.mark.parametrize(
    ("name", "formulation", "rotation"),
    thinned(
        [
            (name, formulation, rotation)
            for name in ("planar-two-link", "spatial-two-link")
            for formulation in FORMULATIONS
            for rotation in ("small", "finite")
        ]
    ),
)
def test_matrix_and_bias_are_the_taylor_polynomials_of_the_whole_ones(name, formulation, rotation):
    cut, whole = (flexarm.motion_equations(one) for one in cut_and_whole(name, rotation, formulation))
    theta, theta_d, theta_dd = random_state(arm(name))
    modes = cut.coordinates.all_modes
    M, bias = cut.mass_matrix(theta), cut.bias(theta, theta_d)
    assert relative_error(M, first_order(whole.mass_matrix, theta, modes)) < INTERPOLATION
    assert relative_error(bias, first_order(lambda at: whole.bias(at, theta_d), theta, modes)) < INTERPOLATION
    assert relative_error(M, whole.mass_matrix(theta)) > 1e-4
    np.testing.assert_array_equal(M, M.T)
    np.testing.assert_allclose(
        cut.inverse_dynamics(theta, theta_d, theta_dd), M @ theta_dd + bias, rtol=1e-12
    )


@pytest.mark.parametrize("products", [True, False])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_balance_of_generalised_forces_is_that_of_the_formulation(formulation, products):
    equations = flexarm.motion_equations(cut_and_whole("planar-two-link", "small", formulation)[products])
    theta, theta_d, theta_dd = random_state(arm("planar-two-link"))
    terms = equations.balance(theta, theta_d, theta_dd)
    assert relative_error(sum(terms), equations.inverse_dynamics(theta, theta_d, theta_dd)) < 1e-12
    if formulation in ("lagrangian", "elastodynamics"):  # whose weight is the derivative of a potential
        at_rest = equations.balance(theta, 0 * theta_d, 0 * theta_dd)
        assert np.abs(at_rest.inertia).max() < 1e-12 * np.abs(at_rest.deformation).max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_forward_and_inverse_dynamics_are_of_the_same_equations(formulation):
    cut, _ = cut_and_whole("planar-two-link", "small", formulation)
    equations = flexarm.motion_equations(cut)
    theta, theta_d, theta_dd = random_state(arm("planar-two-link"))
    theta[list(equations.coordinates.all_modes)] *= 0.1
    forces = equations.inverse_dynamics(theta, theta_d, theta_dd)
    assert relative_error(equations.forward_dynamics(theta, theta_d, forces), theta_dd) < 1e-10


@pytest.mark.parametrize("formulation", ["lagrangian", "elastodynamics", "gibbs-appell", "articulated"])
def test_they_are_the_closed_form_that_is_cut_term_by_term(formulation):
    """The closed form drops the products while it multiplies out the whole equations."""
    whole = PUBLISHED.model_copy(update={"products_of_deflections": True})
    module: dict = {}
    exec(as_python(closed_form(whole, "first-order", formulation), 17, "inverse"), module)
    equations = flexarm.motion_equations(PUBLISHED, formulation=formulation)
    rng = np.random.default_rng(1994)
    for _ in range(5):
        state = rng.uniform(-1, 1, (3, 4)) * [1.0, 0.1, 1.0, 0.1]
        found = equations.inverse_dynamics(*state)
        assert relative_error(found, module["inverse_dynamics"](*state)) < 1e-12


def test_the_arm_without_products_has_the_same_closed_form():
    whole = PUBLISHED.model_copy(update={"products_of_deflections": True})
    cut, dropped = (
        closed_form(PUBLISHED, "all", "lagrangian"),
        closed_form(whole, "first-order", "lagrangian"),
    )
    assert cut.truncation == "first-order"
    assert [len(force) for force in cut.forces] == [len(force) for force in dropped.forces]
    for found, expected in zip(cut.forces, dropped.forces, strict=True):
        for one, other in zip(found, expected, strict=True):
            assert (one.factors, one.function, one.angle) == (other.factors, other.function, other.angle)
            assert one.coefficient == pytest.approx(other.coefficient, rel=1e-12)


def test_energy_is_not_kept_and_undeformed_links_move_the_same():
    text = PUBLISHED.text.replace("duration: 3.0", "duration: 0.5, rtol: 1e-11")
    kept = text.replace("link_rotation: small", "").replace("products_of_deflections: false", "")
    cut, whole = (flexarm.simulate(flexarm.parse_arm(each)) for each in (text, kept))
    assert np.ptp(whole.energy_total) < 1e-8 < 1e-6 < np.ptp(cut.energy_total)
    first = flexarm.motion_equations(PUBLISHED)
    theta = np.array([0.3, 0.0, 0.7, 0.0])
    other = flexarm.motion_equations(PUBLISHED.model_copy(update={"products_of_deflections": True}))
    np.testing.assert_allclose(first.mass_matrix(theta), other.mass_matrix(theta), rtol=1e-14)

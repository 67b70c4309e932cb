"""Published end rotation E = I + skew(theta): how far it is from consistent energies, by measured order.

All modal amplitudes, rates and accelerations are halved three times; an order of 2 means that the difference drops
fourfold. See docs/papers.md, "Small end rotation", for why the modal rows lose an order.
"""

from __future__ import annotations

import numpy as np
import pytest
from arms import FLEXIBLE_CHAINS, arm, equations, joint_rows, mode_rows, random_state, scale_deflections
from breadth import thinned
from reference.lagrangian import oracle

from flexarm.catalogue import FORMULATIONS

PLANAR_CHAINS = [name for name in FLEXIBLE_CHAINS if name.startswith("planar")]
CHAINS = thinned(FLEXIBLE_CHAINS, every=4)
BY_VELOCITY = ("articulated", "gibbs-appell")
"""Formulations in which a mode turns all beyond the link with the angular velocity theta_j."""
BY_DERIVATIVE = ("lagrangian", "elastodynamics")
"""Formulations that differentiate I + skew(theta)."""
POINTS_ONLY = ("planar-two-link", "spatial-two-link")
"""Chains of mass points: nothing on them has a moment of inertia of its own."""
ROUND_OFF = 1e-13
"""Relative; small differences of larger forces among it."""


def scaled_states(name: str):
    for k in range(4):
        yield [scale_deflections(arm(name), part, 0.1 * 0.5**k) for part in random_state(arm(name))]


def measured_order(name: str, rows: np.ndarray, formulation: str, reference) -> float:
    """Order in delta of the inverse dynamics' difference to a reference, from the finest two of four scales."""
    eq = equations(name, formulation, "small")
    norms = [
        np.linalg.norm((eq.inverse_dynamics(*state) - reference.inverse_dynamics(*state))[rows])
        for state in scaled_states(name)
    ]
    orders = np.log2(np.divide(norms[:-1], norms[1:]))
    print(f"{name}, {formulation}: differences {norms}, orders {orders}")
    return orders[-1]


def relative_difference(name: str, rows: np.ndarray, formulation: str, reference) -> float:
    """Largest relative difference of the inverse dynamics over the four scales."""
    eq = equations(name, formulation, "small")
    differences = []
    for state in scaled_states(name):
        actual, expected = eq.inverse_dynamics(*state), reference.inverse_dynamics(*state)
        differences.append(np.abs((actual - expected)[rows]).max() / np.abs(expected).max())
    print(f"{name}, {formulation}: relative differences {differences}")
    return max(differences)


def test_every_formulation_belongs_to_one_group():
    assert sorted(BY_VELOCITY + BY_DERIVATIVE) == sorted(FORMULATIONS)


@pytest.mark.parametrize("formulation", BY_VELOCITY)
@pytest.mark.parametrize("name", CHAINS)
def test_joint_rows_are_second_order(name, formulation):
    order = measured_order(name, joint_rows(arm(name)), formulation, oracle(arm(name), "small"))
    assert abs(order - 2) < 0.1


@pytest.mark.parametrize("formulation", BY_VELOCITY)
@pytest.mark.parametrize("name", CHAINS)
def test_modal_rows_are_first_order(name, formulation):
    """Differentiating I + skew(theta) gives theta_j x A r where the papers have theta_j x (E A r)."""
    order = measured_order(name, mode_rows(arm(name)), formulation, oracle(arm(name), "small"))
    assert abs(order - 1) < 0.1


@pytest.mark.parametrize("formulation", BY_VELOCITY)
@pytest.mark.parametrize("name", thinned(PLANAR_CHAINS))
def test_in_a_plane_the_published_rows_are_second_order_to_finite_rotation(name, formulation):
    """The first-order term that the modal rows have and I + skew(theta) lacks is the true one."""
    order = measured_order(name, mode_rows(arm(name)), formulation, oracle(arm(name), "finite"))
    assert abs(order - 2) < 0.1


@pytest.mark.parametrize("other", [name for name in FORMULATIONS if name != "gibbs-appell"])
@pytest.mark.parametrize("name", CHAINS)
def test_orders_against_gibbs_appell(name, other):
    """Second order in all rows within a group; between the groups the modal rows differ at first order."""
    gibbs_appell = equations(name, "gibbs-appell", "small")
    assert abs(measured_order(name, joint_rows(arm(name)), other, gibbs_appell) - 2) < 0.1
    modal = 2 if other in BY_VELOCITY else 1
    assert abs(measured_order(name, mode_rows(arm(name)), other, gibbs_appell) - modal) < 0.1


@pytest.mark.parametrize("formulation", BY_DERIVATIVE)
@pytest.mark.parametrize("name", CHAINS)
def test_orders_against_finite_rotation(name, formulation):
    """What differentiating I + skew(theta) costs, even in a plane: the modal rows are right to first order only."""
    finite = oracle(arm(name), "finite")
    assert abs(measured_order(name, joint_rows(arm(name)), formulation, finite) - 2) < 0.1
    assert abs(measured_order(name, mode_rows(arm(name)), formulation, finite) - 1) < 0.1


@pytest.mark.parametrize("name", POINTS_ONLY)
def test_elastodynamics_is_that_of_the_energies(name):
    """Of mass points it differentiates the same energies as the oracle."""
    small = oracle(arm(name), "small")
    assert relative_difference(name, slice(None), "elastodynamics", small) < ROUND_OFF


@pytest.mark.parametrize("name", CHAINS)
def test_lagrangian_loses_what_it_puts_for_the_product_of_E_with_its_transpose(name):
    """[BK83] eqs. 72-73 put I for R_j^T R_j: third order in the equations of the modes, none in those of the joints."""
    elastodynamics = equations(name, "elastodynamics", "small")
    assert relative_difference(name, joint_rows(arm(name)), "lagrangian", elastodynamics) < ROUND_OFF
    assert abs(measured_order(name, mode_rows(arm(name)), "lagrangian", elastodynamics) - 3) < 0.1

"""Numbers and structure of a chain: flatten and unflatten are inverse, also with symbols in the place of numbers."""

import casadi as ca
import numpy as np
import pytest
from paths import ROBOTS

from flexarm.description import load_arm
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain_builder import build_chain
from flexarm.model.numbers import flatten, unflatten
from flexarm.model.tabled_chain import tabled

ARMS = ("rigid_two_link", "de_luca_siciliano_two_link", "space_arm", "spatial_three_link")


def chain_of(name):
    return tabled(build_chain(load_arm(ROBOTS / f"{name}.yaml")), (0.5, 1.0))


@pytest.mark.parametrize("name", ARMS)
def test_unflatten_restores_what_was_flattened(name):
    chain = chain_of(name)
    structure, numbers = flatten(chain)
    again = unflatten(chain, numbers.tolist())
    assert flatten(again)[0] == structure
    np.testing.assert_array_equal(flatten(again)[1], numbers)


@pytest.mark.parametrize("name", ARMS)
def test_other_numbers_leave_the_structure(name):
    chain = chain_of(name)
    structure, numbers = flatten(chain)
    other = unflatten(chain, (2 * numbers).tolist())
    assert flatten(other)[0] == structure
    np.testing.assert_array_equal(flatten(other)[1], 2 * numbers)


@pytest.mark.parametrize("name", ARMS)
def test_symbols_in_the_place_of_numbers_give_the_same_mass_matrix(name):
    chain = chain_of(name)
    _, numbers = flatten(chain)
    symbols = ca.SX.sym("p", len(numbers))
    theta = ca.SX.sym("theta", chain.coordinates.n_theta)
    chains = (unflatten(chain, ca.vertsplit(symbols)), chain)
    both = [make_formulation("articulated", of).mass_matrix(theta) for of in chains]
    evaluate = ca.Function("M", [theta, symbols], both)
    at = np.random.default_rng(4).uniform(-1, 1, theta.numel())
    found, expected = (np.array(M) for M in evaluate(at, numbers))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


def test_structure_differs_with_the_number_of_modes():
    described = load_arm(ROBOTS / "de_luca_siciliano_two_link.yaml")
    first = described.links[0]
    fewer = first.model_copy(update={"modes": (), "damping": ()})
    changed = described.model_copy(update={"links": (fewer, *described.links[1:])})
    assert flatten(build_chain(described).gravity)[0] == flatten(build_chain(changed).gravity)[0]
    assert (
        flatten(tabled(build_chain(described), (1.0,)))[0] != flatten(tabled(build_chain(changed), (1.0,)))[0]
    )

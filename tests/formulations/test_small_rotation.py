"""Published end rotation E = I + skew(theta): how far it is from consistent energies, by measured order.

All modal amplitudes, rates and accelerations are halved three times; an order of 2 means that the difference drops
fourfold. See docs/papers.md, "Small end rotation", for why the modal rows lose an order.
"""

from __future__ import annotations

import numpy as np
import pytest
from arms import FLEXIBLE_CHAINS, arm, joint_rows, mode_rows, random_state, scale_deflections
from reference.lagrangian import oracle

from flexarm import motion_equations
from flexarm.formulations.base import REGISTRY

PLANAR_CHAINS = [name for name in FLEXIBLE_CHAINS if name.startswith("planar")]


def measured_order(name: str, rows: np.ndarray, formulation: str, reference) -> float:
    """Order in delta of the inverse dynamics' difference to a reference, from the finest two of four scales."""
    eq = motion_equations(arm(name, "small"), formulation=formulation)
    norms = []
    for k in range(4):
        state = [scale_deflections(arm(name), part, 0.1 * 0.5**k) for part in random_state(arm(name))]
        norms.append(np.linalg.norm((eq.inverse_dynamics(*state) - reference.inverse_dynamics(*state))[rows]))
    orders = np.log2(np.divide(norms[:-1], norms[1:]))
    print(f"{name}, {formulation}: differences {norms}, orders {orders}")
    return orders[-1]


@pytest.mark.parametrize("formulation", REGISTRY)
@pytest.mark.parametrize("name", FLEXIBLE_CHAINS)
def test_joint_rows_are_second_order(name, formulation):
    order = measured_order(name, joint_rows(arm(name)), formulation, oracle(arm(name), "small"))
    assert abs(order - 2) < 0.1


@pytest.mark.parametrize("formulation", REGISTRY)
@pytest.mark.parametrize("name", FLEXIBLE_CHAINS)
def test_modal_rows_are_first_order(name, formulation):
    """Differentiating I + skew(theta) gives theta_j x A r where the papers have theta_j x (E A r)."""
    order = measured_order(name, mode_rows(arm(name)), formulation, oracle(arm(name), "small"))
    assert abs(order - 1) < 0.1


@pytest.mark.parametrize("formulation", REGISTRY)
@pytest.mark.parametrize("name", PLANAR_CHAINS)
def test_in_a_plane_the_published_rows_are_second_order_to_finite_rotation(name, formulation):
    """The first-order term that the modal rows have and I + skew(theta) lacks is the true one."""
    order = measured_order(name, mode_rows(arm(name)), formulation, oracle(arm(name), "finite"))
    assert abs(order - 2) < 0.1

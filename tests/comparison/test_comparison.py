"""Formulations compared: agreement, operations, cost scaling."""

import casadi as ca
import numpy as np
import pytest
from paths import ROBOTS

from flexarm import load_arm
from flexarm.catalogue import FORMULATIONS
from flexarm.codegen.counts import operation_counts
from flexarm.comparison.agreement import compare
from flexarm.comparison.cost_scaling import as_csv, equal_links, measure_cost_scaling
from flexarm.formulations.formulation import make_formulation
from flexarm.model.chain_builder import build_chain
from flexarm.plots.diagrams.formulation_costs import formulation_costs as draw

AGREEMENT = 1e-10


def operations(n, m, name, spatial):
    """Operations of one evaluation of theta_dd: as derived, and with common subexpressions computed once."""
    chain = build_chain(equal_links(n, m, spatial))
    size = chain.coordinates.n_dof
    arguments = [ca.SX.sym(name, size) for name in ("theta", "theta_d", "forces")]
    theta_dd = ca.densify(make_formulation(name, chain).accelerations(*arguments))
    functions = (ca.Function("theta_dd", arguments, [result]) for result in (theta_dd, ca.cse(theta_dd)))
    return np.array([operation_counts(f).total for f in functions])


@pytest.fixture(scope="module")
def usoro():
    return compare(load_arm(ROBOTS / "usoro_two_link.yaml"))


def test_all_pairs_agree(usoro):
    n = len(FORMULATIONS)
    assert len(usoro.differences) == n * (n - 1) // 2
    assert not usoro.left_out
    for d in usoro.differences:
        assert max(d.mass_matrix, d.bias, d.accelerations) < AGREEMENT, d


def test_sharing_subexpressions_saves_operations(usoro):
    assert [cost.formulation for cost in usoro.costs] == list(FORMULATIONS)
    for cost in usoro.costs:
        assert cost.shared.total < cost.derived.total
        assert cost.shared.trigonometric >= 4
        assert cost.microseconds > 0


@pytest.mark.slow
def test_formulations_without_equations_are_left_out_with_the_reason():
    arm = load_arm(ROBOTS / "space_arm.yaml").model_copy(update={"geometric_stiffening": False})
    result = compare(arm)
    assert {cost.formulation for cost in result.costs} == {"articulated", "gibbs-appell", "lagrangian"}
    assert set(result.left_out) == {"elastodynamics"}
    assert all("base: free" in reason for reason in result.left_out.values())


def test_matrices_of_3x3_and_4x4_for_the_falling_arm_of_fl17():
    """[FL17] table 2: the same equations, the 3x3 form with fewer operations."""
    result = compare(load_arm(ROBOTS / "falling_two_link_in_circle.yaml"))
    assert not result.left_out
    costs = {cost.formulation: cost for cost in result.costs}
    assert costs["gibbs-appell"].shared.products < costs["lagrangian"].shared.products
    assert costs["gibbs-appell"].shared.sums < costs["lagrangian"].shared.sums
    for d in result.differences:
        assert max(d.mass_matrix, d.bias, d.accelerations) < AGREEMENT, d
    assert 0 < costs["gibbs-appell"].derivation_seconds < costs["gibbs-appell"].build_seconds


def test_small_rotations_make_the_formulations_differ():
    arm = load_arm(ROBOTS / "usoro_two_link.yaml").model_copy(update={"link_rotation": "small"})
    pairs = {(d.first, d.second): d for d in compare(arm).differences}
    assert (
        pairs["articulated", "gibbs-appell"].bias < AGREEMENT
    )  # the same recursion, apart from R^T and R^-1
    assert pairs["gibbs-appell", "lagrangian"].mass_matrix > 1e-6


SIZES = [(n, m, spatial) for n in range(1, 11) for m in (1, 2, 3) for spatial in (False, True)]
CLOSEST = (10, 1, True)
"""There Gibbs-Appell takes 0.87 of the Lagrangian's operations."""


def is_slow(size):
    return size[0] > 2 and size != CLOSEST


@pytest.mark.parametrize(
    ("n", "m", "spatial"),
    [pytest.param(*size, marks=pytest.mark.slow if is_slow(size) else ()) for size in SIZES],
)
def test_gibbs_appell_takes_fewer_operations_than_the_lagrangian(n, m, spatial):
    one, other = (operations(n, m, name, spatial) for name in ("gibbs-appell", "lagrangian"))
    print(f"n={n}, m={m}: {one} of {other}, {one / other}")
    assert np.all(one < other)


@pytest.mark.slow
def test_articulated_grows_linearly():
    links = np.arange(4, 13, 2)
    totals = np.array([operations(n, 2, "articulated", spatial=True)[1] for n in links])
    slopes = np.diff(totals) / np.diff(links)
    print(f"operations per further link with 2 modes: {slopes}")
    assert np.all(slopes == slopes[0]), slopes


@pytest.mark.slow
def test_cost_scaling_is_measured_written_and_drawn():
    measured = measure_cost_scaling(links=(1, 2), modes=(1, 2), budget=60.0)
    assert not measured.ended
    rows = as_csv(measured).splitlines()
    assert len(rows) == 1 + 2 * 2 * len(FORMULATIONS)
    assert rows[0].split(",")[:3] == ["formulation", "links", "modes"]
    figure = draw(measured)
    above, below = figure.axes[0], figure.axes[2]
    assert len(above.lines) == len(FORMULATIONS) + 4
    assert len(below.lines) == len(FORMULATIONS)
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert set(FORMULATIONS) < set(names)
    np.testing.assert_array_equal(below.lines[0].get_xdata(), [1, 2])


def test_cost_scaling_ends_where_the_time_is_up():
    measured = measure_cost_scaling(links=(1, 2, 3), modes=(1,), budget=1e-9)
    assert measured.ended == {(name, 1): 1 for name in FORMULATIONS}
    assert [point.n for point in measured.points] == [1] * len(FORMULATIONS)

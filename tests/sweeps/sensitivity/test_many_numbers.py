"""One record by fifty numbers: the discrete adjoint against the variational equations."""

from functools import partial

import numpy as np
import pytest
from many_numbers import planar, spatial

import flexarm
from flexarm.sweeps.sensitivity import gradient as gradients
from flexarm.sweeps.sensitivity.record_derivatives import derivatives_by_samples

OWED = 1e-7
"""Tolerance of the steps, times their number, of derivatives by relative changes."""


FEW = pytest.param(partial(planar, 2), "max_torque", id="twenty numbers")
LOST = pytest.param(partial(planar, 2), "energy_lost", id="difference of two samples")
FIFTY = [(planar, "final_tip_y"), (planar, "max_torque"), (spatial, "final_tip_z")]


def refuse(*arguments):
    raise AssertionError("not the way that is the cheaper one")


@pytest.mark.parametrize(
    ("make", "record"), [FEW, LOST, *(pytest.param(*one, marks=pytest.mark.slow) for one in FIFTY)]
)
def test_the_adjoint_agrees_with_the_variational_equations(make, record, monkeypatch):
    arm, keys = make()
    together = flexarm.gradient(arm, [record, "final_tip_x"], keys)
    monkeypatch.setattr(gradients, "run_with_derivatives", refuse)
    found = flexarm.gradient(arm, [record], keys)
    expected = together.derivative[0] * np.abs(together.at)
    assert found.value[0] == pytest.approx(together.value[0], rel=OWED)
    np.testing.assert_allclose(
        found.derivative[0] * np.abs(found.at), expected, atol=OWED * np.abs(expected).max()
    )
    assert found.units == {record: together.units[record]}
    assert not found.reasons


RIPPLE = np.array([0.2, 0.9, -0.4, 0.7, 0.1])


@pytest.mark.parametrize(
    ("reduce", "expected"),
    [
        (lambda c: c[-1], {4: 1.0}),
        (lambda c: c.max(), {1: 1.0}),
        (lambda c: c[0] - 3 * c[-1], {0: 1.0, 4: -3.0}),
        (lambda c: np.abs(c[2:]).max(), {3: 1.0}),
        (lambda c: c[0] - c[-1], {0: 1.0, 4: -1.0}),
        (lambda c: np.ptp(c) / 2, {1: 0.5, 2: -0.5}),
        (lambda c: 7.0, {}),
    ],
)
def test_a_record_of_a_few_samples(reduce, expected):
    found = derivatives_by_samples(reduce, RIPPLE)
    assert found is not None
    assert found == pytest.approx(expected, abs=1e-9)


def test_records_of_all_samples_and_at_kinks_are_left_to_the_variational_equations():
    many = np.random.default_rng(3).normal(size=200)
    assert derivatives_by_samples(lambda c: float(np.sqrt(np.mean(c**2))), many) is None
    assert derivatives_by_samples(lambda c: c.max(), np.array([0.5, 0.9, 0.9])) is None

"""Scales of conserved quantities: round-off is told in words and never fills a picture."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from simulated import changed, simulated

from flexarm.plots.bases.momentum import momentum
from flexarm.plots.drawing.scales import KEPT, floor_scale
from flexarm.plots.histories.energy import energy


def axes_with(values):
    axes = Figure().subplots()
    axes.plot(values)
    return axes


def test_what_is_kept_looks_constant_and_says_how_well():
    values = 3.0 + 2e-9 * np.array([0.0, 1.0, 0.5])
    axes = axes_with(values)
    assert floor_scale(axes, values, 1.0) == "kept to 2e-9"
    low, high = axes.get_ylim()
    assert high - low == pytest.approx(1.0)
    assert low < 3.0 < high


def test_every_column_keeps_its_own():
    values = np.array([[0.0, 5.0], [1e-8, 5.0]])
    axes = axes_with(values)
    assert floor_scale(axes, values, 10.0) == "kept to 1e-9"
    assert axes.get_ylim()[0] < 0 < 5 < axes.get_ylim()[1]


def test_what_changes_keeps_its_scale():
    values = np.array([0.0, 2 * KEPT])
    axes = axes_with(values)
    before = axes.get_ylim()
    assert floor_scale(axes, values, 1.0) == ""
    assert axes.get_ylim() == before


def test_exactly_constant_values():
    assert floor_scale(axes_with(np.zeros(3)), np.zeros(3), 0.0) == "kept exactly"


@pytest.mark.slow
def test_momentum_of_a_floating_arm_is_said_to_be_kept():
    """Its drives turn links by tens of degrees, and angular momentum comes out to round-off."""
    figure = momentum(simulated("space_arm"))
    for axes in figure.axes:
        assert axes.get_title(loc="left").startswith("kept to ")
        low, high = axes.get_ylim()
        values = np.concatenate([line.get_ydata() for line in axes.lines])
        assert np.ptp(values.reshape(3, -1), axis=1).max() < KEPT * (high - low)


def test_round_off_of_the_energy_is_not_drawn_at_full_height():
    result = simulated("usoro_two_link")
    kinetic = np.max(result.energy_kinetic)
    kept = result.energy_total[0] + 2e-9 * kinetic * np.linspace(0, 1, result.n_samples)
    lower = energy(changed(result, arrays={"energy_total": kept})).axes[1]
    assert lower.get_title(loc="left").endswith(": kept to 2e-9")
    assert np.ptp(lower.lines[0].get_ydata()) < 0.01 * np.ptp(lower.get_ylim())

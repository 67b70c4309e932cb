"""Pictures of flights: curves are the stored ones, impacts are marked, walls are where they belong."""

from functools import cache

import numpy as np
import pytest
from simulated import simulated

from flexarm.plots.arm.stroboscope import stroboscope
from flexarm.plots.bases.floating_base import floating_base
from flexarm.plots.bases.momentum import momentum
from flexarm.plots.drawing.walls_in_space import plane_in_box
from flexarm.plots.histories.energy import energy
from flexarm.plots.histories.mode_amplitudes import mode_amplitudes
from flexarm.plots.overlay import overlays
from flexarm.plots.registry import standard_figures


@cache
def link():
    return simulated("shafei_falling_link", 0.5)


def marks(axes):
    return [artist for artist in axes.collections if artist.get_gid() == "impacts"]


def test_the_figures_of_the_paper():
    """[FL17] figures 13 to 20."""
    names = list(standard_figures(link()))
    assert [name for name in ("joints", "base", "modes") if name in names] == ["joints", "base", "modes"]


def test_base_shows_position_and_velocity_where_it_moves():
    """The link falls along y; along x there is nothing but round-off, which the title says in words."""
    figure = floating_base(link())
    for axes, name in zip(figure.axes, ("base_position", "base_velocity"), strict=True):
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), link()[name][:, 1])
    assert figure.get_suptitle().endswith("motion of O$_1$; none along x")
    assert [axes.get_ylabel() for axes in floating_base(simulated("flying_beam")).axes[::2]] == [
        "x (m)",
        "y (m)",
    ]


def test_modes_show_amplitude_and_rate():
    left, right = mode_amplitudes(link()).axes
    scale = 1e3 if "(mm)" in left.get_ylabel() else 1.0
    np.testing.assert_allclose(left.lines[0].get_ydata(), scale * link().mode_amplitude[:, 0], rtol=1e-12)
    np.testing.assert_allclose(right.lines[0].get_ydata(), link().mode_velocity[:, 0], rtol=1e-12)
    assert right.get_ylabel() == "rate (m/s)"


def test_momentum_shows_what_a_plane_has():
    upper, lower = momentum(link()).axes
    assert [line.get_label() for line in upper.lines] == ["x", "y"]
    assert [line.get_label() for line in lower.lines] == ["z"]
    np.testing.assert_array_equal(upper.lines[1].get_ydata(), link().momentum[:, 1])
    low, high = upper.get_ylim()
    assert low < link().momentum.min() < link().momentum.max() < high


@pytest.mark.parametrize("draw", [energy, floating_base, mode_amplitudes, momentum])
def test_impacts_are_marked(draw):
    for axes in draw(link()).axes:
        (found,) = marks(axes)
        times = sorted({segment[0][0] for segment in found.get_segments()})
        np.testing.assert_allclose(times, np.unique(link().impact_time))


def test_an_overlay_shows_where_the_base_moves():
    """[FL17] figure 19: the height of a flexible link and of its rigid twin; neither moves sideways."""
    results = [simulated(name, 0.7) for name in ("shafei_falling_link", "shafei_falling_rigid_link")]
    (axes,) = overlays(results, ["flexible", "rigid"])["overlay-base-position"]().axes
    assert axes.get_title(loc="left") == "along y"
    apex = [line.get_ydata()[line.get_xdata() > 0.4].max() for line in axes.lines]
    np.testing.assert_allclose(apex, [0.46563, 0.5], atol=1e-3)
    assert "overlay-joint-angle" not in overlays(results, ["flexible", "rigid"])  # round-off of 1e-14 rad


def test_no_marks_without_impacts():
    assert not marks(energy(simulated("usoro_two_link")).axes[0])


def walls(axes):
    return [artist for artist in axes.get_children() if artist.get_gid() == "wall"]


def test_a_floor_is_drawn_below_the_arm_and_does_not_widen_the_picture():
    axes = stroboscope(link()).axes[0]
    (floor,) = walls(axes)
    np.testing.assert_array_equal(floor.get_ydata(), [0, 0])
    low, high = axes.get_xlim()
    assert floor.get_xdata().min() < low < 0 < 1 < high < floor.get_xdata().max()
    assert high - low < 3


def test_a_circle_is_drawn_whole():
    axes = stroboscope(simulated("falling_two_link_in_circle")).axes[0]
    (wall,) = walls(axes)
    np.testing.assert_allclose(np.hypot(wall.get_xdata(), wall.get_ydata()), 1.0)
    assert axes.get_xlim()[0] < -1 < 1 < axes.get_xlim()[1]
    assert axes.get_ylim()[0] < -1 < 1 < axes.get_ylim()[1]


def test_a_plane_in_space_is_drawn_as_far_as_the_picture_goes():
    box = np.array([[0.0, 1.0], [0.0, 2.0], [-1.0, 1.0]])
    corners = plane_in_box(np.array([0, 0, 0.25]), np.array([0.0, 0.0, 1.0]), box)
    assert sorted(map(tuple, corners.round(12))) == [(0, 0, 0.25), (0, 2, 0.25), (1, 0, 0.25), (1, 2, 0.25)]
    sides = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    assert sorted(sides.round(12)) in ([1, 1, 2], [1, 2, 2])  # in order: no diagonal
    assert not len(plane_in_box(np.array([0, 0, 3.0]), np.array([0.0, 0.0, 1.0]), box))

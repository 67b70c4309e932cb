"""The stroboscope shows bent links, not chords."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from simulated import changed, simulated

from flexarm.plots.arm import arm_shapes as module
from flexarm.plots.arm.arm_shapes import shapes, visible_magnification
from flexarm.plots.arm.stroboscope import stroboscope
from flexarm.plots.drawing.views import seen_corners

SAME_POINT = 1e-12  # m


def sagitta(line: np.ndarray) -> float:
    """Largest distance of a line's points from its chord, as a part of the chord."""
    chord = line[-1] - line[0]
    rest = line - line[0]
    across = rest - np.outer(rest @ chord, chord) / (chord @ chord)
    return np.max(np.linalg.norm(across, axis=1)) / np.linalg.norm(chord)


@pytest.mark.parametrize("name", ["usoro_two_link", "spatial_three_link", "rigid_two_link"])
def test_ends_of_the_links_are_the_stored_points(name, monkeypatch):
    monkeypatch.setattr(module, "MAGNIFICATIONS", ())
    result = simulated(name)
    arms = shapes(result, count=5)
    samples = np.searchsorted(result.time, arms.time)
    points = result.point_position[samples]
    np.testing.assert_allclose(arms.lines[:, :, 0], points[:, :-1], atol=SAME_POINT)
    np.testing.assert_allclose(arms.lines[:, -1, -1], points[:, -1], atol=SAME_POINT)
    np.testing.assert_allclose(arms.trace[[0, -1]], result.point_position[[0, -1], -1], atol=SAME_POINT)


def test_the_path_is_that_of_the_tip_whatever_the_magnification():
    result = simulated("spatial_three_link")
    arms = shapes(result)
    assert arms.magnification > 1
    np.testing.assert_allclose(arms.trace[[0, -1]], result.point_position[[0, -1], -1], atol=SAME_POINT)


def test_bent_links_are_drawn_bent():
    result = simulated("single_link_cantilever")
    expected = np.max(np.abs(result.link_deflection[:, 0, 1, 1])) * visible_magnification(result)
    drawn = [
        line for line in stroboscope(result).axes[0].lines if len(line.get_xdata()) == module.POINTS_PER_LINK
    ]
    largest = max(sagitta(line.get_xydata()) for line in drawn)
    # A cantilever bent by its weight leaves the chord by about a quarter of the tip's deflection.
    assert 0.15 * expected < largest < 0.4 * expected


def test_rigid_links_are_drawn_straight():
    arms = shapes(simulated("rigid_two_link"))
    assert arms.magnification == 1
    assert max(sagitta(link) for arm in arms.lines for link in arm) < SAME_POINT


@pytest.mark.parametrize(
    ("largest", "factor"), [(0.2, 1), (0.02, 1), (0.01, 5), (2.5e-4, 200), (1e-9, 1000), (0.0, 1)]
)
def test_deflections_too_small_to_see_are_magnified_and_the_title_says_so(largest, factor):
    result = simulated("usoro_two_link")
    scale = largest / np.max(np.abs(result.link_deflection))
    scaled = changed(result, arrays={"link_deflection": scale * result.link_deflection})
    assert visible_magnification(scaled) == factor
    title = stroboscope(scaled)._suptitle.get_text()
    assert (f"{factor} times larger" in title) == (factor > 1)


def test_spatial_arms_are_drawn_in_space_with_equal_scales():
    figure = stroboscope(simulated("spatial_three_link"))
    FigureCanvasAgg(figure).draw()
    space = figure.axes[0]
    assert space.name == "3d"
    bounds = np.array([space.get_xlim3d(), space.get_ylim3d(), space.get_zlim3d()])
    ratio = np.ptp(bounds, axis=1) / space._box_aspect
    np.testing.assert_allclose(ratio, ratio[0])
    for axes in figure.axes[1:3]:
        assert axes.get_aspect() == 1.0


@pytest.mark.slow
def test_instants_are_where_something_moves():
    """An arm that moves for a second, rings for another and rests for eight: one instant is of the rest, the last."""
    arms = shapes(simulated("spatial_three_link", 10.0), count=20)
    assert arms.time.size <= 20
    assert arms.time[[0, -1]].tolist() == [0.0, 10.0]
    assert np.count_nonzero(arms.time > 3.0) == 1
    assert np.max(np.diff(arms.time[:-1])) < 0.5


def test_the_picture_in_space_fills_its_figure():
    figure = stroboscope(simulated("space_arm"))
    FigureCanvasAgg(figure).draw()
    space = figure.axes[0]
    corners = space.transAxes.transform(seen_corners(space)) / figure.bbox.width
    assert np.ptp(corners[:, 0]) > 0.75


def test_arms_that_hardly_move_aside_are_drawn_side_by_side_at_equal_scales():
    result = simulated("usoro_two_link")
    axes = stroboscope(result).axes[0]
    feet = [line.get_xydata()[0] for line in axes.lines if line.get_marker() == "s"]
    ways, heights = np.transpose(feet)
    assert np.ptp(heights) == 0
    assert len(feet) > 10
    np.testing.assert_allclose(
        np.diff(ways), np.ptp(ways) / (len(feet) - 1), rtol=1e-2
    )  # a sample is that near
    tips = axes.lines[0].get_xydata()
    np.testing.assert_allclose(
        tips[[0, -1]] - [[ways[0], 0], [ways[-1], 0]], result.tip[[0, -1], :2], atol=SAME_POINT
    )
    assert axes.get_aspect() == 1
    times = [float(label.get_text()) for label in axes.get_xticklabels()]
    np.testing.assert_allclose(
        axes.get_xticks(), np.interp(times, result.time[[0, -1]], ways[[0, -1]]), atol=1e-2
    )
    assert (
        len(stroboscope(simulated("flexible_pendulum")).axes) == 2
    )  # with the bar of colours: all in one place

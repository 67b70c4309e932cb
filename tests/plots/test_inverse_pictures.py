"""Pictures of inverse motions and carried loads: they draw, say their units and show what the result holds."""

import re
from functools import cache

import numpy as np
import pytest
from breadth import thinned
from matplotlib.backends.backend_agg import FigureCanvasAgg
from paths import ROBOTS

import flexarm
from flexarm.errors import ResultError
from flexarm.plots.overlay import overlays
from flexarm.plots.registry import standard_figures


@cache
def result(name):
    if name == "payload":
        arm, trajectory = "payload_two_link", "payload_two_link"
        return flexarm.payload(*loaded(arm, trajectory), mass=1.4562)
    return flexarm.inverse(*loaded(f"korayem_1994_{name}", "korayem_1994"))


def loaded(arm, trajectory):
    return (
        flexarm.load_arm(ROBOTS / f"{arm}.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / f"{trajectory}.yaml"),
    )


def pictures_of(name):
    """What draws each standard picture, by its name."""
    return standard_figures(result(name))


@cache
def drawn(name, picture):
    figure = pictures_of(name)[picture]()
    FigureCanvasAgg(figure).draw()
    return figure


def curves(figure, label):
    return [
        line for axes in figure.axes for line in axes.lines if label in (line.get_label(), line.get_gid())
    ]


@pytest.mark.parametrize("name", thinned(["clamped", "simply_supported", "payload"]))
def test_pictures_name_their_quantities_and_units(name):
    for picture in ("path", "bounds" if name == "payload" else "against-rigid"):
        for axes in drawn(name, picture).axes:
            assert re.search(r".+ \((m|mm|deg|N m)\)$", axes.get_ylabel()), (picture, axes.get_ylabel())


@pytest.mark.slow
def test_each_kind_has_its_pictures():
    assert "against-rigid" in pictures_of("clamped")
    assert "bounds" not in pictures_of("clamped")
    assert "bounds" in pictures_of("payload")
    assert "against-rigid" not in pictures_of("payload")


def test_flexible_and_rigid_curves_are_the_stored_ones():
    figure, data = drawn("clamped", "against-rigid"), result("clamped")
    flexible, rigid = curves(figure, "flexible"), curves(figure, "rigid")
    for i in (0, 1):
        np.testing.assert_allclose(
            flexible[2 * i].get_ydata(), np.degrees(data.joint_angle[:, i]), atol=1e-12
        )
        np.testing.assert_allclose(flexible[2 * i + 1].get_ydata(), data.torque[:, i], atol=1e-14)
        np.testing.assert_allclose(rigid[2 * i + 1].get_ydata(), data.rigid_torque[:, i], atol=1e-14)


@pytest.mark.parametrize(
    "picture", thinned(["against-rigid", "deflection", "torques", "joints", "path", "tip", "energy"])
)
def test_pre_and_post_actuation_are_shaded_in_every_picture_over_time(picture):
    time, shaded = result("clamped").time, 0
    for axes in drawn("clamped", picture).axes:
        spans = sorted(
            patch.get_extents().transformed(axes.transData.inverted()).intervalx.tolist()
            for patch in axes.patches
        )
        if spans:
            np.testing.assert_allclose(spans, [[time[0], 0], [3, time[-1]]], atol=1e-9)
            shaded += 1
    assert shaded >= (1 if picture in ("path", "torques") else 2)


def test_the_error_of_the_tip_is_said_in_words_and_drawn_over_six_decades_at_most():
    data, axes = result("clamped"), drawn("clamped", "path").axes[0]
    inside = (data.time >= 0) & (data.time <= 3)
    assert axes.get_yscale() == "log"
    assert axes.get_title(loc="left") == (
        f"kept to {data.tip_error[inside].max():.1e} m, simulated {data.attributes['verified_error']:.1e} m"
    )
    assert axes.get_ylim()[0] == pytest.approx(1e-6 * data.tip_error[...].max(), rel=1e-6)


@pytest.mark.slow
def test_a_coordinate_that_is_kept_constant_looks_constant():
    circle = flexarm.inverse(*loaded("spatial_six_joint", "circle"))
    low, high = standard_figures(circle)["tip"]().axes[0].get_ylim()
    assert high - low == pytest.approx(0.4, rel=1e-2)  # as the circle is wide, at x = 1.2 m
    assert (low + high) / 2 == pytest.approx(1.2)


@pytest.mark.slow
def test_the_path_shows_what_was_wanted_and_what_came_of_it():
    figure, data = drawn("payload", "path"), result("payload")
    (desired,), (actual,) = curves(figure, "desired"), curves(figure, "actual")
    np.testing.assert_array_equal(desired.get_xdata(), data.tip_desired[:, 0])
    np.testing.assert_array_equal(actual.get_ydata(), data.point_position[:, -1, 1])
    (distance,), (allowed,) = curves(figure, "distance from the path"), curves(figure, "allowed")
    np.testing.assert_allclose(distance.get_ydata(), 1e3 * data.tip_error)
    np.testing.assert_allclose(allowed.get_ydata(), 10.0)


def test_torques_lie_between_their_bounds_and_the_active_one_is_marked():
    figure, data = drawn("payload", "bounds"), result("payload")
    for i, axes in enumerate(figure.axes):
        lines = {line.get_gid(): line for line in axes.lines}
        np.testing.assert_array_equal(lines["torque"].get_ydata(), data.torque[:, i])
        np.testing.assert_array_equal(lines["torque_upper"].get_ydata(), data.torque_upper[:, i])
        np.testing.assert_array_equal(lines["torque_lower"].get_ydata(), data.torque_lower[:, i])
    (mark,) = curves(figure, "active")
    assert mark.get_xdata() == data.attributes["active_time"]
    assert mark.axes is figure.axes[0]


@pytest.mark.slow
def test_overlays_show_one_curve_per_result():
    results, labels = [result("clamped"), result("simply_supported")], ["clamped", "simply supported"]
    figures = {name: draw() for name, draw in overlays(results, labels).items()}
    for figure in figures.values():
        FigureCanvasAgg(figure).draw()
        assert [len(axes.lines) for axes in figure.axes] == [2, 2]
        assert [text.get_text() for text in figure.legends[0].get_texts()] == labels
    line = figures["overlay-torque"].axes[1].lines[1]
    np.testing.assert_array_equal(line.get_ydata(), results[1].torque[:, 1])


@pytest.mark.slow
def test_overlays_of_inverse_runs_show_the_time_that_all_have():
    """[SY94] figures 3 to 5: each begins to move as long before the task as its own zeros ask for."""
    figures = overlays([result("clamped"), result("simply_supported")], ["clamped", "simply supported"])
    first, last = (result("simply_supported").time[k] for k in (0, -1))
    assert result("clamped").time[0] < first < 0 < 3 < last < result("clamped").time[-1]
    for draw in figures.values():
        for axes in draw().axes:
            for line in axes.lines:
                assert (line.get_xdata().min(), line.get_xdata().max()) == (first, last)


def test_the_motion_of_the_rigid_arm_has_no_pictures_of_deflections():
    """Every link of it is straight, and it is its own rigid twin."""
    rigid = flexarm.inverse(*loaded("korayem_1994_clamped", "korayem_1994"), method="rigid")
    assert not {"deflection", "against-rigid"} & set(standard_figures(rigid))


def test_overlays_leave_out_what_does_not_move():
    """Beams clamped and pinned on the xy plane: no row along z, and no base that could move."""
    figures = overlays([result("clamped"), result("simply_supported")], ["a", "b"])
    assert list(figures) == [
        "overlay-tip",
        "overlay-joint-angle",
        "overlay-torque",
        "overlay-end-deflection",
        "overlay-link-deflection",
    ]
    titles = [axes.get_title(loc="left") for axes in figures["overlay-tip"]().axes]
    assert titles == ["along x", "along y"]


def test_arms_with_different_numbers_of_links_are_not_overlaid():
    other = flexarm.simulate(flexarm.load_arm(ROBOTS / "flexible_pendulum.yaml"))
    with pytest.raises(ResultError, match="different numbers of links"):
        overlays([result("clamped"), other], ["a", "b"])


def test_the_path_of_a_load_lies_in_a_tube_of_the_allowed_deviation():
    """The straight path of the example: every corner of the tube is that far from the line."""
    (axes,) = [axes for axes in drawn("payload", "path").axes if axes.collections]
    tube, ends = axes.collections
    allowed, desired = result("payload").attributes["deviation"], result("payload")["tip_desired"][:, :2]
    along = (desired[-1] - desired[0]) / np.linalg.norm(desired[-1] - desired[0])
    corners = np.concatenate([band.vertices for band in tube.get_paths()]) - desired[0]
    np.testing.assert_allclose(np.abs(corners @ [-along[1], along[0]]), allowed, rtol=1e-6)
    np.testing.assert_allclose(ends.get_widths(), 2 * allowed)
    assert "allowed" in [text.get_text() for text in axes.get_legend().get_texts()]
    assert not [axes for axes in drawn("clamped", "path").axes if axes.collections]


def test_signed_bounds_say_what_they_are():
    texts = [text.get_text() for text in drawn("payload", "bounds").axes[0].texts]
    assert texts == [r"$k_1 - k_2 \dot q$, at most $k_1$", r"$-k_1 - k_2 \dot q$, at least $-k_1$"]

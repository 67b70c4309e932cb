"""Every standard picture of every robot: it draws, says its units, and shows what the result holds."""

import re
from functools import cache

import matplotlib
import numpy as np
import pytest
from breadth import thinned
from matplotlib.backends.backend_agg import FigureCanvasAgg
from simulated import NAMES, changed, simulated

from flexarm.errors import ResultError
from flexarm.plots.drawing.saving import save_figure
from flexarm.plots.histories.deflection import deflection
from flexarm.plots.histories.energy import energy
from flexarm.plots.histories.joints import joints
from flexarm.plots.histories.tip import tip
from flexarm.plots.registry import PICTURES, standard_figures
from flexarm.plots.torques.torques import torques

ROUND_OFF = 1e-12  # of the largest value: rad to deg, m to mm


@cache
def drawn(name):
    """All pictures of a robot, drawn with every warning an error."""
    figures = {picture: draw() for picture, draw in standard_figures(simulated(name)).items()}
    for figure in figures.values():
        FigureCanvasAgg(figure).draw()
    return figures


ANOTHER_AXIS = re.compile(r", [xyz] to the same scale$")
"""What a label of arms side by side says besides, whose second direction has no axis of its own."""


def plain_axes(figure):
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


def assert_same(line, expected):
    np.testing.assert_allclose(line.get_ydata(), expected, rtol=0, atol=ROUND_OFF * np.max(np.abs(expected)))


@pytest.mark.parametrize("name", thinned(sorted(NAMES, key="spatial_three_link".__ne__), every=len(NAMES)))
def test_pictures_name_their_quantities_and_units(name):
    assert list(drawn(name)) == [picture for picture in PICTURES if picture in drawn(name)]
    for figure in drawn(name).values():
        labels = [ANOTHER_AXIS.sub("", axes.get_xlabel()) for axes in plain_axes(figure)]
        assert all(re.fullmatch(r"(time|[xyz]|along the arm) \((s|m)\)", label) for label in labels if label)
        assert any(labels)
        for axes in plain_axes(figure):
            # A quantity and its unit, or the ratio of two energies.
            label = ANOTHER_AXIS.sub("", axes.get_ylabel())
            assert re.search(r".+ \(.+\)$|E/T|-W\)/T", label), label


@pytest.mark.parametrize("name", thinned(sorted(NAMES, key="spatial_three_link".__ne__), every=len(NAMES)))
def test_no_text_overlaps_another_or_leaves_the_figure(name):
    for figure in drawn(name).values():
        texts = [figure._suptitle]
        for axes in figure.axes:
            texts += [axes.xaxis.label, axes.yaxis.label, axes.title, axes._left_title, axes._right_title]
        texts += [text for legend in figure.legends for text in legend.get_texts()]
        boxes = [text.get_window_extent() for text in texts if text.get_text()]
        assert [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.overlaps(b)] == []
        assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)


def test_what_does_not_apply_is_left_out():
    assert list(standard_figures(simulated("rigid_two_link"))) == ["stroboscope", "joints", "tip", "energy"]
    assert "joints" not in standard_figures(simulated("single_link_cantilever"))
    assert "torques" in standard_figures(simulated("spatial_three_link"))


def test_joint_angles_and_rates_are_the_stored_ones():
    result = simulated("usoro_two_link")
    axes = joints(result).axes
    lines = [one.lines[0] for one in axes]
    for i in (0, 1):
        assert_same(lines[2 * i], np.rad2deg(result.joint_angle[:, i]))
        assert_same(lines[2 * i + 1], np.rad2deg(result.joint_velocity[:, i]))
        np.testing.assert_array_equal(lines[2 * i].get_xdata(), result.time)


def test_references_of_pd_drives_are_dashed():
    result = simulated("space_arm")
    axes = joints(result).axes
    for i in range(3):
        for column, rate in enumerate((False, True)):
            (line,) = [one for one in axes[2 * i + column].lines if one.get_gid() == "reference"]
            assert line.get_linestyle() == "--"
            t = line.get_xdata()
            expected = result.arm.drive[i].pd.reference.at(t)
            expected = np.gradient(expected, t, edge_order=2) if rate else expected
            np.testing.assert_allclose(line.get_ydata(), np.rad2deg(expected), atol=1e-4)
    assert axes[1].get_legend().get_texts()[0].get_text() == "reference"
    assert not any(one.get_gid() for one in joints(simulated("usoro_two_link")).axes[0].lines)


def test_tip_is_the_last_point():
    result = simulated("spatial_three_link")
    figure = tip(result)
    for k in range(3):
        assert_same(figure.axes[k].lines[0], result.point_position[:, -1, k])
    front, top = figure.axes[3:]
    np.testing.assert_array_equal(front.lines[0].get_xydata(), result.point_position[:, -1, [0, 1]])
    np.testing.assert_array_equal(top.lines[0].get_xydata(), result.point_position[:, -1, [0, 2]])


@pytest.mark.parametrize("name", ["usoro_two_link", "spatial_three_link"])
def test_deflections_and_rotations_are_the_stored_ones(name):
    result = simulated(name)
    figure = deflection(result)
    links = [i for i, link in enumerate(result.arm.links) if link.modes]
    factor = {"deflection (µm)": 1e6, "deflection (mm)": 1e3, "deflection (m)": 1.0}
    drawn = 0
    for row, i in enumerate(links):
        left, right = figure.axes[2 * row : 2 * row + 2]
        scales = (factor[left.get_ylabel()], np.rad2deg(1.0))
        for axes, dataset, scale in zip(
            (left, right), ("link_deflection", "link_rotation"), scales, strict=True
        ):
            for line in axes.lines:
                axis, station = line.get_gid().split(", ")
                column = result[dataset][:, i, ("middle", "end").index(station), "xyz".index(axis)]
                assert_same(line, scale * column)
                drawn += 1
    moving = sum(np.any(result[name], axis=(0, 2)).sum() for name in ("link_deflection", "link_rotation"))
    assert drawn == 2 * moving, "all directions that move, and no others"


def test_rigid_links_are_named():
    titles = [axes.get_title(loc="right") for axes in deflection(simulated("spatial_three_link")).axes]
    assert "rigid: link 1" in titles


def test_a_column_in_which_nothing_moves_is_left_out():
    """A link clamped at both ends: its middle and end do not turn."""
    (axes,) = deflection(simulated("shafei_falling_link", 0.35)).axes
    assert axes.get_ylabel().startswith("deflection")
    assert np.ptp(axes.lines[-1].get_ydata()) > 0


def test_small_deflections_are_drawn_in_readable_units():
    result = simulated("usoro_two_link")
    unit = {}
    for size in (2.0, 5e-3, 3e-6):
        scaled = size * result.link_deflection / np.max(np.abs(result.link_deflection))
        unit[size] = deflection(changed(result, arrays={"link_deflection": scaled})).axes[0].get_ylabel()
    assert unit == {2.0: "deflection (m)", 5e-3: "deflection (mm)", 3e-6: "deflection (µm)"}


def test_energies_and_their_drift_are_the_stored_ones():
    result = simulated("usoro_two_link")
    lost = 3e-5 * np.max(result.energy_kinetic) * np.linspace(0, 1, result.n_samples)
    result = changed(result, arrays={"energy_total": result.energy_total - lost})
    upper, lower = energy(result).axes
    curves = {line.get_label(): line for line in upper.lines}
    assert_same(curves["kinetic"], result.energy_kinetic)
    assert_same(curves["strain"], result.energy_strain)
    np.testing.assert_allclose(
        curves["gravity"].get_ydata(), result.energy_gravity - result.energy_gravity[0]
    )
    change = (result.energy_total - result.energy_total[0]) / np.max(result.energy_kinetic)
    exponent = int(lower.get_ylabel().split("{")[-1].split("}")[0])
    np.testing.assert_allclose(lower.lines[0].get_ydata(), change / 10.0**exponent, rtol=1e-9)
    assert 1.0 <= np.max(np.abs(lower.lines[0].get_ydata())) < 10.0


def test_torques_are_the_stored_ones():
    result = simulated("spatial_three_link")
    for i, line in enumerate(torques(result).axes[0].lines):
        assert_same(line, result.torque[:, i])


def test_incomplete_results_say_where_they_stopped():
    result = changed(simulated("usoro_two_link"), slice(0, 10), status="incomplete", message="too stiff")
    for draw in standard_figures(result).values():
        assert f"stopped at t = {result.time[9]:g} s" in draw()._suptitle.get_text()


@pytest.mark.slow
def test_a_single_sample_draws():
    """The same pictures as of the whole run, each of their curves one point at the time of the sample."""
    whole, row = simulated("spatial_three_link"), slice(7, 8)
    figures = {name: draw() for name, draw in standard_figures(changed(whole, row)).items()}
    judged_over_time = ("tracking",)
    assert list(figures) == [name for name in standard_figures(whole) if name not in judged_over_time]
    for figure in figures.values():
        FigureCanvasAgg(figure).draw()
        for axes in plain_axes(figure):
            assert axes.lines
            assert np.isfinite([axes.get_xlim(), axes.get_ylim()]).all()
    for name in ("joints", "deflection", "energy", "torques"):
        for axes in figures[name].axes:
            assert all(line.get_xdata().tolist() == [whole.time[7]] for line in axes.lines), name
    assert_same(figures["joints"].axes[0].lines[0], np.rad2deg(whole.joint_angle[row, 0]))
    assert_same(figures["torques"].axes[0].lines[2], whole.torque[row, 2])
    assert len(figures["stroboscope"].axes[0].lines) == 3 + len(whole.arm.links), "one arm"


def test_the_users_settings_are_left_alone():
    before = dict(matplotlib.rcParams)
    joints(simulated("usoro_two_link"))
    assert dict(matplotlib.rcParams) == before


def test_figures_are_saved_whole_or_not_at_all(tmp_path):
    figure = joints(simulated("usoro_two_link"))
    save_figure(figure, tmp_path / "pictures" / "joints.png")
    save_figure(figure, tmp_path / "pictures" / "joints.pdf")
    assert (tmp_path / "pictures" / "joints.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "pictures" / "joints.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(ResultError, match="unknown picture format 'bmpx'"):
        save_figure(figure, tmp_path / "joints.bmpx")
    (tmp_path / "file").touch()
    with pytest.raises(ResultError, match="cannot write"):
        save_figure(figure, tmp_path / "file" / "joints.png")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "file",
        "joints.pdf",
        "joints.png",
        "pictures",
    ]

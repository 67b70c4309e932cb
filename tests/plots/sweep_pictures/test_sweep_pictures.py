"""Pictures of sweeps show the stored numbers, their units, and what failed."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from flexarm.plots.registry import standard_figures
from flexarm.plots.sweep_pictures.figures import informative_records
from flexarm.plots.sweep_pictures.maps import edges
from flexarm.plots.sweep_pictures.scales import is_logarithmic
from flexarm.sweeps.sweep_result import SweepResult
from flexarm.sweeps.variable import Variable

ROBOT = "name: drawn\nlinks: [{length: 1, mu: 1}]\n"
UNITS = {"payload.mass": "kg", "links[0].EI": "N m^2", "initial.joints[0]": "rad", "run.rtol": "1"}
VALUES = {
    "payload.mass": np.linspace(0, 2, 5),
    "links[0].EI": np.geomspace(1, 1e4, 6),
    "initial.joints[0]": np.linspace(-1, 1, 4),
    "run.rtol": np.array([1e-9, 1e-6]),
}


def made_up(*keys, drawn=False, failing=(1,)):
    """A sweep of seeded random numbers of which some points failed."""
    rng = np.random.default_rng(5)
    if drawn:
        dims, shape = ("point",), (7,)
        coordinates = {"point": Variable(dims, np.arange(1, 8), "1", "number")}
        coordinates |= {key: Variable(dims, rng.uniform(1, 2, 7), UNITS[key], key) for key in keys}
    else:
        dims, shape = keys, tuple(VALUES[key].size for key in keys)
        coordinates = {key: Variable((key,), VALUES[key], UNITS[key], key) for key in keys}
    status = np.zeros(shape, "i1")
    status.ravel()[list(failing)] = 1
    records = {"max_tip_deflection": "m", "energy_lost": "J", "max_torque": "N m", "steps": "1"}
    variables = {
        name: Variable(
            dims, np.where(status, np.nan, 5e-3 * rng.uniform(1, 2, shape)), units, f"meaning of {name}"
        )
        for name, units in records.items()
    }
    variables["max_torque"] = Variable(dims, np.where(status, np.nan, 0.0), "N m", "constant")
    variables |= {
        "status": Variable(dims, status, "1", ""),
        "reason": Variable(dims, status.astype(str), "1", ""),
    }
    return SweepResult(variables, coordinates, {"robot": ROBOT, "keys": keys, "records": tuple(records)})


SWEEPS = {
    "curves": made_up("payload.mass"),
    "curves over samples": made_up("initial.joints[0]", drawn=True),
    "maps": made_up("links[0].EI", "initial.joints[0]", failing=(0, 3, 8)),
    "maps of samples": made_up("links[0].EI", "payload.mass", drawn=True),
    "parallel": made_up("links[0].EI", "payload.mass", "run.rtol", failing=range(0, 60, 7)),
    "parallel samples": made_up("links[0].EI", "payload.mass", "run.rtol", drawn=True),
}


def figure(name):
    drawn = standard_figures(SWEEPS[name])
    assert list(drawn) == [name.split()[0]]
    return drawn[name.split()[0]]()


def with_gid(axes, gid):
    return [artist for artist in axes.get_children() if artist.get_gid() == gid]


def test_records_that_tell_nothing_are_left_out():
    assert informative_records(SWEEPS["curves"]) == ["max_tip_deflection", "energy_lost"]


@pytest.mark.parametrize("name", SWEEPS)
def test_no_text_overlaps_another_or_leaves_the_figure(name):
    drawn = figure(name)
    FigureCanvasAgg(drawn).draw()
    texts = [drawn._suptitle]
    for axes in drawn.axes:
        texts += [axes.xaxis.label, axes.yaxis.label, axes.title, axes._left_title]
    boxes = [text.get_window_extent() for text in texts if text.get_text()]
    assert [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.overlaps(b)] == []
    assert all(drawn.bbox.x0 <= box.x0 and box.x1 <= drawn.bbox.x1 for box in boxes)


@pytest.mark.parametrize("name", SWEEPS)
def test_failed_runs_are_counted_and_visible(name):
    drawn, failed = figure(name), int(SWEEPS[name].failed.sum())
    assert f"{failed} of them failed" in drawn._suptitle.get_text()
    (marks,) = with_gid(drawn.axes[0], "failed")
    shown = len(marks.get_segments()) if name.startswith("parallel") else len(marks.get_xdata())
    assert shown == failed


def test_what_has_not_settled_is_hatched_and_counted():
    keys, name = ("links[0].EI", "payload.mass"), "settling_time:joint_angle[0]:5%"
    values = np.array([[1.0, 2.0, np.nan], [np.nan, 3.0, np.nan]])
    axes_of = {key: np.array([1.0, 2.0, 3.0][: values.shape[i]]) for i, key in enumerate(keys)}
    coordinates = {key: Variable((key,), axes_of[key], UNITS[key], key) for key in keys}
    failed = np.zeros(values.shape, "i1")
    failed[1, 2] = 1
    variables = {
        name: Variable(keys, values, "s", "time from which joint_angle[0] stays within 5%"),
        "status": Variable(keys, failed, "1", ""),
    }
    result = SweepResult(variables, coordinates, {"robot": ROBOT, "keys": keys, "records": (name,)})
    (draw,) = standard_figures(result).values()
    drawn = draw()
    FigureCanvasAgg(drawn).draw()
    (hatched,) = with_gid(drawn.axes[0], "absent")
    assert hatched.get_hatch()
    cells = [path.get_extents() for path in hatched.get_paths()]
    assert sorted((cell.x0, cell.y0) for cell in cells) == [(0.5, 2.5), (1.5, 0.5)]
    assert drawn.axes[0].get_title(loc="left").endswith("hatched: not settled, 2 of 6")
    assert any(axes.get_ylabel() == "settling_time (s)" for axes in drawn.axes)


def test_curves_are_the_stored_numbers_in_readable_units():
    result = SWEEPS["curves"]
    axes = figure("curves").axes[0]
    (line,) = with_gid(axes, "max_tip_deflection")
    np.testing.assert_allclose(line.get_ydata(), 1e3 * result["max_tip_deflection"])
    np.testing.assert_array_equal(line.get_xdata(), VALUES["payload.mass"])
    assert axes.get_ylabel() == "max_tip_deflection (mm)"


def test_curves_over_samples_run_from_left_to_right():
    axes = figure("curves over samples").axes[1]
    (line,) = with_gid(axes, "energy_lost")
    assert np.all(np.diff(line.get_xdata()) > 0)
    assert figure("curves over samples").axes[-1].get_xlabel() == "initial.joints[0] (deg)"


def test_maps_are_the_stored_numbers():
    result = SWEEPS["maps"]
    axes = figure("maps").axes[0]
    (mesh,) = with_gid(axes, "max_tip_deflection")
    np.testing.assert_allclose(
        np.ma.filled(mesh.get_array(), np.nan), 1e3 * result["max_tip_deflection"].T, rtol=1e-12
    )
    assert axes.get_xscale() == "log"
    assert any(other.get_ylabel() == "max_tip_deflection (mm)" for other in figure("maps").axes)


def test_parallel_lines_are_one_for_each_run_that_was_done():
    (lines,) = with_gid(figure("parallel").axes[0], "runs")
    assert len(lines.get_segments()) == np.count_nonzero(~SWEEPS["parallel"].failed)
    heights = np.concatenate([segment[:, 1] for segment in lines.get_segments()])
    assert (heights.min(), heights.max()) == (0.0, 1.0)


def test_a_key_with_one_value_is_no_axis():
    values = VALUES | {"run.rtol": np.array([1e-6])}
    shape = (5, 1)
    keys = ("payload.mass", "run.rtol")
    coordinates = {key: Variable((key,), values[key], UNITS[key], key) for key in keys}
    variables = {
        "steps": Variable(keys, np.arange(5.0).reshape(shape), "1", "steps"),
        "status": Variable(keys, np.zeros(shape, "i1"), "1", ""),
    }
    result = SweepResult(variables, coordinates, {"robot": ROBOT, "keys": keys, "records": ("steps",)})
    (draw,) = standard_figures(result).values()
    np.testing.assert_array_equal(draw().axes[0].lines[0].get_ydata(), np.arange(5.0))


def test_cells_of_a_map_meet_half_way():
    np.testing.assert_allclose(edges(np.array([0.0, 1.0, 3.0]), False), [-0.5, 0.5, 2.0, 4.0])
    np.testing.assert_allclose(edges(np.array([1.0, 100.0]), True), [0.1, 10, 1000])
    np.testing.assert_allclose(edges(np.array([2.0]), False), [1, 3])


@pytest.mark.parametrize(
    ("values", "log"),
    [
        (np.geomspace(1, 1e3, 7), True),
        (np.linspace(1, 1e3, 7), False),
        ([1, 2, 3], False),
        ([0, 1, 1e3], False),
    ],
)
def test_logarithmic_axes_where_values_are_spaced_by_ratio(values, log):
    assert is_logarithmic(np.array(values, dtype=float)) == log


def of_round_off(*keys, size=1e-12):
    """A sweep whose only record is what is left of zero."""
    made = made_up(*keys, failing=())
    noise = np.random.default_rng(3).uniform(-size, size, made.failed.shape)
    variables = {**made.variables, "energy_lost": Variable(made.dims, noise, "J", "energy lost")}
    return SweepResult(variables, made.coordinates, {**made.attributes, "records": ("energy_lost",)})


def test_round_off_is_no_difference():
    made = of_round_off("payload.mass")
    both = SweepResult(
        made.variables,
        made.coordinates,
        {**made.attributes, "records": ("energy_lost", "max_tip_deflection")},
    )
    assert informative_records(both) == ["max_tip_deflection"]
    assert informative_records(of_round_off("payload.mass", size=1e-6)) == ["energy_lost"]


@pytest.mark.parametrize("keys", [("payload.mass",), ("payload.mass", "links[0].EI"), tuple(UNITS)])
def test_round_off_is_drawn_flat(keys):
    (draw,) = standard_figures(of_round_off(*keys)).values()
    axes = draw().axes[0]
    if len(keys) == 1:
        np.testing.assert_allclose(axes.get_ylim(), [-0.5, 0.5], atol=1e-9)
    elif len(keys) == 2:
        (mesh,) = with_gid(axes, "energy_lost")
        np.testing.assert_allclose(mesh.get_clim(), [-0.5, 0.5], atol=1e-9)
    else:
        (lines,) = with_gid(axes, "runs")
        np.testing.assert_allclose([line[-1, 1] for line in lines.get_segments()], 0.5, atol=1e-9)
        shown = {text.get_text() for text in axes.texts}
        assert {"0", "0.5", "-0.5", "1e-09", "1e-06"} <= shown


@pytest.mark.parametrize(
    ("largest", "label"),
    [(2.0, "energy_lost (J)"), (4e-7, "energy_lost (1e-9 J)"), (5e7, "energy_lost (1e6 J)")],
)
def test_powers_of_ten_stand_in_the_label(largest, label):
    made = of_round_off("payload.mass", "links[0].EI", size=largest)
    (draw,) = standard_figures(made).values()
    drawn = draw()
    FigureCanvasAgg(drawn).draw()
    (bar,) = (axes for axes in drawn.axes if axes.get_ylabel().startswith("energy_lost"))
    assert bar.get_ylabel() == label
    assert bar.yaxis.get_offset_text().get_text() == ""


def test_levels_keep_their_ticks_beside_an_empty_place():
    """Three maps leave the fourth place empty."""
    made = made_up("payload.mass", "initial.joints[0]", failing=())
    varied = Variable(made.dims, 2 * made["energy_lost"], "N m", "varied")
    facts = {**made.attributes, "records": ("energy_lost", "max_tip_deflection", "max_torque")}
    (draw,) = standard_figures(
        SweepResult({**made.variables, "max_torque": varied}, made.coordinates, facts)
    ).values()
    axes = draw().axes[0]
    np.testing.assert_allclose(axes.get_xticks(), VALUES["payload.mass"])


def test_levels_under_a_map_keep_apart(monkeypatch):
    monkeypatch.setitem(VALUES, "links[0].EI", np.geomspace(100, 1e4, 8))
    drawn = standard_figures(made_up("links[0].EI", "payload.mass"))["maps"]()
    FigureCanvasAgg(drawn).draw()
    maps = [axes for axes in drawn.axes if with_gid(axes, "failed")]
    for axes in maps:
        labels = [label for label in axes.get_xticklabels() if label.get_text() and label.get_visible()]
        assert [label.get_text() for label in labels] == ["100", "373", "1390", "5180"]
        boxes = [label.get_window_extent() for label in labels]
        assert not any(left.overlaps(right) for left, right in itertools.pairwise(boxes))
        assert len(axes.get_xticks()) == 8


def with_series():
    """A sweep over one key that recorded sines, whose second column is constant but for round-off."""
    sweep, time = made_up("payload.mass"), np.linspace(0, 1, 11)
    columns = np.stack(
        [np.outer(np.arange(5), np.sin(time)), 7 + 1e-13 * np.outer(np.ones(5), time)], axis=-1
    )
    columns[1] = np.nan  # failed
    variables = {
        **sweep.variables,
        "joint_angle": Variable(("payload.mass", "time", "joint"), columns, "rad", "joint angle"),
    }
    coordinates = {**sweep.coordinates, "time": Variable(("time",), time, "s", "time")}
    return SweepResult(variables, coordinates, {**sweep.attributes, "series": ("joint_angle",)})


def test_time_histories_have_a_curve_for_each_run_that_was_done():
    figure = standard_figures(with_series())["series"]()
    FigureCanvasAgg(figure).draw()
    axes = figure.axes[0]
    assert [len(one.lines) for one in figure.axes if one.get_label() != "<colorbar>"] == [4]
    np.testing.assert_allclose(axes.lines[-1].get_ydata(), np.rad2deg(4 * np.sin(np.linspace(0, 1, 11))))
    assert axes.get_ylabel() == "joint_angle (deg)"
    assert "joint_angle[1] is constant" in figure.get_suptitle()


def test_a_record_that_is_the_same_in_all_runs_is_told():
    (draw,) = standard_figures(made_up("payload.mass")).values()
    assert "the same in all runs: max_torque = 0 N m" in draw().get_suptitle()


def test_a_record_that_some_runs_lack_is_not_told_of_all():
    sweep = made_up("payload.mass")
    variables = dict(sweep.variables)
    values = np.array(variables["max_torque"].values, float)
    values[0], values[1:] = np.nan, 3.0
    variables["max_torque"] = replace(variables["max_torque"], values=values)
    (draw,) = standard_figures(SweepResult(variables, sweep.coordinates, sweep.attributes)).values()
    assert "max_torque = 3 N m where there is one" in draw().get_suptitle()


def test_records_over_a_logarithmic_key_that_span_decades_are_logarithmic():
    """A power of the key is a straight line then; what is zero somewhere, or varies little, is not drawn so."""
    key = "links[0].EI"
    powers = {
        "falls": VALUES[key] ** -1.0,
        "vanishes": np.append(VALUES[key][:-1], 0.0),
        "stays": 1 + VALUES[key] / 1e4,
    }
    variables = {name: Variable((key,), power, "1", name) for name, power in powers.items()}
    variables |= {"status": Variable((key,), np.zeros(6, "i1"), "1", "")}
    coordinates = {key: Variable((key,), VALUES[key], UNITS[key], key)}
    attributes = {"robot": ROBOT, "keys": (key,), "records": tuple(powers)}
    (draw,) = standard_figures(SweepResult(variables, coordinates, attributes)).values()
    assert [axes.get_yscale() for axes in draw().axes] == ["log", "linear", "linear"]

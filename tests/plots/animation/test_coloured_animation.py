"""Animations of arms whose loads are recorded: the links have the colours of what they bear."""

import numpy as np
import pytest
from loaded import carried
from matplotlib.colors import to_rgba_array
from PIL import Image
from simulated import simulated

import flexarm
from flexarm.errors import SpecError
from flexarm.plots.animation.film import Film
from flexarm.plots.animation.scene import Scene
from flexarm.plots.animation.video_files import TRANSPARENT
from flexarm.plots.drawing.load_colours import LOAD_COLOURS
from flexarm.plots.drawing.style import QUIET
from flexarm.plots.loads.shown_load import ShownLoad

SPATIAL = (
    ("joints: [{}, {}, {}]", "joints: [{axis: [0, 1, 0]}, {}, {}]"),
    ("[0, -9.81, 0]", "[0, -9.81, 1]"),
)
NO_SECTION = (
    ("    material: {E: 2.1e11, rho: 7850, nu: 0.3, strength: 1e6}\n", "    mu: 3\n"),
    ("    section: {shape: tube, diameter: 0.05, thickness: 0.003}\n", ""),
)


def scene_of(result, **options):
    return Scene(Film.of(result, 1.0, 20.0, 1.0, None, ShownLoad.of(result)), 300, **options)


@pytest.mark.parametrize("changes", [(), SPATIAL], ids=["plane", "space"])
def test_pieces_have_the_colours_of_their_stress(changes):
    result = carried(changes)
    scene = scene_of(result)
    scene.frame(3)
    film = Film.of(result, 1.0, 20.0, 1.0)
    t = film.times[3]
    (drawn,) = [one for one in scene.figure.axes[0].collections if len(one.get_edgecolor()) == 60]
    stress, stations = result["stress_max"], np.linspace(0, 1, 5)
    now = [np.interp(t, result.time, stress[:, 0, k]) for k in range(5)]
    expected = LOAD_COLOURS(np.interp((np.arange(20) + 0.5) / 20, stations, now) / np.nanmax(stress))
    np.testing.assert_allclose(drawn.get_edgecolor()[:20], expected, atol=1 / 256)
    np.testing.assert_array_equal(drawn.get_edgecolor()[20:], np.repeat(to_rgba_array(QUIET), 40, axis=0))
    bar = scene.figure.axes[-1]
    assert bar.get_ylabel() == "stress (MPa)"
    assert bar.get_ylim()[1] == pytest.approx(1e-6 * np.nanmax(stress))


def test_pieces_are_where_the_links_are():
    scene = scene_of(carried())
    scene.frame(2)
    (drawn,) = [one for one in scene.figure.axes[0].collections if len(one.get_edgecolor()) == 60]
    links = [np.array(line.get_data()).T for line in scene.arm_lines[:3]]
    expected = np.concatenate([np.stack([line[:-1], line[1:]], axis=1) for line in links])
    np.testing.assert_array_equal(drawn.get_segments(), expected)
    assert [line.get_visible() for line in scene.arm_lines] == [False] * 3 + [True]  # the joints


def test_without_sections_the_bending_moment_is_shown():
    load = ShownLoad.of(carried(NO_SECTION))
    assert load.colours.label == "bending moment (N m)"
    moment = np.hypot(*np.moveaxis(load.result["section_moment"][..., 1:], -1, 0))
    assert load.largest == pytest.approx(np.nanmax(moment))
    np.testing.assert_allclose(load.at_times(load.result.time[[0, 7]]), moment[[0, 7]], rtol=1e-12)


def test_loads_are_shown_if_there_are_any_and_nobody_objects(tmp_path):
    result, pictures = carried(), {}
    for loads in (None, True, False):
        path = flexarm.animate(result, tmp_path / f"{loads}.gif", loads=loads, size=240, fps=10)
        with Image.open(path) as image:
            pictures[loads] = np.asarray(image.convert("RGB")).copy()
            assert image.n_frames > 1
    np.testing.assert_array_equal(pictures[None], pictures[True])
    assert pictures[False].shape != pictures[True].shape  # no bar of colours
    with pytest.raises(SpecError, match="the result has not recorded any"):
        flexarm.animate(simulated("usoro_two_link"), tmp_path / "none.gif", loads=True)


def test_a_gif_has_room_for_the_colours():
    from flexarm.plots.animation.scene import palette

    assert len(palette(coloured=True)) <= TRANSPARENT


def test_wide_frames_stay_wide():
    for result in (carried(), carried(SPATIAL)):
        width, height = scene_of(result, wide=True).shape
        assert width / height == pytest.approx(16 / 9, rel=0.02)

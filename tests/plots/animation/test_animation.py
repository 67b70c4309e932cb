"""Animations: what the frames show, the files they become, and what is refused."""

import io
import itertools
import subprocess

import numpy as np
import pytest
from breadth import thinned
from PIL import Image
from simulated import changed, simulated

import flexarm
from flexarm.errors import ModelError, ResultError, SpecError
from flexarm.plots.animation import video_files
from flexarm.plots.animation.animate import automatic_magnification
from flexarm.plots.animation.base_box import base_boxes
from flexarm.plots.animation.film import Film
from flexarm.plots.animation.scene import Scene
from flexarm.plots.bases.satellite import satellite_motion
from flexarm.plots.drawing.walls_in_space import plane_in_box

SAME_POINT = 1e-9  # m
SMALL = 240  # pixels

needs_ffmpeg = pytest.mark.skipif(
    video_files.shutil.which("ffmpeg") is None, reason="ffmpeg is not installed"
)


def scene_of(result, magnification=1.0):
    return Scene(Film.of(result, 1.0, 25.0, magnification), SMALL)


def lines_of(scene):
    """Points of every line of the arm."""
    return [np.array(line.get_data_3d() if hasattr(line, "get_data_3d") else line.get_data()).T
            for line in scene.arm_lines]  # fmt: skip


@pytest.mark.parametrize("name", thinned(["spatial_three_link", "usoro_two_link", "shafei_falling_link"]))
def test_links_end_where_the_stored_points_are(name):
    result = simulated(name)
    scene = scene_of(result)
    scene.frame(5)
    k = int(np.argmin(np.abs(result.time - 0.2)))
    *links, joints = lines_of(scene)
    np.testing.assert_allclose(joints, result.point_position[k][:, : joints.shape[1]], atol=SAME_POINT)
    np.testing.assert_allclose(links[-1][-1], joints[-1], atol=SAME_POINT)


def test_magnified_deflections():
    result = simulated("single_link_cantilever")
    sags = []
    for factor in (1.0, 5.0):
        scene = scene_of(result, factor)
        scene.frame(4)
        sags.append(lines_of(scene)[0][-1, 1])
        assert ("5 times larger" in scene.figure.get_suptitle()) == (factor == 5)
    # the locked joint leaves only the deflection of a straight arm
    assert sags[1] == pytest.approx(5 * sags[0], rel=1e-9)


def test_the_path_is_that_of_the_tip_whatever_the_magnification():
    result = simulated("single_link_cantilever")
    scene = scene_of(result, 50.0)
    scene.frame(4)
    (trace,) = [line for line in scene.figure.axes[0].lines if line.get_label() == "tip"]
    drawn, t = trace.get_xydata(), Film.of(result, 1.0, 25.0, 50.0).times[4]
    k = int(np.argmin(np.abs(result.time - t)))
    np.testing.assert_allclose(drawn[-1], result.point_position[k, -1, :2], atol=SAME_POINT)
    np.testing.assert_allclose(drawn[0], result.point_position[0, -1, :2], atol=SAME_POINT)
    assert np.abs(drawn[:, 1]).max() <= np.abs(result.point_position[:, -1, 1]).max() + SAME_POINT
    assert lines_of(scene)[0][-1, 1] == pytest.approx(50 * drawn[-1, 1], rel=0.01)
    assert "true path of the tip" in scene.figure.get_suptitle()


@pytest.mark.slow
def test_deflections_are_not_magnified_where_the_arm_touches_something():
    result = simulated("usoro_two_link")
    assert automatic_magnification(result) > 1
    assert automatic_magnification(simulated("shafei_falling_link")) == 1
    followed = changed(result, arrays={"tip_desired": result.point_position[:, -1]})
    assert automatic_magnification(followed) == 1


@pytest.mark.slow
def test_only_what_moves_is_drawn_anew_and_nothing_is_left_over():
    """A frame drawn after others equals the same frame drawn first."""
    result = simulated("falling_two_link_in_circle")
    used, fresh = scene_of(result), scene_of(result)
    for k in range(6):
        used.frame(k)
    np.testing.assert_array_equal(used.frame(2), fresh.frame(2))


def test_time_speed_and_the_end_of_an_incomplete_run_are_told():
    result = changed(simulated("usoro_two_link"), status="incomplete", message="stopped")
    scene = Scene(Film.of(result, 0.25, 25.0, 1.0), SMALL)
    scene.frame(7)
    assert any(text.get_text() == "t = 0.07 s" for text in scene.figure.texts)
    assert "0.25 times as fast" in scene.figure.get_suptitle()
    assert "stopped at t = 0.3 s" in scene.figure.get_suptitle()


def test_a_desired_path_is_drawn_with_the_place_where_the_tip_should_be():
    result = simulated("usoro_two_link")
    desired = result.point_position[:, -1] + [0.1, 0, 0]
    scene = scene_of(changed(result, arrays={"tip_desired": desired}))
    scene.frame(5)
    lines = {line.get_label(): line for line in scene.figure.axes[0].lines}
    np.testing.assert_allclose(lines["desired path"].get_xydata(), desired[:, :2])
    now = desired[np.argmin(np.abs(result.time - 0.2)), :2]
    np.testing.assert_allclose(lines["desired place"].get_xydata(), [now], atol=SAME_POINT)


def test_spatial_arms_have_equal_scales():
    space = scene_of(simulated("spatial_three_link")).figure.axes[0]
    assert space.name == "3d"
    bounds = np.array([space.get_xlim3d(), space.get_ylim3d(), space.get_zlim3d()])
    ratio = np.ptp(bounds, axis=1) / space._box_aspect
    np.testing.assert_allclose(ratio, ratio[0])


def test_a_plane_is_cut_off_at_the_box():
    box = np.array([[0.0, 1.0]] * 3)
    floor = plane_in_box(np.array([9.0, 9.0, 0.25]), np.array([0.0, 0.0, 1.0]), box)
    assert {tuple(np.round(corner, 12)) for corner in floor} == {(x, y, 0.25) for x in (0, 1) for y in (0, 1)}
    sides = np.linalg.norm(floor - np.roll(floor, 1, axis=0), axis=1)
    np.testing.assert_allclose(sides, 1.0)  # in order, not across
    hexagon = plane_in_box(np.full(3, 0.5), np.ones(3) / np.sqrt(3), box)
    assert len(hexagon) == 6
    assert len(plane_in_box(np.array([0, 0, 2.0]), np.array([0, 0, 1.0]), box)) == 0


def test_the_body_of_the_base_is_a_box_of_its_mass_and_inertia():
    """A square plate of 150 kg and 60 kg m^2 has sides of sqrt(6 60 / 150) m; the arm stands 0.6 m from its middle."""
    result = simulated("slewing_satellite")
    (edges,) = base_boxes(result, result.theta(slice(0, 1)))
    corners = np.unique(edges[np.isfinite(edges).all(axis=1)].round(9), axis=0)
    assert len(corners) == 4
    np.testing.assert_allclose(np.ptp(corners[:, :2], axis=0), np.sqrt(6 * 60 / 150))
    np.testing.assert_allclose(corners.mean(axis=0), [-0.6, 0, 0], atol=SAME_POINT)
    (later,) = base_boxes(result, result.theta(slice(-1, None)))
    middle = np.nanmean(later, axis=0)
    centre = satellite_motion(result).position[-1]
    np.testing.assert_allclose(middle, centre, atol=SAME_POINT)


def test_the_payload_is_drawn_where_there_is_one():
    for name, there in (("slewing_satellite", True), ("usoro_two_link", False)):
        lines = {line.get_label(): line for line in scene_of(simulated(name)).figure.axes[0].lines}
        assert lines["payload"].get_visible() == there


@pytest.mark.slow
def test_a_part_of_a_run_in_a_wide_frame_from_another_side():
    result = simulated("space_arm")
    film = Film.of(result, 1.0, 25.0, 1.0, (0.1, 0.2))
    np.testing.assert_allclose(film.times, [0.1, 0.14, 0.18, 0.2])
    assert film.trace_times[0] == 0.1
    assert film.trace_times[-1] <= 0.2
    for view, labels in (
        ("xz", ("x (m)", "z (m)")),
        ("yz", ("y (m)", "z (m)")),
        ("space", ("x (m)", "y (m)")),
    ):
        scene = Scene(film, 320, view, wide=True)
        assert scene.shape == (320, 180)
        axes = scene.figure.axes[0]
        assert (axes.get_xlabel(), axes.get_ylabel()) == labels


@pytest.fixture(scope="module")
def gif(tmp_path_factory):
    path = tmp_path_factory.mktemp("film") / "arm.gif"
    flexarm.animate(simulated("falling_two_link_in_circle"), path, speed=0.5, fps=30, size=SMALL)
    return path


@pytest.mark.parametrize(("name", "along"), [("usoro_two_link", [1]), ("spatial_three_link", [1, 2])])
@pytest.mark.parametrize("wide", [False, True])
def test_a_strip_shows_the_deflection_with_a_dot_at_the_time_of_the_frame(name, along, wide):
    result = simulated(name)
    film = Film.of(result, 1.0, 25.0, 1.0, (0.1, 0.3))
    scene = Scene(film, SMALL, wide=wide, deflection=True)
    arm, strip = scene.figure.axes
    assert strip.get_xlim() == pytest.approx((0.1, 0.3))
    for k in (0, 3):
        scene.frame(k)
        row = int(np.argmin(np.abs(result.time - film.times[k])))
        dots = [line.get_data() for line in strip.lines if line.get_marker() == "o"]
        expected = [1e3 * result.link_deflection[row, -1, -1, axis] for axis in along]
        np.testing.assert_allclose(np.ravel(dots).reshape(-1, 2)[:, 0], film.times[k])
        np.testing.assert_allclose(np.ravel(dots).reshape(-1, 2)[:, 1], expected, atol=1e-9)
    assert strip.get_ylabel() == "deflection (mm)"
    lowest = min(axis.get_tightbbox().y0 for axis in (arm.xaxis, arm.yaxis))
    assert strip.get_tightbbox().y1 <= lowest + 1  # pixel


def test_a_rigid_arm_has_no_deflection_to_show(tmp_path):
    with pytest.raises(SpecError, match="no link of this arm is flexible"):
        flexarm.animate(simulated("rigid_two_link"), tmp_path / "a.gif", deflection=True)


def test_a_gif_lasts_as_long_as_the_motion_and_repeats_itself(gif):
    with Image.open(gif) as film:
        durations = []
        for k in range(film.n_frames):
            film.seek(k)
            durations.append(film.info["duration"])
        assert film.info["loop"] == 0
        assert max(film.size) == SMALL
        assert len(durations) == 19  # 0.3 s at half speed and 30 frames a second, both ends included
        # whole hundredths of a second, in the mean a thirtieth
        assert sum(durations[:-1]) == pytest.approx(600, abs=10)
        assert set(durations[:-1]) == {30, 40}
        assert durations[-1] > 1000


def test_frames_of_a_gif_are_those_of_the_scene(gif):
    film = Film.of(simulated("falling_two_link_in_circle"), 0.5, 30, 1.0)
    scene = Scene(film, SMALL)
    with Image.open(gif) as shown:
        for k in range(shown.n_frames):
            shown.seek(k)
            difference = np.abs(np.asarray(shown.convert("RGB"), float) - scene.frame(k)[..., :3])
            # colours are rounded; a pixel that was left over from another frame would be far off
            assert difference.max() < 64
            assert difference.mean() < 1.5
    assert gif.stat().st_size < 60_000


def test_unchanged_frames_stay(tmp_path):
    still = np.full((4, 6, 4), 255, dtype=np.uint8)
    target = tmp_path / "still.gif"
    video_files.write_gif(target, [still, still.copy()], np.array([[0, 0, 0], [255, 255, 255]], np.uint8), 10)
    with Image.open(target) as film:
        film.seek(film.n_frames - 1)
        assert np.asarray(film.convert("RGB")).min() == 255


@needs_ffmpeg
def test_an_mp4_holds_every_frame(tmp_path):
    path = flexarm.animate(simulated("spatial_three_link"), tmp_path / "arm.mp4", magnify=1, size=SMALL)
    decode = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = subprocess.run(decode, capture_output=True, check=True).stdout
    scene = scene_of(simulated("spatial_three_link"))
    width, height = scene.shape
    frames = np.frombuffer(pixels, np.uint8).reshape(-1, height, width, 3)
    assert len(frames) == 9
    assert np.abs(frames[4].astype(float) - scene.frame(4)[..., :3]).mean() < 3


def test_without_ffmpeg_a_gif_is_suggested(tmp_path, monkeypatch):
    monkeypatch.setattr(video_files.shutil, "which", lambda _: None)
    with pytest.raises(ResultError, match=r"ffmpeg.*\.gif"):
        flexarm.animate(simulated("usoro_two_link"), tmp_path / "arm.mp4")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("does", ["exit 3", "echo no such codec >&2; exit 1"])
def test_a_failing_ffmpeg_is_explained(tmp_path, monkeypatch, does):
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    monkeypatch.setattr(video_files.shutil, "which", lambda _: str(program))
    with pytest.raises(ResultError, match=r"ffmpeg failed: (exit code 3|no such codec)"):
        flexarm.animate(simulated("usoro_two_link"), tmp_path / "arm.mp4", size=SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]


@pytest.mark.parametrize("ending", ["gif", pytest.param("mp4", marks=needs_ffmpeg)])
def test_an_interrupted_animation_leaves_nothing(tmp_path, ending):
    calls = itertools.count()

    def interrupt(fraction, t):
        assert 0 <= fraction <= 1
        assert 0 <= t <= 0.3
        if next(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        flexarm.animate(
            simulated("usoro_two_link"), tmp_path / f"arm.{ending}", size=SMALL, progress=interrupt
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"path": "arm.avi"}, r"\.gif or \.mp4"),
        ({"path": "arm"}, r"\.gif or \.mp4"),
        ({"fps": 60}, "write an .mp4"),
        ({"fps": 0}, "fps: got 0"),
        ({"speed": -1}, "speed: got -1"),
        ({"speed": 1e-6}, "raise speed"),
        ({"magnify": float("nan")}, "magnify: got nan"),
        ({"size": 10}, "160 to 4096"),
    ],
)
def test_what_is_refused(tmp_path, options, complaint):
    path = tmp_path / options.pop("path", "arm.gif")
    kind = (ModelError, SpecError) if options else ResultError
    with pytest.raises(kind, match=complaint):
        flexarm.animate(simulated("usoro_two_link"), path, **options)
    assert not list(tmp_path.iterdir())


def test_one_sample_is_one_frame(tmp_path):
    result = changed(simulated("usoro_two_link"), rows=slice(0, 1), status="incomplete")
    path = flexarm.animate(result, tmp_path / "arm.gif", size=SMALL)
    with Image.open(io.BytesIO(path.read_bytes())) as film:
        assert film.n_frames == 1


@pytest.mark.parametrize(
    ("rows", "facts", "complaint"),
    [(0, {"status": "incomplete"}, "no sample"), (1, {"kind": "modes"}, "at rest")],
)
def test_nothing_to_animate(tmp_path, rows, facts, complaint):
    result = changed(simulated("usoro_two_link"), rows=slice(0, rows), **facts)
    with pytest.raises(ResultError, match=complaint):
        flexarm.animate(result, tmp_path / "arm.gif")

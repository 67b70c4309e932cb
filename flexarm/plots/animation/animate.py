"""Animation of the arm in motion, as an animated picture or a video."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from flexarm.arguments import check_number, check_object
from flexarm.errors import InputProblem, ResultError, SpecError
from flexarm.plots.animation.film import Film
from flexarm.plots.animation.interpolation import end_times
from flexarm.plots.animation.scene import Scene, palette
from flexarm.plots.animation.stage import VIEWS
from flexarm.plots.animation.video_files import HIGHEST_GIF_RATE, ffmpeg, write_gif, write_mp4
from flexarm.plots.arm.arm_shapes import visible_magnification
from flexarm.plots.histories.deflection import is_flexible
from flexarm.plots.loads.shown_load import ShownLoad
from flexarm.progress import Progress
from flexarm.results.result import Result
from flexarm.results.schema import STATIC
from flexarm.results.storage.atomic_files import AtomicFile, as_result_error, check_ending, check_target

MOST_FRAMES = 20_000
SIZES = (160, 4096)
"""Least and greatest number of pixels of the longer side."""


def animate(
    result: Result,
    path: str | os.PathLike,
    *,
    magnify: float | None = None,
    speed: float = 1.0,
    fps: float = 25.0,
    size: int = 800,
    start: float | None = None,
    stop: float | None = None,
    view: str | None = None,
    wide: bool = False,
    deflection: bool = False,
    loads: bool | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write an animation of the bent arm: walls, the path of the tip and, if there is one, the desired path.

    Discs mark points that are on walls, in the colour of what they do there.

    Parameters
    ----------
    result : Result
        Of any kind; an incomplete one is shown as far as it goes.
    path : path
        The ending chooses the format: ``.gif`` or, with ffmpeg, ``.mp4``.
    magnify : float, optional
        Factor of the deflections; by default such that they can be seen, but 1 where the arm would leave its
        desired path or stand inside walls.
    speed : float
        Time that passes in the result for each second of the animation: 1 is real time, 0.25 four times slower.
    fps : float [1/s]
        Frames for each second of the animation.
    size : int [pixel]
        Longer side of the picture.
    start, stop : float, optional [s]
        Where in the run the animation begins and ends; all of it unless given.
    view : str, optional
        ``xy``, ``xz``, ``yz`` or ``space``; by default the xy plane, and space if the arm leaves it.
    wide : bool
        Frames of 16:9, whatever the arm's motion is like.
    deflection : bool
        Show below the arm how the end of its last flexible link is deflected over time.
    loads : bool, optional
        Colour the links by their stress, or by their bending moment where no section is known; by default if the result
        has recorded its loads.
    overwrite : bool
        Replace an existing file.
    progress : callable, optional
        Called with the fraction done and the time reached [s].

    Returns
    -------
    Path
        The absolute path of the file.

    Raises
    ------
    ResultError
        The format is unknown, ffmpeg is missing or fails, or the file cannot be written.
    ModelError, SpecError
        A number is out of range, or the view is unknown.

    Examples
    --------
    >>> import flexarm
    >>> result = flexarm.simulate(flexarm.load_arm("robots/flexible_pendulum.yaml"))
    >>> flexarm.animate(result, "pendulum.gif", fps=5, stop=1.0, overwrite=True).name
    'pendulum.gif'
    """
    check_object("result", result, Result)
    kind, part = _checked(result, path, magnify, speed, fps, size, start, stop)
    if view is not None and view not in VIEWS:
        raise _wrong("view", f"got {view!r}, expected {', '.join(VIEWS)}")
    if deflection and not is_flexible(result):
        raise _wrong("deflection", "no link of this arm is flexible")
    load = ShownLoad.of(result) if loads is None or loads else None
    if loads and load is None:
        raise _wrong(
            "loads", "the result has not recorded any", "let the run record them: run: {record: [loads]}"
        )
    check_target(path, overwrite)
    with AtomicFile(path, overwrite) as pending, as_result_error("write", pending.target):
        factor = automatic_magnification(result) if magnify is None else magnify
        film = Film.of(result, speed, fps, factor, part, load)
        scene = Scene(film, size, view, wide, deflection)
        frames = _frames(scene, film.times, progress)
        if kind == ".gif":
            marks = [colour for *_, colour in film.contacts.shown]
            write_gif(pending.part, frames, palette(load is not None, marks), fps)
        else:
            write_mp4(pending.part, frames, scene.shape, fps)
    return pending.target


def automatic_magnification(result: Result) -> float:
    """Return by how much to multiply deflections so that they show; 1 where the tip has a path to follow."""
    return 1.0 if "tip_desired" in result else float(visible_magnification(result))


def _frames(scene: Scene, times: np.ndarray, progress: Progress | None) -> Iterator[np.ndarray]:
    for k, t in enumerate(times):
        if progress is not None:
            progress(k / len(times), float(t))
        yield scene.frame(k)


def _checked(
    result: Result,
    path: str | os.PathLike,
    magnify: float | None,
    speed: float,
    fps: float,
    size: int,
    start: float | None,
    stop: float | None,
) -> tuple[str, tuple[float, float]]:
    """Return the ending of the file's name and the part of the run, after all that can be wrong before any work."""
    kind = check_ending(path, (".gif", ".mp4"), "animations end in")
    if kind == ".mp4":
        ffmpeg()
    if not result.n_samples:
        raise ResultError("there is nothing to animate: the result holds no sample")
    if result.kind in STATIC:
        raise ResultError(
            f"there is nothing to animate: a result of kind {result.kind} is about an arm at rest"
        )
    for name, value in (("speed", speed), ("fps", fps), ("magnify", 1.0 if magnify is None else magnify)):
        check_number(name, value, above=0)
    check_number("size", size)
    if not SIZES[0] <= size <= SIZES[1]:
        raise _wrong("size", f"got {size}, expected {SIZES[0]} to {SIZES[1]} pixels")
    if kind == ".gif" and fps > HIGHEST_GIF_RATE:
        raise _wrong("fps", f"got {fps:g}, GIF allows {HIGHEST_GIF_RATE:g} at most", "write an .mp4")
    first, last = _part(result, start, stop)
    frames = (last - first) / speed * fps
    if frames > MOST_FRAMES:
        message = f"{frames:.6g} frames are too many, at most {MOST_FRAMES} are written"
        raise _wrong("speed, fps", message, "raise speed or lower fps")
    return kind, (first, last)


def _part(result: Result, start: float | None, stop: float | None) -> tuple[float, float]:
    """Begin and end of what is shown [s]."""
    first, last = end_times(result)
    begin, end = first if start is None else start, last if stop is None else stop
    for name, value in (("start", begin), ("stop", end)):
        check_number(name, value)
        if not first <= value <= last:
            raise _wrong(name, f"got {value:g} s, the run lasts from {first:g} to {last:g} s")
    if begin > end:
        raise _wrong("start, stop", f"got {begin:g} to {end:g} s, which is backwards")
    return begin, end


def _wrong(name: str, message: str, hint: str = "") -> SpecError:
    return SpecError([InputProblem(name, None, "", message, hint)])

"""Animated GIF and MP4 files from frames, one at a time, so that memory does not grow with the film."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import numpy as np
from PIL import Image
from PIL.GifImagePlugin import getdata

from flexarm.errors import ResultError

TRANSPARENT = 63
"""Number of a GIF's transparent colour, the last of 64."""
HIGHEST_GIF_RATE = 50.0
"""Frames per second: browsers show what is faster at 10 frames per second."""
LAST_FRAME = 1.0
"""How long a GIF, which repeats itself, stays on its last frame [s]."""


def write_gif(part: Path, frames: Iterable[np.ndarray], colours: np.ndarray, fps: float) -> None:
    """Write frames as a GIF that repeats itself, each frame holding only what has changed.

    Parameters
    ----------
    part : Path
    frames : iterable of (height, width, 4) bytes in RGBA
    colours : (k, 3) bytes in RGB
        What the pixels are rounded to, k <= 63.
    fps : float [1/s]

    Notes
    -----
    GIF89a specification (CompuServe 1990). Its delays are whole hundredths of a second; where `fps` asks for a
    fraction they vary by one, so that the film as a whole keeps its pace.
    """
    table = Image.new("P", (1, 1))
    table.putpalette(np.pad(colours, ((0, TRANSPARENT + 1 - len(colours)), (0, 0)), mode="edge").tobytes())
    with part.open("wb") as file:
        shown = None
        for k, (frame, is_last) in enumerate(_with_last(frames)):
            image = Image.fromarray(frame).convert("RGB").quantize(palette=table, dither=Image.Dither.NONE)
            pixels = np.asarray(image)
            if shown is None:
                file.write(_gif_header(table, image.size))
            delay = round(100 * (k + 1) / fps) - round(100 * k / fps) + is_last * round(100 * LAST_FRAME)
            _write_change(file, shown, pixels, delay)
            shown = pixels
        file.write(b";")


def _with_last(frames: Iterable[np.ndarray]) -> Iterator[tuple[np.ndarray, bool]]:
    """Pair each frame with whether it is the last."""
    waiting = None
    for frame in frames:
        if waiting is not None:
            yield waiting, False
        waiting = frame.copy()
    if waiting is not None:
        yield waiting, True


def _gif_header(table: Image.Image, size: tuple[int, int]) -> bytes:
    """Screen, colours and the wish to be repeated for ever."""
    width, height = (length.to_bytes(2, "little") for length in size)
    depth = TRANSPARENT.bit_length() - 1
    colours = bytes(table.getpalette() or [])[: 3 * (TRANSPARENT + 1)]
    repeat = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + width + height + bytes([0xF0 | depth, 0, 0]) + colours + repeat


def _write_change(file: BinaryIO, shown: np.ndarray | None, pixels: np.ndarray, delay: int) -> None:
    """Write the rectangle of a frame that differs from what is shown, its equal pixels transparent."""
    left, top, options = 0, 0, {}
    if shown is not None:
        differs = pixels != shown
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        top, bottom = (rows[0], rows[-1] + 1) if rows.size else (0, 1)
        left, right = (columns[0], columns[-1] + 1) if rows.size else (0, 1)
        window = slice(top, bottom), slice(left, right)
        pixels = np.where(differs[window], pixels[window], TRANSPARENT).astype(np.uint8)
        options = {"transparency": TRANSPARENT, "disposal": 1}
    image = Image.fromarray(pixels, "L")
    for chunk in getdata(image, (int(left), int(top)), duration=10 * delay, **options):
        file.write(chunk)


def ffmpeg() -> str:
    """Return the path of ffmpeg.

    Raises
    ------
    ResultError
        There is none.
    """
    found = shutil.which("ffmpeg")
    if found is None:
        raise ResultError("cannot write MP4 without ffmpeg, which was not found; install it, or write a .gif")
    return found


def write_mp4(part: Path, frames: Iterable[np.ndarray], size: tuple[int, int], fps: float) -> None:
    """Write frames (height, width, 4) as an MP4 video.

    Raises
    ------
    ResultError
        There is no ffmpeg, or it fails.
    """
    command = [
        ffmpeg(), "-v", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{size[0]}x{size[1]}", "-r", f"{fps}", "-i", "-",
        "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4", f"{part}",
    ]  # fmt: skip
    with TemporaryFile() as complaints:
        # in a session of its own Ctrl-C does not reach it: it is this program that ends it
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=complaints, start_new_session=True)
        try:
            _feed(process, frames)
        except BaseException:
            process.kill()
            raise
        finally:
            code = process.wait()
        if code:
            complaints.seek(0)
            output = " ".join(complaints.read().decode(errors="replace").split())
            raise ResultError(f"ffmpeg failed: {output or f'exit code {code}'}")


def _feed(process: subprocess.Popen, frames: Iterable[np.ndarray]) -> None:
    """Give frames to a program; if it ends before it has got them all, its exit code is an error."""
    assert process.stdin is not None
    try:
        for frame in frames:
            process.stdin.write(frame)
    except BrokenPipeError:
        pass
    finally:
        with suppress(BrokenPipeError):
            process.stdin.close()

"""`flexarm animate`: a result in, its arm in motion out."""

from __future__ import annotations

from pathlib import Path

import click

import flexarm
from flexarm.cli.options import FiniteRange, console_options, overwrite_option
from flexarm.cli.pictures import picture_folder
from flexarm.cli.terminal.console import Console
from flexarm.cli.terminal.interrupt import interruptible

EPILOG = """\b
Example:
  flexarm animate outputs/usoro-two-link.h5
  flexarm animate outputs/usoro-two-link.h5 -o outputs/usoro-slow.gif --speed 0.5 --magnify 50 --size 480
  flexarm animate outputs/usoro-two-link.h5 -o outputs/swing.gif --from 1 --to 2 --view xy --wide

The ending of the output chooses the format: .gif, or .mp4 where ffmpeg is installed.
"""


FACTOR = FiniteRange(min=0, min_open=True)


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Animation, .gif or .mp4 [default: animation.gif in a folder beside FILE, named like it].",
)
@overwrite_option
@click.option(
    "--magnify",
    type=FACTOR,
    metavar="FACTOR",
    help="Magnify deflections by this factor [default: such that they can be seen; 1 with walls or a desired path].",
)
@click.option(
    "--speed",
    type=FACTOR,
    default=1.0,
    show_default=True,
    metavar="FACTOR",
    help="Playing speed, as a multiple of real time.",
)
@click.option(
    "--fps",
    type=FACTOR,
    default=25.0,
    show_default=True,
    metavar="N",
    help="Frames per second.",
)
@click.option(
    "--size",
    type=click.IntRange(160, 4096),
    default=800,
    show_default=True,
    metavar="PIXELS",
    help="Longer side of the picture.",
)
@click.option(
    "--from", "start", type=float, metavar="S", help="Begin at this time of the run [default: its start]."
)
@click.option("--to", "stop", type=float, metavar="S", help="End at this time of the run [default: its end].")
@click.option(
    "--view",
    type=click.Choice(["xy", "xz", "yz", "space"]),
    help="Side from which the arm is seen [default: xy, and space if the arm leaves that plane].",
)
@click.option("--wide", is_flag=True, help="Frames of 16:9, as for slides.")
@click.option(
    "--deflection",
    is_flag=True,
    help="Show the deflection of the last flexible link over time below the arm.",
)
@click.option(
    "--loads/--no-loads",
    default=None,
    help="Colour the links by their stress, or by their bending moment where no section is known [default: if the run "
    "has recorded its loads].",
)
@console_options
def animate(
    file: Path,
    output: Path | None,
    overwrite: bool,
    magnify: float | None,
    speed: float,
    fps: float,
    size: int,
    start: float | None,
    stop: float | None,
    view: str | None,
    wide: bool,
    deflection: bool,
    loads: bool | None,
    console: Console,
) -> None:
    """Draw the arm of a result in motion: an animated GIF, or an MP4 video where ffmpeg is installed."""
    result = flexarm.open_result(file)
    path = output or picture_folder(file) / "animation.gif"
    with console.progress("animating") as progress, interruptible(progress) as on_progress:
        flexarm.animate(
            result,
            path,
            magnify=magnify,
            speed=speed,
            fps=fps,
            size=size,
            start=start,
            stop=stop,
            view=view,
            wide=wide,
            deflection=deflection,
            loads=loads,
            overwrite=overwrite,
            progress=on_progress,
        )
    console.write(f"{path}")

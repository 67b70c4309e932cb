"""Drawing of the guide: signs and axes of what joints transmit and links carry.

Run: python docs/drawings/load_signs.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from flexarm.plots.drawing.style import COLOURS, DPI, INK, QUIET, RC, WIDTH

TARGET = Path(__file__).with_name("load-signs.png")
FORCE, MOMENT = COLOURS[1], COLOURS[0]
SEEN = np.array([[1.0, 0.0], [0.0, 1.0], [-0.46, -0.34]])
"""Where the axes x, y and z point on the paper; z comes towards who looks."""
LINK, OTHER = "#d7dde3", "#eef1f4"
HEAD = {"arrowstyle": "-|>,head_width=0.22,head_length=0.45", "shrinkA": 0, "shrinkB": 0, "linewidth": 1.5}


def arrow(
    axes: Axes, start: np.ndarray, along: np.ndarray, colour: str, text: str, offset: tuple[float, float]
) -> None:
    """Draw an arrow on the paper, with its name beside its tip."""
    end = start + along
    axes.annotate("", end, start, arrowprops={**HEAD, "color": colour}, zorder=5)
    axes.text(*(end + offset), text, color=colour, ha="center", va="center", zorder=6)


def turning(
    axes: Axes, middle: np.ndarray, about: np.ndarray, radius: float, text: str, offset: tuple[float, float]
) -> None:
    """Draw a moment about an axis in space as an arc around it, right-handed, with its name."""
    across = np.cross(about, [0.3, 0.5, 0.8])
    across /= np.linalg.norm(across)
    other = np.cross(about, across)
    angles = np.linspace(0.2, 1.65 * np.pi, 60)
    arc = middle + radius * (np.outer(np.cos(angles), across) + np.outer(np.sin(angles), other)) @ SEEN
    axes.plot(*arc[:-3].T, color=MOMENT, linewidth=1.5, zorder=5)
    axes.annotate("", arc[-1], arc[-6], arrowprops={**HEAD, "color": MOMENT}, zorder=5)
    axes.text(*(middle + offset), text, color=MOMENT, ha="center", va="center", zorder=6)


def frame(
    axes: Axes, origin: tuple[float, float], turn: float, names: tuple[str, str], length: float = 0.62
) -> None:
    """Draw the axes x and y of a frame that is turned on the paper [rad]; z comes out of it."""
    origin = np.array(origin)
    for name, angle in zip(names, (turn, turn + np.pi / 2), strict=True):
        along = length * np.array([np.cos(angle), np.sin(angle)])
        axes.annotate(
            "", origin + along, origin, arrowprops={**HEAD, "color": QUIET, "linewidth": 1.0}, zorder=4
        )
        axes.text(*(origin + 1.2 * along), name, color=QUIET, ha="center", va="center", style="italic")
    axes.plot(*origin, "o", color="white", markeredgecolor=QUIET, markersize=6, zorder=4)
    axes.plot(*origin, ".", color=QUIET, markersize=3, zorder=5)


def beam(axes: Axes, line: np.ndarray, half: float, colour: str) -> None:
    """Draw a bent link along a line (k, 2)."""
    normal = np.gradient(line, axis=0) @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    outline = np.concatenate([line + half * normal, (line - half * normal)[::-1]])
    axes.add_patch(Polygon(outline, facecolor=colour, edgecolor=INK, linewidth=0.8, zorder=2))


def draw_joint(axes: Axes) -> None:
    """What link i gets at its joint, and the link before gives."""
    axes.set_title("joint i: what link i gets, in its axes")
    turn, s = np.deg2rad(32), np.linspace(0, 1, 40)
    before = np.stack([-1.85 + 1.85 * s, -1.1 + 1.1 * s + 0.12 * np.sin(np.pi * s)], axis=1)
    along = np.stack([2.9 * s, -0.3 * s**2], axis=1)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    beam(axes, before, 0.13, OTHER)
    beam(axes, along @ turned.T, 0.13, LINK)
    axes.plot(0, 0, "o", color="white", markeredgecolor=INK, markersize=9, zorder=3)
    axes.text(-1.2, 0.25, "link i-1,\nor the base", color=QUIET, ha="center")
    axes.text(2.2, 0.55, "link i", ha="center")
    frame(axes, (0, 0), turn, ("x", "y"), 0.8)
    start = np.array([0.0, 0.0])
    force = turned @ np.array([1.0, 1.15])
    arrow(axes, start, force, FORCE, "joint_force", (0.6, 0.1))
    arc = np.linspace(np.deg2rad(200), np.deg2rad(330), 40)
    ring = 0.75 * np.stack([np.cos(arc), np.sin(arc)], axis=1)
    axes.plot(*ring[:-2].T, color=MOMENT, linewidth=1.5, zorder=5)
    axes.annotate("", ring[-1], ring[-5], arrowprops={**HEAD, "color": MOMENT}, zorder=5)
    axes.text(0.8, -0.75, "joint_moment,\nhere about z", color=MOMENT, ha="left", va="center")
    axes.text(-1.9, -1.75, "link i-1, or the foundation, takes the opposite", color=QUIET)
    axes.set(xlim=(-2.0, 2.9), ylim=(-1.95, 2.0))


def draw_section(axes: Axes) -> None:
    """What the part beyond a section exerts on the part before it."""
    axes.set_title("section: on the part before, in the axes of the section")
    y, z = 0.42, 0.36

    def block(start: float, stop: float, colour: str) -> None:
        for corners in (
            [(start, y, z), (stop, y, z), (stop, -y, z), (start, -y, z)],
            [(start, y, z), (stop, y, z), (stop, y, -z), (start, y, -z)],
            [(stop, y, z), (stop, y, -z), (stop, -y, -z), (stop, -y, z)],
        ):
            face = Polygon(np.array(corners) @ SEEN, facecolor=colour, edgecolor=INK, linewidth=0.8, zorder=2)
            axes.add_patch(face)

    block(2.4, 3.7, OTHER)
    block(-2.2, 0.0, LINK)
    axes.text(-1.35, -0.13, "before", ha="center", va="center", zorder=3)
    axes.text(2.88, -0.13, "beyond", ha="center", va="center", color=QUIET, zorder=3)
    middle = np.array([0.0, 0.0])
    axes.plot(*middle, ".", color=INK, markersize=4, zorder=6)
    arrow(axes, middle, 1.5 * SEEN[0], FORCE, "$N$", (0.18, 0.0))
    arrow(axes, middle, 1.35 * SEEN[1], FORCE, "$V_y$", (0.0, 0.16))
    arrow(axes, middle, 2.0 * SEEN[2], FORCE, "$V_z$", (-0.2, -0.1))
    turning(axes, 1.0 * SEEN[0], np.array([1.0, 0, 0]), 0.3, "$T$", (0.12, 0.5))
    turning(axes, 0.92 * SEEN[1], np.array([0, 1.0, 0]), 0.3, "$M_y$", (0.6, 0.0))
    turning(axes, 1.4 * SEEN[2], np.array([0, 0, 1.0]), 0.3, "$M_z$", (0.55, -0.2))
    corner = np.array([-1.9, 1.0])
    for name, direction in zip("xyz", SEEN, strict=True):
        axes.annotate(
            "", corner + 0.55 * direction, corner, arrowprops={**HEAD, "color": QUIET, "linewidth": 1.0}
        )
        axes.text(*(corner + 0.72 * direction), name, color=QUIET, ha="center", va="center", style="italic")
    axes.text(-2.2, -1.5, "section_force = ($N$, $V_y$, $V_z$)", color=FORCE)
    axes.text(-2.2, -1.95, "section_moment = ($T$, $M_y$, $M_z$)", color=MOMENT)
    axes.set(xlim=(-2.4, 3.9), ylim=(-2.15, 1.95))


def drawing() -> Figure:
    """Draw both."""
    with style.context(["default", RC]):
        figure = Figure(figsize=(WIDTH, 2.45))
        for place, draw in (((0.01, 0.01, 0.43, 0.91), draw_joint), ((0.46, 0.01, 0.53, 0.91), draw_section)):
            axes = figure.add_axes(place)
            axes.axis("off")
            draw(axes)
            axes.set_aspect("equal", anchor="W")
        return figure


if __name__ == "__main__":
    drawing().savefig(TARGET, dpi=DPI)
    print(TARGET)

"""Natural mode shapes of the assembled arm: the bent arm in each natural mode, and the arm at rest behind it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from flexarm.errors import ResultError
from flexarm.plots.drawing.parallel_view import draw_triad, fit, screen, triad
from flexarm.plots.drawing.planarity import is_spatial_shape
from flexarm.plots.drawing.style import COLOURS, QUIET, WIDTH, new_figure, styled
from flexarm.plots.drawing.views import PLANE, Rods, draw_arm, label_axes
from flexarm.results.result import Result

PANELS = 9
COLUMNS = ((0.45, 5), (0.9, 4), (3.0, 3), (np.inf, 2))
"""Width over height up to which arms stand in so many columns."""
HEIGHTS = (0.9, 3.0)  # inches, least and most of a panel


@styled
def natural_mode_shapes(result: Result) -> Figure:
    """Draw one panel per mode but rigid-body motions, the slowest first; spatial arms in parallel projection."""
    chosen = _chosen(result)
    title = f"natural modes{_turning(result)}, {_joints(result)}, amplitudes scaled"
    left_out = len(result.natural_frequency) - result.attributes["rigid_modes"] - len(chosen)
    if left_out > 0:
        title += f"; {left_out} faster ones not drawn"
    shapes = np.concatenate([result.rest_point[None], result.shape_point[chosen]])
    directions = screen(shapes, result.arm.gravity)
    drawn = shapes @ directions.T
    if not np.isfinite(drawn).all():
        raise ResultError(f"{result.path}: the shapes of the natural modes are not finite")
    wide, high = np.ptp(drawn.reshape(-1, 2), axis=0)
    rods = Rods.of(result.arm).seen(directions)
    start = rods.base if result.arm.base == "fixed" else drawn[0, 0, 0]
    ends = triad(start, max(wide, high), directions) if is_spatial_shape(shapes) else np.empty((0, 2))
    limits = np.concatenate([drawn.reshape(-1, 2), start[None], ends])
    columns = min(len(chosen), next(count for most, count in COLUMNS if wide <= most * high))
    rows = -(-len(chosen) // columns)
    height = float(np.clip(0.8 * WIDTH / columns * high / max(wide, 1e-9), *HEIGHTS))
    figure = new_figure(result, title, height=0.55 + rows * (height + 0.3))
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for k, (axes, number, arm) in enumerate(zip(panels, chosen, drawn[1:], strict=False)):
        for line in draw_arm(axes, drawn[0], PLANE, QUIET, False, rods):
            line.set_gid("rest")
        draw_arm(axes, arm, PLANE, COLOURS[0], True, rods)
        axes.set_title(f"{number + 1}: {_frequency_text(result, number)}")
        fit(axes, limits)
        if len(ends):
            draw_triad(axes, start, ends)
        else:
            _label_outer(axes, left=k % columns == 0, lowest=k + columns >= len(chosen))
    for axes in panels[len(chosen) :]:
        axes.remove()
    return figure


def has_shapes(result: Result) -> bool:
    """Return whether there are any modes but rigid-body motions."""
    return result.kind == "modes" and len(_chosen(result)) > 0


def _turning(result: Result) -> str:
    """Rate at which the arm turns steadily, if it does."""
    joint = result.attributes.get("turning_joint")
    return f" at {result.joint_velocity[0, joint - 1]:.4g} rad/s" if joint else ""


def _joints(result: Result) -> str:
    """What the joints do; results of older versions do not say which are held."""
    joints, held = result.attributes["joints"], result.attributes.get("held_joints")
    if not held or joints == "locked":
        return f"joints {joints}"
    return f"joint{'s' * (',' in held)} {held} held, others {joints}"


def _chosen(result: Result) -> np.ndarray:
    """Numbers of the modes to draw, from 0."""
    return np.arange(result.attributes["rigid_modes"], len(result.natural_frequency))[:PANELS]


def _frequency_text(result: Result, number: int) -> str:
    real, imaginary = result.pole[number]
    if imaginary == 0:
        return f"{'grows' if real > 0 else 'decays'}, {abs(real):.3g}/s"
    text = f"{result.natural_frequency[number]:.4g} Hz"
    ratio = 100 * result.damping_ratio[number]
    return text if abs(ratio) < 5e-4 else f"{text}, {ratio:.2g} %"


def _label_outer(axes: Axes, left: bool, lowest: bool) -> None:
    """Label only the axes at the left and at the lower end of the panels."""
    label_axes(axes, PLANE, labelpad=4)
    axes.xaxis.set_major_locator(MaxNLocator(3))
    axes.tick_params(labelleft=left, labelbottom=lowest)
    if not left:
        axes.set_ylabel("")
    if not lowest:
        axes.set_xlabel("")

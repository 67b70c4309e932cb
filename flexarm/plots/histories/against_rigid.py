"""Joint coordinates and torques of the flexible arm against those of the rigid arm ([SY94] figures 3 and 5)."""

from __future__ import annotations

from matplotlib.figure import Figure

from flexarm.plots.drawing.decimation import envelope
from flexarm.plots.drawing.joint_scales import coordinate_scale
from flexarm.plots.drawing.style import COLOURS, INK, label_time, new_figure, styled
from flexarm.plots.histories.deflection import is_flexible
from flexarm.plots.histories.joints import moving_joints
from flexarm.results.result import Result

ROW_HEIGHT = 1.4  # inches


def has_rigid_twin(result: Result) -> bool:
    """Return whether the motion of the rigid arm was computed beside another one."""
    return "rigid_torque" in result and is_flexible(result)


@styled
def against_rigid(result: Result) -> Figure:
    """Draw a row per moving joint: its coordinate on the left, its torque on the right, against the rigid arm's."""
    moving = moving_joints(result)
    figure = new_figure(result, "flexible against rigid links", height=1.0 + ROW_HEIGHT * len(moving))
    grid = figure.subplots(len(moving), 2, squeeze=False)
    quantities = (("joint_angle", "rigid_joint_angle"), ("torque", "rigid_torque"))
    for column, (name, twin) in zip(grid.T, quantities, strict=True):
        time, values = envelope(result, name)
        rigid_time, rigid = envelope(result, twin)
        for axes, i in zip(column, moving, strict=True):
            kind = result.arm.joints[i].kind
            factor, label = 1.0, f"{kind.force} ({kind.force_unit})"
            if name == "joint_angle":
                factor, unit = coordinate_scale(kind, values[:, i])
                label = f"{kind.coordinate} ({unit})"
            axes.plot(
                rigid_time[:, i],
                factor * rigid[:, i],
                color=INK,
                linewidth=0.9,
                linestyle="--",
                label="rigid",
            )
            axes.plot(time[:, i], factor * values[:, i], color=COLOURS[0], label="flexible")
            axes.set_ylabel(label)
        label_time(column, result)
    for axes, i in zip(grid[:, 0], moving, strict=True):
        axes.set_title(f"joint {i + 1}")
    grid[0, 1].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.2)
    figure.align_ylabels()
    return figure

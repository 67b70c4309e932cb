"""Bent arms at some instants of a run, for pictures: their lines, the path of the tip, the magnification."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.formulations.motion_equations import MotionEquations, motion_equations
from flexarm.plots.drawing.decimation import envelope
from flexarm.results.result import Result

SHAPES = 30
POINTS_PER_LINK = 21
TRACE_POINTS = 3000
VISIBLE = 0.06
"""Deflection, as a part of the link's length, that is seen at a glance."""
RESTING = 0.03
"""Speed of the fastest point, as a part of its largest, below which an arm counts as resting."""
MAGNIFICATIONS = (1000, 500, 200, 100, 50, 20, 10, 5)


@dataclass(frozen=True)
class ArmShapes:
    """Bent arms.

    Attributes
    ----------
    time : ndarray, (k,) [s]
    lines : ndarray, (k, n_links, stations, 3) [m]
        Points of the links' deflected centre lines.
    trace : ndarray, (samples, 3) [m]
        Path of the tip as it is, whatever the magnification.
    magnification : int
        By how much the deflections of the lines were multiplied, so that they can be seen.
    """

    time: np.ndarray
    lines: np.ndarray
    trace: np.ndarray
    magnification: int


def shapes(result: Result, count: int = SHAPES) -> ArmShapes:
    """Return the bent arm at up to `count` instants: the first, the last, and some spread evenly over when it moves."""
    return shapes_at(result, moving_samples(result, count))


def shapes_at(result: Result, samples: np.ndarray) -> ArmShapes:
    """Return the bent arm at some samples (k,)."""
    equations, magnification = motion_equations(result.arm), visible_magnification(result)
    lines = bent(equations, result.theta(samples), magnification)
    _, trace = tip_trace(result, equations)
    return ArmShapes(result.rows("time", samples), lines, trace, magnification)


def bent(
    equations: MotionEquations, theta: np.ndarray, magnification: float, stations: int = POINTS_PER_LINK
) -> np.ndarray:
    """Return the deflected centre lines of the links in postures theta (k, n_theta): (k, n_links, stations, 3) [m].

    The modal amplitudes are multiplied by `magnification`.
    """
    modes = list(equations.coordinates.all_modes)
    theta = theta.copy()
    theta[:, modes] *= magnification
    return equations.shape(theta, stations)


def tip_trace(result: Result, equations: MotionEquations) -> tuple[np.ndarray, np.ndarray]:
    """Return times (k,) [s] and positions (k, 3) [m] of the tip as it is, at samples spread evenly over the run."""
    samples = evenly_spread(result, TRACE_POINTS)
    return result.rows("time", samples), tips(equations, result.theta(samples))


def tips(equations: MotionEquations, theta: np.ndarray) -> np.ndarray:
    """Return the positions of the tip (k, 3) [m] in postures theta (k, n_theta)."""
    return bent(equations, theta, 1.0, stations=2)[:, -1, -1]


def magnified(magnification: float) -> str:
    """What a title says of deflections that are drawn larger; nothing where they are not."""
    if magnification == 1:
        return ""
    return f"deflections drawn {magnification:g} times larger; true path of the tip"


def visible_magnification(result: Result) -> int:
    """Return by how much to multiply deflections so that they show; 1 if they do, there are none, or walls.

    An arm drawn with larger deflections would stand inside the walls that it touches.
    """
    if result.arm.contact is not None:
        return 1
    _, deflections = envelope(result, "link_deflection")
    lengths = np.array([link.length for link in result.arm.links])
    bends = lengths > 0
    largest = np.max(np.abs(deflections[:, bends]) / lengths[bends, None, None], initial=0.0)
    fitting = (factor for factor in MAGNIFICATIONS if 0 < factor * largest <= VISIBLE)
    return next(fitting, 1)


def evenly_spread(result: Result, count: int) -> np.ndarray:
    """Return up to `count` samples that are spread evenly over the run."""
    return np.unique(np.linspace(0, result.n_samples - 1, count).round().astype(int))


def moving_samples(result: Result, count: int) -> np.ndarray:
    """Return up to `count` samples: the first, the last, and some spread evenly over when the arm moves."""
    samples = evenly_spread(result, TRACE_POINTS)
    speed = np.linalg.norm(result.rows("point_velocity", samples), axis=-1).max(axis=-1)
    moving = samples[speed > RESTING * speed.max(initial=0.0)] if speed.size else samples
    if not moving.size:
        return np.unique(samples[[0, -1]])
    chosen = moving[np.linspace(0, moving.size - 1, count - 2).round().astype(int)]
    return np.unique([samples[0], *chosen, samples[-1]])

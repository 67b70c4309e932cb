"""Film of an arm in motion: the bent arm at the instant of every frame, and the paths that it follows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.formulations.motion_equations import motion_equations
from flexarm.plots.animation.base_box import base_boxes
from flexarm.plots.animation.contact_marks import ContactMarks
from flexarm.plots.animation.interpolation import frame_times, postures
from flexarm.plots.arm.arm_shapes import bent, magnified, tip_trace, tips
from flexarm.plots.drawing.load_colours import between_points
from flexarm.plots.drawing.views import Rods
from flexarm.plots.loads.shown_load import ShownLoad
from flexarm.results.result import Result


@dataclass(frozen=True)
class Film:
    """Film: the motion that the frames of an animation show.

    Attributes
    ----------
    result : Result
    speed : float
        Time that passes for each second of the film.
    magnification : float
        By how much the deflections are multiplied.
    times : (k,) [s]
    arms : (k, n_links, stations, 3) [m]
        Deflected centre lines, magnified.
    bases : (k, points, 3) [m]
        Edges of the base's body, if it has one, with gaps of NaN.
    tips : (k, 3) [m]
        Where the tip is, as it is.
    trace_times, trace : (m,) [s], (m, 3) [m]
        The path of the tip, as it is.
    load : ShownLoad or None
        What colours the links, if anything does.
    """

    result: Result
    speed: float
    magnification: float
    times: np.ndarray
    arms: np.ndarray
    bases: np.ndarray
    tips: np.ndarray
    trace_times: np.ndarray
    trace: np.ndarray
    load: ShownLoad | None = None

    @classmethod
    def of(
        cls,
        result: Result,
        speed: float,
        fps: float,
        magnification: float,
        part: tuple[float, float] | None = None,
        load: ShownLoad | None = None,
    ) -> Film:
        """Work out the frames of a film, of a part of the run from begin to end [s] if given."""
        equations = motion_equations(result.arm)
        times = frame_times(result, speed, fps, part)
        theta = postures(result, times)
        arms, boxes = bent(equations, theta, magnification), base_boxes(result, theta)
        trace_times, trace = tip_trace(result, equations)
        shown = (trace_times >= times[0]) & (trace_times <= times[-1])
        true = tips(equations, theta)
        trace_times, trace = (
            np.insert(trace_times[shown], 0, times[0]),
            np.insert(trace[shown], 0, true[0], axis=0),
        )
        return cls(result, speed, magnification, times, arms, boxes, true, trace_times, trace, load)

    @property
    def title(self) -> str:
        """Title: what is shown, its magnification and its slow motion."""
        paced = f"{self.speed:g} times as fast" * (self.speed != 1)
        return "\n".join(filter(None, ["the arm in motion", magnified(self.magnification), paced]))

    @cached_property
    def bearing(self) -> np.ndarray:
        """Values of the load between the points of the arms, (k, n_links, stations - 1)."""
        assert self.load is not None
        return between_points(self.load.at_times(self.times), self.load.stations, self.arms.shape[2])

    @cached_property
    def contacts(self) -> ContactMarks:
        """Points on walls."""
        return ContactMarks.of(self.result, self.times, self.arms)

    @property
    def desired(self) -> np.ndarray:
        """Path that the tip should follow (samples, 3) [m]; empty if there is none."""
        return self.result["tip_desired"] if "tip_desired" in self.result else np.empty((0, 3))

    def target(self, t: float) -> np.ndarray:
        """Return where the tip should be at a time [s], (1, 3) [m]."""
        columns = self.desired.T
        return np.array([[np.interp(t, self.result["time"], column) for column in columns]])

    @property
    def extent(self) -> np.ndarray:
        """Points (k, 3) [m] that have to be in the picture."""
        corners = self.bases[np.isfinite(self.bases).all(axis=-1)]
        return np.vstack([self.arms.reshape(-1, 3), self.base, corners, self.trace, self.desired])

    @property
    def base(self) -> np.ndarray:
        """Where a fixed base is drawn, (3,) [m]."""
        arm = self.result.arm
        return Rods.of(arm).base if arm.base == "fixed" else self.arms[0, 0, 0]

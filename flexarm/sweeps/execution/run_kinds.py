"""Kinds of runs at the points of a sweep: simulations, or inverse runs along a trajectory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.description.reading.loader import parse_trajectory
from flexarm.errors import FlexarmError, ModelError
from flexarm.simulation.forward.parametric_model import ParametricModel, StructureMismatch
from flexarm.simulation.state.tuned_shapers import tuned_shapers
from flexarm.sweeps.execution.inverse_points import inverse_recording, run_inverse_point
from flexarm.sweeps.execution.point_result import PointResult
from flexarm.sweeps.execution.points import run_points
from flexarm.sweeps.measures.inverse_measures import inverse_measures
from flexarm.sweeps.measures.run_reduction import Recording
from flexarm.sweeps.measures.scalar_measures import default_measures
from flexarm.sweeps.parameters.variation import Variation

Runner = Callable[[Sequence[Arm]], list[PointResult]]


class RunKind(ABC):
    """Kind of the runs of a sweep: what can be recorded of them, and who computes them; small, easily sent.

    Attributes
    ----------
    result_kind : str
        Kind of the results of single runs of it, one of :data:`~flexarm.results.schema.KINDS`.
    """

    result_kind: ClassVar[str]

    @property
    @abstractmethod
    def attributes(self) -> dict[str, Any]:
        """Attributes of the sweep's result: what the numbers depend on besides the arm."""

    @abstractmethod
    def duration(self, arm: Arm) -> float:
        """Duration of the run of an arm [s]: series reach from 0 to there."""

    @abstractmethod
    def default_measures(self, arm: Arm) -> tuple[str, ...]:
        """Names of the measures that are recorded by default: all that can differ from run to run."""

    @abstractmethod
    def recording(
        self, measures: Sequence[str], series: Sequence[str], horizon: float, arm: Arm
    ) -> Recording:
        """Look up measures and series by name; `horizon` [s] is the duration of the longest run.

        Raises
        ------
        KeyFault
            There is no such measure or quantity.
        """

    def check(self, arm: Arm) -> None:  # noqa: B027 - most arms can be run
        """Refuse an arm that cannot be run at any point, before anything runs.

        Raises
        ------
        ModelError
            What it has that no run of a sweep does.
        """

    def ready(self, arm: Arm) -> Arm:
        """Return an arm of the sweep as it is run.

        Raises
        ------
        FlexarmError
            It cannot be run.
        """
        return arm

    @abstractmethod
    def runner(
        self, variation: Variation, representatives: Sequence[Sequence[float]], recording: Recording
    ) -> Runner:
        """Prepare runs; return what computes some arms, whose failures stay with their own points.

        Parameters
        ----------
        variation : Variation
        representatives : sequence of sequence of float
            Values of the keys at some points, between which everything changes that changes in the sweep.
        recording : Recording
        """


@dataclass(frozen=True)
class ForwardRuns(RunKind):
    """Simulations; arms that differ in numbers only share their equations and move side by side."""

    result_kind = "forward"

    @property
    def attributes(self) -> dict[str, Any]:
        """None: the arm says everything."""
        return {}

    def duration(self, arm: Arm) -> float:
        """Return that of the run block [s]."""
        return arm.run.duration

    def default_measures(self, arm: Arm) -> tuple[str, ...]:
        """All but those of impacts and of space where there is neither."""
        return default_measures(arm)

    def recording(
        self, measures: Sequence[str], series: Sequence[str], horizon: float, arm: Arm
    ) -> Recording:
        """Series are on the samples of the run block."""
        return Recording.of(measures, series, horizon, arm)

    def check(self, arm: Arm) -> None:
        """Refuse Python functions, which a description names but does not hold."""
        for name, one in arm.controllers:
            if one.function is not None:
                raise ModelError(
                    f"{arm.name}: controllers.{name} is a Python function, which no run of a sweep can call",
                    hint="describe it by blocks, or run point by point in Python: "
                    "flexarm.simulate(arm.replace(KEY, VALUE), functions=..)",
                )

    def ready(self, arm: Arm) -> Arm:
        """Return the arm with the modes of its own in its input shapers."""
        return tuned_shapers(arm)

    def runner(
        self, variation: Variation, representatives: Sequence[Sequence[float]], recording: Recording
    ) -> Runner:
        """Derive the model of all arms of the sweep, unless they differ in more than numbers."""
        arms: list[Arm] = []
        for values in representatives:
            with suppress(FlexarmError):  # such points fail when they are computed
                arms.append(recording.recorded_by(self.ready(variation.arm(values))))
        model: ParametricModel | None = None
        with suppress(StructureMismatch, FlexarmError):
            model = ParametricModel(arms, recording.datasets) if arms else None
        return lambda arms: run_points([recording.recorded_by(arm) for arm in arms], recording, model)


FORWARD = ForwardRuns()


@dataclass(frozen=True)
class InverseRuns(RunKind):
    """Inverse runs along one trajectory, each as :func:`flexarm.inverse` computes it.

    Attributes
    ----------
    text : str
        Description of the trajectory.
    source : str
        File that messages about it name.
    method : str
        Method of inverse dynamics.
    """

    result_kind = "inverse"
    text: str
    source: str
    method: str

    @property
    def trajectory(self) -> Trajectory:
        """The trajectory, read from its text."""
        return parse_trajectory(self.text, source=self.source)

    @property
    def attributes(self) -> dict[str, Any]:
        """The trajectory, and the method of inverse dynamics."""
        return {"trajectory": self.text, "method": self.method}

    def duration(self, arm: Arm) -> float:
        """Return that of the trajectory [s]."""
        return self.trajectory.length

    def default_measures(self, arm: Arm) -> tuple[str, ...]:
        """All of them, but for those of single joints."""
        return tuple(name for name in inverse_measures(arm) if "[" not in name)

    def recording(
        self, measures: Sequence[str], series: Sequence[str], horizon: float, arm: Arm
    ) -> Recording:
        """Series are on the samples of the trajectory, without pre- and post-actuation."""
        return inverse_recording(measures, series, self.trajectory, arm)

    def runner(
        self, variation: Variation, representatives: Sequence[Sequence[float]], recording: Recording
    ) -> Runner:
        """Equations are derived at every point."""
        trajectory, method = self.trajectory, self.method
        return lambda arms: [run_inverse_point(arm, trajectory, method, recording) for arm in arms]

"""What a fit is made of before anything is derived, easily sent to other processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.identification.measured.columns import Columns
from flexarm.identification.measured.measured_run import MeasuredRun
from flexarm.identification.measured.measurements import Measurement
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.small_motions.modal_target import ModalTarget, ModalValues
from flexarm.identification.small_motions.response_target import ResponseTarget
from flexarm.identification.small_motions.small_motion_target import SmallMotions, SmallMotionTarget
from flexarm.identification.unknowns import Unknown


@dataclass(frozen=True, eq=False)
class FitSetup:
    """Arm, unknowns and what was measured.

    Attributes
    ----------
    arm : Arm
    unknowns : tuple of Unknown
    columns : Columns
    measurements : tuple of Measurement
    where : SmallMotions
        Where small motions were measured.
    modal : ModalValues
    response : (frequencies (m,) [Hz], response (m,)) or None
    channel : (str, str)
        Of the response.
    """

    arm: Arm
    unknowns: tuple[Unknown, ...]
    columns: Columns
    measurements: tuple[Measurement, ...]
    where: SmallMotions
    modal: ModalValues
    response: tuple[np.ndarray, np.ndarray] | None
    channel: tuple[str, str]

    @property
    def n_measured(self) -> int:
        """Number of measured values."""
        response = 0 if self.response is None else 2 * self.response[0].size
        return sum(run.outputs.size for run in self.measurements) + len(self.modal.names) + response

    def problem(self) -> FitProblem:
        """Problem of least squares, derived and compiled.

        Raises
        ------
        ModelError
            The motion, or an unknown, has no derivatives.
        """
        delays = [one.name for one in self.unknowns if one.kind == "delay"]
        if delays and self.measurements and self.arm.is_event_driven:
            raise ModelError(
                f"fit: {delays[0]}: delays are not fitted where an arm has walls, limits or dry friction",
                hint="take these away where they are not met, or shift the column",
            )
        runs, numbers = [], [one for one in self.unknowns if one.kind == "number"]
        for number, measurement in enumerate(self.measurements):
            own = [*numbers, *(one for one in self.unknowns if one.run == number)]
            keys, values = [one.target for one in own], [one.start for one in own]
            runs.append(MeasuredRun(self.arm, measurement, self.columns, keys, values, bool(delays)))
        keys, targets = [one.target for one in numbers], list[SmallMotionTarget]()
        if self.modal.names:
            targets.append(ModalTarget(self.arm, keys, self.where, self.modal))
        if self.response is not None:
            targets.append(ResponseTarget(self.arm, keys, self.where, *self.response, self.channel))
        return FitProblem(self.unknowns, runs, self.columns.outputs, targets)

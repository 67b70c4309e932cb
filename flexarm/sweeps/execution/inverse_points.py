"""Inverse runs at the points of a sweep; a failure stays with its own point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.description.motion.trajectory import Trajectory
from flexarm.simulation.inverse.inverse_dynamics import inverse
from flexarm.simulation.inverse.problem import SAMPLES
from flexarm.sweeps.execution.point_result import PointResult, failed, failed_by
from flexarm.sweeps.measures.inverse_measures import VERIFIED, inverse_measure
from flexarm.sweeps.measures.recorded_quantities import quantity
from flexarm.sweeps.measures.run_reduction import Recording, RunReduction


def inverse_recording(
    measures: Sequence[str], series: Sequence[str], trajectory: Trajectory, arm: Arm
) -> Recording:
    """Look up what is recorded of inverse runs by name, each measure once; series on the samples of the trajectory.

    Raises
    ------
    KeyFault
        There is no such measure or quantity.
    """
    sample = trajectory.sample or trajectory.length / SAMPLES
    times = np.arange(np.floor(trajectory.length / sample * (1 + 1e-12)) + 1) * sample
    return Recording(
        [inverse_measure(name, arm) for name in dict.fromkeys(measures)],
        [quantity(name, arm, "inverse") for name in series],
        times if series else np.empty(0),
    )


def run_inverse_point(arm: Arm, trajectory: Trajectory, method: str, recording: Recording) -> PointResult:
    """Find the inverse motion of an arm, and record what is asked for.

    It is verified if the error of that is recorded, and then only: whether it costs little depends on the machine.
    """
    try:
        verify = any(measure.name == VERIFIED for measure in recording.measures)
        arm = recording.recorded_by(arm)
        result = inverse(arm, trajectory, method=method, verify=verify)
        if result.status == "incomplete":
            return failed(recording, result.message)
        reduction = RunReduction(recording, arm)
        if recording.times.size:  # each of them is among the result's samples, which may be finer
            nearest = np.searchsorted(result.time, recording.times - 1e-6 * recording.times[1])
            reduction.add(
                {"time": recording.times, **{name: result[name][nearest] for name in recording.datasets}}
            )
        return PointResult(*reduction.finish(result))
    except Exception as failure:  # whatever happens at one point, the others go on
        return failed_by(failure, recording)

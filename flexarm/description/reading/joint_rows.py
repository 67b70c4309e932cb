"""Motion of every joint in the result file of an inverse run, as rows of numbers with units."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flexarm.description.values.input_model import wrong
from flexarm.description.values.number_tables import Rows
from flexarm.errors import ResultError

MOST_SAMPLES = 100_000
"""Samples of a result that is followed: it becomes a part of the description."""


@dataclass(frozen=True)
class JointMotions:
    """Motions of the joints of an inverse run.

    Attributes
    ----------
    rows : tuple
        Of every joint, rows of time [s], joint angle [rad or m] and torque [N m or N].
    units : tuple of str
        Of every joint's coordinate: rad or m.
    """

    rows: tuple[Rows, ...]
    units: tuple[str, ...]


def joint_rows(path: Path) -> JointMotions:
    """Read the motion of every joint of an inverse run.

    Of an elastic joint they are the angle and the torque of its motor, which is what drives measure and turn.
    The first sample is at time 0: of a motion that begins before its trajectory, by pre-actuation, all is followed.
    Where a sample is there twice, before and after a jump, the one after it counts.

    Raises
    ------
    PydanticCustomError
        The file cannot be read, or is no complete result of an inverse run.
    """
    import flexarm  # the names of the whole package, above all of its layers

    try:
        result = flexarm.open_result(path)
        if result.kind != "inverse":
            hint = "it is the result of `flexarm inverse` that has joint angles and their torques"
            raise wrong(f"got a {result.kind} result, expected an inverse one", hint)
        if result.status != "complete":
            raise wrong("got an inverse run that stopped early", result.message)
        if not 2 <= result.n_samples <= MOST_SAMPLES:
            message = f"got {result.n_samples} samples, expected 2 to {MOST_SAMPLES}"
            raise wrong(message, "give the trajectory a longer sample")
        angle = "motor_angle" if "motor_angle" in result else "joint_angle"
        time, angles, torques = (result[name] for name in ("time", angle, "torque"))
    except ResultError as error:
        raise wrong(str(error), error.hint) from None
    kept = [*(time[1:] > time[:-1]).tolist(), True]
    times = (time - time[0])[kept].tolist()
    rows = tuple(
        tuple(zip(times, angles[kept, i].tolist(), torques[kept, i].tolist(), strict=True))
        for i in range(angles.shape[1])
    )
    return JointMotions(rows, tuple(joint.kind.unit for joint in result.arm.joints))

"""The motion of a joint in the result of an inverse run, as a reference to follow."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationInfo, WithJsonSchema

from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.input_model import InputModel, expected, key, wrong
from flexarm.description.values.number_tables import Rows, is_file_name, parse_rows
from flexarm.description.values.quantities import Flag

COLUMNS = ("time [s]", "joint angle [rad]", "torque [N m]")
"""Columns of the rows of one joint, or of the motor of an elastic one; if it slides position [m] and force [N]."""


def _read(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, tuple):
        return value
    if not isinstance(value, str):
        raise expected("the name of a result file of `flexarm inverse`")
    if not is_file_name(value):
        rows = parse_rows(value)
        if len(rows[0]) != len(COLUMNS):
            columns = ", ".join(COLUMNS)
            raise wrong(f"got {len(rows[0])} columns, expected {len(COLUMNS)}: {columns}")
        return rows
    read_result = (info.context or {}).get("read_result")
    if read_result is None:
        raise wrong(
            f"got the file {value!r}, but this text has no folder to look for files in",
            f"type the rows themselves, on several lines: {', '.join(COLUMNS)}",
        )
    return read_result(value)


JointRows = Annotated[
    Rows | tuple[Rows, ...],
    BeforeValidator(_read),
    WithJsonSchema({"type": "string", "examples": ["inverse.h5"]}),
]
"""Rows of :data:`COLUMNS` of one joint; as read from a file, those of every joint, of which the arm picks one."""


class FollowedResult(InputModel):
    """Motion of this joint in the result of an inverse run, from its first sample on; after the end its last holds."""

    result: JointRows = key("result file of `flexarm inverse`, of an arm with as many joints")
    feedforward: Flag = key("whether the torque of that run is added to that of the drive", default=True)

    def __str__(self) -> str:
        """Say how long it is, and whether its torque counts."""
        forward = ", its torque fed forward" if self.feedforward else ""
        return f"from an inverse run of {self.duration:g} s{forward}"

    @property
    def n_joints(self) -> int | None:
        """Number of the file's joints; None once those of one joint are picked."""
        return len(self.result) if isinstance(self.result[0][0], tuple) else None

    def of_joint(self, i: int) -> FollowedResult:
        """Return the motion of joint i, from 0, of the file's."""
        return self if self.n_joints is None else self.model_copy(update={"result": self.result[i]})

    @property
    def motion(self) -> TimeTable:
        """Angle [rad] of the joint, or of the motor of an elastic one, over the time of the run."""
        return self._table(1)

    @property
    def torque(self) -> TimeTable:
        """Torque [N m], or force [N], over the time of the run."""
        return self._table(2)

    @property
    def duration(self) -> float:
        """Time of the last sample [s]."""
        return self.result[-1][0]  # pyright: ignore[reportReturnType]

    def _table(self, column: int) -> TimeTable:
        columns = tuple(zip(*self.result, strict=True))
        return TimeTable.model_construct(times=columns[0], values=columns[column], interpolation="cubic")

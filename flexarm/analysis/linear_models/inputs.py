"""Inputs of linear models: joint torques, references of PD drives, voltages of DC motors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from flexarm.analysis.joint_roles import JointRoles, numbered
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.model.coordinates import arm_coordinates

INPUTS = ("torque", "reference", "voltage")


class Inputs(NamedTuple):
    """Inputs of a linear model.

    Attributes
    ----------
    names, units : tuple of str
    gains : (inputs, 2), optional
        Torque on the joint by each input and by its rate: kp and kd of a reference; of a voltage the torque of a volt
        at standstill, and 0. None where the inputs are the torques.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    gains: np.ndarray | None = None


def inputs_of(arm: Arm, kind: str, roles: JointRoles) -> Inputs:
    """Inputs of one kind at the joints that move; of torques there may be none.

    Parameters
    ----------
    kind : {"torque", "reference", "voltage"}
    roles : JointRoles
        A joint that turns steadily is driven by a torque or a voltage, whatever its reference.

    Raises
    ------
    ModelError
        No joint has a reference, or none a voltage.
    """
    stay = (*roles.held, *roles.prescribed)
    moving = [i for i, row in enumerate(arm_coordinates(arm).driven) if row is not None and i + 1 not in stay]
    kinds = [joint.kind for joint in arm.joints]
    if kind == "torque":
        return Inputs(_names("tau", moving), tuple(kinds[i].force_unit for i in moving))
    fed = fed_by_voltage(arm, moving)
    if kind == "voltage":
        if not fed:
            raise ModelError(
                f"{arm.name}: no joint that moves is fed by a voltage, so the model has no voltage as input",
                hint="give drive: [{voltage: ..}], and the motor's resistance and torque_constant under joints",
            )
        gains = np.array([[arm.joints[i].motor.torque_per_volt, 0.0] for i in fed])
        return Inputs(_names("u", fed), ("V",) * len(fed), gains)
    regulated = {
        i: drive.pd for i in moving if i + 1 in roles.regulated and (drive := arm.drive[i]) and drive.pd
    }
    if not regulated:
        raise ModelError(
            f"{arm.name}: no joint has a PD drive, so the model has no reference as input",
            hint=f"{said_of_voltage(fed)}: `inputs` voltage takes it as the input" if fed else "",
        )
    gains = np.array([[pd.kp, pd.kd] for pd in regulated.values()])
    return Inputs(_names("r", regulated), tuple(kinds[i].unit for i in regulated), gains)


def fed_by_voltage(arm: Arm, joints: Iterable[int]) -> list[int]:
    """Those of some joints, from 0, whose motors are fed by a voltage."""
    return [i for i in joints if (drive := arm.drive[i]) is not None and drive.voltage is not None]


def said_of_voltage(joints: Sequence[int]) -> str:
    """Say of some joints, from 0, that they are fed by a voltage."""
    return f"{numbered([i + 1 for i in joints])} {'are' if len(joints) > 1 else 'is'} fed by a voltage"


def _names(symbol: str, joints: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"{symbol}_{i + 1}" for i in joints)

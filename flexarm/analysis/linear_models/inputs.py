"""Inputs of linear models: torques, references, voltages, forces on points, disturbances, and a base that moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.analysis.operating_points.joint_roles import JointRoles, numbered
from flexarm.analysis.operating_points.operating_point import OperatingPoint
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.control.disturbance import Disturbance
from flexarm.errors import ModelError
from flexarm.formulations.formulation import make_formulation
from flexarm.hints import did_you_mean
from flexarm.model.coordinates import arm_coordinates
from flexarm.results.dimensions import AXES
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.point_force import PointForce
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.sensors.named_outputs import named_station

OF_JOINTS = ("torque", "reference", "voltage")
"""Kinds of inputs that act at every joint that has them."""
EXAMPLE = "force@2:1:y"
_FORCE = re.compile(r"force@(\d+):([0-9.eE+-]+):(\w+)")


class Inputs(NamedTuple):
    """Inputs of a linear model.

    Attributes
    ----------
    names, units : tuple of str
    forces : (n_dof, inputs)
        Generalised force of a unit of each torque or force.
    gains : (inputs, 2)
        Torque on the joint by a unit of each input and of its rate: kp and kd of a reference; of a voltage the torque
        of a volt at standstill, and 0. Of all others 1 and 0.
    joints : tuple of int or None
        Joint, from 0, whose drive each acts through; None of others.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    forces: np.ndarray
    gains: np.ndarray
    joints: tuple[int | None, ...]


def needs_drives(kinds: Iterable[str]) -> bool:
    """True if some of the kinds of inputs act through drives, which are then part of the model."""
    return not {"reference", "voltage"}.isdisjoint(kinds)


def inputs_of(point: OperatingPoint, kinds: Sequence[str], roles: JointRoles) -> Inputs:
    """Inputs of some kinds, those of joints at the joints that move; of torques there may be none.

    Parameters
    ----------
    kinds : sequence of str
        ``torque``, ``reference``, ``voltage``, or ``force@LINK:AT:AXIS``: a force along a fixed axis on the point at a
        fraction of the length of a link, counted from 1; ``base:AXIS``: an acceleration [m/s^2] of the base along a
        fixed axis; or the name of a disturbance of the arm.
    roles : JointRoles
        A joint that turns steadily is driven by a torque or a voltage, whatever its reference.

    Raises
    ------
    ModelError
        Unknown inputs, no joint with a reference, or none with a voltage.
    """
    arm, found, disturbances = point.arm, [], dict(point.arm.disturbances)
    stay = (*roles.held, *roles.prescribed)
    moving = [i for i, row in enumerate(arm_coordinates(arm).driven) if row is not None and i + 1 not in stay]
    for kind in dict.fromkeys(kinds):
        if kind in disturbances:
            found.append(_disturbance(point, kind, disturbances[kind]))
        elif kind in OF_JOINTS:
            found += _of_joints(arm, kind, moving, roles)
        elif kind.startswith("base:"):
            if point.rotation is not None:
                raise ModelError(
                    f"{arm.name}: inputs: a base that moves is none of a model about a steady rotation"
                )
            found.append((f"base_{kind[5:]}", "m/s^2", _moving_base(point, kind[5:]), (1.0, 0.0)))
        else:
            link, at, axis = _place(arm, kind)
            acting = _point_force(point, link, at, axis)
            found.append((f"force_{axis}@{link + 1}:{at:g}", "N", acting, (1.0, 0.0)))
    layout = point.chain.coordinates
    forces = np.zeros((layout.n_dof, len(found)))
    for k, (_, _, acting, _) in enumerate(found):
        if isinstance(acting, int):
            forces[layout.driven[acting], k] = 1.0
        else:
            forces[:, k] = acting
    names, units, acting, gains = zip(*found, strict=True) if found else ((), (), (), ())
    joints = tuple(each if isinstance(each, int) else None for each in acting)
    if twice := [name for name in names if names.count(name) > 1]:
        raise ModelError(f"{arm.name}: inputs: two have the name {twice[0]}", hint="rename the disturbance")
    return Inputs(names, units, forces, np.array(gains).reshape(-1, 2), joints)


def _of_joints(
    arm: Arm, kind: str, moving: list[int], roles: JointRoles
) -> list[tuple[str, str, int, tuple[float, float]]]:
    """Name, unit, joint from 0 and gains of each input of a kind."""
    kinds = [joint.kind for joint in arm.joints]
    if kind == "torque":
        return [(f"tau_{i + 1}", kinds[i].force_unit, i, (1.0, 0.0)) for i in moving]
    fed = fed_by_voltage(arm, moving)
    if kind == "voltage":
        if not fed:
            raise ModelError(
                f"{arm.name}: no joint that moves is fed by a voltage, so the model has no voltage as input",
                hint="give drive: [{voltage: ..}], and the motor's resistance and torque_constant under joints",
            )
        return [(f"u_{i + 1}", "V", i, (arm.joints[i].motor.torque_per_volt, 0.0)) for i in fed]
    regulated = {
        i: drive.pd for i in moving if i + 1 in roles.regulated and (drive := arm.drive[i]) and drive.pd
    }
    if not regulated:
        raise ModelError(
            f"{arm.name}: no joint has a PD drive, so the model has no reference as input",
            hint=f"{said_of_voltage(fed)}: `inputs` voltage takes it as the input" if fed else "",
        )
    return [(f"r_{i + 1}", kinds[i].unit, i, (pd.kp, pd.kd)) for i, pd in regulated.items()]


def _point_force(point: OperatingPoint, link: int, at: float | None, axis: str) -> np.ndarray:
    """Generalised force (n_dof,) of a unit force on a point of a link: a column of its transposed Jacobian."""
    arm, chain, layout = point.arm, point.chain, point.chain.coordinates
    signals, f = Signals(ca.SX.sym("t")), ca.SX.sym("f")
    theta = ca.SX.sym("theta", layout.n_theta)
    unit = ca.SX(3, 1)
    unit[AXES.index(axis)] = f
    alone = with_drives(arm.model_copy(update={"loads": ()}))
    forces = applied_forces(
        alone, chain, signals, theta, ca.SX.zeros(layout.n_dof), [PointForce(link, at, unit)]
    )
    column = ca.Function("force", [theta, f], [ca.densify(ca.jacobian(forces.forces(chain), f))])
    return column(point.theta, 0.0).full().ravel()


def _disturbance(
    point: OperatingPoint, name: str, one: Disturbance
) -> tuple[str, str, np.ndarray, tuple[float, float]]:
    """Name, unit, generalised force (n_dof,) and gains of a disturbance."""
    arm, layout = point.arm, point.chain.coordinates
    if one.torque is None:
        _, link, xi = one.point(len(arm.links))
        return name, "N", _point_force(point, link, xi, AXES[one.axis]), (1.0, 0.0)
    acting, row = np.zeros(layout.n_dof), layout.joints[one.torque - 1]
    if row is not None:
        acting[row] = 1.0
    return name, arm.joints[one.torque - 1].kind.force_unit, acting, (1.0, 0.0)


def _moving_base(point: OperatingPoint, axis: str) -> np.ndarray:
    """Generalised force (n_dof,) of a unit acceleration of the base: that of a weight against it.

    The bias is linear in gravity, so the difference of two has nothing but its part.
    """
    arm, chain, layout = point.arm, point.chain, point.chain.coordinates
    if axis not in AXES:
        raise ModelError(
            f"{arm.name}: input 'base:{axis}': got the axis {axis!r}, expected {', '.join(AXES)}"
        )
    if arm.base != "fixed":
        raise ModelError(
            f"{arm.name}: input base:{axis}: the base floats, so nothing moves it",
            hint=f"take force@1:0:{axis}",
        )
    theta = ca.SX.sym("theta", layout.n_theta)
    still, along = ca.SX.zeros(layout.n_dof), np.eye(3)[AXES.index(axis)]
    bias = [
        make_formulation(arm.run.formulation, replace(chain, gravity=tuple(g.tolist()))).bias(theta, still)
        for g in (along, 0 * along)
    ]
    return ca.Function("base", [theta], [ca.densify(bias[0] - bias[1])])(point.theta).full().ravel()


def _place(arm: Arm, text: str) -> tuple[int, float, str]:
    """Index of the link, fraction of its length, and axis."""
    found = _FORCE.fullmatch(text)
    if found is None:
        names = (*OF_JOINTS, "force", *(name for name, _ in arm.disturbances))
        hint = did_you_mean(text, names, f"e.g. {EXAMPLE}")
        known = f"{', '.join(OF_JOINTS)}, force@LINK:AT:AXIS, base:AXIS or a disturbance, e.g. {EXAMPLE}"
        raise ModelError(f"{arm.name}: inputs: got {text!r}, expected {known}", hint=hint)
    station, axis = named_station(arm, f"input {text!r}", found[1], found[2]), found[3]
    if axis not in AXES:
        raise ModelError(f"{arm.name}: input {text!r}: got the axis {axis!r}, expected {', '.join(AXES)}")
    return station.link - 1, station.at, axis


def fed_by_voltage(arm: Arm, joints: Iterable[int]) -> list[int]:
    """Those of some joints, from 0, whose motors are fed by a voltage."""
    return [i for i in joints if (drive := arm.drive[i]) is not None and drive.voltage is not None]


def said_of_voltage(joints: Sequence[int]) -> str:
    """Say of some joints, from 0, that they are fed by a voltage."""
    return f"{numbered([i + 1 for i in joints])} {'are' if len(joints) > 1 else 'is'} fed by a voltage"

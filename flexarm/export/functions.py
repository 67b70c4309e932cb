"""Exported functions of an arm: names, arguments, units, and the CasADi functions themselves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

from flexarm.codegen.differentiation import jacobian
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.words import worded
from flexarm.formulations.derivation_cost import derivation
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_motion import chain_motion
from flexarm.formulations.kinematics.chain_state import ChainState
from flexarm.formulations.kinematics.stations import chain_points
from flexarm.memory import check_memory
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_moving_chain
from flexarm.model.coordinate_units import coordinate_units
from flexarm.model.coordinates import arm_coordinates
from flexarm.progress import stage

BYTES_PER_OPERATION = 700.0
"""Of looking for common subexpressions, measured on 15 links in space: 1e7 operations."""


@dataclass(frozen=True)
class ExportedFunction:
    """One exported function.

    Attributes
    ----------
    name : str
        Without the arm's name.
    arguments : tuple of str
        Of :data:`ARGUMENTS`, in order.
    result, meaning : str
        Name of the result; what it is, with its unit.
    """

    name: str
    arguments: tuple[str, ...]
    result: str
    meaning: str


ARGUMENTS = {
    "theta": "coordinates: joint angles [rad] or positions [m], modal amplitudes [m; torsion rad], position of a "
    "floating base [m]",
    "theta_d": "rates of the coordinates [rad/s, m/s]; of a free base velocity and angular velocity",
    "theta_dd": "second rates [rad/s^2, m/s^2]",
    "forces": "generalised forces: joint torques [N m] or forces [N], loads on amplitudes [N] and on the base [N, N m]",
}
"""Name of an argument -> its meaning and unit."""

_STATE_FORCES = ("theta", "theta_d", "forces")
_MOTION = ("theta", "theta_d", "theta_dd")
_POSTURE = ("theta",)
_VALUES = (
    ExportedFunction("forward_dynamics", _STATE_FORCES, "theta_dd", "second rates under the given forces"),
    ExportedFunction("inverse_dynamics", _MOTION, "forces", "generalised forces that give theta_dd"),
    ExportedFunction(
        "mass_matrix", _POSTURE, "M", "mass matrix, columns one after the other [kg m^2, kg m, kg]"
    ),
    ExportedFunction("tip_position", _POSTURE, "position", "tip along the fixed axes x, y, z [m]"),
)
FUNCTIONS = _VALUES + tuple(
    ExportedFunction(
        f"{function.name}_jacobian",
        function.arguments,
        "jacobian",
        f"derivatives of {function.result} with respect to ({', '.join(function.arguments)}), columns one after the "
        "other",
    )
    for function in _VALUES
)
"""All functions: values, then their Jacobians."""


def identifier(arm: Arm) -> str:
    """Name of the arm as an identifier of C, with single underscores; letters lose their accents."""
    plain = unicodedata.normalize("NFKD", arm.name).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")
    return name if name[:1].isalpha() else f"arm_{name}".strip("_")


def file_names(arm: Arm, language: str) -> list[str]:
    """Names of the files that an arm's functions go into, in the language "c" or "casadi"."""
    name = identifier(arm)
    if language == "c":
        return [f"{name}.h", f"{name}.c"]
    return [*(f"{name}_{function.name}.casadi" for function in FUNCTIONS), f"{name}.txt"]


def exported_functions(arm: Arm, formulation: str) -> dict[str, ca.Function]:
    """Build the CasADi functions of an arm, by name, with dense inputs and outputs."""
    chain = build_moving_chain(arm)
    layout = chain.coordinates
    symbols = {
        name: ca.SX.sym(name, layout.n_theta if name == "theta" else layout.n_dof) for name in ARGUMENTS
    }
    with derivation(chain, formulation):
        values = _values(chain, formulation, symbols)
    functions = {}
    for exported in FUNCTIONS:
        arguments = [symbols[name] for name in exported.arguments]
        value = values[exported.name.removesuffix("_jacobian")]
        if exported.name.endswith("_jacobian"):
            value = jacobian(ca.vec(value), ca.vertcat(*arguments))
        check_memory(
            BYTES_PER_OPERATION * ca.n_nodes(value), exported.name, "take fewer links, segments or modes"
        )
        with stage(f"looking for what {exported.name} computes twice"):
            functions[exported.name] = ca.Function(
                f"{identifier(arm)}_{exported.name}",
                arguments,
                [ca.cse(ca.densify(value))],
                list(exported.arguments),
                [exported.result],
            )
    return functions


def _values(chain: Chain, formulation: str, symbols: dict[str, ca.SX]) -> dict[str, ca.SX]:
    equations = make_formulation(formulation, chain)
    theta, theta_d, theta_dd, forces = (symbols[name] for name in ("theta", "theta_d", "theta_dd", "forces"))
    state = ChainState.of(chain, theta, ca.SX.zeros(chain.coordinates.n_dof))
    return {
        "forward_dynamics": equations.accelerations(theta, theta_d, forces),
        "inverse_dynamics": equations.inverse_dynamics(theta, theta_d, theta_dd),
        "mass_matrix": equations.mass_matrix(theta),
        "tip_position": chain_points(chain, state, chain_motion(chain, state))[:, -1],
    }


def documentation(arm: Arm, functions: dict[str, ca.Function]) -> Sequence[str]:
    """Document arguments and results of the functions: order, sizes and units, one line each."""
    layout, units = arm_coordinates(arm), coordinate_units(arm)
    theta_units = units if layout.n_theta == layout.n_dof else (*units[: layout.base[3]], *"1111")
    lines = [
        f"Equations of motion of the arm {arm.name}, written by flexarm. Units are SI and radians.",
        "",
        "Order of the coordinates:",
        *_numbered("theta", layout.theta_labels, theta_units),
    ]
    if layout.theta_labels != layout.labels:
        rates = [f"{unit}/s" for unit in coordinate_units(arm)]
        lines += ["Order of rates and forces:", *_numbered("theta_d", layout.labels, rates)]
    moving = [joint for joint in arm.joints if joint.moves]
    coordinate = worded("angle", moving, "or")
    motors = "; motor_i: the same of its motor behind the gear" if any(j.is_elastic for j in moving) else ""
    lines += [f"q_i: {coordinate} of joint i{motors}; delta_i_j: amplitude of mode j of link i."]
    lines += ["", "Arguments:"]
    lines += [f"  {name}: {meaning}" for name, meaning in ARGUMENTS.items()]
    lines += [
        "",
        "M(theta) theta_dd + bias(theta, theta_d) = forces; gravity, stiffness, damping and friction are inside, but",
        "not the dry friction of joints that stick.",
        "Drives and loads of the description are not: they are the caller's `forces`.",
        "Matrices are dense, columns one after the other (column-major).",
        "",
        "Functions:",
    ]
    for exported in FUNCTIONS:
        rows, columns = functions[exported.name].size_out(0)
        signature = f"{identifier(arm)}_{exported.name}({', '.join(exported.arguments)})"
        lines.append(f"  {signature} -> {exported.result}, {rows} x {columns}: {exported.meaning}")
    return lines


def _numbered(vector: str, labels: Sequence[str], units: Sequence[str]) -> list[str]:
    return [
        f"  {vector}[{k}] = {label} [{unit}]"
        for k, (label, unit) in enumerate(zip(labels, units, strict=True))
    ]

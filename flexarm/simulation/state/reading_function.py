"""What sensors read at one moment, as expressions, and compiled."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from flexarm.codegen.native_function import LEAST_OPTIMISATION
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.simulation.sensors.named_outputs import outputs
from flexarm.simulation.sensors.sensed_motion import SensedMotion
from flexarm.simulation.state.symbols import SymbolicState


def reading_function(
    symbols: SymbolicState, asked: Sequence[str]
) -> tuple[tuple[str, ...], ParametricFunction]:
    """Compile (t, y, p) -> readings of an arm's sensors and of what words stand for, and name these.

    Parameters and errors are those of :func:`reading_expressions`.
    """
    names, f = reading_expressions(symbols, asked)
    tables, n = symbols.signals.tables.copy(), symbols.parameters.numel()
    return names, ParametricFunction(f, n, tables, optimisation=LEAST_OPTIMISATION)


def reading_expressions(symbols: SymbolicState, asked: Sequence[str]) -> tuple[tuple[str, ...], ca.Function]:
    """Derive (t, y, p, u) -> readings of an arm's sensors and of what words stand for, and name these.

    Parameters
    ----------
    symbols : SymbolicState
    asked : sequence of str
        Names of sensors: their readings, what is sampled as it is held. And words, see
        :func:`~flexarm.simulation.sensors.named_outputs.outputs`: true values.

    Raises
    ------
    ModelError
        Unknown outputs, or such as nothing moves.
    """
    described = dict(symbols.arm.sensors)
    applied = symbols.applied_forces()
    follows = any(described[name].follows_torques for name in asked if name in described)
    theta_dd = symbols.accelerations(applied) if follows else None
    readings = symbols.control(theta_dd, applied).readings()
    places = {name: k for k, name in enumerate(described)}
    known = symbols.theta, symbols.theta_d  # in which what is prescribed is none of the symbols
    theta, theta_d = (
        ca.SX.sym(name, each.numel()) for name, each in zip(("theta", "theta_d"), known, strict=True)
    )
    moving = SensedMotion(symbols.arm, symbols.chain, theta, theta_d)
    names, values = [], []
    for text in asked:
        if text in places:
            names.append(text)
            values.append(readings[places[text]])
            continue
        for one in outputs(moving, (text,)):
            names.append(one.name)
            values.append(ca.substitute(one.value, ca.vertcat(theta, theta_d), ca.vertcat(*known)))
    return tuple(names), symbols.function("readings", ca.vertcat(*values))

"""One arm, or a family of arms, in motion: its state equation and everything that is recorded of it, compiled."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.codegen.native import state_jacobian
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain
from flexarm.simulation.forces.applied_forces import PointForce
from flexarm.simulation.state.observables import (
    Recorded,
    of_the_base,
    of_the_formulation,
    packed,
    quantities,
    unpacked,
)
from flexarm.simulation.state.symbols import NOTHING, StateLayout, SymbolicState
from flexarm.solvers.dop853.layout import LANES


class ContactForces(NamedTuple):
    """Forces between points and walls, unknown (n_walls, n_points) [N], and the pushes that they are."""

    forces: ca.SX
    pushes: Sequence[PointForce]


@dataclass(frozen=True)
class StateEquation:
    """An arm with its drives and loads, derived and ready to compile.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    unknowns : StateLayout
    rhs : casadi.Function
        (t, y, p, u) -> y_d.
    observables : casadi.Function
        (t, y, p, u) -> one vector of all recorded quantities; with walls their forces follow y.
    recorded : dict
        Dataset name -> :class:`Recorded`.
    signals : list of PiecewisePolynomial
    n_parameters : int
        Length of p: numbers of the arm that were left open.
    """

    arm: Arm
    chain: Chain
    unknowns: StateLayout
    rhs: ca.Function
    observables: ca.Function
    recorded: dict[str, Recorded]
    signals: list[PiecewisePolynomial]
    n_parameters: int = 0

    @cached_property
    def native_rhs(self) -> ParametricFunction:
        """The state equation as machine code."""
        return self._native(self.rhs)

    @cached_property
    def native_jacobian(self) -> ParametricFunction:
        """Its exact Jacobian with respect to y as machine code."""
        return self._native(state_jacobian(self.rhs))

    @cached_property
    def native_observables(self) -> ParametricFunction:
        """The recorded quantities as machine code."""
        return self._native(self.observables)

    @cached_property
    def lane_rhs(self) -> ParametricFunction:
        """The state equation of several arms, side by side in the lanes of the processor's registers."""
        return self._native(self.rhs, LANES)

    @cached_property
    def lane_observables(self) -> ParametricFunction:
        """Their recorded quantities."""
        return self._native(self.observables, LANES)

    def observe(self, times: np.ndarray, states: np.ndarray, parameters: np.ndarray) -> dict[str, np.ndarray]:
        """Record all quantities at times (k,) and states (k, n_y): name -> array with k rows."""
        f, p = self.native_observables.at(parameters)
        return unpacked(f.map(times, states, p), self.recorded)

    def observe_lanes(
        self, times: np.ndarray, states: np.ndarray, parameters: np.ndarray
    ) -> list[dict[str, np.ndarray]]:
        """The same of arms side by side, at times (k, LANES) and states (k, n_y, LANES): one result for each."""
        f, p = self.lane_observables.at(parameters)
        values = f.map(times, states, p)
        return [unpacked(values[:, :, lane], self.recorded) for lane in range(LANES)]

    def _native(self, f: ca.Function, lanes: int = 1) -> ParametricFunction:
        return ParametricFunction(f, self.n_parameters, self.signals, lanes)


def derive_state_equation(
    derived: SymbolicState, touching: ContactForces | None = None, datasets: Collection[str] | None = None
) -> StateEquation:
    """Derive the state equation and the observables of an arm.

    Parameters
    ----------
    derived : SymbolicState
    touching : ContactForces, optional
        Forces of walls: unknowns of the observables besides y, without which the state equation is.
    datasets : collection of str, optional
        The observables; all of them unless given.
    """
    arm, chain = derived.arm, derived.chain
    acting = derived.actions()
    theta_dd = derived.accelerations(acting)
    rates = derived.y_rate(theta_dd)
    if touching is not None:
        acting = derived.actions(touching.pushes)
        theta_dd = derived.accelerations(acting)
    values = quantities(chain, acting, derived.known, derived.theta, derived.theta_d, theta_dd)
    values |= of_the_formulation(arm, chain, derived.theta, derived.theta_d, theta_dd)
    if arm.base != "fixed":
        values |= of_the_base(derived)
    if touching is not None:
        values["contact_force"] = touching.forces, touching.forces.shape[::-1]
    if datasets is not None:
        values = {name: value for name, value in values.items() if name in datasets}
    vector, recorded = packed(values)
    forces = NOTHING if touching is None else ca.vec(touching.forces)
    return StateEquation(
        arm,
        chain,
        derived.unknowns,
        rhs=derived.function("rhs", rates),
        observables=derived.function("observables", vector, forces),
        recorded=recorded,
        signals=derived.signals.tables,
        n_parameters=derived.parameters.numel(),
    )

"""State equation of an arm, or of arms that differ in numbers, and its observables, compiled."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.codegen.native import state_jacobian
from flexarm.codegen.native_function import LEAST_OPTIMISATION, OPTIMISATION
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.model.chain import Chain
from flexarm.simulation.forces.dry_friction import sliding_friction
from flexarm.simulation.forces.point_force import PointForce
from flexarm.simulation.state.layout import StateLayout
from flexarm.simulation.state.observables import Observables, Quantities, SymbolicMotion
from flexarm.simulation.state.symbols import NO_SYMBOLS, SymbolicState
from flexarm.solvers.dop853.layout import LANES


class ContactForces(NamedTuple):
    """Forces of walls, of joints' stops and of their dry friction: unknowns of the observables.

    Attributes
    ----------
    symbols : SX (k,)
        The unknowns [N, N m], and what else is known of contacts.
    point_forces : sequence of PointForce
        Those of walls, as point forces.
    quantities : dict
        The datasets that they are.
    """

    symbols: ca.SX
    point_forces: Sequence[PointForce]
    quantities: Quantities


@dataclass(frozen=True)
class StateEquation:
    """State equation of an arm with its drives and loads, ready to compile.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    layout : StateLayout
    rhs : casadi.Function
        (t, y, p, u) -> y_d.
    output : casadi.Function
        (t, y, p, u) -> vector of the observables; forces of contacts follow y.
    observables : Observables
    tables : list of PiecewisePolynomial
        Functions of time, whose values are u.
    n_parameters : int
        Length of p: numbers of the arm that were left open.
    """

    arm: Arm
    chain: Chain
    layout: StateLayout
    rhs: ca.Function
    output: ca.Function
    observables: Observables
    tables: list[PiecewisePolynomial]
    n_parameters: int = 0

    @property
    def n_observables(self) -> int:
        """Numbers that are recorded at one time."""
        return self.output.numel_out()

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
        """The observables of several samples, or arms, side by side in the lanes of the processor's registers."""
        return self._native(self.output, LANES, LEAST_OPTIMISATION)

    @cached_property
    def lane_rhs(self) -> ParametricFunction:
        """The state equation of several arms, side by side in the lanes of the processor's registers."""
        return self._native(self.rhs, LANES)

    def observe(self, times: np.ndarray, states: np.ndarray, parameters: np.ndarray) -> dict[str, np.ndarray]:
        """Datasets, name -> (k, ..), at times (k,) [s] and states (k, n_y), for parameters (n_parameters,)."""
        f, p = self.native_observables.at(parameters)
        return self.observables.datasets(f.map(times, states, p))

    def observe_lanes(
        self, times: np.ndarray, states: np.ndarray, parameters: np.ndarray
    ) -> list[dict[str, np.ndarray]]:
        """The same of LANES arms side by side: times (k, LANES), states (k, n_y, LANES), parameters (.., LANES)."""
        f, p = self.native_observables.at(parameters)
        values = f.map_lanes(times, states, p)
        return [self.observables.datasets(values[:, :, lane]) for lane in range(LANES)]

    def _native(self, f: ca.Function, lanes: int = 1, optimisation: int = OPTIMISATION) -> ParametricFunction:
        return ParametricFunction(f, self.n_parameters, self.tables, lanes, optimisation)


def derive_state_equation(
    symbols: SymbolicState, contact: ContactForces | None = None, datasets: Collection[str] | None = None
) -> StateEquation:
    """Derive the state equation and the observables of an arm.

    Parameters
    ----------
    symbols : SymbolicState
    contact : ContactForces, optional
        Unknowns of the observables besides y, without which the state equation is.
    datasets : collection of str, optional
        The observables; all of them unless given.
    """
    arm, applied = symbols.arm, symbols.applied_forces()
    theta_dd = symbols.accelerations(applied)
    rates = symbols.y_rate(theta_dd, applied)
    if contact is not None:
        applied = symbols.applied_forces(contact.point_forces)
        if "limit_torque" in contact.quantities:
            applied.add_joint_torques(symbols.chain, contact.quantities["limit_torque"][0])
    further = {} if contact is None else dict(contact.quantities)
    if arm.dry_joints or arm.dry_joints_in_motion:
        sticking, shape = further.get("friction_torque", (ca.SX.zeros(len(arm.joints)), (len(arm.joints),)))
        given = sliding_friction(arm, symbols.chain, symbols.theta_d, arm.dry_joints_in_motion)
        applied.dry_friction = sticking + given
        further["friction_torque"] = applied.dry_friction, shape
    if contact is not None:
        theta_dd = symbols.accelerations(applied)
    if symbols.friction_work is not None:
        further["energy_lost_friction"] = symbols.friction_work, ()
    if symbols.soft_wall_loss is not None:
        further["energy_lost_contact"] = symbols.soft_wall_loss, ()
    if symbols.arm.controllers:
        outputs = symbols.control(theta_dd, applied).outputs()
        further["controller_output"] = outputs, (outputs.numel(),)
    if symbols.arm.clocks:
        further["sensor_reading"] = symbols.control(theta_dd, applied).readings(), (len(symbols.arm.sensors),)
    observables = Observables.of(
        symbols.arm,
        symbols.chain,
        SymbolicMotion(symbols.theta, symbols.theta_d, theta_dd),
        applied,
        symbols.prescribed,
        further,
        datasets,
    )
    forces = NO_SYMBOLS if contact is None else contact.symbols
    return StateEquation(
        symbols.arm,
        symbols.chain,
        symbols.layout,
        rhs=symbols.function("rhs", rates),
        output=symbols.function("observables", observables.vector, forces),
        observables=observables,
        tables=symbols.signals.tables.copy(),
        n_parameters=symbols.parameters.numel(),
    )

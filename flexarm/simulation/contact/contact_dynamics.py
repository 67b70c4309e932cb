"""Contact dynamics of an arm: its contacts at any state, and its equations of motion with active contacts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from flexarm.codegen.parameter_hoisting import BoundFunction, ParametricFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.formulations.linear_algebra import ldl, ldl_solve, ldl_substitute
from flexarm.simulation.contact.contact_state import ContactState
from flexarm.simulation.contact.gap_functions import described_contact, gap_of, point_positions
from flexarm.simulation.state.symbols import SymbolicState
from flexarm.solvers.base import InitialValueProblem


@dataclass(frozen=True)
class ContactFunctions:
    """Functions of an arm's contacts, in which some of its numbers may be open.

    Attributes
    ----------
    n, n_free : int
        Number of contacts, and of coordinates that move freely.
    gaps : casadi.Function
        (t, y, p, u) -> gaps and their rates, (2 n,).
    state : casadi.Function
        (t, y, p, u) -> all that a :class:`ContactState` holds, in its order.
    constrained_rhs, constrained_events : casadi.Function
        (t, y, [active, p], u) -> rate of y; -> forces of the active contacts and gaps of the others, (n,), then the
        rates of the gaps, (n,), zero for active contacts.
    tables : list of PiecewisePolynomial
    n_parameters : int
    """

    n: int
    n_free: int
    gaps: ca.Function
    state: ca.Function
    constrained_rhs: ca.Function
    constrained_events: ca.Function
    tables: list[PiecewisePolynomial]
    n_parameters: int

    @cached_property
    def native_gaps(self) -> ParametricFunction:
        """:attr:`gaps` as machine code."""
        return self._native(self.gaps)

    @cached_property
    def native_state(self) -> ParametricFunction:
        """:attr:`state` as machine code."""
        return self._native(self.state)

    @cached_property
    def native_constrained_rhs(self) -> ParametricFunction:
        """:attr:`constrained_rhs` as machine code."""
        return self._native(self.constrained_rhs)

    @cached_property
    def native_constrained_events(self) -> ParametricFunction:
        """:attr:`constrained_events` as machine code."""
        return self._native(self.constrained_events)

    def _native(self, f: ca.Function) -> ParametricFunction:
        return ParametricFunction(f, self.n_parameters, self.tables)


class Contacts:
    """Contacts of one arm, evaluated at its states.

    Attributes
    ----------
    n, n_free : int
        Number of contacts, and of coordinates that move freely.
    """

    def __init__(self, functions: ContactFunctions, parameters: np.ndarray):
        self._functions, self._parameters = functions, parameters
        self.n, self.n_free = functions.n, functions.n_free

    def state(self, t: float, y: np.ndarray) -> ContactState:
        """State of all contacts at the time t [s] and the state y (n_y,)."""
        f, p = self._state
        m, n = self.n, self.n_free
        gap, speed, acceleration, J, M = np.split(f(t, y, p), np.cumsum([m, m, m, m * n]))
        return ContactState(gap, speed, acceleration, J.reshape(m, n, order="F"), M.reshape(n, n))

    def gaps(self, times: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Gaps [m] and their rates [m/s] at times (k,) and states (k, n_y): (k, 2 n)."""
        f, p = self._gaps
        return f.map(times, states, p)

    def constrained_events(self, times: np.ndarray, states: np.ndarray, active: np.ndarray) -> np.ndarray:
        """Forces [N] of the active contacts (k,) int and gaps [m] of the others, then the rates of these, (k, 2 n)."""
        f, p = self._constrained_events
        return f.map(times, states, np.concatenate([self._mask(active), p]))

    def constrained(self, problem: InitialValueProblem, active: np.ndarray) -> InitialValueProblem:
        """The same problem with the active contacts (k,) int as constraints."""
        f, p = self._constrained_rhs
        return replace(problem, rhs=f, p=np.concatenate([self._mask(active), p]))

    def _mask(self, active: np.ndarray) -> np.ndarray:
        mask = np.zeros(self.n)
        mask[active] = 1.0
        return mask

    @cached_property
    def _gaps(self) -> BoundFunction:
        return self._functions.native_gaps.at(self._parameters)

    @cached_property
    def _state(self) -> BoundFunction:
        return self._functions.native_state.at(self._parameters)

    @cached_property
    def _constrained_rhs(self) -> BoundFunction:
        return self._functions.native_constrained_rhs.at(self._parameters)

    @cached_property
    def _constrained_events(self) -> BoundFunction:
        return self._functions.native_constrained_events.at(self._parameters)


def derive_contacts(symbols: SymbolicState) -> ContactFunctions:
    """Derive the contact kinematics of an arm and its equations of motion with active contacts.

    Notes
    -----
    With the active contacts' second rates zero, ``J theta_dd + J_d theta_d = 0``, their forces are
    ``lambda = -(J M^-1 J^T)^-1 free_gap_acceleration`` and the accelerations those of the free
    motion plus ``M^-1 J^T lambda``. Which contacts are active is a parameter, so that one function serves all sets.
    """
    arm, chain, rows = symbols.arm, symbols.chain, symbols.layout.rows
    gap, speed, J, gap_acceleration = _gap_rates(symbols)
    M = make_formulation(arm.run.formulation).mass_matrix(chain, symbols.theta)[rows, rows]
    theta_dd = symbols.accelerations(symbols.applied_forces())
    acceleration = gap_acceleration(theta_dd)
    J = J[:, rows]

    m = gap.numel()
    active = ca.SX.sym("active", m)
    response = ldl_substitute(ldl(M), J.T)
    S = ca.diag(active)
    forces = -ldl_solve(S @ (J @ response) @ S + ca.diag(1 - active), active * acceleration)
    constrained_dd = ca.SX(theta_dd)
    constrained_dd[rows] += response @ forces

    events = ca.vertcat(active * forces + (1 - active) * gap, (1 - active) * speed)
    state = ca.vertcat(gap, speed, acceleration, ca.vec(ca.densify(J)), ca.vec(ca.densify(M)))
    return ContactFunctions(
        n=m,
        n_free=len(rows),
        gaps=symbols.function("gaps", ca.vertcat(gap, speed)),
        state=symbols.function("contact_state", state),
        constrained_rhs=symbols.function("constrained_rhs", symbols.y_rate(constrained_dd), p=active),
        constrained_events=symbols.function("constrained_events", events, p=active),
        tables=symbols.signals.tables,
        n_parameters=symbols.parameters.numel(),
    )


def _gap_rates(
    symbols: SymbolicState,
) -> tuple[ca.SX, ca.SX, ca.SX, Callable[[ca.SX], ca.SX]]:
    """Gaps, their rates, the Jacobian J of these by theta_d, and a function from theta_dd to their second rates."""
    contact, chain = described_contact(symbols.arm), symbols.chain
    theta = ca.SX.sym("theta", symbols.theta.numel())
    theta_d = ca.SX.sym("theta_d", symbols.theta_d.numel())
    points = point_positions(chain, contact.places(len(chain.links)), theta)
    gap = ca.vertcat(*(gap_of(wall, at) for at in points for wall in contact.walls))
    rate = theta_rate(chain, theta, theta_d)
    speed = ca.jtimes(gap, theta, rate)
    J = ca.jacobian(speed, theta_d)
    drift = ca.jtimes(speed, theta, rate)
    gap, speed, J, drift = ca.substitute(
        [gap, speed, J, drift], [theta, theta_d], [symbols.theta, symbols.theta_d]
    )
    return gap, speed, J, lambda theta_dd: J @ theta_dd + drift

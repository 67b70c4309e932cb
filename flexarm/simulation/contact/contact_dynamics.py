"""Contacts at one state of the arm: gaps, how fast they close, and what forces of the walls do about it.

Contact c = point p against wall w has the number ``c = p n_walls + w``.
"""

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
from flexarm.simulation.contact.gap_functions import described_contact, gap_of, point_positions
from flexarm.simulation.state.symbols import SymbolicState
from flexarm.solvers.base import Problem


@dataclass(frozen=True)
class ContactState:
    """All contacts at one state, and what impulses do there; m contacts, n coordinates that move freely.

    Attributes
    ----------
    gap : (m,) [m]
    speed : (m,) [m/s]
        Rate of the gap.
    pull : (m,) [m/s^2]
        Second rate of the gap while no wall pushes.
    J : (m, n)
        Rate of the gaps per rate of the coordinates: the normal rows of [FL17] eq. 58.
    M : (n, n)
        Mass matrix.
    """

    gap: np.ndarray
    speed: np.ndarray
    pull: np.ndarray
    J: np.ndarray
    M: np.ndarray

    @cached_property
    def response(self) -> np.ndarray:
        """M^-1 J^T, (n, m): change of the coordinates' rates per unit impulse at each contact."""
        return np.linalg.solve(self.M, self.J.T)

    @cached_property
    def delassus(self) -> np.ndarray:
        """J M^-1 J^T, (m, m) [1/kg]: speed at one contact per unit impulse at another."""
        A = self.J @ self.response
        return (A + A.T) / 2


@dataclass(frozen=True)
class ContactFunctions:
    """Functions of an arm's contacts, whose numbers may be open.

    Attributes
    ----------
    n, n_free : int
        Number of contacts, and of coordinates that move freely.
    gaps : casadi.Function
        (t, y, p, u) -> gaps and their rates, (2 n,).
    touch : casadi.Function
        (t, y, p, u) -> all that a :class:`ContactState` holds, in its order.
    held_rhs, held_watch : casadi.Function
        (t, y, [held, p], u) -> rate of y; -> forces of the held contacts and gaps of the others, (n,), then the rates
        of the gaps, (n,), zero for held contacts.
    signals : list of PiecewisePolynomial
    n_parameters : int
    """

    n: int
    n_free: int
    gaps: ca.Function
    touch: ca.Function
    held_rhs: ca.Function
    held_watch: ca.Function
    signals: list[PiecewisePolynomial]
    n_parameters: int

    @cached_property
    def native_gaps(self) -> ParametricFunction:
        """As machine code."""
        return self._native(self.gaps)

    @cached_property
    def native_touch(self) -> ParametricFunction:
        """As machine code."""
        return self._native(self.touch)

    @cached_property
    def native_held_rhs(self) -> ParametricFunction:
        """As machine code."""
        return self._native(self.held_rhs)

    @cached_property
    def native_held_watch(self) -> ParametricFunction:
        """As machine code."""
        return self._native(self.held_watch)

    def _native(self, f: ca.Function) -> ParametricFunction:
        return ParametricFunction(f, self.n_parameters, self.signals)


class Contacts:
    """The contacts of one arm.

    Attributes
    ----------
    n, n_free : int
        Number of contacts, and of coordinates that move freely.
    """

    def __init__(self, functions: ContactFunctions, parameters: np.ndarray):
        self._functions, self._parameters = functions, parameters
        self.n, self.n_free = functions.n, functions.n_free

    def touch(self, t: float, y: np.ndarray) -> ContactState:
        """Look at all contacts at one state."""
        f, p = self._touch
        m, n = self.n, self.n_free
        gap, speed, pull, J, M = np.split(f(t, y, p), np.cumsum([m, m, m, m * n]))
        return ContactState(gap, speed, pull, J.reshape(m, n, order="F"), M.reshape(n, n))

    def gaps(self, times: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Gaps and their rates at many states, (k, 2 n)."""
        f, p = self._gaps
        return f.map(times, states, p)

    def held_gaps(self, times: np.ndarray, states: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Forces of the contacts held (indices) and gaps of the others, then the rates of these, (k, 2 n)."""
        f, p = self._held_watch
        return f.map(times, states, np.concatenate([self._mask(held), p]))

    def holding(self, problem: Problem, held: np.ndarray) -> Problem:
        """The same problem with these contacts held (indices)."""
        f, p = self._held_rhs
        return replace(problem, rhs=f, p=np.concatenate([self._mask(held), p]))

    def _mask(self, held: np.ndarray) -> np.ndarray:
        mask = np.zeros(self.n)
        mask[held] = 1.0
        return mask

    @cached_property
    def _gaps(self) -> BoundFunction:
        return self._functions.native_gaps.at(self._parameters)

    @cached_property
    def _touch(self) -> BoundFunction:
        return self._functions.native_touch.at(self._parameters)

    @cached_property
    def _held_rhs(self) -> BoundFunction:
        return self._functions.native_held_rhs.at(self._parameters)

    @cached_property
    def _held_watch(self) -> BoundFunction:
        return self._functions.native_held_watch.at(self._parameters)


def derive_contacts(derived: SymbolicState) -> ContactFunctions:
    """Derive what the simulation needs to know of an arm's contacts.

    Notes
    -----
    With the held contacts' second rates zero, ``J theta_dd + J_d theta_d = 0``, their forces are
    ``lambda = -(J M^-1 J^T)^-1 pull`` and the accelerations those of the free flight plus ``M^-1 J^T lambda``.
    Which contacts are held is a parameter, so that one function serves all sets.
    """
    arm, chain, rows = derived.arm, derived.chain, derived.unknowns.rows
    gap, speed, J, pull = _gap_rates(derived)
    M = make_formulation(arm.run.formulation).mass_matrix(chain, derived.theta)[rows, rows]
    theta_dd = derived.accelerations(derived.actions())
    pull = pull(theta_dd)
    J = J[:, rows]

    m = gap.numel()
    held = ca.SX.sym("held", m)
    response = ldl_substitute(ldl(M), J.T)
    S = ca.diag(held)
    forces = -ldl_solve(S @ (J @ response) @ S + ca.diag(1 - held), held * pull)
    held_dd = ca.SX(theta_dd)
    held_dd[rows] += response @ forces

    watched = ca.vertcat(held * forces + (1 - held) * gap, (1 - held) * speed)
    state = ca.vertcat(gap, speed, pull, ca.vec(ca.densify(J)), ca.vec(ca.densify(M)))
    return ContactFunctions(
        n=m,
        n_free=len(rows),
        gaps=derived.function("gaps", ca.vertcat(gap, speed)),
        touch=derived.function("touch", state),
        held_rhs=derived.function("held_rhs", derived.y_rate(held_dd), p=held),
        held_watch=derived.function("held_watch", watched, p=held),
        signals=derived.signals.tables,
        n_parameters=derived.parameters.numel(),
    )


def _gap_rates(
    derived: SymbolicState,
) -> tuple[ca.SX, ca.SX, ca.SX, Callable[[ca.SX], ca.SX]]:
    """Gaps, their rates, the Jacobian J of these by theta_d, and a function from theta_dd to their second rates."""
    contact, chain = described_contact(derived.arm), derived.chain
    theta = ca.SX.sym("theta", derived.theta.numel())
    theta_d = ca.SX.sym("theta_d", derived.theta_d.numel())
    points = point_positions(chain, contact.places(len(chain.links)), theta)
    gap = ca.vertcat(*(gap_of(wall, at) for at in points for wall in contact.walls))
    rate = theta_rate(chain, theta, theta_d)
    speed = ca.jtimes(gap, theta, rate)
    J = ca.jacobian(speed, theta_d)
    drift = ca.jtimes(speed, theta, rate)
    gap, speed, J, drift = ca.substitute(
        [gap, speed, J, drift], [theta, theta_d], [derived.theta, derived.theta_d]
    )
    return gap, speed, J, lambda theta_dd: J @ theta_dd + drift

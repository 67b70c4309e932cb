"""Contacts at one state of the arm: gaps, how fast they close, and what forces of the walls do about it.

Contact c = point p against wall w has the number ``c = p n_walls + w``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from flexarm.codegen.native import NativeFunction, compile_native
from flexarm.codegen.signals import TimeSignal
from flexarm.formulations.base import formulation as make_formulation
from flexarm.formulations.kinematics import theta_rate
from flexarm.formulations.linear import ldl, ldl_solve, ldl_substitute
from flexarm.simulation.system import Derivation
from flexarm.simulation.walls import described_contact, gap_of, point_positions


@dataclass(frozen=True)
class Touch:
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
    def mobility(self) -> np.ndarray:
        """J M^-1 J^T, (m, m) [1/kg]: speed at one contact per unit impulse at another."""
        A = self.J @ self.response
        return (A + A.T) / 2


@dataclass(frozen=True)
class Contacts:
    """Compiled functions of an arm's contacts.

    Attributes
    ----------
    n, n_free : int
        Number of contacts, and of coordinates that move freely.
    gaps : NativeFunction
        (t, y) -> gaps and their rates, (2 n,).
    state : NativeFunction
        (t, y) -> all that a :class:`Touch` holds, in its order.
    held_rhs, held_watch : casadi.Function
        (t, y, held, u) -> rate of y; -> forces of the held contacts and gaps of the others, (n,), then the rates
        of the gaps, (n,), zero for held contacts.
    signals : list of TimeSignal
    """

    n: int
    n_free: int
    gaps: NativeFunction
    state: NativeFunction
    held_rhs: ca.Function
    held_watch: ca.Function
    signals: list[TimeSignal]

    def touch(self, t: float, y: np.ndarray) -> Touch:
        """Look at all contacts at one state."""
        m, n = self.n, self.n_free
        gap, speed, pull, J, M = np.split(self.state(t, y), np.cumsum([m, m, m, m * n]))
        return Touch(gap, speed, pull, J.reshape(m, n, order="F"), M.reshape(n, n))

    @cached_property
    def native_held_rhs(self) -> NativeFunction:
        """The state equation with held contacts, as machine code."""
        return compile_native(self.held_rhs, self.signals)

    @cached_property
    def native_held_watch(self) -> NativeFunction:
        """Forces and gaps with held contacts, as machine code."""
        return compile_native(self.held_watch, self.signals)


def derive_contacts(derived: Derivation) -> Contacts:
    """Derive and compile what the simulation needs to know of an arm's contacts.

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
    signals = derived.signals.tables
    return Contacts(
        n=m,
        n_free=len(rows),
        gaps=compile_native(derived.function("gaps", ca.vertcat(gap, speed)), signals),
        state=compile_native(derived.function("touch", state), signals),
        held_rhs=derived.function("held_rhs", derived.y_rate(held_dd), p=held),
        held_watch=derived.function("held_watch", watched, p=held),
        signals=signals,
    )


def _gap_rates(
    derived: Derivation,
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
    at_state = ca.Function("gaps", [theta, theta_d], [gap, speed, J, drift])
    gap, speed, J, drift = at_state(derived.theta, derived.theta_d)
    return gap, speed, J, lambda theta_dd: J @ theta_dd + drift

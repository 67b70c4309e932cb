"""The symbols of an arm in motion, from which its functions of (t, y, p, u) are made.

y are the unknowns, p numbers left open, u the values of the description's tables at t.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.model.chain import Chain, build_chain
from flexarm.model.coordinates import Coordinates
from flexarm.simulation.forces.applied_forces import AppliedForces, PointForce, actions, prescribed_motion
from flexarm.simulation.forces.time_functions import Signals

NOTHING = ca.SX.zeros(0)


@dataclass(frozen=True)
class StateLayout:
    """What is integrated: the state is ``y = [theta[theta_rows], theta_d[rows]]``; the rest is prescribed.

    Attributes
    ----------
    theta_rows, rows : list of int
    """

    theta_rows: list[int]
    rows: list[int]

    @classmethod
    def besides(cls, layout: Coordinates, prescribed: Container[int]) -> StateLayout:
        """All coordinates but those of the rows of prescribed joints."""
        theta_rows = [row for row in range(layout.n_theta) if row not in prescribed]
        return cls(theta_rows, [row for row in range(layout.n_dof) if row not in prescribed])

    @property
    def size(self) -> int:
        """Length of y."""
        return len(self.theta_rows) + len(self.rows)

    def state(self, theta: np.ndarray, theta_d: np.ndarray) -> np.ndarray:
        """Pick y from theta (n_theta,) and theta_d (n_dof,)."""
        return np.concatenate([theta[self.theta_rows], theta_d[self.rows]])


@dataclass(frozen=True)
class SymbolicState:
    """The symbols of an arm in motion, from which its functions are made.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    signals : Signals
        Time, and the tables met so far.
    unknowns : StateLayout
    y : SX (n_y,)
    theta, theta_d : SX (n_theta,), (n_dof,)
        In terms of t and y.
    known : dict
        Accelerations of the prescribed joints, by row.
    parameters : SX
        Symbols in the place of numbers of the arm and the chain.
    """

    arm: Arm
    chain: Chain
    signals: Signals
    unknowns: StateLayout
    y: ca.SX
    theta: ca.SX
    theta_d: ca.SX
    known: dict[int, ca.SX]
    parameters: ca.SX

    @classmethod
    def of(cls, arm: Arm, chain: Chain | None = None, parameters: ca.SX = NOTHING) -> SymbolicState:
        """Lay out the state of an arm; `parameters` are symbols in the place of some of its and its chain's numbers."""
        chain, signals = chain or build_chain(arm), Signals(ca.SX.sym("t"))
        layout = chain.coordinates
        prescribed = prescribed_motion(arm, chain, signals)
        unknowns = StateLayout.besides(layout, prescribed)
        y = ca.SX.sym("y", unknowns.size)
        theta, theta_d = ca.SX.zeros(layout.n_theta), ca.SX.zeros(layout.n_dof)
        theta[unknowns.theta_rows], theta_d[unknowns.rows] = ca.vertsplit(
            y, [0, len(unknowns.theta_rows), unknowns.size]
        )
        for row, (q, q_d, _) in prescribed.items():
            theta[row], theta_d[row] = q, q_d
        known = {row: q_dd for row, (_, _, q_dd) in prescribed.items()}
        return cls(arm, chain, signals, unknowns, y, theta, theta_d, known, parameters)

    def actions(self, pushes: Sequence[PointForce] = ()) -> AppliedForces:
        """Everything that acts on the arm."""
        return actions(self.arm, self.chain, self.signals, self.theta, self.theta_d, pushes)

    def accelerations(self, acting: AppliedForces) -> ca.SX:
        """theta_dd (n_dof,) under these actions, by the formulation that the arm asks for."""
        return make_formulation(self.arm.run.formulation).accelerations(
            self.chain, self.theta, self.theta_d, acting.forces(self.chain), self.known
        )

    def y_rate(self, theta_dd: ca.SX) -> ca.SX:
        """Time derivative of y (n_y,)."""
        theta_rates = theta_rate(self.chain, self.theta, self.theta_d)
        return ca.vertcat(theta_rates[self.unknowns.theta_rows], theta_dd[self.unknowns.rows])

    def function(self, name: str, value: ca.SX, beyond: ca.SX = NOTHING, p: ca.SX = NOTHING) -> ca.Function:
        """(t, [y, beyond], [p, parameters], u) -> value; to be made once all signals have been met."""
        inputs = [
            self.signals.t,
            ca.vertcat(self.y, beyond),
            ca.vertcat(p, self.parameters),
            self.signals.u,
        ]
        return ca.Function(name, inputs, [ca.densify(value)])

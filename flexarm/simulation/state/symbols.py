"""The symbols of an arm in motion, from which its functions of (t, y, p, u) are made.

y is the state, p numbers left open, u the values of the description's tables at t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import casadi as ca

from flexarm.description.arm.arm import Arm
from flexarm.formulations.formulation import make_formulation
from flexarm.formulations.kinematics.chain_state import theta_rate
from flexarm.model.chain import Chain
from flexarm.model.chain_builder import build_chain
from flexarm.simulation.controllers.control_signals import (
    ControlSignals,
    n_controller_states,
)
from flexarm.simulation.controllers.control_update import ControlUpdate
from flexarm.simulation.forces.applied_forces import AppliedForces, applied_forces, prescribed_motion
from flexarm.simulation.forces.drive_torques import integral_joints
from flexarm.simulation.forces.point_force import PointForce
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.forces.walls.soft_walls import TouchFlags
from flexarm.simulation.sensors.sensed_motion import SensedMotion
from flexarm.simulation.state.layout import StateLayout

NO_SYMBOLS = ca.SX.zeros(0)


def n_losses(arm: Arm) -> int:
    """Number of integrals of energy that soft walls and friction take, the last ones of all integrals."""
    return arm.has_soft_walls + arm.has_integrated_friction


@dataclass(frozen=True)
class SymbolicState:
    """The symbols of an arm in motion, from which its functions are made.

    Attributes
    ----------
    arm : Arm
    chain : Chain
    signals : Signals
        Time, and the tables of the expressions made so far.
    layout : StateLayout
    y : SX (n_y,)
    theta, theta_d : SX (n_theta,), (n_dof,)
        In terms of t and y.
    integrals : SX (n_integrals,)
        Of the errors of drives with an integral part [rad s]; then the states of controllers, what soft walls have
        taken, and, where walls or joints rub, the work of that [J].
    prescribed : dict
        Accelerations of the prescribed joints, by row.
    parameters : SX
        Symbols in the place of numbers of the arm and the chain.
    inputs : mapping of int to SX
        Torques [N m] that drives of joints, from 0, take from outside besides their own; read before the parameters.
    flags : TouchFlags, optional
        Which points are in soft walls, read likewise; without them the state says so.
    """

    arm: Arm
    chain: Chain
    signals: Signals
    layout: StateLayout
    y: ca.SX
    theta: ca.SX
    theta_d: ca.SX
    integrals: ca.SX
    prescribed: dict[int, ca.SX]
    parameters: ca.SX
    inputs: Mapping[int, ca.SX] = field(default_factory=dict)
    flags: TouchFlags | None = None

    @classmethod
    def of(cls, arm: Arm, chain: Chain | None = None, parameters: ca.SX = NO_SYMBOLS) -> SymbolicState:
        """Symbolic state of an arm; `parameters` (k,), of any unit, stand for some of its and its chain's numbers."""
        chain, signals = chain or build_chain(arm), Signals(ca.SX.sym("t"))
        coordinates, motions = chain.coordinates, prescribed_motion(arm, chain, signals)
        n_integrals = len(integral_joints(arm)) + n_controller_states(arm) + n_losses(arm)
        layout = StateLayout.without(coordinates, motions, n_integrals)
        y = ca.SX.sym("y", layout.size)
        theta, theta_d = ca.SX.zeros(coordinates.n_theta), ca.SX.zeros(coordinates.n_dof)
        theta[layout.theta_rows], integrals, theta_d[layout.rows] = ca.vertsplit(
            y, [0, len(layout.theta_rows), layout.first_rate, layout.size]
        )
        for row, (q, q_d, _) in motions.items():
            theta[row], theta_d[row] = ca.densify(q), ca.densify(q_d)  # a zero is an entry too
        prescribed = {row: q_dd for row, (_, _, q_dd) in motions.items()}
        return cls(arm, chain, signals, layout, y, theta, theta_d, integrals, prescribed, parameters)

    def applied_forces(self, point_forces: Sequence[PointForce] = ()) -> AppliedForces:
        """Applied forces on the arm: drives, loads and further point forces."""
        control = self.control()
        commands = control.commands()
        for joint, torque in self.inputs.items():
            commands[joint] = commands.get(joint, ca.SX(0)) + torque
        applied = applied_forces(
            self.arm,
            self.chain,
            self.signals,
            self.theta,
            self.theta_d,
            [*point_forces, *control.disturbing_forces()],
            self.integrals,
            commands,
            self.flags,
        )
        if self.arm.disturbances:
            applied.add_joint_torques(self.chain, control.disturbing_torques())
        return applied

    def control(self, theta_dd: ca.SX | None = None, applied: AppliedForces | None = None) -> ControlSignals:
        """Signals of controllers; what follows accelerations and torques at once is known where these are given."""
        sensed = self._sensed(theta_dd, applied)
        states = self.integrals[self.control_states]
        return ControlSignals(self.arm, self.signals, states, sensed, _limits(applied))

    @property
    def control_states(self) -> slice:
        """States of controllers and sampled sensors among the integrals."""
        first = len(integral_joints(self.arm))
        return slice(first, first + n_controller_states(self.arm))

    def updated(self, fires: ca.SX, noise: ca.SX, starts: ca.SX, given: ca.SX = NO_SYMBOLS) -> ca.SX:
        """State y (n_y,) after an instant of the clocks that fire; see ControlUpdate."""
        states = self.update(fires, noise, starts, given).states()
        first, y = self.first_control_state, ca.SX(self.y)
        y[first : first + states.numel()] = states
        return y

    @property
    def first_control_state(self) -> int:
        """Where the states of controllers begin in y."""
        return len(self.layout.theta_rows) + self.control_states.start

    def update(self, fires: ca.SX, noise: ca.SX, starts: ca.SX, given: ca.SX = NO_SYMBOLS) -> ControlUpdate:
        """What happens at an instant of the clocks that fire; see ControlUpdate."""
        applied = self.applied_forces()
        read = [sensor for _, sensor in self.arm.sensors if sensor.follows_torques]
        theta_dd = self.accelerations(applied) if read else None
        sensed = self._sensed(theta_dd, applied)
        states = ca.SX(self.integrals[self.control_states])
        limits = _limits(applied)
        return ControlUpdate(self.arm, self.signals, states, sensed, fires, noise, starts, given, limits)

    def _sensed(self, theta_dd: ca.SX | None, applied: AppliedForces | None) -> SensedMotion:
        torques = None
        if applied is not None:
            torques = ca.vertcat(*(applied.torques[i] for i in self.chain.joint_bodies))
        return SensedMotion(self.arm, self.chain, self.theta, self.theta_d, theta_dd, torques)

    def accelerations(self, applied: AppliedForces) -> ca.SX:
        """theta_dd (n_dof,) [rad/s^2, m/s^2] under applied forces, by the formulation that the arm asks for."""
        return make_formulation(self.arm.run.formulation, self.chain).accelerations(
            self.theta, self.theta_d, applied.forces(self.chain), self.prescribed
        )

    @property
    def friction_work(self) -> ca.SX | None:
        """Work [J] that the friction of walls and of joints that stick has taken, if there are any."""
        return self.integrals[-1] if self.arm.has_integrated_friction else None

    @property
    def soft_wall_loss(self) -> ca.SX | None:
        """Energy [J] that the damping of soft walls has taken, if there are any."""
        return self.integrals[-n_losses(self.arm)] if self.arm.has_soft_walls else None

    def with_touch_flags(self) -> SymbolicState:
        """The same state of an arm with soft walls, for which it is given which points are in them."""
        contact = self.arm.contact
        assert contact is not None
        size = len(contact.soft), len(contact.places(len(self.chain.links)))
        return replace(self, flags=TouchFlags(ca.SX.sym("inside", *size), ca.SX.sym("pushes", *size)))

    def y_rate(self, theta_dd: ca.SX, applied: AppliedForces, friction_power: ca.SX | float = 0.0) -> ca.SX:
        """Time derivative of y (n_y,), in the units of y per s, under applied forces and a dry friction [W]."""
        theta_rates = theta_rate(self.chain, self.theta, self.theta_d)
        integral_rates = [drive.integral_rate for drive in applied.drives if drive.integral_rate is not None]
        integral_rates.append(self.control(theta_dd, applied).rates())
        if applied.soft is not None:
            integral_rates.append(applied.soft.damping_power)
            friction_power += applied.soft.friction_power
        if self.arm.has_integrated_friction:
            integral_rates.append(ca.SX(friction_power))
        return ca.vertcat(theta_rates[self.layout.theta_rows], *integral_rates, theta_dd[self.layout.rows])

    def function(
        self, name: str, value: ca.SX, extra: ca.SX = NO_SYMBOLS, p: ca.SX = NO_SYMBOLS
    ) -> ca.Function:
        """(t, [y, extra], [p, inputs, flags, parameters], u) -> value; to be made when all tables are known."""
        flags = () if self.flags is None else map(ca.vec, self.flags)
        inputs = [
            self.signals.t,
            ca.vertcat(self.y, extra),
            ca.vertcat(p, *self.inputs.values(), *flags, self.parameters),
            self.signals.u,
        ]
        return ca.Function(name, inputs, [ca.densify(value)])


def _limits(applied: AppliedForces | None) -> dict[int, ca.SX]:
    """By how much motors at their limits change the torques of drives of joints, from 0 [N m]."""
    drives = () if applied is None else applied.drives
    return {i: drive.parts["limit"] for i, drive in enumerate(drives) if "limit" in drive.parts}

"""What acts on the arm from outside: joint drives and external loads, as expressions of time and state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import casadi as ca

from flexarm.codegen.signals import TimeSignal
from flexarm.formulations.base import gather
from flexarm.formulations.kinematics import State, axis_motion, motion, poses
from flexarm.formulations.newton_euler import LinkForce, transmit
from flexarm.formulations.rotations import deflection_rotation
from flexarm.model.chain import Chain
from flexarm.spec.arm import Arm
from flexarm.spec.drive import PD, TimeTable
from flexarm.spec.expression import Expression
from flexarm.spec.load import Load

FUNCTIONS: dict[str, Callable] = {
    **{name: getattr(ca, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign")},
    "asin": ca.arcsin,
    "acos": ca.arccos,
    "atan": ca.arctan,
    "atan2": ca.arctan2,
    "abs": ca.fabs,
    "min": ca.fmin,
    "max": ca.fmax,
    "step": lambda x: ca.if_else(x >= 0, 1, 0),
}
"""The functions of :mod:`flexarm.spec.expression` over CasADi symbols."""


@dataclass
class Actions:
    """Torques and loads on the arm.

    Attributes
    ----------
    torques : list of SX
        Drive torque of every joint [N m]; zero where there is none.
    load_torques, load_modes : list of SX
        Generalised external loads: one moment per body's joint, locked ones included, and one vector (m_i,) per body.
    u : SX
        Values of the tables at t, in the order of ``signals``.
    signals : list of TimeSignal
    """

    torques: list[ca.SX]
    load_torques: list[ca.SX]
    load_modes: list[ca.SX]
    u: ca.SX
    signals: list[TimeSignal]

    def forces(self, chain: Chain) -> ca.SX:
        """Generalised forces in the order of theta, (n_dof,)."""
        spare = [ca.SX(0)] * (len(chain.bodies) - len(self.torques))  # the payload has no drive
        joints = [
            torque + load for torque, load in zip(self.torques + spare, self.load_torques, strict=True)
        ]
        return gather(chain, joints, self.load_modes)


def actions(arm: Arm, chain: Chain, t: ca.SX, theta: ca.SX, theta_d: ca.SX) -> Actions:
    """Express everything that acts on the arm at time t and state (theta, theta_d)."""
    state = State.of(chain, theta, theta_d)
    tables = _Tables()
    torques = [
        _drive_torque(drive, t, state.q[i], state.q_d[i], tables) for i, drive in enumerate(arm.drive)
    ]
    load_torques, load_modes = _generalised_loads(arm, chain, t, state)
    return Actions(torques, load_torques, load_modes, ca.vertcat(*tables.symbols), tables.signals)


@dataclass
class _Tables:
    """Time tables met so far, each a symbol whose value the machine code looks up."""

    symbols: list[ca.SX] = field(default_factory=list)
    signals: list[TimeSignal] = field(default_factory=list)

    def symbol(self, table: TimeTable) -> ca.SX:
        make = {"linear": TimeSignal.linear, "cubic": TimeSignal.cubic}[table.interpolation]
        self.signals.append(make(table.times, table.values))
        self.symbols.append(ca.SX.sym(f"u_{len(self.symbols)}"))
        return self.symbols[-1]


def _drive_torque(drive, t: ca.SX, q: ca.SX, q_d: ca.SX, tables: _Tables) -> ca.SX:
    if drive is None:
        return ca.SX(0)
    if drive.pd is not None:
        return _pd_torque(drive.pd, t, q, q_d)
    if isinstance(drive.torque, TimeTable):
        return tables.symbol(drive.torque)
    return _value(drive.torque, t)


def _pd_torque(pd: PD, t: ca.SX, q: ca.SX, q_d: ca.SX) -> ca.SX:
    """kp (r - q) + kd (r_d - q_d), with the reference's exact rate."""
    r = _value(pd.reference, t)
    return pd.kp * (r - q) + pd.kd * (ca.jacobian(r, t) - q_d)


def _value(quantity: float | Expression, t: ca.SX) -> ca.SX:
    return ca.SX(quantity.evaluate(t, FUNCTIONS)) if isinstance(quantity, Expression) else ca.SX(quantity)


def _generalised_loads(arm: Arm, chain: Chain, t: ca.SX, state: State) -> tuple[list[ca.SX], list[ca.SX]]:
    """Carry all external loads to the joints and modes that feel them."""
    motions = motion(chain, state)
    frames = poses(chain, motions)
    zero = ca.SX.zeros(3)
    forces = [LinkForce(zero, zero, ca.SX.zeros(body.link.n_modes)) for body in chain.bodies]
    for load in arm.loads:
        i = load.link
        forces[i] = _add(forces[i], _load_on_link(load, chain, i, t, state, frames[i].R))
    return transmit(motions, forces)


def _load_on_link(load: Load, chain: Chain, i: int, t: ca.SX, state: State, R: ca.SX) -> LinkForce:
    """Force and moment at a station of link i, about O_i in frame i, and what they do on its modes."""
    link, xi = chain.bodies[i].link, load.station
    f = ca.vertcat(*(_value(component, t) for component in load.force))
    m = ca.vertcat(*(_value(component, t) for component in load.moment))
    if load.frame == "base":
        f, m = R.T @ f, R.T @ m
    delta, delta_d = state.delta[i], state.delta_d[i]
    point = axis_motion(link, delta, delta_d, xi)
    turn = deflection_rotation(link.rotation(xi), delta, delta_d, chain.link_rotation).columns
    return LinkForce(f, ca.cross(point.d, f) + m, point.columns.T @ f + turn.T @ m)


def _add(a: LinkForce, b: LinkForce) -> LinkForce:
    return LinkForce(a.f + b.f, a.n + b.n, a.modes + b.modes)

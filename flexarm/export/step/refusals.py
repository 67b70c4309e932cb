"""What an exported step cannot do, and what it leaves to its caller, in words."""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca
import numpy as np

from flexarm.arguments import check_object
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.time_table import TimeTable
from flexarm.description.values.expression import Expression
from flexarm.errors import ModelError
from flexarm.simulation.forces.break_points import signal_break_points, signals
from flexarm.simulation.forward.motion_impulses import LEAST_JUMP
from flexarm.simulation.state.symbols import SymbolicState

ON_STEP = 1e-6
"""Part of a step by which an instant may be off its end."""


def check_steppable(arm: object) -> None:
    """Make sure that the motion of an arm is made of steps alone.

    Raises
    ------
    ModelError
        It is no arm, or events change what moves.
    """
    check_object("arm", arm, Arm)
    assert isinstance(arm, Arm)
    if arm.is_event_driven:
        met = "walls" if arm.contact is not None else "limits" if arm.limited_joints else "joints that stick"
        raise ModelError(
            f"{arm.name}: an exported step finds no events, so it moves no arm with {met}",
            hint="give joints that stick a friction.smoothing"
            if met == "joints that stick"
            else "simulate does",
        )


def check_kinks(arm: Arm, symbols: SymbolicState) -> None:
    """Refuse prescribed motions whose rate jumps: that strikes the arm.

    Raises
    ------
    ModelError
        With the instant.
    """
    if not symbols.prescribed:
        return
    tables = symbols.signals
    rates = ca.Function("rates", [tables.t, tables.u], [symbols.theta_d[sorted(symbols.prescribed)]])
    for drive in arm.drive:
        motion = None if drive is None else drive.motion
        if not isinstance(motion, Expression | TimeTable):
            continue
        points = signal_break_points(motion, arm.run.duration)
        for before, time, after in zip(points.before, points.times, points.after, strict=True):
            old, new = (rates(t, tables.values(t)).full() for t in (before, after))
            if (np.abs(new - old) > LEAST_JUMP * np.maximum(1.0, np.abs(old))).any():
                raise ModelError(
                    f"{arm.name}: the rate of a prescribed motion jumps at t = {time:g} s, in no exported step",
                    hint="let it change smoothly, as move does",
                )


def left_to_the_caller(arm: Arm, h: float) -> Iterator[str]:
    """Say what an exported step of length h [s] does not do."""
    noisy = [name for name, one in (*arm.sensors, *arm.disturbances) if one.noise]
    if noisy:
        yield f"the noise of {', '.join(noisy)} is left out: it is the caller's to add"
    times = [signal_break_points(one, arm.run.duration).times for one in signals(arm)]
    off = [t for t in np.unique(np.concatenate([[], *times])) if abs(t / h - round(t / h)) > ON_STEP]
    if off:
        more = f", .. ({len(off)} in all)" if len(off) > 3 else ""
        yield (
            f"signals break off at {', '.join(f'{t:g}' for t in off[:3])}{more} s, within steps of {h:g} s: "
            "these are of first order"
        )

"""Work done on an arm along a recorded motion: by its drives and loads, less what damping and friction take."""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ResultError
from flexarm.formulations.dynamics.force_balance import resistance
from flexarm.model.chain_builder import build_chain
from flexarm.results.result import Result
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.break_points import jump_times
from flexarm.simulation.forces.time_functions import Signals

BLOCK_ROWS = 20_000
FEWEST_SAMPLES = 3
"""Samples between two jumps that make a polynomial of their own."""
SAME_TIME = 1e-12
"""Distance of a sample from a jump at which it is there, as a fraction of the last time."""


def work(result: Result) -> np.ndarray:
    """Return the work done on the arm since the first sample, (k,) [J]: of drives and loads, less what is dissipated.

    The powers at the samples are integrated by Akima's cubic polynomials, from jump to jump of drives and loads; the
    friction of walls, dry friction of joints and damping of soft walls have been integrated by the run. Impacts and
    impulses are not counted.

    Raises
    ------
    ResultError
        Torques or rates whose product is no finite number.
    """
    done = _integrated_power(result)
    for lost in ("energy_lost_friction", "energy_lost_contact"):
        if lost in result:
            done = done - result[lost]
    return done


def _integrated_power(result: Result) -> np.ndarray:
    time = result["time"]
    power = np.concatenate([_power(result, rows) for rows in _blocks(result.n_samples)])
    if not np.isfinite(power).all():
        raise ResultError(
            "the work of drives and loads is not finite: torques or rates are out of proportion"
        )
    if time.size < 3:
        return np.concatenate([[0.0], np.cumsum(np.diff(time) * (power[1:] + power[:-1]) / 2)])
    distinct, first, place = np.unique(time, return_index=True, return_inverse=True)
    return _integral(distinct, power[first], jump_times(result.arm))[place]


def _integral(time: np.ndarray, power: np.ndarray, jumps: np.ndarray) -> np.ndarray:
    """Integral (k,) of powers (k,) over times (k,); a sample at a jump is what follows."""
    from scipy.interpolate import Akima1DInterpolator  # slow to import

    starts, begins = [0], [time[0]]
    for at in jumps:
        start = int(np.searchsorted(time, at - SAME_TIME * time[-1]))
        if min(start - starts[-1], time.size - start) >= FEWEST_SAMPLES:
            starts.append(start)
            begins.append(at)
    done, total = np.empty(time.size), 0.0
    for start, stop, begin, end in zip(
        starts, [*starts[1:], None], begins, [*begins[1:], time[-1]], strict=True
    ):
        piece = slice(start, stop)
        integral = Akima1DInterpolator(time[piece], power[piece], method="makima").antiderivative()
        before, after = integral([begin, end], extrapolate=True)
        done[piece] = total + integral(time[piece]) - before
        total += after - before
    return done


def driven_rates(result: Result, rows: slice = slice(None)) -> np.ndarray:
    """Rates of what the drives turn, the joints or the motors of elastic ones, (k, joints) [rad/s, m/s]."""
    return result.rows("motor_velocity" if "motor_velocity" in result else "joint_velocity", rows)


def _power(result: Result, rows: slice) -> np.ndarray:
    """Power of drives, loads, damping and friction at some samples, (k,) [W]."""
    driven = np.sum(result.rows("torque", rows) * driven_rates(result, rows), axis=1)
    power, tables = _other_power(result.arm)
    time = result.rows("time", rows)
    looked_up = np.array([table(time) for table in tables]).reshape(len(tables), time.size)
    others = power.map(time.size)(time[None], looked_up, result.theta(rows).T, result.theta_d(rows).T)
    return driven + others.full()[0] + _dry_friction(result, rows)


def _dry_friction(result: Result, rows: slice) -> np.ndarray | float:
    """Power (k,) [W] of the dry friction of joints, of those only for which the run has not integrated it."""
    if "friction_torque" not in result:
        return 0.0
    integrated = result.arm.dry_joints if "energy_lost_friction" in result else ()
    others = [i for i in range(len(result.arm.joints)) if i not in integrated]
    return np.sum((result.rows("friction_torque", rows) * driven_rates(result, rows))[:, others], axis=1)


def _other_power(arm: Arm) -> tuple[ca.Function, list]:
    """Power [W] of all but the drives as a function of (t, u, theta, theta_d), and the tables that u are values of."""
    arm = arm.model_copy(update={"contact": None})  # the energy of soft walls is a part of the arm's
    chain, signals = build_chain(arm), Signals(ca.SX.sym("t"))
    theta = ca.SX.sym("theta", chain.coordinates.n_theta)
    theta_d = ca.SX.sym("theta_d", chain.coordinates.n_dof)
    loads = applied_forces(with_drives(arm), chain, signals, theta, theta_d).forces(chain)
    lost = resistance(chain, theta, theta_d) - resistance(chain, theta, 0 * theta_d)
    power = ca.densify(ca.dot(loads - lost, theta_d))
    return ca.Function("power", [signals.t, signals.u, theta, theta_d], [power]), signals.tables


def _blocks(samples: int) -> Iterator[slice]:
    for start in range(0, samples, BLOCK_ROWS):
        yield slice(start, min(start + BLOCK_ROWS, samples))

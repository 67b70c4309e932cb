"""Frequency responses of the nonlinear arm: periodic inputs, simulated until the motion is periodic too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import casadi as ca
import numpy as np

from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.load import Load, Station
from flexarm.description.motion.drive import Drive
from flexarm.description.values.expression import Expression
from flexarm.errors import ModelError, SolverError
from flexarm.progress import Progress
from flexarm.simulation.forces.applied_forces import applied_forces
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.forward.free_motion import free_motion, with_jacobian
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.simulation.sensors.named_outputs import sensors_named
from flexarm.solvers.base import start

EXCITATIONS = ("multisine", "sweep")
MOST_LINES = 60
"""Lines of a multisine, whose expression must not become too long."""
MOST_PERIODS = 2000
"""Periods after which a motion that still changes is given up."""
DECAYED = 1e-9
"""Part of the transient that is left when the last two periods begin."""
OVERSAMPLING = 16
"""Samples of a period of the fastest line, so that harmonics do not fold onto the lines."""
TIGHTEST = {"rtol": 1e-10, "atol": 1e-13}
"""Tolerances of the runs, unless those of the arm are tighter."""


class LineGroup(NamedTuple):
    """Lines (l,) [Hz] that excite an arm together, and the period [s] that they share."""

    lines: np.ndarray
    period: float


@dataclass(frozen=True, eq=False)
class SimulatedResponse:
    """Response of the nonlinear arm at the lines of its excitation.

    Attributes
    ----------
    frequencies : (l,) [Hz]
    response : (l, outputs, inputs) complex
        Of the last period.
    spread : (l, outputs, inputs)
        Change from the period before, over the magnitude: what is left of transients, or never repeats.
    """

    frequencies: np.ndarray
    response: np.ndarray
    spread: np.ndarray


def simulated_response(
    model: LinearModel,
    joints: str,
    amplitude: float,
    groups: Sequence[LineGroup],
    progress: Progress | None = None,
) -> SimulatedResponse:
    """Frequency response of the nonlinear arm about the operating point of a linear model.

    One input after the other is a sum of cosines of equal amplitude at the lines of a group, with Schroeder's phases
    [Schroeder1970], one group after the other.

    Parameters
    ----------
    model : LinearModel
    joints : {"free", "pd"}
    amplitude : float
        Of each line, in the unit of the input.
    groups : sequence of LineGroup

    Raises
    ------
    ModelError
        The motion would not become periodic.
    SolverError
        A run failed.
    """
    slowest = _slowest_decay(model)
    frequencies = np.concatenate([group.lines for group in groups])
    shape = frequencies.size, len(model.outputs), len(model.inputs)
    response, spread = np.empty(shape, dtype=complex), np.empty(shape)
    for column in range(len(model.inputs)):
        done = 0
        for group in groups:
            rows = slice(done, done + group.lines.size)
            done += group.lines.size
            last, before = _periods(model, joints, column, amplitude, group, slowest)
            response[rows, :, column] = last
            spread[rows, :, column] = np.abs(last - before) / np.maximum(np.abs(last), np.finfo(float).tiny)
            if progress is not None:
                progress((column + done / frequencies.size) / len(model.inputs), None)
    return SimulatedResponse(frequencies, response, spread)


def line_groups(first: float, last: float, count: int, excitation: str) -> list[LineGroup]:
    """At most so many lines of an excitation: together and evenly spread, or one by one, their logarithms evenly.

    Those of a multisine are multiples of one frequency; where their range is too wide for so many even ones, they
    are about evenly spread over their logarithms too.

    Raises
    ------
    ModelError
        Too many, or a range that has none.
    """
    if not 0 < first < last < np.inf:
        raise ModelError(
            f"frequencies: got {first:g} to {last:g} Hz, expected positive ones, the second larger"
        )
    if excitation == "sweep":
        return [LineGroup(np.array([line]), 1 / line) for line in np.geomspace(first, last, count).tolist()]
    if count > MOST_LINES:
        raise ModelError(f"lines: got {count}, expected at most {MOST_LINES} of a multisine")
    step = (last - first) / (count - 1)
    step = first / max(1, round(first / step))
    multiples = np.arange(round(first / step), int(last / step * (1 + 1e-9)) + 1)
    if multiples.size > count:
        multiples = np.unique(np.geomspace(multiples[0], multiples[-1], count).round())
    return [LineGroup(step * multiples, 1 / step)]


def _slowest_decay(model: LinearModel) -> float:
    """Rate [1/s] at which the slowest motion decays."""
    poles = np.linalg.eigvals(model.A)
    slowest = float(-np.real(poles).max())
    if slowest <= DECAYED * np.abs(poles).max():
        raise ModelError(
            f"{model.point.arm.name}: a simulated response needs motions that all decay, but one has the pole "
            f"{complex(poles[np.real(poles).argmax()]):.4g} 1/s",
            hint="let PD drives hold the joints (input reference, or joints pd), and give the links damping",
        )
    return slowest


def _periods(
    model: LinearModel, joints: str, column: int, amplitude: float, group: LineGroup, slowest: float
) -> tuple[np.ndarray, np.ndarray]:
    """Response (lines, outputs) in the last period of a run, and in the one before."""
    lines, period = group
    settled = int(np.ceil(-np.log(DECAYED) / slowest / period))
    if settled > MOST_PERIODS:
        raise ModelError(
            f"{model.point.arm.name}: transients take {settled} periods of {period:.4g} s to decay",
            hint="give the links more damping, or ask for lower frequencies",
        )
    per_period = 2 ** int(np.ceil(np.log2(OVERSAMPLING * lines[-1] * period)))
    n = lines.size
    phases = -np.pi * np.arange(n) * np.arange(1, n + 1) / n
    moved = _excited(model, joints, column, amplitude, lines, phases)
    run = moved.run.model_copy(
        update={
            "duration": (settled + 2) * period,
            "sample": period / per_period,
            "method": "dop853",
            "step": None,
            **{name: min(getattr(moved.run, name), value) for name, value in TIGHTEST.items()},
        }
    )
    values = _sensed(model, moved.model_copy(update={"run": run}), 2 * per_period + 1)[:-1]
    turns = np.exp(-2j * np.pi * np.outer(lines * period, np.arange(per_period)) / per_period)
    begin = np.exp(-1j * (2 * np.pi * lines * settled * period + phases))[:, None]
    before, last = (2 / per_period * turns @ part * begin / amplitude for part in np.split(values, 2))
    return last, before


def _sensed(model: LinearModel, arm: Arm, last: int) -> np.ndarray:
    """Last samples of what the outputs of a model measure along a run from the operating point, (last, outputs)."""
    equations = ParametricModel([arm], ("sensor_value",))
    instance, point = equations.instance(arm), model.point
    integrals = np.zeros(equations.state_equation.layout.n_integrals)
    problem = free_motion(equations, instance, (point.theta, 0 * point.theta_d, integrals))
    problem = with_jacobian(problem, equations, instance)
    run = SingleRun(instance, equations.state_equation, start(arm.run.method, problem), jump=problem.jump)
    kept = np.empty((0, len(model.outputs)))
    for block in run.blocks():
        kept = np.concatenate([kept, block["sensor_value"]])[-last:]
    if run.status != "complete":
        raise SolverError(f"{arm.name}: the simulated response failed: {run.message}")
    return kept


def _excited(
    model: LinearModel, joints: str, column: int, amplitude: float, lines: np.ndarray, phases: np.ndarray
) -> Arm:
    """The arm with the outputs as its sensors, held at the operating point, and an input that is a sum of cosines."""
    arm, name = model.point.arm, model.inputs[column]
    cosines = [f"cos({2 * np.pi * f:.17g}*t{phase:+.17g})" for f, phase in zip(lines, phases, strict=True)]
    signal = f"{amplitude:.17g}*({'+'.join(cosines)})"
    still = _held(model, joints)
    drives, loads = list(still.drive), list(still.loads)
    disturbances = ()
    if name in (described := dict(arm.disturbances)):
        excited = {"signal": Expression(signal), "noise": None, "period": None}
        disturbances = ((name, described[name].model_copy(update=excited)),)
    elif "@" in name:
        (axis, place), forces = name.removeprefix("force_").split("@"), [0.0, 0.0, 0.0]
        link, at = place.split(":")
        force = tuple(
            Expression(signal) if own == axis else zero for own, zero in zip("xyz", forces, strict=True)
        )
        station = Station(link=int(link), at=float(at))
        loads.append(Load(at=station).model_copy(update={"force": force}))
    else:
        joint = model.input_joints[column]
        assert joint is not None
        drives[joint] = _with_signal(drives[joint], name, signal)
    sensors = _measuring(arm, model)
    update = {"drive": tuple(drives), "loads": tuple(loads), "sensors": sensors, "disturbances": disturbances}
    return still.model_copy(update=update)


def _measuring(arm: Arm, model: LinearModel):
    """Sensors of the outputs of a model, in their order."""
    every = {name: one for group in dict.fromkeys(model.groups) for name, one in sensors_named(arm, group)}
    return tuple((name, every[name]) for name in model.outputs)


def _with_signal(drive: Drive | None, name: str, signal: str) -> Drive:
    """Drive of a joint with a signal added to its torque, reference or voltage."""
    assert drive is not None
    if name.startswith("r_"):
        assert drive.pd is not None
        reference = _plus(drive.pd.reference, signal)
        return drive.model_copy(update={"pd": drive.pd.model_copy(update={"reference": reference})})
    key = "voltage" if name.startswith("u_") else "torque"
    return drive.model_copy(update={key: _plus(getattr(drive, key), signal)})


def _plus(constant: object, signal: str) -> Expression:
    value = dict(constant.parameters)["value"] if isinstance(constant, Expression) else constant
    return Expression(f"value + {signal}", (("value", value),))


def _held(model: LinearModel, joints: str) -> Arm:
    """The arm whose drives hold it at the operating point: constant torques, and PD drives if they are in the model."""
    point, roles = model.point, model.roles
    arm, layout = point.arm, point.chain.coordinates
    drives: list[Drive | None] = []
    for i, (own, row) in enumerate(zip(arm.drive, layout.driven, strict=True)):
        if row is None:
            drives.append(None)
            continue
        here = Expression.constant(float(point.theta[row]))
        if i + 1 in (*roles.held, *roles.prescribed):
            drives.append(Drive(motion="hold").model_copy(update={"motion": here}))
            continue
        kept = Drive(torque=0.0)
        if joints == "pd" and own is not None and own.regulates:
            plain = {
                "torque": None if own.voltage is not None else 0.0,
                "motion": None,
                "move": None,
                "shaper": None,
            }
            kept = own.model_copy(update=plain)
            if own.pd is not None:
                pd = own.pd.on_joint.model_copy(update={"reference": here, "move": None, "shaper": None})
                kept = kept.model_copy(update={"pd": pd})
            if own.voltage is not None:
                kept = kept.model_copy(update={"voltage": 0.0})
        drives.append(kept)
    loads = tuple(_at_start(arm.loads))
    contact = arm.contact if arm.has_soft_walls else None
    still = arm.model_copy(
        update={
            "drive": tuple(drives),
            "loads": loads,
            "contact": contact,
            "controllers": (),
            "disturbances": (),
        }
    )
    return still.model_copy(update={"drive": tuple(_balanced(model, still))})


def _balanced(model: LinearModel, arm: Arm) -> Iterator[Drive | None]:
    """Drives of an arm with constant torques, or voltages, that balance what they lack at the operating point."""
    point = model.point
    signals, theta = Signals(ca.SX.sym("t")), ca.SX.sym("theta", point.theta.size)
    applied = applied_forces(arm, point.chain, signals, theta, ca.SX.zeros(point.theta_d.size))
    torques = ca.vertcat(*(each.torque for each in applied.drives))
    given = ca.Function("drives", [signals.t, theta], [ca.densify(torques)])(0.0, point.theta).full().ravel()
    for i, (drive, lacking) in enumerate(zip(arm.drive, model.torque - given, strict=True)):
        if drive is None or drive.motion is not None:
            yield drive
        elif drive.voltage is not None:
            yield drive.model_copy(update={"voltage": float(lacking) / arm.joints[i].motor.torque_per_volt})
        else:
            yield drive.model_copy(update={"torque": float(lacking)})


def _at_start(loads: Sequence[Load]) -> Iterator[Load]:
    """Loads that stay as they are at t = 0."""
    for load in loads:
        update = {
            name: tuple(
                float(part.at(np.zeros(()))) if isinstance(part, Expression) else part
                for part in getattr(load, name)
            )
            for name in ("force", "moment")
        }
        yield load.model_copy(update=update)

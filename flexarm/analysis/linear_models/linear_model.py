"""Linear state-space model of small deviations from an operating point, with its modes, zeros and files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flexarm.analysis.linear_models.held_inputs import held_inputs
from flexarm.analysis.linear_models.transmission_zeros import (
    matrix_zeros,
    transmission_zeros,
    without_round_off,
)
from flexarm.analysis.operating_points.joint_roles import JointRoles
from flexarm.analysis.operating_points.operating_point import OperatingPoint
from flexarm.analysis.small_motions.eigenmodes import Eigenmodes
from flexarm.analysis.small_motions.linear_motion import LinearMotion
from flexarm.analysis.small_motions.natural_modes import modes_of
from flexarm.arguments import check_number
from flexarm.errors import ModelError
from flexarm.html import element, table
from flexarm.results.storage.array_files import write_arrays

ROUND_OFF = 1e-9
"""Real part of a pole, in units of its size, that is not shown."""
SIGNALS = ("states", "inputs", "outputs")
SIGNAL_UNITS = ("state_units", "input_units", "output_units")


@dataclass(frozen=True, eq=False, repr=False)
class LinearModel:
    """Linear state-space model x_d = A x + B u, y = C x + D u, of small deviations from an operating point.

    Attributes
    ----------
    A, B, C, D : (states, states), (states, inputs), (outputs, states), (outputs, inputs)
        States are the deviations of the n coordinates, then their rates, then the integrals of the errors of drives
        with an integral part; inputs those of joint torques, of references or of voltages, see :func:`linearize`.
    states, inputs, outputs : tuple of str
        Names, such as ``q_1``, ``delta_1_1``, ``q_1_d``, ``z_1``; ``tau_1``, ``r_1``, ``u_1``; ``tip_y``.
    state_units, input_units, output_units : tuple of str
    groups : tuple of str
        As what each output was asked for.
    output_values : (outputs,)
        Values of the outputs at the operating point.
    point : OperatingPoint
    motion : LinearMotion
        The second-order equations behind A.
    roles : JointRoles
        What each joint does.
    torque : (joints,) [N m, prismatic: N]
        Torques of all joints at the operating point.
    positions : (outputs, n)
        Combinations P of the coordinates: each output is P x, its rate P x_d, or P x_dd.
    orders : tuple of int
        Which of these: 0, 1 or 2.
    forces : (n, inputs)
        Generalised force of a unit of each torque or force among the n coordinates.
    gains : (inputs, 2)
        Torque by each input and by its rate: see :class:`~flexarm.analysis.linear_models.inputs.Inputs`.
    input_joints : tuple of int or None
        Joint, from 0, whose drive each input acts through; None of others.
    controllers : tuple of str
        Controllers of the arm that are part of the model, whose states come last.
    period : float, optional [s]
        Between two samples of a sampled model, x_k+1 = A x_k + B u_k; None in continuous time.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state_units: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    groups: tuple[str, ...]
    output_values: np.ndarray
    point: OperatingPoint
    motion: LinearMotion
    roles: JointRoles
    torque: np.ndarray
    positions: np.ndarray
    orders: tuple[int, ...]
    forces: np.ndarray
    gains: np.ndarray
    input_joints: tuple[int | None, ...]
    controllers: tuple[str, ...] = ()
    period: float | None = None

    def __repr__(self) -> str:
        counts = (f"{len(getattr(self, kind))} {kind}" for kind in SIGNALS)
        return f"LinearModel of {self.point.arm.name!r}: {', '.join(counts)}"

    def _repr_html_(self) -> str:
        rows = [
            (kind, ", ".join(f"{name} [{unit}]" for name, unit in zip(names, units, strict=True)))
            for kind, names, units in (
                (kind, getattr(self, kind), getattr(self, of))
                for kind, of in zip(SIGNALS, SIGNAL_UNITS, strict=True)
            )
        ]
        poles = self.poles if self.period or self.controllers else self.modes.poles
        real = np.where(np.abs(np.real(poles)) < ROUND_OFF * np.abs(poles), 0.0, np.real(poles))
        poles = real + 1j * np.imag(poles)
        rows.append(("poles [1/s]", ", ".join(f"{pole:.5g}" for pole in poles)))
        return element("p", repr(self)) + table(rows, "<<", heading=False)

    @property
    def names(self) -> dict[str, list[str]]:
        """Names of states, inputs and outputs as python-control takes them: without points.

        ``control.ss(model.A, model.B, model.C, model.D, **model.names)``
        """
        return {kind: [name.replace(".", "_") for name in getattr(self, kind)] for kind in SIGNALS}

    def sampled(self, period: float) -> LinearModel:
        """Exact model of the samples of this one with inputs that are held over a period [s].

        Raises
        ------
        ModelError
            It is sampled already, or no period.
        """
        check_number("period", period, above=0)
        if self.period is not None:
            raise ModelError(f"the model is sampled every {self.period:g} s already")
        A, B = held_inputs(self.A, self.B, period)
        return replace(self, A=A, B=B, period=period)

    @cached_property
    def modes(self) -> Eigenmodes:
        """Poles and shapes of the free motions of the arm in continuous time, its controllers left away."""
        return modes_of(self.point, self.motion)

    @cached_property
    def poles(self) -> np.ndarray:
        """All poles of the model, (states,) complex [1/s]; of a sampled one those of which it is the sampling.

        Of controllers too. The log of z over the period, which is infinite of what is gone after one sample.
        """
        if self.period is None and not self.controllers:
            return self.modes.all_poles
        found = in_rates(np.linalg.eigvals(self.A), self.period)
        return found[np.lexsort((np.imag(found), np.abs(found).round(9)))]

    def zeros(self, inputs: Sequence[str], outputs: Sequence[str]) -> np.ndarray | None:
        """Finite transmission zeros between as many inputs as outputs, (k,) complex [1/s].

        None where the outputs do not follow the inputs one by one at any frequency.

        Raises
        ------
        ModelError
            There is no such input or output; or a drive with an integral part acts on a joint that is not among the
            inputs: only where all of them are do zeros not depend on the integral parts.

        Notes
        -----
        Feedback from joints to their own torques does not move the zeros of these torques. An integral part adds one at
        0: no constant torque moves its joint; so does each rate of an output. A reference passes through
        kp + kd s + ki/s, whose zeros come on top.
        Of samples, and with controllers, they are generalised eigenvalues of [A - s I, B; C, D], those of samples in
        terms of the continuous time as the poles.
        """
        if len(inputs) != len(outputs):
            raise ModelError(
                f"zeros need as many outputs as inputs, got {len(inputs)} inputs and {len(outputs)} outputs"
            )
        columns = [_index("input", name, self.inputs) for name in inputs]
        rows = [_index("output", name, self.outputs) for name in outputs]
        if self.period is not None or self.controllers:
            found = matrix_zeros(self.A, self.B[:, columns], self.C[rows], self.D[np.ix_(rows, columns)])
            return None if found is None else without_round_off(in_rates(found, self.period), self.poles)
        S = self.forces[:, columns]
        at_joints = S[:, [self.input_joints[k] is not None for k in columns]]
        integrated = np.flatnonzero(self.motion.integral_gains)
        if apart := [self.states[k] for k in integrated if not at_joints[k].any()]:
            raise ModelError(
                f"zeros with an integral part on {', '.join(apart)}, which is none of the inputs, are not computed",
                hint="take all joints with an integral part as inputs, or hold them with `hold`",
            )
        found = transmission_zeros(self.motion, S, self.positions[rows])
        if found is None:
            return None
        found = np.concatenate([found, np.zeros(sum(self.orders[k] for k in rows))])
        integral_gains = S.T @ self.motion.integral_gains
        of_drives = [self._passed(k, ki) for k, ki in zip(columns, integral_gains.tolist(), strict=True)]
        return np.concatenate([found, *of_drives])

    def _passed(self, k: int, ki: float) -> np.ndarray:
        """Zeros of what an input passes through before it is a torque, with an integral gain on its joint."""
        kp, kd = self.gains[k].tolist()
        if self.inputs[k].startswith("r_"):
            return np.roots([kd, kp, ki] if ki else [kd, kp])
        return np.zeros(1 if ki else 0)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays of a file of the model: matrices, names, units, operating point, in SI units with their shapes here.

        A, B, C, D; the names and units of states, inputs and outputs; and the operating point: ``theta`` with
        ``theta_names``, rates ``theta_d``, ``torque`` of all joints, ``output_values``, and the arm's
        description ``robot``.
        """
        point = self.point
        return {
            **{name: getattr(self, name) for name in ("A", "B", "C", "D", "torque", "output_values")},
            "theta": point.theta,
            "theta_d": point.theta_d,
            "theta_names": np.array(point.chain.coordinates.theta_labels),
            **{name: np.array(getattr(self, name)) for name in (*SIGNALS, *SIGNAL_UNITS)},
            **({} if self.period is None else {"period": np.array(self.period)}),
            "arm": np.array(point.arm.name),
            "robot": np.array(point.arm.text),
        }

    def save(self, path: str | os.PathLike, overwrite: bool = False) -> None:
        """Write matrices, names, units and operating point to a .npz, .mat or .h5 file, whole or not at all.

        Raises
        ------
        ResultError
            The file exists and ``overwrite`` is false, cannot be written, or has another ending.
        """
        write_arrays(self.arrays, [path], overwrite)


def in_rates(found: np.ndarray, period: float | None) -> np.ndarray:
    """Poles or zeros (k,) complex [1/s] of the continuous time, of those of samples, z, the log over the period [s]."""
    if period is None:
        return found
    with np.errstate(divide="ignore"):
        return np.log(found.astype(complex)) / period


def _index(what: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise ModelError(f"no {what} {name!r}; there are {', '.join(names)}")
    return list(names).index(name)

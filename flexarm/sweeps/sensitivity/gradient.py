"""Gradients of results: how quantities over time and records of a run change with the numbers of its description."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.arguments import check_list, check_object
from flexarm.description.arm.arm import Arm
from flexarm.errors import InputProblem, ModelError, SpecError
from flexarm.progress import Progress
from flexarm.results.schema import DATASETS, STRESS
from flexarm.results.storage.array_files import write_arrays
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.simulation.state.recorded_stress import StressRecorder
from flexarm.sweeps.measures.recorded_quantities import ALIASES, Quantity, quantity
from flexarm.sweeps.measures.scalar_measures import ScalarMeasure, scalar_measures
from flexarm.sweeps.parameters.keys import KeyFault
from flexarm.sweeps.sensitivity.adjoint import adjoint_gradient
from flexarm.sweeps.sensitivity.contact.motion_in_pieces import pieces_with_derivatives
from flexarm.sweeps.sensitivity.directions.directions import Directions, directions
from flexarm.sweeps.sensitivity.moved_samples import MovedSamples
from flexarm.sweeps.sensitivity.obstacles import check_datasets, check_followed, check_references
from flexarm.sweeps.sensitivity.record_derivatives import differentiated
from flexarm.sweeps.sensitivity.variational_equations import Series, run_with_derivatives

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DISCRETE = ("settling_time", "ring_time", "first_impact", "steps", "evaluations", "seconds")
"""Records that change from sample to sample, or step to step."""


@dataclass(frozen=True, eq=False, repr=False)
class Gradient:
    """Values and derivatives of a run by numbers of its description.

    Attributes
    ----------
    arm : Arm
    of, by : tuple of str
        Records, and keys.
    at : (k,)
        Values of the keys.
    value : (n,)
        Of the records.
    derivative : (n, k)
        Of each by each key, in the units of both; NaN where there is none.
    reasons : dict
        (record, key) -> why there is none.
    times : (m,) [s]
    series : dict
        Quantity over time -> (m, ..).
    series_derivative : dict
        Quantity over time -> (k, m, ..).
    units : dict
        Record or quantity -> its unit.
    """

    arm: Arm
    of: tuple[str, ...]
    by: tuple[str, ...]
    at: np.ndarray
    value: np.ndarray
    derivative: np.ndarray
    reasons: dict[tuple[str, str], str]
    times: np.ndarray
    series: dict[str, np.ndarray]
    series_derivative: dict[str, np.ndarray]
    units: dict[str, str]

    @property
    def per_cent(self) -> np.ndarray:
        """Change of each record, (n, k), when a key grows by one per cent."""
        return self.derivative * self.at / 100

    def __repr__(self) -> str:
        return f"Gradient of {', '.join([*self.of, *self.series])} by {', '.join(self.by)}"

    def save(self, path: str | os.PathLike, overwrite: bool = False) -> None:
        """Write everything to an .h5, .npz or .mat file, whole or not at all.

        Arrays: ``of``, ``by``, ``at``, ``value``, ``derivative``, ``time``; quantities over time under their names, and
        their derivatives as ``d_tip/d_payload.mass``.

        Raises
        ------
        ResultError
            The file exists and ``overwrite`` is false, cannot be written, or has another ending.
        """
        arrays = {
            "of": np.array(self.of), "by": np.array(self.by), "at": self.at, "value": self.value,
            "derivative": self.derivative, "time": self.times, **self.series,
        }  # fmt: skip
        for name, by_key in self.series_derivative.items():
            arrays |= {f"d_{name}/d_{key}": one for key, one in zip(self.by, by_key, strict=True)}
        write_arrays(arrays, [path], overwrite)

    def plot(self, name: str | None = None) -> Figure:
        """Draw ``bars`` of what a per cent of each number changes, or ``bands`` over time; see :func:`flexarm.plot`."""
        import flexarm  # the names of the whole package, above all of its layers

        return flexarm.plot(self, name)

    def __getitem__(self, pair: tuple[str, str]) -> float | np.ndarray:
        """Derivative of a record, or of a quantity over time (m, ..), by a key."""
        name, key = pair
        if key not in self.by or name not in (*self.of, *self.series):
            raise KeyError(pair)
        k = self.by.index(key)
        return (
            self.series_derivative[name][k]
            if name in self.series
            else float(self.derivative[self.of.index(name), k])
        )


def gradient(arm: Arm, of: Sequence[str], by: Sequence[str], *, progress: Progress | None = None) -> Gradient:
    """Derivatives of a simulation by numbers of its description.

    Parameters
    ----------
    arm : Arm
    of : sequence of str
        Records of sweeps (``final_tip_y``, ``max_torque``, ``rms_error:1``), or quantities over time (``tip``,
        ``joint_angle[0]``).
    by : sequence of str
        Keys of numbers, as ``--vary`` names them: ``links[0].EI``, ``payload.mass``, ``initial.joints[0]``.
    progress : callable, optional

    Raises
    ------
    ModelError
        Controllers in Python, sensors that measure in steps, keys that are no continuous numbers; an impact, or a
        jump in the instant of a sample, through which there is no derivative.
    SpecError
        Unknown keys, records or quantities.
    SolverError
        The run failed.

    Notes
    -----
    The state equation and its derivatives in the directions of all keys, the variational equations, are integrated
    together; of one record by many numbers the discrete adjoint of the integration takes their place where it is the
    cheaper way, see :mod:`~flexarm.sweeps.sensitivity.adjoint`. How the model's numbers depend on those of the
    description comes from differences before the run. Records are differentiated on the samples: of a maximum at the
    sample where it is. At impacts the derivatives jump, see :mod:`~flexarm.sweeps.sensitivity.contact.saltation`.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/usoro_two_link.yaml")
    >>> gradient = flexarm.gradient(arm, of=["final_tip_x"], by=["payload.mass"])
    >>> round(gradient["final_tip_x", "payload.mass"], 4)
    0.0346
    """
    check_object("arm", arm, Arm)
    check_list("of", of)
    check_list("by", by)
    of, by = tuple(dict.fromkeys(of)), tuple(dict.fromkeys(by))
    check_followed(arm)
    records, quantities = _asked(arm, of)
    needed = {one.dataset for one in (*records, *quantities.values()) if one.dataset is not None}
    check_datasets(arm, needed)
    try:
        found = directions(arm, by, sorted(needed))
    except KeyFault as fault:
        raise _problem("by", fault) from None
    check_references(found.instance.arm, records, by, found)
    if len(records) == 1 and not quantities:
        swept = adjoint_gradient(found, records[0], progress)
        if swept is not None:
            derivatives, units = swept.derivatives / found.scales, {records[0].name: records[0].units}
            return Gradient(
                arm, (records[0].name,), by, found.values, np.array([swept.value]), derivatives[None], {},
                swept.times, {}, {}, units,
            )  # fmt: skip
    times, values, samples, run = _sampled(found, STRESS in needed, progress)
    pairs = [[differentiated(one, times, own, run) for own in samples] for one in records]
    derivatives = np.array([[found for found, _ in row] for row in pairs]).reshape(len(records), len(by))
    reasons = {
        (one.name, key): reason
        for one, row in zip(records, pairs, strict=True)
        for key, (_, reason) in zip(by, row, strict=True)
        if reason
    }
    over_time = {
        name: np.stack(
            [
                one.pick(own.change(one.dataset)) / scale
                for own, scale in zip(samples, found.scales, strict=True)
            ]
        )
        for name, one in quantities.items()
    }
    return Gradient(
        arm,
        tuple(one.name for one in records),
        by,
        found.values,
        np.array([one.reduce(times, one.column(values[one.dataset or ""]), run) for one in records]),
        derivatives / found.scales,
        reasons,
        times,
        {name: one.pick(values[one.dataset]) for name, one in quantities.items()},
        over_time,
        {one.name: one.units for one in (*records, *quantities.values())},
    )


def _sampled(
    found: Directions, stressed: bool, progress: Progress | None
) -> tuple[np.ndarray, Series, list[MovedSamples], SingleRun]:
    """Times (m,) [s], datasets (m, ..) with stress if it is asked for, the same with their derivatives, and the run."""
    arm = found.instance.arm
    compute = pieces_with_derivatives if arm.is_event_driven else run_with_derivatives
    times, values, changes, run = compute(found, progress)
    stress = StressRecorder(arm) if stressed else None
    if stress is not None:
        values = stress(values)
    moved = zip(changes, found.sections, strict=True)
    return times, values, [MovedSamples(values, change, stress, own) for change, own in moved], run


def _problem(key: str, fault: KeyFault) -> SpecError:
    return SpecError([InputProblem("gradient", None, key, fault.message, fault.hint)])


def _asked(arm: Arm, of: Sequence[str]) -> tuple[list[ScalarMeasure], dict[str, Quantity]]:
    """Records, and quantities over time."""
    records, quantities = [], {}
    for name in of:
        try:
            found = scalar_measures([name], arm)
        except KeyFault as fault:
            try:
                quantities[name] = quantity(name, arm)
            except KeyFault as other:
                is_dataset = name.partition("[")[0] in (*ALIASES, *DATASETS)
                raise _problem("of", other if is_dataset else fault) from None
            continue
        for one in found:
            if one.name.partition(":")[0] in DISCRETE:
                raise ModelError(f"{one.name} changes by whole samples or steps, so it has no derivative")
        records += found
    return records, quantities

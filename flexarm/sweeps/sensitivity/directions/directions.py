"""Derivatives of a model's numbers, and of its initial state, by the numbers of a description.

They come from differences of what is computed before a run, which costs no run: seven points, so that the error is of
sixth order in a step of a per cent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError, SpecError
from flexarm.results.schema import FURTHER_DATASETS, STRESS
from flexarm.simulation.forces.break_points import smooth_intervals
from flexarm.simulation.forward.free_motion import initial_states
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel, StructureMismatch
from flexarm.simulation.forward.sampling.sampled_updates import update_rows
from flexarm.simulation.state.recorded_stress import (
    STRESS_SOURCES,
    StressRecorder,
    recording_loads,
    with_known_stress,
)
from flexarm.simulation.state.tuned_shapers import tuned_shapers
from flexarm.sweeps.parameters.variation import Variation
from flexarm.sweeps.sensitivity.directions.contact_numbers import contact_numbers, same_contacts
from flexarm.sweeps.sensitivity.directions.jumps import equation_jumps
from flexarm.sweeps.sensitivity.directions.moving_instants import MovingInstants, moving_instants

STEP = 0.01
"""Step of the differences, as a part of the number; of 0 itself."""
OFFSETS = ((-3, -2, -1, 1, 2, 3), (1, 2, 3, 4, 5, 6), (-6, -5, -4, -3, -2, -1))
"""Steps taken: to both sides, or to one where the other is not allowed."""
ArmsBeside = tuple[Sequence[int], list[Arm]]
"""Steps from a number, and the arms at them."""


@dataclass(frozen=True)
class Directions:
    """Model of an arm and of those beside it, and derivatives by each number of the description.

    Attributes
    ----------
    model : ParametricModel
    instance : ModelInstance
        The arm itself.
    values : (k,)
        Of the keys.
    scales : (k,)
        Sizes of the numbers, in which derivatives are taken: a relative change of 1.
    parameters : (k, n_p)
        Derivatives of the model's parameters, times the scales.
    moved : tuple of Arm
        An arm beside it for each number.
    y0 : (n_y,)
        Initial state.
    states : (k, n_y)
        Its derivatives, times the scales.
    contact : (k, n_c)
        Derivatives of :func:`~flexarm.sweeps.sensitivity.directions.contact_numbers.contact_numbers`, times the scales.
    instants : MovingInstants
        At which the state equation jumps.
    sections : (k, n_s)
        Derivatives of the stress of unit loads in sections, times the scales; n_s = 0 unless stress is asked for.
    """

    model: ParametricModel
    instance: ModelInstance
    values: np.ndarray
    scales: np.ndarray
    parameters: np.ndarray
    moved: tuple[Arm, ...]
    y0: np.ndarray
    states: np.ndarray
    contact: np.ndarray
    instants: MovingInstants
    sections: np.ndarray


def directions(arm: Arm, keys: Sequence[str], datasets: Sequence[str]) -> Directions:
    """Model of an arm that leaves open what the numbers of some keys change, with the derivatives by them.

    Raises
    ------
    ModelError
        A number that cannot be varied continuously, or that moves samples.
    SpecError
        A key that the arm does not have.
    """
    if of_run := [key for key in keys if key.startswith("run.")]:
        raise ModelError(
            f"{of_run[0]} says how the motion is computed, not what moves: there is no derivative by it"
        )
    variation = Variation(arm.text, keys)
    values = [variation.present(key) for key in keys]
    beside = [arms_beside(variation, values, k) for k in range(len(keys))]
    base = tuned_shapers(variation.arm(values))
    stressed = STRESS in datasets
    if stressed:
        datasets = sorted({*datasets, *STRESS_SOURCES} - {STRESS})
    if not set(FURTHER_DATASETS["loads"]).isdisjoint(datasets):
        recording = with_known_stress if stressed else recording_loads
        base = recording(base)
        beside = [(offsets, [recording(one) for one in found]) for offsets, found in beside]
    arms = [base, *(one for _, found in beside for one in found)]
    try:
        model = ParametricModel(arms, datasets)
    except StructureMismatch:
        raise ModelError(
            f"{arm.name}: {', '.join(keys)} change more than numbers of the model, so there is no derivative"
        ) from None
    check_samples(base, keys, beside)
    found = directions_at(model, base, values, beside, STEP)
    return replace(found, sections=_sections(base, keys, beside)) if stressed else found


def directions_at(
    model: ParametricModel, base: Arm, values: Sequence[float], beside: Sequence[ArmsBeside], step: float
) -> Directions:
    """Derivatives from a model's arm and arms at relative steps beside it.

    Raises
    ------
    ModelError
        One of them cannot start; an instant at which something jumps appears or vanishes.
    StructureMismatch
        One of them is no instance of the model.
    """
    arms = [base, *(one for _, found in beside for one in found)]
    instances = [model.instance(one) for one in arms]
    states = initial_states(model, instances)
    if faults := [state for state in states if isinstance(state, Exception)]:
        raise faults[0]
    layout = model.state_equation.layout
    y = np.array([layout.state(*state) for state in states if not isinstance(state, Exception)])
    p = np.array([instance.parameters for instance in instances])
    c = np.array([contact_numbers(one) for one in arms])
    if not np.isfinite(c).all() or not all(same_contacts(base, one) for one in arms):
        raise StructureMismatch(f"{base.name}: its walls and limits are not all there, or face another way")
    (parameters, initial, contact), place = (np.empty((len(values), each.shape[1])) for each in (p, y, c)), 1
    for k, (offsets, found) in enumerate(beside):
        weights, rows = _weights(offsets) / step, slice(place, place + len(found))
        place += len(found)
        parameters[k], initial[k] = weights @ (p[rows] - p[0]), weights @ (y[rows] - y[0])
        contact[k] = weights @ (c[rows] - c[0])
    return Directions(
        model,
        instances[0],
        np.array(values, dtype=float),
        np.array([abs(value) or 1.0 for value in values]),
        parameters,
        tuple(found[0] for _, found in beside),
        y[0],
        initial,
        contact,
        _instants(base, beside, step),
        np.empty((len(values), 0)),
    )


def parameters_of(found: Directions) -> np.ndarray:
    """Parameters of the arm, then their derivatives in each direction."""
    return np.concatenate([found.instance.parameters, found.parameters.ravel()])


def arms_beside(
    variation: Variation,
    values: Sequence[float],
    k: int,
    choices: Sequence[Sequence[int]] = OFFSETS,
    step: float = STEP,
) -> ArmsBeside:
    """Steps of a number, of some choices the first that is allowed, and the arms at them.

    Raises
    ------
    ModelError
        None is allowed.
    """
    fault: SpecError | None = None
    for offsets in choices:
        try:
            moved = (
                [*values[:k], values[k] + part * step * (abs(values[k]) or 1.0), *values[k + 1 :]]
                for part in offsets
            )
            return offsets, [tuned_shapers(variation.arm(point), report=False) for point in moved]
        except SpecError as error:
            fault = error
    raise ModelError(f"{variation.keys[k]} cannot be varied: {fault}")


def _weights(offsets: Sequence[int]) -> np.ndarray:
    """Weights of differences from the middle that give the first derivative for a step of 1."""
    powers = np.array(offsets, dtype=float)[:, None] ** np.arange(1, len(offsets) + 1)
    return np.linalg.solve(powers.T, np.eye(len(offsets))[0])


def _sections(base: Arm, keys: Sequence[str], beside: Sequence[ArmsBeside]) -> np.ndarray:
    """Derivatives (k, n_s) of the stress of unit loads in an arm's sections, times the scales of the numbers."""
    own, found = StressRecorder(base).coefficients, []
    for key, (offsets, arms) in zip(keys, beside, strict=True):
        others = [StressRecorder(one).coefficients for one in arms]
        if any(one.shape != own.shape for one in others):
            raise ModelError(
                f"{base.name}: {key} changes of what parts a section is made, so there is no derivative"
            )
        found.append(_weights(offsets) / STEP @ (np.array(others) - own))
    return np.array(found)


def _instants(base: Arm, beside: Sequence[ArmsBeside], step: float) -> MovingInstants:
    """Instants at which the state equation, or what is sampled, jumps, for arms at relative steps beside one."""
    moved = [(_weights(offsets) / step, [equation_jumps(one) for one in arms]) for offsets, arms in beside]
    found = moving_instants(equation_jumps(base), moved, base.run.duration)
    if found is None:
        raise ModelError(
            f"{base.name}: for other numbers an instant appears or vanishes at which a drive or load, or the rate of a "
            "reference or motion, jumps, so there is no derivative",
            hint="let it change smoothly within a short time instead",
        )
    return found


def check_samples(base: Arm, keys: Sequence[str], beside: Sequence[ArmsBeside]) -> None:
    """Refuse numbers that change when sensors and controllers are sampled, or their noise."""
    updates = _updates(base)
    for key, (_, arms) in zip(keys, beside, strict=True):
        for one in arms:
            if one.clocks != base.clocks or not np.array_equal(_updates(one), updates):
                raise ModelError(
                    f"{base.name}: {key} changes when sensors or controllers are sampled, or their noise"
                )


def _updates(arm: Arm) -> np.ndarray:
    """What is read at the instants of sampled sensors and controllers besides the state; see `update_rows`."""
    intervals = smooth_intervals(arm)
    if not arm.clocks or intervals is None:
        return np.empty(0)
    rows = update_rows(arm, intervals)
    return rows[rows[:, : len(arm.clocks)].any(axis=1)]

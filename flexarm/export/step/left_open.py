"""Numbers of a description that an exported step leaves open: those on which its equations depend linearly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import InputProblem, ModelError, SpecError
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel, StructureMismatch
from flexarm.simulation.forward.stepping.arguments import with_drives
from flexarm.simulation.state.tuned_shapers import tuned_shapers
from flexarm.sweeps.parameters.keys import KeyFault
from flexarm.sweeps.parameters.variation import Variation

MOVES = ((0.25, 0.5), (-0.25, -0.5))
"""Steps to two values beside the present one, as parts of it, or of 1 if it is 0: upwards, or else downwards."""
STRAIGHT = 1e-10
"""Deviation from a line, of the number's size, that round-off in integrals of mode shapes explains."""


@dataclass(frozen=True)
class OpenNumbers:
    """Model of an arm, and how its parameters follow from numbers of the description.

    Attributes
    ----------
    model : ParametricModel
    instance : ModelInstance
        The arm itself.
    keys, fields : tuple of str
        Keys of the numbers, and their names in C.
    values : (k,)
        What the description has.
    slopes : (n_p, k)
        Derivatives of the model's parameters.
    """

    model: ParametricModel
    instance: ModelInstance
    keys: tuple[str, ...]
    fields: tuple[str, ...]
    values: np.ndarray
    slopes: np.ndarray

    def parameters(self, x: ca.SX) -> ca.SX:
        """Parameters of the model from numbers x (k,)."""
        p = ca.SX(ca.DM(self.instance.parameters))
        return p + ca.DM(self.slopes) @ (x - ca.DM(self.values)) if self.keys else p


def open_numbers(arm: Arm, keys: Sequence[str], inputs: Sequence[int]) -> OpenNumbers:
    """Find the model of an arm that leaves numbers of its description open, and takes torques of joints from outside.

    Raises
    ------
    ModelError
        A number on which the equations do not depend linearly.
    SpecError
        A key that the arm does not have.
    """
    if not keys:
        arm = with_drives(arm, inputs)
        model = ParametricModel([arm], datasets=(), inputs=inputs)
        return OpenNumbers(model, model.instance(arm), (), (), np.zeros(0), np.zeros((0, 0)))
    variation, values = _variation(arm, keys)
    scales = np.array([abs(value) or 1.0 for value in values])
    beside = [_beside(variation, values, k, scales[k]) for k in range(len(keys))]
    steps = np.array([step for step, _ in beside])
    together = _arm(variation, values + steps * scales)
    arms = [with_drives(one, inputs) for one in (arm, *(one for _, both in beside for one in both), together)]
    try:
        model = ParametricModel(arms, datasets=(), inputs=inputs)
    except StructureMismatch:
        raise ModelError(
            f"{arm.name}: {', '.join(keys)} change more than numbers of the equations",
            hint="leave them closed",
        ) from None
    p0, *near_and_far, p_together = (model.instance(one).parameters for one in arms)
    near, far = np.array(near_and_far[::2]), np.array(near_and_far[1::2])
    changes = far - p0
    size = np.abs([p0, *far]).max(axis=0)
    for k, key in enumerate(keys):
        if (np.abs(near[k] - p0 - changes[k] / 2) > STRAIGHT * size).any():
            raise ModelError(
                f"{arm.name}: the equations do not depend on {key} linearly, so it cannot be left open",
                hint=_remedy(arm),
            )
    if (np.abs(p_together - p0 - changes.sum(axis=0)) > STRAIGHT * size).any():
        raise ModelError(
            f"{arm.name}: the equations depend on products of {', '.join(keys)}, which cannot be left open together",
            hint="leave one of them closed",
        )
    slopes = (changes / (steps * scales)[:, None]).T
    return OpenNumbers(model, model.instance(arms[0]), tuple(keys), _fields(keys), values, slopes)


def _variation(arm: Arm, keys: Sequence[str]) -> tuple[Variation, np.ndarray]:
    if of_run := [key for key in keys if key.startswith("run.")]:
        raise ModelError(f"{of_run[0]} says how a motion is computed, and is no number of the equations")
    if len(set(keys)) < len(keys):
        raise ModelError("parameters: one is named twice")
    try:
        variation = Variation(arm.text, keys)
    except KeyFault as fault:
        raise SpecError([InputProblem("parameter", None, "", fault.message, fault.hint)]) from None
    return variation, np.array([variation.present(key) for key in keys])


def _remedy(arm: Arm) -> str:
    """What helps where a number does not enter linearly."""
    closed = "leave it closed, and export anew for another value"
    if any(any(link.own_ratios) or link.damping_law.ratio for link in arm.links):
        return f"the damping of links with a ratio follows it, that of a retardation does not; or {closed}"
    return closed


def _beside(variation: Variation, values: np.ndarray, k: int, scale: float) -> tuple[float, tuple[Arm, Arm]]:
    """Step to the farther of two arms beside the present one, as part of the scale, and both of them."""
    fault: SpecError | None = None
    for near, far in MOVES:
        try:
            moved = (values + step * scale * np.eye(len(values))[k] for step in (near, far))
            first, second = (_arm(variation, point) for point in moved)
            return far, (first, second)
        except SpecError as error:
            fault = error
    raise ModelError(f"{variation.keys[k]} cannot be left open: {fault}")


def _arm(variation: Variation, values: np.ndarray) -> Arm:
    return tuned_shapers(variation.arm(values.tolist()), report=False)


def _fields(keys: Sequence[str]) -> tuple[str, ...]:
    """Names of members of a structure of C: ``links_0_EI`` of ``links[0].EI``."""
    plain = [re.sub(r"\W+", "_", key).strip("_") for key in keys]
    return tuple(name if plain.count(name) == 1 else f"{name}_{k + 1}" for k, name in enumerate(plain))

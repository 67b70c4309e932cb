"""Controllers near an operating point as matrices of numbers: of rates, or with a period of the next sample."""

from __future__ import annotations

import math

import numpy as np

from flexarm.description.arm.control.controller import Controller
from flexarm.simulation.controllers.block import LinearSystem
from flexarm.simulation.controllers.discrete import bilinear
from flexarm.simulation.controllers.kinds import LINEAR

Matrices = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""A (n, n), B (n, inputs), C (outputs, n), D (outputs, inputs)."""


def linear_system(controller: Controller) -> Matrices:
    """Matrices A, B, C, D of a controller for deviations: of a reference 0, of a limit what it reads."""
    kind = controller.kind
    if kind == "reference":
        return _matrices(LinearSystem([], [], [], [[]]), 1, 0)
    if kind == "limit" or (kind == "rate_limit" and controller.period is not None):
        return _matrices(LinearSystem([], [], [], [[1.0]]), 1, 1)
    if controller.rate_limit is not None:
        w = 2 * math.pi * controller.rate_limit.frequency
        return _matrices(LinearSystem([[-w]], [[w]], [[1.0]], [[0.0]]), 1, 1)
    if controller.delay is not None and controller.period is not None:
        return shift_register(controller.n_states)
    system = LINEAR[kind](getattr(controller, kind))
    if controller.period is not None and kind != "state_space":
        system = bilinear(system, controller.period)
    return _matrices(system, controller.n_outputs, controller.n_inputs)


def shift_register(n: int) -> Matrices:
    """Matrices of a signal of n samples before; of n = 0 the signal itself."""
    return np.eye(n, k=-1), np.eye(n, 1), np.eye(1, n, k=n - 1), np.full((1, 1), float(n == 0))


def _matrices(system: LinearSystem, n_outputs: int, n_inputs: int) -> Matrices:
    n = len(system.A)
    shapes = (n, n), (n, n_inputs), (n_outputs, n), (n_outputs, n_inputs)
    parts = system.A, system.B, system.C, system.D
    A, B, C, D = (np.array(rows, float).reshape(shape) for rows, shape in zip(parts, shapes, strict=True))
    return A, B, C, D

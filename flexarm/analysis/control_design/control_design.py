"""Feedback controller for small motions of an arm, its closed loop, its margins and its file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

from flexarm.analysis.control_design.robustness import Margins, StateSpace, margins
from flexarm.analysis.linear_models.linear_model import LinearModel
from flexarm.results.storage.array_files import write_arrays

_NOTHING = np.empty((0, 0)), np.empty((0, 0)), np.empty((0, 0))


@dataclass(frozen=True, eq=False, repr=False)
class ControlDesign:
    """Feedback controller for small motions about an operating point.

    Attributes
    ----------
    method : str
    model : LinearModel
        Of the arm, whose inputs are the controller's outputs.
    K : (inputs, states)
        Feedback u = -K x of the states of the model.
    L : (states, measured), optional
        Gain of the estimator of an LQG.
    controller : StateSpace, optional
        From measured outputs to inputs, for a ``state_space`` of a description: u = C x_c + D y, of deviations from the
        operating point.
    measured : tuple of str
        What it reads, names of outputs of the model.
    period : float, optional [s]
        Between two samples; None of a continuous controller.
    set_aside : tuple of str
        Motions that no input reaches, such as those of the mass centre of a floating arm.
    round_off : float
        By how much gains differ, over the largest of them, if the same equations are solved in other units; infinite
        if they then have no solution. What lies far above 1e-6 asks for weights, or noises, of more similar effect.
    """

    method: str
    model: LinearModel
    K: np.ndarray
    L: np.ndarray | None
    controller: StateSpace | None
    measured: tuple[str, ...]
    period: float | None
    set_aside: tuple[str, ...]
    round_off: float
    _plant: StateSpace
    _basis: np.ndarray

    def __repr__(self) -> str:
        what = f"{self.method} of {self.model.point.arm.name!r}"
        sampled = f", every {self.period:g} s" if self.period is not None else ""
        return f"ControlDesign: {what}{sampled}, poles {', '.join(f'{pole:.4g}' for pole in self.poles[:6])}"

    @cached_property
    def poles(self) -> np.ndarray:
        """Poles of the closed loop, complex [1/s], by size; of a sampled one those of which it is the sampling."""
        found = StateSpace(self._closed, *_NOTHING, self.period).poles
        return found[np.lexsort((np.imag(found), np.abs(found).round(9)))]

    @cached_property
    def margins(self) -> dict[str, Margins]:
        """Margins of the loop at each input of the arm, the others closed."""
        return {name: margins(self.loop(name)) for name in self.model.inputs}

    @property
    def open_poles(self) -> np.ndarray:
        """Poles of the arm and of the controller by themselves, complex [1/s], as those of the closed loop."""
        A = (
            self._plant.A
            if self.controller is None
            else np.asarray(block_diag(self._plant.A, self.controller.A))
        )
        return StateSpace(A, *_NOTHING, self.period).poles

    def loop(self, name: str) -> StateSpace:
        """Open loop at an input of the arm, closed by u = -y, the other inputs under control."""
        return self._loop(self.model.inputs.index(name))

    @property
    def _closed(self) -> np.ndarray:
        A, B, C, D, _ = self._plant
        if self.controller is None:
            return A - B @ self.K @ self._basis
        Ac, Bc, Cc, Dc, _ = self.controller
        # u = Cc xc + Dc y,  y = C x + D u
        E = np.linalg.inv(np.eye(len(Dc)) - Dc @ D)
        u = np.hstack([E @ Dc @ C, E @ Cc])
        y = np.hstack([C, np.zeros((len(C), len(Ac)))]) + D @ u
        return np.vstack(
            [
                np.hstack([A, np.zeros((len(A), len(Ac)))]) + B @ u,
                Bc @ y + np.hstack([np.zeros((len(Ac), len(A))), Ac]),
            ]
        )

    def _loop(self, k: int) -> StateSpace:
        """Open loop at input k, closed by u = -y, the other inputs under control."""
        A, B, C, D, period = self._plant
        others = [i for i in range(B.shape[1]) if i != k]
        if self.controller is None:
            K = self.K @ self._basis
            return StateSpace(A - B[:, others] @ K[others], B[:, [k]], K[[k]], np.zeros((1, 1)), period)
        Ac, Bc, Cc, Dc, _ = self.controller
        # the other inputs are what the controller says; input k is v
        pick, given = np.eye(B.shape[1])[:, others] @ np.eye(B.shape[1])[others], np.eye(B.shape[1])[:, [k]]
        E = np.linalg.inv(np.eye(len(Dc)) - pick @ Dc @ D)
        u_state, u_v = E @ pick @ np.hstack([Dc @ C, Cc]), E @ given
        y_state = np.hstack([C, np.zeros((len(C), len(Ac)))]) + D @ u_state
        y_v = D @ u_v
        A_all = np.asarray(block_diag(A, Ac)) + np.vstack([B @ u_state, Bc @ y_state])
        B_all = np.vstack([B @ u_v, Bc @ y_v])
        out = np.hstack([np.zeros((len(Cc), len(A))), Cc]) + Dc @ y_state
        return StateSpace(A_all, B_all, -out[[k]], -(Dc @ y_v)[[k]], period)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays of a file: K; A, B, C, D of the controller, names of what it reads and gives, and the period."""
        found = {"K": self.K, "states": np.array(self.model.states), "outputs": np.array(self.model.inputs)}
        if self.controller is not None:
            found |= dict(zip("ABCD", self.controller[:4], strict=True)) | {"inputs": np.array(self.measured)}
        if self.L is not None:
            found["L"] = self.L
        return found if self.period is None else {**found, "period": np.array(self.period)}

    def save(self, path: str | os.PathLike, overwrite: bool = False) -> None:
        """Write everything to a .npz, .mat or .h5 file, whole or not at all.

        Raises
        ------
        ResultError
            The file exists and ``overwrite`` is false, cannot be written, or has another ending.
        """
        write_arrays(self.arrays, [path], overwrite)

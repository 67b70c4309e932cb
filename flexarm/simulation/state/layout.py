"""Layout of the state that is integrated."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from flexarm.model.coordinates import Coordinates


@dataclass(frozen=True)
class StateLayout:
    """Layout of the state that is integrated, ``y = [theta[theta_rows], integrals, theta_d[rows]]``.

    What is not among the rows is prescribed.

    Attributes
    ----------
    theta_rows, rows : list of int
    n_integrals : int
        Drives with an integral part: integrals of their errors; states of controllers; and the work of dry friction,
        if there is any.
    """

    theta_rows: list[int]
    rows: list[int]
    n_integrals: int = 0

    @classmethod
    def without(
        cls, coordinates: Coordinates, prescribed: Container[int], n_integrals: int = 0
    ) -> StateLayout:
        """All coordinates but those of the rows of prescribed joints, and integrals."""
        theta_rows = [row for row in range(coordinates.n_theta) if row not in prescribed]
        rows = [row for row in range(coordinates.n_dof) if row not in prescribed]
        return cls(theta_rows, rows, n_integrals)

    @property
    def first_rate(self) -> int:
        """Where the rates begin in y."""
        return len(self.theta_rows) + self.n_integrals

    @property
    def size(self) -> int:
        """Length of y."""
        return self.first_rate + len(self.rows)

    def state(self, theta: np.ndarray, theta_d: np.ndarray, integrals: np.ndarray) -> np.ndarray:
        """State y (n_y,) from theta (n_theta,) [rad, m, 1], theta_d (n_dof,) [rad/s, m/s] and those integrals."""
        return np.concatenate([theta[self.theta_rows], integrals, theta_d[self.rows]])

"""Campbell diagram: poles of an arm that turns steadily, over its rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import linear_sum_assignment

from flexarm.analysis.operating_points.operating_point import Progress, report_progress
from flexarm.analysis.operating_points.posture import Posture
from flexarm.analysis.rotation.spin_rates import Spin, spin_rates
from flexarm.analysis.rotation.steady_rotation import steady_rotations
from flexarm.analysis.small_motions.natural_modes import NaturalModes, modes_about
from flexarm.arguments import check_list, check_object
from flexarm.description.arm.arm import Arm
from flexarm.results.result import Result


@dataclass(frozen=True)
class Campbell:
    """Natural modes of an arm about steady rotations of one joint at several rates.

    Attributes
    ----------
    rates : (k,) [rad/s]
        Ascending.
    modes : tuple of NaturalModes
        One for each rate.
    """

    rates: np.ndarray
    modes: tuple[NaturalModes, ...]

    @cached_property
    def lines(self) -> np.ndarray:
        """Number of the mode that each line of the diagram meets at each rate, (k, lines); -1 where it meets none.

        A line follows a motion: the modes of neighbouring rates are paired so that their shapes are as alike as
        possible. Modes are counted from 0; there may be more of them at some rates, since two real poles are two
        modes where a complex pair is one.
        """
        here = np.arange(len(self.modes[0].modes.poles))
        rows = [here]
        for before, after in zip(self.modes[:-1], self.modes[1:], strict=True):
            X, Y, M = before.modes.shapes, after.modes.shapes, after.motion.M
            # a whirl whose frequency passes zero turns into its conjugate
            likeness = np.maximum(np.abs(X.conj().T @ M @ Y), np.abs(X.T @ M @ Y))
            lines = np.flatnonzero(here >= 0)
            old, new = linear_sum_assignment(-likeness[here[lines]])
            here = np.full(len(here), -1)
            here[lines[old]] = new
            begun = np.setdiff1d(np.arange(Y.shape[1]), new)
            free = np.flatnonzero(here < 0)[: len(begun)]
            here[free] = begun[: len(free)]
            here = np.concatenate([here, begun[len(free) :]])
            rows.append(here)
        return np.stack([np.pad(row, (0, len(here) - len(row)), constant_values=-1) for row in rows])

    @cached_property
    def poles(self) -> np.ndarray:
        """Poles along the lines, (k, lines) complex [1/s]; NaN where a line meets none."""
        found = [
            np.where(row >= 0, modes.modes.poles[row], np.nan)
            for row, modes in zip(self.lines, self.modes, strict=True)
        ]
        return np.stack(found)

    @property
    def frequencies(self) -> np.ndarray:
        """Imaginary parts of the poles along the lines, (k, lines) [rad/s]."""
        return np.imag(self.poles)

    @property
    def unstable(self) -> np.ndarray:
        """Rates at which some motion grows, (k,) of bool."""
        return np.array([modes.modes.unstable.any() for modes in self.modes])

    def result(self, command: str = "") -> Result:
        """Return everything as a result of kind ``modes``, the shapes being those at the lowest rate."""
        first = self.modes[0].result(command)
        poles = np.stack([np.real(self.poles), self.frequencies], axis=-1)
        return Result({**first, "campbell_rate": self.rates, "campbell_pole": poles}, first.attributes)


def campbell(
    arm: Arm,
    spin: Spin,
    *,
    joint: int | None = None,
    at: Posture = "initial",
    joints: str = "free",
    hold: Sequence[int] = (),
    progress: Progress | None = None,
) -> Campbell:
    """Natural modes about steady rotations at several rates.

    Parameters
    ----------
    arm : Arm
    spin : str or sequence of float
        Rates, "0:40:21 rad/s" or numbers [rad/s].
    joint, at, joints, hold : optional
        See :func:`~flexarm.analysis.small_motions.natural_modes.natural_modes`.
    progress : callable, optional
        Called with the fraction done, and None for a time.

    Raises
    ------
    ModelError
        The rates cannot be read, or there is no such steady rotation.

    Examples
    --------
    >>> import flexarm
    >>> arm = flexarm.load_arm("robots/lqr_arm.yaml")
    >>> diagram = flexarm.campbell(arm, spin=[0, 10], joint=1)
    >>> diagram.frequencies.round(2)
    array([[ 11.32, 112.73],
           [ 12.12, 118.64]])
    """
    check_object("arm", arm, Arm)
    check_list("hold", hold, whole=True)
    rates = spin_rates(spin)
    found = []
    for modes in modes_about(arm, at, joints, hold, steady_rotations(arm, rates, joint, joints, hold)):
        found.append(modes)
        report_progress(progress, len(found) / len(rates))
    return Campbell(rates, tuple(found))


def critical_rates(rates: np.ndarray, frequencies: np.ndarray, order: int) -> np.ndarray:
    """Rates [rad/s] at which a frequency is `order` times that of the rotation, interpolated, (c,).

    Parameters
    ----------
    rates : (k,) [rad/s]
        Ascending.
    frequencies : (k,) [rad/s]
        Imaginary parts of the poles along one line; NaN where there are none.
    order : int

    Notes
    -----
    Squares are interpolated: the square of a frequency grows by a multiple of that of the rate, exactly so where shapes
    stay the same.
    """
    apart = frequencies**2 - (order * rates) ** 2
    a, b = apart[:-1], apart[1:]
    crossed = ((a > 0) != (b > 0)) & np.isfinite(a) & np.isfinite(b)
    part = a[crossed] / (a[crossed] - b[crossed])
    squares = (rates**2)[:-1][crossed] + part * np.diff(rates**2)[crossed]
    return np.sign(rates[:-1] + rates[1:])[crossed] * np.sqrt(squares)

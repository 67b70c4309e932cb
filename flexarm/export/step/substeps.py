"""Substeps of a period: short enough for the method, and such that clocks have their instants at the ends of some."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.arguments import check_number
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.export.step.stepped_arm import SteppedArm
from flexarm.simulation.forward.cost.fastest_motion import FastestMotion, fastest_motion
from flexarm.solvers.stability import linearised_eigenvalues, longest_stable_step

MARGIN = 0.8
"""Part of the longest stable step at the start that is taken: in other postures an arm may vibrate more quickly."""
WHOLE = 1e-6
"""Part of a step by which an instant may be off its end."""
MOST_TRIED = 100
"""Multiples of the least number of substeps among which clocks may find theirs."""
MOST_SUBSTEPS = 100_000
EXPLICIT, IMPLICIT = "rk4", "rosenbrock"
METHODS = (EXPLICIT, IMPLICIT)
"""Methods of exported steps."""


@dataclass(frozen=True)
class Substeps:
    """Substeps of a period.

    Attributes
    ----------
    method : str
        Of :data:`METHODS`.
    period : float [s]
    count : int
    instants : list of (int, int)
        For each clock of the arm its period and its offset, in substeps.
    fastest : FastestMotion or None
        At the start; None where nothing moves by itself.
    stable_step : float [s]
        Longest step of the method there that lets no vibration grow.
    """

    method: str
    period: float
    count: int
    instants: list[tuple[int, int]]
    fastest: FastestMotion | None
    stable_step: float

    @property
    def step(self) -> float:
        """Length of a substep [s]."""
        return self.period / self.count

    @property
    def is_stable(self) -> bool:
        """True if a substep is within the limit of stability."""
        return self.step <= self.stable_step

    @property
    def reason(self) -> str:
        """Why there are so many; empty where nothing moves by itself."""
        if self.fastest is None:
            return ""
        text = f"fastest at the start: {self.fastest}, pole {abs(self.fastest.pole):.3g} 1/s"
        if math.isfinite(self.stable_step):
            text += f", so that {self.method} is stable up to {self.stable_step:.3g} s"
        return text

    def __str__(self) -> str:
        if self.count > 1:
            return f"{self.method}, {self.count} substeps of {self.step:.4g} s"
        return f"{self.method}, a step of {self.step:g} s"


def choose_substeps(stepped: SteppedArm, method: str, period: float, count: int | None) -> Substeps:
    """Choose the substeps of a period [s], or check their number.

    Raises
    ------
    ModelError
        Instants of sensors or controllers that fall between the ends of substeps, or more substeps than are allowed.
    """
    arm, rates = stepped.arm, stepped.native_rates()
    poles = linearised_eigenvalues(rates.f, 0.0, stepped.y0, rates.h)
    fastest = fastest_motion(rates, 0.0, stepped.y0, stepped.symbols.chain, stepped.symbols.layout)
    limit = longest_stable_step(method, poles) if method == EXPLICIT else np.inf
    if count is None:
        least = max(1, math.ceil(period / (MARGIN * limit))) if np.isfinite(limit) else 1
        if least > MOST_SUBSTEPS:
            raise ModelError(
                f"{arm.name}: {method} needs {least} substeps of {period:g} s for {fastest}",
                hint=f"take method {IMPLICIT}, or a joint or mode less that is so stiff",
            )
        fits = (n for n in range(least, MOST_TRIED * least + 1) if _misfit(arm, period / n) is None)
        count = next(fits, least)
    else:
        check_number("substeps", count, least=1, whole=True)
    h = period / count
    if (misfit := _misfit(arm, h)) is not None:
        raise ModelError(
            f"{arm.name}: {misfit} s is no multiple of the step, {h:.6g} s",
            hint="choose a period, or a number of substeps, whose parts fit the instants of the description",
        )
    instants = [(round(clock.period / h), round(clock.offset / h)) for clock in arm.clocks]
    return Substeps(method, period, count, instants, fastest, limit)


def _misfit(arm: Arm, h: float) -> str | None:
    """A period or offset of a clock that is no multiple of a step h [s]; None if all are."""
    for clock in arm.clocks:
        for what, time in (("a sampling period of", clock.period), ("an offset of", clock.offset)):
            n = round(time / h)
            if abs(time / h - n) > WHOLE or (n == 0) != (time == 0):
                return f"{what} {time:g}"
    return None

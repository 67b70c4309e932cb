"""One measured run: what the arm does in it for any values of the unknowns, with the derivatives by these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from flexarm.codegen.native_function import LEAST_OPTIMISATION
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.identification.measured.columns import Columns
from flexarm.identification.measured.driven_arm import MeasuredSetup
from flexarm.identification.measured.measurements import Measurement
from flexarm.progress import Progress
from flexarm.simulation.forward.parametric_model import ParametricModel, StructureMismatch
from flexarm.simulation.state.state_equation import StateEquation
from flexarm.simulation.state.tuned_shapers import tuned_shapers
from flexarm.solvers.base import start
from flexarm.sweeps.parameters.variation import Variation
from flexarm.sweeps.sensitivity.contact.motion_in_pieces import MotionInPieces
from flexarm.sweeps.sensitivity.directions.directions import (
    ArmsBeside,
    Directions,
    arms_beside,
    check_samples,
    directions_at,
)
from flexarm.sweeps.sensitivity.obstacles import check_datasets, check_followed
from flexarm.sweeps.sensitivity.variational_equations import Series, integrated, variational_equations

STEP, PAIRS = 1e-3, ((-1, 1), (1, 2), (-2, -1))
"""Step of the differences by which the model's numbers are differentiated, of the number; of second order."""
QUICK_STEP, SINGLE = 1e-6, ((1,), (-1,))
"""The same of first order, with half as many arms, while the window over the run is a part of it."""
WIDE = 0.2
"""Part by which the arms are changed that show which numbers of the model an unknown changes."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """Measured columns as the arm has them.

    Attributes
    ----------
    values : (m, c)
    slopes : (k, m, c)
        Derivatives by the numbers of the description.
    rates : (m, c)
        Derivatives by the time.
    """

    values: np.ndarray
    slopes: np.ndarray
    rates: np.ndarray


class MeasuredRun:
    """One measured run of an arm.

    Parameters
    ----------
    arm : Arm
    measurement : Measurement
    columns : Columns
    keys : sequence of str
        Numbers of the description that are unknown.
    values : sequence of float
        What they are at first.
    with_rates : bool
        Whether derivatives by the time are asked for.

    Attributes
    ----------
    has_events : bool
        Whether the motion goes from event to event, such as impacts; it then has no derivatives by the time.

    Raises
    ------
    ModelError
        The motion, or a key, has no derivatives; or the arm cannot take the inputs.
    """

    def __init__(
        self, arm: Arm, measurement: Measurement, columns: Columns, keys: Sequence[str],
        values: Sequence[float], with_rates: bool,
    ):  # fmt: skip
        self.measurement, self.columns, self._with_rates = measurement, columns, with_rates
        self._variation, self._setup = Variation(arm.text, keys), MeasuredSetup(arm, columns, measurement)
        self._datasets = {one.dataset for one in columns.outputs}
        check_followed(self._setup.of(arm))
        check_datasets(arm, self._datasets)
        self.has_events = arm.is_event_driven
        base, near = self._arms(values, STEP)
        check_samples(base, keys, near)
        _, wide = self._arms(values, WIDE)
        self._known = [base, *(one for _, found in (*near, *wide) for one in found)]
        self._derive()
        self._first = self._known.copy(), self._model, self._rates

    def restart(self) -> None:
        """Go back to the equations of the beginning, in which fewer numbers may be open."""
        known, self._model, self._rates = self._first
        self._known = known.copy()

    def _derive(self) -> None:
        """Derive and compile the equations in which the numbers are open that differ among the arms met so far."""
        try:
            self._model = ParametricModel(self._known, self._datasets)
        except StructureMismatch:
            raise ModelError(
                f"{self._known[0].name}: {', '.join(self._variation.keys)} change more than numbers of the model, "
                "so there is no derivative"
            ) from None
        self._rates = _rate_function(self._model.state_equation) if self._with_rates else None

    def _arms(
        self, values: Sequence[float], step: float, choices: Sequence[Sequence[int]] = PAIRS
    ) -> tuple[Arm, list[ArmsBeside]]:
        """The arm with some values, and those beside it."""
        variation = self._variation
        base = self._setup.of(tuned_shapers(variation.arm(values), report=False))
        beside: list[ArmsBeside] = []
        for k in range(len(values)):
            offsets, found = arms_beside(variation, values, k, choices, step)
            beside.append((offsets, [self._setup.of(one) for one in found]))
        return base, beside

    def _directions(self, values: Sequence[float], quick: bool) -> Directions:
        step, choices = (QUICK_STEP, SINGLE) if quick else (STEP, PAIRS)
        base, beside = self._arms(values, step, choices)
        try:
            return directions_at(self._model, base, values, beside, step)
        except StructureMismatch:  # numbers that were the same in all arms before
            self._known += [base, *(one for _, found in beside for one in found)]
            self._derive()
            return directions_at(self._model, base, values, beside, step)

    def simulate(
        self, values: Sequence[float], delays: np.ndarray, rows: int, progress: Progress | None = None
    ) -> Simulated:
        """Simulate the first rows of the run.

        Parameters
        ----------
        values : sequence of float
            Of the keys.
        delays : (c,) [s]
            By which the columns are late.
        rows : int

        Raises
        ------
        FlexarmError
            The values make no valid arm, or its integration fails.
        """
        found = self._directions(values, quick=rows < self.measurement.times.size)
        own = np.maximum(self.measurement.times[:rows, None] - delays, 0.0)
        times, places = np.unique(own, return_inverse=True)
        places = places.reshape(own.shape)
        parts, by_time = self._observed(found, times, progress)
        values_of, *slopes = [self._picked(part, places) for part in parts]
        rates = np.zeros_like(values_of)
        if by_time is not None:
            late = self.measurement.times[:rows, None] > delays
            rates = np.where(late, self._picked(by_time, places), 0.0)
        scaled = [slope / scale for slope, scale in zip(slopes, found.scales, strict=True)]
        return Simulated(values_of, np.array(scaled).reshape(len(scaled), *values_of.shape), rates)

    def _observed(
        self, found: Directions, times: np.ndarray, progress: Progress | None
    ) -> tuple[list[Series], Series | None]:
        """Datasets (m, ..) at times (m,) [s] with their derivatives, in scales; and by the time, if asked for."""
        arm = found.instance.arm
        if self.has_events:
            return MotionInPieces(found).observed(times, progress), None
        equations = variational_equations(found)
        problem = equations.problem(found)
        states = integrated(start(arm.run.method, problem), times, arm.name, progress)
        times = problem.within(times)
        parts = equations.observe(found, times, states)
        if self._rates is None:
            return parts, None
        f, h = self._rates.at(found.instance.parameters)
        plain = f.map(times, states[:, : f.n_y], h)
        return parts, self._model.state_equation.observables.datasets(plain)

    def _picked(self, datasets: dict[str, np.ndarray], places: np.ndarray) -> np.ndarray:
        """Measured columns (rows, c) of datasets, each at its own times."""
        columns = [datasets[one.dataset][(slice(None), *one.index)] for one in self.columns.outputs]
        return np.column_stack([column[place] for column, place in zip(columns, places.T, strict=True)])


def _rate_function(equation: StateEquation) -> ParametricFunction:
    """Machine code of the derivatives of the observables by the time, along the motion."""
    t, y, p, u = equation.output.sx_in()
    value, y_d = equation.output(t, y, p, u), equation.rhs(t, y, p, u)
    rate = ca.jtimes(value, t, ca.SX(1)) + ca.jtimes(value, y, y_d)
    tables, symbols = list(equation.tables), [u]
    if u.numel():
        u_d = ca.SX.sym("u_d", u.numel())
        rate += ca.jtimes(value, u, u_d)
        tables += [table.derivative() for table in equation.tables]
        symbols.append(u_d)
    f = ca.Function("rates", [t, y, p, ca.vertcat(*symbols)], [ca.densify(rate)])
    return ParametricFunction(f, equation.n_parameters, tables, optimisation=LEAST_OPTIMISATION)

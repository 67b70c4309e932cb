"""Cross-validation: how a fitted arm follows a run that was held back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.identification.measured.columns import Columns
from flexarm.identification.measured.measured_run import MeasuredRun
from flexarm.identification.measured.measurements import Measurement
from flexarm.identification.searching.fit_problem import FitProblem
from flexarm.identification.searching.search import Search
from flexarm.identification.unknowns import Unknown
from flexarm.identification.worth.fitted_series import FittedRun
from flexarm.identification.worth.goodness import ColumnFit
from flexarm.identification.worth.verdict import column_fits, fitted_runs
from flexarm.sweeps.parameters.replacement import replace as replaced


def cross_validated(
    arm: Arm, unknowns: Sequence[Unknown], values: Sequence[float], setup: Columns, held_back: Measurement
) -> tuple[FittedRun, tuple[ColumnFit, ...]]:
    """Follow a run with fitted numbers, offsets and delays; where starts were unknown, its own is fitted.

    Parameters
    ----------
    unknowns, values
        Of the fit.
    """
    pairs = list(zip(unknowns, values, strict=True))
    outputs = list(setup.outputs)
    for k, one in enumerate(outputs):
        own = {u.kind: value for u, value in pairs if u.target == one.name and u.kind in ("offset", "delay")}
        outputs[k] = replace(
            one, bias=one.bias + own.get("offset", 0.0), delay=one.delay + own.get("delay", 0.0)
        )
    setup = replace(setup, outputs=tuple(outputs))
    numbers = {one.target: float(value) for one, value in pairs if one.kind == "number"}
    arm = replaced(arm, numbers) if numbers else arm
    starts = [
        replace(one, name=one.target, start=value, run=0)
        for one, value in pairs
        if one.kind == "start" and one.run == 0
    ]
    keys, first = [one.target for one in starts], [one.start for one in starts]
    run = MeasuredRun(arm, held_back, setup, keys, first, False)
    problem = FitProblem(starts, [run], outputs)
    if starts:
        found = Search(problem, np.full(len(outputs), np.nan)).run(np.zeros(len(starts))).found
    else:
        found = problem.evaluate(np.empty(0))
    assert found is not None
    return fitted_runs(problem, found)[0], column_fits(problem, found)

"""Error of the tip against processor time: falling chains of flexible links in flexarm and in Exudyn.

The chains (chains/case.py) hang on the base and are released from rest. Both programs are compared with exact
inextensible beams (chains/exact_beams.py) whose own refinement is shown. The links are stiff enough that flexarm's
limit of many modes, which is exact to the second order in the deflections, and Exudyn's limit of many elements, whose
cables stretch a little, both lie within about 2e-5 m of these: smaller errors than that are not compared. The tip of a
long chain falls almost freely at first; the shorter ones tell more about flexibility. Derivation and compilation of
flexarm's equations are a column of their own, and so no part of the seconds; nor is the setting up of Exudyn's systems.

Run: python benchmarks/falling_chains.py [CASE ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

import numpy as np
from chains import exudyn_model
from chains.case import CASES, CHAINS, USORO, Case
from chains.exudyn_model import ExudynChain
from chains.flexarm_model import FlexarmChain
from chains.reference import read_reference
from measuring.machine import heading
from measuring.table import print_table
from measuring.timing import in_turn

MODES, TOLERANCES = (0, 1, 2, 3), (1e-3, 1e-6, 1e-9)
ELEMENTS_AND_STEPS = ((1, 5e-3), (1, 2e-3), (2, 2e-3), (2, 1e-3), (4, 1e-3), (4, 5e-4))
BUDGET = 1.0  # s of each case for further rounds, in turn
SLOW = 1.0
"""Seconds of a run that is not repeated."""
WANTED = (1e-3, 1e-4, 3e-5)  # m
USUAL = (USORO, *(case for case in CHAINS if case.n in (1, 8, 32)))
"""Cases measured unless others are named; chains/case.py has more."""


class Run(NamedTuple):
    """One way of computing a case: what it is called, how it is done, and how its tips are then read."""

    program: str
    name: str
    solve: Callable[[], object]
    tips: Callable[[], np.ndarray]
    build: float | None = None


class Measured(NamedTuple):
    """Seconds of one simulated second, largest distance of the tip from the reference [m]."""

    program: str
    name: str
    build: float | None
    seconds: float
    error: float


def flexarm_runs(case: Case) -> list[Run]:
    runs = []
    for modes in MODES:
        chain = FlexarmChain(case, modes)
        for rtol in TOLERANCES:
            name = f"{modes} modes" if modes else "rigid"
            runs.append(Run("flexarm", f"{name}, rtol {rtol:.0e}", lambda c=chain, r=rtol: c.solve(r),
                            chain.tips, chain.build_seconds))  # fmt: skip
    return runs


def exudyn_runs(exu: ModuleType, case: Case) -> list[Run]:
    runs = []
    for elements, step in ELEMENTS_AND_STEPS:
        chain = ExudynChain(exu, case, elements, step)
        runs.append(Run("Exudyn", f"{elements} elements, step {step:.0e} s", chain.solve, chain.tips))
    return runs


def measure(case: Case, runs: list[Run], reference: np.ndarray) -> list[Measured]:
    errors, first = [], {}
    for run in runs:
        first |= in_turn({run.name: run.solve}, 0.0, least=1, warm=False)
        errors.append(float(np.abs(run.tips() - reference).max()))
    quick = {run.name: run.solve for run in runs if first[run.name].fastest < SLOW}
    taken = first | in_turn(quick, BUDGET, least=1, most=25, warm=False)
    return [
        Measured(run.program, run.name, run.build, taken[run.name].median / case.duration, error)
        for run, error in zip(runs, errors, strict=True)
    ]


def fastest(measured: list[Measured], program: str, wanted: float) -> Measured | None:
    good = [row for row in measured if row.program == program and row.error <= wanted]
    return min(good, key=lambda row: row.seconds, default=None)


def report(case: Case, measured: list[Measured], changes: tuple[float, ...]) -> None:
    moved = ", ".join(f"{change:.1e}" for change in changes)
    print(
        f"{case.name}: {case.n} links, {case.duration:g} s; refinements of the reference moved its tip by {moved} m"
    )
    rows = [
        (f"{row.program}: {row.name}", f"{row.build:.1f}" if row.build is not None else None,
         f"{1e3 * row.seconds:.2f}", f"{row.error:.1e}")
        for row in measured
    ]  # fmt: skip
    print_table(("", "build s", "ms per simulated s", "tip error m"), rows)


def main() -> None:
    chosen = [case for case in CASES if case.name in sys.argv[1:]] or USUAL
    print(heading("flexarm", "llvmlite", "exudyn"))
    exu = exudyn_model.load()
    summary = []
    for case in chosen:
        reference = read_reference(case)
        runs = flexarm_runs(case) + (exudyn_runs(exu, case) if exu else [])
        measured = measure(case, runs, reference.tips)
        report(case, measured, reference.changes)
        for wanted in WANTED:
            ours, theirs = fastest(measured, "flexarm", wanted), fastest(measured, "Exudyn", wanted)
            summary.append(
                (case.name, f"{wanted:.0e}",
                 *((ours.name, f"{1e3 * ours.seconds:.2f}") if ours else (None, None)),
                 *((theirs.name, f"{1e3 * theirs.seconds:.1f}") if theirs else (None, None)),
                 f"{theirs.seconds / ours.seconds:.0f}" if ours and theirs else None)
            )  # fmt: skip
    print("fastest run whose tip is off by no more than so many metres, ms per simulated second")
    print_table(("case", "m", "flexarm", "ms", "Exudyn", "ms", "ratio"), summary)


if __name__ == "__main__":
    main()

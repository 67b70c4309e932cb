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
from types import ModuleType

from chains import exudyn_model
from chains.case import CASES, CHAINS, USORO, Case
from chains.comparison import Run, fastest_of_both, measure, print_fastest, report
from chains.exudyn_model import ExudynChain, Settings
from chains.flexarm_model import FlexarmChain
from chains.reference import read_reference
from measuring.machine import heading

MODES, TOLERANCES = (0, 1, 2, 3), (1e-3, 1e-6, 1e-9)
ELEMENTS_AND_STEPS = ((1, 5e-3), (1, 2e-3), (2, 2e-3), (2, 1e-3), (4, 1e-3), (4, 5e-4))
BUDGET = 1.0  # s of each case for further rounds, in turn
WANTED = (1e-3, 1e-4, 3e-5)  # m
USUAL = (USORO, *(case for case in CHAINS if case.n in (1, 8, 32)))
"""Cases measured unless others are named; chains/case.py has more."""


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
        settings = Settings(elements, step)
        chain = ExudynChain(exu, case, settings)
        runs.append(Run("Exudyn", settings.name, chain.solve, chain.tips))
    return runs


def main() -> None:
    chosen = [case for case in CASES if case.name in sys.argv[1:]] or USUAL
    print(heading("flexarm", "llvmlite", "exudyn"))
    exu = exudyn_model.load()
    summary = []
    for case in chosen:
        reference = read_reference(case)
        runs = flexarm_runs(case) + (exudyn_runs(exu, case) if exu else [])
        measured = measure(case, runs, reference.tips, BUDGET)
        report(case, measured, reference.changes)
        summary += [fastest_of_both(case, measured, wanted) for wanted in WANTED]
    print_fastest(summary)


if __name__ == "__main__":
    main()

"""Error of the tip against processor time: pendulums that bend by more than a radian, in flexarm and in Exudyn.

A beam of 1 m and 10 kg hangs on a pin and is released from the horizontal: EI = 20 N m^2, 1.5 s; 10 N m^2, 3 s.
In flexarm it is one link of several segments, in Exudyn a row of ANCF cables; both are compared with exact inextensible
beams (chains/exact_beams.py), every 0.1 s. Of the settings of either program the quickest one at a given error counts.

Exudyn has generalised alpha with a spectral radius of 0.9, a fixed step, the linear solver that is quicker, an axial
stiffness with which the stretch of the cables does not show, no output but the tip, no prints. Its modified Newton
method, the default, runs with a tolerance of 1e-6 (round-off of stiff cables keeps residuals above its default of
1e-8) and, as "tuned", with 1e-3, the loosest that does not show in the tip. Newton's full method takes up to four
times as long; the trapezoidal rule, smaller spectral radii, other quadratures and other criteria of the modified
method were tried and did not pay. Setting up is left out for both, as derivation and compilation are for flexarm.

Run: python benchmarks/soft_beams.py
"""

from __future__ import annotations

from itertools import product
from types import ModuleType

from chains import exudyn_model
from chains.case import SOFT, Case
from chains.comparison import Run, fastest_of_both, measure, print_fastest, report
from chains.exudyn_model import ExudynChain, Settings
from chains.flexarm_model import FlexarmChain
from chains.reference import read_reference
from measuring.machine import heading

SEGMENTS_AND_MODES = (
    (1, 3),
    (2, 2),
    (2, 3),
    (2, 4),
    (3, 3),
    (4, 2),
    (4, 3),
    (5, 2),
    (5, 3),
    (6, 2),
    (6, 3),
    (8, 3),
)
TOLERANCES = (1e-2, 1e-3, 1e-6)
COARSE = product(((4, 1e7), (6, 1e7), (8, 1e7)), (4e-3, 2e-3, 1e-3, 5e-4))
FINE = product(
    ((12, 1e8), (16, 1e8), (24, 1e8)), (2e-3, 1e-3, 5e-4)
)  # loose tolerances fail with longer steps
GRIDS = (*COARSE, *FINE)
"""(Elements, EA [N]) and steps [s]."""
NEWTON = {"Exudyn": 1e-6, "Exudyn, tuned": 1e-3}
"""Relative tolerances of the modified Newton method."""
SPARSE_FROM = 12  # elements
BUDGET = 30.0  # s of each case for further rounds, in turn
WANTED = (2.5e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5)  # m


def flexarm_runs(case: Case) -> list[Run]:
    runs = []
    for segments, modes in SEGMENTS_AND_MODES:
        chain = FlexarmChain(case, modes, segments, "polynomial")
        for rtol in TOLERANCES:
            runs.append(Run("flexarm", f"{segments} x {modes} modes, rtol {rtol:.0e}",
                            lambda c=chain, r=rtol: c.solve(r), chain.tips, chain.build_seconds))  # fmt: skip
    return runs


def exudyn_runs(exu: ModuleType, case: Case) -> list[Run]:
    runs = []
    for ((elements, EA), step), (peer, newton) in product(GRIDS, NEWTON.items()):
        settings = Settings(elements, step, EA, newton, SPARSE_FROM)
        chain = ExudynChain(exu, case, settings)
        runs.append(Run(peer, settings.name, chain.solve, chain.tips))
    return runs


def main() -> None:
    print(heading("flexarm", "llvmlite", "exudyn"))
    exu = exudyn_model.load()
    found = {}
    for case in SOFT:
        reference = read_reference(case)
        runs = flexarm_runs(case) + (exudyn_runs(exu, case) if exu else [])
        found[case] = measure(case, runs, reference.tips, BUDGET)
        report(case, found[case], reference.changes)
    for peer in NEWTON:
        print_fastest(
            [fastest_of_both(case, rows, m, peer) for case, rows in found.items() for m in WANTED], peer
        )


if __name__ == "__main__":
    main()

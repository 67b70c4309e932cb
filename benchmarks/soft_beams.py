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

Run: python benchmarks/soft_beams.py [--quick]
"""

from __future__ import annotations

from itertools import product
from types import ModuleType
from typing import NamedTuple

from chains import exudyn_model
from chains.case import SOFT, Case
from chains.comparison import Fastest, Run, measure, print_fastest, report
from chains.exudyn_model import ExudynChain, Settings
from chains.flexarm_model import FlexarmChain
from chains.reference import read_reference
from measuring.machine import heading, version_of
from measuring.options import is_quick
from measuring.table import print_speed_rows


class Effort(NamedTuple):
    """What is tried.

    Attributes
    ----------
    cases : tuple of Case
    segments_and_modes : tuple of (int, int)
    tolerances : tuple of float
        Relative ones of flexarm.
    grids : tuple of ((int, float), float)
        Elements and EA [N], steps [s] of Exudyn.
    budget : float [s]
        Of each case for further rounds, in turn.
    """

    cases: tuple[Case, ...]
    segments_and_modes: tuple[tuple[int, int], ...]
    tolerances: tuple[float, ...]
    grids: tuple[tuple[tuple[int, float], float], ...]
    budget: float


WHOLE = Effort(
    SOFT,
    ((1, 3), (2, 2), (2, 3), (2, 4), (3, 3), (4, 2), (4, 3), (5, 2), (5, 3), (6, 2), (6, 3), (8, 3)),
    (1e-2, 1e-3, 1e-6),
    (
        *product(((4, 1e7), (6, 1e7), (8, 1e7)), (4e-3, 2e-3, 1e-3, 5e-4)),
        *product(
            ((12, 1e8), (16, 1e8), (24, 1e8)), (2e-3, 1e-3, 5e-4)
        ),  # loose tolerances fail with longer steps
    ),
    30.0,
)
QUICK = Effort(SOFT[:1], ((2, 3),), (1e-3,), (((4, 1e7), 2e-3),), 0.0)
NEWTON = {"Exudyn": 1e-6, "Exudyn, tuned": 1e-3}
"""Relative tolerances of the modified Newton method."""
SPARSE_FROM = 12  # elements
WANTED = (2.5e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5)  # m
ROWS = {
    ("soft-20", 1e-4): "beam that bends by more than a radian (EI = 20 N m^2), 1 s, tip within 0.1 mm",
    ("soft-20", 2.5e-3): "the same within 2.5 mm",
}
"""Case and error of the rows of docs/speed.md, which compare with Exudyn as it is tuned."""


def flexarm_runs(case: Case, effort: Effort) -> list[Run]:
    runs = []
    for segments, modes in effort.segments_and_modes:
        chain = FlexarmChain(case, modes, segments, "polynomial")
        for rtol in effort.tolerances:
            runs.append(Run("flexarm", f"{segments} x {modes} modes, rtol {rtol:.0e}",
                            lambda c=chain, r=rtol: c.solve(r), chain.tips, chain.build_seconds))  # fmt: skip
    return runs


def exudyn_runs(exu: ModuleType, case: Case, effort: Effort) -> list[Run]:
    runs = []
    for ((elements, EA), step), (peer, newton) in product(effort.grids, NEWTON.items()):
        settings = Settings(elements, step, EA, newton, SPARSE_FROM)
        chain = ExudynChain(exu, case, settings)
        runs.append(Run(peer, settings.name, chain.solve, chain.tips))
    return runs


def main() -> None:
    quick = is_quick(__doc__)
    effort = QUICK if quick else WHOLE
    print(heading("flexarm", "llvmlite", "exudyn", quick=quick))
    exu = exudyn_model.load()
    measured = {}
    for case in effort.cases:
        reference = read_reference(case)
        runs = flexarm_runs(case, effort) + (exudyn_runs(exu, case, effort) if exu else [])
        measured[case] = measure(case, runs, reference.tips, effort.budget)
        report(case, measured[case], reference.changes)
    found = {
        peer: [Fastest.of(case, runs, m, peer) for case, runs in measured.items() for m in WANTED]
        for peer in NEWTON
    }
    for peer, rows in found.items():
        print_fastest(rows, peer)
    tuned = f"Exudyn {version_of('exudyn')}, tuned"
    rows = found["Exudyn, tuned"]
    print_speed_rows(
        __file__,
        [one.speed_row(ROWS[key], tuned) for one in rows if (key := (one.case.name, one.wanted)) in ROWS],
    )


if __name__ == "__main__":
    main()

"""Error of the tip against processor time: falling chains of flexible links in flexarm and in Exudyn.

The chains (chains/case.py) hang on the base and are released from rest. Both programs are compared with exact
inextensible beams (chains/exact_beams.py) whose own refinement is shown. The links are stiff enough that flexarm's
limit of many modes, which is exact to the second order in the deflections, and Exudyn's limit of many elements, whose
cables stretch a little, both lie within about 2e-5 m of these: smaller errors than that are not compared. The tip of a
long chain falls almost freely at first; the shorter ones tell more about flexibility. Derivation and compilation of
flexarm's equations are a column of their own, and so no part of the seconds; nor is the setting up of Exudyn's systems.

Run: python benchmarks/falling_chains.py [--quick] [CASE ...]
"""

from __future__ import annotations

from types import ModuleType
from typing import NamedTuple

from chains import exudyn_model
from chains.case import CASES, CHAINS, USORO, Case
from chains.comparison import Fastest, Run, measure, print_fastest, report
from chains.exudyn_model import ExudynChain, Settings
from chains.flexarm_model import FlexarmChain
from chains.reference import read_reference
from measuring.machine import heading, version_of
from measuring.options import option_parser
from measuring.table import print_speed_rows


class Effort(NamedTuple):
    """Settings that are tried, and seconds of each case for further rounds, in turn."""

    modes: tuple[int, ...]
    tolerances: tuple[float, ...]
    elements_and_steps: tuple[tuple[int, float], ...]
    budget: float


WHOLE = Effort(
    (0, 1, 2, 3),
    (1e-3, 1e-6, 1e-9),
    ((1, 1e-2), (1, 5e-3), (1, 2e-3), (2, 2e-3), (2, 1e-3), (4, 1e-3), (4, 5e-4)),
    1.0,
)
QUICK = Effort((0, 2), (1e-6,), ((2, 1e-3),), 0.0)
WANTED = (1e-3, 1e-4, 3e-5)  # m
USUAL = (USORO, *(case for case in CHAINS if case.n in (1, 8, 32)))
"""Cases measured unless others are named; chains/case.py has more."""
ROWS = {
    ("chain-32", 3e-5): "32 falling flexible links, 1 s, tip within 0.03 mm",
    ("usoro", 1e-4): "arm of Usoro et al., 1 s, tip within 0.1 mm",
}
"""Case and error of the rows of docs/speed.md."""


def flexarm_runs(case: Case, effort: Effort) -> list[Run]:
    runs = []
    for modes in effort.modes:
        chain = FlexarmChain(case, modes)
        for rtol in effort.tolerances:
            name = f"{modes} modes" if modes else "rigid"
            runs.append(Run("flexarm", f"{name}, rtol {rtol:.0e}", lambda c=chain, r=rtol: c.solve(r),
                            chain.tips, chain.build_seconds))  # fmt: skip
    return runs


def exudyn_runs(exu: ModuleType, case: Case, effort: Effort) -> list[Run]:
    runs = []
    for elements, step in effort.elements_and_steps:
        settings = Settings(elements, step)
        chain = ExudynChain(exu, case, settings)
        runs.append(Run("Exudyn", settings.name, chain.solve, chain.tips))
    return runs


def main() -> None:
    parser = option_parser(__doc__)
    names = [case.name for case in CASES]
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"any of {', '.join(names)}")
    options = parser.parse_args()
    if unknown := set(options.cases) - set(names):
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    chosen = [case for case in CASES if case.name in options.cases] or ((USORO,) if options.quick else USUAL)
    effort = QUICK if options.quick else WHOLE
    print(heading("flexarm", "llvmlite", "exudyn", quick=options.quick))
    exu = exudyn_model.load()
    found = []
    for case in chosen:
        reference = read_reference(case)
        runs = flexarm_runs(case, effort) + (exudyn_runs(exu, case, effort) if exu else [])
        measured = measure(case, runs, reference.tips, effort.budget)
        report(case, measured, reference.changes)
        found += [Fastest.of(case, measured, wanted, "Exudyn") for wanted in WANTED]
    print_fastest(found, "Exudyn")
    peer = f"Exudyn {version_of('exudyn')}"
    print_speed_rows(
        __file__,
        [one.speed_row(ROWS[key], peer) for one in found if (key := (one.case.name, one.wanted)) in ROWS],
    )


if __name__ == "__main__":
    main()

"""Cost of one evaluation of the accelerations against links n and modes per link m, formulation by formulation.

Chains of equal links in space, every joint's axis across the one before (flexarm.comparison.cost_scaling); without
geometric stiffening, which two of the formulations do not have. The recursive formulations of the papers fill and
solve a dense mass matrix, so that their chains end earlier: their lists of operations, and the time to compile them,
grow with the square and cube of the coordinates. How far the formulations agree is measured on the same kind of chain.

Run: python benchmarks/evaluation_cost.py [--quick]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

from flexarm.catalogue import FORMULATIONS
from flexarm.comparison.agreement import STATES, compare, random_states
from flexarm.comparison.cost_scaling import equal_links
from flexarm.comparison.evaluation_cost import Cost, cost
from flexarm.model.chain_builder import build_chain

FIRST = next(iter(FORMULATIONS))
LINKS, MODES = (1, 2, 4, 7, 10, 20), (0, 1, 2, 4)
QUICK_LINKS, QUICK_MODES = (1, 2), (0, 1)
LARGEST = {"articulated": 60, "gibbs-appell": 14, "lagrangian": 12, "elastodynamics": 10}
"""Coordinates of the largest chains: each column then takes seconds to compile."""
AGREEING = ((2, 2), (4, 1))
"""Links and modes of the chains on which all formulations are compared."""
QUICK_AGREEING = ((1, 1),)


def measure(name: str, links: Sequence[int], m: int) -> dict[int, Cost]:
    """Costs by the number of links."""
    costs = {}
    for n in links:
        if n * (1 + m) <= LARGEST[name]:
            arm = equal_links(n, m)
            chain = build_chain(arm)
            costs[n] = cost(chain, name, random_states(arm, chain, STATES, seed=0))
    return costs


def rows(links: Sequence[int], m: int) -> Iterator[tuple[object, ...]]:
    """Rows of chains with m modes a link; each formulation is compared with the first on its own longest chain."""
    found = {name: measure(name, links, m) for name in FORMULATIONS}
    for name, costs in found.items():
        *_, before, last = costs
        growth = np.log(costs[last].microseconds / costs[before].microseconds) / np.log(last / before)
        ratio = costs[last].microseconds / found[FIRST][last].microseconds
        cells = [f"{costs[n].microseconds:.2f}" if n in costs else None for n in links]
        yield name, m, f"{ratio:.1f}", last, costs[last].shared.total, f"{growth:.1f}", *cells


def main() -> None:
    quick = is_quick(__doc__)
    links, modes, agreeing = (QUICK_LINKS, QUICK_MODES, QUICK_AGREEING) if quick else (LINKS, MODES, AGREEING)
    print(heading("flexarm", "casadi", "llvmlite", quick=quick))
    print(
        "processor time of an evaluation: that of the longest chain, how it grew at last, us of all (least of several)"
    )
    header = (
        "formulation",
        "m",
        f"times {FIRST}'s",
        "longest n",
        "operations",
        "~ n^",
        *(f"n={n}" for n in links),
    )
    print_table(header, [row for m in modes for row in rows(links, m)])
    differences = [
        (f"{d.first}, {d.second}", n, m, f"{d.accelerations:.0e}")
        for n, m in agreeing
        for d in compare(equal_links(n, m)).differences
    ]
    print_table(("largest relative difference of accelerations", "n", "m", ""), differences)


if __name__ == "__main__":
    main()

"""Cost of one evaluation of the accelerations against links n and modes per link m, formulation by formulation.

Chains of equal links in space, every joint's axis across the one before (flexarm.comparison.cost_scaling); without
geometric stiffening, which two of the formulations do not have. The
recursive formulations of the papers fill and solve a dense mass matrix, so that their chains end earlier: their lists
of operations, and the time to compile them, grow with the square and cube of the coordinates. How far the formulations
agree is measured on the same kind of chain.

Run: python benchmarks/evaluation_cost.py
"""

from __future__ import annotations

import numpy as np
from measuring.machine import heading
from measuring.table import print_table

from flexarm.catalogue import FORMULATIONS
from flexarm.comparison.agreement import STATES, compare, random_states
from flexarm.comparison.cost_scaling import equal_links
from flexarm.comparison.evaluation_cost import Cost, cost
from flexarm.model.chain_builder import build_chain

LINKS, MODES = (1, 2, 4, 7, 10, 20), (0, 1, 2, 4)
LARGEST = {"articulated": 60, "gibbs-appell": 14, "lagrangian": 12, "elastodynamics": 10}
"""Coordinates of the largest chains: each column then takes seconds to compile."""
AGREEING = ((2, 2), (4, 1))
"""Links and modes of the chains on which all formulations are compared."""


def measure(name: str, m: int) -> dict[int, Cost]:
    """Costs by the number of links."""
    costs = {}
    for n in LINKS:
        if n * (1 + m) <= LARGEST[name]:
            arm = equal_links(n, m)
            chain = build_chain(arm)
            costs[n] = cost(chain, name, random_states(arm, chain, STATES, seed=0))
    return costs


def row(name: str, m: int) -> tuple[object, ...]:
    costs = measure(name, m)
    *_, before, last = costs
    ratio = costs[last].microseconds / costs[before].microseconds
    cells = [f"{costs[n].microseconds:.2f}" if n in costs else None for n in LINKS]
    return name, m, *cells, f"{np.log(ratio) / np.log(last / before):.1f}", last, costs[last].shared.total


def main() -> None:
    print(heading("flexarm", "casadi", "llvmlite"))
    print("us per evaluation (the fastest of several), how it grew at last, operations of the longest chain")
    header = ("formulation", "m", *(f"n={n}" for n in LINKS), "~ n^", "longest n", "operations")
    print_table(header, [row(name, m) for m in MODES for name in FORMULATIONS])
    rows = [
        (f"{d.first}, {d.second}", n, m, f"{d.accelerations:.0e}")
        for n, m in AGREEING
        for d in compare(equal_links(n, m)).differences
    ]
    print_table(("largest relative difference of accelerations", "n", "m", ""), rows)


if __name__ == "__main__":
    main()

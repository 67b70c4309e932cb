"""Scaling of the cost of the equations with the numbers of links and modes, for every formulation."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from flexarm.catalogue import FORMULATIONS
from flexarm.comparison.agreement import STATES, random_states
from flexarm.comparison.evaluation_cost import Cost, cost
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.loader import parse_arm
from flexarm.model.chain_builder import build_chain
from flexarm.progress import Progress

LINKS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20)
MODES = (1, 2, 3)
GROWTH_ESTIMATE = 2.5
"""Expected ratio of the time of the next point to that of the last one."""


@dataclass(frozen=True)
class ScalingPoint:
    """Cost of one formulation on a chain of n links with m modes each."""

    n: int
    m: int
    cost: Cost


@dataclass(frozen=True)
class CostScaling:
    """Result of :func:`measure_cost_scaling`.

    Attributes
    ----------
    spatial : bool
    points : tuple of Point
    ended : dict of (str, int) to int
        (formulation, m) -> last n, where the time ran out before the largest n.
    """

    spatial: bool
    points: tuple[ScalingPoint, ...]
    ended: dict[tuple[str, int], int]

    def curve(self, formulation: str, m: int) -> list[ScalingPoint]:
        """Points of one formulation and number of modes, n ascending."""
        return [point for point in self.points if point.cost.formulation == formulation and point.m == m]


def equal_links(n: int, m: int, spatial: bool = True) -> Arm:
    """Make an arm of n equal links with m clamped-free modes in bending each.

    In space each joint's axis stands across the one before it, so that nothing vanishes for being planar. Links keep
    their length when they bend: two of the formulations know no foreshortening.
    """
    link = f"{{length: 1.0, mu: 5.0, EI: 1000.0, modes: {{family: clamped-free, count: {m}}}}}"
    links = "".join(f"  - {link if m else '{length: 1.0, mu: 5.0}'}\n" for _ in range(n))
    joints = "".join(f"  - {{twist: {90 if spatial and i else 0} deg}}\n" for i in range(n))
    head = f"name: chain-{n}-{m}\ngeometric_stiffening: false\n"
    return parse_arm(f"{head}links:\n{links}joints:\n{joints}", source="chain")


def measure_cost_scaling(
    links: Sequence[int] = LINKS,
    modes: Sequence[int] = MODES,
    budget: float = 20.0,
    spatial: bool = True,
    progress: Progress | None = None,
) -> CostScaling:
    """Measure the cost of the equations of chains of growing length.

    Parameters
    ----------
    links, modes : sequence of int
        Numbers of links and of modes per link.
    budget : float [s]
        Processor time for each formulation and number of modes; the curve ends where the next point would exceed it.
    spatial : bool
        See :func:`equal_links`.
    progress : callable, optional
        Receives the fraction done.
    """
    points: list[ScalingPoint] = []
    ended: dict[tuple[str, int], int] = {}
    curves = [(name, m) for m in modes for name in FORMULATIONS]
    for done, (name, m) in enumerate(curves):
        start, last = time.process_time(), 0.0
        for k, n in enumerate(links):
            if progress is not None:
                progress((done + k / len(links)) / len(curves), None)
            spent = time.process_time() - start
            if k and spent + GROWTH_ESTIMATE * last > budget:
                ended[name, m] = links[k - 1]
                break
            arm = equal_links(n, m, spatial)
            chain = build_chain(arm)
            points.append(ScalingPoint(n, m, cost(chain, name, random_states(arm, chain, STATES, seed=0))))
            last = time.process_time() - start - spent
    return CostScaling(spatial, tuple(points), ended)


def as_csv(scaling: CostScaling) -> str:
    """Format all points as comma-separated values."""
    rows = [
        "formulation,links,modes,products,sums,divisions,trigonometric,operations_as_derived,microseconds"
    ]
    for point in scaling.points:
        c = point.cost.shared
        numbers = (
            point.n,
            point.m,
            c.products,
            c.sums,
            c.divisions,
            c.trigonometric,
            point.cost.derived.total,
        )
        rows.append(",".join([point.cost.formulation, *map(str, numbers), f"{point.cost.microseconds:.4g}"]))
    return "\n".join(rows) + "\n"

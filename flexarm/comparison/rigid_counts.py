"""Products of rigid arms to which [BK83] section 6 compares its own: inverse dynamics and simulation of n joints.

[BK83] prints quotients and one total, not the formulas: these are of [Hollerbach1980], which counts the Newton-Euler
recursion of [LuhWalkerPaul1980], and of [WalkerOrin1982]. That of the last is put together from its parts, as reviews
such as [FeatherstoneOrin2000] have them, and from the solution of a symmetric system; the sum is the total of [BK83].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flexarm.comparison.agreement import random_states
from flexarm.comparison.cost_scaling import equal_links
from flexarm.comparison.evaluation_cost import cost
from flexarm.comparison.published_counts import BOOK_PRODUCTS, ChainSize
from flexarm.model.chain_builder import build_chain

COMPARED = ChainSize(6, 2, 3)
"""Arm of [BK83]'s comparison; a rigid one with as many coordinates has 12 joints."""
STATED = 12009
"""Products that [BK83] states for it, 'approximately'."""
JOINTS = COMPARED.n + COMPARED.n_f * COMPARED.m
FORMULATIONS_COUNTED = ("articulated", "gibbs-appell", "lagrangian")


class RigidFormula(NamedTuple):
    """Products of a method for rigid arms of n revolute joints.

    Attributes
    ----------
    source, method, task : str
        Who counts, what, and for which purpose: inverse dynamics or simulation.
    products : callable
        n -> products, divisions among them.
    """

    source: str
    method: str
    task: str
    products: Callable[[int], float]


def _walker_orin(n: int) -> float:
    newton_euler, composite_bodies = 137 * n - 22, 12 * n**2 + 56 * n - 27
    return (
        newton_euler + composite_bodies + (n**3 + 9 * n**2 - 4 * n) / 6
    )  # solved with the n x n inertia matrix


NEWTON_EULER = RigidFormula("[Hollerbach1980]", "Newton-Euler", "inverse dynamics", lambda n: 150 * n - 48)
LAGRANGIAN_3X3 = RigidFormula(
    "[Hollerbach1980]", "recursive Lagrangian, 3x3", "inverse dynamics", lambda n: 412 * n - 277
)
WALKER_ORIN = RigidFormula("[WalkerOrin1982]", "method 3", "simulation", _walker_orin)
FORMULAS = (NEWTON_EULER, LAGRANGIAN_3X3, WALKER_ORIN)


def most_joints(products: float) -> int:
    """Largest number of joints of a rigid arm that method 3 of [WalkerOrin1982] simulates with fewer products."""
    n = 1
    while WALKER_ORIN.products(n + 1) < products:
        n += 1
    return n


class Statement(NamedTuple):
    """Number that [BK83] prints in its comparison.

    Attributes
    ----------
    what : str
    printed, computed : float
        As printed, and by the formulas with the 12009 products that the text states.
    by_formula : float or None
        By the formulas alone, with the 11361 of [BK83]'s own, where it matters.
    """

    what: str
    printed: float
    computed: float
    by_formula: float | None = None


def _statements() -> tuple[Statement, ...]:
    quotient = LAGRANGIAN_3X3.products(JOINTS) / NEWTON_EULER.products(JOINTS)
    rigid, own = WALKER_ORIN.products(JOINTS), BOOK_PRODUCTS.count(*COMPARED)
    return (
        Statement(f"recursive Lagrangian (3x3) over Newton-Euler, {JOINTS} joints", 2.66, quotient),
        Statement(f"products of Walker and Orin's method 3, {JOINTS} joints", 4491, rigid),
        Statement("[BK83]'s products over those", 2.67, STATED / rigid, own / rigid),
        Statement("joints of a rigid arm with fewer products", 21, most_joints(STATED), most_joints(own)),
    )


STATEMENTS = _statements()


def own_products(n: int) -> dict[str, int]:
    """Count the products and divisions of this package's accelerations of n rigid links, each axis across the last."""
    arm = equal_links(n, 0)
    chain = build_chain(arm)
    states = random_states(arm, chain, 1, 0)
    counts = {name: cost(chain, name, states).shared for name in FORMULATIONS_COUNTED}
    return {name: found.products + found.divisions for name, found in counts.items()}

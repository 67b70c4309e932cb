"""The equations of motion: agreement of all formulations, printed coefficients, printed operation counts."""

from __future__ import annotations

from itertools import combinations

import numpy as np

import flexarm
from flexarm.catalogue import FORMULATIONS
from flexarm.comparison.agreement import random_states
from flexarm.comparison.published_counts import TOTALS, PrintedTotal
from flexarm.model.chain_builder import build_chain
from flexarm.validation.arms import largest, shipped
from flexarm.validation.case import Case, residual

ROUND_OFF = 1e-10  # relative
AGREE = "[GA09], [BK83], [NA04] and articulated describe one system"
EVERY_FORMULATION = tuple(FORMULATIONS)
FLOATING = tuple(name for name, entry in FORMULATIONS.items() if entry.can.free_base)


def _disagreement(name: str, formulations: tuple[str, ...]) -> float:
    """Largest relative difference of mass matrix, bias and accelerations of a shipped arm at random states.

    Without geometric stiffening if one of the formulations has none.
    """
    arm = shipped(name)
    if not all(FORMULATIONS[formulation].can.stiffening for formulation in formulations):
        arm = arm.model_copy(update={"geometric_stiffening": False})
    states = random_states(arm, build_chain(arm), 2, seed=0)
    found = []
    for formulation in formulations:
        equations = flexarm.motion_equations(arm, formulation=formulation)
        no_torque = np.zeros(equations.n_dof)
        found.append(
            [
                quantity
                for y, v in states
                for quantity in (
                    equations.mass_matrix(y),
                    equations.bias(y, v),
                    equations.forward_dynamics(y, v, no_torque),
                )
            ]
        )
    return max(
        largest(one - other) / largest(other)
        for pair in combinations(found, 2)
        for one, other in zip(*pair, strict=True)
    )


def _coefficients() -> np.ndarray:
    """Coefficients of accelerations in F_1 and F_2 of the undeformed arm: parts without and with cos q_2.

    Of q_2 and the two modes in F_1, then of the modes in F_2; over mu L^3 and mu L^2.
    """
    L, mu = 1.05, 0.405
    equations = flexarm.motion_equations(shipped("korayem_1994_closed_form"))
    units = mu * L ** np.array([3, 2, 2])
    without, along = (equations.mass_matrix(np.array([0.0, 0.0, q2, 0.0])) for q2 in (np.pi / 2, 0.0))
    first = np.array([without[0, [2, 1, 3]], (along - without)[0, [2, 1, 3]]]) / units
    return np.concatenate([first.T.ravel(), without[2, [1, 3]] / units[1:]])


def _counts(name: str, quantity: str, source: str, totals: list[PrintedTotal]) -> Case:
    return Case(
        name=name,
        quantity=quantity,
        source=source,
        reference=tuple(float(total.printed) for total in totals),
        tolerance=0.0,
        form=".0f",
        find=lambda: [total.formula.count(*(total.meant or total.case)) for total in totals],
    )


CASES = (
    residual(
        name="formulations-in-a-plane",
        quantity="difference of the four formulations on `usoro_two_link` at random states, relative",
        source=AGREE,
        tolerance=ROUND_OFF,
        floor=1e-11,
        find=lambda: _disagreement("usoro_two_link", EVERY_FORMULATION),
    ),
    residual(
        name="formulations-in-space",
        quantity="difference of the four formulations on `spatial_three_link` without geometric stiffening at random "
        "states, relative",
        source=AGREE,
        tolerance=ROUND_OFF,
        floor=1e-11,
        find=lambda: _disagreement("spatial_three_link", EVERY_FORMULATION),
    ),
    residual(
        name="formulations-afloat",
        quantity="difference of the two formulations that float on `space_arm` at random states, relative",
        source="[FL17] and articulated describe one system",
        tolerance=ROUND_OFF,
        floor=1e-11,
        find=lambda: _disagreement("space_arm", FLOATING),
    ),
    Case(
        name="sy94-coefficients",
        quantity="coefficients of q2_dd, d11_dd, d21_dd in F_1 of `korayem_1994_closed_form`, 1 and cos q2 of each; "
        "d11_dd, d21_dd in F_2",
        source="[SY94] section 6.1, in mu L^3 and mu L^2",
        reference=(0.333, 0.5, -0.729, -1.571, 0.318, 0.637, -1.047, 0.318),
        tolerance=1e-3,
        form=".3f",
        find=_coefficients,
    ),
    _counts(
        "counts-ga09-small",
        "products and sums of [BK83] and [GA09] for n=3, n_f=2, m=2",
        "[GA09] table 2",
        list(TOTALS[:4]),
    ),
    _counts(
        "counts-ga09-large",
        "products and sums of [BK83] and [GA09] for n=6, n_f=6, m=2",
        "[GA09] table 2, whose head says m=3",
        list(TOTALS[4:8]),
    ),
    _counts(
        "counts-fl17",
        "products and sums with 3x3 and with 4x4 matrices for n=10, m=2",
        "[FL17] table 2",
        list(TOTALS[9:13]),
    ),
)

"""Closed form of the equations of motion of one arm: sums of products of symbols, sines and cosines.

A formulation runs on symbols in the place of the arm's numbers; the operations it leaves are multiplied out. What
comes out holds for every arm of the same structure: symbols stand for lengths, masses, stiffnesses, friction; only
the dimensionless integrals of the mode shapes are numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import casadi as ca

from flexarm.closed_form.expansion import Progress, expand
from flexarm.closed_form.polynomials import Algebra, Sum, Symbol, real_terms
from flexarm.closed_form.symbolic_chain import Parameter, symbolic_chain
from flexarm.codegen.instructions import instructions
from flexarm.description.arm.arm import Arm
from flexarm.description.arm.joint.joint import Joint
from flexarm.formulations.formulation import make_formulation
from flexarm.model.coordinates import Coordinates

LIMIT = 20_000
"""Terms of one sum beyond which an equation is no longer something to read; two links with two modes stay below."""
TRUNCATIONS = ("all", "linear", "first-order", "rigid")


@dataclass(frozen=True)
class Term:
    """One product of a closed form.

    Attributes
    ----------
    coefficient : float
    factors : tuple of (str, int)
        Names of parameters, coordinates and rates with their powers.
    tanh : tuple of (tuple of Term, int)
        Hyperbolic tangents among the factors: argument and power.
    function : {"", "cos", "sin"}
    angle : tuple of Term
        The function's argument, a sum.
    """

    coefficient: float
    factors: tuple[tuple[str, int], ...]
    tanh: tuple[tuple[tuple[Term, ...], int], ...] = ()
    function: str = ""
    angle: tuple[Term, ...] = ()

    def power(self, name: str) -> int:
        """Power of a named factor; 0 where it is absent."""
        return dict(self.factors).get(name, 0)

    def without(self, name: str) -> Term:
        """Return the term divided by what it has of a named factor."""
        factors = tuple(factor for factor in self.factors if factor[0] != name)
        return Term(self.coefficient, factors, self.tanh, self.function, self.angle)


@dataclass(frozen=True)
class ClosedForm:
    """Closed form of the generalised forces in theta, theta_d and theta_dd.

    Attributes
    ----------
    arm : str
        Name of the arm.
    joints : tuple of Joint
        Its joints, whose types say what their coordinates are.
    formulation : str
        By which they were derived.
    truncation : {"all", "linear", "first-order", "rigid"}
        What stays of the deflections.
    coordinates, rates, accelerations : tuple of str
        Entries of theta, theta_d and theta_dd. Rates end in ``_d`` but for those of a free base, v_x and w_x.
    parameters : tuple of Parameter
    forces : tuple of tuple of Term
        One sum for each entry of theta_d.
    """

    arm: str
    joints: tuple[Joint, ...]
    formulation: str
    truncation: str
    coordinates: tuple[str, ...]
    rates: tuple[str, ...]
    accelerations: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    forces: tuple[tuple[Term, ...], ...]

    @property
    def n_terms(self) -> int:
        """Number of products in all equations."""
        return sum(map(len, self.forces))

    def mass_row(self, i: int) -> list[list[Term]]:
        """Row i of the mass matrix: one sum for each entry of theta_dd."""
        return [
            [term.without(name) for term in self.forces[i] if term.power(name)] for name in self.accelerations
        ]

    def bias_row(self, i: int) -> list[Term]:
        """Bias of equation i: its products without accelerations."""
        names = set(self.accelerations)
        return [term for term in self.forces[i] if not names & {name for name, _ in term.factors}]


def closed_form(
    arm: Arm,
    truncation: str = "all",
    formulation: str = "articulated",
    limit: int | None = LIMIT,
    progress: Progress | None = None,
) -> ClosedForm:
    """Derive the closed form of an arm's equations of motion.

    Parameters
    ----------
    arm : Arm
    truncation : {"all", "linear", "first-order", "rigid"}
        What stays of the deflections. ``linear`` drops every product of two among modal amplitudes, their rates and
        second rates. ``first-order`` drops products of two amplitudes only, as [SY94] section 6.1 does; so
        does ``all`` for an arm that leaves them out. ``rigid`` takes the links for rigid.
    formulation : str
        Whose inverse dynamics are multiplied out.
    limit : int or None
        Longest sum; None for no limit.
    progress : callable, optional
        Receives the fraction done.

    Raises
    ------
    ModelError
        The equations are longer than the limit, or the formulation has none for the arm.

    Notes
    -----
    The quaternion of a free base has unit length here; its e_0^2 is written as 1 - e_1^2 - e_2^2 - e_3^2.
    """
    if truncation not in TRUNCATIONS:
        raise ValueError(f"expected one of {TRUNCATIONS}, got {truncation!r}")
    if truncation == "rigid":
        rigid = tuple(link.rigid() for link in arm.links)
        arm = arm.model_copy(update={"links": rigid})
    elif truncation == "all" and not arm.products_of_deflections:
        truncation = "first-order"
    chain, parameters = symbolic_chain(arm)
    layout = chain.coordinates
    theta, theta_d, theta_dd = (
        ca.SX.sym(name, size)
        for name, size in (("theta", layout.n_theta), ("theta_d", layout.n_dof), ("theta_dd", layout.n_dof))
    )
    forces = make_formulation(formulation, chain).inverse_dynamics(theta, theta_d, theta_dd)
    symbols = ca.vertcat(*parameters.symbols.values())
    program = instructions(
        ca.Function("forces", [theta, theta_d, theta_dd, symbols], [ca.cse(ca.densify(forces))])
    )

    algebra = Algebra(order=1 if truncation in ("linear", "first-order") else None, limit=limit)
    amplitudes = set(layout.all_modes)
    rates, accelerations = _rates(arm, layout)

    def inputs(names: Iterable[str], small: bool = False) -> list[Sum]:
        return [
            {algebra.symbol(Symbol("symbol", name), small=small and row in amplitudes): 1.0}
            for row, name in enumerate(names)
        ]

    arguments = [
        inputs(layout.theta_labels, small=True),
        inputs(rates, small=truncation == "linear"),
        inputs(accelerations, small=truncation == "linear"),
        inputs(parameters.symbols),
    ]
    if arm.base == "free":
        algebra.set_unit_length(tuple(monomial for e in arguments[0][-4:] for monomial in e))
    sums = expand(program, arguments, algebra, progress)
    return ClosedForm(
        arm=arm.name,
        joints=arm.joints,
        formulation=formulation,
        truncation=truncation,
        coordinates=layout.theta_labels,
        rates=rates,
        accelerations=accelerations,
        parameters=tuple(parameters.found.values()),
        forces=tuple(tuple(sorted(_terms(algebra, sums[0, row]), key=_order)) for row in range(layout.n_dof)),
    )


def _rates(arm: Arm, layout: Coordinates) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the rates and the second rates; of a free base velocity and angular velocity have their own."""
    own = set(layout.base) if arm.base == "free" else set()
    rates = tuple(name if row in own else f"{name}_d" for row, name in enumerate(layout.labels))
    return rates, tuple(f"{name}d" if name.endswith("_d") else f"{name}_d" for name in rates)


def _terms(algebra: Algebra, total: Sum) -> Iterator[Term]:
    for coefficient, factors, function, angles in real_terms(algebra, total):
        plain = tuple(sorted((symbol.name, n) for symbol, n in factors.items() if symbol.kind == "symbol"))
        tanh = tuple(
            (_argument(algebra, symbol), n) for symbol, n in factors.items() if symbol.kind == "tanh"
        )
        angle = tuple(
            Term(n * part.coefficient, part.factors)
            for symbol, n in angles.items()
            for part in _argument(algebra, symbol)
        )
        yield Term(coefficient, plain, tanh, function, angle)


def _argument(algebra: Algebra, symbol: Symbol) -> tuple[Term, ...]:
    """Argument of an angle or a hyperbolic tangent, a sum."""
    return tuple(
        Term(coefficient, tuple(sorted((part.name, n) for part, n in algebra.exponents(monomial))))
        for monomial, coefficient in symbol.of
    )


def _order(term: Term) -> tuple:
    """Sorting key: short products first, then by name."""
    return len(term.factors) + bool(term.function), term.factors, term.function, repr(term.angle)

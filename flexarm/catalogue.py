"""Methods of integration and inverse dynamics, formulations, mode families by name: each list is said here, once.

The entries are data and import nothing, so that descriptions, numerics, physics and the command line all read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Method:
    """One integration method.

    Attributes
    ----------
    source : str
        ``module:class`` of its :class:`~flexarm.solvers.base.Integration`.
    order : int
        Order of the error in the step; the highest one where the method varies it.
    adaptive : bool
        Whether it chooses its steps by rtol and atol; if not, it needs a step.
    needs_jacobian : bool
        Whether it solves equations in the state, for which it needs d rhs/d y.
    finds_events : bool
        Whether walls can be found in the dense output of its steps.
    has_lanes : bool
        Whether it integrates several arms side by side in vector registers.
    """

    source: str
    order: int
    adaptive: bool = True
    needs_jacobian: bool = False
    finds_events: bool = False
    has_lanes: bool = False


METHODS: dict[str, Method] = {
    "dop853": Method("flexarm.solvers.dop853.method:Dop853", order=8, finds_events=True, has_lanes=True),
    "rk4": Method("flexarm.solvers.rk4.method:Rk4", order=4, adaptive=False),
    "radau": Method("flexarm.solvers.scipy_methods:Radau", order=5, needs_jacobian=True),
    "bdf": Method("flexarm.solvers.scipy_methods:Bdf", order=5, needs_jacobian=True),
    "lsoda": Method("flexarm.solvers.scipy_methods:Lsoda", order=12, needs_jacobian=True),
}
"""Integration methods; the first one is the default."""


INVERSE_METHODS: dict[str, str] = {
    "stable": "flexarm.simulation.inverse.methods.stable_inversion:StableInversion",
    "causal": "flexarm.simulation.inverse.methods.causal_inversion:CausalInversion",
    "rigid": "flexarm.simulation.inverse.methods.rigid_inversion:RigidInversion",
}
"""Methods of inverse dynamics, as ``module:class``; the first one is the default."""


@dataclass(frozen=True)
class Capabilities:
    """Kinds of arm for which a formulation has equations; its fields are the columns of the table."""

    fixed_base: bool = True
    planar_base: bool = True
    free_base: bool = True
    small_rotation: bool = True
    finite_rotation: bool = True
    stiffening: bool = True
    prescribed_joints: bool = True


@dataclass(frozen=True)
class FormulationEntry:
    """One formulation: its class as ``module:class``, and what it can do."""

    source: str
    can: Capabilities


_AS_PUBLISHED = Capabilities(planar_base=False, free_base=False, stiffening=False)

FORMULATIONS: dict[str, FormulationEntry] = {
    "articulated": FormulationEntry("flexarm.formulations.methods.articulated:Articulated", Capabilities()),
    "gibbs-appell": FormulationEntry("flexarm.formulations.methods.gibbs_appell:GibbsAppell", Capabilities()),
    "lagrangian": FormulationEntry("flexarm.formulations.methods.lagrangian:Lagrangian", _AS_PUBLISHED),
    "elastodynamics": FormulationEntry(
        "flexarm.formulations.methods.elastodynamics:Elastodynamics", _AS_PUBLISHED
    ),
}
"""Formulations of the equations of motion; the first one is the default."""


@dataclass(frozen=True)
class ModeFamily:
    """One family of mode shapes; :data:`flexarm.links.mode_shapes.BUILDERS` says how its shapes are built.

    Attributes
    ----------
    directions : tuple of str
        Where it may be used: "y", "z", "torsion", "axial".
    rests_at_tip : bool
        Whether all its shapes vanish at the tip.
    """

    directions: tuple[str, ...]
    rests_at_tip: bool = False


BENDING = ("y", "z")
STRETCH = ("torsion", "axial")

MODE_FAMILIES: dict[str, ModeFamily] = {
    "clamped-free": ModeFamily(BENDING),
    "clamped-clamped": ModeFamily(BENDING, rests_at_tip=True),
    "clamped-pinned": ModeFamily(BENDING, rests_at_tip=True),
    "pinned-pinned": ModeFamily(BENDING, rests_at_tip=True),
    "pinned-free": ModeFamily(BENDING),
    "free-free": ModeFamily(BENDING),
    "hinged": ModeFamily(BENDING),
    "polynomial": ModeFamily(BENDING),
    "clamped-loaded": ModeFamily(BENDING),
    "finite-element": ModeFamily(BENDING),
    "fixed-free": ModeFamily(STRETCH),
    "fixed-fixed": ModeFamily(STRETCH, rests_at_tip=True),
    "table": ModeFamily(BENDING + STRETCH),
}


def load_source(source: str) -> Any:
    """Import what ``module:name`` points at; callers so pay for nothing that they do not use."""
    module, _, name = source.partition(":")
    return getattr(import_module(module), name)

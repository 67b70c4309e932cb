"""Registries of integration and inverse methods, formulations, mode families and joint types by name.

The entries are data and import nothing, so that descriptions, numerics, physics and the command line all read them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Method:
    """Integration method: what it needs and what it can do.

    Attributes
    ----------
    source : str
        ``module:class`` of its :class:`~flexarm.solvers.base.Integration`.
    order : int
        Order of the error in the step.
    adaptive : bool
        Whether it chooses its steps by rtol and atol; if not, it needs a step.
    needs_jacobian : bool
        Whether it solves equations in the state, for which it needs d rhs/d y.
    starts_with : str
        Method that takes the steps at first, of one that may change it; the Jacobian is needed only then.
    stepping : str
        ``module:class`` of its :class:`~flexarm.solvers.events.dense_integration.DenseIntegration`, in whose steps
        events are looked for; empty if it finds them by itself.
    locating : str
        ``module:class`` of its :class:`~flexarm.solvers.events.location.EventIntegration`, if it has one.
    has_lanes : bool
        Whether it integrates several arms side by side in vector registers.
    stability_polynomial : tuple of float
        Coefficients, from that of 1 on, of the polynomial in z = step x eigenvalue by which a step multiplies the
        solution of y' = z y, of an explicit method of fixed step; see :mod:`flexarm.solvers.stability`.
    """

    source: str
    stepping: str
    order: int
    locating: str = ""
    adaptive: bool = True
    needs_jacobian: bool = False
    starts_with: str = ""
    has_lanes: bool = False
    stability_polynomial: tuple[float, ...] = ()


METHODS: dict[str, Method] = {
    "dop853": Method(
        "flexarm.solvers.dop853.method:Dop853",
        stepping="",
        locating="flexarm.solvers.dop853.to_events:Dop853ToEvents",
        order=8,
        has_lanes=True,
    ),
    "rk4": Method(
        "flexarm.solvers.rk4.method:Rk4",
        "flexarm.solvers.rk4.dense_steps:DenseRk4",
        order=4,
        adaptive=False,
        stability_polynomial=(1, 1, 1 / 2, 1 / 6, 1 / 24),
    ),
    "radau": Method(
        "flexarm.solvers.radau.method:Radau",
        "flexarm.solvers.radau.dense_steps:DenseRadau",
        order=5,
        needs_jacobian=True,
    ),
    "auto": Method(
        "flexarm.solvers.auto.method:Auto",
        stepping="",
        locating="flexarm.solvers.auto.to_events:AutoToEvents",
        order=5,
        needs_jacobian=True,
        starts_with="dop853",
    ),
}
"""Integration methods; the first one is the default."""

FORMER_METHODS: dict[str, str] = {"bdf": "radau", "lsoda": "radau"}
"""Integration methods that there were, and those that do their work: older descriptions and results name them."""


INVERSE_METHODS: dict[str, str] = {
    "stable": "flexarm.simulation.inverse.methods.stable_inversion:StableInversion",
    "causal": "flexarm.simulation.inverse.methods.causal_inversion:CausalInversion",
    "rigid": "flexarm.simulation.inverse.methods.rigid_inversion:RigidInversion",
}
"""Methods of inverse dynamics, as ``module:class``; the first one is the default."""


FURTHER_QUANTITIES: dict[str, str] = {
    "generalised_forces": "those of inertia, gravity, deformation, friction, drives and loads, [NA04] eq. 24",
    "acceleration_energy": "1/2 int |acceleration|^2 dm, [NA04] eq. 19",
    "loads": "forces and moments that the joints transmit, and those in sections of the links",
}
"""What a run records only if it is asked to, and what it is."""


@dataclass(frozen=True)
class TimeLaw:
    """Time law of a line or circle from rest to rest.

    Attributes
    ----------
    description : str
    vanishing : int
        Rates of the position that vanish at both ends; the next one jumps there. 0: all of them.
    """

    description: str
    vanishing: int


TIME_LAWS: dict[str, TimeLaw] = {
    "quintic": TimeLaw("polynomial of degree 5, whose third rate jumps at both ends", 2),
    "septic": TimeLaw("of degree 7, whose fourth rate does", 3),
    "nonic": TimeLaw("of degree 9, whose fifth rate does", 4),
    "smooth": TimeLaw("no rate jumps", 0),
    "trapezoidal": TimeLaw("speed in ramps, over a quarter of the time at each end", 1),
    "s-curve": TimeLaw("acceleration in ramps, each over a seventh of the time", 2),
}
"""Time laws; the first one is the default."""


@dataclass(frozen=True)
class Capabilities:
    """Capabilities of a formulation: kinds of arm for which it has equations, the columns of the table."""

    fixed_base: bool = True
    planar_base: bool = True
    free_base: bool = True
    small_rotation: bool = True
    finite_rotation: bool = True
    stiffening: bool = True
    prescribed_joints: bool = True


@dataclass(frozen=True)
class FormulationEntry:
    """Formulation: its class as ``module:class``, and its capabilities."""

    source: str
    can: Capabilities


FORMULATIONS: dict[str, FormulationEntry] = {
    "articulated": FormulationEntry(
        "flexarm.formulations.methods.articulated.articulated:Articulated", Capabilities()
    ),
    "gibbs-appell": FormulationEntry(
        "flexarm.formulations.methods.gibbs_appell.gibbs_appell:GibbsAppell", Capabilities()
    ),
    "lagrangian": FormulationEntry(
        "flexarm.formulations.methods.lagrangian.lagrangian:Lagrangian", Capabilities(stiffening=False)
    ),
    "elastodynamics": FormulationEntry(
        "flexarm.formulations.methods.elastodynamics.elastodynamics:Elastodynamics",
        Capabilities(free_base=False, stiffening=False),
    ),
}
"""Formulations of the equations of motion; the first one is the default."""


def capability_table() -> str:
    """Format the table of capabilities: one formulation a line, yes or no for each."""
    names = [field.name for field in fields(Capabilities)]
    width = max(map(len, FORMULATIONS))
    lines = [" " * width + "  " + "  ".join(name.replace("_", " ") for name in names)]
    for formulation, entry in FORMULATIONS.items():
        cells = ("yes" if getattr(entry.can, name) else "no" for name in names)
        padded = (cell.ljust(len(name)) for cell, name in zip(cells, names, strict=True))
        lines.append(f"{formulation.ljust(width)}  {'  '.join(padded)}".rstrip())
    return "\n".join(lines)


@dataclass(frozen=True)
class ModeFamily:
    """Family of mode shapes; :data:`flexarm.links.shapes.mode_shapes.BUILDERS` has the function that builds them.

    Attributes
    ----------
    directions : tuple of str
        Where it may be used: "y", "z", "torsion", "axial".
    moving_tip : int or None
        How many of its shapes, the first ones, move the tip; None: all.
    held_at_start : bool
        Whether its shapes neither move nor turn the section at the start, so that a segment of a link can have them.
    carries_loads : bool
        Whether its first shapes are those that forces and moments at the end bend, twist or stretch a link to, so that
        segments can pass them on.
    """

    directions: tuple[str, ...]
    moving_tip: int | None = None
    held_at_start: bool = True
    carries_loads: bool = False


BEAM_DIRECTIONS = ("y", "z")
ROD_DIRECTIONS = ("torsion", "axial")
BEAM_ENDS = (
    "clamped-free",
    "clamped-clamped",
    "clamped-pinned",
    "pinned-pinned",
    "pinned-free",
    "free-free",
)
"""End conditions of a uniform beam, start and tip; the families of its eigenfunctions have their names."""

MODE_FAMILIES: dict[str, ModeFamily] = {
    **{
        ends: ModeFamily(
            BEAM_DIRECTIONS,
            moving_tip=None if ends.endswith("-free") else 0,
            held_at_start=ends.startswith("clamped-"),
        )
        for ends in BEAM_ENDS
    },
    "hinged": ModeFamily(BEAM_DIRECTIONS),
    "polynomial": ModeFamily(BEAM_DIRECTIONS, moving_tip=2, carries_loads=True),
    "craig-bampton": ModeFamily(BEAM_DIRECTIONS + ROD_DIRECTIONS, moving_tip=2, carries_loads=True),
    "clamped-loaded": ModeFamily(BEAM_DIRECTIONS),
    "finite-element": ModeFamily(BEAM_DIRECTIONS),
    "fixed-free": ModeFamily(ROD_DIRECTIONS),
    "fixed-fixed": ModeFamily(ROD_DIRECTIONS, moving_tip=0),
    "table": ModeFamily(BEAM_DIRECTIONS + ROD_DIRECTIONS),
}


@dataclass(frozen=True)
class JointType:
    """Joint type: how it moves, its units and its words.

    A joint with one coordinate q moves what it carries as a screw does, about and along its axis: by ``turn`` q and by
    ``shift`` q. Its motion subspace in the axes of the link is (turn axis; shift axis), which does not depend on q.

    Attributes
    ----------
    turn, shift : int or float [1, m]
        Angle about the axis, 1 or 0, and displacement along it for a unit of the coordinate.
    moves : bool
        False for a joint that is locked at its coordinate.
    coordinate, unit : str
        What the coordinate is called, and its unit.
    force, force_unit : str
        What drives it.
    inertia_unit : str
        Of what the joint accelerates.
    """

    turn: int
    shift: float
    coordinate: str
    unit: str
    force: str
    force_unit: str
    inertia_unit: str
    moves: bool = True

    @property
    def rate_unit(self) -> str:
        """Unit of the coordinate's rate."""
        return f"{self.unit}/s"

    @property
    def acceleration_unit(self) -> str:
        """Unit of the coordinate's acceleration."""
        return f"{self.unit}/s^2"

    @property
    def impulse_unit(self) -> str:
        """Unit of an impulse along the coordinate."""
        return f"{self.force_unit} s"

    @property
    def friction_unit(self) -> str:
        """Unit of viscous friction."""
        return f"{self.force_unit} s" if self.is_angle else f"{self.force_unit} s/{self.unit}"

    @property
    def is_angle(self) -> bool:
        """True if the coordinate is an angle."""
        return self.unit == "rad"


JOINT_TYPES: dict[str, JointType] = {
    "revolute": JointType(1, 0, "angle", "rad", "torque", "N m", "kg m^2"),
    "prismatic": JointType(0, 1, "position", "m", "force", "N", "kg"),
    "fixed": JointType(1, 0, "angle", "rad", "torque", "N m", "kg m^2", moves=False),
}
"""Joint types; the first one is the default."""


def load_source(source: str) -> Any:
    """Import the object at ``module:name``, and nothing before it is needed."""
    module, _, name = source.partition(":")
    return getattr(import_module(module), name)

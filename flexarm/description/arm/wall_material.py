"""What walls are made of: rigid ones with a restitution, soft ones with stiffness and damping, and their friction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field

from flexarm.description.arm.hunt_crossley import damping_of_restitution
from flexarm.description.arm.wall_friction import SMOOTHING, Friction, WallFriction
from flexarm.description.values.input_model import Faults, InputModel, KeyPath, key, wrong
from flexarm.description.values.quantities import NonNegative, Positive

Restitution = Annotated[float, Field(strict=True, ge=0, le=1)]
Exponent = Annotated[float, Field(strict=True, ge=1, le=10)]
ApproachSpeed = Annotated[float, Field(strict=True, ge=1e-6, le=1e6)]
HERTZ = 1.5
"""Exponent of a ball on a half-space."""
APPROACH_SPEED = 1.0
"""Speed [m/s] for which a restitution is translated unless one is given."""
SOFT_KEYS = ("exponent", "damping", "approach_speed")
"""Keys that say more of a stiffness."""


class SoftWall(NamedTuple):
    """Soft wall: force ``stiffness d^exponent (1 + damping d_d)`` at the depth d, never pulling.

    Attributes
    ----------
    number : int
        Of the wall in the description, from 0.
    stiffness : float [N/m^exponent]
    exponent : float
    damping : float [s/m]
    friction : float
        Coefficient of friction, None without.
    smoothing : float [m/s]
    """

    number: int
    stiffness: Any
    exponent: Any
    damping: Any
    friction: Any
    smoothing: Any


class WallMaterial(InputModel):
    """What a wall is made of; what is not given is that of all walls."""

    restitution: Restitution | None = key(
        "coefficient of restitution of this wall; by default that of contact", "-", default=None
    )
    friction: Friction | None = key("friction of this wall; by default that of contact", "-", default=None)
    stiffness: Positive | None = key(
        "stiffness k of a soft wall, which pushes with k d^exponent at the depth d; without it a wall is rigid",
        "N/m^exponent",
        default=None,
    )
    exponent: Exponent | None = key(
        f"exponent of the depth, {HERTZ:g} (Hertz) unless given; 1: a linear spring", "-", default=None
    )
    damping: NonNegative | None = key(
        "damping c of a soft wall (Hunt and Crossley): the force is multiplied by 1 + c times the rate of the depth",
        "s/m",
        default=None,
    )
    approach_speed: ApproachSpeed | None = key(
        "approach speed at which a soft wall has its restitution, from which its damping follows; "
        f"{APPROACH_SPEED:g} unless given",
        "m/s",
        default=None,
    )

    def completed(self, common: WallMaterial) -> Self:
        """The same wall with stiffness, exponent and damping of its own, if it is soft; `common` is that of all."""
        if (stiffness := _first(self.stiffness, common.stiffness)) is None:
            return self
        damping = self.damping
        if damping is None and self.restitution is None:
            damping = common.damping
        if damping is None:
            speed = _first(self.approach_speed, common.approach_speed, APPROACH_SPEED)
            damping = damping_of_restitution(_first(self.restitution, common.restitution), speed)
        exponent = _first(self.exponent, common.exponent, HERTZ)
        return self.model_copy(
            update={"stiffness": stiffness, "exponent": exponent, "damping": damping, "restitution": None}
        )

    def as_soft(self, number: int, friction: WallFriction | None) -> SoftWall:
        """This soft wall, the one of this number, with its friction."""
        mu, smoothing = None, SMOOTHING
        if friction is not None:
            mu, smoothing = friction.kinetic, _first(friction.smoothing, SMOOTHING)
        return SoftWall(number, self.stiffness, self.exponent, self.damping, mu, smoothing)

    def faults(self, path: KeyPath, soft: bool) -> Faults:
        """Faults of the keys of one place below `path`, whose wall is soft, or any of all walls."""
        given, both = self.model_fields_set, self.damping is not None
        if not soft:
            for name in SOFT_KEYS:
                if name in given:
                    hint = "give the wall a stiffness [N/m^exponent] too, or delete this line"
                    yield (*path, name), wrong("the wall is rigid", hint)
            return
        if both and "restitution" in given:
            fault = wrong("got damping and restitution, expected one of them", "each follows from the other")
            yield (*path, "damping"), fault
        if both and "approach_speed" in given:
            fault = wrong("it belongs to a restitution, but there is a damping", "delete one of them")
            yield (*path, "approach_speed"), fault

    def soft_faults(self, path: KeyPath, common: WallMaterial) -> Faults:
        """Faults of what a soft wall below `path` has, of its own or as all walls."""
        no_damping = self.damping is None and (self.restitution is not None or common.damping is None)
        owner, where = (self, path) if self.restitution is not None else (common, ())
        if no_damping and owner.restitution == 0:
            hint = "give 0.1 or more, or a damping [s/m]; or leave the stiffness out: a rigid wall"
            yield (*where, "restitution"), wrong("got 0, which no damping of a soft wall gives", hint)
        owner, where = (self, path) if self.friction is not None else (common, ())
        if owner.friction is not None and owner.friction.static is not None:
            hint = "friction of a soft wall is smoothed and holds nothing at rest: give kinetic alone"
            yield (*where, "friction", "static"), wrong("the wall is soft", hint)


def material_faults(common: WallMaterial, walls: Sequence[WallMaterial], impact_law: str | None) -> Faults:
    """Faults of what walls are made of, and of what is common to all, one for each key."""
    kinds = [each.stiffness is not None or common.stiffness is not None for each in walls]
    found = dict(common.faults((), any(kinds)))
    for number, (wall, soft) in enumerate(zip(walls, kinds, strict=True)):
        path: KeyPath = ("walls", number)
        found |= dict(wall.faults(path, soft))
        where, friction = (path, wall.friction) if wall.friction is not None else ((), common.friction)
        if soft:
            found |= dict(wall.soft_faults(path, common))
        elif friction is not None and friction.smoothing is not None:
            hint = "friction of a rigid wall is not smoothed; give the wall a stiffness, or delete this line"
            found[*where, "friction", "smoothing"] = wrong("the wall is rigid", hint)
    if impact_law is not None and all(kinds):
        found["impact_law",] = wrong("soft walls have no impacts", "delete this line")
    yield from found.items()


def _first(*values: Any) -> Any:
    """First of the values that is not None."""
    return next((value for value in values if value is not None), None)

"""Walls, the points of the arm that may touch them, and coefficients of restitution."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema, model_validator

from flexarm.description.arm.load import Station
from flexarm.description.arm.wall_friction import Friction, ImpactLaw, WallFriction
from flexarm.description.arm.wall_material import Restitution, SoftWall, WallMaterial, material_faults
from flexarm.description.values.input_model import (
    InputModel,
    at_least_one,
    expected,
    key,
    located,
)
from flexarm.description.values.quantities import Positive, Real


def _in_plane_or_space(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) not in (2, 3):
        raise expected("a list of 2 numbers [x, y] or of 3 [x, y, z]")
    return (*value, 0.0) if len(value) == 2 else value


Position = Annotated[
    tuple[Real, Real, Real],
    BeforeValidator(_in_plane_or_space),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3}),
]


def _unit(normal: tuple[float, float, float]) -> tuple[float, ...]:
    length = math.hypot(*normal)
    if not length > 0:
        raise expected("a normal that points somewhere", "for a floor: [0, 1]")
    return tuple(part / length for part in normal)


class HalfPlane(WallMaterial):
    """Straight wall; in space a plane, upright on the xy plane if its normal has no z."""

    point: Position = key("any point of the wall", "m")
    normal: Annotated[Position, AfterValidator(_unit)] = key(
        "direction away from the wall, towards the arm; of any length", "-"
    )


class WallCircle(InputModel):
    """Circle in the xy plane; in space a cylinder about its axis along z."""

    center: Position = key("centre", "m")
    radius: Positive = key("radius", "m")
    side: Literal["inside", "outside"] = key("where the arm is")


class CircleWall(WallMaterial):
    """Round wall."""

    circle: WallCircle = key("the circle")


Wall = HalfPlane | CircleWall


def _wall(value: Any) -> Any:
    if isinstance(value, Wall):
        return value
    if not isinstance(value, dict):
        raise expected("{point: [0, 0], normal: [0, 1]} or {circle: {center: .., radius: .., side: ..}}")
    return (CircleWall if "circle" in value else HalfPlane).model_validate(value)


def _point(value: Any) -> Any:
    if isinstance(value, Station):
        return value
    if isinstance(value, str) and (value == "all" or re.fullmatch(r"O[1-9]\d*", value)):
        return value
    if not isinstance(value, dict):
        raise expected("all, O1, O2 and so on, or {link: 1, at: 0.5}")
    return Station.model_validate(value)


def _one_or_several(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else (value,)


Point = Annotated[str | Station, BeforeValidator(_point, json_schema_input_type=str | Station)]


class ContactPoint(NamedTuple):
    """Point of the arm that may touch: its name, its link's index from 0, and the fraction of its length.

    None stands for the origin of the link's frame, from which the link's axis may be away if its modes move there.
    """

    name: str
    link: int
    at: float | None


class Contact(WallMaterial):
    """Contact with walls: walls, points that may touch, coefficients of restitution."""

    restitution: Restitution = key(
        "coefficient of restitution: speed after over speed before an impact", "-", default=1.0
    )
    friction: Friction | None = key(
        "coefficient of friction of all walls, or {static: 0.4, kinetic: 0.3}; by default there is none",
        "-",
        default=None,
    )
    impact_law: ImpactLaw | None = key(
        "law of impacts with friction, poisson unless given: restitution is the impulse of expansion over that of "
        "compression; newton: speed after over speed before",
        default=None,
    )
    walls: Annotated[
        tuple[Annotated[Wall, BeforeValidator(_wall, json_schema_input_type=Wall)], ...],
        at_least_one("wall"),
    ] = key("walls, each straight or round", json_schema_extra={"minItems": 1})
    points: Annotated[
        tuple[Point, ...],
        BeforeValidator(_one_or_several, json_schema_input_type=Point | list[Point]),
        at_least_one("point"),
    ] = key(
        "points of the arm that may touch: all = O1, O2 and so on to the tip; or a list of names and of "
        "places such as {link: 1, at: 0.5}",
        default=("all",),
    )

    @property
    def soft(self) -> tuple[SoftWall, ...]:
        """The soft walls."""
        return tuple(
            wall.as_soft(number, self.frictions[number])
            for number, wall in enumerate(self.walls)
            if wall.stiffness is not None
        )

    @property
    def rigid(self) -> tuple[int, ...]:
        """Numbers of the rigid walls, from 0."""
        return tuple(number for number, wall in enumerate(self.walls) if wall.stiffness is None)

    @property
    def rigid_walls(self) -> tuple[Wall, ...]:
        """The rigid walls."""
        return tuple(self.walls[number] for number in self.rigid)

    @property
    def restitutions(self) -> tuple[float, ...]:
        """Coefficient of restitution of every rigid wall [-]."""
        return tuple(
            self.restitution if wall.restitution is None else wall.restitution for wall in self.rigid_walls
        )

    @property
    def frictions(self) -> tuple[WallFriction | None, ...]:
        """Friction of every wall, None if it has none: it is not given, or 0."""
        chosen = [self.friction if wall.friction is None else wall.friction for wall in self.walls]
        return tuple(None if each is None or each.is_none else each for each in chosen)

    @property
    def rigid_frictions(self) -> tuple[WallFriction | None, ...]:
        """Friction of every rigid wall."""
        return tuple(self.frictions[number] for number in self.rigid)

    @property
    def has_friction(self) -> bool:
        """Whether any wall has friction."""
        return any(friction is not None for friction in self.frictions)

    @property
    def gives_friction(self) -> bool:
        """Whether the description has a coefficient of friction, which may be 0."""
        return any(each.friction is not None for each in (self, *self.walls))

    def places(self, n_links: int) -> tuple[ContactPoint, ...]:
        """Points that may touch, each once, in the order in which they are named."""
        return contact_points(self.points, n_links)

    @model_validator(mode="after")
    def _with_materials(self) -> Self:
        """Have soft walls with all that makes them; refuse what contradicts itself."""
        if faults := list(material_faults(self, self.walls, self.impact_law)):
            raise located(faults)
        self._assign(walls=tuple(wall.completed(self) for wall in self.walls))
        return self


def contact_points(points: Sequence[str | Station], n_links: int) -> tuple[ContactPoint, ...]:
    """Points of an arm by their names or places, each once; "all" stands for all that have a name."""
    found: dict[ContactPoint, None] = {}
    for point in points:
        if isinstance(point, Station):
            place = ContactPoint(f"link {point.link} at {point.at:g}", point.link - 1, point.at)
            found[_origin(place, n_links)] = None
        else:
            names = point_names(n_links) if point == "all" else [point]
            found |= dict.fromkeys(_named(name, n_links) for name in names)
    return tuple(found)


def point_names(n_links: int) -> list[str]:
    """Names of the points O_i: the joints, O1 first, and the tip."""
    return [f"O{i}" for i in range(1, n_links + 2)]


def _named(name: str, n_links: int) -> ContactPoint:
    """Point O_i: at the start of link i, the tip at the end of the last."""
    i = int(name[1:]) - 1
    return ContactPoint(name, i, None) if i < n_links else ContactPoint(name, n_links - 1, 1.0)


def _origin(place: ContactPoint, n_links: int) -> ContactPoint:
    """Same point by its own name, if it is one of the points O_i."""
    if place.at == 0:
        return _named(f"O{place.link + 1}", n_links)
    if place.at == 1 and place.link == n_links - 1:
        return _named(f"O{n_links + 1}", n_links)
    return place


def can_move(place: ContactPoint, moving: Sequence[bool], n_modes: Sequence[int]) -> bool:
    """True if a point of an arm on a fixed base can move.

    Parameters
    ----------
    moving : sequence of bool
        Which joints move freely.
    n_modes : sequence of int
        Modes of each link.
    """
    inboard = place.link + (place.at is not None)  # joints and links that have the point beyond them
    return any(moving[:inboard]) or any(n_modes[:inboard])

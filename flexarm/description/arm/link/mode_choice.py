"""Mode shapes of a link: family, count, direction, normalisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from flexarm.catalogue import BEAM_ENDS, MODE_FAMILIES, ROD_DIRECTIONS
from flexarm.description.values.input_model import Faults, InputModel, absent, expected, key, located, wrong
from flexarm.description.values.number_tables import Table
from flexarm.description.values.profile import check_increasing
from flexarm.description.values.quantities import WHOLE, NonNegative, Real
from flexarm.hints import listed

Direction = Literal["y", "z", "torsion", "axial"]
if TYPE_CHECKING:
    FamilyName = BeamEnds = str
else:
    FamilyName, BeamEnds = Literal[tuple(MODE_FAMILIES)], Literal[BEAM_ENDS]


MOST_MODES = 20
ModeCount = Annotated[int, Field(strict=True, ge=1, le=MOST_MODES), WHOLE]


class TipLoad(InputModel):
    """Tip load: the rigid body that clamped-loaded modes carry at the link's tip."""

    mass: NonNegative = key("mass", "kg")
    inertia: NonNegative = key("moment of inertia about the tip, about the axis of bending", "kg m^2")
    first_moment: Real = key("first moment of mass along the link, beyond the tip", "kg m", default=0.0)


class ModeTable(InputModel):
    """Table of mode shapes, sampled along the link at 4 stations at least (their splines are cubic)."""

    eta: tuple[NonNegative, ...] = key("distances from the start of the link, from 0 to its length", "m")
    values: tuple[tuple[Real, ...], ...] = key("for each station, the values of all modes")

    @property
    def n_modes(self) -> int:
        """Number of modes in the table."""
        return len(self.values[0])

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_increasing("eta", self.eta, "values", len(self.values))
        if len(self.eta) < 4:
            raise located([(("eta",), wrong(f"got {len(self.eta)} stations, expected at least 4"))])
        for k, row in enumerate(self.values):
            if len(row) != self.n_modes or not row:
                message = f"got {len(row)} values, expected {self.n_modes or 'at least 1'}, one for each mode"
                raise located([(("values", k), wrong(message))])
        return self


class _Tabled(InputModel):
    table: Table


def _mode_table(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, dict | ModeTable):
        return value
    rows = _Tabled.model_validate({"table": value}, context=info.context).table
    return ModeTable(eta=tuple(row[0] for row in rows), values=tuple(row[1:] for row in rows))


class Modes(InputModel):
    """Mode shapes of one family in one direction."""

    family: FamilyName = key(
        "mode shapes; fixed-free and fixed-fixed twist or stretch, craig-bampton and table do both, the others bend",
        default="craig-bampton",
    )
    count: ModeCount = key(f"number of modes, 1 to {MOST_MODES}")
    direction: Direction = key("deflection along y or z of the link frame, torsion or axial", default="y")
    normalisation: Literal["published", "tip"] = key(
        "published: shapes as in the literature; tip: scaled to 1 at the tip", default="published"
    )
    tip: Annotated[
        TipLoad | Literal["auto"] | None,
        BeforeValidator(lambda value: _tip(value), json_schema_input_type=TipLoad | Literal["auto"] | None),
    ] = key(
        "clamped-loaded only: the body at the tip, or auto = the rigid arm outboard of the link", default=None
    )
    ends: BeamEnds | None = key(
        "finite-element only: the end conditions, clamped-free by default", default=None
    )
    elements: Annotated[int, Field(strict=True, ge=1, le=1000), WHOLE] = key(
        "finite-element only: number of beam elements", default=40
    )
    table: Annotated[
        ModeTable | None, BeforeValidator(_mode_table, json_schema_input_type=str | ModeTable | None)
    ] = key(
        "table only: CSV file with the distance from the start of the link [m] and one column per mode",
        default=None,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        faults = [*self._misplaced_keys(), *self._wrong_direction(), *self._still_tip(), *self._too_many()]
        if faults:
            raise located(faults)
        if self.family == "finite-element" and self.ends is None:
            self._assign(ends="clamped-free")
        if self.table is not None:
            first = tuple(row[: self.count] for row in self.table.values)
            self._assign(table=ModeTable(eta=self.table.eta, values=first))
        return self

    def _misplaced_keys(self) -> Faults:
        for name, family in (
            ("tip", "clamped-loaded"),
            ("ends", "finite-element"),
            ("elements", "finite-element"),
            ("table", "table"),
        ):
            if name in self.model_fields_set and self.family != family:
                yield (name,), wrong(f"only family {family} has {name!r}, and the family is {self.family}")
        if self.family == "clamped-loaded" and self.tip is None:
            yield ("tip",), absent("the body at the tip: {mass: .., inertia: ..} or auto")
        if self.family == "table" and self.table is None:
            yield ("table",), absent("a CSV file: distance [m] and one column per mode")

    def _wrong_direction(self) -> Faults:
        if self.direction not in MODE_FAMILIES[self.family].directions:
            rods = listed(name for name, family in MODE_FAMILIES.items() if "torsion" in family.directions)
            fitting = rods if self.direction in ROD_DIRECTIONS else "a bending family such as clamped-free"
            yield ("family",), wrong(f"got {self.family!r} in direction {self.direction}, expected {fitting}")

    def _still_tip(self) -> Faults:
        ends = self.ends if self.family == "finite-element" and self.ends else self.family
        moving = MODE_FAMILIES[ends].moving_tip
        vanishes = moving is not None and self.count > moving
        if self.family == "table" and self.table is not None:
            vanishes = 0 in self.table.values[-1][: self.count]
        if self.normalisation == "tip" and vanishes:
            yield (
                ("normalisation",),
                wrong("got 'tip', but these shapes are zero at the tip", "use published"),
            )

    def _too_many(self) -> Faults:
        if self.family == "finite-element" and self.count > 2 * self.elements - 2:
            yield ("elements",), wrong(f"got {self.elements}, too few for {self.count} modes", "use 40")
        if self.table is not None and self.count > self.table.n_modes:
            yield ("count",), wrong(f"got {self.count}, but the table has {self.table.n_modes}")


def _tip(value: Any) -> Any:
    if isinstance(value, dict):
        return TipLoad.model_validate(value)
    if value is None or value == "auto" or isinstance(value, TipLoad):
        return value
    raise expected("auto or {mass: .., inertia: ..}")


def one_or_several(value: Any) -> Any:
    """List of sets of modes, from such a list, a single set, or how many there are of the default family."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_MODES:
        return [{"count": value}]
    if isinstance(value, dict | Modes):
        return [value]
    if not isinstance(value, list | tuple):
        raise expected(
            f"a number of modes from 1 to {MOST_MODES}, {{family: .., count: ..}} or a list of such sets"
        )
    return value


ModesInput = Annotated[
    tuple[Modes, ...], BeforeValidator(one_or_several, json_schema_input_type=ModeCount | Modes | list[Modes])
]

"""Description of the damping of one link: ratios of its own or of the arm's modes, Kelvin-Voigt, Rayleigh."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, TypeAdapter, model_validator

from flexarm.description.values.input_model import InputModel, expected, key, wrong
from flexarm.description.values.quantities import NonNegative, is_number


def _number_or_list(value: Any) -> Any:
    return (value,) if is_number(value) else value


Ratios = Annotated[
    tuple[NonNegative, ...],
    BeforeValidator(_number_or_list, json_schema_input_type=NonNegative | list[NonNegative]),
]


LAWS = "a number, a list with one per mode, {ratio: .., of: assembled}, {retardation: ..} or {mass: .., stiffness: ..}"


class Damping(InputModel):
    """Damping of a link: one of a ratio, a retardation time, or Rayleigh's two coefficients."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["ratio"]},
                {"required": ["retardation"]},
                {"anyOf": [{"required": ["mass"]}, {"required": ["stiffness"]}]},
            ]
        }
    )

    ratio: NonNegative | None = key("damping ratio of all its vibrations", "-", default=None)
    of: Literal["link", "assembled"] = key(
        "whose vibrations have the ratio: those of the link alone, its joint locked, or those of the assembled arm in "
        "its initial posture, where joints with a PD drive or a prescribed motion are held and the others free",
        default="link",
    )
    retardation: NonNegative | None = key(
        "Kelvin-Voigt: time that multiplies the strain rate, stress = E (strain + retardation * strain rate)",
        "s",
        default=None,
    )
    mass: NonNegative | None = key(
        "Rayleigh: factor of the link's modal mass, its joint locked, in the damping matrix",
        "1/s",
        default=None,
    )
    stiffness: NonNegative | None = key(
        "Rayleigh: factor of the link's stiffness in the damping matrix", "s", default=None
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        laws = {
            "ratio": self.ratio is not None,
            "retardation": self.retardation is not None,
            "mass and stiffness": self.mass is not None or self.stiffness is not None,
        }
        given = [name for name, is_given in laws.items() if is_given]
        if len(given) != 1:
            got = " besides ".join(given) or "no law of damping"
            raise wrong(f"got {got}, expected one of ratio, retardation, or mass and stiffness")
        if self.ratio is None and "of" in self.model_fields_set:
            raise wrong(f"got 'of' with {given[0]}, expected it with ratio alone")
        return self

    @property
    def assembled_ratio(self) -> float:
        """Ratio that the link asks for of the modes of the assembled arm."""
        return self.ratio or 0.0 if self.of == "assembled" else 0.0

    @property
    def proportions(self) -> tuple[float, float]:
        """Parts of the modal mass [1/s] and of the stiffness [s] in the damping matrix."""
        return self.mass or 0.0, self.stiffness or self.retardation or 0.0

    @property
    def is_zero(self) -> bool:
        """True if nothing is damped."""
        return not (self.assembled_ratio or any(self.proportions))

    def __str__(self) -> str:
        if self.ratio is not None:
            return f"{self.ratio:g} of the assembled arm"
        if self.retardation is not None:
            return f"retardation {self.retardation:g} s"
        return f"{self.mass or 0:g}/s x mass + {self.stiffness or 0:g} s x stiffness"


def read_damping(value: Any) -> tuple[float, ...] | Damping:
    """Damping as typed: ratios of the link's own modes as a tuple of them, other laws as they are."""
    if isinstance(value, Damping):
        return value
    if isinstance(value, dict):
        found = Damping.model_validate(value)
        return (found.ratio,) if found.ratio is not None and found.of == "link" else found
    if not is_number(value) and not isinstance(value, list | tuple):
        raise expected(LAWS)
    return _ratios().validate_python(value)


@cache
def _ratios() -> TypeAdapter[tuple[float, ...]]:
    return TypeAdapter(Ratios)

"""Coulomb friction of walls."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from flexarm.description.values.input_model import InputModel, expected, key

ImpactLaw = Literal["poisson", "newton"]


Coefficient = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1e6)]


Smoothing = Annotated[float, Field(strict=True, ge=1e-9, le=1e6)]
SMOOTHING = 0.01
"""Slip [m/s] at which the friction of a soft wall reaches 76 % unless one is given."""


class WallFriction(InputModel):
    """Coefficients of Coulomb friction."""

    kinetic: Coefficient = key("coefficient of friction of a point that slides", "-")
    static: Coefficient | None = key(
        "that of a point at rest, up to which it sticks; by default the kinetic one", "-", default=None
    )
    smoothing: Smoothing | None = key(
        f"slip at which the friction of a soft wall reaches 76 % (tanh 1); {SMOOTHING:g} unless given",
        "m/s",
        default=None,
    )

    @property
    def at_rest(self) -> float:
        """Coefficient up to which a point at rest sticks [-]."""
        return self.kinetic if self.static is None else self.static

    @property
    def is_none(self) -> bool:
        """Whether there is no friction: both are the number 0, not a symbol that may be 0 in some of many arms."""
        return isinstance(self.at_rest, float) and self.at_rest == 0

    @model_validator(mode="after")
    def _holds_more_at_rest(self) -> Self:
        if self.at_rest < self.kinetic:
            raise expected(
                f"static at least as large as kinetic ({self.kinetic:g})",
                "a point at rest holds as much as one that slides, or more",
            )
        return self


def _number_or_mapping(value: Any) -> Any:
    """A number stands for both coefficients."""
    return value if isinstance(value, dict | WallFriction) else {"kinetic": value}


Friction = Annotated[
    WallFriction, BeforeValidator(_number_or_mapping, json_schema_input_type=Coefficient | WallFriction)
]

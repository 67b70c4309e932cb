"""The state from which a motion starts."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from flexarm.spec.base import SpecModel, key, located, wrong
from flexarm.spec.quantities import Angle, AngularRate, Flag, Real


class Initial(SpecModel):
    """State at t = 0; everything not given is zero."""

    joints: tuple[Angle, ...] = key(
        "joint angles, one per joint or one per revolute joint", "rad", default=()
    )
    joint_rates: tuple[AngularRate, ...] = key("joint rates, likewise", "rad/s", default=())
    modes: tuple[Real, ...] = key("modal amplitudes of all links in order", "1 or m", default=())
    mode_rates: tuple[Real, ...] = key("rates of the modal amplitudes", "1/s or m/s", default=())
    equilibrium: Flag = key(
        "start at rest in static equilibrium; joints are then a first guess", default=False
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        clashing = [name for name in ("joint_rates", "modes", "mode_rates") if name in self.model_fields_set]
        if self.equilibrium and clashing:
            message = "got values besides equilibrium: true, which computes them"
            raise located([((name,), wrong(message, "remove one of them")) for name in clashing])
        return self

"""Rigid body that a link is, by its mass, mass centre and inertia tensor."""

from __future__ import annotations

from flexarm.description.values.input_model import InputModel, key
from flexarm.description.values.quantities import BodyInertia, Positive, Vector


class LinkBody(InputModel):
    """Rigid body of a link, in the axes of the link's frame."""

    mass: Positive = key("mass", "kg")
    center: Vector = key("mass centre as seen from the link's start", "m", default=(0.0, 0.0, 0.0))
    inertia: BodyInertia = key("inertia about its own mass centre", "kg m^2", default=(0.0,) * 6)

"""Description of one link: length, mass, stiffness, mode shapes and modal damping."""

from __future__ import annotations

import math
from functools import cache
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, PlainValidator, model_validator

from flexarm.description.arm.link.bending import Bending, BendingInput
from flexarm.description.arm.link.coupling_matrices import MatricesInput
from flexarm.description.arm.link.damping import Damping, read_damping
from flexarm.description.arm.link.key_clashes import clashing_keys, missing_keys
from flexarm.description.arm.link.material import Material
from flexarm.description.arm.link.mode_choice import ModesInput
from flexarm.description.arm.link.mode_faults import modes_without_stiffness, repeated_modes, uncut_modes
from flexarm.description.arm.link.rigid_body import LinkBody
from flexarm.description.arm.link.sections.section_choice import Section
from flexarm.description.values.input_model import Faults, InputModel, expected, key, located, wrong
from flexarm.description.values.profile import (
    Profile,
    ProfileInput,
    StationedProfile,
    span_fault,
)
from flexarm.description.values.quantities import WHOLE, Inertia3, NonNegative

MOST_SEGMENTS = 64
"""Largest number of segments of a link."""
SMALL_ROTATION = 0.2
"""Rotation [rad] of the end of a link, or of a segment of one, up to which its deflection counts as small."""

_SegmentCount = Annotated[int, Field(strict=True, ge=1, le=MOST_SEGMENTS), WHOLE]


def _segments(value: Any) -> Any:
    if isinstance(value, str):
        raise expected(f"a whole number from 1 to {MOST_SEGMENTS}, or auto")
    return value


class Link(InputModel):
    """Link along the x axis of its frame.

    After validation mu, EI, GJ, EA and rotary_inertia are known whether they were typed or follow from
    material and section, and ``damping`` has one entry per mode, set of modes by set of modes, unless it is another
    law than ratios of the link's own modes.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                {"required": ["mu"]},
                {"required": ["material", "section"]},
                {"required": ["body"]},
                {"required": ["matrices"]},
                {"required": ["length"], "maxProperties": 1},
            ]
        }
    )

    length: NonNegative = key("length of the link; 0 = it only carries a joint, or a body", "m")
    mu: ProfileInput = key("mass per length", "kg/m", default=None)
    EI: BendingInput = key(
        "bending stiffness by direction of deflection; a number is along y, in the xy plane",
        "N m^2",
        default=Bending(),
    )
    GJ: ProfileInput | None = key("torsional stiffness", "N m^2", default=None)
    EA: ProfileInput | None = key("axial stiffness", "N", default=None)
    rotary_inertia: Inertia3 = key(
        "rotary inertia per length about x, y, z; 0 = slender beam",
        "kg m",
        default=(0.0, 0.0, 0.0),
    )
    material: Material | None = key("with section, instead of mu, EI, GJ and EA", default=None)
    section: Section | None = key("with material, instead of mu, EI, GJ and EA", default=None)
    body: LinkBody | None = key("rigid body of a link without modes, instead of mu", default=None)
    matrices: MatricesInput = key(
        "mass, stiffness and modes as the coupling matrices of Book (1984), from a finite-element program, instead of "
        "mu, EI and modes: a YAML or JSON file, or its keys",
        default=None,
    )
    modes: ModesInput = key("mode shapes, one set or a list of sets; none = rigid link", default=())
    segments: Annotated[
        _SegmentCount,
        BeforeValidator(_segments, json_schema_input_type=_SegmentCount | Literal["auto"]),
    ] = key(
        f"parts, 1 to {MOST_SEGMENTS}, into which a soft link is cut inside the model, each with the modes given; "
        "auto = as many as its bending under weight, loads and torques needs",
        default=1,
    )
    damping: Annotated[
        tuple[float, ...] | Damping,
        PlainValidator(read_damping, json_schema_input_type=NonNegative | list[NonNegative] | Damping),
    ] = key(
        "damping ratio of the link's own modes: a number, or one per mode; or a mapping with another law",
        "-",
        default=(0.0,),
    )

    @property
    def mass(self) -> float:
        """Mass of its body, or integral of mu over the link, without hub [kg]."""
        if self.body is not None:
            return self.body.mass
        return self.length * self.mu.mean

    @property
    def is_body(self) -> bool:
        """True for a rigid body, or nothing at all, in the place of a beam: its mu is zero."""
        return self.body is not None or not self.length

    @property
    def n_modes(self) -> int:
        """Number of modes of all segments."""
        return self.segments * self.segment_modes

    @property
    def segment_modes(self) -> int:
        """Number of modes of one segment."""
        if self.matrices is not None:
            return self.matrices.n_modes
        return sum(modes.count for modes in self.modes)

    @property
    def mode_directions(self) -> tuple[str, ...]:
        """Direction of every mode in the order of the coordinates, segment by segment; "space" of those by matrices."""
        if self.matrices is not None:
            return ("space",) * self.n_modes
        return self.segments * tuple(modes.direction for modes in self.modes for _ in range(modes.count))

    @property
    def modes_in_words(self) -> str:
        """Sets of modes of each segment, on one line."""
        if self.matrices is not None:
            return f"{self.n_modes} by matrices"
        return (
            ", ".join(f"{modes.count} {modes.family} ({modes.direction})" for modes in self.modes) or "rigid"
        )

    @property
    def damping_law(self) -> Damping:
        """Damping other than by ratios of the link's own modes."""
        return self.damping if isinstance(self.damping, Damping) else _no_damping()

    @property
    def own_ratios(self) -> tuple[float, ...]:
        """Damping ratios of the link's own modes, one for each of them."""
        return (0.0,) * self.n_modes if isinstance(self.damping, Damping) else self.damping

    @property
    def is_damped(self) -> bool:
        """True if vibrations of the link lose energy in it."""
        by_matrix = self.matrices is not None and self.matrices.D is not None
        return self.n_modes > 0 and (by_matrix or any(self.own_ratios) or not self.damping_law.is_zero)

    def rigid(self) -> Self:
        """Same link without modes."""
        matrices = self.matrices and self.matrices.rigid()
        return self.model_copy(update={"modes": (), "damping": (), "segments": 1, "matrices": matrices})

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if faults := [
            *clashing_keys(
                self.model_fields_set, self.length, self.body, self.material, self.section, self.matrices
            ),
            *missing_keys(self.mu, self.is_body, self.material, self.section, self.matrices),
            *self._spans(),
        ]:
            raise located(faults)
        if self.is_body:
            self._assign(mu=_no_mass())
        self._use_material()
        self._use_matrices()
        self._use_fractions()
        if faults := [
            *modes_without_stiffness(self.modes, self.EI, self.GJ, self.EA, self.material),
            *repeated_modes(self.modes),
            *uncut_modes(self.modes, self.segments),
            *self._damping_count(),
        ]:
            raise located(faults)
        if not isinstance(self.damping, Damping):
            self._assign(damping=self._damping_by_mode(self.damping))
        return self

    def _spans(self) -> Faults:
        profiles = {("mu",): self.mu, ("EI", "y"): self.EI.y, ("EI", "z"): self.EI.z}
        profiles |= {("GJ",): self.GJ, ("EA",): self.EA}
        for path, profile in profiles.items():
            if isinstance(profile, StationedProfile) and (fault := span_fault(profile.eta, self.length)):
                yield (*path, "eta"), fault
        for path, fault in self.section.span_faults(self.length) if self.section is not None else ():
            yield ("section", *path), fault
        for k, modes in enumerate(self.modes):
            if modes.table is not None and (fault := span_fault(modes.table.eta, self.length)):
                yield ("modes", k, "table", "eta"), fault
        if self.matrices is not None and not math.isclose(end := self.matrices.stations[-1].eta, self.length):
            message = f"its last station is at {end:g} m, expected the end of the link at {self.length:g} m"
            yield ("matrices", "stations"), wrong(message)

    def _use_material(self) -> None:
        """Stiffness and inertia from E, G, rho and the section's area and moments; rotary inertia is the mean."""
        if self.material is None or self.section is None:
            return
        E, G, rho = self.material.E, self.material.shear_modulus, self.material.rho
        section = self.section.over(self.length)
        I_y = section.along(lambda one: one.second_moment_y)
        I_z = section.along(lambda one: one.second_moment_z)
        A = section.along(lambda one: one.area)
        self._assign(
            section=section,
            mu=A.scaled(rho),
            EI=Bending(y=I_z.scaled(E), z=I_y.scaled(E)),
            GJ=None if G is None else section.along(lambda one: one.torsion_constant).scaled(G),
            EA=A.scaled(E),
        )
        if "rotary_inertia" not in self.model_fields_set:
            self._assign(rotary_inertia=(rho * (I_y.mean + I_z.mean), rho * I_y.mean, rho * I_z.mean))

    def _use_matrices(self) -> None:
        """Mean mass per length, for what asks for no more."""
        if self.matrices is not None:
            self._assign(mu=Profile.constant(self.matrices.mass / self.length))

    def _use_fractions(self) -> None:
        """Stations of profiles in metres become fractions of the length."""

        def over(profile: Profile | None) -> Profile | None:
            return profile.over(self.length) if isinstance(profile, StationedProfile) else profile

        self._assign(mu=over(self.mu), GJ=over(self.GJ), EA=over(self.EA))
        if isinstance(self.EI.y, StationedProfile) or isinstance(self.EI.z, StationedProfile):
            self._assign(EI=Bending(y=over(self.EI.y), z=over(self.EI.z)))

    def _damping_count(self) -> Faults:
        counts = dict.fromkeys((self.segment_modes, self.n_modes))
        if isinstance(self.damping, Damping):
            return
        if len(self.damping) not in (1, *counts):
            expected = " or ".join(map(str, (1, *counts)))
            kind = (
                "one for each mode" if self.segments == 1 else "one for each mode of a segment or of the link"
            )
            message = f"got {len(self.damping)} values, expected {expected}, {kind}"
            yield ("damping",), wrong(message)

    def _damping_by_mode(self, ratios: tuple[float, ...]) -> tuple[float, ...]:
        """One ratio for each mode of the link; a list as for one segment is for the lowest modes of each direction."""
        if len(ratios) == 1:
            return ratios * self.n_modes
        return (*ratios, *[0.0] * (self.n_modes - len(ratios)))


@cache
def _no_mass() -> Profile:
    return Profile.model_construct(eta=(0.0, 1.0), values=(0.0, 0.0))


@cache
def _no_damping() -> Damping:
    return Damping(retardation=0.0)

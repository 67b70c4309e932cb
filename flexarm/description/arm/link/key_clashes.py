"""Keys of a link that exclude or need each other: numbers, material and section, matrices, or a rigid body."""

from __future__ import annotations

from collections.abc import Set

from flexarm.description.arm.link.coupling_matrices import CouplingMatrices
from flexarm.description.arm.link.material import Material
from flexarm.description.arm.link.rigid_body import LinkBody
from flexarm.description.arm.link.sections.section_choice import Section
from flexarm.description.values.input_model import Faults, absent, wrong
from flexarm.description.values.profile import Profile

_OF_BEAMS = (
    "mu", "material", "section", "EI", "GJ", "EA", "rotary_inertia", "modes", "segments", "damping",
    "matrices",
)  # fmt: skip
"""What a link that is a rigid body does not have."""
_BY_MATRICES = ("mu", "EI", "GJ", "EA", "rotary_inertia", "material", "section", "modes", "segments")
"""Keys that `matrices` stand for."""


def clashing_keys(
    given: Set[str],
    length: float,
    body: LinkBody | None,
    material: Material | None,
    section: Section | None,
    matrices: CouplingMatrices | None,
) -> Faults:
    """Faults of the given keys of a link that say what others of them already say."""
    of_beam = [name for name in _OF_BEAMS if name in given]
    if body is not None:
        for name in of_beam:
            yield (name,), wrong(f"got {name} besides body, which makes a link rigid", "remove one of them")
    elif of_beam and not length:
        message = f"got 0, expected a number > 0 for a link with {', '.join(of_beam)}"
        hint = "a link of length 0 only carries a joint, or a body: {mass: .., ..}"
        yield ("length",), wrong(message, hint)
    if material is not None and section is not None:
        for name in ("mu", "EI", "GJ", "EA"):
            if name in given:
                message = f"got {name} besides material and section, which already give it"
                yield (name,), wrong(message, "remove one of them")
    if matrices is not None:
        damping = ("damping",) if matrices.D is not None else ()
        for name in (*_BY_MATRICES, *damping):
            if name in given:
                message = f"got {name} besides matrices, which already say it"
                yield (name,), wrong(message, "remove one of them")


def missing_keys(
    mu: Profile | None,
    is_body: bool,
    material: Material | None,
    section: Section | None,
    matrices: CouplingMatrices | None,
) -> Faults:
    """Faults of a link whose mass is not said, or only by one half of material and section."""
    if matrices is not None:
        return
    if (material is None) != (section is None):
        given, lacking = ("section", "material") if material is None else ("material", "section")
        yield (lacking,), absent(f"{given} needs {lacking} beside it")
    elif material is None and mu is None and not is_body:
        yield ("mu",), absent("mass per length [kg/m], or material and section, body or matrices instead")

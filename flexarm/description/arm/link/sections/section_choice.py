"""Section of a link as typed: a shape with its sizes, properties, or an outline."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, ValidatorFunctionWrapHandler, WrapValidator

from flexarm.description.arm.link.sections.closed_shapes import (
    BoxSection,
    CircularSection,
    RectangularSection,
    TubularSection,
)
from flexarm.description.arm.link.sections.cross_section import CrossSection
from flexarm.description.arm.link.sections.general_section import GeneralSection
from flexarm.description.arm.link.sections.i_section import ISection
from flexarm.description.arm.link.sections.outline import section_of_rings
from flexarm.description.values.input_model import InputModel, key, wrong


class _ByProperties(InputModel):
    """Section by its properties."""

    general: GeneralSection = key("properties of the section, from a table of profiles")


def _outline(value: Any, info: ValidationInfo) -> Any:
    if not isinstance(value, str):
        return value
    read_rings = (info.context or {}).get("read_rings")
    if read_rings is None:
        raise wrong(
            f"got the file {value!r}, but this text has no folder to look for files in",
            "write the properties themselves, as `flexarm check` prints them: general: {A: .., I_y: .., ..}",
        )
    return section_of_rings(read_rings(value))


class _ByOutline(InputModel):
    """Section by its outline."""

    polygon: Annotated[
        GeneralSection, BeforeValidator(_outline, json_schema_input_type=str | GeneralSection)
    ] = key("CSV file with the corners y, z [m] of the outline, then of holes, each after an empty line")


Shape = Annotated[
    CircularSection | TubularSection | RectangularSection | BoxSection | ISection,
    Field(discriminator="shape"),
]


def _read(value: Any, validated: ValidatorFunctionWrapHandler, info: ValidationInfo) -> CrossSection:
    if isinstance(value, CrossSection):
        return value
    if isinstance(value, dict) and "general" in value:
        return _ByProperties.model_validate(value, context=info.context).general
    if isinstance(value, dict) and "polygon" in value:
        return _ByOutline.model_validate(value, context=info.context).polygon
    return validated(value)


Section = Annotated[Shape, WrapValidator(_read, json_schema_input_type=Shape | _ByProperties | _ByOutline)]
"""Section of a link: a shape with its sizes, `general` with its properties, or `polygon` with its outline."""

"""The descriptions that flexarm reads, as JSON Schemas."""

from __future__ import annotations

from functools import cache

from schema_parts import Schema

from flexarm.description.reading.json_schema import arm_json_schema, trajectory_json_schema
from flexarm.description.sweep.sweep_description import SweepDescription


@cache
def schemas() -> dict[str, Schema]:
    """Schemas by kind: arm, trajectory and sweep."""
    found = {
        "arm": arm_json_schema(),
        "trajectory": trajectory_json_schema(),
        "sweep": SweepDescription.model_json_schema(),
    }
    return {kind: Schema(kind, schema) for kind, schema in found.items()}

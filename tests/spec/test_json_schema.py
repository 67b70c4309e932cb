"""The JSON Schema describes the YAML as it is typed, with a meaning for every key."""

from pathlib import Path

import pytest

from flexarm.spec import arm_json_schema

jsonschema = pytest.importorskip("jsonschema", reason="the schema is checked by another program")

SCHEMA = arm_json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
ROBOTS = sorted((Path(__file__).parents[2] / "robots").glob("*.yaml"))
MODES = "{family: clamped-free, count: 2}"

"""Description: YAML text -> validated, frozen arm, trajectory or sweep; every fault names file, line and key."""

from flexarm.description.arm.arm import Arm
from flexarm.description.reading.loader import (
    arm_json_schema,
    load_arm,
    load_trajectory,
    parse_arm,
    parse_trajectory,
)

__all__ = [
    "Arm",
    "arm_json_schema",
    "load_arm",
    "load_trajectory",
    "parse_arm",
    "parse_trajectory",
]

"""From YAML text to a validated, frozen description of an arm; every fault names file, line and key."""

from flexarm.spec.arm import Arm
from flexarm.spec.loader import arm_json_schema, load_arm, parse_arm

__all__ = ["Arm", "arm_json_schema", "load_arm", "parse_arm"]

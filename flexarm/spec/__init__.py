"""From YAML text to a validated, frozen description of an arm; every fault names file, line and key."""

from flexarm.spec.arm import Arm
from flexarm.spec.loader import arm_json_schema, load_arm, load_trajectory, parse_arm, parse_trajectory
from flexarm.spec.trajectory import Trajectory

__all__ = [
    "Arm",
    "Trajectory",
    "arm_json_schema",
    "load_arm",
    "load_trajectory",
    "parse_arm",
    "parse_trajectory",
]

"""Preparation of the run of an arm, with contact or without."""

from __future__ import annotations

from flexarm.description.arm.arm import Arm
from flexarm.simulation.forward.free_motion import SingleRun, prepare_free_motion
from flexarm.simulation.forward.parametric_model import ParametricModel


def prepare_run(arm: Arm, command: str = "", model: ParametricModel | None = None) -> SingleRun:
    """Set up the simulation of an arm, piece by piece if there are walls, limits or joints that stick.

    Raises
    ------
    ModelError
        The arm cannot start: nothing can move, the mass matrix is singular, there is no equilibrium to start from, or
        a point is inside a wall.
    StructureMismatch
        The arm is no instance of the model.
    """
    if not arm.is_event_driven:
        return prepare_free_motion(arm, command, model)
    # other arms start quicker without
    from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact

    return prepare_motion_with_contact(arm, command, model)

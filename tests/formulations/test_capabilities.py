"""Capabilities of the formulations: the table is complete, and what it denies is refused."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from arms import arm
from breadth import thinned

from flexarm import motion_equations
from flexarm.catalogue import FORMULATIONS, Capabilities, capability_table
from flexarm.errors import ModelError

PLANAR = "planar-two-link"


def asking_for(capability: str):
    """An arm that needs one capability."""
    if capability == "free_base":  # which turns by itself, so joint 1 is locked
        first, *others = arm(PLANAR).joints
        joints = (first.model_copy(update={"type": "fixed"}), *others)
        return arm(PLANAR).model_copy(update={"base": "free", "joints": joints})
    if capability.endswith("_base"):
        return arm(PLANAR).model_copy(update={"base": capability.removesuffix("_base")})
    if capability.endswith("_rotation"):
        return arm(PLANAR, capability.removesuffix("_rotation"))
    return arm(PLANAR, stiffening=True)


def test_the_table_says_yes_or_no_of_every_capability():
    heading, *rows = capability_table().splitlines()
    assert heading.split("  ")[-1] == "prescribed joints"
    read = {name: cells for name, *cells in map(str.split, rows)}
    assert read == {
        name: ["yes" if getattr(entry.can, field.name) else "no" for field in fields(Capabilities)]
        for name, entry in FORMULATIONS.items()
    }


@pytest.mark.parametrize(
    "capability", thinned([f.name for f in fields(Capabilities) if f.name != "prescribed_joints"])
)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_what_is_missing_is_refused_and_what_is_there_is_derived(formulation, capability):
    eq = motion_equations(asking_for(capability), formulation=formulation)
    bent = {"q_1": 0.3, "q_2": 0.5, "e_0": 1.0}
    rest = np.array([bent.get(label, 0.0) for label in eq.coordinates.theta_labels]), np.zeros(eq.n_dof)
    calls = (
        lambda: eq.mass_matrix(rest[0]),
        lambda: eq.bias(*rest),
        lambda: eq.forward_dynamics(*rest, rest[1]),
        lambda: eq.inverse_dynamics(*rest, rest[1]),
    )
    for call in calls:
        if getattr(FORMULATIONS[formulation].can, capability):
            assert np.all(np.isfinite(call()))
        else:
            with pytest.raises(
                ModelError,
                match=f"formulation {formulation} has no equations for .*use articulated or gibbs-appell",
            ):
                call()

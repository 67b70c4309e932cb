"""Arms on benches: frequencies and damping that were measured, or computed by those who built them."""

from __future__ import annotations

import numpy as np

import flexarm
from flexarm.validation.arms import shipped
from flexarm.validation.case import Case

LIGHT = {"links[1].material.rho": 1e-3, "links[3].material.rho": 1e-3}
"""Strips of the serial rig without their mass [kg/m^3]."""
STIFF = {"links[1].material.E": 2.068e17}
"""Its first strip a million times as stiff [Pa]: then the second vibrates alone."""


def _held(name: str, count: int, changes: dict[str, float] | None = None) -> np.ndarray:
    """First frequencies of a shipped arm with its joints held [Hz]; `changes` replaces keys of its description."""
    arm = shipped(name)
    if changes:
        arm = flexarm.replace(arm, changes)
    return flexarm.natural_modes(arm, joints="locked").frequencies[:count]


def _serial_rig(changes: dict[str, float]) -> np.ndarray:
    """First frequency of the whole rig, and that of its second strip alone [Hz]."""
    name = "two_joint_serial_rig"
    return np.concatenate([_held(name, 1, changes), _held(name, 1, changes | STIFF)])


def _strip() -> list[float]:
    """First frequency of the strip [rad/s] and its damping ratio."""
    modes = flexarm.natural_modes(shipped("strip_on_flange"), joints="locked")
    return [2 * np.pi * modes.frequencies[0], modes.modes.damping_ratio[0]]


CASES = [
    Case(
        name="serial-rig-light",
        quantity="frequency of `two_joint_serial_rig` with its drives held, and of its second strip alone, both strips "
        "without mass [Hz]",
        source="sqrt(stiffness/inertia) of its makers' numbers, each strip a hinge: config_2dslf.m of "
        "basta/quanser-2-dof-serial-flexible-link",
        reference=(2.437, 5.194),
        tolerance=0.01,
        relative=True,
        find=lambda: _serial_rig(LIGHT),
    ),
    Case(
        name="serial-rig",
        quantity="frequency of `two_joint_serial_rig` with its drives held, and of its second strip alone, strips of "
        "steel [Hz]",
        source="the same, which leaves the strips' mass out",
        reference=(2.437, 5.194),
        tolerance=0.06,
        relative=True,
        find=lambda: _serial_rig({}),
    ),
    Case(
        name="rotary-arm",
        quantity="frequency of `teaching_rotary_arm` with its hub held [Hz]",
        source="1.72 to 1.79 in fits to four runs: BenHagenau/ASEN2003; EI is from the published 1.8",
        reference=(1.755,),
        tolerance=0.03,
        relative=True,
        find=lambda: _held("teaching_rotary_arm", 1),
    ),
    Case(
        name="strip-measured",
        quantity="first frequency of `strip_on_flange` [rad/s] and its damping ratio",
        source="measured: arXiv:2210.00578; the damping ratio is also the model's",
        reference=(18.57, 0.005),
        tolerance=0.01,
        relative=True,
        find=_strip,
    ),
    Case(
        name="strip-computed",
        quantity="first three frequencies of `strip_on_flange` [rad/s]",
        source="arXiv:2210.00578, as a beam",
        reference=(18.44, 115.583, 323.637),
        tolerance=5e-4,
        relative=True,
        find=lambda: 2 * np.pi * _held("strip_on_flange", 3),
        form=".5g",
    ),
    Case(
        name="steel-ruler",
        quantity="frequency of `steel_ruler` with its motor held [Hz]",
        source="zero found from torque to angle of the medium ruler: sdbumann/ModelingAndControlOfFlexibleLink",
        reference=(4.1,),
        tolerance=0.02,
        relative=True,
        find=lambda: _held("steel_ruler", 1),
    ),
    Case(
        name="long-tube",
        quantity="first three frequencies of `long_tube` held without weight [Hz]",
        source="from its size and material: arXiv:2307.07975, shamilmamedov/PRB_Net",
        reference=(1.391, 8.716, 24.406),
        tolerance=1e-3,
        relative=True,
        find=lambda: _held("long_tube", 3, {"gravity[1]": 0.0}),
    ),
]

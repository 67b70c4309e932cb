"""Root attributes of a result file: how the result came about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from flexarm import __version__
from flexarm.catalogue import FORMER_METHODS
from flexarm.description.arm.arm import Arm
from flexarm.description.reading.loader import parse_arm
from flexarm.description.reading.yaml_files.text_edits import with_values
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.errors import SpecError
from flexarm.results.schema import FORMAT_VERSION

ATTRIBUTES: dict[str, str] = {
    "format_version": "version of the file format",
    "kind": "kind of result",
    "status": "status",
    "message": "why the computation stopped early, or a warning",
    "flexarm_version": "version of flexarm",
    "command": "command, or function, that was called",
    "robot": "description of the arm (YAML)",
    "trajectory": "description of the trajectory (YAML)",
    "chosen_segments": "numbers of segments that were chosen, as the description said auto",
    "shaped_modes": "natural frequencies [Hz] and damping ratios of the modes of input shapers, by joint, as JSON",
    "formulation": "formulation",
    "link_rotation": "link rotation",
    "method": "method",
    "methods": "which method took which steps, if the method was auto",
    "change_over": "time from which radau took the steps (s)",
    "rtol": "relative tolerance",
    "atol": "absolute tolerance",
    "steps": "steps",
    "evaluations": "evaluations of the equations",
    "solve_seconds": "time of the computation (s)",
    "task": "prescribed coordinates",
    "duration": "duration of the trajectory (s)",
    "step": "interval of the mesh (s)",
    "residual": "residual",
    "relative_residual": "residual over the largest force",
    "iterations": "iterations",
    "pre": "duration of the pre-actuation (s)",
    "post": "duration of the post-actuation (s)",
    "unstable_zeros": "unstable zeros of the start (1/s)",
    "verified_error": "largest error of the simulation under the computed torques (m)",
    "verified_pieces": "pieces of the trajectory that were simulated one by one, as errors grow fast; 1 where not",
    "payload_mass": "mass of the load (kg)",
    "active_bound": "what bounds the load: torque, deviation or stress",
    "active_joint": "joint whose torque bounds it, counted from 1",
    "active_link": "link whose stress bounds it, counted from 1",
    "active_time": "time at which it is bounded (s)",
    "active_margin": "what is left of the bound, as a fraction of it",
    "deviation": "allowed deviation of the tip (m)",
    "max_stress": "allowed von Mises stress of the links (Pa)",
    "held": "whether torques hold the joints, 0 or 1",
    "stability": "stability of the posture: stable, unstable or indifferent",
    "joints": "what the joints do that are not held one by one: free, locked or pd",
    "held_joints": "joints that stay where they are, counted from 1",
    "turning_joint": "joint that turns steadily, counted from 1",
    "inputs": "inputs of a frequency response, with their units",
    "outputs": "outputs of a frequency response, with their units",
    "rigid_modes": "number of rigid-body motions among the natural modes",
    "keys": "keys that a sweep varied",
    "records": "measures that a sweep recorded of every run",
    "series": "quantities that a sweep recorded over time",
}
"""Name -> meaning, with the unit in brackets; none of them is an array but the last three, lists of words."""

REQUIRED = ("format_version", "kind", "status", "robot")
"""Attributes without which a file is no result."""
STATUS = ("complete", "incomplete")
"""What a computation can have come to."""
LISTS = ("keys", "records", "series")
"""Attributes that are lists of words."""
TEXTS = (
    "kind", "status", "message", "flexarm_version", "command", "robot", "trajectory", "chosen_segments", "shaped_modes",
    "formulation", "link_rotation", "method", "methods", "task", "unstable_zeros", "active_bound", "stability",
    "joints", "held_joints", "inputs", "outputs",
)  # fmt: skip
"""Attributes that are texts; those that are neither texts nor lists are numbers."""
NEEDED_BY: dict[str, tuple[str, ...]] = {
    "payload": ("payload_mass", "active_bound", "active_joint", "active_time", "active_margin"),
    "equilibrium": ("stability",),
    "modes": ("joints", "rigid_modes", "stability"),
    "sweep": LISTS,
}
"""Kind -> further attributes without which a result of that kind is none."""


def root_attributes(
    kind: str,
    arm: Arm,
    specific: Mapping[str, object],
    *,
    status: str = "complete",
    message: str = "",
    command: str = "",
) -> dict[str, object]:
    """Return the root attributes that every result about an arm has, and those specific to its kind.

    Parameters
    ----------
    kind : str
        Key of :data:`~flexarm.results.schema.KINDS`.
    arm : Arm
    specific : mapping
        Further ones of :data:`ATTRIBUTES`.
    status : {"complete", "incomplete"}
    message : str
        Why it is incomplete, or a warning.
    command : str
        How the computation was asked for.

    Raises
    ------
    KeyError
        One of the further ones is not listed.
    """
    for name in specific:
        ATTRIBUTES[name]
    chosen = ", ".join(f"link {link + 1}: {arm.links[link].segments}" for link, *_ in arm.segment_choices)
    return {
        "kind": kind,
        "status": status,
        "message": message,
        "flexarm_version": __version__,
        "command": command,
        "robot": arm.text,
        **({"chosen_segments": chosen} if chosen else {}),
        **_shaped_modes(arm),
        "formulation": arm.run.formulation,
        "link_rotation": arm.link_rotation,
        **specific,
    }


def _shaped_modes(arm: Arm) -> dict[str, str]:
    """Attribute of the modes of an arm's shapers, if it has any."""
    shapers = [None if drive is None else drive.own_shaper for drive in arm.drive]
    if not any(shapers):
        return {}
    return {
        "shaped_modes": json.dumps([None if one is None or one.is_open else one.modes for one in shapers])
    }


def described_arm(attributes: Mapping[str, Any], source: str) -> Arm:
    """Parse the description of the arm that a result carries, as the version that wrote it understood it.

    In format 1 links do not shorten unless the description says so; the text of the arm says that now. A method of
    integration that there is no more gives way to the one that does its work.

    Raises
    ------
    SpecError
        That is no valid description.
    """
    text, version = attributes["robot"], attributes.get("format_version", FORMAT_VERSION)
    try:
        arm = _described_arm(text, version, source)
    except SpecError:
        present = _with_present_method(text)
        if present == text:
            raise
        arm = _described_arm(present, version, source)
    modes = attributes.get("shaped_modes")
    return arm if modes is None or not arm.has_open_shapers else arm.with_shaped_modes(json.loads(modes))


def _with_present_method(text: str) -> str:
    """The description with an integration method that there is, where it names one that there was."""
    run = {}
    with suppress(SpecError):  # whatever else is wrong is told by the loader
        run = read_yaml(text, "robot").data.get("run")
    method = run.get("method") if isinstance(run, dict) else None
    if not isinstance(method, str) or method not in FORMER_METHODS:
        return text
    return with_values(text, {("run", "method"): FORMER_METHODS[method]})


def _described_arm(text: str, version: int, source: str) -> Arm:
    if version == 1:
        plain = "geometric_stiffening: false"
        in_braces = text.lstrip().startswith("{")
        with suppress(SpecError):  # the text says so already, or is wrong
            return _parsed(f"{{{plain}, {text.lstrip()[1:]}" if in_braces else f"{plain}\n{text}", source)
    return _parsed(text, source)


@lru_cache(maxsize=1)
def _parsed(text: str, source: str) -> Arm:
    """Parse a description once for the writer of a result and for the reader that opens it then."""
    return parse_arm(text, source=source)


def as_of_now(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a result as this version writes them, whatever version wrote them."""
    text = attributes["robot"]
    if attributes.get("format_version", FORMAT_VERSION) != FORMAT_VERSION:
        text = described_arm(attributes, source="robot").text
    return {**attributes, "robot": text, "format_version": FORMAT_VERSION}

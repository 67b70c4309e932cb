"""Seeded random arms and states that the tests run through: every feature of the description at least once.

An arm is YAML text made from a seed and a short list of features, so it passes through the real parser.
``ARMS`` maps names to texts; parametrise over it and call ``arm(name)``::

    @pytest.mark.parametrize("name", ARMS)
    def test_something(name):
        state = random_state(arm(name))
"""

from __future__ import annotations

from functools import cache
from math import pi
from typing import Any, NamedTuple

import numpy as np
import yaml
from reference.shapes import mode_shape

from flexarm import motion_equations
from flexarm.description import parse_arm
from flexarm.formulations.motion_equations import MotionEquations

END_ROTATION = 0.3
"""Largest rotation of a link's end that a random state reaches [rad]."""


class State(NamedTuple):
    """Generic point of the state space: each (n_dof,)."""

    theta: np.ndarray
    theta_d: np.ndarray
    theta_dd: np.ndarray


# -- features: each changes the description of a link, a joint or the payload -------------------------------

RIGID: list[dict[str, Any]] = []


def y_modes(count: int, family: str = "clamped-free", **options: Any) -> dict[str, Any]:
    return {"family": family, "count": count, "direction": "y", **options}


def z_modes(count: int, family: str = "clamped-free", **options: Any) -> dict[str, Any]:
    return {"family": family, "count": count, "direction": "z", **options}


def torsion(count: int, family: str = "fixed-free") -> dict[str, Any]:
    return {"family": family, "count": count, "direction": "torsion"}


def axial(count: int, family: str = "fixed-free") -> dict[str, Any]:
    return {"family": family, "count": count, "direction": "axial"}


class Builder:
    """Draws the numbers of one arm from a seed; methods mirror the blocks of the YAML.

    Arms get lighter towards the tip (``heavy``, ``light``), as real ones do: otherwise their mass matrix may
    be so ill conditioned that the last digits of theta_dd say nothing.
    """

    def __init__(self, seed: int):
        self.rng = np.random.default_rng(seed)

    def draw(self, low: float, high: float) -> float:
        return round(float(self.rng.uniform(low, high)), 4)

    def link(
        self, *modes: dict[str, Any], heavy=1.0, tapered=False, damped=False, section_inertia=False
    ) -> dict[str, Any]:
        length = self.draw(0.6, 1.2)
        link: dict[str, Any] = {"length": length, "mu": self._profile(heavy, 3.0 * heavy, length, tapered)}
        directions = {mode["direction"] for mode in modes}
        if modes:
            link["modes"] = list(modes)
        if directions & {"y", "z"}:
            link["EI"] = {
                d: self._profile(20.0, 200.0, length, tapered) for d in sorted(directions & {"y", "z"})
            }
        if "torsion" in directions:
            link["GJ"] = self._profile(5.0, 50.0, length, tapered)
        if "axial" in directions:
            link["EA"] = self._profile(1e3, 1e4, length, tapered)
        if section_inertia:
            link["rotary_inertia"] = [self.draw(0.01, 0.1) for _ in range(3)]
        if damped:
            link["damping"] = [self.draw(0.01, 0.1) for _ in range(sum(mode["count"] for mode in modes))]
        return link

    def _profile(self, low: float, high: float, length: float, tapered: bool):
        if not tapered:
            return self.draw(low, high)
        stations = [0.0, self.draw(0.3, 0.6) * length, length]
        return {"eta": stations, "values": [self.draw(low, high) for _ in stations]}

    def joint(
        self, twist: Any = 0.0, *, offset=False, hub=False, motor=False, friction=False
    ) -> dict[str, Any]:
        joint: dict[str, Any] = {"twist": twist}
        if offset:
            joint["offset"] = self.draw(-0.4, 0.4)
        if hub:
            joint |= {"mass": self.draw(0.2, 1.5), "inertia": [self.draw(0.02, 0.1) for _ in range(3)]}
        if motor:
            joint["motor"] = {"inertia": self.draw(1e-4, 1e-3), "gear": self.draw(5.0, 30.0)}
        if friction:
            joint["friction"] = {
                "viscous": self.draw(0.1, 1.0),
                "coulomb": self.draw(0.1, 1.0),
                "smoothing": 0.3,
            }
        return joint

    def elastic_joint(self, twist: Any = 0.0, *, rest=False, **options: Any) -> dict[str, Any]:
        """A motor behind a spring, or with `rest` a spring that draws the joint to an angle."""
        spring: dict[str, Any] = {"stiffness": self.draw(50.0, 300.0), "damping": self.draw(0.1, 1.0)}
        if rest:
            spring["rest"] = self.draw(-1.0, 1.0)
        return {**self.joint(twist, motor=not rest, **options), **spring}

    def placed_joint(
        self, kind: str = "revolute", *, axis: Any = None, turned=True, **options: Any
    ) -> dict[str, Any]:
        """Joint with an origin, and with an axis of its own unless it is z."""
        joint = self.joint(**options)
        del joint["twist"]
        joint |= {"type": kind, "origin": {"xyz": [self.draw(-0.3, 0.3) for _ in range(3)]}}
        if turned:
            joint["origin"]["rpy"] = [self.draw(-2.0, 2.0) for _ in range(3)]
        if axis is not None:
            joint["axis"] = [self.draw(-1.0, 1.0) for _ in range(3)] if axis == "any" else axis
        return joint

    def body(self, heavy=1.0, length=0.0) -> dict[str, Any]:
        """Rigid link with a body of its own."""
        moments = [self.draw(0.05, 0.08) for _ in range(3)]
        products = [self.draw(-0.01, 0.01) for _ in range(3)]
        centre = [self.draw(-0.2, 0.2) for _ in range(3)]
        body = {"mass": self.draw(heavy, 2 * heavy), "center": centre, "inertia": moments + products}
        return {"length": length, "body": body}

    def fixed_joint(self, twist: Any = 0.0, **options: Any) -> dict[str, Any]:
        return {"type": "fixed", "angle": self.draw(-1.0, 1.0), **self.joint(twist, **options)}

    def payload(self, *, inertia: int = 0, offset=False, light=False) -> dict[str, Any]:
        payload: dict[str, Any] = {"mass": self.draw(0.3, 1.5)}
        if light:
            payload = {"mass": self.draw(0.03, 0.1), "inertia": [self.draw(0.006, 0.01) for _ in range(3)]}
        elif inertia == 1:
            payload["inertia"] = self.draw(0.02, 0.1)
        elif inertia == 3:
            payload["inertia"] = [self.draw(0.06, 0.1) for _ in range(3)]
        elif inertia == 6:
            products = [self.draw(-0.01, 0.01) for _ in range(3)]
            payload["inertia"] = [self.draw(0.06, 0.1) for _ in range(3)] + products
        if offset:
            payload["offset"] = [self.draw(-0.2, 0.2) for _ in range(3)]
        return payload

    def gravity(self) -> list[float]:
        return [self.draw(-5.0, 5.0) for _ in range(3)]


def text_of(name: str, links: list, joints: list, **blocks: Any) -> str:
    description = {
        "name": name,
        "links": links,
        "joints": joints,
        **blocks,
        "run": {"duration": 1.0, "sample": 0.01},
    }
    return yaml.safe_dump(description, sort_keys=False)


# -- planar arms --------------------------------------------------------------------------------------------


def _planar_rigid_three(b: Builder):
    links = [b.link(), b.link(), b.link()]
    joints = [b.joint(hub=True), b.joint(motor=True), b.joint(friction=True)]
    return {"links": links, "joints": joints, "payload": b.payload(inertia=1)}


def _planar_one_link(b: Builder):
    return {"links": [b.link(y_modes(3))], "joints": [b.joint()], "payload": b.payload()}


def _planar_two_link(b: Builder):
    links = [b.link(y_modes(1)), b.link(y_modes(1))]
    return {"links": links, "joints": [b.joint(), b.joint()]}


def _planar_families(b: Builder):
    links = [
        b.link(y_modes(2, "pinned-pinned"), heavy=8.0, damped=True),
        b.link(y_modes(2, "clamped-clamped"), heavy=4.0),
        b.link(y_modes(2, "hinged"), heavy=2.0),
        b.link(y_modes(2, "polynomial", normalisation="tip"), damped=True),
    ]
    joints = [b.joint(friction=True), b.joint(hub=True), b.joint(), b.joint(motor=True)]
    return {"links": links, "joints": joints, "payload": b.payload(light=True, offset=True)}


def _planar_rigid_between(b: Builder):
    links = [b.link(y_modes(2)), b.link(), b.link(y_modes(3), damped=True, section_inertia=True)]
    joints = [b.joint(motor=True), b.joint(hub=True, friction=True), b.joint()]
    return {"links": links, "joints": joints, "payload": b.payload(inertia=1)}


def _planar_tapered(b: Builder):
    links = [
        b.link(y_modes(3), heavy=4.0, tapered=True, damped=True),
        b.link(y_modes(2), axial(1), tapered=True),
    ]
    return {"links": links, "joints": [b.joint(), b.joint(hub=True)], "payload": b.payload()}


# -- spatial arms -------------------------------------------------------------------------------------------


def _spatial_rigid_four(b: Builder):
    links = [b.link(section_inertia=True), b.link(), b.link(), b.link()]
    joints = [b.joint(), b.joint("90 deg", offset=True, hub=True), b.joint(-0.7), b.joint(1.1, motor=True)]
    return {
        "links": links,
        "joints": joints,
        "payload": b.payload(inertia=6, offset=True),
        "gravity": b.gravity(),
    }


def _spatial_two_link(b: Builder):
    links = [b.link(y_modes(2), z_modes(2)), b.link(y_modes(2), z_modes(1))]
    return {"links": links, "joints": [b.joint(0.4), b.joint("90 deg")], "payload": b.payload()}


def _spatial_torsion(b: Builder):
    links = [
        b.link(y_modes(2), z_modes(1), torsion(2), section_inertia=True, damped=True),
        b.link(z_modes(2), y_modes(1), torsion(1), section_inertia=True),
        b.link(torsion(1), y_modes(1), section_inertia=True),
    ]
    joints = [b.joint(offset=True), b.joint("-90 deg", hub=True, offset=True), b.joint(0.9)]
    others = {"payload": b.payload(inertia=3, offset=True), "gravity": b.gravity()}
    return {"links": links, "joints": joints, **others}


def _spatial_fixed_joints(b: Builder):
    links = [
        b.link(y_modes(1), z_modes(1), heavy=6.0),
        b.link(y_modes(2), heavy=4.0),
        b.link(z_modes(2), heavy=2.0, damped=True),
        b.link(y_modes(1)),
    ]
    joints = [
        b.fixed_joint(0.6, offset=True),
        b.joint("90 deg", friction=True),
        b.fixed_joint(-0.5, hub=True),
        b.joint(),
    ]
    return {"links": links, "joints": joints, "payload": b.payload(inertia=6), "gravity": b.gravity()}


def _spatial_axial(b: Builder):
    links = [
        b.link(
            axial(2), y_modes(2, "polynomial"), z_modes(2, "pinned-pinned"), section_inertia=True, damped=True
        ),
        b.link(),
        b.link(torsion(2), axial(1, "fixed-fixed"), z_modes(1, "hinged"), section_inertia=True, tapered=True),
    ]
    joints = [b.joint(motor=True), b.joint(1.3, offset=True, friction=True), b.joint("90 deg", hub=True)]
    others = {"payload": b.payload(inertia=6, offset=True), "gravity": b.gravity()}
    return {"links": links, "joints": joints, **others}


def _spatial_large(b: Builder):
    """Four links with three modes in both bending directions: 28 coordinates."""
    links = [b.link(y_modes(3), z_modes(3), heavy=heavy) for heavy in (8.0, 4.0, 2.0, 1.0)]
    joints = [b.joint(), b.joint("90 deg"), b.joint(-0.8, offset=True), b.joint(0.5)]
    others = {"payload": b.payload(light=True), "gravity": b.gravity()}
    return {"links": links, "joints": joints, **others}


def _planar_elastic(b: Builder):
    links = [b.link(y_modes(2)), b.link(y_modes(1), damped=True)]
    joints = [b.elastic_joint(friction=True), b.elastic_joint(hub=True)]
    return {"links": links, "joints": joints, "payload": b.payload(inertia=1)}


def _spatial_elastic(b: Builder):
    links = [b.link(y_modes(1), z_modes(1), heavy=4.0), b.link(), b.link(y_modes(2), heavy=2.0), b.link()]
    joints = [
        b.elastic_joint(hub=True, friction=True),
        b.elastic_joint("90 deg", rest=True, friction=True),
        b.joint(-0.6, motor=True),
        b.elastic_joint(0.8, offset=True),
    ]
    return {"links": links, "joints": joints, "payload": b.payload(inertia=3), "gravity": b.gravity()}


# -- joints of other types, places and axes, links that are bodies -------------------------------------------


def _slides_rigid_four(b: Builder):
    """Rigid arm that slides and turns in turn, by Denavit-Hartenberg."""
    slide = {"type": "prismatic"}
    links = [b.link(), b.link(section_inertia=True), b.link(), b.link()]
    joints = [
        {**b.joint(0.5, friction=True), **slide},
        b.joint("90 deg", offset=True, hub=True),
        {**b.joint(-0.7, offset=True, motor=True), **slide},
        b.joint(1.1, motor=True),
    ]
    return {
        "links": links,
        "joints": joints,
        "payload": b.payload(inertia=6, offset=True),
        "gravity": b.gravity(),
    }


def _slides_flexible(b: Builder):
    """Flexible links on slides along their own axis, across it, and along any direction."""
    links = [
        b.link(y_modes(2), z_modes(1), heavy=6.0),
        b.link(y_modes(2), heavy=3.0, damped=True),
        b.link(y_modes(1), z_modes(1), torsion(1), section_inertia=True),
        b.link(z_modes(1)),
    ]
    joints = [
        b.placed_joint("prismatic", axis=[1, 0, 0], motor=True),
        b.placed_joint("prismatic", axis=[0, -1, 0], friction=True),
        b.placed_joint("revolute", axis="any", motor=True),
        b.placed_joint("prismatic", axis="any", hub=True),
    ]
    return {
        "links": links,
        "joints": joints,
        "payload": b.payload(inertia=6, offset=True),
        "gravity": b.gravity(),
    }


def _planar_slides(b: Builder):
    """Planar arm whose slides lie in the plane: the structural zeros stay."""
    links = [b.link(y_modes(2), heavy=6.0), b.link(heavy=3.0), b.link(y_modes(2))]
    joints = [
        b.joint(motor=True),
        {"type": "prismatic", "axis": [1, 0, 0]},
        {"type": "prismatic", "axis": [0, 1, 0], "origin": {"xyz": [0.1, -0.2, 0]}},
    ]
    return {"links": links, "joints": joints, "payload": b.payload()}


def _axes_and_bodies(b: Builder):
    """Axes along y, against x and z and along none of these; bodies with and without length, one joint fixed."""
    links = [
        b.body(8.0),
        b.body(4.0, length=0.5),
        b.link(y_modes(2), z_modes(1), heavy=2.0),
        {"length": 0.0},
        b.body(1.0),
        b.link(y_modes(1)),
    ]
    joints = [
        b.placed_joint(axis=[0, 1, 0], hub=True),
        b.placed_joint(axis=[-1, 0, 0], turned=False, friction=True),
        b.placed_joint(axis="any"),
        b.placed_joint(axis=[0, 0, -1], motor=True),
        {**b.placed_joint("fixed", axis=[0, 3, 4]), "angle": b.draw(-1.0, 1.0)},
        b.joint(0.3, offset=True),
    ]
    return {"links": links, "joints": joints, "payload": b.payload(inertia=3), "gravity": b.gravity()}


def _wrists(b: Builder):
    """Shoulder of two joints and wrist of three, at one place each, by links without length."""
    links = [
        b.body(8.0),
        b.link(y_modes(2), z_modes(2), heavy=2.0),
        {"length": 0},
        {"length": 0},
        b.body(1.0),
    ]
    joints = [
        {"axis": [0, 0, 1]},
        {"axis": [0, 1, 0]},
        {"axis": [1, 0, 0]},
        {"axis": [0, 1, 0]},
        {"axis": [0, 0, 1]},
    ]
    return {"links": links, "joints": joints, "payload": b.payload(inertia=3, offset=True)}


_RECIPES = {
    "planar-rigid-three": _planar_rigid_three,
    "planar-one-link": _planar_one_link,
    "planar-two-link": _planar_two_link,
    "planar-families": _planar_families,
    "planar-rigid-between": _planar_rigid_between,
    "planar-tapered": _planar_tapered,
    "spatial-rigid-four": _spatial_rigid_four,
    "spatial-two-link": _spatial_two_link,
    "spatial-torsion": _spatial_torsion,
    "spatial-fixed-joints": _spatial_fixed_joints,
    "spatial-axial": _spatial_axial,
    "spatial-large": _spatial_large,
    "planar-elastic": _planar_elastic,
    "spatial-elastic": _spatial_elastic,
    "slides-rigid-four": _slides_rigid_four,
    "slides-flexible": _slides_flexible,
    "planar-slides": _planar_slides,
    "axes-and-bodies": _axes_and_bodies,
    "wrists": _wrists,
}

ARMS: dict[str, str] = {
    name: text_of(name, **recipe(Builder(seed)))
    for seed, (name, recipe) in enumerate(_RECIPES.items(), start=1)
}
"""Name -> YAML text."""

FLEXIBLE_CHAINS = tuple(
    name
    for name in ARMS
    if name not in ("wrists",) and not name.endswith(("rigid-three", "rigid-four", "one-link"))
)
"""Arms in which a flexible link carries another link at a distance, or a payload that turns: they
differ with `small` and `finite`.
"""


@cache
def arm(name: str, link_rotation: str = "finite", stiffening: bool = False):
    """The parsed arm of that name; without stiffening, which not all formulations have, unless asked for."""
    head = f"link_rotation: {link_rotation}\ngeometric_stiffening: {str(stiffening).lower()}\n"
    return parse_arm(f"{head}{ARMS[name]}", source=f"{name}.yaml")


@cache
def equations(
    name: str, formulation: str = "articulated", link_rotation: str = "finite", stiffening: bool = False
) -> MotionEquations:
    """The arm's equations of motion, derived once for all tests of a process."""
    return motion_equations(arm(name, link_rotation, stiffening), formulation)


# -- states -------------------------------------------------------------------------------------------------


def mode_rows(arm) -> np.ndarray:
    """Rows of theta that are modal amplitudes."""
    return np.flatnonzero(_scales(arm) != pi)


def joint_rows(arm) -> np.ndarray:
    """Rows of theta that are joint angles (fixed joints have none); those of motors come last and are left out."""
    angles = np.flatnonzero(_scales(arm) == pi)
    return angles[: angles.size - n_motors(arm)]


def n_motors(arm) -> int:
    """How many joints have a motor with an angle of its own."""
    return sum(joint.stiffness is not None and joint.motor.inertia > 0 for joint in arm.joints)


def driven(equations) -> list[int]:
    """Rows of theta_d on which drives act: of joints, or of the motors of elastic ones."""
    return list(equations.coordinates.driven_rows)


def random_state(arm, seed: int = 0) -> State:
    """Joint angles all around the circle, end rotations and twists up to END_ROTATION, lively rates."""
    rng = np.random.default_rng(seed)
    scale = _scales(arm)
    draw = lambda: rng.uniform(-1.0, 1.0, scale.size) * scale  # noqa: E731
    return State(draw(), draw(), 3.0 * draw())


def scale_deflections(arm, vector: np.ndarray, factor: float) -> np.ndarray:
    """The same joint part, all modal amplitudes (or their rates) multiplied by ``factor``."""
    scaled = np.array(vector, dtype=float)
    scaled[mode_rows(arm)] *= factor
    return scaled


def _scales(arm) -> np.ndarray:
    """Largest value of each coordinate: pi for an angle; a mode's share of the largest deflection."""
    scales = []
    for link, joint in zip(arm.links, arm.joints, strict=True):
        if joint.type != "fixed":
            scales.append(pi)
        count = sum(modes.count for modes in link.modes)
        for modes in link.modes:
            for k in range(1, modes.count + 1):
                scales.append(_modal_scale(link.length, modes, k) / count)
    scales += [pi] * n_motors(arm)
    return np.array(scales)


def _modal_scale(length: float, modes, k: int) -> float:
    xi = np.linspace(0.0, 1.0, 101)
    shape = mode_shape(modes.family, modes.direction, k, xi, modes.normalisation)
    if modes.direction == "torsion":
        return END_ROTATION / np.max(np.abs(shape.value))
    if modes.direction == "axial":
        return 0.05 * length / np.max(np.abs(shape.value))
    return END_ROTATION * length / np.max(np.abs(shape.slope))

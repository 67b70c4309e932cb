"""A ball on soft walls: a body that does not turn, on a base that floats in the plane or in space."""

from __future__ import annotations

import flexarm

MASS = 2.0
RTOL = 1e-10

PLANE = """
name: ball
base: planar
links: [{{length: 0, body: {{mass: 2.0, inertia: [0.1, 0.1, 0.1]}}}}]
joints: [{{type: fixed}}]
gravity: [{gravity}, 0]
initial: {{base: [{position}], base_rates: [{velocity}]}}
contact:
  points: O1
  walls: [{wall}]
run: {{duration: {duration}, sample: {sample}, {settings}}}
"""
SPACE = PLANE.replace("base: planar", "base: free").replace("[{gravity}, 0]", "[{gravity}]")
FLOOR = "point: [0, 0], normal: [0, 1]"
TIGHT = f"rtol: {RTOL}, atol: 1e-12"


def ball(material, wall=FLOOR, **changes):
    """Ball that strikes a wall of this material, 1 m/s from 0.05 m above, without gravity unless that is changed."""
    values = {
        "gravity": "0, 0", "position": "0, 0.05", "velocity": "0, -1", "duration": 0.15, "sample": 0.01,
        "settings": TIGHT,
    }  # fmt: skip
    return flexarm.parse_arm(PLANE.format(**values | changes, wall=f"{{{wall}, {material}}}"))


def spatial_ball(material, wall=FLOOR, **changes):
    """The same of a ball in space."""
    values = {
        "gravity": "0, 0, 0", "position": "0, 0.05, 0, 0, 0, 0", "velocity": "0, -1, 0, 0, 0, 0", "duration": 0.15,
        "sample": 0.01, "settings": TIGHT,
    }  # fmt: skip
    return flexarm.parse_arm(SPACE.format(**values | changes, wall=f"{{{wall}, {material}}}"))

"""A run that has recorded its loads: a tube whose stress is known, a beam of which only the loads are, a body."""

from __future__ import annotations

from functools import cache

import flexarm

ARM = """
name: carried
gravity: [0, -9.81, 0]
links:
  - length: 1.0
    material: {E: 2.1e11, rho: 7850, nu: 0.3, strength: 1e6}
    section: {shape: tube, diameter: 0.05, thickness: 0.003}
  - {length: 0.8, mu: 2.0}
  - {length: 0.5, body: {mass: 1, center: [0.25, 0, 0], inertia: [0.01, 0.02, 0.02, 0, 0, 0]}}
joints: [{}, {}, {}]
run: {duration: 0.3, sample: 0.01, rtol: 1e-7, record: [loads], stations: 5}
"""


@cache
def carried(changes: tuple[tuple[str, str], ...] = ()) -> flexarm.Result:
    """Simulate the arm with some words of its description replaced by others."""
    text = ARM
    for before, after in changes:
        text = text.replace(before, after)
    return flexarm.simulate(flexarm.parse_arm(text))

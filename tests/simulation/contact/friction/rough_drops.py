"""Random planar drops with friction: chains of 1 to 6 links, rigid or not, onto floors, into V corners and circles."""

from __future__ import annotations

import math

import numpy as np
import yaml

import flexarm

FAMILIES = ("clamped-free", "clamped-clamped", "pinned-pinned", "free-free", "hinged")


def rough_drop(seed: int) -> str:
    """YAML text of one drop: friction from 0.05 to 1, restitution from 0 to 0.9, thrown at up to 2 m/s."""
    rng = np.random.default_rng(seed)
    number = lambda low, high: round(float(rng.uniform(low, high)), 4)  # noqa: E731
    n = int(rng.integers(1, 7))
    length = number(0.2, 1.0) / math.sqrt(n)
    links = []
    for _ in range(n):
        link = {"length": round(length * number(0.7, 1.3), 4), "mu": number(0.5, 3.0)}
        if n < 4 and rng.random() < 0.4:
            modes = {"family": str(rng.choice(FAMILIES)), "count": int(rng.integers(1, 3))}
            link |= {"EI": number(20, 500), "modes": modes}
        links.append(link)
    reach = sum(link["length"] for link in links)
    contact = {
        "restitution": round(float(rng.choice([0.0, number(0, 0.9)])), 4),
        "friction": number(0.05, 1),
        "walls": _walls(rng, reach),
    }
    if rng.random() < 0.3:
        contact["friction"] = {"kinetic": contact["friction"], "static": round(1.3 * contact["friction"], 4)}
    return yaml.safe_dump(
        {
            "name": f"rough-drop-{seed}",
            "base": "planar",
            "links": links,
            "joints": [{} for _ in range(n)],
            "initial": {
                "base": [0, 0],
                "base_rates": [number(-2, 2), number(-2, 0)],
                "joints": [number(-3.1, 3.1), *(number(-1.5, 1.5) for _ in range(n - 1))],
                "joint_rates": [number(-2, 2) for _ in range(n)],
            },
            "contact": contact,
            "run": {"duration": 1.0, "sample": 0.01, "rtol": 1e-10, "atol": 1e-12},
        }
    )


def _walls(rng: np.random.Generator, reach: float) -> list[dict]:
    """A floor, a corner of two slopes, or a circle around the arm; none of which an arm of this reach is in."""
    kind = rng.choice(["floor", "corner", "circle"])
    depth = -reach * float(rng.uniform(1.1, 1.5))
    if kind == "circle":
        circle = {"center": [0, 0], "radius": round(1.2 * reach, 4), "side": "inside"}
        return [{"circle": circle}]
    tilts = (
        [float(rng.uniform(-0.4, 0.4))]
        if kind == "floor"
        else [-float(rng.uniform(0.2, 1)), float(rng.uniform(0.2, 1))]
    )
    return [
        {"point": [0, round(depth / math.cos(tilt), 4)], "normal": [math.sin(tilt), math.cos(tilt)]}
        for tilt in tilts
    ]


def energy_error(result: flexarm.Result) -> float:
    """Largest gap in the balance of a run without drives, over its largest kinetic energy."""
    balance = result["energy_total"] + result["energy_lost_friction"] + result["energy_lost_impacts"]
    return float(np.abs(balance - balance[0]).max() / result["energy_kinetic"].max())


def penetration(result: flexarm.Result) -> float:
    """Depth [m] of the deepest point at any sample."""
    points, deepest = result["point_position"], 0.0
    for wall in yaml.safe_load(result.arm.text)["contact"]["walls"]:
        if "circle" in wall:
            gap = wall["circle"]["radius"] - np.linalg.norm(points[..., :2], axis=-1)
        else:
            gap = (points[..., :2] - wall["point"]) @ np.array(wall["normal"])
        deepest = max(deepest, -float(gap.min()))
    return deepest

"""Random arms of 1 to 5 rigid and flexible links between limits, on every kind of base, in motion and falling."""

from __future__ import annotations

import numpy as np
import yaml

BASES = (
    "fixed",
    "planar",
    {"type": "planar", "mass": 5, "inertia": 1},
    {"type": "free", "mass": 5, "inertia": [1, 2, 1.5]},
)


def limited_arm(seed: int) -> str:
    """YAML text of one arm that starts between its limits; joints of planar arms are parallel."""
    rng = np.random.default_rng(seed)
    number = lambda low, high: round(float(rng.uniform(low, high)), 4)  # noqa: E731
    base = BASES[seed % len(BASES)]
    links, joints, start = [], [], []
    for _ in range(int(rng.integers(1, 6))):
        link: dict = {"length": number(0.3, 1), "mu": number(0.5, 3)}
        if rng.random() < 0.5:
            family = str(rng.choice(["craig-bampton", "clamped-free"]))
            link |= {"EI": number(20, 300), "damping": number(0, 0.05)}
            link |= {"modes": {"family": family, "count": int(rng.integers(1, 3))}}
        links.append(link)
        low, high = number(-2, -0.1), number(0.1, 2)
        start.append(number(low, high))
        bounds = [float("-inf"), high] if rng.random() < 0.2 else [low, high]
        joint: dict = {"limits": {"range": bounds, "restitution": float(rng.choice([0.0, number(0, 0.8)]))}}
        if rng.random() < 0.6:
            joint["motor"] = {"inertia": 1e-5, "gear": number(30, 150)}
        if seed % len(BASES) in (0, 3) and rng.random() < 0.5:
            joint["twist"] = number(-1.6, 1.6)
        joints.append(joint)
    rates = [number(-3, 3) for _ in links]
    description = {
        "name": f"limited-{seed}",
        "base": base,
        "links": links,
        "joints": joints,
        "initial": {"joints": start, "joint_rates": rates},
        "run": {"duration": 1.0, "sample": 0.005, "rtol": 1e-10, "atol": 1e-12},
    }
    return yaml.safe_dump(description)

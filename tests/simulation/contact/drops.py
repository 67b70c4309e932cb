"""Random planar drops: 1 to 3 links with 0 to 2 modes, one or two tilted walls, restitution from 0 to 1."""

from __future__ import annotations

import numpy as np
import yaml

FAMILIES = ("clamped-free", "clamped-clamped", "pinned-pinned", "free-free", "hinged")


def drop(seed: int) -> str:
    """YAML text of one drop, above its walls and thrown towards nowhere in particular."""
    rng = np.random.default_rng(seed)
    number = lambda low, high: round(float(rng.uniform(low, high)), 4)  # noqa: E731
    n = int(rng.integers(1, 4))
    links = []
    for _ in range(n):
        link = {"length": number(0.3, 1.0), "mu": number(0.5, 3.0)}
        if count := int(rng.integers(0, 3)):
            link |= {"EI": number(20, 500), "modes": {"family": str(rng.choice(FAMILIES)), "count": count}}
        links.append(link)
    e = float(rng.choice([0.0, 1.0, number(0, 1), number(0, 1)]))
    tilt, steep = number(-0.6, 0.6), number(0.3, 1.2) * float(rng.choice([-1, 1]))
    walls = [{"point": [0, -n - 0.3], "normal": [float(np.sin(tilt)), float(np.cos(tilt))]}]
    if rng.random() < 0.6:
        normal = [float(np.sin(steep)), float(np.cos(steep)) * 0.2]
        side = {"point": [-4.0 * float(np.sign(steep)), 0], "normal": normal}
        walls.append(side | ({"restitution": number(0, 1)} if rng.random() < 0.5 else {}))
    description = {
        "name": f"drop-{seed}",
        "base": "planar",
        "links": links,
        "initial": {
            "base": [0, 0],
            "base_rates": [number(-1, 1), number(-1, 1)],
            "joints": [number(-3.1, 3.1), *(number(-1.5, 1.5) for _ in range(n - 1))],
            "joint_rates": [number(-2, 2) for _ in range(n)],
        },
        "contact": {"restitution": e, "walls": walls},
        "run": {"duration": 1.5, "sample": 0.01, "rtol": 1e-11, "atol": 1e-13},
    }
    return yaml.safe_dump(description)

"""A rig with a flexible link on a DC motor, and what is measured of it: simulated, with noise."""

from __future__ import annotations

from functools import cache

import numpy as np

import flexarm

RIG = """\
name: rig
gravity: [0, 0, 0]
links:
  - {length: 0.45, mu: 0.1333, EI: 0.2494, modes: 2, damping: {ratio: 0.01, of: assembled}}
joints: [{motor: {inertia: 3.9e-7, gear: 70, resistance: 2.6, torque_constant: 0.0077}, friction: {viscous: 0.004}}]
payload: {mass: 0.05}                  # kg, with the clamp
drive: [{voltage: 0}]
run: {duration: 5.0, sample: 0.002}
sensors:
  hub: {joint: 1}
  gauge: {strain: {link: 1, at: 0.05}, distance: 0.0008}
"""
NUMBERS = {
    "links[0].EI": 0.2494,
    "links[0].damping.ratio": 0.01,
    "payload.mass": 0.05,
    "joints[0].friction.viscous": 0.004,
    "joints[0].motor.torque_constant": 0.0077,
}
COLUMNS = "time, hub, gauge, u=drive[0].voltage"


def voltage(t: np.ndarray) -> np.ndarray:
    """A slew to and fro, and a push."""
    push = 3 * np.clip(np.minimum((t - 3) / 0.02, (3.4 - t) / 0.02), 0, 1)
    return 4 * np.sin(2 * np.pi * 0.4 * t) * (t <= 2.5) + push


@cache
def exact(duration: float = 5.0, step: float = 0.002) -> dict[str, np.ndarray]:
    """Columns without noise; the voltage is that of the rows, with straight lines between them."""
    t = np.arange(round(duration / step) + 1) * step
    u = voltage(t)
    rows = "\\n".join(f"{a!r}, {b!r}" for a, b in zip(t.tolist(), u.tolist(), strict=True))
    text = RIG.replace("voltage: 0", f'voltage: {{table: "{rows}"}}').replace("5.0", f"{duration}")
    result = flexarm.simulate(flexarm.parse_arm(text.replace("sample: 0.002", f"sample: {step}")))
    return {"time": t, "hub": result.sensor("hub"), "gauge": result.sensor("gauge"), "u": u}


def measured(seed: int, noise: float = 0.01, **options: float) -> dict[str, np.ndarray]:
    """Columns with noise, a part of the standard deviation of each."""
    columns, random = dict(exact(**options)), np.random.default_rng(seed)
    for name in ("hub", "gauge"):
        columns[name] = columns[name] + noise * columns[name].std() * random.normal(size=columns[name].size)
    return columns


@cache
def fitted() -> flexarm.Identification:
    """A fit of one run, with a run held back, of whose unknowns two act together."""
    fits = ["links[0].EI=0.3", "joints[0].motor.gear", "offset:hub"]
    data, check = (measured(seed, step=0.01) for seed in (1, 2))
    return flexarm.identify(flexarm.parse_arm(RIG), data, fits, columns=COLUMNS, check=check)

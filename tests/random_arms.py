"""Arms drawn at random, soft and stiff, whose runs are short: descriptions that are more or less good."""

from __future__ import annotations

import numpy as np

TRUE_SEGMENTS, TRUE_MODES = 16, 3


def random_arm(seed: int) -> tuple[str, str]:
    """Description of an arm, and the same with 16 segments of 3 modes and tight tolerances.

    One to three links, in a plane or in space, a payload of 0 to 5 link masses; the last link is bent by weight by
    2 to 30 per cent of its length; one to four modes, one or two segments, families as users choose them.
    """
    rng = np.random.default_rng(seed)
    n, in_space = int(rng.choice([1, 2, 3], p=[0.45, 0.35, 0.2])), bool(rng.random() < 0.4)
    length, mu = rng.uniform(0.4, 1.2), 10 ** rng.uniform(-0.3, 0.7)
    mass = mu * length
    payload = rng.choice([0.0, rng.uniform(0.1, 5.0)], p=[0.3, 0.7]) * mass
    bend = 10 ** rng.uniform(-1.8, -0.5)
    count, segments = int(rng.integers(1, 5)), int(rng.choice([1, 2], p=[0.7, 0.3]))
    family = (
        "craig-bampton" if segments > 1 else str(rng.choice(["craig-bampton", "clamped-free", "polynomial"]))
    )
    rtol = float(rng.choice([1e-5, 1e-7, 1e-9]))
    load = np.array([payload + (n - 1 - i) * mass for i in range(n)])
    EI = (load / 3 + mass / 8) * 9.81 * length**2 / bend
    drives = [
        f'{{torque: "{(0.5 * (load[i] + mass) * 9.81 * length * rng.uniform(-1, 1)):.4g}*sin(9*t)"}}'
        for i in range(n)
    ]
    joints = [f"{{twist: {90 * (i % 2) * in_space} deg}}" for i in range(n)]
    angles = [f"{rng.uniform(-1, 1):.3f}" for _ in range(n)]
    large = n == 3 and in_space  # a shorter run without torsion, or its 16 segments would take minutes
    period = 2 * np.pi / 3.516 * np.sqrt(mu * length**4 / EI.max())  # of the stiffest link without load
    duration = float((0.5 if large else 1.5) * period)

    def text(segments: int, count: int, family: str, rtol: float) -> str:
        links = []
        for own in EI:
            if not in_space:
                modes = f"{{family: {family}, count: {count}}}"
            else:
                torsion = "craig-bampton" if family != "clamped-free" else "fixed-free"
                twist = f", {{family: {torsion}, count: {max(count - 1, 1)}, direction: torsion}}" * (
                    not large
                )
                modes = (
                    f"[{{family: {family}, count: {count}}}, {{family: {family}, count: {count}, direction: z}}"
                    f"{twist}]"
                )
            links.append(
                f"  - {{length: {length:.4g}, mu: {mu:.4g}, EI: {{y: {own:.4g}, z: {1.5 * own:.4g}}}, GJ: {own:.4g}, "
                f"rotary_inertia: [{1e-3 * mu * length**2:.3g}, 0, 0], segments: {segments}, modes: {modes}}}\n"
            )
        return (
            f"name: random-{seed}\ngravity: [0, -9.81, 0]\ngeometric_stiffening: true\nlinks:\n{''.join(links)}"
            f"joints: [{', '.join(joints)}]\npayload: {{mass: {payload:.4g}}}\n"
            f"initial: {{joints: [{', '.join(angles)}]}}\n"
            f"drive: [{', '.join(drives)}]\n"
            f"run: {{duration: {duration:.3g}, sample: {duration / 40:.3g}, rtol: {rtol:g}, atol: {rtol / 100:g}}}\n"
        )

    return text(segments, count, family, rtol), text(TRUE_SEGMENTS, TRUE_MODES, "craig-bampton", 1e-7)

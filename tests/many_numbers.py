"""Chains of links with many numbers, and the keys of these."""

import flexarm


def planar(n=5):
    """Chain with PD drives whose reference jumps, and motors."""
    links = "\n".join(
        f"  - {{length: {0.5 - 0.03 * i}, mu: {0.8 - 0.05 * i}, EI: {300 - 30 * i}, damping: 0.02, modes: 1}}"
        for i in range(n)
    )
    joints = "\n".join("  - {friction: {viscous: 0.3}, motor: {inertia: 1e-5, gear: 100}}" for _ in range(n))
    drive = "\n".join(
        f"  - pd: {{kp: {60 - 8 * i}, kd: {6 - 0.8 * i}, reference: 'sin({1 + 0.2 * i}*t) + 0.1*step(t - 0.2)'}}"
        for i in range(n)
    )
    return _chain(links, joints, f"drive:\n{drive}\n", n), (
        *(f"links[{i}].{key}" for i in range(n) for key in ("length", "mu", "EI", "damping")),
        *(
            f"joints[{i}].{key}"
            for i in range(n)
            for key in ("friction.viscous", "motor.inertia", "motor.gear")
        ),
        *(f"drive[{i}].pd.{key}" for i in range(n) for key in ("kp", "kd")),
        *(f"initial.joints[{i}]" for i in range(n)),
    )


def spatial(n=5):
    """Falling chain in space with loads, whose joints turn about several axes."""
    links = "\n".join(
        f"  - {{length: {0.5 - 0.03 * i}, mu: {0.8 - 0.05 * i}, EI: {{y: {300 - 30 * i}, z: {200 - 10 * i}}}, "
        "damping: 0.02, modes: [{family: clamped-free, count: 1, direction: y}, "
        "{family: clamped-free, count: 1, direction: z}]}"
        for i in range(n)
    )
    axes = ("[0, 0, 1]", "[0, 1, 0]", "[0, 0, 1]", "[0, 1, 0]", "[0, 0, 1]")
    joints = "\n".join(
        f"  - {{axis: {axis}, friction: {{viscous: 0.4}}, motor: {{inertia: 1e-5, gear: 100}}}}"
        for axis in axes
    )
    loads = "loads:\n  - {at: tip, force: [0.2, 'sin(5*t)', 0.1]}\n"
    return _chain(links, joints, loads, n), (
        *(f"links[{i}].{key}" for i in range(n) for key in ("length", "mu", "EI.y", "EI.z", "damping")),
        *(f"joints[{i}].{key}" for i in range(n) for key in ("friction.viscous", "motor.inertia", "motor.gear")),
        *(f"initial.{key}[{i}]" for i in range(n) for key in ("joints", "joint_rates")),
        "payload.mass", "gravity[0]", "gravity[1]", "gravity[2]",
        *(f"loads[0].force[{i}]" for i in (0, 2)),
    )  # fmt: skip


def _chain(links, joints, rest, n):
    return flexarm.parse_arm(
        f"name: chain\nlinks:\n{links}\njoints:\n{joints}\npayload: {{mass: 0.3}}\ngravity: [0.1, -9.8, 0.2]\n"
        f"initial: {{joints: [{', '.join(['0.1'] * n)}], joint_rates: [{', '.join(['0.2'] * n)}]}}\n{rest}"
        f"run: {{duration: 0.5, sample: 0.01, rtol: 1e-10, atol: 1e-13}}\n"
    )

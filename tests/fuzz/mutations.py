"""Mutations of small YAML texts: what fingers, scripts and enemies make of them, repeatably."""

from __future__ import annotations

import re

import numpy as np

ARMS = (
    """\
name: one
gravity: [0, -9.81, 0]
links:
- {length: 1.0, mu: 1.5, EI: 100, modes: {family: clamped-free, count: 1}, damping: 0.01}
payload: {mass: 0.2, inertia: 0.01, offset: [0.02, 0, 0]}
initial: {joints: [-30 deg], joint_rates: [0.1]}
drive: [{torque: "2*sin(t)"}]
run: {duration: 0.2, sample: 0.01, rtol: 1e-6, atol: 1e-8, max_steps: 20000}
""",
    """\
name: two
links:
- {length: 0.5, mu: 1}
- {length: 0.4, material: {E: 7e10, rho: 2700, strength: 2e8}, section: {shape: tube,
  diameter: {eta: [0, 0.4], values: [0.04, 0.03]}, thickness: 0.002}}
joints:
- {twist: 90 deg, offset: 0.1, friction: {viscous: 0.1}, mass: 1, inertia: 0.01}
- {type: fixed, angle: 0.3}
drive: [{pd: {kp: 10, kd: 1, reference: 45 deg}}, null]
loads: [{at: tip, force: [0, "step(t - 0.1)", 0]}, {at: {link: 1, from: 0.2}, distributed: [0, "-t", 0]}]
run: {duration: 0.2, sample: 0.02, method: rk4, step: 0.002}
""",
    """\
name: three
base: planar
links: [{length: 1.0, mu: {eta: [0, 0.5, 1.0], values: [2, 1, 1]}}]
initial: {base: [0, 0.8], base_rates: [0.2, -1], joints: [0.4]}
contact: {restitution: 0.5, walls: [{point: [0, 0], normal: [0, 1]}], points: all}
run: {duration: 0.3, sample: 0.01, max_steps: 20000}
""",
    """\
name: four
gravity: [0, 0, 0]
parameters: {T: 0.1, EI: 40, m: "EI/100 + 0.1*T", duration: 2*T}
base: {type: planar, mass: 15, inertia: 6, attachment: [0.3, 0, 0]}
links: [{length: 0.5, mu: m, EI: EI, modes: 1, damping: {ratio: 0.01, of: assembled}}, {length: T + 0.3, mu: m}]
initial: {base_rates: [0.1, 0, 0.2], joints: [0.2, -30 deg]}
drive: [{move: {to: "pi/2 - T", duration: T}}, {pd: {kp: 60, kd: m, move: {to: 0, duration: T}}}]
run: {duration: duration, sample: T/10, rtol: 1e-6, atol: 1e-8, max_steps: 20000, stations: 3,
  record: [generalised_forces, loads]}
""",
    """\
name: five
base: {type: free, mass: 20, inertia: [5, 4, 4], attachment: [0.4, 0, 0]}
links:
- {length: 0.2, mu: 10, rotary_inertia: [0.02, 0.02, 0.02]}
- length: 1
  mu: 2
  EI: {y: 150, z: 15}
  damping: {retardation: 1e-3}
  modes: [{family: clamped-free, count: 1, direction: y}]
- length: 1
  mu: 1
  EI: {y: 90, z: 9}
  damping: {mass: 0.4, stiffness: 1e-4}
  modes: [{family: clamped-free, count: 1, direction: z}]
joints: [{twist: 90 deg}, {twist: -90 deg, mass: 2, inertia: [0.01, 0.01, 0.01]}, {mass: 1}]
initial: {base: [0, 0, 0, 0.1, 0, 0], base_rates: [0.02, 0, 0, 0.2 deg/s, 0, 0], joints: [0, -30 deg, 80 deg]}
drive: [{pd: {kp: 300, kd: 15, move: {to: 45 deg, duration: 0.1}}}, null, null]
run: {duration: 0.1, sample: 0.01, rtol: 1e-5, atol: 1e-7, max_steps: 20000}
""",
    """\
name: six
products_of_deflections: false
links: [{length: 1, mu: 1.5, EI: 100, modes: 2, damping: {ratio: 0.02}}, {length: 0.5, mu: 1, EI: 50, modes: 1}]
initial: {joints: [-30 deg, 0.2]}
geometric_stiffening: false
run: {duration: 0.1, sample: 0.01, max_steps: 20000}
""",
    """\
name: seven
gravity: [0, 0, -9.81]
links:
- {length: 0, body: &hand {mass: 2, center: [0, 0, 0.05], inertia: [0.02, 0.02, 0.01, 0.001, 0, 0]}}
- {length: 0.6, mu: 1, EI: {z: 60}, modes: {family: craig-bampton, count: 1, direction: z}}
- {repeat: 2, length: 0.2, body: {<<: *hand, mass: 0.5}}
joints:
- {type: prismatic, origin: {xyz: [0, 0, 0.4], rpy: [0, 90 deg, 0]}, axis: [1, 0, 1], limits: [-0.2, 0.3]}
- {twist: 90 deg, limits: {range: [-1, .inf], restitution: 0.4}, motor: {inertia: 1e-4, gear: 50}}
- {axis: [0, 1, 0], friction: {viscous: 0.1}}
- {type: fixed, origin: {xyz: [0.1, 0, 0]}, axis: [1, 0, 0], angle: 20 deg}
initial: {joints: [0.1, 0.2, -30 deg, 20 deg], joint_rates: [0.5, -1, 0, 0]}
drive: [{torque: 30}, null, {move: [{to: 0.3, duration: 0.1}, {to: 10 deg, duration: 0.1}]}, null]
run: {duration: 0.2, sample: 0.02, rtol: 1e-5, atol: 1e-7, max_steps: 20000}
""",
    """\
name: eight
links: [{length: 0.5, mu: 1}, {length: 0.4, mu: 0.5}]
joints:
- {motor: {inertia: 1e-4, gear: 100, stall_torque: 0.05, no_load_speed: 300}}
- {motor: {gear: 50, resistance: 1.2, torque_constant: 0.03}}
drive:
- pd: {kp: 80, ki: 40, kd: 8, reference: {times: [0, 0.1, 0.2], values: [0, 0.1, 0.3]}}
  torque: "sin(t)"
  gravity_compensation: true
  saturate: true
- {voltage: "12*step(t - 0.05)"}
run: {duration: 0.2, sample: 0.02, rtol: 1e-6, atol: 1e-8, max_steps: 20000}
""",
    """\
name: nine
links: [{length: 0.5, mu: 1, EI: 50, modes: 1, damping: 0.01}, {length: 0.4, mu: 0.5}]
joints:
- {stiffness: 500, damping: 0.5, motor: {inertia: 1e-4, gear: 50}, limits: [-60 deg, .inf], friction: {viscous: 1}}
- {stiffness: 30, rest: 20 deg}
initial: {joints: [-30 deg, 0.1], motors: [-0.5], motor_rates: [0.2]}
drive: [{pd: {kp: 90, ki: 30, kd: 9, reference: 10 deg}, gravity_compensation: true}, {torque: "sin(t)"}]
run: {duration: 0.2, sample: 0.02, rtol: 1e-5, atol: 1e-7, max_steps: 20000}
""",
    """\
name: ten
links: [{length: 0.5, mu: 1, EI: 50, modes: 1, damping: 0.01}, {length: 0.4, mu: 0.5}]
initial: {joints: [-5 deg, -20 deg]}
contact:
  restitution: 0.4
  walls:
  - {point: [0, -0.3], normal: [0, 1], stiffness: 1e5, approach_speed: 0.5, friction: {kinetic: 0.3, smoothing: 0.05}}
  - {circle: {center: [0.6, -0.6], radius: 0.4, side: outside}, stiffness: 2e4, exponent: 1.2, damping: 0.3}
  - {point: [0, -0.5], normal: [0, 1]}
run: {duration: 0.3, sample: 0.01, rtol: 1e-6, atol: 1e-8, max_steps: 20000}
""",
)
TRAJECTORIES = (
    "duration: 1.0\nline: {from: [0.7, -0.2], to: [0.5, 0.6]}\nelbow: positive\nsample: 0.05\n",
    'space: joint\nduration: 0.5\npath: {q1: "0.3*sin(t)", q2: "0.1*t**2"}\nsample: 0.05\n',
    "waypoints: {times: [0, 0.5, 1], x: [0.7, 0.6, 0.5], y: [0, 0.1, 0.2]}\nelbow: negative\nsample: 0.1\n",
)
SWEEPS = (
    "arm: one.yaml\nvary:\n  links[0].EI: [50, 200]\n  payload.mass: 0:1:3\nrecord: [final_tip]\n",
    "arm: one.yaml\nvary:\n  links[0].mu: 1:2\nsample: {method: sobol, count: 4}\nseries: [tip]\n",
    "arm: four.yaml\nvary:\n  parameters.T: [0.05, 0.1]\n  base.mass: 5:15:2\n"
    "record: [max_tip_deflection, 'overshoot:joint_angle[0]']\n",
)

WORDS = (
    "0", "-1", "1e300", "-1e300", "1e-300", "5e-324", ".nan", "-.inf", "true", "null", "''", "abc", "[]", "{}", "[1]",
    "[[1]]", "{a: 1}", "1e5", "12:30", "0x10", "1_0", "30 deg", "45 degrees", '"sin(t"', '"1/0"', '"t**t"',
    '"__import__(1)"', "*a", "&a 1", "!!python/object:os.system 1", "<<", "é", "臂", '"\\e[31m"', '"\\0"', "9" * 400,
    "[0, 1, 2, 3, 4, 5, 6]", "2025-01-01", "T", "-T", "1/T - 10", "T**-999", "EI*m*duration", "parameters.T", "pi",
    "time", "m + m", "sqrt(-T)", "[T, T, T]", "{T: T}", "{ratio: 2, of: link}", "{retardation: 1e9}", "{mass: -1}",
    "{stiffness: T}", "{type: free}", "{type: planar, mass: 0}", "{to: T, duration: 0}",
    "prismatic", "{xyz: [0, 0, 1]}", "[0, 0, 0]", "[1, -1]", "{range: [0, .inf], restitution: 2}", "*hand", "&hand {}",
    "{mass: 1, inertia: [1, 1, 9, 0, 0, 0]}", "{result: out.h5}", "{kp: 1, ki: 1, kd: 0, reference: 1e9}",
    "[generalised_forces, generalised_forces]", "[loads]", "{at: [0, T]}",
)  # fmt: skip
VALUE = re.compile(r"(?<=[:\[,] )[^,\[\]{}\n]+|(?<=\[)[^,\[\]{}\n]+")


def mutated(text: str, rng: np.random.Generator) -> str:
    """Text after one to three mutations."""
    for _ in range(int(rng.integers(1, 4))):
        text = MUTATIONS[int(rng.integers(len(MUTATIONS)))](text, rng)
    return text


def _other_value(text, rng):
    places = list(VALUE.finditer(text))
    if not places:
        return text
    place = places[int(rng.integers(len(places)))]
    return text[: place.start()] + WORDS[int(rng.integers(len(WORDS)))] + text[place.end() :]


def _other_size(text, rng):
    places = list(re.finditer(r"\d+(\.\d+)?(e-?\d+)?", text))
    if not places:
        return text
    place = places[int(rng.integers(len(places)))]
    return text[: place.start()] + f"1e{int(rng.integers(-330, 310))}" + text[place.end() :]


def _without_a_line(text, rng):
    lines = text.splitlines(keepends=True)
    del lines[int(rng.integers(len(lines))) if lines else 0 :][:1]
    return "".join(lines)


def _line_twice(text, rng):
    lines = text.splitlines(keepends=True) or [""]
    k = int(rng.integers(len(lines)))
    return "".join([*lines[: k + 1], *lines[k:]])


def _other_character(text, rng):
    k = int(rng.integers(len(text) + 1))
    return (
        text[:k]
        + "{}[]:,-#&*!|>'\"%@`\t\n \x00\x1b\u2028\ufeff"[int(rng.integers(24))]
        + text[k + int(rng.integers(2)) :]
    )


def _cut_short(text, rng):
    return text[: int(rng.integers(len(text) + 1))]


def _misspelt_key(text, rng):
    keys = list(re.finditer(r"\w+(?=:)", text))
    if not keys:
        return text
    key = keys[int(rng.integers(len(keys)))]
    return text[: key.start()] + key[0][::-1] + text[key.end() :]


def _longer_list(text, rng):
    places = [m.start() for m in re.finditer(r"\[", text)]
    if not places:
        return text
    k = places[int(rng.integers(len(places)))] + 1
    return text[:k] + "1, " * int(10 ** rng.uniform(0, 3.5)) + text[k:]


MUTATIONS = (
    _other_value, _other_value, _other_value, _other_size, _other_size, _without_a_line, _line_twice, _other_character,
    _cut_short, _misspelt_key, _longer_list,
)  # fmt: skip

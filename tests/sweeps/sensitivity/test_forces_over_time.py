"""Derivatives of the forces of contacts over time: closed forms, differences of runs, and what has none."""

import numpy as np
import pytest
from differences_of_runs import check_against_runs
from paths import ROBOTS
from test_friction import CASES

import flexarm
from flexarm.errors import ModelError

FINE = "rtol: 1e-11, atol: 1e-13"
SLIDER = f"""\
name: slider
gravity: [0, -10, 0]
links: [{{length: 0, body: {{mass: 2, inertia: 1}}}}, {{length: 0, body: {{mass: 1, inertia: 1}}}}]
joints: [{{type: prismatic, axis: [1, 0, 0]}}, {{type: prismatic, axis: [0, 1, 0]}}]
initial: {{joints: [0, 0], joint_rates: [1.5, 0]}}
contact:
  {{restitution: 0, friction: {{kinetic: 0.3, static: 0.6}}, points: O3, walls: [{{point: [0, 0], normal: [0, 1]}}]}}
drive: [{{torque: "T*t"}}, {{torque: "-P"}}]
parameters: {{T: 2.0, P: 20.0}}
run: {{duration: 4.05, sample: 0.1, {FINE}}}
"""


def test_a_mass_that_slides_and_sticks_in_closed_form():
    """N = P + m g presses; 0.3 N - T t brakes 3 kg until they stick, where the wall takes T t."""
    arm = flexarm.parse_arm(SLIDER)
    of = ["contact_force", "contact_tangential_force", "contact_slip"]
    found = flexarm.gradient(arm, of, ["parameters.T", "parameters.P", "contact.friction.kinetic"])
    t, N = found.times, 20.0 + 10.0
    stops = (0.3 * N - np.sqrt((0.3 * N) ** 2 - 2 * 2.0 * 3 * 1.5)) / 2.0  # 3 kg v + T t^2/2 - 0.3 N t = 0
    slides = t < stops
    for key, normal, along, slip in (
        ("parameters.T", 0 * t, np.where(slides, 0, -t), t**2 / 6),
        ("parameters.P", 0 * t + 1, np.where(slides, -0.3, 0), -0.1 * t),
        ("contact.friction.kinetic", 0 * t, np.where(slides, -N, 0), -N * t / 3),
    ):
        for name, expected in zip(of, (normal, along, np.where(slides, slip, 0)), strict=True):
            np.testing.assert_allclose(
                np.asarray(found[name, key]).ravel(), expected, rtol=0, atol=1e-8, err_msg=f"{name} by {key}"
            )


def test_torques_of_what_holds_a_joint():
    """Friction takes what drives a joint that sticks, a limit what drives one against it beyond that."""
    arm = flexarm.parse_arm(f"""\
name: held
gravity: [0, 0, 0]
links: [{{length: 1, mu: 1}}, {{length: 1, mu: 1}}]
joints: [{{friction: {{coulomb: 3, smoothing: 0}}}}, {{limits: {{range: [-1, 0], restitution: 0}}}}]
drive: [{{torque: "T*sin(t)"}}, {{torque: "P"}}]
initial: {{joints: [0, 0]}}
parameters: {{T: 2.0, P: 0.5}}
run: {{duration: 1, sample: 0.1, {FINE}}}
""")
    found = flexarm.gradient(arm, ["friction_torque[0]", "limit_torque[1]"], ["parameters.T", "parameters.P"])
    expected = {
        ("friction_torque[0]", "parameters.T"): -np.sin(found.times),
        ("friction_torque[0]", "parameters.P"): 0 * found.times,
        ("limit_torque[1]", "parameters.T"): 0 * found.times,
        ("limit_torque[1]", "parameters.P"): -1 + 0 * found.times,
    }
    for pair, values in expected.items():
        np.testing.assert_allclose(found[pair], values, rtol=0, atol=1e-9, err_msg=str(pair))


def test_energy_that_an_impact_takes():
    """A mass of m falls by h onto a floor that rubs: m g h (1 - e^2) is lost, and by its angle nothing else."""
    arm = flexarm.parse_arm(f"""\
name: fall
gravity: [0, -10, 0]
links: [{{length: 0, body: {{mass: 2, inertia: 1}}}}]
joints: [{{type: prismatic, axis: [0, 1, 0]}}]
initial: {{joints: [0.5]}}
contact: {{restitution: 0.6, friction: 0.1, points: O2, walls: [{{point: [0, 0], normal: [0, 1]}}]}}
run: {{duration: 0.5, sample: 0.05, {FINE}}}
""")
    keys = ["initial.joints[0]", "contact.restitution", "links[0].body.mass"]
    found = flexarm.gradient(arm, ["energy_lost_impacts"], keys)
    after = found.times > np.sqrt(0.1)
    for key, expected in zip(keys, (20 * 0.64, -2 * 0.6 * 10, 5 * 0.64), strict=True):
        np.testing.assert_allclose(
            found["energy_lost_impacts", key], expected * after, rtol=0, atol=1e-8, err_msg=key
        )


@pytest.mark.parametrize("name", ["wiper", pytest.param("space", marks=pytest.mark.slow)])
def test_where_contacts_slide_stick_and_break_away(name):
    """With a wider step than beside impacts: accelerations of stiff links magnify what is left in differences."""
    text, keys = CASES[name]
    check_against_runs(flexarm.parse_arm(text), keys[:2], step=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "duration", "keys"),
    [
        ("polishing_arm", 3.0, ["contact.friction.kinetic", "links[2].EI.y"]),
        ("tapping_arm", 0.5, ["links[1].EI"]),
    ],
)
def test_shipped_arms_against_differences_of_runs(name, duration, keys):
    arm = flexarm.load_arm(ROBOTS / f"{name}.yaml").replace("run.duration", duration)
    check_against_runs(arm, keys, step=1e-4)


def test_what_counts_has_no_derivative():
    with pytest.raises(ModelError, match="contact_state counts what contacts do"):
        flexarm.gradient(flexarm.parse_arm(SLIDER), ["contact_state"], ["parameters.T"])

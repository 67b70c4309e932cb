"""Arms with an angle in them, whose links bend in both directions and twist, against 3D frame elements."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned
from reference.space_frame import Beam, frequencies

import flexarm

RIGID_ALONG = 1e9
"""EA [N] of beams that do not stretch, as the links here; more would cost digits."""

LINK = {"length": 0.8, "mu": 2.0, "EI_y": 400.0, "EI_z": 250.0, "GJ": 150.0}
ROTARY = (4.0e-4, 2.0e-4, 2.0e-4)
SECOND = {"length": 0.6, "mu": 1.5, "EI_y": 200.0, "EI_z": 300.0, "GJ": 120.0}

L_ARM = """
name: l-shaped
gravity: [0, 0, 0]
links:
  - {{length: 0.8, mu: 2.0, EI: {{y: 400, z: 250}}, GJ: 150, rotary_inertia: [4.0e-4, 2.0e-4, 2.0e-4], modes: {modes}}}
  - {{length: 0.6, mu: 1.5, EI: {{y: 200, z: 300}}, GJ: 120, rotary_inertia: [4.0e-4, 2.0e-4, 2.0e-4], modes: {modes}}}
joints: [{{type: fixed}}, {{type: fixed, angle: {angle} deg, twist: {twist} deg}}]
payload: {payload}
"""


def modes(count: int) -> str:
    sets = ", ".join(f"{{count: {count}, direction: {way}}}" for way in ("y", "z", "torsion"))
    return f"[{sets}]"


def turned(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    R = np.array([[c, -s], [s, c]]) if axis != 1 else np.array([[c, s], [-s, c]])
    full = np.eye(3)
    rows = [k for k in range(3) if k != axis]
    full[np.ix_(rows, rows)] = R
    return full


def found_and_exact(count: int, angle: float, twist: float, payload: str, body: dict) -> tuple:
    arm = flexarm.parse_arm(L_ARM.format(modes=modes(count), angle=angle, twist=twist, payload=payload))
    found = flexarm.natural_modes(arm).modes.natural_frequency[:4]
    first = Beam(np.eye(3), EA=RIGID_ALONG, rotary=ROTARY, **LINK)
    axes = turned(0, twist) @ turned(2, angle)
    second = Beam(axes, EA=RIGID_ALONG, rotary=ROTARY, **SECOND, **body)
    return found, frequencies([first, second], 4)


@pytest.mark.parametrize(
    ("angle", "twist", "payload", "body"),
    thinned(
        [
            (90, 0, "{}", {}),
            (90, 90, "{}", {}),
            (60, -40, "{}", {}),
            (
                90,
                0,
                "{mass: 1.0, inertia: [0.02, 0.01, 0.015]}",
                {"end_mass": 1.0, "end_inertia": np.diag([0.02, 0.01, 0.015])},
            ),
        ]
    ),
)
def test_frequencies_of_an_l_shaped_arm(angle, twist, payload, body):
    """Three modes in each direction: within a thousandth of 3D frame elements."""
    found, exact = found_and_exact(3, angle, twist, payload, body)
    print(f"{found} Hz, frame elements {exact} Hz, {found / exact - 1}")
    np.testing.assert_allclose(found, exact, rtol=1e-3)


def test_frame_elements_have_converged():
    beam = {**LINK, "EA": RIGID_ALONG, "rotary": ROTARY}
    other = {**SECOND, "EA": RIGID_ALONG, "rotary": ROTARY}
    coarse, fine = (
        frequencies(
            [
                Beam(np.eye(3), **beam, elements=n),
                Beam(turned(2, 90), **other, elements=n),
            ],
            4,
        )
        for n in (10, 20)
    )
    np.testing.assert_allclose(coarse, fine, rtol=1e-5)
    # the same elements on a straight cantilever without rotary inertia: the closed form
    straight = Beam(np.eye(3), **{**beam, "rotary": (4e-4, 0.0, 0.0)})
    clamped = 1.8751040687119611**2 * np.sqrt(np.array([250, 400]) / 2.0) / 0.8**2 / (2 * np.pi)
    np.testing.assert_allclose(frequencies([straight], 2), clamped, rtol=1e-6)


def test_torsion_of_a_link_that_carries_another():
    """A link that twists under a heavy rigid cross-beam: sqrt(GJ / (l J)), exact but for its own inertia.

    With the inertia I of the link per length the frequency solves b tan(b) = I l / J, omega = b sqrt(GJ / I) / l.
    """
    text = """
name: torsion-pendulum
gravity: [0, 0, 0]
links:
  - {length: 1.0, mu: 1.0, GJ: 50.0, rotary_inertia: [1.0e-3, 0, 0], modes: [{count: COUNT, direction: torsion}]}
joints: [{type: fixed}]
payload: {mass: 1.0, inertia: [0.05, 0.05, 0.05]}
"""
    ratio = 1e-3 / 0.05
    b = np.sqrt(ratio)
    for _ in range(50):
        b -= (b * np.tan(b) - ratio) / (np.tan(b) + b / np.cos(b) ** 2)
    exact = b * np.sqrt(50.0 / 1e-3) / (2 * np.pi)
    errors = {}
    for count in (1, 2, 3):
        arm = flexarm.parse_arm(text.replace("COUNT", f"{count}"))
        errors[count] = abs(flexarm.natural_modes(arm).modes.natural_frequency[0] / exact - 1)
    print(errors)
    assert errors[1] < 2e-5
    assert errors[2] < 2e-6
    assert errors[3] < errors[2]

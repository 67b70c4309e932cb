"""Warnings about what the model leaves out: each appears where its limit is passed, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm
from flexarm.analysis.checks.validity import buckling_load
from flexarm.simulation.state.initial_state import check_mass_matrix

LINK = """
name: probe
gravity: [{gravity}, 0, 0]
geometric_stiffening: {stiffening}
links: [{{length: 2, mu: 1, EI: 50, modes: {{family: clamped-free, count: 2}}}}]
payload: {{mass: {payload}}}
initial: {{joint_rates: [{rate}], modes: [{amplitude}, 0]}}
run: {{duration: 0.02, sample: 0.01}}
"""
FIRST = 1.8751040687119611**2 * np.sqrt(50 / 2**4)  # first locked frequency without payload, rad/s
EULER = (np.pi / 4) ** 2 * 50  # buckling load, N


def probe(gravity=0.0, stiffening="false", payload=0.0, rate=0.0, amplitude=0.0):
    values = {
        "gravity": gravity,
        "stiffening": stiffening,
        "payload": payload,
        "rate": rate,
        "amplitude": amplitude,
    }
    return flexarm.parse_arm(LINK.format(**values))


def both(arm) -> tuple[str, str]:
    """Warnings of `check` and of a run."""
    return "\n".join(flexarm.check_arm(arm).warnings), "\n".join(flexarm.run_warnings(flexarm.simulate(arm)))


def test_calm_arm_has_no_warnings():
    assert both(probe(rate=0.1 * FIRST, gravity=0.05 * EULER / 2)) == ("", "")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rate": 0.4 * FIRST}, f"it turns at {0.4 * FIRST:.3g} rad/s"),
        (
            {"gravity": -0.12 * EULER / 2},
            f"it bears {0.12 * EULER:.3g} N along its axis",
        ),  # weight of 2 kg, pushing
        ({"payload": 1.0, "rate": 0.2 * FIRST}, "it bears"),  # the payload's centrifugal force
    ],
)
def test_missing_stiffening_is_named(values, words):
    for text, when in zip(both(probe(**values)), ("at the start", "during the run"), strict=True):
        assert words in text
        assert when in text
        assert "geometric_stiffening: false leaves this out" in text
    assert both(probe(stiffening="true", **values)) == ("", "")


def test_large_deflections_are_named_with_or_without_stiffening():
    # phi_1(l) = 2 and l phi_1'(l) = 2.7531 of the published clamped-free mode
    for text in both(probe(amplitude=0.25)):
        assert "its end turns by 0.34 rad" in text
    for stiffening in ("false", "true"):
        for text in both(probe(amplitude=0.12, stiffening=stiffening)):
            assert "its end moves by 12.0% of its length" in text
    assert flexarm.check_arm(probe(amplitude=0.08)).warnings == ()


def test_a_deflection_far_beyond_the_model_is_warned_of_and_still_computed():
    """The whole kinetic energy keeps the mass matrix positive definite: an end that turns by 1.4 rad moves on."""
    arm = probe(amplitude=1.0, stiffening="true")
    (warning,) = [text for text in flexarm.check_arm(arm).warnings if "its end turns by" in text]
    assert "1.4 rad" in warning
    assert flexarm.simulate(arm).status == "complete"


def test_a_mass_matrix_that_overflows_is_not_called_singular():
    with pytest.raises(flexarm.ModelError, match=r"not finite at the start: .*masses smaller"):
        check_mass_matrix(np.full((2, 2), np.inf), ("q_1", "q_2"))


def test_buckling_load_takes_the_weaker_direction():
    text = LINK.format(gravity=0, stiffening="false", payload=0, rate=0, amplitude=0)
    arm = flexarm.parse_arm(text.replace("EI: 50", "EI: {y: 50, z: 20}"))
    assert buckling_load(arm.links[0]) == pytest.approx(EULER * 20 / 50)

"""How joints follow their references, against step responses in closed form."""

import numpy as np
import pytest

import flexarm
from flexarm.analysis.joint_tracking import joint_tracking
from flexarm.errors import SpecError
from flexarm.sweeps.measures.scalar_measures import scalar_measures
from flexarm.sweeps.parameters.keys import KeyFault

OMEGA, DAMPING, GOAL, END = 8.0, 0.3, 0.5, 4.0
ARM = flexarm.parse_arm(f"""\
name: servo
gravity: [0, 0, 0]
links: [{{length: 1, mu: 3}}]        # 1 kg m^2 about its joint
drive: [{{pd: {{kp: {OMEGA**2}, kd: {2 * DAMPING * OMEGA}, reference: {GOAL}}}}}]
run: {{duration: {END}, sample: 0.0005, rtol: 1e-9, atol: 1e-12}}
""")
DAMPED = OMEGA * np.sqrt(1 - DAMPING**2)


def error(t):
    """Distance from the reference after a step, from rest."""
    return (
        GOAL
        * np.exp(-DAMPING * OMEGA * t)
        * (np.cos(DAMPED * t) + DAMPING * OMEGA / DAMPED * np.sin(DAMPED * t))
    )


def test_a_step_response():
    (found,) = joint_tracking(flexarm.simulate(ARM))
    t = np.linspace(0, END, 400_001)
    e = error(t)
    assert found.joint == 1
    # trapezoids of 0.5 ms are off by a twelfth of its square times the second derivative
    assert found.rms_error == pytest.approx(np.sqrt(np.mean(e**2)), rel=1e-4)
    assert (found.largest_error, found.largest_at) == (GOAL, 0.0)
    assert found.overshoot == pytest.approx(np.exp(-np.pi * DAMPING / np.sqrt(1 - DAMPING**2)), rel=1e-5)
    settled = t[np.flatnonzero(np.abs(e) > 0.05 * GOAL)[-1]]
    assert found.settling_time == pytest.approx(settled, abs=1e-3)
    assert found.final_error == pytest.approx(error(END), abs=1e-9)
    assert found.residual_vibration == pytest.approx(np.ptp(e) / 2, rel=1e-4)
    # at rest from rest to rest, the drive has given nothing: its work is the kinetic energy, to the error of trapezoids
    assert found.energy == pytest.approx(0.0, abs=1e-3 * OMEGA**2 * GOAL**2)


@pytest.mark.slow
def test_records_of_sweeps_are_the_same_numbers():
    swept = flexarm.sweep(
        ARM,
        vary={"drive[0].pd.kp": [40.0, OMEGA**2]},
        record=["rms_error:1", "largest_error:1", "rms_torque:1"],
        workers=1,
    )
    (alone,) = joint_tracking(flexarm.simulate(ARM))
    assert swept["rms_error:1"][1] == pytest.approx(alone.rms_error, rel=1e-9)
    assert swept["largest_error:1"][1] == pytest.approx(alone.largest_error, rel=1e-9)
    assert swept["rms_torque:1"][1] == pytest.approx(alone.rms_torque, rel=1e-9)
    assert swept["rms_error:1"][0] > swept["rms_error:1"][1]


def test_the_motor_of_an_elastic_joint_is_what_follows():
    text = ARM.text.replace("drive:", "joints: [{stiffness: 200, damping: 1, motor: {inertia: 0.1}}]\ndrive:")
    result = flexarm.simulate(flexarm.parse_arm(text))
    (found,) = joint_tracking(result)
    assert found.final_error == pytest.approx(GOAL - result["motor_angle"][-1, 0], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rms_error", "expected rms_error:JOINT"),
        ("rms_error:2", "no such joint"),
        ("rms_eror:1", "did you mean"),
    ],
)
def test_unknown_measures(name, said):
    with pytest.raises(KeyFault) as error:
        scalar_measures([name], ARM)
    assert said in f"{error.value.message} {error.value.hint}"


def test_an_error_needs_a_reference():
    free = flexarm.parse_arm(
        ARM.text.replace("pd: {", "torque: 1, pd: {").split("drive:")[0] + "run: {duration: 1, sample: 0.1}\n"
    )
    with pytest.raises((KeyFault, SpecError), match="no reference"):
        scalar_measures(["largest_error:1"], free)
    assert joint_tracking(flexarm.simulate(free)) == []

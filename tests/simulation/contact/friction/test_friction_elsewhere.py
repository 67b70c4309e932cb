"""What other commands than simulate take a joint with dry friction as: held at rest, sliding where it is led."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexarm
from flexarm.simulation.forces.work import work

ROD = """
name: rod
links: [{{length: 1, mu: 1{modes}}}]
joints: [{{friction: {friction}}}]
initial: {{joints: [{start}]{initial}}}
run: {{duration: 1, sample: 0.01, rtol: 1e-10, atol: 1e-12}}
"""
MODES = ", EI: 50, modes: {family: clamped-free, count: 1}"
DRY = "{coulomb: 1, smoothing: 0}"
WEIGHT = 9.81 / 2


def rod(start: str = "-80 deg", friction: str = DRY, modes: str = "", initial: str = "") -> flexarm.Arm:
    return flexarm.parse_arm(ROD.format(start=start, friction=friction, modes=modes, initial=initial))


@pytest.mark.parametrize("modes", ["", MODES])
def test_equilibrium_is_where_friction_holds(modes):
    found = flexarm.static_equilibrium(rod(modes=modes))
    assert found.joint_angle[0] == pytest.approx(math.radians(-80), abs=1e-15)
    assert found.stability == "stable"
    if not modes:
        assert found.torque[0] == pytest.approx(WEIGHT * math.cos(math.radians(-80)), rel=1e-12)


def test_run_that_starts_in_such_an_equilibrium_stays_there():
    """The link is bent by its weight, the joint held."""
    result = flexarm.simulate(rod(modes=MODES, initial=", equilibrium: true"))
    assert np.ptp(result["joint_angle"]) < 1e-12
    assert np.ptp(result["mode_amplitude"]) < 1e-10
    assert np.abs(result["mode_amplitude"]).min() > 1e-4


@pytest.mark.parametrize("initial", ["", ", equilibrium: true"])
def test_equilibrium_beyond_friction_is_refused(initial):
    arm = rod("-30 deg", initial=initial)
    with pytest.raises(
        flexarm.ModelError, match=r"joint 1 does not hold it .* 4\.2478\d* N m, but it holds 1 N m"
    ):
        flexarm.simulate(arm) if initial else flexarm.static_equilibrium(arm)


def test_small_motions_leave_the_joint_held():
    """Modes are those of the clamped beam, and the roles say why."""
    held = flexarm.natural_modes(rod(modes=MODES))
    clamped = flexarm.natural_modes(rod(modes=MODES, friction="{}"), hold=[1])
    np.testing.assert_allclose(held.frequencies, clamped.frequencies, rtol=1e-12)
    assert str(held.roles) == "joint 1 held by its dry friction"
    with pytest.raises(flexarm.ModelError, match="dry friction holds joints in small motions"):
        flexarm.linearize(rod(modes=MODES))


@pytest.mark.parametrize(
    ("start", "friction", "rate"),
    [
        ("-80 deg", "{coulomb: 1}", 0.01 * math.atanh(WEIGHT * math.cos(math.radians(-80)))),
        ("-80 deg", "{coulomb: 2, viscous: 3, smoothing: 0.05}", None),
        ("-30 deg", "{coulomb: 1}", 0.0),
        ("-90 deg", "{coulomb: 1}", 0.0),
        ("-80 deg", DRY, 0.0),
    ],
)
def test_check_says_at_what_rate_a_joint_creeps(start, friction, rate):
    """The rate is that with which a simulation goes on once the joint creeps."""
    arm = rod(start, friction)
    warnings = [line for line in flexarm.check_arm(arm).warnings if "creeps" in line]
    if rate == 0.0:
        assert not warnings
        return
    (line,) = warnings
    told = float(line.partition("creeps at ")[2].partition(" rad/s")[0])
    crept = flexarm.simulate(arm.replace("run.duration", 0.05))["joint_velocity"][-1, 0]
    assert told == pytest.approx(
        abs(crept), rel=0.05
    )  # two digits, and the weight's moment has changed by then
    if rate is not None:
        assert told == pytest.approx(rate, rel=0.05)
    assert "smoothing: 0" in line


def test_inverse_dynamics_overcomes_friction():
    """The torque of a prescribed path is that without dry friction, and coulomb in the direction of the rate."""
    path = flexarm.parse_trajectory("space: joint\nduration: 1.0\nline: {from: [-80 deg], to: [10 deg]}\n")
    dry = flexarm.inverse(rod(modes=MODES), path)
    free = flexarm.inverse(rod(modes=MODES, friction="{}"), path)
    rates = dry["joint_velocity"][:, 0]
    moves = np.abs(rates) > 1e-6
    np.testing.assert_allclose((dry["torque"] - free["torque"])[moves, 0], np.sign(rates[moves]), atol=1e-9)
    np.testing.assert_allclose(dry["friction_torque"][moves, 0], -np.sign(rates[moves]), atol=1e-12)
    np.testing.assert_allclose(work(dry), work(free), atol=1e-6)  # samples of 1/300 of the path


def test_prescribed_motion_slides():
    """A drive that leads the joint has coulomb to overcome, back and forth; nothing sticks, so there are no events."""
    text = ROD.format(start="-80 deg", friction=DRY, modes=MODES, initial="")
    motion = "drive: [{motion: 0.5*sin(6*t)}]\n"
    dry = flexarm.simulate(flexarm.parse_arm(text + motion))
    free = flexarm.simulate(flexarm.parse_arm(text.replace(DRY, "{}") + motion))
    rates = np.sign(np.cos(6 * dry["time"]))
    np.testing.assert_allclose((dry["torque"] - free["torque"])[:, 0], rates, atol=1e-9)
    np.testing.assert_array_equal(dry["mode_amplitude"], free["mode_amplitude"])
    np.testing.assert_allclose(work(dry), work(free), atol=1e-4)  # Akima through the kinks of the power


def test_joint_without_a_drive_that_may_stick_is_refused():
    """On a planar base nothing drives joint 1: whether it sticks is found by a simulation alone."""
    arm = flexarm.parse_arm(f"""
name: arm
base: planar
links: [{{length: 1, mu: 1}}, {{length: 1, mu: 1}}]
joints: [{{friction: {DRY}}}, {{}}]
""")
    path = flexarm.parse_trajectory("space: joint\nduration: 1.0\npath: {q2: 0.1*t**2}\n")
    with pytest.raises(flexarm.ModelError, match="joint 1 has no drive and may stick"):
        flexarm.inverse(arm, path)

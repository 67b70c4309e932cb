"""Numbers that only act together are said to: twenty constructed pairs."""

import numpy as np
import pytest
from breadth import thinned

import flexarm

BEAM = """\
name: beam
gravity: [0, 0, 0]
links: [{length: LENGTH, mu: 0.5, EI: 12, modes: 2, damping: {ratio: 0.01, of: assembled}}]
joints: [{type: fixed}]
initial: {modes: [0.01, 0.0]}
run: {duration: 1.0, sample: 0.01}
"""
ROD = """\
name: rod
gravity: [0, GRAVITY, 0]
links: [{length: LENGTH, mu: 0.8}]
joints: [{friction: {viscous: 0.03}, motor: {inertia: 0.02}}]
payload: {mass: 0.3, inertia: 0.05}
initial: {joints: [0.3], joint_rates: [1.0]}
run: {duration: 2.0, sample: 0.02}
"""
COASTING = ROD.replace("GRAVITY", "0")
BARE = COASTING.replace(
    "joints: [{friction: {viscous: 0.03}, motor: {inertia: 0.02}}]\npayload: {mass: 0.3, inertia: 0.05}\n", ""
)
FED = BARE.replace(
    "initial",
    "joints: [{motor: {gear: 40, torque_constant: 0.05, resistance: 3}}]\ndrive: [{voltage: 'sin(3*t)'}]\ninitial",
)
GEARED = BARE.replace(
    "initial", "joints: [{motor: {inertia: 1e-4, gear: 40}}]\ndrive: [{torque: 'sin(3*t)'}]\ninitial"
)
LED = BARE.replace("initial", "drive: [{pd: {kp: 3, kd: 0, reference: 'sin(2*t)'}}]\ninitial")
PUSHED = BARE.replace("initial", "loads: [{at: tip, force: [0, 0.4, 0]}]\ninitial")
DRAGGED = BARE.replace("initial", "joints: [{friction: {viscous: 0.03}}]\ninitial")
SWINGING = (
    ROD.replace("GRAVITY", "-9.81")
    .replace("joints: [{friction: {viscous: 0.03}, motor: {inertia: 0.02}}]\n", "")
    .replace(", inertia: 0.05", "")
)
FLAPPING = BEAM.replace("joints: [{type: fixed}]\n", "")

EI, MU, MASS = "links[0].EI", "links[0].mu", "payload.mass"
PAIRS = {
    "stiffness and mass of a beam": (BEAM, "tip[1]", EI, MU, "/"),
    "of one that turns freely": (FLAPPING, "joint_angle[0]", EI, MU, "/"),
    "a rod and its load": (SWINGING, "q_1", MU, MASS, "/"),
    "two inertias": (COASTING, "q_1", "payload.inertia", "joints[0].motor.inertia", " + "),
    "gear and constant": (FED, "q_1", "joints[0].motor.gear", "joints[0].motor.torque_constant", "*"),
    "inertia behind a gear": (GEARED, "q_1", "joints[0].motor.inertia", "joints[0].motor.gear", "gear^2"),
    "a gain and what it moves": (LED, "q_1", "drive[0].pd.kp", MU, "/"),
    "a force and what it moves": (PUSHED, "q_1", "loads[0].force[1]", MU, "/"),
    "a drag and what it slows": (DRAGGED, "q_1", "joints[0].friction.viscous", MU, "/"),
    "where it begins, and what is added": (BARE, "joint_angle[0]", "initial.joints[0]", "offset:hub", ""),
}  # fmt: skip
CASES = [(name, length) for length in (0.7, 1.3) for name in PAIRS]


@pytest.mark.parametrize(("name", "length"), thinned(CASES, 4))
def test_two_numbers_that_act_together(name, length):
    text, what, first, second, sign = PAIRS[name]
    arm = flexarm.parse_arm(text.replace("LENGTH", f"{length}"))
    result = flexarm.simulate(arm)
    series = result.tip[:, 1] if what == "tip[1]" else result.joint_angle[:, 0]
    random = np.random.default_rng(round(10 * length))
    noisy = series + 0.01 * series.std() * random.normal(size=series.size)
    fits = [
        f"{key}={1.3 * arm_value:g}" if (arm_value := VALUES.get(key)) else key for key in (first, second)
    ]
    found = flexarm.identify(arm, {"time": result.time, "hub": noisy}, fits, columns=f"time, hub={what}")
    assert not found.known.any()
    (remark,) = found.remarks
    assert first in remark
    assert second in remark
    assert sign in remark
    assert ("only" in remark) == (sign != "")
    assert np.isnan(found.standard_errors).all()
    if sign in ("/", "*"):  # a product that is known, of numbers as near to their starts as it lets them
        ratio = found.values / found.start
        assert ratio[0] == pytest.approx(1 / ratio[1] if sign == "/" else ratio[1], rel=0.02)


VALUES = {EI: 12, MU: 0.8, MASS: 0.3, "drive[0].pd.kp": 3}


@pytest.mark.slow
def test_three_of_which_only_ratios_are_known():
    arm = flexarm.parse_arm(BEAM.replace("LENGTH", "0.7").replace("initial", "payload: {mass: 0.2}\ninitial"))
    result = flexarm.simulate(arm)
    noisy = result.tip[:, 1] + 1e-5 * np.random.default_rng(1).normal(size=result.time.size)
    data = {"time": result.time, "tip_y": noisy}
    found = flexarm.identify(arm, data, [EI, MU, MASS, "links[0].damping.ratio"])
    assert found.remarks == (f"only the ratios of {EI}, {MU} and {MASS} are known, none of them by itself",)
    assert found.known.tolist() == [False, False, False, True]
    assert found["links[0].damping.ratio"] == pytest.approx(0.01, abs=5 * found.standard_errors[3])

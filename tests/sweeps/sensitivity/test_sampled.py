"""Gradients through instants at which sensors measure and controllers compute, against differences of runs."""

import pytest
from breadth import thinned
from differences_of_runs import check_against_runs, check_tip

import flexarm
from flexarm.errors import ModelError

SAMPLED = """\
name: sampled
links: [{length: 0.8, mu: 0.8, EI: 20, modes: 1, damping: 0.02}]
joints: [{friction: {viscous: 0.5}}]
initial: {joints: [-1.0]}
sensors: {hub: {joint: 1, period: 0.01, delay: 0.01, noise: 0.001}}
controllers: {c: {pid: {kp: 3, ki: 2}, inputs: hub, period: 0.02}}
drive: [{controller: c}]
run: {duration: 0.6, sample: 0.01, rtol: 1e-10, atol: 1e-13}
"""
CASES = {
    "sampled": (SAMPLED, ["controllers.c.pid.kp", "links[0].length"]),
    "pd": (
        SAMPLED.replace("{controller: c}", "{pd: {kp: 9, kd: 1, derivative_filter: 20 Hz, period: 0.01, reference: t}}")
        .replace("controllers: {c: {pid: {kp: 3, ki: 2}, inputs: hub, period: 0.02}}\n", ""),
        ["drive[0].pd.kd", "initial.joints[0]"],
    ),
    "radau": (SAMPLED.replace("run: {", "run: {method: radau, "), ["links[0].EI"]),
}  # fmt: skip


@pytest.mark.parametrize("name", thinned(CASES, len(CASES)))
def test_sampled_arms_against_differences_of_runs(name):
    text, keys = CASES[name]
    check_tip(flexarm.parse_arm(text), keys, step=1e-3, rtol=1e-6)


WALL = "contact: {restitution: 0.6, walls: [{point: [0, -0.73], normal: [0, 1]}]}\n"
DRY = SAMPLED.replace("{viscous: 0.5}", "{coulomb: 0.5, smoothing: 0}")
BESIDE = {
    "walls": (SAMPLED + WALL, ["controllers.c.pid.kp", "contact.restitution"]),
    "sticking": (DRY, ["controllers.c.pid.ki", "joints[0].friction.coulomb"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BESIDE)
def test_contacts_beside_sampled_controllers(name):
    text, keys = BESIDE[name]
    check_against_runs(flexarm.parse_arm(text), keys, step=1e-5, meets=name != "sticking")


LOAD = (
    SAMPLED
    + "parameters: {t1: 0.2137, F: 2.0}\nloads: [{at: tip, force: [0, 'F*(step(t - t1) - step(t - 2*t1))', 0]}]\n"
)
REFERENCE = (
    CASES["pd"][0].replace("reference: t", "reference: 'r*step(t - t1)'")
    + "parameters: {t1: 0.2137, r: 0.5}\n"
)
KINKED = REFERENCE.replace("r*step(t - t1)", "r*min(t, t1)")
MOVING = {
    "load": (LOAD, ["parameters.t1", "parameters.F"]),
    "load at a sample that reads no rates": (
        LOAD.replace("0.2137", "0.22").replace("sample: 0.01", "sample: 0.0075"),
        ["parameters.t1"],
    ),
    "reference that jumps": (REFERENCE, ["parameters.t1", "parameters.r"]),
    "reference that bends": (KINKED, ["parameters.t1", "parameters.r"]),
    "walls": (LOAD + WALL, ["parameters.t1"]),
}


@pytest.mark.parametrize("name", thinned(MOVING, len(MOVING)))
def test_instants_that_move_beside_samples(name):
    """Jumps that move between samples; samples that read a signal with a number that moves."""
    text, keys = MOVING[name]
    check_against_runs(flexarm.parse_arm(text), keys, step=1e-5, meets="walls" in name)


STEPPED = SAMPLED.replace("noise: 0.001", "resolution: 0.001")


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        (STEPPED, "links[0].length", "hub measures in steps of its resolution"),
        (SAMPLED, "sensors.hub.noise", "or their noise"),
        (REFERENCE.replace("0.2137", "0.22"), "parameters.t1", "in the very instant of a sample"),
        (KINKED.replace("0.2137", "0.22"), "parameters.t1", "in the very instant of a sample"),
        (SAMPLED, "controllers.c.period", "no derivative|are sampled|cannot be varied"),
        (
            SAMPLED.replace("pid: {kp: 3, ki: 2}", "function: own"),
            "links[0].length",
            "c is a Python function",
        ),
    ],
)
def test_what_is_refused(text, key, said):
    with pytest.raises(ModelError, match=said):
        flexarm.gradient(flexarm.parse_arm(text), ["tip"], [key])

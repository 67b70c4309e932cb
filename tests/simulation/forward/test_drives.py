"""Drives as described: pulses, edges and kinks count whatever the samples, the time stamps and the method."""

from __future__ import annotations

import numpy as np
import pytest
from breadth import thinned

import flexarm
from flexarm.catalogue import METHODS
from flexarm.errors import SpecError
from flexarm.simulation.forward.batch import Batch, BatchItem
from flexarm.simulation.forward.free_motion import initial_state_of
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.solvers.dop853.layout import LANES

ROD = """
name: rod
gravity: [0, 0, 0]
links: [{{length: 1, mu: 1}}]
drive: [{{torque: {torque}}}]
run: {{duration: {duration}, sample: {sample}, method: {method}{step}}}
"""


def rod(torque, duration=0.1, sample=0.01, method="dop853"):
    step = "" if METHODS[method].adaptive else ", step: 0.01"
    return flexarm.parse_arm(
        ROD.format(torque=torque, duration=duration, sample=sample, method=method, step=step)
    )


# -- pulses and edges ------------------------------------------------------------------------------------------

PULSES = {
    "0.1 ms between samples": ("'1e4*(step(t - 0.0333) - step(t - 0.0334))'", 0.1, 0.01),
    "1 ms in a run sampled at 0.1 s": ("'1e3*(step(t - 0.05) - step(t - 0.051))'", 1.0, 0.1),
    "a table with edges of 1 us": (
        "{times: [0, 0.3, 0.300001, 0.301, 0.301001, 1], values: [0, 0, 1e3, 1e3, 0, 0]}",
        1.0,
        0.1,
    ),
    "smooth": ("'1e3/sqrt(pi)*exp(-((t - 5)/0.001)**2)'", 15.0, 0.1),
    "a spline": ("'1e3*max(0, 1 - abs(t - 0.3)/0.001)'", 1.0, 0.1),
}


@pytest.mark.parametrize(
    ("name", "method"), thinned([(name, method) for name in PULSES for method in METHODS])
)
def test_a_pulse_gives_its_whole_impulse(name, method):
    """1 N m s on a rod of 1/3 kg m^2: 3 rad/s. Fixed steps see no smooth pulse that is shorter."""
    if name == "smooth" and not METHODS[method].adaptive:
        pytest.skip("a fixed step passes over it")
    torque, duration, sample = PULSES[name]
    result = flexarm.simulate(rod(torque, duration, sample, method))
    assert result.joint_velocity[-1, 0] == pytest.approx(3.0, rel=1e-7)
    assert result.attributes["steps"] < 2000


def test_steps_do_not_depend_on_the_sample():
    steps = {
        sample: flexarm.simulate(rod("'2*sin(t) + step(t - 0.5)'", 2.0, sample)).attributes["steps"]
        for sample in (1.0, 0.1, 0.001)
    }
    assert len(set(steps.values())) == 1


SPACE_BEAM = """
name: space-beam
gravity: [0, 0, 0]
links: [{{length: 3.372, mu: 2.82, EI: 100.6416, modes: {{family: hinged, count: 2}}}}]
payload: {{mass: 49.2568}}
drive: [{{torque: {torque}}}]
run: {{duration: 15.0, sample: 0.5, rtol: 1e-8, method: {method}}}
"""
EDGE = "{times: [0, 5, 5.000001, 10, 15], values: [4.485, 4.485, -4.485, -4.485, -4.485]}"


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_an_edge_of_a_table_costs_what_a_step_costs(method):
    edge, step = (
        flexarm.simulate(flexarm.parse_arm(SPACE_BEAM.format(torque=torque, method=method)))
        for torque in (EDGE, "'4.485*(1 - 2*step(t - 5))'")
    )
    assert edge.attributes["steps"] < 1.05 * step.attributes["steps"] + 50
    np.testing.assert_allclose(edge.joint_angle, step.joint_angle, atol=2e-5)


def test_bang_bang_is_exact_to_the_tolerance():
    """Against two runs, the second of which begins where the first ends."""
    whole = flexarm.simulate(rod("'2*step(0.7 - t) - 1'", 1.5, 0.1))
    t = whole.time
    rate = 3 * np.where(t < 0.7, t, 1.4 - t)
    np.testing.assert_allclose(whole.joint_velocity[:, 0], rate, atol=1e-13)
    torque = whole.torque[:, 0]
    np.testing.assert_array_equal(torque, np.where(t < 0.7, 1.0, -1.0))


@pytest.mark.parametrize(
    "drive",
    [
        pytest.param("torque: '4*(1 - 2*step(t - 5))'", marks=pytest.mark.slow),
        "motion: '0.5*min(t, 1) + 0.1*abs(t - 3)'",
    ],
)
def test_side_by_side_as_alone(drive):
    """Lanes stop at the break points, and jump at the kinks, of their own arms."""
    text = SPACE_BEAM.replace("duration: 15.0", "duration: 6.0").replace("mu: 2.82", "mu: {mu}")
    text = text.replace("torque: {torque}", drive).format(method="dop853", mu="{mu}")
    arms = [flexarm.parse_arm(text.replace("{mu}", mu)) for mu in ("2.0", "2.5", "3.0")[:LANES]]
    model = ParametricModel(arms)
    items = [BatchItem(each, initial_state_of(model, each)) for each in map(model.instance, arms)]
    batch = Batch(model, items)
    (block,) = batch.blocks()
    for arm, found in zip(arms, block, strict=True):
        expected = flexarm.simulate(arm)
        for name in ("joint_angle", "joint_velocity", "mode_amplitude", "mode_velocity"):
            np.testing.assert_allclose(found[name], expected[name], atol=1e-5)


def test_a_kink_of_a_motion_among_walls():
    """The second link, struck by the stop of the first, flies on as it does without walls until it meets one."""
    text = """
name: thrown
gravity: [0, 0, 0]
links: [{length: 1, mu: 1}, {length: 1, mu: 1}]
drive: [{motion: "0.5*min(t, 0.5)"}, null]
run: {duration: 1.5, sample: 0.01}
"""
    wall = "contact: {points: [O3], restitution: 0.5, walls: [{point: [0, 0.9], normal: [0, -1]}]}\n"
    free, among = (flexarm.simulate(flexarm.parse_arm(text + more)) for more in ("", wall))
    (first,) = among.impact_time
    assert 0.5 < first < 1.5
    before = free.time < first
    np.testing.assert_allclose(among.joint_angle[before], free.joint_angle[before], atol=1e-9)
    np.testing.assert_allclose(among["motion_impulse"], free["motion_impulse"], rtol=1e-9)
    # M_ff dq_f = -M_fp dq_p of two uniform rods
    k = int(np.searchsorted(free.time, free["motion_impulse_time"][0]))
    jump = free.joint_velocity[k, 1] - free.joint_velocity[k - 1, 1]
    q = free.joint_angle[k, 1]
    M_ff, M_fp = 1 / 3, 1 / 3 + np.cos(q) / 2
    assert jump == pytest.approx(M_fp / M_ff * 0.5, rel=1e-3)


def test_a_pulse_among_walls():
    """A rod is pushed onto a wall by a pulse, and comes back as it went, with its restitution."""
    text = ROD.replace(
        "drive:", "contact: {{restitution: 0.5, walls: [{{point: [0, 0.5], normal: [0, -1]}}]}}\ndrive:"
    )
    pulse = "'1e3*(step(t - 0.05) - step(t - 0.051))'"
    result = flexarm.simulate(
        flexarm.parse_arm(text.format(torque=pulse, duration=0.5, sample=0.1, method="dop853", step=""))
    )
    np.testing.assert_allclose(result.impact_time, [0.0505 + np.pi / 6 / 3], atol=1e-9)
    np.testing.assert_allclose(result.joint_velocity[:, 0], [0, 3, 3, -1.5, -1.5, -1.5], atol=1e-9)


# -- prescribed motions ----------------------------------------------------------------------------------------

BEAM = """
name: beam
gravity: [0, 0, 0]
links: [{{length: 1.0, mu: 1.0, EI: 100.0, modes: {{family: clamped-free, count: 4}}}}]
drive: [{{motion: {motion}}}]
run: {{duration: {duration}, sample: 0.001, method: {method}, rtol: 1e-9}}
"""


def beam(motion, duration=2.0, method="dop853"):
    return flexarm.simulate(
        flexarm.parse_arm(BEAM.format(motion=f"'{motion}'", duration=duration, method=method))
    )


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_motion_that_stops_at_once_excites(method):
    stopped = beam("0.5*min(t, 0.1)", 0.3, method)
    tip, after = stopped.link_deflection[:, 0, 1, 1], stopped.time >= 0.1
    assert np.all(tip[~after] == 0)
    assert np.abs(tip[after]).max() == pytest.approx(0.0165, abs=1e-4)
    assert stopped["motion_impulse_time"].tolist() == [0.1]
    assert stopped["motion_impulse_joint"].tolist() == [1]
    np.testing.assert_allclose(stopped["motion_impulse_velocity_before"], 0.5)
    np.testing.assert_allclose(stopped["motion_impulse_velocity_after"], 0.0, atol=1e-14)


def test_energy_changes_by_what_the_impulse_gives():
    stopped = beam("0.5*min(t, 1)", 1.2)
    energy, k = stopped.energy_total, int(np.searchsorted(stopped.time, 1.0))
    given = stopped["motion_impulse_energy"]
    assert energy[k] - energy[k - 1] == pytest.approx(given[0], rel=1e-9)
    assert given[0] == pytest.approx(0.5 * 0.5 * stopped["motion_impulse"][0], rel=1e-12)
    np.testing.assert_allclose(energy[k:], energy[k], rtol=1e-9)


def test_start_and_stop_excite():
    """A joint that waits a moment and then turns at once kicks the link as the stop does, the other way round."""
    both = beam("0.5*max(0, min(t - 0.1, 1))", 1.5)
    np.testing.assert_allclose(both["motion_impulse_time"], [0.1, 1.1], rtol=1e-14)
    start, stop = np.searchsorted(both.time, both["motion_impulse_time"])
    jumps = [both.mode_velocity[k] - both.mode_velocity[k - 1] for k in (start, stop)]
    np.testing.assert_allclose(both.mode_velocity[start - 1], 0, atol=1e-12)
    tip = both.link_deflection[:, 0, 1, 1]
    assert np.abs(tip[start:stop]).max() == pytest.approx(0.0165, abs=1e-4)
    assert jumps[0][0] == pytest.approx(-0.28441, abs=2e-3)
    assert both["motion_impulse"][0] == pytest.approx(1.0376e-4, rel=1e-3)


def test_rates_of_the_modes_at_the_start_are_those_just_after_it():
    """A motion that begins with a rate begins without an impulse: initial values hold at t = 0+."""
    text = BEAM.replace("drive:", "initial: {{mode_rates: [0.1, 0, 0, 0]}}\ndrive:")
    for motion in ("0.5*t", "0.5*max(t, 0)", "0.5*abs(t)"):
        started = flexarm.simulate(
            flexarm.parse_arm(text.format(motion=f"'{motion}'", duration=0.1, method="dop853"))
        )
        assert started.joint_velocity[0, 0] == 0.5
        assert started.mode_velocity[0].tolist() == [0.1, 0, 0, 0]
        assert "motion_impulse_time" not in started or not started["motion_impulse_time"].size


TWO_LINKS = """
name: two
links:
  - {{length: 1.0, mu: 2, EI: 80, modes: {{family: clamped-free, count: 2}}}}
  - {{length: 0.8, mu: 1, EI: 40, modes: {{family: clamped-free, count: 1}}}}
payload: {{mass: 0.4, inertia: 0.02}}
drive: [{drive}, null]
initial: {{joints: [0.3, 0.4], joint_rates: [0, 1.0]}}
run: {{duration: {duration}, sample: 0.0005, rtol: 1e-11, atol: 1e-13, max_steps: 100000}}
"""


@pytest.mark.slow
def test_an_impulse_is_the_limit_of_short_ramps():
    """An arm whose first joint stops at once, and in some time: what differs falls with that time."""

    def ends(width):
        stop = (
            f"0.3 + 0.8*(min(t, 0.1) + {width}*(1 - exp(-max(0, t - 0.1)/{width})))"
            if width
            else "0.3 + 0.8*min(t, 0.1)"
        )
        return flexarm.simulate(
            flexarm.parse_arm(TWO_LINKS.format(drive=f"{{motion: '{stop}'}}", duration=0.15))
        )

    at_once = ends(0)
    names = ("mode_amplitude", "joint_angle", "mode_velocity", "joint_velocity")
    errors = [
        max(np.abs(at_once[name][-1] - ends(width)[name][-1]).max() for name in names)
        for width in (1e-5, 1e-6)
    ]
    assert errors[1] < 0.2 * errors[0]
    assert errors[1] < 1e-4


def test_the_impulse_on_a_free_joint_makes_the_same_jump():
    """What the drive gives at once stops the joint, and kicks the rest, also as a short torque on a free joint."""
    width = 1e-8
    text = TWO_LINKS.replace("joint_rates: [0, 1.0]", "joint_rates: [0.8, 1.0]").replace("0.0005", f"{width}")
    motion = f"{{motion: '0.3 + 0.8*min(t, {width / 2})'}}"
    stopped = flexarm.simulate(flexarm.parse_arm(text.format(drive=motion, duration=2 * width)))
    (impulse,) = stopped["motion_impulse"]
    torque = f"{{torque: '{impulse / width:.17g}*step({width} - t)'}}"
    struck = flexarm.simulate(flexarm.parse_arm(text.format(drive=torque, duration=2 * width)))
    for name in ("joint_velocity", "mode_velocity"):
        np.testing.assert_allclose(struck[name][-1], stopped[name][-1], atol=1e-4)
    assert np.abs(stopped.mode_velocity[-1]).max() > 0.1


def test_a_motion_that_jumps_is_refused():
    with pytest.raises(SpecError, match=r"jumps by 0\.5 rad at t = 1 s"):
        beam("0.5*step(t - 1)")


def test_the_file_keeps_impulses(tmp_path):
    arm = flexarm.parse_arm(BEAM.format(motion="'0.5*min(t, 0.1)'", duration=0.2, method="dop853"))
    stored = flexarm.simulate(arm, output=tmp_path / "beam.h5")
    kept = flexarm.simulate(arm)
    for name in ("time", "joint", "velocity_before", "velocity_after", "energy"):
        np.testing.assert_array_equal(stored[f"motion_impulse_{name}"], kept[f"motion_impulse_{name}"])
    np.testing.assert_array_equal(stored["motion_impulse"], kept["motion_impulse"])

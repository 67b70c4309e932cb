"""Sensors of a run: differences of positions, closed forms of bending, what other datasets say of the same."""

from __future__ import annotations

import numpy as np
import pytest
from paths import ROBOTS

import flexarm

STEP = 4e-4
"""Time between samples [s]; the arms below vibrate at up to 700 rad/s."""
DIFFERENCES = 1e-6
"""Error of central differences of order 8, (700 STEP)^8 / 630 of the vibrations, and of samples within 1e-10 over STEP,
of the largest value."""
COEFFICIENTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / STEP

BOTH_WAYS = "[{family: clamped-free, count: 1, direction: y}, {family: clamped-free, count: 1, direction: z}]"
PLANAR = """\
name: planar
links:
  - {length: 1.0, mu: 2.0, EI: 200, modes: 1}
  - {length: 0.7, mu: 1.0, EI: 100, modes: 1, segments: 2}
initial: {joints: [20 deg, 40 deg], joint_rates: [2, -3]}
drive: [null, {motion: "0.7 + 0.4*sin(5*t)"}]
run: {duration: 0.02, sample: 0.0004, rtol: 1e-11, atol: 1e-13}
"""
SPATIAL = f"""\
name: spatial
links:
  - {{length: 0.5, mu: 2.0}}
  - {{length: 1.0, mu: 2.0, EI: {{y: 200, z: 150}}, GJ: 50, modes: {BOTH_WAYS}}}
joints: [{{}}, {{twist: 90 deg}}]
initial: {{joints: [0.3, 0.5], joint_rates: [3, 2]}}
run: {{duration: 0.02, sample: 0.0004, rtol: 1e-11, atol: 1e-13}}
"""
FREE = f"""\
name: free
gravity: [0, 0, 0]
base: {{type: free, mass: 2, inertia: [0.2, 0.3, 0.4]}}
links: [{{length: 1.0, mu: 2.0, EI: {{y: 200, z: 150}}, GJ: 50, modes: {BOTH_WAYS}}}]
initial: {{joint_rates: [2], base_rates: [0.1, 0.2, -0.1, 0.5, 0.4, 0.3]}}
run: {{duration: 0.02, sample: 0.0004, rtol: 1e-11, atol: 1e-13}}
"""


def simulated(text, **sensors):
    lines = [f"  {name}: {sensor}\n" for name, sensor in sensors.items()]
    return flexarm.simulate(flexarm.parse_arm(f"{text}sensors:\n{''.join(lines)}"))


def rate(values):
    """Rate of samples (k,), at all but the first and last four of them."""
    return np.convolve(values, COEFFICIENTS[::-1], mode="valid")


@pytest.mark.parametrize("text", [PLANAR, SPATIAL, FREE], ids=["planar", "spatial", "free"])
def test_velocities_and_accelerations_are_rates_of_positions(text):
    """Along fixed axes; of a place between two stations too, on a link of several segments in one of the arms."""
    n = text.count("length")
    sensors = {}
    for kind in ("position", "velocity", "acceleration"):
        for axis in "xyz":
            sensors[f"{kind}_{axis}"] = f"{{{kind}: {{link: {n}, at: 0.8}}, along: {axis}}}"
    result = simulated(text, **sensors)
    for axis in "xyz":
        for of, whose in (("position", "velocity"), ("velocity", "acceleration")):
            expected, found = rate(result.sensor(f"{of}_{axis}")), result.sensor(f"{whose}_{axis}")[4:-4]
            scale = np.abs(result["sensor_value"]).max()
            assert np.abs(found - expected).max() < DIFFERENCES * scale, (whose, axis)


def test_axes_of_a_link_turn_what_is_seen_from_the_fixed_ones():
    """A rigid rod that turns at a steady rate: its end is drawn inwards by w^2 l, along its own axis."""
    text = "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 0.8, mu: 1}]\ninitial: {joint_rates: [3]}\n"
    result = simulated(
        text,
        inwards="{acceleration: tip, along: x, frame: link}",
        across="{acceleration: tip, along: y, frame: link}",
        speed="{velocity: tip, along: y, frame: link}",
        fixed="{velocity: tip, along: x}",
    )
    np.testing.assert_allclose(result.sensor("inwards"), -(3**2) * 0.8, rtol=1e-9)
    np.testing.assert_allclose(result.sensor("across"), 0, atol=1e-9)
    np.testing.assert_allclose(result.sensor("speed"), 3 * 0.8, rtol=1e-9)
    np.testing.assert_allclose(result.sensor("fixed"), -2.4 * np.sin(result.joint_angle[:, 0]), atol=1e-9)


def test_strain_and_curvature_of_a_cantilever_under_a_force():
    """M = F (l - x), curvature M/EI, strain of a fibre at the distance c above the neutral axis -c M/EI."""
    force, length, EI, c = 0.02, 0.8, 5.0, 0.004
    result = simulated(
        "name: cantilever\ngravity: [0, 0, 0]\ngeometric_stiffening: false\njoints: [{type: fixed}]\n"
        f"links: [{{length: {length}, mu: 1, EI: {EI}, modes: {{family: polynomial, count: 3}}}}]\n"
        f"initial: {{equilibrium: true}}\nloads: [{{at: tip, force: [0, {force}, 0]}}]\n",
        bent="{curvature: {link: 1, at: 0.25}}",
        gauge=f"{{strain: {{link: 1, at: 0.25}}, distance: {c}}}",
        off="{deflection: {link: 1, at: 1}}",
    )
    curvature = force * 0.75 * length / EI
    np.testing.assert_allclose(result.sensor("bent"), curvature, rtol=1e-7)
    np.testing.assert_allclose(result.sensor("gauge"), -c * curvature, rtol=1e-7)
    np.testing.assert_allclose(result.sensor("off"), force * length**3 / (3 * EI), rtol=1e-7)


def test_a_section_places_the_gauge_on_its_surface():
    section = (
        "material: {E: 2e11, rho: 7800, nu: 0.3}, section: {shape: rectangle, width: 0.02, height: 0.006}"
    )
    text = f"name: strip\nlinks: [{{length: 1, {section}, modes: 2}}]\n"
    result = simulated(text, gauge="{strain: {link: 1, at: 0}}", bent="{curvature: {link: 1, at: 0}}")
    np.testing.assert_allclose(result.sensor("gauge"), -0.003 * result.sensor("bent"), rtol=1e-12)


def test_readings_have_bias_resolution_and_range():
    text = "name: rod\nlinks: [{length: 0.8, mu: 1}]\n"
    result = simulated(
        text,
        hub="{joint: 1, bias: 0.3, resolution: 0.02, range: [-1, 0.25]}",
        exact="{joint: 1, of: rate}",
    )
    q = result.sensor("hub", exact=True)
    np.testing.assert_array_equal(q, result.joint_angle[:, 0])
    np.testing.assert_allclose(result.sensor("hub"), np.clip(np.round((q + 0.3) / 0.02) * 0.02, -1, 0.25))
    np.testing.assert_array_equal(result.sensor("exact"), result.joint_velocity[:, 0])
    assert q.min() < -1.3
    exact = simulated(text, hub="{joint: 1}")
    assert "sensor_reading" not in exact


@pytest.mark.slow
def test_sensors_read_what_other_datasets_hold():
    text = (ROBOTS / "limited_two_link.yaml").read_text()
    result = simulated(text, torque="{joint: 2, of: torque}", stop="{stop: 1}")
    np.testing.assert_array_equal(result.sensor("torque"), result.torque[:, 1])
    np.testing.assert_array_equal(result.sensor("stop"), result.limit_torque[:, 0])
    assert result.sensor("stop").any()

    text = (ROBOTS / "falling_chain.yaml").read_text()
    result = simulated(text, push="{contact: tip, wall: 1}", shift="{base: position, along: y}")
    np.testing.assert_array_equal(result.sensor("push"), result.contact_force[:, -1, 0])
    np.testing.assert_array_equal(result.sensor("shift"), result.base_position[:, 1])
    assert result.sensor("push").any()

    result = simulated(FREE, spin="{base: rate, along: y}", speed="{base: velocity, along: z}")
    np.testing.assert_array_equal(result.sensor("spin"), result.base_angular_velocity[:, 1])
    np.testing.assert_array_equal(result.sensor("speed"), result.base_velocity[:, 2])

    text = (ROBOTS / "elastic_joints_two_link.yaml").read_text()
    result = simulated(text, at="{joint: 1, of: motor}", rate="{joint: 1, of: motor_rate}", link="{joint: 1}")
    np.testing.assert_array_equal(result.sensor("at"), result.motor_angle[:, 0])
    np.testing.assert_array_equal(result.sensor("rate"), result.motor_velocity[:, 0])
    np.testing.assert_array_equal(result.sensor("link"), result.joint_angle[:, 0])

    result = simulated(PLANAR, taken="{joint: 2, of: torque}")
    np.testing.assert_array_equal(result.sensor("taken"), result.torque[:, 1])


@pytest.mark.slow
def test_files_name_the_sensors_and_sweeps_record_them(tmp_path):
    import h5py

    arm = flexarm.parse_arm(
        f"{SPATIAL}sensors:\n  hub: {{joint: 2, bias: 0.5}}\n"
        "  gauge: {strain: {link: 2, at: 0.1}, distance: 0.01}\n"
    )
    result = flexarm.simulate(arm, output=tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert [name.decode() for name in file["sensor_name"]] == ["hub", "gauge"]
        assert [unit.decode() for unit in file["sensor_unit"]] == ["rad", "1"]
        assert file["sensor_reading"].dims[1][0].name == "/sensor"
    vary = {"links[1].EI.y": [150.0, 200.0], "sensors.hub.bias": [0.5, 0.75]}
    sweep = flexarm.sweep(arm, vary, series=["gauge", "hub", "sensor_value"], workers=1)
    np.testing.assert_allclose(sweep["gauge"][1, 0], result.sensor("gauge"), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(sweep["hub"][1, 1], result.sensor("hub") + 0.25, rtol=1e-6)


def test_unknown_sensors_are_named():
    result = simulated("name: rod\nlinks: [{length: 0.8, mu: 1}]\n", hub="{joint: 1}")
    with pytest.raises(flexarm.FlexarmError, match=r"no sensor 'hup' .*did you mean 'hub'"):
        result.sensor("hup")

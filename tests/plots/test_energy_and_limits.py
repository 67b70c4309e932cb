"""Energies less the work done on an arm, and the limits of motors: closed forms, and arms whose balance must hold."""

import numpy as np
import pytest
from breadth import thinned
from simulated import simulated

import flexarm
from flexarm.description.reading.loader import parse_arm
from flexarm.plots.histories.energy import energy
from flexarm.plots.torques.torques import torques
from flexarm.simulation.forces.work import work

ROTOR = """
name: rotor
gravity: [0, 0, 0]
links: [{{length: 1.0, mu: 3.0}}]
joints: [{{friction: {{viscous: {viscous}}}}}]
initial: {{joint_rates: [{rate}]}}
drive: [{{torque: {torque}}}]
loads: {loads}
run: {{duration: 1.0, sample: 0.01, rtol: 1e-10, atol: 1e-12}}
"""
LIMITED = """
name: limited
gravity: [0, 0, 0]
links: [{length: 1.0, mu: 3.0}]
joints: [{motor: {inertia: 0, gear: 10, stall_torque: 0.5, no_load_speed: 100}}]
drive: [{torque: 2}]
run: {duration: 1.0, sample: 0.01}
"""


def rotor(viscous=0.0, rate=0.0, torque="0", loads="[]"):
    text = ROTOR.format(viscous=viscous, rate=rate, torque=torque, loads=loads)
    return flexarm.simulate(parse_arm(text))


def test_work_of_a_torque_is_torque_times_angle():
    """A rod of 1 kg m^2 under 2 N m turns by t^2."""
    result = rotor(torque="2")
    np.testing.assert_allclose(work(result), 2 * result.time**2, atol=1e-9)


@pytest.mark.parametrize("at", [0.5, 0.503])
def test_work_of_a_torque_that_jumps(at):
    """A rod of 1 kg m^2 under 2 N m, then none: it keeps the rate 2 at, at a sample or between two."""
    result = rotor(torque=f"2*step({at} - t)")
    np.testing.assert_allclose(work(result), 2 * np.minimum(result.time, at) ** 2, atol=1e-9)


def test_friction_takes_what_the_rod_loses():
    """A rod of 1 kg m^2 that slows down by exp(-t / 2): it has 2 exp(-t) J left."""
    result = rotor(viscous=0.5, rate=2.0)
    np.testing.assert_allclose(work(result), 2 * (np.exp(-result.time) - 1), atol=1e-6)


def test_work_of_a_load_that_follows_the_link():
    result = rotor(loads="[{at: tip, force: [0, 2, 0], frame: link}]")
    np.testing.assert_allclose(work(result), 2 * result.time**2, atol=1e-9)


@pytest.mark.parametrize("name", thinned(["slewing_satellite", "space_arm", "spatial_three_link"]))
def test_what_drives_do_is_found_in_the_energy(name):
    result = simulated(name, 1.0)
    left = result.energy_total - result.energy_total[0] - work(result)
    assert np.ptp(result.energy_total) > 0.5 * result.energy_kinetic.max()
    assert np.ptp(left) < 2e-5 * result.energy_kinetic.max()
    lower = energy(result).axes[1]
    assert lower.get_title(loc="left").startswith("total energy less work")
    assert "kept to" in lower.get_title(loc="left")


def test_without_work_the_energy_itself_is_kept():
    assert "work" not in energy(simulated("usoro_two_link")).axes[1].get_title(loc="left")


def test_limits_of_motors_are_dashed():
    """Stall torque of 5 N m at the joint, no-load speed of 10 rad/s there, and a torque of 2 N m."""
    result = flexarm.simulate(parse_arm(LIMITED))
    (axes,) = torques(result).axes
    upper, lower = [line for line in axes.lines if line.get_gid() == "limit"]
    np.testing.assert_allclose(upper.get_ydata(), 5 - 0.5 * 2 * result.time, atol=1e-6)
    np.testing.assert_allclose(lower.get_ydata(), -5)
    assert "limit 5 N m" in axes.get_legend().get_texts()[0].get_text()

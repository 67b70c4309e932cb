"""A rigid link turned by a DC motor that a voltage feeds, against the closed form of its run-up."""

import numpy as np
import pytest
from scipy.integrate import simpson

import flexarm
from flexarm.errors import ModelError

LENGTH, MU = 0.5, 0.8
RESISTANCE, CONSTANT, GEAR, ROTOR = 1.3, 0.06, 30.0, 2e-5
J = MU * LENGTH**3 / 3 + GEAR**2 * ROTOR
K = GEAR * CONSTANT  # N m/A at the joint
EXPONENTIAL = 1e-9


def motor(voltage, run="rtol: 1e-11, atol: 1e-13", rate=0.0):
    return flexarm.parse_arm(f"""
name: motor
gravity: [0, 0, 0]
links: [{{length: {LENGTH}, mu: {MU}}}]
joints: [{{motor: {{inertia: {ROTOR}, gear: {GEAR}, resistance: {RESISTANCE}, torque_constant: {CONSTANT}}}}}]
initial: {{joints: [0.1], joint_rates: [{rate}]}}
drive: [{{voltage: {voltage}}}]
run: {{duration: 0.5, sample: 0.005, {run}}}
""")


@pytest.mark.parametrize("voltage", [12.0, -7.0])
def test_step_response(voltage):
    result = flexarm.simulate(motor(voltage))
    tau, no_load = J * RESISTANCE / K**2, voltage / K
    t = result.time
    np.testing.assert_allclose(
        result.joint_velocity[:, 0], no_load * (1 - np.exp(-t / tau)), atol=EXPONENTIAL
    )
    angle = 0.1 + no_load * (t - tau * (1 - np.exp(-t / tau)))
    np.testing.assert_allclose(result.joint_angle[:, 0], angle, atol=EXPONENTIAL)
    assert result.torque[0, 0] == pytest.approx(K * voltage / RESISTANCE, rel=1e-14)  # stall torque


def test_at_the_no_load_speed_there_is_no_torque():
    result = flexarm.simulate(motor(12.0, rate=12.0 / K))
    owed = 10 * 1e-11 * 12.0 / K  # by the run's tolerance; the back-emf lets no error grow
    np.testing.assert_allclose(result.joint_velocity, 12.0 / K, rtol=0, atol=owed)
    np.testing.assert_allclose(result.torque, 0, atol=owed * K**2 / RESISTANCE)


def test_without_a_voltage_it_brakes():
    """A motor in short circuit is a viscous brake K^2/R."""
    result = flexarm.simulate(motor(0, rate=2.0))
    exact = 2.0 * np.exp(-(K**2) / (J * RESISTANCE) * result.time)
    np.testing.assert_allclose(result.joint_velocity[:, 0], exact, atol=EXPONENTIAL)


def test_linear_model_and_modes_have_the_back_emf():
    arm = motor("12*step(t - 0.1)")
    modes = flexarm.natural_modes(arm, joints="pd")
    np.testing.assert_allclose(
        np.sort(modes.modes.all_poles.real), [-(K**2) / (J * RESISTANCE), 0], rtol=1e-12
    )
    assert flexarm.linearize(arm, joints="pd").A[1, 1] == pytest.approx(-(K**2) / (J * RESISTANCE), rel=1e-12)


def test_the_voltage_is_the_input_of_a_linear_model():
    """J q_dd = K (u - K q_d) / R: the voltage, whose back-emf is part of the model."""
    model = flexarm.linearize(motor(12.0), inputs="voltage", outputs=["joints"])
    assert (model.inputs, model.input_units) == (("u_1",), ("V",))
    np.testing.assert_allclose(model.A, [[0, 1], [0, -(K**2) / (J * RESISTANCE)]], rtol=1e-12)
    np.testing.assert_allclose(model.B, [[0], [K / (J * RESISTANCE)]], rtol=1e-12)
    assert model.zeros(["u_1"], ["q_1"]).size == 0
    turning = flexarm.linearize(motor(12.0), inputs="voltage", outputs=["joints"], spin=4.0)
    np.testing.assert_allclose(turning.B, model.B, rtol=1e-12)
    np.testing.assert_allclose(turning.A, model.A, rtol=1e-12)


def test_inputs_that_no_joint_has_are_refused_with_those_that_it_has():
    with pytest.raises(ModelError, match="no joint has a PD drive") as refused:
        flexarm.linearize(motor(12.0), inputs="reference")
    assert refused.value.hint == "joint 1 is fed by a voltage: `inputs` voltage takes it as the input"
    for change, options in ((("voltage: 12.0", "torque: 1"), {}), (("", ""), {"hold": [1]})):
        arm = flexarm.parse_arm(motor(12.0).text.replace(*change))
        with pytest.raises(ModelError, match="no joint that moves is fed by a voltage"):
            flexarm.linearize(arm, inputs="voltage", **options)


def test_voltage_by_expression_and_by_table():
    times = np.linspace(0, 0.5, 101)
    table = f"{{times: {times.tolist()}, values: {(5 * np.sin(9 * times)).tolist()}, interpolation: cubic}}"
    found, exact = flexarm.simulate(motor(table)), flexarm.simulate(motor("5*sin(9*t)"))
    np.testing.assert_allclose(found.joint_angle, exact.joint_angle, atol=1e-7)


def test_the_back_emf_takes_the_energy_of_the_balance():
    """What the motor gives, minus what it turns back, is the kinetic energy."""
    result = flexarm.simulate(motor(12.0))
    power = result.torque[:, 0] * result.joint_velocity[:, 0]
    assert simpson(power, x=result.time) == pytest.approx(result.energy_kinetic[-1], rel=1e-3)

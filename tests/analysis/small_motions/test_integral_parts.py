"""Integral parts of drives in linear models, modes and equilibria, against the linear theory of one joint."""

import numpy as np
import pytest
from scipy.linalg import expm

import flexarm

KP, KD, KI = 40.0, 9.0, 25.0
FLEXIBLE = """
name: two
links: [{length: 1, mu: 2}, {length: 0.8, mu: 1, EI: 20, modes: 2, damping: {ratio: 0.01}}]
initial: {joints: [0.4, 0.3], equilibrium: true}
drive:
  - {pd: {kp: 100, kd: 20, ki: 80, reference: %s}, gravity_compensation: true}
  - {pd: {kp: 30, kd: 6, ki: 40, reference: 0.3}, torque: 0.2}
run: {duration: 1, sample: 0.01, rtol: 1e-11, atol: 1e-13}
"""


def rod():
    return flexarm.parse_arm(f"""
name: rod
gravity: [0, 0, 0]
links: [{{length: 1.2, mu: 2.5}}]
drive: [{{pd: {{kp: {KP}, kd: {KD}, ki: {KI}, reference: 0.7}}}}]
""")


def test_poles_of_a_rigid_link_are_those_of_the_third_order():
    J = 2.5 * 1.2**3 / 3
    expected = np.sort_complex(np.roots([J, KD, KP, KI]))
    model = flexarm.linearize(rod(), joints="pd")
    for poles in (
        np.linalg.eigvals(model.A),
        model.modes.all_poles,
        flexarm.natural_modes(rod(), joints="pd").modes.all_poles,
        flexarm.static_equilibrium(rod()).modes.all_poles,
    ):
        np.testing.assert_allclose(np.sort_complex(poles), expected, rtol=1e-10)
    assert model.states == ("q_1", "q_1_d", "z_1")
    assert model.state_units == ("rad", "rad/s", "rad s")


def test_without_their_loops_modes_take_no_integral_part():
    assert flexarm.natural_modes(rod(), joints="free").modes.all_poles.size == 2


def test_poles_of_a_flexible_arm_are_those_of_its_linear_model():
    arm = flexarm.parse_arm(FLEXIBLE % "0.4")
    model = flexarm.linearize(arm, joints="pd")
    assert model.A.shape == (10, 10)
    np.testing.assert_allclose(
        np.sort_complex(model.modes.all_poles), np.sort_complex(np.linalg.eigvals(model.A)), rtol=1e-8
    )


def test_a_reference_reaches_the_joint_without_an_error_at_rest():
    model = flexarm.linearize(flexarm.parse_arm(FLEXIBLE % "0.4"), inputs="reference", outputs=["joints"])
    gain = -model.C @ np.linalg.solve(model.A, model.B)
    np.testing.assert_allclose(gain, np.eye(2), atol=1e-9)


@pytest.mark.slow
def test_the_linear_model_predicts_a_small_step():
    """Against the whole equations: a step of 1e-5 rad in the reference of joint 1, from the equilibrium."""
    step = 1e-5
    # a step just after the start: the equilibrium of t = 0 is that without it
    arm = flexarm.parse_arm(FLEXIBLE % f"'0.4 + {step}*step(t - 1e-9)'")
    model = flexarm.linearize(flexarm.parse_arm(FLEXIBLE % "0.4"), inputs="reference", outputs=["joints"])
    found = flexarm.simulate(arm)
    n, drive = len(model.A), model.B[:, 0] * step
    # the states' rates are those less B kd r: at rest before the step, so less by that much after it
    start = np.zeros(n)
    augmented = np.zeros((n + 1, n + 1))
    augmented[:n, :n], augmented[:n, n] = model.A, drive
    for k in (5, 20, 100):
        x = (expm(augmented * found.time[k]) @ np.append(start, 1.0))[:n]
        # the simulation has no impulse of kd r_d at the jump, which the model's input with kd has
        np.testing.assert_allclose((found.joint_angle[k] - [0.4, 0.3]), model.C @ x - kick(model, found.time[k], step),
                                   atol=2e-3 * step)  # fmt: skip


def kick(model, t, step):
    """Response to the impulse kd step, which the rate of a jump would be."""
    kd = model.gains[0, 1]
    rates = np.zeros(len(model.A))
    torque = flexarm.linearize(model.point.arm, joints="pd", outputs=["joints"])
    rates[:] = torque.B[:, 0] * kd * step
    return model.C @ expm(model.A * t) @ rates


def test_zeros_with_integral_parts_are_those_of_the_whole_model():
    """Where the pencil [A - s, B; C, 0] loses rank, with and without the references' gains."""
    arm = flexarm.parse_arm(FLEXIBLE % "0.4")
    for inputs, names in (("torque", ["tau_1", "tau_2"]), ("reference", ["r_1", "r_2"])):
        model = flexarm.linearize(arm, joints="pd", inputs=inputs, outputs=["joints"])
        zeros = model.zeros(names, list(model.outputs))
        assert zeros.size == len(model.A) - 4 if inputs == "torque" else zeros.size == len(model.A) - 2
        for s in zeros:
            pencil = np.block([[model.A - s * np.eye(len(model.A)), model.B], [model.C, model.D]])
            sizes = np.linalg.svd(pencil / np.abs(pencil).max(axis=1, keepdims=True))[1]
            assert sizes[-1] < 1e-9 * sizes[0]
    with pytest.raises(flexarm.ModelError, match="integral part on q_2, which is none of the inputs"):
        flexarm.linearize(arm, joints="pd").zeros(["tau_1"], ["tip_y"])


def test_an_integral_gain_too_large_is_unstable():
    """Routh: J s^3 + kd s^2 + kp s + ki is stable for ki < kp kd/J."""
    J = 2.5 * 1.2**3 / 3
    bound = KP * KD / J
    for ki, expected in ((0.99 * bound, "stable"), (1.01 * bound, "unstable")):
        arm = rod().replace("drive[0].pd.ki", ki)
        assert flexarm.static_equilibrium(arm).stability == expected


def test_an_integral_part_acts_on_the_motor_of_an_elastic_joint():
    """Spong's motor and link: five first-order equations of q, the motor's angle, their rates and the integral."""
    inertia, motor, K, d, kp, ki, kd = 0.5 / 3, 0.25, 40.0, 0.3, 30.0, 12.0, 4.0
    arm = flexarm.parse_arm(
        "name: elastic-pid\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 0.5}]\n"
        f"joints: [{{stiffness: {K}, damping: {d}, motor: {{inertia: {motor / 100}, gear: 10}}}}]\n"
        f"drive: [{{pd: {{kp: {kp}, ki: {ki}, kd: {kd}, reference: 0.2}}}}]\n"
    )
    A = np.zeros((5, 5))
    A[0, 2] = A[1, 3] = 1
    A[2] = np.array([-K, K, -d, d, 0]) / inertia
    A[3] = np.array([K, -K - kp, d, -d - kd, ki]) / motor
    A[4, 1] = -1
    model = flexarm.linearize(arm, joints="pd", inputs="reference")
    assert model.states == ("q_1", "motor_1", "q_1_d", "motor_1_d", "z_1")
    np.testing.assert_allclose(
        np.sort_complex(np.linalg.eigvals(model.A)), np.sort_complex(np.linalg.eigvals(A)), rtol=1e-9
    )
    rest = flexarm.static_equilibrium(arm)
    np.testing.assert_allclose(rest.theta, [0.2, 0.2], atol=1e-12)


def test_a_reference_by_table_is_that_of_the_equilibrium():
    arm = flexarm.parse_arm(
        "name: followed\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 0.5}]\n"
        "drive: [{pd: {kp: 3, ki: 1, kd: 1, reference: {times: [0, 0.5, 1], values: [0.3, 0.4, 0.4]}}}]\n"
    )
    np.testing.assert_allclose(flexarm.static_equilibrium(arm).theta, [0.3], atol=1e-12)

"""The linearly implicit step: order conditions, measured order, stiff arms."""

import numpy as np
import pytest
from breadth import thinned
from compiled_step import GCC, CompiledStep
from paths import ROBOTS

import flexarm
from flexarm.export.step import rosenbrock
from flexarm.export.step.c_step import c_step

needs_gcc = pytest.mark.skipif(GCC is None, reason="no gcc here")
END = 0.25
RULER = (ROBOTS / "lqr_arm.yaml").read_text().partition("controllers:")[0] + "initial: {joints: [0.15]}\n"
DRIVEN = RULER + (
    "drive:\n"
    '  - torque: "0.05*sin(20*t)"\n'
    "    pd: {kp: 1, kd: 0.1, ki: 2, reference: {times: [0, 0.1, 0.2, 1], values: [0.15, 0.3, 0.1, 0.2]}}\n"
)


def coefficients():
    """alpha, gamma and b of the method as [HW96] (IV.7.4) writes it, from those of its transformed variables."""

    def lower(rows):
        return np.array([[*row, *[0.0] * (4 - len(row))] for row in rows])

    gamma = np.linalg.inv(np.eye(4) / rosenbrock.GAMMA - lower(rosenbrock.C))
    return lower(rosenbrock.A) @ gamma, gamma, np.array(rosenbrock.M) @ gamma


def test_order_conditions_and_stability():
    alpha, gamma, b = coefficients()
    beta = alpha + gamma
    a, ones = alpha.sum(axis=1), np.ones(4)
    # [HW96] table IV.7.1, where beta has the diagonal of gamma
    assert b.sum() == pytest.approx(1, abs=1e-14)
    assert b @ beta @ ones == pytest.approx(1 / 2, abs=1e-14)
    assert b @ a**2 == pytest.approx(1 / 3, abs=1e-14)
    assert b @ beta @ beta @ ones == pytest.approx(1 / 6, abs=1e-14)
    # times and weights of the derivative in time belong to the same coefficients
    assert a == pytest.approx(rosenbrock.TIMES, abs=1e-14)
    assert gamma @ ones == pytest.approx(rosenbrock.TIME_WEIGHTS, abs=1e-14)
    # L-stable: the step is an argument of the last stage, plus that; and |R| <= 1 on the imaginary axis
    assert rosenbrock.A[3] == rosenbrock.M[:3]
    assert rosenbrock.M[3] == 1.0
    for y in np.logspace(-2, 4, 200):
        z = 1j * y
        R = 1 + z * b @ np.linalg.solve(np.eye(4) - z * beta, ones)
        assert abs(R) <= 1 + 1e-12
    assert abs(R) < 1e-3


@needs_gcc
@pytest.mark.parametrize("name", thinned(["driven", "usoro_two_link", "elastic_joints_two_link"]))
def test_it_converges_at_its_order(name, tmp_path):
    text = DRIVEN if name == "driven" else (ROBOTS / f"{name}.yaml").read_text()
    arm = flexarm.parse_arm(text)
    run = {"duration": END, "sample": END, "method": "dop853", "rtol": 1e-12, "atol": 1e-14, "record": ()}
    wanted = flexarm.simulate(arm.model_copy(update={"run": arm.run.model_copy(update=run)})).tip[-1, :2]
    errors = []
    for periods in (256, 512, 1024):
        step = c_step(arm, period=END / periods, inputs=[], outputs=["tip"], method="rosenbrock")
        assert step.substeps.count == 1
        compiled = CompiledStep(step, tmp_path / str(periods))
        compiled.init()
        for _ in range(periods):
            tip = compiled.step()
        errors.append(np.abs(tip - wanted).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    print(name, errors, orders)
    assert errors[-1] < 1e-6
    assert orders.min() > 2.7  # 4 where the error of third order does not reach the tip


@pytest.mark.slow
@needs_gcc
def test_it_takes_steps_that_no_explicit_method_could(tmp_path):
    links = 2 * "  - {length: 0.3, mu: 0.5, EI: 5000, modes: {family: clamped-free, count: 2}}\n"
    arm = flexarm.parse_arm(f"name: stiff\nlinks:\n{links}initial: {{joints: [0.3, 0.3]}}\n")
    explicit = c_step(arm, period=1e-3, outputs=["tip"])
    assert explicit.substeps.count > 10
    compiled = []
    for step in (explicit, c_step(arm, period=1e-3, outputs=["tip"], method="rosenbrock")):
        compiled.append(CompiledStep(step, tmp_path / step.substeps.method))
        compiled[-1].init()
    for _ in range(200):
        tips = [each.step([0.0] * 2) for each in compiled]
    assert tips[0] == pytest.approx(
        tips[1], abs=1e-4
    )  # what is fast is damped: the stiff links bend by some um

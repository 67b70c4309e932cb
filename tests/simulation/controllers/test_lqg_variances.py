"""The shipped ruler under an LQG on hub and curvature, with noise: variances as the discrete Lyapunov equation says."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from paths import ROBOTS
from scipy.linalg import solve_discrete_lyapunov

import flexarm

T = 1e-3
TORQUE_NOISE = 2e-3
NOISE = {"hub": 1e-4, "root": 2e-3}
"""Standard deviations per period: of the motion about 1e-4 rad and 1.6e-3 1/m result, within what is linear."""
RULER = (ROBOTS / "lqr_arm.yaml").read_text().partition("sensors:")[0]
EVERY = 10
"""Periods from one sample of the result to the next."""
SETTLED = 100
"""Samples until a deviation has decayed to e^-1.9 of its size, which leaves 2 % of a variance of this time."""
LARGEST = 4.0
"""Standard errors by which one of three variances is further off once in 5000 seeds."""


def sensors(noise: bool) -> str:
    hub, root = (f", noise: {each}" if noise else "" for each in NOISE.values())
    return f"sensors:\n  hub: {{joint: 1{hub}}}\n  root: {{curvature: {{link: 1, at: 0}}{root}}}\n"


@cache
def designed():
    """LQG for held torques; a noise of each period has this density times the root of the period."""
    return flexarm.design(
        flexarm.parse_arm(RULER + sensors(noise=False)),
        "lqg",
        weights={"tip_y": 400, "q_1": 20, "q_1_d": 0.2},
        effort=4,
        measure=list(NOISE),
        noise={name: size * np.sqrt(T) for name, size in NOISE.items()},
        torque_noise=TORQUE_NOISE * np.sqrt(T),
        period=T,
    )


def regulated(folder, duration: float, seed: int = 1):
    designed().save(folder / "lqg.npz", overwrite=True)
    return flexarm.parse_arm(
        f"{RULER}{sensors(noise=True)}"
        f"disturbances: {{ripple: {{torque: 1, noise: {TORQUE_NOISE}, period: {T}}}}}\n"
        f"controllers: {{lqg: {{inputs: [hub, root], state_space: lqg.npz, period: {T}}}}}\n"
        f"drive: [{{controller: lqg}}]\nrun: {{duration: {duration}, sample: {EVERY * T}, seed: {seed}}}\n",
        folder=folder,
    )


@cache
def closed_loop():
    """F, covariance P of plant and estimator after each instant, and rows that measure hub, root and tip_y."""
    design = designed()
    plant = design.model.sampled(T)
    names = list(plant.outputs)
    C = plant.C[[names.index(name) for name in NOISE]]
    A, B, V = plant.A, plant.B, np.diag(list(NOISE.values()))
    assert design.controller is not None
    Ac, Bc, Cc, Dc = design.controller[:4]
    F = np.block([[A + B @ Dc @ C, B @ Cc], [Bc @ C, Ac]])
    G = np.block([[TORQUE_NOISE * B, B @ Dc @ V], [np.zeros((len(Ac), 1)), Bc @ V]])
    rows = np.hstack([np.vstack([C, plant.C[names.index("tip_y")]]), np.zeros((3, len(Ac)))])
    return F, solve_discrete_lyapunov(F, G @ G.T), rows


def standard_error(c: np.ndarray, count: int) -> float:
    """Relative standard error of the variance of c x in `count` samples of a Gaussian process.

    That of independent samples is sqrt(2/count); correlations rho_k of samples k apart multiply it by the root of their
    squares' sum over all k, before and after.
    """
    F, P, _ = closed_loop()
    step, x, correlations = np.linalg.matrix_power(F, EVERY), P @ c, []
    for _ in range(1000):
        correlations.append(float(c @ x))
        x = step @ x
    squares = np.square(np.array(correlations) / correlations[0])
    return float(np.sqrt(2 / count * (2 * squares.sum() - 1)))


@pytest.mark.parametrize("duration", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_variances_are_those_of_the_lyapunov_equation(tmp_path, duration):
    result = flexarm.simulate(regulated(tmp_path, duration))
    _, P, rows = closed_loop()
    measured = result.joint_angle[:, 0], result.sensor("root", exact=True), result.tip[:, 1]
    for name, values, c in zip(("hub", "root", "tip"), measured, rows, strict=True):
        settled = values[SETTLED:]
        off = float(np.mean(settled**2) / (c @ P @ c) - 1)
        error = standard_error(c, settled.size)
        print(f"{name}: {off:+.2%}, standard error {error:.2%}")
        assert abs(off) < LARGEST * error
        if duration == 2000:
            assert abs(off) < 0.02


def test_poles_are_those_of_regulator_and_estimator():
    """The closed loop has the poles of the regulator and of the estimator, and none besides."""
    F, *_ = closed_loop()
    plant, design = designed().model.sampled(T), designed()
    C = plant.C[[plant.outputs.index(name) for name in NOISE]]
    expected = [*np.linalg.eigvals(plant.A - plant.B @ design.K), *np.linalg.eigvals(plant.A - design.L @ C)]
    np.testing.assert_allclose(np.poly(np.linalg.eigvals(F)), np.poly(expected), atol=1e-6)


@pytest.mark.slow
def test_one_seed_gives_the_same_bits(tmp_path):
    """In runs and in sweeps with one worker and two."""
    arm = regulated(tmp_path, 2)
    once, again = flexarm.simulate(arm), flexarm.simulate(arm)
    assert once.joint_angle.tobytes() == again.joint_angle.tobytes()
    vary = {"payload.mass": [0.04, 0.05], "run.seed": [1, 2]}
    one, two = (flexarm.sweep(arm, vary, series=["hub", "lqg"], workers=n) for n in (1, 2))
    for name in ("hub", "lqg"):
        assert one[name].tobytes() == two[name].tobytes()
    assert one["hub"][1, 0].tobytes() == once.sensor("hub").tobytes()
    assert not np.array_equal(one["hub"][1, 0], one["hub"][1, 1])

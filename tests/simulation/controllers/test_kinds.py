"""Each kind of controller: its transfer function beside the one of textbooks, and limits beside NumPy."""

from __future__ import annotations

from math import factorial

import casadi as ca
import numpy as np
import pytest
from scipy.linalg import expm

import flexarm
from flexarm.description.arm.control.controller import Controller
from flexarm.simulation.controllers.block import LinearSystem
from flexarm.simulation.controllers.kinds import KINDS, block_of
from flexarm.simulation.controllers.modal_form import modal_form

S = np.array([0.3j, 2.0 + 40j, -7.0 + 300j, 900j])
"""Complex frequencies [1/s] at which transfer functions are compared."""
EXACT = 1e-11
"""Round-off of the solution for a state whose matrix has a condition number of up to 1e4."""


def pade(s, order):
    """Diagonal Pade approximation of exp(-s), by its binomial coefficients."""
    n = order
    weights = [factorial(2 * n - k) / factorial(k) / factorial(n - k) for k in range(n + 1)]
    return sum(c * (-s) ** k for k, c in enumerate(weights)) / sum(c * s**k for k, c in enumerate(weights))


W = 2 * np.pi
A, B, C, D = [[0, 1], [-4, -2]], [[1, 0], [0.5, 2]], [[1, 3]], [[0, 0.25]]
CASES = {
    "gain": ({"gain": 2.5}, lambda s: 2.5),
    "sum": ({"sum": [2, -1]}, lambda s: np.array([2, -1])),
    "pid": (
        {"pid": {"kp": 2, "ki": 3, "kd": 0.5, "derivative_filter": 20}},
        lambda s: 2 + 3 / s + 0.5 * s / (1 + s / (20 * W)),
    ),
    "pi": ({"pid": {"kp": 2, "ki": 3}}, lambda s: 2 + 3 / s),
    "state_space": (
        {"state_space": {"A": A, "B": B, "C": C, "D": D}},
        lambda s: (np.array(C) @ np.linalg.solve(s * np.eye(2) - A, np.array(B)) + D)[0],
    ),
    "low_pass": ({"low_pass": {"frequency": "5 Hz"}}, lambda s: 1 / (1 + s / (5 * W))),
    "low_pass 2": (
        {"low_pass": {"frequency": "30 rad/s", "order": 2, "damping": 0.6}},
        lambda s: 30**2 / (s**2 + 2 * 0.6 * 30 * s + 30**2),
    ),
    "notch": (
        {"notch": {"frequency": 6, "width": 0.4, "depth": 0.1}},
        lambda s: (s**2 + 0.08 * 6 * W * s + (6 * W) ** 2) / (s**2 + 0.8 * 6 * W * s + (6 * W) ** 2),
    ),
    "lead": ({"lead": {"zero": 3, "pole": 30}}, lambda s: (1 + s / (3 * W)) / (1 + s / (30 * W))),
    **{
        f"delay {n}": ({"delay": {"time": 0.01, "order": n}}, lambda s, n=n: pade(0.01 * s, n))
        for n in (1, 2, 3, 6, 10)
    },
}


def numbers(controller):
    """Matrices A, B, C, D of a linear controller."""
    block = block_of(controller)
    x, u = ca.SX.sym("x", block.n_states), ca.SX.sym("u", controller.n_inputs)
    assert block.n_states == controller.n_states
    parts = (block.rate(x, u), block.output(x, u))
    jacobians = [ca.jacobian(part, by) for part in parts for by in (x, u)]
    return [np.array(ca.DM(ca.densify(each))) for each in jacobians]


@pytest.mark.parametrize("name", CASES)
def test_transfer_function(name):
    keys, expected = CASES[name]
    inputs = ["a", "b"] if name in ("sum", "state_space") else ["a"]
    controller = Controller.model_validate({**keys, "inputs": inputs})
    A, B, C, D = numbers(controller)
    for s in S:
        found = C @ np.linalg.solve(s * np.eye(len(A)) - A, B) + D
        np.testing.assert_allclose(found[0], np.broadcast_to(expected(s), found[0].shape), rtol=EXACT)
    assert controller.direct == tuple(np.any(D, axis=0))


def test_every_kind_has_a_case():
    assert set(KINDS) <= {name.partition(" ")[0] for name in CASES} | {"limit", "rate_limit"}


def test_a_gain_may_be_a_matrix():
    controller = Controller.model_validate({"gain": [[1, 2], [0, -3]], "inputs": ["a", "b"]})
    np.testing.assert_array_equal(numbers(controller)[3], [[1, 2], [0, -3]])
    assert controller.n_outputs == 2


def test_limits():
    x, u = ca.SX.sym("x"), ca.SX.sym("u")
    limit = block_of(Controller.model_validate({"limit": [-1, 2], "inputs": "a"}))
    f = ca.Function("limit", [u], [limit.output(ca.SX.zeros(0), u)])
    assert [float(f(value)) for value in (-3, 0.5, 4)] == [-1, 0.5, 2]
    slow = block_of(Controller.model_validate({"rate_limit": {"rate": 5, "frequency": 10}, "inputs": "a"}))
    f = ca.Function("slow", [x, u], [slow.rate(x, u), slow.output(x, u)])
    rates = [float(f(1, value)[0]) for value in (9, 1.01, -9)]
    np.testing.assert_allclose(rates, [5, 0.01 * 10 * W, -5])
    assert f(1, 9)[1] == 1


def full_matrices(poles, scales=1.0, seed=0):
    """Stable A, B, C with these poles, in states that mix them all and have units of some scales."""
    rng = np.random.default_rng(seed)
    A = np.zeros((2 * len(poles),) * 2)
    for k, pole in enumerate(poles):
        A[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[pole.real, pole.imag], [-pole.imag, pole.real]]
    Q, _ = np.linalg.qr(rng.normal(size=A.shape))
    unit = np.ones(len(A)) * scales
    B, C = rng.normal(size=(len(A), 2)), rng.normal(size=(1, len(A)))
    return Q @ A @ Q.T * unit / unit[:, None], B / unit[:, None], C * unit


@pytest.mark.parametrize("scales", [1.0, np.geomspace(1, 1e6, 6)])
def test_full_matrices_become_modal_ones(scales):
    """The same response, with two entries in a row; whatever the units of the states are."""
    A, B, C = full_matrices([-1 + 3j, -0.2 + 10j, -5 + 0.1j], scales)
    system = LinearSystem(A.tolist(), B.tolist(), C.tolist(), [[0.0, 0.0]])
    found = modal_form(system)
    assert np.count_nonzero(found.A) <= 12 < np.count_nonzero(A)
    for s in (0.5j, 3j, 10j, 100j):
        response, expected = (
            np.array(C) @ np.linalg.solve(s * np.eye(6) - np.array(A), np.array(B))
            for A, B, C in ((each.A, each.B, each.C) for each in (found, system))
        )
        np.testing.assert_allclose(response, expected, rtol=1e-10)


def test_matrices_without_well_conditioned_modes_stay_full():
    """Poles that fall together have one eigenvector; matrices with few entries cost little as they are."""
    chain = np.diag([-1.0] * 4) + np.diag([1.0] * 3, 1)
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 4)))
    for A in (Q @ chain @ Q.T, chain):
        system = LinearSystem(A.tolist(), [[1.0]] * 4, [[1.0] * 4], [[0.0]])
        assert modal_form(system) is system


def test_a_full_controller_moves_an_arm_as_its_matrices_say():
    """Against the closed loop of the linear model, which takes them as they are typed."""
    A, B, C = full_matrices([-20 + 30j, -4 + 1j, -60 + 5j])
    matrices = f"A: {A.tolist()}, B: {B.tolist()}, C: {(-C).tolist()}"
    text = (
        "name: rod\ngravity: [0, 0, 0]\nlinks: [{length: 1, mu: 3}]\n"
        "sensors: {q: {joint: 1}, v: {joint: 1, of: rate}}\n"
        f"controllers: {{c: {{inputs: [q, v], state_space: {{{matrices}}}}}}}\n"
        "drive: [{controller: c}]\ninitial: {joints: [1.0]}\n"
        "run: {duration: 1, sample: 0.1, rtol: 1e-11, atol: 1e-13}\n"
    )
    arm = flexarm.parse_arm(text)
    model, result = flexarm.linearize(arm), flexarm.simulate(arm)
    states = [expm(model.A * t) @ np.eye(len(model.A))[0] for t in result.time]
    np.testing.assert_allclose(result.joint_angle[:, 0], np.array(states)[:, 0], atol=1e-9)

"""Controllers by design: published gains, the properties that define them, margins by what breaks them, refusals."""

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS
from scipy.linalg import expm, solve_continuous_lyapunov

import flexarm
from flexarm.errors import ModelError

WEIGHTS = {"tip_y": 400, "q_1": 20, "q_1_d": 0.2}
SENSORS = {"measure": ["hub", "gauge"], "noise": {"hub": 1e-5, "gauge": 1e-6}, "torque_noise": 1e-3}


@pytest.fixture(scope="module")
def ruler():
    return flexarm.load_arm(ROBOTS / "lqr_arm.yaml").replace("initial.joints[0]", 0.0)


@pytest.fixture(scope="module")
def optimal(ruler):
    return flexarm.design(ruler, weights=WEIGHTS, effort=4)


def test_gains_and_poles_are_the_published_ones(optimal):
    np.testing.assert_allclose(optimal.K, [[5.0249, 3.5424, 3.6707, 0.6861, 1.8583, -1.3318]], atol=6e-5)
    expected = [-14.18, -6.325 - 13.51j, -6.325 + 13.51j, -100.9, -2.891 - 115.3j, -2.891 + 115.3j]
    np.testing.assert_allclose(optimal.poles, expected, rtol=1e-3)


def test_poles_are_the_stable_ones_of_the_hamiltonian(optimal):
    """Independent of Riccati equations: those of [A, -B R^-1 B^T; -Q, -A^T] in the left half plane."""
    model = optimal.model
    C = np.vstack([model.C[list(model.outputs).index("tip_y")], np.eye(6)[[0, 3]]])
    Q, BB = C.T @ np.diag([400, 20, 0.2]) @ C, model.B @ model.B.T / 4
    poles = np.linalg.eigvals(np.block([[model.A, -BB], [-Q, -model.A.T]]))
    stable = np.sort_complex(poles[poles.real < 0])
    # a Hamiltonian's eigenvalues to u times its size over their distance
    np.testing.assert_allclose(np.sort_complex(optimal.poles), stable, rtol=1e-8)


def test_python_control_finds_the_same(optimal):
    control = pytest.importorskip("control")
    model = optimal.model
    C = np.vstack([model.C[list(model.outputs).index("tip_y")], np.eye(6)[[0, 3]]])
    K, _, poles = control.lqr(model.A, model.B, C.T @ np.diag([400, 20, 0.2]) @ C, [[4]])
    np.testing.assert_allclose(optimal.K, K, rtol=1e-9)
    np.testing.assert_allclose(np.sort_complex(optimal.poles), np.sort_complex(poles), rtol=1e-8)


def test_an_optimal_feedback_has_the_margins_that_theory_promises(optimal):
    found = optimal.margins["tau_1"]
    assert found.gain[0] < 0.5
    assert found.gain[1] == np.inf
    assert found.phase >= np.pi / 3
    assert found.sensitivity == pytest.approx(1, abs=1e-5)


def test_a_sampled_feedback_costs_least_among_those_beside_it(ruler):
    """Cost of the continuous time by quadrature, for a held input, from random states."""
    period = 0.02
    found = flexarm.design(ruler, weights=WEIGHTS, effort=4, period=period)
    model = found.model
    C = np.vstack([model.C[list(model.outputs).index("tip_y")], np.eye(6)[[0, 3]]])
    Q = C.T @ np.diag([400, 20, 0.2]) @ C
    F = np.block([[model.A, model.B], [np.zeros((1, 7))]])
    nodes, weights = np.polynomial.legendre.leggauss(24)
    steps = [expm(F * period * (x + 1) / 2) for x in nodes]
    cost = sum(w * period / 2 * E.T @ np.block([[Q, np.zeros((6, 1))], [np.zeros((1, 6)), np.full((1, 1), 4.0)]]) @ E
               for w, E in zip(weights, steps, strict=True))  # fmt: skip
    whole = expm(F * period)

    def total(K):
        x, summed = np.eye(6), np.zeros((6, 6))
        for _ in range(3000):
            xu = np.vstack([x, -K @ x])
            summed, x = summed + xu.T @ cost @ xu, whole[:6] @ xu
        return np.trace(summed)

    least, rng = total(found.K), np.random.default_rng(0)
    for _ in range(4):
        assert total(found.K * (1 + 0.02 * rng.normal(size=found.K.shape))) > least * (1 + 1e-9)


@pytest.mark.parametrize("period", [None, 0.002])
def test_poles_of_an_lqg_are_those_of_feedback_and_estimator(ruler, period):
    found = flexarm.design(ruler, "lqg", weights=WEIGHTS, effort=4, period=period, **SENSORS)
    alone = flexarm.design(ruler, weights=WEIGHTS, effort=4, period=period)
    left = list(found.poles)
    for pole in alone.poles:
        nearest = min(left, key=lambda other: abs(other - pole))
        assert nearest == pytest.approx(pole, rel=1e-6)
        left.remove(nearest)
    assert max(pole.real for pole in left) < 0
    assert found.controller is not None
    assert found.controller.A.shape == (6, 6)
    assert (found.controller.D != 0).any() == (period is not None)


def test_the_estimator_has_the_least_error(ruler):
    """Stationary covariance of the error by Lyapunov's equation, for gains beside that of the Kalman filter."""
    found = flexarm.design(ruler, "lqg", weights=WEIGHTS, effort=4, **SENSORS)
    model, best = found.model, found.L
    assert best is not None
    C = model.C[[list(model.outputs).index(name) for name in SENSORS["measure"]]]
    W, V = 1e-6 * model.B @ model.B.T, np.diag([1e-10, 1e-12])

    def error(L):
        P = solve_continuous_lyapunov(model.A - L @ C, -(W + L @ V @ L.T))
        return np.diag(P)

    least, rng = error(best), np.random.default_rng(1)
    for _ in range(4):
        assert (error(best * (1 + 1e-3 * rng.normal(size=best.shape))) >= least * (1 - 1e-9)).all()


@pytest.mark.parametrize("method", thinned(["lqr", "lqg"], every=2))
@pytest.mark.parametrize("period", [None, 0.002])
def test_margins_are_where_the_loop_becomes_unstable(method, period):
    arm = flexarm.load_arm(ROBOTS / "slewing_satellite.yaml")
    further = {"measure": ["q_1", "q_2"], "noise": {"q_1": 1e-5, "q_2": 1e-5}} if method == "lqg" else {}
    found = flexarm.design(arm, method, weights={"q_1": 9, "q_2": 4}, effort=2, period=period, **further)
    for name, margin in found.margins.items():
        loop = found._loop(found.model.inputs.index(name))
        factors = [np.exp(-1j * margin.phase), np.exp(1j * margin.phase)]
        factors += [gain for gain in margin.gain if 1e-3 < gain < 1e3]
        stable = []
        for factor in (1.0, *factors):
            poles = np.linalg.eigvals(loop.A - factor * loop.B @ loop.C)
            distance = poles.real if period is None else np.log(np.abs(poles)) / period
            stable.append(distance.max())
        assert stable[0] < 0
        limit = 1e-6 * np.abs(loop.A).max()
        assert min(map(abs, stable[1:3])) < limit
        assert all(abs(value) < limit for value in stable[3:])


def test_what_no_torque_reaches_is_set_aside():
    arm = flexarm.load_arm(ROBOTS / "slewing_satellite.yaml")
    found = flexarm.design(arm, weights={"q_1": 1, "q_2": 1})
    n = len(found.model.A) // 2
    assert found.set_aside == ("X_1", "X_2", "phi")
    assert found.poles.size == 2 * (n - 3)
    base = found.model.motion.M[[list(found.model.states).index(name) for name in found.set_aside]]
    x = np.random.default_rng(0).normal(size=2 * n)
    rate = (found.model.A - found.model.B @ found.K) @ x
    np.testing.assert_allclose(base @ rate[n:], 0, atol=1e-9 * np.abs(rate).max())  # momentum is kept


def test_poles_are_placed(ruler):
    wanted = [-5, -6, -10 + 30j, -10 - 30j, -20 + 100j, -20 - 100j]
    for period in (None, 0.001):
        found = flexarm.design(ruler, "place", poles=wanted, period=period)
        np.testing.assert_allclose(np.sort_complex(found.poles), np.sort_complex(wanted), rtol=1e-6)


def test_the_file_has_what_a_description_takes(ruler, tmp_path):
    found = flexarm.design(ruler, "lqg", weights=WEIGHTS, effort=4, period=0.001, **SENSORS)
    assert found.controller is not None
    found.save(tmp_path / "lqg.npz")
    with np.load(tmp_path / "lqg.npz") as arrays:
        assert list(arrays["inputs"]) == ["hub", "gauge"]
        assert list(arrays["outputs"]) == ["tau_1"]
        np.testing.assert_array_equal(arrays["B"], found.controller.B)
        assert arrays["period"] == 0.001
    assert repr(found).startswith("ControlDesign: lqg of 'lqr-arm', every 0.001 s, poles")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "a cost needs weights"),
        ({"weights": {"tip_q": 1}}, "unknown output 'tip_q'"),
        ({"weights": {"q_1": -1}}, r"weights\['q_1'\]"),
        ({"weights": {"delta_1_2": 1.0}}, "does not see the motion of q_1"),
        ({"weights": {"q_1": 1}, "effort": 0}, "effort"),
        ({"weights": {"q_1": 1}, "effort": {"tau_2": 1}}, "one for each of tau_1"),
        ({"method": "lqg", "weights": {"q_1": 1}}, "needs sensors"),
        ({"method": "lqg", "weights": {"q_1": 1}, "measure": ["hub"]}, "hub is measured without noise"),
        ({"method": "lqg", "weights": {"q_1": 1}, "measure": ["tip"], "noise": {"tip": 1}}, "several outputs"),
        ({"method": "lqg", "weights": {"q_1": 1}, "measure": ["gauge"], "noise": {"gauge": 1}},
         "no sensor sees the motion of q_1"),
        ({"method": "place", "poles": [-1.0]}, "got 1, expected 6"),
        ({"method": "place", "poles": [-1, -2, -3, -4, -5, -6 + 1j]}, "in pairs"),
        ({"period": 0.0, "weights": {"q_1": 1}}, "period"),
        ({"method": "lqi"}, "lqi"),
    ],
)  # fmt: skip
def test_what_is_refused(ruler, options, said):
    with pytest.raises((ModelError, ValueError, TypeError), match=said):
        flexarm.design(ruler, **options)

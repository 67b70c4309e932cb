"""Sine and cosine of several lanes against libm, which is wrong by 0.55 units in the last place at most."""

import casadi as ca
import numpy as np
import pytest

from flexarm.codegen.instructions import instructions
from flexarm.codegen.llvm.function_bodies import program_text
from flexarm.codegen.llvm.sine_cosine import MAX_ARGUMENT
from flexarm.codegen.native import compile_native

LANES = 4
T, X, P = ca.SX.sym("t"), ca.SX.sym("x"), ca.SX.sym("p", 0)


@pytest.fixture(scope="module")
def sin_cos():
    f = compile_native(ca.Function("f", [T, X, P], [ca.vertcat(ca.sin(X), ca.cos(X))]), lanes=LANES)

    def evaluate(x):
        rows = np.resize(x, (-(-x.size // LANES), 1, LANES))
        found = f.map_lanes(np.zeros((len(rows), LANES)), rows, np.empty((0, LANES)))
        return np.moveaxis(found, 1, 0).reshape(2, -1)[:, : x.size]

    return evaluate


def steps_apart(a, b):
    """How many numbers lie between a and b, at most."""
    return np.abs(a - b) / np.spacing(np.minimum(np.abs(a), np.abs(b)))


@pytest.mark.parametrize("size", [1e-300, 1e-8, 0.7, 3.0, 100.0, 1e6, MAX_ARGUMENT])
def test_at_most_the_next_number(sin_cos, size):
    x = np.random.default_rng(7).uniform(-size, size, 20_000)
    for found, expected in zip(sin_cos(x), (np.sin(x), np.cos(x)), strict=True):
        assert steps_apart(found, expected).max() <= 1


def test_near_the_zeros_every_digit_counts(sin_cos):
    """Where x is close to a multiple of pi/2 almost all of x goes with the multiple."""
    multiples = np.concatenate([np.arange(1, 3000), np.arange(1, 600_000_000, 1_234_567)]) * (np.pi / 2)
    # of all doubles below 1e9 the closest one to a multiple of pi/2 (6.2e-19 away), by continued fractions
    x = np.concatenate([multiples, -multiples, np.nextafter(multiples, 0), [6411027962775774 * 2.0**-47]])
    for found, expected in zip(sin_cos(x), (np.sin(x), np.cos(x)), strict=True):
        assert steps_apart(found, expected).max() <= 1


def test_far_and_undefined_arguments_do_not_touch_their_neighbours(sin_cos):
    near = np.linspace(-5, 5, LANES - 1)
    alone = sin_cos(np.append(near, 0.0))[:, :-1]
    for far in (1.0001 * MAX_ARGUMENT, -1e22, 1e300):
        together = sin_cos(np.append(near, far))
        np.testing.assert_array_equal(together[:, :-1], alone)
        np.testing.assert_array_equal(together[:, -1], [np.sin(far), np.cos(far)])
    for undefined in (np.inf, -np.inf, np.nan):
        together = sin_cos(np.append(near, undefined))
        np.testing.assert_array_equal(together[:, :-1], alone)
        assert np.isnan(together[:, -1]).all()


def test_sine_and_cosine_of_one_argument_are_one_call():
    f = ca.Function("f", [T, X, P], [ca.vertcat(ca.sin(X), ca.cos(X), ca.sin(2 * X))])
    pieces, _ = program_text(instructions(f), LANES)
    assert "\n".join(pieces).count("call { <4 x double>, <4 x double> } @sin_cos") == 2

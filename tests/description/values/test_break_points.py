"""Break points of expressions: where round-off leaves no doubt on which side of them a function has switched."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.description.values.break_points import BreakPoints, break_points, first_jump, merged
from flexarm.description.values.expression import Expression

PI = np.pi


@pytest.mark.parametrize(
    ("text", "duration", "expected"),
    [
        ("step(t - 5)", 15.0, [5.0]),
        ("step(t - 0.05) - step(t - 0.051)", 10.0, [0.05, 0.051]),
        ("1e4*(step(t - 0.0333) - step(t - 0.0334))", 0.1, [0.0333, 0.0334]),
        ("min(t, 1)", 2.0, [1.0]),
        ("min(t, 1.5, 2 - t)", 2.0, [1.0, 1.5]),  # at 1.5 without effect
        ("max(0, t - 1, 2*t - 3)", 4.0, [1.0, 2.0]),
        ("abs(t - 1)*sign(2 - t)", 4.0, [1.0, 2.0]),
        ("sign(max(t - 1, 0) + min(t - 0.5, 0))", 2.0, [0.5, 1.0]),  # zero from one to the other
        ("step(sin(1000*t))", 0.0199, PI / 1000 * np.arange(1, 7)),
        ("step((t - 5)**2 - 1e-10)", 15.0, [5 - 1e-5, 5 + 1e-5]),  # between two samples
        ("step(step(t - 1) - 0.5)", 2.0, [1.0]),
        ("atan2(sin(t), cos(t))", 4.0, [PI]),
        ("max(sin(t)**2 + cos(t)**2, 1)", 10.0, []),  # equal but for round-off
        ("sin(t) + step(2)", 10.0, []),
    ],
)
def test_known_break_points(text, duration, expected):
    found = break_points(Expression(text), duration)
    inside = found.times[found.before > 0]
    assert inside.size == len(expected)
    np.testing.assert_allclose(inside, expected, rtol=1e-14, atol=1e-14 * duration)
    assert np.all(found.before <= found.times)
    assert np.all(found.times <= found.after)
    assert np.all(found.after - found.before < 1e-13 * duration)


def test_margins_keep_off_round_off():
    """The difference of large numbers changes its sign many times; next to the break point it does no more."""
    expression = Expression("step(t**2 - 10*t + 25 - 1e-8)")
    found = break_points(expression, 15.0)
    np.testing.assert_allclose(found.times, [5 - 1e-4, 5 + 1e-4], atol=1e-10)
    for before, after, values in zip(found.before, found.after, ((1, 0), (0, 1)), strict=True):
        near = np.linspace(0, 1e-11, 1000)
        assert np.all(expression.at(before - near) == values[0])
        assert np.all(expression.at(after + near) == values[1])


def test_a_break_point_is_the_first_time_of_what_comes_after():
    found = break_points(Expression("step(t - 5)"), 15.0)
    assert found.times.tolist() == [5.0]


def test_many():
    found = break_points(Expression("step(sin(1000*t))"), 60.0)
    inside = found.times[found.before > 0]
    np.testing.assert_allclose(inside, PI / 1000 * np.arange(1, inside.size + 1), rtol=1e-14)
    assert inside.size == int(60_000 / PI)


def test_merged():
    a, b = (
        BreakPoints(*np.array(columns))
        for columns in ([[0.9, 1.9], [1, 2], [1.1, 2.1]], [[1.05], [1.1], [1.2]])
    )
    joined = merged([a, b])
    np.testing.assert_array_equal(joined, [[0.9, 1.9], [1.0, 2.0], [1.2, 2.1]])


def test_first_jump():
    assert first_jump(Expression("min(t, 1)"), 2.0) is None
    assert first_jump(Expression("abs(t - 1)*sign(t - 1)"), 2.0) is None
    time, size = first_jump(Expression("sin(t) + 0.5*step(t - 1) + step(t - 1.5)"), 2.0) or (0, 0)
    assert (time, size) == (pytest.approx(1.0), pytest.approx(0.5))

"""Failures: what they say to a script, and that they come whole out of another process."""

import pickle

import pytest

from flexarm.errors import FlexarmError, ModelError, Problem, ResultError, SolverError, SpecError

EVERY = [
    FlexarmError("it failed"),
    ModelError("no mass", hint="give a payload"),
    SolverError("no convergence", hint="a smaller `step`"),
    ResultError("exists", hint="pass `overwrite`"),
    SpecError([Problem("arm.yaml", 3, "links", "none", "give one"), Problem("arm.yaml", None, "", "empty")]),
]


def test_hint_follows_the_message():
    assert str(SolverError("no convergence", hint="a smaller `step`")) == "no convergence (a smaller `step`)"
    assert str(SolverError("no convergence")) == "no convergence"


@pytest.mark.parametrize("failure", EVERY, ids=lambda failure: type(failure).__name__)
def test_pickled_failures_are_whole(failure):
    """Worker processes hand them back."""
    back = pickle.loads(pickle.dumps(failure))
    assert (type(back), str(back), vars(back)) == (type(failure), str(failure), vars(failure))

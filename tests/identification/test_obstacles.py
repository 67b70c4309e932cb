"""Searches that cannot go on where the arm cannot be followed, as where an impact has no derivative."""

import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.errors import ModelError
from flexarm.identification.searching.fit_problem import FitProblem

evaluate = FitProblem.evaluate


@pytest.mark.parametrize(("most", "short"), thinned([(0.230, True), (0.239, True), (1.0, False)], every=2))
def test_a_search_that_stops_short_says_so(most, short, monkeypatch):
    """The frequency wants 0.241 N m^2 with a standard error of 0.003, and the arm is known up to less."""

    def evaluated(problem, x, *rest):
        if problem.values_at(x)[0] > most:
            raise ModelError("no derivative there", hint="change a number")
        return evaluate(problem, x, *rest)

    monkeypatch.setattr(FitProblem, "evaluate", evaluated)
    arm = flexarm.load_arm(ROBOTS / "lqr_arm.yaml")
    found = flexarm.identify(arm, fit=["links[0].EI=0.2"], frequencies="1.77 Hz +- 0.01 Hz", joints="locked")
    stopped = [line for line in found.remarks if "stopped" in line]
    assert bool(stopped) == short
    if short:
        errors = (0.241 - found.values[0]) / found.standard_errors[0]
        assert float(stopped[0].split()[3]) == pytest.approx(errors, abs=0.2)
        assert stopped[0].endswith("no derivative there")

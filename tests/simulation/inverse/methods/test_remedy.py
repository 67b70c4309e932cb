"""What the messages of stable inversion advise, and that it helps: modes that carry the loads at the ends of links."""

import pytest

import flexarm
from flexarm.errors import SolverError
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.methods.remedy import remedy
from flexarm.simulation.inverse.problem import inverse_problem
from flexarm.simulation.inverse.verification.verification import verified_error

ONE_LINK = """\
gravity: [0, -9.81, 0]
joints:
- {inertia: 0.05524180295024156, mass: 0.3901540111651641}
links:
- EI: 71.47712665031113
  damping: 0.01
  length: 0.6204687823201261
  modes: {count: 3, family: clamped-free}
  mu: 0.8658322954301574
name: one-link
payload: {inertia: 0.0010033596194337843, mass: 0.5016798097168922}
"""
SWING = """\
duration: 1.3634429519850237
path:
  y: 0.620469*sin(0.6*(10*(t/1.3634429519850237)**3-15*(t/1.3634429519850237)**4+6*(t/1.3634429519850237)**5))
space: tip
"""
TWO_LINKS = """\
gravity: [0, -9.81, 0]
joints:
- {inertia: 0.017373462646007466, mass: 0.8853947432289241}
- {inertia: 0.2209943358603642, mass: 0.8523648934669119}
links:
- EI: 1322.9021072520873
  damping: 0.01
  length: 0.6933467747709525
  modes: {count: 3, family: clamped-free}
  mu: 1.1582656389655792
- EI: 1075.8872680678837
  damping: 0.01
  length: 0.757742392652828
  modes: {count: 3, family: clamped-free}
  mu: 1.5497728008807676
name: two-links
payload: {inertia: 0.0016608442269428004, mass: 0.8304221134714002}
"""
LINE = """\
duration: 2.0622638754699443
elbow: positive
line: {from: [1.133399698210506, 0.38866202456218957], to: [0.4345557908921821, 0.8547984323645015]}
"""
ADVISED = "take `craig-bampton` modes instead of clamped-free ones, as many"


def problem_of(arm, trajectory, family="clamped-free"):
    arm = arm.replace("family: clamped-free", f"family: {family}")
    return inverse_problem(flexarm.parse_arm(arm), flexarm.parse_trajectory(trajectory))


def refused(problem):
    with pytest.raises(SolverError) as failure:
        make_inverse_method("stable").solve(problem)
    return failure.value


def solved(problem, torques):
    """Largest torques of the samples, verified."""
    solution = make_inverse_method("stable").solve(problem)
    assert verified_error(solution) < 1e-6
    found = abs(solution.datasets()["torque"]).max(axis=0)
    assert found == pytest.approx(torques, rel=2e-4)


def test_where_the_numbers_of_growing_motions_differ_it_advises_modes_that_carry_loads():
    failure = refused(problem_of(ONE_LINK, SWING))
    assert "2 motions of the links grow at the start and 3 at the end" in failure.message
    assert failure.hint.startswith(ADVISED)


@pytest.mark.slow
def test_with_these_modes_the_numbers_agree():
    solved(problem_of(ONE_LINK, SWING, "craig-bampton"), [5.318])


@pytest.mark.slow
def test_where_zeros_go_through_infinity_it_advises_these_modes_and_they_help():
    failure = refused(problem_of(TWO_LINKS, LINE))
    assert "a pair of zeros goes through infinity" in failure.message
    assert failure.hint.startswith(ADVISED)
    solved(problem_of(TWO_LINKS, LINE, "craig-bampton"), [29.05, 7.592])


@pytest.mark.parametrize(
    ("modes", "words"),
    [
        ("clamped-free, count: 3", "take `craig-bampton` modes instead of clamped-free ones, as many:"),
        ("clamped-free, count: 1", "instead of clamped-free ones, as many, two at least in each direction:"),
        ("craig-bampton, count: 1", "take `craig-bampton` modes, two or more, in each direction:"),
        ("craig-bampton, count: 3", ""),
        ("polynomial, count: 2", ""),
    ],
)
def test_modes_are_advised_where_others_do_not_carry_loads(modes, words):
    problem = problem_of(TWO_LINKS.replace("count: 3, family: clamped-free", f"family: {modes}"), LINE)
    bent, unbent = remedy(problem), remedy(problem, unbent=True)
    for hint in (bent, unbent):
        assert words in hint
        assert ("`craig-bampton`" in hint) == bool(words)
        assert ("another number of modes" in hint) == (not words)
    assert "try `law: nonic`, `law: smooth`" in bent
    assert "move the path away from this posture" in unbent

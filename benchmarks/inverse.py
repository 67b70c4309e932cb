"""Time of inverse dynamics: derivation and compilation, the causal motion of [SY94], stable inversion, payload search.

Run: python benchmarks/inverse.py
"""

import statistics
import time
from pathlib import Path

from measuring.machine import heading

import flexarm
from flexarm.simulation.inverse.methods.causal_inversion import integrate, internal_dynamics_problem
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem

ROBOTS = Path(__file__).parents[1] / "robots"
REPETITIONS = 21
CAUSAL_LIMIT, SPATIAL_LIMIT = 0.1, 30.0  # s


def problem(arm, trajectory):
    return inverse_problem(
        flexarm.load_arm(ROBOTS / f"{arm}.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / f"{trajectory}.yaml"),
    )


def seconds(action):
    begin = time.perf_counter()
    result = action()
    return time.perf_counter() - begin, result


def causal():
    """Integration of the published case over 3 s, after compilation."""
    case = problem("korayem_1994_simply_supported", "korayem_1994")
    derived, dynamics = seconds(lambda: case.dynamics)
    y0 = dynamics.state(case.start)
    compiled, equations = seconds(lambda: internal_dynamics_problem(case, y0))
    times = case.times()

    def run():
        return integrate(case, equations, times)

    run()  # loads the integrator
    solved = statistics.median(seconds(run)[0] for _ in range(REPETITIONS))
    steps = run().integration.steps
    print(f"causal [SY94], 3 s: derivation {derived:.3f} s, compilation {compiled:.3f} s, "
          f"{steps} steps in {1e3 * solved:.2f} ms")  # fmt: skip
    return solved


def stable(arm, trajectory):
    """Everything from the description to the bounded motion."""
    prepared, case = seconds(lambda: problem(arm, trajectory))
    solved, solution = seconds(lambda: make_inverse_method("stable").solve(case))
    print(
        f"stable {arm}: preparation {prepared:.2f} s, {solution.facts['steps']} intervals in {solved:.2f} s"
    )
    return prepared + solved


def payload():
    arm = flexarm.load_arm(ROBOTS / "payload_two_link.yaml")
    trajectory = flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml")
    spent, result = seconds(lambda: flexarm.payload(arm, trajectory))
    print(f"payload of payload_two_link: {result.attributes['payload_mass']:.5g} kg in {spent:.2f} s")


def main():
    print(heading("flexarm", "casadi", "llvmlite") + f"; medians of {REPETITIONS}")
    assert causal() < CAUSAL_LIMIT
    stable("korayem_1994_clamped", "korayem_1994")
    assert stable("spatial_six_joint", "circle") < SPATIAL_LIMIT
    payload()


if __name__ == "__main__":
    main()

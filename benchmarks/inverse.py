"""Time of inverse dynamics: derivation and compilation, the causal motion of [SY94], stable inversion, payload search.

Processor time. Two of them have a target, with which they are compared: 0.1 s for the causal motion once it is
compiled, 30 s for a spatial arm from the description to the bounded motion.

Run: python benchmarks/inverse.py [--quick]
"""

import statistics
import time
from pathlib import Path

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

import flexarm
from flexarm.simulation.inverse.methods.causal_inversion import integrate, internal_dynamics_problem
from flexarm.simulation.inverse.methods.inverse_method import make_inverse_method
from flexarm.simulation.inverse.problem import inverse_problem

ROBOTS = Path(__file__).parents[1] / "robots"
REPETITIONS, QUICK_REPETITIONS = 21, 1
CAUSAL_TARGET, SPATIAL_TARGET = 0.1, 30.0  # s


def problem(arm, trajectory):
    return inverse_problem(
        flexarm.load_arm(ROBOTS / f"{arm}.yaml"),
        flexarm.load_trajectory(ROBOTS / "trajectories" / f"{trajectory}.yaml"),
    )


def seconds(action):
    begin = time.process_time()
    result = action()
    return time.process_time() - begin, result


def causal(repetitions):
    """Row of the published case over 3 s: preparation apart, integration as the median of some."""
    case = problem("korayem_1994_simply_supported", "korayem_1994")
    derived, dynamics = seconds(lambda: case.dynamics)
    y0 = dynamics.state(case.start)
    compiled, equations = seconds(lambda: internal_dynamics_problem(case, y0))
    times = case.times()

    def run():
        return integrate(case, equations, times)

    steps = run().integration.steps  # loads the integrator, too
    solved = statistics.median(seconds(run)[0] for _ in range(repetitions))
    return row(
        "causal motion of [SY94], 3 s", solved / CAUSAL_TARGET, derived + compiled, solved, f"{steps} steps"
    )


def stable(arm, trajectory, target=None):
    """Row of everything from the description to the bounded motion."""
    prepared, case = seconds(lambda: problem(arm, trajectory))
    solved, solution = seconds(lambda: make_inverse_method("stable").solve(case))
    ratio = (prepared + solved) / target if target else None
    return row(f"stable inversion of {arm}", ratio, prepared, solved, f"{solution.facts['steps']} intervals")


def payload():
    arm = flexarm.load_arm(ROBOTS / "payload_two_link.yaml")
    trajectory = flexarm.load_trajectory(ROBOTS / "trajectories" / "payload_two_link.yaml")
    spent, result = seconds(lambda: flexarm.payload(arm, trajectory))
    return row(
        "payload of payload_two_link", None, None, spent, f"{result.attributes['payload_mass']:.5g} kg"
    )


def row(what, ratio, prepared, solved, found):
    return (
        what, None if ratio is None else f"{ratio:.2f}", None if prepared is None else f"{prepared:.2f}",
        f"{1e3 * solved:.1f}", found,
    )  # fmt: skip


def main():
    quick = is_quick(__doc__)
    repetitions = QUICK_REPETITIONS if quick else REPETITIONS
    print(
        f"{heading('flexarm', 'casadi', 'llvmlite', quick=quick)}; the causal motion: median of {repetitions}"
    )
    rows = [causal(repetitions), stable("korayem_1994_clamped", "korayem_1994")]
    if not quick:
        rows.append(stable("spatial_six_joint", "circle", SPATIAL_TARGET))
    rows.append(payload())
    print_table(("", "of its target", "prepare s", "solve ms", ""), rows)


if __name__ == "__main__":
    main()

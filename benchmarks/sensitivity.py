"""What derivatives of a run cost, beside plain runs, and how far they are from differences of runs.

Integration of the arm alone and with its derivatives by one number, by three and by seven, in turn; derivation,
compilation and recording are left out. Least processor time. The error is that of the tip's derivative, of its largest,
against differences of sixth order of runs at rtol 1e-13.

Run: python benchmarks/sensitivity.py [--quick]
"""

from pathlib import Path

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table
from measuring.timing import in_turn

import flexarm
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.run import sample_count, sample_times
from flexarm.solvers.base import start
from flexarm.sweeps.sensitivity.directions import directions
from flexarm.sweeps.sensitivity.variational_equations import VariationalEquations

ROBOTS = Path(__file__).parents[1] / "robots"
KEYS = {
    "usoro_two_link": ("links[0].EI", "links[1].EI", "links[0].mu", "links[1].mu", "links[0].length", "links[1].length",
                       "initial.joints[0]"),
    "servo_arm": ("drive[0].pd.kp", "drive[0].pd.kd", "payload.mass", "links[0].length", "links[1].length",
                  "drive[1].pd.kp", "drive[1].pd.kd"),
}  # fmt: skip
COUNTS = (1, 3, 7)
STENCIL = {-3: -1 / 60, -2: 3 / 20, -1: -3 / 4, 1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
BUDGET, QUICK_BUDGET = 4.0, 0.1  # s for each comparison


def error(arm, key, found):
    """Error of the derivative of the tip, of its largest."""
    exact, at = found["tip", key], found.at[found.by.index(key)]
    tight, step = arm.replace({"run.rtol": 1e-13, "run.atol": 1e-15}), 1e-4 * abs(at)
    runs = sum(w * flexarm.simulate(tight.replace(key, at + k * step)).tip for k, w in STENCIL.items()) / step
    return np.abs(exact - runs).max() / np.abs(exact).max()


def main():
    quick, rows = is_quick(__doc__), []
    print(f"{heading('flexarm', 'casadi', 'numpy', quick=quick)}; least processor time")
    for name, keys in KEYS.items():
        arm = flexarm.load_arm(ROBOTS / f"{name}.yaml").replace({"run.rtol": 1e-9, "run.atol": 1e-12})
        times = sample_times(arm, 0, sample_count(arm))
        problems = {0: prepare_run(arm).integration.problem}
        for k in COUNTS:
            found = directions(arm, keys[:k], ["point_position"])
            problems[k] = VariationalEquations(found.model.state_equation, k).problem(found)

        def integrate(problem, times=times, method=arm.run.method):
            def once():
                for _ in start(method, problem).pieces(times):
                    pass

            return once

        taken = in_turn(
            {f"{k}": integrate(one) for k, one in problems.items()}, QUICK_BUDGET if quick else BUDGET
        )
        found = flexarm.gradient(arm, ["tip"], keys[:1] if quick else keys)
        worst = max(error(arm, key, found) for key in found.by)
        alone, *together = (one.fastest for one in taken.values())
        rows.append((name, f"{1e3 * alone:.2f}", *(f"{one / alone:.2f}" for one in together), f"{worst:.0e}"))
    print_table(("arm", "plain, ms", *(f"{k} numbers, runs" for k in COUNTS), "worst error"), rows)


if __name__ == "__main__":
    main()

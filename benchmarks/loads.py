"""What recording the loads of joints and sections costs: deriving and compiling them, and a motion with them.

Of each arm a whole call of `simulate`, with machine code kept from a former one, with and without `record: [loads]`;
and the compiled parts of it alone, integration and observables, of which the latter grow. Least processor time.

Run: python benchmarks/loads.py [--quick]
"""

from pathlib import Path

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table
from measuring.timing import in_turn

import flexarm
from flexarm.simulation.forward.parametric_model import ParametricModel

ROBOTS = Path(__file__).parents[1] / "robots"
ARMS = (
    "usoro_two_link",
    "servo_arm",
    "flexible_pendulum",
    "payload_two_link",
    "spatial_six_joint",
    "soft_pendulum",
)
BUDGET, QUICK_BUDGET = 3.0, 0.1  # s for each comparison


def observing(arm, n):
    """The evaluation of all observables of n samples of an arm."""
    model = ParametricModel([arm])
    equations, p = model.state_equation, model.instance(arm).parameters
    y = 0.01 * np.random.default_rng(0).normal(size=(n, equations.layout.size))
    return lambda: equations.observe(np.linspace(0, arm.run.duration, n), y, p)


def main():
    quick = is_quick(__doc__)
    arms, budget = (ARMS[:2], QUICK_BUDGET) if quick else (ARMS, BUDGET)
    print(heading("flexarm", "casadi", "llvmlite", quick=quick))
    rows = []
    for name in arms:
        arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
        loaded = arm.model_copy(update={"run": arm.run.model_copy(update={"record": ("loads",)})})
        runs = {
            "plain": lambda arm=arm: flexarm.simulate(arm),
            "loads": lambda arm=loaded: flexarm.simulate(arm),
        }
        whole = in_turn(runs, budget)
        result = flexarm.simulate(arm)
        observed = in_turn(
            {"plain": observing(arm, result.n_samples), "loads": observing(loaded, result.n_samples)}, budget
        )
        solved = result.attributes["solve_seconds"]
        plain, with_them = observed["plain"].fastest, observed["loads"].fastest
        more = (with_them - plain) / (solved + plain)
        rows.append(
            [
                name,
                f"{1e3 * whole['plain'].fastest:.0f}",
                f"{1e3 * whole['loads'].fastest:.0f}",
                f"{1e3 * solved:.2f}",
                f"{1e3 * plain:.2f}",
                f"{1e3 * with_them:.2f}",
                f"{100 * more:.0f} %",
            ]
        )
    columns = ("simulate ms", "with loads", "integration", "observables", "with loads", "of both more")
    print_table(("", *columns), rows)


if __name__ == "__main__":
    main()

"""What `method: auto` costs and spares: the shipped arms by auto, dop853 and radau, and a dop853 that watches itself.

Arms with walls, limits or a number of segments that is left open are left out, and motions last MOST seconds. The
derivation and compilation of the Jacobian, which radau needs always and auto after a change, is not in it.

Run: python benchmarks/method_auto.py [--quick]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table
from measuring.timing import in_turn

import flexarm
from flexarm.errors import ModelError
from flexarm.simulation.forward.free_motion import free_motion, initial_state_of
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.solvers.auto.watched import WatchedDop853
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.dop853.layout import BOUNDED_STEPS
from flexarm.solvers.dop853.method import Dop853
from flexarm.solvers.solve import solve

ROBOTS = Path(__file__).parents[1] / "robots"
TOLERANCES, QUICK_TOLERANCES = (1e-4, 1e-6, 1e-9), (1e-4,)
ATOL = 1e-2
"""In units of rtol."""
METHODS = ("auto", "dop853", "radau")
MOST, QUICK_MOST = 2.0, 0.02  # s
SAMPLES = 61
BUDGET, QUICK_BUDGET = 0.5, 0.0  # s, each arm at each tolerance
WATCHED = ("rigid_two_link", "usoro_two_link", "spatial_six_joint")


def problems() -> Iterator[tuple[str, float, InitialValueProblem]]:
    """Names, durations [s] and problems of the shipped arms, with Jacobians that are compiled."""
    for path in sorted(ROBOTS.glob("*.yaml")):
        arm = flexarm.load_arm(path)
        if arm.has_stops or arm.segment_choices:
            continue
        model = ParametricModel([arm])
        instance = model.instance(arm)
        try:
            problem = free_motion(model, instance, initial_state_of(model, instance))
        except ModelError:  # it only follows trajectories
            continue
        jacobian = model.state_equation.native_jacobian.at(instance.parameters)
        yield path.stem, arm.run.duration, replace(problem, jacobian=jacobian)


def compare(name: str, times: np.ndarray, problem: InitialValueProblem, budget: float) -> list[tuple]:
    """Rows of the table: what one arm takes by all methods."""
    rows = []
    for rtol in QUICK_TOLERANCES if budget == 0.0 else TOLERANCES:
        chosen = replace(problem, rtol=rtol, atol=ATOL * rtol)
        change = solve("auto", chosen, times)[1].change_over
        taken = in_turn({method: lambda m=method, p=chosen: solve(m, p, times) for method in METHODS}, budget)
        auto, dop853, radau = (1e3 * taken[method].median for method in METHODS)
        said = "" if change is None else f"{change.steps} steps, until {change.time:.2g} s"
        rows.append(
            (name, f"{rtol:.0e}", f"{auto:.2f}", f"{dop853:.2f}", f"{radau:.2f}",
             f"{auto / min(dop853, radau):.2f}", said)
        )  # fmt: skip
    return rows


def watching(problem: InitialValueProblem, end: float, budget: float) -> float:
    """Time of steps that are watched, their alarms ignored, over that of others."""

    def run(kind: type[Dop853]) -> None:
        integration = kind(problem)
        while integration.failure is None and not len(integration.advance([end])):
            integration._counters[BOUNDED_STEPS] = 0

    taken = in_turn({kind.__name__: lambda k=kind: run(k) for kind in (Dop853, WatchedDop853)}, budget)
    return taken[WatchedDop853.__name__].median / taken[Dop853.__name__].median


def main() -> None:
    quick = is_quick(__doc__)
    budget, most = (QUICK_BUDGET, QUICK_MOST) if quick else (BUDGET, MOST)
    print(f"{heading('flexarm', quick=quick)}; processor time, medians")
    found = {name: (min(duration, most), problem) for name, duration, problem in problems()}
    rows = [
        row
        for name, (end, problem) in found.items()
        if problem.jump is None
        for row in compare(name, np.linspace(0, end, SAMPLES), problem, budget)
    ]
    print_table(("ms", "rtol", *METHODS, "over the best", "dop853 first"), rows)
    for name in WATCHED:
        ratio = watching(found[name][1], 10 * found[name][0], 4 * budget)
        print(f"{name}: watched steps take {ratio:.3f} times as long")


if __name__ == "__main__":
    main()

"""Time of flights with impacts, after compilation: case study I of [FL17] and the other arms of robots/ with walls.

The functions of held contacts are compiled when a point first rests, which here is a part of the run.

Run: python benchmarks/flight.py [--quick]
"""

import statistics
import time
from pathlib import Path

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

from flexarm import load_arm
from flexarm.simulation.forward.motion_with_contact import prepare_motion_with_contact

ROBOTS = Path(__file__).parents[1] / "robots"
REPETITIONS = 7


def flights():
    """Name, arm: case study I with the tolerances of its speed target, the others as they are."""
    for name in ("shafei_falling_link", "falling_two_link_in_circle", "falling_chain"):
        arm = load_arm(ROBOTS / f"{name}.yaml")
        if name == "shafei_falling_link":
            run = arm.run.model_copy(update={"rtol": 1e-10, "atol": 1e-12})
            arm = arm.model_copy(update={"run": run})
        yield name, arm


def main():
    quick = is_quick(__doc__)
    repetitions = 1 if quick else REPETITIONS
    print(heading("flexarm", "casadi", "llvmlite", quick=quick))
    rows = []
    for name, arm in flights():
        preparing, running = [], []
        for _ in range(repetitions):
            begin = time.process_time()
            flight = prepare_motion_with_contact(arm)
            _ = flight.state_equation.native_observables
            prepared = time.process_time()
            for _ in flight.blocks():
                pass
            preparing.append(prepared - begin)
            running.append(time.process_time() - prepared)
        seconds = f"{statistics.median(preparing):.2f}", f"{1e3 * statistics.median(running):.1f}"
        rows.append((name, *seconds, flight.integration.steps, len(flight.integration.impacts)))
    print(f"processor time, medians of {repetitions}")
    print_table(("flight", "prepare s", "run ms", "steps", "impacts"), rows)


if __name__ == "__main__":
    main()

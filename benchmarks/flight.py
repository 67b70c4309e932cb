"""Time of flights with impacts, after compilation: case study I of [FL17] and the other arms of robots/ with walls.

The functions of held contacts are compiled when a point first rests, which here is a part of the run.

Run: python benchmarks/flight.py
"""

import statistics
import time
from pathlib import Path

from flexarm import load_arm
from flexarm.simulation.flight import prepare_flight

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
    print(
        f"{'flight':>28} {'prepare s':>10} {'run ms':>8} {'steps':>7} {'impacts':>8}   medians of {REPETITIONS}"
    )
    for name, arm in flights():
        preparing, running = [], []
        for _ in range(REPETITIONS):
            begin = time.perf_counter()
            flight = prepare_flight(arm)
            _ = flight.system.native_observables
            prepared = time.perf_counter()
            for _ in flight.blocks():
                pass
            preparing.append(prepared - begin)
            running.append(time.perf_counter() - prepared)
        print(
            f"{name:>28} {statistics.median(preparing):10.2f} {1e3 * statistics.median(running):8.1f} "
            f"{flight.integration.steps:7} {len(flight.ledger.impacts):8}"
        )


if __name__ == "__main__":
    main()

"""What a run of a sweep costs: alone, beside others in the lanes of a core, and on all cores.

The arm of Usoro et al. for 3 s with a relative tolerance of 1e-6, on a grid of EI of its first link and the mass of its
payload. The first table is of one process whose runs share compiled equations, in milliseconds of processor time per
run: `integrator` is the integration by itself, `all` begins with the values of the keys and ends with the recorded
datasets. The second is of whole sweeps, in seconds of wall time, since several processes share the work: `start` is a
sweep of a few points, mostly the start of the processes; rate and speed-up are of the points beyond these. `cores` is
the speed-up that the machine itself allows: of as many sweeps at once that have nothing to do with one another, each
with one worker and all of the points.

Run: python benchmarks/sweeps.py, with --points 10000 for a large sweep
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring.machine import heading
from measuring.table import print_table

import flexarm
from flexarm.simulation.forward.batch import Batch, BatchItem
from flexarm.simulation.forward.free_motion import (
    initial_state_of,
    initial_value_problem,
    prepare_free_motion,
)
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.run import sample_count, sample_times
from flexarm.solvers.base import Integration
from flexarm.solvers.dop853.lanes import Lanes
from flexarm.solvers.dop853.layout import LANES
from flexarm.sweeps.parameters.variation import Variation

ARM = flexarm.load_arm(Path(__file__).parents[1] / "robots" / "usoro_two_link.yaml")
EI, MASS = (500.0, 2000.0), (0.5, 2.0)  # N m^2, kg
RTOL, FINE = 1e-6, 1e-10
ATOL = 1e-2
"""In units of rtol."""
SIDE = 8
"""Values of each key in the first table."""
ROUNDS = 7
TURNS = 3
FEW = 8
"""Points of the sweep that shows what starting takes."""

TIMES = sample_times(ARM, 0, sample_count(ARM))
Values = list[float]


def varied(stiffnesses: int, masses: int, rtol: float) -> dict[str, Any]:
    """Keys of a sweep and their values."""
    return {
        "links[0].EI": np.linspace(*EI, stiffnesses),
        "payload.mass": np.linspace(*MASS, masses),
        "run.rtol": [rtol],
        "run.atol": [ATOL * rtol],
    }


class OneProcess:
    """Runs of a grid of SIDE x SIDE points."""

    def __init__(self, rtol: float):
        keys = varied(SIDE, SIDE, rtol)
        self._variation = Variation(ARM.text, list(keys))
        self.points: list[Values] = [[float(x) for x in one] for one in itertools.product(*keys.values())]
        corners = (self.points[k] for k in (0, SIDE - 1, SIDE // 2, -SIDE, (SIDE // 2) * SIDE))
        self._model = ParametricModel([self._variation.arm(values) for values in corners])

    @property
    def groups(self) -> list[list[Values]]:
        """Points that are computed side by side."""
        return [self.points[k : k + LANES] for k in range(0, len(self.points), LANES)]

    def alone(self, values: Values) -> np.ndarray:
        """Run one arm; where its tip ends (1, 3) [m]."""
        *_, last = prepare_free_motion(self._variation.arm(values), model=self._model).blocks()
        return last["point_position"][-1:, -1]

    def side_by_side(self, group: list[Values]) -> np.ndarray:
        """Run several arms; where their tips end (k, 3) [m]."""
        *_, last = Batch(self._model, self._items(group)).blocks()
        return np.array([block["point_position"][-1, -1] for block in last])

    def integration(self, values: Values) -> Integration:
        """Prepare one integration."""
        return prepare_free_motion(self._variation.arm(values), model=self._model).integration

    def lanes(self, group: list[Values]) -> Lanes:
        """Prepare integrations side by side."""
        items = self._items(group)
        rhs, p = self._model.state_equation.lane_rhs.at(
            np.stack([item.instance.parameters for item in items], axis=1)
        )
        return Lanes(
            [initial_value_problem(self._model, *item, rhs, p[:, lane]) for lane, item in enumerate(items)]
        )

    def _items(self, group: list[Values]) -> list[BatchItem]:
        instances = [self._model.instance(self._variation.arm(values)) for values in group]
        return [BatchItem(instance, initial_state_of(self._model, instance)) for instance in instances]


class Work(NamedTuple):
    """What is timed: an action on each of some things, which are prepared before the clock runs."""

    prepared: Callable[[], Sequence[Any]]
    action: Callable[[Any], Any]


def integrate(integration: Integration) -> None:
    done = 0
    while done < TIMES.size:
        done += len(integration.advance(TIMES[done:]))


def integrate_lanes(lanes: Lanes) -> None:
    lanes.advance(np.repeat(TIMES[:, None], LANES, axis=1))


def milliseconds(works: dict[str, Work], runs: int) -> dict[str, float]:
    """Least processor time per run of each work among several rounds; they are measured in turn."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            things = work.prepared()
            begin = time.process_time()
            for thing in things:
                work.action(thing)
            taken[name].append(time.process_time() - begin)
    return {name: 1e3 * min(seconds) / runs for name, seconds in taken.items()}


def cost_of_a_run() -> None:
    here = OneProcess(RTOL)
    alone = np.concatenate([here.alone(values) for values in here.points])
    beside = np.concatenate([here.side_by_side(group) for group in here.groups])
    fine = OneProcess(FINE)
    exact = np.concatenate([fine.side_by_side(group) for group in fine.groups])
    works = {
        "integrator alone": Work(lambda: [here.integration(values) for values in here.points], integrate),
        "integrator lanes": Work(lambda: [here.lanes(group) for group in here.groups], integrate_lanes),
        "all alone": Work(lambda: here.points, here.alone),
        "all lanes": Work(lambda: here.groups, here.side_by_side),
    }
    ms = milliseconds(works, len(here.points))
    print(
        f"one process, {len(here.points)} runs, {LANES} lanes; ms of processor time per run, the least of {ROUNDS}"
    )
    rows = []
    for name in ("integrator", "all"):
        one, several = ms[f"{name} alone"], ms[f"{name} lanes"]
        rows.append((name, f"{one:.2f}", f"{several:.2f}", f"{one / several:.2f}"))
    print_table(("", "alone", "side by side", "ratio"), rows)
    accuracy = [
        ("alone and side by side", f"{_apart(alone, beside):.1e}"),
        (f"side by side with rtol {RTOL:.0e} and {FINE:.0e}", f"{_apart(beside, exact):.1e}"),
    ]
    print_table(("largest distance of final tips", "m"), accuracy)


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


def whole_sweeps(points: int) -> None:
    up = max(k for k in range(1, math.isqrt(points) + 1) if points % k == 0)
    few, many = (FEW, 1), (points // up, up)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    numbers = sorted({*(2**k for k in range(cores.bit_length())), cores})
    sweep(*few, 1)  # compiles, and fills the caches
    best: dict[tuple, float] = {}
    for _ in range(TURNS):  # in turn, because the speed of a machine changes
        for workers in numbers:
            for size in (few, many):
                taken = {"together": sweep(*size, workers), "apart": apart(*size, workers)}
                for kind, seconds in taken.items():
                    key = kind, workers, size
                    best[key] = min(seconds, best.get(key, math.inf))
    rows = []
    beyond = {
        (kind, workers): best[kind, workers, many] - best[kind, workers, few]
        for kind in ("together", "apart")
        for workers in numbers
    }
    for workers in numbers:
        here, alone = beyond["together", workers], beyond["together", 1]
        rows.append(
            (
                workers,
                f"{best['together', workers, few]:.2f}",
                f"{best['together', workers, many]:.2f}",
                f"{here:.2f}",
                f"{(points - FEW) / here:.0f}",
                f"{alone / here:.2f}",
                f"{workers * alone / beyond['apart', workers]:.2f}",
            )
        )
    print(f"sweeps of {points} points, their usual records; s of wall time, the least of {TURNS}")
    print_table(("workers", "start", "whole", "after start", "runs/s", "speed-up", "cores"), rows)


def sweep(stiffnesses: int, masses: int, workers: int) -> float:
    """Wall time of a sweep, none of whose runs may fail [s]."""
    begin = time.perf_counter()
    result = flexarm.sweep(ARM, varied(stiffnesses, masses, RTOL), workers=workers)
    assert not result.failed.any()
    return time.perf_counter() - begin


def apart(stiffnesses: int, masses: int, several: int) -> float:
    """Wall time of several such sweeps at once, each with one worker [s]."""
    begin = time.perf_counter()
    with ThreadPoolExecutor(several) as together:
        list(together.map(lambda _: sweep(stiffnesses, masses, 1), range(several)))
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description="What a run of a sweep costs.")
    parser.add_argument(
        "--points", type=int, default=2000, help="points of the whole sweeps, at least 1000 [2000]"
    )
    points = max(1000, parser.parse_args().points)
    print(heading("flexarm", "numpy", "llvmlite"))
    cost_of_a_run()
    whole_sweeps(points)


if __name__ == "__main__":
    main()

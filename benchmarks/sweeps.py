"""What a run of a sweep costs: alone, beside others in the lanes of a core, and on all cores.

The arm of Usoro et al. for 3 s with a relative tolerance of 1e-6, on a grid of EI of its first link and the mass of its
payload. The first table is of one process whose runs share compiled equations, in milliseconds of processor time per
run, medians: `integrator` is the integration by itself, `all` begins with the values of the keys and ends with the
recorded datasets. The second is of whole sweeps, in seconds of wall time, since several processes share the work:
`start` is a sweep of a few points, mostly the start of the processes; rate and speed-up are of the points beyond these.
`cores` is the speed-up that the machine itself allows: of as many sweeps at once that have nothing to do with one
another, each with one worker and all of the points.

Run: python benchmarks/sweeps.py [--quick] [--points N]
"""

from __future__ import annotations

import itertools
import math
import os
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring.machine import heading
from measuring.options import option_parser
from measuring.table import SpeedRow, print_speed_rows, print_table

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
FEW = 8
"""Points of the sweep that shows what starting takes."""
LARGE = 10_000
"""Points of the large sweep of docs/speed.md."""

TIMES = sample_times(ARM, 0, sample_count(ARM))
Values = list[float]


class Effort(NamedTuple):
    """Size of the measurement.

    Attributes
    ----------
    side : int
        Values of each key in the first table.
    rounds, turns : int
        Of the first and of the second table.
    points : int
        Of the whole sweeps.
    """

    side: int
    rounds: int
    turns: int
    points: int


WHOLE, QUICK = Effort(8, 7, 3, LARGE), Effort(2, 1, 1, 4 * FEW)


def varied(stiffnesses: int, masses: int, rtol: float) -> dict[str, Any]:
    """Keys of a sweep and their values."""
    return {
        "links[0].EI": np.linspace(*EI, stiffnesses),
        "payload.mass": np.linspace(*MASS, masses),
        "run.rtol": [rtol],
        "run.atol": [ATOL * rtol],
    }


class OneProcess:
    """Runs of a grid of side x side points."""

    def __init__(self, rtol: float, side: int):
        keys = varied(side, side, rtol)
        self._variation = Variation(ARM.text, list(keys))
        self.points: list[Values] = [[float(x) for x in one] for one in itertools.product(*keys.values())]
        corners = (self.points[k] for k in (0, side - 1, side // 2, -side, (side // 2) * side))
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


def seconds_per_run(works: dict[str, Work], runs: int, rounds: int) -> dict[str, float]:
    """Median processor time per run of each work [s]; they are measured in turn."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            things = work.prepared()
            begin = time.process_time()
            for thing in things:
                work.action(thing)
            taken[name].append(time.process_time() - begin)
    return {name: statistics.median(seconds) / runs for name, seconds in taken.items()}


def cost_of_a_run(effort: Effort) -> SpeedRow:
    """Measure the first table."""
    here, fine = OneProcess(RTOL, effort.side), OneProcess(FINE, effort.side)
    alone = np.concatenate([here.alone(values) for values in here.points])
    beside = np.concatenate([here.side_by_side(group) for group in here.groups])
    exact = np.concatenate([fine.side_by_side(group) for group in fine.groups])
    works = {
        "integrator alone": Work(lambda: [here.integration(values) for values in here.points], integrate),
        "integrator lanes": Work(lambda: [here.lanes(group) for group in here.groups], integrate_lanes),
        "all alone": Work(lambda: here.points, here.alone),
        "all lanes": Work(lambda: here.groups, here.side_by_side),
    }
    seconds = seconds_per_run(works, len(here.points), effort.rounds)
    print(
        f"one process, {len(here.points)} runs, {LANES} lanes; ms of processor time per run, medians of {effort.rounds}"
    )
    rows = []
    for name in ("integrator", "all"):
        one, several = seconds[f"{name} alone"], seconds[f"{name} lanes"]
        rows.append((name, f"{one / several:.2f}", f"{1e3 * several:.2f}", f"{1e3 * one:.2f}"))
    print_table(("", "ratio", "side by side", "alone"), rows)
    accuracy = [
        ("alone and side by side", f"{_apart(alone, beside):.1e}"),
        (f"side by side with rtol {RTOL:.0e} and {FINE:.0e}", f"{_apart(beside, exact):.1e}"),
    ]
    print_table(("largest distance of final tips", "m"), accuracy)
    what = "arm of Usoro et al. in a sweep, 3 s at rtol 1e-6, all that a point costs"
    return SpeedRow(what, seconds["all lanes"], "each run alone", seconds["all alone"])


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


def whole_sweeps(points: int, turns: int) -> SpeedRow | None:
    """Measure the second table; with several cores and LARGE points it has a row of docs/speed.md."""
    up = max(k for k in range(1, math.isqrt(points) + 1) if points % k == 0)
    few, many = (FEW, 1), (points // up, up)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    numbers = sorted({*(2**k for k in range(cores.bit_length())), cores})
    sweep(*few, 1)  # compiles, and fills the caches
    taken: dict[tuple, list[float]] = {}
    for _ in range(turns):  # in turn, because the speed of a machine changes
        for workers in numbers:
            for size in (few, many):
                for kind, measured in (("together", sweep), ("apart", apart)):
                    taken.setdefault((kind, workers, size), []).append(measured(*size, workers))
    seconds = {key: statistics.median(times) for key, times in taken.items()}
    rows = []
    for workers in numbers:
        beyond = {
            (kind, w): seconds[kind, w, many] - seconds[kind, w, few]
            for kind in ("together", "apart")
            for w in (1, workers)
        }
        here, alone = beyond["together", workers], beyond["together", 1]
        start, whole = seconds["together", workers, few], seconds["together", workers, many]
        machine = workers * alone / beyond["apart", workers]
        rows.append(
            (workers, f"{alone / here:.2f}", f"{machine:.2f}", f"{start:.2f}", f"{whole:.2f}", f"{here:.2f}",
             f"{(points - FEW) / here:.0f}")
        )  # fmt: skip
    print(f"sweeps of {points} points, their usual records; s of wall time, medians of {turns}")
    print_table(("workers", "speed-up", "cores", "start", "whole", "after start", "runs/s"), rows)
    if points != LARGE or cores == 1:
        return None
    what = f"{LARGE} of them on {cores} cores, wall time with the start of the workers"
    return SpeedRow(what, seconds["together", cores, many], "on one core", seconds["together", 1, many])


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
    parser = option_parser(__doc__)
    parser.add_argument(
        "--points", type=int, help=f"points of the whole sweeps, more than {FEW} [{WHOLE.points}]"
    )
    options = parser.parse_args()
    effort = QUICK if options.quick else WHOLE
    points = effort.points if options.points is None else options.points
    if points <= FEW:
        parser.error(f"--points: got {points}, expected more than {FEW}")
    print(heading("flexarm", "numpy", "llvmlite", quick=options.quick))
    print_speed_rows(__file__, [cost_of_a_run(effort), whole_sweeps(points, effort.turns)])


if __name__ == "__main__":
    main()

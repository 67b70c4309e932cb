"""Nothing is lost when workers die; a point that kills its worker is given up, the others are not."""

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

from flexarm.description.reading.loader import sweep_from_entries
from flexarm.errors import SolverError
from flexarm.sweeps.execution.chunks import Chunk
from flexarm.sweeps.execution.point_result import PointResult
from flexarm.sweeps.execution.schedule import Schedule
from flexarm.sweeps.execution.workers import WorkerPool
from flexarm.sweeps.parameters.design import Design

DESIGN = Design.of(sweep_from_entries(arm="", vary={"x": "0:1:200"}))


class FragilePool(WorkerPool):
    """A pool of which everything under way breaks as soon as one of the deadly points is among it."""

    death_errors = (BrokenProcessPool,)
    size = 2

    def __init__(self, deadly=(), slips=()):
        self.deadly, self.slips = set(deadly), set(slips)  # slips kill once only
        self.waiting, self.broken, self.deaths_seen, self.sizes = [], False, 0, []

    def submit(self, function, *arguments):
        if self.broken:
            raise BrokenProcessPool
        _, points, _ = arguments
        future = Future()
        self.waiting.append((future, points))
        self.sizes.append(points.size)
        if len(self.waiting) >= 2 * self.size or points.size == 1:
            self._work()
        return future

    def _work(self):
        dying = any((self.deadly | self.slips) & set(points.tolist()) for _, points in self.waiting)
        for future, points in self.waiting:
            if dying:
                self.broken = True
                self.slips -= set(points.tolist())
                future.set_exception(BrokenProcessPool())
            else:
                future.set_result(
                    Chunk(points, [PointResult(np.array([float(p)])) for p in points], 1e-3 * points.size)
                )
        self.waiting = []

    def restart(self):
        self.broken = False
        self.deaths_seen += 1

    def close(self):
        pass


def computed(pool, todo=None):
    chunks, given_up = [], []
    todo = np.arange(DESIGN.size) if todo is None else todo
    Schedule(None, DESIGN, todo, pool, chunks.append, given_up.append).run(lambda fraction, _: pool._work())
    return sorted(point for chunk in chunks for point in chunk.points), given_up


def test_every_point_is_computed_once():
    done, given_up = computed(FragilePool())
    assert done == list(range(200))
    assert given_up == []


def test_chunks_grow_until_they_take_their_time_and_shrink_towards_the_end():
    pool = FragilePool()
    computed(pool)
    assert pool.sizes[0] == 1
    assert 8 <= max(pool.sizes) <= 50
    assert pool.sizes[-1] == 1


@pytest.mark.parametrize("deadly", [[0], [57], [199], [3, 60, 61, 150]])
def test_points_that_kill_their_worker_are_given_up_after_the_second_time(deadly):
    pool = FragilePool(deadly)
    done, given_up = computed(pool)
    assert sorted(given_up) == deadly
    assert done == sorted(set(range(200)) - set(deadly))
    assert pool.deaths_seen <= 2 * len(deadly)


def test_a_worker_that_dies_for_another_reason_costs_no_point():
    pool = FragilePool(slips=[20, 90])
    done, given_up = computed(pool)
    assert (done, given_up) == (list(range(200)), [])
    assert 1 <= pool.deaths_seen <= 2


def test_only_what_is_missing_is_computed():
    done, _ = computed(FragilePool(), np.array([3, 77, 150]))
    assert done == [3, 77, 150]


def test_a_worker_that_cannot_compute_at_all_ends_the_sweep():
    class Lost(FragilePool):
        def _work(self):
            for future, _ in self.waiting:
                future.set_exception(ModuleNotFoundError("No module named 'flexarm'"))
            self.waiting = []

    with pytest.raises(SolverError, match="No module named 'flexarm'"):
        computed(Lost())


def test_cancelled_work_means_that_the_scheduler_is_gone():
    class Gone(FragilePool):
        def _work(self):
            for future, _ in self.waiting:
                future.cancel()
                future.set_running_or_notify_cancel()
            self.waiting = []

    with pytest.raises(SolverError, match="scheduler is gone"):
        computed(Gone())

"""Searches from several starts: side by side, the same to the last bit, with the best of all when interrupted."""

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest
from test_columns_and_starts import COLUMNS, PENDULUM, swing

import flexarm
from flexarm.errors import SolverError
from flexarm.identification.searching import side_by_side
from flexarm.identification.searching.one_start import SearchEnd
from flexarm.sweeps.execution.workers import GivenPool

FITS = ["links[0].EI=4 in [2, 30]", "payload.mass=0.4"]


def fitted(text=PENDULUM, fits=FITS, **options):
    return flexarm.identify(flexarm.parse_arm(text), swing(noise=0.01), fits, columns=COLUMNS, **options)


@pytest.fixture
def in_this_process(monkeypatch):
    """One worker, which needs no process."""

    class Pool(GivenPool):
        death_errors = (BrokenProcessPool,)

        def close(self):
            self.executor.shutdown()

    monkeypatch.setattr(side_by_side, "LocalPool", lambda size: Pool(ThreadPoolExecutor(1)))


def test_several_starts_end_at_one_place(in_this_process):
    reported = []
    found = fitted(fits=FITS[:1], starts=2, progress=lambda fraction, t: reported.append(fraction))
    assert found.agreeing_starts == (2, 2)
    assert abs(found["links[0].EI"] - 8) < 5 * found.standard_errors[0]
    assert reported == sorted(reported)
    assert reported[-1] == 1


def test_the_best_of_all_starts_is_kept(in_this_process, monkeypatch):
    """Whatever the searches had come to when they were to stop."""
    search = side_by_side._search

    def stopped(data, given, x0, path, k, count):
        if k:
            side_by_side._board(path, count)[-1] = side_by_side.STOPPED
        return search(data, given, x0, path, k, count)

    monkeypatch.setattr(side_by_side, "_search", stopped)
    found = fitted(fits=FITS[:1], starts=3)
    assert found.status == "interrupted"
    assert found.agreeing_starts == (1, 1)
    assert abs(found["links[0].EI"] - 8) < 5 * found.standard_errors[0]
    monkeypatch.setattr(side_by_side, "_search", lambda *task: SearchEnd(None, 0, None, interrupted=True))
    with pytest.raises(KeyboardInterrupt):
        fitted(fits=FITS[:1], starts=3)


def test_searches_are_stopped_by_the_progress(in_this_process, monkeypatch):
    """The first report stops all: what has begun ends by itself, what has not is left out."""
    began = []

    def wait_for_stop(data, given, x0, path, k, count):
        began.append(k)
        while side_by_side._board(path, count)[-1] != side_by_side.STOPPED:
            pass
        return SearchEnd(None, 0, None, interrupted=True)

    def progress(fraction, t):
        raise KeyboardInterrupt

    monkeypatch.setattr(side_by_side, "_search", wait_for_stop)
    with pytest.raises(KeyboardInterrupt):
        fitted(fits=FITS[:1], starts=4, progress=progress)
    assert began == [0]


def test_a_worker_that_dies_is_said(in_this_process, monkeypatch):
    def die(*arguments):
        raise BrokenProcessPool

    monkeypatch.setattr(side_by_side, "_search", die)
    with pytest.raises(SolverError, match=r"a worker process died.*fewer `workers`"):
        fitted(fits=FITS[:1], starts=2)


@pytest.mark.slow
def test_workers_change_no_bit():
    one, two = (fitted(starts=4, workers=workers) for workers in (1, 2))
    assert one.agreeing_starts == two.agreeing_starts == (4, 4)
    assert one.evaluations == two.evaluations
    for name in ("values", "standard_errors", "intervals", "correlation"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    np.testing.assert_array_equal(one.runs[0].simulated, two.runs[0].simulated)


@pytest.mark.slow
def test_no_start_from_which_the_arm_moves():
    """The fault of the first one is said."""
    with pytest.raises(SolverError, match="stopped at t"):
        fitted(PENDULUM.replace("run: {", "run: {max_steps: 3, "), starts=2, workers=2)

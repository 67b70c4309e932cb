"""Searches from several starts: side by side, the same to the last bit, with the best of all when interrupted."""

import multiprocessing
from concurrent.futures import Future, ThreadPoolExecutor
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

    def made(size, begin, board):
        begin(board)
        return Pool(ThreadPoolExecutor(1))

    monkeypatch.setattr(side_by_side, "LocalPool", made)


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

    def stopped(data, given, x0, k):
        if k:
            side_by_side._joined[0][-1] = side_by_side.STOPPED
        return search(data, given, x0, k)

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

    def wait_for_stop(data, given, x0, k):
        began.append(k)
        while side_by_side._joined[0][-1] != side_by_side.STOPPED:
            pass
        return SearchEnd(None, 0, None, interrupted=True)

    def progress(fraction, t):
        raise KeyboardInterrupt

    monkeypatch.setattr(side_by_side, "_search", wait_for_stop)
    with pytest.raises(KeyboardInterrupt):
        fitted(fits=FITS[:1], starts=4, progress=progress)
    assert began == [0]


def test_a_search_whose_worker_dies_twice_is_lost_alone(in_this_process, monkeypatch):
    """The others are kept, and the fit says which came to nothing."""
    search, begun = side_by_side._search, []

    def die_in_the_second(data, given, x0, k):
        begun.append(k)
        side_by_side._joined[0][k] = side_by_side.BEGUN
        if k == 1:
            raise BrokenProcessPool
        return search(data, given, x0, k)

    monkeypatch.setattr(side_by_side, "_search", die_in_the_second)
    found = fitted(fits=FITS[:1], starts=3)
    assert begun == [0, 1, 2, 1]
    assert found.agreeing_starts == (2, 3)
    assert found.status == "complete"
    assert [remark for remark in found.remarks if "start 2 came to nothing: a worker process died" in remark]


def test_all_workers_die(in_this_process, monkeypatch):
    def die(*arguments):
        raise BrokenProcessPool

    monkeypatch.setattr(side_by_side, "_search", die)
    with pytest.raises(SolverError, match=r"a worker process died.*fit fewer rows"):
        fitted(fits=FITS[:1], starts=2)


def test_a_second_interruption_gives_up_what_has_not_stopped(monkeypatch):
    """The searches that have ended are kept."""
    done, never = Future(), Future()
    never.set_running_or_notify_cancel()
    done.set_result(None)
    board = np.zeros(3)

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(side_by_side, "wait", interrupted)
    side_by_side._watch([done, never], board, None)
    assert board[-1] == side_by_side.STOPPED
    assert not never.done()


@pytest.mark.slow
def test_a_worker_that_is_killed_once_loses_nothing(monkeypatch):
    killed = []

    def progress(fraction, t):
        if not killed:
            killed.append(multiprocessing.active_children()[0])
            killed[0].kill()

    found = fitted(fits=FITS[:1], starts=2, workers=2, progress=progress)
    assert killed
    assert found.agreeing_starts == (2, 2)
    np.testing.assert_array_equal(found.values, fitted(fits=FITS[:1], starts=2, workers=2).values)


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

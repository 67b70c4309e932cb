"""Processes of this machine and workers of a cluster: the same numbers, whoever dies meanwhile."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from small_arm import TEXT, assert_same_numbers, small_arm

from flexarm import SolverError, SpecError, sweep
from flexarm.sweeps.execution.worker_processes import process_start

VARY = {"payload.mass": "0:1:60"}


@pytest.fixture(scope="module")
def reference(worker):
    return sweep(small_arm(), VARY, series=["tip"], executor=worker)


class Killer:
    """A report of progress that kills a worker process when a third of the points is done."""

    def __init__(self):
        self.killed = 0

    def __call__(self, fraction, _):
        if fraction > 0.3 and not self.killed:
            self.killed = multiprocessing.active_children()[0].pid
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_numbers_do_not_depend_on_the_number_of_workers(reference, workers):
    assert_same_numbers(sweep(small_arm(), VARY, series=["tip"], workers=workers), reference)
    assert not multiprocessing.active_children()


def test_threads_of_one_process_do_not_disturb_each_other(reference):
    with ThreadPoolExecutor(4) as threads:
        assert_same_numbers(sweep(small_arm(), VARY, series=["tip"], executor=threads), reference)


def test_ctrl_c_while_processes_start_is_answered_afterwards():
    before = signal.getsignal(signal.SIGINT)

    def start():
        with process_start():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            started.append(subprocess.run(["sh", "-c", "kill -INT $$; echo lives"], capture_output=True))

    started: list = []
    with pytest.raises(KeyboardInterrupt):
        start()
    assert started[0].stdout == b"lives\n"
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.slow
def test_a_worker_killed_half_way_costs_no_point(reference):
    killer = Killer()
    assert_same_numbers(sweep(small_arm(), VARY, series=["tip"], workers=2, progress=killer), reference)
    assert killer.killed


@pytest.mark.slow
def test_a_script_needs_no_guard_around_its_main_part(tmp_path):
    script = f"import flexarm\narm = flexarm.parse_arm({TEXT!r})\n"
    script += 'print("here", flexarm.sweep(arm, {"payload.mass": [0, 1]}, workers=2).failed.sum())\n'
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("here 0\n", "")


@pytest.mark.parametrize("address", [pytest.param("tcp://127.0.0.1:1", marks=pytest.mark.slow), "nonsense"])
def test_a_scheduler_that_cannot_be_reached(address, tmp_path):
    pytest.importorskip("distributed")
    began = time.monotonic()
    with pytest.raises(SpecError, match="scheduler") as caught:
        sweep(small_arm(), VARY, scheduler=address, output=tmp_path / "s.h5")
    assert "no scheduler answers" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - began < 30
    assert list(tmp_path.iterdir()) == []


def test_dask_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SpecError, match=r"pip install 'flexarm\[sweep\]'"):
        sweep(small_arm(), VARY, scheduler="tcp://127.0.0.1:1")


def local_cluster(n_workers):
    """A scheduler and worker processes that speak TCP with one another and with us."""
    distributed = pytest.importorskip("distributed")
    return distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, processes=True, protocol="tcp", dashboard_address=":0",
        silence_logs=50,
    )  # fmt: skip


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(2) as cluster:
        yield cluster


@pytest.mark.slow
def test_a_cluster_gives_the_same_numbers(cluster, reference):
    result = sweep(small_arm(), VARY, series=["tip"], scheduler=cluster.scheduler_address)
    assert_same_numbers(result, reference)


@pytest.mark.slow
def test_a_worker_of_the_cluster_killed_half_way_costs_no_point(cluster, reference):
    killer = Killer()
    result = sweep(small_arm(), VARY, series=["tip"], scheduler=cluster.scheduler_address, progress=killer)
    assert killer.killed
    assert_same_numbers(result, reference)


@pytest.mark.slow
def test_a_scheduler_without_workers():
    with local_cluster(0) as empty, pytest.raises(SpecError, match="has no workers"):
        sweep(small_arm(), VARY, scheduler=empty.scheduler_address)


@pytest.mark.slow
def test_the_death_of_the_last_worker_is_told(tmp_path):
    """Within 10 s, and what was computed stays."""
    with local_cluster(0) as cluster:
        address = cluster.scheduler_address
        command = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            address,
            "--no-nanny",
            "--nthreads",
            "1",
        ]
        last = subprocess.Popen([*command, "--no-dashboard"], cwd=tmp_path, stderr=subprocess.DEVNULL)
        killed = []

        def kill(fraction, _):
            if fraction > 0.3 and not killed:
                last.kill()
                killed.append(time.monotonic())

        while not cluster.scheduler.workers:
            time.sleep(0.1)
        with pytest.raises(SolverError, match=r"no workers any more; \d+ are kept in .*`resume`"):
            sweep(small_arm(), VARY, scheduler=address, output=tmp_path / "s.h5", progress=kill)
        assert time.monotonic() - killed[0] < 10
        last.wait()

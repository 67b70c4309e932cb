"""Several processes that write to one target lose nothing, and the next one clears what a killed one has left."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from paths import PROJECT
from synthetic_results import synthetic_result

from flexarm import ResultError, open_result
from flexarm.results.storage.atomic_files import AtomicFile, TargetTaken, check_target
from flexarm.results.storage.part_files import PartFile
from flexarm.results.writer import write_result


@pytest.mark.parametrize("links", [True, False])
def test_of_writers_at_once_one_gets_the_name_and_the_others_say_theirs(tmp_path, monkeypatch, links):
    if not links:  # a file system without hard links

        def link(*_):
            raise PermissionError

        monkeypatch.setattr(os, "link", link)
    writers, rounds = 4, 10
    barrier = Barrier(writers)

    def write(k):
        found = []
        for number in range(rounds):
            target = tmp_path / f"{number}.h5"
            barrier.wait()
            try:
                with AtomicFile(target) as pending:
                    pending.part.write_text(f"writer {k}")
                found.append(target)
            except TargetTaken as taken:
                found.append(type(target)(str(taken).rpartition(" stays in ")[2]))
        return [(path, path.read_text()) for path in found]

    with ThreadPoolExecutor(writers) as pool:
        written = list(pool.map(write, range(writers)))
    for k, files in enumerate(written):
        assert {text for _, text in files} == {f"writer {k}"}
    places = {path for files in written for path, _ in files}
    assert len(places) == writers * rounds
    assert places == set(tmp_path.iterdir())
    assert (tmp_path / "0.h5").exists()
    assert (tmp_path / "0.4.h5").exists()


def test_a_result_computed_in_vain_is_kept(tmp_path):
    """Its name was free before the computation, and is taken after it."""
    result = synthetic_result()
    (tmp_path / "r.h5").write_text("theirs")
    with pytest.raises(ResultError, match="exists already"):
        result.save(tmp_path / "r.h5")
    with pytest.raises(TargetTaken, match=r"this one stays in .*r\.2\.h5"):
        write_result(result, result.attributes, tmp_path / "r.h5")
    assert (tmp_path / "r.h5").read_text() == "theirs"
    assert open_result(tmp_path / "r.2.h5").n_samples == result.n_samples


def test_parts_of_the_living_stay_and_those_of_the_dead_go(tmp_path):
    target = tmp_path / "[odd]*name.h5"
    living, dead = PartFile(target), PartFile(target)
    dead.close()
    bystander = tmp_path / "other.h5.00000000.part"
    bystander.touch()
    (tmp_path / "[odd]*name.h5.note.part").touch()
    check_target(target)
    assert living.path.exists()
    assert not dead.path.exists()
    assert len(list(tmp_path.iterdir())) == 3
    living.close()


def test_a_part_is_cleared_even_where_the_next_run_is_refused(tmp_path):
    target = tmp_path / "r.h5"
    target.touch()
    dead = PartFile(target)
    dead.close()
    with pytest.raises(ResultError, match="exists already"):
        check_target(target)
    assert list(tmp_path.iterdir()) == [target]


RACE = """
import sys
import flexarm
arm = flexarm.parse_arm("name: small\\nlinks: [{length: 1.0, mu: 1.0}]\\nrun: {duration: 0.05, sample: 0.01}\\n")
flexarm.simulate(arm)
for line in sys.stdin:
    try:
        print("in", flexarm.simulate(arm, output=line.strip()).path, flush=True)
    except flexarm.ResultError as error:
        print(error, flush=True)
"""


@pytest.mark.parametrize("rounds", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_no_race_of_two_processes_loses_a_result(tmp_path, rounds):
    command = [sys.executable, "-c", RACE]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    rivals = [subprocess.Popen(command, **pipes) for _ in range(2)]
    refused = 0
    try:
        for number in range(rounds):
            target = tmp_path / f"{number}.h5"
            for rival in rivals:
                rival.stdin.write(f"{target}\n")
            answers = [rival.stdout.readline().strip() for rival in rivals]
            places = {answer.rpartition(" in ")[2] for answer in (f" {answer}" for answer in answers)}
            early = [
                answer for answer in answers if "exists already" in answer
            ]  # before anything was computed
            refused += len(early)
            if not early:
                assert places == {str(target), str(tmp_path / f"{number}.2.h5")}, answers
            files = sorted(tmp_path.glob(f"{number}.*"))
            assert len(files) == 2 - len(early), answers
            assert all(open_result(path).status == "complete" for path in files)
    finally:
        for rival in rivals:
            rival.communicate()
    assert refused < 2 * rounds


KILLS = """
import os, random, signal, sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
sys.path[:0] = [{tests!r}, {tests!r} + "/results"]
import flexarm
from flexarm.sweeps.execution import checkpoint
from synthetic_results import synthetic_result

checkpoint.INTERVAL = 0.0
folder, what, kills = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
target = folder / "r.h5"
run = synthetic_result(samples=3000)
arm = flexarm.parse_arm("name: small\\nlinks: [{{length: 1.0, mu: 1.0}}]\\nrun: {{duration: 0.05, sample: 0.01}}\\n")
vary = {{"payload.mass": "0:1:40"}}

def write_runs():
    while True:
        run.save(target, overwrite=True)
        target.unlink()
        run.save(target)

def sweep(**options):
    with ThreadPoolExecutor(1) as worker:
        return flexarm.sweep(arm, vary, record=["final_tip"], executor=worker, output=target, **options)

def write_sweeps():
    while True:
        sweep(overwrite=True)

def next_run():
    if what == "runs":
        run.save(target, overwrite=True)
        return flexarm.open_result(target).torque
    return sweep(overwrite=True, resume=True)["final_tip_x"]

expected = next_run()
rng = random.Random(5)
left = 0
for k in range(kills):
    child = os.fork()
    if not child:
        write_runs() if what == "runs" else write_sweeps()
    time.sleep(rng.uniform(0.0, 0.15))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    left += len(list(folder.iterdir())) > 1
    if target.exists():  # whole, if it is there
        flexarm.open_result(target) if what == "runs" else flexarm.open_sweep(target)
    assert (next_run() == expected).all()
    assert list(folder.iterdir()) == [target], list(folder.iterdir())
print("left something:", left)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks processes to kill them")
@pytest.mark.parametrize("what", ["runs", pytest.param("sweeps", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kills", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_the_next_run_clears_what_a_killed_one_has_left(tmp_path, what, kills):
    code = KILLS.format(tests=str(PROJECT / "tests"))
    command = [sys.executable, "-c", code, str(tmp_path), what, str(kills)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if kills > 10:
        assert int(done.stdout.split()[-1]) > 0, "the kills came at the wrong moments"


HELD_UP = """
import sys, time
sys.path[:0] = [{tests!r}, {tests!r} + "/results"]
from synthetic_results import random_arrays, synthetic_result
from flexarm.results.writer import ResultWriter
arm = synthetic_result().arm
with ResultWriter({path!r}) as writer:
    writer.append(random_arrays(arm, 100))
    print("ready", flush=True)
    time.sleep(600)
"""


def test_a_part_belongs_to_its_writer_until_that_is_killed(tmp_path):
    code = HELD_UP.format(tests=str(PROJECT / "tests"), path=str(tmp_path / "r.h5"))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    synthetic_result().save(tmp_path / "r.h5")
    assert len(list(tmp_path.glob("r.h5.*.part"))) == 1
    process.send_signal(signal.SIGKILL)
    process.communicate()
    synthetic_result().save(tmp_path / "r.h5", overwrite=True)
    assert list(tmp_path.iterdir()) == [tmp_path / "r.h5"]

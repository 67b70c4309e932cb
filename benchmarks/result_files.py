"""Cost of checksums and digest of result files: of a long run's time, and until a file of 1 GB is open.

Run with `python benchmarks/result_files.py`; the targets are less than 10 % of a long run and less
than 2 s. Runs with and without alternate, and their medians are compared. The runs are
those of the Usoro arm: sampled as in its description, and so densely that it does little but write.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import h5py
from measuring.machine import heading

import flexarm
from flexarm.results import hdf5_output

ROBOT = Path(__file__).parents[1] / "robots" / "usoro_two_link.yaml"
RUNS = {"sampled every 10 ms": (1e-2, 1000.0), "sampled every 0.1 ms": (1e-4, 50.0)}
"""Sample and duration [s]."""
ROUNDS = 5
GIGABYTE = 1e9


@contextmanager
def without_protection():
    """Write files without checksums and digest, as nobody could open them."""
    create, digest = h5py.Group.create_dataset, hdf5_output.write_digest

    def unchecked(*arguments, fletcher32=False, **options):
        return create(*arguments, **options)

    h5py.Group.create_dataset, hdf5_output.write_digest = unchecked, lambda file: None
    try:
        yield
    finally:
        h5py.Group.create_dataset, hdf5_output.write_digest = create, digest


def processor_time(arm, path: Path) -> float:
    """Time of a run that writes a file [s]."""
    begin = time.process_time()
    try:
        flexarm.simulate(arm, output=path, overwrite=True)
    except flexarm.ResultError:  # it has no digest
        path.unlink(missing_ok=True)
    return time.process_time() - begin


def main() -> None:
    print(heading("flexarm", "h5py", "numpy"))
    arm = flexarm.load_arm(ROBOT)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        flexarm.simulate(arm, output=path)  # compiles
        for name, (sample, duration) in RUNS.items():
            run = arm.run.model_copy(update={"sample": sample, "duration": duration})
            long = arm.model_copy(update={"run": run})
            protected, bare = [], []
            for _ in range(ROUNDS):
                protected.append(processor_time(long, path))
                with without_protection():
                    bare.append(processor_time(long, path))
            share = statistics.median(protected) / statistics.median(bare) - 1
            print(
                f"{name}: {statistics.median(protected):.3f} s with checksums and digest, {share:.1%} more than without"
            )
        processor_time(long, path)
        bytes_per_second = path.stat().st_size / run.duration
        run = run.model_copy(update={"duration": GIGABYTE / bytes_per_second})
        flexarm.simulate(arm.model_copy(update={"run": run}), output=path, overwrite=True)
        times = []
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            flexarm.open_result(path)
            times.append(time.perf_counter() - begin)
        print(f"{path.stat().st_size / 1e9:.2f} GB: open and checked after {min(times):.2f} s")


if __name__ == "__main__":
    main()
